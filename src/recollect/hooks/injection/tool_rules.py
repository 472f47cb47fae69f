"""Before a tool call: tell the strong rules that its command or file is about, each once a session. Import-light.

Most calls have nothing to do with a rule; a search of the event's bytes tells, and nothing else is loaded then. No
database is opened in any case: the rules are in the file that `write/compiled_rules.py` writes.
"""

from recollect import paths
from recollect.hooks.event import Event, Reply
from recollect.lazy import load

LOOKED_AT_BYTES = 16_000
"""A tool's own fields come first; what follows is the content of a file."""
ITEM = b"\x1f"
"""Separates the parts in the file's second line, as `rule_file.ITEM`."""


def tell_before_tool(event: Event, reply: Reply) -> None:
    """Add the rules that a tool call falls under to the reply; nothing where the call is refused."""
    if reply.refusal or event.native not in event.dialect.LISTENS:
        return
    try:
        with open(paths.rules(event.home), "rb") as file:
            parts = file.read().split(b"\n", 2)[1:2]
    except OSError:
        return
    given = event.raw.partition(b'"tool_input"')[2][:LOOKED_AT_BYTES]
    if parts and any(part in given for part in parts[0].split(ITEM) if part):
        load("recollect.hooks.injection.scoped_rules").tell_matching(event, reply)
