"""Drawings of one memory's surroundings: what it was made from and what it replaces; the facts that it states."""

from dataclasses import dataclass
from textwrap import wrap

from recollect.faces.page.rendering import line
from recollect.library.browsing.origins import Surroundings
from recollect.model.memory import Memory
from recollect.model.text import cut

ROW, TOP = 52, 12
BOX_WIDTH, BOX_HEIGHT, GAP = 184, 42, 104
MOST_ROWS = 8
LABEL_CHARS = 23
"""How many characters a line of a box holds; it has one or two lines."""


@dataclass(frozen=True, slots=True)
class Box:
    """A memory, or the subject or object of a fact."""

    x: int
    y: int
    label: tuple[str, ...]
    """Its text on one or two lines."""
    whole: str
    uid: str = ""
    """The memory that it links to; empty for a part of a fact."""
    sort: str = "memory"

    @property
    def middle(self) -> float:
        """The height of its middle."""
        return self.y + BOX_HEIGHT / 2


@dataclass(frozen=True, slots=True)
class Line:
    """A line between two boxes, from left to right, with what it means."""

    path: str
    x: float
    y: float
    label: str
    is_own: bool = True
    """Whether it belongs to the memory that is shown, and not to another one."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Boxes and lines, and the size of the picture."""

    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    height: int
    left_out: int
    """How many neighbours are not drawn."""
    width: int
    box_width: int = BOX_WIDTH
    box_height: int = BOX_HEIGHT


Neighbour = tuple[str, str, str, str]
"""What connects, the label, the uid and the sort of a box."""


def draw(memory: Memory, around: Surroundings) -> Drawing | None:
    """Return the drawing of the memories around one; None if there are none."""
    made_from = [("led to", source.title, source.uid, "memory") for source in around.sources]
    older = [(_relation(link.relation), link.title, link.uid, "memory") for link in around.links if not link.is_newer]
    newer = [(_relation(link.relation), link.title, link.uid, "memory") for link in around.links if link.is_newer]
    newer += [("led to", derived.title, derived.uid, "memory") for derived in around.derived]
    before, after = _unlike(made_from + older), _unlike(newer)
    if not before and not after:
        return None
    rows = max(1, min(MOST_ROWS, max(len(before), len(after))))
    height = _height(rows)
    middle = BOX_WIDTH + GAP if before else 0
    width = middle + BOX_WIDTH + (GAP + BOX_WIDTH if after else 0)
    centre = Box(middle, (height - BOX_HEIGHT) // 2, *_labels(memory.title), memory.uid, "this")
    left, right = _column(before, 0, height), _column(after, width - BOX_WIDTH, height)
    lines = [_line(box, centre, why) for box, why in _once(left)]
    lines += [_line(centre, box, why) for box, why in _once(right)]
    hidden = max(0, len(before) - MOST_ROWS) + max(0, len(after) - MOST_ROWS)
    return Drawing((centre, *(box for box, _ in left + right)), tuple(lines), height, hidden, width)


def draw_facts(around: Surroundings) -> Drawing | None:
    """Return the drawing of a memory's facts and of others about the same; None if it states none."""
    if not around.facts:
        return None
    facts = [*((fact, True) for fact in around.facts), *((fact, False) for fact in around.other_facts)]
    subjects = list(dict.fromkeys(fact.subject for fact, _ in facts))[:MOST_ROWS]
    objects = list(dict.fromkeys(fact.object for fact, _ in facts))[:MOST_ROWS]
    shown = [(fact, is_own) for fact, is_own in facts if fact.subject in subjects and fact.object in objects]
    height = _height(max(len(subjects), len(objects)))
    width = 2 * BOX_WIDTH + 2 * GAP
    left = _column([("", part, "", "fact") for part in subjects], 0, height)
    right = _column([("", part, "", "fact") for part in objects], width - BOX_WIDTH, height)
    starts, ends = dict(zip(subjects, left, strict=True)), dict(zip(objects, right, strict=True))
    lines = tuple(
        _line(starts[fact.subject][0], ends[fact.object][0], line(fact.predicate), is_own=is_own)
        for fact, is_own in shown
    )
    return Drawing(tuple(box for box, _ in left + right), lines, height, len(facts) - len(shown), width)


def _height(rows: int) -> int:
    return 2 * TOP + rows * ROW - (ROW - BOX_HEIGHT)


def _relation(name: str) -> str:
    return {"replaces": "replaced by", "may_replace": "may be replaced by"}.get(name, "has exception")


def _unlike(found: list[Neighbour]) -> list[Neighbour]:
    """Return neighbours once each, by the first thing that connects them."""
    return list({uid: (why, title, uid, sort) for why, title, uid, sort in reversed(found)}.values())[::-1]


def _column(found: list[Neighbour], x: int, height: int) -> list[tuple[Box, str]]:
    shown = found[:MOST_ROWS]
    start = (height - (len(shown) * ROW - (ROW - BOX_HEIGHT))) // 2
    return [
        (Box(x, start + number * ROW, *_labels(title), uid, sort), line(why))
        for number, (why, title, uid, sort) in enumerate(shown)
    ]


def _once(column: list[tuple[Box, str]]) -> list[tuple[Box, str]]:
    """Return a column with a reason named at its first line alone where the lines below have the same one."""
    reasons = ["", *(why for _, why in column)]
    return [(box, "" if why == before else why) for (box, why), before in zip(column, reasons, strict=False)]


def _labels(title: str) -> tuple[tuple[str, ...], str]:
    """Return a title on one or two lines, shortened if need be, and the whole of it."""
    whole = line(title)
    first, *rest = wrap(whole[: 4 * LABEL_CHARS], LABEL_CHARS) or [""]
    return (first, cut(whole[len(first) :].strip(), LABEL_CHARS)) if rest else (first,), whole


def _line(start: Box, end: Box, why: str, *, is_own: bool = True) -> Line:
    x1, x2 = start.x + BOX_WIDTH, end.x
    bend = (x2 - x1) / 2
    path = f"M{x1} {start.middle} C{x1 + bend} {start.middle} {x2 - bend} {end.middle} {x2} {end.middle}"
    return Line(path, (x1 + x2) / 2, (start.middle + end.middle) / 2 - 4, cut(why, 16 if bend < GAP else 30), is_own)
