"""The library's verbs that explain to an agent what it was told, and show it the session start and the log's files."""

import json
import time
from typing import Any

from recollect import paths
from recollect.clients import generic
from recollect.errors import BadInput, NotFound
from recollect.hooks import dispatch, inbox
from recollect.hooks.event import Event, Reply
from recollect.hooks.injection import session_files
from recollect.lazy import load
from recollect.library.agents.agent_verbs import process_inbox
from recollect.library.agents.tool_verbs import MOST_BYTES, ToolVerbs, found_memory
from recollect.library.seed_surfaces import SeedVerbs
from recollect.library.sessions import SessionVerbs
from recollect.model.age import ago
from recollect.model.recall_values import SHOWN_SENSITIVITIES
from recollect.policy.injection import cards, json_texts, tool_texts, untrusted_text
from recollect.policy.secrets import detector

OCCASIONS = 10
PATIENCE_SECONDS, POLL_SECONDS = 2.0, 0.05
"""How long an explanation waits for a worker that counts the last answer, and how often it looks."""
TITLE_CHARS = 160
LOG_FILES = ("MEMORY.md", "LONGMEMORY.md")
MORE_CANDIDATES = "{number} more left off; `recollect why {id}` shows the user all of them."
HIDDEN = "(erased, or not shown to agents any more)"
MORE_PENDING = "{number} more wait: when these are decided, ask for this prompt again."
LOG_LINE_CHARS = 1_500
LOG_CUT = "[{number} older lines are left off: `recollect log list` shows the user all of them]"
MOST_DAYS = 30
MOST_PENDING = 20
LINE_CHARS = 300


class ExplainingVerbs(ToolVerbs, SessionVerbs, SeedVerbs):
    """Receipts, the session start, the log, and the seeds' memory tools, as an agent may have them."""

    def explain_receipt(self, id: str = "") -> str:
        """Return what one answer weighed and told, by its receipt or the last one here; empty if there is none."""
        self._settle()
        found = self.receipt(id or None)
        if found is None or found.project != self.project:
            return ""
        handles = self.short_ids([row["uid"] for row in found.candidates])
        head = f"receipt {found.id}: {found.event}, told {len(found.shown)} of {len(found.candidates)} considered"
        words = ", ".join(found.words)
        lines = [head, *([f"words: {untrusted_text.line(words, TITLE_CHARS)}"] if words else [])]
        for row in found.candidates:  # a receipt is older than what a person decided since
            stored = self._context.store.get(str(row["uid"]))
            is_shown = stored is not None and self._may_show(stored.memory)
            lines.append(_candidate(row if is_shown else {**row, "title": HIDDEN}, handles))
        number = tool_texts.fitting(lines, MOST_BYTES - len(MORE_CANDIDATES))
        left = [MORE_CANDIDATES.format(number=len(lines) - number, id=found.id)] if number < len(lines) else []
        return detector.redact("\n".join([*lines[:number], *left]))

    def explain_memory(self, name: str) -> str:
        """Return when a memory was considered for an agent: told or left out, and why. Raises NotFound and Refused."""
        self._settle()
        memory = self.for_agent(name).memory
        told, now = self.told(memory.uid, limit=OCCASIONS, here=True), self._context.clock().timestamp()
        head = untrusted_text.line(memory.title, TITLE_CHARS, trusted=memory.origin == "user")
        if not told:
            return f"{head}\nIt was not considered for any prompt or question yet, as far as receipts are kept."
        return "\n".join(
            [
                head,
                *(
                    f"- {ago(telling.at, now)}, {telling.event}, receipt {telling.receipt}: "
                    f"{'told' if telling.is_told else 'left out'}{f' ({telling.why})' if telling.why else ''}"
                    for telling in told
                ),
            ]
        )

    def _settle(self) -> None:
        """Process the events that wait, the last answer among them; where a worker does it, wait for it a little."""
        env = self._event_env()
        end = time.monotonic() + PATIENCE_SECONDS
        process_inbox(env)
        while inbox.waiting(paths.home(env)) and time.monotonic() < end:
            time.sleep(POLL_SECONDS)
            process_inbox(env)

    def answer_request(self, request: dict[str, Any], *, session: str, most_bytes: int = MOST_BYTES) -> str:
        """Answer a request of LetsGo's or CursorClaw's tools as JSON, and record what memories the session was told.

        An agent sees its project alone, and erases nothing. Raises BadInput where the tool answers with an error.
        """
        self.check_on(session)
        self.look()
        answering = load("recollect.interop.memory_tool.answering")
        reply: dict[str, Any] = answering.answer_agent(self._context, request, session)
        if not reply["success"]:
            error = reply["error"]
            raise BadInput(error["message"], fix=error["fix"], code=error["code"])
        self.meet()
        output = json_texts.fitted(reply["output"], self._limit(most_bytes))
        text = json_texts.encoded(output)
        self._note_told(output, text, session)
        return text

    def _note_told(self, output: dict[str, Any], text: str, session: str) -> None:
        """Write a receipt of the memories in an answer: those of its list, or the one that it is."""
        entries = [output] if "content" in output else json_texts.items(output)
        stored = [self._context.store.get(str(entry["id"])) for entry in entries]  # a fact is no memory
        shown = [found_memory(found.memory) for found in stored if found]
        if shown:
            receipt = self._receipt(shown, shown, [text], state="read" if "content" in output else "hits")
            self._note(session, receipt, [memory.uid for memory in shown])

    def pending_text(self, head: str, nothing: str) -> str:
        """Return what waits for a person's decision, below a first line; `nothing` where none does."""
        waiting = [item for item in self.review() if item.memory.sensitivity in SHOWN_SENSITIVITIES]
        handles = self.short_ids([item.memory.uid for item in waiting])
        lines = [
            f"- {handles[item.memory.uid]}  {item.memory.kind}: "
            f"{untrusted_text.line(item.memory.text, LINE_CHARS)} ({item.reason}"
            f" `recollect keep {handles[item.memory.uid]}` or `recollect drop {handles[item.memory.uid]}`)"
            for item in waiting[:MOST_PENDING]
        ]
        number = tool_texts.fitting(lines, MOST_BYTES - len(head) - len(MORE_PENDING))
        left = [MORE_PENDING.format(number=len(waiting) - number)] if number < len(waiting) else []
        return detector.redact("\n".join([head, *lines[:number], *left])) if lines else nothing

    # -- resources ---------------------------------------------------------------------------------------------

    def start_text(self, *, session: str) -> str:
        """Return what a hook would tell at the start of a session; empty if nothing, or if memory is off here."""
        event, reply = self._start_event(session), Reply()
        try:
            dispatch.answer(event, reply)
        finally:
            event.close()
        if reply.receipt:
            self._note(session, reply.receipt, [])
        return reply.context

    def log_files(self) -> list[str]:
        """Return the paths of the log's files that agents may read, from the project's root: the newest days first."""
        if not (self.is_trusted and "log" in self._context.config.vault.layouts):
            return []
        days = sorted((path.name for path in (self.root / "memory").glob("????-??-??.md")), reverse=True)
        kept = [name for name in LOG_FILES if (self.root / name).is_file()]
        return [*kept, *(f"memory/{name}" for name in days[:MOST_DAYS])]

    def log_text(self, path: str, *, session: str) -> str:
        """Return the end of a file of the log as an agent may read it; raises NotFound for any other file."""
        if path not in self.log_files():
            raise NotFound("the log has no such file", target=path, fix="List the resources.")
        event = self._start_event(session)
        try:
            found = session_files.lines(event.read(), str(self.root), path)
        finally:
            event.close()
        lines = [untrusted_text.cut_escaped(line, LOG_LINE_CHARS) for line in found]
        number = tool_texts.fitting(lines[::-1], self._room(MOST_BYTES))  # the newest are at the end
        left = [LOG_CUT.format(number=len(lines) - number)] if number < len(lines) else []
        return cards.block(["\n".join([*left, *lines[len(lines) - number :]])], source="recollect")

    def _start_event(self, session: str) -> Event:
        """Return a session start that is answered and not noted."""
        env = self._event_env()
        fields = {"event": "SessionStarted", "session": session, "source": "startup", "folder": str(self._folder)}
        raw = json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace")
        return Event(generic, fields["event"], raw, env, paths.home(env))


def _candidate(row: dict[str, Any], handles: dict[str, str]) -> str:
    title = untrusted_text.line(str(row["title"]), TITLE_CHARS)
    verdict = "told" if row["verdict"] == "shown" else f"left out: {row['verdict']}"
    return f"- {handles.get(row['uid'], row['uid'])}  {row['kind']}  {title}: {verdict}"
