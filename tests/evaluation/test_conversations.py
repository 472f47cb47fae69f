"""`eval` of statements and questions: short sessions that are played, and what is counted of them."""

import json

import pytest

RULE = "From now on always use pnpm in this repo, never npm."


def run(box, dataset, *rows, code=0, flags=()):
    place = box.folder / "rows.jsonl"
    place.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return box.run("eval", "--dataset", dataset, "--data", str(place), "--json", *flags, code=code)


def test_a_lasting_statement_is_kept_and_a_request_is_not(box):
    rows = {"prompt": f"{RULE} Now fix the build.", "keep": [RULE]}, {"prompt": "commit and push", "keep": []}
    found = run(box, "statements", *rows).json
    assert (found["statements_kept"], found["requests_kept"]) == (1, 0)
    assert (found["statements"], found["requests"], found["retired"]) == (1, 1, 0)


def test_what_was_missed_is_listed_in_the_results(box):
    missed = {"prompt": "thanks a lot", "keep": ["the printer is on port 9100"]}
    results = box.folder / "results.jsonl"
    assert run(box, "statements", missed, flags=("--results", str(results))).json["statements_kept"] == 0
    assert json.loads(results.read_text())["should_be"] == missed["keep"]


def test_unrelated_rules_are_both_kept(box):
    pair = {"old": RULE, "new": "Always write the changelog in German.", "relation": "unrelated"}
    found = run(box, "statements", pair).json
    assert (found["unrelated_pairs"], found["unrelated_right"]) == (1, 1)


def test_a_prompt_is_told_the_memory_that_helps_and_others_nothing(box):
    rows = (
        {"id": "db", "kind": "decision", "text": "We use Postgres 16 as the database of the api."},
        {"prompt": "What database does the api use?", "helps": ["db"]},
        {"prompt": "center the logo on the login page", "helps": []},
    )
    found = run(box, "questions", *rows).json
    assert (found["answered"], found["silent"], found["helpful"]) == (1, 1, 1)


@pytest.mark.parametrize("dataset", ["statements", "questions"])
def test_a_file_without_rows_of_the_data_set_is_refused(box, dataset):
    assert "A line is" in run(box, dataset, {"other": 1}, code=1).err
    assert "--data" in box.run("eval", "--dataset", dataset, code=2).err
