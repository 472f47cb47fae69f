"""Health of a vault: counts of its files, and whether the index agrees with them (B29)."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

from recollect.formats import index_md
from recollect.model.clock import age_days
from recollect.model.kinds import Kinds
from recollect.vault import views
from recollect.vault.layouts import Vault
from recollect.vault.views import VaultFile, Warn

HEAVY_REVISIONS = 5
RECENT_DAYS = 7


@dataclass(frozen=True, slots=True)
class Agreement:
    """Where the index and the files differ."""

    missing: list[str]
    """Active files without a line."""
    stale: list[str]
    """Lines without an active file."""
    altered: list[str]
    """Lines that differ from their file, or occur twice."""
    has_index: bool = True

    @property
    def is_valid(self) -> bool:
        """Whether index and files agree; an empty vault needs no index."""
        return not (self.missing or self.stale or self.altered)


def compare(vault: Vault, found: list[VaultFile]) -> Agreement:
    """Return where the index differs from the files."""
    bullets = views.index_bullets(vault)
    entries = [index_md.parse_line(line) for line in bullets or []]
    listed = {entry.path for entry in entries if entry}
    wanted = {entry.path: entry.render() for entry in views.active_entries(found)}
    extra = Counter(bullets or []) - Counter(wanted.values())
    altered = [line for line in extra if (entry := index_md.parse_line(line)) is None or entry.path in wanted]
    return Agreement(
        sorted(wanted.keys() - listed), sorted(listed - wanted.keys()), sorted(altered), bullets is not None
    )


@dataclass(slots=True)
class Health:
    """The sections of seed 002's report."""

    by_kind: dict[str, Counter[str]] = field(default_factory=dict)
    heavy: list[tuple[str, int]] = field(default_factory=list)
    retired_lately: list[tuple[str, str]] = field(default_factory=list)
    agreement: Agreement | None = None

    def total(self, status: str) -> int:
        """Return how many files have a status."""
        return sum(counts[status] for counts in self.by_kind.values())

    def issues(self) -> list[str]:
        """Return what needs attention, a sentence each."""
        found = []
        if self.agreement and not self.agreement.is_valid:
            found.append("the index does not match the files")
        if self.heavy:
            found.append(f"{len(self.heavy)} heavily updated memories")
        return found


def examine(vault: Vault, kinds: Kinds, now: datetime, warn: Warn) -> Health:
    """Read every file once and return the report."""
    health, vault_files = Health(), views.scan_files(vault, kinds, warn)
    for file in vault_files:
        health.by_kind.setdefault(file.kind.label, Counter())[file.status] += 1
        updates = file.record.get("times_updated")
        if isinstance(updates, int) and updates > HEAVY_REVISIONS:
            health.heavy.append((file.path, updates))
        age = age_days(str(file.record.get("retired_at") or ""), now)
        if file.status == "retired" and age is not None and age <= RECENT_DAYS:
            health.retired_lately.append((file.path, str(file.record.get("retired_reason") or "")))
    health.agreement = compare(vault, vault_files)
    return health
