"""Build memories and facts from what a person or a tool gives: title, slug, content, tags, expiry."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from pydantic import ValidationError

from recollect.errors import BadInput
from recollect.formats import json_file, memory_log
from recollect.model import clock
from recollect.model import text as words
from recollect.model.content import Content, Text
from recollect.model.fact import FACT_PREFIX, Fact
from recollect.model.kinds import Kind, Kinds, unknown
from recollect.model.memory import UNTAGGED, Anchor, Memory, Origin, Sensitivity, parse_content
from recollect.policy.memories import revision

EDITABLE = ("title", "tags", "related_files", "confidence", "content")


@dataclass(frozen=True, slots=True)
class Note:
    """Something to remember: the arguments of `Workspace.remember` as a value, for batches."""

    text: str
    kind: str = "note"
    title: str | None = None
    why: str | None = None
    tags: Sequence[str] = ()
    fields: Mapping[str, Any] | None = None
    files: Sequence[str] = ()
    confidence: float | None = None
    importance: float = 0.5
    sensitivity: Sensitivity | None = None
    """None: derived from the text."""
    origin: Origin = "user"
    session: str | None = None
    ttl_days: float | None = None
    everywhere: bool = False
    channel: str | None = None
    cue: str = ""
    concepts: Sequence[str] = ()
    files_read: Sequence[str] = ()
    files_modified: Sequence[str] = ()
    derived_from: Sequence[str] = ()
    project: str | None = None
    """The project that the memory belongs to; None: the current one."""
    created_at: str | None = None
    free_text: bool = False
    """Keep the text as it is, also for a kind that has content fields."""


def memory(
    note: Note, kinds: Kinds, *, moment: datetime, project: str, commit: str | None, branch: str | None
) -> Memory:
    """Return a new memory. Raise BadInput for an unknown kind, an empty text, or fields that do not fit the kind."""
    kind = kinds.get(note.kind)
    if kind is None:
        raise unknown(note.kind, kinds)
    body, now = words.clean_body(note.text).strip(), clock.stamp(moment)
    if not body:
        raise BadInput("there is nothing to remember", fix="Give a text that can be seen.")
    title = _title(note.title or "") or _title(words.first_line(body))
    parts = {
        "uid": words.new_uid(moment),
        "slug": _slug(kind, title, body),
        "kind": kind.name,
        "title": title,
        "content": _said(kind, note, title, body, kinds),
        "tags": revision.clean_tags(tuple(note.tags)) if kind.folder or note.tags else (),
        "project": "global" if note.everywhere else note.project or project,
        "session": note.session,
        "origin": note.origin,
        "channel": note.channel,
        "cue": words.clean_line(note.cue),
        "concepts": tuple(note.concepts),
        "files_read": tuple(words.clean_line(path) for path in note.files_read),
        "files_modified": tuple(words.clean_line(path) for path in note.files_modified),
        "derived_from": tuple(note.derived_from),
        "anchors": tuple(Anchor(path=words.clean_line(path)) for path in note.files),
        "commit": commit,
        "branch": branch,
        "confidence": note.confidence,
        "importance": note.importance,
        "sensitivity": note.sensitivity or "public",
        "created_at": note.created_at or now,
        "updated_at": note.created_at or now,
        "expires_at": expiry(moment, note.ttl_days),
    }
    try:
        # Empty values are left to their defaults, which need no validation.
        said = {name: value for name, value in parts.items() if value not in (None, (), "")}
        return Memory(title=said.pop("title", ""), **said)
    except ValidationError as error:
        raise json_file.field_errors(error) from None


def edited(
    old: Memory,
    kinds: Kinds,
    *,
    title: str | None = None,
    text: str | None = None,
    add_tags: Sequence[str] = (),
    remove_tags: Sequence[str] = (),
    fields: Mapping[str, Any] | None = None,
    confidence: float | None = None,
    importance: float | None = None,
    sensitivity: Sensitivity | None = None,
    cue: str | None = None,
) -> Memory:
    """Return a memory with the given parts changed. Raise BadInput for an empty title or text.

    A title that was only the beginning of the old text, as `memory` makes it, becomes that of the new text: agents are
    told titles, and would hear what was corrected.
    """
    for name, value in (("title", title), ("text", text)):
        if value is not None and not words.clean_line(value):
            fix = "Retire the memory if it is not needed."
            raise BadInput(f"an empty {name} says nothing", target=old.slug, fix=fix)
    kind = kinds.get(old.kind)
    content = old.content.model_dump(mode="json", exclude_none=True)
    lead = kind.lead if kind and kind.lead in content else "text"
    if title is None and text is not None and old.title == _title(words.first_line(str(content.get(lead, "")))):
        title = _title(words.first_line(words.clean_body(text))) or old.title
        content |= {"topic": title} if content.get("topic") == old.title else {}
    content |= ({} if text is None else {lead: text}) | dict(fields or {})
    tags = [tag for tag in (*old.tags, *add_tags) if tag not in remove_tags and tag != UNTAGGED]
    is_tagged = tags or UNTAGGED in old.tags or remove_tags
    try:
        return old.having(
            title=old.title if title is None else _title(title),
            content=_content(old.kind, _listed(type(old.content), content), kinds),
            tags=revision.clean_tags(tags) if is_tagged else (),
            confidence=old.confidence if confidence is None else confidence,
            importance=old.importance if importance is None else importance,
            sensitivity=sensitivity or old.sensitivity,
            cue=old.cue if cue is None else words.clean_line(cue),
        )
    except ValidationError as error:
        raise json_file.field_errors(error) from None


def changed(old: Memory, **fields: object) -> Memory:
    """Return a memory with some fields changed. Raise an error that names each field that does not fit."""
    try:
        return old.having(**fields)
    except ValidationError as error:
        raise json_file.field_errors(error) from None


def fact(
    subject: str,
    predicate: str,
    object: str,
    *,
    moment: datetime,
    project: str,
    confidence: float = 1.0,
    source: str | None = None,
) -> Fact:
    """Return a new fact of subject, predicate and object."""
    now = clock.stamp(moment)
    parts = {"subject": subject, "predicate": predicate, "object": object}
    try:
        return Fact(
            uid=f"{FACT_PREFIX}{words.new_uid(moment)}",
            project=project,
            confidence=confidence,
            source=source,
            created_at=now,
            updated_at=now,
            **{name: words.clean_line(part) for name, part in parts.items()},
        )
    except ValidationError as error:
        raise json_file.field_errors(error) from None


def document(memory: Memory) -> str:
    """Return the part of a memory that a person may edit, as JSON."""
    fields = json_file.to_record(memory)
    return json.dumps({name: fields.get(name) for name in EDITABLE}, indent=2, ensure_ascii=False) + "\n"


def from_document(source: str, old: Memory, kinds: Kinds) -> Memory:
    """Return the memory as it was left in the editor. Raise an error that names every mistake at once."""
    said = json_file.parse(source, target=f"{old.kind}/{old.slug}")
    draft = revision.auto_fix(json_file.to_record(old) | said, old.updated_at, creating=True)
    kind = kinds.get(old.kind) or Kind(old.kind, "", type(old.content))
    found = json_file.to_memory(json_file.validate(draft.record, kind), slug=old.slug, uid=old.uid, project=old.project)
    return old.having(
        title=found.title, content=found.content, tags=found.tags, anchors=found.anchors, confidence=found.confidence
    )


def _title(title: str) -> str:
    return words.cut(words.clean_title(title), words.TITLE_CHARS)


def _slug(kind: Kind, title: str, body: str) -> str:
    """Return the slug of a title (B51); with the kind in front if it reads as a day, as names of daily logs do."""
    slug, prefix = words.slugify(title), kind.name.replace("_", "-")
    if memory_log.is_daily_name(f"{slug}.md"):
        return f"{prefix}-{slug}"
    return slug or f"{prefix}-{words.sha256(title + body)[:8]}"


def _said(kind: Kind, note: Note, title: str, body: str, kinds: Kinds) -> Content:
    is_plain = kind.content is Text and not note.fields
    if is_plain or note.free_text:
        return Text(text=body)
    return _content(kind.name, _fields(kind, note, title, body), kinds)


def _fields(kind: Kind, note: Note, title: str, body: str) -> dict[str, Any]:
    fields: dict[str, Any] = {**kind.preset, kind.lead: body}
    if "topic" in kind.content.model_fields:
        fields["topic"] = title
    if note.why and kind.because:
        fields[kind.because] = note.why
    return _listed(kind.content, fields | dict(note.fields or {}))


def _listed(model: type[Content], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields with a list of one text where a list was expected and a text was given."""
    lists = _list_fields(model)
    return {name: [value] if name in lists and isinstance(value, str) else value for name, value in fields.items()}


@cache
def _list_fields(model: type[Content]) -> frozenset[str]:
    return frozenset(name for name, field in model.model_fields.items() if "tuple" in str(field.annotation))


def _content(kind: str, fields: Mapping[str, Any], kinds: Kinds) -> Content:
    try:
        return parse_content(kind, revision.clean_content(fields), kinds)
    except ValidationError as error:
        invalid = json_file.field_errors(error, target=kind)
        because = kinds[kind].because if kind in kinds else None
        missing = [str(problem["loc"][0]) for problem in error.errors() if problem["type"] == "missing"]
        flags = ["--why TEXT" if field == because else f"--set {field}=TEXT" for field in missing]
        invalid.fix = f"Add {' '.join(flags)}." if flags else invalid.fix
        raise invalid from None


def expiry(moment: datetime, ttl_days: float | None) -> str | None:
    """Return when something expires that is kept for so many days; None if it is kept for good."""
    if ttl_days is None:
        return None
    found = clock.later(moment, ttl_days)
    if found is None:
        raise BadInput("too far away", target="ttl_days", fix="Leave it out to keep the memory for good.")
    return clock.stamp(found)
