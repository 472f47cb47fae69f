"""A person at a terminal of a given size: a HOME that is always called the same, a repository, and the commands."""

import fcntl
import os
import pty
import re
import struct
import termios
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from builders import Box
from forking import start_on_terminal
from screen import screen_lines
from terminals import STYLE, press_keys

HOME = "/home/annabel"
"""What screens call the HOME: as long as the folder that it really is."""
REMOTE = "https://github.com/acme/shop.git"
BEGIN = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
IDENTIFIER = re.compile(r"(?<![0-9a-f-])[0-9a-f]{8,}(?![0-9a-f-])")
ID_CHARS = 8
MORNING, NOON = "5b1f0c8e-2d4a-4f6b-9a37-6c0d1e2f3a4b", "c4a7e9d2-1b3f-4c58-8e60-7f9a0b1c2d3e"
SESSIONS = (MORNING[:ID_CHARS], NOON[:ID_CHARS])


@dataclass
class Person:
    """One user at one terminal. The clock goes on by a minute with every command."""

    folder: Path
    columns: int
    rows: int
    has_colour: bool
    _known_ids: dict[str, str] = field(default_factory=lambda: {name: name for name in SESSIONS})
    _minutes: int = 0

    def __post_init__(self) -> None:
        assert len(str(self.folder)) == len(HOME), "screens would be wrapped elsewhere"
        self.box = Box(self.folder, self.folder / "store", self.folder / "shop", settings=_settings())
        self.box.root.mkdir()
        self.later(0)
        self.box.git("init", "-q", "-b", "main", "--template=")
        self.box.git("remote", "add", "origin", REMOTE)
        self.box.git("commit", "-q", "--allow-empty", "-m", "start")

    def later(self, minutes: int) -> None:
        """Let time pass."""
        self._minutes += minutes
        self.box.now = f"{BEGIN + timedelta(minutes=self._minutes):%Y-%m-%dT%H:%M:%SZ}"

    def types(self, command: str, *words: str, keys: tuple[tuple[str, str], ...] = (), folder: str = "shop") -> str:
        """Return what the terminal shows after a command, with the line that was typed. `keys` as in `terminals`."""
        self.later(1)
        written = self._on_terminal(words, keys, self.folder / folder)
        assert self.has_colour or not STYLE.search(written), f"colours although NO_COLOR is set: {written!r}"
        return f"$ {command}\r\n{self._fixed(written)}"

    def lines(self, written: str) -> list[str]:
        """Return the lines of a screen on which this was written."""
        return screen_lines(written, self.columns)

    def _on_terminal(self, words: tuple[str, ...], keys: tuple[tuple[str, str], ...], folder: Path) -> str:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", self.rows, self.columns, 0, 0))
        colour = {} if self.has_colour else {"NO_COLOR": "1"}
        env = {**self.box.env, "TERM": "xterm", **colour}
        process = start_on_terminal(_run_program, *words, env=env, cwd=folder, terminal=theirs)
        os.close(theirs)
        try:
            written = press_keys(ours, keys)
        except AssertionError:
            process.kill()
            raise
        os.close(ours)
        process.join()
        return written

    def _fixed(self, written: str) -> str:
        """Replace the folder and the random ids by ones of the same length that are the same each time."""
        return IDENTIFIER.sub(lambda found: self._fixed_id(found[0]), written.replace(str(self.folder), HOME))

    def _fixed_id(self, random: str) -> str:
        """Return an id for a random one; the short id of a memory stays the end of its whole id."""
        end = random[-ID_CHARS:]
        number = self._known_ids.setdefault(end, f"{(len(self._known_ids) + 1) * 0x9E3779B1 % 2**32:08x}")
        return random[:-ID_CHARS].translate(str.maketrans("0123456789abcdef", "0" * 16)) + number


def _settings() -> dict[str, str]:
    dates = {f"GIT_{who}_DATE": BEGIN.isoformat() for who in ("AUTHOR", "COMMITTER")}
    return {"RECOLLECT_DEADLINE_MS": "60000", **dates}


def _run_program(*words: str) -> None:
    from recollect.faces.cli import main

    main(list(words), prog_name="recollect")
