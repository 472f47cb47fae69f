"""Read who said what from a client's transcript: a JSON object per line, most of them bookkeeping.

Import-light but for `json`: hooks read it too.
"""

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

ROLES = {"user": "user", "human": "user", "assistant": "assistant"}
# Elements that programs, ours among them, insert into a user's messages; they are removed.
INJECTED = ("memory-context", "system-reminder", "hook_context")
FEEDBACK = "Stop hook feedback:"


class Message:
    """A message or a part of it: role, text, the tools used, and the message's id; a lone tool call has no role."""

    __slots__ = ("message_id", "role", "text", "tools")

    def __init__(self, role: str, text: str, tools: list[str], message_id: str = "") -> None:
        self.role, self.text, self.tools, self.message_id = role, text, tools, message_id


def decode(lines: "Iterable[bytes]") -> "Iterator[Message]":
    """Yield the messages of users and assistants, in order; every other line is skipped."""
    for line in lines:
        said = message_of(entry(line))
        if said:
            yield said


def entry(line: bytes) -> "dict[str, Any]":
    """Return the JSON object of a line; empty if there is none."""
    if not line.lstrip().startswith(b"{"):
        return {}
    try:
        found = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def message_of(found: "dict[str, Any]") -> Message | None:
    """Return the message of a line; None for tool results, subagents and bookkeeping (B8).

    The content stands beside the role, or below `message`.
    """
    kind = str(found.get("type") or found.get("role") or "")
    if kind == "tool_use":
        return Message("", "", [_name(found)])
    role = ROLES.get(kind)
    if role is None or found.get("isSidechain") or found.get("isMeta"):
        return None
    inner = found.get("message")
    whole = inner if isinstance(inner, dict) else {}
    content = whole.get("content") or found.get("content")
    blocks = content if isinstance(content, list) else [content]
    written = "\n".join(filter(None, map(_text, blocks))).strip()
    text = _spoken(written)
    if role == "user":
        is_answer = any(_type(block) == "tool_result" for block in blocks)
        return Message(role, text, []) if text or not (written or is_answer) else None
    tools = [_name(block) for block in blocks if _type(block) == "tool_use"]
    return Message(role, text, tools, str(whole.get("id") or ""))


def _type(block: object) -> str:
    return str(block.get("type")) if isinstance(block, dict) else ""


def _name(block: object) -> str:
    return str(block.get("name") or "") if isinstance(block, dict) else ""


def _text(block: object) -> str:
    """Return a block's text; in the older format a block may be a text itself."""
    if isinstance(block, dict) and block.get("type") == "text":
        block = block.get("text")
    return block if isinstance(block, str) else ""


def _spoken(text: str) -> str:
    """Return a text without the elements that programs insert."""
    if text.startswith(FEEDBACK):
        return ""
    for tag in INJECTED:
        text = _without(tag, text)
    return text.strip()


def _without(tag: str, text: str) -> str:
    """Return a text without the elements of a tag; an element that is never closed stays, as the user wrote it."""
    opening, closing = f"<{tag}", f"</{tag}>"
    kept, at, start = [], 0, text.find(opening)
    while start >= 0:
        end = text.find(closing, start)
        if end < 0:
            break
        kept.append(text[at:start])
        at = end + len(closing)
        start = text.find(opening, at)
    return "".join([*kept, text[at:]])


def last_turn(lines: "Iterable[bytes]") -> tuple[str, str]:
    """Return the last prompt and its answer; both may be empty."""
    prompt, answer = "", list[str]()
    for said in decode(lines):
        if said.role == "user" and said.text:
            prompt, answer = said.text, []
        elif said.text:
            answer.append(said.text)
    return prompt, "\n\n".join(answer)
