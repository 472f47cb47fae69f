"""The type of the activities' tables, and the classes of words that their patterns name. Import-light."""

_PACKAGE_NAMES = (
    "axios lodash underscore ramda moment dayjs date-fns luxon zod yup joi ajv express fastify koa nestjs react preact"
    " vue angular svelte solidjs redux zustand mobx jotai recoil tanstack react-query swr formik tailwind tailwindcss"
    " bootstrap chakra mui antd shadcn radix emotion styled-components webpack vite rollup esbuild parcel babel eslint"
    " prettier jest vitest mocha chai sinon cypress playwright puppeteer storybook typeorm prisma drizzle sequelize"
    " knex"
    " mongoose winston pino morgan helmet passport socket.io graphql apollo trpc nodemailer sharp uuid nanoid chalk"
    " commander yargs dotenv husky lerna turborepo d3 chart.js recharts three.js leaflet framer-motion gsap dompurify"
    " marked cheerio jsdom immer rxjs bluebird p-limit p-retry got node-fetch superagent requests httpx aiohttp flask"
    " django fastapi starlette pydantic sqlalchemy alembic celery pandas polars numpy scipy sklearn scikit-learn"
    " pytorch"
    " torch tensorflow keras transformers langchain openai anthropic matplotlib seaborn plotly pytest hypothesis tox"
    " nox"
    " mypy pyright ruff black isort flake8 pylint click typer rich loguru structlog tenacity boto3 redis-py psycopg"
    " psycopg2 asyncpg pymongo motor jinja2 jinja beautifulsoup bs4 lxml selenium scrapy pillow opencv gunicorn uvicorn"
    " attrs msgspec orjson arrow pendulum tqdm gin echo fiber chi gorm sqlx viper cobra zap zerolog logrus testify"
    " gomock wire serde tokio actix axum reqwest anyhow thiserror clap rayon diesel hyper tonic tracing rspec sidekiq"
    " devise pundit rubocop capybara faker factory_bot nokogiri faraday lombok jackson gson guava mockito junit"
    " hibernate mapstruct okhttp retrofit kotlinx ktor koin dagger hilt rxjava laravel symfony guzzle doctrine"
    " phpunit carbon monolog serilog automapper mediatr dapper polly nunit xunit newtonsoft moq alamofire snapkit"
    " kingfisher tauri electron expo ioredis bullmq kafkajs amqplib sentry stripe-node twilio firebase"
)
PACKAGES = frozenset(_PACKAGE_NAMES.split())
_BEGINNINGS = (
    "@", "react-", "eslint-", "babel-", "rollup-", "vite-", "webpack-", "django-", "pytest-", "flask-", "types-",
    "spring-boot-", "express-", "next-", "vue-", "ngx-", "lodash.", "github.com/", "golang.org/", "tokio-", "serde_",
    "aws-sdk", "google-cloud-", "python-", "node-",
)  # fmt: skip
_ENDINGS = ("-js", ".js", "-rs", "-py", "-sdk", "-loader", "-plugin")
_PRODUCTS = ("node.js", "next.js", "nuxt.js", "vue.js", "react.js", "nest.js", "express.js", "index.js", "main.js")
_ENDINGS_OF_FILES = (
    "py pyi ts tsx js jsx mjs cjs go rs rb java kt kts swift c h cc cpp hpp cs php ex exs scala clj sql sh bash zsh ps1"
    " yml yaml toml json jsonc xml html css scss less md mdx rst txt csv tf proto graphql vue svelte lock cfg ini env"
    " ipynb prisma gradle lua dart zig r po strings plist"
)
_FILE_ENDINGS = frozenset(_ENDINGS_OF_FILES.split())


def is_package(word: str) -> bool:
    """Return whether a word names a library: a known one, or one that is spelled as only libraries are."""
    if word in PACKAGES:
        return True
    if word in _PRODUCTS or word.startswith("/") or is_file(word):
        return False
    return len(word) > 4 and (word.startswith(_BEGINNINGS) or word.endswith(_ENDINGS))


def is_file(word: str) -> bool:
    """Return whether a word names a file, by its ending."""
    stem, dot, ending = word.rpartition(".")
    return bool(dot and stem) and ending in _FILE_ENDINGS and word not in _PRODUCTS


def is_url_path(word: str) -> bool:
    """Return whether a word is the path of an address: `/users`, `/api/v1/orders/:id`."""
    return word.startswith("/") and len(word) > 1 and not is_file(word) and word[1].isalpha()


def is_any(word: str) -> bool:  # noqa: ARG001 - the word does not matter
    """Return True: whatever the word is."""
    return True


CLASSES = {"<package>": is_package, "<file>": is_file, "<path>": is_url_path, "<word>": is_any}


class Activity:
    """What somebody does: how rules and prompts name it, and the commands and files by which it is done.

    The fields are texts, and are taken apart only where they are needed: a hook looks at few of them.
    """

    __slots__ = ("commands", "files", "name", "prompts", "rules")

    def __init__(self, name: str, *, rules: str, prompts: str, commands: str = "", files: str = "") -> None:
        self.name = name
        """What a person reads, and may write in a cue."""
        self.rules = rules
        """Patterns (`word_patterns`) of rules that are about it, each with a semicolon behind it."""
        self.prompts = prompts
        """Patterns of prompts that ask for it."""
        self.commands = commands
        """Commands that are it (`call_matching.is_command`), with semicolons between them."""
        self.files = files
        """Globs of the files that are changed by it, with blanks between them."""


def items(source: str) -> list[str]:
    """Return the patterns or commands of a field; a line that ends with `|` goes on in the next one."""
    parts = (" ".join(part.split()).replace("| ", "|") for part in source.split(";"))
    return [part for part in parts if part]
