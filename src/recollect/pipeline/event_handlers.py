"""What drained events become: sessions, activity, receipts, uses, turns. A function per row of the wiring table.

Handlers batch; `commit_batch` writes all that a batch of events became, and that they are drained, in one transaction.
"""

import os
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from recollect import foreign_files
from recollect.errors import StoreError
from recollect.formats import transcript
from recollect.hooks import wiring
from recollect.hooks.dispatch import failsafe
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
from recollect.store.values import Receipt
from recollect.vault import files
from recollect.write import journal_rebuild, session_counter, vault_sync
from recollect.write.commit import commit

CAPTURE, TRIED = "capture", ".tried"
CAPTURE_HANDLERS = "pipeline.capture."
TAIL_LINES = 2_000


def apply(context: ProjectContext, events: Sequence[InboxEvent]) -> Batch:
    """Work through events in order, and write what they became."""
    batch = Batch(context)
    for noted in events:
        if context.store.sessions.is_drained(noted.key) or noted.key in batch.happenings:
            batch.dropped[noted.file] = "noted twice"
            continue
        if not noted.event:
            batch.dropped[noted.file] = f"{noted.native or 'an event without a name'} is not known"
            continue
        off = on_off.reason(context, files.real(Path(noted["folder"] or context.checkout.root)), noted.session)
        if off:
            batch.dropped[noted.file] = off
            continue
        batch.keep(noted)
        _take_receipt(batch, noted)
        for binding in wiring.bindings(noted.event, wiring.WORKER):
            if not binding.setting or _is_on(context, binding.setting):
                _handle(batch, noted, binding.handler)
        batch.sessions[noted.counted_as] = batch.session(noted)
    commit_batch(batch)
    return batch


def _handle(batch: Batch, noted: InboxEvent, handler: str) -> None:
    """A handler that fails loses its own work alone, and is named in the log; a store in trouble concerns them all."""
    if handler.startswith(CAPTURE_HANDLERS) and TRIED in noted.file:
        return  # something of the event could not be written: this time only what is sure
    before = copy(batch.changes), copy(batch.happenings), copy(batch.sessions)
    trouble: list[StoreError] = []

    def work() -> bool:
        try:
            load_handler(handler)(batch, noted)
        except StoreError as error:
            trouble.append(error)
        return True

    if failsafe(str(batch.context.store.home), handler, work) is None:
        batch.changes, batch.happenings, batch.sessions = before
    if trouble:
        raise trouble[0]


def _is_on(context: ProjectContext, name: str) -> bool:
    section, _, setting = name.partition(".")
    return bool(getattr(getattr(context.config, section), setting))


def commit_batch(batch: Batch) -> None:
    """All of it or nothing: no event is drained without its effects, and none has them twice."""
    if batch.changes:
        commit(replace(batch.context, actor=CAPTURE), batch.changes, also=lambda: _enter(batch))
    elif batch.happenings:
        with batch.context.store.writing(durable=False):
            _enter(batch)


def _enter(batch: Batch) -> None:
    table = batch.context.store.sessions
    for known in batch.sessions.values():
        table.put(known)
    for happening in batch.happenings.values():
        table.enter(happening)
    for receipt in batch.receipts:
        table.add_receipt(receipt)
    if batch.number is not None:
        journal_rebuild.put(batch.context, session_counter.COUNTER + batch.context.project, str(batch.number))


def _take_receipt(batch: Batch, noted: InboxEvent) -> None:
    if noted.receipt:
        batch.receipts.append(receipt(noted, batch.context.project))


def receipt(noted: InboxEvent, project: str) -> Receipt:
    """What was told with an event, and why."""
    told = noted.receipt
    parts = told.get("words", {}), told.get("shown", []), told.get("candidates", []), int(told.get("tokens", 0))
    where = str(told.get("project") or project)
    how = str(told.get("state", "")), str(told.get("profile", ""))
    return Receipt(str(told["id"]), noted.at, noted.session, where, noted.event, *parts, *how)


# -- handlers ----------------------------------------------------------------------------------------------------------


def begin(batch: Batch, noted: InboxEvent) -> None:
    """A session started, or went on after a pause, a compaction, a fork."""
    batch.sessions[noted.counted_as] = replace(batch.session(noted), ended=None)
    batch.keep(noted, about=noted["source"])


def look(batch: Batch, noted: InboxEvent) -> None:  # noqa: ARG001 - whichever session it was
    """Take in what changed in the vault since."""
    vault_sync.scan(batch.context)


def count(batch: Batch, noted: InboxEvent) -> None:
    """A25: the first prompt of a session counts it."""
    known = batch.session(noted)
    if not known.prompts:
        before = session_counter.number(batch.context) if batch.number is None else batch.number
        batch.number = before + 1
        known = replace(known, number=batch.number)
    batch.sessions[noted.counted_as] = replace(known, prompts=known.prompts + 1)
    prompt = turns.bare(noted["prompt"])
    batch.keep(noted, about=text.cut(detector.redact(prompt), batch.context.config.capture.turn_chars))


def use(batch: Batch, noted: InboxEvent) -> None:
    """A30: what was shown was used, in this session."""
    number = batch.session(noted).number
    for uid in noted.receipt.get("shown", []):
        if batch.context.store.get(str(uid)):
            batch.changes.append(Touch(str(uid), session=noted.session, number=number))


def observe(batch: Batch, noted: InboxEvent) -> None:
    """What a tool did, to which files, and whether it worked."""
    tool_event.keep(batch, noted)


def refused(batch: Batch, noted: InboxEvent) -> None:
    """What the guard did not let a tool do."""
    observe(batch, noted)
    told = "refused: the vault is written through recollect"
    batch.keep(noted, name=noted.event, files_modified=(), detail="", outcome=told)


def turn(batch: Batch, noted: InboxEvent) -> None:
    """C14: a turn is kept as it was said, without secrets, up to a length, for a while."""
    prompt, answer = _said(batch, noted)
    before = [one.detail for one in batch.of_turn(noted, "TurnEnded") if noted["turn"] and one.key != noted.key]
    answer = "\n\n".join(dict.fromkeys([*filter(None, before), *filter(None, [answer])]))
    body = turns.joined(prompt, answer, batch.context.config.capture.turn_chars)
    if not answer or not body:
        batch.keep(noted, about="nothing was said")
        return
    made = _turn_memory(batch, noted, prompt or answer, body)
    earlier = next((one.outcome for one in batch.of_turn(noted, "TurnEnded") if noted["turn"] and one.outcome), "")
    known = batch.context.store.get(earlier) if earlier else None
    if known:  # the client went on after a stop that was refused: the same turn, with another end
        batch.changes.append(Revise(known.memory.having(content=Text(text=body)), classify=True))
    else:
        made = made.having(uid=earlier) if earlier else made
        batch.changes = [one for one in batch.changes if not (isinstance(one, Create) and one.memory.uid == earlier)]
        batch.changes.append(Create(made, merge_duplicate=False, classify=True, expiry_named=True))
    batch.keep(noted, outcome=earlier or made.uid)


def _said(batch: Batch, noted: InboxEvent) -> tuple[str, str]:
    """What was asked and answered; nothing where it was the client that asked."""
    prompts = batch.of_turn(noted, "PromptSubmitted")
    prompt, answer = prompts[-1].about if prompts else "", turns.bare(noted["answer"])
    if (not prompt or not answer) and noted.native != "StopFailure":
        last_prompt, last_answer = transcript.last_turn(_tail(noted["transcript"]))
        prompt, answer = prompt or turns.bare(last_prompt), answer or turns.bare(last_answer)
    return ("", "") if prompt.startswith(noted.dialect.MACHINE_PROMPTS) else (prompt, answer)


def _tail(path: str) -> list[bytes]:
    """The last lines of a transcript; only files below the user's own folder or /tmp are looked at (B5)."""
    place = Path(os.path.realpath(os.path.expanduser(path))) if path else None  # noqa: PTH111 - never raises
    allowed = (Path.home().resolve(), Path("/tmp").resolve())  # noqa: S108 - the seed's own place
    if place is None or not any(folder in place.parents for folder in allowed):
        return []
    try:
        data = foreign_files.read(str(place), most_bytes=foreign_files.TRANSCRIPT_BYTES, tail=True)
    except OSError:
        return []
    return data.split(b"\n")[-TAIL_LINES:]


def _turn_memory(batch: Batch, noted: InboxEvent, title: str, body: str) -> Memory:
    tools = [*batch.of_turn(noted, "ToolFinished"), *batch.of_turn(noted, "ToolFailed")] if noted["turn"] else []
    note = Note(
        body, "turn_summary", title=text.first_line(title), session=noted.session, confidence=0.8, importance=0.4,
        origin="assistant", channel=noted.dialect.NAME, ttl_days=batch.context.config.capture.ttl_days or None,
        files_read=tuple(dict.fromkeys(path for one in tools for path in one.files_read)),
        files_modified=tuple(dict.fromkeys(path for one in tools for path in one.files_modified)),
        created_at=clock.stamp(datetime.fromtimestamp(noted.at, UTC)),
    )  # fmt: skip
    checkout = batch.context.checkout
    return compose.memory(
        note, batch.context.kinds, moment=datetime.fromtimestamp(noted.at, UTC), project=batch.context.project,
        commit=checkout.head, branch=checkout.branch,
    )  # fmt: skip


def checkpoint(batch: Batch, noted: InboxEvent) -> None:
    """C4: a mark before a compaction; what this session was told may be told again afterwards."""
    batch.sessions[noted.counted_as] = replace(batch.session(noted), compacted=noted.at)
    batch.changes.append(logbook.checkpoint(batch.context, noted.session))
    batch.keep(noted, about=noted["source"])


def end(batch: Batch, noted: InboxEvent) -> None:
    """A session ended: files that hold counters get them now, not at every prompt (A30)."""
    batch.changes += [Weigh(uid) for uid in batch.context.store.accessed(noted.session, batch.context.root)]
    batch.sessions[noted.counted_as] = replace(batch.session(noted), ended=noted.at)
    batch.keep(noted, about=noted["source"])
