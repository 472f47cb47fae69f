"""`eval --dataset year`: sixty days of simulated sessions, with upkeep and without it."""

from recollect.evaluation.year import scenario

DAYS, SOURCES = 60, 8


def test_sixty_days_of_upkeep_keep_the_store_smaller_and_recall_as_good(box):
    picture = box.folder / "year.svg"
    options = ("--days", str(DAYS), "--limit", str(SOURCES), "--plot", str(picture), "--json")
    found = box.run("eval", "--dataset", "year", *options).json
    kept, everything = found["with_upkeep"], found["without"]
    last, last_without = kept["samples"][-1], everything["samples"][-1]
    assert last["day"] == DAYS
    assert last["active"] < last_without["active"]
    assert last["recall"] >= last_without["recall"] - 0.01
    assert kept["over_cap"] == everything["over_cap"] == {}
    assert (kept["lost_pins"], kept["lost_recent"], kept["superseded_shown"]) == (0, 0, 0)
    assert kept["undo_restores"] is True
    assert picture.read_text("utf-8").count("<polyline") == 4


def test_the_same_seed_gives_the_same_year():
    year = list(scenario.plan(3, 20, SOURCES))
    assert year == list(scenario.plan(3, 20, SOURCES))
    assert year != list(scenario.plan(4, 20, SOURCES))
    assert len(year) == 20 * scenario.SESSIONS_PER_DAY
    assert [session.at for session in year] == sorted(session.at for session in year)
    assert {session.project for session in year} == set(scenario.PROJECTS)


def test_a_lesson_is_repeated_reworded_or_new():
    text = "The retry of orders in staging fails after 3 attempts in src/retry.py"
    worded = [scenario.worded(text, session, 0) for session in scenario.plan(1, 100, SOURCES)]
    same = sum(
        line.replace(session.folder, "src/") == text
        for line, session in zip(worded, scenario.plan(1, 100, SOURCES), strict=True)
    )
    new = sum("module" in line for line in worded)
    assert 0.2 < same / len(worded) < 0.45
    assert 0.15 < new / len(worded) < 0.35
