"""Make a title of a sentence: what it is about in at most twelve words, without markup, whole clauses if possible."""

import re

MOST_WORDS, LEAST_WORDS, LEAST_PHRASE = 12, 3, 5
TITLE_CHARS = 110
SIGNS = 30
"""The most signs of a title in a script without spaces."""

# Words that lead up to a sentence, such as ok, btw and one more thing.
_LEADING = re.compile(
    r"^(?:(?:and|but|also|so|ok|okay|btw|by the way|please|pls|heads up|fyi|note that|remember that|then|therefore"
    r"|however|from (?:now|here|today) on(?:wards?)?|going forward|as of (?:now|today)|in future|in the future(?=,)"
    r"|for the future)\b[\s,.:!-]*"
    r"|(?:yes|no|nope|hm+|ah+|oh+|right|good|fine|great|well|nice|cool|thanks|one more thing"
    r"|note|reminder|important|the answer is|the key insight|key insight|root cause|the root cause|the reason|problem"
    r"|cause|gotcha|caveat|result|conclusion"
    r"|summary)\b\s*[,.:!;-]+\s*"
    r"|the (?:actual |real |root )?(?:bug|problem|issue|cause|reason|catch|trick) (?:is|was) (?:that )?(?=\w)"
    r"|i(?:'ve| have)? (?=(?:put|kept|left|chose|picked|moved|pinned|added|set|used|stored) (?!to\b)))+",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"\*\*|__|`+|^[#>\s*•-]+|\[([^\]]*)\]\([^)]*\)|<[^<>]{1,80}>(?=\S)")
_CODE = re.compile(r"`([^`]{1,200})`")
OPENED = "\ue000"
"""Stands for `<` in code while markup is taken out."""
_LINK = re.compile(r"\[([^\]]{0,200})\]\([^)]{0,300}\)")
_BRACKETS = re.compile(r"(?<!\bfrom)(?<!\bto)(?<!\bof)(?<!\bis)(?<!\bin)(?<!\bby)\s+\([^()]*\)")
# Where a clause ends, and words before which a phrase begins.
_CLAUSE = re.compile(
    r"[,;:\u2013\u2014](?=\s|$)|\s-\s|\s(?=(?:because|since|so that|otherwise|which|unless|although|whereas|while"
    r"|instead of"
    r"|rather than|even if|even though|until|after|before|when|where|if|but"
    r"|and (?:there|we|it|they|you|i|the|that))\b)",
    re.IGNORECASE,
)
_ABBREVIATION = re.compile(
    r"(?:^|\W)(?:e\.g|i\.e|etc|vs|cf|approx|max|min|incl|no|nr|bzw|z\.b|d\.h)$|\.\.$", re.IGNORECASE
)
_MARK = re.compile(r"[,;:.\u2013\u2014] |\s-\s")
_PHRASE = frozenset(
    [
        "to", "for", "in", "with", "on", "from", "and", "or", "as", "by", "at", "into", "of", "via", "over",
        "without", "through", "so", "than", "under", "using", "during", "between", "against", "within", "across", "per",
    ]
)  # fmt: skip
_DANGLING = _PHRASE | frozenset(
    [
        "that", "the", "a", "an", "is", "are", "was", "were", "be", "not", "no", "its", "their", "our", "this", "these",
        "those", "any", "every", "all", "only", "also", "when", "if", "because", "which", "will", "can", "must",
        "should", "has", "have", "does", "we", "they", "i", "just", "even", "never", "always", "new",
        "do", "don't", "but", "then", "both", "each",
    ]
)  # fmt: skip
_SMALL_WORDS = frozenset(
    [
        "the", "just", "actually", "really", "currently", "basically", "simply", "also", "very", "quite",
        "now", "then", "already", "explicitly", "please",
    ]
)  # fmt: skip
# What would turn into its opposite without the clause behind it.
_OPEN_END = re.compile(r"\b(?:only|not|never|\w+n't)(?: \w+)?$", re.IGNORECASE)
_VAGUE_END = re.compile(r"\b(?:issues?|problems?|cases?|things?|ways?|scenarios?|risks?|points?)$", re.IGNORECASE)
# A clause that waits for its main clause, and a phrase that stands before one.
_SUBORDINATE = re.compile(
    r"^(?:when|whenever|if|once|after|before|while|because|although|though|unless|until|whatever|as soon as)\b",
    re.IGNORECASE,
)
_ADVERBIAL = re.compile(r"^(?:since|for|in|on|at|with|during|by|from|as|to|without|under)\b", re.IGNORECASE)
ADVERBIAL_WORDS = 4
"""A phrase of more words, up to a comma, mostly has the main clause in it."""
_CONJUNCTION = re.compile(r"^(?:and|but|so|or|then)\s+", re.IGNORECASE)
_THEY_ARE = re.compile(r"\b(?:it|that|this|they|we|you|there) (?:is|are|was|were|has|have|does|do)$", re.IGNORECASE)
_PLAIN_WORD = re.compile(r"(?=[a-z]*[aeiouy])[a-z]{2,}$|[ai]$")
_NO_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


def title(sentence: str) -> str:
    """Return a title made of a sentence: its main clause, at most twelve words; paths and names keep their case."""
    is_code = sentence.lstrip(" *_").startswith("`")
    plain = _CODE.sub(_code, _LINK.sub(r"\1", " ".join(sentence.split())))
    plain = _MARKUP.sub("", plain).replace(OPENED, "<")
    plain = (_LEADING.sub("", plain) or plain).strip(" .!:;,*_-\u2013\u2014")
    if _NO_SPACES.search(plain) and len(plain) > SIGNS:
        return _first_signs(plain)
    short = plain if _fits(plain) else _shortened(_first_sentence(_BRACKETS.sub("", plain).strip()))
    made = short[:TITLE_CHARS].rstrip(" ,.:;(-\u2013\u2014")
    return made if is_code and plain.startswith(made[:1]) else _capitalised(made)


def _code(found: re.Match[str]) -> str:
    return found[1].replace("<", OPENED)


def _first_sentence(text: str) -> str:
    """Return the first sentence of a text that is too long."""
    first, stop, _ = text.partition(". ")
    return first if stop and len(first.split()) > 1 and not _ABBREVIATION.search(first) else text


def _fits(text: str) -> bool:
    return len(text.split()) <= MOST_WORDS and len(text) <= TITLE_CHARS


def _shortened(text: str) -> str:
    """Return a text that fits: its main clause, else the text or its beginning without words that say nothing."""
    clause, bare = _main_clause(text), _without_small_words(text)
    if _fits(text) or _is_whole_clause(text, clause):
        return clause
    bare_clause = _main_clause(bare)
    is_longer = len(bare_clause.split()) > len(_without_small_words(clause).split())
    return bare_clause if is_longer else clause


def _is_whole_clause(text: str, clause: str) -> bool:
    """Whether a clause of some length says something by itself, and a new clause begins behind it."""
    end = _CLAUSE.match(text, len(clause)) if text.startswith(clause) else None
    return bool(end) and len(clause.split()) >= LEAST_PHRASE and not _VAGUE_END.search(clause)


def _without_small_words(text: str) -> str:
    """Return a text as a headline has it: without words that say nothing."""
    words = text.split()
    kept = [word for word in words if word.lower().rstrip(",") not in _SMALL_WORDS]
    return " ".join(kept) if len(kept) >= LEAST_WORDS else text


def _main_clause(text: str) -> str:
    """Return the longest beginning of whole clauses that fits; the clause behind an adverbial; else a phrase."""
    if _fits(text):
        return text
    fitting = [part for part in _beginnings(text) if _fits(part) and not _is_open(part)]
    whole = [part for part in fitting if not _is_adverbial(part) and not _is_fragment(part)]
    if whole:
        return whole[-1]
    if fitting and _is_adverbial(fitting[0]):
        rest = _CONJUNCTION.sub("", text[len(fitting[0]) :].lstrip(" ,;:.\u2013\u2014-"))
        return _main_clause(rest) if len(rest.split()) >= LEAST_WORDS else fitting[0]
    return _phrase(text)


def _beginnings(text: str) -> list[str]:
    """Return the beginnings of a text that end where a clause does, shortest first."""
    parts = [text[: end.start()] for end in _CLAUSE.finditer(text)]
    return [part for part in parts if len(part.split()) >= LEAST_WORDS or _is_adverbial(part)]


def _is_adverbial(part: str) -> bool:
    """Whether the main clause is still to come behind a beginning."""
    if _SUBORDINATE.match(part):
        return len(_CLAUSE.split(part)) == 1
    return bool(_ADVERBIAL.match(part)) and len(part.split()) <= ADVERBIAL_WORDS


def _is_fragment(part: str) -> bool:
    """Whether a beginning ends with a clause of one or two words behind a mark: "do not mix: with ServeHTTP"."""
    last = _MARK.split(part)
    return len(last) > 1 and len(last[-1].split()) < LEAST_WORDS


def _is_open(part: str) -> bool:
    """Whether a part of a sentence asks for what comes behind it: "the real risk is", "it does not"."""
    if _THEY_ARE.search(part):
        return False
    return bool(_OPEN_END.search(part)) or part.rsplit(maxsplit=1)[-1].lower() in _DANGLING


def _phrase(text: str) -> str:
    """Return the longest beginning that ends before a preposition or conjunction and fits."""
    words = text.split()
    most = min(MOST_WORDS, len(words) - 1)
    for number in range(most, LEAST_PHRASE - 1, -1):
        is_boundary = words[number].lower() in _PHRASE and words[number - 1].lower().strip(",") not in _DANGLING
        if is_boundary and len(" ".join(words[:number])) <= TITLE_CHARS:
            return " ".join(words[:number])
    kept = words[:most]
    while len(kept) > LEAST_WORDS and (kept[-1].lower() in _DANGLING or len(" ".join(kept)) > TITLE_CHARS):
        kept.pop()
    return " ".join(kept)


def _first_signs(text: str) -> str:
    """Return the beginning of a text in a script without spaces, up to a comma if there is one."""
    ends = [place for place, sign in enumerate(text[: SIGNS + 1]) if sign in "\u3001\uff0c\u3002\uff1b"]
    return text[: ends[-1]] if ends and ends[-1] >= LEAST_WORDS else text[:SIGNS]


def _capitalised(text: str) -> str:
    """Return a title with a capital, unless its first word is a path, a file or another name."""
    first = text.split(" ", 1)[0].rstrip(",:")
    return text[:1].upper() + text[1:] if _PLAIN_WORD.match(first) else text
