"""What credentials look like, as tables that both detectors read. Import-light.

`scan` reads them without `re`; `rules` adds patterns for what only the full detector finds. A new kind of token or name
is a row here; `tests/secrets` makes an example of every row.
"""

# The characters that may follow a prefix.
LOWER, UPPER, DIGITS = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
LETTERS = LOWER + UPPER
ALPHABETS = {
    "hex": "0123456789abcdefABCDEF-",
    "upper": UPPER + DIGITS + "-",
    "alnum": LETTERS + DIGITS,
    "word": LETTERS + DIGITS + "_-",
    "dotted": LETTERS + DIGITS + "_-.",
    "base64": LETTERS + DIGITS + "_-+/=%.,",
}

# Tokens that their prefix tells. Such a token is a credential whatever it contains, `AKIA…EXAMPLE` too: its form counts.
# The columns: name of the finding, prefixes, alphabet of the rest, its fewest and most characters, who issues the token.
TOKENS = (
    ("private-key", "LS0tLS1CRUdJTiBSU0EgUFJJVkFUR LS0tLS1CRUdJTiBFQyBQUklWQVRF LS0tLS1CRUdJTiBQUklWQVRF", "base64", 40, 20_000, "PEM in Base64"),
    ("private-key", "LS0tLS1CRUdJTiBPUEVOU1NI LS0tLS1CRUdJTiBFTkNSWVBU LS0tLS1CRUdJTiBEU0EgUFJJVkFUR", "base64", 40, 20_000, "PEM in Base64"),
    ("private-key", "AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1", "alnum", 50, 2_000, "age"),
    ("private-key", "nsec1 xprv yprv zprv tprv", "alnum", 50, 120, "Nostr, Bitcoin"),
    ("aws-key", "AKIA ASIA ABIA ACCA", "upper", 16, 16, "Amazon: key ids"),
    ("aws-key", "ABSK IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz AQoDYXdz", "base64", 60, 4_000, "Amazon: Bedrock keys, session tokens"),
    ("aws-key", "amzn.mws.", "hex", 36, 36, "Amazon: marketplace"),
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", "dotted", 30, 1_000, "GitHub"),
    ("github-token", "github_pat_", "word", 36, 255, "GitHub: fine-grained"),
    ("gitlab-token", "glpat- gldt- glrt- glrtr- glptt- glcbt- gloas- glft- glsoat- glimt- glagent- glffct- glwt- GR1348941", "dotted", 16, 300, "GitLab"),
    ("atlassian-token", "ATBB ATATT3 ATCTT3", "base64", 24, 400, "Bitbucket, Jira"),
    ("slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxc- xoxd- xoxe- xoxo- xapp- xwfp- xoxe.xox", "base64", 16, 400, "Slack"),
    ("webhook", "hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/", "base64", 24, 300, "Slack: webhooks"),
    ("webhook", "discord.com/api/webhooks/ discordapp.com/api/webhooks/", "base64", 60, 300, "Discord: webhooks"),
    ("anthropic-key", "sk-ant-", "word", 24, 300, "Anthropic"),
    ("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", "word", 20, 300, "OpenAI"),
    ("ai-key", "sk-or-v1- sk-helicone- sk-lf- sk-", "word", 20, 300, "OpenAI, OpenRouter, Langfuse and what imitates them"),
    ("ai-key", "hf_ api_org_ r8_ gsk_ xai- pplx- csk- tgp_v1_ fw_ jina_ rpa_ nvapi-", "word", 30, 300, "Hugging Face, Replicate, Groq, xAI, Perplexity, …"),
    ("ai-key", "esecret_ fc- e2b_ sgp_ pcsk_ lsv2_pt_ lsv2_sk_ ls__ llx- crsr_ slk_ sktsec_", "word", 30, 300, "Anyscale, Firecrawl, E2B, Pinecone, LangSmith, …"),
    ("ai-key", "tvly-", "word", 16, 80, "Tavily"),
    ("ai-key", "sk_ key_", "hex", 40, 80, "ElevenLabs, Cursor"),
    ("google-key", "AIza GOCSPX- 1//0 AQ.Ab8 4/0A", "word", 24, 300, "Google"),
    ("google-key", "ya29.", "dotted", 20, 2_000, "Google: access tokens"),
    ("payment-key", "sk_live_ sk_test_ sk_prod_ sk_sandbox_ rk_live_ rk_test_ rk_prod_", "alnum", 10, 250, "Stripe"),
    ("payment-key", "whsec_", "base64", 20, 100, "Stripe: webhooks"),
    ("payment-key", "sq0csp- sq0atp- sq0idp- A21AA FLWSECK duffel_live_ duffel_test_ shippo_live_ shippo_test_ EZAK EZTK", "word", 22, 120, "Square, PayPal, Duffel, EasyPost, …"),
    ("payment-key", "EAAA", "word", 50, 80, "Square"),
    ("payment-key", "access_token$production$ access_token$sandbox$", "base64", 16, 60, "PayPal Braintree"),
    ("payment-key", "shpat_ shpss_ shpca_ shppa_ shptka_", "hex", 32, 64, "Shopify"),
    ("payment-key", "access-production- access-sandbox- access-development-", "hex", 36, 36, "Plaid"),
    ("facebook-token", "EAA", "alnum", 80, 400, "Facebook"),
    ("mail-key", "SG.", "dotted", 46, 100, "SendGrid"),
    ("mail-key", "key-", "hex", 32, 32, "Mailgun"),
    ("mail-key", "xkeysib- xsmtpsib-", "word", 40, 120, "Brevo"),
    ("mail-key", "re_", "word", 24, 60, "Resend"),
    ("mail-key", "md-", "word", 22, 22, "Mandrill"),
    ("registry-token", "npm_ rubygems_ dckr_pat_ dckr_oat_ AKCp cmVmdGtu CLOJARS_", "word", 24, 100, "npm, RubyGems, Docker, Artifactory, Clojars"),
    ("registry-token", "pypi-", "word", 50, 400, "PyPI"),
    ("registry-token", "cio", "alnum", 32, 32, "crates.io"),
    ("registry-token", "oy2", "alnum", 43, 43, "NuGet"),
    ("cloud-token", "dop_v1_ doo_v1_ dor_v1_ pul- sbp_", "hex", 36, 64, "DigitalOcean, Pulumi, Supabase"),
    ("cloud-token", "HRKU- hvs. hvb. hvr. sb_secret_ tskey- cfut_ cfat_ cfk_", "word", 18, 300, "Heroku, Vault, Supabase, Tailscale, Cloudflare"),
    ("cloud-token", "v1.0-", "hex", 120, 250, "Cloudflare: CA keys"),
    ("cloud-token", "dapi dose", "hex", 32, 36, "Databricks"),
    ("cloud-token", "npg_", "alnum", 12, 90, "Neon: passwords"),
    ("cloud-token", "nfp_ nfc_ nfo_ napi_ rnd_ nbp_", "alnum", 16, 90, "Netlify, Neon, Render"),
    ("cloud-token", "pscale_pw_ pscale_tkn_ pscale_oauth_ dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", "dotted", 20, 80, "PlanetScale, Doppler"),
    ("cloud-token", "fm1r_ fm1a_ fm2_ fo1_", "base64", 30, 4_000, "Fly"),
    ("cloud-token", "ops_eyJ", "base64", 40, 4_000, "1Password: service accounts"),
    ("cloud-token", "A3- API-", "upper", 24, 42, "1Password, Octopus"),
    ("cloud-token", "vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_ sha256~ dnkey- sm_aat_ sm_pat_ sm_sat_ tk-us- AQVN", "word", 24, 200, "Vercel, OpenShift, Defined, SettleMint, Yandex"),
    ("cloud-token", "LTAI AKID", "alnum", 12, 36, "Alibaba, Tencent"),
    ("cloud-token", "akab-", "word", 33, 33, "Akamai"),
    ("monitoring-key", "NRAK- NRRA- NRIQ- NRII- phx_ phs_ hcaik_ hcxik_", "word", 20, 80, "New Relic, PostHog, Honeycomb"),
    ("monitoring-key", "sntrys_ sntryu_ sntrya_ sntryi_", "base64", 40, 400, "Sentry"),
    ("monitoring-key", "glsa_ glc_ eyJrIjoi", "base64", 30, 400, "Grafana"),
    ("monitoring-key", "dt0c01. dt0s01. dt0s02. dt0s08. dt0s16.", "dotted", 50, 120, "Dynatrace"),
    ("monitoring-key", "xaat- xapt-", "hex", 36, 36, "Axiom"),
    ("saas-token", "lin_api_ lin_oauth_ ntn_ figd_ figo_ figu_ CFPAT- tfp_ rdme_ zpka_ pnu_ os_v2_ PMAT-", "word", 30, 120, "Linear, Notion, Figma, Contentful, Typeform, …"),
    ("saas-token", "secret_", "alnum", 40, 50, "Notion"),
    ("saas-token", "PMAK- pat-na1- pat-na2- pat-eu1- sdk-", "hex", 35, 60, "Postman, HubSpot, LaunchDarkly"),
    ("saas-token", "syt_", "base64", 24, 200, "Matrix"),
    ("saas-token", "sk.eyJ", "dotted", 46, 400, "Mapbox"),
    ("saas-token", "sl. t1. y0_", "dotted", 80, 1_500, "Dropbox, Yandex"),
    ("saas-token", "AAAAAAAAAAAAAAAAAAAAA", "base64", 40, 200, "X"),
    ("saas-token", "CfDJ8", "word", 60, 2_000, "ASP.NET: protected data"),
    ("saas-token", "p8e- ck_ cs_", "hex", 32, 40, "WooCommerce"),
    ("saas-token", "tr_dev_ tr_prod_ tr_pat_ signkey-prod- signkey-test- secret-live- secret-test- testsk_", "base64", 18, 120, "Trigger.dev, Inngest, …"),
    ("saas-token", "snyk_uat. snyk_sat. s-s4t2ud- s-s4t2af- fio-u- ico- nylas_ patch_", "dotted", 30, 400, "Snyk, 42, Frame.io, Intercom, Nylas"),
    ("mail-key", "SK", "hex", 32, 32, "Twilio"),
    ("ci-token", "bkua_ bkaj_ bkct_ squ_ sqa_ sqp_", "hex", 30, 64, "Buildkite, SonarQube"),
    ("ci-token", "CCIPAT_ CCIPRJ_", "word", 40, 100, "CircleCI"),
)  # fmt: skip

# How names of credentials end, and what kind of value they announce:
#   password  a word that somebody chose: symbols, or digits and letters of both cases; in quotes nearly anything
#   token     what a generator made; shorter or plainer values only where they are assigned
#   key       what a generator made, unless a word before the name makes it a public key
#   code      four to eight digits
NAMES = (
    ("password", "password passwords passwort passwd passphrase passcode pass pwd pw psk kennwort"),
    ("password", "secret secret_key secretkey securestring clientsecret"),
    ("token", "token authtoken auth auth_key authkey authorization jwt credential credentials creds _pat appid bearer webhook"),
    ("key", "key key_base keybase"),
    ("code", "otp otp_code totp_code otpcode 2fa_code mfa_code verification_code one_time_code"),
)  # fmt: skip
# The stems that a text is searched for to find such names. Each search takes time: in a text of more than 64,000 bytes
# only the first ones are used (long random values are found there all the same, by the name before them).
STEMS = ("pass", "pw", "secret", "identified by")
STEMS_OF_SHORT = (*STEMS, "token", "key", "otp", "authorization", "ation code", "kennwort", "psk", "securestring")
LONG_TEXT = 64_000

# Endings that many words have (compass, monkey): they have to begin a word, or follow one of these words.
COMPOUNDS = {  # git's `signingkey` is an id, hence no `signing`
    "pass": "user root auth bind smtp mail sudo admin db pg my su ftp sql vnc vpn key ssh web app api git zip dba wifi ldap imap host store require pg",
    "pw": "root bind admin db",
    "key": "api secret access auth private master account encryption storage shared app license signature",
    "auth": "basic proxy http",
    "otp": "t h",
}  # fmt: skip

# Words before `token` or `key` that make something else of it: a count, a piece of text, the public half, an index.
OTHERS = {
    "token": """bos cache cached cancellation completion continuation cursor end eos estimated input is max min next
        nexttoken no num output pad page pagination per prev previous prompt public reasoning sep special start stop
        sync syntax total unk""",
    "key": """accept alt answer arrow attr attribute binding bucket cache candidate column composite ctrl cursor dedup
        dict duplicate element entry event fact field file filter fingerprint foreign func function gpg group header
        hot i18n idempotency index input item job join json lang layout locale lookup map menu message meta metric
        natural next node object option restored from signing order param parameter parent partition path pgp pkg position prev primary prop
        property pub public publishable query react record recv redis ref registry resource restore row schema search
        session shift site socket sort ssh state store surrogate tab tag target template theme trace translation tree
        type unique url verification view websocket word yaml zone anon host known mon don tur no_pub""",
    "code": "error status exit country zip area source",
    "password": "",
}  # fmt: skip
PUBLIC = "public page nexttoken cursor cache idempotency primary foreign partition websocket restore recv no_pub"

# Behind these names a blank before a long token is enough; behind those of cookies and signed addresses it takes a `=`.
SAID = "bearer basic login bot ssws token auth apikey"
COOKIES = "sid sessionid session sig signature code"
# Words that may stand between a name and its value: `token: string = "…"`, `name: TOKEN, value: …`.
BETWEEN = "value content string str final none base64 buffer from is ist const as default by lazy text varchar char default_value"
# And between `Authorization:` and its value.
SCHEMES = "bearer basic digest apikey bot ssws token"

# Parts of examples, references and patterns: a value with one of them, and no provider's prefix, is no credential.
SHAM = """xxxx example your_ your- changeme change-me placeholder redacted *** ... dummy fake sample abcdef 1234567
    deadbeef insert_ replace -here _here 1password process.env :// ${ {{ [a-z [^ (? ]{ <your"""
# Words that are no credentials.
FILLER = """password passwort passwd secret postgres guest string undefined required optional pass root admin user test
    geheim none null true false hidden prompt incorrect python default somepass doesnotexist letmein wrong invalid
    mysql oracle token bearer basic"""

# Files all of whose values are taken out, whatever the keys: how their names end, and the commands that show or write
# them.
VALUE_FILES = (
    ".env", ".envrc", ".netrc", "_netrc", ".pgpass", ".npmrc", ".pypirc", ".git-credentials", ".aws/credentials",
    ".htpasswd", ".my.cnf", ".credentials.json",
)  # fmt: skip
SHOWING = "cat bat less more head tail grep egrep rg source tee nl type strings sed awk xargs vim nano cp printf echo"

# Options of commands that take a password: the option's letters, whether the value may touch it, and the commands.
OPTIONS = (
    ("p P", True, "mysql mysqldump mysqladmin mysqlimport mariadb sshpass 7z 7za rar zip unzip"),
    ("p", False, "docker podman helm skopeo oras crane buildah nerdctl az twine mongo mongosh mongodump mongorestore cqlsh psexec winrm netexec rdesktop influx isql"),
    ("P", False, "sqlcmd bcp ipmitool mosquitto_pub mosquitto_sub influx isql snmpwalk ssh-keygen"),
    ("w", False, "ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami clickhouse"),
    ("a", False, "redis-cli redis-benchmark"),
    ("A X", False, "snmpwalk snmpget snmpset"),
    ("N", False, "ssh-keygen"),
)  # fmt: skip
# Commands that take a password without an option: what stands before it, and how many words come between.
ARGUMENTS = (
    ("net user ", 1), ("net use ", 2), ("add_user ", 1), ("change_password ", 1), ("alias set ", 3), ("authtoken ", 0),
    ("wpa_passphrase ", 1), ("htpasswd -b ", 2), ("htpasswd -cb ", 2), ("/p:", 0),
)  # fmt: skip
# Commands that read a password from what is piped into them: `echo 'user:password' | chpasswd`.
PIPES = ("| chpasswd", "| sudo -s", "| passwd", "--password-stdin", "| kinit", "--with-token")

# Commands whose `-u` or `-U` takes `user:password` or `user%password`.
LOGINS = "curl wget http https xh smbclient rpcclient lftp httpie"
# A text with none of these is not searched for arguments.
ANY_COMMAND = " ".join((LOGINS, *(commands for _, _, commands in OPTIONS)))
