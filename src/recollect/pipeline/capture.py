"""The session remembers itself: what its story says should be kept is filed, updated or replaced, by rules alone."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from recollect.hooks import triage
from recollect.model import clock, text
from recollect.model.change import Assert, Retire
from recollect.model.memory import Memory
from recollect.model.query import FactQuery, Query
from recollect.model.session_event import ANSWER, FAILED, PROMPT, SessionEvent
from recollect.pipeline import teaching, tool_event
from recollect.pipeline.batch import Batch
from recollect.pipeline.inbox_event import InboxEvent
from recollect.policy.capture import (
    boundaries,
    filing,
    memorability,
    milestones,
    session_story,
    summaries,
    timeline,
    turns,
)
from recollect.policy.capture.draft import QUOTED, Draft
from recollect.policy.capture.timeline import Beat
from recollect.policy.memories import compose
from recollect.policy.memories.compose import Note
from recollect.policy.memories.revision import RESURRECTION_HOURS
from recollect.policy.ranking import keyword_points, scores
from recollect.policy.secrets import detector
from recollect.project_context import ProjectContext

ANSWER_CHARS = 4_000
ALIKE = 25
MOST_KNOWN = 1_000
SUMMARY = "session_summary"
SUPERSEDED, SOLVED, ELSE = "superseded by", "solved:", "it was something else:"
OUR_REASONS = (SUPERSEDED, SOLVED, ELSE)
BOUNDARY = "boundary_at"
RECENT = 2 * boundaries.WINDOW
SILENT_SECONDS, MOST_SWEPT = 6 * 3_600, 3


# -- handlers ----------------------------------------------------------------------------------------------------------


def boundary(batch: Batch, noted: InboxEvent) -> None:
    """D26-D28: a fact wherever the work turns to something else."""
    tool_event.keep(batch, noted)  # boundaries are told before anything else is made of the event (D49)
    told = batch.recent(noted.session, 2 * RECENT)
    recent = [found for one in told if (found := boundaries.keywords(f"{one.about}\n{one.detail}"))]
    if not boundaries.is_boundary(recent) or _is_near_another(batch, noted, told):
        return
    about = ", ".join(sorted(recent[-1])[:5])
    moment = datetime.fromtimestamp(noted.at, UTC)
    fact = compose.fact(
        f"session:{noted.session}", BOUNDARY, f"{clock.stamp(moment)} {about}", moment=moment,
        project=batch.context.project,
    )  # fmt: skip
    batch.changes.append(Assert(fact))


def _is_near_another(batch: Batch, noted: InboxEvent, told: Sequence[SessionEvent]) -> bool:
    """Windows overlap: one turn of the work is told once."""
    since = told[-boundaries.WINDOW].at
    subject = f"session:{noted.session}"
    pending = [one.fact for one in batch.changes if isinstance(one, Assert) and one.fact.subject == subject]
    stored = batch.context.store.facts.find(FactQuery(batch.context.project, subject, BOUNDARY, limit=1))
    return any((clock.seconds(one.object.partition(" ")[0]) or 0.0) >= since for one in [*pending, *stored])


def answer(batch: Batch, noted: InboxEvent) -> None:
    """What an agent answered is part of the story, without what we put into it."""
    said = turns.bare(noted["answer"])
    batch.keep(noted, detail=text.cut(detector.redact(said), ANSWER_CHARS))


def draft(batch: Batch, noted: InboxEvent) -> None:
    """What the story so far says should be kept; at a milestone, also where the session stands (D35)."""
    events = batch.story(noted.session)
    if str(noted.receipt.get("state", "")).startswith(triage.ASKED):  # the agent saves what was said in this turn
        batch.file((one for one in events if one.name in (PROMPT, ANSWER) and one.turn == noted["turn"]), triage.ASKED)
        return
    _file(batch, noted, session_story.drafts(events), events)
    if summaries.has_milestone(events, noted["turn"]):
        _summarise(batch, noted, batch.story(noted.session), is_over=False)


def sweep(batch: Batch, noted: InboxEvent) -> None:
    """Sessions that were killed, or whose client went away, are closed when the next one starts."""
    for left in batch.context.store.sessions.left(batch.context.project, noted.at - SILENT_SECONDS, MOST_SWEPT):
        if left.id != noted.counted_as:
            said = {noted.dialect.FIELDS["session"][0]: left.id}
            close(batch, replace(noted, event="SessionEnded", at=left.seen, said=said, launcher=""))
            batch.sessions[left.id] = replace(left, ended=left.seen)


def close(batch: Batch, noted: InboxEvent) -> None:
    """The end of a session: what was left open, and a summary to go on from."""
    events = batch.story(noted.session)
    _file(batch, noted, session_story.drafts(events, is_over=True), events)
    _summarise(batch, noted, batch.story(noted.session), is_over=True)


def tell(context: ProjectContext, session: str) -> list[Beat]:
    """The story of a session, with what was kept of it."""
    events = Batch(context).story(session)
    kept = [found.memory for found in context.store.find(Query(context.project, session=session, oldest_first=True))]
    titles = {one.uid: f"{one.kind}: {one.title}" for one in kept if one.kind != "turn_summary"}
    return timeline.tell(events, titles) if events else []


# -- filing ------------------------------------------------------------------------------------------------------------


def _file(batch: Batch, noted: InboxEvent, drafts: Sequence[Draft], events: Sequence[SessionEvent]) -> None:
    """Every draft goes on with the memory that was made of it before, or begins one; what it takes in is withdrawn."""
    by_key = {one.key: one for one in events}
    known = _captured(batch, noted.session, events)
    standing = _standing(drafts, known)
    for one, same in zip(drafts, standing, strict=True):
        behind = [batch.happenings.get(key, by_key[key]) for key in one.sources if key in by_key]
        is_told = same is not None and set(one.sources) <= set(same.derived_from)
        if not behind or is_told or all(event.memory.startswith(triage.ASKED) for event in behind):
            continue
        filed = (
            _go_on(batch, one, same, _lineage(events, behind)) if same else _begin(batch, noted, one, behind, events)
        )
        for other in known:
            if other not in standing and other.session == noted.session:
                _replace(batch, other, filed, behind)
        if filed:
            batch.file((event for event in behind if not event.memory), filed)


def _captured(batch: Batch, session: str, events: Sequence[SessionEvent]) -> list[Memory]:
    """What was captured of a session so far, dropped or not; also what its events became part of."""
    query = Query(batch.context.project, session=session, statuses=("active", "retired"), limit=MOST_KNOWN)
    stored = [one.memory.uid for one in batch.context.store.find(query)]
    made = [one.uid for one in batch.made(*batch.context.kinds) if one.session == session]
    uids = dict.fromkeys([*(event.memory for event in events if event.memory), *stored, *made])
    found = [memory for uid in uids if (memory := batch.memory(uid))]
    return [one for one in found if teaching.rule(one) and one.kind != SUMMARY]


def _standing(drafts: Sequence[Draft], known: Sequence[Memory]) -> list[Memory | None]:
    """For each draft the memory that stands for it: of its kind, with most of its events, rather a living one."""
    free, found = list(known), []
    for one in drafts:
        keys = set(one.sources)
        alike = [
            old
            for old in free
            if old.kind == one.kind
            and keys & set(old.derived_from)
            and (old.origin == QUOTED) == (one.origin == QUOTED)
        ]
        same = max(alike, key=lambda old: (old.status == "active", len(keys & set(old.derived_from))), default=None)
        found.append(same)
        free = [old for old in free if old is not same]
    return found


def _begin(
    batch: Batch, noted: InboxEvent, draft: Draft, behind: Sequence[SessionEvent], events: Sequence[SessionEvent]
) -> str:  # fmt: skip
    """File a draft that is not part of any memory yet; empty where it is not worth it, or not wanted."""
    context = batch.context
    kind = context.kinds.get(draft.kind)
    if kind is None or draft.kind in _unwanted(batch) or teaching.is_unwanted(context, draft.rule):
        return ""
    alike = _alike(batch, draft)
    worth = _memorability(batch, draft, alike, behind, events)
    if worth < context.config.capture.threshold:  # D20: the gate
        return ""
    place = filing.place(draft, alike, kind)
    lineage = _lineage(events, behind)
    if place.action == "NOOP":
        return ""
    if place.memory:
        return _go_on(batch, draft, place.memory, lineage)
    made = _memory(batch, noted, draft, lineage, worth)
    if _is_refused(batch, made, draft):
        return ""
    _supersede(batch, made, place.supersedes)
    _solve(batch, made, draft)
    batch.changes += [_fact(batch, made, line) for line in filing.facts(draft)]
    return made.uid


def _solve(batch: Batch, made: Memory, draft: Draft) -> None:
    """What was left open earlier is open no longer."""
    if draft.rule != "repair":
        return
    query = Query(batch.context.project, ("discovery",), limit=ALIKE, global_too=False)
    stored = [found.memory for found, _ in batch.context.store.search(scores.search_words(draft.signature), query)]
    for one in {one.uid: one for one in [*stored, *batch.made("discovery")]}.values():
        if draft.signature in one.keywords:
            batch.withdraw(one, f"{SOLVED} {made.kind}/{made.slug}")


def _fact(batch: Batch, made: Memory, line: str) -> Assert:
    """D34: a line that states something, as a fact about what it stands in."""
    moment = clock.parse(made.created_at) or batch.context.clock()
    return Assert(compose.fact(made.title, "contains", line, moment=moment, project=made.project, source=made.uid))


def _unwanted(batch: Batch) -> set[str]:
    """The kinds that nobody wants to have captured here."""
    return {*batch.context.config.capture.skip_kinds, *batch.context.config.save.disabled_kinds}


def _alike(batch: Batch, draft: Draft) -> list[Memory]:
    """The memories that a draft may go on or replace: they share words with it; those of this batch are among them."""
    sought = scores.search_words(f"{draft.signature} {draft.title} {draft.text}")
    kinds = tuple(filing.REPLACEABLE) if draft.kind in filing.REPLACEABLE else (draft.kind,)
    query = Query(
        batch.context.project, kinds, unexpired_at=batch.context.clock().timestamp(), limit=ALIKE, global_too=False
    )
    stored = [found.memory for found, _ in batch.context.store.search(sought, query)]
    current = [batch.memory(one.uid) or one for one in stored]
    retired = {change.uid for change in batch.changes if isinstance(change, Retire)}
    every = {memory.uid: memory for memory in [*current, *batch.made(*kinds)]}
    return [one for one in every.values() if one.uid not in retired]


def _memorability(
    batch: Batch, draft: Draft, alike: Sequence[Memory], behind: Sequence[SessionEvent], events: Sequence[SessionEvent]
) -> float:
    """D20-D25, for the task that the turn's prompt names."""
    turns_of = {event.turn for event in behind}
    task = keyword_points.words(" ".join(one.about for one in events if one.name == PROMPT and one.turn in turns_of))
    likeness = max((filing.likeness(draft.text, one.text) for one in alike), default=None)
    said = "\n".join([draft.title, draft.text, *(str(value) for value in draft.fields.values())])
    parts = memorability.parts(
        said, draft.kind, task, likeness, batch.context.config.capture.type_weights,
        has_error=any(event.name == FAILED for event in behind), has_files=bool(draft.files),
        is_reached=draft.rule in milestones.RULES,
    )  # fmt: skip
    return memorability.total(parts)


def _memory(batch: Batch, noted: InboxEvent, draft: Draft, lineage: Sequence[str], worth: float) -> Memory:
    context, moment = batch.context, datetime.fromtimestamp(draft.at or noted.at, UTC)
    is_fleeting = context.kinds[draft.kind].fleeting
    is_trusted = draft.origin != QUOTED and teaching.is_trusted(context, draft.rule)
    sure = max(draft.certainty, filing.PENDING_BELOW) if is_trusted else draft.certainty
    note = Note(
        draft.text, draft.kind, title=draft.title, fields=draft.fields or None,
        tags=filing.tags(replace(draft, certainty=sure)), confidence=round(sure, 2),
        importance=filing.importance(draft, worth), origin=draft.origin,  # type: ignore[arg-type]
        session=noted.session, channel=f"{noted.dialect.NAME}:{draft.rule}", concepts=filing.concepts(draft),
        files_modified=draft.files, derived_from=lineage, created_at=clock.stamp(moment),
        ttl_days=(context.config.capture.ttl_days or None) if is_fleeting else None, free_text=not draft.fields,
    )  # fmt: skip
    made = compose.memory(
        note, context.kinds, moment=moment, project=context.project, commit=context.checkout.head,
        branch=context.checkout.branch,
    )  # fmt: skip
    return made.having(keywords=(draft.signature,)) if draft.signature else made


def _lineage(events: Sequence[SessionEvent], behind: Sequence[SessionEvent]) -> tuple[str, ...]:
    """The verbatim turns that it comes from, and the events in them."""
    turns_of = {event.turn for event in behind}
    told = [one.outcome for one in events if one.name == ANSWER and one.turn in turns_of]
    return tuple(dict.fromkeys([*filter(None, told), *(event.key for event in behind)]))


def _is_refused(batch: Batch, made: Memory, draft: Draft) -> bool:
    """Whether somebody threw this away: a tombstone, a name retired a day ago, or a drop of much the same."""
    store, now = batch.context.store, batch.context.clock()
    if store.is_buried(made.project, made.digest):
        return True
    former = store.named(made.project, made.kind, made.slug)
    closed = clock.parse(former.memory.closed_at) if former and _is_thrown_away(former.memory) else None
    if closed and now - closed < timedelta(hours=RESURRECTION_HOURS):
        return True
    return teaching.was_dropped(batch.context, draft)


def _is_thrown_away(memory: Memory) -> bool:
    return memory.status == "retired" and not (memory.closed_reason or "").startswith(OUR_REASONS)


def _supersede(batch: Batch, made: Memory, older: Sequence[Memory]) -> None:
    """A correction takes the place of what it contradicts, and what stood behind that stands behind it too."""
    lineage = [*made.derived_from, *(one.uid for one in older)]
    lineage += [key for one in older if one.session == made.session for key in one.derived_from]
    batch.put(made.having(derived_from=tuple(dict.fromkeys(lineage))))
    for one in older:
        batch.withdraw(one, f"{SUPERSEDED} {made.kind}/{made.slug}")


def _replace(batch: Batch, known: Memory, filed: str, behind: Sequence[SessionEvent]) -> None:
    """What turned out to be something else, or part of it, is not kept as what it seemed to be; unless somebody did."""
    into = batch.memory(filed) if filed else None
    is_settled = known.status != "active" or known.confidence == teaching.SURE
    if into is None or into.status != "active" or is_settled or filed == known.uid:
        return
    if {event.key for event in behind}.issuperset(key for key in known.derived_from if "/" in key):
        batch.withdraw(known, f"{ELSE} {filed}")
        batch.file((event for event in behind if event.memory == known.uid), filed)


def _go_on(batch: Batch, draft: Draft, known: Memory, lineage: Sequence[str]) -> str:
    """The same thing again, or more of it: the memory that is there learns what is new."""
    if known.status != "active":
        return known.uid
    files = tuple(dict.fromkeys([*known.files_modified, *draft.files]))
    keeps_words = known.origin == "user" != draft.origin
    content = filing.merged(known.content.model_dump(mode="json", exclude_none=True), draft, keeps_words=keeps_words)
    sure = max(known.confidence or 0.0, round(draft.certainty, 2))
    stamp = clock.stamp(datetime.fromtimestamp(draft.at, UTC)) if draft.at else known.updated_at
    if draft.origin == "user" != known.origin:  # who says it in the user's words says it with the user's weight
        client = (known.channel or "").partition(":")[0]
        known = known.having(origin="user", channel=f"{client}:{draft.rule}")
    batch.put(
        known.having(
            title=draft.title if draft.kind in filing.LEADS and not keeps_words else known.title,
            content=content,
            derived_from=tuple(dict.fromkeys([*known.derived_from, *lineage])), files_modified=files, confidence=sure,
            updated_at=max(stamp, known.updated_at),
        )
    )  # fmt: skip
    _solve(batch, known, draft)
    return known.uid


# -- where a session stands --------------------------------------------------------------------------------------------


def _summarise(batch: Batch, noted: InboxEvent, events: Sequence[SessionEvent], *, is_over: bool) -> None:
    """One summary a session, in the six fields of B's: written at milestones, finished at the end."""
    filed = [
        memory for uid in dict.fromkeys(one.memory for one in events if one.memory) if (memory := batch.memory(uid))
    ]
    found = summaries.summary(events, filed, is_over=is_over)
    if found is None or SUMMARY in _unwanted(batch):
        return
    title, fields = found
    query = Query(batch.context.project, (SUMMARY,), session=noted.session, limit=1)
    stored = [one.memory for one in batch.context.store.find(query)]
    earlier = [one for one in [*batch.made(SUMMARY), *stored] if one.session == noted.session]
    moment = datetime.fromtimestamp(noted.at, UTC)
    turns_of = [one.outcome for one in events if one.name == ANSWER and one.outcome]
    lineage = tuple(dict.fromkeys([*turns_of, *(one.uid for one in filed)]))
    if earlier:
        known = batch.memory(earlier[0].uid) or earlier[0]
        batch.put(
            known.having(
                content={**fields}, derived_from=lineage, updated_at=max(clock.stamp(moment), known.updated_at)
            )
        )
        return
    note = Note(
        str(fields["goal"]), SUMMARY, title=title, fields=fields, tags=("session",), session=noted.session,
        confidence=0.8, importance=0.6, origin="assistant", channel=f"{noted.dialect.NAME}:summary",
        files_modified=tuple(dict.fromkeys(path for one in events for path in one.files_modified)),
        derived_from=lineage, created_at=clock.stamp(moment),
    )  # fmt: skip
    batch.put(
        compose.memory(
            note, batch.context.kinds, moment=moment, project=batch.context.project, commit=batch.context.checkout.head,
            branch=batch.context.checkout.branch,
        )
    )  # fmt: skip
