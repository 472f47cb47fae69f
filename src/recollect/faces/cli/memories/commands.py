"""Commands that change memories: remember, edit, pin, retire, archive, restore, purge."""

from __future__ import annotations  # the types below load the whole library, and help needs none of it

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from recollect.errors import BadInput, RecollectError
from recollect.faces.cli import columns, output
from recollect.faces.cli.memories.show import NAME_HELP
from recollect.faces.cli.shared import command, confirm, confirm_or_refuse, refuse_agents
from recollect.lazy import load

if TYPE_CHECKING:
    from recollect.library.workspace import Workspace
    from recollect.write.outcome import Outcome

PIN_HELP = f"""Pin a memory: it is never removed automatically.

Agents are also told a pinned memory at every session start. {NAME_HELP}"""
NOT_ERASED = (
    "Not erased: what git has committed, and the turn it came from. `recollect scrub` removes a text from everything "
    "that recollect keeps."
)
TYPE_HERE = "Type the text; Ctrl-D on an empty line ends it."
SENSITIVITIES = ("public", "operational", "personal", "private", "secret", "unknown")


def parse_fields(pairs: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields of `--set name=value` options; a repeated name makes a list, a value may be JSON.

    Raises click.UsageError for a pair without `=` or without a name.
    """
    fields: dict[str, Any] = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator or not name.strip():
            raise click.UsageError(f"--set takes FIELD=VALUE, for example --set status=accepted; got {pair!r}")
        fields.setdefault(name.strip(), []).append(_literal(value))
    return {name: values[0] if len(values) == 1 else values for name, values in fields.items()}


def _literal(value: str) -> object:
    if value[:1] in '[{"' or value in ("true", "false", "null"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def read_text(text: str | None) -> str:
    """Return the argument, or standard input if the argument is `-` or missing; raise BadInput if it is empty."""
    if text is None and sys.stdin.isatty():
        click.echo(TYPE_HERE, err=True)
    given = sys.stdin.buffer.read().decode("utf-8", "replace") if text in (None, "-") else str(text)
    if not given.strip():
        raise BadInput("the text is empty", fix='Give a text, for example: recollect remember "Use pnpm, never npm".')
    return given


@command("remember")
@click.argument("text", required=False)
@click.option("--kind", "-k", default="note", show_default=True, help="The kind; `recollect config kinds` lists all.")
@click.option("--title", "-t", help="The title; default: the first line of the text.")
@click.option("--why", "-w", help="The reason, for example the rationale of a decision.")
@click.option("--tag", "tags", multiple=True, help="Add a tag; repeatable.")
@click.option("--set", "fields", multiple=True, metavar="FIELD=VALUE", help="Set a field of the kind; repeatable.")
@click.option("--file", "files", multiple=True, help="A file that the memory is about; repeatable.")
@click.option("--confidence", type=click.FloatRange(0, 1), help="How certain it is that the memory is true.")
@click.option("--importance", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="How much it matters.")
@click.option("--sensitivity", type=click.Choice(SENSITIVITIES), help="Who may see it; default: decided from the text.")
@click.option("--ttl-days", type=click.FloatRange(min=0, min_open=True), help="Delete it after this many days.")
@click.option("--global", "everywhere", is_flag=True, help="Make it visible in every project.")
@click.option(
    "--supersedes", multiple=True, metavar="NAME", help="Retire this memory, which the new one replaces; repeatable."
)
def remember(workspace: Workspace, as_json: bool, text: str | None, fields: tuple[str, ...], **details: Any) -> None:  # noqa: ANN401
    """Save a memory.

    Without TEXT, or with `-`, the text is read from standard input. If the same text is saved already, its memory gets
    the new tags and files, and no second memory is created.
    """
    outcome = workspace.remember(read_text(text), fields=parse_fields(fields), **details)
    output.print_outcome(outcome, as_json=as_json)


@command("edit", help=f"Change a memory, by options or in $EDITOR.\n\n{NAME_HELP}")
@click.argument("name")
@click.option("--title", "-t", help="Set the title.")
@click.option("--text", help="Set the text, the main field of the kind.")
@click.option("--tag", "add_tags", multiple=True, help="Add a tag; repeatable.")
@click.option("--untag", "remove_tags", multiple=True, help="Remove a tag; repeatable.")
@click.option("--set", "fields", multiple=True, metavar="FIELD=VALUE", help="Set a field of the kind; repeatable.")
@click.option("--confidence", type=click.FloatRange(0, 1), help="How certain it is that the memory is true.")
@click.option("--importance", type=click.FloatRange(0, 1), help="How much it matters.")
@click.option("--sensitivity", type=click.Choice(SENSITIVITIES), help="Who may see it.")
@click.option(
    "--applies-when", metavar="SCOPE",
    help="Set what a rule applies to: activities, commands and files split by semicolons; empty: by its words.",
)  # fmt: skip
def edit(workspace: Workspace, as_json: bool, name: str, fields: tuple[str, ...], **parts: Any) -> None:  # noqa: ANN401
    """Change a memory."""
    if fields or any(value is not None and value != () for value in parts.values()):
        outcome = workspace.edit(name, fields=parse_fields(fields), **parts)
    else:
        outcome = edit_by_hand(workspace, name)
    output.print_outcome(outcome, as_json=as_json)


def edit_by_hand(workspace: Workspace, name: str) -> Outcome:
    """Open $EDITOR on the memory's editable fields, and save them; a draft that is invalid is kept in a file.

    Raises BadInput without a terminal or editor, and the error of the invalid draft.
    """
    if not (sys.stdin.isatty() or os.environ.get("VISUAL") or os.environ.get("EDITOR")):
        raise BadInput(
            "an editor needs a terminal, and there is none", target=name, fix="Use --title, --text, --tag or --set."
        )
    compose = load("recollect.policy.memories.compose")
    found = workspace.find(name)
    before = compose.document(found.memory)
    try:
        after = click.edit(before, extension=".json")
    except click.ClickException as error:
        fix = "Set $EDITOR to an editor that waits until the file is closed, or use --title, --text or --tag."
        raise BadInput(error.format_message(), target=name, fix=fix) from None
    try:
        edited = compose.from_document(after or before, found.memory, workspace.kinds) if after else found.memory
    except RecollectError as error:
        kept = workspace.keep_draft(after or "", f"{found.memory.slug}.json")
        error.fix = f"Your draft is saved in {kept}. Run `recollect edit` again and correct it."
        raise
    is_reworded = (edited.title, edited.text) != (found.memory.title, found.memory.text)
    return workspace.revise(edited, expect=found.revision, classify=is_reworded)


@command("pin", help=PIN_HELP)
@click.argument("name")
@click.option("--off", is_flag=True, help="Unpin it.")
def pin(workspace: Workspace, as_json: bool, name: str, off: bool) -> None:
    """Pin a memory."""
    output.print_outcome(workspace.pin(name, pinned=not off), as_json=as_json)


@command("retire", help=f"Retire a memory: no longer recalled, restorable.\n\n{NAME_HELP}")
@click.argument("name")
@click.option("--reason", "-r", default="No reason provided", help="The reason, kept in its history.")
def retire(workspace: Workspace, as_json: bool, name: str, reason: str) -> None:
    """Retire a memory."""
    output.print_outcome(workspace.retire(name, reason), as_json=as_json)


@command("archive", help=f"Archive a memory: no longer recalled, kept, restorable.\n\n{NAME_HELP}")
@click.argument("name")
@click.option("--reason", "-r", default="No reason provided", help="The reason, kept in its history.")
def archive(workspace: Workspace, as_json: bool, name: str, reason: str) -> None:
    """Archive a memory."""
    outcome, cold = workspace.archive(name, reason), load("recollect.vault.layouts").COLD
    if not as_json and outcome.action == "archived" and (outcome.path or "").startswith(f"{cold}/"):
        click.echo(f"Archived {output.visible(name)} to {cold}/")  # A34
    else:
        output.print_outcome(outcome, as_json=as_json)


@command("restore", help=f"Make a retired or archived memory active again.\n\n{NAME_HELP}")
@click.argument("name")
def restore(workspace: Workspace, as_json: bool, name: str) -> None:
    """Restore a memory."""
    output.print_outcome(workspace.restore(name), as_json=as_json)


@command("purge", help=f"Erase a memory and its file; `undo` can bring it back.\n\n{NAME_HELP}")
@click.argument("name")
@click.option("--reason", "-r", default="No reason provided", help="The reason, kept in its history.")
@click.option("--forever", is_flag=True, help="Erase its history and backups too; this cannot be undone.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation.")
def purge(workspace: Workspace, as_json: bool, name: str, reason: str, *, forever: bool, yes: bool) -> None:
    """Purge a memory."""
    refuse_agents("purge")
    memory = workspace.show(name)
    if not as_json and not yes and sys.stdin.isatty():
        click.echo(click.style(columns.wrapped(output.visible(memory.title), output.width()), bold=True))
    if not forever:
        confirm(f"Erase this {memory.kind}?", yes=yes)
        output.print_outcome(workspace.purge(memory.uid, reason), as_json=as_json)
        return
    confirm_or_refuse("Erase it, its history and its backups? This cannot be undone.", yes=yes)
    output.print_outcome(workspace.purge_forever(memory.uid, reason), as_json=as_json)
    if not as_json:
        click.echo(columns.wrapped(NOT_ERASED, output.width()))
