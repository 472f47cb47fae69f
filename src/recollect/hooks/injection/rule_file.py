"""The compiled rules: a small file in the runtime folder from which hooks tell rules by their scope. Import-light.

`write/compiled_rules.py` writes it. The first line has the version, the second the words of every pattern of commands
and files, so that most calls need nothing else. Fields are separated by tabs, the items of a field by the
unit separator.
"""

from recollect import paths

VERSION = "rules 2"
FIELD, ITEM = "\t", "\x1f"
CHECKOUT, OFF_FOLDER, OFF_SESSION, RULE = "C", "O", "S", "R"
_CLEAN = {ord(sign): " " for sign in "\t\n\r\x1f"}


class CompiledCheckout:
    """A known checkout; with an empty root, every other folder."""

    __slots__ = ("clone", "is_on", "project", "root")
    root_commit, unproven, remote = "-", "", None  # not in the file: only its folder and clone are looked at

    def __init__(self, fields: list[str]) -> None:
        self.root, self.clone, self.project = fields[:3]
        self.is_on = fields[3] == "1"
        """Whether memories are told with prompts there (`inject.prompt`)."""


class CompiledRule:
    """A rule that may be told, and what it applies to."""

    __slots__ = (
        "activities", "checked_on", "commands", "doubts", "expires", "files", "kind", "project", "revision", "session",
        "text", "uid",
    )  # fmt: skip

    def __init__(self, fields: list[str]) -> None:
        self.project, self.uid, self.revision, self.kind, self.expires, self.session = fields[:6]
        self.activities, self.commands, self.files = (split(field) for field in fields[6:9])
        self.text = fields[9]
        """The rule in one line, as a model may see it: without secrets, governed and escaped."""
        self.checked_on, self.doubts = fields[10:12]
        """The branch on which the code that it names was checked, and why it may not hold there; empty for neither."""

    def told(self, branch: str) -> str:
        """Return the line that a model sees where a branch is checked out."""
        return f"{self.text} ({self.doubts})" if self.doubts and self.checked_on == branch else self.text

    def is_expired(self, now: float) -> bool:
        """Return whether the rule has expired at a time in seconds."""
        return bool(self.expires) and float(self.expires) <= now


class CompiledRules:
    """What the file holds."""

    __slots__ = ("checkouts", "off_folders", "off_sessions", "rules")

    def __init__(self, lines: list[str]) -> None:
        self.checkouts: list[CompiledCheckout] = []
        self.off_folders: list[str] = []
        self.off_sessions: list[str] = []
        self.rules: list[CompiledRule] = []
        for line in lines:
            mark, *fields = line.split(FIELD)
            if mark == RULE:
                self.rules.append(CompiledRule(fields))
            elif mark == CHECKOUT:
                self.checkouts.append(CompiledCheckout(fields))
            elif mark == OFF_FOLDER:
                self.off_folders += fields
            elif mark == OFF_SESSION:
                self.off_sessions += fields


def read(home: str) -> str:
    """Return the text of the file; empty where there is none, or where another version wrote it."""
    try:
        with open(paths.rules(home), encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
    except OSError:
        return ""
    return text if text.startswith(f"{VERSION}\n") else ""


def parse(text: str) -> CompiledRules:
    """Return what the text of the file holds."""
    return CompiledRules(text.splitlines()[2:] if text else [])


def split(field: str) -> list[str]:
    """Return the items of a field."""
    return field.split(ITEM) if field else []


def line(mark: str, *fields: str) -> str:
    """Return a line of the file; signs that would break it become blanks."""
    return FIELD.join([mark, *(_clean(field) for field in fields)])


def joined(items: "list[str] | tuple[str, ...]") -> str:
    """Return a field of items."""
    return ITEM.join(item.translate(_CLEAN) for item in items)


def _clean(field: str) -> str:
    return field if field.isalnum() else ITEM.join(part.translate(_CLEAN) for part in field.split(ITEM))
