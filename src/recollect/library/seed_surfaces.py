"""The library's verbs that other memory systems had: LetsGo's memory tool, and the metadata of markdown memories."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from recollect import machine
from recollect.interop import usage_block
from recollect.lazy import load
from recollect.opening.open_project import OpenProject
from recollect.vault.files import real
from recollect.write import vault_files

LOCK_SECONDS = 30.0


class SeedVerbs(OpenProject):
    """Answer a memory tool's request, and read or write the metadata block of a markdown memory."""

    def memory(self, request: object) -> dict[str, Any]:
        """Answer a request of LetsGo's memory tool: `success` with an `output`, or an `error`."""  # D16
        self.look()
        answer = load("recollect.interop.memory_tool.answering").answer
        reply: dict[str, Any] = answer(self._context, request, self._folder)
        if reply["success"]:
            self.meet()
        return reply

    def write_metadata(self, place: Path, key: str, value: object) -> dict[str, object]:
        """Set one field of a markdown memory's metadata; return all fields."""  # A10
        with self._locked(place):
            fields = usage_block.write_field(place, key, value)
        self.look()
        return fields

    def ensure_metadata(self, place: Path, session: int) -> bool:
        """Add the metadata tags that a markdown memory lacks; return whether it lacked any."""
        with self._locked(place):
            is_changed = usage_block.ensure(place, session)
        self.look()
        return is_changed

    @contextlib.contextmanager
    def _locked(self, place: Path) -> Iterator[None]:
        """Hold the lock of a file's folder: the vault's lock if the file is in the vault."""
        is_inside = self._context.vault.is_on and self.root in real(place).parents
        with vault_files.held(self._context) if is_inside else machine.lock(place.parent, timeout_seconds=LOCK_SECONDS):
            yield
