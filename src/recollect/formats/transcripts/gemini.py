"""Gemini CLI's chats as hook events: `session-*.jsonl`, or one JSON document in older versions.

A message is written again when its tool calls have ended. The client has no ids of turns and calls in its hooks.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from recollect.formats.transcripts.events import (
    HookEvent,
    Json,
    Record,
    Setting,
    Transcript,
    list_at,
    object_at,
    text_at,
    time_at,
)

CLIENT = "gemini"
WORKSPACE = re.compile(r"Workspace Directories:\*\*\n {1,8}- ([^\n]{1,4000})")
INJECTED = re.compile(r"<hook_context>[^<]{0,200000}</hook_context>")
# How messages of the user begin that the client wrote itself.
NOT_PROMPTS = ("<session_context>", "<state_snapshot>", "This is the Gemini CLI.")
CANCELLED = "Request cancelled."
BLOCKED = "Tool execution blocked"


def read(records: Sequence[Record]) -> Transcript | None:
    """Return the transcript of these records; None where they are not Gemini CLI's."""
    head = next((record.data for record in records[:1] if "projectHash" in record.data), None)
    session = text_at(head, "sessionId")
    if not session:
        return None
    found = tuple(_flattened(records))
    folder = next((place[1] for record in found if (place := WORKSPACE.search(_text(record.data)))), "")
    is_subagent = text_at(head, "kind") == "subagent"
    return Transcript(CLIENT, session, folder.strip(), time_at(head, "startTime"), found, is_subagent)


def _flattened(records: Sequence[Record]) -> Iterator[Record]:
    """Yield the messages, one a record: a document, and an update of the whole chat, hold a list of them."""
    for record in records:
        for message in [*list_at(record.data, "messages"), *list_at(record.data, "$set", "messages")]:
            if isinstance(message, dict):
                yield Record(record.line, message)
        if "type" in record.data:
            yield record


def _text(message: Json) -> str:
    """Return the text of a message; parts that are no text are left out."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(text_at(part, "text") for part in content) if isinstance(content, list) else ""


def events(transcript: Transcript, setting: Setting) -> Iterator[HookEvent]:
    """Yield the hook events of a session, from its start to its end."""
    conversion = _Conversion(setting, transcript.started)
    for record in transcript.records:
        yield from conversion.add(record)
    yield from conversion.end()


@dataclass(slots=True)
class _Conversion:
    """The state of a session while its messages are read."""

    setting: Setting
    at: str
    lines: int = 0
    prompt: str = ""
    answer: str = ""
    seen: set[str] = field(default_factory=set)
    """The ids of the prompts and tool calls so far: messages are repeated."""
    is_started: bool = False

    def add(self, record: Record) -> Iterator[HookEvent]:
        """Yield the events that a message makes."""
        message = record.data
        if not self.is_started:
            self.is_started = True
            yield self._event("SessionStart", source="startup")
        self.at, self.lines = max(self.at, record.at), record.line
        kind = text_at(message, "type")
        if kind == "user":
            yield from self._user(message)
        elif kind == "gemini":
            for call in list_at(message, "toolCalls"):
                yield from self._call(call)
            self.answer = _text(message).strip() or self.answer
        elif kind == "info" and _text(message).startswith(CANCELLED):
            self.prompt = ""  # the client sends no AfterAgent after an interruption

    def end(self) -> Iterator[HookEvent]:
        """Yield the end of the last turn and of the session; nothing for a session without messages."""
        if self.is_started:
            yield from self._stop()
            yield self._event("SessionEnd", reason="exit")

    def _event(self, native: str, **fields: object) -> HookEvent:
        return HookEvent(self.at, native, {**self.setting.fields(native), "timestamp": self.at, **fields}, self.lines)

    def _user(self, message: Json) -> Iterator[HookEvent]:
        said = INJECTED.sub("", _text(message)).strip()
        if not said or said.startswith(NOT_PROMPTS) or self._is_known(text_at(message, "id")):
            return
        yield from self._stop()
        self.prompt, self.answer = said, ""
        yield self._event("BeforeAgent", prompt=said)

    def _is_known(self, name: str) -> bool:
        is_known = name in self.seen
        self.seen.add(name)
        return is_known and bool(name)

    def _call(self, call: Json) -> Iterator[HookEvent]:
        status = text_at(call, "status")
        if status not in ("success", "error") or self._is_known(text_at(call, "id")):
            return
        response = object_at(next(iter(list_at(call, "result")), {}), "functionResponse", "response")
        said, error = text_at(response, "output"), text_at(response, "error")
        if error.startswith(BLOCKED):
            return
        answer: Json = {"llmContent": said or error, "returnDisplay": call.get("resultDisplay")}
        if status == "error":
            answer["error"] = {"message": error or said}
        fields = {"tool_name": text_at(call, "name"), "tool_input": object_at(call, "args")}
        self.at = max(self.at, time_at(call, "timestamp"))
        yield self._event("BeforeTool", **fields)
        yield self._event("AfterTool", **fields, tool_response=answer)

    def _stop(self) -> Iterator[HookEvent]:
        if self.prompt and self.answer:
            fields = {"prompt": self.prompt, "prompt_response": self.answer}
            yield self._event("AfterAgent", **fields, stop_hook_active=False)
        self.prompt = ""
