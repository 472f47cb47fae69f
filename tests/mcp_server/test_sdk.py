"""The server driven by the official Python SDK, in the revisions with a handshake and in the stateless one."""

import sys
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from builders import Box
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters

CRANE = "The harbour crane is painted yellow"


@pytest.fixture
def has_git() -> bool:
    return False


def text_of(result: Any) -> str:
    [content] = result.content
    return str(content.text)


@pytest.mark.parametrize("version", ["2026-07-28", "2025-11-25", "2025-06-18"])
def test_the_official_client_connects_lists_calls_and_reads(make_box, version, monkeypatch):
    is_stateless = version == "2026-07-28"
    if not is_stateless:  # which version the client asks for is no option of it
        monkeypatch.setattr("mcp.client.session.LATEST_HANDSHAKE_VERSION", version)
    box: Box = make_box()
    box.home.mkdir(0o700)
    box.rest()
    arguments = ["-P", "-m", "recollect.faces.mcp"]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=box.env, cwd=Path("/"))

    async def roots(_: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=box.root.as_uri())])

    async def work() -> None:
        mode = "auto" if is_stateless else "legacy"
        async with Client(server, mode=mode, list_roots_callback=roots) as client:
            assert client.protocol_version == version
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == ["recall", "read", "remember", "retire", "why"]
            assert tools[0].annotations.read_only_hint
            told: list[float] = []

            async def progress(done: float, total: float | None, message: str | None) -> None:
                told.append(done)

            saved = await client.call_tool("remember", {"text": CRANE, "kind": "learned"}, progress_callback=progress)
            assert text_of(saved).startswith("created: ")
            assert told
            found = await client.call_tool("recall", {"question": "which colour has the crane?"})
            assert CRANE in text_of(found)
            assert found.structured_content is None
            failed = await client.call_tool("read", {"handles": ["nowhere"]})
            assert failed.is_error
            listed = (await client.list_prompts()).prompts
            assert {prompt.name for prompt in listed} == {"remember", "search", "review-pending"}
            filled = await client.get_prompt("search", {"question": "the crane?"})
            assert "the crane?" in filled.messages[0].content.text
            templates = (await client.list_resource_templates()).resource_templates
            assert templates[0].uri_template == "memory://{id}"
            start = await client.read_resource("recollect://session-start")
            assert CRANE in start.contents[0].text
            if not is_stateless:  # a stateless client cannot be asked for its roots by a list
                uris = [str(resource.uri) for resource in (await client.list_resources()).resources]
                assert "recollect://session-start" in uris
            with pytest.raises(MCPError, match="no tool is called"):
                await client.call_tool("nope", {})

    anyio.run(work)
    assert not (box.home / "hook.log").exists()
