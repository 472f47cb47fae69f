"""Before a tool call: tell the strong rules that its command or file is about, each once a session. Import-light.

Most calls have nothing to do with a rule; a search of the event's bytes tells, and nothing else is loaded then. No
database is opened in any case: the rules are in the file that `write/compiled_rules.py` writes.
"""

from recollect.hooks.event import Event, Reply
from recollect.hooks.injection import rule_file
from recollect.lazy import load

LOOKED_AT_BYTES = 16_000
"""A tool's own fields come first; what follows is the content of a file."""


def tell_before_tool(event: Event, reply: Reply) -> None:
    """Add the rules that a tool call falls under to the reply; nothing where the call is refused."""
    if reply.refusal or event.native not in event.dialect.LISTENS:
        return
    compiled = rule_file.read(event.home)
    if not compiled:
        return
    given = event.raw.partition(b'"tool_input"')[2][:LOOKED_AT_BYTES]
    needles = compiled.split("\n", 2)[1].encode("utf-8", "surrogateescape").split(rule_file.ITEM.encode())
    if any(needle in given for needle in needles if needle):
        load("recollect.hooks.injection.scoped_rules").tell_matching(event, reply, compiled)
