"""When a tool fails with a known error, inject the runbook that fixed it before. Import-light."""

from recollect.hooks import ledger
from recollect.hooks.event import Event, Reply
from recollect.hooks.injection.memory_text import below_title
from recollect.hooks.injection.receipt import IN_RECEIPT, OVER_BUDGET, TOLD_BEFORE, make_receipt
from recollect.hooks.project_lookup import current_branch
from recollect.hooks.redaction import MARK, redact_text
from recollect.lazy import load
from recollect.model.recall_values import RecallScope
from recollect.recall import search
from recollect.recall.question import Question

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.found_memory import FoundMemory

MOST_RUNBOOKS = 2
COVERAGE = 0.8
"""Share of the error's weighted words that a runbook has to hold, where its signature is another."""
ERROR_CHARS = 20_000
TOO_LITTLE = "shares too few words with the error"
TOO_MANY = f"at most {MOST_RUNBOOKS} runbooks are injected"
# Where a runbook repeats what tools printed, its fields never read as orders: no "fix", no "run this".
LABELS = {
    "symptoms": "the output said",
    "root_cause": "the cause, as it was noted",
    "steps": "what was run or edited",
    "verification": "checked",
}


def inject_known_fix(event: Event, reply: Reply) -> None:
    """Answer a failure with the runbook that was made of this error, else with one that says nearly the same."""
    error = event.read().fields["error"]
    if event.store.off_because(event.folder, event.fields["session"]):
        return
    project = event.place.project
    if not error or event.native not in event.dialect.LISTENS or not event.store.has_runbooks(project, event.now):
        return  # without a runbook, what reads errors is not even loaded
    outputs = load("recollect.policy.shell.outputs")
    said = redact_text(outputs.clean(error[:ERROR_CHARS]))  # neither question nor receipt may hold a credential
    signature = outputs.signature(said)
    generic = load("recollect.policy.shell.generic_errors")
    if generic.is_generic(signature):
        return  # "no such file" is never answered with another error's runbook
    signed = event.store.runbooks_signed(project, event.now, signature)
    if not signed and generic.is_common(signature):
        return
    question = Question(
        ("\n".join(outputs.error_lines(said)) or said[:500]).replace(MARK, " "),
        RecallScope(project, event.now, kinds=("runbook",), branch=current_branch(event.folder)),
        settings=event.place.settings,
    )  # fmt: skip
    terms, found = search.find(event.store.recall_source(), question)
    shown, texts = _fitting(event, _chosen(event, found, signed))
    if not shown:
        return
    reply.context = load("recollect.policy.injection.cards").block(texts, source="recollect")
    ledger.add(event.home, event.session, [memory.uid for memory in shown], ledger.AT_PROMPT)
    first = found[:IN_RECEIPT]
    candidates = [*first, *(memory for memory in shown if memory not in first)]
    reply.receipt = make_receipt(event, terms, candidates, shown, [reply.context], state="hits", profile=search.DEFAULT)


def _chosen(event: Event, found: "list[FoundMemory]", signed: set[str]) -> "list[FoundMemory]":
    """Return at most MOST_RUNBOOKS runbooks, those with the error's signature first; the others get a verdict.

    A runbook with the signature is shown though the session's start named it: the start block has its title alone.
    """
    shown_before = ledger.shown_uids(event.home, event.session)
    answered_before = ledger.shown_at_prompts(event.home, event.session)
    eligible = []
    for memory in found:
        if memory.uid not in signed and memory.coverage < COVERAGE:
            memory.verdict = memory.verdict or TOO_LITTLE
        elif memory.uid in (answered_before if memory.uid in signed else shown_before):
            memory.verdict = TOLD_BEFORE
        else:
            memory.verdict = ""
            eligible.append(memory)
    eligible.sort(key=lambda memory: memory.uid not in signed)
    for memory in eligible[MOST_RUNBOOKS:]:
        memory.verdict = TOO_MANY
    return eligible[:MOST_RUNBOOKS]


def _fitting(event: Event, runbooks: "list[FoundMemory]") -> "tuple[list[FoundMemory], list[str]]":
    """Return the runbooks that fit into the token budget, and their texts; the others get a verdict."""
    if not runbooks:
        return [], []
    cards, texts = load("recollect.policy.injection.cards"), []
    for memory in runbooks:
        is_captured = bool(cards.source(memory))
        memory.text = _labelled(event, memory) if is_captured else below_title(event, memory, tuple(LABELS))
        texts.append(redact_text(cards.card(memory, event.now)))
    budget = float(event.place.settings["inject.token_budget"])
    number = cards.fitting(texts, budget, event.dialect.CONTEXT_CHARS // 2)
    for memory in runbooks[number:]:
        memory.verdict = OVER_BUDGET
    return runbooks[:number], texts[:number]


def _labelled(event: Event, memory: "FoundMemory") -> str:
    """Return the fields of a captured runbook, a line each, labelled by where they come from."""
    parts = {below_title(event, memory, (name,)): label for name, label in LABELS.items()}
    return "\n".join(f"{label}: {' '.join(part.split())}" for part, label in parts.items() if part)
