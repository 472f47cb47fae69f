"""Facts in sentences: subject, predicate and object, where the predicate is a real one."""

import re
from typing import NamedTuple

PROJECT = "this project"
"""The subject of what "we" do."""
SETTINGS = (
    "port|ports|host|url|address|path|folder|directory|level|limit|timeout|threshold|interval|size|version|branch|name"
    "|format|owner|region|provider|database|license|licence|schedule|deadline|strategy|mode|prefix|suffix|registry|bucket"
    "|domain|locale|language|currency|timezone|encoding|maintainer|contact|default"
)
_SUBJECT = r"^(?:the\s+|our\s+|all\s+|every\s+)?(?P<subject>[\w@./`'-]+(?:\s[\w@./`'-]+){0,5}?)"
_OBJECT = (
    r"(?P<object>[^,;:!?()]{2,100}?)(?=[,;:!?()]|\.(?:\s|$)|\s(?:because|since|so that|which|and|but|when|if|weil)\b|$)"
)
_PREDICATES = (
    r"uses|use|(?:lives?|is|are|sits?)\s(?:in|under|at|on)|(?:is|are)\s(?:stored|kept|written|deployed|hosted|built|owned"
    r"|maintained|called|named|generated|read|served|run|managed)\s(?:in|on|by|with|from|to|at|under)|(?:is|are)\scalled"
    r"|depends?\son|requires?|needs?|runs?\s(?:on|in|at|with)|listens?\son|talks?\sto|connects?\sto|deploys?\sto|owns?"
    r"|maintains?|benutz(?:t|en)|nutz(?:t|en)|verwende[tn]?|liegt\s(?:in|auf)|liegen\sin|läuft\sauf|gehört\szu"
)
_STATED = re.compile(rf"{_SUBJECT}\s(?:now\s|always\s)?(?P<predicate>{_PREDICATES})\s+{_OBJECT}", re.IGNORECASE)
_SETTING = re.compile(
    rf"^(?:the\s+|our\s+)?(?P<subject>(?:[\w@./`'-]+\s){{0,4}}(?:{SETTINGS})(?:\s(?:of|for|in)\s[\w@./`'-]+"
    rf"(?:\s[\w@./`'-]+)?)?)\s(?P<predicate>is|are|=)\s+(?:now\s+)?{_OBJECT}",
    re.IGNORECASE,
)
# A subject that only points to something else, or is no thing.
_POINTS = re.compile(
    r"^(?:it|this|that|these|those|there|he|she|they|you|i|what|which|who|if|when|while|to|never|always|don't|please|here"
    r"|so|and|but|or|no|not|let|let's|also|es|das|dies|sie|er|wenn)\b",
    re.IGNORECASE,
)
# Words that say from when on or where a fact holds, in front of its subject.
_FROM_WHEN = re.compile(
    r"^(?:from (?:now|today|here) on(?:wards?)?|as of (?:now|today)|going forward|in future|for now"
    r"|in th(?:is|e) (?:repo(?:sitory)?|project|code ?base)|(?:and |but )?(?:btw|fyi|remember|note)(?: that)?|ab jetzt)"
    r"[\s,:]+",
    re.IGNORECASE,
)
_WE = re.compile(r"^(?:we|wir)$", re.IGNORECASE)


class Triple(NamedTuple):
    """A fact: what it is about, the predicate, and the object."""

    subject: str
    predicate: str
    object: str


def triple(sentence: str) -> Triple | None:
    """Return the fact that a sentence states; None if it has no real predicate."""
    said = _FROM_WHEN.sub("", sentence.strip().strip("*_` "))
    match = _SETTING.match(said) or _STATED.match(said)
    if match is None or _POINTS.match(match["subject"]):
        return None
    subject = PROJECT if _WE.match(match["subject"]) else match["subject"]
    return Triple(subject.strip("`"), " ".join(match["predicate"].lower().split()), match["object"].strip(" .`"))
