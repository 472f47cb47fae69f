"""The text of a turn that is kept: prompt and answer, without what hooks injected."""

from recollect.model import text

# Elements that we, or the client, put into a message. Kept, they would come back as memories of memories.
_INJECTED = ("memory-context", "system-reminder", "hook_context")
PROMPT, ANSWER = "Asked: ", "\n\nAnswered: "


def without_injected(said: str) -> str:
    """Return a message without injected elements and hidden characters."""
    for tag in _INJECTED:
        said = _without(said, tag)
    return text.clean_body(said).strip()


def _without(said: str, tag: str) -> str:
    """Return a text without its elements of a name. One of ours that was cut off, and never closed, goes to the end."""
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
    """Return prompt and answer as one text of about `most_chars`.

    The prompt gets at most a third of them. A long answer keeps its beginning and its end.
    """
    asked = text.cut(prompt, most_chars // 3)
    room = most_chars - len(asked)
    answered = shortened(answer, room)
    return f"{PROMPT}{asked}{ANSWER}{answered}" if asked else answered


def shortened(answer: str, most_chars: int) -> str:
    """Return the beginning and the end of a long answer: what it proposes stands at its end."""
    head, tail = answer[: most_chars * 2 // 3], answer[-(most_chars // 3) :]
    return answer if len(answer) <= most_chars else f"{head}\n[…]\n{tail}"


def summary(given: object) -> str:
    """Return what a tool was given as a line of `name=value`; empty if that is no object."""
    if not isinstance(given, dict):
        return ""
    parts = (f"{name}={value}" for name, value in given.items() if isinstance(value, str | int | float))
    return text.cut(" ".join(parts), 300)
