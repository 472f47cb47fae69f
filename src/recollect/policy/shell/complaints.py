"""Tell sorts of complaints apart: the output of a failed command is trivial, about unfinished code, or grave."""

import re

from recollect.policy.rule import any_of, table

SHORT_CHARS = 600
"""A longer output is never trivial."""

# A short complaint of one of these sorts taught nothing: a command was spelt wrong, or run at the wrong moment.
MISSPELT = table(
    (
        ("a guess of the program", r"did you mean|ambiguous argument", "did you mean `test`?"),
        (
            "unknown command or option",
            (
                r"unknown (?:command|option|flag|subcommand|argument|shorthand)|is not recognized as"
                r"|unrecognized (?:arguments?|option)|invalid option|no such (?:option|subcommand|command|target)"
                r"|command \"?\w+\"? not found|requires an argument|^usage: "
            ),
            "error: unknown option '--fix'",
        ),
        (
            "no such script or target",
            (
                r"missing script|no rule to make target|no (?:test|bin|example) target named|cannot find or open"
                r"|no tests? (?:found|ran|files)|no matches found: "
            ),
            "make: *** No rule to make target 'tset'",
        ),
        ("edit was refused", r"has not been read yet|string to replace not found", "File has not been read yet"),
        ("stopped by the user", r"interrupted by user|user doesn't want to proceed", "[Request interrupted by user]"),
        (
            "state of the git repository",
            r"nothing to commit|not a git repository|pathspec .* did not match|\(fetch first\)|\(non-fast-forward\)",
            "nothing to commit, working tree clean",
        ),
        ("wrong folder", r"can't cd to", "sh: can't cd to src"),
    ),
    re.IGNORECASE | re.MULTILINE,
)
NOT_THERE = table(
    (
        (
            "file or folder is missing",
            r"no such file or directory|cannot access|(?:file|path|directory)[^\n]{0,200} does not exist",
            "cat: a.txt: No such file or directory",
        ),
        ("folder instead of a file", r"is a directory", "cat: src: Is a directory"),
        ("file is there already", r"already exists", "mkdir: cannot create 'a': already exists"),
    ),
    re.IGNORECASE,
)
# Refusals that belong to the day's work with git and with the client: the next step settles them.
ROUTINE = table(
    (
        (
            "a merge that is settled by hand",
            r"CONFLICT \(|automatic merge failed|could not apply [0-9a-f]{6,}|unmerged (?:files|paths)|fix conflicts",
            "CONFLICT (content): Merge conflict in src/a.go",
        ),
        (
            "a push or a pull that was refused",
            (
                r"failed to push some refs|non-fast-forward|\(fetch first\)|updates were rejected|divergent branches"
                r"|not possible to fast-forward|would be overwritten by|cannot pull with rebase|please commit or stash"
                r"|has no upstream branch|unstaged changes"
            ),
            "error: failed to push some refs to 'github.com:acme/shop.git'",
        ),
        (
            "a refusal of the client",
            (
                r"unknown skill|tool_use_error|requires approval|permission to use \w+|has been denied by"
                r"|was rejected by|(?:has not been|not) read (?:it )?yet|string to replace (?:was )?not found"
                r"|file has been modified since"
                r"|inputvalidationerror|no task found|sibling tool call|interrupted by user|doesn't want to proceed"
            ),
            "Error: Unknown skill: commit",
        ),
        ("nothing to do", r"nothing to commit|already up[- ]to[- ]date|no changes added", "nothing to commit"),
    ),
    re.IGNORECASE,
)
# What linters, formatters and type checkers print, each in its own form.
LINT = table(
    (
        (
            "golangci-lint",
            r"^\S+\.go:\d+(?::\d+)?: .*\([a-z]\w*\)$",
            "a.go:3:5: Error return value is not checked (errcheck)",
        ),
        (
            "lines that repeat",
            r"\d+-\d+ lines are duplicate of",
            "a.go:9: 9-30 lines are duplicate of `b.go:4-25` (dupl)",
        ),
        (
            "ESLint",
            r"^\s*\d+:\d+\s+(?:error|warning)\s+\S.*\s[@\w/-]+$",
            "  3:7  error  'x' is never used  no-unused-vars",
        ),
        ("ruff, flake8", r"^\S+\.pyi?:\d+:\d+:? [A-Z]{1,4}\d{2,4}\b", "app.py:3:1: F401 `os` imported but unused"),
        ("ruff", r"^(?:[A-Z]{1,4}\d{3,4}) (?:\[\*\] )?[A-Z`\w]", "F401 [*] `os` imported but unused"),
        (
            "mypy",
            r"^\S+\.pyi?:\d+(?::\d+)?: error: .*\[[a-z-]+\]$",
            'a.py:3: error: Name "x" is not defined  [name-defined]',
        ),
        ("pyright", r"- error: .*\(report\w+\)", "a.py:3:5 - error: x is unknown (reportUnknown)"),
        ("Clippy", r"clippy::|#\[warn\(", "= note: `#[warn(clippy::needless_return)]`"),
        ("RuboCop", r": [CWEFR]: (?:\[Correctable\] )?[A-Z]\w+/\w+", "a.rb:3:1: C: Style/Documentation: Missing"),
        ("ShellCheck, markdownlint", r"\bSC\d{4}\b|\bMD\d{3}\b", "SC2086: Double quote to prevent globbing"),
        (
            "a formatter",
            (
                r"would reformat|would be reformatted|code style issues|run prettier|not (?:properly )?formatted"
                r"|needs formatting"
            ),
            "would reformat src/app.py",
        ),
        ("count of issues", r"^\d+ issues?:$", "6 issues:"),
        (
            "directive of a linter",
            r"nolint|eslint-disable|noqa",
            "directive `//nolint:errcheck` should provide explanation",
        ),
    ),
    re.IGNORECASE | re.MULTILINE,
)
# What one runs into while writing code.
UNWRITTEN = table(
    (
        (
            "arguments or types that do not fit",
            (
                r"(?:not enough|too many) arguments|too few arguments|cannot use .{1,200} as |is not a type\b"
                r"|redeclared in this block|other declaration of|assignment mismatch|missing return|does not implement"
                r"|mismatched types|incompatible types|\berror\[E\d{4}\]|\berror (?:TS|CS)\d+|is not assignable to"
                r"|expected \d+ arguments?|missing \d+ required|unexpected keyword argument|takes \d+ positional"
                r"|cannot import name|could not import|\[build failed\]|cannot infer|no overload"
            ),
            "a.go:3:5: not enough arguments in call to load",
        ),
        (
            "a name that is not there yet",
            (
                r"cannot find (?:name|symbol|value|module|type|function)|NameError|is not defined"
                r"|undefined(?: name|:| reference| method| (?:local )?variable)|unknown field"
                r"|unresolved (?:reference|import)|has no (?:exported )?(?:attribute|member|field)"
                r"|is missing in type|does not exist on type"
            ),
            "NameError: name 'total' is not defined",
        ),
        (
            "a sign too few or too many",
            r"SyntaxError|syntax error|unexpected token|parse error|expected [`'\";),}]",
            "SyntaxError: expected ')'",
        ),
        (
            "a name that is not used yet",
            r"declared and not used|imported and not used|unused (?:import|variable)",
            "x declared and not used",
        ),
    ),
    re.IGNORECASE,
)
# Failures that are worth keeping however quickly they were repaired.
GRAVE = table(
    (
        ("crash or hang", r"DATA RACE|Sanitizer|deadlock|segmentation fault|out of memory|timed? ?out", "Timed out"),
        ("loss of data", r"\b(?:lost|leak|destroy|corrupt|secret|tenant)|\bdelet", "row was deleted twice"),
        ("missing rights", r"denied|unauthori[sz]ed|forbidden|credential", "403 Forbidden"),
    ),
    re.IGNORECASE,
)
_MISSPELT, _NOT_THERE, _UNWRITTEN, _GRAVE = map(any_of, (MISSPELT, NOT_THERE, UNWRITTEN, GRAVE))
_ROUTINE, _LINT = map(any_of, (ROUTINE, LINT))
_UNKNOWN_PROGRAM = re.compile(r"([\w./-]+): (?:command )?not found|command not found: ([\w./-]+)")
_ERROR_NAME = re.compile(r"\b\w*(?:Error|Exception|Failure)\b|\bpanic|\bFAIL|Traceback|\bERROR: ")
_ASSERTED = re.compile(r"assert|\bexpect|ambiguous|got:? |actual", re.IGNORECASE)
_FOREIGN_CODE = re.compile(r"\b(?:node_modules|site-packages|vendor|\.cargo/registry|\.m2)/")
_EXIT_CODE = re.compile(r"^exit code \d+\n?", re.IGNORECASE)


def is_trivial(output: str, command: str) -> bool:
    """Whether the failure of a command taught nothing: no output, or a short one of `MISSPELT` or `NOT_THERE`."""
    complaint = _EXIT_CODE.sub("", output.strip())
    if not complaint.strip():
        return True
    is_missing = bool(_NOT_THERE.search(complaint)) and not names_error(complaint)
    return len(complaint) < SHORT_CHARS and (is_missing or _is_misspelt(complaint, command))


def _is_misspelt(complaint: str, command: str) -> bool:
    """Whether a command was spelt wrong. A program that a script did not find is not the command's own spelling."""
    unknown = _UNKNOWN_PROGRAM.search(complaint)
    return (unknown[1] or unknown[2]) in command if unknown else bool(_MISSPELT.search(complaint))


def is_routine(output: str) -> bool:
    """Whether git or the client refused something as they do every day (`ROUTINE`)."""
    return bool(_ROUTINE.search(output))


def is_lint(output: str) -> bool:
    """Whether a linter, a formatter or a type checker complains (`LINT`)."""
    return bool(_LINT.search(output))


def is_unwritten(output: str) -> bool:
    """Whether code of the project is not finished (`UNWRITTEN`); code of a dependency is never meant."""
    return bool(_UNWRITTEN.search(output)) and not _FOREIGN_CODE.search(output)


def is_foreign(output: str) -> bool:
    """Whether an output names code of a dependency."""
    return bool(_FOREIGN_CODE.search(output))


def is_grave(output: str) -> bool:
    """Whether a failure is worth keeping however quickly it was repaired (`GRAVE`)."""
    return bool(_GRAVE.search(output))


def is_assertion(output: str) -> bool:
    """Whether something was expected and not met."""
    return bool(_ASSERTED.search(output))


def names_error(output: str) -> bool:
    """Whether an output names an exception or an error, and not only that something was not found."""
    return bool(_ERROR_NAME.search(output))
