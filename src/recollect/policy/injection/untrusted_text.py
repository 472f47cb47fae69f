"""Remove roles, orders and hidden characters from memories before a model sees them (D47). Import-light.

Lines are judged as they look, so that letters of other alphabets and styles do not hide an order. The tables below have
the most common phrases only; the real protection is that quoted text is always shown as data (`cards`).
"""

from recollect.policy.injection import lookalike_characters

REDACTED = "[redacted: instruction-like content]"

MOST_ROLES = 20
HEAD_CHARS = 40
"""The beginning of a line in which a role or a persona is looked for."""
_ROLES = (
    "system:", "developer:", "assistant:", "user:", "human:", "[system]", "[inst]", "[/inst]", "<|im_start|>",
    "<|im_end|>", "<|system|>", "<|user|>", "<|assistant|>", "<<sys>>", "<system>", "</system>",
)  # fmt: skip
# Roles and orders in other languages are looked for only in text that the user did not write: users may well write so.
_ROLES_ELSEWHERE = (
    "systeme:", "sistema:", "assistent:", "assistente:", "asistente:", "benutzer:", "utilisateur:", "usuario:",
    "utente:", "entwickler:",
    "系统:", "系統:", "助手:", "用户:", "用戶:", "开发者:", "システム:", "アシスタント:", "ユーザー:", "開発者:",
    "시스템:", "어시스턴트:", "사용자:", "система:", "ассистент:", "пользователь:", "разработчик:",
    "النظام:", "المساعد:", "المستخدم:", "सिस्टम:", "सहायक:", "उपयोगकर्ता:",
)  # fmt: skip
_OVERRIDES = ("ignore", "disregard", "forget", "override", "bypass", "ignoring", "disregarding")
_OVERRIDDEN = (
    "instruction", "system prompt", "system message", "the system", "the developer", "developer message",
    "previous prompt", "prior prompt", "guardrail", "your rules",
)  # fmt: skip
# Verbs and objects of an order to ignore instructions, by language; Latin letters without accents.
_OVERRIDES_ELSEWHERE = (
    (("ignorier", "missacht", "vergiss", "vergesst"), ("anweisung", "instruktion", "systemprompt")),
    (("ignorez", "ignore ", "oublie", "ne tenez pas compte"), ("instructions", "consignes", "directives")),
    (("ignora", "olvida", "omite", "haz caso omiso"), ("instrucciones", "indicaciones")),
    (("ignora", "dimentica"), ("istruzioni",)),
    (("ignore ", "ignora", "esqueca"), ("instrucoes", "instrucao")),
    (("negeer", "vergeet"), ("instructies", "aanwijzingen")),
    (("zignoruj", "ignoruj", "zapomnij"), ("instrukcj", "polecen")),
    (("yok say", "unut"), ("talimat",)),
)  # fmt: skip
_OVERRIDES_IN_OTHER_SCRIPTS = (
    (("игнорир", "забуд", "не обращай"), ("инструкц", "указани", "правил")),
    (("忽略", "无视", "無視", "忘记", "忘記"), ("指令", "指示", "提示", "命令", "规则", "規則")),
    (("無視", "忘れ", "従わない"), ("指示", "命令", "プロンプト", "ルール")),
    (("무시", "잊어"), ("지시", "명령", "프롬프트", "지침")),
    (("تجاهل", "انس "), ("تعليمات", "التعليمات", "الأوامر")),
    (("अनदेखा", "नज़रअंदाज़", "नजरअंदाज", "भूल जा"), ("निर्देश",)),
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
    0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x180E), 0x2800, 0x3164, 0xFFA0, *range(0xFE00, 0xFE0F),
    *range(0x1D173, 0x1D17B), *range(0xE0000, 0xE0080), *range(0xE0100, 0xE01F0),
)  # fmt: skip
_CLOSING_QUOTES = dict.fromkeys(map(ord, '"\u201c\u201d\u201e\u201f\uff02\u2033\u301d\u301e\u301f'), "'")
_CLEAN = dict.fromkeys(_HIDDEN) | {13: "\n"}


def govern(text: str, *, trusted: bool = False) -> str:
    """Return the text with `REDACTED` in place of lines that read as orders to the model.

    With `trusted` (text of the user), wishes such as "always follow PEP 8" stay; orders to ignore the model's
    instructions are removed all the same.
    """
    lines = text.translate(_CLEAN).split("\n")
    said = [_without_role(line, trusted=trusted) for line in lines]
    read = [lookalike_characters.fold_for_reading(line) for line in said]
    bad = [
        _is_order(low, trusted=trusted) or (not trusted and _is_order_elsewhere(low, line))
        for low, line in zip(read, said, strict=True)
    ]
    for at in range(len(said) - 1):  # an order may be broken over two lines
        if not bad[at] and not bad[at + 1] and _is_order(f"{read[at]} {read[at + 1]}", trusted=trusted):
            bad[at] = bad[at + 1] = True
    kept = [REDACTED if is_bad else line for line, is_bad in zip(said, bad, strict=True)]
    return "\n".join(line for at, line in enumerate(kept) if line != REDACTED or at == 0 or kept[at - 1] != REDACTED)


def _without_role(line: str, *, trusted: bool) -> str:
    """Return a line without the roles at its beginning; a persona is removed up to the end of its clause."""
    for _ in range(MOST_ROLES):
        shorter = _without_one_role(line, trusted=trusted)
        if shorter == line:
            return line
        line = shorter
    return REDACTED


def _without_one_role(line: str, *, trusted: bool) -> str:
    bare = line.lstrip(" \t>*-#\"'`")
    low = lookalike_characters.fold(bare[:HEAD_CHARS]).lower()
    if low.startswith(_ROLES):
        return bare[_length(low, _ROLES) :].lstrip()
    if not trusted:
        as_written = bare[:HEAD_CHARS].lower().replace("\uff1a", ":")
        for head in (low, as_written):
            if head.startswith(_ROLES_ELSEWHERE):
                return bare[_length(head, _ROLES_ELSEWHERE) :].lstrip()
    for persona in _PERSONAS:
        if low.startswith(persona):
            ends = [at for at in (bare.find(sign) for sign in (". ", ", ", "! ", "; ", ": ")) if at >= 0]
            return bare[min(ends) + 2 :].lstrip() if ends else REDACTED
    return line


def _length(head: str, roles: tuple[str, ...]) -> int:
    """Return the length of the role that a line begins with."""
    return next(len(role) for role in roles if head.startswith(role))


def _is_order(low: str, *, trusted: bool) -> bool:
    said = " ".join(low.split())
    if any(order in said for order in _RUN) or (not trusted and any(order in said for order in _OBEY)):
        return True
    return any(word in said for word in _OVERRIDES) and any(_overrides(clause) for clause in _clauses(said))


def _is_order_elsewhere(low: str, line: str) -> bool:
    """Whether a line says in another language to ignore instructions; `low` is folded, `line` as it is written."""
    if _has_pair(low, _OVERRIDES_ELSEWHERE):
        return True
    return not line.isascii() and _has_pair(line.lower(), _OVERRIDES_IN_OTHER_SCRIPTS)


def _has_pair(said: str, table: "tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]") -> bool:
    """Whether a text contains a verb and an object of the same row; plain loops, because they are quickest."""
    for verbs, things in table:
        for verb in verbs:
            if verb in said:
                for thing in things:
                    if thing in said:
                        return True
    return False


def _clauses(said: str) -> list[str]:
    for sign in ";:!?":
        said = said.replace(sign, ".")
    return said.split(". ")


def _overrides(clause: str) -> bool:
    """Whether a clause says to ignore instructions: the verb, and the object within the next seven words."""
    words = [word.strip(".,\"'`()[]*_") for word in clause.split()]
    return any(
        word in _OVERRIDES and any(what in " ".join(words[at + 1 : at + 8]) for what in _OVERRIDDEN)
        for at, word in enumerate(words)
    )


def escape(text: str, *, trusted: bool = False) -> str:
    """Return text escaped for an element; characters that look like angle brackets are escaped too."""
    plain = lookalike_characters.plain_brackets(text, trusted=trusted)
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def added_by_escaping(text: str) -> int:
    """Return how many characters longer a text is once it is escaped."""
    return len(escape(text)) - len(text)


def escape_attribute(text: str) -> str:
    """Return text escaped for an attribute: its quotes too."""
    return escape(text).replace('"', "&quot;")


def line(text: str, most_chars: int, *, trusted: bool = False) -> str:
    """Return the text as one governed and escaped line of at most `most_chars` characters before escaping."""
    said = cut(" ".join(govern(text, trusted=trusted).split()), most_chars)
    return cut_escaped(escape(said, trusted=trusted), 2 * most_chars)


def attribute(text: str, most_chars: int) -> str:
    """Return the text as one governed line for an attribute, of at most `most_chars` characters before escaping."""
    said = cut(" ".join(govern(text).split()), most_chars)
    return cut_escaped(escape_attribute(said), 2 * most_chars)


def quote(text: str, most_chars: int) -> str:
    """Return quoted text as one line between quotes; quotes inside it become single ones, so that it cannot end."""
    return f'"{line(text.translate(_CLOSING_QUOTES), most_chars)}"'


def cut_escaped(text: str, most_chars: int) -> str:
    """Return at most `most_chars` characters of escaped text, without half an entity at the end."""
    if len(text) <= most_chars:
        return text
    kept = text[: max(0, most_chars - 1)]
    at = kept.rfind("&")
    return (kept[:at] if at >= 0 and ";" not in kept[at:] else kept) + "…"


def cut(text: str, most_chars: int) -> str:
    """Return at most `most_chars` characters, with an ellipsis if something is missing."""
    return text if len(text) <= most_chars else text[: max(0, most_chars - 1)].rstrip() + "…"
