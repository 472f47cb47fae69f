"""What other sites and hostile texts try in a real browser that is signed in to the page."""

import contextlib
import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from page import scene
from page.served import Served


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...


@contextlib.contextmanager
def site(folder: Path) -> Iterator[int]:
    """Another site on this machine that serves a folder; its port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def hostile(served: Served, tmp_path: Path) -> Iterator[tuple[str, int]]:
    """The id of a memory that a hostile site attacks, and the port of the site."""
    uid = served.remember("The ferry leaves at noon")
    action = f"{served.base}/memory/{uid}/retire"
    form = f'<form method="post" action="{action}"><input name="reason" value="x"></form>'
    (tmp_path / "form.html").write_text(f"{form}<script>document.forms[0].submit()</script>")
    (tmp_path / "frame.html").write_text(f'<iframe src="{served.base}/memory/{uid}"></iframe>')
    (tmp_path / "plain.html").write_text("<p>Nothing here.</p>")
    with site(tmp_path) as port:
        yield uid, port


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "evil.example"])
def test_another_site_writes_shows_and_reads_nothing(name, browser, served, hostile):
    # 127.0.0.1 with another port is the same site for a cookie: there only the Origin keeps it out.
    uid, port = hostile
    browser.go(f"http://{name}:{port}/form.html")
    browser.until("/Another site sent this request/.test(document.body.innerText)")
    assert served.show(uid)["status"] == "active"
    browser.go(f"http://{name}:{port}/frame.html")
    assert any("frame" in complaint.lower() for complaint in browser.complaints()), browser.complaints()
    browser.go(f"http://{name}:{port}/plain.html")
    read = f"fetch({json.dumps(served.base)} + '/overview.json', {{credentials: 'include'}})"
    assert browser.run(f"{read}.then(answer => answer.text(), () => 'blocked')") == "blocked"
    sent = f"fetch({json.dumps(served.base)} + '/rpc', {{method: 'POST', credentials: 'include', body: '{{}}'}})"
    assert browser.run(f"{sent}.then(answer => answer.text(), () => 'blocked')") == "blocked"


def test_a_name_that_was_rebound_to_this_machine_is_not_served(browser, served):
    browser.go(served.base.replace("127.0.0.1", "rebound.example") + "/")
    assert "This name is not served here" in browser.text()


def test_a_form_that_no_screen_sends_is_refused_and_changes_nothing_else(served):
    uid = served.remember("The quay is closed on Sundays", kind="learned", tag="harbour")
    kind = "application/x-www-form-urlencoded"
    for body in (
        "importance=much",
        "importance=nan",
        "importance=9",
        "&".join(f"f{number}=" for number in range(2_000)),
    ):
        status, said = served.post(f"/memory/{uid}/edit", body, kind)
        assert (status, "That did not work" in said) == (400, True), body[:40]
    assert served.post(f"/memory/{uid}/merge", "older=", kind)[0] == 400
    assert served.post(f"/memory/{uid}/edit", "importance=0.9", kind)[0] == 303
    shown = served.show(uid)
    assert (shown["importance"], shown["tags"], shown["title"]) == (0.9, ["harbour"], "The quay is closed on Sundays")


def test_a_file_with_a_title_of_a_megabyte_does_not_hide_the_others(browser, served):
    uid = served.remember("The tide table hangs at the quay", kind="learned")
    place = served.box.root / str(served.box.run("show", uid, "--json").json["path"])
    whole = place.read_text("utf-8")
    huge = scene.HOSTILE_TITLE + "x" * 1_000_000
    place.write_text(whole.replace('"The tide table hangs at the quay"', json.dumps(huge)), "utf-8")
    try:
        for path in ("/", f"/memory/{uid}", f"/memory/{uid}/edit"):
            browser.go(served.base + path)
            assert browser.run("document.title").endswith("· recollect")
            assert browser.run("document.documentElement.outerHTML.length") < 200_000
            assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    finally:
        place.write_text(whole, "utf-8")
