"""The entry point of every hook: read the event, run its handlers, write it to the inbox, answer. Import-light.

It holds the deadline and the recursion check. What handlers raise is caught in `recollect.failsafe`.
"""

import _thread
import gc
import os
import time

from recollect import hook_log, paths
from recollect.failsafe import failsafe
from recollect.hooks import deadline, inbox, wiring
from recollect.hooks.event import Event, Reply, load_dialect
from recollect.hooks.redaction import redact
from recollect.lazy import load, load_handler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


MAX_STDIN_BYTES = 64_000_000
MAX_EVENT_BYTES = 256_000
COUNT_INTERVAL_SECONDS = 5
EVENTS_THAT_NEED_THE_STORE = ("SessionStarted", "PromptSubmitted")
# The one exit code that is not 0, and part of the answer: a turn is not to end, for the reason on standard error (B5).
BLOCKED = 2
RECURSION = ("BLOCK_HOOK_AGENTS", "RECOLLECT_INSIDE")
# What the watch over the deadline has to know: what was read, and whether it is noted.
_read: list[bytes] = []
_noted: list[str] = []


def main(client: str, native: str) -> None:
    """Run as a client's hook: read standard input, print the answer, and exit before the deadline, whatever fails."""
    gc.disable()  # the process ends before there is anything to collect
    _thread.start_new_thread(_watch, (client, native, time.monotonic()))
    code = failsafe(paths.home(os.environ), native, _serve, client, native)
    os._exit(code or 0)  # nothing is left to tidy up, and the interpreter would take its time


def _serve(client: str, native: str) -> int:
    _read.append(_read_all())
    reply = Reply()
    _write(1, run(client, native, _read[0], os.environ, reply))
    _write(2, reply.block or reply.warning)
    return BLOCKED if reply.block else 0


def _write(where: int, text: str) -> None:
    data = text.encode("utf-8", "replace")
    while data:
        data = data[os.write(where, data) :]


def _read_all() -> bytes:
    parts, size = [], 0
    while size < MAX_STDIN_BYTES and (part := os.read(0, 1 << 20)):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _watch(client: str, native: str, started: float) -> None:
    """End the process at the deadline without an answer, after writing the event to the inbox."""
    home = paths.home(os.environ)
    allowed = deadline.allowed_ms(client, native, os.environ)
    time.sleep(max(0.0, started + allowed / 1000 - time.monotonic()))
    said = deadline.miss(allowed, started)
    is_ours = any(os.environ.get(name) for name in RECURSION)
    if _read and not _noted and not is_ours:
        failsafe(home, native, _note_late, home, client, native, deadline.late_receipt(said))
    hook_log.write(home, native, said)
    os._exit(0)


def _note_late(home: str, client: str, native: str, receipt: str) -> None:
    load_dialect(client)  # raises for a client that nobody knows
    inbox.put(home, client, native, storable(_read[0]), receipt=receipt, **_inbox_header(os.environ))


def _inbox_header(env: "Mapping[str, str]") -> dict[str, str]:
    """Return what the environment says about an event: the time to assume, and the launcher of the session."""
    return {"now": env.get("RECOLLECT_NOW", ""), "launcher": env.get("AGENT_HOOK_ID", "")}


def storable(raw: bytes) -> bytes:
    """Return an event as it may be written to disk: not too long, and without credentials."""
    smaller: bytes = raw if len(raw) <= MAX_EVENT_BYTES else load("recollect.store.hook_reader.event_json").shrunk(raw)
    return redact(smaller)


def run(
    client: str, native: str, raw: bytes, env: "Mapping[str, str]", reply: Reply | None = None, *,
    starts_worker: bool = True,
) -> str:  # fmt: skip
    """Run the handlers of an event, write it to the inbox, and return the client's answer; empty for none.

    Where the client wants a block told by an exit code, the reason is in `reply.block` afterwards. A replay drains the
    inbox itself: without `starts_worker` no worker is started.
    """
    reply = reply or Reply()
    if any(env.get(name) for name in RECURSION):  # A24: events of agents that recollect itself started
        return ""
    if not raw.lstrip().startswith(b"{"):
        raise ValueError("standard input holds no JSON object")
    is_second = _is_second(env)
    if is_second and native != "Stop":  # whose handler needs the plugin's skill, which settings know nothing of
        return ""
    event = Event(load_dialect(client), native, raw, env, paths.home(env))
    if not native:
        event.read()
    if not event.name or _is_machine_made(event):
        return ""
    is_note = event.name in deadline.NOTES
    if is_note:
        failsafe(event.home, "inbox", _note_in_time, event, reply)
    answer(event, reply)
    if is_second:
        return _spelled(event, reply)
    if not is_note and is_worth_noting(event, reply):
        failsafe(event.home, "inbox", _note_in_time, event, reply)
    if starts_worker:
        failsafe(event.home, "worker", _start_worker, event, reply)
    return _spelled(event, reply)


def is_worth_noting(event: Event, reply: Reply) -> bool:
    """Return whether an event goes to the inbox: of the start of a tool call, only if it was refused or told a rule."""
    is_noted = bool(reply.refusal or reply.receipt) if event.name == "ToolStarting" else not reply.is_off
    return is_noted and bool(wiring.bindings(event.name, wiring.WORKER))


def answer(event: Event, reply: Reply) -> None:
    """Run the hook handlers of an event in order and fill the reply; an error is logged and the next handler runs."""
    is_ready = failsafe(event.home, event.name, _is_ready, event, reply)
    if is_ready is None and event.name == "PromptSubmitted":
        reply.receipt = {"id": os.urandom(5).hex(), "state": "failed: the store could not be read"}
    for binding in wiring.bindings(event.name, wiring.HOOK) if is_ready else ():
        failsafe(event.home, binding.handler, _handle, binding, event, reply)


def _spelled(event: Event, reply: Reply) -> str:
    """Return what the client reads on standard output; a block is not in it where an exit code says it."""
    if reply.is_plain and event.dialect.READS_PLAIN_TEXT:
        return reply.context
    if reply.block and not event.dialect.BLOCKS_BY_EXIT_CODE:
        reason, reply.block = reply.block, ""
        return event.dialect.reply(event.native, block=reason)
    return event.dialect.reply(event.native, context=reply.context, refusal=reply.refusal, complaint=reply.complaint)


def _is_second(env: "Mapping[str, str]") -> bool:
    """Return whether the client's settings call us for the same event as its plugin does."""
    return bool(env.get("CLAUDE_PLUGIN_ROOT")) and bool(load("recollect.hooks.plugin").yields(".", env))


def _is_machine_made(event: Event) -> bool:
    """Return whether the client itself wrote the prompt."""
    return event.name == "PromptSubmitted" and event.read().fields["prompt"].lstrip().startswith(
        event.dialect.MACHINE_PROMPTS
    )


def _is_ready(event: Event, reply: Reply) -> bool:
    """Return whether handlers may run; for events that need the store, whether memory is on here."""
    if event.name in EVENTS_THAT_NEED_THE_STORE:
        event.read()
        reply.is_off = bool(event.store.off_because(event.folder, event.fields["session"]))
        reply.wants_worker = load("recollect.hooks.project_lookup").are_settings_stale(event.place.settings)
    return not reply.is_off


def _handle(binding: wiring.Binding, event: Event, reply: Reply) -> None:
    is_asked_here = binding.setting and not binding.is_switched_by_handler
    if is_asked_here and not event.read().place.settings[binding.setting]:
        return
    load_handler(binding.handler)(event, reply)


def _note_in_time(event: Event, reply: Reply) -> None:
    _noted.append(note(event, reply))


def note(event: Event, reply: Reply) -> str:
    """Write an event to the inbox, with the receipt of what was answered; return the name of its file."""
    if reply.receipt:
        reply.receipt["ms"] = max(1, round((time.monotonic() - event.started) * 1_000))
    receipt = load("recollect.clients.quoting").encode(reply.receipt) if reply.receipt else ""
    raw, header = storable(event.raw), _inbox_header(event.env)
    return inbox.put(event.home, event.dialect.NAME, event.native, raw, receipt=receipt, **header)


def _start_worker(event: Event, reply: Reply) -> None:
    is_wanted = event.name in wiring.STARTS_WORKER or reply.wants_worker
    if is_wanted or (event.name == "ToolFinished" and _has_too_many_waiting(event.home)):
        load("recollect.hooks.spawn").worker(event.env)


def _has_too_many_waiting(home: str) -> bool:
    """Return whether more than MAX_WAITING_EVENTS events wait; False within five seconds of the last time they did.

    That time is the modification time of the worker's lock file.
    """
    lock = os.path.join(home, "worker.lock")
    try:
        if time.time() - os.stat(lock).st_mtime < COUNT_INTERVAL_SECONDS:
            return False
    except FileNotFoundError:
        return len(inbox.waiting(home)) > wiring.MAX_WAITING_EVENTS
    if len(inbox.waiting(home)) <= wiring.MAX_WAITING_EVENTS:
        return False
    os.utime(lock)
    return True
