"""recollect: persistent memory for coding agents. `recollect.open(path)` is the way in."""

from recollect.errors import RecollectError
from recollect.lifecycle.save import Outcome
from recollect.model.memory import Memory
from recollect.workspace import Note, Workspace, open

__version__ = "0.1.0"
__all__ = ["Memory", "Note", "Outcome", "RecollectError", "Workspace", "__version__", "open"]
