"""Tell from the grammar of a user's sentence whether it states something that lasts: a rule, a limit, a fact, a choice.

`judge` goes through tables of forms, in this order:

1. `TURNS`, `PERMITS`: terse choices, turns away from what held before, permissions
2. `NO_STATEMENT`: questions, reports, corrections, thanks
3. `EXPLICIT`: always, never, from now on, I prefer …: it lasts in so many words
4. `CHOICES`: something is chosen, or put off
5. `PASSING`: it is about now, about the thing at hand, or a complaint
6. `FORMS`, `FACTS`, `ORDERS`: facts, limits, and orders that hold for many cases
7. `declared`: any other declarative sentence in the present tense about the project

A sentence that no table knows is undecided; a fitted model may judge it (`network`).
"""

import re
from typing import NamedTuple

from recollect.policy.rule import Rule, any_of
from recollect.policy.statements.forms import fact_forms, lasting_forms, order_forms, passing_forms

NONE = "none"
PLAIN, LIKELY = 0.85, 0.7
"""The certainty of what lasts in so many words, and of what lasts by its form."""

# -- words that lead up to a statement ---------------------------------------------------------------------------------

_SEPARATOR = r"[\s,.:;!\u2013\u2014-]*"
_FILLERS = (
    r"(?:oh and|oh btw|and|but|also|so|ok|okay|btw|by the way|please|pls|kindly|hi|hey|hello|alright|übrigens|ach ja"
    r"|nebenbei|por cierto"
    r"|au fait|actually|then|übrigens|ach ja|nebenbei|por cierto|au fait)\b|(?:yes|yeah|yep|no|nope|nah|hm+|ah+|oh+"
    r"|right|wrong|good|fine|great|well|nice|cool|thanks|thank you|thx|perfect|sorry|wait|correct"
    r"|true)\b(?=\s*[,.:;!\u2013\u2014-])"
)
# Words that announce something to keep: "remember: …", "one rule for the future: …".
_ANNOUNCED = (
    r"(?:please )?(?:remember|note|keep in mind|bear in mind|be aware|don'?t forget|mind you)(?: (?:also"
    r"|please))?(?: (?:this|that|it) for [^:]{1,40}(?= ?:)| that\b|(?=[ ]*[:,-])|(?= (?:we|our|all|the|every"
    r"|to (?:always|never))\b))|(?:just )?(?:fyi|for your information|for (?:future )?reference|for the record"
    r"|for context|important|heads[ -]?up|reminder|just so (?:you|that you) know|so you know|in case you (?:wonder"
    r"|need it)|good to know|background|note)\b(?: that\b)?|(?:one|another|some|a|small|quick|general|house|two|last"
    r"|first|our|my|the|new|also)(?: (?:more|other|general|house|last|quick|small|new|project|team|coding|important"
    r"|standing))* (?:thing|rule|remark|note|point|wish|convention|preference|reminder|ground rule"
    r"|request)s?(?: (?:for|about|on|before|in|of|to)\b[^:.!?]{0,40})?(?= ?[:,-])|(?:here(?:'s| is)|this is"
    r"|these are) (?:my|our|a|one|the) [^:.!?]{0,40}\b(?:rule|convention|preference|policy"
    r"|style)s?\b[^:.!?]{0,30}(?=:)|(?:rule|convention|conventions|naming|style|code style|preference|constraint"
    r"|limit|policy|fact|decision)(?= ?:)"
)
_LEAD = re.compile(rf"^(?:[\s(*_\"'-]*(?:{_FILLERS}|{_ANNOUNCED}){_SEPARATOR})+", re.IGNORECASE)
_ANNOUNCING = re.compile(_ANNOUNCED, re.IGNORECASE)
_POLITE = re.compile(
    r"^(?:can|could|would|will) (?:you|we|u)(?: please| pls)?(?: make sure(?: that)?(?: you"
    r"| we)?)?[ ]+(?=(?:please )?(?:always|never|from now on|in (?:the )?future|going forward)\b)"
    r"|^(?:i'?d like you to|i want you to|i need you to|you should|you must|you need to|make sure (?:to|you"
    r"|that you))[ ]+"
    r"(?=(?:please )?(?:always|never)\b)",
    re.IGNORECASE,
)

# What a habit is about is not the thing at hand: "we name branches after the ticket".
_HABIT_OBJECT = re.compile(
    r"\bthe (?:tickets?|prs?|branch|commit|issue|change|diff|review|task|last tag)\b", re.IGNORECASE
)
_OF_HABITS = re.compile(
    r"^(?:we|our|all|every|each|no|\w+ names?|\w+s|(?:don'?t|do not) (?:ever )?(?:force|amend|rebase|squash))\b",
    re.IGNORECASE,
)
_CODE_NAME = re.compile(r"\b[A-Za-z]+[a-z][A-Z]\w{4,}|\b\w+_\w+\.[a-z]{1,4}\b")
_QUESTION = re.compile(
    r"\?\W*$|^(?:(?:on|in|at|for) (?:which|what)|is|are|do|does|did|has|have|why|how|what|when|where|who|which|if)\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,;] | so (?=\w+ )| - | \u2013 | because ")
_SUBORDINATE = re.compile(
    r"(?:if|when\w*|before|after|for|in|on|at|while|as|since|although|once|with|until)\b", re.IGNORECASE
)
LEAST_CLAUSE_WORDS = 3
_UNLESS = re.compile(r"\bunless\b.*")
_NO_STATEMENT, _NOT_CORRECTION, _PASSING = map(
    any_of, (passing_forms.NO_STATEMENT, passing_forms.NOT_A_CORRECTION, passing_forms.PASSING)
)


class Verdict(NamedTuple):
    """The kind of memory that a sentence would be, `none` if it states nothing lasting, and how certain that is."""

    kind: str
    certainty: float


NOTHING = Verdict(NONE, PLAIN)


def bare(sentence: str) -> str:
    """Return a sentence without the words that lead up to it: "By the way: …", "ok, remember that …"."""
    rest = _LEAD.sub("", sentence.strip()).strip(" \t*_-")
    return rest or sentence.strip()


def judge(sentence: str) -> Verdict | None:
    """Return what a user's sentence states, as far as its grammar tells; None where it does not."""
    if lasting_forms.CORRECTED.match(sentence):
        return Verdict("preference", LIKELY)
    said = _POLITE.sub("", bare(sentence)).replace("`", "").replace("dont ", "don't ")
    turn = (
        ""
        if _QUESTION.search(said) or passing_forms.ONCE.search(first_clause(said))
        else _first((*order_forms.TURNS, *order_forms.PERMITS), said)
    )
    is_asked = turn == "discovery" and _is_task(said)  # "refactor X so that it no longer needs Y"
    if turn and not is_asked:
        return Verdict(turn, LIKELY)
    if _NO_STATEMENT.search(said) and not _NOT_CORRECTION.search(said):
        return NOTHING
    explicit = _first(lasting_forms.EXPLICIT, said)
    if explicit:
        return NOTHING if passing_forms.ONCE.search(said) else Verdict(_kind(explicit, said), PLAIN)
    choice = "" if passing_forms.AT_HAND.search(said) else _first(lasting_forms.CHOICES, said)
    return Verdict(choice, LIKELY) if choice else _by_form(sentence, said)


def first_clause(said: str) -> str:
    """Return a sentence up to its first comma, if that is a clause: what follows refers back to it ("it", "they")."""
    first = _CLAUSE_END.split(said, maxsplit=1)[0]
    return said if len(first.split()) < LEAST_CLAUSE_WORDS or _SUBORDINATE.match(said) else first


def is_request(clause: str) -> bool:
    """Whether a clause asks for something, or tells what somebody did or saw, rather than states something."""
    said = bare(clause)
    return _is_task(said) or bool(_NO_STATEMENT.search(said)) or bool(passing_forms.AT_HAND.search(said))


def _by_form(sentence: str, said: str) -> Verdict | None:
    """Return what a sentence states that does not last in so many words, by its form."""
    is_noun = passing_forms.NOUN.match(said)
    is_order = not is_noun and bool(passing_forms.ORDER.match(said) or passing_forms.PROHIBITION.match(said))
    first = first_clause(said)
    core = _UNLESS.sub("", _HABIT_OBJECT.sub("", first) if _OF_HABITS.match(said) else first)
    if _PASSING.search(core) or _is_asked_for(said) or (is_order and passing_forms.ORDER_NOW.search(first)):
        return NOTHING
    if len(_CODE_NAME.findall(said)) > 1:  # a review or a report that was pasted
        return None
    is_task = _is_task(said)
    facts = "" if is_task else _first(lasting_forms.FORMS, said) or _first(fact_forms.FACTS, said)
    form = _first(order_forms.ORDERS, said) or facts or ("discovery" if lasting_forms.VALUE.match(said) else "")
    form = form or ("" if is_order else fact_forms.declared(said))
    lead = _LEAD.match(sentence)
    if lead and _ANNOUNCING.search(lead[0]) and not is_task:
        return Verdict(_kind(form or "discovery", said), PLAIN)
    if form:
        return Verdict(_kind(form, said), LIKELY)
    return NOTHING if is_order else None


def _is_task(said: str) -> bool:
    return bool(passing_forms.TASK.match(said)) and not passing_forms.RULE_ORDER.match(said)


def _is_asked_for(said: str) -> bool:
    return bool(passing_forms.ASKED_FOR.search(said) or passing_forms.ON_SCREEN.match(said))


def _first(rules: tuple[Rule, ...], said: str) -> str:
    return next((rule.name for rule in rules if rule.pattern.search(said)), "")


_HARD_LIMIT = re.compile(
    r"\b(?:must|can'?t|cannot|may not|mustn'?t|not allowed|forbidden|read[ -]?only|limit\w*|at most|no more than"
    r"|maximum|max"
    r"|minimum|never leave|quota|required by|law|legal|gdpr|compliance|licen[cs]e|certif\w+)\b",
    re.IGNORECASE,
)


def _kind(kind: str, said: str) -> str:
    """Return the kind of a form: a rule about a limit is a constraint, unless it is an order to the agent."""
    is_limit = (
        bool(_HARD_LIMIT.search(said))
        and not passing_forms.ORDER.match(said)
        and not re.match(r"(?i)(?:always|never|we|i|please)\b", said)
    )
    return "constraint" if kind == "preference" and is_limit else kind
