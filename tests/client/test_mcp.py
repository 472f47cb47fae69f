"""The MCP server in the real clients: what one stores is found by another, and by the hook of a third."""

from collections.abc import Callable

from client import codex, gemini
from client.api import says, uses
from client.claude import Desk

TEXT = "Orders are kept in Postgres since the ledger lost a row"


def test_what_claude_code_stores_is_found_by_codex_and_gemini_and_by_geminis_hook(
    make_desk: Callable[..., Desk],
) -> None:
    claude = make_desk("ann")
    cleo = codex.Desk(codex.program(), claude.home, claude.root)
    gil = gemini.Desk(gemini.program(), claude.home, claude.root)
    gil.set_up()
    for client in ("claude-code", "codex", "gemini"):
        claude.recollect("install", client, "--mcp", "--yes")
    gil.install()
    allowed = ("--allowedTools", "mcp__recollect")
    saved = uses("mcp__recollect__remember", text=TEXT, kind="decision", why="a row was lost")
    first = claude.ask("Where do we keep orders?", saved, says("Saved."), flags=allowed)
    assert "created: " in first.result(1)
    handle = first.result(1).partition("created: ")[2].split()[0]
    second = cleo.ask("Find out", uses("mcp__recollect__recall", question="where are orders kept?"), says("Postgres."))
    assert handle in second.result(1)
    assert TEXT in second.result(1)
    third = gil.ask(
        "where are the orders kept since the ledger lost a row?",
        uses("mcp_recollect_read", handles=[handle]),
        says("In Postgres."),
    )
    assert TEXT in third.told().partition("</hook_context>")[0]
    assert "said by assistant through mcp" in third.result(1)
    sessions = {one["session"] for one in claude.noted() if one["event"] == "MemoriesAsked"}
    assert second.session in sessions  # Codex and Claude Code tell their own ids
    assert claude.recollect("show", handle, "--json").json["session"] == first.session
    claude.recollect("uninstall", "--yes")
    assert "recollect" not in (claude.home / ".claude.json").read_text()
    assert gil.client_settings.exists()
