"""The coding agents that recollect can be installed into: where their settings are, and what goes there."""

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from recollect import paths
from recollect.clients import claude_code, codex, cursor, gemini
from recollect.clients.base import Dialect
from recollect.formats import client_settings
from recollect.formats.client_settings import Json
from recollect.project.checkout import find_checkout
from recollect.setup.hook_command import PACKAGE, hook_command
from recollect.setup.manifest import HOOKS

SCOPES = ("user", "project", "local")
TRUST_NOTE = (
    "Codex runs hooks only after you have looked at them and trusted them: open it and enter `/hooks`. "
    "It asks again whenever the command changes."
)


@dataclass(frozen=True, slots=True)
class Where:
    """The user (by environment) and the project whose settings are meant."""

    root: Path
    env: Mapping[str, str]

    @property
    def home(self) -> Path:
        """Our own folder, which holds the manifest."""
        return Path(paths.home(self.env))


def around(folder: Path, env: Mapping[str, str]) -> Where:
    """Return the user of an environment, and the project around a folder."""
    return Where(find_checkout(folder).root, env)


@dataclass(frozen=True)
class Client:
    """A coding agent: its dialect, its settings files, and the shape of a hook entry in them."""

    dialect: Dialect
    title: str
    settings: Callable[[str, Where], Path]
    """The settings file of a scope."""
    group: Callable[[Dialect, str], Json]
    """Builds our entry for an event."""
    texts: Mapping[str, str]
    """Folders beside the settings, and the folders of `assets` whose files go there."""
    scopes: tuple[str, ...] = ("user", "project")
    base: Mapping[str, object] = field(default_factory=dict)
    """What the settings must hold besides hooks."""
    notes: tuple[str, ...] = ()
    """What a person has to know after an install."""

    part = HOOKS

    @property
    def name(self) -> str:
        """The name on the command line."""
        return self.dialect.NAME

    @property
    def private_scope(self) -> str:
        """The scope whose settings are not shared with others."""
        return "local" if "local" in self.scopes else "user"

    def groups(self) -> dict[str, Json]:
        """Build our entries, by the client's name of the event."""
        return {event: self.group(self.dialect, event) for event in self.dialect.HOOKED}

    def added(self, before: bytes | None, target: Path, env: Mapping[str, str]) -> bytes:  # noqa: ARG002 - as McpClient
        """Return the settings with our hooks; raises BadInput if the file is no valid settings."""
        return client_settings.hooked(before, self.groups(), target, self.base)

    def removed(self, before: bytes | None, target: Path, *, was_there: bool) -> bytes | None:
        """Return the settings without our hooks; None if nothing is left of a file that we created."""
        return client_settings.unhooked(before, target, was_there=was_there, base=self.base)

    def own(self, data: bytes | None, target: Path) -> tuple[str, ...]:
        """Return the events that have hooks of ours."""
        return tuple(client_settings.own_handlers(data, target))

    def text_files(self, folder: Path, env: Mapping[str, str]) -> dict[Path, bytes]:
        """Return the skill and the commands below the client's folder, with the program's name filled in."""
        program = _program(env)
        sources = {folder / target: PACKAGE / "assets" / source for target, source in self.texts.items()}
        return {
            target / path.relative_to(source): path.read_text("utf-8").replace("{recollect}", program).encode()
            for target, source in sources.items()
            for path in sorted(source.rglob("*"))
            if path.is_file()
        }


def _program(env: Mapping[str, str]) -> str:
    """Return how a shell calls this installation: by name where PATH leads to it, else by its path."""
    own = shutil.which("recollect", path=str(Path(sys.executable).parent))
    found = shutil.which("recollect", path=env.get("PATH", os.defpath))
    is_on_path = own is None or (found is not None and Path(found).samefile(own))
    return "recollect" if is_on_path else shlex.quote(str(own))


def _claude_settings(scope: str, where: Where) -> Path:
    folder = _folder(scope, where, ".claude", where.env.get("CLAUDE_CONFIG_DIR"))
    return folder / ("settings.local.json" if scope == "local" else "settings.json")


def _codex_settings(scope: str, where: Where) -> Path:
    return _folder(scope, where, ".codex", where.env.get("CODEX_HOME")) / "hooks.json"


def _gemini_settings(scope: str, where: Where) -> Path:
    home = where.env.get("GEMINI_CLI_HOME")
    return _folder(scope, where, ".gemini", f"{home}/.gemini" if home else None) / "settings.json"


def _cursor_settings(scope: str, where: Where) -> Path:
    return _folder(scope, where, ".cursor", None) / "hooks.json"


def _folder(scope: str, where: Where, name: str, chosen: str | None) -> Path:
    """Return a client's folder: in the project, or the user's own, which a variable may have moved."""
    if scope != "user":
        return where.root / name
    return Path(chosen).expanduser().absolute() if chosen else Path.home() / name


def _claude_group(dialect: Dialect, event: str) -> Json:
    matcher, seconds = dialect.HOOKED[event]
    program, *words = [*hook_command(), dialect.NAME, event]
    return _group(matcher, {"type": "command", "command": program, "args": words, "timeout": seconds})


def _codex_group(dialect: Dialect, event: str) -> Json:
    matcher, seconds = dialect.HOOKED[event]
    limit = {"additionalContextLimit": codex.CONTEXT_TOKENS} if event in dialect.LISTENS else {}
    return _group(matcher, {"type": "command", "command": _line(dialect, event), "timeout": seconds, **limit})


def _gemini_group(dialect: Dialect, event: str) -> Json:
    matcher, seconds = dialect.HOOKED[event]
    handler = {"type": "command", "name": "recollect", "command": _line(dialect, event), "timeout": seconds * 1_000}
    return _group(matcher, handler)


def _cursor_group(dialect: Dialect, event: str) -> Json:
    matcher, seconds = dialect.HOOKED[event]
    return {"command": _line(dialect, event), "timeout": seconds, **({"matcher": matcher} if matcher else {})}


def _line(dialect: Dialect, event: str) -> str:
    """Return our command as a line for a shell."""
    return shlex.join([*hook_command(), dialect.NAME, event])


def _group(matcher: str | None, handler: Json) -> Json:
    return {**({"matcher": matcher} if matcher else {}), "hooks": [handler]}


_SKILL = {"skills": "claude_code/skills"}
_CLAUDE_TEXTS = {"commands": "claude_code/commands", **_SKILL}
_GEMINI_TEXTS = {"commands": "gemini/commands", **_SKILL}

CLIENTS = {
    client.name: client
    for client in [
        Client(claude_code, "Claude Code", _claude_settings, _claude_group, _CLAUDE_TEXTS, scopes=SCOPES),
        Client(codex, "Codex", _codex_settings, _codex_group, _SKILL, notes=(TRUST_NOTE,)),
        Client(gemini, "Gemini CLI", _gemini_settings, _gemini_group, _GEMINI_TEXTS),
        Client(cursor, "Cursor", _cursor_settings, _cursor_group, _SKILL, base={"version": 1}),
    ]
}
