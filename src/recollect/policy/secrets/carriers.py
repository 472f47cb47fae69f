"""Credentials that their place tells: logins in addresses, arguments of commands, lines of `.pgpass`. Import-light."""

from recollect.policy.secrets import shapes, table
from recollect.policy.secrets.names import plain
from recollect.policy.secrets.shapes import BLANKS, NAME, QUOTES, Spot, start_of

_BARE = "".join(map(chr, set(range(256)).difference((BLANKS + QUOTES).encode())))
_LOGIN = _BARE.replace("<", "").replace(">", "").replace("/", "")
_WINDOW, _LINE_CHARS = 300, 400  # the longest argument, and how far a command is looked for before its option
# Short options that take a password, by their letter: whether the value may touch the option, and the commands.
_OPTIONS: dict[str, list[tuple[bool, frozenset[str]]]] = {}
for _signs, _touching, _commands in table.OPTIONS:
    for _sign in _signs.split():
        _OPTIONS.setdefault(_sign, []).append((_touching, frozenset(_commands.split())))
_CLIENTS = frozenset(table.LOGINS.split())


def logins(text: str) -> list[Spot]:
    """Find the passwords of `scheme://user:password@host`."""
    spots, at = list[Spot](), text.find("://")
    while at >= 0:
        at += 3
        if "@" in text[at : at + _WINDOW]:
            user, _, rest = start_of(_LOGIN, plain(text[at : at + _WINDOW])).partition(":")
            password = rest.rpartition("@")[0]
            if len(password) > 3 and password != user and not shapes.is_sham(password):
                spots.append((at + len(user) + 1, at + len(user) + 1 + len(password), "url-password"))
        at = text.find("://", at)
    return spots


def _options(text: str) -> list[Spot]:
    """Find the passwords of options: `mysql -pX`, `curl -u user:X`, `redis-cli -a X`."""
    spots, at = list[Spot](), text.find(" -")
    while at >= 0:
        sign = text[at + 2 : at + 3]
        if sign in _OPTIONS:
            spots += _option(text, at, sign)
        elif sign in ("u", "U", "-") and text.startswith((" -u", " -U", " --user"), at):
            spots += _login(text, at)
        at = text.find(" -", at + 2)
    return spots


def _command(text: str, at: int) -> set[str]:
    """Return the words of the line before a position; the command is among them."""
    line = plain(text[max(0, at - _LINE_CHARS) : at]).rpartition("\n")[2]
    return {word.strip(QUOTES + "$(;").rpartition("/")[2] for word in line.replace('"', " ").split()}


def _argument(text: str, at: int) -> tuple[int, str, str]:
    """Return where the argument at a position begins inside its quote, the argument, and the quote or an empty text."""
    window = plain(text[at : at + _WINDOW])
    quote = start_of("\0", window) or start_of("\"'", window[:1])
    value = window[len(quote) :].partition(quote)[0] if quote else start_of(_BARE, window).rstrip(";|&)")
    return at + len(quote), value, quote


def _option(text: str, at: int, sign: str) -> list[Spot]:
    """Find the value of a short option, if a command on the line takes a password there."""
    words: set[str] = set()
    after = text[at + 3 : at + 4]
    is_apart = after in ("", " ", "=")
    for may_touch, commands in _OPTIONS[sign]:
        if is_apart == may_touch and not (may_touch and after in "'\"\\"):
            continue
        words = words or _command(text, at)
        if commands.isdisjoint(words):
            continue
        start, value, quote = _argument(text, at + 3 + is_apart)
        is_meant = shapes.is_password(value, quote, is_given=quote != "") or (may_touch and _is_touching(value))
        if is_meant and not value.startswith("-"):
            return [(start, start + len(value), "password")]
    return []


def _is_touching(value: str) -> bool:
    """Whether a value that touches its option (`-pX`) is a password: with a digit, and no path."""
    return 6 <= len(value) <= 100 and not shapes.is_sham(value, "") and "o" in shapes.kinds(value) and "/" not in value


def _login(text: str, at: int) -> list[Spot]:
    """Find the password of `-u user:password`, if a client of the network is on the line."""
    name_end = at + 2 + len(start_of(NAME, text[at + 2 : at + 20]))
    if text[name_end : name_end + 1] not in (" ", "=") or _CLIENTS.isdisjoint(_command(text, at)):
        return []
    start, value, quote = _argument(text, name_end + 1)
    place = min((value.find(sign) for sign in ":%" if sign in value), default=-1)
    password = value[place + 1 :]
    if place < 1 or len(password) < 4 or shapes.is_sham(password, quote) or password.startswith("$"):
        return []
    return [(start + place + 1, start + len(value), "password")]


def arguments(text: str, low: str) -> list[Spot]:
    """Find passwords among the arguments of commands, those piped into a command, and those of `.pgpass`."""
    return _options(text) + _arguments_by_place(text, low) + _pgpass_lines(text)


def _arguments_by_place(text: str, low: str) -> list[Spot]:
    """Find passwords that a command takes by their place (`net user ann X`), and those piped into a command."""
    spots = list[Spot]()
    for head, skipped in table.ARGUMENTS:
        at = low.find(head)
        while at >= 0:
            spots += _nth_argument(text, at + len(head), skipped)
            at = low.find(head, at + len(head))
    for pipe in table.PIPES:
        at = low.find(pipe)
        while at >= 0:
            spots += _piped(text, at)
            at = low.find(pipe, at + len(pipe))
    return spots


def _nth_argument(text: str, at: int, skipped: int) -> list[Spot]:
    """Find the argument behind `skipped` others, if it looks like a password."""
    for _ in range(skipped):
        word = start_of(_BARE, text[at : at + _WINDOW])
        at += len(word) + 1
        if not word or text[at - 1 : at] != " ":  # the text may end here
            return []
    start, value, quote = _argument(text, at)
    is_meant = shapes.is_password(value, quote, is_given=quote != "") and value[:1] not in "-/"
    return [(start, start + len(value), "password")] if is_meant else []


def _piped(text: str, at: int) -> list[Spot]:
    """Find the last word of `echo user:X` before a pipe, without the user's name."""
    window = plain(text[max(0, at - _WINDOW) : at]).rpartition("\n")[2]
    bare = (
        window.rpartition("|")[0].rstrip(BLANKS + QUOTES)
        if "-" in text[at : at + 2]
        else window.rstrip(BLANKS + QUOTES)
    )
    word = shapes.end_of(_BARE, bare)
    command = bare[: -len(word) or None].rstrip(BLANKS + QUOTES)
    value = word.partition(":")[2] or word
    start = at - len(window) + len(bare) - len(value)
    is_echo = command.endswith(("echo", "printf", "echo -n", "printf %s", "printf '%s"))
    is_meant = is_echo and len(value) > 3 and not shapes.is_sham(value, "") and value[:1] != "$"
    return [(start, start + len(value), "password")] if is_meant else []


def _pgpass_lines(text: str) -> list[Spot]:
    """Find the passwords of lines of `.pgpass`: host, port, database, user, password."""
    spots, at = list[Spot](), text.find(":5432:")
    while at >= 0:
        rest = start_of(_BARE, plain(text[at + 6 : at + _WINDOW])).split(":")
        if len(rest) == 3 and all(rest) and not shapes.is_sham(rest[2], "") and len(rest[2]) > 5:
            start = at + 6 + len(rest[0]) + len(rest[1]) + 2
            spots.append((start, start + len(rest[2]), "password"))
        at = text.find(":5432:", at + 6)
    return spots
