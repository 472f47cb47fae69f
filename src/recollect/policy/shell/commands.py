"""Read what a shell command does: look around, check, step, change, release or commit (`Does`).

`command_table` says what which program does; here a line is split into commands, and what only runs them is taken off.
"""

import re
import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from recollect.policy.shell.command_table import (
    ALIKE,
    BEFORE,
    INTERPRETERS,
    NEEDS_VERB,
    PACKAGE_RUNNERS,
    PLAIN,
    ROWS,
    RUNNING,
    SHELLS,
    SHOWING,
    STYLE,
    TASK_PROGRAMS,
    TASK_RUNNERS,
    VALUED,
    WITH_VERBS,
)

Does = Literal["look", "check", "step", "change", "release", "commit"]
ORDER: tuple[Does, ...] = get_args(Does)
"""What a command can do, the least first."""
NESTED, COMMAND_CHARS = 2, 4_000
VERB_WORDS = 3
"""A verb is looked for among so many words behind the program."""
# Separators inside quotes are replaced by private-use characters while a line is split at the others.
_SEALS = {ord(sign): code for code, sign in enumerate(";|&\n", 0xE000)}
_OPENS = {code: sign for sign, code in _SEALS.items()}
_SPLIT = re.compile(r"&&|\|\||;|\n")
_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"")
HEREDOC = re.compile(r"<<-?\s?['\"]?(\w++)['\"]?[^\n]*\n(.*?)\n[ \t]*\1\b", re.DOTALL)
_ASSIGNED = re.compile(r"^\w+=")  # CI=1
_WRITTEN = re.compile(r">{1,2}\s?(?!/dev/|&)|>{1,2}$")  # > out.txt, not 2>/dev/null
_FLAG = re.compile(r"--\w|-(?!(\w)\1+$)[a-z]{4}")  # spelt out: --no-deps, -race; not -vvvv
_REDIRECTED = re.compile(r"^\d?[<>]|^&|^>")  # 2>&1
_ASKING = re.compile(r"^\s*(?:select|show|explain|describe|with)\b|^\\d", re.IGNORECASE)  # SQL that only reads
_DEFINING = re.compile(  # SQL that changes the schema
    r"\b(?:alter|create|drop)\s+(?:table|index|extension|role|user|database|view|type)\b", re.IGNORECASE
)
_READING_TOOL = re.compile(
    r"(?:^|_)(?:get|list|read|search|fetch|find|query|view|show|describe|watch)(?:_|$)", re.IGNORECASE
)
_RUNNING_TOOL = re.compile(
    r"(?:^|_)(?:run|test|tests|compile|build|check|lint|exec|execute|deploy|validate|typecheck|play)(?:_|$)",
    re.IGNORECASE,
)
# What a task checks, by a word of its name: test:ci, lint-go, typecheck.
_CHECKING_TASK = re.compile(
    r"(?:^|[:_./-])(?:tests?|spec|specs|check|checks|lint|build|ci|e2e|unit|integration|typecheck|types|verify|vet|fmt"
    r"|format|compile|coverage|qa)(?:$|[:_./-])",
    re.IGNORECASE,
)
_STYLE_TASK = re.compile(r"(?:^|[:_./-])(?:lint\w*|fmt|format\w*|style|prettier|eslint)(?:$|[:_./-])", re.IGNORECASE)
# The command that a task runner prints before it runs it: "[test:ci] $ go test ./...", "$ jest", "> vitest run".
_ECHOED = re.compile(r"^(?:\[[^\]\n]{1,60}\] )?[$>] (?!\S+@\d)(\S[^\n]{0,300})$", re.MULTILINE)
MOST_ECHOED = 5
# Flags that choose what is built or tested: without them, less is run.
_SELECTING = re.compile(r"--?(?:tags|features|target|project|profile)\b")
_CUT_SHORT = "\u2026"
_WORD_BORDER = re.compile(r"(?<=[a-z])(?=[A-Z])|\W+")
_SHELL_KEYWORDS = ("for", "done", "fi", "esac", "else", "case")
_ENTRY_SCRIPTS = ("manage.py", "artisan")
_CONTAINER_TOOLS, _CONTAINER_VERBS = ("docker", "docker-compose"), ("exec", "run")
_SHOWS_ITSELF = ("--version", "-version", "-V", "--help", "-h")


@dataclass(frozen=True, slots=True)
class Act:
    """One command of a line: what it does, which program it runs (by a common name), on what, and in which way."""

    does: Does
    family: str
    targets: frozenset[str]
    how: frozenset[str] = frozenset()
    """What is put around it or switched on: `X=1`, `sudo`, `--no-deps`."""


class _Invocation(NamedTuple):
    """The words of a command from its program on, and what stands around it: `X=1`, `sudo`, `npx`."""

    words: list[str]
    around: list[str]


@lru_cache(maxsize=4_096)
def read(command: str, depth: int = 0) -> tuple[Act, ...]:
    """Return the commands of a line, each with what it does; what a pipe is filtered through is left out."""
    acts: list[Act] = []
    bare = HEREDOC.sub(" ", command[:COMMAND_CHARS])
    for part in _SPLIT.split(_QUOTED.sub(lambda quoted: quoted.group().translate(_SEALS), bare)):
        invocation = _unwrapped(_words(part.partition("|")[0].translate(_OPENS).strip(" \t()")))
        acts += _acts(invocation, depth)
    return tuple(act for act in acts if act.family)


def _acts(invocation: _Invocation, depth: int) -> list[Act]:
    """Return the acts of one command; those of the command that a shell is given (`bash -c "…"`)."""
    words, around = invocation
    if not words:
        return []
    if words[0] in SHELLS and depth < NESTED:
        if len(words[-1].split()) > 1:
            return [replace(act, how=act.how | _how(around)) for act in read(words[-1], depth + 1)]
        return [_act(_unwrapped(list(words[2:])))] if len(words) > 2 else []
    return [_act(invocation)]


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return command.split()


def _unwrapped(words: list[str]) -> _Invocation:
    """Return the invocation of the program that is meant, without what sets it up or only runs it."""
    around: list[str] = []
    while words:
        program = words[0].rpartition("/")[2]
        if program in _SHELL_KEYWORDS and not _ASSIGNED.match(words[0]):
            return _Invocation([], [])
        inner = _inner(program, words)
        if inner is None:
            return _Invocation(words, around)
        around.append(words[0] if _ASSIGNED.match(words[0]) else program)
        words = inner
    return _Invocation(words, around)


def _inner(program: str, words: list[str]) -> list[str] | None:
    """Return the words of the command that a program only runs; None if the program itself is meant."""
    unwrapped = (unwrap(program, words) for unwrap in _WRAPPERS)
    return next((inner for inner in unwrapped if inner is not None), None)


def _in_prefix(program: str, words: list[str]) -> list[str] | None:
    """`CI=1 npm test`, `sudo -E npm test`."""
    if _ASSIGNED.match(words[0]):
        return words[1:]
    return _without_flags(words[1:])[BEFORE[program] :] if program in BEFORE else None


def _in_runner(program: str, words: list[str]) -> list[str] | None:
    """`uv run pytest`, `pnpm turbo test`."""
    following = words[1] if len(words) > 1 else ""
    if following in RUNNING.get(program, ()):
        return _without_flags(words[2:])
    return words[1:] if program in PACKAGE_RUNNERS and following in TASK_RUNNERS else None


def _in_interpreter(program: str, words: list[str]) -> list[str] | None:
    """`python -m pytest`, `python manage.py test`."""
    if program not in INTERPRETERS or len(words) < 2:
        return None
    if words[1] == "-m" and len(words) > 2:
        return words[2:]
    return words[1:] if words[1].rpartition("/")[2] in _ENTRY_SCRIPTS else None


def _in_container(program: str, words: list[str]) -> list[str] | None:
    """`docker compose exec -T web pytest`."""
    if program not in _CONTAINER_TOOLS or not set(_CONTAINER_VERBS) & set(words[1:3]):
        return None
    at = next(place for place, word in enumerate(words) if word in _CONTAINER_VERBS)
    return _without_flags(words[at + 1 :], VALUED[program])[1:]


_WRAPPERS = (_in_prefix, _in_runner, _in_interpreter, _in_container)


def _without_flags(words: list[str], valued: Collection[str] = ()) -> list[str]:
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in valued else words[1:]
    return words


def _act(invocation: _Invocation) -> Act:
    words, around = invocation
    if not words:
        return Act("look", "", frozenset())
    program, rest = words[0].rpartition("/")[2], list(words[1:])
    values = {place + 1 for place, word in enumerate(rest) if word in VALUED.get(program, ())}
    bare = [word for place, word in enumerate(rest) if place not in values]
    verbs = [word for word in bare if word[:1] not in "-+" and not _REDIRECTED.match(word)]
    family, targets = _family(program, [part for verb in verbs for part in verb.split(",")])
    flags = [word for word in rest if _FLAG.match(word) and word.partition("=")[0].lstrip("-") not in SHOWING]
    does = _does(program, verbs, rest)
    does = "step" if does == "look" and any(map(_WRITTEN.match, rest)) else does
    return Act(does, family, frozenset(targets), _how(around) | frozenset(flags))


def _how(around: Sequence[str]) -> frozenset[str]:
    return frozenset(word for word in around if word not in PLAIN)


def _task(program: str, verbs: Sequence[str]) -> Sequence[str]:
    """Return the name of the task that a program runs and what follows it; empty if it runs none."""
    before = TASK_PROGRAMS.get(program)
    if before is None or not verbs:
        return ()
    if verbs[0] in before:
        return verbs[1:]
    return () if program in NEEDS_VERB else verbs


def _family(program: str, verbs: list[str]) -> tuple[str, list[str]]:
    """Return what is run, by a name that is the same for its many spellings, and what it is run on."""
    program = ALIKE.get(program, program)
    task = _task(program, verbs)
    if task:
        return f"task {task[0]}", [word for word in task[1:] if word != ":::"]
    if program in PACKAGE_RUNNERS or program in TASK_RUNNERS:
        told = [verb for verb in verbs if verb != "run"]
        family = f"js {told[0]}" if told else f"js {program}"
        return ALIKE.get(family, family), told[1:]
    if program in INTERPRETERS and verbs:
        return verbs[0].rpartition("/")[2], verbs[1:]
    if program in WITH_VERBS and verbs:
        return f"{program} {verbs[0]}", verbs[1:]
    return program, verbs


class _Row(NamedTuple):
    """A row of `command_table.ROWS`, split into words."""

    programs: frozenset[str]
    verbs: list[list[str]]
    does: str


_TABLE = [
    _Row(frozenset(programs.split()), [verb.split("/") for verb in verbs.split()], does)
    for programs, verbs, does in ROWS
]


def _does(program: str, verbs: list[str], rest: list[str]) -> Does:
    """Return what a program does with these verbs and words: by a special rule, else by the first row of the table."""
    if program == "git" and "commit" in verbs[:VERB_WORDS]:
        return "commit"
    if rest == ["version"] or (rest and rest[-1] in _SHOWS_ITSELF):
        return "look"
    if program in _BY_ARGUMENTS:
        return _BY_ARGUMENTS[program](verbs, rest)
    task = _task(program, verbs)
    if task:
        return "check" if _CHECKING_TASK.search(task[0]) else "step"
    for row in _TABLE:
        if program in row.programs and (not row.verbs or any(_is_given(path, verbs, rest) for path in row.verbs)):
            return row.does  # type: ignore[return-value]
    return "check" if program.endswith(("_test", "-test", ".test")) else "step"


def _of_sql(_: list[str], rest: list[str]) -> Does:
    if _DEFINING.search(" ".join(rest)):
        return "change"
    return "look" if any(map(_ASKING.match, rest)) else "step"


def _of_curl(_: list[str], rest: list[str]) -> Does:
    return "step" if {"-X", "-d", "--data", "--data-raw", "--json", "-F"} & set(rest) else "look"


def _of_playbook(_: list[str], rest: list[str]) -> Does:
    return "check" if {"--check", "--syntax-check", "-C", "--list-hosts"} & set(rest) else "change"


def _of_aws(verbs: list[str], _: list[str]) -> Does:
    if len(verbs) < VERB_WORDS - 1 or verbs[1].startswith(("describe", "list", "get", "ls", "tail", "filter", "wait")):
        return "look"
    return "check" if verbs[1].startswith(("invoke", "test", "validate", "simulate")) else "change"


# Programs whose flags or arguments tell what they do.
_BY_ARGUMENTS = {
    "psql": _of_sql, "mysql": _of_sql, "sqlite3": _of_sql, "curl": _of_curl, "ansible-playbook": _of_playbook,
    "aws": _of_aws,
}  # fmt: skip


def _is_given(path: list[str], verbs: list[str], rest: list[str]) -> bool:
    """Whether a command has the verbs of a table's cell: `compose/up`, `push/--tags`, `install+`."""
    *firsts, last = path
    needs_more, last = last.endswith("+"), last.rstrip("+")
    if last.startswith("-"):
        return last in rest and firsts == verbs[: len(firsts)]
    wanted = [*firsts, last]
    for at in range(min(VERB_WORDS, len(verbs))):
        if verbs[at : at + len(wanted)] == wanted:
            more = [word for word in verbs[at + len(wanted) :] if word not in (".", "./")]
            # A list of requirements, or the project itself, is no new dependency.
            return bool(more) and not {"-r", "-e", "-l", "--list"} & set(rest) if needs_more else True
    return False


def ran_inside(acts: Sequence[Act], output: str) -> tuple[Act, ...]:
    """Return what a task runner ran, by the commands that it printed; empty if none of the acts runs a task."""
    if not any(act.family.startswith(("task ", "js ", "make ")) for act in acts):
        return ()
    echoed = [found[1] for found in _ECHOED.finditer(output)][:MOST_ECHOED]
    inner = [act for command in echoed for act in read(command) if act.does == "check"]
    return tuple(
        replace(act, targets=_whole(act.targets), how=frozenset(filter(_SELECTING.match, act.how))) for act in inner
    )


def _whole(words: Collection[str]) -> frozenset[str]:
    """Return words without those that the task runner cut short."""
    return frozenset(word for word in words if not word.endswith(_CUT_SHORT))


def is_style(act: Act) -> bool:
    """Whether a command only checks style or types: a linter or formatter, or a task that is named after one."""
    return act.family in STYLE or (act.family.startswith(("task ", "js ", "make ")) and _is_style_task(act.family))


def _is_style_task(family: str) -> bool:
    return bool(_STYLE_TASK.search(family.partition(" ")[2]))


def does(acts: Sequence[Act]) -> Does:
    """Return what a line does as a whole: the most that one of its commands does; `look` if there are none."""
    return max((act.does for act in acts), key=ORDER.index, default="look")


def is_running(tool: str) -> bool:
    """Whether a tool that is no shell runs something, by its name: it compiles, tests, deploys, and does not read."""
    name = _WORD_BORDER.sub("_", tool)
    return bool(_RUNNING_TOOL.search(name)) and not _READING_TOOL.search(name)


def is_same(before: Sequence[Act], later: Sequence[Act]) -> bool:
    """Whether two lines run the same thing: the same program, on common targets or on all."""
    return bool(_same_pairs(before, [act for act in later if act.does != "look"]))


def is_otherwise(before: Sequence[Act], later: Sequence[Act]) -> bool:
    """Whether a line runs the same thing on the same targets in another way: with more around it, or switched on."""
    return any(
        again.how - act.how and (not act.targets or act.targets == again.targets)
        for act, again in _same_pairs(before, later)
    )


def _same_pairs(before: Sequence[Act], later: Sequence[Act]) -> list[tuple[Act, Act]]:
    """Return the acts of two lines that run the same thing; looking around does not count."""
    done = [act for act in before if act.does != "look"]
    return [(act, again) for act in done for again in later if _is_same(act, again)]


def _is_same(act: Act, later: Act) -> bool:
    if act.family != later.family:
        return False
    if act.does == "commit":
        return True
    if any(_SELECTING.match(flag) for flag in act.how - later.how):
        return False
    if not act.targets or not later.targets or act.targets & later.targets:
        return True
    return any(_covers(target, other) or _covers(other, target) for target in act.targets for other in later.targets)


def _covers(outer: str, inner: str) -> bool:
    """Whether a folder or a file holds something else: `tests`, `tests/api.py`, `tests/api.py::test_one`."""
    return inner.startswith((outer.rstrip("/.") + "/", outer + "::")) or outer in (".", "./...")
