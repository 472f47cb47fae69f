"""What a memory names: paths, symbols, commands, versions and addresses. `judge` compares them with a checkout."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from recollect.policy.verdicts import commands, past, paths, symbols, versions
from recollect.policy.verdicts.text_spans import Span, code_spans, mask, sentences

MOST_CLAIMS = 60
"""At most that many names of one memory are checked; a pasted listing has thousands."""
MOST_CHARS = 20_000
MOST_SENTENCES = 10_000
"""Sentences whose claims a worker remembers: it checks every memory again at each session's start."""
LINK = re.compile(
    r"[`'\"()\s:,]*(?:(?:is|lives?|living|defined|declared|implemented|in|inside|from|of|at|within|exports?|defines?|has"
    r"|contains?|provides?|implements?|adds?|the|function|method|class|helper|file|module)\b[`'\"()\s:,]*){0,4}"
)
"""What stands between a name and the file that it is in."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that a memory names, and that was in the code when it was written, if the memory is right."""

    kind: str
    """`path`, `symbol`, `command`, `version` or `url`."""
    name: str
    is_certain: bool = False
    """Whether the words leave no doubt that it is meant: an anchor, a path with a known ending, a name in backticks."""
    homes: tuple[str, ...] = ()
    """Of a symbol: the code files that its sentence says it is in."""
    owner: str = ""
    """Of a symbol: the class or module before the last dot. Of a command: the runner, such as `make`."""
    parameters: tuple[str, ...] = ()
    """Of a symbol: the names between its parentheses."""
    version: str = ""
    """Of a version: the number that is stated."""
    is_at_least: bool = False
    """Of a version: whether later ones are meant too."""
    digest: str = ""
    """Of a path: the hash of the file when the memory was saved."""


@dataclass(frozen=True, slots=True)
class Anchored:
    """A file that the memory is about, with the hash of its content when the memory was saved."""

    path: str
    digest: str = ""


def claims(title: str, text: str, anchors: Sequence[Anchored] = ()) -> list[Claim]:
    """Return what a memory names, each thing once, in the order of its text; empty if it names no code.

    A name that the text says is gone ("removed `a`", "`a` → `b`") is not claimed.
    """
    found: dict[tuple[str, ...], Claim] = {}
    for anchor in anchors:
        _add(found, [Claim("path", anchor.path, is_certain=True, digest=anchor.digest)])
    whole = f"{title}.\n{text}" if title and not text.startswith(title) else text
    for sentence in sentences(whole[:MOST_CHARS]):
        _add(found, _of_sentence(sentence))
    return list(found.values())[:MOST_CLAIMS]


def _add(found: dict[tuple[str, ...], Claim], more: Iterable[Claim]) -> None:
    for claim in more:
        key = (claim.kind, claim.owner if claim.kind == "command" else "", claim.name, claim.version)
        known = found.get(key)
        if known is None or (claim.is_certain and not known.is_certain) or (claim.homes and not known.homes):
            found[key] = claim


@lru_cache(maxsize=MOST_SENTENCES)
def _of_sentence(sentence: str) -> tuple[Claim, ...]:
    spans = code_spans(sentence)
    urls, bare = paths.without_urls(sentence)
    gone = past.past_ranges(bare)
    named = [span for span in paths.found(bare, spans) if not past.is_past(span, gone)]
    files = [span for span in named if paths.is_code(span.text)]
    rest = mask(bare, [*named, *(span for span in paths.found(bare, spans))])
    made = [Claim("path", span.text, is_certain=span.is_code or paths.has_known_ending(span.text)) for span in named]
    run, rest = commands.found(rest, code_spans(rest))
    made += [Claim("command", name, owner=runner, is_certain=True) for runner, name in run]
    stated, rest = versions.found(rest)
    made += [
        Claim("version", name, version=number, is_at_least=is_at_least)
        for name, number, is_at_least, span in stated
        if not past.is_past(span, gone)
    ]
    known = [symbol for symbol in symbols.found(rest) if not past.is_past(symbol.span, gone)]
    made += [_symbol(symbol, _homes(bare, symbol.span, files)) for symbol in known]
    return (*made, *(Claim("url", url) for url in urls))


def _homes(sentence: str, name: Span, files: Sequence[Span]) -> tuple[str, ...]:
    """Return the files that a sentence says a name is in: `a` in b.py, b.py:a, b.py defines `a`."""
    found = []
    for span in files:
        first, second = sorted((name, span), key=lambda part: part.start)
        if LINK.fullmatch(sentence[first.end : second.start]):
            found.append(span.text)
    return tuple(found)


def _symbol(symbol: symbols.Symbol, homes: tuple[str, ...]) -> Claim:
    return Claim(
        "symbol", symbol.name, is_certain=symbol.is_code, homes=homes, owner=symbol.owner, parameters=symbol.parameters
    )


__all__ = ["Anchored", "Claim", "Span", "claims"]
