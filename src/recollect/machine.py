"""The one place that knows what differs between operating systems: locks, modes, file systems."""

import contextlib
import os
import platform
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from recollect import file_lock
from recollect.errors import StoreBusy

if sys.platform == "win32":
    import msvcrt
else:
    import resource

FILE_MODE = 0o600
FOLDER_MODE = 0o700
MANY_FILES = 8_192
NETWORK_FILE_SYSTEMS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "fuse.sshfs"}
)


def make_folder(path: Path) -> None:
    """Create a folder and its parents, ours alone to read."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=FOLDER_MODE)


def set_binary(handle: int) -> None:
    """Read and write the bytes of a handle as they are: Windows changes line ends otherwise."""
    if sys.platform == "win32":  # pragma: no cover
        msvcrt.setmode(handle, os.O_BINARY)


def sync_folder(path: Path) -> None:
    """Make a rename in this folder survive a power cut, where the system allows it."""
    if sys.platform == "win32":  # pragma: no cover
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def lock(path: Path, *, timeout_seconds: float) -> Iterator[int]:
    """Hold a file or folder alone; yield its descriptor. Raises StoreBusy where it is not free within the time."""
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR | os.O_CREAT, FILE_MODE)
    try:
        deadline = time.monotonic() + timeout_seconds
        pause = 0.001
        while not file_lock.try_lock(descriptor):
            if time.monotonic() > deadline:
                raise StoreBusy("another process holds the lock", target=path)
            time.sleep(pause)
            pause = min(pause * 2, 0.02)
        yield descriptor
    finally:
        os.close(descriptor)


def limit_process(process: int, *, memory_bytes: int, cpu_seconds: int) -> None:
    """Bound the memory and the time that a process of ours may take, where the system can do that."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, ValueError):  # it has ended already, or its own limits are lower
            resource.prlimit(process, resource.RLIMIT_AS, (memory_bytes, memory_bytes))
            resource.prlimit(process, resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))


def raise_open_files() -> None:
    """Allow this process as many open files as the system lets it have: connections are files."""
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = hard if hard != resource.RLIM_INFINITY else MANY_FILES
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(wanted, MANY_FILES)), hard))


def host_name() -> str:
    """Return the name of this machine."""
    return platform.node()


def is_running(process: int) -> bool:
    """Whether a process of this machine runs; True where the system does not say."""
    if sys.platform == "win32" or process <= 0:  # pragma: no cover
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def is_network_folder(path: Path) -> bool:
    """Whether a folder lies on a network file system, where SQLite's WAL is not safe."""
    try:
        mounts = Path("/proc/mounts").read_text("utf-8").splitlines()
    except OSError:
        return False
    spots = [(fields[1], fields[2]) for line in mounts if len(fields := line.split()) > 2]
    whole = str(path.resolve())
    below = [(spot, kind) for spot, kind in spots if whole == spot or whole.startswith(spot.rstrip("/") + "/")]
    return bool(below) and max(below, key=lambda found: len(found[0]))[1] in NETWORK_FILE_SYSTEMS
