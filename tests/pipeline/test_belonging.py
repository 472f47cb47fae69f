"""What belongs together becomes one memory, and what is forgotten the next minute becomes none."""

import pytest
from telling import PASSED, PNPM, REFUSED, TEST, WHY, Telling, kept, only, says

COMPILE, UNRESOLVED = "mcp__unity__refresh_and_compile", "error CS0234: The type or namespace name 'Common' is missing"
TIDY = "Thanks so much!"


def kinds(box):
    return sorted(one["kind"] for one in kept(box))


# -- repairs -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("failed", "passed"),
    [
        ("npm test", "xvfb-run -a npm test"),
        ("go test ./pkg/...", 'KUBEBUILDER_ASSETS="$PWD/bin" go test ./pkg/...'),
        ("pnpm exec vsce package", "pnpm exec vsce package --no-dependencies"),
        ("pnpm --filter web test", "pnpm turbo run test --filter=web"),
        ("pytest tests", "uv run pytest tests"),
    ],
)
def test_a_command_that_is_run_in_another_way_is_its_own_fix(box, failed, passed):
    telling = Telling(box).asks("run it").fails(failed, REFUSED).runs(passed, "ok").answers("It works that way.")
    telling.drained()
    assert only(box, "runbook")["content"]["steps"] == [f"Run `{passed}`"]


@pytest.mark.parametrize("again", ["pytest -q tests", "pytest tests --tb=short", "time pytest tests 2>&1 | tail -3"])
def test_a_command_that_only_shows_something_else_is_no_fix(box, again):
    Telling(box).asks("run it").fails("pytest tests", REFUSED).runs(again, "4 passed").answers("ok").ends().drained()
    assert kept(box) == []


def test_a_test_that_passed_once_by_itself_and_was_then_repaired_is_a_runbook(box):
    telling = Telling(box).asks("this one is flaky").fails(TEST, REFUSED).runs(TEST, PASSED)
    telling.edits("src/server.ts", "await ready()").runs(TEST, PASSED).answers(WHY).drained()
    assert only(box, "runbook")["content"]["steps"] == ["Edit src/server.ts: await ready()"]


def test_a_tool_that_is_no_shell_can_fail_and_pass_too(box):
    telling = Telling(box).asks("compile it").tool(COMPILE, {"wait": True}, f"failed\nA.cs(2,1): {UNRESOLVED}")
    telling.edits("Gameplay.asmdef", '"references": ["Common"]').tool(COMPILE, {"wait": True}, "compile: ok")
    telling.answers("Gameplay.asmdef had no reference to Common, so the namespace was missing.").drained()
    assert "CS0234" in only(box, "runbook")["content"]["trigger"]


def test_what_another_tool_prints_is_not_kept_unless_it_failed(box):
    private = "the customer is called Walrus Ltd"
    Telling(box).asks("who is it?").tool("mcp__crm__run_report", {}, private).answers("Somebody.").ends().drained()
    store = b"".join(path.read_bytes() for path in box.home.glob("memory.db*"))
    assert private.encode() not in store


@pytest.mark.parametrize("tool", ["mcp__crm__read_message", "mcp__crm__get_run"])
def test_what_is_only_read_through_another_tool_is_not_kept_though_it_sounds_like_a_failure(box, tool):
    mail = "Error: the customer Walrus Ltd says that 3 tests failed"
    Telling(box).asks("what do they write?").tool(tool, {}, mail).answers("They complain.").ends().drained()
    store = b"".join(path.read_bytes() for path in box.home.glob("memory.db*"))
    assert b"Walrus" not in store


def test_failures_that_one_repair_took_away_are_one_runbook(box):
    telling = Telling(box).asks("fix the export").fails("dotnet run --project Web", "Unhandled exception: no scope")
    telling.fails("dotnet test Tests", "System.InvalidOperationException: A second operation was started")
    telling.edits("Worker.cs", "using var scope = factory.CreateScope()").runs("dotnet run --project Web", "up")
    telling.runs("dotnet test Tests", "Passed!").answers("The worker shared one scope.").drained()
    assert {"no scope" in says(only(box)), "second operation" in says(only(box))} == {True}


def test_a_report_and_the_log_of_it_are_one_failure(box):
    log = "release\tCreate release\t2026-06-24T07:12:20.04Z ##[error]Resource not accessible by integration"
    telling = Telling(box).asks("release failed:\nError: HttpError: Resource not accessible by integration\nrun 99")
    telling.runs("gh run view 99 --log-failed", log).edits(".github/workflows/release.yml", "contents: write")
    telling.answers("The job's token could only read, because permissions were not set.").ends().drained()
    assert kinds(box) == ["runbook"]


def test_what_was_never_tried_again_is_not_told_as_unsolved(box):
    telling = Telling(box).asks("evaluate it").fails("python eval.py", "torch.OutOfMemoryError: CUDA out of memory")
    telling.edits("notes.md", "later").answers("There is no room on the card.").ends().drained()
    assert not [one for one in kept(box) if one["title"].startswith("Not solved")]


# -- what is forgotten the next minute ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("pytest -q", "E   NameError: name 'insert' is not defined\n1 failed"),
        ("npx tsc --noEmit", "src/a.py(3,1): error TS2304: Cannot find name 'groupFindings'."),
        ("go test ./...", "a.go:3:1: unknown field Payer in struct literal of type Line\nFAIL\tshop [build failed]"),
        ("pytest -q", "E   AssertionError: assert 3 == 4\n1 failed"),
        ("cargo clippy -- -D warnings", "error: this loop could be written as a `for` loop"),
        ("ruff check .", "src/a.py:1:8: F401 `os` imported but unused\nFound 1 error."),
    ],
)
def test_a_slip_in_what_is_being_written_is_not_filed(box, command, error):
    telling = Telling(box).asks("add it").writes("src/a.py", "insert()").fails(command, f"Exit code 1\n{error}")
    telling.edits("src/a.py", "from db import insert").runs(command, "ok").answers("Added.").ends().drained()
    assert kept(box) == []


def test_a_slip_that_is_worth_an_explanation_is_filed(box):
    telling = (
        Telling(box).asks("add it").writes("src/a.py", "x").fails("pytest -q", "E   AssertionError: assert 3 == 4")
    )
    telling.edits("src/a.py", "y").runs("pytest -q", "1 passed")
    telling.answers("The test failed because the rounding mode of the ledger is half-even, not half-up.").drained()
    assert "half-even" in says(only(box, "runbook"))


def test_a_slip_is_not_explained_by_what_is_said_of_something_else(box):
    telling = (
        Telling(box).asks("convert it").writes("src/a.py", "ROME").fails("pytest -q", "E   NameError: name 'ROME'")
    )
    telling.edits("src/a.py", "from zones import ROME").runs("pytest -q", "1 passed")
    telling.answers("The loader converts local time, because firmware 3.8 sends no offset.").ends().drained()
    assert kept(box, "runbook") == []


@pytest.mark.parametrize("message", ["wip residuals", "WIP", "fixup! add a cart", "tmp"])
def test_a_commit_that_only_puts_work_away_is_not_filed(box, message):
    Telling(box).asks("commit").commits(message).answers("Committed.").ends().drained()
    assert kept(box) == []


def test_a_push_that_came_too_late_is_not_filed(box):
    rejected = " ! [rejected] main -> main (fetch first)\nerror: failed to push some refs to 'origin'"
    telling = (
        Telling(box).asks("push").fails("git push", rejected).runs("git pull --rebase && git push", "main -> main")
    )
    telling.answers("Pushed.").ends().drained()
    assert kept(box) == []


@pytest.mark.parametrize(
    "task",
    [
        "PLAT-2291: bump rules_go 0.46 -> 0.50.1 and gazelle to match",
        "The import has to skip empty rows and tell how many there were. Look at it please",
    ],
)
def test_what_a_session_begins_with_is_a_task_unless_it_is_plain_that_it_is_more(box, task):
    Telling(box).asks(task).answers("Done.").ends().drained()
    assert kept(box) == []
    Telling(box, "another-session").asks(f"{PNPM} Then fix the login.").answers("Done.").ends().drained()
    assert kinds(box) == ["preference"]


# -- what is said ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        "no, use pnpm",
        "don't touch generated files",
        "always run the linter before committing",
        "prefer composition over inheritance",
        "remember that deployments only happen on tuesdays",
        "from now on write the tests first",
        "never push to main",
        "we decided to use Postgres",
    ],
)
@pytest.mark.parametrize("before", ["add dayjs", None])
def test_what_is_said_in_plain_words_is_kept_wherever_it_is_said(box, said, before):
    telling = Telling(box)
    telling = telling.asks(before).answers("Added with npm.") if before else telling
    telling.asks(said).answers("Ok.").ends().drained()
    (one,) = kept(box)
    rules = ("preference", "constraint", *(("discovery",) if said.startswith("remember") else ()))
    assert one["kind"] == "decision" if "decided" in said else one["kind"] in rules
    assert one["origin"] == "user"
    assert said.removeprefix("no, ").removeprefix("remember that ") in says(one)


def test_only_the_sentence_is_kept_with_a_reason_that_a_causal_word_links_and_neither_thanks_nor_tasks(box):
    rule = "By the way: never put select_related in a default manager. Otherwise the nightly export explodes."
    Telling(box).asks("hm").answers("Yes?").asks(f"{TIDY} {rule} It joins route. Add the prefetch now.").answers(
        "Ok."
    ).drained()
    wish = only(box)
    assert wish["content"]["value"] == "never put select_related in a default manager."
    assert wish["content"]["reason"] == "the nightly export explodes"
    assert wish["title"] == "Never put select_related in a default manager"


def test_a_title_does_not_lose_the_no_that_it_begins_with(box):
    Telling(box).asks("commit").commits("feat: no replicas when autoscaling owns them").answers("Ok.").drained()
    assert only(box)["title"].startswith("No replicas")


def test_what_the_user_replies_to_an_agents_finding_takes_its_place_in_the_users_words(box):
    found = "The API caps the page size at 100, larger values are ignored silently, so the export needs pages."
    reply = "Our contract with the vendor only allows a page size of 100 for the export, we can't raise it."
    Telling(box).asks("why is the export short?").answers(found).asks(reply).answers("Ok.").ends().drained()
    one = only(box, "constraint")
    assert (one["origin"], "contract" in says(one), "ignored silently" in says(one)) == ("user", True, False)
    assert kinds(box) == ["constraint"]


def test_what_an_agent_says_more_of_a_repair_later_belongs_to_it(box):
    telling = Telling(box).repairs().asks("why did that happen at all?")
    telling.answers("PORT was read before the .env file had been loaded, so the server listened on 0 and refused.")
    telling.ends().drained()
    assert kinds(box) == ["runbook"]


@pytest.mark.parametrize(
    "said",
    [
        "don't commit yet",
        "don't touch anything, just tell me what you'd change",
        "never mind",
        "always returns null, see the log",
        "do we always use pnpm here?",
        "don't push the tag now",
    ],
)
def test_what_only_holds_for_this_once_is_not_kept(box, said):
    Telling(box).asks("add dayjs").answers("Added.").asks(said).answers("Ok.").ends().drained()
    assert kept(box) == []


# -- what is changed ---------------------------------------------------------------------------------------------------


def test_a_change_that_carries_out_a_choice_belongs_to_it_with_what_was_changed_before(box):
    telling = Telling(box).asks("raise the timeout").edits("config/app.yml", "timeout: 60s").answers("Done.")
    telling.asks("Scratch that, we go with 25s and three attempts, because the mesh kills requests at 29s.")
    telling.edits("config/app.yml", "timeout: 25s\nattempts: 3").answers("Done.").ends().drained()
    (one,) = kept(box)
    assert "three attempts" in says(one)
    assert len([key for key in one["derived_from"] if "/" in key]) >= 3


def test_a_configuration_edited_by_sed_is_a_change(box):
    Telling(box).asks("pin it").runs("sed -i 's/3.0/3.2/' pyproject.toml").answers("Pinned.").ends().drained()
    assert "pyproject.toml" in says(only(box, "change"))


def test_a_commit_belongs_to_the_repair_that_it_is_a_step_of(box):
    telling = Telling(box).asks("argo flaps").fails("argocd app wait web", "FATA: timed out: replicas 2 differ from 3")
    telling.edits("charts/web/values.yaml", "replicas: null").commits("fix: no replicas when autoscaling owns them")
    telling.runs("argocd app wait web", "Healthy").answers("The autoscaler owned the replicas.").ends().drained()
    assert kinds(box) == ["runbook"]


def test_a_commit_about_something_else_is_a_memory_of_its_own(box):
    telling = Telling(box).asks("build the export").repairs().commits("feat: nightly export of settled claims")
    telling.answers("Committed.").ends().drained()
    assert kinds(box) == ["feature", "runbook"]


def test_what_was_filed_twice_becomes_one_when_it_turns_out_to_be_one(box):
    finding = (
        "The vitest run in src/server.test.ts connects before loadEnv() has read PORT, which is why it is slow and only"
        " fails on a cold start."
    )
    telling = Telling(box).asks("how does the server test start?").answers(finding)
    telling.drained()
    assert kinds(box) == ["discovery"]
    telling.repairs().ends().drained()
    assert kinds(box) == ["runbook"]
    assert "which is why it is slow" in says(only(box))
