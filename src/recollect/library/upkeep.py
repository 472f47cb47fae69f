"""The library's verbs that look after the store and the vault: reconcile, health, doctor, gc, scrub, reindex."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from recollect import machine, paths
from recollect.errors import Untrusted
from recollect.lazy import load
from recollect.opening.open_project import OpenProject
from recollect.policy.secrets import detector
from recollect.setup import settings_file
from recollect.setup.doctor.check import Check
from recollect.setup.settings_file import SettingChange
from recollect.vault.files import Writing
from recollect.write import vault_sync
from recollect.write.vault_sync import Report

if TYPE_CHECKING:
    from recollect.interop.health import Health
    from recollect.interop.scrub import Scrubbed


class UpkeepVerbs(OpenProject):
    """Keep vault, store and search index in order, and report on them."""

    def reconcile(self) -> Report:
        """Take in what changed in the vault and renew its index; raises Untrusted where no vault is in use."""
        if not self._context.vault.is_on:
            raise Untrusted("this project keeps no memory files", target=self.root, fix=self._how_to_start())
        return vault_sync.reconcile(self._context)

    def keep_draft(self, text: str, name: str) -> Path:
        """Write a text that could not be saved to the runtime folder, without secrets; return its path."""
        folder = Path(paths.runtime(paths.home(self._context.env)))
        machine.make_folder(folder)
        with Writing(folder) as writing:
            writing.write(name, detector.redact(text).encode("utf-8", "replace"))
        return folder / name

    def health(self) -> "Health":
        """Return counts, growth, and what needs attention."""
        report = vault_sync.scan(self._context) if self.standing.uses_vault else vault_sync.Report()
        problems = [f"{path}: {problem}" for path, problem in report.problems.items()]
        found: Health = load("recollect.interop.health").examine(self._context, problems)
        return found

    def doctor(self) -> list[Check]:
        """Check store, vault, hooks and worker; each check that fails says what to do."""
        examine = load("recollect.setup.doctor.checks").examine
        found: list[Check] = examine(
            self._context,
            Path(paths.home(self._context.env)),
            self.standing,
            warnings=self.settings.warnings,
            ignored=self.ignored_settings(),
        )
        return found

    def set_setting(self, key: str, value: object, *, project: bool = False) -> SettingChange:
        """Write a setting to your own settings file, or with `project` to the project's; the rest of the file stays.

        It counts for what is opened from now on. Raises BadInput for an unknown setting, ConfigError for a value that
        does not fit.
        """
        return settings_file.set_value(self._settings_file(project=project), key, value)

    def unset_setting(self, key: str, *, project: bool = False) -> SettingChange:
        """Remove a setting from your own settings file, or from the project's; raises BadInput if it is not there."""
        return settings_file.unset_value(self._settings_file(project=project), key)

    def _settings_file(self, *, project: bool) -> Path:
        return settings_file.file_of(self.root, self._context.env, project=project)

    def ignored_settings(self) -> list[str]:
        """Return the settings files of this clone that are not used, because nobody trusted it."""
        preview = load("recollect.identity.trust_preview")
        return [] if self.is_trusted else list(preview.settings_files(self.root))

    def scrub(self, value: str, *, dry_run: bool = False) -> "Scrubbed":
        """Remove a leaked value from everything that recollect keeps, then check that it is gone."""
        self.look()
        env = self._context.env
        runtime, own = Path(paths.runtime(paths.home(env))), paths.own_home(env)
        home = Path(own) if own else None
        scrub = load("recollect.interop.scrub").scrub
        done: Scrubbed = scrub(self._context, value, runtime=runtime, home=home, dry_run=dry_run)
        if not dry_run:
            self.look()
        return done

    def reindex(self, tick: Callable[[int], None] = lambda _: None, *, everything: bool = False) -> int:
        """Build missing search vectors, or with `everything` all of them; return how many memories got one."""
        self.look()
        work = load("recollect.jobs.reindex")  # its arithmetic takes long to load, and few need it
        make = work.rebuild if everything else work.run
        return int(make(self._context.store, tick, hashed=self._context.config.log.vectors))
