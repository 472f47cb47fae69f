"""The exact surfaces of claude-memory: write, index, candidate (design §7)."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import click

from recollect import project, workspace
from recollect.cli import output
from recollect.cli.main import EXIT_CODES, json_option, main
from recollect.errors import BadInput, Conflict, MergeRefused, OutsideVault, RecollectError, Refused, Resurrection
from recollect.lifecycle import candidate, draft, forget
from recollect.lifecycle.draft import Target
from recollect.lifecycle.save import Outcome
from recollect.lifecycle.twin import held
from recollect.model.kinds import by_folder
from recollect.policy.matching import LIFECYCLE_EVENTS
from recollect.vault import health, views
from recollect.vault.files import Writing
from recollect.vault.layouts import INDEX, JSON_ROOT
from recollect.workspace import Workspace

WITH_REASON = ("retired", "archived")
ABOUT_THE_TARGET = (Conflict, MergeRefused, Refused, Resurrection)


def open_vault(root: Path) -> Workspace:
    """The project whose vault the caller named; it needs no `init` (design §2)."""
    return workspace.open_checkout(project.at_root(root), actor="agent", named_vault=True)


@main.command("write", epilog=EXIT_CODES)
@click.option("--action", required=True, type=click.Choice(draft.ACTIONS), help="What to do.")
@click.option("--category", help="The kind; needed to create.")
@click.option("--target", required=True, help="The memory's file, with .claude/memory in its path.")
@click.option("--input", "source", help="The draft, below /tmp; needed to create and update.")
@click.option("--hash", "expect", help="MD5 of the file as it was read; another one is an OCC_CONFLICT.")
@click.option("--reason", help="Why it is retired or archived.")
@json_option
def write(as_json: bool, target: str, **options: Any) -> None:  # noqa: ANN401
    """Create, update, retire, archive or restore one memory file, with every protection.

    Prints one line of JSON, or an error block and exit code 1.
    """
    try:
        outcome = _write(target, **options)
    except RecollectError as error:
        error.target = target if isinstance(error, ABOUT_THE_TARGET) else error.target
        click.echo(json.dumps(error.as_dict(), ensure_ascii=False) if as_json else error.block())
        sys.exit(1)
    for note in outcome.notes:
        click.echo(note, err=True)
    click.echo(json.dumps(_result(outcome, target), ensure_ascii=False))


def _write(
    target: str, *, action: str, category: str | None, source: str | None, expect: str | None, reason: str | None
) -> Outcome:
    cwd = _base_of(target)
    with open_vault(draft.find_root(target, cwd)) as space:
        if category and category not in space.kinds:
            raise click.UsageError(f"--category is one of {', '.join(space.kinds)}")
        spot = draft.locate(target, cwd, space.kinds)
        _check_category(spot, category, action)
        if space.space.vault.layout_of(spot.path) is None:
            raise OutsideVault("this project keeps free text in memory/", target=target)
        space.meet()
        space.look()
        if action not in ("create", "update"):
            return draft.close(space.space, spot, action, reason)
        if not source:
            raise BadInput(f"--input is needed to {action}", fix="Write the draft to a file below /tmp and name it.")
        path, record = draft.read_input(source, os.environ)
        if action == "create":
            outcome = draft.create(space.space, spot, record)
        else:
            outcome = draft.update(space.space, spot, record, expect)
        draft.discard(path)
        return outcome


def _check_category(spot: Target, category: str | None, action: str) -> None:
    if action == "create" and not category:
        raise BadInput("--category is needed to create", fix="Name the memory's kind.")
    if category and category != spot.kind.name:
        problem = f"{spot.kind.folder}/ holds {spot.kind.name}, not {category}"
        raise OutsideVault(problem, target=spot.path)


def _result(outcome: Outcome, target: str) -> dict[str, object]:
    memory, status = outcome.memory, outcome.action
    result: dict[str, object] = {"status": status, "target": target}
    if status in ("created", "updated"):
        result |= {"id": memory.slug, "title": memory.title}
    if status == "updated":
        result["times_updated"] = memory.times_revised
    if outcome.before and status == "updated" and outcome.before.slug != memory.slug:
        result |= {"target": str(Path(target).with_name(f"{memory.slug}.json")), "renamed_from": outcome.before.slug}
    if status in WITH_REASON:
        result["reason"] = memory.closed_reason
    return result


def _base_of(path: str) -> Path:
    """Where a relative path starts: the caller's folder or -C; in a folder below, `.claude/…` means the project's."""
    folder = Path(click.get_current_context().obj).resolve()
    is_missing = not (folder / path).parent.exists() and Path(path).parts[:1] == (".claude",)
    return project.find(folder).root if is_missing else folder


def _named_root(root: str) -> Path:
    place = _base_of(root) / root
    if not place.is_dir():
        fix = "Name the vault: <project>/.claude/memory; `recollect init` makes one."
        raise BadInput("not a folder", target=root, fix=fix)
    whole = place.parent.resolve() / place.name if place.name != ".." else place.resolve()
    if Path(*whole.parts[-2:]).as_posix() != JSON_ROOT:
        raise OutsideVault(f"a vault's root is {JSON_ROOT}", target=root)
    return whole.parent.parent


@main.command("index", epilog=EXIT_CODES)
@click.option("--root", default=JSON_ROOT, show_default=True, help="The vault.")
@click.option("--rebuild", is_flag=True, help="Regenerate index.md from the files.")
@click.option("--validate", is_flag=True, help="Compare index.md with the files; exit code 1 if they differ.")
@click.option("--query", "keyword", metavar="KEYWORD", help="Print the lines that contain KEYWORD.")
@click.option("--health", is_flag=True, help="Counts, heavy updates, recent retirements, verdict.")
@click.option("--gc", is_flag=True, help="Remove the files of memories retired longer than the grace period.")
@json_option
@click.pass_context
def index(ctx: click.Context, /, root: str, keyword: str | None, as_json: bool, **flags: bool) -> None:
    """Look after a vault's index.md: exactly one of --rebuild, --validate, --query, --health, --gc."""
    chosen = [name for name, is_on in flags.items() if is_on]
    if len(chosen) + (keyword is not None) != 1:
        raise click.UsageError("exactly one of --rebuild, --validate, --query, --health, --gc is needed")
    with open_vault(_named_root(root)) as space:
        jobs = {"rebuild": _rebuild, "validate": _validate, "health": _health, "gc": _gc}
        code = jobs[chosen[0]](space, as_json) if chosen else _query(space, keyword or "", as_json)
    ctx.exit(code)


def _rebuild(space: Workspace, as_json: bool) -> int:
    with held(space.space), Writing(space.root) as writing:
        number = views.rebuild_index(writing, space.kinds, space.space.warn, even_empty=True)
    place = space.root / INDEX
    said = f"Rebuilt index.md with {number} entries at {place}"
    output.print_json({"entries": number, "path": str(place)}) if as_json else click.echo(said)
    return 0


def _validate(space: Workspace, as_json: bool) -> int:
    found = health.compare(space.root, views.scan_files(space.root, space.kinds, space.space.warn))
    if as_json:
        output.print_json(
            {"valid": found.is_valid, "missing": found.missing, "stale": found.stale, "altered": found.altered}
        )
    elif found.is_valid:
        click.echo("Index is valid")
    elif not found.has_index:
        click.echo("index.md is missing or conflicted; --rebuild makes it")
    for title, mark, paths in (
        ("Files NOT in index.md:", "+", found.missing),
        ("Index entries with NO matching file:", "-", found.stale),
        ("Lines that were written by hand:", "~", found.altered),
    ):
        if paths and not as_json:
            click.echo("\n".join([title, *(f"  {mark} {path}" for path in paths)]))
    return 0 if found.is_valid else 1


def _query(space: Workspace, keyword: str, as_json: bool) -> int:
    lines = [entry.render() for entry in candidate.index_entries(space.space)]
    found = [line for line in lines if keyword.lower() in line.lower()]
    if as_json:
        output.print_json(found)
    else:
        click.echo("\n".join([f"{len(found)} entries match '{keyword}'", *found]))
    return 0


def _health(space: Workspace, as_json: bool) -> int:
    found = health.examine(space.root, space.kinds, space.space.clock(), space.space.warn)
    issues = found.issues()
    verdict = "NEEDS ATTENTION" if issues else "GOOD"
    if as_json:
        counts = {label: dict(numbers) for label, numbers in found.by_kind.items()}
        output.print_json(
            {
                "entries": counts,
                "heavy": found.heavy,
                "retired": found.retired_lately,
                "health": verdict,
                "issues": issues,
            }
        )
        return 0
    agreement = found.agreement
    synced = "in sync" if agreement and agreement.is_valid else "out of sync (--validate lists the differences)"
    sections = {
        "Entries by Category": [
            f"{label}: {counts['active']} active" for label, counts in sorted(found.by_kind.items())
        ],
        "Heavily Updated (times_updated > 5)": [f"{path} ({number} updates)" for path, number in found.heavy],
        "Recent Retirements (last 7 days)": [f"{path}: {reason}" for path, reason in found.retired_lately],
        "Index Sync Status": [synced],
        "Summary": [
            f"Active: {found.total('active')}  Retired: {found.total('retired')}  Archived: {found.total('archived')}",
            f"Health: {verdict}",
            *(f"- {issue}" for issue in issues),
        ],
    }
    for title, lines in sections.items():
        click.echo("\n".join([title, *(f"  {line}" for line in lines or ["(none)"]), ""]))
    return 0


def _gc(space: Workspace, as_json: bool) -> int:
    done = forget.collect(space.space)
    if as_json:
        output.print_json({"deleted": done.deleted, "skipped": done.skipped})
        return 0
    for path, age in done.deleted:
        click.echo(f"DELETED {path} (retired {age} days ago)")
    for path, why in done.skipped:
        click.echo(f"SKIP {path}: {why}")
    click.echo(f"Garbage collection: {len(done.deleted)} deleted, {len(done.skipped)} skipped")
    if done.deleted:
        click.echo("index.md is up to date; --rebuild renews it at any time")
    return 0


@main.command("candidate", epilog=EXIT_CODES)
@click.option("--category", required=True, help="The kind of the new information.")
@click.option("--new-info", required=True, help="What was learnt.")
@click.option("--lifecycle-event", "event", type=click.Choice(LIFECYCLE_EVENTS), help="What happened to it.")
@click.option("--root", default=JSON_ROOT, show_default=True, help="The vault.")
@json_option
def choose(category: str, new_info: str, event: str | None, root: str, as_json: bool) -> None:
    """Find the memory that new information is about, and what may be done with it.

    Prints JSON on one line, indented with --json.
    """
    with open_vault(_named_root(root)) as space:
        known = {kind.name: kind for kind in by_folder(space.kinds).values()}
        if category not in known:
            raise click.UsageError(f"--category is one of {', '.join(known)}")
        found = candidate.choose(space.space, known[category], new_info, event)
    click.echo(json.dumps(found, ensure_ascii=False, indent=2 if as_json else None))
