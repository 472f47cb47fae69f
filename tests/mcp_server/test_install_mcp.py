"""`recollect install CLIENT --mcp`: the entry of the server in each client's settings, and its way back."""

import json
import re
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


HARD = {
    "vscode": [
        b"", b"  \n", b"\xef\xbb\xbf", b"// nothing yet", b"/* nothing */ {} // yet\n", b'{"a": 1,}', b'{"servers":{}}',
        b'{"servers": {\n  // none yet\n}}', b'\xef\xbb\xbf{\r\n\t"a": 1 // one\r\n}',
        b'{\n  "a": 1\n  , "b": "//,}"\n}',
        b'// 1\n{ // 2\n  "servers": { // 3\n    "x": {"command": "y"} // 4\n    // 5\n  } // 6\n} // 7',
    ],
    "codex": [
        b"", b"\n\n", b'model = "x"', b'\xef\xbb\xbfmodel = "x"\r\n', b'x = """\n[mcp_servers.recollect]\n"""\n',
        b'mcp_servers.other.command = "y"\n',
        b'# 1\n[mcp_servers.other] # 2\ncommand = "y" # 3\n\n# 4\n[[x]]\ny = [\n 1, # 5\n]\n',
    ],
}  # fmt: skip


@pytest.mark.parametrize("client", HARD)
def test_settings_of_every_look_come_back_to_the_byte(box, client):
    path = box.folder / PLACES[client][0]
    path.parent.mkdir(parents=True, exist_ok=True)
    for before in HARD[client]:
        path.write_bytes(before)
        path.chmod(0o640)
        box.run("install", client, "--mcp")
        during = path.read_bytes()
        assert during.startswith(b"\xef\xbb\xbf") == before.startswith(b"\xef\xbb\xbf")
        path.write_bytes(during + b"\n")  # somebody touches it
        box.run("uninstall", client, "--mcp")
        left = path.read_bytes()
        assert b"recollect.faces.mcp" not in left
        assert re.findall(rb"[\w/]+", before) == [word for word in re.findall(rb"[\w/]+", left) if word in before]
        path.write_bytes(before)
        box.run("install", client, "--mcp")
        box.run("uninstall", client, "--mcp")
        assert path.read_bytes() == before
        assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link_and_its_file_comes_back_to_the_byte(box):
    path, real = box.folder / ".cursor" / "mcp.json", box.folder / "dotfiles" / "mcp.json"
    for folder in (path.parent, real.parent):
        folder.mkdir()
    real.write_bytes(b'{"mcpServers": {}}')
    path.symlink_to(real)
    box.run("install", "cursor", "--mcp")
    assert path.is_symlink()
    assert "recollect" in read(real)["mcpServers"]
    box.run("uninstall", "cursor", "--mcp")
    assert path.is_symlink()
    assert real.read_bytes() == b'{"mcpServers": {}}'


def test_another_server_of_the_same_name_is_not_replaced_and_our_own_by_hand_is(box):
    path = box.folder / ".cursor" / "mcp.json"
    path.parent.mkdir()
    for other in ({"command": "theirs"}, {"url": "http://127.0.0.1/mcp"}, {"command": "recollect", "args": 5}):
        before = json.dumps({"mcpServers": {"recollect": other}})
        path.write_text(before)
        assert "another server is called recollect" in box.run("install", "cursor", "--mcp", code=1).err
        assert path.read_text() == before
    path.write_text(json.dumps({"mcpServers": {"recollect": {"command": "/usr/bin/recollect", "args": ["mcp"]}}}))
    box.run("install", "cursor", "--mcp")
    assert read(path)["mcpServers"]["recollect"]["command"] == sys.executable


def test_what_codex_adds_below_the_entry_goes_with_it(box):
    path = box.folder / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_text('model = "gpt"\n')
    box.run("install", "codex", "--mcp")
    more = '\n[mcp_servers.recollect.tools.recall]\napproval_mode = "approve"\n\n[tui]\nx = 1\n'
    path.write_text(path.read_text() + more)
    box.run("uninstall", "codex", "--mcp")
    assert read(path) == {"model": "gpt", "tui": {"x": 1}}


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
