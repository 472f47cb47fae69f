"""What the house promises about itself: small rooms, no broad excepts, no hidden imports, no clocks in policy."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "recollect"
MODULES = sorted(PACKAGE.rglob("*.py"))


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def functions(path: Path) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_module_is_at_most_500_lines_and_its_functions_80(path):
    assert len(path.read_text("utf-8").splitlines()) <= 500
    assert [one.name for one in functions(path) if one.end_lineno - one.lineno >= 80] == []


def test_one_place_catches_everything_and_hooks_and_workers_share_it():
    caught = [
        path.relative_to(PACKAGE).as_posix()
        for path in MODULES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ExceptHandler) and (node.type is None or ast.unparse(node.type) == "Exception")
    ]
    assert caught == ["hot/dispatch.py"]


def test_no_import_hides_inside_a_function():
    hidden = [
        f"{path.name}:{inner.lineno}"
        for path in MODULES
        for one in functions(path)
        for inner in ast.walk(one)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    ]
    assert hidden == []


@pytest.mark.parametrize("room", ["policy", "formats", "model"])
def test_policy_formats_and_model_touch_neither_files_nor_environment_nor_clock(room):
    banned = {"os", "pathlib", "subprocess", "time", "sqlite3", "apsw", "platformdirs"}
    found = set()
    for path in (PACKAGE / room).rglob("*.py"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names} & banned
            if isinstance(node, ast.ImportFrom) and node.module:
                found |= {node.module.split(".")[0]} & banned
    assert found == set()


def test_every_public_function_says_what_it_does():
    silent = [
        f"{path.relative_to(PACKAGE)}:{one.name}"
        for path in MODULES
        if path.name != "base.py"
        for scope in ast.walk(tree(path))
        if isinstance(scope, ast.Module) or (isinstance(scope, ast.ClassDef) and not scope.name.startswith("_"))
        for one in scope.body
        if isinstance(one, ast.FunctionDef) and not one.name.startswith("_") and not ast.get_docstring(one)
    ]
    assert silent == []


STARTS_PROCESSES = {
    "project/git.py": "git, with everything that could execute or connect switched off",
    "hot/spawn.py": "our own worker, and the desktop's notifier",
    "launcher.py": "the agent that the user names",
}
WAYS_TO_START = {
    "subprocess", "multiprocessing", "pty", "posix_spawn", "posix_spawnp", "system", "popen", "fork", "forkpty",
    "execv", "execve", "execvp", "execvpe", "execl", "execle", "execlp", "spawnv", "spawnve", "spawnl", "startfile",
}  # fmt: skip


def test_only_the_modules_that_are_listed_can_start_a_process():
    found = set()
    for path in MODULES:
        for node in ast.walk(tree(path)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            is_of_os = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os"
            names += [node.attr] if is_of_os else []
            if {name.partition(".")[0] for name in names} & WAYS_TO_START:
                found.add(path.relative_to(PACKAGE).as_posix())
    assert found == set(STARTS_PROCESSES)


def test_git_is_named_as_a_program_in_one_function():
    callers = [
        f"{path.relative_to(PACKAGE).as_posix()}:{function.name}"
        for path in MODULES
        if path.relative_to(PACKAGE).as_posix() in STARTS_PROCESSES
        for function in functions(path)
        if any(isinstance(node, ast.Constant) and node.value == "git" for node in ast.walk(function))
    ]
    assert callers == ["project/git.py:_start"]
