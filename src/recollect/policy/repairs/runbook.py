"""Drafts of episodes: a runbook of what was repaired, a discovery of what was left open."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from recollect.model.session_event import SessionEvent
from recollect.policy.capture import milestones
from recollect.policy.capture.draft import Draft
from recollect.policy.capture.episodes import STEP_CHARS, TRIED, Episode, named, said, shown
from recollect.policy.repairs import causes, titles, worth
from recollect.policy.shell import commands, outputs
from recollect.policy.shell.generic_errors import is_generic

MOST_STEPS, MOST_SYMPTOMS = 8, 5
NOTHING_RUN = "Nothing was run; see the cause."
# What only shows less of the output: 2>&1 | tail -20
_FILTERED = re.compile(
    r"\s*(?:2>&1\s*)?\|\s*(?:tail|head|grep|rg|cat|less|sort|tee|awk|sed|wc|uniq|cut)\b.*$|\s*2>&1\s*$", re.DOTALL
)


def runbook(episode: Episode) -> Draft:
    """Return B's runbook of an episode: symptoms, cause if it was stated, steps, verification."""
    lines = symptoms(episode)
    cause = causes.cause_of(episode)
    fields: dict[str, object] = {
        "symptoms": list(map(outputs.symptom, lines)),
        "steps": _steps(episode) or [NOTHING_RUN if cause else "Nothing has helped so far."],
        "verification": _verification(episode)[:STEP_CHARS],
    }
    fields |= {"root_cause": cause} if cause else {}
    files = dict.fromkeys(path for step in episode.steps(episode.attempts[-1]) for path in step.files_modified)
    trigger = _trigger(episode, lines)
    return Draft(
        "runbook", _title(episode, trigger), trigger, tuple(event.key for event in episode.sources), fields,
        (worth.certainty(episode) or worth.SURE) if episode.is_repaired else 0.7,
        rule="repair" if episode.is_repaired else "unrepaired",
        signature=signature(episode), files=tuple(files), at=episode.sources[-1].at,
    )  # fmt: skip


def symptoms(episode: Episode) -> list[str]:
    """Return the lines by which the failures of an episode are known, each once."""
    failures = worth.telling_failures(episode) or episode.failures
    lines = [line for failure in failures for line in outputs.error_lines(said(failure))]
    return list(dict.fromkeys(lines))[:MOST_SYMPTOMS]


def signature(episode: Episode) -> str:
    """Return the signature of the first failure that says something; empty where it is no error in particular.

    A generic signature would let another error's runbook take this one in.
    """
    failures = worth.telling_failures(episode)
    found = outputs.signature(said(failures[0])) if failures else episode.signature
    return "" if is_generic(found) else found


def _title(episode: Episode, trigger: str) -> str:
    """Return the title of the commit that repaired it, which says what was wrong; else the error itself."""
    made = causes.fix_commit(episode.committed)
    return milestones.commit_title(made) if made else titles.error_title(trigger)


def _steps(episode: Episode) -> list[str]:
    """Return what worked, then what was tried in vain, each once; an empty list if nothing was done."""
    *failed, last = episode.attempts
    worked = _shown(episode.steps(last)) if episode.is_repaired else []
    run = commands.read(episode.passed.about) if episode.passed else ()
    if episode.passed and (not worked or any(act.does in ("step", "change") for act in run)):
        worked.append(shown(_plain(episode.passed)))
    in_vain = failed if episode.is_repaired else episode.attempts
    tried = _shown(step for attempt in in_vain for step in episode.steps(attempt))
    return list(dict.fromkeys([*worked, *(TRIED + step for step in tried if step not in worked)]))[:MOST_STEPS]


def _shown(steps: Iterable[SessionEvent]) -> list[str]:
    """Return steps as lines. Checks and housekeeping are left out where anything else was done."""
    listed = list(steps)
    done = [step for step in listed if worth.is_step(step)] or listed
    return [shown(_plain(step)) for step in done]


def _plain(event: SessionEvent) -> SessionEvent:
    """Return a command without the pipe that only shows less of its output; anything else as it is."""
    return replace(event, about=_FILTERED.sub("", event.about)) if event.doing == "shell" else event


def _trigger(episode: Episode, lines: Sequence[str]) -> str:
    """Return what the runbook is for: the first line of the error, else what was run.

    A line of output that suggests what to do ("run …") is never the title: somebody else may have written it.
    """
    told = [line for line in lines if not outputs.is_suggestion(line)]
    if told:
        return told[0]
    if episode.acts:
        return f"`{named(_plain(episode.failures[0]))}` fails"
    return "What was reported fails" if lines else episode.complaint[:STEP_CHARS]


def _verification(episode: Episode) -> str:
    """Return how one knows that it works, or that it does not yet."""
    if not episode.is_repaired:
        return f"`{named(_plain(episode.failures[0])) if episode.acts else 'what was reported'}` still fails"
    return f"`{named(_plain(episode.passed))}` passes" if episode.passed else "the agent said so; nothing was run"


def left_open(episode: Episode) -> Draft:
    """Return a discovery of an error that nobody repaired: what it printed, and what did not help."""
    draft = runbook(episode)
    steps = draft.fields["steps"]
    tried = [str(step) for step in steps] if isinstance(steps, list) else []
    last = (worth.telling_failures(episode) or episode.failures)[-1]
    errors = map(outputs.symptom, outputs.error_lines(said(last)))
    return replace(
        draft,
        kind="discovery",
        title=f"Not solved: {draft.title}",
        text="\n".join([f"Not solved: `{named(_plain(last))}` fails.", *errors, *tried]),
        fields={},
        certainty=0.6,
        rule="left-open",
    )
