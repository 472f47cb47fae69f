"""The library: `recollect.open(path)` gives a Workspace, whose verbs are those of the command line."""

import builtins
import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from recollect import machine, paths
from recollect.errors import Untrusted
from recollect.hot.event import load
from recollect.lifecycle import (
    doctor,
    exporting,
    forget,
    health,
    importing,
    logbook,
    metadata,
    recall,
    save,
    scrub,
    session,
    switch,
    sync,
    tail,
    tool,
    twin,
    undo,
)
from recollect.lifecycle.check import Check
from recollect.lifecycle.exporting import Export
from recollect.lifecycle.health import Health
from recollect.lifecycle.importing import Imported
from recollect.lifecycle.outcome import Outcome
from recollect.lifecycle.recall import Found, Profile
from recollect.lifecycle.scrub import Scrubbed
from recollect.lifecycle.space import Space
from recollect.lifecycle.sync import Report
from recollect.lifecycle.tail import Line
from recollect.model import clock
from recollect.model.change import Archive, Assert, Create, Purge, Restore, Retire, Retract, Revise, Weigh
from recollect.model.fact import Fact
from recollect.model.memory import Memory, Origin, Sensitivity, Status
from recollect.model.query import FactQuery, Query
from recollect.policy import compose, revision, secrets
from recollect.policy.compose import Note
from recollect.policy.telling import Beat
from recollect.store.base import Entry
from recollect.store.sessions import Receipt
from recollect.vault.files import Writing, real
from recollect.vault_setup import VaultSetup

LOCK_SECONDS = 30.0


class Workspace(VaultSetup):
    """The verbs on a project. Use it as a context manager; they may be called from several threads."""

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
        sensitivity: Sensitivity | None = None,
        origin: Origin = "user",
        session: str | None = None,
        ttl_days: float | None = None,
        everywhere: bool = False,
        supersedes: Sequence[str] = (),
    ) -> Outcome:
        """Keep something; what is known already gets the new metadata.

        `text` fills the main field of the kind and `why` its reason; `fields` sets any other. Without a title the
        text's first line serves. `files` are what it is about; `everywhere` shows it in every project. Secrets are
        taken out; where no sensitivity is named, it follows from what the text holds. The memories that it
        `supersedes` are retired in the same change.
        """
        note = Note(
            text, kind, title, why, tags, fields, files, confidence, importance, sensitivity, origin, session,
            ttl_days, everywhere,
        )  # fmt: skip
        return self.remember_all([note], superseding=[self.find(name).memory for name in supersedes])[0]

    def remember_all(self, notes: Iterable[Note], *, superseding: Sequence[Memory] = ()) -> list[Outcome]:
        """Keep many things in one group, and retire what they supersede: all of it or nothing."""
        made = [
            Create(self._compose(note), classify=note.sensitivity is None, expiry_named=note.ttl_days is not None)
            for note in notes
        ]
        self.meet()
        self.look()
        return save.commit(self._space, revision.superseding(made, superseding))

    def revise(self, memory: Memory, *, expect: str | None = None, classify: bool = False) -> Outcome:
        """Replace a memory by an edited copy; `expect` is the revision that was read.

        With `classify`, a credential or personal data in it makes it stricter.
        """
        return save.commit(self._space, [Revise(memory, expect=expect, classify=classify)])[0]

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
        sensitivity: Sensitivity | None = None,
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
            sensitivity=sensitivity,
        )
        is_reworded = (edited.title, edited.text) != (stored.memory.title, stored.memory.text)
        change = Revise(edited, expect=stored.revision, classify=sensitivity is None and is_reworded)
        return save.commit(self._space, [change])[0]

    def pin(self, name: str, *, pinned: bool = True) -> Outcome:
        """Protect a memory from being forgotten, or stop protecting it."""
        return self._change(name, lambda uid: Weigh(uid, pinned=pinned))

    def appreciate(self, name: str, by: int) -> Outcome:
        """Add to what a memory is valued at (A35)."""
        return self._change(name, lambda uid: Weigh(uid, appreciate=by))

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

    def keep(self, name: str) -> Outcome:
        """A captured memory is right: it no longer waits for a look, and capture learns from it."""
        found = self._own(self.find(name))
        kept: Outcome = load("recollect.lifecycle.teaching").keep(self._space, found.memory, found.revision)
        return kept

    def drop(self, name: str) -> Outcome:
        """A captured memory is not worth it: it goes, nothing like it is captured again, and capture learns from it."""
        dropped: Outcome = load("recollect.lifecycle.teaching").drop(self._space, self._own(self.find(name)).memory)
        return dropped

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
            writing.write(name, secrets.redact(text).encode("utf-8", "replace"))
        return folder / name

    # -- the seeds' surfaces ------------------------------------------------------------------------------------

    def memory(self, request: object) -> dict[str, Any]:
        """LetsGo's memory tool: an operation and its fields in, success and output or an error out (D16)."""
        self.look()
        reply = tool.answer(self._space, request, self._folder)
        if reply["success"]:
            self.meet()
        return reply

    def state(
        self, subject: str, predicate: str, object: str, *, confidence: float = 1.0, source: str | None = None
    ) -> Outcome:
        """State a fact; the same one again refreshes how sure it is."""
        uid = self.find(source).memory.uid if source else None
        made = compose.fact(
            subject, predicate, object, moment=self._space.clock(), project=self.project, confidence=confidence,
            source=uid,
        )  # fmt: skip
        return save.commit(self._space, [Assert(made)])[0]

    def facts(
        self,
        *,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        min_confidence: float = 0.0,
        limit: int | None = None,
    ) -> builtins.list[Fact]:
        """The facts whose named parts are equal, newest first."""
        query = FactQuery(self.project, subject, predicate, object, min_confidence, limit)
        return self._space.store.facts.find(query)

    def retract(self, uid: str, reason: str = "No reason provided") -> Outcome:
        """Take a fact back."""
        return save.commit(self._space, [Retract(uid, reason)])[0]

    def log(
        self, text: str, *, session: str, category: str = "note", sensitivity: Sensitivity | None = None
    ) -> Outcome:
        """Append a record to MEMORY.md and the day's file (C3)."""
        switch.check(self._space, self._folder, session)
        self.meet()
        return logbook.append(self._logging(), text, session=session, category=category, sensitivity=sensitivity)

    def flush(self, session: str) -> Outcome:
        """Leave a checkpoint in the log before a session is compacted (C4)."""
        switch.check(self._space, self._folder, session)
        space = self._logging()
        return save.commit(space, [logbook.checkpoint(space, session)])[0]

    def records(self, *, session: str | None = None, allow_secret: bool = False) -> builtins.list[Memory]:
        """The records of the log, oldest first (C3)."""
        return logbook.records(self._space, session=session, allow_secret=allow_secret)

    def trim_log(self, *, max_records: int = 0, max_chars: int = 0, archive: str = "") -> builtins.list[str]:
        """Take the oldest records out of MEMORY.md; the lines that went (C6)."""
        return logbook.trim(self._logging(), max_records=max_records, max_chars=max_chars, archive=archive)

    def scan_log(self) -> logbook.Scan:
        """Contradictions and old records in MEMORY.md (C5)."""
        return logbook.scan(self._space)

    def _logging(self) -> Space:
        """Naming the log is asking for it: its files are written even where the layout is not on."""
        return replace(self._space, vault=replace(self._space.vault, logs=True))

    # -- moving and looking after -------------------------------------------------------------------------------

    def take_in(self, place: str | os.PathLike[str], *, dry_run: bool = False, **how: Any) -> Imported:  # noqa: ANN401
        """Import JSON lines, a seed's layout or database, or Claude's notes; `how` as `importing.take_in` has it."""
        if not dry_run:
            self.meet()
            self.look()
        aside = paths.runtime_folder(os.environ)
        return importing.take_in(self._space, Path(place), aside=aside, dry_run=dry_run, **how)

    def export(self, *, all_projects: bool = False, everything: bool = False) -> Export:
        """Every memory and fact as JSON lines; what is not for others' eyes only with `everything`."""
        self.look()
        return exporting.export(self._space, all_projects=all_projects, everything=everything)

    def health(self) -> Health:
        """Counts, growth, what needs attention."""
        report = sync.scan(self._space) if self.standing.uses_vault else sync.Report()
        problems = [f"{path}: {problem}" for path, problem in report.problems.items()]
        return health.examine(self._space, problems)

    def gc(self) -> tuple[int, int]:
        """Collect the files of long retired memories and erase what has expired; the number of each."""
        self.look()
        collected = len(forget.collect(self._space).deleted) if self._space.vault.has_index else 0
        return collected, forget.expire(self._space, self.project)

    def scrub(self, value: str, *, dry_run: bool = False) -> Scrubbed:
        """Take a leaked value out of everything that recollect keeps, and look whether it is gone."""
        self.look()
        runtime = paths.runtime_folder(os.environ)
        done = scrub.scrub(self._space, value, runtime=runtime, home=paths.own_home(os.environ), dry_run=dry_run)
        if not dry_run:
            self.look()
        return done

    def turn(self, *, on: bool, session: str | None = None) -> str:
        """Switch memory on or off for agents, in this folder and below it or in a session."""
        what = switch.turn(self._space, on=on, folder=self._folder, session=session)
        save.mirror(self._space)
        return what

    def off_because(self, session: str | None = None) -> str | None:
        """Why agents have no memory here, if so."""
        return switch.reason(self._space, self._folder, session)

    def write_metadata(self, place: Path, key: str, value: object) -> dict[str, object]:
        """Set one field of a markdown memory's metadata (A10)."""
        with self._holding(place):
            fields = metadata.write_field(place, key, value)
        self.look()
        return fields

    def ensure_metadata(self, place: Path, session: int) -> bool:
        """Give a markdown memory the tags that it lacks; whether it lacked any."""
        with self._holding(place):
            is_changed = metadata.ensure(place, session)
        self.look()
        return is_changed

    @contextlib.contextmanager
    def _holding(self, place: Path) -> Iterator[None]:
        """Hold a file's folder alone: the whole vault's lock, if the file is in it."""
        is_inside = self._space.vault.is_on and self.root in real(place).parents
        with twin.held(self._space) if is_inside else machine.lock(place.parent, timeout_seconds=LOCK_SECONDS):
            yield

    @property
    def session_number(self) -> int:
        """How many sessions this project has had (A25)."""
        return session.number(self._space)

    def count_sessions_from(self, number: int) -> None:
        """Go on counting sessions from here."""
        session.set_number(self._space, number)
        save.mirror(self._space)

    def tail(self, *, session: str | None = None, limit: int = 30, all_projects: bool = False) -> builtins.list[Line]:
        """What happened in sessions: events, what was told and why, what waits, what was dropped; oldest first."""
        where = None if all_projects else self.project
        return tail.lines(self._space, paths.home(os.environ), session=session, project=where, limit=limit)

    def receipt(self, id: str | None = None) -> Receipt | None:
        """What an agent was told, and why: by its number, or the last time in this project."""
        where = self.project if id is None else None
        found = self._space.store.sessions.receipts(id=id, project=where, limit=1)
        return found[0] if found else None

    # -- reading ------------------------------------------------------------------------------------------------

    def show(self, name: str) -> Memory:
        """One memory, by id, slug, kind/slug or path."""
        return self.find(name).memory

    def history(self, name: str) -> list[Entry]:
        """What the journal knows of a memory, newest first."""
        return self._space.store.entries(uid=self.find(name).memory.uid)

    def doctor(self) -> list[Check]:
        """Look at everything and say what to do."""
        return doctor.examine(self._space, paths.home(os.environ), self.standing)

    # -- inside -------------------------------------------------------------------------------------------------

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

    def story(self, session: str) -> builtins.list[Beat]:
        """A session as it went: what was asked, tried, broken, repaired, reached and kept."""
        told: builtins.list[Beat] = load("recollect.lifecycle.capture").tell(self._space, session)
        return told

    def timeline(
        self, *, session: str | None = None, since: str | None = None, until: str | None = None, limit: int = 50
    ) -> builtins.list[Memory]:
        """What was learnt, in the order in which it came; the last `limit` of it."""
        self.look()
        query = Query(
            self.project, session=session, created_since=clock.named(since), created_before=clock.named(until),
            unexpired_at=self._space.clock().timestamp(), limit=limit,
        )  # fmt: skip
        return [found.memory for found in reversed(self._space.store.find(query))]

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
        query = Query(where, tuple(kinds), tuple(statuses), tuple(tags), match=match, unexpired_at=now, limit=limit)
        return [found.memory for found in self._space.store.find(query)]

    def recall(
        self,
        question: str,
        *,
        profile: Profile | None = None,
        kinds: Sequence[str] = (),
        tags: Sequence[str] = (),
        concept: str | None = None,
        file: str | None = None,
        project: str | None = None,
        since: str | None = None,
        until: str | None = None,
        session: str | None = None,
        limit: int = 10,
    ) -> builtins.list[Found]:
        """The memories that a question is about, best first, as agents and the command line find them.

        Each has its score and what that is made of; `verdict` says why an agent would not be told it by itself.
        """
        self.look()
        query = Query(
            statuses=(), kinds=tuple(kinds), tags=tuple(tags), concept=concept, file=file, session=session,
            created_since=clock.named(since), created_before=clock.named(until),
        )  # fmt: skip
        return recall.find(self._space, question, query, profile=profile, project=project, limit=limit)

    def reindex(self, tick: Callable[[int], None] = lambda _: None, *, everything: bool = False) -> int:
        """Make what recall compares for every memory that lacks it; how many got it."""
        self.look()
        work = load("recollect.lifecycle.reindex")  # its arithmetic takes long to load, and few need it
        make = work.again if everything else work.run
        return int(make(self._space.store, tick, hashed=self._space.config.log.vectors))

    def catch_up(self) -> None:
        """The same for what is new, unless somebody is at it already or vectors are not wanted."""
        if self._space.config.recall.vectors:
            work, hashed = load("recollect.lifecycle.reindex"), self._space.config.log.vectors
            work.run(self._space.store, lambda _: None, hashed=hashed, patience=0)
