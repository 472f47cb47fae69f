"""Models' APIs on loopback that say what a script tells them to, and keep every request."""

import json
import threading
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Self

PATIENCE_SECONDS = 60.0
QUIET = "nothing more to say"
STREAM = "text/event-stream"


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
    """Anthropic's: `with Api(turns) as api`, then `api.url` for the client and `api.requests` for the test."""

    path = "/v1/messages"

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

    def answer(self, request: dict[str, Any]) -> tuple[str, bytes]:
        """Keep a request and answer it: of which type, and with what."""
        with self._news:
            self.requests.append(request)
            self._news.notify_all()
            return self.spell(self._next(self.last_words(request)) if self.is_asking(request) else says("ok"), request)

    def is_asking(self, request: dict[str, Any]) -> bool:
        """Whether it is the agent that asks; other requests are not in the script."""
        return bool(request.get("tools"))

    def last_words(self, request: dict[str, Any]) -> str:
        """What the user, or a tool, said last."""
        return _last(message["content"] for message in request["messages"] if message["role"] == "user")

    def spell(self, turn: Turn, request: dict[str, Any]) -> tuple[str, bytes]:
        """An answer as the client reads it."""
        message = self._message(turn, request["model"])
        if request.get("stream"):
            return STREAM, b"".join(_stream(message))
        return "application/json", json.dumps(message).encode()

    def _next(self, words: str) -> Turn:
        for place, turn in enumerate(self._turns):
            if turn.when in words:
                return self._turns.pop(place)
        return says(QUIET)

    @staticmethod
    def _message(turn: Turn, model: str) -> dict[str, Any]:
        blocks = [block if block["type"] == "text" else {**block, "id": unique("toolu")} for block in turn.blocks]
        return {
            "id": unique("msg"),
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
        if not self.path.split("?")[0].endswith(self.server.api.path):
            self.send_error(404)
            return
        sort, answer = self.server.api.answer(request)
        self.send_response(200)
        self.send_header("content-type", sort)
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the test reads the requests."""


class Responses(Api):
    """OpenAI's, as Codex speaks it."""

    path = "/v1/responses"
    usage: ClassVar = {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}

    def is_asking(self, request: dict[str, Any]) -> bool:  # noqa: ARG002
        return True  # some models get their tools as a message

    def last_words(self, request: dict[str, Any]) -> str:
        return _last(item for item in request["input"] if item.get("role") == "user" or "output" in item)

    def spell(self, turn: Turn, request: dict[str, Any]) -> tuple[str, bytes]:  # noqa: ARG002
        response = {"id": unique("resp")}
        items = [_event("response.output_item.done", output_index=0, item=_item(block)) for block in turn.blocks]
        end = _event("response.completed", response={**response, "usage": self.usage})
        return STREAM, b"".join([_event("response.created", response=response), *items, end])


def _item(block: dict[str, Any]) -> dict[str, Any]:
    if block["type"] == "text":
        content = [{"type": "output_text", "text": block["text"]}]
        return {"type": "message", "role": "assistant", "id": unique("msg"), "content": content}
    space, _, name = block["name"].rpartition("__")  # tools of an MCP server are in its namespace
    call = {"id": unique("fc"), "call_id": unique("call"), "name": name, **({"namespace": space} if space else {})}
    if "patch" in block["input"]:  # its argument is free text
        return {"type": "custom_tool_call", **call, "input": block["input"]["patch"]}
    return {"type": "function_call", **call, "arguments": json.dumps(block["input"])}


class GenerateContent(Api):
    """Google's, as Gemini CLI speaks it."""

    path = ":streamGenerateContent"
    usage: ClassVar = {"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120}

    def last_words(self, request: dict[str, Any]) -> str:
        return _last(content["parts"] for content in request["contents"] if content["role"] == "user")

    def spell(self, turn: Turn, request: dict[str, Any]) -> tuple[str, bytes]:  # noqa: ARG002
        parts = [
            {"text": block["text"]}
            if block["type"] == "text"
            else {"functionCall": {"name": block["name"], "args": block["input"]}}
            for block in turn.blocks
        ]
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
        said = json.dumps({"candidates": [candidate], "usageMetadata": self.usage})
        return STREAM, f"data: {said}\r\n\r\n".encode()


def unique(sort: str) -> str:
    """An id as APIs give them."""
    return f"{sort}_{uuid.uuid4().hex[:24]}"


def _last(said: Iterable[object]) -> str:
    found = list(said)
    return json.dumps(found[-1], ensure_ascii=False) if found else ""


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
