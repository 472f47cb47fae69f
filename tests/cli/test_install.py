"""Wiring recollect into a coding agent, and taking it out again."""

import json
import os
import pty
import shlex
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import each

import recollect
from recollect.clients import claude_code
from recollect.errors import Conflict
from recollect.formats import client_settings
from recollect.setup import install
from recollect.setup.hook_command import IF_THERE

OTHERS = {"type": "command", "command": "say", "args": ["done"]}
TEXTS = [
    "commands/recollect/remember.md",
    "commands/recollect/search.md",
    "commands/recollect/why.md",
    "skills/recollect/SKILL.md",
]
ODD = {
    "tabs": b'{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n',
    "windows": b'{\r\n    "model": "opus"\r\n}\r\n',
    "no line end": b'{"model":"opus",  "x":[1,2 ,3]}',
    "unicode": '{\n  "language": "Français ✓ \U0001f40d"\n}'.encode(),
    "escapes": b'{"language": "Fran\\u00e7ais", "half": "\\ud800"}\n',
    "byte order mark": b'\xef\xbb\xbf{"model": "opus"}\n\n\n',
    "empty": b"",
    "empty object": b" { } ",
    "hooks of others": json.dumps({"hooks": {"Stop": [{"hooks": [OTHERS]}], "Notification": []}, "z": 1}).encode(),
}


def settings_of(box, data: object = None) -> Path:
    """The user's settings file, holding these bytes or this value."""
    path = box.folder / ".claude" / "settings.json"
    if data is not None:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return path


def tree(box) -> dict[str, bytes | str | None]:
    """Everything that the user has, but for recollect's own folder."""
    return {
        str(path): str(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else None
        for path in sorted(box.folder.rglob("*"))
        if not path.is_relative_to(box.home) and ".git" not in path.parts
    }


def load(path: Path):
    return json.loads(path.read_bytes().decode("utf-8-sig"))


def own(event: str) -> dict[str, object]:
    """Our handler for an event."""
    package = Path(recollect.__file__).parents[1]
    words = ["-c", IF_THERE, sys.executable, "-I", "-S", "-E", "-c", install.START, str(package)]
    words += [str(Path(apsw.__file__).parents[1]), "claude-code", event]
    return {"type": "command", "command": "/bin/sh", "args": words, "timeout": 10}


def test_install_adds_a_hook_for_every_event(box):
    box.run("install", "claude-code")
    assert load(settings_of(box)) == {
        "hooks": {
            event: [{**({"matcher": matcher} if matcher else {}), "hooks": [own(event)]}]
            for event, (matcher, _) in claude_code.HOOKED.items()
        }
    }


def test_install_brings_a_skill_and_commands_that_name_the_program(box):
    box.run("install", "claude-code")
    folder = box.folder / ".claude"
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*.md")) == TEXTS
    for text in TEXTS:
        assert (folder / text).read_text().startswith("---\nname: ")
        assert "{recollect}" not in (folder / text).read_text()
    assert "$ARGUMENTS" in (folder / "commands/recollect/search.md").read_text()


def test_the_program_is_named_by_its_path_unless_the_shell_finds_it(box):
    beside = Path(sys.executable).with_name("recollect")
    text = box.folder / ".claude/commands/recollect/search.md"
    box.settings["PATH"] = "/usr/bin:/bin"
    box.run("install", "claude-code")
    assert f"allowed-tools: Bash({beside}:*)" in text.read_text()
    box.settings["PATH"] = f"{beside.parent}:/usr/bin:/bin"
    box.run("install", "claude-code")
    assert "allowed-tools: Bash(recollect:*)" in text.read_text()


def test_everything_else_in_the_settings_stays_where_it_is(box):
    before = {
        "model": "opus",
        "hooks": {
            "Stop": [{"hooks": [OTHERS]}],
            "PreToolUse": [{"matcher": "Bash", "hooks": [OTHERS, OTHERS]}],
            "Notification": [{"hooks": [OTHERS]}],
        },
        "env": {"A": "1"},
    }
    settings = settings_of(box, before)
    box.run("install", "claude-code")
    after = load(settings)
    assert list(after) == ["model", "hooks", "env"]
    assert list(after["hooks"])[:3] == ["Stop", "PreToolUse", "Notification"]
    assert after["hooks"]["Stop"] == [{"hooks": [OTHERS]}, {"hooks": [own("Stop")]}]
    assert after["hooks"]["PreToolUse"][0] == {"matcher": "Bash", "hooks": [OTHERS, OTHERS]}
    assert after["hooks"]["Notification"] == [{"hooks": [OTHERS]}]
    assert (after["model"], after["env"]) == ("opus", {"A": "1"})


@pytest.mark.parametrize("data", ODD.values(), ids=ODD)
def test_uninstall_puts_settings_back_byte_for_byte(box, data):
    settings = settings_of(box, data)
    before = tree(box)
    box.run("install", "claude-code")
    assert load(settings)["hooks"]["Stop"][-1] == {"hooks": [own("Stop")]}
    done = box.run("uninstall")
    assert tree(box) == before
    assert "put back as it was" in done.out


def test_the_manner_of_the_file_is_kept(box):
    settings = settings_of(box, b'{\r\n\t"language": "\xc3\xa9"\r\n}')
    box.run("install", "claude-code")
    text = settings.read_bytes()
    assert text.startswith(b'{\r\n\t"language": "\xc3\xa9",\r\n\t"hooks": {\r\n\t\t"SessionStart"')
    assert text.endswith(b"\r\n}")
    assert text.count(b"\n") == text.count(b"\r\n")


def test_uninstall_leaves_no_trace_where_nothing_was(box):
    before = tree(box)
    box.run("install", "claude-code")
    box.run("uninstall", "claude-code")
    assert tree(box) == before
    assert not (box.home / "installs.json").exists()


def test_installing_twice_changes_nothing(box):
    settings_of(box, ODD["tabs"])
    box.run("install", "claude-code")
    before, manifest = tree(box), (box.home / "installs.json").read_bytes()
    assert "Already installed." in box.run("install", "claude-code").out
    assert tree(box) == before
    assert (box.home / "installs.json").read_bytes() == manifest
    box.run("uninstall")
    assert settings_of(box).read_bytes() == ODD["tabs"]


def test_uninstalling_twice_says_that_nothing_is_installed(box):
    box.run("install", "claude-code")
    box.run("uninstall")
    before = tree(box)
    assert box.run("uninstall").out == "Nothing is installed.\n"
    assert box.run("uninstall", "claude-code", "--scope", "local").out == "Nothing is installed.\n"
    assert tree(box) == before


def test_an_older_install_is_replaced_in_its_place(box):
    old = {"type": "command", "command": "/old/python", "args": ["-c", "import recollect.hot.dispatch"], "timeout": 99}
    settings = settings_of(
        box,
        {
            "hooks": {
                "Stop": [{"hooks": [old, OTHERS]}, {"hooks": [OTHERS]}, {"hooks": [old]}],
                "PreToolUse": [{"matcher": "Bash", "hooks": [old]}],
                "Notification": [{"hooks": [old]}],
            }
        },
    )
    box.run("install", "claude-code")
    hooks = load(settings)["hooks"]
    assert hooks["Stop"] == [{"hooks": [own("Stop"), OTHERS]}, {"hooks": [OTHERS]}]
    assert hooks["PreToolUse"] == [
        {"matcher": "Write|Edit|MultiEdit|NotebookEdit|Bash", "hooks": [own("PreToolUse")]},
    ]
    assert "Notification" not in hooks
    box.run("uninstall")
    assert load(settings) == {"hooks": {"Stop": [{"hooks": [OTHERS]}, {"hooks": [OTHERS]}]}}


def test_an_upgrade_is_undone_to_what_was_there_before_the_first_install(box):
    settings = settings_of(box, ODD["windows"])
    box.settings["PATH"] = "/usr/bin:/bin"
    box.run("install", "claude-code")
    box.settings["PATH"] = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    assert "changed" in box.run("install", "claude-code").out
    box.run("uninstall")
    assert settings.read_bytes() == ODD["windows"]
    assert not (settings.parent / "skills").exists()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b'{"a": }', "not valid JSON"),
        (b'// mine\n{"a": 1}', "not valid JSON"),
        (b'{"a": NaN}', "not valid JSON"),
        (b'{"a": 1e999}', "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b"[]", "not a JSON object"),
        (b'{"hooks": []}', '"hooks" in the settings is not an object'),
        (b'{"hooks": {"Stop": {}}}', '"hooks.Stop" in the settings is not a list'),
    ],
)
def test_settings_that_cannot_be_understood_are_refused_and_left(box, data, says):
    settings = settings_of(box, data)
    before = tree(box)
    done = box.run("install", "claude-code", code=1)
    assert "INPUT_ERROR" in done.err
    assert says in done.err
    assert f"target: {settings}" in done.err
    assert "fix: Correct the file" in done.err
    assert tree(box) == before
    assert not (box.home / "installs.json").exists()


def test_a_folder_a_circle_of_links_and_a_file_in_the_way_are_refused(box):
    settings = settings_of(box)
    settings.mkdir(parents=True)
    assert "this is not a file" in box.run("install", "claude-code", code=1).err
    settings.rmdir()
    settings.symlink_to(settings)
    assert "form a loop" in box.run("install", "claude-code", code=1).err
    settings.unlink()
    (settings.parent / "skills").write_text("not a folder")
    before = tree(box)
    assert f"target: {settings.parent / 'skills'}" in box.run("install", "claude-code", code=1).err
    assert tree(box) == before


@pytest.mark.parametrize(
    ("wrong", "hint"), [("claude", "Did you mean claude-code?"), ("emacs", "Known are claude-code, ")]
)
def test_a_client_that_is_not_known_gets_a_name_that_is(box, wrong, hint):
    said = box.run("install", wrong, code=2).err
    assert f"No client is called {wrong}. {hint}" in said
    assert " install [OPTIONS] CLIENT\n" in said


def test_a_dry_run_shows_everything_and_changes_nothing(box):
    settings = settings_of(box, {"model": "opus"})
    before = tree(box)
    done = box.run("install", "claude-code", "--dry-run")
    assert f"change     {settings}" in done.out
    assert f"create     {settings.parent / 'skills/recollect/SKILL.md'}" in done.out
    assert "hooks: SessionStart, UserPromptSubmit, " in done.out
    assert done.out.endswith("Nothing was changed (--dry-run).\n")
    assert tree(box) == before
    assert not (box.home / "installs.json").exists()
    box.run("install", "claude-code")
    before = tree(box)
    assert "Nothing was changed" in box.run("uninstall", "--dry-run").out
    assert tree(box) == before
    assert (box.home / "installs.json").exists()


def test_only_our_hooks_are_taken_out_of_settings_that_changed_since(box):
    settings = settings_of(box, {"model": "opus"})
    box.run("install", "claude-code")
    changed = load(settings)
    changed["hooks"]["Stop"].append({"hooks": [OTHERS]})
    changed["theme"] = "dark"
    settings.write_text(json.dumps(changed))
    assert "only our hooks are taken out" in box.run("uninstall").out
    assert load(settings) == {"model": "opus", "hooks": {"Stop": [{"hooks": [OTHERS]}]}, "theme": "dark"}


def test_settings_that_we_made_and_that_hold_nothing_else_go(box):
    before = tree(box)
    box.run("install", "claude-code")
    settings_of(box).write_text(json.dumps(load(settings_of(box))))
    box.run("uninstall")
    assert tree(box) == before


def test_a_change_between_two_installs_outlives_the_uninstall(box):
    settings = settings_of(box, {"model": "opus"})
    box.run("install", "claude-code")
    settings.write_text(json.dumps({**load(settings), "theme": "dark"}))
    assert "Already installed." in box.run("install", "claude-code").out
    box.run("uninstall")
    assert load(settings) == {"model": "opus", "theme": "dark"}


def test_a_skill_that_somebody_changed_is_left_and_named(box):
    box.run("install", "claude-code")
    skill = box.folder / ".claude/skills/recollect/SKILL.md"
    skill.write_text("mine")
    assert "left as it is" in box.run("install", "claude-code").out
    assert skill.read_text() == "mine"
    done = box.run("uninstall")
    assert f"unchanged  {skill}\n" in done.out
    assert "left as it is" in done.out
    assert skill.read_text() == "mine"
    assert not (box.folder / ".claude/commands").exists()


def test_a_file_that_lay_in_our_place_comes_back(box):
    skill = box.folder / ".claude/skills/recollect/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("somebody's own")
    before = tree(box)
    box.run("install", "claude-code")
    assert skill.read_text() != "somebody's own"
    box.run("uninstall")
    assert tree(box) == before


def test_a_link_stays_a_link_and_its_target_is_changed(box):
    real = box.folder / "dotfiles/claude.json"
    real.parent.mkdir()
    real.write_bytes(ODD["tabs"])
    settings = settings_of(box)
    settings.parent.mkdir()
    settings.symlink_to(real)
    before = tree(box)
    assert f"a link to {real}" in box.run("install", "claude-code").out
    assert settings.is_symlink()
    assert "Stop" in load(real)["hooks"]
    box.run("uninstall")
    assert tree(box) == before


def test_the_mode_of_a_file_stays_and_the_manifest_is_private(box):
    settings = settings_of(box, {"env": {"TOKEN": "x"}})
    settings.chmod(0o664)
    box.run("install", "claude-code")
    assert stat.S_IMODE(settings.stat().st_mode) == 0o664
    assert stat.S_IMODE((box.home / "installs.json").stat().st_mode) == 0o600
    settings.chmod(0o600)
    box.run("uninstall")
    assert stat.S_IMODE(settings.stat().st_mode) == 0o600


@pytest.mark.parametrize("landed", range(len(TEXTS) + 1))
def test_a_kill_after_the_manifest_was_written_can_be_undone_and_made_good(box, landed):
    settings = settings_of(box, ODD["windows"])
    before = tree(box)
    box.run("install", "claude-code")
    whole, manifest = tree(box), (box.home / "installs.json").read_bytes()

    def stop_short() -> None:
        box.run("uninstall")
        (box.home / "installs.json").write_bytes(manifest)
        for text in TEXTS[:landed]:
            place = settings.parent / text
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(whole[str(place)])

    stop_short()
    (settings.parent / ".settings.json.recollect-tmp").write_bytes(b'{"ha')
    box.run("uninstall")
    assert tree(box) == before
    assert not (box.home / "installs.json").exists()
    stop_short()
    (settings.parent / ".settings.json.recollect-tmp").write_bytes(b'{"ha')
    box.run("install", "claude-code")
    assert tree(box) == whole
    box.run("uninstall")
    assert tree(box) == before


def test_a_kill_in_an_upgrade_can_be_undone_to_the_first_state(box):
    settings_of(box, ODD["tabs"])
    before = tree(box)
    box.settings["PATH"] = "/usr/bin:/bin"
    box.run("install", "claude-code")
    old = {path: data for path, data in tree(box).items() if path.endswith(".md")}
    box.settings["PATH"] = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    box.run("install", "claude-code")
    for path, data in old.items():
        Path(path).write_bytes(data)
    box.run("uninstall")
    assert tree(box) == before


def test_a_kill_in_an_uninstall_is_made_good_by_the_next(box):
    settings_of(box, ODD["tabs"])
    before = tree(box)
    box.run("install", "claude-code")
    settings_of(box).write_bytes(ODD["tabs"])
    box.run("uninstall")
    assert tree(box) == before
    assert not (box.home / "installs.json").exists()


def test_when_one_file_cannot_be_written_none_is(box):
    settings_of(box, ODD["tabs"])
    place = box.folder / ".claude/commands/recollect/why.md"
    place.parent.mkdir(parents=True)
    place.symlink_to("/proc/nowhere/why.md")
    before = tree(box)
    done = box.run("install", "claude-code", code=1)
    assert "DISK_ERROR" in done.err
    assert f"target: {place}" in done.err
    assert tree(box) == before
    assert not (box.home / "installs.json").exists()


def test_when_one_file_cannot_be_put_back_none_is(box):
    settings_of(box, ODD["tabs"])
    box.run("install", "claude-code")
    (box.folder / ".claude/commands/recollect/.why.md.recollect-tmp").mkdir()
    before, manifest = tree(box), (box.home / "installs.json").read_bytes()
    assert "DISK_ERROR" in box.run("uninstall", code=1).err
    assert tree(box) == before
    assert (box.home / "installs.json").read_bytes() == manifest


def test_settings_that_change_while_the_question_is_asked_are_not_overwritten(box):
    settings = settings_of(box, {"model": "opus"})
    where = install.Where(box.root, {**box.env, "CLAUDE_CONFIG_DIR": str(settings.parent)})
    plan = install.plan_install(install.CLIENTS["claude-code"], "user", where)
    settings.write_text('{"model": "haiku"}')
    before = tree(box)
    with pytest.raises(Conflict) as caught:
        install.apply(plan, where.home)
    assert caught.value.target == str(settings)
    assert tree(box) == before


@pytest.mark.parametrize(("answer", "is_installed"), [("y", True), ("n", False)])
def test_on_a_terminal_it_asks(box, answer, is_installed):
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", "from recollect.faces.cli import main; main()", "install", "claude-code"]
    os.write(ours, f"{answer}\n".encode())
    done = subprocess.run(command, cwd=box.root, env=box.env, stdin=theirs, capture_output=True, text=True)
    os.close(ours)
    os.close(theirs)
    assert "Install? [y/N]" in done.stdout
    assert settings_of(box).exists() is is_installed
    assert done.returncode == (0 if is_installed else 1)


def test_yes_answers_on_a_terminal(box):
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", "from recollect.faces.cli import main; main()", "install", "claude-code", "--yes"]
    done = subprocess.run(command, cwd=box.root, env=box.env, stdin=theirs, capture_output=True, text=True)
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 0, done.stderr
    assert settings_of(box).exists()


def test_both_commands_speak_json(box):
    settings = settings_of(box, {"model": "opus"})
    done = box.run("install", "claude-code", "--json").json
    assert (done["result"], done["dry_run"]) == ("installed", False)
    assert done["installs"] == [{"client": "claude-code", "scope": "user", "settings": str(settings)}]
    assert [file["action"] for file in done["files"]] == ["created"] * 4 + ["changed"]
    assert done["files"][-1] == {
        "path": str(settings), "action": "changed", "hooks": list(claude_code.HOOKED), "says": "",
    }  # fmt: skip
    assert box.run("install", "claude-code", "--json").json["result"] == "already installed"
    done = box.run("uninstall", "--json", "--dry-run").json
    assert (done["result"], done["dry_run"]) == ("uninstalled", True)
    done = box.run("uninstall", "--json").json
    assert [file["action"] for file in done["files"]] == ["changed"] + ["removed"] * 4
    assert done["files"][0]["hooks"] == list(claude_code.HOOKED)
    assert box.run("uninstall", "--json").json["result"] == "nothing is installed"
    settings.write_text("[]")
    assert json.loads(box.run("install", "claude-code", "--json", code=1).err)["target"] == str(settings)


def test_the_users_settings_lie_where_the_client_is_told(box):
    box.settings["CLAUDE_CONFIG_DIR"] = str(box.folder / "elsewhere")
    box.run("install", "claude-code")
    assert (box.folder / "elsewhere/settings.json").exists()
    assert (box.folder / "elsewhere/skills/recollect/SKILL.md").exists()
    assert not (box.folder / ".claude").exists()


def test_the_project_scope_lies_at_the_top_and_warns_that_it_is_shared(make_box):
    box = make_box()
    below = box.root / "src/deep"
    below.mkdir(parents=True)
    done = box.run("install", "claude-code", "--scope", "project", cwd=below)
    assert "`--scope local` keeps it to yourself" in done.out
    assert (box.root / ".claude/settings.json").exists()
    assert not settings_of(box).exists()
    done = box.run("install", "claude-code", "--scope", "local")
    assert "shared" not in done.out
    assert (box.root / ".claude/settings.local.json").exists()


def test_scopes_of_one_project_share_the_texts_until_the_last_one_goes(make_box):
    box = make_box()
    before = tree(box)
    for scope in ("project", "local"):
        box.run("install", "claude-code", "--scope", scope)
    skill = box.root / ".claude/skills/recollect/SKILL.md"
    box.run("uninstall", "--scope", "project")
    assert not (box.root / ".claude/settings.json").exists()
    assert skill.exists()
    box.settings["PATH"] = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    box.run("install", "claude-code", "--scope", "project")
    box.settings["PATH"] = "/usr/bin:/bin"
    box.run("install", "claude-code", "--scope", "local")
    box.run("uninstall", "claude-code", "--scope", "local")
    assert skill.exists()
    box.run("uninstall", "claude-code", "--scope", "project")
    assert tree(box) == before


def test_uninstall_takes_out_every_scope_and_project_unless_one_is_named(make_box):
    box, other = make_box(), make_box("other")
    other.folder, other.home = box.folder, box.home
    before = tree(box)
    box.run("install", "claude-code")
    box.run("install", "claude-code", "--scope", "local")
    other.run("install", "claude-code", "--scope", "local")
    box.run("uninstall", "--scope", "local")
    assert not (box.root / ".claude").exists()
    assert (other.root / ".claude/settings.local.json").exists()
    assert settings_of(box).exists()
    box.run("uninstall")
    assert not (other.root / ".claude").exists()
    assert tree(box) == before


def test_our_hooks_are_found_without_the_manifest(box):
    settings = settings_of(box, {"model": "opus", "hooks": {"Stop": [{"hooks": [OTHERS]}]}})
    before = load(settings)
    box.run("install", "claude-code")
    (box.home / "installs.json").unlink()
    assert "Uninstalled." in box.run("uninstall").out
    assert load(settings) == before
    assert sorted(path.name for path in settings.parent.iterdir()) == ["commands", "settings.json", "skills"]
    assert list(settings.parent.rglob("*.md")) == []


def test_an_install_without_a_manifest_gets_one_again(box):
    settings = settings_of(box, {"model": "opus"})
    box.run("install", "claude-code")
    (box.home / "installs.json").unlink()
    assert "Already installed." in box.run("install", "claude-code").out
    box.run("uninstall")
    assert load(settings) == {"model": "opus"}
    assert list(settings.parent.rglob("*.md")) == []


def test_a_project_that_is_gone_does_not_hold_the_uninstall_up(make_box):
    box = make_box()
    box.run("install", "claude-code", "--scope", "local")
    box.root.rename(box.folder / "moved")
    box.run("uninstall", cwd=box.folder)
    assert not (box.home / "installs.json").exists()


def test_a_manifest_that_cannot_be_read_is_named(box):
    for data in (b"{", b"[]", b'{"version": 2, "installs": []}', b'{"version": 1, "installs": [{}]}'):
        (box.home / "installs.json").write_bytes(data)
        before = tree(box)
        for command in (["install", "claude-code"], ["uninstall"]):
            done = box.run(*command, code=1)
            assert f"target: {box.home / 'installs.json'}" in done.err
            assert "fix: Move it away" in done.err
        assert tree(box) == before


def test_the_home_folder_is_no_project(make_box):
    box = make_box(git=False)
    done = box.run("install", "claude-code", "--scope", "project", cwd=box.folder, code=1)
    assert "fix: Use --scope user." in done.err


def test_a_link_in_a_clone_cannot_send_our_texts_elsewhere(make_box):
    box = make_box()
    secret = box.folder / "precious"
    secret.write_text("keep me")
    skill = box.root / ".claude/skills/recollect/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.symlink_to(secret)
    before = tree(box)
    done = box.run("install", "claude-code", "--scope", "project", code=1)
    assert "SECURITY_ERROR" in done.err
    assert tree(box) == before


def test_a_draft_that_a_clone_brought_is_not_written_through(make_box):
    box = make_box()
    secret = box.folder / "precious"
    secret.write_text("keep me")
    (box.root / ".claude").mkdir()
    (box.root / ".claude/.settings.json.recollect-tmp").symlink_to(secret)
    box.run("install", "claude-code", "--scope", "project")
    assert secret.read_text() == "keep me"


def test_installed_tells_how_each_install_fares(make_box):
    box = make_box()
    assert install.installed(box.home) == []
    box.run("install", "claude-code")
    box.run("install", "claude-code", "--scope", "local")
    package = Path(recollect.__file__).parents[1]
    settings, local = settings_of(box), box.root / ".claude/settings.local.json"
    assert install.installed(box.home) == [
        install.Installed("claude-code", "user", settings, is_hooked=True, is_silent=True, missing=()),
        install.Installed("claude-code", "local", local, is_hooked=True, is_silent=True, missing=()),
    ]
    moved = settings.read_text().replace(f'"{sys.executable}"', '"/gone/python"').replace(f'"{package}"', '"/gone/src"')
    settings.write_text(moved)
    changed = load(local)
    del changed["hooks"]["Stop"]
    local.write_text(json.dumps(changed))
    user, own_local = install.installed(box.home)
    assert (user.is_hooked, user.missing) == (
        True,
        (Path("/gone/python"), Path("/gone/src"), Path("/gone/src/recollect")),
    )
    assert own_local.is_hooked is False
    settings.write_text("not JSON")
    local.unlink()
    assert [(one.is_hooked, one.missing) for one in install.installed(box.home)] == [(False, ()), (False, ())]


def test_a_client_that_we_do_not_know_is_wrong_usage(box):
    assert "claude-code" in box.run("install", "emacs", code=2).err


OWN = [own(event) for event in claude_code.HOOKED]
HANDLERS = st.sampled_from(
    [OTHERS, own("Stop"), {"type": "http", "url": "x"}, "odd", {"args": "recollect.hooks.dispatch"}]
)
GROUPS = st.one_of(
    st.fixed_dictionaries({"hooks": st.lists(HANDLERS, max_size=3)}, optional={"matcher": st.sampled_from(["", "B"])}),
    st.sampled_from(["odd", {"hooks": 7}, {}, None]),
)
EVENTS = st.sampled_from([*claude_code.HOOKED, "Notification", "é"])
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.floats(allow_nan=False, allow_infinity=False))
SETTINGS = st.builds(
    lambda rest, hooks: {**rest, **({} if hooks is None else {"hooks": hooks})},
    st.dictionaries(st.text().filter(lambda name: name != "hooks"), LEAVES, max_size=4),
    st.none() | st.dictionaries(EVENTS, st.lists(GROUPS, max_size=3), max_size=4),
)


def others(value) -> list[object]:
    """Everything in settings that is not ours, in order."""
    rest = [(name, one) for name, one in value.items() if name != "hooks"]
    for event, groups in value.get("hooks", {}).items():
        for group in groups:
            handlers = group.get("hooks") if isinstance(group, dict) else None
            if not isinstance(handlers, list):
                rest.append((event, group))
                continue
            rest += [(event, group.get("matcher"), one) for one in handlers if one not in OWN]
    return rest


@given(value=SETTINGS, indent=st.sampled_from([None, 1, "\t"]), is_ascii=st.booleans())
def test_hooks_go_in_once_and_come_out_and_nothing_else_moves(value, indent, is_ascii):
    before = json.dumps(value, indent=indent, ensure_ascii=is_ascii).encode("utf-8", "backslashreplace")
    groups = install.CLIENTS["claude-code"].groups()
    hooked = client_settings.hooked(before, groups, "x")
    assert others(json.loads(hooked)) == others(value)
    assert {event: len(own) for event, own in client_settings.own_handlers(hooked, "x").items()} == dict.fromkeys(
        claude_code.HOOKED, 1
    )
    assert client_settings.hooked(hooked, groups, "x") == hooked
    bare = client_settings.unhooked(hooked, "x", was_there=True)
    assert client_settings.own_handlers(bare, "x") == {}
    assert others(json.loads(bare)) == others(value)


# -- clients other than Claude Code ------------------------------------------------------------------------------------

FILES = {"codex": ".codex/hooks.json", "gemini": ".gemini/settings.json", "cursor": ".cursor/hooks.json"}
HOOKS = {
    "codex": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]},
    "gemini": {"AfterAgent": [{"matcher": "*", "hooks": [{"type": "command", "command": "say 'done"}]}]},
    "cursor": {"stop": [{"command": "say done"}, {"type": "prompt", "prompt": "done?"}], "odd": []},
}
others_clients = pytest.mark.parametrize("client", FILES)


def hooks_of(box, client: str, data: object = None) -> Path:
    """The file of a client that holds the user's hooks, with these bytes or this value in it."""
    path = box.folder / FILES[client]
    if data is not None:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return path


def commands(box, client: str) -> dict[str, list[dict[str, object]]]:
    """Our handlers by event."""
    return client_settings.own_handlers(hooks_of(box, client).read_bytes(), client)


@others_clients
def test_every_event_of_a_client_gets_one_command_for_its_shell(box, client):
    box.run("install", client)
    found, dialect = commands(box, client), install.CLIENTS[client].dialect
    assert list(found) == list(dialect.HOOKED)
    for event, [handler] in found.items():
        assert shlex.split(handler["command"]) == [*install.hook_command(), client, event]
        seconds = dialect.HOOKED[event][1]
        assert handler["timeout"] == (seconds * 1_000 if client == "gemini" else seconds)


def test_settings_have_the_shape_that_each_client_takes(box):
    for client in FILES:
        box.run("install", client)
    codex, gemini, cursor = (load(hooks_of(box, client)) for client in FILES)
    assert list(codex) == list(gemini) == ["hooks"]
    assert list(cursor) == ["version", "hooks"]
    assert cursor["version"] == 1
    assert codex["hooks"]["PreToolUse"][0]["matcher"] == "^(Bash|apply_patch)$"
    assert codex["hooks"]["Stop"][0].keys() == {"hooks"}
    assert codex["hooks"]["SessionStart"][0]["hooks"][0].keys() == {
        "type", "command", "timeout", "additionalContextLimit",
    }  # fmt: skip
    assert gemini["hooks"]["BeforeTool"][0]["hooks"][0].keys() == {"type", "name", "command", "timeout"}
    assert cursor["hooks"]["stop"][0].keys() == {"command", "timeout"}
    assert cursor["hooks"]["preToolUse"][0].keys() == {"command", "timeout", "matcher"}


@pytest.mark.parametrize(("client", "event"), [("codex", "PreToolUse"), ("gemini", "BeforeTool")])
def test_the_installed_command_answers(box, client, event):
    box.run("install", client)
    [handler] = commands(box, client)[event]
    tool = {"codex": "Bash", "gemini": "run_shell_command"}[client]
    said = {
        "session_id": "s",
        "cwd": str(box.root),
        "tool_name": tool,
        "tool_input": {"command": "rm -r .claude/memory"},
    }
    env = {**box.env, "RECOLLECT_DEADLINE_MS": "20000"}
    done = subprocess.run(
        ["sh", "-c", handler["command"]], input=json.dumps(said), env=env, cwd=box.root, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "recollect remember" in done.stdout
    assert json.loads(done.stdout)


@each("client", ["claude-code", *FILES])
def test_a_hook_whose_python_is_gone_is_silent(box, client):
    """Claude Code starts the program itself, the others hand the line to a shell."""
    box.run("install", client)
    path = settings_of(box) if client == "claude-code" else hooks_of(box, client)
    path.write_text(path.read_text().replace(sys.executable, "/gone/python"))
    found = client_settings.own_handlers(path.read_bytes(), client)
    assert set(found) == set(install.CLIENTS[client].dialect.HOOKED)
    [handler] = next(iter(found.values()))
    words = [handler["command"], *handler["args"]] if "args" in handler else ["sh", "-c", handler["command"]]
    said = b"x" * 1_000_000  # more than a pipe holds: whoever writes it must not be left alone with it
    done = subprocess.run(words, input=said, env=box.env, cwd=box.root, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("client", ["claude-code", *FILES])
def test_hooks_of_an_older_version_are_named_by_doctor_and_renewed_by_install(box, client):
    box.run("install", client)
    path = settings_of(box) if client == "claude-code" else hooks_of(box, client)
    current = path.read_bytes()
    path.write_bytes(client_settings.hooked(current, _older_groups(client), client, install.CLIENTS[client].base))
    [hooks] = [check for check in box.run("doctor", "--json", code=None).json if check["name"] == "hooks"]
    assert f"`recollect install {client}` renews them" in hooks["fix"]
    box.run("install", client)
    assert path.read_bytes() == current
    assert [one.is_silent for one in install.installed(box.home)] == [True]


def _older_groups(client: str) -> dict[str, dict[str, object]]:
    """Our entries as they were before: Python itself is the program."""
    words = [sys.executable, *install.hook_words(), client]
    groups = json.loads(json.dumps(install.CLIENTS[client].groups()))
    for event, group in groups.items():
        [handler] = group.get("hooks", [group])
        if "args" in handler:
            handler["command"], handler["args"] = words[0], [*words[1:], event]
        else:
            handler["command"] = shlex.join([*words, event])
    return groups


@others_clients
@pytest.mark.parametrize("manner", ODD)
def test_uninstall_puts_every_clients_settings_back_byte_for_byte(box, client, manner):
    hooks_of(box, client, ODD[manner])
    before = tree(box)
    box.run("install", client)
    assert tree(box) != before
    box.run("uninstall", client)
    assert tree(box) == before
    assert not (box.home / "installs.json").exists()


@others_clients
def test_uninstall_leaves_no_trace_of_any_client(box, client):
    before = tree(box)
    box.run("install", client)
    box.run("uninstall")
    assert tree(box) == before


@others_clients
def test_hooks_of_others_stay_whatever_the_client(box, client):
    path = hooks_of(box, client, {"version": 1, "hooks": HOOKS[client], "x": "ü"})
    box.run("install", client)
    after = load(path)
    for event, groups in HOOKS[client].items():
        assert after["hooks"][event][: len(groups)] == groups
    assert after["x"] == "ü"
    (box.home / "installs.json").unlink()
    box.run("uninstall", client)
    assert load(path) == {"version": 1, "hooks": HOOKS[client], "x": "ü"}


@others_clients
def test_a_second_install_of_any_client_changes_nothing(box, client):
    box.run("install", client)
    before = tree(box)
    assert "Already installed." in box.run("install", client).out
    assert tree(box) == before


@others_clients
def test_a_command_that_moved_is_replaced_in_its_place(box, client):
    path = hooks_of(box, client, {"version": 1, "hooks": HOOKS[client]})
    box.run("install", client)
    before = load(path)
    path.write_text(path.read_text().replace(sys.executable, "/old/python"))
    box.run("install", client)
    assert load(path) == before


@others_clients
def test_settings_that_changed_since_lose_our_hooks_alone(box, client):
    path = hooks_of(box, client)
    box.run("install", client)
    changed = load(path)
    changed["mine"] = True
    path.write_text(json.dumps(changed))
    assert "only our hooks" in box.run("uninstall").out
    assert load(path) == {**({"version": 1} if client == "cursor" else {}), "mine": True}


def test_a_file_that_we_made_for_cursor_goes_even_if_it_was_touched(box):
    before = tree(box)
    box.run("install", "cursor")
    path = hooks_of(box, "cursor")
    path.write_text(json.dumps(load(path)))
    box.run("uninstall")
    assert tree(box) == before


@others_clients
def test_a_dry_run_and_json_tell_what_any_client_would_get(box, client):
    before = tree(box)
    done = box.run("install", client, "--dry-run", "--json").json
    assert tree(box) == before
    assert done["installs"] == [{"client": client, "scope": "user", "settings": str(hooks_of(box, client))}]
    assert done["files"][-1]["hooks"] == list(install.CLIENTS[client].dialect.HOOKED)


@others_clients
def test_the_project_scope_of_any_client_lies_in_the_project(make_box, client):
    box = make_box()
    before = tree(box)
    done = box.run("install", client, "--scope", "project")
    assert "`--scope user` keeps it to yourself" in done.out
    assert (box.root / FILES[client]).exists()
    assert not hooks_of(box, client).exists()
    box.run("uninstall", client, "--scope", "project")
    assert tree(box) == before


@others_clients
@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_scope_that_a_client_does_not_have_is_wrong_usage(box, client, command):
    done = box.run(command, client, "--scope", "local", code=2)
    assert "has no local scope; use one of: user, project." in done.err


def test_the_local_scope_can_be_taken_out_where_one_client_has_it(make_box):
    box = make_box()
    box.run("install", "claude-code", "--scope", "local")
    box.run("install", "codex", "--scope", "project")
    box.run("uninstall", "--scope", "local")
    assert not (box.root / ".claude").exists()
    assert (box.root / ".codex/hooks.json").exists()


def test_codex_users_are_told_that_hooks_have_to_be_trusted(box):
    done = box.run("install", "codex")
    assert "enter `/hooks`" in done.out
    assert "whenever the command changes" in box.run("install", "codex", "--json").json["notes"][0]
    assert "/hooks" not in box.run("install", "gemini").out
    assert "/hooks`" not in box.run("uninstall").out


def test_other_files_of_clients_are_not_touched(box):
    for place in (".codex/config.toml", ".codex/AGENTS.md", ".gemini/GEMINI.md"):
        (box.folder / place).parent.mkdir(exist_ok=True)
        (box.folder / place).write_text("mine")
    before = tree(box)
    for client in FILES:
        box.run("install", client)
    assert before.items() <= tree(box).items()


@pytest.mark.parametrize(
    ("client", "variable", "place"),
    [("codex", "CODEX_HOME", "hooks.json"), ("gemini", "GEMINI_CLI_HOME", ".gemini/settings.json")],
)
def test_hooks_lie_where_the_client_is_told(box, client, variable, place):
    box.settings[variable] = str(box.folder / "elsewhere")
    box.run("install", client)
    assert (box.folder / "elsewhere" / place).exists()
    assert not hooks_of(box, client).exists()


def test_clients_get_the_skill_and_gemini_its_commands(box):
    for client in FILES:
        box.run("install", client)
        assert "{recollect}" not in (hooks_of(box, client).parent / "skills/recollect/SKILL.md").read_text()
    texts = [tomllib.loads(path.read_text()) for path in (box.folder / ".gemini/commands/recollect").iterdir()]
    assert len(texts) == 3
    for text in texts:
        assert text.keys() == {"description", "prompt"}
        assert "recollect " in text["prompt"]
        assert "{{args}}" in text["prompt"]
    assert not (box.folder / ".codex/commands").exists()


def test_doctor_knows_every_client_and_what_one_lacks(box):
    for client in ("claude-code", *FILES):
        box.run("install", client)
    assert [one.is_hooked and not one.missing for one in install.installed(box.home)] == [True] * 4
    checks = {check["name"]: check for check in box.run("doctor", "--json", code=None).json}
    assert checks["hooks"]["is_well"]
    for client in ("claude-code", *FILES):
        assert f"{client} (user)" in checks["hooks"]["says"]
    path = hooks_of(box, "cursor")
    path.write_text(path.read_text().replace(sys.executable, "/gone/python"))
    [gone] = [one for one in install.installed(box.home) if one.missing]
    assert (gone.client, gone.missing) == ("cursor", (Path("/gone/python"),))


FLAT = st.lists(
    st.sampled_from([{"command": "say"}, {"command": "say 'x"}, {"prompt": "p"}, "odd", {"command": 7}, {"hooks": 7}]),
    max_size=3,
)


@given(hooks=st.dictionaries(st.sampled_from(["stop", "preToolUse", "other"]), FLAT, max_size=3))
def test_flat_entries_go_in_once_and_come_out_and_nothing_else_moves(hooks):
    cursor = install.CLIENTS["cursor"]
    before = json.dumps({"version": 1, "hooks": hooks}).encode()
    hooked = client_settings.hooked(before, cursor.groups(), "x", cursor.base)
    assert {event: len(own) for event, own in client_settings.own_handlers(hooked, "x").items()} == dict.fromkeys(
        cursor.dialect.HOOKED, 1
    )
    assert client_settings.hooked(hooked, cursor.groups(), "x", cursor.base) == hooked
    bare = json.loads(client_settings.unhooked(hooked, "x", was_there=True))
    assert {event: entries for event, entries in bare.get("hooks", {}).items() if entries} == {
        event: entries for event, entries in hooks.items() if entries
    }


# -- what stays --------------------------------------------------------------------------------------------------------


def test_uninstall_says_what_it_leaves(box):
    box.run("install", "claude-code")
    box.run("remember", "kept after the uninstall")
    said = box.run("uninstall").out
    assert "Left: all memories, in ~/store" in said
    assert "Left: memory files in repositories" in said
    assert "recollect uninstall --data" in said
    assert box.run("list", "--json").json[0]["title"] == "kept after the uninstall"


def test_uninstall_with_data_deletes_our_folder_and_no_file_of_a_project(box):
    box.run("remember", "some words")
    files = sorted(box.vault.rglob("*.json"))
    assert "nobody can be asked" in box.run("uninstall", "--data", code=1).err
    assert box.home.exists()
    box.run("uninstall", "--data", "--dry-run")
    assert box.home.exists()
    assert "Deleted ~/store." in box.run("uninstall", "--data", "--yes").out
    assert not box.home.exists()
    assert sorted(box.vault.rglob("*.json")) == files


@pytest.mark.parametrize("variable", ["RECOLLECT_HOME", "LETSGO_HOME"])
def test_a_folder_with_files_of_others_is_not_deleted(box, variable):
    box.settings |= {"RECOLLECT_HOME": "", variable: str(box.folder)}
    (box.folder / "memory.db").touch()
    assert "other programs" in box.run("uninstall", "--data", "--yes", code=1).err
    assert box.folder.exists()


def test_an_agent_cannot_delete_the_data(box):
    box.settings["CLAUDECODE"] = "1"
    assert "only a person" in box.run("uninstall", "--data", "--yes", code=1).err
    assert box.home.exists()
