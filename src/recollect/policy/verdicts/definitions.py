"""Is a line of code the definition of a name, a mention of it, or neither? For many languages, by a few patterns."""

import re

from recollect.policy.verdicts import paths
from recollect.policy.verdicts.text_spans import words

DOCUMENTS = words("md rst txt adoc html htm svg csv tsv lock snap map ipynb log")
COMMENT = re.compile(r"\s*(?:#(?!\s*define\b|!\[|\[)|//|/\*|\*(?!\w)|--\s|<!--|;;|\"\"\"|''')")
KEYWORDS = (
    r"(?:def|class|function\*?|func|fn|struct|enum|trait|interface|type|const|let|var|val|module|namespace|package"
    r"|macro_rules!|macro|record|object|protocol|typedef|union|impl|sub|proc|defp|defmodule|mod|static|resource|message"
    r"|service|rpc|extension|actor|newtype|data|annotation)"
)
MODIFIERS = (
    r"(?:(?:export|default|public|private|protected|internal|static|async|final|override|virtual|inline|abstract|get|set"
    r"|readonly|open|suspend|pub(?:\([^)]*\))?|extern|unsafe|synchronized|constexpr)\s+)*"
)
NOT_TYPES = (
    r"(?!(?:if|for|while|switch|return|else|await|yield|throw|new|in|case|when|match|assert|not|and|or|raise|del|with"
    r"|elif|go|defer|from|import|print|delete|typeof)\b)"
)


MARK = "\ue000"
"""Stands for the name in the patterns, which are compiled once and not for each name."""
MOST_LINE_CHARS = 400
"""A longer line is generated; only its beginning is read."""
ANYWHERE = (
    re.compile(rf"(?<![\w.]){KEYWORDS}\s+(?:\([^)]*\)\s*)?[*&]?(?:[\w.]+\.)?{MARK}"),
    re.compile(rf"#\s*define\s+{MARK}"),
    re.compile(
        rf"\bCREATE\s+(?:OR\s+REPLACE\s+)?(?:UNIQUE\s+)?(?:TABLE|VIEW|FUNCTION|INDEX|TYPE|PROCEDURE|TRIGGER)\s+"
        rf"(?:IF\s+NOT\s+EXISTS\s+)?[\"`\[]?(?:\w+\.)?{MARK}",
        re.IGNORECASE,
    ),
)
AT_START = (
    # an assignment, not the argument of a call, which ends with a comma
    re.compile(rf"\s*{MODIFIERS}(?:(?:self|this)\.)?{MARK}\s*(?::[^=]*)?(?::=|=(?![=>~]))(?!.*,\s*$)"),
    re.compile(rf"\s*{MODIFIERS}{NOT_TYPES}[\w<>\[\].*&:?]+\s+{MARK}\s*(?:=(?!=)|;)"),
    # a field, a key, an annotated name
    re.compile(rf"\s*-?\s*{MODIFIERS}[\"']?{MARK}[\"']?\??\s*:(?![:=])\s*\S"),
    re.compile(rf"\s*[\"']?{MARK}[\"']?\s*:\s*$"),
    # a method without a keyword: its line ends with a brace
    re.compile(
        rf"\s*{MODIFIERS}(?:{NOT_TYPES}[\w<>\[\],.?*&:]+\s+)?{MARK}\s*(?:<[^>]*>)?\([^;{{]*\)"
        rf"(?:\s*(?:throws\s|->|:)[^;{{]*)?\s*\{{\s*\}}?\s*$"
    ),
    re.compile(rf"\s*{MODIFIERS}func\s*\([^)]*\)\s*{MARK}"),
    re.compile(rf"\s*(?:export\s+)?{MARK}="),
)


def _marked(name: str, line: str) -> str:
    """Return the beginning of a line with a mark in place of a name, where it stands as a whole word."""
    line, parts, at = line[:MOST_LINE_CHARS], [], 0
    start = line.find(name)
    while start >= 0:
        end = start + len(name)
        is_whole = not _is_sign(line[start - 1 : start]) and not _is_sign(line[end : end + 1])
        parts += [line[at:start], MARK if is_whole else name]
        at = end
        start = line.find(name, end)
    return "".join([*parts, line[at:]])


def is_searched(path: str) -> bool:
    """Return whether a file can define or use a name: not a document, a lock file or data."""
    return paths.ending(path) not in DOCUMENTS and not path.endswith((".min.js", ".min.css"))


def is_comment(line: str) -> bool:
    """Return whether a line is a comment as a whole."""
    return bool(COMMENT.match(line))


def is_definition(name: str, line: str) -> bool:
    """Return whether a line defines a name."""
    said = _marked(name, line)
    if MARK not in said:
        return False
    return any(pattern.match(said) for pattern in AT_START) or any(pattern.search(said) for pattern in ANYWHERE)


def holds_word(name: str, line: str) -> bool:
    """Return whether the beginning of a line holds a name as a whole word."""
    line = line[: 5 * MOST_LINE_CHARS]
    start = line.find(name)
    while start >= 0:
        before, after = line[start - 1 : start], line[start + len(name) : start + len(name) + 1]
        if not _is_sign(before) and not _is_sign(after):
            return True
        start = line.find(name, start + 1)
    return False


def _is_sign(sign: str) -> bool:
    return bool(sign) and (sign.isalnum() or sign in "_$")


CONTAINER = re.compile(
    rf"(?P<indent>\s*){MODIFIERS}(?:class|struct|enum|trait|interface|impl|object|module|record|protocol|extension)"
    r"\s+(?:<[^>]*>\s*)?(?P<name>\w+)(?:.*?\bfor\s+(?P<target>\w+))?"
)
RECEIVER = re.compile(r"func\s*\(\s*\w*\s*\*?(?P<name>\w+)")


def owners_in(lines: list[str], name: str) -> set[str]:
    """Return the classes around the definitions of a name in a file: by a receiver, or by smaller indents above."""
    found: set[str] = set()
    for number, line in enumerate(lines):
        if name not in line or not is_definition(name, line):
            continue
        receiver = RECEIVER.match(line)
        found |= {receiver["name"]} if receiver else _around(lines, number)
    return found


def _around(lines: list[str], number: int) -> set[str]:
    """Return the class around a line; nothing at the top of a file."""
    indent = len(lines[number]) - len(lines[number].lstrip())
    for line in reversed(lines[:number]):
        match = CONTAINER.match(line)
        if match and len(match["indent"]) < indent:
            return {part for part in (match["name"], match["target"]) if part}
    return set()


def signature(lines: list[str]) -> str:
    """Return the text from the first parenthesis of a definition to the one that closes it."""
    text = " ".join(lines)
    start, depth = text.find("("), 0
    if start < 0:
        return ""
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return text[start : place + 1]
    return text[start:]
