"""Decide what an imported memory or fact keeps of its file.

Whoever wrote a file may have written anything into it. Text, kind, tags and times are kept. What gives a memory weight
is not: its origin, pin, strength, use counts and project.
"""

from recollect.model import text
from recollect.model.fact import FACT_PREFIX, Fact
from recollect.model.memory import Memory, Usage

STRONG, ORDINARY = "strong", "default"


def memory(said: Memory, project: str, *, is_copy: bool) -> Memory:
    """Return a memory as this project takes it in; `is_copy` for a line of an export, which has an identity.

    The identity is derived from the file's, so that the same line is known when it comes again.
    """
    usage = Usage() if is_copy else said.usage.model_copy(update={"pinned": False})
    changed: dict[str, object] = {"origin": "import", "project": project, "usage": usage}
    if is_copy:
        weight = {"importance": Memory.model_fields["importance"].default, "confidence": None, "derived_from": ()}
        links = tuple(link.model_copy(update={"uid": _derived(link.uid, project)}) for link in said.links)
        changed |= {"uid": _derived(said.uid, project), "links": links, **weight}
    if getattr(said.content, "strength", None) == STRONG:
        changed["content"] = said.content.model_copy(update={"strength": ORDINARY})
    return said.having(**changed)


def fact(said: Fact, project: str) -> Fact:
    """Return a fact as this project takes it in, with an identity derived from the file's."""
    uid = FACT_PREFIX + _derived(said.uid, project)
    source = _derived(said.source, project) if said.source else None
    return said.model_copy(update={"uid": uid, "project": project, "source": source})


def _derived(uid: str, project: str) -> str:
    return text.sha256(f"{project}\0{uid}")[:24]
