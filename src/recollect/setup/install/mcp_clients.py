"""The clients whose settings can name our MCP server: where they are, and how an entry looks in them."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recollect.formats import mcp_settings
from recollect.setup.install.clients import Where
from recollect.setup.manifest import MCP

ARGUMENTS = ("-P", "-m", mcp_settings.MODULE)  # -P: a folder `recollect` in the project must not be loaded
RESTART = "Restart {title} so that it starts the server."
PROJECT_NOTE = "{title} names no project to the server: the agent gives the folder once in a session."


@dataclass(frozen=True)
class McpClient:
    """A client that starts MCP servers: its settings, and the shape of an entry."""

    name: str
    title: str
    settings: Callable[[str, Where], Path]
    """The settings file of a scope."""
    key: str = "mcpServers"
    """The list of servers in it."""
    scopes: tuple[str, ...] = ("user", "project")
    extra: tuple[tuple[str, str], ...] = ()
    """Further fields of an entry."""
    is_toml: bool = False
    names_project: bool = True
    """Whether the client tells the server which folder it works in."""

    part = MCP

    @property
    def private_scope(self) -> str:
        """The scope whose settings are not shared with others."""
        return "user"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person has to know after an install."""
        notes = (RESTART, *(() if self.names_project else (PROJECT_NOTE,)))
        return tuple(note.format(title=self.title) for note in notes)

    def entry(self, env: Mapping[str, str]) -> dict[str, Any]:
        """Return how the client starts our server: this Python, and the home where one is chosen."""
        home = env.get("RECOLLECT_HOME")
        chosen = {"env": {"RECOLLECT_HOME": str(Path(home).absolute())}} if home else {}
        return {**dict(self.extra), "command": sys.executable, "args": list(ARGUMENTS), **chosen}

    def added(self, before: bytes | None, target: Path, env: Mapping[str, str]) -> bytes:
        """Return the settings with our server; raises BadInput if the file cannot be edited."""
        return mcp_settings.added(before, self.key, self.entry(env), target, is_toml=self.is_toml)

    def removed(self, before: bytes | None, target: Path, *, was_there: bool) -> bytes | None:
        """Return the settings without our server; None if nothing is left of a file that we created."""
        if not self.own(before, target):
            return before
        return mcp_settings.removed(before, self.key, target, is_toml=self.is_toml, was_there=was_there)

    def own(self, data: bytes | None, target: Path) -> tuple[str, ...]:
        """Return the name of our server, if the settings have it."""
        return ("MCP server",) if mcp_settings.own_entry(data, self.key, target, is_toml=self.is_toml) else ()

    def text_files(self, folder: Path, env: Mapping[str, str]) -> dict[Path, bytes]:  # noqa: ARG002 - as Client
        """Return the files beside the settings: the server needs none."""
        return {}


def application_folder(env: Mapping[str, str]) -> Path:
    """Return the folder in which desktop programs keep their settings."""
    if sys.platform == "win32":  # pragma: no cover
        return Path(env.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    if sys.platform == "darwin":  # pragma: no cover
        return Path.home() / "Library" / "Application Support"
    return Path(env.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _claude_code(scope: str, where: Where) -> Path:
    if scope == "project":
        return where.root / ".mcp.json"
    folder = where.env.get("CLAUDE_CONFIG_DIR")
    return (Path(folder).expanduser().absolute() if folder else Path.home()) / ".claude.json"


def _claude_desktop(_: str, where: Where) -> Path:
    return application_folder(where.env) / "Claude" / "claude_desktop_config.json"


def _codex(scope: str, where: Where) -> Path:
    home = where.env.get("CODEX_HOME")
    own = Path(home).expanduser().absolute() if home else Path.home() / ".codex"
    return (where.root / ".codex" if scope == "project" else own) / "config.toml"


def _cursor(scope: str, where: Where) -> Path:
    return (where.root if scope == "project" else Path.home()) / ".cursor" / "mcp.json"


def _gemini(scope: str, where: Where) -> Path:
    home = Path(where.env.get("GEMINI_CLI_HOME") or Path.home()).expanduser().absolute()
    return (where.root if scope == "project" else home) / ".gemini" / "settings.json"


def _vscode(scope: str, where: Where) -> Path:
    if scope == "project":
        return where.root / ".vscode" / "mcp.json"
    return application_folder(where.env) / "Code" / "User" / "mcp.json"


def _windsurf(_: str, __: Where) -> Path:
    return Path.home() / ".codeium" / "windsurf" / "mcp_config.json"


def _zed(scope: str, where: Where) -> Path:
    if scope == "project":
        return where.root / ".zed" / "settings.json"
    if sys.platform == "win32":  # pragma: no cover
        return application_folder(where.env) / "Zed" / "settings.json"
    is_mac = sys.platform == "darwin"
    return (Path.home() / ".config" if is_mac else application_folder(where.env)) / "zed" / "settings.json"


_STDIO = (("type", "stdio"),)

MCP_CLIENTS = {
    client.name: client
    for client in [
        McpClient("claude-code", "Claude Code", _claude_code, extra=_STDIO),
        McpClient("claude-desktop", "Claude Desktop", _claude_desktop, scopes=("user",), names_project=False),
        McpClient("codex", "Codex", _codex, "mcp_servers", is_toml=True),
        McpClient("cursor", "Cursor", _cursor),
        McpClient("gemini", "Gemini CLI", _gemini),
        McpClient("vscode", "VS Code", _vscode, "servers", extra=_STDIO),
        McpClient("windsurf", "Windsurf", _windsurf, scopes=("user",), names_project=False),
        McpClient("zed", "Zed", _zed, "context_servers", extra=(("source", "custom"),)),
    ]
}
