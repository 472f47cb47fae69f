"""Measure a search on the page beside the same recall through the library: `make bench-page` (`--quick`: a tenth)."""

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from recall import fill, prompts, sentences
from starlette.applications import Starlette

import recollect
from recollect.faces.page.app import routes
from recollect.faces.serve.sessions import SCOPE_KEY, Session
from recollect.faces.serve.workspaces import Workspaces
from recollect.library.workspace import Workspace
from recollect.store.sqlite.store import SqliteStore

MOST = 1.5
"""How much longer than the recall a search may take."""
VISITOR = Session("bench", may_write=True)


async def ask(app: Starlette, prompt: str, *, is_whole: bool = False) -> tuple[float, int]:
    """Return the seconds that the server takes for a search's results, or the whole screen, and their bytes."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": "GET", "path": "/", "raw_path": b"/", "root_path": "", "scheme": "http",
        "query_string": urlencode({"q": prompt}).encode(),
        "headers": [(b"host", b"x"), (b"hx-request", b"false" if is_whole else b"true")],
        "http_version": "1.1", "server": ("127.0.0.1", 80), "client": ("127.0.0.1", 1), SCOPE_KEY: VISITOR,
    }  # fmt: skip
    began = time.perf_counter()
    await app(scope, receive, send)
    took = time.perf_counter() - began
    assert sent[0]["status"] == 200, sent
    return took, sum(len(message.get("body", b"")) for message in sent)


async def measure(folder: Path, workspace: Workspace, asked: list[str]) -> float:
    """Ask in turns; print both medians and return their ratio."""
    pages = Workspaces(folder)
    app = Starlette(routes=routes(pages))
    through, on_page, whole, sizes = [], [], [], []
    for text in asked:
        began = time.perf_counter()
        workspace.recall(text, limit=15)
        through.append(time.perf_counter() - began)
        took, size = await ask(app, text)
        on_page.append(took)
        sizes.append(size)
        whole.append((await ask(app, text, is_whole=True))[0])
    pages.close()
    first, second = statistics.median(through[3:]), statistics.median(on_page[3:])
    ratio = second / first
    print(f"library {1000 * first:.1f} ms, page {1000 * second:.1f} ms: {ratio:.2f} times (at most {MOST})")
    print(f"results {statistics.median(sizes):,.0f} bytes")
    print(f"the whole screen, as without scripts: {statistics.median(whole[3:]) / first:.2f} times")
    return ratio


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    number = 1_000 if parser.parse_args().quick else 10_000
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "repo")
        folder.mkdir()
        os.environ["RECOLLECT_HOME"] = str(Path(place, "store"))
        with recollect.open(folder) as workspace:
            workspace.meet()
            workspace.remember("the first memory")
            store = workspace.project_context.store
            assert isinstance(store, SqliteStore)
            said = sentences(number)
            fill(store, workspace.project, said)
            store.search_index.renew_term_statistics()
            print(f"{number:,} memories")
            raise SystemExit(asyncio.run(measure(folder, workspace, prompts(said, 60))) > MOST)


if __name__ == "__main__":
    main()
