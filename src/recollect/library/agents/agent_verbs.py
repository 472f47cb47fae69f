"""The library's verbs for agents written in Python: `started`, `context` and `observe`.

They do in this process what hooks and the worker do for a coding agent: the same handlers answer, the same inbox keeps
the event, and the same pipeline captures from it.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass

from recollect import paths
from recollect.clients import generic
from recollect.errors import BadInput, DiskRefused
from recollect.hooks import dispatch, inbox, wiring
from recollect.hooks.event import Event, Reply
from recollect.lazy import load
from recollect.library.reading import ReadingVerbs
from recollect.model import clock
from recollect.pipeline import worker

FIELDS = (*generic.FIELDS, *generic.DETAILS)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a hook would answer to an event; a part is empty where there is nothing to say."""

    context: str = ""
    """Text for the model: memories, rules, a known fix."""
    refusal: str = ""
    """Why a tool call must not run."""
    complaint: str = ""
    """What was wrong with a tool call that has run."""
    block: str = ""
    """What the agent should do before it ends its turn."""


class AgentVerbs(ReadingVerbs):
    """What an agent should know, and what it did."""

    def started(self, *, session: str) -> str:
        """Record that a session started; return the text that belongs at its beginning, empty if there is none."""
        return self.observe({"event": "SessionStarted", "session": session, "source": "startup"}).context

    def context(self, prompt: str, *, session: str) -> str:
        """Record a prompt; return the memories that help with it as text for the model, empty if none does.

        A memory is told once a session.
        """
        self.catch_up(only_few=True)
        return self.observe({"event": "PromptSubmitted", "session": session, "prompt": prompt}).context

    def observe(self, event: Mapping[str, str]) -> Answer:
        """Record what happened in a session, and return what a hook would answer to it.

        `event` has the fields that docs/clients.md lists for the client `generic`: always `event` and `session`, and
        for example `prompt`, `answer`, `tool`, `command`, `output` or `error`. It is on disk when this returns; at the
        end of a turn or session memories are captured from it. Where memory is switched off nothing is kept. Raises
        BadInput for an event that cannot be used, and DiskRefused where it cannot be written.
        """
        _check(event)
        context, env = self._context, self._event_env()
        if any(env.get(name) for name in dispatch.RECURSION):
            return Answer()
        self.meet()
        raw = json.dumps({"folder": str(self._folder), **event}, ensure_ascii=False).encode("utf-8", "replace")
        found, reply = Event(generic, event["event"], raw, env, paths.home(env)), Reply()
        try:
            dispatch.answer(found, reply)
            if dispatch.is_worth_noting(found, reply):
                dispatch.note(found, reply)
        except OSError as error:
            raise DiskRefused(f"the event cannot be written: {error}", target=context.store.home) from error
        finally:
            found.close()
        if found.name in wiring.STARTS_WORKER:
            process_inbox(env)
            self.catch_up(only_few=True)  # now, so that the next prompt does not wait for it
        return Answer(reply.context, reply.refusal, reply.complaint, reply.block)

    def _event_env(self) -> Mapping[str, str]:
        """Return the environment of an event, with the time of a clock that the caller brought."""
        context = self._context
        if context.clock is clock.system:
            return context.env
        return {**context.env, "RECOLLECT_NOW": clock.stamp(context.clock())}


def _check(event: Mapping[str, str]) -> None:
    """Raise BadInput for an event without a known name, without a session, or with a field that nobody reads."""
    if event.get("event") not in generic.EVENTS:
        fix = f"Use one of: {', '.join(generic.EVENTS)}."
        raise BadInput("an event needs a known name", target=event.get("event"), fix=fix)
    if not event.get("session"):
        raise BadInput("an event needs a session", target=event["event"], fix="Name the session, with any text.")
    for name, value in event.items():
        if name not in FIELDS or not isinstance(value, str):
            problem = "the field is not a text" if name in FIELDS else "an event has no such field"
            raise BadInput(problem, target=name, fix=f"Fields are texts: {', '.join(FIELDS)}.")


def process_inbox(env: Mapping[str, str]) -> None:
    """Process the events that wait, unless a worker does: it looks once more before it ends."""
    home = paths.home(env)
    processor = load("recollect.pipeline.inbox_processor")
    while inbox.waiting(home):
        holder = worker.take_lock(home)
        if holder is None:
            return
        try:
            is_idle = not processor.drain(env=env).done
        finally:
            os.close(holder)
        if is_idle:
            return
