"""Checks of coding agents: whether their hooks call us, whether memory is switched off, Claude's own memory."""

import contextlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from recollect import foreign_files
from recollect.clients import claude_code
from recollect.errors import RecollectError
from recollect.hooks import inbox
from recollect.project_context import ProjectContext
from recollect.setup import install, on_off
from recollect.setup.doctor.check import Check, age, well, wrong
from recollect.setup.install import Installed, Where


def check_hooks(context: ProjectContext, home: Path) -> Check:
    """Check that every install still has its hooks, and that what they name is there; report the last event."""
    try:
        installs = install.installed(home)
    except RecollectError as error:
        return wrong("hooks", error.message, error.fix)
    last = _last_event(context, home)
    event = f"last event {last}" if last else "no event yet"
    if not installs:
        return well("hooks", f"not installed; {event}", None if last else "Run `recollect install claude-code`.")
    return _check_installs(installs) or _well_installed(installs, event, has_event=bool(last))


def _check_installs(installs: Sequence[Installed]) -> Check | None:
    """Return what is wrong with the first install that lacks something; None if all are well."""
    for found in installs:
        if found.missing or not found.is_hooked:
            lack = _lack(found.missing[0]) if found.missing else f"{found.settings} lacks our hooks"
            return wrong("hooks", f"{found.client}, {found.scope}: {lack}", f"Run `recollect install {found.client}`.")
    return None


def _lack(missing: Path) -> str:
    """Return what is missing, in words."""
    is_python = missing.name.startswith(("python", "pypy"))
    return f"its hooks call a Python that is gone: {missing}" if is_python else f"{missing} is missing"


def check_mcp(home: Path) -> list[Check]:
    """Check that clients can still start the MCP server; nothing where it was not installed."""
    with contextlib.suppress(RecollectError):  # `check_hooks` reports a manifest that cannot be read
        found = install.mcp_problems(home)
        bad = {name: problem for name, problem in found.items() if problem}
        for name, problem in bad.items():
            fix = f"Run `recollect install {name.partition(' ')[0]} --mcp`."
            return [wrong("mcp", f"{name}: {problem}", fix)]
        return [well("mcp", f"{', '.join(found)} can start the server")] if found else []
    return []


def check_unknown_hooks(context: ProjectContext, home: Path) -> list[Check]:
    """Check hooks of ours that another installation wrote, and that call a Python or folder which is gone."""
    where = Where(context.checkout.root, context.env)
    with contextlib.suppress(RecollectError):  # `check_hooks` reports a manifest that cannot be read
        known = {found.settings for found in install.installed(home)}
        return [
            wrong("hooks", f"{client.name}, {scope}: {_lack(missing[0])}", f"Run `recollect install {client.name}`.")
            for client in install.CLIENTS.values()
            for scope in client.scopes
            if client.settings(scope, where) not in known
            and (missing := install.missing_places(client.settings(scope, where)))
        ]
    return []


def _well_installed(installs: Sequence[Installed], event: str, *, has_event: bool) -> Check:
    names = ", ".join(f"{found.client} ({found.scope})" for found in installs)
    old = next((found.client for found in installs if not found.is_silent), "")
    hint = None if has_event else "Start a session; if this stays, look into the client's own log of hooks."
    hint = f"An older version wrote its hooks: `recollect install {old}` renews them." if old else hint
    return well("hooks", f"{names}; {event}", hint)


def _last_event(context: ProjectContext, home: Path) -> str:
    """Return how long ago the newest event came, and its name; empty if there was none."""
    newest, name = context.store.sessions.last_event() or (0.0, "")
    waiting = inbox.waiting(str(home))
    if waiting and (at := inbox.moment(waiting[-1])) > newest:
        newest, name = at, "which waits"
    return f"{age(context.clock(), newest)} ago ({name})" if newest else ""


def check_switch(context: ProjectContext) -> list[Check]:
    """Report that memory is switched off here; nothing where it is on."""
    off = on_off.reason(context, context.checkout.root)
    return [well("switch", f"memory is off here: {off}", "`recollect on` switches it on.")] if off else []


def check_auto_memory(home: Path, env: Mapping[str, str]) -> list[Check]:
    """Report that Claude Code keeps notes of its own beside ours; nothing where it does not."""
    if env.get("CLAUDE_CODE_DISABLE_AUTO_MEMORY") or not _is_installed(home, claude_code.NAME):
        return []
    if _claude_settings(env).get("autoMemoryEnabled") is False:
        return []
    says = "Claude Code's own auto memory is on too; `recollect import` reads its notes"
    return [well("auto memory", says, 'To turn it off: "autoMemoryEnabled": false in its settings.')]


def _claude_settings(env: Mapping[str, str]) -> Mapping[str, object]:
    """Return the user's settings of Claude Code; empty where they cannot be read."""
    folder = Path(env.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")
    try:
        data = foreign_files.read(str(folder / "settings.json"), most_bytes=foreign_files.SETTINGS_BYTES)
        settings = json.loads(data)
    except (OSError, ValueError, RecursionError):
        return {}
    return settings if isinstance(settings, dict) else {}


def _is_installed(home: Path, client: str) -> bool:
    try:
        return any(found.client == client for found in install.installed(home))
    except RecollectError:
        return False
