"""What a user states that lasts is kept by its kind, in the user's words; requests, questions and remarks are not."""

import time

from tables import each

from recollect.policy.statements import languages, lasting, user_statements

PATIENCE_SECONDS = 2.0
SURE = 0.6
PLAIN = user_statements.NEEDED["plain"]

LASTING = [
    ("amounts are always in minor units, never floats", "preference"),
    ("we use pnpm, not npm", "preference"),
    ("migrations go through flyway", "preference"),
    ("commit messages follow conventional commits", "preference"),
    ("user ids are ULIDs", "discovery"),
    ("no new dependencies without asking me", "preference"),
    ("use British spelling in the docs", "preference"),
    ("could you please always run the linter first", "preference"),
    ("I want type hints on all new functions", "preference"),
    ("stop adding emojis to commit messages", "preference"),
    ("never push to main directly", "preference"),
    ("the staging db is read only for us", "discovery"),
    ("customer data must not leave the EU", "constraint"),
    ("the max upload size is 25 MB", "constraint"),
    ("only ops can access the production database", "constraint"),
    ("we must support Safari 14", "constraint"),
    ("feature flags live in LaunchDarkly", "discovery"),
    ("the frontend dev server runs on port 3001", "discovery"),
    ("ask Petra about the billing service", "discovery"),
    ("the mobile team owns the auth module", "discovery"),
    ("the customer id is a string, not a number", "discovery"),
    ("we decided to use event sourcing for orders", "decision"),
    ("let's go with Postgres because we know it", "decision"),
    ("htmx it is, I'm the only frontend person", "decision"),
    ("leave the csv export for later, finance has to agree first", "tech_debt"),
    ("Beträge werden immer in Cent gespeichert, nie als Float", "preference"),
    ("die Staging-Datenbank ist schreibgeschützt", "constraint"),
    ("Migrationen laufen über Flyway", "preference"),
    ("frag Petra zum Abrechnungsdienst", "discovery"),
    ("金額は常に最小単位で扱い、浮動小数点は使わない", "preference"),
    ("デプロイは金曜日に禁止", "constraint"),
    ("設定ファイルは config/ にあります", "discovery"),
    ("en este repo usamos pnpm, no npm", "preference"),
    # A declarative sentence in the present tense about the project.
    ("our API returns snake_case everywhere", "discovery"),
    ("the mobile app still supports iOS 15", "discovery"),
    ("CI only has Java 11", "constraint"),
    ("the proxy has no route to the office", "constraint"),
    ("rate limit is 100 requests per minute per key", "constraint"),
    # A turn away from what held before, an exception, a permission.
    ("we've migrated off Jest, all tests are Vitest now", "decision"),
    ("dropping Node 18: minimum is Node 22", "decision"),
    ("LaunchDarkly got cancelled, flags are in our own table now", "decision"),
    ("the staging db is no longer shared, it may be reset", "constraint"),
    ("the api port is 9090 now", "discovery"),
    ("security hotfixes may be deployed on weekends", "constraint"),
    ("except Makefiles, those need tabs", "preference"),
    ("dev dependencies you can add without asking", "preference"),
    # Terse choices, work that is put off, orders about many things, prohibitions with a reason.
    ("zustand then, redux is too much for one list", "decision"),
    ("ipv6 can wait, nobody asked for it yet", "tech_debt"),
    ("use feature branches", "preference"),
    ("prefix unused variables with an underscore", "preference"),
    ("no GPL libraries, legal forbids it", "constraint"),
    ("don't change the column order, the bank imports by position", "constraint"),
    ("我们使用 pnpm, 不要用 npm", "preference"),
]
PASSING = [
    "the title must be centered",
    "tests are red on CI",
    "the export must have a header line, add it",
    "the policy server rejects the image, find out why",
    "cap the retries at 5 please",
    "clicking opens the day",
    "tell me which tests never ran in CI",
    "app crashes always when I rotate the phone",
    "der Test schlägt immer noch fehl",
    "stell den Runner bitte auf das neue Image um",
    "commit and push",
    "file an issue, medium priority",
    "bring it up to date with main",
    "give me a commit message for this feature",
    "let's go with option 1",
    "that's not correct, the trailer is added by the hook",
    "thanks, looks good",
    "I've still got a red build",
    "why does it always return null?",
    "the modal never closes when I click outside",
    "the build is failing on CI",
    "we should at least log the skipped sessions",
    "I want to see the output first",
    "don't commit yet",
    "use a map here instead of the list",
    "never seen that error before",
    "all tests must pass before you continue",
    "You are a senior engineer, review the following code",
    "users can log in with google",
    "maybe we should always run it twice",
    "Implement the following plan:\n\nAlways use tabs. We use pnpm.",
    "kannst du das mal prüfen?",
    "der Build ist kaputt",
    "テストを追加してください",
    "なぜ失敗しますか",
    "ajoute un test pour le panier vide",
]


# The encoder is fitted, so of a long list a share has to be right. What is said in so many words always is.


def sure(message):
    return [found for found in user_statements.find(message) if found.certainty >= SURE]


def missed(found):
    """The lasting statements of which a function finds nothing."""
    return [said for said, _ in LASTING if not found(said)]


def test_lasting_statements_are_kept_and_need_no_review():
    assert len(missed(sure)) <= 0.15 * len(LASTING)


def test_lasting_statements_are_kept_by_their_kind():
    right = [said for said, kind in LASTING if kind in {found.kind for found in sure(said)}]
    assert len(right) >= 0.75 * len(LASTING)


def test_requests_questions_and_remarks_are_not_kept():
    assert len([said for said in PASSING if sure(said)]) <= 0.05 * len(PASSING)


def test_it_matters_little_what_is_asked_around_a_statement():
    def around(said):
        if said.isascii():
            return f"Add the endpoint to the orders service. By the way: {said}. Then run the tests and commit."
        return f"Please look at the tests.\n\n{said}\n\nThen commit."

    assert len(missed(lambda said: user_statements.find(around(said)))) <= 0.15 * len(LASTING)
    assert {found.text for found in sure(around("amounts are always in minor units, never floats"))} == {
        "amounts are always in minor units, never floats."
    }


def test_two_rules_of_a_message_are_two_and_a_rule_said_twice_is_one():
    both = user_statements.find("We use pnpm. Fix the login. Never push to main. we use pnpm")
    assert [statement.text.rstrip(".") for statement in both] == ["We use pnpm", "Never push to main"]


@each(
    ("said", "reason"),
    [
        ("We use pnpm because the lockfile is smaller.", "the lockfile is smaller"),
        ("We use pnpm. Otherwise the cache grows too fast.", "the cache grows too fast"),
        ("We use pnpm. The cache grows too fast.", ""),
    ],
)
def test_a_reason_is_one_only_where_a_causal_word_links_it(said, reason):
    assert user_statements.find(said)[0].reason == reason


def test_a_rule_behind_a_task_in_the_same_sentence_is_kept_without_the_task():
    [statement] = user_statements.find("add the endpoint, and remember that amounts are in cents")
    assert statement.text == "amounts are in cents"


def test_a_rule_behind_a_question_is_kept_though_it_begins_with_and():
    (found,) = user_statements.find("can you fix the flaky test? And please never use sleeps in tests.")
    assert found.text == "never use sleeps in tests."


@each(
    "said",
    [
        "The legend should be at the bottom, and the tooltip should never cover the cursor.",
        "In the tutorial, the arrow should always point at the nearest target.",
    ],
)
def test_what_says_never_or_always_of_one_thing_waits_for_a_review(said):
    assert all(found.certainty == user_statements.UNSURE for found in user_statements.find(said))


@each(
    ("said", "kind"),
    [
        ("parquet files of the ingest team are partitioned by event date and not by load date", "discovery"),
        ("the retry logic of the client is copy pasted three times, we live with it until the rewrite", "tech_debt"),
    ],
)
def test_a_statement_has_the_kind_of_what_it_says(said, kind):
    (found,) = user_statements.find(said)
    assert found.kind == kind


def test_a_sentence_of_two_clauses_is_kept_whole():
    for said in (
        "The staging database is shared, never reset it",
        "the route shapes are settled, don't propose changes to them",
    ):
        (found,) = user_statements.find(said)
        assert found.text == said


def test_what_was_typed_behind_a_slash_command_is_the_users():
    [statement] = user_statements.find("/review we never squash release branches")
    assert statement.text == "we never squash release branches"


@each("said", ["we use " * 100_000, "a, " * 200_000, "the " + "x " * 300_000, "never" * 100_000, "金" * 300_000])
def test_whatever_is_said_is_judged_in_time(said):
    start = time.process_time()
    user_statements.find(said)
    assert time.process_time() - start < PATIENCE_SECONDS


def test_a_rule_without_a_verb_is_found():
    (found,) = user_statements.find("no default exports")
    assert found.certainty > user_statements.IF_KNOWN


def test_what_is_likely_but_not_certain_waits_for_a_review():
    for said, _ in LASTING:
        certainty, spoken = certainty_of(said), languages.language(said)
        if not spoken and not lasting.is_explicit(said) and PLAIN.kept <= certainty < PLAIN.sure:
            assert [found.certainty for found in user_statements.find(said)] == [user_statements.UNSURE]


def certainty_of(said):
    return user_statements.judge_placed(user_statements.Placed(said, 0, said)).certainty


def test_an_answer_that_only_names_an_option_states_nothing_by_itself():
    assert user_statements.find("let's go with option 2") == []


def test_a_long_message_has_to_be_surer_of_what_it_states():
    in_a_long_message = user_statements.NEEDED["in a long message"]
    assert in_a_long_message.kept > PLAIN.kept
    assert in_a_long_message.sure > PLAIN.sure


def test_a_sentence_that_points_back_states_nothing_by_itself():
    assert user_statements.find("That one is owned by the platform team") == []
