"""Format A: one memory as `memory/<kebab>.md`, each part between tags of its own (seed 000).

    <memory-metadata> JSON </memory-metadata>      how often it was used
    <conditional> text </conditional>              the cue, optional
    <fuzzy-match> word, word </fuzzy-match>        the keywords, optional
    <memory> text </memory>                        the body, up to the LAST closing tag

A body is read without the white space around it, so `decode(encode(m))` is `m` only for stripped text. The format
has no quoting of its own: a tag inside a cue or a keyword is written as `&lt;tag>` and read back as `<tag>`.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from recollect.errors import UnreadableFile
from recollect.model import text
from recollect.model.content import Text
from recollect.model.memory import Count, Memory, Usage

_SAME_NAME = ("created_session", "appreciation", "pinned")
USAGE_FIELDS = {"frequency": "hits", "last_accessed_session": "last_session"} | {key: key for key in _SAME_NAME}  # A2
DEFAULT_KIND = "note"

Span = tuple[int, int]
Line = Annotated[str, Field(pattern=r"^[^\x00]*$")]

_METADATA = re.compile(r"\A\ufeff?<memory-metadata>\r?\n(.*?)(?<=\n)</memory-metadata>", re.DOTALL)
# A tag counts only where a writer puts it, at the start of a line or right behind another block: prose may name it.
_OPENS = r"(?:^|(?<=\ufeff)|(?<=</memory-metadata>)|(?<=</conditional>)|(?<=</fuzzy-match>))[ \t\r]*"
_MEMORY = re.compile(_OPENS + "<memory>", re.MULTILINE)
_HINT = re.compile(_OPENS + "<(conditional|fuzzy-match)>", re.MULTILINE)
_LEADING_HINTS = re.compile(r"(?:[ \t\r\n]*<(conditional|fuzzy-match)>(?:(?!<memory>).)*?</\1>)*", re.DOTALL)
_TAG = re.compile(r"<(/?(?:conditional|fuzzy-match|memory)>)")
_QUOTED_TAG = re.compile(r"&lt;(/?(?:conditional|fuzzy-match|memory)>)")


class _Metadata(BaseModel, frozen=True, strict=True, defer_build=True):
    """The known keys (A2), and three of ours for what the file cannot say otherwise."""

    frequency: Count = 0
    last_accessed_session: Count = 0
    created_session: Count = 0
    appreciation: Count = 0
    pinned: bool = False
    title: Line = ""
    kind: Line = DEFAULT_KIND
    tags: list[Line] = []


@dataclass(frozen=True, slots=True)
class _Parts:
    """The positions of the parts of a file; a span is what stands between the tags."""

    source: str
    metadata: Span | None
    start: int
    hints: Mapping[str, Span]
    hints_end: int
    body_span: Span
    is_wrapped: bool

    @property
    def body(self) -> str:
        return self.source[slice(*self.body_span)].strip()

    @property
    def cue(self) -> str:
        return _unquoted(self.hint("conditional")).strip()

    @property
    def newline(self) -> str:
        first = re.search(r"\r?\n", self.source)
        return first[0] if first else "\n"

    def hint(self, tag: str) -> str:
        return self.source[slice(*self.hints.get(tag, (0, 0)))]


def read_metadata(source: str, *, target: object = None) -> dict[str, object] | None:
    """Return the usage block of a file; None if it has none (A2, A3). Raises UnreadableFile if it is no JSON object."""
    block = _METADATA.match(source)
    if block is None:
        return None
    try:
        found = json.loads(block[1])
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(f"the metadata block is not JSON: {error}", target=target) from None
    if not isinstance(found, dict):
        raise UnreadableFile(f"the metadata block is a JSON {type(found).__name__}, not an object", target=target)
    return found


def metadata(source: str, *, target: object = None) -> dict[str, object]:
    """Return the usage block, with defaults for missing keys (A2, A3)."""
    fresh = {key: getattr(Usage(), field) for key, field in USAGE_FIELDS.items()}
    return fresh | (read_metadata(source, target=target) or {})


def write_metadata(source: str, metadata: Mapping[str, object]) -> str:
    """Replace the usage block and nothing else; add both tags to a file without such a block (A4)."""
    parts = _parts(source)
    if parts.metadata is None:
        return _structured(source, metadata)
    start, end = parts.metadata
    return source[:start] + _dump(metadata, parts.newline) + source[end:]


def ensure(source: str, session: int) -> str:
    """Add the missing ones of the two tags; return a file that has both as it is (A5, A6)."""
    fresh = Usage(last_session=session, created_session=session)
    return _structured(source, {key: getattr(fresh, field) for key, field in USAGE_FIELDS.items()})


def description(source: str, stem: str) -> str:
    """Return a memory's cue, else its first line, else the first line without a tag, else the stem (A7)."""
    parts = _parts(source)
    lines = (line.strip() for line in source[parts.start :].splitlines())
    lead = text.first_line(parts.body) if parts.is_wrapped else ""
    return parts.cue or lead or next((line for line in lines if line and not line.startswith("<")), stem)


def keywords(source: str) -> tuple[str, ...]:
    """Return the fuzzy-match words: split at commas, trimmed, in lower case, without empty ones (A8)."""
    return _split(_parts(source).hint("fuzzy-match"))


def body(source: str) -> str:
    """Return the memory's text: up to the last closing tag, or everything behind the hints if there is no tag (A9)."""
    return _parts(source).body


def decode(source: str, *, stem: str, uid: str, project: str, now: str) -> Memory:
    """Return a file's memory; both its times are `now`, as the format has none. Raises UnreadableFile."""
    target = f"{stem}.md"
    if "\0" in source:
        raise UnreadableFile("contains a NUL character", target=target)
    parts, known = _parts(source), _known(read_metadata(source, target=target) or {}, target)
    try:
        return Memory(
            uid=uid,
            slug=_slug(stem),
            kind=known.kind,
            title=_one_line(known.title) or _derived_title(parts.body) or _one_line(stem),
            content=Text(text=parts.body),
            tags=tuple(known.tags),
            cue=parts.cue,
            keywords=keywords(source),
            project=project,
            usage=Usage(**{field: getattr(known, key) for key, field in USAGE_FIELDS.items()}),
            created_at=now,
            updated_at=now,
        )
    except ValidationError as error:
        raise _unreadable(error, target) from None


def encode(memory: Memory, like: str | None = None) -> str:
    """Return the file's text.

    `like` is the present file: only blocks that differ are replaced, and a file that already holds this memory is
    returned byte for byte. Raises UnreadableFile if it cannot be read, so that it is never overwritten.
    """
    source = ensure("", memory.usage.created_session) if like is None else like
    cue = _unquoted(_storable(memory.cue)).strip()
    words = _split(_storable(", ".join(memory.keywords)))
    says = _storable(memory.text).strip()
    if _parts(source).cue != cue:
        source = _with_hint(source, "conditional", cue)
    if keywords(source) != words:
        source = _with_hint(source, "fuzzy-match", ", ".join(words))
    if body(source) != says:
        source = _with_body(source, says)
    # A new file is named by its slug; a present one may have any name that gives this slug.
    title = text.clean_line(memory.title)
    name = title if like is not None and _slug(title) == memory.slug else memory.slug
    metadata = read_metadata(source)
    if metadata is None and like is not None:
        metadata = {key: getattr(Usage(), field) for key, field in USAGE_FIELDS.items()}
    metadata = metadata or {}
    revised = _revised(metadata, memory, title, _derived_title(says) or name)
    return source if revised == metadata else write_metadata(source, revised)


def rewritten(source: str, change: Callable[[Any], Any]) -> str:
    """Return the file with a function applied to every value of its metadata and to the text behind it."""
    parts = _parts(source)
    rest = source[: parts.start] + change(source[parts.start :])
    known = read_metadata(source)
    return write_metadata(rest, {key: change(value) for key, value in known.items()}) if known else rest


def _parts(source: str) -> _Parts:
    block = _METADATA.match(source)
    start = block.end() if block else int(source.startswith("\ufeff"))
    opening = _MEMORY.search(source, start)
    closing = source.rfind("</memory>")  # the last one: a body may quote its own tags, as seed 000 does
    is_wrapped = opening is not None and closing >= opening.end()
    if opening is not None and is_wrapped:
        hints_end, body_span = opening.start(), (opening.end(), closing)
    else:
        leading = _LEADING_HINTS.match(source, start)
        hints_end = leading.end() if leading else start
        body_span = (hints_end, len(source))
    metadata = block.span(1) if block else None
    return _Parts(source, metadata, start, _hints(source, start, hints_end), hints_end, body_span, is_wrapped)


def _hints(source: str, start: int, end: int) -> dict[str, Span]:
    found: dict[str, Span] = {}
    seen: set[str] = set()
    for opening in _HINT.finditer(source, start, end):
        tag = opening[1]
        if opening.start() < start or tag in seen:
            continue
        seen.add(tag)
        closing = source.find(f"</{tag}>", opening.end(), end)
        if closing >= 0:
            found[tag] = (opening.end(), closing)
            start = closing + len(f"</{tag}>")
    return found


def _structured(source: str, metadata: Mapping[str, object]) -> str:
    parts = _parts(source)
    newline, gap = parts.newline, parts.newline * 2
    head, rest = source[: parts.start], source[parts.start :]
    if parts.metadata is None:
        head += f"<memory-metadata>{newline}{_dump(metadata, newline)}</memory-metadata>"
        rest = gap + rest
    if parts.is_wrapped:
        return head + rest
    hints = source[parts.start : parts.hints_end].strip()
    wrapped = f"<memory>{newline}{parts.body}{newline}</memory>{newline}"
    return gap.join([head, hints, wrapped] if hints else [head, wrapped])


def _with_body(source: str, says: str) -> str:
    parts = _parts(ensure(source, 0))
    start, end = parts.body_span
    return parts.source[:start] + parts.newline + says + parts.newline + parts.source[end:]


def _with_hint(source: str, tag: str, says: str) -> str:
    parts = _parts(ensure(source, 0))
    inner = parts.newline + (_TAG.sub(r"&lt;\1", says) + parts.newline if says else "")
    if tag in parts.hints:
        start, end = parts.hints[tag]
        return parts.source[:start] + inner + parts.source[end:]
    # Behind a cue that comes first (A1), else behind the metadata: there no stray tag stands before it to swallow it.
    start, end = parts.hints.get("conditional", (0, 0))
    is_behind_cue = parts.source[parts.start : start].strip() == "<conditional>"
    place = end + len("</conditional>") if is_behind_cue else parts.start
    return f"{parts.source[:place]}{parts.newline * 2}<{tag}>{inner}</{tag}>{parts.source[place:]}"


def _revised(metadata: Mapping[str, object], memory: Memory, title: str, derived: str) -> dict[str, object]:
    revised, found = dict(metadata), _known(metadata)
    for key, field in USAGE_FIELDS.items():
        if getattr(found, key) != getattr(memory.usage, field):
            revised[key] = getattr(memory.usage, field)
    for key, says, wanted, default in (
        ("title", _one_line(found.title) or derived, title or derived, derived),
        ("kind", found.kind, memory.kind, DEFAULT_KIND),
        ("tags", found.tags, [_storable(tag) for tag in memory.tags], []),
    ):
        if says != wanted:
            revised.pop(key, None)
            revised |= {key: wanted} if wanted != default else {}
    return revised


def _known(metadata: Mapping[str, object], target: object = None) -> _Metadata:
    try:
        return _Metadata.model_validate(metadata)
    except ValidationError as error:
        raise _unreadable(error, target) from None


def _unreadable(error: ValidationError, target: object) -> UnreadableFile:
    problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return UnreadableFile(f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}", target=target)


def _derived_title(says: str) -> str:
    return _one_line(text.first_line(says).lstrip("# "))


def _one_line(title: str) -> str:
    return text.cut(text.clean_line(title), text.TITLE_CHARS)


def _slug(stem: str) -> str:
    # A file's name need not be Unicode; its digest is of what can be read of it.
    return text.slugify(stem) or f"note-{text.sha256(stem.encode(errors='replace').decode())[:8]}"


def _split(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in _unquoted(words.lower()).split(",") if word.strip())


def _unquoted(says: str) -> str:
    return _QUOTED_TAG.sub(r"<\1", says)


def _storable(says: str) -> str:
    return says.replace("\0", "")


def _dump(metadata: Mapping[str, object], newline: str) -> str:
    dumped = json.dumps(dict(metadata), indent=2, ensure_ascii=False) + "\n"
    # Half a surrogate pair in a key that is not ours cannot be written as UTF-8; its escape can.
    return dumped.encode(errors="backslashreplace").decode().replace("\n", newline)
