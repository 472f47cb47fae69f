"""When a tool fails with a known error, inject the runbook that fixed it before. Import-light."""

from recollect.hooks import ledger
from recollect.hooks.event import Event, Reply
from recollect.hooks.injection.memory_text import below_title, without_secrets
from recollect.hooks.injection.receipt import make_receipt
from recollect.hooks.redaction import MARK
from recollect.lazy import load
from recollect.model.recall_values import RecallScope
from recollect.recall import search
from recollect.recall.question import Question

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.found_memory import FoundMemory

MOST_RUNBOOKS = 2
COVERAGE = 0.6
"""Share of the error's weighted words that a runbook has to hold, where its signature is another."""
ERROR_CHARS = 20_000
# Where a runbook repeats what tools printed, its fields never read as orders: no "fix", no "run this".
LABELS = {
    "symptoms": "the output said",
    "root_cause": "the cause, as it was noted",
    "steps": "what was run or edited",
    "verification": "checked",
}


def tell_known_fix(event: Event, reply: Reply) -> None:
    """Answer a failure with the runbook that was made of this error, else with one that says nearly the same."""
    error = event.read().fields["error"]
    if event.store.off_because(event.folder, event.fields["session"]):
        return
    project = event.place.project
    if not error or event.native not in event.dialect.LISTENS or not event.store.has_runbooks(project, event.now):
        return  # without a runbook, what reads errors is not even loaded
    outputs = load("recollect.policy.shell.outputs")
    said = without_secrets(outputs.clean(error[:ERROR_CHARS]))  # neither question nor receipt may hold a credential
    signed = event.store.runbooks_signed(project, event.now, outputs.signature(said))
    question = Question(
        ("\n".join(outputs.error_lines(said)) or said[:500]).replace(MARK, " "),
        RecallScope(project, event.now, kinds=("runbook",)), settings=event.place.settings,
    )  # fmt: skip
    terms, found = search.find(event.store.recall_source(), question)
    told = ledger.told(event.home, event.session)
    fits = [memory for memory in found if memory.uid in signed or memory.coverage >= COVERAGE]
    fits.sort(key=lambda memory: memory.uid not in signed)
    shown = [memory for memory in fits if memory.uid not in told][:MOST_RUNBOOKS]
    if shown:
        _tell(event, reply, shown)
        considered = found[:MOST_RUNBOOKS]
        reply.receipt = make_receipt(
            event, terms, considered, shown, [reply.context], state="hits", profile=search.DEFAULT
        )


def _tell(event: Event, reply: Reply, shown: "list[FoundMemory]") -> None:
    cards = load("recollect.policy.injection.cards")
    texts = []
    for memory in shown:
        is_captured = bool(cards.source(memory))
        memory.text = _labelled(event, memory) if is_captured else below_title(event, memory, tuple(LABELS))
        texts.append(without_secrets(cards.card(memory, event.now)))
    number = cards.fitting(texts, float(event.place.settings["inject.token_budget"]), event.dialect.CONTEXT_CHARS // 2)
    if number:
        reply.context = cards.block(texts[:number], source="recollect")
        ledger.add(event.home, event.session, [memory.uid for memory in shown[:number]], ledger.AT_PROMPT)


def _labelled(event: Event, memory: "FoundMemory") -> str:
    """Return the fields of a captured runbook, a line each, labelled by where they come from."""
    parts = {below_title(event, memory, (name,)): label for name, label in LABELS.items()}
    return "\n".join(f"{label}: {' '.join(part.split())}" for part, label in parts.items() if part)
