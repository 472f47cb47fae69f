"""The screen Search: what an agent would be told for a prompt, and what would be left out; without one, a list."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, get_args

from starlette.responses import Response

from recollect.faces.page.asking import Asking
from recollect.library.browsing.preview import Preview
from recollect.library.workspace import Workspace
from recollect.model.memory import Memory, Status
from recollect.model.verdict import STATES, CheckedVerdict

PAGE_SIZE = 40
STATUSES: tuple[Status, ...] = get_args(Status)


@dataclass(frozen=True, slots=True)
class Filters:
    """The fields of the search form."""

    q: str = ""
    kind: str = ""
    tag: str = ""
    file: str = ""
    session: str = ""
    since: str = ""
    until: str = ""
    status: str = ""
    verdict: str = ""
    page: str = ""

    @classmethod
    def of(cls, asking: Asking) -> "Filters":
        """Read them from the address."""
        return cls(**{field.name: asking.value(field.name) for field in fields(cls)})

    @property
    def given(self) -> dict[str, str]:
        """The fields that are not empty, for addresses."""
        return {field.name: said for field in fields(self) if (said := getattr(self, field.name))}

    @property
    def is_narrow(self) -> bool:
        """Whether more than the prompt is given."""
        return bool(self.given.keys() - {"q", "page"})

    @property
    def offset(self) -> int:
        """The number of memories on the pages before this one."""
        return PAGE_SIZE * (min(int(self.page), 10_000) if self.page.isdecimal() else 0)

    @property
    def is_prompt(self) -> bool:
        """Whether a prompt is previewed: agents are told of active memories only."""
        return bool(self.q) and self.status in ("", "active")

    def shared(self) -> dict[str, Any]:
        """Return the filters that previews and lists have in common, as the verbs name them."""
        return {
            "kinds": [self.kind] if self.kind else [], "tags": [self.tag] if self.tag else [],
            "file": self.file or None, "session": self.session or None, "since": self.since or None,
            "until": self.until or None, "verdict": self.verdict if self.verdict in STATES else None,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found:
    """What is shown below the form: a preview, or a page of a list."""

    preview: Preview | None
    memories: tuple[Memory, ...]
    ids: Mapping[str, str]
    """Short ids of the listed memories."""
    verdicts: Mapping[str, CheckedVerdict]
    """Verdicts on the code that listed memories name."""
    kinds: tuple[str, ...]
    """Every kind that the filter offers."""
    has_more: bool
    now: float


async def show(asking: Asking) -> Response:
    """Return the screen, or for a script the results alone."""
    filters = Filters.of(asking)
    found = await asking.run(lambda workspace: _find(workspace, filters))
    if asking.is_fragment:
        return asking.fragment("results.html", filters=filters, found=found, now=found.now)
    return await asking.screen("search.html", filters=filters, found=found, statuses=STATUSES, states=STATES)


def _find(workspace: Workspace, filters: Filters) -> Found:
    now, kinds = workspace.project_context.clock().timestamp(), tuple(workspace.kinds)
    if filters.is_prompt:
        return Found(workspace.preview(filters.q, **filters.shared()), (), {}, {}, kinds, has_more=False, now=now)
    statuses = [status for status in STATUSES if status == filters.status] or ["active"]
    listed = workspace.list(
        match=filters.q, statuses=statuses, limit=PAGE_SIZE + 1, offset=filters.offset, **filters.shared()
    )
    memories = tuple(listed[:PAGE_SIZE])
    uids = [memory.uid for memory in memories]
    ids, verdicts = workspace.short_ids(uids), workspace.verdicts(uids)
    return Found(None, memories, ids, verdicts, kinds, has_more=len(listed) > PAGE_SIZE, now=now)
