"""Which repairs are worth a runbook: those that somebody who meets the same failure again can learn from."""

import re
from collections.abc import Sequence

from recollect.model.session_event import SessionEvent
from recollect.policy.capture import milestones
from recollect.policy.capture.episodes import Episode, said
from recollect.policy.repairs import causes
from recollect.policy.shell import commands, complaints, outputs, test_output

SURE, UNSURE = 0.85, 0.55
SHORT_LINES = 6
# A file of tests: test_cart.py, cart_test.go, cart.spec.ts, CartTest.java, tests/…
_TEST_FILE = re.compile(
    r"(?:^|/)(?:tests?|spec|specs|__tests__|testdata|fixtures|e2e\w*|\w*_tests?)/|(?:^|/)test_\w+\.|[_.-](?:test|tests|spec)\."
    r"|(?:Test|Tests|Spec)\.\w+$"
)
# Housekeeping: what is done with git and on the forge is no step of a repair.
_HOUSEKEEPING = ("git", "gh", "glab", "hub")


def certainty(episode: Episode) -> float:
    """Return how sure it is that a repair is worth keeping; 0 if it is not.

    It has to have a telling failure. Then it is worth keeping if:

    - somebody said why it failed, and more than tests was changed
    - it was repaired by a command, another way to run it, or the project's configuration
    - it was grave or tried in vain before, and repaired in code that is no test

    An error (no assertion) that was repaired in code, without a word about why, waits for a review.
    """
    if not telling_failures(episode):
        return 0.0
    if causes.cause_of(episode):
        return 0.0 if only_tests(episode) and is_assertion(episode) else SURE
    if not episode.acts:  # a report that nobody explained
        return UNSURE if episode.passed else 0.0
    if is_environment(episode):
        return SURE
    is_sure = not only_tests(episode) and (is_grave(episode) or is_hard(episode))
    return SURE if is_sure else 0.0 if only_tests(episode) or is_assertion(episode) else UNSURE


def telling_failures(episode: Episode) -> list[SessionEvent]:
    """Return the failures of an episode that say something: no routine refusals, complaints of linters or slips."""
    return [failure for failure in episode.failures if not _is_empty(failure) and not _is_slip(failure, episode)]


def is_hard(episode: Episode) -> bool:
    """Whether it took more than one attempt."""
    return sum(bool(_edits_and_steps(episode.steps(attempt))) for attempt in episode.attempts) > 1


def is_grave(episode: Episode) -> bool:
    """Whether a crash, a loss of data or missing rights came up, or the command that failed changes something."""
    lines = [line for failure in telling_failures(episode) for line in outputs.error_lines(said(failure))]
    return complaints.is_grave("\n".join(lines)) or any(act.does == "change" for act in episode.acts)


def is_environment(episode: Episode) -> bool:
    """Whether what helped was a command, the configuration, or running it in another way, and no edit of code."""
    last = episode.steps(episode.attempts[-1])
    helped = _edits_and_steps(last)
    if any(milestones.is_configuring(step, commands.read(step.about)) for step in helped):
        return True
    edits = [step for step in helped if step.files_modified]
    is_run_otherwise = episode.passed is not None and commands.is_otherwise(
        episode.acts, commands.read(episode.passed.about)
    )
    return not edits and (bool(helped) or is_run_otherwise) and not is_assertion(episode)


def is_assertion(episode: Episode) -> bool:
    """Whether an assertion failed, and not only an error came up."""
    lines = [line for failure in telling_failures(episode) for line in outputs.error_lines(said(failure))]
    return any(map(test_output.is_assertion, lines))


def only_tests(episode: Episode) -> bool:
    """Whether nothing but tests was edited to repair it, and nothing was run."""
    steps = [step for attempt in episode.attempts for step in _edits_and_steps(episode.steps(attempt))]
    files = [path for step in steps for path in step.files_modified]
    return bool(files) and all(step.files_modified for step in steps) and all(map(_TEST_FILE.search, files))


def _edits_and_steps(steps: Sequence[SessionEvent]) -> list[SessionEvent]:
    """Return the steps that change something: edits, and commands that are no checks or housekeeping."""
    return [step for step in steps if is_step(step)]


def is_step(step: SessionEvent) -> bool:
    """Whether an event changes something: an edit, or a command that is neither a check nor housekeeping."""
    if step.files_modified:
        return True
    acts = [act for act in commands.read(step.about) if act.family.split(" ")[0] not in _HOUSEKEEPING]
    return commands.does(acts) in ("step", "change", "release") or (
        commands.does(acts) == "check" and not any(map(commands.is_style, acts)) and not _is_test_run(acts)
    )


def _is_test_run(acts: Sequence[commands.Act]) -> bool:
    return any("test" in act.family or "check" in act.family or "lint" in act.family for act in acts)


def _is_empty(failure: SessionEvent) -> bool:
    """Whether a failure has no line that says what went wrong. Of a short output the last line is taken for it."""
    output = said(failure)
    lines = [line for line in outputs.error_lines(output, 1) if not outputs.is_bare(line)]
    is_told = bool(outputs.failed_tests(output)) or output.count("\n") < SHORT_LINES
    return not any(is_told or outputs.says_error(line) for line in lines)


def _is_slip(failure: SessionEvent, episode: Episode) -> bool:
    """Whether a failure is a routine refusal, a linter's complaint, or a slip in code of this session."""
    output = said(failure)
    lines = "\n".join(outputs.error_lines(output))
    if complaints.is_routine(lines) or complaints.is_lint(lines):
        return True
    if complaints.is_grave(lines):
        return False
    acts = commands.read(failure.about)
    is_style = bool(acts) and all(map(commands.is_style, acts)) and not complaints.names_error(output)
    return is_style or (bool(episode.own) and complaints.is_unwritten(lines) and not complaints.is_foreign(output))
