"""What the name of a value says: whether it may name a credential, and which words stand around it."""

from recollect.policy.secrets.rules.values import WORD, compiled

# Behind the word, these say that the value is about a credential: `password_file`, `token_count`.
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
# Before the word, these make something else of it: a count, a piece of text, the public half.
_OTHER = frozenset(
    """bos cache cached cancellation cls completion continuation cursor end eos estimated existing forgot has
    hide image input is
    lexer mask max min next no num output pad page pagination peek per prev previous prompt public reasoning reset sep
    show special start stop sync syntax total unk use with without""".split()  # noqa: SIM905
)
# Before `key`, these say that it is no secret: `primary_key`, `cache_key`, `public_key`.
_OTHER_KEY = frozenset(
    """accept alt answer arrow attr attribute binding bucket cache candidate chart column command compose composite
    context ctrl cursor dedup deduplication dict down duplicate element entry event fact field file filter fingerprint
    foreign func function gpg graph group header host hot i18n idempotency index input item job join json lang layout
    left locale lookup map menu message meta metric missing modifier msg natural next node object option order param
    parameter parent partition path pgp pkg position press prev primary prop property pub public publishable query react
    record redis ref registry resource restore right row s3 schema search session shift site socket sort ssh state store
    surrogate tab tag target template theme trace translation tree type unique up url user verification verifying view
    word yaml zone anon""".split()  # noqa: SIM905
)
# Before `api_key` or `access_key`, these say that it is public all the same.
_PUBLIC_KEY = frozenset(("public", "publishable", "pub", "anon", "ssh", "gpg", "pgp", "cache", "idempotency"))
# An object or a section with one of these names makes a secret of a mere `key` inside it.
_SECRET_PARENTS = frozenset("jwt secret secrets auth credential credentials signing encryption hmac crypto".split())  # noqa: SIM905
# Before a mere `key` in prose, these make a secret of it.
_SECRET_KEY = frozenset(
    """access account admin api app application decryption deploy encryption jwt licence license master private recovery
    root secret service shared signing storage subscription unseal""".split()  # noqa: SIM905
)


def parts(name: str) -> list[str]:
    """Return the words of a snake, kebab, dotted or camel name, in lower case."""
    return [word.lower() for word in compiled(WORD).findall(name)]


def name_before(text: str, at: int) -> str:
    """Return the part of a name in front of a position, up to 60 characters; empty if there is none."""
    start = at
    while start > 0 and at - start < 60 and (text[start - 1].isalnum() or text[start - 1] in "_-."):
        start -= 1
    name = text[start:at]
    is_coloured = text[start - 1 : start] in ("[", ";") and compiled(r"\d{1,3}m").match(name)
    return name.partition("m")[2] if is_coloured else name


def word_before(text: str, at: int) -> str:
    """Return the word before a position on the same line, in lower case; empty if there is none."""
    return (parts(text[max(0, at - 30) : at].rpartition("\n")[2]) or [""])[-1]


def may_name_credential(text: str, at: int, tail: str) -> bool:
    """Whether a name with a word such as `token` at a position may name a credential; `tail` follows the word."""
    if any(part in _ABOUT for part in parts(tail)):
        return False
    head = parts(name_before(text, at))
    return not head or head[-1] not in _OTHER


def may_name_key(text: str, at: int, tail: str) -> bool:
    """Whether a name with `key` at a position may name a secret key; `tail` is what follows the word."""
    if any(part in _ABOUT for part in parts(tail)):
        return False
    head = parts(name_before(text, at))
    if not head:
        return is_secret_key(text, at)
    if head[-1] in ("master", "secret", "private", "access", "api"):
        return _PUBLIC_KEY.isdisjoint(head)
    return _OTHER_KEY.isdisjoint(head) or head[-1] in ("primary", "secondary")


def is_secret_key(text: str, at: int) -> bool:
    """Whether a word, a query, an object or a section before a mere `key` makes a secret of it."""
    if text[max(0, at - 1) : at] in ("?", "&") or word_before(text, at) in _SECRET_KEY:
        return True
    return not _SECRET_PARENTS.isdisjoint(_parents(text, at))


def _parents(text: str, at: int) -> list[str]:
    """Return the words in the names of the object, or of the YAML sections, around a position."""
    start = max(0, at - 400)
    brace = text.rfind("{", start, at)
    if brace >= 0 and "}" not in text[brace:at]:
        named = compiled(r"([\w.-]{1,40})[\"']?\s{0,3}[:=]?\s{0,3}$").search(text, max(start, brace - 60), brace)
        return parts(named[1]) if named else []
    lines = text[start:at].split("\n")
    depth, words = len(lines[-1]) - len(lines[-1].lstrip(" ")), list[str]()
    for line in reversed(lines[:-1]):
        indent = len(line) - len(line.lstrip(" "))
        if indent < depth and compiled(r" *[\w.-]{1,40}:[ \t\r]*").fullmatch(line):
            depth, words = indent, words + parts(line)
    return words


def is_other_key(text: str, at: int) -> bool:
    """Whether the word before `key` in prose says that it is no secret key."""
    return word_before(text, at) in _OTHER_KEY | {"rsa", "dsa", "ecdsa", "ed25519", "signing", "from", ""}
