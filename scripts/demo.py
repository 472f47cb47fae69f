"""The main job, shown on a throw-away HOME and repository: `make demo`.

A recorded session of an agent is played through the real hook program, then a second one, which knows what the first
one learnt.
"""

import contextlib
import importlib.util
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from recollect.setup.install import hook_words

PROGRAM = Path(sys.executable).parent / "recollect"
SESSION = Path(__file__).with_name("demo_session.jsonl")


class Stage:
    """A folder that is gone afterwards, and a way to run commands in it."""

    def __init__(self, folder: Path) -> None:
        self.repo = folder / "shop"
        self.repo.mkdir()
        self.env = {
            "HOME": str(folder),
            "RECOLLECT_HOME": str(folder / "store"),
            "RECOLLECT_DEADLINE_MS": "10000",
            "PATH": os.pathsep.join([str(PROGRAM.parent), os.environ["PATH"]]),
            "GIT_CONFIG_GLOBAL": os.devnull,
            **{
                f"GIT_{who}_{what}": "demo@example.invalid"
                for who in ("AUTHOR", "COMMITTER")
                for what in ("NAME", "EMAIL")
            },
        }

    def quiet(self, *command: str) -> int:
        """Run a command that is not part of the show."""
        return subprocess.run(command, cwd=self.repo, env=self.env, check=False, capture_output=True).returncode

    def show(self, *command: str) -> None:
        """Print a command, then run it."""
        print(bold(f"\n$ {shlex.join(command)}"), flush=True)
        subprocess.run(command, cwd=self.repo, env=self.env, check=True)

    def say(self, text: str) -> None:
        """Tell what comes next."""
        print(f"\n# {text}", flush=True)

    def play(self, line: str) -> None:
        """Give an event to the hook program, exactly as a client does, and print what it answers."""
        said = line.replace("{repo}", str(self.repo))
        event = json.loads(said)
        native = event["hook_event_name"]
        about = event.get("prompt") or event.get("last_assistant_message") or event.get("tool_input") or ""
        print(bold(f"\n» {native}  ") + str(about).replace(str(self.repo), ".")[:150], flush=True)
        command = [sys.executable, *hook_words(), "claude-code", native]
        answer = subprocess.run(command, input=said.encode(), env=self.env, check=True, capture_output=True).stdout
        print(told(answer), flush=True)

    def settle(self) -> None:
        """Let the worker finish what was noted."""
        while self.quiet(str(PROGRAM), "drain"):
            pass


def bold(text: str) -> str:
    return f"\033[1m{text}\033[0m" if sys.stdout.isatty() else text


def told(answer: bytes) -> str:
    """What the model is told, indented."""
    if not answer:
        return "   (nothing to say)"
    said = json.loads(answer)["hookSpecificOutput"]
    text = said.get("additionalContext") or f"refused: {said['permissionDecisionReason']}"
    return "\n".join(f"   │ {line}" for line in text.splitlines())


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        perform(Stage(Path(folder)))


def perform(stage: Stage) -> None:
    stage.quiet("git", "init", "-q", "-b", "main")
    stage.quiet("git", "commit", "-q", "--allow-empty", "-m", "start")
    stage.say("Keep memories as files in this repository, and remember two things by hand.")
    stage.show("recollect", "init")
    stage.show(
        "recollect", "remember", "Use pnpm, never npm", "--kind", "preference", "--why", "the lockfile is pnpm's",
        "--set", "strength=strong",
    )  # fmt: skip
    stage.show(
        "recollect", "remember", "Postgres for orders", "--kind", "decision", "--why", "we need transactions",
        "--tag", "database",
    )  # fmt: skip
    events = SESSION.read_text("utf-8").splitlines()
    first = json.loads(events[0])["session_id"]
    stage.say("A recorded session of an agent, through the hook program that `recollect install claude-code` wires.")
    for line in events:
        if first in line:
            stage.play(line)
    stage.settle()
    stage.say("The next session knows: by itself at the start, and when a prompt is about it. Or it is told nothing.")
    for line in events:
        if first not in line:
            stage.play(line)
    stage.settle()
    stage.say("What was considered, told and left out, and what happened, is there to see.")
    stage.show("recollect", "session", "tail", "--no-follow")
    stage.show("recollect", "timeline")
    stage.show("recollect", "why", shown_receipt(stage))
    stage.say("Everything can be changed, and every change can be taken back.")
    stage.show("recollect", "retire", "use-pnpm-never-npm", "--reason", "we moved to bun")
    stage.show("recollect", "undo")
    stage.show("recollect", "list")
    stage.show("recollect", "doctor")
    stage.say("All of it is in a browser, too: search as an agent sees it, origins, review, sessions, figures.")
    show_page(stage)


def show_page(stage: Stage) -> None:
    """Open the page on the demo's store where there is a display, until Ctrl-C; elsewhere name the command."""
    has_display = sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    has_page = all(importlib.util.find_spec(name) for name in ("starlette", "uvicorn", "jinja2"))
    if not (has_display and has_page and sys.stdout.isatty()):
        print("   recollect open     (there is no display here, so it is not started; docs/page.md has pictures)")
        return
    shown = ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "BROWSER", "XAUTHORITY")
    stage.env |= {name: os.environ[name] for name in shown if name in os.environ}
    with contextlib.suppress(KeyboardInterrupt, subprocess.CalledProcessError):
        stage.show("recollect", "open")


def shown_receipt(stage: Stage) -> str:
    """The receipt of the last prompt that was told something."""
    command = [str(PROGRAM), "session", "tail", "--no-follow", "--json"]
    lines = subprocess.run(command, cwd=stage.repo, env=stage.env, check=True, capture_output=True, text=True).stdout
    found = [json.loads(line) for line in lines.splitlines()]
    told_something = [one for one in found if one["state"] == "told" and " 0 shown" not in one["says"]]
    return str(told_something[-1]["key"]).removeprefix("receipt ")


if __name__ == "__main__":
    main()
