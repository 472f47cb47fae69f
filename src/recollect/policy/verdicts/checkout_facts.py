"""What is known of a checkout: its files, definitions, scripts, versions, and what happened to files before."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from recollect.policy.verdicts.definitions import holds_word, is_comment, is_definition, is_searched


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file that defines a name."""

    path: str
    line: str


@dataclass
class NamePlaces:
    """Where a name stands in code."""

    definitions: list[Place] = field(default_factory=list)
    mentions: dict[str, None] = field(default_factory=dict)
    """The files that use it, in order."""
    owners: set[str] = field(default_factory=set)
    """What stands before it and a dot: objects, modules and classes."""


@dataclass(frozen=True, slots=True)
class PastCommit:
    """A commit of the history: what it changed, and which commit it took back."""

    id: str
    reverts: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()


@dataclass
class LostNames:
    """Names in lines that commits removed."""

    defined: set[str] = field(default_factory=set)
    """Those that a removed line defined."""
    used: set[str] = field(default_factory=set)
    """Those that a removed line of code held."""
    lines: dict[str, list[Place]] = field(default_factory=dict)
    """All removed lines with each name."""


@dataclass(frozen=True)
class CheckoutFacts:
    """A description of a checkout, as far as the claims of some memories need it."""

    files: Mapping[str, str]
    """Every file that is there, by its path from the root, with its blob's hash; empty for a file git does not keep."""
    gone: frozenset[str] = frozenset()
    """Files that git keeps and somebody removed from the working tree."""
    others: frozenset[str] = frozenset()
    """Further paths that exist: ignored files, and folders without a listed file."""
    unreachable: frozenset[str] = frozenset()
    """Paths that a link leads out of the checkout: nothing is said about them."""
    digests: Mapping[str, str] = field(default_factory=dict)
    """The hash of the content of files that a memory has an anchor of."""
    names: Mapping[str, NamePlaces] = field(default_factory=dict)
    """Where names stand; a name that was not looked for has no entry."""
    signatures: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What stands between the parentheses of each definition of a name."""
    owners: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    """The classes around the definitions of a name in a file, by path and name; empty at the top of the file."""
    scripts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    programs: frozenset[str] = frozenset()
    """Programs that are on the search path."""
    versions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    commits: Sequence[PastCommit] = ()
    """The history, newest first."""
    lost: LostNames = field(default_factory=LostNames)
    root: str = ""
    is_searched: bool = True
    """Whether names could be looked for at all; False where the search failed."""

    @cached_property
    def by_name(self) -> dict[str, list[str]]:
        """The paths of the files with each name."""
        found: dict[str, list[str]] = {}
        for path in self.files:
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    @cached_property
    def folders(self) -> frozenset[str]:
        """Every folder that holds a listed file."""
        found: set[str] = set()
        for path in self.files:
            parent = path.rpartition("/")[0]
            while parent and parent not in found:
                found.add(parent)
                parent = parent.rpartition("/")[0]
        return frozenset(found)

    @cached_property
    def by_digest(self) -> dict[str, str]:
        """The first file with each content."""
        found: dict[str, str] = {}
        for path, digest in self.files.items():
            if digest:
                found.setdefault(digest, path)
        return found

    @cached_property
    def renames(self) -> list[tuple[str, str]]:
        """Every rename of the history, oldest first."""
        return [pair for commit in reversed(self.commits) for pair in commit.renamed]

    @cached_property
    def removed(self) -> dict[str, str]:
        """Every path that a commit removed, with the newest commit that did."""
        found: dict[str, str] = {}
        for commit in self.commits:
            for path in commit.removed:
                found.setdefault(path, commit.id)
        return found

    @cached_property
    def reverted(self) -> dict[str, PastCommit]:
        """The commits that were taken back, each with the commit that did; without those that came back."""
        by_target: dict[str, PastCommit] = {}
        for commit in self.commits:  # newest first: a revert that was itself taken back does not count
            if commit.id not in by_target:
                by_target |= dict.fromkeys(commit.reverts, commit)
        return by_target

    def holds(self, path: str) -> bool:
        """Return whether a path is there, as a file or a folder."""
        bare = path.rstrip("/")
        return bare in self.files or bare in self.folders or bare in self.others


def places_of(lines: Sequence[tuple[str, str]], wanted: Sequence[str]) -> dict[str, NamePlaces]:
    """Return where names stand, from the lines of code that hold one of them, each with its path."""
    found = {name: NamePlaces() for name in wanted}
    for path, line in lines:
        if not is_searched(path) or is_comment(line):
            continue
        for name in words_of(line) & found.keys():
            places = found[name]
            if is_definition(name, line):
                places.definitions.append(Place(path, line))
            places.mentions.setdefault(path)
            places.owners |= owners_of(name, line)
    return found


def lost_names(lines: Sequence[tuple[str, str]], wanted: Sequence[str]) -> LostNames:
    """Return what lines that commits removed say of names, each line with its path."""
    found, odd = LostNames(), [name for name in wanted if not name.replace("$", "_").isidentifier()]
    plain = set(wanted) - set(odd)
    for path, line in lines:
        is_code = is_searched(path) and not is_comment(line)
        for name in [*(words_of(line) & plain), *(name for name in odd if holds_word(name, line))]:
            found.lines.setdefault(name, []).append(Place(path, line))
            if is_code:
                found.used.add(name)
                found.defined |= {name} if is_definition(name, line) else set()
    return found


def words_of(line: str) -> set[str]:
    """Return the words of a line, as names of code are written."""
    return set("".join(sign if sign.isalnum() or sign in "_$" else " " for sign in line[:MOST_LINE_CHARS]).split())


def owners_of(name: str, line: str) -> set[str]:
    """Return what stands before a name and a dot in a line: `b` and `c` of `b.name + c::name`."""
    found: set[str] = set()
    for separator in (".", "::", "->", "#"):
        pieces = line.split(separator + name)
        for before, after in itertools.pairwise(pieces):
            if not (after[:1].isalnum() or after[:1] == "_"):
                found |= {_last_word(before)}
    return found - {""}


def _last_word(text: str) -> str:
    end = len(text)
    while end and (text[end - 1].isalnum() or text[end - 1] in "_$"):
        end -= 1
    return text[end:]


MOST_LINE_CHARS = 2_000
"""A longer line is generated; only its beginning is read."""
