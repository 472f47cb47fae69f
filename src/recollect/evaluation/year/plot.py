"""Draw a simulated year as SVG: active memories and recall over its days, with upkeep and without."""

from collections.abc import Callable, Mapping, Sequence
from xml.sax.saxutils import escape

from recollect.evaluation.year.figures import Figures, Sample

WIDTH, HEIGHT, MARGIN = 720, 240, 48
COLOURS = ("#1a7f5a", "#b4531f")
"""One colour for each run, in the order in which they are given."""
STYLE = "text{font:12px system-ui,sans-serif;fill:#555}line{stroke:#ccc}polyline{fill:none;stroke-width:2}"


def draw(runs: Mapping[str, Figures]) -> str:
    """Return the picture: a panel of active memories above one of recall@5."""
    days = max(run.samples[-1].day for run in runs.values())
    most = max(sample.active for run in runs.values() for sample in run.samples)
    panels = (
        _panel(runs, days, "active memories", lambda sample: sample.active, most=most, top=0),
        _panel(runs, days, "recall@5, %", lambda sample: 100 * sample.recall, most=100, top=HEIGHT),
    )
    size = f'viewBox="0 0 {WIDTH} {2 * HEIGHT}" width="{WIDTH}" height="{2 * HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{STYLE}</style>{"".join(panels)}</svg>\n'


def _panel(
    runs: Mapping[str, Figures], days: int, title: str, value: Callable[[Sample], float], *, most: float, top: int
) -> str:
    """Return one panel: axes with their ends, and a line with its name for each run."""
    left, right, bottom, height = MARGIN, WIDTH - 130, top + HEIGHT - 30, HEIGHT - 60

    def place(sample: Sample) -> str:
        x = left + (right - left) * sample.day / days
        return f"{x:.1f},{bottom - height * value(sample) / most:.1f}"

    parts = [
        f'<text x="{left}" y="{top + 18}">{escape(title)}</text>',
        f'<line x1="{left}" y1="{bottom}" x2="{right}" y2="{bottom}"/>',
        f'<text x="{left - 6}" y="{bottom - height + 4}" text-anchor="end">{most:.0f}</text>',
        f'<text x="{left - 6}" y="{bottom + 4}" text-anchor="end">0</text>',
        f'<text x="{right}" y="{bottom + 18}" text-anchor="end">day {days}</text>',
    ]
    for (name, run), colour in zip(runs.items(), COLOURS, strict=False):
        parts.append(_line(name, run.samples, colour, place))
    return "".join(parts)


def _line(name: str, samples: Sequence[Sample], colour: str, place: Callable[[Sample], str]) -> str:
    """Return the line of a run, with its name at the end."""
    x, _, y = place(samples[-1]).partition(",")
    points = " ".join(place(sample) for sample in samples)
    label = f'<text x="{float(x) + 8:.1f}" y="{float(y) + 4:.1f}" style="fill:{colour}">{escape(name)}</text>'
    return f'<polyline points="{points}" stroke="{colour}"/>{label}'
