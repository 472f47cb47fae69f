"""Make the fixture of tests/upgrade: the files of a user of an earlier version.

Run it with that version's Python, in which `recollect` and its program are installed:

    /path/to/the/old/checkout/.venv/bin/python scripts/make_upgrade_fixture.py tests/upgrade/version-0.1.tar.gz

The store names absolute paths, so everything is made below one fixed folder (FOLDER), and the paths of the old Python
are replaced by names in that folder. `tests/upgrade/unpacking.py` puts the paths of the test's own machine in their
place.
"""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import apsw

import recollect

FOLDER = Path("/tmp/recollect-upgrade")  # noqa: S108 - a fixed name, so that the store names it wherever it is made
HOME, PROJECT = FOLDER / "store", FOLDER / "project"
SETTINGS = FOLDER / ".claude" / "settings.json"
SETTINGS_BEFORE = (
    b'{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],\n'
    b'\t\t"PreToolUse": [ {"matcher": "Bash", "hooks": [{"type": "command", "command": "./check.sh"}]} ]\n\t},\n'
    b'\t"env": {"CAF\xc3\x89": "1"}\n}'
)
NOW = "2026-03-01T12:00:00Z"
GIT_FILES_MADE = 1_772_366_400  # seconds; a clone is recognised by when its `description` was written
PROGRAM = Path(sys.executable).with_name("recollect")
PLACES = {  # the old Python's paths in settings and hook-command, and the names that the fixture has for them
    sys.executable: FOLDER / "python",
    str(Path(recollect.__file__).parents[1]): FOLDER / "src",
    str(Path(apsw.__file__).parents[1]): FOLDER / "site-packages",
}
ENV = {
    "HOME": str(FOLDER),
    "PATH": os.pathsep.join([str(PROGRAM.parent), os.environ["PATH"]]),
    "RECOLLECT_HOME": str(HOME),
    "RECOLLECT_CONFIG": str(FOLDER / "config.toml"),
    "RECOLLECT_NOW": NOW,
    "RECOLLECT_DEADLINE_MS": "10000",
    "RECOLLECT_RECALL__VECTORS": "off",  # derived data of 2 MB, which would be most of the fixture
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_DATE": NOW,
    "GIT_COMMITTER_DATE": NOW,
    **{f"GIT_{who}_{what}": "tester@example.invalid" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}
REMEMBERED = (
    ("Orders are stored in Postgres", "--kind", "decision", "--why", "orders need transactions", "--tag", "database"),
    ("Use pnpm, never npm", "--kind", "preference", "--why", "the lockfile is pnpm's", "--set", "strength=strong"),
    ("Restart the payment queue", "--kind", "runbook", "--set", "steps=make queue-restart", "--set",
     "verification=make queue-status"),
    ("The staging server sleeps at night", "--tag", "staging", "--file", "deploy/staging.yml"),
    ("Invoices are rounded to whole cents", "--tag", "invoices"),
    ("The old search service is still needed", "--tag", "search"),
)  # fmt: skip
DONE_SESSION, WAITING_SESSION = "0f7b1d52-7a37-4c1c-9a55-000000000001", "0f7b1d52-7a37-4c1c-9a55-000000000002"


def events(session: str, prompt: str, file: str, error: str, answer: str) -> list[dict[str, object]]:
    """Build the events of a small session, as Claude Code sends them."""
    common = {"session_id": session, "transcript_path": "", "cwd": str(PROJECT)}
    place = str(PROJECT / file)
    bodies: list[dict[str, object]] = [
        {"hook_event_name": "SessionStart", "source": "startup"},
        {"hook_event_name": "UserPromptSubmit", "prompt": prompt, "prompt_id": "p1"},
        {"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": {"command": "make test"},
         "tool_use_id": "t1", "error": error, "is_interrupt": False},
        {"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_use_id": "t2",
         "tool_input": {"file_path": place, "old_string": "a", "new_string": "b"},
         "tool_response": {"filePath": place}},
        {"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": "t3",
         "tool_input": {"command": "make test"}, "tool_response": {"stdout": "12 passed", "stderr": ""}},
        {"hook_event_name": "Stop", "stop_hook_active": False, "last_assistant_message": answer},
        {"hook_event_name": "SessionEnd", "reason": "other"},
    ]  # fmt: skip
    return [{**common, **body} for body in bodies]


def run(*command: str, stdin: bytes = b"") -> bytes:
    """Run a command in the project; its output."""
    done = subprocess.run(command, cwd=PROJECT, env=ENV, input=stdin, check=False, capture_output=True)
    if done.returncode:
        raise SystemExit(f"{command}: {done.stdout.decode()}{done.stderr.decode()}")
    return done.stdout


def program(*words: str) -> bytes:
    """Run the old version's program; its output."""
    return run(str(PROGRAM), *words)


def send(event: dict[str, object]) -> None:
    """Send an event as the client does: by the command line that `install` wrote into its settings."""
    groups = json.loads(SETTINGS.read_bytes())["hooks"][event["hook_event_name"]]
    handler = next(handler for group in groups for handler in group["hooks"] if "args" in handler)
    run(handler["command"], *handler["args"], stdin=json.dumps(event).encode())


def make_repository() -> None:
    PROJECT.mkdir()
    run("git", "init", "-q", "-b", "main", "--template=")
    (PROJECT / "README.md").write_text("# A shop\n")
    description = PROJECT / ".git" / "description"
    description.write_text("A shop\n")
    os.utime(description, (GIT_FILES_MADE, GIT_FILES_MADE))
    run("git", "add", ".")
    run("git", "commit", "-q", "-m", "start")


def make_memories() -> None:
    program("init")
    for text, *options in REMEMBERED:
        program("remember", text, *options)
    program("fact", "add", "checkout", "uses", "stripe")
    program("fact", "add", "orders", "stored_in", "postgres", "--confidence", "0.8")
    program("retire", "the-old-search-service-is-still-needed", "--reason", "it was shut down")


def hold_worker_lock() -> int:
    """Wait until no worker is at work, and keep every later one from starting."""
    handle = os.open(HOME / "worker.lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(handle, fcntl.LOCK_EX)
    return handle


def make_sessions() -> None:
    """One session that is worked through and has receipts, and one whose events wait in the inbox."""
    handle = hold_worker_lock()
    for event in events(
        DONE_SESSION, "Where are the orders stored, and why Postgres?", "shop/orders.py",
        "relation orders does not exist",
        "The tests created no tables. shop/orders.py now migrates first, and make test passes.",
    ):  # fmt: skip
        send(event)
    os.close(handle)
    while list((HOME / "inbox").glob("*.event")):  # a worker that the last hook started may be at it
        subprocess.run([PROGRAM, "drain"], cwd=PROJECT, env=ENV, check=False, capture_output=True)
    hold_worker_lock()  # until this process ends
    program("edit", "invoices-are-rounded-to-whole-cents", "--text", "Invoices are rounded up to whole cents")
    for event in events(
        WAITING_SESSION, "From now on always run make lint before you commit. Why is the payment queue stuck?",
        "shop/queue.py", "QueueFull: 100 payments wait",
        "The consumer never acknowledged payments. shop/queue.py now does, and make test passes.",
    ):  # fmt: skip
        send(event)


def close_database() -> None:
    """Bring everything into the one file of the database."""
    db = apsw.Connection(str(HOME / "memory.db"))
    db.execute("PRAGMA journal_mode = DELETE; VACUUM; PRAGMA journal_mode = WAL")
    db.close()


def hide_machine() -> None:
    """Replace the paths of the old Python; the manifest recognises files by their hash, which changes with that."""
    manifest_file = HOME / "installs.json"
    manifest = json.loads(manifest_file.read_bytes())
    for file in manifest["installs"][0]["files"]:
        place = Path(file["path"])
        if file["wrote"] != [hashlib.sha256(place.read_bytes()).hexdigest()]:
            raise SystemExit(f"{place} is not what install wrote")
        replace_paths(place)
        file["wrote"] = [hashlib.sha256(place.read_bytes()).hexdigest()]
    manifest_file.write_text(json.dumps(manifest, indent=1))
    replace_paths(HOME / "hook-command")


def replace_paths(place: Path) -> None:
    text = place.read_text("utf-8")
    for path, name in sorted(PLACES.items(), key=lambda pair: -len(pair[0])):
        text = text.replace(path, str(name))
    place.write_text(text, "utf-8")


def check_nothing_leaks() -> None:
    """Raise SystemExit where a file names a path of this machine."""
    for place in FOLDER.rglob("*"):
        if place.is_file():
            for path in (*PLACES, str(Path.home()), str(Path(recollect.__file__).parents[2])):
                if path.encode() in place.read_bytes():
                    raise SystemExit(f"{place} names {path}")


def pack(target: Path) -> None:
    with tarfile.open(target, "w:gz", compresslevel=9) as archive:
        archive.add(FOLDER, arcname=".", filter=as_nobodys)


def as_nobodys(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def main() -> None:
    target = Path(sys.argv[1]).absolute()
    FOLDER.mkdir(mode=0o700)
    try:
        make_repository()
        make_memories()
        SETTINGS.parent.mkdir()
        SETTINGS.write_bytes(SETTINGS_BEFORE)
        (FOLDER / "settings-before.json").write_bytes(SETTINGS_BEFORE)
        program("install", "claude-code", "--yes")
        make_sessions()
        close_database()
        hide_machine()
        check_nothing_leaks()
        pack(target)
    finally:
        shutil.rmtree(FOLDER)
    print(f"{target}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
