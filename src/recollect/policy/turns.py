"""What of a turn is kept: what was said, without what we put into it ourselves."""

import re

from recollect.model import text

# Our own words, and the client's to the model, are nobody's: kept, they would come back as memories of memories.
_INJECTED = re.compile(
    r"<(memory-context|system-reminder|hook_context)\b.*?</\1>|<memory-context source=.*\Z", re.DOTALL
)
PROMPT, ANSWER = "Asked: ", "\n\nAnswered: "


def bare(said: str) -> str:
    """What somebody said, without injected blocks and without signs that hide themselves."""
    return text.clean_body(_INJECTED.sub("", said)).strip()


def joined(prompt: str, answer: str, most_chars: int) -> str:
    """Prompt and answer as one text; the prompt gets at most a third of the room, and the end of neither is lost."""
    asked = text.cut(prompt, most_chars // 3)
    room = most_chars - len(asked)
    head, tail = answer[: room * 2 // 3], answer[-(room // 3) :]
    answered = answer if len(answer) <= room else f"{head}\n[…]\n{tail}"
    return f"{PROMPT}{asked}{ANSWER}{answered}" if asked else answered


def summary(given: object) -> str:
    """What a tool was asked for, in a line."""
    if not isinstance(given, dict):
        return ""
    parts = (f"{name}={value}" for name, value in given.items() if isinstance(value, str | int | float))
    return text.cut(" ".join(parts), 300)
