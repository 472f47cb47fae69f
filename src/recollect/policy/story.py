"""A session read as a story: what went wrong and how it was repaired, what was said, changed and reached.

Pure: events in order go in, drafts of memories come out, each with the events that it was made from. The same story
told a little further gives the same drafts, some of them with more behind them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from recollect.model.happening import ANSWER, FAILED, FINISHED, PROMPT, Happening
from recollect.policy import commands, episodes, messages, milestones, outputs
from recollect.policy.commands import Act, Commit
from recollect.policy.draft import Draft
from recollect.policy.episodes import Episode
from recollect.policy.statements import Statement

WHY = ("cause", "discovery", "decision")
SURE = 0.6
RECENT, GOES_ON, REPLY = 4, 3, 2
CHOICES = {"decision", "preference"}  # which often only differ in how they are put


def drafts(events: Sequence[Happening], *, is_over: bool = False) -> list[Draft]:
    """What should be kept of a session so far; with its end, also what was left open."""
    told = _Teller()
    for event in events:
        told.take(event)
    return told.finish(is_over=is_over)


@dataclass(slots=True)
class _Teller:
    """Goes through the events once and keeps what they add up to."""

    episodes: list[Episode] = field(default_factory=list)
    found: list[Draft] = field(default_factory=list)
    changed: list[Happening] = field(default_factory=list)
    """Changes that are not part of a draft yet."""
    uncommitted: list[Draft | Episode] = field(default_factory=list)
    prompt: Happening | None = None
    answered: str = ""
    """The last answer."""
    checked: Happening | None = None
    """The last run in this turn that passed."""
    failed: list[Episode] = field(default_factory=list)
    """What failed, or was repaired, in this turn."""
    edited: set[str] = field(default_factory=set)
    """The files that were worked on."""

    def take(self, event: Happening) -> None:
        """The next event."""
        if event.name == PROMPT:
            self._settle_changes()
            self._take_prompt(event)
        elif event.name == ANSWER:
            self._take_answer(event)
            self.answered = event.key
            self._settle_changes()
        elif event.doing == "shell":
            self._take_command(event, commands.read(event.about))
        elif event.doing == "write" and event.name == FINISHED:
            self._do(event, is_change=milestones.is_configuring(event))
            self.edited.update(event.files_modified)
        elif event.doing == "other" and commands.is_running(event.tool):
            self._take_command(event, (Act("check", event.tool, frozenset()),))

    # -- what is said --------------------------------------------------------------------------------------------------

    def _take_prompt(self, event: Happening) -> None:
        self.episodes = [one for one in self.episodes if not (one.is_open and (one.passed_alone or one.is_unwritten))]
        ran_into = [one for one in self.failed if one.is_open and one in self.episodes]
        is_first = self.prompt is None
        self.prompt, self.failed, self.checked = event, [], None
        if outputs.is_report(event.about):  # a user may bring the failure along
            self._fail(event, ())
        for kind, parts in messages.stated(event.about, by_user=True, is_first=is_first):
            draft = messages.draft(kind, parts, event, origin="user")
            # The user may say what limit it was that the last turn ran into: then there is nothing to repair.
            about = milestones.terms(draft.text)
            met = [
                one
                for one in ran_into
                if about & milestones.terms(f"{one.signature} {' '.join(said for _, said in one.causes)}")
            ]
            self._add(self._explain(draft, met) if kind == "constraint" else draft)

    def _take_answer(self, event: Happening) -> None:
        asked = self.prompt.about if self.prompt else ""
        told = [one for one in self.failed if one in self.episodes and not (one.is_open and one.passed_alone)]
        failed = told or self._reported(event)
        stated = dict(messages.stated(event.detail, by_user=False, asked=asked, is_awaited=bool(failed)))
        if "constraint" in stated:
            draft = messages.draft("constraint", stated.pop("constraint"), event, origin="assistant")
            self._answer(self._explain(draft, [one for one in self.failed if one.is_open]), event)
        why = [part for kind in WHY for part in stated.get(kind, ())]
        if why and failed:  # whatever explains a turn in which something failed explains the failure
            self._explained(failed[-1], event, messages.joined(why))
            stated = {kind: parts for kind, parts in stated.items() if kind not in WHY}
        elif why and "decision" not in stated:
            if self._explains_changes(why):
                self._settle_changes(event, messages.joined(why))
                stated.pop("discovery", None)
            else:
                stated["discovery"] = tuple(why)
        stated.pop("cause", None)
        for kind, parts in stated.items():
            self._answer(messages.draft(kind, parts, event, origin="assistant"), event)

    def _explains_changes(self, why: Sequence[Statement]) -> bool:
        """Whether what an answer explains is what was changed: it says why, or at least what it is about."""
        changed = milestones.terms(" ".join(map(episodes.shown, self.changed)))
        is_cause = any(part.kind == "cause" for part in why)
        return bool(changed) and (is_cause or bool(changed & milestones.terms(messages.joined(why))))

    def _reported(self, event: Happening) -> list[Episode]:
        """What a user reported earlier, if this turn did something about it."""
        waiting = [one for one in self.episodes if one.is_open and not one.acts]
        return [one for one in waiting if any(step.turn == event.turn for step in one.attempts[-1].steps)]

    def _explained(self, one: Episode, event: Happening, cause: str) -> None:
        was_open = one.is_open
        one.explain(event, cause, self.checked)
        if was_open and one.is_repaired:
            self.uncommitted.append(one)

    def _answer(self, draft: Draft, event: Happening) -> None:
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
        """What goes on with something that was just said is one with it; of two decisions the later one counts."""
        about = milestones.terms(draft.text)
        for at, one in list(enumerate(self.found))[-RECENT:]:
            is_reply = draft.origin == "user" and one.origin == "assistant" and one.sources[-1] == self.answered
            is_alike = one.kind == draft.kind or {one.kind, draft.kind} == CHOICES or is_reply
            # Somebody who takes a choice back need not repeat what it was about.
            needed = 1 if draft.kind in CHOICES and messages.is_reversal(draft) else GOES_ON
            needed = min(needed, REPLY) if is_reply else needed
            if is_alike and len(about & milestones.terms(one.text)) >= needed:
                self.found[at] = _one_of(one, draft)
                return
        self.found.append(draft)

    def _explain(self, draft: Draft, ran_into: Sequence[Episode]) -> Draft:
        """A limit explains what failed; what was repaired before is not forgotten for it."""
        for one in ran_into:
            one.is_open = not one.passes
        self.episodes = [one for one in self.episodes if one not in ran_into or one.passes]
        return draft.joined(
            *(event for one in ran_into for event in [*one.failures, *(said for said, _ in one.causes)])
        )

    def _is_of_this_turn(self, one: Draft) -> bool:
        return self.prompt is not None and self.prompt.key in one.sources and one.origin == "user"

    # -- what is done --------------------------------------------------------------------------------------------------

    def _take_command(self, event: Happening, acts: Sequence[Act]) -> None:
        does = commands.does(acts)
        if event.name == FAILED or (does in ("check", "step", "change") and outputs.is_failing(event.detail)):
            if not episodes.is_trivial(event) and (does != "look" or episodes.is_telling(event)):
                self._fail(event, acts)
            return
        if episodes.is_log(acts) and outputs.is_report(event.detail) and self._is_hunting():
            self._fail(event, ())  # as if the user had brought it along
            return
        repaired = self._repair(event, acts)
        self.checked = event if does in ("check", "step", "change") else self.checked
        made = commands.commit(event.about, event.detail)
        if made:
            self._commit(event, made)
        elif does == "release":
            self.found.append(milestones.release(event))
        elif not repaired and does in ("change", "step"):
            self._do(event, is_change=does == "change" or milestones.is_configuring(event, acts))
        elif not repaired and does == "check":
            for one in self.episodes:
                one.attempts[-1].runs += [event] if one.is_open else []

    def _do(self, event: Happening, *, is_change: bool) -> None:
        """Something is done: about what is broken, if anything is; else a change may be worth keeping by itself."""
        waiting = [one for one in self.episodes if one.is_open]
        for one in waiting:
            one.attempts[-1].steps.append(event)
        if is_change and not waiting:
            self.changed.append(event)

    def _is_hunting(self) -> bool:
        """Whether this turn is about something that is broken: logs are full of errors that nobody minds."""
        return self.prompt is not None and bool(episodes.BROKEN.search(self.prompt.about))

    def _fail(self, event: Happening, acts: Sequence[Act]) -> None:
        signature = outputs.signature(episodes.said(event))
        one = next((known for known in reversed(self.episodes) if known.is_again(acts, signature)), None)
        if one is None and not acts:  # a report and the log of it are about the same
            one = next((known for known in self.failed if known.is_open and not known.acts), None)
        if one is None:
            one = Episode(acts, signature, own=frozenset(self.edited))
            self.episodes.append(one)
        one.acts = tuple(dict.fromkeys([*one.acts, *acts]))  # the same error may come from several commands
        one.fail(event)
        self._note_failed(one)

    def _repair(self, event: Happening, acts: Sequence[Act]) -> bool:
        """Whether this is the run after which something that failed works."""
        repaired = [one for one in self.episodes if one.meets(event, acts)]
        for one in repaired:
            if one in self.episodes:  # and not part of another by now
                self._absorb(one)
                self.uncommitted.append(one)
                self._note_failed(one)
        # What passes again without anything being done about it was no matter of ours.
        for one in self.episodes:
            one.passed_alone |= one.is_open and commands.is_same(one.acts, acts)
        return bool(repaired)

    def _absorb(self, repaired: Episode) -> None:
        """What failed like it in the meantime, and was not run again, went away with it."""
        gone = [
            one
            for one in self.episodes
            if one is not repaired
            and ((one.is_open and not one.passed_alone and one.is_like(repaired)) or one.shares(repaired))
        ]
        for one in gone:
            repaired.absorb(one)
        self.episodes = [one for one in self.episodes if one not in gone]

    def _note_failed(self, one: Episode) -> None:
        if one not in self.failed:
            self.failed.append(one)

    # -- what is reached -----------------------------------------------------------------------------------------------

    def _settle_changes(self, answer: Happening | None = None, cause: str = "") -> None:
        """Changes of one turn are one memory; those that carry out what was just said, or go on, belong to that."""
        changed, self.changed = self.changed, []
        if not changed:
            return
        behind = [*changed, *([answer] if answer else [])]
        before = next((one for one in self.found if milestones.is_about(one, changed)), None)
        said = next((one for one in self.found if self._is_carried_out(one, changed)), None)
        if said:  # also what was changed before it was said otherwise
            draft = said.joined(*behind)
            draft = draft.having_behind(before) if before else draft
        elif before:
            lines = dict.fromkeys([*before.text.split("\n"), *map(episodes.shown, changed)])
            draft = replace(before.joined(*behind), text="\n".join(lines))
        else:
            draft = milestones.change(changed, cause).joined(*behind)
        self.found = [*(one for one in self.found if one not in (before, said)), draft]
        self.uncommitted += [] if before and not said else [draft]

    def _is_carried_out(self, said: Draft, changed: Sequence[Happening]) -> bool:
        """Whether changes do what was just said: a choice that was made, or something that they have words of."""
        if not self._is_of_this_turn(said) or (said.kind != "decision" and said.certainty < SURE):
            return False
        about = milestones.terms(" ".join(map(episodes.shown, changed)))
        is_choice = said.kind == "decision" and all(event.doing == "write" for event in changed)
        return is_choice or bool(milestones.terms(said.text) & about)

    def _commit(self, event: Happening, made: Commit) -> None:
        self._settle_changes()
        tried = [one for one in self.episodes if one.is_open and one.is_tried and not one.passed_alone]
        waiting = [one for one in [*tried, *self.uncommitted] if isinstance(one, Draft) or not one.is_slip]
        waiting = [
            *(
                one
                for one in self.found
                if self._is_of_this_turn(one) and one not in waiting and milestones.kind_of(made) == "change"
            ),
            *waiting,
        ]
        last = next((one for one in reversed(waiting) if milestones.belongs(made, one, event)), None)
        self.uncommitted = []
        if isinstance(last, Episode):
            last.committed.append(event)
        elif last is not None:
            at = next(at for at, one in enumerate(self.found) if set(last.sources) <= set(one.sources))
            self.found[at] = self.found[at].joined(event)
        elif not milestones.is_provisional(made):
            self.found.append(milestones.commit(event, made))

    def finish(self, *, is_over: bool) -> list[Draft]:
        """Everything that was found; what is still open only once nothing more can come."""
        if is_over:
            self._settle_changes()
        known = [one for one in self.episodes if not one.is_slip and not (one.is_open and one.passed_alone)]
        told = [episodes.runbook(one) for one in known if one.is_repaired or (is_over and one.causes)]
        if is_over:
            told += [episodes.left_open(one) for one in known if one.is_open and not one.causes and one.is_in_vain]
        return sorted([*self.found, *told], key=lambda one: one.at)


def _one_of(one: Draft, later: Draft) -> Draft:
    """Two drafts of the same thing as one: of choices the later one counts, of anything else the first is explained."""
    told = later if one.kind in CHOICES or one.origin != later.origin else messages.reasoned(one, later.text)
    keys = tuple(dict.fromkeys([*one.sources, *later.sources]))
    return replace(told, sources=keys, at=max(one.at, later.at))
