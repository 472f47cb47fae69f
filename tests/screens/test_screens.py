"""A person goes through thirty everyday tasks on a real terminal, small and large, with and without colours.

The screens are golden files in `golden/`: look at them with `cat` or `less -R` in a terminal of their width.
`RENEW_SCREENS=1 pytest tests/screens` writes them anew.
"""

import os
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from examples import IS_DEEP as IS_DEEP_TEST
from person import Person
from tasks import TASKS, Command
from terminals import STYLE

from recollect.faces.cli.columns import width_of
from recollect.policy.capture import messages
from recollect.policy.encoder import encoder

GOLDEN = Path(__file__).parent / "golden"
SIZES = {"80x24": (80, 24), "200x50": (200, 50)}
RENEW = "RENEW_SCREENS"
COLOURS = {"colour": "80x24", "plain": "200x50"}
"""With and without colours, each with the size at which it is looked at by default; in `make test-deep` at both."""
IS_DEEP = IS_DEEP_TEST or bool(os.environ.get(RENEW))


@pytest.fixture
def folder() -> Iterator[Path]:
    """A HOME below /tmp: its name is always of the same length, wherever other temporary files are."""
    made = Path(tempfile.mkdtemp(prefix="", dir="/tmp"))
    yield made
    shutil.rmtree(made)


@pytest.mark.parametrize(
    ("size", "colour"), [(size, colour) for size in SIZES for colour in COLOURS if IS_DEEP or COLOURS[colour] == size]
)
def test_the_screens_of_thirty_everyday_tasks_are_as_they_were_looked_at(folder: Path, size: str, colour: str):
    encoder.answers().clear()  # a worker of its own knows no answers, and keeps those that it gave
    messages.users_statements.cache_clear()
    messages.stated.cache_clear()
    columns, rows = SIZES[size]
    person = Person(folder, columns, rows, has_colour=colour == "colour")
    screens, problems = [], []
    for number, task in enumerate(TASKS, 1):
        if task.before:
            task.before(person)
        outputs = [_output(person, command) for command in task.commands]
        shown = [person.lines(written) for written in outputs]
        problems += [problem for written in outputs for problem in _too_wide(written, columns)]
        problems += [f"{task.wants} {len(lines)} lines" for lines in shown if len(lines) >= rows and not task.scrolls]
        heading = f"── {number}. {task.wants} ".ljust(columns, "─")
        screens.append("\n".join([heading, *(line for lines in shown for line in lines), ""]))
    golden = GOLDEN / f"{size}-{colour}.txt"
    if os.environ.get(RENEW):
        golden.write_text("\n".join(screens), "utf-8")
    assert not problems, "\n".join(problems)
    assert "\n".join(screens) == golden.read_text("utf-8"), f"if this is right: {RENEW}=1 pytest tests/screens"


def test_there_are_thirty_tasks_and_none_takes_more_than_two_commands():
    assert len(TASKS) == 30
    assert all(1 <= len(task.commands) <= 2 for task in TASKS)


def _output(person: Person, command: Command) -> str:
    place = "" if command.folder == "shop" else f"-C ~/{command.folder} "
    typed = f"recollect {place}{shlex.join(command.words)}".strip()
    return person.types(typed, *command.words, keys=command.keys, folder=command.folder)


def _too_wide(written: str, columns: int) -> list[str]:
    """Return the lines that the terminal had to break, without the one that was typed."""
    lines = STYLE.sub("", written).split("\r\n")[1:]
    return [f"wider than {columns}: {line}" for line in lines if width_of(line) > columns]
