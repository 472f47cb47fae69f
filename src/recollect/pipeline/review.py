"""What a person should decide: captured memories that are not certain, and memories that may contradict each other."""

from dataclasses import dataclass

from recollect.errors import BadInput
from recollect.model.memory import PENDING, Memory
from recollect.model.query import Query
from recollect.pipeline import teaching
from recollect.policy.capture import filing
from recollect.policy.memories import conflicts
from recollect.policy.memories.taught import Tally
from recollect.project_context import ProjectContext
from recollect.store.protocols import Stored
from recollect.write import commit
from recollect.write.outcome import Outcome

TURN = "turn_summary"


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """A memory that waits for a decision, and what a person needs to know for it."""

    memory: Memory
    is_pending: bool
    """Whether it was captured without certainty: agents are not told of it before it is kept."""
    older: tuple[Memory, ...]
    """Active memories that it may replace; empty if it contradicts none."""
    turn: Memory | None
    """The prompt and answer that it was captured from; None if that turn is not kept any more."""
    rule: str
    """The rule that captured it; empty for a memory that somebody saved."""
    taught: Tally
    """How much of this rule was kept and dropped in this project."""

    @property
    def reason(self) -> str:
        """Why it waits, in one sentence."""
        if self.memory.origin == "quoted":
            return "You passed these words on; it is not certain that they are yours."
        if self.is_pending:
            sure = self.memory.confidence or 0.0
            return f"Confidence {sure:.2f}; below {filing.PENDING_BELOW:.2f} a captured memory waits for you."
        return "It contradicts an older memory, and no words said that it replaces it."


def items(context: ProjectContext) -> list[ReviewItem]:
    """Return what waits for a decision in this project, the oldest first: pending memories, then conflicts."""
    now = context.clock().timestamp()
    query = Query(context.project, tags=(PENDING,), unexpired_at=now, oldest_first=True)
    pending = [stored.memory for stored in context.store.find(query)]
    pairs = context.store.possible_conflicts(context.project, now)
    newer = [context.store.get(uid) for uid in dict.fromkeys(pair[0] for pair in pairs)]
    known = {memory.uid for memory in pending}
    conflicting = [stored.memory for stored in newer if stored and stored.memory.uid not in known]
    tallies = teaching.tallies(context)
    return [_item(context, memory, pairs, tallies) for memory in [*pending, *conflicting]]


def _item(
    context: ProjectContext, memory: Memory, pairs: list[tuple[str, str]], tallies: dict[str, Tally]
) -> ReviewItem:
    found = [context.store.get(older) for newer, older in pairs if newer == memory.uid]
    rule = teaching.rule(memory)
    return ReviewItem(
        memory,
        is_pending=PENDING in memory.tags,
        older=tuple(stored.memory for stored in found if stored),
        turn=_turn(context, memory),
        rule=rule,
        taught=tallies.get(rule, Tally()),
    )


def _turn(context: ProjectContext, memory: Memory) -> Memory | None:
    """Return the turn that a memory comes from; lineage has keys of events too, which contain a slash."""
    sources = (context.store.get(uid) for uid in memory.derived_from if "/" not in uid)
    return next((source.memory for source in sources if source and source.memory.kind == TURN), None)


def merge(context: ProjectContext, newer: Stored, older: Stored) -> Outcome:
    """Make one memory of two: the newer one stays, the older one is retired; raises BadInput for the same one twice."""
    if newer.memory.uid == older.memory.uid:
        raise BadInput("a memory cannot be merged with itself", target=newer.memory.slug, fix="Name two memories.")
    if older.memory.status != "active" or newer.memory.status != "active":
        closed = older if older.memory.status != "active" else newer
        fix = "`recollect restore` makes it active again."
        raise BadInput(f"this memory is {closed.memory.status}", target=closed.memory.slug, fix=fix)
    tags = filing.reviewed(newer.memory.tags)
    return commit.commit(context, conflicts.merge(newer.memory, newer.revision, older.memory, tags))[0]
