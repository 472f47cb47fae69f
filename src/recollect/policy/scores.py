"""Formulas that turn a memory into a number."""

import math
from datetime import datetime

from recollect.model.clock import age_days
from recollect.model.memory import Memory

RECENCY_HALF_LIFE_DAYS = 21
UNKNOWN_AGE_RECENCY = 0.2


def recency(memory: Memory, now: datetime) -> float:
    """0.5^(age/21 days) since the last edit; .2 where the time cannot be read (D5)."""
    age = age_days(memory.updated_at, now)
    return UNKNOWN_AGE_RECENCY if age is None else 0.5 ** (max(0.0, age) / RECENCY_HALF_LIFE_DAYS)


def keeping(memory: Memory, now: datetime) -> float:
    """What a memory is worth at the cap: importance + .1·ln(1+hits) + .2·recency."""
    return memory.importance + 0.1 * math.log(1 + memory.usage.hits) + 0.2 * recency(memory, now)
