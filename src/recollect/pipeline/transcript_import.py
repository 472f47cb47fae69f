"""Import past sessions from clients' transcripts, through the same handlers that live events go through.

Memories get the time of their session. Nothing is injected, no use is counted, and the session counter stays. What was
imported is noted in the store's settings; the events of a session that was not finished are known by their keys.
"""

import contextlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from recollect import paths
from recollect.errors import RecollectError, StoreError, UnreadableFile
from recollect.formats.transcripts.events import HookEvent
from recollect.hooks import dispatch
from recollect.hooks.event import load_dialect
from recollect.interop import own_transcripts, transcript_files
from recollect.interop.transcript_files import GrowingCopy, RecordedSession, SessionFile
from recollect.model import text
from recollect.model.query import Query
from recollect.pipeline import event_handlers, inbox_event
from recollect.pipeline.inbox_event import InboxEvent
from recollect.project_context import ProjectContext
from recollect.write import journal_rebuild

IMPORTED = "transcript:"
"""Prefix of the setting that says how many events of a session were imported; 0 while that is under way."""
TAIL = 2
"""The last events of a session, its end among them, come at another place once the session has gone on."""
BATCH = 100
COPIES = "transcript-"
"""Prefix of the copies in the runtime folder; the job `pruning` removes those of an import that was killed."""
PROMPT = "PromptSubmitted"
TURN_ENDS = ("TurnEnded", "SessionEnded")
NEW, KNOWN, LIVE, ELSEWHERE, EMPTY = "imported", "known", "recorded live", "of another project", "without a prompt"
NOT_IMPORTED = ("ToolStarting", "CompactionStarting")
"""A call that only starts leaves nothing, and a log record that a compaction is about to come is of no use later."""
MOST_PROBLEMS = 1_000
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class PastSession:
    """A session that was found, and what became of it."""

    session: str
    client: str
    started: str
    path: str
    outcome: str
    """One of the constants above; in a dry run what would become of it."""
    prompts: int = 0
    memories: int = 0
    """Active memories of the session, turns and its summary among them."""


@dataclass(slots=True)
class PastSessions:
    """The report of an import of transcripts, or of a dry run."""

    sessions: list[PastSession] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        """Return how many sessions had each outcome."""
        return dict(Counter(session.outcome for session in self.sessions))


def take_in(
    context: ProjectContext, place: Path | None = None, *, dry_run: bool = False, tick: Progress = lambda _: None
) -> PastSessions:
    """Import the sessions of a folder, or this project's that clients still keep; oldest first.

    A session that hooks recorded, or that was imported before, is not imported again. Raises BadInput for a folder
    outside the user's home, StoreError where the store cannot be written.
    """
    report, seen = PastSessions(), set[str]()
    found = list(_files(context, place, report))
    for file in sorted(found, key=lambda file: file.started):
        session = _read(context, file, seen, report)
        if session is None:
            continue
        prompts = sum(event.name == PROMPT for event in _events(session, Path()))
        outcome = _outcome(context, session) if prompts else EMPTY
        if outcome == NEW and not dry_run:
            _Import(context, session, report, tick).run()
        report.sessions.append(_row(context, file, outcome, prompts))
    return report


def _files(context: ProjectContext, place: Path | None, report: PastSessions) -> Iterator[SessionFile]:
    """Yield the project's sessions; files that cannot be read, and other projects' sessions, go to the report."""
    for path in own_transcripts.find(context, place):
        try:
            file = transcript_files.look(path)
        except UnreadableFile as error:
            _problem(report, f"{path}: {error.message}")
            continue
        if file is None:
            _problem(report, f"{path}: not a transcript of a known client")
        elif file.is_subagent:
            continue
        elif own_transcripts.belongs(context, file, is_folder_named=place is not None):
            yield file
        elif place is not None:
            report.sessions.append(_row(context, file, ELSEWHERE))


def _read(
    context: ProjectContext, file: SessionFile, seen: set[str], report: PastSessions
) -> RecordedSession | None:  # fmt: skip
    """Return the whole session as one of this checkout, without records that an earlier one holds too.

    None where it cannot be read: the report says so.
    """
    try:
        session = transcript_files.read(file.path)
    except UnreadableFile as error:
        _problem(report, f"{file.path}: {error.message}")
        return None
    root = context.checkout.root
    if session and session.folder and not Path(session.folder).is_relative_to(root):
        session = session.moved_to(str(root))
    return session.without_copies(seen) if session else None


def _problem(report: PastSessions, problem: str) -> None:
    if len(report.problems) < MOST_PROBLEMS:
        report.problems.append(problem.encode("utf-8", "replace").decode())


def _row(context: ProjectContext, file: SessionFile, outcome: str, prompts: int = 0) -> PastSession:
    stored = context.store.number(Query(context.project, session=file.session, global_too=False))
    path = str(file.path).encode("utf-8", "replace").decode()
    return PastSession(file.session, file.client, file.started, path, outcome, prompts, stored)


# -- what becomes of a session -----------------------------------------------------------------------------------------


def _outcome(context: ProjectContext, session: RecordedSession) -> str:
    done = context.store.setting(_setting(session))
    if done is None:
        return LIVE if _is_recorded(context, session.name) else NEW
    return KNOWN if sum(1 for _ in _events(session, Path())) <= int(done) else NEW


def _setting(session: RecordedSession) -> str:
    return f"{IMPORTED}{session.transcript.client}:{session.name}"


def _is_recorded(context: ProjectContext, session: str) -> bool:
    """Whether hooks recorded a session: it is known, has events (`recollect run` gives it another id), or memories."""
    store = context.store
    return bool(
        store.sessions.get(session)
        or store.sessions.events(session=session, limit=1)
        or store.number(Query(context.project, session=session, statuses=(), global_too=False))
    )


def _events(session: RecordedSession, copy: Path) -> Iterator["_PastEvent"]:
    """Yield the events of a session that are imported."""
    dialect = load_dialect(session.transcript.client)
    for event in transcript_files.hook_events(session, copy):
        name = dialect.EVENTS.get(event.native, "")
        if name and name not in NOT_IMPORTED and event.at:
            yield _PastEvent(name, event)


@dataclass(frozen=True, slots=True)
class _PastEvent:
    name: str
    """Our name of the event."""
    sent: HookEvent


# -- importing one session ---------------------------------------------------------------------------------------------


class _Import:
    """The import of one session."""

    def __init__(
        self, context: ProjectContext, session: RecordedSession, report: PastSessions, tick: Progress
    ) -> None:  # fmt: skip
        self.context, self.report, self.tick = context, report, tick
        self.session = session
        runtime = Path(paths.runtime(paths.home(context.env)))
        self.copy = GrowingCopy(runtime / f"{COPIES}{text.sha256(session.name)[:16]}.jsonl", self.session.lines)
        self.dialect = load_dialect(session.transcript.client)

    def run(self) -> None:
        """Apply the session's events in batches that end with a turn, then note that it is imported."""
        name = _setting(self.session)
        done = int(self.context.store.setting(name) or 0)
        if not done:
            journal_rebuild.remember(self.context, name, "0")
        events = list(_events(self.session, self.copy.path))
        first = max(0, done - TAIL)
        with self._private_copy():
            for batch in _batches(events[first:]):
                self.copy.grow(batch[-1].sent.lines)
                self._apply([self._inbox_event(event, number) for number, event in enumerate(batch, first)])
                first += len(batch)
                for _ in batch:
                    self.tick(1)
        journal_rebuild.remember(self.context, name, str(len(events)))

    @contextlib.contextmanager
    def _private_copy(self) -> Iterator[None]:
        """Start with an empty copy of the transcript, and remove it at the end."""
        self.copy.path.unlink(missing_ok=True)
        try:
            yield
        finally:
            self.copy.path.unlink(missing_ok=True)

    def _inbox_event(self, event: _PastEvent, number: int) -> InboxEvent:
        """Return an event as the inbox would hold it: not too long, without credentials, at its own time.

        Its name is the same in every import, so that no event is applied twice.
        """
        raw = json.dumps(event.sent.payload, ensure_ascii=False).encode("utf-8", "replace")
        payload = json.loads(dispatch.storable(raw).decode("utf-8", "replace"))
        name = f"transcript-{self.session.name}-{number:07d}"
        at = min(event.sent.seconds, self.context.clock().timestamp())
        return replace(inbox_event.screened(name, self.dialect, event.sent.native, payload, at=at), is_past=True)

    def _apply(self, events: Sequence[InboxEvent]) -> None:
        """Apply events as one batch; where that fails, one by one, without those that cannot be applied."""
        moment = datetime.fromtimestamp(events[-1].at, UTC)
        past = replace(self.context, clock=lambda: moment, warn=_ignore)
        try:
            event_handlers.apply(past, events, self.context.clock())
        except StoreError:
            raise
        except RecollectError as error:
            if len(events) == 1:
                _problem(self.report, f"{self.session.path}: an event is left out: {error.message}")
                return
            for event in events:
                self._apply([event])


def _ignore(_: str) -> None:
    """Do not warn: that an old summary gives way to newer ones is no news."""


def _batches(events: Sequence[_PastEvent]) -> Iterator[list[_PastEvent]]:
    """Yield events in batches of at most BATCH; each ends at the end of a turn, which reads the transcript so far."""
    batch: list[_PastEvent] = []
    for event in events:
        batch.append(event)
        if len(batch) >= BATCH or event.name in TURN_ENDS:
            yield batch
            batch = []
    if batch:
        yield batch
