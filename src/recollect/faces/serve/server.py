"""Run the server: its socket, its names, TLS, and when it ends."""

import asyncio
import ipaddress
import os
import socket
import threading
import webbrowser
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from recollect import hook_log, machine, paths
from recollect.errors import BadInput
from recollect.faces.serve import refusals
from recollect.faces.serve.gate import Gate
from recollect.faces.serve.protocol import BoundedLoop, BoundedProtocol
from recollect.faces.serve.security import Limits, Log, Security, served_names
from recollect.faces.serve.workspaces import Workspaces
from recollect.library.tokens import Face, Token

LOOPBACK = "127.0.0.1"
LOOPBACK_NAMES = ["127.0.0.1", "localhost"]
KEEP_ALIVE_SECONDS = 20
SHUTDOWN_SECONDS = 3
BROWSER_SECONDS = 3.0
"""How long to wait for a browser's program; one that runs for longer shows the page."""
CONSOLE_BROWSERS = ("www-browser", "links", "elinks", "lynx", "w3m")
"""Browsers that would take over the terminal."""
WITHOUT_TLS = "any address but loopback needs TLS: what is read there could be read by everybody on the way"
WITHOUT_TOKEN = "any address but loopback needs a token"  # noqa: S105
HOW_TO_ADD = "Run `recollect serve token add NAME --scope read|write` first."
HOW_TO_ADD_MCP = "Run `recollect serve token add NAME --for mcp --scope read|write` first."


@dataclass(frozen=True, slots=True)
class Address:
    """Where to serve."""

    bind: str = LOOPBACK
    port: int = 0
    """0 for any free port."""
    names: tuple[str, ...] = ()
    """Further names under which browsers reach the server."""
    certificate: str = ""
    key: str = ""

    @property
    def is_tls(self) -> bool:
        """Whether a certificate was given."""
        return bool(self.certificate)

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can connect."""
        return ipaddress.ip_address(self.bind).is_loopback

    def all_names(self) -> list[str]:
        """Return every name that is served; raises BadInput where an address for all interfaces has none."""
        address = ipaddress.ip_address(self.bind)
        if address.is_unspecified and not self.names:
            fix = "Add --host NAME, the name or address under which browsers reach it."
            raise BadInput("this address stands for every name, and a server allows only its own", fix=fix)
        own = LOOPBACK_NAMES if self.bind == LOOPBACK else [] if address.is_unspecified else [self.bind]
        return [*own, *(["localhost"] if self.bind == "::1" else []), *self.names]


def check_address(address: Address, tokens: list[Token], *, has_mcp: bool = False) -> None:
    """Raise BadInput for an address that may not be served: not loopback, and without TLS or without a token.

    MCP needs a token of its own on every address.
    """
    try:
        is_loopback = address.is_loopback
    except ValueError:
        fix = "Give an IP address, such as 127.0.0.1 or 192.168.1.5; --host adds names."
        raise BadInput("not an IP address", target=address.bind, fix=fix) from None
    if bool(address.certificate) != bool(address.key):
        raise BadInput("TLS needs both files", fix="Give --tls-cert and --tls-key.")
    for place in filter(None, (address.certificate, address.key)):
        if not Path(place).is_file():
            raise BadInput("there is no such file", target=place, fix="Name a file in PEM format.")
    if not is_loopback and not address.is_tls:
        raise BadInput(WITHOUT_TLS, target=address.bind, fix="Give --tls-cert and --tls-key.")
    if not is_loopback and not tokens:
        raise BadInput(WITHOUT_TOKEN, target=address.bind, fix=HOW_TO_ADD)
    if has_mcp and not any(token.face == "mcp" for token in tokens):
        raise BadInput("MCP over HTTP needs a token of its own", fix=HOW_TO_ADD_MCP)
    address.all_names()


def listen(address: Address) -> socket.socket:
    """Return a socket that listens on an address; raises BadInput where it is taken."""
    family = socket.AF_INET6 if ":" in address.bind else socket.AF_INET
    # asyncio switches Nagle's delay off only where the protocol is named; with it, each answer takes 40 ms longer.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere this option would let another program take the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address.bind, address.port))
        listener.listen(socket.SOMAXCONN)
    except OSError as error:
        listener.close()
        fix = "Choose another --port; 0 takes any free one."
        raise BadInput(f"cannot listen: {error.strerror}", target=f"{address.bind}:{address.port}", fix=fix) from None
    return listener


def secure(address: Address, port: int, workspaces: Workspaces, log: Log, limits: Limits) -> Security:
    """Return the settings of the gate for an address and the port that it got."""
    hosts, origins = served_names(address.all_names(), port, is_tls=address.is_tls)

    async def find_token(secret: str, face: Face) -> Token | None:
        return await workspaces.run(lambda workspace: workspace.check_token(secret, face))

    async def is_token(name: str) -> bool:
        return await workspaces.run(lambda workspace: workspace.has_token(name))

    cookie = f"__Host-recollect-{port}" if address.is_tls else f"recollect-{port}"
    return Security(hosts, origins, cookie, address.is_tls, find_token, is_token, log, limits)


def request_log() -> Log:
    """Return the function that writes to serve.log in recollect's folder.

    Refused requests have a log of their own: who is refused a million times must not push out who was let in.
    """
    home = paths.home(os.environ)
    places = {refusals.LOG_NAME: paths.refusal_log(home)}

    def write(who: str, what: str) -> None:
        hook_log.append(places.get(who, paths.request_log(home)), who, what)

    return write


def url(address: Address, port: int, path: str = "/") -> str:
    """Return the address of a path as a browser wants it."""
    name = address.names[0] if address.names else address.bind
    scheme, host = "https" if address.is_tls else "http", f"[{name}]" if ":" in name else name
    return f"{scheme}://{host}:{port}{path}"


def run(gate: Gate, listener: socket.socket, address: Address, *, idle_seconds: float = 0) -> None:
    """Serve until a signal comes, or nobody has asked for `idle_seconds` (0: for ever)."""
    config = uvicorn.Config(
        gate,
        http=BoundedProtocol,
        ws="none",
        interface="asgi3",
        loop="asyncio",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        ssl_certfile=address.certificate or None,
        ssl_keyfile=address.key or None,
    )
    machine.raise_open_files()
    with asyncio.Runner(loop_factory=BoundedLoop) as runner:
        runner.run(_serve(uvicorn.Server(config), listener, gate, idle_seconds))


async def _serve(server: uvicorn.Server, listener: socket.socket, gate: Gate, idle_seconds: float) -> None:
    watch = asyncio.create_task(_end_when_idle(server, gate, idle_seconds)) if idle_seconds else None
    await server.serve([listener])
    if watch:
        watch.cancel()


async def _end_when_idle(server: uvicorn.Server, gate: Gate, idle_seconds: float) -> None:
    while (left := idle_seconds - gate.activity.idle_seconds()) > 0:  # noqa: ASYNC110 - no event says "nothing came"
        await asyncio.sleep(left)
    server.should_exit = True


def open_browser(link: str) -> bool:
    """Open a link in the person's browser; False where there is none that has a window."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    if Path(browser.name).name in CONSOLE_BROWSERS:
        return False
    opened: list[bool] = []
    work = threading.Thread(target=lambda: opened.append(browser.open_new_tab(link)), daemon=True)
    work.start()
    work.join(BROWSER_SECONDS)
    return not opened or opened[0]
