"""Errors that say too little to be known again: a missing file, a timeout, "exit status 1".

Light to import: a hook loads it when a tool has failed.
"""

import re

# What everybody runs into; without a subject it is no error in particular.
_COMMON = re.compile(
    r"""\b(?: no\ such\ file(?:\ or\ directory)? | cannot\ (?:access|stat|open) | (?:command\ )?not\ found
          | permission\ denied | access\ denied | operation\ not\ permitted | is\ a\ directory | not\ a\ directory
          | file\ exists | already\ exists | does\ not\ exist | timed?\ ?out(?:\ after)? | deadline\ exceeded
          | exit(?:ed)?\ (?:with\ )?(?:status|code)? | connection\ (?:refused|reset|closed) | broken\ pipe | killed
          | terminated | interrupted | aborted | internal\ server\ error | bad\ request | forbidden
          | unauthorized )\b""",
    re.IGNORECASE | re.VERBOSE,
)
# Tools that look around: what they do not find is a slip of the command.
_LOOKING = re.compile(
    r"^(?:\S*sh: (?:line \S+ )?)?(?:ls|ll|cat|bat|cd|rm|cp|mv|head|tail|less|grep|rg|find|fd|stat|wc|sed|awk|diff|tree"
    r"|chmod|chown|mkdir|rmdir|touch|ln|file|du|which|open|source|\.): "
)
# Words around an error that name nothing.
_FILLER = re.compile(
    r"\b(?:error|err|errors|fatal|fail|failed|failure|failing|exception|warning|tests?|task|job|step|build|command"
    r"|process|running|run|line|sh|bash|zsh|the|a|an|of|in|at|to|for|with|from|was|is|are|it|and|or|could|cannot|can|not|after"
    r"|assertionerror|assert|assertion|expected|actual|got|want|received|true|false|none|null|nil|undefined|unknown)\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"[^\W\d_]{3,}")
LEAST_SUBJECTS = 1


def is_generic(signature: str) -> bool:
    """Whether a signature stands for no error in particular, so that a runbook that has it too may be another's."""
    if _LOOKING.match(signature):
        return True
    named = _FILLER.sub(" ", _COMMON.sub(" ", signature))
    return len(_SUBJECT.findall(named)) < LEAST_SUBJECTS


def is_common(line: str) -> bool:
    """Whether a line tells of a trouble that has a hundred causes: likeness of words says nothing then."""
    return bool(_COMMON.search(line))
