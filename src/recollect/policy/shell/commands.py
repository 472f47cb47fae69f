"""What a shell command does: look around, check something, change something, or reach a milestone."""

import re
import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, get_args

from recollect.policy.shell.command_table import (
    ALIKE,
    BEFORE,
    INTERPRETERS,
    PACKAGE_RUNNERS,
    PLAIN,
    ROWS,
    RUNNING,
    SHELLS,
    SHOWING,
    TASK_RUNNERS,
    VALUED,
    WITH_VERBS,
)

Does = Literal["look", "check", "step", "change", "release", "commit"]
ORDER: tuple[Does, ...] = get_args(Does)
NESTED, COMMAND_CHARS = 2, 4_000
VERB_WORDS = 3
_SEALS = {ord(sign): code for code, sign in enumerate(";|&\n", 0xE000)}
_OPENS = {code: sign for sign, code in _SEALS.items()}
_SPLIT = re.compile(r"&&|\|\||;|\n")
_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"")
_HEREDOC = re.compile(r"<<-?\s?['\"]?(\w++)['\"]?[^\n]*\n(.*?)\n[ \t]*\1\b", re.DOTALL)
_ASSIGNED = re.compile(r"^\w+=")
_WRITTEN = re.compile(r">{1,2}\s?(?!/dev/|&)|>{1,2}$")  # a file that a command's output goes into
_FLAG = re.compile(r"--\w|-(?!(\w)\1+$)[a-z]{4}")  # one that is spelt out
_REDIRECTED = re.compile(r"^\d?[<>]|^&|^>")
_MESSAGE = re.compile(r"\s(?:-[a-zA-Z]{0,3}m|--message)[ =]?(\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^\s\"']\S*)")
_COMMITTED = re.compile(r"^\[[^\]\n]*?\b([0-9a-f]{6,40})\] (.+)$", re.MULTILINE)
_LOGGED = re.compile(r"^([0-9a-f]{7,40}) (?:\([^)\n]*\) )?(.+)$", re.MULTILINE)
_ASKING = re.compile(r"^\s*(?:select|show|explain|describe|with)\b|^\\d", re.IGNORECASE)
_READING_TOOL = re.compile(
    r"(?:^|_)(?:get|list|read|search|fetch|find|query|view|show|describe|watch)(?:_|$)", re.IGNORECASE
)
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|\W+")
_RUNNING_TOOL = re.compile(
    r"(?:^|_)(?:run|test|tests|compile|build|check|lint|exec|execute|deploy|validate|typecheck|play)(?:_|$)",
    re.IGNORECASE,
)
_DEFINING = re.compile(
    r"\b(?:alter|create|drop)\s+(?:table|index|extension|role|user|database|view|type)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Act:
    """One command of a line: what it does, which program it runs, on what, and in which way."""

    does: Does
    family: str
    targets: frozenset[str]
    how: frozenset[str] = frozenset()
    """What is put around it or switched on: `X=1`, `sudo`, `--no-deps`."""


@dataclass(frozen=True, slots=True)
class Commit:
    """What a commit says of itself."""

    message: str
    number: str = ""

    @property
    def title(self) -> str:
        """The first line."""
        return self.message.strip().partition("\n")[0].strip()


@lru_cache(maxsize=4_096)
def read(command: str, depth: int = 0) -> tuple[Act, ...]:
    """The commands of a line, each with what it does; what a pipe is filtered through is left out."""
    acts: list[Act] = []
    bare = _HEREDOC.sub(" ", command[:COMMAND_CHARS])
    for part in _SPLIT.split(_QUOTED.sub(lambda quoted: quoted.group().translate(_SEALS), bare)):
        words, around = _meant(_words(part.partition("|")[0].translate(_OPENS).strip(" \t()")))
        if words and words[0] in SHELLS and len(words[-1].split()) > 1 and depth < NESTED:
            acts += [replace(act, how=act.how | _how(around)) for act in read(words[-1], depth + 1)]
        elif words and words[0] in SHELLS and depth < NESTED:
            acts += [_act(*_meant(list(words[2:])))] if len(words) > 2 else []
        elif words:
            acts.append(_act(words, around))
    return tuple(act for act in acts if act.family)


def _words(said: str) -> list[str]:
    try:
        return shlex.split(said)
    except ValueError:
        return said.split()


def _meant(words: list[str]) -> tuple[list[str], list[str]]:
    """The words from the program on that is meant; and what sets it up, or only runs it."""
    around: list[str] = []
    while words:
        program = words[0].rpartition("/")[2]
        around.append(words[0] if _ASSIGNED.match(words[0]) else program)
        if _ASSIGNED.match(words[0]):
            words = words[1:]
        elif program in BEFORE:
            words = _without_flags(words[1:])[BEFORE[program] :]
        elif program in RUNNING and len(words) > 1 and words[1] in RUNNING[program]:
            words = _without_flags(words[2:])
        elif program in PACKAGE_RUNNERS and len(words) > 1 and words[1] in TASK_RUNNERS:
            words = words[1:]
        elif program in INTERPRETERS and len(words) > 2 and words[1] == "-m":
            words = words[2:]
        elif program in INTERPRETERS and len(words) > 1 and words[1].rpartition("/")[2] in ("manage.py", "artisan"):
            words = words[1:]
        elif program in ("docker", "docker-compose") and {"exec", "run"} & set(words[1:3]):
            at = next(place for place, word in enumerate(words) if word in ("exec", "run"))
            words = _without_flags(words[at + 1 :], VALUED[program])[1:]
        elif program in ("for", "done", "fi", "esac", "else", "case"):
            return [], []
        else:
            return words, around[:-1]
    return words, around


def _without_flags(words: list[str], valued: Collection[str] = ()) -> list[str]:
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in valued else words[1:]
    return words


def _act(words: Sequence[str], around: Sequence[str] = ()) -> Act:
    if not words:
        return Act("look", "", frozenset())
    program, rest = words[0].rpartition("/")[2], list(words[1:])
    given = {at + 1 for at, word in enumerate(rest) if word in VALUED.get(program, ())}
    bare = [word for at, word in enumerate(rest) if at not in given]
    verbs = [word for word in bare if word[:1] not in "-+" and not _REDIRECTED.match(word)]
    family, targets = _family(program, [part for verb in verbs for part in verb.split(",")])
    flags = [word for word in rest if _FLAG.match(word) and word.partition("=")[0].lstrip("-") not in SHOWING]
    does = _does(program, verbs, rest)
    does = "step" if does == "look" and any(map(_WRITTEN.match, rest)) else does
    return Act(does, family, frozenset(targets), _how(around) | frozenset(flags))


def _how(around: Sequence[str]) -> frozenset[str]:
    return frozenset(word for word in around if word not in PLAIN)


def _family(program: str, verbs: list[str]) -> tuple[str, list[str]]:
    """What is run, by a name that is the same for its many spellings; and what it is run on."""
    program = ALIKE.get(program, program)
    if program in PACKAGE_RUNNERS or program in TASK_RUNNERS:
        told = [verb for verb in verbs if verb != "run"]
        family = f"js {told[0]}" if told else f"js {program}"
        return ALIKE.get(family, family), told[1:]
    if program in INTERPRETERS and verbs:
        return verbs[0].rpartition("/")[2], verbs[1:]
    if program in WITH_VERBS and verbs:
        return f"{program} {verbs[0]}", verbs[1:]
    return program, verbs


_TABLE = [
    (frozenset(programs.split()), [verb.split("/") for verb in verbs.split()], does) for programs, verbs, does in ROWS
]


def _does(program: str, verbs: list[str], rest: list[str]) -> Does:
    if program == "git" and "commit" in verbs[:VERB_WORDS]:
        return "commit"
    if rest == ["version"] or (rest and rest[-1] in ("--version", "-version", "-V", "--help", "-h")):
        return "look"
    if program in _ASKED:
        return _ASKED[program](verbs, rest)
    for programs, wanted, does in _TABLE:
        if program in programs and (not wanted or any(_is_said(one, verbs, rest) for one in wanted)):
            return does  # type: ignore[return-value]
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


# Programs of which a flag, or what they are given, tells what they do.
_ASKED = {
    "psql": _of_sql, "mysql": _of_sql, "sqlite3": _of_sql, "curl": _of_curl, "ansible-playbook": _of_playbook,
    "aws": _of_aws,
}  # fmt: skip


def _is_said(wanted: list[str], verbs: list[str], rest: list[str]) -> bool:
    *firsts, last = wanted
    needs_more, last = last.endswith("+"), last.rstrip("+")
    if last.startswith("-"):
        return last in rest and firsts == verbs[: len(firsts)]
    path = [*firsts, last]
    for at in range(min(VERB_WORDS, len(verbs))):
        if verbs[at : at + len(path)] == path:
            more = [word for word in verbs[at + len(path) :] if word not in (".", "./")]
            return bool(more) and not {"-r", "-e", "-l", "--list"} & set(rest) if needs_more else True
    return False


def does(acts: Sequence[Act]) -> Does:
    """What a line does as a whole: the most that one of its commands does."""
    return max((act.does for act in acts), key=ORDER.index, default="look")


def is_running(tool: str) -> bool:
    """Whether a tool that is no shell runs something, by its name: it compiles, tests, deploys, and does not read."""
    name = _HUMP.sub("_", tool)
    return bool(_RUNNING_TOOL.search(name)) and not _READING_TOOL.search(name)


def is_same(one: Sequence[Act], other: Sequence[Act]) -> bool:
    """Whether two lines run the same thing: the same program, on the same targets or on all."""
    checked = [act for act in one if act.does != "look"]
    again = [act for act in other if act.does != "look"]
    return any(_is_same(act, later) for act in checked for later in again)


def is_otherwise(one: Sequence[Act], other: Sequence[Act]) -> bool:
    """Whether a line runs the same thing on the same targets in another way: with more around it, or switched on."""
    pairs = ((act, later) for act in one for later in other if act.does != "look" and _is_same(act, later))
    return any(later.how - act.how and (not act.targets or act.targets == later.targets) for act, later in pairs)


def _is_same(act: Act, later: Act) -> bool:
    if act.family != later.family:
        return False
    if act.does == "commit":
        return True
    if not act.targets or not later.targets or act.targets & later.targets:
        return True
    return any(_covers(one, two) or _covers(two, one) for one in act.targets for two in later.targets)


def _covers(one: str, two: str) -> bool:
    """Whether a folder, or a file, is around something else: `tests`, `tests/api.py`, `tests/api.py::test_one`."""
    return two.startswith((one.rstrip("/.") + "/", one + "::")) or one in (".", "./...")


def commit(command: str, output: str) -> Commit | None:
    """The commit that a line made, by what it was told and by what git answered."""
    if does(read(command)) != "commit" or ("--amend" in command and "--no-edit" in command):
        return None
    told = _COMMITTED.search(output) or _LOGGED.search(output)
    heredoc = _HEREDOC.search(command)
    given = [found.strip("\"'") for found in _MESSAGE.findall(command)]
    message = heredoc[2] if heredoc else "\n\n".join(given)
    return Commit((message or (told[2] if told else "")).strip(), told[1] if told else "")
