"""The path that a `file:` address names. Loaded when a client names its roots."""

import os
import sys
from urllib.parse import unquote, urlsplit


def path(address: str) -> str:
    """Return the folder of a `file:` address; empty for another kind of address, and where no folder is."""
    try:
        parts = urlsplit(address)
    except ValueError:  # such as `file://[`
        return ""
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return ""
    found = unquote(parts.path)
    if sys.platform == "win32":  # pragma: no cover
        found = found.lstrip("/")
    return found if os.path.isabs(found) and os.path.isdir(found) else ""
