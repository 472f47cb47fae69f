"""What is known of an error is told as soon as it comes again, before anything is tried a second time."""

from recollect.hooks import ledger
from recollect.hooks.event import Event, Reply
from recollect.hooks.injection import bare, receipt
from recollect.hooks.redaction import MARK
from recollect.lazy import load
from recollect.recall import search
from recollect.recall.query_terms import Question
from recollect.store.reader.reader import VISIBLE, off_because, rows, says

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.found_memory import FoundMemory

MOST = 2
STEPS = ("symptoms", "root_cause", "steps", "verification")
LABELS = ("the output said", "the cause, as it was noted", "what was run or edited", "checked")
"""What the fields of a runbook are called where it repeats what tools printed: never "fix", never "run this"."""
COVERAGE = 0.6
ERROR_CHARS = 20_000
SCOPE = "kind = 'runbook'"
KNOWN = f"SELECT id FROM memories WHERE {VISIBLE} AND {SCOPE} LIMIT 1"
SIGNED = f"""
SELECT uid FROM memories WHERE {VISIBLE} AND {SCOPE}
    AND EXISTS (SELECT 1 FROM json_each(image, '$.keywords') WHERE value = ?3)
"""


def tell_known_fix(event: Event, reply: Reply) -> None:
    """The runbooks for an error: the one that was made of it, else what says nearly the same."""
    error = event.read().fields["error"]
    if off_because(event.db, event.folder, event.fields["session"]):
        return
    here = (event.place.project, event.now)
    if not error or event.native not in event.dialect.LISTENS or not rows(event.db, KNOWN, here):
        return  # nothing is known of any error: what reads one is not even loaded
    outputs = load("recollect.policy.shell.outputs")
    said = bare(outputs.clean(error[:ERROR_CHARS]))  # neither the question nor its receipt holds a credential
    lines = outputs.error_lines(said)
    signed = {str(row[0]) for row in rows(event.db, SIGNED, (*here, outputs.signature(said)))}
    question = Question(
        ("\n".join(lines) or said[:500]).replace(MARK, " "), project=event.place.project, now=event.now, scope=SCOPE,
        settings=event.place.settings,
    )  # fmt: skip
    asked, found = search.find(event.db, question)
    told = ledger.told(event.home, event.session)
    fits = [one for one in found if one.uid in signed or one.coverage >= COVERAGE]
    fits.sort(key=lambda one: one.uid not in signed)
    shown = [one for one in fits if one.uid not in told][:MOST]
    if shown:
        _tell(event, reply, shown)
        reply.receipt = receipt(event, asked, found[:MOST], shown, [reply.context]) | {
            "state": "hits",
            "profile": "hybrid",
        }


def _tell(event: Event, reply: Reply, shown: "list[FoundMemory]") -> None:
    cards = load("recollect.policy.injection.cards")
    texts = []
    for one in shown:
        one.text = _labelled(event, one) if cards.source(one) else says(event.db, event.place, one, STEPS)
        texts.append(bare(cards.card(one, event.now)))
    number = cards.fitting(texts, float(event.place.settings["inject.token_budget"]), event.dialect.CONTEXT_CHARS // 2)
    if number:
        reply.context = cards.block(texts[:number], source="recollect")
        ledger.add(event.home, event.session, [one.uid for one in shown[:number]], ledger.AT_PROMPT)


def _labelled(event: Event, one: "FoundMemory") -> str:
    """What a captured runbook says, a line for each field with the name of where it comes from."""
    told = {says(event.db, event.place, one, (name,)): label for name, label in zip(STEPS, LABELS, strict=True)}
    return "\n".join(f"{label}: {' '.join(said.split())}" for said, label in told.items() if said)
