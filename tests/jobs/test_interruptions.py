"""Jobs that a kill, a full disk, a branch switch or a merge interrupts: the state is the old one or the new one."""

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import pytest
from builders import Box
from telling import Telling

LONG_AGO = "2026-02-01T12:00:00Z"
SAYS = "Deploys of the billing service need the staging flag. Run {} took long."


def commit(box: Box, message: str = "work") -> None:
    box.git("add", "-A")
    box.git("commit", "-q", "--allow-empty", "-m", message)


def verdicts(box: Box) -> list[tuple[Any, ...]]:
    with contextlib.closing(sqlite3.connect(box.home / "memory.db")) as store:
        found = store.execute("SELECT uid, state, says, head FROM verdicts JOIN memories USING (id) ORDER BY uid")
        return found.fetchall()


def job(box: Box, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(row for row in box.run("jobs", "--json").json if row["name"] == name)
    return found


@pytest.fixture
def checked(box) -> Box:
    """A repository whose memories were checked, and that lost a file since."""
    for name in ("a.py", "b.py"):
        (box.root / name).write_text("x = 1\n")
    commit(box)
    for number in range(4):
        box.run("remember", f"Limit {number} is set in {'ab'[number % 2]}.py")
    box.run("session", "--set", "7")
    box.run("validate")
    box.git("rm", "-q", "a.py")
    commit(box, "one file less")
    return box


def killed(step: str, *args: str) -> None:
    """The command line, killed at the n-th statement that its store runs."""
    from recollect.faces.cli import main
    from recollect.store.sqlite.database import Database

    whole, left = Database._rows, [int(step)]

    def counted(self: Any, *given: Any, **more: Any) -> Any:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return whole(self, *given, **more)

    Database._rows = counted  # type: ignore[method-assign]
    main(list(args))


@pytest.mark.parametrize("name", ["verdicts", "validate"])
def test_a_check_that_is_killed_at_any_step_keeps_the_old_verdicts_or_the_new_ones(checked, name):
    saved, before = checked.folder / "saved", verdicts(checked)
    shutil.copytree(checked.home, saved)
    checked.run("jobs", "run", name)
    after = verdicts(checked)
    assert [state for _, state, _, _ in after].count("STALE") == 2
    seen, step, stride = [], 2, 9
    while True:
        shutil.rmtree(checked.home)
        shutil.copytree(saved, checked.home)
        child = checked.fork(str(step), "jobs", "run", name, function=killed)
        child.communicate(timeout=60)
        if child.returncode == 0 and stride == 1:
            break
        if child.returncode == 0:
            step, stride = step - stride + 1, 1  # the last steps one by one
            continue
        assert child.returncode == -signal.SIGKILL
        assert verdicts(checked) in (before, after), step
        seen.append(verdicts(checked) == after)
        checked.run("jobs", "run", name)
        assert verdicts(checked) == after
        step += stride
    assert seen == sorted(seen)
    assert set(seen) == {True, False}
    assert name == "verdicts" or (checked.home / "logs" / "validation-7.log").exists()


def test_on_a_full_disk_a_check_fails_and_keeps_the_old_verdicts(checked):
    before = verdicts(checked)
    (checked.home / "logs").mkdir()
    log = checked.home / "logs" / "validation-7.log"
    log.write_text("x" * 4_000_000)
    child = checked.fork("jobs", "run", "validate", limit=20_000)
    _, said = child.communicate(timeout=60)
    assert child.returncode == 1, said
    assert "Traceback" not in said
    assert verdicts(checked) == before
    child = checked.fork("jobs", "run", "validate", limit=4_000_000)  # there is room for the verdicts, not for the log
    _, said = child.communicate(timeout=60)
    assert child.returncode == 1, said
    assert "Traceback" not in said
    log.unlink()
    checked.run("jobs", "run", "validate")
    assert verdicts(checked) != before
    assert "2 STALE" in log.read_text()


def test_a_job_that_fails_in_the_worker_is_recorded_as_failed_and_tried_again(checked):
    checked.git("checkout", "-q", "-b", "other")
    (checked.root / "b.py").write_text("x = 2\n")
    commit(checked)
    checked.git("checkout", "-q", "main")
    (checked.root / "b.py").write_text("x = 3\n")
    commit(checked)
    before = verdicts(checked)
    who = ["-c", "user.name=ann", "-c", "user.email=ann@example.org"]
    words = ["git", "-C", str(checked.root), *who, "merge", "-q", "other"]
    merge = subprocess.run(words, capture_output=True, check=False)
    assert merge.returncode == 1
    Telling(checked).asks("what is new?").answers().ends()
    checked.run("drain")
    failed = job(checked, "verdicts")
    assert (failed["last_run"], failed["failed_at"], failed["is_due"]) == (None, checked.now, True)
    assert failed["result"] == "failed; hook.log says why"
    assert "a merge is in progress" in (checked.home / "hook.log").read_text()
    assert verdicts(checked) == before
    checked.git("merge", "--abort")
    Telling(checked, session="another-session").asks("and now?").answers()
    checked.run("drain")
    done = job(checked, "verdicts")
    assert (done["last_run"], done["failed_at"], done["is_due"]) == (checked.now, None, False)
    assert verdicts(checked) != before


def switching(kind: str, root: str, *args: str) -> None:
    """The command line; at the first file that it writes, or after the last, somebody commits and switches branches."""
    from recollect.faces.cli import main
    from recollect.vault.files import Writing

    name = "write" if kind == "first file" else "__exit__"
    whole = getattr(Writing, name)

    def switched(self: Any, *given: Any) -> Any:
        setattr(Writing, name, whole)
        for words in (["add", "-A"], ["commit", "-qm", "meanwhile"], ["checkout", "-q", "side"]):
            subprocess.run(["git", "-C", root, *words], check=words[0] == "checkout", capture_output=True)
        return whole(self, *given)

    setattr(Writing, name, switched)
    main(list(args))


@pytest.mark.parametrize("kind", ["first file", "last file"])
@pytest.mark.parametrize("name", ["weigh", "compress"])
def test_a_branch_switch_in_the_middle_of_a_job_loses_nothing(make_box, name, kind):
    box = make_box()
    box.run("init", "--layout", "json")
    commit(box)
    box.git("branch", "side")
    box.bring(*({"title": f"Deploy {n}", "content": {"text": SAYS.format(n)}} for n in range(4)), at=LONG_AGO)
    box.bring({"kind": "discovery", "title": "Seen"}, at="2025-11-01T12:00:00Z")
    commit(box)
    child = box.fork(kind, str(box.root), "jobs", "run", name, function=switching)
    _, said = child.communicate(timeout=60)
    assert child.returncode == 0, said
    box.run("list")
    box.run("reconcile")
    box.git("checkout", "-q", "-f", "main")  # the index of the other branch is in the way
    box.run("reconcile")
    box.run("jobs", "run", name)
    rows = box.run("list", "--all", "--json").json
    by_title = {row["title"]: row["status"] for row in rows}
    assert {f"Deploy {n}" for n in range(4)} | {"Seen"} <= by_title.keys(), by_title
    if name == "weigh":
        assert by_title["Seen"] == "archived"
    else:
        assert [by_title[f"Deploy {n}"] for n in range(4)] == ["archived"] * 4
        assert [row["kind"] for row in rows].count("compressed_summary") == 1
    for row in rows:
        path = Path(box.vault) / "notes" / f"{row['slug']}.json"
        assert row["status"] == "archived" or path.exists() or row["kind"] != "note", row["title"]
    assert box.run("doctor", "--json", code=None).json
