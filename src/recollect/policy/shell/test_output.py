"""Read what test runners print of tests that failed: the name of the test and the assertion or error, never a log line.

`RUNNERS` is the table of their formats. Light to import: a hook loads it when a tool has failed. A reader goes
through the lines once.
"""

import itertools
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

MOST_TESTS = 20
UNKNOWN = "?"
"""The test that lines belong to where the line that names it was cut off."""
BLOCK_LINES = 60
"""At most so many lines of one test are read."""
MESSAGE_CHARS = 300
VALUE_LINES = 4

Lines = Sequence[str]


class FailedTest(NamedTuple):
    """A test that failed: its name, without the file or class where that is long, and what was not met."""

    name: str
    message: str

    @property
    def line(self) -> str:
        """The failure in a line. An assertion says little without its test; an error stands for itself."""
        is_named = bool(self.name) and is_assertion(self.message)
        return f"{self.name}: {self.message}" if is_named else self.message


class Runner(NamedTuple):
    """A test runner: its name, a line by which its output is known, the reader, and an example of such a line."""

    name: str
    mark: re.Pattern[str]
    read: Callable[[Lines], list[FailedTest]]
    example: str


# "got 3, want 4": somebody compared something.
_COMPARED = re.compile(
    r"\b(?:want(?:ed)?|got|expect(?:ed|ation|s)?|should|must|assert\w*|actual|received|mismatch|equal|differs?)\b",
    re.IGNORECASE,
)
# Weaker: something went wrong in a test.
_WENT_WRONG = re.compile(
    r"""\b(?: unexpected | fail(?:ed|s|ure)? | error | err | panic | missing | invalid | cannot | could\ not | did\ not
            | didn't | does\ not | doesn't | is\ not | isn't | was\ not | wasn't | not\ found | no\ such
            | timed?\ ?out | leaked )\b""",
    re.IGNORECASE | re.VERBOSE,
)
# 2026/01/06 14:11:05 INFO; level=info; DEBUG
_LOG_LINE = re.compile(r"\b(?:INFO|DEBUG|TRACE|WARN(?:ING)?)\b|\blevel=\w+|^\W*\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d")
_ERROR_CLASS = re.compile(
    r"^\*\* \([\w.]+\) |^(?:[\w.$]+[.:])?\w*(?:Error|Exception|Failure|Failed|NotFound|Timeout)\b(?:\s\[\w+\])?: ?\S"
)
_VALUE = re.compile(
    r"^(?:expected|received|actual|got|left|right|want|have|\+ expected|- actual)\b[^:]{0,20}:", re.IGNORECASE
)
_PLACE = re.compile(r"^[\w./\\-]+\.\w{1,5}:\d+(?::\d+)?:?$")  # test/cart_test.exs:22
_SPACES = re.compile(r"\s+")


def is_assertion(message: str) -> bool:
    """Whether a message compares what was expected with what was there."""
    return bool(_COMPARED.search(message))


def is_log_line(line: str) -> bool:
    """Whether a line is what a Go test logs: a place without a column, and no word of a failure."""
    located = _GO_LOCATED.match(line)
    if not located:
        return False
    is_wrong = _COMPARED.search(located[1]) or _WENT_WRONG.search(located[1])
    return not is_wrong or bool(_LOG_LINE.search(located[1]))


def failed_tests(lines: Lines) -> list[FailedTest]:
    """Return the tests that failed, by the first runner whose marks the lines have; empty if there is none."""
    for runner in RUNNERS:
        if any(runner.mark.search(line) for line in lines):
            told = [FailedTest(test.name, _one_line(test.message)) for test in runner.read(lines)]
            found = [test for test in told if test.message]
            if found:
                return list({test.line: test for test in found}.values())[:MOST_TESTS]
    return []


def _one_line(message: str) -> str:
    return _SPACES.sub(" ", message).strip()[:MESSAGE_CHARS]


def _blocks(lines: Lines, begins: re.Pattern[str], ends: re.Pattern[str] | None = None) -> list[tuple[str, list[str]]]:
    """Return the name (first group) and the lines of each block: from a line that begins one to the next, or an end."""
    found: list[tuple[str, list[str]]] = []
    is_open = False
    for line in lines:
        start = begins.search(line)
        if start:
            found.append((start[1].strip(), []))
            is_open = True
        elif ends and ends.search(line):
            is_open = False
        elif is_open and line.strip() and len(found[-1][1]) < BLOCK_LINES:
            found[-1][1].append(line.strip())
    return found


def _message(block: Lines) -> str:
    """Return what a block of a failed test says went wrong: an error with the values compared, else the first line."""
    lead = next((line for line in block if _ERROR_CLASS.search(line)), "")
    if not lead:
        lead = next((line for line in block if is_assertion(line) and not _VALUE.search(line)), "")
    values = [line for line in block if _VALUE.search(line)][:VALUE_LINES]
    if not lead and not values:
        lead = next((line for line in block if not _LOG_LINE.search(line) and not _PLACE.match(line)), "")
    more = [value for value in values if value not in lead]
    return f"{lead} {', '.join(more)}".strip()


def _read_blocks(begins: re.Pattern[str], ends: re.Pattern[str] | None = None) -> Callable[[Lines], list[FailedTest]]:
    """Return a reader of a format where a line with the test's name is followed by what went wrong."""

    def read(lines: Lines) -> list[FailedTest]:
        return [FailedTest(_short(name), _message(block)) for name, block in _blocks(lines, begins, ends)]

    return read


def _short(name: str) -> str:
    """Return the last part of a test's name: `adds` of "cart > totals > adds", `test_get` of `api.py::test_get`."""
    return re.split(r" \u203a | > |::", name)[-1].strip(" :")


# -- Go ----------------------------------------------------------------------------------------------------------------

_GO_NOW = re.compile(r"^=== (?:RUN|CONT|NAME|PAUSE)\s+(\S+)")
_GO_RESULT = re.compile(r"^\s*--- (FAIL|PASS|SKIP): (\S+)")
_GO_END = re.compile(r"^(?:ok|FAIL|PASS|\?)(?:\s|$)")
_GO_LOCATED = re.compile(r"^\s*[\w./-]+\.go:\d+:(?!\d) ?(.*)")  # with a column it is a compiler's
_TESTIFY = re.compile(r"^\s*(Error|Messages):\s*(.*)")
_TESTIFY_END = re.compile(r"^\s*(?:Error Trace|Test|Error|Messages):")


def _go(lines: Lines) -> list[FailedTest]:
    """`=== RUN` and `--- FAIL` say which test the lines below them belong to; t.Error and t.Log look the same."""
    said: dict[str, list[str]] = {}
    failed: dict[str, None] = {}
    test = UNKNOWN
    for line in lines:
        now, result = _GO_NOW.match(line), _GO_RESULT.match(line)
        if now:
            test = now[1]
        elif result:
            test = result[2]
            failed |= {test: None} if result[1] == "FAIL" else {}
        elif _GO_END.match(line):
            test = ""
        elif test and line.strip():
            said.setdefault(test, []).append(line)
    named = [FailedTest(test, _go_message(said[test])) for test in failed if test in said]
    if any(test.message for test in named) or UNKNOWN not in said:
        return named
    return [FailedTest("", _go_message([*said[UNKNOWN], ""]))]


def _go_message(block: Lines) -> str:
    """Return the assertion of a test: testify's block, a panic, or the located line that most looks like one.

    Without such a line it is the last one, since `t.Fatal` ends a test; not if the block ends with an empty line,
    because then nobody knows whether the test ends there.
    """
    panic = next((line.strip() for line in block if line.startswith("panic: ")), "")
    testify = _testify(block)
    if panic or testify:
        return panic or testify
    located = [(place, found[1]) for place, line in enumerate(block) if (found := _GO_LOCATED.match(line))]
    told = [(place, text) for place, text in located if not _LOG_LINE.search(text)]
    is_whole = block[-1] != ""
    for pattern in (_COMPARED, _WENT_WRONG):
        matching = [(place, text) for place, text in told if pattern.search(text)]
        if matching:
            return _with_next(block, *matching[0 if is_whole else -1])
    is_last = bool(told) and told[-1] == located[-1] and is_whole
    return _with_next(block, *told[-1]) if is_last else ""


def _with_next(block: Lines, place: int, text: str) -> str:
    """Return a line, together with the next one where it only leads up to it ("got:")."""
    is_leading = text.rstrip().endswith(":") or not text.strip()
    following = block[place + 1] if is_leading and place + 1 < len(block) else ""
    return f"{text} {following.strip()}" if following and not _GO_LOCATED.match(following) else text


def _testify(block: Lines) -> str:
    """Return the error of a testify block with its values, and the test's own message; empty if there is none."""
    if not any("Error Trace:" in line for line in block):
        return ""
    parts: dict[str, list[str]] = {}
    name = ""
    for line in block:
        begins = _TESTIFY.match(line)
        if begins:
            name = "" if begins[1] in parts else begins[1]
            if name:
                parts[name] = [begins[2]]
        elif _TESTIFY_END.match(line) or _GO_LOCATED.match(line):
            name = ""
        elif name and len(parts[name]) < VALUE_LINES and not line.strip().startswith(("Diff:", "---", "+++", "@@")):
            parts[name].append(line.strip())
    error, message = (" ".join(filter(None, parts.get(part, []))) for part in ("Error", "Messages"))
    return f"{message}: {error}" if message and error else error


# -- Rust, Python, Java, TAP, .NET -------------------------------------------------------------------------------------

_RUST_PANIC = re.compile(r"thread '([^']*)'(?: \(\d+\))? panicked at (?:'(.*)', )?\S+:\d+(?::\d+)?:?\s*(.*)$")
_RUST_END = re.compile(r"^\s*(?:note:|stack backtrace|----|$)")
_PYTEST_TITLE = re.compile(r"^_{3,} (?:ERROR (?:at|collecting) .*? of )?(.+?) _{3,}$")
_PYTEST_LINE = re.compile(r"^E\s+(\S.*)")
_PYTEST_SUMMARY = re.compile(r"^(?:FAILED|ERROR) (\S+)(?: - (.+))?$")
_UNITTEST_TITLE = re.compile(r"^(?:FAIL|ERROR): (\w+) \(")
_UNITTEST_END = re.compile(r"^(?:Ran \d+|FAILED \()")
_SUREFIRE_LINE = re.compile(r"^(?:\[ERROR\])?\s+((?:\w+\.)*\w+\.\w+):\d+(?:->\S+)? (.+)$")
_SUREFIRE_TITLE = re.compile(
    r"^(?:\[ERROR\] )?(?:[\w.]+\.)?(\w+\.\w+|\w+\(\w[\w.]*\))(?:\[.*\])?(?: --)? .*<<< (?:FAILURE|ERROR)!"
)
_MAVEN = re.compile(r"<<< (?:FAILURE|ERROR)!|^\[ERROR\]\s+\w+\.\w+:\d+ ")
_GRADLE_TITLE = re.compile(r"^(\S.* > .+?) FAILED$")
_TAP_TITLE = re.compile(r"^\s*not ok \d+(?: -)? (.+)$")
_TAP_FIELD = re.compile(r"^(?:error|message|operator|expected|actual): *(?:\|-?)?\s*(.*)")
_DOTNET_TITLE = re.compile(
    r"^\s*(?:Failed|\[FAIL\]) ?([\w.+<>`]+)(?:\(.*\))?(?: \[.*\])?$|^\s*([\w.]+)(?:\(.*\))? \[FAIL\]$"
)
_DOTNET_END = re.compile(r"^\s*(?:Stack Trace|Standard Output)")


def _rust(lines: Lines) -> list[FailedTest]:
    """`thread 'tests::adds' panicked at src/lib.rs:3:5:`, and below it the message, `left:` and `right:`."""
    found = []
    for place, line in enumerate(lines):
        panic = _RUST_PANIC.search(line)
        if not panic:
            continue
        message = [panic[2] or panic[3]] if panic[2] or panic[3] else []
        for following in lines[place + 1 : place + 1 + VALUE_LINES]:
            if _RUST_END.match(following) or (message and not _VALUE.match(following.strip())):
                break
            message.append(following.strip())
        name = "" if panic[1] == "main" else _short(panic[1])
        found.append(FailedTest(name, " ".join(message)))
    return found


def _pytest(lines: Lines) -> list[FailedTest]:
    """The first line with `E` below each title; without titles, the lines of the short summary."""
    named: dict[str, str] = {}
    name = ""
    for line in lines:
        title, error = _PYTEST_TITLE.match(line), _PYTEST_LINE.match(line)
        name = _short(title[1].rpartition(".")[2]) if title else name
        if error and not named.get(name):
            named[name] = error[1]
    if named:
        return [FailedTest(name, message) for name, message in named.items()]
    summary = filter(None, map(_PYTEST_SUMMARY.match, lines))
    return [FailedTest(_short(line[1]), line[2] or "") for line in summary if "::" in line[1]]


def _unittest(lines: Lines) -> list[FailedTest]:
    """The exception at the end of the traceback below `FAIL: test_name (module.Class)`."""
    blocks = _blocks(lines, _UNITTEST_TITLE, _UNITTEST_END)
    return [
        FailedTest(name, next((line for line in reversed(block) if _ERROR_CLASS.search(line)), ""))
        for name, block in blocks
    ]


def _maven(lines: Lines) -> list[FailedTest]:
    """Surefire's summary (`CartTest.adds:12 expected: <3> but was: <4>`), else the exception below `<<< FAILURE!`."""
    summary = [FailedTest(found[1], found[2]) for line in lines if (found := _SUREFIRE_LINE.match(line))]
    below = [FailedTest(name, block[0]) for name, block in _blocks(lines, _SUREFIRE_TITLE) if block]
    return summary or below


def _tap(lines: Lines) -> list[FailedTest]:
    """`not ok 3 - adds`, and fields of the diagnostics below it."""
    found = []
    for name, block in _blocks(lines, _TAP_TITLE, re.compile(r"^\s*ok \d+")):
        fields = [field[0] for line in block if (field := _TAP_FIELD.match(line))]
        said = [line.partition(":")[2].strip(" |-'\"") for line in fields if line.startswith(("error", "message"))]
        values = [line for line in fields if line.startswith(("expected", "actual"))]
        below = next((following for line, following in itertools.pairwise(block) if line.endswith(("|-", "|"))), "")
        found.append(FailedTest(name, " ".join([*filter(None, said or [below]), *values])))
    return found


def _dotnet(lines: Lines) -> list[FailedTest]:
    """What stands below `Error Message:`, up to the stack trace."""
    found: list[FailedTest] = []
    name, is_message, message = "", False, list[str]()
    for line in [*lines, "Stack Trace:"]:
        title = _DOTNET_TITLE.match(line)
        if title:
            name = (title[1] or title[2]).rpartition(".")[2]
            is_message, message = bool(title[2]), []
        elif line.strip() == "Error Message:":
            is_message = True
        elif _DOTNET_END.match(line):
            found += [FailedTest(name, " ".join(message[:VALUE_LINES]))] if name and message else []
            name, is_message, message = "", False, []
        elif is_message and line.strip():
            message.append(line.strip())
    return found


# -- JavaScript, Ruby, PHP, Elixir -------------------------------------------------------------------------------------

_JEST_TITLE = re.compile(r"^\s*\u25cf (?!Console)(.+)$")
_JEST_END = re.compile(r"^(?:Test Suites?|Tests|Snapshots|Time):|^(?:PASS|FAIL) ")
_VITEST_TITLE = re.compile(r"^\s*FAIL\s+(?:\|[^|]*\|\s+)?(\S+\.[cm]?[jt]sx?(?: > .+)?)(?: \[.*\])?$")
_VITEST_END = re.compile(r"^\s*(?:Test Files|Tests|Start at)\s")
_NUMBERED_TITLE = re.compile(r"^\s*\d+\) (.+)$")
_NUMBERED_SUM = re.compile(
    r"^\s*\d+ failing\b|\d+ (?:examples?|runs?|tests?), .*\b\d+ failures?\b|^There w(?:as|ere) \d+ (?:failure|error)"
    r"|^\s*Failures:$"
)
_NUMBERED_END = re.compile(r"^(?:Finished in|\d+ (?:examples|runs|tests)|Failed examples|Tests:)")
_FAILURE_ERROR = re.compile(r"^Failure/Error: *")
_IS_NAME = re.compile(r"\[.*:\d+\]:?$|:$")


def _numbered(lines: Lines) -> list[FailedTest]:
    """`1) name`, as mocha, RSpec, Minitest, PHPUnit and ExUnit print it."""
    return [_numbered_test(name, block) for name, block in _blocks(lines, _NUMBERED_TITLE, _NUMBERED_END)]


def _numbered_test(name: str, block: list[str]) -> FailedTest:
    """Return the test of a numbered block. Its name may stand on the next line, and end with a place or a colon."""
    if block and not _VALUE.match(block[0]) and (name in ("Failure:", "Error:") or _IS_NAME.search(block[0])):
        name, block = block[0], block[1:]
    plain = [_FAILURE_ERROR.sub("", line) for line in block]
    short = re.sub(r" \[.*\]:?$", "", name).rpartition("#")[2]
    return FailedTest(_short(short.rpartition("\\")[2]), _message(plain))


RUNNERS = (
    Runner("Go", re.compile(r"^\s*--- FAIL: |^\s+[\w./-]+\.go:\d+: "), _go, "--- FAIL: TestTotal (0.00s)"),
    Runner("Rust", re.compile(r"panicked at "), _rust, "thread 'tests::adds' panicked at src/lib.rs:3:5:"),
    Runner("pytest", re.compile(r"^E   \s*\S|^(?:FAILED|ERROR) \S+::\S+"), _pytest, "E   assert 3 == 4"),
    Runner("unittest", _UNITTEST_TITLE, _unittest, "FAIL: test_adds (tests.test_cart.Cart)"),
    Runner("Jest", _JEST_TITLE, _read_blocks(_JEST_TITLE, _JEST_END), "\u25cf cart \u203a adds"),
    Runner("Vitest", _VITEST_TITLE, _read_blocks(_VITEST_TITLE, _VITEST_END), "FAIL  src/cart.test.ts > cart > adds"),
    Runner("Maven", _MAVEN, _maven, "[ERROR]   CartTest.adds:12 expected: <3> but was: <4>"),
    Runner("Gradle", _GRADLE_TITLE, _read_blocks(_GRADLE_TITLE), "CartTest > adds() FAILED"),
    Runner(".NET", re.compile(r"^\s*Error Message:|\[FAIL\]$"), _dotnet, "  Error Message:"),
    Runner("TAP", _TAP_TITLE, _tap, "not ok 3 - adds"),
    Runner("mocha, RSpec, Minitest, PHPUnit, ExUnit", _NUMBERED_SUM, _numbered, "12 examples, 1 failure"),
)  # fmt: skip
