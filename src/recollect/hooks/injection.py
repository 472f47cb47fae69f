"""What an agent is told with a prompt: what it is about, each memory once, or nothing."""

import os

import apsw

from recollect.hooks import hook_log, ledger
from recollect.hooks.event import Event, Reply
from recollect.hooks.redaction import MARK, redact
from recollect.lazy import load
from recollect.policy.ranking import ranks
from recollect.recall import search
from recollect.recall.query_terms import Question
from recollect.store.reader.reader import current_branch, rows, says

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    from recollect.model.found_memory import FoundMemory
    from recollect.recall.query_terms import QueryTerms

ENVELOPE_CHARS = 300
EXPERIENCE = "experience"
OVER_FETCH = 5  # D37
IN_DETAIL, IN_RECEIPT = 8, 15
ASKED_BEFORE = "SELECT about FROM events WHERE session = ? AND name = 'PromptSubmitted' ORDER BY at DESC LIMIT 1"
IN_PLAY = """
SELECT DISTINCT path.value FROM (
    SELECT files_read, files_modified FROM events
    WHERE session = ? AND name IN ('ToolFinished', 'ToolFailed') ORDER BY at DESC LIMIT 30
) AS recent, json_each(json_array(recent.files_read, recent.files_modified)) AS both, json_each(both.value) AS path
"""
TURNED = """
SELECT unixepoch(substr(object, 1, instr(object, ' ') - 1)) FROM facts
WHERE subject = ? AND predicate = 'boundary_at' ORDER BY object DESC LIMIT 1
"""
MAIN_BRANCHES = ("main", "master", "trunk")


def relevant(event: Event, reply: Reply) -> None:
    """The memories that a prompt is about (D45-D47, B24, A31), with a receipt of what was weighed and why."""
    if event.native not in event.dialect.LISTENS:
        return
    place = event.place
    question = _question(event)
    profile, most = str(place.settings["recall.profile"]), int(place.settings["inject.max_memories"])
    try:
        asked, found = search.find(event.db, question, profile, max(search.WEIGHED, OVER_FETCH * most))
    except (apsw.Error, ValueError) as error:  # a store in trouble is no reason to be silent about it
        hook_log.write(event.home, event.native, f"recall failed: {error}")
        reply.receipt = {**receipt(event, None, [], [], []), "state": f"failed: {error}"[:200], "profile": profile}
        return
    # What a ranking turned down, far behind, is not worth a line of the receipt: writing it takes time.
    found = [one for place, one in enumerate(found) if place < IN_RECEIPT or not one.verdict]
    _judge(event, found)
    shown = [one for one in found if not one.verdict]
    texts = [bare(text) for text in _render(event, shown, _how(event))] if shown else []
    budget, most_chars = float(place.settings["inject.token_budget"]), event.dialect.CONTEXT_CHARS - ENVELOPE_CHARS
    number = _cards().fitting(texts, budget, most_chars) if shown else 0
    for one in shown[number:]:
        one.verdict = "over the token budget"
    reply.receipt = receipt(event, asked, found, shown[:number], texts[:number])
    state = "hits" if number else "none"
    reply.receipt |= {"state": f"{state} ({asked.lacking})" if asked.lacking else state, "profile": profile}
    if number:
        reply.context, reply.is_plain = _block(event, shown[:number], texts[:number], str(reply.receipt["id"]))
        ledger.add(event.home, event.session, [one.uid for one in shown[:number]], ledger.AT_PROMPT)
        notify(event, shown[:number])


def _question(event: Event) -> Question:
    """The prompt, what was asked before it, and the files that are in play."""
    session = event.fields["session"]
    before = event.db.execute(ASKED_BEFORE, (session,)).get
    files = tuple(str(row[0]) for row in rows(event.db, IN_PLAY, (session,)))
    return Question(
        bare(_asked(event.fields["prompt"])).replace(MARK, " "), project=event.place.project, now=event.now,
        files=files, earlier=str(before or ""), settings=event.place.settings,
    )  # fmt: skip


def _asked(prompt: str) -> str:
    """A prompt without what was told at the session's start: Gemini CLI puts it in front when it has no terminal."""
    return prompt.partition("</hook_context>")[2] if prompt.startswith("<hook_context>") else prompt


def bare(text: str) -> str:
    """Text without credentials: what an older version kept is not shown either."""
    return redact(text.encode("utf-8", "replace")).decode("utf-8", "replace")


def _judge(event: Event, found: "list[FoundMemory]") -> None:
    """Give every memory that is not to be shown its reason."""
    settings = event.place.settings
    told = ledger.told(event.home, event.session)
    sql = "SELECT coalesce(max(compacted), 0) FROM sessions WHERE id = ?"
    compacted = float(event.db.execute(sql, (event.session,)).get)
    for one in found:
        if one.verdict:
            continue
        if one.uid in told:
            one.verdict = "told before in this session"
        elif one.session == event.fields["session"] and (one.created or 0) >= compacted:
            one.verdict = "learnt in this session"  # the model still has it
        elif one.kind == EXPERIENCE and not settings["inject.experiences"]:
            one.verdict = "experiences are not told here"
    eligible = _this_episode_first(event, [one for one in found if not one.verdict])
    most = int(settings["inject.max_memories"])
    chosen = load("recollect.policy.ranking.time_scales").allocated(eligible, most, event.now) if eligible else []
    for one in eligible:
        if one not in chosen:
            one.verdict = "more than enough"


def _this_episode_first(event: Event, eligible: "list[FoundMemory]") -> "list[FoundMemory]":
    """What this session learnt since the work last turned to something else comes before what it learnt earlier."""
    session = event.fields["session"]
    own = [one for one in eligible if one.session == session]
    if not own:
        return eligible
    turned = event.db.execute(TURNED, (f"session:{session}",)).get
    late = [one for one in own if (one.created or 0) >= float(turned or 0)]
    return [*late, *(one for one in eligible if one not in late)]


def _render(event: Event, shown: "list[FoundMemory]", how: str) -> list[str]:
    here = current_branch(event.folder)
    for one in shown:
        one.text = says(event.db, event.place, one)
        one.branch = elsewhere(one.branch, here)
    cards = _cards()
    if how == "cards":
        return [cards.card(one, event.now) for one in shown]
    draw = cards.line if how == "lines" else cards.pointer
    return [draw(one, _path(event, one)) for one in shown]


def _cards() -> "ModuleType":
    """The renderings: loaded only where there is something to show."""
    cards: "ModuleType" = load("recollect.policy.injection.cards")
    return cards


def _how(event: Event) -> str:
    how = str(event.place.settings["inject.render"])
    return how if how in ("lines", "pointers") else "cards"


def _path(event: Event, one: "FoundMemory") -> str:
    sql = "SELECT path FROM sightings WHERE root = ? AND uid = ? AND presence = 'seen' LIMIT 1"
    return str(event.db.execute(sql, (event.place.root, one.uid)).get or f"{one.kind}/{one.slug}")


def _block(event: Event, shown: "list[FoundMemory]", texts: list[str], number: str) -> tuple[str, bool]:
    how, cards = _how(event), _cards()
    if how == "cards":
        return cards.block(texts, source="recollect", receipt=number), False
    if how == "lines":
        return cards.block(texts, source=f"{event.place.settings['vault.root']}/"), True
    paths = " ".join(_path(event, one) for one in shown)
    return "\n".join([f"Relevant memories: {paths}", *texts]), True


def receipt(
    event: Event, asked: "QueryTerms | None", found: "list[FoundMemory]", shown: "list[FoundMemory]", texts: list[str]
) -> "dict[str, Any]":
    """What was weighed, what was shown, and what it cost."""
    return {
        "id": os.urandom(5).hex(),
        "project": event.place.project,
        "words": {word: asked.worth[stem] for stem, word in asked.words.items()} if asked else {},
        "shown": [one.uid for one in shown],
        "tokens": round(sum(ranks.tokens(text) for text in texts)),
        "candidates": [_weighed(one, in_detail=place < IN_DETAIL) for place, one in enumerate(found)],
    }  # fmt: skip


def _weighed(one: "FoundMemory", *, in_detail: bool) -> "dict[str, Any]":
    """A candidate as its receipt keeps it; what a score is made of only for the best, because writing it takes time."""
    kept: "dict[str, Any]" = {
        "uid": one.uid, "kind": one.kind, "title": one.title, "score": round(one.score, 3),
        "evidence": round(one.evidence, 2), "coverage": round(one.coverage, 3),
        "certainty": round(one.certainty, 2), "verdict": one.verdict or "shown",
    }  # fmt: skip
    if in_detail:
        kept["matched"] = one.matched
        kept["parts"] = {name: round(value, 2) for name, value in one.parts.items() if value}
    return kept


def elsewhere(branch: str | None, here: str) -> str:
    """The branch that a memory was learnt on, if that says something here."""
    return "" if branch is None or branch in (here, *MAIN_BRANCHES) else branch


def notify(event: Event, shown: "list[FoundMemory]") -> None:
    """A32: one notification per memory, where the launcher said that somebody is watching and a notifier exists."""
    if not event.env.get("AGENT_TERMINAL_PID"):
        return
    for one in shown:
        try:
            load("recollect.hooks.spawn").detached(
                ["notify-send", "--expire-time=8000", "--", "recollect", one.title], event.env
            )
        except OSError:
            return
