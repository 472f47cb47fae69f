"""The verb `preview`: what an agent would be told for a prompt, and what would be left out and why."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recollect import paths
from recollect.clients import generic
from recollect.errors import StoreCorrupt, StoreError
from recollect.hooks.event import Event
from recollect.hooks.injection import prompt as prompt_hook
from recollect.library.agents.agent_verbs import AgentVerbs
from recollect.model import clock, text
from recollect.model.found_memory import FoundMemory
from recollect.model.query import Query
from recollect.model.recall_values import VERBATIM_KINDS
from recollect.policy.ranking import ranks
from recollect.policy.ranking.snippets import Span, snippet
from recollect.policy.ranking.telling import TOO_LITTLE
from recollect.policy.secrets import detector
from recollect.recall.query_terms import QueryTerms
from recollect.store.hook_reader.connection import Unready
from recollect.store.hook_reader.links import REPLACED
from recollect.store.hook_reader.store_reader import StoreReader

SNIPPET_CHARS = 240
TURNS_NEED_MORE = "a past turn or session needs more than other memories"
NOBODY = "preview"
"""The session that a preview asks for: it was told nothing before."""


@dataclass(frozen=True, slots=True)
class PreviewedMemory:
    """A memory that a prompt considers."""

    found: FoundMemory
    text: str
    """What the agent would read of it; empty if it is left out."""
    tokens: int
    snippet: str
    """The stretch of its text that matches best, on one line; empty if the text only repeats the title."""
    spans: tuple[Span, ...]
    """Where the words of the prompt stand in the snippet."""

    @property
    def is_told(self) -> bool:
        """Whether the agent would be told of it."""
        return not self.found.verdict

    @property
    def why_not(self) -> str:
        """Why the agent would not be told of it; empty if it would."""
        is_turn = self.found.kind in VERBATIM_KINDS and self.found.verdict == TOO_LITTLE
        return f"{self.found.verdict}; {TURNS_NEED_MORE}" if is_turn else self.found.verdict


@dataclass(frozen=True, slots=True)
class Preview:
    """What an agent would be told for a prompt."""

    memories: tuple[PreviewedMemory, ...]
    """Every memory that was considered: those that would be told first, then the others, best first."""
    block: str
    """The text that would be injected; empty if nothing would be told."""
    tokens: int
    words: Mapping[str, float]
    """The words of the prompt that were looked for, with their weights."""
    lacks: str
    """Why meanings were not compared; empty if they were."""

    @property
    def told(self) -> list[PreviewedMemory]:
        """The memories that would be told."""
        return [memory for memory in self.memories if memory.is_told]

    @property
    def left_out(self) -> list[PreviewedMemory]:
        """The memories that would be left out."""
        return [memory for memory in self.memories if not memory.is_told]


class PreviewVerbs(AgentVerbs):
    """What an agent would be told."""

    def preview(
        self,
        prompt: str,
        *,
        kinds: Sequence[str] = (),
        tags: Sequence[str] = (),
        file: str | None = None,
        session: str | None = None,
        since: str | None = None,
        until: str | None = None,
        verdict: str | None = None,
    ) -> Preview:
        """Return what an agent in a new session would be told for a prompt, and what would be left out and why.

        It is the hook's own answer, and nothing is written. The filters leave memories out beforehand.
        """
        self.look()
        self.catch_up(only_few=True)
        query = Query(
            statuses=(), kinds=tuple(kinds), tags=tuple(tags), file=file,
            session=self.session_id(session) if session else None,
            created_since=clock.parse_user_time(since), created_before=clock.parse_user_time(until), verdict=verdict,
        )  # fmt: skip
        try:
            with self._context.store.hook_reader() as reader:
                event = self._prompt_event(prompt, reader).read()
                found = prompt_hook.consider(event, None if query == Query(statuses=()) else query)
                block = prompt_hook.block(event, found.shown, found.texts, NOBODY)[0] if found.shown else ""
        except Unready as error:
            raise StoreError(f"the store cannot be searched: {error}", fix="Run `recollect doctor`.") from error
        except ValueError as error:
            fix = "Run `recollect reindex --all`: it builds the index again."
            raise StoreCorrupt(f"the search index is damaged: {error}", fix=fix) from error
        return self._preview(found, block)

    def _prompt_event(self, prompt: str, reader: StoreReader) -> Event:
        fields = {"event": "PromptSubmitted", "session": NOBODY, "prompt": prompt, "folder": str(self._folder)}
        raw, env = json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace"), self._event_env()
        return Event(generic, "PromptSubmitted", raw, env, paths.home(env), store=reader)

    def _preview(self, considered: prompt_hook.Considered, block: str) -> Preview:
        kept = [memory for memory in considered.found if memory.verdict != REPLACED]
        texts = dict(zip((memory.uid for memory in considered.shown), considered.texts, strict=True))
        ordered = [*considered.shown, *(memory for memory in kept if memory.verdict)]
        terms = considered.terms
        memories = tuple(
            PreviewedMemory(
                memory,
                told := texts.get(memory.uid, ""),
                round(ranks.tokens(told)),
                *_snippet(memory, terms),
            )
            for memory in ordered
        )
        words = {word: terms.weights[stem] for stem, word in terms.words.items()}
        tokens = round(sum(ranks.tokens(text) for text in considered.texts))
        return Preview(memories, block, tokens, words, terms.missing_vectors)


def _snippet(memory: FoundMemory, terms: QueryTerms) -> tuple[str, tuple[Span, ...]]:
    """Return the part of a memory's text that matches best, without secrets, and where words of the prompt stand."""
    lines = (line.strip() for line in detector.redact(text.clean_body(memory.text)).splitlines())
    says = " · ".join(dict.fromkeys(line for line in lines if line not in (memory.title, "")))
    line, spans = snippet(says, terms.places_in(says), SNIPPET_CHARS)
    return line, tuple(spans)
