"""Export memories and facts as JSON lines, without secrets."""

import contextlib
import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from recollect import machine
from recollect.errors import BadInput, DiskRefused
from recollect.model.fact import Fact
from recollect.model.memory import Sensitivity
from recollect.model.query import FactQuery, Query
from recollect.policy.secrets import screening
from recollect.project_context import ProjectContext
from recollect.vault import files

SHARED: tuple[Sensitivity, ...] = ("public", "operational")


@dataclass(slots=True)
class Export:
    """The exported lines, and how many memories are held back."""

    lines: list[str] = field(default_factory=list)
    held_back: dict[str, int] = field(default_factory=dict)
    """The number of memories that are not exported, by sensitivity."""


def export(context: ProjectContext, *, all_projects: bool = False, everything: bool = False) -> Export:
    """Export memories of every status and facts; `everything` includes private, personal and unknown ones."""
    found = Export()
    project = None if all_projects else context.project
    now = None if everything else context.clock().timestamp()
    for stored in context.store.find(Query(project, statuses=(), oldest_first=True, unexpired_at=now)):
        memory = stored.memory
        if memory.sensitivity in SHARED or everything:
            found.lines.append(screening.memory(memory).memory.image)
        else:
            found.held_back[memory.sensitivity] = found.held_back.get(memory.sensitivity, 0) + 1
    found.lines += _facts(context, project, everything=everything)
    return found


def write(place: Path, lines: list[str], *, force: bool = False) -> None:
    """Write lines to a file in one step, readable by its owner alone.

    A file that is there is refused unless `force` is set; a link, device or pipe is always refused.
    """
    if place.is_symlink() or (place.exists() and not place.is_file()):
        fix = "Name a file itself, or `-` for standard output."
        raise BadInput("this is a link or no regular file, and is left alone", target=place, fix=fix)
    if place.exists() and not force:
        raise BadInput("the file exists already", target=place, fix="Name another one, or add --force to replace it.")
    draft = place.with_name(f"{files.SCRATCH}{secrets.token_hex(6)}.tmp")
    try:
        files.write_new(draft, "".join(f"{line}\n" for line in lines).encode("utf-8", "replace"), machine.FILE_MODE)
        draft.replace(place)
    except OSError as error:
        raise DiskRefused(f"cannot be written: {error.strerror}", target=place) from None
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def is_shared(context: ProjectContext, fact: Fact) -> bool:
    """Whether others may see a fact: neither it nor the memory that it is from holds anything personal."""
    source = context.store.get(fact.source) if fact.source else None
    if fact.source and (source is None or source.memory.sensitivity not in SHARED):
        return False
    return screening.personal(f"{fact.subject} {fact.predicate} {fact.object}") is None


def _facts(context: ProjectContext, project: str | None, *, everything: bool) -> Iterator[str]:
    """Return the lines of facts; a fact is as private as the memory that it is from."""
    for fact in reversed(context.store.facts.find(FactQuery(project))):
        if everything or is_shared(context, fact):
            yield json.dumps({"fact": screening.fact(fact).model_dump(mode="json")}, ensure_ascii=False)
