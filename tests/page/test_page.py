"""The page in a real browser, on a project with a month behind it: each test is a thing that a person does."""

import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from page import scene
from page.browser import DESKTOP, PHONE
from tables import each

from recollect.faces.page.app import STATIC
from recollect.faces.page.rendering import first_error_line, gist, line, matches

SESSION = "005c0ffe-e0f1-4a55-9c5e-1d0a6f3b7c00"
SCREENS = {
    "search": "/?q=" + quote("How do we retry the payment gateway, and how are prices kept?"),
    "memory": "/memory/prices-are-integers-in-cents",
    "review": "/review",
    "sessions": f"/session/{SESSION}",
    "overview": "/overview",
    "files": "/files?path=USER.md",
}
VENDORED_BYTES, FIRST_PAGE_BYTES = 110_000, 200_000


def test_search_shows_live_what_an_agent_would_be_told_and_why_the_rest_is_left_out(browser, served):
    browser.go(served.base + "/")
    assert "Newest" in browser.text("#results")
    browser.press("/")
    assert browser.run("document.activeElement.id") == "q"
    browser.type("#q", "How do we retry the payment gateway?")
    browser.until("document.querySelector('.told .hit')")
    assert "Retries of the payment gateway need the same idempotency key" in browser.text(".told")
    assert re.search(r"1 memory · \d+ tokens", browser.text(".told h2"))
    assert "retry" in browser.run("location.search")
    browser.type("#q", "How are prices represented in invoices?")
    browser.until("[...document.querySelectorAll('.hit mark')].some(found => found.innerText === 'invoices')")
    browser.type("#q", "How do we retry the payment gateway?")
    browser.until("/idempotency/.test(document.querySelector('.told .hit')?.innerText)")
    browser.run("document.querySelector('.raw').open = true")
    assert browser.text(".raw pre").startswith('<memory-context source="recollect"')
    browser.type("#q", "Compose a limerick on zebras")
    browser.until("!document.querySelector('.told .hit')")
    assert "Nothing. No memory has enough in common" in browser.text(".told")
    assert browser.complaints() == []


def test_a_server_that_does_not_answer_any_more_is_named_until_it_does(browser, served):
    browser.go(served.base + "/")
    offline = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.send("Network.emulateNetworkConditions", offline=True, **offline)
    try:
        browser.type("#q", "Which package manager do we use?")
        browser.until("/recollect open/.test(document.querySelector('#gone')?.innerText)")
    finally:
        browser.send("Network.emulateNetworkConditions", offline=False, **offline)
    browser.type("#q", "Which package manager do we use here?")
    browser.until("!document.querySelector('#gone') && document.querySelector('.told')")


def test_the_page_agrees_with_the_hook_and_filters_narrow_what_is_found(served):
    prompt = "How do we retry the payment gateway?"
    told = served.box.run("recall", prompt, "--json").json
    page = served.get("/", q=prompt)
    shown = re.findall(r'<li class="hit">.*?/memory/(\w+)"', page, re.DOTALL)
    assert shown == [memory["uid"] for memory in told if memory["told"]]
    assert shown
    listed = served.get("/", kind="preference")
    assert "Use pnpm, never npm" in listed
    assert "Orders are kept in Postgres" not in listed
    assert "Orders are kept in Postgres" in served.get("/", file="src/orders.py", tag="database")
    assert "passes these filters" in served.get("/", until="2020-01-01")
    fresh, stale = served.get("/", verdict="FRESH"), served.get("/", verdict="UNVERIFIABLE")
    assert "total() in src/orders.py" in fresh
    assert "src/mailer.py" not in fresh
    assert "total() in src/orders.py" not in stale
    assert "total() in src/orders.py" in served.get("/", q="where are the prices of orders added up?", verdict="FRESH")
    checked = served.get("/memory/total-in-src-orders-py-adds-up-the-prices")
    assert "Does its code still hold?" in checked
    uid = served.remember("A heron stands in the pond")
    served.box.run("retire", uid, "--reason", "it flew away")
    assert "A heron stands" not in served.get("/", q="heron pond")
    assert "A heron stands" in served.get("/", q="heron", status="retired")


def test_a_memory_shows_its_text_origin_history_tellings_and_connections(browser, served):
    browser.go(served.base + SCREENS["memory"])
    says = browser.text()
    assert "floats lost a cent in invoices" in says
    assert ".claude/memory/decisions/prices-are-integers-in-cents.json" in says
    assert re.search(r"\d+[hd] ago · session", says)
    assert "integers in cents" in browser.run("document.querySelector('.graph svg').textContent")
    assert browser.run("document.querySelectorAll('.graph .box.fact').length") == 4  # two subjects, two objects
    assert browser.run("document.querySelectorAll('.graph .edge').length") == 2
    assert "for “How are prices represented in invoices?”" in says
    assert "told at the start of a session" in says
    browser.go(f"{served.base}/memory/{runbook(served)}")
    browser.run("document.querySelectorAll('details').forEach(part => part.open = true)")
    assert "AssertionError: assert 3 == 6" in browser.text(".source.event pre")  # the tool's own output
    assert "Asked: " in browser.text(".source pre")  # the turn, word for word
    browser.go(served.base + "/memory/sort-imports-with-ruff")
    removed = browser.run("[...document.querySelectorAll('.diff .del')].map(row => row.textContent)")
    assert "removed: title: Sort imports with ruff, not isort" in removed


def test_an_edit_that_another_one_overtook_is_not_lost_and_does_not_overwrite(browser, served):
    uid = served.remember("The bridge opens at nine", kind="learned")
    browser.go(f"{served.base}/memory/{uid}/edit")
    served.box.run("edit", uid, "--title", "The bridge opens at ten")
    browser.run("document.querySelector('[name=title]').value = 'The bridge opens at eleven'")
    browser.click(".edit .primary")
    assert "changed while you were editing" in browser.text("[role=alert]")
    assert "It now says: The bridge opens at ten" in browser.text(".theirs")
    assert browser.run("document.querySelector('[name=title]').value") == "The bridge opens at eleven"
    assert served.show(uid)["title"] == "The bridge opens at ten"
    browser.click(".edit .primary")
    assert "Saved." in browser.text(".flash")
    assert served.show(uid)["title"] == "The bridge opens at eleven"
    assert served.show(uid)["tags"] == ["untagged"]  # which the form does not show
    browser.go(f"{served.base}/memory/{uid}/edit")
    assert browser.run("document.querySelector('[name=tags]').value") == ""
    browser.type("[name=tags]", "bridges")
    browser.click(".edit .primary")
    assert served.show(uid)["tags"] == ["bridges"]
    history = served.box.run("show", uid, "--history", "--json").json
    assert [entry["actor"] for entry in history][:3] == ["page", "page", "cli"]


def test_each_action_is_one_click_journalled_and_undone_by_another(browser, served):
    uid = served.remember("The lighthouse keeper sleeps at noon", kind="note")
    address = f"{served.base}/memory/{uid}"
    browser.go(address)
    browser.press("p", leads=True)
    assert served.show(uid)["usage"]["pinned"] is True
    browser.click("form[action$='/undo'] button")
    assert "Undone." in browser.text(".flash")
    assert served.show(uid)["usage"]["pinned"] is False
    browser.run("document.querySelector(\"form[action$='/retire'] [name=reason]\").value = 'he moved'")
    browser.click("form[action$='/retire'] .primary")
    assert "retired: he moved" in browser.text(".memory header")
    stale = browser.run("document.querySelector('[name=group]').value")
    served.remember("Something else happened meanwhile")
    browser.click("form[action$='/undo'] button")
    assert "Somebody was faster" in browser.text()
    assert stale
    browser.go(address)
    browser.click("form[action$='/restore'] button")
    assert served.show(uid)["status"] == "active"
    browser.go(address)
    browser.click("form[action$='/archive'] .primary")
    assert served.show(uid)["status"] == "archived"
    browser.click("form[action$='/undo'] button")
    older = served.remember("The keeper of the lighthouse sleeps at night")
    browser.go(address)
    assert "The keeper of the lighthouse sleeps at night" in browser.text(".related")
    browser.run(f"document.querySelector(\"form[action$='/merge'] [value='{older}']\").click()")
    browser.click("form[action$='/merge'] .primary")
    assert served.show(older)["status"] == "retired"
    assert "replaces" in browser.text("section ul.plain")
    browser.go(address)  # later, when nothing says "Undo" any more
    browser.click(".history a[href$='/undo']")
    assert "The keeper of the lighthouse sleeps at night" in browser.text()
    browser.click("form[action$='/undo'] button")
    assert served.show(older)["status"] == "active"


def test_what_waits_is_kept_dropped_edited_and_merged_by_keys(browser, served):
    first, second, third = scene.pending(served.box)
    browser.go(f"{served.base}/review?at={first}")
    assert "waits for you" in browser.text(".reason")
    browser.press("k", leads=True)
    assert "Kept." in browser.text(".flash")
    assert "pending" not in served.show(first)["tags"]
    browser.press("u", leads=True)
    assert "pending" in served.show(first)["tags"]
    browser.go(f"{served.base}/review?at={second}")
    browser.press("d", leads=True)
    assert served.show(second)["status"] == "retired"
    browser.go(f"{served.base}/review?at={third}")
    browser.press("e", leads=True)
    browser.run("document.querySelector('[name=title]').value = 'Ask before you delete a branch'")
    browser.click(".edit .primary")
    assert served.show(third)["title"] == "Ask before you delete a branch"
    assert "pending" not in served.show(third)["tags"]
    older = served.remember("Linting happens in the editor")
    browser.go(f"{served.base}/review?at={first}")
    browser.press("m")
    browser.until("document.activeElement.closest('.menu')")
    browser.run("document.querySelector('[name=older]').focus()")
    browser.send("Input.insertText", text=older)
    browser.press("Enter", leads=True)
    assert served.show(older)["status"] == "retired"


def test_a_conflict_is_decided_by_keys_with_both_memories_in_sight(browser, served):
    older = served.remember("Lint with flake8", kind="learned")
    [newer, other] = served.box.bring(
        *(
            {"title": title, "kind": "learned", "slug": slug, "channel": "claude-code:statement",
             "links": [{"relation": "may_replace", "uid": older}], "project": scene.project_of(served.box)}
            for title, slug in (("Lint with ruff", "lint-ruff"), ("Lint with pylint, too", "lint-pylint"))
        )
    )  # fmt: skip
    browser.go(f"{served.base}/review?at={other}")
    browser.press("k", leads=True)  # both count
    assert (served.show(other)["status"], served.show(older)["status"]) == ("active", "active")
    browser.go(f"{served.base}/review?at={newer}")
    assert "Lint with flake8" in browser.text(".older")
    assert "conflict" in browser.text(".queue [aria-current]") or browser.texts(".queue") == []
    browser.press("m", leads=True)  # the newer one replaces the older
    assert (served.show(newer)["status"], served.show(older)["status"]) == ("active", "retired")


def test_keys_can_be_switched_off(browser, served):
    browser.go(served.base + "/")
    browser.run("document.querySelector('#keys').click()")
    browser.press("2")
    assert browser.run("location.pathname") == "/"
    browser.run("document.querySelector('#keys').click()")
    browser.press("2", leads=True)
    assert browser.run("location.pathname") == "/review"


def test_a_session_is_followed_while_its_events_are_drained(browser, served):
    session = "4e0f6a51-8f6e-4a55-9c5e-1d0a6f3b7c99"

    def hook(name: str, **fields: str) -> None:
        event = {"session_id": session, "cwd": str(served.box.root), "hook_event_name": name, **fields}
        served.box.run("hook", "claude-code", name, stdin=json.dumps(event))
        served.box.run("drain")

    hook("SessionStart", source="startup")
    browser.go(f"{served.base}/session/{session}")
    browser.until("!document.querySelector('[data-live]').hidden")
    before, live = browser.run(
        "[document.querySelectorAll('.step').length, document.querySelector('.live').dataset.live]"
    )
    hook("UserPromptSubmit", prompt_id="p1", prompt="How are prices represented in <b>invoices</b>?")
    browser.until("document.querySelector('.step.asked.new')")
    assert "How are prices represented in <b>invoices</b>?" in browser.text(".step.asked")
    assert "How are prices represented in <b>invoices</b>?" in browser.text("h1")
    assert "1 prompt" in browser.text("#about")
    browser.until(f"document.querySelectorAll('.step').length >= {before} + 2")
    assert browser.run("[...document.querySelectorAll('.step')].some(step => /told|silent/.test(step.className))")
    assert browser.complaints() == []
    missed = f"""new Promise(done => {{
        const stream = new EventSource({json.dumps(live)});
        stream.addEventListener('steps', event => {{ stream.close(); done(event.data); }});
    }})"""  # the page was made before the prompt, and its stream is connected after it
    assert "How are prices represented" in browser.run(missed)


def test_an_event_that_waits_gives_way_to_what_became_of_it(browser, served):
    session = "4e0f6a51-8f6e-4a55-9c5e-1d0a6f3b7c98"
    event = {"session_id": session, "cwd": str(served.box.root), "prompt_id": "p1"}
    for name, prompt in (("SessionStart", ""), ("UserPromptSubmit", "Where do herons sleep?")):
        told = json.dumps({**event, "hook_event_name": name, "source": "startup", "prompt": prompt})
        served.box.run("hook", "claude-code", name, stdin=told)
        if name == "SessionStart":
            served.box.run("drain")
    browser.go(f"{served.base}/session/{session}")
    assert "waiting to be processed" in browser.text(".step.waiting")
    browser.until("!document.querySelector('[data-live]').hidden")
    served.box.run("drain")
    browser.until("document.querySelector('.step.asked.new')")
    assert browser.texts(".step.waiting") == []


def test_a_hostile_memory_is_text_and_nothing_else(browser, served):
    [uid] = served.box.bring(
        {
            "title": scene.HOSTILE_TITLE[:120],
            "content": {"text": scene.HOSTILE_TEXT + "x" * 1_000_000},
            "tags": ['"><script>alert(3)</script>'],
            "files_modified": ["javascript:alert(4)", "../../etc/passwd"],
            "branch": "<svg onload=alert(5)>",
            "project": scene.project_of(served.box),
        }
    )
    served.box.run("fact", "add", "<script>alert(6)</script>", "</svg><svg onload=alert(7)>", "x", "--source", uid)
    for path in (f"/memory/{uid}", f"/memory/{uid}/edit", "/?q=" + quote("owned document title script"), "/"):
        browser.go(served.base + path)
        assert browser.run("document.title").endswith("· recollect")
        assert browser.run("document.querySelectorAll('main script, main img, main svg[onload]').length") == 0
        assert browser.run("document.querySelectorAll('[href^=\"javascript:\"]').length") == 0
        assert browser.complaints() == []
        assert "\u202e" not in browser.text()
    browser.go(f"{served.base}/memory/{uid}")
    assert "{{ 7*7 }}" in browser.text(".says")
    assert "The whole text, 1,000," in browser.text(".says")
    assert len(browser.run("document.documentElement.outerHTML")) < 200_000
    served.box.run("purge", uid, "--yes")


def test_reading_needs_no_script_and_nothing_is_asked_of_the_outside(browser, served):
    for path in SCREENS.values():
        browser.go(served.base + path)
        assert {re.sub(r"(//[^/]+).*", r"\1", url) for url in browser.requests() if url.startswith("http")} == {
            served.base
        }
        assert browser.complaints() == []
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        for name, path in SCREENS.items():
            browser.go(served.base + path)
            assert browser.run("document.querySelector('.switches').hidden"), "no script of ours ran"
            says = browser.run("document.querySelector('main').textContent")
            assert {"search": "Would be told", "memory": "History", "review": "Review", "sessions": "asked",
                    "overview": "By day (UTC)", "files": "Ann, Berlin"}[name] in says  # fmt: skip
    finally:
        browser.send("Emulation.setScriptExecutionDisabled", value=False)


def test_the_first_page_and_what_is_vendored_are_small(browser, served):
    browser.go(served.base + "/")
    assert 0 < browser.received_bytes() <= FIRST_PAGE_BYTES
    vendored = [STATIC / name for name in ("htmx.min.js", "uPlot.iife.min.js", "uPlot.min.css", "LICENSES.txt")]
    assert sum(path.stat().st_size for path in vendored) <= VENDORED_BYTES
    licences = (STATIC / "LICENSES.txt").read_text("utf-8")
    assert "Zero-Clause BSD" in licences
    assert "The MIT License" in licences


@each("name", list(SCREENS))
def test_axe_finds_nothing_in_light_and_in_dark_and_on_a_phone(name, browser, served, axe):
    audit(browser, served.base + SCREENS[name], axe, (("light", DESKTOP), ("dark", DESKTOP), ("light", PHONE)))


def test_axe_finds_nothing_on_forms_errors_lists_and_memories_with_many_sources(browser, served, axe):
    [waits] = served.box.bring(
        {"title": "Herons stand on one leg", "kind": "learned", "slug": "one-leg", "tags": ["pending"],
         "confidence": 0.5, "channel": "claude-code:statement", "project": scene.project_of(served.box)}
    )  # fmt: skip
    for path in (f"/memory/{runbook(served)}", f"{SCREENS['memory']}/edit", "/sessions", "/undo", "/nowhere", "/login",
                 "/?verdict=FRESH", "/?since=never", f"/review?at={waits}"):  # fmt: skip
        audit(browser, served.base + path, axe, (("light", DESKTOP), ("dark", PHONE)))


def audit(browser, address, axe, looks) -> None:
    """Open every part of a page in each size and colour; axe finds nothing, and nothing is wider than the screen."""
    for scheme, size in looks:
        browser.colours(scheme)
        browser.size(*size)
        browser.go(address)
        if "/overview" in address:
            browser.until("document.documentElement.dataset.plots === 'drawn'")
        browser.run("document.querySelectorAll('details:not(.menu, .projects)').forEach(part => part.open = true)")
        assert browser.audit(axe) == []
        assert browser.run("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the screen"


def runbook(served) -> str:
    """The id of a memory that was captured from many turns and calls of tools."""
    return str(served.box.run("list", "--kind", "runbook", "--json").json[0]["uid"])


def test_the_colours_follow_the_system_and_the_switch_goes_before_it(browser, served):
    def is_dark() -> bool:
        return browser.run("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 26)"

    browser.go(served.base + "/")
    assert not is_dark()
    browser.colours("dark")
    assert is_dark()
    browser.run("document.querySelector('#theme').click()")
    assert not is_dark()
    browser.go(served.base + "/review")
    assert not is_dark()
    browser.colours("light")
    browser.run("document.querySelector('#theme').click()")
    assert is_dark()


def test_plots_are_drawn_from_figures_that_add_up(browser, served):
    figures = json.loads(served.get("/overview.json", days="7"))
    assert len(figures["days"]) == len(figures["told"]) == len(figures["latency"]) == 7
    assert sum(day["tokens"] for day in figures["told"]) >= sum(row["tokens"] for row in figures["sessions"]) > 0
    assert any(day and day["p95"] >= day["p50"] > 0 for day in figures["latency"])
    assert sum(counts[-1] for counts in figures["growth"].values()) == sum(
        1 for memory in served.box.run("list", "--json").json if memory["kind"] != "turn_summary"
    )
    browser.go(served.base + "/overview?days=7")
    browser.until("document.documentElement.dataset.plots === 'drawn'")
    assert browser.run("document.querySelectorAll('.plot canvas').length") == 5
    has_zero = "drawn.slice(1, 4).some(plot => plot.data.slice(1).some(row => row.includes(0)))"
    assert not browser.run(has_zero), "a day without anything has no bar"
    assert "backup" in browser.text(".state-list .jobs")


def test_files_are_edited_with_a_conflict_check(browser, served):
    browser.go(served.base + "/files?path=LONGMEMORY.md")
    assert "not there yet" in browser.text("nav.narrow")
    leaves = "dispatchEvent(new Event('beforeunload', {cancelable: true}))"
    assert browser.run(leaves)
    browser.type("#content", "What held for a year.\n")
    assert not browser.run(leaves)  # the browser asks first: what was typed is not saved
    browser.click("form .primary")
    assert (served.box.root / "LONGMEMORY.md").read_text("utf-8") == "What held for a year.\n"
    (served.box.root / "LONGMEMORY.md").write_text("Somebody else wrote this.\n", "utf-8")
    browser.type("#content", "Mine.\n")
    browser.click("form .primary")
    assert "The file changed while you were editing" in browser.text("[role=alert]")
    assert browser.run("document.querySelector('#content').value") == "Mine.\n"
    assert "Somebody else wrote this." in browser.text("section pre")
    browser.click("form .primary")
    assert (served.box.root / "LONGMEMORY.md").read_text("utf-8") == "Mine.\n"


@pytest.mark.seed("C9")
def test_the_gateway_knows_the_log_and_its_days_and_nothing_else(served):
    def rpc(method: str, **params: object) -> tuple[int, dict]:
        status, said = served.post("/rpc", json.dumps({"id": 7, "version": "2.0", "method": method, "params": params}))
        return status, json.loads(said)

    for day in ("2026-02-27", "2026-02-28"):
        status, said = rpc("memory.writeFile", path=f"memory/{day}.md", content=f"# {day}\n")
        assert (status, said["result"]["ok"], said["id"]) == (200, True, 7)
    status, said = rpc("memory.listLogs")
    names = [file["name"] for file in said["result"]["files"]]
    assert names == sorted(names, reverse=True)
    assert {"2026-02-27.md", "2026-02-28.md"} <= set(names)
    assert rpc("memory.getFile", path="memory/2026-02-28.md")[1]["result"] == {
        "path": "memory/2026-02-28.md",
        "content": "# 2026-02-28\n",
    }
    assert "The month was closed" in rpc("memory.getFile", path="MEMORY.md")[1]["result"]["content"]
    assert rpc("memory.getFile", path="memory/2026-01-01.md")[1]["result"]["content"] == ""  # no such day yet
    for path in ("USER.md", "LONGMEMORY.md", "memory/2026-02-30.md", "memory/../USER.md", "/etc/passwd", "memory.md",
                 "MEMORY.md\x00", "memory/2026-02-28.md/x", "../MEMORY.md", ""):  # fmt: skip
        for method in ("memory.getFile", "memory.writeFile"):
            status, said = rpc(method, path=path, content="x")
            assert (status, said["error"]["code"]) == (400, "BAD_REQUEST"), path
    assert rpc("memory.deleteFile", path="MEMORY.md")[0] == 400
    for body in ("no JSON", "[]", "[" * 100_000, '{"id": NaN, "method": "memory.listLogs"}'):
        assert served.post("/rpc", body)[0] == 400, body[:40]


def test_another_project_of_the_store_is_one_choice_away(browser, served, tmp_path):
    other = scene.folder(tmp_path / "ben", "wharf")
    other.home = served.box.home
    other.run("remember", "The wharf is made of oak")
    browser.go(served.base + "/?q=oak")
    links = "[...document.querySelectorAll('.projects li a')]"
    address = browser.run(f"{links}.find(link => /wharf/.test(link.textContent)).href")
    browser.go(address)
    assert "The wharf is made of oak" in browser.text()
    browser.click(".hit h3 a")
    browser.press("p", leads=True)
    assert "Pinned" in browser.text(".flash")
    assert other.run("list", "--json").json[0]["usage"]["pinned"]
    assert "No project has this address" in _error(browser, served.base + "/in/0000000000/")
    assert "There is no such screen: /in/" in _error(browser, f"{address.partition('?')[0]}nowhere")


def _error(browser, address: str) -> str:
    browser.go(address)
    return browser.text()


def test_a_memory_in_the_store_alone_is_promoted_to_a_file(browser, served):
    [uid] = served.box.bring(
        {"title": "Herons nest in April", "kind": "learned", "slug": "herons-nest", "tags": ["pending"],
         "confidence": 0.5, "channel": "claude-code:statement", "project": scene.project_of(served.box)}
    )  # fmt: skip
    browser.go(f"{served.base}/memory/{uid}")
    browser.click("form[action$='/promote'] button")
    assert "Written to a file" in browser.text(".flash")
    assert (served.box.vault / "learned" / "herons-nest.json").exists()
    private = served.remember("My phone number is 030 1234567", sensitivity="private")
    browser.go(f"{served.base}/memory/{private}")
    browser.click("form[action$='/promote'] button")
    assert "The memory is private" in browser.text()


def test_somebody_else_signs_in_with_a_token_and_reads_without_writing(browser, served):
    secret = served.box.run("serve", "token", "add", "ben", "--scope", "read", "--json").json["secret"]
    browser.send("Network.clearBrowserCookies")
    browser.go(served.base + "/login")
    browser.type("#token", secret)
    browser.click("button")
    assert "What would an agent be told?" in browser.text()
    browser.go(served.base + SCREENS["memory"])
    assert browser.run("document.querySelectorAll('main form').length") == 0
    browser.send("Network.clearBrowserCookies")


def test_screens_are_in_the_docs():
    folder = Path(__file__).parents[2] / "docs"
    page = (folder / "page.md").read_text("utf-8")
    for name in SCREENS:
        assert f"(page-{name}.png)" in page
        assert (folder / f"page-{name}.png").stat().st_size <= 80_000


@each(
    "says, title, expected",
    [
        ("Use pnpm\nUse pnpm.\nthe lockfile is pnpm's", "Use pnpm", "the lockfile is pnpm's"),
        ("Use pnpm.", "Use pnpm", ""),
        ("one\ntwo\none", "three", "one · two"),
        ("a\u202eb\nc", "", "ab · c"),
    ],
)
def test_a_gist_repeats_neither_the_title_nor_itself(says, title, expected):
    assert gist(says, title) == expected


def test_texts_of_several_lines_keep_the_space_between_words_on_one_line():
    assert line("assert 3 == 6\n1 failed") == "assert 3 == 6 1 failed"
    assert line("one\ttwo\u2028three") == "one two three"
    assert (
        first_error_line("Exit code 2\n\nrelation orders does not exist\nmake: 1") == "relation orders does not exist"
    )
    assert first_error_line("Exit code 2\n") == "Exit code 2"
    assert first_error_line("") == ""


@each(
    "matched, expected",
    [(["retry", "~pay"], "matches retry; similar to pay"), (["~pay"], "similar to pay"), ([], "by meaning")],
)
def test_a_hit_says_which_words_are_the_same_and_which_are_similar(matched, expected):
    assert matches(matched) == expected
