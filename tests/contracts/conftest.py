"""A store of each engine, typed as the protocol."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from engines import ENGINES, Open

from recollect.store.protocols import Facts, Maintenance, SearchIndex, Sessions, Settings, Store


@pytest.fixture(params=sorted(ENGINES))
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Open the same database as often as wanted."""
    with contextlib.ExitStack() as stack:

        def make() -> Store:
            store = ENGINES[request.param](tmp_path)
            stack.callback(store.close)
            return store

        yield make


@pytest.fixture
def store(open_store: Open) -> Store:
    return open_store()


@pytest.fixture
def facts(store: Store) -> Facts:
    return store.facts


@pytest.fixture
def sessions(store: Store) -> Sessions:
    return store.sessions


@pytest.fixture
def index(store: Store) -> SearchIndex:
    return store.search_index


@pytest.fixture
def settings(store: Store) -> Settings:
    return store


@pytest.fixture
def upkeep(store: Store) -> Maintenance:
    return store
