"""Processes that are there at once: forked from one that has loaded the program and done nothing else.

A process of its own costs half a second before it does anything. Where that it *is* one is the point, and not how it
is started, a fork is as good: it has its own locks, limits and rights, and can be killed.
"""

import ctypes
import fcntl
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import termios
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import connection, reduction
from pathlib import Path
from typing import Any

from recollect.faces.cli.main import COMMANDS

CAPABILITIES = (1, 2)  # dac_override and dac_read_search: what lets root pass every check
CAPABILITY_VERSION = 0x20080522
PR_CAPBSET_DROP = 24

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(
    [
        "recollect.pipeline.worker",
        "recollect.pipeline.inbox_processor",
        "recollect.library.open_workspace",
        "recollect.setup.doctor.checks",
        *sorted({f"recollect.faces.cli.{module}" for module in COMMANDS.values()}),
    ]
)

# Starting a process reads the exit codes of all others. Each can be read once: two threads at it make one of them 255.
_exit_codes = threading.Lock()


class _Handle:
    """An open file that is passed on to a fork."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __reduce__(self) -> Any:
        return _number_of, (reduction.DupFd(self.number),)


def _number_of(passed: Any) -> int:
    number: int = passed.detach()
    return number


class Forked:
    """What a test does with a process, as `subprocess.Popen` has it."""

    def __init__(
        self,
        function: Callable[..., None],
        args: tuple[Any, ...],
        *,
        env: dict[str, str],
        cwd: Path,
        limit: int | None = None,
        is_unprivileged: bool = False,
    ) -> None:
        (out, out_end), (problem, problem_end) = os.pipe(), os.pipe()
        how = {"env": env, "cwd": str(cwd), "limit": limit, "is_unprivileged": is_unprivileged}
        handed = (function, args, how, _Handle(out_end), _Handle(problem_end))
        self._process = _forks.Process(target=_begin, args=handed, daemon=True)
        with _exit_codes:
            self._process.start()
        os.close(out_end)
        os.close(problem_end)
        self.stdout, self.stderr = os.fdopen(out, encoding="utf-8"), os.fdopen(problem, encoding="utf-8")

    @property
    def pid(self) -> int:
        assert self._process.pid  # a signal to 0 would reach this process too
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        with _exit_codes:
            return self._process.exitcode

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        connection.wait([self._process.sentinel], timeout)
        code = self.returncode
        if code is None:
            raise subprocess.TimeoutExpired(str(self._process), timeout or 0)
        return code

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        with ThreadPoolExecutor(2) as pool, self.stdout, self.stderr:
            parts = [pool.submit(one.read) for one in (self.stdout, self.stderr)]
            try:
                self.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
            out, problem = (part.result() for part in parts)
        return out, problem

    def kill(self) -> None:
        self._process.kill()

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)


def _begin(function: Callable[..., None], args: tuple[Any, ...], how: dict[str, Any], out: int, problem: int) -> None:
    """In the fork: become what an interpreter would have been that was started so."""
    for number, handle in ((1, out), (2, problem)):
        os.dup2(handle, number)
        os.close(handle)
    sys.stdout = open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(how["env"])
    os.chdir(how["cwd"])
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs the tests behind itself ignores it
    if how["limit"] is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (how["limit"], how["limit"]))
        sys.dont_write_bytecode = True  # or half a compiled module stays behind for everybody else
    if how["is_unprivileged"] and os.geteuid() == 0:
        _give_up_rights()
    function(*args)


def start_on_terminal(function: Callable[..., None], *args: str, env: dict[str, str], cwd: Path, terminal: int) -> Any:
    """A fork whose input, output and controlling terminal are the given pseudo-terminal."""
    handed = (function, args, env, str(cwd), _Handle(terminal))
    process = _forks.Process(target=_begin_on_terminal, args=handed, daemon=True)
    process.start()
    return process


def _begin_on_terminal(
    function: Callable[..., None], args: tuple[str, ...], env: dict[str, str], cwd: str, terminal: int
) -> None:
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    for number in (0, 1, 2):
        os.dup2(terminal, number)
    os.close(terminal)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    function(*args)


def _give_up_rights() -> None:
    """Root passes every permission check unless it gives up the right to."""
    libc = ctypes.CDLL(None, use_errno=True)
    header, held = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)()
    assert libc.capget(header, held) == 0
    for number in CAPABILITIES:
        assert libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0) == 0
        held[0] &= ~(1 << number)
        held[1] &= ~(1 << number)
    assert libc.capset(header, held) == 0


def run_program(*args: str) -> None:
    """The command line, in a fork."""
    from recollect.faces.cli import main

    main(list(args))
