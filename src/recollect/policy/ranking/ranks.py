"""The formulas of ranking, on plain numbers. Import-light, because hooks ask."""

import math

RECENCY_HALF_LIFE_DAYS = 21
UNKNOWN_AGE_RECENCY = 0.2
DAY = 86_400
SMALLEST_STORE = 1_000
COMMON_WORTH = 1.5
UNKNOWN_WORTH = 3.5


def recency(updated: float | None, now: float) -> float:
    """0.5^(age/21 days) since the last edit; .2 where the time cannot be read (D5)."""
    if updated is None:
        return UNKNOWN_AGE_RECENCY
    return float(0.5 ** (max(0.0, now - updated) / DAY / RECENCY_HALF_LIFE_DAYS))


def trust(hits: int, confidence: float | None, created: float | None, now: float) -> float:
    """0.3 + 0.5·(1 - e^(-hits/5)) + 0.2·min(1, age/30 days), times the confidence (D6)."""
    age = 0.0 if created is None else max(0.0, now - created) / DAY
    earned = 0.3 + 0.5 * (1 - math.exp(-hits / 5)) + 0.2 * min(1.0, age / 30)
    return earned * (1.0 if confidence is None else confidence)


def rarity(documents: int, holding: int) -> float:
    """How much a word says: the fewer memories hold it, the more; a small store is no reason to find words rare."""
    total = max(documents, SMALLEST_STORE)
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


def tokens(text: str) -> float:
    """About how many tokens a text costs: words / .75 (D45)."""
    return len(text.split()) / 0.75
