"""Experiences: past situations that are unlike those already known (C20-C22), compared in every script."""

from collections.abc import Iterable, Sequence
from datetime import datetime

import numpy as np

from recollect.formats import memory_log
from recollect.model import clock, text
from recollect.model.content import Text
from recollect.model.memory import PENDING, Memory
from recollect.model.recall_values import EXPERIENCE, SHOWN_SENSITIVITIES
from recollect.model.words import search_words
from recollect.policy.capture import turns
from recollect.policy.ranking.vectors import Matrix, unit

SOURCES = ("note", "learned", "turn_summary", "user_preference")
"""The kinds that experiences come from (C20)."""
MOST = 5_000
FEWEST_CHARS = 20
ASKED_CHARS, ANSWER_CHARS, TEXT_CHARS = 200, 500, 2_000
"""How much is kept of a turn's prompt, of its answer, and of any other text."""
BUCKETS = 1_024
CHANNEL = "experience:"
CONFIDENCE = 0.8
"""Below that of a memory that a person kept."""


def is_source(memory: Memory) -> bool:
    """Whether a memory may become an experience: long enough, decided, and neither private nor secret."""
    is_told = memory.sensitivity in SHOWN_SENSITIVITIES and memory.status == "active"
    return memory.kind in SOURCES and is_told and PENDING not in memory.tags and len(said(memory)) >= FEWEST_CHARS


def said(memory: Memory) -> str:
    """Return what an experience keeps of a memory: of a turn the beginnings of prompt and answer."""
    whole = memory.text.strip()
    asked, mark, answered = whole.removeprefix(turns.PROMPT).partition(turns.ANSWER)
    if memory.kind != "turn_summary" or not mark:
        return text.cut(whole, ANSWER_CHARS if memory.kind == "turn_summary" else TEXT_CHARS)
    return f"{text.cut(' '.join(asked.split()), ASKED_CHARS)}\n{text.cut(answered.strip(), ANSWER_CHARS)}"


def vectors(texts: Sequence[str]) -> Matrix:
    """Return a row of length 1 for each text: which stems occur in it, hashed. A text without words has zeros."""
    rows = np.zeros((len(texts), BUCKETS), np.float32)
    for number, whole in enumerate(texts):
        for stem in search_words.all_stems(whole):
            rows[number, search_words.key(stem) % BUCKETS] = 1.0
    return unit(rows)


def unique(candidates: Sequence[Memory], known: Iterable[str], below: float) -> list[Memory]:
    """Return the candidates whose similarity to all known texts, and to those chosen before, is less than `below`."""
    earlier, rows = vectors(list(known)), vectors([said(candidate) for candidate in candidates])
    compared = np.vstack([earlier, np.zeros_like(rows)])
    number, chosen = len(earlier), []
    for candidate, row in zip(candidates, rows, strict=True):
        if row.any() and float((compared[:number] @ row).max(initial=0.0)) < below:
            compared[number] = row
            number += 1
            chosen.append(candidate)
    return chosen


def experience(source: Memory, *, now: datetime) -> Memory:
    """Return the experience that a memory becomes: as sensitive as its source, and found in the store alone."""
    stamp, category = clock.stamp(now), memory_log.category(source)
    return Memory(
        uid=text.new_uid(now),
        slug=text.slugify(source.title) or f"experience-{source.uid[-8:].lower()}",
        kind=EXPERIENCE,
        title=source.title,
        content=Text(text=said(source)),
        tags=(category,),
        project=source.project,
        session=source.session,
        origin=source.origin,
        channel=f"{CHANNEL}{category}",
        files_read=source.files_read,
        files_modified=source.files_modified,
        derived_from=(source.uid,),
        confidence=CONFIDENCE,
        sensitivity=source.sensitivity,
        created_at=stamp,
        updated_at=stamp,
    )
