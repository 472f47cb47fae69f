"""LetsGo's memorability, boundaries and capture (D20-D36): its numbers, and what was decided where it had defects."""

import string
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import each
from telling import (
    LIMIT,
    PASSED,
    PNPM,
    POSTGRES,
    REFUSED,
    SESSION,
    TEST,
    WHY,
    Telling,
    everything,
    happenings,
    kept,
    only,
    says,
)

from recollect.policy.capture import boundaries, memorability, session_story
from recollect.policy.shell import commands, commits, outputs
from recollect.policy.statements import statements

SEED_WEIGHTS = {"decision": 0.8, "discovery": 0.7, "bugfix": 0.5, "feature": 0.5, "refactor": 0.3, "change": 0.3}
SALIENT = (
    "error", "bug", "fix", "crash", "fail", "broken", "critical", "security", "vulnerability", "resolved", "root cause",
    "workaround", "breakthrough", "discovered", "important", "warning", "exception", "traceback", "panic", "fatal",
    "success", "passed", "verified",
)  # fmt: skip
TOKEN = "ghp_" + "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zQ7w9"
PAYMENTS = "invoice customer payment ledger amount currency total tax rounding balance account"
CLUSTERS = "kubernetes cluster node autoscaler region terraform module subnet firewall gateway routing peering"
SLOW = "Each request goes through the session middleware, which reads the cart from Redis every time, that is why."


def facts(box, **filters):
    flags = [part for name, value in filters.items() for part in (f"--{name}", value)]
    return box.run("fact", "list", *flags, "--json").json


def prose(number):
    """A text of so many characters in which no line repeats."""
    return "".join("qwzx jkvy "[place % 10] for place in range(number - 1)) + "."


# -- memorability ------------------------------------------------------------------------------------------------------


@pytest.mark.seed("D20")
@each(
    ("substance", "salience", "distinctiveness", "kind", "total"),
    [
        (0, 0, 0, 0, 0.0), (1, 1, 1, 1, 1.0), (1, 0, 0, 0, 0.25), (0, 1, 0, 0, 0.25), (0, 0, 1, 0, 0.30),
        (0, 0, 0, 1, 0.20), (0.5, 0.9, 0.5, 0.8, 0.66), (0.1, 0, 0.5, 0.3, 0.235), (9, 9, 9, 9, 1.0),
        (-9, 0, 0, 0, 0.0),
    ],
)  # fmt: skip
def test_memorability_weighs_four_parts(substance, salience, distinctiveness, kind, total):
    parts = {"substance": substance, "salience": salience, "distinctiveness": distinctiveness, "kind": kind}
    assert memorability.total(parts) == pytest.approx(total)


@pytest.mark.seed("D20")
@pytest.mark.parametrize(("threshold", "number"), [("0.0", 1), ("0.3", 1), ("0.9", 0), ("1.0", 0)])
def test_what_reaches_the_threshold_is_kept_and_what_does_not_is_not(box, threshold, number):
    box.settings["RECOLLECT_CAPTURE__THRESHOLD"] = threshold
    Telling(box).asks(PNPM).answers("Ok.").drained()
    assert len(kept(box)) == number


@pytest.mark.seed("D20", "D24")
def test_the_gate_and_the_weights_of_kinds_are_settings_with_the_seeds_numbers(box):
    shown = {one["setting"]: one["value"] for one in box.run("config", "--json").json}
    assert shown["capture.threshold"] == 0.30
    assert shown["capture.type_weights"] == SEED_WEIGHTS


@pytest.mark.seed("D21")
@each(
    ("chars", "plain", "with_files"),
    [
        (1, 0.1, 0.1), (49, 0.1, 0.1), (50, 0.3, 0.3), (199, 0.3, 0.3), (200, 0.5, 0.5), (499, 0.5, 0.5),
        (500, 0.5, 0.6), (1_000, 0.6, 0.7), (2_000, 0.8, 0.9), (9_000, 0.8, 0.9),
    ],
)  # fmt: skip
def test_substance_grows_with_length_and_files_count_for_long_texts_alone(chars, plain, with_files):
    assert memorability.substance(prose(chars), has_files=False) == pytest.approx(plain)
    assert memorability.substance(prose(chars), has_files=True) == pytest.approx(with_files)


@pytest.mark.seed("D21")
def test_a_line_that_is_said_again_and_again_adds_no_substance():
    once, often = "the same line of output\n", "the same line of output\n" * 200
    assert memorability.substance(often, has_files=False) == memorability.substance(once, has_files=False)


@pytest.mark.seed("D21")
def test_a_line_that_goes_on_differently_is_no_repetition():
    assert memorability.substance("a\n" + "ab" * 300, has_files=False) == pytest.approx(0.5, abs=0.05)
    assert memorability.substance("a\n" + "a" * 600, has_files=False) > 0.5


@pytest.mark.seed("D22")
def test_an_error_is_salient_whatever_it_says():
    assert memorability.salience("ls", (), has_error=True) == 0.9
    assert memorability.salience("nothing of note", (), has_error=False) == 0.0


@pytest.mark.seed("D22")
@each("word", SALIENT)
def test_each_telling_word_counts_a_fifth_once(word):
    said = f"It was {word.upper()}ing, {word}."
    assert memorability.salience(said, (), has_error=False) == pytest.approx(0.2)


@pytest.mark.seed("D22")
def test_five_telling_words_are_enough():
    assert memorability.salience(" ".join(SALIENT), (), has_error=False) == 1.0


@pytest.mark.seed("D22")
def test_the_words_of_the_task_make_something_salient():
    task = {"cart", "price"}
    assert memorability.salience("the cart holds a price", task, has_error=False) == pytest.approx(0.5)
    assert memorability.salience("the cart is empty", task, has_error=False) == pytest.approx(0.25)
    assert memorability.salience("something else", task, has_error=False) == 0.0


@pytest.mark.seed("D23")
@each(("likeness", "value"), [(0.0, 1.0), (0.25, 0.75), (1.0, 0.0), (None, 0.5), (7.0, 0.0), (-1.0, 1.0)])
def test_distinctiveness_is_how_unlike_the_nearest_memory_something_is(likeness, value):
    assert memorability.distinctiveness(likeness) == pytest.approx(value)


@pytest.mark.seed("D24")
@each(("kind", "weight"), [*SEED_WEIGHTS.items(), ("runbook", 0.6), ("preference", 0.6)])
def test_each_kind_has_its_weight_and_one_without_a_middling_one(kind, weight):
    parts = memorability.parts("x", kind, (), None, SEED_WEIGHTS, has_error=False, has_files=False)
    assert parts["kind"] == weight


@pytest.mark.seed("D25")
@each("said", ["ls", "total 8", "On branch main", "ok", "src\ntests\nREADME.md"])
def test_what_says_little_does_not_pass_the_gate_even_into_an_empty_store(said):
    parts = memorability.parts(said, "change", (), None, SEED_WEIGHTS, has_error=False, has_files=False)
    assert memorability.total(parts) < 0.30


@pytest.mark.seed("D25")
def test_a_decision_with_a_reason_passes_the_gate_of_an_empty_store(box):
    Telling(box).asks(POSTGRES).answers("Ok.").drained()
    assert only(box)["kind"] == "decision"


# -- boundaries --------------------------------------------------------------------------------------------------------


@pytest.mark.seed("D26")
@each(
    ("said", "words"),
    [
        ("too short to say much", ()),
        ("go to it: an __init__ and a _private name, x9 ab", ("__init__", "_private", "name")),
        ("the and with from this that the and with from this", ()),
        ("9lives 42 parser parser PARSER Parser tokens", ("lives", "parser", "tokens")),
    ],
)
def test_keywords_are_words_of_three_signs_without_stop_words(said, words):
    assert boundaries.keywords(said) == frozenset(words)


@pytest.mark.seed("D26")
def test_only_the_twelve_most_frequent_words_count():
    said = " ".join(f"{letter * 3} " * (30 - place) for place, letter in enumerate("bcdfghjklmnpqrst"))
    assert boundaries.keywords(said) == {letter * 3 for letter in "bcdfghjklmnp"}


@pytest.mark.seed("D26", "D28")
@each(("shared", "of", "is_boundary"), [(0, 10, True), (3, 13, True), (4, 16, False), (5, 20, False), (10, 10, False)])
def test_a_boundary_is_where_adjacent_windows_share_less_than_a_quarter(shared, of, is_boundary):
    own = of - shared
    before = frozenset([f"s{n}" for n in range(shared)] + [f"a{n}" for n in range(own // 2)])
    after = frozenset([f"s{n}" for n in range(shared)] + [f"b{n}" for n in range(own - own // 2)])
    assert boundaries.is_boundary([before] * 5 + [after] * 5) is is_boundary


@pytest.mark.seed("D28")
def test_a_first_window_never_is_one_and_the_same_output_again_is_none():
    sets = [frozenset({f"w{place}{n}" for n in range(12)}) for place in range(9)]
    assert not any(boundaries.is_boundary(sets[:number]) for number in range(10))
    diverse = sets[:5]
    assert not boundaries.is_boundary([*diverse, *diverse])


@pytest.mark.seed("D27")
def test_a_boundary_is_kept_as_a_fact_of_the_session_once(box):
    telling = Telling(box).starts().asks("look around")
    for number in range(7):
        telling.runs(f"cat src/invoice{number}.py", PAYMENTS)
    telling.drained()
    assert facts(box) == []
    for number in range(7):
        telling.runs(f"cat infra/cluster{number}.tf", CLUSTERS)
    telling.answers("Done.").drained()
    (fact,) = facts(box)
    assert (fact["subject"], fact["predicate"]) == (f"session:{SESSION}", "boundary_at")
    moment, _, about = fact["object"].partition(" ")
    assert moment == fact["created_at"]
    assert set(about.split(", ")) & set(CLUSTERS.split())
    assert facts(box, subject=f"session:{SESSION}", predicate="boundary_at") == [fact]


@pytest.mark.seed("D27")
def test_boundaries_are_per_session(box):
    first = Telling(box).asks("look")
    for number in range(6):
        first.runs(f"cat src/invoice{number}.py", PAYMENTS)
    other = Telling(box, "another-session").asks("look")
    for number in range(6):
        other.runs(f"cat infra/cluster{number}.tf", CLUSTERS)
    first.drained()
    assert facts(box) == []


# -- capture -----------------------------------------------------------------------------------------------------------


@pytest.mark.seed("D29")
def test_tools_are_known_by_the_clients_own_names_and_their_structured_answers(box):
    telling = (
        Telling(box).asks("red").fails(TEST, REFUSED).edits("src/server.ts", "loadEnv()").writes("src/env.ts", "x")
    )
    telling.tool("MultiEdit", {"file_path": str(box.root / "a.ts"), "edits": []}, {"filePath": "a.ts"})
    telling.tool("NotebookEdit", {"notebook_path": str(box.root / "b.ipynb"), "new_source": "1"}, "ok")
    telling.runs(TEST, PASSED).answers(WHY).drained()
    assert only(box, "runbook")["files_modified"] == ["src/server.ts", "src/env.ts", "a.ts", "b.ipynb"]


@pytest.mark.seed("D29")
def test_a_long_output_is_kept_cut_and_an_endless_one_costs_no_room(box):
    telling = Telling(box).asks("red").fails(TEST, REFUSED + "\n" + "".join(f"frame {n}\n" for n in range(200_000)))
    telling.edits("src/server.ts", "\n".join(f"const v{n} = {n}" for n in range(5_000))).runs(TEST, PASSED)
    telling.answers(WHY).drained()
    assert len(says(only(box, "runbook"))) < 4_000
    assert sum(path.stat().st_size for path in box.home.glob("recollect.db*")) < 4_000_000


OBSERVED = {
    "decision": lambda one: one.asks(POSTGRES).answers("Ok."),
    "discovery": lambda one: one.asks("why is the cart slow?").answers(SLOW),
    "bugfix": lambda one: one.asks("go on").commits("fix: handle an empty cart").answers("Done."),
    "feature": lambda one: one.asks("go on").commits("feat: add a wishlist to the shop").answers("Done."),
    "refactor": lambda one: one.asks("go on").commits("refactor: extract the price rules").answers("Done."),
    "change": lambda one: one.asks("go on").edits("vite.config.ts", "base: '/shop/'").answers("Done."),
    "runbook": lambda one: one.repairs(),
    "preference": lambda one: one.asks(PNPM).answers("Ok."),
    "constraint": lambda one: one.asks(LIMIT).answers("Ok."),
}
IMPORTANCE = {
    "bugfix": 0.8, "runbook": 0.8, "preference": 0.8, "decision": 0.75, "constraint": 0.75, "discovery": 0.7,
    "feature": 0.6, "refactor": 0.5, "change": 0.35,
}  # fmt: skip
CONCEPTS = {
    "bugfix": "problem-solution", "runbook": "problem-solution", "discovery": "how-it-works", "decision": "trade-off",
    "constraint": "gotcha", "preference": "pattern", "feature": "what-changed", "refactor": "what-changed",
    "change": "what-changed",
}  # fmt: skip


@pytest.mark.seed("D30", "D31", "D32", "D33")
@pytest.mark.parametrize("kind", OBSERVED)
def test_every_type_of_observation_can_come_out_a_decision_too(box, kind):
    OBSERVED[kind](Telling(box)).drained()
    made = only(box)
    assert made["kind"] == kind
    assert IMPORTANCE[kind] <= made["importance"] <= 1.0
    assert made["concepts"][0] == CONCEPTS[kind]
    assert len(made["concepts"]) <= 3
    assert 3 < len(made["title"]) <= 100
    assert "\n" not in made["title"]
    assert made["title"][0] == made["title"][0].upper()


@pytest.mark.seed("D30")
def test_words_like_bug_and_error_do_not_make_a_bugfix(box):
    telling = Telling(box).asks("where are errors fixed?").greps("bug", "src/a.ts:1: // fixed a bug, error, crash")
    telling.reads("CHANGELOG.md", "fixed a crash\nadded support\nrefactored\n" * 30).runs("git log", "fix: crash bug")
    telling.answers("In src/a.ts.").ends().drained()
    assert kept(box) == []


@pytest.mark.seed("D31")
def test_importance_is_never_less_than_memorability(box):
    Telling(box).asks("set the base path of the shop in the vite config").edits(
        "vite.config.ts", "base: '/shop/'"
    ).answers("Done.").drained()
    assert only(box)["importance"] > IMPORTANCE["change"]


@pytest.mark.seed("D33")
@pytest.mark.parametrize(
    ("reason", "concept"),
    [
        ("because we need transactions", "why-it-exists"),
        ("as the naming convention asks for SQL", "pattern"),
        ("but watch out for its locks, because they are held long", "gotcha"),
    ],
)
def test_concepts_follow_from_the_kind_and_from_words(box, reason, concept):
    Telling(box).asks(f"We decided to go with Postgres instead of MongoDB {reason}.").answers("Ok.").drained()
    assert concept in only(box)["concepts"]


@pytest.mark.seed("D34")
def test_lines_that_state_something_are_kept_as_facts(box):
    Telling(box).asks("hi").answers("Hi.").asks("From now on we always use pnpm for every package.").answers(
        "Ok."
    ).drained()
    Telling(box, "other").asks("why is the cart slow?").answers(SLOW).drained()  # no real predicate, no fact
    assert [(one["predicate"], one["source"]) for one in facts(box)] == [("use", only(box, "preference")["uid"])]


@pytest.mark.seed("D35")
def test_a_session_with_an_observation_ends_with_one_summary_and_one_without_has_none(box):
    Telling(box).asks(POSTGRES).answers("Ok.").ends().drained()
    summary = only(box, "session_summary")
    assert (summary["importance"], summary["session"], summary["origin"]) == (0.6, SESSION, "assistant")
    Telling(box, "idle").asks("what is in here?").runs("ls", "src").answers("Source code.").ends().drained()
    assert len(kept(box, "session_summary")) == 1


@pytest.mark.seed("D35")
def test_sessions_that_say_the_same_have_summaries_of_their_own(box):
    for session in ("one", "two", "three"):
        Telling(box, session).asks("go on").edits("src/a.ts", "a").ends().drained()
    assert {one["session"] for one in kept(box, "session_summary")} == {"one", "two", "three"}


@pytest.mark.seed("D35")
def test_a_checkpoint_is_left_at_a_milestone_not_after_so_many_observations(box):
    telling = Telling(box).asks("go on")
    for number in range(12):
        telling.edits(f"src/a{number}.ts", "a").runs("pytest -q", "3 passed")
    telling.answers("Ok.").drained()
    assert kept(box, "session_summary") == []
    telling.asks("commit").commits("feat: add a wishlist").answers("Ok.").drained()
    assert len(kept(box, "session_summary")) == 1


@pytest.mark.seed("D36")
@pytest.mark.parametrize(
    "secret",
    [
        TOKEN,
        "AKIA" + "IOSFODNN7QKWMZXP",
        "postgres://admin:" + "hunter2hunter2" + "@db.example.invalid/shop",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1x2y3z4w5v6u7t8s9r0q\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_no_credential_that_a_tool_printed_is_stored(box, secret):
    telling = Telling(box).asks("red").fails(TEST, f"{REFUSED}\nError: could not log in with {secret}")
    telling.edits("src/server.ts", f"connect('{secret}')").runs(TEST, f"{PASSED}\n{secret}").answers(f"{WHY} {secret}")
    telling.ends().drained()
    assert only(box, "runbook")["sensitivity"] == "public"
    stored = everything(box)
    telling_part = secret.split("\n")[1] if "\n" in secret else secret
    assert telling_part not in stored
    assert "hunter2hunter2" not in stored


# -- properties --------------------------------------------------------------------------------------------------------

WORDS = st.sampled_from([
    "error", "Error:", "FAILED", "\x1b[31m", "\r", "\n", "\t", "```", "'", '"', "&&", "|", ";", "<<EOF", "EOF",
    "git commit -m", "pytest", "npm run", "always", "never", "because", "we decided", "10 requests", "`x`", "0x1f",
    "/a/b.py", "50%", "-", " ", "…",
    "\u202e", "\u2028", "\ufffd", "\ud83d", "\x00", "\ue000", "é", "日本", "💥", "$(", "(", ")", "\\",
])  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=300), st.lists(WORDS, max_size=30).map(" ".join), st.lists(WORDS, max_size=30).map("".join)
)


@given(TEXTS)
def test_cleaned_output_has_no_control_signs_and_no_endless_lines(said):
    cleaned = outputs.clean(said)
    assert not [sign for sign in cleaned if unicodedata.category(sign) == "Cc" and sign not in "\n\t"]
    assert all(len(line) <= outputs.LINE_CHARS for line in cleaned.split("\n"))
    assert len(cleaned) <= len(said)


@given(TEXTS)
def test_cleaning_again_changes_nothing(said):
    once = outputs.clean(said)
    assert outputs.clean(once) == once


@given(TEXTS, st.integers(1, 5))
def test_error_lines_are_words_of_the_output_in_few_lines(said, most):
    lines = outputs.error_lines(said, most)
    assert len(lines) <= most
    assert len(set(lines)) == len(lines)
    words = set(said.replace("##[error]", "Error: ").split())
    assert all(line and {word for word in line.split() if word not in said} <= words for line in lines)


@given(TEXTS)
def test_a_signature_is_one_short_line_without_what_varies(said):
    signed = outputs.signature(outputs.clean(said))
    assert len(signed) <= outputs.SIGNATURE_CHARS
    assert "\n" not in signed
    assert not set(signed) & set(string.digits)


@given(st.sampled_from(["Error: connect ECONNREFUSED 127.0.0.1:{0}", "error TS{0}: bad at /tmp/x{0}/a.ts({0},{0})",
                        "E   KeyError: 'id {0}' at 0x{0}f"]), st.integers(0, 10**6), st.integers(0, 10**6))  # fmt: skip
def test_the_same_error_has_the_same_signature_whatever_its_numbers_are(error, one, other):
    assert outputs.signature(error.format(one)) == outputs.signature(error.format(other))


@given(TEXTS)
def test_any_command_can_be_read(said):
    acts = commands.read(said)
    assert all(act.does in commands.ORDER for act in acts)
    assert commands.does(acts) in commands.ORDER
    assert not commands.is_same(acts, [])
    made = commits.commit(said, said)
    assert made is None or made.title == made.title.strip()


@given(TEXTS, TEXTS)
def test_any_message_can_be_judged(said, asked):
    for one in [*statements.of_answer(said, asked=asked), *statements.of_others(statements.sentences(said))]:
        assert one.text
        assert 0.0 <= one.certainty <= 1.0
        assert all(part in said for part in one.text.split())


COMMANDS = (
    "pytest tests/a.py",
    "pytest tests",
    "npm test",
    "cargo build",
    "ls",
    "git commit -am 'fix: a thing'",
    "pnpm add zod",
)
ERRORS = ("Exit code 1\nTypeError: a is undefined", "Exit code 1\nerror: cannot find b", "Exit code 2", REFUSED)
SAID = (PNPM, POSTGRES, LIMIT, WHY, SLOW, "go on", "Done.", "why?")
HAPPENS = st.one_of(
    st.tuples(st.just("ask"), st.sampled_from(SAID), st.just("")),
    st.tuples(st.just("answer"), st.just(""), st.sampled_from(SAID)),
    st.tuples(
        st.just("run"), st.sampled_from(COMMANDS), st.sampled_from(["ok", "3 passed", "[main 5e1c0da] fix: a thing"])
    ),
    st.tuples(st.just("fail"), st.sampled_from(COMMANDS), st.sampled_from(ERRORS)),
    st.tuples(st.just("edit"), st.sampled_from(["src/a.py", "package.json"]), st.sampled_from(["x = 1", "y = 2"])),
)
ANYTHING = st.tuples(st.sampled_from(["ask", "answer", "run", "fail", "edit", "read"]), TEXTS, TEXTS)


@given(st.lists(st.one_of(HAPPENS, ANYTHING), max_size=20), st.booleans())
def test_any_story_can_be_told_and_drafts_name_only_its_events(told, is_over):
    events = happenings(*told)
    keys = {one.key for one in events}
    for draft in session_story.drafts(events, is_over=is_over):
        assert draft.sources
        assert len(set(draft.sources)) == len(draft.sources)
        assert set(draft.sources) <= keys
        assert draft.origin in ("user", "assistant", "tool")
        assert 0.0 < draft.certainty <= 1.0
        assert draft.kind in {*OBSERVED, "tech_debt"}
        assert draft.origin != "user" or any(
            one.key in draft.sources and one.name == "PromptSubmitted" for one in events
        )


@given(st.lists(HAPPENS, max_size=20), st.booleans())
def test_the_same_story_gives_the_same_drafts(told, is_over):
    events = happenings(*told)
    assert session_story.drafts(events, is_over=is_over) == session_story.drafts(events, is_over=is_over)


REPAIRED = (
    ("fail", "pytest tests/a.py", ERRORS[0]),
    ("edit", "src/a.py", "x = 1"),
    ("run", "pytest tests/a.py", "3 passed"),
)


def is_told(more):
    """Whether all of a repair is behind some draft, whatever happened since."""
    drafts = session_story.drafts(happenings(*REPAIRED, *more), is_over=True)
    return any({"s/0", "s/1", "s/2"} <= set(draft.sources) for draft in drafts)


@given(st.lists(HAPPENS.filter(lambda one: LIMIT not in one and one[:2] != ("ask", WHY)), max_size=12))
def test_telling_a_story_further_never_loses_a_repair(more):
    assert all(is_told(more[:number]) for number in range(len(more) + 1))


def test_the_commit_of_what_failed_again_after_its_repair_does_not_lose_it():
    commit = "git commit -am 'fix: a thing'"
    assert is_told([("fail", commit, ERRORS[0]), ("run", commit, "[main 5e1c0da] fix: a thing")])


def test_a_limit_that_explains_why_it_fails_again_does_not_lose_the_repair():
    assert is_told([REPAIRED[0], ("ask", LIMIT, "")])


# -- bad input is read in time -----------------------------------------------------------------------------------------


def seconds(call, *arguments):
    began = time.process_time()
    call(*arguments)
    return time.process_time() - began


@pytest.mark.parametrize(
    ("read", "said"),
    [
        pytest.param(
            outputs.clean, " " * 10_000 + "x"
        ),
        pytest.param(
            lambda said: list(statements.of_answer(said)), "a" * 8_000,
        ),
        (commands.read, "<<a\n" * 500),
        (commands.read, "<<" + "A" * 1_000 + "\n" * 1_000),
        (outputs.is_failing, "3 passed\n" + "-\n=\n" * 12_000),
        (outputs.is_failing, "-\n=\n" * 12_000),
        (commands.read, "kubectl " + "-n x " * 400),
        (outputs.clean, "\x1b]0;" * 20_000),
        (lambda said: outputs.error_lines(outputs.clean(said)), ("Error " * 60 + "\n") * 200),
        (lambda said: outputs.signature(outputs.clean(said)), "error: " + "a/" * 190),
        (lambda said: memorability.substance(said, has_files=False), "a\n" * 2_000 + "b"),
    ],
)  # fmt: skip
def test_what_is_made_to_be_slow_is_read_in_time(read, said):
    assert seconds(read, said) < 0.5  # linear: a few hundredths
