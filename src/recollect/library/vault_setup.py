"""The library's verbs `init`, `trust` and `switch_off`: whether and how the files of a checkout are used."""

from collections.abc import Sequence
from dataclasses import replace

from recollect import config
from recollect.agent_shell import running_agent
from recollect.config import Settings
from recollect.errors import NeedsPerson, Untrusted
from recollect.identity import resolver, trust_preview
from recollect.identity.resolver import Standing
from recollect.identity.trust_preview import Preview
from recollect.opening.open_project import OpenProject
from recollect.policy.secrets import detector
from recollect.setup import hook_settings, settings_file, vault_switch
from recollect.vault import notes
from recollect.vault.layouts import JSON_ROOT, Vault, open_vault
from recollect.write import commit, project_joining, vault_files
from recollect.write.vault_sync import Report, reconcile

REFUSED = "this repository has {number} memories that you have not trusted yet"
HOW = (
    "Look at them with `recollect trust --dry-run`, then run `recollect {verb}` in a terminal, or with --accept {hash}."
)


class VaultSetup(OpenProject):
    """Switch the vault of a checkout on or off, and trust what came with a clone."""

    def init(self, layouts: Sequence[config.Layout] = (), *, root: str = "", accept: str = "") -> Report:
        """Switch the vault on in this checkout, take in the memories that are there, and write the others.

        `root` names another folder than `.claude/memory` for the json layout. A vault that came from elsewhere is
        refused with Untrusted unless `accept` is the hash of its preview. It does not trust the project
        that the folder's remote names: `trust` does that.
        """
        self._refuse_agent("init")
        self._check_accepted("init", accept)
        wanted, chosen = tuple(dict.fromkeys(layouts)), self._load_trusted().config.vault
        if wanted and wanted != chosen.layouts:
            settings_file.set_value(self.root / settings_file.PROJECT_FILE, "vault.layouts", list(wanted))
        if root and root != chosen.root:
            settings_file.set_value(self.root / settings_file.PROJECT_FILE, "vault.root", root)
        self._believe(replace(self.standing, is_trusted=True, uses_vault=True))
        vault_switch.make_folders(self._context)
        report = reconcile(self._context)
        report.written += vault_switch.publish(self._context)
        return report

    def trust(self, *, accept: str = "", settings_only: bool = False) -> Report:
        """Trust the settings of this clone, the project that it says it is, and its memories; write no file.

        With `settings_only` neither memories nor the project's name are believed. A vault that came from elsewhere is
        refused with Untrusted unless `accept` is the hash of its preview.
        """
        self._refuse_agent("trust")
        if settings_only:
            self._believe(replace(self.standing, is_trusted=True))
            return Report()
        self._check_accepted("trust", accept)
        uses_vault = self.standing.uses_vault or self._holds_files()
        self._believe(replace(resolver.trusted(self._context.store, self.standing), uses_vault=uses_vault))
        return reconcile(self._context, writes=False) if self._context.vault.is_on else Report()

    def proposed_root(self) -> str:
        """Return the folder that `init` should propose: another one where Claude's own notes are in the usual one."""
        chosen = self._load_trusted().config.vault.root
        return notes.propose_root(self.root) if chosen == JSON_ROOT and not self.standing.uses_vault else chosen

    def trust_preview(self) -> Preview:
        """Return what `trust` and `init` would take in here."""
        return trust_preview.preview(self._possible_vault(), self.standing.unproven)

    @property
    def has_foreign_vault(self) -> bool:
        """Whether this checkout has memory files that a person has to accept first."""
        is_known = self.standing.uses_vault or self.standing.is_made_here
        return not is_known and self._holds_files()

    def _holds_files(self) -> bool:
        vault = self._possible_vault()
        return any(vault.paths()) or (vault.logs and vault.has_log)

    def switch_off(self) -> list[str]:
        """Remove the vault's files; the memories stay in the store. Return the files that had to stay.

        If the process is killed meanwhile, some files are left; the next `init` takes them in.
        """
        if not self.standing.uses_vault:
            raise Untrusted("this project keeps no memory files", target=self.root, fix=self._how_to_start())
        self.look()
        context, known = self._context, vault_switch.forget_files(self._context)
        self._believe(replace(self.standing, uses_vault=False))
        with vault_files.held(context):
            return vault_switch.remove_files(context, known, context.vault.index)

    def _refuse_agent(self, verb: str) -> None:
        """Raise NeedsPerson where an agent would trust foreign text; the command line refuses the same."""
        agent = running_agent(self._context.env)
        is_about_foreign = self.has_foreign_vault or (self.standing.is_foreign and not self.trust_preview().is_empty)
        if agent and (verb == "trust" or is_about_foreign):
            raise NeedsPerson(f"`recollect {verb}` needs a person here; this is a shell of {agent}", target=verb)

    def _check_accepted(self, verb: str, accept: str) -> None:
        if not self.has_foreign_vault and not accept:
            return
        found = self.trust_preview()
        if accept != found.hash:
            number = found.memories + found.unreadable
            fix = HOW.format(verb=verb, hash=found.hash if not accept else "HASH")
            raise Untrusted(REFUSED.format(number=number), target=self.root, fix=fix)

    def _possible_vault(self) -> Vault:
        """Return the vault as it would be used if this checkout were trusted."""
        return self._vault_of(self._load_trusted())

    def _vault_of(self, settings: Settings) -> Vault:
        rules = settings.config.vault
        return open_vault(self.root, rules.layouts, settings.config.kind_table(), rules.root, detector.redact)

    def _load_trusted(self) -> Settings:
        return config.load(
            project=self.root, memory_root=self.root / JSON_ROOT, env=self._context.env, flags=self.settings.flags
        )

    def _believe(self, standing: Standing) -> None:
        """Remember that this checkout is trusted, use its settings, and join what was kept apart; write no file."""
        before, store = self.standing, self._context.store
        self._context = replace(self._context, project=standing.project)
        self._meet(standing)
        commit.mirror(self._context)
        self.settings = self._load_trusted()
        store.kinds = self.settings.config.kind_table()
        unused = project_joining.without_vault(self._context)
        project_joining.join(unused, before.project)
        vault = self._vault_of(self.settings) if standing.uses_vault else unused.vault
        self._context = replace(self._context, vault=vault, config=self.settings.config)
        hook_settings.keep(store, self.settings, self.root, standing, self._context.env)

    def own_vault(self) -> None:
        """Record that the vault here was made by our own `write`, so that its settings count."""
        self._meet(replace(self.standing, is_made_here=True))

    def _meet(self, standing: Standing) -> None:
        context = self._context
        self.standing = standing
        resolver.meet(context.store, context.checkout, standing, now=context.clock, actor=context.actor)
