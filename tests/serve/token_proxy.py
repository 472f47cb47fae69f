"""A proxy on loopback that adds a token to each request: for clients that cannot send one by themselves."""

import contextlib
import socket
import socketserver
import threading
from collections.abc import Iterator


class Passing(socketserver.StreamRequestHandler):
    """One connection: requests go on with a token, and whatever comes back is passed back."""

    server: "TokenProxy"

    def handle(self) -> None:
        with (
            contextlib.suppress(OSError),
            socket.create_connection(("127.0.0.1", self.server.target)) as there,
        ):
            back = threading.Thread(target=self._pass_back, args=(there,))
            back.start()
            while first := self.rfile.readline():
                there.sendall(first + self._rest())
            there.shutdown(socket.SHUT_RDWR)
            back.join()

    def _rest(self) -> bytes:
        """The headers of a request, with names of our port changed to the server's and the token added; its body."""
        lines, length = [], 0
        while (line := self.rfile.readline()).strip():
            name = line.partition(b":")[0].lower()
            if name in (b"host", b"origin"):
                line = line.replace(b":%d" % self.server.port, b":%d" % self.server.target)
            length = int(line.partition(b":")[2]) if name == b"content-length" else length
            lines.append(line)
        token = f"Authorization: Bearer {self.server.token}\r\n\r\n".encode()
        return b"".join([*lines, token, self.rfile.read(length)])

    def _pass_back(self, there: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := there.recv(65_536):
                self.request.sendall(data)
            self.request.shutdown(socket.SHUT_RDWR)  # ends the wait for the client's next request


class TokenProxy(socketserver.ThreadingTCPServer):
    """Listens on a free port, and passes requests on to the port of a server."""

    daemon_threads = True

    def __init__(self, target: int, token: str) -> None:
        self.target, self.token = target, token
        super().__init__(("127.0.0.1", 0), Passing)
        self.port = int(self.socket.getsockname()[1])


@contextlib.contextmanager
def with_token(port: int, token: str) -> Iterator[int]:
    """Run a proxy to a server's port in a thread; its port."""
    with TokenProxy(port, token) as proxy:
        work = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.05})
        work.start()
        try:
            yield proxy.port
        finally:
            proxy.shutdown()
            work.join()
