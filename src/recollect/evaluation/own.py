"""Questions from the user's own store, asked of a copy of it: nothing leaves the machine, nothing is changed."""

import contextlib
import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

from recollect.errors import BadInput
from recollect.evaluation import running
from recollect.evaluation.datasets import Case, Question
from recollect.model import search_words
from recollect.model.memory import Memory, Sensitivity
from recollect.model.query import Query
from recollect.model.recall_values import SHOWN_SENSITIVITIES
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
    """A copy of the store, ready to be asked, and what to ask of it; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="recollect-eval-") as folder:
        path = Path(folder) / running.DATABASE
        workspace.store.copy_to(path)
        with contextlib.closing(SqliteStore(path, workspace.kinds)) as store:
            running.prepare(store)
            case = _case(store, workspace.project, workspace.clock().timestamp())
        yield path, case


def _case(store: Store, project: str, now: float) -> Case:
    memories = [found.memory for found in store.find(Query(project, statuses=(), oldest_first=True))]
    gone = frozenset(one.uid for one in memories if one.status != "active")
    shown = cast("tuple[Sensitivity, ...]", SHOWN_SENSITIVITIES)
    items = Query(project, global_too=False, unexpired_at=now, sensitivities=shown, oldest_first=True)
    questions = (
        *known_items(store, [found.memory for found in store.find(items)], now),
        *from_receipts(store, project, frozenset(one.uid for one in memories) - gone),
    )
    if not questions:
        fix = "Remember something first, or measure with --dataset coding."
        raise BadInput("there is nothing here to ask about yet", target=project, fix=fix)
    return Case(project, tuple(memories), questions, gone, project=project)


def known_items(store: Store, memories: Sequence[Memory], now: float) -> Iterator[Question]:
    """A sample of the memories, each asked for by the most telling words of its body that its title does not hold."""
    chance = random.Random(SEED)  # noqa: S311 - a repeatable draw, not a secret
    total, holding = store.recall.total(), store.recall.holding()
    for one in chance.sample(memories, min(MOST_ITEMS, len(memories))):
        asked = _telling(one, total, holding)
        if len(asked) >= FEWEST_WORDS:
            yield Question(one.uid, " ".join(asked), frozenset({one.uid}), one.kind, now, part=KNOWN_ITEMS)


def _telling(memory: Memory, total: int, holding: Mapping[int, int]) -> list[str]:
    named = search_words.stems(memory.title)
    said = {one: word for one, word in search_words.stems(memory.text).items() if one not in named}
    rarity = {one: ranks.rarity(total, holding.get(search_words.key(one), 0)) for one in said}
    best = set(sorted(said, key=lambda one: -rarity[one])[:ASKED_WORDS])
    return [word for one, word in said.items() if one in best]


def from_receipts(store: Store, project: str, living: frozenset[str]) -> Iterator[Question]:
    """What agents were told: the words that were looked for then, and the shown memories that are still there."""
    for one in store.sessions.receipts(project=project, limit=MOST_RECEIPTS):
        gold = living.intersection(one.shown)
        if gold and one.words:
            yield Question(one.id, " ".join(one.words), gold, one.event, one.at, part=RECEIPTS)
