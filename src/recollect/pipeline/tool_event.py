"""The fields of a tool event, whichever client sent it: what the tool did, to which files, what it printed."""

import re
from pathlib import Path
from typing import Any

from recollect.model import text
from recollect.model.session_event import FAILED, FINISHED, Doing
from recollect.pipeline.batch import Batch
from recollect.pipeline.inbox_event import InboxEvent
from recollect.policy.capture import summaries, turns
from recollect.policy.proposals import questions
from recollect.policy.secrets import detector
from recollect.policy.shell import commands, outputs

ABOUT_CHARS, ADDED_CHARS = 300, 4_000
COMMAND_CHARS, PATH_CHARS, SHORT_CHARS = 2_000, 400, 120
PATCH = "*** Begin Patch"
CUT = "\n[…]\n"


def keep(batch: Batch, event: InboxEvent) -> None:
    """Keep the fields of a tool event; a second handler that needs them finds them there."""
    if batch.events[event.key].doing:
        return
    found = parts(event, batch.context.checkout.root, batch.context.config.capture.tool_output)
    if has_closed_task(event):
        found["outcome"] = summaries.TASK_CLOSED
    batch.keep(event, **found)


def doing(event: InboxEvent) -> Doing:
    """Return what a tool does, by the client's table of its tools; `other` for one that is not in it."""
    tool, client = event["tool"], event.dialect
    kinds: tuple[tuple[Doing, tuple[str, ...]], ...] = (
        ("shell", client.SHELLS), ("write", client.WRITING), ("read", client.READING), ("search", client.SEARCHING),
        ("web", client.WEB),
    )  # fmt: skip
    return next((name for name, tools in kinds if tool in tools), "other")


def parts(event: InboxEvent, root: Path, output_chars: int) -> dict[str, Any]:
    """Return the fields of a SessionEvent that a tool event holds, with at most `output_chars` of the tool's output.

    With 0 no output is kept; whether the call failed is still known, where the client says so.
    """
    kind, failure = doing(event), event.dialect.failure(event.native, dict(event.payload))
    files = tuple(_one_line(_from_root(root, path), PATH_CHARS) for path in _files(event, kind))
    named = files[0] if files else turns.summary(event.payload.get("tool_input"))
    about = _below_root(event["command"], root) if kind == "shell" else named
    most = COMMAND_CHARS if kind == "shell" else ABOUT_CHARS
    return {
        "name": FAILED if failure else FINISHED,
        "tool": _one_line(event["tool"], ABOUT_CHARS),
        "about": text.cut(detector.redact(text.clean_body(about).strip()), most),
        "doing": kind,
        "detail": _detail(event, kind, failure, output_chars),
        "files_modified": files if kind == "write" else (),
        "files_read": files if kind in ("read", "search") else (),
        "outcome": _outcome(failure, output_chars),
    }


def _outcome(failure: str, output_chars: int) -> str:
    """Return how a call ended: the failure in a line where output may be kept, else `failed` or `done`."""
    says = " ".join(outputs.clean(failure).split())  # a line end between two words is a space
    problem = _one_line(says, min(ABOUT_CHARS, output_chars)) if output_chars else ""
    return problem or ("failed" if failure else "done")


def _one_line(value: str, most: int) -> str:
    return text.cut(detector.redact(text.clean_line(value)), most)


def has_closed_task(event: InboxEvent) -> bool:
    """Whether every item of an agent's to-do list is completed."""
    given = event.payload.get("tool_input")
    todos = given.get("todos") if isinstance(given, dict) else None
    items = [item for item in todos if isinstance(item, dict)] if isinstance(todos, list) else []
    done = [item.get("status") == "completed" for item in items]
    return bool(done) and all(done)


def _files(event: InboxEvent, kind: Doing) -> list[str]:
    if kind == "write":
        return event.dialect.targets(event["tool"], event["path"], event["command"])
    return [event["path"]] if event["path"] and kind in ("read", "search") else []


def _from_root(root: Path, path: str) -> str:
    """Return a path relative to the project's root; as it is where it lies outside."""
    whole = Path(path)
    return whole.relative_to(root).as_posix() if whole.is_absolute() and root in whole.parents else path


def _below_root(command: str, root: Path) -> str:
    """Return a command with the paths of the project relative to its root: `cd . && make`, `git -C . log`."""
    if root == root.parent:  # the root of the file system
        return command
    inside = command.replace(f"{root.as_posix()}/", "")
    return re.sub(rf"{re.escape(root.as_posix())}(?![\w.-])", ".", inside)


def _detail(event: InboxEvent, kind: Doing, failure: str, output_chars: int) -> str:
    """Return what is kept of a tool's output: a failure, what a command printed, or the lines that an edit added.

    What was read, searched or fetched is not kept: it is others' text and can be read again.
    """
    answered = questions.read(event.payload.get("tool_response")) if kind == "other" and not failure else []
    if answered:
        return detector.redact(questions.to_text(answered))
    if failure or kind == "shell":
        return shortened(outputs.clean(failure or event["output"]), output_chars)
    if kind == "other" and commands.is_running(event["tool"]):  # of other tools that run something, only failures
        output = outputs.clean(event["output"])
        return shortened(output, output_chars) if outputs.is_failing(output) else ""
    return shortened(added(event["old"], event["new"] or event["command"]), ADDED_CHARS) if kind == "write" else ""


def added(old: str, new: str) -> str:
    """Return the lines that an edit adds; of a short edit also what it replaces."""
    if new.lstrip().startswith(PATCH):
        return "\n".join(line[1:].strip() for line in outputs.clean(new).splitlines() if line.startswith("+"))
    before = set(old.splitlines())
    lines = [line.strip() for line in outputs.clean(new).splitlines() if line not in before and line.strip()]
    joined = "\n".join(lines)
    return f"{old.strip()} → {joined}" if old.strip() and len(old) + len(joined) < SHORT_CHARS else joined


def shortened(output: str, most: int) -> str:
    """Return the beginning and the end of a long output, `most` characters together: errors stand at either end."""
    if len(output) <= most:
        return detector.redact(output)[:most]
    half = (most - len(CUT)) // 2
    if half <= 0:
        return ""
    # Once more, now that no colours or hidden signs stand in a credential; before it is cut, or half of one would stay.
    first, last = detector.redact(output[: 2 * half]), detector.redact(output[-2 * half :])
    return f"{_whole_lines(first[:half])}{CUT}{_whole_lines(last[-half:][::-1])[::-1]}"


def _whole_lines(text_of_lines: str) -> str:
    """Return a text without its last line, which was cut; unchanged if it has only one."""
    return text_of_lines.rpartition("\n")[0] or text_of_lines
