"""Triage at the end of a turn: ask the agent to save what should be kept, where its skill is installed (B5-B17).

Without the skill only a few paths are looked at; everything heavy is loaded after that. Import-light.
"""

import os
import time

from recollect import paths
from recollect.hooks.event import Event, Reply
from recollect.hooks.redaction import redact_text
from recollect.lazy import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, BinaryIO

SKILL = os.path.join("skills", "memory-management", "SKILL.md")
FLAG = os.path.join(".claude", ".stop_hook_active")
CONTEXT, OUR_FLAG = ".memory-triage-context-", ".stop-hook-active-"
FRESH_SECONDS = 300
KEPT_SECONDS = 86_400
ASKED = "asked to save:"
BLOCK_BYTES, MOST_BYTES = 1 << 18, 1 << 24
ANSWER_CHARS = 50_000
TEXT_CHARS = 200_000  # of what was said last; for more the deadline is too near
NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)  # Windows has none


def triage(event: Event, reply: Reply) -> None:
    """Block the end of a turn once if something in it should be saved (B14)."""
    if event.native not in event.dialect.BLOCKS or not _has_skill(event):
        return
    settings = event.read().place.settings
    is_off = event.store.off_because(event.folder, event.fields["session"])
    if is_off or not settings.get("triage.enabled") or _was_blocked_before(event):
        return
    place = _transcript(event)
    entries = _newest(place, min(200, max(10, int(settings["triage.max_messages"])))) if place else []
    if entries:
        _judge(event, reply, [*entries, *_unwritten(event, entries)])


# -- is the skill installed? ---------------------------------------------------------------------------------------


def _has_skill(event: Event) -> bool:
    """Return whether the skill that saves is installed: for the user, with the plugin, or in the project."""
    env = event.env
    own = env.get("CLAUDE_CONFIG_DIR") or (env["HOME"] + "/.claude" if env.get("HOME") else "")
    if any(os.path.exists(os.path.join(place, SKILL)) for place in (own, env.get("CLAUDE_PLUGIN_ROOT")) if place):
        return True
    projects = {_folder(event), env.get("CLAUDE_PROJECT_DIR") or ""} - {""}
    return any(_has_project_skill(event, folder) for folder in projects)


def _has_project_skill(event: Event, folder: str) -> bool:
    """Return whether a project has the skill and is trusted, or is no clone.

    A clone is told by its `.git`. A folder without git is the user's own, as long as the skill lies below it.
    """
    place = os.path.join(folder, ".claude", SKILL)
    if not os.path.exists(place):
        return False
    lookup = load("recollect.hooks.project_lookup")
    if lookup.find_place(event.store, folder, event.env).settings.get("trusted"):
        return True
    is_without_git = load("recollect.project.repository").around(folder) is None
    return is_without_git and load("recollect.foreign_files").is_below(place, folder)


def _folder(event: Event) -> str:
    """Return the folder that the agent works in, found in the raw bytes; an unusual spelling is parsed properly."""
    name, *others = event.dialect.FIELDS["folder"]
    quoted = f'"{name}"'.encode()
    at = event.raw.find(quoted + b":")
    if not others and quoted not in event.raw:
        return _here()
    said = event.raw[at + len(quoted) + 1 : at + 5_000].lstrip()
    value, closing, _ = said[1:].partition(b'"')
    if others or at < 0 or said[:1] != b'"' or not closing or b"\\" in value:
        return event.read().folder
    return value.decode("utf-8", "replace")


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return ""


# -- was this turn blocked already? ------------------------------------------------------------------------------------


def _was_blocked_before(event: Event) -> bool:
    """Return whether this stop follows a block (B14): the client says so, or a flag that we left is fresh."""
    fresh = [_is_fresh(path, event.now) for path in _flags(event)]
    said = load("json").loads(event.raw.decode("utf-8", "replace"))
    return said.get("stop_hook_active") is True or any(fresh)


def _flags(event: Event) -> tuple[str, str]:
    """Return the paths of the flag in the project, and of our own for projects without a `.claude` folder."""
    return os.path.join(event.folder, FLAG), _runtime(event, OUR_FLAG)


def _runtime(event: Event, prefix: str, ending: str = "") -> str:
    """Return the path of a session's file in our private folder; the session's name cannot lead out of it."""
    session = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in event.session)[:80]
    return os.path.join(paths.runtime(event.home), f"{prefix}{session or 'unnamed'}{ending}")


def _is_fresh(path: str, now: float) -> bool:
    """Return whether a flag was set in the last five minutes; remove the flag in any case."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        said = file.read(40)
    age = time.time() - os.stat(path).st_mtime
    os.unlink(path)
    is_number = said.replace(b".", b"", 1).isdigit()
    return age < FRESH_SECONDS and (not is_number or now - float(said) < FRESH_SECONDS)


def _set_flag(event: Event) -> bool:
    """Set the flag; in the project only where it has a `.claude` folder. Return False where it cannot be set."""
    theirs, ours = _flags(event)
    stamp = str(event.now).encode()
    folder, is_below = os.path.dirname(theirs), load("recollect.foreign_files").is_below
    is_set = os.path.isdir(folder) and is_below(folder, event.folder) and _write(theirs, stamp)
    return is_set or _write(ours, stamp)


# -- the transcript ----------------------------------------------------------------------------------------------------


def _transcript(event: Event) -> str:
    """Return the transcript's real path; empty where it is not below the user's home or /tmp (B5)."""
    find = load("recollect.foreign_files").transcript_path
    place: str = find(event.fields["transcript"], event.env.get("HOME") or "")
    return place if place and os.path.isfile(place) else ""


def _newest(place: str, most: int) -> "list[dict[str, Any]]":
    """Return the last `most` objects of a transcript, oldest first, whatever their type (B7)."""
    entry = load("recollect.formats.transcript").entry
    found: "list[dict[str, Any]]" = []
    with open(place, "rb", buffering=0) as file:
        for line in _backwards(file):
            said = entry(line)
            if said:
                found.append(said)
            if len(found) == most:
                break
    return found[::-1]


def _unwritten(event: Event, entries: "list[dict[str, Any]]") -> "list[dict[str, Any]]":
    """Return the answer as an entry, where the client has not written it to the transcript yet."""
    answer, message_of = event.fields["answer"].strip()[:ANSWER_CHARS], load("recollect.formats.transcript").message_of
    is_there = any(answer in said.text for entry in entries[-10:] if (said := message_of(entry)))
    return (
        [] if not answer or is_there else [{"type": "assistant", "message": {"role": "assistant", "content": answer}}]
    )


def _backwards(file: "BinaryIO") -> "Iterator[bytes]":
    """Yield a file's lines from its end, at most its last 16 MB."""
    at = file.seek(0, os.SEEK_END)
    stop = max(0, at - MOST_BYTES)
    pieces: list[bytes] = []  # of a line whose beginning is still to come, the last one first
    while at > stop:
        start = max(stop, at - BLOCK_BYTES)
        file.seek(start)
        first, *others = file.read(at - start).split(b"\n")
        at = start
        if others:
            yield others.pop() + b"".join(reversed(pieces))
            yield from reversed(others)
            pieces = []
        pieces.append(first)
    if stop == 0:
        yield b"".join(reversed(pieces))


# -- what to ask the agent for ----------------------------------------------------------------------------------------


def _judge(event: Event, reply: Reply, entries: "list[dict[str, Any]]") -> None:
    policy, settings = load("recollect.policy.capture.triage"), event.place.settings
    messages = _messages(event, entries)
    activity = policy.count(messages)
    lines = redact_text(_prose(messages)).split("\n")
    silent = str(settings["triage.silent"]).split(",")
    hits = [
        hit
        for hit in policy.triage(lines, activity, policy.thresholds(settings["triage.thresholds"]))
        if hit.kind not in silent
    ]
    if not hits:
        return
    described = load("recollect.model.recall_values").DESCRIBED
    descriptions = {hit.kind: redact_text(str(settings.get(described + hit.kind) or "")) for hit in hits}
    _tidy(paths.runtime(event.home))
    files = {}
    for hit in hits:
        place = _runtime(event, CONTEXT, f"-{hit.kind}.txt")
        if _write(place, policy.context(hit, lines, activity, descriptions[hit.kind])):
            files[hit.kind] = place
    parallel = {
        "enabled": bool(settings["triage.parallel"]),
        "category_models": policy.models(settings["triage.models"]),
        "verification_model": policy.model(settings["triage.verification_model"], "sonnet"),
        "default_model": policy.model(settings["triage.default_model"], "haiku"),
    }
    said = policy.message(hits, files, descriptions, parallel)
    if _set_flag(event):  # without the flag the next stop would be blocked again, endlessly
        reply.block = said
        kinds = ", ".join(hit.kind for hit in hits)
        reply.receipt = {"id": os.urandom(5).hex(), "project": event.place.project, "state": f"{ASKED} {kinds}"}


def _messages(event: Event, entries: "list[dict[str, Any]]") -> "list[Any]":
    """Return what was said and done, without prompts that the client itself wrote."""
    message_of = load("recollect.formats.transcript").message_of
    found = [said for entry in entries if (said := message_of(entry))]
    return [said for said in found if not said.text.startswith(event.dialect.MACHINE_PROMPTS)]


def _prose(messages: "list[Any]") -> str:
    """Return what was said, without code: the newest 200,000 characters."""
    prose, kept, room = load("recollect.policy.capture.triage").prose, list[str](), TEXT_CHARS
    for said in reversed(messages):
        if said.text and room > 0:
            kept.append(prose(said.text[:room]))
            room -= len(kept[-1]) + 1
    return "\n".join(reversed(kept))


# -- files -------------------------------------------------------------------------------------------------------------


def _tidy(folder: str) -> None:
    """Remove the files of sessions that are older than a day."""
    os.makedirs(folder, 0o700, exist_ok=True)
    for name in os.listdir(folder):
        if name.startswith((CONTEXT, OUR_FLAG)):
            _remove_old(os.path.join(folder, name))


def _remove_old(path: str) -> None:
    try:
        if time.time() - os.lstat(path).st_mtime > KEPT_SECONDS:
            os.unlink(path)
    except FileNotFoundError:  # another session was quicker
        return


def _write(path: str, data: bytes) -> bool:
    """Write a private file, never through a link; return False where that fails."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | NOFOLLOW, 0o600)
    except OSError:
        return False
    try:
        while data:
            data = data[os.write(handle, data) :]
    except OSError:
        return False
    finally:
        os.close(handle)
    return True
