"""Where the credentials of a match stand, for rules whose match holds several values or only leads to one.

Each function takes the match of a rule's pattern and yields start and end of each credential; none if there is none.
"""

from collections.abc import Iterable

from recollect.policy.secrets.rules import values
from recollect.policy.secrets.rules.checks import NETWORK_CLIENTS, line_before
from recollect.policy.secrets.rules.rule import Match, Span

_PRIVATE_MEMBER = r"[\"'](d|k|p|q|dp|dq|qi)\\{0,3}[\"']\s{0,4}:\s{0,4}\\{0,3}[\"']([\w-]{16,2000})"
_LITERAL = r"(?P<q>[\"'])(?P<word>[^\s\"']{6,300})(?P=q)(?! ?:)|[\"'][^\"'\n]{0,300}[\"']"
# A pair of a cookie header, or of a list of objects: `{name: "sid", value: "…"}`.
_COOKIE = r"""(?x)
    (?:name[\"']?[:=][ ]?[\"'])?([\w.-]{2,60})[\"']?(?:,[ ]?[\"']?value[\"']?)?
    [ ]?[=:][ ]?[\"']?([^\s;,\"']{8,4096})"""
_SESSION_COOKIES = r"(?i)sess|sid$|auth|token|jwt|remember|identity|logged_in|login|csrf|xsrf|ticket|credential"
_HARMLESS_COOKIES = r"""(?xi)
    _ga|_gid|_fbp|_gcl|ajs_|amplitude|mp_|optimizely|path$|domain$|expires$|max-age|samesite|theme|lang|locale
    |consent|visitor"""
_HEADING_CELL = r"[\s*\"'`]*[^\W\d][\w./-]*(?: [\w/-]+){0,2}[\s*\"'`]*"
_RULER_LINE = r"[-+|=: \u2500-\u257f]+"
_RECOVERY_CODE = r"""(?x)
    (?<![\w-])[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){1,4}(?![\w-])
    | (?<![\w-])[a-z0-9]{8,12}(?![\w-])"""
# A tool and perhaps its sub-command before `auth` or `login`; not a sentence such as "after login …".
_TOOL_BEFORE = r"""(?x)
    (?:^|[\n$#>%`;&|(][ ]?|sudo[ ]|npx[ ])
    (?!user|session|after|new|last|this|the|with|failed|for)
    [a-z][\w./-]{1,30}[ ](?:[a-z]\w{1,15}[ ])?$"""
_ECHO = r"\b(?:echo|printf) (?:-\w{1,2} )?[\"']?(?:[\w.-]{1,40}:)?([^\s\"'$|`]{4,200})[\"']? ?$"


def key_lines_above(match: Match) -> Iterable[Span]:
    """Locate the lines of a key above its END line, up to 20,000 characters."""
    text, start = match.string, match.start()
    line = values.compiled(r"[\s+>|\d:-]{0,12}[A-Za-z0-9+/=]{20,80}\s*")
    while start > 0 and match.start() - start < 20_000:
        above = text.rfind("\n", 0, start - 1) + 1
        if not line.fullmatch(text, above, start):
            break
        start = above
    return [(start, match.end())] if start < match.start() else []


def private_members(match: Match) -> Iterable[Span]:
    """Locate the private members of the JSON web key around the match; `k` is private in a shared key alone."""
    text, at = match.string, match.start()
    start, end = text.rfind("{", max(0, at - 4000), at), text.find("}", at, at + 4000)
    if start < 0:
        return
    is_shared = values.compiled(r"kty\W{2,16}oct\b").match(text, at)
    for member in values.compiled(_PRIVATE_MEMBER).finditer(text, start, end if end > 0 else at + 1000):
        name, value = member[1], member[2]
        if (name != "k" or is_shared) and values.is_random(value) and not values.is_placeholder(value):
            yield member.span(2)


def literal_arguments(match: Match) -> Iterable[Span]:
    """Locate the literals of a call that may be credentials; the first of several is a name."""
    literals = list(values.compiled(_LITERAL).finditer(match.string, *match.span("secret")))
    is_keyed = values.compiled(r"(?i)(?:client|session|fernet|bot|api|sdk)\(").search(match[0][:40])
    is_named = len(literals) > 1 and literals[0].start() - match.start("secret") < 2 and "hmac.new" not in match[0][:30]
    for literal in literals[is_named:]:
        value = literal["word"] or ""
        if not value or values.is_placeholder(value) or values.is_reference(value, quoted=True):
            continue
        if values.is_uuid(value) or (is_keyed and not (len(value) >= 20 and values.is_random(value))):
            continue
        if values.is_mixed(value) or values.is_joined(value, quoted=False):
            yield literal.span("word")


def reply_or_phrase(match: Match) -> Iterable[Span]:
    """Locate the answer to `the password?`, or a passphrase in quotation marks."""
    if match["secret"] and values.is_mixed_word(match["secret"]):
        yield match.span("secret")
    elif match["phrase"] and " " in match["phrase"] and values.is_phrase(match["phrase"], is_free=True):
        yield match.span("phrase")


def unnamed_token(match: Match) -> Iterable[Span]:
    """Locate the token that a command or a setting takes without a name; each group has its condition."""
    group = match.lastgroup if match.lastgroup != "login" else "issued"
    value = match[group or 0]
    if values.is_placeholder(value) or values.is_reference(value):
        return
    if group == "user":
        is_meant = bool(values.compiled(NETWORK_CLIENTS).search(line_before(match))) and values.is_random(value)
    elif group == "issued":
        before = match.string[max(0, match.start() - 60) : match.start()]
        is_meant = bool(values.compiled(_TOOL_BEFORE).search(before)) and values.is_random(value)
    elif group == "gems":
        is_meant = values.is_strong(value) and (":" in value or values.is_random(value))
    else:
        is_meant = values.is_strong(value) or (len(value) >= 16 and value.isupper())
    if is_meant:
        yield match.span(group or 0)


def session_cookies(match: Match) -> Iterable[Span]:
    """Locate the cookies of a header that carry a session: by their name, or because they are long and random."""
    for cookie in values.compiled(_COOKIE).finditer(match.string, *match.span("secret")):
        name, value = cookie[1], cookie[2]
        is_session = bool(values.compiled(_SESSION_COOKIES).search(name)) and values.is_strong(value) and len(value) > 9
        is_opaque = len(value) >= 24 and values.is_random(value) and not values.compiled(_HARMLESS_COOKIES).match(name)
        if (is_session or is_opaque) and not values.is_placeholder(value) and not values.is_reference(value):
            yield cookie.span(2)


def column_cells(match: Match) -> Iterable[Span]:
    """Locate the cells below a heading such as `password` in comma-separated values or in a Markdown table."""
    text = match.string
    start = text.rfind("\n", 0, match.start()) + 1
    stop = text.find("\n", match.end())
    heading = text[start:stop]
    if not 0 <= stop - start <= 600:
        return
    mark = max("|│,;\t", key=heading.count)
    above = text[max(0, start - 400) : max(0, start - 1)].rpartition("\n")[2]
    if not 0 < heading.count(mark) < 40 or above.count(mark) >= heading.count(mark):
        return
    cells = heading.strip(" |│").split(mark) if mark in "|│" else heading.split(mark)
    if all(values.compiled(_HEADING_CELL).fullmatch(cell) for cell in cells):
        yield from _cells_below(text, stop + 1, mark, text.count(mark, start, match.start()), heading.count(mark) + 1)


def _cells_below(text: str, first: int, mark: str, column: int, columns: int) -> Iterable[Span]:
    """Locate the credentials of a column, up to the first line with another number of cells."""
    for line in values.compiled(r"[^\n]+(?:\n|$)").finditer(text, first, first + 9_999):
        cells = line[0].rstrip("\n").split(mark)
        if values.compiled(_RULER_LINE).fullmatch(line[0].strip()):
            continue
        if len(cells) != columns:
            return
        cell = cells[column].strip(" \"'`")
        if " " not in cell and not cell.startswith("--") and values.is_cell(cell):
            at = line.start() + sum(len(before) + 1 for before in cells[:column]) + cells[column].find(cell)
            yield at, at + len(cell)


def value_before_name(match: Match) -> Iterable[Span]:
    """Locate the value of `X is the password`."""
    at = match.string.rfind(" ", max(0, match.start() - 400), match.start()) + 1
    value = match.string[at : match.start()].strip("\"'`(),;")
    is_constant = value.isupper() and "_" in value and value.isidentifier()
    if values.is_mixed_word(value) and not is_constant:
        start = match.string.find(value, at)
        yield start, start + len(value)


def piped_password(match: Match) -> Iterable[Span]:
    """Locate the password of `echo user:password | chpasswd`."""
    before = match.string[max(0, match.start() - 200) : match.start()]
    echo = values.compiled(_ECHO).search(before)
    if echo and not values.is_placeholder(echo[1]) and not values.is_reference(echo[1]):
        yield match.start() - len(before) + echo.start(1), match.start() - len(before) + echo.end(1)


def password_before_host(match: Match) -> Iterable[Span]:
    """Locate the password of `user:password@host`."""
    run = values.compiled(r"[^\s\"'`<>,;(){}\[\]]*$").search(match.string, max(0, match.start() - 200), match.start())
    user, _, value = run[0].rpartition(":") if run else ("", "", "")
    if not values.compiled(r"(?:.*//)?[\w.-]{2,40}").fullmatch(user) or "/" in value or user == value:
        return
    is_source = match.string.startswith(("tcp(", "unix("), match.end())
    is_free = is_source and not values.is_placeholder(value) and not values.is_reference(value, quoted=True)
    if is_free or values.is_mixed_word(value):
        yield match.start() - len(value), match.start()


def recovery_codes(match: Match) -> Iterable[Span]:
    """Locate the codes of a list: each has letters and digits."""
    for code in values.compiled(_RECOVERY_CODE).finditer(match.string, *match.span("secret")):
        if any(sign.isdigit() for sign in code[0]) and any(sign.isalpha() for sign in code[0]):
            yield code.span()
