"""Is recollect really called, and does what it notes get worked through? Checks for `doctor`."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from recollect import folders, foreign_files
from recollect.clients import claude_code
from recollect.config.sections import CaptureSection
from recollect.errors import RecollectError
from recollect.hooks import inbox, wiring
from recollect.jobs import pruning, runner
from recollect.model.search_words import MODEL
from recollect.project_context import ProjectContext
from recollect.setup import install, on_off
from recollect.setup.check import Check

OLD_SECONDS = 3_600
WEEK = 7 * 86_400
REINSTALL = "Install recollect again with its dependencies."
STORE = "memory.store"


def examine(context: ProjectContext, home: Path) -> list[Check]:
    """Hooks, worker, inbox, what went wrong, Claude's own memory, capabilities."""
    found = [_hooks(context, home), _worker(context, home), *_waiting_here(context, home), *_off(context)]
    return [*found, _recall(context), *_own_memory(home, context.env), _capabilities()]


def _recall(context: ProjectContext) -> Check:
    """Whether meanings can be compared, what waits for it, and how recalls went."""
    table = context.store.recall
    known, missing = table.known_number(MODEL), table.missing_number(MODEL)
    says = f"{known:,} memories compared by meaning"
    says += f", {missing:,} by their words until the worker has been" if missing else ""
    went = table.states(context.clock().timestamp() - WEEK)
    told = tuple(f"{number} recalls this week: {state}" for state, number in went.items())
    with context.store.recall_source() as source:
        is_loaded = source.load_vectors()
    if not is_loaded:
        return Check("recall", False, f"by words alone: sqlite-vec cannot be loaded; {says}", REINSTALL, told)
    return Check("recall", True, says, None, told)


def _waiting_here(context: ProjectContext, home: Path) -> list[Check]:
    return waiting(home, context.clock(), context.config.capture.ttl_days)


def waiting(home: Path, now: datetime, ttl_days: int = CaptureSection().ttl_days) -> list[Check]:
    """What can be said without the store: which events wait, which were set aside, what went wrong."""
    return [_inbox(now, home), *_aside(home, pruning.kept_days(ttl_days)), *_log(now, home)]


def _hooks(context: ProjectContext, home: Path) -> Check:
    try:
        known = install.installed(home)
    except RecollectError as error:
        return Check("hooks", False, error.message, error.fix)
    last = _last_event(context, home)
    said = f"last event {last}" if last else "no event yet"
    if not known:
        fix = "Run `recollect install claude-code`." if not last else None
        return Check("hooks", True, f"not installed by us; {said}", fix)
    for one in known:
        if not one.is_hooked or one.missing:
            gone = f"{one.missing[0]} is missing" if one.missing else f"{one.settings} lacks our hooks"
            return Check("hooks", False, f"{one.client}, {one.scope}: {gone}", f"Run `recollect install {one.client}`.")
    names = ", ".join(f"{one.client} ({one.scope})" for one in known)
    fix = None if last else "Start a session; if this stays, look into the client's own log of hooks."
    return Check("hooks", True, f"{names}; {said}", fix)


def _last_event(context: ProjectContext, home: Path) -> str:
    drained = context.store.sessions.last_event()
    newest, name = drained or (0.0, "")
    waiting = inbox.waiting(str(home))
    if waiting and (at := inbox.moment(waiting[-1])) > newest:
        newest, name = at, "which waits"
    return f"{_age(context.clock(), newest)} ago ({name})" if newest else ""


def _age(now: datetime, at: float) -> str:
    seconds = max(0, int(now.timestamp() - at))
    for size, unit in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} seconds"


def _worker(context: ProjectContext, home: Path) -> Check:
    ran = context.store.setting(runner.RAN)
    said = f"last ran {_age(context.clock(), float(ran))} ago" if ran else "has not run yet"
    if (home / "draining").exists():
        said += "; one is at work, or was killed"
    return Check("worker", True, said)


def _inbox(now: datetime, home: Path) -> Check:
    names = inbox.waiting(str(home))
    if not names:
        return Check("inbox", True, "no events wait")
    oldest = inbox.moment(names[0])
    said = f"{len(names)} events wait, the oldest for {_age(now, oldest)}"
    is_late = now.timestamp() - oldest > OLD_SECONDS
    return Check("inbox", not is_late, said, "Run `recollect drain`." if is_late else None)


def _aside(home: Path, days: int) -> list[Check]:
    place = Path(folders.aside(str(home)))
    times = sorted(event.stat().st_mtime for event in place.glob("*")) if place.is_dir() else []
    if not times:
        return []
    first, last = (datetime.fromtimestamp(at, UTC) + timedelta(days=days) for at in (times[0], times[-1]))
    until = f"{first:%Y-%m-%d}" if first.date() == last.date() else f"{first:%Y-%m-%d} to {last:%Y-%m-%d}"
    said = f"{len(times)} events could not be worked through; the worker removes them on {until}"
    return [Check("set aside", False, said, f"Look at {place}; remove what is of no use.")]


def _log(now: datetime, home: Path) -> list[Check]:
    place = Path(folders.log(str(home)))
    if not place.exists():
        return []
    lines = place.read_text("utf-8", "replace").splitlines()
    day = f"{now:%Y-%m-%d}"
    today = [line for line in lines if line.startswith(day)]
    if not today:
        return []
    said = f"{len(today)} problems today; the last: {today[-1][21:221]}"
    return [Check("log", False, said, f"{place} has them all; clients were not disturbed.")]


def _off(context: ProjectContext) -> list[Check]:
    off = on_off.reason(context, context.checkout.root)
    return [Check("switch", True, f"memory is off here: {off}", "`recollect on` switches it on.")] if off else []


def _own_memory(home: Path, env: Mapping[str, str]) -> list[Check]:
    """Claude Code keeps notes of its own: both may be on, but a person should know."""
    if env.get("CLAUDE_CODE_DISABLE_AUTO_MEMORY") or not _is_installed(home, claude_code.NAME):
        return []
    folder = Path(env.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")
    try:
        data = foreign_files.read(str(folder / "settings.json"), most_bytes=foreign_files.SETTINGS_BYTES)
        settings = json.loads(data)
    except (OSError, ValueError, RecursionError):
        settings = {}
    if isinstance(settings, dict) and settings.get("autoMemoryEnabled") is False:
        return []
    said = "Claude Code's own auto memory is on too; `recollect import` takes its notes in"
    return [Check("auto memory", True, said, 'To turn it off: "autoMemoryEnabled": false in its settings.')]


def _is_installed(home: Path, client: str) -> bool:
    try:
        return any(one.client == client for one in install.installed(home))
    except RecollectError:
        return False


def _capabilities() -> Check:
    """Who provides what, and who uses it, from the wiring table (seed 004's registry)."""
    used = {need for row in wiring.BINDINGS for need in row.uses}
    registry = capabilities()
    lacking = sorted(used - {str(row["capability"]) for row in registry})
    if lacking:
        return Check("capabilities", False, f"nothing provides {', '.join(lacking)}")
    return Check("capabilities", True, f"{len(registry)}, nothing lacks", None, tuple(map(_described, registry)))


def _described(row: Mapping[str, str | list[str]]) -> str:
    users = f", used by {', '.join(row['used_by'])}" if row["used_by"] else ""
    return f"{row['capability']} by {', '.join(row['provided_by'])}{users}"


def capabilities() -> list[dict[str, str | list[str]]]:
    """The registry: each capability, the handlers that provide it, and those that use it."""
    names = dict.fromkeys([STORE, *(row.provides for row in wiring.BINDINGS)])
    return [
        {
            "capability": name,
            "provided_by": sorted({row.handler for row in wiring.BINDINGS if row.provides == name} or {"store"}),
            "used_by": sorted({row.handler for row in wiring.BINDINGS if name in row.uses}),
        }
        for name in names
    ]
