"""`recollect candidate`: which memory new information is about, and what may be done with it (seed 002 §4)."""

import json

import pytest
from tables import each

from recollect.policy.ranking import candidate_match

SIX = {
    "session_summary": "sessions",
    "decision": "decisions",
    "runbook": "runbooks",
    "constraint": "constraints",
    "tech_debt": "tech-debt",
    "preference": "preferences",
}
EVENTS = ["resolved", "removed", "reversed", "superseded", "deprecated"]
KEYS = ["candidate", "lifecycle_event", "delete_allowed", "pre_action", "structural_cud", "vetoes", "hints"]


def ask(box, kind, info, *flags, **more):
    """Run `candidate`; its JSON."""
    return box.run("candidate", "--category", kind, "--new-info", info, *flags, **more).json


# -- B21, B31: scoring ----------------------------------------------------------------------------------------------


@pytest.mark.seed("B21", "B31")
@each(
    ("word", "score"),
    [
        ("jwt", 5),
        ("authentication", 2),
        ("auth", 3),
        ("authe", 1),
        ("policies", 0),
        ("pol", 0),
        ("poli", 1),
        ("xjwt", 0),
    ],
)
def test_a_title_word_is_2_a_tag_3_and_a_prefix_of_four_letters_1(word, score):
    assert candidate_match.points({word}, "JWT authentication policy", ["jwt", "auth"]) == score


@pytest.mark.seed("B21")
def test_points_of_several_words_add_up():
    assert candidate_match.points({"jwt", "authentication", "authe"}, "JWT authentication policy", ["jwt", "auth"]) == 8
    assert candidate_match.points(set(), "JWT authentication policy", ["jwt"]) == 0


@pytest.mark.seed("B21", "B31")
def test_tags_and_titles_are_compared_without_regard_to_case():
    assert candidate_match.points({"jwt"}, "About JWT", ["JWT"]) == 5


@pytest.mark.seed("B31")
@pytest.mark.parametrize(
    ("info", "is_found"),
    [
        ("alpha", False),  # one title word: 2
        ("alpha gamm", True),  # title 2 + prefix 1: 3
        ("marked", True),  # one tag: 3
        ("alph gamm", False),  # two prefixes: 2
        ("the and for with", False),  # stop words only
        ("ALPHA, Gamma!", True),  # two title words: 4
    ],
)
def test_a_candidate_needs_three_points(box, draft, write, info, is_found):
    write("create", "decisions/x.json", draft(title="Alpha beats gammas and gamma", tags=["marked"]))

    found = ask(box, "decision", info)

    assert (found["candidate"] is not None) is is_found
    assert found["structural_cud"] == ("UPDATE" if is_found else "CREATE")


@pytest.mark.seed("B31")
def test_the_best_entry_wins_and_a_tie_goes_to_the_first_path(box, draft, write):
    for name in ("bbb", "aaa", "ccc"):
        write("create", f"decisions/{name}.json", draft(title="Use SQLite", tags=["storage"]))
    write("create", "decisions/zzz.json", draft(title="Use SQLite locally", tags=["storage"]))

    tie = ask(box, "decision", "sqlite storage")
    best = ask(box, "decision", "sqlite storage locally")

    assert tie["candidate"]["path"] == ".claude/memory/decisions/aaa.json"
    assert tie["hints"] == ["1 candidate found (score=5)"]
    assert best["candidate"]["path"] == ".claude/memory/decisions/zzz.json"


@pytest.mark.seed("B31")
def test_only_entries_of_the_category_are_candidates(box, draft, write):
    write("create", "runbooks/x.json", draft("runbook", title="Use SQLite", tags=["storage"]))

    assert ask(box, "constraint", "sqlite storage")["candidate"] is None
    assert ask(box, "runbook", "sqlite storage")["candidate"]["path"] == ".claude/memory/runbooks/x.json"


@pytest.mark.seed("B31", "B4")
@pytest.mark.parametrize("action", ["delete", "archive"])
def test_a_closed_memory_is_no_candidate(box, draft, write, action):
    write("create", "decisions/x.json", draft())
    write(action, "decisions/x.json")

    assert ask(box, "decision", "sqlite storage")["candidate"] is None


@pytest.mark.seed("B31")
@pytest.mark.parametrize(
    "flags",
    [
        ["--category", "decision"],
        ["--new-info", "x"],
        ["--category", "opinion", "--new-info", "x"],
        ["--category", "decision", "--new-info", "x", "--lifecycle-event", "forgotten"],
    ],
)
def test_wrong_arguments_are_a_usage_error(box, flags):
    assert box.run("candidate", *flags, code=2).out == ""


# -- B31, B33, B34: what may be done --------------------------------------------------------------------------------


@pytest.mark.seed("B31")
def test_without_a_candidate_new_information_is_created(box, draft, write):
    write("create", "decisions/x.json", draft())

    assert ask(box, "decision", "kubernetes cluster") == {
        "candidate": None,
        "lifecycle_event": None,
        "delete_allowed": False,
        "pre_action": "CREATE",
        "structural_cud": "CREATE",
        "vetoes": [],
        "hints": [],
    }


@pytest.mark.seed("B31")
@pytest.mark.parametrize("event", EVENTS)
def test_an_event_without_a_candidate_does_nothing(box, draft, write, event):
    write("create", "decisions/x.json", draft())

    found = ask(box, "runbook", "sqlite storage", "--lifecycle-event", event)

    assert found == {
        "candidate": None,
        "lifecycle_event": event,
        "delete_allowed": True,
        "pre_action": "NOOP",
        "structural_cud": "NOOP",
        "vetoes": [],
        "hints": [f"lifecycle_event={event} with no matching candidate; NOOP"],
    }


@pytest.mark.seed("B33", "B34")
@pytest.mark.parametrize("kind", ["decision", "preference", "session_summary"])
def test_decisions_preferences_and_sessions_may_be_updated_but_not_deleted(box, draft, write, kind):
    write("create", f"{SIX[kind]}/x.json", draft(kind))

    plain = ask(box, kind, "sqlite storage")
    event = ask(box, kind, "sqlite storage", "--lifecycle-event", "reversed")

    for found in (plain, event):
        assert (found["delete_allowed"], found["pre_action"], found["structural_cud"]) == (False, None, "UPDATE")
        assert found["vetoes"] == [f"Cannot DELETE {kind} (triage-initiated)"]
    assert plain["hints"] == ["1 candidate found (score=10)"]
    assert event["hints"] == [
        "1 candidate found (score=10)",
        "lifecycle_event=reversed present but DELETE disallowed; consider UPDATE",
    ]


@pytest.mark.seed("B33")
@pytest.mark.parametrize("kind", ["runbook", "constraint", "tech_debt"])
def test_runbooks_constraints_and_debts_may_be_deleted(box, draft, write, kind):
    write("create", f"{SIX[kind]}/x.json", draft(kind))

    plain = ask(box, kind, "sqlite storage")
    event = ask(box, kind, "sqlite storage", "--lifecycle-event", "resolved")

    for found in (plain, event):
        assert (found["delete_allowed"], found["pre_action"]) == (True, None)
        assert (found["structural_cud"], found["vetoes"]) == ("UPDATE_OR_DELETE", [])
    assert plain["hints"] == ["1 candidate found (score=10)"]
    assert event["hints"] == [
        "1 candidate found (score=10)",
        "lifecycle_event=resolved suggests DELETE if eligible",
    ]


@pytest.mark.seed("B34")
def test_a_veto_on_delete_leaves_the_update_open(box, draft, write):
    write("create", "decisions/x.json", draft())
    found = ask(box, "decision", "sqlite storage")
    record = box.file("decisions/x.json")
    record["content"]["decision"] = "use SQLite with WAL"

    done = write(found["structural_cud"].lower(), "decisions/x.json", record)

    assert found["vetoes"]
    assert done.json["status"] == "updated"


# -- B31, B32: output and excerpt -----------------------------------------------------------------------------------


@pytest.mark.seed("B31")
def test_the_output_has_exactly_these_keys(box, draft, write):
    write("create", "decisions/x.json", draft())

    found = ask(box, "decision", "sqlite storage", "--lifecycle-event", "superseded")

    assert list(found) == KEYS
    assert found["lifecycle_event"] == "superseded"
    assert list(found["candidate"]) == ["path", "title", "tags", "excerpt"]
    assert list(found["candidate"]["excerpt"]) == [
        "title",
        "record_status",
        "tags",
        "last_change_summary",
        "key_fields",
    ]
    assert found["candidate"]["tags"] == ["sqlite", "storage"]


@pytest.mark.seed("B32")
@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("session_summary", {"goal": "ship", "outcome": "success"}),
        ("decision", {"context": "storage", "decision": "use SQLite", "rationale": "one file"}),
        ("runbook", {"trigger": "disk full", "root_cause": "logs"}),
        ("constraint", {"rule": "no network", "impact": "no telemetry"}),
        ("tech_debt", {"description": "no cache", "reason_deferred": "time"}),
        ("preference", {"topic": "quotes", "value": "double", "reason": "habit"}),
    ],
)
def test_an_excerpt_quotes_the_key_fields_of_its_category(box, draft, write, kind, fields):
    record = draft(kind)
    record["content"] |= {"root_cause": "logs"} if kind == "runbook" else {}
    write("create", f"{SIX[kind]}/x.json", record)

    excerpt = ask(box, kind, "sqlite storage")["candidate"]["excerpt"]

    assert excerpt["key_fields"] == fields
    assert (excerpt["title"], excerpt["record_status"]) == ("Use SQLite for storage", "active")
    assert excerpt["tags"] == ["sqlite", "storage"]


@pytest.mark.seed("B31")
def test_lists_are_joined_and_cut_to_200_characters(box, draft, write):
    record = draft()
    record["content"] |= {"context": "c" * 201, "decision": "d" * 200, "rationale": ["one", "two", "x" * 300]}
    write("create", "decisions/x.json", record)

    fields = ask(box, "decision", "sqlite storage")["candidate"]["excerpt"]["key_fields"]

    assert fields == {
        "context": "c" * 200,
        "decision": "d" * 200,
        "rationale": "one; two; " + "x" * 190,
    }


@pytest.mark.seed("B31")
def test_the_last_change_is_summarised_or_it_is_the_initial_creation(box, draft, write):
    write("create", "decisions/x.json", draft())
    first = ask(box, "decision", "sqlite storage")["candidate"]["excerpt"]["last_change_summary"]
    changes = [{"date": "d", "summary": "Looked at it"}, {"date": "d", "summary": "Confirmed by measuring"}]
    write("update", "decisions/x.json", box.file("decisions/x.json") | {"changes": changes})

    second = ask(box, "decision", "sqlite storage")["candidate"]["excerpt"]["last_change_summary"]

    assert (first, second) == ("Initial creation", "Confirmed by measuring")


# -- B35: where it looks --------------------------------------------------------------------------------------------


@pytest.mark.seed("B35")
def test_it_works_from_any_folder_with_an_absolute_root(box, draft, write, tmp_path):
    write("create", "decisions/x.json", draft())
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    here = ask(box, "decision", "sqlite storage")
    there = ask(box, "decision", "sqlite storage", "--root", str(box.vault), cwd=elsewhere)
    below = ask(box, "decision", "sqlite storage", "--root", "../user/project/.claude/memory", cwd=elsewhere)

    assert here["candidate"]["excerpt"]["key_fields"]["decision"] == "use SQLite"
    assert here == there == below


@pytest.mark.seed("B35")
@pytest.mark.parametrize(
    "path",
    [
        "/etc/hostname.json",
        "../outside.json",
        ".claude/memory/../../outside.json",
        ".claude/memory/decisions/../../../outside.json",
        "outside.json",
        ".claude/memory/decisions/x.txt",
        ".claude/memory/decisions/link.json",
    ],
)
def test_a_tampered_index_path_is_warned_about_and_not_followed(box, draft, place, path):
    secret = draft(id="outside", title="Use SQLite for storage")
    secret["content"]["decision"] = "the secret"
    (box.root / "outside.json").write_text(json.dumps(secret))
    place("decisions/x.txt", secret)
    (box.vault / "decisions/link.json").symlink_to(box.root / "outside.json")
    (box.vault / "index.md").write_text(f"# Memory Index\n\n- [DECISION] Use SQLite -> {path} #tags:storage\n")

    for flags, action in (([], "CREATE"), (["--lifecycle-event", "removed"], "NOOP")):
        done = box.run("candidate", "--category", "decision", "--new-info", "sqlite storage", *flags)
        assert done.json["candidate"] is None
        assert (done.json["pre_action"], done.json["structural_cud"]) == (action, action)
        assert done.err.startswith("WARNING: ")
        assert path in done.err
        assert "the secret" not in done.out + done.err


@pytest.mark.seed("B31", "B35")
@pytest.mark.parametrize("text", [None, "{not json", "[]"], ids=["missing", "broken", "list"])
def test_a_candidate_that_cannot_be_read_has_no_excerpt_and_a_warning(box, draft, write, text):
    write("create", "decisions/x.json", draft())
    file = box.vault / "decisions/x.json"
    file.write_text(text) if text else file.unlink()

    done = box.run("candidate", "--category", "decision", "--new-info", "sqlite storage")

    assert done.json["candidate"]["excerpt"] is None
    assert done.json["structural_cud"] == "UPDATE"
    assert done.err.startswith("WARNING: ")


@pytest.mark.seed("B31")
@pytest.mark.parametrize(
    "odd", [{"content": ["a list"]}, {"content": "text"}, {"changes": ["text"]}, {"changes": {"a": 1}}]
)
def test_a_hand_made_file_of_an_odd_shape_does_not_break_it(box, draft, write, place, odd):
    write("create", "decisions/x.json", draft())
    place("decisions/x.json", draft(id="x", **odd))

    assert ask(box, "decision", "sqlite storage")["candidate"]["path"] == ".claude/memory/decisions/x.json"


@pytest.mark.seed("B31", "B28")
def test_a_missing_index_is_rebuilt_first(box, draft, write):
    write("create", "decisions/x.json", draft())
    (box.vault / "index.md").unlink()

    found = ask(box, "decision", "sqlite storage")

    assert found["candidate"]["path"] == ".claude/memory/decisions/x.json"
    assert len(box.index()) == 1


@pytest.mark.seed("B31")
def test_an_empty_vault_has_no_candidate(box):
    found = ask(box, "decision", "sqlite storage")

    assert (found["candidate"], found["structural_cud"]) == (None, "CREATE")


@pytest.mark.seed("B31")
def test_a_root_that_is_not_there_is_an_error(box):
    done = box.run("candidate", "--category", "decision", "--new-info", "x", "--root", "no/.claude/memory", code=1)

    assert done.out == ""
    assert "no/.claude/memory" in done.err
