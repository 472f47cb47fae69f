"""Triage: which kinds of memory a conversation calls for, by its words and by how much was done (B9-B13, B15-B17).

Import-light but for `re` and `json`: a hook loads it at the end of a turn, if the triage message is switched on.
"""

import json
import re

from recollect.model.words.triage_words import ACTIVITY, MODELS, THRESHOLDS, WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from recollect.formats.transcript import Message

Activity = tuple[int, int, int]
"""Tool uses, different tools, messages."""

NEAR_LINES = 4
AROUND_LINES = 10
SNIPPET_CHARS = 120
DESCRIPTION_CHARS = 500
CONTEXT_BYTES = 50_000
HEAD = "The following items should be saved as memories before stopping:"
LAST = "Use the memory-management skill to save each item, then stop."
NO_SNIPPET = "much was done"
APART = "---"
OPENED, CLOSED = "<transcript_data>", "</transcript_data>"
TRUNCATED = f"\n{CLOSED}\n[Truncated: context exceeded 50KB]"

_FENCED = re.compile(r"```.*?```", re.DOTALL)
_INLINE = re.compile(r"`[^`\n]*`")
_TAG = re.compile(r"<(?=[\s/]*transcript_data)", re.IGNORECASE)
# Characters that do not show, or that show something else than what is there (B17).
_HIDDEN = (
    *range(0x20), *range(0x7F, 0xA0), *range(0x200B, 0x2010), *range(0x2028, 0x2030), *range(0x2060, 0x206A), 0xFEFF,
    *range(0xE0000, 0xE0080),
)  # fmt: skip
_UNHIDDEN = dict.fromkeys(_HIDDEN)
_IN_EXCERPTS = {code: None for code in _HIDDEN if code not in (9, 10)}
_ON_A_LINE = _UNHIDDEN | {ord("`"): None, ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}


class Hit:
    """A kind of memory that should be saved: its score, the numbers of matching lines, and some of them quoted."""

    __slots__ = ("kind", "lines", "score", "snippets")

    def __init__(self, kind: str, score: float, lines: "Sequence[int]", snippets: "Sequence[str]") -> None:
        self.kind, self.score, self.lines, self.snippets = kind, score, lines, snippets


def prose(said: str) -> str:
    """Return a message without its code. A fence that is never closed is no fence (B9)."""
    return _INLINE.sub("", _FENCED.sub("", said))


def count(messages: "Iterable[Message]") -> Activity:
    """Count tool uses, different tools and messages. A message that the client wrote in several pieces is one (B12)."""
    tools: list[str] = []
    exchanges, last = 0, ""
    for message in messages:
        tools += message.tools
        if message.role:
            exchanges += not (message.message_id and message.message_id == last)
            last = message.message_id
    return len(tools), len(set(tools) - {""}), exchanges


def triage(lines: "Sequence[str]", activity: Activity, thresholds: "Mapping[str, float]") -> list[Hit]:
    """Return the kinds that reach their threshold, in the order of the message."""
    hits = [*(by_words(kind, lines) for kind in WORDS), *(by_activity(kind, activity) for kind in ACTIVITY)]
    return [hit for hit in hits if hit.score >= thresholds.get(hit.kind, THRESHOLDS[hit.kind])]


def by_words(kind: str, lines: "Sequence[str]") -> Hit:
    """Score a kind by its words: min(1, (boosted · weight + plain · weight) / whole) (B10).

    A line counts once. It is boosted if a booster stands at most four lines away; boosted lines beyond their maximum
    count as plain ones, and plain ones beyond theirs not at all.
    """
    words, boosters, plain_weight, boosted_weight, most_plain, most_boosted, whole = WORDS[kind]
    text = "\n".join(lines)
    matching = _matching(words, text)
    boosting = set(_matching(boosters, text)) if matching else set()
    plain = boosted = 0
    quoted: list[str] = []
    for number in matching:
        is_near = not boosting.isdisjoint(range(number - NEAR_LINES, number + NEAR_LINES + 1))
        if is_near and boosted < most_boosted:
            boosted += 1
        elif plain < most_plain:
            plain += 1
        else:
            continue
        quoted.append(snippet(lines[number]))
    score = min(1.0, (boosted * boosted_weight + plain * plain_weight) / whole)
    return Hit(kind, score, matching, list(dict.fromkeys(filter(None, quoted))))


def _matching(words: tuple[str, ...], text: str) -> list[int]:
    """Return the numbers of the lines with one of the words: whole words, any case, any blanks inside (B10, B11)."""
    spelled = "|".join(word.replace(" ", r"[^\S\n]+") for word in words)
    found: list[int] = []
    line = at = 0
    for match in re.finditer(rf"\b(?:{spelled})\b", text, re.IGNORECASE):
        line += text.count("\n", at, match.start())
        at = match.start()
        if found[-1:] != [line]:
            found.append(line)
    return found


def by_activity(kind: str, activity: Activity) -> Hit:
    """Score a kind by activity: min(1, uses · .05 + tools · .1 + messages · .02) (B12)."""
    uses, tools, exchanges = activity
    per_use, per_tool, per_exchange = ACTIVITY[kind]
    # Rounded, because eight uses of two tools are .6 and not a little less or more.
    score = min(1.0, round(uses * per_use + tools * per_tool + exchanges * per_exchange, 6))
    said = f"{exchanges} messages, {tools} different tools used {uses} times"
    return Hit(kind, score, (), [said] if score else [])


def snippet(text: str, most_chars: int = SNIPPET_CHARS) -> str:
    """Return a line that is safe to quote: no hidden characters, backticks or tags, at most `most_chars` long (B17)."""
    kept = text.translate(_ON_A_LINE).strip()[:most_chars]
    entity = kept.rfind("&")
    return kept if entity < 0 or ";" in kept[entity:] else kept[:entity]


def excerpt(lines: "Sequence[str]", numbers: "Iterable[int]") -> str:
    """Return the lines that matched with ten lines around each; pieces are set apart by `---` (B15)."""
    around = range(-AROUND_LINES, AROUND_LINES + 1)
    wanted = sorted({number + step for number in numbers for step in around} & set(range(len(lines))))
    said: list[str] = []
    for before, number in zip([-1, *wanted], wanted, strict=False):
        said += [APART] if said and number - before > 1 else []
        said.append(lines[number])
    return _TAG.sub("&lt;", "\n".join(said).translate(_IN_EXCERPTS))


def context(hit: Hit, lines: "Sequence[str]", activity: Activity, description: str = "") -> bytes:
    """Build the file that a drafter reads about a hit: the transcript as data between tags, at most 50 kB (B15)."""
    says = snippet(description, DESCRIPTION_CHARS)
    head = [f"Category: {hit.kind}", f"Score: {hit.score:.2f}", *([f"Description: {says}"] if says else []), "", OPENED]
    if hit.kind in ACTIVITY:
        names = ("Tool uses", "Different tools", "Messages")
        body = "\n".join(f"{name}: {number}" for name, number in zip(names, activity, strict=True))
    else:
        body = excerpt(lines, hit.lines)
    quoted = ["", "Key snippets:", *(f"  - {said}" for said in hit.snippets)] if hit.snippets else []
    start = "\n".join([*head, body]).encode("utf-8", "replace")
    end = "\n".join(["", CLOSED, *quoted]).encode("utf-8", "replace")
    if len(start) + len(end) <= CONTEXT_BYTES:
        return start + end
    room = CONTEXT_BYTES - len(TRUNCATED)
    return start[:room].decode("utf-8", "ignore").encode() + TRUNCATED.encode()


def message(
    hits: "Sequence[Hit]", files: "Mapping[str, str]", descriptions: "Mapping[str, str]", parallel: "Mapping[str, Any]"
) -> str:
    """Build the message that keeps an agent from stopping: what should be saved, and the same as JSON (B16)."""
    told = [f"- [{hit.kind.upper()}] {(*hit.snippets, NO_SNIPPET)[0]} (score: {hit.score:.2f})" for hit in hits]
    categories: list[dict[str, object]] = []
    for hit in hits:
        entry: dict[str, object] = {"category": hit.kind, "score": round(hit.score, 4)}
        says = snippet(descriptions.get(hit.kind, ""), DESCRIPTION_CHARS)
        entry |= {"description": says} if says else {}
        entry |= {"context_file": files[hit.kind]} if hit.kind in files else {}
        categories.append(entry)
    data = json.dumps({"categories": categories, "parallel_config": parallel}, indent=2)
    return "\n".join([HEAD, *told, "", LAST, "", "<triage_data>", data, "</triage_data>", ""])


def thresholds(setting: object) -> dict[str, float]:
    """Return the threshold of each kind: the setting's value if it is a number from 0 to 1, else the default (B13)."""
    chosen = _table(setting)
    return {kind: chosen[kind] if _is_share(chosen.get(kind)) else usual for kind, usual in THRESHOLDS.items()}


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value <= 1


def models(setting: object) -> dict[str, str]:
    """Return the drafting model of each kind: the setting's value if it is a known model, else the default (B13)."""
    chosen = _table(setting)
    return {kind: model(chosen.get(kind), usual) for kind, usual in MODELS.items()}


def model(said: object, usual: str) -> str:
    """Return the named model if drafters may use it (haiku, sonnet, opus), else the default."""
    return said if isinstance(said, str) and said in ("haiku", "sonnet", "opus") else usual


def _table(setting: object) -> "dict[str, Any]":
    """Return the object that a setting holds as JSON; empty if it holds anything else."""
    try:
        found = json.loads(str(setting))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
