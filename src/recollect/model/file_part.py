"""Parts of project files that hold no single memory, such as `MEMORY.md`, as the journal keeps them."""

from recollect.model.content import Value
from recollect.model.rows.file_id import FILE_PREFIX


class FilePart(Value):
    """A part of a file before or after a change."""

    path: str
    """The file, from the project's root."""
    at: int
    """Where the part begins, in bytes."""
    text: str | None
    """The part itself; None where the whole file does not exist."""

    @property
    def uid(self) -> str:
        """The id that stands for the file in the journal."""
        return f"{FILE_PREFIX}{self.path}"

    @property
    def image(self) -> str:
        """The part as the journal keeps it: JSON on one line."""
        return self.model_dump_json()
