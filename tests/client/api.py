"""A Messages API on loopback that says what a script tells it to, and keeps every request."""

import json
import threading
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

PATIENCE_SECONDS = 60.0
QUIET = "nothing more to say"


@dataclass(frozen=True)
class Turn:
    """One answer of the model; `when` keeps it for the request whose last user message holds these words."""

    blocks: tuple[dict[str, Any], ...]
    when: str = ""
    input_tokens: int = 100


def says(text: str, *, when: str = "", input_tokens: int = 100) -> Turn:
    """The model answers with a sentence."""
    return Turn(({"type": "text", "text": text},), when, input_tokens)


def uses(tool: str, *, when: str = "", input_tokens: int = 100, **given: Any) -> Turn:
    """The model calls a tool."""
    return Turn(({"type": "tool_use", "name": tool, "input": given},), when, input_tokens)


class Api:
    """The server: `with Api(turns) as api`, then `api.url` for the client and `api.requests` for the test."""

    def __init__(self, turns: tuple[Turn, ...]) -> None:
        self.requests: list[dict[str, Any]] = []
        self._turns = list(turns)
        self._news = threading.Condition()
        self._http = _Server(self)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def unsaid(self) -> list[Turn]:
        """What the script still holds; empty after a run that went as planned."""
        return list(self._turns)

    def wait_for(self, count: int) -> None:
        """Wait until that many requests have come."""
        with self._news:
            assert self._news.wait_for(lambda: len(self.requests) >= count, PATIENCE_SECONDS), self.requests

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Keep a request and choose the message that answers it."""
        with self._news:
            self.requests.append(request)
            self._news.notify_all()
            turn = self._next(_last_words(request)) if request.get("tools") else says("ok")
            return self._message(turn, request["model"])

    def _next(self, words: str) -> Turn:
        for place, turn in enumerate(self._turns):
            if turn.when in words:
                return self._turns.pop(place)
        return says(QUIET)

    @staticmethod
    def _message(turn: Turn, model: str) -> dict[str, Any]:
        blocks = [block if block["type"] == "text" else {**block, "id": _unique("toolu")} for block in turn.blocks]
        return {
            "id": _unique("msg"),
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": blocks,
            "stop_reason": "tool_use" if any(block["type"] == "tool_use" for block in blocks) else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": turn.input_tokens, "output_tokens": 20},
        }

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


class _Server(ThreadingHTTPServer):
    def __init__(self, api: Api) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.api = api


class _Handler(BaseHTTPRequestHandler):
    # HTTP/1.0, the default here: one connection per request, so no idle connection holds up the shutdown.
    server: _Server

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path.split("?")[0] != "/v1/messages":
            self.send_error(404)
            return
        message = self.server.api.answer(request)
        streamed = bool(request.get("stream"))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream" if streamed else "application/json")
        self.end_headers()
        self.wfile.write(b"".join(_stream(message)) if streamed else json.dumps(message).encode())

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the test reads the requests."""


def _unique(sort: str) -> str:
    return f"{sort}_{uuid.uuid4().hex[:24]}"


def _last_words(request: dict[str, Any]) -> str:
    users = [message["content"] for message in request["messages"] if message["role"] == "user"]
    return json.dumps(users[-1], ensure_ascii=False) if users else ""


def _stream(message: dict[str, Any]) -> Iterator[bytes]:
    """The message as server-sent events."""
    yield _event("message_start", message={**message, "content": [], "stop_reason": None})
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield _event("content_block_start", index=index, content_block=empty)
        yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield _event("message_delta", delta=end, usage=message["usage"])
    yield _event("message_stop")


def _event(name: str, **data: object) -> bytes:
    return f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode()
