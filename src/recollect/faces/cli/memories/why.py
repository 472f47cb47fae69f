"""The command `recollect why`: which memories were injected, which were not, and why."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import click

from recollect.errors import BadInput
from recollect.faces.cli import output
from recollect.faces.cli.shared import command
from recollect.library.workspace import Workspace


@command("why")
@click.argument("receipt", default="last")
def why(workspace: Workspace, as_json: bool, receipt: str) -> None:
    """Show which memories were injected, which were not, and why.

    RECEIPT is the id of one injection; default: the last one. It is in the <memory-context> block of the prompt, and
    in `recollect session tail`.
    """
    found = workspace.receipt(None if receipt == "last" else receipt)
    if found is None and receipt == "last":
        fix = "Run `recollect doctor` to check the hooks, and `recollect drain` to process waiting events."
        raise BadInput("nothing has been injected in this project yet", target=receipt, fix=fix)
    if found is None:
        fix = "`recollect session tail --no-follow` lists receipts; `recollect drain` processes waiting events."
        raise BadInput("there is no receipt with this id", target=receipt, fix=fix)
    if as_json:
        output.print_json(asdict(found))
        return
    when = datetime.fromtimestamp(found.at, UTC)
    pairs = {
        "receipt": found.id,
        "time": f"{when:%Y-%m-%d %H:%M:%S} UTC",
        "event": found.event,
        "session": found.session,
        "recall": f"{found.profile} {found.state}".strip(),
        "words": ", ".join(f"{word} {worth:.1f}" for word, worth in found.words.items()),
        "injected": f"{len(found.shown)} of {len(found.candidates)} considered, about {found.tokens} tokens",
    }
    output.print_pairs(pairs)
    for candidate in found.candidates:
        _print_candidate(candidate)


def _print_candidate(candidate: dict[str, Any]) -> None:
    """Print one memory of a receipt: injected or left out with the reason, its scores, and their parts."""
    is_injected = candidate["verdict"] == "shown"
    mark = click.style("+", fg="green") if is_injected else click.style("-", dim=True)
    about = click.style(f"{candidate['kind']}  {candidate['uid']}", dim=True)
    by_scope = f" ({output.visible(candidate['why'])})" if candidate.get("why") else ""
    result = f"injected{by_scope}" if is_injected else f"left out: {output.visible(candidate['verdict'])}"
    share = f"covers {candidate['coverage']:.0%} of the question"
    points = f"score {candidate['score']:.2f}  evidence {candidate['evidence']:.1f}  {share}"
    click.echo(f"{mark} {output.visible(candidate['title'])}  {about}")
    click.echo(f"  {result}")
    if candidate["score"]:
        click.echo(click.style(f"  {points}", dim=True))
    parts = "  ".join(f"{name} {value:g}" for name, value in candidate.get("parts", {}).items())
    if parts:
        click.echo(click.style(f"  {parts}", dim=True))
