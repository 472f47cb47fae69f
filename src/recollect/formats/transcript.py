"""A client's transcript, as far as it says who said what: one JSON object a line, most of them bookkeeping."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

ROLES = {"user": "user", "human": "user", "assistant": "assistant"}


class Said(NamedTuple):
    """One message."""

    role: str
    text: str


def decode(lines: Iterable[bytes]) -> Iterator[Said]:
    """What users and assistants said, in order; other lines, tool results and subagents' talk are passed over (B8)."""
    for line in lines:
        said = _object(line)
        role = ROLES.get(str(said.get("type") or said.get("role") or ""))
        if role is None or said.get("isSidechain") or said.get("isMeta"):
            continue
        inner = said.get("message")
        content = inner.get("content") if isinstance(inner, dict) else said.get("content")
        text = _text(content)
        if text:
            yield Said(role, text)


def _object(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _text(content: object) -> str:
    if isinstance(content, str):
        return content.strip()
    if not isinstance(content, list):
        return ""
    parts = [part if isinstance(part, str) else _block(part) for part in content]
    return "\n".join(part for part in parts if part).strip()


def _block(part: object) -> str:
    if isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str):
        return str(part["text"])
    return ""


def last_turn(lines: Iterable[bytes]) -> tuple[str, str]:
    """The last prompt and what was answered to it."""
    prompt, answer = "", list[str]()
    for role, text in decode(lines):
        if role == "user":
            prompt, answer = text, []
        else:
            answer.append(text)
    return prompt, "\n\n".join(answer)
