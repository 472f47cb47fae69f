"""Find the sentences of an earlier turn that a prompt is about. Import-light, because hooks use it.

A turn is long, and its beginning is seldom what the prompt is about. Where no sentence of its answer has much in common
with the prompt, the two share words by chance, and the turn is not told.
"""

from recollect.model.words import stemmer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PROMPT, ANSWER = "Asked: ", "Answered: "
MOST_SENTENCES, MOST_CHARS, SENTENCE_CHARS = 4, 700, 300
TELLING_FROM = 0.5
LEAST_EVIDENCE, LEAST_WORDS, LEAST_SHARE = 5.0, 2, 0.22
"""What a sentence needs: the weight of the prompt's words in it, and how many; and the share that all shown have."""
SAME_QUESTION, QUESTION_WORDS = 0.6, 12
"""The share of the prompt in an earlier prompt from which on both ask the same, and the most telling words of such a
prompt: then the answer is shown from its beginning."""
ALIKE = 0.3
"""The share of the prompt in an earlier prompt from which on its words may stand in several sentences of the answer."""
SHORTEST_ANSWER = 200
"""A shorter answer reports that something was done ("Done. Committed and pushed.")."""
MARK = "…"


def passage(text: str, weights: "Mapping[str, float]", *, is_few: bool) -> str:
    """Return the sentences of a turn that share most with the prompt's words; empty if they share too little.

    `weights` are the stems of the prompt, and how telling each is. Where the store has few memories (`is_few`), less
    matches by chance: a short turn is returned whole, and of a long one the best sentences, unless the prompt is long.
    """
    if is_few and len(text) <= MOST_CHARS:
        return text
    asked, answer = _parts(text)
    telling = {stem: weight for stem, weight in weights.items() if weight > TELLING_FROM}
    whole = sum(telling.values()) or 1.0
    said_before = _stems(asked, telling)
    answered = _sentences(answer)
    is_same = _evidence(said_before, telling) >= SAME_QUESTION * whole and len(telling) <= QUESTION_WORDS
    if is_same and _is_much(said_before, telling):
        return _shown(answered, list(range(len(answered))))
    if is_few and len(telling) <= QUESTION_WORDS:
        sentences = [*_sentences(asked), *answered]
        return _shown(sentences, _best(sentences, telling)[0])
    chosen, said = _best(answered, telling)
    share = _evidence(said_before, telling) / whole
    is_said = any(_is_much(_stems(answered[number], telling), telling) for number in chosen)
    is_enough = (
        (is_said or share >= ALIKE) and _is_much(said, telling) and _evidence(said, telling) >= LEAST_SHARE * whole
    )
    return _shown(answered, chosen) if is_enough and len(answer) >= SHORTEST_ANSWER else ""


def _evidence(stems: "set[str]", telling: "Mapping[str, float]") -> float:
    return sum(telling[stem] for stem in stems)


def _is_much(stems: "set[str]", telling: "Mapping[str, float]") -> bool:
    return len(stems) >= LEAST_WORDS and _evidence(stems, telling) >= LEAST_EVIDENCE


def _parts(text: str) -> tuple[str, str]:
    """Return what was asked and what was answered."""
    before, mark, after = text.partition(ANSWER)
    return (before.removeprefix(PROMPT), after) if mark else ("", text)


def _stems(text: str, telling: "Mapping[str, float]") -> set[str]:
    return {stem for _, _, stem in stemmer.tokens(text) if stem in telling}


def _sentences(answer: str) -> list[str]:
    """Return the lines of an answer, long ones as sentences; no code, no rules, no headings of tables."""
    found, in_code = [], False
    for line in answer.split("\n"):
        bare = line.strip()
        if bare.startswith("```"):
            in_code = not in_code
        elif not in_code and any(sign.isalpha() for sign in bare) and not bare.startswith("#"):
            found += _split(bare)
    return found


def _split(line: str) -> list[str]:
    if len(line) <= SENTENCE_CHARS:
        return [line]
    return [part.strip() for part in line.replace(". ", ".\n").split("\n") if part.strip()]


def _best(sentences: list[str], telling: "Mapping[str, float]") -> tuple[list[int], set[str]]:
    """Return the numbers of the sentences that together have most of the prompt's words, and those words."""
    stems = [_stems(sentence, telling) for sentence in sentences]
    chosen: list[int] = []
    said: set[str] = set()
    for _ in range(MOST_SENTENCES):
        worth = [(_evidence(found - said, telling), -number) for number, found in enumerate(stems)]
        most, number = max(worth, default=(0.0, 0))
        if most <= (LEAST_EVIDENCE / 2 if chosen else 0.0):
            break
        chosen.append(-number)
        said |= stems[-number]
    return sorted(chosen), said


def _shown(sentences: list[str], chosen: list[int]) -> str:
    """Return the chosen sentences in order, and those that follow them while there is room; a mark stands for gaps."""
    following = [number + 1 for number in chosen if number + 1 < len(sentences)]
    shown: set[int] = set()
    room = MOST_CHARS
    for number in dict.fromkeys([*chosen, *following]):
        room -= min(len(sentences[number]), SENTENCE_CHARS)
        if shown and room < 0:
            break
        shown.add(number)
    return "\n".join(
        _cut(sentences[number]) if number - 1 in shown or number == min(shown) else f"{MARK} {_cut(sentences[number])}"
        for number in sorted(shown)
    )


def _cut(sentence: str) -> str:
    return sentence if len(sentence) <= SENTENCE_CHARS else f"{sentence[:SENTENCE_CHARS].rpartition(' ')[0]} {MARK}"
