"""The text of a memory that stands under its title. Import-light."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.hooks.event import Event
    from recollect.model.found_memory import FoundMemory

KEY_FIELDS = "key_fields."
"""Prefix of the settings that name the fields shown of each kind."""


def below_title(event: "Event", memory: "FoundMemory", wanted: tuple[str, ...] = ()) -> str:
    """Return what a memory says beyond its title: its kind's key fields (B32), or those wanted; else its text."""
    fields = event.store.content(memory.uid)
    chosen = wanted or str(event.place.settings.get(KEY_FIELDS + memory.kind) or "").split(",")
    names = chosen if "text" not in fields else ["text"]
    parts = [fields[name] for name in names if fields.get(name, memory.title) != memory.title]
    return "\n".join(part for part in parts if not any(part != other and part in other for other in parts))
