"""Inject the memories that a prompt is about, each once a session, or nothing. Import-light."""

from recollect import hook_log
from recollect.hooks import ledger
from recollect.hooks.event import Event, Reply
from recollect.hooks.injection.memory_text import ENVELOPE_CHARS, below_title, other_branch
from recollect.hooks.injection.receipt import IN_RECEIPT, OVER_BUDGET, TOLD_BEFORE, make_receipt
from recollect.hooks.project_lookup import current_branch
from recollect.hooks.redaction import MARK, redact_text
from recollect.lazy import load
from recollect.model.recall_values import EXPERIENCE, VERBATIM_KINDS, RecallScope
from recollect.policy.ranking import telling
from recollect.recall import search
from recollect.recall.question import Question
from recollect.store.hook_reader.connection import ReadFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from recollect.model.found_memory import FoundMemory
    from recollect.model.query import Query
    from recollect.recall.query_terms import QueryTerms

TURN = "turn_summary"
OVER_FETCH = 5  # D37
DEFAULT_MEMORIES = 5
"""The default of `inject.max_memories`."""
TEXT_CHARS, TURN_CHARS = 1_000, 700
"""The most that is shown of a memory's text, and of a turn's: `recollect show` has the whole."""
LEARNT_HERE = "saved in this session"
NO_PASSAGE = "no sentence of the turn has enough in common with the prompt"
NO_EXPERIENCES, IS_EXPERIENCE = "inject.experiences is off", "told as an experience"
TOO_MANY = "max_memories reached"
KEYWORD = "keyword"
"""The ranking of seed B, which also warns of settings that it cannot use (B23)."""


class Considered:
    """What recall found for a prompt, and what of it is told."""

    __slots__ = ("found", "shown", "terms", "texts")

    def __init__(
        self, terms: "QueryTerms", found: "list[FoundMemory]", shown: "list[FoundMemory]", texts: list[str]
    ) -> None:
        self.terms, self.shown, self.texts = terms, shown, texts
        self.found = found
        """Every candidate, best first; one that is not told has a verdict."""

    @property
    def state(self) -> str:
        """The state of the receipt: `hits` or `none`, with what recall lacked."""
        state = "hits" if self.shown else "none"
        return f"{state} ({self.terms.missing_vectors})" if self.terms.missing_vectors else state


def inject_memories(event: Event, reply: Reply) -> None:
    """Answer a prompt with the memories that it is about (D45-D47, B24, A31), and a receipt."""
    if event.native not in event.dialect.LISTENS:
        return
    settings = event.place.settings
    profile = str(settings["recall.profile"])
    if profile == KEYWORD:
        _most_memories(event)  # a number that cannot be used joins the warnings
        reply.warning = str(settings["warnings"])
    try:
        considered = consider(event)
    except (ReadFailed, ValueError) as error:  # a store in trouble is no reason to be silent about it
        hook_log.write(event.home, event.native, f"recall failed: {error}")
        reply.receipt = make_receipt(event, None, [], [], [], state=f"failed: {error}"[:200], profile=profile)
        return
    found, shown, texts = considered.found, considered.shown, considered.texts
    reply.receipt = make_receipt(event, considered.terms, found, shown, texts, state=considered.state, profile=profile)
    if shown:
        reply.context, reply.is_plain = block(event, shown, texts, str(reply.receipt["id"]))
        ledger.add(event.home, event.session, [memory.uid for memory in shown], ledger.AT_PROMPT)
        notify(event, shown)


def consider(event: Event, filters: "Query | None" = None) -> Considered:
    """Return what a prompt would be told and what would be left out, and write nothing.

    `filters` leave memories out beforehand: a person asks with them, hooks do not. Raises ReadFailed, and ValueError
    where the search index is damaged.
    """
    question, most = _question(event, filters), _most_memories(event)
    profile, number = str(event.place.settings["recall.profile"]), max(search.CONSIDERED, OVER_FETCH * most)
    terms, found = search.find(event.store.recall_source(), question, profile, number)
    found = [memory for rank, memory in enumerate(found) if rank < IN_RECEIPT or not memory.verdict]
    _judge(event, found, terms)
    shown, texts = _fitting(event, [memory for memory in found if not memory.verdict])
    if event.place.settings["inject.experiences"]:
        shown, texts, found = _with_experiences(event, question, found, shown, texts)
    return Considered(terms, found, shown, texts)


def _most_memories(event: Event) -> int:
    """Return how many memories may be shown; the default where the environment names no number."""
    most = event.place.settings["inject.max_memories"]
    if isinstance(most, int):
        return most
    ignored = f"WARNING: RECOLLECT_INJECT__MAX_MEMORIES is ignored: {str(most)[:80]!r} is not a number; 5 is used\n"
    event.place.settings["inject.max_memories"] = DEFAULT_MEMORIES
    event.place.settings["warnings"] += ignored
    return DEFAULT_MEMORIES


def _question(event: Event, filters: "Query | None") -> Question:
    """Return the prompt with the prompt before it and the files that the session works on."""
    session = event.fields["session"]
    return Question(
        redact_text(event.own_prompt()).replace(MARK, " "),
        RecallScope(event.place.project, event.now, branch=current_branch(event.folder), filters=filters),
        files=event.store.files_in_play(session), earlier=event.store.last_prompt(session),
        settings=event.place.settings,
    )  # fmt: skip


def _judge(event: Event, found: "list[FoundMemory]", terms: "QueryTerms") -> None:
    """Give every memory that is not to be shown its reason."""
    settings = event.place.settings
    shown_before = ledger.shown_uids(event.home, event.session)
    compacted_at = event.store.compacted_at(event.session)
    for memory in found:
        if memory.verdict:
            continue
        if memory.uid in shown_before:
            memory.verdict = TOLD_BEFORE
        elif memory.session == event.fields["session"] and (memory.created or 0) >= compacted_at:
            memory.verdict = LEARNT_HERE  # the model still has it
        elif memory.kind == EXPERIENCE:
            memory.verdict = IS_EXPERIENCE if settings["inject.experiences"] else NO_EXPERIENCES
        elif memory.kind == TURN and terms.telling:
            memory.passage = _passage(event, memory, terms)
            memory.verdict = "" if memory.passage else NO_PASSAGE
    eligible = _this_episode_first(event, [memory for memory in found if not memory.verdict])
    most = _most_memories(event)
    chosen = load("recollect.policy.ranking.time_scales").allocated(eligible, most, event.now) if eligible else []
    for memory in eligible:
        if memory not in chosen:
            memory.verdict = TOO_MANY


def _passage(event: Event, memory: "FoundMemory", terms: "QueryTerms") -> str:
    """Return the sentences of a turn that the prompt is about; empty if there are none."""
    weights, is_few = dict(zip(terms.words, terms.telling, strict=True)), terms.total < telling.SMALL_STORE
    whole = below_title(event, memory)
    found: str = load("recollect.policy.injection.passages").passage(whole, weights, is_few=is_few)
    return found


def _this_episode_first(event: Event, eligible: "list[FoundMemory]") -> "list[FoundMemory]":
    """Move what this session learnt since its work last turned to something else before all others."""
    session = event.fields["session"]
    own = [memory for memory in eligible if memory.session == session]
    if not own:
        return eligible
    boundary = event.store.last_boundary(session)
    late = [memory for memory in own if (memory.created or 0) >= boundary]
    return [*late, *(memory for memory in eligible if memory not in late)]


def _fitting(event: Event, chosen: "list[FoundMemory]") -> "tuple[list[FoundMemory], list[str]]":
    """Return the memories that fit into the token budget, and their texts; the others get a verdict."""
    if not chosen:
        return [], []
    texts = [redact_text(text) for text in _rendered(event, chosen)]
    budget = float(event.place.settings["inject.token_budget"])
    number = _cards().fitting(texts, budget, event.dialect.CONTEXT_CHARS - ENVELOPE_CHARS)
    for memory in chosen[number:]:
        memory.verdict = OVER_BUDGET
    return chosen[:number], texts[:number]


def _with_experiences(
    event: Event, question: Question, found: "list[FoundMemory]", shown: "list[FoundMemory]", texts: list[str]
) -> "tuple[list[FoundMemory], list[str], list[FoundMemory]]":
    """Return what is shown, its texts and what was considered, with past experiences within the same budget (C21)."""
    experiences: "ModuleType" = load("recollect.hooks.injection.experiences")
    past = experiences.find(event, question, shown)
    lines = experiences.fitting(event, past, texts, event.dialect.CONTEXT_CHARS - ENVELOPE_CHARS)
    considered = [memory for memory in found if memory.verdict != IS_EXPERIENCE]
    return [*shown, *(memory for memory in past if not memory.verdict)], [*texts, *lines], [*considered, *past]


def _rendered(event: Event, chosen: "list[FoundMemory]") -> list[str]:
    here = current_branch(event.folder)
    for memory in chosen:
        memory.text = memory.passage or below_title(event, memory)
        memory.branch = other_branch(memory.branch, here)
    cards, render = _cards(), _render_setting(event)
    if render == "cards":
        return [cards.card(memory, event.now, TURN_CHARS if _is_turn(memory) else TEXT_CHARS) for memory in chosen]
    draw = cards.line if render == "lines" else cards.pointer
    return [draw(memory, _path(event, memory)) for memory in chosen]


def _is_turn(memory: "FoundMemory") -> bool:
    return memory.kind in VERBATIM_KINDS


def _cards() -> "ModuleType":
    """Return the renderings, which are loaded only where there is something to show."""
    cards: "ModuleType" = load("recollect.policy.injection.cards")
    return cards


def _render_setting(event: Event) -> str:
    render = str(event.place.settings["inject.render"])
    return render if render in ("lines", "pointers") else "cards"


def _path(event: Event, memory: "FoundMemory") -> str:
    return event.store.vault_path(event.place.root, memory.uid) or f"{memory.kind}/{memory.slug}"


def block(event: Event, shown: "list[FoundMemory]", texts: list[str], receipt_id: str) -> tuple[str, bool]:
    """Return the text to inject, and whether it is printed as it is: the seeds' own renderings are."""
    render, cards = _render_setting(event), _cards()
    if render == "cards":
        return cards.block(texts, source="recollect", receipt=receipt_id), False
    if render == "lines":
        return cards.block(texts, source=f"{event.place.settings['vault.root']}/"), True
    paths = " ".join(_path(event, memory) for memory in shown if memory.kind != EXPERIENCE)
    return "\n".join([f"Relevant memories: {paths}"] * bool(paths) + texts), True


def notify(event: Event, shown: "list[FoundMemory]") -> None:
    """Show a desktop notification per memory (A32), where the launcher said that somebody is watching."""
    if not event.env.get("AGENT_TERMINAL_PID"):
        return
    for memory in shown:
        try:
            load("recollect.hooks.spawn").detached(
                ["notify-send", "--expire-time=8000", "--", "recollect", memory.title], event.env
            )
        except OSError:  # no notifier is installed
            return
