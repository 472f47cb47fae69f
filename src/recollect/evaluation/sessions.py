"""Sessions replayed: what capture files of them, and what a later session is told of it."""

import contextlib
import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from recollect import folders, foreign_files
from recollect.errors import BadInput
from recollect.evaluation import shipped_data
from recollect.hooks import inbox, wiring
from recollect.hooks.event import Event, Reply, load_dialect
from recollect.lazy import load_handler
from recollect.library.opening import open as open_workspace
from recollect.model.memory import Memory
from recollect.model.query import Query
from recollect.pipeline import inbox_processor
from recollect.pipeline.inbox_event import InboxEvent
from recollect.policy.ranking import ranks

CLIENT = "claude-code"
BEGIN = 1_790_000_000.0
A_DAY = 86_400.0
HOME = "/home/dev/"
FIX = "See the README beside the shipped sessions for the format."
NOT_FILED = ("turn_summary", "session_summary")
OURS, EVERYTHING, ERRORS = "recollect", "keep everything", "keep errors only"

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Session:
    """A scripted session with what should be kept of it, and what is asked later."""

    name: str
    project: str
    events: tuple[Json, ...]
    memories: tuple[Json, ...]
    next: tuple[Json, ...]

    def gold(self) -> dict[int, str]:
        """The memory that each kept event belongs to."""
        return {place: str(event["memory"]) for place, event in enumerate(self.events) if event.get("keep")}

    def labelled(self) -> list[int]:
        """The events that say whether they should be kept."""
        return [place for place, event in enumerate(self.events) if "keep" in event]


@dataclass(frozen=True, slots=True)
class Filed:
    """A memory that was filed: its kind, what it says, and the events that it names."""

    kind: str
    says: str
    events: frozenset[int]


@dataclass(slots=True)
class Captured:
    """What one system filed of the sessions, counted against the labels."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    kinds: int = 0
    memories: int = 0
    junk: int = 0
    duplicates: int = 0
    """Memories that say once more what another one says."""
    splits: int = 0
    """Memories of something that another one is of too; duplicates are among them."""
    said: int = 0
    gold: int = 0
    sessions: int = 0
    details: list[Json] = field(default_factory=list)

    def as_dict(self) -> dict[str, float]:
        """Shares, as people compare them."""
        told, kept = self.right + self.wrong, self.right + self.missed
        return {
            "precision": self.right / told if told else 0.0,
            "recall": self.right / kept if kept else 0.0,
            "f1": 2 * self.right / (told + kept) if told + kept else 0.0,
            "kind": self.kinds / self.right if self.right else 0.0,
            "memories": float(self.memories),
            "junk_per_session": self.junk / self.sessions if self.sessions else 0.0,
            "duplicates": self.duplicates / self.memories if self.memories else 0.0,
            "splits": self.splits / self.memories if self.memories else 0.0,
            "gold_said": self.said / self.gold if self.gold else 0.0,
        }


def load(data: Path | None, half: str) -> list[Session]:
    """The sessions of a half, or of a file."""
    halves = ("tune", "test") if half == "all" else (half,)
    files = [data] if data else [shipped_data.folder("capture") / f"{name}.jsonl" for name in halves]
    found = []
    for file in files:
        try:
            said = foreign_files.read(str(file), most_bytes=foreign_files.DATASET_BYTES)
            lines = said.decode("utf-8").splitlines()
            found += [_session(json.loads(line)) for line in lines if line.strip()]
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise BadInput(f"the sessions cannot be read: {error!r}", target=file, fix=FIX) from None
    return found


def _session(said: Json) -> Session:
    parts = tuple(said["events"]), tuple(said["memories"]), tuple(said.get("next", ()))
    session = Session(str(said["name"]), str(said.get("project") or said["name"]), *parts)
    unknown = set(session.gold().values()) - {str(one["name"]) for one in session.memories}
    if unknown:
        raise ValueError(f"{session.name}: events name memories that are not there: {', '.join(sorted(unknown))}")
    return session


# -- replaying ---------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def replayed(session: Session, *, vectors: bool = False) -> Iterator[tuple[Path, list[Memory], list[str]]]:
    """A throw-away home in which a session happened: its project, what was filed, and the key of each event."""
    with tempfile.TemporaryDirectory(prefix="recollect-eval-") as folder:
        root = Path(folder) / session.project
        root.mkdir()
        with _living_in(Path(folder), vectors=vectors):
            open_workspace(root, actor="eval", warn=lambda _: None).close()
            keys = [_put(Path(folder), root, session, place, at) for place, at in _times(session)]
            inbox_processor.drain()
            if vectors:
                inbox_processor.catch_up()
            with open_workspace(root, actor="eval", warn=lambda _: None) as workspace:
                found = workspace.context.store.find(Query(workspace.project, oldest_first=True))
            yield root, [one.memory for one in found if one.memory.kind not in NOT_FILED], keys


@contextlib.contextmanager
def _living_in(folder: Path, *, vectors: bool) -> Iterator[None]:
    before = dict(os.environ)
    mine = {name: value for name, value in before.items() if not name.startswith(("RECOLLECT_", "CLAUDE_", "AGENT_"))}
    os.environ.clear()
    os.environ.update(mine, HOME=str(folder), RECOLLECT_HOME=str(folder / "store"))
    os.environ.update({"RECOLLECT_RECALL__VECTORS": "on" if vectors else "off", "RECOLLECT_NOW": _stamp(BEGIN + A_DAY)})
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _times(session: Session) -> Iterator[tuple[int, float]]:
    at = BEGIN
    for place, event in enumerate(session.events):
        at += float(event.get("after", 1))
        yield place, at


def _put(home: Path, root: Path, session: Session, place: int, at: float) -> str:
    said = json.dumps(session.events[place]["hook"]).replace(f"{HOME}{session.project}", str(root))
    hook = json.loads(said)
    native = str(hook["hook_event_name"])
    file = inbox.put(str(home / "store"), CLIENT, native, said.encode(), now=_stamp(at))
    dialect = load_dialect(CLIENT)
    return InboxEvent(file, dialect, native, dialect.EVENTS.get(native, ""), at, hook).key


def _stamp(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat()


# -- capture -----------------------------------------------------------------------------------------------------------


def capture(sessions: Sequence[Session]) -> Iterator[dict[str, Captured]]:
    """Each session by every system, added up as it goes."""
    totals = {name: Captured() for name in (OURS, EVERYTHING, ERRORS)}
    for session in sessions:
        with replayed(session) as (_, memories, keys):
            place_of = {key: place for place, key in enumerate(keys)}
            ours = [_filed(one, place_of) for one in memories]
        for name, filed in ((OURS, ours), *_baselines(session)):
            _count(totals[name], session, filed)
        yield totals


def _filed(memory: Memory, place_of: Mapping[str, int]) -> Filed:
    events = frozenset(place_of[key] for key in memory.derived_from if key in place_of)
    return Filed(memory.kind, f"{memory.title}\n{memory.text}", events)


def _baselines(session: Session) -> Iterator[tuple[str, list[Filed]]]:
    """What would be filed without judgement: a memory of every event, or of every error."""
    every = {place: json.dumps(session.events[place]["hook"], ensure_ascii=False) for place in session.labelled()}
    failed = [place for place in every if "error" in session.events[place]["hook"]]
    yield EVERYTHING, [Filed("discovery", said, frozenset([place])) for place, said in every.items()]
    yield ERRORS, [Filed("runbook", every[place], frozenset([place])) for place in failed]


def _count(total: Captured, session: Session, filed: Sequence[Filed]) -> None:
    gold, kinds = session.gold(), {str(one["name"]): str(one["kind"]) for one in session.memories}
    told: dict[int, str] = {}
    for one in filed:
        for place in one.events:
            told.setdefault(place, one.kind)
    for place in session.labelled():
        is_told, is_kept = place in told, place in gold
        total.right += is_told and is_kept
        total.wrong += is_told and not is_kept
        total.missed += is_kept and not is_told
        total.kinds += is_told and is_kept and told[place] == kinds[gold[place]]
        if is_told != is_kept:
            total.details.append({"session": session.name, "event": place, "kept": is_told, "should_be": is_kept})
    wanted = {str(one["name"]): one["says"] for one in session.memories}
    meant = Counter(_meant(one, gold) for one in filed)
    said = Counter(name for one in filed if (name := _meant(one, gold)) and _says(one.says, wanted[name]))
    total.junk += meant.pop("", 0)
    total.splits += sum(number - 1 for number in meant.values())
    total.duplicates += sum(number - 1 for number in said.values())
    total.memories += len(filed)
    total.gold += len(session.memories)
    total.said += sum(any(_says(found.says, says) for found in filed) for says in wanted.values())
    total.sessions += 1


def _meant(one: Filed, gold: Mapping[int, str]) -> str:
    """The gold memory that a filed one is about: the one that most of its events belong to; none: junk."""
    belong = Counter(gold[place] for place in one.events if place in gold)
    return belong.most_common(1)[0][0] if belong else ""


def _says(said: str, groups: Sequence[Sequence[str]]) -> bool:
    lower = said.lower()
    return all(any(str(one).lower() in lower for one in group) for group in groups)


# -- what the next session is told -------------------------------------------------------------------------------------


@dataclass(slots=True)
class Told:
    """What later prompts were told: the facts that they need, and what it cost."""

    facts: int = 0
    known: int = 0
    with_prompt: int = 0
    prompts: int = 0
    tokens: float = 0.0
    details: list[Json] = field(default_factory=list)

    def as_dict(self) -> dict[str, float]:
        """Shares, as people compare them."""
        return {
            "prompts": float(self.prompts),
            "facts": float(self.facts),
            "told": self.known / self.facts if self.facts else 0.0,
            "told_with_prompt": self.with_prompt / self.facts if self.facts else 0.0,
            "tokens": self.tokens / self.prompts if self.prompts else 0.0,
        }


def told(sessions: Sequence[Session]) -> Iterator[Told]:
    """Each session, then each later prompt in a session of its own, through the hooks themselves."""
    total = Told()
    for session in sessions:
        if session.next:
            with replayed(session, vectors=True) as (root, _, _):
                for number, later in enumerate(session.next):
                    _ask(total, root, session, number, later)
        yield total


def _ask(total: Told, root: Path, session: Session, number: int, later: Json) -> None:
    base = {"session_id": f"later-{number}", "cwd": str(root), "prompt_id": f"p{number}"}
    start = _hook("SessionStart", {**base, "source": "startup"})
    prompt = _hook("UserPromptSubmit", {**base, "prompt": later["prompt"]})
    total.prompts += 1
    total.tokens += ranks.tokens(prompt)
    for group in later["facts"]:
        total.facts += 1
        total.known += _says(f"{start}\n{prompt}", [group])
        total.with_prompt += _says(prompt, [group])
        if not _says(f"{start}\n{prompt}", [group]):
            total.details.append({"session": session.name, "prompt": later["prompt"], "lacks": list(group)})


def _hook(native: str, said: Json) -> str:
    """What the handlers of an event tell; nothing is noted, and nobody is started to drain it."""
    raw = json.dumps({**said, "hook_event_name": native}).encode()
    event, reply = Event(load_dialect(CLIENT), native, raw, dict(os.environ), folders.home(os.environ)).read(), Reply()
    for binding in wiring.bindings(event.name, wiring.HOOK):
        load_handler(binding.handler)(event, reply)
    event.store.close()
    return reply.context
