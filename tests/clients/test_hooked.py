"""Whole sessions of clients that are not run here, event by event, through the command that answers them."""

import json
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGE = HERE.parent.parent / "docs" / "clients.md"
DECISION = ("remember", "Postgres for orders", "--kind", "decision", "--why", "we need transactions")


def send(box, client: str, said: dict[str, Any]) -> dict[str, Any]:
    """Let a client send an event; what it is answered."""
    event = json.dumps(said).replace("/home/dev/project", str(box.root))
    native = said.get("hook_event_name", "")
    out = box.run("hook", client, native, stdin=event).out
    return json.loads(out) if out else {}


def recorded(name: str, **changed: Any) -> dict[str, Any]:
    return json.loads((HERE / "cursor" / f"{name}.json").read_text()) | changed


def noted(box) -> list[tuple[str, str, list[str]]]:
    """What was noted of the session: event, tool, files that it changed."""
    box.run("drain")
    lines = map(json.loads, box.run("session", "tail", "--no-follow", "--json").out.splitlines())
    events = [line for line in lines if line["key"].startswith("event ")]
    return [(line["event"], line["tool"], line["files_modified"]) for line in events]


def trouble(box) -> str:
    log = box.home / "hook.log"
    return log.read_text() if log.exists() else ""


def test_cursor_is_told_what_was_decided_when_a_conversation_starts(box):
    box.run(*DECISION)
    told = send(box, "cursor", recorded("sessionStart"))
    assert list(told) == ["additional_context"]
    assert "Postgres for orders" in told["additional_context"]
    assert trouble(box) == ""


def test_cursor_may_not_write_into_the_vault(box):
    place = str(box.vault / "decisions" / "x.json")
    for path in (place, ".claude/memory/decisions/x.json"):
        said = recorded("preToolUse-write", tool_input={"file_path": path, "content": "{}"})
        answer = send(box, "cursor", said)
        assert answer["permission"] == "deny"
        assert "`recollect remember" in answer["agent_message"]
    said = recorded("preToolUse-shell", tool_input={"command": "rm -r .claude/memory"})
    assert send(box, "cursor", said)["permission"] == "deny"
    assert send(box, "cursor", recorded("preToolUse-write")) == {}
    assert trouble(box) == ""


def test_a_conversation_in_cursor_is_noted(box):
    for name in (
        "sessionStart", "beforeSubmitPrompt", "preToolUse-write", "postToolUse-write", "postToolUse-shell",
        "postToolUseFailure", "afterAgentResponse", "stop", "sessionEnd",
    ):  # fmt: skip
        assert send(box, "cursor", recorded(name)) == {}
    assert noted(box) == [
        ("SessionStarted", "", []),
        ("PromptSubmitted", "", []),
        ("ToolFinished", "Write", ["orders.py"]),
        ("ToolFinished", "Shell", []),
        ("ToolFailed", "Shell", []),
        ("TurnEnded", "", []),
        ("TurnEnded", "", []),
        ("SessionEnded", "", []),
    ]
    [turn] = box.run("list", "--kind", "turn_summary", "--json").json
    assert turn["text"] == "Asked: do it\n\nAnswered: done"
    assert turn["files_modified"] == ["orders.py"]
    assert trouble(box) == ""


def test_what_gemini_puts_in_front_of_a_prompt_is_not_asked_for(box):
    box.run(*DECISION)
    earlier = {"session_id": "a", "cwd": str(box.root), "prompt": "The magic word is xylophone-42 for the deploy"}
    send(box, "gemini", {**earlier, "hook_event_name": "BeforeAgent"})
    send(box, "gemini", {**earlier, "hook_event_name": "AfterAgent", "prompt_response": "I will keep that in mind."})
    assert len(noted(box)) == 2
    base = {"session_id": "b", "cwd": str(box.root)}
    start = send(box, "gemini", {**base, "hook_event_name": "SessionStart", "source": "startup"})
    told = start["hookSpecificOutput"]["additionalContext"].replace("<", "&lt;").replace(">", "&gt;")
    prompt = f"<hook_context>{told}</hook_context>\n\nwhat was the magic word for the deploy?"
    answer = send(box, "gemini", {**base, "hook_event_name": "BeforeAgent", "prompt": prompt})
    assert "xylophone-42" in answer["hookSpecificOutput"]["additionalContext"]
    assert trouble(box) == ""


def example() -> list[dict[str, Any]]:
    """The objects of the documentation's example, events and answers."""
    blocks = re.findall(r"^```json\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [json.loads(block) for block in blocks]


def test_the_example_of_the_generic_dialect_is_true(box):
    box.run(*DECISION)
    answers: list[dict[str, Any]] = []
    expected: list[dict[str, Any]] = []
    for said in example():
        if "event" in said:
            answers.append(send(box, "generic", said))
            expected.append({})
        else:
            expected[-1] = said
    assert [list(answer) for answer in answers] == [list(answer) for answer in expected]
    for answer, documented in zip(answers, expected, strict=True):
        for name, text in documented.items():
            for part in text.replace("/home/dev/project", str(box.root)).split("…"):
                assert part in answer[name]
    assert noted(box) == [
        ("SessionStarted", "", []),
        ("PromptSubmitted", "", []),
        ("ToolStarting", "write", []),
        ("ToolFinished", "edit", ["orders.py"]),
        ("ToolFailed", "shell", []),
        ("TurnEnded", "", []),
        ("SessionEnded", "", []),
    ]
    [turn] = box.run("list", "--kind", "turn_summary", "--json").json
    assert turn["text"] == "Asked: Note the orders\n\nAnswered: Noted, but the test fails."
    assert trouble(box) == ""
