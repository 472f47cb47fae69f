"""Change the source in small ways, one at a time, and report the changes that no test notices.

    python scripts/mutation_sample.py --number 20 --seed 1

Each mutation is one of: a comparison turned round, `and`/`or` swapped, a `not` dropped, a constant changed, a statement
removed. The tests that belong to the mutated module run with a timeout; a mutation that they pass has survived.
The file is put back after each, also when the run is interrupted.
"""

import argparse
import ast
import copy
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "recollect"
FOLDERS = ("write", "store", "recall")
TIMEOUT_SECONDS = 300
# Which tests belong to a module: the first row whose folder or module fits.
TESTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("write/undo", ("tests/write", "tests/cli/test_memories.py")),
    ("write/journal_rebuild", ("tests/safety/test_disk.py", "tests/write", "tests/contracts")),
    ("write/vault_sync", ("tests/vault", "tests/safety/test_bad_input.py", "tests/write")),
    ("write/vault_files", ("tests/vault", "tests/write", "tests/seeds/test_b_write.py")),
    ("write/screening", ("tests/policy/secrets", "tests/seeds/test_b_write.py")),
    ("write/facts", ("tests/seeds/test_d_store.py",)),
    ("write", ("tests/write", "tests/seeds/test_b_write.py", "tests/seeds/test_d_store.py", "tests/vault")),
    ("store/foreign_databases", ("tests/contracts",)),
    ("store/sqlite/scrub", ("tests/safety/test_scrub.py",)),
    ("store/sqlite/migrations", ("tests/safety/test_migrations.py", "tests/contracts")),
    ("store/hook_reader", ("tests/recall", "tests/seeds/test_recall_profiles.py", "tests/seeds/test_hooks_injection.py",
                      "tests/hooks/test_hostile.py")),
    ("store", ("tests/contracts", "tests/seeds/test_d_store.py", "tests/write", "tests/safety/test_disk.py",
               "tests/recall")),
    ("recall", ("tests/recall", "tests/seeds/test_recall_profiles.py", "tests/seeds/test_recall_scales.py",
                "tests/seeds/test_hooks_injection.py")),
)  # fmt: skip
TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


class Mutation(NamedTuple):
    """A change of one module: where it is, what it was and became, and the whole source with it."""

    path: Path
    line: int
    before: str
    after: str
    source: str


def replacements(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that may stand in the place of a node."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in TURNED:
        changed = copy.deepcopy(node)
        changed.ops[0] = TURNED[type(node.ops[0])]()
        yield changed
    elif isinstance(node, ast.BoolOp):
        swapped = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield ast.BoolOp(swapped, copy.deepcopy(node.values))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield copy.deepcopy(node.operand)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield ast.Pass()


def places(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Every node that can be replaced, with what would stand there; types and what only they import are left out."""
    skipped: set[int] = set()
    for node in ast.walk(tree):
        annotations = [getattr(node, name, None) for name in ("annotation", "returns")]
        is_for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for part in (*filter(None, annotations), *([node] if is_for_types else [])):
            skipped |= {id(inner) for inner in ast.walk(part)}
    for node in ast.walk(tree):
        if id(node) not in skipped:
            for other in replacements(node):
                yield node, other


def mutations(path: Path) -> Iterator[Mutation]:
    """Each mutation of a module, with the source lines that it touches rewritten and all others as they are."""
    source = path.read_text("utf-8")
    for node, other in places(ast.parse(source)):
        if not isinstance(node, ast.expr | ast.stmt):
            continue
        lines = source.encode().splitlines(keepends=True)
        start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
        end = sum(map(len, lines[: (node.end_lineno or node.lineno) - 1])) + (node.end_col_offset or 0)
        before, after = ast.unparse(node), ast.unparse(ast.fix_missing_locations(other))
        said = f"({after})" if isinstance(other, ast.expr) and not isinstance(other, ast.Constant) else after
        changed = source.encode()[:start] + said.encode() + source.encode()[end:]
        yield Mutation(path, node.lineno, before, after, changed.decode())


def compiles(mutation: Mutation) -> bool:
    """Whether the change is Python: a part of an f-string, whose place is not exact, may be none."""
    try:
        compile(mutation.source, str(mutation.path), "exec")
    except SyntaxError:
        return False
    return True


def tests_of(path: Path) -> tuple[str, ...]:
    """The tests that belong to a module."""
    name = path.relative_to(PACKAGE).as_posix()
    return next(tests for prefix, tests in TESTS if name.startswith(prefix))


def survives(mutation: Mutation) -> bool:
    """Whether the tests pass with the mutation in place; one that takes too long is noticed."""
    before = mutation.path.read_bytes()
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests_of(mutation.path)]
    with tempfile.TemporaryDirectory() as home:
        mutation.path.write_text(mutation.source, "utf-8")
        try:
            env = {**os.environ, "HOME": home}
            done = subprocess.run(command, cwd=ROOT, env=env, timeout=TIMEOUT_SECONDS, capture_output=True, check=False)
        except subprocess.TimeoutExpired:
            return False
        finally:
            mutation.path.write_bytes(before)
    return done.returncode == 0


def main() -> None:
    """Try a sample and print the survivors and the share of mutations that were noticed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=20)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--folder", action="append", help="below src/recollect; default: write, store, recall")
    asked = parser.parse_args()
    modules = sorted(path for folder in asked.folder or FOLDERS for path in (PACKAGE / folder).rglob("*.py"))
    found = [mutation for path in modules for mutation in mutations(path)]
    chance = random.Random(asked.seed)  # noqa: S311
    chance.shuffle(found)
    survivors = tried = 0
    for mutation in filter(compiles, found):
        if tried == asked.number:
            break
        tried += 1
        is_alive = survives(mutation)
        survivors += is_alive
        where = f"{mutation.path.relative_to(ROOT)}:{mutation.line}"
        print(
            f"{'SURVIVED' if is_alive else 'noticed '} {where}: {mutation.before!r} -> {mutation.after!r}", flush=True
        )
    print(f"{tried - survivors} of {tried} mutations were noticed ({100 * (tried - survivors) / max(tried, 1):.0f} %)")


if __name__ == "__main__":
    main()
