"""The wiring table: which handler runs on which event, in which order, under which setting. Import-light.

A hook handler answers the client at once: `handler(event, reply)`. A worker handler gets the event when the inbox is
processed: `handler(batch, inbox_event)`. Handlers are named, not imported, because a hook loads only what its event
needs; `tests/test_architecture.py` resolves every name and checks that its module may be used there.
"""

HOOK, WORKER = "hook", "worker"


class Binding:
    """One row of the table."""

    __slots__ = ("event", "handler", "is_switched_by_handler", "priority", "provides", "setting", "uses", "where")

    def __init__(
        self, event: str, priority: int, where: str, handler: str, *, provides: str, setting: str = "", uses: str = "",
        is_switched_by_handler: bool = False,
    ) -> None:  # fmt: skip
        self.event, self.priority, self.where = event, priority, where
        self.handler = handler
        """Module and function, below the package `recollect`."""
        self.setting = setting
        """The setting that switches the handler; empty where it always runs."""
        self.provides, self.uses = provides, tuple(uses.split())
        self.is_switched_by_handler = is_switched_by_handler
        """The handler reads its setting itself, because that is quicker than opening the store."""


BINDINGS = (
    Binding("SessionStarted", 5, WORKER, "pipeline.event_handlers.record_session_start", provides="memory.sessions"),
    Binding(
        "SessionStarted", 10, WORKER, "pipeline.event_handlers.scan_vault", provides="memory.vault",
        uses="memory.store",
    ),
    Binding(
        "SessionStarted", 15, WORKER, "pipeline.capture.close_abandoned_sessions", setting="capture.enabled",
        provides="memory.capture", uses="memory.store memory.turns",
    ),
    Binding(
        "SessionStarted", 410, WORKER, "pipeline.job_marks.owe_verdicts", setting="validation.enabled",
        provides="memory.jobs", uses="memory.vault",
    ),
    Binding("SessionStarted", 20, HOOK, "hooks.ledger.reset_on_start", provides="memory.ledger"),
    Binding(
        "SessionStarted", 50, HOOK, "hooks.injection.session_start.inject_session_start", setting="inject.session",
        provides="memory.start", uses="memory.store",
    ),
    Binding(
        "SessionStarted", 60, WORKER, "pipeline.job_marks.owe_recurring", provides="memory.jobs",
        uses="memory.sessions",
    ),
    Binding("PromptSubmitted", 10, WORKER, "pipeline.event_handlers.count_prompt", provides="memory.sessions"),
    Binding(
        "PromptSubmitted", 20, WORKER, "pipeline.job_marks.owe_scheduled", provides="memory.jobs",
        uses="memory.sessions",
    ),
    Binding(
        "PromptSubmitted", 50, HOOK, "hooks.injection.prompt.inject_memories", setting="inject.prompt",
        provides="memory.inject", uses="memory.store memory.ledger",
    ),
    Binding(
        "PromptSubmitted", 55, HOOK, "hooks.injection.scoped_rules.tell_with_prompt", setting="inject.prompt",
        provides="memory.inject", uses="memory.store memory.ledger",
    ),
    Binding(
        "PromptSubmitted", 60, WORKER, "pipeline.event_handlers.count_uses", provides="memory.uses",
        uses="memory.inject",
    ),
    Binding("ToolStarting", 50, HOOK, "hooks.guard.tool_guard.guard", provides="memory.guard"),
    Binding(
        "ToolStarting", 60, HOOK, "hooks.injection.tool_rules.tell_before_tool", setting="inject.prompt",
        provides="memory.inject", uses="memory.ledger", is_switched_by_handler=True,
    ),
    Binding(
        "ToolStarting", 100, WORKER, "pipeline.event_handlers.record_tool_start", provides="memory.activity",
        uses="memory.guard memory.inject",
    ),
    Binding(
        "ToolFailed", 50, HOOK, "hooks.injection.known_fix.inject_known_fix", setting="inject.prompt",
        provides="memory.inject", uses="memory.store memory.ledger",
    ),
    Binding(
        "ToolFailed", 90, WORKER, "pipeline.capture.record_boundary", setting="capture.enabled",
        provides="memory.boundaries", uses="memory.activity",
    ),
    Binding(
        "ToolFailed", 100, WORKER, "pipeline.event_handlers.record_tool_event", provides="memory.activity",
        uses="memory.sessions",
    ),
    Binding("ToolFinished", 80, HOOK, "hooks.guard.tool_guard.quarantine", provides="memory.guard"),
    Binding(
        "ToolFinished", 90, WORKER, "pipeline.capture.record_boundary", setting="capture.enabled",
        provides="memory.boundaries", uses="memory.activity",
    ),
    Binding(
        "ToolFinished", 100, WORKER, "pipeline.event_handlers.record_tool_event", provides="memory.activity",
        uses="memory.sessions",
    ),
    Binding(
        "TurnEnded", 80, WORKER, "pipeline.capture.keep_answer", setting="capture.enabled", provides="memory.activity",
        uses="memory.sessions",
    ),
    Binding(
        "TurnEnded", 85, WORKER, "pipeline.user_words.keep_unsent_words", setting="capture.enabled",
        provides="memory.activity", uses="memory.sessions",
    ),
    Binding(
        "TurnEnded", 90, WORKER, "pipeline.event_handlers.save_turn", setting="capture.turns", provides="memory.turns",
        uses="memory.store memory.sessions",
    ),
    Binding(
        "TurnEnded", 100, HOOK, "hooks.triage.triage", setting="triage.enabled", provides="memory.triage",
        uses="memory.store", is_switched_by_handler=True,
    ),
    Binding(
        "TurnEnded", 100, WORKER, "pipeline.capture.file_turn_drafts", setting="capture.enabled",
        provides="memory.capture", uses="memory.store memory.turns",
    ),
    Binding(
        "TurnEnded", 210, WORKER, "pipeline.job_marks.owe_recurring", provides="memory.jobs", uses="memory.turns",
    ),
    Binding(
        "CompactionStarting", 100, WORKER, "pipeline.event_handlers.checkpoint", provides="memory.checkpoints",
        uses="memory.store",
    ),
    Binding(
        "SessionEnded", 85, WORKER, "pipeline.user_words.keep_unsent_words", setting="capture.enabled",
        provides="memory.activity", uses="memory.sessions",
    ),
    Binding(
        "SessionEnded", 100, WORKER, "pipeline.capture.file_session_drafts", setting="capture.enabled",
        provides="memory.capture", uses="memory.store memory.turns",
    ),
    Binding(
        "SessionEnded", 200, WORKER, "pipeline.job_marks.owe_weighing", provides="memory.jobs", uses="memory.uses",
    ),
    Binding(
        "SessionEnded", 300, WORKER, "pipeline.job_marks.owe_compression", provides="memory.jobs",
        uses="memory.capture",
    ),
    Binding(
        "SessionEnded", 310, WORKER, "pipeline.job_marks.owe_log_compaction", setting="log.compact",
        provides="memory.jobs", uses="memory.turns",
    ),
    Binding(
        "SessionEnded", 320, WORKER, "pipeline.job_marks.owe_experiences", setting="consolidate.experiences",
        provides="memory.jobs", uses="memory.turns",
    ),
    Binding(
        "SessionEnded", 410, WORKER, "pipeline.job_marks.owe_verdicts", setting="validation.enabled",
        provides="memory.jobs", uses="memory.capture",
    ),
    Binding("SessionEnded", 900, HOOK, "hooks.ledger.remove_on_end", provides="memory.ledger"),
    Binding("SessionEnded", 900, WORKER, "pipeline.event_handlers.record_session_end", provides="memory.sessions"),
    Binding(
        "MemoriesAsked", 60, WORKER, "pipeline.event_handlers.count_uses", provides="memory.uses",
        uses="memory.store",
    ),
)  # fmt: skip

STARTS_WORKER = ("SessionStarted", "TurnEnded", "SessionEnded")
"""Events after which a worker is started."""
MAX_WAITING_EVENTS = 200
"""After `ToolFinished` a worker is started where more events than this wait."""


def bindings(event: str, where: str) -> list[Binding]:
    """Return the rows of an event at one place, in the order in which their handlers run."""
    rows = [row for row in BINDINGS if row.event == event and row.where == where]
    return sorted(rows, key=lambda row: row.priority)
