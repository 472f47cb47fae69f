"""The text at session start: fixed shares within a budget, short lines, nothing twice, nothing that is not certain."""

import itertools
import json
import re
from datetime import timedelta

import pytest
from telling import LATER, MORNING, Telling

from recollect.policy.injection import one_line
from recollect.policy.injection.start_shares import SHARES, Line, Row, Share, fill, size

TOKENS = 800
CHARS_OF_A_TOKEN, WORDS_OF_A_TOKEN = 4, 0.75
LINE_CHARS = 160
_numbers = itertools.count()
SUMMARY = {"goal": "g", "outcome": "partial", "completed": ["one"], "next_actions": ["write the changelog"]}
LONG_SLUG = "a-slug-that-repeats-the-whole-title-and-is-far-too-long-to-be-read"


def start(box, source="startup", session="", **fields):
    """What a session is told when it starts."""
    name = session or f"session-{next(_numbers)}"
    said = {"session_id": name, "cwd": str(box.root), "hook_event_name": "SessionStart", "source": source} | fields
    out = box.run("hook", "claude-code", "SessionStart", stdin=json.dumps(said)).out
    return json.loads(out)["hookSpecificOutput"]["additionalContext"] if out else ""


def ask(box, prompt, session):
    said = {"session_id": session, "cwd": str(box.root), "hook_event_name": "UserPromptSubmit", "prompt": prompt}
    return box.run("hook", "claude-code", "UserPromptSubmit", stdin=json.dumps(said)).out


def labels(said):
    return re.findall(r"^([A-Z][^\n]*):$", said, re.MULTILINE)


def lines(said):
    return [line for line in said.split("\n") if line.startswith("- ")]


def words(number):
    """Six words that no other number has, so that no two memories are alike."""
    return " ".join(f"{word}{number}" for word in ("alpha", "bravo", "charlie", "delta", "echo", "foxtrot"))


def decision(number, **fields):
    content = {
        "status": "accepted",
        "context": "",
        "decision": words(number),
        "rationale": [f"because {words(-number)}"],
    }
    return {"title": f"Decided {words(number)}", "kind": "decision", "content": content} | fields


def constraint(number, **fields):
    content = {
        "kind": "technical", "rule": words(number), "impact": [f"else {words(-number)}"], "severity": "high",
        "active": True,
    }  # fmt: skip
    return {"title": f"Limited to {words(number)}", "kind": "constraint", "content": content} | fields


def preference(number, strength="strong", **fields):
    content = {"topic": "t", "value": words(number), "reason": f"so {words(-number)}", "strength": strength}
    return {"title": f"Prefer {words(number)}", "kind": "preference", "content": content} | fields


def runbook(number, **fields):
    content = {"trigger": words(number), "steps": ["restart it"], "verification": "it runs"}
    return {"title": f"Fix of {words(number)}", "kind": "runbook", "content": content} | fields


def summary(number, **fields):
    content = SUMMARY | {"goal": words(number)}
    return {"title": f"Session: {words(number)}", "kind": "session_summary", "content": content} | fields


def many():
    """300 memories of all kinds."""
    makers = (decision, decision, constraint, preference, runbook, summary)
    return [makers[number % len(makers)](number) for number in range(1, 301)]


# -- shares and budgets ------------------------------------------------------------------------------------------------


def test_the_shares_are_a_hundred_percent():
    assert sum(share.percent for share in SHARES) == 100


def test_with_300_memories_every_row_has_its_lines(box):
    (box.home / "USER.md").write_text("Ann, who reviews everything.\n" * 40, "utf-8")
    box.bring(*many())
    said = start(box)
    found = labels(said)
    wanted = [
        "About the user (USER.md)",
        "Always",
        "Left open by the last session (2026-03-01)",
        "Constraint",
        "Decision",
    ]
    assert [label for label in found if label in wanted] == wanted
    assert found[-1] == "Worked on lately"
    for title, at_least in (("Prefer", 2), ("Limited to", 2), ("Decided", 2)):
        assert said.count(f"- {title}") >= at_least
        assert said.count(f"- {title}") <= 12


@pytest.mark.parametrize("tokens", [200, 400, TOKENS, 2_000])
def test_the_text_has_at_most_as_many_tokens_as_its_setting(box, tokens):
    box.settings["RECOLLECT_INJECT__START_TOKENS"] = str(tokens)
    (box.home / "USER.md").write_text("An old word. " * 500, "utf-8")
    box.bring(*many())
    said = start(box)
    assert len(said) / CHARS_OF_A_TOKEN <= tokens
    assert len(said.split()) / WORDS_OF_A_TOKEN <= tokens
    assert len(said) / CHARS_OF_A_TOKEN > tokens / 2


def test_the_default_is_800_tokens(box):
    box.bring(*many())
    assert 0.7 * TOKENS < len(start(box)) / CHARS_OF_A_TOKEN <= TOKENS


def test_without_tokens_only_the_log_is_told(make_box):
    box = make_box()
    box.run("init", "--layout", "log")
    box.run("log", "append", "--session", "s", "Deploys wait for Ann")
    box.run("remember", "Postgres for orders", "--kind", "decision", "--why", "we need transactions", "--global")
    box.settings["RECOLLECT_INJECT__START_TOKENS"] = "0"
    said = start(box)
    assert "Deploys wait for Ann" in said
    assert "Postgres" not in said


def test_what_a_row_leaves_goes_to_the_next_and_then_to_the_first_that_wants_it():
    def row(name, number):
        return Row(Share(name, 25, ""), [Line(f"{name}:", "x" * 49) for _ in range(number)])

    rows = [row("a", 9), row("b", 0), row("c", 9), row("d", 1)]
    fill(rows, 4 * 110)
    assert [len(each.taken) for each in rows] == [3, 0, 4, 1]
    rows = [row("a", 9), row("b", 0), row("c", 0), row("d", 0)]
    fill(rows, 4 * 110)
    assert len(rows[0].taken) == 8


def test_other_scripts_count_for_more_than_their_characters():
    assert size("デプロイは金曜日に禁止") == 3 * 11


# -- lines -------------------------------------------------------------------------------------------------------------


def test_lines_are_short_and_name_a_short_id_that_show_takes(box):
    box.bring(decision(1, slug=LONG_SLUG), constraint(2, slug=LONG_SLUG + "-2"), preference(3, slug=LONG_SLUG + "-3"))
    said = start(box)
    assert "far-too-long" not in said
    names = re.findall(r"\((\w+), \d{4}-\d\d-\d\d\)", said)
    assert len(names) == 3
    shown = {box.run("show", name, "--json").json["title"] for name in names}
    assert shown == {f"Decided {words(1)}", f"Limited to {words(2)}", f"Prefer {words(3)}"}
    assert all(len(name) <= 20 for name in names)


def test_a_long_memory_has_a_short_line(box):
    box.bring(
        decision(1, title=("Long " + "word " * 20).strip()), {"title": "Note", "content": {"text": "more " * 200}}
    )
    assert lines(start(box))
    assert all(len(line) <= LINE_CHARS for line in lines(start(box)))


def test_a_title_is_not_repeated_as_content(box):
    content = {
        "status": "accepted", "context": "", "decision": "Use pnpm in this repository", "rationale": ["one lock file"],
    }  # fmt: skip
    box.bring({"title": "Use pnpm in this repository", "kind": "decision", "content": content, "slug": "pnpm"})
    assert "- Use pnpm in this repository: one lock file (pnpm, 2026-03-01)" in start(box)


@pytest.mark.parametrize(
    ("title", "parts", "said"),
    [
        ("Use pnpm", ["use pnpm.", "one lock file"], ("Use pnpm", "one lock file")),
        ("Use pnpm in this…", ["Use pnpm in this repository"], ("", "Use pnpm in this repository")),
        ("Use pnpm", ["pnpm", "use"], ("Use pnpm", "")),
        ("Packages", ["pnpm", "pnpm", "never npm"], ("Packages", "pnpm; never npm")),
    ],
)
def test_a_line_says_nothing_twice(title, parts, said):
    assert one_line.title_and_rest(title, parts) == said


def test_two_memories_that_say_the_same_are_told_once(box):
    rule = constraint(2)["content"] | {"rule": words(1), "impact": decision(1)["content"]["rationale"]}
    box.bring(decision(1), constraint(2, title=f"Decided {words(1)}", content=rule))
    assert start(box).count("alpha1") == 1


def test_what_the_profile_says_is_not_repeated(box):
    (box.home / "USER.md").write_text("- Lunch is at noon.\n", "utf-8")
    box.run("remember", "Lunch is at noon")
    assert start(box).count("Lunch is at noon") == 1


def test_quotes_are_not_escaped_in_text_and_are_in_attributes(box):
    box.run("remember", 'Say "hello" & <wave>', "--kind", "decision", "--why", "it's polite")
    said = start(box)
    assert 'Say "hello" &amp; &lt;wave&gt;' in said
    assert "&quot;" not in said


def test_quoted_text_cannot_end_its_quotes(box):
    box.bring({"title": 'One" two “three” end', "origin": "tool", "slug": "m"})
    assert "- quoted from a tool: \"One' two 'three' end\" (m, 2026-03-01)" in start(box)


# -- what is told ------------------------------------------------------------------------------------------------------


def test_nothing_pending_is_told(box):
    kinds = (decision, constraint, preference, runbook, summary)
    box.bring(*(make(number, tags=["pending"]) for number, make in enumerate(kinds, 1)))
    assert start(box) == ""


def test_decisions_are_told_by_use_and_recency(box):
    days = [f"2026-02-{day:02}T00:00:00Z" for day in range(1, 29)]
    old = decision(99, updated_at="2026-01-20T00:00:00Z", usage={"hits": 30})
    box.bring(old, *(decision(number, updated_at=at) for number, at in enumerate(days, 1)))
    said = start(box)
    assert "alpha99" in lines(said)[0]
    assert "alpha28" in lines(said)[1]
    assert "alpha1 " not in said


@pytest.mark.parametrize("status", ["deprecated", "superseded"])
def test_a_decision_that_is_closed_is_not_told(box, status):
    box.bring(decision(1, content=decision(1)["content"] | {"status": status}))
    assert start(box) == ""


def test_runbooks_are_only_named_as_recent_work(box):
    box.bring(runbook(1))
    assert labels(start(box)) == ["Worked on lately"]


def test_the_last_session_tells_what_it_left_open(box):
    content = SUMMARY | {"blockers": ["the build is red"], "in_progress": ["src/importer.py"]}
    box.bring(
        summary(1, content=content, updated_at="2026-02-28T00:00:00Z"), summary(2, updated_at="2026-02-20T00:00:00Z")
    )
    said = start(box)
    open_end = said.partition("Left open by the last session (2026-02-28):\n")[2].partition("\n\n")[0]
    assert open_end.split("\n") == ["- blocked: the build is red", "- in progress: src/importer.py"]


def test_a_session_that_was_finished_left_nothing_open(box):
    box.bring(summary(1, content=SUMMARY | {"outcome": "success"}))
    assert labels(start(box)) == ["Worked on lately"]


def test_a_session_whose_title_names_nothing_is_no_topic(box):
    titles = ("Session: Look at the changes in this branch", "Session: Importer of ledger files")
    done = SUMMARY | {"outcome": "success"}
    box.bring(*(summary(number, title=title, content=done) for number, title in enumerate(titles)))
    said = start(box)
    assert "Importer of ledger files" in said
    assert "changes in this branch" not in said


def test_a_memory_that_was_told_whole_is_not_told_again_but_one_that_was_cut_is(box):
    short = {"title": "Uploads are limited to 25 MB", "slug": "uploads"}
    long = {"title": "The orders cluster is called heron", "content": {"text": "It has many nodes. " * 30 + "Port 80."}}
    box.bring(short, long)
    assert "25 MB" in start(box, session="s1")
    assert ask(box, "What is the limit of uploads?", "s1") == ""
    assert "25 MB" in ask(box, "What is the limit of uploads?", "s2")
    assert "Port 80" in ask(box, "What is the orders cluster called, heron?", "s1")


def reversed_rules(box):
    """Two sessions a day apart, of which the second takes back what the first said."""
    for number, prompt in enumerate(("We always use yarn here.", "From now on we use pnpm here instead of yarn.")):
        at = MORNING + timedelta(days=number)
        box.now = at.isoformat()
        Telling(box, f"says-{number}", at=at).starts().asks(prompt).answers().ends().drained()


def test_a_replaced_memory_is_named_at_the_next_start_with_its_undo(box):
    reversed_rules(box)
    said = start(box, session=LATER)
    found = re.search(r'Replaced since the last session:\n- "[^"]*yarn[^"]*" → "[^"]*pnpm[^"]*" \(undo: `(.+)`\)', said)
    assert found
    box.run(*found[1].split()[1:])
    assert "Replaced" not in start(box)


def test_before_the_last_session_nothing_is_named_as_replaced(box):
    reversed_rules(box)
    box.now = (MORNING + timedelta(days=2)).isoformat()
    Telling(box, "says-more", at=MORNING + timedelta(days=2)).starts().asks("hello").answers().ends().drained()
    assert "Replaced" not in start(box, session=LATER)


# -- with the log ------------------------------------------------------------------------------------------------------


def test_the_log_follows_the_rows_and_has_its_own_budget(make_box):
    box = make_box()
    box.run("init", "--layout", "log")
    for number in range(3):
        box.run("log", "append", "--session", "s", f"Record {words(number)}")
    box.bring(*(decision(number, project="global") for number in range(100, 200)))
    said = start(box)
    rows, found, log = said.partition("Long-term memory (MEMORY.md):")
    assert found
    assert len(rows) / CHARS_OF_A_TOKEN <= TOKENS
    assert "Record alpha0" in log
    assert "Decided" in rows


def test_a_rule_is_told_among_the_rules_and_not_in_the_log_again(make_box):
    box = make_box()
    box.run("init", "--layout", "log")
    uid = box.run("log", "append", "--session", "s", "Deploys wait for Ann", "--json").json["memory"]["uid"]
    box.run("pin", uid)
    said = start(box)
    assert said.count("Deploys wait for Ann") == 1
    assert "Always:\n- Deploys wait for Ann" in said
