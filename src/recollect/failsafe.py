"""Call a function so that no error leaves it: hooks and workers fail open. Import-light, because hooks use it."""

from recollect import hook_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def failsafe(home: str, what: str, call: "Callable[..., Any]", *arguments: "Any") -> "Any":
    """Call a function and return its result; where it raises, write one line to hook.log and return None."""
    try:
        return call(*arguments)
    except Exception as error:  # noqa: BLE001 - the one place: a hook or a worker never takes its client down
        hook_log.write(home, what, f"{type(error).__name__}: {error}")
        return None
