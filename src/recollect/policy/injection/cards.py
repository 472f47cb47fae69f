"""How memories are shown to an agent: cards, lines or pointers. Import-light, because hooks ask.

Whatever a memory says is governed and escaped, so that the block is well-formed and gives no orders. Words that nobody
here wrote (a tool's, a web page's, an import's, a quotation's) are always shown as data: with their source named,
between quotes or behind a bar, so that no line begins with them, whatever their language.
"""

from recollect.policy.injection import governor
from recollect.policy.ranking import ranks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.found_memory import FoundMemory

TITLE_CHARS, CONTENT_CHARS, LINE_CHARS = 160, 1_600, 300
HEADER_TOKENS = 10
TAG_WORDS = 2
QUOTED = {"tool": "a tool", "web": "the web", "import": "an import", "quoted": "somebody else by the user"}
# Kinds that repeat prompts, answers and output; what a person wrote of these kinds is a person's.
NOTED = {"turn_summary": "an earlier turn", "session_summary": "the notes of an earlier session"}
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


def source(memory: "FoundMemory") -> str:
    """Whose words a memory repeats; empty for what a person here or an agent says."""
    noted = "" if memory.is_said_by_a_person else NOTED.get(memory.kind, "")
    return QUOTED.get(memory.origin, noted)


def card(one: "FoundMemory", now: float) -> str:
    """One memory as an element (D46); what a tool or the web said is quoted as data."""
    trusted, quoted = one.is_said_by_a_person, source(one)
    where = f' origin="{governor.escape(one.origin)}"' if one.origin in QUOTED else ""
    branch = f' branch="{governor.line(one.branch, 80)}"' if one.branch else ""
    head = f'type="{governor.line(one.kind, 80)}" importance="{one.importance:g}" age="{age(one.created, now)}"'
    said = governor.cut(governor.govern(one.text, trusted=trusted).strip(), CONTENT_CHARS)
    said = governor.cut_escaped(governor.escape(said, trusted=trusted), 2 * CONTENT_CHARS)
    if quoted:
        label = f", quoted from {quoted}"
        title, body = governor.quote(one.title, TITLE_CHARS), _bar(said)
    else:
        label = ""
        title, body = governor.line(one.title, TITLE_CHARS, trusted=trusted), f" {said}".replace("\n", "\n    ")
    content = f"\n    Content{label}:{body}" if said else ""
    return f"  <memory {head}{where}{branch}>\n    Title{label}: {title}{content}\n  </memory>"


def _bar(said: str) -> str:
    """Escaped text with a bar in front of every line."""
    return "".join(f"\n    | {line}" for line in said.split("\n"))


def line(one: "FoundMemory", path: str) -> str:
    """One memory as a line of the index (B24); every part is cleaned, not the title alone (B25)."""
    quoted, bare = source(one), one.title.replace(" -> ", " - ").replace("#tags:", "")
    tags = ",".join(sorted(governor.line(tag, 80) for tag in one.tags.split("\n") if _is_tag(tag, quoted=bool(quoted))))
    title = governor.line(bare, TITLE_CHARS, trusted=True)
    title = f"quoted from {quoted}: {governor.quote(bare, TITLE_CHARS)}" if quoted else title
    return f"- [{one.kind.upper()}] {title} -> {governor.line(path, LINE_CHARS)}{' #tags:' + tags if tags else ''}"


def _is_tag(tag: str, *, quoted: bool) -> bool:
    """Whether a tag is shown: of foreign text only single words, because a phrase may be an order."""
    return bool(tag) and not (quoted and len(tag.replace("-", " ").replace("_", " ").split()) > TAG_WORDS)


def pointer(one: "FoundMemory", path: str) -> str:
    """One memory by its path and what it is for (A31)."""
    says, quoted = one.cue or one.text.strip().partition("\n")[0] or one.title, source(one)
    told = governor.line(says, LINE_CHARS, trusted=one.is_said_by_a_person)
    told = f"quoted from {quoted}: {governor.quote(says, LINE_CHARS)}" if quoted else told
    return f"- {governor.line(path, LINE_CHARS)} — {told}"


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
