"""Task runners are seen through to what they ran; commits of other repositories are none of this project's."""

from tables import each

from recollect.policy.shell import commands, commits
from recollect.policy.shell.generic_errors import is_generic


@each(
    "command, printed, inner",
    [
        ("mise run test:ci 2>&1", "[test:ci] $ go test -race ./...\nok", "go test ./cart"),
        ("npm test", "> shop@1.0.0 test\n> jest --ci\nPASS", "npx jest cart"),
        ("just test", "$ cargo test\nok", "cargo test"),
        ("make test", "$ pytest -q\n1 passed", "pytest tests/test_cart.py"),
    ],
)
def test_a_task_and_the_command_that_it_ran_are_the_same_thing(command, printed, inner):
    acts = commands.read(command)
    assert commands.is_same((*acts, *commands.ran_inside(acts, printed)), commands.read(inner))


@each(
    "one, other",
    [("mise run lint", "mise run test:ci"), ("just build", "just test"), ("task lint", "task test")],
)
def test_two_tasks_of_the_same_runner_are_two_things(one, other):
    assert not commands.is_same(commands.read(one), commands.read(other))


def test_a_run_without_the_build_tag_does_not_show_that_the_tagged_tests_pass():
    failed, later = "go test -tags=integration ./...", "go test ./..."
    assert not commands.is_same(commands.read(failed), commands.read(later))
    assert commands.is_same(commands.read(later), commands.read(failed))


@each("command", ["mise run lint", "just fmt", "npm run lint", "make format", "golangci-lint run"])
def test_a_task_that_is_named_after_a_linter_checks_style(command):
    assert all(map(commands.is_style, commands.read(command)))


@each(
    "command",
    [
        'cd "$(mktemp -d)" && git init && git commit -m "Initial commit"',
        'cd /tmp/try && git add . && git commit -m "x"',
        'git -C ../other commit -m "x"',
        'cd ~/src/other && git commit -m "x"',
        'git clone https://example.com/a.git && cd a && git commit -m "x"',
    ],
)
def test_a_commit_in_another_repository_is_none_of_this_project(command):
    assert commits.commit(command, "[main 1a2b3c4] x") is None


@each(
    "command",
    ['cd . && git commit -m "Add a cart"', 'git -C . commit -m "Add a cart"', 'cd web && git commit -m "Add a cart"'],
)
def test_a_commit_below_the_project_s_root_is_its_own(command):
    made = commits.commit(command, "[main 1a2b3c4] Add a cart")
    assert made is not None
    assert made.title == "Add a cart"


def test_a_commit_s_body_has_no_trailers():
    made = commits.Commit("Fix it\n\nThe port was taken.\n\nCo-Authored-By: A <a@example.com>")
    assert made.body == "The port was taken."


@each(
    "title",
    ["Merge branch 'main' into cart", "Merge remote-tracking branch 'origin/main'", "Merge origin/main into cart"],
)
def test_a_merge_is_known_by_its_title(title):
    assert commits.Commit(title).is_merge


@each(
    "signature",
    [
        "ls: cannot access 'x': No such file or directory",
        "No such file or directory",
        "exit status #",
        "Permission denied",
        "FAIL",
        "Error: timed out",
        "AssertionError: assert # == #",
    ],
)
def test_an_error_without_a_subject_is_no_error_in_particular(signature):
    assert is_generic(signature)


@each(
    "signature",
    ["Error: connect ECONNREFUSED #:#", "test_total: assert # == #", "ExpiredSignatureError: Signature has expired"],
)
def test_an_error_with_a_subject_is_known_again(signature):
    assert not is_generic(signature)
