"""The default tools: recall, read, remember, retire, why."""

from recollect.errors import BadInput, NotFound
from recollect.faces.mcp.server import Call
from recollect.library.agents.tool_verbs import MOST_BYTES
from recollect.policy.memories.compose import Note


def recall(call: Call) -> str:
    """Return the memories that a question finds, as lines with handles."""
    given, workspace = call.arguments, call.workspace
    workspace.check_on(call.session.id)
    question, limit = str(given["question"]), int(given.get("limit", 10))
    kinds, file = tuple(given.get("kinds", ())), given.get("file")
    call.go_on(1, 2, "searching")
    found = call.answers.get(
        workspace,
        ("recall", question, kinds, file, limit),
        lambda: workspace.ask(question, kinds=kinds, file=file, limit=limit, scan=False),
    )
    is_full, most = given.get("detail") == "full", int(given.get("max_bytes", MOST_BYTES))
    return workspace.tell(found, session=call.session.id, is_full=is_full, most_bytes=most)


def read(call: Call) -> str:
    """Return memories in full, by their handles."""
    given, workspace = call.arguments, call.workspace
    workspace.check_on(call.session.id)
    call.go_on(1, 2, "reading")
    return workspace.read_out(
        given["handles"], session=call.session.id, history=bool(given.get("history")),
        evidence=bool(given.get("evidence")), most_bytes=int(given.get("max_bytes", MOST_BYTES)),
    )  # fmt: skip


def remember(call: Call) -> str:
    """Save a memory of the agent, and say under which handle."""
    given, workspace = call.arguments, call.workspace
    note = Note(
        str(given["text"]), str(given.get("kind", "note")), title=given.get("title"), why=given.get("why"),
        tags=given.get("tags", ()), files=given.get("files", ()),
    )  # fmt: skip
    call.go_on(1, 2, "saving")
    done = workspace.save(note, session=call.session.id, supersedes=given.get("supersedes", ()))
    workspace.start_worker()  # it makes the new memory comparable by meaning
    handle = workspace.short_ids([done.memory.uid])[done.memory.uid]
    lines = [f"{done.action}: {handle}  {done.memory.kind}/{done.memory.slug}", *done.notes]
    if given.get("supersedes"):
        lines.append("Tell the user what it replaced; `recollect undo` takes it back.")
    return "\n".join(lines)


def retire(call: Call) -> str:
    """Retire a memory, and say how it comes back."""
    given = call.arguments
    call.go_on(1, 2, "retiring")
    done = call.workspace.retire_for_agent(str(given["handle"]), str(given["reason"]), session=call.session.id)
    handle = call.workspace.short_ids([done.memory.uid])[done.memory.uid]
    said = (
        f"{done.action}: {handle}  {done.memory.kind}/{done.memory.slug}; `recollect restore {handle}` brings it back."
    )
    return f"{said} The user said it: tell them." if done.memory.origin == "user" else said


def why(call: Call) -> str:
    """Return what one answer weighed, or when a memory was told, and why."""
    workspace, what = call.workspace, str(call.arguments.get("what", ""))
    workspace.check_on(call.session.id)
    said = workspace.explain_receipt(what)
    if said:
        return said
    if not what:
        fix = "Call recall first; what an agent was told is counted a little later."
        raise BadInput("nothing was told in this project yet", target="why", fix=fix)
    try:
        return workspace.explain_memory(what)
    except NotFound as error:
        error.message = "no memory of this project and no receipt has this name"
        raise
