"""Most of what is kept safe here is kept in any folder."""

import pytest


@pytest.fixture
def has_git() -> bool:
    """Little here is about git; a test that is says so: `@IN_GIT`."""
    return False
