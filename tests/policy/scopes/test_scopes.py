"""When a rule applies, as tables: what rules are about, which prompts ask for it, and which calls are it."""

import time

from tables import each

from recollect.policy.scopes import activities, call_matching, scope
from recollect.policy.scopes.activities import ACTIVITIES, BY_NAME
from recollect.policy.scopes.activity import items
from recollect.policy.scopes.scope import Scope, parse, scope_of
from recollect.policy.scopes.word_patterns import Pattern

RULES = (
    ("Ask before adding a dependency.", "adding a dependency"),
    ("Always ask me before you install new packages", "adding a dependency"),
    ("Never force push", "pushing"),
    ("Never push to main directly, always open a PR", "pushing; branching and merging; opening a pull request"),
    ("Amounts are always in minor units, never floats", "money amounts"),
    ("Use pnpm, never npm", "npm; yarn; bun"),
    ("Always use pnpm in this repo", "npm; yarn; bun"),
    ("Use uv for Python packages", "pip; pip3; poetry; pipenv; conda; pdm"),
    ("Run the linter before committing", "committing"),
    ("Commit messages follow Conventional Commits", "committing"),
    ("Never commit secrets or .env files", "committing; secrets; .env"),
    ("Sign every commit", "committing"),
    ("All timestamps are stored in UTC", "dates and times"),
    ("Every new endpoint needs an OpenAPI description", "changing the API"),
    ("Endpoints must return errors as problem+json", "changing the API; handling errors"),
    ("Never deploy on Fridays", "deploying and releasing"),
    ("Releases need a changelog entry", "deploying and releasing; committing; opening a pull request"),
    ("Update CHANGELOG.md with every user-visible change", "committing; opening a pull request; CHANGELOG.md"),
    ("Migrations must be reversible", "changing the database schema"),
    ("Never drop columns in the same release", "changing the database schema; deploying and releasing"),
    ("Columns are snake_case", "changing the database schema; naming things"),
    ("Soft delete users, never hard delete", "deleting data"),
    ("Never log personal data", "logging; personal data"),
    ("Use structlog, never print statements", "logging"),
    ("No console.log in committed code", "logging"),
    ("Wrap errors with %w, never swallow them", "handling errors"),
    ("Don't catch Exception broadly", "handling errors"),
    ("Tests must not hit the network", "writing tests"),
    ("Write table-driven tests", "writing tests"),
    ("Mocks are forbidden in integration tests", "writing tests"),
    ("Always run `make test` before pushing", "pushing"),
    ("Run tests with `pytest -n 2`", "running tests"),
    ("In TypeScript never use any", "formatting and style of code; *.ts; *.tsx"),
    ("Use type hints everywhere in Python", "formatting and style of code; *.py"),
    ("No default exports", "formatting and style of code"),
    ("User-facing strings must go through i18n", "user-facing text and translations"),
    ("All buttons must come from our design system", "working on the user interface"),
    ("Feature flags for every new feature", "configuration; implementing a feature"),
    ("Never edit files in src/generated/", "src/generated/**"),
    ("Protobuf files are generated, never edit *.pb.go by hand", "changing generated code; *.pb.go"),
    ("API keys live in Vault, never in the repo", "secrets"),
    ("Never use terraform apply locally, CI does it", "changing infrastructure; changing the CI; terraform apply"),
    ("Don't touch production without asking", "deploying and releasing"),
    ("PRs need two reviewers", "opening a pull request; reviewing code"),
    ("Squash commits when merging", "branching and merging"),
    ("Branch names start with the ticket number", "branching and merging"),
    ("Comments explain why, not what", "writing documentation"),
    ("README must stay in English", "writing documentation"),
    ("Use React Query for server state", ""),
    ("We use Postgres 15 in production", ""),
    ("Our API account is limited to 10 requests per second", ""),
    ("Passwords are hashed with argon2", "authentication and permissions; secrets"),
    ("Every external call needs a timeout", "calling other services"),
    ("Background jobs must be idempotent", "background jobs"),
    ("CI must stay under ten minutes", "changing the CI"),
    ("Ask Dana about billing", ""),
    ("The staging server is at stage.example.com", ""),
    ("Prices are shown with VAT", "money amounts"),
    ("Dockerfiles use distroless base images", "changing containers"),
    ("Make a plan before implementing anything big", "implementing a feature"),
    ("Always answer in German", ""),
    ("Be concise", ""),
    ("I prefer short answers", ""),
    ("Never use sudo", "sudo"),
    ("All dates are ISO 8601", "dates and times"),
    ("Functions stay under 40 lines", "formatting and style of code"),
    ("SQL keywords are upper case", "querying the database"),
    ("Never use raw SQL, use the ORM", "querying the database"),
    ("Use feature branches", "branching and merging"),
    ("Keep the lockfile committed", "adding a dependency"),
    ("Never run `git reset --hard` without asking", "git reset --hard"),
    ("Never amend pushed commits", "pushing; committing"),
    ("Frag mich, bevor du eine Abhängigkeit hinzufügst", "adding a dependency"),
    ("Beträge sind immer in Cent", "money amounts"),
    ("Kein Deployment am Freitag", "deploying and releasing"),
    ("The lint step takes 3 minutes", "formatting and style of code"),
    ("Meetings are on Tuesday", ""),
    ("The parser lives in internal/parse", "internal/parse/**"),
)  # fmt: skip
PROMPTS = (
    ("pull in lodash.debounce for the search box", "adding a dependency"),
    ("use axios for this", "adding a dependency"),
    ("bump react", "adding a dependency"),
    ("let's use zod to validate it", "adding a dependency"),
    ("add date-fns", "adding a dependency"),
    ("can you upgrade django to 5.1", "adding a dependency"),
    ("npm install left-pad", "adding a dependency"),
    ("switch from moment to dayjs", "adding a dependency"),
    ("we need a library that parses CSV", "adding a dependency"),
    ("add @tanstack/react-table to the web app", "adding a dependency"),
    ("replace requests with httpx", "adding a dependency"),
    ("update the dependencies", "adding a dependency"),
    ("install tailwind", "adding a dependency; working on the user interface"),
    ("go get github.com/google/uuid", "adding a dependency"),
    ("let's get this out to production", "deploying and releasing"),
    ("deploy it", "deploying and releasing"),
    ("ship it", "deploying and releasing"),
    ("cut a release", "deploying and releasing"),
    ("publish version 2.1 to npm", "deploying and releasing"),
    ("roll this out to staging", "deploying and releasing"),
    ("release 1.4", "deploying and releasing"),
    ("push to prod", "pushing; deploying and releasing"),
    ("put the fix live", "deploying and releasing"),
    ("promote the build to production", "deploying and releasing"),
    ("tag v1.2.0", "deploying and releasing"),
    ("add a column to users", "changing the database schema"),
    ("drop the legacy_id column", "changing the database schema"),
    ("write a migration for the new status", "changing the database schema"),
    ("create a table for audit events", "changing the database schema"),
    ("make email nullable", "changing the database schema"),
    ("rename the users table", "naming things; changing the database schema"),
    ("add an index on orders.created_at", "changing the database schema"),
    ("store the phone number in the database", "changing the database schema; personal data"),
    ("commit this", "committing"),
    ("commit and push", "committing; pushing"),
    ("please commit your changes", "committing"),
    ("make a commit", "committing"),
    ("ok commit it with a good message", "committing"),
    ("/commit", "committing"),
    ("can you push it?", "pushing"),
    ("push the branch", "pushing"),
    ("force push", "pushing"),
    ("open a PR", "opening a pull request"),
    ("create a pull request for this branch", "opening a pull request"),
    ("raise an MR", "opening a pull request"),
    ("merge it into main", "branching and merging"),
    ("rebase on main", "branching and merging"),
    ("create a new branch for this", "branching and merging"),
    ("squash the commits", "branching and merging"),
    ("review my changes", "reviewing code"),
    ("do a code review of the diff", "reviewing code"),
    ("add a test", "writing tests"),
    ("write unit tests for the parser", "writing tests"),
    ("cover this with tests", "writing tests"),
    ("add some e2e tests", "writing tests"),
    ("mock the clock in this spec", "writing tests"),
    ("run the tests", "running tests"),
    ("run pytest again", "running tests"),
    ("add an endpoint to list invoices", "changing the API; money amounts"),
    ("new route for password reset", "changing the API; authentication and permissions"),
    ("POST /orders should validate the quantity", "changing the API"),
    ("expose the search over the REST API", "changing the API"),
    ("paginate the results", "changing the API"),
    ("add logging to the worker", "logging; background jobs"),
    ("log every failed login", "logging"),
    ("add some debug prints", ""),
    ("handle the timeout error", "handling errors"),
    ("add retries to the upload", "handling errors"),
    ("wrap it in try/catch", "handling errors"),
    ("rename this variable to total", "naming things"),
    ("format the code", "formatting and style of code"),
    ("fix the lint errors", "formatting and style of code"),
    ("update the README", "writing documentation"),
    ("write docs for the CLI", "writing documentation"),
    ("document this function", "writing documentation"),
    ("translate the settings page to French", "user-facing text and translations"),
    ("change the button label to Save", "user-facing text and translations; working on the user interface"),
    ("center the logo on the login page", "working on the user interface"),
    ("make the sidebar collapsible", "working on the user interface"),
    ("add a dark mode", "working on the user interface"),
    ("build a modal for confirming", "working on the user interface"),
    ("show the order date in the list", "dates and times"),
    ("add a due date to tasks", "dates and times"),
    ("sessions expire after 30 minutes", "dates and times"),
    ("calculate the invoice total with discounts", "money amounts"),
    ("add a refund button", "working on the user interface; money amounts"),
    ("show prices in euros", "money amounts"),
    ("add login with Google", "authentication and permissions"),
    ("only admins can delete users", "deleting data; authentication and permissions"),
    ("delete old records from the audit table", "deleting data"),
    ("drop the staging database", "deleting data"),
    ("purge inactive users", "deleting data"),
    ("add terraform for the bucket", "changing infrastructure"),
    ("write a Dockerfile", "changing containers"),
    ("add a GitHub Action that lints", "changing the CI"),
    ("put the API key in the config", "secrets"),
    ("rotate the database password", "secrets"),
    ("add an env var for the port", "configuration"),
    ("make the timeout configurable", "configuration"),
    ("refactor the parser", "refactoring"),
    ("extract this into a helper", "refactoring"),
    ("implement the export feature", "implementing a feature"),
    ("add a nightly job that cleans up", "background jobs"),
    ("cache the result", "caching"),
    ("call the Stripe API to create a customer", "calling other services"),
)  # fmt: skip
OTHER_PROMPTS = (
    "What database does the api use?",
    "how does the parser work?",
    "why is the build failing?",
    "the deployment failed yesterday, look at the logs",
    "what did the last commit change?",
    "thanks, looks good",
    "fix the bug in the importer",
    "explain this function",
    "where is the login handled?",
    "check the logs",
    "bring it up to date",
    "what's left to do?",
    "continue",
    "yes",
    "let's go with option 2",
    "show me the diff",
    "which branch am I on?",
    "git status",
    "the table of contents is wrong",
    "make the function faster",
    "fix the typo in the header",
    "add a flag --verbose to the CLI",
    "the tests are slow, why?",
    "remove the unused import",
    "move the file to src/util.py",
    "find all usages of parseDate",
    "update package.json's description",
    "sort the list by name",
    "why does it return 404?",
    "undo that",
    "read src/api/users.ts and summarise it",
    "what does commit abc123 do",
    "is the feature done?",
    "add an item to the list",
    "push the item onto the stack",
    "is there a package for that?",
    "do the tests pass?",
    "what should we call this module?",
    'make the word "price" bold',
)


@each("rule, applies_to", RULES)
def test_a_rule_is_scoped_to_what_it_is_about(rule, applies_to):
    assert str(scope_of("preference", rule)) == applies_to


@each("prompt, asked", PROMPTS)
def test_a_prompt_is_known_by_what_it_asks_for(prompt, asked):
    assert "; ".join(activities.asked_for(prompt, BY_NAME)) == asked


@each("prompt", OTHER_PROMPTS)
def test_a_prompt_that_asks_for_something_else_is_no_activity(prompt):
    assert activities.asked_for(prompt, BY_NAME) == []


def test_a_note_has_no_scope_and_a_runbook_that_of_the_commands_that_failed():
    assert not scope_of("note", "Ask before adding a dependency")
    failed = scope_of("runbook", "the build fails", failed=["npm run build --prefix web/app", "./mine.sh"])
    assert failed == Scope(commands=("npm run build --prefix",))


@each(
    "cue, expected",
    [
        ("applies when: git push; *.sql; logging", Scope(("*.sql",), ("git push",), ("logging",))),
        ("Applies when: src/api/; `terraform apply`", Scope(("src/api/**",), ("terraform apply",), ())),
        ("applies when: releases", Scope((), (), ("deploying and releasing",))),
        ("when writing a migration", Scope()),
        ("", Scope()),
    ],
)  # fmt: skip
def test_a_cue_states_a_scope_only_behind_its_lead(cue, expected):
    assert parse(cue) == expected


def test_a_scope_is_read_back_as_it_was_written():
    for rule, _ in RULES:
        found = scope_of("preference", rule)
        assert parse(scope.cue_of(str(found))) == found


def test_a_cue_of_a_seed_is_prose_and_read_with_the_rule():
    assert scope_of("preference", "Tell Dana", cue="when you deploy").activities == ("deploying and releasing",)


@each(
    "pattern, line, is_meant",
    [
        ("git commit", "git commit -m 'x'", True),
        ("git commit", "git -C web commit", True),
        ("git commit", "cd web && FOO=1 git commit", True),
        ("git commit", "git log commit.py", False),
        ("git commit", "echo 'git commit'", False),
        ("npm install +", "npm install", False),
        ("npm install +", "npm install .", False),
        ("npm install +", "npm --prefix web install axios", True),
        ("pip install +", "pip install -r requirements.txt", False),
        ("pip install +", "python -m pip install httpx", True),
        ("pytest", "uv run pytest -q", True),
        ("manage.py migrate", "python manage.py migrate", True),
        ("rm -rf", "sudo rm -rf build", True),
        ("rm -rf", "rm build/x", False),
        ("sudo", "sudo make install", True),
        ("git push --force", "git push origin main", False),
        ("git push --force", "git push --force origin main", True),
        ("kubectl apply", "kubectl -n shop apply -f x.yaml", True),
        ("npm", "pnpm install", False),
    ],
)
def test_a_command_is_known_by_its_program_its_verbs_and_its_flags(pattern, line, is_meant):
    assert any(call_matching.is_command(pattern, words) for words in call_matching.simple_commands(line)) is is_meant


@each(
    "glob, path, is_meant",
    [
        ("*.sql", "/p/db/x.sql", True),
        ("*.sql", "/p/x.sql.md", False),
        ("package.json", "/p/web/package.json", True),
        ("package.json", "/p/my-package.json", False),
        ("src/api/**", "/p/src/api/v1/users.ts", True),
        ("src/api/**", "/p/src/apis/users.ts", False),
        ("src/main.go", "/p/src/main.go", True),
        ("requirements*.txt", "/p/requirements-dev.txt", True),
        ("*Test.java", "/p/OrderTest.java", True),
        (".env", "/p/.env", True),
    ],
)
def test_a_file_is_known_by_its_name_or_its_folder(glob, path, is_meant):
    assert call_matching.is_path(glob, path) is is_meant


def test_every_pattern_of_commands_and_files_has_words_to_look_for():
    for row in ACTIVITIES:
        for pattern in (*items(row.commands), *row.files.split()):
            found = call_matching.parts(pattern).split()
            assert found, pattern
            assert all(part in pattern for part in found)


def test_every_pattern_can_be_taken_apart():
    for row in ACTIVITIES:
        for source in (*items(row.rules), *items(row.prompts)):
            assert Pattern(source).groups, source


def test_a_long_text_is_read_in_no_time():
    started = time.process_time()
    for text in ("add " * 250_000, "use " + "x" * 1_000_000, "a/" * 500_000, "`" * 1_000_000, "before " * 100_000):
        activities.asked_for(text, BY_NAME)
        scope_of("preference", text)
    assert time.process_time() - started < 20
