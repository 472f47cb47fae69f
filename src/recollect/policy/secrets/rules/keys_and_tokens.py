"""Rules for private keys and for tokens that their form tells."""

from recollect.policy.secrets.rules import checks, spans
from recollect.policy.secrets.rules.rule import Rule

# A line of a key's body, whatever stands before it: quotes, a diff's sign, the number of a line.
_KEY_LINE = r"""
    (?: \\[nr] | [\s\"'+>|,;:\\#*-] | \d{1,4}[:|\t ] ){1,40}+
    (?: [A-Za-z-]{3,20}:[ ][^\n\\]{0,120}     # Proc-Type: 4,ENCRYPTED
      | [A-Za-z0-9+/=]{1,200}                 # the body
    )"""
_PEM = rf"""
    -{{4,5}}[ ]?BEGIN[ ][\w ]{{0,30}}(?:PRIVATE[ ]KEY|Static[ ]key)[\w ]{{0,10}}[ ]?-{{4,5}}
    (?: (?:(?!-----BEGIN|-----END)[\s\S]){{0,20000}}+ -{{4,5}}[ ]?END[ ][\w ]{{0,40}}-{{0,5}}
      | (?:{_KEY_LINE}){{1,400}}+             # the end is missing
    )"""
_WEBHOOK_TRIGGERS = (
    "/webhookb2/", "office.com/webhook/", "/v2/hook/", ".make.com/", "hooks.slack.com/", "/webhooks/",
    "/hooks/", "/incomingwebhook/", "/with/key/", "infura.io/", "alchemy.com/",
)  # fmt: skip

KEYS_AND_TOKENS = (
    Rule(
        id="pem-block",
        name="private-key",
        finds="a PEM block with a private key, whole or without its end",
        reason="A tool's output may be cut off; each line of the body is secret.",
        triggers=("-----begin", "---- begin"),
        pattern=_PEM,
        check=checks.is_private_key,
        example="cat k.pem\n«-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIEMPEXwT+qhqAYjE7+OkSu8K226kaA\n"
        "-----END PRIVATE KEY-----»",
        counter_example="-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    ),
    Rule(
        id="pem-block-end",
        name="private-key",
        finds="the last lines of a private key whose beginning is missing",
        reason="`tail` and cut outputs show only the end.",
        triggers=("-----end",),
        pattern=r"-----END[ ][\w ]{0,30}PRIVATE[ ]KEY[\w ]{0,10}-{0,5}",
        spans=spans.key_lines_above,
        example="tail k.pem\n«MC4CAQAwBQYDK2VwBCIEIEMPEXwT+qhqAYjE7+OkSu8K226kaA\n-----END PRIVATE KEY-----»",
        counter_example="The block ends with\n-----END PRIVATE KEY-----",
    ),
    Rule(
        id="putty-key",
        name="private-key",
        finds="the private lines of a PuTTY key file",
        reason="The file has no BEGIN line.",
        triggers=("private-lines:",),
        pattern=r"(?i:private-lines):[ ]?\d{1,3}(?P<secret>(?:\s{1,3}[A-Za-z0-9+/=]{20,80}){1,200})",
        example="Private-Lines: 1«\nJKXTM97xEBhY3v+gAd5sqT/WaV79Bc95nwwTvvnn2jnMwcK=»\nPrivate-MAC: b09b3881",
    ),
    Rule(
        id="bitcoin-key",
        name="private-key",
        finds="a Bitcoin private key in wallet import format, up to 200 characters behind the command or name",
        reason="The form (51 or 52 characters of Base58) is also that of other identifiers, hence the name.",
        triggers=("privkey", "wif"),
        pattern=r"""
            [\s\S]{0,200}?
            (?<![A-Za-z0-9]) (?P<secret>[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}) (?![A-Za-z0-9])""",
        check=checks.is_random,
        example="bitcoin-cli dumpprivkey bc1qw8n2tx\n«Lr9qFYzDJTc79NySwcjaZx9wDHbw55quzaNAei9rBvHDen5xQs4C»",
    ),
    Rule(
        id="wireguard-key",
        name="private-key",
        finds="the output of `wg genkey` on the line below the command",
        reason="32 bytes in Base64 are told from a hash by the command alone.",
        triggers=("genkey", "privatekey"),
        pattern=r"[^\n]{0,120}\n(?P<secret>[A-Za-z0-9+/]{42,43}={1,2})(?=\s|$)",
        check=checks.is_random,
        example="wg genkey | tee privatekey\n«tK0ufOnIzi2fAC+UiNlr8Pqq1AD4WOdTLBQ93XdEQns=»",
    ),
    Rule(
        id="json-web-key",
        name="private-key",
        finds="the private members (d, p, q, …) of a JSON web key",
        reason="The public members x, y, n and e stay readable.",
        triggers=("kty",),
        pattern=r"kty(?=\\{0,3}[\"'])",
        spans=spans.private_members,
        example='{"kty":"EC","x":"QZZBgqU0qcmpuiArCuiVU4WxHrs","d":"«7rEs_Vcs_HxXvvw3fgzy5ZwAXcAg4MvW»"}',
        counter_example='{"kty":"EC","crv":"P-256","x":"QZZBgqU0qcmpuiArCuiVU4WxHrs","y":"3aTWNRwKMaaFwmQ1xLjRKgf"}',
    ),
    Rule(
        id="base64-object",
        name="credentials",
        finds="a JSON object in Base64 that has a secret among its members",
        reason="Tunnels and registries hand out such objects as one token.",
        triggers=("eyj",),
        pattern=r"(?<![\w.+/,-])eyJ[A-Za-z0-9_+/-]{40,8000}={0,2}(?![\w.+/])",
        check=checks.is_encoded_object,
        is_in_long_run=True,
        # In Base64: an object with the members `a` (an account) and `s` (a secret).
        example="service install «eyJhIjoiMTE1ZTFkN2E0MjBkNTdkMDcxMTZiMjNlIiwicyI6IlY5aUxLQTFOUnVNZ3Rqe"
        "nFhVzJ6bEdjdyJ9»",
        # In Base64: an object with the members `name` and `colour`.
        counter_example="state eyJuYW1lIjoibm9ydGggbGFuZSIsImNvbG91ciI6ImdyZWVuIGFuZCBibHVlIn0=",
    ),
    Rule(
        id="azure-key-list",
        name="azure-key",
        finds="the value of a named key in the lists that Azure prints",
        reason='The member is called "value", which alone says nothing.',
        triggers=("keyname",),
        pattern=r"""
            (?i:keyname)\\{0,3}[\"']?[:=] [^{}]{0,200}?
            (?i:value)\\{0,3}[\"']?[:=][ ]?\\{0,3}[\"'] (?P<secret>[A-Za-z0-9+/]{40,120}={0,2})""",
        check=checks.is_random,
        example='{"keyName": "key1", "value": "«gRD/PHMCYOtDkYuNIFYI1UqQ2olB/S1nJzRorjvYVwCoIKBWLfAvZA»"}',
    ),
    Rule(
        id="webhook-address",
        name="webhook",
        finds="the secret part of the address of a webhook or a node",
        reason="Whoever has the address may post; the path alone tells it.",
        triggers=_WEBHOOK_TRIGGERS,
        pattern=r"""
            (?: (?:/webhookb2|office\.com/webhook)/(?=[0-9a-f-]{36}@)             # Teams
              | /v2/hook/ | \.make\.com/                                          # Make
              | hooks\.slack\.com/(?:services|workflows|triggers)/[\w/]{6,60}/    # Slack
              | /webhooks/\d{15,22}/                                              # Discord
              | /hooks/catch/\d{3,12}/                                            # Zapier
              | /IncomingWebhook/ | /hooks/(?:\w{17,24}/)? | /with/key/           # Teams, Mattermost, IFTTT
              | [a-z.]{6,20}/(?:ws/)?(?:v[23]/)?                                  # Infura, Alchemy
            )
            (?P<secret>[\w/@-]{16,300})""",
        check=checks.is_random,
        is_in_long_run=True,
        example="https://hooks.zapier.com/hooks/catch/81420/«b7Qz2Lm9Kd4Rv8Tn3Wc6» for orders",
        counter_example="https://hooks.zapier.com/hooks/catch/81420/orders-of-the-northern-shop",
    ),
    Rule(
        id="discord-bot",
        name="discord-token",
        finds="the token of a Discord bot: user, time and signature, joined by dots",
        reason="Three runs joined by dots are also a module's name, hence a word such as `bot` in the text.",
        triggers=("bot", "discord", "token", "client.", "login"),
        pattern=r"(?<![\w.-])[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,45}(?![\w.-])",
        check=checks.is_provider_token,
        is_in_long_run=True,
        is_searched=True,
        example='bot.run("«Mjg1NTc1NzMyMzU2ODU0NjUz.GtpBHY.0LAXIiqDx_VcbRnMcoDIQlQceC-smEcFUPvt5J»")',
    ),
    Rule(
        id="telegram-bot",
        name="telegram-token",
        finds="the token of a Telegram bot: its number, a colon and 35 characters that begin with AA",
        reason="The form occurs nowhere else.",
        triggers=(":aa",),
        pattern=r"(?<![\d.:])\d{8,10}:AA[\w-]{32,35}(?![\w-])",
        check=checks.is_provider_token,
        is_in_long_run=True,
        is_searched=True,
        example="TG=«9973756646:AAHCkbmkhuthwTFd0xH9UasZnWApw-kBqxb»;curl -s https://x.dev",
    ),
    Rule(
        id="json-web-token",
        name="jwt",
        finds="a JSON web token, signed (three parts) or encrypted (five)",
        reason="Its first part is always an object in Base64: `eyJ`.",
        triggers=("eyj",),
        pattern=r"""
            (?<![A-Za-z0-9+/]) eyJ[\w-]{10,4000} \.[\w-]{4,4000} \.[\w-]{10,2000} (?:\.[\w-]{5,4000}){0,2}""",
        check=checks.is_provider_token,
        is_in_long_run=True,
        example='setItem("auth", "«eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyX2lkIjozMTF9.4J-uCptOX8e573HoUyvSnX1KZYev56»")',
    ),
    Rule(
        id="azure-client-secret",
        name="azure-key",
        finds="a client secret of Azure: three characters, a digit, `Q~` and about 34 more",
        reason="`Q~` at the fifth place occurs nowhere else.",
        triggers=("q~",),
        pattern=r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~])",
        check=checks.is_provider_token,
        is_in_long_run=True,
        is_searched=True,
        example='ClientSecretCredential(tenant, client, "«cep8Q~dsuXdNO3QspSQJr7iXMjkeaZ~Sr3eZjdpp»");',
    ),
    Rule(
        id="azure-account-key",
        name="azure-key",
        finds="64 bytes in Base64 in a text about Azure",
        reason="The form is that of any hash of 64 bytes, hence the words.",
        triggers=("az ", "azure", "windows.net", "account key"),
        pattern=r"(?<![\w+/=-])[A-Za-z0-9+/]{86}==",
        check=checks.is_provider_token,
        is_searched=True,
        example="az storage blob list --account-key '«aougg3qfo8tZWOPYa1GOiJbAFePG2S5e5+uJUzvTK5xEAKwqP4F8vnFMZC"
        "DMLjFFoyz/Ll+kEofj6PkHXga5QA==»'",
        counter_example="integrity: sha512-aougg3qfo8tZWOPYa1GOiJbAFePG2S5e5+uJUzvTK5xEAKwqP4F8vnFMZC"
        "DMLjFFoyz/Ll+kEofj6PkHXga5QA==",
    ),
    Rule(
        id="signed-url",
        name="signed-url",
        finds="the signature or the function key in the query of an address",
        reason="Whoever has the address has access.",
        triggers=("sig=", "signature=", "code="),
        pattern=r"""
            (?: (?<=[?&]) | (?<=[?&]X-Amz-) | (?<=[?&]X-Goog-) )
            (?i:sig|signature|code)= (?P<secret>[\w%+/~.-]{24,700}={0,2})""",
        check=checks.is_random,
        is_in_long_run=True,
        example="https://x.blob.core.windows.net/4471.mp4?sp=cw&sig=«l%2BL1kIcPHbFTyAM4nuN2IePr6ch%2BpYfAMCWPBVq3»",
        counter_example="https://x.dev/?code=the-colour-of-the-house-is-green",
    ),
    Rule(
        id="mailchimp-mailgun",
        name="mail-key",
        finds="a key of Mailchimp (`…-us12`) or Mailgun (`…-a695171e-33f92f4e`)",
        reason="32 hexadecimal digits alone are a hash; the suffix tells the key.",
        triggers=("-us", "mailgun"),
        pattern=r"(?<![\w-])[0-9a-f]{32}-(?:us\d{1,2}|[0-9a-f]{8}-[0-9a-f]{8})(?![\w-])",
        check=checks.is_provider_token,
        is_searched=True,
        example='mailchimp.setConfig({ key: "«654afc66f5857d2c9f859b6af49e7318-us12»" })',
    ),
    Rule(
        id="terraform-cloud",
        name="cloud-token",
        finds="a token of Terraform Cloud, with `.atlasv1.` in its middle",
        reason="The middle occurs nowhere else.",
        triggers=(".atlasv1.",),
        pattern=r"(?<![\w.])\w{10,20}\.atlasv1\.[\w-]{40,100}",
        check=checks.is_provider_token,
        is_in_long_run=True,
        is_searched=True,
        example='token = "«c3trdDWQCanKga.atlasv1.B3c0QNiRYUzYh1q5XBavknBl5pJnnxUsf4WEVfrVtz»"',
    ),
    Rule(
        id="vault-token",
        name="cloud-token",
        finds="a token of older versions of HashiCorp Vault: `s.` and 24 characters",
        reason="The form is also that of an attribute, hence a word in the text.",
        triggers=("vault", "token"),
        pattern=r"(?<![\w.])s\.[A-Za-z0-9]{24}(?![\w.])",
        check=checks.is_provider_token,
        is_searched=True,
        example='curl -H "X-Vault-Token: «s.Cm4IUlFdcqLuEz5OOQWSNhUa»" http://x.dev',
        counter_example="the token lies in s.abcdefghijklmnopqrstuvwx",
    ),
    Rule(
        id="twilio-call",
        name="cloud-token",
        finds="the second argument of Twilio's client, behind the account's number",
        reason="32 hexadecimal digits alone are a hash; the account before them tells the token.",
        triggers=("'ac", '"ac'),
        pattern=r"""[\"']AC[0-9a-f]{32}[\"'],\s{0,20} (?:\w{1,20}=)? [\"'](?P<secret>[0-9a-f]{32})""",
        check=checks.is_provider_token,
        example="client = Client('AC7e3cebb8d0434a65e0e6bdffe223fa36', '«a1fb30588e883bdeba2540731cdc5633»')",
    ),
    Rule(
        id="login-before-host",
        name="url-password",
        finds="the password of `user:password@host`, with or without a scheme",
        reason="Go's data sources and SMTP settings have no scheme.",
        triggers=("@",),
        pattern=r"@(?!sha256)(?=[\w-]{1,60}[.:][\w.-]{2}|(?:tcp|unix)\()",
        spans=spans.password_before_host,
        example="sql.Open('app:«Blumenkohl9»@tcp(db:3306)/shop')",
        counter_example="mysql://user:pass@host:3306/dbname",
    ),
    Rule(
        id="new-relic-licence",
        name="monitoring-key",
        finds="a licence key of New Relic, which ends with NRAL",
        reason="The ending tells it from a hash.",
        triggers=("nral",),
        pattern=r"(?<!\w)[0-9a-f]{32,40}(?:FFFF)?NRAL(?!\w)",
        check=checks.is_provider_token,
        is_in_long_run=True,
        is_searched=True,
        example='newrelic.license_key = "«2c15cc09d859949d8b5b23863b18483cc940NRAL»"',
    ),
)
