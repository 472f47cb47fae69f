"""Remove the value from the files that hold it, each as what it is: vault file, journal, backup, or plain text."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from recollect import foreign_files
from recollect.interop.scrub.originals import Originals
from recollect.interop.scrub.own_files import OwnFiles
from recollect.interop.scrub.renames import Renames
from recollect.interop.scrub.searching import CHUNK_BYTES, MOST_BYTES, LeakSearch, is_database, is_too_large
from recollect.policy.secrets import leaks
from recollect.policy.secrets.leaks import Leak
from recollect.project_context import ProjectContext
from recollect.store.sqlite import scrub as database
from recollect.vault import views
from recollect.vault.files import Writing
from recollect.vault.layouts import Vault


@dataclass(frozen=True, slots=True)
class FileRewriter:
    """Rewrites the files of ours that hold the value; the open database is left to `StoredTexts`."""

    context: ProjectContext
    leak: Leak
    renames: Renames
    files: OwnFiles
    search: LeakSearch
    originals: Originals

    def scrub(self) -> None:
        """Rewrite every file that holds the value, then build the vaults' indexes anew from the files."""
        slugs: dict[Path, str | None] = {}
        for file in self.files.in_vaults():
            slugs.setdefault(file.path, file.slug)
        self.originals.scrub()
        vaults = self.files.json_vaults()
        left_out = {vault.root / vault.index for vault in vaults}
        for path in list(self.files.all()):
            is_skipped = path in left_out or self.files.is_live_store(path)
            if not is_skipped and self.search.holds(path) and not is_too_large(path):
                self._rewrite(path, slugs)
        for vault in vaults:
            self._rebuild_index(vault)

    def _rewrite(self, path: Path, slugs: dict[Path, str | None]) -> None:
        if path in slugs:
            self._rewrite_text(path, partial(leaks.clean_file, self.leak, path.name, slug=slugs[path]))
        elif path.name.startswith(self.context.journal.name):
            self._rewrite_text(path, self._clean_journal)
        elif is_database(path):
            self._rewrite_backup(path)
        else:
            self._rewrite_text(path, self.leak.clean)

    def _clean_journal(self, source: str) -> str:
        """Return the journal's lines without the value; each line holds images of memories."""
        lines = source.split("\n")
        return "\n".join(leaks.clean_entry(self.leak, line, self.renames.slug) if line else line for line in lines)

    def _rewrite_text(self, path: Path, clean: Callable[[str], str]) -> None:
        data = foreign_files.read(str(path), most_bytes=MOST_BYTES)
        is_binary = b"\0" in data[:CHUNK_BYTES]  # a write-ahead log keeps its length
        if is_binary:
            data = self.leak.blank(data)
        else:
            data = clean(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        name = self.leak.clean(path.name).replace("/", "-")
        with Writing(path.parent) as writing:
            if name != path.name:
                writing.remove(path.name)
            writing.write(name, data)

    def _rewrite_backup(self, path: Path) -> None:
        """Rewrite the rows of a backup; in a damaged one the value's bytes are overwritten instead."""
        clean_image = partial(leaks.clean_image, self.leak, slug=self.renames.slug)
        database.rewrite_file(path, self.leak.clean, clean_image, self.renames.slug_in_backup)
        if self.search.is_in_bytes(path):
            data = foreign_files.read(str(path), most_bytes=MOST_BYTES)
            with Writing(path.parent) as writing:
                writing.write(path.name, self.leak.blank(data))

    def _rebuild_index(self, vault: Vault) -> None:
        if (vault.root / vault.index).is_file():
            with Writing(vault.root) as writing:
                views.rebuild_index(writing, vault, self.context.kinds, lambda _: None)
