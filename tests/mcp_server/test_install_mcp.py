"""`recollect install CLIENT --mcp`: the entry of the server in each client's settings, and its way back."""

import json
import sys
import tomllib
from pathlib import Path

import pytest
from builders import Box

from recollect.formats import json_text_edit
from recollect.setup.install import MCP_CLIENTS

ENTRY = {"command": sys.executable, "args": ["-P", "-m", "recollect.faces.mcp"]}
# Where each client keeps its settings below HOME on Linux, its list of servers, and what else an entry has.
PLACES = {
    "claude-code": (".claude.json", "mcpServers", {"type": "stdio"}),
    "claude-desktop": (".config/Claude/claude_desktop_config.json", "mcpServers", {}),
    "codex": (".codex/config.toml", "mcp_servers", {}),
    "cursor": (".cursor/mcp.json", "mcpServers", {}),
    "gemini": (".gemini/settings.json", "mcpServers", {}),
    "vscode": (".config/Code/User/mcp.json", "servers", {"type": "stdio"}),
    "windsurf": (".codeium/windsurf/mcp_config.json", "mcpServers", {}),
    "zed": (".config/zed/settings.json", "context_servers", {"source": "custom"}),
}
COMMENTED = '// mine\n{\n    "theme": "dark", // best\n    "%s": {\n        "other": { "command": "x" },\n    },\n}\n'
TOML = 'model = "gpt" # mine\n\n[mcp_servers.other]\ncommand = "x"\n\n[tui]\nnotifications = true\n'


@pytest.fixture
def box(make_box) -> Box:
    return make_box(git=False)


def read(path: Path) -> dict:
    text = path.read_text("utf-8")
    return tomllib.loads(text) if path.suffix == ".toml" else json_text_edit.parse(text)


def test_the_table_of_this_test_has_every_client():
    assert PLACES.keys() == MCP_CLIENTS.keys()


@pytest.mark.parametrize("client", PLACES)
def test_the_server_is_added_found_again_and_taken_out_to_the_byte(box, client):
    place, key, more = PLACES[client]
    path = box.folder / place
    home = {"env": {"RECOLLECT_HOME": str(box.home)}}  # it is set here
    said = box.run("install", client, "--mcp").out
    assert "MCP server" in said
    assert "Restart" in said
    assert read(path)[key]["recollect"] == {**more, **ENTRY, **home}
    written = path.read_bytes()
    assert "Already installed." in box.run("install", client, "--mcp").out
    assert path.read_bytes() == written
    assert "can start the server" in box.run("doctor", "--verbose", code=None).out
    assert "Uninstalled." in box.run("uninstall", client, "--mcp").out
    assert not path.exists()
    assert not path.parent.exists() or path.parent == box.folder  # the folders that we made are gone too


@pytest.mark.parametrize("client", PLACES)
def test_settings_of_somebody_keep_their_comments_and_come_back_to_the_byte(box, client):
    place, key, _ = PLACES[client]
    path = box.folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    before = TOML if path.suffix == ".toml" else COMMENTED % key
    path.write_text(before, "utf-8")
    box.run("install", client, "--mcp")
    during = path.read_text("utf-8")
    assert read(path)[key].keys() == {"other", "recollect"}
    assert "mine" in during
    box.run("uninstall", client)
    assert path.read_text("utf-8") == before
    # And where somebody changed them meanwhile, only our entry goes.
    box.run("install", client, "--mcp")
    changed = path.read_text("utf-8").replace("mine", "mine and changed")
    path.write_text(changed, "utf-8")
    assert "only our server is taken out" in box.run("uninstall", "--mcp").out
    assert read(path)[key].keys() == {"other"}
    assert path.read_text("utf-8") == before.replace("mine", "mine and changed")


def test_hooks_and_server_share_a_file_and_go_one_by_one_in_any_order(box):
    path = box.folder / ".gemini" / "settings.json"
    path.parent.mkdir()
    before = '{\n    "theme": "dark"\n}'
    for order in (("gemini", "gemini --mcp"), ("gemini --mcp", "gemini")):
        path.write_text(before)
        box.run("install", *order[0].split())
        box.run("install", *order[1].split())
        assert read(path).keys() == {"theme", "hooks", "mcpServers"}
        box.run("uninstall", "gemini", "--mcp")
        assert read(path).keys() - {"mcpServers"} == {"theme", "hooks"}
        assert "hooks" in box.run("doctor", "--verbose", code=None).out
        box.run("uninstall", "gemini")
        assert path.read_text() == before
        box.run("install", *order[0].split())
        box.run("install", *order[1].split())
        box.run("uninstall")  # both at once
        assert path.read_text() == before


def test_hooks_go_and_the_server_stays_where_only_the_first_is_named_by_its_scope(box):
    path = box.root / ".gemini" / "settings.json"
    box.run("install", "gemini", "--mcp", "--scope", "project")
    assert "recollect" in read(path)["mcpServers"]
    box.run("install", "cursor", "--mcp", "--scope", "project")
    assert "recollect" in read(box.root / ".cursor" / "mcp.json")["mcpServers"]
    box.run("uninstall", "cursor", "--scope", "project")
    assert not (box.root / ".cursor").exists()
    assert "recollect" in read(path)["mcpServers"]


def test_a_client_without_hooks_says_what_to_add_and_an_unknown_scope_is_refused(box):
    assert "add --mcp" in box.run("install", "zed", code=2).err
    assert "no project scope" in box.run("install", "windsurf", "--mcp", "--scope", "project", code=2).err


def test_settings_that_cannot_be_edited_are_left_alone(box):
    path = box.folder / ".cursor" / "mcp.json"
    path.parent.mkdir()
    for broken in ('{"mcpServers": [1]}', "{", "\xff"):
        path.write_bytes(broken.encode("latin-1"))
        assert "nothing was changed" in box.run("install", "cursor", "--mcp", code=1).err
        assert path.read_bytes() == broken.encode("latin-1")


def test_doctor_says_when_the_entry_or_its_python_is_gone(box):
    path = box.folder / ".cursor" / "mcp.json"
    box.run("install", "cursor", "--mcp")
    path.write_text(path.read_text().replace(sys.executable, "/nowhere/python"))
    assert "its Python is gone: /nowhere/python" in box.run("doctor", "--verbose", code=None).out
    path.write_text("{}")
    said = " ".join(box.run("doctor", "--verbose", code=None).out.split())
    assert "does not name the server any more" in said
    assert json.loads(box.run("install", "cursor", "--mcp", "--json").out)["installs"][0]["part"] == "mcp"
