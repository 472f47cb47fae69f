"""Sum up a session from its events: goal, outcome, what was done, what is open, what comes next (B2)."""

from collections.abc import Sequence

from recollect.model import text
from recollect.model.memory import Memory
from recollect.model.session_event import FAILED, FINISHED, PROMPT, SessionEvent
from recollect.policy.capture import episodes
from recollect.policy.shell import commands, outputs

LINE_CHARS = 200
MOST_LINES, MOST_FILES = 12, 20
TASK_CLOSED = "task closed"
"""The outcome of an event that worked off the agent's list of things to do."""
DONE_KINDS = ("feature", "bugfix", "refactor", "change", "runbook")


def has_milestone(events: Sequence[SessionEvent], turn: str) -> bool:
    """Whether a turn reached something: a commit, a release, a closed task, or a run that passes after it failed."""
    failed: list[Sequence[commands.Act]] = []
    for event in events:
        if event.outcome == TASK_CLOSED and event.turn == turn:
            return True
        if event.doing != "shell":
            continue
        acts = commands.read(event.about)
        if event.name == FAILED or outputs.is_failing(event.detail):
            failed.append(acts)
        elif event.turn == turn and (
            commands.does(acts) in ("commit", "release") or any(commands.is_same(acts, before) for before in failed)
        ):
            return True
    return False


def summary(
    events: Sequence[SessionEvent], filed: Sequence[Memory], *, is_over: bool
) -> tuple[str, dict[str, object]] | None:
    """Return the title and the fields of a session's summary; None if nothing was done or learnt (D35)."""
    prompts = [event.about for event in events if event.name == PROMPT and event.about]
    changed = list(dict.fromkeys(path for event in events for path in event.files_modified))
    if not prompts or not (changed or filed):
        return None
    goal = text.cut(text.first_line(prompts[0]), LINE_CHARS)
    done = [_line(memory) for memory in filed if memory.kind in DONE_KINDS]
    open_errors = _open_errors(events)
    later = [_line(memory) for memory in filed if memory.kind == "tech_debt"]
    settled = [_line(memory) for memory in filed if memory.kind in ("decision", "constraint")]
    uncommitted = _since_commit(events)
    is_done = not uncommitted or _is_checked(events)
    fields: dict[str, object] = {
        "goal": goal,
        "outcome": "blocked" if open_errors else "success" if is_done and is_over else "partial",
        "completed": done[:MOST_LINES],
        "in_progress": uncommitted[:MOST_FILES] or None,
        "blockers": open_errors[:MOST_LINES] or None,
        "next_actions": later[:MOST_LINES],
        "key_changes": [*settled, *changed][:MOST_FILES],
    }
    return f"Session: {goal}", {name: value for name, value in fields.items() if value is not None}


def _line(memory: Memory) -> str:
    return text.cut(memory.title, LINE_CHARS)


def _is_checked(events: Sequence[SessionEvent]) -> bool:
    """Whether something was run after the last edit, and passed."""
    passed = False
    for event in events:
        if event.files_modified:
            passed = False
        elif event.doing == "shell" and commands.does(commands.read(event.about)) == "check":
            passed = event.name == FINISHED and not outputs.is_failing(event.detail)
    return passed


def _open_errors(events: Sequence[SessionEvent]) -> list[str]:
    """Return the first error line of each command that failed and was not run again since."""
    failing: list[tuple[Sequence[commands.Act], str]] = []
    for event in events:
        if event.doing != "shell":
            continue
        acts = commands.read(event.about)
        failing = [(before, error) for before, error in failing if not commands.is_same(before, acts)]
        if event.name == FAILED and commands.does(acts) != "look" and not episodes.is_trivial(event):
            failing.append((acts, text.cut((outputs.error_lines(event.detail) or [event.about])[0], LINE_CHARS)))
    return [error for _, error in failing]


def _since_commit(events: Sequence[SessionEvent]) -> list[str]:
    """Return the files that were changed after the last commit."""
    changed: dict[str, None] = {}
    for event in events:
        if event.doing == "shell" and event.name == FINISHED and _is_commit(event):
            changed = {}
        changed |= dict.fromkeys(event.files_modified)
    return list(changed)


def _is_commit(event: SessionEvent) -> bool:
    return commands.does(commands.read(event.about)) == "commit"
