"""The data sets in the package `recollect_eval_data`, which the extra `recollect[eval]` installs."""

from importlib import resources
from pathlib import Path

from recollect.errors import BadInput

PACKAGE = "recollect_eval_data"
INSTALL = (
    "In your clone of recollect, run `pip install ./packages/recollect-eval-data`; or name your own with --data PATH."
)


def folder(name: str) -> Path:
    """Return the folder of a data set, `coding` or `capture`. Raises BadInput if the package is not installed."""
    try:
        package = resources.files(PACKAGE)
    except ModuleNotFoundError:
        raise BadInput("the data sets of `recollect eval` are not installed", target=name, fix=INSTALL) from None
    return Path(str(package.joinpath(name)))
