"""Save an agent's draft file as a memory: claude-memory's write pipeline (seed 002 §5, B36-B50)."""

import contextlib
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from recollect import paths
from recollect.errors import BadInput, Forbidden, OutsideVault, RecollectError, Refused
from recollect.formats import json_file
from recollect.model import text
from recollect.model.change import Archive, Change, Create, Restore, Retire, Revise
from recollect.model.kinds import Kind, Kinds, by_folder
from recollect.model.memory import Memory
from recollect.policy.memories import revision
from recollect.policy.secrets import screening
from recollect.project_context import ProjectContext
from recollect.vault import files
from recollect.vault.layouts import JSON_ROOT
from recollect.write import commit, vault_sync
from recollect.write.outcome import Outcome

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
    """Return the project's root: the part of a target before `.claude/memory`; raises OutsideVault without it (B50)."""
    parts, wanted = (cwd / target).parts, tuple(json_root.split("/"))
    starts = [start for start in range(len(parts) - 1) if parts[start : start + len(wanted)] == wanted]
    if not starts:
        raise OutsideVault(f"there is no {json_root} in the path", target=target)
    return Path(*parts[: starts[0]])


def locate(target: str, cwd: Path, kinds: Kinds, json_root: str = JSON_ROOT) -> Target:
    """Return the vault file that a target names; raises OutsideVault where no memory can lie (B50)."""
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
    """Read a draft, from /tmp or our runtime folder only; raises Forbidden or BadInput (B49)."""
    path = Path(name)
    if ".." in path.parts:
        raise Forbidden("`..` is not allowed in an input path", target=name)
    real = files.real(path)
    runtime = Path(paths.runtime(paths.home(env)))
    folders = (Path("/tmp"), Path(tempfile.gettempdir()), runtime)  # noqa: S108
    allowed = {folder.resolve() for folder in folders}
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
    """The options of one `recollect write`."""

    target: str
    cwd: Path
    action: str
    category: str | None = None
    source: str | None = None
    expect: str | None = None
    reason: str | None = None


def perform(context: ProjectContext, request: Request, env: Mapping[str, str]) -> Outcome:
    """Perform a request; a draft that was saved is removed, one that failed stays for another try (B38, B49)."""
    target = locate(request.target, request.cwd, context.kinds, context.vault.json_root)
    _check_place(context, target, request)
    if request.action not in ("create", "update"):
        return close(context, target, request.action, request.reason)
    if not request.source:
        fix = "Write the draft to a file below /tmp and name it."
        raise BadInput(f"--input is needed to {request.action}", fix=fix)
    path, record = read_input(request.source, env)
    if request.action == "create":
        outcome = create(context, target, record)
    else:
        outcome = update(context, target, record, request.expect)
    with contextlib.suppress(OSError):
        path.unlink()
    return outcome


def _check_place(context: ProjectContext, target: Target, request: Request) -> None:
    if request.action == "create" and not request.category:
        raise BadInput("--category is needed to create", fix="Name the memory's kind.")
    if request.category and request.category != target.kind.name:
        problem = f"{target.kind.folder}/ holds {target.kind.name}, not {request.category}"
        raise OutsideVault(problem, target=target.path)
    if context.vault.layout_of(target.path) is None:
        raise OutsideVault("this project keeps free text in memory/", target=target.path)


def create(context: ProjectContext, target: Target, record: dict[str, Any]) -> Outcome:
    """Create a memory from a draft, checked in the seed's order (B38); the file's name is its id (B39)."""
    draft = revision.auto_fix(record, context.stamp(), creating=True)
    kept = {key: value for key, value in draft.record.items() if key not in revision.CLOSING_FIELDS}
    kept |= {"record_status": "active", "category": target.kind.name, "id": target.slug}
    checked = json_file.validate(kept, target.kind, target=target.path)
    memory = json_file.to_memory(
        checked, slug=target.slug, uid=text.new_uid(context.clock()), project=context.project
    ).having(commit=context.checkout.head, branch=context.checkout.branch, origin="assistant")
    draft.notes += _personal_data_warnings(memory)
    return _with_notes(commit.commit(context, [Create(memory, merge_duplicate=False, keep_slug=True)])[0], draft.notes)


def update(context: ProjectContext, target: Target, record: dict[str, Any], expect: str | None) -> Outcome:
    """Update a memory from a draft (B41): fixed fields stay; merge and hash are checked inside the lock."""
    uid = _uid_at(context, target, "update")
    stored = context.store.get(uid)
    if stored is None:
        raise Refused("the memory is gone", target=target.path, code="UPDATE_ERROR")
    old = stored.memory
    draft = revision.auto_fix(record, context.stamp(), creating=False)
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
    draft.notes += _personal_data_warnings(memory)
    return _with_notes(commit.commit(context, [Revise(memory, expect=expect, guarded=True)])[0], draft.notes)


def _personal_data_warnings(memory: Memory) -> list[str]:
    """Return a warning where a memory holds personal data: the file format has no sensitivity."""
    found = screening.personal(f"{memory.title}\n{memory.text}")
    return [f"WARNING: it holds {found}, and everybody who has the repository can read it"] if found else []


def close(context: ProjectContext, target: Target, action: str, reason: str | None) -> Outcome:
    """Delete, archive, unarchive or restore a memory (B45, B46)."""
    uid = _uid_at(context, target, action)
    why = reason or "No reason provided"
    changes: dict[str, Change] = {
        "delete": Retire(uid, why),
        "archive": Archive(uid, why),
        "unarchive": Restore(uid, only="archived"),
        "restore": Restore(uid, only="retired"),
    }
    return commit.commit(context, [changes[action]])[0]


def _uid_at(context: ProjectContext, target: Target, action: str) -> str:
    vault_sync.take_in_file(context, target.path)
    found = context.store.named(context.project, target.kind.name, target.slug)
    problem = vault_sync.problem_at(context, target.path)
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


def _with_notes(outcome: Outcome, notes: list[str]) -> Outcome:
    return replace(outcome, notes=(*notes, *outcome.notes))
