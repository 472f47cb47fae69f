"""Render templates: every value is escaped, and text is shown without secrets and hidden characters."""

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache, lru_cache
from importlib import resources
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from recollect.library.memories import NO_REASON
from recollect.model import age, clock, text
from recollect.policy.secrets import detector

GIST_CHARS = 220
KNOWN_CHARS = 300
"""The longest line that is remembered as it is shown."""
BODY_CHARS = 12_000
"""The most of a text that a screen shows; the whole is one click away."""


def line(says: object) -> str:
    """Return a text on one line, without control, zero-width and bidi characters, and without secrets."""
    said = str(says)
    return _known_line(said) if len(said) <= KNOWN_CHARS else _line(said)


def _line(says: str) -> str:
    return detector.redact(text.clean_line(" ".join(says.replace("\t", " ").splitlines())))


_known_line = lru_cache(maxsize=4_096)(_line)
"""While somebody types, the same titles and tags are shown again and again."""


def body(says: object) -> str:
    """Return a text of several lines, cleaned in the same way."""
    return detector.redact(text.clean_body(str(says)))


def short_body(says: object, chars: int = BODY_CHARS) -> str:
    """Return the beginning of a text of several lines."""
    return text.cut(body(str(says)[: 2 * chars]), chars)


def untitled(says: object, title: str) -> str:
    """Return a text without lines that only repeat the title or each other; empty if nothing else is in it."""
    seen, lines = {_said(line(title))} - {""}, list[str]()
    for row in body(says).splitlines():
        if _said(row) not in seen:
            lines.append(row.rstrip())
            seen |= {_said(row)} - {""}  # empty lines part paragraphs
    return "\n".join(lines).strip()


def _said(row: str) -> str:
    return row.strip().rstrip(".").casefold()


def gist(says: object, title: str, chars: int = GIST_CHARS) -> str:
    """Return the beginning of a text on one line, without what only repeats the title."""
    lines = untitled(str(says)[: 4 * chars], title).splitlines()
    return text.cut(" · ".join(row.strip() for row in lines if row.strip()), chars)


def day(seconds: float | None) -> str:
    """Return a time as a day: `31 Jan 2026`; `?` for None."""
    return f"{datetime.fromtimestamp(seconds, UTC):%-d %b %Y}" if seconds else "?"


def moment(seconds: float | None) -> str:
    """Return a time in full, in UTC; `?` for None."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC" if seconds else "?"


def hour(seconds: float) -> str:
    """Return the time of day, in UTC."""
    return f"{datetime.fromtimestamp(seconds, UTC):%H:%M:%S}"


def words(name: str) -> str:
    """Return the name of a kind, field or action as words: `tech debt`."""
    return name.replace("_", " ")


def count(number: int, noun: str) -> str:
    """Return a number with its noun: `1 memory`, `2 memories`."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def first_error_line(output: str, chars: int = 300) -> str:
    """Return the first line of a failed tool's output that says more than its exit code; empty without output."""
    rows = [row.strip() for row in output.splitlines() if row.strip()]
    telling = [row for row in rows if not row.lower().startswith("exit code ")]
    return line((telling or rows or [""])[0][:chars])


def unspaced(says: object) -> str:
    """Return a text without white space, to compare it with one that was put on one line."""
    return "".join(str(says).split())


def same_words(matched: Iterable[str]) -> list[str]:
    """Return the words that a memory has in common with a question; `~` marks those that only mean something alike."""
    return [word for word in matched if not word.startswith("~")]


def matches(matched: Iterable[str]) -> str:
    """Return why a memory was found: `matches retry; similar to pay`, or `by meaning`."""
    words = list(matched)
    alike = [word[1:] for word in words if word.startswith("~")]
    parts = [f"matches {', '.join(same)}"] if (same := same_words(words)) else []
    parts += [f"similar to {', '.join(alike)}"] if alike else []
    return line("; ".join(parts) or "by meaning")


def prose(says: object) -> Markup:
    """Return a message as HTML: a sentence that begins with a capital, with `code` where it has backticks."""
    parts = line(says).split("`")
    parts[0] = parts[0][:1].upper() + parts[0][1:]
    whole = [
        Markup("<code>{}</code>").format(part) if number % 2 else escape(part) for number, part in enumerate(parts)
    ]
    return Markup("").join(whole)


def marked(says: str, spans: Iterable[tuple[int, int]]) -> Markup:
    """Return a text as HTML, with `mark` around the spans."""
    parts, end = [], 0
    for start, stop in spans:
        parts += [escape(says[end:start]), Markup("<mark>{}</mark>").format(says[start:stop])]
        end = stop
    return Markup("").join([*parts, escape(says[end:])])


@cache
def asset(name: str) -> str:
    """Return the address of a static file; it changes with the file."""
    data = resources.files("recollect.faces.page").joinpath("static", name).read_bytes()
    return f"/static/{name}?{hashlib.sha256(data).hexdigest()[:8]}"


@cache
def environment() -> Environment:
    """Return the templates' environment."""
    made = Environment(
        loader=PackageLoader("recollect.faces.page"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, auto_reload=False,
    )  # fmt: skip
    made.filters |= {
        "line": line, "body": body, "short_body": short_body, "day": day, "moment": moment, "hour": hour,
        "words": words, "untitled": untitled, "gist": gist, "ago": age.ago, "seconds": clock.seconds,
        "query": urlencode, "prose": prose, "matches": matches, "same_words": same_words,
        "unspaced": unspaced, "first_error_line": first_error_line,
    }  # fmt: skip
    made.globals |= {"asset": asset, "count": count, "marked": marked, "no_reason": NO_REASON}
    return made


def render(template: str, **values: object) -> str:
    """Return a template as HTML."""
    return environment().get_template(template).render(values)
