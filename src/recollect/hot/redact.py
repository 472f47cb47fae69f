"""Credentials taken out of the bytes of an event, by hand: loading `re` alone would nearly double the start of a hook.

Long runs are judged by their prefix or by the name before them; passwords are looked for behind their names. The bytes
may be JSON: what is replaced never leaves the string it stands in, never cuts an escape and is never part of a key.
A compact set: the full detector runs before a memory is made.
"""

MARK = "[redacted:credential]"

# How many signs at least follow which prefixes of the tokens that providers issue.
PREFIXES = {
    12: "AKIA ASIA ABIA ACCA LTAI AKID sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ npg_",
    16: """ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- gldt- glrt- glrtr- glptt- glcbt- gloas- glft- glsoat- glimt-
        glagent- GR1348941 xoxb- xoxp- xoxa- xoxr- xoxs- xoxc- xoxd- xoxe- xapp- xoxe. sk- hf_ r8_ gsk_ xai- pplx- csk-
        tgp_v1_ fw_ jina_ nvapi- fc- e2b_ pcsk_ lsv2_ tvly- hooks.slack.com/ discord.com/api/webhooks/""",
    24: """ABSK IQoJb3JpZ2lu FwoGZXIvYXdz ATBB ATATT3 ATCTT3 AIza GOCSPX- 1//0 AQ.Ab8 4/0A ya29. whsec_ sq0csp- sq0atp-
        A21AA EAAA access_token$production$ access_token$sandbox$ shpat_ shpss_ shpca_ shppa_ access-production-
        access-sandbox- SG. key- xkeysib- xsmtpsib- re_ npm_ rubygems_ dckr_pat_ dckr_oat_ AKCp cmVmdGtu pypi- cio oy2
        dop_v1_ doo_v1_ dor_v1_ pul- sbp_ HRKU- hvs. hvb. sb_secret_ tskey- cfut_ cfat_ cfk_ v1.0- dapi nfp_ nfc_ napi_
        rnd_ nbp_ pscale_pw_ pscale_tkn_ pscale_oauth_ dp.pt. dp.st. dp.ct. fm1r_ fm1a_ fm2_ fo1_ ops_eyJ A3- API-
        NRAK- NRRA- NRII- NRIQ- phx_ phs_ hcaik_ hcxik_ sntrys_ sntryu_ glsa_ glc_ dt0c01. dt0s01. xaat- lin_api_
        lin_oauth_ ntn_ figd_ CFPAT- tfp_ secret_ PMAK- PMAT- sdk- syt_ sk.eyJ sl. bkua_ squ_ sqa_ sqp_ llx- crsr_ key_
        vcp_ vck_ vercel_blob_rw_ sha256~ sk_ snyk_uat. CCIPAT_ CCIPRJ_ SK AGE-SECRET-KEY-1 nsec1 xprv amzn.mws.""",
    60: """EAA CfDJ8 AAAAAAAAAAAAAAAAAAAAA LS0tLS1CRUdJTiBSU0EgUFJJVkFUR LS0tLS1CRUdJTiBFQyBQUklWQVRF
        LS0tLS1CRUdJTiBQUklWQVRF LS0tLS1CRUdJTiBPUEVOU1NI LS0tLS1CRUdJTiBFTkNSWVBU""",
}


def _split(words: str) -> tuple[str, ...]:
    return tuple(words.split())


# How the names of passwords end, and of tokens; those said aloud need but a blank before the token, cookies a sign.
_STEMS = ("pass", "pw", "secret", "securestring", "identified by")
_PASSWORDS = _split("password passwort passwd passphrase pass pwd pw secret secret_key securestring")
_SAID = _split("bearer basic login bot ssws token auth apikey")
_COOKIES = _split("sid sessionid session sig signature code")
_NAMES = (*_PASSWORDS, *_SAID, *_split("key key_base authorization _credential credentials jwt _pat appid"))
# What may stand between a name and its token, and what makes another thing of a name.
_BETWEEN = _split("value content string str final none base64 buffer from is ist")
_OTHER = _split(
    "public page nexttoken cursor cache idempotency primary foreign partition websocket restore recv no_pub"
)
# What stands in an example, in a reference or in a pattern, and words that are examples.
_SHAM = _split(
    """xxxx example your_ your- changeme placeholder redacted *** ... dummy fake sample abcdef 1234567 deadbeef insert_
    replace -here _here 1password process.env :// ${ {{ [a-z [^ (? ]{"""
)
_FILLER = _split(
    "password passwort passwd secret postgres guest string undefined required optional pass root admin user test"
)

# Texts are bytes read as Latin-1: one sign for each byte, and quick to search.
_LOWER, _UPPER, _DIGITS = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
_NAME = _LOWER + _UPPER + _DIGITS + "_-"
_BLANKS, _QUOTES, _CLOSERS, _GAP = " \t\r\n", "\"'`\0", "*])}", " \t:=>(,[{*|"
_AROUND = _QUOTES + _CLOSERS
_SIGNS = _BLANKS + _AROUND + "=:<>(,[{|?&/."
_NUMBER, _NOISE = _DIGITS + "_-", _BLANKS + _AROUND + "."
_KEY = _NAME + _BLANKS + "\0+/.=:,()'`*>|"
_BARE = "".join(map(chr, set(range(256)).difference((_BLANKS + _QUOTES).encode())))
_LOGIN = _BARE.replace("/", "").replace("<", "").replace(">", "")
_LONG, _LONGEST, _BEFORE, _WINDOW, _WORDS, _PASSES = b"a" * 16, 16_384, 80, 300, 7, 8


def _classes(**classes: str) -> bytes:
    """A table for `translate`: a letter for the signs of each class, a blank for all others."""
    table = bytearray(b" " * 256)
    for letter, signs in classes.items():
        for sign in signs.encode():
            table[sign] = ord(letter)
    return bytes(table)


def _heads() -> dict[str, list[tuple[str, int]]]:
    """The prefixes by their first two signs, and how tokens begin that are known by their form."""
    heads: dict[str, list[tuple[str, int]]] = {head: [] for head in _split("ey AA MT Mj Mz ND NT Nj Nz OD OT")}
    for least, prefixes in PREFIXES.items():
        for prefix in prefixes.split():
            heads.setdefault(prefix[:2], []).append((prefix, least))
    return heads


_HEADS = _heads()
_RUNS = _classes(a=_NAME + "+", o="/.~$%")
_KINDS = _classes(a=_LOWER, A=_UPPER, o=_DIGITS)


def redact(data: bytes) -> bytes:
    """The same bytes with what looks like a credential replaced; the same object where nothing does."""
    # A mark can bring a name and a value together that were apart, hence again until nothing is found.
    for _ in range(_PASSES):
        text = data.decode("latin-1")
        spots = _found(data, text)
        if not spots:
            break
        parts, last = [], 0
        for start, end in spots:
            parts += [text[last:start], MARK]
            last = end
        data = "".join([*parts, text[last:]]).encode("latin-1")
    return data


def _found(data: bytes, text: str) -> list[tuple[int, int]]:
    """The spots in order: those that meet are one, those in a key of JSON or with a mark in them are none."""
    low, merged, closing = data.lower().decode("latin-1"), list[tuple[int, int]](), 0
    for start, end in sorted(_tokens(data, text, low) + _passwords(text, low) + _logins(text) + _private_keys(text)):
        closing = closing if closing >= end else _closing(text, end)
        mark = text.rfind("[redacted:", max(0, start - 40), end)
        is_marked = mark >= 0 and "]" not in text[mark:start]
        if is_marked or text[closing + 1 : closing + 1000].lstrip(_BLANKS)[:1] == ":":
            continue
        is_new = not merged or start >= merged[-1][1]
        merged.append((start, end) if is_new else (merged[-1][0], max(end, merged.pop()[1])))
    return merged


def _closing(text: str, start: int) -> int:
    """Where the string around a position ends: at its next quote without a backslash of its own."""
    at = text.find('"', start)
    while at > start and text[at - 1] == "\\":
        if len(_end_of("\\", text[max(start, at - 200) : at])) % 2 == 0:
            break
        at = text.find('"', at + 1)
    return len(text) if at < 0 else at


def _plain(window: str) -> str:
    """As long as before, with blanks for the blanks that JSON escapes, and NULs for its quotes and backslashes."""
    if "\\" not in window:
        return window
    window = window.replace("\\\\n", "\n\n\n").replace("\\\\", "\0\0").replace('\\"', "\0\0")
    return window.replace("\\n", "\n\n").replace("\\t", "\t\t").replace("\\r", "\r\r")


def _start_of(signs: str, text: str) -> str:
    return text[: len(text) - len(text.lstrip(signs))]


def _end_of(signs: str, text: str) -> str:
    return text[len(text.rstrip(signs)) :]


def _kinds(value: str) -> str:
    return value[:160].encode("latin-1").translate(_KINDS).decode("latin-1")


def _tokens(data: bytes, text: str, low: str) -> list[tuple[int, int]]:
    """Runs that a prefix, their form or a name before them tells to be tokens."""
    runs, spots = data.translate(_RUNS) + b" ", []
    at = runs.find(_LONG)
    while at >= 0:
        last = runs.find(b" ", at)
        end = runs.find(b"o", at, last)
        end = last if end < 0 else end
        before = runs.rfind(b" ", max(0, at - _BEFORE), at)
        if last - at > _LONGEST or (before < 0 and at > _BEFORE):
            end = last  # An image or a font: no token is that long.
        elif spot := _token(text, low, at, before + 1, last):
            spots.append(spot)
            end = max(end, spot[1])
        at = runs.find(_LONG, end)
    return spots


def _token(text: str, low: str, at: int, start: int, end: int) -> tuple[int, int] | None:
    """The token that begins with a run, or else with what stands before its dots and slashes."""
    at, start = _past_escape(text, at), _past_escape(text, start)
    if start < at:
        start += len(_start_of("/", text[start:at]))
    is_headed = text[at : at + 2] in _HEADS or text[start : start + 2] in _HEADS
    if not is_headed and ("o" not in _kinds(text[start:end]) or not _is_named(low, start)):
        return None
    end = start + len(text[start:end].rstrip("."))
    end += len(_start_of("=", text[end : end + 2]))
    start = at if _has_prefix(text[at:end]) else start
    value = text[start:end]
    is_known = _has_prefix(value) or _is_signed(text, start, value)
    is_token = is_known or (_is_random(value) and _is_named(low, start))
    return (start, end) if is_token and not _is_sham(value, "'") else None


def _past_escape(text: str, at: int) -> int:
    return at if text[at - 1 : at] != "\\" else at + 5 if text[at] == "u" else at + 1


def _has_prefix(value: str) -> bool:
    for prefix, least in _HEADS.get(value[:2], ()):
        if value.startswith(prefix) and len(value) - len(prefix) >= least:
            body = value[len(prefix) :]
            is_telling = len(prefix) > 3 or not prefix.isalnum()
            return (is_telling and body != body.lower()) or _is_random(body)
    return False


def _is_signed(text: str, start: int, value: str) -> bool:
    """JSON web tokens and other objects in Base64, and the tokens of Telegram's and Discord's bots."""
    parts = value.split(".")
    if value.startswith("eyJ"):
        return len(value) > (50 if len(parts) > 2 else 100) and not text.endswith("base64,", 0, start)
    if value.startswith("AA"):
        return len(value) > 32 and text[start - 8 : start - 1].isdigit()
    return len(value) > 50 and len(parts) == 3 and len(parts[1]) == 6 and value[0] in "MNO"


def _is_named(low: str, start: int) -> bool:
    """Whether the name of a credential stands before a value."""
    before, sign = _plain(low[max(0, start - _BEFORE) : start]), ""
    while True:
        bare = before.rstrip(_SIGNS)
        name = _end_of(_NAME, bare)
        sign = sign or before[len(bare) :].strip(_NOISE)
        if not name or (name not in _BETWEEN and name.strip(_NUMBER)):
            break
        before, sign = bare[: -len(name)], sign or name
    is_name = name.rstrip(_NUMBER).endswith(_NAMES)
    is_said = is_name and (sign or name in _SAID or "_" in name or "-" in name)
    if not is_said and not (sign == "=" and name.endswith(_COOKIES)):
        return False
    words = _end_of(_NAME + " :", bare[-24:])
    return not any(map(words.__contains__, _OTHER))


def _is_random(value: str) -> bool:
    """Whether a generator made it: letters and digits change places too often for words."""
    kinds = _kinds(value)
    parts = kinds.split()
    changes = len(parts) + sum(map(kinds.count, ("ao", "oa", "Ao", "oA", "aA", "AAa")))
    if not value.strip(_DIGITS + "abcdefABCDEF-"):
        return changes > 4
    size = sum(map(len, parts))
    return size > 9 and size / changes < (3.0 if size < 24 else 3.4)


def _passwords(text: str, low: str) -> list[tuple[int, int]]:
    """Words behind the names of passwords."""
    spots = []
    for stem in _STEMS:
        at = low.find(stem)
        while at >= 0:
            after = at + len(stem)
            after += len(_start_of(_NAME, low[after : after + 40]))
            is_name = _names_password(low[max(0, at - _BEFORE) : after], low[after : after + 1])
            if is_name and (spot := _password(text, after)):
                spots.append(spot)
            at = low.find(stem, after)
    return spots


def _names_password(before: str, follows: str) -> bool:
    # `pass` is also a statement and a verb.
    is_verb = follows == " " and before.endswith("pass") and len(_end_of(_NAME, before)) < 6
    is_name = before.rstrip(_NUMBER).endswith((*_PASSWORDS, "identified by"))
    return is_name and not is_verb and "arn:" not in before


def _password(text: str, after: int) -> tuple[int, int] | None:
    """The first word behind a name that looks like a password."""
    window = _plain(text[after : after + _WINDOW])
    if window[:1] not in _GAP + _AROUND:
        return None
    at = begin = len(_start_of(_AROUND, window))
    for _ in range(_WORDS):
        start, value, quote = _word(window, at)
        # Behind the end of a string JSON has one of these.
        is_inside = value[:1] not in _BLANKS + ",:]}" if quote == '"' else '"' not in window[: start + len(value)]
        is_given = at == begin and quote != "" and not set(":=>").isdisjoint(window[begin:start])
        if is_inside and _is_password(value, quote, is_given=is_given):
            return after + start, after + start + len(value)
        if not value or (quote[:1] in ('"', "\0") and value != "value"):
            return None
        at = start + len(value) + len(quote)
    return None


def _word(window: str, at: int) -> tuple[int, str, str]:
    """The next word of a line: where it begins, what it is, the quote around it; empty where the line ends."""
    at += len(_start_of(_GAP, window[at:]))
    quote = _start_of("\0", window[at:]) or _start_of(_QUOTES, window[at : at + 1])
    at += len(quote)
    if quote:
        value, closing, _ = window[at:].partition(quote)
        return at, value if closing and "\n" not in value else "", quote
    value = _start_of(_BARE, window[at:])
    return at, "" if at + len(value) == _WINDOW else _trimmed(value), quote


def _trimmed(value: str) -> str:
    """Without what follows a value that has no quotes: the next pair, the end of the element, punctuation."""
    for sign in "&;,":
        first, _, others = value.partition(sign)
        value = first if "=" in others or ":" in others else value
    return value.partition("</")[0].rstrip(".,;:)]}*|>-")


def _is_password(value: str, quote: str, *, is_given: bool) -> bool:
    """A word that was given in quotes and is no name, or has signs in it, or digits and letters of both cases."""
    if not 6 <= len(value) <= 200 or " " in value or _is_sham(value, quote):
        return False
    kinds = _kinds(value)
    is_constant = "_" in value and "o" not in kinds and (value.islower() or value.isupper()) and value.isidentifier()
    if is_given and not is_constant and "password" not in value.lower():
        return True
    has_signs = any(map(value[1:-1].__contains__, "!#$%&*+=?^~"))
    is_mixed = ("a" in kinds and "A" in kinds) or has_signs or _is_random(value)
    return is_mixed and ("o" in kinds or has_signs) and ("a" in kinds or "A" in kinds)


def _is_sham(value: str, quote: str) -> bool:
    """Whether it stands for a credential: an example, a variable, a template, a path, a piece of code."""
    low, name = value[:160].lower(), value.partition("=")[0]
    if len(set(low)) < 6 or low in _FILLER or any(map(low.__contains__, _SHAM)):
        return True
    is_variable = value[0] == "$" and not value.strip(_NAME[:-1] + "$")
    if is_variable or low.startswith(("{", "<", "$(", "%(", "/", "~/", "vault:", "arn:")):
        return True
    is_pair = name != value and name.islower() and name.isidentifier()
    return not quote and (is_pair or value[0] in "$~%@&-" or any(map(value.__contains__, ("[", "(", "self.", "\\"))))


def _logins(text: str) -> list[tuple[int, int]]:
    """`scheme://user:password@host`: the password."""
    spots, at = [], text.find("://")
    while at >= 0:
        at += 3
        if "@" in text[at : at + _WINDOW]:
            user, _, rest = _start_of(_LOGIN, _plain(text[at : at + _WINDOW])).partition(":")
            password = rest.rpartition("@")[0]
            if len(password) > 3 and password != user and not _is_sham(password, "'"):
                spots.append((at + len(user) + 1, at + len(user) + 1 + len(password)))
        at = text.find("://", at)
    return spots


def _private_keys(text: str) -> list[tuple[int, int]]:
    """From their first line to their last, or as far as their lines go."""
    spots, start = [], text.find("-----BEGIN ")
    while start >= 0:
        end = start + 11
        if "PRIVATE KEY" in text[start : start + 60]:
            block = _start_of(_KEY, _plain(text[start : start + _LONGEST]))
            last = block.find("-----", block.find("-----END ") + 9) if "-----END " in block else -1
            end = start + (last + 5 if last >= 0 else len(block))
            if end - start > 100:
                spots.append((start, end))
        start = text.find("-----BEGIN ", end)
    return spots
