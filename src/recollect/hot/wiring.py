"""The wiring table: what runs on which event, in which order, under which switch.

A handler of the hook is a function of this room that answers at once; one of the worker is a function of `lifecycle`
that gets the event when it is drained. Handlers are named, not imported: a hook loads what its event needs.
"""

HOOK, WORKER = "hook", "worker"

# event, priority, where, handler, setting that switches it, what it provides, what it uses
BINDINGS = (
    ("SessionStarted", 5, WORKER, "drain.begin", "", "memory.sessions", ""),
    ("SessionStarted", 10, WORKER, "drain.look", "", "memory.vault", "memory.store"),
    ("SessionStarted", 15, WORKER, "capture.sweep", "capture.enabled", "memory.capture", "memory.store, memory.turns"),
    ("SessionStarted", 20, HOOK, "session.reset_ledger", "", "memory.ledger", ""),
    ("SessionStarted", 50, HOOK, "start.session_memory", "inject.session", "memory.start", "memory.store"),
    ("PromptSubmitted", 10, WORKER, "drain.count", "", "memory.sessions", ""),
    ("PromptSubmitted", 50, HOOK, "inject.relevant", "inject.prompt", "memory.inject", "memory.store, memory.ledger"),
    ("PromptSubmitted", 60, WORKER, "drain.use", "", "memory.uses", "memory.inject"),
    ("ToolStarting", 50, HOOK, "guard.guard", "", "memory.guard", ""),
    ("ToolStarting", 100, WORKER, "drain.refused", "", "memory.activity", "memory.guard"),
    ("ToolFailed", 50, HOOK, "remedy.remedy", "inject.prompt", "memory.inject", "memory.store, memory.ledger"),
    ("ToolFinished", 80, HOOK, "guard.quarantine", "", "memory.guard", ""),
    ("ToolFinished", 100, WORKER, "drain.observe", "", "memory.activity", "memory.sessions"),
    ("ToolFinished", 90, WORKER, "capture.boundary", "capture.enabled", "memory.boundaries", "memory.activity"),
    ("ToolFailed", 100, WORKER, "drain.observe", "", "memory.activity", "memory.sessions"),
    ("ToolFailed", 90, WORKER, "capture.boundary", "capture.enabled", "memory.boundaries", "memory.activity"),
    ("TurnEnded", 80, WORKER, "capture.answer", "capture.enabled", "memory.activity", "memory.sessions"),
    ("TurnEnded", 90, WORKER, "drain.turn", "capture.turns", "memory.turns", "memory.store, memory.sessions"),
    ("TurnEnded", 100, HOOK, "triage.triage", "triage.enabled", "memory.triage", "memory.store"),
    ("TurnEnded", 100, WORKER, "capture.draft", "capture.enabled", "memory.capture", "memory.store, memory.turns"),
    ("CompactionStarting", 100, WORKER, "drain.checkpoint", "", "memory.checkpoints", "memory.store"),
    ("SessionEnded", 900, HOOK, "session.cleanup", "", "memory.ledger", ""),
    ("SessionEnded", 100, WORKER, "capture.close", "capture.enabled", "memory.capture", "memory.store, memory.turns"),
    ("SessionEnded", 900, WORKER, "drain.end", "", "memory.sessions", ""),
)

# Handlers that look at their switch themselves: seeing that there is nothing to do costs less than asking the store.
UNSWITCHED = ("triage.triage",)

# The events after which waiting ones are drained; a single tool call never starts a worker, a pile of them does.
DRAINS = ("SessionStarted", "TurnEnded", "SessionEnded")
PILE = 200


def handlers(event: str, where: str) -> list[tuple[str, str]]:
    """The handlers of an event and their switches, in order."""
    rows = sorted(row for row in BINDINGS if row[0] == event and row[2] == where)
    return [(row[3], "" if row[3] in UNSWITCHED else row[4]) for row in rows]
