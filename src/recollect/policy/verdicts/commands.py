"""Commands in a text that a project defines: `make seed`, `npm run lint`, `just build`; and programs in backticks."""

import re
from collections.abc import Sequence

from recollect.policy.verdicts.text_spans import Span, mask, words

RUNNERS = {
    "make": r"make(?:\s+-\w+(?:\s+[\w./]+)?)*\s+(?P<name>[A-Za-z][\w.:/-]*)",
    "npm": r"(?:npm|pnpm|yarn|bun)\s+(?:--?[\w=./-]+\s+)*run(?:-script)?\s+(?P<name>[A-Za-z][\w:.-]*)",
    "just": r"just\s+(?P<name>[A-Za-z][\w:-]*)",
    "python": r"(?:poetry|uv|pdm|hatch|pipenv)\s+run\s+(?P<name>[A-Za-z][\w:.-]*)",
}
# `pnpm e2e:update` runs a script too, unless it is a command of the program itself.
SHORT = re.compile(r"(?:pnpm|yarn|bun)\s+(?P<name>[a-z][\w-]*(?::[\w-]+)+)")
QUOTED = re.compile(r"`\s*(?:\$\s+)?(?P<whole>[^`\n]{2,160})`")
# In prose a runner is a word: "make sure", "just add". Only what cannot be one is read there.
PROSE = re.compile(r"(?:npm|pnpm|yarn|bun)\s+run\s+(?P<name>[A-Za-z][\w:.-]*)")
COMMON = words(
    "git ls cd cat echo rm mv cp mkdir touch grep find sed awk sort head tail python python3 pip pip3 node npm npx pnpm"
    " yarn bun docker sudo curl wget ssh bash sh zsh make just which env export set source ps kill chmod chown tar man"
    " true false test for if while do done in and or not the a an to of with sleep date time xargs tee less vim nano"
)
PROGRAM = re.compile(r"[a-z][a-z0-9_+.-]{1,40}")


def found(text: str, spans: Sequence[Span]) -> tuple[list[tuple[str, str]], str]:
    """Return commands as runner and name, and the text with spaces in place of the whole commands.

    The runner is `program` for the first word of another command line in backticks.
    """
    run: dict[tuple[str, str], None] = {}
    taken: list[Span] = []
    for span in spans:
        line = span.text.strip().removeprefix("$ ")
        match = _runner(line)
        if match:
            run[match] = None
            taken.append(span)
        elif _is_command_line(line):
            run[("program", line.split()[0])] = None
            taken.append(span)
    for prose in PROSE.finditer(mask(text, taken)):
        run[("npm", prose["name"].rstrip(".:"))] = None
    return list(run), mask(text, taken)


def _runner(line: str) -> tuple[str, str] | None:
    for runner, pattern in RUNNERS.items():
        match = re.match(pattern + r"(?=\s|$|[;&|])", line)
        if match:
            return runner, match["name"]
    match = SHORT.match(line)
    return ("npm", match["name"]) if match else None


def _is_command_line(line: str) -> bool:
    """Whether code in backticks is a call of a program with arguments: `terraform apply`, `recollect doctor --fix`."""
    first, _, rest = line.partition(" ")
    is_program = bool(PROGRAM.fullmatch(first)) and first not in COMMON
    is_plain = bool(re.fullmatch(r"[\w\s./:=@,'\"<>{}\[\]|&+-]*", rest))
    return is_program and bool(rest) and is_plain and bool(re.match(r"--?\w|[a-z][\w:-]*(?:\s|$)", rest))
