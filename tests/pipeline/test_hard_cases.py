"""Sessions as people have them, in which it is easy to keep the wrong thing, or to lose the right one.

What does not work yet is marked with its cause; a mark goes when the cause does.
"""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from examples import few
from hypothesis import example, given
from hypothesis import strategies as st
from telling import (
    LATER,
    LATER_WORK,
    LIMIT,
    PASSED,
    PNPM,
    POSTGRES,
    REFUSED,
    SESSION,
    TEST,
    WHY,
    Telling,
    happenings,
    kept,
    only,
    says,
)

from recollect.policy.capture import session_story
from recollect.policy.reversals.judge import judge
from recollect.policy.reversals.verdict import Verdict

YARN = "No, from now on use yarn in this repo, not pnpm, because the image has only yarn."
EXPIRED = "Exit code 1\nE   jwt.exceptions.ExpiredSignatureError: Signature has expired\n1 failed"
PANGO = "Exit code 1\nE   OSError: cannot load library 'libpango-1.0-0'\n1 failed"
NO_LOADER = "Exit code 1\nERROR in ./src/app.tsx Module parse failed: Unexpected character '@'"
NO_TABLE = "Exit code 1\nE   sqlalchemy.exc.OperationalError: no such table: users\n1 failed"
NO_BROWSER = "Exit code 1\nError: browserType.launch: Executable doesn't exist"
NO_POINTER = "panic: runtime error: invalid memory address or nil pointer dereference"
DENIED = "Error: creating S3 bucket: AccessDenied: not authorized to perform s3:CreateBucket"
PARQUET = "I went with Parquet instead of CSV for the export because the analysts need types."


def not_yet(why: str) -> pytest.MarkDecorator:
    return pytest.mark.xfail(strict=True, reason=why)


def begun(box, session=SESSION, at=None):
    """A session whose first prompt, which is mostly a task, is over."""
    return Telling(box, session, **({"at": at} if at else {})).asks("hi").answers("Hi.")


def said(box, *prompts):
    """Things that are said, each in a session of its own."""
    at = None
    for number, prompt in enumerate(prompts):
        telling = begun(box, f"{number:08d}-session", at).asks(prompt).answers("Ok.").ends()
        telling.drained()
        at = telling.at


def in_vain(box, session=SESSION, at=None):
    telling = Telling(box, session, **({"at": at} if at else {})).asks("fix it").fails(TEST, REFUSED)
    telling.edits("src/server.ts", "retry()").fails(TEST, REFUSED).answers("It is still red.").ends()
    return telling


def all_of(box, *kinds):
    return " ".join(map(says, kept(box, *kinds)))


def of(box, kind, words):
    """The one memory of a kind that is led by these words."""
    (one,) = [memory for memory in kept(box, kind) if words in memory["title"]]
    return one


# -- what users say ----------------------------------------------------------------------------------------------------


def test_a_choice_about_something_else_does_not_retire_a_rule_that_gives_its_reason(box):
    said(box, PNPM, POSTGRES)
    assert "always use pnpm" in all_of(box, "preference")
    assert "Postgres" in all_of(box, "decision")


def test_a_choice_about_something_else_is_unrelated():
    assert judge(POSTGRES, PNPM) is Verdict.UNRELATED


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        ("no, use pnpm", "pnpm add dayjs"),
        ("no, use tabs", "npm install lodash"),
        ("tests go next to the code", "npm install -D vitest"),
        ("I want tabs in yaml", "npm install lodash"),
    ],
)
def test_a_correction_that_the_agent_obeys_at_once_is_kept_as_the_users_rule(box, rule, command):
    telling = Telling(box).asks("add dayjs").answers("Added with npm.").asks(rule).runs(command, "ok")
    telling.answers("Done.").ends().drained()
    wish = only(box, "preference")
    assert wish["origin"] == "user"
    assert rule.removeprefix("no, ") in says(wish)


@pytest.mark.parametrize("rule", ["don't touch generated files", "generated files are off limits"])
def test_a_rule_is_not_swallowed_by_an_edit_of_configuration_in_its_turn(box, rule):
    telling = begun(box).asks(rule).edits("config/codegen.yml", "out: gen")
    telling.answers("Ok.").ends().drained()
    assert "generated files" in all_of(box, "preference", "constraint")


@pytest.mark.parametrize(
    "rule",
    [
        "Never store user emails in the Redis cache, because of GDPR.",
        "We don't keep user emails in the Redis cache because of GDPR",
    ],
)
def test_a_rule_of_the_user_is_not_made_the_reason_of_a_choice_of_the_agent(box, rule):
    telling = begun(box).asks(rule)
    telling.answers(
        "I decided to hash emails with blake2 in the Redis cache because the lookups need a stable key."
    ).ends().drained()
    (wish,) = [one for one in kept(box) if one["origin"] == "user"]
    assert "user emails in the Redis cache" in wish["title"]


@pytest.mark.parametrize(
    ("rule", "more", "kind"),
    [
        ("Always run the linter before you commit in this repo.", LATER_WORK, "tech_debt"),
        ("From now on always use pnpm in this repo.", POSTGRES, "decision"),
    ],
)
def test_two_things_that_one_message_states_are_two_memories(box, rule, more, kind):
    begun(box).asks(f"{rule} {more}").answers("Ok.").ends().drained()
    assert more in all_of(box, kind)
    assert rule in all_of(box, "preference")


def test_a_limit_is_not_the_reason_of_the_rule_in_front_of_it(box):
    begun(box).asks(f"From now on always use pnpm in this repo, never npm. {LIMIT}").answers("Ok.").ends().drained()
    assert "10 requests" not in says(only(box, "preference"))
    assert "10 requests" in says(only(box, "constraint"))


def test_a_limit_that_is_corrected_in_the_same_session_has_the_new_number(box):
    begun(box).asks(LIMIT).answers("Ok.").asks(LIMIT.replace("10", "50")).answers("Ok.").ends().drained()
    limit = only(box, "constraint")
    assert "50" in limit["title"]
    assert "limited to 10" not in says(limit)


def test_two_pieces_of_work_that_are_put_off_are_two_memories(box):
    telling = begun(box).asks(LATER_WORK).answers("Ok.")
    telling.asks("Leave the importer's error logging for later as well, the retry logic comes first.").answers("Ok.")
    telling.ends().drained()
    assert len(kept(box, "tech_debt")) == 2


def test_a_choice_that_only_mentions_another_one_does_not_take_its_place(box):
    telling = begun(box).asks("We decided to use Postgres for orders because we need transactions.").answers("Ok.")
    telling.asks("We decided to use Redis for sessions because the transactions of orders keep Postgres busy.")
    telling.answers("Ok.").ends().drained()
    assert {"Postgres for orders" in all_of(box), "Redis for sessions" in all_of(box)} == {True}


def test_a_narrower_prohibition_leaves_the_rule_alone(box):
    said(box, "Always use pnpm in this repo.", "Never use pnpm audit in CI in this repo.")
    assert len(kept(box, "preference", "constraint")) == 2


def test_a_rule_for_other_files_leaves_the_rule_for_these_alone(box):
    said(
        box,
        "Always use snake_case for Python files in this repo.",
        "Always use kebab-case for TypeScript files in this repo, not snake_case.",
    )
    assert len(kept(box, "preference")) == 2


def test_a_rule_that_is_said_anew_has_no_topic_that_says_the_contrary(box):
    said(
        box,
        "Always use snake_case for Python files in this repo.",
        "Always use kebab-case for TypeScript files in this repo, not snake_case.",
    )
    assert all("snake_case for Python" not in one["content"]["topic"] or "Python" in one["content"]["value"]
               for one in kept(box, "preference"))  # fmt: skip


def test_an_error_that_a_user_pastes_is_not_a_choice_of_the_user(box):
    Telling(box).asks("deploy it").answers("Done.").asks(DENIED).answers("I will look.").ends().drained()
    assert [one for one in kept(box) if one["origin"] == "user"] == []


def test_parallel_rules_for_different_folders_are_both_kept(box):
    telling = begun(box).asks("Always write tests with vitest in packages/web.").answers("Ok.")
    telling.asks("Always write tests with pytest in packages/api.").answers("Ok.").ends().drained()
    assert len(kept(box, "preference")) == 2


# -- what agents say ---------------------------------------------------------------------------------------------------


def test_a_choice_of_the_agent_is_not_the_cause_of_an_unrelated_failure_in_its_turn(box):
    telling = Telling(box).asks("build the exporter and pick a format").fails(TEST, REFUSED)
    telling.edits("src/server.ts", "loadEnv()").runs(TEST, PASSED).answers(PARQUET).ends().drained()
    assert "Parquet" not in says(only(box, "runbook"))
    assert "Parquet" in says(only(box, "decision"))


def test_a_cause_goes_to_the_failure_that_it_is_about(box):
    telling = Telling(box).asks("both are red").fails("pytest tests/a.py", EXPIRED)
    telling.edits("tests/conftest.py", "freeze_time()").runs("pytest tests/a.py", "1 passed")
    telling.fails("npm run build", NO_LOADER).edits("webpack.config.js", "css-loader").runs("npm run build", "ok")
    telling.answers("The tokens in the fixtures had expired because their date was hard-coded.").ends().drained()
    assert "hard-coded" in says(of(box, "runbook", "expired"))
    assert "hard-coded" not in says(of(box, "runbook", "parse failed"))


def test_a_limit_that_the_agent_mentions_does_not_forget_an_unrelated_failure(box):
    telling = Telling(box).asks("run it").fails(TEST, REFUSED).edits("src/x.ts", "retry()").answers(LIMIT)
    telling.asks("and the test?").edits("src/server.ts", "loadEnv()").runs(TEST, PASSED).answers(WHY).ends().drained()
    assert "ECONNREFUSED" in says(only(box, "runbook"))


# -- repairs -----------------------------------------------------------------------------------------------------------


def test_two_unrelated_errors_that_are_open_at_once_are_two_runbooks(box):
    telling = Telling(box).asks("run both").fails("pytest tests/test_a.py", NO_TABLE).fails("npm run build", NO_LOADER)
    telling.edits("webpack.config.js", "loader: 'css-loader'").runs("npm run build", "compiled")
    telling.edits("migrations/env.py", "target_metadata = Base.metadata").runs("pytest tests/test_a.py", "1 passed")
    telling.answers("Done.").ends().drained()
    build = of(box, "runbook", "parse failed")
    assert "css-loader" in says(build)
    assert "target_metadata" not in says(build)
    assert "target_metadata" in says(of(box, "runbook", "no such table"))


def test_another_error_of_the_same_program_that_is_repaired_by_itself_is_a_runbook_of_its_own(box):
    telling = Telling(box).asks("get them green").fails("pytest tests/test_auth.py", EXPIRED)
    telling.fails("pytest tests/test_pdf.py", PANGO).edits("src/auth/tokens.py", "leeway = 60")
    telling.runs("pytest tests/test_auth.py", "1 passed").runs("sudo apt-get install -y libpango-1.0-0", "ok")
    telling.runs("pytest tests/test_pdf.py", "1 passed").answers("Done.").ends().drained()
    assert "apt-get install" in says(of(box, "runbook", "libpango"))
    assert "libpango" not in says(of(box, "runbook", "expired"))


def test_a_general_error_at_two_places_keeps_both_causes(box):
    telling = Telling(box).asks("fix it").fails("go test ./...", f"Exit code 1\n{NO_POINTER}\ncart.go:12")
    telling.edits("cart.go", "if c == nil").runs("go test ./...", "ok")
    telling.answers("The cart was nil because guests have none.").asks("next")
    telling.fails("go run ./cmd/worker", f"Exit code 2\n{NO_POINTER}\nworker.go:9").edits("worker.go", "cfg = load()")
    telling.runs("go run ./cmd/worker", "up").answers("The worker's config was nil because it was never loaded.")
    telling.ends().drained()
    told = all_of(box, "runbook")
    assert {"guests have none" in told, "never loaded" in told} == {True}


def test_a_passing_run_that_logs_an_expected_error_is_a_verification(box):
    logged = (
        "PASS src/server.test.ts\nError: boom (expected, from the test of the error page)\nTests: 5 passed, 5 total"
    )
    telling = Telling(box).asks("red").fails(TEST, REFUSED).edits("src/server.ts", "loadEnv()").runs(TEST, logged)
    telling.answers(WHY).ends().drained()
    assert only(box, "runbook")["content"]["steps"] == ["Edit src/server.ts: loadEnv()"]


@pytest.mark.parametrize(
    "fix",
    [
        "echo 'REDIS_URL=redis://localhost:6380' >> .env",
        "cat > src/server.ts <<'EOF'\nloadEnv()\nEOF",
        "mkdir -p var/run/redis",
        "git pull --rebase",
        "kubectl config use-context staging",
    ],
)
def test_a_command_that_writes_or_switches_something_can_be_the_fix(box, fix):
    telling = Telling(box).asks("the test is red").fails(TEST, REFUSED).runs(fix, "").runs(TEST, PASSED)
    telling.answers("Done.").ends().drained()
    assert fix.split()[0] in says(only(box, "runbook"))


def test_a_tool_that_a_script_lacks_is_no_misspelling(box):
    missing = "Exit code 127\n./deploy.sh: line 12: envsubst: command not found"
    telling = Telling(box).asks("deploy").fails("./deploy.sh", missing)
    telling.runs("brew install gettext", "ok").runs("./deploy.sh", "deployed").answers("Deployed.").ends().drained()
    assert "brew install gettext" in says(only(box, "runbook"))


def test_a_deployment_that_a_cluster_refuses_is_no_slip(box):
    refused = "Exit code 1\nerror: no matches found for kind Ingress in version extensions/v1beta1"
    telling = Telling(box).asks("deploy").fails("kubectl apply -f k8s/", refused)
    telling.edits("k8s/ingress.yaml", "apiVersion: networking.k8s.io/v1").runs("kubectl apply -f k8s/", "configured")
    telling.answers("The cluster was upgraded, so the old Ingress API is gone.").ends().drained()
    assert "extensions/v1beta1" in says(only(box, "runbook"))


def test_a_syntax_error_in_a_dependency_that_takes_two_turns_is_a_runbook(box):
    error = "Exit code 1\nSyntaxError: Unexpected token 'export' in node_modules/nanoid/index.js"
    telling = Telling(box).asks("upgrade next").edits("package.json", '"next": "15"').fails("npm run build", error)
    telling.answers("The build is broken.").asks("fix it").edits("next.config.js", "transpilePackages: ['nanoid']")
    telling.runs("npm run build", "ok").answers("nanoid ships ES modules only, so next has to transpile it.")
    telling.ends().drained()
    assert "transpilePackages" in says(only(box, "runbook"))


def test_a_reported_failure_that_is_repaired_and_checked_is_a_runbook_without_a_stated_cause(box):
    report = (
        "login fails:\nTypeError: Cannot read properties of undefined (reading 'id')\n    at login (src/login.ts:3)"
    )
    telling = Telling(box).asks(report).edits("src/login.ts", "if (!user) throw new AuthError()")
    telling.runs("npm test", "ok, 12 passed").answers("Fixed, login.ts checks for guests now.").ends().drained()
    assert "AuthError" in says(only(box, "runbook"))


@not_yet(
    "failures.passes: what the user did outside about a failure is no step, so it passed by itself and is forgotten"
)
def test_a_repair_that_the_user_made_outside_and_told_of_is_known(box):
    telling = Telling(box).asks("run them").fails(TEST, REFUSED).answers("Redis refuses the connection.")
    telling.asks("I started redis with `brew services start redis`. Try again").runs(TEST, PASSED)
    telling.answers("It passes. Redis was not running, that is why the connection was refused.").ends().drained()
    assert "Redis was not running" in all_of(box)


def test_a_repair_behind_a_pipe_is_a_runbook(box):
    lost = "Traceback (most recent call last):\nRuntimeError: checksum mismatch, 12 files lost"
    telling = Telling(box).asks("run the backup").runs("python backup.py | tail -3", lost).edits("backup.py", "fsync()")
    telling.runs("python backup.py | tail -3", "ok, 120 files").answers("Done.").ends().drained()
    assert "checksum mismatch" in only(box, "runbook")["content"]["trigger"]


# -- slips that are none -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "command", "error"),
    [
        ("migrations/0042.py", "python manage.py migrate",
         "django.db.utils.IntegrityError: column full_name contains null values, expected NOT NULL"),
        ("migrations/0042.sql", "psql -f migrations/0042.sql",
         "ERROR: syntax error at or near DROP; 1200 rows were deleted before the statement failed"),
        ("infra/main.tf", "terraform apply",
         "Error: expected engine_version to be one of [15 16], got 9: the database prod-orders was destroyed"),
        ("deploy/values.yaml", "helm upgrade web ./chart",
         "Error: UPGRADE FAILED: expected status 200, got: 404 from /healthz"),
    ],
)  # fmt: skip
def test_what_broke_a_database_or_a_deployment_is_no_slip_though_it_was_put_right_at_once(box, file, command, error):
    telling = Telling(box).asks("roll it out").writes(file, "first").fails(command, f"Exit code 1\n{error}")
    telling.edits(file, "second").runs(command, "ok").answers("Done.").ends().drained()
    assert len(kept(box, "runbook")) == 1


@pytest.mark.parametrize(
    "error",
    [
        "E   AssertionError: tenant A can read the invoices of tenant B: expected 403, got 200",
        "E   AssertionError: the backup lost 312 rows: expected 1000, got 688",
    ],
)
def test_a_test_that_shows_a_leak_or_a_loss_is_no_slip(box, error):
    telling = Telling(box).asks("add it").writes("src/repo.py", "q.all()").fails("pytest -q", f"Exit code 1\n{error}")
    telling.edits("src/repo.py", "q.filter(tenant=t)").runs("pytest -q", "1 passed").answers("Added.").ends().drained()
    assert len(kept(box, "runbook")) == 1


def test_a_secret_that_a_hook_found_is_no_matter_of_style(box):
    found = "Exit code 1\ndetect-secrets....Failed\nERROR Potential secrets in src/a.py:3: AWS Access Key"
    telling = Telling(box).asks("commit").edits("src/a.py", "x = 1").fails("pre-commit run --all-files", found)
    telling.edits("src/a.py", "os.environ").runs("pre-commit run --all-files", "Passed").answers("Done.")
    telling.ends().drained()
    assert len(kept(box, "runbook")) == 1


def test_a_configuration_is_remembered_with_the_value_that_worked(box):
    telling = Telling(box).asks("deploy with the new probe").edits("deploy/values.yaml", "livenessProbe: /healthz")
    telling.fails("helm upgrade web ./chart", "Exit code 1\nError: UPGRADE FAILED: expected status 200, got: 404")
    telling.edits("deploy/values.yaml", "livenessProbe: /ready").runs("helm upgrade web ./chart", "Release upgraded")
    telling.answers("Deployed.").ends().drained()
    assert "/ready" in all_of(box)


# -- what is done while something is broken ----------------------------------------------------------------------------


def test_changes_are_kept_though_a_failure_was_left_alone_before(box):
    telling = Telling(box).asks("run e2e").fails("npx playwright test", NO_BROWSER).answers("No browsers here.")
    telling.asks("ignore that, it runs in CI. Add stripe").runs("npm install stripe", "added")
    telling.edits("config/payments.yml", "provider: stripe").answers("Added.").ends().drained()
    assert "npm install stripe" in all_of(box, "change")


def test_a_fix_of_something_else_is_kept_though_a_failure_was_left_alone_before(box):
    telling = Telling(box).asks("run e2e").fails("npx playwright test", NO_BROWSER).answers("No browsers here.")
    telling.asks("ignore that. Round the prices").edits("src/cart.ts", "round()")
    telling.commits("fix: round cart prices to cents").answers("Committed.").ends().drained()
    assert "round cart prices" in all_of(box, "bugfix")


def test_a_fix_of_something_else_in_a_later_turn_is_not_part_of_the_last_repair(box):
    telling = Telling(box).repairs().asks("now compare the tokens in constant time")
    telling.edits("src/auth.ts", "timingSafeEqual(a, b)").commits("fix: compare tokens in constant time")
    telling.answers("Committed.").ends().drained()
    assert "constant time" in all_of(box, "bugfix")


def test_a_commit_of_a_repair_belongs_to_it_though_it_was_put_away_before(box):
    telling = Telling(box).asks("red").fails(TEST, REFUSED).edits("src/server.ts", "loadEnv()").runs(TEST, PASSED)
    telling.commits("wip").answers(WHY).asks("commit it properly")
    telling.commits("fix: load the env file before the port is read").answers("Done.").ends().drained()
    assert [one["kind"] for one in kept(box)] == ["runbook"]


@pytest.mark.parametrize("first", ["npm test", "git commit"])
def test_a_feature_that_is_committed_by_the_command_that_passes_is_kept(box, first):
    committed = "[main abc1234] feat: nightly export of settled claims"
    command = 'git commit -am "feat: nightly export of settled claims"'
    failed, passed = ("npm test", f"npm test && {command}") if first == "npm test" else (command, command)
    telling = Telling(box).asks("red").fails(failed, REFUSED).edits("src/server.ts", "loadEnv()")
    telling.runs(passed, committed).answers(WHY).ends().drained()
    assert "nightly export" in all_of(box, "feature")


# -- left open, solved, open again -------------------------------------------------------------------------------------


def test_what_one_session_left_open_and_the_next_solved_is_not_open_when_both_are_drained_at_once(box):
    first = in_vain(box)
    Telling(box, LATER, at=first.at).repairs().ends().drained()
    assert kept(box, "discovery") == []


def test_what_was_left_open_after_a_runbook_was_known_is_closed_when_it_is_solved_again(box):
    first = Telling(box).repairs().ends()
    first.drained()
    second = in_vain(box, LATER, first.at)
    second.drained()
    Telling(box, "third-session", at=second.at).repairs("It was the env file again.").ends().drained()
    assert kept(box, "discovery") == []


def test_an_error_that_was_solved_and_is_open_again_on_the_same_day_is_told(box):
    first = in_vain(box)
    first.drained()
    second = Telling(box, LATER, at=first.at).repairs().ends()
    second.drained()
    in_vain(box, "third-session", second.at + timedelta(hours=2)).drained()
    assert "ECONNREFUSED" in says(only(box, "discovery"))


# -- drained in pieces -------------------------------------------------------------------------------------------------

Verb = Callable[[Telling], Telling]
CHECKS = {
    "tests": ("pytest tests/test_a.py", NO_TABLE, "1 passed"),
    "build": ("npm run build", NO_LOADER, "compiled"),
    "infra": ("terraform apply", f"Exit code 1\n{DENIED}", "Apply complete!"),
}
EDITS = {"src/a.py": "x = load()", "config/app.yml": "timeout: 25s", "pyproject.toml": 'sqlalchemy = "2.0"'}
PROMPTS = (PNPM, YARN, POSTGRES, LIMIT, LATER_WORK, "go on", "the build is broken, fix it", DENIED)
ANSWERS = (
    "Done.",
    WHY,
    PARQUET,
    "The build failed because webpack had no loader for css.",
    "The AWS role is only allowed to create buckets with the prefix shop-, so the bucket can't be created.",
)
COMMITS = ("feat: add a wishlist", "fix: create the users table first", "chore: raise the timeout in app.yml", "wip")
DOINGS = (
    [f"{how} {name}" for how in ("fail", "pass") for name in CHECKS]
    + [f"edit {path}" for path in EDITS]
    + [f"commit {message}" for message in COMMITS]
)
doings = st.lists(st.sampled_from(DOINGS), max_size=4)
a_turn = st.tuples(st.sampled_from(PROMPTS), doings, st.sampled_from(ANSWERS), st.sampled_from([False, False, True]))


def did(telling, doing):
    how, _, about = doing.partition(" ")
    if how == "edit":
        return telling.edits(about, EDITS[about])
    if how == "commit":
        return telling.commits(about)
    command, error, output = CHECKS[about]
    return telling.fails(command, error) if how == "fail" else telling.runs(command, output)


def memories(box, turns, *, in_pieces):
    """What is kept of turns (what is asked, done, answered, and whether the session ends then)."""
    number, telling = 0, begun(box)
    for prompt, doing, answer, is_last in turns:
        steps: list[Verb] = [lambda now, asked=prompt: now.asks(asked)]
        steps += [lambda now, one=one: did(now, one) for one in doing]
        steps.append(lambda now, said=answer: now.answers(said))
        for step in steps:
            step(telling)
            if in_pieces:
                telling.drained()
        if is_last:
            number += 1
            telling = begun(box, f"{number:08d}-session", telling.ends().at)
    telling.ends().drained()
    return sorted((one["kind"], one["origin"], one["title"], json.dumps(one["content"])) for one in kept(box))


def as_told(make_box, turns, name, *, in_pieces):
    box = make_box(name)
    box.run("init")
    return memories(box, turns, in_pieces=in_pieces)


@few(3)
@example([("go on", ["fail tests", "edit src/a.py", "fail tests"], "Done.", True),
          ("go on", ["fail tests", "edit src/a.py", "pass tests"], "Done.", True)])  # fmt: skip
@given(st.lists(a_turn, min_size=1, max_size=3))
def test_sessions_leave_the_same_memories_however_they_are_drained(make_box, turns):
    number = next(_boxes)
    pieces = as_told(make_box, turns, f"pieces{number}", in_pieces=True)
    assert pieces == as_told(make_box, turns, f"once{number}", in_pieces=False)


@few(4)
@given(st.lists(doings, min_size=1, max_size=3))
def test_one_session_of_repairs_leaves_the_same_memories_however_it_is_drained(make_box, doing):
    number, turns = next(_boxes), [("go on", one, "Done.", False) for one in doing]
    pieces = as_told(make_box, turns, f"pieces{number}", in_pieces=True)
    assert pieces == as_told(make_box, turns, f"once{number}", in_pieces=False)


_boxes = iter(range(10_000))
EVENTS = st.one_of(
    st.tuples(st.just("ask"), st.sampled_from(PROMPTS), st.just("")),
    st.tuples(st.just("answer"), st.just(""), st.sampled_from(ANSWERS)),
    st.sampled_from([("fail", command, error) for command, error, _ in CHECKS.values()]),
    st.sampled_from([("run", command, output) for command, _, output in CHECKS.values()]),
    st.sampled_from([("edit", path, new) for path, new in EDITS.items()]),
    st.sampled_from([("run", f'git commit -m "{said}"', f"[main 5e1c0da] {said}") for said in COMMITS]),
)


@given(st.lists(EVENTS, max_size=25))
def test_whatever_happens_in_whatever_order_is_a_story(events):
    keys = {one.key for one in happenings(*events)}
    for draft in session_story.drafts(happenings(*events), is_over=True):
        assert draft.title
        assert draft.sources
        assert set(draft.sources) <= keys
