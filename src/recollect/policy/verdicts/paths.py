"""Paths in a text: `src/a.py`, `api/auth.py:12`, `Makefile`, `docs/`; not `and/or`, `origin/main` or `Next.js`."""

import re
from collections.abc import Iterable, Sequence

from recollect.policy.verdicts.text_spans import Span, is_in_code, words

CODE_ENDINGS = words(
    "py pyi pyx js jsx mjs cjs ts tsx mts cts vue svelte go rs java kt kts scala rb php c h cc cpp cxx hpp hh m mm cs"
    " fs swift dart ex exs erl hs ml mli clj cljs lua pl pm r jl sh bash zsh fish ps1 sql graphql gql proto tf zig nim"
    " groovy gradle"
)
OTHER_ENDINGS = words(
    "md rst txt adoc toml yaml yml json jsonc json5 ini cfg conf lock env xml html htm css scss sass less tmpl j2 jinja"
    " hcl tfvars nix typ csv tsv service plist mk cmake ipynb http snap svg png zpl pmtiles avsc bzl"
)
PLAIN_FILES = words(
    "makefile gnumakefile dockerfile containerfile justfile procfile gemfile rakefile jenkinsfile vagrantfile"
    " codeowners license brewfile pipfile caddyfile"
)
# Names of products that look like files.
PRODUCTS = words(
    "node.js next.js vue.js nuxt.js express.js three.js d3.js react.js chart.js day.js alpine.js ember.js backbone.js"
    " angular.js nest.js deno.js bun.js socket.io discord.js p5.js moment.js require.js asp.net vb.net ml.net"
)
URL = re.compile(
    r"\b(?:https?|ftp|wss?|ssh|git|postgres(?:ql)?|redis|mysql|amqp|s3|file)://[^\s`'\"<>)\]]+", re.IGNORECASE
)
SIGNS = r"[\w.@+~-]"
PATH = re.compile(
    rf"(?<![\w/.@:~$\\-])(?P<path>(?:\./|~/|/)?(?:{SIGNS}+/)*(?:{SIGNS}*[\w~+]\.[A-Za-z][A-Za-z0-9]{{0,9}}|{SIGNS}+/))"
    rf"(?:(?:::?|#L?)(?P<line>\d+)(?::\d+)?(?:-\d+)?)?(?![\w/@\\])"
)
FOLDED = re.compile(rf"(?<![\w/.@:~$\\-])(?P<path>(?:\./)?(?:{SIGNS}+/)+{SIGNS}*[\w])(?![\w/\\*])")
PLAIN = re.compile(
    r"(?<![\w/.-])(?P<path>(?:[\w.-]+/)*(?:" + "|".join(PLAIN_FILES) + r")(?:\.[a-z]+)?)(?![\w/.-])", re.IGNORECASE
)
DOTFILE = re.compile(r"(?<![\w/.])(?P<path>(?:[\w.-]+/)*\.[a-z][\w-]{2,}(?:\.[a-z]+)*)(?![\w/(])")
DOMAIN = re.compile(r"^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|app|ai|example|test|local|internal|eu|de|fr|uk)$")
MOST_CHARS = 200
SHORTEST_NAME = len("abc.c")


def without_urls(text: str) -> tuple[list[str], str]:
    """Return the addresses in a text, and the text with spaces in their place."""
    found = [match[0].rstrip(".,;:") for match in URL.finditer(text)]
    return found, URL.sub(lambda match: " " * len(match[0]), text)


def found(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return the paths in a text, without line numbers behind them.

    What stands outside of backticks needs a known ending or several parts with one; a name with slashes alone, such as
    `src/core`, is returned only from backticks.
    """
    named: dict[int, Span] = {}
    for match in PATH.finditer(text):
        _take(named, match, spans)
    for pattern in (PLAIN, DOTFILE, FOLDED):
        for match in pattern.finditer(text):
            if is_in_code(spans, match.start("path")) or (pattern is PLAIN and _is_written_as_a_file(match["path"])):
                _take(named, match, spans, is_any=True)
    return _longest(named.values())


def _take(named: dict[int, Span], match: re.Match[str], spans: Sequence[Span], *, is_any: bool = False) -> None:
    path, start = match["path"], match.start("path")
    is_code = is_in_code(spans, start)
    is_folder = path.endswith("/")
    if len(path) > MOST_CHARS or path.lower() in PRODUCTS or DOMAIN.match(path.lower()):
        return
    if is_folder and not (is_code or path.count("/") > 1):
        return
    if not is_any and not is_folder and not has_known_ending(path):
        return
    known = named.get(start)
    if known is None or len(known.text) < len(path):
        named[start] = Span(start, match.end("path"), path, is_code=is_code)


def _is_written_as_a_file(path: str) -> bool:
    """Whether a plain name is spelt as the file is: `Makefile`, `Dockerfile`; "license" is a word."""
    return path.rpartition("/")[2][0].isupper() and path.rpartition("/")[2].lower() not in ("license", "codeowners")


def _longest(spans: Iterable[Span]) -> list[Span]:
    """Return the spans in order, without those that lie in another one."""
    ordered = sorted(spans, key=lambda span: (span.start, -span.end))
    kept: list[Span] = []
    for span in ordered:
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept


def ending(path: str) -> str:
    """Return the ending of a path in lower case, without its dot; empty if it has none."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name[1:] else ""


def has_known_ending(path: str) -> bool:
    """Return whether a path ends as source, settings or documents do; "a.m." and "i.e" do not."""
    found = ending(path)
    is_abbreviation = len(found) == 1 and "/" not in path and len(path) < SHORTEST_NAME
    return (found in CODE_ENDINGS or found in OTHER_ENDINGS) and not is_abbreviation


def is_code(path: str) -> bool:
    """Return whether a path is that of source code."""
    return ending(path) in CODE_ENDINGS
