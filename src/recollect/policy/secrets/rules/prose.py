"""Rules for credentials that somebody tells in a sentence, in a dialogue or on the next line."""

from recollect.policy.secrets.rules import checks, spans
from recollect.policy.secrets.rules.rule import Rule

# The word that is told: in quotes, or with a digit or a symbol among its first characters.
_TOLD_WORD = r"""
    [(]?[*_]{0,2} (?P<q>[\"'`“„«「『]|\*\*)?
    (?P<secret>
        (?=\S{0,60}[\d!\#$%&*+=?@^~]|(?<=[\"'`“„«「『]))
        (?:(?![;&,|][ \t]?[\w.-]{1,40}[=:]|\\[nrt])[^\s\"'`“”»\u3001\u3002\uff0c\uff1b」』]){4,200}
        (?<![,;.:)\]}*])
    )"""
# What leads to the value: "is", "lautet", "set to", a colon, an arrow.
_VERB = r"""
    (?: (?i:is|are|was|ist|lautet|lauten|war|to|auf|est|es|è|é|är|jest|becomes|remains|wird|changed[ ]from)(?=\W)
        [^\S\n]{0,3}
        (?:(?i:now|currently|still|jetzt|nun|aktuell|set[ ]to|this|the[ ]following|as[ ]follows)[^\S\n]{0,3})?
        [:=]?
      | [:=] | -> | [→➜➡\u2014是为は\uff1a]
    )
    [^\S\n]{0,3}"""
# Up to nine words between the name and the verb: "the password [for the staging database] is".
_GAP = r"(?:[^\S\n]{1,3}[\w'\u2019/@.()\[\]&`-]{1,40}){0,9}?[^\S\n]{0,3}"
_TOLD_TRIGGERS = (
    "pass", "pwd", "pw", "kennwort", "login", "contrase", "senha", "clave", "mdp", "wachtwoord", "пароль",
    "密码", "密碼", "パスワード", "hasło", "parola",
)  # fmt: skip

PROSE = (
    Rule(
        id="told-password",
        name="password",
        finds="the password of a sentence such as `the root password is X`",
        reason="Somebody says that it is a password, so words joined by hyphens count too.",
        triggers=_TOLD_TRIGGERS,
        pattern=rf"""
            (?<![a-z])(?!PASS:[ ])                # `PASS: TestX` is a test's verdict
            (?i: passwor[dt]|passwd|passphrase|passcode|passe|pass(?=[ ]?[:=]|[ ]is[ ])|pwd|pw|kennwort|login
               | contraseña|contrasena|senha|clave|mdp|wachtwoord|пароль|密码|密碼|パスワード|hasło|parola
            )
            (?![a-zA-Z_]) {_GAP} {_VERB} {_TOLD_WORD}""",
        check=checks.is_said,
        example="the root password of staging is «Blumenkohl9».",
        counter_example="The password must be at least 12 characters long.",
    ),
    Rule(
        id="password-then-value",
        name="password",
        finds="the word right behind `password`: `login mira password X`",
        reason="No verb says that it is one, hence a value that looks like a credential by itself.",
        triggers=("pass", "pwd", "pw", "kennwort"),
        pattern=rf"(?<![\w-])(?i:passwor[dt]|passphrase|pwd|pw|kennwort)[^\S\n]{{1,3}}{_TOLD_WORD}",
        check=checks.is_mixed,
        example="machine git.northlane.io login mira password «Amsel_ruf7!»",
        counter_example="password rotation happens every 90 days",
    ),
    Rule(
        id="reply-or-passphrase",
        name="password",
        finds="the answer to `the password?`, and a quoted passphrase of several words",
        reason="Chats quote both question and answer.",
        triggers=("pass", "pwd", "pw?", "token", "key?", "kennwort"),
        pattern=rf"""
            (?<![a-z])(?!PASS:[ ])
            (?i: pass(?![^\S\n]+(?:to|the|a|an|it|in|on|this|that|your)\b)
               | passwor[dt] | passphrase | pwd | pw | kennwort | token | key
            )
            (?: \?[\"'”]?(?:[ \u2013\u2014>-]{{1,8}}|\s{{1,4}}\w{{1,20}}[:>][ ]|\s{{1,4}}(?=[\"'`“]))
                [\"'`“]?(?P<secret>[^\s\"'`“”]{{6,200}}(?<![,;.:)\]}}*?]))
              | {_GAP} {_VERB} (?P<q>[\"'`“„])(?P<phrase>[^\"'`“”\n]{{8,80}})[\"'`“”]
            )""",
        spans=spans.reply_or_phrase,
        example='hey what\'s the prod redis pass?" - "«Hortensie$12»"',
        counter_example='the password is "the one of last week"',
    ),
    Rule(
        id="told-login",
        name="credentials",
        finds="the password of a pair behind `credentials`, `login` or `wifi`: `admin / X`",
        reason="A pair joined by a slash or a colon may be anything, hence a value that looks like a credential.",
        triggers=("cred", "login", "log in", "zugangsdaten", "user/pass", "wlan", "wifi", "wi-fi"),
        pattern=r"""
            (?i:credentials?|creds|login|log[ ]in|zugangsdaten|user/pass|wlan|wi-?fi)
            [^\n]{0,40}?(?:[:=]\s{0,3}|[^\S\n]{1,3})[\"'`]?
            [\w.@+-]{2,40}\s?[:/]\s? (?P<secret>[^\s\"'`/:]{6,100}(?<![,;.)\]]))""",
        check=checks.is_mixed,
        example="credentials for the vpn -> builder / «Primel-Wiese-3»",
        counter_example="interface Credentials { username: string; password: string }",
    ),
    Rule(
        id="told-token",
        name="token",
        finds="the token of a sentence such as `the deploy token is X`",
        reason="`key` and `code` have many meanings, hence only random values, and no hash, id or version.",
        triggers=("token", "secret", "key", "code", "schl", "密钥", "密鑰", "令牌"),
        pattern=rf"""
            (?<![a-z_])(?i:token|secret|(?<!-)key|code|schlüssel|密钥|密鑰|令牌)(?![a-zA-Z_])
            (?:{_GAP} {_VERB}|[^\S\n]{{1,3}}) {_TOLD_WORD}""",
        check=checks.is_told_token,
        example="the deploy token for staging is «wBLrxtWKjP0Yn91CKJNVPevfb449»",
        counter_example="the key fingerprint is 9f86d081884c7d659a2feaa0c55ad015",
    ),
    Rule(
        id="value-before-name",
        name="token",
        finds="the value of `use X as the password` and `X is the key`",
        reason="The value stands before its name.",
        triggers=(" as ", " is the ", " ist das ", " als "),
        pattern=r"""
            [ ](?:as|is|ist|als)[ ](?:(?:the|my|our|das|der|a|new)[ ])?(?:[\w-]{1,20}[ ]){0,3}?
            (?i:password|passwort|token|secret|key|kennwort|passphrase)""",
        spans=spans.value_before_name,
        example="I tried «df1a34d7d1cc4e888e122793252031bf» as the mailchimp api key",
        counter_example="What is the difference between a secret key and a public key?",
    ),
    Rule(
        id="value-on-next-line",
        name="token",
        finds="a value on the line below a heading, a prompt or a command that prints secrets",
        reason="`cat ~/.vault-token` prints a token without its name.",
        triggers=("pass", "token", "secret", "key", "kennwort"),
        pattern=r"""
            (?i:passwor[dt]|token|secret|key|kennwort|pass[ ]show)(?![a-z])[^\n]{0,120}\n{1,2}[ \t>]{0,20}
            (?P<secret>[^\s\"'`:]{8,400}) (?=[ \t]*(?:\n|$))""",
        check=checks.is_next_line,
        example="$ cat ~/.service-token\n«q7Zx2Lm9Kd4Rv8Tn3Wc6»",
        counter_example="We rotate the token\nq7Zx2Lm9Kd4Rv8Tn3Wc6",
    ),
    Rule(
        id="pin",
        name="pin",
        finds="four to eight digits behind `PIN`",
        reason="Only the name tells them; years and runs such as 1234 are examples.",
        triggers=("pin",),
        pattern=rf"""
            (?<![A-Za-z])(?:(?i:pin)(?:-?code)?(?![a-zA-Z_]){_GAP}{_VERB}|PIN(?:-Code)?[ ])[\"'`*]{{0,2}}
            (?<=[^\w-])(?P<secret>\d{{4,8}})(?![\d.])""",
        check=checks.is_pin,
        example="the alarm PIN for the lab is «830517»",
        counter_example="PIN: 1234",
    ),
)
