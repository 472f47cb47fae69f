"""What a job would do: planned changes with a reason for each. Planning writes nothing; `runner` commits the plan."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from recollect.model.change import Archive, Change, Purge, Retire

CLOSING = (Archive, Purge, Retire)


@dataclass(frozen=True, slots=True)
class Step:
    """A planned change: what would happen to which memory, and why."""

    change: Change
    name: str
    """Kind and slug of the memory, for people."""
    title: str
    reason: str
    before: float | None = None
    """The score before the change; None where no score is involved."""
    after: float | None = None
    """The score after the change; None where no score is involved."""
    preview: str = ""
    """The text that the change would write, or the lines that it would take out of a log; empty without one."""

    @property
    def closes(self) -> bool:
        """Whether the change takes an active memory out of recall; garbage collection is about retired ones."""
        is_collected = getattr(self.change, "drop_file", False) or getattr(self.change, "only_retired", False)
        return isinstance(self.change, CLOSING) and not is_collected


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps of a run, committed as one group that one `undo` reverses."""

    steps: tuple[Step, ...] = ()
    result: str = "nothing to do"
    """What the run does, in a few words, such as "archives 3 of 120 memories"."""
    considered: int = 0
    """How many active memories the job looked at."""
    also: Callable[[], object] | None = field(default=None, compare=False)
    """What is written to the store besides the changes, in the same transaction, such as how far the job has got."""

    @property
    def changes(self) -> list[Change]:
        """The changes in their order."""
        return [step.change for step in self.steps]

    @property
    def closing(self) -> int:
        """How many memories the plan takes out of recall."""
        return sum(step.closes for step in self.steps)

    @property
    def closed(self) -> set[str]:
        """The uids of the memories that the plan takes out of recall."""
        return {str(getattr(step.change, "uid", "")) for step in self.steps if step.closes}


def joined(plans: Iterable[Plan]) -> Plan:
    """Return one plan with the steps of several; the results are listed one after the other."""
    every = list(plans)
    steps = tuple(step for plan in every for step in plan.steps)
    said = "; ".join(plan.result for plan in every if plan.steps)
    notes = [plan.also for plan in every if plan.also]
    considered = max((plan.considered for plan in every), default=0)
    return Plan(steps, said or "nothing to do", considered, lambda: [note() for note in notes])
