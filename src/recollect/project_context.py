"""The ProjectContext: store, vault, settings and clock of one open project."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from recollect.config import Config
from recollect.model import clock
from recollect.model.clock import Clock
from recollect.model.kinds import Kinds
from recollect.project.checkout import Checkout
from recollect.store.protocols import Store
from recollect.vault.layouts import Vault


@dataclass(frozen=True, slots=True)
class ProjectContext:
    """Everything that a verb needs of the project it works on."""

    store: Store
    vault: Vault
    checkout: Checkout
    project: str
    config: Config
    clock: Clock
    actor: str
    journal: Path
    warn: Callable[[str], None]
    env: Mapping[str, str]
    """The environment that the project was opened with: `RECOLLECT_HOME` in it is the store's folder."""

    @property
    def kinds(self) -> Kinds:
        """The KINDS table of this workspace."""
        return self.store.kinds

    @property
    def root(self) -> str:
        """The checkout, as sightings name it."""
        return str(self.vault.root)

    def stamp(self) -> str:
        """Now, as memories record it."""
        return clock.stamp(self.clock())
