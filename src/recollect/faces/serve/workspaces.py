"""Open workspaces for a server: one per checkout, used by a fixed number of threads."""

import asyncio
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from recollect.errors import NotFound
from recollect.library.open_workspace import open as open_workspace
from recollect.library.workspace import Workspace

Result = TypeVar("Result")
THREADS = 4
"""Threads that call the library. A workspace keeps a connection for each, so they are never replaced by new ones."""
FRESH_SECONDS = 60.0
"""After that time a workspace is opened anew: meanwhile a person may have trusted the project, or changed a setting."""
MOST_OPEN = 8
"""Workspaces that are kept open; the one that was not used for longest is closed."""


class Workspaces:
    """The workspaces of a server. Handlers call `await workspaces.run(function)`; a function gets a Workspace."""

    def __init__(
        self, folder: str | os.PathLike[str], *, actor: str = "page", warn: Callable[[str], None] = print
    ) -> None:
        self._folder = Path(folder).resolve()
        self._actor = actor
        self._warn = warn
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="workspace")
        self._lock = threading.Lock()
        self._open: OrderedDict[str, Workspace] = OrderedDict()
        self._opened_at: dict[str, float] = {}
        self._calls: dict[str, int] = {}

    async def run(self, function: Callable[[Workspace], Result], *, root: str = "") -> Result:
        """Call a function with the workspace of a checkout, by default of the folder that is served.

        Raises NotFound for a folder that the store does not know as a checkout, and what the function raises.
        """
        return await asyncio.get_running_loop().run_in_executor(self._threads, self.call, function, root)

    def call(self, function: Callable[[Workspace], Result], root: str = "") -> Result:
        """Do what `run` does, in this thread."""
        with self._using(root) as workspace:
            return function(workspace)

    def close(self) -> None:
        """Wait for the calls that are running, and close every workspace."""
        self._threads.shutdown()
        with self._lock:
            while self._open:
                self._open.popitem()[1].close()

    @contextmanager
    def _using(self, root: str) -> Iterator[Workspace]:
        if root:
            self._check_known(root)
        with self._lock:
            workspace = self._take(root)
            self._calls[root] = self._calls.get(root, 0) + 1
        try:
            yield workspace
        finally:
            with self._lock:
                self._calls[root] -= 1

    def _check_known(self, root: str) -> None:
        """Raise NotFound unless the store has met this checkout: a request must not open any folder it likes."""

        def roots(workspace: Workspace) -> set[str]:
            return {known.root for known in workspace.project_context.store.projects.checkouts()}

        if root not in self._open and root not in self.call(roots):
            raise NotFound("no project has this folder", target=root, fix="`recollect project list` lists them.")

    def _take(self, root: str) -> Workspace:
        """Return the open workspace of a checkout, opened if need be; the lock is held."""
        now, is_used = time.monotonic(), bool(self._calls.get(root))
        if root in self._open and now - self._opened_at[root] > FRESH_SECONDS and not is_used:
            self._open.pop(root).close()
        if root not in self._open:
            self._open[root] = open_workspace(root or self._folder, actor=self._actor, warn=self._warn)
            self._opened_at[root] = now
        self._open.move_to_end(root)
        idle = [name for name in self._open if not self._calls.get(name) and name not in (root, "")]
        for name in idle[: max(0, len(self._open) - MOST_OPEN)]:
            self._open.pop(name).close()
        return self._open[root]
