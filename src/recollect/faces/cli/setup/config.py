"""The command `recollect config`: show, set and unset settings; list kinds; write schemas."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from pydantic import BaseModel

from recollect import config
from recollect.config import Settings
from recollect.errors import DiskRefused, RecollectError
from recollect.faces.cli import output
from recollect.faces.cli.main import EXIT_CODES, json_option, main
from recollect.faces.cli.shared import opened, warn
from recollect.formats import json_file
from recollect.library.fast import fast_settings
from recollect.project.checkout import find_checkout
from recollect.setup import settings_file
from recollect.setup.settings_file import SettingChange

HINT = (
    "`recollect config WORD` explains those with a word, `recollect config list` all;"
    " `recollect config set KEY VALUE` changes one."
)
SECTION_WIDTH = 15
IGNORED = "Not used, because you have not trusted this clone: {files}. `recollect trust --settings` uses them."


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A setting as `recollect config` shows it."""

    setting: str
    value: object
    origin: str
    """The file that sets it, `environment`, `flag` or `default`."""
    help: str
    default: object
    used: bool
    """Whether a part of the program reads it: some settings of the seeds are accepted, and have no effect yet."""

    def matches(self, words: Sequence[str]) -> bool:
        """Return whether every word is in the name, value, source or help."""
        said = f"{self.setting} {self.value} {self.origin} {self.help}".lower()
        return all(word.lower() in said for word in words)


class ConfigGroup(click.Group):
    """`config` with subcommands; a word that is none of them filters the list of settings."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand and its arguments; `list` for any other word."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            return "list", self.commands["list"], args
        return super().resolve_command(ctx, args)


@main.group("config", cls=ConfigGroup, invoke_without_command=True, epilog=EXIT_CODES)
@json_option
@click.pass_context
def config_group(ctx: click.Context, as_json: bool) -> None:
    """Show and change settings.

    Without a command: every setting that differs from its default with its source, then the names of the others. With
    words, the settings that contain them, explained: `recollect config recall`.
    """
    if not ctx.invoked_subcommand:
        _list((), as_json=as_json, by_name=True)


def _is_json(ctx: click.Context) -> bool:
    return bool(ctx.parent and ctx.parent.params.get("as_json"))  # `config --json kinds` works too


# -- showing -----------------------------------------------------------------------------------------------------------


@config_group.command("list", epilog=EXIT_CODES)
@click.argument("words", nargs=-1)
@json_option
@click.pass_context
def config_list(ctx: click.Context, words: tuple[str, ...], as_json: bool) -> None:
    """List the settings that contain all WORDS, or every setting, and explain them."""
    _list(words, as_json=as_json or _is_json(ctx))


def _list(words: Sequence[str], *, as_json: bool, by_name: bool = False) -> None:
    """Print the settings with all words, changed ones first; with `by_name` only the names of unchanged ones."""
    known = fast_settings.read(Path(click.get_current_context().obj), warn=warn)
    rows = [row for row in _rows(known.settings) if row.matches(words)]
    if as_json:
        fields = ("setting", "value", "origin", "help", "used")
        output.print_json([{name: getattr(row, name) for name in fields} for row in rows])
        return
    used = [row for row in rows if row.used]
    changed = [row for row in used if row.origin != "default"]
    ignored = known.ignored_files()
    if ignored:
        click.echo(click.style(output.prose(IGNORED.format(files=", ".join(ignored))), fg="yellow"))
    if not used:
        click.echo(f"No setting contains {' '.join(words)}; `recollect config` lists all.")
        return
    _print_rows("Changed", changed)
    unchanged = [row for row in used if row.origin == "default"]
    if by_name:
        _print_names("Defaults" if changed else "Nothing is changed. Defaults", unchanged)
    else:
        _print_rows("Defaults", unchanged)
    click.echo(click.style(output.prose(HINT), dim=True))


def _print_rows(title: str, rows: Sequence[SettingRow]) -> None:
    if rows:
        click.echo(click.style(title, bold=True))
    for row in rows:
        click.echo(output.prose(output.visible(f"{row.setting} = {_shown(row.value)}"), "  "))
        if row.origin != "default":
            click.echo(output.prose(output.visible(f"from {row.origin}; default {_shown(row.default)}"), "    "))
        click.echo(click.style(output.prose(row.help, "    "), dim=True))


def _print_names(title: str, rows: Sequence[SettingRow]) -> None:
    """Print the names of settings, a line for each section."""
    click.echo(click.style(title, bold=True))
    sections: dict[str, list[str]] = {}
    for row in rows:
        section, _, name = row.setting.partition(".")
        sections.setdefault(section, []).append(name)
    for section, names in sections.items():
        indent = " " * SECTION_WIDTH
        listed = output.prose(", ".join(names), indent).removeprefix(indent)
        click.echo(f"  {click.style(section.ljust(SECTION_WIDTH - 2), dim=True)}{listed}")


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _rows(settings: Settings) -> list[SettingRow]:
    rows = []
    origins = settings.origins
    for section in config.Config.model_fields:
        values = getattr(settings.config, section)
        if section == "kinds":
            rows += [
                SettingRow(f"kinds.{name}", own.folder, origins.get(f"kinds.{name}", "default"), own.says, None, True)
                for name, own in values.items()
            ]
            continue
        for name, field in type(values).model_fields.items():
            key, value = f"{section}.{name}", _plain(getattr(values, name))
            default = _plain(getattr(config.Config.model_fields[section].default, name))
            help_text = field.description or ""
            rows.append(SettingRow(key, value, origins.get(key, "default"), help_text, default, config.is_used(field)))
    return rows


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump()
    return list(value) if isinstance(value, tuple) else value


# -- changing ----------------------------------------------------------------------------------------------------------

project_option = click.option("--project", is_flag=True, help="The project's file, .recollect.toml.")
user_option = click.option("--user", is_flag=True, help="Your own settings file (default).")


@config_group.command("get", epilog=EXIT_CODES)
@click.argument("key")
@project_option
@user_option
@json_option
@click.pass_context
def config_get(ctx: click.Context, key: str, project: bool, user: bool, as_json: bool) -> None:
    """Print the value of a setting.

    With --project or --user the value that this file gives it; exit code 1 if it gives none.
    """
    as_json = as_json or _is_json(ctx)
    path = settings_file.key_path(key)
    if project or user:
        file = _file(project=project, user=user)
        value, origin = settings_file.value_in(file, key), str(file)
    else:
        known = fast_settings.read(Path(click.get_current_context().obj), warn=warn)
        row = next(row for row in _rows(known.settings) if row.setting == ".".join(path[:2]))
        value, origin = row.value, row.origin
        for name in path[2:]:
            value = value.get(name) if isinstance(value, dict) else None
    if as_json:
        output.print_json({"setting": key, "value": value, "origin": origin})
    else:
        click.echo(output.visible(value if isinstance(value, str) else _shown(value)))


@config_group.command("set", epilog=EXIT_CODES)
@click.argument("key")
@click.argument("value")
@project_option
@user_option
@json_option
@click.pass_context
def config_set(ctx: click.Context, key: str, value: str, *, project: bool, user: bool, as_json: bool) -> None:
    """Set a setting in your own file, or with --project in the project's.

    The value is checked first. A list is written with commas, or as JSON. The rest of the file, its comments too,
    stays as it is.
    """
    done = settings_file.set_value(_file(project=project, user=user), key, value)
    _print_change(done, as_json=as_json or _is_json(ctx))


@config_group.command("unset", epilog=EXIT_CODES)
@click.argument("key")
@project_option
@user_option
@json_option
@click.pass_context
def config_unset(ctx: click.Context, key: str, project: bool, user: bool, as_json: bool) -> None:
    """Remove a setting from your own file, or with --project from the project's.

    Also removes a setting that does not fit, so that the default counts again.
    """
    done = settings_file.unset_value(_file(project=project, user=user), key)
    _print_change(done, as_json=as_json or _is_json(ctx))


def _file(*, project: bool, user: bool) -> Path:
    """Return the settings file that the options name; without opening the store, which a bad setting prevents."""
    if project and user:
        raise click.UsageError("--project and --user exclude each other.")
    folder = Path(click.get_current_context().obj)
    return settings_file.file_of(find_checkout(folder).root, os.environ, project=project)


def _print_change(done: SettingChange, *, as_json: bool) -> None:
    notes = _effect(done)
    if as_json:
        output.print_json({"setting": done.key, "value": done.value, "before": done.before, "file": str(done.file),
                           "notes": notes})  # fmt: skip
        return
    what = f"set {done.key} = {_shown(done.value)}" if done.value is not None else f"removed {done.key}"
    before = f" (before: {_shown(done.before)})" if done.before is not None else ""
    click.echo(output.prose(output.visible(what + before)))
    click.echo(click.style(f"  in {output.visible(str(done.file))}", dim=True))
    for note in notes:
        click.echo(output.prose(output.visible(note)), err=True)


def _effect(done: SettingChange) -> list[str]:
    """Return what keeps the change from counting: another source that wins, no trust, or a bad setting elsewhere."""
    try:
        with opened(as_json=True) as workspace:  # which also tells the hooks
            key = ".".join(done.key.split(".")[:2])
            origin, ignored = workspace.settings.origins.get(key, "default"), workspace.ignored_settings()
            row = next((row for row in _rows(workspace.settings) if row.setting == key), None)
            root = workspace.root
    except RecollectError as error:
        return [f"The settings still have a problem: {error.message}. `recollect doctor` names it."]
    if done.file.name in ignored and done.file.parent == root:
        return [IGNORED.format(files=done.file.name)]
    notes = [] if row is None or row.used else ["Nothing uses this setting yet."]
    is_won = done.value is not None and origin != str(done.file)
    return [*notes, f"It has no effect here: {origin} sets {key} too, and wins."] if is_won else notes


# -- kinds and schemas -------------------------------------------------------------------------------------------------


@config_group.command("kinds", epilog=EXIT_CODES)
@json_option
@click.pass_context
def config_kinds(ctx: click.Context, as_json: bool) -> None:
    """List the kinds of memories and their fields."""
    as_json = as_json or _is_json(ctx)
    with opened(as_json=as_json) as workspace:
        rows = [
            [kind.name, kind.folder or "", ", ".join(kind.content.model_fields), kind.says]
            for kind in workspace.kinds.values()
        ]
    if as_json:
        output.print_json([dict(zip(("kind", "folder", "fields", "says"), row, strict=True)) for row in rows])
    else:
        output.print_table(["kind", "folder", "fields", "what it is for"], rows)


@config_group.command("schemas", epilog=EXIT_CODES)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@json_option
@click.pass_context
def config_schemas(ctx: click.Context, folder: Path, as_json: bool) -> None:
    """Write a JSON Schema per kind to FOLDER.

    One file per kind that is kept as files, and base.schema.json with their common fields.
    """
    as_json = as_json or _is_json(ctx)
    with opened(as_json=as_json) as workspace:
        base = json_file.base_schema(workspace.kinds.values())
        schemas = {
            kind.name.replace("_", "-"): json_file.schema(kind) for kind in workspace.kinds.values() if kind.folder
        }
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DiskRefused(f"the folder cannot be created: {error.strerror}", target=folder) from None
    for name, schema in {"base": base, **schemas}.items():
        place = folder / f"{name}.schema.json"
        place.write_text(json.dumps(schema, indent=2, ensure_ascii=False) + "\n", "utf-8")
        written.append(str(place))
    output.print_json(written) if as_json else click.echo("\n".join(written))
