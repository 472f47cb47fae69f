"""Every error that recollect raises on purpose.

    RecollectError
    ├── InvalidMemory        VALIDATION_ERROR         fields do not fit the schema of the kind
    ├── UnreadableFile       READ_ERROR               a vault file is not a valid memory
    ├── BadInput             INPUT_ERROR              an argument or input file cannot be used
    ├── Forbidden            SECURITY_ERROR           an input path that may not be read
    ├── OutsideVault         PATH_ERROR               a target outside the vault, or in the wrong folder of it
    ├── NotFound             NOT_FOUND                no memory has this name
    ├── Ambiguous            AMBIGUOUS                several memories have this name
    ├── Refused              {CREATE,UPDATE,DELETE,ARCHIVE,UNARCHIVE,RESTORE,UNDO}_ERROR
    ├── Resurrection         ANTI_RESURRECTION_ERROR  created again within 24 hours after it was retired
    ├── MergeRefused         MERGE_ERROR              an update would lose data
    ├── Conflict             OCC_CONFLICT             the memory changed since it was read
    ├── Untrusted            UNTRUSTED                memories of a clone that are not trusted yet
    ├── SwitchedOff          OFF                      an agent's request where memory is switched off
    ├── NeedsPerson          NEEDS_PERSON             an agent runs a command that only a person may run
    ├── ConfigError          CONFIG_ERROR             a setting is invalid
    ├── ModelMissing         MODEL_MISSING            the word vectors are not installed
    ├── ExtraMissing         EXTRA_MISSING            an optional part of recollect is not installed
    ├── Closed               CLOSED                   a workspace is used after it was closed
    └── StoreError           STORE_ERROR              the database cannot be used
        ├── StoreCorrupt     STORE_CORRUPT            its file is damaged
        ├── StoreNewer       STORE_NEWER              a newer version of recollect wrote it
        ├── StoreForeign     STORE_FOREIGN            another program wrote it
        ├── StoreBusy        STORE_BUSY               another process has locked it, or the vault, for too long
        └── DiskRefused      DISK_ERROR               the disk is full, read-only or failing

Each error has `code`, `message` (the cause), `target` (the file, memory or argument), `details` (further `key: value`
lines) and `fix` (the next step).
"""


class RecollectError(Exception):
    """Base class. Prints as a block: a code line, `key: value` lines, a last `fix:` line.

    A traceback shows target and fix below the message.
    """  # B37

    code = "ERROR"
    default_fix = "Run `recollect doctor`; it checks the installation and suggests fixes."

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
        if self.target is not None:
            self.add_note(f"target: {self.target}")
        self.add_note(f"fix: {self.fix}")

    def lines(self) -> list[tuple[str, str]]:
        """Return the `key: value` pairs of the block in order, without the fix."""
        target: list[tuple[str, object]] = [("target", self.target)] if self.target is not None else []
        return [(key, str(value)) for key, value in [*target, ("message", self.message), *self.details]]

    def sentence(self) -> str:
        """Return what is wrong in one line, for people: the message, what it is about, and the details."""
        about = self.message if self.target is None else f"{self.message}: {self.target}"
        return "; ".join([about, *(f"{key}: {value}" for key, value in self.details)])

    def block(self) -> str:
        """Return the error block that `recollect write` prints on standard output."""
        rows = [f"{key}: {value}" for key, value in self.lines()]
        return "\n".join([self.code, *rows, f"fix: {self.fix}"])

    def as_dict(self) -> dict[str, object]:
        """Return the error as JSON, for `--json`."""
        return {
            "error": self.code,
            "message": self.message,
            "target": self.target,
            "details": [[key, str(value)] for key, value in self.details],
            "fix": self.fix,
        }


class InvalidMemory(RecollectError):
    """Fields do not fit the schema of the kind; all of them are listed."""

    code = "VALIDATION_ERROR"
    default_fix = "Correct the fields listed above; `recollect config schemas FOLDER` writes the schemas."


class UnreadableFile(RecollectError):
    """A vault file is not a valid memory; the store keeps its last valid version."""

    code = "READ_ERROR"
    default_fix = "Correct the file, then run `recollect reconcile`. The store keeps the last valid version."


class BadInput(RecollectError):
    """An argument or input file cannot be used."""

    code = "INPUT_ERROR"
    default_fix = "Check the argument; `recollect COMMAND --help` lists the options."


class Forbidden(RecollectError):
    """An input path outside the folders that drafts are read from."""

    code = "SECURITY_ERROR"
    default_fix = "Write the draft below /tmp or recollect's runtime folder, without `..` in its path."


class OutsideVault(RecollectError):
    """A target path outside the vault, or in the wrong folder of it."""

    code = "PATH_ERROR"
    default_fix = "Use a path like <project>/.claude/memory/<folder>/<slug>.json."


class NotFound(RecollectError):
    """No memory has this name."""

    code = "NOT_FOUND"
    default_fix = "`recollect recall WORDS` finds memories; `recollect list --all` lists them."


class Ambiguous(RecollectError):
    """Several memories have this name."""

    code = "AMBIGUOUS"
    default_fix = "Use the id, kind/slug, or more of the name."


class Refused(RecollectError):
    """The action is not allowed for a memory with this status, or without one; the code names the action."""

    code = "REFUSED"
    default_fix = "`recollect show NAME` shows the memory and its status."
    codes = (
        "CREATE_ERROR",
        "UPDATE_ERROR",
        "DELETE_ERROR",
        "ARCHIVE_ERROR",
        "UNARCHIVE_ERROR",
        "RESTORE_ERROR",
        "UNDO_ERROR",
        "COMPACT_ERROR",
    )


class Resurrection(RecollectError):
    """A memory is created again within 24 hours after it was retired."""

    code = "ANTI_RESURRECTION_ERROR"
    default_fix = "Use another slug, wait 24 hours, or restore the old memory and update it."


class MergeRefused(RecollectError):
    """An update would lose data."""

    code = "MERGE_ERROR"
    default_fix = "Read the current file, merge your changes into it and try again."


class Conflict(RecollectError):
    """The memory changed since it was read."""

    code = "OCC_CONFLICT"
    default_fix = "Read the memory again, merge your changes and retry with its current hash."


class Untrusted(RecollectError):
    """The repository has memories that you have not trusted yet."""

    code = "UNTRUSTED"
    default_fix = "Look at them with `recollect trust --dry-run`, then run `recollect trust`."


class SwitchedOff(RecollectError):
    """An agent's request in a folder or session where memory is switched off."""

    code = "OFF"
    default_fix = "Run `recollect on` in that folder, or `recollect on --session ID`."


class NeedsPerson(RecollectError):
    """A command that only a person may run, called from a coding agent's shell."""

    code = "NEEDS_PERSON"
    default_fix = "Ask the user to type this command in their own terminal."


class ConfigError(RecollectError):
    """A setting is invalid."""

    code = "CONFIG_ERROR"
    default_fix = "Correct the setting; docs/reference/settings.md lists every setting with its bounds."


class Closed(RecollectError):
    """A workspace is used after it was closed."""

    code = "CLOSED"
    default_fix = "Open it again with `recollect.open(path)`."


class StoreError(RecollectError):
    """The database cannot be used."""

    code = "STORE_ERROR"


class StoreCorrupt(StoreError):
    """The database file is damaged."""

    code = "STORE_CORRUPT"
    default_fix = "Run `recollect doctor --repair`: it sets the damaged file aside and rebuilds the database."


class StoreNewer(StoreError):
    """A newer version of recollect wrote the database."""

    code = "STORE_NEWER"
    default_fix = "Upgrade recollect. Nothing was changed."


class StoreForeign(StoreError):
    """Another program wrote the database."""

    code = "STORE_FOREIGN"
    default_fix = "Set RECOLLECT_HOME to another folder; `recollect import PATH` can import this database."


class StoreBusy(StoreError):
    """Another process has locked the database or the vault for too long."""

    code = "STORE_BUSY"
    default_fix = "Wait until the other process is done, then try again. Nothing was changed."


class DiskRefused(StoreError):
    """The disk is full, read-only or failing."""

    code = "DISK_ERROR"
    default_fix = "Free space or make the folder writable, then try again. Nothing was changed."


class ModelMissing(RecollectError):
    """The package with the word vectors is not installed, or has an unknown version."""

    code = "MODEL_MISSING"
    default_fix = "Install recollect again with its dependencies. Until then, recall finds memories by words only."


class ExtraMissing(RecollectError):
    """An optional part of recollect is not installed."""

    code = "EXTRA_MISSING"
    default_fix = "In your clone of recollect, run `pip install '.[page]'`, or the same with uv or pipx."

    @classmethod
    def of(cls, extra: str, module: str | None) -> "ExtraMissing":
        """Return the error for an extra, one of whose modules could not be imported."""
        return cls(f"this needs the extra `{extra}`", target=module, fix=cls.default_fix.replace("page", extra))
