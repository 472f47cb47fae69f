"""What a prompt's own shape says: whether memories of a project can help with it at all. Import-light.

Words in common say little here: a request to rename a variable shares words with many memories and needs none of them.
The weights are fitted (`scripts/fit_shapes.py`) on prompts that are labelled by hand: does memory help, or not?
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
    """How much a prompt looks like one that memories help with: -1 not at all, 1 very much."""
    found = BIAS + sum(WEIGHTS.get(feature, 0.0) for feature in features(prompt))
    return max(-MOST, min(MOST, found)) / MOST


def features(prompt: str) -> set[str]:
    """What a prompt is made of: its words and pairs of words, how it begins, its length, what stands in it."""
    head = prompt[:HEAD_CHARS]
    raw = head.split()
    said = [word for word in (one.strip(MARKS).lower() for one in raw) if word]
    words = said[:HEAD_WORDS]
    found = {word for word in words if word.isalpha() or "'" in word}
    found.update(f"^{word}" for word in words[:1])
    found.update(f"{one} {two}" for one, two in zip(words, words[1:], strict=False) if one.isalpha() and two.isalpha())
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
