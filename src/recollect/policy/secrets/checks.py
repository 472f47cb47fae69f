"""What a match of a rule has to pass, and where the credentials of a match with many values stand."""

import re
from base64 import urlsafe_b64decode
from collections.abc import Iterable

from recollect.policy.secrets import values

Found = re.Match[str]
Span = tuple[int, int]

_SESSION = r"(?i)sess|sid$|auth|token|jwt|remember|identity|logged_in|login|csrf|xsrf|ticket|credential"
_HARMLESS = (
    r"(?i)_ga|_gid|_fbp|_gcl|ajs_|amplitude|mp_|optimizely|path$|domain$|expires$|max-age|samesite|theme|lang|locale"
    r"|consent|visitor"
)
_PAIR = r"(?:name[\"']?[:=] ?[\"'])?([\w.-]{2,60})[\"']?(?:, ?[\"']?value[\"']?)? ?[=:] ?[\"']?([^\s;,\"']{8,4096})"
_HEADING = r"[\s*\"'`]*[^\W\d][\w./-]*(?: [\w/-]+){0,2}[\s*\"'`]*"
_RECOVERY = r"(?<![\w-])[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){1,4}(?![\w-])|(?<![\w-])[a-z0-9]{8,12}(?![\w-])"
_GLUED = r"mysql|mariadb|\b7z|rar\b|sshpass|zip\b|freerdp"
_CLIENTS = (
    r"(?:docker|podman|helm|skopeo|oras|crane|buildah|nerdctl)\b.*\blogin|\baz |twine|mongo|cqlsh|psexec|winrm|netexec"
    r"|rdesktop|sqlcmd|\bbcp|mosquitto|ipmitool|influx|isql|ldap|redis-cli|snmp|clickhouse|openssl|nuget"
)
_FETCHERS = r"\b(?:curl|wget|https?|xh|smbclient|rpcclient|lftp|httpie)\b"
_SETTERS = (
    r"(?:\b(?:set|setx|setenv|ENV|env|config|configure)(?:\s+(?:-\w{1,3}|set))*|\b(?:login|machine|user|account)\s+\S+)"
    r"\s+[\w./:@-]*$"
)
_PRINTS = (
    r"\b(?:cat|head|tail|echo|printenv|pass|gopass|op|vault|bw|base64|kubectl|gcloud|aws|az|heroku|gh|security|keyring"
    r"|secret-tool|lpass)\b"
)
_SHELL = (
    r"\S{0,60}[$#>%\u276f] |(?:kubectl|vault|gcloud|aws|heroku|gopass|pass|security|secret-tool|lpass|bw|op|cat) [^.:]"
)
_MEMBER = r"[\"'](d|k|p|q|dp|dq|qi)\\{0,3}[\"']\s{0,4}:\s{0,4}\\{0,3}[\"']([\w-]{16,2000})"
_INNER = r"(?i)\"(?:\w{0,30}(?:secret|token|password|passwd|(?:api|private)_?key)|s|k)\" ?: ?\"[^\"]{16}"
_TOOL = (
    r"(?:^|[\n$#>%`;&|(] ?|sudo |npx )(?!user|session|after|new|last|this|the|with|failed|for)"
    r"[a-z][\w./-]{1,30} (?:[a-z]\w{1,15} )?$"
)
_LITERAL = r"(?P<q>[\"'])(?P<word>[^\s\"']{6,300})(?P=q)(?! ?:)|[\"'][^\"'\n]{0,300}[\"']"
_RULER = r"[-+|=: \u2500-\u257f]+"
_BLANKS = (" ", " 0 ", " 7 ")
_ASSIGNS = ("=", ":", "=>", ":=", "?=")


def value_of(found: Found) -> str:
    """The credential itself."""
    return found["secret"] if "secret" in found.re.groupindex else found[0]


def is_quoted(found: Found) -> bool:
    """Whether the credential stands in quotation marks."""
    return "q" in found.re.groupindex and bool(found["q"])


def is_plain(found: Found) -> bool:
    """Neither a placeholder nor a reference."""
    value = value_of(found)
    if is_quoted(found) and found["q"] == "'" and values.compiled(r"\$[a-z]\w*-[^>].*").fullmatch(value):
        return True
    return not values.is_placeholder(value) and not values.is_reference(value, quoted=is_quoted(found))


def is_real(found: Found) -> bool:
    """A provider's token: its form says enough unless words follow, or one sign over and over."""
    value = value_of(found)
    is_dense = any(sign.isdigit() for sign in value) or value.isupper() or values.is_random(value)
    return is_dense and max(map(value.count, set(value))) * 2 <= len(value)


def is_random(found: Found) -> bool:
    """Only what a generator made will do."""
    return values.is_random(value_of(found)) and not values.is_placeholder(value_of(found))


def is_mixed(found: Found) -> bool:
    """Little around it says what it is, so it has to look like a credential by itself."""
    return is_plain(found) and values.is_mixed(value_of(found))


def is_strong(found: Found) -> bool:
    """Its place says what it is, it only must not be a word."""
    return is_plain(found) and values.is_strong(value_of(found))


def is_given(found: Found) -> bool:
    """A command or a statement says that it is a password: a word will do."""
    value = value_of(found)
    if values.is_placeholder(value) or values.is_reference(value, quoted=True) or value.startswith("-"):
        return False
    return is_quoted(found) or not values.is_words(value)


def is_said(found: Found) -> bool:
    """Somebody says that it is a password: words joined by hyphens will do."""
    value = value_of(found)
    if value.startswith("-") or not is_plain(found):
        return False
    return values.is_strong(value.rstrip("?!")) or (len(value) > 9 and values.is_joined(value, quoted=is_quoted(found)))


def is_told(found: Found) -> bool:
    """Prose says that it is a token: only a random value will do."""
    text, at = found.string, found.start()
    between = values.parts(text[at : found.start("secret")])
    if not {"fingerprint", "hash", "id", "digest", "checksum", "name", "version", "commit", "sha"}.isdisjoint(between):
        return False
    is_key = text[at : at + 3].lower() == "key"
    if is_key and (
        values.compiled(r"[a-z][\w-]{0,30}:.+|[a-z]{2,20}/.+").fullmatch(value_of(found)) or _is_logged(found)
    ):
        return False
    if values.compiled(r"[a-z_]+=.+").fullmatch(value_of(found)):
        return False  # the next pair: `code: output=4711`
    return is_plain(found) and is_random(found) and not (is_key and values.is_other_key(text, at))


def _is_logged(found: Found) -> bool:
    """The `key=…` of a log, whose word before says nothing of a secret."""
    return found.string[found.start() + 3] == "=" and not values.is_secret_key(found.string, found.start())


def is_option(found: Found) -> bool:
    """The value of a short option of a command that takes a password there; `-p` may touch it."""
    before = _line_before(found)
    is_glued = found[0][3:4] not in " =\"'"
    if found[0].startswith(" -N") or "ssh-keygen" in before:
        return found[0].startswith((" -N", " -P")) and "ssh-keygen" in before and not is_glued and is_given(found)
    if values.compiled(_GLUED).search(before) and found[0].startswith((" -p", " -P", "/p:")):
        return is_given(found)
    return not is_glued and bool(values.compiled(_CLIENTS).search(before)) and is_mixed(found)


def is_login_option(found: Found) -> bool:
    """The password of `-u user:password`."""
    return bool(values.compiled(_FETCHERS).search(_line_before(found))) and is_given(found)


def _line_before(found: Found) -> str:
    text = found.string[max(0, found.start() - 600) : found.start()].replace("\\\n", " ")
    return text.rpartition("\n")[2]


def is_seed(found: Found) -> bool:
    """A seed in the alphabet of one-time passwords."""
    value = value_of(found).replace(" ", "")
    return any(sign.isdigit() for sign in value) and len(set(value)) > 6 and not values.is_placeholder(value)


def is_next_line(found: Found) -> bool:
    """A line of its own below a heading, a prompt or a command that prints secrets."""
    text, at = found.string, found.start()
    line = text[max(0, at - 200, text.rfind("\n", 0, at) + 1) : found.start("secret")].strip()
    is_command = values.compiled(_PRINTS).search(line) and values.compiled(_SHELL).match(line)
    return bool(line.endswith((":", "=", '"')) or is_command) and is_mixed(found)


def is_fallback(found: Found) -> bool:
    """A literal behind an alternative, on a line that is about credentials."""
    line = found.string[max(0, found.start() - 120) : found.start()].rpartition("\n")[2]
    return bool(values.compiled(r"(?i)token|secret|key|auth|pass|pwd|cred").search(line)) and is_mixed(found)


def _is_adrift(found: Found) -> bool:
    """Only a blank between name and value: that is a command, or nothing."""
    if found["sep"] not in _BLANKS or is_quoted(found):
        return False
    value = value_of(found)
    is_random = len(value) >= 16 and values.is_random(value) and not values.is_uuid(value)
    is_issued = is_random or (found["name"][:1] in "pP" and is_mixed(found))
    if (
        found["sep"] == " "
        and is_issued
        and values.compiled(r".*[a-z]_").match(values.name_before(found.string, found.start()).lower())
    ):
        return False
    before = found.string[max(0, found.start() - 160) : found.start()]
    is_setting = values.compiled(_SETTERS).search(before) or before.endswith(("require", "bind", "root"))
    return not ((is_setting or found["sep"] != " ") and values.is_strong(value))


def is_password(found: Found) -> bool:
    """The value of a name like `password`."""
    value, sep = value_of(found), found["sep"].strip(" \t*_")
    is_verdict = found["name"] == "PASS" and sep == ":" and not is_quoted(found)  # `--- PASS: TestX/abc1234`
    if is_verdict or _is_adrift(found) or not values.announces(found.string, found.start(), found["tail"]):
        return False
    if value.isdigit() or not is_plain(found):
        return _is_number(found) and sep in _ASSIGNS
    if " " in value:
        is_free = found["name"].lower() in ("passphrase", "psk") or _is_variable(found)
        return is_quoted(found) and (values.is_phrase(value, is_free=is_free) or values.is_salad(value))
    if values.is_words(value):
        return _is_chosen_word(found, sep)
    if sep in ("", ",", "|"):
        is_set = found["sep"] in _BLANKS and not is_quoted(found)
        return is_set or (values.is_mixed(value) and not (sep == "" and found["name"].lower() == "pass"))
    return sep.endswith((*_ASSIGNS, ">")) or values.is_strong(value)


def _is_chosen_word(found: Found, sep: str) -> bool:
    """A word is a password only as a literal or as the value of a variable."""
    value = value_of(found)
    is_constant = value.isupper() and "_" in value
    is_apart = sep in ("", ",", "|") and (found["name"] != "PASSWORD" or is_constant)
    head = values.name_before(found.string, found.start())
    is_element = found["sep"] == ">" and found.string[max(0, found.start() - len(head) - 1)] == "<"
    is_literal = is_element or (is_quoted(found) and not found.string.startswith(" if ", found.end()))
    return values.is_random(value) or (len(value) > 5 and not is_apart and (is_literal or _is_variable(found)))


def _is_variable(found: Found) -> bool:
    return found["sep"] == "=" and found["name"].isupper()


def _is_number(found: Found) -> bool:
    """Digits alone are a password only where nothing else can stand."""
    value = value_of(found)
    is_stated = (is_quoted(found) and found["name"].lower() != "pass") or _is_variable(found)
    return value.isdigit() and 6 <= len(value) <= 20 and is_stated and not values.is_placeholder(value)


def _is_image(found: Found) -> bool:
    """The tag of an image such as `acme/auth:sha-1f2e3d`."""
    head = values.name_before(found.string, found.start())
    return found["sep"] == ":" and found.string.endswith("/" + head, 0, found.start())


def is_secret(found: Found) -> bool:
    """The value of a name like `secret` or `token`."""
    if _is_adrift(found) or not values.announces(found.string, found.start(), found["tail"]) or not is_plain(found):
        return False
    value = value_of(found)
    is_counted = found["name"].lower().startswith("sess") and (_is_session_name(value) or not values.is_random(value))
    if is_counted or _is_image(found):
        return False
    if " " in value:
        return values.is_salad(value)
    is_named = bool(values.name_before(found.string, found.start())) or is_quoted(found)
    if values.is_random(value):
        return True
    is_assigned = is_named and found["sep"].strip() in _ASSIGNS and len(value) > 9
    if (
        found["sep"].isspace()
        and is_quoted(found)
        and values.name_before(found.string, found.start())[-1:] in ("_", "-")
    ):
        return values.is_mixed(value)
    is_joined = len(value) > 14 and values.is_joined(value, quoted=False)
    return found["sep"] in _BLANKS[1:] or (is_assigned and (values.is_strong(value) or is_joined))


def is_key(found: Found) -> bool:
    """The value of a name like `access_key`."""
    if _is_adrift(found) or not values.announces_key(found.string, found.start(), found["tail"]) or not is_plain(found):
        return False
    value = value_of(found)
    if values.name_before(found.string, found.start()).lower().endswith(("primary", "secondary")):
        return bool(values.compiled(r"[A-Za-z0-9+/]{42,43}={1,2}|[A-Za-z0-9+/]{86}==").fullmatch(value))
    is_signer = values.name_before(found.string, found.start()).lower().endswith("signing")
    if is_signer and values.compiled(r"[0-9A-F]{8,40}").fullmatch(value):
        return False
    return values.is_salad(value) if " " in value else values.is_random(value)


def is_private_key(found: Found) -> bool:
    """A block with the body of a key in it."""
    runs = values.compiled(r"[A-Za-z0-9+/=]{30,}").findall(found[0])
    return any(len(set(run)) > 8 for run in runs)


def _is_session_name(value: str) -> bool:
    """What programs call their sessions: a UUID, or something that begins with a date."""
    return values.is_uuid(value[:36]) or bool(values.compiled(r"\d{4}-\d\d-\d\d[-_T].*").fullmatch(value))


def is_session(found: Found) -> bool:
    """The value of a session cookie; a UUID only counts the sessions of a program."""
    is_counted = _is_session_name(value_of(found)) and found[0][:7].lower() == "session"
    return is_random(found) and not is_counted


def is_encoded(found: Found) -> bool:
    """An object in Base64 with a secret among its members."""
    if found.string.endswith("base64,", 0, found.start()):
        return False
    body = found[0].rstrip("=").replace("+", "-").replace("/", "_")
    plain = urlsafe_b64decode(body[: len(body) // 4 * 4])
    return bool(values.compiled(_INNER).search(plain.decode("latin-1")))


def is_mnemonic(found: Found) -> bool:
    """A dozen words that are no sentence."""
    words = {"the", "and", "for", "with", "are", "not", "from", "should", "must", "have", "words"}
    return words.isdisjoint(value_of(found).split())


def is_url_password(found: Found) -> bool:
    """A password of a URL that is neither the user's name nor a variable."""
    value = value_of(found)
    if value == found["user"] or values.is_placeholder(value):
        return False
    if values.compiled(r"[${<%][a-zA-Z_{(]|^\[|%s|\*{2}|^\d{2,5}$").search(value.replace("%2", "")):
        return bool(values.compiled(r"%[0-9A-F]{2}").search(value)) and not values.is_reference(value)
    return not values.is_reference(value, quoted=True)


def is_url_token(found: Found) -> bool:
    """A token in the place of a user; the key of a Sentry address is public."""
    return "sentry" not in found["host"] and is_random(found)


def is_pin(found: Found) -> bool:
    """Digits that are no example."""
    return len(set(value_of(found))) > 2 and value_of(found) not in ("1234", "12345", "123456", "2024", "2025", "2026")


def is_base64(found: Found) -> bool:
    """Letters of both cases that are no word."""
    value = value_of(found)
    is_cased = value.lower() != value and value.upper() != value
    return is_cased and not values.is_placeholder(value) and (value.endswith("=") or values.is_random(value))


def key_tail(found: Found) -> Iterable[Span]:
    """The lines above the end of a key whose beginning is missing."""
    text, start = found.string, found.start()
    line = values.compiled(r"[\s+>|\d:-]{0,12}[A-Za-z0-9+/=]{20,80}\s*")
    while start > 0 and found.start() - start < 20_000:
        above = text.rfind("\n", 0, start - 1) + 1
        if not line.fullmatch(text, above, start):
            break
        start = above
    return [(start, found.end())] if start < found.start() else []


def members(found: Found) -> Iterable[Span]:
    """The private members of a JSON web key."""
    text, at = found.string, found.start()
    start, end = text.rfind("{", max(0, at - 4000), at), text.find("}", at, at + 4000)
    if start < 0:
        return
    is_shared = values.compiled(r"kty\W{2,16}oct\b").match(text, at)
    for one in values.compiled(_MEMBER).finditer(text, start, end if end > 0 else at + 1000):
        if (one[1] != "k" or is_shared) and values.is_random(one[2]) and not values.is_placeholder(one[2]):
            yield one.span(2)


def arguments(found: Found) -> Iterable[Span]:
    """The literals of a call that takes a credential: of several, the first one is a name."""
    literals = list(values.compiled(_LITERAL).finditer(found.string, *found.span("secret")))
    is_keyed = values.compiled(r"(?i)(?:client|session|fernet|bot|api|sdk)\(").search(found[0][:40])
    is_named = len(literals) > 1 and literals[0].start() - found.start("secret") < 2 and "hmac.new" not in found[0][:30]
    for one in literals[is_named:]:
        value = one["word"] or ""
        if not value or values.is_placeholder(value) or values.is_reference(value, quoted=True):
            continue
        if values.is_uuid(value) or (is_keyed and not (len(value) >= 20 and values.is_random(value))):
            continue
        if values.is_mixed(value) or values.is_joined(value, quoted=False):
            yield one.span("word")


def reply(found: Found) -> Iterable[Span]:
    """The answer to `the password?`, and a passphrase in quotation marks."""
    if found["secret"] and values.is_mixed_word(found["secret"]):
        yield found.span("secret")
    elif found["phrase"] and " " in found["phrase"] and values.is_phrase(found["phrase"], is_free=True):
        yield found.span("phrase")


def issued(found: Found) -> Iterable[Span]:
    """The token that a command or a setting takes without a name."""
    group = found.lastgroup if found.lastgroup != "login" else "issued"
    value = found[group or 0]
    if values.is_placeholder(value) or values.is_reference(value):
        return
    if group == "user":
        is_meant = bool(values.compiled(_FETCHERS).search(_line_before(found))) and values.is_random(value)
    elif group == "issued":
        before = found.string[max(0, found.start() - 60) : found.start()]
        is_meant = bool(values.compiled(_TOOL).search(before)) and values.is_random(value)
    elif group == "gems":
        is_meant = values.is_strong(value) and (":" in value or values.is_random(value))
    else:
        is_meant = values.is_strong(value) or (len(value) >= 16 and value.isupper())
    if is_meant:
        yield found.span(group or 0)


def cookies(found: Found) -> Iterable[Span]:
    """The session cookies of a header."""
    for one in values.compiled(_PAIR).finditer(found.string, *found.span("secret")):
        name, value = one[1], one[2]
        is_session = bool(values.compiled(_SESSION).search(name)) and values.is_strong(value) and len(value) > 9
        is_opaque = len(value) >= 24 and values.is_random(value) and not values.compiled(_HARMLESS).match(name)
        if (is_session or is_opaque) and not values.is_placeholder(value) and not values.is_reference(value):
            yield one.span(2)


def column(found: Found) -> Iterable[Span]:
    """The cells below a heading such as `password` in comma-separated values or in a table of Markdown."""
    text = found.string
    start = text.rfind("\n", 0, found.start()) + 1
    stop = text.find("\n", found.end())
    head = text[start:stop]
    if not 0 <= stop - start <= 600:
        return
    mark = max("|│,;\t", key=head.count)
    above = text[max(0, start - 400) : max(0, start - 1)].rpartition("\n")[2]
    if not 0 < head.count(mark) < 40 or above.count(mark) >= head.count(mark):
        return
    place = text.count(mark, start, found.start())
    cells = head.strip(" |│").split(mark) if mark in "|│" else head.split(mark)
    if not all(values.compiled(_HEADING).fullmatch(cell) for cell in cells):
        return
    for line in values.compiled(r"[^\n]+(?:\n|$)").finditer(text, stop + 1, stop + 10_000):
        cells = line[0].rstrip("\n").split(mark)
        if values.compiled(_RULER).fullmatch(line[0].strip()):
            continue
        if len(cells) != head.count(mark) + 1:
            return
        cell = cells[place].strip(" \"'`")
        if " " not in cell and not cell.startswith("--") and values.is_cell(cell):
            at = line.start() + sum(len(one) + 1 for one in cells[:place]) + cells[place].find(cell)
            yield at, at + len(cell)


def value_before(found: Found) -> Iterable[Span]:
    """The value of `X is the password`."""
    at = found.string.rfind(" ", max(0, found.start() - 400), found.start()) + 1
    value = found.string[at : found.start()].strip("\"'`(),;")
    is_constant = value.isupper() and "_" in value and value.isidentifier()
    if values.is_mixed_word(value) and not is_constant:
        start = found.string.find(value, at)
        yield start, start + len(value)


def piped(found: Found) -> Iterable[Span]:
    """The password of `echo user:password | chpasswd`."""
    before = found.string[max(0, found.start() - 200) : found.start()]
    one = values.compiled(
        r"\b(?:echo|printf) (?:-\w{1,2} )?[\"']?(?:[\w.-]{1,40}:)?([^\s\"'$|`]{4,200})[\"']? ?$"
    ).search(before)
    if one and not values.is_placeholder(one[1]) and not values.is_reference(one[1]):
        yield found.start() - len(before) + one.start(1), found.start() - len(before) + one.end(1)


def pair_before(found: Found) -> Iterable[Span]:
    """The password of `user:password@host`."""
    run = values.compiled(r"[^\s\"'`<>,;(){}\[\]]*$").search(found.string, max(0, found.start() - 200), found.start())
    user, _, value = run[0].rpartition(":") if run else ("", "", "")
    if not values.compiled(r"(?:.*//)?[\w.-]{2,40}").fullmatch(user) or "/" in value or user == value:
        return
    is_source = found.string.startswith(("tcp(", "unix("), found.end())
    is_free = is_source and not values.is_placeholder(value) and not values.is_reference(value, quoted=True)
    if is_free or values.is_mixed_word(value):
        yield found.start() - len(value), found.start()


def codes(found: Found) -> Iterable[Span]:
    """The recovery codes of a list."""
    for one in values.compiled(_RECOVERY).finditer(found.string, *found.span("secret")):
        if any(sign.isdigit() for sign in one[0]) and any(sign.isalpha() for sign in one[0]):
            yield one.span()
