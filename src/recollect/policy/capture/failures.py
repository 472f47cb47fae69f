"""What is broken in a session: failures are gathered into episodes, which are repaired, explained or left open."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from recollect.model.session_event import SessionEvent
from recollect.policy.capture import episodes, milestones
from recollect.policy.capture.draft import Draft
from recollect.policy.capture.episodes import Cause, Episode
from recollect.policy.capture.relations import Closeness, relates
from recollect.policy.repairs import runbook, worth
from recollect.policy.shell import commands, commits, outputs
from recollect.policy.shell.commands import Act

NAME_CHARS = 7
"""A shared word of so many letters, or with other signs in it, is a name and no everyday word."""


@dataclass(slots=True)
class Failures:
    """The episodes of a session so far, and those that the current turn is about."""

    episodes: list[Episode] = field(default_factory=list)
    met: list[Episode] = field(default_factory=list)
    """What failed, or was repaired, in this turn."""
    checked: SessionEvent | None = None
    """The last run in this turn that passed."""
    edited: set[str] = field(default_factory=set)
    """The files that were worked on."""
    released: set[str] = field(default_factory=set)
    """The keys of steps that repaired mere slips and were handed out by `slipped` already."""
    last_passed: float = 0.0
    """When a check passed, or something was committed, for the last time."""
    is_hunting: bool = False
    """Whether the prompt of this turn says that something is broken."""

    @property
    def open(self) -> list[Episode]:
        """What is broken at the moment, without what passed again by itself."""
        return [episode for episode in self.episodes if episode.is_open and not episode.passed_alone]

    def begin_turn(self, prompt: SessionEvent) -> list[Episode]:
        """Begin a turn. Return what the turn before ran into and left open.

        Open episodes that passed by themselves, or that came from unfinished code, are dropped.
        """
        self.episodes = [
            episode
            for episode in self.episodes
            if not (episode.is_open and (episode.passed_alone or episode.is_forgotten))
        ]
        left = [episode for episode in self.met if episode.is_open and episode in self.episodes]
        self.met, self.checked, self.is_hunting = [], None, bool(episodes.BROKEN.search(prompt.about))
        return left

    def fail(self, event: SessionEvent, acts: Sequence[Act]) -> None:
        """Add a failure to the episode that it belongs to, or begin a new one."""
        signature = outputs.signature(episodes.said(event))
        episode = self._known(acts, signature)
        if episode is None:
            episode = Episode(acts, signature, own=frozenset(self.edited), is_sought=self.is_hunting)
            self.episodes.append(episode)
        episode.acts = tuple(dict.fromkeys([*episode.acts, *acts]))  # the same error may come from several commands
        episode.fail(event)
        self._meet(episode)

    def _known(self, acts: Sequence[Act], signature: str) -> Episode | None:
        """Return the episode that a failure belongs to. A report and the log of it in one turn are one episode."""
        again = next((episode for episode in reversed(self.episodes) if episode.is_again(acts, signature)), None)
        if again or acts:
            return again
        return next((episode for episode in self.met if episode.is_open and not episode.acts), None)

    def passes(self, event: SessionEvent, acts: Sequence[Act]) -> list[Episode]:
        """Take a run that passes. Return the episodes that it shows to be repaired."""
        repaired = []
        for episode in [known for known in self.episodes if known.take_pass(event, acts)]:
            if episode in self.episodes:  # it may have been absorbed by another one by now
                self._absorb(episode)
                self._meet(episode)
                repaired.append(episode)
        for episode in [known for known in self.open if commands.is_same(known.acts, acts)]:
            self._pass_alone(episode, event)
        self.checked = event if commands.does(acts) in ("check", "step", "change") else self.checked
        self.last_passed = event.at if commands.does(acts) in ("check", "commit") else self.last_passed
        if not repaired and commands.does(acts) == "check":
            for episode in self.open:
                episode.attempts[-1].runs.append(event)
        return repaired

    def attempt(self, event: SessionEvent) -> bool:
        """Add a step to all that is broken. Return whether any of it was met in this turn."""
        for episode in self.episodes:
            episode.attempts[-1].steps += [event] if episode.is_open else []
        return any(episode in self.met for episode in self.open)

    def slipped(self) -> list[SessionEvent]:
        """Return the steps that repaired mere slips in this turn, each once: they may be changes worth keeping."""
        slips = [episode for episode in self.met if episode in self.episodes and episode.is_slip]
        steps = [step for slip in slips for step in slip.attempts[-1].steps if step.key not in self.released]
        self.released.update(step.key for step in steps)
        return steps

    def to_explain(self, answer: SessionEvent) -> list[Episode]:
        """Return what an answer may explain: what this turn ran into, else reports that this turn worked on."""
        met = [
            episode
            for episode in self.met
            if episode in self.episodes and not (episode.is_open and episode.passed_alone)
        ]
        waiting = [episode for episode in self.episodes if episode.is_open and not episode.acts]
        return met or [
            episode for episode in waiting if any(step.turn == answer.turn for step in episode.attempts[-1].steps)
        ]

    def explain(self, episode: Episode, answer: SessionEvent, cause: str) -> bool:
        """Note why something failed. Return whether that shows it to be repaired."""
        was_open = episode.is_open
        episode.explain(answer, cause, self.checked)
        return was_open and episode.is_repaired

    def explain_later(self, answer: SessionEvent, cause: str) -> None:
        """Note a cause that is given after the turn of a repair, where it has the repair's subject."""
        unexplained = [episode for episode in self.episodes if episode.is_repaired and not episode.causes]
        for episode in unexplained if cause else ():
            relation = relates(cause, _told(episode))
            is_named = any(len(term) >= NAME_CHARS or not term.isalpha() for term in relation.shared)
            if relation.closeness >= Closeness.SAME_SUBJECT and is_named:
                episode.causes.append(Cause(answer, cause))

    def end_turn(self, answer: SessionEvent) -> list[Episode]:
        """Return the reports that count as repaired: this turn did something about them, and a run passed after it."""
        repaired = []
        for episode in self.open:
            steps = [step for step in episode.attempts[-1].steps if step.turn == answer.turn]
            if not episode.acts and steps and self.checked and self.checked.at > steps[-1].at:
                episode.passes.append(self.checked)
                episode.is_open = False
                repaired.append(episode)
        return repaired

    def unite(self, repaired: Episode, others: Sequence[Episode]) -> None:
        """Add what the same commit repaired to one episode: it is one piece of work."""
        for episode in others:
            # What failed again after its repair waits for its commit twice.
            if episode is not repaired and episode.is_repaired and episode in self.episodes:
                repaired.absorb(episode)
                self.episodes.remove(episode)

    def dissolve(self, limited: Sequence[Episode]) -> list[SessionEvent]:
        """Drop episodes that a limit explains, since nothing is to be repaired. Return their events.

        An episode that was repaired before stays, as repaired.
        """
        for episode in limited:
            episode.is_open = not episode.passes
        self.episodes = [episode for episode in self.episodes if episode not in limited or episode.passes]
        return [
            event
            for episode in limited
            for event in [*episode.failures, *(cause.answer for cause in episode.causes), *episode.committed]
        ]

    def drafts(self, *, is_over: bool) -> list[Draft]:
        """Return runbooks of what was repaired; once the session is over, also what was explained or left open."""
        known = [
            episode
            for episode in self.episodes
            if not episode.is_slip and not (episode.is_open and episode.passed_alone)
        ]
        told = [episode for episode in known if episode.is_repaired or (is_over and episode.causes)]
        worthy = [episode for episode in told if worth.certainty(episode)]
        committed = [event for episode in self.episodes if episode not in worthy for event in episode.committed]
        left = [episode for episode in known if episode.is_open and not episode.causes and episode.is_in_vain]
        lasting = [episode for episode in left if self._stays(episode)] if is_over else []
        return [*map(runbook.runbook, worthy), *_commits(committed), *map(runbook.left_open, lasting)]

    def _stays(self, episode: Episode) -> bool:
        """Whether an error is really left at the session's end: it says something, and no check passed after it.

        One that was repaired before and came again is, whatever else passes.
        """
        last = max(failure.at for failure in episode.failures)
        is_last = self.last_passed < last or bool(episode.passes)
        return is_last and bool(worth.telling_failures(episode))

    def _absorb(self, repaired: Episode) -> None:
        """Add open failures like a repaired one to it; what helped there was not done about the others."""
        gone = [episode for episode in self.open if episode.is_like(repaired)]
        for episode in gone:
            repaired.absorb(episode)
        self.episodes = [episode for episode in self.episodes if episode not in gone]
        helped = {step.key for step in repaired.attempts[-1].steps}
        for episode in self.open:
            last = episode.attempts[-1]
            last.steps = [step for step in last.steps if step.key not in helped]

    def _pass_alone(self, episode: Episode, event: SessionEvent) -> None:
        """Note that something passes without anything being done about it.

        If another failure was repaired since then, its repair took this one away too.
        """
        since = [known for known in self.met if known.passed and known.passed.at > episode.failures[-1].at]
        episode.passed_alone = not since
        if since:
            since[-1].absorb(episode)
            since[-1].passes.append(event)
            self.episodes.remove(episode)

    def _meet(self, episode: Episode) -> None:
        if episode not in self.met:
            self.met.append(episode)


def is_telling(episode: Episode) -> bool:
    """Whether a commit may be the repair of an episode: it says what went wrong, and was no slip."""
    return not episode.is_slip and bool(worth.telling_failures(episode))


def _commits(events: Sequence[SessionEvent]) -> list[Draft]:
    """Return drafts of commits whose repair is not kept itself."""
    made = {event.key: (event, commits.commit(event.about, event.detail)) for event in events}
    return [
        milestones.commit(event, commit) for event, commit in made.values() if commit and milestones.is_telling(commit)
    ]


def are_about(known: Sequence[Episode], text: str) -> list[Episode]:
    """Return the episodes that a text mentions: a term of the error, of what was done, or of a cause."""
    return [episode for episode in known if relates(text, _told(episode)).closeness >= Closeness.MENTIONED]


def _told(episode: Episode) -> str:
    steps = [episodes.shown(step) for attempt in episode.attempts for step in attempt.steps]
    return " ".join([episode.signature, *steps, *(cause.text for cause in episode.causes)])
