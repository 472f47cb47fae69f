"""File what a simulated session learns as capture does: what is known already adds to the memory that is there."""

from recollect.model.clock import seconds
from recollect.model.memory import Memory
from recollect.pipeline import alike, capture, teaching
from recollect.pipeline.batch import Batch
from recollect.policy.capture import filing
from recollect.policy.capture.draft import Draft


def file(batch: Batch, memory: Memory) -> str:
    """Add a memory that a session would have captured to a batch; return the uid of the one that says it then.

    Empty where it says nothing that is not known.
    """
    draft = _draft(memory)
    place = filing.decide(draft, alike.known_alike(batch, draft), batch.context.kinds[memory.kind])
    if place.action == "NOOP":
        return ""
    if place.memory:
        return capture.extend(batch, draft, place.memory, ())
    capture.put_linked(batch, memory, place)
    return memory.uid


def _draft(memory: Memory) -> Draft:
    """Return the draft that capture would have made this memory of."""
    fields = memory.content.model_dump(mode="json", exclude_none=True)
    lead = filing.LEADS.get(memory.kind, "text")
    return Draft(
        memory.kind, memory.title, str(fields.get(lead, memory.text)), (),
        fields={name: value for name, value in fields.items() if name != lead},
        certainty=memory.confidence or 0.0, origin=memory.origin, rule=teaching.rule(memory),
        signature=next(iter(memory.keywords), ""), files=memory.files_modified,
        at=seconds(memory.created_at) or 0.0,
    )  # fmt: skip
