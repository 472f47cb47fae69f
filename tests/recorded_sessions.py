"""Small transcripts as the clients write them, to replay and to import."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

Json = dict[str, Any]
RULE = "From now on always use pnpm in this repo, never npm, because the lockfile is pnpm's."
ANSWER = "Understood: pnpm it is."
FAILED = "Exit code 1\nFAILED test_orders.py::test_total - AssertionError: assert 3 == 6"
FIXED = "The test passes now. The root cause was that total() skipped the first price because of a slice."


class Clock:
    """Times of records, a second apart."""

    def __init__(self, start: str) -> None:
        self.now = datetime.fromisoformat(start).astimezone(UTC)

    def tick(self) -> str:
        self.now += timedelta(seconds=1)
        return self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Claude:
    """A session of Claude Code."""

    def __init__(self, session: str, folder: str, start: str = "2026-02-20T10:00:00Z", *, agent: str = "") -> None:
        self.session, self.folder, self.agent, self.clock = session, folder, agent, Clock(start)
        self.lines: list[Json] = []

    def add(self, kind: str, **fields: Any) -> "Claude":
        known = {"type": kind, "sessionId": self.session, "cwd": self.folder, "isSidechain": bool(self.agent)}
        number = {"uuid": f"{self.session}-{self.agent}-{len(self.lines)}", "timestamp": self.clock.tick()}
        self.lines.append({**known, **number, **({"agentId": self.agent} if self.agent else {}), **fields})
        return self

    def asks(self, prompt: str, **fields: Any) -> "Claude":
        return self.add("user", message={"role": "user", "content": prompt}, **fields)

    def says(self, text: str, **fields: Any) -> "Claude":
        message = {"id": f"msg-{len(self.lines)}", "role": "assistant", "content": [{"type": "text", "text": text}]}
        return self.add("assistant", message=message, **fields)

    def uses(self, tool: str, given: Json, result: str, *, is_error: bool = False) -> "Claude":
        call = f"toolu_{self.session[:4]}{self.agent}{len(self.lines)}"
        block = {"type": "tool_use", "id": call, "name": tool, "input": given}
        self.add("assistant", message={"id": f"msg-{len(self.lines)}", "role": "assistant", "content": [block]})
        answer = {"type": "tool_result", "tool_use_id": call, "content": result, "is_error": is_error}
        return self.add("user", message={"role": "user", "content": [answer]})

    def write(self, folder: Path, name: str = "") -> Path:
        return write(folder / (name or f"{self.session}.jsonl"), self.lines)


def claude_folder(home: Path, root: Path) -> Path:
    """Where Claude Code keeps the transcripts of a project."""
    slug = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in str(root))
    return home / ".claude" / "projects" / slug


def repaired(session: Claude) -> Claude:
    """A test fails, a file is edited, the test passes."""
    session.asks("The test of the orders fails, please repair it.")
    session.uses("Bash", {"command": "pytest -q"}, FAILED, is_error=True)
    given = {"file_path": f"{session.folder}/orders.py", "old_string": "prices[1:]", "new_string": "prices"}
    session.uses("Edit", given, "The file was updated.")
    session.uses("Bash", {"command": "pytest -q"}, "1 passed")
    return session.says(FIXED)


def codex(session: str, folder: str, *, is_old: bool = False) -> list[Json]:
    """A session of Codex: a rule, a command that fails, a patch, and the same command again."""
    clock, turn = Clock("2026-02-21T09:00:00Z"), f"turn-{session}"

    def line(kind: str, **payload: Any) -> Json:
        return {"timestamp": clock.tick(), "type": kind, "payload": payload}

    def said(role: str, text: str) -> Json:
        content = [{"type": "input_text" if role == "user" else "output_text", "text": text}]
        return line("response_item", type="message", role=role, content=content)

    def ran(call: str, command: str, code: int, printed: str) -> list[Json]:
        given = json.dumps({"command": ["bash", "-lc", command]} if is_old else {"cmd": command})
        name, header = ("shell", "") if is_old else ("exec_command", f"Process exited with code {code}\nOutput:\n")
        output = json.dumps({"output": printed, "metadata": {"exit_code": code}}) if is_old else header + printed
        item = {"type": "CommandExecution", "id": call, "command": ["bash", "-lc", command], "exit_code": code}
        ended = line("event_msg", type="item_completed", turn_id=turn, item={**item, "aggregated_output": printed})
        return [
            line("response_item", type="function_call", name=name, arguments=given, call_id=call),
            *([] if is_old else [ended]),
            line("response_item", type="function_call_output", call_id=call, output=output),
        ]

    prompt = f"The test of the orders fails. {RULE}"
    user = {"type": "UserMessage", "id": "u1", "content": [{"type": "text", "text": prompt}]}
    asked = [line("event_msg", type="user_message", message=prompt)] if is_old else [
        line("event_msg", type="item_completed", turn_id=turn, item=user)
    ]  # fmt: skip
    patch = "*** Begin Patch\n*** Update File: orders.py\n@@\n-prices[1:]\n+prices\n*** End Patch\n"
    return [
        line("session_meta", id=session, cwd=folder, source="cli"),
        said("user", f"<environment_context>\n  <cwd>{folder}</cwd>\n</environment_context>"),
        line("event_msg", type="task_started", turn_id=turn),
        said("user", prompt),
        *asked,
        *ran("call_1", "pytest -q", 1, FAILED),
        line("response_item", type="custom_tool_call", name="apply_patch", input=patch, call_id="call_2"),
        line("response_item", type="custom_tool_call_output", call_id="call_2", output="Exit code: 0\nOutput:\nok"),
        *ran("call_3", "pytest -q", 0, "1 passed"),
        said("assistant", FIXED),
        *([] if is_old else [line("event_msg", type="task_complete", turn_id=turn, last_agent_message=FIXED)]),
    ]


def gemini(session: str, folder: str) -> list[Json]:
    """A chat of Gemini CLI: a rule, a command that fails, an edit, and the same command again."""
    clock = Clock("2026-02-22T08:00:00Z")

    def message(name: str, kind: str, content: Any, **fields: Any) -> Json:
        return {"id": name, "timestamp": clock.tick(), "type": kind, "content": content, **fields}

    def called(name: str, tool: str, args: Json, output: str, shown: str) -> Json:
        result = [{"functionResponse": {"name": tool, "response": {"output": output}}}]
        call = {"id": name, "name": tool, "args": args, "result": result, "status": "success", "resultDisplay": shown}
        return {"toolCalls": [{**call, "timestamp": clock.tick()}]}

    context = f"<session_context>\n- **Workspace Directories:**\n  - {folder}\n</session_context>"
    head = {"sessionId": session, "projectHash": "0" * 64, "startTime": clock.tick(), "kind": "main"}
    injected = "<hook_context>&lt;memory-context&gt;old&lt;/memory-context&gt;</hook_context>\n\n"
    failed = f"Output: {FAILED}\nExit Code: 1"
    edit = {"file_path": "orders.py", "old_string": "prices[1:]", "new_string": "prices"}
    again = called("c1", "run_shell_command", {"command": "pytest -q"}, failed, FAILED)
    return [
        head,
        {"$set": {"messages": [message("m0", "user", [{"text": context}])]}},
        message("m1", "user", [{"text": f"{injected}The test of the orders fails. {RULE}"}]),
        message("m2", "gemini", ""),
        message("m2", "gemini", "", **again),
        message("m2", "gemini", "", **again),
        message("m3", "gemini", "", **called("c2", "replace", edit, "Successfully modified file", "")),
        message("m4", "gemini", "", **called("c3", "run_shell_command", {"command": "pytest -q"}, "Output: ok", "ok")),
        message("m5", "gemini", FIXED),
    ]


def write(path: Path, lines: list[Json]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path
