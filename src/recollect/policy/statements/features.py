"""The features of a sentence, over which a fitted linear model judges whether it states something to keep.

- its words, pairs and triples of words, its first and last words, and the ends of its long words
- its skeleton: runs of function words, with a mark for each other word ("we * in the *"), which stand for its grammar
- cues: a name for many wordings of a rule, a choice, a limit, a report (`CUES`), and those of its neighbours

A name of code, a number and code in backticks are `#name`, `#num` and `#code`, whatever they name.
"""

import re
from collections.abc import Sequence
from itertools import combinations, pairwise

from recollect.policy.rule import table
from recollect.policy.statements import lasting

LENGTHS = ((3, "#1-3"), (7, "#4-7"), (14, "#8-14"), (25, "#15-25"), (40, "#26-40"))
"""Features of a sentence's length: the most words, and the name."""
LONGER = "#41-"
SKELETON_RUNS, SKELETON_STARTS = (2, 3, 4), (2, 3, 4, 5)
"""How many words of a skeleton make a feature, and how many of its beginning."""
ENDING, LONG_WORD = 3, 5
"""How much of a word's end is a feature, in words that are longer than this."""

_CODE = re.compile(r"`[^`\n]+`")
_TOKEN = re.compile(r"\S+")
_NUMBER = re.compile(r"\b\d[\d.,:]*\b")
_CAMEL = re.compile(r"[a-z][A-Z]")
_WORD = re.compile(r"[a-z']+|#num|#code|#name|[?!]")
_POINTS_AT = re.compile(r"\b(?:this|that|these|those|it|here)\b", re.IGNORECASE)
# Words that a skeleton shows; of all others only the ending is shown.
_FUNCTION_WORDS = (
    "a an the this that these those it its they them their he she we our us i my me you your who what which "
    "when where why how if then than as at by for from in into of off on onto out over to under up with "
    "without within per via and or but nor so not no never always only just even also too still yet again "
    "already now here there every each all any some most more less both either neither none one two same "
    "other another such own is are was were be been being am do does did done has have had having can cannot "
    "can't could should shall will would won't wouldn't must may might need needs ought let lets let's don't "
    "doesn't didn't isn't aren't wasn't weren't hasn't haven't please pls because since unless until while "
    "whenever before after once instead rather except besides between during about against like through "
    "around use uses used using keep make makes get gets go goes run runs put live lives want prefer hate yes "
    "ok okay well oh btw actually maybe perhaps probably think guess today tomorrow yesterday first last next "
    "later ever anymore "
)
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
ENDINGS = (("ing", "*ing"), ("ed", "*ed"), ("ly", "*ly"), ("ss", "*"), ("s", "*s"))
"""What a skeleton shows of other words, by their ending."""

# Cues: features of a sentence that stand for many wordings. Their names and order are part of the weights.
CUES = table(
    (
        (
            "#rule",
            (
                r"\b(?:always|never|from now on|going forward|in future|in this (?:repo|project|code ?base|team)"
                r"|as a rule|convention|house rule|policy|every (?:\w+ )?(?:\w+) (?:has|must|needs|should|gets)"
                r"|no (?:more )?\w+ing\b|don'?t ever|under no|at all times)\b"
            ),
            "from now on we use pnpm",
        ),
        (
            "#order",
            (
                r"^(?:and |but |also |btw,? |please |pls |no,? |nope,? |ok,? |so )*(?:use|don'?t|do not|never"
                r"|always|keep|stop|avoid|prefer|make|put|no)\b"
            ),
            "please use pnpm",
        ),
        ("#not-but", r"\b(?:not|never|instead of|rather than|over)\b.*|,\s*(?:not|no)\s", "pnpm, not npm"),
        (
            "#because",
            (
                r"\b(?:because|since|cause|so that|otherwise|due to|as we|as it|reason|that'?s why|hence"
                r"|therefore)\b|:\s"
            ),
            "npm is out because it is slow",
        ),
        (
            "#choice",
            (
                r"\b(?:go(?:ing)? (?:with|for)|went (?:with|for)|chose|choose|decid\w+|pick\w*|opt\w* (?:for|to)"
                r"|settle\w* on|let'?s|take (?:the|option)|option \w|then\b|it is\b|instead|drop\w*"
                r"|switch\w* (?:to|back)|stick\w* (?:with|to)|stay\w* (?:with|on))\b"
            ),
            "let's go with Postgres",
        ),
        (
            "#limit",
            (
                r"\b(?:limit\w*|cap\w*|at most|max\w*|quota|only (?:has|have|allows?|supports?|works?|runs?|gets?"
                r"|possible)|can(?:no|')t|not (?:possible|allowed|supported|available)|no more than|per (?:second"
                r"|minute|hour|day|month|token|request|user)|still on|stuck (?:on|at)|minimum|at least|up to"
                r"|not before|until \w+)\b"
            ),
            "at most 10 requests per second",
        ),
        (
            "#amount",
            (
                r"\d\s?(?:%|k?b/?s|[kmgt]i?b|gb|mb|ms|s\b|sec|min|h\b|hours?|days?|requests?|req|rows?|users?"
                r"|mails?|connections?|cores?|rps|qps|fps)"
            ),
            "the queue takes 500 requests",
        ),
        (
            "#later",
            (
                r"\b(?:later|for now|not now|not yet|next (?:week|month|quarter|sprint|release|year)|postpone\w*"
                r"|defer\w*|leave (?:it|that|this|the|them)|come back|revisit|until|todo|follow-?up|separate (?:pr"
                r"|ticket|issue|change)|another (?:day|time|pr)|backlog|park\w*|out of scope|q[1-4]|someday"
                r"|eventually|once (?:we|the))\b"
            ),
            "leave it for next week",
        ),
        (
            "#guess",
            (
                r"\b(?:probably|maybe|might|may be|perhaps|i (?:suspect|guess|think|assume|would)|i'?d|could be"
                r"|looks like|seems|likely|possibly|not sure|unclear|my guess|should be)\b"
            ),
            "it is probably the cache",
        ),
        (
            "#offer",
            (
                r"\b(?:shall i|should i|do you want|want me to|would you like|let me know|tell me|if you (?:want"
                r"|like|prefer)|options?:|next,? i|i(?:'ll| will| can| could)|let me)\b"
            ),
            "shall I push it",
        ),
        (
            "#cause",
            (
                r"\b(?:root cause|the (?:cause|culprit|reason|problem|issue|bug|failure|error) (?:was|is)"
                r"|caused by|because|turned? out|turns out|the fix|fixed by|was due|comes? from|came from"
                r"|which (?:is why|means|made|broke)|so (?:it|the|that)|never|no longer|was missing|wrong)\b"
            ),
            "the root cause was a stale cache",
        ),
        (
            "#past",
            r"\b(?:was|were|had|did|went|used|made|kept|left|failed|broke|found|measured|changed)\b",
            "the build failed",
        ),
        (
            "#i-did",
            (
                r"\bi(?:'ve| have)? (?:went|chose|decided|picked|used|kept|left|put|made|did|opted|skipped|pinned"
                r"|switched|moved|found|measured|traced)\b|\bi (?:did not|didn'?t)\b"
            ),
            "I went with a queue",
        ),
        (
            "#explains",
            (
                r"\b(?:on purpose|by design|that is why|works? (?:by|like|as)|is (?:called|built|created|computed"
                r"|cached|loaded|read) |goes through|depends on|only (?:after|when|if)|first .* then|behind"
                r"|under the hood|never (?:reused|called|read)|every time|each (?:time|request|call))\b"
            ),
            "the index is built on purpose at night",
        ),
        (
            "#done",
            (
                r"\b(?:done|committed|pushed|green|pass(?:es|ed)?|clean|added|updated|renamed|removed|finished"
                r"|works now|all good|you'?re welcome|ready)\b"
            ),
            "all tests are green",
        ),
        ("#we", r"\b(?:we|our|us|team|repo|project|company|customers?)\b", "our customers"),
        ("#now", r"\b(?:now|this time|here|today|again|once|first|right away|quickly|just)\b", "just this time"),
        (
            "#task",
            (
                r"^(?:and |then |now |please |pls |can you |could you |next[,:]? |also |ok,? )*(?:add|fix|write"
                r"|run|show|check|look|create|update|rename|remove|implement|move|change|build|commit|push|try"
                r"|make|give|find|refactor|test|open|explain|tell|list|print|set|bump|deploy|review|rebase|merge"
                r"|clean|convert|generate|revert|wire|extract|split|start|stop|do)\b"
            ),
            "add a test",
        ),
    ),
    re.IGNORECASE,
)
# Cues of the prompt that an agent's message answers.
ASKED = table(
    (
        ("#asked-why", r"\b(?:why|how come|how does|how do|what for|reason)\b", "why is it slow"),
        ("#asked-fix", r"\b(?:fix|fail\w*|error|broken|red|crash\w*|bug|wrong|flaky)\b", "fix the build"),
        ("#asked-?", r"\?\s*\Z", "is it slow?"),
    ),
    re.IGNORECASE,
)


def context(parts: Sequence[str], place: int, *, by_user: bool, asked: str = "") -> set[str]:
    """Return the features of a sentence among others, each marked `u` for the user or `a` for the agent."""
    if by_user:  # what a user states is a statement whatever stands beside it
        return {f"u{feature}" for feature in (*_of_sentence(parts[place]), _length(parts[place]))}
    before, after = parts[max(0, place - 1) : place], parts[place + 1 : place + 2]
    around = [f"{side}{cue}" for side, found in (("<", before), (">", after)) for part in found for cue in _cues(part)]
    signs = _of_answer(place, len(parts), asked)
    return {f"a{feature}" for feature in (*_of_sentence(parts[place]), *around, *signs)}


def _of_sentence(sentence: str) -> list[str]:
    """Return the features of a sentence by itself: `:word`, `:two words`, `^first`, `$last`, `#cue`, `=skeleton`."""
    words = _words(lasting.bare(sentence).replace("dont ", "don't "))
    pairs = [f"{word} {following}" for word, following in pairwise(words)]
    triples = _runs(words, 3)
    cues = _cues(sentence)
    found = [f":{word}" for word in (*words, *pairs, *triples)]
    found += [f"^{first}" for first in (*words[:1], *pairs[:1], *triples[:1])] + [f"${word}" for word in words[-1:]]
    found += [f"-{word[-ENDING:]}" for word in words if len(word) > LONG_WORD]
    found += [*cues, *(f"{cue}{other}" for cue, other in combinations(cues, 2))]
    found += ["#?"] if sentence.rstrip(" )*_").endswith("?") else []
    found += ["#points-at"] if _POINTS_AT.search(sentence) else []
    return found + _of_skeleton(words)


def _of_skeleton(words: Sequence[str]) -> list[str]:
    """Return the runs of a skeleton, and its beginnings: `=we * the`, `=^we *`."""
    skeleton = [_bone(word) for word in words]
    runs = [f"={run}" for number in SKELETON_RUNS for run in _runs(skeleton, number)]
    return runs + [f"=^{' '.join(skeleton[:number])}" for number in SKELETON_STARTS]


def _bone(word: str) -> str:
    """Return what a skeleton shows of a word."""
    if word in FUNCTION_WORDS or not word[0].isalpha():
        return word
    return next((shown for ending, shown in ENDINGS if word.endswith(ending)), "*")


def _runs(words: Sequence[str], number: int) -> list[str]:
    return [" ".join(words[start : start + number]) for start in range(len(words) - number + 1)]


def _words(sentence: str) -> list[str]:
    """Return the words of a sentence, with `#code`, `#name` and `#num` for code, names of code and numbers."""
    plain = _TOKEN.sub(_named, _CODE.sub(" #code ", sentence))
    return _WORD.findall(_NUMBER.sub(" #num ", plain).lower())


def _named(token: re.Match[str]) -> str:
    """Return `#name` for a token that names code or a file, whatever it names; else the token."""
    said = token.group()
    bare = said.strip(".,;:!?()[]{}\"'*")
    is_name = "_" in bare or "/" in bare or "." in bare or said.endswith("()") or bool(_CAMEL.search(bare))
    is_name = is_name or bare.startswith("-") or (any(map(str.isdigit, bare)) and any(map(str.isalpha, bare)))
    is_number = bare.replace(".", "").replace(",", "").isdigit()
    return " #name " if is_name and not is_number and not said.startswith("#") else said


def _length(sentence: str) -> str:
    """Return the feature of a sentence's length."""
    number = len(_words(lasting.bare(sentence)))
    return next((name for most, name in LENGTHS if number <= most), LONGER)


def _of_answer(place: int, number: int, asked: str) -> list[str]:
    """Return the features of an agent's sentence: its place in the answer, and the prompt that it answers."""
    places = {"#first": place == 0, "#last": place == number - 1, "#alone": number == 1}
    asked_for = [rule.name for rule in ASKED if rule.pattern.search(asked)]
    return [*(name for name, holds in places.items() if holds), *asked_for]


def _cues(sentence: str) -> list[str]:
    return [rule.name for rule in CUES if rule.pattern.search(sentence)]
