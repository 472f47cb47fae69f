"""Check the wheels in a folder: `python scripts/check_wheel.py dist`. Exits with 1 and says why if one is wrong.

The wheel of recollect has to stay small, because people install it beside a coding agent, and to hold what it needs at
run time and nothing else. The data sets of `recollect eval` have a wheel of their own.
"""

import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

# The wheel has about 18.5 MB: the encoder that reads statements, 13.7 MB; what words mean, 3.3 MB; 3.1 MB of Python
# source in 640 modules, compressed to 1.1 MB; the page's scripts, styles and templates, 60 kB; and the zip's own
# records. The bound leaves room for growth; a data set or another language model exceeds it.
MOST_BYTES = 20_000_000
NEEDED = (
    "recollect/py.typed",
    "recollect/formats/thesaurus.txt",
    "recollect/assets/encoder.npz",
    "recollect/assets/word_meanings.npz",
    "recollect/assets/claude_code/skills/recollect/SKILL.md",
    "recollect/faces/page/templates/base.html",
    *(
        f"recollect/faces/page/static/{name}"
        for name in ("page.css", "page.js", "htmx.min.js", "uPlot.iife.min.js", "uPlot.min.css", "LICENSES.txt")
    ),
)
ALLOWED_SUFFIXES = {
    ".py",
    ".typed",
    ".txt",
    ".md",
    ".toml",
    ".bin",
    ".gz",
    ".npz",
    ".json",
    ".html",
    ".css",
    ".js",
    ".svg",
    "",
}
DATA_NEEDED = tuple(
    f"recollect_eval_data/{name}"
    for name in ("coding/memories.jsonl", "coding/prompts.jsonl", "capture/tune.jsonl", "capture/test.jsonl")
)


def problems(wheel: Path) -> Iterator[str]:
    """Yield what is wrong with one wheel, a sentence each."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
    if wheel.name.startswith("recollect_eval_data-"):
        yield from (f"{name} is missing" for name in DATA_NEEDED if name not in names)
        yield from (f"{name} is code" for name in names if name.endswith(".py") and not name.endswith("__init__.py"))
        return
    if (size := wheel.stat().st_size) >= MOST_BYTES:
        yield f"it has {size:,} bytes; the limit is {MOST_BYTES:,}"
    yield from (f"{name} is missing" for name in NEEDED if name not in names)
    yield from (f"{name} does not belong in it" for name in names if not _belongs(name))


def _belongs(name: str) -> bool:
    """Whether a file is part of the program: in its package, and no data set, test or byte code."""
    path = PurePosixPath(name)
    return path.parts[0] == "recollect" and path.suffix in ALLOWED_SUFFIXES and "tests" not in path.parts


def main(folder: Path) -> int:
    """Print every problem of the wheels in a folder; return the exit code."""
    wheels = sorted(folder.glob("recollect*.whl"))
    found = [f"{wheel.name}: {problem}" for wheel in wheels for problem in problems(wheel)]
    if not any(wheel.name.startswith("recollect-") for wheel in wheels):
        found.append(f"{folder} holds no wheel of recollect")
    for line in found:
        print(line, file=sys.stderr)
    for wheel in wheels:
        print(f"{wheel.name}: {wheel.stat().st_size:,} bytes")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "dist")))
