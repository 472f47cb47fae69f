"""Find memories that share a word with a prompt, without asking a model (A12-A15)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from recollect.formats import tagged_markdown
from recollect.model.words.stop_words import COMMON_WORDS

SIMILARITY = 0.95
INEXACT_CHARS = 3  # A14: a shorter keyword is found as a whole word only

_TOKEN = re.compile(r"\w+", re.ASCII)


@dataclass(frozen=True, slots=True)
class PresearchResult:
    """The keywords of a search, the files that it found as (name, description), and how many were searched."""

    keywords: list[str]
    pointers: list[tuple[str, str]]
    total: int

    @property
    def summary(self) -> dict[str, object]:
        """Return the search in numbers; `pass_all` is always false (A15)."""
        return {"keywords": self.keywords, "matched": len(self.pointers), "total": self.total, "pass_all": False}


def keywords(prompt: str) -> list[str]:
    """Return the words of a prompt that tell memories apart, each once, in their order (A12)."""
    return [token for token in dict.fromkeys(_tokens(prompt)) if len(token) > 1 and token not in COMMON_WORDS]


def search(prompt: str, files: Mapping[str, str], *, with_content: bool) -> PresearchResult:
    """Search files, given as name to source, for any keyword of the prompt (A13, A14)."""
    wanted = keywords(prompt)
    if not wanted:
        return PresearchResult([], [], len(files))
    tokens = {name: set(_tokens(_search_text(name, files[name], with_content=with_content))) for name in sorted(files)}
    hit = _hit(wanted, set[str]().union(*tokens.values()))
    matches = [name for name, its_tokens in tokens.items() if not hit.isdisjoint(its_tokens)]
    pointers = [(name, tagged_markdown.description(files[name], _stem(name))) for name in matches]
    return PresearchResult(wanted, pointers, len(files))


def render(result: PresearchResult) -> list[str]:
    """Return a line for each found file: its path and its description (A15)."""
    return [" ".join(f"- memory/{name} — {description}".splitlines()) for name, description in result.pointers]


def _search_text(name: str, source: str, *, with_content: bool) -> str:
    stem, hints = _stem(name), tagged_markdown.keywords(source)
    says = [stem.replace("-", " "), *hints]
    if with_content or not hints:
        says.append(tagged_markdown.description(source, stem))
    if with_content:
        # A13: what the file says, not how it says it: the names of tags and of metadata keys are in every file.
        says.append(tagged_markdown.body(source))
    return "\n".join(says)


def _hit(wanted: list[str], vocabulary: set[str]) -> set[str]:
    """Return the tokens that a keyword equals, is a part of, or is spelt almost like (A14)."""
    line = " ".join(vocabulary) + " "
    hit = vocabulary.intersection(wanted)
    longest = max(map(len, vocabulary), default=0)
    for keyword in wanted:
        # No token is like a keyword twice as long: a pasted blob costs no search.
        if INEXACT_CHARS <= len(keyword) <= 2 * longest:
            candidates = {token for piece in _pieces(keyword) for token in _holding(piece, line)} - hit
            hit.update(token for token in candidates if keyword in token or _is_similar(keyword, token))
    return hit


def _pieces(keyword: str) -> list[str]:
    """Cut a keyword into pieces so that every token it can match contains at least one of them."""
    # With a ratio of .95, fewer characters than a ninth of the keyword's length are unmatched, on both sides together.
    # Each of them spoils at most one piece, so one piece is whole. Searching for the pieces avoids comparing every
    # keyword with every token.
    length = len(keyword)
    count = -(-length // 9)
    return [keyword[length * index // count : length * (index + 1) // count] for index in range(count)]


def _holding(piece: str, line: str) -> Iterator[str]:
    """Yield the tokens of a line, each followed by a space, that contain a piece."""
    place = line.find(piece)
    while place >= 0:
        end = line.index(" ", place)
        yield line[line.rfind(" ", 0, place) + 1 : end]
        place = line.find(piece, end)


def _is_similar(keyword: str, token: str) -> bool:
    # The lengths alone rule out most pairs; a matcher costs a hundred times more than this line. They also rule out
    # every token below three characters, which A14 skips.
    if 2 * min(len(keyword), len(token)) < SIMILARITY * (len(keyword) + len(token)):
        return False
    matcher = SequenceMatcher(None, keyword, token)
    return matcher.quick_ratio() >= SIMILARITY and matcher.ratio() >= SIMILARITY


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text.lower())


def _stem(name: str) -> str:
    return name.removesuffix(".md")
