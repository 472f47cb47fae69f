"""The rows of the text at session start: which memories each holds, and their lines. Import-light."""

import math
import time

from recollect.hooks.injection import session_files
from recollect.hooks.injection.memory_text import below_title, other_branch
from recollect.hooks.project_lookup import current_branch
from recollect.model.recall_values import UNSTATED_REASONS
from recollect.model.words import search_words
from recollect.policy.injection import cards, one_line, untrusted_text
from recollect.policy.injection.start_shares import GAP, SHARES, Line, Row, size
from recollect.policy.ranking import telling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recollect.hooks.event import Event
    from recollect.model.found_memory import FoundMemory
    from recollect.policy.injection.start_shares import Share, Taker

LINE_CHARS, TOPIC_CHARS, REPLACED_CHARS, LEAST_CHARS = 160, 120, 50, 12
MOST_OF_A_KIND, MOST_TOPICS, MOST_OPEN_LINES, MOST_REPLACED = 40, 5, 2, 3
GOES_ON = ("resume", "fork")
MOST_SESSIONS, FIRST_PROMPT_CHARS, MOST_TOPIC_CHARS = 10, 100, 800  # C23
SUMMARY = "session_summary"
WORK = ("runbook", "discovery", "change", "feature", "bugfix", "refactor")
"""Kinds of work that was noted: prompts and errors find them, a session start only names the newest."""
NOT_LISTED = (SUMMARY, "experience", *WORK)
ADDED_FIELDS = {
    "preference": ("value", "reason"),
    "decision": ("decision", "rationale"),
    "constraint": ("rule", "impact"),
}
"""The fields that a line adds to the title; other kinds add their key fields."""
CLOSED = {"decision": ("deprecated", "superseded"), "tech_debt": ("resolved", "wont_fix")}
OPEN_FIELDS = (("blockers", "blocked"), ("in_progress", "in progress"), ("next_actions", "next"))
IN_LOG, TWICE, IS_CLOSED = "already in the log section", "another line says so", "closed"
DAY_SECONDS, HALF_LIFE_DAYS, LEAST_RECENCY = 86_400, 30, 0.1


class ProfileRow:
    """The sections about the user. They are cut to the space that there is."""

    __slots__ = ("_sections", "share", "taken", "texts")

    def __init__(self, share: "Share", sections: "list[session_files.Section]") -> None:
        self.share, self._sections = share, sections
        self.texts: list[str] = []
        self.taken: list[Line] = []
        """None: its lines tell of no memory."""

    def take(self, room: float) -> float:
        """Cut the sections to `room` and the space that they have already; return what is left."""
        room += self._used()
        self.texts = session_files.fit(self._sections, room, size)
        return room - self._used()

    def _used(self) -> float:
        return sum(size(text) + GAP for text in self.texts)

    def sections(self) -> list[str]:
        """Return the texts."""
        return self.texts


class StartRows:
    """The rows of one session start, and the memories that were considered for them."""

    def __init__(self, event: "Event", known: set[str], logged: set[str]) -> None:
        self.event = event
        self._known, self._logged = known, logged
        """Ids of memories that the session has already, and texts that the log section tells."""
        self._branch = current_branch(event.folder)
        self._said: list[set[str]] = []
        self.considered: dict[str, FoundMemory] = {}
        self._summaries = self._sessions()
        self.rules: set[str] = set()
        """Ids of the memories that always hold."""

    def rows(self, profile: "list[session_files.Section]") -> "list[Taker]":
        """Return the rows of the table, in its order."""
        self._said += [one_line.words(line) for section in profile for line in section.lines]
        lines = {
            "always": self._always(), "replaced": self._replaced(), "open end": self._open_end(),
            "constraints": self._of_kinds(["constraint"]), "decisions": self._of_kinds(["decision"]),
            "more": self._of_kinds(self._other_kinds()), "topics": self._topics(),
        }  # fmt: skip
        return [
            ProfileRow(share, profile) if share.name == "profile" else Row(share, lines[share.name]) for share in SHARES
        ]

    def _always(self) -> "Iterator[Line]":
        found = self._new(
            pair for project in self._projects() for pair in self.event.store.always(project, self.event.now)
        )
        rules = [memory for memory, is_strong in found if always_holds(memory, is_strong=is_strong)]
        self.rules = {memory.uid for memory in rules}
        for memory in sorted(rules, key=lambda memory: (not memory.pinned, -self._worth(memory))):
            yield from self._line("Always:", memory)

    def _of_kinds(self, kinds: list[str]) -> "Iterator[Line]":
        store, now = self.event.store, self.event.now
        for kind in kinds:
            pairs = [
                pair
                for project in self._projects()
                for pair in store.newest_of_kind(project, now, kind, MOST_OF_A_KIND)
            ]
            found = [memory for memory, _ in self._new(pairs) if memory.uid not in self.rules]
            for memory in sorted(found, key=self._worth, reverse=True):
                if self.logged_as(memory) in self._logged:
                    memory.verdict = IN_LOG
                else:
                    yield from self._line(kind.replace("_", " ").capitalize() + ":", memory)

    def _other_kinds(self) -> list[str]:
        order = str(self.event.place.settings["kinds.told"]).split(",")
        return [kind for kind in order if kind not in ("constraint", "decision", *NOT_LISTED)]

    def _replaced(self) -> "Iterator[Line]":
        store, project = self.event.store, self.event.place.project
        since = store.last_session_started(project, self.event.fields["session"]) if project else 0
        for row in store.superseded_since(project, since)[:MOST_REPLACED] if since else ():
            old, new = (untrusted_text.quote(title, REPLACED_CHARS) for title in (row.old_title, row.new_title))
            undo = f"undo: `recollect restore {row.uid[-one_line.ID_DIGITS :]}`"
            yield Line("Replaced since the last session:", f"- {old} → {new} ({undo})")

    def _open_end(self) -> "Iterator[Line]":
        if not self._summaries:
            return
        last = self._summaries[0]
        fields = self.event.store.content(last.uid)
        is_done = fields.get("outcome") == "success"
        said = [
            (word, fields[name]) for name, word in OPEN_FIELDS if name in fields and not (is_done and word == "next")
        ]
        for word, what in said[:MOST_OPEN_LINES]:
            text = f"{word}: {what}"
            yield Line(
                f"Left open by the last session ({_day(last)}):", f"- {_said(last, text, '', LINE_CHARS - 2)}", last
            )

    def _topics(self) -> "Iterator[Line]":
        room = float(MOST_TOPIC_CHARS)
        for memory in self._worked_on():
            title = _topic(memory)
            if memory.uid in self.rules or self._is_said_already(title):
                memory.verdict = memory.verdict or TWICE
                continue
            most = TOPIC_CHARS if memory.kind in (SUMMARY, *WORK) else FIRST_PROMPT_CHARS
            text = f"- {_said(memory, title, '', most)}{self._behind(memory)}"
            room -= len(text) + 1
            if room < 0:
                return
            yield Line("Worked on lately:", text, memory)

    def _first_turns(self, project: str) -> "list[tuple[FoundMemory, bool]]":
        """Return the first turns of the last sessions; none where the model has what was said, on resume and fork."""
        fields = self.event.fields
        if fields["source"] in GOES_ON:
            return []
        return self.event.store.session_topics(project, self.event.now, fields["session"], MOST_SESSIONS)

    def _worked_on(self) -> "list[FoundMemory]":
        """Return what tells of the last ten sessions (C23): a summary or the first prompt; then work that was noted."""
        store, now, project = self.event.store, self.event.now, self.event.place.project
        if not project:
            return []
        known = {memory.session for memory in self._summaries}
        turns = self._new(self._first_turns(project))
        first = [memory for memory, _ in turns if memory.session not in known]
        found = [memory for memory in (*self._summaries, *first) if _is_topic(_topic(memory))]
        sessions = sorted(found, key=lambda memory: -(memory.created or 0))[:MOST_SESSIONS]
        work = [pair for kind in WORK for pair in store.newest_of_kind(project, now, kind, MOST_TOPICS)]
        newest = sorted((memory for memory, _ in self._new(work)), key=lambda memory: -(memory.updated or 0))
        return [*sessions, *newest][: max(MOST_TOPICS, len(sessions))]

    def _sessions(self) -> "list[FoundMemory]":
        """Return the newest session summaries of the project, without this session's own."""
        project, now = self.event.place.project, self.event.now
        pairs = self.event.store.newest_of_kind(project, now, SUMMARY, MOST_TOPICS) if project else []
        return [memory for memory, _ in self._new(pairs) if memory.session != self.event.fields["session"]]

    @staticmethod
    def logged_as(memory: "FoundMemory") -> str:
        """Return a memory's text as the log section shows it."""
        return untrusted_text.escape(" ".join(memory.text.split()), trusted=True)

    def noted(self) -> "list[FoundMemory]":
        """Return the considered memories with something to say beside them, such as that their code is gone."""
        return [memory for memory in self.considered.values() if memory.notes]

    def _projects(self) -> list[str]:
        return sorted({self.event.place.project, "global"} - {""})

    def _new(self, pairs: "Iterable[tuple[FoundMemory, bool]]") -> "list[tuple[FoundMemory, bool]]":
        """Return the memories that may be told now: not pending, and not known to the session."""
        may_be_told = []
        for memory, is_strong in pairs:
            if memory.uid not in self._known and "pending" not in memory.tags.split("\n"):
                may_be_told.append((self.considered.setdefault(memory.uid, memory), is_strong))
        unchecked = [memory for memory, _ in may_be_told if not memory.code_state]
        self.event.store.with_verdicts(unchecked, self._branch)
        return may_be_told

    def _worth(self, memory: "FoundMemory") -> float:
        """Return how much a memory deserves a line: by its uses, and half as much for every 30 days of age."""
        age_days = max(0.0, self.event.now - (memory.updated or 0)) / DAY_SECONDS
        return math.sqrt(1 + memory.hits) * max(LEAST_RECENCY, math.exp2(-age_days / HALF_LIFE_DAYS))

    def _line(self, label: str, memory: "FoundMemory") -> "Iterator[Line]":
        """Yield the line of a memory: title, what its fields add, id, day and branch; none if it is said already."""
        fields = self.event.store.content(memory.uid)
        if fields.get("status") in CLOSED.get(memory.kind, ()):
            memory.verdict = IS_CLOSED
            return
        parts = [fields[name] for name in ADDED_FIELDS.get(memory.kind, ()) if name in fields]
        parts = [part for part in parts if part not in UNSTATED_REASONS.values()]
        everything = below_title(self.event, memory)
        title, rest = one_line.title_and_rest(memory.title, parts or [everything])
        whole = f"{title}: {rest}" if title and rest else title or rest
        if self._is_said_already(whole):
            memory.verdict = TWICE
            return
        behind = self._behind(memory)
        said = _said(memory, title, rest, LINE_CHARS - len(behind) - 2)
        is_whole = one_line.words(f"{memory.title} {everything}") <= one_line.words(f"{memory.title} {said}")
        linked = "".join(f"; {note}" for note in cards.notes(memory))
        yield Line(label, f"- {said}{linked}{behind}", memory, is_whole=is_whole)

    def _behind(self, memory: "FoundMemory") -> str:
        """Return what stands behind a line: the memory's id and day, and its branch if that is another one."""
        branch = other_branch(memory.branch, self._branch)
        where = f", on branch {untrusted_text.line(branch, 40)}" if branch else ""
        return f" ({one_line.short_id(memory.uid, memory.slug)}, {_day(memory)}{where})"

    def _is_said_already(self, text: str) -> bool:
        """Return whether a line before has the same words as a text; else remember them."""
        words = one_line.words(text)
        if words in self._said:
            return True
        self._said.append(words)
        return False


def _said(memory: "FoundMemory", title: str, rest: str, most_chars: int) -> str:
    """Return title and rest as one governed text; what neither the user nor an agent wrote is quoted."""
    source, said = cards.source(memory), list[str]()
    before = f"quoted from {source}: " if source else ""
    spare, trusted = most_chars - len(before), memory.is_by_user
    for part in (title, rest):
        if part and spare > LEAST_CHARS:
            most = spare - untrusted_text.added_by_escaping(part[:spare])
            shown = untrusted_text.quote(part, most - 2) if source else untrusted_text.line(part, most, trusted=trusted)
            said.append(shown)
            spare -= len(shown) + 2
    return before + ": ".join(said)


def always_holds(memory: "FoundMemory", *, is_strong: bool) -> bool:
    """Return whether a memory stands under "Always": pinned or a strong preference, and the user's own words.

    An imported memory stands there only where a person pinned it here.
    """
    is_chosen = memory.pinned and memory.origin == "import"
    return bool(is_chosen or ((memory.pinned or is_strong) and not cards.source(memory)))


def _topic(memory: "FoundMemory") -> str:
    """Return what a session was about, from the title of its summary or of its first turn."""
    return memory.title.removeprefix("Session: ")


def _is_topic(title: str) -> bool:
    """Whether a title says what a session was about: no command of the client, no chore, more than a word or two."""
    length = len(title) if title.isascii() else 2 * len(title)  # other scripts say more with a character
    is_sentence = not title.startswith("/") and not title.endswith(":") and length >= LEAST_CHARS
    return is_sentence and telling.names_something(search_words.stems(title))


def _day(memory: "FoundMemory") -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(memory.updated or 0))
