"""Read the commits that a command line makes: the message, and whether it is a commit of this project's own work."""

import re
from dataclasses import dataclass

from recollect.policy.shell import commands
from recollect.policy.shell.commands import HEREDOC

# -am "fix"
_MESSAGE = re.compile(r"\s(?:-[a-zA-Z]{0,3}m|--message)[ =]?(\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^\s\"']\S*)")
_COMMITTED = re.compile(r"^\[[^\]\n]*?\b([0-9a-f]{6,40})\] (.+)$", re.MULTILINE)  # [main 1a2b3c4] fix
_LOGGED = re.compile(r"^([0-9a-f]{7,40}) (?:\([^)\n]*\) )?(.+)$", re.MULTILINE)  # 1a2b3c4 (HEAD) fix
_TRAILER = re.compile(r"^(?:[A-Z][\w-]+-[Bb]y|Change-Id|Refs?|Closes|Fixes|Issue|See-also): |^\W*Generated with ")
_MERGE = re.compile(
    r"^(?:Merge (?:branch|remote-tracking|pull request|tag|commit|\S+ into\b|main\b|master\b)"
    r"|Merged? \S+ (?:into|in)\b)"
)
# The folder that a line changes to, or that git is told to work in.
_FOLDER = re.compile(r"\b(?:cd|pushd|git\s+-C)\s+(\"[^\"\n]*\"|'[^'\n]*'|[^\s;&|]+)")
_OTHER_FOLDER = re.compile(r"^(?:/|~|\.\.|\$|[A-Za-z]:)")
_NEW_REPOSITORY = re.compile(r"\bmktemp\s+-\w*d|\bgit\s+(?:-C\s+\S+\s+)?(?:init|clone)\b|\bgit\s+worktree\s+add\b")


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit's message, and its abbreviated hash if git printed it."""

    message: str
    number: str = ""

    @property
    def title(self) -> str:
        """The first line of the message."""
        return self.message.strip().partition("\n")[0].strip()

    @property
    def body(self) -> str:
        """What the message says below its first line, without trailers such as `Co-Authored-By`."""
        lines = self.message.strip().partition("\n")[2].strip().split("\n")
        return "\n".join(line for line in lines if not _TRAILER.search(line)).strip()

    @property
    def is_merge(self) -> bool:
        """Whether it only brings another branch in."""
        return bool(_MERGE.match(self.title))


def commit(command: str, output: str) -> Commit | None:
    """Return the commit that a line made, by its message and by what git printed; None if it made none.

    An amendment that keeps the message is none, and neither is a commit in another repository.
    """
    if commands.does(commands.read(command)) != "commit" or ("--amend" in command and "--no-edit" in command):
        return None
    if is_elsewhere(command):
        return None
    told = _COMMITTED.search(output) or _LOGGED.search(output)
    heredoc = HEREDOC.search(command)
    given = [found.strip("\"'") for found in _MESSAGE.findall(command)]
    message = heredoc[2] if heredoc else "\n\n".join(given)
    return Commit((message or (told[2] if told else "")).strip(), told[1] if told else "")


def is_elsewhere(command: str) -> bool:
    """Whether a line works in another folder than the project's, or in a repository that it has just made.

    Paths of the project itself are relative to its root by the time an event is kept.
    """
    bare = HEREDOC.sub(" ", command[: commands.COMMAND_CHARS])
    folders = [found[1].strip("\"'") for found in _FOLDER.finditer(bare)]
    return bool(_NEW_REPOSITORY.search(bare)) or any(map(_OTHER_FOLDER.match, folders))
