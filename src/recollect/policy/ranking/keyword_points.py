"""Points for words in titles and tags, as claude-memory counts them (B20-B23). Import-light, because hooks use it."""

from recollect.model.words import search_words
from recollect.model.words.stop_words import STOP_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

TITLE_POINTS = 2
TAG_POINTS = 3
PREFIX_POINTS = 1
PREFIX_CHARS = 4
SHORTEST_WORD = 3
MOST_DESCRIBED = 2
FRESH_POINTS = 1
FRESH_DAYS = 30
DAY = 86_400
# B23: the order of kinds among equal points; every other kind comes after them.
PRIORITY = {"decision": 1, "constraint": 2, "preference": 3, "runbook": 4, "tech_debt": 5, "session_summary": 6}
LAST = len(PRIORITY) + 1
_WORD_SIGNS = b"abcdefghijklmnopqrstuvwxyz0123456789"
_SPACED = bytes(sign if sign in _WORD_SIGNS else 32 for sign in range(256))


def words(text: str) -> set[str]:
    """Return the words that are compared: ASCII letters and digits, three characters or more, no stop words (B20).

    Scripts that are not Latin, which B20 does not know, are compared by their own words or pairs of characters.
    """
    found = text.lower().encode("utf-8", "replace").translate(_SPACED).decode("ascii").split()
    words = {word for word in found if len(word) >= SHORTEST_WORD and word not in STOP_WORDS}
    return words if text.isascii() else words.union(search_words.other_scripts(text))


def points(prompt: set[str], title: str, tags: "Iterable[str]") -> int:
    """Return 2 points per title word, 3 per tag, 1 per word of four or more letters that begins either (B21)."""
    in_title, in_tags = words(title), {tag.lower() for tag in tags}
    targets = in_title | in_tags
    joined = " ".join(targets)
    total = 0
    for word in prompt:
        if word not in joined:  # most are not, and this test is much quicker
            continue
        exact = TITLE_POINTS * (word in in_title) + TAG_POINTS * (word in in_tags)
        total += exact or PREFIX_POINTS * _is_prefix(word, targets)
    return total


def described(prompt: set[str], description: str) -> int:
    """Return 1 point per word of a kind's description, a half per prefix; rounded down, two at most (B22)."""
    targets = words(description)
    total = sum(1.0 if word in targets else 0.5 * _is_prefix(word, targets) for word in prompt)
    return min(MOST_DESCRIBED, int(total))


def _is_prefix(word: str, targets: set[str]) -> bool:
    return len(word) >= PREFIX_CHARS and any(target.startswith(word) for target in targets)


def fresh(updated: float | None, now: float) -> int:
    """Return 1 point for a memory that was updated within 30 whole days, else 0 (B23)."""
    return FRESH_POINTS if updated is not None and (now - updated) // DAY <= FRESH_DAYS else 0
