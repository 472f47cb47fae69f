"""The prompts that a person picks in a client: remember, search, review-pending. Import-light."""

from recollect.faces.mcp.tool import MOST_CHARS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from recollect.library.workspace import Workspace

REMEMBER = (
    "Save this with the tool `remember`, in words that are understood without our conversation. Search with `recall`"
    " first: where an older memory says something else, name it in `supersedes`.\n\n{text}"
)
SEARCH = (
    "Search the memories of this project with the tool `recall`, read the ones that matter with `read`, and answer from"
    " them. Say which memories you used, and say so if none helps.\n\n{question}"
)
REVIEW = (
    "These memories were captured and wait for the user's decision. Go through them one by one: show each, ask whether"
    " it is right, and tell the user the command. Only the user decides; do not run it yourself."
)
NOTHING_PENDING = "Tell the user that no memory waits for a decision in this project."

TABLE = {
    "remember": ("Save something for later sessions", {"text": "What to remember"}),
    "search": ("Answer from the project's memories", {"question": "What you want to know"}),
    "review-pending": ("Decide about memories that were captured and are not certain", {}),
}


def listed() -> "list[dict[str, Any]]":
    """Return the prompts as `prompts/list` has them."""
    return [
        {
            "name": name, "title": name.replace("-", " ").capitalize(), "description": says,
            "arguments": [{"name": key, "description": about, "required": True} for key, about in arguments.items()],
        }
        for name, (says, arguments) in TABLE.items()
    ]  # fmt: skip


def filled(name: str, arguments: "Mapping[str, str]", workspace: "Callable[[], Workspace]") -> "dict[str, Any]":
    """Return a prompt with its arguments; raises LookupError for another name or a missing argument."""
    if name not in TABLE:
        raise LookupError(f"no prompt is called {name[:80]!r}; there are: {', '.join(TABLE)}")
    says, wanted = TABLE[name]
    missing = [key for key in wanted if not isinstance(arguments.get(key), str) or not arguments[key].strip()]
    if missing:
        raise LookupError(f"the prompt {name} needs the argument {missing[0]}")
    long = [key for key in wanted if len(arguments[key]) > MOST_CHARS]
    if long:
        raise LookupError(f"the argument {long[0]} has more than {MOST_CHARS:,} characters")
    if name == "remember":
        text = REMEMBER.format(text=arguments["text"])
    elif name == "search":
        text = SEARCH.format(question=arguments["question"])
    else:
        text = workspace().pending_text(REVIEW, NOTHING_PENDING)
    return {"description": says, "messages": [{"role": "user", "content": {"type": "text", "text": text}}]}
