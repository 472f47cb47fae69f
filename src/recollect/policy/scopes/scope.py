"""The scope of a rule: the files, commands and activities that it applies to.

It is computed where rules are compiled (`write/compiled_rules.py`) and not stored: the words of a stored scope would
be searched and shown as a part of the memory, and better tables would not serve older memories. Where a memory's cue
says "applies when: …", a person has decided, and the cue counts alone; other cues are prose, and are read as part of
the rule.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from recollect.policy.scopes import activity
from recollect.policy.scopes.activities import ACTIVITIES, BY_NAME
from recollect.policy.scopes.word_patterns import Pattern, clauses

LEAD = "applies when:"
SCOPED_KINDS = ("preference", "constraint", "runbook")
MOST_ACTIVITIES, MOST_FILES, MOST_COMMANDS = 3, 6, 8
RULE_CHARS = 2_000
"""Only the beginning of a rule is read; what is longer is a document."""
TRIGGERED_WORDS = 6
"""How many words behind "before" or "when" say what a rule is about."""
_TRIGGER = re.compile(
    r"\b(?:before|when|whenever|while|prior to|every time|each time|as soon as|bevor|wenn|vor dem)\b", re.IGNORECASE
)
_CODE = re.compile(r"`([^`\n]{2,80})`")
_GLOB = re.compile(r"(?<![\w*/.])\*[\w.-]{0,40}\.\w{1,10}\b")
_PATH = re.compile(r"(?<![\w/:.@-])(?:\.?[\w@-]{1,40}/){1,8}(?:[\w.*-]{1,60})?(?![\w/:])")
_FILE = re.compile(r"(?<![\w/.@*-])[\w-]{0,40}\.?[\w-]{1,40}\.[a-z]{1,8}\b(?!\()", re.IGNORECASE)
_NAMED_FILES = re.compile(r"\b(?:Dockerfile|Makefile|Jenkinsfile|Gemfile|CODEOWNERS|Procfile)\b|(?<![\w.])\.env\b")
_WORD_SLASH_WORD = re.compile(r"^[a-z]+/[a-z]+$", re.IGNORECASE)  # and/or, client/server
_FOLDER_NAMES = (
    "src lib app apps pkg cmd internal packages services modules tests test docs migrations db api web server client"
    " frontend backend infra scripts config components pages routes proto vendor examples tools"
)
_FOLDERS = frozenset(_FOLDER_NAMES.split())
# A command that the rule forbids, or that is the moment at which it applies; one that it prescribes is no scope.
_AGAINST_WORDS = (
    "never", "not", "don't", "do not", "no", "avoid", "instead of", "rather than", "without", "before", "when",
    "whenever", "ask", "over", "than", "statt", "nie", "nicht",
)  # fmt: skip
_FORBIDDING = re.compile(rf"\b(?:{'|'.join(_AGAINST_WORDS)})\b[^.;`]{{0,40}}$", re.IGNORECASE)
_PROGRAM_NAMES = (
    "git npm pnpm yarn bun npx pip pip3 uv poetry pipenv conda go cargo make just terraform kubectl helm docker podman"
    " gh psql mysql sqlite3 redis-cli mongosh aws gcloud az rails rake bundle gem composer php artisan mvn gradle"
    " dotnet sbt mix pytest jest vitest mocha tox ruff black eslint prettier mypy tsc webpack vite rm sudo chmod chown"
    " curl wget ssh alembic prisma flyway ansible ansible-playbook pulumi vercel netlify heroku fly brew apt apt-get"
    " sed awk nx turbo"
)
PROGRAMS = frozenset(_PROGRAM_NAMES.split())
# Programs that do the same: a rule that prescribes one of them applies where another one is run.
RIVALS = (
    ("npm", "pnpm", "yarn", "bun"),
    ("pip", "pip3", "poetry", "pipenv", "uv", "conda", "pdm"),
    ("jest", "vitest", "mocha"),
    ("docker", "podman"),
    ("make", "just", "task"),
    ("black", "ruff", "yapf"),
    ("mvn", "gradle"),
)
_PROGRAM = r"`?([a-z][\w-]{1,15})"
_PRESCRIBED = re.compile(
    r"\b(?:uses?|using|with|via|through|prefer|run on|nutzen|verwende\w*|benutze\w*|nimm)\s+"
    rf"(?:only\s+|just\s+|always\s+|the\s+)?{_PROGRAM}",
    re.IGNORECASE,
)
_REJECTED = re.compile(
    r"\b(?:never|not|no|don't use|do not use|instead of|rather than|avoid|over|statt|nie|nicht)\s+"
    rf"(?:use\s+|the\s+|raw\s+|plain\s+|run\s+|with\s+)?{_PROGRAM}`?(?:[ ]([a-z]+))?",
    re.IGNORECASE,
)
# Programs that a rule can forbid as a whole; of others it forbids a command.
_REJECTABLE = frozenset([*(name for family in RIVALS for name in family), "sudo", "curl", "wget", "sed", "awk", "ssh"])
# Files of a language that a rule names.
LANGUAGES = (
    (re.compile(r"\bpython\b", re.IGNORECASE), ("*.py",)),
    (re.compile(r"\btypescript\b", re.IGNORECASE), ("*.ts", "*.tsx")),
    (re.compile(r"\bjavascript\b", re.IGNORECASE), ("*.js", "*.jsx")),
    (re.compile(r"\bgolang\b|\b[Ii]n Go\b|\bGo (?:code|files?|services?)\b"), ("*.go",)),
    (re.compile(r"\b(?:in )?Rust\b"), ("*.rs",)),
    (re.compile(r"\bkotlin\b", re.IGNORECASE), ("*.kt",)),
    (re.compile(r"\bJava\b"), ("*.java",)),
    (re.compile(r"\bSwift\b"), ("*.swift",)),
    (re.compile(r"\bruby\b", re.IGNORECASE), ("*.rb",)),
    (re.compile(r"\bphp\b", re.IGNORECASE), ("*.php",)),
    (re.compile(r"\bc#", re.IGNORECASE), ("*.cs",)),
    (re.compile(r"\b(?:bash|shell) (?:scripts?|code|files?)\b", re.IGNORECASE), ("*.sh",)),
    (re.compile(r"\bterraform (?:files?|modules?|code)\b", re.IGNORECASE), ("*.tf",)),
    (re.compile(r"\by(?:a)?ml(?: files?)?\b", re.IGNORECASE), ("*.yml", "*.yaml")),
    (re.compile(r"\bmarkdown (?:files?|documents?|docs)\b", re.IGNORECASE), ("*.md",)),
    (re.compile(r"\bsql files?\b", re.IGNORECASE), ("*.sql",)),
    (re.compile(r"\bproto(?:buf)? files?\b", re.IGNORECASE), ("*.proto",)),
)


STYLE = "formatting and style of code"
# Activities of which a rule about a language is a rule about its files.
_IN_CODE = frozenset(
    [STYLE, "naming things", "handling errors", "logging", "writing tests", "writing documentation", "dates and times"]
)


@dataclass(frozen=True, slots=True)
class Scope:
    """What a rule applies to; empty for a rule that is found by its words alone."""

    files: tuple[str, ...] = ()
    """Globs, as a rule or a person wrote them."""
    commands: tuple[str, ...] = ()
    """Shell commands: a program, with the words and flags that matter."""
    activities: tuple[str, ...] = ()
    """Names of rows of the table of activities."""

    def __bool__(self) -> bool:
        return bool(self.files or self.commands or self.activities)

    def __str__(self) -> str:
        return "; ".join((*self.activities, *self.commands, *self.files))

    @property
    def every_file(self) -> tuple[str, ...]:
        """Its globs, and those of its activities; a rule of style that names files applies to those alone."""
        names = [name for name in self.activities if name != STYLE or not self.files]
        return tuple(dict.fromkeys([*self.files, *(glob for name in names for glob in BY_NAME[name].files.split())]))

    @property
    def every_command(self) -> tuple[str, ...]:
        """Its commands, and those of its activities."""
        own = (command for name in self.activities for command in activity.items(BY_NAME[name].commands))
        return tuple(dict.fromkeys([*self.commands, *own]))


def scope_of(kind: str, text: str, *, cue: str = "", failed: Iterable[str] = ()) -> Scope:
    """Return what a memory applies to; `failed` are the commands that a runbook is about.

    Empty for kinds that are no rules, and where nothing in the text tells.
    """
    if kind not in SCOPED_KINDS:
        return Scope()
    if cue.lower().startswith(LEAD):
        return parse(cue)
    if kind == "runbook":
        return Scope(commands=_commands_run(failed))
    said = (f"{cue}. {text}" if cue else text)[:RULE_CHARS]
    commands, activities = _commands(said), _activities(said)
    is_about_code = not commands and _IN_CODE.issuperset(activities)
    return Scope(_files(said) + (_of_languages(said) if is_about_code else ()), commands, activities)


def cue_of(applies_when: str) -> str:
    """Return the cue for what a person says a rule applies to; empty for nothing."""
    said = applies_when.strip()
    return said if not said or said.lower().startswith(LEAD) else f"{LEAD} {said}"


def parse(cue: str) -> Scope:
    """Return the scope that a cue states after "applies when:"; what it does not know is a command or a file."""
    if not cue.lower().startswith(LEAD):
        return Scope()
    files, commands, activities = [], [], []
    for part in (part.strip(" `") for part in cue[len(LEAD) : RULE_CHARS].split(";")):
        if part.lower() in BY_NAME:
            activities.append(part.lower())
        elif " " not in part and (any(sign in part for sign in "*/.") or _NAMED_FILES.fullmatch(part)):
            files.append(_as_glob(part))
        elif part.partition(" ")[0] not in PROGRAMS and (known := _activities(part)):
            activities += known
        elif part:
            commands.append(part)
    return Scope(*(tuple(dict.fromkeys(found)) for found in (files, commands, activities)))


def _activities(text: str) -> tuple[str, ...]:
    """Return the activities that a rule is about, in the order in which it names them.

    Those behind "before" or "when" count alone: "run the linter before committing" is about committing.
    """
    triggered = [" ".join(text[found.end() :].split()[:TRIGGERED_WORDS]) for found in _TRIGGER.finditer(text)]
    for part in (*triggered, text):
        places = {row.name: _first_place(activity.items(row.rules), part) for row in ACTIVITIES}
        named = sorted((place, name) for name, place in places.items() if place >= 0)
        if named:
            return tuple(name for _, name in named[:MOST_ACTIVITIES])
    return ()


def _first_place(patterns: Iterable[str], text: str) -> int:
    """Return where in a text the first of the patterns matches, in words; -1 where none does."""
    places, before = [], 0
    parsed = [Pattern(source) for source in patterns]
    for clause in clauses(text):
        places += [before + at for pattern in parsed if (at := pattern.position(clause, activity.CLASSES)) >= 0]
        before += len(clause)
    return min(places, default=-1)


def _files(text: str) -> tuple[str, ...]:
    found = _GLOB.findall(text)
    found += [_as_glob(path) for path in _PATH.findall(text) if _is_path(path)]
    found += [name for name in _FILE.findall(text) if activity.is_file(name.lower())]
    found += _NAMED_FILES.findall(text)
    return tuple(dict.fromkeys(found))[:MOST_FILES]


def _of_languages(text: str) -> tuple[str, ...]:
    return tuple(glob for pattern, globs in LANGUAGES if pattern.search(text) for glob in globs)


def _is_path(path: str) -> bool:
    """Whether something with a slash is a path, and not two words."""
    first = path.lstrip("./").partition("/")[0].lower()
    if _WORD_SLASH_WORD.match(path):
        return first in _FOLDERS
    return (
        path.endswith("/") or "*" in path or activity.is_file(path.lower()) or first in _FOLDERS or path.count("/") > 1
    )


def _as_glob(path: str) -> str:
    """Return a path as a glob: a folder means everything below it."""
    plain = path.rstrip(".,").removeprefix("./").lstrip("/")
    if plain.endswith("**"):
        return plain
    if plain.endswith("/*"):
        return f"{plain}*"
    name = plain.rstrip("/").rpartition("/")[2]
    return plain if "." in name.lstrip(".") or "*" in plain or "/" not in plain else f"{plain.rstrip('/')}/**"


def _commands(text: str) -> tuple[str, ...]:
    """Return the commands that a rule is about: those that it forbids, and rivals of a program that it prescribes."""
    found = [
        _shortened(code[1])
        for code in _CODE.finditer(text)
        if code[1].split()[0] in PROGRAMS and _FORBIDDING.search(text[max(0, code.start() - 60) : code.start()])
    ]
    found += _spelled_out(text)
    rejected = [name.lower() for name, verb in _REJECTED.findall(text) if f"{name} {verb}" not in _KNOWN_COMMANDS]
    prescribed = {name.lower() for name in _PRESCRIBED.findall(text)} - set(rejected)
    found += [name for name in rejected if name in _REJECTABLE]
    found += [rival for family in RIVALS if prescribed & set(family) for rival in family if rival not in prescribed]
    whole = {command for command in found if " " not in command}
    kept = [command for command in dict.fromkeys(found) if command in whole or command.split()[0] not in whole]
    narrower = [command for command in kept if not any(other.startswith(f"{command} ") for other in kept)]
    return tuple(narrower)[:MOST_COMMANDS]


def _spelled_out(text: str) -> list[str]:
    """Return the known commands of two words in a text, without those that it says to run."""
    words = [word.strip(".,;:!?()\"'`") for word in text.split()]
    found = []
    for at, pair in enumerate(pairwise(words)):
        before = {word.lower() for word in words[max(0, at - 4) : at]}
        if " ".join(pair) in _KNOWN_COMMANDS and (before & _AGAINST or not before & _FOR):
            found.append(" ".join(pair))
    return found


_FOR = {"run", "use", "with", "via", "through", "execute", "using"}
_AGAINST = {"never", "not", "don't", "no", "avoid", "before", "without", "ask", "when", "whenever", "instead", "than"}
# Commands of two words that are in no rule by chance: "git push", "terraform apply".
_KNOWN_COMMANDS = frozenset(
    command.removesuffix(" +")
    for row in ACTIVITIES
    for command in activity.items(row.commands)
    if len(command.split()) in (2, 3)
) | {"git push", "git reset", "git stash", "git add", "git rebase", "npm run", "npm ci", "docker compose"}


def _shortened(command: str) -> str:
    """Return a command's program, its verbs and its flags, without paths and placeholders."""
    program, *rest = command.split()
    kept = [word for word in rest if word[0] not in "<[{$\"'" and not any(sign in word for sign in "/=.*")]
    return " ".join([program, *kept[:3]])


def _commands_run(failed: Iterable[str]) -> tuple[str, ...]:
    """Return the commands that failed, shortened; those of unknown programs are left out."""
    short = [_shortened(command) for command in failed if command.split() and command.split()[0] in PROGRAMS]
    return tuple(dict.fromkeys(short))[:MOST_COMMANDS]
