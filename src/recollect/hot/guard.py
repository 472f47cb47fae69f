"""What an agent's tools may not do: write into a vault past recollect, and run what only a person may run (B52-B54).

`.claude/memory` is not ours alone: many repositories keep Claude's own notes there, as Markdown.

| a write to | a vault of ours | any other `.claude/memory` |
|---|---|---|
| JSON in a folder of the six categories | refused | refused |
| Markdown, but for the root's `index.md` | free | free |
| the root's `memory-config.json` | free | free |
| anything else, and the folder itself | refused | free, unless a category's JSON files go with it |

A vault is ours if it was initialised or trusted here, or carries claude-memory's index or configuration.
"""

import os

from recollect import folders, foreign_files
from recollect.formats.memory_folder import CATEGORIES, CONFIG, CONFIG_KEYS, INDEX, is_index, is_markdown
from recollect.hot.event import Event, Reply, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Vaults = Mapping[str, str]  # vault → the checkout that it belongs to

VAULT = os.path.join(".claude", "memory")
HOW = (
    "`recollect write --action create|update|delete … --target PATH --input DRAFT`, "
    "`recollect remember TEXT --kind K`, `recollect edit NAME --text TEXT` or `recollect retire NAME`"
)
REQUIRED = ("id", "title", "category", "content")
MOST_BYTES = 5_000_000
# What a shell command has to contain for a call that needs a person, in small letters and without quotes.
NEEDLES = (b"recol", b"trust", b"purge", b"scrub")
_SMALL = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"abcdefghijklmnopqrstuvwxyz")
_JOINED_LINES = b"\\\\\\n"  # a backslash and the end of its line, as JSON has them


def guard(event: Event, reply: Reply) -> None:
    """Refuse a tool call that writes into a vault (B52) or runs what needs a person; reading is never refused."""
    vaults = _listed(event)
    if not _may_write(event, vaults) and not _may_need_a_person(event):
        return
    event.read()
    if event.fields["tool"] in event.dialect.SHELLS:
        home = event.env.get("HOME", "")
        command = load("recollect.hot.shell").read_command(event.fields["command"], event.folder, home)
        if command.person:
            reply.refusal = _for_a_person(*command.person)
            return
        writes = command.written
    else:
        writes = {_whole(event, path): [None] for path in _named(event)}
    for path, endings in writes.items():
        vault = _protecting(path, endings, vaults)
        if vault:
            reply.refusal = (
                f"{path} belongs to the memory vault {vault}, which is written through recollect alone so that nothing "
                f"is lost. Use {HOW} instead; reading the files is fine."
            )
            return


def _for_a_person(typed: str, why: str, folder: str) -> str:
    quoted = load("recollect.hot.person").quoted(folder)
    return (
        f"`{typed}` needs a person: {why}. It is not run from an agent's shell. "
        f"Ask the user to type this in their own terminal: cd {quoted} && {typed}"
    )


# -- a quick look, because most calls have nothing to do with memories ------------------------------------------------


def _listed(event: Event) -> "Vaults":
    """The vaults that were initialised or trusted here; `lifecycle.snapshot` lists them in a file."""
    try:
        with open(os.path.join(folders.runtime(event.home), "vaults"), "rb") as file:
            parts = file.read().decode("utf-8", "surrogateescape").split("\0")
    except OSError:
        return {}
    return {os.path.join(root, name): root for root, name in zip(parts[::2], parts[1::2], strict=False) if name}


def _may_write(event: Event, vaults: "Vaults") -> bool:
    """Whether the words of a call, or where its path leads, may have to do with a vault."""
    base, found, given = event.raw.partition(b'"tool_input"')
    if not found or b"memory" in given or b".claude" in given or b".claude/memory" in base:
        return True
    own = [vault for vault in vaults if not vault.endswith(f"/{VAULT}")]
    if any(_is_mentioned(event.raw, vault, vaults[vault]) for vault in own):
        return True
    path = given.partition(b'_path":')[2].lstrip()[1:].partition(b'"')[0].decode("utf-8", "replace")
    if not path or "\\" in path:
        return bool(path)
    real = os.path.realpath(os.path.expanduser(path))
    return f"/{VAULT}" in real or any(real.startswith(vault) for vault in own)


def _is_mentioned(raw: bytes, vault: str, checkout: str) -> bool:
    """Whether an event happens in the checkout of a vault with a name of its own, or has that name in it."""
    is_plain = vault.isascii() and '"' not in vault and "\\" not in vault
    return not is_plain or checkout.encode() in raw or os.path.basename(vault).encode() in raw


def _may_need_a_person(event: Event) -> bool:
    """Whether a shell command may name recollect or one of its commands, however it is quoted."""
    if not any(f'"{name}"'.encode() in event.raw for name in event.dialect.SHELLS):
        return False
    given = event.raw.partition(b'"tool_input"')[2] or event.raw
    bare = given.replace(_JOINED_LINES, b"").translate(_SMALL, b"\\\"'")
    has_escapes = b"$'" in given and b"\\\\" in given  # it may hide any letter
    return has_escapes or any(needle in bare for needle in NEEDLES)


def _named(event: Event) -> list[str]:
    """The files that a writing tool names."""
    said = event.read().fields
    if said["tool"] not in event.dialect.WRITING:
        return []
    return event.dialect.targets(said["tool"], said["path"], said["command"])


def _whole(event: Event, path: str) -> str:
    return os.path.join(event.folder, os.path.expanduser(path))


# -- whose folder it is ------------------------------------------------------------------------------------------------


def _vault_around(path: str, vaults: "Vaults") -> str:
    """The vault that a path is or lies in; empty if none."""
    for vault in vaults:
        if path == vault or path.startswith(f"{vault}/"):
            return vault
    head, found, _ = f"{path}/".partition(f"/{VAULT}/")
    return f"{head}/{VAULT}" if found else ""


def _vault_below(tree: str, vaults: "Vaults") -> str:
    """The vault whose folder a tree is the parent of; a whole repository is its owner's to remove."""
    around = next((vault for vault in vaults if os.path.dirname(vault) == tree), "")
    return around or (f"{tree}/memory" if tree.endswith("/.claude") else "")


def _is_ours(vault: str, vaults: "Vaults") -> bool:
    """Whether a vault was initialised or trusted here, or carries claude-memory's index or configuration."""
    if vault in vaults or os.path.realpath(vault) in vaults:
        return True
    config = load("recollect.hot.reading").record(_read(vault, CONFIG)) or {}
    return not CONFIG_KEYS.isdisjoint(config) or is_index(_read(vault, INDEX))


def _read(vault: str, name: str) -> str:
    """What a file of a vault says; empty where it is no regular file in it, or too long."""
    try:
        data = foreign_files.read(os.path.join(vault, name), root=vault, most_bytes=MOST_BYTES)
    except OSError:
        return ""
    return data.decode("utf-8", "replace")


def _holds_memories(folder: str) -> bool:
    """Whether JSON files lie in a folder."""
    try:
        return any(name.endswith(".json") for name in os.listdir(folder))
    except OSError:
        return False


# -- what may be written there -----------------------------------------------------------------------------------------


def _protecting(path: str, endings: "list[str | None]", vaults: "Vaults") -> str:
    """The vault that a write would harm, by the path as it is spelt or by where it leads; empty if none.

    A path that ends in "/" is written with all that lies below it. `endings` are those of a glob's names in that
    folder, or None where the path itself is written.
    """
    is_tree = path.endswith("/")
    for spelled in {os.path.normpath(path), os.path.realpath(path)}:
        vault = _vault_around(spelled, vaults)
        if vault and _is_protected(spelled, endings, vault, vaults, is_tree=is_tree):
            return vault
        below = _vault_below(spelled, vaults) if is_tree else ""
        if below and (_holds_categories(below) or (os.path.isdir(below) and _is_ours(below, vaults))):
            return below
    return ""


def _is_protected(path: str, endings: "list[str | None]", vault: str, vaults: "Vaults", *, is_tree: bool) -> bool:
    inside = path[len(vault) + 1 :]
    is_glob = None not in endings
    if inside == CONFIG or (is_markdown(inside) and inside != INDEX):
        return False
    if is_glob and inside and all(is_markdown(ending or "") for ending in endings):
        return False
    return _is_ours(vault, vaults) or _is_record(path, inside, endings, vault, is_tree=is_tree or is_glob)


def _is_record(path: str, inside: str, endings: "list[str | None]", vault: str, *, is_tree: bool) -> bool:
    """Whether a write in a folder that is not ours means JSON files of the six categories."""
    is_json = inside.endswith(".json")
    names_json = [ending for ending in endings if ending and ending.endswith(".json")]
    if inside.partition("/")[0] in CATEGORIES:
        return is_json or bool(names_json) or (is_tree and _holds_memories(path))
    if inside or not is_tree:
        return False
    only_files = all(ending and "/" not in ending for ending in endings)  # *.md, *.txt
    return any("/" in ending for ending in names_json) or (not only_files and _holds_categories(vault))


def _holds_categories(vault: str) -> bool:
    """Whether a folder holds memories of the six categories."""
    return any(_holds_memories(os.path.join(vault, folder)) for folder in CATEGORIES)


# -- what got in -------------------------------------------------------------------------------------------------------


def quarantine(event: Event, reply: Reply) -> None:
    """B53: check a file that a tool wrote into a vault; one that cannot be a memory is renamed, Markdown never is."""
    if not any(f'"{name}"'.encode() in event.raw for name in event.dialect.WRITING):
        return
    vaults = _listed(event)
    for path in _named(event) if _may_write(event, vaults) else []:
        whole = os.path.realpath(_whole(event, path))
        vault = _vault_around(whole, vaults)
        if vault and os.path.isfile(whole) and _is_checked(whole, vault, vaults):
            reply.complaint = _set_aside(event, whole, vault)
            return


def _is_checked(path: str, vault: str, vaults: "Vaults") -> bool:
    inside = path[len(vault) + 1 :]
    if inside == CONFIG or is_markdown(inside):
        return False
    return _is_record(path, inside, [None], vault, is_tree=False) or _is_ours(vault, vaults)


def _set_aside(event: Event, path: str, vault: str) -> str:
    """Rename a file that is no memory; what the model is told about it."""
    problem = _problem(path, vault)
    if not problem:
        return f"{path} was written past recollect; it will be taken in. Next time use {HOW}."
    aside = f"{path}.invalid.{int(event.now)}"
    os.rename(path, aside)
    return f"{path} is not a memory ({problem}) and was renamed to {aside}. Use {HOW} instead."


def _problem(path: str, vault: str) -> str:
    """The basic checks: a JSON object with what every memory has, in the folder of its category."""
    if not path.endswith(".json"):
        return "it is no JSON file"
    inside = path[len(vault) + 1 :]
    record = load("recollect.hot.reading").record(_read(vault, inside))
    if record is None:
        return "it holds no JSON object"
    missing = [name for name in REQUIRED if name not in record]
    if missing:
        return f"it lacks {', '.join(missing)}"
    category, folder = record["category"], os.path.dirname(inside)
    wanted = next((name for name in CATEGORIES if CATEGORIES[name] == category), "")
    is_fitting = folder == wanted if wanted else folder not in CATEGORIES
    return "" if is_fitting else f"its category {category[:80]!r} does not belong in {folder or 'the root'}"
