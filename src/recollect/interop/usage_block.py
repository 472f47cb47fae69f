"""Read and write the usage block of a markdown memory (A10)."""

from pathlib import Path

from recollect.formats import tagged_markdown
from recollect.formats.source import to_text
from recollect.policy.secrets import screening
from recollect.vault import files
from recollect.vault.files import Writing


def read(place: Path) -> dict[str, object]:
    """Return every field, with its default where the file has none."""
    return tagged_markdown.metadata(_source(place), target=place)


def description(place: Path) -> str:
    """Return the description of a memory for a pointer to it (A7)."""
    return tagged_markdown.description(_source(place), place.stem)


def write_field(place: Path, key: str, value: object) -> dict[str, object]:
    """Set one field, without secrets, and return all fields. The caller holds the folder's lock."""
    source = _source(place)
    fields = tagged_markdown.metadata(source, target=place) | {key: screening.deep(value)}
    with Writing(place.parent) as writing:
        writing.write(place.name, tagged_markdown.write_metadata(source, fields).encode())
    return fields


def ensure(place: Path, session: int) -> bool:
    """Add missing tags; return whether any was missing. The caller holds the folder's lock."""
    source = _source(place)
    whole = tagged_markdown.ensure(source, session)
    if whole != source:
        with Writing(place.parent) as writing:
            writing.write(place.name, whole.encode())
    return whole != source


def _source(place: Path) -> str:
    return to_text(files.read(place), target=place)
