"""The memory tool's operations on one memory: store, update, get, delete, remember_this."""

import contextlib
from dataclasses import replace

from recollect.errors import BadInput, Conflict, NotFound
from recollect.interop import logbook
from recollect.interop.memory_tool.lookup import count_uses, find_by_id, find_changeable, kind_name, project_path
from recollect.interop.memory_tool.output import Output, memory_output
from recollect.model import text
from recollect.model.change import Create, Purge, Revise
from recollect.model.content import Text
from recollect.model.memory import Memory
from recollect.policy.memories import compose, requests, revision
from recollect.policy.memories.compose import Note
from recollect.policy.memories.merging import CATEGORY_TAG, category
from recollect.project_context import ProjectContext
from recollect.write import commit, vault_files

TITLE_CHARS = 80
DEFAULT_TYPE = "change"
TRIES = 5


def store(context: ProjectContext, request: requests.StoreMemory, channel: str | None = None) -> Output:
    """Save a memory; `channel` is what it came through."""
    kind, notes = _kind(context, request.type)
    memory = compose.memory(
        replace(_note(context, request, kind), channel=channel),
        context.kinds,
        moment=context.clock(),
        project=context.project,
        commit=context.checkout.head,
        branch=context.checkout.branch,
    )
    change = Create(memory, classify=request.sensitivity is None, expiry_named=request.ttl_days is not None)
    outcome = commit.commit(context, [change])[0]
    kept = outcome.memory
    return {
        "id": kept.uid, "action": outcome.action, "title": kept.title, "sensitivity": kept.sensitivity,
        "expires_at": kept.expires_at, "notes": [*notes, *outcome.notes],
    }  # fmt: skip


def _note(context: ProjectContext, request: requests.StoreMemory, kind: str) -> Note:
    return Note(
        request.content,
        kind,
        title=text.clean_title(request.title or "") or _title(request.content),
        tags=_tags(request.tags, request.category),
        confidence=request.confidence,
        importance=request.importance,
        sensitivity=request.sensitivity,
        origin="assistant",
        session=request.session_id,
        ttl_days=_ttl_days(context, kind, request.ttl_days),
        cue=request.subtitle or "",
        concepts=request.concepts,
        files_read=[project_path(context, path) for path in request.files_read],
        files_modified=[project_path(context, path) for path in request.files_modified],
        project=request.project,
        free_text=True,
    )


def _kind(context: ProjectContext, type_name: str) -> tuple[str, list[str]]:
    """Return the kind of a type, with a note where there is none and DEFAULT_TYPE is used (D2)."""
    name = kind_name(type_name)
    if name in context.kinds:
        return name, []
    return DEFAULT_TYPE, [f"there is no type {text.cut(type_name, 40)!r}: a new memory becomes {DEFAULT_TYPE}"]


def _title(content: str) -> str:
    """Return the first 80 characters, with dots where there is more (D3)."""
    line = " ".join(text.clean_body(content).split())
    return line if len(line) <= TITLE_CHARS else f"{line[:TITLE_CHARS]}..."


def _tags(tags: tuple[str, ...], category_name: str | None) -> tuple[str, ...]:
    """Return the tags with one for the category; `general` is the category without a tag."""
    rest = tuple(tag for tag in tags if not tag.startswith(CATEGORY_TAG))
    return rest if not category_name or category_name == "general" else (*rest, f"{CATEGORY_TAG}{category_name}")


def _ttl_days(context: ProjectContext, kind: str, days: float | None) -> float | None:
    """Return the days until a memory expires, None for never (D10).

    Zero days or less mean never; where none are named, observations have the configured default.
    """
    if days is None:
        return float(context.config.capture.ttl_days) or None if context.kinds[kind].fleeting else None
    return days if days > 0 else None


def update(context: ProjectContext, request: requests.UpdateMemory) -> Output:
    """Change the named parts of a memory; try again where another process changed it meanwhile."""
    for _ in range(TRIES - 1):
        with contextlib.suppress(Conflict):
            return _try_update(context, request)
    return _try_update(context, request)


def _try_update(context: ProjectContext, request: requests.UpdateMemory) -> Output:
    stored = vault_files.here(context, find_changeable(context, request.id))
    if stored.memory.status != "active":
        raise BadInput(f"this memory is {stored.memory.status}", target=stored.memory.uid)
    after, notes = _updated(context, stored.memory, request)
    texts = (request.content, request.title, request.subtitle, request.tags, request.category)
    is_reworded = request.sensitivity is None and any(part is not None for part in texts)
    outcome = commit.commit(context, [Revise(after, expect=stored.revision, classify=is_reworded)])[0]
    return {"id": after.uid, "action": outcome.action, "notes": [*notes, *outcome.notes]}


def _updated(context: ProjectContext, old: Memory, request: requests.UpdateMemory) -> tuple[Memory, list[str]]:
    """Return the memory as the request wants it, and notes about what was not followed."""
    edited = compose.edited(
        old, context.kinds, title=request.title, text=request.content, confidence=request.confidence,
        importance=request.importance, sensitivity=request.sensitivity,
    )  # fmt: skip
    kind = kind_name(request.type) if request.type else old.kind
    is_fitting = kind == old.kind or (kind in context.kinds and isinstance(edited.content, Text))
    notes = [] if is_fitting else [f"the type stays {old.kind}, not {text.cut(request.type or '', 40)!r}"]
    fields = _changed_fields(context, old, request)
    fields |= {"kind": kind} if is_fitting else {}
    return compose.changed(edited, **fields), notes


def _changed_fields(context: ProjectContext, old: Memory, request: requests.UpdateMemory) -> dict[str, object]:
    fields: dict[str, object] = {
        name: [project_path(context, path) for path in paths]
        for name in ("files_read", "files_modified")
        if (paths := getattr(request, name)) is not None
    }
    fields |= {"concepts": request.concepts} if request.concepts is not None else {}
    fields |= {"cue": text.clean_line(request.subtitle)} if request.subtitle is not None else {}
    if request.tags is not None or request.category is not None:
        category_name = category(old) if request.category is None else request.category
        tags = _tags(old.tags if request.tags is None else request.tags, category_name)
        fields["tags"] = revision.clean_tags(tags)
    if request.ttl_days is not None:
        fields["expires_at"] = compose.expiry(context.clock(), request.ttl_days if request.ttl_days > 0 else None)
    return fields


def get(context: ProjectContext, request: requests.GetMemory) -> Output:
    """Return a memory by its id and count it as used; a sensitive one only if the request names its sensitivity."""
    found = find_by_id(context, request.id).memory
    if found.sensitivity not in request.levels:
        hint = "never shown here" if found.sensitivity == "unknown" else f"ask with include_{found.sensitivity}"
        raise BadInput(f"this memory is {found.sensitivity}: {hint}", target=found.uid)
    counted = count_uses(context, [found], request)
    if not counted:
        raise NotFound("no memory has this id", target=found.uid)
    return memory_output(context, counted[0])


def delete(context: ProjectContext, request: requests.DeleteMemory) -> Output:
    """Erase a memory; `recollect undo` brings it back."""
    found = find_changeable(context, request.id).memory
    commit.commit(context, [Purge(found.uid, "Deleted by the memory tool")])
    return {"id": found.uid, "deleted": True}


def remember_this(context: ProjectContext, request: requests.RememberThis) -> Output:
    """Append the operator's own words to the log (C13)."""
    kept = logbook.append(
        context, request.text, session=request.session_id, category=request.category, sensitivity=request.sensitivity
    )
    return {"ok": True, "id": kept.memory.uid}
