"""Text that a user only passes on is no statement of the user: review comments, screens of a terminal."""

from tables import each

from recollect.policy.statements import code_descriptions, user_statements

REVIEW = (
    "The parseOrder function is defined in orders.py but never called anywhere in the code base. "
    "A search for client.parseOrder returns no matches, so this is dead code that has to be maintained."
)
WIDTH = 70
SCREEN = "take this:\n\n" + "\n".join(
    line.ljust(WIDTH)
    for line in ("  The staging database is read only.", "  Feature flags live in Unleash.", "  The port is 3001.")
)


def test_a_review_comment_is_not_taken_for_the_users_own_words():
    assert code_descriptions.is_description(REVIEW)
    assert user_statements.find(REVIEW) == []


def test_always_and_never_count_in_a_message_that_describes_code_too():
    found = user_statements.find(f"{REVIEW} Amounts are always in minor units, never floats.")
    assert [statement.text for statement in found] == ["Amounts are always in minor units, never floats."]


@each(
    "message",
    [
        "feature flags live in flags.yaml",
        "we keep parseOrder in orders.py because the importers of both warehouses call it at night, never inline it",
        "parseOrder in orders.py is slow today, can you find out why it reads every row of the table twice?",
    ],
)
def test_a_short_fact_and_a_message_in_which_somebody_speaks_are_no_mere_description(message):
    assert not code_descriptions.is_description(message)


def test_lines_copied_from_a_terminal_are_not_taken_for_the_users_own_words():
    assert user_statements.find(SCREEN) == []
    assert user_statements.find(SCREEN.replace("  ", "")) != []
