"""Judge what a memory names against a checkout: FRESH, MOVED, STALE or UNVERIFIABLE, with the evidence."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from recollect.model.verdict import FRESH, MOVED, STALE, UNVERIFIABLE, Finding, Verdict
from recollect.policy.verdicts import checkout_paths, path_finding, scripts, versions
from recollect.policy.verdicts.checkout_facts import CheckoutFacts
from recollect.policy.verdicts.claims import Claim
from recollect.policy.verdicts.symbol_finding import judge_symbol

MOST_REASONS = 3
SHORT_COMMIT = 7


@dataclass(frozen=True, slots=True)
class Learnt:
    """Where a memory was learnt, as seen from the checkout."""

    commit: str = ""
    branch: str = ""
    is_unmerged: bool = False
    """Whether the commit is known and no ancestor of what is checked out."""
    seen: frozenset[tuple[str, str]] = frozenset()
    """Kind and name of what an earlier check on the same branch found."""
    files: tuple[str, ...] = ()
    """Files that were changed when the memory was learnt."""
    is_branch_kept: bool = True
    """Whether the branch still exists; after a squash merge it mostly does not."""


def judge(claims: Sequence[Claim], facts: CheckoutFacts, learnt: Learnt) -> Verdict | None:
    """Return the verdict on a memory; None if it names no code."""
    findings = tuple(finding for claim in claims for finding in _findings(claim, facts, learnt))
    if learnt.is_unmerged:
        findings = tuple(map(_as_unmerged, findings))
    doubts = tuple(_doubts(claims, findings, facts, learnt))
    if not findings:
        return Verdict(UNVERIFIABLE, "", (), doubts) if doubts else None
    states = {finding.state for finding in findings}
    state = next(state for state in (STALE, MOVED, FRESH, UNVERIFIABLE) if state in states)
    reasons = list(dict.fromkeys(finding.says for finding in findings if finding.state == state))
    says = "; ".join(reasons[:MOST_REASONS]) if state in (STALE, MOVED) else ""
    return Verdict(state, says, findings, doubts)


def _findings(claim: Claim, facts: CheckoutFacts, learnt: Learnt) -> Iterable[Finding]:
    if claim.kind == "path":
        found = path_finding.judge_path(claim, facts, was_seen=("path", claim.name) in learnt.seen)
        return [found] if found else []
    if claim.kind == "symbol":
        seen = frozenset(name for kind, name in learnt.seen if kind in ("symbol", "parameter"))
        return judge_symbol(claim, facts, seen)
    if claim.kind == "command":
        return _command(claim, facts, learnt)
    if claim.kind == "version":
        return _version(claim, facts)
    return [Finding("url", claim.name, UNVERIFIABLE, "addresses are not fetched")]


def _command(claim: Claim, facts: CheckoutFacts, learnt: Learnt) -> list[Finding]:
    whole = claim.name if claim.owner == "program" else f"{RUN_AS[claim.owner]} {claim.name}"
    if claim.owner == "program":
        return _program(claim, facts)
    place = facts.scripts.get(claim.owner, {}).get(claim.name, "")
    if place:
        return [Finding("command", whole, FRESH, f"{whole} is defined in {place}", place)]
    if claim.owner == "python" and claim.name in facts.programs:
        return [Finding("command", whole, FRESH, f"{claim.name} is a program on the search path")]
    lines = facts.lost.lines.get(claim.name, ())
    was_there = any(scripts.is_definition(claim.owner, claim.name, past.path, past.line) for past in lines)
    if was_there or ("command", whole) in learnt.seen:
        return [Finding("command", whole, STALE, f"{whole} is gone")]
    return [Finding("command", whole, UNVERIFIABLE, f"{whole} is not known here")]


RUN_AS = {"make": "make", "npm": "npm run", "just": "just", "python": "run", "program": ""}
"""How the command of each runner is written."""


def _program(claim: Claim, facts: CheckoutFacts) -> list[Finding]:
    """Return where a program comes from; one that is not here may be on another machine, so it is never gone."""
    name = claim.name
    place = facts.scripts.get("python", {}).get(name, "")
    if place:
        return [Finding("command", name, FRESH, f"{name} is defined in {place}", place)]
    if name in facts.programs:
        return [Finding("command", name, FRESH, f"{name} is a program on the search path")]
    return [Finding("command", name, UNVERIFIABLE, f"{name} is not on the search path")]


def _version(claim: Claim, facts: CheckoutFacts) -> list[Finding]:
    """Return whether a package has the stated version; nothing for a package that no lock file or manifest knows."""
    has = versions.locked(facts.versions, claim.name)
    if not has:
        return []
    whole = f"{claim.name} {claim.version}"
    if any(versions.matches(claim.version, version, is_at_least=claim.is_at_least) for version in has):
        return [Finding("version", whole, FRESH, f"{claim.name} is at {has[0]}")]
    return [Finding("version", whole, STALE, f"{claim.name} is at {has[0]}, not {claim.version}")]


def _as_unmerged(finding: Finding) -> Finding:
    """Return a finding for a memory of another branch: what is missing here may be there."""
    if finding.state != STALE:
        return finding
    return Finding(finding.kind, finding.name, UNVERIFIABLE, f"{finding.name} is not on this branch")


def _doubts(
    claims: Sequence[Claim], findings: Sequence[Finding], facts: CheckoutFacts, learnt: Learnt
) -> Iterable[str]:
    if learnt.is_unmerged and not _seems_merged(findings, learnt):
        yield f"learnt on {learnt.branch or learnt.commit[:SHORT_COMMIT]}, not merged here"
    revert = facts.reverted.get(learnt.commit) if learnt.commit else None
    if revert and _is_about(claims, findings, learnt, revert.changed):
        yield f"doubtful: commit {learnt.commit[:SHORT_COMMIT]} was reverted"


def _seems_merged(findings: Sequence[Finding], learnt: Learnt) -> bool:
    """Whether a branch was merged as one new commit: it no longer exists, and all that the memory names is here."""
    checked = [finding for finding in findings if finding.kind != "url"]
    return not learnt.is_branch_kept and bool(checked) and all(finding.state == FRESH for finding in checked)


def _is_about(claims: Sequence[Claim], findings: Sequence[Finding], learnt: Learnt, changed: Sequence[str]) -> bool:
    """Whether a memory is about files of a commit: a rule that happened to be stated then is not doubtful."""
    touched = set(changed)
    named = {finding.place for finding in findings} | {checkout_paths.bare(claim.name, "") for claim in claims}
    homes = {home for claim in claims for home in claim.homes}
    is_named = any(path in touched or any(whole.endswith("/" + path) for whole in touched) for path in named | homes)
    is_taken_back = any(finding.state == STALE and finding.kind != "version" for finding in findings)
    return is_named or is_taken_back or bool(touched & set(learnt.files) and findings)
