"""What a shell command would write or start, found by reading it: nothing is run, no file is looked at.

A command that is not understood names no path; a variable that cannot be known keeps its literal text, so that the rest
of its path is still seen. Time stays linear: expansions stop when they would multiply the command.
"""

import os

from recollect.hooks.guard.limits import DEEPEST, GLOB, MOST_PIPED, TREE
from recollect.hooks.guard.writing_commands import execute

_LONGEST = 4096  # no system opens a longer path
_MARKS = {0: None, 1: None, 2: None}
_ENDS_WORD = " \t\n;&|()<>"
_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")
_DIGITS = {8: frozenset("01234567"), 16: frozenset("0123456789abcdefABCDEF")}
_REDIRECTIONS = ("&>>", "&>", ">>", ">|", ">&", ">(", "<<<", "<<-", "<<", "<>", "<&", "<(", ">", "<")
_NOT_FILES = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty")


def written_paths(command: str, cwd: str, home: str) -> list[str]:
    """Absolute paths that the command would create, change, move or remove.

    A path that is removed, moved or replaced with all that lies below it ends in "/", any other does not. A glob names
    the folder that it looks into, with "/" if it may take a folder along that holds a vault.
    """
    return list(read_command(command, cwd, home).written)


def read_command(command: str, cwd: str, home: str) -> "Shell":
    """Read a command. `written` has its paths as `written_paths` returns them, `person` what only a person may run."""
    shell = Shell(cwd, home, len(command))
    _Reader(command.translate(_MARKS), shell, 0).run()
    return shell


class Shell:
    """What is known while a command is read: where it stands, what variables hold, what it has written."""

    def __init__(self, cwd: str, home: str, size: int) -> None:
        self.variables = {"HOME": home, "PWD": cwd, "OLDPWD": cwd, "IFS": " "}
        self.piped: list[str] = []
        self.printed, self.output = "", ""  # what the command before a pipe prints, and what this one does
        # Each path with the endings of the names that globs have in that folder, None where it is written itself.
        self.written: dict[str, list[str | None]] = {}
        self.files: dict[str, str] = {}  # what files hold that were written by this command
        self.aliases: dict[str, str] = {}
        self.choices: dict[str, list[str]] = {}  # the values that a loop gives to its variable
        self.person: tuple[str, str, str] | None = None  # what a person has to type instead, why, and in which folder
        self.room = 4 * size + 65536  # characters that expansions may still add

    def can_spend(self, size: int) -> bool:
        """Whether an expansion may still add that many characters."""
        self.room -= size
        return self.room >= 0

    def value(self, name: str, otherwise: str) -> str:
        """What a variable holds, as far as it is known."""
        value = self.variables.get(name)
        return otherwise if value is None or not self.can_spend(len(value)) else value

    def assign(self, name: str, value: str) -> None:
        """Remember what a variable holds."""
        if name != "PWD" and len(value) <= _LONGEST:
            self.variables[name] = self.at_home(value)

    def at_home(self, path: str) -> str:
        """A path with `~` spelt out."""
        return self.variables["HOME"] + path[1:] if path == "~" or path.startswith("~/") else path

    def absolute(self, path: str) -> str:
        """A path from the root."""
        return "/" + os.path.normpath(path if path.startswith("/") else f"{self.variables['PWD']}/{path}").lstrip("/")

    def enter(self, folder: str) -> None:
        """Go to another folder."""
        whole = self.absolute(folder)
        if len(whole) <= _LONGEST:
            self.variables["OLDPWD"], self.variables["PWD"] = self.variables["PWD"], whole

    def write(self, word: str) -> None:
        """A word that is written to."""
        if word in ("", "-", TREE) or len(word) > _LONGEST:
            return
        path, glob, after = self.absolute(word.replace(TREE, "")).partition(GLOB)
        is_tree = TREE in word
        if glob:
            path, _, head = path.rpartition("/")
            whole = head + after.replace(GLOB, "")
            is_tree = _may_mean_a_vault(whole, path) or (is_tree and not whole.strip("*?/"))
        if path not in _NOT_FILES:
            endings = self.written.setdefault(f"{path.rstrip('/')}/" if is_tree else path or "/", [])
            endings.append(after.replace(GLOB, "").rpartition("*")[2] if glob else None)

    def fill(self, words: list[str], place: str, values: list[str]) -> list[str]:
        """Put values where xargs or find puts them."""
        if not self.can_spend(sum(map(len, values)) * sum(word.count(place) for word in words)):
            return words
        return [one for word in words for one in (values if word == place else [word.replace(place, values[0])])]

    def refuse(self, found: tuple[str, str] | None) -> None:
        """Note the first call that needs a person, and where it would run."""
        if found and not self.person:
            self.person = (*found, self.variables["PWD"])

    def keep_file(self, word: str, text: str) -> None:
        """Remember what a file holds from now on."""
        if text and len(word) <= _LONGEST and self.can_spend(len(text)):
            self.files[self.absolute(word)] = text

    def run_file(self, word: str, depth: int) -> None:
        """Read a script that this command wrote before it runs it."""
        text = self.files.pop(self.absolute(word), "") if self.files else ""  # once, for it may run itself
        if text:
            self.run(text, depth)

    def run_apart(self, script: str, depth: int) -> None:
        """Read a script that runs elsewhere, for what it starts: its files are not ours."""
        kept, self.written = self.written, {}
        self.run(script, depth)
        self.written = kept

    def run(self, script: str, depth: int) -> None:
        """Read a script that another shell is given, which cannot move this one."""
        here = self.variables["PWD"]
        if depth < DEEPEST and self.can_spend(len(script)):
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

    def __init__(self, text: str, shell: Shell, depth: int, at: int = 0, resume: int = 0) -> None:
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
        """Read the script in brackets; it cannot move this one."""
        if self.depth < DEEPEST:
            here = self.shell.variables["PWD"]
            reader = _Reader(self.text, self.shell, self.depth + 1, self.at, self.resume)
            reader.run(is_inner=True)
            self.at, self.resume, self.shell.variables["PWD"] = reader.at, reader.resume, here

    def end(self) -> None:
        """Step over an operator and execute the command before it."""
        operator = self.text[self.at : self.at + 1]
        self.at = max(self.at + 1, self.resume if operator == "\n" else 0)
        is_group = self.words == ["}"]  # which prints what the last command in it does
        if self.words or self.redirected:
            for word in self.redirected if "[[" not in self.words else []:  # there > compares
                self.shell.write(word)
            named = [] if is_group else execute(self.shell, self.words, self.bodies, self.depth)
            for word in self.redirected:
                self.shell.keep_file(word, self.shell.output)
            is_piped = operator == "|"
            self.shell.piped = (self.shell.piped + named)[:MOST_PIPED] if is_piped else []
            self.shell.printed = self.shell.output if is_piped else ""
            self.words, self.redirected, self.bodies = [], [], []
        elif operator == "|":  # after a bracket
            self.shell.printed = self.shell.output

    def redirect(self) -> None:
        operator = next(one for one in _REDIRECTIONS if self.text.startswith(one, self.at))
        self.at += len(operator)
        if operator in ("<(", ">("):
            self.nested()
            return
        while self.text.startswith((" ", "\t"), self.at):
            self.at += 1
        start = self.at
        word = self.word()
        if operator in ("<<", "<<-"):
            body = self.heredoc(word.replace(GLOB, ""), indent="\t" if operator == "<<-" else "\n")
            is_literal = any(sign in self.text[start : self.at] for sign in "'\"\\")
            self.bodies.append(body if is_literal else self.expanded(body))
        elif operator == "<<<":
            self.bodies.append(word)
        elif operator == "<" and self.shell.files:
            self.bodies.append(self.shell.files.get(self.shell.absolute(word), ""))
        elif ">" in operator and not (operator == ">&" and word.rstrip("-").isdigit()):
            self.redirected.append(word)

    def expanded(self, body: str) -> str:
        """The body of a heredoc whose variables and commands the shell expands."""
        if self.depth >= DEEPEST or ("$" not in body and "`" not in body) or not self.shell.can_spend(len(body)):
            return body
        return _Reader(body.replace('"', "'") + '"', self.shell, self.depth + 1).quoted('"')

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
        return GLOB + char if is_glob else char

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
        """The character that an escape in $'…' stands for, by number or by name; else the next one as it is."""
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
        return chr(code) if max(map(ord, (GLOB, TREE))) < code < 0xD800 else ""  # no mark of ours, no half of a pair

    def expansion(self, char: str) -> str:
        """What a `$` or a backquote becomes; what cannot be known stays as it is written."""
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
            while self.text[self.at : self.at + 1] in _NAME_CHARACTERS:
                self.at += 1
            name = self.text[named : self.at]
            if after == "{":
                self.until("}")
            return self.shell.value(name, self.text[start : self.at])
        source = self.text[start : self.at]
        return self.shell.variables["PWD"] if source in ("$(pwd)", "`pwd`") else source
