"""Which newer statements take an older one back, may do so, narrow it, or have nothing to do with it."""

import time

import pytest

from recollect.policy.reversals import grammar
from recollect.policy.reversals.grammar import differ, is_dependent
from recollect.policy.reversals.judge import judge
from recollect.policy.reversals.verdict import Verdict

REVERSED = [
    # (newer, older)
    ("we're off Mongo now, the event log is in ClickHouse", "We use MongoDB for the event log."),
    ("we replaced rabbit with NATS", "The queue is RabbitMQ."),
    ("the upload limit is 25 MB now, not 10", "Max upload size is 10 MB."),
    ("Petra left, billing questions go to Omar now", "Ask Petra about billing."),
    ("the api is on 9090 now", "The api listens on port 8080."),
    ("we dropped 3.8, minimum is Python 3.10", "We support Python 3.8 and up."),
    ("session tokens live for 8 hours now", "Session tokens expire after 30 minutes."),
    ("We moved from yarn to pnpm.", "We use yarn in this repo."),
    ("We moved to pnpm.", "We use yarn."),
    ("Use pnpm instead of yarn from now on.", "Always use yarn for installing packages."),
    ("We no longer use yarn.", "We use yarn."),
    ("yarn is gone, use pnpm.", "Use yarn."),
    ("Stop using moment, use date-fns.", "We use moment for dates."),
    ("We replaced Jest with Vitest.", "Unit tests run with Jest."),
    ("The api port is now 9090.", "The api port is 8080."),
    ("The api port is 9090.", "The api port is 8080."),
    ("The api port changed from 8080 to 9090.", "The api port is 8080."),
    ("Timeouts are now 60 s, not 30.", "Timeouts are 30 s."),
    ("We deploy on Thursdays now, not Tuesdays.", "We deploy on Tuesdays."),
    ("Deploys are on Thursday now.", "Deploys happen on Tuesday."),
    ("CI moved from CircleCI to GitHub Actions.", "CI runs on CircleCI."),
    ("We switched to GitHub Actions.", "CI runs on Jenkins."),
    ("We don't squash commits any more.", "Always squash commits before merging."),
    ("Stop squashing commits.", "Squash commits before you merge."),
    ("Drop storybook.", "We use storybook for components."),
    ("The default branch is now trunk.", "The default branch is main."),
    ("Ask Lee about billing instead, Dana left.", "Ask Dana about billing."),
    ("Lee owns billing now.", "Dana owns billing."),
    ("Forget the rule about commit messages.", "Commit messages are in English, imperative mood."),
    ("Migrations live in database/migrations now.", "Migrations live in db/migrate."),
    ("Wir sind von yarn auf pnpm umgestiegen.", "Wir nutzen yarn."),
    ("Wir benutzen kein Jest mehr, sondern Vitest.", "Wir benutzen Jest für Tests."),
    ("Ab sofort pnpm statt yarn.", "Wir nutzen yarn als Paketmanager."),
    ("Der API-Port ist jetzt 9090.", "Der API-Port ist 8080."),
    ("yarnからpnpmに移行しました。", "パッケージ管理にはyarnを使います。"),
    ("今後はyarnではなくpnpmを使ってください。", "yarnを使ってください。"),
    ("APIのポートは9090に変更しました。", "APIのポートは8080です。"),
    ("We no longer return null for missing users; throw NotFound.", "Return null for missing users."),
    ("We use tabs now instead of spaces.", "Indent with spaces."),
    ("The retry limit was raised from 3 to 5.", "The retry limit is 3."),
    ("We went from MySQL to Postgres last month.", "The database is MySQL."),
    ("We store dates as epoch millis now instead of ISO strings.", "We store dates as ISO strings."),
    ("Use 4 workers now.", "Use 8 workers."),
    ("Committing to main is allowed again.", "Never commit to main."),
    ("The max line length is 120 now.", "The max line length is 100."),
    ("Node 20 is what we use now, not 18.", "We use Node 18."),
    ("We use Python 3.12 now.", "We use Python 3.11."),
    ("feature flags are no longer in LaunchDarkly, we use Unleash now.", "Feature flags are in LaunchDarkly."),
    ("The staging url is now https://stage.acme.dev", "The staging url is https://staging.acme.io"),
    ("Heroku is history: we deploy to fly.io.", "We deploy to Heroku."),
    ("Biome replaced eslint.", "Linting is done with eslint."),
    ("Releases are cut weekly now.", "Releases are cut monthly."),
    ("Named exports instead of default exports from now on.", "Use default exports."),
    ("We've switched the linter: ruff, not flake8.", "Lint with flake8."),
    ("Order numbers are not per branch any more.", "Order numbers are counted per branch."),
    ("nightly reports aren't mailed to finance any longer", "Mail the nightly reports to finance."),
    ("Please use httpx from now on, requests is out.", "Use requests for HTTP calls."),
    ("Poetry has been replaced by uv.", "Dependencies are managed with poetry."),
    ("We changed the session timeout to 15 minutes.", "The session timeout is 30 minutes."),
    ("Scrap the monthly release, we release weekly now.", "We release monthly."),
    ("The log level in production is now warn instead of info.", "The log level in production is info."),
    ("Branch names start with feature/ now, not feat/.", "Branch names start with feat/."),
    ("We've dropped support for Internet Explorer.", "We support Internet Explorer 11."),
    ("Prices are stored as decimals now, no longer as cents.", "Prices are stored as cents."),
    ("Redis is no longer our session store, sessions are in Postgres now.", "Sessions are stored in Redis."),
    ("Jira is dead, issues are in Linear.", "We track issues in Jira."),
    ("The docs moved from Confluence to Notion.", "The docs are in Confluence."),
    ("Don't prefix interfaces with I any more.", "Prefix interfaces with I."),
    ("We've stopped mocking the database in integration tests.", "Mock the database in integration tests."),
    ("Reviews now need two approvals instead of one.", "Reviews need one approval."),
    ("Marta is the new owner of the payments service, not Jens.", "Jens owns the payments service."),
    ("The CDN is Fastly now, we left Cloudflare.", "The CDN is Cloudflare."),
    ("From now on we write the API in Rust instead of Go.", "The API is written in Go."),
    ("Use snake_case for JSON keys now instead of camelCase.", "JSON keys are camelCase."),
    ("We're on Kubernetes now, docker compose is gone.", "We deploy with docker compose."),
    ("The upload limit has been raised to 50 MB.", "The upload limit is 20 MB."),
    ("The cron job now runs at 4am, not 2am.", "The cron job runs at 2am."),
    ("Deployments to production happen on Wednesdays from now on.", "Deployments to production happen on Mondays."),
    ("We no longer require signed commits.", "We require signed commits."),
    ("Feature flags: Unleash replaces LaunchDarkly.", "We use LaunchDarkly for feature flags."),
    ("Don't use barrel files any more.", "Use barrel files for every package."),
    ("Ignore what I said about changelog entries.", "Add changelog entries for every PR."),
    ("The rule that every PR needs a ticket no longer applies.", "Every PR needs a ticket."),
    ("We're back on npm, pnpm caused trouble.", "We use pnpm."),
    ("The test database is called app_ci now.", "The test database is called app_test."),
    ("Staging is at stage.example.com now.", "Staging is at staging.example.com."),
    ("Errors are now returned as problem+json instead of plain strings.", "Errors are returned as plain strings."),
    ("Wir deployen jetzt donnerstags statt dienstags.", "Wir deployen dienstags."),
    ("Jenkins wurde durch GitHub Actions ersetzt.", "Die CI läuft auf Jenkins."),
    ("Das Limit liegt jetzt bei 50 MB, nicht mehr bei 20.", "Das Limit liegt bei 20 MB."),
    ("デプロイは木曜日に変更になりました。", "デプロイは火曜日です。"),
    ("Jestの代わりにVitestを使います。", "テストはJestを使います。"),
    ("Jenkinsは廃止しました。", "CIはJenkinsを使っています。"),
    ("Coverage threshold is 85 % now.", "The coverage threshold is 80 %."),
    ("We bumped the minimum Go version to 1.22.", "The minimum Go version is 1.21."),
    ("Use REST, we abandoned GraphQL.", "The API is GraphQL."),
    ("Semicolons are required again.", "No semicolons."),
]
MAYBE = [
    # (newer, older)
    ("Use pnpm.", "We use yarn."),
    ("Never squash commits.", "Always squash commits."),
    ("We might move to pnpm next quarter.", "We use yarn."),
    ("The owner of billing is Lee.", "The owner of billing is Dana."),
    ("We moved to pnpm.", "We use yarn in the docs folder."),
]
NARROWED = [
    # (newer, older)
    ("npm is fine in the examples, though.", "Never use npm."),
    ("Except in tests, where floats are ok.", "Amounts are in minor units, never floats."),
    ("But in scripts npm is ok.", "Always use pnpm, never npm."),
    ("Use yarn in the docs folder.", "We use pnpm."),
    ("Timeouts are 60 s in the worker.", "Timeouts are 30 s."),
    ("Only release managers may push to main.", "Never push to main."),
    ("console.log is allowed in scripts.", "No console.log in the code."),
    ("The legacy service stays on mysql.", "We use postgres."),
    ("In Skripten ist npm erlaubt.", "Immer pnpm, nie npm."),
    ("テストではnpmを使ってもよい。", "npmは禁止。"),
    ("In the CLI package you can still use console.log.", "Never use console.log."),
    ("Generated code is exempt from the line limit.", "Lines are at most 100 characters; that is the line limit."),
    ("Unless it is a hotfix, which may go out on Fridays.", "Never deploy on Fridays."),
    ("Hotfixes may go out on Fridays, though.", "Never deploy on Fridays."),
    ("The mobile app stays on yarn.", "We use pnpm everywhere."),
    ("For the admin panel double quotes are fine.", "Use single quotes."),
    ("Only the platform team may change terraform files.", "Do not change terraform files."),
    ("Raw SQL is ok in migrations.", "No raw SQL, use the query builder."),
    ("In Tests darf console.log benutzt werden, das ist ok.", "Kein console.log."),
    ("ただし、ドキュメントの修正は金曜日でもよい。", "金曜日のデプロイは禁止。"),
]
UNRELATED = [
    ("The admin panel listens on 3001 now.", "The api listens on port 8080."),
    ("Build artifacts don't go to S3 any more.", "Backups go to S3."),
    ("Backups are kept for 30 days now.", "Logs are kept for 14 days."),
    ("Petra left.", "Feature flags live in Unleash."),
    # (newer, older)
    ("Prefer named exports, no default exports.", "We use pnpm."),
    ("Timeouts are 60 s in the worker.", "Timeouts are 30 s in the api."),
    ("We moved from mysql to postgres.", "We use redis for caching."),
    ("Never commit generated files.", "Commit messages are in English."),
    ("We no longer use the staging database for demos.", "The staging database is reset every night."),
    ("We moved from yarn to pnpm.", "Commit the yarn lockfile with every change."),
    ("Tests live in tests/unit now.", "Docs live in docs/guide."),
    ("The api port is 8080.", "The admin port is 9090."),
    ("We deploy on Thursdays.", "The weekly report goes out on Mondays."),
    ("Stop using any in TypeScript.", "TypeScript is strict in this repo."),
    ("The worker uses mysql.", "The api uses postgres."),
    ("Max 3 retries for webhooks.", "Max 5 retries for emails."),
    ("Drop the users_old table in the next migration.", "The users table has soft deletes."),
    ("Use double quotes in Python.", "Use single quotes in JavaScript."),
    ("Don't log customer names.", "Log every request with its id."),
    ("The importer is no longer slow.", "The importer reads CSV."),
    ("Never use floats for money.", "Amounts are always in minor units."),
    ("Don't use npm in CI.", "CI runs on GitHub Actions."),
    ("Use npm ci instead of npm install in CI.", "We use npm."),
    ("We support Node 20.", "We support Node 18."),
    ("Port 9090 is taken by grafana.", "Port 8080 is taken by the api."),
    ("Dana owns the docs.", "Dana owns billing."),
    ("We use Playwright for e2e tests.", "Unit tests run with Vitest."),
    ("The web app uses React.", "The API is written in Go."),
    ("Logs go to Datadog.", "Errors go to Sentry."),
    ("Use 2 replicas for the worker.", "Use 3 replicas for the api."),
    ("Dates are in UTC.", "Amounts are in cents."),
    ("Run prettier before committing.", "Run eslint before committing."),
    ("Never force-push to main.", "Never commit to main directly."),
    ("Drop the index before the bulk import.", "The bulk import runs nightly."),
    ("The api no longer logs request bodies.", "The api logs request ids."),
    ("The parser moved from src/parse.ts to src/parser/index.ts.", "The lexer is in src/lex.ts."),
    ("We replaced the hero image with a video.", "The hero has a dark background."),
    ("Stop the dev server before running the tests.", "The dev server runs on port 3000."),
    ("Ask Lee about the design system.", "Ask Dana about billing."),
    ("Customer ids are UUIDs.", "Order ids are ULIDs."),
    ("No default exports.", "We use pnpm by default."),
    ("The default page size is 25.", "The default timeout is 30."),
    ("We use Postgres 16.", "The read replica lags by 2 s."),
    ("Comments are in English.", "The UI is in German."),
    ("Rename the flag now.", "The flag is called beta_ui."),
    ("Never edit generated files, run make generate instead.", "Run make lint before pushing."),
    ("We moved the team meeting from Monday to Tuesday.", "We deploy on Mondays."),
    ("Order numbers are not shown per branch any more.", "Order numbers are counted per branch."),
    ("Cache entries expire after 10 minutes now.", "Sessions expire after 30 minutes."),
    ("We switched the docs site from Gatsby to Astro.", "The shop uses Gatsby."),
    ("Use named exports instead of default exports.", "We use npm instead of yarn."),
    ("The invoice job runs at 5am.", "The cleanup job runs at 2am."),
    ("Tabs are no longer restored on startup.", "Indent with tabs."),
    ("Tests must not hit the network.", "Tests run with pytest."),
    ("Don't use sleep in tests.", "Use tests to document behaviour."),
    ("main is protected now.", "The default branch is main."),
]


@pytest.mark.parametrize(("new", "old"), REVERSED)
def test_a_turn_about_the_same_subject_is_a_reversal(new, old):
    assert judge(new, old) is Verdict.REVERSED


@pytest.mark.parametrize(("new", "old"), MAYBE)
def test_the_contrary_without_a_turn_may_replace(new, old):
    assert judge(new, old) is Verdict.MAYBE_REPLACED


@pytest.mark.parametrize(("new", "old"), NARROWED)
def test_an_exception_narrows_a_rule(new, old):
    assert judge(new, old) is Verdict.NARROWED


@pytest.mark.parametrize(("new", "old"), UNRELATED)
def test_shared_words_are_no_reversal(new, old):
    assert judge(new, old) in (Verdict.UNRELATED, Verdict.MAYBE_REPLACED)


def test_few_pairs_with_shared_words_are_linked():
    linked = [pair for pair in UNRELATED if judge(*pair) is not Verdict.UNRELATED]
    assert len(linked) <= 0.15 * len(UNRELATED)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("the Mapbox contract ran out, tiles are from our own server now", "Our map tiles come from Mapbox."),
    ],
)
def test_what_reverses_by_the_knowledge_of_the_world_is_read_by_the_encoder(new, old):
    assert grammar.judge(new, old) is Verdict.UNRELATED
    assert judge(new, old) is Verdict.REVERSED


@pytest.mark.parametrize(("new", "old"), [(new, new) for new, _ in REVERSED + NARROWED + UNRELATED])
def test_no_statement_takes_itself_back(new, old):
    assert judge(new, old) is not Verdict.REVERSED


def test_an_exception_without_a_subject_depends_on_what_was_said_before():
    assert is_dependent("In the examples it is fine, though.")
    assert not is_dependent("npm is fine in the examples, though.")


@pytest.mark.parametrize(
    ("new", "old", "is_other"),
    [
        ("Timeouts are 30 s.", "Timeouts are 60 s.", True),
        ("Use pnpm here.", "Use yarn here.", True),
        ("Never log names.", "Log names.", True),
        ("Dumps go to build/out.", "Dumps go to build/tmp.", True),
        ("Please use pnpm here.", "Use pnpm here, always.", False),
    ],
)
def test_other_numbers_names_and_negations_are_other_rules(new, old, is_other):
    assert differ(new, old) is is_other


def test_a_hostile_text_is_judged_quickly():
    began = time.process_time()
    for text in (
        "moved from " * 90_000,
        "a" * 1_000_000,
        "no longer, " * 90_000,
        "から" * 400_000,
        "the rule " * 100_000,
    ):
        judge(text, text)
    assert time.process_time() - began < 30  # a quadratic step would take minutes
