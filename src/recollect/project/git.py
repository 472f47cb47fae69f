"""Start git so that it cannot run other programs or connect, and never with a repository's settings.

No other module starts git. A repository's own configuration can name programs (`core.sshCommand`, filters, hooks,
pagers, signing) and files to include. So git does not see it: questions are asked of a private git folder that is made
for the call. It has our own configuration, links to the repository's objects, and the commit that is checked out. Links
inside the repository's object folder, and alternates, are left out, because they would lead out of it.

`auto_commit` alone works on the real git folder, with plumbing commands that run no hooks and no filters, after a
person has initialised or trusted the checkout. The switches below hold for both.
"""

import contextlib
import os
import shutil
import signal
import stat
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from recollect import machine
from recollect.project.repository import Repository

TIME_LIMIT_SECONDS = 30.0
MOST_BYTES = 64_000_000

# Older gits ignore switches that they do not know, so only commands that need none of them are let through.
QUESTIONS = frozenset({"cat-file", "rev-list", "merge-base", "log", "ls-files", "ls-tree", "status", "grep"})
WRITES = frozenset({"hash-object", "read-tree", "update-index", "write-tree", "commit-tree", "update-ref"})

SWITCHES = (
    ("protocol.allow", "never"),  # no remote is asked for anything
    ("safe.bareRepository", "explicit"),
    ("core.fsmonitor", "false"),  # may name a program
    ("core.untrackedCache", "false"),
    ("core.hooksPath", os.devnull),
    ("core.sshCommand", "false"),
    ("core.askPass", ""),
    ("core.editor", "false"),
    ("core.pager", "cat"),
    ("core.alternateRefsCommand", ""),
    ("core.attributesFile", os.devnull),
    ("core.excludesFile", os.devnull),
    ("core.useReplaceRefs", "false"),
    ("credential.helper", ""),
    ("diff.external", ""),
    ("diff.ignoreSubmodules", "all"),
    ("submodule.recurse", "false"),
    ("fetch.recurseSubmodules", "false"),
    ("status.submoduleSummary", "false"),
    ("log.showSignature", "false"),
    ("commit.gpgSign", "false"),
    ("tag.gpgSign", "false"),
    ("gpg.program", "false"),
    ("gpg.ssh.program", "false"),
    ("gpg.x509.program", "false"),
    ("core.packedGitWindowSize", "32m"),  # so that a large pack fits into the memory that git may have
    ("core.packedGitLimit", "1g"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
)

KEPT_VARIABLES = ("PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "SYSTEMROOT", "USERPROFILE")
WHO_COMMITS = tuple(f"GIT_{who}_{what}" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL", "DATE"))
VARIABLES = {
    "LC_ALL": "C",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_PROTOCOL_FROM_USER": "0",
    "GIT_SSH_COMMAND": "false",
    "GIT_ASKPASS": "",
    "GIT_PAGER": "cat",
    "GIT_EDITOR": "false",
    "GIT_ATTR_NOSYSTEM": "1",
}
# For questions not even the user's own settings are needed.
NO_SETTINGS = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}

# The settings of a repository about comparing files that are used, with the allowed values.
YES_OR_NO = frozenset({"true", "false"})
BELIEVED_SETTINGS = {
    "core.repositoryformatversion": frozenset({"0", "1"}),
    "core.filemode": YES_OR_NO,
    "core.symlinks": YES_OR_NO,
    "core.ignorecase": YES_OR_NO,
    "core.precomposeunicode": YES_OR_NO,
    "core.autocrlf": YES_OR_NO | {"input"},
    "core.eol": frozenset({"lf", "crlf", "native"}),
    "extensions.objectformat": frozenset({"sha1", "sha256"}),
}
INDEX_FILES = ("index", "shallow")
OBJECT_INFO = ("commit-graph", "packs")
OBJECT_FOLDERS = frozenset({"pack", *(f"{number:02x}" for number in range(256))})
MEMORY_BYTES = 4_000_000_000
CPU_SECONDS = 60


def ask(
    repository: Repository, *question: str, below: str = "", given: bytes = b"", no_answer: int = 0
) -> bytes | None:
    """Return what git answers to a question about a repository, at most 64 MB of it.

    `below` is the folder under its top that paths are relative to; `given` goes to standard input. `no_answer` is the
    exit code by which a command says that it found nothing (1 for `grep`). None where git is missing, fails, takes
    longer than 30 seconds, or where the repository is not the folder's own.
    """
    if not repository.is_own:
        return None
    with _private_git_folder(repository) as folder:
        env = VARIABLES | NO_SETTINGS | {"GIT_DIR": folder, "GIT_WORK_TREE": repository.top}
        return _start(QUESTIONS, os.path.join(repository.top, below), question, env, folder, given, no_answer)


def write(
    repository: Repository, *command: str, env: Mapping[str, str], given: bytes = b"", index: str = ""
) -> bytes | None:
    """Run one plumbing command of a commit in the real git folder; return what it prints, or None where it fails.

    `env` is the caller's environment: author and committer are taken from it. `index` names another index file.
    """
    if not repository.is_own:
        return None
    who = {name: env[name] for name in WHO_COMMITS if name in env}
    places = {"GIT_DIR": repository.git_dir, "GIT_WORK_TREE": repository.top}
    places |= {"GIT_INDEX_FILE": index} if index else {}
    with tempfile.TemporaryDirectory(prefix="recollect-git-") as folder:
        return _start(WRITES | QUESTIONS, repository.top, command, VARIABLES | who | places, folder, given)


def _start(  # noqa: PLR0917 - what a process is made of
    allowed: frozenset[str],
    where: str,
    command: Sequence[str],
    variables: Mapping[str, str],
    folder: str,
    given: bytes,
    no_answer: int = 0,
) -> bytes | None:
    """Start git in a private folder and return its output; None where it fails."""
    if command[0] not in allowed:
        raise ValueError(f"git {command[0]} is not a command that recollect runs")
    env = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ} | dict(variables)
    program = shutil.which("git", path=_absolute_only(env.get("PATH", os.defpath)))
    if program is None:
        return None
    switches = [part for name, value in SWITCHES for part in ("-c", f"{name}={value}")]
    try:
        process = subprocess.Popen(
            [program, "--no-pager", *switches, "-C", where, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=env,
            start_new_session=True,
        )
    except (OSError, ValueError):
        return None
    machine.limit_process(process.pid, memory_bytes=MEMORY_BYTES, cpu_seconds=CPU_SECONDS)
    return _output(process, given, no_answer)


def _absolute_only(path: str) -> str:
    """Return a search path without relative entries: those would look into the folder that is asked about."""
    return os.pathsep.join(entry for entry in path.split(os.pathsep) if os.path.isabs(entry))


def _output(process: "subprocess.Popen[bytes]", given: bytes, no_answer: int) -> bytes | None:
    """Return what a process prints; it is ended when it takes too long or prints too much."""
    assert process.stdin is not None  # noqa: S101 - both are pipes
    assert process.stdout is not None  # noqa: S101
    timer = threading.Timer(TIME_LIMIT_SECONDS, _end, (process,))
    timer.start()
    try:
        with contextlib.suppress(OSError):
            process.stdin.write(given)
        with contextlib.suppress(OSError):
            process.stdin.close()
        output = process.stdout.read(MOST_BYTES + 1)
        if len(output) > MOST_BYTES:
            _end(process)
        process.stdout.close()
        code = process.wait()
    finally:
        timer.cancel()
    return output if code in (0, no_answer) else None


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a process and whatever it started."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:  # pragma: no cover - Windows
            process.kill()


@contextlib.contextmanager
def _private_git_folder(repository: Repository) -> Iterator[str]:
    """Make a git folder that shows a repository's history and index, and nothing else of it."""
    with tempfile.TemporaryDirectory(prefix="recollect-git-") as name:
        folder, common, own = Path(name), Path(repository.common), Path(repository.git_dir)
        (folder / "refs").mkdir()
        (folder / "HEAD").write_text(f"{repository.head() or 'ref: refs/heads/none'}\n", "ascii")
        (folder / "config").write_text(_believed_config(repository), "utf-8")
        for name_inside in INDEX_FILES:
            _link(own / name_inside, folder / name_inside)
        for shared in _shared_indexes(own):
            _link(shared, folder / shared.name)
        _link_objects(common / "objects", folder / "objects")
        yield name


def _shared_indexes(git_dir: Path) -> list[Path]:
    try:
        return list(git_dir.glob("sharedindex.*"))
    except OSError:
        return []


def _believed_config(repository: Repository) -> str:
    said = repository.config()
    lines = ["[core]\n\tbare = false\n"]
    for name, values in BELIEVED_SETTINGS.items():
        value = said.get(name, [""])[-1].lower()
        if value in values:
            section, _, key = name.partition(".")
            lines.append(f"[{section}]\n\t{key} = {value}\n")
    return "".join(lines)


def _link_objects(real: Path, private: Path) -> None:
    """Link the folders of an object store that hold objects; `info` would lead to other stores."""
    private.mkdir()
    (private / "info").mkdir()
    for name in OBJECT_INFO:
        _link(real / "info" / name, private / "info" / name)
    with contextlib.suppress(OSError), os.scandir(real) as entries:
        for entry in entries:
            is_plain = entry.name in OBJECT_FOLDERS and entry.is_dir(follow_symlinks=False)
            if is_plain and not _holds_links(entry.path):
                _link(Path(entry.path), private / entry.name)


def _holds_links(folder: str) -> bool:
    try:
        with os.scandir(folder) as entries:
            return any(not entry.is_file(follow_symlinks=False) for entry in entries)
    except OSError:
        return True


def _link(real: Path, private: Path) -> None:
    """Link one file or folder, unless it is missing, out of reach, or neither."""
    with contextlib.suppress(OSError):
        mode = real.lstat().st_mode
        if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
            private.symlink_to(real)
