"""The drawing of one memory's surroundings: what it was made from, what it replaces, the facts that it states."""

from dataclasses import dataclass

from recollect.faces.page.rendering import line
from recollect.library.browsing.origins import Surroundings
from recollect.model.memory import Memory
from recollect.model.text import cut

ROW, TOP = 46, 16
BOX_WIDTH, BOX_HEIGHT, GAP = 230, 34, 130
MOST_ROWS = 8
LABEL_CHARS = 30


@dataclass(frozen=True, slots=True)
class Box:
    """A memory or the object of a fact."""

    x: int
    y: int
    label: str
    whole: str
    uid: str = ""
    """The memory that it links to; empty for a fact."""
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
    """Return the drawing; None if the memory is connected with nothing."""
    made_from = [("led to", source.title, source.uid, "memory") for source in around.sources]
    older = [(_relation(link.relation), link.title, link.uid, "memory") for link in around.links if not link.is_newer]
    newer = [(_relation(link.relation), link.title, link.uid, "memory") for link in around.links if link.is_newer]
    newer += [("led to", derived.title, derived.uid, "memory") for derived in around.derived]
    facts = [(f"{fact.predicate}", f"{fact.subject} · {fact.object}", "", "fact") for fact in around.facts]
    before, after = _unlike(made_from + older), _unlike(newer) + facts
    if not before and not after:
        return None
    rows = max(1, min(MOST_ROWS, max(len(before), len(after))))
    height = 2 * TOP + rows * ROW - (ROW - BOX_HEIGHT)
    middle = BOX_WIDTH + GAP if before else 0
    width = middle + BOX_WIDTH + (GAP + BOX_WIDTH if after else 0)
    centre = Box(middle, (height - BOX_HEIGHT) // 2, *_labels(memory.title), memory.uid, "this")
    left, right = _column(before, 0, height), _column(after, width - BOX_WIDTH, height)
    lines = [_line(box, centre, why) for box, why in left] + [_line(centre, box, why) for box, why in right]
    hidden = max(0, len(before) - MOST_ROWS) + max(0, len(after) - MOST_ROWS)
    return Drawing((centre, *(box for box, _ in left + right)), tuple(lines), height, hidden, width)


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


def _labels(title: str) -> tuple[str, str]:
    whole = line(title)
    return cut(whole, LABEL_CHARS), whole


def _line(start: Box, end: Box, why: str) -> Line:
    x1, x2 = start.x + BOX_WIDTH, end.x
    bend = (x2 - x1) / 2
    path = f"M{x1} {start.middle} C{x1 + bend} {start.middle} {x2 - bend} {end.middle} {x2} {end.middle}"
    return Line(path, (x1 + x2) / 2, (start.middle + end.middle) / 2 - 4, cut(why, 16))
