"""What of a turn is kept: what was said, without what we put into it ourselves."""

from recollect.model import text

# Our own words, and the client's to the model, are nobody's: kept, they would come back as memories of memories.
_INJECTED = ("memory-context", "system-reminder", "hook_context")
PROMPT, ANSWER = "Asked: ", "\n\nAnswered: "


def bare(said: str) -> str:
    """What somebody said, without injected blocks and without signs that hide themselves."""
    for tag in _INJECTED:
        said = _without(said, tag)
    return text.clean_body(said).strip()


def _without(said: str, tag: str) -> str:
    """A text without its elements of a name; ours that was cut off, and so is never closed, goes to the end."""
    parts: list[str] = []
    at = 0
    while (start := said.find(f"<{tag}", at)) >= 0:
        end = said.find(f"</{tag}>", start)
        if end < 0:
            is_ours = said.startswith(f"<{tag} source=", start)
            return "".join([*parts, said[at : start if is_ours else None]])
        parts.append(said[at:start])
        at = end + len(tag) + 3
    return "".join([*parts, said[at:]])


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
