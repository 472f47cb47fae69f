"""docs/mcp.md is true: its lines run, and it names every tool, set, client and file."""

import re
import shlex
from pathlib import Path

from recollect.faces.mcp.tool_table import SETS
from recollect.setup.install import MCP_CLIENTS, Where

PAGE = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text("utf-8")


def test_every_client_has_a_line_that_runs_and_its_file_in_the_table(make_box):
    box = make_box(git=False)
    lines = re.findall(r"^recollect (install .+)$", PAGE, re.MULTILINE)
    assert {line.split()[1] for line in lines} == set(MCP_CLIENTS)
    for line in lines:
        box.run(*shlex.split(line))
    box.run("uninstall")
    rows = {row.split("|")[1].strip(): row for row in PAGE.splitlines() if row.startswith("| ")}
    for name, client in MCP_CLIENTS.items():
        for scope in client.scopes:
            assert client.settings(scope, Where(box.root, {})).name in rows[name]


def test_every_tool_and_set_is_explained():
    rows = [row for row in PAGE.splitlines() if row.startswith("| `")]
    named = set(re.findall(r"`(\w+)`", "\n".join(rows)))
    assert {tool.name for tools in SETS.values() for tool in tools} <= named
    assert set(SETS) <= named
