"""How memories are shown to an agent: cards, lines or pointers. Import-light, because hooks ask.

Whatever a memory says is governed and escaped, so that the block is well-formed and gives no orders.
"""

from recollect.policy import governor, ranks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.policy.seen import Seen

TITLE_CHARS, CONTENT_CHARS, LINE_CHARS = 160, 1_600, 300
HEADER_TOKENS = 10
QUOTED = {"tool": "a tool", "web": "the web", "import": "an import"}
DAY = 86_400


def age(created: float | None, now: float) -> str:
    """How old, in the largest unit that fits: `2d`."""
    if created is None:
        return "?"
    seconds = max(0, int(now - created))
    for size, unit in ((365 * DAY, "y"), (DAY, "d"), (3_600, "h"), (60, "m")):
        if seconds >= size:
            return f"{seconds // size}{unit}"
    return "now"


def card(one: "Seen", now: float) -> str:
    """One memory as an element (D46); what a tool or the web said is quoted as data."""
    trusted = one.is_said_by_a_person
    where = f' origin="{governor.escape(one.origin)}"' if one.origin in QUOTED else ""
    branch = f' branch="{governor.line(one.branch, 80)}"' if one.branch else ""
    head = f'type="{governor.line(one.kind, 80)}" importance="{one.importance:g}" age="{age(one.created, now)}"'
    title = governor.line(one.title, TITLE_CHARS, trusted=trusted)
    said = governor.escape(governor.cut(governor.govern(one.text, trusted=trusted).strip(), CONTENT_CHARS))
    said = governor.cut_escaped(said, 2 * CONTENT_CHARS)
    label = f"Content, quoted from {QUOTED[one.origin]}" if where else "Content"
    body = said.replace("\n", "\n    ")
    content = f"\n    {label}: {body}" if said else ""
    return f"  <memory {head}{where}{branch}>\n    Title: {title}{content}\n  </memory>"


def line(one: "Seen", path: str) -> str:
    """One memory as a line of the index (B24); every part is cleaned, not the title alone (B25)."""
    tags = ",".join(sorted(governor.line(tag, 80) for tag in one.tags.split("\n") if tag))
    title = governor.line(one.title.replace(" -> ", " - ").replace("#tags:", ""), TITLE_CHARS, trusted=True)
    return f"- [{one.kind.upper()}] {title} -> {governor.line(path, LINE_CHARS)}{' #tags:' + tags if tags else ''}"


def pointer(one: "Seen", path: str) -> str:
    """One memory by its path and what it is for (A31)."""
    says = one.cue or one.text.strip().partition("\n")[0] or one.title
    return f"- {governor.line(path, LINE_CHARS)} — {governor.line(says, LINE_CHARS, trusted=one.is_said_by_a_person)}"


def block(lines: "Sequence[str]", *, source: str, receipt: str = "") -> str:
    """The element around what is shown; a receipt's number leads to `recollect why`."""
    number = f' receipt="{receipt}"' if receipt else ""
    return "\n".join([f'<memory-context source="{governor.escape(source)}"{number}>', *lines, "</memory-context>"])


def units(text: str) -> int:
    """How long a text is to a client that counts as JavaScript does."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "replace")) // 2


def fitting(cards: "Sequence[str]", budget_tokens: float, most_chars: int) -> int:
    """How many of the cards fit; the first that does not ends it (D45)."""
    spent, chars = float(HEADER_TOKENS), 200
    for number, one in enumerate(cards):
        spent, chars = spent + ranks.tokens(one), chars + units(one) + 1
        if spent > budget_tokens or chars > most_chars:
            return number
    return len(cards)
