"""Files that a clone may hold: no pipe, device, link or enormous file hangs the program or leads it elsewhere."""

import contextlib
import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest
from builders import IN_GIT, decision
from tables import each

from recollect import foreign_files
from recollect.config import layers

HANG_SECONDS = 20.0
SECRET = "zwiebelkuchen"  # noqa: S105 - what lies outside and must not be told
START = {"session_id": "s", "hook_event_name": "SessionStart", "source": "startup"}


@pytest.fixture
def has_git() -> bool:
    return False


def lay(box: Any, thing: str, place: Path) -> None:
    """Put something at a place that is no ordinary file."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    outside = box.folder / "outside.txt"
    outside.write_text(f'{{"text": "{SECRET}"}}\n{SECRET} = "{SECRET}"\n')
    if thing == "pipe":
        os.mkfifo(place)
    elif thing == "socket":
        with contextlib.chdir(place.parent), socket.socket(socket.AF_UNIX) as end:
            end.bind(place.name)
    elif thing == "sparse":
        place.touch()
        os.truncate(place, 20_000_000_000)
    elif thing == "folder":
        place.mkdir()
    else:
        place.symlink_to({"zero": "/dev/zero", "link out": outside, "loop": place.name, "tty": "/dev/tty"}[thing])


def run(box: Any, *command: str, code: tuple[int, ...] = (0, 1), stdin: str | None = None) -> str:
    """Run a command as a process with a time limit; what it printed. Nothing of what lies outside is in it."""
    if stdin is not None:
        done = box.run(*command, stdin=stdin, code=None)
        out, problem, returned = done.out, done.err, done.code
    else:
        process = box.fork(*command)
        out, problem = process.communicate(timeout=HANG_SECONDS)
        returned = process.returncode
    assert "Traceback" not in out + problem, (command, out, problem)
    assert returned in code, (command, returned, out, problem)
    assert SECRET not in out + problem
    return out + problem


THINGS = ["pipe", "zero", "socket", "link out", "loop", "sparse", "folder"]


# -- settings -----------------------------------------------------------------------------------------------------

PROJECT_SETTINGS = [
    ".recollect.toml", "pyproject.toml", "agent.conf", "continuity.json", ".claude/memory/memory-config.json",
]  # fmt: skip


@pytest.mark.parametrize("thing", THINGS)
def test_a_projects_settings_are_regular_files_of_the_project_or_named_and_passed_over(box, thing):
    for name in PROJECT_SETTINGS:
        place = box.root / name
        lay(box, thing, place)
        assert place.name in run(box, "health")
        run(box, "config")
        place.rmdir() if thing == "folder" else place.unlink()


@pytest.mark.parametrize("thing", ["pipe", "zero", "socket", "loop", "sparse", "folder"])
def test_the_users_own_settings_are_a_regular_file(box, thing):
    lay(box, thing, box.folder / "config.toml")
    assert run(box, "health", code=(1,)).startswith("CONFIG_ERROR")


def test_the_users_own_settings_may_be_a_link(box):
    (box.folder / "dotfiles.toml").write_text("[inject]\nmax_memories = 7\n")
    (box.folder / "config.toml").symlink_to(box.folder / "dotfiles.toml")
    assert "7" in run(box, "config")


@pytest.mark.parametrize(
    "bomb",
    [
        "a." * 200_000 + "a = 1\n",
        '"a" . ' * 100_000 + "a = 1\n",
        "[" + "a." * 200_000 + "a]\n",
        "x = {" + "a." * 200_000 + "a = 1}\n",
        "x = " + "[" * 500_000,
        "x = " + "{a = " * 100_000,
        "x = " + "9" * 900_000,
        "x = 1\n" * 2,
        "\0" * 1_000,
        "x = " + " " * 900_000,
    ],
    ids=lambda bomb: bomb[:12],
)
def test_a_bomb_of_toml_is_refused_in_time(box, bomb):
    (box.root / ".recollect.toml").write_text(bomb)
    assert "CONFIG_ERROR" in run(box, "health", code=(1,))


@pytest.mark.parametrize(
    "bomb", ["[" * 500_000, '{"a":' * 200_000, '{"retrieval": ' + "9" * 900_000 + "}", '{"a": "' + "\\u0041" * 100_000]
)
def test_a_bomb_of_json_is_named_in_time(box, bomb):
    (box.vault / "memory-config.json").write_text(bomb)
    assert "memory-config.json" in run(box, "health", code=(0,))


@pytest.mark.parametrize("line", [" " * 900_000, "A=" + " " * 900_000 + "x", "A='" + "#" * 900_000, "A" * 900_000])
def test_a_long_line_of_agent_conf_is_read_in_time(box, line):
    (box.root / "agent.conf").write_text(f"{line}\nMEMORY_RECALL=off # why\n")
    assert "false" in run(box, "config", code=(0,)).lower()


def test_settings_with_a_deep_but_sensible_key_are_read(tmp_path):
    (tmp_path / "pyproject.toml").write_text('a.b.c.d.e."f.g" = 1\n[tool.recollect.inject]\nmax_memories = 3\n')
    found = layers.load(project=tmp_path, env={"RECOLLECT_CONFIG": str(tmp_path / "none")})
    assert found.config.inject.max_memories == 3


# -- what a session start tells -----------------------------------------------------------------------------------

PAPERS = ["USER.md", "MEMORY.md", "LONGMEMORY.md", "memory/2026-03-01.md"]


def start(box: Any) -> str:
    event = json.dumps({**START, "cwd": str(box.root)})
    return run(box, "hook", "claude-code", "SessionStart", code=(0,), stdin=event)


@pytest.mark.parametrize("thing", THINGS)
def test_a_session_starts_whatever_its_papers_are(make_box, thing):
    box = make_box()
    (box.root / ".recollect.toml").write_text('[vault]\nlayouts = ["json", "log"]\n[inject]\nlong_memory = true\n')
    box.run("init")
    box.run("remember", "what is still told")
    box.rest()
    for name in PAPERS:
        lay(box, thing, box.root / name)
    assert "what is still told" in start(box)
    if thing == "link out":
        assert "leads outside" in (box.home / "hook.log").read_text()


def test_a_linked_folder_of_daily_files_is_not_told(make_box):
    box = make_box()
    box.run("init", "--layout", "log")
    (box.folder / "elsewhere").mkdir()
    (box.folder / "elsewhere" / "2026-03-01.md").write_text(SECRET)
    (box.root / "memory").symlink_to(box.folder / "elsewhere")
    start(box)


def test_the_persons_own_paper_may_be_a_link_but_not_a_device(box):
    (box.folder / "about-me.md").write_text("I like leek.")
    (box.home / "USER.md").symlink_to(box.folder / "about-me.md")
    assert "I like leek." in start(box)
    (box.home / "USER.md").unlink()
    (box.home / "USER.md").symlink_to("/dev/zero")
    start(box)


def test_of_an_enormous_paper_the_end_is_told(box):
    (box.root / "USER.md").touch()
    os.truncate(box.root / "USER.md", 5_000_000_000)
    with (box.root / "USER.md").open("ab") as file:
        file.write(b"\nI like leek.\n")
    assert "I like leek." in start(box)


def test_the_pieces_of_git_that_a_hook_reads_are_regular_files(make_box):
    box = make_box()
    box.run("remember", "what is still told")
    (box.root / ".git").mkdir()
    for thing in ("pipe", "zero", "sparse"):
        lay(box, thing, box.root / ".git" / "HEAD")
        start(box)


# -- vault --------------------------------------------------------------------------------------------------------


@IN_GIT
def test_what_is_no_file_in_a_vault_is_named_and_the_rest_comes_in(box):
    good = {**decision(), "record_status": "active"}
    (box.vault / "decisions").mkdir(exist_ok=True)
    (box.vault / "decisions" / "use-sqlite.json").write_text(json.dumps(good))
    for number, thing in enumerate(THINGS):
        lay(box, thing, box.vault / "decisions" / f"trap-{number}.json")
    named = run(box, "reconcile")
    assert [thing for number, thing in enumerate(THINGS) if f"decisions/trap-{number}.json" not in named] == []
    assert "Use SQLite" in run(box, "list", code=(0,))
    for flag in ("--rebuild", "--validate", "--health", "--gc"):
        run(box, "index", "--root", ".claude/memory", flag)
    run(box, "index", "--query", "sqlite")
    run(box, "candidate", "--category", "decision", "--new-info", "Use SQLite for storage")
    run(box, "doctor")
    run(box, "export")
    run(box, "scrub", "nothing-of-the-kind", "--yes")


@pytest.mark.parametrize("thing", THINGS)
def test_an_index_that_is_no_file_is_made_anew_or_a_clear_error(box, thing):
    box.run("remember", "leek soup")
    lay(box, thing, box.vault / "index.md")
    for command in (("reconcile",), ("list",), ("index", "--rebuild"), ("index", "--query", "leek"), ("doctor",)):
        run(box, *command)
    assert thing == "folder" or "Leek" in (box.vault / "index.md").read_text().title()


@pytest.mark.parametrize("command", [("init",), ("trust",), ("list",), ("reconcile",), ("health",)])
@IN_GIT
def test_a_clone_full_of_traps_is_looked_at_in_time(make_box, command):
    box = make_box()
    for number, thing in enumerate(THINGS):
        lay(box, thing, box.vault / "notes" / f"trap-{number}.json")
        lay(box, thing, box.vault / f"trap-{number}")
        lay(box, thing, box.root / "memory" / f"trap-{number}.md")
    (box.vault / "up").symlink_to("..")
    (box.vault / "runbooks").symlink_to("/")
    run(box, *command)


@pytest.mark.parametrize("kind", ["decisions", "notes"])
def test_a_folder_that_is_a_link_out_of_the_project_is_not_walked(box, kind):
    outside = box.folder / "elsewhere"
    outside.mkdir()
    (outside / "use-sqlite.json").write_text(json.dumps({**decision(title=SECRET), "record_status": "active"}))
    (box.vault / kind).symlink_to(outside)
    for command in (("list",), ("reconcile",), ("index", "--rebuild"), ("index", "--health"), ("export",)):
        run(box, *command)
    assert SECRET not in (box.vault / "index.md").read_text() if (box.vault / "index.md").exists() else True


def test_an_enormous_folder_is_a_clear_error(box, monkeypatch):
    (box.vault / "notes").mkdir()
    for number in range(20):
        (box.vault / "notes" / f"n{number}.json").write_text("{}")
    monkeypatch.setattr(foreign_files.names, "__kwdefaults__", {"root": "", "most": 10})
    done = box.run("reconcile", code=1)
    assert "holds more than 10 files" in done.err
    assert "fix: " in done.err


# -- the log ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize("name", ["MEMORY.md", "memory/2026-03-01.md"])
def test_a_log_that_is_no_file_is_a_clear_error(make_box, name, thing):
    box = make_box()
    box.run("init", "--layout", "log")
    box.run("log", "append", "--session", "s", "before")
    lay(box, thing, box.root / name)
    outside = (box.folder / "outside.txt").read_text()
    said = [
        run(box, "log", "append", "--session", "s", "more"), run(box, "log", "list"), run(box, "log", "scan"),
        run(box, "log", "trim", "--max-records", "1"),
    ]  # fmt: skip
    assert name != "MEMORY.md" or all("MEMORY.md" in one for one in said)
    run(box, "purge", "before", "--yes")
    assert (box.folder / "outside.txt").read_text() == outside


# -- paths that are named -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("thing", [one for one in THINGS if one not in ("folder", "link out")])
@pytest.mark.parametrize(
    "name", ["x.jsonl", "x.json", "x.md", "MEMORY.md", "LONGMEMORY.md", "x.db", "experience-store.json"]
)
def test_an_import_of_what_is_no_file_says_so(make_box, name, thing):
    box = make_box()
    if (name, thing) == ("x.jsonl", "sparse"):
        return  # lines are read from a file of any length
    lay(box, thing, box.folder / "in" / name)
    said = run(box, "import", str(box.folder / "in" / name), code=(0, 1, 2))
    assert "regular file" in said or "bytes" in said or "exist" in said or "not" in said


@pytest.mark.parametrize("thing", THINGS)
def test_an_import_of_a_folder_takes_the_good_files_and_names_the_others(make_box, thing):
    box = make_box()
    folder = box.folder / "in"
    lay(box, "pipe" if thing == "sparse" else thing, folder / "a.jsonl")  # lines are read from a file of any length
    for name in (
        ".claude/memory/notes/n.json", "notes/n.json", "memory/n.md", "memory-cold/n.md", "MEMORY.md",
        "LONGMEMORY.md", "letsgo.db", ".letsgo/letsgo.db", "tmp/experience-store.json", "topic.md",
    ):  # fmt: skip
        lay(box, thing, folder / name)
    (folder / "good.jsonl").write_text('{"text": "the good one"}\n')
    (folder / "runbooks").symlink_to(box.folder)
    said = run(box, "import", str(folder), code=(0,))
    assert thing == "folder" or "a.jsonl" in said
    assert "the good one" in run(box, "list", code=(0,))


def test_a_folder_that_leads_out_of_what_is_imported_is_not_read(make_box):
    box = make_box()
    outside = box.folder / "elsewhere"
    outside.mkdir()
    (outside / "secret.md").write_text(f"<memory>{SECRET}</memory>")
    (box.folder / "in").mkdir()
    (box.folder / "in" / "memory").symlink_to(outside)
    (box.folder / "in" / "good.jsonl").write_text('{"text": "the good one"}\n')
    run(box, "import", str(box.folder / "in"), code=(0,))
    assert [one["text"] for one in box.run("list", "--json").json] == ["the good one"]


def test_an_import_of_a_file_without_line_ends_does_not_fill_the_memory(make_box):
    box = make_box()
    place = box.folder / "in.jsonl"
    place.write_bytes(b'{"text": "first"}\n')
    os.truncate(place, 300_000_000)
    said = run(box, "import", str(place), code=(0,))
    assert "longer than 4,000,000 bytes" in said
    assert "first" in run(box, "list", code=(0,))


@pytest.mark.parametrize("thing", ["pipe", "zero", "socket", "loop", "sparse", "folder", "link out"])
def test_a_draft_that_is_no_file_is_refused(box, thing):
    draft = box.folder / "draft.json"
    lay(box, thing, draft)
    said = run(
        box, "write", "--action", "create", "--category", "note", "--target", ".claude/memory/notes/new.json",
        "--input", str(draft), code=(1,),
    )  # fmt: skip
    assert said.split("\n")[0] in ("INPUT_ERROR", "SECURITY_ERROR")


@pytest.mark.parametrize("thing", THINGS)
def test_the_metadata_and_the_search_of_what_is_no_file(make_box, thing):
    box = make_box()
    box.run("init", "--layout", "markdown")
    (box.root / "memory" / "good.md").write_text("<memory>leek soup</memory>")
    lay(box, thing, box.root / "memory" / "trap.md")
    for action in (("read",), ("description",), ("ensure",), ("write_field", "hits", "3")):
        assert (
            "INPUT_ERROR" in run(box, "metadata", action[0], "memory/trap.md", *action[1:], code=(1,))
            or thing == "sparse"
        )
    said = run(box, "presearch", "memory", "on", stdin="how is leek soup made")
    assert "good.md" in said
    # A15: links and folders are passed over without a word.
    assert ("trap.md" in said) == (thing in ("pipe", "socket", "sparse"))


# -- names --------------------------------------------------------------------------------------------------------

NAMES = ["a\nb", "a\tb", "a\"b'c", "-rf", "a b", "ü\u2028x", "$(touch x)", "a\\nb", ":(top)", os.fsdecode(b"caf\xe9")]


@pytest.mark.parametrize("command", [("init",), ("list",), ("remember", "x"), ("reconcile",), ("export",), ("doctor",)])
def test_a_projects_folder_whose_name_is_not_utf_8_is_a_clear_error(make_box, command):
    box = make_box("named", root=make_box().folder / os.fsdecode(b"caf\xe9"))
    box.root.mkdir()
    assert "not UTF-8" in run(box, *command, code=(1,))


@pytest.mark.parametrize("name", NAMES[:-1], ids=ascii)
@IN_GIT
def test_a_projects_folder_may_have_any_name(make_box, name):
    maker = make_box()
    box = make_box("named", root=maker.folder / name)
    box.root.mkdir()
    box.git("init", "-q", "-b", "main")
    box.run("init")
    box.run("remember", "what is told")
    box.git("add", "-A")
    box.git("commit", "-qm", "one")
    assert "what is told" in box.run("list").out
    box.run("reconcile")
    assert "what is told" in start(box)
    lines = box.run("export").out.strip().split("\n")
    assert [json.loads(line)["title"] for line in lines] == ["what is told"]
    (box.vault / "notes" / "what-is-told.json").unlink()
    box.run("list")
    assert box.run("list", "--status", "retired", "--json").json[0]["title"] == "what is told"
    assert run(box, "doctor")


@pytest.mark.parametrize("name", NAMES, ids=ascii)
@IN_GIT
def test_a_vaults_file_may_have_any_name(make_box, name):
    box = make_box()
    box.run("init", "--layout", "markdown")
    place = box.root / "memory" / f"{name}.md"
    place.write_text("<memory>\nleek soup\n</memory>\n")
    said = run(box, "reconcile", code=(0,))
    if name.encode("utf-8", "replace").decode() != name:
        assert "not UTF-8" in said
        return
    assert [one["text"].strip() for one in box.run("list", "--json").json] == ["leek soup"]
    box.git("add", "-A")
    box.git("commit", "-qm", "one")
    assert json.loads(box.run("export").out)["content"]["text"].strip() == "leek soup"
    start(box)
    place.unlink()
    box.git("commit", "-qam", "gone")
    run(box, "reconcile", code=(0,))
    assert box.run("list", "--json").json == []


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_folder_and_its_files_of_any_name_are_imported(make_box, name):
    box = make_box()
    folder = box.folder / "in" / "memory"
    folder.mkdir(parents=True)
    (folder / f"{name}.md").write_text("<memory>\nleek soup\n</memory>\n")
    run(box, "import", str(folder.parent), code=(0,))
    assert [one["text"].strip() for one in box.run("list", "--json").json] == ["leek soup"]


# -- the reader itself --------------------------------------------------------------------------------------------


def test_lines_are_read_whole_and_long_ones_cut(tmp_path):
    place = tmp_path / "x"
    place.write_bytes(b"one\n" + b"x" * 200_000 + b"\n\nlast")
    found = list(foreign_files.lines(str(place), most_line_bytes=10))
    assert found == [b"one\n", b"x" * 11 + b"\n", b"\n", b"last"]
    assert b"".join(foreign_files.lines(str(place))) == place.read_bytes()


def test_a_file_that_is_longer_is_refused_or_its_end_is_read(tmp_path):
    place = tmp_path / "x"
    place.write_bytes(b"0123456789")
    assert foreign_files.read(str(place), most_bytes=10) == b"0123456789"
    assert foreign_files.read(str(place), most_bytes=4, tail=True) == b"6789"
    with pytest.raises(foreign_files.NotPlain, match="10 bytes"):
        foreign_files.read(str(place), most_bytes=9)


@pytest.mark.parametrize("path", ["../out", "link", "inner/../../out", "folder/out"])
def test_nothing_outside_the_root_is_read(tmp_path, path):
    (tmp_path / "out").write_text(SECRET)
    root = tmp_path / "root"
    (root / "inner").mkdir(parents=True)
    (root / "link").symlink_to("../out")
    (root / "folder").symlink_to("..")
    with pytest.raises(foreign_files.NotPlain):
        foreign_files.read(str(root / path), root=str(root), most_bytes=100)


def test_a_link_that_stays_inside_the_root_is_read(tmp_path):
    (tmp_path / "real").write_text("x")
    (tmp_path / "link").symlink_to("real")
    assert foreign_files.read(str(tmp_path / "link"), root=str(tmp_path), most_bytes=10) == b"x"


@each("path", ["a\0b", ""])
def test_what_is_no_path_is_refused(path):
    with pytest.raises(OSError):
        foreign_files.read(path, most_bytes=10)
