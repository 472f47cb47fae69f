"""The state of every install that the manifest knows, for `doctor`."""

from dataclasses import dataclass
from pathlib import Path

from recollect.errors import RecollectError
from recollect.formats import client_settings, mcp_settings
from recollect.setup import manifest
from recollect.setup.hook_command import is_silent_without_python
from recollect.setup.install.clients import CLIENTS
from recollect.setup.install.mcp_clients import MCP_CLIENTS
from recollect.setup.manifest import HOOKS, MCP, Install, read_file


@dataclass(frozen=True, slots=True)
class Installed:
    """An install of the manifest, and whether it still works."""

    client: str
    scope: str
    settings: Path
    is_hooked: bool
    """Whether each event that we listen to still has our entry."""
    is_silent: bool
    """Whether its hooks stay silent when their Python is gone; those of an older version do not."""
    missing: tuple[Path, ...]
    """What our entries name (Python, the hook's file, folders) and what is not there."""


def installed(home: Path) -> list[Installed]:
    """Return every install of hooks that the manifest knows, with its state."""
    return [_state(install) for install in manifest.read(home) if install.part == HOOKS]


def mcp_problems(home: Path) -> dict[str, str]:
    """Return the clients whose settings should start our MCP server, each with what is wrong; empty if nothing is."""
    return {
        f"{install.client} ({install.scope})": _mcp_problem(install)
        for install in manifest.read(home)
        if install.part == MCP
    }


def _mcp_problem(install: Install) -> str:
    client = MCP_CLIENTS.get(install.client)
    try:
        data = read_file(install.settings)
        entry = mcp_settings.own_entry(data, client.key, install.settings, is_toml=client.is_toml) if client else None
    except RecollectError as error:
        return error.message
    if entry is None:
        return f"{install.settings} does not name the server any more"
    program = Path(str(entry["command"]))
    return "" if program.exists() else f"its Python is gone: {program}"


def missing_places(settings: Path) -> tuple[Path, ...]:
    """Return what our entries in a client's settings name and what is not there; empty where there are none."""
    try:
        handlers = client_settings.own_handlers(read_file(settings), settings)
    except RecollectError:
        return ()
    return _missing([client_settings.words(handler) for found in handlers.values() for handler in found])


def _missing(commands: list[list[str]]) -> tuple[Path, ...]:
    words = [word for command in commands for word in command]
    words += [f"{command[-4]}/recollect" for command in commands if len(command) > 4]  # the package in our folder
    places = dict.fromkeys(Path(word) for word in words if Path(word).is_absolute())
    return tuple(place for place in places if not place.exists())


def _state(install: Install) -> Installed:
    try:
        handlers = client_settings.own_handlers(read_file(install.settings), install.settings)
    except RecollectError:
        handlers = {}
    wanted = CLIENTS[install.client].groups() if install.client in CLIENTS else {}
    commands = [client_settings.words(handler) for found in handlers.values() for handler in found]
    return Installed(
        install.client,
        install.scope,
        install.settings,
        is_hooked=handlers.keys() >= wanted.keys(),
        is_silent=all(is_silent_without_python(command) for command in commands),
        missing=_missing(commands),
    )
