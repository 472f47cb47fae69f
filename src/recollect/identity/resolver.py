"""Find out which project a checkout belongs to, and whether a person trusts its content."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from recollect.hooks.project_lookup import claimed_name
from recollect.model import clock, text
from recollect.model.clock import Clock
from recollect.project import commits
from recollect.project.checkout import Checkout, find_checkout
from recollect.project.lookup import project_of_source
from recollect.store.protocols import SHALLOW, KnownCheckout, Store, is_commit
from recollect.write import journal_rebuild

UNREAD = "unread:"  # prefix: the first commit could not be read while HEAD was at the commit that follows
OWN_NAMES = ("clone:", "root:", "path:")  # prefixes of project names that come from a folder or history, not a remote


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
    """The name that only this clone had before it could prove its project; memories under it are to be joined."""

    @property
    def is_foreign(self) -> bool:
        """Whether it is a git checkout that nobody trusted, and whose vault we did not create."""
        return self.is_repository and not self.is_trusted and not self.is_made_here


def resolve(store: Store, checkout: Checkout) -> Standing:
    """Return the project of a checkout, and whether its content and its remote's name are trusted."""
    met = _met(store, checkout)
    former = met[0].project if met else ""
    project, unproven = _named(store, checkout, former)
    of_clone = [known for known in met if known.clone == checkout.clone]
    is_trusted = any(known.trusted for known in of_clone)
    is_left = former != project and former.startswith(OWN_NAMES) and _is_alone(store, checkout, former)
    return Standing(
        project=project,
        unproven=unproven,
        is_trusted=is_trusted,
        is_made_here=any(known.made_here for known in of_clone),
        is_repository=checkout.repository is not None,
        uses_vault=is_trusted and not of_clone[0].vault_off,
        former=former if is_left else "",
    )


def _is_alone(store: Store, checkout: Checkout, project: str) -> bool:
    """Whether no other clone belongs to a project."""
    return all(known.clone == checkout.clone for known in store.projects.checkouts() if known.project == project)


def _met(store: Store, checkout: Checkout) -> list[KnownCheckout]:
    """Return the known checkouts of this clone; last, the folder as it was known before it became a clone."""
    names = {checkout.clone, str(checkout.root)}
    met = [
        known for known in store.projects.checkouts() if known.clone in names or _was_met_before_proofs(known, checkout)
    ]
    return sorted(met, key=lambda known: (known.clone != checkout.clone, known.root != str(checkout.root)))


def _was_met_before_proofs(known: KnownCheckout, checkout: Checkout) -> bool:
    """Whether an older version knew the checkout at this path, whose `.git` is a link that no longer proves a clone."""
    is_linked = checkout.repository is not None and not checkout.repository.is_own
    return is_linked and known.root == str(checkout.root) and not known.root_commit


def _named(store: Store, checkout: Checkout, former: str) -> tuple[str, str]:
    """Return the project's name, and the name that the remote claims without proof (empty where there is none)."""
    claim = claim_of(checkout)
    if not claim:
        return former or _own_name(store, checkout), ""
    known = store.projects.canonical(claim)
    source = "" if known or former else _source(store, checkout)
    if source:
        return source, ""
    if known is None:  # the first clone under this name: a new project, or an old one whose remote has another name now
        if former:
            with store.writing(durable=False):
                store.projects.alias(claim, former)
        return former or claim, ""
    if known == former or _is_proven(store, checkout, known):
        return known, ""
    return former or f"clone:{checkout.clone}", claim


def _source(store: Store, checkout: Checkout) -> str:
    """Return the project of the known checkout that a clone was made from; empty if it shares no commit with it."""
    claim = claimed_name(checkout.repository) if checkout.repository else ""
    project = project_of_source(store.projects.checkouts(), claim, checkout.below)
    return project if project and _is_proven(store, checkout, project) else ""


def claim_of(checkout: Checkout) -> str:
    """Return the project that a checkout's remote names, without tokens; empty without a remote."""
    name = claimed_name(checkout.repository) if checkout.repository else ""
    return f"{name}//{checkout.below}" if name and checkout.below else name


def _own_name(store: Store, checkout: Checkout) -> str:
    """Return the name of a checkout without a remote: by its first commit, else by its folder."""
    first = checkout.root_name
    return (store.projects.canonical(first) or first) if first else checkout.path_name


def _is_proven(store: Store, checkout: Checkout, project: str) -> bool:
    """Whether a clone shares a commit with the clones of a project that are known here."""
    known = store.projects.commits(project)
    if not (known.roots or known.others):
        _pin_known_clones(store, project)
        known = store.projects.commits(project)
    return checkout.repository is not None and commits.is_clone_of(checkout.repository, known.roots, known.others)


def _pin_known_clones(store: Store, project: str) -> None:
    """Record the first commits of clones that an older version knew, where they are still at the same path."""
    for known in store.projects.checkouts():
        if known.project != project or known.root_commit or not os.path.isdir(known.root):  # noqa: PTH112
            continue
        checkout = find_checkout(Path(known.root))
        if checkout.clone == known.clone:
            with store.writing(durable=False):
                store.projects.meet(replace(known, root_commit=_root_commit(checkout, known)))


def needs_meeting(store: Store, checkout: Checkout, standing: Standing) -> bool:
    """Whether the record of a checkout is missing or out of date."""
    known = _row(store.projects.checkouts(), checkout)
    if known is None or (known.project, known.unproven) != (standing.project, standing.unproven):
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
    """Record a checkout with its first commit, in the store and in the journal."""
    before = _row(store.projects.checkouts(), checkout)
    known = KnownCheckout(
        root=str(checkout.root),
        project=standing.project,
        clone=checkout.clone,
        trusted=standing.is_trusted,
        root_commit=_root_commit(checkout, before),
        made_here=standing.is_made_here,
        unproven=standing.unproven,
        vault_off=standing.is_trusted and not standing.uses_vault,
    )
    with store.writing():
        store.projects.meet(known)
        _alias_root(store, checkout, known)
        store.record([journal_rebuild.meeting(known, group=text.new_uid(now()), at=clock.stamp(now()), actor=actor)])


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


def _alias_root(store: Store, checkout: Checkout, known: KnownCheckout) -> None:
    """Record the first commit as an alias of a project without a remote, so that a moved folder is recognised."""
    if not is_commit(known.root_commit) or known.unproven or claim_of(checkout):
        return
    name = f"root:{known.root_commit}" + (f"//{checkout.below}" if checkout.below else "")
    if name != known.project and store.projects.canonical(name) is None:
        store.projects.alias(name, known.project)


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
