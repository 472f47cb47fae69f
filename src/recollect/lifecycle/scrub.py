"""A leaked value is taken out of everything that we keep, and the files themselves are searched for proof."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import apsw

from recollect import project
from recollect.errors import BadInput, DiskRefused
from recollect.lifecycle.space import Space
from recollect.model import text
from recollect.model.memory import Memory
from recollect.model.query import Query
from recollect.store import scrub as database
from recollect.vault.files import Writing
from recollect.vault.layouts import COLD, JSON_ROOT, WARM

INSTEAD = "[scrubbed]"
SLUG_INSTEAD = "scrubbed"
FEWEST_CHARS = 6
LOGS = ("MEMORY.md", "LONGMEMORY.md")


@dataclass(slots=True)
class Scrubbed:
    """Where the value was, and where it still is."""

    memories: list[str] = field(default_factory=list)
    rows: int = 0
    files: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    in_git: list[str] = field(default_factory=list)
    """Files that git tracks: its history is not ours to rewrite."""


def forms(value: str) -> dict[str, str]:
    """How a value may be written in what we keep, longest first, each with what takes its place."""
    if len(value) < FEWEST_CHARS:
        fix = "Name the whole value; something this short would take too much with it."
        raise BadInput(f"the value has fewer than {FEWEST_CHARS} characters", fix=fix)
    plain = {value, value.lower(), json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}
    found = dict.fromkeys(sorted(plain, key=len, reverse=True), INSTEAD)
    slug = text.slugify(value)
    return found | ({slug: SLUG_INSTEAD} if len(slug) >= FEWEST_CHARS and slug not in found else {})


def scrub(space: Space, value: str, *, dry_run: bool = False) -> Scrubbed:
    """Take a value out of memories, vault, index, journal, backups and every other file of ours; then look again."""
    wanted, done = forms(value), Scrubbed()
    done.memories = [f"{one.kind}/{one.slug}" for one in _holders(space, wanted)]
    done.files = [str(place) for place in _places(space) if _holds(place, wanted)]
    done.in_git = [path for path in done.files if project.is_tracked(Path(path))]
    if dry_run:
        done.left = list(done.files)
        return done
    try:
        done.rows = _scrub_store(space, wanted)
        for place in list(_places(space)):
            _scrub_file(space, place, wanted)
    except (OSError, apsw.Error) as error:
        raise DiskRefused(f"the value could not be taken out everywhere: {error}", fix="Run it again.") from error
    done.left = [str(place) for place in _places(space) if _holds(place, wanted)]
    return done


def _holders(space: Space, wanted: Mapping[str, str]) -> list[Memory]:
    everything = (found.memory for found in space.store.find(Query(statuses=())))
    return [one for one in everything if any(form in one.image for form in wanted)]


def _scrub_store(space: Space, wanted: Mapping[str, str]) -> int:
    """Memories by hand, because what is derived from them changes too; all other rows as text."""
    store = space.store
    with store.writing():
        for memory in _holders(space, wanted):
            clean = _clean(space, memory, wanted)
            kept = store.get(memory.uid)
            store.put(clean, kept.revision if kept else clean.revision())
        rows = store.scrub(wanted)
    store.settle()
    return rows


def _clean(space: Space, memory: Memory, wanted: Mapping[str, str]) -> Memory:
    clean = Memory.model_validate_json(_without(memory.image, wanted), context={"kinds": space.kinds})
    slug, number = clean.slug, 1
    while (other := space.store.named(clean.project, clean.kind, slug)) and other.memory.uid != clean.uid:
        number += 1
        slug = f"{clean.slug[:70].rstrip('-')}-{number}"
    return clean.having(slug=slug)


def _without(said: str, wanted: Mapping[str, str]) -> str:
    for form, instead in wanted.items():
        said = said.replace(form, instead)
    return said


def _places(space: Space) -> Iterator[Path]:
    """Every file of ours: the store's folder, the journal, and the vault of each checkout that was met."""
    homes = {space.store.path.parent, space.journal.parent}
    for home in homes:
        yield from (place for place in home.rglob("*") if place.is_file() and not place.is_symlink())
    roots = {space.vault.root, *(Path(one.root) for one in space.store.checkouts())}
    for root in sorted(roots):
        yield from (root / name for name in (*LOGS, space.config.log.archive or LOGS[0]) if (root / name).is_file())
        for folder in (JSON_ROOT, WARM, COLD):
            yield from (place for place in (root / folder).rglob("*") if place.is_file() and not place.is_symlink())


def _holds(place: Path, wanted: Mapping[str, str]) -> bool:
    """Whether any form stands in a file's bytes, in any case: an index keeps words in lower case."""
    try:
        data = place.read_bytes().lower() + place.name.lower().encode("utf-8", "replace")
    except FileNotFoundError:
        return False
    return any(form.lower().encode("utf-8", "surrogatepass") in data for form in wanted)


def _scrub_file(space: Space, place: Path, wanted: Mapping[str, str]) -> None:
    if not _holds(place, wanted) or _is_store(space, place):
        return
    if _scrub_database(place, wanted):
        return
    data = place.read_bytes()
    for form, instead in wanted.items():
        data = data.replace(form.encode("utf-8", "surrogatepass"), instead.encode())
    name = _without(place.name, wanted)
    with Writing(place.parent) as writing:
        if name != place.name:
            writing.remove(place.name)
        writing.write(name, data)


def _is_store(space: Space, place: Path) -> bool:
    return place.name.startswith(space.store.path.name) and place.name.removeprefix(space.store.path.name) in (
        "", "-wal", "-shm",
    )  # fmt: skip


def _scrub_database(place: Path, wanted: Mapping[str, str]) -> bool:
    """A backup is a database of its own; one that is damaged is overwritten byte by byte instead."""
    with place.open("rb") as file:
        if not file.read(16).startswith(b"SQLite format 3"):
            return False
    try:
        with apsw.Connection(str(place)) as db:
            database.replace(db, wanted)
        database.settle(db)
        db.close()
    except apsw.Error:
        pass
    if _holds(place, wanted):
        data = place.read_bytes()
        for form in wanted:
            data = data.replace(
                form.encode("utf-8", "surrogatepass"), b"*" * len(form.encode("utf-8", "surrogatepass"))
            )
        place.write_bytes(data)
    return True
