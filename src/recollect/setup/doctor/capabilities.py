"""The registry of capabilities, from the hooks' wiring table (seed 004): who provides what, and who uses it."""

from dataclasses import dataclass

from recollect.hooks import wiring
from recollect.setup.doctor.check import Check, well, wrong

STORE = "memory.store"
"""The capability that the store itself provides."""


@dataclass(frozen=True, slots=True)
class Capability:
    """A capability, the handlers that provide it, and those that use it."""

    name: str
    provided_by: list[str]
    used_by: list[str]

    def __str__(self) -> str:
        users = f", used by {', '.join(self.used_by)}" if self.used_by else ""
        return f"{self.name} by {', '.join(self.provided_by)}{users}"


def registry() -> list[Capability]:
    """Return every capability that the store or a handler provides."""
    names = dict.fromkeys([STORE, *(row.provides for row in wiring.BINDINGS)])
    return [
        Capability(
            name,
            provided_by=sorted({row.handler for row in wiring.BINDINGS if row.provides == name} or {"store"}),
            used_by=sorted({row.handler for row in wiring.BINDINGS if name in row.uses}),
        )
        for name in names
    ]


def check_capabilities() -> Check:
    """Check that every capability which a handler uses is provided."""
    used = {need for row in wiring.BINDINGS for need in row.uses}
    provided = registry()
    lacking = sorted(used - {capability.name for capability in provided})
    if lacking:
        return wrong("capabilities", f"nothing provides {', '.join(lacking)}", None)
    return well("capabilities", f"{len(provided)}, all provided", details=tuple(map(str, provided)))
