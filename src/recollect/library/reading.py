"""The library's verbs that read memories: show, list, recall."""

import builtins
import contextlib
import json
from collections.abc import Sequence

from recollect.config import Profile
from recollect.errors import StoreBusy
from recollect.lazy import load
from recollect.library.fast import fast_reader, fast_status
from recollect.library.fast.fast_show import ShownMemory
from recollect.library.fast.fast_status import ProjectStatus
from recollect.model import clock
from recollect.model.memory import Memory, Status
from recollect.model.query import TURNS, Query
from recollect.opening.open_project import OpenProject
from recollect.recall import project_recall
from recollect.recall.project_recall import RecalledMemory
from recollect.store.protocols import Entry
from recollect.store.sqlite.memory_reader import VerdictRow


class ReadingVerbs(OpenProject):
    """Show a memory and its history, list memories, and recall those that a question is about."""

    def show(self, name: str) -> Memory:
        """Return a memory by its id, slug, kind/slug or path; raises NotFound or Ambiguous."""
        return self.find(name).memory

    def shown(self, name: str) -> tuple[ShownMemory, Memory]:
        """Return a memory with its short id, its file and its links, as `recollect show` prints it."""
        found, store = self.find(name), self._context.store
        uid = found.memory.uid
        seen = store.sighting_of(self._context.root, uid)
        path = seen.path if seen and seen.presence == "seen" else None
        image, now = json.loads(found.memory.image), self._context.clock().timestamp()
        short, links = store.short_ids([uid]).get(uid, uid), store.links_of(uid)
        known = store.verdicts.of([uid]).get(uid)
        checked = VerdictRow(known.verdict, known.branch, known.head, known.at) if known else None
        branch = self._context.checkout.branch_or_commit
        return ShownMemory(image, found.revision, path, short, links, now, checked, branch), found.memory

    def status(self) -> ProjectStatus:
        """Return the state of this project at a glance: what is known, the last session, what was told last."""
        return fast_status.status(self._folder, self._context.env, self._context.warn)

    def history(self, name: str) -> builtins.list[Entry]:
        """Return the journal entries of a memory, newest first."""
        return self._context.store.entries(uid=self.find(name).memory.uid)

    def list(
        self,
        *,
        kinds: Sequence[str] = (),
        statuses: Sequence[Status] = ("active",),
        tags: Sequence[str] = (),
        match: str = "",
        file: str | None = None,
        session: str | None = None,
        since: str | None = None,
        until: str | None = None,
        verdict: str | None = None,
        all_projects: bool = False,
        turns: bool = False,
        limit: int | None = None,
        offset: int = 0,
    ) -> builtins.list[Memory]:
        """Return the memories of this project and the global ones, newest first.

        Turns, the verbatim record of sessions, are left out unless `turns` is true or `kinds` names them. `since` and
        `until` are days of their creation, `verdict` is that on the code which a memory names. `limit` and `offset`
        choose a page.
        """
        self.look()
        project = None if all_projects else self.project
        now = self._context.clock().timestamp()
        query = Query(
            project, tuple(kinds), tuple(statuses), tuple(tags), no_kinds=() if turns or kinds else TURNS, match=match,
            file=file, session=self.session_id(session) if session else None,
            created_since=clock.parse_user_time(since), created_before=clock.parse_user_time(until), verdict=verdict,
            unexpired_at=now, limit=limit, offset=offset,
        )  # fmt: skip
        return [stored.memory for stored in self._context.store.find(query)]

    def short_ids(self, uids: Sequence[str]) -> dict[str, str]:
        """Return a short id for each uid, which every verb takes: its last 8 characters, more if not unique."""
        return self._context.store.short_ids(uids)

    def timeline(
        self, *, session: str | None = None, since: str | None = None, until: str | None = None, limit: int = 50
    ) -> builtins.list[Memory]:
        """Return the last `limit` memories in the order in which they were created, oldest first."""
        self.look()
        query = Query(
            self.project, session=self.session_id(session) if session else None,
            created_since=clock.parse_user_time(since), created_before=clock.parse_user_time(until),
            unexpired_at=self._context.clock().timestamp(), limit=limit,
        )  # fmt: skip
        return [stored.memory for stored in reversed(self._context.store.find(query))]

    def recall(
        self,
        question: str,
        *,
        profile: Profile | None = None,
        kinds: Sequence[str] = (),
        tags: Sequence[str] = (),
        concept: str | None = None,
        file: str | None = None,
        project: str | None = None,
        since: str | None = None,
        until: str | None = None,
        session: str | None = None,
        limit: int = 10,
    ) -> builtins.list[RecalledMemory]:
        """Return the memories that a question is about, best first, as hooks and the command line find them.

        Each has its score and the score's parts; `verdict` says why an agent would not be told it, empty if it would.
        """
        self.look()
        self.catch_up(only_few=True)
        query = Query(
            statuses=(), kinds=tuple(kinds), tags=tuple(tags), concept=concept, file=file,
            session=self.session_id(session) if session else None,
            created_since=clock.parse_user_time(since), created_before=clock.parse_user_time(until),
        )  # fmt: skip
        scope = project_recall.project_scope(self._context, query, project)
        return project_recall.find(self._context, question, scope, profile=profile, limit=limit)

    def experiences(self, query: str, limit: int = 8) -> builtins.list[RecalledMemory]:
        """Return the past experiences that a question is about, best first; none where nothing fits well enough."""
        self.look()
        self.catch_up(only_few=True)
        return project_recall.experiences(self._context, query, limit)

    def catch_up(self, *, only_few: bool = False) -> None:
        """Build missing search vectors, unless another process does it now or vectors are switched off.

        With `only_few` only where fewer than 200 are missing, so that a question does not have to wait for them.
        """
        context = self._context
        if not context.config.recall.vectors or (only_few and not self._lacks_few_vectors()):
            return
        work, hashed = load("recollect.jobs.reindex"), context.config.log.vectors
        with contextlib.suppress(StoreBusy):  # another process, or another thread of this one, does it
            work.run(context.store, lambda _: None, hashed=hashed, patience=0)

    def _lacks_few_vectors(self) -> bool:
        reader = fast_reader.open_reader(self._context.env)
        if reader is None:
            return False
        with contextlib.closing(reader):
            return fast_reader.should_index_first(reader)
