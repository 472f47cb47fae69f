"""Install the wheels of a folder into a fresh environment and use them: `python scripts/smoke_wheel.py dist`.

Exits with 1 at the first step that fails. The steps are those of a new user: version, remember, recall, a hook's
answer, and `eval` without and with the package of data sets.
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

PROMPT = '{"session": "s1", "folder": "%s", "turn": "t1", "prompt": "how are releases shipped to production?"}'


class Smoke:
    """A fresh environment with its own home, and the commands that run in it."""

    def __init__(self, folder: Path, wheels: Path) -> None:
        self.wheels, self.project = wheels, folder / "project"
        self.project.mkdir()
        venv.create(folder / "env", with_pip=True)
        self.bin = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("RECOLLECT_", "PYTHON"))}
        self.env = {**kept, "HOME": str(folder), "RECOLLECT_HOME": str(folder / "store")}

    def install(self, name: str) -> None:
        """Install the one wheel of a distribution."""
        wheel = next(self.wheels.glob(f"{name}-*.whl"))
        self.run("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel))

    def run(self, program: str, *arguments: str, stdin: str = "", code: int = 0, says: str = "") -> None:
        """Run a program of the environment; raises SystemExit if its exit code or its output is another one."""
        done = subprocess.run(
            [str(self.bin / program), *arguments], cwd=self.project, env=self.env, input=stdin, capture_output=True,
            text=True, encoding="utf-8", check=False,
        )  # fmt: skip
        said = done.stdout + done.stderr
        if done.returncode != code or says not in said:
            sys.exit(f"{program} {' '.join(arguments)} ended with {done.returncode}, without {says!r}:\n{said}")
        print(f"ok: {program} {' '.join(arguments)[:80]}")


def main(wheels: Path) -> None:
    """Run every step in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="recollect-smoke-", ignore_cleanup_errors=True) as folder:
        smoke = Smoke(Path(folder).resolve(), wheels.resolve())
        smoke.install("recollect")
        smoke.run("recollect", "--version", says="recollect")
        smoke.run("recollect", "remember", "Releases are shipped to production behind a flag")
        smoke.run("recollect", "recall", "how are releases shipped?", says="behind a flag")
        event = PROMPT % smoke.project.as_posix()
        smoke.run("recollect", "hook", "generic", "PromptSubmitted", stdin=event, says="behind a flag")
        smoke.run("recollect", "doctor")
        smoke.run("recollect", "eval", "--dataset", "coding", code=1, says="pip install ./packages/recollect-eval-data")
        smoke.install("recollect_eval_data")
        smoke.run("recollect", "eval", "--dataset", "coding", "--limit", "2", says="recall@1")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "dist"))
