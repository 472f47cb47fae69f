"""The program on a terminal: a pseudo-terminal of 80 columns, and the keys that a person presses."""

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time

from builders import Box

COMMAND = [sys.executable, "-c", "from recollect.faces.cli import main; main()"]
STYLE = re.compile(r"\x1b\[[0-9;]*[mK]")
PATIENCE_SECONDS = 60


def on_a_terminal(
    box: Box, *args: str, keys: tuple[tuple[str, str], ...] = (), columns: int = 80, code: int = 0, **env: str
) -> str:
    """What the program shows on a terminal, without colours. `keys` are pairs: when this is shown, press that."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [*COMMAND, *args], cwd=box.root, env={**box.env, "TERM": "xterm", **env}, stdin=theirs, stdout=theirs,
        stderr=theirs, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    with process:
        try:
            shown = press_keys(ours, keys)
        except AssertionError:
            process.kill()
            raise
    os.close(ours)
    assert process.returncode == code, shown
    return STYLE.sub("", shown).replace("\r\n", "\n")


def press_keys(ours: int, keys: tuple[tuple[str, str], ...]) -> str:
    """Press each key when its text is shown; return everything that the program wrote until it ended."""
    shown, start = "", 0
    for wanted, pressed in keys:
        shown = _read_until(ours, shown, start, wanted)
        start = len(shown)
        _wait_for_reader(ours, raw=not pressed.endswith("\n"))
        os.write(ours, pressed.encode())
    return _read_until(ours, shown, start, None)


def _wait_for_reader(terminal: int, *, raw: bool) -> None:
    """Wait until the program reads single keys: what is pressed before is thrown away."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while raw and termios.tcgetattr(terminal)[3] & termios.ICANON:
        assert time.monotonic() < deadline, "the program reads no keys"
        select.select([], [], [], 0.005)


def _read_until(terminal: int, shown: str, start: int, wanted: str | None) -> str:
    """Read on until a text appears after `start`; without one, until the program ends."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while wanted is None or wanted not in STYLE.sub("", shown[start:]):
        assert select.select([terminal], [], [], deadline - time.monotonic())[0], f"waited for {wanted!r}: {shown}"
        data = b""
        with contextlib.suppress(OSError):  # Linux says so when the program has gone
            data = os.read(terminal, 65_536)
        if not data:
            assert wanted is None, f"the program ended before it showed {wanted!r}: {shown}"
            break
        shown += data.decode("utf-8", "replace")
    return shown


def typed_in_a_shell(box: Box, shell: list[str], *lines: str | tuple[str, str], **env: str) -> str:
    """What an interactive shell shows while lines are typed into it; then it has ended.

    Each line waits for the shell to read. A pair is typed without the return key until its second part is shown.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 120, 0, 0))
    process = subprocess.Popen(
        shell, cwd=box.root, env={**box.env, "TERM": "xterm", **env}, stdin=theirs, stdout=theirs, stderr=theirs,
        start_new_session=True, preexec_fn=_take_terminal,  # noqa: PLW1509 - no thread holds a lock here
    )  # fmt: skip
    os.close(theirs)
    shown = ""
    try:
        for line in lines:
            _wait_for_reader(ours, raw=True)
            typed, wanted = (f"{line}\n", "") if isinstance(line, str) else line
            start = len(shown)
            os.write(ours, typed.encode())
            if wanted:
                shown = _read_until(ours, shown, start, wanted)
                os.write(ours, b"\n")
        shown = _read_until(ours, shown, len(shown), None)
    except AssertionError:
        process.kill()
        raise
    finally:
        process.wait()
        os.close(ours)
    return STYLE.sub("", shown).replace("\r\n", "\n")


def _take_terminal() -> None:
    """Make standard input the terminal that controls this process: a shell looks for that."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
