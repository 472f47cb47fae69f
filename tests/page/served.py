"""A project that is served by `recollect open` in a process of its own."""

import contextlib
import http.client
import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlencode

from builders import Box
from page.browser import Browser

PATIENCE_SECONDS = 100.0


@dataclass
class Served:
    """The server, and how a person or a program asks it."""

    box: Box
    base: str
    """The address of the page, without a slash at its end."""
    link: str
    process: subprocess.Popen[str]
    cookies: dict[str, str] = field(default_factory=dict)

    @classmethod
    @contextlib.contextmanager
    def open(cls, box: Box) -> "Iterator[Served]":
        """Start the server, and end it afterwards."""
        process = box.start("open", "--no-browser", "--json", "--idle-minutes", "0")
        assert process.stdout
        try:
            told = json.loads(process.stdout.readline())
            yield cls(box, told["page"].rstrip("/"), told["link"], process)
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE_SECONDS)

    def sign_in(self, browser: Browser) -> None:
        """Follow the one-time link, or use the cookie that it gave."""
        name, cookie = self._cookie()
        host = self.base.partition("//")[2].partition(":")[0]
        browser.send("Network.setCookie", name=name, value=cookie, domain=host, path="/", httpOnly=True)
        browser.go(self.base + "/")

    def _cookie(self) -> tuple[str, str]:
        if not self.cookies:
            answer, headers = self._send("GET", self.link.removeprefix(self.base), {})
            assert answer in (302, 303), answer
            name, _, rest = headers["set-cookie"].partition("=")
            self.cookies[name] = rest.partition(";")[0]
        return next(iter(self.cookies.items()))

    def _send(
        self, method: str, path: str, headers: dict[str, str], body: str | None = None
    ) -> tuple[int, dict[str, str]]:
        connection = http.client.HTTPConnection(self.base.partition("//")[2], timeout=PATIENCE_SECONDS)
        with contextlib.closing(connection):
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            self.last = answer.read().decode()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}

    def get(self, path: str, **query: str) -> str:
        """The page at a path, as a browser without scripts gets it."""
        cookie = "=".join(self._cookie())
        asked = f"{path}?{urlencode(query)}" if query else path
        status, _ = self._send("GET", asked, {"cookie": cookie})
        assert status == 200, f"{asked} → {status}: {self.last[:300]}"
        return self.last

    def post(self, path: str, body: str, kind: str = "application/json") -> tuple[int, str]:
        """Send a body to a path, with the token of the form."""
        token = self.get("/files").partition('name="csrf_token" value="')[2].partition('"')[0]
        headers = {"cookie": "=".join(self._cookie()), "origin": self.base, "x-csrf-token": token, "content-type": kind}
        status, _ = self._send("POST", path, headers, body)
        return status, self.last

    def remember(self, text: str, **fields: str) -> str:
        """Save a memory with the command line; its id."""
        options = [part for name, value in fields.items() for part in (f"--{name}", value)]
        return str(self.box.run("remember", text, *options, "--json").json["memory"]["uid"])

    def show(self, uid: str) -> dict[str, object]:
        """A memory as the command line shows it."""
        shown: dict[str, object] = self.box.run("show", uid, "--json").json
        return shown
