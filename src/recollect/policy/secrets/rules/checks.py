"""Conditions that a match of a rule has to pass to count as a credential.

Each takes the match of a rule's pattern. The value is the group `secret`; `q` is the quotation mark around it, if any.
In the patterns of assignments, `name` is the word in the name, `tail` the rest of the name, `sep` what separates name
and value.
"""

from base64 import urlsafe_b64decode

from recollect.policy.secrets.rules import credential_names, values
from recollect.policy.secrets.rules.rule import Match

# Commands whose `-p` may touch the password: `mysql -pX`.
_TOUCHING_COMMANDS = r"mysql|mariadb|\b7z|rar\b|sshpass|zip\b|freerdp"
# Commands with a short option for a password, apart from its value.
_OPTION_COMMANDS = r"""(?x)
    (?:docker|podman|helm|skopeo|oras|crane|buildah|nerdctl)\b.*\blogin
    | \baz[ ] | twine | mongo | cqlsh | psexec | winrm | netexec | rdesktop | sqlcmd | \bbcp | mosquitto | ipmitool
    | influx | isql | ldap | redis-cli | snmp | clickhouse | openssl | nuget"""
# Commands whose `-u` takes `user:password`.
NETWORK_CLIENTS = r"\b(?:curl|wget|https?|xh|smbclient|rpcclient|lftp|httpie)\b"
# What a line ends with where only a blank separates name and value: `setenv NAME`, `login mira`, `config set name`.
_SETTERS = r"""(?x)
    (?: \b(?:set|setx|setenv|ENV|env|config|configure)(?:\s+(?:-\w{1,3}|set))*
      | \b(?:login|machine|user|account)\s+\S+
    )
    \s+[\w./:@-]*$"""
# Commands that print secrets, and how a line begins that is a command.
_PRINTERS = r"""(?x)
    \b(?:cat|head|tail|echo|printenv|pass|gopass|op|vault|bw|base64|kubectl|gcloud|aws|az|heroku|gh|security|keyring
       |secret-tool|lpass)\b"""
_COMMAND_LINE = r"""(?x)
    \S{0,60}[$#>%\u276f][ ]                   # a prompt: `mira@web01:~$ `
    | (?:kubectl|vault|gcloud|aws|heroku|gopass|pass|security|secret-tool|lpass|bw|op|cat)[ ][^.:]"""
_INNER_MEMBER = r"""(?xi)
    \"(?:\w{0,30}(?:secret|token|password|passwd|(?:api|private)_?key)|s|k)\"[ ]?:[ ]?\"[^\"]{16}"""
# In prose before a token, these say that the value is public.
_PUBLIC_WORDS = frozenset(
    ("fingerprint", "hash", "id", "digest", "checksum", "name", "version", "commit", "sha")
)  # fmt: skip
_SENTENCE_WORDS = frozenset(
    ("the", "and", "for", "with", "are", "not", "from", "should", "must", "have", "words")
)  # fmt: skip
_EXAMPLE_PINS = ("1234", "12345", "123456", "2024", "2025", "2026")
_BLANKS = (" ", " 0 ", " 7 ")  # the separators without any sign; the figures are Cisco's types of passwords
_ASSIGNS = ("=", ":", "=>", ":=", "?=")


def value_of(match: Match) -> str:
    """Return the credential: the group `secret`, else the whole match."""
    return match["secret"] if "secret" in match.re.groupindex else match[0]


def is_quoted(match: Match) -> bool:
    """Whether the credential stands in quotation marks."""
    return "q" in match.re.groupindex and bool(match["q"])


def is_plain(match: Match) -> bool:
    """Whether the value is neither a placeholder nor a reference."""
    value = value_of(match)
    if is_quoted(match) and match["q"] == "'" and values.compiled(r"\$[a-z]\w*-[^>].*").fullmatch(value):
        return True  # '$ommer-kohl': in single quotes a dollar sign is one
    return not values.is_placeholder(value) and not values.is_reference(value, quoted=is_quoted(match))


def is_provider_token(match: Match) -> bool:
    """Whether a value in the form of a provider's token is one: neither plain words nor mostly one character."""
    value = value_of(match)
    is_dense = any(sign.isdigit() for sign in value) or value.isupper() or values.is_random(value)
    return is_dense and max(map(value.count, set(value))) * 2 <= len(value)


def is_random(match: Match) -> bool:
    """Whether a generator made the value, and it is no placeholder."""
    return values.is_random(value_of(match)) and not values.is_placeholder(value_of(match))


def is_mixed(match: Match) -> bool:
    """Whether the value looks like a credential by itself; for rules whose context says little."""
    return is_plain(match) and values.is_mixed(value_of(match))


def is_strong(match: Match) -> bool:
    """Whether the value is no word; for rules where its place says what it is."""
    return is_plain(match) and values.is_strong(value_of(match))


def is_given(match: Match) -> bool:
    """Whether an argument that a command takes as its password is one: a quoted word counts."""
    value = value_of(match)
    if values.is_placeholder(value) or values.is_reference(value, quoted=True) or value.startswith("-"):
        return False
    return is_quoted(match) or not values.is_words(value)


def is_said(match: Match) -> bool:
    """Whether the value of a told password is strong, or words joined by hyphens."""
    value = value_of(match)
    if value.startswith("-") or not is_plain(match):
        return False
    return values.is_strong(value.rstrip("?!")) or (len(value) > 9 and values.is_joined(value, quoted=is_quoted(match)))


def is_told_token(match: Match) -> bool:
    """Whether the value of a told token is random, and neither a hash, an id, a version nor a key of a log."""
    text, at = match.string, match.start()
    between = credential_names.parts(text[at : match.start("secret")])
    if not _PUBLIC_WORDS.isdisjoint(between):
        return False
    is_key = text[at : at + 3].lower() == "key"
    if is_key and (
        values.compiled(r"[a-z][\w-]{0,30}:.+|[a-z]{2,20}/.+").fullmatch(value_of(match)) or _is_logged_key(match)
    ):
        return False
    if values.compiled(r"[a-z_]+=.+").fullmatch(value_of(match)):
        return False  # the next pair: `code: output=4711`
    return is_plain(match) and is_random(match) and not (is_key and credential_names.is_other_key(text, at))


def _is_logged_key(match: Match) -> bool:
    """Whether the match is the `key=…` of a log, where nothing before it speaks of a secret."""
    is_pair = match.string[match.start() + 3] == "="
    return is_pair and not credential_names.is_secret_key(match.string, match.start())


def is_password_option(match: Match) -> bool:
    """Whether the command on this line takes a password as this short option."""
    before = line_before(match)
    is_touching = match[0][3:4] not in " =\"'"
    if match[0].startswith(" -N") or "ssh-keygen" in before:
        return match[0].startswith((" -N", " -P")) and "ssh-keygen" in before and not is_touching and is_given(match)
    if values.compiled(_TOUCHING_COMMANDS).search(before) and match[0].startswith((" -p", " -P", "/p:")):
        return is_given(match)
    return not is_touching and bool(values.compiled(_OPTION_COMMANDS).search(before)) and is_mixed(match)


def is_login_option(match: Match) -> bool:
    """Whether `-u user:password` belongs to a client of the network, and the password is one."""
    return bool(values.compiled(NETWORK_CLIENTS).search(line_before(match))) and is_given(match)


def line_before(match: Match) -> str:
    """Return the line up to the match, with lines joined that end with a backslash."""
    text = match.string[max(0, match.start() - 600) : match.start()].replace("\\\n", " ")
    return text.rpartition("\n")[2]


def is_otp_seed(match: Match) -> bool:
    """Whether the value may be the seed of one-time passwords: a digit, and more than six different characters."""
    value = value_of(match).replace(" ", "")
    return any(sign.isdigit() for sign in value) and len(set(value)) > 6 and not values.is_placeholder(value)


def is_next_line(match: Match) -> bool:
    """Whether the line above the value is a heading, a prompt or a command that prints secrets."""
    text, at = match.string, match.start()
    line = text[max(0, at - 200, text.rfind("\n", 0, at) + 1) : match.start("secret")].strip()
    is_command = values.compiled(_PRINTERS).search(line) and values.compiled(_COMMAND_LINE).match(line)
    return bool(line.endswith((":", "=", '"')) or is_command) and is_mixed(match)


def is_fallback(match: Match) -> bool:
    """Whether the line before a default value is about credentials."""
    line = match.string[max(0, match.start() - 120) : match.start()].rpartition("\n")[2]
    return bool(values.compiled(r"(?i)token|secret|key|auth|pass|pwd|cred").search(line)) and is_mixed(match)


def _is_unassigned(match: Match) -> bool:
    """Whether only a blank stands between name and value, and no command sets the name to the value."""
    if match["sep"] not in _BLANKS or is_quoted(match):
        return False
    value, text, at = value_of(match), match.string, match.start()
    is_random = len(value) >= 16 and values.is_random(value) and not values.is_uuid(value)
    is_issued = is_random or (match["name"][:1] in "pP" and is_mixed(match))
    if (
        match["sep"] == " "
        and is_issued
        and values.compiled(r".*[a-z]_").match(credential_names.name_before(text, at).lower())
    ):
        return False
    before = text[max(0, at - 160) : at]
    is_setting = values.compiled(_SETTERS).search(before) or before.endswith(("require", "bind", "root"))
    return not ((is_setting or match["sep"] != " ") and values.is_strong(value))


def is_password_value(match: Match) -> bool:
    """Whether the value of a name such as `password` is one."""
    value, sep = value_of(match), match["sep"].strip(" \t*_")
    is_verdict = match["name"] == "PASS" and sep == ":" and not is_quoted(match)  # `--- PASS: TestX/abc1234`
    if is_verdict or _is_unassigned(match) or not _may_name_credential(match):
        return False
    if value.isdigit() or not is_plain(match):
        return _is_number(match) and sep in _ASSIGNS
    if " " in value:
        is_free = match["name"].lower() in ("passphrase", "psk") or _is_variable(match)
        return is_quoted(match) and (values.is_phrase(value, is_free=is_free) or values.is_salad(value))
    if values.is_words(value):
        return _is_chosen_word(match, sep)
    if sep in ("", ",", "|"):
        is_set = match["sep"] in _BLANKS and not is_quoted(match)
        return is_set or (values.is_mixed(value) and not (sep == "" and match["name"].lower() == "pass"))
    return sep.endswith((*_ASSIGNS, ">")) or values.is_strong(value)


def _may_name_credential(match: Match) -> bool:
    return credential_names.may_name_credential(match.string, match.start(), match["tail"])


def _is_chosen_word(match: Match, sep: str) -> bool:
    """Whether a plain word is a password: only as a literal, or as the value of a variable in capitals."""
    value = value_of(match)
    is_constant = value.isupper() and "_" in value
    is_apart = sep in ("", ",", "|") and (match["name"] != "PASSWORD" or is_constant)
    head = credential_names.name_before(match.string, match.start())
    is_element = match["sep"] == ">" and match.string[max(0, match.start() - len(head) - 1)] == "<"
    is_literal = is_element or (is_quoted(match) and not match.string.startswith(" if ", match.end()))
    return values.is_random(value) or (len(value) > 5 and not is_apart and (is_literal or _is_variable(match)))


def _is_variable(match: Match) -> bool:
    """Whether the value is assigned to a variable in capitals: `DB_PASSWORD=…`."""
    return match["sep"] == "=" and match["name"].isupper()


def _is_number(match: Match) -> bool:
    """Whether 6 to 20 digits are a password: in quotes, or as the value of a variable."""
    value = value_of(match)
    is_stated = (is_quoted(match) and match["name"].lower() != "pass") or _is_variable(match)
    return value.isdigit() and 6 <= len(value) <= 20 and is_stated and not values.is_placeholder(value)


def _is_image_tag(match: Match) -> bool:
    """Whether the value is the tag of a container image: `acme/auth:sha-1f2e3d`."""
    head = credential_names.name_before(match.string, match.start())
    return match["sep"] == ":" and match.string.endswith("/" + head, 0, match.start())


def is_secret_value(match: Match) -> bool:
    """Whether the value of a name such as `secret` or `token` is one."""
    if _is_unassigned(match) or not _may_name_credential(match) or not is_plain(match):
        return False
    value = value_of(match)
    is_session_name = match["name"].lower().startswith("sess") and (
        _is_session_name(value) or not values.is_random(value)
    )
    if is_session_name or _is_image_tag(match):
        return False
    if " " in value:
        return values.is_salad(value)
    head = credential_names.name_before(match.string, match.start())
    if values.is_random(value):
        return True
    is_assigned = (bool(head) or is_quoted(match)) and match["sep"].strip() in _ASSIGNS and len(value) > 9
    if match["sep"].isspace() and is_quoted(match) and head[-1:] in ("_", "-"):
        return values.is_mixed(value)
    is_joined = len(value) > 14 and values.is_joined(value, quoted=False)
    return match["sep"] in _BLANKS[1:] or (is_assigned and (values.is_strong(value) or is_joined))


def is_key_value(match: Match) -> bool:
    """Whether the value of a name such as `access_key` is a secret key."""
    text, at = match.string, match.start()
    if _is_unassigned(match) or not credential_names.may_name_key(text, at, match["tail"]) or not is_plain(match):
        return False
    value, head = value_of(match), credential_names.name_before(text, at).lower()
    if head.endswith(("primary", "secondary")):  # Azure's pair of keys, or else the key of a table
        return bool(values.compiled(r"[A-Za-z0-9+/]{42,43}={1,2}|[A-Za-z0-9+/]{86}==").fullmatch(value))
    if head.endswith("signing") and values.compiled(r"[0-9A-F]{8,40}").fullmatch(value):
        return False  # git's `signingkey` is the id of a key
    return values.is_salad(value) if " " in value else values.is_random(value)


def is_private_key(match: Match) -> bool:
    """Whether a PEM block holds the body of a key, and not dots or one character over and over."""
    runs = values.compiled(r"[A-Za-z0-9+/=]{30,}").findall(match[0])
    return any(len(set(run)) > 8 for run in runs)


def _is_session_name(value: str) -> bool:
    """Whether a value is what programs call their sessions: a UUID, or something that begins with a date."""
    return values.is_uuid(value[:36]) or bool(values.compiled(r"\d{4}-\d\d-\d\d[-_T].*").fullmatch(value))


def is_session_value(match: Match) -> bool:
    """Whether the value of a session cookie is random, and not the name of a program's session."""
    is_name = _is_session_name(value_of(match)) and match[0][:7].lower() == "session"
    return is_random(match) and not is_name


def is_encoded_object(match: Match) -> bool:
    """Whether an object in Base64 has a secret among its members, and is no image or font of a data address."""
    if match.string.endswith("base64,", 0, match.start()):
        return False
    body = match[0].rstrip("=").replace("+", "-").replace("/", "_")
    plain = urlsafe_b64decode(body[: len(body) // 4 * 4])
    return bool(values.compiled(_INNER_MEMBER).search(plain.decode("latin-1")))


def is_mnemonic(match: Match) -> bool:
    """Whether a dozen words are no sentence."""
    return _SENTENCE_WORDS.isdisjoint(value_of(match).split())


def is_url_password(match: Match) -> bool:
    """Whether the password of a URL is neither the user's name, a variable, a port nor a placeholder."""
    value = value_of(match)
    if value == match["user"] or values.is_placeholder(value):
        return False
    if values.compiled(r"[${<%][a-zA-Z_{(]|^\[|%s|\*{2}|^\d{2,5}$").search(value.replace("%2", "")):
        return bool(values.compiled(r"%[0-9A-F]{2}").search(value)) and not values.is_reference(value)
    return not values.is_reference(value, quoted=True)


def is_url_token(match: Match) -> bool:
    """Whether the user of a URL is a token; the key of a Sentry address is public."""
    return "sentry" not in match["host"] and is_random(match)


def is_pin(match: Match) -> bool:
    """Whether the digits are no example: more than two different ones, and no common run or year."""
    return len(set(value_of(match))) > 2 and value_of(match) not in _EXAMPLE_PINS


def is_base64(match: Match) -> bool:
    """Whether the value has letters of both cases and is padded or random, so that it is no word."""
    value = value_of(match)
    is_cased = value.lower() != value and value.upper() != value
    return is_cased and not values.is_placeholder(value) and (value.endswith("=") or values.is_random(value))
