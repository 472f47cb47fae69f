"""Fixtures: a browser, and a server over a project with a month behind it; both live as long as the test process."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from client.person import fetch
from page import scene
from page.browser import DESKTOP, Browser
from page.served import Served

AXE = "axe-core@4.14.0", "node_modules/axe-core/axe.min.js"


@pytest.fixture(scope="session")
def one_browser() -> Iterator[Browser]:
    browser = Browser()
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A person's shop, served by `recollect open`."""
    box = scene.folder(tmp_path_factory.mktemp("ann"))
    scene.make(box, sessions=6)
    with Served.open(box) as server:
        yield server


@pytest.fixture
def browser(one_browser: Browser, served: Served) -> Browser:
    """The browser, signed in to the shop, as a person with a large light screen has it."""
    one_browser.size(*DESKTOP)
    one_browser.colours("light")
    served.sign_in(one_browser)
    one_browser.run("localStorage.clear()")
    return one_browser


@pytest.fixture(scope="session")
def axe() -> Path:
    return fetch(*AXE)
