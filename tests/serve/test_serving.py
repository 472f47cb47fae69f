"""`recollect open`, `recollect serve` and its tokens: who may use a server, from where, and for how long."""

import contextlib
import datetime as dt
import ipaddress
import json
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import Box
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from forking import Forked
from serve.serving import PATIENCE_SECONDS, Server, make_box, serving, signed_in

import recollect
from recollect.faces.serve.security import Security, served_names
from recollect.faces.serve.server import Address, listen, url
from recollect.faces.serve.sessions import LINK_SECONDS, SESSION_SECONDS, Session, Sessions


def token(box: Box, name: str, *options: str) -> str:
    """Make a token; its secret."""
    return box.run("serve", "token", "add", name, *options).out.strip()


@pytest.fixture
def user(tmp_path: Path) -> Box:
    return make_box(tmp_path / "user")


# -- tokens ------------------------------------------------------------------------------------------------------------


def test_a_token_is_shown_once_kept_as_a_hash_and_listed_with_its_use(user):
    secret = token(user, "build", "--scope", "write")
    assert secret.startswith("recollect_")
    [row] = user.run("serve", "token", "list", "--json").json
    assert row == {"name": "build", "scope": "write", "face": "page", "created_at": user.now, "used_at": ""}
    for place in (user.home / "memory.db", user.home / "memory.db-wal", user.home / "journal.jsonl"):
        assert not place.exists() or secret.encode() not in place.read_bytes()
    with serving(user) as server:
        assert server.ask("GET", "/", Authorization=f"Bearer {secret}").json["name"] == "build"
        assert server.ask("GET", "/", Authorization=f"Bearer {secret}x").status == 401
        assert server.ask("GET", f"/?token={secret}").status == 403  # no token in an address
    assert user.run("serve", "token", "--json").json[0]["used_at"] == user.now[:16]
    assert "build: GET /" in (user.home / "serve.log").read_text()
    assert stat.S_IMODE((user.home / "serve.log").stat().st_mode) == 0o600
    assert secret not in (user.home / "serve.log").read_text()
    assert "build" in user.run("serve", "token").out
    taken = user.run("serve", "token", "add", "build", code=1)
    assert "a token has this name already" in taken.err
    assert "cannot be the name" in user.run("serve", "token", "add", "../etc", code=1).err
    assert user.run("serve", "token", "revoke", "other", "--json", code=1).err


def test_a_revoked_token_is_refused_from_the_next_request_on_also_in_open_sessions(user):
    secret = token(user, "anna")
    with serving(user) as server:
        by_form = server.ask("POST", "/login", f"token={secret}".encode(), Origin=server.origin)
        assert (by_form.status, by_form.headers["location"]) == (303, "/")
        cookie = by_form.headers["set-cookie"].partition(";")[0]
        assert server.ask("GET", "/", Cookie=cookie).json["name"] == "anna"
        user.run("serve", "token", "revoke", "anna")
        assert server.ask("GET", "/", Cookie=cookie).status == 401
        assert server.ask("GET", "/", Authorization=f"Bearer {secret}").status == 401
        assert server.ask("POST", "/login", f"token={secret}".encode(), Origin=server.origin).status == 403
    assert user.run("serve", "token", "list", "--json").json == []


def test_a_stream_ends_when_its_token_is_revoked_whatever_its_name(user):
    secret = token(user, "owner")
    with serving(user, limits={"token_seconds": 0.05}) as server, server.connect() as stream:
        head = f"GET /live HTTP/1.1\r\nHost: {server.host}\r\nAuthorization: Bearer {secret}\r\n\r\n"
        stream.sendall(head.encode())
        assert stream.recv(65_536).startswith(b"HTTP/1.1 200")
        user.run("serve", "token", "revoke", "owner")
        while stream.recv(65_536):  # until the server hangs up
            pass


def test_a_token_to_read_writes_nothing_and_one_to_write_needs_our_origin(user):
    reads, writes = token(user, "reads"), token(user, "writes", "--scope", "write")
    with serving(user) as server:
        own = {"Origin": server.origin}
        refused = server.ask("POST", "/write", b"text=Refused", Authorization=f"Bearer {reads}", **own)
        assert (refused.status, "may read, not write" in refused.body) == (403, True)
        assert server.ask("POST", "/write", b"text=Refused", Authorization=f"Bearer {writes}").status == 403
        assert server.ask("POST", "/write", b"text=Kept", Authorization=f"Bearer {writes}", **own).body == "kept"
        for_mcp = token(user, "agent", "--scope", "write", "--for", "mcp")
        assert server.ask("GET", "/", Authorization=f"Bearer {for_mcp}").status == 401  # what opens MCP opens no page
    assert [row["slug"] for row in user.run("list", "--json").json] == ["kept"]


def test_a_store_that_is_rebuilt_from_its_journal_knows_tokens_and_no_revoked_ones(user):
    kept = token(user, "kept")
    token(user, "gone")
    user.run("serve", "token", "revoke", "gone")
    (user.home / "memory.db").write_bytes(b"damaged" * 1_000)
    user.run("doctor", "--repair")
    with recollect.open(user.root, home=user.home) as workspace:
        assert [row.name for row in workspace.tokens()] == ["kept"]
        assert workspace.check_token(kept, "page")


def test_links_and_sessions_end_after_a_while():
    now = [0.0]
    sessions = Sessions(without_tokens(now))
    early, late = sessions.make_link_token(), sessions.make_link_token()
    assert sessions.take_link(early) is not None
    now[0] = LINK_SECONDS
    assert sessions.take_link(late) is None
    cookie = sessions.cookie_for(Session("owner", may_write=True, is_owner=True)).partition(";")[0]
    scope = {"headers": [(b"cookie", cookie.encode())]}
    assert run_now(sessions.by_cookie(scope)) is not None
    now[0] += SESSION_SECONDS
    assert run_now(sessions.by_cookie(scope)) is None


def without_tokens(now: list[float]) -> Security:
    async def none(*_: Any) -> None: ...

    return Security(frozenset(), frozenset(), "recollect", False, none, none, lambda *_: None, clock=lambda: now[0])


def run_now(coroutine: Any) -> Any:
    """The result of a coroutine that waits for nothing."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("it waits")


# -- addresses ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def certificate(tmp_path: Path) -> dict[str, str]:
    """A certificate for 127.0.0.1, and its key, as files."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    now = dt.datetime.now(dt.UTC)
    names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder()
        .subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1)).not_valid_after(now + dt.timedelta(days=1))
        .add_extension(names, critical=True)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    place, key_place = tmp_path / "cert.pem", tmp_path / "key.pem"
    place.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    how = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    key_place.write_bytes(key.private_bytes(*how))
    return {"certificate": str(place), "key": str(key_place)}


def test_other_machines_are_served_only_with_tls_and_a_token(user, certificate):
    files = ("--tls-cert", certificate["certificate"], "--tls-key", certificate["key"])
    anywhere = ("serve", "--bind", "0.0.0.0", "--port", "0", "--host", "127.0.0.1")  # noqa: S104 - to be refused
    assert "needs TLS" in user.run(*anywhere, code=1).err
    assert "needs a token" in user.run(*anywhere, *files, code=1).err
    token(user, "anna")
    assert "needs TLS" in user.run(*anywhere, code=1).err
    assert "TLS needs both files" in user.run(*anywhere, *files[:2], code=1).err
    assert "no such file" in user.run(*anywhere, "--tls-cert", "gone", "--tls-key", "gone", code=1).err
    assert "--host NAME" in user.run("serve", "--bind", "0.0.0.0", *files, code=1).err  # noqa: S104
    assert "not an IP address" in user.run("serve", "--bind", "example.org", code=1).err
    with serving(user, bind="0.0.0.0", names=("127.0.0.1",), **certificate) as server:  # noqa: S104 - asked by loopback
        answer = server.ask("GET", f"/?token={server.secret}")
        assert answer.headers["set-cookie"].startswith(f"__Host-recollect-{server.port}=")
        assert answer.headers["set-cookie"].endswith("; Secure")
        assert server.ask("GET", "/", Host=f"localhost:{server.port}").status == 403
        plain = Server(server.port, server.link, user)
        assert plain.ask("GET", f"/?token={server.secret}").status == 0  # no answer without TLS


def test_a_port_that_is_taken_is_named(user):
    with serving(user) as server:
        said = user.run("serve", "--port", str(server.port), code=1)
        assert f"127.0.0.1:{server.port}" in said.err
        assert "--port" in said.err


# -- the commands ------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def command(box: Box, *arguments: str) -> Iterator[tuple[Forked, dict[str, Any]]]:
    """Run a command that serves; what it printed as JSON."""
    process = box.fork(*arguments, "--json")
    try:
        line = process.stdout.readline()
        assert line, process.stderr.read()
        yield process, json.loads(line)
    finally:
        process.kill()
        process.wait(PATIENCE_SECONDS)
        process.stdout.close()
        process.stderr.close()


def test_open_shows_the_page_in_the_browser_and_ends_when_nobody_looks(user, tmp_path):
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {seen}\n')
    browser.chmod(0o755)
    user.settings["BROWSER"] = str(browser)
    with command(user, "open", "--idle-minutes", "0.02") as (process, said):
        assert said["is_shown"] is True
        assert seen.read_text() == said["link"]
        server = Server(int(said["page"].rsplit(":", 1)[1].strip("/")), said["link"], user)
        assert server.ask("GET", "/", Cookie=signed_in(server)).status == 200
        assert process.wait(PATIENCE_SECONDS) == 0


def test_without_a_browser_the_link_is_printed_and_a_signal_ends_the_server(user):
    user.settings["BROWSER"] = "lynx"
    with command(user, "open") as (process, said):
        assert (said["is_shown"], "?token=" in said["link"]) == (False, True)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_SECONDS) == 0
    with command(user, "serve", "--port", "0") as (process, said):
        server = Server(int(said["page"].rsplit(":", 1)[1].strip("/")), said["link"], user)
        assert server.ask("GET", "/", Cookie=signed_in(server)).status == 200
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_SECONDS)


def test_an_agent_opens_no_page_and_makes_no_token(user):
    user.settings["CLAUDECODE"] = "1"
    for call in (("open",), ("serve",), ("serve", "token", "add", "mine", "--scope", "write")):
        assert user.run(*call, "--json", code=1).err.count("NEEDS_PERSON") == 1, call


def test_other_commands_load_nothing_of_it_and_a_missing_extra_is_named(user):
    script = """
import sys
sys.modules.update(starlette=None, uvicorn=None, mcp=None)  # as if they were not installed
from recollect.faces.cli import main
for call in ("remember Use_pnpm", "serve --help", "serve token list", "open"):
    try:
        main(call.split(), prog_name="recollect")
    except SystemExit as end:
        print(call, end.code)
"""
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=user.root, env=user.env, capture_output=True, text=True)
    ends = [line for line in done.stdout.splitlines() if line[-1:].isdigit()]
    assert ends == ["remember Use_pnpm 0", "serve --help 0", "serve token list 0", "open 1"], done
    assert "pip install '.[page]'" in done.stderr


@pytest.mark.parametrize(
    ("address", "port", "hosts"),
    [
        (Address(), 8765, {"127.0.0.1:8765", "localhost:8765"}),
        (Address(bind="::1"), 8765, {"[::1]:8765", "localhost:8765"}),
        (Address(bind="192.168.1.5", names=("Memory.Example",), certificate="c"), 443,
         {"192.168.1.5", "192.168.1.5:443", "memory.example", "memory.example:443"}),
        (Address(bind="::", names=("memory.example",), certificate="c"), 8765, {"memory.example:8765"}),
    ],
)  # fmt: skip
def test_the_names_of_a_server_are_its_address_and_those_that_are_given(address, port, hosts):
    scheme = "https" if address.is_tls else "http"
    found = served_names(address.all_names(), port, is_tls=address.is_tls)
    assert found == (hosts, {f"{scheme}://{host}" for host in hosts})
    first = address.names[0] if address.names else address.bind
    assert url(address, port, "/mcp") == f"{scheme}://{f'[{first}]' if ':' in first else first}:{port}/mcp"


def test_an_answer_does_not_wait_for_the_clients_acknowledgement():
    with listen(Address()) as listener:
        assert listener.proto == socket.IPPROTO_TCP  # or asyncio leaves Nagle's delay on, 40 ms for each answer
