"""recollect: persistent memory for coding agents. `recollect.open(path)` is the way in."""

import sys

TYPE_CHECKING = False  # what type checkers know by this name; hooks have no time to load `typing`
if TYPE_CHECKING:
    from recollect.errors import RecollectError
    from recollect.library.opening import open
    from recollect.library.workspace import Workspace
    from recollect.model.memory import Memory
    from recollect.policy.memories.compose import Note
    from recollect.write.outcome import Outcome

__version__ = "0.2.0"
__all__ = ["Memory", "Note", "Outcome", "RecollectError", "Workspace", "__version__", "open"]

# Loaded on first use: a cold command should not pay for what it does not need.
_HOMES = {
    "Memory": "recollect.model.memory",
    "Note": "recollect.policy.memories.compose",
    "Outcome": "recollect.write.outcome",
    "RecollectError": "recollect.errors",
    "Workspace": "recollect.library.workspace",
    "open": "recollect.library.opening",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    __import__(_HOMES[name])
    return getattr(sys.modules[_HOMES[name]], name)
