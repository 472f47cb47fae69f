"""`recollect eval`: what it asks, of what, and what it says of the answers."""

import json
import stat

import apsw
import pytest

import recollect
from recollect.evaluation import baselines, datasets
from recollect.model.recall_values import PROFILES
from recollect.store.session_values import Receipt

GARDEN = {
    "sample_id": "garden",
    "conversation": {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ines", "dia_id": "D1:1", "text": "My tomatoes all died of blight this spring."},
            {"speaker": "Otto", "dia_id": "D1:2", "text": "Mine too. I planted beans instead."},
        ],
        "session_2_date_time": "10:02 am on 3 June, 2023",
        "session_2": [
            {"speaker": "Ines", "dia_id": "D2:1", "text": "We adopted a greyhound called Biscuit!"},
            {"speaker": "Otto", "dia_id": "D2:2", "text": "Look at him", "blip_caption": "a dog on a red sofa"},
        ],
    },
    "qa": [
        {"question": "What did Ines' tomatoes die of?", "evidence": ["D1:1"], "category": 4},
        {"question": "Which greyhound lies on the sofa?", "evidence": ["D2:1; D2:2", "D9:9"], "category": 1},
        {"question": "What is not marked?", "evidence": [], "category": 3},
        {"question": "What did Otto's tomatoes die of?", "evidence": ["D1:1"], "category": 5},
    ],
}
CHAT = {
    "id": 7,
    "msgs": [
        {
            "id": 0,
            "role": "user",
            "batch": 1,
            "time": "March-15-2024",
            "text": "I deploy the billing service with Helm.",
        },
        {"id": 1, "role": "assistant", "batch": 1, "time": None, "text": "Pin the chart version, then."},
        {"id": 2, "role": "user", "batch": 2, "time": "April-02-2024", "text": "My Postgres upgrade moved to Friday."},
    ],
    "qs": [
        {"type": "information_extraction", "q": "How do I deploy the billing service?", "ev": [0]},
        {"type": "knowledge_update", "q": "When is the Postgres upgrade?", "ev": [2]},
        {"type": "abstention", "q": "Which colour is my bicycle?", "ev": []},
    ],
}


def saved(tmp_path, data):
    path = tmp_path / "data.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return str(path)


def parts(done):
    return {one["name"]: one["systems"] for one in done.json["parts"]}


def tables(box):
    """Everything that the user's store holds."""
    db = apsw.Connection(str(box.home / "memory.db"), flags=apsw.SQLITE_OPEN_READONLY)
    names = [
        name
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
    ]
    return {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in names}


def test_locomo_is_reported_by_turns_by_sessions_and_with_the_adversarial_questions_apart(make_box, tmp_path):
    box, path = make_box(), saved(tmp_path, [GARDEN])
    found = parts(box.run("eval", "--dataset", "locomo", "--data", path, "--profile", "hybrid", "--json"))
    assert list(found) == ["all", "sessions", "adversarial"]
    assert {name: set(systems) for name, systems in found.items()} == {
        name: {"grep", "fts5", "hybrid"} for name in found
    }
    assert found["all"]["hybrid"]["questions"] == 2  # what is not marked is not asked
    assert found["all"]["hybrid"]["recall@10"] == 1  # both turns that stand in one text, none that is not there
    assert found["sessions"]["hybrid"]["recall@1"] == 1
    assert found["adversarial"]["grep"]["false_recall"] == 1
    assert found["adversarial"]["grep"]["questions"] == 1


def test_beam_questions_without_an_answer_count_as_false_recall_alone(make_box, tmp_path):
    box, path = make_box(), saved(tmp_path, [CHAT])
    done = box.run("eval", "--dataset", "beam", "--data", path, "--profile", "hybrid", "--json")
    systems = parts(done)["all"]
    assert {(one["questions"], one["with_gold"], one["with_nothing"]) for one in systems.values()} == {(3, 2, 1)}
    assert systems["fts5"]["recall@1"] == systems["hybrid"]["recall@5"] == 1
    assert systems["fts5"]["false_recall"] == 1  # `is` and `my` occur
    assert "recall@5" not in done.json["groups"]["abstention"]
    assert done.json["abstention"]["profile"] == "hybrid"


def test_coding_shows_every_ranking_beside_grep_and_plain_full_text(make_box, tmp_path):
    answers = tmp_path / "answers.jsonl"
    done = make_box().run("eval", "--dataset", "coding", "--limit", "20", "--by", "group", "--results", str(answers))
    lines = done.out.splitlines()
    assert lines[0].startswith("coding test: 20 questions")
    rows = {line.split()[0]: line.split() for line in lines[1 : 4 + len(PROFILES)]}
    assert list(rows) == ["system", "grep", "fts5", *PROFILES]
    assert {rows[name][-4] for name in PROFILES} == {"0"}  # superseded memories are never shown
    assert any(line.startswith("short ") for line in lines)
    assert "superseded ones too" in done.out
    assert done.err == ""

    said = [json.loads(line) for line in answers.read_text("utf-8").splitlines()]
    assert len(said) == 20 * (2 + len(PROFILES))
    assert {one["half"] for one in said} == {"test"}
    for one in said:
        assert set(one["shown"]) <= set(one["ranked"][:5])
        assert one["wants_nothing"] == (not one["gold"])
        assert one["ms"] > 0
        assert (one["tokens"] > 0) == bool(one["shown"])
    assert stat.S_IMODE(answers.stat().st_mode) == 0o600


def test_the_halves_of_coding_are_disjoint_and_make_up_the_whole():
    ids = {half: {one.id for one in datasets.load("coding", half=half)[0].questions} for half in datasets.HALVES}
    golds = {half: datasets.load("coding", half=half)[0].questions for half in ("tune", "test")}
    assert not ids["tune"] & ids["test"]
    assert ids["all"] == ids["tune"] | ids["test"]
    tune, test = (frozenset().union(*(one.gold for one in asked)) for asked in golds.values())
    assert not tune & test


def test_coding_is_whole_and_hard_enough_to_tell_rankings_apart():
    (case,) = datasets.load("coding")
    known = {one.uid for one in case.memories}
    assert len(known) == len(case.memories) >= 300
    assert len(case.questions) >= 250
    assert all(one.gold <= known - case.superseded for one in case.questions)
    assert sum(one.wants_nothing for one in case.questions) >= len(case.questions) / 5 - 1
    answered = [one for one in case.questions if one.gold]
    for make in baselines.BASELINES.values():
        search = make(case.memories)
        found = [{uid for uid, _ in search(one.text, 5)} for one in answered]
        recall = sum(len(one.gold & seen) / len(one.gold) for one, seen in zip(answered, found, strict=True))
        assert recall / len(answered) < 0.6


def test_own_asks_for_ones_memories_and_for_what_was_told_and_changes_nothing(box):
    for about, body in (
        ("Staging", "The walrus cluster in Frankfurt runs nightly smoke suites"),
        ("Retries", "Webhook senders back off exponentially and give up after nine attempts"),
        ("Gone", "Carrier pigeons deliver invoices on alternate Thursdays"),
    ):
        box.run("remember", body, "--title", about)
    box.run("retire", "gone")
    with recollect.open(box.root, home=box.home) as space:
        uid, gone = (space.find(name).memory.uid for name in ("staging", "gone"))
        receipt = Receipt(
            "r1", 1_772_000_000.0, "s", space.project, "PromptSubmitted", {"walrus": 5.0}, [uid, gone], [], 9
        )
        nothing = Receipt("r2", 1_772_000_000.0, "s", space.project, "PromptSubmitted", {"tides": 5.0}, [], [], 0)
        for one in (receipt, nothing):
            space.project_context.store.sessions.add_receipt(one)
    box.run("health")
    before = tables(box)
    found = parts(box.run("eval", "--own", "--profile", "hybrid", "--json"))
    after = tables(box)
    assert [name for name in before if before[name] != after[name]] == []
    assert {name: systems["hybrid"]["questions"] for name, systems in found.items()} == {
        "known items": 2,
        "receipts": 1,
    }
    assert found["known items"]["hybrid"]["recall@1"] == found["receipts"]["hybrid"]["recall@1"] == 1
    assert found["known items"]["hybrid"]["superseded_shown"] == 0


def test_own_asks_with_words_that_the_title_does_not_give_away(box, tmp_path):
    box.run("remember", "The walrus cluster in Frankfurt runs nightly smoke suites", "--title", "Walrus cluster")
    answers = tmp_path / "answers.jsonl"
    box.run("eval", "--own", "--profile", "keyword", "--results", str(answers))
    said = {one["system"]: one for one in map(json.loads, answers.read_text("utf-8").splitlines())}
    assert said["keyword"]["ranked"] == []  # it looks at titles and tags alone
    assert said["fts5"]["ranked"] == said["fts5"]["gold"]


def test_a_store_without_memories_has_nothing_to_ask_about(box):
    done = box.run("eval", "--own", "--json", code=1)
    assert json.loads(done.err)["error"] == "INPUT_ERROR"
    assert "Save memories with" in done.err


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (None, "is not included"),
        ("missing", "cannot be read"),
        ("[{]", "cannot be read"),
        ("[" * 100_000, "cannot be read"),
        ([{"sample_id": "x"}], "is not in the format of"),
        (["text"], "is not in the format of"),
        ([{"id": 1, "msgs": [], "qs": [], "sample_id": 1, "conversation": {}, "qa": []}], "is not in the format of"),
        ([{**CHAT, **GARDEN, "qa": [], "qs": []}], "has no questions"),
        ([], "has no questions"),
    ],
    ids=["none", "missing", "broken", "deep", "lacking", "text", "empty", "unasked", "nothing"],
)
@pytest.mark.parametrize("dataset", ["locomo", "beam"])
def test_a_data_set_that_cannot_be_used_is_refused_with_a_reason(make_box, tmp_path, dataset, data, says):
    path = str(tmp_path / "missing.json") if data == "missing" else saved(tmp_path, data)
    given = [] if data is None else ["--data", path]
    done = make_box().run("eval", "--dataset", dataset, *given, code=1)
    assert done.err.startswith("INPUT_ERROR")
    assert says in done.err
    assert "--data PATH" in done.err


def test_a_place_that_cannot_be_written_is_refused_before_anything_is_asked(make_box, tmp_path):
    place = str(tmp_path / "nowhere" / "answers.jsonl")
    done = make_box().run("eval", "--dataset", "coding", "--results", place, "--json", code=1)
    assert json.loads(done.err)["error"] == "DISK_ERROR"


@pytest.mark.parametrize("args", [(), ("--own", "--dataset", "coding"), ("--dataset", "trivia")])
def test_asking_for_nothing_or_for_two_things_is_wrong_usage(make_box, args):
    make_box().run("eval", *args, code=2)


def test_a_data_set_needs_no_store_and_leaves_none(make_box, tmp_path):
    box = make_box()
    box.run("eval", "--dataset", "beam", "--data", saved(tmp_path, [CHAT]), "--profile", "scored")
    assert not box.home.exists()
