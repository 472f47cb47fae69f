"""A box: a throw-away HOME, a project, and the program, in this process or as a real one; and drafts to write."""

import contextlib
import itertools
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
import pytest
from click.testing import CliRunner
from forking import Forked, run_program

from recollect.faces.cli import main
from recollect.hooks import spawn
from recollect.pipeline import worker
from recollect.project.checkout import find_checkout

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

# Where a store says which project and which store it is, after `init`.
OWN_COLUMNS = {
    "journal": ("project", "after"),
    "checkouts": ("root", "project", "clone"),
    "settings": ("name", "value"),
}

WORKER_SECONDS = 60
_numbers = itertools.count()
_models_folder = tempfile.TemporaryDirectory(prefix="boxes-")
_models: dict[tuple[Any, ...], "Box"] = {}
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
    starts_workers: bool = False  # whether a hook that is run in this process starts a worker, as it does at a user's
    workers_asked_for: int = 0

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
        with self.living(), contextlib.chdir(cwd or self.root):
            found = CliRunner().invoke(main, list(args), input=stdin)
        if found.exception and not isinstance(found.exception, SystemExit):
            raise found.exception
        done = Done(found.exit_code, found.stdout, found.stderr)
        assert code is None or done.code == code, f"{args} → {done}"
        return done

    @contextlib.contextmanager
    def living(self) -> Iterator[None]:
        """This process as the user's own: with this environment, and workers only where `starts_workers` says so."""
        before, env, start = dict(os.environ), self.env, spawn.worker
        os.environ.clear()
        os.environ.update(env)
        if not self.starts_workers:
            spawn.worker = self._ask_for_worker
        try:
            yield
        finally:
            spawn.worker = start
            os.environ.clear()
            os.environ.update(before)

    def _ask_for_worker(self, env: Mapping[str, str]) -> None:
        """Count a worker instead of starting its process, which costs more than most tests: `drain` does its work."""
        assert env
        self.workers_asked_for += 1

    def accept(self, verb: str = "trust", *flags: str, cwd: Path | None = None) -> Done:
        """Trust or initialise what is here, by the hash of what was shown."""
        shown = self.run("trust", "--dry-run", "--json", cwd=cwd).json
        return self.run(verb, "--accept", shown["hash"], *flags, cwd=cwd)

    def start(self, *args: str, cwd: Path | None = None, prefix: tuple[str, ...] = ()) -> subprocess.Popen[str]:
        """Start the program as a process of its own."""
        command = [*prefix, sys.executable, "-c", "from recollect.faces.cli import main; main()", *args]
        return subprocess.Popen(
            command, cwd=cwd or self.root, env=self.env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def fork(self, *args: str, function: Callable[..., None] = run_program, **how: Any) -> Forked:
        """The same, or a function, without the wait for an interpreter; `limit` and the like are as `Forked` has it."""
        return Forked(function, args, **{"env": self.env, "cwd": self.root, **how})

    def init(self, *flags: str) -> None:
        """Leave what `init` leaves in a new project; a copy of one that was made before costs a tenth of the time."""
        model = _model(flags, self)
        shutil.copytree(model.folder, self.folder, dirs_exist_ok=True)
        own = {str(model.root): str(self.root), str(model.folder): str(self.folder)}
        own[_store_id(model)] = secrets.token_hex(8)
        if (self.root / ".git").exists():
            own = {find_checkout(model.root).clone: find_checkout(self.root).clone, **own}
        for path, (old, new) in itertools.product(("journal.jsonl", "runtime/vaults"), own.items()):
            place = self.home / path
            place.write_text(place.read_text("utf-8").replace(old, new), "utf-8")
        with contextlib.closing(apsw.Connection(str(self.home / "memory.db"))) as db, db:
            for (table, columns), (old, new) in itertools.product(OWN_COLUMNS.items(), own.items()):
                for column in columns:
                    db.execute(f"UPDATE {table} SET {column} = replace({column}, ?, ?)", (old, new))

    def rest(self) -> None:
        """From now on a worker that a hook starts finds another at it, and ends at once, until `wake`."""
        if self.home not in _resting and self.home.is_dir() and (holder := worker.take_lock(str(self.home))):
            _resting[self.home] = holder

    def wake(self) -> None:
        """End the rest, once the workers that were started meanwhile have ended."""
        if self.home in _resting:
            end = time.monotonic() + WORKER_SECONDS
            while self._has_worker():
                assert time.monotonic() < end, "a worker does not end"
                time.sleep(0.01)
            os.close(_resting.pop(self.home))

    def _has_worker(self) -> bool:
        for place in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # it ended meanwhile, or is another user's
                is_worker = b"recollect.pipeline.worker" in (place / "cmdline").read_bytes()
                if is_worker and f"={self.home}".encode() in (place / "environ").read_bytes():
                    return True
        return False

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
        found: dict[str, Any] = json.loads((self.vault / path).read_text("utf-8"))
        return found

    def index(self) -> list[str]:
        """The lines of index.md."""
        return [line for line in (self.vault / "index.md").read_text("utf-8").splitlines() if line.startswith("- ")]


def _model(flags: tuple[str, ...], box: Box) -> Box:
    """A box like another one, in which `init` was run."""
    kind = (flags, (box.root / ".git").exists(), box.now, tuple(sorted(box.settings.items())))
    if kind not in _models:
        folder = Path(_models_folder.name, str(len(_models)), "user")
        model = Box(folder, folder / "store", folder / "project", box.now, dict(box.settings))
        model.root.mkdir(parents=True)
        if (box.root / ".git").exists():
            model.git("init", "-q", "-b", "main")
        model.run("init", *flags)
        with contextlib.closing(apsw.Connection(str(model.home / "memory.db"))) as db:
            db.pragma("wal_checkpoint(TRUNCATE)")
        _models[kind] = model
    return _models[kind]


def _store_id(box: Box) -> str:
    first = (box.home / "journal.jsonl").read_text("utf-8").splitlines()[0]
    return str(json.loads(first)["store"])


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
