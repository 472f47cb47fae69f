"""A generated corpus: families of credentials in carriers (the texts that hold them), always the same.

Every pair of a family and a carrier belongs to one of two halves, by a hash of both names. Rules are tuned on the
misses of the `tune` half alone; the `held` half is only measured. Formats (prefix, alphabet, length) are public.
"""

import base64
import hashlib
import json
import random
import string
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple
from urllib.parse import quote

ALNUM = string.ascii_letters + string.digits
LOWER = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"
URL = ALNUM + "_-"
B64 = ALNUM + "+/"
BASE32 = string.ascii_uppercase + "234567"
SYMBOLS = "!#%*+?^~"


class Sample(NamedTuple):
    """A text with one credential in it; `value` is what must be gone."""

    family: str
    carrier: str
    text: str
    value: str


class Family(NamedTuple):
    """A kind of credential: the name that a program gives it, how one is made, whether its form alone tells it."""

    name: str
    variable: str
    make: Callable[[random.Random], str]
    is_structural: bool


def _signs(alphabet: str, number: int) -> Callable[[random.Random], str]:
    return lambda rng: "".join(rng.choice(alphabet) for _ in range(number))


def _mixed(alphabet: str, number: int) -> Callable[[random.Random], str]:
    """Random signs, with a digit and a letter among them."""

    def make(rng: random.Random) -> str:
        while True:
            value = "".join(rng.choice(alphabet) for _ in range(number))
            if any(map(str.isdigit, value)) and any(map(str.isalpha, value)):
                return value

    return make


def _token(name: str, variable: str, *pieces: str | tuple[str, int]) -> Family:
    """A token of fixed parts and random ones: `("AKIA", (UPPER, 16))`."""

    def make(rng: random.Random) -> str:
        parts = (piece if isinstance(piece, str) else _signs(*piece)(rng) for piece in pieces)
        return "".join(parts)

    return Family(name, variable, make, is_structural=True)


def _named(name: str, variable: str, make: Callable[[random.Random], str]) -> Family:
    return Family(name, variable, make, is_structural=False)


def _password(rng: random.Random) -> str:
    """A password that a person or a generator chose: 9 to 18 signs, letters of both cases, digits, perhaps a symbol."""
    word = "".join(rng.choice(string.ascii_lowercase) for _ in range(rng.randint(5, 9))).capitalize()
    middle = rng.choice(("", "", rng.choice(SYMBOLS), "-", "_"))
    return word + middle + "".join(rng.choice(string.digits) for _ in range(rng.randint(2, 4))) + rng.choice("xKq!zW7")


def _uuid(rng: random.Random) -> str:
    return "-".join(_mixed(HEX, number)(rng) for number in (8, 4, 4, 4, 12))


def _jwt(rng: random.Random) -> str:
    part = _signs(URL, 60)
    return f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIi{part(rng)}.{_signs(URL, 43)(rng)}"


def _counting_slack(rng: random.Random) -> str:
    return f"xoxb-123456789012-1234567890123-{_signs(ALNUM, 24)(rng)}"


def _alphabet_anthropic(rng: random.Random) -> str:
    return f"sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789{_signs(URL, 50)(rng)}AA"


FAMILIES = (
    _token("aws id", "AWS_ACCESS_KEY_ID", "AKIA", (BASE32, 16)),
    _token("aws id with EXAMPLE", "AWS_ACCESS_KEY_ID", "AKIA", (BASE32, 9), "EXAMPLE"),
    _token("aws sts id", "AWS_ACCESS_KEY_ID", "ASIA", (BASE32, 16)),
    _token("github classic", "GITHUB_TOKEN", "ghp_", (ALNUM, 36)),
    _token("github app", "GH_TOKEN", "ghs_", (ALNUM, 36)),
    _token("github fine-grained", "GITHUB_PAT", "github_pat_", (ALNUM, 22), "_", (ALNUM, 59)),
    _token("gitlab", "GITLAB_TOKEN", "glpat-", (URL, 20)),
    _token("gitlab deploy", "DEPLOY_TOKEN", "gldt-", (URL, 20)),
    _token("gitlab runner", "RUNNER_TOKEN", "glrt-", (URL, 20)),
    _token("gitlab trigger", "TRIGGER_TOKEN", "glptt-", (HEX, 40)),
    _token("gitlab feed", "FEED_TOKEN", "glft-", (URL, 20)),
    _token("gitlab scim", "SCIM_TOKEN", "glsoat-", (URL, 20)),
    _token("slack bot", "SLACK_BOT_TOKEN", "xoxb-", (string.digits, 12), "-", (string.digits, 13), "-", (ALNUM, 24)),
    Family("slack counting", "SLACK_TOKEN", _counting_slack, is_structural=True),
    _token("slack app", "SLACK_APP_TOKEN", "xapp-1-A", (UPPER, 10), "-", (string.digits, 13), "-", (HEX, 64)),
    _token("slack webhook", "SLACK_WEBHOOK_URL", "https://hooks.slack.com/services/T", (UPPER, 8), "/B", (UPPER, 10),
           "/", (ALNUM, 24)),
    _token("discord webhook", "DISCORD_WEBHOOK", "https://discord.com/api/webhooks/", (string.digits, 18), "/",
           (URL, 68)),
    _token("teams webhook", "TEAMS_WEBHOOK", "https://acme.webhook.office.com/webhookb2/", (HEX, 8),
           "-1a2b-4c3d-9e8f-", (HEX, 12), "@", (HEX, 8), "-5d6e-4f70-8a9b-", (HEX, 12), "/IncomingWebhook/", (HEX, 32),
           "/", (HEX, 8), "-7c8d-4e9f-a0b1-", (HEX, 12)),
    _token("anthropic", "ANTHROPIC_API_KEY", "sk-ant-api03-", (URL, 93), "AA"),
    Family("anthropic alphabet", "ANTHROPIC_API_KEY", _alphabet_anthropic, is_structural=True),
    _token("openai project", "OPENAI_API_KEY", "sk-proj-", (URL, 74), "T3BlbkFJ", (URL, 74)),
    _token("openai", "OPENAI_API_KEY", "sk-", (ALNUM, 20), "T3BlbkFJ", (ALNUM, 20)),
    _token("hugging face", "HF_TOKEN", "hf_", (ALNUM, 34)),
    _token("groq", "GROQ_API_KEY", "gsk_", (ALNUM, 52)),
    _token("perplexity", "PPLX_API_KEY", "pplx-", (ALNUM, 48)),
    _token("replicate", "REPLICATE_API_TOKEN", "r8_", (ALNUM, 37)),
    _token("google", "GOOGLE_API_KEY", "AIza", (URL, 35)),
    _token("google oauth secret", "CLIENT_SECRET", "GOCSPX-", (URL, 28)),
    _token("google access", "ACCESS_TOKEN", "ya29.", (URL, 120)),
    _token("stripe live", "STRIPE_SECRET_KEY", "sk_live_", (ALNUM, 24)),
    _token("stripe test", "STRIPE_KEY", "sk_test_", (ALNUM, 99)),
    _token("stripe restricted", "STRIPE_KEY", "rk_live_", (ALNUM, 24)),
    _token("stripe webhook", "STRIPE_WEBHOOK_SECRET", "whsec_", (ALNUM, 32)),
    _token("square", "SQUARE_ACCESS_TOKEN", "sq0atp-", (URL, 22)),
    _token("square secret", "SQUARE_SECRET", "sq0csp-", (URL, 43)),
    _token("shopify", "SHOPIFY_TOKEN", "shpat_", (HEX, 32)),
    _token("sendgrid", "SENDGRID_API_KEY", "SG.", (URL, 22), ".", (URL, 43)),
    _token("mailgun", "MAILGUN_API_KEY", "key-", (HEX, 32)),
    _token("mailchimp", "MAILCHIMP_API_KEY", (HEX, 32), "-us", (string.digits, 2)),
    _token("brevo", "BREVO_API_KEY", "xkeysib-", (HEX, 64), "-", (ALNUM, 16)),
    _token("npm", "NPM_TOKEN", "npm_", (ALNUM, 36)),
    _token("pypi", "PYPI_TOKEN", "pypi-AgEIcHlwaS5vcmc", (URL, 150)),
    _token("rubygems", "GEM_HOST_API_KEY", "rubygems_", (HEX, 48)),
    _token("docker hub", "DOCKER_PAT", "dckr_pat_", (URL, 27)),
    _token("digitalocean", "DO_TOKEN", "dop_v1_", (HEX, 64)),
    _token("databricks", "DATABRICKS_TOKEN", "dapi", (HEX, 32)),
    _token("hashicorp vault", "VAULT_TOKEN", "hvs.", (URL, 95)),
    _token("terraform cloud", "TF_API_TOKEN", (ALNUM, 14), ".atlasv1.", (URL, 67)),
    _token("planetscale", "PSCALE_PASSWORD", "pscale_pw_", (URL, 43)),
    _token("doppler", "DOPPLER_TOKEN", "dp.pt.", (ALNUM, 43)),
    _token("pulumi", "PULUMI_ACCESS_TOKEN", "pul-", (HEX, 40)),
    _token("grafana", "GRAFANA_TOKEN", "glsa_", (ALNUM, 32), "_", (HEX, 8)),
    _token("new relic", "NEW_RELIC_API_KEY", "NRAK-", (UPPER, 27)),
    _token("sentry user", "SENTRY_AUTH_TOKEN", "sntryu_", (HEX, 64)),
    _token("dynatrace", "DT_API_TOKEN", "dt0c01.", (BASE32, 24), ".", (BASE32, 64)),
    _token("linear", "LINEAR_API_KEY", "lin_api_", (ALNUM, 40)),
    _token("notion", "NOTION_TOKEN", "ntn_", (ALNUM, 46)),
    _token("figma", "FIGMA_TOKEN", "figd_", (URL, 40)),
    _token("postman", "POSTMAN_API_KEY", "PMAK-", (HEX, 24), "-", (HEX, 34)),
    _token("airtable", "AIRTABLE_TOKEN", "pat", (ALNUM, 14), ".", (HEX, 64)),
    _token("atlassian", "JIRA_API_TOKEN", "ATATT3xFfGF0", (URL, 180), "=", ("0123456789ABCDEF", 8)),
    _token("telegram bot", "BOT_TOKEN", (string.digits, 10), ":AA", (URL, 33)),
    _token("discord bot", "DISCORD_TOKEN", "MTA", (ALNUM, 23), ".G", (ALNUM, 5), ".", (URL, 38)),
    _token("azure client secret", "AZURE_CLIENT_SECRET", (ALNUM, 3), "8Q~", (URL, 34)),
    _token("age", "AGE_KEY", "AGE-SECRET-KEY-1", (UPPER, 58)),
    _token("twilio key", "TWILIO_API_KEY", "SK", (HEX, 32)),
    _token("alibaba", "ALIBABA_ACCESS_KEY_ID", "LTAI", (ALNUM, 20)),
    _token("supabase", "SUPABASE_SERVICE_KEY", "sbp_", (HEX, 40)),
    _token("fly", "FLY_API_TOKEN", "fo1_", (URL, 43)),
    _token("clojars", "CLOJARS_TOKEN", "CLOJARS_", (LOWER, 60)),
    _token("tailscale", "TS_AUTHKEY", "tskey-auth-", (ALNUM, 12), "-", (ALNUM, 32)),
    Family("jwt", "SESSION_JWT", _jwt, is_structural=True),
    _named("password", "DB_PASSWORD", _password),
    _named("admin password", "ADMIN_PASSWD", _password),
    _named("pwd", "SMTP_PWD", _password),
    _named("aws secret", "AWS_SECRET_ACCESS_KEY", _mixed(B64, 40)),
    _named("hex 32", "ALGOLIA_API_KEY", _mixed(HEX, 32)),
    _named("hex 40", "COINBASE_ACCESS_TOKEN", _mixed(HEX, 40)),
    _named("hex 64", "ENCRYPTION_KEY", _mixed(HEX, 64)),
    _named("alnum 32", "DATADOG_APP_KEY", _mixed(ALNUM, 32)),
    _named("lower 32", "BITBUCKET_CLIENT_SECRET", _mixed(LOWER, 32)),
    _named("alnum 20", "FINNHUB_TOKEN", _mixed(LOWER, 20)),
    _named("alnum 16", "KRAKEN_SECRET", _mixed(ALNUM, 16)),
    _named("alnum 24", "AUTH_TOKEN", _mixed(ALNUM, 24)),
    _named("upper 32", "LICENSE_KEY", _mixed(UPPER, 32)),
    _named("base64 44", "COOKIE_SECRET", lambda rng: _mixed(B64, 43)(rng) + "="),
    _named("base64 88", "AccountKey", lambda rng: _mixed(B64, 86)(rng) + "=="),
    _named("uuid", "HEROKU_API_KEY", _uuid),
    _named("camel", "clientSecret", _mixed(URL, 40)),
    _named("kebab", "x-api-key", _mixed(ALNUM, 28)),
    _named("refresh", "refresh_token", _mixed(URL, 64)),
    _named("private key id", "PRIVATE_KEY", _mixed(HEX, 64)),
    _named("jwt secret", "JWT_SECRET", _mixed(URL, 32)),
    _named("passphrase", "SIGNING_PASSPHRASE", _mixed(ALNUM, 14)),
)  # fmt: skip


def _words(variable: str) -> list[str]:
    """The words of a name, whatever its case."""
    if "_" in variable or "-" in variable:
        return variable.replace("-", "_").lower().split("_")
    return "".join(f" {sign.lower()}" if sign.isupper() else sign for sign in variable).split()


def _snake(variable: str) -> str:
    return "_".join(_words(variable))


def _camel(variable: str) -> str:
    first, *others = _words(variable)
    return first + "".join(map(str.capitalize, others))


def _pascal(variable: str) -> str:
    return "".join(map(str.capitalize, _words(variable)))


def _upper(variable: str) -> str:
    return _snake(variable).upper()


def _kebab(variable: str) -> str:
    return "-".join(_words(variable))


# In each pattern: {U} UPPER_SNAKE, {s} lower_snake, {c} camelCase, {P} PascalCase, {k} kebab-case, {v} the value.
PATTERNS = {
    "env": "{U}={v}",
    "env among others": "HOST=db.internal\n{U}={v}\nPORT=8080",
    "export": "export {U}={v}",
    "export quoted": 'export {U}="{v}"',
    "export single": "export {U}='{v}' && make deploy",
    "dotenv quoted": '{U}="{v}"\nDEBUG=0',
    "dotenv spaced": "{U} = {v}",
    "yaml": "{s}: {v}",
    "yaml nested": "auth:\n  {c}: {v}\n  region: eu",
    "yaml quoted": '{k}: "{v}"',
    "yaml name value": "- name: {U}\n  value: {v}",
    "yaml name value quoted": '- name: {U}\n  value: "{v}"',
    "compose list": "environment:\n  - {U}={v}\n  - TZ=UTC",
    "toml": '[service]\n{s} = "{v}"\nport = 1',
    "json": '{{"user": "ann", "{c}": "{v}", "n": 1}}',
    "json compact": '{{"{s}":"{v}","n":1}}',
    "json pretty": '{{\n  "{c}": "{v}",\n  "n": 1\n}}',
    "json escaped": '{{"body":"{{\\"{s}\\":\\"{v}\\",\\"n\\":1}}"}}',
    "ini": "[server]\n{s} = {v}\nport = 22",
    "properties": "app.{k}={v}\napp.name=shop",
    "go short": '\t{c} := "{v}"',
    "go const": 'const {P} = "{v}"',
    "go typed": 'var {c} string = "{v}"',
    "go struct": 'cfg := Config{{{P}: "{v}", Port: 1}}',
    "go backtick": "{c} := `{v}`",
    "ts const": 'const {c}: string = "{v}";',
    "ts optional": 'interface A {{ {c}?: "{v}" }}',
    "ts as const": 'export const {U} = "{v}" as const;',
    "ts private": "private readonly {c}: string = '{v}';",
    "js": "const {c} = '{v}';",
    "js env": 'process.env.{U} = "{v}"',
    "js object": "axios.create({{ {c}: '{v}', timeout: 100 }})",
    "js template": "let {c} = `{v}`",
    "python": '{U} = "{v}"',
    "python kwarg": 'client = Client({s}="{v}", timeout=3)',
    "python environ": 'os.environ["{U}"] = "{v}"',
    "python typed": "{s}: str = '{v}'",
    "python default": 'os.getenv("{U}", "{v}")',
    "python f": 'headers = {{"{k}": f"{v}"}}',
    "python compare": 'if {s} == "{v}":\n    pass',
    "js compare": "if ({c} === '{v}') return true",
    "shell compare": '[ "${U}" == "{v}" ] && exit 0',
    "ruby": "config.{s} = '{v}'",
    "ruby hash": ":{s} => '{v}',",
    "ruby env": "ENV['{U}'] ||= '{v}'",
    "php": "$config['{s}'] = '{v}';",
    "php define": "define('{U}', '{v}');",
    "php arrow": "'{s}' => '{v}',",
    "rust": 'const {U}: &str = "{v}";',
    "rust let": 'let {s} = "{v}".to_string();',
    "rust struct": '{s}: "{v}".into(),',
    "csharp": 'var {c} = "{v}";',
    "csharp const": 'private const string {P} = "{v}";',
    "java": 'private static final String {U} = "{v}";',
    "java setter": 'props.setProperty("{s}", "{v}");',
    "kotlin": 'val {c}: String = "{v}"',
    "swift": 'let {c} = "{v}"',
    "scala": 'val {c} = "{v}"',
    "elixir": 'config :app, {s}: "{v}"',
    "lua": 'local {s} = "{v}"',
    "perl": "my ${s} = '{v}';",
    "r": '{s} <- "{v}"',
    "c define": '#define {U} "{v}"',
    "c const": 'static const char *{s} = "{v}";',
    "make": "{U} ?= {v}",
    "make simple": "{U} := {v}",
    "make export": "export {U} := {v}",
    "dockerfile env": "ENV {U}={v}",
    "dockerfile env blank": "ENV {U} {v}",
    "dockerfile arg": "ARG {U}={v}",
    "docker -e": "docker run -e {U}={v} -p 80:80 app",
    "docker --env": 'docker run --env "{U}={v}" app',
    "docker build arg": "docker build --build-arg {U}={v} .",
    "inline env": "{U}={v} npm run build",
    "env command": "env {U}={v} python app.py",
    "curl header": "curl -H '{k}: {v}' https://api.acme.dev/v1/items",
    "curl header double": 'curl -sS --header "{P}: {v}" https://api.acme.dev',
    "curl bearer": 'curl -H "Authorization: Bearer {v}" https://api.acme.dev',
    "curl user": "curl -u 'deploy:{v}' https://api.acme.dev",
    "curl data": "curl -d '{s}={v}&grant=x' https://api.acme.dev",
    "curl json": "curl -d '{{\"{c}\":\"{v}\"}}' https://api.acme.dev",
    "url user": "https://deploy:{q}@git.acme.dev/app.git",
    "url query": "GET https://api.acme.dev/v1?{s}={q}&page=2",
    "url query first": "https://api.acme.dev/v1?page=2&{c}={q}",
    "http header": "POST /v1 HTTP/1.1\nHost: api.acme.dev\nAuthorization: Bearer {v}\nAccept: */*",
    "http own header": "GET / HTTP/1.1\n{k}: {v}\nAccept: */*",
    "cookie": "Cookie: theme=dark; {s}={q}; lang=de",
    "set-cookie": "Set-Cookie: auth_token={q}; Path=/; HttpOnly",
    "xml": "<{s}>{v}</{s}>",
    "xml three lines": "<{c}>\n    {v}\n</{c}>",
    "xml attribute": '<add key="{P}" value="{v}" />',
    "xml own attribute": '<server {c}="{v}" port="1"/>',
    "csv": "id,name,{s},note\n1,ann,{v},x\n2,bob,,y",
    "csv quoted": '"id","{s}"\n"1","{v}"',
    "markdown table": "| host | {s} |\n|------|------|\n| db.internal | {v} |",
    "markdown code table": "| name | {s} | n |\n|---|:---:|--:|\n| a | `{v}` | 1 |",
    "markdown row": "| `{U}` | `{v}` |",
    "markdown list": "- **{U}**: `{v}`",
    "markdown bold": "**{U}:** {v}",
    "colour": "\x1b[36m{U}\x1b[0m=\x1b[33m{v}\x1b[0m",
    "colour around": "{U}=\x1b[1;32m{v}\x1b[0m done",
    "colour inside": "{U}={h}\x1b[01;31m\x1b[K{t}\x1b[m\x1b[K",
    "colour json": '\x1b[34m"{c}"\x1b[0m: \x1b[32m"{v}"\x1b[0m',
    "log line": "2026-01-05T10:11:12Z DEBUG app.config {s}={v} region=eu",
    "log json": '{{"level":"debug","msg":"loaded","{c}":"{v}"}}',
    "log repr": "DEBUG Settings({s}='{v}', debug=False)",
    "printenv": "PATH=/usr/bin\n{U}={v}\nHOME=/root",
    "set -x": "+ {U}={v}",
    "diff": "@@ -1,2 +1,2 @@\n-{U}=\n+{U}={v}",
    "grep": "config/app.env:12:{U}={v}",
    "connection string": "Server=db;Database=shop;User Id=app;{P}={v};Encrypt=True",
    "dsn": "host=db user=app {s}={v} dbname=shop",
    "jdbc": "jdbc:postgresql://db:5432/shop?user=app&{c}={q}",
    "cli flag": "deploy --{k} {v} --region eu",
    "cli flag =": "deploy --{k}={v} --region eu",
    "cli flag quoted": "deploy --{k} '{v}' --region eu",
    "argv list": '["deploy", "--{k}", "{v}", "--region"]',
    "terraform": 'variable "{s}" {{\n  default = "{v}"\n}}',
    "tfvars": '{s} = "{v}"',
    "k8s data": "apiVersion: v1\nkind: Secret\nmetadata:\n  name: app\ndata:\n  {k}: {b}",
    "k8s string data": "kind: Secret\nmetadata:\n  name: app\nstringData:\n  {k}: {v}",
    "github actions": "env:\n  {U}: {v}",
    "github actions with": "with:\n  {k}: {v}",
    "github output": 'echo "{U}={v}" >> "$GITHUB_ENV"',
    "powershell": '$env:{U} = "{v}"',
    "powershell var": "${c} = '{v}'",
    "cmd set": "set {U}={v}",
    "cmd setx": 'setx {U} "{v}"',
    "fish": "set -x {U} {v}",
    "csh": "setenv {U} {v}",
    "npmrc": "registry=https://registry.npmjs.org/\n//registry.npmjs.org/:_authToken={v}",
    "pypirc": "[pypi]\nusername = __token__\npassword = {v}",
    "netrc": "machine api.acme.dev\n  login ann\n  password {v}",
    "netrc line": "machine api.acme.dev login ann password {v}",
    "pgpass": "db.internal:5432:shop:app:{v}",
    "sql": "ALTER USER app WITH PASSWORD '{v}';",
    "sql identified": "CREATE USER 'app'@'%' IDENTIFIED BY '{v}';",
    "sql insert": "INSERT INTO config (id, {s}) VALUES (1, '{v}');",
    "ansible": "app_{s}: '{v}'",
    "helm set": "helm upgrade app ./chart --set auth.{c}={v}",
    "kubectl literal": "kubectl create secret generic app --from-literal={k}={v}",
    "heroku": "heroku config:set {U}={v} -a shop",
    "gh secret": 'gh secret set {U} --body "{v}"',
    "aws configure": "aws configure set {s} {v}",
    "basic auth": "Authorization: Basic {B}",
    "prose is": "the {w} is {v}, please keep it",
    "prose colon": "Here is the {w}: {v}",
    "prose code": "Use `{v}` as the {w}.",
    "dict repr": "{{'user': 'ann', '{s}': '{v}'}}",
    "bytes": "{U} = b'{v}'",
    "system property": "java -D{k}={v} -jar app.jar",
    "gradle": 'ext.{c} = "{v}"',
    "nix": '{c} = "{v}";',
    "clojure": ':{k} "{v}"',
    "vim": 'let g:{s} = "{v}"',
    "graphql": 'mutation {{ login({c}: "{v}") {{ id }} }}',
    "form": 'Content-Disposition: form-data; name="{s}"\n\n{v}\n--x',
    "html input": '<input type="hidden" name="{s}" value="{v}">',
    "repeated": "{U}={v}\nconnecting with {v} to the server",
    "base64 again": "{U}={v}\nencoded: {b}",
    "url-encoded again": "{U}={v}\ncallback?x={q}&y=1",
}  # fmt: skip
# What a carrier needs a value to be: those below hold passwords and tokens alike, but not addresses of webhooks.
NO_ADDRESS = {
    "url user", "url query", "url query first", "cookie", "set-cookie", "jdbc", "curl user", "netrc", "netrc line",
    "pgpass", "pypirc", "npmrc", "basic auth", "curl bearer", "http header", "prose is", "connection string",
    "k8s data",
}  # fmt: skip
# Bare structural tokens: no name stands before them.
BARE = {
    "bare": "{v}",
    "bare in prose": "please try {v} and tell me",
    "bare quoted": 'run "{v}", then stop',
    "bare in parentheses": "({v})",
    "bare end of sentence": "I used {v}.",
    "bare argument": "./deploy.sh prod {v} now",
    "bare on a line": "output:\n{v}\ndone",
    "bare in a list": "[1, '{v}', None]",
    "bare after a letter": "X{v}",
    "bare after a word": "token{v}",
    "bare after an underscore": "my_{v}",
    "bare in a path": "https://api.acme.dev/v1/{v}/items",
    "bare in an assignment": "x = '{v}'",
    "bare in a comment": "// was {v} before",
    "bare in a message": "fix: drop {v} from the config",
}
# Families whose form needs its beginning: what is glued to it makes another thing of it.
NOT_GLUED = {"mailchimp", "terraform cloud", "telegram bot", "discord bot", "azure client secret", "airtable"}


def _fill(pattern: str, variable: str, value: str) -> str:
    middle = len(value) // 2
    encoded = base64.b64encode(value.encode()).decode()
    basic = base64.b64encode(f"deploy:{value}".encode()).decode()
    return pattern.format(
        U=_upper(variable), s=_snake(variable), c=_camel(variable), P=_pascal(variable), k=_kebab(variable),
        w=" ".join(_words(variable)), v=value, q=quote(value, safe=""), b=encoded, B=basic, h=value[:middle],
        t=value[middle:],
    )  # fmt: skip


def _shown(pattern: str, value: str) -> str:
    """The value in the spelling in which the text holds it."""
    if "{v}" in pattern or "{h}" in pattern:
        return value
    if "{q}" in pattern:
        return quote(value, safe="")
    return base64.b64encode((f"deploy:{value}" if "{B}" in pattern else value).encode()).decode()


def half_of(family: str, carrier: str) -> str:
    """Which half a pair belongs to: `tune` or `held`."""
    return ("tune", "held")[hashlib.sha256(f"{family}/{carrier}".encode()).digest()[0] % 2]


def _samples(carriers: dict[str, str], families: list[Family], half: str, seed: int) -> Iterator[Sample]:
    for carrier, pattern in carriers.items():
        for family in families:
            if half_of(family.name, carrier) == half:
                value = family.make(random.Random(f"{seed}/{family.name}/{carrier}"))
                if carrier in NO_ADDRESS and "//" in value:
                    continue
                yield Sample(family.name, carrier, _fill(pattern, family.variable, value), _shown(pattern, value))


@cache
def named(half: str, seed: int = 14) -> list[Sample]:
    """Every family in every named carrier of a half."""
    return list(_samples(PATTERNS, list(FAMILIES), half, seed))


@cache
def bare(half: str, seed: int = 14) -> list[Sample]:
    """The structural families without a name before them."""
    structural = [family for family in FAMILIES if family.is_structural]
    found = _samples(BARE, structural, half, seed)
    return [one for one in found if not ("after a" in one.carrier and (one.family in NOT_GLUED or "//" in one.value))]


def is_gone(sample: Sample, text: str) -> bool:
    """Whether neither the value nor twelve signs in a row of it are left, in its spelling or another one."""
    for value in {sample.value, json.dumps(sample.value)[1:-1]}:
        pieces = [value] if len(value) < 24 else [value[at : at + 12] for at in range(len(value) - 11)]
        if value in text or (not value.startswith("http") and any(piece in text for piece in pieces)):
            return False
    return True
