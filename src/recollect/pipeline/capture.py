"""Capture: handlers that turn the events of a session into memories, by rules, without being asked.

A draft is what the rules of `policy.capture` find in the events; it is filed as a new memory, added to the memory that
was made of the same events before, or left out.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from recollect.hooks import triage
from recollect.model import clock, text
from recollect.model.change import Assert, Retire
from recollect.model.memory import Memory
from recollect.model.query import FactQuery, Query
from recollect.model.session_event import ANSWER, FAILED, PROMPT, SessionEvent
from recollect.pipeline import alike, teaching, tool_event
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
from recollect.policy.capture.timeline import TimelineEntry
from recollect.policy.memories import compose
from recollect.policy.memories.compose import Note
from recollect.policy.memories.revision import RESURRECTION_HOURS
from recollect.policy.memories.triples import Triple
from recollect.policy.ranking import keyword_points, scores
from recollect.policy.secrets import detector
from recollect.policy.statements.user_statements import IF_KNOWN
from recollect.project_context import ProjectContext
from recollect.write import anchors, undo

ANSWER_CHARS = 4_000
STATED_WORTH = 0.35
"""The least memorability of what a user plainly states, above the default threshold: a rule may be short."""
ALIKE = 25
"""Discoveries that a repair may solve at most."""
MOST_KNOWN = 1_000
SUMMARY = "session_summary"
SUPERSEDED, SOLVED, ELSE = undo.SUPERSEDED, "solved:", "it was something else:"
QUOTED_CHARS = 70
"""Characters of each sentence in the reason of a supersession."""
OUR_REASONS = (SUPERSEDED, SOLVED, ELSE)
BOUNDARY = "boundary_at"
RECENT = 2 * boundaries.WINDOW
SILENT_SECONDS, MOST_SWEPT = 6 * 3_600, 3


# -- handlers ----------------------------------------------------------------------------------------------------------


def record_boundary(batch: Batch, event: InboxEvent) -> None:
    """State a fact where the work turns to another topic (D26-D28)."""
    tool_event.keep(batch, event)  # boundaries are found before anything else is made of the event (D49)
    tools = batch.recent_tools(event.session, 2 * RECENT)
    recent = [found for tool in tools if (found := boundaries.keywords(f"{tool.about}\n{tool.detail}"))]
    if not boundaries.is_boundary(recent) or _is_near_another(batch, event, tools):
        return
    about = ", ".join(sorted(recent[-1])[:5])
    moment = datetime.fromtimestamp(event.at, UTC)
    fact = compose.fact(
        f"session:{event.session}", BOUNDARY, f"{clock.stamp(moment)} {about}", moment=moment,
        project=batch.context.project,
    )  # fmt: skip
    batch.changes.append(Assert(fact))


def _is_near_another(batch: Batch, event: InboxEvent, tools: Sequence[SessionEvent]) -> bool:
    """Whether a boundary was stated within the last window already: windows overlap."""
    since = tools[-boundaries.WINDOW].at
    subject = f"session:{event.session}"
    pending = [change.fact for change in batch.changes if isinstance(change, Assert) and change.fact.subject == subject]
    stored = batch.context.store.facts.find(FactQuery(batch.context.project, subject, BOUNDARY, limit=1))
    return any((clock.seconds(fact.object.partition(" ")[0]) or 0.0) >= since for fact in [*pending, *stored])


def keep_answer(batch: Batch, event: InboxEvent) -> None:
    """Keep an agent's answer with its event, without the text that we injected and without secrets."""
    said = turns.without_injected(event["answer"])
    batch.keep(event, detail=turns.shortened(detector.redact(said), ANSWER_CHARS))


def file_turn_drafts(batch: Batch, event: InboxEvent) -> None:
    """File the drafts of a session at the end of a turn; at a milestone also a summary (D35)."""
    events = batch.story(event.session)
    if str(event.receipt.get("state", "")).startswith(triage.ASKED):  # the agent saves what was said in this turn
        said = (known for known in events if known.name in (PROMPT, ANSWER) and known.turn == event["turn"])
        batch.link(said, triage.ASKED)
        return
    _file(batch, event, session_story.drafts(events), events)
    if summaries.has_milestone(events, event["turn"]):
        _summarise(batch, event, batch.story(event.session), is_over=False)


def close_abandoned_sessions(batch: Batch, event: InboxEvent) -> None:
    """Close sessions that never ended (their client was killed), when the next session starts."""
    for left in batch.context.store.sessions.unfinished(batch.context.project, event.at - SILENT_SECONDS, MOST_SWEPT):
        if left.id != event.counted_as:
            payload = {event.dialect.FIELDS["session"][0]: left.id}
            file_session_drafts(batch, replace(event, name="SessionEnded", at=left.seen, payload=payload, launcher=""))
            batch.sessions[left.id] = replace(left, ended=left.seen)


def file_session_drafts(batch: Batch, event: InboxEvent) -> None:
    """File the drafts of a session that ended, with what was left open, and a summary."""
    events = batch.story(event.session)
    _file(batch, event, session_story.drafts(events, is_over=True), events)
    _summarise(batch, event, batch.story(event.session), is_over=True)


def tell(context: ProjectContext, session: str) -> list[TimelineEntry]:
    """Return the timeline of a session with the memories that were made of it; empty where it has no events."""
    events = Batch(context).story(session)
    kept = [found.memory for found in context.store.find(Query(context.project, session=session, oldest_first=True))]
    titles = {memory.uid: f"{memory.kind}: {memory.title}" for memory in kept if memory.kind != "turn_summary"}
    return timeline.build(events, titles) if events else []


# -- filing ------------------------------------------------------------------------------------------------------------


def _file(batch: Batch, event: InboxEvent, drafts: Sequence[Draft], events: Sequence[SessionEvent]) -> None:
    """Add each draft to the memory that was made of its events before, or file it as a new one.

    Memories of the session that no draft stands for any more, and whose events a draft covers, are withdrawn.
    """
    by_key = {known.key: known for known in events}
    captured = _captured(batch, event.session, events)
    matches = _matching(drafts, captured)
    for draft, match in zip(drafts, matches, strict=True):
        sources = [batch.events.get(key, by_key[key]) for key in draft.sources if key in by_key]
        is_known = match is not None and set(draft.sources) <= set(match.derived_from)
        if not sources or is_known or all(source.memory.startswith(triage.ASKED) for source in sources):
            continue
        if match and _continues(draft, match):
            filed = extend(batch, draft, match, _lineage(events, sources))
        else:
            filed = _file_new(batch, event, draft, sources, events)
        for other in captured:
            if other not in matches and other.session == event.session:
                _replace(batch, other, filed, sources)
        if filed:
            batch.link((source for source in sources if not source.memory), filed)


def _captured(batch: Batch, session: str, events: Sequence[SessionEvent]) -> list[Memory]:
    """Return the memories that were captured of a session so far, active or retired, or that its events are part of."""
    query = Query(batch.context.project, session=session, statuses=("active", "retired"), limit=MOST_KNOWN)
    stored = [found.memory.uid for found in batch.context.store.find(query)]
    changed = [memory.uid for memory in batch.changed_memories(*batch.context.kinds) if memory.session == session]
    uids = dict.fromkeys([*(event.memory for event in events if event.memory), *stored, *changed])
    memories = [memory for uid in uids if (memory := batch.memory(uid))]
    return [memory for memory in memories if teaching.rule(memory) and memory.kind != SUMMARY]


def _matching(drafts: Sequence[Draft], captured: Sequence[Memory]) -> list[Memory | None]:
    """Return for each draft the memory that was made of its events, or None; no memory is returned twice.

    The memory is of the draft's kind; an active one comes first, then one with the same title, then the one that
    shares most events.
    """
    free, found = list(captured), []
    for draft in drafts:
        keys = set(draft.sources)
        alike = [
            memory
            for memory in free
            if memory.kind == draft.kind
            and keys & set(memory.derived_from)
            and (not draft.signature or not memory.keywords or draft.signature in memory.keywords)
            and (memory.origin == QUOTED) == (draft.origin == QUOTED)
        ]
        match = max(
            alike,
            key=lambda memory: (
                memory.status == "active",
                memory.title == draft.title,  # one prompt may state several things
                len(keys & set(memory.derived_from)),
            ),
            default=None,
        )
        found.append(match)
        free = [memory for memory in free if memory is not match]
    return found


def _file_new(
    batch: Batch, event: InboxEvent, draft: Draft, sources: Sequence[SessionEvent], events: Sequence[SessionEvent]
) -> str:  # fmt: skip
    """File a draft that is not part of any memory of its session; return the memory's uid.

    Empty where the draft is not memorable enough, is known already, or nobody wants it.
    """
    context = batch.context
    kind = context.kinds.get(draft.kind)
    if kind is None or draft.kind in _unwanted(batch) or teaching.is_unwanted(context, draft):
        return ""
    known = alike.known_alike(batch, draft)
    turn = filing.if_it_takes_back(draft, known) if draft.certainty < filing.PENDING_BELOW else draft
    turn = turn or (draft if draft.certainty != IF_KNOWN else None)
    draft = turn or draft
    worth = _memorability(batch, draft, known, sources, events)
    if turn is None or worth < context.config.capture.threshold:  # D20: the gate
        return ""
    place = filing.decide(draft, known, kind, _rule_before(batch, event.session))
    lineage = _lineage(events, sources)
    if place.action == "NOOP":
        return ""
    if place.memory:
        return extend(batch, draft, place.memory, lineage)
    made = _compose(batch, event, draft, lineage, worth)
    if _is_refused(batch, made, draft):
        return ""
    put_linked(batch, made, place)
    _solve(batch, made, draft)
    if draft.origin != QUOTED:
        batch.changes += [_fact(batch, made, stated) for stated in filing.facts(draft)]
    return made.uid


def _solve(batch: Batch, made: Memory, draft: Draft) -> None:
    """Withdraw the discoveries with the signature of a repair: what was left open is solved."""
    if draft.rule != "repair":
        return
    query = Query(batch.context.project, ("discovery",), limit=ALIKE, global_too=False)
    stored = [found.memory for found, _ in batch.context.store.search(scores.search_words(draft.signature), query)]
    discoveries = {memory.uid: memory for memory in [*stored, *batch.changed_memories("discovery")]}
    for discovery in discoveries.values():
        if draft.signature in discovery.keywords and not discovery.usage.pinned:
            batch.withdraw(discovery, f"{SOLVED} {made.kind}/{made.slug}")


def _fact(batch: Batch, made: Memory, stated: Triple) -> Assert:
    """Return the change that states a fact of a memory (D34)."""
    moment = clock.parse(made.created_at) or batch.context.clock()
    return Assert(compose.fact(*stated, moment=moment, project=made.project, source=made.uid))


def _unwanted(batch: Batch) -> set[str]:
    """Return the kinds that the settings exclude from capture."""
    return {*batch.context.config.capture.skip_kinds, *batch.context.config.save.disabled_kinds}


def _memorability(
    batch: Batch, draft: Draft, known: Sequence[Memory], sources: Sequence[SessionEvent], events: Sequence[SessionEvent]
) -> float:
    """Return how memorable a draft is, 0 to 1 (D20-D25); its task is what the prompts of its turns name."""
    turns_of = {source.turn for source in sources}
    prompts = (event.about for event in events if event.name == PROMPT and event.turn in turns_of)
    task = keyword_points.words(" ".join(prompts))
    likeness = max((filing.likeness(draft.text, memory.text) for memory in known), default=None)
    said = "\n".join([draft.title, draft.text, *(str(value) for value in draft.fields.values())])
    parts = memorability.parts(
        said, draft.kind, task, likeness, batch.context.config.capture.type_weights,
        has_error=any(source.name == FAILED for source in sources), has_files=bool(draft.files),
        is_reached=draft.rule in milestones.RULES,
    )  # fmt: skip
    total = memorability.total(parts)
    is_stated = draft.origin == "user" and draft.certainty >= filing.PENDING_BELOW
    return max(total, STATED_WORTH) if is_stated else total


def _compose(batch: Batch, event: InboxEvent, draft: Draft, lineage: Sequence[str], worth: float) -> Memory:
    """Return the new memory of a draft."""
    context, moment = batch.context, datetime.fromtimestamp(draft.at or event.at, UTC)
    is_fleeting = context.kinds[draft.kind].fleeting and draft.origin != "user"  # what a person said does not expire
    is_trusted = draft.origin != QUOTED and teaching.is_trusted(context, draft.rule)
    sure = max(draft.certainty, filing.PENDING_BELOW) if is_trusted else draft.certainty
    sure = sure if round(sure, 2) != teaching.SURE else sure - 0.01  # that one is for what a person kept
    note = Note(
        draft.text, draft.kind, title=draft.title, fields=draft.fields or None,
        tags=filing.tags(replace(draft, certainty=sure)), confidence=round(sure, 2),
        importance=filing.importance(draft, worth), origin=draft.origin,  # type: ignore[arg-type]
        session=event.session, channel=f"{event.dialect.NAME}:{draft.rule}", concepts=filing.concepts(draft),
        files_modified=draft.files, files=_named_files(draft), derived_from=lineage, created_at=clock.stamp(moment),
        ttl_days=(context.config.capture.ttl_days or None) if is_fleeting else None, free_text=not draft.fields,
    )  # fmt: skip
    made = compose.memory(
        note, context.kinds, moment=moment, project=context.project, commit=context.checkout.head,
        branch=context.checkout.branch,
    )  # fmt: skip
    made = anchors.with_digests(context, made)
    return made.having(keywords=(draft.signature,)) if draft.signature else made


def _named_files(draft: Draft) -> tuple[str, ...]:
    """Return the changed files that a draft's own words name: it is about those."""
    said = f"{draft.title}\n{draft.text}"
    return tuple(path for path in draft.files if path.rpartition("/")[2] in said)


def _lineage(events: Sequence[SessionEvent], sources: Sequence[SessionEvent]) -> tuple[str, ...]:
    """Return the uids of the turn memories that a draft comes from, and the keys of its source events.

    Some clients do not name turns: there a turn ends with the first answer after the event.
    """
    keys, turns_of = {source.key for source in sources}, {source.turn for source in sources} - {""}
    turn_uids, is_open = [], False
    for event in events:
        is_open = is_open or event.key in keys
        if event.name == ANSWER:
            turn_uids += [event.outcome] if event.turn in turns_of or (is_open and not event.turn) else []
            is_open = False
    return tuple(dict.fromkeys([*filter(None, turn_uids), *(source.key for source in sources)]))


def _is_refused(batch: Batch, made: Memory, draft: Draft) -> bool:
    """Whether a person removed this before: a tombstone, a memory of its name retired within 24 hours, or a drop."""
    store, now = batch.context.store, batch.context.clock()
    if store.is_buried(made.project, made.digest):
        return True
    former = store.named(made.project, made.kind, made.slug)
    closed = clock.parse(former.memory.closed_at) if former and _is_retired_by_a_person(former.memory) else None
    if closed and now - closed < timedelta(hours=RESURRECTION_HOURS):
        return True
    return teaching.was_dropped(batch.context, draft)


def _is_retired_by_a_person(memory: Memory) -> bool:
    return memory.status == "retired" and not (memory.closed_reason or "").startswith(OUR_REASONS)


def put_linked(batch: Batch, made: Memory, place: filing.Place) -> None:
    """Add a memory with links to the older ones that it replaces or narrows; what it certainly replaces is retired."""
    replaced = [memory for memory in place.supersedes if memory.created_at <= made.created_at]  # imports may be past
    lineage = dict.fromkeys([*made.derived_from, *(memory.uid for memory in replaced)])
    related = (("replaces", replaced), ("may_replace", place.may_replace), ("exception_to", place.exception_to))
    links = [{"relation": relation, "uid": memory.uid} for relation, older in related for memory in older]
    batch.put(made.having(derived_from=tuple(lineage), links=tuple(links)))
    for memory in replaced:
        before, after = (text.cut(filing.statement(said), QUOTED_CHARS) for said in (memory, made))
        batch.changes.append(Retire(memory.uid, f"{SUPERSEDED} {made.kind}/{made.slug}: “{before}” → “{after}”"))


def _rule_before(batch: Batch, session: str) -> Memory | None:
    """Return the rule that the user stated last in a session; None if there is none."""
    query = Query(batch.context.project, tuple(filing.REPLACEABLE), session=session, limit=MOST_KNOWN)
    stored = [found.memory for found in batch.context.store.find(query)]
    known = {memory.uid: memory for memory in [*stored, *batch.changed_memories(*filing.REPLACEABLE)]}
    said = [memory for memory in known.values() if memory.session == session and memory.origin == "user"]
    return max(said, key=lambda memory: memory.created_at, default=None)


def _continues(draft: Draft, known: Memory) -> bool:
    """Whether a draft is a further reading of the same words; another sentence of the user is a memory of its own."""
    is_users = known.origin == draft.origin == "user" and draft.kind in filing.LEADS
    return known.status != "active" or not is_users or filing.says_the_same(draft, known)


def _replace(batch: Batch, known: Memory, filed: str, sources: Sequence[SessionEvent]) -> None:
    """Withdraw a memory whose events are all sources of the memory `filed`; not one that a person kept or pinned.

    A sentence of the user is withdrawn only where the other memory has it word for word.
    """
    successor = batch.memory(filed) if filed else None
    is_settled = known.status != "active" or known.confidence == teaching.SURE or known.usage.pinned
    if successor is None or successor.status != "active" or is_settled or filed == known.uid:
        return
    if known.origin == "user" and filing.statement(known) not in successor.text:
        return
    keys = {key for key in known.derived_from if "/" in key}
    if keys and keys <= {source.key for source in sources}:
        batch.withdraw(known, f"{ELSE} {filed}")
        batch.link((source for source in sources if source.memory == known.uid), filed)


def extend(batch: Batch, draft: Draft, known: Memory, lineage: Sequence[str]) -> str:
    """Add what a draft says to the memory that is there, unless that is closed; return the memory's uid."""
    if known.status != "active":
        return known.uid
    files = tuple(dict.fromkeys([*known.files_modified, *draft.files]))
    keeps_words = known.origin == "user" != draft.origin
    content = filing.merged(known.content.model_dump(mode="json", exclude_none=True), draft, keeps_words=keeps_words)
    sure = max(known.confidence or 0.0, 0.0 if draft.origin == QUOTED else round(draft.certainty, 2))
    stamp = clock.stamp(datetime.fromtimestamp(draft.at, UTC)) if draft.at else known.updated_at
    if draft.origin == "user" != known.origin:  # the user said it too: it counts as the user's own words
        client = (known.channel or "").partition(":")[0]
        known = known.having(origin="user", channel=f"{client}:{draft.rule}")
    batch.put(
        known.having(
            title=draft.title if filing.is_retitled(draft) and not keeps_words else known.title,
            content=content, tags=known.tags if sure < filing.PENDING_BELOW else filing.reviewed(known.tags),
            derived_from=tuple(dict.fromkeys([*known.derived_from, *lineage])), files_modified=files, confidence=sure,
            updated_at=max(stamp, known.updated_at),
        )
    )  # fmt: skip
    _solve(batch, known, draft)
    return known.uid


# -- where a session stands --------------------------------------------------------------------------------------------


def _summarise(batch: Batch, event: InboxEvent, events: Sequence[SessionEvent], *, is_over: bool) -> None:
    """Write the session's summary, in the six fields of seed B; each session has one, which later ones revise."""
    uids = dict.fromkeys(known.memory for known in events if known.memory)
    filed = [memory for uid in uids if (memory := batch.memory(uid))]
    found = summaries.summary(events, filed, is_over=is_over)
    if found is None or SUMMARY in _unwanted(batch):
        return
    title, fields = found
    query = Query(batch.context.project, (SUMMARY,), session=event.session, limit=1)
    stored = [found.memory for found in batch.context.store.find(query)]
    earlier = [memory for memory in [*batch.changed_memories(SUMMARY), *stored] if memory.session == event.session]
    moment = datetime.fromtimestamp(event.at, UTC)
    turn_uids = [known.outcome for known in events if known.name == ANSWER and known.outcome]
    lineage = tuple(dict.fromkeys([*turn_uids, *(memory.uid for memory in filed)]))
    if earlier:
        known = batch.memory(earlier[0].uid) or earlier[0]
        batch.put(
            known.having(
                content={**fields}, derived_from=lineage, updated_at=max(clock.stamp(moment), known.updated_at)
            )
        )
        return
    note = Note(
        str(fields["goal"]), SUMMARY, title=title, fields=fields, tags=("session",), session=event.session,
        confidence=0.8, importance=0.6, origin="assistant", channel=f"{event.dialect.NAME}:summary",
        files_modified=tuple(dict.fromkeys(path for known in events for path in known.files_modified)),
        derived_from=lineage, created_at=clock.stamp(moment),
    )  # fmt: skip
    batch.put(
        compose.memory(
            note, batch.context.kinds, moment=moment, project=batch.context.project, commit=batch.context.checkout.head,
            branch=batch.context.checkout.branch,
        )
    )  # fmt: skip
