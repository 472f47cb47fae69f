"""`eval --dataset transcripts`: real sessions replayed, compared with labels, and put on a page to be labelled."""

import json
import lzma
from html.parser import HTMLParser

import pytest
from recorded_sessions import ANSWER, FIXED, RULE, Claude, codex, gemini, repaired, write

from recollect.interop import transcript_files

FIRST, SECOND = "aaaa1111-0000-4000-8000-000000000001", "bbbb2222-0000-4000-8000-000000000002"
ELSEWHERE = "/home/somebody/shop"
QUESTION = "pytest fails again: test_total - AssertionError: assert 3 == 6. What was the cause last time?"


@pytest.fixture
def has_git() -> bool:
    return False


@pytest.fixture
def data(box):
    """Two sessions of another machine: a repair and a rule, and a question about the error."""
    folder = box.folder / "sessions"
    repaired(Claude(FIRST, ELSEWHERE, "2026-02-20T10:00:00Z")).asks(RULE).says(ANSWER).write(folder)
    Claude(SECOND, ELSEWHERE, "2026-02-21T10:00:00Z").asks(QUESTION).says("A slice.").write(folder)
    return folder


def measure(box, data, *args, code=0):
    return box.run("eval", "--dataset", "transcripts", "--data", str(data), *args, code=code)


def report(box, data, *args):
    return measure(box, data, *args, "--json").json


def label(folder, name, *rows):
    write(folder / name, list(rows))


def test_sessions_are_replayed_in_order_with_their_own_clock(box, data):
    found = report(box, data)
    assert [row["session"] for row in found["sessions"]] == [FIRST, SECOND]
    assert [row["prompts_told"] for row in found["sessions"]] == [0, 1]
    assert found["sessions"][0]["captures"] == 2
    assert found["totals"]["sessions"] == 2
    assert found["totals"]["errors"] == 0
    assert found["totals"]["store_bytes"] > 10_000
    assert box.run("list", "--json").json == []  # nothing of it is in the user's own store


def test_the_results_say_what_was_kept_and_told_with_the_time_of_the_session(box, data):
    place = box.folder / "results.jsonl"
    measure(box, data, "--results", str(place))
    rows = [json.loads(line) for line in place.read_text("utf-8").splitlines()]
    rule = next(row for row in rows if row["type"] == "capture" and row["kind"] == "preference")
    assert rule["at"].startswith("2026-02-20T10:00")
    assert rule["label"] is None
    told = next(row for row in rows if row["type"] == "told" and row["event"] == "PromptSubmitted")
    assert (told["session"], told["about"]) == (SECOND, QUESTION)
    assert "slice" in told["context"]


def test_a_figure_counts_once_nearly_everything_is_labelled(box, data):
    place = box.folder / "labels"
    rule = {"session": FIRST, "kind": "preference", "title": "", "label": "useful", "kind_right": True}
    measure(box, data, "--results", str(box.folder / "rows.jsonl"))
    rows = [json.loads(line) for line in (box.folder / "rows.jsonl").read_text().splitlines()]
    captures = [row for row in rows if row["type"] == "capture"]
    labels = [
        {**rule, "session": row["session"], "kind": row["kind"], "title": row["title"][:30], "title_good": False}
        for row in captures
    ]
    label(place, "captures.jsonl", *labels[:1])
    label(place, "injections.jsonl", {"session": SECOND[:8], "prompt": QUESTION[:40], "injection": "helpful"})
    label(place, "should_be_known.jsonl", {"session": FIRST[:8], "should_be_known": "pnpm", "recall": "kept"})
    figures = report(box, data, "--labels", str(place))["figures"]
    assert figures["captures useful"] == {
        "share": None, "yes": 1, "labelled": 1, "all": len(captures), "bar": "≥ 65 %",
    }  # fmt: skip
    told = figures["told prompts: helpful"]
    assert (told["yes"], told["labelled"]) == (1, 1)
    assert figures["should be known, and kept"]["labelled"] == 0  # the label is of another run
    label(place, "captures.jsonl", *labels)
    figures = report(box, data, "--labels", str(place))["figures"]
    assert (figures["captures useful"]["share"], figures["captures with a good title"]["share"]) == (1, 0)


def test_labels_beside_the_transcripts_are_read_and_the_table_says_how_much_is_labelled(box, data):
    label(data, "captures.jsonl", {"session": FIRST, "kind": "decision", "title": "Something else", "label": "useful"})
    said = measure(box, data).out
    assert "0 of " in said
    assert "labelled" in said
    assert "Unlabelled: " in said


def test_the_transcript_holds_only_what_had_happened_by_then(box):
    session = Claude(FIRST, ELSEWHERE).asks("Have a look at the orders.").says("They are fine.")
    path = session.asks("Thanks. And the invoices?").says("Fine, too.").write(box.folder)
    recorded = transcript_files.read(path)
    copy = transcript_files.GrowingCopy(box.folder / "copy.jsonl", recorded.lines)
    held = []
    for event in transcript_files.hook_events(recorded, copy.path):
        copy.grow(event.lines)
        held.append((event.native, len(copy.path.read_bytes().splitlines())))
    assert held == [
        ("SessionStart", 1), ("UserPromptSubmit", 1), ("Stop", 3), ("UserPromptSubmit", 3), ("Stop", 4),
        ("SessionEnd", 4),
    ]  # fmt: skip


def test_listed_sessions_are_played_in_the_order_of_the_list(box, data):
    for path in data.glob("*.jsonl"):
        (data / f"{path.name}.xz").write_bytes(lzma.compress(path.read_bytes()))
        path.unlink()
    rows = [{"file": f"{name}.jsonl.xz", "session": f"2026-02-20-{name}"} for name in (SECOND, FIRST)]
    (data / "sessions.json").write_text(json.dumps(rows))
    assert [row["session"] for row in report(box, data)["sessions"]] == [SECOND, FIRST]
    assert [row["session"] for row in report(box, data, "-n", "1")["sessions"]] == [SECOND]


def test_compaction_clear_subagents_and_interruptions_are_seen(box):
    folder = box.folder / "sessions"
    session = Claude(FIRST, ELSEWHERE).asks("<command-name>/clear</command-name>").asks("Begin.").says("I begin.")
    session.add("system", subtype="compact_boundary", compactMetadata={"trigger": "manual"})
    session.asks("Go on.").asks("[Request interrupted by user]")
    inner = {"message": {"content": [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}]}}
    outer = {"message": {"content": [{"type": "tool_result", "tool_use_id": "t1", "content": "a.py"}]}}
    for message in (inner, outer):
        session.add("progress", data={"type": "agent_progress", "agentId": "a1", "message": message})
    session.write(folder)
    # two starts and one after the compaction, the compaction, two prompts, a call and its end, one turn, the end
    assert report(box, folder)["sessions"][0]["events"] == 3 + 1 + 2 + 2 + 1 + 1


@pytest.mark.parametrize("recorded", [codex, gemini], ids=["codex", "gemini"])
def test_other_clients_sessions_are_replayed(box, recorded):
    write(box.folder / "sessions" / "one.jsonl", recorded("s1", ELSEWHERE))
    [row] = report(box, box.folder / "sessions")["sessions"]
    assert (row["client"], row["prompts"], row["errors"]) == (recorded.__name__, 1, 0)
    assert row["captures"] >= 2  # the rule and the repair


class Page(HTMLParser):
    """The items of a review page, and every tag in it."""

    def __init__(self, text):
        super().__init__()
        self.items, self.tags, self.texts = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.tags.append((tag, found))
        if "data-type" in found:
            self.items.append(found)

    def handle_data(self, data):
        self.texts.append(data)


def test_the_review_page_shows_what_was_kept_and_told_beside_its_turn(box, data):
    place, labels = box.folder / "review.html", box.folder / "labels"
    label(labels, "should_be_known.jsonl", {"session": FIRST[:8], "should_be_known": "pnpm, not npm"})
    measure(box, data, "--labels", str(labels), "--review", str(place))
    page = Page(place.read_text("utf-8"))
    kinds = {item["data-type"] for item in page.items}
    assert kinds == {"capture", "told", "expected"}
    rule = next(item for item in page.items if item.get("data-kind") == "preference")
    assert (rule["data-session"], rule["data-label"]) == (FIRST, "")
    said = "\n".join(page.texts)
    assert all(words in said for words in (RULE, ANSWER, QUESTION, FIXED, "pnpm, not npm"))
    assert place.stat().st_mode & 0o077 == 0


def test_the_page_needs_no_network_and_text_of_sessions_cannot_leave_its_place(box):
    hostile = '</script><img src="https://example.invalid/x" onerror="alert(1)"> \u2028 "quoted\' & more'
    rule = f"From now on always use pnpm in this repo, never npm, because of {hostile}."
    folder, place = box.folder / "sessions", box.folder / "review.html"
    Claude(FIRST, ELSEWHERE).asks(rule).says(hostile).write(folder)
    measure(box, folder, "--review", str(place))
    page = Page(place.read_text("utf-8"))
    names = {tag for tag, _ in page.tags}
    assert names.isdisjoint({"img", "link", "iframe", "object", "base", "form"})
    assert sum(tag == "script" for tag, _ in page.tags) == 1
    assert not [attrs for _, attrs in page.tags if {"src", "href", "onerror"} & set(attrs)]
    policy = next(attrs["content"] for tag, attrs in page.tags if attrs.get("http-equiv"))
    assert policy.startswith("default-src 'none'")
    assert hostile in "\n".join(page.texts)


def test_what_is_missing_or_wrong_is_said(box, data):
    assert "--data" in box.run("eval", "--dataset", "transcripts", code=2).err
    assert "--review" in box.run("eval", "--dataset", "coding", "--review", "x.html", code=2).err
    empty = box.folder / "empty"
    empty.mkdir()
    assert "no transcripts" in measure(box, empty, code=1).err
    (data / "captures.jsonl").write_text("no json\n")
    assert "captures.jsonl" in measure(box, data, code=1).err
    (data / "sessions.json").write_text('{"file": "x"}')
    assert "list of sessions" in measure(box, data, code=1).err
