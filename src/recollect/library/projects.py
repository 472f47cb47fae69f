"""The library's verbs on projects: describe, list, merge, rename, keep apart."""

from recollect.agent_shell import running_agent
from recollect.errors import BadInput, NeedsPerson
from recollect.identity import projects, resolver
from recollect.identity.projects import Project
from recollect.opening.open_project import OpenProject
from recollect.store.protocols import KnownCheckout
from recollect.write import commit, journal_rebuild, project_joining


class ProjectVerbs(OpenProject):
    """Say which project this is, list all of them, and join, rename or keep them apart."""

    def describe_project(self, name: str = "") -> Project:
        """Return what is known of a project: its name and why, its memories, its folders; this one without a name.

        A name may be an alias, a folder, or a part of the name that no other project has. Raises NotFound or Ambiguous.
        """
        self.look()
        store = self._context.store
        return projects.describe(store, projects.find(store, name) if name else self.project, self._record())

    def projects(self) -> list[Project]:
        """Return every project, those with the most memories first."""
        self.look()
        store, here = self._context.store, self._record()
        names = dict.fromkeys((*projects.every_name(store), self.project))
        return [projects.describe(store, name, here) for name in names]

    def merge_projects(self, source: str, target: str = "") -> Project:
        """Move everything of a project to another, by default to this one; return the target as it is then.

        The source's name becomes an alias. `undo` in the same folder takes it back. No file is written. Raises BadInput
        where both are one project, and NeedsPerson in the shell of an agent.
        """
        self._refuse_agents("merge")
        self.look()
        store = self._context.store
        old, new = projects.find(store, source), projects.find(store, target) if target else self.project
        if old == new:
            raise BadInput("both are the same project already", target=new, fix=projects.HOW_TO_LIST)
        return self._move(old, new)

    def rename_project(self, new: str, old: str = "") -> Project:
        """Give a project, by default this one, a name of its own; the old name becomes an alias. `undo` takes it back.

        Raises BadInput for a name that another project has, or that cannot be one.
        """
        self.look()
        store, name = self._context.store, projects.checked_name(new)
        found = projects.find(store, old) if old else self.project
        taken = store.projects.canonical(name)
        if name == found or (taken and taken != found):
            fix = f"`recollect project merge {found} {name}` joins the two." if taken != found else projects.HOW_TO_LIST
            raise BadInput("a project has this name already", target=name, fix=fix)
        return self._move(found, name)

    def keep_apart(self, first: str, second: str = "") -> tuple[str, str]:
        """Record that two projects which look like one are not; `doctor` no longer asks. Return their names."""
        self.look()
        store = self._context.store
        names = projects.find(store, first), projects.find(store, second) if second else self.project
        if names[0] == names[1]:
            raise BadInput("both are the same project", target=names[0], fix=projects.HOW_TO_LIST)
        journal_rebuild.remember(self._context, projects.apart_name(*names), self._context.stamp())
        commit.mirror(self._context)
        return names

    def _move(self, source: str, target: str) -> Project:
        self.meet()
        project_joining.join_on_request(self._context, source, target)
        self._resolve_again()
        return self.describe_project(target)

    def _record(self) -> KnownCheckout:
        return resolver.record_of(self._context.store, self._context.checkout, self.standing)

    def _refuse_agents(self, verb: str) -> None:
        agent = running_agent(self._context.env)
        if agent:
            problem = f"`recollect project {verb}` needs a person; this is a shell of {agent}"
            raise NeedsPerson(problem, target=verb)
