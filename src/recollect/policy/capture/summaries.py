"""Sum up a session from its events: goal, outcome, what was done, what is open, what comes next (B2)."""

from collections.abc import Sequence

from recollect.model import text
from recollect.model.memory import Memory
from recollect.model.session_event import FAILED, FINISHED, PROMPT, SessionEvent
from recollect.policy.capture import episodes
from recollect.policy.repairs import session_goal, titles
from recollect.policy.shell import commands, complaints, outputs

LINE_CHARS, BUDGET_CHARS = 120, 580
"""The longest line of a summary, and the most characters of its goal and its lists together."""
MOST_LINES, TITLE_WORDS = 5, 9
NEEDED = ("completed", "next_actions", "key_changes")
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
    """Return the title and the fields of a session's summary; None if nothing was done or learnt (D35).

    The fields have at most 600 characters together.
    """
    prompts = [event.about for event in events if event.name == PROMPT and event.about]
    changed = list(dict.fromkeys(path for event in events for path in event.files_modified))
    if not prompts or not (changed or filed):
        return None
    goal = session_goal.goal(prompts)
    open_errors = _open_errors(events)
    uncommitted = _since_commit(events)
    is_done = not uncommitted or _is_checked(events)
    settled = [_line(memory) for memory in filed if memory.kind in ("decision", "constraint")]
    lists = {
        "blockers": open_errors[:MOST_LINES],
        "next_actions": [_line(memory) for memory in filed if memory.kind == "tech_debt"][:MOST_LINES],
        "completed": [_line(memory) for memory in filed if memory.kind in DONE_KINDS][:MOST_LINES],
        "in_progress": [] if is_done else uncommitted[:MOST_LINES],
        "key_changes": [*settled, *changed][:MOST_LINES],
    }
    outcome = "blocked" if open_errors else "success" if is_done and is_over else "partial"
    fields: dict[str, object] = {"goal": goal, "outcome": outcome, **_within_budget(lists, BUDGET_CHARS - len(goal))}
    return f"Session: {titles.short_title(goal, TITLE_WORDS)}", fields


def _within_budget(lists: dict[str, list[str]], budget: int) -> dict[str, object]:
    """Return lists with at most `budget` characters together, cut at the end of the longest; empty ones are left out.

    What B's format needs (`completed`, `next_actions`) and what was changed stay, though empty.
    """
    kept = {name: list(lines) for name, lines in lists.items()}
    while sum(len(line) for lines in kept.values() for line in lines) > budget:
        longest = max(kept, key=lambda name: sum(map(len, kept[name])))
        kept[longest].pop()
    return {name: lines for name, lines in kept.items() if lines or name in NEEDED}


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
    """Return the first error line of each command that failed, said why, and was not run again or checked since."""
    failing: list[tuple[Sequence[commands.Act], str]] = []
    for event in events:
        if event.doing != "shell":
            continue
        acts = commands.read(event.about)
        failing = [(before, error) for before, error in failing if not commands.is_same(before, acts)]
        if event.name == FAILED:
            failing += _told(event, acts)
        elif commands.does(acts) in ("check", "commit") and not outputs.is_failing(event.detail):
            failing = [(before, error) for before, error in failing if commands.does(before) == "change"]
    return list(dict.fromkeys(error for _, error in failing))


def _told(event: SessionEvent, acts: Sequence[commands.Act]) -> list[tuple[Sequence[commands.Act], str]]:
    """Return a failed command with its error line; empty if it only looked around, or the error is not worth a word."""
    error = (outputs.error_lines(event.detail, 1) or [""])[0]
    is_slip = complaints.is_routine(error) or complaints.is_lint(error) or outputs.is_bare(error)
    if commands.does(acts) == "look" or episodes.is_trivial(event) or is_slip:
        return []
    return [(acts, text.cut(error, LINE_CHARS))]


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
