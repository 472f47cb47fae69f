"""A session read as a story: what went wrong and how it was repaired, what was said, changed and reached.

Pure: events in order go in, drafts of memories come out, each with the events that it was made from. The same story
told a little further gives the same drafts, some of them with more behind them.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from recollect.model.happening import ANSWER, FAILED, FINISHED, PROMPT, Happening
from recollect.policy import commands, outputs, statements
from recollect.policy.commands import Act
from recollect.policy.statements import Statement

PLAIN = 0.8
REACHED = ("commit", "release", "change")  # the rules that file what was done, not what was said
LEAST_WORDS = 4
STEP_CHARS, TITLE_CHARS = 300, 100
MOST_STEPS = 8
WHY = ("cause", "discovery", "decision")

# A command that failed because it was spelt wrong, or looked for what is not there, taught nothing.
_TRIVIAL = re.compile(
    r"command not found|not found\. did you mean|did you mean|unknown (?:command|option|flag|subcommand|argument)|is not recognized as"
    r"|unrecognized (?:arguments?|option)|invalid option|no such (?:option|subcommand|command)|missing script|has not been read yet"
    r"|string to replace not found|file does not exist|nothing to commit|not a git repository|no matches found|interrupted by user"
    r"|user doesn't want to proceed|pathspec .* did not match|can't cd to|requires an argument|^usage: |ambiguous argument|no tests? (?:found|ran|files)"
    r"|command \"?\w+\"? not found|no such file or directory|cannot access|is a directory|already (?:exists|up.to.date)|no rule to make target",
    re.IGNORECASE | re.MULTILINE,
)  # fmt: skip
_CONFIGURING = re.compile(
    r"(?:^|/)(?:package\.json|pyproject\.toml|requirements[\w.-]*\.(?:txt|in)|setup\.(?:cfg|py)|tox\.ini|pytest\.ini|mypy\.ini|Cargo\.toml|rust-toolchain\S*|go\.mod"
    r"|Gemfile|composer\.json|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|gradle\.properties|pom\.xml|libs\.versions\.toml|CMakePresets\.json|Dockerfile[\w.-]*"
    r"|(?:docker-)?compose[\w.-]*\.ya?ml|Makefile|justfile|\.?env(?:\.[\w.-]+)?|\.envrc|\.tool-versions|\.nvmrc|\.npmrc|\.pre-commit-config\.yaml|\.gitlab-ci\.yml|\.travis\.yml|Jenkinsfile"
    r"|\.github/(?:workflows|actions)/.+|\.circleci/.+|\.?(?:eslint|prettier|babel|stylelint|commitlint|renovate|dependabot)[\w.]*(?:rc|config)?[\w.]*|[\w.-]+\.config\.[cm]?[jt]s|tsconfig[\w.-]*\.json"
    r"|[\w.-]+\.(?:tf|tfvars|hcl|cfg|conf|ini|properties|csproj|props|service|timer|sln|prisma|nix|toml|plist|gradle)|application[\w.-]*\.ya?ml|values[\w.-]*\.ya?ml|appsettings[\w.]*\.json|mix\.exs"
    r"|ansible\.cfg|nginx[\w.-]*|Chart\.yaml|kustomization\.ya?ml|settings(?:/\w+)?\.py|(?:config|configs|conf|settings|deploy|k8s|helm|manifests|defaults|group_vars|host_vars|vars|terraform|infra|charts|values|environments|envs)/.+\.(?:ya?ml|json|toml|py|rb|exs?|env)|\.editorconfig|\.gitignore|\.dockerignore|Procfile|fly\.toml|vercel\.json|netlify\.toml|wrangler\.toml)$"
)  # fmt: skip
_KIND_OF_COMMIT = (
    ("bugfix", re.compile(r"^(?:fix|hotfix|bugfix|bug|revert)\b|^(?:fixe[sd]|correct|repair|resolve|handle|prevent|avoid)\b", re.IGNORECASE)),
    ("feature", re.compile(r"^(?:feat|feature)\b|^(?:add|implement|introduce|support|allow|enable|create|offer|show|let)\w*\b", re.IGNORECASE)),
    ("refactor", re.compile(r"^(?:refactor|perf|style|cleanup)\b|^(?:extract|rename|move|split|simplify|clean|inline|restructure|reorganise|reorganize|dedupe|use|replace|pull|drop|remove)\w*\b", re.IGNORECASE)),
)  # fmt: skip
_WORDS = re.compile(r"[a-z][a-z0-9_.-]{2,}")
_COMMON = frozenset(
    "the and for with that this from have has not but you are was use used using out its into add set run all new get our per via can now then too".split()
)


@dataclass(frozen=True, slots=True)
class Draft:
    """A memory that could be filed: what it says, and the events that it was made from."""

    kind: str
    title: str
    text: str
    sources: tuple[str, ...]
    fields: dict[str, object] = field(default_factory=dict)
    certainty: float = 0.8
    origin: str = "tool"
    rule: str = ""
    signature: str = ""
    files: tuple[str, ...] = ()
    at: float = 0.0

    def joined(self, *more: Happening) -> "Draft":
        """The same with more events behind it."""
        keys = dict.fromkeys((*self.sources, *(one.key for one in more)))
        return replace(self, sources=tuple(keys), at=max([self.at, *(one.at for one in more)]))


@dataclass(slots=True)
class Attempt:
    """What was done between two runs of the same thing, and whether it helped."""

    steps: list[Happening] = field(default_factory=list)


@dataclass(slots=True)
class Episode:
    """Something that failed, what was tried, and the run that passed in the end."""

    acts: list[Act]
    signature: str
    failures: list[Happening]
    attempts: list[Attempt] = field(default_factory=lambda: [Attempt()])
    passes: list[Happening] = field(default_factory=list)
    is_open: bool = True
    causes: list[tuple[Happening, str]] = field(default_factory=list)
    committed: list[Happening] = field(default_factory=list)

    @property
    def passed(self) -> Happening | None:
        """The run after which it worked; None as long as it does not."""
        return None if self.is_open or not self.passes else self.passes[-1]

    @property
    def sources(self) -> list[Happening]:
        """Everything that belongs to it, in order."""
        tried = [step for attempt in self.attempts for step in attempt.steps]
        parts = [*self.failures, *tried, *self.passes, *(one for one, _ in self.causes)]
        return sorted({one.key: one for one in [*parts, *self.committed]}.values(), key=lambda one: one.at)

    @property
    def is_tried(self) -> bool:
        """Whether anything was done about it."""
        return any(attempt.steps for attempt in self.attempts)


def drafts(events: Sequence[Happening], *, is_over: bool = False) -> list[Draft]:
    """What should be kept of a session so far; with its end, also what was left open."""
    told = _Teller(is_over=is_over)
    for event in events:
        told.take(event)
    return told.finish()


class _Teller:
    """Goes through the events once and keeps what they add up to."""

    def __init__(self, *, is_over: bool) -> None:
        self.is_over = is_over
        self.episodes: list[Episode] = []
        self.found: list[Draft] = []
        self.changed: list[Happening] = []
        self.uncommitted: list[Draft | Episode] = []
        self.prompt: Happening | None = None
        self.turn_failures: list[Episode] = []

    # -- one event after the other -------------------------------------------------------------------------------------

    def take(self, event: Happening) -> None:
        if event.name == PROMPT:
            self._settle_changes()
            before, self.prompt, self.turn_failures = self.turn_failures, event, []
            self._take_prompt(event, before)
        elif event.name == ANSWER:
            self._take_answer(event)
            self._settle_changes()
        elif event.doing == "shell":
            self._take_command(event)
        elif event.doing == "write" and event.name == FINISHED:
            self._take_edit(event)

    def _take_prompt(self, event: Happening, before: "list[Episode]") -> None:
        left = [one for one in self.episodes if one.is_open and one in before]
        for kind, parts in _stated(event.about, by_user=True):
            draft = _said(kind, parts, event, origin="user")
            if kind == "constraint" and left:  # the user says what limit it was that the last turn ran into
                draft = draft.joined(
                    *(source for one in left for source in [*one.failures, *(said for said, _ in one.causes)])
                )
                self.episodes = [one for one in self.episodes if one not in left]
            self._add(draft)

    def _take_answer(self, event: Happening) -> None:
        asked = self.prompt.about if self.prompt else ""
        stated = dict(_stated(event.detail or event.about, by_user=False, asked=asked))
        open_now = [one for one in self.turn_failures if one.is_open]
        if "constraint" in stated and open_now:  # what failed taught a limit: there is nothing to repair
            ran_into = [failure for one in open_now for failure in one.failures]
            self._add(_said("constraint", stated.pop("constraint"), event, origin="assistant").joined(*ran_into))
            self.episodes = [one for one in self.episodes if one not in open_now]
        why = [part for kind in WHY for part in stated.get(kind, ())]
        failed = [one for one in self.turn_failures if one in self.episodes]
        if why and failed:  # whatever explains a turn in which something failed explains the failure
            failed[-1].causes.append((event, _joined(why)))
        elif "cause" in stated and self.changed and "decision" not in stated:
            self._settle_changes(event, _joined(why))
        elif ("cause" in stated or "discovery" in stated) and "decision" not in stated:
            parts = [*stated.get("discovery", ()), *stated.get("cause", ())]
            self._add_answer(_said("discovery", parts, event, origin="assistant"), event)
        for kind, parts in stated.items():
            if kind not in WHY or (kind == "decision" and not failed):
                draft = _said(kind, parts, event, origin="assistant")
                if kind == "decision" and _terms(draft.text) & _terms(" ".join(map(_shown, self.changed))):
                    draft, self.changed = draft.joined(*self.changed), []
                self._add_answer(draft, event)

    def _add_answer(self, draft: Draft, event: Happening) -> None:
        """What an agent says of what the user has just said belongs to that."""
        for at, one in enumerate(self.found):
            is_same = self.prompt is not None and self.prompt.key in one.sources and one.origin == "user"
            if is_same and len(_terms(one.text) & _terms(draft.text)) >= 2:
                self.found[at] = one.joined(event)
                return
        self._add(draft)

    def _take_edit(self, event: Happening) -> None:
        waiting = [one for one in self.episodes if one.is_open]
        for one in waiting:
            one.attempts[-1].steps.append(event)
        if not waiting and any(_CONFIGURING.search(path) for path in event.files_modified):
            self.changed.append(event)

    def _take_command(self, event: Happening) -> None:
        acts = commands.read(event.about)
        does = commands.does(acts)
        if event.name == FAILED or (does in ("check", "step", "change") and outputs.is_failing(event.detail)):
            self._fail(event, acts, does)
            return
        repaired = self._repair(event, acts)
        made = commands.commit(event.about, event.detail)
        if made:
            self._commit(event, made)
        elif does == "release":
            self._add(_release(event))
        elif not repaired and does in ("change", "step"):
            self._step(event, does)

    # -- what goes wrong -----------------------------------------------------------------------------------------------

    def _fail(self, event: Happening, acts: list[Act], does: str) -> None:
        if does == "look" or _is_trivial(event):
            return
        signature = outputs.signature(event.detail)
        again = next((one for one in reversed(self.episodes) if _is_again(one, acts, signature)), None)
        if again is None:
            again = Episode(acts, signature, [])
            self.episodes.append(again)
        elif not again.is_open or again.attempts[-1].steps:
            again.attempts.append(Attempt())
        again.failures.append(event)
        again.is_open = True
        if again not in self.turn_failures:
            self.turn_failures.append(again)

    def _repair(self, event: Happening, acts: list[Act]) -> bool:
        """Whether this is the run after which something that failed works."""
        repaired = False
        for one in self.episodes:
            if one.is_open and commands.is_same(one.acts, acts):
                steps = [
                    act for act in acts if act.does in ("step", "change") and not commands.is_same(one.acts, [act])
                ]
                if one.is_tried or steps:
                    one.passes.append(event)
                    one.is_open = False
                    repaired = True
                    self.uncommitted.append(one)
                    if one not in self.turn_failures:
                        self.turn_failures.append(one)
        # What passed without anything being done about it was no matter of ours.
        self.episodes = [
            one for one in self.episodes if not one.is_open or not commands.is_same(one.acts, acts) or one.is_tried
        ]
        return repaired

    def _step(self, event: Happening, does: str) -> None:
        waiting = [one for one in self.episodes if one.is_open]
        for one in waiting:
            one.attempts[-1].steps.append(event)
        if not waiting and does == "change":
            self.changed.append(event)

    # -- what is changed and reached -----------------------------------------------------------------------------------

    def _settle_changes(self, *more: object) -> None:
        """Changes of one turn are one memory; those that carry out what was just decided belong to that."""
        changed, self.changed = self.changed, []
        if not changed:
            return
        answer, cause = (more[0], str(more[1])) if more else (None, "")
        told = " ".join(_shown(one) for one in changed)
        decided = next(
            (at for at, one in enumerate(self.found) if _is_carried_out(one, told, changed[0], self.prompt)), None
        )
        if decided is not None:
            self.found[decided] = self.found[decided].joined(*changed)
            return
        same = next((at for at, one in enumerate(self.found) if one.rule == "change" and _is_about(one, changed)), None)
        behind = [*changed, *([answer] if isinstance(answer, Happening) else [])]
        if same is not None:
            known = self.found[same]
            lines = dict.fromkeys([*known.text.split("\n"), *map(_shown, changed)])
            self.found[same] = replace(known.joined(*behind), text="\n".join(lines))
            return
        self._add(_change(changed, cause).joined(*behind))

    def _commit(self, event: Happening, made: commands.Commit) -> None:
        kind = _kind_of_commit(made.title)
        last = next((one for one in reversed(self.uncommitted) if _belongs(one, kind, made.title)), None)
        self.uncommitted = []
        if isinstance(last, Episode):
            last.committed.append(event)
        elif last is not None:
            at = next(at for at, one in enumerate(self.found) if one.sources[: len(last.sources)] == last.sources)
            self.found[at] = self.found[at].joined(event)
        elif made.title:
            number = f" ({made.number})" if made.number else ""
            text = f"Committed{number}: {made.message}"
            self.found.append(
                Draft(
                    kind,
                    _title(_bare_title(made.title)),
                    text,
                    (event.key,),
                    rule="commit",
                    files=event.files_modified,
                    at=event.at,
                )
            )

    def _add(self, draft: Draft) -> None:
        self.found.append(draft)
        if draft.rule == "change":
            self.uncommitted.append(draft)

    # -- the end -------------------------------------------------------------------------------------------------------

    def finish(self) -> list[Draft]:
        """Everything that was found; what is still open only once nothing more can come."""
        if self.is_over:
            self._settle_changes()
        told = [_runbook(one) for one in self.episodes if one.passed or (self.is_over and one.causes)]
        if self.is_over:
            told += [_left_open(one) for one in self.episodes if one.is_open and not one.causes and one.is_tried]
        return sorted([*self.found, *told], key=lambda one: one.at)


# -- sentences ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4_096)
def _stated(said: str, *, by_user: bool, asked: str = "") -> list[tuple[str, list[Statement]]]:
    """What a message states, by kind: the sentences that do, and those between them."""
    found = list(statements.judged(said, by_user=by_user, asked=asked))
    sure = [one for one in found if one.certainty >= statements.threshold(len(found))]
    by_kind: dict[str, list[Statement]] = {}
    for one in sure:
        by_kind.setdefault(one.kind, []).append(one)
    long_enough = {
        kind: parts for kind, parts in by_kind.items() if sum(len(part.text.split()) for part in parts) >= LEAST_WORDS
    }
    by_certainty = sorted(long_enough.items(), key=lambda one: -max(part.certainty for part in one[1]))
    # A message is mostly about one thing; a second one has to be as plain.
    chosen = [*by_certainty[:1], *(one for one in by_certainty[1:] if max(part.certainty for part in one[1]) >= PLAIN)]
    return [(kind, _with_reasons(found, parts)) for kind, parts in chosen]


def _with_reasons(found: list[Statement], parts: list[Statement]) -> list[Statement]:
    """A statement and the sentence behind it, which often says why."""
    places = {found.index(part) for part in parts}
    after = {place + 1 for place in places if place + 1 < len(found) and not found[place + 1].text.endswith("?")}
    return [found[place] for place in sorted(places | after)]


def _joined(parts: Iterable[Statement]) -> str:
    return " ".join(dict.fromkeys(part.text if part.text[-1:] in ".!?:" else f"{part.text}." for part in parts))


def _said(kind: str, parts: list[Statement], event: Happening, *, origin: str) -> Draft:
    sure = max(part.certainty for part in parts)
    return Draft(
        kind, _title(parts[0].text), _joined(parts), (event.key,), certainty=sure, origin=origin, rule=f"{origin}-{kind}", at=event.at,
        fields=_fields(kind, parts),
    )  # fmt: skip


def _fields(kind: str, parts: list[Statement]) -> dict[str, object]:
    """The content fields that a kind needs beyond its lead: the rest of what was said is the reason."""
    rest = " ".join(part.text for part in parts[1:]) or parts[0].text
    if kind == "preference":
        return {
            "reason": rest,
            "strength": "strong"
            if re.search(r"\b(?:always|never|must|has to|have to|no)\b", parts[0].text, re.I)
            else "default",
        }
    if kind == "decision":
        return {"rationale": [rest]}
    if kind == "constraint":
        return {"impact": [rest]}
    return {"reason_deferred": rest} if kind == "tech_debt" else {}


def _title(said: str) -> str:
    """A title from a sentence: without what only leads up to it."""
    bare = re.sub(
        r"^(?:(?:and|but|also|so|ok|okay|yes|no|nope|hm+|ah|right|good|fine|great|btw|well|please|pls|heads up|one more thing)\b[\s,.:!-]*)+",
        "",
        said,
        flags=re.IGNORECASE,
    )
    plain = (bare or said).replace("**", "").strip(" .!*_")
    cut = plain if len(plain) <= TITLE_CHARS else plain[: TITLE_CHARS - 1].rsplit(" ", 1)[0] + "…"
    return cut[:1].upper() + cut[1:]


# -- episodes ----------------------------------------------------------------------------------------------------------


def _is_trivial(event: Happening) -> bool:
    said = re.sub(r"^exit code \d+\n?", "", event.detail.strip(), flags=re.IGNORECASE)
    return not said.strip() or (len(said) < 600 and bool(_TRIVIAL.search(said)))


def _is_again(one: Episode, acts: list[Act], signature: str) -> bool:
    """Whether something fails again: the same error, or the same thing run anew while it is still broken."""
    if signature and signature == one.signature:
        return True
    return one.is_open and commands.is_same(one.acts, acts)


def _runbook(one: Episode) -> Draft:
    """B's runbook: symptom, cause if it was stated, fix, verification; what did not help is kept as such."""
    symptoms = list(dict.fromkeys(line for failure in one.failures for line in outputs.error_lines(failure.detail)))
    *failed, last = one.attempts
    worked = [_shown(step) for step in last.steps] if one.passed else []
    if one.passed and any(act.does in ("step", "change") for act in commands.read(one.passed.about)):
        worked.append(_shown(one.passed))
    tried = [f"Tried, did not work: {_shown(step)}" for attempt in failed for step in attempt.steps]
    tried += [] if one.passed else [f"Tried, did not work: {_shown(step)}" for step in last.steps]
    cause = " ".join(dict.fromkeys(said for _, said in one.causes))
    steps = list(dict.fromkeys([*worked, *tried]))[:MOST_STEPS] or [cause or "Nothing has helped so far."]
    run = one.failures[0].about
    trigger = symptoms[0] if symptoms else f"`{run}` fails"
    passed = f"`{one.passed.about}` passes" if one.passed else f"`{run}` still fails"
    fields: dict[str, object] = {"symptoms": symptoms, "steps": steps, "verification": passed[:STEP_CHARS]}
    fields |= {"root_cause": cause} if cause else {}
    files = dict.fromkeys(path for step in last.steps for path in step.files_modified)
    return Draft(
        "runbook", _title(trigger), trigger, tuple(event.key for event in one.sources), fields, 0.85 if one.passed else 0.7,
        rule="repair" if one.passed else "unrepaired", signature=one.signature, files=tuple(files), at=one.sources[-1].at,
    )  # fmt: skip


def _left_open(one: Episode) -> Draft:
    """An error that nobody repaired: what it said, and what did not help."""
    draft = _runbook(one)
    steps = draft.fields["steps"]
    tried = [str(step) for step in steps] if isinstance(steps, list) else []
    lines = [f"Not solved: `{one.failures[-1].about}` fails.", *outputs.error_lines(one.failures[-1].detail)]
    text = "\n".join([*lines, *tried])
    return replace(
        draft,
        kind="discovery",
        title=_title(f"Not solved: {draft.text}"),
        text=text,
        fields={},
        certainty=0.6,
        rule="left-open",
    )


def _shown(event: Happening) -> str:
    """A step in a line: the command that was run, or the file and what was put into it."""
    if event.doing == "shell":
        return f"Run `{event.about}`"[:STEP_CHARS]
    added = " ".join(event.detail.split())
    return f"Edit {', '.join(event.files_modified) or event.about}: {added}"[:STEP_CHARS].rstrip(": ")


# -- changes and milestones --------------------------------------------------------------------------------------------


def _change(changed: Sequence[Happening], cause: str) -> Draft:
    first = changed[0]
    named = first.about if first.doing == "shell" else f"Changed {', '.join(first.files_modified)}"
    lines = [*([cause] if cause else []), *map(_shown, changed)]
    files = dict.fromkeys(path for one in changed for path in one.files_modified)
    return Draft("change", _title(named), "\n".join(lines), (), rule="change", files=tuple(files), at=first.at)


def _release(event: Happening) -> Draft:
    return Draft(
        "change",
        _title(f"Released: {event.about}"),
        f"Ran `{event.about}`\n{event.detail[:STEP_CHARS]}".strip(),
        (event.key,),
        rule="release",
        at=event.at,
    )


def _terms(said: str) -> set[str]:
    return {word.strip(".-_") for word in _WORDS.findall(said.lower())} - _COMMON


def _is_carried_out(one: Draft, told: str, first: Happening, prompt: Happening | None) -> bool:
    """Whether changes carry out a decision: made in this turn, and about the same thing."""
    is_recent = prompt is not None and (prompt.key in one.sources or one.at >= prompt.at) and one.at <= first.at
    return one.rule.startswith("user-") and is_recent and bool(_terms(one.text) & _terms(told))


def _is_about(one: Draft, changed: Iterable[Happening]) -> bool:
    """Whether changes go on with an earlier one: a word in common that is no everyday word of commands."""
    later = set().union(*(_terms(f"{event.about} {' '.join(event.files_modified)}") for event in changed))
    shared = _terms(one.text) & later
    return len(shared) >= 2 or any(re.search(r"[a-z][\d_-][a-z\d]", term) for term in shared)


def _kind_of_commit(title: str) -> str:
    named = re.sub(r"^[\w./-]+-\d+[:\s]+", "", title)
    if re.match(r"^(?:chore|build|ci|docs|test|style|deps)\b", named, re.IGNORECASE):
        return "change"
    return next((kind for kind, pattern in _KIND_OF_COMMIT if pattern.match(named)), "change")


def _bare_title(title: str) -> str:
    return re.sub(r"^(?:feat|fix|refactor|perf|chore|build|ci|docs|test|style)(?:\([^)]*\))?!?:\s*", "", title) or title


def _belongs(one: "Draft | Episode", kind: str, title: str) -> bool:
    """Whether a commit only commits a repair, or a change of configuration, that is known already."""
    if isinstance(one, Episode):
        told = f"{one.failures[0].detail} {' '.join(_shown(step) for step in one.attempts[-1].steps)}"
        return kind == "bugfix" or (kind == "change" and len(_terms(title) & _terms(told)) >= 2)
    return kind == "change" and bool(_terms(title) & _terms(one.text))
