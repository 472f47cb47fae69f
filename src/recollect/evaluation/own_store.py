"""`recollect eval --own`: questions made from the user's own store, asked of a temporary copy of it."""

import contextlib
import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

from recollect.errors import BadInput
from recollect.evaluation import running
from recollect.evaluation.datasets import Case, Question
from recollect.model.memory import Memory, Sensitivity
from recollect.model.query import Query
from recollect.model.recall_values import SHOWN_SENSITIVITIES
from recollect.model.words import search_words
from recollect.policy.ranking import ranks
from recollect.project_context import ProjectContext
from recollect.store.protocols import Store
from recollect.store.sqlite.store import SqliteStore

KNOWN_ITEMS, RECEIPTS = "known items", "receipts"
MOST_ITEMS, MOST_RECEIPTS = 200, 500
ASKED_WORDS, FEWEST_WORDS = 6, 3
SEED = 20_260


@contextlib.contextmanager
def copied(workspace: ProjectContext) -> Iterator[tuple[Path, Case]]:
    """Yield the path of a temporary copy of the store, removed afterwards, and the questions to ask of it."""
    with tempfile.TemporaryDirectory(prefix="recollect-eval-") as folder:
        path = Path(folder) / running.DATABASE
        workspace.store.copy_to(path)
        with contextlib.closing(SqliteStore(path, workspace.kinds)) as store:
            running.prepare(store)
            case = _case(store, workspace.project, workspace.clock().timestamp())
        yield path, case


def _case(store: Store, project: str, now: float) -> Case:
    memories = [found.memory for found in store.find(Query(project, statuses=(), oldest_first=True))]
    inactive = frozenset(memory.uid for memory in memories if memory.status != "active")
    shown = cast("tuple[Sensitivity, ...]", SHOWN_SENSITIVITIES)
    items = Query(project, global_too=False, unexpired_at=now, sensitivities=shown, oldest_first=True)
    questions = (
        *known_items(store, [found.memory for found in store.find(items)], now),
        *from_receipts(store, project, frozenset(memory.uid for memory in memories) - inactive),
    )
    if not questions:
        fix = "Save memories with `recollect remember` first, or measure with --dataset coding."
        raise BadInput("this project has no memories to ask about yet", target=project, fix=fix)
    return Case(project, tuple(memories), questions, inactive, project=project)


def known_items(store: Store, memories: Sequence[Memory], now: float) -> Iterator[Question]:
    """Yield a question per sampled memory: the rarest words of its text that are not in its title."""
    generator = random.Random(SEED)  # noqa: S311 - a repeatable draw, not a secret
    total, holding = store.search_index.total(), store.search_index.holding()
    for memory in generator.sample(memories, min(MOST_ITEMS, len(memories))):
        words = _rarest_words(memory, total, holding)
        if len(words) >= FEWEST_WORDS:
            yield Question(memory.uid, " ".join(words), frozenset({memory.uid}), memory.kind, now, part=KNOWN_ITEMS)


def _rarest_words(memory: Memory, total: int, holding: Mapping[int, int]) -> list[str]:
    """Return the rarest words of a memory's text that are not in its title, in the order of the text."""
    in_title = search_words.stems(memory.title)
    words = {stem: word for stem, word in search_words.stems(memory.text).items() if stem not in in_title}
    rarity = {stem: ranks.rarity(total, holding.get(search_words.key(stem), 0)) for stem in words}
    best = set(sorted(words, key=lambda stem: -rarity[stem])[:ASKED_WORDS])
    return [word for stem, word in words.items() if stem in best]


def from_receipts(store: Store, project: str, living: frozenset[str]) -> Iterator[Question]:
    """Yield a question per receipt: the words of its prompt, and the injected memories that are still active."""
    for receipt in store.sessions.receipts(project=project, limit=MOST_RECEIPTS):
        gold = living.intersection(receipt.shown)
        if gold and receipt.words:
            yield Question(receipt.id, " ".join(receipt.words), gold, receipt.event, receipt.at, part=RECEIPTS)
