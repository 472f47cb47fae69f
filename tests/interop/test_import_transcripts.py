"""`import --transcripts`: past sessions, with their own times, each once."""

import json
import lzma
import os
import signal
from pathlib import Path

import pytest
from builders import Box
from recorded_sessions import ANSWER, FIXED, RULE, Claude, claude_folder, codex, gemini, repaired, write

from recollect.library.open_workspace import open as open_workspace

CLAUDE, OTHER = "aaaa1111-0000-4000-8000-000000000001", "bbbb2222-0000-4000-8000-000000000002"


@pytest.fixture
def has_git() -> bool:
    return False


def past(box, session=CLAUDE, start="2026-02-20T10:00:00Z"):
    return Claude(session, str(box.root), start)


def keep(box, session):
    return session.write(claude_folder(box.folder, box.root))


def take_in(box, *args, **how):
    return box.run("import", "--transcripts", *args, "--json", **how).json


def memories(box, *kinds):
    found = box.run("export", "--everything").out.splitlines()
    rows = [json.loads(line) for line in found]
    return [row for row in rows if "slug" in row and (not kinds or row["kind"] in kinds)]


def outcomes(report):
    return {row["session"]: row["outcome"] for row in report["sessions"]}


def test_what_was_said_in_a_past_session_is_kept_with_the_time_of_that_session(box):
    keep(box, past(box).asks(RULE).says(ANSWER))
    report = take_in(box)
    assert report["counts"] == {"imported": 1}
    [rule] = memories(box, "preference")
    assert "pnpm" in rule["content"]["value"]
    assert rule["created_at"].startswith("2026-02-20T10:00")
    assert rule["updated_at"].startswith("2026-02-20T10:00")
    assert rule["session"] == CLAUDE
    [turn] = memories(box, "turn_summary")
    assert turn["expires_at"].startswith("2026-05-21")  # 90 days after the turn


def test_a_second_import_imports_nothing(box):
    keep(box, past(box).asks(RULE).says(ANSWER))
    take_in(box)
    before = memories(box)
    assert take_in(box)["counts"] == {"known": 1}
    assert memories(box) == before


def test_a_session_that_went_on_is_taken_up_where_it_was_left(box):
    session = repaired(past(box))
    keep(box, session)
    take_in(box)
    session.asks(RULE).says(ANSWER)
    keep(box, session)
    assert take_in(box)["counts"] == {"imported": 1}
    assert len(memories(box, "turn_summary")) == 2
    assert len(memories(box, "preference")) == 1
    assert len(memories(box, "runbook")) == 1
    assert take_in(box)["counts"] == {"known": 1}


def test_a_dry_run_names_the_sessions_and_writes_nothing(box):
    keep(box, past(box).asks(RULE).says(ANSWER))
    report = take_in(box, "--dry-run")
    assert outcomes(report) == {CLAUDE: "imported"}
    assert report["sessions"][0]["prompts"] == 1
    assert memories(box) == []
    assert "Would import: 1 session" in box.run("import", "--transcripts", "--dry-run").out


def test_a_turn_that_has_expired_is_left_out_but_not_what_it_taught(box):
    keep(box, past(box, start="2025-06-01T10:00:00Z").asks(RULE).says(ANSWER))
    take_in(box)
    assert [row["kind"] for row in memories(box, "preference", "turn_summary")] == ["preference"]


def test_a_session_that_hooks_recorded_is_not_imported(box):
    event = {"session_id": CLAUDE, "cwd": str(box.root), "prompt_id": "p1", "prompt": RULE}
    box.run("hook", "claude-code", "UserPromptSubmit", stdin=json.dumps(event))
    box.run("drain")
    keep(box, past(box).asks(RULE).says(ANSWER))
    assert outcomes(take_in(box)) == {CLAUDE: "recorded live"}
    assert memories(box, "turn_summary") == []


def test_nothing_is_told_and_no_use_or_session_is_counted(box):
    keep(box, past(box).asks(RULE).says(ANSWER))
    keep(box, past(box, OTHER, "2026-02-21T10:00:00Z").asks("which package manager do we use?").says("pnpm."))
    take_in(box)
    assert box.run("why", "--json", code=None).out.count('"shown"') == 0
    [rule] = memories(box, "preference")
    usage = rule.get("usage", {})
    assert (usage.get("hits", 0), usage.get("created_session", 0)) == (0, 0)


def test_what_a_subagent_did_is_part_of_its_session(box):
    session = past(box).asks("Have the tests repaired by an agent.")
    folder = claude_folder(box.folder, box.root)
    agent = repaired(Claude(CLAUDE, str(box.root), "2026-02-20T10:00:01Z", agent="a1"))
    agent.write(folder / CLAUDE / "subagents", "agent-a1.jsonl")
    session.clock.now = agent.clock.now
    keep(box, session.says(FIXED))
    assert outcomes(take_in(box)) == {CLAUDE: "imported"}
    [runbook] = memories(box, "runbook")
    assert "assert 3 == 6" in json.dumps(runbook)


def test_records_that_a_resumed_session_repeats_are_imported_once(box):
    first = past(box).asks(RULE).says(ANSWER)
    keep(box, first)
    copy = Claude(OTHER, str(box.root), "2026-02-23T10:00:00Z")
    copy.lines = [{**line, "sessionId": OTHER} for line in first.lines]
    copy.asks("And now the docs, please.").says("Done.")
    keep(box, copy)
    take_in(box)
    turns = memories(box, "turn_summary")
    assert [turn["session"] for turn in turns] == [CLAUDE, OTHER]


def test_what_was_refused_or_interrupted_leaves_no_event(box):
    session = past(box).asks("Remove the folder.")
    session.uses("Bash", {"command": "rm -r x"}, "The user doesn't want to proceed with this tool use.", is_error=True)
    session.asks("[Request interrupted by user]").asks(RULE).says(ANSWER)
    keep(box, session)
    take_in(box)
    [turn] = memories(box, "turn_summary")
    assert turn["title"].startswith("From now on")
    assert memories(box, "runbook", "discovery") == []


def test_a_credential_in_a_transcript_is_taken_out(box):
    token = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    keep(box, past(box).asks(f"{RULE} My token is {token}").says(ANSWER))
    take_in(box)
    assert token not in box.run("export", "--everything").out
    stored = b"".join(path.read_bytes() for path in box.home.rglob("*") if path.is_file())
    assert token.encode() not in stored


def test_sessions_of_codex_and_gemini_are_imported_too(box):
    write(box.folder / ".codex/sessions/2026/02/21/rollout-a.jsonl", codex("c1", str(box.root)))
    write(box.folder / ".codex/sessions/2026/02/21/rollout-b.jsonl", codex("c2", str(box.folder)))
    chats = box.folder / ".gemini/tmp/project"
    write(chats / "chats/session-1.jsonl", gemini("g1", str(box.root)))
    (chats / ".project_root").write_text(str(box.root))
    assert outcomes(take_in(box)) == {"c1": "imported", "g1": "imported"}
    kept = {(row["session"], row["kind"]) for row in memories(box)}
    assert {("c1", "preference"), ("c1", "runbook"), ("c1", "turn_summary"), ("g1", "turn_summary")} <= kept
    assert next(row for row in memories(box, "preference"))["created_at"].startswith("2026-02-21T09:00")


@pytest.mark.parametrize(
    "recorded",
    [codex, lambda session, folder: codex(session, folder, is_old=True), gemini],
    ids=["codex", "an older codex", "gemini"],
)
def test_a_repair_is_seen_in_the_transcripts_of(box, recorded):
    write(box.folder / "past" / "rollout.jsonl", recorded("s1", str(box.root)))
    assert outcomes(take_in(box, str(box.folder / "past"))) == {"s1": "imported"}
    [runbook] = memories(box, "runbook")
    assert "assert 3 == 6" in json.dumps(runbook)


def test_a_chat_that_is_one_document_is_read(box):
    lines = gemini("g1", str(box.root))
    whole = {**lines[0], "messages": [line for line in lines if "type" in line]}
    place = box.folder / "past" / "session-1.json"
    place.parent.mkdir()
    place.write_text(json.dumps(whole, indent=2))
    assert outcomes(take_in(box, str(place.parent))) == {"g1": "imported"}
    assert len(memories(box, "turn_summary")) == 1


def test_a_named_folder_may_hold_sessions_of_a_place_that_is_gone_but_not_of_another_project(box, make_box):
    other, place = make_box("other"), box.folder / "past"
    moved = Claude(CLAUDE, "/home/somebody/project").asks(RULE)
    given = {"file_path": "/home/somebody/project/a.py", "old_string": "a", "new_string": "b"}
    moved.uses("Edit", given, "ok").says(ANSWER).write(place)
    Claude(OTHER, str(other.root)).asks(RULE).says(ANSWER).write(place)
    packed = place / f"{CLAUDE}.jsonl"
    (place / f"{CLAUDE}.jsonl.xz").write_bytes(lzma.compress(packed.read_bytes()))
    packed.unlink()
    assert outcomes(take_in(box, str(place))) == {OTHER: "of another project", CLAUDE: "imported"}
    [turn] = memories(box, "turn_summary")
    assert turn["files_modified"] == ["a.py"]


def test_files_outside_the_users_home_are_not_read(box, tmp_path_factory):
    place = Path("/var/tmp") / f"outside-{os.getpid()}"
    past(box).asks(RULE).write(place)
    try:
        problem = box.run("import", "--transcripts", str(place), code=1).err
    finally:
        for path in place.iterdir():
            path.unlink()
        place.rmdir()
    assert "home folder" in problem


def test_hostile_files_are_named_and_the_others_imported(box):
    folder = claude_folder(box.folder, box.root)
    keep(box, past(box).asks(RULE).says(ANSWER))
    (folder / "binary.jsonl").write_bytes(os.urandom(5_000))
    (folder / "deep.jsonl").write_text('{"a":' * 200_000 + "\n")
    (folder / "long.jsonl").write_text('{"sessionId":"x","type":"user","a":"' + "a" * 5_000_000 + '"}\n')
    (folder / "cut.jsonl.xz").write_bytes(lzma.compress(b"{}" * 1_000)[:40])
    (folder / "linked.jsonl").symlink_to("/etc/hostname")
    os.mkfifo(folder / "pipe.jsonl")
    report = take_in(box)
    assert outcomes(report) == {CLAUDE: "imported"}
    named = " ".join(report["problems"])
    assert all(name in named for name in ("binary", "deep", "long", "cut", "pipe"))
    assert "linked" not in named  # it leads out of the home: not even looked at


def test_ids_and_times_that_lie_do_no_harm(box):
    folder = claude_folder(box.folder, box.root)
    Claude("../../../../evil", str(box.root)).asks(RULE).says(ANSWER).write(folder, "evil.jsonl")
    session = past(box).asks(RULE).says(ANSWER)
    session.lines[0]["timestamp"] = "zzz"
    deep: object = "end"
    for _ in range(900):
        deep = {"a": deep}
    session.uses("Other", {"deep": deep, "long": "x" * 500_000}, "ok").asks("And now?").says("\ud800 done")
    keep(box, session)
    report = take_in(box)
    assert outcomes(report) == {CLAUDE: "imported"}
    assert "evil.jsonl" in " ".join(report["problems"])
    assert not list(box.folder.rglob("evil*.jsonl"))[1:]
    assert {row["created_at"][:4] for row in memories(box)} == {"2026"}


def import_and_die(place: str, events: str) -> None:
    """Import, and be killed once so many events are written."""
    done = [0]

    def tick(number: int) -> None:
        done[0] += number
        if done[0] >= int(events):
            os.kill(os.getpid(), signal.SIGKILL)

    with open_workspace(place, actor="cli") as workspace:
        workspace.import_sessions(tick=tick)


def recorded_twice(make_box, name) -> Box:
    box = make_box(name)
    box.init()
    keep(box, repaired(past(box)).asks(RULE).says(ANSWER))
    keep(box, repaired(past(box, OTHER, "2026-02-22T10:00:00Z")))
    return box


def summary(box):
    rows = [(row["session"], row["kind"], row["title"], row["created_at"], row["updated_at"]) for row in memories(box)]
    return sorted(rows), [box.run("session", "list", "--json", code=None).out.count(name) for name in (CLAUDE, OTHER)]


@pytest.mark.parametrize("events", [3, 6, 10], ids=["in the first session", "between its turns", "in the second"])
def test_an_import_that_was_killed_goes_on_and_leaves_the_same(make_box, events):
    whole, killed = recorded_twice(make_box, "whole"), recorded_twice(make_box, "kill")
    take_in(whole)
    fork = killed.fork(str(killed.root), str(events), function=import_and_die)
    fork.communicate()
    assert fork.returncode == -signal.SIGKILL
    take_in(killed)
    assert summary(killed) == summary(whole)
    assert not list((killed.home / "runtime").glob("transcript-*"))


def test_an_older_statement_does_not_retire_a_newer_one(box):
    live = {"session_id": OTHER, "cwd": str(box.root), "prompt_id": "p1"}
    box.run("hook", "claude-code", "UserPromptSubmit", stdin=json.dumps({**live, "prompt": RULE}))
    box.run("hook", "claude-code", "Stop", stdin=json.dumps({**live, "last_assistant_message": ANSWER}))
    box.run("drain")
    older = "We no longer use pnpm: from now on always use npm in this repo, never pnpm, because CI caches npm."
    keep(box, past(box, start="2025-02-20T10:00:00Z").asks(older).says("Fine."))
    take_in(box)
    assert {row["session"]: row.get("status", "active") for row in memories(box, "preference")}[OTHER] == "active"


def test_summaries_of_long_ago_do_not_push_out_newer_ones(box):
    for day in range(10, 17):
        newer = past(box, f"{day}aa1111-0000-4000-8000-000000000001", f"2026-02-{day}T10:00:00Z")
        keep(box, repaired(newer))
    take_in(box)
    keep(box, repaired(past(box, OTHER, "2025-12-20T10:00:00Z")))
    take_in(box)
    active = [row for row in memories(box, "session_summary") if row.get("status", "active") == "active"]
    assert OTHER not in {row["session"] for row in active}
    assert {row["session"][:2] for row in active} == {"12", "13", "14", "15", "16"}


def test_the_usage_says_what_is_missing(box):
    assert "PATH" in box.run("import", code=2).err
    assert "--exact" in box.run("import", "--transcripts", "--exact", code=2).err
    assert "Imported: 0 sessions" in box.run("import", "--transcripts").out
