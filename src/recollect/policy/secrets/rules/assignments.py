"""Rules for values assigned to the name of a credential: `DB_PASSWORD = "…"`, `<token>…</token>`, `api_key: …`.

Each pattern is put together from: the word in the name, the rest of the name, a separator, what may wrap a literal, and
the value.
"""

from recollect.policy.secrets.rules import checks
from recollect.policy.secrets.rules.rule import Rule

_QUOTE = r"""\\{0,3}[\"'`]"""
# A value without quotes: up to a blank, a quote or the next pair (`;name=`, `, name:`), without punctuation at its end.
_BARE_VALUE = r"""
    (?: (?![;&,|][ \t]?[\w.-]{1,40}(?:[ ]\w{1,20})?[=:]) (?!</|\\[nrt])
        [^\s\"'`\x1b\u3001\u3002\uff0c\uff1b]
    ){1,400}
    (?<![,;:)\]}.])"""
# Escape sequences that change a terminal's colour, real or escaped.
_COLOUR = r"(?:[ ]?(?:\x1b|\\(?:u001b|x1b|033|e))\[[\d;]{0,12}m){0,3}"
# What stands around a literal without changing it: `Some("…")`, `SecretStr("…")`, `Buffer.from("…")`, `!!str "…"`.
_WRAPPER = r"""
    (?: (?: !!\w{2,8}[ ] | << | \s{0,20}string\(\d{1,4}\)[ ]
          | (?:new[ ]|&)?(?:\w{1,20}(?:\.|::)){0,2}
            (?: Some|Ok|Just|Optional\.of|[Ss]ecret(?:Str(?:ing)?|Bytes|Value|Text)?
              | Redacted|Zeroizing|Buffer|bytes|bytearray|\[\]byte|String|[Ss]tr|string|strdup|atob|Base64|Cow|Box|Arc
              | Password|sensitive|unhexlify|b64decode|a2b_hex|decodeString|DecodeString|StringPtr|StringValue|QString
              | TEXT|_T
            )
            (?: (?:\.|::)
                (?:from|new|of|fromhex|hex|to|make|decode|fromString|unsafe|Borrowed|valueOf|plainText|unsafePlainText)
            )?
            \(\s?
        ){1,2}
        (?=[NnbBrRuUL@]{0,2}\\{0,3}[\"'`])
    )?"""
# In quotes up to the same quote or the end of the line, otherwise a bare value.
_VALUE = rf"""
    (?:[NnbBrRuUL@]{{0,2}}(?P<q>{_QUOTE}))?
    (?P<secret>(?(q)(?:(?!(?P=q))(?:\\.|[^\n\\])|(?!(?P=q))\\){{1,400}}|{_BARE_VALUE}))
    (?(q)(?:(?P=q)|$|(?=\n)))"""
# The word ends here and is no part of a longer one: `passwordless` has no `password`, `passwordHash` has.
_WORD_END = r"(?:(?<=[a-z])(?![a-z])|(?<=[A-Z])(?![A-Za-z])|(?<=[^\Wa-zA-Z])(?![a-z]))"
# The rest of the name: `_file`, `.value`, ` 2` as in `Password 2:`.
_NAME_TAIL = r"(?P<tail>[\w.-]{0,40}+(?:[ ]\d{1,2}(?=:))?)"
_SEPARATOR = rf"""
    # val token: String by lazy {{ "…"
    (?:[ ]?:[ ]?[\w?<>]{{1,30}})?[ ]by[ ]lazy[ ]?\{{[ ]?
    # let token: &str = "…", token ??= "…", **token:** …, token: >
    | (?:[ \t]{{0,20}}:[ \t]{{0,3}}[&\w<>\[\]|?.' ]{{1,30}}?(?=[ \t]=[ \t]))?
      [ \t]{{0,30}}(?:=>|:=|<-|\?=|\+=|=(?!=)|:(?![:/=?+])|\uff1a|→|\|\||\?\?|:-)[*_]{{0,2}}[ \t]{{0,40}}
      (?:[|>][+-]?[ \t]*\n[ \t]{{0,20}})?(?:\[[ \t]?(?=[\"']))?
    # name: TOKEN, value: …
    | [ \t]{{0,4}},?\s{{0,40}}(?:\\{{0,3}}[\"'])?(?:\w{{1,10}}:)?(?i:value|content)
      (?:\\{{0,3}}[\"'])?[ \t]?[:=][ \t]{{0,4}}
    # "name": "token", "type": "string", "value": …
    | ,\s{{0,40}}\\{{0,3}}[\"'](?i:type)\\{{0,3}}[\"']:\s?\\{{0,3}}[\"']\w{{1,30}}\\{{0,3}}[\"'],\s{{0,40}}
      \\{{0,3}}[\"'](?i:value)\\{{0,3}}[\"']:\s?
    # --name TOKEN --value …
    | [ \t]{{1,4}}--?(?i:value)[ =]{{1,2}}
    # define("TOKEN", "…")
    | [ \t]{{0,4}},[ \t]{{0,20}}(?={_QUOTE})
    # <token>…</token>, <td>token</td><td>…
    | [^<>\n]{{0,60}}>(?=[^<>\n]{{1,400}}</)
    | (?:</\w{{1,10}}>\s{{0,10}}){{1,3}}(?:<\w[^<>\n]{{0,40}}>){{1,3}}
    # token "…"
    | [ \t]{{1,20}}(?={_QUOTE})
    # token   …, set token …, | token | … |
    | [ \t]{{2,30}}(?=\S{{8}})
    | [ ](?:[07][ ])?(?=\S{{6}})
    | [ \t]{{1,20}}\|[ \t]{{1,20}}"""
# `pass` is part of many words (compass, bypass): it begins a word, or follows one of the words that it is joined to.
_SPOKEN_WORD = r"""
    pass(?:words?|wd|wort|wrd|phrases?|code)
    | (?<![a-z])pass
    | (?<=user|root|auth|bind|smtp|mail|sudo|dmin|tore|uire)pass
    | (?<=db|pg|my|su)pass
    | (?<=ftp|sql|vnc|vpn|key|ssh|web|app|api|git|zip|dba)pass
    | (?<=wifi|ldap|imap|host)pass
    | pwd | (?<![a-zA-Z])pw | (?<=mot[ ]de[ ])passe | (?<=root|bind|dmin)pw"""
_ISSUED_WORD = r"""
    tokens? | (?<![a-z])auth(?:key)? | jwt | _pat | authorization | [_-]bearer | appid | webhook | sess(?:ion)?(?=\W)"""


def _assigned(word: str) -> str:
    """Return the pattern for a value behind a name that contains the word."""
    return rf"""
        (?P<name>(?i:{word}){_WORD_END}){_NAME_TAIL} [\"'`\])}}*_\\]{{0,5}} {_COLOUR}
        (?P<sep>{_SEPARATOR}) {_COLOUR} {_WRAPPER} {_VALUE}"""


ASSIGNMENTS = (
    Rule(
        id="password-name",
        name="password",
        finds="the value of a name with `password`, `pass`, `pwd` or `pw` in it",
        reason="People choose passwords, so nearly any value counts that is no placeholder, reference or sentence.",
        triggers=("pass", "pwd", "pw"),
        pattern=_assigned(_SPOKEN_WORD),
        check=checks.is_password_value,
        example="DB_PASSWORD=«Blumenkohl9»",
        counter_example='password = os.environ["DB_PASSWORD"]',
    ),
    Rule(
        id="password-name-other-languages",
        name="password",
        finds="the value of a name for a password in another language, and of `psk`",
        reason="The same as above; the words need no check of what stands before them.",
        triggers=("kennwort", "contrase", "psk", "senha", "wachtwoord", "пароль", "密码", "密碼", "パスワード"),
        pattern=_assigned("kennwort|contraseña|contrasena|psk|senha|wachtwoord|пароль|密码|密碼|パスワード"),
        check=checks.is_password_value,
        example='network={\n  ssid="Office"\n  psk="«Lerche!im_Feld»"\n}',
        counter_example="kennwort: ********",
    ),
    Rule(
        id="secret-name",
        name="secret",
        finds="the value of a name with `secret`, `salt` or `credentials` in it",
        reason="Such names also hold paths and names of secrets, hence a random or strong value.",
        triggers=("secret", "salt", "cred"),
        pattern=_assigned("secrets?|salt|credentials?|creds"),
        check=checks.is_secret_value,
        example="COOKIE_SECRET=«hG+rk9ubDlgqNSaJU0hvxHsvRl»",
        counter_example='SECRET_KEY = "TODO"',
    ),
    Rule(
        id="token-name",
        name="token",
        finds="the value of a name with `token`, `auth`, `jwt` or `webhook` in it",
        reason="`max_tokens` and `page_token` are no credentials; the check reads the words around the name.",
        triggers=("token", "auth", "jwt", "_pat", "_bearer", "-bearer", "appid", "session", "webhook"),
        pattern=_assigned(_ISSUED_WORD),
        check=checks.is_secret_value,
        example="setenv LICENSE_SERVER_TOKEN «AvekXMM0kRkWHCsW4z1xhTrR»",
        counter_example="nextPageToken: EAAaBlBUOkNBVQ3x9KdL3mPq8",
    ),
    Rule(
        id="key-name",
        name="key",
        finds="the value of a name with `key` in it",
        reason="Most keys are no secrets (primary, cache, sort): only random values behind a fitting name count.",
        triggers=("key",),
        pattern=_assigned("keys?(?:base|data)?"),
        check=checks.is_key_value,
        example="MISTRAL_API_KEY=«VNvN8Hd4ZjnmQTM3UgcTxSu380Y7LfKD»",
        counter_example="cache_key=VNvN8Hd4ZjnmQTM3UgcTxSu380Y7LfKD",
    ),
)
