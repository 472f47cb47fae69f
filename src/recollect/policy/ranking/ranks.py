"""Formulas of ranking on plain numbers. Import-light, because hooks use it."""

import math

RECENCY_HALF_LIFE_DAYS = 21
UNKNOWN_AGE_RECENCY = 0.2
DAY = 86_400
SMALLEST_STORE = 1_000
COMMON_WORTH = 1.5
UNKNOWN_WORTH = 3.5


def recency(updated: float | None, now: float) -> float:
    """Return 0.5^(age/21 days) since the last edit; 0.2 if the time is unknown (D5)."""
    if updated is None:
        return UNKNOWN_AGE_RECENCY
    return float(0.5 ** (max(0.0, now - updated) / DAY / RECENCY_HALF_LIFE_DAYS))


def trust(hits: int, confidence: float | None, created: float | None, now: float) -> float:
    """Return (0.3 + 0.5·(1 - e^(-hits/5)) + 0.2·min(1, age/30 days)) · confidence (D6)."""
    age = 0.0 if created is None else max(0.0, now - created) / DAY
    earned = 0.3 + 0.5 * (1 - math.exp(-hits / 5)) + 0.2 * min(1.0, age / 30)
    return earned * (1.0 if confidence is None else confidence)


def rarity(documents: int, holding: int) -> float:
    """Return a word's weight (IDF): the fewer memories contain it, the higher; a store counts as at least 1,000."""
    total = max(documents, SMALLEST_STORE)
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


def tokens(text: str) -> float:
    """Return about how many tokens a text has: words / 0.75 (D45)."""
    return len(text.split()) / 0.75
