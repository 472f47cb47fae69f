"""Real git histories with memories whose verdicts are known, because the history was made for them.

Each repository is in one language and goes through renames, moves, deletions, changed signatures, other versions,
reverted commits and a branch that is not merged. A memory is made of a subject (a file, a function, a parameter, a
command, a version, a branch), of what became of the subject, and of a sentence that somebody might write about it.
Half of the memories are checked before the history goes on, as the worker does it; the others only afterwards.
"""

import os
import random
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

FRESH, MOVED, STALE, UNVERIFIABLE, NONE = "FRESH", "MOVED", "STALE", "UNVERIFIABLE", "-"
TUNED, REPORTED = range(10), range(100, 110)

NOUNS = [
    "invoice",
    "parcel",
    "session",
    "token",
    "cache",
    "ledger",
    "queue",
    "depot",
    "courier",
    "tariff",
    "label",
    "webhook",
    "snapshot",
    "replica",
    "cursor",
    "batch",
    "retry",
    "quota",
    "tenant",
    "manifest",
    "shipment",
    "beacon",
    "digest",
    "fixture",
    "gateway",
    "harvest",
    "journal",
    "kernel",
    "latch",
    "mailbox",
]
VERBS = [
    "load",
    "store",
    "parse",
    "render",
    "merge",
    "split",
    "send",
    "fetch",
    "build",
    "check",
    "close",
    "drain",
    "flush",
    "count",
    "sync",
    "purge",
    "resolve",
    "sign",
]
FOLDERS = ["core", "api", "billing", "routing", "storage", "search", "tracking", "auth", "export", "worker"]
WORDS = ["budget", "limit", "window", "marker", "policy", "handler", "mapper", "reader", "writer", "planner"]


@dataclass(frozen=True)
class Language:
    """How a language writes files, functions and classes."""

    name: str
    ending: str
    top: str
    function: Callable[[str, list[str], str], str]
    kind: Callable[[str, str], str]
    is_camel: bool
    lock: str
    lock_line: str
    packages: tuple[str, ...]


def _python_function(name: str, parameters: list[str], body: str) -> str:
    return f"def {name}({', '.join(parameters)}):\n    {body} = 1\n    return {body}\n\n\n"


def _typescript_function(name: str, parameters: list[str], body: str) -> str:
    typed = ", ".join(f"{parameter}: string" for parameter in parameters)
    return f"export function {name}({typed}): number {{\n  const {body} = 1;\n  return {body};\n}}\n\n"


def _go_function(name: str, parameters: list[str], body: str) -> str:
    typed = ", ".join(f"{parameter} string" for parameter in parameters)
    return f"func {name}({typed}) int {{\n\t{body} := 1\n\treturn {body}\n}}\n\n"


def _java_method(name: str, parameters: list[str], body: str) -> str:
    typed = ", ".join(f"String {parameter}" for parameter in parameters)
    return f"  public static int {name}({typed}) {{\n    int {body} = 1;\n    return {body};\n  }}\n\n"


LANGUAGES = (
    Language("python", "py", "src", _python_function, lambda name, body: f"class {name}:\n    {body} = 0\n\n\n", False,
             "requirements.txt", "{name}=={version}\n", ("pydantic", "httpx", "structlog", "celery")),
    Language("typescript", "ts", "web/src", _typescript_function,
             lambda name, body: f"export class {name} {{\n  {body} = 0;\n}}\n\n", True,
             "package-lock.json", '    "node_modules/{name}": {{\n      "version": "{version}"\n    }},\n',
             ("vite", "react-router", "zod", "@tanstack/query")),
    Language("go", "go", "internal", _go_function,
             lambda name, body: f"type {name} struct {{\n\t{body} int\n}}\n\n", True,
             "go.mod", "require github.com/acme/{name} v{version}\n", ("chi", "pgx", "zerolog", "gocron")),
    Language("java", "java", "app/src/main", _java_method,
             lambda name, body: f"  static class {name} {{\n    int {body};\n  }}\n\n", True,
             "Gemfile.lock", "    {name} ({version})\n", ("rake", "nokogiri", "sinatra", "puma")),
)  # fmt: skip


@dataclass
class Unit:
    """A function with its place and parameters, or a class."""

    name: str
    path: str
    parameters: list[str]
    is_class: bool = False
    body: str = "total"
    code: str = ""
    """Its code, where it is neither a function nor a class."""


@dataclass
class Case:
    """A memory and its true verdict."""

    text: str
    truth: str
    about: str
    """What happened to the subject, for the report of mistakes."""
    files: tuple[str, ...] = ()
    is_checked_before: bool = False
    has_doubt: str = ""
    """A word of the doubt that has to be told; empty where none may be."""
    when: str = "first"
    """`first`, `branch` (learnt on a branch) or `doomed` (learnt with a commit that is reverted)."""
    names_place: str = ""
    """Of MOVED: a part of the reason that has to be there."""


@dataclass
class History:
    """A repository that is made step by step, and the memories about it."""

    root: Path
    language: Language
    chance: random.Random
    is_reported: bool
    units: list[Unit] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    commits: int = 0
    tasks: list[str] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)
    at_first: list[Callable[[], None]] = field(default_factory=list)
    """What happens before the first memory."""
    at_last: list[Callable[[], object]] = field(default_factory=list)
    """What happens in the end, without a commit."""
    branch_units: list[str] = field(default_factory=list)
    """Functions that are only on a branch."""
    merged_units: list[str] = field(default_factory=list)
    """Functions of a branch that is merged."""
    doomed: list[tuple[str, str]] = field(default_factory=list)
    """Functions and files of the commit that is reverted."""

    # -- git ----------------------------------------------------------------------------------------------------

    def git(self, *command: str) -> str:
        who = {
            f"GIT_{role}_{what}": "tester@example.invalid"
            for role in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        }
        self.commits += 1
        when = f"2026-02-{1 + self.commits // 1_000:02}T10:{self.commits // 60 % 60:02}:{self.commits % 60:02}Z"
        env = {"PATH": os.environ["PATH"], "HOME": str(self.root.parent), "GIT_CONFIG_NOSYSTEM": "1", **who,
               "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}  # fmt: skip
        done = subprocess.run(["git", *command], cwd=self.root, env=env, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    # -- names --------------------------------------------------------------------------------------------------

    def new(self, make: Callable[[], str]) -> str:
        for _ in range(500):
            name = make()
            if name.lower() not in self.used:
                self.used.add(name.lower())
                return name
        raise AssertionError("no name is left")

    def function_name(self) -> str:
        parts = [
            self.chance.choice(VERBS),
            self.chance.choice(NOUNS),
            *self.chance.sample(WORDS, self.chance.randint(0, 1)),
        ]
        if self.language.is_camel:
            first = parts[0].capitalize() if self.language.name == "go" else parts[0]
            return first + "".join(part.capitalize() for part in parts[1:])
        return "_".join(parts)

    def class_name(self) -> str:
        return self.chance.choice(NOUNS).capitalize() + self.chance.choice(WORDS).capitalize()

    def file_name(self) -> str:
        stem = self.new(
            lambda: "_".join([self.chance.choice(NOUNS), *self.chance.sample(WORDS, self.chance.randint(0, 2))])
        )
        return f"{self.language.top}/{self.chance.choice(FOLDERS)}/{stem}.{self.language.ending}"

    def parameter_names(self) -> list[str]:
        return self.chance.sample(
            ["host_name", "timeoutMs", "batch_size", "dryRun", "max_depth", "region", "locale"], 3
        )

    # -- files --------------------------------------------------------------------------------------------------

    def file_with(self, functions: int = 2) -> tuple[str, list[Unit]]:
        """Add a file with some functions and a class; return its path and what is in it."""
        path = self.new(self.file_name)
        made = [
            Unit(self.new(self.function_name), path, self.parameter_names(), body=self.chance.choice(NOUNS))
            for _ in range(functions)
        ]
        made.append(Unit(self.new(self.class_name), path, [], is_class=True, body=self.chance.choice(NOUNS)))
        self.units += made
        self.write(path)
        return path, made

    def write(self, path: str) -> None:
        """Write a file from its units, with a beginning of its own so that files are not alike."""
        place = self.root / path
        inside = [unit for unit in self.units if unit.path == path]
        if not inside:
            place.unlink(missing_ok=True)
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        stem = "".join(sign for sign in path if sign.isalpha())
        sign = "#" if self.language.name == "python" else "//"
        filler = "".join(f"{sign} {stem} {number} {self.used_words(stem, number)}\n" for number in range(12))
        code = "".join(
            unit.code or self.language.kind(unit.name, unit.body) if unit.code or unit.is_class
            else self.language.function(unit.name, unit.parameters, unit.body) for unit in inside
        )  # fmt: skip
        place.write_text(filler + code, "utf-8")

    @staticmethod
    def used_words(stem: str, number: int) -> str:
        return " ".join(random.Random(f"{stem}{number}").sample(NOUNS, 4))

    def move_file(self, old: str, new: str) -> None:
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        self.git("mv", old, new)
        for unit in self.units:
            if unit.path == old:
                unit.path = new

    def write_settings(self) -> None:
        """Write what defines commands and versions."""
        lines = "".join(
            self.language.lock_line.format(name=name, version=version) for name, version in self.versions.items()
        )
        body = (
            f'{{\n  "packages": {{\n{lines.rstrip().rstrip(",")}\n  }}\n}}\n'
            if self.language.name == "typescript"
            else lines
        )
        (self.root / self.language.lock).write_text(body, "utf-8")
        if self.language.name == "typescript":
            listed = ",\n".join(f'    "{task}": "vite-node {task}"' for task in self.tasks)
            (self.root / "package.json").write_text(
                f'{{\n  "name": "x",\n  "scripts": {{\n{listed}\n  }}\n}}\n', "utf-8"
            )
        else:
            (self.root / "Makefile").write_text("".join(f"{task}:\n\t@echo {task}\n" for task in self.tasks), "utf-8")

    def drop(self, unit: Unit) -> None:
        self.units.remove(unit)
        self.write(unit.path)

    # -- sentences ----------------------------------------------------------------------------------------------

    def say(self, forms: "Forms", **names: str) -> str:
        shared, held_out = forms
        form = self.chance.choice(held_out if self.is_reported and self.chance.random() < 0.6 else shared)
        return form.format(**names)

    def add(self, text: str, truth: str, about: str, **more: object) -> None:
        case = Case(text, truth, about, **more)  # type: ignore[arg-type]
        case.is_checked_before = self.chance.random() < 0.5
        self.cases.append(case)


Forms = tuple[tuple[str, ...], tuple[str, ...]]
"""Sentences for every seed, and sentences that only the reported seeds use."""
PATH: Forms = (
    (
        "The rate limits are set in {path}",
        "`{path}` holds the mapping between tenants and regions; edit it there, nowhere else.",
        "Keep business rules out of {path}.",
        "{base} must not import the worker, otherwise startup gets a cycle.",
        "Flaky on CI because `{path}:42` reads the clock.",
        "When the export is empty, look at {path} first (it swallows the 404).",
        "We decided to keep the retries in `{base}` and not in the client.",
        "{path}:17: not enough arguments in call",
    ),
    (
        "All feature switches live in ./{path}",
        "I put the constants into {path} rather than in each package.",
        "The integration test fails at `{base}:208` when the port is taken",
        "Fix: {path} has to be loaded before the plugins.",
        "User wants short functions in `{path}`, at most 30 lines",
        "Do not touch {path} without telling the data team!",
    ),
)
SYMBOL: Forms = (
    (
        "`{name}` must be called before the worker starts.",
        "`{name}()` is not safe to call twice in a transaction.",
        "Always go through {name}() when money is involved",
        "The timeout comes from {name}, which reads the settings once.",
        "{name} returns None for an unknown tenant; callers have to check.",
        "We keep `{name}` for partners on the old plan.",
    ),
    (
        "Root cause: {name}() dropped the lock too early",
        "The bug was caused by misunderstanding what `{name}` is for",
        "During testing I found that `{name}()` is called twice per request",
        "Use {name} everywhere; hand-written loops got the order wrong.",
        "Never mock `{name}` in tests.",
    ),
)
WITH_HOME: Forms = (
    (
        "`{name}` in {path} does the rounding.",
        "The rounding happens inside `{path}:{name}()`",
        "{path} defines `{name}`, which every handler goes through.",
        "Call {name}() from `{path}` instead of writing SQL by hand.",
    ),
    (
        "See `{name}` (in `{path}`) for how retries back off",
        "`{name}()` lives in {path}",
        "Retries: `{path}` exports {name}",
    ),
)
PARAMETERS: Forms = (
    (
        "`{name}({first}, {second})` is the only supported form.",
        "Call `{name}({second}={second})` so that the job can be repeated",
        "`{name}({first}, {second}, {third})` blocks until everything is written.",
    ),
    ("The fix was to pass `{second}`: `{name}({first}, {second})`", "`{name}({second})` switches the dry mode on."),
)
COMMAND: Forms = (
    (
        "Run `{runner} {name}` before you open a pull request.",
        "`{runner} {name}` fills a local database; it truncates first.",
        "CI calls `{runner} {name}`, so a change there has to work without a network",
    ),
    ("After a schema change: `{runner} {name}`", "The release is cut by `{runner} {name}`; never by hand."),
)
VERSION: Forms = (
    (
        "We are on {name} {version}; the async client changed there.",
        "{name}=={version} is pinned because of a leak in the pool.",
        "`{name}@{version}` is what production runs.",
        "The plugin works with {name} v{version}.",
    ),
    ("Production has {name} {version}, staging too.", "Stay at {name} {version} until the vendor answers."),
)
AT_LEAST: Forms = (
    ("The decorator needs {name} >= {version}.", "Works since {name} {version}"),
    ("Requires {name} {version} or later.",),
)
PAST: Forms = (
    (
        "Removed `{gone}`; {kept}() does it now.",
        "`{gone}` → `{kept}`",
        "{kept} replaces {gone}.",
        "`{gone}` was renamed to `{kept}`.",
        "Use `{kept}` instead of `{gone}`.",
    ),
    ("{gone}() is gone, call {kept}() where it was used", "We replaced `{gone}` by `{kept}` last spring."),
)
NEVER: Forms = (
    (
        "`{name}` would be a good name for the new helper.",
        "Maybe add {name}() one day.",
        "In the other repository it is called {name}.",
        "The vendor's SDK has `{name}` for this.",
    ),
    ("Somebody proposed `{name}`, nobody built it", "Their service calls {name}() every minute"),
)
METHOD: Forms = (
    (
        "`{owner}.{name}` drops items when the buffer is full.",
        "{owner}.{name}() is called once per request",
        "Do not override `{owner}.{name}()` in subclasses.",
    ),
    ("The crash came from {owner}.{name}, it is not reentrant", "`{owner}.{name}()` already closes the file"),
)
CONSTANT: Forms = (
    (
        "`{name}` is in seconds, not milliseconds.",
        "{name} has to stay below the load balancer's idle timeout",
        "Raise {name} first when the queue backs up.",
    ),
    ("Tests set `{name}` to 0", "The code path ignores {name} on Windows"),
)
CAPITALISED: Forms = (
    ("{Path}:634:64: not enough arguments in call to the exporter", "{Path}:20: failed to get the root"),
    ("{Path}:1467: phase 1 expected 2 sessions, got 0",),
)
LONG: Forms = (
    (
        (
            "How an order gets through:\n\n1. `{a}()` validates it\n2. {b} writes the row\n3. `{path}` is the entry for"
            " retries\n4. finally {c}() tells the customer\n\nAnything else is an error."
        ),
        "Refactoring notes: {a} and {b} share a lock, {c}() does not. The shared part is in {path}, see there.",
    ),
    (
        "- entry: `{path}`\n- then `{a}`, `{b}` (in this order!)\n- and `{c}()` at the end",
        "While debugging the nightly job: {a}() calls {b}() under load; {c} only logs. Start reading in `{path}`.",
    ),
)
PROSE = (
    "The customer wants invoices on Mondays, and/or on the last day of the month.",
    "Prefer short pull requests; two reviewers for anything about money.",
    "Standup is at 9:30, the retro every other Thursday.",
    "TCP/IP basics were explained to the new colleague (see the client/server chapter).",
    "The team agreed: no deploys on Fridays.",
    "GitHub is down more often than our own server, says the 24/7 support.",
    "Write commit messages in English.",
    "We chose Next.js and PostgreSQL in 2024.",
)
