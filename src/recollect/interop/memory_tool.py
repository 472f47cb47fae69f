"""LetsGo's memory tool: a JSON object in, a JSON object out, all of it through the one write path (D16)."""

import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from recollect.errors import BadInput, Conflict, NotFound, RecollectError
from recollect.interop import logbook, summarize
from recollect.jobs import expiry
from recollect.model import clock, text
from recollect.model.change import Assert, Create, Purge, Retract, Revise, Touch
from recollect.model.content import Text, Value
from recollect.model.fact import Fact
from recollect.model.memory import UNTAGGED, Memory
from recollect.model.query import FactQuery, Query
from recollect.model.recall_values import RecallScope
from recollect.policy.memories import compose, requests, retention, revision
from recollect.policy.memories.compose import Note
from recollect.policy.memories.merging import CATEGORY_TAG, category
from recollect.policy.memories.requests import Gated
from recollect.policy.ranking import scores
from recollect.policy.secrets import detector, screening
from recollect.project_context import ProjectContext
from recollect.recall import project_recall, scored
from recollect.recall.project_recall import RecalledMemory
from recollect.setup import on_off
from recollect.store.protocols import Stored
from recollect.store.sqlite.lookup import UID_BEGINNING
from recollect.write import commit, vault_files

Output = dict[str, Any]
TITLE_CHARS = 80
DEFAULT_TYPE = "change"
TRIES = 5


def answer(context: ProjectContext, request: object, folder: Path) -> Output:
    """`{"success": true, "output": …}`, or `{"success": false, "error": {"message": …}}`; errors of ours are told."""
    try:
        session = request.get("session_id") if isinstance(request, Mapping) else None
        on_off.check(context, folder, text.storable(session) if isinstance(session, str) else None)
        asked = requests.parse(request)
        return {"success": True, "output": screening.deep(HANDLERS[type(asked)](context, asked))}
    except RecollectError as error:
        named = f"{error.message}: {error.target}" if error.target else error.message
        told = [str(value) for key, value in error.details if key in ("field", "expected", "choice")]
        message = detector.redact("; ".join([named, *told]))
        return {"success": False, "error": {"message": message, "code": error.code, "fix": error.fix}}


def _store(context: ProjectContext, asked: requests.StoreMemory) -> Output:
    kind, notes = _kind(context, asked.type)
    note = Note(
        asked.content,
        kind,
        title=text.clean_title(asked.title or "") or _title(asked.content),
        tags=_tags(asked.tags, asked.category),
        confidence=asked.confidence,
        importance=asked.importance,
        sensitivity=asked.sensitivity,
        origin="assistant",
        session=asked.session_id,
        ttl_days=_ttl(context, kind, asked.ttl_days),
        cue=asked.subtitle or "",
        concepts=asked.concepts,
        files_read=[_relative(context, path) for path in asked.files_read],
        files_modified=[_relative(context, path) for path in asked.files_modified],
        project=asked.project,
        free_text=True,
    )
    checkout = context.checkout
    made = compose.memory(
        note,
        context.kinds,
        moment=context.clock(),
        project=context.project,
        commit=checkout.head,
        branch=checkout.branch,
    )
    change = Create(made, classify=asked.sensitivity is None, expiry_named=asked.ttl_days is not None)
    outcome = commit.commit(context, [change])[0]
    kept = outcome.memory
    return {
        "id": kept.uid, "action": outcome.action, "title": kept.title, "sensitivity": kept.sensitivity,
        "expires_at": kept.expires_at, "notes": [*notes, *outcome.notes],
    }  # fmt: skip


def _kind(context: ProjectContext, named: str) -> tuple[str, list[str]]:
    """D2: a type that is none becomes a change, and that is said."""
    name = _spelt(named)
    if name in context.kinds:
        return name, []
    return DEFAULT_TYPE, [f"there is no type {text.cut(named, 40)!r}: a new memory becomes {DEFAULT_TYPE}"]


def _spelt(kind: str) -> str:
    return kind.strip().lower().replace("-", "_")


def _title(content: str) -> str:
    """D3: the first 80 characters, with dots where there is more."""
    line = " ".join(text.clean_body(content).split())
    return line if len(line) <= TITLE_CHARS else f"{line[:TITLE_CHARS]}..."


def _tags(tags: tuple[str, ...], named: str | None) -> tuple[str, ...]:
    rest = tuple(tag for tag in tags if not tag.startswith(CATEGORY_TAG))
    return rest if not named or named == "general" else (*rest, f"{CATEGORY_TAG}{named}")


def _ttl(context: ProjectContext, kind: str, days: float | None) -> float | None:
    """D10: zero or less keeps it for good; none at all means the default, for observations."""
    if days is None:
        return float(context.config.capture.ttl_days) or None if context.kinds[kind].fleeting else None
    return days if days > 0 else None


def _relative(context: ProjectContext, path: str) -> str:
    """A path of this project, however it is spelt, as the project names it."""
    place = Path(text.clean_line(path))
    root = context.checkout.root
    if place.is_absolute():
        return place.relative_to(root).as_posix() if root in place.parents else str(place)
    return place.as_posix()


def _update(context: ProjectContext, asked: requests.UpdateMemory) -> Output:
    """Read, change and write; where another was faster, read again (no hash is asked of an agent here)."""
    for _ in range(TRIES - 1):
        with contextlib.suppress(Conflict):
            return _try_update(context, asked)
    return _try_update(context, asked)


def _try_update(context: ProjectContext, asked: requests.UpdateMemory) -> Output:
    stored = vault_files.here(context, _changeable(context, asked.id))
    if stored.memory.status != "active":
        raise BadInput(f"this memory is {stored.memory.status}", target=stored.memory.uid)
    after, notes = _updated(context, stored.memory, asked)
    said = (asked.content, asked.title, asked.subtitle, asked.tags, asked.category)
    is_reworded = asked.sensitivity is None and any(part is not None for part in said)
    outcome = commit.commit(context, [Revise(after, expect=stored.revision, classify=is_reworded)])[0]
    return {"id": after.uid, "action": outcome.action, "notes": [*notes, *outcome.notes]}


def _updated(context: ProjectContext, old: Memory, asked: requests.UpdateMemory) -> tuple[Memory, list[str]]:
    said = compose.edited(
        old, context.kinds, title=asked.title, text=asked.content, confidence=asked.confidence,
        importance=asked.importance, sensitivity=asked.sensitivity,
    )  # fmt: skip
    fields: dict[str, object] = {
        name: [_relative(context, path) for path in paths]
        for name in ("files_read", "files_modified")
        if (paths := getattr(asked, name)) is not None
    }
    kind = _spelt(asked.type) if asked.type else old.kind
    is_fitting = kind == old.kind or (kind in context.kinds and isinstance(said.content, Text))
    notes = [] if is_fitting else [f"the type stays {old.kind}, not {text.cut(asked.type or '', 40)!r}"]
    fields |= {"kind": kind} if is_fitting else {}
    fields |= {"concepts": asked.concepts} if asked.concepts is not None else {}
    fields |= {"cue": text.clean_line(asked.subtitle)} if asked.subtitle is not None else {}
    if asked.tags is not None or asked.category is not None:
        named = category(old) if asked.category is None else asked.category
        fields["tags"] = revision.clean_tags(_tags(old.tags if asked.tags is None else asked.tags, named))
    if asked.ttl_days is not None:
        fields["expires_at"] = compose.expiry(context.clock(), asked.ttl_days if asked.ttl_days > 0 else None)
    return compose.changed(said, **fields), notes


def _own(context: ProjectContext, name: str) -> Stored:
    """A memory by its id or the beginning of it; what has expired is gone for an agent (D10)."""
    is_id = UID_BEGINNING.fullmatch(name.lower())
    exact = context.store.get(name)
    found = [exact] if exact else context.store.resolve(context.project, name) if is_id else []
    if not found:
        raise NotFound("no memory has this id", target=text.cut(name, 80))
    if len(found) > 1:
        raise BadInput(f"{len(found)} memories have ids that begin like this", target=name)
    if retention.has_expired(found[0].memory, context.clock()):
        raise NotFound("this memory has expired", target=found[0].memory.uid)
    return found[0]


def _changeable(context: ProjectContext, name: str) -> Stored:
    """A memory that may be changed from here: another checkout's has a file there, which would not follow."""
    found = _own(context, name)
    where = found.memory.project
    if where != context.project and where in {one.project for one in context.store.projects.checkouts()}:
        raise BadInput(f"it belongs to another project, {where}", target=found.memory.uid)
    return found


def _get(context: ProjectContext, asked: requests.GetMemory) -> Output:
    found = _own(context, asked.id).memory
    if found.sensitivity not in asked.levels:
        hint = "never shown here" if found.sensitivity == "unknown" else f"ask with include_{found.sensitivity}"
        raise BadInput(f"this memory is {found.sensitivity}: {hint}", target=found.uid)
    counted = _counted(context, [found], asked)
    if not counted:
        raise NotFound("no memory has this id", target=found.uid)
    return shown(context, counted[0])


def _delete(context: ProjectContext, asked: requests.DeleteMemory) -> Output:
    found = _changeable(context, asked.id).memory
    commit.commit(context, [Purge(found.uid, "Deleted by the memory tool")])
    return {"id": found.uid, "deleted": True}


def _search(context: ProjectContext, asked: requests.SearchMemories) -> Output:
    query = _query(context, asked, asked.type, asked.category)
    scope = RecallScope(asked.project or context.project, context.clock().timestamp(), filters=query, sensitivities=())
    rules = {} if asked.min_score is None else {scored.MIN_SCORE: asked.min_score}  # a zero is a zero (D16)
    found = project_recall.find(context, asked.query, scope, profile="scored", limit=asked.limit, **rules)
    hits = [hit for hit in found if not hit.verdict]
    counted = _counted(context, [hit.memory for hit in hits], asked)
    ranks = {hit.memory.uid: _rank(hit) for hit in hits}
    ranked = [{**shown(context, one), **ranks[one.uid]} for one in counted]
    return {"memories": ranked, "count": len(ranked)}


def _rank(hit: RecalledMemory) -> Output:
    return {"_score": round(hit.score, 3), "_match": round(hit.parts["match"], 3)}


def _list(context: ProjectContext, asked: requests.ListMemories) -> Output:
    query = _query(context, asked, asked.type, asked.category, limit=asked.limit, offset=asked.offset)
    page = [shown(context, found.memory) for found in context.store.find(query)]
    place = {"total": context.store.number(query), "limit": asked.limit, "offset": asked.offset}
    return {"memories": page, "count": len(page), **place}


def _by_file(context: ProjectContext, asked: requests.SearchByFile) -> Output:
    query = _query(context, asked, file=_relative(context, asked.file_path), limit=asked.limit)
    return _found(context, asked, query)


def _by_concept(context: ProjectContext, asked: requests.SearchByConcept) -> Output:
    return _found(context, asked, _query(context, asked, concept=asked.concept, limit=asked.limit))


def _found(context: ProjectContext, asked: Gated, query: Query) -> Output:
    memories = _counted(context, [found.memory for found in context.store.find(query)], asked)
    return {"memories": [shown(context, one) for one in memories], "count": len(memories)}


def _timeline(context: ProjectContext, asked: requests.GetTimeline) -> Output:
    query = _query(context, asked, session=asked.session_id, limit=asked.limit)
    memories = [shown(context, found.memory) for found in reversed(context.store.find(query))]
    return {"memories": memories, "count": len(memories)}


def _query(
    context: ProjectContext,
    asked: Gated,
    kind: str | None = None,
    named: str | None = None,
    **more: Any,  # noqa: ANN401
) -> Query:
    """What an agent may see: active, not expired, of this project or the named one, and not gated."""
    return Query(
        asked.project or context.project,
        kinds=(_spelt(kind),) if kind else (),
        tags=(f"{CATEGORY_TAG}{named}",) if named and named != "general" else (),
        no_tag_like=CATEGORY_TAG if named == "general" else "",
        sensitivities=asked.levels,
        unexpired_at=context.clock().timestamp(),
        **more,
    )


def _counted(context: ProjectContext, memories: list[Memory], asked: Gated) -> list[Memory]:
    """D11: what is shown to the agent counts as used, once per session."""
    touched = commit.commit_each(context, [Touch(memory.uid, asked.session_id) for memory in memories])
    return [outcome.memory for outcome in touched]


def shown(context: ProjectContext, memory: Memory) -> Output:
    """A memory in LetsGo's words."""
    now = context.clock().timestamp()
    return {
        "id": memory.uid,
        "status": memory.status,
        "type": memory.kind,
        "title": memory.title,
        "subtitle": memory.cue,
        "content": memory.text,
        "category": category(memory),
        "importance": memory.importance,
        "trust": round(scores.trust(memory, clock.seconds(memory.created_at), now), 3),
        "sensitivity": memory.sensitivity,
        "tags": [tag for tag in memory.tags if not tag.startswith(CATEGORY_TAG) and tag != UNTAGGED],
        "concepts": list(memory.concepts),
        "files_read": list(memory.files_read),
        "files_modified": list(memory.files_modified),
        "session_id": memory.session,
        "project": memory.project,
        "access_count": memory.usage.hits,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
        "expires_at": memory.expires_at,
    }


def _store_fact(context: ProjectContext, asked: requests.StoreFact) -> Output:
    parts = (asked.subject, asked.predicate, asked.object)
    source = _own(context, asked.source_memory_id).memory.uid if asked.source_memory_id else None
    made = compose.fact(*parts, moment=context.clock(), project=asked.project or context.project,
                        confidence=asked.confidence, source=source)  # fmt: skip
    outcome = commit.commit(context, [Assert(made)])[0]
    return {"action": outcome.action, **stated(outcome.fact)}


def _query_facts(context: ProjectContext, asked: requests.QueryFacts) -> Output:
    query = FactQuery(
        asked.project or context.project,
        asked.subject,
        asked.predicate,
        asked.object,
        asked.min_confidence,
        asked.limit,
    )
    found = [stated(fact) for fact in context.store.facts.find(query) if _is_shown(context, fact)]
    return {"facts": found, "count": len(found)}


def _is_shown(context: ProjectContext, fact: Fact) -> bool:
    """A fact is as open as the memory that it was learnt from (D15)."""
    source = context.store.get(fact.source) if fact.source else None
    return source is None or source.memory.sensitivity in Gated().levels


def _delete_fact(context: ProjectContext, asked: requests.DeleteFact) -> Output:
    commit.commit(context, [Retract(asked.id, "Deleted by the memory tool")])
    return {"id": asked.id, "deleted": True}


def stated(fact: Fact) -> Output:
    """A fact in LetsGo's words."""
    named = {"id": fact.uid, "source_memory_id": fact.source}
    return {**named, **fact.model_dump(include=set(Fact.model_fields) - {"uid", "source"})}


def _purge(context: ProjectContext, asked: requests.PurgeExpired) -> Output:
    return {"purged": expiry.expire(context, asked.project or context.project)}


def _summarize(context: ProjectContext, asked: requests.SummarizeOld) -> Output:
    done = summarize.summarize_old(context, asked.days, asked.project or context.project)
    counters = ("categories", "memories", "summaries")
    return {f"{name}_{'created' if name == 'summaries' else 'summarized'}": getattr(done, name) for name in counters}


def _recall(context: ProjectContext, asked: requests.RecallMemory) -> Output:
    """C12: by hashed vectors, in the main session alone."""
    if not asked.is_of_the_main_session:
        raise BadInput("recall_memory is only available in the main or heartbeat session.")
    scope = project_recall.project_scope(context, Query(statuses=()))
    found = project_recall.find(context, asked.query, scope, profile="hashed", limit=asked.top_k)
    entries = [
        {
            "id": one.memory.uid, "text": one.memory.text, "category": one.memory.kind.replace("_", "-"),
            "sessionId": one.memory.session, "updatedAt": one.memory.updated_at, "score": round(one.score, 4),
        }
        for one in found
    ]  # fmt: skip
    return {"results": entries, "count": len(entries)}


def _remember_this(context: ProjectContext, asked: requests.RememberThis) -> Output:
    """C13: the operator's own words, sure of themselves."""
    kept = logbook.append(
        context, asked.text, session=asked.session_id, category=asked.category, sensitivity=asked.sensitivity
    )
    return {"ok": True, "id": kept.memory.uid}


HANDLERS: Mapping[type[Value], Callable[[ProjectContext, Any], Output]] = {
    requests.StoreMemory: _store,
    requests.SearchMemories: _search,
    requests.RecallMemory: _recall,
    requests.RememberThis: _remember_this,
    requests.ListMemories: _list,
    requests.GetMemory: _get,
    requests.UpdateMemory: _update,
    requests.DeleteMemory: _delete,
    requests.SearchByFile: _by_file,
    requests.SearchByConcept: _by_concept,
    requests.GetTimeline: _timeline,
    requests.StoreFact: _store_fact,
    requests.QueryFacts: _query_facts,
    requests.DeleteFact: _delete_fact,
    requests.PurgeExpired: _purge,
    requests.SummarizeOld: _summarize,
}
