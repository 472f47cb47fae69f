"""Recall without loading the model's classes; opens the whole project only if that is needed first.

The project is opened to read vault files that changed since the last scan, and to build a few missing search vectors.
"""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.errors import Ambiguous, BadInput, RecollectError, StoreCorrupt, StoreError
from recollect.hooks.project_lookup import current_branch, find_place
from recollect.library.fast import fast_reader
from recollect.library.fast.fast_reader import Warn
from recollect.model.found_memory import FoundMemory
from recollect.model.recall_values import RecallScope
from recollect.recall import search
from recollect.recall.query_terms import QueryTerms
from recollect.recall.question import Question
from recollect.store.hook_reader import event_json
from recollect.store.hook_reader.connection import ReadFailed, Unready
from recollect.store.hook_reader.links import REPLACED
from recollect.store.sqlite.memory_reader import MemoryReader

if TYPE_CHECKING:
    from recollect.model.query import Query


@dataclass(frozen=True, slots=True)
class FastRecall:
    """The answer to a question."""

    terms: QueryTerms
    memories: list[FoundMemory]
    """Best first, each rated."""
    ids: Mapping[str, str]
    """The short id of each memory, by its uid."""
    now: float
    """The time of the question, in seconds since 1970."""


def recall(
    folder: Path, text: str, *, profile: str | None, limit: int, project: str | None, filters: "Query | None",
    env: Mapping[str, str], warn: Warn,
) -> FastRecall:  # fmt: skip
    """Return at most `limit` memories for a text, from the project of a folder or the one that is named.

    Without a profile the setting `recall.profile` decides. Raises BadInput for an unknown profile, StoreError if the
    store cannot be read, and StoreCorrupt if the search index is damaged.
    """
    reader = fast_reader.open_current_reader(folder, env, warn)
    try:
        if fast_reader.should_index_first(reader):
            _build_missing_vectors(folder, env, warn)
        place, now = find_place(reader, str(folder), env), event_json.moment(env)
        scope = RecallScope(
            project or place.project, now, filters=_with_whole_session(reader, filters),
            branch=current_branch(str(folder)),
        )  # fmt: skip
        question = Question(text, scope, settings=place.settings)
        chosen = profile or str(place.settings["recall.profile"])
        terms, memories = search.find(reader.recall_source(), question, chosen, limit)
        shown = [memory for memory in memories if memory.verdict != REPLACED][:limit]
        ids = reader.short_ids([memory.uid for memory in shown])
    except search.UnknownProfile as error:
        raise BadInput(str(error), target="recall.profile") from error
    except (ReadFailed, Unready) as error:
        raise StoreError(f"the store cannot be searched: {error}", fix="Run `recollect doctor`.") from error
    except ValueError as error:
        fix = "Run `recollect reindex --all`: it builds the index again."
        raise StoreCorrupt(f"the search index is damaged: {error}", fix=fix) from error
    return FastRecall(terms, shown, ids, now)


def _with_whole_session(reader: MemoryReader, filters: "Query | None") -> "Query | None":
    """Return filters whose session is written out, where they name it by a part of its id."""
    if filters is None or not filters.session:
        return filters
    found = reader.sessions_named(filters.session)
    if len(found) > 1:
        raise Ambiguous(f"{len(found)} sessions have this name", target=filters.session, fix="Give more of the id.")
    return replace(filters, session=found[0]) if found else filters


def _build_missing_vectors(folder: Path, env: Mapping[str, str], warn: Warn) -> None:
    """Build missing search vectors; after an error, the search goes on by words alone."""
    with contextlib.suppress(RecollectError), fast_reader.open_project(folder, env, warn) as workspace:
        workspace.catch_up()
