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
# A tool call that the user rejected, and the words that follow if there are any.
REJECTION, REJECTED, CLARIFIES = "The user doesn't want to", "the user said:", "The user wants to clarify"
QUEUE_MARK, REJECTION_MARK = b'"queue-operation"', REJECTED.encode()
# Queued notices of programs, and commands of the client.
NO_WORDS = ("<", "{", "/")


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


class UnsentWords:
    """Words of the user that no prompt event carried: a key that is the same at every reading, the time, the text."""

    __slots__ = ("at", "key", "text")

    def __init__(self, key: str, at: str, text: str) -> None:
        self.key, self.at, self.text = key, at, text


def unsent_words(lines: "Iterable[bytes]") -> "Iterator[UnsentWords]":
    """Yield the words of rejected tool calls, and queued prompts that were taken in the middle of a turn."""
    queue: list[UnsentWords] = []
    for line in lines:
        if QUEUE_MARK in line:
            yield from _queued(entry(line), queue)
        elif REJECTION_MARK in line:
            yield from _rejections(entry(line))


def _queued(found: "dict[str, Any]", queue: "list[UnsentWords]") -> "Iterator[UnsentWords]":
    """Yield a prompt that leaves the queue without being submitted: `remove`, not `dequeue`."""
    operation, content = found.get("operation"), found.get("content")
    if found.get("type") != "queue-operation":
        return
    if operation == "enqueue":
        at = str(found.get("timestamp") or "")
        queue.append(UnsentWords(f"queued/{at}", at, content if isinstance(content, str) else ""))
    elif queue and operation in ("remove", "dequeue"):
        said = queue.pop(0)
        if operation == "remove" and said.text and not said.text.lstrip().startswith(NO_WORDS):
            yield said
    elif operation == "popAll":
        queue.clear()


def _rejections(found: "dict[str, Any]") -> "Iterator[UnsentWords]":
    """Yield what the user said with a tool call that was rejected."""
    whole = found.get("message")
    content = whole.get("content") if isinstance(whole, dict) and not found.get("isSidechain") else None
    for block in content if isinstance(content, list) else []:
        if _type(block) != "tool_result" or not block.get("is_error"):
            continue
        result = block.get("content")
        told = result if isinstance(result, str) else "\n".join(filter(None, map(_text, result or [])))
        words = told.partition(REJECTED)[2].strip() if told.startswith(REJECTION) else ""
        if words and not words.startswith(CLARIFIES):
            yield UnsentWords(f"rejected/{block.get('tool_use_id')}", str(found.get("timestamp") or ""), words)


def last_turn(lines: "Iterable[bytes]") -> tuple[str, str]:
    """Return the last prompt and its answer; both may be empty."""
    prompt, answer = "", list[str]()
    for said in decode(lines):
        if said.role == "user" and said.text:
            prompt, answer = said.text, []
        elif said.text:
            answer.append(said.text)
    return prompt, "\n\n".join(answer)
