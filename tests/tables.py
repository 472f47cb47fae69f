"""Tables of small cases that are one test: `parametrize` costs more than most of them, for each has to be scheduled."""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

PARAM = type(pytest.param())


def each(names: str | Sequence[str], cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with every row of a table, all of them though one fails; a failure names its row.

    `names` and `cases` are as `pytest.mark.parametrize` has them. Fixtures are made once, so that a test that changes
    them is not for this.
    """
    listed = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    plain = [case.values if isinstance(case, PARAM) else case if len(listed) > 1 else (case,) for case in cases]
    rows = [dict(zip(listed, values, strict=True)) for values in plain]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def with_every_row(**fixtures: Any) -> None:
            failures = []
            for row in rows:
                try:
                    test(**fixtures, **row)
                except Exception as problem:  # noqa: BLE001 - whatever goes wrong, the row is named
                    problem.add_note(f"with {row!r}")
                    failures.append(problem)
            if len(failures) == 1:
                raise failures[0]
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(rows)} rows", failures)

        signature = inspect.signature(test)
        kept = [value for name, value in signature.parameters.items() if name not in listed]
        vars(with_every_row)["__signature__"] = signature.replace(parameters=kept)
        return with_every_row

    return decorate
