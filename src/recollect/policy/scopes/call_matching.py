"""Whether a shell command or a file is one that a rule is about. Import-light: a hook asks before every tool call."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

COMMAND_CHARS = 4_000
VERB_WORDS = 4
"""The words of a pattern are looked for among so many words behind the program."""
_RUNNERS = ("sudo", "env", "time", "nohup", "command", "exec", "npx", "bunx", "pnpx", "xargs", "nice")
_TWO_WORD_RUNNERS = (
    "uv run", "poetry run", "pipenv run", "hatch run", "pdm run", "rye run", "bundle exec", "pnpm exec", "yarn exec",
    "npm exec", "pnpm dlx", "mise exec", "python -m", "python3 -m",
)  # fmt: skip
_INTERPRETERS = ("python", "python3", "php", "ruby", "node", "bin/rails")
_SCRIPTS = ("manage.py", "artisan")


def simple_commands(line: str) -> list[list[str]]:
    """Return the commands of a shell line as lists of words; quotes are taken off, and nothing is expanded.

    A command that only runs another one is followed by that one: `sudo npm install`, `npm install`.
    """
    commands: list[list[str]] = [[]]
    word, quote, has_word = "", "", False
    for sign in line[:COMMAND_CHARS]:
        if quote:
            if sign == quote:
                quote = ""
            else:
                word += sign
        elif sign in "'\"":
            quote, has_word = sign, True
        elif sign in " \t\n;|&()":
            if has_word:
                commands[-1].append(word)
                word, has_word = "", False
            if sign in "\n;|&()" and commands[-1]:
                commands.append([])
        else:
            word, has_word = word + sign, True
    if has_word:
        commands[-1].append(word)
    whole = [words for words in commands if words]
    return [*whole, *(inner for words in whole if (inner := _unwrapped(words)) != words)]


def _unwrapped(words: list[str]) -> list[str]:
    """Return a command without assignments and without programs that only run another one."""
    while words:
        first, following = words[0], words[1] if len(words) > 1 else ""
        if "=" in first and first.partition("=")[0].isidentifier():
            words = words[1:]
        elif f"{first} {following}" in _TWO_WORD_RUNNERS:
            words = words[2:]
        elif first in _RUNNERS or (first in _INTERPRETERS and following.rpartition("/")[2] in _SCRIPTS):
            words = words[1:]
        else:
            return [first.rpartition("/")[2], *words[1:]]
    return words


def is_command(pattern: str, words: "Sequence[str]") -> bool:
    """Return whether a command is one that a pattern means.

    `git push --force` needs all three words, `npm install +` something to install, `npm` any use of the program.
    """
    program, *wanted = pattern.split()
    if not words or words[0] != program:
        return False
    needs_operand = bool(wanted) and wanted[-1] == "+"
    verbs = [word for word in wanted if word[0] not in "-+"]
    flags = [word for word in wanted if word[0] == "-"]
    plain = [word for word in words[1:] if word[0:1] != "-"]
    if any(flag not in words for flag in flags):
        return False
    for at in range(1 if not verbs else min(VERB_WORDS, len(plain))):
        if plain[at : at + len(verbs)] == verbs:
            rest = [word for word in plain[at + len(verbs) :] if word not in (".", "./") and word[0:1] not in "<>2"]
            return not needs_operand or (bool(rest) and "-r" not in words)
    return False


def is_path(glob: str, path: str) -> bool:
    """Return whether a file's path is one that a glob means: `*.sql`, `package.json`, `src/api/**`, `migrations/**`.

    Without a leading slash it counts at any depth.
    """
    if glob.endswith("/**"):
        return f"/{glob[:-3].strip('/')}/" in f"/{path}"
    name = path.rpartition("/")[2]
    if "/" in glob:
        return f"/{path}".endswith(f"/{glob.lstrip('/')}")
    return _is_name(glob, name)


def _is_name(glob: str, name: str) -> bool:
    """Return whether a file name matches a glob with at most two stars."""
    parts = glob.split("*")
    if len(parts) == 1:
        return name == glob
    if not name.startswith(parts[0]) or not name.endswith(parts[-1]):
        return False
    inner = name[len(parts[0]) : len(name) - len(parts[-1])]
    return len(name) >= len(parts[0]) + len(parts[-1]) and all(part in inner for part in parts[1:-1])


def parts(pattern: str) -> str:
    """Return the parts of a command pattern or a glob that are all in a call that it matches, with blanks between."""
    if pattern.endswith("/**"):
        return pattern[:-3].strip("/")
    return " ".join(part for part in pattern.replace("*", " ").split() if part != "+")
