"""What version 0.1 left on a machine goes on working: store, vault, journal, inbox, receipts, hooks, manifest."""

import json
import subprocess
from pathlib import Path

import pytest
from builders import Box
from unpacking import unpack

WAITING_SESSION = "0f7b1d52-7a37-4c1c-9a55-000000000002"
EDITED = "invoices-are-rounded-to-whole-cents"
RETIRED = "the-old-search-service-is-still-needed"


@pytest.fixture
def old(tmp_path: Path):
    box = unpack(tmp_path)
    yield box
    box.wake()


def settings_of(box: Box) -> dict:
    return json.loads((box.folder / ".claude" / "settings.json").read_bytes())


def own_handlers(box: Box, event: str) -> list[dict]:
    """The handlers of an event that call recollect."""
    groups = settings_of(box)["hooks"][event]
    return [handler for group in groups for handler in group["hooks"] if "recollect." in str(handler.get("args"))]


def send(box: Box, event: str, **fields: object) -> subprocess.CompletedProcess[bytes]:
    """Send an event by the command line in the client's settings."""
    (handler,) = own_handlers(box, event)
    body = {"session_id": "s3", "transcript_path": "", "cwd": str(box.root), "hook_event_name": event, **fields}
    box.rest()
    return subprocess.run(
        [handler["command"], *handler["args"]],
        cwd=box.root,
        env={**box.env, "RECOLLECT_DEADLINE_MS": "10000"},
        input=json.dumps(body).encode(),
        capture_output=True,
    )


def waiting_receipt(box: Box) -> str:
    """The number of the receipt that waits in the inbox with the prompt."""
    lines = [path.read_text().splitlines() for path in (box.home / "inbox").glob("*.event")]
    (receipt,) = [line[1] for line in lines if " UserPromptSubmit " in line[0]]
    return json.loads(receipt)["id"]


def test_memories_facts_and_history_are_there(old):
    titles = {memory["title"] for memory in old.run("list", "--json").json}
    assert titles >= {
        "Orders are stored in Postgres", "Use pnpm, never npm", "Restart the payment queue",
        "The staging server sleeps at night", "Invoices are rounded to whole cents",
    }  # fmt: skip
    assert "The old search service is still needed" not in titles
    assert "orders need transactions" in old.run("show", "orders-are-stored-in-postgres").out
    assert "it was shut down" in old.run("show", RETIRED).out
    assert "Invoices are rounded up to whole cents" in old.run("show", EDITED).out
    facts = old.run("fact", "list", "--json").json
    assert {(fact["subject"], fact["predicate"], fact["object"]) for fact in facts} >= {
        ("checkout", "uses", "stripe"),
        ("orders", "stored_in", "postgres"),
    }


def test_recall_finds_what_was_remembered_and_what_was_captured(old):
    found = old.run("recall", "use pnpm or npm", "--json").json
    assert found[0]["title"] == "Use pnpm, never npm"
    found = old.run("recall", "relation orders does not exist", "--json").json
    assert found[0]["title"] == "Relation orders does not exist"


def test_the_vault_is_known_and_a_file_changed_since_is_taken_in(old):
    place = old.vault / "notes" / "the-staging-server-sleeps-at-night.json"
    place.write_text(place.read_text().replace("sleeps at night", "sleeps at noon"))
    assert "sleeps at noon" in old.run("show", "the-staging-server-sleeps-at-night").out
    assert old.run("reconcile").err == ""


def test_the_waiting_events_become_a_session_with_memories(old):
    receipt = waiting_receipt(old)
    assert old.run("drain", "--json").json == {"drained": 7, "dropped": {}, "aside": [], "waiting": {}}
    assert not list((old.home / "inbox").iterdir())
    story = old.run("timeline", "--session", WAITING_SESSION, "--json").json
    titles = [memory["title"] for memory in story]
    assert "Always run make lint before you commit" in titles
    assert "QueueFull: 100 payments wait" in titles
    assert receipt in old.run("session", "tail", "--no-follow", "--session", WAITING_SESSION).out
    assert "told before in this session" in old.run("why", receipt).out


def test_undo_takes_back_the_last_change_of_the_earlier_version(old):
    old.run("undo", "--yes")
    assert "Invoices are rounded up" not in old.run("show", EDITED).out
    assert "Invoices are rounded up" not in (old.vault / "notes" / f"{EDITED}.json").read_text()


def test_receipts_of_the_earlier_version_are_shown(old):
    said = old.run("why", "--json").json
    assert "Orders are stored in Postgres" in [candidate["title"] for candidate in said["candidates"]]
    assert "Orders are stored in Postgres" in old.run("why", said["id"]).out


def test_a_lost_database_is_rebuilt_from_the_journal(old):
    for path in old.home.glob("memory.db*"):
        path.unlink()
    assert "rebuilt from the journal" in old.run("list").err
    assert "Invoices are rounded up to whole cents" in old.run("show", EDITED).out


def test_the_hooks_of_the_earlier_version_answer(old):
    assert "recollect.hot.dispatch" in str(own_handlers(old, "SessionStart"))
    started = send(old, "SessionStart", source="startup")
    assert (started.returncode, started.stderr) == (0, b"")
    assert "Use pnpm, never npm" in json.loads(started.stdout)["hookSpecificOutput"]["additionalContext"]
    asked = send(old, "UserPromptSubmit", prompt="the staging server does not answer, is it asleep?", prompt_id="p1")
    assert (asked.returncode, asked.stderr) == (0, b"")
    tool = {"tool_name": "Write", "tool_input": {"file_path": str(old.vault / "notes" / "x.json"), "content": "{}"}}
    refused = json.loads(send(old, "PreToolUse", **tool).stdout)["hookSpecificOutput"]
    assert refused["permissionDecision"] == "deny"
    assert send(old, "Stop", last_assistant_message="It sleeps until six.").returncode == 0
    assert len(list((old.home / "inbox").glob("*.event"))) == 7 + 4
    assert not (old.home / "hook.log").exists()
    old.wake()
    assert old.run("drain", "--json").json["drained"] == 7 + 4


def test_the_command_line_for_the_plugin_is_renewed(old):
    assert "recollect.hot.dispatch" in (old.home / "hook-command").read_text()
    old.run("list")
    assert "recollect.hooks.dispatch" in (old.home / "hook-command").read_text()


def test_doctor_finds_the_install_and_nothing_wrong_with_it(old):
    checks = {check["name"]: check for check in old.run("doctor", "--json", code=None).json}
    assert checks["hooks"]["is_well"] or "recollect install" in checks["hooks"]["fix"]
    for name in ("store", "journal", "permissions", "project", "vault", "files", "index"):
        assert checks[name]["is_well"], checks[name]


def test_install_renews_the_hooks_and_leaves_those_of_others(old):
    assert "change " in old.run("install", "claude-code", "--yes").out
    assert "recollect.hot.dispatch" not in (old.folder / ".claude" / "settings.json").read_text()
    for event in settings_of(old)["hooks"]:
        (handler,) = own_handlers(old, event)
        assert "recollect.hooks.dispatch" in str(handler["args"])
    before = json.loads((old.folder / "settings-before.json").read_bytes())
    for event, groups in before["hooks"].items():
        assert settings_of(old)["hooks"][event][: len(groups)] == groups
    started = send(old, "SessionStart", source="startup")
    assert "Use pnpm, never npm" in json.loads(started.stdout)["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("is_renewed", [False, True])
def test_uninstall_puts_the_settings_back_byte_for_byte(old, is_renewed):
    if is_renewed:
        old.run("install", "claude-code", "--yes")
    assert "put back as it was" in old.run("uninstall", "--yes").out
    files = [path for path in (old.folder / ".claude").rglob("*") if path.is_file()]
    assert files == [old.folder / ".claude" / "settings.json"]
    assert files[0].read_bytes() == (old.folder / "settings-before.json").read_bytes()
    assert not (old.home / "installs.json").exists()
