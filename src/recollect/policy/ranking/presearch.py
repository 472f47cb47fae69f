"""Which memories share a word with a prompt, found without asking a model (A12-A15)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from recollect.formats import tagged_markdown
from recollect.model.stop_words import COMMON_WORDS

SIMILARITY = 0.95
INEXACT_CHARS = 3  # A14: a shorter keyword is found as a whole word only

_TOKEN = re.compile(r"\w+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Found:
    """What a search looked for and which files it found, by name and description."""

    keywords: list[str]
    pointers: list[tuple[str, str]]
    total: int

    @property
    def summary(self) -> dict[str, object]:
        """The search in numbers; it never lets everything pass (A15)."""
        return {"keywords": self.keywords, "matched": len(self.pointers), "total": self.total, "pass_all": False}


def keywords(prompt: str) -> list[str]:
    """The words of a prompt that can tell one memory from another, each once, in their order (A12)."""
    return [token for token in dict.fromkeys(_tokens(prompt)) if len(token) > 1 and token not in COMMON_WORDS]


def search(prompt: str, files: Mapping[str, str], *, with_content: bool) -> Found:
    """The files, from name to source, that any keyword of the prompt hits (A13, A14)."""
    wanted = keywords(prompt)
    if not wanted:
        return Found([], [], len(files))
    tokens = {name: set(_tokens(_search_text(name, files[name], with_content=with_content))) for name in sorted(files)}
    hit = _hit(wanted, set[str]().union(*tokens.values()))
    matches = [name for name, its_tokens in tokens.items() if not hit.isdisjoint(its_tokens)]
    pointers = [(name, tagged_markdown.description(files[name], _stem(name))) for name in matches]
    return Found(wanted, pointers, len(files))


def render(found: Found) -> list[str]:
    """One line per found file: where it is and what it is about (A15)."""
    return [" ".join(f"- memory/{name} — {description}".splitlines()) for name, description in found.pointers]


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
    """The tokens that a keyword hits: it is the token, or is a part of it, or is spelt almost like it (A14)."""
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
    """Cut a keyword so that every token it can hit holds one of the pieces."""
    # A ratio of .95 leaves less than one character in nine of the keyword's length unmatched, on both sides together,
    # and each of them spoils one piece at most: one is whole. Looking for it spares comparing every keyword with
    # every token.
    length = len(keyword)
    count = -(-length // 9)
    return [keyword[length * index // count : length * (index + 1) // count] for index in range(count)]


def _holding(piece: str, line: str) -> Iterator[str]:
    """The tokens of a line, each followed by a space, that hold this piece."""
    place = line.find(piece)
    while place >= 0:
        end = line.index(" ", place)
        yield line[line.rfind(" ", 0, place) + 1 : end]
        place = line.find(piece, end)


def _is_similar(keyword: str, token: str) -> bool:
    # By their lengths alone most pairs cannot be: a matcher costs a hundred times more than this line. The lengths
    # also rule out every token below three characters, which A14 skips.
    if 2 * min(len(keyword), len(token)) < SIMILARITY * (len(keyword) + len(token)):
        return False
    matcher = SequenceMatcher(None, keyword, token)
    return matcher.quick_ratio() >= SIMILARITY and matcher.ratio() >= SIMILARITY


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text.lower())


def _stem(name: str) -> str:
    return name.removesuffix(".md")
