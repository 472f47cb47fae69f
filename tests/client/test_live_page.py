"""The page follows a session of the real Claude Code while it runs."""

import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from uuid import uuid4

from client.api import says, uses
from client.claude import Desk
from page.browser import Browser

PATIENCE_SECONDS = 20.0


@contextlib.contextmanager
def served(desk: Desk) -> Iterator[dict[str, str]]:
    """The page of a person's project: its address, and a link that signs in once."""
    command = [sys.executable, "-c", "from recollect.faces.cli import main; main()", "open", "--no-browser", "--json"]
    process = subprocess.Popen(command, cwd=desk.root, env=desk.env, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        yield json.loads(process.stdout.readline())
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_SECONDS)


def test_a_session_of_claude_code_is_seen_as_it_happens(make_desk: Callable[..., Desk]) -> None:
    desk, session = make_desk("ann"), str(uuid4())
    desk.recollect("init")
    desk.recollect("install", "claude-code")
    desk.recollect("remember", "Orders are kept in Postgres", "--kind", "decision", "--why", "transactions")
    desk.ask("Hello!", says("Hello to you."), flags=("--session-id", session))
    desk.settle()
    browser = Browser()
    try:
        with served(desk) as page:
            browser.go(page["link"])
            browser.go(f"{page['page']}session/{session}")
            browser.until("!document.querySelector('[data-live]').hidden")
            assert "Hello!" in browser.text("#story")
            assert "Orders are kept in Postgres" in browser.text("#story")
            turns = (uses("Bash", command="echo from-the-shell"), says("It is Postgres."))
            asking = threading.Thread(
                target=desk.ask, args=("Where are orders kept?", *turns), kwargs={"flags": ("--resume", session)}
            )
            asking.start()
            browser.until("/Where are orders kept/.test(document.querySelector('#story').innerText)")
            browser.until("/It is Postgres/.test(document.querySelector('#story').innerText)")
            asking.join(PATIENCE_SECONDS)
            assert "echo from-the-shell" in browser.text(".step.used")
            assert browser.run("document.querySelectorAll('.step.new').length") >= 3
            assert browser.complaints() == []
    finally:
        browser.close()
