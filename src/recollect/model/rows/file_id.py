"""The ids that stand for project files in the journal, beside those of memories and facts."""

FILE_PREFIX = "file:"


def is_file(uid: str) -> bool:
    """Whether an id of the journal is that of a file and not of a memory or fact."""
    return uid.startswith(FILE_PREFIX)
