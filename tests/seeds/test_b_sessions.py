"""What makes room: the session window (seed 001), the cap per category, and auto_commit (seed 002 §10)."""

import json

import pytest
from builders import IN_GIT

REASON = "Session rolling window: exceeded max_retained limit"


def session(draft, day, **content):
    """A session summary created on a day of January."""
    record = draft("session_summary", id=f"s{day}", title=f"Session {day}", created_at=f"2026-01-{day:02}T00:00:00Z")
    record["content"] |= content
    return record


def statuses(box, folder):
    """The status of each file of a folder, by name."""
    return {
        path.stem: json.loads(path.read_text("utf-8"))["record_status"] for path in box.vault.glob(f"{folder}/*.json")
    }


def active(box, folder):
    return sorted(name for name, status in statuses(box, folder).items() if status == "active")


def set_config(box, found):
    (box.vault / "memory-config.json").write_text(json.dumps(found), "utf-8")


# -- B55: the session window ----------------------------------------------------------------------------------------


@pytest.mark.seed("B55")
def test_the_sixth_session_retires_the_oldest_by_creation_time(box, draft, write):
    for day in (4, 1, 5, 3, 2):
        write("create", f"sessions/s{day}.json", session(draft, day))
    assert len(active(box, "sessions")) == 5

    write("create", "sessions/s6.json", session(draft, 6))

    assert active(box, "sessions") == ["s2", "s3", "s4", "s5", "s6"]
    record = box.file("sessions/s1.json")
    assert (record["record_status"], record["retired_reason"]) == ("retired", REASON)
    assert record["retired_at"] == "2026-03-01T12:00:00Z"
    assert len(box.index()) == 5
    box.run("index", "--validate")


@pytest.mark.seed("B55")
def test_a_session_that_leaves_with_something_to_say_is_warned_about_and_leaves_all_the_same(box, draft, write):
    set_config(box, {"categories": {"session_summary": {"max_retained": 1}}})
    write("create", "decisions/d.json", draft(title="Queue", content=draft()["content"] | {"context": "redis queue"}))
    first = session(
        draft, 1, completed=["redis queue", "wrote parser"], blockers=["flaky network"], next_actions=["tune cache"]
    )
    write("create", "sessions/s1.json", first)

    done = write("create", "sessions/s2.json", session(draft, 2, completed=["tune cache"], next_actions=["sleep"]))

    assert done.err == (
        "WARNING: Session s1 contains unique content not captured elsewhere: wrote parser; flaky network. "
        "Consider saving these before retirement.\n"
        "retired session_summary/s1: Session rolling window: exceeded max_retained limit\n"
    )
    assert done.json["status"] == "created"
    assert active(box, "sessions") == ["s2"]


@pytest.mark.seed("B55")
def test_a_session_whose_content_is_all_known_leaves_without_a_warning(box, draft, write):
    set_config(box, {"categories": {"session_summary": {"max_retained": 1}}})
    write("create", "sessions/s1.json", session(draft, 1))

    done = write("create", "sessions/s2.json", session(draft, 2))

    assert "WARNING" not in done.err
    assert active(box, "sessions") == ["s2"]


@pytest.mark.seed("B55")
def test_what_only_a_retired_memory_says_counts_as_unique(box, draft, write):
    set_config(box, {"categories": {"session_summary": {"max_retained": 1}}})
    write("create", "decisions/d.json", draft(title="Wrote parser"))
    write("delete", "decisions/d.json")
    write("create", "sessions/s1.json", session(draft, 1, completed=["wrote parser"], next_actions=[]))

    done = write("create", "sessions/s2.json", session(draft, 2, completed=[], next_actions=[]))

    assert "not captured elsewhere: wrote parser. " in done.err


@pytest.mark.seed("B55")
@pytest.mark.parametrize("where", ["memory-config.json", ".recollect.toml"])
def test_the_size_of_the_window_is_a_setting(box, draft, write, where):
    if where == "memory-config.json":
        set_config(box, {"categories": {"session_summary": {"max_retained": 2}}})
    else:
        (box.root / where).write_text("[save]\nsessions_retained = 2\n")

    for day in (1, 2, 3):
        write("create", f"sessions/s{day}.json", session(draft, day))

    assert active(box, "sessions") == ["s2", "s3"]


@pytest.mark.seed("B55")
def test_a_smaller_window_takes_hold_at_the_next_session(box, draft, write):
    for day in (1, 2, 3, 4):
        write("create", f"sessions/s{day}.json", session(draft, day))
    set_config(box, {"categories": {"session_summary": {"max_retained": 2}}})
    assert len(active(box, "sessions")) == 4

    write("create", "sessions/s5.json", session(draft, 5))

    assert active(box, "sessions") == ["s4", "s5"]


@pytest.mark.seed("B55")
def test_closed_sessions_do_not_count(box, draft, write):
    set_config(box, {"categories": {"session_summary": {"max_retained": 2}}})
    write("create", "sessions/s1.json", session(draft, 1))
    write("create", "sessions/s2.json", session(draft, 2))
    write("archive", "sessions/s2.json")

    write("create", "sessions/s3.json", session(draft, 3))

    assert statuses(box, "sessions") == {"s1": "active", "s2": "archived", "s3": "active"}


@pytest.mark.seed("B55", "B4")
def test_session_files_that_the_store_has_not_met_count_too(box, draft, write, place):
    for day in (1, 2, 3, 4, 5):
        place(f"sessions/s{day}.json", session(draft, day))

    write("create", "sessions/s6.json", session(draft, 6))

    assert box.file("sessions/s1.json").get("record_status") == "retired"
    assert box.file("sessions/s2.json").get("record_status", "active") == "active"


@pytest.mark.seed("B55")
def test_the_window_holds_only_sessions(box, draft, write):
    set_config(box, {"categories": {"session_summary": {"max_retained": 1}}})

    for number in range(3):
        write("create", f"decisions/d{number}.json", draft())

    assert len(active(box, "decisions")) == 3


@pytest.mark.seed("B55")
def test_a_refused_session_retires_nothing(box, draft, write):
    set_config(box, {"categories": {"session_summary": {"max_retained": 1}}})
    write("create", "sessions/s1.json", session(draft, 1))

    write("create", "sessions/s2.json", session(draft, 2, outcome="great"), code=1)
    write("create", "sessions/s1.json", session(draft, 3), code=1)

    assert statuses(box, "sessions") == {"s1": "active"}


# -- max_memories_per_category --------------------------------------------------------------------------------------


@pytest.mark.seed("B55")
@pytest.mark.parametrize("where", ["memory-config.json", ".recollect.toml"])
def test_past_the_cap_the_lowest_scored_memory_of_the_category_is_retired(box, draft, write, where):
    if where == "memory-config.json":
        set_config(box, {"max_memories_per_category": 2})
    else:
        (box.root / where).write_text("[save]\nmax_per_kind = 2\n")
    write("create", "decisions/new.json", draft(updated_at="2026-02-28T00:00:00Z"))
    write("create", "decisions/old.json", draft(updated_at="2025-01-01T00:00:00Z"))
    write("create", "runbooks/other.json", draft("runbook", updated_at="2020-01-01T00:00:00Z"))

    write("create", "decisions/newest.json", draft(updated_at="2026-02-01T00:00:00Z"))

    assert statuses(box, "decisions") == {"new": "active", "old": "retired", "newest": "active"}
    assert statuses(box, "runbooks") == {"other": "active"}
    assert "limit of 2" in box.file("decisions/old.json")["retired_reason"]
    assert len(box.index()) == 3


@pytest.mark.seed("B55")
def test_the_cap_never_takes_the_memory_just_written(box, draft, write):
    set_config(box, {"max_memories_per_category": 1})
    write("create", "decisions/new.json", draft(updated_at="2026-03-01T00:00:00Z"))

    write("create", "decisions/late.json", draft(updated_at="2001-01-01T00:00:00Z"))

    assert statuses(box, "decisions") == {"new": "retired", "late": "active"}


@pytest.mark.seed("B55")
def test_the_cap_never_takes_a_pinned_memory(box, draft, write):
    set_config(box, {"max_memories_per_category": 2})
    write("create", "decisions/old.json", draft(updated_at="2001-01-01T00:00:00Z"))
    box.run("pin", "decision/old")
    write("create", "decisions/new.json", draft(updated_at="2026-02-28T00:00:00Z"))

    write("create", "decisions/third.json", draft())
    assert statuses(box, "decisions") == {"old": "active", "new": "retired", "third": "active"}

    box.run("pin", "decision/third")
    write("create", "decisions/fourth.json", draft())
    assert active(box, "decisions") == ["fourth", "old", "third"]


@pytest.mark.seed("B55")
def test_a_cap_of_zero_is_no_cap(box, draft, write):
    set_config(box, {"max_memories_per_category": 0})

    for number in range(4):
        write("create", f"decisions/d{number}.json", draft())

    assert len(active(box, "decisions")) == 4


@pytest.mark.seed("B55")
def test_files_that_the_store_has_not_met_count_towards_the_cap(box, draft, write, place):
    set_config(box, {"max_memories_per_category": 2})
    place("decisions/old.json", draft(id="old", updated_at="2001-01-01T00:00:00Z"))
    place("decisions/new.json", draft(id="new", updated_at="2026-02-28T00:00:00Z"))

    write("create", "decisions/third.json", draft())

    assert box.file("decisions/old.json").get("record_status") == "retired"


# -- auto_commit ----------------------------------------------------------------------------------------------------


def committed(box):
    """The paths of the last commit."""
    return sorted(box.git("show", "--name-only", "--format=", "HEAD").split())


def first_commit(box):
    (box.root / "code.py").write_text("one\n")
    box.git("add", "code.py")
    box.git("commit", "-q", "-m", "first")


@IN_GIT
@pytest.mark.seed("B55")
@pytest.mark.parametrize("where", ["memory-config.json", ".recollect.toml"])
def test_auto_commit_commits_just_the_vault_and_leaves_what_is_staged_staged(box, draft, write, where):
    first_commit(box)
    if where == "memory-config.json":
        set_config(box, {"auto_commit": True})
    else:
        (box.root / where).write_text("[vault]\nauto_commit = true\n")
    (box.root / "staged.py").write_text("staged\n")
    (box.root / "code.py").write_text("two\n")
    box.git("add", "staged.py", "code.py")
    (box.root / "code.py").write_text("three\n")

    done = write("create", "decisions/use-sqlite.json", draft())

    assert committed(box) == [".claude/memory/decisions/use-sqlite.json", ".claude/memory/index.md"]
    subject = box.git("log", "-1", "--format=%s").strip()
    assert "recollect" in subject
    assert "created" in subject
    assert "Use SQLite for storage" in subject
    lines = box.git("status", "--porcelain", "--untracked-files=no").splitlines()
    assert lines == ["MM code.py", "A  staged.py"]
    assert done.err == ""


@IN_GIT
@pytest.mark.seed("B55")
def test_without_auto_commit_nothing_is_committed_or_staged(box, draft, write):
    first_commit(box)

    write("create", "decisions/use-sqlite.json", draft())

    assert box.git("log", "-1", "--format=%s").strip() == "first"
    assert box.git("diff", "--cached", "--name-only") == ""


@IN_GIT
@pytest.mark.seed("B55")
def test_auto_commit_follows_a_rename_and_a_collection(box, draft, write):
    first_commit(box)
    set_config(box, {"auto_commit": True})
    write("create", "decisions/use-sqlite.json", draft())

    write("update", "decisions/use-sqlite.json", box.file("decisions/use-sqlite.json") | {"title": "Brand new name"})
    assert box.git("ls-files", ".claude/memory/decisions").split() == [".claude/memory/decisions/brand-new-name.json"]

    write("delete", "decisions/brand-new-name.json")
    box.now = "2026-05-01T12:00:00Z"
    box.run("index", "--gc")
    assert box.git("ls-files", ".claude/memory/decisions") == ""
    assert box.git("status", "--porcelain", "--untracked-files=no") == ""


@IN_GIT
@pytest.mark.seed("B55")
def test_auto_commit_works_before_the_first_commit_too(box, draft, write):
    set_config(box, {"auto_commit": True})
    (box.root / "staged.py").write_text("staged\n")
    box.git("add", "staged.py")

    write("create", "decisions/use-sqlite.json", draft())

    assert committed(box) == [".claude/memory/decisions/use-sqlite.json", ".claude/memory/index.md"]
    assert box.git("status", "--porcelain", "--untracked-files=no").splitlines() == ["A  staged.py"]


@IN_GIT
@pytest.mark.seed("B55")
def test_a_commit_that_git_refuses_is_a_warning_and_the_memory_is_saved(box, draft, write):
    first_commit(box)
    set_config(box, {"auto_commit": True})
    (box.root / ".git/refs/heads/main.lock").touch()  # another git command holds the branch

    done = write("create", "decisions/use-sqlite.json", draft())

    assert done.json["status"] == "created"
    assert done.err.startswith("WARNING: ")
    assert "git" in done.err
    assert box.git("log", "-1", "--format=%s").strip() == "first"
