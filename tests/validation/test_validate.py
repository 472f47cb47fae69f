"""Verdicts from end to end: the worker checks, and recall, show, list, why and the agent are told."""

import json

import pytest
from builders import Box

NET = "def connect(host, port, timeout=3):\n    return host\n\n\ndef retry_all(jobs):\n    return jobs\n"
STAYS = "The pool size is set in src/pool.py and nowhere else"
MOVES = "Sockets are opened in src/net.py, with keep-alive"
GOES = "Call `retry_all` from the scheduler when jobs are stuck"


def commit(box: Box, message: str = "work") -> str:
    box.git("add", "-A")
    box.git("commit", "-q", "--allow-empty", "-m", message)
    return box.git("rev-parse", "HEAD").strip()


def write(box: Box, path: str, text: str) -> None:
    place = box.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, "utf-8")


def hook(box: Box, native: str, session: str = "s1", **fields: str) -> str:
    said = {"session_id": session, "cwd": str(box.root), "hook_event_name": native, **fields}
    return box.run("hook", "claude-code", native, stdin=json.dumps(said)).out


def session(box: Box, name: str) -> str:
    """Start a session and let the worker do what follows; return what the agent was told."""
    told = hook(box, "SessionStart", name, source="startup")
    box.run("drain")
    return told


def remember(box: Box, text: str, *options: str) -> str:
    return box.run("remember", text, *options, "--json").json["memory"]["uid"]


def states(box: Box, *options: str) -> dict[str, str]:
    found = box.run("validate", "--json", *options).json["memories"]
    return {row["title"]: row["verdict"]["state"] for row in found if row["verdict"]}


@pytest.fixture
def scene(box) -> Box:
    """A repository with three memories about it that a session has checked."""
    write(box, "src/net.py", NET)
    write(box, "src/pool.py", "SIZE = 5\n")
    commit(box)
    for text in (STAYS, MOVES, GOES, "No deploys on Fridays"):
        remember(box, text)
    session(box, "s1")
    return box


def change(box: Box) -> None:
    """Rename a file, and take a function out of it."""
    box.git("mv", "src/net.py", "src/sockets.py")
    write(box, "src/sockets.py", NET.partition("\n\n\n")[0] + "\n")
    commit(box, "move")


def test_a_session_start_renews_verdicts_and_everybody_tells_them(scene):
    found = scene.run("recall", "jobs retry pool sockets", "--json").json
    assert {row["title"]: row["code_state"] for row in found} == dict.fromkeys((STAYS, MOVES, GOES), "FRESH")
    change(scene)
    session(scene, "s2")

    by_title = {row["title"]: row for row in scene.run("recall", "jobs retry pool sockets", "--json").json}
    assert by_title[GOES]["notes"] == ["stale: retry_all is gone"]
    assert by_title[MOVES]["notes"] == ["moved: src/net.py is now src/sockets.py"]
    assert by_title[STAYS]["notes"] == []
    assert by_title[GOES]["parts"]["stale"] == 1
    card = hook(scene, "UserPromptSubmit", "s3", prompt="who calls retry_all from the scheduler for stuck jobs?")
    assert 'code=\\"stale\\"' in card
    assert "stale: retry_all is gone" in card
    assert "stale: retry_all is gone" in session(scene, "s4")
    assert "stale: retry_all is gone" in scene.run("why").out

    shown = scene.run("show", by_title[GOES]["id"]).out
    assert "STALE: retry_all is gone" in shown
    assert "on main at" in shown
    assert (
        scene.run("show", by_title[MOVES]["id"], "--json").json["verdict"]["findings"][0]["place"] == "src/sockets.py"
    )
    listed = scene.run("list", "--stale").out
    assert "retry_all" in listed
    assert "pool" not in listed
    assert [row["stale"] for row in scene.run("list", "--stale", "--json").json] == ["retry_all is gone"]


def test_the_command_shows_the_evidence_and_what_to_do(scene):
    change(scene)
    before = scene.run("list", "--stale", "--json").json
    dry = scene.run("validate", "--dry-run").out
    assert scene.run("list", "--stale", "--json").json == before == []
    found = scene.run("validate").out
    assert found == dry
    assert found.splitlines()[0].startswith("STALE")
    assert "symbol: retry_all is gone" in found
    assert "path: src/net.py is now src/sockets.py" in found
    assert "1 FRESH, 1 MOVED, 1 STALE, 0 UNVERIFIABLE; 1 memory without code" in found
    assert "recollect edit" in found
    assert STAYS not in found
    assert STAYS in scene.run("validate", "--all").out
    only = scene.run("validate", "sockets-are-opened-in-src-net-py-with-keep-alive", "--json").json
    assert [row["verdict"]["state"] for row in only["memories"]] == ["MOVED"]


def test_an_edited_memory_is_checked_again(scene):
    change(scene)
    assert states(scene)[GOES] == "STALE"
    uid = scene.run("list", "--stale", "--json").json[0]["uid"]
    scene.run("edit", uid, "--text", "Call `connect` from the scheduler", "--title", "Who connects")
    assert scene.run("show", uid, "--json").json["verdict"] is None
    assert states(scene)["Who connects"] == "FRESH"
    assert scene.run("list", "--stale", "--json").json == []
    scene.run("undo")
    assert states(scene)[GOES] == "STALE"


def test_a_stale_memory_ranks_below_an_equal_one(box):
    write(box, "src/a.py", "def alpha_worker():\n    pass\n\n\ndef omega_worker():\n    pass\n")
    commit(box)
    remember(box, "Flush the outbox with alpha_worker before a restart")
    remember(box, "Flush the outbox with omega_worker before a restart")
    question = ("recall", "how to flush the outbox before a restart", "--json")
    first, second = box.run(*question).json
    gone = "alpha_worker" if "alpha_worker" in first["title"] else "omega_worker"
    write(box, "src/a.py", (box.root / "src/a.py").read_text("utf-8").replace(gone, "renamed_now"))
    commit(box, "rename")
    box.run("validate")
    now = box.run(*question).json
    assert [row["uid"] for row in now] == [second["uid"], first["uid"]]
    assert now[1]["score"] == pytest.approx(first["score"] - 1, abs=1e-3)


def test_a_rule_about_code_that_is_gone_says_so_where_a_tool_call_or_prompt_is_told_of_it(box):
    write(box, "scripts/release.sh", "exit 0\n")
    commit(box)
    rule = "Always run scripts/release.sh before git push"
    remember(box, rule, "--kind", "constraint", "--why", "we said so")

    def push(name: str) -> str:
        call = {"tool_name": "Bash", "tool_input": {"command": "git push origin main"}, "tool_use_id": "t"}
        return hook(box, "PreToolUse", name, **call)  # type: ignore[arg-type]

    session(box, "s1")
    told = push("s2")
    assert rule in told
    assert "gone" not in told
    box.git("rm", "-q", "scripts/release.sh")
    commit(box, "no script")
    session(box, "s3")
    assert f"{rule} (stale: scripts/release.sh is gone)" in push("s4")
    assert "stale: scripts/release.sh is gone" in hook(box, "UserPromptSubmit", "s5", prompt="push it to the remote")
    box.git("checkout", "-q", "-b", "old", "HEAD~1")
    told = push("s6")
    assert rule in told
    assert "gone" not in told


def test_the_log_at_session_start_says_what_is_stale_too(make_box):
    box = make_box()
    box.run("init", "--layout", "json", "--layout", "log")
    write(box, "src/a.py", "x = 1\n")
    commit(box)
    text = "Limits are set in src/a.py"
    remember(box, text)
    assert f"- [note] {text}\\n" in session(box, "s1")
    box.git("rm", "-q", "src/a.py")
    commit(box, "gone")
    box.run("validate")
    told = session(box, "s2")
    assert f"- [note] {text} (stale: src/a.py is gone)" in told
    assert told.count(text) == 1


def test_a_stale_memory_is_not_merged_into_a_summary_of_others(box):
    for number in range(4):
        write(box, f"src/m{number}.py", "x = 1\n")
    commit(box)
    for number in range(4):
        remember(box, f"The workers of the billing queue read their limits from src/m{number}.py")
    box.git("rm", "-q", "src/m0.py")
    commit(box, "one less")
    box.now = "2026-03-20T12:00:00Z"
    box.run("validate")
    (plan,) = box.run("consolidate", "--only", "compress", "--json").json
    assert plan["result"] == "compressed 3 memories to 1"
    left = {row["kind"]: row["title"] for row in box.run("list", "--json").json}
    assert "src/m0.py" in left["note"]
    assert (
        "src/m0.py"
        not in box.run("show", next(iter(box.run("list", "-k", "compressed_summary", "--json").json))["uid"]).out
    )


def test_verdicts_count_on_the_branch_where_they_were_found(scene):
    change(scene)
    scene.run("validate")
    scene.git("checkout", "-q", "-b", "old", "HEAD~1")
    assert scene.run("list", "--stale", "--json").json == []
    assert {row["code_state"] for row in scene.run("recall", "retry_all jobs", "--json").json} == {""}
    uid = next(row["uid"] for row in scene.run("list", "--json").json if row["title"] == GOES)
    assert "old was not checked" in scene.run("show", uid).out
    assert set(states(scene).values()) == {"FRESH"}


def test_what_was_learnt_on_another_branch_says_so_and_a_reverted_commit_is_doubtful(make_box):
    box = make_box()
    write(box, "src/a.py", "def alpha_worker():\n    pass\n")
    commit(box)
    box.git("checkout", "-q", "-b", "spike")
    write(box, "src/b.py", "def spike_only():\n    pass\n")
    commit(box)
    remember(box, "`spike_only` halves the latency")
    box.git("checkout", "-q", "main")
    write(box, "src/a.py", "def alpha_worker():\n    pass\n\n\ndef beta_worker():\n    pass\n")
    taught = commit(box)
    remember(box, "`beta_worker` has to run first")
    remember(box, "Reviews within a day")
    box.git("revert", "--no-edit", "HEAD")
    found = {row["title"]: row["verdict"] for row in box.run("validate", "--json").json["memories"]}
    assert found["`spike_only` halves the latency"]["state"] == "UNVERIFIABLE"
    assert found["`spike_only` halves the latency"]["doubts"] == ["learnt on spike, not merged here"]
    assert found["`beta_worker` has to run first"]["state"] == "STALE"
    assert found["`beta_worker` has to run first"]["doubts"] == [f"doubtful: commit {taught[:7]} was reverted"]
    assert found["Reviews within a day"] is None
    assert "learnt on spike, not merged here" in box.run("recall", "spike_only latency").out
    box.git("merge", "-q", "--no-edit", "spike")
    assert states(box)["`spike_only` halves the latency"] == "FRESH"


def test_files_that_a_memory_is_about_are_anchored_by_their_content(box):
    write(box, "src/a.py", "x = 1\n")
    commit(box)
    uid = remember(box, "It is slow at night", "--file", "src/a.py", "--file", "gone.py")
    anchors = box.run("show", uid, "--json").json["anchors"]
    assert anchors[0] == {"path": "src/a.py", "digest": box.git("hash-object", "src/a.py").strip()}
    assert anchors[1] == {"path": "gone.py", "digest": None}
    write(box, "lib/b.py", "x = 1\n")
    (box.root / "src/a.py").unlink()  # neither move is committed: only the content tells
    found = box.run("validate", "--json").json["memories"][0]["verdict"]
    assert found["says"] == "src/a.py is now lib/b.py"


@pytest.mark.seed("A42")
def test_the_schedule_checks_some_random_memories_and_writes_a_log(box):
    box.settings |= {"RECOLLECT_VALIDATION__SCHEDULE": "1/2", "RECOLLECT_VALIDATION__AMOUNT": "3"}
    write(box, "src/a.py", "x = 1\n")
    commit(box)
    for number in range(8):
        remember(box, f"Rule {number} is written down in src/a.py")

    def prompt(number: int) -> None:
        hook(box, "UserPromptSubmit", f"p{number}", prompt="what now", prompt_id=f"p{number}")
        box.run("drain")

    logs = box.home / "logs"
    prompt(1)
    assert not logs.exists(), "the first due session only begins the count"
    prompt(2)
    prompt(3)
    [log] = logs.iterdir()
    assert log.name == "validation-3.log"
    lines = log.read_text("utf-8").splitlines()
    assert "3 memories, 3 FRESH" in lines[0]
    assert lines[2] == "  FRESH src/a.py exists"
    chosen = sorted(row["title"] for row in box.run("validate", "--force", "--json").json["memories"])
    assert len(chosen) == 3
    assert chosen == sorted(row["title"] for row in box.run("validate", "--force", "3", "--json").json["memories"])
    assert all(any(title in line for line in lines) for title in chosen), "the same ones for the same session"
    assert len(box.run("validate", "--force", "0", "--json").json["memories"]) == 8
    assert box.run("validate", "--force", "2", "--dry-run", "--json").json["log"] is None
    assert "validate" in {row["name"] for row in box.run("jobs", "--json").json}


def test_validation_can_be_switched_off(scene):
    scene.settings["RECOLLECT_VALIDATION__ENABLED"] = "off"
    change(scene)
    session(scene, "s2")
    assert scene.run("list", "--stale", "--json").json == []
