"""What the house promises about itself: small rooms, no broad excepts, no hidden imports, no clocks in policy."""

import ast
import importlib.util
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from tables import each

from recollect.faces.cli.main import COMMANDS
from recollect.hooks import wiring
from recollect.lazy import load_handler
from recollect.recall import search

PACKAGE = Path(__file__).parent.parent / "src" / "recollect"
MODULES = sorted(PACKAGE.rglob("*.py"))


MOST_MODULES = 15
MOST_LINES, MOST_SIGNS, LONGEST_FUNCTION = 500, 200, 50


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(tree(path)))


@cache
def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in nodes(path) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


# -- sizes -------------------------------------------------------------------------------------------------------------


def test_no_folder_has_more_than_fifteen_modules_beside_each_other():
    folders = {path.parent for path in MODULES}
    numbers = {name_of(folder): len([*folder.glob("*.py")]) - (folder / "__init__.py").exists() for folder in folders}
    assert {folder: number for folder, number in numbers.items() if number > MOST_MODULES} == {}


def test_a_module_is_at_most_500_lines():
    lengths = {name_of(path): len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}


def test_a_line_is_at_most_200_signs():
    longest = {name_of(path): max(map(len, path.read_text("utf-8").splitlines()), default=0) for path in MODULES}
    assert {name for name, length in longest.items() if length > MOST_SIGNS} == set()


def test_a_function_is_at_most_50_lines():
    long = [
        f"{name_of(path)}:{function.name} has {length} lines"
        for path in MODULES
        for function in functions(path)
        if (length := (function.end_lineno or 0) - function.lineno + 1) > LONGEST_FUNCTION
    ]
    assert long == []


# -- where SQL is ------------------------------------------------------------------------------------------------------

SQL = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|REPLACE|PRAGMA|CREATE)\s")


def strings(path: Path) -> list[ast.Constant]:
    """The strings of a module, but for its docstrings."""
    told = {id(node.value) for node in nodes(path) if isinstance(node, ast.Expr)}
    found = [node for node in nodes(path) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [node for node in found if id(node) not in told]


@cache
def imported(path: Path) -> set[str]:
    """The full names of the modules that a module imports by name."""
    found = {alias.name for node in nodes(path) if isinstance(node, ast.Import) for alias in node.names}
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


WITH_SQL = ("store/sqlite/", "store/hook_reader/", "store/foreign_databases/")


def test_apsw_and_sql_are_in_three_folders_of_the_store_alone():
    outside = [path for path in MODULES if not name_of(path).startswith(WITH_SQL)]
    with_sql = {name_of(path) for path in outside if any(SQL.match(node.value) for node in strings(path))}
    with_apsw = {name_of(path) for path in outside if any(name.split(".")[0] == "apsw" for name in imported(path))}
    assert with_sql | with_apsw == set()


# -- what is loaded by its name ----------------------------------------------------------------------------------------


@cache
def layers() -> dict[str, int]:
    """The place of each top package in the contract, 0 at the bottom."""
    contracts = tomllib.loads((PACKAGE.parents[1] / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    [listed] = [contract["layers"] for contract in contracts["contracts"] if contract["type"] == "layers"]
    return {name.strip(): place for place, row in enumerate(reversed(listed)) for name in row.split("|")}


def top_package(module: str) -> str:
    return ".".join(module.split(".")[:2])


def may_use(user: str, used: str) -> bool:
    """Whether a package may use a module: its own, or one of a lower layer."""
    own, other = top_package(user), top_package(used)
    return own == other or layers()[own] > layers()[other]


@cache
def loads() -> set[tuple[str, str]]:
    """Each module of ours, with the modules of ours that it loads by a name in a string."""
    found = set()
    for path in MODULES:
        name = "recollect." + name_of(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        calls = [node for node in nodes(path) if isinstance(node, ast.Call)]
        for call in calls:
            is_load = isinstance(call.func, ast.Name) and call.func.id == "load" and call.args
            if is_load and isinstance(call.args[0], ast.Constant):
                of_cli = "recollect.faces.cli.main.load" in imported(path)
                found.add((name, f"recollect.faces.cli.{call.args[0].value}" if of_cli else call.args[0].value))
    return {(module, loaded) for module, loaded in found if loaded.split(".")[0] == "recollect"}


def test_every_module_that_is_loaded_by_its_name_exists_and_is_below_its_user():
    assert len(loads()) > 20
    assert [loaded for _, loaded in loads() if importlib.util.find_spec(loaded) is None] == []
    assert {pair for pair in loads() if not may_use(*pair)} == set()


def test_every_profile_of_recall_and_every_command_is_a_module_of_its_own_layer():
    profiles = {("recollect.recall.search", module) for module in search.MODULES.values()}
    commands = {("recollect.faces.cli.main", f"recollect.faces.cli.{module}") for module in COMMANDS.values()}
    for user, module in profiles | commands:
        assert importlib.util.find_spec(module), module
        assert may_use(user, module), module


def test_every_handler_of_the_wiring_table_is_a_function_of_the_layer_that_runs_it():
    rooms = {wiring.HOOK: "recollect.hooks", wiring.WORKER: "recollect.pipeline"}
    for binding in wiring.BINDINGS:
        assert callable(load_handler(binding.handler)), binding.handler
        assert may_use(rooms[binding.where], f"recollect.{binding.handler}"), binding.handler


# -- what may be done where --------------------------------------------------------------------------------------------


def test_one_place_catches_everything_and_hooks_and_workers_share_it():
    caught = [
        path.relative_to(PACKAGE).as_posix()
        for path in MODULES
        for node in nodes(path)
        if isinstance(node, ast.ExceptHandler) and (node.type is None or ast.unparse(node.type) == "Exception")
    ]
    assert caught == ["failsafe.py"]


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
        for node in nodes(path):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names} & banned
            if isinstance(node, ast.ImportFrom) and node.module:
                found |= {node.module.split(".")[0]} & banned
    assert found == set()


def test_every_public_function_says_what_it_does():
    silent = [
        f"{path.relative_to(PACKAGE)}:{one.name}"
        for path in MODULES
        if path.name != "protocols.py"
        for scope in nodes(path)
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
        for node in nodes(path):
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
    "faces/mcp/server.py": "opens a project, no file",
    "faces/mcp/stdio.py": "the null device, in place of standard input",
    "evaluation/playground.py": "hook.log, in a throw-away home",
    "foreign_files.py": "the one reader of files that somebody else may have put there",
    "faces/page/rendering.py": "files of this package",
    "pipeline/inbox_processor.py": "the mark of a killed worker, in our home",
    "formats/thesaurus.py": "a file of this package",
    "policy/encoder/encoder.py": "a file of this package",
    "jobs/word_meanings.py": "a file of this package",
    "jobs/encoder_answers.py": "the encoder's answers, in our home",
    "hooks/guard/tool_guard.py": "the list of vaults, in our home; and a file that a tool has just written",
    "hooks/deadline.py": "the deadlines, in our home",
    "hooks/ledger.py": "a session's ledger, in our home",
    "hooks/injection/rule_file.py": "the compiled rules, in our home",
    "hooks/injection/tool_rules.py": "the compiled rules, in our home",
    "hooks/triage.py": "flags; and a transcript, read backwards from its end",
    "interop/launcher.py": "process ids, in our home",
    "setup/doctor/inbox_checks.py": "hook.log, in our home",
    "setup/install/clients.py": "files of this package",
    "setup/hook_command.py": "the hook's command line, in our home",
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


@each(
    "call",
    [
        "open(path)", "open(path, 'rb')", "open(path, mode='r+b')", "path.open()", "path.open('rb')",
        "path.read_text()", "path.read_bytes()", "io.open(path)", "os.open(path, os.O_RDONLY)", "os.open(path, flags)",
        "np.memmap(path)", "shutil.copy2(path, other)", "with_open(Path(path).open('r'))",
    ],
)  # fmt: skip
def test_a_call_that_reads_a_file_is_noticed(call):
    assert readers(f"def a():\n    {call}\n")


@each("call", ["open(path, 'w')", "path.open('ab')", "os.open(path, os.O_WRONLY)", "path.write_text('')"])
def test_a_call_that_only_writes_a_file_is_not_meant(call):
    assert readers(f"def a():\n    {call}\n") == []
