"""The verbs on memories: remember, list, edit, pin, retire, archive, restore, purge, undo."""

import json
import os
import sys
from dataclasses import replace
from typing import Any

import click

from recollect.cli import output
from recollect.cli.face import command, confirm, opened, refuse_agents
from recollect.cli.memories.show import NAME_HELP
from recollect.errors import BadInput, RecollectError
from recollect.library.workspace import Workspace
from recollect.policy.capture.filing import PENDING
from recollect.policy.memories import compose
from recollect.vault.layouts import COLD
from recollect.write.outcome import Outcome

STATUSES = ("active", "retired", "archived")
SENSITIVITIES = ("public", "operational", "personal", "private", "secret", "unknown")


def parse_fields(pairs: tuple[str, ...]) -> dict[str, Any]:
    """`--set name=value`; repeated names make a list, and a value may be JSON."""
    fields: dict[str, Any] = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator or not name.strip():
            raise click.UsageError(f"--set takes name=value, not {pair!r}")
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
    """The argument, or standard input where it is `-` or missing."""
    given = sys.stdin.buffer.read().decode("utf-8", "replace") if text in (None, "-") else str(text)
    if not given.strip():
        raise BadInput("there is nothing to remember", fix='Give a text: recollect remember "Use pnpm, never npm".')
    return given


@command("remember")
@click.argument("text", required=False)
@click.option(
    "--kind", "-k", default="note", show_default=True, help="What it is; `recollect config kinds` lists them."
)
@click.option("--title", "-t", help="A title; the text's first line otherwise.")
@click.option("--why", "-w", help="The reason: fills the field of the kind that holds it.")
@click.option("--tag", "tags", multiple=True, help="A tag; may be repeated.")
@click.option("--set", "fields", multiple=True, metavar="FIELD=VALUE", help="A content field; may be repeated.")
@click.option("--file", "files", multiple=True, help="A file that it is about; may be repeated.")
@click.option("--confidence", type=click.FloatRange(0, 1), help="How certain it is.")
@click.option("--importance", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="How much it matters.")
@click.option(
    "--sensitivity", type=click.Choice(SENSITIVITIES), help="Who may see it; without it, what the text holds decides."
)
@click.option("--ttl-days", type=click.FloatRange(min=0, min_open=True), help="Forget it after that many days.")
@click.option("--global", "everywhere", is_flag=True, help="See it from every project.")
@click.option("--supersedes", multiple=True, metavar="NAME", help="Retire this memory in the same change; repeatable.")
def remember(workspace: Workspace, as_json: bool, text: str | None, fields: tuple[str, ...], **details: Any) -> None:  # noqa: ANN401
    """Keep something. TEXT may be `-` to read standard input.

    Saying what is known already adds the new tags and files to it instead of a second memory.
    """
    outcome = workspace.remember(read_text(text), fields=parse_fields(fields), **details)
    output.print_outcome(outcome, as_json=as_json)


def show_fully(name: str, *, history: bool, content: bool, as_json: bool) -> None:
    """The whole way of `show`: the vault is scanned first."""
    with opened(as_json=as_json) as workspace:
        if history:
            entries = workspace.history(name)
            output.print_json([output.entry_dict(one) for one in entries]) if as_json else output.print_entries(entries)
            return
        found = workspace.find(name)
        if content:
            said = output.body(found.memory.text)
            output.print_json(said) if as_json else click.echo(said)
            return
        seen = workspace.context.store.sighting_of(workspace.context.root, found.memory.uid)
    path = seen.path if seen and seen.presence == "seen" else None
    if as_json:
        output.print_json(output.as_dict(found.memory, revision=found.revision, path=path))
    else:
        output.print_memory(json.loads(found.memory.image), found.revision, path)


@command("list")
@click.argument("match", nargs=-1)
@click.option("--kind", "-k", "kinds", multiple=True, help="Only this kind; may be repeated.")
@click.option("--status", "statuses", multiple=True, type=click.Choice(STATUSES), help="Only this status.")
@click.option("--tag", "tags", multiple=True, help="Only with this tag; may be repeated.")
@click.option("--pending", is_flag=True, help="Only what was captured and waits for a look: `keep` or `drop` it.")
@click.option("--all", "-a", "everything", is_flag=True, help="Retired and archived ones too.")
@click.option("--all-projects", is_flag=True, help="Of every project.")
@click.option("--limit", "-n", type=click.IntRange(1, 1_000_000), help="At most that many, newest first.")
def list_memories(
    workspace: Workspace, as_json: bool, match: tuple[str, ...], *, statuses: tuple[str, ...], everything: bool,
    pending: bool, **filters: Any,  # noqa: ANN401
) -> None:  # fmt: skip
    """List memories, newest first; MATCH are words that all have to occur."""
    for kind in filters["kinds"]:
        if kind not in workspace.kinds:
            raise BadInput("there is no such kind", target=kind[:80], fix=f"Use one of: {', '.join(workspace.kinds)}.")
    filters["tags"] = (*filters["tags"], *((PENDING,) if pending else ()))
    wanted: Any = statuses or (STATUSES if everything else ("active",))
    found = workspace.list(match=" ".join(match), statuses=wanted, **filters)
    if as_json:
        output.print_json([output.as_dict(memory) for memory in found])
    else:
        output.print_memories(found, shows_project=bool(filters["all_projects"]))


@command("edit", help=f"Change a memory, by flags or, without any, in $EDITOR. {NAME_HELP}")
@click.argument("name")
@click.option("--title", "-t", help="A new title.")
@click.option("--text", help="A new text: the main field of the kind.")
@click.option("--tag", "add_tags", multiple=True, help="Add a tag; may be repeated.")
@click.option("--untag", "remove_tags", multiple=True, help="Remove a tag; may be repeated.")
@click.option("--set", "fields", multiple=True, metavar="FIELD=VALUE", help="A content field; may be repeated.")
@click.option("--confidence", type=click.FloatRange(0, 1), help="How certain it is.")
@click.option("--importance", type=click.FloatRange(0, 1), help="How much it matters.")
@click.option("--sensitivity", type=click.Choice(SENSITIVITIES), help="Who may see it.")
def edit(workspace: Workspace, as_json: bool, name: str, fields: tuple[str, ...], **parts: Any) -> None:  # noqa: ANN401
    """Change a memory."""
    if fields or any(value is not None and value != () for value in parts.values()):
        outcome = workspace.edit(name, fields=parse_fields(fields), **parts)
    else:
        outcome = _edit_by_hand(workspace, name)
    output.print_outcome(outcome, as_json=as_json)


def _edit_by_hand(workspace: Workspace, name: str) -> Outcome:
    """$EDITOR on what may be edited; a draft with a mistake is kept for another try."""
    if not (sys.stdin.isatty() or os.environ.get("VISUAL") or os.environ.get("EDITOR")):
        raise BadInput("there is no terminal for an editor", target=name, fix="Use --title, --text, --tag or --set.")
    found = workspace.find(name)
    before = compose.document(found.memory)
    try:
        after = click.edit(before, extension=".json")
    except click.ClickException as error:
        raise BadInput(error.format_message(), fix="Set $EDITOR to an editor that waits, or use the flags.") from None
    try:
        edited = compose.from_document(after or before, found.memory, workspace.kinds) if after else found.memory
    except RecollectError as error:
        kept = workspace.keep_draft(after or "", f"{found.memory.slug}.json")
        error.fix = f"Your text is kept in {kept}; correct it and edit again."
        raise
    is_reworded = (edited.title, edited.text) != (found.memory.title, found.memory.text)
    return workspace.revise(edited, expect=found.revision, classify=is_reworded)


@command("pin", help=f"Protect a memory from being forgotten. {NAME_HELP}")
@click.argument("name")
@click.option("--off", is_flag=True, help="Stop protecting it.")
def pin(workspace: Workspace, as_json: bool, name: str, off: bool) -> None:
    """Protect a memory."""
    output.print_outcome(workspace.pin(name, pinned=not off), as_json=as_json)


@command("retire", help=f"Retire a memory: no longer recalled, restorable. {NAME_HELP}")
@click.argument("name")
@click.option("--reason", "-r", default="No reason provided", help="Why.")
def retire(workspace: Workspace, as_json: bool, name: str, reason: str) -> None:
    """Retire a memory."""
    output.print_outcome(workspace.retire(name, reason), as_json=as_json)


@command("archive", help=f"Shelve a memory for good; restorable. {NAME_HELP}")
@click.argument("name")
@click.option("--reason", "-r", default="No reason provided", help="Why.")
def archive(workspace: Workspace, as_json: bool, name: str, reason: str) -> None:
    """Archive a memory."""
    outcome = workspace.archive(name, reason)
    if not as_json and outcome.action == "archived" and (outcome.path or "").startswith(f"{COLD}/"):
        click.echo(f"Archived {output.visible(name)} to {COLD}/")  # A34
    else:
        output.print_outcome(outcome, as_json=as_json)


@command("restore", help=f"Bring back a retired or archived memory. {NAME_HELP}")
@click.argument("name")
def restore(workspace: Workspace, as_json: bool, name: str) -> None:
    """Restore a memory."""
    output.print_outcome(workspace.restore(name), as_json=as_json)


@command("purge", help=f"Erase a memory and its file; `undo` still brings it back. {NAME_HELP}")
@click.argument("name")
@click.option("--reason", "-r", default="No reason provided", help="Why.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
def purge(workspace: Workspace, as_json: bool, name: str, reason: str, yes: bool) -> None:
    """Purge a memory."""
    refuse_agents("purge")
    memory = workspace.show(name)
    confirm(f"Erase {memory.kind}/{memory.slug}: {output.visible(memory.title)}?", yes=yes)
    output.print_outcome(workspace.purge(memory.uid, reason), as_json=as_json)


@command("undo")
@click.option("--dry-run", is_flag=True, help="Show what would be undone.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
def undo(workspace: Workspace, as_json: bool, dry_run: bool, yes: bool) -> None:
    """Reverse the last group of changes of this project; again to go further back."""
    group = workspace.last_group()
    if dry_run:
        output.print_json([output.entry_dict(one) for one in group]) if as_json else output.print_entries(group)
        return
    if len(group) > 1 or group[0].action == "taken in":
        confirm(f"Undo {len(group)} changes ({group[0].action}, {group[0].at})?", yes=yes)
    what = {entry.uid: entry.action for entry in group}
    outcomes = [replace(one, action=f"undone: {what[one.about.uid]}") for one in workspace.undo()]
    if as_json:
        output.print_json([output.outcome_dict(outcome) for outcome in outcomes])
        return
    for outcome in outcomes:
        output.print_outcome(outcome, as_json=False)
