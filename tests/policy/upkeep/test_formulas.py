"""The formulas of upkeep: importance after a day, the score of forgetting, which texts share a cluster."""

import pytest

from recollect.model.rows.upkeep_row import UpkeepRow
from recollect.policy.upkeep import clusters, compressing, forgetting, weighing

DAY = 86_400.0
TODAY = 20_000


def row(number: int = 0, **fields: object) -> UpkeepRow:
    made_up = {
        "uid": f"u{number}", "kind": "change", "slug": f"m{number}", "title": "", "text": "", "tags": "",
        "importance": 0.5, "pinned": False, "sensitivity": "public", "origin": "user", "strength": "",
        "confidence": None, "created": 0.0, "updated": 0.0, "expires": None, "hits": 0, "last_hit": None,
        "last_session": 0, "created_session": 0, "appreciation": 0,
    }  # fmt: skip
    return UpkeepRow(**{**made_up, **fields})


def edited(days_ago: float, **fields: object) -> UpkeepRow:
    return row(created=(TODAY - days_ago) * DAY, updated=(TODAY - days_ago) * DAY, **fields)


def weighed(one: UpkeepRow, *, uses: int = 0, rate: float = 0.02, weighed_on: int | None = None) -> object:
    """The importance after weighing; "away" for a memory that is put away, None for one that stays as it is."""
    rules = weighing.Rules(TODAY, weighed_on, rate, {"decision", "discovery"}, {"change", "discovery"})
    found = weighing.weigh([one], {one.uid: uses}, rules)
    return None if not found else "away" if found[0].is_put_away else round(found[0].importance, 5)


@pytest.mark.seed("D40")
def test_unused_memories_sink_each_day_protected_kinds_half_as_fast_and_used_ones_rise():
    assert weighed(edited(10)) == 0.3
    assert weighed(edited(10, kind="decision")) == 0.4
    assert weighed(edited(91, kind="decision", importance=1.0)) == 0.09
    assert weighed(edited(91)) == "away"
    assert round(0.5 + weighing.boost(3), 5) == 0.54159
    assert weighed(edited(10, last_hit=TODAY * DAY), uses=1) == round(0.5 + weighing.boost(1), 5)
    assert weighed(edited(0, importance=0.99), uses=5) == 1.0
    assert weighed(edited(10), rate=0.05) == 0.0
    assert weighed(edited(10, pinned=True)) is None


@pytest.mark.seed("D40")
def test_only_an_old_observation_is_put_away():
    assert weighed(edited(90, importance=0.04)) == 0.0
    assert weighed(edited(400, kind="note")) == 0.0
    assert weighed(edited(400, kind="decision")) == 0.0
    assert weighed(edited(400, pinned=True, importance=0.01)) is None
    assert weighed(edited(400, importance=0.01, last_hit=(TODAY - 2) * DAY)) == 0.0


@pytest.mark.seed("D42")
def test_what_was_weighed_today_is_not_weighed_again_and_a_clock_set_back_changes_nothing():
    assert weighed(edited(10), weighed_on=TODAY) is None
    assert weighed(edited(10), weighed_on=TODAY - 3) == 0.44
    assert weighed(edited(10), weighed_on=TODAY + 400) is None
    assert weighed(edited(-400)) is None, "a time in the future is no age"


@pytest.mark.seed("A37")
def test_the_score_of_forgetting_halves_in_200_sessions():
    assert round(forgetting.score(5, 200, 0), 4) == 1.2924
    assert round(forgetting.score(1, 300, 0), 4) == 0.3535
    assert round(forgetting.score(57, 0, 0), 4) == 5.8580
    assert forgetting.score(0, 0, 3) == 3
    assert forgetting.score(-5, -7, 0) == 0, "counters that somebody edited"


@pytest.mark.seed("A38")
def test_candidates_are_old_enough_not_pinned_and_sorted_by_score_then_name():
    rows = [
        row(1, slug="b", created_session=50), row(2, slug="a", created_session=50), row(3, created_session=51),
        row(4, slug="used", hits=3, last_session=90), row(5, pinned=True), row(6, expires=1.0),
    ]  # fmt: skip
    found = forgetting.candidates(rows, 100, min_age=50, count=10)
    assert [one.line for one in found] == [
        "0.0000  a  freq=0 last=0 appr=0", "0.0000  b  freq=0 last=0 appr=0", "1.9319  used  freq=3 last=90 appr=0",
    ]  # fmt: skip
    assert len(forgetting.candidates(rows, 100, min_age=50, count=1)) == 1


@pytest.mark.seed("A37")
def test_without_a_judge_a_strong_rule_of_the_user_is_never_forgotten():
    def is_forgotten(**fields: object) -> bool:
        return forgetting.candidates([row(**fields)], 400, min_age=50, count=1)[0].is_forgotten

    assert is_forgotten()
    assert is_forgotten(hits=1, last_session=100)
    assert not is_forgotten(hits=1, last_session=300)
    assert not is_forgotten(appreciation=1)
    assert not is_forgotten(kind="preference", strength="strong")
    assert not is_forgotten(kind="constraint", strength="critical")
    assert is_forgotten(kind="preference", strength="strong", origin="assistant")


@pytest.mark.seed("A37", "A38")
def test_on_the_schedule_what_was_captured_and_not_used_goes_too_up_to_a_share_of_all():
    rows = [
        row(1, slug="lately", origin="tool", last_session=120), row(2, slug="long", origin="tool", last_session=90),
        row(3, slug="heard", confidence=0.7), row(4, slug="used", origin="tool", hits=3, last_session=300),
        row(5, slug="by-hand"), row(6, slug="kept", confidence=0.95),
        row(7, slug="strong", confidence=0.7, strength="strong"), row(8, slug="young", created_session=380),
    ]  # fmt: skip

    def reviewed(count: int, share: float) -> list[str]:
        return [one.row.slug for one in forgetting.due(rows, 400, min_age=50, count=count, share=share)[0]]

    assert reviewed(0, 1.0) == ["heard", "long", "lately"], "nobody used them for the longest time"
    assert reviewed(0, 0.25) == ["heard", "long"]
    assert reviewed(1, 0.25) == ["by-hand", "heard"], "the candidates of A38 come first"
    assert reviewed(3, 0.0) == ["by-hand", "heard", "kept"]


def clustered(*texts: str, **fields: object) -> list[list[int]]:
    rows = [row(number, text=said, kind="note", **fields) for number, said in enumerate(texts)]
    return [[int(one.uid[1:]) for one in found] for found in clusters.clusters(rows, {"note": "note"})]


@pytest.mark.seed("D43")
def test_three_texts_that_share_half_of_their_words_are_a_cluster_also_through_one_another():
    assert clustered("a b c d", "a b c e", "a b c f") == [[0, 1, 2]]
    assert clustered("a b c d", "a b c e") == []
    chain = ("a b c d e f", "c d e f g h", "e f g h i j")
    assert clusters.similarity(chain[0].split(), chain[2].split()) < 0.5
    assert clustered(*chain) == [[0, 1, 2]]
    assert clustered("a b c d", "a b x y", "a b p q") == []


@pytest.mark.seed("D43")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("always run the linter before a push", "never run the linter before a push"),
        ("use tabs in makefiles here", "do not use tabs in makefiles here"),
        ("enable the cache for the build server", "disable the cache for the build server"),
        ("never use tabs, always use spaces", "never use spaces, always use tabs"),
    ],
)
def test_a_text_and_its_opposite_never_share_a_cluster(one, other):
    assert clusters.similarity(clusters.words(one), clusters.words(other)) >= 0.5
    found = clustered(one, f"{one} 1", f"{one} 2", other, f"{other} 1", f"{other} 2")
    assert found == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.seed("D44")
def test_nothing_is_compressed_across_sensitivity_origin_or_kind():
    rows = [row(number, text="a b c d", kind="note") for number in range(3)]
    for changed in ({"sensitivity": "secret"}, {"origin": "tool"}, {"kind": "bugfix"}, {"kind": "decision"}):
        mixed = [*rows[:2], rows[2]._replace(**changed)]
        assert clusters.clusters(mixed, {"note": "note", "bugfix": "observations"}) == [], changed
    assert len(clusters.clusters(rows, {"note": "note"})) == 1


def test_hundreds_that_say_the_same_are_split_into_pieces_and_thousands_take_no_square_of_the_time():
    found = clustered(*(f"the nightly build of the shop takes long number {number}" for number in range(120)))
    assert [len(cluster) for cluster in found] == [40, 40, 40]
    rows = [row(n, text=f"w{n % 997} x{n % 991} y{n % 983} z{n} common words", kind="note") for n in range(3_000)]
    assert clusters.clusters(rows, {"note": "note"}) == []


def test_a_fresh_memory_finds_the_old_ones_that_it_is_similar_to():
    rows = [row(n, text=f"alpha{n % 50} beta{n % 50} gamma{n % 50} and {n}", kind="note") for n in range(150)]
    near = clusters.around(rows[-1:], rows)
    assert [one.uid for one in near] == ["u49", "u99", "u149"]


def test_sentences_are_kept_once():
    said = compressing.sentences(["Run the tests. It is slow!", "run the tests\nUse -n 2.", ""])
    assert said == ["Run the tests.", "It is slow!", "Use -n 2."]
