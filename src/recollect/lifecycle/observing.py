"""What an event says, whichever client sent it: what a tool did, to which files, what it printed."""

from pathlib import Path
from typing import Any

from recollect.lifecycle.batch import Plan
from recollect.lifecycle.noted import Noted
from recollect.model import text
from recollect.model.happening import FAILED, FINISHED, Doing
from recollect.policy import commands, outputs, secrets, summaries, turns

ABOUT_CHARS, DETAIL_CHARS = 300, 4_000
COMMAND_CHARS, PATH_CHARS, SHORT_CHARS = 2_000, 400, 120
PATCH = "*** Begin Patch"


def keep(plan: Plan, noted: Noted) -> None:
    """Keep what a tool's event says, once: whichever handler needs it first."""
    if plan.happenings[noted.key].doing:
        return
    found = parts(noted, plan.space.checkout.root)
    if has_closed_task(noted):
        found["outcome"] = summaries.TASK_CLOSED
    plan.keep(noted, **found)


def doing(noted: Noted) -> Doing:
    """What a tool does, by the client's own table of its tools."""
    tool, client = noted["tool"], noted.dialect
    kinds: tuple[tuple[Doing, tuple[str, ...]], ...] = (
        ("shell", client.SHELLS), ("write", client.WRITING), ("read", client.READING), ("search", client.SEARCHING),
        ("web", client.WEB),
    )  # fmt: skip
    return next((name for name, tools in kinds if tool in tools), "other")


def parts(noted: Noted, root: Path) -> dict[str, Any]:
    """The parts of a happening that a tool's event holds."""
    kind, failure = doing(noted), noted.dialect.failure(noted.native, dict(noted.said))
    files = tuple(_plain(_from_root(root, path), PATH_CHARS) for path in _files(noted, kind))
    about = (
        noted["command"] if kind == "shell" else (files[0] if files else turns.summary(noted.said.get("tool_input")))
    )
    most = COMMAND_CHARS if kind == "shell" else ABOUT_CHARS
    return {
        "name": FAILED if failure else FINISHED,
        "tool": _plain(noted["tool"], ABOUT_CHARS),
        "about": text.cut(secrets.redact(text.clean_body(about).strip()), most),
        "doing": kind,
        "detail": _detail(noted, kind, failure),
        "files_modified": files if kind == "write" else (),
        "files_read": files if kind in ("read", "search") else (),
        "outcome": _plain(outputs.clean(failure), ABOUT_CHARS) or "done",
    }


def _plain(said: str, most: int) -> str:
    return text.cut(secrets.redact(text.clean_line(said)), most)


def has_closed_task(noted: Noted) -> bool:
    """Whether an agent's list of things to do has just been worked off."""
    given = noted.said.get("tool_input")
    todos = given.get("todos") if isinstance(given, dict) else None
    done = (
        [one.get("status") == "completed" for one in todos if isinstance(one, dict)] if isinstance(todos, list) else []
    )
    return bool(done) and all(done)


def _files(noted: Noted, kind: Doing) -> list[str]:
    if kind == "write":
        return noted.dialect.targets(noted["tool"], noted["path"], noted["command"])
    return [noted["path"]] if noted["path"] and kind in ("read", "search") else []


def _from_root(root: Path, path: str) -> str:
    place = Path(path)
    return place.relative_to(root).as_posix() if place.is_absolute() and root in place.parents else path


def _detail(noted: Noted, kind: Doing, failure: str) -> str:
    """What is worth keeping of a tool's answer: a failure, what a command printed, what an edit put in.

    What was merely read, searched or fetched is somebody else's text and can be read again.
    """
    if failure or kind == "shell":
        return shortened(outputs.clean(failure or noted["output"]))
    if kind == "other" and commands.is_running(noted["tool"]):  # of what else runs something only what went wrong
        said = outputs.clean(noted["output"])
        return shortened(said) if outputs.is_failing(said) else ""
    return shortened(added(noted["old"], noted["new"] or noted["command"])) if kind == "write" else ""


def added(old: str, new: str) -> str:
    """The lines that an edit puts in."""
    if new.lstrip().startswith(PATCH):
        return "\n".join(line[1:].strip() for line in outputs.clean(new).splitlines() if line.startswith("+"))
    before = set(old.splitlines())
    lines = [line.strip() for line in outputs.clean(new).splitlines() if line not in before and line.strip()]
    told = "\n".join(lines)
    return f"{old.strip()} → {told}" if old.strip() and len(old) + len(told) < SHORT_CHARS else told


def shortened(said: str) -> str:
    """The beginning and the end of something long: errors stand at either."""
    half = DETAIL_CHARS // 2
    if len(said) <= DETAIL_CHARS:
        return secrets.redact(said)
    # Once more, now that no colours or hidden signs stand in a credential; before it is cut, or half of one would stay.
    first, last = secrets.redact(said[: 2 * half]), secrets.redact(said[-2 * half :])
    return f"{first[:half]}\n[…]\n{last[-half:]}"
