"""What the real Codex, and the model behind it, get to see of recollect."""

from client import codex
from client.api import says, uses

from recollect import agent_shell

POSTGRES = ("remember", "Postgres for orders", "--kind", "decision", "--why", "we need transactions")
BLOCK = "<memory-context"


def patch(*lines: str) -> str:
    return "\n".join(["*** Begin Patch", *lines, "*** End Patch", ""])


def test_a_session_is_told_what_was_decided_and_what_an_earlier_one_said(codex_desk: codex.Desk) -> None:
    codex_desk.recollect(*POSTGRES)
    codex_desk.install()
    first = codex_desk.ask("The magic word is xylophone-42 for the deploy", says("I will keep that in mind."))
    assert BLOCK in first.told()
    assert "Postgres for orders" in first.told()
    [turn] = codex_desk.turns()
    assert "xylophone-42" in turn
    assert "I will keep that in mind." in turn
    second = codex_desk.ask("what was the magic word for the deploy?", says("It was xylophone-42."))
    assert second.session != first.session
    told = second.told().rpartition("what was the magic word")[2]
    assert BLOCK in told
    assert "xylophone-42" in told


def test_what_tools_do_is_noted_and_what_the_vault_would_suffer_is_refused(codex_desk: codex.Desk) -> None:
    codex_desk.install()
    run = codex_desk.ask(
        "Write the orders module",
        uses("apply_patch", patch=patch("*** Add File: orders.py", "+TOTAL = 1")),
        uses("exec_command", cmd="echo bad; exit 3"),
        uses("exec_command", cmd="echo hi > .claude/memory/x"),
        says("Written."),
    )
    assert ".claude/memory" in run.result(3)
    assert "`recollect remember" in run.result(3)
    assert not (codex_desk.vault / "x").exists()
    noted = codex_desk.noted()
    assert {one["session"] for one in noted} == {run.session}
    assert [(one["event"], one["tool"]) for one in noted] == [
        ("SessionStarted", ""),
        ("PromptSubmitted", ""),
        ("ToolFinished", "apply_patch"),
        ("ToolFailed", "Bash"),
        ("ToolStarting", "Bash"),
        ("TurnEnded", ""),
        ("SessionEnded", ""),
    ]


def test_what_needs_a_person_is_refused_and_the_shell_says_whose_it_is(codex_desk: codex.Desk) -> None:
    codex_desk.install()
    run = codex_desk.ask(
        "Trust this repository",
        uses("exec_command", cmd="cd /tmp && recollect trust --yes"),
        uses("exec_command", cmd="env | cut -d= -f1"),
        says("You have to do that."),
    )
    assert "their own terminal: cd /tmp && recollect trust" in run.result(1)
    assert agent_shell.running_agent(dict.fromkeys(run.result(2).split(), "1")) == "Codex"


def test_a_patch_does_not_write_into_the_vault(codex_desk: codex.Desk) -> None:
    codex_desk.install()
    run = codex_desk.ask(
        "Change the memories by hand",
        uses("apply_patch", patch=patch("*** Add File: .claude/memory/decisions/x.json", "+{}")),
        says("I may not."),
    )
    assert "`recollect remember" in run.result(1)
    assert list(codex_desk.vault.rglob("x.json*")) == []


def test_models_that_call_tools_from_scripts_are_noted_and_refused_too(codex_desk: codex.Desk) -> None:
    codex_desk.install()
    script = "const said = await tools.exec_command({cmd: 'echo hi > .claude/memory/x'}); text(said.output)"
    codex_desk.ask("Write it", uses("exec", patch=script), says("Refused."), model="gpt-6-sol")
    assert not (codex_desk.vault / "x").exists()
    [refused] = [one for one in codex_desk.noted() if one["tool"]]
    assert (refused["event"], refused["tool"]) == ("ToolStarting", "Bash")


def test_hooks_that_nobody_trusted_are_not_run(codex_desk: codex.Desk) -> None:
    codex_desk.recollect(*POSTGRES)
    codex_desk.install()
    assert BLOCK not in codex_desk.ask("Hello!", says("Hello."), trust=()).told()


def test_uninstall_leaves_no_trace(codex_desk: codex.Desk) -> None:
    codex_desk.recollect(*POSTGRES)
    codex_desk.install()
    installed = codex_desk.ask("Hello!", says("Hello."))
    assert BLOCK in installed.told()
    assert "- recollect: " in installed.told()  # the skill
    codex_desk.recollect("uninstall", "--yes")
    assert not codex_desk.client_settings.exists()
    after = codex_desk.ask("Hello again!", says("Hello."))
    assert BLOCK not in after.told()
    assert "- recollect: " not in after.told()
