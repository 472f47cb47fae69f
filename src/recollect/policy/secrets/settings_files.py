"""All values of files that hold nothing but settings and secrets, such as `.env`. Import-light."""

from recollect.policy.secrets.shapes import BLANKS, NAME, QUOTES, Spot, end_of, start_of
from recollect.policy.secrets.table import DIGITS, LETTERS, SHOWING, VALUE_FILES

_SHOWING = frozenset(SHOWING.split())
_ENDS = (*BLANKS, *QUOTES, "\\", ";", "|", "&", ")", ":", "<", "")
_SAMPLES = ("example", "sample", "template", "dist", "test")
_KEY = LETTERS + DIGITS + "_."
_PROMPTS = ("$", "#", ">", "%", "+", "sudo", "&&", ";", "|", "then", "do")
_PATHS = ('path"', 'file"', 'filename"')
_KEY_CHARS, _LINE_CHARS, _VALUE_CHARS = 80, 200, 4_000  # how far a key, a command and a value's end are looked for
_HEAD_CHARS = 4_000  # what a tool was asked stands before what it answered


def entries(text: str) -> list[Spot]:
    """Find the values of the KEY=value lines of a text that shows or writes such a file; none in any other text."""
    head = text[:_HEAD_CHARS]
    return _values(text) if any(name in head and _is_shown(head, name) for name in VALUE_FILES) else []


def _is_shown(text: str, name: str) -> bool:
    """Whether a text reads or writes a file of this name: as the path of a tool, or behind a command."""
    at = text.find(name)
    while at >= 0:
        after = at + len(name)
        if name == ".env" and text[after : after + 1] == ".":  # .env.local, but not .env.example
            suffix = start_of(NAME, text[after + 1 : after + 30])
            after += 1 + len(suffix) if suffix not in _SAMPLES else 0
        is_ending = text[after : after + 1] in _ENDS
        if is_ending and (_is_path_field(text, at, after) or _has_command(text, at)):
            return True
        at = text.find(name, at + 1)
    return False


def _is_path_field(text: str, at: int, after: int) -> bool:
    """Whether the name ends a JSON string whose key says that it is a path."""
    begin = text.rfind('"', max(0, at - _LINE_CHARS), at)
    key = text[max(0, begin - 40) : max(0, begin)].rstrip(BLANKS + ":").lower()
    return text[after : after + 1] == '"' and key.endswith(_PATHS)


def _has_command(text: str, at: int) -> bool:
    """Whether the line before a position has a command that shows or writes files, or redirects output there."""
    line = text[max(0, at - _LINE_CHARS) : at].replace("\\n", "\n").replace('": "', "\n").replace('":"', "\n")
    words = line.rpartition("\n")[2].split()
    if len(words) > 1 and words[-1 if line[-1:] in BLANKS else -2].endswith((">", ">>")):
        return True
    places = [place for place, word in enumerate(words) if word in _SHOWING]
    return any(place == 0 or words[place - 1].endswith(_PROMPTS) for place in places)


def _values(text: str) -> list[Spot]:
    """Find the value of every line KEY=value, with `export` before it or without."""
    spots, at = list[Spot](), text.find("=")
    while at >= 0:
        key = end_of(_KEY, text[max(0, at - _KEY_CHARS) : at])
        start = at - len(key)
        if key[:1] == "n" and text[start - 1 : start] == "\\":
            start += 1  # the letter of an escaped line end is no part of the key
        end = at + 1
        if start < at and _is_line_start(text, start):
            end = _end_of_value(text, at + 1)
            first = at + 1 + len(start_of("\\" + QUOTES, text[at + 1 : at + 4]))
            last = end - len(end_of("\\" + QUOTES + BLANKS, text[max(first, end - 4) : end]))
            if last > first and text[first] not in "$=" and (text[start].isupper() or text[start - 1] in '\n"'):
                spots.append((first, last, "env-value"))
        at = text.find("=", end)
    return spots


def _is_line_start(text: str, at: int) -> bool:
    """Whether a position begins a line, what `echo` writes, or a JSON string that is no command."""
    before = text[max(0, at - 24) : at].replace("export ", "").rstrip(" \t+")
    if not before or before.endswith(("\n", "\\n")):
        return True
    bare = before.rstrip("\\" + QUOTES).rstrip()
    if bare.endswith(("echo", "echo -n", "echo -e", "printf")):
        return True
    return before.endswith(('":"', '": "')) and not before.endswith(('command": "', 'command":"'))


def _end_of_value(text: str, at: int) -> int:
    """Return the end of a value: that of its quote, of the JSON string or of the line."""
    first = at + 1 if text[at : at + 1] in ("'", '"') else at + 2 if text[at : at + 2] == '\\"' else at
    signs = (
        ("\n", "\\n", "\\r", '"', "'")
        if first > at or "'" in text[max(0, at - 100) : at]
        else ("\n", "\\n", "\\r", '"')
    )
    stops = [place for sign in signs if (place := text.find(sign, first, at + _VALUE_CHARS)) >= 0]
    return min(stops, default=min(len(text), at + _VALUE_CHARS))
