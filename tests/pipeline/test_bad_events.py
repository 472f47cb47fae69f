"""Bad input for capture: whatever tools print and clients send, a session is drained in time, nothing raw is kept."""

import contextlib
import json
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from builders import Box
from telling import LATER, LIMIT, PASSED, PNPM, POSTGRES, REFUSED, TEST, WHY, Telling, drain, kept, only, says

from recollect.hooks import inbox, wiring
from recollect.hooks.redaction import redact
from recollect.pipeline import capture
from recollect.pipeline import event_handlers as becoming
from recollect.setup.install import hook_words

# Ten times what a slow machine takes for what is written well; an hour would not do for what is not.
PATIENCE_SECONDS = 15
UNREADABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
PASSWORD = "q9xZ!rod4bu0rT"[::-1]
AWS_KEY = "wJalrXUtnFEMIzK7MDENGbPxRfiCYq8Zt4LmNo2p"
KEY_LINE = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
KEY = "\n".join(["-----BEGIN PRIVATE KEY-----", *[KEY_LINE] * 26, "-----END PRIVATE KEY-----"])


@contextlib.contextmanager
def in_time(seconds: int = PATIENCE_SECONDS) -> Iterator[None]:
    """What takes much longer than it may is interrupted: a pattern that backtracks would hold the whole run up."""

    def give_up(*_: object) -> None:
        pytest.fail(f"not done within {seconds} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def rows(box: Box, sql: str, *values: object) -> list[tuple[Any, ...]]:
    with contextlib.closing(sqlite3.connect(box.home / "memory.db")) as connection, connection:
        return connection.execute(sql, values).fetchall()


def details(box: Box) -> str:
    """All that the events table says."""
    return "\n".join(str(cell) for row in rows(box, "SELECT * FROM events") for cell in row)


def log(box: Box) -> str:
    place = box.home / "hook.log"
    return place.read_text("utf-8") if place.exists() else ""


def aside(box: Box) -> list[str]:
    return sorted(one.name for one in (box.home / "aside").glob("*"))


def assert_all_is_well(box: Box) -> None:
    assert (inbox.waiting(str(box.home)), aside(box), log(box)) == ([], [], "")


def repaired(telling: Telling) -> Telling:
    """A turn that leaves a runbook, told to its end."""
    return telling.repairs().ends()


# -- too much of it ----------------------------------------------------------------------------------------------------

# Its own high-water mark: what `getrusage` says of a new process includes the one that started it.
WEIGHED = """
import sys
from pathlib import Path
from recollect.faces.cli import main
try:
    main(["drain", "--json"])
finally:
    print(next(line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line))
"""


def hook(box: Box, said: dict[str, Any], native: str = "PostToolUse") -> None:
    """The hook's command as it is installed, with all the time it wants."""
    words = [sys.executable, *hook_words(), "claude-code", native]
    env = {**box.env, "RECOLLECT_DEADLINE_MS": "60000"}
    raw = json.dumps({"session_id": "s", "cwd": str(box.root), "hook_event_name": native, **said}).encode()
    done = subprocess.run(words, input=raw, env=env, cwd=box.root, capture_output=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, b"")


def drain_weighed(box: Box) -> int:
    """Drain in a process of its own: the most memory that it took, in kB."""
    done = subprocess.run(
        [sys.executable, "-c", WEIGHED], env=box.env, cwd=box.root, capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout.split()[-1])


def ran(output: object, **fields: Any) -> dict[str, Any]:
    return {
        "tool_name": "Bash",
        "tool_input": {"command": "make"},
        "tool_use_id": "t1",
        "tool_response": output,
    } | fields


def test_a_tool_response_of_50_mb_takes_little_room_and_memory(box):
    hook(box, ran({"stdout": "ok"}))
    small = drain_weighed(box)
    hook(box, ran({"stdout": "a line of output\n" * 3_000_000}, tool_use_id="t2"))
    [name] = inbox.waiting(str(box.home))
    noted = (box.home / "inbox" / name).stat().st_size
    large = drain_weighed(box)
    print(f"noted in {noted} bytes; the drain took {large - small} kB more than for a small event")
    assert noted < 300_000
    assert large - small < 30_000
    assert len(details(box)) < 20_000
    assert_all_is_well(box)


@pytest.mark.parametrize("where", ["tool_response", "tool_input", "top"])
def test_many_small_parts_are_cut_like_a_long_one(box, where):
    parts = {f"part {number}": "x" * 1_000 for number in range(5_000)}
    hook(box, ran("ok", **(parts if where == "top" else {where: parts})))
    [name] = inbox.waiting(str(box.home))
    assert (box.home / "inbox" / name).stat().st_size < 300_000


def test_thousands_of_identical_events_are_one(box):
    telling = Telling(box).asks("why is it red?")
    event = ran({"stdout": "3 errors"}, session_id=telling.session, cwd=str(box.root), prompt_id="p")
    raw = json.dumps({**event, "hook_event_name": "PostToolUse"}).encode()
    for _ in range(2_000):
        inbox.put(str(box.home), "claude-code", "PostToolUse", raw, now=box.now or "")
    done = drain(box)
    assert (done["drained"], len(done["dropped"])) == (2, 1_999)
    assert rows(box, "SELECT count(*) FROM events") == [(2,)]
    assert_all_is_well(box)


def test_a_turn_that_is_noted_over_and_over_is_captured_once(box):
    telling = Telling(box)
    repaired(telling)
    notes = [(box.home / "inbox" / name).read_bytes() for name in inbox.waiting(str(box.home))]
    drain(box)
    before = Counter(one["kind"] for one in kept(box))
    for data in notes * 20:
        noted = inbox.parse(data)
        inbox.put(str(box.home), noted.client, noted.native, noted.raw, now=noted.now, receipt=noted.receipt)
    drain(box)
    assert before == Counter(one["kind"] for one in kept(box)) == {"runbook": 1}
    assert len(box.run("list", "--json", "--kind", "turn_summary").json) == 1


def test_the_same_failure_without_ids_again_and_again_is_one_memory(box):
    telling = Telling(box, fields={"prompt_id": None}).asks("make it green")
    for _ in range(60):
        telling.note("PostToolUseFailure", tool_name="Bash", tool_input={"command": TEST}, error=REFUSED)
        telling.edits("src/server.ts", "loadEnv()")
    telling.answers("It still fails.").ends()
    drain(box)
    found = kept(box)
    assert len(found) <= 1
    assert all(len(says(one)) < 10_000 for one in found)


def test_a_long_session_is_drained_as_fast_at_its_end_as_at_its_beginning(box):
    """The first turns have less behind them than a story holds, so the second stretch is what counts."""
    telling, spent = Telling(box), []
    for stretch in range(4):
        for number in range(stretch * 25, stretch * 25 + 25):
            telling.asks(f"please look at module {number % 37} and tell me about function number {number}")
            telling.runs(f"pytest tests/test_{number % 37}.py", f"{number} passed in 0.1s")
            telling.answers(f"I looked at module {number % 37}; function number {number} returns the sum.")
        started = time.process_time()
        drain(box)
        spent.append(time.process_time() - started)
    print(f"last 25 turns to the first: {spent[3] / spent[0]:.1f}, to the second: {spent[3] / spent[1]:.1f}")
    assert spent[3] < 4 * spent[1]


# -- what no person could read -----------------------------------------------------------------------------------------

OUTPUTS: dict[str, str] = {
    "binary": bytes(range(256)).decode("latin-1") * 200,
    "a program": "\x7fELF\x02\x01\x01" + "\0" * 4_000 + "Error: x",
    "colours": "\x1b[31mError:\x1b[0m \x1b[1;4mthe port is taken\x1b[0m\n\x1b]8;;http://x\x07link\x1b]8;;\x07",
    "half an escape": "\x1b[31" * 500 + "\x1b]0;" + "t" * 500,
    "a progress bar": "\r".join(f"[{'#' * n}{' ' * (50 - n)}] {n * 2}%" for n in range(51)) + "\nError: no room",
    "percents": "\n".join(f"Downloading model.bin {n}% | 3 MB/s" for n in range(101)),
    "minified": 'var a="b";function c(){return a}' * 3_000,
    "NULs": "o\0k\0 \0" * 2_000,
    "halves of pairs": "half \ud83d and \udc00 again\nError: no \ud800",
    "right to left": "Error: \u202egnp.exe\u202c \u2066x\u2069 \u200bhid\u200dden\ufeff",
    "bells": "\a\b\v\f" * 1_000 + "Error: x",
    "C1": "\x85\x9b31m\x90" * 1_000,
    "replaced": "\ufffd" * 5_000,
    "one line of 1 MB": "some words in a row " * 50_000,
    "one line of 1 MB without a space": "x" * 1_000_000,
    "a million empty lines": "\n" * 1_000_000,
    "line ends of all sorts": "a\r\nb\rc\u2028d\u2029e\x0bf\x0cg\x1ch" * 2_000,
    "emoji": "👩‍👩‍👧‍👦 passed 🏴󠁧󠁢󠁥󠁮󠁧󠁿\n" * 500,
    "combining": "e" + "\u0301" * 20_000,
}


@pytest.mark.parametrize("output", [name for name in OUTPUTS if name != "halves of pairs"])
def test_what_a_tool_prints_is_cleaned_or_dropped(box, output):
    said = OUTPUTS[output]
    telling = Telling(box).asks("run it").runs("make", said).fails("make check", said).edits("a.toml", said)
    telling.answers(said).ends()
    with in_time():
        drain(box)
    events, memories = details(box), box.run("list", "--json").out
    assert UNREADABLE.findall(events) == []
    assert UNREADABLE.findall(memories) == []
    assert not any("\r" in told for (told,) in rows(box, "SELECT detail FROM events WHERE doing <> ''"))
    assert len(events) < 60_000
    assert_all_is_well(box)


def test_an_error_with_half_of_a_surrogate_pair_is_an_error_all_the_same(box):
    Telling(box).asks("run it").fails("make check", OUTPUTS["halves of pairs"]).answers().ends().drained()
    assert_all_is_well(box)


def test_half_of_a_surrogate_pair_in_what_another_tool_was_given_is_no_trouble(box):
    telling = Telling(box).asks("run it").tool("mcp__x__search", {"query": "half \ud83d"}, "ok")
    telling.answers().ends().drained()
    assert_all_is_well(box)


def test_halves_of_surrogate_pairs_in_texts_and_names_are_replaced(box):
    telling = Telling(box, fields={"prompt_id": "p\udc00"}).asks("why \ud83d?").runs("echo \ud800", "half \udc00")
    telling.writes("na\ud800me.toml", "a = '\udfff'").answers("so \ud83d").ends().drained()
    assert_all_is_well(box)


def test_the_error_behind_colours_and_a_progress_bar_is_what_is_kept(box):
    bar = "\r".join(f"[{'#' * n}] {n}%" for n in range(60))
    red = REFUSED.replace("Error:", "\x1b[31mError:\x1b[39m")
    telling = Telling(box).asks("the server test is red").fails(TEST, f"{bar}\r\n{red}")
    telling.edits("src/server.ts", "loadEnv()").runs(TEST, f"{bar}\n\x1b[32m{PASSED}\x1b[0m").answers(WHY).drained()
    runbook = only(box, "runbook")
    assert runbook["title"].startswith("Error: connect ECONNREFUSED")
    assert "##" not in says(runbook)


# -- other shapes than expected ----------------------------------------------------------------------------------------

GIVEN: dict[str, Any] = {
    "a list": ["make"], "an empty list": [], "a number": 5, "null": None, "a text": "make", "true": True,
    "a list for the command": {"command": ["make", "test"]}, "an object for the path": {"file_path": {"a": 1}},
    "numbers for texts": {"command": 1, "file_path": 2.5, "old_string": 3, "new_string": 4, "content": 5},
    "no list of todos": {"todos": "all"}, "odd todos": {"todos": [1, None, {"status": []}, {"status": "completed"}]},
    "a NUL in the path": {"file_path": "/a/\0b", "content": "x"}, "a long path": {"file_path": "/a" * 5_000},
    "no path": {"file_path": "", "content": "x"}, "somewhere above": {"file_path": "../../../../etc/passwd"},
    "many parts": {f"part {number}": number for number in range(2_000)},
}  # fmt: skip


@pytest.mark.parametrize("given", GIVEN)
def test_what_a_tool_was_given_may_be_anything(box, given):
    telling = Telling(box).asks("go on")
    for tool in ("Bash", "Edit", "Write", "Read", "Grep", "WebFetch", "TodoWrite", "Task", "mcp__a__b", "", "💥"):
        telling.tool(tool, GIVEN[given], {"stdout": "ok"})
        telling.note("PostToolUseFailure", tool_name=tool, tool_input=GIVEN[given], error="Error: it broke: badly")
    telling.answers().ends().drained()
    assert_all_is_well(box)


def nested(depth: int) -> Any:
    return json.loads('{"a":[' * depth + "1" + "]}" * depth)


@pytest.mark.parametrize(
    "response", [None, 5, True, [], ["ok"], "ok", {}, {"stdout": None}, {"stdout": ["a"]}, {"file": []}, nested(200)]
)
def test_what_a_tool_answers_may_be_anything(box, response):
    telling = Telling(box).asks("go on")
    for tool in ("Bash", "Edit", "Read", "WebFetch", "Odd"):
        telling.tool(tool, {"command": "make", "file_path": "a.py"}, response)
    telling.answers().ends().drained()
    assert_all_is_well(box)


def test_an_answer_nested_too_deep_to_be_read_is_set_aside_and_the_rest_goes_on(box):
    telling = Telling(box).asks(PNPM)
    deep = b'{"session_id":"s","tool_response":' + b'{"a":' * 60_000 + b"1" + b"}" * 60_001
    inbox.put(str(box.home), "claude-code", "PostToolUse", deep, now=box.now or "")
    telling.answers()
    box.run("drain")
    assert only(box, "preference")["origin"] == "user"
    assert len(aside(box)) == 1
    assert "cannot be read" in log(box)


@pytest.mark.parametrize("missing", ["session_id", "cwd", "prompt_id", "tool_use_id", "tool_name", "tool_input"])
def test_a_field_that_is_missing_is_no_trouble(box, missing):
    telling = Telling(box, fields={missing: None}).asks("it is red")
    for native in ("PostToolUse", "PostToolUseFailure"):
        telling.note(native, **{**ran({"stdout": "ok"}, error=REFUSED), missing: None})
    telling.answers().ends().drained()
    assert_all_is_well(box)


@pytest.mark.parametrize("fields", [{"error": None}, {"error": 5}, {"error": ["x"]}, {"error": ""}, {}])
def test_a_failure_without_words_is_a_failure(box, fields):
    telling = Telling(box).asks("go on")
    telling.note("PostToolUseFailure", tool_name="Bash", tool_input={"command": "make"}, **fields).answers().drained()
    assert rows(box, "SELECT count(*) FROM events WHERE name = 'ToolFailed'") == [(1,)]
    assert_all_is_well(box)


PATCH = "*** Begin Patch\n*** Update File: config/app.toml\n@@\n-port = 1\n+port = 2\n*** End Patch"
CLIENTS: dict[str, tuple[str, str, dict[str, Any], str, str]] = {
    "codex's patch": ("codex", "PostToolUse", {"tool_name": "apply_patch", "tool_input": {"command": PATCH},
                      "tool_response": "Exit code: 0\nok"}, "write", "config/app.toml"),
    "codex's shell": ("codex", "PostToolUse", {"tool_name": "Bash", "tool_input": {"command": "make"},
                      "tool_response": "ok"}, "shell", "make"),
    "gemini's shell": ("gemini", "AfterTool", {"tool_name": "run_shell_command", "tool_input": {"command": "make"},
                       "tool_response": {"llmContent": "Output: ok", "returnDisplay": "ok"}}, "shell", "make"),
    "gemini's file": ("gemini", "AfterTool", {"tool_name": "write_file", "tool_response": {"llmContent": "ok"},
                      "tool_input": {"file_path": "a.toml", "content": "x = 1"}}, "write", "a.toml"),
    "cursor's shell": ("cursor", "postToolUse", {"tool_name": "Shell", "tool_input": {"command": "make"},
                       "tool_output": '{"output":"ok","exitCode":0}'}, "shell", "make"),
    "cursor's file": ("cursor", "postToolUse", {"tool_name": "StrReplace", "tool_output": "ok",
                      "tool_input": {"path": "a.toml", "new_string": "x = 1"}}, "write", "a.toml"),
    "another's tool in Claude Code": ("claude-code", "PostToolUse", {"tool_name": "apply_patch",
                                      "tool_input": {"command": PATCH}, "tool_response": "ok"}, "other", ""),
}  # fmt: skip


@pytest.mark.parametrize("case", CLIENTS)
def test_each_client_s_own_tools_are_known(box, case):
    client, native, fields, doing, about = CLIENTS[case]
    said = {"session_id": "s", "cwd": str(box.root), "hook_event_name": native, "tool_use_id": "t", **fields}
    inbox.put(str(box.home), client, native, json.dumps(said).encode(), now=box.now or "")
    drain(box)
    [(found, told)] = rows(box, "SELECT doing, about FROM events")
    assert found == doing
    assert told.startswith(about)


@pytest.mark.parametrize("odd", [None, 5, [], {}, "", "\ufffd", "*** Update File: ", ["*** Add File: x"]])
@pytest.mark.parametrize("client", ["codex", "gemini", "cursor", "generic"])
def test_odd_events_of_other_clients_are_no_trouble(box, client, odd):
    natives = {"codex": "PostToolUse", "gemini": "AfterTool", "cursor": "postToolUse", "generic": "ToolFailed"}
    tools = ("apply_patch", "Bash", "run_shell_command", "write_file", "Shell", "Write", "shell", "edit", None)
    for tool in tools:
        said = {
            "session_id": "s", "conversation_id": "s", "session": "s", "cwd": str(box.root), "folder": str(box.root),
            "tool_name": tool, "tool": tool, "tool_input": {"command": odd, "file_path": odd, "content": odd},
            "tool_response": odd, "tool_output": odd, "error": odd, "output": odd, "command": odd, "path": odd,
        }  # fmt: skip
        inbox.put(str(box.home), client, natives[client], json.dumps(said).encode(), now=box.now or "")
    drain(box)
    assert_all_is_well(box)


# -- texts that patterns are afraid of ---------------------------------------------------------------------------------

HOSTILE: dict[str, str] = {
    "spaces": "a" + " " * 10_000 + "x", "one letter": "a" * 10_000, "hyphens": "-" * 10_000, "dots": "a." * 5_000,
    "nested quotes": "'\"" * 2_500 + "a" + "\"'" * 2_500, "backslashes": '"' + "\\" * 10_000, "marks": '"\\' * 5_000,
    "backticks": "`a" * 5_000 + "`", "fences": "```\n" * 2_500, "underscores": "a_" * 5_000, "paths": "/a" * 5_000,
    "slashes": "x" + "/" * 10_000, "empty lines": "a" + "\n" * 10_000 + "x", "indented": "a" + "\n " * 5_000 + "x",
    "tabs": "a" + "\t" * 10_000 + "x", "negations": "not a, " * 1_500, "or": "never use a" + " or a" * 2_500,
    "leads": "ok, " * 2_500, "hms": "hm" * 5_000, "first": "first " * 1_700, "every": "every a " * 1_300,
    "here documents": "cat <<a\n" * 1_250, "a here document": "cat <<a" + "\n" * 9_000 + "b",
    "parentheses": "(" * 10_000, "stars": "*" * 10_000, "hexadecimal": "deadbeef" * 1_250, "semicolons": "a ; " * 2_500,
    "pipes": "|" * 10_000, "ands": "a && " * 2_000, "settings": "A=a " * 2_500, "sentences": "Use a. " * 1_400,
    "commits": 'git commit -m "' + 'a \\" ' * 2_000, "git": "git -c a " * 1_100, "blocks": "<memory-context " * 600,
    "reminders": "<system-reminder>" * 600, "percent": "1% " * 3_300, "errors": "Error " * 1_600, "E": "E " * 5_000,
    "links": "https://a:b@" * 800, "passwords": "password " * 1_100, "repeats": "a\n" * 5_000, "equals": "=" * 10_000,
}  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_makes_a_session_take_long(box, text):
    said = HOSTILE[text]
    Telling(box).asks(said).runs(said, said).fails(said, said).edits("a.toml", said).answers(said).ends()
    with in_time():
        drain(box)
    assert_all_is_well(box)


@pytest.mark.parametrize("digits", ["1" * 4_000, "01" * 1_500])
def test_a_long_number_in_a_sentence_takes_no_time(box, digits):
    Telling(box).asks(f"The value is {digits} here.").answers("ok")
    with in_time(5):
        drain(box)


@pytest.mark.parametrize(
    "line",
    [" " * 99_000 + "x", "12 " * 33_000 + "x"],
    ids=["blanks", "a matrix"],
)
def test_a_long_line_of_blanks_or_numbers_takes_no_time(box, line):
    Telling(box).asks("go on").runs("python show.py", line).answers("ok")
    with in_time(5):
        drain(box)


@pytest.mark.parametrize("tag", ["<system-reminder>", "<memory-context "])
def test_an_answer_full_of_tags_that_nobody_closes_takes_no_time(box, tag):
    Telling(box).asks("go on").answers(tag * (240_000 // len(tag)))
    with in_time(5):
        drain(box)


@pytest.mark.parametrize("said", ["A sentence that says a little. " * 3_300, "word " * 20_000, PNPM + " x" * 50_000])
def test_an_answer_of_100_000_characters_is_cut(box, said):
    Telling(box).asks("tell me everything").answers(said[:100_000]).ends()
    with in_time():
        drain(box)
    memories = box.run("list", "--json").json
    assert all(len(json.dumps(one)) < 20_000 for one in memories)
    assert len(details(box)) < 20_000
    assert_all_is_well(box)


# -- what breaks on our side -------------------------------------------------------------------------------------------

OF_A_TURN = sorted(
    {row.handler for row in wiring.BINDINGS if row.where == wiring.WORKER and row.event != "ToolStarting"}
)
CAPTURING = [name for name in OF_A_TURN if name.startswith("pipeline.capture.")]


def crash(*_: object) -> None:
    raise ZeroDivisionError("this handler is broken")


@pytest.mark.parametrize("handler", CAPTURING)
def test_a_handler_that_crashes_loses_its_own_work_and_is_named(box, handler, monkeypatch):
    monkeypatch.setattr(capture, handler.rpartition(".")[2], crash)
    repaired(Telling(box).starts())
    box.run("drain")
    assert (inbox.waiting(str(box.home)), aside(box)) == ([], [])
    assert f"{handler}: ZeroDivisionError: this handler is broken" in log(box)
    assert {line.split()[1] for line in log(box).splitlines()} == {f"{handler}:"}
    assert rows(box, "SELECT count(*) FROM events") == [(7,)]
    assert len(box.run("list", "--json", "--kind", "turn_summary").json) == 1
    summaries = len(box.run("list", "--json", "--kind", "session_summary").json)
    assert (len(kept(box, "runbook")), summaries) == (1, 1)


def test_a_crash_over_one_event_leaves_what_other_events_became(box, monkeypatch):
    whole = becoming.record_tool_event

    def crash_over_edits(plan: Any, noted: Any) -> None:
        whole(plan, noted)
        if noted["tool"] == "Edit":
            crash()

    monkeypatch.setattr(becoming, "record_tool_event", crash_over_edits)
    telling = Telling(box).asks(PNPM).edits("a.toml", "x = 1").runs(TEST, PASSED).answers("ok").ends()
    box.run("drain")
    assert log(box).count("event_handlers.record_tool_event: ZeroDivisionError") == 1
    assert rows(box, "SELECT doing FROM events WHERE session = ? ORDER BY at", telling.session)[1:3] == [
        ("write",),  # another handler had kept it
        ("shell",),
    ]
    assert len(kept(box, "preference")) == 1


def test_a_crash_over_a_prompt_does_not_move_the_session_counter(box, monkeypatch):
    whole = becoming.count_prompt

    def crash_afterwards(plan: Any, noted: Any) -> None:
        whole(plan, noted)
        crash()

    with monkeypatch.context() as patched:
        patched.setattr(becoming, "count_prompt", crash_afterwards)
        Telling(box).asks(PNPM)
        box.run("drain")
    assert log(box).count("event_handlers.count_prompt: ZeroDivisionError") == 1
    assert rows(box, "SELECT number, prompts FROM sessions") == [(0, 0)]
    Telling(box, LATER).asks(PNPM)
    box.run("drain")
    assert rows(box, "SELECT number, prompts FROM sessions WHERE id = ?", LATER) == [(1, 1)]


# A drain that waits for a locked database a moment only. In a process of its own: locks bind no process to itself.
DRAIN_IMPATIENTLY = """
from recollect.faces.cli import main
from recollect.store.sqlite import database
database.BUSY_MS = 50
main(["drain"])
"""
IMPATIENT = (sys.executable, "-c", DRAIN_IMPATIENTLY)


@contextlib.contextmanager
def held(box: Box) -> Iterator[None]:
    """Another program writes into the store and takes its time."""
    other = sqlite3.connect(box.home / "memory.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def test_a_session_waits_for_a_store_that_is_held_and_is_captured_once(box):
    repaired(Telling(box).asks(PNPM).answers("ok"))
    waiting = inbox.waiting(str(box.home))
    with held(box):
        for _ in range(2):
            done = subprocess.run(IMPATIENT, env=box.env, cwd=box.root, capture_output=True, text=True, timeout=100)
            assert "Traceback" not in done.stderr
            assert inbox.waiting(str(box.home)) == waiting
    box.run("drain")
    assert (inbox.waiting(str(box.home)), aside(box)) == ([], [])
    assert Counter(one["kind"] for one in kept(box)) == {"preference": 1, "runbook": 1}


LIMITED = (
    *(sys.executable, "-c"),
    """import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # or half a compiled module stays behind for everybody else
os.execvp(sys.argv[2], sys.argv[2:])
""",
)


@pytest.mark.parametrize("more", [-100_000, 0, 4_096, 20_000, 60_000, 150_000])
def test_wherever_a_full_disk_strikes_a_session_is_captured_once_in_the_end(box, more):
    """No file can become larger than a limit: the log, a memory's file, the write-ahead log are what does not fit."""
    box.run("remember", "what must not be lost")
    repaired(Telling(box).asks(PNPM).answers("ok"))
    size = max(1, (box.home / "memory.db").stat().st_size + more)
    drain_limited = box.start("drain", prefix=(*LIMITED, str(size)))
    _, problem = drain_limited.communicate(timeout=100)
    assert "Traceback" not in problem
    for _ in range(3):
        box.run("drain")
    assert (inbox.waiting(str(box.home)), aside(box)) == ([], [])
    found = Counter(one["kind"] for one in kept(box))
    assert (found["preference"], found["runbook"], found["note"]) == (1, 1, 1)
    assert len(box.run("list", "--json", "--kind", "turn_summary").json) == 2


# -- credentials -------------------------------------------------------------------------------------------------------


def holders(box: Box, *secrets: str) -> set[str]:
    """The files in which a credential stands, anywhere that we write."""
    files = [path for path in box.folder.rglob("*") if path.is_file() and ".git" not in path.parts]
    return {path.name for path in files for secret in secrets if secret.encode() in path.read_bytes()}


def spill(telling: Telling) -> Telling:
    """A session that says its credentials wherever one can."""
    command = f"deploy --token {TOKEN} --password '{PASSWORD}'"
    telling.asks(f"From now on always log in with {TOKEN}, never by hand, because the password is {PASSWORD}")
    telling.fails(command, f"Exit code 1\nError: login refused for {TOKEN}\nDB_PASSWORD='{PASSWORD}'\n{KEY}")
    telling.edits("config/app.toml", f'token = "{TOKEN}"\naws_secret_access_key = "{AWS_KEY}"\npassword = "{PASSWORD}"')
    telling.writes("config/key.pem", KEY)
    telling.runs(f"export API_TOKEN={TOKEN}; {command}", f"logged in with {TOKEN}\n{KEY}\npassword: {PASSWORD}")
    telling.tool("mcp__db__query", {"sql": f"login {TOKEN}", "dsn": f"postgres://app:{PASSWORD}@db/x"}, "ok")
    telling.answers(f"The root cause was that the token {TOKEN} had expired, so I used password: {PASSWORD} instead.")
    return telling.commits(f"fix: log in with {TOKEN}").answers(f"We decided to go with {TOKEN} because it is new.")


@pytest.mark.parametrize("layout", ["", "markdown"])
def test_no_credential_of_a_session_is_written_anywhere(make_box, layout):
    box = make_box()
    box.run("init", *(("--layout", layout) if layout else ()))
    spill(Telling(box).starts()).note("PreCompact", trigger="auto").ends().drained()
    assert kept(box)
    assert_all_is_well(box)
    box.run("timeline", "--session", Telling(box).session)
    assert holders(box, TOKEN, PASSWORD, AWS_KEY, KEY_LINE) == set()


def test_a_note_in_the_inbox_holds_no_credential_either(box):
    session = {"session_id": "s", "cwd": str(box.root), "tool_use_id": "t", "tool_name": "Bash"}
    for native, more in (
        ("PostToolUse", {"tool_input": {"command": f"x --token {TOKEN}"}, "tool_response": {"stdout": KEY}}),
        ("PostToolUseFailure", {"tool_input": {"command": "x"}, "error": f"Error: {TOKEN} password={PASSWORD}"}),
        ("UserPromptSubmit", {"prompt": f"the token is {TOKEN}"}),
    ):
        raw = json.dumps({**session, "hook_event_name": native, **more})
        box.run("hook", "claude-code", native, stdin=raw)
    assert len(inbox.waiting(str(box.home))) == 3
    assert holders(box, TOKEN, PASSWORD, KEY_LINE) == set()
    drain(box)
    assert holders(box, TOKEN, PASSWORD, KEY_LINE) == set()


def test_credentials_that_hide_behind_signs_are_found_once_these_are_gone(box):
    colours, hidden = TOKEN[:12] + "\x1b[31m" + TOKEN[12:], TOKEN[:9] + "\u200b" + TOKEN[9:]
    telling = Telling(box).asks(f"use {hidden} here").runs("make", colours).fails(f"x {hidden}", f"Error: {hidden}: no")
    telling.edits("a.toml", f"t = '{hidden}'").runs(f"x {hidden}", "ok").answers(f"It was {hidden}.").ends().drained()
    assert holders(box, TOKEN) == set()


PLAIN_LINE = "a line of plain words\n"


@pytest.mark.parametrize("before", range(60, 100, 4))
def test_where_output_is_cut_no_piece_of_a_private_key_stays(box, before):
    said = PLAIN_LINE * before + KEY + "\n" + PLAIN_LINE * (160 - before)
    telling = Telling(box).asks("go on").runs("cat x", said).fails("make", said).edits("a.toml", said)
    telling.answers(said).ends().drained()
    assert holders(box, KEY_LINE) == set()


@pytest.mark.parametrize("where", ["a line", "what a tool was given"])
def test_where_something_is_cut_no_piece_of_a_token_stays(box, where):
    telling = Telling(box).asks("go on")
    if where == "a line":
        telling.runs("make", "w " * 188 + TOKEN + " and more")
    else:
        telling.tool("mcp__a__b", {"q": "w " * 133 + TOKEN + " and more"}, "ok")
    telling.answers().drained()
    assert holders(box, TOKEN[:20]) == set()


@pytest.mark.parametrize("where", ["a path", "a tool's name", "a call", "a reason", "a turn"])
def test_the_worker_does_not_rely_on_the_hook_for_names(box, where):
    telling = Telling(box, fields={"prompt_id": TOKEN} if where == "a turn" else {}).asks("go on")
    if where == "a path":
        telling.edits(f"config/{TOKEN}.toml", "x = 1")
    elif where == "a tool's name":
        telling.tool(f"mcp__{TOKEN}", {}, "ok")
    elif where == "a call":
        telling.note("PostToolUse", **ran("ok", tool_use_id=TOKEN))
    telling.answers().note("SessionEnd", reason=TOKEN if where == "a reason" else "exit").drained()
    assert holders(box, TOKEN) == set()


def test_as_the_hook_notes_them_names_hold_no_credential(box):
    said = ran("ok", tool_use_id=TOKEN, session_id="s", cwd=str(box.root), prompt_id="p")
    edit = {**said, "tool_name": "Edit", "tool_use_id": "t", "tool_input": {"file_path": f"config/{TOKEN}.toml"}}
    for one in (said, edit):
        inbox.put(str(box.home), "claude-code", "PostToolUse", redact(json.dumps(one).encode()), now=box.now or "")
    drain(box)
    assert holders(box, TOKEN) == set()


# -- taken back --------------------------------------------------------------------------------------------------------


def test_undo_takes_back_what_a_person_did_and_not_what_was_captured_since(box):
    box.run("remember", "the crane is yellow")
    Telling(box).asks(POSTGRES).answers("ok").ends().drained()
    said = box.run("undo", "--yes").out
    assert "2 memories of the last capture are kept: `recollect undo --captured`" in said
    assert [one["kind"] for one in kept(box)] == ["decision"]
    assert "recollect undo --captured" in box.run("undo", "--yes", code=1).err
    assert [one["kind"] for one in kept(box)] == ["decision"]
    box.run("doctor")


def test_undo_takes_back_what_was_captured_last_and_leaves_the_turns(box):
    Telling(box).asks(POSTGRES).answers("ok").ends().drained()
    Telling(box, LATER).asks(LIMIT).answers("ok").ends().drained()
    box.run("remember", "the crane is yellow")
    turns = kept(box, "turn_summary")
    would = box.run("undo", "--captured", "--dry-run").out
    assert "constraint/" in would
    assert "decision/" not in would
    box.run("undo", "--captured", "--yes")
    assert sorted(one["kind"] for one in kept(box)) == ["decision", "note"]
    box.run("undo", "--captured", "--yes")
    assert [one["kind"] for one in kept(box)] == ["note"]
    assert kept(box, "turn_summary") == turns
    assert "nothing was captured" in box.run("undo", "--captured", code=1).err
    box.run("doctor")


def test_a_drop_that_was_undone_leaves_the_memory_as_it_was(box):
    telling = Telling(box).asks(LIMIT).answers("ok")
    drain(box)
    before = only(box, "constraint")
    box.run("drop", before["slug"])
    assert kept(box, "constraint") == []
    telling.asks("and now the tests").answers("ok").drained()
    assert kept(box, "constraint") == []
    box.run("undo", "--yes")
    after = only(box, "constraint")
    assert (after["uid"], after["content"], after["tags"]) == (before["uid"], before["content"], before["tags"])


def test_what_a_capture_superseded_can_be_restored(box):
    box.run("remember", "always use npm in this repo", "--kind", "preference", "--why", "the image has it")
    [older] = [one["slug"] for one in kept(box, "preference")]
    Telling(box).asks(PNPM).answers("ok").drained()
    assert [one["slug"] for one in kept(box, "preference")] != [older]
    done = box.run("undo", "--yes", code=None)
    assert "Traceback" not in done.err
    if done.code:
        box.run("restore", older)
        assert len(kept(box, "preference")) == 2
    box.run("doctor")
