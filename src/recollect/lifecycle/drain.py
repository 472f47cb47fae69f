"""What drained events become: sessions, activity, receipts, uses, turns. A function per row of the wiring table.

Handlers plan; `commit` writes all that a batch of events became, and that they are drained, in one transaction.
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
from recollect.hot import wiring
from recollect.hot.dispatch import failsafe
from recollect.hot.event import load
from recollect.lifecycle import logbook, observing, rebuild, save, session, switch, sync
from recollect.lifecycle.batch import Plan
from recollect.lifecycle.noted import Noted
from recollect.lifecycle.space import Space
from recollect.model import clock, text
from recollect.model.change import Create, Revise, Touch, Weigh
from recollect.model.content import Text
from recollect.model.memory import Memory
from recollect.policy import compose, secrets, turns
from recollect.policy.compose import Note
from recollect.store.sessions import Receipt
from recollect.vault import files

CAPTURE, TRIED = "capture", ".tried"
TAIL_LINES = 2_000


def apply(space: Space, batch: Sequence[Noted]) -> Plan:
    """Work through events in order, and write what they became."""
    plan = Plan(space)
    for noted in batch:
        if space.store.sessions.is_drained(noted.key) or noted.key in plan.happenings:
            plan.dropped[noted.file] = "noted twice"
            continue
        if not noted.event:
            plan.dropped[noted.file] = f"{noted.native or 'an event without a name'} is not known"
            continue
        off = switch.reason(space, files.real(Path(noted["folder"] or space.checkout.root)), noted.session)
        if off:
            plan.dropped[noted.file] = off
            continue
        plan.keep(noted)
        _take_receipt(plan, noted)
        for handler, switched_by in wiring.handlers(noted.event, wiring.WORKER):
            if not switched_by or _is_on(space, switched_by):
                _handle(plan, noted, handler)
        plan.sessions[noted.counted_as] = plan.session(noted)
    commit(plan)
    return plan


def _handle(plan: Plan, noted: Noted, handler: str) -> None:
    """A handler that fails loses its own work alone, and is named in the log; a store in trouble concerns them all."""
    module, _, function = handler.partition(".")
    if module == CAPTURE and TRIED in noted.file:
        return  # something of the event could not be written: this time only what is sure
    before = copy(plan.changes), copy(plan.happenings), copy(plan.sessions)
    trouble: list[StoreError] = []

    def work() -> bool:
        try:
            getattr(load(f"recollect.lifecycle.{module}"), function)(plan, noted)
        except StoreError as error:
            trouble.append(error)
        return True

    if failsafe(str(plan.space.store.path.parent), handler, work) is None:
        plan.changes, plan.happenings, plan.sessions = before
    if trouble:
        raise trouble[0]


def _is_on(space: Space, name: str) -> bool:
    section, _, setting = name.partition(".")
    return bool(getattr(getattr(space.config, section), setting))


def commit(plan: Plan) -> None:
    """All of it or nothing: no event is drained without its effects, and none has them twice."""
    if plan.changes:
        save.commit(replace(plan.space, actor=CAPTURE), plan.changes, also=lambda: _enter(plan))
    elif plan.happenings:
        with plan.space.store.writing(durable=False):
            _enter(plan)


def _enter(plan: Plan) -> None:
    table = plan.space.store.sessions
    for known in plan.sessions.values():
        table.put(known)
    for happening in plan.happenings.values():
        table.enter(happening)
    for receipt in plan.receipts:
        table.add_receipt(receipt)
    if plan.number is not None:
        rebuild.put(plan.space, session.COUNTER + plan.space.project, str(plan.number))


def _take_receipt(plan: Plan, noted: Noted) -> None:
    if noted.receipt:
        plan.receipts.append(receipt(noted, plan.space.project))


def receipt(noted: Noted, project: str) -> Receipt:
    """What was told with an event, and why."""
    told = noted.receipt
    parts = told.get("words", {}), told.get("shown", []), told.get("candidates", []), int(told.get("tokens", 0))
    where = str(told.get("project") or project)
    how = str(told.get("state", "")), str(told.get("profile", ""))
    return Receipt(str(told["id"]), noted.at, noted.session, where, noted.event, *parts, *how)


# -- handlers ----------------------------------------------------------------------------------------------------------


def begin(plan: Plan, noted: Noted) -> None:
    """A session started, or went on after a pause, a compaction, a fork."""
    plan.sessions[noted.counted_as] = replace(plan.session(noted), ended=None)
    plan.keep(noted, about=noted["source"])


def look(plan: Plan, noted: Noted) -> None:  # noqa: ARG001 - whichever session it was
    """Take in what changed in the vault since."""
    sync.scan(plan.space)


def count(plan: Plan, noted: Noted) -> None:
    """A25: the first prompt of a session counts it."""
    known = plan.session(noted)
    if not known.prompts:
        before = session.number(plan.space) if plan.number is None else plan.number
        plan.number = before + 1
        known = replace(known, number=plan.number)
    plan.sessions[noted.counted_as] = replace(known, prompts=known.prompts + 1)
    prompt = turns.bare(noted["prompt"])
    plan.keep(noted, about=text.cut(secrets.redact(prompt), plan.space.config.capture.turn_chars))


def use(plan: Plan, noted: Noted) -> None:
    """A30: what was shown was used, in this session."""
    number = plan.session(noted).number
    for uid in noted.receipt.get("shown", []):
        if plan.space.store.get(str(uid)):
            plan.changes.append(Touch(str(uid), session=noted.session, number=number))


def observe(plan: Plan, noted: Noted) -> None:
    """What a tool did, to which files, and whether it worked."""
    observing.keep(plan, noted)


def refused(plan: Plan, noted: Noted) -> None:
    """What the guard did not let a tool do."""
    observe(plan, noted)
    told = "refused: the vault is written through recollect"
    plan.keep(noted, name=noted.event, files_modified=(), detail="", outcome=told)


def turn(plan: Plan, noted: Noted) -> None:
    """C14: a turn is kept as it was said, without secrets, up to a length, for a while."""
    prompt, answer = _said(plan, noted)
    before = [one.detail for one in plan.of_turn(noted, "TurnEnded") if noted["turn"] and one.key != noted.key]
    answer = "\n\n".join(dict.fromkeys([*filter(None, before), *filter(None, [answer])]))
    body = turns.joined(prompt, answer, plan.space.config.capture.turn_chars)
    if not answer or not body:
        plan.keep(noted, about="nothing was said")
        return
    made = _turn_memory(plan, noted, prompt or answer, body)
    earlier = next((one.outcome for one in plan.of_turn(noted, "TurnEnded") if noted["turn"] and one.outcome), "")
    known = plan.space.store.get(earlier) if earlier else None
    if known:  # the client went on after a stop that was refused: the same turn, with another end
        plan.changes.append(Revise(known.memory.having(content=Text(text=body)), classify=True))
    else:
        made = made.having(uid=earlier) if earlier else made
        plan.changes = [one for one in plan.changes if not (isinstance(one, Create) and one.memory.uid == earlier)]
        plan.changes.append(Create(made, merge_duplicate=False, classify=True, expiry_named=True))
    plan.keep(noted, outcome=earlier or made.uid)


def _said(plan: Plan, noted: Noted) -> tuple[str, str]:
    """What was asked and answered; nothing where it was the client that asked."""
    prompts = plan.of_turn(noted, "PromptSubmitted")
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


def _turn_memory(plan: Plan, noted: Noted, title: str, body: str) -> Memory:
    tools = [*plan.of_turn(noted, "ToolFinished"), *plan.of_turn(noted, "ToolFailed")] if noted["turn"] else []
    note = Note(
        body, "turn_summary", title=text.first_line(title), session=noted.session, confidence=0.8, importance=0.4,
        origin="assistant", channel=noted.dialect.NAME, ttl_days=plan.space.config.capture.ttl_days or None,
        files_read=tuple(dict.fromkeys(path for one in tools for path in one.files_read)),
        files_modified=tuple(dict.fromkeys(path for one in tools for path in one.files_modified)),
        created_at=clock.stamp(datetime.fromtimestamp(noted.at, UTC)),
    )  # fmt: skip
    checkout = plan.space.checkout
    return compose.memory(
        note, plan.space.kinds, moment=datetime.fromtimestamp(noted.at, UTC), project=plan.space.project,
        commit=checkout.head, branch=checkout.branch,
    )  # fmt: skip


def checkpoint(plan: Plan, noted: Noted) -> None:
    """C4: a mark before a compaction; what this session was told may be told again afterwards."""
    plan.sessions[noted.counted_as] = replace(plan.session(noted), compacted=noted.at)
    plan.changes.append(logbook.checkpoint(plan.space, noted.session))
    plan.keep(noted, about=noted["source"])


def end(plan: Plan, noted: Noted) -> None:
    """A session ended: files that hold counters get them now, not at every prompt (A30)."""
    plan.changes += [Weigh(uid) for uid in plan.space.store.accessed(noted.session, plan.space.root)]
    plan.sessions[noted.counted_as] = replace(plan.session(noted), ended=noted.at)
    plan.keep(noted, about=noted["source"])
