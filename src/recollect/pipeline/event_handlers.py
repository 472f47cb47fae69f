"""Handlers of inbox events: sessions, activity, receipts, uses, turns. A function per worker row of the wiring table.

Handlers add to a Batch; `commit_batch` writes all of it, and that the events are drained, in one transaction.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from recollect import foreign_files
from recollect.errors import StoreError
from recollect.failsafe import failsafe
from recollect.formats import transcript
from recollect.hooks import deadline, wiring
from recollect.interop import logbook
from recollect.lazy import load_handler
from recollect.model import clock, text
from recollect.model.change import Create, Revise, Touch, Weigh
from recollect.model.content import Text
from recollect.model.memory import Memory
from recollect.pipeline import tool_event
from recollect.pipeline.batch import Batch
from recollect.pipeline.inbox_event import InboxEvent
from recollect.policy.capture import turns
from recollect.policy.memories import compose
from recollect.policy.memories.compose import Note
from recollect.policy.secrets import detector
from recollect.project_context import ProjectContext
from recollect.setup import on_off
from recollect.store.session_values import Receipt
from recollect.vault import files
from recollect.write import journal_rebuild, session_counter, vault_sync
from recollect.write.commit import commit

CAPTURE, TRIED = "capture", ".tried"
CAPTURE_HANDLERS = "pipeline.capture."
TAIL_LINES = 2_000


def apply(context: ProjectContext, events: Sequence[InboxEvent], now: datetime | None = None) -> Batch:
    """Call the handlers of each event in order, and write what they added to the batch.

    Memories that have expired are left out; `now` is the time where the context's clock shows that of past events.
    """
    batch = Batch(context)
    for event in events:
        if context.store.sessions.is_drained(event.key) or event.key in batch.events:
            batch.dropped[event.file] = "duplicate event"
            continue
        if not event.name:
            batch.dropped[event.file] = f"unknown event {event.native or 'without a name'}"
            continue
        why_off = on_off.reason(context, files.real(Path(event["folder"] or context.checkout.root)), event.session)
        if why_off:
            batch.dropped[event.file] = why_off
            continue
        batch.keep(event)
        _take_receipt(batch, event)
        for binding in wiring.bindings(event.name, wiring.WORKER):
            if not binding.setting or _is_on(context, binding.setting):
                _handle(batch, event, binding.handler)
        batch.sessions[event.counted_as] = batch.session(event)
    batch.leave_out_expired(now or context.clock())
    commit_batch(batch)
    return batch


def _handle(batch: Batch, event: InboxEvent, handler: str) -> None:
    """Call a handler. If it fails, only its own work is undone, and the log names it; a StoreError is raised."""
    if handler.startswith(CAPTURE_HANDLERS) and TRIED in event.file:
        return  # the event could not be written before: this time without capture
    before = batch.snapshot()
    trouble: list[StoreError] = []

    def work() -> bool:
        try:
            load_handler(handler)(batch, event)
        except StoreError as error:
            trouble.append(error)
        return True

    if failsafe(str(batch.context.store.home), handler, work) is None:
        batch.restore(before)
    if trouble:
        raise trouble[0]


def _is_on(context: ProjectContext, name: str) -> bool:
    section, _, setting = name.partition(".")
    return bool(getattr(getattr(context.config, section), setting))


def commit_batch(batch: Batch) -> None:
    """Write a batch in one transaction: no event is drained without its effects, and none has them twice."""
    if batch.changes:
        commit(replace(batch.context, actor=CAPTURE), batch.changes, also=lambda: _enter(batch))
    elif batch.events:
        with batch.context.store.writing(durable=False):
            _enter(batch)


def _enter(batch: Batch) -> None:
    """Write sessions, events, receipts and the session counter, inside an open transaction."""
    table = batch.context.store.sessions
    for session in batch.sessions.values():
        table.put(session)
    for event in batch.events.values():
        table.add_event(event)
    for receipt in batch.receipts:
        table.add_receipt(receipt)
    for name, value in batch.settings.items():
        batch.context.store.set_setting(name, value)
    if batch.session_number is not None:
        journal_rebuild.put(batch.context, session_counter.COUNTER + batch.context.project, str(batch.session_number))


def _take_receipt(batch: Batch, event: InboxEvent) -> None:
    if event.receipt:
        batch.receipts.append(receipt(event, batch.context.project))


def receipt(event: InboxEvent, project: str) -> Receipt:
    """Return the receipt that a hook left with an event: what it injected, and why."""
    given = event.receipt
    return Receipt(
        id=str(given["id"]),
        at=event.at,
        session=event.session,
        project=str(given.get("project") or project),
        event=event.name,
        words=given.get("words", {}),
        shown=given.get("shown", []),
        candidates=given.get("candidates", []),
        tokens=int(given.get("tokens", 0)),
        state=str(given.get("state", "")),
        profile=str(given.get("profile", "")),
        ms=int(given.get("ms", 0)) or deadline.taken_ms(str(given.get("state", ""))),
    )


# -- handlers ----------------------------------------------------------------------------------------------------------


def record_session_start(batch: Batch, event: InboxEvent) -> None:
    """Record that a session started, or went on after a pause, a compaction or a fork."""
    batch.sessions[event.counted_as] = replace(batch.session(event), ended=None)
    batch.keep(event, about=event["source"])


def scan_vault(batch: Batch, event: InboxEvent) -> None:  # noqa: ARG001 - every handler gets the event
    """Take in the vault files that changed since the last scan."""
    vault_sync.scan(batch.context)


def count_prompt(batch: Batch, event: InboxEvent) -> None:
    """Count a prompt; the first one of a session moves the session counter on (A25), unless it is long past."""
    session = batch.session(event)
    if not session.prompts and not event.is_past:  # a backfill must not make the memories of today look old
        before = session_counter.number(batch.context) if batch.session_number is None else batch.session_number
        batch.session_number = before + 1
        session = replace(session, number=batch.session_number)
    batch.sessions[event.counted_as] = replace(session, prompts=session.prompts + 1)
    prompt = turns.without_injected(event["prompt"])
    batch.keep(event, about=text.cut(detector.redact(prompt), batch.context.config.capture.turn_chars))


def count_uses(batch: Batch, event: InboxEvent) -> None:
    """Count a use of each memory that was injected with a prompt (A30)."""
    number = batch.session(event).number
    for uid in event.receipt.get("shown", []):
        if batch.context.store.get(str(uid)):
            batch.changes.append(Touch(str(uid), session=event.session, number=number))


def record_tool_event(batch: Batch, event: InboxEvent) -> None:
    """Record what a tool did, to which files, and whether it worked."""
    tool_event.keep(batch, event)


def record_tool_start(batch: Batch, event: InboxEvent) -> None:
    """Record a tool call that the guard refused, that was told a rule, or that was let through without an answer."""
    record_tool_event(batch, event)
    state = str(event.receipt.get("state", ""))
    if state.startswith(deadline.LATE):
        outcome = "not checked: no answer in time"
    else:
        outcome = "told a rule" if event.receipt else "refused: the vault is written through recollect"
    batch.keep(event, name=event.name, files_modified=(), detail="", outcome=outcome)


def save_turn(batch: Batch, event: InboxEvent) -> None:
    """Save a turn as a memory (C14): prompt and answer without secrets, cut to a length, with an expiry."""
    prompt, answer = _prompt_and_answer(batch, event)
    ends = batch.turn_events(event, "TurnEnded") if event["turn"] else []
    before = [ending.detail for ending in ends if ending.key != event.key]
    answer = "\n\n".join(dict.fromkeys([*filter(None, before), *filter(None, [answer])]))
    body = turns.joined(prompt, answer, batch.context.config.capture.turn_chars)
    if not answer or not body:
        batch.keep(event, about="nothing was said")
        return
    made = _turn_memory(batch, event, prompt or answer, body)
    earlier = next((ending.outcome for ending in ends if ending.outcome), "")
    known = batch.context.store.get(earlier) if earlier else None
    if known:  # the client went on after a stop that was refused: the same turn, with another end
        batch.changes.append(Revise(known.memory.having(content=Text(text=body)), classify=True))
    else:
        made = made.having(uid=earlier) if earlier else made
        batch.changes = [
            change for change in batch.changes if not (isinstance(change, Create) and change.memory.uid == earlier)
        ]
        batch.changes.append(Create(made, merge_duplicate=False, classify=True, expiry_named=True))
    batch.keep(event, outcome=earlier or made.uid)


def _prompt_and_answer(batch: Batch, event: InboxEvent) -> tuple[str, str]:
    """Return the prompt and the answer of a turn; both empty where the client itself wrote the prompt."""
    prompts = batch.turn_events(event, "PromptSubmitted")
    prompt, answer = prompts[-1].about if prompts else "", turns.without_injected(event["answer"])
    if (not prompt or not answer) and event.native != "StopFailure":
        last_prompt, last_answer = transcript.last_turn(_tail(event["transcript"]))
        prompt, answer = prompt or turns.without_injected(last_prompt), answer or turns.without_injected(last_answer)
    return ("", "") if prompt.startswith(event.dialect.MACHINE_PROMPTS) else (prompt, answer)


def _tail(path: str) -> list[bytes]:
    """Return the last lines of a transcript; none for a file outside the user's home and /tmp (B5)."""
    real = foreign_files.transcript_path(path)
    if not real:
        return []
    try:
        data = foreign_files.read(real, most_bytes=foreign_files.TRANSCRIPT_BYTES, tail=True)
    except OSError:
        return []
    return data.split(b"\n")[-TAIL_LINES:]


def _turn_memory(batch: Batch, event: InboxEvent, title: str, body: str) -> Memory:
    tools = (
        [*batch.turn_events(event, "ToolFinished"), *batch.turn_events(event, "ToolFailed")] if event["turn"] else []
    )
    note = Note(
        body, "turn_summary", title=text.first_line(title), session=event.session, confidence=0.8, importance=0.4,
        origin="assistant", channel=event.dialect.NAME, ttl_days=batch.context.config.capture.ttl_days or None,
        files_read=tuple(dict.fromkeys(path for tool in tools for path in tool.files_read)),
        files_modified=tuple(dict.fromkeys(path for tool in tools for path in tool.files_modified)),
        created_at=clock.stamp(datetime.fromtimestamp(event.at, UTC)),
    )  # fmt: skip
    checkout = batch.context.checkout
    return compose.memory(
        note, batch.context.kinds, moment=datetime.fromtimestamp(event.at, UTC), project=batch.context.project,
        commit=checkout.head, branch=checkout.branch,
    )  # fmt: skip


def checkpoint(batch: Batch, event: InboxEvent) -> None:
    """Add a log record before a compaction (C4); memories may be injected again afterwards."""
    batch.sessions[event.counted_as] = replace(batch.session(event), compacted=event.at)
    batch.changes.append(logbook.checkpoint(batch.context, event.session))
    batch.keep(event, about=event["source"])


def record_session_end(batch: Batch, event: InboxEvent) -> None:
    """Record that a session ended, and write the counters of uses to the files that hold them (A30)."""
    batch.changes += [Weigh(uid) for uid in _used_with_counters(batch, event.session)]
    batch.sessions[event.counted_as] = replace(batch.session(event), ended=event.at)
    batch.keep(event, about=event["source"])


def _used_with_counters(batch: Batch, session: str) -> list[str]:
    """Return the memories used in a session whose file holds the counters, also by prompts of this same batch."""
    store, root = batch.context.store, batch.context.root
    here = [change.uid for change in batch.changes if isinstance(change, Touch) and change.session == session]
    seen = {uid: store.sighting_of(root, uid) for uid in here}
    in_files = [uid for uid, file in seen.items() if file and file.presence == "seen" and file.path.endswith(".md")]
    return list(dict.fromkeys([*store.accessed(session, root), *in_files]))
