"""The library: `recollect.open(path)` gives a Workspace, whose verbs are those of the command line."""

import difflib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from recollect import config, machine, paths, project
from recollect.config import Config, Settings
from recollect.errors import Ambiguous, BadInput, DiskRefused, NotFound, Refused, StoreCorrupt, Untrusted
from recollect.lifecycle import doctor, identity, save, setup, sync, twin, undo
from recollect.lifecycle.doctor import Check
from recollect.lifecycle.save import Outcome
from recollect.lifecycle.space import Space
from recollect.lifecycle.sync import Report
from recollect.model import clock
from recollect.model.change import Archive, Change, Create, Purge, Restore, Retire, Revise, Weigh
from recollect.model.clock import Clock
from recollect.model.kinds import KINDS, Kinds
from recollect.model.memory import Memory, Origin, Sensitivity, Status
from recollect.model.query import Query
from recollect.policy import compose
from recollect.policy.compose import Note
from recollect.project import Checkout
from recollect.store.base import Entry, Stored
from recollect.store.sqlite import SqliteStore
from recollect.vault.files import Writing
from recollect.vault.layouts import JSON_ROOT, Vault, open_vault
from recollect.vault.lock import warn_on_stderr

Warn = Callable[[str], None]


class Workspace:
    """A project with everything open. Use it as a context manager; its verbs may be called from several threads."""

    def __init__(self, space: Space, settings: Settings, *, is_trusted: bool, is_named: bool = False) -> None:
        self._space = space
        self._signature = space.checkout.signature()
        self._branch: str | None = None
        self._is_named = is_named
        self.settings = settings
        self.is_trusted = is_trusted

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the store."""
        self._space.store.close()

    @property
    def space(self) -> Space:
        """What the lifecycle works on."""
        return self._space

    @property
    def root(self) -> Path:
        """The project's root folder."""
        return self._space.checkout.root

    @property
    def project(self) -> str:
        """The project's identity."""
        return self._space.project

    @property
    def kinds(self) -> Kinds:
        """The KINDS table with the user's own rows."""
        return self._space.kinds

    # -- setting up ---------------------------------------------------------------------------------------------

    def init(self, layouts: Sequence[config.Layout] = ()) -> Report:
        """Switch the vault on in this checkout, vouch for it, take in what is there, and write what is not."""
        wanted = tuple(dict.fromkeys(layouts))
        if wanted and wanted != self._load_trusted().config.vault.layouts:
            setup.write_layouts(self.root / ".recollect.toml", wanted)
        return self.trust()

    def trust(self) -> Report:
        """Vouch for the vault and the project settings of this clone; take in what is there, and write what is not."""
        space = self._space
        identity.meet(space.store, space.checkout, space.project, trusted=True, now=space.clock, actor=space.actor)
        save.mirror(space)
        self.settings, self.is_trusted = self._load_trusted(), True
        space.store.kinds = self.settings.config.kind_table()
        vault = open_vault(self.root, self.settings.config.vault.layouts, space.store.kinds)
        self._space = replace(space, vault=vault, config=self.settings.config)
        setup.make_folders(self._space)
        report = self.reconcile()
        report.written += setup.publish(self._space)
        return report

    def _load_trusted(self) -> Settings:
        return config.load(project=self.root, memory_root=self.root / JSON_ROOT, flags=self.settings.flags)

    # -- writing ------------------------------------------------------------------------------------------------

    def remember(
        self,
        text: str,
        *,
        kind: str = "note",
        title: str | None = None,
        why: str | None = None,
        tags: Sequence[str] = (),
        fields: Mapping[str, Any] | None = None,
        files: Sequence[str] = (),
        confidence: float | None = None,
        importance: float = 0.5,
        sensitivity: Sensitivity = "public",
        origin: Origin = "user",
        session: str | None = None,
        ttl_days: float | None = None,
        everywhere: bool = False,
    ) -> Outcome:
        """Keep something; what is known already gets the new metadata.

        `text` fills the main field of the kind and `why` its reason; `fields` sets any other. Without a title the
        text's first line serves. `files` are what it is about; `everywhere` shows it in every project.
        """
        note = Note(
            text, kind, title, why, tags, fields, files, confidence, importance, sensitivity, origin, session,
            ttl_days, everywhere,
        )  # fmt: skip
        return self.remember_all([note])[0]

    def remember_all(self, notes: Iterable[Note]) -> list[Outcome]:
        """Keep many things in one group: all of them or none."""
        made = [Create(self._compose(note)) for note in notes]
        self.meet()
        self.look()
        return save.commit(self._space, made)

    def revise(self, memory: Memory, *, expect: str | None = None) -> Outcome:
        """Replace a memory by an edited copy; `expect` is the revision that was read."""
        return save.commit(self._space, [Revise(memory, expect=expect)])[0]

    def edit(
        self,
        name: str,
        *,
        title: str | None = None,
        text: str | None = None,
        add_tags: Sequence[str] = (),
        remove_tags: Sequence[str] = (),
        fields: Mapping[str, Any] | None = None,
        confidence: float | None = None,
        importance: float | None = None,
    ) -> Outcome:
        """Change parts of a memory; what is not named stays."""
        stored = self._own(self.find(name))
        edited = compose.edited(
            stored.memory,
            self.kinds,
            title=title,
            text=text,
            add_tags=add_tags,
            remove_tags=remove_tags,
            fields=fields or {},
            confidence=confidence,
            importance=importance,
        )
        return self.revise(edited, expect=stored.revision)

    def pin(self, name: str, *, pinned: bool = True) -> Outcome:
        """Protect a memory from being forgotten, or stop protecting it."""
        return self._change(name, lambda uid: Weigh(uid, pinned=pinned))

    def retire(self, name: str, reason: str = "No reason provided") -> Outcome:
        """Soft delete: it is no longer recalled, and its file goes after the grace period."""
        return self._change(name, lambda uid: Retire(uid, reason))

    def archive(self, name: str, reason: str = "No reason provided") -> Outcome:
        """Shelve for good."""
        return self._change(name, lambda uid: Archive(uid, reason))

    def restore(self, name: str) -> Outcome:
        """Bring back a retired or archived memory, or take in a file whose text was purged."""
        held = self._held_path(name)
        if held:
            sync.take_in_file(self._space, held)
            return Outcome("restored", self.find(held).memory, path=held)
        return self._change(name, Restore)

    def purge(self, name: str, reason: str = "No reason provided") -> Outcome:
        """Erase a memory and its file; a tombstone keeps the text from being learnt again."""
        return self._change(name, lambda uid: Purge(uid, reason))

    def undo(self) -> list[Outcome]:
        """Reverse the last group of changes of this project."""
        self.look()
        return undo.undo(self._space)

    def last_group(self) -> list[Entry]:
        """What `undo` would reverse."""
        self.look()
        return undo.last(self._space)

    def reconcile(self) -> Report:
        """Take in what changed in the vault and put it in order."""
        if not self._space.vault.is_on:
            raise Untrusted("no vault is in use here", target=self.root, fix=self._how_to_start())
        return sync.reconcile(self._space)

    def keep_draft(self, text: str, name: str) -> Path:
        """Put a text that could not be saved into the runtime folder, so that it is not lost."""
        folder = paths.runtime_folder(os.environ)
        machine.make_folder(folder)
        with Writing(folder) as writing:
            writing.write(name, text.encode("utf-8", "replace"))
        return folder / name

    # -- reading ------------------------------------------------------------------------------------------------

    def show(self, name: str) -> Memory:
        """One memory, by id, slug, kind/slug or path."""
        return self.find(name).memory

    def find(self, name: str) -> Stored:
        """One memory with its revision."""
        self.look()
        store, space = self._space.store, self._space
        seen = store.sighting_at(space.root, self._vault_path(name))
        found = [stored] if seen and (stored := store.get(seen.uid)) else store.resolve(space.project, name)
        live = [one for one in found if one.memory.status == "active"] or found
        if not live:
            slugs = [one.memory.slug for one in store.find(Query(space.project, statuses=()))]
            close: list[tuple[str, object]] = [("similar", slug) for slug in difflib.get_close_matches(name, slugs)]
            raise NotFound("no memory has this name", target=name, details=close)
        if len(live) > 1:
            choices: list[tuple[str, object]] = [
                ("choice", f"{one.memory.kind}/{one.memory.slug} ({one.memory.uid})") for one in live
            ]
            raise Ambiguous(f"{len(live)} memories have this name", target=name, details=choices)
        return twin.here(space, live[0])

    def history(self, name: str) -> list[Entry]:
        """What the journal knows of a memory, newest first."""
        return self._space.store.entries(uid=self.find(name).memory.uid)

    def doctor(self) -> list[Check]:
        """Look at everything and say what to do."""
        return doctor.examine(self._space, is_trusted=self.is_trusted)

    # -- inside -------------------------------------------------------------------------------------------------

    def look(self) -> None:
        """Take in what changed in the vault; one that nobody vouched for is foreign text and is left alone."""
        self._follow_head()
        if self.is_trusted:
            report = sync.scan(self._space)
            if report.waiting:
                self._space.warn(f"WARNING: {report.waiting}.")
            elif report.problems:
                number = len(report.problems)
                self._space.warn(f"WARNING: {number} files are not taken in; `recollect reconcile` names them.")
        elif not self._is_named and any(self.root.glob(f"{JSON_ROOT}/*/*.json")):
            self._space.warn("WARNING: memories lie here that nobody vouched for; `recollect trust` takes them in.")

    def _follow_head(self) -> None:
        """A workspace may stay open while branches are switched."""
        now = self._space.checkout.signature()
        if now != self._signature:
            checkout = replace(self._space.checkout, head=project.head(self.root))
            self._space, self._signature, self._branch = replace(self._space, checkout=checkout), now, None

    def _change(self, name: str, ask: Callable[[str], Change]) -> Outcome:
        return save.commit(self._space, [ask(self._own(self.find(name)).memory.uid)])[0]

    def _own(self, stored: Stored) -> Stored:
        """An id reaches every project for reading; changing is done where the memory belongs."""
        where = stored.memory.project
        if where not in (self.project, "global"):
            roots = [one.root for one in self._space.store.checkouts() if one.project == where]
            fix = f"Run it in {roots[0]}." if roots else "Run it in that project."
            raise Refused(
                f"it belongs to another project, {where}", target=stored.memory.slug, code="UPDATE_ERROR", fix=fix
            )
        return stored

    def meet(self) -> None:
        """Remember this checkout, so that its memories are found when the project gets another name."""
        space = self._space
        met = {(one.root, one.clone) for one in space.store.checkouts()}
        if (str(self.root), space.checkout.clone) not in met:
            identity.meet(
                space.store, space.checkout, space.project, trusted=self.is_trusted, now=space.clock, actor=space.actor
            )

    def _vault_path(self, name: str) -> str:
        place = Path(name) if Path(name).is_absolute() else Path.cwd() / name
        for root in (self.root, self._space.vault.root):
            if root in place.parents:
                return place.relative_to(root).as_posix()
        return name

    def _held_path(self, name: str) -> str | None:
        self.look()
        seen = self._space.store.sighting_at(self._space.root, self._vault_path(name))
        return seen.path if seen and seen.presence == "held" else None

    def _compose(self, note: Note) -> Memory:
        space = self._space
        return compose.memory(
            note,
            space.kinds,
            moment=space.clock(),
            project=space.project,
            commit=space.checkout.head,
            branch=self._current_branch(),
        )

    def _current_branch(self) -> str | None:
        if self._branch is None:
            self._branch = self._space.checkout.branch or ""
        return self._branch or None

    def _how_to_start(self) -> str:
        if (self.root / JSON_ROOT).is_dir():
            return "Look at the files, then run `recollect trust` to take them in."
        return "Run `recollect init` to keep memories as files here."

    def list(
        self,
        *,
        kinds: Sequence[str] = (),
        statuses: Sequence[Status] = ("active",),
        tags: Sequence[str] = (),
        match: str = "",
        all_projects: bool = False,
        limit: int | None = None,
    ) -> list[Memory]:
        """The memories of this project and the global ones, newest first."""
        self.look()
        where = None if all_projects else self.project
        now = self._space.clock().timestamp()
        query = Query(where, tuple(kinds), tuple(statuses), tuple(tags), match, unexpired_at=now, limit=limit)
        return [found.memory for found in self._space.store.find(query)]


def open(
    path: str | os.PathLike[str] = ".",
    *,
    home: str | os.PathLike[str] | None = None,
    now: Clock | None = None,
    actor: str = "library",
    warn: Warn = warn_on_stderr,
    flags: Mapping[str, Any] | None = None,
) -> Workspace:
    """Open the project around a path. Nothing in the repository is touched before `init`."""
    return open_checkout(project.find(Path(path)), home=home, now=now, actor=actor, warn=warn, flags=flags)


def open_checkout(
    checkout: Checkout,
    *,
    home: str | os.PathLike[str] | None = None,
    now: Clock | None = None,
    actor: str = "library",
    warn: Warn = warn_on_stderr,
    flags: Mapping[str, Any] | None = None,
    named_vault: bool = False,
) -> Workspace:
    """Open a checkout; `named_vault` is for the seed surfaces, whose caller names the vault's root."""
    database = Path(home) / "memory.db" if home else paths.database(os.environ)
    mirror = paths.journal(os.environ, database)
    store = _open_store(database, mirror, warn)
    trusted = identity.is_trusted(store, checkout)
    memory_root = checkout.root / JSON_ROOT if trusted or named_vault else None
    settings = config.load(project=checkout.root if trusted else None, memory_root=memory_root, flags=flags)
    for warning in settings.warnings:
        warn(f"WARNING: {warning}")
    store.kinds = settings.config.kind_table()
    space = Space(
        store=store,
        vault=_vault(checkout, settings.config, store.kinds, trusted=trusted, named=named_vault),
        checkout=checkout,
        project=identity.name(store, checkout),
        config=settings.config,
        clock=now or system_clock(),
        actor=actor,
        journal=mirror,
        warn=warn,
    )
    return Workspace(space, settings, is_trusted=trusted, is_named=named_vault)


def _vault(checkout: Checkout, settings: Config, kinds: Kinds, *, trusted: bool, named: bool) -> Vault:
    layouts: tuple[str, ...] = settings.vault.layouts if trusted else ()
    return open_vault(checkout.root, (*layouts, "json") if named else layouts, kinds)


def repair(path: str | os.PathLike[str] = ".") -> list[Check]:
    """Set a damaged database aside, rebuild it from the journal, and take in every vault; a sound one is left alone."""
    database = paths.database(os.environ)
    mirror = paths.journal(os.environ, database)
    try:
        with open(path, actor="doctor") as space:
            if not space.space.store.problems():
                return [Check("repair", is_well=True, says="the database is sound; nothing was changed")]
    except StoreCorrupt:
        pass
    aside, done = doctor.repair(database, mirror, KINDS)
    says = f"{done.memories} memories from {done.entries} journal entries; the damaged file is now {aside}"
    lost = [Check("lost", is_well=False, says=line, fix="A vault may still hold it.") for line in done.lost]
    return [Check("repair", is_well=True, says=says), *lost, *_rescan()]


def _rescan() -> list[Check]:
    checks = []
    with open(actor="doctor") as space:
        roots = [Path(one.root) for one in space.space.store.checkouts() if one.trusted]
    for root in (root for root in roots if root.is_dir()):
        with open(root, actor="doctor") as space:
            taken = len(space.reconcile().taken_in) if space.space.vault.is_on else 0
        checks.append(Check("rescan", is_well=True, says=f"{root}: {taken} files taken in"))
    return checks


def _open_store(path: Path, mirror: Path, warn: Warn) -> SqliteStore:
    try:
        is_lost = not (path.exists() and path.stat().st_size) and mirror.exists()
    except OSError as error:
        raise DiskRefused(f"the store cannot be opened: {error}", target=path) from error
    if is_lost:
        done = doctor.rebuild_database(path, mirror, KINDS)
        if done:
            warn(f"The database was missing: {done.memories} memories were rebuilt from the journal.")
    return SqliteStore(path, KINDS)


def system_clock() -> Clock:
    """The machine's clock, or the one that `RECOLLECT_NOW` sets for tests and replays."""
    chosen = os.environ.get("RECOLLECT_NOW")
    try:
        return clock.fixed(chosen) if chosen else clock.system
    except ValueError as error:
        raise BadInput(
            str(error), target="RECOLLECT_NOW", fix="Use an ISO time such as 2026-01-31T12:00:00Z."
        ) from None
