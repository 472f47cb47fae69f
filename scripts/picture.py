"""Record a session and draw it as `docs/picture.svg`, the picture of the README: `make docs` (`--check`: compare only).

Everything on it is what the program printed: its commands run in a throw-away HOME, its events go through the hook
program, and the clock stands still. Ids are random, so each becomes the next of a fixed list.
"""

import argparse
import contextlib
import html
import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import termios
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from recollect.setup.install import hook_command

PLACE = Path(__file__).parents[1] / "docs" / "picture.svg"
PROGRAM = str(Path(sys.executable).parent / "recollect")
COLUMNS, ROWS = 84, 24
MONDAY, TUESDAY = "2026-03-02T09:00:00Z", "2026-03-03T09:30:00Z"
RULE = "From now on we always use pnpm and never npm in this repository."
QUESTION = "The checkout tests fail. Please find out why."
FAILURE = {
    "tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": "pnpm test checkout"},
    "error": 'Exit code 1\nerror: relation "orders" does not exist',
}  # fmt: skip
REPAIR = {
    "tool_name": "Edit", "tool_use_id": "t2",
    "tool_input": {"file_path": "{repo}/tests/setup.ts", "old_string": "createAll()", "new_string": 'migrate("head")'},
    "tool_response": {"filePath": "{repo}/tests/setup.ts"},
}  # fmt: skip
PASSES = {
    "tool_name": "Bash", "tool_use_id": "t3", "tool_input": {"command": "pnpm test checkout"},
    "tool_response": {"stdout": "12 passed", "stderr": "", "interrupted": False},
}  # fmt: skip
CAUSE = "The root cause was that tests/setup.ts created the tables without the migrations. All 12 tests pass now."


@dataclass(frozen=True)
class Line:
    """A line of the picture, and its style: a name of STYLES."""

    text: str
    style: str = "plain"


STYLES = {
    "plain": "fill:#d0d7de",
    "command": "fill:#ffffff;font-weight:bold",
    "heading": "fill:#58a6ff",
    "said": "fill:#e3b341",
    "told": "fill:#7ee787",
    "dim": "fill:#8b949e",
}


class Stage:
    """A HOME and a repository that are gone afterwards."""

    def __init__(self, folder: Path) -> None:
        self.home, self.repo = folder, folder / "shop"
        self.repo.mkdir()
        self.now = MONDAY
        self._ids: dict[str, str] = {}

    @property
    def env(self) -> dict[str, str]:
        """The environment of every command."""
        return {
            "HOME": str(self.home), "RECOLLECT_HOME": str(self.home / "store"), "RECOLLECT_NOW": self.now,
            "RECOLLECT_DEADLINE_MS": "60000", "RECOLLECT_RECALL__VECTORS": "off", "COLUMNS": str(COLUMNS),
            "PATH": os.pathsep.join([str(Path(PROGRAM).parent), os.environ["PATH"]]),
        }  # fmt: skip

    def run(self, *words: str) -> list[Line]:
        """Run a command on a terminal; return the line that was typed and the lines that it printed."""
        reading, writing = pty.openpty()
        termios.tcsetwinsize(writing, (ROWS, COLUMNS))
        env = self.env | {"NO_COLOR": "1", "TERM": "xterm"}
        subprocess.run(
            [PROGRAM, *words],
            cwd=self.repo,
            env=env,
            check=True,
            stdout=writing,
            stderr=writing,
            stdin=subprocess.DEVNULL,
        )
        os.close(writing)
        printed = _read_all(reading).replace("\r\n", "\n")
        return [Line(f"$ recollect {' '.join(words)}", "command"), *self._wrapped(printed, "plain")]

    def hook(self, native: str, session: str, **fields: object) -> str:
        """Give an event to the hook program, as Claude Code does; return what the model is told."""
        event = {"session_id": session, "cwd": str(self.repo), "hook_event_name": native, **fields}
        said = json.dumps(event).replace("{repo}", str(self.repo))
        env = self.env | {"RECOLLECT_INSIDE": ""}
        words = [*hook_command(), "claude-code", native]
        answer = subprocess.run(words, input=said, env=env, check=True, capture_output=True, text=True).stdout
        self.now = (datetime.fromisoformat(self.now) + timedelta(seconds=1)).isoformat()  # events have an order
        self.settle()  # or how many events are processed together depends on how busy the machine is
        return json.loads(answer)["hookSpecificOutput"]["additionalContext"] if answer else ""

    def told(self, text: str) -> list[Line]:
        """Return the lines of an injected text, without its elements."""
        inner = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("<")]
        return self._wrapped(textwrap.dedent("\n".join(inner)), "told", before="  │ ")

    def settle(self) -> None:
        """Let everything be processed that waits."""
        while subprocess.run([PROGRAM, "drain"], env=self.env, check=False, capture_output=True).returncode:
            pass

    def _wrapped(self, text: str, style: str, before: str = "") -> list[Line]:
        plain = text.replace(str(self.home), "~")
        plain = re.sub(r"\b[0-9a-f]{8,10}\b", lambda found: self._fixed_id(found[0]), plain)
        width = COLUMNS - len(before)
        rows = [
            row for line in plain.splitlines() for row in textwrap.wrap(line, width, subsequent_indent="  ") or [""]
        ]
        return [Line(before + row, style) for row in rows]

    def _fixed_id(self, random: str) -> str:
        """Return the id that the picture shows for a random one: the same for the same, of the same length."""
        number = self._ids.setdefault(random, f"{0x5EED0000 + 0x1234567 * (len(self._ids) + 1):010x}")
        return number[-len(random) :]


def _read_all(terminal: int) -> str:
    """Return what was printed on a terminal whose programs have ended, and close it."""
    parts = []
    with contextlib.suppress(OSError):  # the end of a terminal is an error
        while part := os.read(terminal, 65_536):
            parts.append(part)
    os.close(terminal)
    return b"".join(parts).decode()


def record() -> list[Line]:
    """Return the lines of the picture, from a session that is played anew."""
    with tempfile.TemporaryDirectory() as folder:
        return list(_play(Stage(Path(folder))))


def _play(stage: Stage) -> Iterator[Line]:
    yield stage.run("install", "claude-code", "--yes")[0]
    yield Line("")
    yield Line("Monday, in Claude Code:", "heading")
    yield Line(f"> {RULE}", "said")
    yield Line(f"> {QUESTION}", "said")
    _monday(stage)
    yield Line("  … an error, a repair, a green run …", "dim")
    yield Line("")
    stage.now = TUESDAY
    yield Line("Tuesday, a new session. Before the first prompt the agent is told:", "heading")
    yield from stage.told(stage.hook("SessionStart", "tuesday", source="startup"))
    yield Line("The same error comes up. At once the agent is told:", "heading")
    yield from stage.told(stage.hook("PostToolUseFailure", "tuesday", **FAILURE))
    yield Line("")
    yield from stage.run("list")


def _monday(stage: Stage) -> None:
    """Play the first session."""
    stage.hook("SessionStart", "monday", source="startup")
    stage.hook("UserPromptSubmit", "monday", prompt_id="p1", prompt=RULE)
    stage.hook("Stop", "monday", prompt_id="p1", last_assistant_message="Understood.", stop_hook_active=False)
    stage.hook("UserPromptSubmit", "monday", prompt_id="p2", prompt=QUESTION)
    for native, fields in (("PostToolUseFailure", FAILURE), ("PostToolUse", REPAIR), ("PostToolUse", PASSES)):
        stage.hook(native, "monday", prompt_id="p2", **fields)
    stage.hook("Stop", "monday", prompt_id="p2", last_assistant_message=CAUSE, stop_hook_active=False)
    stage.hook("SessionEnd", "monday", reason="prompt_input_exit")


def draw(lines: list[Line]) -> str:
    """Return the picture of a terminal with these lines, as SVG."""
    wide, high, margin = COLUMNS * 8.4 + 40, len(lines) * 19 + 64, 52
    styles = "".join(f".{name}{{{style}}}" for name, style in STYLES.items())
    dots = "".join(
        f'<circle cx="{22 + 20 * number}" cy="20" r="6" fill="{colour}"/>'
        for number, colour in enumerate(("#ff5f57", "#febc2e", "#28c840"))
    )
    rows = "\n".join(
        f'<text class="{line.style}" x="20" y="{margin + 19 * number}">{html.escape(line.text)}</text>'
        for number, line in enumerate(lines)
        if line.text
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high}" width="{wide:.0f}" height="{high}">\n'
        f"<title>A session, and the next one that knows what the first one learnt</title>\n"
        f"<style>text{{white-space:pre;font:14px ui-monospace,Menlo,Consolas,monospace}}{styles}</style>\n"
        f'<rect width="100%" height="100%" rx="8" fill="#0d1117"/>\n{dots}\n{rows}\n</svg>\n'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="Only compare with the picture that is there.")
    is_check = parser.parse_args().check
    drawn = draw(record())
    if not is_check:
        PLACE.write_text(drawn, "utf-8")
    elif not PLACE.exists() or PLACE.read_text("utf-8") != drawn:
        sys.exit("docs/picture.svg is not what the program prints: run `make docs`")


if __name__ == "__main__":
    main()
