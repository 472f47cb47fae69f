"""The columns of the rule table."""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

Match = re.Match[str]
Span = tuple[int, int]  # start and end of a credential in the text


class Rule(NamedTuple):
    """A shape of credential that the full detector finds with a regular expression.

    The pattern is matched at each place of a trigger, or searched in the whole text if `is_searched`. The credential
    is the group `secret`, else the whole match; `spans` locates it where a match holds several or only leads to one.
    """

    id: str
    name: str  # what replaces the credential: `[redacted:name]`
    finds: str
    reason: str  # why the row exists, or why it asks for no more and no less
    triggers: tuple[str, ...]  # in lower case; a text without any of them is not matched against the pattern
    pattern: str  # compiled with re.VERBOSE: a blank is written `[ ]`
    example: str  # text that this row alone must find; the credential stands between « and »
    counter_example: str = ""  # text that resembles the example, in which this row must find nothing
    check: Callable[[Match], bool] | None = None  # whether the match is a credential; without it, always
    spans: Callable[[Match], Iterable[Span]] | None = None
    is_in_long_run: bool = False  # the trigger stands in a run of 16 or more characters without a blank
    is_searched: bool = False
