"""Which project a folder belongs to, and what git says about its files."""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

VAULT_MARKS = (".claude/memory", ".recollect.toml", "memory-cold")
IN_PROGRESS = {
    "MERGE_HEAD": "a merge",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "index.lock": "a git command",
}
# A caller's git variables (inside a git hook, say) would point our questions at another repository.
_FOREIGN = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY")


@dataclass(frozen=True, slots=True)
class Checkout:
    """A project's root folder on this machine."""

    root: Path
    identities: tuple[str, ...]
    """What the project may be known as, best first: remote, root commit, path."""
    head: str | None = None
    git_dir: Path | None = None
    clone: str = ""
    """What its worktrees share, and what trust is given to."""

    @property
    def position(self) -> str | None:
        """Where HEAD stands, and the length of its log: two equal ones mean that it did not move in between."""
        if self.head is None or self.git_dir is None:
            return None
        log = self.git_dir / "logs" / "HEAD"
        return f"{self.head}@{log.stat().st_size if log.exists() else 0}"

    @property
    def branch(self) -> str | None:
        """The branch that is checked out; None when HEAD is detached or there is no git."""
        if self.git_dir is None:
            return None
        return git(self.root, "symbolic-ref", "--quiet", "--short", "HEAD")

    def signature(self) -> tuple[int, ...]:
        """What changes when HEAD moves, for two `stat`s."""
        marks = [self.git_dir / "HEAD", self.git_dir / "logs" / "HEAD"] if self.git_dir else []
        stats = [mark.stat() for mark in marks if mark.exists()]
        return tuple(number for one in stats for number in (one.st_mtime_ns, one.st_size))

    def interrupted(self) -> str | None:
        """What git is in the middle of, if anything."""
        if self.git_dir is None:
            return None
        return next((what for mark, what in IN_PROGRESS.items() if (self.git_dir / mark).exists()), None)


def git(folder: Path, *arguments: str) -> str | None:
    """What git answers, without the last newline; None when it fails or is not there."""
    env = {key: value for key, value in os.environ.items() if key not in _FOREIGN}
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, timeout=30, check=False, env=env
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace").rstrip("\n") if done.returncode == 0 else None


def find(path: Path) -> Checkout:
    """The checkout around a path: the nearest folder with a vault, else git's top folder, else the path itself."""
    path = path.resolve()
    whole = _find_whole(path)
    below = [up for up in (path, *path.parents) if whole.root in up.parents]
    nearest = next((up for up in below if (up / VAULT_MARKS[0]).is_dir()), None)
    return _part(whole, nearest) if nearest else whole


def _find_whole(path: Path) -> Checkout:
    folder = next(up for up in (path, *path.parents) if up.is_dir())
    answer = git(folder, "rev-parse", "--show-toplevel", "--absolute-git-dir", "--git-common-dir")
    if not answer:
        root = next((up for up in (folder, *folder.parents) if _is_marked(up)), folder)
        return Checkout(root, (f"path:{root}",), clone=str(root))
    return _git_checkout(folder, answer.split("\n"))


def at_root(root: Path) -> Checkout:
    """The checkout of a vault whose root the caller named; below git's top folder it is a project of its own."""
    return _part(_find_whole(root.resolve()), root.resolve())


def _part(whole: Checkout, root: Path) -> Checkout:
    if whole.root == root:
        return whole
    if whole.git_dir is None:
        return Checkout(root, (f"path:{root}",), clone=str(root))
    below = root.relative_to(whole.root).as_posix()
    named = tuple(f"{identity}//{below}" for identity in whole.identities)
    return Checkout(root, named, whole.head, whole.git_dir, f"{whole.clone}//{below}")


def _is_marked(folder: Path) -> bool:
    return folder != Path.home() and any((folder / mark).exists() for mark in VAULT_MARKS)


def _git_checkout(folder: Path, lines: list[str]) -> Checkout:
    root, git_dir = Path(lines[0]).resolve(), Path(lines[1])
    common = (folder / lines[2]).resolve()
    head_now = head(root)
    identities = [remote for remote in [_remote(root)] if remote]
    first = first_commit(root) if head_now and not identities else None
    if first:
        identities.append(f"root:{first}")
    return Checkout(root, (*identities, f"path:{root}"), head_now, git_dir, f"{common}@{_made_at(common)}")


def _made_at(common: Path) -> int:
    """When a clone was made: git writes this file once, so another clone at the same path differs."""
    made = common / "description"
    return made.stat().st_mtime_ns if made.exists() else common.stat().st_ino


def head(root: Path) -> str | None:
    """The commit that is checked out; None before the first."""
    return git(root, "rev-parse", "--quiet", "--verify", "HEAD")


def first_commit(root: Path) -> str | None:
    """The commit that a repository began with."""
    roots = git(root, "rev-list", "--max-parents=0", "HEAD")
    return min(roots.split()) if roots else None


def _remote(root: Path) -> str | None:
    listing = git(root, "config", "--get-regexp", r"^remote\..*\.url$") or ""
    remotes = dict(line.split(" ", 1) for line in listing.splitlines() if " " in line)
    chosen = remotes.get("remote.origin.url") or next(iter(remotes.values()), None)
    if chosen and chosen.startswith(("./", "../")):
        chosen = str((root / chosen).resolve())
    return normalise_remote(chosen) if chosen else None


def normalise_remote(url: str) -> str:
    """`host/owner/name` for every spelling of one remote; no user, token, port or `.git`."""
    url = url.strip().rstrip("/").removesuffix(".git").rstrip("/")
    match = re.match(r"^(?:[a-z+]+://)(?:[^/]*@)?(\[[^\]]+\]|[^/:]+)(?::\d+)?/(.+)$", url) or re.match(
        r"^(?:[^@/]*@)?([^/:]{2,}):(?!//)(.+)$", url
    )
    if not match:
        return "file:" + url.removeprefix("file://")
    host, path = match.groups()
    return f"{host.lower()}/{path.strip('/')}"


def commit_of(position: str | None) -> str | None:
    """The commit of a position."""
    return position.partition("@")[0] if position else None


def deleted_here(root: Path) -> set[str]:
    """The tracked paths, from the checkout's root, that somebody removed from the working tree."""
    return {name for name in (git(root, "ls-files", "--deleted", "-z") or "").split("\0") if name}


def is_modified(root: Path, path: str) -> bool:
    """Whether a file differs from the last commit: somebody is working on it here."""
    return bool(git(root, "status", "--porcelain", "--", path))


def is_tracked(place: Path) -> bool:
    """Whether git keeps the history of a file."""
    return git(place.parent, "ls-files", "--error-unmatch", "--", place.name) is not None


def is_ancestor(root: Path, old: str, new: str) -> bool:
    """Whether history leads from one commit to the other."""
    return git(root, "merge-base", "--is-ancestor", old, new) is not None


def removed_between(root: Path, old: str, new: str) -> set[str]:
    """The paths, from the checkout's root, that a commit on the way from old to new deleted."""
    listing = git(
        root, "log", "--full-history", "-m", "--no-renames", "--diff-filter=D", "--name-only", "--format=", "-z",
        "--relative", f"{old}..{new}", "--", ".",
    )  # fmt: skip
    return {name.strip("\n") for name in (listing or "").split("\0") if name.strip("\n")}


def commit_paths(checkout: Checkout, paths: list[str], message: str) -> str | None:
    """Commit just these paths; returns what went wrong, if anything. What else is staged stays staged."""
    if checkout.git_dir is None:
        return "not a git repository"
    busy = checkout.interrupted()
    if busy:
        return f"{busy} is in progress"
    existing = [path for path in paths if (checkout.root / path).exists()]
    if existing and git(checkout.root, "add", "--", *existing) is None:
        return "git add failed (is the vault ignored?)"
    known = set((git(checkout.root, "ls-files", "-z", "--", *paths) or "").split("\0"))
    gone = (git(checkout.root, "ls-tree", "-r", "-z", "--name-only", "HEAD", "--", *paths) or "").split("\0")
    relevant = sorted({path for path in (*known, *gone) if path})
    if not relevant or git(checkout.root, "diff", "--quiet", "HEAD", "--", *relevant) is not None:
        return None
    done = git(checkout.root, "commit", "--quiet", "--only", "-m", message, "--", *relevant)
    return None if done is not None else "git commit failed (a hook, or no identity?)"
