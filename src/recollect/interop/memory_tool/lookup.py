"""How the memory tool reads a request's ids, types and paths, and counts a memory as used."""

from pathlib import Path

from recollect.errors import BadInput, NotFound
from recollect.model import text
from recollect.model.change import Touch
from recollect.model.memory import Memory
from recollect.policy.memories import retention
from recollect.policy.memories.requests import Gated
from recollect.project_context import ProjectContext
from recollect.store.protocols import Stored
from recollect.store.sqlite.lookup import PART_OF_UID
from recollect.write import commit


def find_by_id(context: ProjectContext, name: str) -> Stored:
    """Return a memory by its id or the beginning of it; raises NotFound, also for an expired one (D10)."""
    is_id = PART_OF_UID.fullmatch(name.lower())
    exact = context.store.get(name)
    alike = context.store.resolve(context.project, name) if is_id and not exact else []
    parted = [stored for stored in alike if _is_part_of(name.lower(), stored.memory.uid)]  # a slug is no id
    found = [exact] if exact else parted
    if not found:
        raise NotFound("no memory has this id", target=text.cut(name, 80))
    if len(found) > 1:
        raise BadInput(f"{len(found)} memories have ids that begin like this", target=name)
    if retention.has_expired(found[0].memory, context.clock()):
        raise NotFound("this memory has expired", target=found[0].memory.uid)
    return found[0]


def _is_part_of(part: str, uid: str) -> bool:
    return uid.startswith(part) or uid.endswith(part)


def find_changeable(context: ProjectContext, name: str) -> Stored:
    """Return a memory that may be changed from here; raises BadInput for one of another checkout.

    Its file lies in that checkout and would not follow the change.
    """
    found = find_by_id(context, name)
    project = found.memory.project
    if project != context.project and project in {known.project for known in context.store.projects.checkouts()}:
        raise BadInput(f"the memory belongs to another project, {project}", target=found.memory.uid)
    return found


def count_uses(context: ProjectContext, memories: list[Memory], request: Gated) -> list[Memory]:
    """Count memories that the agent is shown as used, once per session (D11); return them with the new counts."""
    touched = commit.commit_each(context, [Touch(memory.uid, request.session_id) for memory in memories])
    return [outcome.memory for outcome in touched]


def kind_name(type_name: str) -> str:
    """Return a LetsGo type as the name of a kind."""
    return type_name.strip().lower().replace("-", "_")


def project_path(context: ProjectContext, path: str) -> str:
    """Return a path relative to the project's root; one outside of the project stays absolute."""
    place = Path(text.clean_line(path))
    root = context.checkout.root
    if place.is_absolute():
        return place.relative_to(root).as_posix() if root in place.parents else str(place)
    return place.as_posix()
