"""The last answers of a server, so that the same question is not searched twice (C §8). Import-light."""

import threading
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from recollect.library.workspace import Workspace

MOST = 256
"""How many answers are kept; the one that was used longest ago goes first."""
MOST_SECONDS = 60
"""An answer is not used after that time: it tells ages, and memories expire."""


class Answers:
    """Answers by tool, arguments, project and version of the store: none outlives a commit, whoever made it."""

    def __init__(self) -> None:
        self._kept: dict[object, tuple[float, Any]] = {}
        self._lock = threading.Lock()

    def clear(self) -> None:
        """Forget every answer."""
        with self._lock:
            self._kept.clear()

    def get(self, workspace: "Workspace", key: object, make: "Callable[[], Any]") -> "Any":
        """Return the answer that is kept for a key, or make it; always made where `mcp.cache_answers` is off."""
        context = workspace.project_context
        if not context.config.mcp.cache_answers:
            return make()
        workspace.look()  # a vault file that a person edited is a commit of ours
        # An opened store counts its versions for itself; the key holds it, so that no other can be taken for it.
        whole, now = (key, workspace.project, context.store, context.store.version()), time.monotonic()
        with self._lock:
            at, answer = self._kept.pop(whole, (0.0, None))
            if answer is not None and now - at < MOST_SECONDS:
                self._kept[whole] = at, answer
                return answer
        answer = make()
        with self._lock:
            self._kept[whole] = now, answer
            while len(self._kept) > MOST:
                self._kept.pop(next(iter(self._kept)))
        return answer
