"""Names of code in a text: functions, classes, constants, dotted names; by backticks or by their shape."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from recollect.policy.verdicts.text_spans import Span, code_spans, words

NAME = r"[A-Za-z_$][\w$]*"
SEPARATOR = r"(?:\.|::|#|->)"
# A whole name in backticks: `a`, `a()`, `A.b(c, d)`, `@a`, `a::b`
WHOLE = re.compile(rf"@?(?P<dotted>{NAME}(?:{SEPARATOR}{NAME})*)(?P<call>\([^()]*\))?;?")
SHAPED = re.compile(
    rf"(?<![\w/.$@-])(?P<dotted>(?:{NAME}{SEPARATOR})*(?:{NAME}))(?P<call>\([^()\n]{{0,120}}\))?(?![\w/@-])"
)
SNAKE = re.compile(r"_*[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+_*|_+[a-z][a-z0-9]+")
CAMEL = re.compile(r"[A-Z]+[a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+|[a-z][a-z0-9]*(?:[A-Z][A-Za-z0-9]*)+|[A-Z]{2,}[a-z]\w+")
PARAMETER = re.compile(rf"\*{{0,2}}(?P<name>{NAME})\s*(?:[:=?][^,]*)?")
TYPED_PARAMETER = re.compile(rf"(?P<name>{NAME})\s+[\w.*\[\]]+")
LEAST_CHARS = 3
OWN = ("self", "this", "cls", "super")
WORDS = words(
    "true false null none nil undefined self this cls super new return await async yield import from class def func"
    " function const let var int str string float bool boolean list dict set tuple object any void number bytes char"
    " print len range type main init test tests error errors args kwargs data value values key name path id"
)
"""Words that are in the code of every project, and say nothing about one."""
PRODUCTS = words(
    "GitHub GitLab JavaScript TypeScript CoffeeScript PostgreSQL MySQL SQLite MariaDB MongoDB DynamoDB GraphQL OpenAI"
    " YouTube LinkedIn CloudFront CloudFormation CloudWatch WebSocket WebSockets WebAssembly DevOps macOS iOS iPadOS"
    " OAuth OpenID OpenAPI OpenTelemetry OpenSearch ElasticSearch RabbitMQ JetBrains PyCharm IntelliJ VSCode PowerShell"
    " FastAPI DuckDB ClickHouse BigQuery PayPal DataDog PagerDuty SendGrid CircleCI TeamCity LaTeX WordPress jQuery"
    " NumPy SciPy PyTorch TensorFlow SQLAlchemy BeautifulSoup AirFlow HashiCorp DigitalOcean WeasyPrint PMTiles"
    " ChatGPT LangChain HuggingFace StackOverflow AppStore PlayStore eBay McDonald WhatsApp FaceTime PubSub gRPC"
)


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name of code in a text."""

    name: str
    owner: str
    """What stands before the last dot: a class, a module or an object; empty without one."""
    parameters: tuple[str, ...]
    is_code: bool
    """Whether its shape is that of code: `a_b`, `aB`, `a.b`, `a()`. A plain word in backticks may be anything."""
    span: Span


def found(text: str) -> list[Symbol]:
    """Return the names of code in a text from which paths and commands have been taken out."""
    return [symbol for symbol in _found(text) if _is_telling(symbol)]


def _found(text: str) -> Iterator[Symbol]:
    spans = code_spans(text)
    taken = list[Span]()
    for span in spans:
        match = WHOLE.fullmatch(span.text.strip())
        if match:
            yield _symbol(match, span, is_quoted=True)
            taken.append(span)
    for match in SHAPED.finditer(text):
        span = Span(*match.span(), match[0])
        if any(other.start <= span.start < other.end for other in taken):
            continue
        symbol = _symbol(match, span, is_quoted=False)
        if symbol.is_code and not _is_prose(match, symbol):
            yield symbol


def _symbol(match: re.Match[str], span: Span, *, is_quoted: bool) -> Symbol:
    parts = re.split(SEPARATOR, match["dotted"])
    own = [part for part in parts if part not in OWN] or parts
    call = match["call"]
    owner = own[-2] if len(own) > 1 else ""
    is_dotted = bool(owner) and is_quoted
    is_shaped = _is_shaped(own[-1]) or _is_shaped(owner)
    symbol = Symbol(own[-1], owner, _parameters(call or ""), is_shaped or call is not None or is_dotted, span)
    return symbol if is_quoted or not owner or is_shaped or call else replace(symbol, is_code=False)


def _is_shaped(name: str) -> bool:
    return bool(SNAKE.fullmatch(name) or CAMEL.fullmatch(name))


def _is_prose(match: re.Match[str], symbol: Symbol) -> bool:
    """Whether a name outside of backticks is rather a word: "word(s)", "GitHub", "iPhone"."""
    call = match["call"]
    is_word_with_ending = call is not None and call.strip("()").isalpha() and len(call) <= len("(es)")
    has_prose = call is not None and len(call.split()) > 1 and "," not in call and "=" not in call
    is_shaped = _is_shaped(symbol.name) or _is_shaped(symbol.owner)
    return symbol.name in PRODUCTS or ((is_word_with_ending or has_prose) and not is_shaped)


def _parameters(call: str) -> tuple[str, ...]:
    """Return the names between parentheses; none for values, and none where something else stands there."""
    parts = [part.strip() for part in call.strip("()").split(",")]
    matches = [PARAMETER.fullmatch(part) or TYPED_PARAMETER.fullmatch(part) for part in parts if part]
    if not matches or any(match is None for match in matches):
        return ()
    names = [match["name"] for match in matches if match]
    return tuple(name for name in names if name not in OWN and name not in ("args", "kwargs", "ctx", "True", "False"))


def _is_telling(symbol: Symbol) -> bool:
    name = symbol.name
    is_word = name.lower() in WORDS and not symbol.owner
    return len(name) >= LEAST_CHARS and not is_word and name not in PRODUCTS and not name.isdigit()
