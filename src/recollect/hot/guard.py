"""The vault is written through recollect: other writes are refused, and what got in is checked (B52-B54)."""

import os

from recollect import folders
from recollect.hot.event import Event, Reply, load

VAULT = os.path.join(".claude", "memory")
ALLOWED = "memory-config.json"
HOW = (
    "`recollect write --action create|update|delete … --target PATH --input DRAFT`, "
    "`recollect remember TEXT --kind K`, `recollect edit NAME --text TEXT` or `recollect retire NAME`"
)
REQUIRED = ("id", "title", "category", "content")


def guard(event: Event, reply: Reply) -> None:
    """B52: a tool may not write into a vault; reading is never refused."""
    for folder in _vaults(event):
        hit = _target(event, folder)
        if hit:
            reply.refusal = (
                f"{hit} belongs to the memory vault {folder}, which is written through recollect alone so that nothing "
                f"is lost. Use {HOW} instead; reading the files is fine."
            )
            return


def _vaults(event: Event) -> list[str]:
    """The vaults that the event may be about: `.claude/memory` of any project, and those with a name of their own."""
    found = [VAULT] if _may_concern(event) else []
    try:
        with open(os.path.join(folders.runtime(event.home), "vaults"), encoding="utf-8") as file:
            found += [line for line in file.read().splitlines() if line]
    except OSError:
        return found
    return found


def _may_concern(event: Event) -> bool:
    """A quick look, because most calls have nothing to do with memories: at the words, and at where a path leads."""
    base, found, given = event.raw.partition(b'"tool_input"')
    if not found or b"memory" in given or b".claude" in given or b".claude/memory" in base:
        return True
    path = given.partition(b'_path":')[2].lstrip()[1:].partition(b'"')[0].decode("utf-8", "replace")
    return "\\" in path or (bool(path) and f"/{VAULT}" in os.path.realpath(os.path.expanduser(path)))


def _target(event: Event, folder: str) -> str:
    """What a tool is about to write in the vault; empty if nothing."""
    event.read()
    if event.fields["tool"] in event.dialect.SHELLS:
        home = event.env.get("HOME", "")
        written = load("recollect.hot.shell").written_paths(event.fields["command"], event.folder, home)
        return next((path for path in written if _hits(path, folder)), "")
    return next((path for path in _named(event) if _hits(_whole(event, path), folder)), "")


def _named(event: Event) -> list[str]:
    """The files that a writing tool names."""
    said = event.read().fields
    if said["tool"] not in event.dialect.WRITING:
        return []
    return event.dialect.targets(said["tool"], said["path"], said["command"])


def _whole(event: Event, path: str) -> str:
    return os.path.join(event.folder, os.path.expanduser(path))


def _hits(path: str, folder: str) -> bool:
    """Whether a path, or where it leads, lies in a vault; a tree that is removed counts if it holds one."""
    for spelled in {os.path.normpath(path), os.path.realpath(path)}:
        vault = _vault_of(spelled, folder)
        if vault and spelled != os.path.join(vault, ALLOWED):
            return True
        if path.endswith("/") and _holds(spelled, folder):
            return True
    return False


def _vault_of(path: str, folder: str) -> str:
    """The vault that a path is or lies in."""
    if os.path.isabs(folder):
        return folder if path == folder or path.startswith(folder + "/") else ""
    head, found, _ = f"{path}/".partition(f"/{folder}/")
    return f"{head}/{folder}" if found else ""


def _holds(tree: str, folder: str) -> bool:
    """Whether a tree is the folder around the vault; a whole repository is its owner's to remove."""
    around = os.path.dirname(folder)
    return tree == around if os.path.isabs(folder) else tree.endswith(f"/{around}")


def quarantine(event: Event, reply: Reply) -> None:
    """B53: a file that got into the vault past the guard is looked at; one that cannot be a memory is renamed."""
    for folder in _vaults(event):
        path = next((path for path in _written(event, folder) if os.path.isfile(path)), "")
        if not path:
            continue
        problem = _problem(path)
        if problem:
            aside = f"{path}.invalid.{int(event.now)}"
            os.rename(path, aside)
            reply.complaint = f"{path} is not a memory ({problem}) and was renamed to {aside}. Use {HOW} instead."
        else:
            reply.complaint = f"{path} was written past recollect; it will be taken in. Next time use {HOW}."
        return


def _written(event: Event, folder: str) -> list[str]:
    found = []
    for path in _named(event):
        whole = os.path.realpath(_whole(event, path))
        vault = _vault_of(whole, folder)
        is_ours = whole in (os.path.join(vault, ALLOWED), os.path.join(vault, "index.md"))
        found += [whole] if vault and not is_ours else []
    return found


def _problem(path: str) -> str:
    """The basic checks: a JSON object with what every memory has."""
    if not path.endswith(".json"):
        return "it is no JSON file"
    with open(path, "rb") as file:
        said = file.read(5_000_000).decode("utf-8", "replace")
    keys = load("recollect.hot.reading").keys(said)
    if keys is None:
        return "it holds no JSON object"
    missing = [name for name in REQUIRED if name not in keys]
    return f"it lacks {', '.join(missing)}" if missing else ""
