"""Print the branch coverage of the last test run, a line for each top folder; fail below the bar in pyproject.toml.

Counted is what the tests' own processes ran: hooks, workers and clients that tests start as programs are not in it.
"""

import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from coverage import Coverage

COUNTS = ("covered_lines", "num_statements", "covered_branches", "num_branches")


def summaries() -> dict[str, dict[str, int]]:
    """The counts of each top folder of the package; single modules beside them are one row."""
    found: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(COUNTS, 0))
    measured = Coverage()
    measured.load()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "coverage.json")
        measured.json_report(outfile=str(place))
        files = json.loads(place.read_text("utf-8"))["files"]
    for name, report in files.items():
        inside = name.replace("\\", "/").partition("src/recollect/")[2]
        folder_name = inside.partition("/")[0] if "/" in inside else "(modules)"
        for count in COUNTS:
            found[folder_name][count] += report["summary"][count]
    return found


def percent(counts: dict[str, int]) -> float:
    """Lines and branches together, as coverage counts them."""
    all_of_them = counts["num_statements"] + counts["num_branches"]
    return 100 * (counts["covered_lines"] + counts["covered_branches"]) / all_of_them if all_of_them else 100.0


def main() -> None:
    """Print the rows and the total; exit with 1 where the total is below `fail_under`."""
    rows = summaries()
    total = {count: sum(row[count] for row in rows.values()) for count in COUNTS}
    print(f"{'folder':<12} {'statements':>10} {'branches':>9} {'covered':>8}")
    for name, row in [*sorted(rows.items()), ("total", total)]:
        print(f"{name:<12} {row['num_statements']:>10} {row['num_branches']:>9} {percent(row):>7.2f}%")
    bar = float(str(Coverage().get_option("report:fail_under")))
    if percent(total) < bar:
        sys.exit(f"coverage is {percent(total):.2f}%, below the {bar}% of pyproject.toml")


if __name__ == "__main__":
    main()
