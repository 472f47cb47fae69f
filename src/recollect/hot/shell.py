"""The paths that a shell command would write, found by reading it: nothing is run, no file is looked at.

A command that is not understood names no path; a variable that cannot be known keeps its literal text, so that the rest
of its path is still seen. Time stays linear: expansions stop when they would multiply the command.
"""

import os

_LONGEST = 4096  # no system opens a longer path
_DEEPEST = 8  # commands inside commands
_MOST_PIPED = 64  # words that xargs is given
# Marks inside words, taken out of a command before it is read so that none can be forged.
_GLOB = "\x01"  # stands before a character that the shell expands
_TREE = "\x02"  # stands after a path that is written with all that lies below it
_MARKS = {0: None, 1: None, 2: None}
_ENDS_WORD = " \t\n;&|()<>"
_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")
_REDIRECTIONS = ("&>>", "&>", ">>", ">|", ">&", ">(", "<<<", "<<-", "<<", "<>", "<&", "<(", ">", "<")
_NOT_FILES = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty")
_KEYWORDS = ("if", "then", "else", "elif", "fi", "do", "done", "while", "until", "!", "{", "}")
_WRAPPERS = {  # command -> its options that take a value; what follows them is the command that it runs
    **dict.fromkeys(("command", "builtin", "exec", "time", "nohup", "export", "local", "declare", "function"), ""),
    **dict.fromkeys(("env", "sudo"), "-u -g -C"),
    "nice": "-n",
    "timeout": "-s -k",
    "xargs": "-I -n -P -L -d -s -E -a",
}
_CODE_WRITES = ("write", "unlink", "remove", "rmtree", "rename", "rm(", "truncate", "shutil")
_CODE_REMOVES = ("rmtree", "rename", "rm(", "move(")


def written_paths(command: str, cwd: str, home: str) -> list[str]:
    """Absolute paths that the command would create, change, move or remove.

    A path that is removed, moved or replaced with all that lies below it ends in "/", any other does not. A glob names
    the folder that it looks into, with "/" if it may take a folder along that holds a vault.
    """
    shell = _Shell(cwd, home, len(command))
    _Reader(command.translate(_MARKS), shell, 0).run()
    return list(shell.written)


def touches(paths: list[str], folder: str) -> bool:
    """Whether one of the written paths is the folder, lies in it, or takes it along (a path that ends in "/")."""
    inside = os.path.normpath(folder).rstrip("/") + "/"
    spelled = [(os.path.normpath(path).rstrip("/") + "/", path.endswith("/")) for path in paths]
    return any(path.startswith(inside) or (is_tree and inside.startswith(path)) for path, is_tree in spelled)


class _Shell:
    """What is known while a command is read: where it stands, what variables hold, what it has written."""

    def __init__(self, cwd: str, home: str, size: int) -> None:
        self.variables = {"HOME": home, "PWD": cwd, "OLDPWD": cwd}
        self.piped: list[str] = []
        self.written: dict[str, None] = {}
        self.room = 4 * size + 65536  # characters that expansions may still add

    def can_spend(self, size: int) -> bool:
        self.room -= size
        return self.room >= 0

    def value(self, name: str, otherwise: str) -> str:
        value = self.variables.get(name)
        return otherwise if value is None or not self.can_spend(len(value)) else value

    def assign(self, name: str, value: str) -> None:
        if name != "PWD" and len(value) <= _LONGEST:
            self.variables[name] = self.at_home(value)

    def at_home(self, path: str) -> str:
        return self.variables["HOME"] + path[1:] if path == "~" or path.startswith("~/") else path

    def absolute(self, path: str) -> str:
        return "/" + os.path.normpath(path if path.startswith("/") else f"{self.variables['PWD']}/{path}").lstrip("/")

    def enter(self, folder: str) -> None:
        whole = self.absolute(folder)
        if len(whole) <= _LONGEST:
            self.variables["OLDPWD"], self.variables["PWD"] = self.variables["PWD"], whole

    def write(self, word: str) -> None:
        if word in ("", "-", _TREE) or len(word) > _LONGEST:
            return
        path, glob, after = self.absolute(word.replace(_TREE, "")).partition(_GLOB)
        is_tree = _TREE in word
        if glob:
            path, _, head = path.rpartition("/")
            whole = head + after.replace(_GLOB, "")
            is_tree = _may_mean_a_vault(whole, path) or (is_tree and not whole.strip("*?/"))
        if path not in _NOT_FILES:
            self.written[f"{path.rstrip('/')}/" if is_tree else path or "/"] = None

    def fill(self, words: list[str], place: str, values: list[str]) -> list[str]:
        """Put values where xargs or find puts them."""
        if not self.can_spend(sum(map(len, values)) * sum(word.count(place) for word in words)):
            return words
        return [one for word in words for one in (values if word == place else [word.replace(place, values[0])])]

    def run(self, script: str, depth: int) -> None:
        """Read a script that another shell is given, which cannot move this one."""
        here = self.variables["PWD"]
        if depth < _DEEPEST and self.can_spend(len(script)):
            _Reader(script.translate(_MARKS), self, depth).run()
        self.variables["PWD"] = here


def _may_mean_a_vault(glob: str, folder: str) -> bool:
    """Whether a glob in a folder may mean `.claude`, or in that one `memory`."""
    name = "memory" if folder.endswith("/.claude") else ".claude"
    part = glob.partition("/")[0].replace("?", "*").replace("[", "*").replace("]", "*")
    head, tail = part.partition("*")[0], part.rpartition("*")[2]
    is_explicit = head != "" or not name.startswith(".")  # * names no hidden file
    return name in part if "{" in part else is_explicit and name.startswith(head) and name.endswith(tail)


class _Reader:
    """The tokenizer: takes words off a script and executes each simple command as soon as it is complete."""

    def __init__(self, text: str, shell: _Shell, depth: int, at: int = 0, resume: int = 0) -> None:
        self.text, self.shell, self.depth, self.at = text, shell, depth, at
        self.resume = resume  # where the script goes on after the heredocs of this line
        self.words: list[str] = []
        self.redirected: list[str] = []
        self.bodies: list[str] = []

    def run(self, *, is_inner: bool = False) -> None:
        """Read to the end, or to the bracket that closes an inner script."""
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in " \t":
                self.at += 1
            elif char == "#":
                self.until("\n")
                self.at -= 1
            elif char in "<>" or self.text.startswith("&>", self.at):
                self.redirect()
            elif char not in _ENDS_WORD:
                word = self.word()
                is_descriptor = word.isdigit() and self.text[self.at : self.at + 1] in ("<", ">")
                self.words.extend([] if is_descriptor else [word])
            else:
                self.end()
                if char == "(":
                    self.nested()
                elif char == ")" and is_inner:
                    return
        self.end()

    def nested(self) -> None:
        """Read the script in brackets; it cannot move this one."""
        if self.depth < _DEEPEST:
            here = self.shell.variables["PWD"]
            reader = _Reader(self.text, self.shell, self.depth + 1, self.at, self.resume)
            reader.run(is_inner=True)
            self.at, self.resume, self.shell.variables["PWD"] = reader.at, reader.resume, here

    def end(self) -> None:
        """Step over an operator and execute the command before it."""
        operator = self.text[self.at : self.at + 1]
        self.at = max(self.at + 1, self.resume if operator == "\n" else 0)
        if self.words or self.redirected:
            for word in self.redirected if "[[" not in self.words else []:  # there > compares
                self.shell.write(word)
            named = _execute(self.shell, self.words, self.bodies, self.depth)
            self.shell.piped = (self.shell.piped + named)[:_MOST_PIPED] if operator == "|" else []
            self.words, self.redirected, self.bodies = [], [], []

    def redirect(self) -> None:
        operator = next(one for one in _REDIRECTIONS if self.text.startswith(one, self.at))
        self.at += len(operator)
        if operator in ("<(", ">("):
            self.nested()
            return
        while self.text.startswith((" ", "\t"), self.at):
            self.at += 1
        word = self.word()
        if operator in ("<<", "<<-"):
            self.bodies.append(self.heredoc(word.replace(_GLOB, ""), indent="\t" if operator == "<<-" else "\n"))
        elif operator == "<<<":
            self.bodies.append(word)
        elif ">" in operator and not (operator == ">&" and word.rstrip("-").isdigit()):
            self.redirected.append(word)

    def heredoc(self, delimiter: str, *, indent: str) -> str:
        start = (self.resume if self.resume > self.at else self.text.find("\n", self.at) + 1) or len(self.text)
        self.resume = start
        while self.resume < len(self.text):
            begins, stop = self.resume, self.text.find("\n", self.resume)
            self.resume = len(self.text) if stop < 0 else stop + 1
            if self.text[begins : self.resume].rstrip("\n").lstrip(indent) == delimiter:
                return self.text[start:begins]
        return self.text[start:]

    def word(self) -> str:
        pieces = []
        if self.text.startswith("~", self.at) and self.text[self.at + 1 : self.at + 2] in ("", "/", *_ENDS_WORD):
            pieces.append(self.shell.value("HOME", "~"))
            self.at += 1
        while self.at < len(self.text) and self.text[self.at] not in _ENDS_WORD:
            pieces.append(self.piece())
        return "".join(pieces)

    def piece(self) -> str:
        char, after = self.text[self.at], self.text[self.at + 1 : self.at + 2]
        self.at += 1
        if char == "'":
            return self.until("'")
        if char == "\\":
            self.at += 1
            return after.strip("\n")
        if char == '"' or (char == "$" and after in ("'", '"')):
            self.at += char == "$"
            return self.quoted('"' if char == '"' else after)
        if char in "$`":
            return self.expansion(char)
        is_glob = char in "*?" or (char in "[{" and after not in ("", "[", "}", " ", "\t", "\n"))
        return _GLOB + char if is_glob else char

    def until(self, end: str) -> str:
        start, stop = self.at, self.text.find(end, self.at)
        stop = len(self.text) if stop < 0 else stop
        self.at = stop + len(end)
        return self.text[start:stop]

    def quoted(self, quote: str) -> str:
        """What stands in "…", where variables are expanded, or in $'…', where they are not."""
        pieces = []
        while self.at < len(self.text) and self.text[self.at] != quote:
            char, after = self.text[self.at], self.text[self.at + 1 : self.at + 2]
            self.at += 1
            if char == "\\" and (quote == "'" or after in ("$", "`", '"', "\\", "\n")):
                self.at += 1
                pieces.append(after.strip("\n"))
            else:
                pieces.append(self.expansion(char) if char in "$`" and quote == '"' else char)
        self.at += 1
        return "".join(pieces)

    def expansion(self, char: str) -> str:
        """What a `$` or a backquote becomes; what cannot be known stays as it is written."""
        start, after = self.at - 1, self.text[self.at : self.at + 1]
        self.at += char == "$" and after in ("{", "(", "?", "*", "@", "#", "!", "$", "-")
        if char == "`":
            self.shell.run(self.until("`"), self.depth + 1)
        elif after == "(" and self.text.startswith("(", self.at):
            self.until("))")
        elif after == "(":
            self.nested()
        else:
            named = self.at
            while self.text[self.at : self.at + 1] in _NAME_CHARACTERS:
                self.at += 1
            name = self.text[named : self.at]
            if after == "{":
                self.until("}")
            return self.shell.value(name, self.text[start : self.at])
        source = self.text[start : self.at]
        return self.shell.variables["PWD"] if source in ("$(pwd)", "`pwd`") else source


class _Call:
    """A command's operands and options. Of those with a value, `-o>` writes it, `-o=` has it attached or not at all."""

    def __init__(self, shell: _Shell, words: list[str], valued: str, bodies: list[str], depth: int) -> None:
        self.shell, self.name, self.words, self.bodies, self.depth = shell, words[0], words[1:], bodies, depth
        self.operands: list[str] = []
        self.options: dict[str, list[str]] = {}
        kinds = {one.rstrip("=>"): one[-1] for one in valued.split()}
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
        """The last option of a word and the value attached to it; the flags before it are noted."""
        if word.startswith("--") or not word.startswith("-"):  # dd of=path
            return word.partition("=")[0], word.partition("=")[2]
        at = 1
        while at + 1 < len(word) and f"-{word[at]}" not in kinds:
            self.options.setdefault(f"-{word[at]}", [])
            at += 1
        return f"-{word[at]}", word[at + 1 :]

    def has(self, *names: str) -> bool:
        return any(name in self.options for name in names)

    def values(self, *names: str) -> list[str]:
        return [value for name in names for value in self.options.get(name, []) if value]


def _execute(shell: _Shell, words: list[str], bodies: list[str], depth: int) -> list[str]:
    """Note what one simple command writes; returns what it may print the names of, for xargs."""
    words = _unwrapped(shell, words)
    name = words[0].rpartition("/")[2] if words else ""
    name = "python" if name.startswith("python") else name  # python3.12
    if name in _COMMANDS and depth < _DEEPEST:
        valued, targets = _COMMANDS[name]
        for word in targets(_Call(shell, [name, *words[1:]], valued, bodies, depth)):
            shell.write(word)
    return _found(words[1:]) if name == "find" else [word for word in words[1:] if not word.startswith("-")]


def _unwrapped(shell: _Shell, words: list[str]) -> list[str]:
    """The command itself, without the keywords, assignments and wrappers in front of it."""
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


def _trees(words: list[str]) -> list[str]:
    return [word + _TREE for word in words]


def _listed(call: _Call) -> list[str]:
    is_removed = call.name == "rm" and call.has("-r", "-R", "--recursive")
    return _trees(call.operands) if is_removed else call.operands[_WHICH_OPERANDS.get(call.name, slice(None))]


def _carried(call: _Call) -> list[str]:
    """The destination of a copy or a move, and where in it a folder would land; what is moved is gone."""
    given = call.values("-t", "--target-directory")[:1]
    sources = call.operands if given else call.operands[:-1]
    into = given or call.operands[1:][-1:]
    is_move = call.name == "mv"
    if call.name == "install" and call.has("-d"):
        return call.operands
    if is_move or call.has("-r", "-R", "-a", "--recursive", "--archive"):
        names = [source.rstrip("/").rpartition("/")[2] for source in sources[:_MOST_PIPED]]
        into = into + [f"{folder}/{name}" for folder in into for name in names if name.strip(".") and _GLOB not in name]
    return _trees(sources if is_move else []) + (_trees(into) if call.has("--delete") else into)


def _edited(call: _Call) -> list[str]:
    """What -i edits in place: all operands but the script."""
    is_given = call.values("-e", "-E", "-f", "--expression", "--file")
    return call.operands[0 if is_given else 1 :] if call.has("-i", "--in-place", "--inplace") else []


def _interpreted(call: _Call) -> list[str]:
    """Code is not parsed: if it seems to write, each of its quoted strings with a slash counts."""
    found = _edited(call)
    for code in call.values("-c", "-e", "-E", "-p", "-r", "--eval", "--print") + call.bodies:
        pieces = code.replace('"', "'").replace("`", "'").split("'")
        opens = "open(" in code and any(_is_mode(pieces[at - 1], pieces[at]) for at in range(1, len(pieces) - 1))
        if opens or any(sign in code for sign in _CODE_WRITES):
            named = [piece.lstrip("> ") for piece in pieces[1:-1] if "/" in piece and "\n" not in piece]
            paths = [call.shell.at_home(piece) for piece in named]
            found = found + (_trees(paths) if any(sign in code for sign in _CODE_REMOVES) else paths)
    return found


def _is_mode(before: str, piece: str) -> bool:
    """Whether a quoted string is the "w" of open(path, "w"): what is opened to be read is not written."""
    writes = piece.startswith(">") or (not piece.strip("rwaxbt+") and piece.strip("rbt") != "")
    return writes and before.rstrip().endswith((",", "="))


def _scripted(call: _Call) -> list[str]:
    scripts = [" ".join(call.operands)] if call.name == "eval" else call.operands[:1] if call.has("-c") else call.bodies
    for script in scripts:
        call.shell.run(script, call.depth + 1)
    return []


def _unpacked(call: _Call) -> list[str]:
    if call.name == "unzip":
        return [] if call.has("-d", "-l", "-p", "-t", "-v") else ["."]
    if call.words and not call.words[0].startswith("-"):  # tar xf
        return _unpacked(_Call(call.shell, ["tar", f"-{call.words[0]}", *call.words[1:]], _COMMANDS["tar"][0], [], 0))
    if call.has("-x", "--extract", "--get"):
        return call.values("-C", "--directory") or ["."]
    return call.values("-f", "--file") if call.has("-c", "-r", "-u", "--create", "--append", "--update") else []


def _entered(call: _Call) -> list[str]:
    folder = "-" if call.name == "popd" else "".join(call.operands[:1])
    call.shell.enter(call.shell.variables["OLDPWD"] if folder == "-" else folder or call.shell.variables["HOME"])
    return []


def _looped(call: _Call) -> list[str]:
    """`for name in value` or `| while read name`: with one value, and a glob is one, the variable is known."""
    values = call.shell.piped if call.name == "read" else call.operands[2:]
    if call.operands and len(values) == 1:
        call.shell.assign(call.operands[0], values[0])
    return []


def _found(words: list[str]) -> list[str]:
    """Where find looks; with all that lies below, unless it looks for names that no memory has."""
    ends = [at for at, word in enumerate(words) if word.startswith(("-", "(", "!")) and word not in ("-H", "-L", "-P")]
    roots = [word for word in words[: min(ends, default=len(words))] if not word.startswith("-")][:_MOST_PIPED] or ["."]
    named = [words[at].replace(_GLOB, "") for at in range(1, len(words)) if words[at - 1].endswith(("name", "path"))]
    finds = any(name.strip("*.") in ("", "json", "md") or "memory" in name or ".claude" in name for name in named)
    is_all = finds or not named or "!" in words or "-not" in words
    return _trees(roots) if is_all else [f"{root}/{_GLOB}{named[0]}" for root in roots]


def _searched(call: _Call) -> list[str]:
    roots = _found(call.words)
    command: list[str] | None = None
    for word in [*call.words, ";"]:
        if command is None:
            command = [] if word in ("-exec", "-execdir", "-ok") else None
        elif word in (";", "+"):
            _execute(call.shell, call.shell.fill(command, "{}", roots), [], call.depth + 1)
            command = None
        else:
            command.append(word)
    return roots if "-delete" in call.words else []


def _git(call: _Call) -> list[str]:
    shell, words, at = call.shell, [*call.words, ""], 0
    here = shell.variables["PWD"]
    while words[at].startswith("-"):
        if words[at] == "-C":
            shell.enter(words[at + 1])
        at += 2 if words[at] in ("-C", "-c", "--git-dir", "--work-tree") and at + 2 < len(words) else 1
    for word in _tracked(_Call(shell, words[at:], "-b -B -e -m -s --source --orphan", [], 0)):
        shell.write(word)
    shell.variables["PWD"] = here
    return []


def _tracked(call: _Call) -> list[str]:
    """The paths that a git command writes; one that changes the index alone, or nothing, has none."""
    paths = call.operands if call.name in ("rm", "restore") else []
    if call.name == "mv":
        return _carried(call)
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
    return _trees(paths)


_WHICH_OPERANDS = {  # command -> which of its operands it writes, if not all
    **dict.fromkeys(("chmod", "chown"), slice(1, None)),
    **dict.fromkeys(("curl", "dd", "sort", "wget"), slice(0)),
    "patch": slice(1),
}
_COMMANDS = {  # command -> its options with a value (see _Call), the function that lists the words it writes
    **dict.fromkeys(("chmod", "chown", "rm", "rmdir", "tee", "unlink"), ("", _listed)),
    **dict.fromkeys(("mkdir", "shred", "truncate"), ("-m -n -s", _listed)),
    "curl": ("-o> --output> --output-dir> -H -d -X -u -A -b -F -m -w -x", _listed),
    "dd": ("of>", _listed),
    "patch": ("-o> --output> -d> --directory> -i -p -r", _listed),
    "sort": ("-o> --output> -k -t -S -T", _listed),
    "touch": ("-d -r -t --date --reference", _listed),
    "wget": ("-O> --output-document> -P> --directory-prefix> -o>", _listed),
    **dict.fromkeys(("cp", "install", "ln", "mv"), ("-t> --target-directory> -S -m -o -g", _carried)),
    "rsync": ("-e -f --exclude --include --filter", _carried),
    "sed": ("-e -f -i= --expression --file", _edited),
    **dict.fromkeys(("perl", "ruby"), ("-e -E -i= -I -M", _interpreted)),
    "python": ("-c -m -W -X", _interpreted),
    "node": ("-e -p --eval --print", _interpreted),
    "tar": ("-f --file -C --directory -T -X --exclude", _unpacked),
    "unzip": ("-d>", _unpacked),
    **dict.fromkeys(("bash", "sh", "zsh", "dash", "eval"), ("-o -O", _scripted)),
    **dict.fromkeys(("cd", "pushd", "popd"), ("", _entered)),
    **dict.fromkeys(("for", "read"), ("-p -d", _looped)),
    "find": ("", _searched),
    "git": ("", _git),
}
