"""Describe a checkout as far as the claims of some memories need it: one call of git for each question, for all."""

import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from recollect.model.memory import Memory
from recollect.policy.verdicts import definitions, scripts, versions
from recollect.policy.verdicts.checkout_facts import CheckoutFacts, NamePlaces, PastCommit, lost_names, places_of
from recollect.policy.verdicts.checkout_paths import bare, is_outside
from recollect.policy.verdicts.claims import Claim
from recollect.policy.verdicts.path_finding import resolve
from recollect.project import checkout_listing, commit_history
from recollect.project.checkout import Checkout
from recollect.project.checkout_listing import Listing

MOST_NAMES = 4_000
"""At most that many names are looked for in one search; newer memories come first."""
MOST_SETTINGS_FILES = 60
SETTINGS_BYTES = 8_000_000
MOST_PROGRAMS = 300
MOST_NEW_FILES = 200
MOST_READ_FILES = 500
SIGNATURE_LINES = 20
NOT_READ = ("node_modules/", "vendor/", "third_party/")


@dataclass(frozen=True, slots=True)
class Asked:
    """A memory, what it names, and whether an earlier check of this branch settled what was known."""

    memory: Memory
    claims: Sequence[Claim]
    is_settled: bool


@dataclass(frozen=True, slots=True)
class Merged:
    """The commits with which memories were learnt: which of them the clone holds, and which are not merged here."""

    known: frozenset[str] = frozenset()
    unmerged: frozenset[str] = frozenset()


def merged(checkout: Checkout, memories: Iterable[Memory]) -> Merged:
    """Ask git which of the memories' commits it holds, and which are no ancestors of HEAD."""
    if checkout.repository is None or not checkout.has_history:
        return Merged()
    commits = {memory.commit for memory in memories if memory.commit}
    known = commit_history.known_commits(checkout.repository, commits)
    return Merged(frozenset(known), frozenset(commit_history.unmerged_commits(checkout.repository, known)))


@dataclass(frozen=True, slots=True)
class Place:
    """Where is looked: the checkout, and what belongs to the machine and to recollect itself."""

    checkout: Checkout
    search_path: str
    """The folders of programs, as PATH names them."""
    own_files: tuple[str, ...] = ()
    """Folders with memories as files: what these say is no evidence."""

    def lines(self, found: Sequence[tuple[str, str]] | None) -> list[tuple[str, str]]:
        """Return lines, each with its path, without those of memories."""
        return [pair for pair in found or () if not pair[0].startswith(self.own_files)]


def facts(place: Place, asked: Sequence[Asked], commits: Merged) -> CheckoutFacts | None:
    """Return the description of a checkout; None where git cannot list its files."""
    checkout = place.checkout
    listing = checkout_listing.listing(checkout)
    if listing is None:
        return None
    root = str(checkout.root)
    claims = [claim for one in asked for claim in one.claims]
    _hash_new_files(root, claims, listing)
    others, unreachable = checkout_listing.look_for(root, _unlisted(claims, listing, root))
    names = _names(claims)
    lines = checkout_listing.lines_with(checkout, names, listing.files)
    settings = _settings_files(root, listing)
    found = CheckoutFacts(
        listing.files, frozenset(listing.gone), frozenset(others), frozenset(unreachable), _digests(root, claims),
        names=places_of(place.lines(lines), names), scripts=scripts.read_scripts(settings),
        programs=_programs(claims, place.search_path), versions=versions.read_versions(settings), root=root,
        is_searched=lines is not None,
    )  # fmt: skip
    code = _Code(root)
    found = replace(
        found, signatures=_signatures(code, claims, found.names), owners=_owners(code, claims, found.names)
    )  # fmt: skip
    return _with_history(found, place, asked, commits)


def _hash_new_files(root: str, claims: Iterable[Claim], listing: Listing) -> None:
    """Hash files that git does not keep yet, where one of them may be a missing file at its new place."""
    anchored = {bare(claim.name, root) for claim in claims if claim.digest}
    if anchored <= listing.files.keys():
        return
    new = [path for path, blob in listing.files.items() if not blob][:MOST_NEW_FILES]
    listing.files |= {path: checkout_listing.digest(root, path) for path in new}


def _unlisted(claims: Iterable[Claim], listing: Listing, root: str) -> set[str]:
    """Return the paths that are named and not listed: ignored files, folders, and what is gone."""
    named = {bare(claim.name, root) for claim in claims if claim.kind == "path"}
    return {path for path in named if path not in listing.files and not is_outside(path)}


def _names(claims: Iterable[Claim]) -> list[str]:
    wanted = [name for claim in claims if claim.kind == "symbol" for name in (claim.name, claim.owner) if name]
    return list(dict.fromkeys(wanted))[:MOST_NAMES]


def _digests(root: str, claims: Iterable[Claim]) -> dict[str, str]:
    """Return the hashes of the files that memories have anchors of."""
    anchored = {bare(claim.name, root) for claim in claims if claim.digest}
    return {path: checkout_listing.digest(root, path) for path in anchored if not is_outside(path)}


def _settings_files(root: str, listing: Listing) -> dict[str, str]:
    """Return the text of the files that define commands and versions, those near the root first."""
    wanted = [path for path in listing.files if _is_settings(path.rpartition("/")[2]) and not _is_foreign(path)]
    chosen = sorted(wanted, key=lambda path: (path.count("/"), path))[:MOST_SETTINGS_FILES]
    read = ((path, checkout_listing.read(root, path, SETTINGS_BYTES)) for path in chosen)
    return {path: data.decode("utf-8", "replace") for path, data in read if data is not None}


def _is_settings(name: str) -> bool:
    return scripts.is_script_file(name) or versions.is_version_file(name)


def _is_foreign(path: str) -> bool:
    return path.startswith(NOT_READ) or any(f"/{folder}" in path for folder in NOT_READ)


def _programs(claims: Iterable[Claim], search_path: str) -> frozenset[str]:
    """Return the programs that are named and on the search path; its relative entries lead into the checkout."""
    wanted = dict.fromkeys(claim.name for claim in claims if claim.kind == "command")
    absolute = os.pathsep.join(entry for entry in search_path.split(os.pathsep) if Path(entry).is_absolute())
    bare_names = [name for name in wanted if "/" not in name][:MOST_PROGRAMS]
    return frozenset(name for name in bare_names if shutil.which(name, path=absolute))


class _Code:
    """The lines of files, each read once."""

    def __init__(self, root: str) -> None:
        self._root, self._lines = root, dict[str, list[str]]()

    def lines(self, path: str) -> list[str]:
        """Return the lines of a file; none where it cannot be read, or after the first 500 files."""
        if path not in self._lines:
            is_one_too_many = len(self._lines) >= MOST_READ_FILES
            data = b"" if is_one_too_many else checkout_listing.read(self._root, path) or b""
            self._lines[path] = data.decode("utf-8", "replace").split("\n")
        return self._lines[path]


def _owners(
    code: _Code, claims: Iterable[Claim], names: Mapping[str, NamePlaces]
) -> dict[tuple[str, str], frozenset[str]]:  # fmt: skip
    """Return the classes around the definitions of names that are written with an owner, where both are in a file."""
    found: dict[tuple[str, str], frozenset[str]] = {}
    for claim in claims:
        if claim.owner not in names or claim.name not in names:
            continue
        holders = {place.path for place in names[claim.owner].definitions}
        for path in holders & {place.path for place in names[claim.name].definitions}:
            if (path, claim.name) not in found:
                found[path, claim.name] = frozenset(definitions.owners_in(code.lines(path), claim.name))
    return found


def _signatures(code: _Code, claims: Iterable[Claim], names: Mapping[str, NamePlaces]) -> dict[str, list[str]]:
    """Return what stands in the parentheses of definitions whose parameters are named."""
    found: dict[str, list[str]] = {}
    for claim in claims:
        places = names[claim.name].definitions if claim.parameters and claim.name in names else []
        for defined in places[:5]:
            lines = code.lines(defined.path)
            at = lines.index(defined.line) if defined.line in lines else -1
            said = lines[at : at + SIGNATURE_LINES] if at >= 0 else [defined.line]
            found.setdefault(claim.name, []).append(definitions.signature(said))
    return {name: [said for said in signatures if said] for name, signatures in found.items()}


# -- history -----------------------------------------------------------------------------------------------------------


def _with_history(
    found: CheckoutFacts, place: Place, asked: Sequence[Asked], commits: Merged
) -> CheckoutFacts:  # fmt: skip
    """Add what happened to files and names that are missing, and which commits were reverted."""
    checkout = place.checkout
    repository = checkout.repository
    if repository is None or not checkout.has_history or not repository.head():
        return found
    base = _base(asked, commits, is_needed=lambda one: bool(_missing_paths(one.claims, found)))
    rows = commit_history.commits_since(repository, checkout.below, base)
    taught = [one.memory.commit for one in asked if one.memory.commit]
    past = [_past(row, taught) for row in rows]
    open_questions = [one for one in asked if not one.is_settled and _missing_names(one.claims, found)]
    names = sorted({name for one in open_questions for name in _missing_names(one.claims, found)})[:MOST_NAMES]
    since = _base(open_questions, commits, is_needed=lambda _: True)
    lines = commit_history.removed_lines(repository, checkout.below, since, names) if names else []
    return replace(found, commits=past, lost=lost_names(place.lines(lines), names))


def _base(asked: Sequence[Asked], commits: Merged, *, is_needed: Callable[[Asked], bool]) -> str:
    """Return the commit of the oldest memory; empty, for the whole history, where a needed one has none here."""
    usable = commits.known - commits.unmerged
    oldest = ""
    for one in sorted(asked, key=lambda one: one.memory.created_at):
        commit = one.memory.commit or ""
        if commit in usable:
            oldest = oldest or commit
        elif is_needed(one):
            return ""
    return oldest or "HEAD"


def _missing_paths(claims: Iterable[Claim], found: CheckoutFacts) -> list[str]:
    named = [bare(claim.name, found.root) for claim in claims if claim.kind == "path"]
    named += [bare(home, found.root) for claim in claims for home in claim.homes]
    return [path for path in named if not found.holds(path) and not resolve(path, found)]


def _missing_names(claims: Iterable[Claim], found: CheckoutFacts) -> set[str]:
    """Return the names without a definition, the parameters' functions, and the commands that nothing defines."""
    missing = set()
    for claim in claims:
        places = found.names.get(claim.name)
        if claim.kind == "symbol" and places is not None:
            has_all = all(
                any(definitions.holds_word(name, said) for said in found.signatures.get(claim.name, ()))
                for name in claim.parameters
            )
            if not places.definitions or claim.owner or not has_all:
                missing |= {claim.name, claim.owner} - {""}
        elif claim.kind == "command" and claim.name not in found.scripts.get(claim.owner, {}):
            missing |= {claim.name} if claim.owner != "program" else set()
    return missing


def _past(row: commit_history.CommitRow, taught: Sequence[str]) -> PastCommit:
    """Return a commit; a shortened id of what it reverts is written out where a memory was learnt with it."""
    reverts = [next((commit for commit in taught if commit.startswith(name)), name) for name in row.reverts]
    return PastCommit(row.id, tuple(reverts), row.changed, row.removed, row.renamed)
