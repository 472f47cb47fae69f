"""A real server in a process of its own, and a client that sends bytes to it."""

import asyncio
import contextlib
import json
import socket
import ssl
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builders import Box
from forking import Forked
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from recollect.faces.serve import start
from recollect.faces.serve.security import Limits
from recollect.faces.serve.server import Address
from recollect.faces.serve.sessions import csrf_token, session_of
from recollect.faces.serve.start import Started
from recollect.faces.serve.workspaces import Workspaces

PATIENCE_SECONDS = 100.0


@dataclass(frozen=True)
class Answer:
    """What came back: nothing at all has the status 0."""

    status: int
    headers: dict[str, str]
    body: str

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Server:
    """A running server: where it is, and how to ask it."""

    port: int
    link: str
    box: Box
    process: Forked | None = None
    certificate: str = ""

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def origin(self) -> str:
        return f"{'https' if self.certificate else 'http'}://{self.host}"

    @property
    def secret(self) -> str:
        return self.link.partition("token=")[2]

    def connect(self) -> socket.socket:
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_SECONDS)
        if not self.certificate:
            return plain
        return ssl.create_default_context(cafile=self.certificate).wrap_socket(plain, server_hostname="127.0.0.1")

    def send(self, *parts: bytes) -> Answer:
        """Send bytes as they are, and read the answer to the first request in them."""
        with self.connect() as connection:
            with contextlib.suppress(ConnectionError):  # it may have answered and hung up before the last byte
                for part in parts:
                    connection.sendall(part)
            return read_answer(connection)

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        """Send a request with our Host; `X_y` is the header X-y, and an empty value leaves a header out."""
        fields = {"Host": self.host, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if body or method == "POST":
            fields.setdefault("Content-Length", str(len(body)))
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value)
        return self.send(f"{method} {path} HTTP/1.1\r\n{head}Connection: close\r\n\r\n".encode() + body)


def read_answer(connection: socket.socket) -> Answer:
    """Read one response: its head, and as much of a body as it declares, or until the connection ends."""
    data = b""
    with contextlib.suppress(ConnectionError):
        while not is_whole(data) and (part := connection.recv(65_536)):
            data += part
    if not data:
        return Answer(0, {}, "")
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return Answer(int(first.split()[1]), headers, body.decode("utf-8", "replace"))


def is_whole(data: bytes) -> bool:
    """Whether the head has arrived, and the body that it declares."""
    head, end, body = data.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return bool(end and lengths) and len(body) >= int(lengths[0].partition(b":")[2])


# -- in the server's process -------------------------------------------------------------------------------------------


def routes(workspaces: Workspaces) -> Sequence[BaseRoute]:
    """Routes like those of the page: who asks, a write, a path, and handlers that do wrong."""

    async def me(request: Request) -> Response:
        session = session_of(request.scope)
        return JSONResponse({"name": session.name, "may_write": session.may_write, "csrf_token": csrf_token(session)})

    async def write(request: Request) -> Response:
        form = dict(part.split("=") for part in (await request.body()).decode().split("&"))
        done = await workspaces.run(lambda workspace: workspace.remember(form["text"]))
        return PlainTextResponse(done.memory.slug)

    async def projects(request: Request) -> Response:
        root = request.query_params["root"]
        return PlainTextResponse(await workspaces.run(lambda workspace: str(workspace.root), root=root))

    async def careless(_: Request) -> Response:
        loose = {"Access-Control-Allow-Origin": "*", "X-Frame-Options": "ALLOWALL", "Cache-Control": "public"}
        return PlainTextResponse("careless", headers=loose)

    async def failing(_: Request) -> Response:
        raise ValueError("a secret detail")

    async def endless(_: Request) -> Response:
        return PlainTextResponse("x" * 30_000_000)

    async def live(_: Request) -> Response:
        async def events() -> AsyncIterator[str]:
            yield "data: begun\n\n"
            await asyncio.Event().wait()

        return StreamingResponse(events(), media_type="text/event-stream")

    async def named(request: Request) -> Response:
        return PlainTextResponse(request.path_params["path"])

    return [
        Route("/", me), Route("/write", write, methods=["POST"]), Route("/projects", projects),
        Route("/careless", careless), Route("/failing", failing), Route("/endless", endless),
        Route("/files/{path:path}", named), Route("/live", live),
    ]  # fmt: skip


def run(folder: str, address: dict[str, Any], limits: dict[str, Any], idle_seconds: float) -> None:
    """Serve those routes, and print where."""
    where, how = Address(**address), Limits(**limits)
    start.serve(folder, where, announce, idle_seconds=idle_seconds, limits=how, make_routes=routes)


def announce(started: Started) -> None:
    print(json.dumps({"port": started.port, "link": started.link}), flush=True)


# -- in the test -------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def serving(
    box: Box, *, idle_seconds: float = 0, limits: dict[str, Any] | None = None, **address: Any
) -> Iterator[Server]:
    """Run a server with the routes above until the block ends."""
    process = Forked(run, (str(box.root), address, limits or {}, idle_seconds), env=box.env, cwd=box.root)
    with started(process, box, address.get("certificate", "")) as server:
        yield server


@contextlib.contextmanager
def started(process: Forked, box: Box, certificate: str = "") -> Iterator[Server]:
    """Wait until a process has announced its server, and end it with the block."""
    try:
        line = process.stdout.readline()
        assert line, process.stderr.read()
        said = json.loads(line)
        yield Server(said["port"], said["link"], box, process, certificate)
    finally:
        process.kill()
        process.wait(PATIENCE_SECONDS)
        process.stdout.close()
        process.stderr.close()


def signed_in(server: Server) -> str:
    """Follow the one-time link; the cookie that it gives."""
    answer = server.ask("GET", f"/?token={server.secret}")
    assert answer.status == 303, answer
    return answer.headers["set-cookie"].partition(";")[0]


def make_box(folder: Path) -> Box:
    """A user in a folder without git."""
    box = Box(folder, folder / "store", folder / "project")
    box.root.mkdir(parents=True)
    return box
