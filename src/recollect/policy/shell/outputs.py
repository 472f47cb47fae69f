"""Read what tools print: clean it for keeping, and find the lines that say what went wrong.

Light to import: a hook loads it when a tool has failed. Patterns with several parts are written one part a line, with
an example behind it. What test runners print is read by `test_output`.
"""

import re
from functools import lru_cache

from recollect.policy.shell import test_output

LINE_CHARS = 400
MINIFIED_CHARS = 1_500
"""A longer line with hardly a blank in it is minified code, and is left out."""
BINARY_SHARE = 0.05
"""An output with more hidden characters than this share at its beginning is binary, and is left out."""
PROBED_CHARS = 4_000
MOST_CHARS = 100_000
SIGNATURE_CHARS = 200
MOST_LINES = 400
BARE_WORDS = 3
"""A line of fewer words only announces an error; the next line says which."""

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffd]")
_PROGRESS = re.compile(
    r"""^[\s\d:]*(?:
        [#=>.\-\u2500-\u259f|\\/*\u2800-\u28ff\s]{6,}                          # [======>     ]
      | (?: downloading | fetching | receiving | resolving | compressing
          | unpacking | progress
          | remote:\ (?: counting | compressing | total ) )\b.*                 # Downloading numpy-2.0.whl
      | \d{1,3}\s?%.*                                                          # 45% done
      | .*\b\d{1,3}%[|\s\[].*                                                 # building 45%|####
    )$""",
    re.IGNORECASE | re.VERBOSE,
)

# -- lines that say what went wrong ------------------------------------------------------------------------------------

# KeyError: 'port'; E   AssertionError: assert 1 == 2
_EXCEPTION = re.compile(
    r"^\s*(?:E\s+)?[\w.]*(?:Error|Exception|Failure|Panic|Timeout|Interrupt|Refused|NotFound|Denied)\b[^\n]*[:(].+"
)
# (DBConnection.OwnershipError) cannot find ownership process; not an assertion of the test itself
_THROWN = re.compile(r"\b[\w.]*[a-z](?:Error|Exception)\)?:? \S")
_ASSERTED = re.compile(r"assert|\bexpect|^at ", re.IGNORECASE)
# thread 'main' panicked at src/main.rs:3; ERROR: AddressSanitizer
_CRASH = re.compile(
    r"panicked at|^panic: |WARNING: DATA RACE|ERROR: \w+Sanitizer|byte index \d+|assertion .*failed|AssertionError"
)
# error[E0382]: borrow of moved value; npm ERR! missing script
_LABELLED = re.compile(
    r"\b(?:error|fatal|panic(?:ked)?|fail(?:ed|ure)?|err!)\b(?:\[\w+\]|\s+\w{1,4}\d+)?\s*[:!].+", re.IGNORECASE
)
# src/app.ts:10:5: Type 'string' is not assignable
_LOCATED = re.compile(r"^\S+\.\w{1,5}:\d+(?::\d+)?: .+")
# FAILED tests/test_api.py::test_get
_CAPITALS = re.compile(r"\b(?:ERROR|FATAL|FAILED|FAIL|SUMMARY|WARNING: DATA RACE)\b.+")
# connection refused by 127.0.0.1
_COMPLAINT = re.compile(
    r"""\b(?: is\ not\ defined | not\ found | cannot | can't | could\ not | unable\ to | refused | denied | timed?\ ?out
          | unexpected | invalid | undefined | missing | no\ such | out\ of\ memory | does\ not | mismatch | conflict
          | violat | unreachable | unsupported )\b.*""",
    re.IGNORECASE | re.VERBOSE,
)
# the import failed
_MENTIONED = re.compile(r"\b(?:error|exception|failed|panic)\b.*", re.IGNORECASE)
# The most telling first.
_TELLING = (_EXCEPTION, _CRASH, _LABELLED, _LOCATED, _CAPITALS, _COMPLAINT, _MENTIONED)

# 0 errors; no issues found
_HARMLESS = re.compile(
    r"\b0 (?:errors?|fail(?:ed|ures?|ing)?)\b|\bno (?:errors?|issues)\b|\berror-free\b", re.IGNORECASE
)
_MARK = re.compile(r"^(?:E|>|\*|\u2716|\u00d7|\u25cf|\[ERROR\])\s+")
# What a log puts in front of a line.
_LOGGED = re.compile(
    r"""^(?: \#\d+\ [\d.]+\                                                                # docker: "#12 3.4 "
        | (?!\s|ok\b|FAIL\b)[^\t\n]{1,60}\t[^\t\n]{1,60}\t )?                                # CI: job, step
    (?: \[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d[.,\d]*(?:Z|[+-]\d\d:?\d\d)?\]?\s+      # 2026-03-01T10:22:13Z
      | \d\d:\d\d:\d\d[.,\d]*\s+ )?                                                       # 10:22:13.1
    """,
    re.VERBOSE,
)
# What a task runner puts in front of each line: "[test:ci] ", "@acme/web:test: ", "web-1  | ".
_TASK = re.compile(
    r"^(?: \[(?!(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|FAIL|FAILED)\])[\w:./@-]{2,40}\]\ (?=\S|\s)"
    r"| @?[\w./-]{1,40}:[\w-]{2,30}:\ (?=\S|\s)"
    r"| [\w-]{2,40}-\d+\s+\|\  )",
    re.VERBOSE,
)
_CODE_LINE = re.compile(r"\d* ?\|")  # a line of the code that a compiler complains of: "12 | let x"
_WORD = re.compile(r"[^\W\d_]{2}")
_PANICKED = re.compile(r"panicked at [^\n]+:\n")  # Rust's message stands on the next line
# Lines that only sum up.
_SUMMARY = re.compile(
    r"""^\W*(?:
        exit\ code\ \d+
      | test\ result:\ .* | \d+\ (?:failed|failing|passed|errors?)\b.* | FAILED\ \(.* | FAIL | BUILD\ FAILED.*
      | error(?: :\ process\ completed | :\ could\ not\ compile | \ Command\ failed ).*
      | make(?:\[\d+\])?:\ \*\*\*.* | ninja:\ .*stopped.*
      | FAIL\s\S+\ \[(?:build|setup)\ failed\] | FAIL\s+\S+\s+[\d.]+s | -+\ FAIL:\ .* | \[FAILED\]\ in\ .*
      | unexpected\ error
      | ok\s+\S+\s+(?:[\d.]+s|\(cached\))
      | FOUND\ \d+\ ERRORS?\ .*
      | \#\ \S+(?:\ \[\S+\])?
      | -+\ (?:PASS|SKIP):\ .* | ===\ (?:RUN|CONT|NAME|PAUSE)\b.* | PASS(?:ED)?(?:\s.*)? | FAIL\s+\S+
      | (?:\w+:\ |command\ )?exit(?:ed)?\ (?:status|code|with(?:\ code)?)\ \d+
      | (?:mise\ )?(?:ERROR\s+)?task\ failed | task:\ Failed\ to\ run\ task\ .* | \d+\ issues?: | \*\ \w+:\ \d+
      | error:\ Recipe\ .*failed.*
      | npm\ (?:ERR!|error)\ (?:code\ (?:ELIFECYCLE|\d+)|path|command|errno|Lifecycle|Test\ failed|A\ complete).*
      | (?:error\ )?(?:ELIFECYCLE\s+)?Command\ failed\ .* | error:\ script\ .*exited.* | Test\ failed\.\ .*
      | (?:ERROR\s+)?run\ failed:\ command\ .*exited.* | Failed:\s+\S+\#\S+ | (?:NX|nx)\s+Ran\ target.*
      | nox\ >\ .*failed.* | \S+:\ (?:FAIL|exit)\ .*\bevaluation\ failed.*
    )\W*$""",
    re.IGNORECASE | re.VERBOSE,
)

# Nothing but the news of a failure.
_BARE = re.compile(
    r"^\W*(?:(?:error|err|fail(?:ed|ure)?|fatal|exception|tests?|task|build|command|process|run|job|step|with|the|a|an"
    r"|unknown|exit(?:ed)?|code|status|non-?zero|\d+)\b\W*)+$",
    re.IGNORECASE,
)

# -- whether something failed ------------------------------------------------------------------------------------------

_FAILING = re.compile(
    r"""^traceback\ \(most\ recent\ call\ last\)
      | \b[1-9]\d*\ (?:tests?\ )?(?:failed|failing|failures?|errors?)\b(?!\ in\ 0)   # 3 tests failed
      | ^FAIL(?:ED)?\b | \bBUILD\ FAILED\b
      | \berror\ (?:TS|CS)\d+ | ^error(?:\[E\d+\])?: | ^npm\ ERR! | \bpanic(?:ked)?(\ at|:) | ^fatal:
      | \bERR_[A-Z_]{4,}                                                              # ERR_MODULE_NOT_FOUND
      | ^\S*(?:Error|Exception):\                                                     # KeyError: 'port'
      | \b(?:CREATE|UPDATE|DELETE)_FAILED\b                                           # CloudFormation
      | ^[^\w\n]*\u274c | "FunctionError"                                             # a red cross; AWS Lambda
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
# 12 passed; BUILD SUCCESS
_ALL_WELL = re.compile(r"\b[1-9]\d* (?:tests? )?pass(?:ed|ing)\b|\btest result: ok\b|\bBUILD SUCCESS", re.IGNORECASE)
# 1 failed; FAILED; error TS2304
_COUNTED = re.compile(
    r"\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?)\b|^[^\w\n]*FAIL|\bFAILED\b"
    r"|^error(?:\[E\d+\])?:|\berror TS\d",
    re.MULTILINE,
)
# A line of a failure that somebody pasted.
_REPORTED = re.compile(
    r"""\b\w*(?:Error|Exception)\b(?:\ in\ [^:\n]{1,80})?:\ \S     # TypeError in app.js: x is undefined
      | panicked\ at\  | ^Traceback\ \(most | ^\s+at\ [\w.$<>]+\(  # "    at main(app.js:3)"
      | ^E\s{3,} | \bFATAL(?:\ EXCEPTION)?: | \bfatal\ error: | \#\#\[error\]
    """,
    re.VERBOSE,
)
# A line that tells somebody what to do: a word that leads up to it, a verb, or a command to copy.
_SUGGESTS = re.compile(
    r"""^\W*(?:\w+\ ){0,2}(?: hint | tip | fix | help | solution | workaround | suggestion | resolution | remedy
                             | action | next\ steps? )\b[^:]{0,30}:                                            # hint: …
      | ^\W*(?:please\ |first\ |now\ |then\ )*(?: run | execute | try | install | use | type | open | visit | download
                                                | add | set | paste )\b                                # Please run …
      | \b(?:run|try|use|execute|running|installing)\b:?\ [`'"$]                                      # try `npm i`
      | \b(?:curl|wget|iwr|irm)\b[^|\n]{0,200}\|\s*\w*sh\b                                           # curl … | sh
      | \byou\ (?:should|must|need\ to|have\ to|can)\b | \bplease\ (?:run|try|use|install|execute)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
# What differs between two runs of the same error, and what stands for it in a signature.
_VARIABLE = (
    (re.compile(r"0x[0-9a-f]+|\b[0-9a-f]{7,40}\b", re.IGNORECASE), "#"),  # addresses, hashes
    (re.compile(r"(?:[A-Za-z]:)?(?:[\w.@~-]*/)+([\w.@-]+)"), r"\1"),  # the folders of a path
    (re.compile(r"\d+(?:\.\d+)*"), "#"),  # numbers
    (re.compile(r"\s+"), " "),
)


def clean(output: str) -> str:
    """Return output as a terminal would show it in the end, without progress and repeated or minified lines.

    An empty text if it is binary. At most 100,000 characters of it are read.
    """
    cut = output[:MOST_CHARS]
    probe = _ESCAPES.sub("", cut[:PROBED_CHARS]).replace("\r", "")
    hidden = sum(map(len, _HIDDEN.findall(probe)))
    if hidden > BINARY_SHARE * max(1, min(len(cut), PROBED_CHARS)):
        return ""
    lines: list[str] = []
    for raw in _ESCAPES.sub("", cut).split("\n"):
        line = _HIDDEN.sub("", raw.rstrip("\r").rpartition("\r")[2]).rstrip()
        if not _is_noise(line) and line != (lines[-1] if lines else None):
            lines.append(line[:LINE_CHARS])
    return "\n".join(lines).strip("\n")


def _is_noise(line: str) -> bool:
    """Whether a line is minified code or shows progress."""
    is_minified = len(line) > MINIFIED_CHARS and line.count(" ") < len(line) / 20
    return is_minified or bool(_PROGRESS.match(" ".join(line[:LINE_CHARS].split())))


def error_lines(output: str, most: int = 3) -> list[str]:
    """Return at most `most` lines that say what went wrong, the most telling first; without any, the last line.

    Where a test runner names the tests that failed, these are their assertions and errors, then exceptions of the
    program, and no lines of a log.
    """
    return list(_error_lines(output, most))


@lru_cache(maxsize=512)  # a session's story is built again with every turn
def _error_lines(output: str, most: int) -> tuple[str, ...]:
    tests = failed_tests(output)
    lines = _plain_lines(output)
    if tests:
        return _with_thrown([test.line for test in tests[:most]], lines)[:most]
    found: dict[str, None] = {}
    for telling in _TELLING:
        matching = [line for line in lines if telling.search(line)]
        # Behind a traceback the last line says it; a compiler's first one does.
        found |= dict.fromkeys(matching[-1:] if telling is _EXCEPTION else matching[:most])
        if len(found) >= most:
            break
    chosen = [*found, *([] if found else lines[-1:])][:most]
    return tuple(_completed(line, lines) for line in chosen)


def _with_thrown(tests: list[str], lines: list[str]) -> tuple[str, ...]:
    """Return the lines of failed tests, and behind them exceptions that the program printed."""
    thrown = [line for line in lines if _THROWN.search(line) and not _ASSERTED.search(line)]
    more = [line for line in thrown if not any(line in test or test in line for test in tests)]
    return (*tests, *more)


@lru_cache(maxsize=512)
def failed_tests(output: str) -> tuple[test_output.FailedTest, ...]:
    """Return the tests that an output names as failed, with what was not met; empty if it is none of a test runner."""
    return tuple(test_output.failed_tests(_without_prefixes(output)))


def _without_prefixes(output: str) -> list[str]:
    """Return the lines of an output, cut, without the times of a log and the names that a task runner puts first."""
    return [_TASK.sub("", _LOGGED.sub("", line[:LINE_CHARS])) for line in output.split("\n")]


def _plain_lines(output: str) -> list[str]:
    """Return the lines of an output, each once: without marks and log times, summaries, harmless lines and code."""
    whole = _PANICKED.sub(lambda found: f"{found.group()[:-1]} ", output.replace("##[error]", "Error: "))
    lines = [_MARK.sub("", line.strip()).strip() for line in _without_prefixes(whole)]
    told = [line for line in dict.fromkeys(lines) if _WORD.search(line) and not _CODE_LINE.match(line)]
    wrong = [line for line in told if not _HARMLESS.search(line) and not _SUMMARY.match(line)]
    return [line for line in wrong if not test_output.is_log_line(line)]


def _completed(line: str, lines: list[str]) -> str:
    """Return a line that only announces an error together with the line behind it; any other line as it is."""
    at = lines.index(line)
    is_bare = line.endswith(":") or len(line.split()) < BARE_WORDS
    return f"{line} {lines[at + 1]}"[:LINE_CHARS] if is_bare and at + 1 < len(lines) else line


def signature(output: str) -> str:
    """Return what makes an error the same when it comes again: its most telling line, without what varies."""
    lines = error_lines(output, 1)
    told = lines[0] if lines else ""
    for pattern, sign in _VARIABLE:
        told = pattern.sub(sign, told)
    return told.strip()[:SIGNATURE_CHARS]


def says_error(line: str) -> bool:
    """Whether a line says by its form or its words that something went wrong, and what."""
    return not is_bare(line) and (test_output.is_assertion(line) or any(telling.search(line) for telling in _TELLING))


def is_bare(line: str) -> bool:
    """Whether a line only announces that something failed, and does not say what ("FAIL", "exit status 1")."""
    return not _WORD.search(line) or bool(_SUMMARY.match(line)) or bool(_BARE.match(line))


def is_suggestion(line: str) -> bool:
    """Whether a line of output says what to do ("hint: run …"), and not only what went wrong."""
    return bool(_SUGGESTS.search(line))


def symptom(line: str) -> str:
    """Return a line of output as a memory keeps it: what it tells somebody to do is marked as a suggestion."""
    return f'the output suggested: "{line}"' if is_suggestion(line) else line


def is_report(message: str) -> bool:
    """Whether a message brings a failure along: an exception with its text, or a stack trace."""
    return any(_REPORTED.search(line) for line in message.split("\n")[:MOST_LINES])


def is_failing(output: str) -> bool:
    """Whether output reports a failure although the exit code does not: a pipe hides it.

    Tests that pass may print errors, so an output that counts passed tests has to count failed ones too.
    """
    if _ALL_WELL.search(output) and not _COUNTED.search(output):
        return False
    return any(not _HARMLESS.search(match.group()) for match in _FAILING.finditer(output))
