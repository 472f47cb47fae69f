"""What the real Gemini CLI, and the model behind it, get to see of recollect. A run takes seconds: there are few."""

from client import gemini
from client.api import says, uses

from recollect import agent_shell

POSTGRES = ("remember", "Postgres for orders", "--kind", "decision", "--why", "we need transactions")
BLOCK = "&lt;memory-context"  # the client takes signs for its own out of what hooks say


def test_a_session_is_noted_guarded_and_told_what_an_earlier_one_said(gemini_desk: gemini.Desk) -> None:
    before = gemini_desk.set_up()
    gemini_desk.recollect(*POSTGRES)
    gemini_desk.install()
    first = gemini_desk.ask(
        "The magic word is xylophone-42 for the deploy",
        uses("write_file", file_path="orders.py", content="TOTAL = 1\n"),
        uses("run_shell_command", command="echo bad; exit 3"),
        uses("write_file", file_path=".claude/memory/decisions/x.json", content="{}"),
        uses("run_shell_command", command="echo hi > .claude/memory/x"),
        uses("run_shell_command", command="cd /tmp && recollect trust --yes"),
        uses("run_shell_command", command="env | cut -d= -f1"),
        says("I will keep that in mind."),
    )
    assert BLOCK in first.told()
    assert "Postgres for orders" in first.told()
    assert (gemini_desk.root / "orders.py").exists()
    for refused in (first.result(3), first.result(4)):
        assert "`recollect remember" in refused
    assert [path.name for path in gemini_desk.vault.rglob("x*")] == []
    assert "their own terminal: cd /tmp && recollect trust" in first.result(5)
    assert agent_shell.running_agent(dict.fromkeys(first.result(6).replace("\\n", " ").split(), "1")) == "Gemini CLI"
    noted = gemini_desk.noted()
    assert {one["session"] for one in noted} == {first.session}
    assert [(one["event"], one["tool"], one["files_modified"]) for one in noted] == [
        ("SessionStarted", "", []),
        ("PromptSubmitted", "", []),
        ("ToolFinished", "write_file", ["orders.py"]),
        ("ToolFailed", "run_shell_command", []),
        ("ToolStarting", "write_file", []),
        ("ToolStarting", "run_shell_command", []),
        ("ToolStarting", "run_shell_command", []),
        ("ToolFinished", "run_shell_command", []),
        ("TurnEnded", "", []),
        ("SessionEnded", "", []),
    ]
    [turn] = gemini_desk.turns()
    assert "xylophone-42" in turn
    assert "I will keep that in mind." in turn
    assert BLOCK not in turn
    gemini_desk.recollect("retire", "postgres-for-orders", "--reason", "we use SQLite now")
    second = gemini_desk.ask("what was the magic word for the deploy?", says("It was xylophone-42."))
    assert second.session != first.session
    assert BLOCK in second.told()
    assert "xylophone-42" in second.told()
    gemini_desk.recollect("uninstall", "--yes")
    assert gemini_desk.client_settings.read_bytes() == before
    assert [path.name for path in gemini_desk.client_settings.parent.rglob("*recollect*")] == []
