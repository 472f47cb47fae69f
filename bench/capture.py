"""What capture costs: labelled sessions drained on one core, with everything that is made of them, embedding too."""

import json
import os
import tempfile
import time
from pathlib import Path

from recollect.evaluation import sessions
from recollect.hooks import inbox
from recollect.library.opening import open as open_workspace
from recollect.pipeline import inbox_processor

BAR = 100
TIMES = 3


def fill(home: Path, root: Path) -> int:
    """Note the events of the tune half, several times over, each time as other sessions."""
    number = 0
    for round_number in range(TIMES):
        for session in sessions.load(None, "tune"):
            for event in session.events:
                hook = json.loads(json.dumps(event["hook"]).replace(f"/home/dev/{session.project}", str(root)))
                hook["session_id"] = f"{hook['session_id']}-{round_number}"
                inbox.put(str(home), "claude-code", hook["hook_event_name"], json.dumps(hook).encode())
                number += 1
    return number


def main() -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        home, root = Path(folder) / "store", Path(folder) / "project"
        root.mkdir()
        os.environ.update({"HOME": folder, "RECOLLECT_HOME": str(home), "OMP_NUM_THREADS": "1"})
        open_workspace(root).close()
        number = fill(home, root)
        start = time.process_time()
        inbox_processor.drain()
        drained = time.process_time() - start
        inbox_processor.catch_up()
        whole = time.process_time() - start
    print(
        f"{number:,} events: {number / drained:,.0f} a second drained, {number / whole:,.0f} with embedding (bar {BAR})"
    )


if __name__ == "__main__":
    main()
