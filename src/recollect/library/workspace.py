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
from recollect.interop import exporting, health, importing, logbook, memory_tool, scrub, usage_block
from recollect.interop.exporting import Export
from recollect.interop.health import Health
from recollect.interop.importing import Imported
from recollect.interop.scrub import Scrubbed
from recollect.jobs import expiry
from recollect.lazy import load
from recollect.library.jobs import DueWork
from recollect.library.vault_setup import VaultSetup
from recollect.model import clock
from recollect.model.change import Archive, Assert, Create, Purge, Restore, Retire, Retract, Revise, Weigh
from recollect.model.fact import Fact
from recollect.model.memory import Memory, Origin, Sensitivity, Status
from recollect.model.query import FactQuery, Query
from recollect.pipeline import session_tail
from recollect.pipeline.session_tail import Line
from recollect.policy.capture.timeline import Beat
from recollect.policy.memories import compose, revision
from recollect.policy.memories.compose import Note
from recollect.policy.secrets import detector
from recollect.project_context import ProjectContext
from recollect.recall import project_recall
from recollect.recall.project_recall import Profile, RecalledMemory
from recollect.setup import doctor, on_off
from recollect.setup.check import Check
from recollect.store.protocols import Entry
from recollect.store.values import Receipt
from recollect.vault.files import Writing, real
from recollect.write import commit, session_counter, undo, vault_files, vault_sync
from recollect.write.outcome import Outcome
from recollect.write.vault_sync import Report

LOCK_SECONDS = 30.0


class Workspace(VaultSetup, DueWork):
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
        return commit.commit(self._context, revision.superseding(made, superseding))

    def revise(self, memory: Memory, *, expect: str | None = None, classify: bool = False) -> Outcome:
        """Replace a memory by an edited copy; `expect` is the revision that was read.

        With `classify`, a credential or personal data in it makes it stricter.
        """
        return commit.commit(self._context, [Revise(memory, expect=expect, classify=classify)])[0]

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
        return commit.commit(self._context, [change])[0]

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
            vault_sync.take_in_file(self._context, held)
            return Outcome("restored", self.find(held).memory, path=held)
        return self._change(name, Restore)

    def purge(self, name: str, reason: str = "No reason provided") -> Outcome:
        """Erase a memory and its file; a tombstone keeps the text from being learnt again."""
        return self._change(name, lambda uid: Purge(uid, reason))

    def keep(self, name: str) -> Outcome:
        """A captured memory is right: it no longer waits for a look, and capture learns from it."""
        found = self._own(self.find(name))
        kept: Outcome = load("recollect.pipeline.teaching").keep(self._context, found.memory, found.revision)
        return kept

    def drop(self, name: str) -> Outcome:
        """A captured memory is not worth it: it goes, nothing like it is captured again, and capture learns from it."""
        dropped: Outcome = load("recollect.pipeline.teaching").drop(self._context, self._own(self.find(name)).memory)
        return dropped

    def undo(self) -> list[Outcome]:
        """Reverse the last group of changes of this project."""
        self.look()
        return undo.undo(self._context)

    def last_group(self) -> list[Entry]:
        """What `undo` would reverse."""
        self.look()
        return undo.last(self._context)

    def reconcile(self) -> Report:
        """Take in what changed in the vault and put it in order."""
        if not self._context.vault.is_on:
            raise Untrusted("no vault is in use here", target=self.root, fix=self._how_to_start())
        return vault_sync.reconcile(self._context)

    def keep_draft(self, text: str, name: str) -> Path:
        """Put a text that could not be saved into the runtime folder, so that it is not lost."""
        folder = paths.runtime_folder(self._context.env)
        machine.make_folder(folder)
        with Writing(folder) as writing:
            writing.write(name, detector.redact(text).encode("utf-8", "replace"))
        return folder / name

    # -- the seeds' surfaces ------------------------------------------------------------------------------------

    def memory(self, request: object) -> dict[str, Any]:
        """LetsGo's memory tool: an operation and its fields in, success and output or an error out (D16)."""
        self.look()
        reply = memory_tool.answer(self._context, request, self._folder)
        if reply["success"]:
            self.meet()
        return reply

    def state(
        self, subject: str, predicate: str, object: str, *, confidence: float = 1.0, source: str | None = None
    ) -> Outcome:
        """State a fact; the same one again refreshes how sure it is."""
        uid = self.find(source).memory.uid if source else None
        made = compose.fact(
            subject, predicate, object, moment=self._context.clock(), project=self.project, confidence=confidence,
            source=uid,
        )  # fmt: skip
        return commit.commit(self._context, [Assert(made)])[0]

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
        return self._context.store.facts.find(query)

    def retract(self, uid: str, reason: str = "No reason provided") -> Outcome:
        """Take a fact back."""
        return commit.commit(self._context, [Retract(uid, reason)])[0]

    def log(
        self, text: str, *, session: str, category: str = "note", sensitivity: Sensitivity | None = None
    ) -> Outcome:
        """Append a record to MEMORY.md and the day's file (C3)."""
        on_off.check(self._context, self._folder, session)
        self.meet()
        return logbook.append(self._logging(), text, session=session, category=category, sensitivity=sensitivity)

    def flush(self, session: str) -> Outcome:
        """Leave a checkpoint in the log before a session is compacted (C4)."""
        on_off.check(self._context, self._folder, session)
        context = self._logging()
        return commit.commit(context, [logbook.checkpoint(context, session)])[0]

    def records(self, *, session: str | None = None, allow_secret: bool = False) -> builtins.list[Memory]:
        """The records of the log, oldest first (C3)."""
        return logbook.records(self._context, session=session, allow_secret=allow_secret)

    def trim_log(self, *, max_records: int = 0, max_chars: int = 0, archive: str = "") -> builtins.list[str]:
        """Take the oldest records out of MEMORY.md; the lines that went (C6)."""
        return logbook.trim(self._logging(), max_records=max_records, max_chars=max_chars, archive=archive)

    def scan_log(self) -> logbook.Scan:
        """Contradictions and old records in MEMORY.md (C5)."""
        return logbook.scan(self._context)

    def _logging(self) -> ProjectContext:
        """Naming the log is asking for it: its files are written even where the layout is not on."""
        return replace(self._context, vault=replace(self._context.vault, logs=True))

    # -- moving and looking after -------------------------------------------------------------------------------

    def take_in(self, place: str | os.PathLike[str], *, dry_run: bool = False, **how: Any) -> Imported:  # noqa: ANN401
        """Import JSON lines, a seed's layout or database, or Claude's notes; `how` as `importing.take_in` has it."""
        if not dry_run:
            self.meet()
            self.look()
        aside = paths.runtime_folder(self._context.env)
        return importing.take_in(self._context, Path(place), aside=aside, dry_run=dry_run, **how)

    def export(self, *, all_projects: bool = False, everything: bool = False) -> Export:
        """Every memory and fact as JSON lines; what is not for others' eyes only with `everything`."""
        self.look()
        return exporting.export(self._context, all_projects=all_projects, everything=everything)

    def health(self) -> Health:
        """Counts, growth, what needs attention."""
        report = vault_sync.scan(self._context) if self.standing.uses_vault else vault_sync.Report()
        problems = [f"{path}: {problem}" for path, problem in report.problems.items()]
        return health.examine(self._context, problems)

    def gc(self) -> tuple[int, int]:
        """Collect the files of long retired memories and erase what has expired; the number of each."""
        self.look()
        collected = len(expiry.collect(self._context).deleted) if self._context.vault.has_index else 0
        return collected, expiry.expire(self._context, self.project)

    def scrub(self, value: str, *, dry_run: bool = False) -> Scrubbed:
        """Take a leaked value out of everything that recollect keeps, and look whether it is gone."""
        self.look()
        runtime = paths.runtime_folder(self._context.env)
        done = scrub.scrub(
            self._context, value, runtime=runtime, home=paths.own_home(self._context.env), dry_run=dry_run
        )
        if not dry_run:
            self.look()
        return done

    def turn(self, *, on: bool, session: str | None = None) -> str:
        """Switch memory on or off for agents, in this folder and below it or in a session."""
        what = on_off.turn(self._context, on=on, folder=self._folder, session=session)
        commit.mirror(self._context)
        return what

    def off_because(self, session: str | None = None) -> str | None:
        """Why agents have no memory here, if so."""
        return on_off.reason(self._context, self._folder, session)

    def write_metadata(self, place: Path, key: str, value: object) -> dict[str, object]:
        """Set one field of a markdown memory's metadata (A10)."""
        with self._holding(place):
            fields = usage_block.write_field(place, key, value)
        self.look()
        return fields

    def ensure_metadata(self, place: Path, session: int) -> bool:
        """Give a markdown memory the tags that it lacks; whether it lacked any."""
        with self._holding(place):
            is_changed = usage_block.ensure(place, session)
        self.look()
        return is_changed

    @contextlib.contextmanager
    def _holding(self, place: Path) -> Iterator[None]:
        """Hold a file's folder alone: the whole vault's lock, if the file is in it."""
        is_inside = self._context.vault.is_on and self.root in real(place).parents
        with vault_files.held(self._context) if is_inside else machine.lock(place.parent, timeout_seconds=LOCK_SECONDS):
            yield

    @property
    def session_number(self) -> int:
        """How many sessions this project has had (A25)."""
        return session_counter.number(self._context)

    def count_sessions_from(self, number: int) -> None:
        """Go on counting sessions from here."""
        session_counter.set_number(self._context, number)
        commit.mirror(self._context)

    def tail(self, *, session: str | None = None, limit: int = 30, all_projects: bool = False) -> builtins.list[Line]:
        """What happened in sessions: events, what was told and why, what waits, what was dropped; oldest first."""
        where = None if all_projects else self.project
        return session_tail.lines(
            self._context, paths.home(self._context.env), session=session, project=where, limit=limit
        )

    def receipt(self, id: str | None = None) -> Receipt | None:
        """What an agent was told, and why: by its number, or the last time in this project."""
        where = self.project if id is None else None
        found = self._context.store.sessions.receipts(id=id, project=where, limit=1)
        return found[0] if found else None

    # -- reading ------------------------------------------------------------------------------------------------

    def show(self, name: str) -> Memory:
        """One memory, by id, slug, kind/slug or path."""
        return self.find(name).memory

    def history(self, name: str) -> list[Entry]:
        """What the journal knows of a memory, newest first."""
        return self._context.store.entries(uid=self.find(name).memory.uid)

    def doctor(self) -> list[Check]:
        """Look at everything and say what to do."""
        return doctor.examine(self._context, paths.home(self._context.env), self.standing)

    # -- inside -------------------------------------------------------------------------------------------------

    def _compose(self, note: Note) -> Memory:
        context = self._context
        return compose.memory(
            note,
            context.kinds,
            moment=context.clock(),
            project=context.project,
            commit=context.checkout.head,
            branch=self._current_branch(),
        )

    def _current_branch(self) -> str | None:
        if self._branch is None:
            self._branch = self._context.checkout.branch or ""
        return self._branch or None

    def story(self, session: str) -> builtins.list[Beat]:
        """A session as it went: what was asked, tried, broken, repaired, reached and kept."""
        told: builtins.list[Beat] = load("recollect.pipeline.capture").tell(self._context, session)
        return told

    def timeline(
        self, *, session: str | None = None, since: str | None = None, until: str | None = None, limit: int = 50
    ) -> builtins.list[Memory]:
        """What was learnt, in the order in which it came; the last `limit` of it."""
        self.look()
        query = Query(
            self.project, session=session, created_since=clock.named(since), created_before=clock.named(until),
            unexpired_at=self._context.clock().timestamp(), limit=limit,
        )  # fmt: skip
        return [found.memory for found in reversed(self._context.store.find(query))]

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
        now = self._context.clock().timestamp()
        query = Query(where, tuple(kinds), tuple(statuses), tuple(tags), match=match, unexpired_at=now, limit=limit)
        return [found.memory for found in self._context.store.find(query)]

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
    ) -> builtins.list[RecalledMemory]:
        """The memories that a question is about, best first, as agents and the command line find them.

        Each has its score and what that is made of; `verdict` says why an agent would not be told it by itself.
        """
        self.look()
        query = Query(
            statuses=(), kinds=tuple(kinds), tags=tuple(tags), concept=concept, file=file, session=session,
            created_since=clock.named(since), created_before=clock.named(until),
        )  # fmt: skip
        scope = project_recall.project_scope(self._context, query, project)
        return project_recall.find(self._context, question, scope, profile=profile, limit=limit)

    def reindex(self, tick: Callable[[int], None] = lambda _: None, *, everything: bool = False) -> int:
        """Make what recall compares for every memory that lacks it; how many got it."""
        self.look()
        work = load("recollect.jobs.reindex")  # its arithmetic takes long to load, and few need it
        make = work.again if everything else work.run
        return int(make(self._context.store, tick, hashed=self._context.config.log.vectors))

    def catch_up(self) -> None:
        """The same for what is new, unless somebody is at it already or vectors are not wanted."""
        if self._context.config.recall.vectors:
            work, hashed = load("recollect.jobs.reindex"), self._context.config.log.vectors
            work.run(self._context.store, lambda _: None, hashed=hashed, patience=0)
