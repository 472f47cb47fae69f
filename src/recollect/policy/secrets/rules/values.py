"""What a value looks like: random, a password, a passphrase, a placeholder, a reference, a piece of code."""

import re
from functools import cache

compiled = cache(re.compile)

# A word inside a snake, kebab, dotted or camel name.
WORD = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+"
_RUN = r"[A-Z]?[a-z]+|[A-Z]+|\d+"
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_HEX = r"(?:0x)?[0-9a-fA-F]{16,}"
_SLUG = r"""(?x)
    [a-z]{1,20}\d{0,3}(?:[-_./:@][a-z]{0,20}\d{0,4}){1,12}      # web-frontend-2, api.acme.dev:8443
    | [A-Z]{1,20}\d{0,3}(?:[-_][A-Z]{0,20}\d{0,4}){1,12}        # MAX_RETRIES_3
    | [A-Z]?[a-z]{1,20}(?:[-_.][A-Z]?[a-z]{1,20}){1,12}         # X-Forwarded-For without digits"""
_LETTERS = r"[^\W\d_]+(?:['\u2019._-]{1,2}[^\W\d_]+)*"
_SYMBOLS = frozenset("!#$%&*+=?@^~|<>()[]{}/\\;:,")

_PLACEHOLDER = r"""(?x)
    \.\.\. | … | \*{3} | x{4} | X{4} | [•●]{2}                          # sk-..., ******, xxxx
    | ^[<\[({].*[>\])}]$ | ^<[a-z]+$ | <[\w -]{2,40}>                   # <your-token>
    | ^\[redacted | ^[-_=.#]+$
    | (?i: your[-_ ]?[a-z] | change[-_ ]?(?:me|it|this|in) | example | placeholder | redacted | dummy | insert[-_ ]
         | replace[-_ ]?(?:me|this|with) | [-_ ]here$ | goes[-_ ]here | (?<![a-z])fake | not[-_ ]?a?[-_ ]?real
         | (?<![a-z])sample | (?<![a-z])masked | fixme | to-?do(?![a-z]) | lorem
         | abcdef | ^1234567 | ^abc-?123 | ^(?:test|foo|bar|baz|demo|abc|asdf)\d*$ | deadbeef | 0123456789
         | sensitive | omitted | scrubbed | \bhidden\b | snipped
         | ^geheim$ | ^some[-_ ] | ^my[-_ ](?:\w+[-_ ])?\w+$             # some-token, my_secret_key
      )"""
# Parts of credentials that are printed in public documentation.
_FAMOUS = ("SflKxwRJSMeKKF2QT4fwpM", "Eby8vdM02xNOcqFlqUwJPL", "4eC39HqLyjWDarjtT1zdp7dc", "C2y6yDjf5/R+ob0N8A7Cgv")
# A value of these words alone is a placeholder: `test_password`, `secret-key`.
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
# Words that passphrases and joined words do not have, but sentences do.
_STOPWORDS = frozenset(
    """the and for with are not from your should must have has been will when which into a is of to in or
    ist das der die und nicht ein eine""".split()  # noqa: SIM905
)
# Words of sentences about passwords: "too short", "does not match".
_PROSE = frozenset(
    """be too than at least can cannot was were it its on by we you only need needs please blank short long weak match
    matches incorrect expired minimum maximum characters character chars letters digits times more less already used
    confirm repeat forgot forgotten change updated stored found contain contains empty phrase words several
    see vault same siehe ask via
    as if but there their also must mindestens zeichen muss bitte eingeben falsch zu kurz oder mit le la les el los de
    du des est pas""".split()  # noqa: SIM905
)
_SENTENCE = _STOPWORDS | _FILLER | _PROSE
_REFERENCE = r"""(?x)
    \$\{ | \$\( | \{\{ | <% | \#\{ | %\(\w+\) | ^%[sdvq]$ | ^%\w+%$ | ^\$env:             # ${NAME}, {{ name }}, %NAME%
    | ^\$[A-Za-z_]\w*(?:(?:[./\[>-]|::).*)?$ | %\d*\.\d*[dfs] | ^\$\d\b | ^\{\w*[!:}]     # $NAME, $row->name, %5.2f, $1
    | \{[a-z_][\w.]*\} | ^[\w.-]+:\$[A-Za-z_]\w+$ | <span                                # {name}, user:$NAME
    | ^[:@][A-Za-z_][\w.]*$ | ^:\w+: | %[sd][,:;-] | ^@[./~] | ^![A-Za-z]+\b              # :name, @name, @./file, !Ref
    | ^ENC[\[(] | ^[&*][A-Za-z_]\w*$ | ^\?+$                                             # sops, an anchor of YAML, ?
    # where the value is kept: op://vault/item, arn:aws:…, https://…, mira@acme.dev
    | ^(?:op|vault|ssm|arn|secretref|file|env|gcp|keyring|awssm|ref|doppler|infisical|https?|ftp|wss?|s3|gs)(?:\+\w+)?:
    | ^[a-z][a-z0-9+.-]{1,15}:// | ^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$
    # what a validator asks for, or a type: required|min:8, string | null
    | ^(?:required|nullable|optional|string|sometimes)\| | \|(?:string|required|null|undefined|None)\b
    # hashes and encrypted values: $2b$12$…, {SSHA}…, sha256:…
    | ^\$2[abxy]?\$ | ^\$(?:argon2|scrypt|[156]\$|apr1|y\$) | ^\{(?:SSHA|SHA|MD5|CRYPT|cipher) | ^pbkdf2 | ^scrypt:
    | ^(?i:sha-?(?:1|256|384|512)|md5)[-:$=]
    # patterns: [a-z0-9], \w+, {8,}
    | \[[\w^-]*\w-\w[\w-]*\] | \\[bdws][+*{\\] | \{\d+,\d*\}
    | ^[a-z_]+=(?:True|False|None|null|\d+|[a-z_]*)$ | \[:\w+\]                          # debug=True, [:name]
    | ^(?:String|Int|ID|Float|Boolean)!                                                  # GraphQL
    # public keys and certificates
    | ^-----BEGIN[ ](?:CERT|PUBLIC|PGP[ ]PUBLIC) | ^ssh- | ^AAAA[BCE][23]Nz | ^age1 | ^LS0tLS1CRUdJTiBD"""
_CODE = r"""(?x)
    ^[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)*!?\(                          # read(), self.read(
    | ^(?:&?mut\s|&|\*|\[\])?[A-Z][\w.]*<                                                # Option<String>
    | ^(?:qr)?/[\^\[(] | ^\\[@&$] | &&\( | \)&&                                          # /^[a-z]/
    | ^[A-Za-z_.]*\[ | ^[\w.]+\[[\"'\w]*\]?$ | \(\) | => | ^[(\[] | ^\w+!\[              # row["name"]
    | ^(?:await|new|return|function|lambda|self|this|process|os|std|env|ENV|System|settings|config|cfg|var|local|data
         |secrets|props|params|request|req|ctx|args|options|opts|import|module|steps|inputs|vars|Rails)(?:\.|->|\[|::|\?\.)"""
_ATTRIBUTE = r"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)+"
_NUMBER = r"""(?x)
    [-+]?\d+(?:[.,:_/-]\d+)*
    (?:st|nd|rd|th|ms|s|m|h|d|w|y|min|sec|[kKMGT]i?[bB]?|%|px|em|x|bit|bytes?|days?|chars?)?    # 30s, 4.5GiB, 95%
    | \d{4}-\d\d-\d\dT[\d:.]+Z? | \d{1,4}[-_]?[a-z]{2,12} | 0x[0-9a-f]{1,16}>?                  # a time, 30-days
    | v?\d+(?:\.\d+)+[-+.\w]{0,20}                                                              # v1.2.3-rc1"""
_PATH = r"""(?x)
    (?:~|\.{1,2})?/?(?:[\w.@*-]+/)+[\w.@*-]* | (?:[A-Za-z]:|\\)\\.* | [~/][\w.-]+        # ~/keys/a, C:\keys, /etc
    | [\w.-]+\.(?:pem|key|json|ya?ml|txt|env|toml|ini|py|[jt]sx?|go|rs|rb|java|crt|pub|md|sh|conf|cfg|csv|log|html?
                 |php|xml|p12|jks|gpg|asc|cs|kt|swift|tf|sql|lock|vue|svelte)"""
# Terms with a figure: sha256, AES-256-GCM, oauth2, step-3.
_TECHNICAL = r"""(?x)
    (?i: sha|aes|rsa|dsa|md|rs|hs|es|ps|base|utf|oauth|http|https|ipv|x|pkcs|argon|bcrypt|ed|p|k8s|s3|ec|h|log4j|curve
       |chacha|hmac|totp|2fa|mfa|u2f|fido|win|gpt|llama|python|java|node|py|vue|web|i18n|l10n|v|b64|int|uint|float|ut
       |step|phase|part|level|tier|section|chapter|figure|table|line|issue|ticket|pr|cve|rfc|iso|q|id|es|tls|ssl|arm
    )
    [-_/]?\d[\d.]{0,4}(?:[-_/].{0,20}|[a-z]{0,12})"""


def is_placeholder(value: str) -> bool:
    """Whether a value stands for a credential without being one: too short, an example, or filler words alone."""
    bare = value[:120].strip()
    if (
        len(bare) < 4
        or len(set(bare)) < 4
        or compiled(_PLACEHOLDER).search(bare)
        or any(known in bare for known in _FAMOUS)
    ):
        return True
    if len(bare) > 60 or not is_words(bare.strip(":;,")):
        return False
    words = [word.lower() for word in compiled(WORD).findall(bare)]
    is_name = "-" not in bare and not {"password", "passwd", "passwort", "token", "secret"}.isdisjoint(words)
    return is_name or all(word in _FILLER for word in words)


def is_reference(value: str, *, quoted: bool = False) -> bool:
    """Whether a value says where the real one comes from: a variable, a template, a path, a number, a piece of code."""
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
    """Whether a generator made a value: a UUID, or runs of letters and digits that are too short for words.

    Runs may be 3 characters long on average, 2.4 without any digit, and 0.4 more in a value of 24 or more.
    """
    if is_uuid(value):
        return True
    value = value[:160]
    runs = compiled(_RUN).findall(value)
    size = sum(map(len, runs))
    if size < 10 or " " in value or compiled(_SLUG).fullmatch(value):
        return False
    has_digit = any(run.isdigit() for run in runs)
    if compiled(_HEX).fullmatch(value):
        return has_digit and len(set(value)) > 5 and len(runs) > 2
    most = (3.0 if has_digit else 2.4) + (0.4 if size >= 24 else 0)
    return size / len(runs) < most and (has_digit or size >= 12)


def is_uuid(value: str) -> bool:
    """Whether a value has the form of a UUID."""
    return bool(compiled(_UUID).fullmatch(value))


def is_strong(value: str) -> bool:
    """Whether a value is no word: digits among letters, or symbols inside, and neither a technical term nor a slug."""
    if len(value) < 6 or compiled(_TECHNICAL).fullmatch(value):
        return False
    if compiled(_SLUG).fullmatch(value) and not is_random(value):
        return False
    has_letter = any(sign.isalpha() for sign in value)
    has_digit = any(sign.isdigit() for sign in value)
    return has_letter and (has_digit or any(sign in _SYMBOLS for sign in value[1:-1]))


def is_mixed(value: str) -> bool:
    """Whether a value is a credential even if nothing names it: random, or strong with 8 characters or more."""
    has_case = any(sign.isupper() for sign in value) and any(sign.islower() for sign in value)
    has_symbol = any(sign in _SYMBOLS for sign in value)
    has_digit = any(sign.isdigit() for sign in value)
    return (is_strong(value) and len(value) >= 8 and (has_case or has_symbol) and has_digit) or is_random(value)


def is_salad(value: str) -> bool:
    """Whether a value is symbols, letters and blanks in no order, as in the salts of WordPress."""
    signs = sum(not sign.isalnum() and sign not in " .,'-" for sign in value)
    return len(value) > 30 and signs * 5 > len(value)


def is_cell(cell: str) -> bool:
    """Whether a cell of a table is strong, and neither a placeholder nor a reference."""
    return not is_placeholder(cell) and not is_reference(cell) and is_strong(cell)


def is_mixed_word(value: str) -> bool:
    """Whether a word is a credential by itself: mixed, and neither a placeholder nor a reference."""
    return is_cell(value) and is_mixed(value)


def is_phrase(value: str, *, is_free: bool = False) -> bool:
    """Whether a value is a passphrase: 2 to 12 words that make no sentence.

    `is_free` means that the context asks for a passphrase: then three words are enough, in any case.
    """
    words = value.lower().split()
    if not 1 < len(words) < 13 or not _SENTENCE.isdisjoint(word.strip(".,:;!?()") for word in words):
        return False
    if value[0] in " ,;:.-/)" or compiled(r"[{}<>()\[\];|\\]|://|\w=").search(value):
        return False
    if compiled(r"\w+[#$%&*+@^~]\w|[#$%&*+@^~]\d|[A-Za-z]\d+[A-Za-z]").search(value) and len(value) > 9:
        return not is_placeholder(value) and not is_reference(value, quoted=True)
    is_clean = all(len(word) > 1 and word.isalpha() for word in value.split(" "))
    if is_free:
        has_digit = any(sign.isdigit() for sign in value)
        return len(words) > 2 and (is_clean or has_digit)
    return len(words) > 3 and is_clean and value.islower()


def is_joined(value: str, *, quoted: bool) -> bool:
    """Whether a value is three or more words joined by hyphens, with a number, in quotes, or at least four."""
    words = value.split("-")
    has_number = words[-1].isdigit() or words[0].isdigit()
    is_clean = all(word.isalnum() for word in words) and _STOPWORDS.isdisjoint(words)
    return is_clean and len(words) > 2 and (has_number or quoted or len(words) > 3)


def is_words(value: str) -> bool:
    """Whether a value consists of letters alone, perhaps joined as in a name."""
    return bool(compiled(_LETTERS).fullmatch(value))
