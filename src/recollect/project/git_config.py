"""Parse git's configuration files. Import-light, because hooks read a remote's address.

Git itself would follow `include.path` out of the repository and act on what the file says. Here it is only text.
"""

MOST_CHARS = 4_096
ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}


def parse(text: str) -> dict[str, list[str]]:
    """Return the values of each setting, in file order, by `section.key` or `section.subsection.key`.

    Section and key are in lower case, a subsection keeps its case. A key without `=` has the value "true". Lines that
    git would refuse are passed over.
    """
    found: dict[str, list[str]] = {}
    section = ""
    for line in _joined_lines(text):
        said = line.strip()
        if said.startswith("["):
            section, said = _section(said)
        key, equals, value = said.partition("=")
        key = key.strip().lower()
        if section and key and not key.startswith(("#", ";")) and _is_key(key):
            found.setdefault(f"{section}.{key}", []).append(_value(value) if equals else "true")
    return found


def _joined_lines(text: str) -> list[str]:
    """Return the lines of a file; one that ends with a backslash goes on in the next."""
    lines: list[str] = []
    pending: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        is_continued = (len(line) - len(line.rstrip("\\"))) % 2
        pending.append(line[:-1] if is_continued else line)
        if not is_continued:
            lines.append("".join(pending))
            pending = []
    return [*lines, "".join(pending)]


def _section(said: str) -> tuple[str, str]:
    """Return the name of `[section "subsection"]`, and what stands behind it on the same line."""
    name, quote, _ = said[1:].partition('"')
    if not quote or "]" in name:
        name, _, rest = said[1:].partition("]")
        return name.strip().lower(), rest.strip()
    subsection, at = "", said.index('"') + 1
    while at < len(said) and said[at] != '"':
        at += said[at] == "\\"
        subsection += said[at : at + 1]
        at += 1
    return f"{name.strip().lower()}.{subsection}", said[at + 1 :].partition("]")[2].strip()


def _is_key(key: str) -> bool:
    return key.replace("-", "").isalnum()


def _value(said: str) -> str:
    """Return a value without quotes and comments, its escapes resolved; of a very long one the beginning."""
    kept, is_quoted, at, ends = "", False, 0, 0
    said = said.lstrip()[:MOST_CHARS]
    while at < len(said):
        sign = said[at]
        if sign == "\\":
            at += 1
            following = said[at : at + 1]
            kept += ESCAPES.get(following, following)
            ends = len(kept)
        elif sign == '"':
            is_quoted = not is_quoted
            ends = len(kept)
        elif sign in "#;" and not is_quoted:
            break
        else:
            kept += sign
            ends = len(kept) if is_quoted or not sign.isspace() else ends
        at += 1
    return kept[:ends]
