"""Patterns for what only the full detector reads: structures, commands, assignments and prose.

Tokens with a prefix and the names of credentials are in `secret_table`, which both detectors walk.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from recollect.policy.secrets import checks
from recollect.policy.secrets.checks import Found, Span

_Check = Callable[[Found], bool]
_Spans = Callable[[Found], Iterable[Span]]


class Rule(NamedTuple):
    """A shape of credentials; a text that holds none of its needs in lower case is not even looked at."""

    name: str
    needs: tuple[str, ...]
    pattern: str
    check: _Check | None = None
    spans: _Spans | None = None
    is_long: bool = False  # the need stands in a run of sixteen characters or more without a blank
    scans: bool = False  # the pattern does not begin where the need does


# Pieces of patterns.
_Q = r"\\{0,3}[\"'`]"
_BARE = (
    r"(?:(?![;&,|][ \t]?[\w.-]{1,40}(?: \w{1,20})?[=:])(?!</|\\[nrt])[^\s\"'`\x1b\u3001\u3002\uff0c\uff1b]){1,400}"
    r"(?<![,;:)\]}.])"
)
# A change of colour, and what stands around a literal without changing it.
_COLOUR = r"(?:[ ]?(?:\x1b|\\(?:u001b|x1b|033|e))\[[\d;]{0,12}m){0,3}"
_WRAP = (
    r"(?:(?:!!\w{2,8}[ ]|<<|\s{0,20}string\(\d{1,4}\)[ ]"
    r"|(?:new[ ]|&)?(?:\w{1,20}(?:\.|::)){0,2}(?:Some|Ok|Just|Optional\.of|[Ss]ecret(?:Str(?:ing)?|Bytes|Value|Text)?"
    r"|Redacted|Zeroizing|Buffer|bytes|bytearray|\[\]byte|String|[Ss]tr|string|strdup|atob|Base64|Cow|Box|Arc|Password"
    r"|sensitive|unhexlify|b64decode|a2b_hex|decodeString|DecodeString|StringPtr|StringValue|QString|TEXT|_T)"
    r"(?:(?:\.|::)(?:from|new|of|fromhex|hex|to|make|decode|fromString|unsafe|Borrowed|valueOf|plainText|unsafePlainText))?"
    r"\(\s?){1,2}(?=[NnbBrRuUL@]{0,2}\\{0,3}[\"'`]))?"
)
_VALUE = (
    rf"(?:[NnbBrRuUL@]{{0,2}}(?P<q>{_Q}))?"
    rf"(?P<secret>(?(q)(?:(?!(?P=q))(?:\\.|[^\n\\])|(?!(?P=q))\\){{1,400}}|{_BARE}))(?(q)(?:(?P=q)|$|(?=\n)))"
)
_END = r"(?:(?<=[a-z])(?![a-z])|(?<=[A-Z])(?![A-Za-z])|(?<=[^\Wa-zA-Z])(?![a-z]))"
_TAIL = r"(?P<tail>[\w.-]{0,40}+(?: \d{1,2}(?=:))?)"
_SEPARATOR = (
    # val token: String by lazy { "…"
    r"(?:[ ]?:[ ]?[\w?<>]{1,30})?[ ]by[ ]lazy[ ]?\{[ ]?|"
    # let token: &str = "…", token ??= "…", **token:** …, token: >
    r"(?:[ \t]{0,20}:[ \t]{0,3}[&\w<>\[\]|?.' ]{1,30}?(?=[ \t]=[ \t]))?"
    r"[ \t]{0,30}(?:=>|:=|<-|\?=|\+=|=(?!=)|:(?![:/=?+])|\uff1a|→|\|\||\?\?|:-)[*_]{0,2}[ \t]{0,40}"
    r"(?:[|>][+-]?[ \t]*\n[ \t]{0,20})?(?:\[[ \t]?(?=[\"']))?"
    # define("TOKEN", "…"), name: TOKEN, value: …, <token>…, token "…", token   …, | token | … |
    rf"|[ \t]{{0,4}},?\s{{0,40}}(?:\\{{0,3}}[\"'])?(?:\w{{1,10}}:)?(?i:value|content)"
    r"(?:\\{0,3}[\"'])?[ \t]?[:=][ \t]{0,4}"
    r"|,\s{0,40}\\{0,3}[\"'](?i:type)\\{0,3}[\"']:\s?\\{0,3}[\"']\w{1,30}\\{0,3}[\"'],\s{0,40}"
    r"\\{0,3}[\"'](?i:value)\\{0,3}[\"']:\s?|[ \t]{1,4}--?(?i:value)[ =]{1,2}"
    rf"|[ \t]{{0,4}},[ \t]{{0,20}}(?={_Q})"
    r"|[^<>\n]{0,60}>(?=[^<>\n]{1,400}</)|(?:</\w{1,10}>\s{0,10}){1,3}(?:<\w[^<>\n]{0,40}>){1,3}"
    rf"|[ \t]{{1,20}}(?={_Q})|[ \t]{{2,30}}(?=\S{{8}})|[ ](?:[07][ ])?(?=\S{{6}})|[ \t]{{1,20}}\|[ \t]{{1,20}}"
)
_KEY_LINE = (
    r"(?:\\[nr]|[\s\"'+>|,;:\\#*-]|\d{1,4}[:|\t ]){1,40}+(?:[A-Za-z-]{3,20}: [^\n\\]{0,120}|[A-Za-z0-9+/=]{1,200})"
)
_PEM = (
    r"-{4,5} ?BEGIN [\w ]{0,30}(?:PRIVATE KEY|Static key)[\w ]{0,10} ?-{4,5}"
    r"(?:(?:(?!-----BEGIN|-----END)[\s\S]){0,20000}+-{4,5} ?END [\w ]{0,40}-{0,5}"
    rf"|(?:{_KEY_LINE}){{1,400}}+)"
)
_SPOKEN = (
    r"pass(?:words?|wd|wort|wrd|phrases?|code)|(?<![a-z])pass|(?<=user|root|auth|bind|smtp|mail|sudo|dmin|tore|uire)pass"
    r"|(?<=db|pg|my|su)pass|(?<=ftp|sql|vnc|vpn|key|ssh|web|app|api|git|zip|dba)pass|(?<=wifi|ldap|imap|host)pass"
    r"|pwd|(?<![a-zA-Z])pw|(?<=mot de )passe|(?<=root|bind|dmin)pw"
)
_ISSUED = (
    r"tokens?|(?<![a-z])auth(?:key)?|jwt|_pat|authorization|[_-]bearer|appid|webhook"
    r"|sess(?:ion)?(?=\W)"
)
_SAID = (
    r"[(]?[*_]{0,2}(?P<q>[\"'`“„«「『]|\*\*)?(?P<secret>(?=\S{0,60}[\d!\#$%&*+=?@^~]|(?<=[\"'`“„«「『]))"
    r"(?:(?![;&,|][ \t]?[\w.-]{1,40}[=:]|\\[nrt])[^\s\"'`“”»\u3001\u3002\uff0c\uff1b」』]){4,200}(?<![,;.:)\]}*]))"
)
_VERB = (
    r"(?:(?i:is|are|was|ist|lautet|lauten|war|to|auf|est|es|è|é|är|jest|becomes|remains|wird|changed from)(?=\W)"
    r"[^\S\n]{0,3}"
    r"(?:(?i:now|currently|still|jetzt|nun|aktuell|set to|this|the following|as follows)[^\S\n]{0,3})?[:=]?"
    r"|[:=]|->|[→➜➡\u2014是为は\uff1a])"
    r"[^\S\n]{0,3}"
)
_GAP = r"(?:[^\S\n]{1,3}[\w'\u2019/@.()\[\]&`-]{1,40}){0,9}?[^\S\n]{0,3}"
_ARGUMENT = r"(?P<q>[\"'])?(?P<secret>(?(q)[^\"'\n]|[^\s\"'$;|&]){4,400})"
_DOZEN = r"[a-z]{3,8}(?:[ ,\n]{1,3}(?:\d{1,2}[.)] ?)?[a-z]{3,8}){11,23}"


def _rule(name: str, needs: str, pattern: str, check: _Check | None = None, spans: _Spans | None = None) -> Rule:
    return Rule(name, tuple(needs.split("|")), pattern, check, spans)


def _long(name: str, needs: str, pattern: str, check: _Check, *, scans: bool = False) -> Rule:
    return Rule(name, tuple(needs.split("|")), pattern, check, is_long=True, scans=scans)


def _scan(name: str, needs: str, pattern: str, check: _Check) -> Rule:
    return Rule(name, tuple(needs.split("|")), pattern, check, scans=True)


def _assigned(name: str, needs: str, word: str, check: _Check) -> Rule:
    head = rf"(?P<name>(?i:{word}){_END}){_TAIL}[\"'`\])}}*_\\]{{0,5}}{_COLOUR}"
    pattern = rf"{head}(?P<sep>{_SEPARATOR}){_COLOUR}{_WRAP}{_VALUE}"
    return _rule(name, needs, pattern, check)


_STRUCTURES = (
    _rule("private-key", "-----begin|---- begin", _PEM, checks.is_private_key),
    _rule("private-key", "-----end", r"-----END [\w ]{0,30}PRIVATE KEY[\w ]{0,10}-{0,5}", spans=checks.key_tail),
    _rule(
        "private-key",
        "private-lines:",
        r"(?i:private-lines): ?\d{1,3}(?P<secret>(?:\s{1,3}[A-Za-z0-9+/=]{20,80}){1,200})",
    ),
    _rule(
        "private-key",
        "privkey|wif",
        r"[\s\S]{0,200}?(?<![A-Za-z0-9])(?P<secret>[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51})(?![A-Za-z0-9])",
        checks.is_random,
    ),
    _rule(
        "private-key",
        "genkey|privatekey",
        r"[^\n]{0,120}\n(?P<secret>[A-Za-z0-9+/]{42,43}={1,2})(?=\s|$)",
        checks.is_random,
    ),
    _rule("private-key", "kty", r"kty(?=\\{0,3}[\"'])", spans=checks.members),
    _long("credentials", "eyj", r"(?<![\w.+/,-])eyJ[A-Za-z0-9_+/-]{40,8000}={0,2}(?![\w.+/])", checks.is_encoded),
    _rule(
        "azure-key",
        "keyname",
        r"(?i:keyname)\\{0,3}[\"']?[:=][^{}]{0,200}?(?i:value)\\{0,3}[\"']?[:=] ?\\{0,3}[\"']"
        r"(?P<secret>[A-Za-z0-9+/]{40,120}={0,2})",
        checks.is_random,
    ),
    _long(
        "webhook",
        "/webhookb2/|office.com/webhook/|/v2/hook/|.make.com/|hooks.slack.com/|/webhooks/|/hooks/|/incomingwebhook/|/with/key/|infura.io/|alchemy.com/",
        r"(?:(?:/webhookb2|office\.com/webhook)/(?=[0-9a-f-]{36}@)|/v2/hook/|\.make\.com/|hooks\.slack\.com/(?:services|workflows|triggers)/[\w/]{6,60}/|/webhooks/\d{15,22}/|/hooks/catch/\d{3,12}/"
        r"|/IncomingWebhook/|/hooks/(?:\w{17,24}/)?|/with/key/|[a-z.]{6,20}/(?:ws/)?(?:v[23]/)?)"
        r"(?P<secret>[\w/@-]{16,300})",
        checks.is_random,
    ),
    _long(
        "discord-token",
        "bot|discord|token|client.|login",
        r"(?<![\w.-])[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,45}(?![\w.-])",
        checks.is_real,
        scans=True,
    ),
    _long("telegram-token", ":aa", r"(?<![\d.:])\d{8,10}:AA[\w-]{32,35}(?![\w-])", checks.is_real, scans=True),
    _long(
        "jwt",
        "eyj",
        r"(?<![A-Za-z0-9+/])eyJ[\w-]{10,4000}\.[\w-]{4,4000}\.[\w-]{10,2000}(?:\.[\w-]{5,4000}){0,2}",
        checks.is_real,
    ),
    _long("azure-key", "q~", r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~])", checks.is_real, scans=True),
    _scan("azure-key", "az |azure|windows.net|account key", r"(?<![\w+/=-])[A-Za-z0-9+/]{86}==", checks.is_real),
    _long(
        "signed-url",
        "sig=|signature=|code=",
        r"(?:(?<=[?&])|(?<=[?&]X-Amz-)|(?<=[?&]X-Goog-))(?i:sig|signature|code)=(?P<secret>[\w%+/~.-]{24,700}={0,2})",
        checks.is_random,
    ),
    _scan(
        "mail-key",
        "-us|mailgun",
        r"(?<![\w-])[0-9a-f]{32}-(?:us\d{1,2}|[0-9a-f]{8}-[0-9a-f]{8})(?![\w-])",
        checks.is_real,
    ),
    _long("cloud-token", ".atlasv1.", r"(?<![\w.])\w{10,20}\.atlasv1\.[\w-]{40,100}", checks.is_real, scans=True),
    _scan("cloud-token", "vault|token", r"(?<![\w.])s\.[A-Za-z0-9]{24}(?![\w.])", checks.is_real),
    _rule(
        "cloud-token",
        "'ac|\"ac",
        r"[\"']AC[0-9a-f]{32}[\"'],\s{0,20}(?:\w{1,20}=)?[\"'](?P<secret>[0-9a-f]{32})",
        checks.is_real,
    ),
    _rule("url-password", "@", r"@(?!sha256)(?=[\w-]{1,60}[.:][\w.-]{2}|(?:tcp|unix)\()", spans=checks.pair_before),
    _long("monitoring-key", "nral", r"(?<!\w)[0-9a-f]{32,40}(?:FFFF)?NRAL(?!\w)", checks.is_real, scans=True),
    _rule(
        "url-password",
        "://|thin:|sqlplus ",
        r"(?:://|(?P<ora>thin:|[a-z]{5,7} (?:-\w{1,3} ){0,3}))(?P<user>[^\s:/@\"'`<>?#]{0,100})(?(ora)/|:)"
        r"(?P<secret>[^\s/\"'`<>]{1,300})@(?=[\w\[$/])",
        checks.is_url_password,
    ),
    _long(
        "url-token",
        "://",
        r"://(?P<secret>[\w.~-]{20,255})(?::(?:x-oauth-basic)?)?@(?P<host>[\w.-]{1,100})",
        checks.is_url_token,
    ),
    _rule(
        "authorization",
        "basic",
        r"(?<![\w-])(?i:basic)\s{1,3}(?P<secret>[A-Za-z0-9+/]{8,400}={0,2})(?![\w+/])",
        checks.is_base64,
    ),
    _rule(
        "authorization",
        "bearer|token |apikey ",
        r"(?<![\w-])(?i:bearer|token|apikey)\s{1,3}(?:token=)?[\"']?"
        r"(?P<secret>[\w.~+/=:-]{16,4000})",
        checks.is_mixed,
    ),
    _rule(
        "authorization",
        "authorization",
        r"(?i:authorization)[\"'\]\\]{0,4}\s{0,3}[:=,]\s{0,3}[\[({]?\\{0,3}[\"'`]?(?:[\w-]{2,20} (?:\w{2,12}=)?)?"
        r"[\"']?(?P<secret>[^\s\"'`,;\]})\\]{8,4000})",
        checks.is_mixed,
    ),
    _rule(
        "authorization",
        "auth|login |pass ",
        r"(?:AUTH(?:(?:\\r\\n|\s)\$\d{1,3}(?:\\r\\n|\s)| (?:PLAIN |LOGIN )?)|LOGIN \S{1,60} |PASS )\"?"
        r"(?P<secret>[^\s\"\\]{6,200})",
        checks.is_mixed,
    ),
    _rule(
        "session-cookie",
        "cookie",
        r"(?i:cookies?)[\"'\])]{0,3}\s{0,3}[:=(]\s{0,3}(?P<secret>[^\n]{8,8000})",
        spans=checks.cookies,
    ),
    _rule(
        "session-cookie",
        "\ttrue\t|\tfalse\t",
        r"\t(?:TRUE|FALSE)\t\d{1,12}\t[\w.-]{2,60}\t(?P<secret>\S{16,4096})",
        checks.is_random,
    ),
    _rule(
        "session-cookie",
        "sessid|sessionid|session_id=|connect.sid|_session=",
        r"(?i:sessid|sessionid|session_id|connect\.sid|_session)[\"']?[=:]\s?[\"']?(?P<secret>[\w%.+/-]{16,2000})",
        checks.is_session,
    ),
    _rule(
        "otp-seed",
        "otp|2fa|authenticator",
        r"(?i:otp|(?<![0-9a-f])2fa|authenticator)[^\n]{0,80}?(?<![A-Za-z0-9])"
        r"(?P<secret>[A-Z2-7]{16,64}|(?:[A-Z2-7]{4} ){3,15}[A-Z2-7]{4})(?![A-Za-z0-9])",
        checks.is_seed,
    ),
    _rule(
        "recovery-code",
        "code",
        r"(?:(?<=[rR]ecovery.)|(?<=[bB]ackup.)|(?<=[sS]cratch.)|(?<=rstellungs))codes?\b"
        r"(?P<secret>[^\n]{0,120}(?:\n[ \t]*[-*\d.)]{0,4}[ \t]*[\w -]{8,60}){0,20})",
        spans=checks.codes,
    ),
    _rule(
        "recovery-phrase",
        "mnemonic|seed|phrase",
        rf"(?i:mnemonic|seed(?: ?phrase)?|phrase)[^\n]{{0,60}}?(?:[\"'`:=]|\bis|\n)\s{{0,3}}[\"'`]?(?:1[.)] ?)?"
        rf"(?P<secret>{_DOZEN})",
        checks.is_mnemonic,
    ),
    _rule(
        "credentials",
        "pass|secret|token|key|kennwort|pwd",
        r"(?i:passwor[dt]s?|passwd|secret(?:[_ ]access)?[_ ]?(?:key)?|token|(?<=api)key|(?<=api.)key"
        r"|kennwort|pwd|(?<!\w)pass)[\"' *`]{0,40}"
        r"(?=[,;|│\t]|\r?\n)",
        spans=checks.column,
    ),
)

_COMMANDS = (
    _rule(
        "password",
        " -p| -w| -a| -x| -k| -y| -n|/p:",
        rf"(?: -(?:pw|[pPwaAXykN])|/p:)[ =]?{_ARGUMENT}",
        checks.is_option,
    ),
    _rule(
        "password",
        " -u| -a| --user| --proxy-user| --auth",
        r" --?[\w-]{1,10}[ =]?[\"']?[^\s:%,\"']{1,100}[:%,](?P<secret>[^\s\"'$][^\s\"']{2,200})",
        checks.is_login_option,
    ),
    _rule(
        "password",
        "net use|_user |_password |htpasswd |alias set |wandb login|authtoken |identified |community |secret set |<<<"
        "|set password|/rp |wpa_passphrase |http-basic.",
        r"(?:net user \S{1,40} |net use (?:\S{1,60} ){1,2}"
        r"|(?:(?<=add)|(?<=nge)|(?<=set))_(?:user|password) (?!=)\S{1,60} "
        r"|htpasswd -\w*b\w* (?:\S{1,80} ){1,2}"
        r"|alias set \S{1,40} \S{1,100} \S{1,60} |wandb login (?:--relogin )?|authtoken "
        r"|IDENTIFIED (?:WITH \S{1,40} )?BY |(?i:identified (?:with \S{1,40} )?by )(?=[\"'])"
        r"|community (?=\S{6,40} R[OW])"
        r"|secret set (?:\S{1,60} |--?\w{1,20}[ =]\S{1,60} ){1,3}?(?:--body|-b|--value)[ =]"
        r"|/rp |wpa_passphrase \S{1,40} |http-basic\.\S{1,60} \S{1,60} "
        r"|(?i:set password(?: for \S{1,80})?) ?= ?(?i:(?:old_)?password\()?(?=[\"'])"
        r"|<<< ?(?=[\"']?[^\s\"',()]{6}))"
        rf"{_ARGUMENT}",
        checks.is_given,
    ),
    Rule(
        "password",
        ("|",),
        r" ?\| ?[^\n|]{0,60}?(?:chpasswd|sudo -S|--password-stdin|stdin|passwd|kinit|--with-token)(?!\w)",
        spans=checks.piped,
    ),
    _scan(
        "password",
        "send",
        r"(?i:p?assword|passphrase|kennwort|passwort):?[ ?*]{0,4}[\"'][^\n]{0,20}\s{1,20}"
        r"(?:\w{1,20}\.)?(?:send|exp_send|sendline)(?: --)?"
        r" ?\(?\"(?P<secret>[^\s\"\\]{4,100})",
        checks.is_given,
    ),
    _rule(
        "password",
        "credential(|credentials(|basicauth(|.login(|auth=(|.auth(|password(|connect(|getconnection(|_auth(|plainauth("
        "|authenticate(|createhmac(|hmac.new(|pdo(|signin(|jwt.sign(|jwt.encode(|jwt.decode(|jwt.verify(|.fill(|sendkeys("
        "|.type(|.basic(|client(|session(|fernet(|bot(|api(|sdk(|mysqli("
        "|wifi.begin(|credential]::new(|creds = (|auth = (|credentials = ("
        "|superuser(|create_user(|createuser(|send_keys(",
        r"\.?[\w.\]:]{3,24}(?: = |=)?\((?P<secret>(?:[^()\n]|\([^()\n]{0,60}\)){6,300}+)",
        spans=checks.arguments,
    ),
    _rule(
        "password",
        "securestring ",
        r"(?i:securestring)(?: -String)? (?P<q>[\"'])(?P<secret>[^\"'\n]{4,200})",
        checks.is_given,
    ),
    _rule(
        "token",
        " -u| --user|auth |login |bundle_|bundle config|erlang.cookie|erlang_cookie|setcookie ",
        r"(?: (?:-u|--user)[ =]?[\"']?(?P<user>[\w.-]{16,300}):(?=[\"'\s]|$)"
        r"|(?P<login>auth|login)(?: (?:token|set|add|init))?(?: --?(?:t|k|[a-z-]{0,14}(?:token|key)))?"
        r" (?P<issued>[\w.=+/-]{20,400})(?=\s|$)"
        r"|(?:BUNDLE_[A-Z0-9_]{2,60}?__[A-Z0-9_]{2,60}[\"']?[=:] ?"
        r"|bundle config (?:set )?(?:--\w{1,10} )?[\w-]{1,60}\.[\w.-]{2,60} )"
        r"[\"']?(?P<gems>[^\s\"'$/]{6,200})"
        r"|(?i:erlang[._]cookie(?:[^\n]{0,60}\n|[\"']?[=:] ?[\"']?)|setcookie [\"']?)(?P<beam>[\w-]{8,64}))",
        spans=checks.issued,
    ),
    _scan(
        "password",
        "pgpass|:5432:|:*:",
        r"(?<![\w.*-])[\w.*-]{3,80}:(?:\d{3,5}|\*):[\w*-]{1,60}:[\w*.-]{1,60}:(?P<secret>[^\s:]{6,200})(?=\s|$)",
        checks.is_strong,
    ),
    _rule(
        "password",
        "--| -",
        rf" ?--?(?:[A-Za-z][\w.-]{{0,40}}?)?(?i:password|passwd|passphrase|pass|pwd|pw)(?:[ =]|[ ]{{2,4}}){_ARGUMENT}",
        checks.is_said,
    ),
    _rule(
        "token",
        "--| -",
        r"(?: -t| ?--?(?:[A-Za-z][\w.-]{0,40}?)?(?i:token|secret|key|authkey))(?:[ =]|[ ]{2,4})(?:\w{1,20}=)?"
        r"(?P<q>[\"'])?(?P<secret>(?(q)[^\"'\n]|[\w+/=.~-]){16,4000})",
        checks.is_random,
    ),
    Rule(
        "token",
        ("||", "??"),
        r"(?:\|\||\?\?) ?(?P<q>[\"'`])(?P<secret>[^\s\"'`]{8,400})(?P=q)",
        checks.is_fallback,
    ),
)

_NAMES = (
    _assigned("password", "pass|pwd|pw", _SPOKEN, checks.is_password),
    _assigned(
        "password",
        "kennwort|contrase|psk|senha|wachtwoord|пароль|密码|密碼|パスワード",
        "kennwort|contraseña|contrasena|psk|senha|wachtwoord|пароль|密码|密碼|パスワード",
        checks.is_password,
    ),
    _assigned("secret", "secret|salt|cred", r"secrets?|salt|credentials?|creds", checks.is_secret),
    _assigned("token", "token|auth|jwt|_pat|_bearer|-bearer|appid|session|webhook", _ISSUED, checks.is_secret),
    _assigned("key", "key", r"keys?(?:base|data)?", checks.is_key),
)

_PROSE = (
    _rule(
        "password",
        "pass|pwd|pw|kennwort|login|contrase|senha|clave|mdp|wachtwoord|пароль|密码|密碼|パスワード|hasło|parola",
        r"(?<![a-z])(?!PASS: )"
        r"(?i:passwor[dt]|passwd|passphrase|passcode|passe|pass(?= ?[:=]| is )|pwd|pw|kennwort|login"
        r"|contraseña|contrasena|senha|clave|mdp|wachtwoord|пароль|密码|密碼|パスワード|hasło|parola)"
        rf"(?![a-zA-Z_]){_GAP}{_VERB}{_SAID}",
        checks.is_said,
    ),
    _rule(
        "password",
        "pass|pwd|pw|kennwort",
        rf"(?<![\w-])(?i:passwor[dt]|passphrase|pwd|pw|kennwort)[^\S\n]{{1,3}}{_SAID}",
        checks.is_mixed,
    ),
    _rule(
        "password",
        "pass|pwd|pw?|token|key?|kennwort",
        r"(?<![a-z])(?!PASS: )(?i:pass(?![^\S\n]+(?:to|the|a|an|it|in|on|this|that|your)\b)"
        r"|passwor[dt]|passphrase|pwd|pw|kennwort|token|key)"
        r"(?:\?[\"'”]?(?:[ \u2013\u2014>-]{1,8}|\s{1,4}\w{1,20}[:>] |\s{1,4}(?=[\"'`“]))"
        r"[\"'`“]?(?P<secret>[^\s\"'`“”]{6,200}(?<![,;.:)\]}*?]))"
        rf"|{_GAP}{_VERB}(?P<q>[\"'`“„])(?P<phrase>[^\"'`“”\n]{{8,80}})[\"'`“”])",
        spans=checks.reply,
    ),
    _rule(
        "credentials",
        "cred|login|log in|zugangsdaten|user/pass|wlan|wifi|wi-fi",
        r"(?i:credentials?|creds|login|log in|zugangsdaten|user/pass|wlan|wi-?fi)"
        r"[^\n]{0,40}?(?:[:=]\s{0,3}|[^\S\n]{1,3})[\"'`]?"
        r"[\w.@+-]{2,40}\s?[:/]\s?(?P<secret>[^\s\"'`/:]{6,100}(?<![,;.)\]]))",
        checks.is_mixed,
    ),
    _rule(
        "token",
        "token|secret|key|code|schl|密钥|密鑰|令牌",
        rf"(?<![a-z_])(?i:token|secret|(?<!-)key|code|schlüssel|密钥|密鑰|令牌)(?![a-zA-Z_])(?:{_GAP}{_VERB}|[^\S\n]{{1,3}}){_SAID}",
        checks.is_told,
    ),
    _rule(
        "token",
        " as | is the | ist das | als ",
        r" (?:as|is|ist|als) (?:(?:the|my|our|das|der|a|new) )?(?:[\w-]{1,20} ){0,3}?"
        r"(?i:password|passwort|token|secret|key|kennwort|passphrase)",
        spans=checks.value_before,
    ),
    _rule(
        "token",
        "pass|token|secret|key|kennwort",
        r"(?i:passwor[dt]|token|secret|key|kennwort|pass show)(?![a-z])[^\n]{0,120}\n{1,2}[ \t>]{0,20}"
        r"(?P<secret>[^\s\"'`:]{8,400})(?=[ \t]*(?:\n|$))",
        checks.is_next_line,
    ),
    _rule(
        "pin",
        "pin",
        rf"(?<![A-Za-z])(?:(?i:pin)(?:-?code)?(?![a-zA-Z_]){_GAP}{_VERB}|PIN(?:-Code)? )[\"'`*]{{0,2}}"
        r"(?<=[^\w-])(?P<secret>\d{4,8})(?![\d.])",
        checks.is_pin,
    ),
)

RULES: tuple[Rule, ...] = (*_STRUCTURES, *_COMMANDS, *_NAMES, *_PROSE)
