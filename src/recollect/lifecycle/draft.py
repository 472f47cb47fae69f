"""An agent's draft file becomes a change: claude-memory's write pipeline (seed 002 §5, B36-B50)."""

import contextlib
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from recollect import paths
from recollect.errors import BadInput, Forbidden, OutsideVault, RecollectError, Refused
from recollect.formats import json_file
from recollect.lifecycle import save, sync
from recollect.lifecycle.outcome import Outcome
from recollect.lifecycle.space import Space
from recollect.model import text
from recollect.model.change import Archive, Change, Create, Restore, Retire, Revise
from recollect.model.kinds import Kind, Kinds, by_folder
from recollect.model.memory import Memory
from recollect.policy import revision, screening
from recollect.vault import files
from recollect.vault.layouts import JSON_ROOT

ACTIONS = ("create", "update", "delete", "archive", "unarchive", "restore")
NAME_CHARS = 255
MISSING_CODES = {action: f"{action.upper()}_ERROR" for action in ACTIONS}


@dataclass(frozen=True, slots=True)
class Target:
    """A file of a vault, as a caller named it."""

    root: Path
    """The project's root: the folder that holds `.claude/memory`."""
    path: str
    kind: Kind
    slug: str


def find_root(target: str, cwd: Path, json_root: str = JSON_ROOT) -> Path:
    """The project's root, from the `.claude/memory` components of a target; PATH_ERROR without them (B50)."""
    parts, wanted = (cwd / target).parts, tuple(json_root.split("/"))
    spots = [i for i in range(len(parts) - 1) if parts[i : i + len(wanted)] == wanted]
    if not spots:
        raise OutsideVault(f"there is no {json_root} in the path", target=target)
    return Path(*parts[: spots[0]])


def locate(target: str, cwd: Path, kinds: Kinds, json_root: str = JSON_ROOT) -> Target:
    """The file that is meant, however it is spelt; PATH_ERROR for a place where no memory can lie (B50)."""
    root = files.real(find_root(target, cwd, json_root))
    vault = root / json_root
    if vault.exists() and root not in files.real(vault).parents:
        raise OutsideVault("the vault is a link that leaves the project", target=target)
    raw = cwd / target
    if len(raw.name) > NAME_CHARS:
        raise OutsideVault("the name is too long", target=target)
    place = files.real(raw.parent) / raw.name
    if files.real(vault) not in place.parents or raw.name in ("", ".", ".."):
        raise OutsideVault("the path leaves the vault", target=target)
    if place.is_symlink():
        raise OutsideVault("a link is not a memory's file", target=target)
    folder, *rest = place.relative_to(files.real(vault)).parts
    kind = by_folder(kinds).get(folder)
    if kind is None or len(rest) != 1 or place.suffix != ".json":
        raise OutsideVault("not <folder>/<slug>.json of a known kind", target=target)
    return Target(root, f"{json_root}/{folder}/{place.name}", kind, place.stem)


def read_input(name: str, env: Mapping[str, str]) -> tuple[Path, dict[str, Any]]:
    """The draft, from /tmp or our runtime folder only (B49)."""
    path = Path(name)
    if ".." in path.parts:
        raise Forbidden("`..` is not allowed in an input path", target=name)
    real = files.real(path)
    allowed = {Path("/tmp").resolve(), Path(tempfile.gettempdir()).resolve(), paths.runtime_folder(env).resolve()}  # noqa: S108
    if not any(folder in real.parents for folder in allowed):
        raise Forbidden("drafts are read from /tmp or the runtime folder only", target=name)
    if files.look(real) is None:
        problem = files.oddity(real) or "there is no such draft"
        raise BadInput(problem, target=name, fix="Write one JSON object to the file.")
    try:
        return path, json_file.parse(files.read(real), target=name)
    except RecollectError as error:
        raise BadInput(error.message, target=name, fix="Write one JSON object to the file.") from None


@dataclass(frozen=True, slots=True)
class Request:
    """One call of the write surface, as its flags say it."""

    target: str
    cwd: Path
    action: str
    category: str | None = None
    source: str | None = None
    expect: str | None = None
    reason: str | None = None


def perform(space: Space, request: Request, env: Mapping[str, str]) -> Outcome:
    """Do what was asked; a draft that was used is removed, one that failed stays for another try (B38, B49)."""
    target = locate(request.target, request.cwd, space.kinds, space.vault.json_root)
    _check_place(space, target, request)
    if request.action not in ("create", "update"):
        return close(space, target, request.action, request.reason)
    if not request.source:
        fix = "Write the draft to a file below /tmp and name it."
        raise BadInput(f"--input is needed to {request.action}", fix=fix)
    path, record = read_input(request.source, env)
    if request.action == "create":
        outcome = create(space, target, record)
    else:
        outcome = update(space, target, record, request.expect)
    with contextlib.suppress(OSError):
        path.unlink()
    return outcome


def _check_place(space: Space, target: Target, request: Request) -> None:
    if request.action == "create" and not request.category:
        raise BadInput("--category is needed to create", fix="Name the memory's kind.")
    if request.category and request.category != target.kind.name:
        problem = f"{target.kind.folder}/ holds {target.kind.name}, not {request.category}"
        raise OutsideVault(problem, target=target.path)
    if space.vault.layout_of(target.path) is None:
        raise OutsideVault("this project keeps free text in memory/", target=target.path)


def create(space: Space, target: Target, record: dict[str, Any]) -> Outcome:
    """B38, in the seed's order; the file's name is the id, so a draft may leave it out (B39)."""
    draft = revision.auto_fix(record, space.stamp(), creating=True)
    kept = {key: value for key, value in draft.record.items() if key not in revision.CLOSING_FIELDS}
    kept |= {"record_status": "active", "category": target.kind.name, "id": target.slug}
    checked = json_file.validate(kept, target.kind, target=target.path)
    memory = json_file.to_memory(
        checked, slug=target.slug, uid=text.new_uid(space.clock()), project=space.project
    ).having(commit=space.checkout.head, branch=space.checkout.branch, origin="assistant")
    draft.notes += _personal(memory)
    return _noted(save.commit(space, [Create(memory, merge_duplicate=False, keep_slug=True)])[0], draft.notes)


def update(space: Space, target: Target, record: dict[str, Any], expect: str | None) -> Outcome:
    """B41: what may not change is the old memory's, and merge and hash are checked inside the lock."""
    uid = _uid_at(space, target, "update")
    stored = space.store.get(uid)
    if stored is None:
        raise Refused("the memory is gone", target=target.path, code="UPDATE_ERROR")
    old = stored.memory
    draft = revision.auto_fix(record, space.stamp(), creating=False)
    kept = dict(draft.record)
    tags = kept.get("tags")
    if isinstance(tags, list):
        kept["tags"], dropped = revision.evict_tags(old.tags, tags)
        draft.notes += [f"[AUTO-FIX] tags: more than 12; dropped: {', '.join(dropped)}"] if dropped else []
    kept |= {
        "created_at": old.created_at, "schema_version": "1.0", "category": old.kind, "id": old.slug,
        "record_status": "active",
    }  # fmt: skip
    for name in revision.CLOSING_FIELDS:
        kept.pop(name, None)
    checked = json_file.validate(kept, target.kind, target=target.path)
    memory = json_file.to_memory(checked, slug=old.slug, uid=uid, project=old.project)
    if not expect:
        draft.notes.append("WARNING: no --hash: a change made meanwhile would not be noticed")
    draft.notes += _personal(memory)
    return _noted(save.commit(space, [Revise(memory, expect=expect, guarded=True)])[0], draft.notes)


def _personal(memory: Memory) -> list[str]:
    """The format has no sensitivity: whoever asked for a file with personal data should know."""
    found = screening.personal(f"{memory.title}\n{memory.text}")
    return [f"WARNING: it holds {found}, and everybody who has the repository can read it"] if found else []


def close(space: Space, target: Target, action: str, reason: str | None) -> Outcome:
    """Delete, archive, unarchive and restore (B45, B46)."""
    uid = _uid_at(space, target, action)
    why = reason or "No reason provided"
    changes: dict[str, Change] = {
        "delete": Retire(uid, why),
        "archive": Archive(uid, why),
        "unarchive": Restore(uid, only="archived"),
        "restore": Restore(uid, only="retired"),
    }
    return save.commit(space, [changes[action]])[0]


def _uid_at(space: Space, target: Target, action: str) -> str:
    sync.take_in_file(space, target.path)
    found = space.store.named(space.project, target.kind.name, target.slug)
    problem = sync.problem_at(space, target.path)
    if problem:
        code = "READ_ERROR" if found else MISSING_CODES[action]
        raise Refused(
            problem, target=target.path, code=code, fix="Correct the file and try again; nothing was changed."
        )
    if found is None or not (target.root / target.path).exists():
        elsewhere = "Check the path; `recollect list` shows what is there."
        fix = "Use --action create instead." if action == "update" else elsewhere
        raise Refused("there is no such memory file", target=target.path, code=MISSING_CODES[action], fix=fix)
    return found.memory.uid


def _noted(outcome: Outcome, notes: list[str]) -> Outcome:
    return replace(outcome, notes=(*notes, *outcome.notes))
