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
# What one runs into while writing code.
UNWRITTEN = table(
    (
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


def is_unwritten(output: str) -> bool:
    """Whether code of the project is not finished (`UNWRITTEN`); code of a dependency is never meant."""
    return bool(_UNWRITTEN.search(output)) and not _FOREIGN_CODE.search(output)


def is_grave(output: str) -> bool:
    """Whether a failure is worth keeping however quickly it was repaired (`GRAVE`)."""
    return bool(_GRAVE.search(output))


def is_assertion(output: str) -> bool:
    """Whether something was expected and not met."""
    return bool(_ASSERTED.search(output))


def names_error(output: str) -> bool:
    """Whether an output names an exception or an error, and not only that something was not found."""
    return bool(_ERROR_NAME.search(output))
