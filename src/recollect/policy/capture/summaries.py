"""Where a session stands, from its events: goal, outcome, what was done, what is open, what comes next (B2)."""

from collections.abc import Sequence

from recollect.model import text
from recollect.model.memory import Memory
from recollect.model.session_event import FAILED, FINISHED, PROMPT, SessionEvent
from recollect.policy.capture import episodes
from recollect.policy.shell import commands, outputs

LINE_CHARS = 200
MOST_LINES, MOST_FILES = 12, 20
TASK_CLOSED = "task closed"


def has_milestone(events: Sequence[SessionEvent], turn: str) -> bool:
    """Whether a turn reached something: a commit, a release, a closed task, or a run that passes after it failed."""
    failed: list[Sequence[commands.Act]] = []
    for one in events:
        if one.outcome == TASK_CLOSED and one.turn == turn:
            return True
        if one.doing != "shell":
            continue
        acts = commands.read(one.about)
        if one.name == FAILED or outputs.is_failing(one.detail):
            failed.append(acts)
        elif one.turn == turn and (
            commands.does(acts) in ("commit", "release") or any(commands.is_same(acts, before) for before in failed)
        ):
            return True
    return False


def summary(
    events: Sequence[SessionEvent], filed: Sequence[Memory], *, is_over: bool
) -> tuple[str, dict[str, object]] | None:
    """Title and fields of a session's summary; None where nothing was done or learnt (D35)."""
    prompts = [one.about for one in events if one.name == PROMPT and one.about]
    changed = list(dict.fromkeys(path for one in events for path in one.files_modified))
    if not prompts or not (changed or filed):
        return None
    goal = text.cut(text.first_line(prompts[0]), LINE_CHARS)
    done = [_line(one) for one in filed if one.kind in ("feature", "bugfix", "refactor", "change", "runbook")]
    open_errors = _open_errors(events)
    later = [_line(one) for one in filed if one.kind == "tech_debt"]
    uncommitted = _since_commit(events)
    is_done = not uncommitted or _is_checked(events)
    fields: dict[str, object] = {
        "goal": goal,
        "outcome": "blocked" if open_errors else "success" if is_done and is_over else "partial",
        "completed": done[:MOST_LINES],
        "in_progress": uncommitted[:MOST_FILES] or None,
        "blockers": open_errors[:MOST_LINES] or None,
        "next_actions": later[:MOST_LINES],
        "key_changes": [*(_line(one) for one in filed if one.kind in ("decision", "constraint")), *changed][
            :MOST_FILES
        ],
    }
    return f"Session: {goal}", {name: value for name, value in fields.items() if value is not None}


def _line(memory: Memory) -> str:
    return text.cut(memory.title, LINE_CHARS)


def _is_checked(events: Sequence[SessionEvent]) -> bool:
    """Whether something was run after the last edit, and passed."""
    passed = False
    for one in events:
        if one.files_modified:
            passed = False
        elif one.doing == "shell" and commands.does(commands.read(one.about)) == "check":
            passed = one.name == FINISHED and not outputs.is_failing(one.detail)
    return passed


def _open_errors(events: Sequence[SessionEvent]) -> list[str]:
    """What failed last and was not seen to pass since."""
    failing: list[tuple[Sequence[commands.Act], str]] = []
    for one in events:
        if one.doing != "shell":
            continue
        acts = commands.read(one.about)
        failing = [(before, said) for before, said in failing if not commands.is_same(before, acts)]
        if one.name == FAILED and commands.does(acts) != "look" and not episodes.is_trivial(one):
            failing.append((acts, text.cut((outputs.error_lines(one.detail) or [one.about])[0], LINE_CHARS)))
    return [said for _, said in failing]


def _since_commit(events: Sequence[SessionEvent]) -> list[str]:
    """The files that were changed after the last commit."""
    changed: dict[str, None] = {}
    for one in events:
        if one.doing == "shell" and one.name == FINISHED and commands.does(commands.read(one.about)) == "commit":
            changed = {}
        changed |= dict.fromkeys(one.files_modified)
    return list(changed)
