"""Plan an install or an uninstall: which files change, and what the manifest keeps of them. Nothing is written here."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from recollect.errors import BadInput, Forbidden
from recollect.formats import client_settings
from recollect.setup import manifest
from recollect.setup.install.clients import CLIENTS, Client, Where
from recollect.setup.manifest import Install, KeptFile, read_file, real, sha256

SHARED_NOTE = (
    "That file is usually shared with others, and the command in it names this machine's Python; "
    "`--scope {private}` keeps it to yourself."
)
ONLY_HOOKS = "changed since it was installed: only our hooks are taken out"
PUT_BACK = "put back as it was"
LEFT = "changed since it was installed: left as it is"


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one file: its content before and after, None for no file."""

    path: Path
    before: bytes | None
    after: bytes | None
    hooks: tuple[str, ...] = ()
    """The events whose entries of ours are written or removed."""
    says: str = ""

    @property
    def action(self) -> str:
        """What happens to the file: unchanged, created, removed or changed."""
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
    """The manifest that the plan was made with."""
    during: tuple[Install, ...]
    """The manifest while the files change: whatever happens then can be undone with it."""
    after: tuple[Install, ...]
    notes: tuple[str, ...] = ()

    @property
    def is_idle(self) -> bool:
        """Whether no file changes."""
        return all(change.before == change.after for change in self.changes)


def plan_install(client: Client, scope: str, where: Where) -> Plan:
    """Plan what has to change so that a client calls us; no change where all is in place."""
    settings = client.settings(scope, where)
    if scope == "project" and real(settings) == real(client.settings("user", where)):
        raise BadInput("here the project's settings are your own", target=settings, fix="Use --scope user.")
    known = manifest.read(where.home)
    kept = {file.path: file for install in (*_recognised(client, scope, where), *known) for file in install.files}
    changes = []
    for path, text in client.text_files(settings.parent, where.env).items():
        if scope != "user":
            _check_inside(path, where.root)
        changes.append(_plan_text(path, text, kept.get(path)))
    changes.append(_plan_settings(settings, client))
    files = [_keep(change, kept.get(change.path), client, settings, known) for change in changes]
    install = Install(client.name, scope, settings, tuple(files))
    after = _with_install(known, install)
    notes = (SHARED_NOTE.format(private=client.private_scope),) if scope == "project" else ()
    return Plan((install,), tuple(changes), known, during=after, after=after, notes=(*client.notes, *notes))


def _check_inside(path: Path, root: Path) -> None:
    """Raise Forbidden where a link leads out of the project: a clone may bring such links."""
    if not real(path).is_relative_to(real(root)):
        fix = "Look where its links lead and remove them, or use --scope user; nothing was changed."
        raise Forbidden("a link leads out of the project", target=path, fix=fix)


def _plan_text(path: Path, text: bytes, kept: KeptFile | None) -> Change:
    before = read_file(path)
    if kept and before is not None and kept.is_changed(before):
        return Change(path, before, before, says=LEFT)
    return Change(path, before, text)


def _plan_settings(path: Path, client: Client) -> Change:
    before, groups = read_file(path), client.groups()
    says = f"a link to {real(path)}" if path.is_symlink() else ""
    after = client_settings.hooked(before, groups, path, client.base)
    return Change(path, before, after, tuple(groups), says)


def _keep(change: Change, kept: KeptFile | None, client: Client, settings: Path, known: Sequence[Install]) -> KeptFile:
    """Build what the manifest keeps of a file: the original is what was there before our first install."""
    folders, wrote = _own_folders(change.path, known), sha256(change.after or b"")
    if kept and not kept.is_changed(change.before):
        return replace(kept, folders=folders, wrote=(*(hash for hash in kept.wrote if hash != wrote), wrote))
    if change.path == settings:
        was_there = kept is None or kept.original is not None
        original = client_settings.unhooked(change.before, settings, was_there=was_there, base=client.base)
        return KeptFile(settings, original, (wrote,), folders)
    return kept if kept and change.says == LEFT else KeptFile(change.path, change.before, (wrote,), folders)


def _own_folders(path: Path, known: Iterable[Install]) -> tuple[Path, ...]:
    """Return the folders around a file that are ours to remove: not there yet, or made by an earlier install."""
    made = {folder for install in known for file in install.files for folder in file.folders}
    missing = [folder for folder in path.parents if not folder.exists()]
    nearest = path.parents[len(missing)]
    if not nearest.is_dir():
        raise BadInput("this is not a folder", target=nearest, fix="Rename it, then try again; nothing was changed.")
    return tuple(folder for folder in path.parents if folder in made or folder in missing)


def _with_install(known: Sequence[Install], install: Install) -> tuple[Install, ...]:
    """Return the manifest with an install; scopes of one project share texts, so the others learn of them too."""
    kept = {file.path: file for file in install.files}
    installs = {
        other.settings: replace(other, files=tuple(kept.get(file.path, file) for file in other.files))
        for other in known
    }
    return tuple((installs | {install.settings: install}).values())


def _recognised(client: Client, scope: str, where: Where) -> list[Install]:
    """Return the install that our hooks in the settings show, although the manifest may not know it."""
    settings = client.settings(scope, where)
    before = read_file(settings)
    if before is None or not client_settings.own_handlers(before, settings):
        return []
    texts = client.text_files(settings.parent, where.env).items()
    files = [KeptFile(path, None, (sha256(text),), (path.parent,)) for path, text in texts if read_file(path) == text]
    original = client_settings.unhooked(before, settings, was_there=True)
    return [Install(client.name, scope, settings, (*files, KeptFile(settings, original, (sha256(before),))))]


def plan_uninstall(client: Client | None, scope: str | None, where: Where) -> Plan:
    """Plan what has to change so that clients no longer call us; None means every client, every scope."""
    known = manifest.read(where.home)
    chosen = _chosen(known, client, scope, where)
    rest = tuple(install for install in known if install not in chosen)
    shared = {file.path for install in rest for file in install.files}
    changes: dict[Path, Change] = {}
    for install in chosen:
        base = CLIENTS[install.client].base if install.client in CLIENTS else client_settings.NOTHING
        for file in reversed(install.files):  # the settings first: their hooks may name what goes after them
            if file.path not in shared:
                changes[file.path] = _plan_restore(file, base, is_settings=file.path == install.settings)
    return Plan(tuple(chosen), tuple(changes.values()), known, during=known, after=rest)


def _chosen(known: Sequence[Install], client: Client | None, scope: str | None, where: Where) -> list[Install]:
    """Return the installs of the manifest that are meant; where it knows none, those that we recognise."""
    pairs = [
        (candidate, name)
        for candidate in ([client] if client else CLIENTS.values())
        for name in candidate.scopes
        if scope in (None, name)
    ]
    here = {candidate.settings(name, where) for candidate, name in pairs}
    clients = {client.name} if client else set(CLIENTS)
    found = [
        install
        for install in known
        if install.client in clients and (scope is None or _is_in_scope(install, scope, here))
    ]
    if found:
        return found
    recognised = [install for candidate, name in pairs for install in _recognised(candidate, name, where)]
    return list({install.settings: install for install in recognised}.values())


def _is_in_scope(install: Install, scope: str, here: set[Path]) -> bool:
    """Whether an install has a scope; a project's or local one only if it is of the project around."""
    return install.scope == scope and (scope == "user" or install.settings in here)


def _plan_restore(file: KeptFile, base: Mapping[str, object], *, is_settings: bool) -> Change:
    before = read_file(file.path)
    if before is None or before == file.original:
        return Change(file.path, before, before)
    hooks = tuple(client_settings.own_handlers(before, file.path)) if is_settings else ()
    if file.is_ours(before):
        return Change(file.path, before, file.original, hooks, "" if file.original is None else PUT_BACK)
    if not is_settings:
        return Change(file.path, before, before, says=LEFT)
    after = client_settings.unhooked(before, file.path, was_there=file.original is not None, base=base)
    return Change(file.path, before, after, hooks, ONLY_HOOKS if hooks else "")
