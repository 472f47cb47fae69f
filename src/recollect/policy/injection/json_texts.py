"""Answers that are JSON, cut to a number of bytes: first the last items of their list, then long texts. Pure."""

import json
from typing import Any

LISTS = ("memories", "facts", "results")
"""Fields of an answer that hold its items."""
STEPS = (4_000, 2_000, 1_000, 500, 200, 80, 40)
"""To how many characters texts are cut, one step after another, until the answer fits."""
CHARS_OF_AN_ITEM = 40
FEWER = "Ask for fewer, or set max_bytes."
CUT = "It is cut; set max_bytes for the whole."

Output = dict[str, Any]


def encoded(output: object) -> str:
    """Return a value as JSON."""
    return json.dumps(output, ensure_ascii=False, default=str)


def items(output: Output) -> list[Output]:
    """Return the items of an answer's list; none where it has no list."""
    return next((output[name] for name in LISTS if isinstance(output.get(name), list)), [])


def fitted(output: Output, most_bytes: int) -> Output:
    """Return an answer whose JSON has at most `most_bytes` bytes; `left_off` says how many items it lacks.

    The first item is always kept: where it is too long by itself, its texts are cut.
    """
    if _size(output) <= most_bytes:
        return output
    found = items(output)
    name = next((name for name in LISTS if output.get(name) is found), "")
    kept = _first(found, most_bytes - _size({**output, name: [], "left_off": len(found), "next_step": FEWER}))
    short = {**output, **({name: kept} if name else {})}
    short |= {"left_off": len(found) - len(kept), "next_step": FEWER} if len(kept) < len(found) else {}
    if _size(short) <= most_bytes:
        return short
    cut = short
    for chars in STEPS:
        cut = {**{key: _cut(value, chars) for key, value in short.items()}, "next_step": CUT}
        if _size(cut) <= most_bytes:
            break
    return cut


def _first(found: list[Output], room: int) -> list[Output]:
    """Return as many items as fit into a number of bytes, at least one."""
    number = 0
    for item in found:
        room -= _size(item) + 2
        if room < 0:
            break
        number += 1
    return found[: max(1, number)]


def _cut(value: Any, chars: int) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Return a value whose texts have at most that many characters, and whose lists of texts accordingly few."""
    if isinstance(value, str):
        return value if len(value) <= chars else f"{value[: chars - 1]}…"
    if isinstance(value, dict):
        return {key: _cut(part, chars) for key, part in value.items()}
    return (
        [_cut(part, chars) for part in value[: max(1, chars // CHARS_OF_AN_ITEM)]] if isinstance(value, list) else value
    )


def _size(output: object) -> int:
    return len(encoded(output).encode("utf-8", "replace"))
