"""Drafts of what a session reached: configuration that was changed, commits, releases."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from recollect.model import text
from recollect.model.session_event import SessionEvent
from recollect.policy.capture.draft import Draft, title
from recollect.policy.capture.episodes import STEP_CHARS, Episode, shown
from recollect.policy.capture.relations import Closeness, relates
from recollect.policy.repairs import titles
from recollect.policy.rule import any_of, table
from recollect.policy.shell.commands import Act
from recollect.policy.shell.commits import Commit

CHANGE, COMMIT, RELEASE = "change", "commit", "release"
RULES = (CHANGE, COMMIT, RELEASE)

# Files that say how a project is built, run and checked: what they are, pattern of the name or the path, example.
CONFIGURATION = table(
    (what, rf"(?:^|/)(?:{pattern})$", example)
    for what, pattern, example in (
        (
            "dependencies",
            (
                r"package\.json|pyproject\.toml|requirements[\w.-]*\.(?:txt|in)|setup\.(?:cfg|py)|rust-toolchain\S*"
                r"|go\.mod|Gemfile|composer\.json|libs\.versions\.toml|pom\.xml|mix\.exs"
            ),
            "web/package.json",
        ),
        (
            "build",
            (
                r"MODULE\.bazel|CMakePresets\.json|Makefile|justfile|turbo\.json|nx\.json|angular\.json"
                r"|[\w.-]+\.config\.[cm]?[jt]s|tsconfig[\w.-]*\.json|mkdocs\.yml"
            ),
            "vite.config.ts",
        ),
        (
            "containers and deployment",
            (
                r"Dockerfile[\w.-]*|(?:docker-)?compose[\w.-]*\.ya?ml|Procfile|Chart\.yaml|kustomization\.ya?ml"
                r"|nginx[\w.-]*|vercel\.json"
            ),
            "docker-compose.dev.yml",
        ),
        (
            "environment and settings",
            (
                r"\.?env(?:\.[\w.-]+)?|\.envrc|\.tool-versions|\.nvmrc|\.npmrc|settings(?:/\w+)?\.py|wp-config\.php"
                r"|(?:application|values)[\w.-]*\.ya?ml|appsettings[\w.]*\.json"
            ),
            ".env.example",
        ),
        ("continuous integration", r"\.gitlab-ci\.yml|\.travis\.yml|Jenkinsfile", "Jenkinsfile"),
        (
            "style and git",
            (
                r"\.?(?:eslint|prettier|babel|stylelint|commitlint|renovate|dependabot)[\w.]*|\.pre-commit-config\.yaml"
                r"|\.editorconfig|\.gitignore|\.dockerignore"
            ),
            ".eslintrc.json",
        ),
        (
            "any file with such an ending",
            (r"[\w.-]+\.(?:cfg|conf|ini|properties|csproj|props|service|timer|sln|prisma|nix|toml|plist|gradle|kts)"),
            "src/app.ini",
        ),
        (
            "a file in such a folder",
            (
                r"(?:config|configs|conf|settings|deploy|k8s|helm|manifests|defaults|group_vars|host_vars|vars|terraform"
                r"|infra|charts|values|environments|envs|workflows|actions|\.circleci|ProjectSettings)/(?:.+/)?"
                r"[\w.-]+\.(?:ya?ml|json|toml|py|rb|exs?|env|asset)"
            ),
            ".github/workflows/ci.yml",
        ),
    )
)
_CONFIGURING = any_of(CONFIGURATION)
# A ticket, or the part of the project that a commit is about, in front of what it says.
_LABEL = re.compile(r"^(?:[\w./-]{1,20}-\d+[:\s]+|[\w./-]{1,30}: )+")
_FIXES = re.compile(r"(?<!: )\bfix(?:es|ed)?\b(?!:)", re.IGNORECASE)
_PROVISIONAL = re.compile(
    r"^(?:(?:wip|tmp|temp)\b(?! files?)|(?:save|checkpoint|snapshot)\W*$|fixup!|squash!|\W*$)", re.IGNORECASE
)
_PREFIX = re.compile(r"^(?:feat|fix|refactor|perf|chore|build|ci|docs|test|style)(?:\([^)]*\))?!?:\s*")
_BREAKING = re.compile(r"^\w+(?:\([^)]*\))?!:")
# Commits of which nobody asks later: what they are, pattern of the first line, example.
CHORES = table(
    (
        ("a chore by its prefix", r"^(?:chore|docs?|tests?|style|lint|fmt|deps)(?:\([^)]*\))?:", "docs: fix a link"),
        (
            "feedback of a review",
            r"\b(?:review|feedback|nit|nits|pr comments?|copilot|bugbot)\b|^address(?:ed|es)?\b",
            "Address review feedback",
        ),
        (
            "style",
            (
                r"\b(?:lint\w*|gofmt|format(?:ting)?|whitespace|typos?|nolint\S*|noqa|eslint|prettier|spelling|wording)\b"
                r"|^(?:fix|update|add|improve|reword)(?: \w+)? comments?\b"
            ),
            "Fix lint",
        ),
        (
            "tests alone",
            (
                r"^(?:add|update|fix|improve|adjust|extend|remove|cover|more|new|move|rename|stabili[sz]e)\b.*"
                r"\b(?:tests?|specs?|snapshots?|fixtures?|test coverage|test helpers?)\b"
                r"|^(?:add|update|fix|adjust|extend)\b.*\b(?:Test[A-Z]\w+|test_\w+|\w+_test)\b"
            ),
            "Add a test for the empty cart",
        ),
        (
            "documentation alone",
            r"^(?:add|update|fix|improve)\b.*\b(?:docs?|documentation|readme|changelog|docstrings?)\b|\b(?:README|CHANGELOG)\b",
            "Update the README",
        ),
        (
            "after a merge or a rebase",
            (
                r"\b(?:after|post|during)[ -](?:the )?(?:rebase|merge|merging|rebasing)\b"
                r"|\bmerge conflicts?\b|^resolve conflicts?\b"
            ),
            "Fix imports after rebase",
        ),
        (
            "tidying up",
            (
                r"\b(?:redundant|unused|dead code|leftovers?|obsolete|duplicat\w+|clean ?up|cleanups?|tidy)\b"
                r"|\bcall sites?\b"
                r"|^minor\b|^small\b|^misc\b"
            ),
            "Remove unused helper",
        ),
        ("the first of a repository", r"^(?:initial|first|init)(?: commit)?$", "Initial commit"),
        ("a version of a dependency", r"^(?:bump|upgrade|update) \S+ (?:from|to) v?\d", "Bump lodash from 4.1 to 4.2"),
        ("putting right what was just done", r"^fix(?:es|ed)? (?:the )?(?:tests?|build|ci|compil\w+)\b", "Fix build"),
    ),
    re.IGNORECASE,
)  # fmt: skip
_CHORE = any_of(CHORES)
LEAST_WORDS, COMMIT_CHARS = 2, 600
# The first words of commit messages, by kind. A commit that begins with another word is a change.
_BEGINNINGS = {
    "change": "chore build ci docs test style perf deps bump pin upgrade update",
    "bugfix": "fix fixes fixed hotfix bugfix bug revert correct repair resolve handle prevent avoid",
    "feature": "feat feature add adds added implement introduce support allow enable create offer show let",
    "refactor": "refactor cleanup extract rename move split simplify clean inline restructure reorganize dedupe use "
                "replace pull drop remove merge unify consolidate deduplicate",
}  # fmt: skip


def is_configuring(event: SessionEvent, acts: Sequence[Act] = ()) -> bool:
    """Whether an edit, by a tool or by `sed`, changes how the project is built, run or checked."""
    edited = [target for act in acts if act.family == "sed" for target in act.targets]
    return any(_CONFIGURING.search(path) for path in [*event.files_modified, *edited])


def described(events: Iterable[SessionEvent]) -> str:
    """Return the steps that some events were, as one text."""
    return " ".join(map(shown, events))


def change(changed: Sequence[SessionEvent], cause: str) -> Draft:
    """Return a draft of what was changed in a turn, led by its reason unless that is empty."""
    first = changed[0]
    named = first.about if first.doing == "shell" else f"Changed {', '.join(first.files_modified)}"
    lines = [*([cause] if cause else []), *map(shown, changed)]
    files = dict.fromkeys(path for event in changed for path in event.files_modified)
    draft = Draft("change", title(named), "\n".join(lines), (), rule=CHANGE, files=tuple(files), at=first.at)
    return draft.joined(*changed)


def going_on(before: Draft, changed: Sequence[SessionEvent], asked: Draft | None) -> Draft:
    """Return an earlier change with further changes added, and the request that they carry out."""
    lines = [*before.text.split("\n"), *([asked.text] if asked else []), *map(shown, changed)]
    files = dict.fromkeys([*before.files, *(path for event in changed for path in event.files_modified)])
    return replace(before, text="\n".join(dict.fromkeys(lines)), files=tuple(files)).backed(asked)


def is_continued(before: Draft, changed: Iterable[SessionEvent]) -> bool:
    """Whether changes go on with an earlier one: the same subject, or a shared name such as `retry_count`."""
    if before.rule != CHANGE:
        return False
    later = " ".join(f"{event.about} {' '.join(event.files_modified)}" for event in changed)
    relation = relates(later, before.text)
    return relation.closeness >= Closeness.SAME_SUBJECT or relation.shares_identifier


def release(event: SessionEvent) -> Draft:
    """Return a draft of a version that was released."""
    said = f"Ran `{event.about}`\n{event.detail[:STEP_CHARS]}".strip()
    return Draft("change", title(f"Released: {event.about}"), said, (event.key,), rule=RELEASE, at=event.at)


def commit(event: SessionEvent, made: Commit) -> Draft:
    """Return a draft of a commit, in the words of its message."""
    number = f" ({made.number})" if made.number else ""
    said = text.cut(f"Committed{number}: {made.title}\n\n{made.body}".strip(), COMMIT_CHARS)
    return Draft(
        kind_of(made), commit_title(made), said, (event.key,), rule=COMMIT, files=event.files_modified, at=event.at
    )


def with_commit(earlier: Draft, later: Draft) -> Draft:
    """Return an earlier commit with a later one of the same piece of work added."""
    joined = text.cut(f"{earlier.text}\n\n{later.text}", 2 * COMMIT_CHARS)
    return replace(earlier, text=joined).backed(later)


def commit_title(made: Commit) -> str:
    """Return the first line of a commit's message as a title, without `feat(api):` in front of it."""
    return titles.short_title(_PREFIX.sub("", made.title) or made.title)


def is_telling(made: Commit) -> bool:
    """Whether the next session wants to know of a commit: no merge, and none of `CHORES`."""
    is_chore = bool(_CHORE.search(made.title)) and not _BREAKING.match(made.title)
    return not made.is_merge and not is_chore and len(_PREFIX.sub("", made.title).split()) >= LEAST_WORDS


def kind_of(made: Commit) -> str:
    """Return the kind of a commit: by the first word of its title, with or without a label in front of it."""
    for beginning in (made.title, _LABEL.sub("", made.title)):
        first = re.match(r"[a-z]+", beginning.lower())
        kind = next((kind for kind, words in _BEGINNINGS.items() if first and first[0] in words.split()), "")
        if kind:
            return kind
    return "bugfix" if _FIXES.search(made.title) else CHANGE


def is_provisional(made: Commit) -> bool:
    """Whether a commit only puts work away for a while ("wip", "fixup!")."""
    return bool(_PROVISIONAL.match(made.title))


def is_commit_of(made: Commit, event: SessionEvent, done: Draft | Episode) -> bool:
    """Whether a commit only commits a repair or a change that is known already."""
    return _commits_repair(made, event, done) if isinstance(done, Episode) else _commits_draft(made, done)


def _commits_draft(made: Commit, draft: Draft) -> bool:
    """Whether a commit's message and a draft have a subject in common; for a plain change one term is enough."""
    closeness = relates(made.message, f"{draft.title} {draft.text}").closeness
    return closeness >= (Closeness.MENTIONED if kind_of(made) == CHANGE else Closeness.SAME_SUBJECT)


def _commits_repair(made: Commit, event: SessionEvent, episode: Episode) -> bool:
    """Whether a commit is the repair of an episode. Only fixes and plain changes can be.

    A fix is if it was made in a turn in which the episode passed; else it has to mention it. A plain change has to have
    the same subject.
    """
    kind = kind_of(made)
    if kind not in ("bugfix", CHANGE):
        return False
    is_in_turn = kind == "bugfix" and event.turn in {passed.turn for passed in episode.passes}
    if event in episode.passes or is_in_turn:
        return True
    steps = described(episode.steps(episode.attempts[-1]))
    told = " ".join([episode.signature, steps, *(cause.text for cause in episode.causes)])
    needed = Closeness.MENTIONED if kind == "bugfix" else Closeness.SAME_SUBJECT
    return relates(made.message, told).closeness >= needed
