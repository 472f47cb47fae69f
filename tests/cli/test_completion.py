"""`recollect completion`: scripts for three shells, and the names that they complete."""

import os
import shutil
import subprocess
import sys

import pytest
from telling import PNPM, Telling
from terminals import typed_in_a_shell

PROGRAM = [sys.executable, "-c", "from recollect.faces.cli import main; main(prog_name='recollect')"]


@pytest.fixture
def has_git():
    return False


def completed(box, *words, **env):
    """What a shell offers for the last of the words."""
    asking = {
        "_RECOLLECT_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(["recollect", *words]),
        "COMP_CWORD": str(len(words)),
    }  # fmt: skip
    done = subprocess.run(
        PROGRAM, cwd=box.root, env=box.env | asking | env, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    return [line.partition(",")[2] for line in done.stdout.splitlines() if line]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_calls_the_program_silently(box, shell):
    script = box.run("completion", shell).out
    assert f"_RECOLLECT_COMPLETE={shell}_complete" in script
    assert "2>/dev/null" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True, timeout=60)


# How each shell is started without a person's own files, and how its script is switched on, as docs say.
SHELLS = {
    "bash": (["--norc", "--noprofile", "-i"], 'eval "$(recollect completion bash)"'),
    "zsh": (["-f", "-i"], 'autoload -Uz compinit && compinit -u -D; eval "$(recollect completion zsh)"'),
    "fish": (["--no-config", "-i"], "recollect completion fish | source"),
}


@pytest.fixture
def bin_folder(box):
    """A folder with the program under its name, as a shell finds it."""
    folder = box.folder / "bin"
    folder.mkdir()
    program = folder / "recollect"
    program.write_text(f"#!{sys.executable}\nfrom recollect.faces.cli import main\nmain(prog_name='recollect')\n")
    program.chmod(0o755)
    return folder


@pytest.mark.parametrize("shell", [shell for shell in SHELLS if shutil.which(shell)])  # bash is everywhere
def test_a_name_is_completed_where_it_is_typed(box, bin_folder, shell):
    box.run("remember", "some words", "--title", "Walnut policy")
    flags, script = SHELLS[shell]
    env = {"PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}", "PS1": "ready> ", "PROMPT": "ready> "}
    shown = typed_in_a_shell(box, [shell, *flags], script, ("recollect show wal\t", "walnut-policy"), "exit", **env)
    assert "some words" in shown


def test_commands_and_options_are_completed(box):
    assert completed(box, "rem") == ["remember"]
    assert "--dry-run" in completed(box, "undo", "--")
    assert completed(box, "completion", "z") == ["zsh"]


def test_memories_kinds_sessions_and_settings_are_completed(box):
    Telling(box).asks(PNPM).answers("Ok.").ends().drained()
    box.run("remember", "some words", "--title", "Walnut policy")
    assert completed(box, "show", "wal") == ["walnut-policy"]
    assert completed(box, "merge", "walnut-policy", "wal") == ["walnut-policy"]
    assert completed(box, "list", "--kind", "deci") == ["decision"]
    assert completed(box, "timeline", "--session", "5b1") == ["5b1f0c8e-2d4a-4f6b-9a37-6c0d1e2f3a4b"]
    assert completed(box, "config", "get", "recall.pro") == ["recall.profile"]
    assert completed(box, "jobs", "run", "wal") == []
    assert completed(box, "jobs", "run", "wei") == ["weigh"]


def test_where_nothing_can_be_read_it_stays_silent(box):
    (box.home / "memory.db").write_bytes(b"no database")
    assert completed(box, "show", "wal") == []
    assert completed(box, "show", "wal", RECOLLECT_HOME="/nowhere/at/all") == []
