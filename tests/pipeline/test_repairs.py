"""What is kept of failures, commits and sessions: few memories, each with a real symptom, a cause or a lasting word."""

import json

import pytest
from telling import LATER, PASSED, REFUSED, TEST, WHY, Telling, kept, only

GO = "go test ./..."
TOTAL = (
    "Exit code 1\n--- FAIL: TestTotal (0.0s)\n    cart_test.go:31: Total() = 3, want 4\nFAIL\texample.com/shop\t0.1s"
)
FIX = "fix: count the last line of the cart\n\nThe loop stopped before the last line because its bound was exclusive."


def files(box):
    """The files of memories in the vault."""
    return sorted(path.name for path in (box.root / ".claude" / "memory").rglob("*.json"))


def failure(box, error, session=LATER):
    """What a later session is told when a command fails."""
    said = {"session_id": session, "cwd": str(box.root), "hook_event_name": "PostToolUseFailure", "prompt_id": "p"}
    said |= {"tool_name": "Bash", "tool_input": {"command": TEST}, "tool_use_id": "t1", "error": error}
    out = box.run("hook", "claude-code", "PostToolUseFailure", stdin=json.dumps(said)).out
    return json.loads(out)["hookSpecificOutput"]["additionalContext"] if out.startswith("{") else ""


# -- repairs -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "error"),
    [
        (
            "mise run lint",
            "Exit code 1\n[lint] $ golangci-lint run\na.go:3:5: Error return value is not checked (errcheck)",
        ),
        ("npm run lint", "Exit code 1\nsrc/a.ts\n  3:7  error  'x' is never used  no-unused-vars\n1 problem"),
        ("ruff check .", "Exit code 1\nsrc/a.py:3:1: F401 `os` imported but unused"),
        ("go build ./...", "Exit code 1\ncart.go:3:5: not enough arguments in call to load"),
        ("npx tsc", "Exit code 2\nsrc/a.ts(3,5): error TS2554: Expected 2 arguments, but got 1."),
        ("git merge main", "Exit code 1\nCONFLICT (content): Merge conflict in a.go\nAutomatic merge failed"),
        ("git push", "Exit code 1\nerror: failed to push some refs to 'github.com:acme/shop.git'"),
        ("mise run test:ci", "Exit code 1\n[test:ci] ERROR task failed"),
    ],
)
def test_linters_slips_and_routine_refusals_are_not_filed(box, command, error):
    telling = Telling(box).asks("fix the cart").edits("cart.go", "a").fails(command, error).edits("cart.go", "b")
    telling.fails(command, error).edits("cart.go", "c").runs(command, "ok").answers("Done.").ends().drained()
    assert kept(box, "runbook", "discovery") == []


def test_an_assertion_that_only_its_test_was_adapted_to_is_not_filed(box):
    telling = Telling(box).asks("add a line").edits("cart.go", "a").fails(GO, TOTAL).edits("cart_test.go", "want 3")
    telling.runs(GO, "ok").answers("The test expected the old total, because a line was added.").ends().drained()
    assert kept(box, "runbook") == []


def test_an_assertion_with_a_cause_is_filed_with_its_test_and_without_the_log(box):
    telling = Telling(box).asks("the total is wrong").fails(GO, TOTAL).edits("cart.go", "i <= n").runs(GO, "ok")
    telling.answers("The problem was that the loop stopped before the last line.").ends().drained()
    runbook = only(box, "runbook")
    assert runbook["title"] == "TestTotal: Total() = 3, want 4"
    assert runbook["content"]["symptoms"] == ["TestTotal: Total() = 3, want 4"]
    assert "before the last line" in runbook["content"]["root_cause"]


def test_the_commit_of_a_repair_gives_it_its_title_and_its_cause(box):
    telling = Telling(box).asks("the total is wrong").fails(GO, TOTAL).edits("cart.go", "i <= n").runs(GO, "ok")
    telling.commits(FIX).answers("Committed.").ends().drained()
    runbook = only(box, "runbook")
    assert runbook["title"] == "Count the last line of the cart"
    assert "bound was exclusive" in runbook["content"]["root_cause"]
    assert kept(box, "bugfix") == []


def test_the_same_failing_test_by_a_task_and_by_itself_is_one_repair(box):
    shown = TOTAL.replace("Exit code 1\n", "Exit code 1\n[test:ci] $ go test -race ./...\n")
    telling = Telling(box).asks("the total is wrong").fails("mise run test:ci", shown).edits("cart.go", "i <= n")
    telling.runs("go test ./cart", "ok  \texample.com/shop/cart\t0.1s").answers(
        "The bound was wrong: it was not inclusive."
    )
    telling.ends().drained()
    assert "go test ./cart" in only(box, "runbook")["content"]["verification"]


def test_a_cause_that_is_given_in_a_later_turn_belongs_to_the_repair(box):
    telling = Telling(box).asks("start it").fails(TEST, REFUSED).edits("src/server.ts", "loadEnv()").runs(TEST, PASSED)
    telling.answers("Done.").asks("why did it fail?")
    telling.answers("The root cause was that src/server.ts did not call loadEnv.").ends().drained()
    assert "did not call loadEnv" in only(box, "runbook")["content"]["root_cause"]


# -- commits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        "Merge branch 'main' into cart",
        "Initial commit",
        "Address review feedback",
        "docs: say how to deploy",
        "chore: bump vite to 6",
        "Add a test for the empty cart",
        "Fix imports after rebase",
        "Remove unused helper",
        "fixup! add the cart",
    ],
)
def test_a_commit_that_nobody_asks_for_later_is_not_kept(box, message):
    Telling(box).asks("go on").edits("src/a.ts", "a").commits(message).answers("Committed.").ends().drained()
    assert kept(box) == []


def test_commits_of_one_piece_of_work_are_one_memory(box):
    telling = Telling(box).asks("go on").edits("src/a.ts", "a").commits("feat: add vouchers to the checkout page")
    telling.edits("src/b.ts", "b").commits("feat: show vouchers on the checkout page", "77aa001").answers(
        "Done."
    ).ends()
    telling.drained()
    assert "77aa001" in only(box, "feature")["content"]["text"]


# -- session summaries -------------------------------------------------------------------------------------------------


def test_a_captured_summary_is_short_and_has_no_file(box):
    telling = Telling(box).asks("Implement the following plan:\n\n# Plan: Vouchers in the cart\n\n- add them")
    for number in range(30):
        telling.edits(f"src/a-long-folder-name/with-a-long-file-name-{number}.ts", "a")
    telling.repairs().ends().drained()
    summary = only(box, "session_summary")
    assert summary["title"] == "Session: Vouchers in the cart"
    assert len(json.dumps(list(summary["content"].values()))) < 800
    assert sum(len(str(value)) for value in summary["content"].values()) <= 700
    assert summary["slug"] + ".json" not in files(box)
    box.run("keep", summary["uid"])
    assert summary["slug"] + ".json" in files(box)


def test_a_pending_capture_gets_its_file_when_it_is_kept(box):
    telling = Telling(box).asks("start it").fails(TEST, REFUSED).edits("src/server.ts", "loadEnv()")
    telling.runs(TEST, PASSED).answers("Done.").ends().drained()
    runbook = only(box, "runbook")
    assert "pending" in runbook["tags"]
    assert files(box) == []
    box.run("keep", runbook["uid"])
    assert files(box) == [f"{runbook['slug']}.json"]


# -- known errors ------------------------------------------------------------------------------------------------------


def test_a_known_error_is_answered_though_the_session_s_start_named_its_runbook(box):
    Telling(box).starts().repairs().ends().drained()
    start = {"session_id": LATER, "cwd": str(box.root), "hook_event_name": "SessionStart", "source": "startup"}
    box.run("hook", "claude-code", "SessionStart", stdin=json.dumps(start))
    assert WHY[:20] in failure(box, REFUSED)
    assert failure(box, REFUSED) == ""  # once is enough


@pytest.mark.parametrize(
    "error",
    ["Exit code 2\nls: cannot access 'src/server.ts': No such file or directory", "Exit code 1", "Exit code 1\nFAIL"],
)
def test_an_error_in_general_is_never_answered_with_another_error_s_runbook(box, error):
    Telling(box).starts().repairs().ends().drained()
    assert failure(box, error) == ""
