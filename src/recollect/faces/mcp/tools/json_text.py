"""JSON as a tool's text, cut to a number of bytes by leaving off the last items of its list."""

import json
from typing import Any

LISTS = ("memories", "facts", "results", "experiences")


def fitted(output: dict[str, Any], most_bytes: int) -> str:
    """Return an output as JSON of at most `most_bytes` bytes; `left_off` says how many items it lacks."""
    text = _encoded(output)
    name = next((name for name in LISTS if isinstance(output.get(name), list)), "")
    while len(text.encode()) > most_bytes and name and output[name]:
        kept = output[name][: len(output[name]) // 2]
        lacking = output.get("left_off", 0) + len(output[name]) - len(kept)
        output = {**output, name: kept, "left_off": lacking, "next_step": "Ask for fewer, or set max_bytes."}
        text = _encoded(output)
    if len(text.encode()) <= most_bytes:
        return text
    cut = {key: value[: most_bytes // 4] if isinstance(value, str) else value for key, value in output.items()}
    return _encoded({**cut, "next_step": "It is cut; set max_bytes for the whole."})


def _encoded(output: dict[str, Any]) -> str:
    return json.dumps(output, ensure_ascii=False, default=str)
