"""Find commands of recollect that only a person may run in a shell command of an agent. Import-light.

A call is refused, a mention is not: `echo "recollect trust"` prints, `sh -c "recollect trust"` runs. Reading does not
see every call: `echo cmVj… | base64 -d | sh` hides one, and so does a script that an earlier command wrote. Therefore
the program refuses such calls too: see `agent_shell`.
"""

from recollect.hooks.guard.limits import GLOB_MARK, MAX_PIPED_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.hooks.guard.shell import Shell


class PersonCommand:
    """A subcommand that only a person may run: its options, and the reason that the agent is told."""

    __slots__ = ("harmless_options", "is_plain_word", "options_with_value", "reason", "refused_only_with")

    def __init__(
        self, reason: str, *, options_with_value: tuple[str, ...] = (), harmless_options: tuple[str, ...] = (),
        refused_only_with: str = "", is_plain_word: bool = False,
    ) -> None:  # fmt: skip
        self.reason, self.options_with_value = reason, options_with_value
        self.harmless_options = harmless_options
        """Options with which the call only shows something."""
        self.refused_only_with = refused_only_with
        """The option without which an agent may run the command; empty if it never may."""
        self.is_plain_word = is_plain_word
        """Whether any program may contain the name; then code that contains it is not refused."""


class Refusal:
    """A call that needs a person: what to type instead, why, and in which folder (set by the shell)."""

    __slots__ = ("folder", "reason", "typed")

    def __init__(self, typed: str, reason: str, folder: str = "") -> None:
        self.typed, self.reason, self.folder = typed, reason, folder


_PAGE = "it opens the page, where a person may do everything"
PERSON_ONLY = {
    "trust": PersonCommand(
        "it makes the text of a repository count as the user's own",
        options_with_value=("--accept",),
        harmless_options=("--dry-run",),
    ),
    "purge": PersonCommand("it erases a memory", options_with_value=("--reason", "-r")),
    "scrub": PersonCommand("it takes a value out of everything for good", harmless_options=("--dry-run",)),
    "uninstall": PersonCommand(
        "it deletes all memories",
        options_with_value=("--scope",),
        harmless_options=("--dry-run",),
        refused_only_with="--data",
    ),
    "init": PersonCommand(
        "it takes in the memories that came with a repository",
        options_with_value=("--accept", "--layout", "--root"),
        harmless_options=("--dry-run",),
        refused_only_with="--accept",
    ),
    "open": PersonCommand(_PAGE, options_with_value=("--port", "--idle-minutes"), is_plain_word=True),
    "serve": PersonCommand(
        _PAGE,
        options_with_value=("--bind", "--port", "--host", "--tls-cert", "--tls-key", "--idle-minutes", "--tools"),
        is_plain_word=True,
    ),
}
_HELP_OPTIONS = ("--help", "-h", "--version")
_GLOBAL_OPTIONS_WITH_VALUE = ("--now", "--project", "-C")
_NOT_TYPED = ("--yes", "-y", "--accept", "--json")  # a person is shown what will happen, and asked
_UNREADABLE = Refusal("recollect COMMAND", "which command it runs cannot be read; write its name out")

# Commands whose arguments are text or files; they run nothing.
_RUN_NOTHING = frozenset((
    "[", "[[", "ack", "ag", "alias", "apropos", "apt", "apt-get", "aspell", "basename", "bat", "brew", "case",
    "cat", "cd", "chgrp", "chmod", "chown", "cmp", "codespell", "column", "comm", "compgen", "complete", "cp",
    "cut", "dd", "declare", "df", "diff", "dirname", "dnf", "du", "echo", "egrep", "emacs", "export", "expr",
    "fd", "fgrep", "file", "fold", "for", "gh", "git", "glab", "grep", "hash", "head", "help", "history",
    "info", "install", "jq", "less", "ln", "local", "look", "ls", "man", "mkdir", "more", "mv", "nano", "nl",
    "npm", "paste", "pip", "pip3", "popd", "printf", "pushd", "read", "readlink", "realpath", "rg", "rm",
    "rmdir", "sed", "select", "sha256sum", "sort", "stat", "strings", "tail", "tar", "tee", "test", "tldr",
    "touch", "tr", "tree", "type", "typeset", "uniq", "unset", "unzip", "vi", "vim", "wc", "whereis", "which",
    "xdg-open", "yes", "yum", "zip",
))  # fmt: skip
# Commands that run an argument as a script.
_RUN_STRINGS = (
    "at", "batch", "busybox", "expect", "flock", "nix-shell", "parallel", "runuser", "screen", "script", "ssh",
    "su", "tmux", "trap", "watch",
)  # fmt: skip
_GIT_RUNS = ("bisect", "foreach", "--exec", "-x")  # subcommands and options with which git runs a script
_SHELLS = ("sh", "bash", "zsh", "dash", "ksh", "fish")
_RUNNERS = ("uv", "uvx", "pipx", "poetry", "hatch", "pdm", "rye", "mise", "conda")
_LANGUAGES = ("python", "perl", "ruby", "node", "nodejs", "deno", "bun", "php", "lua", "awk", "gawk", "mawk")
# How code starts a process, or calls us as a library.
_CODE_RUNS = (
    "system(", "system ", "exec(", "exec ", "execSync", "execFile", "execv", "execl", "popen", "Popen", "spawn",
    "subprocess", "runpy", "call(", "qx", "`recollect", "main(", ".trust(", ".init(", ".purge(", ".scrub(",
    "recollect.faces.cli", "recollect.faces.entry",
)  # fmt: skip


def check_command(shell: "Shell", words: list[str], bodies: list[str], depth: int) -> None:
    """Note in `shell.refusal` that a simple command runs something that needs a person; `bodies` are its heredocs."""
    words = [part for word in words for part in _braces(word)]
    if not words or shell.refusal:
        return
    name = command_name(words[0])
    if is_program(words[0]) or name.lower() == "recollect":
        shell.refuse(needs_person(words[1:], shell.choices, must_be_readable=True))
    elif name in _LANGUAGES:
        scripts = (
            [shell.files.get(shell.absolute(word), "") for word in words[1:MAX_PIPED_WORDS]] if shell.files else []
        )
        shell.refuse(_needs_person_in_code(name, words[1:], bodies + scripts))
    elif name not in _RUN_NOTHING or (name == "git" and any(word in _GIT_RUNS for word in words)):
        _check_arguments(shell, name, words, depth)


def _check_arguments(shell: "Shell", name: str, words: list[str], depth: int) -> None:
    """Check what an unknown command may start: our program, a shell with `-c`, or a script in one argument."""
    for at in range(1, len(words)):
        if is_program(words[at]):
            arguments = words[at + 1 : at + 1 + MAX_PIPED_WORDS]
            shell.refuse(needs_person(arguments, shell.choices, must_be_readable=name in _RUNNERS))
        elif command_name(words[at]) in _SHELLS and "-c" in words[at + 1 : at + 3]:
            shell.run_apart(words[-1], depth + 1)
        elif " " in words[at] and (name in _RUN_STRINGS or name == "git"):
            shell.run_apart(words[at], depth + 1)


def command_name(word: str) -> str:
    """Return the name of a command without its folder; `python` for every Python."""
    name = word.replace(GLOB_MARK, "").rpartition("/")[2]
    return "python" if name.startswith("python") else name


def is_program(word: str) -> bool:
    """Whether a word names our program: alone, in a folder of programs, with a version, or as `$(which recollect)`."""
    bare = word.replace(GLOB_MARK, "").lower()
    if bare.startswith(("$(", "`")):
        return "recollect" in bare.replace("`", " ").replace(")", " ").split()
    folder, _, name = bare.rpartition("/")
    name = name.partition("@")[0].partition("=")[0].removesuffix(".exe")
    is_named = name == "recollect" or (GLOB_MARK in word and _may_match(name, "recollect"))
    return is_named and (not folder or folder.endswith(("bin", "scripts", ".")) or bare.startswith(("$", "~")))


def _may_match(glob: str, name: str) -> bool:
    """Whether a glob with at least three letters may match a name."""
    signs = glob.replace("?", "*").replace("[", "*").replace("]", "*")
    head, tail = signs.partition("*")[0], signs.rpartition("*")[2]
    return len(head + tail) > 2 and name.startswith(head) and name.endswith(tail)


def needs_person(arguments: list[str], choices: dict[str, list[str]], *, must_be_readable: bool) -> Refusal | None:
    """Return what a person has to type instead of a call with these arguments; None if an agent may run it.

    `choices` has the values that a loop gives a variable. With `must_be_readable`, a subcommand that is an unknown
    variable or a glob needs a person too.
    """
    at = 0
    while at < len(arguments) and arguments[at].startswith("-"):
        if arguments[at] in _HELP_OPTIONS:
            return None
        at += 2 if arguments[at] in _GLOBAL_OPTIONS_WITH_VALUE else 1
    if at >= len(arguments):
        return None
    named = arguments[at]
    for name in choices.get(named.strip("${}"), [named]) if named.startswith("$") else [named]:
        if name == "run":  # starts any program
            return _needs_person_to_start(arguments[at + 1 :], choices)
        if name in PERSON_ONLY and not _is_harmless(name, arguments[at + 1 :]):
            return Refusal(_typed(arguments[:at], name, arguments[at + 1 :]), PERSON_ONLY[name].reason)
        if must_be_readable and (GLOB_MARK in name or "$" in name or "`" in name):
            return _UNREADABLE
    return None


def _needs_person_to_start(words: list[str], choices: dict[str, list[str]]) -> Refusal | None:
    """Return what a person has to type instead of the program that `recollect run` starts; None if it is harmless."""
    at = next((at for at, word in enumerate(words) if is_program(word)), len(words))
    return needs_person(words[at + 1 :], choices, must_be_readable=False)


def _is_harmless(name: str, arguments: list[str]) -> bool:
    """Whether its options allow an agent a call; what follows `--` or is an option's value is no option."""
    command = PERSON_ONLY[name]
    options, rest = set(), iter(arguments)
    for word in rest:
        if word == "--":
            break
        options.add(word.partition("=")[0])
        if word in command.options_with_value:
            next(rest, "")
    is_shown = bool(options.intersection(_HELP_OPTIONS + command.harmless_options))
    return is_shown or (command.refused_only_with != "" and command.refused_only_with not in options)


def _typed(before: list[str], name: str, arguments: list[str]) -> str:
    """Return the call as a person types it; without the value to scrub, which is read from standard input."""
    kept, rest = ["recollect", *map(quoted, before), name], iter(arguments if name != "scrub" else [])
    for word in rest:
        if word.partition("=")[0] not in _NOT_TYPED:
            kept.append(quoted(word.replace(GLOB_MARK, "")))
        elif word == "--accept":
            next(rest, "")
    return " ".join(kept)


def quoted(word: str) -> str:
    """Return a word as it is typed in a shell."""
    is_plain = word.replace("/", "").replace("-", "").replace(".", "").replace("_", "").isalnum()
    return word if is_plain else "'" + word.replace("'", "'\\''") + "'"


def _needs_person_in_code(name: str, arguments: list[str], bodies: list[str]) -> Refusal | None:
    """Return what a person has to type instead of an interpreter's call; None if it does not start our program.

    It starts our program as a module, as its script, or from code; code is searched for words, not parsed.
    """
    ours = _arguments_from_python(arguments) if name == "python" else None
    if ours is not None:
        return needs_person(ours, {}, must_be_readable=True)
    code = " ".join([*arguments, *bodies])
    if "recollect" not in code or not any(sign in code for sign in _CODE_RUNS):
        return None
    for subcommand, command in PERSON_ONLY.items():
        if command.is_plain_word:
            continue
        if subcommand in code and command.refused_only_with.lstrip("-") in code:
            return Refusal(f"recollect {subcommand}", command.reason)
    return None


def _arguments_from_python(arguments: list[str]) -> list[str] | None:
    """Return the arguments of our program in `-m recollect …` or `bin/recollect …`; None if Python runs another."""
    rest = iter(arguments)
    for word in rest:
        if word.startswith("-m"):
            module = word[2:] or next(rest, "")
            return list(rest) if module.partition(".")[0] == "recollect" else None
        if word in ("-W", "-X"):
            next(rest, "")
        elif not word.startswith("-") or word == "-c":
            return list(rest) if is_program(word) else None
    return None


def _braces(word: str) -> list[str]:
    """Return the words that `a{b,c}d` becomes; only the first group is expanded, which is enough for a name."""
    head, found, rest = word.partition(GLOB_MARK + "{")
    inner, closed, tail = rest.partition("}")
    if not found or not closed or "," not in inner:
        return [word]
    return [head + part + tail for part in inner.split(",")]
