"""Keep what the encoder answered from one worker to the next: each of them reads its whole session again.

The file holds digests and numbers, no text. It can be deleted at any time.
"""

import contextlib
import json
import os
from pathlib import Path

from recollect import machine, paths
from recollect.policy.encoder import encoder

FILE = "encoder-answers.json"
MOST = 8_000
"""Answers that are kept, the newest."""
DIGITS = 5
LENGTHS = frozenset(map(len, encoder.LABELS.values()))


def restore(home: Path) -> int:
    """Read the answers of earlier workers and return how many answers are known; a damaged file counts as empty."""
    known = encoder.answers()
    if not known:
        with contextlib.suppress(OSError, ValueError, RecursionError):
            kept = json.loads(_path(home).read_bytes())
            found = kept.items() if isinstance(kept, dict) else ()
            known |= {digest: shares for digest, shares in found if _is_answer(shares)}
    return len(known)


def save(home: Path, before: int) -> None:
    """Write the newest answers if there are more than `before`; where that fails they are computed again."""
    known = encoder.answers()
    if len(known) == before:
        return
    for digest in list(known)[:-MOST]:
        del known[digest]
    rounded = {digest: [round(share, DIGITS) for share in shares] for digest, shares in known.items()}
    path = _path(home)
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=machine.FOLDER_MODE, parents=True, exist_ok=True)
        beside.touch(machine.FILE_MODE)
        beside.write_text(json.dumps(rounded), "utf-8")
        beside.replace(path)


def _path(home: Path) -> Path:
    return Path(paths.runtime(str(home))) / FILE


def _is_answer(shares: object) -> bool:
    return (
        isinstance(shares, list) and len(shares) in LENGTHS and all(isinstance(share, float | int) for share in shares)
    )
