"""Episodes: something fails, things are tried, and in the end the same thing passes, or does not.

`policy.repairs` says which of them are worth keeping, and makes runbooks of them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from recollect.model import text
from recollect.model.session_event import PROMPT, SessionEvent
from recollect.policy.shell import commands, complaints
from recollect.policy.shell.commands import Act
from recollect.policy.shell.generic_errors import is_generic

STEP_CHARS, EDIT_CHARS = 300, 160
TRIED = "Tried, did not work: "
ALIKE, ALIKE_WORDS = 0.75, 5
"""Two errors are the same if they share five words, and three quarters of those of the shorter one."""

BROKEN = re.compile(
    r"\b(?:fix|fail\w*|error\w*|broken?|breaks|red|crash\w*|bug|wrong|flaky|debug|hangs?|stuck|down|reproduce|why)\b",
    re.IGNORECASE,
)
"""Words of a message that says that something is broken."""
LOGS = frozenset(
    ["docker logs", "docker compose", "kubectl logs", "gh run", "journalctl", "adb", "dmesg", "heroku logs"]
)
_NAME = re.compile(r"[a-z_]{4,}")
_USUAL_NAMES = frozenset(
    ["test", "tests", "error", "failed", "fails", "name", "defined", "assert", "assertionerror", "nameerror", "with"]
)


@dataclass(slots=True)
class Attempt:
    """What was done between two runs of the same thing."""

    steps: list[SessionEvent] = field(default_factory=list)
    runs: list[SessionEvent] = field(default_factory=list)
    """What else was run; it counts as the steps if there are no others."""


class Cause(NamedTuple):
    """An answer that says why something failed, and the part of it that does."""

    answer: SessionEvent
    text: str


@dataclass(slots=True, eq=False)
class Episode:
    """Something that failed, what was tried, and the run that passed in the end."""

    acts: Sequence[Act]
    signature: str
    failures: list[SessionEvent] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=lambda: [Attempt()])
    passes: list[SessionEvent] = field(default_factory=list)
    is_open: bool = True
    causes: list[Cause] = field(default_factory=list)
    committed: list[SessionEvent] = field(default_factory=list)
    own: frozenset[str] = frozenset()
    """The files that were being worked on when it failed."""
    is_sought: bool = False
    """Whether somebody had said before that something is broken."""
    passed_alone: bool = False
    """Whether it passed again without anything being done about it."""

    @property
    def passed(self) -> SessionEvent | None:
        """The run after which it worked; None while it is broken, or if nothing was run."""
        return None if self.is_open or not self.passes else self.passes[-1]

    @property
    def is_repaired(self) -> bool:
        """Whether it works again."""
        return not self.is_open

    @property
    def complaint(self) -> str:
        """What the first failure printed, or what the user reported."""
        return said(self.failures[0])

    @property
    def sources(self) -> list[SessionEvent]:
        """All events that belong to the episode, each once, in order of time."""
        tried = [step for attempt in self.attempts for step in self.steps(attempt)]
        explained = [cause.answer for cause in self.causes]
        events = [*self.failures, *tried, *self.passes, *explained, *self.committed]
        return sorted({event.key: event for event in events}.values(), key=lambda event: event.at)

    @property
    def is_tried(self) -> bool:
        """Whether anything was done about it."""
        return any(attempt.steps for attempt in self.attempts)

    @property
    def is_in_vain(self) -> bool:
        """Whether something was done about it and it failed again."""
        return self.is_tried and len(self.failures) > 1

    @property
    def is_unwritten(self) -> bool:
        """Whether it failed only because the code at hand was not finished (`complaints.UNWRITTEN`)."""
        return bool(self.own) and complaints.is_unwritten(self.complaint)

    @property
    def is_explained(self) -> bool:
        """Whether a cause has a name that the error has too, and so does not only stand in the same turn."""
        names = set(_NAME.findall(self.signature.lower())) - _USUAL_NAMES
        explained = [set(_NAME.findall(cause.text.lower())) for cause in self.causes]
        return any(names & words or not names for words in explained)

    @property
    def is_forgotten(self) -> bool:
        """Whether the episode can be dropped at the next prompt: the code was not finished, and nobody cared."""
        return self.is_unwritten and not self.is_sought and not self.is_in_vain and not self.committed

    @property
    def is_slip(self) -> bool:
        """Whether it was a slip that nothing can be learnt from.

        All of these have to hold:
        - it failed once, and passed in the same turn (`is_brief`)
        - it was nothing grave, nobody had looked for it, and it was not committed as a fix
        - a style checker complained, or the agent mended its own unfinished code and nobody explained why
        """
        is_slight = self.is_brief and not self.is_grave and not self.is_sought and not self.committed
        return is_slight and (self.is_style or (self.is_own_mistake and not self.is_explained))

    @property
    def is_brief(self) -> bool:
        """Whether it failed once and passed once, in the same turn."""
        return len(self.failures) == len(self.passes) == 1 and self.failures[0].turn == self.passes[0].turn

    @property
    def is_grave(self) -> bool:
        """Whether the complaint is in `complaints.GRAVE`, or the command that failed changes something."""
        return complaints.is_grave(self.complaint) or any(act.does == "change" for act in self.acts)

    @property
    def is_style(self) -> bool:
        """Whether a style checker complained, without any exception."""
        return any(map(commands.is_style, self.acts)) and not complaints.names_error(self.complaint)

    @property
    def is_own_mistake(self) -> bool:
        """Whether files were edited to repair it, and the code was unfinished or only they were wrong."""
        files = {path for step in self.steps(self.attempts[0]) for path in step.files_modified}
        is_wrong = complaints.is_assertion(self.complaint) and files <= self.own
        return bool(files) and (self.is_unwritten or is_wrong)

    def steps(self, attempt: Attempt) -> list[SessionEvent]:
        """Return what was done about the failure: the steps of turns in which it failed, passed or was explained."""
        events = [*self.failures, *self.passes, *(cause.answer for cause in self.causes)]
        turns = {event.turn for event in events}
        return [step for step in attempt.steps if step.turn in turns]

    def explain(self, answer: SessionEvent, cause: str, check: SessionEvent | None) -> None:
        """Note why it failed. The episode counts as repaired if something was done about it and a check passed since.

        For what a user reported, no check is needed: often nothing can be run.
        """
        self.causes.append(Cause(answer, cause))
        steps = [step for attempt in self.attempts for step in attempt.steps]
        is_checked = check is not None and bool(steps) and check.at > max(step.at for step in steps)
        if self.is_open and steps and (is_checked or not self.acts):
            self.passes += [check] if check and is_checked else []
            self.is_open = False

    def absorb(self, other: "Episode") -> None:
        """Take in another failure that the same repair ended."""
        self.failures = sorted([*self.failures, *other.failures], key=lambda event: event.at)
        self.causes += other.causes
        if other.is_repaired or other.passes:  # it may have been repaired before it failed again
            self.attempts[-1].steps = [*other.attempts[-1].steps, *self.attempts[-1].steps]
            self.attempts[:-1] = [*other.attempts[:-1], *self.attempts[:-1]]
            self.passes = [*other.passes, *self.passes]
            self.committed += other.committed

    def is_like(self, other: "Episode") -> bool:
        """Whether the errors of two episodes share half of their words."""
        return _is_alike(self.signature, other.signature, share=0.5, least=1)

    def is_again(self, acts: Sequence[Act], signature: str) -> bool:
        """Whether a failure belongs to this episode: the same error, or the same command while it is still broken."""
        is_like = signature == self.signature or _is_alike(signature, self.signature)
        is_same_error = bool(signature) and not is_generic(signature) and is_like
        return is_same_error or (self.is_open and commands.is_same(self.acts, acts))

    def fail(self, event: SessionEvent) -> None:
        """Add a failure. If anything was done since the last one, it did not help, and a new attempt begins."""
        if self.failures and (not self.is_open or self.attempts[-1].steps):
            self.attempts.append(Attempt())
        self.failures.append(event)
        self.is_open, self.passed_alone = True, False

    def take_pass(self, event: SessionEvent, acts: Sequence[Act]) -> bool:
        """Take a run that passes. Return whether it shows the failure to be repaired.

        It does if the same thing is run and something was done about it, if only by running it in another way.
        """
        if not self.is_open or not commands.is_same(self.acts, acts):
            return False
        done = [act for act in acts if act.does in ("step", "change") and not commands.is_same(self.acts, [act])]
        last = self.attempts[-1]
        last.steps = last.steps or last.runs
        if self.is_tried or self.passes or done or commands.is_otherwise(self.acts, acts):
            self.passes.append(event)
            self.is_open = False
        return not self.is_open


def _is_alike(error: str, other: str, *, share: float = ALIKE, least: int = ALIKE_WORDS) -> bool:
    """Whether two errors share at least `least` words, and `share` of the words of the shorter one."""
    mine, theirs = (set(re.findall(r"\w+", text.lower())) for text in (error, other))
    return len(mine & theirs) >= max(least, share * min(len(mine), len(theirs)))


def is_log(acts: Sequence[Act]) -> bool:
    """Whether a command only shows what something else has logged."""
    shows = {act.family for act in acts} & LOGS
    return bool(shows) and all(act.does == "look" for act in acts)


def is_telling(event: SessionEvent) -> bool:
    """Whether a failure names an exception or an error, and not only that something was not found."""
    return complaints.names_error(event.detail)


def is_trivial(event: SessionEvent) -> bool:
    """Whether a failure taught nothing: no output, or a short complaint about spelling or a missing file."""
    return complaints.is_trivial(event.detail, event.about)


def said(event: SessionEvent) -> str:
    """Return what an event says of a failure: a tool's output, or the message of a user who reports it."""
    return event.about if event.name == PROMPT else event.detail


def named(event: SessionEvent) -> str:
    """Return what was run: a command, or another tool with what it was given."""
    return event.about if event.doing == "shell" else f"{event.tool} {event.about}".strip()


def shown(event: SessionEvent) -> str:
    """Return a step in a line: "Run `command`", or "Edit file: what was put into it"."""
    if event.doing != "write":
        return f"Run `{named(event)}`"[:STEP_CHARS]
    added = text.cut(" ".join(event.detail.split()), EDIT_CHARS)
    return f"Edit {', '.join(event.files_modified) or event.about}: {added}"[:STEP_CHARS].rstrip(": ")
