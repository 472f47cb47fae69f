"""What speaks for keeping something, kind by kind: the triage column of KINDS, as plain tuples.

Hooks read them too, and have no time to load the table of kinds itself.
"""

Words = tuple[tuple[str, ...], tuple[str, ...], float, float, int, int, float]

# Kind → words, boosters, what a word counts, what it counts near a booster, how many of each count, what is 1.0 (B10).
# The order is the one in which they are told.
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

# What a tool use counts, a tool that was not used before, and a message (B12).
ACTIVITY = {"session_summary": (0.05, 0.1, 0.02)}

# The score from which a kind is told, and the model that drafts it, unless the settings say otherwise (B13).
THRESHOLDS = {
    "decision": 0.4, "runbook": 0.4, "constraint": 0.5, "tech_debt": 0.4, "preference": 0.4, "session_summary": 0.6,
}  # fmt: skip
MODELS = {
    "decision": "sonnet", "runbook": "haiku", "constraint": "sonnet", "tech_debt": "haiku", "preference": "haiku",
    "session_summary": "haiku",
}  # fmt: skip
