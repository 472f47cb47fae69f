"""What trusting a checkout would take in, shown before anybody is asked."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from recollect.errors import RecollectError
from recollect.model.memory import Memory
from recollect.vault import files
from recollect.vault.layouts import JSON_ROOT, Vault

SETTINGS_FILES = (".recollect.toml", "agent.conf", f"{JSON_ROOT}/memory-config.json")
TOLD_FILES = ("USER.md", "MEMORY.md", "LONGMEMORY.md")
MOST_FILES = 10_000
STRONGEST = 5
HASH_DIGITS = 16
NO_UID, NEVER = "0" * 24, "1970-01-01T00:00:00Z"  # a preview is nobody's memory
HEAVY_VALUES = frozenset({"strong", "critical", "high"})


@dataclass(frozen=True, slots=True)
class Preview:
    """What a checkout holds that would count once it is trusted."""

    memories: int
    """Files of the vault that hold a memory."""
    kinds: Mapping[str, int]
    strongest: tuple[str, ...]
    """The lines that would weigh most with an agent."""
    unreadable: int
    settings: tuple[str, ...]
    """The project's own settings files."""
    told: tuple[str, ...]
    """Files that are told at session start as they are."""
    claim: str
    """The project that the folder says it is, whose memories it would be told."""
    hash: str
    """What `--accept` has to repeat: it changes with every file."""


def preview(vault: Vault, claim: str) -> Preview:
    """Read a vault without taking anything in."""
    found, unreadable, digest = list[Memory](), 0, hashlib.sha256(claim.encode())
    for path, data in _files(vault):
        digest.update(b"%s\0%s\n" % (path.encode("utf-8", "replace"), hashlib.sha256(data).digest()))
        layout = vault.layout_of(path)
        if layout is None:
            continue
        try:
            found.append(layout.decode(path, data, uid=NO_UID, project="", now=NEVER))
        except RecollectError:
            unreadable += 1
    kinds = Counter(memory.kind for memory in found)
    strongest = sorted(found, key=_weight, reverse=True)[:STRONGEST]
    return Preview(
        memories=len(found),
        kinds=dict(sorted(kinds.items())),
        strongest=tuple(f"{memory.kind}: {memory.title}" for memory in strongest),
        unreadable=unreadable,
        settings=_present(vault.root, SETTINGS_FILES),
        told=_present(vault.root, TOLD_FILES),
        claim=claim,
        hash=digest.hexdigest()[:HASH_DIGITS],
    )


def _files(vault: Vault) -> Iterator[tuple[str, bytes]]:
    """Yield the files that would count, with their bytes: the vault's, then settings and what is told."""
    rest = (*_present(vault.root, SETTINGS_FILES), *_present(vault.root, TOLD_FILES))
    for number, path in enumerate((*vault.paths(), *rest)):
        if number >= MOST_FILES:
            return
        try:
            if files.look(vault.root / path):
                yield path, files.read(vault.root / path)
        except RecollectError:
            yield path, b""


def _present(root: Path, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if files.look(root / name))


def _weight(memory: Memory) -> tuple[bool, bool, str]:
    """What always holds weighs most, then what is grave; the newest first."""
    said = memory.content.model_dump(mode="json")
    is_heavy = any(said.get(name) in HEAVY_VALUES for name in ("strength", "severity", "priority"))
    return memory.usage.pinned or said.get("strength") == "strong", is_heavy, memory.updated_at or ""
