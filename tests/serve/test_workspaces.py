"""The open workspaces of a server: many threads, many projects, few of them open at once."""

import asyncio
from collections.abc import Iterator

import pytest
from builders import Box

from recollect.errors import NotFound
from recollect.faces.serve.workspaces import MOST_OPEN, THREADS, Workspaces
from recollect.library.workspace import Workspace

PROJECTS = MOST_OPEN + 4


@pytest.fixture
def user(box: Box) -> Iterator[Box]:
    with box.living():
        yield box


def test_many_projects_are_asked_at_once_and_few_stay_open(user):
    roots = []
    for number in range(PROJECTS):
        root = user.folder / f"project-{number}"
        root.mkdir()
        user.run("remember", f"The number is {number}", cwd=root)
        roots.append(str(root))
    workspaces, seen = Workspaces(user.root), list[Workspace]()

    def titles(workspace: Workspace) -> list[str]:
        seen.append(workspace)
        return [memory.title for memory in workspace.list()]

    async def ask_all() -> list[list[str]]:
        return await asyncio.gather(*(workspaces.run(titles, root=root) for root in roots * 5))

    found = asyncio.run(ask_all())
    assert found == [[f"The number is {number}"] for number in range(PROJECTS)] * 5
    open_now = {id(workspace) for workspace in seen if workspace._open_context}
    assert len(open_now) <= MOST_OPEN + THREADS
    workspaces.close()
    assert not [workspace for workspace in seen if workspace._open_context]


def test_a_folder_that_no_project_has_is_not_opened(user):
    workspaces = Workspaces(user.root)
    with pytest.raises(NotFound):
        workspaces.call(lambda workspace: workspace.project, str(user.folder))
    assert not (user.folder / ".claude").exists()
    workspaces.close()
