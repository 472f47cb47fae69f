"""Read a prompt before memories are judged by it: its own words, and what it asks for. Import-light: no `re`.

Nothing here decides about a memory. A question needs less in common with a memory than a request, and a report of an
error may be answered by a runbook: that is all that is asked of a prompt.
"""

HEAD_CHARS, TAIL_CHARS = 500, 300
"""Of a longer prompt, which mostly is pasted text, only the beginning and the end are compared."""
QUESTION_CHARS = 300
"""A longer prompt is a request with a question in it."""
MARKS = ".,;:!?()[]{}\"'`<>*"
FILLERS = frozenset(
    [
        "ah",
        "also",
        "and",
        "btw",
        "but",
        "hey",
        "hi",
        "hm",
        "hmm",
        "now",
        "oh",
        "ok",
        "okay",
        "so",
        "well",
        "yeah",
        "yes",
    ]
)
QUESTION_WORDS = frozenset(
    """are did do does has have how is may must should until what what's whats when where where's which who who's whose
    why""".split()  # noqa: SIM905
)
ORDERED = frozenset(["a", "an", "another", "it", "not", "some", "that", "the", "this"])
"""What makes an order of "do …" and "have …": "do a review", "have a look"."""
LEADING_PREPOSITIONS = frozenset(["at", "by", "for", "from", "in", "on", "since", "to", "until", "with"])
REQUESTS = ("can you", "could you", "would you", "will you", "can we", "could we", "please", "pls", "let's", "lets")
"""A prompt with one of these asks for work, whatever sign it ends with."""
CHORES = frozenset(
    """commit continue convert explain extract merge proceed push rebase rename retry reword rewrite shorten sort
    summarise summarize translate""".split()  # noqa: SIM905
)
"""A request that begins with one of these holds all that it needs, or is about version control alone."""
ERROR_WORDS = frozenset(
    """abort aborted aborts broke broken bug can't cannot complains couldn't crash crashed crashes crashing denied
    die died dies doesn't errno error errored errors exception fail failed failing fails failure failures fatal fehler
    fehlgeschlagen flaky hang hanging hangs killed panic panics refused refuses rejected scheitert stuck timeout
    timeouts traceback unexpected won't wrong""".split()  # noqa: SIM905
)
ERROR_PARTS = (
    "error:",
    "exception:",
    "times out",
    "timed out",
    "no such file",
    "not found",
    "no space left",
    "エラー",
    "失敗",
    "错误",
)
STATUS_DIGITS = 3
PATH_PARTS = 2
"""Of a path that many parts of are the machine's, the last ones are compared."""
BRANCH_HYPHENS = 2


def own_words(prompt: str) -> str:
    """Return what is compared with memories: no leading folders, no names of branches, no middle of a pasted text."""
    text = prompt.strip()
    if len(text) > HEAD_CHARS + TAIL_CHARS:
        text = f"{text[:HEAD_CHARS]} {text[-TAIL_CHARS:]}"
    return " ".join(_compared(word) for word in text.split()) if "/" in text else text


def _compared(word: str) -> str:
    parts = word.split("/")
    if len(parts) == 1:
        return word
    is_branch = parts[-1].count("-") >= BRANCH_HYPHENS and "." not in parts[-1]
    return "" if is_branch else " ".join(parts[-PATH_PARTS:])


def is_question(prompt: str) -> bool:
    """Whether a prompt asks to know something; "can you ...?" asks for work."""
    text = prompt.strip().lower()
    if not text or len(text) > QUESTION_CHARS or _is_request(text):
        return False
    if text.endswith(("?", "?", "か。", "か")):
        return True
    words = _leading(text)
    if words and words[0] in LEADING_PREPOSITIONS:
        words = words[1:]
    is_order = len(words) > 1 and words[0] in ("do", "have") and words[1] in ORDERED
    return bool(words) and words[0] in QUESTION_WORDS and not is_order


def _is_request(text: str) -> bool:
    spaced = f" {text} "
    return any(f" {phrase} " in spaced for phrase in REQUESTS)


def is_chore(prompt: str) -> bool:
    """Whether a prompt asks for work that needs nothing known: "rename x to y", "commit and push"."""
    words = _leading(prompt[:QUESTION_CHARS].lower())
    if " ".join(words[:2]) in REQUESTS:
        words = words[2:]
    return bool(words) and words[0] in CHORES


def reports_error(prompt: str) -> bool:
    """Whether a prompt contains an error or complains about one."""
    text = prompt.lower()
    if any(part in text for part in ERROR_PARTS):
        return True
    return any(_is_error(word.strip(MARKS)) for word in text.split())


def _is_error(word: str) -> bool:
    is_status = len(word) == STATUS_DIGITS and word.isdigit() and word[0] in "45"
    return is_status or word in ERROR_WORDS or word.endswith(("error", "exception"))


def command(prompt: str) -> str:
    """Return the slash command that a prompt begins with; empty if there is none."""
    first = prompt.split(None, 1)[:1]
    return first[0] if first and first[0].startswith("/") and first[0].count("/") == 1 else ""


def _leading(text: str) -> list[str]:
    """Return the first words of a text, without what only leads in to it."""
    words = [word.strip(MARKS) for word in text.split(None, 12)[:12]]
    words = [word for word in words if word]
    while words and words[0] in FILLERS:
        words = words[1:]
    return words


def symbols(prompt: str) -> set[str]:
    """Return the words of a prompt that are names in code, in lower case: `refreshToken`, `ECONNRESET`, `E0499`."""
    found = set()
    for token in prompt.split():
        for word in _bare(token).split():
            if _is_symbol(word) and word.lower() not in NO_SYMBOLS:
                found.add(word.lower())
    return found


def _bare(token: str) -> str:
    return "".join(sign if sign.isalnum() else " " for sign in token)


LONG_CAPITALS = 6
NO_SYMBOLS = frozenset(["github", "gitlab", "javascript", "redacted", "typescript", "warning"])
"""Words that are written like names in code."""


def _is_symbol(word: str) -> bool:
    """Whether a word of letters and digits is written as names in code are."""
    if not word.isascii() or len(word) < 4:
        return False
    has_hump = any(left.islower() and right.isupper() for left, right in zip(word, word[1:], strict=False))
    has_code = word[0].isupper() and word.isupper() and any(sign.isdigit() for sign in word) and word[-1].isdigit()
    return has_hump or has_code or (word.isupper() and word.isalpha() and len(word) >= LONG_CAPITALS)
