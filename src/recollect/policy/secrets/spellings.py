"""How a value may be written in a file: as it is, or escaped by any of the usual encodings, once or more often.

Each character of the value may be written in any of the ways of `_character`, in any mixture: JSON escapes some letters
and leaves the others. In Base64 the value is looked for at each of the three places where it may begin within a group
of three bytes.
"""

import base64
import json
import re
from functools import cache

# JSON inside JSON doubles every backslash: 8 are three levels. `%25` and `&amp;` escape an escape in the same way.
_DEEPER = r"\\{0,7}"
_SHORT = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f"}
_ENTITIES = {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos"}
# A quotation mark inside quotation marks, as shells, SQL and CSV write it.
_QUOTED = {
    "'": (r"'\\{1,8}''", f"'{_DEEPER}\"'{_DEEPER}\"'", "''"),
    '"': (f'{_DEEPER}"{_DEEPER}"',),
}
# The first of three bytes fills the first character of its group alone; what neighbours have a part in is left out.
_ALIGNMENTS = ((0, 0), (1, 2), (2, 3))
LONGEST_CHARACTER = 64


@cache
def pattern(value: str) -> re.Pattern[str]:
    """Return the pattern that finds a value in a text, however it is escaped and in any case."""
    return re.compile(_source(value))


@cache
def raw_pattern(value: str) -> re.Pattern[bytes]:
    """Return the pattern that finds a value in the bytes of a file, however it is escaped and in any case."""
    return re.compile(_source(value).encode("utf-8", "surrogatepass"))


@cache
def base64_pattern(value: str) -> re.Pattern[str]:
    """Return the pattern that finds a value, or its JSON form, inside Base64 text."""
    return re.compile("|".join(re.escape(form) for form in _base64_forms(value)))


@cache
def raw_base64_pattern(value: str) -> re.Pattern[bytes]:
    """Return the pattern that finds a value, or its JSON form, inside Base64 bytes."""
    return re.compile(base64_pattern(value).pattern.encode())


def longest(value: str) -> int:
    """Return the most bytes that a spelling of the value may have."""
    return LONGEST_CHARACTER * len(value.encode("utf-8", "surrogatepass"))


def _source(value: str) -> str:
    return "".join(_character(sign, is_first=at == 0) for at, sign in enumerate(value))


def _character(sign: str, *, is_first: bool) -> str:
    """Return a group of everything that one character may be written as."""
    cases = dict.fromkeys((sign, sign.lower(), sign.upper()))
    # A backslash before the first letter belongs to what stands before the value.
    before = "" if is_first and sign.isalnum() else _DEEPER
    ways = [before + re.escape(case) for case in cases] if sign != "\\" else [rf"\\{_DEEPER}"]
    ways += _QUOTED.get(sign, ())
    ways += [r"\+"] if sign == " " else []
    ways += [rf"\\{_DEEPER}{_SHORT[sign]}"] if sign in _SHORT else []
    for case in cases:
        ways += _escapes(case)
    return f"(?:{'|'.join(ways)})"


def _escapes(case: str) -> list[str]:
    r"""Return the escapes of one letter (in some languages of two): \u, \x, percent-encoding, entities of HTML."""
    data = case.encode("utf-8", "surrogatepass")
    units = case.encode("utf-16-be", "surrogatepass").hex()
    escapes = ["".join(rf"\\{_DEEPER}u(?i:{units[at : at + 4]})" for at in range(0, len(units), 4))]
    escapes.append("".join(f"%(?:25){{0,4}}(?i:{byte:02x})" for byte in data))
    escapes.append("".join(rf"\\{_DEEPER}x(?i:{byte:02x})" for byte in data))
    if len(case) == 1:
        code = ord(case)
        escapes.append(rf"\\{_DEEPER}u\{{0{{0,5}}(?i:{code:x})\}}")
        escapes.append(rf"&(?:amp;){{0,4}}(?:#0{{0,6}}{code}|#[xX]0{{0,6}}(?i:{code:x}));")
    if case in _ENTITIES:
        escapes.append(f"&(?:amp;){{0,4}}{_ENTITIES[case]};")
    return escapes


def _base64_forms(value: str) -> list[str]:
    """Return the Base64 characters that depend on the value alone, at each alignment and in both alphabets."""
    forms: dict[str, None] = {}
    for form in dict.fromkeys((value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1])):
        data = form.encode("utf-8", "surrogatepass")
        for shift, lead in _ALIGNMENTS:
            whole = base64.b64encode(b"\0" * shift + data).decode()
            sure = whole[lead : (len(data) + shift) * 8 // 6]
            forms |= dict.fromkeys((sure, sure.translate({43: "-", 47: "_"})))
    return list(forms)
