"""Replace the credentials in the bytes of an event. Import-light; `policy/secrets/table` says what they look like.

The bytes may be JSON. A replacement never leaves the string that it stands in, never cuts an escape, and never changes
a key.
"""

from recollect.policy.secrets import scan

MARK = "[redacted:credential]"

_Range = tuple[int, int]  # start and end

_MARK = MARK.encode()
_MOST_PASSES = 8
_MARK_CHARS, _KEY_CHARS = 40, 1_000  # how far a mark is looked for before a value, and a colon behind a string
_SHORT_TEXT, _NEAR_MARK = 32_000, 1_000
_BLANKS = " \t\r\n"


def redact(data: bytes) -> bytes:
    """Return the bytes with each credential replaced by `MARK`; the same object if there is none."""
    ranges = _credentials(data, [(0, len(data))])
    # A mark can bring a name and a value together that were apart, hence again around marks until nothing is found.
    for _ in range(_MOST_PASSES):
        if not ranges:
            break
        data, mark_ends = _replaced(data, ranges)
        ranges = _credentials(data, _near(mark_ends, len(data)))
    return data


def redact_text(text: str) -> str:
    """Return a text with each credential replaced by `MARK`; lone surrogates become `?`."""
    return redact(text.encode("utf-8", "replace")).decode("utf-8", "replace")


def _replaced(data: bytes, ranges: list[_Range]) -> tuple[bytes, list[int]]:
    """Return the bytes with a mark in place of each range, and where the marks end."""
    parts, mark_ends, last, size = list[bytes](), list[int](), 0, 0
    for start, end in ranges:
        parts += [data[last:start], _MARK]
        size += start - last + len(_MARK)
        mark_ends.append(size)
        last = end
    return b"".join([*parts, data[last:]]), mark_ends


def _near(mark_ends: list[int], size: int) -> list[_Range]:
    """Return the parts of a long text within 1,000 bytes of a mark; the whole of a text of up to 32,000 bytes."""
    if size <= _SHORT_TEXT:
        return [(0, size)]
    parts = list[_Range]()
    for mark_end in mark_ends:
        if parts and mark_end - _NEAR_MARK <= parts[-1][1]:
            parts[-1] = (parts[-1][0], min(size, mark_end + _NEAR_MARK))
        else:
            parts.append((max(0, mark_end - _NEAR_MARK), min(size, mark_end + _NEAR_MARK)))
    return parts


def _credentials(data: bytes, parts: list[_Range]) -> list[_Range]:
    """Return what to replace, in order: overlapping spots as one range, none in a key of JSON or around a mark."""
    spots = [(first + start, first + end) for first, last in parts for start, end, _ in scan.scan(data[first:last])]
    if not spots:
        return []
    text, ranges, closing = data.decode("latin-1"), list[_Range](), 0
    is_json = data.lstrip()[:1] in (b"{", b"[")
    for start, end in spots:
        mark = text.rfind("[redacted:", max(0, start - _MARK_CHARS), end)
        if mark >= 0 and "]" not in text[mark:start]:
            continue
        if is_json:
            closing = closing if closing >= end else scan.closing_quote(text, end)
            start, end = _between_escapes(text, start, min(end, closing))  # noqa: PLW2901
            is_key = text[closing + 1 : closing + _KEY_CHARS].lstrip(_BLANKS)[:1] == ":"
            if start >= end or is_key:
                continue
        if ranges and start < ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], max(end, ranges[-1][1]))
        else:
            ranges.append((start, end))
    return ranges


def _between_escapes(text: str, start: int, end: int) -> _Range:
    """Return a range that cuts no escape of JSON: a backslash belongs to the character behind it."""
    if _ends_in_escape(text, start):
        start += 5 if text[start] == "u" else 1
    while end > start and _ends_in_escape(text, end):
        end -= 1
    tail = text.rfind("\\u", max(start, end - 5), end)
    return start, tail if tail >= 0 and _ends_in_escape(text, tail + 1) and end < tail + 6 else end


def _ends_in_escape(text: str, at: int) -> bool:
    """Whether a backslash before a position escapes what stands there: an odd number of them does."""
    before = text[max(0, at - 200) : at]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1
