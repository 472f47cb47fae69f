"""Measure the cost of capture: events per second on one core, processed into memories, and with search vectors."""

import json
import os
import tempfile
import time
from pathlib import Path

from recollect.evaluation import sessions
from recollect.hooks import inbox
from recollect.library.open_workspace import open as open_workspace
from recollect.pipeline import inbox_processor

BAR = 100
TIMES = 3


def fill(home: Path, root: Path) -> int:
    """Write the events of the tune half into the inbox, TIMES times as different sessions; return their number."""
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
        os.environ["OMP_NUM_THREADS"] = "1"
        env = {**os.environ, "HOME": folder, "RECOLLECT_HOME": str(home)}
        open_workspace(root, home=home).close()
        number = fill(home, root)
        start = time.process_time()
        inbox_processor.drain(env=env)
        drained = time.process_time() - start
        inbox_processor.run_jobs_after_draining(env=env)
        whole = time.process_time() - start
    print(f"{number:,} events: {number / drained:,.0f} per second, {number / whole:,.0f} with vectors (bar {BAR})")


if __name__ == "__main__":
    main()
