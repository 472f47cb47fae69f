"""When the server was last used: `recollect open` ends when nobody looks any more."""

import contextlib
from collections.abc import Callable, Iterator


class Activity:
    """The requests of people who are signed in: how many are being answered, and when the last one ended."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._open = 0
        self._last = clock()

    @contextlib.contextmanager
    def request(self) -> Iterator[None]:
        """Count a request as being answered."""
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1
            self._last = self._clock()

    def idle_seconds(self) -> float:
        """Return for how many seconds nothing was asked; 0 while a request is being answered."""
        return 0.0 if self._open else self._clock() - self._last
