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
"""Separates the patterns in the file's second line, as `rule_file.ITEM`."""


def tell_before_tool(event: Event, reply: Reply) -> None:
    """Add the rules that a tool call falls under to the reply; nothing where the call is refused."""
    if reply.refusal or event.native not in event.dialect.LISTENS:
        return
    try:
        with open(paths.rules(event.home), "rb") as file:
            patterns = file.read().split(b"\n", 2)[1:2]
    except OSError:
        return
    given = event.raw.partition(b'"tool_input"')[2][:LOOKED_AT_BYTES]
    if patterns and any(_has_all(given, parts) for parts in patterns[0].split(ITEM) if parts):
        load("recollect.hooks.injection.scoped_rules").tell_matching(event, reply)


def _has_all(given: bytes, parts: bytes) -> bool:
    """Return whether the bytes of a call contain all parts of a pattern, which are separated by blanks."""
    return all(part in given for part in parts.split())
