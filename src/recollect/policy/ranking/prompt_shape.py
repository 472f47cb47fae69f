"""Estimate from a prompt's shape whether memories of a project can help with it at all. Import-light.

Common words say little here: a request to rename a variable shares words with many memories and needs none of them. The
weights are fitted (`scripts/fit_shapes.py`) on prompts that are labelled by hand: does memory help, or not?
"""

from recollect.policy.ranking.prompt_shape_weights import BIAS, WEIGHTS

HEAD_CHARS = 2_000
HEAD_WORDS = 40
MARKS = ".,;:!?()[]{}\"'`<>*"
CODE = "(){}[]=;<>`"
GIVEN = "(){}[]=;<>\"'"
OURS = frozenset(
    ["here", "i", "i'm", "i've", "let's", "me", "my", "our", "ours", "repo", "repository", "us", "we", "we're", "we've"]
)
LENGTHS = ((3, "#1-3"), (7, "#4-7"), (14, "#8-14"), (30, "#15-30"))
MOST = 3.0


def need(prompt: str) -> float:
    """Return how much a prompt looks like those that memories help with: -1 not at all, 1 very much."""
    weight = BIAS + sum(WEIGHTS.get(feature, 0.0) for feature in features(prompt))
    return max(-MOST, min(MOST, weight)) / MOST


def features(prompt: str) -> set[str]:
    """Return a prompt's features: words, pairs of words, `^` and the first word, `#` and its length, code, paths."""
    head = prompt[:HEAD_CHARS]
    raw = head.split()
    said = [word for word in (token.strip(MARKS).lower() for token in raw) if word]
    words = said[:HEAD_WORDS]
    found = {word for word in words if word.isalpha() or "'" in word}
    found.update(f"^{word}" for word in words[:1])
    pairs = zip(words, words[1:], strict=False)
    found.update(f"{left} {right}" for left, right in pairs if left.isalpha() and right.isalpha())
    found.add(next((name for most, name in LENGTHS if len(said) <= most), "#31-"))
    found.update(name for name, holds in _signs(head, raw, said) if holds)
    return found


def _signs(head: str, raw: list[str], said: list[str]) -> tuple[tuple[str, bool], ...]:
    tail = head.partition(": ")[2]
    return (
        ("#lines", "\n" in head.strip()),
        ("#?", head.rstrip().endswith("?")),
        ("#ours", not OURS.isdisjoint(said)),
        ("#given", any(sign in tail for sign in GIVEN)),
        ("#code", any(sign in head for sign in CODE)),
        ("#path", any("/" in word or _has_inner_dot(word) for word in raw)),
        ("#digit", any(sign.isdigit() for sign in head)),
    )


def _has_inner_dot(word: str) -> bool:
    return "." in word[1:-1] and not word.replace(".", "").isdigit()
