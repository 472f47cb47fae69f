"""Rules for credentials among the arguments of commands and of calls."""

from recollect.policy.secrets.rules import checks, spans
from recollect.policy.secrets.rules.rule import Rule

_ARGUMENT = r"""(?P<q>[\"'])?(?P<secret>(?(q)[^\"'\n]|[^\s\"'$;|&]){4,400})"""
_ARGUMENT_TRIGGERS = (
    "net use", "_user ", "_password ", "htpasswd ", "alias set ", "wandb login", "authtoken ", "identified ",
    "community ", "secret set ", "<<<", "set password", "/rp ", "wpa_passphrase ", "http-basic.",
)  # fmt: skip
_CALL_TRIGGERS = (
    "credential(", "credentials(", "basicauth(", ".login(", "auth=(", ".auth(", "password(", "connect(",
    "getconnection(", "_auth(", "plainauth(", "authenticate(", "createhmac(", "hmac.new(", "pdo(", "signin(",
    "jwt.sign(", "jwt.encode(", "jwt.decode(", "jwt.verify(", ".fill(", "sendkeys(", ".type(", ".basic(",
    "client(", "session(", "fernet(", "bot(", "api(", "sdk(", "mysqli(", "wifi.begin(", "credential]::new(",
    "creds = (", "auth = (", "credentials = (", "superuser(", "create_user(", "createuser(", "send_keys(",
)  # fmt: skip
_TOKEN_TRIGGERS = (
    " -u", " --user", "auth ", "login ", "bundle_", "bundle config", "erlang.cookie", "erlang_cookie",
    "setcookie ",
)  # fmt: skip

COMMANDS = (
    Rule(
        id="short-option",
        name="password",
        finds="the value of a short option of a command that takes a password there: `mysql -pX`",
        reason="`-p` means a port or a path elsewhere; the check reads the command on the same line.",
        triggers=(" -p", " -w", " -a", " -x", " -k", " -y", " -n", "/p:"),
        pattern=rf"(?:[ ]-(?:pw|[pPwaAXykN])|/p:)[ =]?{_ARGUMENT}",
        check=checks.is_password_option,
        example="mysql -uroot -p«Blumenkohl9» shop",
        counter_example="scp -P 2222 build.tar.gz deploy@web01.internal:/srv/releases/",
    ),
    Rule(
        id="login-option",
        name="password",
        finds="the password of `curl -u user:password` and `smbclient -U user%password`",
        reason="`-u` means something else in other commands; the check asks for a client of the network.",
        triggers=(" -u", " -a", " --user", " --proxy-user", " --auth"),
        pattern=r"""
            [ ]--?[\w-]{1,10}[ =]?[\"']?
            [^\s:%,\"']{1,100}[:%,](?P<secret>[^\s\"'$][^\s\"']{2,200})""",
        check=checks.is_login_option,
        example="curl -u mira:«vk82!Zeder» https://x.dev",
        counter_example="curl -u username:password https://host/path",
    ),
    Rule(
        id="argument-by-place",
        name="password",
        finds="a password that a command or a statement takes by its place",
        reason="There is no name before the value; the words of the command tell it.",
        triggers=_ARGUMENT_TRIGGERS,
        pattern=rf"""
            (?: net[ ]user[ ]\S{{1,40}}[ ]                                           # net user mira X
              | net[ ]use[ ](?:\S{{1,60}}[ ]){{1,2}}
              | (?:(?<=add)|(?<=nge)|(?<=set))_(?:user|password)[ ](?!=)\S{{1,60}}[ ]  # add_user worker X
              | htpasswd[ ]-\w*b\w*[ ](?:\S{{1,80}}[ ]){{1,2}}
              | alias[ ]set[ ]\S{{1,40}}[ ]\S{{1,100}}[ ]\S{{1,60}}[ ]               # mc alias set store url user X
              | wandb[ ]login[ ](?:--relogin[ ])?
              | authtoken[ ]
              | IDENTIFIED[ ](?:WITH[ ]\S{{1,40}}[ ])?BY[ ]
              | (?i:identified[ ](?:with[ ]\S{{1,40}}[ ])?by[ ])(?=[\"'])
              | community[ ](?=\S{{6,40}}[ ]R[OW])                                   # snmp-server community X RO
              | secret[ ]set[ ](?:\S{{1,60}}[ ]|--?\w{{1,20}}[ =]\S{{1,60}}[ ]){{1,3}}?(?:--body|-b|--value)[ =]
              | /rp[ ]
              | wpa_passphrase[ ]\S{{1,40}}[ ]
              | http-basic\.\S{{1,60}}[ ]\S{{1,60}}[ ]                               # http-basic.host user X
              | (?i:set[ ]password(?:[ ]for[ ]\S{{1,80}})?)[ ]?=[ ]?(?i:(?:old_)?password\()?(?=[\"'])
              | <<<[ ]?(?=[\"']?[^\s\"',()]{{6}})
            )
            {_ARGUMENT}""",
        check=checks.is_given,
        example="ALTER USER hr IDENTIFIED BY '«Zander_Filet9»' ACCOUNT UNLOCK;",
        counter_example="rabbitmqctl add_user worker '<password>'",
    ),
    Rule(
        id="piped-password",
        name="password",
        finds="the password of `echo user:password | chpasswd`",
        reason="It stands before the command that takes it.",
        triggers=("|",),
        pattern=r"""
            [ ]?\|[ ]?[^\n|]{0,60}?
            (?:chpasswd|sudo[ ]-S|--password-stdin|stdin|passwd|kinit|--with-token)(?!\w)""",
        spans=spans.piped_password,
        example="echo 'deploy:«Erle_Bruch55»' | chpasswd",
        counter_example="cat ~/.pass.txt | docker login --password-stdin",
    ),
    Rule(
        id="expect-script",
        name="password",
        finds="what an `expect` script sends when it is asked for a password",
        reason="The question and the answer are two statements.",
        triggers=("send",),
        pattern=r"""
            (?i:p?assword|passphrase|kennwort|passwort):?[ ?*]{0,4}[\"'][^\n]{0,20}\s{1,20}
            (?:\w{1,20}\.)?(?:send|exp_send|sendline)(?:[ ]--)?
            [ ]?\(?\"(?P<secret>[^\s\"\\]{4,100})""",
        check=checks.is_given,
        is_searched=True,
        example='expect "assword:"\nsend "«Kamille_Z9»\\r"',
        counter_example='expect "assword:"\nsend "$password\\r"',
    ),
    Rule(
        id="call-argument",
        name="password",
        finds="a literal among the arguments of a call that takes a credential: `NetworkCredential('ann', 'X')`",
        reason="Arguments have no names; of several literals the first is the user.",
        triggers=_CALL_TRIGGERS,
        pattern=r"""
            \.?[\w.\]:]{3,24}(?:[ ]=[ ]|=)?
            \((?P<secret>(?:[^()\n]|\([^()\n]{0,60}\)){6,300}+)""",
        spans=spans.literal_arguments,
        example="NetworkCredential('ann', '«Blumenkohl9»', 'CORP')",
        counter_example="smtp.login(cfg.smtp_user, cfg.smtp_password)",
    ),
    Rule(
        id="secure-string",
        name="password",
        finds="the literal that PowerShell makes a secure string of",
        reason="The command turns plain text into a password, so any word is one.",
        triggers=("securestring ",),
        pattern=r"""(?i:securestring)(?:[ ]-String)?[ ](?P<q>[\"'])(?P<secret>[^\"'\n]{4,200})""",
        check=checks.is_given,
        example="$sec = ConvertTo-SecureString '«doGBsvAoq!ILZ3p»' -AsPlainText -Force",
        counter_example='Read-Host -AsSecureString "Password"',
    ),
    Rule(
        id="unnamed-token",
        name="token",
        finds="a token that a tool's `auth` or `login`, Bundler or Erlang takes without a name",
        reason="Each group has its own condition, because `auth` and `login` are also words.",
        triggers=_TOKEN_TRIGGERS,
        pattern=r"""
            (?: [ ](?:-u|--user)[ =]?[\"']?(?P<user>[\w.-]{16,300}):(?=[\"'\s]|$)      # curl -u token:
              | (?P<login>auth|login)(?:[ ](?:token|set|add|init))?(?:[ ]--?(?:t|k|[a-z-]{0,14}(?:token|key)))?
                [ ](?P<issued>[\w.=+/-]{20,400})(?=\s|$)                              # doctl auth init -t token
              | (?: BUNDLE_[A-Z0-9_]{2,60}?__[A-Z0-9_]{2,60}[\"']?[=:][ ]?
                  | bundle[ ]config[ ](?:set[ ])?(?:--\w{1,10}[ ])?[\w-]{1,60}\.[\w.-]{2,60}[ ]
                )
                [\"']?(?P<gems>[^\s\"'$/]{6,200})                                     # user:password of a gem server
              | (?i:erlang[._]cookie(?:[^\n]{0,60}\n|[\"']?[=:][ ]?[\"']?)|setcookie[ ][\"']?)
                (?P<beam>[\w-]{8,64})
            )""",
        spans=spans.unnamed_token,
        example="$ doctl auth init -t «q7zx2lm9kd4rv8tn3wc6hb5yj0fs»",
        counter_example="INFO auth request_id=JYGto0ZihDiJLzEKOENF user=42",
    ),
    Rule(
        id="pgpass-line",
        name="password",
        finds="the password of a line of `.pgpass`",
        reason="Five fields joined by colons, of which the second is a port or `*`.",
        triggers=("pgpass", ":5432:", ":*:"),
        pattern=r"""
            (?<![\w.*-])[\w.*-]{3,80}:(?:\d{3,5}|\*):[\w*-]{1,60}:[\w*.-]{1,60}:
            (?P<secret>[^\s:]{6,200})(?=\s|$)""",
        check=checks.is_strong,
        is_searched=True,
        example="pg.internal:5432:ledger:ledger_rw:«bussard9Kreis»",
        counter_example="pg.internal:5432:ledger:ledger_rw:password",
    ),
    Rule(
        id="password-option",
        name="password",
        finds="the value of a long option such as `--password` or `-storepass`",
        reason="The option's name is enough; a usage line's value is a word in capitals or angle brackets.",
        triggers=("--", " -"),
        pattern=rf"""
            [ ]?--?(?:[A-Za-z][\w.-]{{0,40}}?)?(?i:password|passwd|passphrase|pass|pwd|pw)
            (?:[ =]|[ ]{{2,4}}){_ARGUMENT}""",
        check=checks.is_said,
        example="mysqladmin -u root --password='«Kresse#rot5»' status",
        counter_example="-p, --password string   Password or personal access token (PAT)",
    ),
    Rule(
        id="token-option",
        name="token",
        finds="the value of a long option such as `--token` or `--api-key`",
        reason="Such options also take names of keys, hence only random values.",
        triggers=("--", " -"),
        pattern=r"""
            (?:[ ]-t|[ ]?--?(?:[A-Za-z][\w.-]{0,40}?)?(?i:token|secret|key|authkey))
            (?:[ =]|[ ]{2,4})(?:\w{1,20}=)?
            (?P<q>[\"'])?(?P<secret>(?(q)[^\"'\n]|[\w+/=.~-]){16,4000})""",
        check=checks.is_random,
        example="vercel deploy --prod --token «tgUS0b0KBpJTNQrTRIJm0qwP» --yes",
        counter_example="gcloud secrets versions access latest --secret=orders-db-password",
    ),
    Rule(
        id="fallback-literal",
        name="token",
        finds="a literal behind `||` or `??` on a line about credentials",
        reason="`process.env.TOKEN || 'X'` keeps the real value as the default.",
        triggers=("||", "??"),
        pattern=r"(?:\|\||\?\?)[ ]?(?P<q>[\"'`])(?P<secret>[^\s\"'`]{8,400})(?P=q)",
        check=checks.is_fallback,
        example='headers["Authorization"] = env["X"] || "«ePnjQU56DdAHDTQFLM4mEvD8nReOUGtE»"',
        counter_example="const build = env.BUILD || 'ePnjQU56DdAHDTQFLM4mEvD8nReOUGtE'",
    ),
)
