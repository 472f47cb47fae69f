"""An event of a client, and the reply to it. Import-light."""

import os
import time

from recollect import clients, paths
from recollect.lazy import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from recollect.clients.base import Dialect
    from recollect.hooks.project_lookup import Place
    from recollect.store.hook_reader.store_reader import StoreReader


def load_dialect(client: str) -> "Dialect":
    """Return the module of a client's dialect; raise ValueError for an unknown client."""
    if client not in clients.NAMES:
        raise ValueError(f"no such client: {client[:80]}")
    dialect: Dialect = load(f"recollect.clients.{client.replace('-', '_')}")
    return dialect


class Event:
    """What a client sent. Its fields, the store and the place are read on first use."""

    __slots__ = ("_place", "_store", "dialect", "env", "fields", "home", "name", "native", "now", "raw", "started")

    def __init__(
        self, dialect: "Dialect", native: str, raw: bytes, env: "Mapping[str, str]", home: str, *,
        store: "StoreReader | None" = None,
    ) -> None:  # fmt: skip
        self.dialect, self.native, self.raw, self.env, self.home = dialect, native, raw, env, home
        self.name = dialect.EVENTS.get(native, "")
        self.fields: dict[str, str] = {}
        self.now = 0.0
        self.started = time.monotonic()
        self._store = store
        """The store as it was opened before; None where the event opens it on first use."""
        self._place: "Place | None" = None

    def own_prompt(self) -> str:
        """Return the prompt without our text: Gemini CLI puts the session start before it when it has no terminal."""
        prompt = self.fields["prompt"]
        return prompt.partition("</hook_context>")[2] if prompt.startswith("<hook_context>") else prompt

    def read(self) -> "Event":
        """Parse the fields on the first call; the event's own name counts where the caller gave none."""
        if not self.fields:
            reading = load("recollect.store.hook_reader.event_json")
            self.fields = reading.fields(self.raw, self.dialect)
            self.native = self.native or self.fields["event"]
            self.name = self.dialect.EVENTS.get(self.native, "")
            self.now = reading.moment(self.env)
        return self

    @property
    def session(self) -> str:
        """The session: the launcher's hook id, else the client's own id (A27)."""
        return self.env.get("AGENT_HOOK_ID") or self.fields["session"]

    @property
    def folder(self) -> str:
        """The folder that the agent works in."""
        return self.fields["folder"] or self.env.get("CLAUDE_PROJECT_DIR") or os.getcwd()

    @property
    def store(self) -> "StoreReader":
        """The store, opened for reading on first use."""
        if self._store is None:
            self._store = load("recollect.store.hook_reader.store_reader").open_store(paths.database(self.env))
        return self._store

    def close(self) -> None:
        """Close the store, if it was opened: for a process that lives longer than one event."""
        if self._store is not None:
            self._store.close()
            self._store = None

    @property
    def place(self) -> "Place":
        """The project, checkout and settings of that folder, looked up on first use."""
        if self._place is None:
            self._place = load("recollect.hooks.project_lookup").find_place(self.store, self.folder, self.env)
        return self._place


class Reply:
    """What handlers answer: text for the model, a refusal, a complaint, a block of the turn's end, and a receipt."""

    __slots__ = ("block", "complaint", "context", "is_off", "is_plain", "receipt", "refusal", "wants_worker", "warning")

    def __init__(self) -> None:
        self.block = self.context = self.refusal = self.complaint = ""
        self.is_off = False
        """Whether memory is switched off here."""
        self.is_plain = False
        """Whether the context is printed as it is: the seeds' own renderings are."""
        self.receipt: dict[str, Any] = {}
        self.wants_worker = False
        self.warning = ""
        """What standard error says beside the answer: settings that cannot be used (B23)."""
