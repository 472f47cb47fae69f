"""Write docs/reference from the tables of the program; `--check` only compares."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import click
from pydantic.fields import FieldInfo

from recollect import errors
from recollect.cli import main as program
from recollect.clients import claude_code
from recollect.config import Config, seeds
from recollect.config.sections import OwnKind
from recollect.errors import RecollectError
from recollect.hooks import wiring
from recollect.model.kinds import BUILT_IN
from recollect.policy.ranking import fusion
from recollect.recall import search
from recollect.setup.doctor import capabilities

FOLDER = Path(__file__).parent.parent / "docs" / "reference"
NOTE = "<!-- Written by `make docs` from the program's own tables. Do not edit. -->\n"


def pages() -> dict[str, str]:
    """Every page by name."""
    return {
        "cli.md": "\n".join(["# Commands\n", NOTE, *commands()]),
        "settings.md": "\n".join(["# Settings\n", NOTE, *settings()]),
        "kinds.md": "\n".join(["# Kinds\n", NOTE, *kinds()]),
        "events.md": "\n".join(["# Events\n", NOTE, *events()]),
        "errors.md": "\n".join(["# Errors\n", NOTE, *error_lines()]),
        "recall.md": "\n".join(["# Recall\n", NOTE, *recall_lines()]),
    }


def commands() -> Iterator[str]:
    """`--help` of every command."""
    for path, command in walk(("recollect",), program):
        context = click.Context(command, info_name=" ".join(path), max_content_width=100)
        yield f"## {' '.join(path)}\n\n```text\n{command.get_help(context)}\n```\n"


def walk(path: tuple[str, ...], command: click.Command) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """A command and all below it."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below:
                yield from walk((*path, name), below)


def events() -> Iterator[str]:
    """The wiring table, what each client calls our events, and the capabilities."""
    yield "What runs on which event, in which order. A *hook* handler answers at once; a *worker* handler gets"
    yield "the event when it is drained.\n"
    yield "| event | priority | where | handler | setting |\n|---|--:|---|---|---|"
    for row in sorted(wiring.BINDINGS, key=lambda row: (row.event, row.priority, row.where)):
        setting = f"`{row.setting}`" if row.setting else ""
        yield f"| {row.event} | {row.priority} | {row.where} | `{row.handler}` | {setting} |"
    yield "\n## Clients\n\n| client | its event | ours | matcher |\n|---|---|---|---|"
    for dialect in (claude_code,):
        for native, ours in dialect.EVENTS.items():
            matcher = dialect.HOOKED[native][0] or ""
            yield f"| {dialect.NAME} | {native} | {ours} | {matcher.replace('|', ' · ')} |"
    yield "\n## Capabilities\n\n| capability | provided by | used by |\n|---|---|---|"
    for capability in capabilities.registry():
        given, used = ", ".join(capability.provided_by), ", ".join(capability.used_by)
        yield f"| `{capability.name}` | {given} | {used} |"


def settings() -> Iterator[str]:
    """Every field of every section."""
    yield "Layers, the later one wins: defaults, the user's `config.toml` (`RECOLLECT_CONFIG` moves it), the project's"
    yield "`pyproject.toml` (`[tool.recollect]`), its `.recollect.toml`, `RECOLLECT_SECTION__FIELD` in the environment."
    yield "The seeds' own files count below them where a project has them: claude-memory's `memory-config.json`,"
    yield "`agent.conf`, `[tool.letsgo.memory]` in `pyproject.toml`, and a `continuity` object in one of"
    yield f"{', '.join(f'`{name}`' for name in seeds.CONTINUITY_FILES)}. A project's files count once it is trusted."
    yield "A setting marked *later* is read and shown already; the part of the program that uses it is not there yet.\n"
    theirs: dict[str, list[str]] = {}
    for rows_ in (seeds.MEMORY_CONFIG, seeds.AGENT_CONF, seeds.LETSGO, seeds.CONTINUITY):
        for row in rows_:
            theirs.setdefault(row.setting, []).append(f"`{row.key.format('<kind>')}`")
    for section, info in Config.model_fields.items():
        if section != "kinds":
            yield f"## `[{section}]`\n\n{type(info.default).__doc__}\n"
            yield "| setting | default | bounds | what it does | in the seeds' files |\n|---|---|---|---|---|"
            yield from rows(section, info, theirs)
            yield ""
    yield "\n## `[kinds.NAME]`: kinds of your own\n\n| field | default | what it does |\n|---|---|---|"
    for name, field in OwnKind.model_fields.items():
        default = "" if field.is_required() else f"`{field.get_default(call_default_factory=True)!r}`"
        yield f"| `{name}` | {default} | {field.description} |"
    yield ""


def rows(section: str, info: FieldInfo, theirs: dict[str, list[str]]) -> Iterator[str]:
    """One section's rows."""
    for name, field in type(info.default).model_fields.items():
        low, high = (bound(field, end) for end in ("ge", "le"))
        bounds = f"{low} to {high}" if low is not None else "on or off" if field.annotation is bool else ""
        full = f"{section}.{name}"
        later = " *(later)*" if later_than_now(field) else ""
        default = str(field.default).replace("|", "\\|")
        yield f"| `{full}` | `{default}` | {bounds} | {field.description}{later} | {', '.join(theirs.get(full, []))} |"


def later_than_now(field: FieldInfo) -> bool:
    """Whether the part of the program that reads a setting is still to come."""
    return isinstance(field.json_schema_extra, dict) and bool(field.json_schema_extra.get("later"))


def bound(field: FieldInfo, end: str) -> object:
    """One end of a number's range."""
    return next((getattr(rule, end) for rule in field.metadata if hasattr(rule, end)), None)


def kinds() -> Iterator[str]:
    """The KINDS table."""
    yield "| kind | folder | fields | what it captures |\n|---|---|---|---|"
    for kind in BUILT_IN:
        fields = ", ".join(f"`{name}`" for name in kind.content.model_fields)
        yield f"| `{kind.name}` | {f'`{kind.folder}/`' if kind.folder else 'store only'} | {fields} | {kind.says} |"
    yield ""


def error_lines() -> Iterator[str]:
    """Every error class."""
    yield "| code | raised as | meaning | next step |\n|---|---|---|---|"
    for error in sorted(every_error(), key=lambda one: one.code):
        codes = ", ".join(f"`{code}`" for code in getattr(error, "codes", (error.code,)))
        yield f"| {codes} | `{error.__name__}` | {error.__doc__} | {error.default_fix} |"
    yield ""


def recall_lines() -> Iterator[str]:
    """The profiles, and the weights of the default one."""
    yield "## Profiles\n\n| profile | what it is |\n|---|---|"
    for name, module in search.PROFILES.items():
        says = (importlib.import_module(module).__doc__ or "").split("\n\n")[0]
        yield f"| `{name}` | {says} |"
    yield "\n## What `hybrid` adds up\n\nThe score is the sum of these parts, each times its weight;"
    yield "`recollect recall --explain` and `recollect why` print them.\n"
    yield "| part | weight | what it says |\n|---|--:|---|"
    for name, weight, says in fusion.PARTS:
        yield f"| {name} | {weight:g} | {says} |"
    yield "\n## When nothing is told\n"
    yield "Something is told with a prompt if the certainty that anything helps (from what the prompt is like, the"
    yield f"best score, and how much the prompt says) is at least {fusion.CERTAIN_FROM:g}, or if a memory says"
    yield f"{fusion.PLAIN_COVERAGE:.0%} of what was asked in the same words. Then each memory still needs an evidence"
    yield f"of {fusion.LEAST_EVIDENCE:g} and {fusion.LEAST_COVERAGE:.0%} of the question (of a short question"
    yield f"{fusion.SHORT_EVIDENCE:g} and {fusion.SHORT_COVERAGE:.0%}), or a file or a time that is named,"
    yield "and half of the best score.\n"


def every_error() -> list[type[RecollectError]]:
    """The classes of the tree."""
    found = [value for value in vars(errors).values() if isinstance(value, type)]
    return [value for value in found if issubclass(value, RecollectError) and value is not RecollectError]


def main() -> None:
    stale = []
    for name, text in pages().items():
        place = FOLDER / name
        if not place.exists() or place.read_text("utf-8") != text:
            stale.append(name)
            if "--check" not in sys.argv:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text, "utf-8")
    if stale and "--check" in sys.argv:
        sys.exit(f"docs/reference is behind the program ({', '.join(stale)}): run `make docs`")


if __name__ == "__main__":
    main()
