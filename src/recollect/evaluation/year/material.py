"""What the shipped sessions teach: each is replayed once through the pipeline, and its memories are collected."""

from collections.abc import Iterator
from dataclasses import dataclass

from recollect.evaluation import sessions
from recollect.model.memory import Memory


@dataclass(frozen=True, slots=True)
class Lessons:
    """The memories that a session left, and the prompts that came in it."""

    memories: tuple[Memory, ...]
    prompts: tuple[str, ...]


def collect(limit: int | None = None) -> Iterator[Lessons]:
    """Replay the shipped sessions of both halves, or the first `limit` of them; yield what each taught."""
    for session in sessions.load(None, "all")[:limit]:
        with sessions.replayed(session) as replay:
            prompts = tuple(str(event["hook"]["prompt"]) for event in session.events if "prompt" in event["hook"])
            yield Lessons(tuple(replay.memories), prompts)
