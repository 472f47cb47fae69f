"""Memories and facts as the memory tool shows them: with LetsGo's field names."""

from typing import Any

from recollect.model import clock
from recollect.model.fact import Fact
from recollect.model.memory import UNTAGGED, Memory
from recollect.policy.memories.merging import CATEGORY_TAG, category
from recollect.policy.ranking import scores
from recollect.project_context import ProjectContext

Output = dict[str, Any]


def memory_output(context: ProjectContext, memory: Memory) -> Output:
    """Return a memory with LetsGo's field names."""
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


def memories_output(context: ProjectContext, memories: list[Memory]) -> Output:
    """Return memories and their number."""
    return {"memories": [memory_output(context, memory) for memory in memories], "count": len(memories)}


def fact_output(fact: Fact) -> Output:
    """Return a fact with LetsGo's field names."""
    named = {"id": fact.uid, "source_memory_id": fact.source}
    return {**named, **fact.model_dump(include=set(Fact.model_fields) - {"uid", "source"})}
