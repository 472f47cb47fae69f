"""The store as hooks see it: read, never written, and left alone when it is not of this version."""

import os

from recollect import foreign_files
from recollect.hot.engine import apsw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from recollect.policy.seen import Seen

SCHEMA = 5  # as many as there are migrations
BUSY_MS = 50
GIT_FILE_BYTES = 4_096  # `.git` of a worktree and HEAD hold one line
MAPPED_BYTES = 1 << 30  # reading a page by a call of the system takes longer than using it
SNAPSHOT = "hook:"
KEY_FIELDS = "key_fields."
DESCRIBED = "recall.descriptions."
CONTENT = """
SELECT part.key, CASE part.type
    WHEN 'array' THEN (SELECT group_concat(coalesce(atom, value), '; ') FROM json_each(part.value))
    WHEN 'object' THEN '' ELSE part.atom END
FROM memories, json_each(image, '$.content') AS part WHERE uid = ?
"""
SELECTED = """uid, kind, slug, title, text, tags, cue, importance, hits, pinned, created, updated, session, project,
    coalesce(image->>'$.origin', 'user'), image->>'$.confidence', image->>'$.branch', image->>'$.scale'"""
SHOWN_SENSITIVITIES = ("public", "operational", "personal")  # D15: everything else is asked for by name or not at all
VISIBLE = f"""status = 'active' AND project IN (?1, 'global') AND (expires IS NULL OR expires > ?2)
    AND sensitivity IN {SHOWN_SENSITIVITIES}"""
# What an older program did not leave yet.
NEWER = {"recall.profile": "hybrid", "inject.experiences": False}
OFF_FOLDER, OFF_SESSION = "off:folder:", "off:session:"


class Unready(Exception):
    """The store cannot answer now; what is noted waits for it."""


def open_store(path: str) -> apsw.Connection:
    """The store for reading; Unready where there is none or another version wrote it."""
    if not os.path.exists(path):
        raise Unready("there is no store yet")
    db = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
    db.set_busy_timeout(BUSY_MS)
    db.execute(f"PRAGMA mmap_size = {MAPPED_BYTES}")
    version = db.execute("PRAGMA user_version").get
    if version != SCHEMA:
        db.close()
        raise Unready(f"the store has version {version}, this program reads {SCHEMA}")
    return db


def rows(db: apsw.Connection, sql: str, values: "list[Any] | tuple[Any, ...]" = ()) -> "list[tuple[Any, ...]]":
    """What a question answers."""
    return db.execute(sql, values).fetchall()


class Place:
    """Where an agent works: its project, the checkout that is known there, and the settings in force."""

    __slots__ = ("project", "root", "settings")

    def __init__(self, project: str, root: str, settings: "dict[str, Any]") -> None:
        self.project, self.root, self.settings = project, root, settings


def find_place(db: apsw.Connection, folder: str, env: "Mapping[str, str]") -> Place:
    """The project around a folder: a known checkout, or a worktree of a clone that is known."""
    known = rows(db, "SELECT root, project, clone FROM checkouts")
    folder = os.path.realpath(folder)
    top, clone = _git_clone(folder)
    around = [row for row in known if _is_inside(folder, row[0]) and (not top or _is_inside(row[0], top))]
    found = max(around, key=lambda row: len(row[0]), default=None)
    if found is None:
        found = next((row for row in known if clone and row[2] == clone), None)
    root, project = (found[0], found[1]) if found else ("", "")
    return Place(project, root, _settings(db, root, env))


def _is_inside(folder: str, root: str) -> bool:
    return folder == root or folder.startswith(root.rstrip("/") + "/")


def _git_clone(folder: str) -> tuple[str, str]:
    """Git's top folder around a folder, and what names its clone (as `project.find` does, without asking git)."""
    top = git_top(folder)
    if not top:
        return "", ""
    inner = git_folder(top)
    common = os.path.realpath(os.path.join(inner, _read(os.path.join(inner, "commondir")).strip() or "."))
    made = os.path.join(common, "description")
    is_made = os.path.exists(made)
    return top, f"{common}@{os.stat(made).st_mtime_ns if is_made else os.stat(common).st_ino}"


def git_top(folder: str) -> str:
    """Git's top folder around a folder; empty where there is none."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        up = os.path.dirname(folder)
        if up == folder:
            return ""
        folder = up
    return folder


def git_folder(top: str) -> str:
    """Git's own folder of a checkout; a worktree's `.git` is a file that names it."""
    place = os.path.join(top, ".git")
    return os.path.join(top, _read(place).removeprefix("gitdir:").strip()) if os.path.isfile(place) else place


def current_branch(folder: str) -> str:
    """The branch that is checked out around a folder, from git's own file."""
    top = git_top(folder)
    return _read(os.path.join(git_folder(top), "HEAD")).strip().removeprefix("ref: refs/heads/") if top else ""


def _read(path: str) -> str:
    try:
        return foreign_files.read(path, most_bytes=GIT_FILE_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def _settings(db: apsw.Connection, root: str, env: "Mapping[str, str]") -> "dict[str, Any]":
    """The snapshot that the last full program left for this checkout; the environment comes before it."""
    best = "SELECT value FROM settings WHERE name IN (?1, ?2) ORDER BY length(name) DESC LIMIT 1"
    values: dict[str, Any] = dict(rows(db, f"SELECT key, atom FROM json_each(({best}))", (SNAPSHOT + root, SNAPSHOT)))
    if not values:
        raise Unready("no program has left its settings in the store yet")
    values = NEWER | values
    for name in values:
        said = env.get("RECOLLECT_" + name.upper().replace(".", "__"))
        if said is not None:
            values[name] = _literal(said)
    return values


def _literal(said: str) -> object:
    if said.lower() in ("true", "on", "yes", "false", "off", "no"):
        return said.lower() in ("true", "on", "yes")
    return int(said) if said.isdigit() else said


def says(db: apsw.Connection, place: Place, one: "Seen", wanted: tuple[str, ...] = ()) -> str:
    """What a memory says beyond its title: its key fields (B32), or those that are wanted; else its text."""
    fields = {str(name): str(value) for name, value in rows(db, CONTENT, (one.uid,)) if value}
    chosen = wanted or str(place.settings.get(KEY_FIELDS + one.kind) or "").split(",")
    names = chosen if "text" not in fields else ["text"]
    told = [fields[name] for name in names if fields.get(name, one.title) != one.title]
    told = [said for said in told if not any(said != other and said in other for other in told)]
    return "\n".join(told)


def is_stale(place: Place) -> bool:
    """Whether a settings file changed since the snapshot was taken; the next worker takes a new one."""
    seen = str(place.settings.get("files", ""))
    return signature([line.split("\t")[0] for line in seen.splitlines()]) != seen


def signature(paths: list[str]) -> str:
    """What changes when one of these files does."""
    return "\n".join(f"{path}\t{_changed(path)}" for path in paths)


def _changed(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def off_because(db: apsw.Connection, folder: str, session: str) -> str:
    """Why agents have no memory here; empty where they have."""
    folder = os.path.realpath(folder)
    names = [OFF_SESSION + session, OFF_FOLDER + folder]
    while os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
        names.append(OFF_FOLDER + folder)
    holes = ",".join("?" * len(names))
    found = db.execute(f"SELECT name FROM settings WHERE name IN ({holes}) LIMIT 1", names).get
    return f"{str(found).removeprefix('off:')} is switched off" if found else ""
