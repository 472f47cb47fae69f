"""The table of activities, and which of them a text asks for. Import-light, because hooks use it."""

from recollect.policy.ranking import prompt_text
from recollect.policy.scopes.activity import CLASSES, Activity, items
from recollect.policy.scopes.code_activities import CODE_ACTIVITIES
from recollect.policy.scopes.delivery_activities import DELIVERY_ACTIVITIES
from recollect.policy.scopes.product_activities import PRODUCT_ACTIVITIES
from recollect.policy.scopes.word_patterns import Pattern, clauses, may_match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ACTIVITIES: tuple[Activity, ...] = (*CODE_ACTIVITIES, *PRODUCT_ACTIVITIES, *DELIVERY_ACTIVITIES)
BY_NAME = {activity.name: activity for activity in ACTIVITIES}
BROAD = frozenset(
    [
        "money amounts", "working on the user interface", "naming things", "formatting and style of code",
        "user-facing text and translations", "dates and times", "branching and merging", "changing the API",
        "implementing a feature", "refactoring", "handling errors", "secrets", "caching", "logging", "writing tests",
    ]
)  # fmt: skip
"""Activities that most prompts are about in some way: their rules are told only if they also share a telling word."""
PROMPT_CHARS = 800
"""Only the beginning of a prompt says what is to be done; what follows is material."""


def asked_for(prompt: str, names: "Iterable[str]") -> list[str]:
    """Return which of the named activities a prompt asks for; none for a question, and nothing inside quotes counts."""
    if prompt_text.is_question(prompt):
        return []
    said = clauses(_unquoted(prompt[:PROMPT_CHARS]))
    return [name for name in names if name in BY_NAME and is_any_said(items(BY_NAME[name].prompts), said)]


def _unquoted(prompt: str) -> str:
    """Return a prompt without what stands in double quotes: a text to show is no activity."""
    return " ".join(prompt.replace("\u201c", '"').replace("\u201d", '"').split('"')[::2])


def is_any_said(patterns: "Iterable[str]", said: "Sequence[Sequence[str]]") -> bool:
    """Return whether one of the patterns matches one of the clauses."""
    marked = [(clause, [f"|{word}|" for word in clause]) for clause in said]
    return any(
        Pattern(source).position(clause, CLASSES) >= 0
        for source in patterns
        for clause, words in marked
        if may_match(source, words)
    )
