"""Wiring recollect into a coding agent's settings, and taking it out again: plan, then apply, all or nothing."""

import contextlib
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import apsw

from recollect import machine, paths
from recollect.clients import claude_code, codex, cursor, gemini
from recollect.clients.base import Dialect
from recollect.errors import BadInput, Conflict, DiskRefused, Forbidden, RecollectError
from recollect.formats import client_settings
from recollect.formats.client_settings import Json
from recollect.project.checkout import find_checkout
from recollect.setup import manifest
from recollect.setup.manifest import Install, KeptFile, read_file, real, sha256

SCOPES = ("user", "project", "local")
LOCK_SECONDS = 10
COMMAND = "hook-command"
PACKAGE = Path(__file__).parents[1].absolute()
# Lines, not a file: Python ends with 2 when its file is gone, and to the client a 2 means "stop". So a program that was
# removed without `uninstall` would block every prompt; like this it is silent.
START = f"""import gc, sys
gc.disable()
sys.path[:0] = sys.argv[1:3]
try:
    from {client_settings.ENTRY_POINT} import main
except (ImportError, EOFError):
    sys.exit(0)
main(*sys.argv[3:])"""
SHARED_NOTE = (
    "That file is usually shared with others, and the command in it names this machine's Python; "
    "`--scope {private}` keeps it to yourself."
)
TRUST_NOTE = (
    "Codex runs hooks only after you have looked at them and trusted them: open it and enter `/hooks`. "
    "It asks again whenever the command changes."
)
ONLY_HOOKS = "changed since it was installed: only our hooks are taken out"
PUT_BACK = "put back as it was"
LEFT = "changed since it was installed: left as it is"


@dataclass(frozen=True, slots=True)
class Where:
    """Whose settings are meant: those of an environment's user, and those of a project."""

    root: Path
    env: Mapping[str, str]

    @property
    def home(self) -> Path:
        """Our own folder, which holds the manifest."""
        return paths.home(self.env)


@dataclass(frozen=True, slots=True)
class Client:
    """A coding agent that we can be wired into."""

    dialect: Dialect
    title: str
    settings: Callable[[str, Where], Path]
    """The file that holds the hooks of a scope."""
    group: Callable[[Dialect, str], Json]
    """What we put there for an event."""
    texts: Mapping[str, str]
    """Folders beside the settings, and the folders of `assets` whose files go there."""
    scopes: tuple[str, ...] = ("user", "project")
    base: Mapping[str, object] = field(default_factory=dict)
    """What the settings must hold besides hooks."""
    notes: tuple[str, ...] = ()
    """What a person has to know after an install."""

    @property
    def name(self) -> str:
        """How a person names it."""
        return self.dialect.NAME

    def groups(self) -> dict[str, Json]:
        """What we put into the settings, by the client's name of the event."""
        return {event: self.group(self.dialect, event) for event in self.dialect.HOOKED}


@dataclass(frozen=True, slots=True)
class Change:
    """One file: what it holds and what it is to hold, None for no file."""

    path: Path
    before: bytes | None
    after: bytes | None
    hooks: tuple[str, ...] = ()
    says: str = ""

    @property
    def action(self) -> str:
        """What happens to the file, in a word."""
        if self.before == self.after:
            return "unchanged"
        if self.before is None:
            return "created"
        return "removed" if self.after is None else "changed"


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that an install or an uninstall changes."""

    about: tuple[Install, ...]
    changes: tuple[Change, ...]
    known: tuple[Install, ...]
    """The manifest that it was planned with."""
    during: tuple[Install, ...]
    """The manifest while the files change: whatever happens then can be undone with it."""
    after: tuple[Install, ...]
    notes: tuple[str, ...] = ()

    @property
    def is_idle(self) -> bool:
        """Whether every file is as it should be."""
        return all(change.before == change.after for change in self.changes)


@dataclass(frozen=True, slots=True)
class Installed:
    """How an install fares."""

    client: str
    scope: str
    settings: Path
    is_hooked: bool
    """Whether each event that we listen to still has our entry."""
    missing: tuple[Path, ...]
    """What our entries name (Python, the hook's file, folders) and what is not there."""


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
    """A client's folder: in the project, or the user's own, which may be somewhere else."""
    if scope != "user":
        return where.root / name
    return Path(chosen).expanduser().absolute() if chosen else Path.home() / name


def hook_words() -> list[str]:
    """What Python is called with: no `site`, our first lines, and the two folders that it cannot find then."""
    return ["-I", "-S", "-E", "-c", START, str(PACKAGE.parent), str(Path(apsw.__path__[0]).parent)]


def _line(dialect: Dialect, event: str) -> str:
    """Our call as a shell takes it."""
    return shlex.join([sys.executable, *hook_words(), dialect.NAME, event])


def _claude_group(dialect: Dialect, event: str) -> Json:
    matcher, seconds = dialect.HOOKED[event]
    words = [*hook_words(), dialect.NAME, event]
    return _around(matcher, {"type": "command", "command": sys.executable, "args": words, "timeout": seconds})


def _codex_group(dialect: Dialect, event: str) -> Json:
    matcher, seconds = dialect.HOOKED[event]
    limit = {"additionalContextLimit": codex.CONTEXT_TOKENS} if event in dialect.LISTENS else {}
    return _around(matcher, {"type": "command", "command": _line(dialect, event), "timeout": seconds, **limit})


def _gemini_group(dialect: Dialect, event: str) -> Json:
    matcher, seconds = dialect.HOOKED[event]
    handler = {"type": "command", "name": "recollect", "command": _line(dialect, event), "timeout": seconds * 1_000}
    return _around(matcher, handler)


def _cursor_group(dialect: Dialect, event: str) -> Json:
    matcher, seconds = dialect.HOOKED[event]
    return {"command": _line(dialect, event), "timeout": seconds, **({"matcher": matcher} if matcher else {})}


def _around(matcher: str | None, handler: Json) -> Json:
    return {**({"matcher": matcher} if matcher else {}), "hooks": [handler]}


_SKILL = {"skills": "claude_code/skills"}
_TEXTS = {"commands": "claude_code/commands", **_SKILL}


def leave_command(home: Path) -> None:
    """Leave the hook's command line where the plugin's script looks for it."""
    place, said = home / COMMAND, shlex.join([sys.executable, *hook_words()]) + "\n"
    with contextlib.suppress(OSError):  # the script finds us by name as well
        if not place.exists() or place.read_text("utf-8") != said:
            draft = place.with_name(f"{COMMAND}.{os.getpid()}")
            draft.touch(0o600)
            draft.write_text(said, "utf-8")
            draft.replace(place)


CLIENTS = {
    one.name: one
    for one in [
        Client(claude_code, "Claude Code", _claude_settings, _claude_group, _TEXTS, scopes=SCOPES),
        Client(codex, "Codex", _codex_settings, _codex_group, _SKILL, notes=(TRUST_NOTE,)),
        Client(gemini, "Gemini CLI", _gemini_settings, _gemini_group, {"commands": "gemini/commands", **_SKILL}),
        Client(cursor, "Cursor", _cursor_settings, _cursor_group, _SKILL, base={"version": 1}),
    ]
}


def _texts(client: Client, folder: Path, env: Mapping[str, str]) -> dict[Path, bytes]:
    """The skill and the commands for a folder of the client's, with the program's name filled in."""
    program = _program(env)
    found = {folder / to: PACKAGE / "assets" / source for to, source in client.texts.items()}
    return {
        place / path.relative_to(source): path.read_text("utf-8").replace("{recollect}", program).encode()
        for place, source in found.items()
        for path in sorted(source.rglob("*"))
        if path.is_file()
    }


def _program(env: Mapping[str, str]) -> str:
    """How a shell calls this very installation: by name where PATH leads to it, else by its path."""
    own = shutil.which("recollect", path=str(Path(sys.executable).parent))
    found = shutil.which("recollect", path=env.get("PATH", os.defpath))
    is_on_path = own is None or (found is not None and Path(found).samefile(own))
    return "recollect" if is_on_path else shlex.quote(str(own))


def around(folder: Path, env: Mapping[str, str]) -> Where:
    """The user's settings, and those of the project around a folder."""
    return Where(find_checkout(folder).root, env)


def plan_install(client: Client, scope: str, where: Where) -> Plan:
    """What has to change so that a client calls us; nothing where all is as it should be."""
    settings = client.settings(scope, where)
    if scope == "project" and real(settings) == real(client.settings("user", where)):
        raise BadInput("here the project's settings are your own", target=settings, fix="Use --scope user.")
    known = manifest.read(where.home)
    held = {file.path: file for one in (*_recognised(client, scope, where), *known) for file in one.files}
    changes = []
    for path, text in _texts(client, settings.parent, where.env).items():
        if scope != "user":
            _check_inside(path, where.root)
        changes.append(_plan_text(path, text, held.get(path)))
    changes.append(_plan_settings(settings, client))
    files = [_hold(change, held.get(change.path), client, settings, known) for change in changes]
    install = Install(client.name, scope, settings, tuple(files))
    after = _remember(known, install)
    notes = (SHARED_NOTE.format(private=_private(client)),) if scope == "project" else ()
    return Plan((install,), tuple(changes), known, during=after, after=after, notes=(*client.notes, *notes))


def _private(client: Client) -> str:
    return "local" if "local" in client.scopes else "user"


def _check_inside(path: Path, root: Path) -> None:
    """A clone may bring links: none of them makes us write a text to another place."""
    if not real(path).is_relative_to(real(root)):
        fix = "Look where its links lead and remove them, or use --scope user; nothing was changed."
        raise Forbidden("a link leads out of the project", target=path, fix=fix)


def _plan_text(path: Path, text: bytes, held: KeptFile | None) -> Change:
    before = read_file(path)
    if held and before is not None and held.is_changed(before):
        return Change(path, before, before, says=LEFT)
    return Change(path, before, text)


def _plan_settings(path: Path, client: Client) -> Change:
    before, groups = read_file(path), client.groups()
    says = f"a link to {real(path)}" if path.is_symlink() else ""
    after = client_settings.hooked(before, groups, path, client.base)
    return Change(path, before, after, tuple(groups), says)


def _hold(change: Change, held: KeptFile | None, client: Client, settings: Path, known: Sequence[Install]) -> KeptFile:
    """What the manifest keeps of a file: the original is what was there before any install of ours."""
    folders, wrote = _folders(change.path, known), sha256(change.after or b"")
    if held and not held.is_changed(change.before):
        return replace(held, folders=folders, wrote=(*(one for one in held.wrote if one != wrote), wrote))
    if change.path == settings:
        was_there = held is None or held.original is not None
        original = client_settings.unhooked(change.before, settings, was_there=was_there, base=client.base)
        return KeptFile(settings, original, (wrote,), folders)
    return held if held and change.says == LEFT else KeptFile(change.path, change.before, (wrote,), folders)


def _folders(path: Path, known: Iterable[Install]) -> tuple[Path, ...]:
    """The folders around a file that are ours to remove: not there yet, or made by an earlier install."""
    made = {folder for one in known for held in one.files for folder in held.folders}
    missing = [folder for folder in path.parents if not folder.exists()]
    nearest = path.parents[len(missing)]
    if not nearest.is_dir():
        raise BadInput("this is not a folder", target=nearest, fix="Rename it, then try again; nothing was changed.")
    return tuple(folder for folder in path.parents if folder in made or folder in missing)


def _remember(known: Sequence[Install], install: Install) -> tuple[Install, ...]:
    """The manifest with an install; scopes of one project share texts, so what is known of a file is known to all."""
    held = {file.path: file for file in install.files}
    others = {one.settings: replace(one, files=tuple(held.get(file.path, file) for file in one.files)) for one in known}
    return tuple((others | {install.settings: install}).values())


def _recognised(client: Client, scope: str, where: Where) -> list[Install]:
    """An install by our hooks in the settings: the manifest may not know it."""
    settings = client.settings(scope, where)
    before = read_file(settings)
    if before is None or not client_settings.own_handlers(before, settings):
        return []
    texts = _texts(client, settings.parent, where.env).items()
    files = [KeptFile(path, None, (sha256(text),), (path.parent,)) for path, text in texts if read_file(path) == text]
    bare = client_settings.unhooked(before, settings, was_there=True)
    return [Install(client.name, scope, settings, (*files, KeptFile(settings, bare, (sha256(before),))))]


def plan_uninstall(client: Client | None, scope: str | None, where: Where) -> Plan:
    """What has to change so that clients no longer call us; without a client or a scope, anywhere."""
    known = manifest.read(where.home)
    chosen = _chosen(known, client, scope, where)
    rest = tuple(one for one in known if one not in chosen)
    shared = {held.path for one in rest for held in one.files}
    changes: dict[Path, Change] = {}
    for one in chosen:
        for held in reversed(one.files):  # the settings first: their hooks may name what goes after them
            if held.path not in shared:
                base = CLIENTS[one.client].base if one.client in CLIENTS else client_settings.NOTHING
                changes[held.path] = _plan_restore(held, base, is_settings=held.path == one.settings)
    return Plan(tuple(chosen), tuple(changes.values()), known, during=known, after=rest)


def _chosen(known: Sequence[Install], client: Client | None, scope: str | None, where: Where) -> list[Install]:
    """The installs of the manifest that are meant; where it knows none, those that we recognise."""
    clients = [client] if client else list(CLIENTS.values())
    scopes = {one.name: [each for each in one.scopes if scope in (None, each)] for one in clients}
    here = {one.settings(each, where) for one in clients for each in scopes[one.name]}
    names = {one.name for one in clients}
    found = [
        one
        for one in known
        if one.client in names and (scope is None or (one.scope == scope and (scope == "user" or one.settings in here)))
    ]
    recognised = (
        []
        if found
        else [each for one in clients for name in scopes[one.name] for each in _recognised(one, name, where)]
    )
    return found or list({one.settings: one for one in recognised}.values())


def _plan_restore(held: KeptFile, base: Mapping[str, object], *, is_settings: bool) -> Change:
    before = read_file(held.path)
    if before is None or before == held.original:
        return Change(held.path, before, before)
    hooks = tuple(client_settings.own_handlers(before, held.path)) if is_settings else ()
    if held.is_ours(before):
        return Change(held.path, before, held.original, hooks, "" if held.original is None else PUT_BACK)
    if not is_settings:
        return Change(held.path, before, before, says=LEFT)
    after = client_settings.unhooked(before, held.path, was_there=held.original is not None, base=base)
    return Change(held.path, before, after, hooks, ONLY_HOOKS if hooks else "")


def apply(plan: Plan, home: Path) -> None:
    """Make the changes, all or none. The manifest knows of them before they begin, so that a kill can be undone."""
    if plan.is_idle and plan.after == plan.known:
        return
    with manifest.refusals(home / manifest.NAME):
        machine.make_folder(home)
        with machine.lock(home, timeout_seconds=LOCK_SECONDS):
            _check_unmoved(plan, home)
            if plan.during != plan.known:
                manifest.write(home, plan.during)
            _carry_out(plan, home)
            if plan.after != plan.during:
                manifest.write(home, plan.after)


def _check_unmoved(plan: Plan, home: Path) -> None:
    moved = [change.path for change in plan.changes if read_file(change.path) != change.before]
    if moved or manifest.read(home) != plan.known:
        target = moved[0] if moved else home / manifest.NAME
        raise Conflict("the file changed meanwhile", target=target, fix="Try again; nothing was changed.")


def _carry_out(plan: Plan, home: Path) -> None:
    done: list[Change] = []
    try:
        for change in plan.changes:
            with manifest.refusals(change.path):
                _move(change, change.after)
            done.append(change)
    except DiskRefused:
        if _take_back(done) and plan.during != plan.known:
            manifest.write(home, plan.known)
        raise
    finally:
        _remove_empty_folders(plan)


def _move(change: Change, data: bytes | None) -> None:
    if change.before == change.after:
        manifest.drop_draft(change.path)
    else:
        manifest.put(change.path, data)


def _take_back(done: Sequence[Change]) -> bool:
    """Whether all of them could be taken back; otherwise the manifest still knows how."""
    for change in reversed(done):
        with contextlib.suppress(OSError):
            _move(change, change.before)
    return all(read_file(change.path) == change.before for change in done)


def _remove_empty_folders(plan: Plan) -> None:
    folders = {folder for one in plan.about for held in one.files for folder in held.folders}
    for folder in sorted(folders, key=lambda path: len(path.parts), reverse=True):
        with contextlib.suppress(OSError):  # it holds something, or is gone
            folder.rmdir()


def installed(home: Path) -> list[Installed]:
    """Every install of the manifest, with what has become of it."""
    return [_look(one) for one in manifest.read(home)]


def _look(one: Install) -> Installed:
    try:
        ours = client_settings.own_handlers(read_file(one.settings), one.settings)
    except RecollectError:
        ours = {}
    wanted = CLIENTS[one.client].groups() if one.client in CLIENTS else {}
    called = [client_settings.words(each) for found in ours.values() for each in found]
    words = [word for each in called for word in each]
    words += [f"{each[-4]}/recollect" for each in called if len(each) > 4]
    places = dict.fromkeys(Path(word) for word in words if Path(word).is_absolute())
    missing = tuple(place for place in places if not place.exists())
    return Installed(one.client, one.scope, one.settings, ours.keys() >= wanted.keys(), missing)
