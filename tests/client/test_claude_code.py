"""What the real Claude Code, and the model behind it, get to see of recollect."""

import json
import shlex
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from client.api import Turn, says, uses
from client.claude import Desk, Terminal, words_of

from recollect import agent_shell

POSTGRES = (
    "remember",
    "Postgres for orders",
    "--kind",
    "decision",
    "--why",
    "we need transactions",
    "--tag",
    "database",
)
WHY = "we need transactions"
BLOCK = "<memory-context"
SUMMARY = "<analysis>short</analysis><summary>We spoke of databases.</summary>"
ASKED_TO_SUM_UP = "<summary>"


def test_a_decision_is_told_at_session_start(desk: Desk) -> None:
    desk.recollect(*POSTGRES)
    run = desk.ask("Hello!", says("Hello to you."))
    assert run.text == "Hello to you."
    assert BLOCK in run.told_by("SessionStart")
    assert "Postgres for orders" in run.told_by("SessionStart")
    assert run.told_by("SessionStart") in run.told()


def test_an_earlier_sessions_turn_is_told_when_a_prompt_asks_for_it(desk: Desk) -> None:
    desk.settings["RECOLLECT_RECALL__VECTORS"] = "on"
    first = desk.ask("The magic word is xylophone-42 for the deploy", says("I will keep that in mind."))
    desk.settle()
    second = desk.ask("what was the magic word for the deploy?", says("It was xylophone-42."))
    assert first.session != second.session
    assert BLOCK in second.told_by("UserPromptSubmit")
    assert "xylophone-42" in second.told_by("UserPromptSubmit")
    assert second.told_by("UserPromptSubmit") in second.told()


def test_what_an_agent_saves_is_told_in_another_worktree(desk: Desk, tmp_path: Path) -> None:
    command = "recollect remember 'Kafka carries the events' --kind decision --why 'replay matters'"
    desk.ask("Decide how events travel", uses("Bash", command=command), says("Decided."))
    other = tmp_path / "other"
    desk.git("worktree", "add", "-q", str(other), "-b", "feature")
    assert not (other / ".claude").exists()
    assert "Kafka carries the events" in desk.ask("Hello!", says("Hello."), cwd=other).told_by("SessionStart")


def test_tool_calls_are_noted_with_their_files(desk: Desk) -> None:
    place = str(desk.root / "orders.py")
    run = desk.ask(
        "Write the orders module",
        uses("Write", file_path=place, content="TOTAL = 1\n"),
        uses("Edit", file_path=place, old_string="1", new_string="2"),
        uses("Read", file_path=place),
        uses("Bash", command="exit 3"),
        says("Written."),
    )
    desk.settle()
    lines = map(json.loads, desk.recollect("session", "tail", "--no-follow", "--json").out.splitlines())
    noted = [(line["tool"], line["files_modified"], line["files_read"]) for line in lines if line["tool"]]
    assert noted == [
        ("Write", ["orders.py"], []),
        ("Edit", ["orders.py"], []),
        ("Read", [], ["orders.py"]),
        ("Bash", [], []),
    ]
    [turn] = desk.recollect("list", "--kind", "turn_summary", "--json").json
    assert (turn["session"], turn["files_modified"], turn["files_read"]) == (run.session, ["orders.py"], ["orders.py"])


def test_the_vault_is_written_by_commands_alone_and_read_by_anyone(desk: Desk) -> None:
    desk.recollect(*POSTGRES)
    record = desk.vault / "decisions" / "postgres-for-orders.json"
    run = desk.ask(
        "Change the memories by hand",
        uses("Write", file_path=str(desk.vault / "decisions" / "x.json"), content="{}"),
        uses("Bash", command="echo hi > .claude/memory/x"),
        uses("Read", file_path=str(record)),
        uses("Bash", command=f"cat {shlex.quote(str(record))}"),
        says("I may only read."),
    )
    for refused in (run.result(1), run.result(2)):
        assert "hook error" in refused
        assert ".claude/memory" in refused
        assert "`recollect remember" in refused
    assert WHY in run.result(3)
    assert WHY in run.result(4)
    assert sorted(path.name for path in desk.vault.rglob("x*")) == []


def test_what_needs_a_person_is_refused_and_the_shell_says_whose_it_is(desk: Desk) -> None:
    run = desk.ask(
        "Trust this repository",
        uses("Bash", command="cd /tmp && recollect trust --yes"),
        uses("Bash", command="env | cut -d= -f1"),
        says("You have to do that."),
    )
    assert "their own terminal: cd /tmp && recollect trust" in run.result(1)
    found = dict.fromkeys(run.result(2).split(), "1")
    assert agent_shell.running_agent(found) == "Claude Code"


@pytest.mark.parametrize("fork", [(), ("--fork-session",)], ids=["resumed", "forked"])
def test_a_session_that_goes_on_is_not_told_the_same_again(desk: Desk, fork: tuple[str, ...]) -> None:
    desk.recollect(*POSTGRES)
    session = str(uuid.uuid4())
    question = "Which database holds the orders?"
    first = desk.ask(question, says("Postgres."), flags=("--session-id", session))
    desk.settle()
    second = desk.ask(question, says("Still Postgres."), flags=("--resume", session, *fork))
    assert "Postgres." in second.told()
    assert first.told().count(WHY) == second.told().count(WHY) == 1


def test_memories_come_back_after_a_compaction_that_was_asked_for(desk: Desk) -> None:
    desk.recollect(*POSTGRES)
    session = str(uuid.uuid4())
    desk.ask("Hello!", says("Hello."), flags=("--session-id", session))
    desk.ask("/compact", says(SUMMARY, when=ASKED_TO_SUM_UP), flags=("--resume", session))
    run = desk.ask("Where were we?", says("At databases."), flags=("--resume", session))
    assert "We spoke of databases." in run.told()
    assert run.told().count(WHY) == 1


def test_memories_come_back_after_a_compaction_for_want_of_room(desk: Desk) -> None:
    desk.recollect(*POSTGRES)
    run = desk.ask(
        "A long task",
        uses("Bash", command="echo working", input_tokens=990_000),
        says(SUMMARY, when=ASKED_TO_SUM_UP),
        says("Done."),
    )
    assert "We spoke of databases." in run.told(2)
    assert run.told(2).count(WHY) == 1


def test_a_turn_in_the_terminal_is_kept(desk: Desk) -> None:
    with desk.sit_down(says("The garden gate squeaks.")) as (terminal, _):
        terminal.submit("What squeaks in the garden?")
        terminal.see("The garden gate squeaks.", Terminal.IDLE)
        terminal.submit("/exit")
        assert terminal.leave() == 0
    [turn] = desk.turns()
    assert "What squeaks in the garden?" in turn
    assert "The garden gate squeaks." in turn


def test_a_prompt_is_not_told_again_what_an_earlier_prompt_was_told(desk: Desk) -> None:
    desk.ask("The magic word is xylophone-42 for the deploy", says("I will keep that in mind."))
    desk.settle()
    with desk.sit_down(says("I know it."), says("I still know it.")) as (terminal, api):
        terminal.submit("What was the magic word for the deploy?")
        terminal.see("I know it.", Terminal.IDLE)
        terminal.submit("Say again: what was the magic word for the deploy?")
        terminal.see("I still know it.", Terminal.IDLE)
        terminal.submit("/exit")
        assert terminal.leave() == 0
    first, second = (words_of(request["messages"]) for request in api.requests)
    told = f'{BLOCK} source="recollect" receipt='  # the block of a prompt; that of the session start has no receipt
    assert first.count(told) == second.count(told) == 1
    assert "xylophone-42" in first.partition(told)[2]


def test_two_clients_at_once_are_both_remembered(desk: Desk) -> None:
    with ThreadPoolExecutor() as pool:
        left = pool.submit(desk.ask, "Paint the fence green", says("Painted."))
        right = pool.submit(desk.ask, "Water the tomatoes", says("Watered."))
    assert left.result().session != right.result().session
    said = sorted(desk.turns())
    assert len(said) == 2
    assert "Paint the fence green" in said[0]
    assert "Water the tomatoes" in said[1]


def test_what_is_told_at_session_start_stays_within_the_clients_limit(desk: Desk, tmp_path: Path) -> None:
    service = "Service {0} talks to service {0}b through a queue & keeps what it says for a week, " + "as agreed " * 12
    lines = [json.dumps({"kind": "decision", "title": f"Service {n}", "text": service.format(n)}) for n in range(90)]
    (tmp_path / "many.jsonl").write_text("\n".join(lines))
    desk.recollect("import", str(tmp_path / "many.jsonl"))
    desk.settings["RECOLLECT_INJECT__START_TOKENS"] = "20000"
    run = desk.ask("Hello!", says("Hello."))
    assert len(run.told_by("SessionStart")) > 5_000
    assert run.told_by("SessionStart") in run.told()  # more than its limit the client would put into a file


@pytest.mark.parametrize(
    "damage",
    ["printf 'no database' > {store}", "rm -rf {store}* && mkdir {store}"],
    ids=["garbage", "a folder in its place"],
)
def test_a_store_that_breaks_in_mid_session_does_not_disturb_the_client(desk: Desk, damage: str) -> None:
    assert desk.store.is_file()
    run = desk.ask(
        "Break it",
        uses("Bash", command=damage.format(store=shlex.quote(str(desk.store)))),
        uses("Write", file_path=str(desk.root / "a.txt"), content="still working\n"),
        says("Still here."),
    )
    assert run.text == "Still here."
    assert (desk.root / "a.txt").read_text() == "still working\n"
    assert desk.ask("And now?", says("Here too.")).text == "Here too."
    desk.settle()
    assert "database" in desk.log.read_text()
    desk.log.unlink()


def test_uninstall_leaves_no_trace(bare: Desk) -> None:
    bare.recollect("init")
    bare.recollect(*POSTGRES)
    own = {"type": "command", "command": "true"}
    before = json.dumps({"hooks": {"Stop": [{"hooks": [own]}]}, "theme": "dark", "ü": "kept"}, indent=3).encode()
    bare.client_settings.parent.mkdir()
    bare.client_settings.write_bytes(before)
    bare.install()
    assert BLOCK in bare.ask("Hello!", says("Hello.")).told()
    bare.recollect("uninstall", "--yes")
    assert bare.client_settings.read_bytes() == before
    assert not list(bare.client_settings.parent.rglob("*recollect*"))
    assert BLOCK not in bare.ask("Hello again!", says("Hello.")).told()


def test_uninstall_removes_settings_that_install_made(bare: Desk) -> None:
    bare.install()
    assert bare.client_settings.exists()
    bare.recollect("uninstall", "--yes")
    assert not bare.client_settings.parent.exists()


def test_a_prompt_that_nothing_matches_is_left_alone(desk: Desk) -> None:
    desk.recollect(*POSTGRES)
    run = desk.ask("How tall is the Eiffel tower?", says("Rather tall."))
    assert run.told_by("UserPromptSubmit") == ""
    assert run.told().count(BLOCK) == 1


@pytest.mark.parametrize(
    "turns",
    [
        (uses("Bash", command="sleep 0.3; echo counted", run_in_background=True),),
        (
            uses(
                "Agent", description="Count", prompt="Count the sheep", subagent_type="Explore", run_in_background=True
            ),
            says("Three.", when="Count the sheep"),
        ),
    ],
    ids=["a command", "an agent"],
)
def test_what_the_client_says_to_itself_is_not_taken_for_a_prompt(desk: Desk, turns: tuple[Turn, ...]) -> None:
    # The client reports what ends in the background as if somebody had typed it, in the same turn or after it.
    run = desk.ask("Count in the background", *turns, says("Counting."))
    assert "<task-notification>" in run.told(-1)
    said = desk.turns()
    assert "task-notification" not in "".join(said)
    assert [turn for turn in said if "Count in the background" in turn and "Counting." in turn]


def test_a_first_session_is_told_nothing(desk: Desk) -> None:
    assert BLOCK not in desk.ask("Hello!", says("Hello.")).told()


def test_a_teammates_memories_are_told_once_somebody_vouched_for_them(
    desk: Desk, make_desk: Callable[..., Desk]
) -> None:
    desk.recollect(*POSTGRES)
    desk.git("add", ".claude")
    desk.git("commit", "-q", "-m", "what we know")
    teammate = make_desk("ben", clone_of=desk)
    teammate.install()
    before = teammate.ask("Hello!", says("Hello."))
    assert WHY not in before.told()
    assert "recollect trust" in before.told_by("SessionStart")
    shown = teammate.recollect("trust", "--dry-run", "--json").json
    teammate.recollect("trust", "--accept", shown["hash"])
    after = teammate.ask("Hello!", says("Hello."))
    assert WHY in after.told_by("SessionStart")
    assert "recollect trust" not in after.told_by("SessionStart")


def test_nothing_is_told_or_kept_where_memory_is_off(desk: Desk) -> None:
    desk.recollect(*POSTGRES)
    desk.recollect("off")
    run = desk.ask("Which database holds the orders?", says("I do not know."))
    assert BLOCK not in run.told()
    assert desk.turns() == []
