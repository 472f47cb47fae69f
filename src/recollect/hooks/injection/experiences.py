"""Past experiences that a prompt is about, told below the memories (C21). Import-light."""

from recollect.hooks import ledger
from recollect.hooks.injection.receipt import OVER_BUDGET, TOLD_BEFORE
from recollect.hooks.redaction import redact_text
from recollect.lazy import load
from recollect.model.recall_values import EXPERIENCE, RecallScope
from recollect.recall import search
from recollect.recall.question import Question

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.hooks.event import Event
    from recollect.model.found_memory import FoundMemory

MOST = 8
LEARNT_HERE, SAID_ABOVE, TOO_MANY = "of this session", "a memory above says so", "more than eight experiences"


def find(event: "Event", question: Question, shown: "list[FoundMemory]") -> "list[FoundMemory]":
    """Return the experiences that a prompt is about, each with the reason why it is not told; best first."""
    scope = RecallScope(event.place.project, event.now, kinds=(EXPERIENCE,))
    asked = Question(
        question.text, scope, files=question.files, earlier=question.earlier, settings=question.settings
    )  # fmt: skip
    _, found = search.find(event.store.recall_source(), asked, limit=2 * MOST)
    told_before, told = ledger.shown_uids(event.home, event.session), 0
    said = [" ".join(f"{memory.title} {memory.text}".split()) for memory in shown]
    for memory in found:
        if not memory.verdict:
            memory.verdict = _verdict(event, memory, told_before, said)
        if not memory.verdict:
            told += 1
            memory.verdict = TOO_MANY if told > MOST else ""
    return found


def _verdict(event: "Event", memory: "FoundMemory", told_before: set[str], said: list[str]) -> str:
    if memory.uid in told_before:
        return TOLD_BEFORE
    if memory.session and memory.session == event.fields["session"]:
        return LEARNT_HERE  # the model still has it
    beginning = " ".join(memory.title.split())
    return SAID_ABOVE if any(beginning and text.startswith(beginning) for text in said) else ""


def fitting(event: "Event", found: "list[FoundMemory]", texts: list[str], most_chars: int) -> list[str]:
    """Return the lines of the experiences that fit beside the texts of memories, under their heading.

    The others get a verdict; nothing is returned where none fits.
    """
    lines = load("recollect.policy.injection.experience_lines")
    cards = load("recollect.policy.injection.cards")
    chosen = [memory for memory in found if not memory.verdict]
    shown = [lines.HEADING, *(redact_text(lines.line(memory)) for memory in chosen)]
    budget = float(event.place.settings["inject.token_budget"])
    number = max(1, cards.fitting([*texts, *shown], budget, most_chars) - len(texts))
    for memory in chosen[number - 1 :]:
        memory.verdict = OVER_BUDGET
    return shown[:number] if number > 1 else []
