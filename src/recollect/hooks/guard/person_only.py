"""Commands of recollect that only a person may run, found in a shell command that an agent is about to run.

What is refused is a call, not a mention: `echo "recollect trust"` prints, `sh -c "recollect trust"` runs. Not every
call can be seen by reading: `echo cmVj… | base64 -d | sh`, or a script that an earlier command wrote, hides it. The
program itself is the second line: see `agent_shell`.
"""

from recollect.hooks.guard.limits import GLOB, MOST_PIPED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.hooks.guard.shell import Shell

# subcommand: (options that take a value, options that make it harmless, option without which it is harmless, why)
PERSON_ONLY = {
    "trust": (("--accept",), ("--dry-run",), "", "it makes the text of a repository count as the user's own"),
    "purge": (("--reason", "-r"), (), "", "it erases a memory"),
    "scrub": ((), ("--dry-run",), "", "it takes a value out of everything for good"),
    "init": (
        ("--accept", "--layout", "--root"),
        ("--dry-run",),
        "--accept",
        "it takes in the memories that came with a repository",
    ),
}
HELP = ("--help", "-h", "--version")
GLOBAL_WITH_VALUE = ("--now", "--project", "-C")
NOT_TYPED = ("--yes", "-y", "--accept", "--json")  # a person is shown what will happen, and asked
UNREADABLE = ("recollect COMMAND", "which command it runs cannot be read; write its name out")

# Commands whose arguments are text or files: whatever follows them is not run.
_TEXT_ONLY = frozenset((
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
# Commands that run what their arguments say as a script of its own.
_RUN_STRINGS = (
    "at", "batch", "busybox", "expect", "flock", "nix-shell", "parallel", "runuser", "screen", "script", "ssh",
    "su", "tmux", "trap", "watch",
)  # fmt: skip
_GIT_RUNS = ("bisect", "foreach", "--exec", "-x")
_SHELLS = ("sh", "bash", "zsh", "dash", "ksh", "fish")
_RUNNERS = ("uv", "uvx", "pipx", "poetry", "hatch", "pdm", "rye", "mise", "conda")
_LANGUAGES = ("python", "perl", "ruby", "node", "nodejs", "deno", "bun", "php", "lua", "awk", "gawk", "mawk")
# How code starts a process, or calls us as a library.
_CODE_RUNS = (
    "system(", "system ", "exec(", "exec ", "execSync", "execFile", "execv", "execl", "popen", "Popen", "spawn",
    "subprocess", "runpy", "call(", "qx", "`recollect", "main(", ".trust(", ".init(", ".purge(", ".scrub(",
    "recollect.cli",
)  # fmt: skip


def look(shell: "Shell", words: list[str], bodies: list[str], depth: int) -> None:
    """Note in `shell.person` that a simple command runs something that needs a person."""
    words = [part for word in words for part in _braces(word)]
    if not words or shell.person:
        return
    name = command_name(words[0])
    if is_program(words[0]) or name.lower() == "recollect":
        shell.refuse(needs_person(words[1:], shell.choices, must_be_readable=True))
    elif name in _LANGUAGES:
        scripts = [shell.files.get(shell.absolute(word), "") for word in words[1:MOST_PIPED]] if shell.files else []
        shell.refuse(_in_code(name, words[1:], bodies + scripts))
    elif name not in _TEXT_ONLY or (name == "git" and any(word in _GIT_RUNS for word in words)):
        _look_behind(shell, name, words, depth)


def _look_behind(shell: "Shell", name: str, words: list[str], depth: int) -> None:
    """Look at what a command that we do not know may start: a program, a shell, or a script in one argument."""
    for at in range(1, len(words)):
        if is_program(words[at]):
            arguments = words[at + 1 : at + 1 + MOST_PIPED]
            shell.refuse(needs_person(arguments, shell.choices, must_be_readable=name in _RUNNERS))
        elif command_name(words[at]) in _SHELLS and "-c" in words[at + 1 : at + 3]:
            shell.run_apart(words[-1], depth + 1)
        elif " " in words[at] and (name in _RUN_STRINGS or name == "git"):
            shell.run_apart(words[at], depth + 1)


def command_name(word: str) -> str:
    """The name of a command without its folder; every Python is `python`."""
    name = word.replace(GLOB, "").rpartition("/")[2]
    return "python" if name.startswith("python") else name


def is_program(word: str) -> bool:
    """Whether a word names our program: by itself, in a folder of programs, with a version, or as `$(which …)`."""
    bare = word.replace(GLOB, "").lower()
    if bare.startswith(("$(", "`")):
        return "recollect" in bare.replace("`", " ").replace(")", " ").split()
    folder, _, name = bare.rpartition("/")
    name = name.partition("@")[0].partition("=")[0].removesuffix(".exe")
    is_named = name == "recollect" or (GLOB in word and _may_match(name, "recollect"))
    return is_named and (not folder or folder.endswith(("bin", "scripts", ".")) or bare.startswith(("$", "~")))


def _may_match(glob: str, name: str) -> bool:
    """Whether a glob with at least three letters of its own may mean a name."""
    signs = glob.replace("?", "*").replace("[", "*").replace("]", "*")
    head, tail = signs.partition("*")[0], signs.rpartition("*")[2]
    return len(head + tail) > 2 and name.startswith(head) and name.endswith(tail)


def needs_person(
    arguments: list[str], choices: dict[str, list[str]], *, must_be_readable: bool
) -> tuple[str, str] | None:
    """What a person has to type instead, and why; None where the call is harmless.

    `choices` has the values that a loop gives a variable. With `must_be_readable`, a subcommand that is a variable or a
    glob needs a person too.
    """
    at = 0
    while at < len(arguments) and arguments[at].startswith("-"):
        if arguments[at] in HELP:
            return None
        at += 2 if arguments[at] in GLOBAL_WITH_VALUE else 1
    if at >= len(arguments):
        return None
    named = arguments[at]
    for name in choices.get(named.strip("${}"), [named]) if named.startswith("$") else [named]:
        if name == "run":  # starts any program
            return _started(arguments[at + 1 :], choices)
        if name in PERSON_ONLY and not _is_harmless(name, arguments[at + 1 :]):
            return _typed(arguments[:at], name, arguments[at + 1 :]), PERSON_ONLY[name][3]
        if must_be_readable and (GLOB in name or "$" in name or "`" in name):
            return UNREADABLE
    return None


def _started(words: list[str], choices: dict[str, list[str]]) -> tuple[str, str] | None:
    """The same for the program that `recollect run` starts."""
    at = next((at for at, word in enumerate(words) if is_program(word)), len(words))
    return needs_person(words[at + 1 :], choices, must_be_readable=False)


def _is_harmless(name: str, arguments: list[str]) -> bool:
    """Whether the options of a call only show something; what follows `--` or belongs to an option is none."""
    valued, harmless, only_with, _ = PERSON_ONLY[name]
    options, rest = set(), iter(arguments)
    for word in rest:
        if word == "--":
            break
        options.add(word.partition("=")[0])
        if word in valued:
            next(rest, "")
    return bool(options.intersection(HELP + harmless)) or (only_with != "" and only_with not in options)


def _typed(before: list[str], name: str, arguments: list[str]) -> str:
    """The call as a person types it; the value to scrub is read from standard input, to keep it off the screen."""
    kept, rest = ["recollect", *map(quoted, before), name], iter(arguments if name != "scrub" else [])
    for word in rest:
        if word.partition("=")[0] not in NOT_TYPED:
            kept.append(quoted(word.replace(GLOB, "")))
        elif word == "--accept":
            next(rest, "")
    return " ".join(kept)


def quoted(word: str) -> str:
    """Return a word as it is typed in a shell."""
    is_plain = word.replace("/", "").replace("-", "").replace(".", "").replace("_", "").isalnum()
    return word if is_plain else "'" + word.replace("'", "'\\''") + "'"


def _in_code(name: str, arguments: list[str], bodies: list[str]) -> tuple[str, str] | None:
    """The same for a call of an interpreter: our module, our program as its script, or code that starts it."""
    ours = _arguments_from_python(arguments) if name == "python" else None
    if ours is not None:
        return needs_person(ours, {}, must_be_readable=True)
    code = " ".join([*arguments, *bodies])
    if "recollect" not in code or not any(sign in code for sign in _CODE_RUNS):
        return None
    named = (command for command, row in PERSON_ONLY.items() if command in code and row[2].lstrip("-") in code)
    found = next(named, "")
    return (f"recollect {found}", PERSON_ONLY[found][3]) if found else None


def _arguments_from_python(arguments: list[str]) -> list[str] | None:
    """What Python hands to our program in `-m recollect …` or `bin/recollect …`; None where it runs another."""
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
    """The words that `a{b,c}d` becomes; only the first group counts, which is enough for a name."""
    head, found, rest = word.partition(GLOB + "{")
    inner, closed, tail = rest.partition("}")
    if not found or not closed or "," not in inner:
        return [word]
    return [head + part + tail for part in inner.split(",")]
