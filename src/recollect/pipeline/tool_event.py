"""What an event says, whichever client sent it: what a tool did, to which files, what it printed."""

from pathlib import Path
from typing import Any

from recollect.model import text
from recollect.model.session_event import FAILED, FINISHED, Doing
from recollect.pipeline.batch import Batch
from recollect.pipeline.inbox_event import InboxEvent
from recollect.policy.capture import summaries, turns
from recollect.policy.secrets import detector
from recollect.policy.shell import commands, outputs

ABOUT_CHARS, ADDED_CHARS = 300, 4_000
COMMAND_CHARS, PATH_CHARS, SHORT_CHARS = 2_000, 400, 120
PATCH = "*** Begin Patch"
CUT = "\n[…]\n"


def keep(batch: Batch, noted: InboxEvent) -> None:
    """Keep what a tool's event says, once: whichever handler needs it first."""
    if batch.happenings[noted.key].doing:
        return
    found = parts(noted, batch.context.checkout.root, batch.context.config.capture.tool_output)
    if has_closed_task(noted):
        found["outcome"] = summaries.TASK_CLOSED
    batch.keep(noted, **found)


def doing(noted: InboxEvent) -> Doing:
    """What a tool does, by the client's own table of its tools."""
    tool, client = noted["tool"], noted.dialect
    kinds: tuple[tuple[Doing, tuple[str, ...]], ...] = (
        ("shell", client.SHELLS), ("write", client.WRITING), ("read", client.READING), ("search", client.SEARCHING),
        ("web", client.WEB),
    )  # fmt: skip
    return next((name for name, tools in kinds if tool in tools), "other")


def parts(noted: InboxEvent, root: Path, output_chars: int) -> dict[str, Any]:
    """The parts of a happening that a tool's event holds; at most `output_chars` of what the tool printed.

    With 0, whether a call worked is still known as far as the client says so, and nothing of what it printed.
    """
    kind, failure = doing(noted), noted.dialect.failure(noted.native, dict(noted.said))
    files = tuple(_plain(_from_root(root, path), PATH_CHARS) for path in _files(noted, kind))
    about = (
        noted["command"] if kind == "shell" else (files[0] if files else turns.summary(noted.said.get("tool_input")))
    )
    most = COMMAND_CHARS if kind == "shell" else ABOUT_CHARS
    return {
        "name": FAILED if failure else FINISHED,
        "tool": _plain(noted["tool"], ABOUT_CHARS),
        "about": text.cut(detector.redact(text.clean_body(about).strip()), most),
        "doing": kind,
        "detail": _detail(noted, kind, failure, output_chars),
        "files_modified": files if kind == "write" else (),
        "files_read": files if kind in ("read", "search") else (),
        "outcome": _outcome(failure, output_chars),
    }


def _outcome(failure: str, output_chars: int) -> str:
    """How a call ended, in a line: what went wrong as far as that may be kept, else that it failed, or is done."""
    said = _plain(outputs.clean(failure), min(ABOUT_CHARS, output_chars)) if output_chars else ""
    return said or ("failed" if failure else "done")


def _plain(said: str, most: int) -> str:
    return text.cut(detector.redact(text.clean_line(said)), most)


def has_closed_task(noted: InboxEvent) -> bool:
    """Whether an agent's list of things to do has just been worked off."""
    given = noted.said.get("tool_input")
    todos = given.get("todos") if isinstance(given, dict) else None
    done = (
        [one.get("status") == "completed" for one in todos if isinstance(one, dict)] if isinstance(todos, list) else []
    )
    return bool(done) and all(done)


def _files(noted: InboxEvent, kind: Doing) -> list[str]:
    if kind == "write":
        return noted.dialect.targets(noted["tool"], noted["path"], noted["command"])
    return [noted["path"]] if noted["path"] and kind in ("read", "search") else []


def _from_root(root: Path, path: str) -> str:
    place = Path(path)
    return place.relative_to(root).as_posix() if place.is_absolute() and root in place.parents else path


def _detail(noted: InboxEvent, kind: Doing, failure: str, output_chars: int) -> str:
    """What is worth keeping of a tool's answer: a failure, what a command printed, what an edit put in.

    What was merely read, searched or fetched is somebody else's text and can be read again.
    """
    if failure or kind == "shell":
        return shortened(outputs.clean(failure or noted["output"]), output_chars)
    if kind == "other" and commands.is_running(noted["tool"]):  # of what else runs something only what went wrong
        said = outputs.clean(noted["output"])
        return shortened(said, output_chars) if outputs.is_failing(said) else ""
    return shortened(added(noted["old"], noted["new"] or noted["command"]), ADDED_CHARS) if kind == "write" else ""


def added(old: str, new: str) -> str:
    """The lines that an edit puts in."""
    if new.lstrip().startswith(PATCH):
        return "\n".join(line[1:].strip() for line in outputs.clean(new).splitlines() if line.startswith("+"))
    before = set(old.splitlines())
    lines = [line.strip() for line in outputs.clean(new).splitlines() if line not in before and line.strip()]
    told = "\n".join(lines)
    return f"{old.strip()} → {told}" if old.strip() and len(old) + len(told) < SHORT_CHARS else told


def shortened(said: str, most: int) -> str:
    """The beginning and the end of something long, `most` characters together: errors stand at either."""
    if len(said) <= most:
        return detector.redact(said)[:most]
    half = (most - len(CUT)) // 2
    if half <= 0:
        return ""
    # Once more, now that no colours or hidden signs stand in a credential; before it is cut, or half of one would stay.
    first, last = detector.redact(said[: 2 * half]), detector.redact(said[-2 * half :])
    return f"{first[:half]}{CUT}{last[-half:]}"
