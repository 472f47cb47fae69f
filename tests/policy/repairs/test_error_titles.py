"""Titles of what comes from commands have at most twelve words, and names keep their case."""

from tables import each

from recollect.policy.repairs import session_goal, titles


@each(
    "line, title",
    [
        ("cmd/shop/cart_test.go:31:2: totals differ", "Totals differ"),
        ("src/app.ts:3:1: parseCart is wrong", "parseCart is wrong"),
        ("cmd/shop fails to start", "cmd/shop fails to start"),
        ("[worker] ERROR the queue is gone", "The queue is gone"),
        ("KeyError: 'port'", "KeyError: 'port'"),
        (
            "Error: migration 12 found rows without an owner in the target database, nothing was applied",
            "Migration 12 found rows without an owner in the target database",
        ),
        (
            "TestCart_Total_With_Vouchers: the total should be the sum of all lines minus vouchers, got 3",
            "The total should be the sum of all lines minus vouchers",
        ),
        ("`Cart` has no total", "Cart has no total"),
        (
            "Could not open the store of this user for writing (locked by another)",
            "Could not open the store of this user for writing",
        ),
    ],
)  # fmt: skip
def test_an_error_s_title_is_short_and_whole(line, title):
    assert titles.error_title(line) == title


@each(
    "prompts, goal",
    [
        (["Implement the following plan:\n\n# Plan: Vouchers in the cart\n\n## Steps\n1. add"], "Vouchers in the cart"),
        (["/review 12", "can you add vouchers to the cart?"], "add vouchers to the cart?"),
        (["/plan the cart needs vouchers, and a total"], "the cart needs vouchers, and a total"),
        (["yes", "commit and push", "please show the total of the cart"], "show the total of the cart"),
        (["the test is red"], "the test is red"),
        (["go"], "go"),
    ],
)
def test_a_session_s_goal_is_what_the_first_telling_prompt_says(prompts, goal):
    assert session_goal.goal(prompts) == goal
