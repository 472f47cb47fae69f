"""Replay recorded sessions: hooks, inbox, draining and jobs, in one temporary home, each event at its own time."""

import contextlib
import json
import os
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from recollect import foreign_files, paths
from recollect.clients.base import Dialect
from recollect.errors import BadInput, UnreadableFile
from recollect.evaluation.playground import STRIPPED_PREFIXES, log_lines
from recollect.formats.transcripts.events import HookEvent
from recollect.hooks import dispatch
from recollect.hooks.event import Reply, load_dialect
from recollect.interop import transcript_files
from recollect.interop.transcript_files import GrowingCopy, RecordedSession, SessionFile
from recollect.model import text
from recollect.model.memory import Memory
from recollect.model.query import Query
from recollect.opening.open_checkout import open_checkout
from recollect.opening.open_project import OpenProject
from recollect.pipeline import inbox_processor, teaching
from recollect.policy.ranking import ranks
from recollect.project.checkout import find_checkout

LIST = "sessions.json"
FIX = "Give a folder of transcripts: Claude Code's or Codex's JSON lines, or Gemini CLI's chats."
ID_CHARS = 36
"""The length of a session's id; a list of sessions may put a date before it."""
DRAINED_AFTER = ("TurnEnded", "SessionEnded")
PROMPT, FAILURE, START, CALL = "PromptSubmitted", "ToolFailed", "SessionStarted", "ToolStarting"
NOT_COUNTED = ("turn_summary", "session_summary")
"""Kinds that every session has; no label asks for them."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """A moment at which memories may be told: a prompt, a failure, a tool call or a session's start."""

    event: str
    """Our name of the event."""
    at: str
    about: str
    """The prompt, the error, or the command."""
    context: str
    """What was told; empty where nothing was."""
    number: int
    """Its turn's number in the session, from 0; -1 before the first prompt."""

    @property
    def tokens(self) -> float:
        """About how many tokens were told."""
        return ranks.tokens(self.context)


@dataclass(slots=True)
class Turn:
    """A prompt and its answer."""

    at: str
    prompt: str
    answer: str = ""


@dataclass(slots=True)
class ReplayedSession:
    """What happened while a session was replayed."""

    session: str
    client: str
    started: str
    events: Counter[str] = field(default_factory=Counter)
    turns: list[Turn] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    seconds: float = 0.0
    drain_seconds: float = 0.0
    errors: list[str] = field(default_factory=list)
    """Lines of the hooks' log."""

    def told_with(self, event: str) -> list[Told]:
        """Return the moments of a kind, told something or not."""
        return [told for told in self.told if told.event == event]

    def turn_at(self, moment: str) -> Turn | None:
        """Return the turn that a time belongs to; the first where it is before all of them."""
        before = [turn for turn in self.turns if turn.at[:19] <= moment[:19]]
        return before[-1] if before else next(iter(self.turns), None)


@dataclass(slots=True)
class Replayed:
    """All sessions, what the store holds at the end, and its size."""

    sessions: list[ReplayedSession] = field(default_factory=list)
    memories: list[Memory] = field(default_factory=list)
    store_bytes: int = 0

    def captures(self, session: str | None = None, status: str = "active") -> list[Memory]:
        """Return the captured memories with a status, of one session or of all, without turns and summaries."""
        return [
            memory
            for memory in self.memories
            if teaching.rule(memory)
            and memory.kind not in NOT_COUNTED
            and memory.status == status
            and session in (None, memory.session)
        ]


# -- reading -----------------------------------------------------------------------------------------------------------


def load(data: Path) -> list[SessionFile]:
    """Return the sessions of a folder in the order in which they ran; raises BadInput where there are none.

    `sessions.json` lists their files in order; without it they are sorted by their first record.
    """
    listed = _listed(data)
    found = []
    for path, session in listed or [(path, "") for path in transcript_files.find(data)]:
        file = transcript_files.look(path)
        if file and not file.is_subagent:
            found.append(replace(file, session=session or file.session))
    if not found:
        raise BadInput("there are no transcripts here", target=data, fix=FIX)
    return found if listed else sorted(found, key=lambda file: file.started)


def _listed(data: Path) -> list[tuple[Path, str]]:
    try:
        rows = json.loads(foreign_files.read(str(data / LIST), most_bytes=foreign_files.MEMORY_BYTES))
        return [(data / str(row["file"]), str(row.get("session") or "")[-ID_CHARS:]) for row in rows]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadInput(f"the list of sessions cannot be read: {error!r}", target=data / LIST, fix=FIX) from None


def _read(file: SessionFile, root: Path, seen: set[str]) -> RecordedSession:
    """Return a session as if it had run in `root`, without what an earlier one holds too."""
    recorded = transcript_files.read(file.path)
    if recorded is None:
        raise UnreadableFile("it changed while it was read", target=file.path)
    return recorded.moved_to(str(root)).named(file.session).without_copies(seen)


# -- replaying ---------------------------------------------------------------------------------------------------------


def replay(files: Sequence[SessionFile]) -> Iterator[Replayed]:
    """Replay sessions one after the other, as one project's; yield what there is so far after each.

    The memories of the store are read after the last one.
    """
    run, seen = Replayed(), set[str]()
    with tempfile.TemporaryDirectory(prefix="recollect-eval-", dir=_readable_folder()) as folder:
        root = Path(folder) / "work" / _project_name(files)
        root.mkdir(parents=True)
        env = _environment(Path(folder), root)
        _open(root, env).close()
        for number, file in enumerate(files, 1):
            run.sessions.append(_Session(_read(file, root, seen), env, Path(folder)).play())
            if number == len(files):
                run.memories, run.store_bytes = _memories(root, env), _store_bytes(env)
            yield run


def _readable_folder() -> str | None:
    """Return the folder for temporary files; /tmp where the pipeline would not read a transcript in the usual one."""
    usual = tempfile.gettempdir()
    return None if foreign_files.transcript_path(os.path.join(usual, "transcript")) else "/tmp"  # noqa: PTH118, S108


def _project_name(files: Sequence[SessionFile]) -> str:
    """Return the name of the folder that most sessions ran in."""
    names = Counter(Path(file.folder).name for file in files if file.folder)
    best = names.most_common(1)[0][0] if names else ""
    return re.sub(r"[^A-Za-z0-9._-]", "-", best).strip(".-") or "project"


def _environment(folder: Path, root: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(STRIPPED_PREFIXES)}
    return kept | {
        "HOME": str(folder),
        "RECOLLECT_HOME": str(folder / "store"),
        "RECOLLECT_CONFIG": str(folder / "config.toml"),
        "CLAUDE_PROJECT_DIR": str(root),
    }


def _open(root: Path, env: Mapping[str, str]) -> OpenProject:
    return open_checkout(find_checkout(root), OpenProject, folder=root, env=env, actor="eval", warn=lambda _: None)


def _memories(root: Path, env: Mapping[str, str]) -> list[Memory]:
    with _open(root, env) as project:
        found = project.project_context.store.find(
            Query(project.project, statuses=("active", "retired"), oldest_first=True, limit=1_000_000)
        )
    return [row.memory for row in found]


def _store_bytes(env: Mapping[str, str]) -> int:
    """Return the size of the database with its log of writes; backups and the journal's mirror are not counted."""
    database = Path(paths.database(env))
    return sum(path.stat().st_size for path in database.parent.glob(f"{database.name}*") if path.is_file())


class _Session:
    """A session that is being replayed."""

    def __init__(self, recorded: RecordedSession, env: Mapping[str, str], folder: Path) -> None:
        self.recorded, self.env = recorded, env
        transcript = recorded.transcript
        self.dialect: Dialect = load_dialect(transcript.client)
        self.copy = GrowingCopy(folder / "transcripts" / f"{text.sha256(recorded.name)[:16]}.jsonl", recorded.lines)
        self.found = ReplayedSession(recorded.name, transcript.client, transcript.started)

    def play(self) -> ReplayedSession:
        """Send every event to the hooks; drain after each turn, and run the jobs."""
        begin = time.monotonic()
        for event in transcript_files.hook_events(self.recorded, self.copy.path):
            if self._is_hooked(event):
                self.copy.grow(event.lines)
                self._send(event, {**self.env, "RECOLLECT_NOW": event.at})
        self.found.seconds = time.monotonic() - begin
        self.found.errors = [line for line in log_lines(self.env) if "WARNING: " not in line]
        with contextlib.suppress(FileNotFoundError):
            self.copy.path.unlink()
        return self.found

    def _is_hooked(self, event: HookEvent) -> bool:
        """Whether `install` registers a hook for an event, and for its tool."""
        if event.native not in self.dialect.HOOKED or not event.at:
            return False
        matcher = self.dialect.HOOKED[event.native][0]
        return matcher is None or bool(re.fullmatch(matcher, str(event.payload.get("tool_name", ""))))

    def _send(self, event: HookEvent, env: Mapping[str, str]) -> None:
        name, reply = self.dialect.EVENTS[event.native], Reply()
        raw = json.dumps(event.payload, ensure_ascii=False).encode("utf-8", "replace")
        self._add_turn(event, name)
        dispatch.run(self.dialect.NAME, event.native, raw, env, reply, starts_worker=False)
        self.found.events[name] += 1
        self._add_told(event, name, reply.context or reply.complaint)
        if name in DRAINED_AFTER:
            begin = time.monotonic()
            inbox_processor.drain(env=env)
            inbox_processor.run_jobs_after_draining(env=env)
            self.found.drain_seconds += time.monotonic() - begin

    def _add_turn(self, event: HookEvent, name: str) -> None:
        if name == PROMPT:
            self.found.turns.append(Turn(event.at, self._field(event, "prompt")))
        elif name == "TurnEnded" and self.found.turns:
            self.found.turns[-1].answer = self._field(event, "answer")

    def _add_told(self, event: HookEvent, name: str, context: str) -> None:
        about = {PROMPT: "prompt", FAILURE: "error", START: "source", CALL: "command"}.get(name)
        if about and (context or name == PROMPT):
            said = self._field(event, about) or (self._field(event, "path") if name == CALL else "")
            self.found.told.append(Told(name, event.at, said, context, len(self.found.turns) - 1))

    def _field(self, event: HookEvent, name: str) -> str:
        """Return one of our fields of an event, as the client names it; empty where it is missing."""
        for path in self.dialect.FIELDS[name]:
            value: object = event.payload
            for part in path.split("."):
                value = value.get(part) if isinstance(value, dict) else None
            if isinstance(value, str):
                return value
        return ""
