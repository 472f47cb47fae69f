"""Read a git repository's plain files, without starting git. Import-light, because hooks use it.

A folder can come from anywhere, so nothing in it is trusted by itself. A bare repository inside a folder is not a
repository here, only a `.git` entry is. A `.git` file counts when the other side names this folder too, as git's own
worktrees and submodules do; a `.git` link never does.
"""

import os
import stat

from recollect import foreign_files
from recollect.project import git_config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LINE_BYTES = 4_096
CONFIG_BYTES = 1_000_000
REFS_BYTES = 64_000_000  # a repository with a million branches and tags
HEX = frozenset("0123456789abcdef")
BRANCH = "ref: refs/heads/"


class Repository:
    """A checkout of a git repository.

    `top` is the folder that holds the `.git` entry, `git_dir` the checkout's own git folder, `common` what worktrees
    share. They are empty when the repository is not the folder's own (see `is_own`).
    """

    __slots__ = ("clone", "common", "git_dir", "top")

    def __init__(self, top: str, git_dir: str, common: str) -> None:
        self.top, self.git_dir, self.common = top, git_dir, common
        self.clone = _clone_key(common) if common else _link_key(top)
        """A key that is different for every clone; worktrees of a clone share it."""

    @property
    def is_own(self) -> bool:
        """Whether git's folder belongs to this checkout: inside it, or linked from both sides."""
        return bool(self.git_dir)

    @property
    def is_shallow(self) -> bool:
        """Whether history was cut off when it was cloned."""
        return os.path.lexists(os.path.join(self.common, "shallow"))

    @property
    def has_other_references(self) -> bool:
        """Whether git keeps references in a form that plain files do not show (`reftable`)."""
        return self.config().get("extensions.refstorage", ["files"])[-1].lower() != "files"

    def config(self) -> dict[str, list[str]]:
        """Return the settings of the repository's own file; files that it includes are not read."""
        said = _read(os.path.join(self.common, "config"), self.common, CONFIG_BYTES) if self.common else b""
        return git_config.parse(said.decode("utf-8", "replace"))

    def remote_url(self) -> str:
        """Return the address of `origin`, else of the first remote; empty where there is none."""
        urls = {name: values[0] for name, values in self.config().items() if _is_remote_url(name)}
        url = urls.get("remote.origin.url") or next(iter(urls.values()), "")
        return os.path.normpath(os.path.join(self.top, url)) if url.startswith(("./", "../")) else url

    def head(self) -> str:
        """Return the commit that is checked out; empty before the first commit, or if it cannot be read."""
        said = self._head_line()
        return _commit_id(said) or (self._ref(said[5:].strip()) if said.startswith("ref: ") else "")

    def branch(self) -> str:
        """Return the branch that is checked out; empty if HEAD is detached."""
        said = self._head_line()
        return said[len(BRANCH) :].strip() if said.startswith(BRANCH) else ""

    def has_branch(self, name: str) -> bool:
        """Return whether a branch of this name exists here, or at `origin` as it was last fetched."""
        return any(self._ref(f"refs/{where}/{name}") for where in ("heads", "remotes/origin"))

    def _head_line(self) -> str:
        return _line(self.git_dir, "HEAD") if self.git_dir else ""

    def _ref(self, name: str) -> str:
        """Return the commit that a reference names: from its own file, else from the packed ones."""
        if not name.startswith("refs/"):
            return ""
        loose = _line(self.common, name)
        if loose.startswith("ref: refs/"):  # a symbolic branch: rare, and one step is enough
            loose = _line(self.common, loose[5:].strip())
        packed = "" if _commit_id(loose) else self._packed_ref(name)
        return _commit_id(loose) or packed

    def _packed_ref(self, name: str) -> str:
        data = b"\n" + _read(os.path.join(self.common, "packed-refs"), self.common, REFS_BYTES)
        before, found, _ = data.partition(f" {name}\n".encode("utf-8", "replace"))
        return _commit_id(before.rpartition(b"\n")[2].decode("ascii", "replace")) if found else ""


def around(folder: str) -> "Repository | None":
    """Return the repository that a folder lies in; None where there is none."""
    folder = os.path.realpath(folder)
    while True:
        entry = os.path.join(folder, ".git")
        try:
            mode = os.lstat(entry).st_mode
        except OSError:
            mode = 0
        found = _at(folder, entry, mode) if mode else None
        if found:
            return found
        up = os.path.dirname(folder)
        if up == folder:
            return None
        folder = up


def _at(top: str, entry: str, mode: int) -> "Repository | None":
    """Return the repository of a `.git` entry; None if git would look further up."""
    if stat.S_ISDIR(mode):
        if not _is_git_folder(entry):
            return None
        return Repository(top, entry, entry) if _is_owners(entry) else Repository(top, "", "")
    if stat.S_ISREG(mode):
        return _linked(top, entry)
    return Repository(top, "", "")


def _linked(top: str, entry: str) -> "Repository | None":
    """Return the repository that a `.git` file points to, if that one points back."""
    said = _line(top, ".git")
    if not said.startswith("gitdir:"):
        return None
    git_dir = os.path.realpath(os.path.join(top, said[7:].strip()))
    nobodys = Repository(top, "", "")
    if not _is_owners(git_dir):
        return nobodys
    if _is(os.path.join(git_dir, "commondir"), stat.S_ISREG):
        common = os.path.dirname(os.path.dirname(git_dir))
        if not _is_worktree_of(git_dir, common):
            return nobodys
        is_linked_back = _leads_to(git_dir, _line(git_dir, "gitdir"), entry)
    elif _is_git_folder(git_dir):  # a submodule's
        common = git_dir
        named = Repository(top, git_dir, git_dir).config().get("core.worktree", [""])[0]
        is_linked_back = _leads_to(git_dir, named, top)
    else:
        return nobodys
    return Repository(top, git_dir, common) if is_linked_back else nobodys


def _is_worktree_of(git_dir: str, common: str) -> bool:
    """Whether the shared folder itself lists this worktree; naming the shared folder is not enough."""
    is_listed = os.path.dirname(git_dir) == os.path.join(common, "worktrees") and _is_git_folder(common)
    return is_listed and _leads_to(git_dir, _line(git_dir, "commondir"), common)


def _leads_to(base: str, said: str, wanted: str) -> bool:
    return bool(said) and os.path.realpath(os.path.join(base, said)) == os.path.realpath(wanted)


def _is_git_folder(folder: str) -> bool:
    return _is(os.path.join(folder, "HEAD"), stat.S_ISREG) and _is(os.path.join(folder, "objects"), stat.S_ISDIR)


def _is(path: str, kind: "Callable[[int], bool]") -> bool:
    """Whether a path has a file type; links are not followed."""
    try:
        return kind(os.lstat(path).st_mode)
    except OSError:
        return False


def _is_owners(folder: str) -> bool:
    """Whether a git folder belongs to the user who runs us; git makes the same check."""
    if not hasattr(os, "geteuid"):  # pragma: no cover - Windows
        return True
    try:
        owner = os.lstat(folder).st_uid
    except OSError:
        return False
    return owner == os.geteuid() or (os.geteuid() == 0 and str(owner) == os.environ.get("SUDO_UID"))


def _clone_key(common: str) -> str:
    """Return a clone's key: its path and the time when git wrote `description`, which it does once."""
    try:
        return f"{common}@{os.lstat(os.path.join(common, 'description')).st_mtime_ns}"
    except OSError:
        return f"{common}@{os.lstat(common).st_ino}"


def _link_key(top: str) -> str:
    """Return the key of a folder whose `.git` is not its own; a real clone at the same path has another."""
    found = os.lstat(os.path.join(top, ".git"))
    return f"{top}@link:{found.st_ino}:{found.st_mtime_ns}"


def _is_remote_url(name: str) -> bool:
    return name.startswith("remote.") and name.endswith(".url")


def _commit_id(said: str) -> str:
    return said if len(said) in (40, 64) and set(said) <= HEX else ""


def _line(folder: str, name: str) -> str:
    """Return the first line of a small file in a folder; empty if it cannot be read."""
    data = _read(os.path.join(folder, name), folder, LINE_BYTES)
    return data.decode("utf-8", "replace").partition("\n")[0].strip()


def _read(path: str, root: str, most_bytes: int) -> bytes:
    try:
        return foreign_files.read(path, root=root, most_bytes=most_bytes)
    except (OSError, ValueError):
        return b""
