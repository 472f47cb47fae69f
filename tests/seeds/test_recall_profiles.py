"""The seeds' own rankings: claude-memory's points, LetsGo's scores, CursorClaw's hashed vectors."""

import hashlib
import itertools
import json
import math
from contextlib import closing
from datetime import datetime
from pathlib import Path

import apsw
import pytest
from tables import each

from recollect import paths
from recollect.jobs import reindex
from recollect.model.query import Query
from recollect.model.recall_values import RecallScope
from recollect.policy.ranking import hashing
from recollect.recall import scored, search
from recollect.recall.question import Question
from recollect.store.hook_reader import store_reader
from recollect.store.sqlite.store import SqliteStore

LONG_AGO = "2025-01-01T00:00:00Z"
WALRUS = "The staging cluster is called walrus"
CONTENT = {
    "decision": {"status": "accepted", "context": "", "decision": "yes", "rationale": ["so"]},
    "constraint": {"kind": "technical", "rule": "no", "impact": ["x"], "severity": "high", "active": True},
    "preference": {"topic": "t", "value": "v", "reason": "r", "strength": "soft"},
    "runbook": {"trigger": "t", "steps": ["s"], "verification": "v"},
    "tech_debt": {"status": "open", "priority": "low", "description": "d", "reason_deferred": "r"},
    "session_summary": {"goal": "g", "outcome": "success", "completed": ["c"], "next_actions": ["n"]},
}
PROFILES = ["keyword", "scored", "hashed"]
_numbers = itertools.count()


def seconds(moment):
    return datetime.fromisoformat(moment).timestamp()


def bring(box, *memories):
    """Take memories in; unless they say otherwise, notes of long ago."""
    return box.bring(*memories, at=LONG_AGO)


def noted(text, **fields):
    """A memory whose title says nothing of its text."""
    return {"title": "Untitled", "content": {"text": text}} | fields


def question(box, text, **more):
    where = {name: more.pop(name) for name in ("kinds", "filters") if name in more}
    scope = RecallScope(more.pop("project", f"path:{box.root}"), more.pop("now", seconds(box.now)), **where)
    return Question(text, scope, **more)


def opened(box):
    return closing(store_reader.open_store(paths.database(box.env)))


def find(box, text, profile, limit=25, **more):
    with opened(box) as reader:
        return search.find(reader.recall_source(), question(box, text, **more), profile, limit)[1]


def titles(found):
    return [one.title for one in found]


def texts(found):
    return [one.text for one in found]


def index(box):
    """Leave the vectors that a worker would."""
    with closing(SqliteStore(Path(paths.database(box.env)))) as store:
        assert reindex.run(store, lambda _: None)


def ask(box, profile="keyword", stdin=None, **fields):
    """What the hook of a prompt prints, in lines of the index."""
    box.settings |= {"RECOLLECT_RECALL__PROFILE": profile, "RECOLLECT_INJECT__RENDER": "lines"}
    said = {"session_id": f"s{next(_numbers)}", "cwd": str(box.root), "hook_event_name": "UserPromptSubmit"} | fields
    return box.run("hook", "claude-code", "UserPromptSubmit", stdin=json.dumps(said) if stdin is None else stdin)


# -- every one of them -------------------------------------------------------------------------------------------------


@pytest.mark.seed("D15")
@pytest.mark.parametrize("profile", PROFILES)
def test_no_ranking_finds_what_is_not_to_be_shown(box, profile):
    bring(
        box,
        noted(WALRUS, title=WALRUS),
        noted(f"{WALRUS} privately", title=WALRUS, sensitivity="private"),
        noted(f"{WALRUS} secretly", title=WALRUS, sensitivity="secret"),
        noted(f"{WALRUS} formerly", title=WALRUS, status="retired"),
        noted(f"{WALRUS} until lately", title=WALRUS, expires_at="2026-02-28T00:00:00Z"),
        noted(f"{WALRUS} elsewhere", title=WALRUS, project="path:/another"),
        noted(f"{WALRUS} everywhere", title=WALRUS, project="global"),
    )

    assert set(texts(find(box, "Which staging cluster?", profile))) == {WALRUS, f"{WALRUS} everywhere"}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    "text",
    ["", " \n ", "word", "🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊", "C++ foo-bar \" NEAR( * ' OR 1=1 --", "\0\ud800 a walrus\udfff",
     "größe 漢字 ñandú", "x" * 1_000_000, "staging of a walrus " * 50_000, "%_'; DROP TABLE memories",
     " ".join(f"word{number}" for number in range(5_000))],
)  # fmt: skip
def test_no_ranking_is_broken_by_a_prompt(box, profile, text):
    box.run("remember", WALRUS)

    assert len(find(box, text, profile)) <= 1
    assert titles(find(box, "the walrus of staging", profile)) == [WALRUS]


@pytest.mark.parametrize("profile", PROFILES)
def test_a_ranking_finds_within_filters(box, profile):
    bring(box, noted(WALRUS, title=WALRUS, kind="learned"), noted(f"{WALRUS} too", title=WALRUS))

    found = find(box, "the walrus of staging", profile, filters=Query(statuses=(), kinds=("learned",)))

    assert texts(found) == [WALRUS]


# -- keyword: what a prompt is -----------------------------------------------------------------------------------------


@pytest.mark.seed("B18")
@pytest.mark.parametrize("fields", [{"prompt": "the staging cluster"}, {"user_prompt": "the staging cluster"}])
def test_a_prompt_is_read_in_both_spellings(box, fields):
    box.run("remember", WALRUS)

    assert WALRUS in ask(box, **fields).out


@pytest.mark.seed("B19")
@pytest.mark.parametrize(
    ("prompt", "is_answered"), [("walrus run", True), ("  walrus  \n\n\t ", False), ("walrus ok", False)]
)
def test_a_prompt_of_less_than_ten_characters_finds_nothing(box, prompt, is_answered):
    box.run("remember", WALRUS)

    assert bool(find(box, prompt, "keyword")) is is_answered
    assert (WALRUS in ask(box, prompt=prompt).out) is is_answered


@pytest.mark.seed("B19")
def test_an_index_that_was_lost_costs_no_answer(box):
    box.run("remember", WALRUS, "--kind", "decision", "--why", "it is cold there")
    (box.vault / "index.md").unlink()

    assert WALRUS in ask(box, prompt="which staging cluster?").out


@pytest.mark.seed("B26")
@pytest.mark.parametrize("said", ["[]", "null", "5", '"text"', "", "{", '{"prompt": null}', '{"user_prompt": [1]}'])
def test_what_is_no_prompt_is_answered_with_silence_and_zero(box, said):
    box.run("remember", WALRUS)

    done = ask(box, stdin=said)

    assert (done.code, done.out, done.err) == (0, "", "")


@pytest.mark.seed("B26")
def test_a_configuration_that_is_a_list_is_answered_as_if_there_were_none(box):
    box.run("remember", WALRUS)
    (box.vault / "memory-config.json").write_text("[]")

    done = ask(box, prompt="which staging cluster?")

    assert done.code == 0
    assert WALRUS in done.out


@pytest.mark.seed("B20")
@pytest.mark.parametrize(
    ("prompt", "points"),
    [
        ("is it in our place?", 2),  # "our" is no stop word
        ("what about the and for you", 0),  # stop words alone
        ("an io or an ab of it", 0),  # two letters are no word
        ("OUR??? -- ... !!!", 2),  # whatever stands around it, in large letters too
        ("our_tool/our.py v2", 2),  # a sign that is neither letter nor digit ends a word
        ("ours yours theirs", 0),  # a longer word is another one
        ("ünour ourß öourö", 2),  # only a to z are letters: here they leave `our` three times, which is once
    ],
)
def test_a_word_is_three_letters_or_digits_and_no_stop_word(box, prompt, points):
    bring(box, {"title": "The AB and IO of our own"})

    assert sum(one.score for one in find(box, prompt, "keyword")) == points


# -- keyword: points ---------------------------------------------------------------------------------------------------


@pytest.mark.seed("B21")
@pytest.mark.parametrize(
    ("word", "points"),
    [("jwt", 5), ("authentication", 2), ("auth", 3), ("authe", 1), ("policies", 0), ("pol", 0), ("poli", 1),
     ("jwt authentication", 7), ("jwt jwt JWT", 5), ("authe poli", 2)],
)  # fmt: skip
def test_a_title_word_is_two_points_a_tag_three_and_a_beginning_of_four_letters_one(box, word, points):
    bring(box, {"title": "JWT authentication policy", "tags": ["jwt", "auth"]})

    found = find(box, f"what about the {word}", "keyword")

    assert [one.score for one in found] == ([points] if points else [])


@pytest.mark.seed("B21")
def test_what_only_holds_the_letters_of_a_word_has_no_points(box):
    bring(box, {"title": "A reauthentication", "tags": ["oauth"]})

    assert find(box, "what about auth", "keyword") == []


@pytest.mark.seed("B21")
def test_the_text_of_a_memory_has_no_points(box):
    bring(box, noted("authentication by tokens"))

    assert find(box, "authentication by tokens", "keyword") == []


@pytest.mark.seed("B22")
@pytest.mark.parametrize(
    ("description", "points"),
    [
        ("What is a sign of tokens", 2),  # two words
        ("tokens sign rota", 2),  # never more than two
        ("tokens alone", 1),
        ("whatever is signed", 0),  # half a point is none
        ("signed and rotated", 1),  # two beginnings make one
        ("tokens, signed and rotated", 2),
        ("tokens are signed", 1),  # one and a half
        ("nothing of it", 0),
    ],
)
def test_a_kinds_description_adds_up_to_two_points_even_to_what_has_none(box, description, points):
    bring(box, {"title": "Unlike it", "kind": "learned"}, {"title": "Unlike it too"})

    described = {"recall.descriptions.learned": description}
    found = find(box, "tokens sign rota", "keyword", settings=described)

    assert [one.score for one in found] == ([points] if points else [])


@pytest.mark.seed("B22")
def test_a_description_in_the_seeds_own_file_counts_in_the_hook(box):
    box.settings["RECOLLECT_RECALL__PROFILE"] = "keyword"
    bring(box, {"title": "Unlike it", "kind": "constraint", "content": {"text": "x"}})
    place = box.vault / "memory-config.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text('{"categories": {"constraint": {"description": "tokens and rotas"}}}')

    assert "Unlike it" in ask(box, prompt="the tokens of the rota").out


@pytest.mark.seed("B22")
def test_without_descriptions_kinds_add_nothing(box):
    bring(box, {"title": "Tokens", "kind": "decision", "content": CONTENT["decision"]})

    assert [one.score for one in find(box, "tokens and a decision", "keyword")] == [2]


# -- keyword: order ----------------------------------------------------------------------------------------------------


@pytest.mark.seed("B23")
def test_among_equals_decisions_come_first_then_each_kind_in_its_turn_then_all_others(box):
    bring(
        box,
        {"title": "Tokens", "kind": "learned"},
        *({"title": "Tokens", "kind": kind, "content": content} for kind, content in reversed(CONTENT.items())),
        {"title": "Tokens expire", "tags": ["tokens"]},
    )

    found = find(box, "about the tokens", "keyword")

    assert [one.kind for one in found] == ["note", *CONTENT, "learned"]


@pytest.mark.seed("B23")
@pytest.mark.parametrize(
    ("updated", "points"),
    [
        ("2026-03-01T12:00:00Z", 3),
        ("2026-01-30T12:00:00Z", 3),  # thirty days
        ("2026-01-29T12:00:01Z", 3),  # thirty whole days and nearly another
        ("2026-01-29T12:00:00Z", 2),
        ("2026-03-09T00:00:00Z", 3),  # a clock that goes ahead
        ("not a time", 2),
    ],
)
def test_what_was_updated_within_thirty_whole_days_has_a_point_more(box, updated, points):
    bring(box, {"title": "Tokens", "updated_at": updated})

    assert [one.score for one in find(box, "about the tokens", "keyword")] == [points]


@pytest.mark.seed("B23")
def test_a_fresh_memory_passes_one_of_a_kind_that_comes_before(box):
    bring(
        box,
        {"title": "Tokens of old", "kind": "decision", "content": CONTENT["decision"]},
        {"title": "Tokens of today", "updated_at": "2026-02-28T00:00:00Z"},
    )

    assert titles(find(box, "about the tokens", "keyword")) == ["Tokens of today", "Tokens of old"]


@pytest.mark.seed("B23")
def test_only_the_first_twenty_are_checked_for_freshness(box):
    bring(box, *({"title": f"Tokens {number:02}", "updated_at": "2026-02-28T00:00:00Z"} for number in range(23)))

    found = find(box, "about the tokens", "keyword")

    assert titles(found) == [f"Tokens {number:02}" for number in range(23)]
    assert [one.score for one in found] == [3] * 20 + [2] * 3


@pytest.mark.seed("B23")
@pytest.mark.parametrize(("most", "number"), [(None, 5), ("2", 2), ("0", 0)])
def test_the_hook_tells_the_best_five_or_as_many_as_set(box, most, number):
    bring(box, *({"title": f"Tokens of the {name} kind"} for name in "abcdefgh"))
    box.settings |= {"RECOLLECT_INJECT__MAX_MEMORIES": most} if most else {}

    out = ask(box, prompt="about the tokens").out

    assert [line.split(" of the ")[1][0] for line in out.splitlines() if "Tokens" in line] == list("abcdefgh"[:number])
    assert bool(out) is bool(number)


# -- scored ------------------------------------------------------------------------------------------------------------


@pytest.mark.seed("D4")
def test_a_score_is_55_match_20_recency_15_importance_and_10_trust(box):
    bring(box, noted("parser", title="Parser", importance=0.6, created_at=box.now, updated_at=box.now))

    (found,) = find(box, "the parser?", "scored")

    assert found.parts == pytest.approx({"match": 1.0, "recency": 1.0, "importance": 0.6, "trust": 0.3})
    assert found.score == pytest.approx(0.55 + 0.20 + 0.15 * 0.6 + 0.10 * 0.3)
    assert found.verdict == ""


@pytest.mark.seed("D4")
def test_what_scores_less_than_35_is_weighed_and_not_shown(box):
    bring(box, noted("sqlite journal checkpoint"), noted(f"weak {'other words ' * 60} journal", importance=0))

    strong, weak = find(box, "sqlite journal checkpoint starvation", "scored")

    assert strong.score >= 0.35 > weak.score > 0
    assert (strong.verdict, weak.verdict) == ("", scored.TOO_LOW)


@pytest.mark.seed("D4")
def test_twenty_five_matches_are_weighed(box):
    bring(box, *(noted(f"parser {'word ' * number}", importance=number / 30) for number in range(30)))

    found = find(box, "parser", "scored", limit=5)

    assert len(found) == 5
    assert max(one.text.count("word") for one in found) < 25
    assert len(find(box, "parser", "scored", limit=100)) == 30


@pytest.mark.seed("D4")
def test_the_tool_and_recall_score_alike(box):
    request = {"operation": "store_memory", "ttl_days": 0}
    for text, importance in (("parser of tokens", 0.2), ("a parser, among many other things", 0.9), ("tokens", 0.5)):
        box.run("memory", stdin=json.dumps(request | {"content": text, "importance": importance}))

    found = find(box, "parser tokens", "scored")

    asked = {"operation": "search_memories", "query": "parser tokens", "min_score": 0}
    told = box.run("memory", stdin=json.dumps(asked)).json["output"]["memories"]
    assert [(one.uid, round(one.score, 3), round(one.parts["match"], 3)) for one in found] == [
        (one["id"], one["_score"], one["_match"]) for one in told
    ]


@pytest.mark.seed("D5")
@pytest.mark.parametrize(
    ("updated", "recency"),
    [("2026-03-01T12:00:00Z", 1.0), ("2026-02-08T12:00:00Z", 0.5), ("2026-01-18T12:00:00Z", 0.25),
     ("2025-12-01T12:00:00Z", 0.0513), ("2026-04-01T12:00:00Z", 1.0), ("some day", 0.2)],
)  # fmt: skip
def test_recency_halves_in_21_days_since_the_last_edit(box, updated, recency):
    bring(box, noted("parser", updated_at=updated))

    (found,) = find(box, "parser", "scored")

    assert found.parts["recency"] == pytest.approx(recency, abs=0.00005)


@pytest.mark.seed("D6")
@pytest.mark.parametrize(
    ("hits", "created", "confidence", "trust"),
    [
        (0, "2026-03-01T12:00:00Z", None, 0.3),
        (0, "2026-02-14T12:00:00Z", None, 0.4),
        (0, LONG_AGO, None, 0.5),
        (5, LONG_AGO, None, 0.5 + 0.5 * (1 - math.exp(-1))),
        (5, LONG_AGO, 0.5, 0.25 + 0.25 * (1 - math.exp(-1))),
    ],
)
def test_trust_is_earned_by_uses_and_age_and_shrinks_with_doubt(box, hits, created, confidence, trust):
    bring(box, noted("parser", usage={"hits": hits}, created_at=created, confidence=confidence))

    (found,) = find(box, "parser", "scored")

    assert found.parts["trust"] == pytest.approx(trust)


@pytest.mark.seed("D4", "D48")
def test_a_hook_weighs_as_the_settings_say(box):
    bring(box, noted("A walrus swims", title="Swims", importance=0.1), noted("A walrus eats", title="Eats"))
    (box.folder / "config.toml").write_text(
        "[recall]\nmin_score = 0.3\nweights = {match = 0, recency = 0, importance = 1, trust = 0}\n"
    )

    told = ask(box, "scored", prompt="what of the walrus?").out

    assert "Eats" in told
    assert "Swims" not in told


@pytest.mark.seed("D7")
def test_rank_counts(box):
    bring(box, noted("the parser among a great many other things that were said on that day"), noted("parser parser"))

    found = find(box, "parser", "scored")

    assert texts(found)[0] == "parser parser"
    assert found[0].parts["match"] > found[1].parts["match"]


@pytest.mark.seed("D7")
def test_at_most_eight_words_are_looked_for_and_no_stop_words(box):
    bring(box, noted("ninth"), noted("what is the of it"), noted("eighth"))

    found = find(box, "what is: (one), two three! four five six 'seven' eighth ninth", "scored")

    assert texts(found) == ["eighth"]


@pytest.mark.seed("D7")
@pytest.mark.parametrize("query", ["foo-bar", "C++", '"said"', "NEAR(said 2)", "said AND", "title:said", "said*"])
def test_signs_mean_nothing_in_a_question(box, query):
    bring(box, noted('the foo-bar of C++, as "said"'))

    assert len(find(box, f"{query} said", "scored")) == 1


@pytest.mark.seed("D8")
def test_words_in_the_title_count_more_than_words_in_the_text(box):
    bring(
        box,
        noted("the cache eviction of entries", title="Notes of Tuesday"),
        noted("how the entries leave", title="Cache eviction"),
    )

    found = find(box, "cache eviction", "scored")

    assert titles(found) == ["Cache eviction", "Notes of Tuesday"]
    assert found[0].parts["match"] > found[1].parts["match"]


# -- hashed ------------------------------------------------------------------------------------------------------------

TEN = "alpha bravo charlie delta echo foxtrot golf hotel india juliett"


@pytest.mark.seed("C10")
@each(("word", "bucket"), [("deployment", 54), ("user", 111), ("the", 46), ("memory", 27), ("pizza", 43)])
def test_a_word_is_counted_in_the_bucket_of_its_sha1(word, bucket):
    assert hashing.counts(word) == {bucket: 1}
    assert hashing.vector(f"{word} {word.upper()}") == bytes(2 * (place == bucket) for place in range(128))


@pytest.mark.seed("C10")
@pytest.mark.parametrize("is_indexed", [True, False])
@pytest.mark.parametrize(
    ("text", "asked", "score"),
    [
        ("Pizza is the team lunch preference", "team pizza", 0.5774),
        (f"{TEN} kilo", TEN, 0.9535),
        ("same words", "words, SAME!", 1.0),
        ("pizza pizza pizza", "pizza", 1.0),
        ("a b c pizza", "x y z pizza", 1.0),  # a single letter is no word
        ("snake_case", "snake case", None),  # `_` belongs to a word
        ("nothing of it", "pizza", None),
        ("the " * 300 + "pizza " * 400, "pizza", 0.8),  # more than a byte counts
    ],
)
def test_similarity_is_the_cosine_of_counted_words(box, text, asked, score, is_indexed):
    bring(box, noted(text))
    if is_indexed:
        index(box)

    found = find(box, asked, "hashed")

    assert [round(one.score, 4) for one in found] == ([score] if score else [])


@pytest.mark.seed("C10")
def test_only_the_first_two_thousand_words_count(box):
    bring(box, noted("the " * 2_000 + "pizza"))

    assert find(box, "pizza", "hashed") == []
    assert len(find(box, "the", "hashed")) == 1


@pytest.mark.seed("C10")
def test_memories_with_and_without_a_vector_are_ranked_together(box):
    bring(box, noted("pizza for the team at lunch"), noted("pizza"))
    index(box)
    bring(box, noted("pizza for lunch"), noted("nothing"))

    found = find(box, "pizza lunch", "hashed")

    assert texts(found) == ["pizza for lunch", "pizza", "pizza for the team at lunch"]


@pytest.mark.seed("C10")
@pytest.mark.parametrize(("limit", "number"), [(0, 1), (-3, 1), (7, 7), (50, 50), (1_000, 50)])
def test_between_one_and_fifty_are_found(box, limit, number):
    bring(box, *(noted(f"pizza number {number}") for number in range(55)))

    assert len(find(box, "pizza", "hashed", limit)) == number


@pytest.mark.seed("C10")
def test_beyond_the_capacity_the_earliest_fall_out(box):
    bring(box, *(noted(f"pizza of day {number}") for number in range(5)))

    assert set(texts(find(box, "pizza", "hashed", settings={"log.max_vectors": 3}))) == {
        f"pizza of day {number}" for number in (2, 3, 4)
    }
    assert len(find(box, "pizza", "hashed")) == 5
    box.settings["RECOLLECT_LOG__MAX_VECTORS"] = "1"
    box.settings["RECOLLECT_INJECT__MAX_MEMORIES"] = "5"
    assert ask(box, "hashed", prompt="pizza").out.count("Untitled") == 1


@pytest.mark.seed("C11")
def test_recall_writes_nothing(box):
    box.run("remember", "Pizza is the team lunch preference")
    index(box)

    def state():
        with closing(apsw.Connection(paths.database(box.env))) as db:
            tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE TABLE%'")]
            kept = [db.execute(f"SELECT * FROM {name}").fetchall() for name in tables]
        files = sorted(str(place) for place in box.root.rglob("*") if ".git" not in place.parts)
        return hashlib.sha256(repr((kept, files)).encode()).hexdigest()

    before = state()
    for profile in PROFILES:
        assert len(find(box, "the team pizza", profile)) == 1
    assert state() == before


@pytest.mark.seed("C11")
def test_more_than_five_million_characters_are_still_found_after_a_restart(box):
    bring(box, *(noted(f"pizza{number} {'and so on ' * 9_000}") for number in range(60)))
    index(box)

    found = find(box, "pizza7 pizza41", "hashed")

    assert {text.partition(" ")[0] for text in texts(found)} >= {"pizza7", "pizza41"}


@pytest.mark.seed("B23")
def test_a_number_that_cannot_be_used_is_warned_of_on_standard_error_and_five_are_told(box):
    bring(box, *({"title": f"Tokens of the {name} kind"} for name in "abcdefgh"))
    (box.vault / "memory-config.json").write_text('{"retrieval": {"max_inject": "five"}}')

    done = ask(box, prompt="about the tokens")

    assert "retrieval.max_inject is ignored" in done.err
    assert done.out.count("Tokens of the") == 5
    assert ask(box, "hybrid", prompt="about the tokens").err == "", "other rankings leave it to `doctor`"


@pytest.mark.seed("B23")
def test_a_number_in_the_environment_that_cannot_be_used_is_warned_of_too(box):
    bring(box, *({"title": f"Tokens of the {name} kind"} for name in "abcdefgh"))
    ask(box, prompt="before")
    box.settings["RECOLLECT_INJECT__MAX_MEMORIES"] = "five"

    done = ask(box, prompt="about the tokens")

    assert "RECOLLECT_INJECT__MAX_MEMORIES is ignored: 'five' is not a number; 5 is used" in done.err
    assert done.out.count("Tokens of the") == 5
