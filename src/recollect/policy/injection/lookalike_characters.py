# ruff: noqa: RUF001 - characters that look like others are what this is about
"""Letters and brackets that look like others. Import-light: no `unicodedata`, no tables built at import.

Text is folded only to be judged: `Ignore` in full-width or mathematical letters, or with a Cyrillic capital I, reads as
plain `Ignore`. The text that is shown stays as it was written.
"""

# Each row: characters, and at the same place in the second text what each looks like.
_PAIRS = (
    # Cyrillic, Greek, Armenian
    ("АВЕКМНОРСТУХІЈЅԀԚԜҺӀЬГПавекмнорстухіјѕԁԛԝһӏьгпёї", "ABEKMHOPCTYXIJSDQWHIbrnabekmhopctyxijsdqwhlbrnei"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεηικνορτυχωγόέίάύ", "ABEZHIKMNOPTYXabenikvoptuxwyoeiau"),
    ("ՍՏօսոհցզԼ", "USounhgqL"),
    ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢıɑɡɩᎥ", "abcdefghijklmnoprstuvwyziagii"),  # small capitals, Cherokee
    ("ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", "abcdefghijklmnoprstuvwxyz"),
    ("ℂℊℋℌℍℎℐℑℒℓℕℙℚℛℜℝℤℨℬℭℯℰℱℳℴⅰⅴⅹⅼⅽⅾⅿⅠⅤⅩⅬⅭⅮⅯ", "CgHHHhIILlNPQRRRZZBCeEFMoivxlcdmIVXLCDM"),
    ("ÀÁÂÃÄÅĀÇÈÉÊËĒÌÍÎÏĪÑÒÓÔÕÖØŌÙÚÛÜŪÝ", "AAAAAAACEEEEEIIIIINOOOOOOOUUUUUY"),
    ("àáâãäåāąçćčèéêëēęìíîïīłñńòóôõöøōśšùúûüūýÿźżž", "aaaaaaaaccceeeeeeiiiiilnnooooooossuuuuuyyzzz"),
    ("：꞉∶ː˸﹕︓；，．！？’‘ʼ＇＿\u00a0\u3000", ":::::::;,.!?''''_  "),
)  # fmt: skip
# First and last character of a range, what the first looks like, and after how many characters the alphabet repeats.
_RUNS = (
    (0xFF01, 0xFF5E, 0x21, 0x100),  # full width
    (0x24B6, 0x24CF, 0x41, 26), (0x24D0, 0x24E9, 0x61, 26), (0x249C, 0x24B5, 0x61, 26),  # in circles and parentheses
    (0x1F110, 0x1F129, 0x41, 26), (0x1F130, 0x1F149, 0x41, 26), (0x1F150, 0x1F169, 0x41, 26),
    (0x1F170, 0x1F189, 0x41, 26), (0x1F1E6, 0x1F1FF, 0x41, 26),
)  # fmt: skip
_MATHEMATICAL = (0x1D400, 0x1D6A3)
"""A to Z, then a to z, in thirteen styles."""
_OPENING, _CLOSING = "＜﹤‹⟨〈〈❮❰⧼˂ᐸ⟪《❬", "＞﹥›⟩〉〉❯❱⧽˃ᐳ⟫》❭"
_BRACKETS = {ord(sign): "<" for sign in _OPENING} | {ord(sign): ">" for sign in _CLOSING}
_TAGS = ("/", "!", "|", "memory", "system", "user", "assistant", "human", "developer", "tool", "function", "hook",
         "instruction", "important", "admin", "context", "command")  # fmt: skip


class _Folded(dict[int, int]):
    """A table for `str.translate` that is filled on demand."""

    def __missing__(self, code: int) -> int:
        found = self[code] = _looks_like(code)
        return found


def _looks_like(code: int) -> int:
    for signs, alike in _PAIRS:
        at = signs.find(chr(code))
        if at >= 0:
            return ord(alike[at])
    for first, last, start, length in _RUNS:
        if first <= code <= last:
            return start + (code - first) % length
    if _MATHEMATICAL[0] <= code <= _MATHEMATICAL[1]:
        place = (code - _MATHEMATICAL[0]) % 52
        return 0x41 + place if place < 26 else 0x61 + place - 26
    return code


_FOLDED = _Folded()
_ACCENTS = dict.fromkeys(range(0x300, 0x370))
"""Combining accents, which are characters of their own."""


def fold(text: str) -> str:
    """Return the text in plain letters that look the same; its length stays the same."""
    return text if text.isascii() else text.translate(_FOLDED)


def fold_for_reading(text: str) -> str:
    """Return the text in plain lower-case letters, without combining accents."""
    return text.lower() if text.isascii() else text.translate(_ACCENTS).translate(_FOLDED).lower()


def plain_brackets(text: str, *, trusted: bool) -> str:
    """Return the text with `<` and `>` in place of characters that look like them.

    Text of the user keeps them (⟨x, y⟩, 〈注〉) unless they spell a tag that a model might obey.
    """
    if text.isascii():
        return text
    plain = text.translate(_BRACKETS)
    if plain == text or (trusted and not _spells_tag(text, plain)):
        return text
    return plain


def _spells_tag(text: str, plain: str) -> bool:
    low = fold(plain).lower()
    places = (at for at, sign in enumerate(text) if sign in _OPENING)
    return any(low[at + 1 : at + 20].lstrip().startswith(_TAGS) for at in places)
