"""A progress line on standard error for a person who waits; nothing where there is no terminal."""

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator

import click

PATIENCE_SECONDS = 1.0
"""After how long the label is shown where nothing was counted yet."""
STEP = 100
"""How many things are counted between two updates of the line."""
CLEAR = "\r\x1b[K"


@contextlib.contextmanager
def progress(label: str, *, as_json: bool, total: int = 0) -> Iterator[Callable[[int], None]]:
    """Yield a function that adds to a counter, which is shown on a terminal only and removed at the end.

    With `total` the line also says how many there are. What counts nothing shows its label after a second.
    """
    if as_json or not sys.stderr.isatty():
        yield lambda _: None
        return
    line = _ProgressLine(label, total)
    timer = threading.Timer(PATIENCE_SECONDS, line.show)
    timer.daemon = True
    timer.start()
    try:
        yield line.add
    finally:
        timer.cancel()
        line.clear()


class _ProgressLine:
    """One line that is written over and over; the timer's thread may write it too."""

    def __init__(self, label: str, total: int) -> None:
        self._label, self._total = label, total
        self._done, self._is_shown, self._is_over = 0, False, False
        self._lock = threading.Lock()

    def add(self, number: int) -> None:
        """Count, and show the line where a step is reached."""
        before, self._done = self._done, self._done + number
        if before // STEP != self._done // STEP:
            self.show()

    def show(self) -> None:
        """Write the line, unless the work is over."""
        of = f" of {self._total:,}" if self._total else ""
        count = f" {self._done:,}{of}" if self._done else ""
        with self._lock:
            if not self._is_over:
                click.echo(f"{CLEAR}{self._label}{count} …", nl=False, err=True)
                self._is_shown = True

    def clear(self) -> None:
        """Remove the line."""
        with self._lock:
            self._is_over = True
            if self._is_shown:
                click.echo(CLEAR, nl=False, err=True)
