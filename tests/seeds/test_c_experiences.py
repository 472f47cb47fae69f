"""CursorClaw's experiences, its recent topics, its hourly scan and its warning at 90 % of a limit (seed 003 §10)."""

import json
import sqlite3
from contextlib import closing

import pytest
from telling import Telling

from recollect.config.recurrence import is_due, parse

NOW = "2026-03-01T12:00:00Z"
REDIS = "The deploy to staging failed because the Redis password had expired; renewing it helped."
REDIS_AGAIN = "Deploys to staging failed because the Redis passwords had expired, renewing them helped."
RACE = "The flaky test of the payment module was a race in the webhook handler."
JAPANESE = "デプロイが失敗したのは証明書の期限切れが原因でした。更新したら直りました。"
RUSSIAN = "Тесты платёжного модуля падали из-за гонки в обработчике вебхуков."


@pytest.fixture
def box(make_box):
    """A user who keeps experiences, on the first of March."""
    made = make_box()
    made.settings |= {"RECOLLECT_NOW": NOW, "RECOLLECT_CONSOLIDATE__EXPERIENCES": "on"}
    return made


def tool(box, code=0, **request):
    return json.loads(box.run("memory", json.dumps(request), code=code).out)


def remember(box, *texts, kind="note", sensitivity="public"):
    for text in texts:
        tool(box, operation="store_memory", content=text, type=kind, sensitivity=sensitivity)


def kept(box):
    found = box.run("list", "--kind", "experience", "--json").json
    return sorted(memory["text"] for memory in found)


def derive(box):
    return box.run("jobs", "run", "experiences", "--json").json["result"]


def ask(box, prompt, session, **env):
    """What the prompt's hook tells the model, and the receipt's candidates with their verdicts."""
    said = {"session_id": session, "cwd": str(box.root), "hook_event_name": "UserPromptSubmit", "prompt": prompt}
    before = dict(box.settings)
    box.settings |= env
    out = box.run("hook", "claude-code", "UserPromptSubmit", stdin=json.dumps(said)).out
    box.settings.clear()
    box.settings.update(before)
    return json.loads(out)["hookSpecificOutput"]["additionalContext"] if out else ""


ON = {"RECOLLECT_INJECT__EXPERIENCES": "on"}


@pytest.mark.seed("C20", "C22")
def test_what_is_unlike_every_experience_becomes_one_in_every_script_and_secrets_never(box):
    key = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    remember(box, REDIS, RACE, JAPANESE, RUSSIAN, "too short", f"The token of the staging cluster is {key}, keep it.")
    remember(box, "The customer list lies in the cellar of the house.", sensitivity="private")
    remember(box, "The code of the safe is written on the wall.", sensitivity="secret")
    remember(box, "Nobody said who may read this sentence here.", sensitivity="unknown")
    remember(box, "We decided to use SQLite for the store of this.", kind="decision")

    planned = box.run("jobs", "run", "experiences", "--dry-run", "--json").json
    assert len(planned["steps"]) == 5
    assert kept(box) == []
    derive(box)

    found = kept(box)
    assert [text for text in found if key not in text] == found
    assert {REDIS, RACE, JAPANESE, RUSSIAN} < set(found)
    assert len(found) == 5
    assert derive(box) == "nothing to do", "a second run finds nothing new"

    remember(
        box, REDIS_AGAIN, JAPANESE.replace("でした", "です"), "Тесты платёжного модуля падали: гонка в обработчике."
    )
    before = kept(box)
    derive(box)
    assert set(kept(box)) - set(before) == {"Тесты платёжного модуля падали: гонка в обработчике."}

    box.settings["RECOLLECT_CONSOLIDATE__UNIQUE_BELOW"] = "1"
    derive(box)
    assert REDIS_AGAIN in kept(box), "the threshold decides"
    box.run("undo", "--yes")
    assert REDIS_AGAIN not in kept(box)


@pytest.mark.seed("C20")
def test_experiences_stay_in_the_store_and_name_their_source(make_box):
    box = make_box()
    box.init("--layout", "json", "--layout", "log")
    box.settings |= {"RECOLLECT_NOW": NOW, "RECOLLECT_CONSOLIDATE__EXPERIENCES": "on"}
    remember(box, REDIS)
    files = {path: path.read_bytes() for path in box.root.rglob("*") if path.is_file()}
    derive(box)
    assert {path: path.read_bytes() for path in box.root.rglob("*") if path.is_file()} == files
    memory = box.run("list", "--kind", "experience", "--json").json[0]
    source = next(one for one in box.run("list", "--json").json if one["kind"] == "note")
    assert (memory["derived_from"], memory["tags"], memory["sensitivity"]) == ([source["uid"]], ["note"], "public")
    assert "experience" not in {one["memory"]["kind"] for one in recalled(box, "redis password staging")}, "no echo"


def recalled(box, question):
    found = box.run("recall", question, "--json").json
    return [
        one if "memory" in one else {"memory": one} for one in (found if isinstance(found, list) else found["hits"])
    ]


@pytest.mark.seed("C20")
def test_of_more_than_five_thousand_experiences_the_oldest_go(box):
    rows = [
        {"kind": "experience", "content": {"text": f"word{number} other{number} third{number}"}}
        | {"created_at": stamp(number), "updated_at": stamp(number)}
        for number in range(5_000)
    ]
    box.bring(*rows)
    remember(box, REDIS, RACE)
    derive(box)
    found = set(kept(box))
    assert len(found) == 5_000
    assert {REDIS, RACE} < found
    assert {"word0 other0 third0", "word1 other1 third1"} & found == set()
    assert "word2 other2 third2" in found


def stamp(number):
    return f"2020-01-01T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}Z"


@pytest.mark.seed("C21", "C22")
def test_query_experiences_answers_the_main_and_the_heartbeat_session(box):
    remember(box, REDIS, RACE, JAPANESE, RUSSIAN)
    derive(box)
    for question, expected in [
        ("redis password staging", [REDIS]),
        ("Why was the payment test flaky?", [RACE]),
        ("証明書の期限切れ", [JAPANESE]),
        ("гонка в обработчике вебхуков", [RUSSIAN]),
        ("What is the weather like today?", []),
        ("pizza", []),
    ]:
        found = tool(box, operation="query_experiences", query=question)["output"]
        assert [one["text"] for one in found["results"]] == expected, question
        assert found["count"] == len(expected)
    entry = tool(box, operation="query_experiences", query="redis password")["output"]["results"][0]
    assert (entry["category"], entry["timestamp"]) == ("note", NOW)
    for where, is_answered in [
        ({"channel": "web"}, True),
        ({"channel": "group"}, False),
        ({"channel": "group", "session_id": "heartbeat:7"}, True),
    ]:
        reply = tool(box, code=None, operation="query_experiences", query="redis password", **where)
        assert reply["success"] is is_answered
    assert reply["success"]
    refused = tool(box, code=1, operation="query_experiences", query="x", channel="group")["error"]["message"]
    assert refused == "query_experiences is only available in the main or heartbeat session."
    assert not tool(box, code=1, operation="query_experiences", query="x", top_k=21)["success"]


@pytest.mark.seed("C21")
def test_a_prompt_is_told_past_experiences_once_within_the_budget_and_only_where_it_is_switched_on(box):
    long = "The import of the ledger stopped at the quarantine step: " + "checksum mismatch again and again, " * 40
    remember(box, REDIS, RACE, long)
    derive(box)
    for memory in box.run("list", "--kind", "note", "--json").json:
        box.run("retire", memory["uid"], "--reason", "only the experience is left")
    prompt = "Why did the import of the ledger stop at the quarantine step?"
    assert "Relevant past experiences" not in ask(box, prompt, "s1")
    told = ask(box, prompt, "s2", **ON)
    lines = told.split("\n")
    at = lines.index("Relevant past experiences:")
    assert lines[at + 1] == f"- [note] {long[:500].rstrip()}…"
    assert REDIS not in told
    assert ask(box, prompt, "s2", **ON) == "", "once a session"
    assert ask(box, prompt, "s3", **ON | {"RECOLLECT_INJECT__TOKEN_BUDGET": "40"}) == "", "within the budget"
    assert ask(box, "What is the weather like today?", "s4", **ON) == ""
    box.run("drain")
    shown = box.run("why", "--json").json
    assert shown["candidates"] == [] or all(one["verdict"] != "shown" for one in shown["candidates"])


@pytest.mark.seed("C21")
def test_a_memory_that_is_told_is_not_told_again_as_an_experience(box):
    remember(box, REDIS)
    derive(box)
    told = ask(box, "Why did the deploy to staging fail, was it the Redis password?", "s1", **ON)
    assert told.count("Redis password had expired") >= 1
    assert "Relevant past experiences" not in told
    box.run("retire", "note/" + box.run("list", "--kind", "note", "--json").json[0]["slug"], "--reason", "gone")
    told = ask(box, "Why did the deploy to staging fail, was it the Redis password?", "s2", **ON)
    assert f"- [note] {REDIS}" in told


# -- C23: recent topics, limits; C5: the scan ---------------------------------------------------------------


@pytest.mark.seed("C23")
def test_the_start_of_a_session_names_what_the_last_ten_sessions_were_about(make_box):
    box = make_box()
    work = Telling(box)
    for number in range(12):
        box.settings["RECOLLECT_NOW"] = f"2026-02-{number + 1:02}T12:00:00Z"
        turn(box, f"old-{number}", f"Please look at the invoice report number {number}, " + "it is slow " * 20)
    turn(box, "chatty", "ok")
    turn(box, "private", "My own address is jane.doe@fastmail.com, look at the invoice report")
    box.settings["RECOLLECT_NOW"] = NOW
    said = {"session_id": "new", "cwd": str(box.root), "hook_event_name": "SessionStart", "source": "startup"}
    out = box.run("hook", "claude-code", "SessionStart", stdin=json.dumps(said)).out
    told = json.loads(out)["hookSpecificOutput"]["additionalContext"]
    section = told.partition("Worked on lately:\n")[2].partition("\n\n")[0].partition("\n</")[0]
    topics = [line for line in section.split("\n") if "invoice report number" in line]
    assert "number 11" in topics[0]
    assert 3 <= len(topics) <= 10
    assert len(section) <= 800
    assert not [line for line in topics if len(line.partition('"')[2].rpartition('"')[0]) > 101]
    assert "jane.doe" not in told
    assert work


def turn(box, session, prompt):
    """One prompt and its answer, drained."""
    base = {"session_id": session, "cwd": str(box.root)}
    events = [
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": prompt, "prompt_id": "p1"}),
        ("Stop", {"prompt_id": "p1", "last_assistant_message": "I looked at it, and it is fine now."}),
    ]
    for name, fields in events:
        box.run("hook", "claude-code", name, stdin=json.dumps(base | fields | {"hook_event_name": name}))
    box.run("drain")


@pytest.mark.seed("C23")
def test_a_limit_is_named_from_ninety_percent_on_in_jobs_health_and_doctor(make_box):
    box = make_box()
    box.init("--layout", "log")
    box.settings |= {"RECOLLECT_NOW": NOW, "RECOLLECT_LOG__MAX_RECORDS": "10"}
    for number in range(8):
        box.run("log", "append", "--session", "s", f"record {number}")
    assert box.run("health", "--json").json["limits"] == []
    assert "limits" not in {row["name"] for row in box.run("doctor", "--json", code=None).json}
    box.run("log", "append", "--session", "s", "record 9")
    says = "MEMORY.md records 9 of 10 (90%; log.max_records)"
    assert box.run("health", "--json").json["limits"] == [says]
    checks = {row["name"]: row for row in box.run("doctor", "--json", code=None).json}
    assert checks["limits"]["says"] == f"1 at 90 % or more: {says}"
    result = box.run("jobs", "run", "fullness", "--json").json["result"]
    assert result.endswith(f" limits at 90 % or more: {says}")


@pytest.mark.seed("C5")
def test_the_log_is_scanned_every_hour_of_use_and_the_findings_are_listed(make_box):
    box = make_box()
    box.init("--layout", "log")
    box.settings["RECOLLECT_NOW"] = "2025-10-01T12:00:00Z"
    box.run("log", "append", "--session", "s", "an old record")
    with (box.root / "MEMORY.md").open("a") as file:
        file.write("- true\n")
    box.settings["RECOLLECT_NOW"] = NOW
    turn(box, "s1", "What is in the log of this project?")
    box.run("drain")
    row = jobs(box)["log-scan"]
    assert row["last_run"] == NOW
    assert "Stale memory record older than 120 days" in row["result"]
    assert "is not a valid record" in row["result"]
    assert row["next_due"] == "2026-03-01T13:00:00Z"
    check = {one["name"]: one for one in box.run("doctor", "--json", code=None).json}["memory log"]
    assert check["says"] == row["result"]
    for moment, expected in (("12:59:00", NOW), ("13:00:00", "2026-03-01T13:00:00Z")):
        box.settings["RECOLLECT_NOW"] = f"2026-03-01T{moment}Z"
        turn(box, f"s-{moment}", "And now, is there anything new in it?")
        assert jobs(box)["log-scan"]["last_run"] == expected


def jobs(box):
    return {row["name"]: row for row in box.run("jobs", "--json").json}


# -- when compaction and experiences run by themselves -------------------------------------------------------


@pytest.mark.seed("C15", "C18", "C20")
def test_compaction_and_experiences_run_by_themselves_when_due(make_box):
    box = make_box()
    box.init("--layout", "log")
    box.settings |= {"RECOLLECT_NOW": "2026-01-01T12:00:00Z", "RECOLLECT_CAPTURE__ENABLED": "off"}
    box.run("log", "append", "--session", "s", REDIS)
    box.settings |= {
        "RECOLLECT_NOW": NOW, "RECOLLECT_LOG__COMPACT": "on", "RECOLLECT_LOG__COMPACT_SCHEDULE": "0 3 * * *",
        "RECOLLECT_CONSOLIDATE__EXPERIENCES": "on",
    }  # fmt: skip
    turn(box, "s1", "Is there anything to do in this project today?")
    assert "merged 1 record of MEMORY.md" in jobs(box)["compact-log"]["result"], "enabled means that it runs"
    assert "## Summary (2026-03-01)" in (box.root / "LONGMEMORY.md").read_text("utf-8")
    assert jobs(box)["compact-log"]["next_due"] == "2026-03-02T03:00:00Z"
    for moment, expected in (("02T02:59:00", NOW), ("02T03:00:00", "2026-03-02T03:00:00Z")):
        box.settings["RECOLLECT_NOW"] = f"2026-03-{moment}Z"
        turn(box, f"s-{moment}", "Is there anything to do now?")
        assert jobs(box)["compact-log"]["last_run"] == expected, "as its schedule says"
    assert kept(box) == []
    box.settings["RECOLLECT_NOW"] = "2026-03-02T04:00:00Z"
    end = {"session_id": "s1", "cwd": str(box.root), "hook_event_name": "SessionEnd", "reason": "exit"}
    box.run("hook", "claude-code", "SessionEnd", stdin=json.dumps(end))
    box.run("drain")
    assert jobs(box)["compact-log"]["last_run"] == "2026-03-02T04:00:00Z", "also when a session ends"
    assert REDIS in kept(box)
    with closing(sqlite3.connect(box.home / "memory.db")) as store:
        owed = [name for (name,) in store.execute("SELECT name FROM settings WHERE name LIKE 'owed:%'")]
    assert not [name for name in owed if "compact-log" in name or "experiences" in name]


@pytest.mark.seed("C15")
def test_an_append_over_a_threshold_compacts_at_once(make_box):
    box = make_box()
    box.init("--layout", "log")
    box.settings |= {
        "RECOLLECT_NOW": "2026-01-01T12:00:00Z", "RECOLLECT_LOG__COMPACT": "on",
        "RECOLLECT_LOG__COMPACT_MAX_RECORDS": "3",
    }  # fmt: skip
    for number in range(3):
        box.run("log", "append", "--session", "s", f"an old note, number {number}")
    box.settings["RECOLLECT_NOW"] = NOW
    done = box.run("log", "append", "--session", "s", "one note more")
    assert "merged 3 records of MEMORY.md, which has 2 now" in done.err
    box.settings["RECOLLECT_LOG__COMPACT"] = "off"
    for number in range(4):
        assert "merged" not in box.run("log", "append", "--session", "s", f"note {number}").err


SUNDAY = "2026-03-01T03:00:00+00:00"


@pytest.mark.seed("C15")
@pytest.mark.parametrize(
    ("schedule", "last", "expected"),
    [
        ("0 3 * * *", "2026-03-01T02:59:59Z", "2026-03-01T03:00:00Z"),
        ("0 3 * * *", "2026-03-01T03:00:00Z", "2026-03-02T03:00:00Z"),
        ("*/15 * * * *", "2026-03-01T03:07:00Z", "2026-03-01T03:15:00Z"),
        ("5-10/5,50 8,20 * * *", "2026-03-01T08:10:00Z", "2026-03-01T08:50:00Z"),
        ("0 0 * * 0", "2026-03-01T00:00:00Z", "2026-03-08T00:00:00Z"),
        ("0 0 * * 7", "2026-03-02T00:00:00Z", "2026-03-08T00:00:00Z"),
        ("0 0 * * mon-fri", "2026-03-06T00:00:00Z", "2026-03-09T00:00:00Z"),
        ("0 0 13 * fri", "2026-03-01T00:00:00Z", "2026-03-06T00:00:00Z"),
        ("0 0 13 * fri", "2026-03-06T00:00:00Z", "2026-03-13T00:00:00Z"),
        ("0 0 29 2 *", "2096-03-01T00:00:00Z", "2104-02-29T00:00:00Z"),
        ("0 0 31 * *", "2026-03-31T00:00:00Z", "2026-05-31T00:00:00Z"),
        ("30 4 1 jan,JUL *", "2026-03-01T00:00:00Z", "2026-07-01T04:30:00Z"),
        ("@weekly", "2026-03-01T00:00:00Z", "2026-03-08T00:00:00Z"),
        ("@monthly", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"),
        ("daily", "2026-03-01T07:30:00Z", "2026-03-02T07:30:00Z"),
        ("90m", "2026-03-01T07:30:00Z", "2026-03-01T09:00:00Z"),
        ("3600000", "2026-03-01T07:30:00Z", "2026-03-01T08:30:00Z"),
    ],
)
def test_a_schedule_is_a_cron_expression_or_an_interval(schedule, last, expected):
    from recollect.model.clock import parse as moment

    found = parse(schedule)
    assert found.next_after(moment(last)) == moment(expected)
    due, begun = moment(expected).timestamp(), moment(last).timestamp()
    assert [is_due(found, begun, now) for now in (due - 1, due)] == [False, True]
    assert is_due(found, None, due)
    assert is_due(found, due + 1, due), "a clock that was set back makes it due"


@pytest.mark.seed("C15")
@pytest.mark.parametrize(
    "schedule",
    ["", "soon", "* * * *", "60 * * * *", "* 24 * * *", "0 0 0 * *", "0 0 30 2 *", "5-1 * * * *", "*/0 * * * *",
     "0 0 * * 8", "1s", "5000", "400d", "0 0 * foo *", "²0 * * * *"],
)  # fmt: skip
def test_a_schedule_that_cannot_be_is_refused_and_a_seeds_file_falls_back_to_daily(make_box, schedule):
    with pytest.raises(ValueError, match=r"must|cannot|does not exist"):
        parse(schedule)
    if schedule == "soon":
        box = make_box()
        assert box.run("config", "set", "log.compact_schedule", schedule, code=1).err.startswith("CONFIG_ERROR")
        box.init()
        (box.root / "continuity.json").write_text(json.dumps({"memoryCompactionSchedule": schedule}))
        shown = box.run("config", "--json")
        assert "memoryCompactionSchedule is ignored" in shown.err
