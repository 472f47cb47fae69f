"""What tools print, made readable: no colours, no progress, nothing binary or minified; and what of it is an error."""

import re

LINE_CHARS = 400
MINIFIED_CHARS = 1_500
BINARY_SHARE = 0.05
MOST_CHARS = 100_000
SIGNATURE_CHARS = 200
MOST_LINES = 400
BARE_WORDS = 3

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffd]")
_PROGRESS = re.compile(
    r"^[\s\d:]*(?:[#=>.\-\u2500-\u259f|\\/*\u2800-\u28ff\s]{6,}|(?:downloading|fetching|receiving|resolving|compressing"
    r"|unpacking|progress|remote: (?:counting|compressing|total))\b.*|\d{1,3}\s?%.*|.*\b\d{1,3}%[|\s\[].*)$",
    re.IGNORECASE,
)
# A line that says what went wrong, the most telling first.
_TELLING = tuple(
    re.compile(pattern, flags)
    for pattern, flags in (
        ( (
            r"^\s*(?:E\s+)?[\w.]*(?:Error|Exception|Failure|Panic|Timeout|Interrupt|Refused|NotFound"
            r"|Denied)\b[^\n]*[:(].+"
        ), 0),
        ( (
            r"panicked at|^panic: |WARNING: DATA RACE|ERROR: \w+Sanitizer|byte index \d+|assertion .*failed"
            r"|AssertionError"
        ), 0),
        (r"\b(?:error|fatal|panic(?:ked)?|fail(?:ed|ure)?|err!)\b(?:\[\w+\]|\s+\w{1,4}\d+)?\s*[:!].+", re.IGNORECASE),
        (r"^\S+\.\w{1,5}:\d+(?::\d+)?: .+", 0),
        (r"\b(?:ERROR|FATAL|FAILED|FAIL|SUMMARY|WARNING: DATA RACE)\b.+", 0),
        ((
            r"\b(?:is not defined|not found|cannot|can't|could not|unable to|refused|denied|timed? ?out|unexpected"
            r"|invalid|undefined|missing"
            r"|no such|out of memory|does not|mismatch|conflict|violat|unreachable|unsupported)\b.*"
        ), re.IGNORECASE),
        (r"\b(?:error|exception|failed|panic)\b.*", re.IGNORECASE),
    )
)  # fmt: skip
_HARMLESS = re.compile(
    r"\b0 (?:errors?|fail(?:ed|ures?|ing)?)\b|\bno (?:errors?|issues)\b|\berror-free\b", re.IGNORECASE
)
_MARK = re.compile(r"^(?:E|>|\*|\u2716|\u00d7|\u25cf|\[ERROR\])\s+")
# What a log puts in front of a line: docker's step, the job and step of a CI run, the time.
_LOGGED = re.compile(
    r"^(?:#\d+ [\d.]+ |(?!ok\b|FAIL\b)[^\t\n]{1,60}\t[^\t\n]{1,60}\t)?"
    r"(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d[.,\d]*(?:Z|[+-]\d\d:?\d\d)?\]?\s+|\d\d:\d\d:\d\d[.,\d]*\s+)?"
)
_QUOTED = re.compile(r"\d* ?\|")  # a line of the code that is complained of
_WORD = re.compile(r"[^\W\d_]{2}")
_PANICKED = re.compile(r"panicked at [^\n]+:\n")  # what it says of it stands on the next line
_SUMMARY = re.compile(
    r"^\W*(?:exit code \d+|test result: .*|\d+ (?:failed|failing|passed|errors?)\b.*|FAILED \(.*|FAIL|BUILD FAILED.*"
    r"|error(?:: process completed|: could not compile| Command failed).*|make(?:\[\d+\])?: \*\*\*.*|ninja: .*stopped.*"
    r"|FAIL\s\S+ \[build failed\]|FAIL\s+\S+\s+[\d.]+s|-+ FAIL: .*|\[FAILED\] in .*|unexpected error"
    r"|ok\s+\S+\s+(?:[\d.]+s|\(cached\))"
    r"|FOUND \d+ ERRORS? .*)\W*$",
    re.IGNORECASE,
)
_FAILING = re.compile(
    r"(?im)^traceback \(most recent call last\)|\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?)\b(?! in 0)"
    r"|^FAIL(?:ED)?\b|\bBUILD FAILED\b|\berror (?:TS|CS)\d+|^error(?:\[E\d+\])?:|^npm ERR!|\bpanic(?:ked)?( at|:)"
    r"|^fatal:|\bERR_[A-Z_]{4,}|^\S*(?:Error|Exception): |\b(?:CREATE|UPDATE|DELETE)_FAILED\b"
    r"|^[^\w\n]*\u274c|\"FunctionError\""
)
_ALL_WELL = re.compile(r"\b[1-9]\d* (?:tests? )?pass(?:ed|ing)\b|\btest result: ok\b|\bBUILD SUCCESS", re.IGNORECASE)
_COUNTED = re.compile(
    r"\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?)\b|^[^\w\n]*FAIL|\bFAILED\b"
    r"|^error(?:\[E\d+\])?:|\berror TS\d",
    re.MULTILINE,
)
_REPORTED = re.compile(
    r"\b\w*(?:Error|Exception)\b(?: in [^:\n]{1,80})?: \S|panicked at |^Traceback \(most|^\s+at [\w.$<>]+\(|^E\s{3,}"
    r"|\bFATAL(?: EXCEPTION)?:|\bfatal error:|##\[error\]"
)
# A command to copy, or a word that leads up to one.
_SUGGESTS = re.compile(
    r"^\W*(?:\w+ ){0,2}(?:hint|tip|fix|help|solution|workaround|suggestion|resolution|remedy|action|next steps?)\b"
    r"[^:]{0,30}:"
    r"|^\W*(?:please |first |now |then )*(?:run|execute|try|install|use|type|open|visit|download|add|set|paste)\b"
    r"|\b(?:run|try|use|execute|running|installing)\b:? [`'\"$]|\b(?:curl|wget|iwr|irm)\b[^|\n]{0,200}\|\s*\w*sh\b"
    r"|\byou (?:should|must|need to|have to|can)\b|\bplease (?:run|try|use|install|execute)\b",
    re.IGNORECASE,
)
_VARIABLE = (
    (re.compile(r"0x[0-9a-f]+|\b[0-9a-f]{7,40}\b", re.IGNORECASE), "#"),
    (re.compile(r"(?:[A-Za-z]:)?(?:[\w.@~-]*/)+([\w.@-]+)"), r"\1"),
    (re.compile(r"\d+(?:\.\d+)*"), "#"),
    (re.compile(r"\s+"), " "),
)


def clean(said: str) -> str:
    """Output as it can be kept: what a terminal would show in the end, or nothing of what no person could read."""
    cut = said[:MOST_CHARS]
    hidden = sum(map(len, _HIDDEN.findall(_ESCAPES.sub("", cut[:4_000]).replace("\r", ""))))
    if hidden > BINARY_SHARE * max(1, min(len(cut), 4_000)):
        return ""
    lines: list[str] = []
    for raw in _ESCAPES.sub("", cut).split("\n"):
        line = _HIDDEN.sub("", raw.rstrip("\r").rpartition("\r")[2]).rstrip()
        if len(line) > MINIFIED_CHARS and line.count(" ") < len(line) / 20:
            continue
        if _PROGRESS.match(" ".join(line[:LINE_CHARS].split())) or (lines and line == lines[-1]):
            continue
        lines.append(line[:LINE_CHARS])
    return "\n".join(lines).strip("\n")


def error_lines(said: str, most: int = 3) -> list[str]:
    """The lines that say what went wrong, the most telling first."""
    whole = _PANICKED.sub(lambda found: f"{found.group()[:-1]} ", said.replace("##[error]", "Error: "))
    cut = (line.strip()[:LINE_CHARS] for line in whole.split("\n"))
    lines = [_MARK.sub("", _LOGGED.sub("", line)).strip() for line in cut]
    told = [line for line in dict.fromkeys(lines) if _WORD.search(line) and not _QUOTED.match(line)]
    plain = [line for line in told if not _HARMLESS.search(line) and not _SUMMARY.match(line)]
    found: dict[str, None] = {}
    for telling in _TELLING:
        # Behind a traceback the last line says it; a compiler's first one does.
        matching = [line for line in plain if telling.search(line)]
        found |= dict.fromkeys(matching[-1:] if telling is _TELLING[0] else matching[:most])
        if len(found) >= most:
            break
    chosen = [*found, *([] if found else plain[-1:])][:most]
    return [_completed(line, plain) for line in chosen]


def _completed(line: str, lines: list[str]) -> str:
    """A line that only announces what comes, or a mere number of an error, with the line behind it."""
    at = lines.index(line)
    is_bare = line.endswith(":") or len(line.split()) < BARE_WORDS
    return f"{line} {lines[at + 1]}"[:LINE_CHARS] if is_bare and at + 1 < len(lines) else line


def signature(said: str) -> str:
    """What makes an error the same when it comes again: its most telling line, without what varies."""
    lines = error_lines(said, 1)
    told = lines[0] if lines else ""
    for pattern, sign in _VARIABLE:
        told = pattern.sub(sign, told)
    return told.strip()[:SIGNATURE_CHARS]


def is_suggestion(line: str) -> bool:
    """Whether a line of output says what to do ("hint: run …"), and not only what went wrong."""
    return bool(_SUGGESTS.search(line))


def symptom(line: str) -> str:
    """A line of output as a memory keeps it: what it tells somebody to do is named as its suggestion."""
    return f'the output suggested: "{line}"' if is_suggestion(line) else line


def is_report(said: str) -> bool:
    """Whether a message brings a failure along: an exception with what it says, or the trace of one."""
    return any(_REPORTED.search(line) for line in said.split("\n")[:MOST_LINES])


def is_failing(said: str) -> bool:
    """Whether output reports a failure although nobody said so: a pipe ends well whatever was in front of it."""
    if _ALL_WELL.search(said) and not _COUNTED.search(said):  # tests may well provoke errors
        return False
    return any(not _HARMLESS.search(match.group()) for match in _FAILING.finditer(said))
