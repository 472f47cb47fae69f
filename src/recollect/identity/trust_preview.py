"""Preview what trusting a checkout would take in."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from recollect import foreign_files
from recollect.config.seeds import CONTINUITY_FILES
from recollect.errors import RecollectError
from recollect.model import text
from recollect.model.memory import Memory
from recollect.vault import files
from recollect.vault.layouts import JSON_ROOT, WARM, Vault

SETTINGS_FILES = (".recollect.toml", "agent.conf", f"{JSON_ROOT}/memory-config.json", *CONTINUITY_FILES)
SHARED_SETTINGS, OUR_TABLES = "pyproject.toml", (b"[tool.recollect", b"[tool.letsgo")
TOLD_FILES = ("USER.md", "MEMORY.md", "LONGMEMORY.md", ".claude/skills/memory-management/SKILL.md")
DAILY_FILES = f"{WARM}/????-??-??.md"
STRONGEST, MOST_ALWAYS = 5, 30
LINE_CHARS = 300
HASH_DIGITS = 16
NO_UID, NEVER = "0" * 24, "1970-01-01T00:00:00Z"  # placeholders: a preview is never saved
HEAVY_VALUES = frozenset({"strong", "critical", "high"})


@dataclass(frozen=True, slots=True)
class Preview:
    """The memories, settings and files of a checkout that would be used once it is trusted."""

    memories: int
    """How many vault files hold a memory."""
    kinds: Mapping[str, int]
    """The number of memories by kind."""
    strongest: tuple[str, ...]
    """A line for each of the memories that would influence an agent most."""
    unreadable: int
    """How many vault files cannot be read."""
    settings: tuple[str, ...]
    """The project's own settings files."""
    told: tuple[str, ...]
    """Files whose text is injected unchanged."""
    claim: str
    """The project that the remote names without proof, whose memories would be injected here."""
    hash: str
    """The hash that `--accept` has to repeat; any change of a file changes it."""
    always: int = 0
    """How many of the memories would be injected at every session start."""

    @property
    def is_empty(self) -> bool:
        """Whether trusting would change nothing."""
        return not (self.memories or self.unreadable or self.settings or self.told or self.claim)


def preview(vault: Vault, claim: str) -> Preview:
    """Read a vault without taking anything in; files that cannot be read are only counted."""
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
    strongest = sorted(found, key=_weight, reverse=True)
    always = sum(_weight(memory)[0] for memory in found)
    return Preview(
        memories=len(found),
        kinds=dict(sorted(kinds.items())),
        strongest=tuple(_line(memory) for memory in strongest[: max(STRONGEST, min(always, MOST_ALWAYS))]),
        always=always,
        unreadable=unreadable,
        settings=settings_files(vault.root),
        told=_told(vault.root),
        claim=claim,
        hash=digest.hexdigest()[:HASH_DIGITS],
    )


def _files(vault: Vault) -> Iterator[tuple[str, bytes]]:
    """Yield the files that would be used, with their bytes: the vault's, then settings, then injected files."""
    for path in (*vault.paths(), *settings_files(vault.root), *_told(vault.root)):
        if files.look(vault.root / path):
            yield path, _content(vault.root, path)


def settings_files(root: Path) -> tuple[str, ...]:
    """Return the settings files of a project; `pyproject.toml` only where it has a table of ours."""
    shared = _content(root, SHARED_SETTINGS) if files.look(root / SHARED_SETTINGS) else b""
    names = (*SETTINGS_FILES, *([SHARED_SETTINGS] if any(table in shared for table in OUR_TABLES) else ()))
    return tuple(name for name in names if files.look(root / name))


def _told(root: Path) -> tuple[str, ...]:
    """Return the files whose text is injected at session start."""
    days = sorted(path.relative_to(root).as_posix() for path in root.glob(DAILY_FILES))
    return tuple(name for name in (*TOLD_FILES, *days) if files.look(root / name))


def _content(root: Path, path: str) -> bytes:
    """Return a file's bytes; empty where it cannot be read, and so would not be used either."""
    try:
        return files.read(root / path, foreign_files.LOG_BYTES, root=root)
    except RecollectError:
        return b""


def _line(memory: Memory) -> str:
    """Return a memory in a line, with its text: a harmless title may stand above a harmful text."""
    lines = dict.fromkeys(" ".join(line.split()).removesuffix(".") for line in memory.text.splitlines())
    said = ". ".join(line for line in lines if line not in ("", memory.title.removesuffix(".")))
    return text.cut(f"{memory.kind}: {memory.title}{f': {said}' if said else ''}", LINE_CHARS)


def _weight(memory: Memory) -> tuple[bool, bool, str]:
    """Return how much a memory would influence an agent: injected at every start, then graveness, then its date."""
    said = memory.content.model_dump(mode="json")
    is_heavy = any(said.get(name) in HEAVY_VALUES for name in ("strength", "severity", "priority"))
    return memory.usage.pinned or said.get("strength") == "strong", is_heavy, memory.updated_at or ""
