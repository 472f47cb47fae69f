"""Questions to git about a checkout's history and files; the answer is empty or False if git cannot tell."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from recollect.project import commits, git
from recollect.project.repository import Repository


def first_commit(repository: Repository) -> str:
    """Return the commit that the checked out history began with; empty where there is none, or history is cut off."""
    if repository.is_shallow or not repository.head():
        return ""
    answer = git.ask(repository, "rev-list", "--max-parents=0", "HEAD")
    roots = sorted((answer or b"").decode("ascii", "replace").split())
    return roots[0] if roots and commits.holds_commit(repository, roots[:1]) else ""


def is_ancestor(repository: Repository, old: str, new: str) -> bool:
    """Return whether the old commit is an ancestor of the new one."""
    return git.ask(repository, "merge-base", "--is-ancestor", old, new) is not None


def removed_between(repository: Repository, below: str, old: str, new: str) -> set[str]:
    """Return the paths, from a folder below the top, that a commit on the way from old to new deleted."""
    return _paths(
        git.ask(
            repository, "log", "--full-history", "-m", "--no-renames", "--diff-filter=D", "--name-only", "--format=",
            "-z", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--ignore-submodules=all", "--relative",
            f"{old}..{new}", "--", ".", below=below,
        )
    )  # fmt: skip


def deleted_here(repository: Repository, below: str) -> set[str]:
    """Return the tracked paths, from a folder below the top, that somebody removed from the working tree."""
    return _paths(git.ask(repository, "ls-files", "--deleted", "-z", below=below))


def is_modified(repository: Repository, below: str, path: str) -> bool:
    """Return whether a file differs from the last commit."""
    question = ("status", "--porcelain", "--ignore-submodules=all", "--no-renames", "--", f":(literal){path}")
    return bool(git.ask(repository, *question, below=below))


def is_tracked(repository: Repository, path: str) -> bool:
    """Return whether git keeps the history of a file; its path is from the top."""
    return git.ask(repository, "ls-files", "--error-unmatch", "--", f":(literal){path}") is not None


def _paths(listing: bytes | None) -> set[str]:
    names = (listing or b"").decode("utf-8", "surrogateescape").split("\0")
    return {name.strip("\n") for name in names if name.strip("\n")}


def commit_paths(repository: Repository, paths: Iterable[str], message: str, env: Mapping[str, str]) -> str | None:
    """Commit just these paths, given from the top; return what went wrong, or None. What else is staged stays staged.

    Hooks and filters do not run: each file is stored as it is.
    """
    return _Commit(repository, env).make(list(paths), message)


class _Commit:
    """A commit made with plumbing commands."""

    def __init__(self, repository: Repository, env: Mapping[str, str]) -> None:
        self.repository, self.env = repository, env

    def make(self, paths: list[str], message: str) -> str | None:
        """Write the files' contents, a tree, the commit, and move the branch to it; return what went wrong, or None."""
        head = self.repository.head()
        wanted = self._entries(paths)
        if wanted is None:
            return "a file could not be read, or is ignored by git"
        changed = {path: entry for path, entry in wanted.items() if entry != self._committed(path)}
        if not changed:
            return None
        tree = self._tree(head, changed)
        made = self._run("commit-tree", tree, *(("-p", head) if head else ()), given=message.encode()) if tree else None
        if not made:
            return "git commit failed (is user.name and user.email set?)"
        if self._run("update-ref", "-m", f"commit: {message}", "HEAD", made, head or "0" * len(made)) is None:
            return "the branch was moved by another process"
        self._stage(changed, index="")
        return None

    def _run(self, *command: str, given: bytes = b"", index: str = "") -> str | None:
        answer = git.write(self.repository, *command, env=self.env, given=given, index=index)
        return None if answer is None else answer.decode("utf-8", "surrogateescape").strip("\n\0")

    def _entries(self, paths: list[str]) -> dict[str, str] | None:
        """Return mode and object of each path, empty where the file is gone; None where one cannot be stored."""
        found = {}
        for path in paths:
            place = Path(self.repository.top) / path
            if not place.exists():
                found[path] = ""
                continue
            if self._is_ignored(path):
                return None
            blob = self._run("hash-object", "-w", "--no-filters", "--", str(place))
            if not blob:
                return None
            found[path] = f"100644 {blob}"
        return found

    def _is_ignored(self, path: str) -> bool:
        listed = self._run("ls-files", "--others", "--ignored", "--exclude-standard", "-z", "--", f":(literal){path}")
        return bool(listed)

    def _committed(self, path: str) -> str:
        if not self.repository.head():
            return ""
        listed = self._run("ls-tree", "-z", "HEAD", "--", path) or ""
        mode, _, rest = listed.partition(" ")
        return f"{mode} {rest.partition(' ')[2].partition(chr(9))[0]}" if rest else ""

    def _tree(self, head: str, changed: Mapping[str, str]) -> str | None:
        """Return the tree of the last commit with the changed paths in it."""
        draft = f"{self.repository.git_dir}/recollect-index"
        try:
            if self._run("read-tree", *((head,) if head else ("--empty",)), index=draft) is None:
                return None
            return self._run("write-tree", index=draft) if self._stage(changed, index=draft) else None
        finally:
            Path(draft).unlink(missing_ok=True)

    def _stage(self, changed: Mapping[str, str], index: str) -> bool:
        """Put the changed paths into an index file; into git's own if none is named."""
        lines = [f"{entry} 0\t{path}" if entry else f"0 {'0' * 40}\t{path}" for path, entry in changed.items()]
        given = "".join(f"{line}\0" for line in lines).encode("utf-8", "surrogateescape")
        return self._run("update-index", "-z", "--index-info", given=given, index=index) is not None
