"""Commands with the exact interface of claude-memory: write, index, candidate."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import click

from recollect.errors import BadInput, Conflict, MergeRefused, OutsideVault, RecollectError, Refused, Resurrection
from recollect.faces.cli import output
from recollect.faces.cli.main import EXIT_CODES, json_option, main
from recollect.interop import candidate, draft_file, index_file
from recollect.jobs import expiry
from recollect.library import open_workspace
from recollect.library.workspace import Workspace
from recollect.model.kinds import by_folder
from recollect.policy.ranking.candidate_match import LIFECYCLE_EVENTS
from recollect.project.checkout import checkout_at, find_checkout
from recollect.setup import on_off
from recollect.vault import health, views
from recollect.vault.files import real
from recollect.vault.layouts import JSON_ROOT
from recollect.write.outcome import Outcome

WITH_REASON = ("retired", "archived")
ABOUT_THE_TARGET = (Conflict, MergeRefused, Refused, Resurrection)


def open_vault(root: Path) -> Workspace:
    """Open the project at `root`, whose vault the caller named; it needs no `recollect init`."""
    return open_workspace.open_named_vault(checkout_at(root), actor="agent")


@main.command("write", epilog=EXIT_CODES)
@click.option("--action", required=True, type=click.Choice(draft_file.ACTIONS), help="What to do.")
@click.option("--category", help="The kind; required for create.")
@click.option("--target", required=True, help="The memory's file, below .claude/memory.")
@click.option("--input", "source", help="The draft file, below /tmp; required for create and update.")
@click.option("--hash", "expect", help="MD5 of the file when it was read; OCC_CONFLICT if it has changed.")
@click.option("--reason", help="The reason, for delete and archive.")
@json_option
def write(as_json: bool, target: str, **options: Any) -> None:  # noqa: ANN401
    """Create, update, retire, archive or restore a memory file.

    Prints one line of JSON, or an error block and exit code 1. The action `delete` retires the memory.
    """
    try:
        outcome = _write(target, **options)
    except RecollectError as error:
        error.target = target if isinstance(error, ABOUT_THE_TARGET) else error.target
        click.echo(
            json.dumps(output.bare(error.as_dict()), ensure_ascii=False) if as_json else output.body(error.block())
        )
        sys.exit(1)
    for note in outcome.notes:
        click.echo(output.body(note), err=True)
    click.echo(json.dumps(_result(outcome, target), ensure_ascii=False))


def _write(target: str, **options: Any) -> Outcome:  # noqa: ANN401
    cwd = _base_of(target)
    with open_vault(draft_file.find_root(target, cwd, _json_root(cwd, target))) as workspace:
        on_off.check(workspace.project_context, Path(click.get_current_context().obj).resolve())
        if options["category"] and options["category"] not in workspace.kinds:
            raise click.UsageError(f"--category must be one of {', '.join(workspace.kinds)}.")
        workspace.meet()
        workspace.look()
        is_first = not (workspace.root / JSON_ROOT).exists()
        outcome = draft_file.perform(workspace.project_context, draft_file.Request(target, cwd, **options), os.environ)
        if is_first and outcome.action == "created":
            workspace.own_vault()
        return outcome


def _result(outcome: Outcome, target: str) -> dict[str, object]:
    memory, status = outcome.memory, outcome.action
    result: dict[str, object] = {"status": status, "target": target}
    if status in ("created", "updated"):
        result |= {"id": memory.slug, "title": memory.title}
    if status == "updated":
        result["times_updated"] = memory.times_revised
    if outcome.before and status == "updated" and outcome.before.slug != memory.slug:
        result |= {"target": str(Path(target).with_name(f"{memory.slug}.json")), "renamed_from": target}
    if status in WITH_REASON:
        result["reason"] = memory.closed_reason
    return result


def _base_of(path: str) -> Path:
    """Return the folder that a relative path starts from: the current folder or -C.

    For `.claude/…` in a subfolder without it, that is the project's root.
    """
    folder = Path(click.get_current_context().obj).resolve()
    is_missing = not (folder / path).parent.exists() and Path(path).parts[:1] == (".claude",)
    return find_checkout(folder).root if is_missing else folder


def _json_root(cwd: Path, named: str) -> str:
    """Return the vault folder that `vault.root` sets, if `named` is inside it; else the default .claude/memory."""
    with open_workspace.open_named_vault(find_checkout(cwd), warn=lambda _: None) as around:
        chosen, root = around.project_context.vault.json_root, around.root
    place = cwd / named
    whole = place if os.path.isdir(place) else place.parent  # noqa: PTH112 - Path.is_dir raises for a name too long
    is_there = root / chosen in (real(whole), *real(whole).parents)
    return chosen if is_there else JSON_ROOT


def _named_root(root: str) -> Path:
    base = _base_of(root)
    place = base / root
    if not place.is_dir():
        fix = "Name the vault as <project>/.claude/memory; `recollect init` creates it."
        raise BadInput("the vault is not a folder", target=root, fix=fix)
    whole = real(place.parent) / place.name if place.name != ".." else real(place)
    parts = Path(_json_root(base, root)).parts
    if whole.parts[-len(parts) :] != parts:
        raise OutsideVault(f"the vault's folder must be {JSON_ROOT}", target=root)
    return Path(*whole.parts[: -len(parts)])


@main.command("index", epilog=EXIT_CODES)
@click.option("--root", default=JSON_ROOT, show_default=True, help="The vault's folder.")
@click.option("--rebuild", is_flag=True, help="Write index.md again from the files.")
@click.option("--validate", is_flag=True, help="Compare index.md with the files; exit code 1 if they differ.")
@click.option("--query", "keyword", metavar="KEYWORD", help="Print the entries that contain KEYWORD.")
@click.option("--health", is_flag=True, help="Print counts, often updated and recently retired memories, problems.")
@click.option("--gc", is_flag=True, help="Delete the files of memories retired longer than forget.grace_days.")
@json_option
@click.pass_context
def index(ctx: click.Context, /, root: str, keyword: str | None, as_json: bool, **flags: bool) -> None:
    """Rebuild, check or search a vault's index.md.

    Takes exactly one of --rebuild, --validate, --query, --health, --gc.
    """
    chosen = [name for name, is_on in flags.items() if is_on]
    if len(chosen) + (keyword is not None) != 1:
        raise click.UsageError("Give exactly one of --rebuild, --validate, --query, --health, --gc.")
    with open_vault(_named_root(root)) as workspace:
        jobs = {"rebuild": _rebuild, "validate": _validate, "health": _health, "gc": _gc}
        code = jobs[chosen[0]](workspace, as_json) if chosen else _query(workspace, keyword or "", as_json)
    ctx.exit(code)


def _rebuild(workspace: Workspace, as_json: bool) -> int:
    number = index_file.rebuild(workspace.project_context)
    place = workspace.root / workspace.project_context.vault.index
    line = f"Rebuilt index.md with {number} entries at {place}"
    output.print_json({"entries": number, "path": str(place)}) if as_json else click.echo(line)
    return 0


def _validate(workspace: Workspace, as_json: bool) -> int:
    files = views.scan_files(workspace.project_context.vault, workspace.kinds, workspace.project_context.warn)
    found = health.compare(workspace.project_context.vault, files)
    if as_json:
        shown = {"missing": found.missing, "stale": found.stale, "altered": found.altered}
        output.print_json({"valid": found.is_valid, **shown})
        return 0 if found.is_valid else 1
    for title, mark, paths in (
        ("Files NOT in index.md:", "+", found.missing),
        ("Index entries with NO matching file:", "-", found.stale),
        ("Lines that were edited by hand:", "~", found.altered),
    ):
        if paths:
            click.echo("\n".join([title, *(f"  {mark} {path}" for path in paths)]))
    number = len(views.active_entries(files))
    valid, invalid = (
        f"Index is valid. {number} entries match {number} files.",
        "Index has mismatches. Run --rebuild to fix.",
    )
    click.echo(valid if found.is_valid else invalid)
    return 0 if found.is_valid else 1


def _query(workspace: Workspace, keyword: str, as_json: bool) -> int:
    lines = [entry.render() for entry in index_file.entries(workspace.project_context)]
    found = [line for line in lines if keyword.lower() in line.lower()]
    if as_json:
        output.print_json(found)
    elif found:
        click.echo("\n".join([f"Found {len(found)} match(es) for '{keyword}':", *(f"  {line}" for line in found)]))
    else:
        click.echo(f"No matches found for '{keyword}'.")
    return 0


def _health(workspace: Workspace, as_json: bool) -> int:
    found = health.examine(
        workspace.project_context.vault,
        workspace.kinds,
        workspace.project_context.clock(),
        workspace.project_context.warn,
    )
    issues, verdict = found.issues(), "NEEDS ATTENTION" if found.issues() else "GOOD"
    if as_json:
        counts = {label: dict(numbers) for label, numbers in found.by_kind.items()}
        lists = {"heavy": found.heavy, "retired": found.retired_lately}
        output.print_json({"entries": counts, **lists, "health": verdict, "issues": issues})
        return 0
    for title, lines in _health_sections(found).items():
        click.echo("\n".join([f"--- {title} ---", *(f"  {line}" for line in lines or ["None."]), ""]))
    click.echo("\n".join(["--- Summary ---", f"  Health: {verdict}", *(f"    - {issue}" for issue in issues)]))
    return 0


def _health_sections(found: health.Health) -> dict[str, list[str]]:
    active = [f"{label}: {counts['active']}" for label, counts in sorted(found.by_kind.items()) if counts["active"]]
    totals = {"TOTAL (active)": "active", "Retired": "retired", "Archived": "archived"}
    agrees = found.agreement is not None and found.agreement.is_valid
    return {
        "Entries by Category": [*active, *(f"{name}: {found.total(status)}" for name, status in totals.items())],
        "Heavily Updated (times_updated > 5)": [f"{path} (updated {number} times)" for path, number in found.heavy],
        "Recent Retirements (last 7 days)": [f"{path}: {reason}" for path, reason in found.retired_lately],
        "Index Sync Status": ["Index is in sync." if agrees else "Index is out of sync. Run --rebuild to fix."],
    }


def _gc(workspace: Workspace, as_json: bool) -> int:
    done = expiry.collect(workspace.project_context)
    if as_json:
        output.print_json({"deleted": done.deleted, "skipped": done.skipped})
        return 0
    grace = workspace.settings.config.forget.grace_days
    click.echo(f"Garbage Collection (grace period: {grace} days)")
    for path, age in done.deleted:
        click.echo(f"  DELETED {Path(path).name} (retired {age} days ago)")
    if not done.deleted:
        click.echo("  No retired memories past grace period.")
    for path, why in done.skipped:
        click.echo(f"  SKIP {Path(path).name}: {why}")
    if done.deleted:
        click.echo("index.md is up to date; --rebuild writes it again at any time.")
    return 0


@main.command("candidate", epilog=EXIT_CODES)
@click.option("--category", required=True, help="The kind of the new information.")
@click.option("--new-info", required=True, help="The new information.")
@click.option("--lifecycle-event", "event", type=click.Choice(LIFECYCLE_EVENTS), help="What happened to the subject.")
@click.option("--root", default=JSON_ROOT, show_default=True, help="The vault's folder.")
@json_option
def choose(category: str, new_info: str, event: str | None, root: str, as_json: bool) -> None:
    """Find the existing memory that new information belongs to.

    Prints one line of JSON: the memory, and which of create, update and delete are allowed. --json indents it.
    """
    with open_vault(_named_root(root)) as workspace:
        on_off.check(workspace.project_context, Path(click.get_current_context().obj).resolve())
        known = {kind.name: kind for kind in by_folder(workspace.kinds).values()}
        if category not in known:
            raise click.UsageError(f"--category must be one of {', '.join(known)}.")
        found = candidate.choose(workspace.project_context, known[category], new_info, event)
    click.echo(json.dumps(output.bare(found), ensure_ascii=False, indent=2 if as_json else None))
