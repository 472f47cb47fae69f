"""Remove a leaked value from everything that recollect keeps, then search the files to prove that it is gone.

Only what people and agents said is rewritten; the program's own words, identities and times stay as they are.

- `scrubbing.py`: the steps, and the report.
- `own_files.py`: which files are ours.
- `searching.py`: whether a file holds the value.
- `stored_texts.py`: the rows of the store. `rewriting.py`: the other files. `originals.py`: the install manifest.
- `renames.py`: the new names of memories whose name held the value.
"""

from recollect.interop.scrub.scrubbing import LAST_STEP, Scrubbed, scrub

__all__ = ["LAST_STEP", "Scrubbed", "scrub"]
