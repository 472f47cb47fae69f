"""Print the lowest versions that pyproject.toml declares, as constraints for pip.

    python scripts/lowest_versions.py > lowest.txt
    python -m pip install -c lowest.txt .

CI tests with them, so that a lower bound that no longer holds is noticed.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
BOUND = re.compile(r"(?P<name>[A-Za-z0-9_.-]+)\s*>=\s*(?P<version>[0-9][0-9.a-z]*)")


def constraints() -> list[str]:
    """Return `name==version` for each runtime dependency. Raises ValueError if one declares no lower bound."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    found = []
    for dependency in project["dependencies"]:
        bound = BOUND.match(dependency)
        if bound is None:
            raise ValueError(f"{dependency} declares no lowest version")
        found.append(f"{bound['name']}=={bound['version']}")
    return found


if __name__ == "__main__":
    sys.stdout.write("\n".join(constraints()) + "\n")
