"""Read a JSON line of an import: a memory or a fact that we exported, or a plain object with a text."""

import json
from dataclasses import dataclass
from typing import Any, NamedTuple

from pydantic import ValidationError

from recollect.errors import BadInput, RecollectError
from recollect.formats import memory_log
from recollect.model import clock, text
from recollect.model.fact import Fact, is_fact
from recollect.model.memory import STRICTNESS, Memory
from recollect.model.rows.file_id import is_file
from recollect.policy.memories import compose
from recollect.policy.memories.compose import Note
from recollect.project_context import ProjectContext

LINE_FIELDS = ("text", "title", "kind", "tags", "actor", "session", "created_at", "files", "sensitivity")


class Item(NamedTuple):
    """A memory or a fact that was read, or why it could not be read."""

    where: str
    """The file, and the line if there are several."""
    found: Memory | Fact | None
    problem: str = ""
    raw: str = ""
    """The text that could not be read, so that it can be set aside."""
    classify: bool = False
    """Whether the sensitivity follows from the text."""
    exact: bool = False
    """A line of an export of ours: it has an identity, and nothing is added to it."""
    is_record: bool = False
    """A line of a log: two sessions may have logged the same."""


@dataclass(frozen=True, slots=True)
class LineReader:
    """Reads JSON lines for one project."""

    context: ProjectContext

    def read(self, where: str, line: str) -> Item:
        """Return the memory or fact of a line, or the problem with it."""
        try:
            fields = json.loads(line)
            if not isinstance(fields, dict):
                return Item(where, None, "not a JSON object", line)
            return self._item(where, fields)
        except ValidationError as error:
            problem = error.errors(include_url=False)[0]
            return Item(where, None, f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}", line)
        except RecollectError as error:
            details = [f"{value}" for key, value in error.details if key in ("field", "expected")]
            return Item(where, None, ": ".join([error.message, *details[:2]]), line)
        except (ValueError, RecursionError) as error:
            return Item(where, None, f"not JSON: {error}", line)

    def compose(self, note: Note) -> Memory:
        """Build a new memory of this project."""
        context = self.context
        return compose.memory(
            note, context.kinds, moment=context.clock(), project=context.project, commit=None, branch=None
        )

    def _item(self, where: str, fields: dict[str, Any]) -> Item:
        if "fact" in fields:
            return Item(where, Fact.model_validate(fields["fact"]), exact=True)
        if "uid" in fields:
            memory = Memory.model_validate(fields, context={"kinds": self.context.kinds})
            if is_fact(memory.uid) or is_file(memory.uid) or not memory.image:  # what is nested too deeply shows here
                raise BadInput("uid is one of a fact")
            is_record = memory.channel in memory_log.CHANNELS and memory.session is not None
            return Item(where, memory, exact=True, is_record=is_record)
        unknown = [name for name in fields if name not in LINE_FIELDS]
        ignored = f"ignored: {', '.join(unknown)}" if unknown else ""
        return Item(where, self.compose(_note(fields)), ignored, classify=fields.get("sensitivity") is None)


def _note(fields: dict[str, Any]) -> Note:
    """Build a note from an object with a text; raises BadInput for a value of the wrong type."""
    for name in ("text", "title", "kind", "actor", "session", "created_at"):
        if not isinstance(fields.get(name, ""), str | None):
            raise BadInput(f"{name} has to be text")
    lists = {name: [] if fields.get(name) is None else fields[name] for name in ("tags", "files")}
    for name, value in lists.items():
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            raise BadInput(f"{name} has to be a list of texts")
    says = fields.get("text") or fields.get("title") or ""
    if not says.strip():
        raise BadInput('it has no "text"; a line is {"text": "Use pnpm", "kind": "preference"}, kind may be left out')
    if fields.get("sensitivity") not in (None, *STRICTNESS):
        raise BadInput(f"sensitivity is one of {', '.join(STRICTNESS)}")
    return Note(
        says, fields.get("kind") or "note", title=fields.get("title"), tags=lists["tags"],
        files=lists["files"], channel=fields.get("actor"), session=fields.get("session"),
        created_at=_time(fields.get("created_at")), origin="import", free_text=True,
        sensitivity=fields.get("sensitivity"),
    )  # fmt: skip


def _time(stamp: str | None) -> str | None:
    moment = clock.parse(stamp)
    if stamp and moment is None:
        raise BadInput(f"created_at is not a time: {text.cut(stamp, 40)}")
    return clock.stamp(moment) if moment else None
