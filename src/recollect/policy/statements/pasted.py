"""Find the parts of a message that were pasted, by their structure: code, quotations, mails, tickets, logs, documents.

Every rule is a row with a name, a pattern and an example. Ranges are character offsets into the message, so that a
caller can show which part was left out, and why. All scans are linear in the length of the message.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from recollect.policy.rule import table


class Range(NamedTuple):
    """A part of a message that is not the user's own, and the name of the rule that says so."""

    start: int
    end: int
    rule: str


class _Line(NamedTuple):
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


# -- delimited parts: they end where they say, and what comes behind them is the user's again --------------------------

_FENCE = re.compile(r"(```|~~~).*?(?:\1|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"<(/?)([A-Za-z][\w:.-]{0,60})(?:\s[^<>\n]{0,300})?(/?)>")
# Inline formatting is emphasis, and the client puts what the user typed behind a command into `command-args`.
_USERS_OWN_TAGS = frozenset(["b", "i", "em", "strong", "u", "code", "kbd", "mark", "br", "command-args"])
_UNCLOSED = re.compile(
    r"(?:file|document|selection|ide_\w+|system-reminder|local-command-\w+|command-\w+|bash-\w+|paste\w*|attachment"
    r"|context|content|output|stdout|stderr|log|ticket|issue|email|mail|message|quote|snippet|code|text|page|html|xml"
    r"|svg|tool_\w+|function_\w+|user-prompt-\w+)$",
    re.IGNORECASE,
)

# -- lines that are foreign by themselves ------------------------------------------------------------------------------

_TIME = r"\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s?[AaPp]\.?[Mm]\.?)?"
_LEVELS = "TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|PANIC"
_PREFIXES = r"hint|warning|error|fatal|tip|info|debug|remote|panic|\w+warning"
_ERROR = r"\w*(?:Error|Exception)\b.*:"
LINES = table(
    (
        ("blockquote", r"\s{0,3}>", "> always use tabs"),
        ("indented", r"(?: {4}|\t)\s*\S", "    always use tabs"),
        ("table", r"\s*\||\S[^\t]*\t\S", "| 1 | always use tabs |"),
        ("csv", r"(?:[^,]{0,200},(?=\S)){2}", "1,always use tabs,ops"),
        ("json", r"\s*\"[^\"]{0,200}\"\s*:|\s*[\[{]\s*[\"{\[]?", '"rule": "always use tabs",'),
        ("log time", r"\W{0,2}\d{4}[-/.]\d\d[-/.]\d\d[T ,]+\d", "2026-03-01 10:22:13 always use tabs"),
        ("log time", rf"\W{{0,2}}(?:\w{{3}} +\d{{1,2}} {_TIME}|{_TIME}\W)", "Mar  1 10:22:13 always use tabs"),
        ("log level", rf"\W{{0,2}}(?:{_LEVELS})\b", "[WARN] always use tabs"),
        ("log prefix", rf"(?i:(?:{_PREFIXES})(?:\[\w+\])?:\s)", "hint: always use tabs"),
        ("log prefix", r"(?i:npm (?:err!|warn|notice)\b)", "npm WARN always use tabs"),
        ("trace", r"\s*(?:Traceback \(most|File \"|Caused by:|goroutine \d|thread '.*' panicked)", "Caused by: tabs"),
        ("trace", rf"\s*(?:at [\w.$<>/]+[ (:]|{_ERROR})", "RuntimeError: always use tabs"),
        ("code", r"\s*(?://|/\*|\*/|--\s|;;|%%|#!|(?:SELECT|INSERT|UPDATE|CREATE)\s)", "// always use tabs"),
        ("terminal", r"\s*[\u23bf\u23fa\u25cf\u276f\u2502\u256d\u2570\u251c\u2514]", "\u23bf always use tabs"),
        ("diff", r"[+](?!\s*\d)", "+always use tabs"),
        ("chat", rf"<[\w .@-]{{1,30}}>\s|[\w.@-]{{2,30}} [\[(]?{_TIME}[\])]?\s*[:>-]", "<kim> always use tabs"),
    )
)
_PADDED = re.compile(r"\s*\S.*\s{5,}$")
PADDED_LINES = 3
"""How many lines have to be filled up with spaces, as terminals do, to be a part of a screen."""
_DIFF = re.compile(r"diff --git |@@ .*@@|(?:---|\+\+\+) \S|index [0-9a-f]{7}")
_IN_DIFF = re.compile(r"[ +@\\-]|index [0-9a-f]{7}|$")

# -- headings from which on the rest of the message is foreign ---------------------------------------------------------

_MAIL_FIELD = re.compile(
    r"\W{0,3}(?:from|to|cc|bcc|subject|date|sent|reply-to|von|an|betreff|gesendet|datum|de|à|objet|envoyé|para|asunto)"
    r"\W{0,3}:",
    re.IGNORECASE,
)
_TICKET_FIELD = re.compile(
    r"\W{0,4}(?:summary|title|description|priority|severity|reporter|assignee|labels?|status|environment|component"
    r"|type|version|affects|fix versions?|story points|epic|sprint|due date|tags|created|updated|notes?)\W{0,4}:",
    re.IGNORECASE,
)
_TICKET_HEADING = (
    r"(?:steps to reproduce|how to reproduce|acceptance criteria|definition of done|bug report|feature request"
    r"|user story|additional context|(?:expected|actual|current) (?:behaviou?r|results?|outcome)"
    r"|describe the (?:bug|feature|problem))"
)
RESTS = table(
    (
        ("document", r"#{1,6}\s+\S", "# Style guide"),
        ("mail", r"\W{0,5}(?:original|forwarded) message\b|begin forwarded message", "-----Original Message-----"),
        (
            "mail",
            r"(?:on|am|le|el)\s.{5,100}(?:wrote|schrieb.{0,60}|a écrit|escribió)\s?:\s*$",
            "On 1 March Petra wrote:",
        ),
        ("ticket", rf"\W{{0,4}}{_TICKET_HEADING}\W{{0,4}}(?::|$)", "Steps to reproduce:"),
        ("ticket", r"as an? [\w -]{2,40},? i (?:want|need|would like)\b", "As a user I want tabs"),
        ("chat", rf"[\w.@-]+(?: [\w.@-]+){{0,2}},? [\[(]?{_TIME}[\])]?\s*$", "Jan Novak, 10:32"),
    ),
    re.IGNORECASE,
)
_UNDERLINE = re.compile(r"(?:={3,}|-{3,})\s*$")
_TICKET_ID = re.compile(r"\W{0,3}[A-Z][A-Z0-9]{1,9}-\d+\b")
_SPEAKER = re.compile(r"\W{0,2}([\w.@-]{2,30}(?: [A-Z][\w.-]{1,30})?)\W{0,2}:\s+\S")
_ROLES = frozenset(["user", "assistant", "system", "human", "ai", "bot", "agent", "claude", "developer", "tool"])
SPEAKING_LINES = 2
"""How many lines somebody has to speak in to make a chat."""


class _Start(NamedTuple):
    """Where a mail, a ticket or a document begins, and the rule that says so."""

    start: int
    rule: str


def ranges(message: str) -> list[Range]:
    """Return the pasted parts of a message, in order. They may touch and nest."""
    found = [*_fences(message), *_elements(message)]
    is_covered = _covering(found)
    lines = [line for line in _lines(message) if not is_covered(line.start)]
    rest = _rest(message, lines)
    found += [rest] if rest else []
    found += [Range(line.start, line.end, rule) for line in lines if (rule := _line_rule(line))]
    found += [Range(line.start, line.end, "chat") for line in _chat_lines(lines)]
    found += [Range(line.start, line.end, "diff") for line in _diff_lines(lines)]
    found += [Range(line.start, line.end, "terminal") for line in _screen_lines(lines)]
    return sorted(found)


def _line_rule(line: _Line) -> str:
    """Return the name of the first rule that a line matches; an empty text if there is none."""
    return next((rule.name for rule in LINES if rule.pattern.match(line.text)), "")


def _diff_lines(lines: list[_Line]) -> Iterator[_Line]:
    """Yield the lines of a diff: from its head on, as long as they begin as lines of a diff do."""
    is_inside = False
    for line in lines:
        is_inside = bool(_DIFF.match(line.text)) or (is_inside and bool(_IN_DIFF.match(line.text)))
        if is_inside:
            yield line


def _screen_lines(lines: list[_Line]) -> list[_Line]:
    """Return the lines that were copied from a screen: from the first that is filled up with spaces to the last."""
    padded = [place for place, line in enumerate(lines) if _PADDED.match(line.text)]
    return lines[padded[0] : padded[-1] + 1] if len(padded) >= PADDED_LINES else []


def _lines(message: str) -> Iterator[_Line]:
    start = 0
    for text in message.split("\n"):
        yield _Line(start, text)
        start += len(text) + 1


def _covering(found: Iterable[Range]) -> Callable[[int], bool]:
    """Return a function that says whether a place lies in one of the ranges. It has to be called with rising places."""
    ordered = sorted(found)
    at, end = 0, -1

    def is_covered(place: int) -> bool:
        nonlocal at, end
        while at < len(ordered) and ordered[at].start <= place:
            end = max(end, ordered[at].end)
            at += 1
        return place < end

    return is_covered


def _fences(message: str) -> list[Range]:
    return [Range(*fence.span(), "fence") for fence in _FENCE.finditer(message)]


def _elements(message: str) -> Iterator[Range]:
    """Yield XML-like elements with their content. An unclosed one whose name is a paste's goes on to the end."""
    opened: dict[str, list[int]] = {}
    for tag in _TAG.finditer(message):
        is_closing, name, is_empty = bool(tag[1]), tag[2].lower(), bool(tag[3])
        if name in _USERS_OWN_TAGS or is_empty:
            continue
        if not is_closing:
            opened.setdefault(name, []).append(tag.start())
        elif opened.get(name):
            yield Range(opened[name].pop(), tag.end(), "element")
    unclosed = [starts[0] for name, starts in opened.items() if starts and _UNCLOSED.match(name)]
    if unclosed:
        yield Range(min(unclosed), len(message), "element")


def _rest(message: str, lines: list[_Line]) -> Range | None:
    """Return the range from the first mail, ticket or document on to the end of the message; None without one."""
    starts = [*_headings(lines), *_fields(lines, _MAIL_FIELD, "mail"), *_fields(lines, _TICKET_FIELD, "ticket")]
    if not starts:
        return None
    first = min(starts)
    return Range(first.start, len(message), first.rule)


def _headings(lines: list[_Line]) -> Iterator[_Start]:
    """Yield the headings of `RESTS`, and underlined lines; a ticket number above a heading belongs to it."""
    before: _Line | None = None
    for line in lines:
        rule = next((rule.name for rule in RESTS if rule.pattern.match(line.text)), "")
        is_titled = before is not None and (rule == "ticket" and _TICKET_ID.match(before.text))
        is_underlined = before is not None and bool(before.text.strip()) and bool(_UNDERLINE.match(line.text))
        if before is not None and (is_titled or is_underlined):
            yield _Start(before.start, rule or "document")
        elif rule:
            yield _Start(line.start, rule)
        before = line


def _fields(lines: list[_Line], field: re.Pattern[str], rule: str) -> Iterator[_Start]:
    """Yield the first of two or more lines that are fields of a mail's or a ticket's head."""
    found = [place for place, line in enumerate(lines) if field.match(line.text)]
    if len(found) < 2:
        return
    first = found[0]
    has_title = first > 0 and bool(_TICKET_ID.match(lines[first - 1].text))
    yield _Start(lines[first - has_title].start, rule)


def _chat_lines(lines: list[_Line]) -> list[_Line]:
    """Return lines such as `lena: ok`, if somebody speaks twice or speaks in a role; else an empty list."""
    spoken = [(speaker[1].lower(), line) for line in lines if (speaker := _SPEAKER.match(line.text))]
    speakers = [name for name, _ in spoken]
    is_chat = len(set(speakers)) < len(speakers) or any(name in _ROLES for name in speakers)
    return [line for _, line in spoken] if is_chat and len(spoken) >= SPEAKING_LINES else []
