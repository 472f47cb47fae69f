"""The main job, shown on a throw-away HOME and repository: `make demo`."""

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = Path(sys.executable).parent / "recollect"


class Stage:
    """A folder that is gone afterwards, and a way to run commands in it."""

    def __init__(self, folder: Path) -> None:
        self.repo = folder / "shop"
        self.repo.mkdir()
        self.env = {
            "HOME": str(folder),
            "RECOLLECT_HOME": str(folder / "store"),
            "PATH": os.pathsep.join([str(PROGRAM.parent), os.environ["PATH"]]),
            "GIT_CONFIG_GLOBAL": os.devnull,
            **{
                f"GIT_{who}_{what}": "demo@example.invalid"
                for who in ("AUTHOR", "COMMITTER")
                for what in ("NAME", "EMAIL")
            },
        }

    def quiet(self, *command: str) -> None:
        """Run a command that is not part of the show."""
        subprocess.run(command, cwd=self.repo, env=self.env, check=True, capture_output=True)

    def show(self, *command: str) -> None:
        """Print a command, then run it."""
        print(
            f"\n\033[1m$ {shlex.join(command)}\033[0m" if sys.stdout.isatty() else f"\n$ {shlex.join(command)}",
            flush=True,
        )
        subprocess.run(command, cwd=self.repo, env=self.env, check=True)

    def say(self, text: str) -> None:
        """Tell what comes next."""
        print(f"\n# {text}", flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        play(Stage(Path(folder)))


def play(stage: Stage) -> None:
    stage.quiet("git", "init", "-q", "-b", "main")
    stage.quiet("git", "commit", "-q", "--allow-empty", "-m", "start")

    stage.say("Keep memories as files in this repository, and remember a few things.")
    stage.show("recollect", "init")
    stage.show(
        "recollect", "remember", "Use pnpm, never npm", "--kind", "preference", "--why", "the lockfile is pnpm's"
    )
    stage.show(
        "recollect", "remember", "Postgres for orders", "--kind", "decision", "--why", "we need transactions",
        "--tag", "database", "--set", "context=Orders and payments change together",
    )  # fmt: skip
    stage.show("recollect", "remember", "The staging deploy takes about ten minutes")
    stage.show("recollect", "list")
    stage.show("recollect", "show", "postgres-for-orders")

    stage.say("Edit a file with any editor: the change is taken in.")
    note = next(stage.repo.glob(".claude/memory/notes/*.json"))
    record = json.loads(note.read_text("utf-8"))
    record["content"]["text"] = "The staging deploy takes about four minutes since the cache"
    note.write_text(json.dumps(record, indent=2), "utf-8")
    stage.show("recollect", "reconcile")
    stage.show("recollect", "show", "the-staging-deploy-takes-about-ten-minutes")

    stage.say("Switch to a branch without these files and back: nothing is lost, nothing is retired.")
    stage.quiet("git", "branch", "before-memories")
    stage.quiet("git", "add", "-A")
    stage.quiet("git", "commit", "-q", "-m", "memories")
    stage.show("git", "switch", "-q", "before-memories")
    stage.show("recollect", "reconcile")
    stage.show("git", "switch", "-q", "main")
    stage.show("recollect", "list")

    stage.say("Retire what is no longer true, and change your mind.")
    stage.show("recollect", "retire", "use-pnpm-never-npm", "--reason", "we moved to bun")
    stage.show("recollect", "undo")
    stage.show("recollect", "list")
    stage.show("recollect", "doctor")


if __name__ == "__main__":
    main()
