"""Values behind the names of credentials: `password = "…"`, `<token>…</token>`, a column of a table. Import-light.

Texts are bytes read as Latin-1; `low` is always the same text in lower case. Positions count in both.
"""

from recollect.lazy import load
from recollect.policy.secrets import shapes, table
from recollect.policy.secrets.shapes import BLANKS, CLOSERS, GAP, NAME, NUMBER, QUOTES, Spot, end_of, start_of

# How names of credentials end and what kind of value each ending announces; the longest ending is tried first.
_KIND_OF = {ending: kind for kind, endings in table.NAMES for ending in endings.split()}
_ENDINGS = tuple(sorted(_KIND_OF, key=len, reverse=True))
_OTHERS = {kind: frozenset(words.split()) for kind, words in table.OTHERS.items()}
_PUBLIC, _SAID, _COOKIES = tuple(table.PUBLIC.split()), tuple(table.SAID.split()), tuple(table.COOKIES.split())
_NAMES = (*_ENDINGS, *_SAID)
_COMPOUNDS = {ending: tuple(words.split()) for ending, words in table.COMPOUNDS.items()}
_BETWEEN = frozenset(table.BETWEEN.split())
_LEADING = _BETWEEN | frozenset(table.SCHEMES.split())
_AROUND = QUOTES + CLOSERS  # what may close the name itself: "password", **password**, [password]
_BETWEEN_SIGNS = BLANKS + _AROUND + "=:<>(,[{|?&/.!"
_NOISE = BLANKS + _AROUND + "."
_AFTER_NAME = frozenset(GAP + _AROUND + "?!<;\r\n\\")
_BARE = "".join(map(chr, set(range(256)).difference((BLANKS + QUOTES).encode())))
_BEFORE_CHARS, _WINDOW = 80, 300  # how far is looked before a name and behind it
_WORDS, _FEW_WORDS = 7, 4  # words that are tried behind a name: of a password, of anything else
# Passwords are also said in a sentence: "the root password of staging is …".
_SPOKEN = ("password",)
_NAME_FOR = (" key for ", " token for ", " secret for ", " password for ", " key of ", " token of ")
_COLUMNS = "recollect.policy.secrets.columns"
_HEADING_ENDS = frozenset(("", *",;|)\t\n\rnrt"))
# More than 64 names without a value within 4,096 characters stand in no text that anybody wrote: skip the rest.
_MOST_FAILURES, _WINDOW_CHARS = 64, 4_096
_SENTENCE_ENDS = ("", " ", "\n", "\\", '"')
_AROUND_WORDS = "&=?!~<;|:()[]{}*"
_ASSIGNS = frozenset(":=>")
# Behind the name of a token or a key one of these has to follow, quotes and blanks aside; `i` as in "token is".
_LINKED_KINDS, _LINKS, _SKIPPED = ("token", "key"), frozenset(':=>|,<(?!;\\\n\r\ti.vb"'), " \t'`)]}*"
_AFTER_VALUE = (" as ", " is the ", " is my ", " is our ")


def plain(window: str) -> str:
    """Return a text of the same length without JSON's escapes: NULs stand for escaped quotes and backslashes."""
    if "\\" not in window:
        return window
    window = window.replace("\\\\n", "\n\n\n").replace("\\\\", "\0\0").replace('\\"', "\0\0")
    return window.replace("\\n", "\n\n").replace("\\t", "\t\t").replace("\\r", "\r\r")


def values(text: str, low: str) -> list[Spot]:
    """Find the values behind the names of credentials."""
    spots = list[Spot]()
    for stem in table.STEMS_OF_SHORT if len(text) <= table.LONG_TEXT else table.STEMS:
        at = low.find(stem)
        window_end, failures = at + _WINDOW_CHARS, 0
        while at >= 0:
            after = at + len(stem)
            if low[after : after + 1] not in _AFTER_NAME:
                after += len(start_of(NAME, low[after : after + 40]))
            follows = low[after : after + 1]
            is_end = not follows or (follows == "." and low[after + 1 : after + 2] in _SENTENCE_ENDS)
            if (is_end or follows in _AFTER_NAME) and (kind := kind_of(text, low, at, after)):
                found = _behind(text, low, at, after, kind)
                spots += found
                failures += not found
            if at >= window_end:
                window_end, failures = at + _WINDOW_CHARS, 0
            at = low.find(stem, window_end if failures > _MOST_FAILURES else after)
    return spots


def kind_of(text: str, low: str, at: int, after: int) -> str:
    """Return the kind of value that the name around two positions announces; empty if it names no credential."""
    before = low[max(0, at - _BEFORE_CHARS) : after]
    name = end_of(NAME, before)
    bare = name.rstrip(NUMBER)
    if not bare.endswith(_ENDINGS):
        spoken = before[-24:].endswith(("verification code", "authentication code", "identified by"))
        return ("password" if before.endswith("by") else "code") if spoken else ""
    ending = next(filter(bare.endswith, _ENDINGS))
    kind = _KIND_OF[ending]
    if kind in _LINKED_KINDS and low[after : after + 12].lstrip(_SKIPPED)[:1] not in _LINKS:
        return ""
    if not _begins_word(low, text, after - (len(name) - len(bare)) - len(ending), ending):
        return ""
    head = text[after - len(name) : after - len(name) + len(bare) - len(ending)]
    if (_last_word(head) or _last_word(before[: -len(name)].rstrip(_BETWEEN_SIGNS))) in _OTHERS[kind]:
        return ""
    # `pass` is also a statement, a verb and the verdict of a test.
    is_verb = bare == "pass" and low[after : after + 1] not in "=:\"'"
    return "" if is_verb or "arn:" in before else kind


def _last_word(name: str) -> str:
    """Return the last word of a snake, kebab or camel name, in lower case."""
    word = end_of(table.LETTERS + table.DIGITS, name.rstrip("_-."))
    at = len(word) - 1
    while at > 0 and not (word[at].isupper() and word[at - 1].islower()):
        at -= 1
    return word[max(at, 0) :].lower()


def _begins_word(low: str, text: str, at: int, ending: str) -> bool:
    """Whether an ending that many words have (`key` in `monkey`) begins a word here, or follows a known one."""
    compounds = _COMPOUNDS.get(ending)
    if compounds is None or not low[at - 1 : at].isalpha() or at == 0:
        return True
    is_hump = text[at].isupper() and text[at - 1].islower()
    return is_hump or low[max(0, at - 12) : at].endswith(compounds)


def _behind(text: str, low: str, at: int, after: int, kind: str) -> list[Spot]:
    """Find the value behind a name or before it, or the values below a name that heads a column."""
    if kind == "password" and text[at:after] == "PASS" and text[after : after + 1] == ":":
        return []  # `--- PASS: TestX/abc1234`
    if low[at:after] == "secret" and low[at - 6 : at] == "kind: ":
        return list(load(_COLUMNS).manifest(plain(text[after : after + 8_000]), after))
    spot = _value(text, after, kind) or _said_before(text, low, at, kind)
    if spot:
        return [spot]
    if kind == "code":
        return []
    if text[after : after + 12].lstrip(" \"'`*_\0\\")[:1] not in _HEADING_ENDS:
        return []
    columns = load(_COLUMNS)
    return list(columns.cells(text, at, after) or columns.inserted(text, at, after))


def _said_before(text: str, low: str, at: int, kind: str) -> Spot | None:
    """Return the value of `use X as the password`, which stands before its name on the same line."""
    line = low[max(0, at - 50) : at].replace("\\n", " \n").rpartition("\n")[2]
    link = max(map(line.rfind, _AFTER_VALUE))
    if link < 0 or kind == "code" or not set(line[link:]).isdisjoint('"=:(,;[{'):
        return None
    end = at - len(line) + link
    window = plain(text[max(0, end - _WINDOW) : end])
    bare = window.rstrip("\0'`\"*")
    word = end_of(_BARE, bare)
    if "(" in word or ")" in word:
        return None
    is_meant = shapes.is_password if kind == "password" else shapes.is_token
    start = end - len(window) + len(bare) - len(word)
    return (start, start + len(word), kind) if len(word) > 7 and is_meant(word, "", is_given=False) else None


def _value(text: str, after: int, kind: str) -> Spot | None:
    """Return the first word behind a name that looks like the kind of value which the name announces."""
    is_option = end_of(NAME, text[max(0, after - 40) : after]).startswith("--")
    window = plain(text[after : after + _WINDOW])
    begin = len(start_of(_AROUND, window))
    begin += len(start_of("?!", window[begin : begin + 2]))
    begin = _past_member(window, begin)
    at, is_first = begin, True
    for number in range(_WORDS if kind in _SPOKEN else _FEW_WORDS):
        start, value, quote = _word(window, at)
        # Behind the end of its string, JSON has one of these: the word is then no part of the string.
        is_inside = value[:1] not in BLANKS + ",:]}" if quote == '"' else '"' not in window[: start + len(value)]
        is_given = is_first and (is_option or not _ASSIGNS.isdisjoint(window[begin:start]))
        is_value = _is_meant(kind, value, quote, is_given=is_given, is_first=is_first)
        if is_inside and is_value and not (number and _is_pair(value)):
            return after + start, after + start + len(value), kind
        if not value or (quote[:1] in ('"', "\0") and value not in _LEADING):
            return None
        is_first = is_first and value.strip(_AROUND_WORDS).lower() in _LEADING
        if not is_first and kind not in _SPOKEN:
            return None
        at = start + len(value) + len(quote)
    return None


def _is_pair(value: str) -> bool:
    """Whether a word is the next setting: `user=app`."""
    return "=" in value.rstrip("=") and value.partition("=")[0].replace(".", "_").isidentifier()


def _past_member(window: str, begin: int) -> int:
    """Return the position behind `value:` or `default =`, or behind the empty line that begins the part of a form."""
    rest = window[begin:]
    bare = rest.lstrip(BLANKS + QUOTES + ",{")
    if bare[:5].lower() == "value" or bare[:7].lower() in ("default", "content"):
        return begin + len(rest) - len(bare) + (5 if bare[:5].lower() == "value" else 7)
    is_form = begin > 0 and window[begin - 1] in QUOTES and rest.startswith(("\n\n", "\r\n\r\n"))
    return begin + len(rest) - len(rest.lstrip(BLANKS)) if is_form else begin


def _is_meant(kind: str, value: str, quote: str, *, is_given: bool, is_first: bool) -> bool:
    """Whether a word is a value of the kind; `is_given`: it is assigned, `is_first`: no other word comes before it."""
    if kind == "password":
        return shapes.is_password(value, quote, is_given=is_given and quote != "")
    if kind == "code":
        return value.isdigit() and 4 <= len(value) <= 8
    if not is_first:
        return False
    if kind == "key":
        return shapes.is_token(value, quote, is_given=False) and is_given
    return shapes.is_token(value, quote, is_given=is_given)


def _word(window: str, at: int) -> tuple[int, str, str]:
    """Return the next word: where it begins, the word, the quote around it; the word is empty if there is none."""
    begin = at
    at += len(start_of(GAP + "!?~<-+&", window[at : at + 60]))
    if window[at : at + 1] in ("\n", "\r") and window[begin:at].rstrip(" \t")[-1:] in (">", "|"):
        at += len(start_of(BLANKS, window[at:]))  # a value on a line of its own: <password>, or a block of YAML
    letter = window[at : at + 1]
    if letter in ("b", "f", "r", "u", "N", "L", "@") and window[at + 1 : at + 2] in QUOTES and window[at + 1 : at + 2]:
        at += 1
    quote = start_of("\0", window[at:]) or start_of(QUOTES, window[at : at + 1])
    at += len(quote)
    if quote:
        value, closing, _ = window[at:].partition(quote)
        return at, value if closing and "\n" not in value else "", quote
    value = start_of(_BARE, window[at:])
    return at, "" if at + len(value) == _WINDOW else _trimmed(value), quote


def _trimmed(value: str) -> str:
    """Return a value without quotes up to the next pair or the end of the element, without punctuation at its end."""
    for sign in "&;,":
        first, _, others = value.partition(sign)
        value = first if "=" in others or ":" in others else value
    return value.partition("</")[0].rstrip(".,;:)]}*|>-")


def is_named(low: str, start: int) -> bool:
    """Whether the name of a credential stands before a long random value."""
    before, sign = plain(low[max(0, start - _BEFORE_CHARS) : start]), ""
    while True:
        bare = before.rstrip(_BETWEEN_SIGNS)
        name = end_of(NAME, bare)
        sign = sign or before[len(bare) :].strip(_NOISE)
        if not name or (name not in _BETWEEN and name.strip(NUMBER)):
            break
        before, sign = bare[: -len(name)], sign or name
    is_name = _ends_as_name(name.rstrip(NUMBER))
    is_said = is_name and (sign or name in _SAID or "_" in name or "-" in name)
    is_said = is_said or (sign in ("is", "ist", ":") and any(map(_sentence(bare).__contains__, _NAME_FOR)))
    if not is_said and not (sign == "=" and name.endswith(_COOKIES)):
        return False
    if "arn:" in before or (name == "pass" and sign != "="):
        return False
    words = end_of(NAME + " :", bare[-40:])
    return not any(map(words.__contains__, _PUBLIC))


def _sentence(text: str) -> str:
    """Return what stands behind the last end of a line or a sentence."""
    return text.rpartition("\n")[2].rpartition(". ")[2]


def _ends_as_name(name: str) -> bool:
    """Whether a name in lower case ends as names of credentials do."""
    if not name.endswith(_NAMES):
        return False
    for ending, compounds in _COMPOUNDS.items():
        if name.endswith(ending):
            head = name[: -len(ending)]
            is_joined = head.endswith(compounds) or (ending == "key" and len(head) < 16 and head != "signing")
            return len(head) < 40 and (not head[-1:].isalpha() or is_joined or ending not in ("pw", "key"))
    return True
