"""A session read as a story: what went wrong and how it was repaired, what was said, changed and reached.

Pure: events in order go in, drafts of memories come out, each with the events that it was made from. The same story
told a little further gives the same drafts, some of them with more behind them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from recollect.model.session_event import ANSWER, FAILED, FINISHED, PROMPT, SessionEvent
from recollect.policy.capture import episodes, failures, filing, messages, milestones
from recollect.policy.capture.draft import QUOTED, Draft
from recollect.policy.capture.episodes import Episode
from recollect.policy.capture.failures import Failures
from recollect.policy.shell import commands, outputs
from recollect.policy.shell.commands import Act, Commit
from recollect.policy.statements.statements import Statement

WHY = ("cause", "discovery", "decision")
SURE = 0.6
RECENT, GOES_ON, REPLY, MOSTLY = 4, 4, 2, 0.4
CHOICES = {"decision", "preference"}  # which often only differ in how they are put

Stated = dict[str, tuple[Statement, ...]]


def drafts(events: Sequence[SessionEvent], *, is_over: bool = False) -> list[Draft]:
    """What should be kept of a session so far; with its end, also what was left open."""
    told = _Teller()
    for event in events:
        told.take(event)
    return told.finish(is_over=is_over)


@dataclass(slots=True)
class _Teller:
    """Goes through the events once and keeps what they add up to."""

    failures: Failures = field(default_factory=Failures)
    found: list[Draft] = field(default_factory=list)
    changed: list[SessionEvent] = field(default_factory=list)
    """Changes that are not part of a draft yet."""
    uncommitted: list[Draft | Episode] = field(default_factory=list)
    prompt: SessionEvent | None = None
    answered: str = ""
    """The key of the last answer."""

    def take(self, event: SessionEvent) -> None:
        """The next event."""
        if event.name == PROMPT:
            self._settle_changes()
            self._take_prompt(event)
        elif event.name == ANSWER:
            self._take_answer(event)
            self.answered = event.key
            self.changed += filter(milestones.is_configuring, self.failures.slipped())
            self._settle_changes()
        elif event.doing == "shell":
            self._take_command(event, commands.read(event.about))
        elif event.doing == "write" and event.name == FINISHED:
            self._do(event, is_change=milestones.is_configuring(event))
            self.failures.edited.update(event.files_modified)
        elif event.doing == "other" and commands.is_running(event.tool):
            self._take_command(event, (Act("check", event.tool, frozenset()),))

    def finish(self, *, is_over: bool) -> list[Draft]:
        """Everything that was found, in order."""
        if is_over:
            self._settle_changes()
        told = sorted([*self.found, *self.failures.drafts(is_over=is_over)], key=lambda one: one.at)
        for remark in [one for one in told if one.origin == "assistant"]:
            whole = next(
                (one for one in told if one.origin not in ("assistant", QUOTED) and _is_remark(remark, one)), None
            )
            if whole:
                told[told.index(whole)] = messages.reasoned(whole, remark.text).backed(remark)
                told.remove(remark)
        return told

    # -- what is said --------------------------------------------------------------------------------------------------

    def _take_prompt(self, event: SessionEvent) -> None:
        ran_into, is_first = self.failures.begin_turn(event), self.prompt is None
        self.prompt = event
        if outputs.is_report(event.about):  # a user may bring the failure along
            self.failures.fail(event, ())
        for kind, parts in messages.stated(event.about, by_user=True, is_first=is_first):
            draft = messages.draft(kind, parts, event, origin="user")
            if kind == "constraint":  # it may be the limit that the last turn ran into
                draft = draft.joined(*self.failures.dissolve(failures.are_about(ran_into, draft.text)))
            self._add(draft)
        passed_on = messages.passed_on(event.about)
        if passed_on:  # it never goes on with anything that somebody said, and nothing goes on with it
            self.found.append(messages.quoted(passed_on, event))

    def _take_answer(self, event: SessionEvent) -> None:
        asked = self.prompt.about if self.prompt else ""
        failed = self.failures.to_explain(event)
        stated = dict(messages.stated(event.detail, by_user=False, asked=asked, is_awaited=bool(failed)))
        failed = self._take_limit(stated, event, failed)
        self._take_reasons(stated, event, failed)
        self.uncommitted += self.failures.end_turn(event)
        for kind, parts in stated.items():
            self._answer(messages.draft(kind, parts, event, origin="assistant"), event)

    def _take_limit(self, stated: Stated, event: SessionEvent, failed: Sequence[Episode]) -> list[Episode]:
        """A limit explains what is still broken: nothing is to be repaired. Of what works again it was the cause."""
        parts = stated.pop("constraint", ())
        if failed and all(one.is_repaired for one in failed):
            stated["cause"] = (*parts, *stated.get("cause", ()))
        elif parts:
            draft = messages.draft("constraint", parts, event, origin="assistant")
            met = [one for one in self.failures.open if one in self.failures.met]
            limited = failures.are_about(met, draft.text)
            self._answer(draft.joined(*self.failures.dissolve(limited)), event)
            return [one for one in failed if one not in limited or one.passes]
        return list(failed)

    def _take_reasons(self, stated: Stated, event: SessionEvent, failed: Sequence[Episode]) -> None:
        """Whatever explains a turn in which something failed explains the failure; else what was changed, or found."""
        choice = messages.joined(stated.get("decision", ()))
        is_why = bool(episodes.BROKEN.search(choice) or failures.are_about(failed, choice))
        reasons = WHY if is_why else WHY[:-1]  # a choice may be about something else
        why = [part for kind in reasons for part in stated.get(kind, ())]
        stated.pop("cause", None)
        if why and failed:
            about = (failures.are_about(failed, messages.joined(why)) or failed)[-1]
            is_repaired = self.failures.explain(about, event, messages.joined(why))
            self.uncommitted += [about] if is_repaired else []
            for kind in reasons:
                stated.pop(kind, None)
        elif why and "decision" not in stated:
            if self._explains_changes(why):
                self._settle_changes(event, messages.joined(why))
                stated.pop("discovery", None)
            else:
                stated["discovery"] = tuple(why)

    def _explains_changes(self, why: Sequence[Statement]) -> bool:
        """Whether what an answer explains is what was changed: it says why, or at least what it is about."""
        changed = milestones.terms(" ".join(map(episodes.shown, self.changed)))
        is_cause = any(part.kind == "cause" for part in why)
        return bool(changed) and (is_cause or bool(changed & milestones.terms(messages.joined(why))))

    def _answer(self, draft: Draft, event: SessionEvent) -> None:
        """What an agent says of what the user has just said belongs to that; what it did about it belongs to both."""
        about, said = milestones.terms(draft.text), milestones.terms(event.detail)
        if draft.kind == "decision" and about & milestones.terms(" ".join(map(episodes.shown, self.changed))):
            draft, self.changed = draft.joined(*self.changed), []
        for at, one in enumerate(self.found):
            is_same = one.kind == draft.kind or one.certainty >= SURE
            if self._is_of_this_turn(one) and is_same and len(said & milestones.terms(one.text)) >= milestones.SHARED:
                self.found[at] = messages.reasoned(one, draft.text).joined(event)
                return
        self._add(draft)

    def _add(self, draft: Draft) -> None:
        """What goes on with something that was just said, or replies to it, is one with it."""
        about = milestones.terms(draft.text)
        for at, one in [pair for pair in enumerate(self.found) if pair[1].origin != QUOTED][-RECENT:]:
            is_reply = draft.origin == "user" and one.origin == "assistant" and self.answered in one.sources
            is_same = one.kind == draft.kind != "tech_debt"  # two things that are put off are two
            is_alike = is_same or {one.kind, draft.kind} == CHOICES or is_reply
            # Somebody who takes a choice back need not repeat what it was about.
            is_reversal = draft.kind in CHOICES and messages.is_reversal(draft)
            needed = 1 if is_reversal else REPLY if is_reply else GOES_ON
            if is_alike and len(about & milestones.terms(one.text)) >= needed:
                self.found[at] = _one_of(one, draft)
                return
        self.found.append(draft)

    def _is_of_this_turn(self, one: Draft) -> bool:
        return self.prompt is not None and self.prompt.key in one.sources and one.origin == "user"

    # -- what is done --------------------------------------------------------------------------------------------------

    def _take_command(self, event: SessionEvent, acts: Sequence[Act]) -> None:
        does = commands.does(acts)
        if event.name == FAILED or (does in ("check", "step", "change") and outputs.is_failing(event.detail)):
            if not episodes.is_trivial(event) and (does != "look" or episodes.is_telling(event)):
                self.failures.fail(event, acts)
            return
        if episodes.is_log(acts) and outputs.is_report(event.detail) and self.failures.is_hunting:
            self.failures.fail(event, ())  # as if the user had brought it along; other logs are full of harmless errors
            return
        repaired = self.failures.passes(event, acts)
        self.uncommitted += repaired
        mended = {step.key for one in repaired for attempt in one.attempts for step in attempt.steps}
        self.changed = [one for one in self.changed if one.key not in mended]
        made = commands.commit(event.about, event.detail)
        if made:
            self._commit(event, made)
        elif does == "release":
            self.found.append(milestones.release(event))
        elif not repaired and does in ("change", "step"):
            self._do(event, is_change=does == "change" or milestones.is_configuring(event, acts))

    def _do(self, event: SessionEvent, *, is_change: bool) -> None:
        """Something is done: about what is broken, if anything is; else a change may be worth keeping by itself."""
        if not self.failures.attempt(event) and is_change:
            self.changed.append(event)

    # -- what is reached -----------------------------------------------------------------------------------------------

    def _settle_changes(self, answer: SessionEvent | None = None, cause: str = "") -> None:
        """Changes of one turn are one memory; those that carry out what was just said, or go on, belong to that."""
        changed, self.changed = self.changed, []
        if not changed:
            return
        behind = [*changed, *([answer] if answer else [])]
        before = next((one for one in self.found if milestones.is_about(one, changed)), None)
        said = next((one for one in self.found if self._is_carried_out(one, changed)), None)
        # What was not surely meant to last was what to change, and why.
        asked = next((one for one in self.found if self._is_asked(one, changed)), None)
        if said:  # also what was changed before it was said otherwise
            draft, asked = said.backed(before), None
        elif before:
            draft = milestones.going_on(before, changed, asked)
        else:
            draft = milestones.change(changed, cause or (asked.text if asked else "")).backed(asked)
        draft = draft.joined(*behind)
        self.found = [*(one for one in self.found if one not in (said, before, asked)), draft]
        self.uncommitted.append(draft)

    def _is_carried_out(self, said: Draft, changed: Sequence[SessionEvent]) -> bool:
        """Whether changes do what was just said: a choice that was made, or something that they have words of."""
        if not self._is_of_this_turn(said) or (said.kind != "decision" and said.certainty < SURE):
            return False
        about = milestones.terms(" ".join(map(episodes.shown, changed)))
        is_choice = said.kind == "decision" and all(event.doing == "write" for event in changed)
        return is_choice or bool(milestones.terms(said.text) & about)

    def _is_asked(self, said: Draft, changed: Sequence[SessionEvent]) -> bool:
        """Whether something that may not have been meant to last was what to change: files, or what it has words of."""
        if not self._is_of_this_turn(said) or said.certainty >= SURE:
            return False
        about = milestones.terms(" ".join(map(episodes.shown, changed)))
        return all(event.doing == "write" for event in changed) or bool(milestones.terms(said.text) & about)

    def _commit(self, event: SessionEvent, made: Commit) -> None:
        """A commit belongs to what it commits, if that is known already; else it is worth keeping by itself."""
        self._settle_changes()
        if milestones.is_provisional(made):
            return
        last = next((one for one in self._waiting(made) if milestones.belongs(made, one, event)), None)
        self.uncommitted = []
        if isinstance(last, Episode):
            last.committed.append(event)
        elif last is not None:
            at = next(at for at, one in enumerate(self.found) if set(last.sources) <= set(one.sources))
            self.found[at] = self.found[at].joined(event)
        else:
            self.found.append(milestones.commit(event, made))

    def _waiting(self, made: Commit) -> list[Draft | Episode]:
        """What a commit may commit, the likeliest first: what was done last, what is being repaired, what was said."""
        done = [one for one in reversed(self.uncommitted) if isinstance(one, Draft) or not one.is_slip]
        tried = [one for one in reversed(self.failures.open) if one.steps(one.attempts[-1])]
        is_plain = milestones.kind_of(made) == milestones.CHANGE
        said = [one for one in reversed(self.found) if is_plain and self._is_of_this_turn(one)]
        return [*done, *tried, *said]


def _is_remark(said: Draft, whole: Draft) -> bool:
    """Whether an agent only says more of something that is told already: most of its words are there."""
    words = milestones.terms(f"{said.title} {said.text}")
    common = words & milestones.terms(f"{whole.title} {whole.text} {' '.join(map(str, whole.fields.values()))}")
    return len(common) >= max(GOES_ON, MOSTLY * len(words))


def _one_of(one: Draft, later: Draft) -> Draft:
    """Two drafts of the same thing as one: of choices the later one counts, a user's word more than an agent's."""
    if one.origin != later.origin:
        theirs, other = (one, later) if one.origin == "user" else (later, one)
        return messages.reasoned(theirs, other.text).backed(other)
    is_corrected = one.kind in CHOICES or filing.has_other_numbers(later.text, one.text)
    return (later if is_corrected else messages.reasoned(one, later.text)).backed(one).backed(later)
