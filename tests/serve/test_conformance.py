"""The official conformance suite of MCP against `recollect serve --mcp`, over HTTP, for both revisions."""

import platform
import shutil
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest
from client.person import fetch
from forking import Forked
from serve.serving import announce, make_box, started
from serve.token_proxy import with_token

from recollect.errors import BadInput
from recollect.faces.mcp import tool_table
from recollect.faces.mcp.server import Call
from recollect.faces.mcp.tool import Tool
from recollect.faces.serve import start
from recollect.faces.serve.server import Address

LISTS = Path(__file__).parent / "conformance"
SUITE = "@modelcontextprotocol/conformance"
PROGRAM = f"node_modules/{SUITE}/dist/index.js"
NODE = 22
"""The oldest version of Node that the suite runs on."""
RUNS = {
    "2026-07-28": ("0.2.0-alpha.12", ("--requirements", "2026-07-28")),
    "2025-11-25": ("0.2.0-alpha.12", ("--requirements", "2025-11-25")),
    "0.1.16": ("0.1.16", ()),
}


def node() -> Path:
    """Node, of this machine if it is new enough; else the binary that a package carries."""
    own = shutil.which("node")
    said = subprocess.run([own, "--version"], capture_output=True, text=True).stdout if own else ""
    if own and int(said.lstrip("v").partition(".")[0] or 0) >= NODE:
        return Path(own)
    machine = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    package = f"node-{sys.platform}-{machine}"
    return fetch(f"{package}@26.10.0", f"node_modules/{package}/bin/node")


# -- in the server's process -------------------------------------------------------------------------------------------


def simple_text(_: Call) -> str:
    return "This is a simple text response for testing."


def error_handling(_: Call) -> str:
    raise BadInput("This tool intentionally returns an error for testing")


def progress(call: Call) -> str:
    for done in (0, 50, 100):
        call.go_on(done, 100, f"Completed step {done} of 100")
    return "done"


def run(folder: str) -> None:
    """Serve MCP with our tools, and with those tools of the suite's fixture that answer with text."""
    fixture = {
        "test_simple_text": simple_text,
        "test_error_handling": error_handling,
        "test_tool_with_progress": progress,
    }
    module = types.ModuleType("fixture")
    sys.modules["recollect.faces.mcp.tools.fixture"] = module
    for name, function in fixture.items():
        setattr(module, name, function)
    tool_table.SETS["fixture"] = tuple(
        Tool(name, name, "A tool of the suite.", f"fixture.{name}", properties={}, hints=tool_table.READ)
        for name in fixture
    )
    start.serve(folder, Address(), announce, mcp_tools=("default", "fixture"))


# -- in the test -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a proxy to the server: the suite cannot send a token."""
    box = make_box(tmp_path_factory.mktemp("conformance") / "user")
    box.run("remember", "Use pnpm, never npm")
    secret = box.run("serve", "token", "add", "suite", "--for", "mcp", "--scope", "write").out.strip()
    process = Forked(run, (str(box.root),), env=box.env, cwd=box.root)
    with started(process, box) as server, with_token(server.port, secret) as found:
        yield found


@pytest.mark.parametrize("name", RUNS)
def test_the_official_suite_finds_only_what_is_listed_with_a_reason(name, port, tmp_path):
    version, options = RUNS[name]
    suite = fetch(f"{SUITE}@{version}", PROGRAM)
    call = [str(node()), str(suite), "server", "--url", f"http://127.0.0.1:{port}/mcp", *options]
    done = subprocess.run(
        [*call, "--expected-failures", str(LISTS / f"{name}.yml")], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr[-2_000:]
    assert "tools-list" in done.stdout
