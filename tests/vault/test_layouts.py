"""Where memories lie as files, layout by layout, and what never becomes a file."""

import json
from itertools import combinations

import pytest
from builders import decision

LAYOUTS = ("json", "markdown", "log")
COMBINATIONS = [chosen for size in (1, 2, 3) for chosen in combinations(LAYOUTS, size)]


def titles(box, *flags):
    return sorted(one["title"] for one in box.run("list", "--json", *flags).json)


def files(box):
    """Every file of the project, from its root."""
    found = (path for path in box.root.rglob("*") if path.is_file() and ".git" not in path.parts)
    return sorted(path.relative_to(box.root).as_posix() for path in found)


def everything(box):
    """All text of the project in one string."""
    return "\n".join((box.root / path).read_text("utf-8") for path in files(box))


def start(make_box, *layouts):
    box = make_box()
    box.run("init", *(part for layout in layouts for part in ("--layout", layout)))
    return box


def remember_both(box):
    box.run("remember", "Use pnpm")
    box.run("remember", "Use SQLite", "--kind", "decision", "--why", "one file")


NOTE = {"json": ".claude/memory/notes/use-pnpm.json", "markdown": "memory/use-pnpm.md"}
DECISION = ".claude/memory/decisions/use-sqlite.json"
LOGS = ["MEMORY.md", "memory/2026-03-01.md"]


@pytest.mark.parametrize("layouts", COMBINATIONS, ids="+".join)
def test_each_memory_has_one_twin_and_its_place_follows_from_the_layouts(make_box, layouts):
    box = start(make_box, *layouts)
    remember_both(box)
    wanted = [NOTE["markdown"]] if "markdown" in layouts else [NOTE["json"]] if "json" in layouts else []
    wanted += [DECISION, ".claude/memory/index.md"] if "json" in layouts else []
    wanted += LOGS if "log" in layouts else []
    wanted += [".recollect.toml"] if layouts != ("json",) else []
    assert files(box) == sorted(wanted)
    assert titles(box) == ["Use SQLite", "Use pnpm"]
    assert box.run("reconcile").out == ""
    assert titles(box, "--all", "--all-projects") == ["Use SQLite", "Use pnpm"]


@pytest.mark.parametrize("layouts", COMBINATIONS, ids="+".join)
def test_a_teammate_finds_the_layouts_of_the_repository(make_box, layouts):
    ann = start(make_box, *layouts)
    remember_both(ann)
    ann.git("add", "-A")
    ann.git("commit", "-q", "-m", "memories")
    bob = make_box("bob", root=ann.root)
    assert titles(bob, "--all") == []
    bob.accept()
    held = {"json": ["Use SQLite", "Use pnpm"], "markdown": ["Use pnpm"]}
    wanted = {title for layout in layouts for title in held.get(layout, [])}
    assert titles(bob) == sorted(wanted)
    bob.run("remember", "Tabs not spaces")
    new = [path for path in files(bob) if "tabs-not-spaces" in path]
    folder = "memory" if "markdown" in layouts else ".claude/memory/notes"
    assert [path.rpartition("/")[0] for path in new] == ([folder] if set(layouts) != {"log"} else [])


def test_init_alone_means_json_and_writes_no_settings(make_box):
    box = start(make_box)
    box.run("remember", "Use pnpm")
    assert files(box) == [".claude/memory/index.md", NOTE["json"]]


def test_init_again_changes_nothing(make_box):
    box = start(make_box, "json", "markdown")
    remember_both(box)
    before = {path: (box.root / path).read_bytes() for path in files(box)}
    box.run("init")
    box.run("init", "--layout", "json", "--layout", "markdown")
    assert {path: (box.root / path).read_bytes() for path in files(box)} == before


def test_init_leaves_the_other_settings_of_the_project_alone(make_box):
    box = make_box()
    (box.root / ".recollect.toml").write_text("# ours\n[save]\nsessions_retained = 3\n", "utf-8")
    box.run("init", "--layout", "markdown")
    said = (box.root / ".recollect.toml").read_text("utf-8")
    assert said.startswith("# ours\n[save]\nsessions_retained = 3\n")
    box.run("remember", "Use pnpm")
    assert NOTE["markdown"] in files(box)


def test_init_changes_the_layouts_and_nothing_else_of_the_settings(make_box):
    box = start(make_box, "markdown")
    settings = box.root / ".recollect.toml"
    settings.write_text(
        "# ours\n" + settings.read_text("utf-8") + "auto_commit = false\n[save]\nmax_per_kind = 7\n", "utf-8"
    )
    box.run("init", "--layout", "json", "--layout", "log")
    assert settings.read_text("utf-8") == (
        '# ours\n[vault]\nlayouts = ["json", "log"]\nauto_commit = false\n[save]\nmax_per_kind = 7\n'
    )


def test_a_layout_that_is_switched_on_gets_the_file_at_the_next_edit_and_the_old_one_goes(make_box):
    box = start(make_box)
    box.run("remember", "Use pnpm")
    box.run("init", "--layout", "json", "--layout", "markdown")
    box.run("edit", "use-pnpm", "--title", "Use pnpm 9")
    assert (box.root / "memory/use-pnpm.md").exists()
    assert not (box.vault / "notes/use-pnpm.json").exists()


def test_what_was_remembered_before_init_gets_its_file(make_box):
    box = make_box()
    box.run("remember", "Early fact")
    box.run("remember", "Nobody's business", "--sensitivity", "private")
    assert "notes/early-fact.json" in box.run("init").out
    assert [path.name for path in box.vault.glob("*/*.json")] == ["early-fact.json"]


def test_the_json_twin_is_claude_memorys_file(make_box):
    box = start(make_box)
    remember_both(box)
    data = (box.root / DECISION).read_text("utf-8")
    record = json.loads(data)
    assert data == json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    assert (record["schema_version"], record["category"], record["id"]) == ("1.0", "decision", "use-sqlite")
    assert record["content"]["rationale"] == ["one file"]
    assert box.index() == [
        "- [DECISION] Use SQLite -> .claude/memory/decisions/use-sqlite.json #tags:untagged",
        "- [NOTE] Use pnpm -> .claude/memory/notes/use-pnpm.json #tags:untagged",
    ]


def test_the_markdown_twin_has_the_two_tags(make_box):
    box = start(make_box, "markdown")
    box.run("remember", "Use pnpm")
    said = (box.root / NOTE["markdown"]).read_text("utf-8")
    assert said.startswith("<memory-metadata>\n{")
    assert said.endswith("<memory>\nUse pnpm\n</memory>\n")
    assert (box.root / "memory-cold").is_dir()


def test_switching_markdown_on_says_what_stays_in_the_store(make_box):
    box = make_box()
    assert "--layout json" in box.run("init", "--layout", "markdown").out
    box.run("remember", "Use SQLite", "--kind", "decision", "--why", "one file")
    assert files(box) == [".recollect.toml"]
    assert titles(box) == ["Use SQLite"]


def test_the_log_has_a_header_once_and_a_line_for_each_memory_in_both_files(make_box):
    box = start(make_box, "log")
    remember_both(box)
    box.now = "2026-03-02T12:00:00Z"
    box.run("remember", "Tabs not spaces")
    whole = (box.root / "MEMORY.md").read_text("utf-8")
    assert whole.startswith("# MEMORY.md\n")
    assert whole.count("# MEMORY.md") == 1
    lines = [json.loads(line[2:]) for line in whole.splitlines() if line.startswith("- {")]
    assert [line["text"].split("\n")[0] for line in lines] == ["Use pnpm", "Use SQLite", "Tabs not spaces"]
    assert [line["category"] for line in lines] == ["note", "decision", "note"]
    first, second = ((box.root / "memory" / name).read_text("utf-8") for name in ("2026-03-01.md", "2026-03-02.md"))
    assert (first.count("\n- {") + first.startswith("- {"), second.count("Tabs not spaces")) == (2, 1)
    assert "Tabs not spaces" not in first


def test_what_stands_in_a_log_already_is_kept(make_box):
    box = make_box()
    (box.root / "MEMORY.md").write_text("# Ours\n\nHand-written, no newline at the end", "utf-8")
    box.run("init", "--layout", "log")
    box.run("remember", "Use pnpm")
    lines = (box.root / "MEMORY.md").read_text("utf-8").splitlines()
    assert lines[:3] == ["# Ours", "", "Hand-written, no newline at the end"]
    assert json.loads(lines[3][2:])["text"] == "Use pnpm"
    assert len(lines) == 4


def test_said_again_is_not_logged_again(make_box):
    box = start(make_box, "log")
    box.run("remember", "Use pnpm")
    box.run("remember", "Use pnpm", "--tag", "js")
    assert (box.root / "MEMORY.md").read_text("utf-8").count("Use pnpm") == 1


def test_daily_logs_in_the_folder_of_the_markdown_layout_are_never_memories(make_box):
    box = start(make_box, "markdown", "log")
    box.run("remember", "Use pnpm")
    (box.root / "memory/2026-02-28.md").write_text("- an older day\n", "utf-8")
    (box.root / "memory/2026-02-29-notes.md").write_text("A memory with a date in its name\n", "utf-8")
    box.run("reconcile")
    assert titles(box) == ["A memory with a date in its name", "Use pnpm"]
    assert (box.root / "memory/2026-02-28.md").read_text("utf-8") == "- an older day\n"
    assert "<memory" not in (box.root / "memory/2026-03-01.md").read_text("utf-8")


def test_a_memory_whose_title_is_a_date_is_not_taken_for_a_daily_log(make_box):
    box = start(make_box, "markdown")
    box.run("remember", "The release was moved", "--title", "2026-03-09")
    box.run("reconcile")
    assert titles(box) == ["2026-03-09"]
    place = next(path for path in files(box) if path.startswith("memory/"))
    data = (box.root / place).read_text("utf-8")
    (box.root / place).write_text(data.replace("was moved", "was cancelled"), "utf-8")
    assert box.run("list", "--json").json[0]["text"] == "The release was cancelled"


def test_a_daily_log_never_grows_into_a_memory_of_the_same_name(make_box):
    box = start(make_box, "markdown", "log")
    box.run("remember", "The release was moved", "--title", "2026-03-01")
    box.run("remember", "Use pnpm")
    log = (box.root / "memory/2026-03-01.md").read_text("utf-8")
    assert all(line.startswith("- {") for line in log.splitlines()), log


@pytest.mark.parametrize("layouts", [("json",), ("markdown",), ("log",), LAYOUTS], ids="+".join)
@pytest.mark.parametrize("sensitivity", ["private", "secret", "personal", "unknown"])
def test_a_sensitive_memory_never_becomes_a_file(make_box, layouts, sensitivity):
    box = start(make_box, *layouts)
    before = files(box)
    box.run("remember", "The wifi word is tulip", "--sensitivity", sensitivity)
    name = "the-wifi-word-is-tulip"
    box.run("edit", name, "--title", "Tulip wifi")
    box.run("pin", name)
    box.run("archive", name)
    box.run("restore", name)
    box.run("retire", name)
    box.run("undo")
    box.run("reconcile")
    assert titles(box) == ["Tulip wifi"]
    assert "ulip" not in everything(box)
    assert files(box) == before


@pytest.mark.parametrize("layouts", [("json",), ("markdown",), ("log",), LAYOUTS], ids="+".join)
def test_a_global_memory_never_becomes_a_file(make_box, layouts):
    box = start(make_box, *layouts)
    before = files(box)
    box.run("remember", "I like tulips", "--global")
    box.run("edit", "i-like-tulips", "--title", "I like tulips most")
    box.run("archive", "i-like-tulips")
    box.run("restore", "i-like-tulips")
    assert titles(box) == ["I like tulips most"]
    assert files(box) == before


@pytest.mark.parametrize("kind", ["turn_summary", "bugfix", "discovery"])
def test_turns_and_observations_never_become_files_of_their_own(make_box, kind):
    box = start(make_box, "json", "markdown")
    before = files(box)
    box.run("remember", "Fixed the flaky test", "--kind", kind)
    assert files(box) == before
    assert titles(box) == ["Fixed the flaky test"]


@pytest.mark.parametrize("git", [True, False], ids=["git", "no git"])
def test_without_init_no_command_touches_the_repository(make_box, git):
    box = make_box(git=git)
    (box.root / "memory").mkdir()
    (box.root / "memory/notes.md").write_text("the project's own notes\n", "utf-8")
    (box.root / "MEMORY.md").write_text("# the project's own\n", "utf-8")
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in box.root.rglob("*.md")}
    names = sorted(path.relative_to(box.root) for path in box.root.rglob("*") if ".git" not in path.parts)
    for command in (
        ("remember", "Use pnpm"),
        ("remember", "Use SQLite", "--kind", "decision", "--why", "one file"),
        ("list", "--all"),
        ("show", "use-pnpm"),
        ("show", "use-pnpm", "--history"),
        ("edit", "use-pnpm", "--title", "Use pnpm 9"),
        ("pin", "use-pnpm"),
        ("archive", "use-pnpm"),
        ("restore", "use-pnpm"),
        ("retire", "use-pnpm"),
        ("undo",),
        ("purge", "use-sqlite"),
        ("config",),
        ("config", "kinds"),
        ("doctor",),
    ):
        box.run(*command)
    box.run("reconcile", code=1)
    assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in box.root.rglob("*.md")} == before
    assert sorted(path.relative_to(box.root) for path in box.root.rglob("*") if ".git" not in path.parts) == names
    assert titles(box) == ["Use pnpm 9"]


def test_write_works_on_a_named_vault_without_init_and_touches_nothing_else(make_box):
    box = make_box()
    target = ".claude/memory/decisions/use-sqlite.json"
    create = ("write", "--action", "create", "--category", "decision", "--target", target)
    box.run(*create, "--input", box.draft(decision()))
    assert files(box) == [target, ".claude/memory/index.md"]
    box.run("remember", "Use pnpm")
    assert files(box) == [target, ".claude/memory/index.md"]


def test_a_link_in_the_vault_is_not_followed(make_box):
    box = start(make_box)
    box.run("remember", "Use pnpm")
    outside = box.folder / "outside.json"
    outside.write_text(json.dumps(decision(title="From outside")), "utf-8")
    (box.vault / "decisions").mkdir(exist_ok=True)
    (box.vault / "decisions/use-sqlite.json").symlink_to(outside)
    box.run("reconcile")
    assert titles(box) == ["Use pnpm"]


def test_a_kind_of_the_projects_own_has_its_folder(make_box):
    box = make_box()
    kind = '[kinds.gotcha]\nfolder = "gotchas"\nfields = {trap = "text", way_out = "text?"}\n'
    (box.root / ".recollect.toml").write_text(kind, "utf-8")
    box.run("init")
    box.run("remember", "Dates are UTC", "--kind", "gotcha")
    assert box.file("gotchas/dates-are-utc.json")["content"] == {"trap": "Dates are UTC"}
