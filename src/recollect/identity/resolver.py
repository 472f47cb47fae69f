"""Find out which project a checkout belongs to, and whether a person trusts its content."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from recollect.hooks.project_lookup import claimed_name
from recollect.model import clock, text
from recollect.model.clock import Clock
from recollect.project import lookup, project_rule
from recollect.project.checkout import Checkout, find_checkout
from recollect.project.lookup import Located
from recollect.project.project_rule import Identity
from recollect.store.protocols import SHALLOW, KnownCheckout, Store
from recollect.write import journal_rebuild

UNREAD = "unread:"  # prefix: the first commit could not be read while HEAD was at the commit that follows


@dataclass(frozen=True, slots=True)
class Standing:
    """Which project a checkout belongs to, and whether its content is trusted."""

    project: str
    """The name under which its memories are kept."""
    unproven: str = ""
    """The project that its remote names, where the clone shares no commit with it; empty where it does."""
    is_trusted: bool = False
    """Whether a person initialised or trusted this clone."""
    is_made_here: bool = False
    """Whether our own `write` created its vault."""
    is_repository: bool = False
    """Whether the checkout is a git repository."""
    uses_vault: bool = False
    """Whether its vault's files are read and written."""
    former: str = ""
    """The project that this clone belonged to before, and no clone with another remote; it is to be joined."""
    alias: str = ""
    """The remote's new name, which is to become an alias of the project; empty where there is none."""

    @property
    def is_foreign(self) -> bool:
        """Whether it is a git checkout that nobody trusted, and whose vault we did not create."""
        return self.is_repository and not self.is_trusted and not self.is_made_here


def resolve(store: Store, checkout: Checkout) -> Standing:
    """Return the project of a checkout, and whether its content and its remote's name are trusted."""
    known, claim = store.projects.checkouts(), claim_of(checkout)
    row = _located(known, checkout).row
    found = _identify(store, known, checkout, claim)
    project = found.project or checkout.root_name or checkout.path_name
    of_clone = _records_of_clone(known, checkout)
    of_clone.sort(key=lambda other: other.root != str(checkout.root))
    is_trusted = any(other.trusted for other in of_clone)
    former = row.project if row else ""
    is_left = bool(former) and former != project and _is_without_remote(known, checkout, former)
    return Standing(
        project=project,
        unproven=found.unproven,
        is_trusted=is_trusted,
        is_made_here=any(other.made_here for other in of_clone),
        is_repository=checkout.repository is not None,
        uses_vault=is_trusted and not of_clone[0].vault_off,
        former=former if is_left else "",
        alias=claim if found.is_renamed else "",
    )


def _records_of_clone(known: Sequence[KnownCheckout], checkout: Checkout) -> list[KnownCheckout]:
    """Return the records of a clone; of a folder that has become a repository since, the one from before.

    Only a repository without a remote was made of the folder itself: a clone in its place is somebody else's text.
    """
    found = [other for other in known if other.clone == checkout.clone]
    if found or checkout.repository is None or checkout.repository.remote_url():
        return found
    return [other for other in known if other.root == other.clone == str(checkout.root)]


def _located(known: Sequence[KnownCheckout], checkout: Checkout) -> Located:
    """Return the checkout with what is known of it."""
    root, found = str(checkout.root), checkout.repository
    if found is None:
        return lookup.Located(root, "", next((row for row in known if row.root == root == row.clone), None))
    return lookup.at_root(known, root, checkout.below, found)


def _identify(store: Store, known: Sequence[KnownCheckout], checkout: Checkout, claim: str) -> Identity:
    """Return what the one rule decides; clones that an older version met without their commits are looked at first."""
    found = project_rule.decide(store.projects, known, _located(known, checkout), checkout.repository, claim)
    claimed = store.projects.canonical(found.unproven) if found.unproven else None
    if not claimed or store.projects.commits(claimed).any:
        return found
    _pin_known_clones(store, claimed)
    known = store.projects.checkouts()
    return project_rule.decide(store.projects, known, _located(known, checkout), checkout.repository, claim)


def _is_without_remote(known: Sequence[KnownCheckout], checkout: Checkout, project: str) -> bool:
    """Whether no other clone has a remote that a project is known by: then the whole project goes with this clone."""
    own = (checkout.clone, str(checkout.root))
    return project not in project_rule.with_remote([row for row in known if row.clone not in own])


def claim_of(checkout: Checkout) -> str:
    """Return the project that a checkout's remote names, without tokens; empty without a remote."""
    return claimed_name(checkout.repository, checkout.below)


def _pin_known_clones(store: Store, project: str) -> None:
    """Record the first commits of clones that an older version knew, where they are still at the same path."""
    for known in store.projects.checkouts():
        if known.project != project or known.root_commit or not os.path.isdir(known.root):  # noqa: PTH112
            continue
        checkout = find_checkout(Path(known.root))
        if checkout.clone == known.clone:
            with store.writing(durable=False):
                store.projects.meet(replace(known, root_commit=_root_commit(checkout, known)))


def needs_meeting(store: Store, checkout: Checkout, standing: Standing, *, is_new: bool = True) -> bool:
    """Whether the record of a checkout is out of date, or missing; `is_new` is the answer where it is missing."""
    known = _row(store.projects.checkouts(), checkout)
    now = (standing.project, standing.unproven, claim_of(checkout))
    if known is None:
        was_plain = any(row.root == row.clone == str(checkout.root) for row in store.projects.checkouts())
        return is_new or bool(standing.former) or (was_plain and standing.is_trusted)
    if standing.alias or (known.project, known.unproven, known.remote) != now:
        return True
    is_open = not known.root_commit or known.root_commit.startswith(UNREAD)
    return is_open and checkout.head is not None and known.root_commit != _unread(checkout)


def meet(
    store: Store,
    checkout: Checkout,
    standing: Standing,
    *,
    now: Clock,
    actor: str,
) -> None:
    """Record a checkout with its first commit and its remote's name, in the store and in the journal."""
    known = record_of(store, checkout, standing)
    group, at = text.new_uid(now()), clock.stamp(now())
    with store.writing():
        store.projects.meet(known)
        entries = [journal_rebuild.meeting(known, group=group, at=at, actor=actor)]
        if standing.alias:
            store.projects.alias(standing.alias, standing.project)
            entries.append(journal_rebuild.naming(entries[0], standing.alias))
        store.record(entries)


def record_of(store: Store, checkout: Checkout, standing: Standing) -> KnownCheckout:
    """Return a checkout as it is to be recorded."""
    before = _row(store.projects.checkouts(), checkout)
    return KnownCheckout(
        root=str(checkout.root),
        project=standing.project,
        clone=checkout.clone,
        trusted=standing.is_trusted,
        root_commit=_root_commit(checkout, before),
        made_here=standing.is_made_here,
        unproven=standing.unproven,
        vault_off=standing.is_trusted and not standing.uses_vault,
        remote=claim_of(checkout),
    )


def _row(known: Sequence[KnownCheckout], checkout: Checkout) -> KnownCheckout | None:
    """Return the record of a checkout; None where there is none."""
    here = (str(checkout.root), checkout.clone)
    return next((row for row in known if (row.root, row.clone) == here), None)


def _root_commit(checkout: Checkout, before: KnownCheckout | None) -> str:
    """Return the first commit as it is recorded; SHALLOW for a shallow clone, `unread:` and HEAD where it fails."""
    if before and before.root_commit and not before.root_commit.startswith(UNREAD):
        return before.root_commit
    if checkout.repository is not None and checkout.repository.is_shallow:
        return SHALLOW
    return checkout.first_commit() or _unread(checkout)


def _unread(checkout: Checkout) -> str:
    """Return what is recorded where the first commit cannot be read: it is read again only when HEAD has moved."""
    return f"{UNREAD}{checkout.head}" if checkout.head else ""


def note_head(store: Store, checkout: Checkout, standing: Standing) -> None:
    """Record the commit that is checked out, so that a shallow clone of the project can be matched by it."""
    if standing.unproven or checkout.head is None or claim_of(checkout) == "":
        return
    known = store.projects.commits(standing.project)
    if checkout.head not in (*known.roots, *known.others):
        with store.writing(durable=False):
            store.projects.note_commit(standing.project, checkout.head)


def trusted(store: Store, standing: Standing) -> Standing:
    """Return the standing of a checkout once a person trusts it: its remote's name counts."""
    if not standing.unproven:
        return replace(standing, is_trusted=True)
    claimed = store.projects.canonical(standing.unproven) or standing.unproven
    return replace(standing, project=claimed, unproven="", is_trusted=True)
