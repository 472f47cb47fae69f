"""How past experiences are shown to a model: `- [category] text` (C21). Import-light, because hooks use it."""

from recollect.policy.injection import cards, untrusted_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.found_memory import FoundMemory

HEADING = "Relevant past experiences:"
TEXT_CHARS = 500
UNTAGGED, CATEGORY = "untagged", "experience"


def line(memory: "FoundMemory") -> str:
    """Return an experience as a line: 500 characters of its text and an ellipsis, cleaned; others' words are quoted."""
    said, quoted, most = memory.text, cards.source(memory), TEXT_CHARS + 1
    shown = untrusted_text.quote(said, most) if quoted else untrusted_text.line(said, most, trusted=memory.is_by_user)
    category = untrusted_text.attribute(category_of(memory.tags.split("\n")), 40)
    return f"- [{category}] {f'quoted from {quoted}: ' if quoted else ''}{shown}"


def category_of(tags: "Sequence[str]") -> str:
    """Return the category of the record that an experience comes from: its first tag."""
    return next((tag for tag in tags if tag and tag != UNTAGGED), CATEGORY)
