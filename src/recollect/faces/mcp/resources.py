"""The resources: `memory://<id>`, the text of a session start, the log's files. Loaded on first use."""

from typing import Any

from recollect.faces.mcp.server import Unknown
from recollect.faces.mcp.session import Session
from recollect.library.agents.tool_verbs import MOST_BYTES
from recollect.library.workspace import Workspace
from recollect.model.memory import Memory
from recollect.policy.injection import untrusted_text

MEMORY, START, LOG = "memory://", "recollect://session-start", "recollect://log/"
PLAIN = "text/plain"
TEMPLATES = [
    {
        "uriTemplate": MEMORY + "{id}", "name": "memory", "title": "A memory",
        "description": "One memory in full, by its id or the handle that recall prints.", "mimeType": PLAIN,
    }
]  # fmt: skip
NOTHING = "Nothing is known for the start of a session here."
TITLE_CHARS = 160


def page(workspace: Workspace, session: Session, offset: int, limit: int) -> tuple[list[dict[str, Any]], bool]:
    """Return a page of resources and whether there are more: the session start, the log, the newest memories."""
    if workspace.off_because(session.id):
        return [], False
    fixed = [_entry(START, "session-start", "What a session is told when it starts")]
    fixed += [_entry(LOG + path, path, f"The log's file {path}") for path in workspace.log_files()]
    shown = fixed[offset : offset + limit]
    room, skipped = limit - len(shown), max(0, offset - len(fixed))
    memories = workspace.list_for_agent(limit=room + 1, offset=skipped)
    shown += [_entry(MEMORY + memory.uid, memory.slug, _title(memory)) for memory in memories[:room]]
    return shown, len(memories) > room or offset + limit < len(fixed)


def _title(memory: Memory) -> str:
    return untrusted_text.line(memory.title, TITLE_CHARS, trusted=memory.origin == "user")


def _entry(uri: str, name: str, title: str) -> dict[str, Any]:
    return {"uri": uri, "name": name, "title": title, "mimeType": PLAIN}


def read(workspace: Workspace, session: Session, uri: str) -> list[dict[str, Any]]:
    """Return the contents of a resource; raises Unknown for any other uri, RecollectError where memory is off."""
    workspace.check_on(session.id)
    if uri == START:
        text = workspace.start_text(session=session.id) or NOTHING
    elif uri.startswith(LOG):
        text = workspace.log_text(uri.removeprefix(LOG), session=session.id)
    elif uri.startswith(MEMORY):
        text = workspace.read_out([uri.removeprefix(MEMORY)], session=session.id, most_bytes=MOST_BYTES)
    else:
        raise Unknown(f"there is no resource {uri[:200]}")
    return [{"uri": uri, "mimeType": PLAIN, "text": text}]
