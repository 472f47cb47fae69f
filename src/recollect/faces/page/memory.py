"""The screen of one memory: its text, where it comes from, how it changed, when it was told; and its form."""

from collections.abc import Mapping
from typing import Any, NamedTuple, get_args

from starlette.responses import PlainTextResponse, Response

from recollect.errors import BadInput, Conflict
from recollect.faces.page import graph
from recollect.faces.page.asking import Asking, last_group
from recollect.faces.page.rendering import body, line
from recollect.library.browsing.session_steps import WORDS
from recollect.library.workspace import Workspace
from recollect.model.memory import UNTAGGED, Memory, Sensitivity

SAID_BY = {
    "user": "you", "assistant": "the agent", "tool": "a tool", "web": "the web", "import": "an import",
    "quoted": "somebody else, passed on by you",
}  # fmt: skip
RELATIONS = {
    ("replaces", False): "replaces", ("replaces", True): "replaced by", ("may_replace", False): "may replace",
    ("may_replace", True): "may be replaced by", ("exception_to", False): "exception to",
    ("exception_to", True): "has exception",
}  # fmt: skip


MOMENTS = {"ToolFailed": "for a failure", "ToolStarting": "before a tool ran"}
"""Names of events other than a prompt → when an agent was told a memory."""


class FormField(NamedTuple):
    """A field of a memory's content that a form can change."""

    name: str
    value: str
    """Items of a list stand on lines of their own."""
    is_list: bool
    choices: tuple[str, ...]
    """The values that it may have; empty for free text."""


async def show(asking: Asking) -> Response:
    """Return the screen of a memory."""
    values = await asking.run(lambda workspace: _details(workspace, asking.name))
    return await asking.screen("memory.html", **values)


def _details(workspace: Workspace, name: str) -> dict[str, Any]:
    shown, memory = workspace.shown(name)
    around = workspace.surroundings(memory.uid)
    told = workspace.told(memory.uid)
    return {
        "memory": memory, "shown": shown, "around": around, "sources": workspace.sources(memory.uid),
        "changes": workspace.changes(memory.uid), "told": told, "occasions": workspace.occasions(told),
        "fields": [row for row in content_fields(memory) if row.value and line(row.value) != line(memory.title)],
        "sessions": {telling.session: workspace.short_session_id(telling.session) for telling in told},
        "drawing": graph.draw(memory, around), "fact_drawing": graph.draw_facts(around),
        "said_by": SAID_BY, "relations": RELATIONS, "step_words": WORDS, "moments": MOMENTS,
        "checked": workspace.verdicts([memory.uid]).get(memory.uid), "root": workspace.root,
        "lead": lead(workspace, memory), "related": workspace.related(memory.uid),
        "undoable": last_group(workspace),
    }  # fmt: skip


def lead(workspace: Workspace, memory: Memory) -> str:
    """Return the content field that says the most: it is shown without its name."""
    kind = workspace.kinds.get(memory.kind)
    content = type(memory.content).model_fields
    return kind.lead if kind and kind.lead in content else "text"


async def text(asking: Asking) -> Response:
    """Return the whole text of a memory as plain text."""
    memory = await asking.run(lambda workspace: workspace.show(asking.name))
    return PlainTextResponse(body(memory.text))


async def edit(asking: Asking) -> Response:
    """Return the form that edits a memory."""
    shown, memory = await asking.run(lambda workspace: workspace.shown(asking.name))
    then = "review" if asking.value("then") == "review" else ""
    return await _form(asking, memory, shown.revision, form_values(memory), then=then)


async def save(asking: Asking) -> Response:
    """Save an edited memory; where it changed meanwhile, return the form again with both versions."""
    form = await asking.form()
    then = "review" if form.get("then") == "review" else ""
    try:
        saved = await asking.run(lambda workspace: _save(workspace, asking.name, form, keep=bool(then)))
    except Conflict:
        shown, memory = await asking.run(lambda workspace: workspace.shown(asking.name))
        typed = {**form_values(memory), **{name: said for name, said in form.items() if name in form_values(memory)}}
        return await _form(asking, memory, shown.revision, typed, then=then, status=409)
    return asking.go("/review?done=kept" if then else f"/memory/{saved.uid}?done=saved")


async def _form(
    asking: Asking, memory: Memory, revision: str, values: Mapping[str, str], *, then: str, status: int = 200
) -> Response:
    rows = [row for row in content_fields(memory) if row.value or row.name != "status"]
    return await asking.screen(
        "edit.html", status=status, memory=memory, revision=revision, values=values, rows=rows, then=then,
        now_values=form_values(memory), is_conflict=status == 409, sensitivities=get_args(Sensitivity),
    )  # fmt: skip


def _save(workspace: Workspace, name: str, form: Mapping[str, str], *, keep: bool) -> Memory:
    """Edit a memory as a form says; with `keep`, confirm it too."""
    memory = workspace.show(name)
    rows = {row.name: row for row in content_fields(memory)}
    fields: dict[str, Any] = {}
    for field_name, said in form.items():
        row = rows.get(field_name.removeprefix("field."))
        if field_name.startswith("field.") and row and said.replace("\r\n", "\n") != row.value:
            fields[row.name] = [part for part in said.splitlines() if part.strip()] if row.is_list else _typed(said)
    said_tags = form.get("tags", ",".join(memory.tags))
    tags = {tag for tag in (part.strip() for part in said_tags.split(",")) if tag}
    done = workspace.edit(
        memory.uid,
        title=form["title"] if form.get("title", memory.title) != memory.title else None,
        add_tags=sorted(tags - set(memory.tags)),
        remove_tags=sorted(set(memory.tags) - (tags or {UNTAGGED})),
        fields=fields,
        importance=_number(form["importance"]) if form.get("importance") else None,
        sensitivity=_sensitivity(form, memory),
        applies_when=form["applies_when"] if form.get("applies_when", memory.cue) != memory.cue else None,
        expect=form.get("revision") or None,
    )
    return workspace.keep(done.memory.uid).memory if keep else done.memory


def _number(said: str) -> float:
    try:
        return float(said)
    except ValueError:
        raise BadInput("the importance is not a number", target=said, fix="Use a number from 0 to 1.") from None


def _typed(said: str) -> object:
    return {"True": True, "False": False}.get(said, said.replace("\r\n", "\n"))


def _sensitivity(form: Mapping[str, str], memory: Memory) -> Sensitivity | None:
    said = form.get("sensitivity", memory.sensitivity)
    known = {name: name for name in get_args(Sensitivity)}
    return known.get(said) if said != memory.sensitivity else None


def content_fields(memory: Memory) -> list[FormField]:
    """Return the fields of a memory's content that are texts, lists of texts, or one of a few words."""
    found = []
    for name, value in memory.content:
        info = type(memory.content).model_fields.get(name)
        choices = tuple(str(choice) for choice in get_args(info.annotation) if isinstance(choice, str)) if info else ()
        if isinstance(value, bool):
            found.append(FormField(name, str(value), is_list=False, choices=("True", "False")))
        elif isinstance(value, str):
            found.append(FormField(name, value, is_list=False, choices=choices))
        elif isinstance(value, tuple) and all(isinstance(part, str) for part in value):
            found.append(FormField(name, "\n".join(value), is_list=True, choices=()))
    return found


def form_values(memory: Memory) -> dict[str, str]:
    """Return the values of the form's fields for a memory."""
    own = {
        "title": memory.title, "tags": ", ".join(tag for tag in memory.tags if tag != UNTAGGED),
        "importance": f"{memory.importance:g}",
        "sensitivity": memory.sensitivity, "applies_when": memory.cue,
    }  # fmt: skip
    return own | {f"field.{row.name}": row.value for row in content_fields(memory)}
