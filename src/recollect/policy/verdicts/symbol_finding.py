"""Judge a name of code: whether it is defined, where, with which parameters, or is gone."""

from collections.abc import Iterable, Sequence

from recollect.model.verdict import FRESH, MOVED, STALE, UNVERIFIABLE, Finding
from recollect.policy.verdicts import checkout_paths, path_finding
from recollect.policy.verdicts.checkout_facts import CheckoutFacts, NamePlaces
from recollect.policy.verdicts.claims import Claim
from recollect.policy.verdicts.definitions import holds_word, is_definition
from recollect.policy.verdicts.paths import ending

MOST_DEFINITIONS = 3
"""A name that more places define is common; where it moved cannot be told."""
NOWHERE = NamePlaces()


def judge_symbol(claim: Claim, facts: CheckoutFacts, seen: frozenset[str]) -> list[Finding]:
    """Return what became of a name and its parameters; nothing for a plain word that no code ever defined.

    `seen` has the names that an earlier check of the same branch found.
    """
    places = facts.names.get(claim.name, NOWHERE)
    if not facts.is_searched:
        return [_finding(claim, UNVERIFIABLE, f"{claim.name} could not be looked for")]
    defined = _owned(claim, places, facts)
    if defined:
        return [_at_home(claim, places, defined, facts), *_parameters(claim, facts, seen)]
    if claim.owner and _is_used_with_owner(claim, places):
        return [_finding(claim, FRESH, f"{_full(claim)} is used in {path_finding.shown(next(iter(places.mentions)))}")]
    return _missing(claim, places, facts, seen)


def _full(claim: Claim) -> str:
    return f"{claim.owner}.{claim.name}" if claim.owner else claim.name


def _owned(claim: Claim, places: NamePlaces, facts: CheckoutFacts) -> list[str]:
    """Return the files that define a name; with an owner, those that define the owner too or are named like it."""
    files = list(dict.fromkeys(place.path for place in places.definitions))
    if not claim.owner:
        return files
    owner = facts.names.get(claim.owner, NOWHERE)
    holders = {place.path for place in owner.definitions}
    own = [path for path in files if _is_of_owner(claim, path, holders, facts)]
    if own or holders:
        return own
    is_object = claim.owner[:1].islower() and bool(owner.mentions)  # `client.send`: an object of some class
    return files if is_object or _is_used_with_owner(claim, places) else []


def _is_of_owner(claim: Claim, path: str, holders: set[str], facts: CheckoutFacts) -> bool:
    """Whether a file defines a name in the class, or as the module, that stands before its dot."""
    classes = facts.owners.get((path, claim.name), frozenset())
    is_inside = claim.owner in classes or not classes
    return (path in holders and is_inside) or (_is_named_like(path, claim.owner) and path not in holders)


def _is_named_like(path: str, owner: str) -> bool:
    """Whether a file is the module, or lies in the package, of a name: `auth.py`, `auth/token.py` for `auth`."""
    parts = path.lower().split("/")
    stem = parts[-1].partition(".")[0]
    return owner.lower() in (stem, *parts[:-1]) or owner.lower().replace("_", "") == stem.replace("_", "")


def _is_used_with_owner(claim: Claim, places: NamePlaces) -> bool:
    return claim.owner in places.owners


def _at_home(claim: Claim, places: NamePlaces, defined: Sequence[str], facts: CheckoutFacts) -> Finding:
    """Return that a name is defined: in the file that its sentence names, or elsewhere."""
    homes = [path for home in claim.homes for path in _homes_now(home, facts)]
    at_home = [path for path in defined if path in homes]
    is_elsewhere = bool(homes) and not at_home and not any(home in places.mentions for home in homes)
    alike = [path for path in defined if ending(path) in {ending(home) for home in homes}]
    if is_elsewhere and alike and len(defined) <= MOST_DEFINITIONS:
        return _finding(claim, MOVED, f"{claim.name} is now in {path_finding.shown(alike[0])}", alike[0])
    place = (at_home or list(defined))[0]
    return _finding(claim, FRESH, f"{claim.name} is defined in {path_finding.shown(place)}", place)


def _homes_now(home: str, facts: CheckoutFacts) -> list[str]:
    """Return the files that a path of a sentence means now, also after a rename."""
    path = checkout_paths.bare(home, facts.root)
    found = path_finding.resolve(path, facts)
    if found:
        return found
    moved = path_finding.judge_path(Claim("path", home), facts, was_seen=False)
    return [moved.place] if moved and moved.place else []


def _missing(claim: Claim, places: NamePlaces, facts: CheckoutFacts, seen: frozenset[str]) -> list[Finding]:
    """Return that a name without a definition is gone, is only used, or cannot be told."""
    was_defined = _had_method(claim, facts) if claim.owner else claim.name in facts.lost.defined
    if was_defined or _full(claim) in seen:
        return [_finding(claim, STALE, f"{_full(claim)} is gone")]
    if claim.is_certain and places.mentions and not claim.owner:
        path = next(iter(places.mentions))
        return [_finding(claim, FRESH, f"{claim.name} is used in {path_finding.shown(path)}")]
    if claim.is_certain and claim.name in facts.lost.used and not places.mentions:
        return [_finding(claim, STALE, f"{claim.name} is gone")]
    return [_finding(claim, UNVERIFIABLE, f"{_full(claim)} is not known here")] if claim.is_certain else []


def _had_method(claim: Claim, facts: CheckoutFacts) -> bool:
    """Whether a removed line defined a name in a file that has, or had, its owner."""
    holders = {place.path for place in facts.names.get(claim.owner, NOWHERE).definitions}
    holders |= {place.path for place in facts.lost.lines.get(claim.owner, ())}
    lost = [place for place in facts.lost.lines.get(claim.name, ()) if is_definition(claim.name, place.line)]
    return any(place.path in holders or _is_named_like(place.path, claim.owner) for place in lost)


def _parameters(claim: Claim, facts: CheckoutFacts, seen: frozenset[str]) -> Iterable[Finding]:
    """Return the parameters of a call that its definition has, and those that it had before."""
    signatures = facts.signatures.get(claim.name, ())
    if not signatures:
        return
    for parameter in claim.parameters:
        whole = f"{claim.name}({parameter})"
        if any(holds_word(parameter, signature) for signature in signatures):
            yield Finding("parameter", whole, FRESH, f"{claim.name} takes {parameter}")
        elif whole in seen or _had_parameter(claim.name, parameter, facts):
            yield Finding("parameter", whole, STALE, f"{claim.name} no longer takes {parameter}")


def _had_parameter(name: str, parameter: str, facts: CheckoutFacts) -> bool:
    return any(
        f"{name}(" in place.line.replace(" (", "(") and holds_word(parameter, place.line)
        for place in facts.lost.lines.get(name, ())
    )


def _finding(claim: Claim, state: str, says: str, place: str = "") -> Finding:
    return Finding("symbol", _full(claim), state, says, place)
