"""claude-memory's record: six folders, six content models, one JSON file each (seed 002 §5 and §11)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.formats import json_file
from recollect.model.kinds import KINDS

SIX = {
    "session_summary": "sessions",
    "decision": "decisions",
    "runbook": "runbooks",
    "constraint": "constraints",
    "tech_debt": "tech-debt",
    "preference": "preferences",
}

INCIDENT = """
[kinds.incident]
folder = "incidents"
fields = {impact = "text", steps = "list"}
"""


def field_lines(out):
    """The fields that an error block names, in order."""
    return [line.removeprefix("field: ") for line in out.splitlines() if line.startswith("field: ")]


# -- B1: where a record lies, and how its bytes look -------------------------------------------------------------


@pytest.mark.seed("B1")
@pytest.mark.parametrize(("kind", "folder"), SIX.items())
def test_each_of_the_six_categories_has_its_own_folder(box, draft, kind, folder):
    target = f".claude/memory/{folder}/first-one.json"

    box.run("write", "--action", "create", "--category", kind, "--target", target, "--input", box.draft(draft(kind)))

    assert (box.root / target).is_file()
    assert box.file(f"{folder}/first-one.json")["category"] == kind


@pytest.mark.seed("B1")
def test_a_file_is_two_space_json_that_keeps_non_ascii_and_ends_in_one_newline(box, draft, write):
    write("create", "decisions/use-sqlite.json", draft(title="Größe zählt: 大きさ 🐘"))

    text = (box.vault / "decisions/use-sqlite.json").read_text("utf-8")
    assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"
    assert '  "title": "Größe zählt: 大きさ 🐘"' in text.splitlines()[4]


@pytest.mark.seed("B1")
def test_the_id_is_the_files_name(box, draft, write):
    write("create", "decisions/storage-engine.json", draft(id="something-else"))

    assert box.file("decisions/storage-engine.json")["id"] == "storage-engine"


# -- B2: the content models, every mistake at once -----------------------------------------------------------------


@pytest.mark.seed("B2", "B37")
@pytest.mark.parametrize(
    ("kind", "required"),
    [
        ("session_summary", ["goal", "outcome", "completed", "next_actions"]),
        ("decision", ["status", "context", "decision", "rationale"]),
        ("runbook", ["trigger", "steps", "verification"]),
        ("constraint", ["kind", "rule", "impact", "severity", "active"]),
        ("tech_debt", ["status", "priority", "description", "reason_deferred"]),
        ("preference", ["topic", "value", "reason", "strength"]),
    ],
)
def test_an_empty_content_names_every_required_field_at_once(box, draft, write, kind, required):
    path = f"{SIX[kind]}/x.json"

    done = write("create", path, draft(kind, content={}), code=1)

    assert done.out.splitlines()[0] == "VALIDATION_ERROR"
    assert field_lines(done.out) == [f"content.{name}" for name in required]
    assert done.out.count("\ngot: missing") == len(required)
    assert done.out.splitlines()[-1].startswith("fix: ")
    assert not (box.vault / path).exists()


@pytest.mark.seed("B2")
@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("session_summary", {"outcome": "great"}),
        ("decision", {"status": "maybe"}),
        ("decision", {"rationale": []}),
        ("decision", {"rationale": "one file"}),
        ("decision", {"alternatives": [{"option": "files"}]}),
        ("decision", {"alternatives": [{"option": "files", "rejected_reason": "slow", "by": "me"}]}),
        ("runbook", {"steps": []}),
        ("runbook", {"root_cause": 7}),
        ("constraint", {"kind": "legal"}),
        ("constraint", {"severity": "critical"}),
        ("constraint", {"impact": []}),
        ("constraint", {"active": "perhaps"}),
        ("tech_debt", {"status": "closed"}),
        ("tech_debt", {"priority": "urgent"}),
        ("preference", {"strength": "hard"}),
        ("preference", {"examples": {"prefer": [], "avoid": [], "other": []}}),
    ],
)
def test_a_content_field_that_does_not_fit_is_refused_and_named(draft, write, kind, wrong):
    record = draft(kind)
    record["content"] |= wrong

    done = write("create", f"{SIX[kind]}/x.json", record, code=1)

    assert done.out.startswith("VALIDATION_ERROR\n")
    assert all(name.startswith(f"content.{next(iter(wrong))}") for name in field_lines(done.out))


@pytest.mark.seed("B2")
@pytest.mark.parametrize(
    ("kind", "optional"),
    [
        ("session_summary", {"in_progress": ["a"], "blockers": ["b"], "key_changes": ["c"], "completed": []}),
        ("decision", {"alternatives": [{"option": "files", "rejected_reason": "slow"}], "consequences": ["c"]}),
        ("runbook", {"symptoms": ["s"], "root_cause": "logs", "environment": "prod"}),
        ("constraint", {"workarounds": ["w"], "expires": "2027-01-01"}),
        ("tech_debt", {"impact": ["i"], "suggested_fix": ["f"], "acceptance_criteria": ["a"]}),
        ("preference", {"examples": {"prefer": ['"a"'], "avoid": ["'a'"]}}),
    ],
)
def test_every_optional_content_field_is_kept(box, draft, write, kind, optional):
    record = draft(kind)
    record["content"] |= optional

    write("create", f"{SIX[kind]}/x.json", record)

    assert box.file(f"{SIX[kind]}/x.json")["content"] == record["content"]


@pytest.mark.seed("B2")
@pytest.mark.parametrize("kind", SIX)
def test_unknown_fields_are_forbidden_at_every_level(draft, write, kind):
    record = draft(kind, colour="red", changes=[{"date": "d", "summary": "s", "author": "me"}])
    record["content"]["mood"] = "good"

    done = write("create", f"{SIX[kind]}/x.json", record, code=1)

    assert sorted(field_lines(done.out)) == ["changes.0.author", "colour", "content.mood"]


@pytest.mark.seed("B2")
def test_all_field_errors_of_base_and_content_come_in_one_block(draft, write):
    record = draft(title="t" * 121, related_files="a.py", confidence="high", times_updated="many")
    record["content"] |= {"status": "maybe", "rationale": []}

    done = write("create", "decisions/x.json", record, code=1)

    expected = ["title", "related_files", "confidence", "times_updated", "content.status", "content.rationale"]
    assert sorted(field_lines(done.out)) == sorted(expected)
    blocks = done.out.split("field: ")[1:]
    assert all("\nexpected: " in block and "\ngot: " in block for block in blocks)


@pytest.mark.seed("B2")
@pytest.mark.parametrize(("length", "code"), [(120, 0), (121, 1)])
def test_a_title_has_at_most_120_characters(draft, write, length, code):
    write("create", "decisions/x.json", draft(title="t" * length), code=code)


@pytest.mark.seed("B2")
@pytest.mark.parametrize(
    ("stem", "code"),
    [
        ("a", 0),
        ("7", 0),
        ("a-b", 0),
        ("a" * 80, 0),
        ("a" * 81, 1),
        ("a_b", 1),
        ("A", 1),
        ("a-", 1),
        ("-a", 1),
        ("a b", 1),
        ("é", 1),
    ],
)
def test_an_id_is_1_to_80_characters_of_kebab_case(box, draft, write, stem, code):
    done = write("create", f"decisions/{stem}.json", draft(), code=code)

    assert (box.vault / f"decisions/{stem}.json").exists() is (code == 0)
    assert (field_lines(done.out) == ["id"]) is (code == 1)


@pytest.mark.seed("B2")
@pytest.mark.parametrize(("given", "kept"), [(0, 0.0), (0.5, 0.5), (1, 1.0), (-3, 0.0), (7.5, 1.0)])
def test_confidence_lies_between_0_and_1(box, draft, write, given, kept):
    done = write("create", "decisions/x.json", draft(confidence=given))

    assert box.file("decisions/x.json")["confidence"] == kept
    assert ("clamped" in done.err) is (given not in (0, 0.5, 1))


@pytest.mark.seed("B2")
@pytest.mark.parametrize("confidence", [1.01, -0.01, "high"])
def test_a_hand_made_file_with_a_confidence_out_of_range_is_not_taken_in(box, draft, place, confidence):
    file = place("decisions/odd.json", draft(id="odd", confidence=confidence))

    done = box.run("reconcile")

    assert "not read: .claude/memory/decisions/odd.json" in done.out
    assert file.exists()


@pytest.mark.seed("B2")
def test_confidence_may_be_null(box, draft, write):
    write("create", "decisions/x.json", draft(confidence=None))

    assert box.file("decisions/x.json").get("confidence") is None


@pytest.mark.seed("B2")
@pytest.mark.parametrize(("length", "code"), [(300, 0), (301, 1)])
def test_a_change_summary_has_at_most_300_characters(draft, write, length, code):
    done = write("create", "decisions/x.json", draft(changes=[{"date": "d", "summary": "s" * length}]), code=code)

    assert (field_lines(done.out) == ["changes.0.summary"]) is (code == 1)


@pytest.mark.seed("B2")
@pytest.mark.parametrize("tags", [[], [" "], [","]])
def test_a_draft_without_usable_tags_becomes_untagged(box, draft, write, tags):
    write("create", "decisions/x.json", draft(tags=tags))

    assert box.file("decisions/x.json")["tags"] == ["untagged"]


@pytest.mark.seed("B2")
def test_a_hand_made_file_without_tags_is_not_a_record(box, draft, place):
    place("decisions/odd.json", draft(id="odd", tags=[]))

    assert "not read: .claude/memory/decisions/odd.json" in box.run("reconcile").out


@pytest.mark.seed("B2")
def test_another_schema_version_is_refused(draft, write):
    done = write("create", "decisions/x.json", draft(schema_version="2.0"), code=1)

    assert field_lines(done.out) == ["schema_version"]


# -- B3: what is deliberately not checked ---------------------------------------------------------------------------


@pytest.mark.seed("B3")
def test_times_are_only_strings_and_a_title_may_be_empty(box, draft, write):
    write("create", "decisions/x.json", draft(title="", created_at="last spring"))

    record = box.file("decisions/x.json")
    assert (record["title"], record["created_at"]) == ("", "last spring")
    assert len(box.index()) == 1
    box.run("index", "--validate")


@pytest.mark.seed("B3")
def test_one_id_may_be_used_in_several_categories(box, draft, write):
    for kind, folder in SIX.items():
        write("create", f"{folder}/same.json", draft(kind))

    assert len(box.index()) == 6


@pytest.mark.seed("B3")
def test_single_tags_and_paths_have_no_length_limit(box, draft, write):
    write("create", "decisions/x.json", draft(tags=["t" * 1000], related_files=["p" * 2000]))

    record = box.file("decisions/x.json")
    assert (record["tags"], record["related_files"]) == (["t" * 1000], ["p" * 2000])


# -- B4: status -----------------------------------------------------------------------------------------------------


@pytest.mark.seed("B4")
def test_a_file_without_a_status_is_active(box, draft, place):
    place("decisions/old-one.json", draft(id="old-one"))

    box.run("index", "--rebuild")

    assert [line.split(" -> ")[1].split()[0] for line in box.index()] == [".claude/memory/decisions/old-one.json"]
    assert [memory["slug"] for memory in box.run("list", "--json").json] == ["old-one"]


@pytest.mark.seed("B4")
@pytest.mark.parametrize("status", ["retired", "archived"])
def test_retired_and_archived_files_are_neither_indexed_nor_listed(box, draft, place, status):
    place("decisions/gone.json", draft(id="gone", record_status=status))
    place("decisions/here.json", draft(id="here", record_status="active"))

    box.run("index", "--rebuild")

    assert [line.split()[-2] for line in box.index()] == [".claude/memory/decisions/here.json"]
    assert [memory["slug"] for memory in box.run("list", "--json").json] == ["here"]
    assert [memory["slug"] for memory in box.run("list", "--status", status, "--json").json] == ["gone"]


@pytest.mark.seed("B4")
def test_there_is_no_fourth_status(box, draft, place):
    place("decisions/odd.json", draft(id="odd", record_status="deleted"))

    assert "not read: .claude/memory/decisions/odd.json" in box.run("reconcile").out


@pytest.mark.seed("B2", "B28")
@pytest.mark.parametrize(
    "text",
    ["{not json", "[]", '{"times_updated": ' + "9" * 5000 + "}", "[" * 5000, '{"title": "\\u0000"}', None],
    ids=["broken", "list", "huge number", "deep", "NUL", "lone surrogate"],
)
def test_one_bad_file_is_reported_and_keeps_nothing_else_from_working(box, draft, place, text):
    place("decisions/good.json", draft(id="good"))
    place("decisions/bad.json", text or json.dumps(draft(id="bad", tags=["half \ud800"])))

    told = box.run("reconcile").out
    listed = box.run("list", "--json").json
    box.run("index", "--rebuild")

    assert "not read: .claude/memory/decisions/bad.json" in told
    assert [memory["slug"] for memory in listed] == ["good"]
    assert any("decisions/good.json" in line for line in box.index())


# -- kinds of one's own, and the schemas ------------------------------------------------------------------------------


@pytest.mark.seed("B1", "B2")
def test_a_kind_of_ones_own_has_a_folder_a_label_and_a_schema(box, draft):
    (box.root / ".recollect.toml").write_text(INCIDENT)
    record = draft() | {"category": "incident", "content": {"impact": "login down", "steps": ["restart"]}}
    target = ".claude/memory/incidents/login-down.json"
    args = ["write", "--action", "create", "--category", "incident", "--target", target]

    box.run(*args, "--input", box.draft(record))

    assert box.file("incidents/login-down.json")["content"] == {"impact": "login down", "steps": ["restart"]}
    assert box.index() == [f"- [INCIDENT] Use SQLite for storage -> {target} #tags:sqlite,storage"]


@pytest.mark.seed("B2")
def test_the_fields_of_a_kind_of_ones_own_are_checked_like_any_other(box, draft):
    (box.root / ".recollect.toml").write_text(INCIDENT)
    record = draft() | {"content": {"steps": [], "mood": "bad"}}
    target = ".claude/memory/incidents/x.json"
    args = ["write", "--action", "create", "--category", "incident", "--target", target]

    done = box.run(*args, "--input", box.draft(record), code=1)

    assert sorted(field_lines(done.out)) == ["content.impact", "content.mood", "content.steps"]


@pytest.mark.seed("B2")
def test_schemas_are_written_one_for_the_base_and_one_per_kind(box):
    (box.root / ".recollect.toml").write_text(INCIDENT)

    box.run("config", "schemas", "out")

    names = {path.name for path in (box.root / "out").iterdir()}
    six = {f"{kind.replace('_', '-')}.schema.json" for kind in SIX}
    assert names >= {"base.schema.json", "incident.schema.json", *six}


@pytest.mark.seed("B2")
@pytest.mark.parametrize("kind", [*SIX, "incident"])
def test_a_schema_forbids_unknown_fields_on_root_and_content_and_states_the_limits(box, kind):
    (box.root / ".recollect.toml").write_text(INCIDENT)
    box.run("config", "schemas", "out")

    schema = json.loads((box.root / "out" / f"{kind.replace('_', '-')}.schema.json").read_text("utf-8"))

    fields = schema["properties"]
    content = schema["$defs"][fields["content"]["$ref"].rpartition("/")[2]]
    assert (schema["additionalProperties"], content["additionalProperties"]) == (False, False)
    assert all(part["additionalProperties"] is False for part in schema["$defs"].values())
    assert (fields["category"]["const"], fields["schema_version"]["const"]) == (kind, "1.0")
    assert (fields["title"]["maxLength"], fields["tags"]["minItems"], fields["changes"]["maxItems"]) == (120, 1, 50)
    assert (fields["retired_reason"]["maxLength"], fields["archived_reason"]["maxLength"]) == (300, 300)
    assert fields["record_status"]["enum"] == ["active", "retired", "archived"]
    assert fields["id"]["pattern"] == "^[a-z0-9]([a-z0-9-]{0,78}[a-z0-9])?$"
    assert fields["confidence"]["anyOf"][0] == {"type": "number", "minimum": 0.0, "maximum": 1.0}
    assert schema["$defs"]["Edit"]["properties"]["summary"]["maxLength"] == 300


@pytest.mark.seed("B2")
@pytest.mark.parametrize(
    ("kind", "field", "limits"),
    [
        ("decision", "status", {"enum": ["proposed", "accepted", "deprecated", "superseded"]}),
        ("decision", "rationale", {"minItems": 1}),
        ("session_summary", "outcome", {"enum": ["success", "partial", "blocked", "abandoned"]}),
        ("runbook", "steps", {"minItems": 1}),
        ("constraint", "kind", {"enum": ["limitation", "gap", "policy", "technical"]}),
        ("constraint", "impact", {"minItems": 1}),
        ("constraint", "severity", {"enum": ["high", "medium", "low"]}),
        ("constraint", "active", {"type": "boolean"}),
        ("tech_debt", "status", {"enum": ["open", "in_progress", "resolved", "wont_fix"]}),
        ("tech_debt", "priority", {"enum": ["critical", "high", "medium", "low"]}),
        ("preference", "strength", {"enum": ["strong", "default", "soft"]}),
    ],
)
def test_a_schema_states_what_each_content_field_may_hold(box, kind, field, limits):
    box.run("config", "schemas", "out")

    schema = json.loads((box.root / "out" / f"{kind.replace('_', '-')}.schema.json").read_text("utf-8"))

    content = schema["$defs"][schema["properties"]["content"]["$ref"].rpartition("/")[2]]
    assert content["properties"][field].items() >= limits.items()
    assert field in content["required"]


@pytest.mark.seed("B2")
def test_the_base_schema_lists_the_categories(box):
    (box.root / ".recollect.toml").write_text(INCIDENT)
    box.run("config", "schemas", "out")

    base = json.loads((box.root / "out/base.schema.json").read_text("utf-8"))

    assert base["additionalProperties"] is False
    assert set(base["properties"]["category"]["enum"]) >= {*SIX, "incident"}


# -- the format keeps what it is given -----------------------------------------------------------------------------


words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=30)
lines = st.lists(words, max_size=3)
some_lines = st.lists(words, min_size=1, max_size=3)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=5,
)


def with_some_of(required, optional):
    """Every required field, any of the optional ones."""
    return st.fixed_dictionaries(required, optional=optional)


CONTENTS = {
    "session_summary": with_some_of(
        {
            "goal": words,
            "outcome": st.sampled_from(["success", "partial", "blocked", "abandoned"]),
            "completed": lines,
            "next_actions": lines,
        },
        {"in_progress": lines, "blockers": lines, "key_changes": lines},
    ),
    "decision": with_some_of(
        {
            "status": st.sampled_from(["proposed", "accepted", "deprecated", "superseded"]),
            "context": words,
            "decision": words,
            "rationale": some_lines,
        },
        {
            "alternatives": st.lists(st.fixed_dictionaries({"option": words, "rejected_reason": words}), max_size=2),
            "consequences": lines,
        },
    ),
    "runbook": with_some_of(
        {"trigger": words, "steps": some_lines, "verification": words},
        {"symptoms": lines, "root_cause": words, "environment": words},
    ),
    "constraint": with_some_of(
        {
            "kind": st.sampled_from(["limitation", "gap", "policy", "technical"]),
            "rule": words,
            "impact": some_lines,
            "severity": st.sampled_from(["high", "medium", "low"]),
            "active": st.booleans(),
        },
        {"workarounds": lines, "expires": words},
    ),
    "tech_debt": with_some_of(
        {
            "status": st.sampled_from(["open", "in_progress", "resolved", "wont_fix"]),
            "priority": st.sampled_from(["critical", "high", "medium", "low"]),
            "description": words,
            "reason_deferred": words,
        },
        {"impact": lines, "suggested_fix": lines, "acceptance_criteria": lines},
    ),
    "preference": with_some_of(
        {"topic": words, "value": words, "reason": words, "strength": st.sampled_from(["strong", "default", "soft"])},
        {"examples": st.fixed_dictionaries({"prefer": lines, "avoid": lines})},
    ),
}
CHANGES = st.lists(
    st.fixed_dictionaries(
        {"date": words, "summary": words}, optional={"field": words, "old_value": json_values, "new_value": json_values}
    ),
    max_size=3,
)


@st.composite
def records(draw, kind):
    """Any valid record of a category."""
    base = st.fixed_dictionaries(
        {
            "schema_version": st.just("1.0"),
            "category": st.just(kind),
            "id": st.from_regex(r"[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?", fullmatch=True),
            "title": words,
            "created_at": words,
            "updated_at": words,
            "tags": st.lists(words, min_size=1, max_size=12),
            "content": CONTENTS[kind],
        },
        optional={
            "record_status": st.sampled_from(["active", "retired", "archived"]),
            "related_files": st.none() | lines,
            "confidence": st.none() | st.floats(0, 1),
            "changes": st.none() | CHANGES,
            "times_updated": st.integers(0, 1000),
            "retired_at": words,
            "retired_reason": words,
            "archived_at": words,
            "archived_reason": words,
        },
    )
    return draw(base)


def decode(data, kind, stem):
    """The memory that a file's bytes say."""
    return json_file.decode(data, KINDS[kind], stem=stem, uid="01", project="p")


@pytest.mark.seed("B1", "B2")
@pytest.mark.parametrize("kind", SIX)
@given(data=st.data())
def test_what_is_encoded_is_decoded_again(kind, data):
    record = data.draw(records(kind))
    memory = decode(json.dumps(record), kind, record["id"])

    assert decode(json_file.encode(memory), kind, record["id"]) == memory


@pytest.mark.seed("B1", "B2")
@pytest.mark.parametrize("kind", SIX)
@given(data=st.data())
def test_a_file_that_says_the_same_comes_back_byte_for_byte(kind, data):
    record = data.draw(records(kind))
    shuffled = dict(data.draw(st.permutations(list(record.items()))))
    indent = data.draw(st.sampled_from([None, 0, 1, 2, 4, "\t"]))
    text = json.dumps(shuffled, indent=indent, ensure_ascii=data.draw(st.booleans()))
    line_end = data.draw(st.sampled_from(["\n", "\r\n"]))
    bom = b"\xef\xbb\xbf" if data.draw(st.booleans()) else b""
    file = bom + (text + data.draw(st.sampled_from(["", "\n", "\n\n"]))).replace("\n", line_end).encode()

    assert json_file.encode(decode(file, kind, record["id"]), like=file) == file


@pytest.mark.seed("B1")
def test_a_file_in_its_own_layout_keeps_the_order_of_its_fields_when_it_changes(box, draft, place, write):
    record = dict(reversed(draft(id="odd", record_status="active").items()))
    place("decisions/odd.json", json.dumps(record, indent=4))

    write("archive", "decisions/odd.json", None, "--reason", "done")

    assert list(box.file("decisions/odd.json"))[: len(record)] == list(record)
