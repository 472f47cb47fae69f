"""Format B: one memory as `<folder>/<slug>.json` (seed 002 §5 and §11)."""

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, Literal, cast

from pydantic import Field, ValidationError, create_model

from recollect.errors import InvalidMemory, UnreadableFile
from recollect.formats.source import to_text
from recollect.model import text
from recollect.model.content import Content, Value
from recollect.model.kinds import Kind
from recollect.model.memory import EDIT_CAP, SUMMARY_CHARS, TAG_CAP, Anchor, Edit, Memory, Share, Status

SCHEMA_VERSION = "1.0"
MAX_BYTES = 1_000_000
MAX_DEPTH = 50
SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
NUL_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")

Reason = Annotated[str | None, Field(json_schema_extra={"maxLength": SUMMARY_CHARS})]


class Record(Value):
    """The fields that every file has; `record_model` adds the category and its content."""

    schema_version: Literal["1.0"]
    category: str
    id: Annotated[str, Field(pattern=text.SLUG.pattern)]
    title: Annotated[str, Field(max_length=text.TITLE_CHARS)]
    record_status: Status = "active"
    created_at: str
    updated_at: str
    tags: Annotated[tuple[str, ...], Field(min_length=1, max_length=TAG_CAP)]
    related_files: tuple[str, ...] | None = None
    confidence: Share | None = None
    content: dict[str, Any]
    changes: Annotated[tuple[Edit, ...] | None, Field(json_schema_extra={"maxItems": EDIT_CAP})] = None
    times_updated: int = 0
    retired_at: str | None = None
    retired_reason: Reason = None
    archived_at: str | None = None
    archived_reason: Reason = None


@cache
def record_model(category: str, content: type[Content]) -> type[Record]:
    """Return the model of a kind's file."""
    name = "".join(part.title() for part in category.split("_")) + "File"
    fields: dict[str, Any] = {"category": (Literal[category], ...), "content": (content, ...)}
    return cast("type[Record]", create_model(name, __base__=Record, **fields))


def validate(record: Mapping[str, object], kind: Kind, *, target: object = None) -> Record:
    """Return a valid record; raises InvalidMemory that names every field that does not fit (B2, B37)."""
    try:
        return record_model(kind.name, kind.content).model_validate(record)
    except ValidationError as error:
        raise field_errors(error, target=target) from None


def field_errors(error: ValidationError, *, target: object = None) -> InvalidMemory:
    """Return an error with seed 002's `field`, `expected` and `got` for each field that does not fit."""
    problems = error.errors(include_url=False, include_context=False)
    details: list[tuple[str, object]] = []
    for problem in problems:
        got = "missing" if problem["type"] == "missing" else text.cut(text.clean_line(repr(problem["input"])), 120)
        field = ".".join(str(part) for part in problem["loc"]) or "(file)"
        expected = problem["msg"].replace("tuple", "list").replace("Tuple", "List")  # what JSON calls it
        details += [("field", field), ("expected", expected), ("got", got)]
    noun = "field does" if len(problems) == 1 else "fields do"
    return InvalidMemory(f"{len(problems)} {noun} not fit the schema", target=target, details=details)


def parse(source: bytes | str, *, target: object = None) -> dict[str, Any]:
    """Return the JSON object of a file; raises UnreadableFile for anything else, with the reason and the place."""
    if len(source) > MAX_BYTES:
        raise UnreadableFile(f"larger than {MAX_BYTES:,} bytes", target=target)
    if isinstance(source, bytes):
        source = to_text(source, target=target, encoding="utf-8-sig")
    try:
        found = json.loads(source)
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(f"not JSON: {error}", target=target) from None
    if not isinstance(found, dict):
        raise UnreadableFile(f"not a JSON object but a {type(found).__name__}", target=target)
    if _is_deeper(found, MAX_DEPTH):
        raise UnreadableFile(f"nested more than {MAX_DEPTH} levels deep", target=target)
    if NUL_ESCAPE.search(source):
        raise UnreadableFile("contains a NUL character", target=target)
    if SURROGATE_ESCAPE.search(source) and not _is_utf8(found):
        raise UnreadableFile("contains half of a surrogate pair", target=target)
    return found


def _is_deeper(found: object, levels: int) -> bool:
    parts = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    return levels == 0 or any(_is_deeper(part, levels - 1) for part in parts)


def _is_utf8(found: object) -> bool:
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def decode(source: bytes | str, kind: Kind, *, stem: str, uid: str, project: str) -> Memory:
    """Return a file's memory. The file's name is its slug; fields that the format lacks have their defaults."""
    target = f"{kind.folder}/{stem}.json"
    record = validate(parse(source, target=target), kind, target=target)
    return to_memory(record, slug=stem, uid=uid, project=project)


def to_memory(record: Record, *, slug: str, uid: str, project: str) -> Memory:
    """Return the memory of a valid record; raises InvalidMemory if a field does not fit a memory."""
    closed = record.record_status
    try:
        return Memory(
            uid=uid,
            slug=slug,
            kind=record.category,
            title=record.title,
            content=cast("Content", record.content),
            tags=record.tags,
            project=project,
            anchors=tuple(Anchor(path=path) for path in record.related_files or ()),
            confidence=record.confidence,
            status=closed,
            created_at=record.created_at,
            updated_at=record.updated_at,
            closed_at={"retired": record.retired_at, "archived": record.archived_at}.get(closed),
            closed_reason={"retired": record.retired_reason, "archived": record.archived_reason}.get(closed),
            edits=record.changes or (),
            times_revised=record.times_updated,
        )
    except ValidationError as error:
        raise field_errors(error, target=slug) from None


def to_record(memory: Memory) -> dict[str, Any]:
    """Return the file's fields in the seed's order; fields that are None are left out."""
    record: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "category": memory.kind,
        "id": memory.slug,
        "title": memory.title,
        "record_status": memory.status,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
        "tags": list(memory.tags) or ["untagged"],
        "related_files": [anchor.path for anchor in memory.anchors],
        "confidence": memory.confidence,
        "content": memory.content.model_dump(mode="json", exclude_none=True),
        "changes": [edit.model_dump(mode="json", exclude_none=True) for edit in memory.edits],
        "times_updated": memory.times_revised,
    }
    if memory.status != "active":
        record[f"{memory.status}_at"] = memory.closed_at
        record[f"{memory.status}_reason"] = memory.closed_reason
    return {key: value for key, value in record.items() if value is not None}


def encode(memory: Memory, like: bytes | None = None) -> bytes:
    """Return the file's bytes: JSON with an indent of 2, non-ASCII kept, a newline at the end (B1).

    `like` is the present file. If it already holds this memory, it is returned byte for byte; otherwise its fields keep
    their order and new ones follow.
    """
    record = to_record(memory)
    if like is not None:
        old = json.loads(like.decode("utf-8-sig"))
        if _says_the_same(old, memory):
            return like
        kept = [key for key in old if key in record]
        record = {key: record[key] for key in [*kept, *(key for key in record if key not in kept)]}
    return (json.dumps(record, indent=2, ensure_ascii=False) + "\n").encode()


def _says_the_same(old: dict[str, Any], memory: Memory) -> bool:
    kind = Kind(memory.kind, "", type(memory.content))
    try:
        found = to_memory(validate(old, kind), slug=memory.slug, uid=memory.uid, project=memory.project)
    except InvalidMemory:
        return False
    return borne(found) == borne(memory)


def borne(memory: Memory) -> dict[str, object]:
    """Return what this format stores of a memory, for comparison."""
    return {**to_record(memory), "content": memory.content}


def holds(memory: Memory, kind: Kind) -> bool:
    """Whether the format can store this memory: its content has the kind's model."""
    return isinstance(memory.content, kind.content)


def schema(kind: Kind) -> dict[str, Any]:
    """Return the JSON Schema of a kind's file."""
    return record_model(kind.name, kind.content).model_json_schema()


def base_schema(kinds: Iterable[Kind]) -> dict[str, Any]:
    """Return the JSON Schema of the fields that every file has."""
    schema = Record.model_json_schema()
    schema["properties"]["category"]["enum"] = [kind.name for kind in kinds if kind.folder]
    return schema
