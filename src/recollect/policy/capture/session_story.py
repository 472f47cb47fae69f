"""Read a session as a story: what went wrong and how it was repaired, what was stated, changed and reached.

Pure: `drafts` takes the events of a session in order and returns drafts of memories, each with the events that it was
made from. With more events of the same session it returns the same drafts, some of them with more events behind them.

How an event is read:

- prompt: statements of the user become drafts; a pasted error begins an episode of `failures`
- answer: a limit or a cause explains what failed; otherwise what it states becomes a draft, or a reason of one
- command: a failure begins or continues an episode, a pass may repair it; commits and releases become drafts
- edit: a step of a repair if something is broken; a draft if it changes the project's configuration
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from recollect.model.session_event import ANSWER, FAILED, FINISHED, PROMPT, SAID, SessionEvent
from recollect.policy.capture import episodes, failures, messages, milestones, relations
from recollect.policy.capture.draft import QUOTED, Draft
from recollect.policy.capture.episodes import Episode
from recollect.policy.capture.failures import Failures
from recollect.policy.capture.relations import Closeness, relates
from recollect.policy.proposals import consent, questions
from recollect.policy.repairs import causes
from recollect.policy.shell import commands, commits, outputs
from recollect.policy.shell.commands import Act
from recollect.policy.shell.commits import Commit
from recollect.policy.statements import findings
from recollect.policy.statements.statements import Statement

REASONS = ("cause", "discovery", "decision")
"""Kinds of statements that can explain a failure."""
SURE = 0.6
"""The certainty from which on a statement was surely meant to last."""
MOST_FINDINGS = 3
"""How many things are kept of an agent's answer at most."""
RECENT = 4
"""How many of the last drafts a new one is compared with."""
CHOICES = {"decision", "preference"}
"""Kinds that often differ only in how they are put."""

Stated = dict[str, tuple[Statement, ...]]


def drafts(events: Sequence[SessionEvent], *, is_over: bool = False) -> list[Draft]:
    """Return what should be kept of a session so far; once it is over, also what was left open."""
    story = _Story()
    for event in events:
        story.take(event)
    return story.finish(is_over=is_over)


@dataclass(slots=True)
class _Story:
    """Goes through the events once and keeps what they add up to."""

    failures: Failures = field(default_factory=Failures)
    found: list[Draft] = field(default_factory=list)
    changed: list[SessionEvent] = field(default_factory=list)
    """Changes that are not part of a draft yet."""
    uncommitted: list[Draft | Episode] = field(default_factory=list)
    """Changes and repairs since the last commit."""
    prompt: SessionEvent | None = None
    answer: SessionEvent | None = None
    """The last answer."""

    def take(self, event: SessionEvent) -> None:
        """Take the next event."""
        if event.name == PROMPT:
            self._settle_changes()
            self._take_prompt(event)
        elif event.name == ANSWER:
            self._take_answer(event)
            self.answer = event
            self.changed += filter(milestones.is_configuring, self.failures.slipped())
            self._settle_changes()
        elif event.name == SAID:
            self._take_words(event)
        elif event.doing == "shell":
            acts = commands.read(event.about)
            self._take_command(event, (*acts, *commands.ran_inside(acts, event.detail)))
        elif event.doing == "write" and event.name == FINISHED:
            self._take_step(event, is_change=milestones.is_configuring(event))
            self.failures.edited.update(event.files_modified)
        elif event.doing == "other" and event.detail.startswith(questions.MARK):
            self._take_answers_to_questions(event)
        elif event.doing == "other" and commands.is_running(event.tool):
            self._take_command(event, (Act("check", event.tool, frozenset()),))

    def finish(self, *, is_over: bool) -> list[Draft]:
        """Return all drafts in order of time. Remarks of the agent on one of them become part of it."""
        if is_over:
            self._settle_changes()
        told = sorted([*self.found, *self.failures.drafts(is_over=is_over)], key=lambda draft: draft.at)
        for remark in [draft for draft in told if draft.origin == "assistant"]:
            subjects = (draft for draft in told if draft.origin not in ("assistant", QUOTED))
            subject = next((draft for draft in subjects if _is_remark(remark, draft)), None)
            if subject:
                told[told.index(subject)] = _remarked(subject, remark)
                told.remove(remark)
        return told

    # -- prompts and answers -------------------------------------------------------------------------------------------

    def _take_prompt(self, event: SessionEvent) -> None:
        ran_into = self.failures.begin_turn(event)
        self.prompt = event
        if outputs.is_report(event.about):
            self.failures.fail(event, ())
        agreed = consent.resolve(event.about, self.answer.detail) if self.answer else None
        if agreed and self.answer:
            self._add(messages.agreed_draft(agreed, event).joined(self.answer))
        for statement in messages.users_statements(event.about):
            draft = messages.users_draft(statement, event)
            if draft.kind == "constraint":  # it may be the limit that the last turn ran into
                draft = draft.joined(*self.failures.dissolve(failures.are_about(ran_into, draft.text)))
            self._add(draft)
        passed_on = messages.passed_on(event.about)
        if passed_on:  # never merged with anything: these are not the user's own words
            self.found.append(messages.quoted(passed_on, event))

    def _take_words(self, event: SessionEvent) -> None:
        """Take what the user said without a prompt."""
        for statement in messages.users_statements(event.about):
            self._add(messages.users_draft(statement, event))

    def _take_answers_to_questions(self, event: SessionEvent) -> None:
        """Take the user's answers to questions of the agent: each is a decision."""
        for answer in questions.from_text(event.detail):
            decided = questions.decision(answer)
            if decided:
                self._add(messages.decided_draft(decided, answer.question, event))

    def _take_answer(self, event: SessionEvent) -> None:
        asked = self.prompt.about if self.prompt else ""
        to_explain = self.failures.to_explain(event)
        stated = dict(messages.stated(event.detail, asked=asked, is_awaited=bool(to_explain)))
        failed = self._take_limit(stated, event, to_explain)
        self._take_reasons(stated, event, failed)
        self.uncommitted += self.failures.end_turn(event)
        self._add_findings(stated, event)

    def _add_findings(self, stated: Stated, event: SessionEvent) -> None:
        """Add what is worth keeping of what an agent states, the surest of it."""
        found = [parts for told in stated.values() for parts in findings.select(told)]
        for parts in sorted(found, key=lambda parts: -parts[0].certainty)[:MOST_FINDINGS]:
            self._add_answer(messages.draft(parts[0].kind, parts, event, origin="assistant"), event)

    def _take_limit(self, stated: Stated, event: SessionEvent, failed: Sequence[Episode]) -> list[Episode]:
        """Take a limit out of what an answer states. Return the failures that are still to be explained.

        If all that failed works again, the limit was its cause. If not, the limit explains what is still broken, and
        nothing is to be repaired.
        """
        parts = stated.pop("constraint", ())
        if failed and all(episode.is_repaired for episode in failed):
            stated["cause"] = (*parts, *stated.get("cause", ()))
        elif parts:
            draft = messages.draft("constraint", parts, event, origin="assistant")
            met = [episode for episode in self.failures.open if episode in self.failures.met]
            limited = failures.are_about(met, draft.text)
            if limited:
                self._add_answer(draft.joined(*self.failures.dissolve(limited)), event)
            else:
                stated["constraint"] = parts
            return [episode for episode in failed if episode not in limited or episode.passes]
        return list(failed)

    def _take_reasons(self, stated: Stated, event: SessionEvent, failed: Sequence[Episode]) -> None:
        """Take the reasons out of what an answer states: they explain a failure, else changes, else are a discovery."""
        reasons = self._reasons(stated, failed)
        why = [part for kind in reasons for part in stated.get(kind, ())]
        stated.pop("cause", None)
        causal = [part for part in why if causes.explains(part)]
        choices = () if "decision" in reasons else stated.get("decision", ())
        cause = messages.joined(causal) or causes.in_answer(event.detail, besides=messages.joined(choices))
        if cause and failed:
            explained = (failures.are_about(failed, cause) or failed)[-1]
            if self.failures.explain(explained, event, cause):
                self.uncommitted.append(explained)
            for kind in reasons:
                stated.pop(kind, None)
            return
        self.failures.explain_later(event, cause)
        if why and "decision" not in stated:
            if self._explains_changes(why):
                self._settle_changes(event, messages.joined(causal))
                stated.pop("discovery", None)
            else:
                stated["discovery"] = tuple(why)

    def _reasons(self, stated: Stated, failed: Sequence[Episode]) -> Sequence[str]:
        """Return the kinds that count as reasons; a decision does only if it is about what is broken."""
        decision = messages.joined(stated.get("decision", ()))
        is_about_failure = bool(episodes.BROKEN.search(decision) or failures.are_about(failed, decision))
        return REASONS if is_about_failure else [kind for kind in REASONS if kind != "decision"]

    def _explains_changes(self, why: Sequence[Statement]) -> bool:
        """Whether an answer explains what was changed: it states a cause, or mentions one of the changes."""
        changed = milestones.described(self.changed)
        is_cause = bool(relations.terms(changed)) and any(part.kind == "cause" for part in why)
        return is_cause or relates(messages.joined(why), changed).closeness >= Closeness.MENTIONED

    def _add_answer(self, draft: Draft, event: SessionEvent) -> None:
        """Add what an agent states, unless it only repeats what the user said in this turn."""
        if draft.kind == "decision" and _mentions(draft.text, self.changed):
            draft, self.changed = draft.joined(*self.changed), []
        for place, said in enumerate(self.found):
            if self._is_of_this_turn(said) and relates(draft.text, said.text).closeness >= Closeness.SAME_STATEMENT:
                self.found[place] = said.joined(event)
                return
        self._add(draft)

    def _add(self, draft: Draft) -> None:
        """Add a draft, as part of a recent one if it goes on with that or replies to it."""
        recent = [(place, draft) for place, draft in enumerate(self.found) if draft.origin != QUOTED][-RECENT:]
        for place, earlier in recent:
            if self._goes_on(draft, earlier):
                self.found[place] = _united(earlier, draft)
                return
        self.found.append(draft)

    def _goes_on(self, draft: Draft, earlier: Draft) -> bool:
        """Whether a draft says an earlier one again, or goes on with it.

        - two sentences of the user: the same words, with the same numbers; no rule is lost to another one
        - a user's reply to the last answer, and two statements of the agent: the same statement
        """
        relation = relates(draft.text, earlier.text)
        if draft.origin == earlier.origin == "user":
            return draft.kind == earlier.kind and relation.is_same and not relation.has_other_numbers
        is_reply = (
            draft.origin == "user"
            and earlier.origin == "assistant"
            and self.answer is not None
            and self.answer.key in earlier.sources
        )
        is_same_kind = earlier.kind == draft.kind != "tech_debt" or {earlier.kind, draft.kind} == CHOICES
        return (is_same_kind or is_reply) and relation.closeness >= Closeness.SAME_STATEMENT

    def _is_of_this_turn(self, draft: Draft) -> bool:
        """Whether the user said something with the last prompt."""
        return self.prompt is not None and self.prompt.key in draft.sources and draft.origin == "user"

    # -- commands and edits --------------------------------------------------------------------------------------------

    def _take_command(self, event: SessionEvent, acts: Sequence[Act]) -> None:
        does = commands.does(acts)
        if event.name == FAILED or (does in ("check", "step", "change") and outputs.is_failing(event.detail)):
            if not episodes.is_trivial(event) and (does != "look" or episodes.is_telling(event)):
                self.failures.fail(event, acts)
        elif episodes.is_log(acts) and outputs.is_report(event.detail) and self.failures.is_hunting:
            # As if the user had brought it along. Where nobody looks for an error, logs are full of harmless ones.
            self.failures.fail(event, ())
        else:
            self._take_success(event, acts)

    def _take_success(self, event: SessionEvent, acts: Sequence[Act]) -> None:
        """Take a command that worked: it may show a repair, commit, release, or be a step."""
        repaired = self.failures.passes(event, acts)
        self.uncommitted += repaired
        steps = {step.key for episode in repaired for attempt in episode.attempts for step in attempt.steps}
        self.changed = [change for change in self.changed if change.key not in steps]
        made, does = commits.commit(event.about, event.detail), commands.does(acts)
        if made:
            self._take_commit(event, made)
        elif does == "release":
            self.found.append(milestones.release(event))
        elif not repaired and does in ("change", "step") and not commits.is_elsewhere(event.about):
            self._take_step(event, is_change=does == "change" or milestones.is_configuring(event, acts))

    def _take_step(self, event: SessionEvent, *, is_change: bool) -> None:
        """Take a step: part of a repair if something is broken in this turn, else perhaps a change worth keeping."""
        if not self.failures.attempt(event) and is_change:
            self.changed.append(event)

    # -- changes and commits -------------------------------------------------------------------------------------------

    def _settle_changes(self, answer: SessionEvent | None = None, cause: str = "") -> None:
        """Make one draft of the changes of a turn.

        They become part of the first of these that there is:
        - what the user said in this turn and they carry out
        - an earlier change that they go on with
        - a new change, with the cause that the answer states or the request as its reason
        """
        changed, self.changed = self.changed, []
        if not changed:
            return
        before = next((draft for draft in self.found if milestones.is_continued(draft, changed)), None)
        said = next((draft for draft in self.found if self._is_carried_out(draft, changed)), None)
        asked = None if said else next((draft for draft in self.found if self._is_request(draft, changed)), None)
        if said:
            draft = said.backed(before)
        elif before:
            draft = milestones.going_on(before, changed, asked)
        else:
            draft = milestones.change(changed, cause or (asked.text if asked else "")).backed(asked)
        draft = draft.joined(*changed, *([answer] if answer else []))
        self.found = [*(known for known in self.found if known not in (said, before, asked)), draft]
        self.uncommitted.append(draft)

    def _is_carried_out(self, said: Draft, changed: Sequence[SessionEvent]) -> bool:
        """Whether changes do what the user has just said, and meant to last: a decision, or something they mention."""
        if not self._is_of_this_turn(said) or (said.kind != "decision" and said.certainty < SURE):
            return False
        return (said.kind == "decision" and _are_edits(changed)) or _mentions(said.text, changed)

    def _is_request(self, said: Draft, changed: Sequence[SessionEvent]) -> bool:
        """Whether something that the user has just said, and may not have meant to last, was what to change."""
        if not self._is_of_this_turn(said) or said.certainty >= SURE:
            return False
        return _are_edits(changed) or _mentions(said.text, changed)

    def _take_commit(self, event: SessionEvent, made: Commit) -> None:
        """Add a commit to what it commits, if that is known; else make a draft of it."""
        self._settle_changes()
        if milestones.is_provisional(made) or made.is_merge:
            return
        waiting = self._waiting(made)
        matching = [done for done in waiting if milestones.is_commit_of(made, event, done)]
        committed = next(iter(matching), None)
        self.uncommitted = []
        if isinstance(committed, Episode):
            self.failures.unite(committed, [done for done in matching[1:] if isinstance(done, Episode)])
            committed.committed.append(event)
        elif committed is not None:
            sources = set(committed.sources)
            place = next(place for place, draft in enumerate(self.found) if sources <= set(draft.sources))
            self.found[place] = self.found[place].joined(event)
        elif milestones.is_telling(made):
            self._add_commit(milestones.commit(event, made))

    def _add_commit(self, draft: Draft) -> None:
        """Add a commit, as part of an earlier one of the session if their titles have a subject in common."""
        for place, earlier in enumerate(self.found):
            is_commit = earlier.rule == milestones.COMMIT
            if is_commit and relates(draft.title, earlier.title).closeness >= Closeness.SAME_SUBJECT:
                self.found[place] = milestones.with_commit(earlier, draft)
                return
        self.found.append(draft)

    def _waiting(self, made: Commit) -> list[Draft | Episode]:
        """Return what a commit may commit, the likeliest first: changes and repairs, attempts, what was just said."""
        done = [known for known in reversed(self.uncommitted) if isinstance(known, Draft) or failures.is_telling(known)]
        tried = [episode for episode in reversed(self.failures.open) if episode.steps(episode.attempts[-1])]
        is_plain = milestones.kind_of(made) == milestones.CHANGE
        said = [draft for draft in reversed(self.found) if is_plain and self._is_of_this_turn(draft)]
        return [*done, *tried, *said]


def _mentions(text: str, changed: Sequence[SessionEvent]) -> bool:
    """Whether a text names something that was changed."""
    return relates(text, milestones.described(changed)).closeness >= Closeness.MENTIONED


def _are_edits(changed: Sequence[SessionEvent]) -> bool:
    return all(event.doing == "write" for event in changed)


def _is_remark(remark: Draft, subject: Draft) -> bool:
    """Whether an agent only says more of something that another draft tells, its fields included."""
    fields = " ".join(map(str, subject.fields.values()))
    return relates(f"{remark.title} {remark.text}", f"{subject.title} {subject.text} {fields}").is_remark


def _remarked(subject: Draft, remark: Draft) -> Draft:
    """Return a draft with an agent's remark on it: as its reason, unless these are the user's words."""
    return (subject if subject.origin == "user" else messages.reasoned(subject, remark.text)).backed(remark)


def _united(earlier: Draft, later: Draft) -> Draft:
    """Return two drafts of the same thing as one.

    A user's words stay as they are, whatever an agent adds. Of two choices, or two numbers, the later counts; else the
    later draft is the reason of the earlier one.
    """
    if earlier.origin != later.origin:
        users, other = (earlier, later) if earlier.origin == "user" else (later, earlier)
        return users.backed(other)
    is_corrected = earlier.kind in CHOICES or relates(later.text, earlier.text).has_other_numbers
    return (later if is_corrected else messages.reasoned(earlier, later.text)).backed(earlier).backed(later)
