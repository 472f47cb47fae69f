"""Claude Code's transcripts as hook events.

A session's file has a JSON object per line. What subagents did stands in the same file, as `agent_progress` or as
records with `isSidechain`, or in files of their own (`<session>/subagents/agent-*.jsonl`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from recollect.formats.transcripts.events import (
    HookEvent,
    Json,
    Record,
    Setting,
    Transcript,
    joined_texts,
    list_at,
    object_at,
    text_at,
)

CLIENT = "claude-code"
MODEL = "claude-opus-4-5"
"""The model that a session's start names; transcripts do not record it there."""
COMMAND_NAME = re.compile(r"<command-name>/?([^<]{0,200})</command-name>")
COMMAND_ARGUMENTS = re.compile(r"<command-args>([^<]{0,100000})</command-args>")
# Commands of the client itself: they are not submitted as prompts.
BUILT_IN_COMMANDS = frozenset((
    "add-dir", "agents", "btw", "bug", "clear", "color", "compact", "config", "context", "copy", "cost", "diff",
    "doctor", "effort", "exit", "export", "extra-usage", "fast", "feedback", "fork", "help", "hooks", "ide",
    "init-verifiers", "keybindings", "login", "logout", "mcp", "memory", "model", "output-style", "passes",
    "permissions", "plan", "plugin", "plugins", "privacy-settings", "quit", "release-notes", "reload-plugins",
    "rename", "resume", "rewind", "sandbox", "skills", "stats", "status", "statusline", "stickers", "tag", "tasks",
    "terminal-setup", "theme", "todos", "upgrade", "usage", "vim", "voice",
))  # fmt: skip
# How messages begin that stand in a user's record but were written by the client.
NOT_PROMPTS = ("[Request interrupted", "<local-command", "<bash-", "Caveat:")
INTERRUPTED = "[Request interrupted"
FEEDBACK = "Stop hook feedback:"
# Failed calls after which no hook is called: the client itself, a hook or the user refused them.
REFUSED = ("The user doesn't want to", "<tool_use_error>", "Hook ", "PreToolUse:")
OWN_TYPES = frozenset(("user", "assistant", "system", "progress", "summary", "queue-operation", "attachment"))


def read(records: Sequence[Record]) -> Transcript | None:
    """Return the transcript of these records; None where they are not Claude Code's."""
    own = [record for record in records if text_at(record.data, "type") in OWN_TYPES]
    session = next((found for record in own if (found := text_at(record.data, "sessionId"))), "")
    if not session:
        return None
    folder = next((found for record in own if (found := text_at(record.data, "cwd"))), "")
    started = next((record.at for record in own if record.at), "")
    is_subagent = all(record.data.get("isSidechain") for record in own if "isSidechain" in record.data) and any(
        "isSidechain" in record.data for record in own
    )
    return Transcript(CLIENT, session, folder, started, tuple(records), is_subagent)


def with_subagents(transcript: Transcript, others: Iterable[Sequence[Record]]) -> Transcript:
    """Return a transcript with the records of its subagents' own files, in order of time."""
    extra = [Record(0, record.data) for records in others for record in records if record.at]
    if not extra:
        return transcript
    ordered: list[tuple[str, int, Record]] = []
    at = transcript.started
    for position, record in enumerate(transcript.records):
        at = max(at, record.at)  # a record without a time stays behind the one before it
        ordered.append((at, position, record))
    ordered += [(record.at, len(ordered), record) for record in extra]
    ordered.sort(key=lambda row: row[:2])
    rest = transcript.client, transcript.session, transcript.folder, transcript.started
    return Transcript(*rest, tuple(record for _, _, record in ordered))


def without_copies(transcript: Transcript, seen: set[str]) -> Transcript:
    """Return a transcript without the records that an earlier one holds too: a resumed session may repeat them.

    `seen` holds the ids of the records so far, and gets those of this transcript.
    """
    kept = [record for record in transcript.records if text_at(record.data, "uuid") not in seen]
    seen.update(filter(None, (text_at(record.data, "uuid") for record in transcript.records)))
    rest = transcript.client, transcript.session, transcript.folder, transcript.started
    return Transcript(*rest, tuple(kept), transcript.is_subagent)


def events(transcript: Transcript, setting: Setting) -> Iterator[HookEvent]:
    """Yield the hook events of a session, from its start to its end."""
    conversion = _Conversion(setting)
    for record in transcript.records:
        yield from conversion.add(record)
    yield from conversion.end()


def prompt_of(record: Json) -> str:
    """Return what a person submitted with a user's record; empty where that was nothing."""
    content = object_at(record, "message").get("content")
    if record.get("isMeta") or record.get("isCompactSummary") or record.get("isSidechain"):
        return ""
    if any(text_at(block, "type") == "tool_result" for block in (content if isinstance(content, list) else [])):
        return ""
    said = joined_texts(content).strip()
    if said.startswith((*NOT_PROMPTS, FEEDBACK)):
        return ""
    if not said.startswith(("<command-name>", "<command-message>")):
        return said
    name, arguments = COMMAND_NAME.search(said), COMMAND_ARGUMENTS.search(said)
    command = name[1].strip() if name else ""
    if not command or command in BUILT_IN_COMMANDS:
        return ""
    return f"/{command} {arguments[1].strip() if arguments else ''}".strip()


@dataclass(slots=True)
class _Conversion:
    """The state of a session while its records are read."""

    setting: Setting
    at: str = ""
    lines: int = 0
    turn: str = ""
    is_turn_over: bool = True
    answer: str = ""
    answer_id: str = ""
    error: str = ""
    """The API's error, where the last answer is one."""
    calls: dict[str, tuple[str, Json]] = field(default_factory=dict)
    """Tool calls without a result so far, by id: the tool's name and what it was given."""
    is_started: bool = False

    def add(self, record: Record) -> Iterator[HookEvent]:
        """Yield the events that a record makes."""
        data = record.data
        self.at, self.lines = record.at or self.at, max(self.lines, record.line)
        if not self.is_started and self.at:
            self.is_started = True
            yield self._event("SessionStart", source="startup", model=MODEL)
        kind = text_at(data, "type")
        if kind == "user":
            yield from self._user(data)
        elif kind == "assistant":
            yield from self._assistant(data)
        elif kind == "progress" and text_at(data, "data", "type") == "agent_progress":
            inner = {**object_at(data, "data", "message"), "agentId": text_at(data, "data", "agentId")}
            yield from self._tools(inner, {"agent_id": inner["agentId"] or "agent"})
        elif kind == "system" and data.get("subtype") == "stop_hook_summary":
            yield from self._stop()
        elif kind == "system" and data.get("subtype") == "compact_boundary":
            trigger = text_at(data, "compactMetadata", "trigger") or "auto"
            yield self._event("PreCompact", trigger=trigger, custom_instructions="")
            yield self._event("SessionStart", source="compact", model=MODEL)

    def end(self) -> Iterator[HookEvent]:
        """Yield the end of the last turn and of the session; nothing for a session without records."""
        if self.is_started:
            yield from self._stop()
            yield self._event("SessionEnd", reason="prompt_input_exit")

    def _event(self, native: str, **fields: object) -> HookEvent:
        payload = {**self.setting.fields(native), "permission_mode": "default"}
        if self.turn and native != "SessionStart":
            payload["prompt_id"] = self.turn
        return HookEvent(self.at, native, {**payload, **fields}, self.lines)

    def _user(self, data: Json) -> Iterator[HookEvent]:
        yield from self._tools(data, _agent(data))
        said = joined_texts(object_at(data, "message").get("content")).strip()
        if data.get("isSidechain"):
            return
        if said.startswith(INTERRUPTED):
            self.is_turn_over = True  # the client sends no Stop after an interruption
        if said.startswith(FEEDBACK) and self.turn:
            self.is_turn_over = False  # a hook refused the end of the turn: there will be another
        command = COMMAND_NAME.search(said)
        if command and command[1].strip() == "clear":
            yield self._event("SessionStart", source="clear", model=MODEL)
        prompt = prompt_of(data)
        if prompt:
            yield from self._stop()
            self.turn = text_at(data, "promptId") or text_at(data, "uuid") or f"{self.setting.session}/{self.lines}"
            self.is_turn_over, self.answer, self.error = False, "", ""
            yield self._event("UserPromptSubmit", prompt=prompt)

    def _assistant(self, data: Json) -> Iterator[HookEvent]:
        if not data.get("isSidechain"):
            message = object_at(data, "message")
            said = joined_texts(message.get("content")).strip()
            if text_at(message, "id") != self.answer_id:
                self.answer_id, self.answer = text_at(message, "id"), ""
            self.answer = f"{self.answer}\n{said}".strip() if said else self.answer
            self.error = said if data.get("isApiErrorMessage") else ""
        yield from self._tools(data, _agent(data))

    def _tools(self, data: Json, agent: Json) -> Iterator[HookEvent]:
        """Yield the events of the tool calls and results in a message."""
        for block in list_at(data, "message", "content"):
            if text_at(block, "type") == "tool_use":
                call, given = text_at(block, "id"), object_at(block, "input")
                self.calls[call] = (text_at(block, "name"), given)
                fields = {"tool_name": text_at(block, "name"), "tool_input": given, "tool_use_id": call}
                yield self._event("PreToolUse", **fields, **agent)
            elif text_at(block, "type") == "tool_result":
                yield from self._result(block, data.get("toolUseResult"), agent)

    def _result(self, block: Json, structured: object, agent: Json) -> Iterator[HookEvent]:
        call = text_at(block, "tool_use_id")
        name, given = self.calls.pop(call, ("", {}))
        if not name:
            return
        said = joined_texts(block.get("content"))
        fields = {"tool_name": name, "tool_input": given, "tool_use_id": call, "duration_ms": 100, **agent}
        if block.get("is_error"):
            if not said.startswith(REFUSED):
                yield self._event("PostToolUseFailure", **fields, error=said, is_interrupt=False)
            return
        if structured is None or isinstance(structured, str):
            structured = {"stdout": said, "stderr": "", "interrupted": False} if name == "Bash" else said
        yield self._event("PostToolUse", **fields, tool_response=structured)

    def _stop(self) -> Iterator[HookEvent]:
        """Yield the end of the turn, unless it is over already or nothing was answered."""
        if self.is_turn_over or not self.turn:
            return
        self.is_turn_over = True
        if self.error:
            yield self._event("StopFailure", error=self.error, last_assistant_message=self.answer)
        elif self.answer:
            rest: Json = {"background_tasks": [], "session_crons": []}
            yield self._event("Stop", stop_hook_active=False, last_assistant_message=self.answer, **rest)


def _agent(data: Json) -> Json:
    """Return the field that names the subagent of a record; empty for the session's own records."""
    return {"agent_id": text_at(data, "agentId") or "sidechain"} if data.get("isSidechain") else {}
