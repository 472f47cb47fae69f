"""Points for words in titles and tags, as claude-memory counts them (B20-B23). Import-light, because hooks ask."""

from recollect.model.stop_words import STOP_WORDS

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
# B23: who comes first among equals; every other kind stands behind them.
PRIORITY = {"decision": 1, "constraint": 2, "preference": 3, "runbook": 4, "tech_debt": 5, "session_summary": 6}
LAST = len(PRIORITY) + 1
_WORD_SIGNS = b"abcdefghijklmnopqrstuvwxyz0123456789"
_SPACED = bytes(sign if sign in _WORD_SIGNS else 32 for sign in range(256))


def words(text: str) -> set[str]:
    """The words that are compared: ASCII letters and digits, three or more, no stop words (B20)."""
    found = text.lower().encode("utf-8", "replace").translate(_SPACED).decode("ascii").split()
    return {word for word in found if len(word) >= SHORTEST_WORD and word not in STOP_WORDS}


def points(prompt: set[str], title: str, tags: "Iterable[str]") -> int:
    """2 per title word, 3 per tag, 1 per word of four or more letters that begins one of them (B21)."""
    in_title, in_tags = words(title), {tag.lower() for tag in tags}
    targets = in_title | in_tags
    said = " ".join(targets)
    total = 0
    for word in prompt:
        if word not in said:  # most are not, and asking so is much quicker
            continue
        exact = TITLE_POINTS * (word in in_title) + TAG_POINTS * (word in in_tags)
        total += exact or PREFIX_POINTS * _begins_one(word, targets)
    return total


def described(prompt: set[str], description: str) -> int:
    """1 per word of what a kind is described by, a half per beginning of one; whole points, two at most (B22)."""
    targets = words(description)
    total = sum(1.0 if word in targets else 0.5 * _begins_one(word, targets) for word in prompt)
    return min(MOST_DESCRIBED, int(total))


def _begins_one(word: str, targets: set[str]) -> bool:
    return len(word) >= PREFIX_CHARS and any(target.startswith(word) for target in targets)


def fresh(updated: float | None, now: float) -> int:
    """1 for what was updated within thirty whole days (B23)."""
    return FRESH_POINTS if updated is not None and (now - updated) // DAY <= FRESH_DAYS else 0
