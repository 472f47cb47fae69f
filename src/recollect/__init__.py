"""recollect: persistent memory for coding agents.

    import recollect

    with recollect.open("path/to/project") as space:
        space.remember("Use pnpm, never npm", kind="preference", why="the lockfile is pnpm's")
        for memory in space.list():
            print(memory.title)
"""

from recollect.errors import RecollectError
from recollect.lifecycle.save import Outcome
from recollect.model.memory import Memory
from recollect.workspace import Note, Workspace, open  # noqa: A004 - `recollect.open` is the front door

__version__ = "0.1.0"
__all__ = ["Memory", "Note", "Outcome", "RecollectError", "Workspace", "__version__", "open"]
