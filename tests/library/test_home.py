"""`recollect.open(home=X)` works in X alone, whatever RECOLLECT_HOME names."""

import inspect
from collections.abc import Callable
from pathlib import Path

import pytest
from recorded_sessions import ANSWER, RULE, Claude

import recollect
from recollect import Note, Workspace
from recollect.library import open_workspace
from recollect.opening.open_project import OpenProject

Steps = dict[str, Callable[[], object]]


def steps(space: Workspace, folder: Path) -> Steps:
    """A call of every verb, in an order in which each has something to do."""
    lines = folder / "lines.jsonl"
    lines.write_text('{"text": "The build needs node 20"}\nthis is not JSON\n', "utf-8")
    note = folder / "memory.md"
    note.write_text("# A memory\n\nIt says something.\n", "utf-8")
    name = "the-harbour-crane-is-yellow"
    return {
        "proposed_root": space.proposed_root,
        "trust_preview": space.trust_preview,
        "trust": lambda: space.trust(settings_only=True),
        "init": space.init,
        "own_vault": space.own_vault,
        "remember": lambda: space.remember("The harbour crane is yellow", tags=["harbour"]),
        "remember_all": lambda: space.remember_all([Note("Ships leave at six"), Note("Fog at four")]),
        "last_group": space.last_group,
        "last_changes": space.last_changes,
        "captured_since": lambda: space.captured_since(space.last_group()),
        "undo": space.undo,
        "show": lambda: space.show(name),
        "find": lambda: space.find(name),
        "edit": lambda: space.edit(name, text="The harbour crane is green"),
        "revise": lambda: space.revise(space.show(name).having(title="The crane")),
        "pin": lambda: space.pin(name),
        "appreciate": lambda: space.appreciate(name, 2),
        "history": lambda: space.history(name),
        "retire": lambda: space.retire(name),
        "restore": lambda: space.restore(name),
        "archive": lambda: space.archive(name),
        "purge": lambda: space.purge(name),
        "keep": lambda: refused(lambda: space.keep("ships")),
        "drop": lambda: refused(lambda: space.drop("ships")),
        "capture_rules": space.capture_rules,
        "reset_capture_rule": lambda: refused(lambda: space.reset_capture_rule("ships")),
        "keep_draft": lambda: space.keep_draft("what could not be saved", "draft.json"),
        "import_from": lambda: set_aside(space, lines),
        "import_sessions": lambda: take_in_session(space, folder / "sessions"),
        "export": space.export,
        "add_fact": lambda: space.add_fact("crane", "has", "colour"),
        "facts": space.facts,
        "remove_fact": lambda: space.remove_fact(space.facts()[0].uid),
        "log": lambda: space.log("Operator prefers tabs", session="s1"),
        "checkpoint": lambda: space.checkpoint("s1"),
        "records": space.records,
        "trim_log": lambda: space.trim_log(max_records=1),
        "scan_log": space.scan_log,
        "plan_log_compaction": space.plan_log_compaction,
        "compact_log": lambda: space.compact_log(min_age_days=0),
        "experiences": lambda: space.experiences("which node does the build need?"),
        "list": space.list,
        "status": space.status,
        "shown": lambda: space.shown(space.list()[0].uid),
        "short_ids": lambda: space.short_ids([memory.uid for memory in space.list()]),
        "session_id": lambda: space.session_id("s1"),
        "short_session_id": lambda: space.short_session_id("s1"),
        "told": lambda: space.told(space.list()[0].uid),
        "timeline": space.timeline,
        "recall": lambda: space.recall("which node does the build need?"),
        "reindex": space.reindex,
        "catch_up": space.catch_up,
        "memory": lambda: space.memory(
            {"operation": "store_memory", "content": "Tides turn twice", "type": "discovery"}
        ),
        "write_metadata": lambda: space.write_metadata(note, "frequency", 3),
        "ensure_metadata": lambda: space.ensure_metadata(note, 2),
        "session_number": lambda: space.session_number,
        "set_session_number": lambda: space.set_session_number(5),
        "tail": space.tail,
        "story": lambda: space.story("s1"),
        "receipt": space.receipt,
        "switch": lambda: [space.switch(on=False), space.switch(on=True)],
        "off_because": space.off_because,
        "reconcile": space.reconcile,
        "health": space.health,
        "doctor": space.doctor,
        "gc": space.gc,
        "validate": lambda: space.validate(force=True),
        "verdicts": lambda: space.verdicts([memory.uid for memory in space.list()]),
        "stale": space.stale,
        "jobs": space.jobs,
        "plan_job": lambda: space.plan_job("weigh"),
        "consolidate": space.consolidate,
        "forget": space.forget,
        "forget_candidates": space.forget_candidates,
        "run_job": lambda: [space.run_job(status.job.name) for status in space.jobs()],
        "scrub": lambda: space.scrub("Tides turn twice"),
        "describe_project": space.describe_project,
        "projects": space.projects,
        "rename_project": lambda: space.rename_project("harbour"),
        "merge_projects": lambda: refused(lambda: space.merge_projects("ships")),
        "keep_apart": lambda: refused(lambda: space.keep_apart("ships")),
        "add_token": lambda: space.add_token("build"),
        "tokens": space.tokens,
        "check_token": lambda: space.check_token("recollect_unknown", "page"),
        "has_token": lambda: space.has_token("build"),
        "revoke_token": lambda: space.revoke_token("build"),
        "look": space.look,
        "meet": space.meet,
        "has_foreign_vault": lambda: space.has_foreign_vault,
        "switch_off": space.switch_off,
        "started": lambda: space.started(session="s1"),
        "context": lambda: space.context("which node does the build need?", session="s1"),
        "observe": lambda: space.observe({"event": "TurnEnded", "session": "s1", "answer": "20"}),
        "review": space.review,
        "check_on": lambda: space.check_on("s1"),
        "save": lambda: space.save(Note("Cranes are moved at night", "learned"), session="s1"),
        "ask": lambda: space.ask("when are cranes moved?"),
        "tell": lambda: space.tell(space.ask("when are cranes moved?"), session="s1"),
        "read_out": lambda: space.read_out(["cranes-are-moved-at-night"], session="s1", history=True, evidence=True),
        "for_agent": lambda: space.for_agent("cranes-are-moved-at-night"),
        "list_for_agent": lambda: space.list_for_agent(limit=5),
        "explain_receipt": space.explain_receipt,
        "explain_memory": lambda: space.explain_memory("cranes-are-moved-at-night"),
        "answer_request": lambda: space.answer_request({"operation": "list_memories"}, session="s1"),
        "pending_text": lambda: space.pending_text("These wait:", "None waits."),
        "start_text": lambda: space.start_text(session="s1"),
        "log_files": space.log_files,
        "log_text": lambda: refused(lambda: space.log_text("MEMORY.md", session="s1")),
        "retire_for_agent": lambda: space.retire_for_agent("cranes-are-moved-at-night", "by day now", session="s1"),
        "start_worker": lambda: space.start_worker(above=1_000),
        "preview": lambda: space.preview("which node does the build need?"),
        "sources": lambda: space.sources(space.list()[0].uid),
        "changes": lambda: space.changes(space.list()[0].uid),
        "surroundings": lambda: space.surroundings(space.list()[0].uid),
        "related": lambda: space.related(space.list()[0].uid),
        "occasions": lambda: space.occasions(space.told(space.list()[0].uid)),
        "first_prompt": lambda: space.first_prompt("s1"),
        "promote": lambda: refused(lambda: space.promote(space.list()[0].uid)),
        "recent_sessions": space.recent_sessions,
        "session_row": lambda: space.session_row("s1"),
        "session_mark": space.session_mark,
        "session_steps": lambda: space.session_steps("s1"),
        "figures": space.figures,
        "glance": space.glance,
        "project_folders": space.project_folders,
        "daily_files": space.daily_files,
        "plain_files": space.plain_files,
        "read_log_file": lambda: space.read_log_file("USER.md"),
        "write_log_file": lambda: refused(lambda: space.write_log_file("elsewhere.md", "x")),
        "set_setting": lambda: space.set_setting("capture.ttl_days", 60),
        "unset_setting": lambda: space.unset_setting("capture.ttl_days"),
        "ignored_settings": space.ignored_settings,
        "merge": lambda: space.merge(*(space.remember(text).about.uid for text in ("Ports are odd", "Ports are even"))),
        "purge_forever": lambda: space.purge_forever(space.remember("Gone soon").about.uid, "test"),
        "close": space.close,
    }


def refused(call: Callable[[], object]) -> None:
    with pytest.raises(recollect.RecollectError):
        call()


def set_aside(space: Workspace, lines: Path) -> None:
    """Import a file with a bad line, which is set aside in the home's runtime folder."""
    done = space.import_from(lines)
    assert len(done.problems) == 1, done


def take_in_session(space: Workspace, folder: Path) -> None:
    """Import a past session of the workspace's project."""
    past = Claude("aaaa1111-0000-4000-8000-000000000001", str(space.root), "2026-02-20T10:00:00Z")
    past.asks(RULE).says(ANSWER).write(folder)
    assert space.import_sessions(folder).sessions


def verbs() -> set[str]:
    plain = {"project_context", "is_trusted", "kinds", "project", "root"}  # values that were read when it was opened
    assert plain <= {name for name, _ in inspect.getmembers(OpenProject)}
    return {name for name in dir(Workspace) if not name.startswith("_")} - plain


def test_every_verb_works_in_the_home_that_was_named(make_box, monkeypatch, tmp_path):
    box = make_box("ann")
    other, own = tmp_path / "other", tmp_path / "own"
    for name, value in box.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("RECOLLECT_HOME", str(other))
    monkeypatch.chdir(box.root)
    calls = steps(recollect.open(box.root, home=own), box.folder)
    assert set(calls) == verbs(), "a verb is missing here"
    for verb, call in calls.items():
        call()
        assert not other.exists(), f"{verb} made {other}"
    assert (own / "runtime" / "draft.json").read_text() == "what could not be saved"
    assert (own / "memory.db").exists()
    assert "The harbour crane is green" in (own / "journal.jsonl").read_text()


def test_a_damaged_store_is_repaired_in_the_home_that_was_named(make_box, monkeypatch, tmp_path):
    box = make_box("ann")
    other, own = tmp_path / "other", tmp_path / "own"
    for name, value in box.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("RECOLLECT_HOME", str(other))
    monkeypatch.chdir(box.root)
    with recollect.open(box.root, home=own) as space:
        space.remember("The harbour crane is yellow")
    for path in own.glob("memory.db-*"):
        path.unlink()
    (own / "memory.db").write_bytes(b"not a database at all" * 100)
    checks = open_workspace.repair(box.root, home=own)
    assert "1 memories" in checks[0].says
    with recollect.open(box.root, home=own) as space:
        assert [memory.title for memory in space.list()] == ["The harbour crane is yellow"]
    assert not other.exists()
