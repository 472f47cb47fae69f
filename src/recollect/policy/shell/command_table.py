"""The table of commands: which programs, with which verbs, look around, check, change something or release.

A verb is one of the first three words behind the program, flags aside. `a/b` means that `b` follows `a`; `a+` that
something has to follow `a`. Without verbs the program itself counts. The first row that matches decides.
"""

ROWS = (
    # program(s), verbs, what it does
    ("git", "tag+ push/--tags push/--follow-tags", "release"),
    ("gh", "release/create release/edit", "release"),
    ("npm pnpm yarn", "publish version", "release"),
    ("cargo", "publish release", "release"),
    ("twine", "upload", "release"),
    ("uv poetry hatch flit pdm", "publish", "release"),
    ("mvn mvnw", "deploy", "release"),
    ("gem", "push", "release"),
    ("goreleaser semantic-release", "", "release"),
    ("changeset", "publish", "release"),
    ("mix", "hex.publish", "release"),
    # dependencies
    ("npm pnpm yarn bun", "add+ install+ i+ remove+ uninstall+ rm+ upgrade+ update+ up+", "change"),
    ("pip pip3", "install+ uninstall+", "change"),
    ("uv", "add+ remove+ pip/install+ pip/uninstall+", "change"),
    ("poetry pdm rye hatch", "add+ remove+", "change"),
    ("cargo", "add+ remove+ update+", "change"),
    ("go", "get+ mod/edit+", "change"),
    ("bundle", "add+ update+ remove+", "change"),
    ("gem", "install+", "change"),
    ("composer", "require+ remove+ update+", "change"),
    ("apt apt-get dnf yum apk brew choco conda", "install+ remove+ add+ upgrade+", "change"),
    ("dotnet", "add/package", "change"),
    ("rustup", "toolchain component target default override", "change"),
    ("nvm pyenv asdf mise", "install+ local+ global+ use+ alias+", "change"),
    # migrations
    ("manage.py", "migrate", "change"),
    ("alembic", "upgrade downgrade", "change"),
    ("rails rake", "db:migrate db:rollback db:schema:load db:seed", "change"),
    ("prisma", "migrate db/push", "change"),
    ("npm pnpm yarn", "prisma/migrate prisma/db", "change"),
    ("artisan", "migrate", "change"),
    ("flyway sqlx diesel goose liquibase knex sequelize", "migrate migration up", "change"),
    ("flyway sqlx diesel goose liquibase knex sequelize", "update db:migrate migrate:latest", "change"),
    ("mix", "ecto.migrate", "change"),
    # deployments and machines
    ("kubectl", "apply set scale patch create annotate label delete rollout/restart rollout/undo", "change"),
    ("helm", "install upgrade rollback uninstall", "change"),
    ("terraform tofu", "apply destroy import state/mv state/rm", "change"),
    ("pulumi", "up", "change"),
    ("docker", "push stack/deploy", "change"),
    ("fly flyctl", "deploy secrets scale", "change"),
    ("vercel netlify serverless sls eb cdk firebase wrangler cap", "deploy secret --prod", "change"),
    ("gcloud az", "deploy create update set", "change"),
    ("heroku", "config:set ps:scale", "change"),
    ("systemctl", "enable disable mask", "change"),
    ("gh", "secret variable", "change"),
    ("git", "config+", "change"),
    ("crontab ufw useradd usermod", "", "change"),
    # looking around
    ("ls ll cat bat head tail less more grep egrep rg ag", "", "look"),
    ("fd find tree wc stat file which type whereis pwd echo printf", "", "look"),
    ("env printenv ps top htop df du date who whoami id uname", "", "look"),
    ("hostname diff cmp jq yq sort uniq cut awk nl xxd od", "", "look"),
    ("strings sleep true cd history man help clear lsof", "", "look"),
    ("netstat ss dig nslookup ping free uptime nproc nvidia-smi", "", "look"),
    ("lsb_release vulkaninfo getconf sw_vers locale sha256sum shasum md5sum", "", "look"),
    ("lscpu journalctl dmesg export read wait touch", "", "look"),
    ("set source watch code open tee basename dirname realpath", "", "look"),
    ("ansible-config ansible-inventory ansible-doc wget sshd", "", "look"),
    ("git", "status diff log show blame branch remote", "look"),
    ("git", "fetch reflog rev-parse ls-files describe shortlog", "look"),
    ("git", "stash grep tag add cat-file worktree/list bisect/log checkout switch restore push", "look"),
    ("docker", "ps logs images inspect stats version info compose/ps compose/logs compose/config", "look"),
    ("docker-compose", "ps logs config", "look"),
    ("kubectl", "config/use-context config/set-context", "step"),
    ("kubectl", "get describe logs top config explain events version", "look"),
    ("helm", "list ls get status history template show", "look"),
    ("terraform tofu", "show output state/list version workspace", "look"),
    ("npm pnpm yarn bun", "ls list view info outdated why audit", "look"),
    ("pip pip3", "list show freeze index", "look"),
    ("uv", "tree pip/list pip/show pip/freeze", "look"),
    ("cargo", "tree metadata search", "look"),
    ("go", "list env version doc", "look"),
    ("gh", "view list status diff checks api", "look"),
    ("adb", "logcat devices shell", "look"),
    ("gem bundle composer brew", "list show info", "look"),
    ("systemctl", "status list-units show cat", "look"),
    ("bq", "show ls head", "look"),
    ("sed", "-n", "look"),
    ("unzip tar", "-l -tf tf tzf -tzf", "look"),
    ("dpkg rpm", "-l -s -L -q -qa", "look"),
    # checks
    ("pytest py.test tox nox unittest jest vitest mocha", "", "check"),
    ("ava playwright cypress karma rspec cucumber phpunit pest", "", "check"),
    ("phpstan psalm pint ctest bats mypy pyright ruff", "", "check"),
    ("flake8 pylint black isort eslint prettier biome tsc stylelint", "", "check"),
    ("shellcheck hadolint yamllint actionlint markdownlint", "", "check"),
    ("golangci-lint staticcheck gofmt rubocop brakeman ktlint", "", "check"),
    ("detekt swiftlint gradle gradlew mvn mvnw sbt lein", "", "check"),
    ("bazel xcodebuild make cmake ninja meson rake tflint pre-commit", "", "check"),
    ("ansible-lint ansible-playbook dbt airflow promtool nginx python", "", "check"),
    ("python3 node ruby php deno java perl mkdocs", "", "check"),
    ("npm pnpm yarn bun", "test run lint build check tsc typecheck vitest", "check"),
    ("npm pnpm yarn bun", "jest eslint next vite playwright nx turbo e2e ci", "check"),
    ("ng", "test build lint", "check"),
    ("go", "test vet build run generate", "check"),
    ("cargo", "test build check clippy run bench doc nextest miri fmt", "check"),
    ("dotnet", "test build run format", "check"),
    ("mix", "test compile credo dialyzer format", "check"),
    ("swift flutter dart zig", "test build analyze", "check"),
    ("rails", "test runner zeitwerk:check", "check"),
    ("artisan", "test", "check"),
    ("sail", "test", "check"),
    ("composer", "test run validate", "check"),
    ("manage.py", "test check makemigrations", "check"),
    ("docker", "build compose/up compose/build", "check"),
    ("docker-compose", "up build", "check"),
    ("helm", "lint", "check"),
    ("terraform tofu", "plan validate fmt init", "check"),
    ("twine", "check", "check"),
    ("uv poetry hatch", "build test lock sync", "check"),
    ("nix", "build flake develop", "check"),
)  # fmt: skip

# Words in front of the program that is meant, and how many more words belong to them.
BEFORE = {
    "sudo": 0, "time": 0, "nohup": 0, "exec": 0, "command": 0, "npx": 0, "bunx": 0, "nice": 0, "then": 0, "do": 0,
    "if": 0, "!": 0, "timeout": 1, "while": 0, "xvfb-run": 0,
}  # fmt: skip
# Programs that run another one behind one of these verbs: `uv run pytest`.
RUNNING = {
    "uv": ("run",), "poetry": ("run",), "pipenv": ("run",), "pdm": ("run",), "hatch": ("run",), "rye": ("run",),
    "bundle": ("exec",), "pnpm": ("exec", "dlx"), "yarn": ("exec", "dlx"), "npm": ("exec",), "mise": ("exec",),
    "direnv": ("exec",), "nix": ("run",),
}  # fmt: skip
# Words in front of a program that change nothing in what it does.
PLAIN = frozenset(["time", "nohup", "exec", "command", "nice", "then", "do", "if", "!", "timeout", "while"])
# Flags that choose what is run or shown, not how it is run.
SHOWING = frozenset(
    [
        "verbose", "quiet", "color", "no-color", "tb", "reporter", "format", "nocapture", "lf", "last-failed", "filter",
        "seed", "run", "grep", "testNamePattern", "tests", "test", "only", "bail", "fail-fast", "watch", "stacktrace",
        "info", "debug", "trace", "output-logs", "bisect", "nologo", "stat", "list", "durations", "maxfail", "message",
        "all", "workspace", "count", "input", "json", "name", "chdir", "silent", "summary",
    ]
)  # fmt: skip
# Flags that take a value, by program: the word behind them is no verb.
_OF_PACKAGES = ("--filter", "-F", "-C", "--dir", "--prefix", "--workspace", "--cwd")
_OF_CONTAINERS = (
    "-f", "--file", "-v", "--volume", "-w", "--workdir", "-e", "--env", "-p", "-u", "--user", "--name", "--network",
    "--mount", "--platform", "--entrypoint", "--env-file", "--gpus",
)  # fmt: skip
VALUED = {
    "npm": (*_OF_PACKAGES, "-w"), "pnpm": _OF_PACKAGES, "yarn": _OF_PACKAGES,
    "docker": _OF_CONTAINERS, "docker-compose": _OF_CONTAINERS,
    "make": ("-C", "-f"), "kubectl": ("-n", "--context"),
}  # fmt: skip
# Commands that run another one, which is given to them as one word.
SHELLS = ("bash", "sh", "zsh", "ssh", "wsl")
# Different names of the same thing.
ALIKE = {
    "jest": "js test", "vitest": "js test", "mocha": "js test", "js vitest": "js test", "js jest": "js test",
    "py.test": "pytest", "tox": "pytest", "nox": "pytest", "unittest": "pytest", "js tsc": "tsc",
    "js typecheck": "tsc", "js type-check": "tsc", "js eslint": "js lint", "eslint": "js lint", "gradlew": "gradle",
    "mvnw": "mvn", "pip3": "pip", "docker-compose": "docker compose", "tofu": "terraform",
}  # fmt: skip
# Programs that run a task of the project by its name, and the verbs that may stand before the name: `mise run test:ci`.
TASK_PROGRAMS = {
    "mise": ("run", "r"), "just": (), "task": (), "go-task": (), "invoke": (), "inv": (), "poe": (), "doit": ("run",),
}  # fmt: skip
NEEDS_VERB = frozenset(["mise"])
"""Task programs that do other things without the verb."""
PACKAGE_RUNNERS = ("npm", "pnpm", "yarn", "bun")
TASK_RUNNERS = ("turbo", "nx", "lerna")
INTERPRETERS = ("python", "python3", "node", "ruby", "php", "perl", "deno")
# Checks of style: what they complain of is put right and forgotten.
STYLE = frozenset(
    [
        "cargo clippy", "cargo fmt", "js lint", "ruff", "flake8", "pylint", "black", "isort", "prettier", "biome",
        "stylelint", "shellcheck", "hadolint", "yamllint", "actionlint", "markdownlint", "golangci-lint", "gofmt",
        "rubocop", "ktlint", "detekt", "swiftlint", "phpcs", "pint", "mix credo", "mix format", "ansible-lint",
        "tflint", "terraform fmt", "dotnet format",
    ]
)  # fmt: skip
# Tools whose next word says what they do.
WITH_VERBS = frozenset(
    [
        "git", "go", "cargo", "docker", "kubectl", "helm", "terraform", "dotnet", "mix", "make", "rake", "rails", "dbt",
        "gh", "composer", "bundle", "swift", "gradle", "mvn", "sbt", "aws", "gcloud", "artisan", "manage.py", "hatch",
        "ng", "airflow", "flutter", "deno", "zig", "bazel", "uv", "poetry", "nix", "sail",
    ]
)  # fmt: skip
