"""Sessions as hooks see them: counted, recalled once, resumed, compacted, ended; and what is kept of their turns."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from recollect.machine import lock
from recollect.setup.install import hook_words

SESSION, OTHER = "2ad5c3f0-7d1e-4b6a-9c58-0f3e6f1b7a21", "c8ca11e7-0b57-4d0e-8a8e-6a2f4f5d9b10"
WALRUS = "The staging cluster is called walrus"
ASKS = "Which staging cluster do we use?"
TOKEN = "ghp_" + "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zQ7w9"
CHECKPOINT = "Pre-compaction memory flush checkpoint"
PATIENCE_SECONDS = 60
NATIVE = (
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "StopFailure",
    "PreCompact", "SessionEnd",
)  # fmt: skip


def event(box, native, **fields):
    """An event as the client sends it; a field that is None is left out."""
    said = {
        "session_id": SESSION,
        "transcript_path": str(box.folder / "transcript.jsonl"),
        "cwd": str(box.root),
        "hook_event_name": native,
    } | fields
    return json.dumps({name: value for name, value in said.items() if value is not None})


def hook(box, native, **fields):
    """What the hook prints."""
    return box.run("hook", "claude-code", native, stdin=event(box, native, **fields)).out


def told(box, native, **fields):
    """What the model is told."""
    out = hook(box, native, **fields)
    if not out:
        return ""
    said = json.loads(out)["hookSpecificOutput"]
    assert said["hookEventName"] == native
    return said["additionalContext"]


def start(box, source="startup", **fields):
    return told(box, "SessionStart", source=source, **fields)


def ask(box, prompt=ASKS, **fields):
    return told(box, "UserPromptSubmit", prompt=prompt, **fields)


def answer(box, said="Walrus.", **fields):
    assert hook(box, "Stop", last_assistant_message=said, **{"stop_hook_active": False, **fields}) == ""


def held(box):
    """Hold what a worker holds: no other drains meanwhile."""
    return lock(box.home / "worker.lock", timeout_seconds=PATIENCE_SECONDS)


def drain(box):
    """Work through what waits."""
    return box.run("drain", "--json").json


def waiting(box):
    return sorted(path.name for path in (box.home / "inbox").glob("*"))


def number(box):
    return int(box.run("session").out)


def turns(box):
    drain(box)
    return box.run("list", "--kind", "turn_summary", "--json").json


def texts(box):
    return [one["text"] for one in turns(box)]


def usage(box, name="the-staging-cluster-is-called-walrus"):
    return box.run("show", name, "--json").json["usage"]


def ledgers(box):
    return sorted(path.name for path in (box.home / "runtime").glob("recalled-*"))


def tree(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def has(pattern, said):
    """Whether a pattern fits a line of what is said."""
    return re.search(pattern, said, re.MULTILINE) is not None


def wait_until(is_so):
    """What another process does takes a moment."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def box(box):
    """A user whose project has one memory, which is not told at the start of a session."""
    box.settings["RECOLLECT_INJECT__SESSION"] = "false"
    box.run("remember", WALRUS)
    return box


# -- A24: our own agents are nobody's users ----------------------------------------------------------------------------


@pytest.mark.seed("A24")
@pytest.mark.parametrize("variable", ["BLOCK_HOOK_AGENTS", "RECOLLECT_INSIDE"])
def test_inside_an_agent_of_our_own_a_hook_says_nothing_and_leaves_nothing(box, variable):
    before = tree(box.folder)
    box.settings[variable] = "1"
    for native in NATIVE:
        done = box.run("hook", "claude-code", native, stdin=event(box, native, prompt=ASKS, source="startup"))
        assert (done.out, done.err) == ("", "")
    assert tree(box.folder) == before


@pytest.mark.seed("A24")
def test_inside_an_agent_of_our_own_standard_input_is_read_to_its_end(box):
    before = tree(box.folder)
    command = [sys.executable, *hook_words(), "claude-code", "UserPromptSubmit"]
    env = box.env | {"BLOCK_HOOK_AGENTS": "1", "RECOLLECT_DEADLINE_MS": "20000"}
    process = subprocess.Popen(
        command, cwd=box.root, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )

    process.stdin.write(event(box, "UserPromptSubmit", prompt=ASKS * 40_000).encode())  # a closed pipe would raise
    out, err = process.communicate()

    assert (process.returncode, out, err) == (0, b"", b"")
    assert tree(box.folder) == before


# -- A25: the counter --------------------------------------------------------------------------------------------------


@pytest.mark.seed("A25")
def test_the_first_prompt_of_a_session_counts_it_and_the_others_do_not(box):
    start(box)
    drain(box)
    assert number(box) == 0
    for turn in ("p1", "p2", "p3"):
        ask(box, prompt_id=turn)
        drain(box)
        assert number(box) == 1
    ask(box, session_id=OTHER, prompt_id="p4")
    ask(box, prompt_id="p5")
    drain(box)
    assert number(box) == 2


@pytest.mark.seed("A25")
def test_sessions_that_are_drained_together_are_counted_one_by_one(box):
    box.run("session", "--set", "40")
    for session in ("a", "b", "a", "c", "b"):
        ask(box, session_id=session)
    assert drain(box)["drained"] == 5
    assert number(box) == 43


@pytest.mark.seed("A25", "A26")
def test_a_session_is_counted_although_nothing_is_told_with_its_prompts(box):
    box.settings["RECOLLECT_INJECT__PROMPT"] = "false"
    assert ask(box) == ""
    drain(box)
    assert number(box) == 1


@pytest.mark.seed("A25")
def test_each_project_has_a_counter_of_its_own(box, make_box):
    elsewhere = make_box("elsewhere")
    elsewhere.folder, elsewhere.home = box.folder, box.home
    ask(box)
    ask(elsewhere, session_id=OTHER)
    ask(elsewhere, session_id="third")
    drain(box)
    assert (number(box), number(elsewhere)) == (1, 2)


@pytest.mark.seed("A25")
def test_a_session_of_the_launcher_is_counted_once_however_often_the_client_clears_it(box):
    box.settings["AGENT_HOOK_ID"] = "0badcafe"
    ask(box)
    ask(box, session_id=OTHER)
    drain(box)
    assert number(box) == 1


@pytest.mark.seed("A25", "A27")
def test_without_an_id_of_the_client_each_session_of_the_launcher_is_counted(box):
    for hook_id in ("0badcafe", "deadbeef"):
        box.settings["AGENT_HOOK_ID"] = hook_id
        ask(box, session_id=None)
    drain(box)
    assert number(box) == 2


# -- A26: switches -----------------------------------------------------------------------------------------------------


@pytest.mark.seed("A26", "A46")
@pytest.mark.parametrize(
    ("file", "says"),
    [
        ("agent.conf", "MEMORY_RECALL=off\n"),
        ("agent.conf", "# what agents are told\nMEMORY_RECALL=off   # for now\n"),
        (".recollect.toml", "[inject]\nprompt = false\n"),
        (".claude/memory/memory-config.json", '{"retrieval": {"enabled": false}}'),
    ],
)
def test_a_project_may_switch_off_what_is_told_with_prompts(box, file, says):
    assert WALRUS in ask(box)

    (box.root / file).write_text(says, "utf-8")

    assert ask(box, session_id=OTHER) == ""
    assert len(waiting(box)) == 2, "the prompt is noted all the same"
    (box.root / file).unlink()
    assert WALRUS in ask(box, session_id="third")


@pytest.mark.seed("A26")
@pytest.mark.parametrize("says", ["MEMORY_RECALL=on\n", "MEMORY_RECALL=perhaps\n", "MEMORY_RECALL=\n", ""])
def test_anything_but_off_is_on(box, says):
    (box.root / "agent.conf").write_text(says, "utf-8")
    assert WALRUS in ask(box)


@pytest.mark.seed("A26")
def test_a_project_that_nobody_vouched_for_switches_nothing(make_box):
    box = make_box()
    box.run("remember", WALRUS)
    (box.root / "agent.conf").write_text("MEMORY_RECALL=off\n", "utf-8")
    assert WALRUS in ask(box)
    box.run("trust")
    assert ask(box, session_id=OTHER) == ""


@pytest.mark.seed("A26")
def test_the_start_and_the_prompts_of_a_session_are_switched_apart(box):
    assert start(box) == ""
    assert WALRUS in ask(box)
    box.settings |= {"RECOLLECT_INJECT__SESSION": "true", "RECOLLECT_INJECT__PROMPT": "false"}
    assert WALRUS in start(box, session_id=OTHER)
    assert ask(box, session_id=OTHER) == ""


@pytest.mark.parametrize("flags", [(), ("--session", SESSION)], ids=["folder", "session"])
def test_where_memory_is_off_nothing_is_told_and_nothing_is_kept(box, flags):
    box.settings["RECOLLECT_INJECT__SESSION"] = "true"
    box.run("off", *flags)
    with held(box):
        assert start(box) == ""
        assert ask(box, prompt_id="p1") == ""
        assert waiting(box) == []
        hook(box, "PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="t1", prompt_id="p1")
        hook(box, "PreCompact", trigger="manual")
        answer(box, prompt_id="p1")
        hook(box, "SessionEnd", reason="other")

    drain(box)

    assert waiting(box) == []
    assert number(box) == 0
    assert [one["text"] for one in box.run("list", "--all", "--json").json] == [WALRUS]
    assert usage(box)["hits"] == 0
    lines = box.run("session", "tail", "--no-follow").out.splitlines()
    assert all("dropped: " in line and "switched off" in line for line in lines)
    box.run("why", code=1)
    assert ledgers(box) == []


def test_memory_that_is_off_in_a_folder_is_off_below_it_and_nowhere_else(box, make_box):
    elsewhere = make_box("elsewhere")
    elsewhere.folder, elsewhere.home = box.folder, box.home
    elsewhere.run("remember", WALRUS)
    below = box.root / "packages" / "web"
    below.mkdir(parents=True)

    box.run("off")

    assert ask(box, cwd=str(below)) == ""
    assert WALRUS in ask(elsewhere)
    box.run("on")
    assert WALRUS in ask(box, cwd=str(below), session_id=OTHER)


def test_a_session_that_is_off_leaves_the_others_alone(box):
    box.run("off", "--session", SESSION)
    assert ask(box) == ""
    assert WALRUS in ask(box, session_id=OTHER)
    box.run("on", "--session", SESSION)
    assert WALRUS in ask(box)


def test_a_tool_call_where_memory_is_off_is_dropped_when_it_is_drained(box):
    box.run("off")
    hook(box, "PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="t1")
    [name] = waiting(box)
    done = drain(box)
    assert (done["drained"], list(done["dropped"])) == (0, [name])
    assert f"{box.root} is switched off" in done["dropped"][name]


def test_memory_that_is_off_in_a_folder_is_off_by_whatever_way_one_comes_to_it(box):
    link = box.folder / "link"
    link.symlink_to(box.root, target_is_directory=True)
    box.run("off")
    assert ask(box, cwd=str(link)) == ""
    hook(box, "PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="t1", cwd=str(link))
    assert drain(box)["drained"] == 0


# -- A27, A28: ids and prompts -----------------------------------------------------------------------------------------


@pytest.mark.seed("A27", "A29")
def test_the_launchers_id_names_the_ledger_and_the_clients_id_serves_without_it(box):
    box.settings["AGENT_HOOK_ID"] = "0badcafe"
    assert WALRUS in ask(box)
    assert ask(box, session_id=OTHER) == "", "the same session of the launcher"
    assert ledgers(box) == ["recalled-0badcafe"]
    del box.settings["AGENT_HOOK_ID"]
    assert WALRUS in ask(box, session_id=OTHER)
    assert ask(box, session_id=OTHER) == ""
    assert ledgers(box) == ["recalled-0badcafe", f"recalled-{OTHER}"]


@pytest.mark.seed("A27")
def test_a_session_without_any_id_is_answered_all_the_same(box):
    assert WALRUS in ask(box, session_id=None)
    drain(box)
    assert number(box) == 1


@pytest.mark.seed("A27")
@pytest.mark.parametrize("name", ["../../../outside", "/etc/passwd", "a b\n\0c", "x" * 5_000, "…", ".."])
def test_an_id_never_leads_out_of_the_runtime_folder(box, name):
    before = {path for path in box.folder.rglob("*") if box.home not in path.parents}
    assert WALRUS in ask(box, session_id=name)
    assert ask(box, session_id=name) == ""
    assert len(ledgers(box)) == 1
    hook(box, "SessionEnd", reason="other", session_id=name)
    assert ledgers(box) == []
    assert {path for path in box.folder.rglob("*") if box.home not in path.parents} == before


@pytest.mark.seed("A27")
@pytest.mark.parametrize(
    "said",
    ["", "{}", "{", "[]", "null", "\0", '{"session_id": 5, "cwd": {}, "prompt": ["x"]}', '{"cwd": "/no/such/folder"}'],
)
def test_a_hook_never_fails_whatever_it_is_given(box, said):
    for native in (*NATIVE, "", "NoSuchEvent"):
        done = box.run("hook", "claude-code", native, stdin=said)
        assert (done.code, done.out, done.err) == (0, "", "")


@pytest.mark.seed("A28")
@pytest.mark.parametrize("fields", [{"prompt": ASKS}, {"user_prompt": ASKS}, {"prompt": ASKS, "user_prompt": "Hello"}])
def test_a_prompt_is_read_in_its_real_and_in_its_older_spelling(box, fields):
    assert WALRUS in told(box, "UserPromptSubmit", **fields)


@pytest.mark.seed("A28")
@pytest.mark.parametrize("prompt", ["", " \n\t ", "?!", "the", None])
def test_a_prompt_that_asks_nothing_is_answered_with_nothing(box, prompt):
    assert ask(box, prompt) == ""


def test_the_folder_of_the_clients_project_serves_where_an_event_names_none(box, make_box):
    elsewhere = make_box("elsewhere")
    box.settings["CLAUDE_PROJECT_DIR"] = str(box.root)
    said = event(box, "UserPromptSubmit", prompt=ASKS, cwd=None)
    assert WALRUS in box.run("hook", "claude-code", "UserPromptSubmit", stdin=said, cwd=elsewhere.root).out


# -- A29, A30: once per session, and counted ---------------------------------------------------------------------------


@pytest.mark.seed("A29")
def test_a_memory_is_told_once_per_session(box):
    assert WALRUS in ask(box)
    assert ask(box) == ""
    box.run("remember", "The staging cluster has nine nodes")
    more = ask(box)
    assert "nine nodes" in more
    assert WALRUS not in more
    assert WALRUS in ask(box, session_id=OTHER)


@pytest.mark.seed("A29")
def test_what_was_told_at_the_start_is_not_repeated_with_a_prompt(box):
    box.settings["RECOLLECT_INJECT__SESSION"] = "true"
    assert WALRUS in start(box)
    assert ask(box) == ""


@pytest.mark.seed("A30")
def test_what_is_told_with_a_prompt_counts_as_used_once_per_session(box):
    box.run("session", "--set", "6")
    ask(box)
    drain(box)
    assert (usage(box)["hits"], usage(box)["last_session"]) == (1, 7)
    start(box, "resume")
    assert WALRUS in ask(box)
    drain(box)
    assert (usage(box)["hits"], usage(box)["last_session"]) == (1, 7)
    ask(box, session_id=OTHER)
    drain(box)
    assert (usage(box)["hits"], usage(box)["last_session"]) == (2, 8)


@pytest.mark.seed("A30")
def test_what_was_not_shown_with_a_prompt_does_not_count_as_used(box):
    box.settings["RECOLLECT_INJECT__SESSION"] = "true"
    assert WALRUS in start(box)
    ask(box)
    ask(box, "What is for lunch?")
    drain(box)
    assert usage(box)["hits"] == 0


@pytest.mark.seed("A30")
def test_a_memory_that_was_purged_before_its_use_was_counted_does_no_harm(box):
    ask(box)
    box.run("purge", "the-staging-cluster-is-called-walrus", "--yes")
    assert drain(box)["aside"] == []
    assert number(box) == 1


@pytest.mark.seed("A30")
def test_a_markdown_memory_gets_its_counters_when_the_session_ends_and_not_at_every_prompt(make_box):
    box = make_box()
    box.run("init", "--layout", "markdown")
    box.settings["RECOLLECT_INJECT__SESSION"] = "false"
    box.run("session", "--set", "6")
    place = box.root / "memory" / "staging.md"
    place.write_text("The staging cluster is called walrus.\n", "utf-8")
    box.run("reconcile")
    before = place.read_bytes()

    assert "walrus" in ask(box)
    drain(box)
    assert place.read_bytes() == before
    hook(box, "SessionEnd", reason="other")
    drain(box)

    counters = box.run("metadata", "read", str(place)).json
    assert (counters["frequency"], counters["last_accessed_session"]) == (1, 7)
    assert place.read_text("utf-8").endswith("<memory>\nThe staging cluster is called walrus.\n</memory>\n")

    assert "walrus" in ask(box, session_id=OTHER)
    hook(box, "SessionEnd", reason="other", session_id=OTHER)
    drain(box)  # the prompt and the end of its session in one batch
    counters = box.run("metadata", "read", str(place)).json
    assert (counters["frequency"], counters["last_accessed_session"]) == (2, 8)


# -- A31, A32: pointers and notifications ------------------------------------------------------------------------------


@pytest.mark.seed("A31")
def test_pointers_name_the_files_on_one_line_and_say_what_each_is_for(box):
    box.settings["RECOLLECT_INJECT__RENDER"] = "pointers"
    says = "Ask Ann before you touch it\nShe has the keys"
    box.run("remember", says, "--title", "Who owns the staging cluster", "--importance", "0.9")
    first = ".claude/memory/notes/who-owns-the-staging-cluster.json"
    second = ".claude/memory/notes/the-staging-cluster-is-called-walrus.json"
    assert hook(box, "UserPromptSubmit", prompt=ASKS).splitlines() == [
        f"Relevant memories: {first} {second}",
        f"- {first} — Ask Ann before you touch it",
        f"- {second} — {WALRUS}",
    ]
    assert hook(box, "UserPromptSubmit", prompt="What is for lunch?") == ""


@pytest.mark.seed("A31")
def test_a_pointer_quotes_the_cue_of_a_markdown_memory(make_box):
    box = make_box()
    box.run("init", "--layout", "markdown")
    box.settings |= {"RECOLLECT_INJECT__RENDER": "pointers", "RECOLLECT_INJECT__SESSION": "false"}
    (box.root / "memory" / "staging.md").write_text(
        "<conditional>when you deploy to the staging cluster</conditional>\n<memory>\nIt is called walrus.\n</memory>\n"
    )
    box.run("reconcile")
    assert hook(box, "UserPromptSubmit", prompt=ASKS) == (
        "Relevant memories: memory/staging.md\n- memory/staging.md — when you deploy to the staging cluster\n"
    )


@pytest.fixture
def notified(box):
    """A notifier that writes down what it is asked to show; the lines that it wrote."""
    place, program = box.folder / "notified", box.folder / "bin" / "notify-send"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\necho "$*" >> "$HOME/notified"\n', "utf-8")
    program.chmod(0o755)
    box.settings["PATH"] = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    return lambda: sorted(place.read_text("utf-8").splitlines()) if place.exists() else []


@pytest.mark.seed("A32")
def test_somebody_who_watches_is_notified_of_each_memory(box, notified):
    box.run("remember", "The staging cluster has nine nodes")
    ask(box, session_id=OTHER)  # nobody watches
    box.settings["AGENT_TERMINAL_PID"] = str(os.getpid())

    ask(box)

    wait_until(lambda: len(notified()) >= 2)
    for line, says in zip(notified(), ["The staging cluster has nine nodes", WALRUS], strict=True):
        assert line.endswith(f"recollect {says}")


@pytest.mark.seed("A32")
def test_without_a_notifier_a_prompt_is_answered_all_the_same(box):
    empty = box.folder / "nothing"
    empty.mkdir()
    box.settings |= {"AGENT_TERMINAL_PID": "1", "PATH": str(empty)}
    assert WALRUS in ask(box)


# -- A44: resume, end, clear, fork, subagents --------------------------------------------------------------------------


@pytest.mark.seed("A44")
def test_on_resume_what_was_recalled_may_be_recalled_again_but_the_start_is_not_repeated(box):
    box.settings["RECOLLECT_INJECT__SESSION"] = "true"
    assert WALRUS in start(box)
    box.run("remember", "The staging cluster has nine nodes")
    assert "nine nodes" in ask(box)
    assert ask(box) == ""

    resumed = start(box, "resume")

    assert WALRUS not in resumed
    assert "nine nodes" in resumed, "what came in since is told"
    assert ask(box) == ""


@pytest.mark.seed("A44")
def test_on_resume_a_prompt_is_told_again_what_it_was_told_before(box):
    assert WALRUS in ask(box)
    assert start(box, "resume") == ""
    assert WALRUS in ask(box)


@pytest.mark.seed("A44")
def test_a_session_that_ended_leaves_no_ledger(box):
    box.settings["RECOLLECT_INJECT__SESSION"] = "true"
    start(box)
    start(box, session_id=OTHER)
    assert ledgers(box) == [f"recalled-{SESSION}", f"recalled-{OTHER}"]
    hook(box, "SessionEnd", reason="prompt_input_exit")
    hook(box, "SessionEnd", reason="prompt_input_exit")
    assert ledgers(box) == [f"recalled-{OTHER}"]


@pytest.mark.seed("A44")
def test_a_session_that_is_resumed_after_its_end_still_knows_what_it_was_told_at_its_start(box):
    box.settings["RECOLLECT_INJECT__SESSION"] = "true"
    assert WALRUS in start(box)
    hook(box, "SessionEnd", reason="other")
    drain(box)
    assert start(box, "resume") == ""


def test_a_cleared_session_is_another_one_and_is_told_everything(box):
    box.settings["RECOLLECT_INJECT__SESSION"] = "true"
    assert WALRUS in start(box)
    ask(box, "Hello there")
    hook(box, "SessionEnd", reason="clear")
    assert WALRUS in start(box, "clear", session_id=OTHER)
    ask(box, "Hello again", session_id=OTHER)
    drain(box)
    assert number(box) == 2


def test_a_cleared_session_of_the_launcher_is_told_everything_although_its_id_is_the_same(box):
    box.settings |= {"RECOLLECT_INJECT__SESSION": "true", "AGENT_HOOK_ID": "0badcafe"}
    assert WALRUS in start(box)
    assert WALRUS in start(box, "clear", session_id=OTHER)


def test_a_forked_session_is_told_what_is_known_and_counts_as_its_own(box):
    box.settings["RECOLLECT_INJECT__SESSION"] = "true"
    start(box)
    ask(box, "Hello there")
    assert WALRUS in start(box, "fork", session_id=OTHER, seconds_since_last_response=5, context_tokens=120)
    ask(box, "Hello from the fork", session_id=OTHER)
    drain(box)
    assert number(box) == 2


def test_what_subagents_do_is_noted_in_their_session_and_turn(box):
    ask(box, "Look through the code", prompt_id="p1")
    for agent, call, name in (("aa0d", "t1", "a.py"), ("bb1e", "t1", "b.py"), (None, "t2", "c.py")):
        hook(
            box, "PostToolUse", tool_name="Edit", tool_input={"file_path": str(box.root / name)}, tool_response={},
            tool_use_id=call, prompt_id="p1", agent_id=agent, agent_type=agent and "Explore",
        )  # fmt: skip
    answer(box, "Done.", prompt_id="p1")
    [turn] = turns(box)
    assert sorted(turn["files_modified"]) == ["a.py", "b.py", "c.py"]
    lines = map(json.loads, box.run("session", "tail", "--no-follow", "--json").out.splitlines())
    assert [line["says"] for line in lines if line["tool"]] == ["Edit a.py", "Edit b.py", "Edit c.py"]


def test_a_turn_knows_its_files_however_many_there_are(box):
    ask(box, "Look through the code", prompt_id="p1")
    for number in range(60):
        place = str(box.root / f"{number:02}.py")
        hook(
            box, "PostToolUse", tool_name="Edit", tool_input={"file_path": place}, tool_use_id=f"t{number}",
            prompt_id="p1",
        )  # fmt: skip
    drain(box)
    answer(box, "Done.", prompt_id="p1")
    [turn] = turns(box)
    assert sorted(turn["files_modified"]) == [f"{number:02}.py" for number in range(60)]


def test_the_end_of_a_subagent_is_no_turn_of_the_user(box):
    ask(box, "Look through the code", prompt_id="p1")
    hook(box, "SubagentStop", agent_id="aa0d", agent_type="", last_assistant_message="SUBAGENT RESULT", prompt_id="p1")
    assert texts(box) == []


# -- A45: the launcher -------------------------------------------------------------------------------------------------


@pytest.mark.seed("A45")
def test_the_launcher_gives_an_id_names_the_session_and_passes_the_exit_code_on(box):
    box.run("session", "--set", "41")
    done = box.run(
        "run", "--", "sh", "-c", 'echo "$AGENT_HOOK_ID" "$AGENT_TERMINAL_PID" > "$HOME/seen"; exit 7', code=7
    )
    hook_id, terminal = (box.folder / "seen").read_text("utf-8").split()
    assert re.fullmatch(r"[0-9a-f]{8}", hook_id)
    assert int(terminal) > 0
    assert "session 42" in done.err
    assert number(box) == 41, "the first prompt counts it, not the launcher"


@pytest.mark.seed("A45")
@pytest.mark.parametrize(("does", "code"), [("exit 0", 0), ("exit 2", 2), ("kill -TERM $$", 143)])
def test_the_launcher_ends_as_its_program_does(box, does, code):
    box.run("run", "--", "sh", "-c", does, code=code)


@pytest.mark.seed("A45")
def test_the_launcher_names_a_program_that_is_not_there(box):
    done = box.run("run", "--", "no-such-agent", "-p", code=1)
    assert "no-such-agent" in done.err
    assert "fix: " in done.err


@pytest.mark.seed("A45")
def test_the_launcher_prunes_what_dead_sessions_left_and_cleans_up_after_its_own(box):
    runtime = box.home / "runtime"
    runtime.mkdir(exist_ok=True)
    ended = subprocess.Popen(["true"])
    ended.wait()
    for hook_id, pid in (("deadbeef", ended.pid), ("0badcafe", os.getpid())):
        (runtime / f"agent-{hook_id}.pid").write_text(str(pid), "utf-8")
        (runtime / f"recalled-{hook_id}").write_text("p u1\n", "utf-8")
    (runtime / "agent-broken.pid").write_text("?", "utf-8")

    box.run(
        "run", "--", "sh", "-c",
        'cd "$RECOLLECT_HOME/runtime"; echo "p u2" > "recalled-$AGENT_HOOK_ID"; ls > "$HOME/seen"',
    )  # fmt: skip

    seen = (box.folder / "seen").read_text("utf-8").split()
    assert "recalled-deadbeef" not in seen
    assert len([name for name in seen if name.startswith("recalled-")]) == 2
    assert ledgers(box) == ["recalled-0badcafe"]
    assert sorted(path.name for path in runtime.glob("*.pid")) == ["agent-0badcafe.pid", "agent-broken.pid"]


@pytest.mark.seed("A45")
def test_the_launcher_puts_the_vault_in_order_first(make_box):
    box = make_box()
    box.run("init", "--layout", "markdown")
    place = box.root / "memory" / "deploys.md"
    place.write_text("Deploys wait for Ann.\n", "utf-8")
    box.run("run", "--", "sh", "-c", 'cp memory/deploys.md "$HOME/seen"')
    assert "<memory-metadata>" in (box.folder / "seen").read_text("utf-8")


@pytest.mark.seed("A45")
def test_the_launcher_starts_the_agent_although_the_store_is_broken(box):
    (box.home / "memory.db").write_bytes(b"no database" * 500)
    box.run("run", "--", "sh", "-c", "exit 5", code=5)


# -- C4: compaction ----------------------------------------------------------------------------------------------------


@pytest.mark.seed("C4")
def test_a_checkpoint_is_left_before_each_compaction(make_box):
    box = make_box()
    box.run("init", "--layout", "log")
    for trigger in ("auto", "manual"):
        assert hook(box, "PreCompact", trigger=trigger, custom_instructions="") == ""
    drain(box)
    left = [(one["category"], one["text"], one["sessionId"]) for one in box.run("log", "list", "--json").json]
    assert left == [("compaction", CHECKPOINT, SESSION)] * 2
    assert (box.root / "MEMORY.md").read_text("utf-8").count(CHECKPOINT) == 2


@pytest.mark.seed("C4")
def test_after_a_compaction_everything_is_told_again(box):
    box.settings["RECOLLECT_INJECT__SESSION"] = "true"
    before = start(box)
    assert WALRUS in before
    box.run("remember", "The staging cluster has nine nodes")
    assert "nine nodes" in ask(box)
    hook(box, "PreCompact", trigger="auto")
    box.now = "2026-03-01T12:00:10Z"

    after = start(box, "compact")

    assert WALRUS in after
    assert "nine nodes" in after
    assert ask(box) == "", "it was told a moment ago"


@pytest.mark.seed("C4")
def test_after_a_compaction_a_prompt_is_told_again_what_it_was_told_before(box):
    assert WALRUS in ask(box)
    hook(box, "PreCompact", trigger="auto")
    start(box, "compact")
    assert WALRUS in ask(box)


@pytest.mark.parametrize("launcher", ["", "0badcafe"], ids=["the client's id", "the launcher's id"])
def test_a_turn_is_told_back_to_its_own_session_only_after_a_compaction(box, launcher):
    box.settings["AGENT_HOOK_ID"] = launcher
    ask(box, "try xylophone as magic word for this deploy", prompt_id="p1")
    answer(box, "I will keep xylophone in mind.", prompt_id="p1")
    drain(box)
    question = "What was the magic word xylophone for?"
    assert "xylophone" not in ask(box, question)
    box.now = "2026-03-01T12:10:00Z"
    hook(box, "PreCompact", trigger="auto")
    start(box, "compact")
    drain(box)
    assert "I will keep xylophone in mind" in ask(box, question)
    box.now = "2026-03-01T12:20:00Z"
    ask(box, "And the magic word of the rollback is marimba", prompt_id="p2")
    answer(box, "Marimba it is.", prompt_id="p2")
    drain(box)
    assert "Marimba it is" not in ask(box, "Which magic word is marimba?")


def test_a_turn_is_told_to_another_session(box):
    ask(box, "try xylophone as magic word for this deploy", prompt_id="p1")
    answer(box, "I will keep xylophone in mind.", prompt_id="p1")
    drain(box)
    assert "I will keep xylophone in mind" in ask(box, "What was the magic word xylophone for?", session_id=OTHER)


# -- C14: turns --------------------------------------------------------------------------------------------------------


@pytest.mark.seed("C14")
def test_a_turn_is_kept_with_its_prompt_its_answer_and_its_end(box):
    ask(box, "How do we deploy?", prompt_id="p1")
    answer(box, "With `make deploy`.\n\nIt takes a minute.", prompt_id="p1")
    [turn] = turns(box)
    assert turn["text"] == "Asked: How do we deploy?\n\nAnswered: With `make deploy`.\n\nIt takes a minute."
    assert (turn["title"], turn["session"]) == ("How do we deploy?", SESSION)
    assert (turn["origin"], turn["channel"], turn["confidence"]) == ("assistant", "claude-code", 0.8)
    assert (turn["created_at"], turn["expires_at"]) == (box.now, "2026-05-30T12:00:00Z")
    assert not list(box.vault.rglob("*deploy*")), "turns stay in the store"
    box.now = "2026-06-01T00:00:00Z"
    assert texts(box) == []


@pytest.mark.seed("C14")
@pytest.mark.parametrize(("days", "end"), [("7", "2026-03-08T12:00:00Z"), ("0", None)])
def test_how_long_a_turn_is_kept_is_a_setting(box, days, end):
    box.settings["RECOLLECT_CAPTURE__TTL_DAYS"] = days
    ask(box, "How do we deploy?", prompt_id="p1")
    answer(box, prompt_id="p1")
    assert [turn["expires_at"] for turn in turns(box)] == [end]


@pytest.mark.seed("C14")
def test_whether_turns_are_kept_is_a_setting(box):
    box.settings["RECOLLECT_CAPTURE__TURNS"] = "false"
    ask(box, prompt_id="p1")
    answer(box, prompt_id="p1")
    assert texts(box) == []
    assert number(box) == 1


@pytest.mark.seed("C14")
def test_a_long_turn_is_cut_and_keeps_its_beginning_and_its_end(box):
    box.settings["RECOLLECT_CAPTURE__TURN_CHARS"] = "600"
    ask(box, "Why? " + "é" * 5_000, prompt_id="p1")
    answer(box, "First this. " + "é" * 9_000 + " At last that.", prompt_id="p1")
    [text] = texts(box)
    assert 300 < text.count("é") <= 600
    assert len(text) < 660
    assert text.startswith("Asked: Why? é")
    assert "Answered: First this. é" in text
    assert text.endswith("é At last that.")


@pytest.mark.seed("C14")
def test_a_credential_in_a_turn_reaches_neither_the_inbox_nor_the_store(box):
    with held(box):
        ask(box, f"Use {TOKEN} to push", prompt_id="p1")
        answer(box, f"I pushed with {TOKEN}.", prompt_id="p1")
        assert not [path for path in (box.home / "inbox").iterdir() if TOKEN.encode() in path.read_bytes()]
    [text] = texts(box)
    assert re.sub(r"\[redacted[^\]]*\]", "…", text) == "Asked: Use … to push\n\nAnswered: I pushed with …."
    assert [path for path, data in tree(box.home).items() if TOKEN.encode() in data] == []


@pytest.mark.seed("C14")
def test_a_machines_prompt_is_nobodys(box):
    said = f"<task-notification>\n<task-id>b1</task-id> {ASKS}\n</task-notification>"
    for prompt in (said, "\n " + said):
        assert ask(box, prompt, prompt_id="p1") == ""
    assert waiting(box) == []
    answer(box, "The task is done.", prompt_id="p1")
    assert [text for text in texts(box) if "task-notification" in text] == []
    assert number(box) == 0


@pytest.mark.seed("C14")
def test_what_we_or_the_client_put_into_a_turn_is_not_kept(box):
    block = '<memory-context source="recollect" receipt="ab">\n<memory>\nTitle: OURS\n</memory>\n</memory-context>'
    ask(box, f"Deploy it.\n{block}\n<system-reminder>\nCLIENTS\n</system-reminder>\nToday.", prompt_id="p1")
    answer(box, f"{block}\nDone. {block} Really.\n<memory-context source='x'>\nOURS, and cut off", prompt_id="p1")
    [text] = texts(box)
    assert " ".join(text.split()) == "Asked: Deploy it. Today. Answered: Done. Really."


@pytest.mark.seed("C14")
def test_a_turn_of_which_nothing_but_ours_is_left_is_not_kept(box):
    ask(box, "Hello there", prompt_id="p1")
    answer(box, "<system-reminder>nothing else</system-reminder>", prompt_id="p1")
    assert texts(box) == []


@pytest.mark.seed("C14")
def test_a_turn_that_goes_on_after_its_stop_is_revised(box):
    ask(box, "Deploy it", prompt_id="p1")
    answer(box, "I think I am done.", prompt_id="p1")
    [first] = turns(box)
    answer(box, "Now it is deployed.", prompt_id="p1", stop_hook_active=True)
    [second] = turns(box)
    assert second["uid"] == first["uid"]
    assert second["text"] == "Asked: Deploy it\n\nAnswered: I think I am done.\n\nNow it is deployed."
    assert second["expires_at"] == first["expires_at"]


@pytest.mark.seed("C14")
def test_a_turn_that_goes_on_before_its_stop_was_drained_is_kept_once(box):
    with held(box):
        ask(box, "Deploy it", prompt_id="p1")
        answer(box, "I think I am done.", prompt_id="p1")
        answer(box, "Now it is deployed.", prompt_id="p1", stop_hook_active=True)
    assert texts(box) == ["Asked: Deploy it\n\nAnswered: I think I am done.\n\nNow it is deployed."]


@pytest.mark.seed("C14")
def test_a_turn_that_goes_on_more_than_once_keeps_every_answer(box):
    ask(box, "Deploy it", prompt_id="p1")
    for said, again in (("One.", False), ("Two.", True), ("Three.", True)):
        answer(box, said, prompt_id="p1", stop_hook_active=again)
        drain(box)
    assert texts(box) == ["Asked: Deploy it\n\nAnswered: One.\n\nTwo.\n\nThree."]


@pytest.mark.seed("C14")
def test_a_stop_that_was_sent_twice_is_kept_once(box):
    ask(box, "Deploy it", prompt_id="p1")
    for _ in range(2):  # a plugin and an install firing together
        answer(box, "Done.", prompt_id="p1")
    assert texts(box) == ["Asked: Deploy it\n\nAnswered: Done."]


@pytest.mark.seed("C14")
def test_turns_without_ids_of_the_client_are_told_apart(box):
    for asks, says in (("First?", "One."), ("Second?", "Two.")):
        ask(box, asks)
        answer(box, says)
        drain(box)
    assert sorted(texts(box)) == ["Asked: First?\n\nAnswered: One.", "Asked: Second?\n\nAnswered: Two."]


@pytest.mark.seed("C14")
def test_a_turn_that_failed_is_kept_as_far_as_something_was_said(box):
    (box.folder / "transcript.jsonl").write_text(line("assistant", "Of another turn.") + "\n", "utf-8")
    ask(box, "Deploy it", prompt_id="p1")
    hook(box, "StopFailure", error="overloaded", last_assistant_message="I began to", prompt_id="p1")
    ask(box, "Again", prompt_id="p2")
    hook(box, "StopFailure", error="overloaded", prompt_id="p2")
    assert texts(box) == ["Asked: Deploy it\n\nAnswered: I began to"]


# -- B8: transcripts, where the client does not say what was answered --------------------------------------------------


def line(role, content, **fields):
    """A transcript's line as the client writes it."""
    return json.dumps({"type": role, "message": {"role": role, "content": content}, "isSidechain": False} | fields)


def transcribed(box, lines, path=None):
    """What is kept of a turn whose answer only the transcript has."""
    place = box.folder / "transcript.jsonl" if path is None else path
    place.write_bytes(b"\n".join(one if isinstance(one, bytes) else one.encode() for one in lines) + b"\n")
    hook(box, "Stop", stop_hook_active=False, transcript_path=str(place))
    return texts(box)


@pytest.mark.seed("C14")
def test_an_answer_that_the_client_does_not_send_is_read_from_the_transcript(box):
    lines = [
        line("user", "An earlier prompt"),
        line("assistant", [{"type": "text", "text": "An earlier answer"}]),
        line("user", "Deploy it", promptId="p1"),
        line("assistant", [{"type": "text", "text": "I will."}], apiBlockIndex=0),
        line("assistant", [{"type": "tool_use", "name": "Bash", "input": {"command": "TOOL"}}], apiBlockIndex=1),
        line("user", [{"type": "tool_result", "content": "RESULT"}], toolUseResult={"stdout": "RESULT"}),
        line("assistant", [{"type": "text", "text": "It is done."}]),
    ]
    assert transcribed(box, lines) == ["Asked: Deploy it\n\nAnswered: I will.\n\nIt is done."]


@pytest.mark.seed("C14")
def test_a_machines_prompt_and_our_own_words_in_a_transcript_are_nobodys(box):
    lines = [
        line("user", "<task-notification>\nOF A MACHINE\n</task-notification>"),
        line("assistant", [{"type": "text", "text": "It is done. <memory-context>\nOURS\n</memory-context>"}]),
    ]
    assert transcribed(box, lines) == []
    lines[0] = line("user", "Do it. <system-reminder>\nOF THE CLIENT\n</system-reminder>")
    assert transcribed(box, lines) == ["Asked: Do it.\n\nAnswered: It is done."]


@pytest.mark.seed("C14")
@pytest.mark.parametrize("role", ["human", "user"])
def test_the_older_flat_transcript_is_read_as_well(box, role):
    lines = [
        json.dumps({"type": role, "content": "Deploy it"}),
        json.dumps({"type": "assistant", "content": ["It is", {"type": "text", "text": "done."}]}),
    ]
    assert transcribed(box, lines) == ["Asked: Deploy it\n\nAnswered: It is\ndone."]


@pytest.mark.seed("C14")
def test_lines_of_a_transcript_that_nobody_said_are_passed_over(box):
    lines = [
        line("user", "Deploy it"),
        line("assistant", [{"type": "text", "text": "Done."}]),
        line("assistant", [{"type": "text", "text": "A SUBAGENT'S"}], isSidechain=True),
        line("user", "A COMMAND'S", isMeta=True),
        line("user", [{"type": "tool_result", "content": [{"type": "text", "text": "A TOOL'S"}]}]),
        line("assistant", [{"type": "thinking", "thinking": "A THOUGHT"}]),
        line("system", "THE CLIENT'S", subtype="stop_hook_summary"),
        line("api-request-blob", "OUR OWN"),
        line("attachment", "OUR OWN", attachment={"type": "hook_additional_context", "content": ["OUR OWN"]}),
        json.dumps({"type": "summary", "summary": "A SUMMARY"}),
        json.dumps({"type": "assistant"}),
        json.dumps({"type": "assistant", "message": "A TEXT"}),
        json.dumps({"type": ["assistant"], "message": {"content": "A LIST"}}),
        json.dumps({"type": "assistant", "message": {"content": {"text": "A TABLE"}}}),
    ]
    assert transcribed(box, lines) == ["Asked: Deploy it\n\nAnswered: Done."]


@pytest.mark.seed("C14")
def test_broken_lines_of_a_transcript_are_passed_over(box):
    broken = [b"", b"{", b"[]", b"null", b"5", b"\xff\xfe\0", b"[" * 5_000, b'{"type":"user","message":']
    lines = [*broken, line("user", "Deploy it"), *broken, line("assistant", "Done."), *broken]
    assert transcribed(box, lines) == ["Asked: Deploy it\n\nAnswered: Done."]


@pytest.mark.seed("C14")
@pytest.mark.parametrize("path", ["", "/no/such/transcript.jsonl", "/", "~nobody/x", "a\0b", 5, None, ["x"]])
def test_a_transcript_that_is_not_there_does_no_harm(box, path):
    ask(box, "Deploy it", prompt_id="p1")
    hook(box, "Stop", stop_hook_active=False, prompt_id="p1", transcript_path=path)
    assert drain(box)["aside"] == []
    assert texts(box) == []
    assert not (box.home / "aside").exists()


@pytest.mark.seed("C14")
@pytest.mark.parametrize("is_linked", [False, True], ids=["named", "linked"])
def test_a_transcript_outside_of_the_users_folder_is_not_read(box, is_linked):
    with tempfile.TemporaryDirectory(dir="/var/tmp") as foreign:
        place = Path(foreign).resolve() / "transcript.jsonl"
        link = box.folder / "link.jsonl"
        link.symlink_to(place)
        place.write_text(line("user", "Deploy it") + "\n" + line("assistant", "Done.") + "\n", "utf-8")
        hook(box, "Stop", stop_hook_active=False, prompt_id="p1", transcript_path=str(link if is_linked else place))
        assert texts(box) == []


# -- what a person sees of it ------------------------------------------------------------------------------------------


def tail(box, *flags):
    out = box.run("session", "tail", "--no-follow", "--json", *flags).out
    return [json.loads(one) for one in out.splitlines()]


@pytest.fixture
def scene(box):
    """A session with a memory that is told, one that is left out, a tool that worked, one that did not, and a turn."""
    box.run("remember", "Everybody may use the printer")
    asks = f"{ASKS} Remember lunch, holidays, bicycles, weather and music."
    ask(box, asks, prompt_id="p1")
    place = str(box.root / "orders.py")
    hook(box, "PostToolUse", tool_name="Read", tool_input={"file_path": place}, tool_use_id="t1", prompt_id="p1")
    hook(
        box, "PostToolUseFailure", tool_name="Bash", tool_input={"command": "make"}, tool_use_id="t2", prompt_id="p1",
        error="Exit code 3",
    )  # fmt: skip
    drain(box)
    box.now = "2026-03-01T12:00:05Z"
    ask(box, "And another thing", prompt_id="p2", session_id=OTHER)
    return box


def test_session_tail_shows_what_came_in_what_was_told_and_why_and_what_waits(scene):
    shown = scene.run("session", "tail", "--no-follow").out
    assert has(rf"^12:00:00  {SESSION[:8]}  PromptSubmitted +Which staging cluster do we use\?", shown)
    assert has(rf"^12:00:00  {SESSION[:8]}  told 1 of 2 considered, about \d+ tokens, receipt [0-9a-f]{{10}}$", shown)
    assert has(r"^ +words: .*\bstaging\b", shown)
    assert has(rf"^ +\+ {WALRUS}  evidence [\d.]+, covers \d+%$", shown)
    assert has(r"^ +- Everybody may use the printer  .*\(too little in common with the prompt\)$", shown)
    assert has(r"ToolFinished +Read orders\.py$", shown)
    assert has(r"ToolFailed +Bash make  \(Exit code 3\)$", shown)
    assert has(rf"^12:00:05  {OTHER[:8]}  PromptSubmitted +waiting to be processed$", shown)


def test_session_tail_is_a_json_object_a_line_for_programs(scene):
    lines = tail(scene)
    assert [(one["event"], one["state"]) for one in sorted(lines, key=lambda one: (one["at"], one["event"]))] == [
        ("PromptSubmitted", "noted"),
        ("PromptSubmitted", "told"),
        ("ToolFailed", "noted"),
        ("ToolFinished", "noted"),
        ("PromptSubmitted", "waiting"),
        ("PromptSubmitted", "told"),
    ]
    [read] = [one for one in lines if one["event"] == "ToolFinished"]
    assert (read["session"], read["tool"], read["files_read"]) == (SESSION, "Read", ["orders.py"])
    weighed, _ = [one for one in lines if one["state"] == "told"]
    assert len(weighed["more"]) == 3


def test_session_tail_shows_one_session_and_no_more_lines_than_asked(scene):
    assert {one["session"] for one in tail(scene, "--session", OTHER)} == {OTHER}
    assert [one["state"] for one in tail(scene, "-n", "2")] == ["waiting", "told"]
    assert len(tail(scene, "-n", "3")) == 3
    drain(scene)
    assert "waiting" not in {one["state"] for one in tail(scene)}


def test_session_tail_names_the_memory_that_a_turn_became(scene):
    answer(scene, prompt_id="p1")
    [turn] = turns(scene)
    assert f"kept as {turn['uid'][-8:]}" in scene.run("session", "tail", "--no-follow").out
