"""The gate, by socket: what other sites, other machines and broken clients send, and what a person's browser sends."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import pytest
from serve.serving import Answer, Server, make_box, read_answer, serving, signed_in

from recollect.faces.serve import refusals, rules
from recollect.faces.serve.security import Security

SLOW_CONNECTIONS = 1_000
FORM = "application/x-www-form-urlencoded"
GIGABYTE = 1_000_000_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    box = make_box(tmp_path_factory.mktemp("served") / "user")
    with serving(box) as running:
        yield running


@pytest.fixture(scope="module")
def cookie(server: Server) -> str:
    return signed_in(server)


@pytest.fixture(scope="module")
def csrf(server: Server, cookie: str) -> str:
    return str(server.ask("GET", "/", Cookie=cookie).json["csrf_token"])


def post(server: Server, cookie: str, csrf: str, text: str = "Use pnpm", **headers: str) -> Answer:
    body = urlencode({"text": text, "csrf_token": csrf}).encode()
    return server.ask("POST", "/write", body, **{"Cookie": cookie, "Content_Type": FORM, **headers})


def raw(server: Server, head: str, *, host: str | None = None, body: bytes = b"") -> Answer:
    """Send a head as it is; `{host}` in it is ours."""
    lines = head.replace("{host}", host or server.host).replace("\n", "\r\n")
    return server.send(lines.encode("latin-1") + b"\r\n\r\n" + body)


# -- names -------------------------------------------------------------------------------------------------------------


def test_only_the_exact_names_of_the_server_are_answered_so_that_a_rebound_name_is_not(server, cookie):
    port = server.port
    for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"LOCALHOST:{port}"):
        assert server.ask("GET", "/", Host=host, Cookie=cookie).status == 200, host
    foreign = (
        "evil.example", f"evil.example:{port}", "127.0.0.1", "localhost", f"127.0.0.1:{port + 1}", f"127.0.0.1.:{port}",
        f"localhost.:{port}", f"127.0.0.1:{port}.", f"127.0.0.1:0{port}", f"[::1]:{port}", f"[127.0.0.1]:{port}",
        f"127.1:{port}", f"2130706433:{port}", f"127.0.0.1:{port}@evil.example", f"evil.example#127.0.0.1:{port}",
        f"127.0.0.1:{port}, evil.example", f"user@127.0.0.1:{port}",
    )  # fmt: skip
    refused = {host: server.ask("GET", "/", Host=host, Cookie=cookie).status for host in foreign}
    assert set(refused.values()) <= {400, 403}, refused
    assert server.ask("GET", f"/?token={server.secret}", Host="evil.example").status == 403


def test_a_host_is_named_once_and_not_in_the_target(server, cookie):
    own = f"Cookie: {cookie}\nConnection: close"
    assert raw(server, f"GET / HTTP/1.1\nHost: {{host}}\n{own}").status == 200
    smuggled = (
        "GET / HTTP/1.1\nHost: {host}\nHost: evil.example\n",
        "GET / HTTP/1.1\nHost: evil.example\nHost: {host}\n",
        "GET / HTTP/1.1\n",
        "GET / HTTP/1.0\n",
        "GET http://evil.example/ HTTP/1.1\nHost: {host}\n",
        "GET http://{host}/ HTTP/1.1\nHost: {host}\n",
        "GET //evil.example/ HTTP/1.1\nHost: {host}\n",
        "GET / HTTP/1.1\nHost : {host}\n",
        "GET / HTTP/1.1\n Host: {host}\nHost: {host}\n",
        "OPTIONS * HTTP/1.1\nHost: {host}\n",
        "GET * HTTP/1.1\nHost: {host}\n",
        "GET files/note HTTP/1.1\nHost: {host}\n",
        "CONNECT {host} HTTP/1.1\nHost: {host}\n",
    )
    statuses = {head: raw(server, head + own).status for head in smuggled}
    assert set(statuses.values()) <= {400, 403, 405}, statuses


def test_two_hosts_are_refused_even_if_the_parser_lets_them_pass():
    security = Security(frozenset({"ours:1"}), frozenset(), "", False, None, None, None)
    ours, other = (b"host", b"ours:1"), (b"host", b"evil.example")
    assert rules.check_host({"headers": [ours]}, security) is None
    for headers in ([], [ours, other], [other, ours], [ours, ours]):
        assert rules.check_host({"headers": headers}, security) == refusals.HOST


def test_a_forwarded_host_does_not_count(server, cookie):
    ours = {"X_Forwarded_Host": server.host, "Forwarded": f"host={server.host}", "Cookie": cookie}
    assert server.ask("GET", "/", Host="evil.example", **ours).status == 403


# -- requests whose end is ambiguous -----------------------------------------------------------------------------------


def test_a_request_with_a_length_and_chunks_is_refused_and_nothing_after_it_is_read(server, cookie, csrf):
    smuggled = f"GET /files/smuggled HTTP/1.1\r\nHost: {server.host}\r\nCookie: {cookie}\r\n\r\n".encode()
    head = f"POST /write HTTP/1.1\nHost: {{host}}\nOrigin: {server.origin}\nCookie: {cookie}\nX-CSRF-Token: {csrf}\n"
    forms = (
        "Content-Length: 5\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\nContent-Length: 5",
        "Content-Length: 5\nContent-Length: 6",
        "Transfer-Encoding: chunked\nTransfer-Encoding: identity",
        "Transfer-Encoding: identity, chunked",
        "Transfer-Encoding: \x0bchunked",
        "Content-Length: +5",
        "Content-Length: -1",
    )
    for form in forms:
        with server.connect() as connection:
            lines = (head + form).replace("{host}", server.host).replace("\n", "\r\n").encode("latin-1")
            connection.sendall(lines + b"\r\n\r\n0\r\n\r\n" + smuggled)
            data = b""
            while part := connection.recv(65_536):
                data += part
        assert data.startswith((b"HTTP/1.1 400", b"HTTP/1.1 501")), (form, data)
        assert data.count(b"HTTP/1.1 ") == 1, form  # the second request was not answered
        assert b"smuggled" not in data, form


# -- paths -------------------------------------------------------------------------------------------------------------


def test_a_path_that_means_another_one_is_refused_in_every_spelling(server, cookie):
    assert server.ask("GET", "/files/a/b%20c.txt", Cookie=cookie).body == "a/b c.txt"
    assert server.ask("GET", "/files/%C3%A4", Cookie=cookie).body == "ä"
    hidden = (
        "/x/../", "/x/..", "/./", "/files/../../etc/passwd", "/files/..%2f..%2fetc/passwd", "/files/%2e%2e/secret",
        "/files/%2E%2e%2Fsecret", "/files/%252e%252e/secret", "/files/%25252e/secret", "/files/..\\secret",
        "/files/..%5csecret", "/files/%00", "/files/a%00.txt", "/files//etc", "/files/%2fetc", "/files/..;/secret",
        "/files/%c0%ae%c0%ae/secret", "/files/%ff", "/files/a%0d%0ab", "/files/%e2%80%ae", "/%2e/", "/files/a%2Fb",
    )  # fmt: skip
    statuses = {path: server.ask("GET", path, Cookie=cookie).status for path in hidden}
    assert set(statuses.values()) == {400}, statuses


def test_a_request_opens_only_folders_that_the_store_knows(server, cookie):
    for root in ("/etc", "/", "../..", str(server.box.folder)):
        answer = server.ask("GET", f"/projects?{urlencode({'root': root})}", Cookie=cookie)
        assert (answer.status, answer.json["error"]) == (404, "NOT_FOUND"), root


# -- signing in --------------------------------------------------------------------------------------------------------


def test_a_link_signs_in_once_and_leads_to_an_address_without_the_secret(tmp_path):
    with serving(make_box(tmp_path / "user")) as server:
        first = server.ask("GET", f"/files/note?token={server.secret}")
        assert (first.status, first.headers["location"]) == (303, "/files/note")
        name, _, rest = first.headers["set-cookie"].partition("=")
        assert name == f"recollect-{server.port}"
        assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {part.strip() for part in rest.split(";")}
        cookie = first.headers["set-cookie"].partition(";")[0]
        assert server.ask("GET", "/", Cookie=cookie).json["may_write"] is True
        again = server.ask("GET", f"/?token={server.secret}")
        assert (again.status, "set-cookie" in again.headers) == (403, False)
        reloaded = server.ask("GET", f"/?token={server.secret}", Cookie=cookie)  # the person who is signed in
        assert (reloaded.status, reloaded.headers["location"]) == (303, "/")
        log = (server.box.home / "serve.log").read_text()
        assert "owner: GET /files/note signed in" in log
        assert server.secret not in log
        assert cookie.partition("=")[2] not in log


def test_without_a_cookie_or_with_a_false_one_nothing_is_shown(server, cookie):
    name, _, value = cookie.partition("=")
    wrong = ("", f"{name}=", f"{name}={value}x", f"other={value}", f"{name}={'x' * 5_000}", "\x01=\xff", f"{name}")
    for sent in wrong:
        assert server.ask("GET", "/", Cookie=sent).status in (400, 401), sent
    assert server.ask("GET", f"/?token={value}").status == 403
    shown = server.ask("GET", "/", Accept="text/html,*/*")
    assert (shown.status, "recollect open" in shown.body) == (401, True)


def test_who_signs_out_is_out(tmp_path):
    with serving(make_box(tmp_path / "user")) as server:
        cookie = signed_in(server)
        assert server.ask("POST", "/logout", Cookie=cookie, Origin="http://evil.example").status == 403
        assert server.ask("GET", "/", Cookie=cookie).status == 200
        assert server.ask("POST", "/logout", Cookie=cookie, Origin=server.origin).status == 200
        assert server.ask("GET", "/", Cookie=cookie).status == 401


# -- writes ------------------------------------------------------------------------------------------------------------


def test_a_write_needs_our_origin_the_cookie_and_the_token_of_the_form(server, cookie, csrf):
    own = {"Origin": server.origin}
    assert post(server, cookie, csrf, "First write", **own).body == "first-write"
    by_header = {**own, "X_CSRF_Token": csrf, "Cookie": cookie}
    assert server.ask("POST", "/write", b"text=Second", **by_header).body == "second"
    other_site = f"http://localhost:{server.port + 1}"
    for origin in ("", "null", "http://evil.example", other_site, f"{server.origin}.evil.example", f"{server.origin}/",
                   server.origin.upper(), f"https://{server.host}", f"{server.origin} {server.origin}"):  # fmt: skip
        assert post(server, cookie, csrf, Origin=origin).status == 403, origin
    for token in ("", "wrong", csrf[:-1], csrf + "x"):
        assert post(server, cookie, token, **own).status == 403, token
    assert post(server, "", csrf, **own).status == 401
    as_text = {"Content_Type": "text/plain", **own}  # what a form of another site can send
    assert post(server, cookie, csrf, **as_text).status == 403
    assert [row["slug"] for row in server.box.run("list", "--json").json] == ["second", "first-write"]


def test_a_form_of_another_site_writes_nothing(server, cookie):
    cross_site = {"Origin": "https://evil.example", "Sec_Fetch_Site": "cross-site", "Content_Type": FORM}
    for sent in ("", cookie):  # a browser sends no SameSite=Strict cookie; even if one did
        assert server.ask("POST", "/write", b"text=Planted", Cookie=sent, **cross_site).status == 403
    assert "planted" not in server.box.run("list", "--json").out


def test_other_methods_and_foreign_reads_are_refused(server, cookie):
    for method in ("OPTIONS", "TRACE", "PROPFIND", "get"):
        answer = server.ask(method, "/", Cookie=cookie)
        assert (answer.status, answer.body) == (405, "This method is not served.\n"), method
    assert server.ask("GET", "/", Cookie=cookie, Origin="http://evil.example").status == 403
    assert server.ask("DELETE", "/write", Cookie=cookie).status == 403  # without Origin
    upgraded = server.ask("GET", "/", Cookie=cookie, Upgrade="websocket", Sec_WebSocket_Key="x")
    assert upgraded.status == 200  # an ordinary request: nothing is upgraded


# -- responses ---------------------------------------------------------------------------------------------------------

PROMISED = {
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def test_every_response_forbids_frames_foreign_scripts_referrers_and_caches(server, cookie):
    answers = [
        server.ask("GET", "/", Cookie=cookie),
        server.ask("GET", "/careless", Cookie=cookie),
        server.ask("GET", "/failing", Cookie=cookie),
        server.ask("GET", "/missing", Cookie=cookie),
        server.ask("GET", "/"),
        server.ask("GET", "/login"),
        server.ask("GET", "/login.css"),
        server.ask("GET", "/", Host="evil.example"),
    ]
    assert [answer.status for answer in answers] == [200, 200, 500, 404, 401, 200, 200, 403]
    for answer in answers:
        assert {name: answer.headers[name] for name in PROMISED} == PROMISED
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert not [name for name in answer.headers if name.startswith("access-control-")]
        assert "server" not in answer.headers
    assert "secret detail" not in answers[2].body
    assert "a secret detail" in (server.box.home / "serve.log").read_text()


# -- limits ------------------------------------------------------------------------------------------------------------


def test_a_body_that_is_too_large_is_refused_before_it_is_read(server, cookie, csrf):
    head = f"POST /write HTTP/1.1\nHost: {{host}}\nOrigin: {server.origin}\nCookie: {cookie}\nX-CSRF-Token: {csrf}\n"
    assert raw(server, f"{head}Content-Length: {GIGABYTE}").status == 413
    assert raw(server, f"{head}Content-Length: {10**40}").status in (400, 413)
    expecting = f"{head}Content-Length: {GIGABYTE}\nExpect: 100-continue"
    assert raw(server, expecting).status == 413  # not "100 Continue"
    assert server.ask("GET", "/", Cookie=cookie).status == 200


def test_a_gigabyte_in_chunks_is_cut_off_after_the_limit(server, cookie, csrf):
    head = (
        f"POST /write HTTP/1.1\r\nHost: {server.host}\r\nOrigin: {server.origin}\r\nCookie: {cookie}\r\n"
        f"X-CSRF-Token: {csrf}\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    chunk, sent = b"10000\r\n" + b"x" * 0x10000 + b"\r\n", 0
    with server.connect() as connection:
        connection.sendall(head.encode())
        try:
            while sent < GIGABYTE:
                connection.sendall(chunk)
                sent += len(chunk)
        except ConnectionError:
            pass  # it hung up
        else:
            pytest.fail("a gigabyte was taken")
    assert sent < 50_000_000
    assert server.ask("GET", "/", Cookie=cookie).status == 200


def test_a_head_that_is_too_large_is_refused(server, cookie):
    assert server.ask("GET", "/", Cookie=cookie, X_Large="x" * 100_000).status in (400, 431)
    assert server.ask("GET", "/" + "x" * 100_000, Cookie=cookie).status in (400, 431)
    assert server.ask("GET", f"/?q={'x' * 20_000}", Cookie=cookie).status == 431


def test_slow_connections_make_room_for_others(server, cookie, csrf):
    heads = (
        b"",
        f"GET / HTTP/1.1\r\nHost: {server.host}\r\nX-Slow: ".encode(),
        f"POST /write HTTP/1.1\r\nHost: {server.host}\r\nOrigin: {server.origin}\r\nCookie: {cookie}\r\n"
        f"X-CSRF-Token: {csrf}\r\nContent-Length: 1000\r\n\r\nx".encode(),
    )
    slow = []
    try:
        for number in range(SLOW_CONNECTIONS):
            connection = server.connect()
            slow.append(connection)
            connection.sendall(heads[number % len(heads)])
            if number % 100 == 99:
                assert server.ask("GET", "/", Cookie=cookie).status == 200, number
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda _: server.ask("GET", "/", Cookie=cookie).status, range(16)))
        assert answers == [200] * 16
        assert is_closed(slow[1])  # the one that had waited longest
    finally:
        for connection in slow:
            connection.close()


def is_closed(connection: socket.socket) -> bool:
    """Whether the other side has hung up."""
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def test_a_client_that_does_not_read_does_not_keep_others_waiting(server, cookie):
    deaf = [server.connect() for _ in range(8)]
    try:
        for connection in deaf:
            connection.sendall(f"GET /endless HTTP/1.1\r\nHost: {server.host}\r\nCookie: {cookie}\r\n\r\n".encode())
        assert server.ask("GET", "/", Cookie=cookie).status == 200
    finally:
        for connection in deaf:
            connection.close()


def test_too_many_requests_of_a_stranger_are_refused_and_the_person_is_not(tmp_path):
    with serving(make_box(tmp_path / "user"), limits={"burst": 5, "requests_per_second": 0.0001}) as server:
        cookie = signed_in(server)  # the first request of somebody who is not signed in
        assert [server.ask("GET", "/").status for _ in range(6)] == [401] * 4 + [429] * 2
        assert [server.ask("GET", "/", Cookie=cookie).status for _ in range(6)] == [200] * 5 + [429]
        assert server.ask("GET", "/", Cookie=cookie).headers["retry-after"] == "1"


def test_a_request_that_does_not_arrive_in_time_is_given_up(tmp_path):
    limits = {"head_seconds": 0.2, "body_seconds": 0.2, "write_seconds": 0.2}
    with serving(make_box(tmp_path / "user"), limits=limits) as server:
        cookie = signed_in(server)
        head = f"POST /write HTTP/1.1\r\nHost: {server.host}\r\nOrigin: {server.origin}\r\nCookie: {cookie}\r\n"
        for begun in (b"", b"GET", head.encode()):
            assert server.send(begun).status == 0, begun
        assert server.send(f"{head}Content-Length: 9\r\n\r\ntext".encode()).status == 408
        with server.connect() as connection:  # the second request on a connection has a deadline too
            connection.sendall(f"GET / HTTP/1.1\r\nHost: {server.host}\r\nCookie: {cookie}\r\n\r\n".encode())
            assert read_answer(connection).status == 200
            connection.sendall(b"GET / HT")
            assert connection.recv(100) == b""
        with server.connect() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            deaf.sendall(f"GET /endless HTTP/1.1\r\nHost: {server.host}\r\nCookie: {cookie}\r\n\r\n".encode())
            wait_until_closed(server, cookie, deaf)


def wait_until_closed(server: Server, cookie: str, deaf: socket.socket) -> None:
    """Ask something else until the server has hung up on a client that does not read."""
    for _ in range(1_000):
        assert server.ask("GET", "/", Cookie=cookie).status == 200
        try:
            deaf.send(b"x")
        except ConnectionError:
            return
    pytest.fail("the connection is still open")


def test_a_stranger_sends_a_login_form_at_most(server):
    own = {"Origin": server.origin, "Content_Type": FORM}
    assert server.ask("POST", "/login", b"token=wrong", **own).status == 403
    assert server.ask("POST", "/login", b"token=" + b"x" * 20_000, **own).status == 413
    waiting = f"POST /write HTTP/1.1\r\nHost: {server.host}\r\nOrigin: {server.origin}\r\nContent-Length: 9\r\n\r\n"
    assert server.send(waiting.encode()).status == 401  # at once, although the body is still to come
    refused = (server.box.home / "serve-refused.log").read_text()
    assert "POST /write 401" in refused
    served = server.box.home / "serve.log"  # made by the first request that is answered
    assert not served.exists() or "POST /write 401" not in served.read_text()
