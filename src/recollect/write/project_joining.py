"""Join one project with another: move everything that is kept under its name, and take that back."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from recollect.model import text
from recollect.model.change import Assert, Change, Move, Retract
from recollect.model.fact import Fact
from recollect.model.query import FactQuery, Query
from recollect.policy.memories import compose
from recollect.project_context import ProjectContext
from recollect.store.protocols import Entry
from recollect.vault.layouts import open_vault
from recollect.write import commit, compiled_rules, journal_rebuild
from recollect.write.outcome import Outcome
from recollect.write.session_counter import COUNTER

REASON = "Joined with {project}"
AUTOMATIC = "join"
"""The actor of joinings that nobody asked for; `undo` skips them: no checkout has the old name any more."""
RESET = "capture:reset:"
"""Prefix of the settings, a project and a rule behind it, that say since when people's teaching counts."""


def join(context: ProjectContext, source: str) -> None:
    """Join a project with the open one because the checkout proved to be both; `undo` does not take it back."""
    if source != context.project:
        move(replace(context, actor=AUTOMATIC), source, context.project)


def join_on_request(context: ProjectContext, source: str, target: str) -> int:
    """Join two projects as a person asked for it; return how many memories moved. No file is written.

    `undo` in the same folder takes it back.
    """
    project = target if context.project == source else context.project
    return move(replace(without_vault(context), project=project), source, target)


def without_vault(context: ProjectContext) -> ProjectContext:
    """Return the context with a vault that is off: what moves between projects keeps its files."""
    return replace(context, vault=open_vault(context.vault.root, (), context.kinds))


def move(context: ProjectContext, source: str, target: str) -> int:
    """Move the memories, facts, sessions and names of a project to another as one group; return how many memories."""
    store, reason = context.store, REASON.format(project=target)
    memories = store.find(Query(project=source, statuses=(), global_too=False))
    changes: list[Change] = [Move(found.memory.uid, target) for found in memories]
    for fact in store.facts.find(FactQuery(source)):
        changes += [Retract(fact.uid, reason), Assert(_restated(context, fact, target))]
    group = text.new_uid(context.clock())

    def move_the_rest() -> None:
        settings = _move_settings(context, source, target)
        joined = replace(store.projects.join(source, target), settings=settings)
        store.record([journal_rebuild.joining(context, joined, group=group, reason=reason)])

    commit.commit(context, changes, group_id=group, also=move_the_rest)
    compiled_rules.refresh(store, {source, target})
    return len(memories)


def part(
    context: ProjectContext, entry: Entry, reverts: Sequence[Change], tick: Callable[[int], None] = lambda _: None
) -> list[Outcome]:
    """Take back a joining: the reverted memories and facts, and everything that moved with them."""
    joined, store = journal_rebuild.joined_of(entry), context.store

    def move_back() -> None:
        store.projects.part(joined)
        for name, value in joined.settings.items():
            journal_rebuild.put(context, name, value)
        store.record([journal_rebuild.parting(context, joined, undoes=entry.group)])

    outcomes = commit.commit(without_vault(context), reverts, also=move_back, tick=tick)
    compiled_rules.refresh(store, {joined.source, joined.target})
    return outcomes


def _move_settings(context: ProjectContext, source: str, target: str) -> dict[str, str | None]:
    """Give the target the source's session counter and teaching where they are further; return the values before."""
    before: dict[str, str | None] = {}
    for prefix in (COUNTER, RESET):
        for name, value in context.store.settings(prefix + source).items():
            rest = name.removeprefix(prefix + source)
            new = prefix + target + rest
            known = context.store.setting(new)
            is_of_source = not rest or (prefix == RESET and rest.startswith(":"))
            if is_of_source and float(value) > float(known or 0):
                before[new] = known
                journal_rebuild.put(context, new, value)
    return before


def _restated(context: ProjectContext, fact: Fact, project: str) -> Fact:
    return compose.fact(
        fact.subject, fact.predicate, fact.object, moment=context.clock(), project=project,
        confidence=fact.confidence, source=fact.source,
    )  # fmt: skip
