"""Rules for logins in addresses, headers and cookies, for codes and phrases, and for columns of tables."""

from recollect.policy.secrets.rules import checks, spans
from recollect.policy.secrets.rules.rule import Rule

# 12 to 24 short words, perhaps numbered.
_DOZEN_WORDS = r"[a-z]{3,8}(?:[ ,\n]{1,3}(?:\d{1,2}[.)][ ]?)?[a-z]{3,8}){11,23}"

LOGINS = (
    Rule(
        id="url-password",
        name="url-password",
        finds="the password of `scheme://user:password@host`, and of Oracle's `user/password@host`",
        reason="Its place tells it: even a plain word is a password there, unless it is the user's name or a variable.",
        triggers=("://", "thin:", "sqlplus "),
        pattern=r"""
            (?: :// | (?P<ora>thin:|[a-z]{5,7}[ ](?:-\w{1,3}[ ]){0,3}) )
            (?P<user>[^\s:/@\"'`<>?#]{0,100})
            (?(ora)/|:)
            (?P<secret>[^\s/\"'`<>]{1,300}) @(?=[\w\[$/])""",
        check=checks.is_url_password,
        example="postgres://app:«Blumenkohl9»@db:5432/shop",
        counter_example="postgres://postgres:postgres@localhost/postgres",
    ),
    Rule(
        id="url-token",
        name="url-token",
        finds="a token in the place of the user: `https://token@host`",
        reason="git keeps tokens in its remotes; the key of a Sentry address is public.",
        triggers=("://",),
        pattern=r"://(?P<secret>[\w.~-]{20,255})(?::(?:x-oauth-basic)?)?@(?P<host>[\w.-]{1,100})",
        check=checks.is_url_token,
        is_in_long_run=True,
        example="git clone https://«q7Zx2Lm9Kd4Rv8Tn3Wc6Hb5Yj»@github.com/a/b",
        counter_example="https://q7zx2lm9kd4rv8tn3wc6hb5yj@o11.ingest.sentry.io/42",
    ),
    Rule(
        id="basic-login",
        name="authorization",
        finds="user and password in Base64 behind `Basic`",
        reason="`Basic` is also an English word, hence letters of both cases.",
        triggers=("basic",),
        pattern=r"(?<![\w-])(?i:basic)\s{1,3}(?P<secret>[A-Za-z0-9+/]{8,400}={0,2})(?![\w+/])",
        check=checks.is_base64,
        example="Proxy: Basic «c3ZjLWRlcGxveTpLdjchbVB6cTJMZA==»",
        counter_example="Basic authentication is disabled on this endpoint.",
    ),
    Rule(
        id="bearer-token",
        name="authorization",
        finds="a token behind `Bearer`, `Token` or `ApiKey`",
        reason="These are also words of prose, hence a value that looks like a credential.",
        triggers=("bearer", "token ", "apikey "),
        pattern=r"""
            (?<![\w-])(?i:bearer|token|apikey)\s{1,3} (?:token=)?[\"']?
            (?P<secret>[\w.~+/=:-]{16,4000})""",
        check=checks.is_mixed,
        example="use token «wBLrxtWKjP0Yn91CKJNVPevfb449» for now",
        counter_example="Authorization: Bearer YOUR_ACCESS_TOKEN",
    ),
    Rule(
        id="authorization-header",
        name="authorization",
        finds="the value of an `Authorization` header or setting, whatever its scheme",
        reason="Schemes differ between services; the header's name is enough.",
        triggers=("authorization",),
        pattern=r"""
            (?i:authorization)[\"'\]\\]{0,4}\s{0,3}[:=,]\s{0,3}
            [\[({]?\\{0,3}[\"'`]?
            (?:[\w-]{2,20}[ ](?:\w{2,12}=)?)?[\"']?     # the scheme: `Token token=`
            (?P<secret>[^\s\"'`,;\]})\\]{8,4000})""",
        check=checks.is_mixed,
        example='Authorization: Hawk "«F1pWDePZsd8eJeiJq7lQwddUA6os4M3N»"',
        counter_example="Authorization: Bearer <YOUR_TOKEN>",
    ),
    Rule(
        id="protocol-login",
        name="authorization",
        finds="the password of AUTH, LOGIN or PASS in the protocols of Redis, IMAP and FTP",
        reason="Traces of programs show what was sent; in capitals alone, because they are also words.",
        triggers=("auth", "login ", "pass "),
        pattern=r"""
            (?: AUTH(?:(?:\\r\\n|\s)\$\d{1,3}(?:\\r\\n|\s)|[ ](?:PLAIN[ ]|LOGIN[ ])?)
              | LOGIN[ ]\S{1,60}[ ]
              | PASS[ ]
            )
            \"?(?P<secret>[^\s\"\\]{6,200})""",
        check=checks.is_mixed,
        example="a1 LOGIN mira «Quitte!Gelee7»",
        counter_example="PASS src/auth/token.test.ts (5.21 s)",
    ),
    Rule(
        id="cookie-header",
        name="session-cookie",
        finds="the session cookies of a `Cookie` header or call",
        reason="Language, consent and tracking cookies stay.",
        triggers=("cookie",),
        pattern=r"(?i:cookies?)[\"'\])]{0,3}\s{0,3}[:=(]\s{0,3}(?P<secret>[^\n]{8,8000})",
        spans=spans.session_cookies,
        example="Cookie: PHPSESSID=«di0crde7e1ul3d62bp1rt2j8ql»; consent=1",
        counter_example="Cookie: lang=de; consent=accepted; sidebar=collapsed",
    ),
    Rule(
        id="cookie-file",
        name="session-cookie",
        finds="a value of a cookie file in Netscape's format",
        reason="`curl -c` writes such files.",
        triggers=("\ttrue\t", "\tfalse\t"),
        pattern=r"\t(?:TRUE|FALSE)\t\d{1,12}\t[\w.-]{2,60}\t(?P<secret>\S{16,4096})",
        check=checks.is_random,
        example=".gitlab.acme.dev\tTRUE\t/\tTRUE\t0\t_gitlab_session\t«d7acd40320dbba8d4a11bcce04d8c005061cd496»",
    ),
    Rule(
        id="session-id",
        name="session-cookie",
        finds="the value of a well-known session cookie anywhere",
        reason="A UUID behind `sessionId` only counts the sessions of a program, such as a coding agent.",
        triggers=("sessid", "sessionid", "session_id=", "connect.sid", "_session="),
        pattern=r"""
            (?i:sessid|sessionid|session_id|connect\.sid|_session)[\"']?[=:]\s?[\"']?
            (?P<secret>[\w%.+/-]{16,2000})""",
        check=checks.is_session_value,
        example="curl -b 'JSESSIONID=«95657DFD4FAC89E0F776881B848602AA»' https://x.dev",
        counter_example='{"sessionId":"f81660ad-488e-4b8b-ab21-42a7c0f08c9b"}',
    ),
    Rule(
        id="otp-seed",
        name="otp-seed",
        finds="the seed of one-time passwords, whole or in groups of four",
        reason="The alphabet is that of words in capitals, hence a digit and a word such as `otp` before it.",
        triggers=("otp", "2fa", "authenticator"),
        pattern=r"""
            (?i:otp|(?<![0-9a-f])2fa|authenticator)[^\n]{0,80}?
            (?<![A-Za-z0-9]) (?P<secret>[A-Z2-7]{16,64}|(?:[A-Z2-7]{4}[ ]){3,15}[A-Z2-7]{4}) (?![A-Za-z0-9])""",
        check=checks.is_otp_seed,
        example="my OTP seed is «7KBH5MSII32U3QYQ»",
        counter_example="the OTP setting is called AUTHENTICATORSECRET",
    ),
    Rule(
        id="recovery-codes",
        name="recovery-code",
        finds="recovery codes, in the same line or in a list below",
        reason="The codes have no form of their own; the words before `code` tell them.",
        triggers=("code",),
        pattern=r"""
            (?: (?<=[rR]ecovery.) | (?<=[bB]ackup.) | (?<=[sS]cratch.) | (?<=rstellungs) ) codes?\b
            (?P<secret>[^\n]{0,120}(?:\n[ \t]*[-*\d.)]{0,4}[ \t]*[\w -]{8,60}){0,20})""",
        spans=spans.recovery_codes,
        example="log in with the recovery code «djvep-dwv5i» and then renew them",
        counter_example="print the recovery codes and keep them",
    ),
    Rule(
        id="recovery-phrase",
        name="recovery-phrase",
        finds="12 to 24 words behind `mnemonic`, `seed` or `phrase`",
        reason="A sentence may have as many words, but it has articles and prepositions.",
        triggers=("mnemonic", "seed", "phrase"),
        pattern=rf"""
            (?i:mnemonic|seed(?:[ ]?phrase)?|phrase)[^\n]{{0,60}}?
            (?:[\"'`:=]|\bis|\n)\s{{0,3}}[\"'`]?(?:1[.)][ ]?)?
            (?P<secret>{_DOZEN_WORDS})""",
        check=checks.is_mnemonic,
        example='MNEMONIC="«orbit canyon velvet shield hungry mango pistol tribe gallery wrestle silent ozone»"',
        counter_example="seed: words for the test are taken from the list and sorted before they are used here",
    ),
    Rule(
        id="table-column",
        name="credentials",
        finds="the cells below a heading such as `password` in CSV and Markdown tables",
        reason="The heading stands far from the values.",
        triggers=("pass", "secret", "token", "key", "kennwort", "pwd"),
        pattern=r"""
            (?i: passwor[dt]s? | passwd | secret(?:[_ ]access)?[_ ]?(?:key)? | token | (?<=api)key | (?<=api.)key
               | kennwort | pwd | (?<!\w)pass
            )
            [\"' *`]{0,40} (?=[,;|│\t]|\r?\n)""",
        spans=spans.column_cells,
        example="| host | user | password |\n|---|---|---|\n| nas | admin | «Lindenblatt66» |",
        counter_example="| host | user | password |\n|---|---|---|\n| nas | admin | required |",
    ),
)
