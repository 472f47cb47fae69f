"""What a person does to a memory on the page: one verb of the library for each button."""

from collections.abc import Callable, Mapping

from starlette.responses import Response

from recollect.errors import BadInput
from recollect.faces.page.asking import Asking
from recollect.library.memories import NO_REASON
from recollect.library.workspace import Workspace
from recollect.write.outcome import Outcome

Form = Mapping[str, str]


def _reason(form: Form) -> str:
    return form.get("reason", "").strip() or NO_REASON


def _older(form: Form) -> str:
    """Return the memory that a merge replaces: the one that was typed, or else the one that was chosen."""
    older = form.get("older", "").strip() or form.get("related", "")
    if not older:
        raise BadInput("no memory was chosen", fix="Choose one of the related memories, or type a name or id.")
    return older


ACTIONS: dict[str, tuple[str, Callable[[Workspace, str, Form], Outcome]]] = {
    "pin": ("pinned", lambda workspace, name, _: workspace.pin(name)),
    "unpin": ("unpinned", lambda workspace, name, _: workspace.pin(name, pinned=False)),
    "retire": ("retired", lambda workspace, name, form: workspace.retire(name, _reason(form))),
    "archive": ("archived", lambda workspace, name, form: workspace.archive(name, _reason(form))),
    "restore": ("restored", lambda workspace, name, _: workspace.restore(name)),
    "promote": ("promoted", lambda workspace, name, _: workspace.promote(name)),
    "merge": ("merged", lambda workspace, name, form: workspace.merge(name, _older(form))),
    "keep": ("kept", lambda workspace, name, form: workspace.keep(name, both=bool(form.get("both")))),
    "drop": ("dropped", lambda workspace, name, _: workspace.drop(name)),
}
"""The name of an action in an address → what is said when it is done, and the verb."""


async def act(asking: Asking) -> Response:
    """Carry out an action on a memory, then show the memory, or the queue if the form was sent from there."""
    form, action = await asking.form(), str(asking.request.path_params["action"])
    if action not in ACTIONS:
        raise BadInput("there is no such action", target=action, fix=f"Use one of: {', '.join(ACTIONS)}.")
    done, verb = ACTIONS[action]
    outcome = await asking.run(lambda workspace: verb(workspace, asking.name, form))
    if form.get("then") == "review":
        return asking.go(f"/review?done={done}")
    return asking.go(f"/memory/{outcome.memory.uid}?done={done}")


async def confirm_undo(asking: Asking) -> Response:
    """Show what would be undone."""
    changes = await asking.run(lambda workspace: workspace.last_changes())
    return await asking.screen("undo.html", changes=changes)


async def undo(asking: Asking) -> Response:
    """Undo the last change of the project, if it is the one that the person saw; then show what came back."""
    form = await asking.form()
    done = await asking.run(lambda workspace: workspace.undo(expect=form.get("group") or None))
    first = done[0] if done else None
    if form.get("then") == "review" or first is None or first.is_fact or first.revision is None:
        return asking.go(f"/{'review' if form.get('then') == 'review' else ''}?done=undone")
    return asking.go(f"/memory/{first.memory.uid}?done=undone")
