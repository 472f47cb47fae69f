"""`recollect recall`: what a person sees, which memories may appear, and what narrows them down."""

import json
import os
import pty
import subprocess
import sys

import pytest
from recall.asking import bring, find, project, read_all, record, sql, texts

WALRUS = "The staging cluster is called walrus"


def on_a_terminal(box, *args, **env):
    """What the program prints where a person looks at it."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", "from recollect.faces.cli import main; main()", *args]
    process = subprocess.Popen(command, cwd=box.root, env=box.env | env, stdout=theirs, stderr=theirs, stdin=theirs)
    os.close(theirs)
    shown = read_all(ours)
    assert process.wait(30) == 0
    return shown


# -- what is printed ---------------------------------------------------------------------------------------------------


def test_the_best_comes_first_with_kind_age_snippet_and_why(box):
    bring(
        box,
        record(box, "Something about a deploy", title="Deploys"),
        record(
            box, "Before that, nothing.\nThe nightly backup job needs the staging bucket.", title="Backups",
            kind="learned", created_at="2026-02-25T12:00:00Z",
        ),
    )  # fmt: skip

    lines = box.run("recall", "nightly", "backup", "job").out.splitlines()

    assert "Backups" in lines[0]
    assert "learned/" in lines[0]
    assert "  4d  " in lines[0]
    assert "The nightly backup job needs the staging bucket." in lines[1]
    assert "matches nightly, backup, job" in lines[2]


def test_what_an_agent_would_not_be_told_by_itself_says_why(box):
    bring(box, WALRUS)

    found = box.run("recall", "rename every cluster of our customers in the overview page")

    assert found.out.startswith("- ")
    assert "agents are not told: " in found.out


def test_nothing_found_is_said_in_words_and_as_an_empty_list(box):
    bring(box, WALRUS)

    assert box.run("recall", "zeppelin").out == "No memory matches.\n"
    assert box.run("recall", "zeppelin", "--json").json == []


def test_explain_names_the_parts_of_the_score_and_how_certain_it_is(box):
    box.run("remember", WALRUS)

    plain = box.run("recall", "staging walrus").out
    told = box.run("recall", "staging walrus", "--explain").out

    assert told.startswith(plain.rstrip("\n").rpartition("\n")[0])
    assert "recency 1.00" in told
    assert "certainty " in told
    assert "evidence " in told
    assert "covers 100%" in told
    assert "certainty" not in plain


def test_json_is_for_machines(box):
    bring(
        box, record(box, WALRUS, tags=["infra", "names"], session="s9", uid="known", created_at="2026-02-01T00:00:00Z")
    )

    (one,) = box.run("recall", "staging walrus", "--json").json

    assert one["uid"] == "known"
    assert one["name"].startswith("note/")
    assert (one["kind"], one["title"], one["text"]) == ("note", WALRUS, WALRUS)
    assert sorted(one["tags"]) == ["infra", "names"]
    assert (one["created"], one["session"]) == ("2026-02-01T00:00:00+00:00", "s9")
    assert one["matched"] == ["staging", "walrus"]
    assert one["coverage"] == 1.0
    assert isinstance(one["score"], float)
    assert 0 <= one["certainty"] <= 1
    assert {"words", "meaning", "importance", "recency"} <= one["parts"].keys()
    assert one["told"] is (one["verdict"] == "")


def test_colours_are_for_terminals_that_want_them(box):
    bring(box, record(box, f"{WALRUS}.\nAsk the walrus.", title="Names"))

    assert "\x1b[" not in box.run("recall", "walrus").out
    shown = on_a_terminal(box, "recall", "walrus")
    assert "\x1b[33mwalrus\x1b[0m" in shown
    assert "\x1b[" not in on_a_terminal(box, "recall", "walrus", NO_COLOR="1")


def test_a_memory_cannot_move_the_cursor(box):
    bring(box, record(box, "walrus \x1b[2J\x1b]0;owned\x07 and \u202eback", title="walrus \x1b[1mbold"))

    shown = box.run("recall", "walrus").out

    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "\u202e" not in shown


def test_as_many_as_asked_for(box):
    bring(box, *(f"{WALRUS}, says witness {number}" for number in range(14)))

    assert len(texts(box, "walrus")) == 10
    assert len(texts(box, "walrus", "-n", "3")) == 3
    assert len(texts(box, "walrus", "-n", "50")) == 14
    assert texts(box, "walrus", "-n", "3") == texts(box, "walrus", "-n", "50")[:3]


@pytest.mark.parametrize("profile", ["hybrid", "keyword", "scored", "hashed"])
def test_every_profile_answers(box, profile):
    bring(box, WALRUS, "Use pnpm, never npm")

    assert texts(box, "the staging walrus", "--profile", profile)[0] == WALRUS


def test_what_says_all_that_is_asked_is_found_however_little_it_matters(box):
    box.run("remember", WALRUS, "--importance", "0.1")

    assert texts(box, "staging cluster walrus") == [WALRUS]


def test_what_says_all_that_is_asked_is_found_beside_what_says_it_better(box):
    bring(box, *(f"{WALRUS}, says witness {number}" for number in range(4)), f"{WALRUS}. " + "Much more is said. " * 30)

    assert len(texts(box, "staging cluster walrus")) == 5


# -- which memories ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "profile",
    ["hybrid", "keyword", "scored", "hashed"],
)
def test_what_is_not_to_be_shown_is_never_found(box, profile):
    bring(
        box,
        WALRUS,
        record(box, f"{WALRUS} privately", sensitivity="private"),
        record(box, f"{WALRUS} secretly", sensitivity="secret"),
        record(box, f"{WALRUS} unclassified", sensitivity="unknown"),
        record(box, f"{WALRUS} formerly", status="retired"),
        record(box, f"{WALRUS} shelved", status="archived"),
        record(box, f"{WALRUS} until lately", expires_at="2026-02-28T00:00:00Z"),
        record(box, f"{WALRUS} elsewhere", project="path:/another"),
        record(box, f"{WALRUS} everywhere", project="global"),
    )

    wanted, question = {WALRUS, f"{WALRUS} everywhere"}, "Which staging cluster walrus?"
    assert {one.text for one in find(box, question, profile)} == wanted
    box.run("reindex")
    assert {one.text for one in find(box, question, profile)} == wanted
    assert set(texts(box, question, "--profile", profile)) == wanted


def test_what_changes_its_standing_is_gone_at_once(box):
    bring(box, *(record(box, f"{WALRUS} {word}", slug=word) for word in ("retired", "purged", "archived", "kept")))
    box.run("reindex")
    assert len(texts(box, "walrus")) == 4

    box.run("retire", "retired")
    box.run("archive", "archived")
    box.run("purge", "purged", "--yes")
    assert texts(box, "walrus") == [f"{WALRUS} kept"]
    box.run("edit", "kept", "--sensitivity", "private")
    assert texts(box, "walrus") == []
    box.run("restore", "retired")
    assert texts(box, "walrus") == [f"{WALRUS} retired"]


def test_an_expired_memory_is_gone_when_its_time_is_over(box):
    box.run("remember", WALRUS, "--ttl-days", "2")
    assert texts(box, "walrus") == [WALRUS]
    box.now = "2026-03-03T12:00:01Z"
    assert texts(box, "walrus") == []


def test_another_project_is_asked_by_its_name_alone(box):
    bring(box, record(box, f"{WALRUS} elsewhere", project="path:/another"), record(box, WALRUS, project="global"))

    assert texts(box, "walrus") == [WALRUS]
    assert set(texts(box, "walrus", "--project", "path:/another")) == {WALRUS, f"{WALRUS} elsewhere"}
    assert texts(box, "walrus", "--project", "path:/nowhere") == [WALRUS]


# -- filters -----------------------------------------------------------------------------------------------------------


def filtered(box):
    """A store in which each filter leaves just one memory, and all of them together as well."""
    every = {
        "kind": "learned", "tags": ["infra"], "concepts": ["gotcha"], "files_modified": ["src/app/main.py"],
        "session": "s1", "created_at": "2026-02-10T00:00:00Z",
    }  # fmt: skip
    bring(
        box,
        record(box, f"{WALRUS} by kind", kind="learned"),
        record(box, f"{WALRUS} by tag", tags=["Infra", "other"]),
        record(box, f"{WALRUS} by concept", concepts=["gotcha"]),
        record(box, f"{WALRUS} by file", anchors=[{"path": "src/app/main.py"}]),
        record(box, f"{WALRUS} by session", session="s1"),
        record(box, f"{WALRUS} by day", created_at="2026-02-10T00:00:00Z"),
        record(box, f"{WALRUS} by everything", **every),
        record(box, f"{WALRUS} by nothing"),
        record(box, f"{WALRUS} by nothing here", project="path:/another", **every),
    )


FILTERS = {
    "kind": (["--kind", "learned"], "kind"),
    "tag": (["--tag", "INFRA"], "tag"),
    "concept": (["--concept", "gotcha"], "concept"),
    "file": (["--file", "src/app/main.py"], "file"),
    "session": (["--session", "s1"], "session"),
    "since": (["--since", "2026-02-10"], "day"),
    "since and until": (["--since", "2026-02-10T00:00:00Z", "--until", "2026-02-11"], "day"),
}


def test_each_filter_narrows_down(box):
    filtered(box)
    for options, left in FILTERS.values():
        assert set(texts(box, "walrus", *options)) == {f"{WALRUS} by {left}", f"{WALRUS} by everything"}, options


def test_filters_narrow_down_together(box):
    filtered(box)
    together = [word for options, _ in FILTERS.values() for word in options]

    assert texts(box, "walrus", *together) == [f"{WALRUS} by everything"]
    assert texts(box, "walrus", *together, "--project", "path:/another") == [f"{WALRUS} by nothing here"]
    assert texts(box, "walrus", *together, "--project", project(box), "--tag", "other") == []
    assert len(texts(box, "walrus", "--until", "2026-01-01")) == 6
    assert len(texts(box, "walrus", "--kind", "note", "--kind", "learned")) == 8


def test_every_profile_keeps_to_the_filters(box):
    filtered(box)
    for profile in ("keyword", "scored", "hashed"):
        for options, left in FILTERS.values():
            found = texts(box, "the staging walrus", "--profile", profile, *options)
            assert set(found) == {f"{WALRUS} by {left}", f"{WALRUS} by everything"}, (profile, options)


@pytest.mark.parametrize("option", ["--since", "--until"])
def test_what_is_no_time_is_refused_with_the_way_to_say_it(box, option):
    bring(box, WALRUS)

    refused = box.run("recall", "walrus", option, "the day before", code=1)
    assert "the day before" in refused.err
    assert "fix: Use an ISO time" in refused.err
    assert json.loads(box.run("recall", "walrus", option, "soon", "--json", code=1).err)["error"] == "INPUT_ERROR"


def test_an_unknown_profile_is_wrong_usage_that_lists_the_known_ones(box):
    refused = box.run("recall", "walrus", "--profile", "psychic", code=2)

    assert "psychic" in refused.err
    assert "hybrid" in refused.err


def test_a_question_is_needed(box):
    assert "Usage:" in box.run("recall", code=2).err


# -- superseding -------------------------------------------------------------------------------------------------------


def test_what_is_superseded_is_never_found_and_one_undo_brings_it_back(box):
    box.run("remember", "We deploy with ansible", "--title", "Deployment tool")

    box.run("remember", "We deploy with kubernetes", "--supersedes", "deployment-tool")
    assert texts(box, "deploy ansible kubernetes") == ["We deploy with kubernetes"]
    groups = sql(box, "SELECT grp FROM journal WHERE action IN ('created', 'retired') ORDER BY seq DESC LIMIT 3")
    assert groups[0] == groups[1] != groups[2]

    box.run("undo")
    assert texts(box, "deploy ansible kubernetes") == ["We deploy with ansible"]
    assert [one["title"] for one in box.run("list", "--json").json] == ["Deployment tool"]


def test_several_are_superseded_at_once(box):
    bring(box, record(box, f"{WALRUS} once", slug="one"), record(box, f"{WALRUS} twice", slug="two"))

    box.run("remember", f"{WALRUS} no more", "--supersedes", "one", "--supersedes", "two")
    assert texts(box, "walrus") == [f"{WALRUS} no more"]
    box.run("undo")
    assert set(texts(box, "walrus")) == {f"{WALRUS} once", f"{WALRUS} twice"}


@pytest.mark.parametrize("names", [["nonesuch"], ["one", "nonesuch"]])
def test_superseding_what_is_not_there_writes_nothing(box, names):
    box.run("remember", WALRUS, "--title", "One")
    before = sql(box, "SELECT count(*) FROM journal"), sorted(box.vault.rglob("*"))

    wanted = [word for name in names for word in ("--supersedes", name)]
    assert "nonesuch" in box.run("remember", f"{WALRUS} no more", *wanted, code=1).err

    assert texts(box, "walrus") == [WALRUS]
    assert (sql(box, "SELECT count(*) FROM journal"), sorted(box.vault.rglob("*"))) == before


# -- files -------------------------------------------------------------------------------------------------------------


def test_what_is_edited_by_hand_is_found_without_another_command(box):
    box.run("remember", WALRUS, "--title", "Names")
    box.run("reindex")
    assert texts(box, "walrus") == [WALRUS]
    place = box.vault / "notes" / "names.json"
    said = place.read_text("utf-8")

    place.write_text(said.replace("walrus", "narwhal"), "utf-8")
    assert texts(box, "narwhal") == ["The staging cluster is called narwhal"]
    assert texts(box, "walrus") in ([], ["The staging cluster is called narwhal"])

    other = said.replace('"names"', '"more-names"').replace("walrus", "pelican")
    (box.vault / "notes" / "more-names.json").write_text(other, "utf-8")
    assert texts(box, "pelican")[0] == "The staging cluster is called pelican"

    place.unlink()
    assert "The staging cluster is called narwhal" not in texts(box, "narwhal")


# -- time --------------------------------------------------------------------------------------------------------------

DAYS = ("2025-11-05", "2026-01-20", "2026-03-10", "2026-04-02", "2026-04-09", "2026-04-13", "2026-04-15")
TIMES = {
    "What did we say about the walrus cluster yesterday?": ("2026-04-16T12:00:00Z", "2026-04-15"),
    "walrus cluster on Monday": ("2026-04-16T12:00:00Z", "2026-04-13"),
    "what was it about the walrus cluster in March?": ("2026-04-16T12:00:00Z", "2026-03-10"),
    "the walrus cluster decision of last week": ("2026-03-17T12:00:00Z", "2026-03-10"),
    "two weeks ago we talked about the walrus cluster": ("2026-03-24T12:00:00Z", "2026-03-10"),
    "walrus cluster, last month": ("2026-02-20T12:00:00Z", "2026-01-20"),
    "walrus cluster on November 5, 2025": ("2026-04-16T12:00:00Z", "2025-11-05"),
}


def test_a_time_that_is_named_comes_first(box):
    bring(
        box,
        *(
            record(box, f"The walrus cluster, entry {number}", created_at=f"{day}T09:00:00Z", updated_at=LATEST)
            for number, day in enumerate(DAYS)
        ),
    )
    for question, (now, day) in TIMES.items():
        box.now = now
        first, *_ = box.run("recall", question, "--json").json
        assert (first["created"][:10], first["parts"].get("date", 0) > 0) == (day, True), question


LATEST = "2026-04-20T00:00:00Z"


def test_words_that_only_look_like_times_name_none(box):
    box.now = "2026-04-16T12:00:00Z"
    bring(box, record(box, "The walrus may march", created_at="2026-03-10T00:00:00Z"))

    for question in ("may the walrus march?", "how does the walrus march", "the week of the walrus"):
        (found,) = box.run("recall", question, "--json").json
        assert found["parts"].get("date", 0) == 0, question
