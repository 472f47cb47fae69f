"""The roles of the database as a whole: transactions, settings, upkeep."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol


class Transactions(Protocol):
    """Reads see the last commit; writes happen inside `writing`."""

    def writing(self, *, durable: bool = True) -> AbstractContextManager[None]:
        """Open a transaction: all or nothing. What is durable survives a power cut."""

    def version(self) -> int:
        """Return a number that is another one after every commit, of this or any other process."""


class Settings(Protocol):
    """Small values that the store remembers by name."""

    def setting(self, name: str) -> str | None:
        """Return the value of a name; None if there is none."""

    def set_setting(self, name: str, value: str | None) -> None:
        """Remember a value; None deletes it."""

    def settings(self, prefix: str) -> dict[str, str]:
        """Return the values of all names with a prefix."""


class Maintenance(Protocol):
    """Where the database is, whether it is sound, and how it is copied and rewritten."""

    @property
    def home(self) -> Path:
        """The folder that the store's files, locks and manifest are in."""

    @property
    def location(self) -> str:
        """Where the database is, to be shown to a person."""

    def live_files(self) -> list[Path]:
        """Return the files of the open database, whether or not each exists now; the main one first."""

    def all_files(self) -> list[Path]:
        """Return every existing file of the database, with the copies that migrations and repairs left in `home`."""

    def copy_to(self, copy: Path) -> None:
        """Write a whole copy of the database, as it is at this moment, to a new file."""

    def problems(self) -> list[str]:
        """Return what the engine's own checks find; empty for a sound database."""

    def scrub(self, said: Callable[[str], str], image: Callable[[str], str]) -> int:
        """Replace each text by `said` of it and each image by `image` of it; return how many rows changed."""

    def erase(self, uid: str) -> None:
        """Erase what is left of a purged memory: its images in the journal, and its title in receipts."""

    def erase_in_copies(self, uid: str) -> None:
        """Erase a memory from the copies of the database: backups, and what migrations and repairs left."""

    def settle(self) -> None:
        """Rewrite the database's files, so that no deleted text is left in them."""

    def close(self) -> None:
        """Close every connection."""
