"""Which project a checkout belongs to, and whether its text is trusted."""

from recollect.lifecycle import rebuild
from recollect.model import clock, text
from recollect.model.clock import Clock
from recollect.project import Checkout
from recollect.store.base import KnownCheckout, Store


def name(store: Store, checkout: Checkout) -> str:
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


def _former_name(store: Store, checkout: Checkout) -> str | None:
    # A clone is told by its path and by when it was made; a folder may have been met before it became one.
    names = {checkout.clone, str(checkout.root)}
    met = sorted((one for one in store.checkouts() if one.clone in names), key=lambda one: one.clone != checkout.clone)
    return met[0].project if met else None


def is_trusted(store: Store, checkout: Checkout) -> bool:
    """Whether somebody vouched for this clone; its worktrees are the same text."""
    return any(one.trusted and one.clone == checkout.clone for one in store.checkouts())


def meet(store: Store, checkout: Checkout, project_name: str, *, trusted: bool, now: Clock, actor: str) -> None:
    """Remember a checkout, in the journal too."""
    known = KnownCheckout(str(checkout.root), project_name, checkout.clone, trusted)
    with store.writing():
        store.meet(known)
        store.record([rebuild.meeting(known, group=text.new_uid(now()), at=clock.stamp(now()), actor=actor)])
