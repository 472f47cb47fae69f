"""Values that a heading names: columns of tables and of SQL, the data of a Kubernetes secret. Import-light."""

from recollect.policy.secrets import shapes
from recollect.policy.secrets.shapes import BLANKS, NAME, Spot

_MARKS = ",;|\t"
_LONGEST_HEADING, _ROWS_CHARS, _MOST_COLUMNS = 600, 6_000, 40
_DECORATION = " \t\"'`*_\0"
_RULER = "-+|=: \t"
_OTHER_DATA = ("crt", "cert", "user", "host", "port", "name")


def plain(window: str) -> str:
    """Return a text of the same length with line ends, tabs and quotes for their escapes in JSON."""
    if "\\" not in window:
        return window
    window = window.replace('\\"', ' "').replace("\\r\\n", "   \n")
    return window.replace("\\n", " \n").replace("\\t", " \t")


def cells(text: str, at: int, after: int) -> list[Spot]:
    """Find the credentials below the heading between two positions; none if it heads no column of a table."""
    follows = text[after : after + 12].lstrip(_DECORATION + "\\")[:1]
    if follows not in ("", "n", "r", "t", "\n", "\r", *_MARKS):
        return []
    first = max(0, at - _LONGEST_HEADING)
    window, here = plain(text[first : after + _LONGEST_HEADING]), at - first
    start = window.rfind("\n", 0, here) + 1
    stop = window.find("\n", after - first)
    string = max(window.rfind('":"', start, here), window.rfind('": "', start, here))
    start = window.find('"', string + 2) + 1 if string >= 0 else start
    heading = window[start:stop]
    if not 0 < stop - start < _LONGEST_HEADING or (start == 0 and first > 0):
        return []
    mark = max(_MARKS, key=heading.count)
    if not 0 < heading.count(mark) < _MOST_COLUMNS or not _is_heading(heading, mark):
        return []
    above = window[: max(0, start - 1)].rpartition("\n")[2]
    if above.count(mark) >= heading.count(mark):
        return []  # a row of a table, not its heading
    place = window.count(mark, start, here)
    window = plain(text[first : after + _ROWS_CHARS])
    found = _cells_below(window, stop + 1, mark, place, heading.count(mark) + 1)
    return [(first + begin, first + end, "credentials") for begin, end in found]


def _is_heading(heading: str, mark: str) -> bool:
    """Whether every cell is a title of up to three words."""
    names = heading.strip(BLANKS + "|").split(mark)
    return all(_is_title(name.strip(_DECORATION + "\r")) for name in names)


def _is_title(name: str) -> bool:
    words = name.split(" ")
    return len(words) < 4 and all(word and not word.strip(NAME + "./()") and not word[0].isdigit() for word in words)


def _cells_below(window: str, at: int, mark: str, column: int, columns: int) -> list[tuple[int, int]]:
    """Return start and end of the credentials of a column, up to the first line with another number of cells."""
    found = list[tuple[int, int]]()
    while at < len(window):
        stop = window.find("\n", at)
        line = window[at : stop if stop >= 0 else len(window)]
        parts = line.split(mark)
        if line.strip(_RULER):
            if len(parts) != columns:
                break
            cell = parts[column].strip(_DECORATION + "\r")
            begin = at + sum(len(part) + 1 for part in parts[:column]) + parts[column].find(cell)
            cell = cell.partition('"')[0].rstrip(_DECORATION)  # the end of the string of JSON around it
            if is_cell(cell):
                found.append((begin, begin + len(cell)))
        if stop < 0:
            break
        at = stop + 1
    return found


def is_cell(cell: str) -> bool:
    """Whether a cell below the name of a credential is one: digits or symbols among letters."""
    if (
        not 6 <= len(cell) <= 4_000
        or " " in cell
        or shapes.is_sham(cell)
        or shapes.is_slug(cell)
        or shapes.is_path(cell)
    ):
        return False
    found = shapes.kinds(cell)
    has_letter, has_sign = "a" in found or "A" in found, any(map(cell[1:-1].__contains__, "!#$%&*+=?^~@"))
    return has_letter and ("o" in found or has_sign)


def inserted(text: str, at: int, after: int) -> list[Spot]:
    """Find the values of an SQL INSERT for the column whose name stands between two positions."""
    if text.find("alues", after, after + 300) < 0 and text.find("ALUES", after, after + 300) < 0:
        return []
    first = max(0, at - _LONGEST_HEADING)
    window = plain(text[first : after + _ROWS_CHARS])
    here = at - first
    opening, closing = window.rfind("(", 0, here), window.find(")", here)
    rest = window[closing + 1 : closing + 12].lstrip(BLANKS)
    if min(opening, closing) < 0 or rest[:6].lower() != "values" or ")" in window[opening:here]:
        return []
    place, spots = window.count(",", opening, here), list[Spot]()
    start = window.find("(", closing)
    while start >= 0 and not window[closing + 1 : start].strip(BLANKS + ",VALUESvalues"):
        closing = window.find(")", start)
        parts = window[start + 1 : closing].split(",")
        if closing < 0 or place >= len(parts):
            break
        cell = parts[place].strip(_DECORATION + "\r\n")
        begin = start + 1 + sum(len(part) + 1 for part in parts[:place]) + parts[place].find(cell)
        if is_cell(cell):
            spots.append((first + begin, first + begin + len(cell), "credentials"))
        start = window.find("(", closing)
    return spots


def manifest(window: str, first: int) -> list[Spot]:
    """Find the values below `data:` of a Kubernetes secret; `first` is where the window begins in the text."""
    spots = list[Spot]()
    at = max(window.find("\ndata:"), window.find("\nstringData:"))
    if at < 0:
        return []
    for line in window[at:].split("\n")[2:]:
        at = window.find(line, at)
        name, _, value = line.partition(":")
        if not line.startswith((" ", "\t")) or not value:
            if line.strip():
                break
            continue
        bare = value.strip(_DECORATION + "\r").partition('"')[0]
        begin = at + line.find(bare, len(name)) if bare else 0
        is_other = any(part in name.lower() for part in _OTHER_DATA)
        if bare and not is_other and (is_cell(bare) or shapes.is_random(bare)):
            spots.append((first + begin, first + begin + len(bare), "kubernetes-secret"))
    return spots
