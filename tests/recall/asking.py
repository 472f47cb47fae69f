"""Scenes for recall: memories as another store exported them, hooks in this process, and what they left behind."""

import itertools
import json
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw
from builders import Box

from recollect import paths
from recollect.hooks import dispatch, inbox
from recollect.model import clock
from recollect.model.recall_values import RecallScope
from recollect.recall import search
from recollect.recall.question import Question
from recollect.store.hook_reader import store_reader

LONG_AGO = "2025-01-01T00:00:00Z"
_numbers = itertools.count()


def new_box(folder: Path, *, vault: bool = True) -> Box:
    """A user in a repository, for the tests of a whole module."""
    made = Box(folder, folder / "store", folder / "project")
    made.root.mkdir()
    made.git("init", "-q", "-b", "main")
    if vault:
        made.run("init")
    return made


def project(box: Box) -> str:
    return f"path:{box.root}"


def record(box: Box, text: str, **fields: Any) -> dict[str, Any]:
    """A memory as a line of an export; unless it says otherwise a note."""
    return {"title": text[:100], "content": {"text": text}, "project": project(box)} | fields


def bring(box: Box, *memories: "str | dict[str, Any]") -> list[str]:
    """Take memories in; unless they say otherwise, of long ago. Their ids."""
    return box.bring(*(record(box, one) if isinstance(one, str) else one for one in memories), at=LONG_AGO)


def read_all(terminal: int) -> str:
    """Whatever the other side of a terminal writes until it is gone."""
    parts = []
    with suppress(OSError):  # the other side is gone
        while part := os.read(terminal, 65_536):
            parts.append(part)
    os.close(terminal)
    return b"".join(parts).decode()


def texts(box: Box, question: str, *options: str) -> list[str]:
    """What `recall` finds, best first."""
    return [one["text"] for one in box.run("recall", question, "--json", *options).json]


def database(box: Box) -> Path:
    return Path(paths.database(box.env))


def sql(box: Box, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    """Ask, or change, the store behind everybody's back."""
    with closing(apsw.Connection(str(database(box)))) as db:
        return db.execute(statement, values).fetchall()


def find(box: Box, text: str, profile: str = "hybrid", **more: Any) -> list[Any]:
    """The recall of hooks, as they call it."""
    scope = RecallScope(more.pop("project", project(box)), more.pop("now", clock.seconds(box.now)))
    with closing(store_reader.open_store(str(database(box)))) as reader:
        return search.find(reader.recall_source(), Question(text, scope, **more), profile)[1]


@contextmanager
def living_in(box: Box) -> Iterator[None]:
    """This process as the user's own."""
    with box.living():
        yield


def hook(box: Box, prompt: str, session: str = "") -> str:
    """What the installed hook answers to a prompt."""
    said = {
        "session_id": session or f"asking-{next(_numbers)}",
        "cwd": str(box.root),
        "hook_event_name": "UserPromptSubmit",
    }
    raw = json.dumps(said | {"prompt": prompt}).encode()
    with living_in(box):
        return dispatch.run("claude-code", "UserPromptSubmit", raw, box.env)


def receipts(box: Box) -> list[dict[str, Any]]:
    """What the hooks noted of their answers, oldest first; a worker has not seen it yet."""
    names = inbox.waiting(str(box.home))
    found = [inbox.parse((Path(paths.inbox(str(box.home))) / name).read_bytes()).receipt for name in names]
    return [json.loads(one) for one in found if one]


def log(box: Box) -> str:
    place = Path(paths.log(str(box.home)))
    return place.read_text("utf-8") if place.exists() else ""
