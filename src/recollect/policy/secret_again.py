"""A scan that looks through colours, and finds what it has found wherever it stands again. Import-light."""

from recollect.policy import secret_files, secret_shapes
from recollect.policy.secret_scan import Spot
from recollect.policy.secret_scan import scan as _scan
from recollect.policy.secret_shapes import end_of, start_of
from recollect.policy.secret_table import DIGITS, LETTERS

_COLOURS = (b"\x1b[", b"\\u001b[")
_COLOUR_SIGNS = b"0123456789;"
_MOST_AGAIN, _FEWEST_CHARS, _LONGEST_CHARS = 24, 8, 300
_MOST_BYTES = 300_000
_BASE64 = LETTERS + DIGITS + "+/-_"
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_UNESCAPED = LETTERS + DIGITS + "_.-~"


def scan(data: bytes) -> list[Spot]:
    """The credentials of a text, also behind colours, of `.env` files, and those that are there a second time."""
    bare, pieces = _without_colours(data)
    spots = _scan(bare) + secret_files.entries(bare)
    if spots:
        spots += _again(bare.decode("latin-1"), spots)
        spots = [(_place(pieces, start), _place(pieces, end - 1) + 1, rule) for start, end, rule in spots]
        spots.sort()
    return spots


def _without_colours(data: bytes) -> tuple[bytes, list[tuple[int, int]]]:
    """The bytes without colours, and where each piece of them began: (without, before), the last piece last."""
    if b"\x1b" not in data and b"u001b[" not in data[:_MOST_BYTES]:
        return data, [(0, 0)]
    kept, pieces, size, at = list[bytes](), list[tuple[int, int]](), 0, 0
    while at < len(data):
        start, opening = _next_colour(data, at)
        pieces.append((size, at))
        kept.append(data[at:start])
        size += start - at
        at = start
        if opening:
            rest = data[start + len(opening) : start + len(opening) + 20]
            at = start + len(opening) + len(rest) - len(rest.lstrip(_COLOUR_SIGNS))
            at += data[at : at + 1] in (b"m", b"K")
    return b"".join(kept), pieces


def _next_colour(data: bytes, at: int) -> tuple[int, bytes]:
    """Where the next colour begins and how; the end of the data where there is none."""
    found = [(place, opening) for opening in _COLOURS if (place := data.find(opening, at)) >= 0]
    return min(found, default=(len(data), b""))


def _place(pieces: list[tuple[int, int]], at: int) -> int:
    """The position before colours were taken out."""
    low, high = 0, len(pieces)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if pieces[middle][0] <= at else (low, middle)
    without, before = pieces[low]
    return before + at - without


def _again(text: str, spots: list[Spot]) -> list[Spot]:
    """The other places of values that were found: as they are, percent-encoded, and inside of Base64."""
    found = list[Spot]()
    values = dict.fromkeys((text[start:end], rule) for start, end, rule in spots if _is_telling(text[start:end]))
    for value, rule in list(values)[:_MOST_AGAIN]:
        found += _places(text, value, rule)
        if len(text) > _MOST_BYTES:
            continue
        encoded = percent_encoded(value)
        if encoded != value:
            found += _places(text, encoded, rule)
        for core in base64_cores(value):
            found += [_whole_run(text, start, end, rule) for start, end, _ in _places(text, core, rule)]
    return found


def _is_telling(value: str) -> bool:
    """Whether a value is nothing else where it stands again: neither short nor a plain word."""
    kinds = secret_shapes.kinds(value)
    return _FEWEST_CHARS <= len(value) <= _LONGEST_CHARS and "o" in kinds and ("a" in kinds or "A" in kinds)


def _places(text: str, value: str, rule: str) -> list[Spot]:
    spots, at = list[Spot](), text.find(value)
    while at >= 0:
        spots.append((at, at + len(value), rule))
        at = text.find(value, at + len(value))
    return spots


def _whole_run(text: str, start: int, end: int, rule: str) -> Spot:
    """The whole run of Base64 around a part of it."""
    start -= len(end_of(_BASE64, text[max(0, start - 400) : start]))
    end += len(start_of(_BASE64, text[end : end + 400]))
    return start, end + len(start_of("=", text[end : end + 2])), rule


def percent_encoded(value: str) -> str:
    """As a query of a URL spells it."""
    return "".join(sign if sign in _UNESCAPED else f"%{ord(sign):02X}" for sign in value)


def base64_cores(value: str) -> list[str]:
    """What Base64 makes of a value at each of the three places it may have among other bytes, without the ends."""
    bits = "".join(f"{byte:08b}" for byte in value.encode("latin-1", "replace"))
    cores = []
    for skipped in (0, 4, 2):
        whole = (len(bits) - skipped) // 6 * 6
        signs = (int(bits[at : at + 6], 2) for at in range(skipped, skipped + whole, 6))
        cores.append("".join(map(_ALPHABET.__getitem__, signs)))
    return [core for core in cores if len(core) >= _FEWEST_CHARS]
