"""Judge by grammar whether a newer statement takes an older one back, may do so, narrows it, or is unrelated to it.

Certain is a reversal only of the same subject and with an explicit turn: what is given up is named ("we moved from yarn
to pnpm"), or a new value is given for the same setting ("the api port is now 9090"). Shared words are no reason.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from recollect.model.words import stemmer
from recollect.policy.reversals import endings, families, same_subject
from recollect.policy.reversals.reader import read
from recollect.policy.reversals.statement import Statement, Thing
from recollect.policy.reversals.verdict import Verdict

LONGEST_EXCEPTION = 12
"""Words that say something of an exception at most: a longer text is a story."""
FEWEST_SHARED = 2
"""Words that an exception has in common with its rule at least, where it names nothing that the rule decides."""


_CLAUSES = re.compile(r"[,;:.!\u2013\u2014](?=\s)\s+|\s(?:and|und)\s")
FEWEST_OF_SUBJECT = 2
"""Words of an older statement that a clause names at least, of which it says that they ended."""
MEASURES = ("number", "duration", "size")
"""Sorts of values of which a setting has one."""
ADDITIVE = frozenset(("support", "accept", "includ", "add", "cover", "handl", "contain", "exist"))
"""Verbs that hold for many values at once: support for Node 20 does not end that for Node 18."""


@dataclass(frozen=True, slots=True)
class _Conflict:
    """Two statements that cannot both hold.

    `is_named`: the newer one names what it gives up. `is_new_value`: it is the same sentence with another value.
    """

    is_named: bool = False
    is_new_value: bool = False
    narrower: frozenset[str] = frozenset()
    """Words of the newer statement by which it holds for less than the older one."""
    settled: frozenset[str] = frozenset()
    """The names and values that stand against each other: they do not narrow."""
    wider: frozenset[str] = frozenset()
    """Words of the older statement by which that holds for less than the newer one."""


def judge(new: str, old: str) -> Verdict:
    """Return what a newer statement does to an older one.

    Where the whole sentence leaves it open, a clause that gives up by name what the older one wants decides: the rest
    of the sentence often says what comes instead.
    """
    verdict = _judge(new, old)
    if verdict is Verdict.REVERSED or read(new).is_exception:
        return verdict
    clauses = [clause for clause in _CLAUSES.split(new) if clause and clause.strip()]
    is_given_up = len(clauses) > 1 and any(_gives_up(clause, old) for clause in clauses)
    if is_given_up or same_subject.takes_back(new, old):
        return Verdict.REVERSED
    return _by_ending(clauses, old) if verdict is Verdict.UNRELATED else verdict


def _by_ending(clauses: Sequence[str], old: str) -> Verdict:
    """Return what clauses do to an older statement that say that something ended, if all that they name is in it."""
    older = read(old)
    ended = [read(endings.without_endings(clause)) for clause in clauses if endings.has_ended(clause)]
    is_same = any(len(newer.words) >= FEWEST_OF_SUBJECT and newer.words <= older.words for newer in ended)
    return Verdict.REVERSED if is_same and not endings.has_ended(old) else Verdict.UNRELATED


def _gives_up(clause: str, old: str) -> bool:
    """Whether a clause names what it gives up, and that is what an older statement wants."""
    newer = read(clause)
    is_wanted = any(_wants(read(old), thing) for thing in newer.given_up) or bool(newer.old_members)
    return is_wanted and _judge(clause, old) is Verdict.REVERSED


def _judge(new: str, old: str) -> Verdict:
    newer, older = read(new), read(old)
    if _gives_up_the_same(newer, older):
        return Verdict.UNRELATED
    conflict = _conflict(newer, older)
    if newer.is_exception and not newer.given_up and not (conflict and newer.has_turn):
        return Verdict.NARROWED if conflict or _is_about(newer, older) else Verdict.UNRELATED
    if conflict is None:
        return Verdict.UNRELATED
    about = newer.about | older.about | conflict.settled
    narrower = (newer.scope | conflict.narrower) - older.words - about - _wanted_names(newer)
    wider = (older.scope | conflict.wider) - newer.words - about - _wanted_names(older)
    if narrower:
        return Verdict.UNRELATED if wider else Verdict.NARROWED
    is_certain = newer.has_turn and (conflict.is_named or not wider)
    if is_certain or (conflict.is_new_value and not wider):
        return Verdict.REVERSED
    return Verdict.MAYBE_REPLACED


def _gives_up_the_same(new: Statement, old: Statement) -> bool:
    """Whether both statements take the same thing back: the newer one says it again."""
    stems = {thing.stems for thing in new.given_up} & {thing.stems for thing in old.given_up}
    return bool(stems) or bool(new.retracted and old.retracted)


def is_dependent(new: str) -> bool:
    """Whether a statement is an exception to what was said just before: "in the examples it is fine, though"."""
    statement = read(new)
    return statement.is_exception and not statement.has_own_subject


def names_a_rule(new: str) -> bool:
    """Whether a statement takes a rule back by naming its subject alone: "forget the rule about commits"."""
    return bool(read(new).retracted)


def differ(new: str, old: str) -> bool:
    """Whether two statements name other numbers, names or values, or only one of them forbids something."""
    newer, older = read(new), read(old)
    is_other = newer.values != older.values or newer.named != older.named
    return is_other or newer.is_negative != older.is_negative or newer.old_values != older.old_values


def _conflict(new: Statement, old: Statement) -> _Conflict | None:
    return (
        _retraction(new, old)
        or _given_up(new, old)
        or _other_name(new, old)
        or _wanted_again(new, old)
        or _other_value(new, old)
        or _forbidden_now(new, old)
        or _ended_state(new, old)
    )


def _retraction(new: Statement, old: Statement) -> _Conflict | None:
    """Return the conflict of "forget the rule about X" with a rule that has every word of X."""
    return _Conflict(is_named=True) if new.retracted and new.retracted <= old.words else None


def _given_up(new: Statement, old: Statement) -> _Conflict | None:
    """What the newer statement gives up is what the older one wants."""
    for name, members in new.old_members.items():
        if members & old.members.get(name, frozenset()) and not members & new.members.get(name, frozenset()):
            is_choice = any(family.is_choice for member in members for family in families.families(member))
            if is_choice or _same_key(new, old):
                return _Conflict(is_named=bool(new.given_up), settled=_settled(name, new, old))
    if any(_wants(old, thing) for thing in new.given_up):
        return _Conflict(is_named=True)
    return None


def _wants(statement: Statement, thing: Thing) -> bool:
    """Whether a statement wants a thing to be used, or an action to be done."""
    stems = frozenset(thing.stems)
    if thing.is_value and not thing.is_action:  # "Node 18" is a thing, "18" is none
        return len(stems) > 1 and stems <= statement.words and not statement.is_negative
    if thing.is_action:
        return not statement.is_negative and len(stems) > 1 and stems <= statement.words and _begins(statement, thing)
    return any(_is_same_thing(thing.stems, wanted) for wanted in statement.adopted)


def _begins(statement: Statement, thing: Thing) -> bool:
    return statement.first == thing.stems[0]


def _is_same_thing(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Whether two names mean the same thing: equal, or one is the end of the other ("the legacy billing api")."""
    shorter, longer = sorted((left, right), key=len)
    if not shorter or longer[-len(shorter) :] != shorter:
        return False
    return len(shorter) == len(longer) or len(shorter) > 1


def _other_name(new: Statement, old: Statement) -> _Conflict | None:
    """Both want a name of the same family, and not the same one: pnpm and yarn."""
    for name, members in new.members.items():
        wanted = old.members.get(name, frozenset())
        if not wanted or wanted & members:
            continue
        family = next(family for family in families.families(next(iter(members))) if family.name == name)
        others = new.old_members.get(name, frozenset())
        if others and not others & wanted:  # "from mysql to postgres" says nothing about sqlite
            continue
        if family.is_choice:
            return _Conflict(is_named=bool(others & wanted), settled=_settled(name, new, old))
    return None


def _wanted_again(new: Statement, old: Statement) -> _Conflict | None:
    """The newer statement wants what the older one rejects."""
    for name, members in old.old_members.items():
        if members & new.members.get(name, frozenset()) and not new.is_negative:
            is_choice = any(family.is_choice for member in members for family in families.families(member))
            if is_choice or _same_key(new, old):
                return _Conflict(is_named=True, settled=_settled(name, new, old))
    if new.is_negative:
        return None
    for thing in old.rejected:
        stems = frozenset(thing.stems)
        is_wanted = any(_is_same_thing(thing.stems, wanted) for wanted in new.adopted)
        is_done = len(stems) > 1 and stems <= new.words
        if is_wanted or is_done:
            return _Conflict(is_named=True)
    return None


def _forbidden_now(new: Statement, old: Statement) -> _Conflict | None:
    """The newer statement rejects what the older one wants."""
    if old.is_negative:
        return None
    is_rejected = any(_wants(old, thing) for thing in new.rejected)
    return _Conflict() if is_rejected else None


def _ended_state(new: Statement, old: Statement) -> _Conflict | None:
    """What the older statement says of a thing no longer holds: "staging is no longer shared"."""
    for thing in new.given_up:
        state = frozenset(thing.stems)
        if thing.is_action and state <= old.words and (new.words - state) & (old.words - state):
            return _Conflict(is_named=True)
    return None


def _other_value(new: Statement, old: Statement) -> _Conflict | None:
    """Both give a value of one sort for the same thing, and not the same value."""
    sorts = [sort for sort, values in new.values.items() if old.values.get(sort) and not values & old.values[sort]]
    if not sorts or (new.is_negative != old.is_negative and not new.old_values):
        return None
    is_named = any(new.old_values & old.values[sort] for sort in sorts)
    if new.key & ADDITIVE and not is_named:
        return None
    settled = frozenset(stemmer.stem(value.lower()) for sort in sorts for value in new.values[sort] | old.values[sort])
    settled |= frozenset(stem for sort in sorts for stem in _settled(sort, new, old))
    key, before = new.key - settled, old.key - settled
    if key == before and (key or is_named):
        is_plain = new.is_setting and old.is_setting and sorts[0] in MEASURES
        return _Conflict(is_named=is_named, is_new_value=is_plain, settled=settled)
    if key and key < before:
        return _Conflict(is_named=is_named, wider=before - key, settled=settled)
    if before and before < key:
        return _Conflict(is_named=is_named, narrower=key - before, settled=settled)
    is_close = is_named and len(key & before) * 2 >= min(len(key), len(before)) > 0
    return _Conflict(wider=before - key, settled=settled) if is_close else None


def _settled(family: str, *statements: Statement) -> frozenset[str]:
    """Return the stems of a family's names in some statements."""
    return frozenset(stem for said in statements for stem in said.named.get(family, ()))


def _wanted_names(statement: Statement) -> frozenset[str]:
    """Return the stems of the names that a statement wants."""
    return frozenset(stem for family in statement.members for stem in statement.named[family])


def _same_key(new: Statement, old: Statement) -> bool:
    shorter, longer = sorted((new.key, old.key), key=len)
    return bool(shorter) and shorter <= longer


def _is_about(new: Statement, old: Statement) -> bool:
    """Whether an exception belongs to a rule: it is short, and names what the rule decides or half of its words."""
    subject = new.words - new.places
    if len(new.words) > LONGEST_EXCEPTION:
        return False
    decided = {stem for wanted in old.adopted for stem in wanted[-1:]}
    decided |= {stem for thing in old.rejected for stem in thing.stems}
    shared = len(subject & old.words)
    is_half = shared >= FEWEST_SHARED and 2 * shared >= min(len(subject), len(old.words))
    return bool(subject & decided) or bool(old.named.keys() & new.named.keys()) or is_half
