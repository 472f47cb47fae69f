"""Patterns over words: what a text says, without the `re` module, which hooks have no time to load. Import-light.

A pattern is groups of alternatives, in the order in which they have to come: `add|pull+in package|<package>`. At most
`MOST_BETWEEN` words may stand between two groups. In an alternative `+` joins neighbouring words, `*` at its end stands
for any ending, and a name in angle brackets for a class of words. `^` before the first group asks for the beginning of
a clause, apart from words such as "please" and "can you". A group behind `!` must not occur in the clause at all.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Clause = Sequence[str]
    Classes = Mapping[str, Callable[[str], bool]]

MOST_BETWEEN = 4
MOST_WORDS = 600
_LEADING_WORDS = (
    "and also alright actually please pls now then next ok okay so first finally just lets let's let us can could would"
    " will should you we i i'd i'll want need to like going have go ahead try help me yes sure great good perfect cool"
    " thanks - / bitte jetzt dann und kannst du"
)
LEADING = frozenset(_LEADING_WORDS.split())
_QUOTES = {ord(sign): " " for sign in '"“”„«»()[]{}<>,*`|'} | {0x2019: "'", 0x201A: " ", 0x2018: " "}
_ENDS = ".?!;:"


def clauses(text: str) -> "list[list[str]]":
    """Return the first `MOST_WORDS` words of a text in lower case, as lists of the words between full stops."""
    found: list[list[str]] = [[]]
    count = 0
    for raw in text.lower().translate(_QUOTES).replace("\n", " . ").split():
        word = raw.rstrip(".?!;:,'").lstrip("'").removeprefix("./")
        if not found[-1]:
            word = word.lstrip("/")  # a slash command
        if word:
            found[-1].append(word)
            count += 1
        if raw[-1] in _ENDS and found[-1]:
            found.append([])
        if count >= MOST_WORDS:
            break
    return [clause for clause in found if clause]


def may_match(source: str, words: "Sequence[str]") -> bool:
    """Return whether every group of a pattern shares a word with a clause, whose words are given between bars.

    This is quicker than to take the pattern apart, and most patterns fail here.
    """
    for group in source.removeprefix("^").split():
        if group[0] == "!" or "*" in group or "<" in group:
            continue
        alternatives = f"|{group.replace('+', '|')}|"
        if not any(word in alternatives for word in words):
            return False
    return True


class Pattern:
    """A pattern, taken apart."""

    __slots__ = ("forbidden", "groups", "is_at_start")

    def __init__(self, source: str) -> None:
        parts = source.removeprefix("^").split()
        self.is_at_start = source.startswith("^")
        self.groups = [_Group(part) for part in parts if part[0] != "!"]
        self.forbidden = [_Group(part[1:]) for part in parts if part[0] == "!"]

    def position(self, clause: "Clause", classes: "Classes") -> int:
        """Return where in a clause the pattern matches; -1 where it does not."""
        for at in range(_start(clause) + 1 if self.is_at_start else len(clause)):
            if self._matches(clause, at, 0, classes):
                return -1 if self._is_forbidden(clause, classes) else at
        return -1

    def _is_forbidden(self, clause: "Clause", classes: "Classes") -> bool:
        places = range(len(clause))
        return any(group.ends(clause, place, classes) for group in self.forbidden for place in places)

    def _matches(self, clause: "Clause", at: int, number: int, classes: "Classes") -> bool:
        """Return whether the groups from one on match, the first of them exactly at a position."""
        for end in self.groups[number].ends(clause, at, classes):
            if number + 1 == len(self.groups):
                return True
            later = range(end, min(len(clause), end + MOST_BETWEEN + 1))
            if any(self._matches(clause, place, number + 1, classes) for place in later):
                return True
        return False


class _Group:
    """The alternatives of a group: by their first word, and those whose first word is a beginning or a class."""

    __slots__ = ("by_word", "others")

    def __init__(self, source: str) -> None:
        self.by_word: dict[str, list[list[str]]] = {}
        self.others: list[list[str]] = []
        for choice in source.split("|"):
            words = choice.split("+")
            if words[0][-1] == "*" or words[0][0] == "<":
                self.others.append(words)
            else:
                self.by_word.setdefault(words[0], []).append(words)

    def ends(self, clause: "Clause", at: int, classes: "Classes") -> list[int]:
        """Return the positions behind the alternatives that stand at a position."""
        choices = [*self.by_word.get(clause[at], ()), *self.others]
        return [at + len(choice) for choice in choices if _is_at(choice, clause, at, classes)]


def _start(clause: "Clause") -> int:
    """Return the position of the first word that is not a leading one; of the last word where all are."""
    for at, word in enumerate(clause):
        if word not in LEADING:
            return at
    return len(clause) - 1


def _is_at(choice: "Sequence[str]", clause: "Clause", at: int, classes: "Classes") -> bool:
    if at + len(choice) > len(clause):
        return False
    for wanted, word in zip(choice, clause[at:], strict=False):
        if wanted == word:
            continue
        if wanted[-1] == "*":
            if not word.startswith(wanted[:-1]):
                return False
        elif wanted[0] != "<" or not classes[wanted](word):
            return False
    return True
