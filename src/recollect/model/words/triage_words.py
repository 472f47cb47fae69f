"""The triage column of KINDS as plain tuples: words that suggest saving a memory, by kind. Import-light.

Hooks read them, and cannot spend the time to load the table of kinds itself.
"""

Words = tuple[tuple[str, ...], tuple[str, ...], float, float, int, int, float]

# Kind → words, boosters, points of a word, points of a word near a booster, most words counted, most boosted words
# counted, the sum that is a score of 1.0 (B10). Requests name the kinds in this order.
WORDS: dict[str, Words] = {
    "decision": (
        ("decided", "chose", "selected", "went with", "picked"),
        ("because", "due to", "reason", "rationale", "over", "instead of", "rather than"),
        0.3, 0.5, 3, 2, 1.9,
    ),
    "runbook": (
        ("error", "exception", "traceback", "stack trace", "failed", "failure", "crash"),
        ("fixed by", "resolved", "root cause", "solution", "workaround", "the fix"),
        0.2, 0.6, 3, 2, 1.8,
    ),
    "constraint": (
        ("limitation", "api limit", "cannot", "restricted", "not supported", "quota", "rate limit"),
        ("discovered", "found that", "turns out", "permanently", "enduring", "platform"),
        0.3, 0.5, 3, 2, 1.9,
    ),
    "tech_debt": (
        ("todo", "deferred", "tech debt", "workaround", "hack", "will address later", "technical debt"),
        ("because", "for now", "temporary", "acknowledged", "deferring", "cost", "risk"),
        0.3, 0.5, 3, 2, 1.9,
    ),
    "preference": (
        ("always use", "prefer", "convention", "from now on", "standard", "never use", "established"),
        ("agreed", "going forward", "consistently", "rule", "practice", "workflow"),
        0.35, 0.5, 3, 2, 2.05,
    ),
}  # fmt: skip

# Points of a tool use, of a tool that was not used before, and of a message (B12).
ACTIVITY = {"session_summary": (0.05, 0.1, 0.02)}

# Defaults: the score from which a kind is asked for, and the model that drafts it (B13).
THRESHOLDS = {
    "decision": 0.4, "runbook": 0.4, "constraint": 0.5, "tech_debt": 0.4, "preference": 0.4, "session_summary": 0.6,
}  # fmt: skip
MODELS = {
    "decision": "sonnet", "runbook": "haiku", "constraint": "sonnet", "tech_debt": "haiku", "preference": "haiku",
    "session_summary": "haiku",
}  # fmt: skip
