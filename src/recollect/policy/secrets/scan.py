"""The scan: where the credentials of a text stand, found without `re`. Import-light.

Importing `re` alone would nearly double the start of a hook. Both detectors use the scan, on bytes read as Latin-1:
hooks on the JSON of an event as it comes, the full detector on any text. It looks for:

1. long runs of characters that a prefix, their form or a name before them tells to be tokens
2. values behind the names of credentials (`names`)
3. logins in addresses, arguments of commands, `.pgpass` (`carriers`), files such as `.env` (`settings_files`)
4. private keys

What was found once is found wherever else it stands, percent-encoded and inside Base64 too.
"""

from recollect.lazy import load
from recollect.policy.secrets import names, shapes, table
from recollect.policy.secrets.shapes import BLANKS, NAME, Spot, end_of, start_of

_Prefix = tuple[str, str, int, int, str]  # prefix, alphabet of the rest, its fewest and most characters, rule
_Piece = tuple[int, int]  # where a piece begins: without colours, and with them

# A token has a run of 16 characters without a joint in it. A run of more than 16,384 is an image or a font.
_LONG, _LONGEST = b"a" * 16, 16_384
_BEFORE_CHARS = 80  # how far the beginning of a run is looked for before its long part
_RUN_CLASSES = shapes.classes(a=NAME + "+", o="/.~$%")
_DIGIT_CLASS = shapes.classes(o=table.DIGITS)
_JOINTS = frozenset("/.")
_GLUED = dict[str, tuple[str, ...]]()  # filled on first use: most hooks do not need it
_COMMANDS = tuple(f"{command} " for command in table.ANY_COMMAND.split())
_ARGUMENTS = (*table.PIPES, *(head for head, _ in table.ARGUMENTS), ":5432:")
_COLOUR_CODE = b"0123456789;"
_MOST_REPEATED, _FEWEST_CHARS, _LONGEST_CHARS = 24, 8, 300  # values that are looked for again, and their length
_MOST_BYTES = 300_000  # longer texts are neither freed of colours nor searched for encoded values
_BASE64 = table.LETTERS + table.DIGITS + "+/-_"
_BASE64_ALPHABET = table.UPPER + table.LOWER + table.DIGITS + "+/"
_UNESCAPED = table.LETTERS + table.DIGITS + "_.-~"
_HEAD_CHARS = 4_000  # what a tool was asked stands before what it answered
_KEY_CHARS = NAME + BLANKS + "\0+/.=:,()'`*>|"
# How JSON web tokens, the tokens of Telegram's bots and those of Discord's bots begin.
_FORMS = tuple("ey AA MT Mj Mz ND NT Nj Nz OD OT".split())  # noqa: SIM905
_FEWEST_GLUED = 4
_COMMON_PREFIXES = ("api_", "key_", "secret_", "patch_")  # also the beginning of ordinary names
# Prefixes without a joint at their end that are looked for inside a run too.
_UNJOINED_PREFIXES = ("AKIA", "ASIA", "AIza", "LTAI", "ATATT3", "dapi", "SK", "AGE-SECRET-KEY-1")


class _Run:
    """Characters of names and joints (`/.~$%`) without a blank; `long_start` begins 16 or more without a joint."""

    __slots__ = ("end", "has_digit", "long_start", "start")

    def __init__(self, start: int, long_start: int, end: int, *, has_digit: bool) -> None:
        self.start, self.long_start, self.end, self.has_digit = start, long_start, end, has_digit


def _prefixes_by_head() -> dict[str, list[_Prefix]]:
    """Return the prefixes of the table by their first two characters, the longest first."""
    heads: dict[str, list[_Prefix]] = {head: [] for head in _FORMS}
    for rule, prefixes, alphabet, fewest, most, _ in table.TOKENS:
        for prefix in prefixes.split():
            heads.setdefault(prefix[:2], []).append((prefix, table.ALPHABETS[alphabet], fewest, most, rule))
    for rows in heads.values():
        if len(rows) > 1:
            rows.sort(key=lambda row: -len(row[0]))
    return heads


_HEADS = _prefixes_by_head()


def scan(data: bytes) -> list[Spot]:
    """Return start, end and rule of each credential of a text, in order; spots may overlap.

    Terminal colours inside a credential do not hide it.
    """
    bare, pieces = _without_colours(data)
    text = bare.decode("latin-1")
    spots = _scan(bare, text)
    if any(map(text[:_HEAD_CHARS].__contains__, table.VALUE_FILES)):
        spots += load("recollect.policy.secrets.settings_files").entries(text)
    if spots:
        spots += _repeated(text, spots)
        spots = [(_original(pieces, start), _original(pieces, end - 1) + 1, rule) for start, end, rule in spots]
        spots.sort()
    return spots


def _scan(data: bytes, text: str) -> list[Spot]:
    low = data.lower().decode("latin-1")
    spots = _tokens(data, text, low) + names.values(text, low) + _private_keys(text)
    has_login = "@" in text and "://" in text
    has_option = len(text) <= table.LONG_TEXT and " -" in text and any(map(low.__contains__, _COMMANDS))
    has_command = has_option or (len(text) <= table.LONG_TEXT and any(map(low.__contains__, _ARGUMENTS)))
    if has_login or has_command:
        carriers = load("recollect.policy.secrets.carriers")
        spots += carriers.logins(text) if has_login else []
        spots += carriers.arguments(text, low) if has_command else []
    return spots


def _tokens(data: bytes, text: str, low: str) -> list[Spot]:
    """Find runs that a prefix, their form or a name before them tells to be tokens."""
    runs, spots = data.translate(_RUN_CLASSES) + b" ", list[Spot]()
    at = runs.find(_LONG)
    digits = data.translate(_DIGIT_CLASS) if at >= 0 else b""
    while at >= 0:
        end = last = runs.find(b" ", at)
        # Most runs are names: they have neither a digit nor a prefix.
        has_digit = digits.find(b"o", at, last) >= 0
        may_be_token = has_digit or text[at : at + 2] in _HEADS or text[at - 1 : at] in _JOINTS
        if may_be_token and last - at <= _LONGEST:
            before = runs.rfind(b" ", max(0, at - _BEFORE_CHARS), at)
            joint = runs.find(b"o", at, last)
            end = last if joint < 0 else joint
            if before < 0 and at > _BEFORE_CHARS:
                end = last
            elif spot := _token(text, low, _Run(before + 1, at, last, has_digit=has_digit)):
                spots.append(spot)
                end = max(end, spot[1])
        at = runs.find(_LONG, end)
    return spots


def _token(text: str, low: str, run: _Run) -> Spot | None:
    """Return the token in a run: one that begins with the run or with its long part, or stands inside of it."""
    at, start, last = run.long_start, run.start, run.end
    if text[at - 1 : at] == "\\":
        at = _past_escape(text, at)
    if text[start - 1 : start] == "\\":
        start = _past_escape(text, start)
    start += len(start_of("/", text[start:at]))
    for place in {at, start, text.rfind("/", start, at) + 1}:
        if text[place : place + 2] in _HEADS and (spot := _prefixed(text, place) or _formed(text, place, last)):
            return spot
    if not run.has_digit or (spot := _glued(text, start, last)):
        return spot if run.has_digit else None
    value = text[at:last]
    if not shapes.is_random(value) and not shapes.is_scattered(value):
        return None
    return _marked_inside(text, at, last) or _named(text, low, at, start, last)


def _past_escape(text: str, at: int) -> int:
    """Return the position behind the letter of a JSON escape whose backslash stands before the position."""
    return at + 5 if text[at] == "u" else at + 1


def _prefixed(text: str, at: int) -> Spot | None:
    """Return the token of the table that begins at a position."""
    for prefix, alphabet, fewest, most, rule in _HEADS.get(text[at : at + 2], ()):
        if not text.startswith(prefix, at):
            continue
        start = at + len(prefix)
        body = start_of(alphabet, text[start : start + most + 1]).rstrip(".,")
        if len(body) > most and most - fewest < 8:
            body = body[: most + 1] if text[start + most] in NAME else body[:most]
        if not fewest <= len(body) <= most:
            continue
        is_known = len(prefix) > 3 or not prefix.isalnum()
        if shapes.is_dense(body, is_telling=len(prefix) > 4) if is_known else shapes.is_random(body):
            return at, start + len(body), rule
    return None


def _formed(text: str, at: int, last: int) -> Spot | None:
    """Return a JSON web token, another object in Base64, or the token of a bot of Telegram or Discord."""
    if text[at : at + 2] not in _FORMS:
        return None
    value = text[at:last].rstrip(".")
    parts = value.split(".")
    if value.startswith("eyJ"):
        is_token = len(value) > (50 if len(parts) > 2 else 100) and not text.endswith("base64,", 0, at)
    elif value.startswith("AA"):
        is_token = len(value) > 32 and text[at - 8 : at - 1].isdigit()
    else:
        is_token = len(value) > 50 and len(parts) == 3 and 6 <= len(parts[1]) <= 7 and value[0] in "MNO"
    if not is_token:
        return None
    end = at + len(value)
    return at, end + len(start_of("=", text[end : end + 2])), "jwt" if value.startswith("eyJ") else "token"


def _glued_prefixes() -> dict[str, tuple[str, ...]]:
    """Return the prefixes that tell a token in the middle of a word too (`my_ghp_…`), by their last two characters."""
    endings = dict[str, tuple[str, ...]]()
    for rows in _HEADS.values():
        for prefix, _, fewest, *_ in rows:
            is_long = len(prefix) >= _FEWEST_GLUED or fewest >= 30
            if is_long and prefix[-1] in "_-." and not prefix.startswith(_COMMON_PREFIXES):
                endings[prefix[-2:]] = (*endings.get(prefix[-2:], ()), prefix)
    return endings


def _glued(text: str, start: int, last: int) -> Spot | None:
    """Return a token with a prefix or a form in the middle of a run."""
    if not _GLUED:
        _GLUED.update(_glued_prefixes())
    for sign in "_-.":
        at = text.find(sign, start, last)
        while at >= 0:
            for prefix in _GLUED.get(text[at - 1 : at + 1], ()):
                place = at + 1 - len(prefix)
                if text.startswith(prefix, place) and (spot := _prefixed(text, place)):
                    return spot
            at = text.find(sign, at + 1, last)
    run = text[start:last]
    for prefix in _UNJOINED_PREFIXES:
        if prefix in run and (spot := _prefixed(text, start + run.find(prefix))):
            return spot
    if run.count(".") > 1 and "eyJ" in run:
        return _formed(text, start + run.find("eyJ"), last)
    return None


def _marked_inside(text: str, at: int, last: int) -> Spot | None:
    """Return a token that its middle or its end tells: of Azure, Terraform, Teams, Airtable or Mailchimp."""
    if text[at - 2 : at] == "Q~" and text[at - 3 : at - 2].isdigit():  # abc8Q~…
        return at - 6, at + len(start_of(NAME + "~.", text[at : at + 40])), "azure-key"
    value = text[at:last]
    if ".atlasv1." in text[at - 10 : at + 40]:  # abc.atlasv1.…
        start = at - len(end_of(NAME, text[max(0, at - 24) : at].removesuffix(".atlasv1."))) - 9
        return (at if ".atlasv1." in value else start), last, "cloud-token"
    if "/IncomingWebhook/" in value:
        return at, last, "webhook"
    name, dot, rest = value.partition(".")
    if dot and name.startswith("pat") and len(name) == 17 and len(start_of("0123456789abcdef", rest)) == 64:
        return at, at + 82, "saas-token"
    if text[at + 32 : at + 35] == "-us" and not text[at : at + 32].strip("0123456789abcdef"):  # 32 digits and -us12
        end = at + 35 + len(start_of(table.DIGITS, text[at + 35 : at + 37]))
        return at, end, "mail-key"
    return None


def _named(text: str, low: str, at: int, start: int, last: int) -> Spot | None:
    """Return a random run with the name of a credential before it."""
    for begin in (start, at) if start < at else (at,):
        first = begin + len(start_of("/", text[begin:at]))
        end = first + len(text[first:last].rstrip("."))
        end += len(start_of("=", text[end : end + 2]))
        value = text[first:end]
        is_random = shapes.is_random(value) or shapes.is_scattered(value)
        if is_random and names.is_named(low, first) and not shapes.is_sham(value):
            return first, end, "token"
    return None


def _private_keys(text: str) -> list[Spot]:
    """Find private keys in PEM, from their BEGIN line to their END line, or as far as their lines go."""
    spots, start = list[Spot](), text.find("-----BEGIN ")
    while start >= 0:
        end = start + 11
        if "PRIVATE KEY" in text[start : start + 60]:
            block = start_of(_KEY_CHARS, names.plain(text[start : start + _LONGEST]))
            last = block.find("-----", block.find("-----END ") + 9) if "-----END " in block else -1
            end = start + (last + 5 if last >= 0 else len(block))
            if end - start > 100:
                spots.append((start, end, "private-key"))
        start = text.find("-----BEGIN ", end)
    return spots


def closing_quote(text: str, start: int) -> int:
    """Return where the JSON string around a position ends: its next quote without a backslash, or the text's end."""
    at = text.find('"', start)
    while at > start and text[at - 1] == "\\":
        if len(end_of("\\", text[max(start, at - 200) : at])) % 2 == 0:
            break
        at = text.find('"', at + 1)
    return len(text) if at < 0 else at


def _without_colours(data: bytes) -> tuple[bytes, list[_Piece]]:
    """Return the bytes without terminal colours, and the pieces between them in order."""
    opening = b"\x1b[" if b"\x1b" in data else b"\\u001b["  # JSON has the escaped one alone
    if opening not in data[:_MOST_BYTES]:
        return data, [(0, 0)]
    first, *others = data.split(opening)
    kept, pieces, size, at = [first], [(0, 0)], len(first), len(first)
    for part in others:
        bare = part.lstrip(_COLOUR_CODE)
        bare = bare[1:] if bare[:1] in (b"m", b"K") else bare
        at += len(opening) + len(part) - len(bare)
        pieces.append((size, at))
        kept.append(bare)
        size, at = size + len(bare), at + len(bare)
    return b"".join(kept), pieces


def _original(pieces: list[_Piece], at: int) -> int:
    """Return the position in the text with colours, by binary search."""
    low, high = 0, len(pieces)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if pieces[middle][0] <= at else (low, middle)
    without, before = pieces[low]
    return before + at - without


def _repeated(text: str, spots: list[Spot]) -> list[Spot]:
    """Find the values of spots elsewhere in the text: as they are, percent-encoded, and inside Base64."""
    repeated = list[Spot]()
    values = dict.fromkeys((text[start:end], rule) for start, end, rule in spots if _is_unmistakable(text[start:end]))
    for value, rule in list(values)[:_MOST_REPEATED]:
        repeated += _places(text, value, rule)
        if len(text) > _MOST_BYTES:
            continue
        encoded = percent_encoded(value)
        if encoded != value:
            repeated += _places(text, encoded, rule)
        for core in base64_cores(value):
            repeated += [_whole_run(text, start, end, rule) for start, end, _ in _places(text, core, rule)]
    return repeated


def _is_unmistakable(value: str) -> bool:
    """Whether a value is a credential wherever it stands: 8 to 300 characters with a digit and a letter."""
    kinds = shapes.kinds(value)
    return _FEWEST_CHARS <= len(value) <= _LONGEST_CHARS and "o" in kinds and ("a" in kinds or "A" in kinds)


def _places(text: str, value: str, rule: str) -> list[Spot]:
    """Find every place of a value in a text."""
    spots, at = list[Spot](), text.find(value)
    while at >= 0:
        spots.append((at, at + len(value), rule))
        at = text.find(value, at + len(value))
    return spots


def _whole_run(text: str, start: int, end: int, rule: str) -> Spot:
    """Extend a spot to the run of Base64 around it, 400 characters to each side at most."""
    start -= len(end_of(_BASE64, text[max(0, start - 400) : start]))
    end += len(start_of(_BASE64, text[end : end + 400]))
    return start, end + len(start_of("=", text[end : end + 2])), rule


def percent_encoded(value: str) -> str:
    """Return a value as the query of a URL spells it."""
    return "".join(sign if sign in _UNESCAPED else f"%{ord(sign):02X}" for sign in value)


def base64_cores(value: str) -> list[str]:
    """Return what Base64 makes of a value at each of its three alignments, without what neighbours have a part in."""
    bits = "".join(f"{byte:08b}" for byte in value.encode("latin-1", "replace"))
    cores = []
    for skipped in (0, 4, 2):
        whole = (len(bits) - skipped) // 6 * 6
        sextets = (int(bits[at : at + 6], 2) for at in range(skipped, skipped + whole, 6))
        cores.append("".join(map(_BASE64_ALPHABET.__getitem__, sextets)))
    return [core for core in cores if len(core) >= _FEWEST_CHARS]
