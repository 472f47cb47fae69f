"""Tell what a user wants to have built from rules that hold beyond it.

"Write a login screen. The password must never be shown." says how the new screen should be, though it says "never".
Nobody can be sure from the words alone, so such a sentence waits for a review.
"""

import re

_ASKS = r"(?:(?:ok|okay|now|then|so|and|also|first|next|hi|hey|please|pls|kindly)[\s,]+)*"
_WANTS = (
    r"(?:(?:can|could|would|will) (?:you|we)(?: please| pls)? |(?:i|we)(?:'d like| would like| want| need)(?: you)? to "
    r"|(?:i|we)(?:'d like| would like| want| need)(?= an? )|let'?s )?"
)
_BUILDS = (
    r"(?:write|create|make|build|implement|generate|scaffold|draft|design|prototype|develop|set up|put together|add)"
)
# A request to build something: "write a login screen", "can you make me a cron job", "we need a page".
_REQUEST = re.compile(
    rf"^{_ASKS}(?:{_WANTS}{_BUILDS} (?:me |us )?(?:an?|the|some|another|new|two|three|\d+|`|--)"
    rf"|(?:i|we)(?:'d like| would like| want| need) an? |if (?:the|a) (?:user|visitor|player|customer|request)\b)",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"\b(?:implement|build) (?:\+|and|it|this|that)|\bwith tests\b[.!]?$", re.IGNORECASE)
# What makes a wish a specification: it says how a thing has to be, and of which thing.
_HOW_IT_IS = re.compile(
    r"\b(?:must|should|shall|needs? to|ha(?:s|ve) to|always|never|only|max(?:imum)?|at most|at least|will)\b",
    re.IGNORECASE,
)
_OF_ONE_THING = re.compile(
    r"^(?i:for (?:the|this|that) [\w -]{2,40}[:,]|(?:the |an? )?(?:user|visitor|player)s? (?:can|should|must|may|sees?"
    r"|gets?|clicks?|selects?|enters?|uploads?)\b)|^(?i:in|inside|within) `?(?:[a-z]+[A-Z]\w*|\w+_\w+|\w+\(\))`?[ ,]"
)
_OF_MANY = re.compile(
    r"\b(?:every|each|all|any) (?!(?:second|minute|hour|day|night|week|frame|click)\b)", re.IGNORECASE
)
_SUBJECT = re.compile(
    r"^(?:the|an?|each|every|its|their)? ?(?:[\w-]+ )??([\w-]+) (?:is|are|has|have|\w+s)\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W_]{3,}")
# Words that widen a sentence beyond the thing at hand, to everything that the people or the project do.
_WIDER = re.compile(
    r"\b(?:we|we're|we've|our|ours|us|you|i|in general|generally|as a rule|from now on|going forward|in (?:the )?future"
    r"|everywhere|anywhere|everything|anything|all|no|nobody|everyone|new|here|remember|note|fyi|btw"
    r"|by the way|convention\w*|policy|repo\w*|project\w*|code ?base|company|team|prod(?:uction)?|staging|customers?"
    r"|commits?|prs?|pull requests?|branch(?:es)?|releases?|deploys?|migrations?|tests?|ci|whatever you do)\b"
    r"|^(?:please )?(?:always|never|don'?t|do not)\b",
    re.IGNORECASE,
)


def is_request(sentence: str) -> bool:
    """Whether a sentence asks to have something new built."""
    return bool(_REQUEST.match(sentence.strip()))


def is_specification(sentence: str, before: str, *, is_building: bool) -> bool:
    """Whether a sentence tells how one thing should be.

    `before` is what the message said earlier, and `is_building` whether it asks for a new thing.
    """
    said = sentence.strip()
    if _OF_ONE_THING.match(said) or (is_request(said) and not _OF_MANY.search(said)):
        return True
    is_wanted = is_building or bool(_CLOSING.search(said))
    return is_wanted and not _WIDER.search(said) and (bool(_HOW_IT_IS.search(said)) or _is_part_of(said, before))


def _is_part_of(said: str, before: str) -> bool:
    """Whether the subject of a sentence is something that was named before: "a page with a hero. The hero has …"."""
    subject = _SUBJECT.match(said)
    named = {word.rstrip("s") for word in _WORD.findall(before.lower())}
    return subject is not None and subject[1].lower().rstrip("s") in named
