"""Which memories say nearly the same: single linkage on the words of their whole texts (D43, D44).

Only memories with the same key are compared: kind family, sensitivity, origin, and what the texts negate. Pairs are
found by the rarest words that they share, so that the time grows with the number of memories and not with its square.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import chain

from recollect.model.rows.upkeep_row import UpkeepRow

SIMILAR_FROM = 0.5
FEWEST = 3
MOST = 50
"""A larger cluster is split, so that no summary becomes a book."""
RARE_WORDS = 8
"""By so many of its rarest words a memory looks for others; similar texts share at least one of them."""
FEWEST_SHARED = 2
"""So many of the rarest words two long texts share before they are compared."""
RARE_AMONG_FRESH = 3
"""A word that more of the fresh texts have says little about which of them a text is similar to."""
LOOK_BACK = 16
"""With so many of the last memories that have a word it is compared; single linkage reaches the others through them."""
NEGATION_REACH = 2
"""So many words behind a negation are negated by it."""
_APART = str.maketrans({**dict.fromkeys('.,;:!?()[]{}<>"`*#|=+/\\_~&%$@^\u2026\u201c\u201d\u3002', " "), "\u2019": "'"})
"""What stands between words; hyphens and apostrophes are part of them."""
_NEGATIONS = frozenset(
    [
        "no", "not", "never", "none", "nothing", "nobody", "without", "cannot", "cant", "can't", "don't", "dont",
        "doesn't", "didn't", "won't", "shouldn't", "mustn't", "isn't", "aren't", "wasn't", "weren't", "wouldn't",
        "couldn't", "avoid", "stop", "nie", "niemals", "nicht", "kein", "keine", "keinen", "ohne",
    ]
)  # fmt: skip
_FILLERS = frozenset(
    [
        "a", "an", "the", "to", "be", "is", "are", "do", "does", "use", "uses", "using", "any", "of", "for", "it",
        "this", "that", "always", "must", "should",
    ]
)  # fmt: skip
OPPOSITES = (
    ("always", "never"), ("enable", "disable"), ("enabled", "disabled"), ("on", "off"), ("allow", "forbid"),
    ("allowed", "forbidden"), ("before", "after"), ("true", "false"), ("add", "remove"), ("added", "removed"),
    ("keep", "drop"), ("with", "without"), ("prefer", "avoid"), ("works", "fails"), ("passes", "fails"), ("yes", "no"),
    ("min", "max"), ("minimum", "maximum"), ("sync", "async"), ("required", "optional"), ("public", "private"),
)  # fmt: skip
"""Words that turn a sentence round: memories with different ones of a pair are never in one cluster."""
_OPPOSED = frozenset(word for pair in OPPOSITES for word in pair)


def words(said: str) -> list[str]:
    """Return the words of a text in lower case, in order."""
    return said.casefold().translate(_APART).split()


def similarity(one: Collection[str], other: Collection[str]) -> float:
    """Return the Jaccard similarity of two sets of words; 0 where both are empty."""
    first, second = set(one), set(other)
    both = len(first & second)
    return both / (len(first) + len(second) - both) if both else 0.0


def turns(said: Sequence[str], unique: frozenset[str]) -> Hashable:
    """Return what turns the words of a text round: the negated words, and those that have an opposite."""
    negated = set()
    for place, word in enumerate(said) if unique & _NEGATIONS else ():
        if word in _NEGATIONS:
            rest = [next_word for next_word in said[place + 1 : place + 8] if next_word not in _FILLERS]
            negated.add(tuple(rest[:NEGATION_REACH]))
    return frozenset(negated), unique & _OPPOSED


def clusters(rows: Iterable[UpkeepRow], families: Mapping[str, str]) -> list[list[UpkeepRow]]:
    """Return clusters of three or more memories, the largest first; `families` has the family of each kind.

    Memories of kinds without a family are in none.
    """
    groups: dict[Hashable, list[tuple[UpkeepRow, frozenset[str]]]] = defaultdict(list)
    for row in rows:
        if row.kind in families:
            said = words(row.text or row.title)
            unique = frozenset(said)
            groups[families[row.kind], row.sensitivity, row.origin, turns(said, unique)].append((row, unique))
    found = [cluster for group in groups.values() if len(group) >= FEWEST for cluster in _linked(group)]
    return sorted(found, key=lambda cluster: (-len(cluster), cluster[0].uid))


def around(fresh: Sequence[UpkeepRow], rows: Sequence[UpkeepRow]) -> list[UpkeepRow]:
    """Return the fresh memories and those of `rows` that are similar to one of them."""
    texts = [frozenset(words(row.text or row.title)) for row in fresh]
    holding: dict[str, list[int]] = defaultdict(list)
    for place, said in enumerate(texts):
        for word in said:
            holding[word].append(place)
    rare = frozenset(word for word, places in holding.items() if len(places) <= RARE_AMONG_FRESH)
    known = {row.uid for row in fresh}
    return [row for row in rows if row.uid in known or _is_near(row, texts, holding, rare)]


def _is_near(
    row: UpkeepRow, texts: Sequence[frozenset[str]], holding: Mapping[str, list[int]], rare: frozenset[str]
) -> bool:
    """Whether a memory is similar to one of some texts that it shares rare words with."""
    said = frozenset(words(row.text or row.title))
    shared = said & rare
    if len(shared) < min(FEWEST_SHARED, len(said)) or len(said & holding.keys()) < SIMILAR_FROM * len(said):
        return False  # similar texts share at least half of the words of each
    least = min(FEWEST_SHARED, len(said))
    counted = Counter(chain.from_iterable(map(holding.__getitem__, shared)))
    near = [place for place, number in counted.items() if number >= least]
    return any(_is_similar(said, texts[place]) for place in near)


def _linked(group: Sequence[tuple[UpkeepRow, frozenset[str]]]) -> list[list[UpkeepRow]]:
    """Return the connected parts of a group, in pieces of at most MOST; oldest first in each."""
    heads = _heads([said for _, said in group])
    parts: dict[int, list[UpkeepRow]] = defaultdict(list)
    for place, (row, _) in enumerate(group):
        parts[heads[place]].append(row)
    return [piece for part in parts.values() if len(part) >= FEWEST for piece in _pieces(part)]


def _heads(texts: Sequence[frozenset[str]]) -> list[int]:
    """Return for each text a number that it shares with the texts that it is linked to, over any number of steps."""
    frequency = Counter(chain.from_iterable(texts))
    order = {word: place for place, (word, number) in enumerate(reversed(frequency.most_common())) if number > 1}
    repeated = frozenset(order)
    holding: dict[str, deque[int]] = defaultdict(lambda: deque(maxlen=LOOK_BACK))
    head = list(range(len(texts)))
    for place, said in enumerate(texts):
        rare = sorted(said & repeated, key=order.__getitem__)[:RARE_WORDS]
        shared = Counter(chain.from_iterable(map(holding.__getitem__, rare)))
        least = FEWEST_SHARED if len(rare) == RARE_WORDS else 1
        for other, number in shared.items():
            if number >= least and _is_similar(said, texts[other]):
                head[_head(head, other)] = _head(head, place)
        for word in rare:
            holding[word].append(place)
    return [_head(head, place) for place in range(len(texts))]


def _is_similar(one: frozenset[str], other: frozenset[str]) -> bool:
    first, second = len(one), len(other)
    if first < second * SIMILAR_FROM or second < first * SIMILAR_FROM:
        return False
    both = len(one & other)
    return both >= SIMILAR_FROM * (first + second - both)


def _head(heads: list[int], place: int) -> int:
    while heads[place] != place:
        heads[place] = heads[heads[place]]
        place = heads[place]
    return place


def _pieces(part: list[UpkeepRow]) -> list[list[UpkeepRow]]:
    """Return a cluster in pieces of nearly the same size, none larger than MOST."""
    number = -(-len(part) // MOST)
    size = -(-len(part) // number)
    return [part[start : start + size] for start in range(0, len(part), size)]
