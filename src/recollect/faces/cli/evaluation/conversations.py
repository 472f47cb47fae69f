"""`recollect eval` of statements and questions: play short sessions and print what was kept or told."""

from pathlib import Path

import click

from recollect.evaluation import questions, statements
from recollect.evaluation.questions import Told
from recollect.evaluation.statements import Stated
from recollect.faces.cli import output
from recollect.faces.cli.evaluation.replaying import last, rounded, write

# What is right about a pair, by its relation.
PAIRS = {
    "reversal": "reversals: the older statement was retired",
    "possible": "possible replacements: both are kept",
    "exception": "exceptions: both are kept",
    "unrelated": "unrelated: both are kept",
    "same": "the same twice: it is kept",
}


def play(dataset: str, data: Path, results: Path | None, limit: int | None, *, as_json: bool) -> None:
    """Play the rows of a file or folder and print the measures."""
    found: Stated | Told
    if dataset == "statements":
        rows = statements.load(data)[:limit]
        found = last(statements.measure(rows), 1 + sum("old" in row for row in rows), as_json=as_json) or Stated()
        lines = _stated(found)
    else:
        rows = questions.load(data)[:limit]
        found = last(questions.measure(rows), sum("prompt" in row for row in rows), as_json=as_json) or Told()
        lines = _told(found)
    write(results, found.details)
    if as_json:
        output.print_json({"dataset": dataset, **rounded(found.as_dict())})
        return
    click.echo(click.style(dataset, bold=True))
    output.print_table(["what", "number", "share"], lines)


def _stated(found: Stated) -> list[list[str]]:
    """Return the lines of the table of statements."""
    lines = [
        _line("lasting statements kept", found.kept, found.statements),
        _line("lasting statements that wait for a review", found.pending, found.statements),
        _line("kept statements of the right kind", found.kinds, found.labelled_kinds),
        _line("requests and remarks kept", found.requests_kept, found.requests),
        _line("requests and remarks that wait for a review", found.requests_pending, found.requests),
        ["memories retired by a later prompt", str(found.retired), ""],
    ]
    return [*lines, *(_line(says, found.right[name], found.pairs[name]) for name, says in PAIRS.items())]


def _told(found: Told) -> list[list[str]]:
    """Return the lines of the table of questions."""
    return [
        _line("prompts that a memory helps with, told it", found.answered, found.questions),
        _line("prompts that nothing helps with, told nothing", found.silent, found.others),
        _line("told memories that help", found.helpful, found.told),
        ["tokens a prompt", f"{found.as_dict()['tokens']:.0f}", ""],
    ]


def _line(what: str, part: int, whole: int) -> list[str]:
    return [what, f"{part} of {whole}", f"{100 * part / whole:.1f}" if whole else "-"]
