"""What is broken in a session: failures are gathered into episodes, which are repaired, explained or left open."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from recollect.model.session_event import SessionEvent
from recollect.policy.capture import episodes, milestones
from recollect.policy.capture.draft import Draft
from recollect.policy.capture.episodes import Episode
from recollect.policy.shell import commands, outputs
from recollect.policy.shell.commands import Act


@dataclass(slots=True)
class Failures:
    """The episodes of a session so far, and what of them this turn is about."""

    episodes: list[Episode] = field(default_factory=list)
    met: list[Episode] = field(default_factory=list)
    """What failed, or was repaired, in this turn."""
    checked: SessionEvent | None = None
    """The last run in this turn that passed."""
    edited: set[str] = field(default_factory=set)
    """The files that were worked on."""
    released: set[str] = field(default_factory=set)
    """What turned out to have been done about a mere slip."""
    is_hunting: bool = False
    """Whether this turn is about something that is broken."""

    @property
    def open(self) -> list[Episode]:
        """What is broken at the moment; what passed again by itself is not counted."""
        return [one for one in self.episodes if one.is_open and not one.passed_alone]

    def begin_turn(self, prompt: SessionEvent) -> list[Episode]:
        """What the turn before ran into and left open; what was not written yet, or passed by itself, is forgotten."""
        self.episodes = [one for one in self.episodes if not (one.is_open and (one.passed_alone or one.is_forgotten))]
        left = [one for one in self.met if one.is_open and one in self.episodes]
        self.met, self.checked, self.is_hunting = [], None, bool(episodes.BROKEN.search(prompt.about))
        return left

    def fail(self, event: SessionEvent, acts: Sequence[Act]) -> None:
        """Something fails: again, or for the first time."""
        signature = outputs.signature(episodes.said(event))
        one = next((known for known in reversed(self.episodes) if known.is_again(acts, signature)), None)
        if one is None and not acts:  # a report and the log of it are about the same
            one = next((known for known in self.met if known.is_open and not known.acts), None)
        if one is None:
            one = Episode(acts, signature, own=frozenset(self.edited), is_sought=self.is_hunting)
            self.episodes.append(one)
        one.acts = tuple(dict.fromkeys([*one.acts, *acts]))  # the same error may come from several commands
        one.fail(event)
        self._meet(one)

    def passes(self, event: SessionEvent, acts: Sequence[Act]) -> list[Episode]:
        """A run that passes: what it shows to be repaired."""
        repaired = []
        for one in [known for known in self.episodes if known.take_pass(event, acts)]:
            if one in self.episodes:  # and not part of another by now
                self._absorb(one)
                self._meet(one)
                repaired.append(one)
        for one in [known for known in self.open if commands.is_same(known.acts, acts)]:
            self._pass_alone(one, event)
        self.checked = event if commands.does(acts) in ("check", "step", "change") else self.checked
        if not repaired and commands.does(acts) == "check":
            for one in self.episodes:
                one.attempts[-1].runs += [event] if one.is_open and not one.passed_alone else []
        return repaired

    def attempt(self, event: SessionEvent) -> bool:
        """Something is done: whether it is about what this turn found broken; it may repair what was left before."""
        for one in self.episodes:
            one.attempts[-1].steps += [event] if one.is_open else []
        return any(one in self.met for one in self.open)

    def slipped(self) -> list[SessionEvent]:
        """What was done about mere slips in this turn: it may be worth keeping by itself."""
        slips = [one for one in self.met if one in self.episodes and one.is_slip]
        steps = [step for one in slips for step in one.attempts[-1].steps if step.key not in self.released]
        self.released.update(step.key for step in steps)
        return steps

    def to_explain(self, answer: SessionEvent) -> list[Episode]:
        """What an answer may explain: what this turn ran into, else what was reported before and is worked on now."""
        met = [one for one in self.met if one in self.episodes and not (one.is_open and one.passed_alone)]
        waiting = [one for one in self.episodes if one.is_open and not one.acts]
        return met or [one for one in waiting if any(step.turn == answer.turn for step in one.attempts[-1].steps)]

    def explain(self, one: Episode, answer: SessionEvent, cause: str) -> bool:
        """Somebody says why something failed: whether that shows it to be repaired."""
        was_open = one.is_open
        one.explain(answer, cause, self.checked)
        return was_open and one.is_repaired

    def end_turn(self, answer: SessionEvent) -> list[Episode]:
        """What was reported counts as repaired if this turn did something about it and something passed after that."""
        repaired = []
        for one in self.open:
            steps = [step for step in one.attempts[-1].steps if step.turn == answer.turn]
            if not one.acts and steps and self.checked and self.checked.at > steps[-1].at:
                one.passes.append(self.checked)
                one.is_open = False
                repaired.append(one)
        return repaired

    def dissolve(self, ran_into: Sequence[Episode]) -> list[SessionEvent]:
        """A limit explains what failed: nothing is to be repaired. What was repaired before is not forgotten for it."""
        for one in ran_into:
            one.is_open = not one.passes
        self.episodes = [one for one in self.episodes if one not in ran_into or one.passes]
        return [
            event for one in ran_into for event in [*one.failures, *(said for said, _ in one.causes), *one.committed]
        ]

    def drafts(self, *, is_over: bool) -> list[Draft]:
        """What was repaired; what is still open only once nothing more can come."""
        known = [one for one in self.episodes if not one.is_slip and not (one.is_open and one.passed_alone)]
        told = [episodes.runbook(one) for one in known if one.is_repaired or (is_over and one.causes)]
        left = [one for one in known if is_over and one.is_open and not one.causes and one.is_in_vain]
        return [*told, *map(episodes.left_open, left)]

    def _absorb(self, repaired: Episode) -> None:
        """What failed like it in the meantime, and was not run again, went away with it."""
        gone = [one for one in self.open if one.is_like(repaired)]
        for one in gone:
            repaired.absorb(one)
        self.episodes = [one for one in self.episodes if one not in gone]
        helped = {step.key for step in repaired.attempts[-1].steps}
        for one in self.open:  # what helped here was not done about them
            one.attempts[-1].steps = [step for step in one.attempts[-1].steps if step.key not in helped]

    def _pass_alone(self, one: Episode, event: SessionEvent) -> None:
        """It passes without anything being done about it: what repaired something else since then repaired it too.

        Otherwise it was no matter of ours.
        """
        since = [known for known in self.met if known.passed and known.passed.at > one.failures[-1].at]
        one.passed_alone = not since
        if since:
            since[-1].absorb(one)
            since[-1].passes.append(event)
            self.episodes.remove(one)

    def _meet(self, one: Episode) -> None:
        if one not in self.met:
            self.met.append(one)


def are_about(ran_into: Sequence[Episode], said: str) -> list[Episode]:
    """Those that something that was said has words of: of the error, of what was done, or of why."""
    about = milestones.terms(said)
    return [one for one in ran_into if about & milestones.terms(_told(one))]


def _told(one: Episode) -> str:
    steps = [episodes.shown(step) for attempt in one.attempts for step in attempt.steps]
    return " ".join([one.signature, *steps, *(why for _, why in one.causes)])
