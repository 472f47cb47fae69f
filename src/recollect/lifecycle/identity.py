"""Which project a checkout belongs to, and whether its text is trusted (design §2)."""

from recollect import project
from recollect.lifecycle import rebuild
from recollect.model import clock, text
from recollect.model.clock import Clock
from recollect.project import Checkout
from recollect.store.base import KnownCheckout
from recollect.store.sqlite import SqliteStore


def name(store: SqliteStore, checkout: Checkout) -> str:
    """The name that the project's memories are kept under; a remote that was added or renamed carries them over."""
    best = checkout.identities[0]
    known = store.canonical(best)
    if known:
        return known
    former = _former_name(store, checkout)
    if former:
        with store.writing(durable=False):
            store.alias(best, former)
    return former or best


def _former_name(store: SqliteStore, checkout: Checkout) -> str | None:
    met = next((one for one in store.checkouts() if one.root == str(checkout.root)), None)
    if met is None:
        return None
    is_same = met.first_commit is None or met.first_commit == project.first_commit(checkout.root)
    return met.project if is_same else None


def is_trusted(store: SqliteStore, checkout: Checkout) -> bool:
    """Whether somebody vouched for this clone; its worktrees are the same text."""
    return any(one.trusted and one.clone == checkout.clone for one in store.checkouts())


def meet(store: SqliteStore, checkout: Checkout, project_name: str, *, trusted: bool, now: Clock, actor: str) -> None:
    """Remember a checkout; giving it trust is journalled, so that a rebuild knows where the vaults are."""
    first = project.first_commit(checkout.root) if checkout.head else None
    known = KnownCheckout(str(checkout.root), project_name, checkout.clone, first, trusted)
    with store.writing():
        store.meet(known)
        if trusted:
            entry = rebuild.trust_entry(known, group=text.new_uid(now()), at=clock.stamp(now()), actor=actor)
            store.record([entry])
