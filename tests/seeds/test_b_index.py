"""`recollect index`: rebuild, validate, query, health and garbage collection (seed 002 §3)."""

import json

import pytest

RETIRED = {"record_status": "retired", "retired_reason": "no longer true"}


def set_config(box, found):
    """claude-memory's own settings file."""
    (box.vault / "memory-config.json").write_text(json.dumps(found), "utf-8")


# -- B27: arguments -------------------------------------------------------------------------------------------------


@pytest.mark.seed("B27")
@pytest.mark.parametrize(
    "flags",
    [
        [],
        ["--rebuild", "--validate"],
        ["--rebuild", "--query", "x"],
        ["--health", "--gc"],
        ["--query", "x", "--gc", "--health"],
        ["--query"],
        ["--unknown"],
    ],
)
def test_exactly_one_job_is_needed(box, flags):
    done = box.run("index", *flags, code=2)

    assert done.out == ""
    assert "Error: " in done.err


@pytest.mark.seed("B27")
def test_the_root_is_claude_memory_of_the_current_folder_unless_named(box, draft, write, tmp_path):
    write("create", "decisions/use-sqlite.json", draft())

    here = box.run("index", "--query", "sqlite")
    elsewhere = box.run("index", "--root", str(box.vault), "--query", "sqlite", cwd=tmp_path)
    inside = box.run("index", "--root", ".", "--query", "sqlite", cwd=box.vault)

    assert here.out == elsewhere.out == inside.out
    assert "Use SQLite for storage" in here.out


@pytest.mark.seed("B27")
@pytest.mark.parametrize("flags", [["--rebuild"], ["--validate"], ["--query", "x"], ["--health"], ["--gc"]])
def test_a_root_that_is_not_a_folder_is_an_error_on_stderr(box, flags):
    file = box.root / "file"
    file.write_text("")

    for root in ("missing/.claude/memory", str(file)):
        done = box.run("index", "--root", root, *flags, code=1)
        assert done.out == ""
        assert root in done.err


# -- B28: rebuild ---------------------------------------------------------------------------------------------------


@pytest.mark.seed("B28")
def test_rebuild_lists_active_files_by_label_and_then_title_without_regard_to_case(box, draft, place):
    place("preferences/a.json", draft("preference", id="a", title="A preference", tags=["x"]))
    place("decisions/z.json", draft(id="z", title="alpha", tags=["b", "a"]))
    place("decisions/y.json", draft(id="y", title="Beta", tags=["t"]))
    place("decisions/x.json", draft(id="x", title="ALPHA two"))
    place("tech-debt/t.json", draft("tech_debt", id="t", title="Debt"))
    place("decisions/gone.json", draft(id="gone", title="Gone", **RETIRED))
    place("decisions/shelved.json", draft(id="shelved", title="Shelved", record_status="archived"))

    done = box.run("index", "--rebuild")

    assert done.out == f"Rebuilt index.md with 5 entries at {box.vault / 'index.md'}\n"
    header = (box.vault / "index.md").read_text("utf-8").split("\n")[:5]
    assert (header[0], header[1], header[3]) == ("# Memory Index", "", "")
    assert header[2].startswith("<!-- Auto-generated")
    assert header[4].startswith("- [")
    assert box.index() == [
        "- [DECISION] alpha -> .claude/memory/decisions/z.json #tags:b,a",
        "- [DECISION] ALPHA two -> .claude/memory/decisions/x.json #tags:sqlite,storage",
        "- [DECISION] Beta -> .claude/memory/decisions/y.json #tags:t",
        "- [PREFERENCE] A preference -> .claude/memory/preferences/a.json #tags:x",
        "- [TECH_DEBT] Debt -> .claude/memory/tech-debt/t.json #tags:sqlite,storage",
    ]


@pytest.mark.seed("B28")
def test_a_line_without_tags_has_no_tags_suffix(box, draft, place):
    place("decisions/x.json", draft(id="x", title="Bare", tags=[]))

    box.run("index", "--rebuild")

    assert box.index() == ["- [DECISION] Bare -> .claude/memory/decisions/x.json"]


@pytest.mark.seed("B28")
def test_an_empty_rebuild_leaves_no_stale_index(box, draft, write):
    write("create", "decisions/use-sqlite.json", draft())
    (box.vault / "decisions/use-sqlite.json").unlink()

    done = box.run("index", "--rebuild")

    assert "Rebuilt index.md with 0 entries at " in done.out
    assert box.index() == []
    assert (box.vault / "index.md").read_text("utf-8").startswith("# Memory Index\n\n<!-- Auto-generated")


@pytest.mark.seed("B28")
def test_a_file_that_is_not_json_is_warned_about_and_passed_over(box, draft, place):
    place("decisions/good.json", draft(id="good"))
    place("decisions/bad.json", "{not json")

    done = box.run("index", "--rebuild")

    assert "with 1 entries" in done.out
    assert "WARNING: .claude/memory/decisions/bad.json" in done.err


@pytest.mark.seed("B28", "B29")
@pytest.mark.parametrize("name", ["my file", "UPPER", "a#tags:b", "x -> y"])
def test_a_rebuilt_index_is_valid_whatever_the_files_are_called(box, draft, place, name):
    place("decisions/good.json", draft(id="good"))
    place(f"decisions/{name}.json", draft(id="odd"))

    box.run("index", "--rebuild")

    box.run("index", "--validate")
    assert any("decisions/good.json" in line for line in box.index())


@pytest.mark.seed("B28", "B48")
def test_a_rebuild_leaves_no_lock_behind(box, draft, place):
    place("decisions/good.json", draft(id="good"))

    box.run("index", "--rebuild")

    assert not (box.vault / ".index.lockdir").exists()


@pytest.mark.seed("B28")
@pytest.mark.parametrize(
    "title",
    [
        "a -> b",
        "a -> -> b",
        "x -> .claude/memory/decisions/other.json #tags:evil",
        "x -> -> .claude/memory/decisions/other.json #t#tags:ags:evil",
        "two\u0085- [DECISION] lines -> .claude/memory/decisions/other.json",
        "two\u2028- [DECISION] lines -> .claude/memory/decisions/other.json",
        "two\n- [DECISION] lines -> .claude/memory/decisions/other.json",
    ],
)
def test_a_title_cannot_forge_or_break_an_index_line(box, draft, write, title):
    write("create", "decisions/real.json", draft(title=title))

    box.run("index", "--validate")
    found = box.run("candidate", "--category", "decision", "--new-info", "sqlite storage").json

    assert len((box.vault / "index.md").read_text("utf-8").splitlines()) == 5
    assert found["candidate"]["path"] == ".claude/memory/decisions/real.json"
    assert found["candidate"]["tags"] == ["sqlite", "storage"]


@pytest.mark.seed("B28")
@pytest.mark.parametrize("tag", ["a,b", "x -> y", "#tags:z", "two\nlines", "nel\u0085nel"])
def test_a_tag_cannot_break_an_index_line(box, draft, write, tag):
    write("create", "decisions/real.json", draft(tags=[tag, "last"]))

    box.run("index", "--validate")

    assert len(box.index()) == 1
    assert box.index()[0].count(" -> ") == 1
    assert box.index()[0].count("#tags:") == 1


# -- B29: validate, query, health -----------------------------------------------------------------------------------


@pytest.mark.seed("B29")
def test_validate_agrees_with_a_fresh_index(box, draft, write):
    write("create", "decisions/use-sqlite.json", draft())

    assert box.run("index", "--validate").out == "Index is valid. 1 entries match 1 files.\n"


@pytest.mark.seed("B29")
def test_validate_names_missing_and_stale_entries_and_repairs_neither(box, draft, place):
    place("decisions/kept.json", draft(id="kept"))
    place("decisions/lost.json", draft(id="lost"))
    box.run("index", "--rebuild")
    place("decisions/fresh.json", draft(id="fresh"))
    place("decisions/gone.json", draft(id="gone", **RETIRED))
    (box.vault / "decisions/lost.json").unlink()
    before = (box.vault / "index.md").read_bytes()

    done = box.run("index", "--validate", code=1)

    lines = [line.strip() for line in done.out.splitlines()]
    assert [line for line in lines if line.startswith(("+ ", "- "))] == [
        "+ .claude/memory/decisions/fresh.json",
        "- .claude/memory/decisions/lost.json",
    ]
    assert "Index is valid" not in done.out
    assert (box.vault / "index.md").read_bytes() == before


@pytest.mark.seed("B29")
def test_an_entry_of_a_retired_file_is_stale(box, draft, place):
    place("decisions/gone.json", draft(id="gone"))
    box.run("index", "--rebuild")
    place("decisions/gone.json", draft(id="gone", **RETIRED))

    assert "- .claude/memory/decisions/gone.json" in box.run("index", "--validate", code=1).out


@pytest.mark.seed("B29")
@pytest.mark.parametrize(
    "edit",
    [
        lambda line: line.replace("Use SQLite", "Use Postgres"),
        lambda line: line.replace("#tags:sqlite,", "#tags:"),
        lambda line: line.replace("[DECISION]", "[RUNBOOK]"),
        lambda line: f"{line}\n{line}",
        lambda line: f"{line}\n- [DECISION] written by hand",
    ],
    ids=["title", "tags", "label", "twice", "stray line"],
)
def test_a_hand_edited_index_is_reported_but_not_repaired(box, draft, write, edit):
    write("create", "decisions/use-sqlite.json", draft())
    index = box.vault / "index.md"
    index.write_text(index.read_text("utf-8").replace(box.index()[0], edit(box.index()[0])), "utf-8")
    edited = index.read_bytes()

    done = box.run("index", "--validate", code=1)

    assert "Index is valid" not in done.out
    assert index.read_bytes() == edited


@pytest.mark.seed("B29")
def test_validate_without_an_index_fails_and_says_so(box, draft, place):
    place("decisions/x.json", draft(id="x"))
    (box.vault / "index.md").unlink(missing_ok=True)

    done = box.run("index", "--validate", code=1)

    assert "index.md" in done.out
    assert not (box.vault / "index.md").exists()


@pytest.mark.seed("B29")
def test_query_is_a_case_insensitive_substring_of_the_whole_line(box, draft, place):
    place("decisions/pick-db.json", draft(id="pick-db", title="Use SQLite", tags=["storage"]))
    place("runbooks/other.json", draft("runbook", id="other", title="Restart", tags=["ops"]))
    box.run("index", "--rebuild")
    line = "- [DECISION] Use SQLite -> .claude/memory/decisions/pick-db.json #tags:storage"

    for keyword in ("sqLITE", "STORAGE", "decisions/pick", "[decision]"):
        out = box.run("index", "--query", keyword).out
        assert line in out.replace("\n  ", "\n").splitlines()
        assert "Restart" not in out
        assert out.startswith("Found 1 match")


@pytest.mark.seed("B29")
def test_a_query_that_finds_nothing_is_no_error(box, draft, write):
    write("create", "decisions/use-sqlite.json", draft())

    done = box.run("index", "--query", "kubernetes")

    assert done.out.startswith("No matches found")
    assert "sqlite" not in done.out


@pytest.mark.seed("B27", "B29", "B30")
def test_every_job_works_on_a_vault_that_is_still_empty(box):
    assert "0 entries" in box.run("index", "--rebuild").out
    assert box.run("index", "--validate").out == "Index is valid. 0 entries match 0 files.\n"
    assert box.run("index", "--query", "x").out == "No matches found for 'x'.\n"
    assert "Health: GOOD" in box.run("index", "--health").out
    assert "No retired memories past grace period" in box.run("index", "--gc").out


@pytest.mark.seed("B29")
def test_health_is_good_when_index_and_files_agree(box, draft, place):
    place("decisions/a.json", draft(id="a", times_updated=5))
    place("decisions/b.json", draft(id="b", **RETIRED, retired_at="2026-02-21T12:00:00Z"))
    place("runbooks/c.json", draft("runbook", id="c", record_status="archived"))
    box.run("index", "--rebuild")

    lines = box.run("index", "--health").out.splitlines()

    titles = ["Entries by Category", "Heavily Updated", "Recent Retirements", "Index Sync Status", "Summary"]
    found = [title for line in lines for title in titles if line.startswith(f"--- {title}")]
    assert found == titles
    assert "  DECISION: 1" in lines
    assert {"  TOTAL (active): 1", "  Retired: 1", "  Archived: 1"} <= set(lines)
    assert "  Health: GOOD" in lines
    assert not any("decisions/" in line for line in lines)


@pytest.mark.seed("B29")
def test_health_names_heavily_updated_files_and_recent_retirements(box, draft, place):
    place("decisions/heavy.json", draft(id="heavy", times_updated=6))
    place("decisions/new.json", draft(id="new", **RETIRED, retired_at="2026-02-22T12:00:00Z"))
    place("decisions/old.json", draft(id="old", **RETIRED, retired_at="2026-02-20T12:00:00Z"))
    box.run("index", "--rebuild")

    out = box.run("index", "--health").out

    heavy, retired = (out.split(title)[1].split("\n\n")[0] for title in ("Heavily Updated", "Recent Retirements"))
    assert "decisions/heavy.json" in heavy
    assert "6" in heavy
    assert "decisions/new.json: no longer true" in retired
    assert "decisions/old.json" not in retired


@pytest.mark.seed("B29")
def test_health_needs_attention_when_the_index_is_out_of_sync(box, draft, place):
    place("decisions/a.json", draft(id="a"))
    box.run("index", "--rebuild")
    place("decisions/b.json", draft(id="b"))

    out = box.run("index", "--health").out

    assert "Health: NEEDS ATTENTION" in out
    assert "out of sync" in out
    assert "GOOD" not in out


# -- B30: garbage collection ----------------------------------------------------------------------------------------


@pytest.mark.seed("B30")
def test_gc_deletes_files_retired_for_thirty_days_and_no_others(box, draft, place):
    place("decisions/due.json", draft(id="due", **RETIRED, retired_at="2026-01-30T12:00:00Z"))
    place("decisions/young.json", draft(id="young", **RETIRED, retired_at="2026-01-30T12:00:01Z"))
    place("decisions/active.json", draft(id="active"))
    place("runbooks/shelved.json", draft("runbook", id="shelved", record_status="archived", archived_at="2020-01-01"))
    box.run("index", "--rebuild")

    done = box.run("index", "--gc")

    left = sorted(path.name for path in box.vault.glob("*/*.json"))
    assert left == ["active.json", "shelved.json", "young.json"]
    assert "DELETED due.json (retired 30 days ago)" in done.out
    assert "30 days" in done.out
    assert "--rebuild" in done.out
    box.run("index", "--validate")


@pytest.mark.seed("B30")
def test_gc_with_nothing_to_do_suggests_no_rebuild(box, draft, write):
    write("create", "decisions/use-sqlite.json", draft())

    done = box.run("index", "--gc")

    assert "--rebuild" not in done.out
    assert (box.vault / "decisions/use-sqlite.json").exists()


@pytest.mark.seed("B30")
@pytest.mark.parametrize("grace", [10, "10"])
def test_the_grace_period_comes_from_memory_config_as_number_or_text(box, draft, place, grace):
    set_config(box, {"delete": {"grace_period_days": grace}})
    place("decisions/due.json", draft(id="due", **RETIRED, retired_at="2026-02-19T12:00:00Z"))
    place("decisions/young.json", draft(id="young", **RETIRED, retired_at="2026-02-20T12:00:00Z"))

    box.run("index", "--gc")

    assert [path.name for path in box.vault.glob("decisions/*.json")] == ["young.json"]


@pytest.mark.seed("B30")
def test_a_grace_period_that_makes_no_sense_is_ignored_with_a_warning(box, draft, place):
    set_config(box, {"delete": {"grace_period_days": "soon"}})
    place("decisions/young.json", draft(id="young", **RETIRED, retired_at="2026-02-10T12:00:00Z"))

    done = box.run("index", "--gc")

    assert "grace_period_days" in done.err
    assert (box.vault / "decisions/young.json").exists()


@pytest.mark.seed("B30")
@pytest.mark.parametrize("when", [{}, {"retired_at": ""}, {"retired_at": "yesterday"}])
def test_gc_skips_what_was_retired_nobody_knows_when(box, draft, place, when):
    place("decisions/odd.json", draft(id="odd", **RETIRED, **when))

    done = box.run("index", "--gc")

    assert [line for line in done.out.splitlines() if "SKIP odd.json" in line and "retired_at" in line]
    assert (box.vault / "decisions/odd.json").exists()


@pytest.mark.seed("B30", "B47")
def test_gc_reads_a_retirement_time_without_a_zone_as_utc(box, draft, place):
    place("decisions/due.json", draft(id="due", **RETIRED, retired_at="2026-01-30T12:00:00"))

    box.run("index", "--gc")

    assert not (box.vault / "decisions/due.json").exists()


@pytest.mark.seed("B30")
def test_one_broken_file_does_not_stop_garbage_collection(box, draft, write, place):
    box.now = "2026-01-01T12:00:00Z"
    for name in ("broken", "due"):
        write("create", f"decisions/{name}.json", draft())
        write("delete", f"decisions/{name}.json")
    record = box.file("decisions/broken.json")
    place("decisions/broken.json", {**record, "mood": "bad"})
    box.now = "2026-03-01T12:00:00Z"

    done = box.run("index", "--gc")

    assert not (box.vault / "decisions/due.json").exists()
    assert (box.vault / "decisions/broken.json").exists()
    assert "SKIP broken.json" in done.out


@pytest.mark.seed("B30")
def test_what_gc_collects_is_archived_in_the_store_and_comes_back_with_its_file(box, draft, write):
    box.now = "2026-01-01T12:00:00Z"
    write("create", "decisions/use-sqlite.json", draft())
    write("delete", "decisions/use-sqlite.json", None, "--reason", "replaced")
    box.now = "2026-03-01T12:00:00Z"

    box.run("index", "--gc")
    assert not (box.vault / "decisions/use-sqlite.json").exists()
    assert [memory["status"] for memory in box.run("list", "--all", "--json").json] == ["archived"]

    box.run("restore", "use-sqlite")
    record = box.file("decisions/use-sqlite.json")
    assert (record["record_status"], record["title"]) == ("active", "Use SQLite for storage")
    assert len(box.index()) == 1


@pytest.mark.seed("B30")
@pytest.mark.parametrize("where", ["memory-config.json", ".recollect.toml"])
def test_without_archive_retired_gc_purges(box, draft, write, where):
    box.now = "2026-01-01T12:00:00Z"
    write("create", "decisions/use-sqlite.json", draft())
    write("delete", "decisions/use-sqlite.json")
    if where == "memory-config.json":
        set_config(box, {"delete": {"archive_retired": False}})
    else:
        (box.root / where).write_text("[forget]\narchive_retired = false\n")
    box.now = "2026-03-01T12:00:00Z"

    box.run("index", "--gc")

    assert not (box.vault / "decisions/use-sqlite.json").exists()
    assert box.run("list", "--all", "--json").json == []
    box.run("show", "use-sqlite", code=1)


@pytest.mark.seed("B30", "B40")
@pytest.mark.parametrize("is_archived", [True, False])
def test_the_name_of_a_collected_memory_is_free_again(box, draft, write, is_archived):
    set_config(box, {"delete": {"archive_retired": is_archived}})
    box.now = "2026-01-01T12:00:00Z"
    write("create", "decisions/use-sqlite.json", draft())
    write("delete", "decisions/use-sqlite.json")
    box.now = "2026-03-01T12:00:00Z"
    box.run("index", "--gc")

    done = write("create", "decisions/use-sqlite.json", draft(title="SQLite once more"))

    assert done.json["status"] == "created"
    assert box.file("decisions/use-sqlite.json")["title"] == "SQLite once more"
