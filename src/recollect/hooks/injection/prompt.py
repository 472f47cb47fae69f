"""Inject the memories that a prompt is about, each once a session, or nothing. Import-light."""

from recollect import hook_log
from recollect.hooks import ledger
from recollect.hooks.event import Event, Reply
from recollect.hooks.injection.memory_text import ENVELOPE_CHARS, below_title, other_branch
from recollect.hooks.injection.receipt import IN_RECEIPT, OVER_BUDGET, TOLD_BEFORE, make_receipt
from recollect.hooks.project_lookup import current_branch
from recollect.hooks.redaction import MARK, redact_text
from recollect.lazy import load
from recollect.model.recall_values import VERBATIM_KINDS, RecallScope
from recollect.recall import search
from recollect.recall.question import Question
from recollect.store.hook_reader.connection import ReadFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from recollect.model.found_memory import FoundMemory

EXPERIENCE = "experience"
OVER_FETCH = 5  # D37
DEFAULT_MEMORIES = 5
"""The default of `inject.max_memories`."""
TEXT_CHARS, TURN_CHARS = 1_000, 700
"""The most that is shown of a memory's text, and of a turn's: `recollect show` has the whole."""
LEARNT_HERE = "saved in this session"
NO_EXPERIENCES = "inject.experiences is off"
TOO_MANY = "max_memories reached"
KEYWORD = "keyword"
"""The ranking of seed B, which also warns of settings that it cannot use (B23)."""


def inject_memories(event: Event, reply: Reply) -> None:
    """Answer a prompt with the memories that it is about (D45-D47, B24, A31), and a receipt."""
    if event.native not in event.dialect.LISTENS:
        return
    settings, question = event.place.settings, _question(event)
    profile, most = str(settings["recall.profile"]), _most_memories(event)
    if profile == KEYWORD:
        reply.warning = str(settings["warnings"])
    try:
        considered = max(search.CONSIDERED, OVER_FETCH * most)
        terms, found = search.find(event.store.recall_source(), question, profile, considered)
    except (ReadFailed, ValueError) as error:  # a store in trouble is no reason to be silent about it
        hook_log.write(event.home, event.native, f"recall failed: {error}")
        reply.receipt = make_receipt(event, None, [], [], [], state=f"failed: {error}"[:200], profile=profile)
        return
    found = [memory for rank, memory in enumerate(found) if rank < IN_RECEIPT or not memory.verdict]
    _judge(event, found)
    shown, texts = _fitting(event, [memory for memory in found if not memory.verdict])
    state = "hits" if shown else "none"
    if terms.missing_vectors:
        state = f"{state} ({terms.missing_vectors})"
    reply.receipt = make_receipt(event, terms, found, shown, texts, state=state, profile=profile)
    if shown:
        reply.context, reply.is_plain = _block(event, shown, texts, str(reply.receipt["id"]))
        ledger.add(event.home, event.session, [memory.uid for memory in shown], ledger.AT_PROMPT)
        notify(event, shown)


def _most_memories(event: Event) -> int:
    """Return how many memories may be shown; the default where the environment names no number."""
    most = event.place.settings["inject.max_memories"]
    if isinstance(most, int):
        return most
    ignored = f"WARNING: RECOLLECT_INJECT__MAX_MEMORIES is ignored: {str(most)[:80]!r} is not a number; 5 is used\n"
    event.place.settings["inject.max_memories"] = DEFAULT_MEMORIES
    event.place.settings["warnings"] += ignored
    return DEFAULT_MEMORIES


def _question(event: Event) -> Question:
    """Return the prompt with the prompt before it and the files that the session works on."""
    session = event.fields["session"]
    return Question(
        redact_text(event.own_prompt()).replace(MARK, " "),
        RecallScope(event.place.project, event.now),
        files=event.store.files_in_play(session), earlier=event.store.last_prompt(session),
        settings=event.place.settings,
    )  # fmt: skip


def _judge(event: Event, found: "list[FoundMemory]") -> None:
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
        elif memory.kind == EXPERIENCE and not settings["inject.experiences"]:
            memory.verdict = NO_EXPERIENCES
    eligible = _this_episode_first(event, [memory for memory in found if not memory.verdict])
    most = _most_memories(event)
    chosen = load("recollect.policy.ranking.time_scales").allocated(eligible, most, event.now) if eligible else []
    for memory in eligible:
        if memory not in chosen:
            memory.verdict = TOO_MANY


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


def _rendered(event: Event, chosen: "list[FoundMemory]") -> list[str]:
    here = current_branch(event.folder)
    for memory in chosen:
        memory.text = below_title(event, memory)
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


def _block(event: Event, shown: "list[FoundMemory]", texts: list[str], receipt_id: str) -> tuple[str, bool]:
    """Return the text to inject, and whether it is printed as it is: the seeds' own renderings are."""
    render, cards = _render_setting(event), _cards()
    if render == "cards":
        return cards.block(texts, source="recollect", receipt=receipt_id), False
    if render == "lines":
        return cards.block(texts, source=f"{event.place.settings['vault.root']}/"), True
    paths = " ".join(_path(event, memory) for memory in shown)
    return "\n".join([f"Relevant memories: {paths}", *texts]), True


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
