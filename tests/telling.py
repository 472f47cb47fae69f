"""Sessions to tell: what a user asks, an agent runs, edits, reads and answers, as the client's hooks note it."""

import itertools
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from builders import Box

from recollect.hooks import inbox
from recollect.model.session_event import ANSWER, FAILED, FINISHED, PROMPT, SessionEvent

SESSION, LATER = "5b1f0c8e-2d4a-4f6b-9a37-6c0d1e2f3a4b", "c4a7e9d2-1b3f-4c58-8e60-7f9a0b1c2d3e"
MORNING = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
PNPM = "From now on always use pnpm in this repo, never npm, because the lockfile is pnpm's."
NPM = "From now on always use npm in this repo, never pnpm, because the build image has no pnpm."
POSTGRES = "We decided to go with Postgres instead of MongoDB because we need transactions."
LIMIT = "Our API account is limited to 10 requests per second."
LATER_WORK = "Leave the retry logic in the importer for later, we have no time for it before the release."
WHY = "The root cause was that PORT was read before the .env file had been loaded, so the server listened on 0."
REFUSED = (
    "Exit code 1\nFAIL src/server.test.ts\n  x answers on the port that is set\n"
    "Error: connect ECONNREFUSED 127.0.0.1:6380\n    at TCPConnectWrap.afterConnect (node:net:1595:16)\n"
    "Tests: 1 failed, 4 passed, 5 total"
)
PASSED = "PASS src/server.test.ts\nTests: 5 passed, 5 total"
TEST = "npx vitest run src/server.test.ts"
_calls = itertools.count(1)


@dataclass
class Telling:
    """One session of a client; each verb notes an event, `drained` takes in what was noted."""

    box: Box
    session: str = SESSION
    at: datetime = MORNING
    turn: int = 0
    fields: dict[str, Any] = field(default_factory=dict)

    def note(self, native: str, /, after: int = 20, **fields: Any) -> "Telling":
        """Any event, as the client sends it."""
        self.at += timedelta(seconds=after)
        said = {
            "session_id": self.session, "transcript_path": str(self.box.folder / "none.jsonl"),
            "cwd": str(self.box.root), "hook_event_name": native, "prompt_id": f"{self.session[:8]}-{self.turn}",
            **self.fields, **fields,
        }  # fmt: skip
        now = self.at.isoformat().replace("+00:00", "Z")
        inbox.put(str(self.box.home), "claude-code", native, json.dumps(said).encode(), now=now)
        return self

    def tool(self, name: str, given: dict[str, Any], response: Any, **fields: Any) -> "Telling":
        """A tool that worked; fields add to what the client says, or replace it."""
        said = {"tool_name": name, "tool_input": given, "tool_response": response, "tool_use_id": _call()}
        return self.note("PostToolUse", **said | fields)

    def starts(self) -> "Telling":
        return self.note("SessionStart", source="startup")

    def asks(self, prompt: str, **fields: Any) -> "Telling":
        self.turn += 1
        return self.note("UserPromptSubmit", prompt=prompt, **fields)

    def runs(self, command: str, stdout: str = "", **fields: Any) -> "Telling":
        said = {"stdout": stdout, "stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": False}
        return self.tool("Bash", {"command": command}, said, **fields)

    def fails(self, command: str, error: str, **fields: Any) -> "Telling":
        said = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": _call(), "error": error}
        return self.note("PostToolUseFailure", **said | fields)

    def edits(self, path: str, new: str, old: str = "", **fields: Any) -> "Telling":
        place = str(self.box.root / path)
        given = {"file_path": place, "old_string": old, "new_string": new, "replace_all": False}
        said: dict[str, Any] = {
            "filePath": place,
            "oldString": old,
            "newString": new,
            "originalFile": None,
            "structuredPatch": [],
        }
        return self.tool("Edit", given, said, **fields)

    def writes(self, path: str, content: str) -> "Telling":
        place = str(self.box.root / path)
        said: dict[str, Any] = {
            "type": "create",
            "filePath": place,
            "content": content,
            "structuredPatch": [],
            "originalFile": None,
        }
        return self.tool("Write", {"file_path": place, "content": content}, said)

    def reads(self, path: str, content: str) -> "Telling":
        place = str(self.box.root / path)
        lines = content.count("\n") + 1
        file = {"filePath": place, "content": content, "numLines": lines, "startLine": 1, "totalLines": lines}
        return self.tool("Read", {"file_path": place}, {"type": "text", "file": file})

    def greps(self, pattern: str, content: str) -> "Telling":
        said = {"mode": "content", "numFiles": 0, "filenames": [], "content": content, "numLines": 1}
        return self.tool("Grep", {"pattern": pattern, "output_mode": "content"}, said)

    def fetches(self, url: str, page: str) -> "Telling":
        said = {"bytes": len(page), "code": 200, "codeText": "OK", "result": page, "durationMs": 9, "url": url}
        return self.tool("WebFetch", {"url": url, "prompt": "What does it say?"}, said)

    def closes_todos(self, *tasks: str) -> "Telling":
        todos = [{"content": task, "status": "completed", "activeForm": task} for task in tasks]
        return self.tool("TodoWrite", {"todos": todos}, {"oldTodos": [], "newTodos": todos})

    def commits(self, message: str, number: str = "5e1c0da") -> "Telling":
        first = message.partition("\n")[0]
        return self.runs(f'git add -A && git commit -m "{message}"', f"[main {number}] {first}\n 2 files changed")

    def answers(self, said: str = "Done.", **fields: Any) -> "Telling":
        return self.note("Stop", last_assistant_message=said, stop_hook_active=False, **fields)

    def ends(self) -> "Telling":
        return self.note("SessionEnd", reason="prompt_input_exit")

    def repairs(self, cause: str = WHY) -> "Telling":
        """A turn in which a test fails, an edit is made and the test passes."""
        self.asks("the server test is red, can you look?").fails(TEST, REFUSED)
        self.edits("src/server.ts", "loadEnv(); const port = Number(process.env.PORT)").runs(TEST, PASSED)
        return self.answers(cause)

    def drained(self) -> dict[str, Any]:
        return drain(self.box)


def _call() -> str:
    return f"toolu_{next(_calls):08d}"


def drain(box: Box) -> dict[str, Any]:
    """Take in what was noted; nothing of it may be lost, and no handler may fail."""
    done: dict[str, Any] = box.run("drain", "--json").json
    log = box.home / "hook.log"
    assert not log.exists(), log.read_text("utf-8")
    return done


def kept(box: Box, *kinds: str, flags: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """What was captured: every memory but the turns, and but the summary of a session unless it is asked for."""
    found = box.run("list", "--json", *flags).json
    chosen = [one for one in found if one["kind"] != "turn_summary"]
    return [one for one in chosen if (one["kind"] in kinds if kinds else one["kind"] != "session_summary")]


def only(box: Box, *kinds: str) -> dict[str, Any]:
    """The one memory of these kinds that there is."""
    (one,) = kept(box, *kinds)
    return one


def says(memory: dict[str, Any]) -> str:
    """All that a memory says, in one text."""
    return json.dumps([memory["title"], memory["content"]], ensure_ascii=False)


def everything(box: Box) -> str:
    """Every byte that the store holds, its journal and its logs too."""
    files = [path for path in box.home.rglob("*") if path.is_file()]
    return "\n".join(path.read_bytes().decode("utf-8", "replace") for path in files)


def happenings(*events: tuple[str, str, str]) -> list[SessionEvent]:
    """A story for the rules alone: what happens (ask, answer, run, fail, edit, read), about what, and detail."""
    made = []
    for place, (what, about, detail) in enumerate(events):
        name, doing = HAPPENS[what]
        files = (about,) if what == "edit" else ()
        made.append(
            SessionEvent(
                f"s/{place}", "s", "p", 1_000.0 + place, name, turn="", about=about, detail=detail, doing=doing,
                files_modified=files,
            )
        )  # fmt: skip
    return made


HAPPENS: dict[str, tuple[str, Any]] = {
    "ask": (PROMPT, ""),
    "answer": (ANSWER, ""),
    "run": (FINISHED, "shell"),
    "fail": (FAILED, "shell"),
    "edit": (FINISHED, "write"),
    "read": (FINISHED, "read"),
}
