"""Parts of an injected text that prompts, session starts and known errors share. Import-light."""

from recollect.model.recall_values import UNSTATED_REASONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.hooks.event import Event
    from recollect.model.found_memory import FoundMemory

ENVELOPE_CHARS = 300
"""Characters of the client's limit that are left for what the client adds around the text."""
MAIN_BRANCHES = ("main", "master", "trunk")
KEY_FIELDS = "key_fields."
"""Prefix of the settings that name the fields shown of each kind."""


def below_title(event: "Event", memory: "FoundMemory", wanted: tuple[str, ...] = ()) -> str:
    """Return what a memory says beyond its title: its kind's key fields (B32), or those wanted; else its text."""
    fields = event.store.content(memory.uid)
    chosen = wanted or str(event.place.settings.get(KEY_FIELDS + memory.kind) or "").split(",")
    names = chosen if "text" not in fields else ["text"]
    parts = [fields[name] for name in names if fields.get(name, memory.title) != memory.title]
    parts = [part for part in parts if part not in UNSTATED_REASONS.values()]
    return "\n".join(part for part in parts if not any(part != other and part in other for other in parts))


def other_branch(branch: str | None, here: str) -> str:
    """Return the branch that a memory was learnt on; empty where it is this one or a main branch."""
    return "" if branch is None or branch in (here, *MAIN_BRANCHES) else branch
