"""Resolve consent: "yes", "let's go with option 2", "do the second" mean what the agent proposed before them.

`resolve` returns the option's own words, or None where nothing fits, or where it is only about what to do now.
"""

import re
from typing import NamedTuple

from recollect.policy.statements import lasting
from recollect.policy.statements.statements import sentences

CERTAINTY = 0.75
LEAST_WORDS, MOST_CHARS = 3, 240
MOST_PROMPT = 400
"""A longer prompt says itself what it wants."""

_LEAD = (
    r"^\W*(?:(?:yes|yeah|yep|ok|okay|sure|please|pls|then|so|and|fine|good|cool|great|right|agreed|i think|i'd say"
    r"|i would|hm+|ja|gut)\b[\s,.:!-]*)*"
)
_ORDINALS = {
    "one": "1", "first": "1", "1st": "1", "two": "2", "second": "2", "2nd": "2", "three": "3", "third": "3", "3rd": "3",
    "four": "4", "fourth": "4", "five": "5", "fifth": "5", "former": "1", "latter": "2",
}  # fmt: skip
_NUMBER = r"(\d|[a-eA-E]|" + "|".join(_ORDINALS) + r")\b"
# "let's go with option 2", "do the second", "option b", "2".
_PICK = re.compile(
    _LEAD + r"(?:(?:let'?s|we|i|you)(?:'ll| will| can| should)? )?(?:(?:go|do|take|use|choose|pick|prefer"
    r"|want|like|try|went|implement)\b(?: (?:with|for))? )?(?:the )?(?:(?:option|approach|variant|alternative|number"
    r"|solution|proposal|no\.?|#|plan|variante)[ #]*)?" + _NUMBER + r"(?: (?:option|one|approach|variant|alternative"
    r"|solution|proposal))?"
    r"(?=\s*(?:$|[.,;:!\n\u2013\u2014-]|please\b|because\b|since\b|as\b|then\b|is\b))",
    re.IGNORECASE,
)
_YES = re.compile(
    _LEAD + r"(?:yes|yeah|yep|ok|okay|sure|do it|do that|go ahead|sounds good|agreed|please do|let'?s do (?:it|that)"
    r"|go for it|perfect"
    r"|ja|gerne|oui|s\u00ed|sim|\u306f\u3044|\u304a\u9858\u3044\u3057\u307e\u3059)\W*(?:please\W*|thanks\W*)*$",
    re.IGNORECASE,
)
_OPTION = re.compile(
    r"^[ \t>#*_-]*(?:(?:option|approach|variant|alternative|choice|solution|proposal)[ ]+)?\(?(\d"
    r"|[A-Ea-e])\)?[ ]?[.):\u2013\u2014-]+[*_]*[ ]+"
    r"[*_]*(\S[^\n]{2,400})$",
    re.IGNORECASE | re.MULTILINE,
)
_LABELLED = re.compile(
    r"\b(?:option|approach|variant) (\d|[A-E])[*_]*[:)\u2013\u2014-]+[*_]*[ ]+([^\n.;]{8,240})", re.IGNORECASE
)
_PROPOSED = re.compile(
    r"\b(?:should|shall|do you want|would you like|want|ok if|okay if)(?: (?:me|us))?(?: (?:i|we|to|me"
    r"|us))*(?: to)? ((?:use|switch|go with|adopt|keep|standardi[sz]e|move to|drop|replace|store|rename|make|put"
    r"|stay with"
    r"|stick)\b [^?\n]{8,200})\?",
    re.IGNORECASE,
)
_VAGUE = re.compile(r"^(?:\w+ ){0,2}(?:that|this|these|those|it|them)\b", re.IGNORECASE)
# What is only about now: nothing of it lasts.
_NOW = re.compile(
    r"^(?:yes\b|no\b|quick fix|rename|commit|push|merge|rebase|run|rerun|continue|proceed|open|start|skip"
    r"|create (?:a |the )?(?:pr|pull|branch|commit)|review|deploy|stop|wait|investigate|look|check|leave it"
    r"|do nothing|nothing|abort|cancel|retry|test|show|explain|write|update|fix|finish"
    r"|close|revert|stash|reset|go back|go ahead|force|new commit|amend|squash)\b",
    re.IGNORECASE,
)
_ASKING = re.compile(r"\?|\b(?:option|which|prefer|choose|pick|your call|let me know|approach(?:es)?)\b", re.IGNORECASE)
_RECOMMENDED = re.compile(r"\s*\((?:recommended|my pick|preferred|default|empfohlen)\)", re.IGNORECASE)
_DETAIL = re.compile(r"\*\*\s*[:\u2013\u2014-]\s*|\s+[\u2013\u2014]\s+|\*\*")
_REASON = re.compile(r"\b(?:because|since|as|weil)\b\s+([^.\n]{6,200})", re.IGNORECASE)


class Choice(NamedTuple):
    """What a user agreed to: the option's words, the question that was open, and the user's reason."""

    text: str
    question: str = ""
    reason: str = ""

    @property
    def name(self) -> str:
        """The option without its explanation, if the heading says enough by itself."""
        heading = self.text.partition(": ")[0]
        return heading if len(heading.split()) >= LEAST_WORDS else self.text


def resolve(prompt: str, proposal: str) -> Choice | None:
    """Return what a user's consent to the agent's last answer means; None where it is no consent, or cannot be told."""
    if not proposal or len(prompt) > MOST_PROMPT:
        return None
    picked = _PICK.match(prompt)
    text = _option(picked[1], prompt, proposal) if picked else _proposed(proposal) if _YES.match(prompt) else ""
    if len(text.split()) < LEAST_WORDS or _NOW.match(text) or _VAGUE.match(text) or text.endswith("?"):
        return None
    given = _REASON.search(prompt)
    return Choice(text, _question(proposal), given[1].strip(" .!,") if given else "")


def is_answer(sentence: str) -> bool:
    """Whether a sentence only agrees or names an option by its number: what it stands for was said before."""
    return len(sentence) <= MOST_PROMPT and bool(_PICK.match(sentence) or _YES.match(sentence))


def _option(label: str, prompt: str, proposal: str) -> str:
    """Return the words of the option with a label; empty where the answer does not put up several."""
    wanted = _ORDINALS.get(label.lower(), label.lower())
    is_named = bool(re.search(r"\b(?:option|approach|variant|alternative)\b", prompt, re.IGNORECASE))
    found = {match[1].lower(): match[2] for pattern in (_LABELLED, _OPTION) for match in pattern.finditer(proposal)}
    is_asked = is_named or bool(_ASKING.search(proposal[-600:]))
    return _clean(found[wanted]) if wanted in found and len(found) > 1 and is_asked else ""


def _clean(option: str) -> str:
    """Return an option without its markup; where a heading and its explanation follow each other, both."""
    plain = _RECOMMENDED.sub("", option)
    parts = [part.strip(" *_:.-") for part in _DETAIL.split(plain, maxsplit=1) if part.strip(" *_:.-")]
    joined = ": ".join(parts[:2]) if len(parts) > 1 else "".join(parts)
    return joined[:MOST_CHARS].replace("**", "").strip()


def _proposed(proposal: str) -> str:
    """Return what an answer proposes with its last question ("Should we use …?"); empty if that is no choice."""
    found = _PROPOSED.findall(proposal[-800:])
    return str(found[-1]).strip(" *_") if found else ""


def _question(proposal: str) -> str:
    """Return the last question of an answer; empty if there is none."""
    asked = [sentence for sentence in sentences(proposal) if sentence.endswith("?")]
    return asked[-1][:MOST_CHARS] if asked else ""


def is_about_now(text: str) -> bool:
    """Whether an answer or an option is only about what to do now: commit, continue, nothing."""
    return bool(_NOW.match(lasting.bare(text)))
