"""The Workspace that `recollect.open(path)` returns: the verbs of the command line as methods."""

from recollect.library.agents.explaining_verbs import ExplainingVerbs
from recollect.library.agents.tool_verbs import ToolVerbs
from recollect.library.browsing.verbs import BrowsingVerbs
from recollect.library.facts import FactVerbs
from recollect.library.jobs import JobVerbs
from recollect.library.log import LogVerbs
from recollect.library.memories import MemoryVerbs
from recollect.library.projects import ProjectVerbs
from recollect.library.seed_surfaces import SeedVerbs
from recollect.library.sessions import SessionVerbs
from recollect.library.tokens import TokenVerbs
from recollect.library.transfer import TransferVerbs
from recollect.library.upkeep import UpkeepVerbs
from recollect.library.validation import ValidationVerbs
from recollect.library.vault_setup import VaultSetup


class Workspace(
    ExplainingVerbs, ToolVerbs, BrowsingVerbs, MemoryVerbs, FactVerbs, SessionVerbs, LogVerbs, TransferVerbs,
    UpkeepVerbs, JobVerbs, SeedVerbs, ProjectVerbs, TokenVerbs, ValidationVerbs, VaultSetup,
):  # fmt: skip
    """An open project. Use it as a context manager; its methods may be called from several threads."""
