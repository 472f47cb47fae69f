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
    assert caught == ["hooks/dispatch.py"]


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
    "hooks/spawn.py": "our own worker, and the desktop's notifier",
    "interop/launcher.py": "the agent that the user names",
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


# Modules that may open files for reading by themselves, and why. All others read through `foreign_files`.
READERS = {
    "foreign_files.py": "the one reader of files that somebody else may have put there",
    "pipeline/inbox_processor.py": "the mark of a killed worker, in our home",
    "formats/thesaurus.py": "a file of this package",
    "policy/statements/weights.py": "a file of this package",
    "hooks/guard/tool_guard.py": "the list of vaults, in our home; and a file that a tool has just written",
    "hooks/ledger.py": "a session's ledger, in our home",
    "hooks/triage.py": "flags; and a transcript, read backwards from its end",
    "interop/launcher.py": "process ids, in our home",
    "setup/doctor/inbox_checks.py": "hook.log, in our home",
    "setup/install/clients.py": "files of this package",
    "setup/install/hook_command.py": "the hook's command line, in our home",
    "pipeline/inbox_event.py": "events that wait, in our home",
    "setup/hook_settings.py": "the list of vaults, in our home",
    "jobs/word_vectors.py": "the model of the package that has the word vectors",
    "pipeline/session_tail.py": "the list of dropped events, in our home",
    "machine.py": "locks; /proc/mounts, which is the system's",
    "store/journal_mirror.py": "the journal's mirror, in our home",
    "store/sqlite/database.py": "the store's first bytes, in our home",
    "vault/files.py": "appends to a log, which looks at its last byte",
    "file_lock.py": "the worker's lock, in our home",
}
READING_CALLS = {
    "read_text", "read_bytes", "get_data", "fdopen", "memmap", "fromfile", "copy2", "copyfile", "copyfileobj",
}  # fmt: skip


def reads_a_file(node: ast.AST, tree: ast.Module) -> bool:
    """Whether a call opens a file to read it; one that is only written is not meant."""
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if ast.unparse(node.func) == "os.open":
        return "O_WRONLY" not in flags_of(node.args[1], tree)
    if ast.unparse(node.func) == "open" and any(
        isinstance(one, ast.FunctionDef) and one.name == "open" for one in tree.body
    ):
        return False  # the library's own `open`
    if name in ("open", "fdopen"):
        words = [
            part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)
        ]
        return not any(mode.startswith(("w", "a", "x")) and "+" not in mode for mode in words if len(mode) <= 3)
    return isinstance(node.func, ast.Attribute) and name in READING_CALLS


def flags_of(said: ast.expr, tree: ast.Module) -> str:
    """The flags of a call, or what is assigned to the name that stands for them."""
    values = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == ast.unparse(said)
    ]
    return " ".join(map(ast.unparse, [said, *values]))


def readers(source: str) -> list[str]:
    tree = ast.parse(source)
    return [f"line {node.lineno}: {ast.unparse(node)}" for node in ast.walk(tree) if reads_a_file(node, tree)]


def test_files_that_somebody_else_may_have_put_there_are_read_in_one_place():
    found = {path.relative_to(PACKAGE).as_posix(): readers(path.read_text("utf-8")) for path in MODULES}
    assert {name: calls for name, calls in found.items() if calls and name not in READERS} == {}
    assert sorted(name for name in READERS if not found[name]) == [], "these read nothing any more"


@pytest.mark.parametrize(
    "call",
    [
        "open(path)", "open(path, 'rb')", "open(path, mode='r+b')", "path.open()", "path.open('rb')",
        "path.read_text()", "path.read_bytes()", "io.open(path)", "os.open(path, os.O_RDONLY)", "os.open(path, flags)",
        "np.memmap(path)", "shutil.copy2(path, other)", "with_open(Path(path).open('r'))",
    ],
)  # fmt: skip
def test_a_call_that_reads_a_file_is_noticed(call):
    assert readers(f"def a():\n    {call}\n")


@pytest.mark.parametrize(
    "call", ["open(path, 'w')", "path.open('ab')", "os.open(path, os.O_WRONLY)", "path.write_text('')"]
)
def test_a_call_that_only_writes_a_file_is_not_meant(call):
    assert readers(f"def a():\n    {call}\n") == []
