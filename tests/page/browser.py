"""A real browser: the system's Chromium, driven over its DevTools pipe."""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", MAC)
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    "--remote-debugging-pipe", "--force-color-profile=srgb", "--host-resolver-rules=MAP *.example 127.0.0.1",
)  # fmt: skip
PATIENCE_SECONDS = 100.0
KEYS = {"Enter": "\r", "Escape": "", "Tab": "\t"}
# DevTools reads from descriptor 3 and writes to 4.
STARTER = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 20) for end in sys.argv[1:3]]
for number, end in enumerate(ends, 3):
    os.dup2(end, number)
os.execv(sys.argv[3], sys.argv[3:])
"""
DESKTOP, PHONE = (1280, 860), (375, 812)


def program() -> str:
    """The browser's program; a machine without one skips, which CI does not accept."""
    found = next((path for name in PROGRAMS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no Chromium is on this machine; `make browser` installs one where it can")
    return found


class Browser:
    """One browser with one tab. Waiting happens in the page itself, never by the clock of the test."""

    def __init__(self) -> None:
        found = program()
        self._folder = tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True)
        to_browser, ours = os.pipe()
        theirs, from_browser = os.pipe()
        command = [found, *FLAGS, f"--user-data-dir={self._folder.name}", "about:blank"]
        starter = [sys.executable, "-c", STARTER, str(to_browser), str(from_browser), *command]
        env = {**os.environ, "HOME": self._folder.name}
        self._process = subprocess.Popen(
            starter, pass_fds=(to_browser, from_browser), env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(to_browser)
        os.close(from_browser)
        self._ours, self._theirs, self._rest, self._number = ours, theirs, b"", 0
        self._session = ""
        self.events: list[dict[str, Any]] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")
        self.size(*DESKTOP)

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE_SECONDS)
        os.close(self._ours)
        os.close(self._theirs)
        self._folder.cleanup()

    # -- the protocol ----------------------------------------------------------------------------------------------

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and return its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        message |= {"sessionId": self._session} if self._session else {}
        os.write(self._ours, json.dumps(message).encode() + b"\0")
        wanted = self._number
        while True:
            found = self._read()
            if found.get("id") == wanted:
                if "error" in found:
                    raise BrowserError(f"{method}: {found['error']['message']}")
                return dict(found["result"])

    def _read(self) -> dict[str, Any]:
        until = time.monotonic() + PATIENCE_SECONDS
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._theirs], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise BrowserError("the browser does not answer")
            part = os.read(self._theirs, 1 << 20)
            if not part:
                raise BrowserError("the browser has ended")
            self._rest += part
        line, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(line)
        if "method" in found:
            self.events.append(found)
        return found

    # -- what a person does ----------------------------------------------------------------------------------------

    def go(self, address: str) -> None:
        """Open an address and wait until it is loaded."""
        self.events.clear()
        self.send("Page.navigate", url=address)
        self._loaded()

    def _loaded(self) -> None:
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self._read()

    def leaves(self, action: str) -> None:
        """Run a script that leads to another page, and wait until that is loaded."""
        self.events.clear()
        self.send("Runtime.evaluate", expression=action)
        self._loaded()

    def click(self, selector: str) -> None:
        """Click what leads to another page."""
        self.leaves(f"document.querySelector({json.dumps(selector)}).click()")

    def press(self, key: str, *, leads: bool = False) -> None:
        """Press a key; `leads` waits for the page that it leads to."""
        self.events.clear()
        told = {"key": key, "text": KEYS.get(key, key)}
        self.send("Input.dispatchKeyEvent", type="keyDown", **told)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key)
        if leads:
            self._loaded()

    def type(self, selector: str, text: str) -> None:
        """Focus a field, replace what is in it, and type."""
        chosen = f"(field => {{ field.focus(); field.select(); }})(document.querySelector({json.dumps(selector)}))"
        self.run(chosen)
        self.send("Input.insertText", text=text)

    def run(self, script: str) -> Any:
        """Return what a script returns."""
        done = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in done:
            raise BrowserError(str(done["exceptionDetails"].get("exception", {}).get("description", done)))
        return done["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until a condition holds in the page."""
        wait = f"""new Promise((done, fail) => {{
            const end = performance.now() + {PATIENCE_SECONDS * 1000};
            const look = () => ({condition}) ? done(true) : performance.now() > end
                ? fail(new Error({json.dumps(condition)})) : setTimeout(look, 20);
            look();
        }})"""
        self.run(wait)

    def text(self, selector: str = "main") -> str:
        return str(self.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''"))

    def texts(self, selector: str) -> list[str]:
        return list(self.run(f"[...document.querySelectorAll({json.dumps(selector)})].map(found => found.innerText)"))

    def size(self, width: int, height: int) -> None:
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def colours(self, scheme: str) -> None:
        """Prefer light or dark, as the system's settings do."""
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.send("Emulation.setEmulatedMedia", features=features)

    def picture(self) -> bytes:
        return base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])

    # -- what happened ---------------------------------------------------------------------------------------------

    def requests(self) -> list[str]:
        """The addresses that were asked for since the last navigation."""
        sent = [event for event in self.events if event["method"] == "Network.requestWillBeSent"]
        return [str(event["params"]["request"]["url"]) for event in sent]

    def received_bytes(self) -> int:
        """The bytes that came since the last navigation, with the headers."""
        ended = [event for event in self.events if event["method"] == "Network.loadingFinished"]
        return int(sum(event["params"]["encodedDataLength"] for event in ended))

    def complaints(self) -> list[str]:
        """Errors that scripts raised, and what the browser refused: violations of the content security policy."""
        raised = [
            str(event["params"]["exceptionDetails"])
            for event in self.events
            if event["method"] == "Runtime.exceptionThrown"
        ]
        logged = [event["params"]["entry"] for event in self.events if event["method"] == "Log.entryAdded"]
        return raised + [f"{entry['text']} {entry.get('url', '')}" for entry in logged if entry["level"] == "error"]

    def audit(self, axe: Path, *, leaving_out: Sequence[str] = ()) -> list[str]:
        """What axe-core finds against WCAG 2.2 A and AA on this page."""
        self.send("Runtime.evaluate", expression=axe.read_text("utf-8"))
        tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
        found = self.run(f"axe.run(document, {{runOnly: {json.dumps(tags)}}}).then(found => found.violations)")
        return [
            f"{rule['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:300]}"
            for rule in found
            if rule["id"] not in leaving_out
            for node in rule["nodes"]
        ]


class BrowserError(AssertionError):
    """The browser did not do what was asked."""
