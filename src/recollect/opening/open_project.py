"""OpenProject: the open store, vault and settings of a project, the base of the library's Workspace."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from recollect.config import Settings
from recollect.errors import Ambiguous, BadInput, Closed, NotFound, Refused, UnreadableFile
from recollect.identity import resolver
from recollect.identity.resolver import Standing
from recollect.model.change import Change
from recollect.model.kinds import Kinds
from recollect.model.memory import Memory
from recollect.policy.memories import naming
from recollect.policy.memories.naming import Named
from recollect.project_context import ProjectContext
from recollect.store.protocols import Stored
from recollect.vault import files
from recollect.vault.layouts import JSON_ROOT
from recollect.write import commit, project_joining, vault_files, vault_sync
from recollect.write.outcome import Outcome

UNPROVEN = (
    "WARNING: this folder says that it is {claim}, but shares no commit with it: its memories are kept apart. "
    "`recollect trust` joins them."
)
CHOICES = 10
"""How many memories of an ambiguous name are listed."""


def _named(memory: Memory) -> Named:
    return Named(memory.project, memory.status, memory.kind)


class OpenProject:
    """The open store, vault and settings of a project. As a context manager it closes the store."""

    def __init__(
        self, context: ProjectContext, settings: Settings, *, folder: Path, standing: Standing, is_named: bool = False
    ) -> None:
        if str(context.checkout.root).encode("utf-8", "replace").decode() != str(context.checkout.root):
            fix = "Rename the folder: the store keeps paths as UTF-8."
            raise BadInput("the project's path is not UTF-8", target=ascii(str(context.checkout.root)), fix=fix)
        self._open_context: ProjectContext | None = context
        self._signature = context.checkout.signature()
        self._branch: str | None = None
        self._is_named = is_named
        self._folder = folder
        self.settings = settings
        self.standing = standing

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the store; closing twice does nothing. Every other call then raises Closed."""
        if self._open_context:
            self._open_context.store.close()
            self._open_context = None

    @property
    def _context(self) -> ProjectContext:
        if self._open_context is None:
            raise Closed("this workspace is closed", target=self._folder)
        return self._open_context

    @_context.setter
    def _context(self, context: ProjectContext) -> None:
        self._open_context = context

    @property
    def project_context(self) -> ProjectContext:
        """The store, vault, settings and clock of the open project, for the program's own parts."""
        return self._context

    @property
    def is_trusted(self) -> bool:
        """Whether a person initialised or trusted this clone."""
        return self.standing.is_trusted

    @property
    def root(self) -> Path:
        """The project's root folder."""
        return self._context.checkout.root

    @property
    def project(self) -> str:
        """The name under which the project's memories are kept."""
        return self._context.project

    @property
    def kinds(self) -> Kinds:
        """The KINDS table with the user's own rows."""
        return self._context.kinds

    def find(self, name: str) -> Stored:
        """Return a memory with its revision, by any name: the one resolver of every verb that takes a memory.

        A name is an id or short id, a slug or kind/slug, a title, the beginning of a slug or title, or a vault path.
        Raises NotFound, which suggests names that are spelt alike, or Ambiguous, which lists the choices.
        """
        self.look()
        store, context = self._context.store, self._context
        seen = store.sighting_at(context.root, self._vault_path(name))
        bare = name.removesuffix(".md").removesuffix(".json") if "/" not in name else name
        found = [stored] if seen and (stored := store.get(seen.uid)) else store.resolve(context.project, bare)
        live = naming.preferred(found, context.project, lambda match: _named(match.memory))
        if not live:
            close = naming.suggestions(name, store.slugs(context.project))
            raise NotFound("no memory has this name", target=name, details=[("did you mean", slug) for slug in close])
        if len(live) > 1:
            message = f"{len(live):,} memories have this name"
            raise Ambiguous(message, target=name, details=self._choices([match.memory for match in live]))
        return vault_files.here(context, live[0])

    def session_id(self, name: str) -> str:
        """Return the whole id of a session from 8 characters or more of it, as `session tail` prints them.

        A name that no session has is returned as it is: the session may be new. Raises Ambiguous.
        """
        found = self._context.store.sessions.named(name)
        if len(found) > 1:
            choices: list[tuple[str, object]] = [("choice", session) for session in found[:CHOICES]]
            fix = "Give more characters of the id."
            raise Ambiguous(f"{len(found)} sessions have this name", target=name, details=choices, fix=fix)
        return found[0] if found else name

    def _choices(self, memories: list[Memory]) -> list[tuple[str, object]]:
        """Return the first memories of an ambiguous name as details of the error: short id and name."""
        ids = self._context.store.short_ids([memory.uid for memory in memories[:CHOICES]])
        choices: list[tuple[str, object]] = [
            ("choice", f"{ids[memory.uid]}  {memory.kind}/{memory.slug}") for memory in memories[:CHOICES]
        ]
        rest = len(memories) - CHOICES
        return [*choices, ("and", f"{rest:,} more")] if rest > 0 else choices

    def look(self) -> None:
        """Take in the vault files that changed; of a vault that nobody trusted, only warn."""
        self._follow_head()
        if resolver.needs_meeting(self._context.store, self._context.checkout, self.standing, is_new=False):
            self.meet()
        if self.standing.unproven and not self._is_named:
            self._context.warn(UNPROVEN.format(claim=self.standing.unproven))
        if self.standing.uses_vault:
            report = vault_sync.scan(self._context)
            if report.waiting:
                self._context.warn(f"WARNING: {report.waiting}.")
            elif report.problems:
                number = len(report.problems)
                self._context.warn(f"WARNING: {number} files are not read; `recollect reconcile` names them.")
        elif not (self.is_trusted or self._is_named) and self._holds_vault():
            self._context.warn(
                "WARNING: this repository has memories that you have not trusted yet; `recollect trust` shows them."
            )

    def _holds_vault(self) -> bool:
        """Whether the checkout has memory files at the usual path."""
        top = self.root / JSON_ROOT
        try:
            folders = (top / name for name in files.names(top, self.root))
            return any(name.endswith(".json") for folder in folders for name in files.names(folder, self.root))
        except UnreadableFile:  # an untrusted folder is no reason to fail
            return False

    def _follow_head(self) -> None:
        """Read HEAD again where it changed: a workspace may stay open while branches are switched."""
        now = self._context.checkout.signature()
        if now != self._signature:
            checkout = self._context.checkout.looked_at_again()
            self._context, self._signature, self._branch = replace(self._context, checkout=checkout), now, None

    def _change(self, name: str, ask: Callable[[str], Change]) -> Outcome:
        """Commit a change to the memory of a name; `ask` makes it from the uid."""
        return commit.commit(self._context, [ask(self._own(self.find(name)).memory.uid)])[0]

    def _own(self, stored: Stored) -> Stored:
        """Return a memory of this project or `global`; raises Refused for another project's, which can only be read."""
        where = stored.memory.project
        if where not in (self.project, "global"):
            checkouts = self._context.store.projects.checkouts()
            roots = [known.root for known in checkouts if known.project == where]
            fix = f"Run it in {roots[0]}." if roots else "Run it in that project."
            problem = f"the memory belongs to another project, {where}"
            raise Refused(problem, target=stored.memory.slug, code="UPDATE_ERROR", fix=fix)
        return stored

    def meet(self) -> None:
        """Record this checkout, so that its memories are found when the project gets another name."""
        context = self._context
        if resolver.needs_meeting(context.store, context.checkout, self.standing):
            resolver.meet(context.store, context.checkout, self.standing, now=context.clock, actor=context.actor)
        if self.standing.former:  # no other clone has that name any more
            project_joining.join(context, self.standing.former)
        self.standing = replace(self.standing, former="", alias="")
        resolver.note_head(context.store, context.checkout, self.standing)

    def _resolve_again(self) -> None:
        """Find out anew which project this checkout belongs to, after projects were joined or parted."""
        context = self._context
        self.standing = resolver.resolve(context.store, context.checkout)
        self._context = replace(context, project=self.standing.project)

    def _vault_path(self, name: str) -> str:
        """Return a path as the vault names it, from the project's root; as it is where it leads elsewhere."""
        path = Path(os.path.normpath(Path.cwd() / name))
        for root in (self.root, self._context.vault.root):
            if root in path.parents:
                return path.relative_to(root).as_posix()
        return name

    def _held_path(self, name: str) -> str | None:
        """Return the vault path of a file that is not taken in because its text was purged; None for any other."""
        self.look()
        seen = self._context.store.sighting_at(self._context.root, self._vault_path(name))
        return seen.path if seen and seen.presence == "held" else None

    def _how_to_start(self) -> str:
        """Return the next step for a project whose vault is not in use."""
        if (self.root / JSON_ROOT).is_dir():
            return "Look at the files, then run `recollect trust` to take them in."
        return "Run `recollect init` to keep memories as files here."
