"""Judge a path that a memory names: the file is there, moved, or is gone."""

import re
from collections import Counter

from recollect.model.verdict import FRESH, MOVED, STALE, UNVERIFIABLE, Finding
from recollect.policy.verdicts.checkout_facts import CheckoutFacts
from recollect.policy.verdicts.checkout_paths import bare, is_outside
from recollect.policy.verdicts.claims import Claim

PLAIN_PATH = re.compile(r"[\w./@+-]{1,160}")


def judge_path(claim: Claim, facts: CheckoutFacts, *, was_seen: bool) -> Finding | None:
    """Return what became of a path; None for a name with slashes that never was a path here."""
    path = _spelt(bare(claim.name, facts.root), facts)
    if is_outside(path) or path in facts.unreachable:
        return _finding(claim, UNVERIFIABLE, f"{claim.name} is outside of the checkout")
    present = _present(claim, path, facts)
    if present:
        return present
    moved = _moved_to(claim, path, facts)
    if moved:
        return _finding(claim, MOVED, f"{claim.name} is now {shown(moved)}", moved)
    if _was_there(path, facts) or was_seen:
        return _finding(claim, STALE, f"{claim.name} is gone")
    return _finding(claim, UNVERIFIABLE, f"{claim.name} is not known here") if claim.is_certain else None


def _spelt(path: str, facts: CheckoutFacts) -> str:
    """Return a path as it is written here: the first letter of a title is a capital, that of its file is not."""
    lower = path[:1].lower() + path[1:]
    if lower == path or facts.holds(path) or resolve(path, facts) or _was_there(path, facts):
        return path
    return lower if facts.holds(lower) or resolve(lower, facts) or _was_there(lower, facts) else path


def shown(path: str) -> str:
    """Return a path of the checkout as an agent may be told it: a name that could be a sentence is not repeated."""
    return path if PLAIN_PATH.fullmatch(path) else "at another place"


def resolve(path: str, facts: CheckoutFacts) -> list[str]:
    """Return the listed files that a path may mean: itself, or files whose paths end with it."""
    if path in facts.files:
        return [path]
    return [found for found in facts.by_name.get(path.rpartition("/")[2], ()) if found.endswith("/" + path)]


def _present(claim: Claim, path: str, facts: CheckoutFacts) -> Finding | None:
    """Return that a path is there; None where it is not."""
    if facts.holds(path):
        now, elsewhere = facts.digests.get(path, ""), facts.by_digest.get(claim.digest, "")
        is_changed = bool(claim.digest and now and now != claim.digest)
        if is_changed and elsewhere and _was_renamed(path, elsewhere, facts):
            return _finding(claim, MOVED, f"{claim.name} is now {shown(elsewhere)}", elsewhere)
        is_same = bool(claim.digest) and now == claim.digest
        says = f"{claim.name} is as it was" if is_same else f"{claim.name} exists"
        return _finding(claim, FRESH, says + (", changed since" if is_changed else ""), path)
    found = resolve(path, facts)
    folder = next((folder for folder in facts.folders if folder.endswith("/" + path)), "") if not found else ""
    if not found and not folder:
        return None
    place = found[0] if found else folder
    is_one = len(found) <= 1
    return _finding(
        claim, FRESH, f"{shown(place)} exists" if is_one else f"{len(found)} files end so", place if is_one else ""
    )


def _was_renamed(old: str, new: str, facts: CheckoutFacts) -> bool:
    return any(pair == (old, new) for pair in facts.renames) or old not in facts.files


def _moved_to(claim: Claim, path: str, facts: CheckoutFacts) -> str:
    """Return where a missing file is now; empty if nothing says so."""
    same = facts.by_digest.get(claim.digest, "") if claim.digest else ""
    if same:
        return same
    followed = _followed(path, facts) or _folder_followed(path, facts)
    return followed if followed and facts.holds(followed) else ""


def _followed(path: str, facts: CheckoutFacts) -> str:
    """Follow the renames of a file, oldest first; empty where it was never renamed."""
    now, was_renamed = path, False
    for old, new in facts.renames:
        if old == now or (not was_renamed and old.endswith("/" + now)):
            now, was_renamed = new, True
    return now if was_renamed else ""


def _folder_followed(path: str, facts: CheckoutFacts) -> str:
    """Return where most files of a folder went; empty if none was renamed with its own name kept."""
    targets: Counter[str] = Counter()
    for old, new in facts.renames:
        at = old.find(path + "/") if old.startswith(path + "/") or f"/{path}/" in old else -1
        rest = old[at + len(path) :] if at >= 0 else ""
        if rest and new.endswith(rest):
            targets[new[: -len(rest)]] += 1
    found = [target for target, _ in targets.most_common() if facts.holds(target)]
    return found[0] if found else ""


def _was_there(path: str, facts: CheckoutFacts) -> bool:
    """Return whether the history or the index knows a path that is gone: a file, a folder, or the end of a path."""
    known = [*facts.removed, *facts.gone, *(old for old, _ in facts.renames)]
    return any(
        old == path or old.startswith(path + "/") or old.endswith("/" + path) or f"/{path}/" in old for old in known
    )


def _finding(claim: Claim, state: str, says: str, place: str = "") -> Finding:
    return Finding("path", claim.name, state, says, place)
