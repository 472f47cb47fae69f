"""Which paths each command writes, by the words that it is called with; `shell` reads the words. Import-light."""

from recollect.hooks.guard import person_only
from recollect.hooks.guard.limits import GLOB_MARK, MAX_DEPTH, MAX_PIPED_WORDS, TREE_MARK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.hooks.guard.shell import Shell

_KEYWORDS = ("if", "then", "else", "elif", "fi", "do", "done", "while", "until", "!", "{", "}")
# Commands that run the command behind them, and their options that take a value.
_WRAPPERS = {
    **dict.fromkeys(("command", "builtin", "exec", "time", "nohup", "export", "local", "declare", "function"), ""),
    **dict.fromkeys(("env", "sudo"), "-u -g -C"),
    "nice": "-n",
    "timeout": "-s -k",
    "xargs": "-I -n -P -L -d -s -E -a",
}
# Calls in Python, Node, Perl and Ruby that write the path in their arguments; the first ones with everything below it.
_CODE_REMOVES = ("rmtree(", "rename(", "renameSync(", "rm(", "rmSync(", "move(", "replace(")
_CODE_WRITES = (
    *_CODE_REMOVES, "remove(", "unlink(", "unlinkSync(", "rmdir(", "truncate(", "writeFile(", "writeFileSync(",
    "appendFile(", "appendFileSync(", "makedirs(", "mkdir(", "mkdirSync(", "touch(", "copy(", "copyfile(", "copytree(",
    "write_file(", "symlink(",
)  # fmt: skip
# Methods that write the path they are called on: Path("a").write_text(…).
_PATH_WRITES = (".write", ".unlink(", ".touch(", ".mkdir(", ".rmdir(", ".rename(", ".replace(")


class _Call:
    """A command with its operands and options.

    `valued` lists the options that take a value. A sign behind an option says more: with `-o>` the value is a path that
    is written, with `-o=` the value is attached to the option or missing.
    """

    def __init__(self, shell: "Shell", words: list[str], valued: str, bodies: list[str], depth: int) -> None:
        self.shell, self.name, self.words, self.bodies, self.depth = shell, words[0], words[1:], bodies, depth
        self.operands: list[str] = []
        self.options: dict[str, list[str]] = {}
        kinds = {option.rstrip("=>"): option[-1] for option in valued.split()}
        rest = iter(self.words)
        for word in rest:
            if word == "--":
                self.operands.extend(rest)
            elif word in ("", "-") or not (word.startswith("-") or word.partition("=")[0] in kinds):
                self.operands.extend([word] if word else [])
            else:
                name, value = self.option(word, kinds)
                if not value and kinds.get(name, "=") != "=":
                    value = next(rest, "")
                self.options.setdefault(name, []).append(value)
                if kinds.get(name) == ">":
                    shell.write(value)

    def option(self, word: str, kinds: dict[str, str]) -> tuple[str, str]:
        """Return the last option of a word and the value attached to it; note the flags before it."""
        if word.startswith("--") or not word.startswith("-"):  # dd of=path
            return word.partition("=")[0], word.partition("=")[2]
        at = 1
        while at + 1 < len(word) and f"-{word[at]}" not in kinds:
            self.options.setdefault(f"-{word[at]}", [])
            at += 1
        return f"-{word[at]}", word[at + 1 :]

    def has(self, *names: str) -> bool:
        """Whether one of the options is given."""
        return any(name in self.options for name in names)

    def values(self, *names: str) -> list[str]:
        """Return the values of these options."""
        return [value for name in names for value in self.options.get(name, []) if value]


def execute(shell: "Shell", words: list[str], bodies: list[str], depth: int) -> list[str]:
    """Note what a simple command writes and starts; return the words that it may print, for xargs."""
    words = _with_alias_resolved(shell, _without_wrappers(shell, words))
    name = person_only.command_name(words[0]) if words else ""
    person_only.check_command(shell, words, bodies, depth)
    shell.output = _output_of(shell, name, words[1:], bodies)
    if words and depth < MAX_DEPTH:
        shell.run_file(words[0], depth + 1)
    if name in _COMMANDS and depth < MAX_DEPTH:
        valued, targets = _COMMANDS[name]
        for word in targets(_Call(shell, [name, *words[1:]], valued, bodies, depth)):
            shell.write(word)
    if name == "find":
        return _find_roots(words[1:])
    return shell.output.split() or [word for word in words[1:] if not word.startswith("-")]


def _without_wrappers(shell: "Shell", words: list[str]) -> list[str]:
    """Return the words of a command without the keywords, assignments and wrappers before it."""
    at, assigned, place = 0, [], ""
    while at < len(words):
        word, name = words[at], words[at].rpartition("/")[2]
        at += 1
        if "=" in word and word.partition("=")[0].isidentifier():
            assigned.append(word)
        elif name in _WRAPPERS:
            while at < len(words) and words[at].startswith("-"):
                has_value = words[at] in _WRAPPERS[name].split()
                place = "".join(words[at : at + 1 + has_value])[2:] if words[at].startswith("-I") else place
                at += 1 + has_value
            at += name in ("timeout", "function")
            if name == "xargs" and shell.piped:
                words = shell.fill(words, place, shell.piped) if place else words + shell.piped
                shell.piped = []
        elif word not in _KEYWORDS:
            return words[at - 1 :]
    for word in assigned:
        shell.assign(*word.split("=", 1))
    return []


def _with_alias_resolved(shell: "Shell", words: list[str]) -> list[str]:
    """Return the words with the first one replaced, if it is an alias or a variable with several words in it."""
    if not words:
        return words
    name = person_only.command_name(words[0])
    if name in shell.aliases and shell.can_spend(len(shell.aliases[name])):
        return [*shell.aliases[name].split(), *words[1:]]
    is_one_word = name in _COMMANDS or person_only.is_program(words[0]) or words[0].startswith(("$", "`"))
    return words if is_one_word or " " not in words[0] else _without_wrappers(shell, [*words[0].split(), *words[1:]])


def _output_of(shell: "Shell", name: str, words: list[str], bodies: list[str]) -> str:
    """Return what a command prints, as far as it is known: it may be a script that a shell runs."""
    if name == "echo":
        return " ".join(word for word in words if word not in ("-e", "-n", "-E"))
    if name == "printf" and words:
        text = words[0].replace("\\n", "\n")
        for word in words[1:MAX_PIPED_WORDS]:
            text = text.replace("%s", word, 1) if "%s" in text else f"{text} {word}"
        return text
    if name == "tee":
        text = "\n".join(bodies) or shell.printed
        for word in words:
            shell.keep_file(word, text)
        return text
    return ("\n".join(bodies) or shell.printed) if name == "cat" and not words else ""


def _define_aliases(call: _Call) -> list[str]:
    """Remember the aliases of `alias name=value`."""
    for word in call.operands:
        name, found, value = word.partition("=")
        if found:
            call.shell.aliases[name] = value
    return []


def _as_trees(words: list[str]) -> list[str]:
    """Return paths marked as written with everything below them."""
    return [word + TREE_MARK for word in words]


def _written_operands(call: _Call) -> list[str]:
    """Return the operands that a command writes or removes."""
    is_removed = call.name == "rm" and call.has("-r", "-R", "--recursive")
    return _as_trees(call.operands) if is_removed else call.operands[_OPERANDS_WRITTEN.get(call.name, slice(None))]


def _copied_or_moved(call: _Call) -> list[str]:
    """Return the destination of a copy or a move, what would lie in it, and the sources of a move."""
    given = call.values("-t", "--target-directory")[:1]
    sources = call.operands if given else call.operands[:-1]
    into = given or call.operands[1:][-1:]
    is_move = call.name == "mv"
    if any(person_only.is_program(source) for source in sources):  # the program under another name
        call.shell.aliases |= {person_only.command_name(word): "recollect" for word in into}
    if call.name == "install" and call.has("-d"):
        return call.operands
    names = [source.rstrip("/").rpartition("/")[2] for source in sources[:MAX_PIPED_WORDS]]
    if not (is_move or call.has("-r", "-R", "-a", "--recursive", "--archive")):
        names = [name for name in names if name.endswith(".json")]  # a memory, wherever it lands
    into = into + [f"{folder}/{name}" for folder in into for name in names if name.strip(".")]
    return _as_trees(sources if is_move else []) + (_as_trees(into) if call.has("--delete") else into)


def _edited_in_place(call: _Call) -> list[str]:
    """Return what `-i` edits in place: all operands but the script."""
    is_given = call.values("-e", "-E", "-f", "--expression", "--file")
    return call.operands[0 if is_given else 1 :] if call.has("-i", "--in-place", "--inplace") else []


def _written_by_code(call: _Call) -> list[str]:
    """Return the quoted paths in code that stand in a call that writes; code is searched for calls, not parsed."""
    found = _edited_in_place(call)
    for code in call.values("-c", "-e", "-E", "-p", "-r", "--eval", "--print") + call.bodies:
        pieces = code.replace('"', "'").replace("`", "'").split("'")
        for at in range(1, len(pieces) - 1):
            if "/" in pieces[at] and "\n" not in pieces[at] and _is_written(pieces, at):
                path = call.shell.at_home(pieces[at].lstrip("> "))
                found = found + (_as_trees([path]) if _is_argument_of(pieces, at, _CODE_REMOVES) else [path])
    return found


def _is_written(pieces: list[str], at: int) -> bool:
    """Whether a quoted path is an argument of a writing call, opened for writing, or written by its method."""
    if pieces[at].startswith(">") or _is_argument_of(pieces, at, _CODE_WRITES):
        return True
    mode = pieces[at + 2] if at + 2 < len(pieces) else ""
    is_opened = _is_argument_of(pieces, at, ("open(", "openSync("))
    following = pieces[at + 1].partition("\n")[0]
    is_method = following.startswith(").") and any(sign in following.partition(";")[0] for sign in _PATH_WRITES)
    return is_method or (is_opened and _is_writing_mode(pieces[at + 1], mode))


def _is_argument_of(pieces: list[str], at: int, names: tuple[str, ...]) -> bool:
    """Whether a quoted string is the first or the second argument of one of these calls."""
    before = pieces[at - 1].rstrip()
    is_second = before == "," and at >= 3 and pieces[at - 3].rstrip().endswith(names)
    return before.endswith(names) or is_second


def _is_writing_mode(before: str, piece: str) -> bool:
    """Whether a quoted string is a writing mode such as the "w" of open(path, "w")."""
    writes = piece.startswith(">") or (not piece.strip("rwaxbt+") and piece.strip("rbt") != "")
    return writes and before.rstrip().endswith((",", "="))


def _read_scripts(call: _Call) -> list[str]:
    """Read the scripts that a shell is given as an argument, on standard input or as a file that was just written."""
    if call.name == "eval":
        scripts = [" ".join(call.operands)]
    elif call.has("-c"):
        scripts = call.operands[:1]
    else:
        is_piped = not [word for word in call.operands if word not in ("-", "/dev/stdin")]
        scripts = call.bodies or ([call.shell.printed] if is_piped else [])
    for script in scripts:
        call.shell.run(script, call.depth + 1)
    for word in call.operands[:1]:
        call.shell.run_file(word, call.depth + 1)
    return []


def _unpacked_into(call: _Call) -> list[str]:
    """Return the folder that an archive is unpacked into, or the archive that is written."""
    if call.name == "unzip":
        return [] if call.has("-d", "-l", "-p", "-t", "-v") else ["."]
    if call.words and not call.words[0].startswith("-"):  # tar xf
        return _unpacked_into(
            _Call(call.shell, ["tar", f"-{call.words[0]}", *call.words[1:]], _COMMANDS["tar"][0], [], 0)
        )
    if call.has("-x", "--extract", "--get"):
        return call.values("-C", "--directory") or ["."]
    return call.values("-f", "--file") if call.has("-c", "-r", "-u", "--create", "--append", "--update") else []


def _change_folder(call: _Call) -> list[str]:
    """Change the folder as `cd`, `pushd` and `popd` do; `popd` goes back one step."""
    folder = "-" if call.name == "popd" else "".join(call.operands[:1])
    call.shell.enter(call.shell.variables["OLDPWD"] if folder == "-" else folder or call.shell.variables["HOME"])
    return []


def _set_variable(call: _Call) -> list[str]:
    """Set the variable of `for name in value` or `| while read name`; with several values, remember them as choices."""
    values = call.shell.piped if call.name == "read" else call.operands[2:]
    if call.operands and len(values) == 1:
        call.shell.assign(call.operands[0], values[0])
    elif call.operands:
        call.shell.variables.pop(call.operands[0], None)
        call.shell.choices[call.operands[0]] = values[:MAX_PIPED_WORDS]
    return []


def _find_roots(words: list[str]) -> list[str]:
    """Return the folders that `find` searches: with everything below, unless it looks for names that no memory has."""
    ends = [at for at, word in enumerate(words) if word.startswith(("-", "(", "!")) and word not in ("-H", "-L", "-P")]
    roots = [word for word in words[: min(ends, default=len(words))] if not word.startswith("-")][:MAX_PIPED_WORDS] or [
        "."
    ]
    named = [
        words[at].replace(GLOB_MARK, "") for at in range(1, len(words)) if words[at - 1].endswith(("name", "path"))
    ]
    finds = any(name.strip("*.") in ("", "json", "md") or "memory" in name or ".claude" in name for name in named)
    is_all = finds or not named or "!" in words or "-not" in words
    return _as_trees(roots) if is_all else [f"{root}/{GLOB_MARK}{named[0]}" for root in roots]


def _run_find(call: _Call) -> list[str]:
    """Execute the commands of `-exec`; return the folders if `-delete` is given."""
    roots = _find_roots(call.words)
    command: list[str] | None = None
    for word in [*call.words, ";"]:
        if command is None:
            command = [] if word in ("-exec", "-execdir", "-ok") else None
        elif word in (";", "+"):
            execute(call.shell, call.shell.fill(command, "{}", roots), [], call.depth + 1)
            command = None
        else:
            command.append(word)
    return roots if "-delete" in call.words else []


def _run_git(call: _Call) -> list[str]:
    """Note what a git command writes, in the folder of its `-C`."""
    shell, words, at = call.shell, [*call.words, ""], 0
    here = shell.variables["PWD"]
    while words[at].startswith("-"):
        if words[at] == "-C":
            shell.enter(words[at + 1])
        elif words[at] == "-c" and "=!" in words[at + 1]:  # an alias that is a script
            shell.run_apart(words[at + 1].partition("!")[2], call.depth + 1)
        at += 2 if words[at] in ("-C", "-c", "--git-dir", "--work-tree") and at + 2 < len(words) else 1
    for word in _written_by_git(_Call(shell, words[at:], "-b -B -e -m -s --source --orphan", [], 0)):
        shell.write(word)
    shell.variables["PWD"] = here
    return []


def _written_by_git(call: _Call) -> list[str]:
    """Return the paths that a git command writes in the work tree; none if it changes the index alone."""
    paths = call.operands if call.name in ("rm", "restore") else []
    if call.name == "mv":
        return _copied_or_moved(call)
    if call.has("-n", "--dry-run", "--cached") or (call.has("-S", "--staged") and not call.has("-W", "--worktree")):
        return []
    if call.name == "clean":
        paths = call.operands or ["."]
    elif call.name == "stash" and call.operands[:1] == ["push"]:
        paths = call.operands[1:]
    elif call.name == "checkout" and "--" in call.words:
        paths = call.words[call.words.index("--") + 1 :]
    elif call.name == "checkout" and not call.has("-b", "-B", "--orphan", "--detach"):
        first = "".join(call.operands[:1])
        is_branch = not (first.startswith("/") or "/." in f"/{first}" or first.endswith((".json", ".md")))
        paths = call.operands[is_branch:]
    return _as_trees(paths)


# Which operands a command writes, if not all.
_OPERANDS_WRITTEN = {
    **dict.fromkeys(("chmod", "chown"), slice(1, None)),
    **dict.fromkeys(("curl", "dd", "sort", "wget"), slice(0)),
    "patch": slice(1),
}
# The options of each command that take a value (see _Call), and the function that returns the words it writes.
_COMMANDS = {
    **dict.fromkeys(("chmod", "chown", "rm", "rmdir", "sponge", "tee", "unlink"), ("", _written_operands)),
    **dict.fromkeys(("mkdir", "shred", "truncate"), ("-m -n -s", _written_operands)),
    "curl": ("-o> --output> --output-dir> -H -d -X -u -A -b -F -m -w -x", _written_operands),
    "dd": ("of>", _written_operands),
    "patch": ("-o> --output> -d> --directory> -i -p -r", _written_operands),
    "sort": ("-o> --output> -k -t -S -T", _written_operands),
    "touch": ("-d -r -t --date --reference", _written_operands),
    "wget": ("-O> --output-document> -P> --directory-prefix> -o>", _written_operands),
    **dict.fromkeys(("cp", "install", "ln", "mv"), ("-t> --target-directory> -S -m -o -g", _copied_or_moved)),
    "rsync": ("-e -f --exclude --include --filter", _copied_or_moved),
    "sed": ("-e -f -i= --expression --file", _edited_in_place),
    **dict.fromkeys(("perl", "ruby"), ("-e -E -i= -I -M", _written_by_code)),
    "python": ("-c -m -W -X", _written_by_code),
    "node": ("-e -p --eval --print", _written_by_code),
    "tar": ("-f --file -C --directory -T -X --exclude", _unpacked_into),
    "unzip": ("-d>", _unpacked_into),
    **dict.fromkeys(("bash", "sh", "zsh", "dash", "ksh", "eval", "source", "."), ("-o -O", _read_scripts)),
    "alias": ("", _define_aliases),
    **dict.fromkeys(("cd", "pushd", "popd"), ("", _change_folder)),
    **dict.fromkeys(("for", "read"), ("-p -d", _set_variable)),
    "find": ("", _run_find),
    "git": ("", _run_git),
}
