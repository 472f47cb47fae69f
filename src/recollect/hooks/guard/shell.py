"""Read a shell command: which paths it would write, and which call in it needs a person. Import-light.

Nothing is run and no file is read. A command that is not understood writes no path. A variable whose value is unknown
keeps its literal text, so that the rest of its path is still seen. Time stays linear in the command's length:
expansions stop when they would multiply the command.
"""

import os

from recollect.hooks.guard.limits import GLOB_MARK, MAX_DEPTH, MAX_PIPED_WORDS, TREE_MARK
from recollect.hooks.guard.person_only import Refusal
from recollect.hooks.guard.writing_commands import execute

_MAX_PATH_CHARS = 4096  # no system opens a longer path
_WITHOUT_MARKS = {0: None, ord(GLOB_MARK): None, ord(TREE_MARK): None}  # for str.translate
_ENDS_WORD = " \t\n;&|()<>"
_NAME_CHARS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")
_DIGITS = {8: frozenset("01234567"), 16: frozenset("0123456789abcdefABCDEF")}
_REDIRECTIONS = ("&>>", "&>", ">>", ">|", ">&", ">(", "<<<", "<<-", "<<", "<>", "<&", "<(", ">", "<")
_NOT_FILES = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty")


def written_paths(command: str, cwd: str, home: str) -> list[str]:
    """Return the absolute paths that a command would create, change, move or remove.

    A path that is removed, moved or replaced with all that lies below it ends in "/", any other does not. A glob names
    the folder that it looks into, with "/" if it may take a folder along that holds a vault.
    """
    return list(read_command(command, cwd, home).written)


def read_command(command: str, cwd: str, home: str) -> "Shell":
    """Read a command and return the shell: `written` has its paths, `refusal` a call that needs a person."""
    shell = Shell(cwd, home, len(command))
    _Reader(command.translate(_WITHOUT_MARKS), shell, 0).run()
    return shell


class Shell:
    """What is known while a command is read: its folder, its variables, the paths that it writes."""

    def __init__(self, cwd: str, home: str, size: int) -> None:
        self.variables = {"HOME": home, "PWD": cwd, "OLDPWD": cwd, "IFS": " "}
        self.piped: list[str] = []  # the words that the command before a pipe may print, for xargs
        self.printed = ""  # what the command before a pipe prints
        self.output = ""  # what the last command prints
        # Each path with the endings of the names that globs have in that folder; None if the path itself is written.
        self.written: dict[str, list[str | None]] = {}
        self.files: dict[str, str] = {}  # the content of files that this command writes
        self.aliases: dict[str, str] = {}
        self.choices: dict[str, list[str]] = {}  # the values that a loop gives to its variable
        self.refusal: Refusal | None = None  # the first call that needs a person
        self.expansion_chars = 4 * size + 65536  # characters that expansions may still add

    def can_spend(self, size: int) -> bool:
        """Whether an expansion may still add that many characters."""
        self.expansion_chars -= size
        return self.expansion_chars >= 0

    def value(self, name: str, otherwise: str) -> str:
        """Return the value of a variable; `otherwise` if it is unknown or too long."""
        value = self.variables.get(name)
        return otherwise if value is None or not self.can_spend(len(value)) else value

    def assign(self, name: str, value: str) -> None:
        """Set a variable."""
        if name != "PWD" and len(value) <= _MAX_PATH_CHARS:
            self.variables[name] = self.at_home(value)

    def at_home(self, path: str) -> str:
        """Return a path with the home folder in place of `~`."""
        return self.variables["HOME"] + path[1:] if path == "~" or path.startswith("~/") else path

    def absolute(self, path: str) -> str:
        """Return a path from the root, without `.` and `..`."""
        return "/" + os.path.normpath(path if path.startswith("/") else f"{self.variables['PWD']}/{path}").lstrip("/")

    def enter(self, folder: str) -> None:
        """Change the current folder."""
        whole = self.absolute(folder)
        if len(whole) <= _MAX_PATH_CHARS:
            self.variables["OLDPWD"], self.variables["PWD"] = self.variables["PWD"], whole

    def write(self, word: str) -> None:
        """Note that the path of a word is written; its marks say whether it is a glob or a tree."""
        if word in ("", "-", TREE_MARK) or len(word) > _MAX_PATH_CHARS:
            return
        path, glob, after = self.absolute(word.replace(TREE_MARK, "")).partition(GLOB_MARK)
        is_tree = TREE_MARK in word
        if glob:
            path, _, head = path.rpartition("/")
            whole = head + after.replace(GLOB_MARK, "")
            is_tree = _may_match_vault(whole, path) or (is_tree and not whole.strip("*?/"))
        if path not in _NOT_FILES:
            endings = self.written.setdefault(f"{path.rstrip('/')}/" if is_tree else path or "/", [])
            endings.append(after.replace(GLOB_MARK, "").rpartition("*")[2] if glob else None)

    def fill(self, words: list[str], place: str, values: list[str]) -> list[str]:
        """Return the words with values in place of `place`, as xargs and find do."""
        if not self.can_spend(sum(map(len, values)) * sum(word.count(place) for word in words)):
            return words
        filled = (values if word == place else [word.replace(place, values[0])] for word in words)
        return [word for group in filled for word in group]

    def refuse(self, refusal: Refusal | None) -> None:
        """Note the first call that needs a person, and the folder where it would run."""
        if refusal and not self.refusal:
            self.refusal = Refusal(refusal.typed, refusal.reason, self.variables["PWD"])

    def keep_file(self, word: str, text: str) -> None:
        """Remember the content of a file that the command writes."""
        if text and len(word) <= _MAX_PATH_CHARS and self.can_spend(len(text)):
            self.files[self.absolute(word)] = text

    def run_file(self, word: str, depth: int) -> None:
        """Read a script that this command wrote and now runs."""
        text = self.files.pop(self.absolute(word), "") if self.files else ""  # once, for it may run itself
        if text:
            self.run(text, depth)

    def run_apart(self, script: str, depth: int) -> None:
        """Read a script that runs elsewhere, such as on another host: what it starts counts, not what it writes."""
        kept, self.written = self.written, {}
        self.run(script, depth)
        self.written = kept

    def run(self, script: str, depth: int) -> None:
        """Read a script that another shell runs; this shell stays in its folder."""
        here = self.variables["PWD"]
        if depth < MAX_DEPTH and self.can_spend(len(script)):
            _Reader(script.translate(_WITHOUT_MARKS), self, depth).run()
        self.variables["PWD"] = here


def _may_match_vault(glob: str, folder: str) -> bool:
    """Whether a glob in a folder may match `.claude`, or `memory` in a folder of that name."""
    name = "memory" if folder.endswith("/.claude") else ".claude"
    part = glob.partition("/")[0].replace("?", "*").replace("[", "*").replace("]", "*")
    head, tail = part.partition("*")[0], part.rpartition("*")[2]
    is_explicit = head != "" or not name.startswith(".")  # * names no hidden file
    return name in part if "{" in part else is_explicit and name.startswith(head) and name.endswith(tail)


class _Reader:
    """The tokenizer: splits a script into words and hands each simple command to `execute` when it is complete."""

    def __init__(self, text: str, shell: Shell, depth: int, at: int = 0, resume: int = 0) -> None:
        self.text, self.shell, self.depth, self.at = text, shell, depth, at
        self.resume = resume  # the position behind the heredocs of this line
        self.words: list[str] = []
        self.redirected: list[str] = []  # the targets of `>`
        self.bodies: list[str] = []  # heredocs, and files read with `<`

    def run(self, *, is_inner: bool = False) -> None:
        """Read to the end, or to the closing bracket of an inner script."""
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in " \t":
                self.at += 1
            elif self.text.startswith("\\\n", self.at):  # the line goes on
                self.at += 2
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
        """Read the script in brackets; the outer one stays in its folder."""
        if self.depth < MAX_DEPTH:
            here = self.shell.variables["PWD"]
            reader = _Reader(self.text, self.shell, self.depth + 1, self.at, self.resume)
            reader.run(is_inner=True)
            self.at, self.resume, self.shell.variables["PWD"] = reader.at, reader.resume, here

    def end(self) -> None:
        """Step over an operator and execute the command before it."""
        operator = self.text[self.at : self.at + 1]
        self.at = max(self.at + 1, self.resume if operator == "\n" else 0)
        is_group = self.words == ["}"]  # a group prints what its last command prints
        if self.words or self.redirected:
            for word in self.redirected if "[[" not in self.words else []:  # there > compares
                self.shell.write(word)
            named = [] if is_group else execute(self.shell, self.words, self.bodies, self.depth)
            for word in self.redirected:
                self.shell.keep_file(word, self.shell.output)
            is_piped = operator == "|"
            self.shell.piped = (self.shell.piped + named)[:MAX_PIPED_WORDS] if is_piped else []
            self.shell.printed = self.shell.output if is_piped else ""
            self.words, self.redirected, self.bodies = [], [], []
        elif operator == "|":  # after a bracket
            self.shell.printed = self.shell.output

    def redirect(self) -> None:
        """Read a redirection and its target, heredoc or inner script."""
        operator = next(sign for sign in _REDIRECTIONS if self.text.startswith(sign, self.at))
        self.at += len(operator)
        if operator in ("<(", ">("):
            self.nested()
            return
        while self.text.startswith((" ", "\t"), self.at):
            self.at += 1
        start = self.at
        word = self.word()
        if operator in ("<<", "<<-"):
            body = self.heredoc(word.replace(GLOB_MARK, ""), indent="\t" if operator == "<<-" else "\n")
            is_literal = any(sign in self.text[start : self.at] for sign in "'\"\\")
            self.bodies.append(body if is_literal else self.expanded(body))
        elif operator == "<<<":
            self.bodies.append(word)
        elif operator == "<" and self.shell.files:
            self.bodies.append(self.shell.files.get(self.shell.absolute(word), ""))
        elif ">" in operator and not (operator == ">&" and word.rstrip("-").isdigit()):
            self.redirected.append(word)

    def expanded(self, body: str) -> str:
        """Return the body of a heredoc with its variables and commands expanded."""
        if self.depth >= MAX_DEPTH or ("$" not in body and "`" not in body) or not self.shell.can_spend(len(body)):
            return body
        return _Reader(body.replace('"', "'") + '"', self.shell, self.depth + 1).quoted('"')

    def heredoc(self, delimiter: str, *, indent: str) -> str:
        """Return the lines of a heredoc up to its delimiter, before which `indent` may stand."""
        start = (self.resume if self.resume > self.at else self.text.find("\n", self.at) + 1) or len(self.text)
        self.resume = start
        while self.resume < len(self.text):
            begins, stop = self.resume, self.text.find("\n", self.resume)
            self.resume = len(self.text) if stop < 0 else stop + 1
            if self.text[begins : self.resume].rstrip("\n").lstrip(indent) == delimiter:
                return self.text[start:begins]
        return self.text[start:]

    def word(self) -> str:
        """Read a word and return it unquoted, with variables expanded and globs marked."""
        pieces = []
        if self.text.startswith("~", self.at) and self.text[self.at + 1 : self.at + 2] in ("", "/", *_ENDS_WORD):
            pieces.append(self.shell.value("HOME", "~"))
            self.at += 1
        while self.at < len(self.text) and self.text[self.at] not in _ENDS_WORD:
            pieces.append(self.piece())
        return "".join(pieces)

    def piece(self) -> str:
        """Read a quoted part, an expansion or one character of a word."""
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
        return GLOB_MARK + char if is_glob else char

    def until(self, end: str) -> str:
        """Return the text up to an end sign and step over it; up to the end of the script if it is missing."""
        start, stop = self.at, self.text.find(end, self.at)
        stop = len(self.text) if stop < 0 else stop
        self.at = stop + len(end)
        return self.text[start:stop]

    def quoted(self, quote: str) -> str:
        """Return what stands in "…", where variables are expanded, or in $'…', where escapes are."""
        pieces = []
        while self.at < len(self.text) and self.text[self.at] != quote:
            char, after = self.text[self.at], self.text[self.at + 1 : self.at + 2]
            self.at += 1
            if char == "\\" and quote == "'":
                pieces.append(self.escaped())
            elif char == "\\" and after in ("$", "`", '"', "\\", "\n"):
                self.at += 1
                pieces.append(after.strip("\n"))
            else:
                pieces.append(self.expansion(char) if char in "$`" and quote == '"' else char)
        self.at += 1
        return "".join(pieces)

    def escaped(self) -> str:
        """Return the character that an escape in $'…' stands for, by number or by name; else the next one as it is."""
        char = self.text[self.at : self.at + 1]
        self.at += 1
        base, most = {"x": (16, 2), "u": (16, 4), "U": (16, 8)}.get(char, (8, 3))
        start = self.at if base == 16 else self.at - 1
        stop = start
        while stop < start + most and self.text[stop : stop + 1] in _DIGITS[base]:
            stop += 1
        if stop == start:
            return {"n": "\n", "t": "\t", "r": "\r"}.get(char, char)
        self.at = stop
        code = int(self.text[start:stop], base)
        return chr(code) if max(map(ord, (GLOB_MARK, TREE_MARK))) < code < 0xD800 else ""  # no mark, no surrogate

    def expansion(self, char: str) -> str:
        """Return what a `$` or a backquote becomes; its source text if that is unknown."""
        start, after = self.at - 1, self.text[self.at : self.at + 1]
        self.at += char == "$" and after in ("{", "(", "?", "*", "@", "#", "!", "$", "-")
        if char == "`":
            self.shell.run(self.until("`"), self.depth + 1)
        elif after == "(" and self.text.startswith("(", self.at):
            self.until("))")
        elif after == "(":
            self.shell.output = ""
            self.nested()
            printed = self.shell.output.strip("\n")
            if printed and self.shell.can_spend(len(printed)):
                return printed
        else:
            named = self.at
            while self.text[self.at : self.at + 1] in _NAME_CHARS:
                self.at += 1
            name = self.text[named : self.at]
            if after == "{":
                self.until("}")
            return self.shell.value(name, self.text[start : self.at])
        source = self.text[start : self.at]
        return self.shell.variables["PWD"] if source in ("$(pwd)", "`pwd`") else source
