"""Paths of a checkout, as its listing has them. Loads nothing: every write needs it."""


def bare(path: str, root: str) -> str:
    """Return a path as listings have it: from the root, without `./` and a slash at its end."""
    if root and path.startswith(root.rstrip("/") + "/"):
        path = path[len(root.rstrip("/")) + 1 :]
    while path.startswith("./"):
        path = path[2:]
    return path.rstrip("/") or path


def is_outside(path: str) -> bool:
    """Return whether a path leads out of a checkout: from the root, the home folder, or above."""
    return path.startswith(("/", "~", "../")) or "/../" in path or "\0" in path
