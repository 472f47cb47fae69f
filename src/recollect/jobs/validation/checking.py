"""Check memories against the open checkout: claims, facts, verdicts; all memories together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from recollect.jobs.validation import gathering
from recollect.jobs.validation.gathering import Asked, Merged, Place
from recollect.model.memory import Memory
from recollect.model.query import Query
from recollect.model.recall_values import VERBATIM_KINDS
from recollect.model.verdict import CheckedVerdict
from recollect.policy.verdicts.claims import Anchored, claims
from recollect.policy.verdicts.judge import Learnt, judge
from recollect.project.checkout import Checkout
from recollect.project_context import ProjectContext
from recollect.write import compiled_rules

MOST_MEMORIES = 20_000
"""At most that many memories are checked at once: those that somebody meant to keep first, then the newest."""


OWN_FOLDERS = (".claude/", "memory/", "memory-cold/")
"""Where memories and notes of agents lie as files, whatever the settings say."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found out."""

    verdicts: tuple[CheckedVerdict, ...] = ()
    silent: tuple[str, ...] = ()
    """The uids of memories that name no code."""
    problem: str = ""
    """Why nothing was checked; empty where it was."""
    memories: Mapping[str, Memory] = field(default_factory=dict)
    """The memories that were looked at, by uid."""


def memories_to_check(context: ProjectContext) -> list[Memory]:
    """Return the active memories of the project, kept ones before the record of sessions, newest first."""
    now = context.clock().timestamp()
    query = Query(context.project, global_too=False, unexpired_at=now, limit=MOST_MEMORIES)
    found = [stored.memory for stored in context.store.find(query)]
    return sorted(found, key=lambda memory: memory.kind in VERBATIM_KINDS)


def check(context: ProjectContext, memories: Sequence[Memory]) -> Checked:
    """Return the verdicts on memories in the checkout as it is now; writes nothing.

    Nothing is found while a merge or rebase is under way, or where HEAD moves meanwhile: the next check does it.
    """
    checkout = context.checkout.looked_at_again()
    busy = checkout.interrupted()
    if busy:
        return Checked(problem=f"{busy} is in progress")
    here = checkout.branch_or_commit
    earlier = context.store.verdicts.of([memory.uid for memory in memories])
    before = {uid: checked for uid, checked in earlier.items() if checked.branch == here}
    asked = [_asked(memory, is_settled=memory.uid in before) for memory in memories]
    naming = [one for one in asked if one.claims or one.memory.commit]
    commits = gathering.merged(checkout, [one.memory for one in naming])
    own_files = (f"{context.config.vault.root}/", *OWN_FOLDERS)
    found = gathering.facts(Place(checkout, context.env.get("PATH", ""), own_files), naming, commits)
    if found is None:
        return Checked(problem="git could not list the files")
    where, now = (here, checkout.head or "", str(checkout.root)), context.clock().timestamp()
    verdicts = []
    for one in naming:
        is_elsewhere = (one.memory.branch or "") != here
        learnt = _learnt(one.memory, checkout, commits, before.get(one.memory.uid), is_elsewhere=is_elsewhere)
        verdict = judge(one.claims, found, learnt)
        if verdict:
            verdicts.append(CheckedVerdict(one.memory.uid, verdict, *where, now))
    if checkout.looked_at_again().position != checkout.position:
        return Checked(problem="another commit was checked out meanwhile")
    with_code = {checked.uid for checked in verdicts}
    silent = tuple(memory.uid for memory in memories if memory.uid not in with_code)
    return Checked(tuple(verdicts), silent, memories={memory.uid: memory for memory in memories})


def _asked(memory: Memory, *, is_settled: bool) -> Asked:
    anchors = [Anchored(anchor.path, anchor.digest or "") for anchor in memory.anchors]
    return Asked(memory, claims(memory.title, memory.text, anchors), is_settled)


def _learnt(
    memory: Memory, checkout: Checkout, commits: Merged, before: CheckedVerdict | None, *, is_elsewhere: bool
) -> Learnt:  # fmt: skip
    """Return where a memory was learnt, and what an earlier check on the same branch saw.

    A commit of this very branch that is no ancestor was amended or rebased: its work is here.
    """
    branch, commit = memory.branch or "", memory.commit or ""
    findings = before.verdict.findings if before else ()
    seen = frozenset((finding.kind, finding.name) for finding in findings if finding.was_seen)
    is_unmerged = is_elsewhere and commit in commits.unmerged
    is_kept = bool(is_unmerged and checkout.repository and branch and checkout.repository.has_branch(branch))
    return Learnt(commit, branch, is_unmerged, seen, memory.files_modified, is_kept)


def save(context: ProjectContext, checked: Checked) -> None:
    """Write the verdicts of a check, and remove those on memories that name no code any more."""
    if checked.problem:
        return
    with context.store.writing(durable=False):
        context.store.verdicts.remove(checked.silent)
        context.store.verdicts.put(checked.verdicts)
    compiled_rules.refresh_for(context.store, checked.memories.values())
