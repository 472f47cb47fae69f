"""Whether a folder `.claude/memory` is a vault of ours, and what tools may write there (B52, B53).

Many repositories keep Claude's own notes in a folder of this name, as Markdown.

| a write to | a vault of ours | any other `.claude/memory` |
|---|---|---|
| JSON in a folder of the six categories | refused | refused |
| Markdown, but for the root's `index.md` | free | free |
| the root's `memory-config.json` | free | free |
| anything else, and the folder itself | refused | free, unless a category's JSON files go with it |

A vault is ours if it was initialised or trusted here, or has claude-memory's index or configuration. The guard loads
this module only if a tool call mentions a vault.
"""

import os

from recollect import foreign_files
from recollect.formats.memory_folder import CATEGORIES, CONFIG, CONFIG_KEYS, INDEX, is_index, is_markdown
from recollect.lazy import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Vaults = Mapping[str, str]  # vault → the checkout that it belongs to

VAULT = os.path.join(".claude", "memory")
REQUIRED = ("id", "title", "category", "content")
MOST_BYTES = 5_000_000


def vault_around(path: str, vaults: "Vaults") -> str:
    """Return the vault that a path is or lies in; empty if there is none."""
    for vault in vaults:
        if path == vault or path.startswith(f"{vault}/"):
            return vault
    head, found, _ = f"{path}/".partition(f"/{VAULT}/")
    return f"{head}/{VAULT}" if found else ""


def _vault_below(tree: str, vaults: "Vaults") -> str:
    """Return the vault right below a folder; empty if there is none. A whole repository may be removed."""
    around = next((vault for vault in vaults if os.path.dirname(vault) == tree), "")
    return around or (f"{tree}/memory" if tree.endswith("/.claude") else "")


def _is_ours(vault: str, vaults: "Vaults") -> bool:
    """Whether a vault was initialised or trusted here, or has claude-memory's index or configuration."""
    if vault in vaults or os.path.realpath(vault) in vaults:
        return True
    config = load("recollect.store.hook_reader.event_json").record(_read(vault, CONFIG)) or {}
    return not CONFIG_KEYS.isdisjoint(config) or is_index(_read(vault, INDEX))


def _read(vault: str, name: str) -> str:
    """Return the text of a file in a vault; empty if it is no regular file in it, or longer than 5 MB."""
    try:
        data = foreign_files.read(os.path.join(vault, name), root=vault, most_bytes=MOST_BYTES)
    except OSError:
        return ""
    return data.decode("utf-8", "replace")


def _has_json_files(folder: str) -> bool:
    """Whether a folder has JSON files."""
    try:
        return any(name.endswith(".json") for name in os.listdir(folder))
    except OSError:
        return False


# -- what may be written there -----------------------------------------------------------------------------------------


def protecting(path: str, endings: "list[str | None]", vaults: "Vaults") -> str:
    """Return the vault that a write would damage, by the path as written or with its links resolved; empty if none.

    A path that ends in "/" is written with everything below it. `endings` are those of a glob's names in that folder,
    None if the path itself is written.
    """
    is_tree = path.endswith("/")
    for form in {os.path.normpath(path), os.path.realpath(path)}:
        vault = vault_around(form, vaults)
        if vault and _is_protected(form, endings, vault, vaults, is_tree=is_tree):
            return vault
        below = _vault_below(form, vaults) if is_tree else ""
        if below and (_has_category_files(below) or (os.path.isdir(below) and _is_ours(below, vaults))):
            return below
    return ""


def _is_protected(path: str, endings: "list[str | None]", vault: str, vaults: "Vaults", *, is_tree: bool) -> bool:
    """Whether a write at or below a vault's root damages it."""
    inside = path[len(vault) + 1 :]
    is_glob = None not in endings
    if inside == CONFIG or (is_markdown(inside) and inside != INDEX):
        return False
    if is_glob and inside and all(is_markdown(ending or "") for ending in endings):
        return False
    return _is_ours(vault, vaults) or _is_category_file(path, inside, endings, vault, is_tree=is_tree or is_glob)


def _is_category_file(path: str, inside: str, endings: "list[str | None]", vault: str, *, is_tree: bool) -> bool:
    """Whether a write in another's folder concerns JSON files of the six categories."""
    is_json = inside.endswith(".json")
    names_json = [ending for ending in endings if ending and ending.endswith(".json")]
    if inside.partition("/")[0] in CATEGORIES:
        return is_json or bool(names_json) or (is_tree and _has_json_files(path))
    if inside or not is_tree:
        return False
    only_files = all(ending and "/" not in ending for ending in endings)  # *.md, *.txt
    return any("/" in ending for ending in names_json) or (not only_files and _has_category_files(vault))


def _has_category_files(vault: str) -> bool:
    """Whether a folder has JSON files of the six categories."""
    return any(_has_json_files(os.path.join(vault, folder)) for folder in CATEGORIES)


def is_checked(path: str, vault: str, vaults: "Vaults") -> bool:
    """Return whether a file that a tool wrote into a vault has to be a memory (B53); Markdown never has to."""
    inside = path[len(vault) + 1 :]
    if inside == CONFIG or is_markdown(inside):
        return False
    return _is_category_file(path, inside, [None], vault, is_tree=False) or _is_ours(vault, vaults)


def problem(path: str, vault: str) -> str:
    """Return why a file is no memory: it is no JSON object, lacks what every memory has, or lies in the wrong folder.

    Empty where it may be one.
    """
    if not path.endswith(".json"):
        return "it is no JSON file"
    inside = path[len(vault) + 1 :]
    record = load("recollect.store.hook_reader.event_json").record(_read(vault, inside))
    if record is None:
        return "it holds no JSON object"
    missing = [name for name in REQUIRED if name not in record]
    if missing:
        return f"it lacks {', '.join(missing)}"
    category, folder = record["category"], os.path.dirname(inside)
    wanted = next((name for name in CATEGORIES if CATEGORIES[name] == category), "")
    is_fitting = folder == wanted if wanted else folder not in CATEGORIES
    return "" if is_fitting else f"its category {category[:80]!r} does not belong in {folder or 'the root'}"
