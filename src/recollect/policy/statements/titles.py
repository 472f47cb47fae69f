"""Make a title of a sentence: what it is about in at most ten words, without markup, never cut inside a phrase."""

import re

MOST_WORDS, LEAST_WORDS, LEAST_PHRASE = 10, 3, 5
TITLE_CHARS = 100
SIGNS = 30
"""The most signs of a title in a script without spaces."""

# Words that lead up to a sentence, such as ok, btw and one more thing.
_LEADING = re.compile(
    r"^(?:(?:and|but|also|so|ok|okay|btw|by the way|please|pls|heads up|fyi|note that|remember that|then|therefore"
    r"|however)\b[\s,.:!-]*|(?:yes|no|nope|hm+|ah+|oh+|right|good|fine|great|well|nice|cool|thanks|one more thing"
    r"|note|reminder|important|the answer is|the key insight|key insight|root cause|the root cause|the reason|problem"
    r"|cause|gotcha|caveat|result|conclusion"
    r"|summary)\b\s*[,.:!;-]+\s*"
    r"|the (?:actual |real |root )?(?:bug|problem|issue|cause|reason|catch|trick) (?:is|was) (?:that )?(?=\w))+",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"\*\*|__|`+|^[#>\s*•-]+|\[([^\]]*)\]\([^)]*\)|<[^<>]{1,80}>(?=\S)")
_LINK = re.compile(r"\[([^\]]{0,200})\]\([^)]{0,300}\)")
_BRACKETS = re.compile(r"(?<!\bfrom)(?<!\bto)(?<!\bof)(?<!\bis)(?<!\bin)(?<!\bby)\s+\([^()]*\)")
# Where a clause ends, and words before which a phrase begins.
_CLAUSE = re.compile(
    r"[,;:\u2013\u2014](?=\s|$)|\s-\s|\s(?=(?:because|since|so that|otherwise|which|unless|although|whereas|while"
    r"|instead of"
    r"|rather than|even if|even though|until|after|before|when|where|if|but)\b)",
    re.IGNORECASE,
)
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
        "should", "has", "have", "does", "it", "we", "they", "you", "i", "just", "never", "always", "new",
        "more", "do", "don't", "but", "then", "both", "each",
    ]
)  # fmt: skip
# What would turn into its opposite without the clause behind it.
_OPEN_END = re.compile(r"\b(?:only|not|never|\w+n't)(?: \w+)?$", re.IGNORECASE)
_ADVERBIAL = re.compile(
    r"^(?:when|whenever|if|once|after|before|while|since|because|for|in|on|at|with|during|by)\b", re.IGNORECASE
)
_PLAIN_WORD = re.compile(r"(?=[a-z]*[aeiouy])[a-z]{2,}$|[ai]$")
_NO_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


def title(sentence: str) -> str:
    """Return a title made of a sentence: its main clause, at most ten words; paths and names keep their case."""
    plain = _MARKUP.sub("", _LINK.sub(r"\1", " ".join(sentence.split())))
    plain = (_LEADING.sub("", plain) or plain).strip(" .!:;,*_-\u2013\u2014")
    if _NO_SPACES.search(plain) and len(plain) > SIGNS:
        return _first_signs(plain)
    short = plain if _fits(plain) else _main_clause(_BRACKETS.sub("", plain).strip())
    return _capitalised(short[:TITLE_CHARS].rstrip(" ,.:;(-\u2013\u2014"))


def _fits(text: str) -> bool:
    return len(text.split()) <= MOST_WORDS and len(text) <= TITLE_CHARS


def _main_clause(text: str) -> str:
    """Return the longest beginning of whole clauses that fits; the clause behind an adverbial; else a phrase."""
    if _fits(text):
        return text
    ends = [end.start() for end in _CLAUSE.finditer(text)]
    parts = [text[:end] for end in ends]
    fitting = [
        part for part in parts if _fits(part) and len(part.split()) >= LEAST_WORDS and not _OPEN_END.search(part)
    ]
    whole = [part for part in fitting if not _ADVERBIAL.match(part)]
    if whole:
        return whole[-1]
    if fitting and _ADVERBIAL.match(text):
        rest = text[len(fitting[0]) :].lstrip(" ,;:\u2013\u2014-")
        return _main_clause(rest) if len(rest.split()) >= LEAST_WORDS else fitting[0]
    return _phrase(text)


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
