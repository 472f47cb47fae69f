"""What values and names look like: a random token, a password, a placeholder, a piece of code, the name of a secret."""

import re
from functools import cache

compiled = cache(re.compile)

_WORD = r"[A-Z]?[a-z]+|[A-Z]+|\d+"
_PART = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+"
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_HEX = r"(?:0x)?[0-9a-fA-F]{16,}"
_SLUG = (
    r"[a-z]{1,20}\d{0,3}(?:[-_./:@][a-z]{0,20}\d{0,4}){1,12}"
    r"|[A-Z]{1,20}\d{0,3}(?:[-_][A-Z]{0,20}\d{0,4}){1,12}|[A-Z]?[a-z]{1,20}(?:[-_.][A-Z]?[a-z]{1,20}){1,12}"
)
_LETTERS = r"[^\W\d_]+(?:['\u2019._-]{1,2}[^\W\d_]+)*"
_SYMBOLS = frozenset("!#$%&*+=?@^~|<>()[]{}/\\;:,")

_PLACEHOLDER = (
    r"\.\.\.|…|\*{3}|x{4}|X{4}|[•●]{2}|^[<\[({].*[>\])}]$|^<[a-z]+$|<[\w -]{2,40}>|^\[redacted|^[-_=.#]+$"
    r"|(?i:your[-_ ]?[a-z]|change[-_ ]?(?:me|it|this|in)|example|placeholder|redacted|dummy|insert[-_ ]"
    r"|replace[-_ ]?(?:me|this|with)|[-_ ]here$|goes[-_ ]here|(?<![a-z])fake|not[-_ ]?a?[-_ ]?real|(?<![a-z])sample"
    r"|(?<![a-z])masked|fixme|to-?do(?![a-z])|lorem|abcdef|^1234567|^abc-?123|^(?:test|foo|bar|baz|demo|abc|asdf)\d*$"
    r"|deadbeef|0123456789|sensitive|omitted|scrubbed|\bhidden\b|snipped|^geheim$|^some[-_ ]|^my[-_ ](?:\w+[-_ ])?\w+$)"
)
# Credentials that stand in public documentation.
_FAMOUS = ("SflKxwRJSMeKKF2QT4fwpM", "Eby8vdM02xNOcqFlqUwJPL", "4eC39HqLyjWDarjtT1zdp7dc", "C2y6yDjf5/R+ob0N8A7Cgv")
_FILLER = frozenset(
    """a access account admin an and any anonymous api app apikey auth authorization b bar basic baz bearer bool boolean
    bytes char client code config cookie cred credential credentials csrf custom data database db default demo dev
    disabled email enabled enter env environment external false field file foo foobar form from generated get group
    guest hash hashed header hidden id in include inherit int internal invalid is jwt kennwort key keyring letmein local
    localhost login mine missing mock my mysql name new nil no none null number oauth object of off ok old on optional
    or pass
    passcode passphrase passwd password passwords passwort pat placeholder plain post postgres postgresql private
    prod production prompt pw pwd raw redis refresh required root s sa sample save secret secretkey secrets security
    server service session set signing some staging str string super supersecret system test testing text that the this
    to token tokens true type undefined unset user username value var variable void webhook with wrong x xsrf y yes your
    contraseña senha wachtwoord jeton""".split()  # noqa: SIM905
)
_STOPWORDS = frozenset(
    """the and for with are not from your should must have has been will when which into a is of to in or
    ist das der die und nicht ein eine""".split()  # noqa: SIM905
)
_PROSE = frozenset(
    """be too than at least can cannot was were it its on by we you only need needs please blank short long weak match
    matches incorrect expired minimum maximum characters character chars letters digits times more less already used
    confirm repeat forgot forgotten change updated stored found contain contains empty phrase words several
    see vault same siehe ask via
    as if but there their also must mindestens zeichen muss bitte eingeben falsch zu kurz oder mit le la les el los de
    du des est pas""".split()  # noqa: SIM905
)
_SENTENCE = _STOPWORDS | _FILLER | _PROSE
_REFERENCE = (
    r"\$\{|\$\(|\{\{|<%|\#\{|%\(\w+\)|^%[sdvq]$|^%\w+%$|^\$env:|^\$[A-Za-z_]\w*(?:(?:[./\[>-]|::).*)?$|%\d*\.\d*[dfs]|^\$\d\b|^\{\w*[!:}]"
    r"|\{[a-z_][\w.]*\}|^[\w.-]+:\$[A-Za-z_]\w+$|<span|^[:@][A-Za-z_][\w.]*$|^:\w+:|%[sd][,:;-]|^@[./~]|^![A-Za-z]+\b|^ENC[\[(]|^[&*][A-Za-z_]\w*$|^\?+$"
    r"|^(?:op|vault|ssm|arn|secretref|file|env|gcp|keyring|awssm|ref|doppler|infisical|https?|ftp|wss?|s3|gs)(?:\+\w+)?:"
    r"|^[a-z][a-z0-9+.-]{1,15}://|^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$"
    r"|^(?:required|nullable|optional|string|sometimes)\||\|(?:string|required|null|undefined|None)\b"
    r"|^\$2[abxy]?\$|^\$(?:argon2|scrypt|[156]\$|apr1|y\$)|^\{(?:SSHA|SHA|MD5|CRYPT|cipher)|^pbkdf2|^scrypt:"
    r"|^(?i:sha-?(?:1|256|384|512)|md5)[-:$=]|\[[\w^-]*\w-\w[\w-]*\]|\\[bdws][+*{\\]|\{\d+,\d*\}"
    r"|^[a-z_]+=(?:True|False|None|null|\d+|[a-z_]*)$|\[:\w+\]"
    r"|^(?:String|Int|ID|Float|Boolean)!"
    r"|^-----BEGIN (?:CERT|PUBLIC|PGP PUBLIC)|^ssh-|^AAAA[BCE][23]Nz|^age1|^LS0tLS1CRUdJTiBD"
)
_CODE = (
    r"^[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)*!?\("
    r"|^(?:&?mut\s|&|\*|\[\])?[A-Z][\w.]*<|^(?:qr)?/[\^\[(]|^\\[@&$]|&&\(|\)&&|^[A-Za-z_.]*\[|^[\w.]+\[[\"'\w]*\]?$|\(\)|=>|^[(\[]|^\w+!\["
    r"|^(?:await|new|return|function|lambda|self|this|process|os|std|env|ENV|System|settings|config|cfg|var|local|data"
    r"|secrets|props|params|request|req|ctx|args|options|opts|import|module|steps|inputs|vars|Rails)(?:\.|->|\[|::|\?\.)"
)
_ATTRIBUTE = r"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)+"
_NUMBER = (
    r"[-+]?\d+(?:[.,:_/-]\d+)*(?:st|nd|rd|th|ms|s|m|h|d|w|y|min|sec|[kKMGT]i?[bB]?|%|px|em|x|bit|bytes?|days?|chars?)?"
    r"|\d{4}-\d\d-\d\dT[\d:.]+Z?|\d{1,4}[-_]?[a-z]{2,12}|0x[0-9a-f]{1,16}>?|v?\d+(?:\.\d+)+[-+.\w]{0,20}"
)
_PATH = (
    r"(?:~|\.{1,2})?/?(?:[\w.@*-]+/)+[\w.@*-]*|(?:[A-Za-z]:|\\)\\.*|[~/][\w.-]+"
    r"|[\w.-]+\.(?:pem|key|json|ya?ml|txt|env|toml|ini|py|[jt]sx?|go|rs|rb|java|crt|pub|md|sh|conf|cfg|csv|log|html?"
    r"|php|xml|p12|jks|gpg|asc|cs|kt|swift|tf|sql|lock|vue|svelte)"
)
_TECHNICAL = (
    r"(?i:sha|aes|rsa|dsa|md|rs|hs|es|ps|base|utf|oauth|http|https|ipv|x|pkcs|argon|bcrypt|ed|p|k8s|s3|ec|h|log4j|curve"
    r"|chacha|hmac|totp|2fa|mfa|u2f|fido|win|gpt|llama|python|java|node|py|vue|web|i18n|l10n|v|b64|int|uint|float|ut"
    r"|step|phase|part|level|tier|section|chapter|figure|table|line|issue|ticket|pr|cve|rfc|iso|q|id|es|tls|ssl|arm)"
    r"[-_/]?\d[\d.]{0,4}(?:[-_/].{0,20}|[a-z]{0,12})"
)

# After the word, these tell that the name is about the credential and not the credential itself.
_ABOUT = frozenset(
    """accessor age algorithm alg alias arn at attempts audience bits bucket budget bytes cache callback chars changed
    check class column complexity confirmed cookie cookiename count created date days description digest dir disabled
    duration enabled encoder encoding encryption endpoint error exp expiration expired expires expiry exporter factory
    field file
    filename fingerprint fmt folder form format generator grant hash hashed hasher hashers header help hint history
    hours id ids identifier in index input issuer kind label last length len lifetime limit limits link list location
    manager map match max message meta method min minutes mode model name names next not number objects offset options
    owner page param parameter params path pattern per permissions placeholder policies policy position prefix prompt
    provider purpose rate re reader ref refs regex regexp region renewable request required reset resolver response
    role rotation rounds rule rules rx schema scheme scope scopes seconds selector service sets size source spec stats
    status stdin storage store strategy strength suffix timeout title total ttl type types updated uri url usage used
    user username users utils valid validation validator validators vault version when width window""".split()  # noqa: SIM905
)
# Before it, these make another thing of it: a count, a piece of text, the public half.
_OTHER = frozenset(
    """bos cache cached cancellation cls completion continuation cursor end eos estimated existing forgot has
    hide image input is
    lexer mask max min next no num output pad page pagination peek per prev previous prompt public reasoning reset sep
    show special start stop sync syntax total unk use with without""".split()  # noqa: SIM905
)
_NO_KEY = frozenset(
    """accept alt answer arrow attr attribute binding bucket cache candidate chart column command compose composite
    context ctrl cursor dedup deduplication dict down duplicate element entry event fact field file filter fingerprint
    foreign func function gpg graph group header host hot i18n idempotency index input item job join json lang layout
    left locale lookup map menu message meta metric missing modifier msg natural next node object option order param
    parameter parent partition path pgp pkg position press prev primary prop property pub public publishable query react
    record redis ref registry resource restore right row s3 schema search session shift site socket sort ssh state store
    surrogate tab tag target template theme trace translation tree type unique up url user verification verifying view
    word yaml zone anon""".split()  # noqa: SIM905
)
_PUBLIC = frozenset(("public", "publishable", "pub", "anon", "ssh", "gpg", "pgp", "cache", "idempotency"))
_PARENTS = frozenset("jwt secret secrets auth credential credentials signing encryption hmac crypto".split())  # noqa: SIM905
_KEYS = frozenset(
    """access account admin api app application decryption deploy encryption jwt licence license master private recovery
    root secret service shared signing storage subscription unseal""".split()  # noqa: SIM905
)


def is_placeholder(value: str) -> bool:
    """Whether it stands for a credential without being one."""
    bare = value[:120].strip()
    if (
        len(bare) < 4
        or len(set(bare)) < 4
        or compiled(_PLACEHOLDER).search(bare)
        or any(one in bare for one in _FAMOUS)
    ):
        return True
    if len(bare) > 60 or not is_words(bare.strip(":;,")):
        return False
    said = parts(bare)
    is_name = "-" not in bare and not {"password", "passwd", "passwort", "token", "secret"}.isdisjoint(said)
    return is_name or all(part in _FILLER for part in said)


def is_reference(value: str, *, quoted: bool = False) -> bool:
    """Whether it says where a value comes from: a variable, a template, a path, a piece of code."""
    value = value[:120]
    if compiled(_REFERENCE).search(value) or compiled(_NUMBER).fullmatch(value) or _is_path(value):
        return True
    if quoted:
        return False
    if compiled(_CODE).search(value):
        return True
    return bool(compiled(_ATTRIBUTE).fullmatch(value)) and not any(is_random(part) for part in re.split(r"\W+", value))


def _is_path(value: str) -> bool:
    return bool(compiled(_PATH).fullmatch(value)) and not any(is_random(part) for part in re.split(r"[/\\]", value))


def is_random(value: str) -> bool:
    """Whether a generator made it: letters and digits change places too often for words."""
    if is_uuid(value):
        return True
    value = value[:160]
    runs = compiled(_WORD).findall(value)
    size = sum(map(len, runs))
    if size < 10 or " " in value or compiled(_SLUG).fullmatch(value):
        return False
    has_digit = any(run.isdigit() for run in runs)
    if compiled(_HEX).fullmatch(value):
        return has_digit and len(set(value)) > 5 and len(runs) > 2
    most = (3.0 if has_digit else 2.4) + (0.4 if size >= 24 else 0)
    return size / len(runs) < most and (has_digit or size >= 12)


def is_uuid(value: str) -> bool:
    """Whether it has the form of a UUID."""
    return bool(compiled(_UUID).fullmatch(value))


def is_strong(value: str) -> bool:
    """Whether nobody would take it for a word: digits among letters, or signs inside, and no technical term."""
    if len(value) < 6 or compiled(_TECHNICAL).fullmatch(value):
        return False
    if compiled(_SLUG).fullmatch(value) and not is_random(value):
        return False
    has_letter = any(sign.isalpha() for sign in value)
    has_digit = any(sign.isdigit() for sign in value)
    return has_letter and (has_digit or any(sign in _SYMBOLS for sign in value[1:-1]))


def is_mixed(value: str) -> bool:
    """Whether it is strong even without anything around it that says so."""
    has_case = any(sign.isupper() for sign in value) and any(sign.islower() for sign in value)
    has_symbol = any(sign in _SYMBOLS for sign in value)
    has_digit = any(sign.isdigit() for sign in value)
    return (is_strong(value) and len(value) >= 8 and (has_case or has_symbol) and has_digit) or is_random(value)


def is_salad(value: str) -> bool:
    """Signs, letters and blanks in no order, as in the salts of WordPress."""
    signs = sum(not sign.isalnum() and sign not in " .,'-" for sign in value)
    return len(value) > 30 and signs * 5 > len(value)


def is_cell(cell: str) -> bool:
    """A cell or an entry that is no word."""
    return not is_placeholder(cell) and not is_reference(cell) and is_strong(cell)


def is_mixed_word(value: str) -> bool:
    """A word without a context that has to look like a credential by itself."""
    return is_cell(value) and is_mixed(value)


def is_phrase(value: str, *, is_free: bool = False) -> bool:
    """Whether it is a passphrase: several words that make no sentence; where it is free, any words will do."""
    said = value.lower().split()
    if not 1 < len(said) < 13 or not _SENTENCE.isdisjoint(word.strip(".,:;!?()") for word in said):
        return False
    if value[0] in " ,;:.-/)" or compiled(r"[{}<>()\[\];|\\]|://|\w=").search(value):
        return False
    if compiled(r"\w+[#$%&*+@^~]\w|[#$%&*+@^~]\d|[A-Za-z]\d+[A-Za-z]").search(value) and len(value) > 9:
        return not is_placeholder(value) and not is_reference(value, quoted=True)
    is_clean = all(len(word) > 1 and word.isalpha() for word in value.split(" "))
    if is_free:
        has_sign = any(sign.isdigit() for sign in value)
        return len(said) > 2 and (is_clean or has_sign)
    return len(said) > 3 and is_clean and value.islower()


def is_joined(value: str, *, quoted: bool) -> bool:
    """Whether it is words joined by hyphens, and perhaps a number, that somebody chose as a password."""
    said = value.split("-")
    has_number = said[-1].isdigit() or said[0].isdigit()
    is_clean = all(word.isalnum() for word in said) and _STOPWORDS.isdisjoint(said)
    return is_clean and len(said) > 2 and (has_number or quoted or len(said) > 3)


def is_words(value: str) -> bool:
    """Whether it consists of letters only, perhaps joined as in a name."""
    return bool(compiled(_LETTERS).fullmatch(value))


def parts(name: str) -> list[str]:
    """The lower-case words of a snake, kebab, dotted or camel name."""
    return [part.lower() for part in compiled(_PART).findall(name)]


def name_before(text: str, at: int) -> str:
    """The part of a name that stands in front of a position."""
    start = at
    while start > 0 and at - start < 60 and (text[start - 1].isalnum() or text[start - 1] in "_-."):
        start -= 1
    name = text[start:at]
    is_coloured = text[start - 1 : start] in ("[", ";") and compiled(r"\d{1,3}m").match(name)
    return name.partition("m")[2] if is_coloured else name


def word_before(text: str, at: int) -> str:
    """The word before the word at a position, on the same line."""
    return (parts(text[max(0, at - 30) : at].rpartition("\n")[2]) or [""])[-1]


def announces(text: str, at: int, tail: str) -> bool:
    """Whether the name around a word like `token` may be that of a credential."""
    if any(part in _ABOUT for part in parts(tail)):
        return False
    head = parts(name_before(text, at))
    return not head or head[-1] not in _OTHER


def announces_key(text: str, at: int, tail: str) -> bool:
    """Whether a name that holds `key` may be that of a secret key."""
    if any(part in _ABOUT for part in parts(tail)):
        return False
    head = parts(name_before(text, at))
    if not head:
        return is_secret_key(text, at)
    if head[-1] in ("master", "secret", "private", "access", "api"):
        return _PUBLIC.isdisjoint(head)
    return _NO_KEY.isdisjoint(head) or head[-1] in ("primary", "secondary")


def is_secret_key(text: str, at: int) -> bool:
    """Whether what stands before a mere `key` makes a secret of it: a word, a query, an object or a section."""
    if text[max(0, at - 1) : at] in ("?", "&") or word_before(text, at) in _KEYS:
        return True
    return not _PARENTS.isdisjoint(_parents(text, at))


def _parents(text: str, at: int) -> list[str]:
    """The words of the names of the object and of the sections around a position."""
    start = max(0, at - 400)
    brace = text.rfind("{", start, at)
    if brace >= 0 and "}" not in text[brace:at]:
        named = compiled(r"([\w.-]{1,40})[\"']?\s{0,3}[:=]?\s{0,3}$").search(text, max(start, brace - 60), brace)
        return parts(named[1]) if named else []
    lines = text[start:at].split("\n")
    depth, said = len(lines[-1]) - len(lines[-1].lstrip(" ")), list[str]()
    for line in reversed(lines[:-1]):
        indent = len(line) - len(line.lstrip(" "))
        if indent < depth and compiled(r" *[\w.-]{1,40}:[ \t\r]*").fullmatch(line):
            depth, said = indent, said + parts(line)
    return said


def is_other_key(text: str, at: int) -> bool:
    """Whether the word before `key` in prose makes it no secret."""
    return word_before(text, at) in _NO_KEY | {"rsa", "dsa", "ecdsa", "ed25519", "signing", "from", ""}
