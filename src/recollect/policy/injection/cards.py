"""Render memories for an agent as cards, lines or pointers. Import-light, because hooks use it.

The text of a memory is governed and escaped, so that the block is well-formed and gives no orders. Text that neither
the user nor an agent wrote (of a tool, a web page, an import, a quotation) is always shown as data: with its source
named, between quotes or behind a bar, so that no line begins with it, whatever its language.
"""

from recollect.model.age import age
from recollect.policy.injection import untrusted_text
from recollect.policy.ranking import ranks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.found_memory import FoundMemory

TITLE_CHARS, CONTENT_CHARS, LINE_CHARS = 160, 1_600, 300
HEADER_TOKENS = 10
TAG_WORDS = 2
QUOTED = {"tool": "a tool", "web": "the web", "import": "an import", "quoted": "somebody else by the user"}
# Kinds that repeat prompts, answers and output; if the user wrote such a memory, it is the user's own text.
NOTED = {"turn_summary": "an earlier turn", "session_summary": "the notes of an earlier session"}


def source(memory: "FoundMemory") -> str:
    """Return the source that a memory quotes; empty for text of the user or of an agent."""
    noted = "" if memory.is_by_user else NOTED.get(memory.kind, "")
    return QUOTED.get(memory.origin, noted)


def card(memory: "FoundMemory", now: float, most_chars: int = CONTENT_CHARS) -> str:
    """Return a memory as an XML element (D46), with at most `most_chars` of its text.

    Text of a tool or of the web is quoted as data.
    """
    trusted, quoted = memory.is_by_user, source(memory)
    origin = f' origin="{untrusted_text.escape_attribute(memory.origin)}"' if memory.origin in QUOTED else ""
    branch = f' branch="{untrusted_text.attribute(memory.branch, 80)}"' if memory.branch else ""
    kind, how_old = untrusted_text.attribute(memory.kind, 80), age(memory.created, now)
    code = f' code="{memory.code_state.lower()}"' if memory.code_state else ""
    head = f'type="{kind}" importance="{memory.importance:g}" age="{how_old}"{code}'
    text = untrusted_text.cut(untrusted_text.govern(memory.text, trusted=trusted).strip(), most_chars)
    text = untrusted_text.cut_escaped(untrusted_text.escape(text, trusted=trusted), 2 * most_chars)
    if quoted:
        label = f", quoted from {quoted}"
        title, body = untrusted_text.quote(memory.title, TITLE_CHARS), _barred(text)
    else:
        label = ""
        title, body = (
            untrusted_text.line(memory.title, TITLE_CHARS, trusted=trusted),
            f" {text}".replace("\n", "\n    "),
        )
    content = f"\n    Content{label}:{body}" if text else ""
    linked = "".join(f"\n    {note}" for note in notes(memory))
    return f"  <memory {head}{origin}{branch}>\n    Title{label}: {title}{content}{linked}\n  </memory>"


def notes(memory: "FoundMemory") -> list[str]:
    """Return the lines about linked memories and code, `before: …`, `except: …`, `stale: …`, cleaned."""
    return [untrusted_text.line(note, TITLE_CHARS) for note in memory.notes]


def _barred(text: str) -> str:
    """Return escaped text with a bar before every line."""
    return "".join(f"\n    | {line}" for line in text.split("\n"))


def line(memory: "FoundMemory", path: str) -> str:
    """Return a memory as a line of the index (B24); every part is cleaned, not the title alone (B25)."""
    quoted, bare = source(memory), memory.title.replace(" -> ", " - ").replace("#tags:", "")
    shown = (tag for tag in memory.tags.split("\n") if _is_shown_tag(tag, quoted=bool(quoted)))
    tags = ",".join(sorted(untrusted_text.attribute(tag, 80) for tag in shown))
    title = untrusted_text.line(bare, TITLE_CHARS, trusted=True).replace('"', "&quot;")  # B25
    title = f"quoted from {quoted}: {untrusted_text.quote(bare, TITLE_CHARS)}" if quoted else title
    place, tagged = untrusted_text.attribute(path, LINE_CHARS), f" #tags:{tags}" if tags else ""
    linked = "".join(f"; {note}" for note in notes(memory))
    return f"- [{memory.kind.upper()}] {title} -> {place}{tagged}{linked}"


def _is_shown_tag(tag: str, *, quoted: bool) -> bool:
    """Whether a tag is shown; of quoted memories only those of up to two words, because a phrase may be an order."""
    return bool(tag) and not (quoted and len(tag.replace("-", " ").replace("_", " ").split()) > TAG_WORDS)


def pointer(memory: "FoundMemory", path: str) -> str:
    """Return a memory as its path and its cue, else its first line (A31)."""
    cue, quoted = memory.cue or memory.text.strip().partition("\n")[0] or memory.title, source(memory)
    shown = untrusted_text.line(cue, LINE_CHARS, trusted=memory.is_by_user)
    shown = f"quoted from {quoted}: {untrusted_text.quote(cue, LINE_CHARS)}" if quoted else shown
    return f"- {untrusted_text.line(path, LINE_CHARS)} — {'; '.join([shown, *notes(memory)])}"


def block(lines: "Sequence[str]", *, source: str, receipt: str = "") -> str:
    """Return the lines inside a memory-context element; a receipt's number is what `recollect why` takes."""
    number = f' receipt="{receipt}"' if receipt else ""
    return "\n".join(
        [f'<memory-context source="{untrusted_text.escape_attribute(source)}"{number}>', *lines, "</memory-context>"]
    )


def with_lines(whole: str, lines: "Sequence[str]") -> str:
    """Return a memory-context element with more lines at its end."""
    head, end, _ = whole.rpartition("</memory-context>")
    return "\n".join([head.rstrip("\n"), *lines, end])


def units(text: str) -> int:
    """Return the length of a text in UTF-16 units, as JavaScript clients count it."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "replace")) // 2


def fitting(cards: "Sequence[str]", budget_tokens: float, most_chars: int) -> int:
    """Return how many of the cards fit into both budgets; none after the first that does not fit (D45)."""
    spent, chars = float(HEADER_TOKENS), 200
    for number, card_text in enumerate(cards):
        spent, chars = spent + ranks.tokens(card_text), chars + units(card_text) + 1
        if spent > budget_tokens or chars > most_chars:
            return number
    return len(cards)
