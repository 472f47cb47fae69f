"""Claude Code's own notes: `MEMORY.md`, which points at topic files, and one topic file per fact.

    ---
    name: no-mocks-in-tests
    description: what decides whether the note is read
    metadata:
      type: feedback                     user, feedback, project or reference; older files say `type:` on its own
      originSessionId: 19d7fc05-…
      modified: 2026-03-01T12:00:00.000Z
    ---
    What it says, with [[links]] to other topics.

These files are Claude's; they are only read.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator

from recollect.formats import memory_log
from recollect.model import clock, text
from recollect.model.content import Text
from recollect.model.memory import Memory

KINDS_OF_TYPES = {
    "user": "user_preference",
    "feedback": "user_preference",
    "project": "learned",
    "reference": "note",
}
DEFAULT_KIND = "note"
TAG = "claude"

Fields = dict[str, str]

_FENCE = "---"
_KNOWN = frozenset({"name", "description", "type", "metadata"})
_FIELD = re.compile(r"([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(.*))?")
_FOLDED = re.compile(r"[>|][-+0-9]*")
_SLUG_LIKE = re.compile(r"[^\W_]+(?:[-_][^\W_]+)+")
_HEADING = re.compile(r"#{1,3}[ \t]+(.*)")
_CODE = re.compile(r"[ \t]*(```|~~~)")
_RECORD = re.compile(r'[\ufeff \t]*- *\{"')
_BULLET = re.compile(r"(?:[-*+]|[0-9]+[.)])[ \t]+(?:see:?[ \t]+)?|see:?[ \t]+", re.IGNORECASE)
_LINK = (
    r"[*`]*(?:"
    r"\[\[(?P<wiki>[^\]|#]+)(?:[|#][^\]]*)?\]\]|"
    r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(<?(?P<target>[^)\s>#:]+)(?:[\s>#][^)]*)?\)|"
    r"(?P<file>[\w./-]+\.md)"
    r")[*`]*"
)
_NAMED = re.compile(_LINK)
_UNNAMED = re.sub(r"\?P<\w+>", "?:", _LINK)
# After the links comes a hook, set off by a dash or a colon; a sentence that goes on says something of its own.
_POINTER = re.compile(
    rf"{_UNNAMED}(?:[ \t]*[,&+·/][ \t]*{_UNNAMED})*[ \t]*(?:[.,;][ \t]*)?(?:$|[:\u2013\u2014\u2192]|(?<=[ \t])-)"
)


def decode_topic(source: str, *, stem: str, uid: str, project: str, now: str) -> Memory:
    """Return a topic file's memory; a file without usable frontmatter is all body."""
    fields, body = _split(text.storable(source))
    named = text.clean_tag(fields.get("metadata.type") or fields.get("type", ""))
    cue = text.clean_line(fields.get("description", ""))
    title = (
        _title(_spaced(fields.get("name", ""))) or _title(_bare(text.first_line(body))) or _title(text.storable(stem))
    )
    written_at = _stamp(fields.get("metadata.modified") or fields.get("modified")) or now
    # Equal texts are one memory (D9): topics without a body must not become the same one.
    says = body or cue or title
    return Memory(
        uid=uid,
        slug=_slug(stem, says),
        kind=KINDS_OF_TYPES.get(named, DEFAULT_KIND),
        title=title or _slug(stem, says),
        content=Text(text=says),
        tags=tuple(dict.fromkeys((TAG, named) if named else (TAG,))),
        cue=cue,
        project=project,
        session=text.clean_line(fields.get("metadata.originSessionId") or fields.get("originSessionId", "")) or None,
        origin="import",
        created_at=written_at,
        updated_at=written_at,
    )


def decode_index(
    source: str, *, topics: Collection[str], uid: Callable[[], str], project: str, now: str
) -> list[Memory]:
    """Return a note per section of `MEMORY.md` that says more than links to topic files; none for a log (format C)."""
    _, body = _split(text.storable(source))
    if _is_log(body):
        return []
    known = {_topic(name) for name in topics}
    memories = []
    for heading, lines in _sections(body):
        says = "\n".join(line for line in lines if not _RECORD.match(line) and not _is_pointer(line, known)).strip()
        if not any(letter.isalnum() for letter in says):
            continue
        slug = text.slugify(heading) or _slug(_bare(text.first_line(says)), says)
        memories.append(
            Memory(
                uid=uid(),
                slug=slug,
                kind=DEFAULT_KIND,
                title=_title(heading) or _title(_bare(text.first_line(says))) or slug,
                content=Text(text=says),
                tags=(TAG,),
                project=project,
                origin="import",
                created_at=now,
                updated_at=now,
            )
        )
    return memories


def _split(source: str) -> tuple[Fields, str]:
    whole = source.lstrip("\ufeff").replace("\r\n", "\n").strip()
    lines = whole.split("\n")
    ends = (number for number, line in enumerate(lines) if number and line.rstrip() == _FENCE)
    end = next(ends, None) if lines[0].rstrip() == _FENCE else None
    fields = _fields(lines[1:end]) if end else None
    if fields is None or not any(name.partition(".")[0] in _KNOWN for name in fields):
        return {}, whole
    return {name: _unquoted(value) for name, value in fields.items()}, "\n".join(lines[(end or 0) + 1 :]).strip()


def _fields(lines: list[str]) -> Fields | None:
    """Return fields by name, nested ones as `outer.inner`; None if the lines are prose between two rules."""
    fields: Fields = {}
    outer = inner = ""
    for line in lines:
        found = _FIELD.fullmatch(line.strip())
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line[0] in " \t" and outer:
            if found and not fields[outer]:
                inner = f"{outer}.{found[1]}"
                fields[inner] = found[2] or ""
            elif inner:
                fields[inner] = _joined(fields[inner], line)
            elif not line.lstrip().startswith("- "):
                fields[outer] = _joined(fields[outer], line)
        elif found:
            outer, inner = found[1], ""
            fields[outer] = found[2] or ""
        elif not line.startswith("- "):
            return None
    return fields


def _joined(value: str, line: str) -> str:
    return line.strip() if _FOLDED.fullmatch(value) else f"{value} {line.strip()}"


def _unquoted(value: str) -> str:
    bare = value.strip()
    if len(bare) < 2 or bare[0] != bare[-1] or bare[0] not in "\"'":
        return bare
    if bare[0] == "'":
        return bare[1:-1].replace("''", "'")
    try:
        return text.storable(str(json.loads(bare)))
    except ValueError:
        return bare[1:-1]


def _sections(body: str) -> Iterator[tuple[str, list[str]]]:
    heading, lines, is_code = "", list[str](), False
    for line in body.split("\n"):
        is_code ^= _CODE.match(line) is not None
        # A `#` in a block of code is a comment, not a heading.
        found = None if is_code else _HEADING.fullmatch(line)
        if found:
            yield heading, lines
            heading, lines = found[1], []
        else:
            lines.append(line)
    yield heading, lines


def _is_pointer(line: str, topics: Collection[str]) -> bool:
    bare = line.strip()
    bullet = _BULLET.match(bare)
    pointer = _POINTER.match(bare, bullet.end() if bullet else 0)
    if pointer is None:
        return False
    return all(_topic(link[link.lastgroup or 0]) in topics for link in _NAMED.finditer(pointer[0]))


def _is_log(body: str) -> bool:
    """Whether a text is a log of format C: at least half of its bullets are records."""
    bullets = [line for line in body.split("\n") if line.lstrip().startswith("- ") or _RECORD.match(line)]
    records = sum(1 for line in bullets if _RECORD.match(line))
    return body.startswith(memory_log.HEADER.strip()) or 0 < len(bullets) <= 2 * records


def _topic(name: str) -> str:
    # A link may write spaces as %20, name Claude's folder, or spell the file's underscores as hyphens.
    bare = name.strip().replace("%20", " ").removeprefix("./").rpartition("memory/")[2]
    return re.sub(r"[-_\s]+", "-", bare.removesuffix(".md")).casefold()


def _spaced(name: str) -> str:
    return re.sub("[-_]+", " ", name) if _SLUG_LIKE.fullmatch(name) else name


def _bare(line: str) -> str:
    return line.lstrip("# ")


def _title(says: str) -> str:
    return text.cut(text.clean_title(says), text.TITLE_CHARS)


def _slug(name: str, says: str) -> str:
    return text.slugify(name) or f"note-{text.sha256(says)[:8]}"


def _stamp(written: str | None) -> str | None:
    moment = clock.parse(written)
    return clock.stamp(moment) if moment else None
