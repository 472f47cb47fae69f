"""What a memory may say to a model: no roles, no orders, no hidden signs. Import-light, because hooks ask (D47)."""

REDACTED = "[redacted: instruction-like content]"

MOST_ROLES = 20
_ROLES = ("system:", "developer:", "assistant:", "user:", "human:")
_OVERRIDES = ("ignore", "disregard", "forget", "override", "bypass", "ignoring", "disregarding")
_OVERRIDDEN = (
    "instruction", "system prompt", "system message", "the system", "the developer", "developer message",
    "previous prompt", "prior prompt", "guardrail", "your rules",
)  # fmt: skip
_OBEY = ("always obey", "always follow", "always do", "never do", "never follow", "never obey", "you must obey")
_RUN = ("run this command", "execute this command", "run the following command", "execute the following command")
_PERSONAS = (
    "you are ",
    "you're now ",
    "as an ai",
    "as a language model",
    "act as ",
    "pretend to be ",
    "from now on you",
)
_HIDDEN = (
    *range(9), 11, 12, *range(14, 32), *range(127, 160), 0xAD, 0x61C, 0x180E, *range(0x200B, 0x2010),
    *range(0x2028, 0x202F), *range(0x2060, 0x2070), 0xFEFF, *range(0xFFF9, 0xFFFC), 0xFFFE, 0xFFFF,
    *range(0xE0000, 0xE0080),
)  # fmt: skip
_CLEAN = dict.fromkeys(_HIDDEN) | {13: "\n"}


def govern(text: str, *, trusted: bool = False) -> str:
    """The text as it may be shown: what reads as an order to the model is named, not repeated.

    A person's own wishes ("always follow PEP 8") are `trusted` to be wishes; what would undo the model's instructions
    is not, whoever said it.
    """
    lines = text.translate(_CLEAN).split("\n")
    said = [_without_role(line) for line in lines]
    bad = [_is_order(line.lower(), trusted=trusted) for line in said]
    for at in range(len(said) - 1):  # an order may be broken over two lines
        if not bad[at] and not bad[at + 1] and _is_order(f"{said[at]} {said[at + 1]}".lower(), trusted=trusted):
            bad[at] = bad[at + 1] = True
    kept = [REDACTED if is_bad else line for line, is_bad in zip(said, bad, strict=True)]
    return "\n".join(line for at, line in enumerate(kept) if line != REDACTED or at == 0 or kept[at - 1] != REDACTED)


def _without_role(line: str) -> str:
    """A line without the roles that it begins with; a persona goes up to the end of its sentence or clause."""
    for _ in range(MOST_ROLES):
        shorter = _without_one_role(line)
        if shorter == line:
            return line
        line = shorter
    return REDACTED


def _without_one_role(line: str) -> str:
    bare = line.lstrip(" \t>*-#\"'`")
    low = bare.lower()
    for role in _ROLES:
        if low.startswith(role):
            return bare[len(role) :].lstrip()
    for persona in _PERSONAS:
        if low.startswith(persona):
            ends = [at for at in (bare.find(sign) for sign in (". ", ", ", "! ", "; ", ": ")) if at >= 0]
            return bare[min(ends) + 2 :].lstrip() if ends else REDACTED
    return line


def _is_order(low: str, *, trusted: bool) -> bool:
    said = " ".join(low.split())
    if any(order in said for order in _RUN) or (not trusted and any(order in said for order in _OBEY)):
        return True
    return any(word in said for word in _OVERRIDES) and any(_overrides(clause) for clause in _clauses(said))


def _clauses(said: str) -> list[str]:
    for sign in ";:!?":
        said = said.replace(sign, ".")
    return said.split(". ")


def _overrides(clause: str) -> bool:
    """Whether a clause tells to ignore something that a model is told: the verb, and within a few words the thing."""
    words = [word.strip(".,\"'`()[]*_") for word in clause.split()]
    return any(
        word in _OVERRIDES and any(what in " ".join(words[at + 1 : at + 8]) for what in _OVERRIDDEN)
        for at, word in enumerate(words)
    )


def escape(text: str) -> str:
    """Text that stays inside its element and its attribute, whatever it holds."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def line(text: str, most_chars: int, *, trusted: bool = False) -> str:
    """One governed, escaped line of at most that many characters."""
    return cut_escaped(escape(cut(" ".join(govern(text, trusted=trusted).split()), most_chars)), 2 * most_chars)


def cut_escaped(text: str, most_chars: int) -> str:
    """At most that many characters of escaped text, no half entity at its end."""
    if len(text) <= most_chars:
        return text
    kept = text[: max(0, most_chars - 1)]
    at = kept.rfind("&")
    return (kept[:at] if at >= 0 and ";" not in kept[at:] else kept) + "…"


def cut(text: str, most_chars: int) -> str:
    """At most that many characters, an ellipsis in place of what is missing."""
    return text if len(text) <= most_chars else text[: max(0, most_chars - 1)].rstrip() + "…"
