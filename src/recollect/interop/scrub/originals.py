"""The install manifest: it keeps the originals of other programs' settings, which may hold the value."""

import contextlib
from dataclasses import dataclass, replace
from pathlib import Path

from recollect.errors import RecollectError
from recollect.policy.secrets.leaks import Leak
from recollect.setup import manifest
from recollect.setup.manifest import Install, KeptFile


@dataclass(frozen=True, slots=True)
class Originals:
    """The originals in the manifest of our home; they are in base64, in lines of any length."""

    leak: Leak
    home: Path

    @property
    def manifest(self) -> Path:
        """The manifest's file."""
        return self.home / manifest.NAME

    def paths(self) -> list[str]:
        """Return the files that an uninstall puts back and whose original holds the value."""
        return [str(file.path) for install in self._installs() for file in install.files if self._holds(file)]

    def scrub(self) -> None:
        """Remove the value from the originals; everything else that an uninstall needs stays as it is."""
        installs = self._installs()
        if any(self._holds(file) for install in installs for file in install.files):
            manifest.write(self.home, [self._cleaned(install) for install in installs])

    def _installs(self) -> tuple[Install, ...]:
        with contextlib.suppress(RecollectError):  # one that cannot be read is a file like any other
            return manifest.read(self.home)
        return ()

    def _holds(self, file: KeptFile) -> bool:
        return file.original is not None and self.leak.is_in_bytes(file.original)

    def _cleaned(self, install: Install) -> Install:
        files = [
            replace(file, original=self.leak.clean_settings(file.original))
            if file.original is not None and self._holds(file)
            else file
            for file in install.files
        ]
        return replace(install, files=tuple(files))
