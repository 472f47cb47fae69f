"""Replay recorded sessions: measure which memories capture saves, and what later prompts get injected.

Each session runs in a temporary home; the environment is passed on as a mapping and os.environ is never changed.
"""

import contextlib
import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from recollect import foreign_files, paths
from recollect.errors import BadInput
from recollect.evaluation import playground, shipped_data
from recollect.evaluation.playground import CLIENT, START_SECONDS, Json
from recollect.hooks import inbox
from recollect.hooks.event import load_dialect
from recollect.model.memory import Memory
from recollect.model.query import Query
from recollect.pipeline import inbox_processor
from recollect.pipeline.inbox_event import InboxEvent
from recollect.policy.ranking import ranks

HOME = "/home/dev/"
"""The home folder in the recorded events; the project below it is replaced by the temporary one."""
FIX = "The README of the data set `capture` in recollect[eval] describes the format."
NOT_COUNTED = ("turn_summary", "session_summary")
"""Kinds that are saved for every session; no label asks for them."""
OURS, EVERYTHING, ERRORS = "recollect", "keep everything", "keep errors only"


@dataclass(frozen=True, slots=True)
class Session:
    """A recorded session, the memories that should be saved from it, and the prompts of later sessions."""

    name: str
    project: str
    events: tuple[Json, ...]
    memories: tuple[Json, ...]
    next: tuple[Json, ...]

    def gold(self) -> dict[int, str]:
        """Return the labelled memory of each event that should be saved, by the event's position."""
        return {place: str(event["memory"]) for place, event in enumerate(self.events) if event.get("keep")}

    def labelled(self) -> list[int]:
        """Return the positions of the events that have a label."""
        return [place for place, event in enumerate(self.events) if "keep" in event]


@dataclass(frozen=True, slots=True)
class SavedMemory:
    """A memory that a system saved: its kind, its title and text, and the positions of its events."""

    kind: str
    text: str
    events: frozenset[int]


@dataclass(frozen=True, slots=True)
class Replay:
    """A replayed session: its environment and project folder, the saved memories, and the key of each event."""

    env: Mapping[str, str]
    root: Path
    memories: list[Memory]
    keys: list[str]


@dataclass(slots=True)
class Captured:
    """What one system saved from the sessions, counted against the labels."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    kinds: int = 0
    """Correctly saved events that also have the right kind."""
    memories: int = 0
    junk: int = 0
    """Memories that belong to no labelled memory."""
    duplicates: int = 0
    """Memories that repeat the content of another."""
    splits: int = 0
    """Memories that belong to the same labelled memory as another; duplicates are included."""
    said: int = 0
    """Labelled memories whose content was saved."""
    gold: int = 0
    """Labelled memories."""
    sessions: int = 0
    details: list[Json] = field(default_factory=list)

    def as_dict(self) -> dict[str, float]:
        """Return the measures by name; shares are between 0 and 1."""
        saved, labelled = self.right + self.wrong, self.right + self.missed
        return {
            "precision": self.right / saved if saved else 0.0,
            "recall": self.right / labelled if labelled else 0.0,
            "f1": 2 * self.right / (saved + labelled) if saved + labelled else 0.0,
            "kind": self.kinds / self.right if self.right else 0.0,
            "memories": float(self.memories),
            "junk_per_session": self.junk / self.sessions if self.sessions else 0.0,
            "duplicates": self.duplicates / self.memories if self.memories else 0.0,
            "splits": self.splits / self.memories if self.memories else 0.0,
            "gold_said": self.said / self.gold if self.gold else 0.0,
        }


def load(data: Path | None, half: str) -> list[Session]:
    """Return the sessions of an included half ("all" for both) or of a file; raise BadInput if they cannot be read."""
    halves = ("tune", "test") if half == "all" else (half,)
    files = [data] if data else [shipped_data.folder("capture") / f"{name}.jsonl" for name in halves]
    found = []
    for file in files:
        try:
            data_bytes = foreign_files.read(str(file), most_bytes=foreign_files.DATASET_BYTES)
            lines = data_bytes.decode("utf-8").splitlines()
            found += [_session(json.loads(line)) for line in lines if line.strip()]
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise BadInput(f"the sessions cannot be read: {error!r}", target=file, fix=FIX) from None
    return found


def _session(row: Json) -> Session:
    parts = tuple(row["events"]), tuple(row["memories"]), tuple(row.get("next", ()))
    session = Session(str(row["name"]), str(row.get("project") or row["name"]), *parts)
    unknown = set(session.gold().values()) - {str(memory["name"]) for memory in session.memories}
    if unknown:
        raise ValueError(f"{session.name}: events name memories that do not exist: {', '.join(sorted(unknown))}")
    return session


# -- replaying ---------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def replayed(session: Session, *, vectors: bool = False) -> Iterator[Replay]:
    """Replay a session's events in a temporary home, which is removed afterwards; `vectors` builds search vectors."""
    with tempfile.TemporaryDirectory(prefix="recollect-eval-") as folder:
        root = Path(folder) / session.project
        root.mkdir()
        env = playground.environment(Path(folder), vectors=vectors)
        playground.open_project(root, env).close()
        keys = [_put(env, root, session, place, at) for place, at in _times(session)]
        inbox_processor.drain(env=env)
        if vectors:
            inbox_processor.run_jobs_after_draining(env=env)
        with playground.open_project(root, env) as project:
            found = project.project_context.store.find(Query(project.project, oldest_first=True))
        yield Replay(env, root, [row.memory for row in found if row.memory.kind not in NOT_COUNTED], keys)


def _times(session: Session) -> Iterator[tuple[int, float]]:
    """Yield the position and the time (seconds since 1970) of each event."""
    at = START_SECONDS
    for place, event in enumerate(session.events):
        at += float(event.get("after", 1))
        yield place, at


def _put(env: Mapping[str, str], root: Path, session: Session, place: int, at: float) -> str:
    """Write one event into the inbox; return its key."""
    raw = json.dumps(session.events[place]["hook"]).replace(f"{HOME}{session.project}", str(root))
    hook = json.loads(raw)
    native = str(hook["hook_event_name"])
    file = inbox.put(paths.home(env), CLIENT, native, raw.encode(), now=playground.stamp(at))
    dialect = load_dialect(CLIENT)
    return InboxEvent(file, dialect, native, dialect.EVENTS.get(native, ""), at, hook).key


# -- capture -----------------------------------------------------------------------------------------------------------


def capture(sessions: Sequence[Session]) -> Iterator[dict[str, Captured]]:
    """Replay each session with every system; yield the totals after each session."""
    totals = {name: Captured() for name in (OURS, EVERYTHING, ERRORS)}
    for session in sessions:
        with replayed(session) as replay:
            place_of = {key: place for place, key in enumerate(replay.keys)}
            ours = [_saved(memory, place_of) for memory in replay.memories]
        for name, saved in ((OURS, ours), *_baselines(session)):
            _count_events(totals[name], session, saved)
            _count_memories(totals[name], session, saved)
        yield totals


def _saved(memory: Memory, place_of: Mapping[str, int]) -> SavedMemory:
    events = frozenset(place_of[key] for key in memory.derived_from if key in place_of)
    return SavedMemory(memory.kind, f"{memory.title}\n{memory.text}", events)


def _baselines(session: Session) -> Iterator[tuple[str, list[SavedMemory]]]:
    """Yield what two systems without judgement save: a memory of every event, and one of every error."""
    texts = {place: json.dumps(session.events[place]["hook"], ensure_ascii=False) for place in session.labelled()}
    failed = [place for place in texts if "error" in session.events[place]["hook"]]
    yield EVERYTHING, [SavedMemory("discovery", text, frozenset([place])) for place, text in texts.items()]
    yield ERRORS, [SavedMemory("runbook", texts[place], frozenset([place])) for place in failed]


def _count_events(total: Captured, session: Session, saved: Sequence[SavedMemory]) -> None:
    """Add to the total how many events were saved rightly, wrongly or not at all."""
    gold, kinds = session.gold(), {str(memory["name"]): str(memory["kind"]) for memory in session.memories}
    kind_of: dict[int, str] = {}
    for memory in saved:
        for place in memory.events:
            kind_of.setdefault(place, memory.kind)
    for place in session.labelled():
        is_saved, is_gold = place in kind_of, place in gold
        total.right += is_saved and is_gold
        total.wrong += is_saved and not is_gold
        total.missed += is_gold and not is_saved
        total.kinds += is_saved and is_gold and kind_of[place] == kinds[gold[place]]
        if is_saved != is_gold:
            total.details.append({"session": session.name, "event": place, "kept": is_saved, "should_be": is_gold})


def _count_memories(total: Captured, session: Session, saved: Sequence[SavedMemory]) -> None:
    """Add to the total how many memories are junk, splits and duplicates, and which labelled ones were found."""
    gold = session.gold()
    wanted = {str(memory["name"]): memory["says"] for memory in session.memories}
    names = [(memory, _labelled_memory(memory, gold)) for memory in saved]
    belonging = Counter(name for _, name in names)
    complete = Counter(name for memory, name in names if name and _contains(memory.text, wanted[name]))
    total.junk += belonging.pop("", 0)
    total.splits += sum(number - 1 for number in belonging.values())
    total.duplicates += sum(number - 1 for number in complete.values())
    total.memories += len(saved)
    total.gold += len(session.memories)
    total.said += sum(any(_contains(memory.text, groups) for memory in saved) for groups in wanted.values())
    total.sessions += 1


def _labelled_memory(memory: SavedMemory, gold: Mapping[int, str]) -> str:
    """Return the labelled memory that most events of a saved memory belong to; empty if none does."""
    belong = Counter(gold[place] for place in memory.events if place in gold)
    return belong.most_common(1)[0][0] if belong else ""


def _contains(text: str, groups: Sequence[Sequence[str]]) -> bool:
    """Whether a text contains at least one alternative of every group, in any case."""
    lower = text.lower()
    return all(any(str(alternative).lower() in lower for alternative in group) for group in groups)


# -- what later sessions get injected ----------------------------------------------------------------------------------


@dataclass(slots=True)
class Injected:
    """How many of the facts that later prompts need were injected, and the tokens of what was injected."""

    facts: int = 0
    known: int = 0
    """Facts that were injected, at the session's start or with the prompt."""
    with_prompt: int = 0
    prompts: int = 0
    tokens: float = 0.0
    details: list[Json] = field(default_factory=list)

    def as_dict(self) -> dict[str, float]:
        """Return the measures by name; shares are between 0 and 1, tokens per prompt."""
        return {
            "prompts": float(self.prompts),
            "facts": float(self.facts),
            "told": self.known / self.facts if self.facts else 0.0,
            "told_with_prompt": self.with_prompt / self.facts if self.facts else 0.0,
            "tokens": self.tokens / self.prompts if self.prompts else 0.0,
        }


def injected(sessions: Sequence[Session]) -> Iterator[Injected]:
    """Replay each session, then send each later prompt to the hooks in a new session; yield the total after each."""
    total = Injected()
    for session in sessions:
        if session.next:
            with replayed(session, vectors=True) as replay:
                for number, later in enumerate(session.next):
                    _ask(total, replay, session, number, later)
        yield total


def _ask(total: Injected, replay: Replay, session: Session, number: int, later: Json) -> None:
    base = {"session_id": f"later-{number}", "cwd": str(replay.root), "prompt_id": f"p{number}"}
    start = playground.answer("SessionStart", {**base, "source": "startup"}, replay.env)
    prompt = playground.answer("UserPromptSubmit", {**base, "prompt": later["prompt"]}, replay.env)
    total.prompts += 1
    total.tokens += ranks.tokens(prompt)
    for group in later["facts"]:
        total.facts += 1
        total.known += _contains(f"{start}\n{prompt}", [group])
        total.with_prompt += _contains(prompt, [group])
        if not _contains(f"{start}\n{prompt}", [group]):
            total.details.append({"session": session.name, "prompt": later["prompt"], "lacks": list(group)})
