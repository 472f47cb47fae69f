"""Score how memorable a text is (D20-D25): by substance, salience for the task, distinctiveness, and kind."""

import re
from collections.abc import Collection, Mapping

from recollect.policy.ranking.keyword_points import words

WEIGHTS = {"substance": 0.25, "salience": 0.25, "distinctiveness": 0.30, "kind": 0.20}
UNKNOWN_KIND = 0.6
PER_WORD, OF_THE_TASK = 0.2, 0.5
WITH_ERROR, WHEN_REACHED = 0.9, 0.6
# D25: where there is nothing to compare with, novelty is no merit: the original let everything through for it.
NOTHING_ALIKE = 0.5
_SALIENT = (
    "error", "bug", "fix", "crash", "fail", "broken", "critical", "security", "vulnerability", "resolved", "root cause",
    "workaround", "breakthrough", "discovered", "important", "warning", "exception", "traceback", "panic", "fatal",
    "success", "passed", "verified",
)  # fmt: skip
_REPEATED = re.compile(r"(?m)^(.*)$(?:\n\1$)+")


def substance(text: str, *, has_files: bool) -> float:
    """Return 0.1 to 1 by the length without repeated lines; a little more for a long text with files (D21)."""
    length = len(_REPEATED.sub(r"\1", text).strip())
    if length < 50:
        return 0.1
    if length < 200:
        return 0.3
    if length < 500:
        return 0.5
    return min(1.0, min(0.8, 0.5 + (length - 500) / 5_000) + (0.1 if has_files else 0.0))


def salience(text: str, task: Collection[str], *, has_error: bool, is_reached: bool = False) -> float:
    """Return 0 to 1: high for an error, then for a milestone, else by telling words and words of the task (D22)."""
    if has_error or is_reached:
        return WITH_ERROR if has_error else WHEN_REACHED
    low = text.lower()
    telling = PER_WORD * sum(word in low for word in _SALIENT)
    shared = len(words(text) & set(task)) / len(task) if task else 0.0
    return min(1.0, telling + OF_THE_TASK * shared)


def distinctiveness(likeness: float | None) -> float:
    """Return 1 minus the likeness to the nearest memory (D23); 0.5 if there is none to compare with (None)."""
    return NOTHING_ALIKE if likeness is None else 1.0 - max(0.0, min(1.0, likeness))


def total(parts: Mapping[str, float]) -> float:
    """Return the weighted sum of the four parts, from 0 to 1."""
    return max(0.0, min(1.0, sum(WEIGHTS[name] * value for name, value in parts.items())))


def parts(
    text: str, kind: str, task: Collection[str], likeness: float | None, weights: Mapping[str, float], *,
    has_error: bool, has_files: bool, is_reached: bool = False,
) -> dict[str, float]:  # fmt: skip
    """Return the four parts of the score, by name."""
    return {
        "substance": substance(text, has_files=has_files),
        "salience": salience(text, task, has_error=has_error, is_reached=is_reached),
        "distinctiveness": distinctiveness(likeness),
        "kind": weights.get(kind, UNKNOWN_KIND),
    }
