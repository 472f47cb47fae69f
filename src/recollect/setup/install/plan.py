"""Plan an install or an uninstall: which files change, and what the manifest keeps of them. Nothing is written here."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from recollect.errors import BadInput, Forbidden
from recollect.setup import manifest
from recollect.setup.install.clients import CLIENTS, Client, Where
from recollect.setup.install.mcp_clients import MCP_CLIENTS, McpClient
from recollect.setup.manifest import HOOKS, MCP, Install, KeptFile, read_file, real, sha256

Target = Client | McpClient
TARGETS: dict[tuple[str, str], Target] = {
    **{(HOOKS, name): client for name, client in CLIENTS.items()},
    **{(MCP, name): client for name, client in MCP_CLIENTS.items()},
}
"""Everything that can be installed, by its part and client."""

SHARED_NOTE = (
    "That file is usually shared with others, and the command in it names this machine's Python; "
    "`--scope {private}` keeps it to yourself."
)
ONLY_OURS = {
    HOOKS: "changed since it was installed: only our hooks are taken out",
    MCP: "changed since it was installed: only our server is taken out",
}
PUT_BACK = "put back as it was"
LEFT = "changed since it was installed: left as it is"


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one file: its content before and after, None for no file."""

    path: Path
    before: bytes | None
    after: bytes | None
    hooks: tuple[str, ...] = ()
    """The entries of ours that are written or removed: events, or the server's name."""
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


def plan_install(client: Target, scope: str, where: Where) -> Plan:
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
    changes.append(_plan_settings(settings, client, where))
    files = [_keep(change, kept.get(change.path), client, settings, known) for change in changes]
    install = Install(client.name, scope, settings, tuple(files), client.part)
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


def _plan_settings(path: Path, client: Target, where: Where) -> Change:
    before = read_file(path)
    says = f"a link to {real(path)}" if path.is_symlink() else ""
    after = client.added(before, path, where.env)
    return Change(path, before, after, client.own(after, path), says)


def _keep(change: Change, kept: KeptFile | None, client: Target, settings: Path, known: Sequence[Install]) -> KeptFile:
    """Build what the manifest keeps of a file: the original is what was there before our first install."""
    folders, wrote = _own_folders(change.path, known), sha256(change.after or b"")
    if kept and not kept.is_changed(change.before):
        return replace(kept, folders=folders, wrote=(*(hash for hash in kept.wrote if hash != wrote), wrote))
    if change.path == settings:
        was_there = kept is None or kept.original is not None
        original = client.removed(change.before, settings, was_there=was_there)
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
        (other.part, other.settings): replace(other, files=tuple(kept.get(file.path, file) for file in other.files))
        for other in known
    }
    return tuple((installs | {(install.part, install.settings): install}).values())


def _recognised(client: Target, scope: str, where: Where) -> list[Install]:
    """Return the install that our entries in the settings show, although the manifest may not know it."""
    settings = client.settings(scope, where)
    before = read_file(settings)
    if before is None or not client.own(before, settings):
        return []
    texts = client.text_files(settings.parent, where.env).items()
    files = [KeptFile(path, None, (sha256(text),), (path.parent,)) for path, text in texts if read_file(path) == text]
    original = client.removed(before, settings, was_there=True)
    whole = (*files, KeptFile(settings, original, (sha256(before),)))
    return [Install(client.name, scope, settings, whole, client.part)]


def plan_uninstall(clients: Sequence[Target], scope: str | None, where: Where) -> Plan:
    """Plan what has to change so that clients no longer call us; no scope means every one."""
    known = manifest.read(where.home)
    chosen = _chosen(known, clients, scope, where)
    rest = tuple(install for install in known if install not in chosen)
    shared = {file.path for install in rest for file in install.files}
    changes: dict[Path, Change] = {}
    for install in chosen:
        target = TARGETS.get((install.part, install.client), CLIENTS["claude-code"])
        for file in reversed(install.files):  # the settings first: their hooks may name what goes after them
            if file.path == install.settings:
                is_shared = file.path in shared
                changes[file.path] = _plan_settings_back(file, target, changes.get(file.path), is_shared=is_shared)
            elif file.path not in shared:
                changes[file.path] = _plan_text_back(file)
    return Plan(tuple(chosen), tuple(changes.values()), known, during=known, after=_still_ours(rest, changes))


def _chosen(known: Sequence[Install], clients: Sequence[Target], scope: str | None, where: Where) -> list[Install]:
    """Return the installs of the manifest that are meant; where it knows none, those that we recognise."""
    pairs = [(client, name) for client in clients for name in client.scopes if scope in (None, name)]
    here = {client.settings(name, where) for client, name in pairs}
    named = {(client.part, client.name) for client in clients}
    found = [
        install
        for install in known
        if (install.part, install.client) in named and (scope is None or _is_in_scope(install, scope, here))
    ]
    if found:
        return found
    recognised = [install for client, name in pairs for install in _recognised(client, name, where)]
    return list({(install.part, install.settings): install for install in recognised}.values())


def _is_in_scope(install: Install, scope: str, here: set[Path]) -> bool:
    """Whether an install has a scope; a project's or local one only if it is of the project around."""
    return install.scope == scope and (scope == "user" or install.settings in here)


def _plan_settings_back(file: KeptFile, target: Target, planned: Change | None, *, is_shared: bool) -> Change:
    """Plan to put settings back as they were, or to take our entries out of settings that changed since.

    `planned` is what another of our installs in the same file takes out; `is_shared` tells that one of them stays.
    """
    before = planned.before if planned else read_file(file.path)
    now = planned.after if planned else before
    if before is None or (before == file.original and not planned):
        return Change(file.path, before, before)
    own = (*(planned.hooks if planned else ()), *target.own(now, file.path))
    if file.is_ours(before) and not is_shared:
        return Change(file.path, before, file.original, own, "" if file.original is None else PUT_BACK)
    after = target.removed(now, file.path, was_there=file.original is not None or is_shared)
    says = ONLY_OURS[target.part] if own and not file.is_ours(before) else ""
    return Change(file.path, before, after, own, says)


def _plan_text_back(file: KeptFile) -> Change:
    before = read_file(file.path)
    if before is None or before == file.original:
        return Change(file.path, before, before)
    if file.is_ours(before):
        return Change(file.path, before, file.original, (), "" if file.original is None else PUT_BACK)
    return Change(file.path, before, before, says=LEFT)


def _still_ours(rest: Sequence[Install], changes: Mapping[Path, Change]) -> tuple[Install, ...]:
    """Return the installs that stay; they know what we left of a file that they share with one that goes."""

    def known(file: KeptFile) -> KeptFile:
        change = changes.get(file.path)
        is_written = change is not None and change.after is not None and file.is_ours(change.before)
        return replace(file, wrote=(*file.wrote, sha256(change.after or b""))) if change and is_written else file

    return tuple(replace(install, files=tuple(map(known, install.files))) for install in rest)
