"""Every error that recollect raises on purpose.

    RecollectError
    ├── InvalidMemory        VALIDATION_ERROR         fields that do not fit, all at once
    ├── UnreadableFile       READ_ERROR               a vault file that is not a memory
    ├── BadInput             INPUT_ERROR              an argument or input file that cannot be used
    ├── Forbidden            SECURITY_ERROR           an input path that we refuse to read
    ├── OutsideVault         PATH_ERROR               a target that is not a place for this memory
    ├── NotFound             NOT_FOUND                no memory by that name
    ├── Ambiguous            AMBIGUOUS                more than one memory by that name
    ├── Refused              {CREATE,UPDATE,DELETE,ARCHIVE,UNARCHIVE,RESTORE,UNDO}_ERROR
    ├── Resurrection         ANTI_RESURRECTION_ERROR  created again within 24 hours of its retirement
    ├── MergeRefused         MERGE_ERROR              an update that would lose something
    ├── Conflict             OCC_CONFLICT             the memory changed since it was read
    ├── Untrusted            UNTRUSTED                memories of a clone that nobody has trusted
    ├── SwitchedOff          OFF                      an agent's request where memory is switched off
    ├── NeedsPerson          NEEDS_PERSON             an agent's shell runs what only a person may run
    ├── ConfigError          CONFIG_ERROR             a setting that cannot be read
    └── StoreError           STORE_ERROR              the database cannot be used
        ├── StoreCorrupt     STORE_CORRUPT            its file is damaged
        ├── StoreNewer       STORE_NEWER              a newer recollect wrote it
        ├── StoreForeign     STORE_FOREIGN            another program wrote it
        ├── StoreBusy        STORE_BUSY               another process holds it, or the vault, too long
        └── DiskRefused      DISK_ERROR               full, read-only or failing disk

Each carries `code`, `target` (what it is about), `fix` (the next step) and `details` (further `key: value` lines).
"""


class RecollectError(Exception):
    """Base of all: prints as seed 002's error block, a code line, `key: value` lines and a last `fix:` line (B37)."""

    code = "ERROR"
    default_fix = "Read the message above; `recollect doctor` looks for the cause."

    def __init__(
        self,
        message: str,
        *,
        target: object = None,
        fix: str | None = None,
        details: list[tuple[str, object]] | None = None,
        code: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.target = None if target is None else str(target)
        self.fix = fix or self.default_fix
        self.details = details or []
        if code:
            self.code = code

    def lines(self) -> list[tuple[str, str]]:
        """The block's `key: value` lines, in order, without the fix."""
        head: list[tuple[str, object]] = [("target", self.target)] if self.target is not None else []
        return [(key, str(value)) for key, value in [*head, ("message", self.message), *self.details]]

    def block(self) -> str:
        """The text that the seed surfaces print on standard output."""
        rows = [f"{key}: {value}" for key, value in self.lines()]
        return "\n".join([self.code, *rows, f"fix: {self.fix}"])

    def as_dict(self) -> dict[str, object]:
        """The same for `--json`."""
        return {
            "error": self.code,
            "message": self.message,
            "target": self.target,
            "details": [[key, str(value)] for key, value in self.details],
            "fix": self.fix,
        }


class InvalidMemory(RecollectError):
    """Fields that do not fit the kind's schema, all named at once."""

    code = "VALIDATION_ERROR"
    default_fix = "Correct the fields named above; `recollect config schemas DIR` writes the schemas."


class UnreadableFile(RecollectError):
    """A vault file that is not a memory; the last good version stays in the store."""

    code = "READ_ERROR"
    default_fix = "Correct the file, then run `recollect reconcile`; the last good version is kept."


class BadInput(RecollectError):
    """An argument or input file that cannot be used."""

    code = "INPUT_ERROR"
    default_fix = "Check the argument; `recollect COMMAND --help` shows what it takes."


class Forbidden(RecollectError):
    """An input path outside the places that drafts may come from."""

    code = "SECURITY_ERROR"
    default_fix = "Write the draft below /tmp or recollect's runtime folder, without `..` in its path."


class OutsideVault(RecollectError):
    """A target that is not a place for this memory."""

    code = "PATH_ERROR"
    default_fix = "Name a file as <project>/.claude/memory/<folder>/<slug>.json."


class NotFound(RecollectError):
    """No memory by that name."""

    code = "NOT_FOUND"
    default_fix = "`recollect list --all` shows every memory of this project."


class Ambiguous(RecollectError):
    """More than one memory by that name."""

    code = "AMBIGUOUS"
    default_fix = "Use kind/slug or the id of the one you mean."


class Refused(RecollectError):
    """An action that the memory's status, or its absence, forbids; the code names the action."""

    code = "REFUSED"
    codes = (
        "CREATE_ERROR",
        "UPDATE_ERROR",
        "DELETE_ERROR",
        "ARCHIVE_ERROR",
        "UNARCHIVE_ERROR",
        "RESTORE_ERROR",
        "UNDO_ERROR",
    )


class Resurrection(RecollectError):
    """Created again within 24 hours of its retirement."""

    code = "ANTI_RESURRECTION_ERROR"
    default_fix = "Use another slug, wait 24 hours, or restore the old memory and update it."


class MergeRefused(RecollectError):
    """An update that would lose something."""

    code = "MERGE_ERROR"
    default_fix = "Read the current file, merge your changes into it and try again."


class Conflict(RecollectError):
    """The memory changed since it was read."""

    code = "OCC_CONFLICT"
    default_fix = "Read the memory again, merge your changes and retry with its current hash."


class Untrusted(RecollectError):
    """Memories that came with a clone, which nobody has trusted yet."""

    code = "UNTRUSTED"
    default_fix = "Look at the files, then run `recollect trust` in this checkout."


class SwitchedOff(RecollectError):
    """An agent's request in a folder or session where memory is switched off."""

    code = "OFF"
    default_fix = "`recollect on` there, or `recollect on --session ID`, switches it on again."


class NeedsPerson(RecollectError):
    """A command that only a person may run, called in an agent's shell."""

    code = "NEEDS_PERSON"
    default_fix = "Ask the user to type this command in their own terminal."


class ConfigError(RecollectError):
    """A setting that cannot be read."""

    code = "CONFIG_ERROR"
    default_fix = "Correct it there; docs/reference/settings.md lists every setting with its bounds."


class StoreError(RecollectError):
    """The database cannot be used."""

    code = "STORE_ERROR"


class StoreCorrupt(StoreError):
    """The database file is damaged."""

    code = "STORE_CORRUPT"
    default_fix = "Run `recollect doctor --repair`: it sets the damaged file aside and rebuilds."


class StoreNewer(StoreError):
    """A newer recollect wrote the database."""

    code = "STORE_NEWER"
    default_fix = "Upgrade recollect; nothing was changed."


class StoreForeign(StoreError):
    """The database belongs to another program."""

    code = "STORE_FOREIGN"
    default_fix = "Set RECOLLECT_HOME to a folder for our own, then `recollect import PATH` takes this one in."


class StoreBusy(StoreError):
    """Another process holds the database or the vault for too long."""

    code = "STORE_BUSY"
    default_fix = "Wait for the other program to finish and try again; nothing was changed."


class DiskRefused(StoreError):
    """A full, read-only or failing disk."""

    code = "DISK_ERROR"
    default_fix = "Free space or make the folder writable, then try again; nothing was changed."


class ModelMissing(RecollectError):
    """The package that holds the word vectors is not there, or not the one that we know."""

    code = "MODEL_MISSING"
    default_fix = "Install recollect again with its dependencies; until then memories are found by their words."
