"""The server over standard input and output: one JSON message a line, calls in a few threads. Import-light."""

import json
import os
import sys
import threading

from recollect import paths
from recollect.faces.mcp import tool_table
from recollect.faces.mcp.connection import Connection
from recollect.faces.mcp.server import Server
from recollect.faces.mcp.session import new_session
from recollect.failsafe import failsafe
from recollect.lazy import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

USAGE = "usage: recollect mcp [--tools NAME]... [--project DIR]"
MOST_LINE_BYTES = 32_000_000
"""A longer message is read past and refused; one with a long argument gets an answer that names it."""
CHUNK = 1 << 16
THREADS = 4
MOST_WAITING = 64
"""When as many calls are not answered yet, the next message is not read: a client that never reads fills no memory."""
LAST_SECONDS = 5.0
"""How long calls may go on after the client has closed the input."""


class Options:
    """What the command line asks for."""

    __slots__ = ("project", "sets")

    def __init__(self, sets: "tuple[str, ...]" = ("default",), project: str = "") -> None:
        self.sets, self.project = sets, project


def parse(arguments: "Sequence[str]") -> Options:
    """Return the options of `recollect mcp`; ends the program with code 2 for others."""
    sets, project, rest = list[str](), "", list(arguments)
    while rest:
        name, _, value = rest.pop(0).partition("=")
        if name not in ("--tools", "--project") or not (value or rest):
            _stop(f"{USAGE}\nno such option, or it lacks a value: {name}")
        value = value or rest.pop(0)
        if name == "--project":
            project = value
        else:
            sets += value.split(",")
    unknown = [name for name in sets if name not in tool_table.SETS]
    if unknown:
        _stop(f"no set of tools is called {unknown[0]!r}; there are: {', '.join(tool_table.SETS)}")
    if project and not os.path.isdir(project):
        _stop(f"there is no folder {project}")
    return Options(tuple(dict.fromkeys(sets)) or ("default",), project)


def _stop(says: str) -> None:
    sys.stderr.write(f"{says}\n")
    raise SystemExit(2)


def main(arguments: "Sequence[str]") -> None:
    """Serve a client until it closes the input."""
    options = parse(arguments)
    given, taken = _claim(0, os.open(os.devnull, os.O_RDONLY)), _claim(1, os.dup(2))
    failsafe(paths.home(os.environ), "mcp", serve, options, os.environ, given, taken)
    os._exit(0)  # a call that hangs, because its client does not read, must not keep the process


def _claim(handle: int, instead: int) -> int:
    """Return a copy of a standard stream, and put another one in its place: nothing else may read or print there."""
    own = os.dup(handle)
    if sys.platform == "win32":  # pragma: no cover
        load("recollect.machine").set_binary(own)
    os.dup2(instead, handle)
    os.close(instead)
    return own


def serve(options: Options, env: "Mapping[str, str]", given: int, taken: int) -> None:
    """Answer the messages of one handle on another, until the first one ends."""
    session = new_session(env, options.project, os.getcwd())
    server, calls = Server(options.sets, env), Calls()
    connection = Connection(server, session, send=Writer(taken).send, run=calls.run, env=env)
    try:
        for line in lines(given):
            if line is None:
                connection.refuse(f"the message is longer than {MOST_LINE_BYTES:,} bytes")
            elif line.strip():
                connection.receive(line)
    except KeyboardInterrupt:
        pass
    if calls.end(LAST_SECONDS):
        server.close()


def lines(handle: int) -> "Iterator[bytes | None]":
    """Yield the lines of a handle; None for one that is too long."""
    parts, size = list[bytes](), 0
    while chunk := os.read(handle, CHUNK):
        *whole, rest = chunk.split(b"\n")
        for end in whole:
            size += len(end)
            yield b"".join([*parts, end]) if size <= MOST_LINE_BYTES else None
            parts, size = [], 0
        size += len(rest)
        if size <= MOST_LINE_BYTES:
            parts.append(rest)
        else:
            parts.clear()
    if size:
        yield b"".join(parts) if size <= MOST_LINE_BYTES else None


class Writer:
    """Writes whole messages to a handle, one after another."""

    def __init__(self, handle: int) -> None:
        self._handle, self._lock, self._is_gone = handle, threading.Lock(), False

    def send(self, message: "dict[str, Any]") -> None:
        """Write a message; nothing once the client is gone."""
        data = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
        with self._lock:
            try:
                while data and not self._is_gone:
                    data = data[os.write(self._handle, data) :]
            except OSError:
                self._is_gone = True


class Calls:
    """A few threads that run calls; they are started by the first one."""

    def __init__(self) -> None:
        self._waiting: list[Callable[[], None] | None] = []
        self._changed = threading.Condition()
        self._unfinished = 0
        self._threads: list[threading.Thread] = []

    def run(self, call: "Callable[[], None]") -> None:
        """Run a call in a thread; waits where too many are not finished."""
        with self._changed:
            self._changed.wait_for(lambda: self._unfinished < MOST_WAITING)
            self._waiting.append(call)
            self._unfinished += 1
            if len(self._threads) < min(THREADS, self._unfinished):
                self._threads.append(threading.Thread(target=self._work, daemon=True))
                self._threads[-1].start()
            self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._waiting))
                call = self._waiting.pop(0)
            if call is None:
                return
            call()
            with self._changed:
                self._unfinished -= 1
                self._changed.notify_all()

    def end(self, seconds: float) -> bool:
        """Wait until all calls are finished; return whether they are, after that many seconds at most."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._unfinished, seconds)
