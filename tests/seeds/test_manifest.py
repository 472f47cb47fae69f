"""Promises and tests name each other, in both directions."""

import ast
import importlib.util
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent.parent
LAST = {"A": 46, "B": 56, "C": 25, "D": 49}


def load_promises():
    spec = importlib.util.spec_from_file_location("manifest", Path(__file__).with_name("manifest.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.PROMISES


def marks() -> Iterator[tuple[str, str]]:
    """Every (behaviour, test) pair that the suite marks."""
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.seed":
                        yield from ((ast.literal_eval(argument), f"{path.name}::{node.name}") for argument in mark.args)


def test_every_behaviour_of_the_seeds_is_listed_once():
    listed = [promise.id for promise in load_promises()]
    assert len(listed) == len(set(listed))
    assert set(listed) == {f"{letter}{number}" for letter, last in LAST.items() for number in range(1, last + 1)}


def test_every_promise_that_does_not_wait_has_a_test():
    tested = {behaviour for behaviour, _ in marks()}
    assert [promise.id for promise in load_promises() if not promise.waits and promise.id not in tested] == []


def test_every_mark_names_a_promise_that_is_kept():
    kept = {promise.id for promise in load_promises() if not promise.waits}
    assert [pair for pair in marks() if pair[0] not in kept] == []
