"""A box: a throw-away HOME, a project, and the program, in this process or as a real one; and drafts to write."""

import contextlib
import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from forking import Forked, run_program

from recollect.cli import main
from recollect.pipeline import worker

NOW = "2026-03-01T12:00:00Z"
GIT_ENV = {
    "GIT_AUTHOR_NAME": "tester",
    "GIT_AUTHOR_EMAIL": "tester@example.invalid",
    "GIT_COMMITTER_NAME": "tester",
    "GIT_COMMITTER_EMAIL": "tester@example.invalid",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
}

IN_GIT = pytest.mark.parametrize("has_git", [True], ids=["in git"])  # where a folder does not have one otherwise

_numbers = itertools.count()
_resting: dict[Path, int] = {}


@dataclass
class Done:
    """What a run of the program printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass
class Box:
    """One user on one project."""

    folder: Path
    home: Path
    root: Path
    now: str | None = NOW
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def env(self) -> dict[str, str]:
        chosen = {"RECOLLECT_NOW": self.now} if self.now else {}
        return {
            "HOME": str(self.folder),
            "PATH": os.environ["PATH"],
            "TMPDIR": tempfile.gettempdir(),
            "RECOLLECT_HOME": str(self.home),
            "RECOLLECT_CONFIG": str(self.folder / "config.toml"),
            "RECOLLECT_RECALL__VECTORS": "off",  # they take a second to make, and few tests are about them
            **GIT_ENV,
            **chosen,
            **self.settings,
        }

    def bring(self, *memories: dict[str, Any], at: str | None = None) -> list[str]:
        """Take memories in as another store exported them; what they leave open is made up. Their ids."""
        lines = []
        for fields in memories:
            number = next(_numbers)
            title = fields.get("title", f"A memory with the number {number}")
            made_up = {
                "uid": f"019c{number:020x}", "slug": f"m{number}", "kind": "note", "title": title,
                "content": {"text": title}, "project": f"path:{self.root}", "created_at": at or self.now,
                "updated_at": at or self.now,
            }  # fmt: skip
            lines.append(made_up | fields)
        place = self.folder / "brought.jsonl"
        place.write_text("".join(json.dumps(one) + "\n" for one in lines), "utf-8")
        assert self.run("import", str(place), "--exact", "--json").json["problems"] == []
        return [one["uid"] for one in lines]

    @property
    def vault(self) -> Path:
        return self.root / ".claude" / "memory"

    def run(self, *args: str, stdin: str | None = None, cwd: Path | None = None, code: int | None = 0) -> Done:
        """Run the program in this process; `code` is the exit code that is expected (None: any)."""
        before, env = dict(os.environ), self.env
        os.environ.clear()
        os.environ.update(env)
        try:
            with contextlib.chdir(cwd or self.root):
                found = CliRunner().invoke(main, list(args), input=stdin)
        finally:
            os.environ.clear()
            os.environ.update(before)
        if found.exception and not isinstance(found.exception, SystemExit):
            raise found.exception
        done = Done(found.exit_code, found.stdout, found.stderr)
        assert code is None or done.code == code, f"{args} → {done}"
        return done

    def accept(self, verb: str = "trust", *flags: str, cwd: Path | None = None) -> Done:
        """Trust or initialise what is here, by the hash of what was shown."""
        shown = self.run("trust", "--dry-run", "--json", cwd=cwd).json
        return self.run(verb, "--accept", shown["hash"], *flags, cwd=cwd)

    def start(self, *args: str, cwd: Path | None = None, prefix: tuple[str, ...] = ()) -> subprocess.Popen[str]:
        """Start the program as a process of its own."""
        command = [*prefix, sys.executable, "-c", "from recollect.cli import main; main()", *args]
        return subprocess.Popen(
            command, cwd=cwd or self.root, env=self.env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def fork(self, *args: str, function: Callable[..., None] = run_program, **how: Any) -> Forked:
        """The same, or a function, without the wait for an interpreter; `limit` and the like are as `Forked` has it."""
        return Forked(function, args, **{"env": self.env, "cwd": self.root, **how})

    def rest(self) -> None:
        """From now on a worker that a hook starts finds another at it, and ends at once, until `wake`."""
        if self.home not in _resting and self.home.is_dir() and (holder := worker.take_lock(str(self.home))):
            _resting[self.home] = holder

    def wake(self) -> None:
        if self.home in _resting:
            os.close(_resting.pop(self.home))

    def git(self, *args: str, cwd: Path | None = None) -> str:
        done = subprocess.run(
            ["git", *args], cwd=cwd or self.root, env=self.env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout

    def draft(self, record: object, name: str = "draft.json") -> str:
        """A draft file for `write --input`, below /tmp."""
        path = self.folder / name
        path.write_text(record if isinstance(record, str) else json.dumps(record), "utf-8")
        return str(path)

    def file(self, path: str) -> dict[str, Any]:
        """A vault file, read as JSON; the path is from the vault's root."""
        return json.loads((self.vault / path).read_text("utf-8"))

    def index(self) -> list[str]:
        """The lines of index.md."""
        return [line for line in (self.vault / "index.md").read_text("utf-8").splitlines() if line.startswith("- ")]


def decision(**fields: Any) -> dict[str, Any]:
    """A valid draft of a decision."""
    content = {"status": "accepted", "context": "storage", "decision": "use SQLite", "rationale": ["one file"]}
    return {
        "schema_version": "1.0",
        "category": "decision",
        "id": "use-sqlite",
        "title": "Use SQLite for storage",
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z",
        "tags": ["sqlite", "storage"],
        "content": content,
        **fields,
    }
