"""Credentials taken out of raw bytes, by hand: loading `re` alone would double the cost of a hook.

A compact set for what is noted and for what is shown; the full detector runs before a memory is made.
"""

WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
TOKEN = WORD | frozenset(b"./+=~%:")
UPPER = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
DIGITS, LETTERS = frozenset(b"0123456789"), frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
MARK = b"[redacted:credential]"

# How a provider's tokens begin, the signs that follow, and how many at least.
PREFIXES = (
    (b"ghp_", WORD, 30), (b"gho_", WORD, 30), (b"ghu_", WORD, 30), (b"ghs_", WORD, 30), (b"ghr_", WORD, 30),
    (b"github_pat_", WORD, 40), (b"glpat-", TOKEN, 16), (b"gldt-", WORD, 16), (b"glrt-", TOKEN, 16),
    (b"AKIA", UPPER, 16), (b"ASIA", UPPER, 16), (b"AIza", WORD, 30), (b"GOCSPX-", WORD, 20), (b"ya29.", TOKEN, 30),
    (b"sk-", TOKEN, 24), (b"sk_live_", WORD, 16), (b"sk_test_", WORD, 16), (b"rk_live_", WORD, 16),
    (b"whsec_", TOKEN, 20), (b"xoxb-", WORD, 20), (b"xoxp-", WORD, 20), (b"xapp-", WORD, 20),
    (b"hooks.slack.com/services/", TOKEN, 30), (b"npm_", WORD, 30), (b"pypi-", WORD, 40), (b"hf_", WORD, 28),
    (b"SG.", TOKEN, 40), (b"dop_v1_", WORD, 40), (b"dckr_pat_", WORD, 20), (b"shpat_", WORD, 24),
    (b"lin_api_", WORD, 30), (b"ntn_", WORD, 30), (b"glsa_", WORD, 24), (b"hvs.", TOKEN, 24), (b"dapi", WORD, 32),
    (b"sbp_", WORD, 30), (b"gsk_", WORD, 30), (b"xai-", WORD, 40), (b"sntrys_", TOKEN, 30), (b"ATATT3", TOKEN, 40),
    (b"AGE-SECRET-KEY-1", UPPER, 40), (b"eyJ", TOKEN, 60),
)  # fmt: skip
# Words of a name whose value is a credential; looked for in lower case.
NAMES = (
    b"password", b"passwd", b"passphrase", b"secret", b"token", b"api_key", b"apikey", b"api-key", b"access_key",
    b"accesskey", b"private_key", b"client_secret", b"authorization", b"bearer ", b"basic ", b"pwd", b"credential",
)  # fmt: skip
BETWEEN = frozenset(b" \t\\\"'=:>")
SEPARATORS = frozenset(b"=:>")
ENDS = frozenset(b" \t\r\n\\\"'`,;&<>()[]{}|")
LEAST = 8


def redact(data: bytes) -> bytes:
    """The same bytes with what looks like a credential replaced; untouched, and at once, where nothing does."""
    spots = _tokens(data) + _values(data) + _keys(data) + _urls(data)
    if not spots:
        return data
    parts, last = [], 0
    for start, end in sorted(spots):
        if start >= last:
            parts += [data[last:start], MARK]
            last = end
        else:
            last = max(last, end)
    return b"".join(parts) + data[last:]


def _run(data: bytes, start: int, allowed: frozenset[int]) -> int:
    end = start
    while end < len(data) and data[end] in allowed:
        end += 1
    return end


def _tokens(data: bytes) -> list[tuple[int, int]]:
    spots = []
    for prefix, allowed, least in PREFIXES:
        start = data.find(prefix)
        while start >= 0:
            end = _run(data, start + len(prefix), allowed)
            is_whole = start == 0 or data[start - 1] not in WORD or data[start - 2 : start] in (b"\\n", b"\\t")
            if end - start - len(prefix) >= least and is_whole:
                spots.append((start, end))
            start = data.find(prefix, end)
    return spots


def _values(data: bytes) -> list[tuple[int, int]]:
    low, spots = data.lower(), []
    for name in NAMES:
        at = low.find(name)
        while at >= 0:
            spot = _value(data, at + len(name), is_said=name.endswith(b" "))
            if spot:
                spots.append(spot)
            at = low.find(name, at + len(name))
    return spots


def _value(data: bytes, at: int, *, is_said: bool) -> tuple[int, int] | None:
    """What follows a name and a sign that gives it a value; words, references and paths are none."""
    at = at if is_said else _run(data, at, WORD)
    start = _run(data, at, BETWEEN)
    if not is_said and not any(sign in SEPARATORS for sign in data[at:start]):
        return None
    if not is_said and data[start : start + 7].lower() in (b"bearer ", b"token: "):
        start += 7
    end = start
    while end < len(data) and end - start < 4_000 and data[end] not in ENDS:
        end += 1
    return (start, end) if _is_random(data[start:end]) else None


def _is_random(value: bytes) -> bool:
    has_both = any(sign in DIGITS for sign in value) and any(sign in LETTERS for sign in value)
    is_reference = value[:1] in (b"$", b"{", b"<", b"/", b"~", b"%") or value.startswith(
        (b"http", b"[redacted", b"os.")
    )
    return len(value) >= LEAST and has_both and not is_reference and b"process.env" not in value


def _keys(data: bytes) -> list[tuple[int, int]]:
    """Private keys: from their first line to their last, or to the end of what holds them."""
    spots, start = [], data.find(b"-----BEGIN ")
    while start >= 0:
        head = data[start : start + 60]
        if b"PRIVATE KEY" in head:
            close = data.find(b"-----END ", start)
            end = _after(data, close) if close >= 0 else len(data)
            quote = data.find(b'"', start)
            end = quote if close < 0 and quote >= 0 else end
            spots.append((start, end))
            start = end
        start = data.find(b"-----BEGIN ", start + 1)
    return spots


def _after(data: bytes, close: int) -> int:
    dashes = data.find(b"-----", close + 9)
    return dashes + 5 if dashes >= 0 else len(data)


def _urls(data: bytes) -> list[tuple[int, int]]:
    """`scheme://user:password@host`: the password."""
    spots, at = [], data.find(b"://")
    while at >= 0:
        end = at + 3
        while end < len(data) and data[end] not in ENDS and data[end] not in b"/?#":
            end += 1
        who = data[at + 3 : end]
        colon, sign = who.find(b":"), who.rfind(b"@")
        if 0 <= colon < sign and sign - colon > 4 and who[colon + 1 : colon + 2] not in (b"$", b"{", b"<", b"*"):
            spots.append((at + 4 + colon, at + 3 + sign))
        at = data.find(b"://", end)
    return spots
