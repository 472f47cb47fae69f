"""Episodes: something fails, things are tried, and in the end the same thing passes, or does not."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from recollect.model.session_event import PROMPT, SessionEvent
from recollect.policy.capture.draft import Draft, title
from recollect.policy.shell import commands, outputs
from recollect.policy.shell.command_table import STYLE
from recollect.policy.shell.commands import Act

STEP_CHARS, MOST_STEPS = 300, 8
TRIED = "Tried, did not work: "
NOTHING_RUN = "Nothing was run; see the cause."
ALIKE, ALIKE_WORDS = 0.75, 5
SHORT_CHARS = 600

# A command that failed because it was spelt wrong, or looked for what is not there, taught nothing.
_MISSPELT = re.compile(
    r"did you mean|unknown (?:command|option|flag|subcommand|argument|shorthand)|is not recognized as"
    r"|unrecognized (?:arguments?|option)|invalid option|no such (?:option|subcommand|command|target)|missing script"
    r"|has not been read yet|string to replace not found|nothing to commit|not a git repository|no matches found: "
    r"|interrupted by user|user doesn't want to proceed|pathspec .* did not match|can't cd to|requires an argument"
    r"|^usage: |ambiguous argument|no tests? (?:found|ran|files)|command \"?\w+\"? not found|no rule to make target"
    r"|no (?:test|bin|example) target named|cannot find or open|\(fetch first\)|\(non-fast-forward\)",
    re.IGNORECASE | re.MULTILINE,
)
_UNKNOWN = re.compile(r"([\w./-]+): (?:command )?not found|command not found: ([\w./-]+)")
_NOT_THERE = re.compile(
    r"no such file or directory|cannot access|is a directory|(?:file|path"
    r"|directory)[^\n]{0,200} does not exist|already exists",
    re.IGNORECASE,
)
BROKEN = re.compile(
    r"\b(?:fix|fail\w*|error\w*|broken?|breaks|red|crash\w*|bug|wrong|flaky|debug|hangs?|stuck|down|reproduce|why)\b",
    re.IGNORECASE,
)
LOGS = frozenset(
    ["docker logs", "docker compose", "kubectl logs", "gh run", "journalctl", "adb", "dmesg", "heroku logs"]
)
# What one runs into while writing: a name that is not there yet, a comma too few.
_UNWRITTEN = re.compile(
    r"cannot find (?:name|symbol|value|module|type|function)|NameError|is not defined"
    r"|undefined(?: name|:| reference| method"
    r"| (?:local )?variable)|unknown field|unresolved (?:reference|import)|SyntaxError|syntax error|unexpected token"
    r"|declared and not used|imported and not used|unused (?:import|variable)"
    r"|has no (?:exported )?(?:attribute|member|field)"
    r"|is missing in type|does not exist on type|parse error|expected [`'\";),}]",
    re.IGNORECASE,
)
_GRAVE = re.compile(
    r"DATA RACE|Sanitizer|deadlock|segmentation fault|out of memory|timed? ?out"
    r"|\b(?:lost|leak|destroy|corrupt|secret|tenant)"
    r"|\bdelet|denied|unauthori[sz]ed|forbidden|credential",
    re.IGNORECASE,
)
_FOREIGN = re.compile(r"\b(?:node_modules|site-packages|vendor|\.cargo/registry|\.m2)/")
_NAME = re.compile(r"[a-z_]{4,}")
_USUAL = frozenset(
    ["test", "tests", "error", "failed", "fails", "name", "defined", "assert", "assertionerror", "nameerror", "with"]
)
_ASSERTED = re.compile(r"assert|\bexpect|ambiguous|got:? |actual", re.IGNORECASE)
_THROWN = re.compile(r"\b\w*(?:Error|Exception|Failure)\b|\bpanic|\bFAIL|Traceback|\bERROR: ")


@dataclass(slots=True)
class Attempt:
    """What was done between two runs of the same thing, and whether it helped."""

    steps: list[SessionEvent] = field(default_factory=list)
    runs: list[SessionEvent] = field(default_factory=list)
    """What was run besides, and may have helped where nothing else was done."""


@dataclass(slots=True, eq=False)
class Episode:
    """Something that failed, what was tried, and the run that passed in the end."""

    acts: Sequence[Act]
    signature: str
    failures: list[SessionEvent] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=lambda: [Attempt()])
    passes: list[SessionEvent] = field(default_factory=list)
    is_open: bool = True
    causes: list[tuple[SessionEvent, str]] = field(default_factory=list)
    committed: list[SessionEvent] = field(default_factory=list)
    own: frozenset[str] = frozenset()
    """The files that were being worked on when it failed."""
    is_sought: bool = False
    """Whether it was looked for, because somebody had said that something is broken."""
    passed_alone: bool = False
    """Whether it passed again without anything being done about it."""

    @property
    def passed(self) -> SessionEvent | None:
        """The run after which it worked; None as long as it does not."""
        return None if self.is_open or not self.passes else self.passes[-1]

    @property
    def is_repaired(self) -> bool:
        """Whether it works again."""
        return not self.is_open

    @property
    def sources(self) -> list[SessionEvent]:
        """Everything that belongs to it, in order."""
        tried = [step for attempt in self.attempts for step in self.steps(attempt)]
        parts = [*self.failures, *tried, *self.passes, *(one for one, _ in self.causes)]
        return sorted({one.key: one for one in [*parts, *self.committed]}.values(), key=lambda one: one.at)

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
        """Whether it failed only because something was not written yet."""
        complaint = said(self.failures[0])
        return bool(self.own) and bool(_UNWRITTEN.search(complaint)) and not _FOREIGN.search(complaint)

    @property
    def is_explained(self) -> bool:
        """Whether somebody said why in words of the error, and not only something in the same turn."""
        names = set(_NAME.findall(self.signature.lower())) - _USUAL
        said_why = [set(_NAME.findall(cause.lower())) for _, cause in self.causes]
        return any(names & words or not names for words in said_why)

    @property
    def is_forgotten(self) -> bool:
        """Whether it need not be thought of any more once the next thing is asked for."""
        return self.is_unwritten and not self.is_sought and not self.is_in_vain and not self.committed

    @property
    def is_slip(self) -> bool:
        """Whether it was only a slip in what was just being written: put right at once, and not worth a word."""
        steps = self.steps(self.attempts[0])
        files = {path for step in steps for path in step.files_modified}
        is_brief = len(self.failures) == 1 and len(self.passes) == 1 and self.failures[0].turn == self.passes[0].turn
        complaint = said(self.failures[0])
        is_grave = bool(_GRAVE.search(complaint)) or any(act.does == "change" for act in self.acts)
        is_wrong = bool(_ASSERTED.search(complaint))
        is_own = bool(files) and (self.is_unwritten or (is_wrong and files <= self.own))
        is_style = any(act.family in STYLE for act in self.acts) and not _THROWN.search(complaint)
        is_slight = is_brief and not is_grave and not self.is_sought and not self.committed
        return is_slight and (is_style or (is_own and not self.is_explained))

    def steps(self, attempt: Attempt) -> list[SessionEvent]:
        """What was done about it, and not about something else in a turn between."""
        turns = {one.turn for one in [*self.failures, *self.passes, *(said for said, _ in self.causes)]}
        return [step for step in attempt.steps if step.turn in turns]

    def explain(self, answer: SessionEvent, cause: str, check: SessionEvent | None) -> None:
        """Somebody says why it failed. It counts as repaired then, if something was done about it and passed since.

        Of what a user reported nothing may have been run at all.
        """
        self.causes.append((answer, cause))
        steps = [step for attempt in self.attempts for step in attempt.steps]
        is_checked = check is not None and bool(steps) and check.at > max(step.at for step in steps)
        if self.is_open and steps and (is_checked or not self.acts):
            self.passes += [check] if check and is_checked else []
            self.is_open = False

    def absorb(self, other: "Episode") -> None:
        """Another failure that the same repair took away."""
        self.failures = sorted([*self.failures, *other.failures], key=lambda one: one.at)
        self.causes += other.causes
        if other.is_repaired or other.passes:  # it may have been repaired before it failed again
            self.attempts[-1].steps = [*other.attempts[-1].steps, *self.attempts[-1].steps]
            self.attempts[:-1] = [*other.attempts[:-1], *self.attempts[:-1]]
            self.passes = [*other.passes, *self.passes]
            self.committed += other.committed

    def is_like(self, other: "Episode") -> bool:
        """Whether two failures are of one kind: they say much the same."""
        return _is_alike(self.signature, other.signature, share=0.5, least=1)

    def is_again(self, acts: Sequence[Act], signature: str) -> bool:
        """Whether something fails again: the same error, or the same thing run anew while it is still broken."""
        is_same_error = bool(signature) and (signature == self.signature or _is_alike(signature, self.signature))
        return is_same_error or (self.is_open and commands.is_same(self.acts, acts))

    def fail(self, event: SessionEvent) -> None:
        """It fails, or fails again: what was done since did not help."""
        if self.failures and (not self.is_open or self.attempts[-1].steps):
            self.attempts.append(Attempt())
        self.failures.append(event)
        self.is_open, self.passed_alone = True, False

    def take_pass(self, event: SessionEvent, acts: Sequence[Act]) -> bool:
        """Take a run that passes. It is repaired by it if the same thing is run, and something was done about it."""
        if not self.is_open or not commands.is_same(self.acts, acts):
            return False
        done = [act for act in acts if act.does in ("step", "change") and not commands.is_same(self.acts, [act])]
        last = self.attempts[-1]
        last.steps = last.steps or last.runs
        if self.is_tried or self.passes or done or commands.is_otherwise(self.acts, acts):
            self.passes.append(event)
            self.is_open = False
        return not self.is_open


def _is_alike(one: str, other: str, *, share: float = ALIKE, least: int = ALIKE_WORDS) -> bool:
    """Whether two errors say much the same."""
    mine, theirs = (set(re.findall(r"\w+", text.lower())) for text in (one, other))
    return len(mine & theirs) >= max(least, share * min(len(mine), len(theirs)))


def is_log(acts: Sequence[Act]) -> bool:
    """Whether a command shows what something else has logged."""
    shows = {act.family for act in acts} & LOGS
    return bool(shows) and all(act.does == "look" for act in acts)


def is_telling(event: SessionEvent) -> bool:
    """Whether a failure says more than that something was not found: an exception, or an error with what it says."""
    return bool(_THROWN.search(event.detail))


def is_trivial(event: SessionEvent) -> bool:
    """Whether a failure taught nothing: nothing was said, or something was misspelt or is simply not there."""
    said = re.sub(r"^exit code \d+\n?", "", event.detail.strip(), flags=re.IGNORECASE)
    if not said.strip():
        return True
    is_missing = bool(_NOT_THERE.search(said)) and not _THROWN.search(said)
    unknown = _UNKNOWN.search(said)
    is_misspelt = (unknown[1] or unknown[2]) in event.about if unknown else bool(_MISSPELT.search(said))
    return len(said) < SHORT_CHARS and (is_missing or is_misspelt)


def runbook(one: Episode) -> Draft:
    """B's runbook: symptom, cause if it was stated, fix, verification; what did not help is kept as such."""
    lines = list(dict.fromkeys(line for failure in one.failures for line in outputs.error_lines(said(failure))))
    told, symptoms = [line for line in lines if not outputs.is_suggestion(line)], list(map(outputs.symptom, lines))
    *failed, last = one.attempts
    worked = [shown(step) for step in one.steps(last)] if one.is_repaired else []
    did = commands.read(one.passed.about) if one.passed else ()
    if one.passed and (not worked or any(act.does in ("step", "change") for act in did)):
        worked.append(shown(one.passed))
    tried = [TRIED + shown(step) for attempt in failed for step in one.steps(attempt)]
    tried += [] if one.is_repaired else [TRIED + shown(step) for step in one.steps(last)]
    cause = " ".join(dict.fromkeys(said for _, said in one.causes))
    tried = [said for said in tried if said[len(TRIED) :] not in worked]
    steps = list(dict.fromkeys([*worked, *tried]))[:MOST_STEPS] or [
        NOTHING_RUN if cause else "Nothing has helped so far."
    ]
    run = named(one.failures[0]) if one.acts else "what was reported"
    # What to do comes from what was run, never from what an output tells: it is no title either.
    reported = "What was reported fails" if lines else said(one.failures[0])[:STEP_CHARS]
    trigger = told[0] if told else f"`{run}` fails" if one.acts else reported
    works = f"`{named(one.passed)}` passes" if one.passed else "the agent said so; nothing was run"
    passed = works if one.is_repaired else f"`{run}` still fails"
    fields: dict[str, object] = {"symptoms": symptoms, "steps": steps, "verification": passed[:STEP_CHARS]}
    fields |= {"root_cause": cause} if cause else {}
    files = dict.fromkeys(path for step in one.steps(last) for path in step.files_modified)
    return Draft(
        "runbook", title(trigger), trigger, tuple(event.key for event in one.sources), fields,
        0.85 if one.is_repaired else 0.7, rule="repair" if one.is_repaired else "unrepaired",
        signature=one.signature, files=tuple(files), at=one.sources[-1].at,
    )  # fmt: skip


def left_open(one: Episode) -> Draft:
    """An error that nobody repaired: what it said, and what did not help."""
    draft = runbook(one)
    steps = draft.fields["steps"]
    tried = [str(step) for step in steps] if isinstance(steps, list) else []
    errors = map(outputs.symptom, outputs.error_lines(said(one.failures[-1])))
    lines = [f"Not solved: `{named(one.failures[-1])}` fails.", *errors]
    text = "\n".join([*lines, *tried])
    return replace(
        draft,
        kind="discovery",
        title=title(f"Not solved: {draft.text}"),
        text=text,
        fields={},
        certainty=0.6,
        rule="left-open",
    )


def said(event: SessionEvent) -> str:
    """What an event says of a failure: a tool's output, or what a user reported."""
    return event.about if event.name == PROMPT else event.detail


def named(event: SessionEvent) -> str:
    """What was run: a command, or another tool with what it was given."""
    return event.about if event.doing == "shell" else f"{event.tool} {event.about}".strip()


def shown(event: SessionEvent) -> str:
    """A step in a line: the command that was run, or the file and what was put into it."""
    if event.doing != "write":
        return f"Run `{named(event)}`"[:STEP_CHARS]
    added = " ".join(event.detail.split())
    return f"Edit {', '.join(event.files_modified) or event.about}: {added}"[:STEP_CHARS].rstrip(": ")
