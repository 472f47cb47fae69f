"""`recollect config`: get, set and unset a setting, and the list of all."""

import json
import subprocess
import sys
import tomllib

import pytest
from builders import IN_GIT
from tables import each

from recollect.config import toml_edit
from recollect.config.toml_edit import NotEditable


@pytest.fixture
def has_git():
    return False


FILE = """# my settings
[vault] # files
layouts = ["json"] # mine # really
root = "a#b"   # c

# about recall
[recall]
profile = "hybrid"

[save.retention_days]
note = 3
[save]
disabled_kinds = [
  "note", # noisy
  "decision",
]
"""


def user_file(box):
    return box.folder / "config.toml"


# -- the file ----------------------------------------------------------------------------------------------------------


@each(
    ("key", "value", "line", "becomes"),
    [
        ("vault.layouts", ["log"], 'layouts = ["json"] # mine # really\n', 'layouts = ["log"] # mine # really\n'),
        ("vault.root", "x", 'root = "a#b"   # c\n', 'root = "x"   # c\n'),
        ("vault.auto_commit", True, '"   # c\n', '"   # c\nauto_commit = true\n'),
        ("recall.profile", "scored", '"hybrid"', '"scored"'),
        ("save.retention_days.note", 9, "note = 3\n", "note = 9\n"),
        ("save.retention_days.decision", 9, "note = 3\n", "note = 3\ndecision = 9\n"),
        ("save.disabled_kinds", [], FILE[FILE.index("disabled") :], "disabled_kinds = []\n"),
    ],
)
def test_one_value_changes_and_every_other_byte_stays(key, value, line, becomes):
    assert toml_edit.with_value(FILE, tuple(key.split(".")), value) == FILE.replace(line, becomes, 1)


def test_a_section_that_is_missing_is_added_at_the_end():
    assert toml_edit.with_value(FILE, ("inject", "prompt"), False) == f"{FILE}\n[inject]\nprompt = false\n"
    assert toml_edit.with_value("", ("inject", "prompt"), False) == "[inject]\nprompt = false\n"
    assert toml_edit.with_value("a = 1", ("b", "c"), "d") == 'a = 1\n\n[b]\nc = "d"\n'


def test_lines_of_windows_stay_such_lines():
    assert toml_edit.with_value("[b]\r\nc = 1\r\n", ("b", "d"), 2) == "[b]\r\nc = 1\r\nd = 2\r\n"


@each("source", ["vault = { root = 'a', auto_commit = true }\n", "[vault]\nroot.x = 1\nroot.y = 2\n"])
def test_what_cannot_be_edited_safely_is_refused(source):
    with pytest.raises(NotEditable):
        toml_edit.with_value(source, ("vault", "root"), "b")


def test_removing_a_value_leaves_the_rest():
    before = FILE[: FILE.index("disabled")]
    assert toml_edit.without_value(FILE, ("save", "disabled_kinds")) == before
    assert toml_edit.without_value(FILE, ("save", "nothing")) == FILE


# -- set, get, unset ---------------------------------------------------------------------------------------------------


def test_set_writes_your_own_file_and_names_it(box):
    said = box.run("config", "set", "recall.profile", "keyword").out
    assert said == f'set recall.profile = "keyword"\n  in {user_file(box)}\n'
    assert box.run("config", "get", "recall.profile").out == "keyword\n"
    assert box.run("config", "get", "recall.profile", "--json").json == {
        "setting": "recall.profile", "value": "keyword", "origin": str(user_file(box)),
    }  # fmt: skip


def test_a_project_setting_goes_into_the_project_and_wins(box):
    box.run("config", "set", "inject.max_memories", "3", "--project")
    done = box.run("config", "set", "inject.max_memories", "4", "--user")
    assert "wins" in done.err
    assert box.run("config", "get", "inject.max_memories").out == "3\n"
    assert box.run("config", "get", "inject.max_memories", "--user").out == "4\n"
    box.run("config", "unset", "inject.max_memories", "--project")
    assert box.run("config", "get", "inject.max_memories").out == "4\n"
    assert "does not set it" in box.run("config", "get", "inject.max_memories", "--project", code=1).err


@each(
    ("key", "text", "value"),
    [
        ("vault.auto_commit", "on", True),
        ("vault.layouts", "json,log", ["json", "log"]),
        ("vault.layouts", '["markdown"]', ["markdown"]),
        ("save.disabled_kinds", "note", ["note"]),
        ("capture.threshold", "0.5", 0.5),
        ("save.retention_days.note", "30", 30),
        ("log.archive", "12", "12"),
    ],
)
def test_values_are_read_as_a_person_writes_them(box, key, text, value):
    box.run("config", "set", key, text)
    section, *rest = key.split(".")
    found = tomllib.loads(user_file(box).read_text())[section]
    for name in rest:
        found = found[name]
    assert found == value
    box.run("config", "unset", key)


@each(
    ("key", "value", "says"),
    [
        ("recall.profile", "magic", "does not fit"),
        ("inject.max_memories", "99", "less than or equal to 20"),
        ("inject.max_memoires", "3", "inject.max_memories"),
        ("max_memories", "3", "inject.max_memories"),
        ("inject", "3", "no such setting"),
        ("recall.profile.x", "3", "no such setting"),
        ("kinds.adr.folder", "adrs", "[kinds.NAME]"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_written(box, key, value, says):
    assert says in box.run("config", "set", key, value, code=1).err
    assert not user_file(box).exists()


def test_a_wrong_value_or_name_gets_a_plain_hint(box):
    said = box.run("config", "set", "inject.max_memories", "three", code=1).err
    assert "expected: a valid integer\n" in said
    assert "did you mean: inject.max_memories" in box.run("config", "get", "inject.max_memorie", code=1).err
    assert "`recollect config inject.max_memories`" in box.run("config", "unset", "inject.max_memories", code=1).err


def test_a_setting_that_stops_every_command_can_be_unset(box):
    user_file(box).write_text("# keep me\n[inject]\nmax_memories = 99\n")
    box.run("remember", "Use pnpm", code=1)
    box.run("config", "unset", "inject.max_memories")
    assert user_file(box).read_text() == "# keep me\n[inject]\n"
    box.run("remember", "Use pnpm")


def test_a_link_to_a_settings_file_stays_a_link(box):
    elsewhere = box.folder / "dotfiles.toml"
    elsewhere.write_text("# mine\n")
    user_file(box).symlink_to(elsewhere)
    box.run("config", "set", "inject.prompt", "off")
    assert user_file(box).is_symlink()
    assert elsewhere.read_text() == "# mine\n\n[inject]\nprompt = false\n"


def test_the_library_sets_and_unsets_too(box):
    import recollect

    with box.living(), recollect.open(box.root) as space:
        assert space.set_setting("inject.prompt", False).file == user_file(box)
        assert space.unset_setting("inject.prompt").before is False


# -- the list ----------------------------------------------------------------------------------------------------------


def test_all_settings_are_named_on_one_screen(box):
    assert "Defaults\n  vault        layouts, root, auto_commit\n" in box.run("config").out
    lines = box.run("config").out.splitlines()
    assert "  hooks        deadline_ms, note_deadline_ms" in lines
    assert len(lines) - lines.index("Defaults") < 24
    box.run("config", "set", "recall.profile", "keyword")
    lines = box.run("config").out.splitlines()
    assert lines[:2] == ["Changed", '  recall.profile = "keyword"']
    assert [line for line in lines if len(line) > 80 and str(box.folder) not in line] == []


def test_the_list_begins_with_what_differs_and_fits_80_columns(box):
    box.run("config", "set", "recall.profile", "keyword")
    said = box.run("config", "list").out
    lines = said.splitlines()
    assert lines[:2] == ["Changed", '  recall.profile = "keyword"']
    assert said.index("Changed") < said.index("Defaults") < said.index("vault.layouts")
    assert [line for line in lines if len(line) > 80 and str(box.folder) not in line] == []


def test_a_word_filters_the_list(box):
    said = box.run("config", "max_memories").out
    assert "inject.max_memories = 5" in said
    assert "vault.layouts" not in said
    assert "No setting contains" in box.run("config", "no-such-word").out
    assert [row["setting"] for row in box.run("config", "capture", "turns", "--json").json][:1] == ["capture.turns"]


LATER = [
    "recall.presearch", "recall.presearch_content", "recall.judged_scheme", "recall.judged_models",
    "recall.judged_prompts", "consolidate.update",
]  # fmt: skip


def test_a_setting_without_effect_is_not_listed_but_complete_as_json(box):
    assert "judged_models" not in box.run("config", "list").out
    assert "did you mean: recall.profile\n" in box.run("config", "get", "recall.profil", code=1).err
    assert "presearch" not in box.run("config", "get", "recall.profil", code=1).err
    used = {row["setting"]: row["used"] for row in box.run("config", "--json").json}
    assert [name for name in used if not used[name]] == LATER
    assert used["recall.profile"]
    assert "Nothing uses this setting yet." in box.run("config", "set", "consolidate.update", "off").err


@IN_GIT
def test_a_project_file_that_is_not_trusted_says_so(make_box, has_git):
    box = make_box()
    (box.root / ".recollect.toml").write_text('[recall]\nprofile = "keyword"\n')
    said = box.run("config").out
    assert said.startswith("Not used, because you have not trusted this clone: .recollect.toml.")
    assert "not trusted" in box.run("config", "set", "recall.profile", "scored", "--project").err
    assert json.loads(box.run("config", "get", "recall.profile", "--json").out)["value"] == "hybrid"


READING = (("list",), ("show", "leek"), ("recall", "leek"), ("status",), ("why", "leek"), ("project",), ("session",))


def test_commands_that_read_go_on_beside_a_broken_settings_file_and_name_it(make_box):
    box = make_box()  # without files, which would have to be read with the settings
    box.run("remember", "leek soup")
    user_file(box).write_text("recall.profile = [[[")
    for command in READING:
        done = box.run(*command)
        assert "config.toml" in done.err, command
        assert done.out, command
    user_file(box).write_text('[recall]\nprofile = "hybrid"\n')
    assert [command for command in READING if "WARNING" in box.run(*command).err] == []


def test_beside_a_broken_settings_file_the_memories_are_listed_without_the_files_that_changed(box):
    box.run("remember", "leek soup", "--kind", "note")
    box.run("remember", "onion tart", "--kind", "note")
    (file,) = box.vault.rglob("leek-soup.json")
    file.write_text(file.read_text("utf-8").replace("leek soup", "leek stew"), "utf-8")
    good = user_file(box).read_text("utf-8") if user_file(box).exists() else ""
    user_file(box).write_text("recall.profile = [[[")
    for command in (("list",), ("recall", "onion tart")):
        done = box.run(*command)
        assert "config.toml" in done.err, command
        assert "memory files that changed are not read" in done.err, command
        assert "onion tart" in done.out, command
    user_file(box).write_text(good)
    assert "leek stew" in box.run("list").out


def test_commands_that_read_do_not_load_the_models(make_box):
    box = make_box()
    box.run("remember", "Use pnpm, never npm", "--kind", "preference", "--why", "the lockfile", "--title", "leek")
    box.run("reindex")
    program = "import sys; from recollect.faces.cli import main; main(sys.argv[1:], standalone_mode=False); "
    program += "sys.exit('pydantic' in sys.modules)"
    for command in (*READING, ("recall", "zeppelin"), ("list", "zeppelin")):  # the last two find nothing
        done = subprocess.run([sys.executable, "-c", program, *command], cwd=box.root, env=box.env, capture_output=True)
        assert done.returncode == 0, (command, done.stderr)
