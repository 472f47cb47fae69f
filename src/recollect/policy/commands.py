"""What a shell command does: look around, check something, change something, or reach a milestone."""

import re
import shlex
from dataclasses import dataclass
from typing import Literal

Does = Literal["look", "check", "step", "change", "release", "commit"]
ORDER: tuple[Does, ...] = ("look", "check", "step", "change", "release", "commit")
NESTED = 2
_SEALS = {ord(sign): code for code, sign in enumerate(";|&\n", 0xE000)}
_OPENS = {code: sign for sign, code in _SEALS.items()}

_SPLIT = re.compile(r"\s*(?:&&|\|\||;|\n)\s*")
_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"")
_HEREDOC = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?.*?\n(.*?)\n\s*\1\b", re.DOTALL)
_COMMIT = re.compile(r"\bgit\b(?:\s+-[cC]\s+\S+)*\s+commit\b")
_MESSAGE = re.compile(r"(?:\s-\w*m|\s--message)[ =]?(\"(?:[^\"\\]|\\.)*\"|'[^']*'|\S+)")
_COMMITTED = re.compile(r"^\[([^\]\n]*?) ?\b([0-9a-f]{6,40})\] (.+)$", re.MULTILINE)
_LOGGED = re.compile(r"^([0-9a-f]{7,40}) (?:\([^)]*\) )?(.+)$", re.MULTILINE)

# Words in front of the program that is meant.
_BEFORE = re.compile(
    r"^(?:\w+=(?:\"[^\"]*\"|'[^']*'|\S*)\s+|(?:sudo|time|nohup|exec|command|env|npx|bunx|nice|stdbuf -\w+|then|do|if|!)"
    r"(?:\s+-\w+)*\s+|timeout\s+(?:-\w+\s+)*\S+\s+|(?:uv|poetry|pipenv|pdm|hatch|rye|mise|direnv)\s+(?:run|exec)\s+(?:--?\S+\s+)*"
    r"|python3?\s+(?=\S*manage\.py)|php\s+(?=artisan)|for\s+\w+\s+in\s.*$|while\s|(?:done|fi|esac)\b.*|(?:bundle|pnpm|yarn|npm)\s+exec\s+(?:--\s+)?|pnpm\s+dlx\s+|python3?\s+-m\s+|(?:\./)?(?:vendor/bin|node_modules/\.bin|bin)/"
    r"|\./|docker(?:-|\s+)compose\s+(?:exec|run)\s+(?:-\S+\s+)*\S+\s+|docker\s+exec\s+(?:-\S+\s+)*\S+\s+|sail\s+"
    r"|cd\s+\S+$|pushd\s+\S+$)"
)
_INSIDE = re.compile(r"^(?:ssh\s+(?:-\S+\s+)*\S+|(?:ba|z)?sh\s+-\w*c|wsl|vagrant ssh -c)\s+(.+)$", re.DOTALL)
_LOOKING = re.compile(
    r"^(?:ls|ll|cat|bat|head|tail|less|more|e?grep|rg|ag|fd|find|tree|wc|stat|file|which|type|whereis|pwd|echo|printf|env"
    r"|printenv|ps|top|htop|df|du|date|who|whoami|id|uname|hostname|diff|cmp|jq|yq|sort|uniq|cut|awk|nl|xxd|od|strings|sleep|true|cd"
    r"|history|man|help|clear|lsof|netstat|ss|dig|nslookup|ping|free|uptime|nproc|nvidia-smi|lscpu|journalctl|dmesg|export|read|wait"
    r"|sed\s+-n|git\s+(?:-\S+\s+)*(?:status|diff|log|show|blame|branch|remote|fetch|reflog|rev-parse|ls-files|describe|shortlog"
    r"|stash\s+(?:list|show)|config\s+(?:--get|-l|--list)|grep|tag\s+-l|tag$|bisect\s+log|add|worktree\s+list|cat-file)"
    r"|docker\s+(?:ps|logs|images|inspect|stats|version|info)|docker(?:-|\s+)compose\s+(?:ps|logs|config)|kubectl\s+(?:-\S+\s+\S+\s+)*"
    r"(?:get|describe|logs|top|config|explain|events|version)|helm\s+(?:list|ls|get|status|history|template|show)|terraform\s+(?:-\S+\s+)*"
    r"(?:plan|show|output|state\s+list|version|workspace\s+list)|(?:npm|pnpm|yarn|bun)\s+(?:ls|list|view|info|outdated|why|audit)"
    r"|(?:pip3?|uv\s+pip)\s+(?:list|show|freeze|index)|uv\s+tree|cargo\s+(?:tree|metadata|search)|go\s+(?:list|env|version|doc)"
    r"|gh\s+\w+\s+(?:view|list|status|diff|checks)|gh\s+api|curl\s+(?!.*-X\s*(?:POST|PUT|PATCH|DELETE))|wget|ansible-(?:config|inventory|doc)"
    r"|adb\s+(?:logcat|devices|shell)|gem\s+list|bundle\s+(?:list|show|info)|composer\s+(?:show|info)|redis-cli\s+(?:get|info|keys)"
    r"|psql\b.*\b(?:select|\\d|show|explain)\b|mysql\b.*\b(?:select|show|explain|describe)\b|sqlite3\b.*\b(?:select|\.schema|\.tables)\b"
    r"|aws\s+\S+\s+(?:describe|list|get)\S*|gcloud\s+.*\b(?:list|describe)\b|systemctl\s+(?:status|list\S*|show|cat)|brew\s+(?:list|info)"
    r"|rustc\s+--version|\S+\s+(?:--version|-V|--help|-h)$|mkdir|touch|\[|set|source|\.|watch|code|open|tee|basename|dirname|realpath)\b",
    re.IGNORECASE | re.DOTALL,
)  # fmt: skip
_CHECKING = re.compile(
    r"^(?:pytest|py\.test|tox|nox|unittest|jest|vitest|mocha|ava|playwright|cypress|karma|ng\s+(?:test|build|lint)|rspec|cucumber|minitest"
    r"|phpunit|pest|phpstan|psalm|pint|ctest|gtest|bats|mypy|pyright|ruff|flake8|pylint|black|isort|eslint|prettier|biome|tsc|stylelint"
    r"|shellcheck|hadolint|yamllint|actionlint|markdownlint|clippy|golangci-lint|staticcheck|gofmt|rubocop|brakeman|ktlint|detekt|swiftlint"
    r"|(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+\S+\s+)*(?:run\s+)?(?:\S*(?:test|lint|build|check|tsc|typecheck|e2e|ci)\S*|vitest|jest|tsc|eslint|next|vite"
    r"|playwright|nx|turbo)|go\s+(?:test|vet|build|run|generate)|cargo\s+(?:\+\S+\s+)?(?:test|build|check|clippy|run|bench|doc|nextest|miri|fmt)"
    r"|(?:\./)?gradlew?|mvnw?|sbt|lein|bazel|buck2?|dotnet\s+(?:test|build|run|format)|mix\s+(?:test|compile|credo|dialyzer|format)|swift\s+(?:test|build)"
    r"|xcodebuild|make|cmake|ninja|meson|rake|rails\s+(?:test|runner|zeitwerk\S*)|(?:php\s+)?artisan\s+test|composer\s+(?:test|run|validate)"
    r"|\S*manage\.py\s+(?:test|check|makemigrations)|dbt\s+(?:run|test|build|compile|parse)|airflow\s+dags|docker\s+build|docker(?:-|\s+)compose\s+(?:up|build)"
    r"|helm\s+lint|terraform\s+(?:validate|fmt|init)|tflint|kubeval|conftest|ansible-(?:lint|playbook)|act\b|promtool|nginx\s+-t|python3?|node|ruby|php|deno|java|perl"
    r"|build/\S+|bin/\S+|target/\S+|\S+_test\b|twine\s+check|hatch\s+(?:build|test)|pre-commit)",
    re.IGNORECASE,
)  # fmt: skip
_CHANGING = re.compile(
    r"^(?:(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+)*(?:add|install|i|remove|uninstall|rm|upgrade|update|up)\s+(?:-\S+\s+)*[@\w]\S*"
    r"|(?:pip3?|uv\s+pip)\s+(?:install|uninstall)\s+(?:-(?:U|y|q|-upgrade)\S*\s+)*(?!-r|-e|\.)[\w\"'][^\s]*|(?:uv|poetry|pdm|rye|hatch)\s+(?:add|remove|lock\s+--upgrade)\s+\S+"
    r"|cargo\s+(?:add|remove|update\s+-p)\s+\S+|go\s+(?:get|mod\s+edit)\s+\S+|bundle\s+(?:add|update|remove)\s+\S+|gem\s+install\s+\S+"
    r"|composer\s+(?:require|remove|update)\s+\S+|apt(?:-get)?\s+(?:-\S+\s+)*(?:install|remove)\s+\S+|apk\s+add|brew\s+(?:install|upgrade)|dotnet\s+add\b|conda\s+install"
    r"|mix\s+(?:ecto\.migrate|deps\.update)|nix\s+profile\s+install|dnf\s+install|yum\s+install|choco\s+install|rustup\s+(?:toolchain|component|target|default|override)|nvm\s+(?:install|alias)|pyenv\s+(?:install|local|global)|asdf\s+(?:install|local|global)"
    r"|\S*manage\.py\s+migrate|alembic\s+(?:upgrade|downgrade)|rails\s+db:\S+|rake\s+db:\S+|prisma\s+(?:migrate|db\s+push)|(?:npm|pnpm|yarn)\s+prisma\s+(?:migrate|db\s+push)|(?:php\s+)?artisan\s+migrate|flyway\s+migrate"
    r"|knex\s+migrate|sequelize\s+db:migrate|diesel\s+migration|sqlx\s+migrate|goose\s+(?:\S+\s+)*up|liquibase\s+update|psql\b.*\b(?:alter|create|drop)\s+(?:table|index|extension|role|user|database|policy|view|type|function)\b"
    r"|kubectl\s+(?:-\S+\s+\S+\s+)*(?:apply|set|scale|patch|create|rollout\s+(?:restart|undo)|annotate|label|delete)|helm\s+(?:-\S+\s+)*(?:install|upgrade|rollback|uninstall)|terraform\s+(?:-\S+\s+)*(?:apply|destroy|import|state\s+(?:mv|rm))|pulumi\s+up"
    r"|ansible-playbook\b(?!.*(?:--check|--syntax-check|-C\b))|docker\s+(?:push|stack\s+deploy)|fly(?:ctl)?\s+(?:deploy|secrets|scale)|vercel\b.*(?:--prod|deploy)|netlify\s+deploy|serverless\s+deploy|sls\s+deploy|cap\s+\S+\s+deploy|eb\s+deploy|cdk\s+deploy|wrangler\s+(?:deploy|secret)"
    r"|gcloud\s+.*\b(?:deploy|create|update|set)\b|aws\s+\S+\s+(?:create|update|put|delete|set|modify|attach)\S*|heroku\s+(?:config:set|addons:\S+|ps:scale)|az\s+.*\b(?:create|update|set)\b"
    r"|systemctl\s+(?:enable|disable|mask)|git\s+config\s+(?!--get|-l|--list)\S+|gh\s+(?:secret|variable|repo\s+edit)\s+\S+|(?:npm|pnpm|yarn)\s+config\s+set|crontab\b|ufw\s+(?:allow|deny)|sysctl\s+-w|useradd|usermod|firebase\s+deploy)",
    re.IGNORECASE | re.DOTALL,
)  # fmt: skip
_RELEASING = re.compile(
    r"^(?:git\s+tag\s+(?!-l|-d|--list|-n)\S+|git\s+push\b.*--(?:follow-)?tags|gh\s+release\s+(?:create|edit)|(?:npm|pnpm|yarn)\s+publish|cargo\s+(?:publish|release)|npm\s+version|twine\s+upload"
    r"|(?:uv|poetry|hatch|flit)\s+publish|mvn\b.*\bdeploy|gem\s+push|goreleaser\s+release|semantic-release|changeset\s+publish|dotnet\s+nuget\s+push|mix\s+hex\.publish)",
    re.IGNORECASE,
)  # fmt: skip
# Tools whose second word says what they do.
_WITH_VERBS = re.compile(
    r"^(?:npm|pnpm|yarn|bun|git|go|cargo|docker|kubectl|helm|terraform|dotnet|mix|make|rake|rails|dbt|gh|composer|bundle|swift|gradlew?|mvnw?|cmake|sbt|aws|gcloud"
    r"|artisan|hatch|nx|turbo|ng|airflow|flutter|deno|zig|bazel)$"
)
_PACKAGE_RUNNERS = ("npm", "pnpm", "yarn", "bun")
_ALIKE = {"jest": "js test", "vitest": "js test", "mocha": "js test", "js vitest": "js test", "js jest": "js test",
          "py.test": "pytest", "tox": "pytest", "nox": "pytest", "unittest": "pytest", "js tsc": "tsc", "js typecheck": "tsc",
          "js type-check": "tsc", "js eslint": "js lint", "eslint": "js lint"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Act:
    """One command of a line: what it does, which program it runs, and on what."""

    does: Does
    family: str
    targets: frozenset[str]
    words: str


@dataclass(frozen=True, slots=True)
class Commit:
    """What a commit says of itself."""

    message: str
    number: str = ""

    @property
    def title(self) -> str:
        """The first line."""
        return self.message.strip().partition("\n")[0].strip()


def read(command: str, depth: int = 0) -> list[Act]:
    """The commands of a line, each with what it does; what a pipe is filtered through is left out."""
    bare = _HEREDOC.sub(" ", command)
    acts = []
    for part in _SPLIT.split(_QUOTED.sub(_sealed, bare)):
        said = _meant(_opened(part.partition("|")[0]))
        inner = _INSIDE.match(said)
        if inner and depth < NESTED:
            acts += read(inner[1].strip().strip("'\""), depth + 1)
        elif said:
            acts.append(_act(said))
    return acts


def _sealed(quoted: re.Match[str]) -> str:
    """A quotation in which nothing separates commands."""
    return quoted.group().translate(_SEALS)


def _opened(part: str) -> str:
    return part.translate(_OPENS).strip()


def _meant(said: str) -> str:
    before = ""
    while said != before:
        before, said = said, _BEFORE.sub("", said.strip(" ()"), count=1)
    return said


def _act(said: str) -> Act:
    words = _words(said)
    family, rest = _family(words)
    targets = frozenset(word for word in rest if not word.startswith("-") and not _is_redirection(word))
    return Act(_does(said), family, targets, said)


def _words(said: str) -> list[str]:
    try:
        return shlex.split(said, comments=False)
    except ValueError:
        return said.split()


def _is_redirection(word: str) -> bool:
    return bool(re.match(r"^\d?[<>]|^&", word))


def _family(words: list[str]) -> tuple[str, list[str]]:
    if not words:
        return "", []
    program, rest = words[0].rpartition("/")[2], words[1:]
    if program in _PACKAGE_RUNNERS:
        verbs = [word for word in rest if not word.startswith("-") and word != "run"]
        family = f"js {verbs[0]}" if verbs else f"js {program}"
        return _ALIKE.get(family, family), verbs[1:]
    if _WITH_VERBS.match(program):
        verbs = [word for word in rest if not word.startswith("-")]
        return (f"{program} {verbs[0]}", verbs[1:]) if verbs else (program, rest)
    if program in ("python", "python3", "node", "ruby", "php", "bash", "sh") and rest:
        script = next((word for word in rest if not word.startswith("-")), "")
        named, after = script.rpartition("/")[2], rest[rest.index(script) + 1 :] if script else rest
        verb = f" {after[0]}" if named in ("manage.py", "artisan") and after else ""
        return f"{named or program}{verb}", after[1:] if verb else after
    return _ALIKE.get(program, program), rest


def _does(said: str) -> Does:
    if _COMMIT.search(said):
        return "commit"
    for does, pattern in (("release", _RELEASING), ("change", _CHANGING), ("look", _LOOKING), ("check", _CHECKING)):
        if pattern.match(said):
            return does  # type: ignore[return-value]
    return "step"


def does(acts: list[Act]) -> Does:
    """What a line does as a whole: the most that one of its commands does."""
    return max((act.does for act in acts), key=ORDER.index, default="look")


def is_same(one: list[Act], other: list[Act]) -> bool:
    """Whether two lines run the same thing: the same program, on the same targets or on all."""
    checked = [act for act in one if act.does not in ("look", "commit")]
    again = [act for act in other if act.does not in ("look", "commit")]
    return any(_is_same(act, later) for act in checked for later in again)


def _is_same(act: Act, later: Act) -> bool:
    if act.family != later.family or not act.family:
        return False
    if not act.targets or not later.targets or act.targets & later.targets:
        return True
    return any(_covers(one, two) or _covers(two, one) for one in act.targets for two in later.targets)


def _covers(one: str, two: str) -> bool:
    """Whether a folder, or a file, is around something else: `tests`, `tests/api.py`, `tests/api.py::test_one`."""
    return two.startswith((one.rstrip("/.") + "/", one + "::")) or one in (".", "./...")


def commit(command: str, output: str) -> Commit | None:
    """The commit that a line made, by what it was told and by what git answered."""
    if not _COMMIT.search(command):
        return None
    told = _COMMITTED.search(output) or _LOGGED.search(output)
    number = told[2] if told and told.re is _COMMITTED else told[1] if told else ""
    heredoc = _HEREDOC.search(command)
    given = [found[1:-1] if found[:1] in "\"'" else found for found in _MESSAGE.findall(command)]
    message = heredoc[2] if heredoc else "\n\n".join(given)
    answered = (told[3] if told.re is _COMMITTED else told[2]) if told else ""
    return Commit((message or answered).strip(), number)
