"""recollect: persistent memory for coding agents. Start with `recollect.open(path)`."""

import sys

TYPE_CHECKING = False  # the name that type checkers know; hooks have no time to import `typing`
if TYPE_CHECKING:
    from recollect.errors import RecollectError
    from recollect.library.agents.agent_verbs import Answer
    from recollect.library.open_workspace import open
    from recollect.library.workspace import Workspace
    from recollect.model.memory import Memory
    from recollect.policy.memories.compose import Note
    from recollect.write.outcome import Outcome

__version__ = "0.2.0"
__all__ = ["Answer", "Memory", "Note", "Outcome", "RecollectError", "Workspace", "__version__", "open"]

# The module of each public name. It is imported on first use, so that a hook does not import the library.
_MODULES = {
    "Answer": "recollect.library.agents.agent_verbs",
    "Memory": "recollect.model.memory",
    "Note": "recollect.policy.memories.compose",
    "Outcome": "recollect.write.outcome",
    "RecollectError": "recollect.errors",
    "Workspace": "recollect.library.workspace",
    "open": "recollect.library.open_workspace",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    __import__(_MODULES[name])
    return getattr(sys.modules[_MODULES[name]], name)


def __dir__() -> list[str]:
    return sorted(__all__)
