"""The history of a checkout as values: which commits are merged, what each changed, and which lines were removed."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from recollect.project import git
from recollect.project.repository import Repository

MOST_COMMITS = 3_000
"""At most that many commits are read, the newest ones."""
COMMIT = "\x1e"
REVERTS = re.compile(r"\bThis reverts commit ([0-9a-f]{7,64})\b")
ID = re.compile(r"[0-9a-f]{40,64}")
QUIET = ("--no-color", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--ignore-submodules=all")


@dataclass(frozen=True, slots=True)
class CommitRow:
    """A commit, what it did to files (paths from the project's root), and the ids of the commits that it reverts."""

    id: str
    reverts: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()


def known_commits(repository: Repository, commits: Iterable[str]) -> set[str]:
    """Return those of the commits that the repository holds."""
    asked = [commit for commit in dict.fromkeys(commits) if ID.fullmatch(commit)]
    if not asked:
        return set()
    answer = git.ask(repository, "cat-file", "--batch-check", given="".join(f"{name}\n" for name in asked).encode())
    rows = (answer or b"").decode("ascii", "replace").splitlines()
    return {row.split()[0] for row in rows if row.split()[1:2] == ["commit"]}


def unmerged_commits(repository: Repository, commits: Iterable[str]) -> set[str]:
    """Return those of the commits, which the repository has to hold, that are no ancestors of HEAD."""
    asked = set(commits)
    if not asked or not repository.head():
        return set()
    given = "".join(f"{commit}\n" for commit in [*sorted(asked), f"^{repository.head()}"]).encode()
    answer = git.ask(repository, "rev-list", "--stdin", given=given)
    return asked & set((answer or b"").decode("ascii", "replace").split())


def commits_since(repository: Repository, below: str, base: str) -> list[CommitRow]:
    """Return the commits behind `base` up to HEAD, newest first; without a base the whole history. At most 3,000."""
    answer = git.ask(
        repository, "log", f"--max-count={MOST_COMMITS}", f"--format={COMMIT}%H%x00%B%x00", "--name-status", "-M", "-z",
        "--relative", *QUIET, f"{base}..HEAD" if base else "HEAD", "--", ".", below=below,
    )  # fmt: skip
    return [_commit(part) for part in (answer or b"").split(COMMIT.encode()) if part.strip(b"\0\n")]


def _commit(part: bytes) -> CommitRow:
    name, message, *rest = part.split(b"\0")
    changed, removed, renamed = list[str](), list[str](), list[tuple[str, str]]()
    fields = iter(os.fsdecode(field.lstrip(b"\n")) for field in rest)
    for status in fields:
        if status[:1] == "R":
            pair = (next(fields, ""), next(fields, ""))
            renamed.append(pair)
            changed += pair
        elif status[:1] == "C":
            next(fields, "")
            changed.append(next(fields, ""))
        elif status:
            path = next(fields, "")
            changed.append(path)
            if status[:1] == "D":
                removed.append(path)
    reverts = tuple(REVERTS.findall(message.decode("utf-8", "replace")))
    return CommitRow(name.decode("ascii", "replace").strip(), reverts, tuple(changed), tuple(removed), tuple(renamed))


def removed_lines(
    repository: Repository, below: str, base: str, names: Sequence[str]
) -> list[tuple[str, str]] | None:  # fmt: skip
    """Return the lines with one of the names that commits behind `base` removed, newest first, each with its path.

    None where git cannot tell, because it fails or the answer is too long.
    """
    if not names:
        return []
    pattern = "(^|[^[:alnum:]_])(" + "|".join(map(re.escape, names)) + ")($|[^[:alnum:]_])"
    answer = git.ask(
        repository, "log", f"--max-count={MOST_COMMITS}", "--format=", "-p", "-U0", "--no-renames", "--relative",
        *QUIET, f"-G{pattern}", f"{base}..HEAD" if base else "HEAD", "--", ".", below=below,
    )  # fmt: skip
    return None if answer is None else list(_removed(answer))


def _removed(answer: bytes) -> Iterator[tuple[str, str]]:
    path = ""
    for row in answer.split(b"\n"):
        if row.startswith(b"--- "):
            path = os.fsdecode(row[4:]).removeprefix("a/").strip('"')
        elif row.startswith(b"-"):
            yield path, row[1:].decode("utf-8", "replace")
