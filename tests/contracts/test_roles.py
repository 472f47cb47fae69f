"""Every engine has every role, and no role names an engine's types."""

import ast
import inspect
from pathlib import Path

import pytest
from engines import ROLES

from recollect.store import protocols
from recollect.store.protocols import Store

PROTOCOLS = Path(protocols.__file__).parent


def members(role: type) -> set[str]:
    """The methods and properties that a role declares, its bases included."""
    return {name for base in role.__mro__ for name in vars(base) if not name.startswith("_")}


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.__name__)
def test_an_engine_has_every_method_of_a_role_with_its_parameters(store: Store, role: type):
    offered = ROLES[role](store)
    assert members(role)
    for name in sorted(members(role)):
        declared = inspect.getattr_static(role, name)
        if inspect.isfunction(declared):
            asked = [parameter for parameter in inspect.signature(declared).parameters if parameter != "self"]
            assert list(inspect.signature(getattr(offered, name)).parameters) == asked, name
        else:
            assert getattr(offered, name) is not None, name


def test_every_role_is_listed():
    declared = {
        node.name
        for path in PROTOCOLS.glob("*.py")
        if path.name != "recall_source.py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    assert declared == {role.__name__ for role in ROLES}


def test_roles_and_values_import_no_engine():
    for path in (*PROTOCOLS.glob("*.py"), PROTOCOLS.parent / "values.py"):
        source = path.read_text("utf-8")
        assert "apsw" not in source, path.name
        assert "store.sqlite" not in source, path.name
