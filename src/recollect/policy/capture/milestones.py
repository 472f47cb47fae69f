"""What is reached in a session: configuration changed, something committed, something released."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from recollect.model.session_event import SessionEvent
from recollect.model.stop_words import COMMON_WORDS, STOP_WORDS
from recollect.policy.capture.draft import Draft, title
from recollect.policy.capture.episodes import STEP_CHARS, Episode, shown
from recollect.policy.shell.commands import Act, Commit

CHANGE, COMMIT, RELEASE = "change", "commit", "release"
RULES = (CHANGE, COMMIT, RELEASE)
SHARED = 2

# Files that say how a project is built, run and checked: by name, by ending, by folder.
_NAMES = (
    r"package\.json|MODULE\.bazel|pyproject\.toml|requirements[\w.-]*\.(?:txt|in)|setup\.(?:cfg|py)|rust-toolchain\S*"
    r"|go\.mod|Gemfile|composer\.json"
    r"|libs\.versions\.toml|CMakePresets\.json|Dockerfile[\w.-]*|(?:docker-)?compose[\w.-]*\.ya?ml"
    r"|Makefile|justfile|\.?env(?:\.[\w.-]+)?"
    r"|\.envrc|\.tool-versions|\.nvmrc|\.npmrc|\.pre-commit-config\.yaml|\.gitlab-ci\.yml|\.travis\.yml"
    r"|Jenkinsfile|Procfile|pom\.xml"
    r"|\.?(?:eslint|prettier|babel|stylelint|commitlint|renovate|dependabot)[\w.]*"
    r"|[\w.-]+\.config\.[cm]?[jt]s|tsconfig[\w.-]*\.json"
    r"|(?:application|values)[\w.-]*\.ya?ml|appsettings[\w.]*\.json|mix\.exs|nginx[\w.-]*|Chart\.yaml"
    r"|kustomization\.ya?ml|mkdocs\.yml"
    r"|settings(?:/\w+)?\.py|\.editorconfig|\.gitignore|\.dockerignore|vercel\.json|wp-config\.php"
    r"|turbo\.json|nx\.json|angular\.json"
)  # fmt: skip
_ENDINGS = [
    "cfg", "conf", "ini", "properties", "csproj", "props", "service", "timer", "sln", "prisma", "nix", "toml",
    "plist", "gradle", "kts",
]  # fmt: skip
_FOLDERS = [
    "config", "configs", "conf", "settings", "deploy", "k8s", "helm", "manifests", "defaults", "group_vars",
    "host_vars", "vars", "terraform", "infra", "charts", "values", "environments", "envs", "workflows", "actions",
    ".circleci", "ProjectSettings",
]  # fmt: skip
_CONFIGURING = re.compile(
    rf"(?:^|/)(?:{_NAMES}|[\w.-]+\.(?:{'|'.join(_ENDINGS)})|(?:{'|'.join(_FOLDERS)})/(?:.+/)?[\w.-]+\.(?:ya?ml|json|toml|py|rb|exs?|env|asset))$"
)
# A ticket, or the part of the project that a commit is about, in front of what it says.
_LABEL = re.compile(r"^(?:[\w./-]{1,20}-\d+[:\s]+|[\w./-]{1,30}: )+")
_FIXES = re.compile(r"(?<!: )\bfix(?:es|ed)?\b(?!:)", re.IGNORECASE)
_PROVISIONAL = re.compile(
    r"^(?:(?:wip|tmp|temp)\b(?! files?)|(?:save|checkpoint|snapshot)\W*$|fixup!|squash!|\W*$)", re.IGNORECASE
)
_PREFIX = re.compile(r"^(?:feat|fix|refactor|perf|chore|build|ci|docs|test|style)(?:\([^)]*\))?!?:\s*")
# How commits begin, by kind; what begins otherwise is a change.
_BEGINNINGS = {
    "change": "chore build ci docs test style perf deps bump pin upgrade update",
    "bugfix": "fix fixes fixed hotfix bugfix bug revert correct repair resolve handle prevent avoid",
    "feature": "feat feature add adds added implement introduce support allow enable create offer show let",
    "refactor": "refactor cleanup extract rename move split simplify clean inline restructure reorganize dedupe use "
                "replace pull drop remove merge",
}  # fmt: skip
_WORDS = re.compile(r"[a-z][a-z0-9_.-]{2,}|\d+(?:\.\d+)+|\d{3,}|\d+[a-z]+")
_COMPOUND = re.compile(r"[a-z][\d_-][a-z\d]")
_COMMON = frozenset(["decide", "decided", "edit", "repo"])  # besides those that are common everywhere


def is_configuring(event: SessionEvent, acts: Sequence[Act] = ()) -> bool:
    """Whether an edit, by a tool or by `sed`, changes how the project is built, run or checked."""
    edited = [target for act in acts if act.family == "sed" for target in act.targets]
    return any(_CONFIGURING.search(path) for path in [*event.files_modified, *edited])


@lru_cache(maxsize=2_048)  # a story is told again with every turn
def terms(said: str) -> frozenset[str]:
    """The words that tell what something is about."""
    return frozenset(word.strip(".-_") for word in _WORDS.findall(said.lower())) - _COMMON - STOP_WORDS - COMMON_WORDS


def change(changed: Sequence[SessionEvent], cause: str) -> Draft:
    """What was changed in a turn, and why if that was said."""
    first = changed[0]
    named = first.about if first.doing == "shell" else f"Changed {', '.join(first.files_modified)}"
    lines = [*([cause] if cause else []), *map(shown, changed)]
    files = dict.fromkeys(path for one in changed for path in one.files_modified)
    draft = Draft("change", title(named), "\n".join(lines), (), rule=CHANGE, files=tuple(files), at=first.at)
    return draft.joined(*changed)


def going_on(before: Draft, changed: Sequence[SessionEvent], asked: Draft | None) -> Draft:
    """A change with more of it, and what it was asked for with."""
    lines = [*before.text.split("\n"), *([asked.text] if asked else []), *map(shown, changed)]
    files = dict.fromkeys([*before.files, *(path for one in changed for path in one.files_modified)])
    return replace(before, text="\n".join(dict.fromkeys(lines)), files=tuple(files)).backed(asked)


def is_about(one: Draft, changed: Iterable[SessionEvent]) -> bool:
    """Whether changes go on with an earlier one: words in common, or one that is no everyday word."""
    if one.rule != CHANGE:
        return False
    later = terms(" ".join(f"{event.about} {' '.join(event.files_modified)}" for event in changed))
    common = terms(one.text) & later
    return len(common) >= SHARED or any(map(_COMPOUND.search, common))


def release(event: SessionEvent) -> Draft:
    """A version that went out."""
    text = f"Ran `{event.about}`\n{event.detail[:STEP_CHARS]}".strip()
    return Draft("change", title(f"Released: {event.about}"), text, (event.key,), rule=RELEASE, at=event.at)


def commit(event: SessionEvent, made: Commit) -> Draft:
    """A commit, in its own words."""
    number = f" ({made.number})" if made.number else ""
    named = title(_PREFIX.sub("", made.title) or made.title)
    text = f"Committed{number}: {made.message}"
    return Draft(kind_of(made), named, text, (event.key,), rule=COMMIT, files=event.files_modified, at=event.at)


def kind_of(made: Commit) -> str:
    """What a commit is, by how its message begins."""
    for said in (made.title, _LABEL.sub("", made.title)):
        first = re.match(r"[a-z]+", said.lower())
        kind = next((kind for kind, words in _BEGINNINGS.items() if first and first[0] in words.split()), "")
        if kind:
            return kind
    return "bugfix" if _FIXES.search(made.title) else CHANGE


def is_provisional(made: Commit) -> bool:
    """Whether a commit only puts work away for a while."""
    return bool(_PROVISIONAL.match(made.title))


def belongs(made: Commit, one: Draft | Episode, event: SessionEvent) -> bool:
    """Whether a commit only commits a repair, or a change of configuration, that is known already."""
    kind = kind_of(made)
    if isinstance(one, Draft):
        common = len(terms(made.message) & terms(f"{one.title} {one.text}"))
        return common >= SHARED or (kind == CHANGE and common > 0)
    said = [one.signature, *(shown(step) for step in one.steps(one.attempts[-1])), *(cause for _, cause in one.causes)]
    common = len(terms(made.message) & terms(" ".join(said)))
    if event in one.passes:
        return kind in ("bugfix", CHANGE)
    if kind == "bugfix" and event.turn in {passed.turn for passed in one.passes}:
        return True
    return common >= (1 if kind == "bugfix" else SHARED) and kind in ("bugfix", CHANGE)
