"""State, retract and revert facts."""

from recollect.errors import NotFound, Refused
from recollect.model.change import Assert, Retract, Revert
from recollect.model.fact import Fact
from recollect.write.group import Group
from recollect.write.outcome import Outcome


def state(group: Group, change: Assert) -> Outcome:
    """Add a fact; an identical one gets the new confidence and time instead (D13)."""
    store, fact = group.context.store.facts, change.fact
    known = store.same(fact)
    if known is None:
        return _put(group, "asserted", None, fact)
    source = fact.source or known.source
    update = {"confidence": fact.confidence, "source": source, "updated_at": group.now}
    return _put(group, "refreshed", known, known.model_copy(update=update))


def retract(group: Group, change: Retract) -> Outcome:
    """Remove a fact from the store; the journal keeps it. Raises NotFound."""
    fact = group.context.store.facts.get(change.uid)
    if fact is None:
        raise NotFound("there is no such fact", target=change.uid, fix="`recollect fact list` shows every fact.")
    group.context.store.facts.remove(change.uid)
    group.add_entry("retracted", fact, None, reason=change.reason)
    return Outcome("retracted", fact)


def revert(group: Group, change: Revert, image: Fact | None) -> Outcome:
    """Put back a fact as it was before a change, or remove it; raises Refused where it was changed elsewhere since."""
    now = group.context.store.facts.get(change.uid)
    if now != change.leaves:
        raise Refused(
            "the fact was changed since, in another checkout or process", target=change.uid, code="UNDO_ERROR"
        )
    if image is not None:
        return _put(group, "undone", now, image, undoes=change.undoes)
    if now is None:
        raise Refused("nothing is left to undo", target=change.uid, code="UNDO_ERROR")
    group.context.store.facts.remove(change.uid)
    group.add_entry("undone", now, None, undoes=change.undoes)
    return Outcome("undone", now)


def _put(group: Group, action: str, before: Fact | None, after: Fact, *, undoes: str | None = None) -> Outcome:
    group.context.store.facts.put(after)
    group.add_entry(action, before, after, undoes=undoes)
    return Outcome(action, after)
