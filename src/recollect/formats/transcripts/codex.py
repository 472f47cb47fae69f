"""Codex's transcripts as hook events: `rollout-*.jsonl`, lines of `{timestamp, type, payload}`.

Commands and patches stand there as the model called them, and newer versions add a record of how each ended. Codex has
no hook for a command that failed: its exit code is passed on in a field of ours, `exit_code`.
"""

import json
from collections.abc import Iterator, Sequence
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
    time_at,
)

CLIENT = "codex"
SHELL, PATCH = "Bash", "apply_patch"
PROGRAM = "exec"
"""The tool of models that call other tools from a program; hooks see only those."""
SHELL_CALLS = ("exec_command", "shell", "shell_command", "local_shell", "container.exec")
CALLS = ("function_call", "custom_tool_call", "local_shell_call")
OUTPUTS = ("function_call_output", "custom_tool_call_output")
SPOKEN = ("input_text", "output_text", "text", "Text")
# How messages of the user's role begin that the client wrote itself.
NOT_PROMPTS = (
    "<environment_context", "<user_instructions", "<hook_prompt", "<turn_aborted", "<permissions", "<skill",
    "<user_action", "<subagent_notification", "# AGENTS.md instructions", "<INSTRUCTIONS",
)  # fmt: skip
# Calls that were never run: a hook or the user refused them.
REFUSED = ("Command blocked by", "Tool call blocked by", "exec command rejected", "patch rejected", "aborted by user")
OUTPUT_MARK = "Output:\n"
EXIT_MARKS = ("Process exited with code ", "Exit code: ")


def read(records: Sequence[Record]) -> Transcript | None:
    """Return the transcript of these records; None where they are not Codex's."""
    meta = next((record for record in records if text_at(record.data, "type") == "session_meta"), None)
    if meta is None:
        return None
    payload = object_at(meta.data, "payload")
    session = text_at(payload, "id") or text_at(payload, "session_id")
    source = payload.get("source")
    is_subagent = (isinstance(source, dict) and "subagent" in source) or payload.get("thread_source") == "subagent"
    started = meta.at or time_at(payload, "timestamp")
    return (
        Transcript(CLIENT, session, text_at(payload, "cwd"), started, tuple(records), is_subagent) if session else None
    )


def events(transcript: Transcript, setting: Setting) -> Iterator[HookEvent]:
    """Yield the hook events of a session, from its start to its end."""
    conversion = _Conversion(setting, _prompt_source(transcript.records))
    for record in transcript.records:
        yield from conversion.add(record)
    yield from conversion.end()


def _prompt_source(records: Sequence[Record]) -> str:
    """Return which records hold the prompts: versions differ, and some write the same prompt twice."""
    kinds = {_prompt_kind(record.data) for record in records}
    return next((kind for kind in ("UserMessage", "user_message", "message") if kind in kinds), "")


def _prompt_kind(data: Json) -> str:
    payload = object_at(data, "payload")
    if text_at(payload, "item", "type") == "UserMessage":
        return "UserMessage"
    if text_at(payload, "type") == "user_message":
        return "user_message"
    return "message" if text_at(payload, "type") == "message" and text_at(payload, "role") == "user" else ""


@dataclass(slots=True)
class _Conversion:
    """The state of a session while its records are read."""

    setting: Setting
    prompt_source: str
    at: str = ""
    lines: int = 0
    turn: str = ""
    is_turn_over: bool = True
    answer: str = ""
    calls: dict[str, tuple[str, Json]] = field(default_factory=dict)
    """Calls without an output so far, by id: the tool's name in hooks and what it was given."""
    ended: dict[str, tuple[str, int]] = field(default_factory=dict)
    """What commands printed and their exit codes, by the call's id."""
    is_started: bool = False

    def add(self, record: Record) -> Iterator[HookEvent]:
        """Yield the events that a record makes."""
        payload, kind = object_at(record.data, "payload"), text_at(record.data, "type")
        self.at, self.lines = record.at or self.at, record.line
        if not self.is_started and self.at:
            self.is_started = True
            yield self._event("SessionStart", source="startup")
        if _prompt_kind(record.data) == self.prompt_source != "":
            yield from self._prompt(payload)
        if kind == "event_msg":
            yield from self._notice(payload)
        elif kind == "response_item":
            yield from self._item(payload)
        elif kind == "compacted":
            yield self._event("PreCompact", trigger="auto")
            yield self._event("SessionStart", source="compact")

    def end(self) -> Iterator[HookEvent]:
        """Yield the end of the last turn and of the session; nothing for a session without records."""
        if self.is_started:
            yield from self._stop(self.answer)
            yield self._event("SessionEnd", reason="other")

    def _event(self, native: str, **fields: object) -> HookEvent:
        payload = {**self.setting.fields(native), "permission_mode": "default"}
        if self.turn:
            payload["turn_id"] = self.turn
        return HookEvent(self.at, native, {**payload, **fields}, self.lines)

    def _prompt(self, payload: Json) -> Iterator[HookEvent]:
        content = payload.get("message") or payload.get("content") or object_at(payload, "item").get("content")
        said = joined_texts(content, SPOKEN).strip()
        if not said or said.startswith(NOT_PROMPTS):
            return
        yield from self._stop(self.answer)
        self.turn = text_at(payload, "turn_id") or self._turn_of(payload) or f"{self.setting.session}/{self.lines}"
        self.is_turn_over, self.answer = False, ""
        yield self._event("UserPromptSubmit", prompt=said)

    def _turn_of(self, payload: Json) -> str:
        return text_at(payload, "internal_chat_message_metadata_passthrough", "turn_id")

    def _notice(self, payload: Json) -> Iterator[HookEvent]:
        """Yield the events of a record about what happened: the end of a turn or of a command."""
        kind, item = text_at(payload, "type"), object_at(payload, "item")
        if kind == "task_complete":
            yield from self._stop(text_at(payload, "last_agent_message") or self.answer)
        elif kind == "turn_aborted":
            self.is_turn_over = True  # the client sends no Stop after an interruption
        elif kind == "exec_command_end":
            self._end_command(text_at(payload, "call_id"), payload)
        elif text_at(item, "type") == "CommandExecution":
            call = text_at(item, "id")
            self._end_command(call, item)
            if call not in self.calls:  # a model that calls tools from a program: only the command is recorded
                words = [word for word in list_at(item, "command") if isinstance(word, str)]
                yield from self._finish(call, SHELL, {"command": _command(words)}, "")

    def _end_command(self, call: str, data: Json) -> None:
        code = data.get("exit_code")
        said = text_at(data, "aggregated_output") or text_at(data, "stdout") + text_at(data, "stderr")
        if isinstance(code, int):
            self.ended[call] = (said, code)

    def _item(self, payload: Json) -> Iterator[HookEvent]:
        """Yield the events of a message, a tool call or its output."""
        kind, call = text_at(payload, "type"), text_at(payload, "call_id")
        if kind == "message" and text_at(payload, "role") == "assistant":
            self.answer = joined_texts(payload.get("content"), SPOKEN).strip() or self.answer
        elif kind in CALLS and call and text_at(payload, "name") != PROGRAM:
            name, given = _call(payload)
            self.calls[call] = (name, given)
            yield self._event("PreToolUse", tool_name=name, tool_input=given, tool_use_id=call)
        elif kind in OUTPUTS and call in self.calls:
            name, given = self.calls.pop(call)
            yield from self._finish(call, name, given, payload.get("output"))

    def _finish(self, call: str, name: str, given: Json, output: object) -> Iterator[HookEvent]:
        said, code = _output(output)
        if said.startswith(REFUSED):
            return
        fields: Json = {"tool_name": name, "tool_input": given, "tool_use_id": call}
        if name == SHELL:
            said, code = self.ended.pop(call, (said, code))
            fields["exit_code"] = code
        response: object = said
        if name == PATCH and code:
            response = f"Exit code: {code}\n{OUTPUT_MARK}{said}"
        elif name.startswith("mcp__"):
            response = {"content": [{"type": "text", "text": said}], "isError": False}
        yield self._event("PostToolUse", **fields, tool_response=response)

    def _stop(self, answer: str) -> Iterator[HookEvent]:
        if not self.is_turn_over and self.turn:
            self.is_turn_over = True
            if answer:
                yield self._event("Stop", stop_hook_active=False, last_assistant_message=answer)


def _call(payload: Json) -> tuple[str, Json]:
    """Return a call's tool as hooks name it, and what it was given."""
    name = text_at(payload, "name") or ("local_shell" if payload.get("type") == "local_shell_call" else "")
    given = _object(text_at(payload, "arguments")) or object_at(payload, "action")
    words = given.get("command")
    if name == PATCH or (isinstance(words, list) and words[:1] == [PATCH]):
        last = words[-1] if isinstance(words, list) else None
        return PATCH, {"command": text_at(payload, "input") or text_at(given, "input") or str(last or "")}
    if name in SHELL_CALLS:
        command = text_at(given, "cmd") or text_at(given, "command") or _command(list_at(given, "command"))
        return SHELL, {"command": command}
    return name, given or {"input": text_at(payload, "input")}


def _command(words: Sequence[object]) -> str:
    """Return the command that a list of words runs: what stands behind `bash -lc`, else all words."""
    spelled = [word for word in words if isinstance(word, str)]
    return spelled[-1] if len(spelled) == 3 and spelled[1] in ("-lc", "-c") else " ".join(spelled)


def _object(said: str) -> Json:
    try:
        found = json.loads(said) if said.startswith("{") else {}
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _output(output: object) -> tuple[str, int]:
    """Return what a tool printed, and its exit code (0 where none is named); the client's own lines are left out."""
    if isinstance(output, dict):
        output = output.get("content") or output.get("output")
    said = joined_texts(output, SPOKEN)
    older = _object(said)
    if "output" in older:
        code = object_at(older, "metadata").get("exit_code")
        return text_at(older, "output"), code if isinstance(code, int) else 0
    head, mark, rest = said.partition(OUTPUT_MARK)
    if not mark or len(head) > 500:
        return said, 0
    return rest, _exit_code(head)


def _exit_code(head: str) -> int:
    """Return the exit code that the lines before an output name; 0 where they name none."""
    for line in head.splitlines():
        for mark in EXIT_MARKS:
            digits = line.removeprefix(mark).strip() if line.startswith(mark) else ""
            if digits.lstrip("-").isdigit() and len(digits) < 12:
                return int(digits)
    return 0
