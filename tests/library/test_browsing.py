"""What people look at, through the library: previews, origins, steps of sessions, figures, files of the log."""

from datetime import UTC, datetime, timedelta

import pytest
from page import scene
from tables import each

import recollect
from recollect.errors import BadInput, Conflict, NotFound, Refused
from recollect.library.browsing.figures import percentile
from recollect.model.session_event import PROMPT, SessionEvent
from recollect.policy.memories.differences import differences

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def clock():
    return scene.Clock(NOW)


@pytest.fixture
def space(box, clock):
    with box.living(), recollect.open(box.root, home=box.home, now=clock, actor="page") as workspace:
        yield workspace


def test_a_preview_is_the_hooks_answer_and_writes_nothing(space):
    space.remember("Retries of the payment gateway need the same idempotency key", kind="learned", tags=["payments"])
    space.remember("The harbour crane is yellow", kind="note")
    found = space.preview("how do retries of the payment gateway work?")
    assert [memory.found.title for memory in found.told] == [
        "Retries of the payment gateway need the same idempotency key"
    ]
    assert found.tokens == found.told[0].tokens > 0
    assert found.told[0].text in found.block
    assert "gateway" in found.words
    assert space.receipt() is None
    again = space.preview("how do retries of the payment gateway work?")
    assert [memory.found.uid for memory in again.told] == [
        memory.found.uid for memory in found.told
    ]  # not "told before"
    told = space.context("how do retries of the payment gateway work?", session="s1")
    assert found.told[0].text in told
    assert not space.preview("how do retries of the payment gateway work?", kinds=["decision"]).told
    assert not space.preview("how do retries of the payment gateway work?", until="2020-01-01").memories


def test_the_steps_of_one_second_are_in_the_order_in_which_they_happened(space, clock):
    for number, session in enumerate(("s-0001", "s-0002")):
        clock.now = NOW + timedelta(hours=number)
        space.started(session=session)
        space.context("The test of the orders fails, please repair it.", session=session)
        scene.repair(space, clock, session, "t1")
        answer = "The test passes. The root cause was that total() skipped the first price."
        space.observe({"event": "TurnEnded", "session": session, "turn": "t1", "answer": answer})
        space.observe({"event": "SessionEnded", "session": session})
    steps = [step.what for step in space.session_steps("s-0002")]
    assert steps[steps.index("failed") + 1] == "told"  # the known fix of that failure
    assert steps.index("asked") < steps.index("failed")
    assert steps.index("kept") > steps.index("answered")


def test_a_memory_stands_in_the_story_behind_the_last_event_of_the_second_in_which_it_was_made(space, clock):
    memory = space.remember("The ferry leaves at noon", kind="learned", session="s1").memory
    event = SessionEvent(
        key="p1", session="s1", project=space.project, at=NOW.timestamp() + 0.4, name=PROMPT, about="?"
    )
    with space.project_context.store.writing():
        space.project_context.store.sessions.add_event(event)
    assert [(step.what, step.says) for step in space.session_steps("s1")] == [("asked", "?"), ("kept", memory.kind)]


def test_a_memory_names_its_sources_its_changes_and_what_is_around_it(space, clock):
    session = "s-0001"
    space.started(session=session)
    space.context("The test of the orders fails, please repair it.", session=session)
    scene.repair(space, clock, session, "t1")
    space.observe({"event": "TurnEnded", "session": session, "turn": "t1", "prompt": "repair it",
                   "answer": "The test passes. The root cause was that total() skipped the first price."})  # fmt: skip
    (made,) = space.list(kinds=["runbook"])
    sources = space.sources(made.uid)
    assert any("assert 3 == 6" in event.detail for event in sources.events)
    assert sources.gone == len(made.derived_from) - len(sources.events) - len(sources.memories)
    space.edit(made.uid, title="total() skips the first price")
    newest, *_, oldest = space.changes(made.uid)
    assert newest.entry.actor == "page"
    assert "+title: total() skips the first price" in newest.lines
    assert oldest.entry.actor == "capture"
    space.add_fact("total()", "skips", "the first price", source=made.uid)
    older = space.remember("total is wrong").memory
    space.merge(made.uid, older.uid)
    around = space.surroundings(made.uid)
    assert [fact.subject for fact in around.facts] == ["total()"]
    assert [(link.relation, link.uid) for link in around.links] == [("replaces", older.uid)]
    assert [memory.uid for memory in space.surroundings(older.uid).derived] == [made.uid]

    steps = space.session_steps(session)
    words = [step.what for step in steps]
    assert words[0] == "marked"
    assert {"asked", "failed", "used", "answered", "kept"} <= set(words)
    assert words.index("asked") < words.index("failed") < words.index("answered")
    assert all(step.ms > 0 for step in steps if step.receipt)
    (row,) = space.recent_sessions()
    assert (row.session.id, row.about) == (session, "The test of the orders fails, please repair it.")
    assert row.kept >= 1
    mark = space.session_mark(session)
    assert space.session_mark(session) == mark
    space.context("and now?", session=session)
    space.observe({"event": "TurnEnded", "session": session, "turn": "t2", "prompt": "and now?", "answer": "Done."})
    assert space.session_mark(session) != mark
    assert space.session_mark("another") == "0-0"
    with pytest.raises(NotFound):
        space.session_row("nobody-was-here")


def test_related_memories_facts_about_the_same_and_the_prompts_of_tellings_are_named(space):
    cents = space.remember(
        "Prices are integers, in cents", kind="decision", why="floats lost a cent in invoices"
    ).memory
    related = space.remember("Prices in cents are rounded by invoices.round()", kind="learned").memory
    space.remember("The harbour crane is yellow", kind="note")
    assert [row.memory.uid for row in space.related(cents.uid)] == [related.uid]
    space.merge(cents.uid, related.uid)
    assert space.related(cents.uid) == []  # a link says more
    space.add_fact("prices", "are stored as", "cents", source=cents.uid)
    space.add_fact("cents", "are", "integers")
    space.add_fact("cranes", "are", "yellow")
    assert [fact.subject for fact in space.surroundings(cents.uid).other_facts] == ["cents"]
    assert [step.title for step in space.last_changes()] == ["cranes are yellow"]
    prompt = "how are prices kept, in cents?"
    space.context(prompt, session="s1")
    space.observe({"event": "TurnEnded", "session": "s1", "turn": "t1", "prompt": prompt, "answer": "In cents."})
    (telling,) = space.told(cents.uid)
    assert space.occasions([telling]) == {telling.receipt: prompt}
    assert space.first_prompt("s1") == prompt


def test_conflicts_wait_for_a_person_as_pending_memories_do(space, clock):
    for number, rule in enumerate(("Always use yarn in this repo.", "Always use pnpm in this repo.")):
        clock.now += timedelta(days=1)
        session = f"s-{number}"
        space.started(session=session)
        space.context(rule, session=session)
        space.observe({"event": "TurnEnded", "session": session, "turn": "t", "prompt": rule, "answer": "Ok, noted."})
        space.observe({"event": "SessionEnded", "session": session})
    assert [bool(item.older) for item in space.review()] == [True]
    assert space.glance().waiting == 1


def test_an_edit_and_an_undo_can_say_what_they_saw(space):
    made = space.remember("The bridge opens at nine")
    seen = made.revision
    space.edit(made.memory.uid, title="The bridge opens at ten", expect=seen)
    with pytest.raises(Conflict):
        space.edit(made.memory.uid, title="The bridge opens at eleven", expect=seen)
    group = space.last_group()[0].group
    space.remember("Something else")
    with pytest.raises(Conflict):
        space.undo(expect=group)
    space.undo(expect=space.last_group()[0].group)
    assert [memory.title for memory in space.list()] == ["The bridge opens at ten"]


def test_figures_add_up_by_day_kind_and_session(space, clock):
    for days in (40, 3, 3, 0):
        clock.now = NOW - timedelta(days=days)
        space.remember(f"The crane of day {days} number {space.glance().memories} is yellow")
    clock.now = NOW
    space.remember("Use pnpm", kind="preference", why="lockfile")
    for number, prompt in enumerate(("is the crane of day 40 yellow?", "thanks")):
        space.context(prompt, session="s1")
        space.observe({"event": "TurnEnded", "session": "s1", "turn": str(number), "prompt": prompt, "answer": "ok"})
    found = space.figures(days=7)
    assert found.days == (*(f"2026-02-{day:02d}" for day in range(23, 29)), "2026-03-01")
    assert found.growth["note"] == (1, 1, 1, 3, 3, 3, 4)
    assert found.growth["preference"] == (0, 0, 0, 0, 0, 0, 1)
    today = found.told[-1]
    assert today.hits + today.silences == 2
    assert today.silences >= 1
    assert [(row.session, row.tokens) for row in found.sessions] == [("s1", today.tokens)]
    assert found.latency[0] is None
    assert found.latency[-1].number == 2
    assert 0 < found.p50 <= found.p95
    glance = space.glance()
    assert (glance.memories, glance.waiting) == (5, 0)
    assert [folder.is_here for folder in glance.folders] == [True]


@each("numbers, share, expected", [([], 0.5, None), ([7], 0.95, 7), ([1, 2, 3, 4], 0.5, 2), (range(1, 101), 0.95, 95)])
def test_a_percentile_is_one_of_the_numbers(numbers, share, expected):
    assert percentile(list(numbers), share) == expected


@pytest.mark.seed("C9")
def test_files_of_the_log_are_read_and_written_and_no_others(space, box):
    written = space.write_log_file("memory/2026-02-28.md", "# A day\n", expect="")
    assert space.read_log_file("memory/2026-02-28.md") == written
    with pytest.raises(Conflict):
        space.write_log_file("memory/2026-02-28.md", "mine", expect="")
    space.write_log_file("memory/2026-02-28.md", "again\n", expect=written.revision)
    space.write_log_file("memory/2026-03-01.md", "today\n")
    assert [file.path for file in space.daily_files()] == ["memory/2026-03-01.md", "memory/2026-02-28.md"]
    assert [(file.path, bool(file.modified)) for file in space.plain_files()] == [
        ("MEMORY.md", False),
        ("LONGMEMORY.md", False),
        ("USER.md", False),
    ]
    secret = "ghp_" + "a8Kd93jfK2l0Qw7eRt5yUi1oPz6xCv4bNm3L"
    saved = space.write_log_file("USER.md", f"Ann\ntoken {secret}\n")
    assert saved.redacted
    assert secret not in (box.root / "USER.md").read_text("utf-8")
    (box.root / "elsewhere.md").write_text("secret", "utf-8")
    (box.root / "LONGMEMORY.md").symlink_to(box.root / "elsewhere.md")
    for path in (
        "elsewhere.md",
        "memory/2026-13-01.md",
        "memory/x.md",
        "../USER.md",
        "/etc/passwd",
        "memory//2026-02-28.md",
    ):
        with pytest.raises(BadInput):
            space.read_log_file(path)
        with pytest.raises(BadInput):
            space.write_log_file(path, "x")
    with pytest.raises(recollect.errors.RecollectError):
        space.read_log_file("LONGMEMORY.md")
    with pytest.raises(BadInput):
        space.write_log_file("MEMORY.md", "x" * 5_000_000)


def test_a_clone_that_nobody_trusted_has_its_files_read_only(make_box):
    foreign = make_box("stranger")
    (foreign.root / "MEMORY.md").write_text("# theirs\n", "utf-8")
    with foreign.living(), recollect.open(foreign.root, home=foreign.home) as workspace:
        assert workspace.read_log_file("MEMORY.md").text == "# theirs\n"
        with pytest.raises(Refused):
            workspace.write_log_file("MEMORY.md", "mine")


def test_promoting_writes_a_file_or_says_why_not(space, box, make_box):
    [uid] = box.bring({"title": "Herons nest in April", "kind": "learned", "slug": "herons", "tags": ["pending"],
                       "confidence": 0.5, "channel": "claude-code:statement", "project": space.project})  # fmt: skip
    done = space.promote(uid)
    assert done.path == ".claude/memory/learned/herons.json"
    assert "pending" not in done.memory.tags
    assert (box.root / done.path).exists()
    space.undo()
    assert "pending" in space.show(uid).tags
    for name, why in (
        (space.remember("My number is 030 1234567", sensitivity="private").memory.uid, "private"),
        (space.remember("Everywhere the same", everywhere=True).memory.uid, "every project"),
        (space.remember("A file already").memory.uid, "already"),
        (space.remember("no folder for it", kind="user_preference").memory.uid, "user_preference"),
    ):
        with pytest.raises(Refused, match=why):
            space.promote(name)
    bare = make_box("bare")
    with bare.living(), recollect.open(bare.root, home=bare.home) as workspace:
        made = workspace.remember("x is y").memory.uid
        with pytest.raises(Refused, match="keeps no memory files"):
            workspace.promote(made)


def test_differences_of_a_new_memory_are_its_text_and_of_a_change_the_lines():
    before = {"uid": "u", "kind": "note", "title": "A", "content": {"text": "one\ntwo"}, "tags": ["a"]}
    after = {**before, "content": {"text": "one\nthree"}, "tags": ["a", "b"], "usage": {"pinned": True, "hits": 4}}
    assert list(differences({}, before)) == ["+title: A", "+text: one", "+text: two"]
    assert list(differences(before, after)) == [
        "-tags: a", "+tags: a, b", "-text: two", "+text: three", "+pinned: True",
    ]  # fmt: skip
