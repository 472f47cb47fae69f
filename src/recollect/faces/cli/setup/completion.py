"""The command `recollect completion`: print the completion script of a shell."""

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from recollect.faces.cli import output
from recollect.faces.cli.main import COMPLETING, EXIT_CODES, json_option, main

SHELLS: dict[str, type[ShellComplete]] = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}
PROGRAM = "recollect"
# How each script calls the program; what it says on standard error must not disturb the line that is typed.
CALLS = {"bash": "bash_complete $1", "zsh": f"zsh_complete {PROGRAM}", "fish": f"(commandline -t) {PROGRAM}"}
# The sign \b keeps click from filling the lines that follow.
HELP = """Print the completion script of a shell.

It completes commands, options, memories, kinds, sessions and settings. To switch it on, add a line to the shell's own
file. For fish, write a file.

\b
bash, ~/.bashrc:  eval "$(recollect completion bash)"
zsh, ~/.zshrc:    eval "$(recollect completion zsh)"
fish:             recollect completion fish \\
                    > ~/.config/fish/completions/recollect.fish
"""


@main.command("completion", help=HELP, epilog=EXIT_CODES)
@click.argument("shell", type=click.Choice(sorted(SHELLS)))
@json_option
def completion(shell: str, as_json: bool) -> None:
    """Print the completion script of a shell."""
    found = SHELLS[shell](main, {}, PROGRAM, COMPLETING)
    script = ShellComplete.source(found)  # click's own looks for bash on this machine first
    script = script.replace(CALLS[shell], f"{CALLS[shell]} 2>/dev/null")
    output.print_json({"shell": shell, "script": script}) if as_json else click.echo(script, nl=False)
