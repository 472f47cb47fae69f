"""What the safety tests do in processes of their own, and what must hold when all of them are done."""

import hashlib
import json
import os
import random
import sqlite3
import stat
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

WAIT_SECONDS = 100.0
SHARED_TAG = "shared"


# -- roles ------------------------------------------------------------------------------------------------------


def mixed(project: str, name: str, seed: str, start: str, count: str) -> None:
    """Write through the library, one line per acknowledged write."""
    import recollect

    rng = random.Random(f"{seed} {name} {start}")
    with recollect.open(project, actor=name) as space:
        everything = space.list(tags=[name], statuses=("active", "retired"))
        own: dict[str, str] = {memory.uid: memory.status for memory in everything}
        shared = [memory.uid for memory in space.list(tags=[SHARED_TAG])]
        for number in range(int(start), int(start) + int(count)):
            print(
                json.dumps(
                    {"number": number, **_one_write(space, rng, own=own, shared=shared, name=name, number=number)}
                ),
                flush=True,
            )


def _one_write(
    space: Any, rng: random.Random, *, own: dict[str, str], shared: list[str], name: str, number: int
) -> Any:
    from recollect.errors import Conflict

    token = f"{name} says {number} {rng.getrandbits(40):x}"
    active = [uid for uid, status in own.items() if status == "active"]
    retired = [uid for uid, status in own.items() if status == "retired"]
    dice = rng.random()
    try:
        if dice < 0.3 or len(active) < 3:
            kind, why = rng.choice([("note", None), ("preference", token), ("decision", token)])
            outcome = space.remember(token, kind=kind, why=why, tags=[name])
        elif dice < 0.6:
            outcome = space.edit(rng.choice(active), text=token)
        elif dice < 0.75:
            token, outcome = "", space.pin(rng.choice(active), pinned=rng.random() < 0.5)
        elif dice < 0.85 and shared:
            outcome = space.edit(rng.choice(shared), text=token)
        elif dice < 0.95 or not retired:
            outcome = space.retire(rng.choice(active), token)
        else:
            token, outcome = "", space.restore(rng.choice(retired))
    except Conflict as error:
        return {"refused": error.code}
    memory = outcome.memory
    if name in memory.tags:
        own[memory.uid] = memory.status
    return {"uid": memory.uid, "action": outcome.action, "revision": outcome.revision, "token": token}


def cli(go: str, *arguments: str) -> None:
    """Say that it is ready, wait for a file, run the command line."""
    from recollect.faces.cli import main

    Path(f"{go}.ready-{os.getpid()}").touch()
    deadline = time.monotonic() + WAIT_SECONDS
    while not Path(go).exists() and time.monotonic() < deadline:
        time.sleep(0.002)
    main(arguments)


def impatient(milliseconds: str, *arguments: str) -> None:
    """The command line, waiting for a locked database that long only."""
    from recollect.faces.cli import main
    from recollect.store.sqlite import database

    database.BUSY_MS = int(milliseconds)
    main(arguments)


# -- what the tests share ------------------------------------------------------------------------------------------


def at_once(boxes: list[Any], commands: list[list[str]], go: Path) -> list[tuple[int, str, str]]:
    """Run commands that all begin at the same moment: exit code, standard output, standard error of each."""
    started = [box.fork(str(go), *command, function=cli) for box, command in zip(boxes, commands, strict=True)]
    wait_for(lambda: len(list(go.parent.glob(f"{go.name}.ready-*"))) == len(started))
    go.touch()
    ends = [one.communicate(timeout=WAIT_SECONDS) for one in started]
    return [(one.returncode, *end) for one, end in zip(started, ends, strict=True)]


def wait_for(condition: Any) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.01)


def rows(box: Any, sql: str, *values: object) -> list[dict[str, Any]]:
    """What the database says, past recollect."""
    connection = sqlite3.connect(box.home / "memory.db")
    connection.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in connection.execute(sql, values)]
    finally:
        connection.close()


def mirror(box: Any) -> list[dict[str, Any]]:
    """The journal's mirror."""
    return [json.loads(line) for line in (box.home / "journal.jsonl").read_text("utf-8").splitlines()]


def vault_files(box: Any) -> dict[str, bytes]:
    """Every memory file of the vault, by its path from the vault's root."""
    return {place.relative_to(box.vault).as_posix(): place.read_bytes() for place in box.vault.glob("*/*.json")}


def assert_all_is_well(box: Any) -> None:
    """Store, journal, mirror, vault and index agree, and nobody left anything behind."""
    from recollect.store.sqlite.store import SqliteStore

    store = SqliteStore(box.home / "memory.db")
    try:
        assert store.problems() == []
    finally:
        store.close()
    memories = {row["uid"]: row for row in rows(box, "SELECT * FROM memories")}
    journal = rows(box, "SELECT * FROM journal ORDER BY seq")
    last = {entry["uid"]: entry for entry in journal if entry["uid"]}
    assert {uid: json.loads(row["image"]) for uid, row in memories.items()} == {
        uid: json.loads(entry["after"]) for uid, entry in last.items() if entry["after"]
    }
    assert [line["seq"] for line in mirror(box)] == [entry["seq"] for entry in journal]
    files = vault_files(box)
    seen = rows(box, "SELECT path, uid FROM sightings WHERE root = ? AND presence = 'seen'", str(box.root))
    assert {row["path"].removeprefix(".claude/memory/") for row in seen} == set(files)
    for row in seen:
        data, stored = files[row["path"].removeprefix(".claude/memory/")], memories[row["uid"]]
        said, image = json.loads(data), json.loads(stored["image"])
        assert hashlib.md5(data, usedforsecurity=False).hexdigest() == stored["revision"]
        assert (said["title"], said["record_status"]) == (image["title"], stored["status"])
        assert said["content"].items() >= image["content"].items()
    active = {path for path, data in files.items() if json.loads(data).get("record_status", "active") == "active"}
    listed = [line.partition(" -> .claude/memory/")[2].split(" #tags:")[0] for line in box.index()]
    assert sorted(listed) == sorted(active)
    assert list(box.vault.rglob(".index.lockdir")) == []
    assert list(box.root.rglob(".recollect-*")) == []


def snapshot(*places: Path, without: Iterable[Path] = ()) -> dict[str, tuple[int, bytes | str]]:
    """Every file, folder and link below some places: its mode, and its bytes or where it points."""
    found: dict[str, tuple[int, bytes | str]] = {}
    for place in (path for top in places for path in (top, *sorted(top.rglob("*")))):
        if any(skip == place or skip in place.parents for skip in without):
            continue
        mode = place.lstat().st_mode
        if stat.S_ISLNK(mode):
            found[str(place)] = (mode, str(place.readlink()))
        else:
            found[str(place)] = (mode, place.read_bytes() if stat.S_ISREG(mode) else "")
    return found
