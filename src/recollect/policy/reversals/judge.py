"""Judge whether a newer statement takes an older one back, probably does, narrows it, or has nothing to do with it.

What both statements say plainly is read by grammar (`grammar.py`): the same subject, and what is given up or a new
value for the same setting. What reverses what is often knowledge of the world, or the old thing is named by other
words: where the grammar finds nothing, the `encoder` reads both statements. A reversal is certain where the encoder is
all but sure, or where it is likely and the newer statement says that something changed. Shared words are no reason.
"""

from recollect.policy.encoder import encoder
from recollect.policy.reversals import endings, grammar, turns
from recollect.policy.reversals.verdict import Verdict

MOST_CHARS = 500
"""The encoder does not compare longer texts: they are stories, not statements."""
SURE, LIKELY, POSSIBLE = 0.9, 0.82, 0.5
"""How likely a reversal is that is certain by itself, that is certain where a change is named, and that may be one."""
NARROWS = 0.5
_MARKS = " \t\n.!,;:\u3002\uff01"


def judge(new: str, old: str) -> Verdict:
    """Return what a newer statement does to an older one."""
    plainly = grammar.judge(new, old)
    if plainly is not Verdict.UNRELATED or max(len(new), len(old)) > MOST_CHARS:
        return plainly
    newer, older = plain(new), plain(old)
    return _by_meaning(newer, older) if newer.casefold() != older.casefold() else Verdict.UNRELATED


def _by_meaning(new: str, old: str) -> Verdict:
    share = encoder.relation(old, new)
    needed = LIKELY if endings.has_changed(new) else SURE
    if share["reversal"] >= needed and not turns.IS_NOT_YET.search(new):
        return Verdict.REVERSED
    if share["exception"] >= NARROWS:
        return Verdict.NARROWED
    return Verdict.MAYBE_REPLACED if share["reversal"] + share["possible"] >= POSSIBLE else Verdict.UNRELATED


def plain(statement: str) -> str:
    """Return a statement as the encoder reads it: in one line, without marks around it, which say nothing."""
    return " ".join(statement.replace("**", "").split()).strip(_MARKS)
