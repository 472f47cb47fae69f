"""Credentials taken out of the bytes of an event. What they look like is in `policy/secrets/table`.

The bytes may be JSON: what is replaced never leaves the string it stands in, never cuts an escape and is never part
of a key. Colours are looked through, and a value that was found once is taken out wherever it stands, Base64 included.
"""

from recollect.policy.secrets import scan

MARK = "[redacted:credential]"

_MARK = MARK.encode()
_PASSES, _MARK_CHARS, _KEY_CHARS = 8, 40, 1_000
_SHORT, _NEAR = 32_000, 1_000
_BLANKS = " \t\r\n"


def redact(data: bytes) -> bytes:
    """The same bytes with what looks like a credential replaced; the same object where nothing does."""
    spots = _found(data, [(0, len(data))])
    # A mark can bring a name and a value together that were apart, hence again around marks until nothing is found.
    for _ in range(_PASSES):
        if not spots:
            break
        parts, last, size, marks = list[bytes](), 0, 0, list[int]()
        for start, end in spots:
            parts += [data[last:start], _MARK]
            size += start - last + len(_MARK)
            marks.append(size)
            last = end
        data = b"".join([*parts, data[last:]])
        spots = _found(data, _around(marks, len(data)))
    return data


def _around(marks: list[int], size: int) -> list[tuple[int, int]]:
    """The parts of a long text that lie around marks; the whole of a short one."""
    if size <= _SHORT:
        return [(0, size)]
    parts = list[tuple[int, int]]()
    for mark in marks:
        if parts and mark - _NEAR <= parts[-1][1]:
            parts[-1] = (parts[-1][0], min(size, mark + _NEAR))
        else:
            parts.append((max(0, mark - _NEAR), min(size, mark + _NEAR)))
    return parts


def _found(data: bytes, parts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spots in order: those that meet are one, those in a key of JSON or with a mark in them are none."""
    spots = [(first + start, first + end) for first, last in parts for start, end, _ in scan.scan(data[first:last])]
    if not spots:
        return []
    text, merged, closing = data.decode("latin-1"), list[tuple[int, int]](), 0
    is_json = data.lstrip()[:1] in (b"{", b"[")
    for start, end in spots:
        mark = text.rfind("[redacted:", max(0, start - _MARK_CHARS), end)
        if mark >= 0 and "]" not in text[mark:start]:
            continue
        if is_json:
            closing = closing if closing >= end else scan.closing_quote(text, end)
            start, end = _inside(text, start, min(end, closing))  # noqa: PLW2901
            if start >= end or text[closing + 1 : closing + _KEY_CHARS].lstrip(_BLANKS)[:1] == ":":
                continue
        is_new = not merged or start >= merged[-1][1]
        merged.append((start, end) if is_new else (merged[-1][0], max(end, merged.pop()[1])))
    return merged


def _inside(text: str, start: int, end: int) -> tuple[int, int]:
    """A spot that cuts no escape of JSON: a backslash belongs to the sign behind it."""
    if _ends_in_escape(text, start):
        start += 5 if text[start] == "u" else 1
    while end > start and _ends_in_escape(text, end):
        end -= 1
    tail = text.rfind("\\u", max(start, end - 5), end)
    return start, tail if tail >= 0 and _ends_in_escape(text, tail + 1) and end < tail + 6 else end


def _ends_in_escape(text: str, at: int) -> bool:
    before = text[max(0, at - 200) : at]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1
