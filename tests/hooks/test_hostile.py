"""Whatever a client sends, and wherever we are run: the client goes on, nothing is lost, and a person can find out."""

import compileall
import contextlib
import inspect
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import platformdirs
import pytest
from builders import Box
from hypothesis import given
from hypothesis import strategies as st
from tables import each

from recollect import paths
from recollect.clients import claude_code, mcp
from recollect.hooks import inbox, wiring
from recollect.lazy import load_handler
from recollect.pipeline import worker
from recollect.pipeline.inbox_event import InboxEvent
from recollect.setup.doctor import capabilities
from recollect.setup.install import hook_words
from recollect.store.hook_reader import connection, event_json
from recollect.store.sqlite.migrations import MIGRATIONS

PATIENCE_SECONDS = 100.0
NATIVES = tuple(claude_code.HOOKED)
LARGE = ("UserPromptSubmit", "PostToolUse", "Stop")  # one that is answered, one that is noted, one that ends a turn
PACKAGE = Path(paths.__file__).parent
RECORDED = [
    json.loads(line) for line in (Path(__file__).parent / "fixtures" / "claude_code.jsonl").read_text().splitlines()
]
LOG_LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ [\w. -]+: \S.*")
# Root passes every permission check unless it gives up the right to.
UNPRIVILEGED = (
    ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all") if os.geteuid() == 0 else ()
)


@pytest.fixture(autouse=True)
def nobody_lives_on(tmp_path: Path) -> Iterator[None]:
    """When a test is over, so is every process that was started for it."""
    yield
    try:
        wait_for(lambda: not alive(tmp_path))
    finally:
        for process in alive(tmp_path):
            os.kill(process, signal.SIGKILL)


@pytest.fixture
def has_git() -> bool:
    return False


@pytest.fixture
def box(make_box: Callable[..., Box]) -> Box:
    """A user with a vault, something to remember, and a clock that runs: the log is written by it."""
    made = make_box()
    made.now = None
    made.init()
    made.run("remember", "the harbour crane is painted yellow", "--kind", "decision", "--why", "it is easily seen")
    return made


def alive(folder: Path) -> list[int]:
    """Processes of ours whose environment names a folder."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it ended meanwhile, or is another user's
            is_ours = b"recollect" in (place / "cmdline").read_bytes()
            if is_ours and f"={folder}".encode() in (place / "environ").read_bytes():
                found.append(int(place.name))
    return found


def wait_for(condition: Callable[[], Any]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.005)


# -- the hook, as it is installed --------------------------------------------------------------------------------------


def event(box: Box, native: str, **fields: Any) -> bytes:
    """An event with everything in it that a handler may ask for."""
    said = {
        "session_id": "s1", "transcript_path": "", "cwd": str(box.root), "hook_event_name": native, "prompt_id": "p1",
        "prompt": "which colour do we paint the harbour crane?", "source": "startup", "tool_name": "Write",
        "tool_input": {"file_path": str(box.vault / "decisions" / "x.json"), "command": "make"}, "tool_use_id": "t1",
        "error": "Exit code 3", "last_assistant_message": "it is yellow", "stop_hook_active": False,
    }  # fmt: skip
    return json.dumps({**said, **fields}).encode()


def some_natives(first: int, number: int = 3) -> list[str]:
    """A few kinds of events, beginning at a place of the table: other places give the other kinds."""
    return [NATIVES[(first * number + step) % len(NATIVES)] for step in range(number)]


def command(native: str) -> list[str]:
    return [sys.executable, *hook_words(), "claude-code", native]


def environment(box: Box, **changed: str | None) -> dict[str, str]:
    """The box's, with time enough for a slow machine."""
    merged = {**box.env, "RECOLLECT_DEADLINE_MS": "20000", **changed}
    return {name: value for name, value in merged.items() if value is not None}


def answer_of(words: list[str], raw: bytes, env: dict[str, str], cwd: Path) -> str:
    """What a hook prints; it never fails, and has nothing to complain about in public."""
    done = subprocess.run(words, input=raw, env=env, cwd=cwd, capture_output=True, timeout=PATIENCE_SECONDS)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def hook(box: Box, native: str, raw: bytes, *, prefix: tuple[str, ...] = (), **env: str | None) -> dict[str, Any]:
    """What the client reads: nothing, or one JSON object."""
    out = answer_of([*prefix, *command(native)], raw, environment(box, **env), box.root)
    said = json.loads(out) if out else {}
    assert isinstance(said, dict)
    return said


@contextlib.contextmanager
def undrained(box: Box) -> Iterator[None]:
    """Whoever is started to work through what comes meanwhile finds another at it, and ends at once."""
    holder = worker.take_lock(str(box.home))
    assert holder is not None
    try:
        yield
    finally:
        os.close(holder)


def drain(box: Box) -> None:
    """Let the workers that hooks started finish, then work through what is left."""
    wait_for(lambda: not alive(box.folder))
    assert box.run("drain").err == ""


def log(box: Box) -> list[str]:
    place = box.home / "hook.log"
    return place.read_text("utf-8").splitlines() if place.exists() else []


def aside(box: Box) -> list[str]:
    place = box.home / "aside"
    return sorted(one.name for one in place.iterdir()) if place.is_dir() else []


def sessions(box: Box) -> set[str]:
    """Every session of which something was drained."""
    with contextlib.closing(sqlite3.connect(box.home / "memory.db")) as connection:
        return {name for (name,) in connection.execute("SELECT id FROM sessions")}


def problems(box: Box) -> dict[str, str]:
    """What `doctor` finds wrong."""
    found = box.run("doctor", "--json", code=None).json
    return {one["name"]: one["says"] for one in found if not one["is_well"]}


def assert_intact(box: Box) -> None:
    """Nothing waits, and the store is as sound as before."""
    assert inbox.waiting(str(box.home)) == []
    assert set(problems(box)) <= {"log", "set aside"}
    assert "the harbour crane is painted yellow" in box.run("list", "--kind", "decision").out


def assert_nothing_went_wrong(box: Box) -> None:
    drain(box)
    assert (log(box), aside(box)) == ([], [])
    assert_intact(box)


def assert_told(box: Box, lines: int) -> None:
    """So many complaints at least, one line each, and `doctor` speaks of them."""
    drain(box)
    assert len(log(box)) >= lines, log(box)
    assert [line for line in log(box) if not LOG_LINE.fullmatch(line)] == []
    assert "problems today; the last: " in problems(box)["log"]
    assert_intact(box)


# -- what comes in -----------------------------------------------------------------------------------------------------

BROKEN: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda _: b"",
    "white space": lambda _: b" \r\n\t ",
    "words": lambda _: b"what about .claude/memory",
    "half an event": lambda raw: raw[: len(raw) // 2],
    "braces around nothing good": lambda _: b"{.claude/memory}",
    "an event and more": lambda raw: raw + raw,
    "a list": lambda raw: b"[" + raw + b"]",
    "a text": lambda raw: json.dumps(raw.decode()).encode(),
    "a number": lambda _: b"42",
    "null": lambda _: b"null",
    "nested beyond reason": lambda _: b'{".claude/memory":' * 100_000 + b"1" + b"}" * 100_000,
    "NUL bytes within": lambda raw: raw.replace(b"harbour", b"har\0bour"),
    "NUL bytes alone": lambda _: b"\0" * 1_000,
    "a byte order mark": lambda raw: b"\xef\xbb\xbf" + raw,
    "UTF-16": lambda raw: raw.decode().encode("utf-16"),
    "random bytes": lambda _: b"{" + bytes(range(256)) * 4 + b" memory",
}


def test_what_is_no_event_is_answered_with_nothing_and_one_line_in_the_log(box):
    """Every broken text with three kinds of events, each kind with many of them."""
    number = 0
    with undrained(box):
        for first, broken in enumerate(BROKEN):
            for native in some_natives(first):
                assert hook(box, native, BROKEN[broken](event(box, native))) == {}, (broken, native)
                number += 1
    assert_told(box, number)


ODD: dict[str, Callable[[Box, str], bytes]] = {
    "an empty object": lambda _, __: b"{}",
    "numbers": lambda box, native: _all(box, native, 5),
    "truths": lambda box, native: _all(box, native, True),
    "nulls": lambda box, native: _all(box, native, None),
    "lists": lambda box, native: _all(box, native, ["x", {"y": []}]),
    "objects": lambda box, native: _all(box, native, {"x": {"y": 1}}),
    "empty texts": lambda box, native: _all(box, native, ""),
    "halves of surrogate pairs": lambda box, native: _all(box, native, "\ud83d and \udc00"),
    "escaped NULs": lambda box, native: _all(box, native, "a\0b"),
    "bytes that are no UTF-8": lambda box, native: event(box, native).replace(b"harbour", b"har\xff\xfe\xc3bour"),
    "white space around it": lambda box, native: b"\n \t" + event(box, native) + b"\r\n ",
    "20 MB in one field": lambda box, native: event(box, native, prompt="x" * 20_000_000, last_assistant_message="y"),
    "20 MB in many fields": lambda box, native: event(
        box, native, **{f"field {n}": "x" * 2_000 for n in range(10_000)}
    ),
}


def _all(box: Box, native: str, value: object) -> bytes:
    """An event in which every field but its name holds the same; the vault is named in one that nobody asks for."""
    said = dict.fromkeys(json.loads(event(box, native)), value)
    folder = str(box.root) if value == "a\0b" else value  # no folder is called like that
    return event(box, native, **{**said, "hook_event_name": native, "cwd": folder, "other": ".claude/memory"})


def test_an_odd_event_is_an_event_all_the_same(box):
    with undrained(box):
        for first, odd in enumerate(ODD):
            for native in LARGE if odd.startswith("20 MB") else some_natives(first):
                hook(box, native, ODD[odd](box, native))
                assert log(box) == [], (odd, native)
    assert_nothing_went_wrong(box)


def test_a_very_large_event_is_noted_without_its_bulk(box):
    hook(box, "PostToolUse", event(box, "PostToolUse", tool_response={"stdout": "x" * 20_000_000}))
    [name] = inbox.waiting(str(box.home))
    assert (box.home / "inbox" / name).stat().st_size < 100_000
    assert_nothing_went_wrong(box)
    assert "ToolFinished       Write" in box.run("session", "tail", "--no-follow").out


@pytest.mark.parametrize("native", LARGE)
def test_a_very_large_event_does_not_hold_the_client_up(box, native):
    raw = event(box, native, tool_response={"stdout": "x" * 20_000_000})
    with undrained(box):
        started = time.monotonic()
        hook(box, native, raw, RECOLLECT_DEADLINE_MS=None)
        assert time.monotonic() - started < 10  # the client's own timeout is 10 seconds
    drain(box)
    assert_intact(box)


def test_an_unknown_event_of_the_client_is_passed_over(box):
    with undrained(box):
        for native in ("Notification", "SubagentStop", "../x", "", "💥"):
            assert hook(box, native, event(box, "Notification")) == {}
    assert_nothing_went_wrong(box)


@pytest.mark.parametrize("client", ["nobody", "base", "../x", ""])
def test_an_unknown_client_is_answered_with_nothing_and_one_line_in_the_log(box, client):
    with undrained(box):
        for native in ("UserPromptSubmit", "Stop"):
            words = [sys.executable, *hook_words(), client, native]
            assert answer_of(words, event(box, native), environment(box), box.root) == ""
    assert_told(box, 2)


@pytest.mark.parametrize(
    ("native", "allowed"),
    [("SessionStart", "1,000"), ("UserPromptSubmit", "1,000"), ("PreToolUse", "1,000"), ("PostToolUse", "150")],
)
def test_an_input_that_never_ends_does_not_hold_the_client_up(box, native, allowed):
    env = environment(box, RECOLLECT_DEADLINE_MS=None)
    pipe = subprocess.PIPE
    started = time.monotonic()
    process = subprocess.Popen(command(native), env=env, cwd=box.root, stdin=pipe, stdout=pipe, stderr=pipe)
    assert process.stdin
    process.stdin.write(event(box, native))
    process.stdin.flush()
    code = process.wait(timeout=PATIENCE_SECONDS)
    took = time.monotonic() - started
    out, problem = process.communicate()
    assert (code, out, problem) == (0, b"", b"")
    assert took < 10  # the client's own timeout
    assert any(f"{native}: no answer within {allowed} ms" in line for line in log(box))
    drain(box)
    [said] = [check["says"] for check in box.run("doctor", "--json").json if check["name"] == "deadlines"]
    assert f"1 {native}" in said


@pytest.mark.parametrize("deadline", ["²", "9" * 30, "-1", "soon", " 250 "])
def test_a_deadline_that_makes_no_sense_is_the_usual_one(box, deadline):
    env = environment(box, RECOLLECT_DEADLINE_MS=deadline)
    pipe = subprocess.PIPE
    process = subprocess.Popen(command("Stop"), env=env, cwd=box.root, stdin=pipe, stdout=pipe, stderr=pipe)
    try:
        code = process.wait(timeout=5)
    finally:
        process.kill()
        out, problem = process.communicate()
    assert (code, out, problem) == (0, b"", b"")


def test_a_closed_input_is_answered_with_nothing(box):
    with undrained(box):
        for native in NATIVES:
            assert (
                answer_of(["sh", "-c", 'exec "$@" <&-', "sh", *command(native)], b"", environment(box), box.root) == ""
            )
    assert_told(box, len(NATIVES))


@pytest.mark.parametrize("native", ["SessionStart", "UserPromptSubmit", "PreToolUse"])
def test_a_client_that_does_not_listen_to_the_answer_is_not_disturbed(box, native):
    with undrained(box):
        assert hook(box, native, event(box, native))
        read, write = os.pipe()
        os.close(read)
        try:
            done = subprocess.run(
                command(native), input=event(box, native, session_id="s2"), env=environment(box), cwd=box.root,
                stdout=write, stderr=subprocess.PIPE, timeout=PATIENCE_SECONDS,
            )  # fmt: skip
        finally:
            os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")
    drain(box)
    assert_intact(box)


def test_a_client_that_closed_our_output_is_not_disturbed(box):
    with undrained(box):
        for native in NATIVES:
            words = ["sh", "-c", 'exec "$@" >&- 2>&-', "sh", *command(native)]
            assert answer_of(words, event(box, native), environment(box), box.root) == ""
    drain(box)
    assert_intact(box)


# -- where we are run --------------------------------------------------------------------------------------------------


def a_file(home: Path) -> None:
    home.write_text("not a folder")


def a_broken_link(home: Path) -> None:
    home.symlink_to(home.with_name("nowhere") / "at all")


def a_link_to_itself(home: Path) -> None:
    home.symlink_to(home)


def a_folder_that_may_not_be_written(home: Path) -> None:
    home.mkdir(mode=0o500)


HOMES = {
    "a file": a_file,
    "a broken link": a_broken_link,
    "a link to itself": a_link_to_itself,
    "a folder that may not be written": a_folder_that_may_not_be_written,
}


@pytest.mark.parametrize("home", HOMES)
def test_a_home_that_cannot_be_used_disturbs_nobody_and_doctor_says_so(make_box, home):
    box = make_box()
    HOMES[home](box.home)
    for native in NATIVES:
        said = hook(box, native, event(box, native), prefix=UNPRIVILEGED)
        is_denied = said.get("hookSpecificOutput", {}).get("permissionDecision") == "deny"
        assert is_denied == (native == "PreToolUse")  # the vault is guarded all the same (B52)
    wait_for(lambda: not alive(box.folder))
    doctor = box.fork("doctor", is_unprivileged=True)
    said = "".join(doctor.communicate(timeout=PATIENCE_SECONDS))
    assert doctor.returncode == 1
    assert "the store cannot be opened" in said
    assert "Traceback" not in said


def full_disk(size: int) -> tuple[str, ...]:
    """Where no file can become larger than so many bytes: what a full disk does, at a chosen place."""
    limit = f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))"
    return (sys.executable, "-c", f"import os, resource, sys; {limit}; os.execv(sys.argv[1], sys.argv[1:])")


@pytest.mark.parametrize("size", [0, 1, 150, 4_000, 9_000])
def test_a_full_disk_disturbs_nobody_and_leaves_no_halves(box, size):
    compileall.compile_dir(PACKAGE, quiet=2)  # or Python would leave halves of its own
    with undrained(box):
        for native in NATIVES:
            hook(box, native, event(box, native, other="x" * 10_000), prefix=full_disk(size))
    wait_for(lambda: not alive(box.folder))
    assert list((box.home / "inbox").iterdir()) == []
    if size >= 4_000:
        assert any("File too large" in line for line in log(box))
        assert_told(box, 1)
    assert_intact(box)


CLOCKS = {
    "ten years ahead": "2036-01-01T00:00:00Z",
    "far ahead": "9000-01-01T00:00:00Z",
    "at its beginning": "0001-01-01T00:00:00Z",
    "long ago": "1900-01-01T00:00:00Z",
    "no clock at all": "half past nine",
    "a day that never comes": "2026-13-45T99:99:99Z",
}


def test_a_clock_that_jumps_costs_no_event(box):
    expected = set()
    with undrained(box):
        for first, clock in enumerate(CLOCKS):
            for native in some_natives(first, 5):
                name = f"s of {native}, {clock}"
                hook(box, native, event(box, native, session_id=name), RECOLLECT_NOW=CLOCKS[clock])
                expected.add(name)
    drain(box)
    assert aside(box) == [], log(box)
    assert_intact(box)
    assert sessions(box) == expected


def kept(box: Box) -> list[str]:
    return [one["text"] for one in box.run("list", "--kind", "turn_summary", "--json").json]


def line(role: str, text: str) -> bytes:
    return json.dumps({"type": role, "message": {"role": role, "content": text}}).encode() + b"\n"


TALK = line("user", "which colour?") + line("assistant", "yellow, as the file says")


def test_a_transcript_with_broken_lines_is_read_as_far_as_it_can_be(box):
    place = box.folder / "transcript.jsonl"
    place.write_bytes(b'\xff\xfe{"type": \n' + b"[" * 5_000 + b"\n" + TALK + b'{"type": "assistant", "mess')
    with undrained(box):
        hook(box, "Stop", event(box, "Stop", last_assistant_message=None, transcript_path=str(place)))
    assert_nothing_went_wrong(box)
    assert kept(box) == ["Asked: which colour?\n\nAnswered: yellow, as the file says"]


TRANSCRIPTS: dict[str, Callable[[Path], str]] = {
    "missing": lambda folder: str(folder / "nowhere.jsonl"),
    "a folder": str,
    "garbage": lambda folder: _written(folder / "t", bytes(range(256)) * 100),
    "empty": lambda folder: _written(folder / "t", b""),
    "of another program": lambda folder: _written(folder / "t", b'{"type": "user"}\n{"type": 5}\n[]\n"x"\n{"a": {}}\n'),
    "a pipe": lambda folder: _piped(folder / "t"),
    "a link to itself": lambda folder: _linked(folder / "t"),
    "a relative path": lambda _: "../../../../etc/passwd",
    "a device": lambda _: "/dev/zero",
    "of nobody's home": lambda _: "~nobody-at-all/transcript.jsonl",
    "a path that is too long": lambda _: "/tmp/" + "x" * 10_000,
    "a path with a NUL": lambda _: "/tmp/a\0b",
}


def _written(place: Path, data: bytes) -> str:
    place.write_bytes(data)
    return str(place)


def _piped(place: Path) -> str:
    os.mkfifo(place)
    return str(place)


def _linked(place: Path) -> str:
    place.symlink_to(place)
    return str(place)


def test_a_transcript_that_cannot_be_read_says_nothing(box):
    with undrained(box):
        for number, lay in enumerate(TRANSCRIPTS.values()):
            folder = box.folder / f"transcript-{number}"
            folder.mkdir()
            fields = {"session_id": f"s{number}", "last_assistant_message": None, "transcript_path": lay(folder)}
            for native in ("UserPromptSubmit", "Stop"):
                hook(box, native, event(box, native, **fields))
    assert_nothing_went_wrong(box)
    assert kept(box) == []


def test_a_transcript_outside_of_home_and_tmp_is_not_read(box):
    with tempfile.TemporaryDirectory(dir="/var/tmp") as elsewhere:
        place = Path(elsewhere) / "t.jsonl"
        place.write_bytes(TALK)
        link = box.folder / "link.jsonl"
        link.symlink_to(place)
        for number, path in enumerate((place, link, Path("/tmp/..") / place.relative_to("/"))):
            said = event(box, "Stop", prompt_id=f"p{number}", last_assistant_message=None, transcript_path=str(path))
            with undrained(box):
                hook(box, "Stop", said)
        assert_nothing_went_wrong(box)
    assert kept(box) == []


FOLDERS = {
    "gone": "/no/such/folder",
    "relative": "no/such",
    "a file": "/dev/null",
    "home": "~",
    "too long": "/" + "x" * 10_000,
    "a NUL": "/a\0b",
    "a line": "\n",
}


def test_a_working_folder_that_is_not_there_costs_no_event(box):
    expected = set()
    with undrained(box):
        for first, folder in enumerate(FOLDERS):
            for native in some_natives(first, 5):
                name = f"s of {native} in {folder}"
                hook(box, native, event(box, native, session_id=name, cwd=FOLDERS[folder]))
                expected.add(name)
    drain(box)
    assert aside(box) == [], log(box)
    assert_intact(box)
    assert sessions(box) == expected


def test_a_working_folder_that_was_removed_under_us_costs_no_event(box):
    with undrained(box):
        for native in NATIVES:
            gone = box.folder / f"gone-{native}"
            gone.mkdir()
            words = ["sh", "-c", 'rmdir "$1" && shift && exec "$@"', "sh", str(gone), *command(native)]
            answer_of(words, event(box, native, cwd=None), environment(box), gone)
    drain(box)
    assert aside(box) == [], log(box)
    assert_intact(box)


SESSIONS = {
    "a way up": "../../../../escaped",
    "dots": "..",
    "a slash": "/",
    "an absolute path": "/tmp/escaped",
    "ten thousand signs": "x" * 10_000,
    "lines": "a\nb\n",
    "backslashes": "..\\..\\x",
    "signs from afar": "💥\u202eabc",
    "a statement": "'; DROP TABLE sessions; --",
    "placeholders": "%s%n{0}",
}


def test_whatever_a_session_is_called_it_stays_in_our_folder(box):
    before = {place for place in box.folder.rglob("*") if box.home not in place.parents}
    with undrained(box):
        for name in SESSIONS.values():
            for native in ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"):
                hook(box, native, event(box, native, session_id=name, tool_name="Bash"))
            ledgers = list((box.home / "runtime").glob("recalled-*"))
            assert len(ledgers) == 1, name
            assert len(ledgers[0].name) <= 120
            hook(box, "SessionEnd", event(box, "SessionEnd", session_id=name))
            assert not ledgers[0].exists(), name
    assert_nothing_went_wrong(box)
    assert sessions(box) == set(SESSIONS.values())
    assert {place for place in box.folder.rglob("*") if box.home not in place.parents} == before


def test_without_a_home_variable_everything_goes_on(box):
    with undrained(box):
        for native in NATIVES:
            hook(box, native, event(box, native), HOME=None, PATH=None)
    assert_nothing_went_wrong(box)


def test_the_platforms_data_folder_serves_where_nothing_is_named(box):
    data = box.folder / "data"
    for native in NATIVES:
        hook(box, native, event(box, native), HOME=None, RECOLLECT_HOME=None, XDG_DATA_HOME=str(data))
    wait_for(lambda: not alive(box.folder))
    assert (data / "recollect" / "inbox").is_dir()
    assert_nothing_went_wrong(box)


def test_neither_pythons_environment_nor_the_projects_files_get_in_the_way(box):
    evil = box.folder / "evil"
    evil.mkdir()
    for folder in (evil, box.root):
        for name in ("os", "time", "apsw", "recollect", "sitecustomize", "usercustomize"):
            (folder / f"{name}.py").write_text("raise SystemExit(3)")
    env = {"PYTHONPATH": str(evil), "PYTHONHOME": str(evil), "PYTHONSTARTUP": str(evil / "os.py"), "LC_ALL": "no.SUCH"}
    with undrained(box):
        for native in NATIVES:
            hook(box, native, event(box, native), **env, PYTHONIOENCODING="no-such", PYTHONWARNINGS="error")
    for place in box.root.glob("*.py"):
        place.unlink()
    assert_nothing_went_wrong(box)


@pytest.mark.parametrize("render", ["lines", "pointers"])
def test_the_seeds_own_renderings_are_plain_text_whatever_comes_in(box, render):
    raw = event(box, "UserPromptSubmit")
    env = environment(box, RECOLLECT_INJECT__RENDER=render)
    told = answer_of(command("UserPromptSubmit"), raw, env, box.root)
    assert "crane" in told
    assert not told.startswith("{")
    for broken in BROKEN.values():
        assert answer_of(command("UserPromptSubmit"), broken(raw), env, box.root) == ""
    assert_told(box, len(BROKEN))


# -- no longer installed -----------------------------------------------------------------------------------------------


def test_a_program_that_was_removed_without_uninstall_is_silent(box):
    empty = box.folder / "empty"
    empty.mkdir()
    words = [sys.executable, *hook_words()[:-2], str(empty), str(empty), "claude-code"]
    for native in NATIVES:
        assert answer_of([*words, native], event(box, native), environment(box), empty) == ""
    assert_nothing_went_wrong(box)


def test_a_program_whose_database_library_was_removed_is_silent_and_says_so_in_the_log(box):
    package = box.folder / "package"
    package.mkdir()
    (package / "recollect").symlink_to(PACKAGE)
    words = [sys.executable, *hook_words()[:-2], str(package), str(box.folder / "nowhere"), "claude-code"]
    with undrained(box):
        for native in NATIVES:
            assert answer_of([*words, native], event(box, native), environment(box), box.root) == ""
    assert any("No module named 'apsw'" in line for line in log(box))
    assert_told(box, 1)


@pytest.mark.xfail(
    sys.version_info < (3, 12, 8),
    strict=True,
    reason="Python itself writes half a .pyc, and EOFError is not ImportError",
)
def test_bytecode_of_which_a_full_disk_left_a_half_does_not_stop_us_for_good(box):
    package = box.folder / "package"
    shutil.copytree(PACKAGE, package / "recollect", ignore=shutil.ignore_patterns("__pycache__", ".mypy_cache"))
    words = [sys.executable, *hook_words()[:-2], str(package), hook_words()[-1], "claude-code", "UserPromptSubmit"]
    answer_of([*full_disk(2_000), *words], event(box, "UserPromptSubmit"), environment(box), box.root)
    told = answer_of(words, event(box, "UserPromptSubmit", session_id="s2"), environment(box), box.root)
    assert "crane" in told


# -- what a hook may load ----------------------------------------------------------------------------------------------

HEAVY = {
    "argparse", "asyncio", "click", "collections", "dataclasses", "datetime", "enum", "functools", "hashlib",
    "inspect", "json",
    "logging", "numpy", "pathlib", "pydantic", "random", "re", "socket", "subprocess", "tempfile", "typing",
}  # fmt: skip


def loaded(box: Box, native: str, **fields: Any) -> tuple[set[str], str]:
    """Every module that a hook loads, and what it answers."""
    words = [sys.executable, "-X", "importtime", *command(native)[1:]]
    done = subprocess.run(
        words, input=event(box, native, **fields), env=environment(box), cwd=box.root, capture_output=True,
        timeout=PATIENCE_SECONDS,
    )  # fmt: skip
    assert done.returncode == 0
    lines = done.stderr.decode().splitlines()
    assert all(line.startswith("import time:") for line in lines)
    return {line.rpartition("|")[2].strip() for line in lines}, done.stdout.decode()


@pytest.mark.parametrize("native", NATIVES)
def test_a_hook_loads_nothing_heavy(box, native):
    with undrained(box):
        modules, told = loaded(box, native)
    assert "recollect.hooks.dispatch" in modules
    assert modules & HEAVY == set()
    assert bool(told) == (native in ("SessionStart", "UserPromptSubmit", "PreToolUse"))


@pytest.mark.parametrize("profile", ["hybrid", "keyword", "scored", "hashed"])
def test_no_ranking_loads_anything_heavy_and_only_the_hashed_one_loads_a_hash(box, profile):
    box.settings["RECOLLECT_RECALL__PROFILE"] = profile
    modules, told = loaded(box, "UserPromptSubmit")
    assert f"recollect.recall.{profile}" in modules
    assert modules & HEAVY == set()
    assert ("_sha1" in modules) is (profile == "hashed")
    assert "crane" in told


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Bash", {"command": "echo x > .claude/memory/decisions/x.json"}),
        ("Write", {"file_path": ".claude/memory/x.json"}),
    ],
)
def test_a_hook_that_denies_loads_nothing_heavy(box, tool, given):
    modules, told = loaded(box, "PreToolUse", tool_name=tool, tool_input=given)
    assert modules & HEAVY == set()
    assert json.loads(told)["hookSpecificOutput"]["permissionDecision"] == "deny"


@pytest.mark.parametrize("native", ["PostToolUse", "Stop", "StopFailure", "PreCompact"])
def test_a_hook_that_only_notes_opens_no_database(box, native):
    with undrained(box):
        modules, _ = loaded(box, native, tool_name="Bash", tool_input={"command": "make"})
    assert {name.partition(".")[0] for name in modules} & {"apsw", "sqlite3"} == set()


# -- what the client sends ---------------------------------------------------------------------------------------------

PLACE = "/home/dev/shop"
SESSION = "7f1f2f61-9c3e-4b52-8d3a-0a4f5f0c2b11"
READ = {  # every event: what our fields hold beyond those of every other
    "SessionStart": [{"source": source, "turn": ""} for source in ("startup", "resume", "compact")],
    "UserPromptSubmit": [{"prompt": "remember the magic word"}, {"prompt": "<task-notification>"}],
    "PreToolUse": [
        {"tool": "Write", "call": "toolu_01A410", "path": f"{PLACE}/a.txt"},
        {"tool": "Bash", "call": "toolu_01B7", "command": "echo hi; echo err >&2"},
        {"tool": "NotebookEdit", "call": "toolu_01N1", "path": f"{PLACE}/plot.ipynb"},
    ],
    "PostToolUse": [
        {"tool": "Write", "call": "toolu_01A410", "path": f"{PLACE}/a.txt"},
        {"tool": "Bash", "call": "toolu_01B7", "command": "echo hi; echo err >&2"},
        {"tool": "Edit", "call": "toolu_01E2", "path": f"{PLACE}/a.txt"},
        {"tool": "Read", "call": "toolu_01R3", "path": f"{PLACE}/a.txt"},
        {"tool": "Grep", "call": "toolu_01G4", "path": f"{PLACE}/src", "agent": "aa0d1c"},
        {"tool": "mcp__mem__recall", "call": "toolu_01M5"},
    ],
    "PostToolUseFailure": [{"tool": "Bash", "call": "toolu_01F5", "command": "exit 3", "error": "Exit code 3"}],
    "Stop": [{"answer": "all finished"}, {"answer": "all finished, and tested"}],
    "StopFailure": [{"answer": "API Error: Rate limit reached", "error": "rate_limit"}],
    "PreCompact": [{"source": "manual"}, {"source": "auto"}],
    "SessionEnd": [{"source": "other"}],
}  # fmt: skip


def fields_of(said: dict[str, Any]) -> dict[str, str]:
    """As a hook reads them."""
    return event_json.fields(json.dumps(said).encode(), claude_code)


def noted_of(said: dict[str, Any]) -> dict[str, str]:
    """As the worker reads them."""
    native = str(said.get("hook_event_name"))
    noted = InboxEvent("1-1-0001.event", claude_code, native, claude_code.EVENTS.get(native, ""), 0.0, said)
    return {name: noted[name] for name in claude_code.FIELDS}


def test_every_event_that_we_ask_for_is_recorded():
    assert {said["hook_event_name"] for said in RECORDED} == set(claude_code.HOOKED) == set(claude_code.EVENTS)


def test_every_field_of_a_recorded_event_is_read():
    common = {"session": SESSION, "folder": PLACE, "turn": "c0a4d1be-51f7-4a6c-9a35-2f1f0f6f7d02"}
    common["transcript"] = f"/home/dev/.claude/projects/-home-dev-shop/{SESSION}.jsonl"
    nothing = dict.fromkeys(claude_code.FIELDS, "")
    for native, wanted in READ.items():
        found = [fields_of(said) for said in RECORDED if said["hook_event_name"] == native]
        for fields in found:
            fields["prompt"] = fields["prompt"].partition("\n")[0]
        expected = [{**nothing, "event": native, **common, **one} for one in wanted]
        assert found == [{name: one[name] for name in fields} for one, fields in zip(expected, found, strict=True)]


def without_truths(said: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in said.items() if value is not True}


@each("said", RECORDED)
def test_hook_and_worker_read_the_same_from_what_was_recorded(said):
    assert fields_of(without_truths(said)) == noted_of(without_truths(said))


NAMES = sorted({name for paths in claude_code.FIELDS.values() for path in paths for name in path.split(".")})
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
ATOMS = st.none() | st.just(value=False) | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
KEYS = st.sampled_from(NAMES) | TEXTS
JSON = st.recursive(ATOMS, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner), max_leaves=20)


@given(st.dictionaries(KEYS, JSON, max_size=12))
def test_hook_and_worker_read_the_same_from_any_object(said):
    assert fields_of(said) == noted_of(said)


@given(st.dictionaries(KEYS, JSON, max_size=12))
def test_the_same_is_read_whether_signs_are_escaped_or_not(said):
    plain = json.dumps(said, ensure_ascii=False, indent=1).encode()
    assert event_json.fields(plain, claude_code) == fields_of(said)


RARE = {
    "a truth": b'{"stop_hook_active": true}',
    "half of a surrogate pair": b'{"session_id": "a\\ud83d"}',
    "a NUL": b'{"session_id": "a\\u0000b"}',
}


@each("rare", RARE)
def test_hook_and_worker_agree_on_what_is_rarely_sent(rare):
    assert event_json.fields(RARE[rare], claude_code) == noted_of(json.loads(RARE[rare]))


# -- tables that have to agree -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [None, "/home/dev/data", ""])
def test_our_folder_is_the_platforms_data_folder(monkeypatch, data):
    for name in ("RECOLLECT_HOME", "LETSGO_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/dev")
    if data is not None:
        monkeypatch.setenv("XDG_DATA_HOME", data)
    assert paths.home(os.environ) == platformdirs.user_data_dir("recollect")


def test_hooks_know_the_newest_schema():
    assert len(MIGRATIONS) == connection.SCHEMA


@pytest.mark.seed("D49")
@each("row", wiring.BINDINGS)
def test_every_handler_is_there_and_takes_what_it_is_given(row):
    inspect.signature(load_handler(row.handler)).bind(object(), object())
    assert row.event in {*claude_code.EVENTS.values(), *mcp.EVENTS.values()}
    assert 0 < row.priority < 1_000
    assert row.provides.startswith("memory.")
    assert not row.setting or "." in row.setting


def test_whatever_a_handler_uses_is_provided():
    used = {need for row in wiring.BINDINGS for need in row.uses}
    provided = {row.provides for row in wiring.BINDINGS} | {capabilities.STORE}
    assert used <= provided
    assert {capability.name for capability in capabilities.registry()} == provided


@each("name", sorted(set(claude_code.EVENTS.values())))
def test_the_handlers_of_an_event_run_in_the_order_of_their_priority(name):
    for where in (wiring.HOOK, wiring.WORKER):
        wanted = sorted(
            (row.priority, row.handler) for row in wiring.BINDINGS if row.event == name and row.where == where
        )
        assert [row.handler for row in wiring.bindings(name, where)] == [handler for _, handler in wanted]
