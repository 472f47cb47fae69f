"""Write what a measurement found to a file that the user named."""

from pathlib import Path

from recollect import machine
from recollect.errors import DiskRefused


def write(place: Path, said: str) -> None:
    """Write a file that only its owner reads: it quotes sessions."""
    try:
        place.touch(mode=machine.FILE_MODE)
        place.write_text(said, "utf-8", errors="replace")
    except OSError as error:
        raise DiskRefused(f"cannot be written: {error.strerror}", target=place) from None
