"""Turn the address of a git remote into a project's name. Import-light, because hooks do it too."""

NOT_IN_A_NAME = ("?", "#")
MOST_CHARS = 1_000


def normalise(url: str) -> str:
    """Return `host/owner/name` for every spelling of one remote, without user, token, port, query or `.git`.

    An address without a host becomes `file:` and its path; one that is empty, or nothing but a query, becomes "".
    """
    url = url.strip()
    if len(url) > MOST_CHARS or not url.isprintable():  # a sentence is no address
        return ""
    name = _named(url)
    return name if name.startswith("file:") or not any(sign.isspace() for sign in name) else ""


def _named(url: str) -> str:
    scheme, separator, rest = url.partition("://")
    is_file = bool(separator) and scheme.lower() == "file"
    if separator and not is_file and scheme.replace("+", "").isalpha():
        return _host_and_path(_without_query(rest))
    host, colon, path = url.partition(":")
    if not separator and path.startswith(":"):  # `ext::` and other helpers: a command, not an address
        return ""
    if not separator and colon and "/" not in host and len(host.rpartition("@")[2]) > 1:
        return _joined(_without_user(host), _without_query(path))
    path = _trimmed(_without_query(rest if is_file else url))
    return f"file:{path}" if path else ""


def _host_and_path(rest: str) -> str:
    # A password may hold "/" or "@" where its owner did not escape it: the host follows the last "@" before it.
    host, _, path = rest.partition("/")
    if "@" in path and "@" not in host and ":" in host and not host.rpartition(":")[2].isdigit():
        host, _, path = rest.rpartition("@")[2].partition("/")
    return _joined(_without_port(_without_user(host)), path)


def _joined(host: str, path: str) -> str:
    path = _trimmed(path).strip("/")
    return f"{host.lower()}/{path}" if host and path else ""


def _without_query(rest: str) -> str:
    return min((rest.partition(mark)[0] for mark in NOT_IN_A_NAME), key=len)


def _without_user(host: str) -> str:
    return host.rpartition("@")[2]


def _without_port(host: str) -> str:
    name, _, port = host.rpartition(":")
    return name if name and not host.endswith("]") and port.isdigit() else host


def _trimmed(path: str) -> str:
    return path.rstrip("/").removesuffix(".git").rstrip("/")
