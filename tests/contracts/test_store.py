"""One suite for every `recollect.store.protocols.Store`: memories, transactions, journal, vault files, projects."""

import pytest
from engines import NOON, NOW, PROJECT, Open, entry, keep, memory, sighting, uids

from recollect.errors import StoreError
from recollect.model.memory import Memory, Usage
from recollect.model.query import Query
from recollect.store.protocols import SHALLOW, Entry, KnownCheckout, ProjectCommits, Sighting, Store, Stored

# -- memories -----------------------------------------------------------------------------------------------------


def test_a_memory_comes_back_as_it_was_put(store: Store):
    whole = memory(
        "A",
        "two\nlines, ünïcödé 🦊",
        tags=("one", "two"),
        cue="when",
        keywords=("k",),
        session="s",
        origin="tool",
        commit="c0ffee",
        branch="main",
        derived_from=("B",),
        confidence=0.25,
        importance=0.75,
        sensitivity="private",
        usage=Usage(hits=3, pinned=True),
        scale="task",
        status="retired",
        expires_at="2027-01-01T00:00:00Z",
        closed_at=NOON,
        closed_reason="because",
        times_revised=2,
    )
    keep(store, whole)
    assert store.get("A") == Stored(whole, "revision of A")


def test_a_structured_kind_keeps_its_content_model(store: Store):
    content = {"topic": "t", "value": "v", "reason": "r", "strength": "soft"}
    made = Memory(uid="P", slug="p", kind="preference", title="P", content=content, created_at=NOON, updated_at=NOON)
    keep(store, made)
    found = store.get("P")
    assert found is not None
    assert found.memory == made
    assert type(found.memory.content).__name__ == "Preference"


def test_nothing_is_found_where_nothing_is(store: Store):
    assert store.get("A") is None
    assert store.named(PROJECT, "note", "a") is None
    assert store.same_text(PROJECT, "digest", NOW) is None
    assert store.find(Query()) == []
    assert store.resolve(PROJECT, "a") == []
    assert store.number(Query(PROJECT, kinds=("note",))) == 0


def test_putting_again_replaces_also_under_a_new_name(store: Store):
    keep(store, memory("A"))
    keep(store, memory("A", "other words", slug="renamed", title="New"))
    assert store.named(PROJECT, "note", "a") is None
    found = store.named(PROJECT, "note", "renamed")
    assert found is not None
    assert (found.memory.uid, found.memory.text) == ("A", "other words")
    assert uids(store.find(Query(match="other"))) == ["A"]
    assert store.find(Query(match="text")) == []


def test_a_name_belongs_to_one_memory_of_a_project_and_kind(store: Store):
    keep(store, memory("A", slug="same"))
    keep(store, memory("B", slug="same", kind="learned"), memory("C", slug="same", project="other"))
    with pytest.raises(StoreError):
        keep(store, memory("D", slug="same"))
    assert store.get("D") is None
    assert uids(store.resolve(PROJECT, "same")) == ["A", "B"]


def test_the_same_text_is_found_only_while_it_holds_and_in_its_project(store: Store):
    said = memory("A", "said once", expires_at="2027-01-01T00:00:00Z")
    keep(store, said)
    found = store.same_text(PROJECT, said.digest, NOW)
    assert found is not None
    assert found.memory.uid == "A"
    assert store.same_text("other", said.digest, NOW) is None
    assert store.same_text(PROJECT, said.digest, 1_900_000_000.0) is None
    keep(store, said.having(status="retired"))
    assert store.same_text(PROJECT, said.digest, NOW) is None


def test_a_removed_memory_is_gone_from_every_reading(store: Store):
    keep(store, memory("aaaaaa", "findable"))
    with store.writing():
        store.remove("aaaaaa")
    assert store.get("aaaaaa") is None
    assert store.find(Query(match="findable")) == []
    assert store.resolve(PROJECT, "aaaaaa") == []


def test_a_tag_is_compared_as_a_whole_however_it_is_spelled(store: Store):
    tags = ("pending", "pendings", "c++", "two words", "größe", "a:b", "v1.2", "日本", "-", "not", "and")
    keep(store, *(memory(f"T{number}", tags=(tag,)) for number, tag in enumerate(tags)))
    for number, tag in enumerate(tags):
        assert [found.memory.uid for found in store.find(Query(tags=(tag,)))] == [f"T{number}"], tag
    assert store.number(Query(PROJECT, tags=("pending",))) == 1
    assert store.projects.sizes() == {PROJECT: len(tags)}
    assert store.projects.sizes(no_kinds=("note",)) == {}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (Query(), ["C", "B", "A", "G"]),
        (Query(project=PROJECT), ["B", "A", "G"]),
        (Query(project=PROJECT, global_too=False), ["B", "A"]),
        (Query(project=PROJECT, statuses=("retired",)), ["R"]),
        (Query(project=PROJECT, statuses=()), ["R", "B", "A", "G"]),
        (Query(kinds=("learned",)), ["B"]),
        (Query(kinds=("learned", "note"), project=PROJECT), ["B", "A", "G"]),
        (Query(tags=("red",)), ["B", "A"]),
        (Query(tags=("RED", "green")), ["A"]),
        (Query(tags=("re",)), []),
        (Query(match="apple"), ["B", "A"]),
        (Query(match="apple pear"), ["A"]),
        (Query(match="running"), ["A"]),
        (Query(match="  "), ["C", "B", "A", "G"]),
        (Query(match='"'), []),
        (Query(match="apple OR plum"), []),
        (Query(match="NEAR(apple pear) * ^ -"), []),
        (Query(unexpired_at=1_900_000_000.0), ["C", "A", "G"]),
        (Query(limit=2), ["C", "B"]),
        (Query(limit=0), []),
        (Query(project="nowhere", global_too=False), []),
    ],
    ids=repr,
)
def test_every_filter_has_to_hold(store: Store, query: Query, expected: list[str]):
    keep(
        store,
        memory("G", project="global", created_at="2026-01-01T00:00:00Z"),
        memory("A", "apple and pear run", tags=("red", "green"), created_at="2026-01-02T00:00:00Z"),
        memory(
            "B",
            "apple",
            kind="learned",
            tags=("red",),
            created_at="2026-01-03T00:00:00Z",
            expires_at="2027-01-01T00:00:00Z",
        ),
        memory("C", "plum", project="other", created_at="2026-01-04T00:00:00Z"),
        memory("R", "apple", status="retired", created_at="2026-01-05T00:00:00Z"),
    )
    assert uids(store.find(query)) == expected


def test_the_newest_comes_first_also_within_one_second(store: Store):
    keep(store, memory("A"), memory("B"), memory("C"))
    assert uids(store.find(Query())) == ["C", "B", "A"]


def test_only_active_memories_are_tallied(store: Store):
    keep(store, memory("A"), memory("B", status="retired"), memory("C", kind="learned"), memory("D", project="other"))
    assert store.number(Query(PROJECT, kinds=("note",))) == 1


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("use-pnpm", ["019ca9450aaaaaaaaaaaaaaa", "019ca9450abbbbbbbbbbbbbb"]),
        ("learned/use-pnpm", ["019ca9450abbbbbbbbbbbbbb"]),
        ("019ca9450aaaaaaaaaaaaaaa", ["019ca9450aaaaaaaaaaaaaaa"]),
        ("019CA9450AB", ["019ca9450abbbbbbbbbbbbbb"]),
        ("019ca9", ["019ca9450aaaaaaaaaaaaaaa", "019ca9450abbbbbbbbbbbbbb", "019ca9450acccccccccccccc"]),
        ("019ca", ["019ca9450aaaaaaaaaaaaaaa", "019ca9450abbbbbbbbbbbbbb"]),  # their titles begin like this
        ("cccccccc", ["019ca9450acccccccccccccc"]),
        ("for-e", ["018eeeeeeeeeeeeeeeeeeeee"]),
        ("learned/use", ["019ca9450abbbbbbbbbbbbbb"]),
        ("for-everybody", ["018eeeeeeeeeeeeeeeeeeeee"]),
        ("note/other", []),
        ("%", []),
        ("______", []),
        ("' OR 1=1 --", []),
        ("", []),
        ("/", []),
    ],
)
def test_a_name_is_a_slug_a_kind_and_slug_or_the_beginning_of_an_id(store: Store, name: str, expected: list[str]):
    keep(
        store,
        memory("019ca9450aaaaaaaaaaaaaaa", slug="use-pnpm"),
        memory("019ca9450abbbbbbbbbbbbbb", slug="use-pnpm", kind="learned"),
        memory("019ca9450acccccccccccccc", slug="other", project="elsewhere"),
        memory("018eeeeeeeeeeeeeeeeeeeee", slug="for-everybody", project="global"),
    )
    assert uids(store.resolve(PROJECT, name)) == expected


# -- transactions -------------------------------------------------------------------------------------------------


def test_an_exception_takes_everything_back(store: Store):
    keep(store, memory("A", "before"))
    with pytest.raises(RuntimeError, match="stop"), store.writing():  # noqa: PT012 - everything is taken back
        store.put(memory("A", "after"), "r2")
        store.put(memory("B"), "r1")
        store.record([entry("g1")])
        store.see(sighting("a.json"))
        store.bury(PROJECT, "d", NOON, "why")
        raise RuntimeError("stop")
    found = store.get("A")
    assert found is not None
    assert (found.memory.text, found.revision) == ("before", "revision of A")
    assert store.get("B") is None
    assert store.entries() == []
    assert store.sightings("/checkout") == []
    assert not store.is_buried(PROJECT, "d")
    assert uids(store.find(Query(match="before"))) == ["A"]


def test_writing_works_after_a_failure(store: Store):
    with pytest.raises(KeyboardInterrupt), store.writing():
        raise KeyboardInterrupt
    keep(store, memory("A"))
    assert store.get("A")


def test_another_reader_sees_a_write_when_it_is_committed_and_not_before(open_store: Open):
    writer, reader = open_store(), open_store()
    with writer.writing():
        writer.put(memory("A"), "r1")
        assert writer.get("A")
        assert reader.get("A") is None
    assert reader.get("A") == writer.get("A")


def test_the_version_changes_with_every_commit_of_any_connection_and_with_nothing_else(open_store: Open):
    store, other = open_store(), open_store()
    seen = [store.version()]
    assert store.version() == seen[0]
    for writer in (other, store):
        with writer.writing():
            writer.set_setting("colour", str(len(seen)))
        seen.append(store.version())
    assert len(set(seen)) == 3
    assert store.setting("colour") == "2"
    assert store.version() == seen[-1]


@pytest.mark.parametrize("durable", [True, False])
def test_what_was_committed_is_there_after_opening_again(open_store: Open, durable: bool):
    first = open_store()
    with first.writing(durable=durable):
        first.put(memory("A"), "r1")
        first.record([entry("g1", revision="r1")])
    second = open_store()
    assert second.get("A") == first.get("A")
    assert second.knows_revision("A", "r1")


# -- journal ------------------------------------------------------------------------------------------------------


def record(store: Store, *entries: Entry) -> None:
    with store.writing():
        store.record(entries)


def test_entries_come_newest_first_with_their_number(store: Store):
    record(store, entry("g1", "A"), entry("g1", "B", project="other"))
    record(store, entry("g2", "A", action="updated", before="{}", reason="why", revision="r2"))
    found = store.entries()
    assert [(item.group, item.uid, item.action) for item in found] == [
        ("g2", "A", "updated"),
        ("g1", "B", "created"),
        ("g1", "A", "created"),
    ]
    assert [item.seq for item in found] == sorted((item.seq for item in found), reverse=True)
    assert (found[0].before, found[0].reason, found[0].revision) == ("{}", "why", "r2")
    assert [item.group for item in store.entries(uid="A")] == ["g2", "g1"]
    assert [item.group for item in store.entries(limit=1)] == ["g2"]


def test_the_last_group_is_whole_and_neither_an_undo_nor_undone(store: Store):
    assert store.last_group(PROJECT, "/checkout") == []
    record(store, entry("g1", "A"))
    record(store, entry("g2", "B"), entry("g2", "C"))
    record(store, entry("g3", "A", project="other"), entry("g3b", "A", root="/elsewhere"))
    record(store, entry("g3c", "N", action="taken in"))
    record(store, entry("g4", "A", action="touched"), entry("g5", "", action="met"))
    assert [(item.group, item.uid) for item in store.last_group(PROJECT, "/checkout")] == [("g2", "B"), ("g2", "C")]
    record(store, entry("g6", "B", action="undone", undoes="g2"), entry("g6", "C", action="undone", undoes="g2"))
    assert [(item.group, item.uid) for item in store.last_group(PROJECT, "/checkout")] == [("g1", "A")]
    record(store, entry("g7", "A", action="undone", undoes="g1"))
    assert store.last_group(PROJECT, "/checkout") == []
    record(store, entry("g8", "X", project="global"))
    assert [item.group for item in store.last_group(PROJECT, "/checkout")] == ["g8"]


def test_a_revision_is_known_for_its_own_memory_only(store: Store):
    record(store, entry("g1", "A", revision="r1"), entry("g2", "A", revision="r2"), entry("g3", "B"))
    assert store.knows_revision("A", "r1")
    assert store.knows_revision("A", "r2")
    assert not store.knows_revision("B", "r1")
    assert not store.knows_revision("A", "r3")


# -- sightings ----------------------------------------------------------------------------------------------------


def test_sightings_are_kept_per_checkout_and_path(store: Store):
    with store.writing():
        store.see(sighting("b.json", "B"))
        store.see(sighting("a.json", "A", presence="invalid", problem="not JSON"))
        store.see(Sighting("/elsewhere", "a.json", "A", 1, 2, 3, "d", None))
    assert [item.path for item in store.sightings("/checkout")] == ["a.json", "b.json"]
    assert store.sighting_of("/checkout", "A") == sighting("a.json", "A", presence="invalid", problem="not JSON")
    assert store.sighting_of("/nowhere", "A") is None
    with store.writing():
        store.see(sighting("a.json", "A", digest="new"))
        store.unsee("/checkout", "b.json")
    assert store.sightings("/checkout") == [sighting("a.json", "A", digest="new")]
    assert len(store.sightings("/elsewhere")) == 1


def test_the_file_that_is_there_counts_before_one_that_is_not(store: Store):
    with store.writing():
        store.see(sighting("a-old.json", presence="absent"))
        store.see(sighting("b-new.json"))
    found = store.sighting_of("/checkout", "A")
    assert found is not None
    assert found.path == "b-new.json"


def test_a_new_position_counts_for_the_files_that_were_seen_there(store: Store):
    with store.writing():
        store.see(sighting("seen.json"))
        store.see(sighting("absent.json", presence="absent"))
        store.see(Sighting("/elsewhere", "seen.json", "A", 1, 2, 3, "d", "c1"))
        store.advance("/checkout", "c2")
    assert {item.path: item.position for item in store.sightings("/checkout")} == {
        "seen.json": "c2",
        "absent.json": "c1",
    }
    assert store.sightings("/elsewhere")[0].position == "c1"


# -- tombstones, checkouts ----------------------------------------------------------------------------------------


def test_a_tombstone_stands_in_one_project_until_it_is_taken_away(store: Store):
    with store.writing():
        store.bury(PROJECT, "d", NOON, "first")
        store.bury(PROJECT, "d", NOON, "again")
    assert store.is_buried(PROJECT, "d")
    assert not store.is_buried("other", "d")
    with store.writing():
        store.unbury(PROJECT, "d")
        store.unbury(PROJECT, "never there")
    assert not store.is_buried(PROJECT, "d")


def test_a_checkout_met_again_is_brought_up_to_date(store: Store):
    first = KnownCheckout("/b", PROJECT, "/b/.git")
    with store.writing():
        store.projects.meet(first)
        store.projects.meet(KnownCheckout("/a", PROJECT, "/a/.git", trusted=True))
    assert [(item.root, item.trusted) for item in store.projects.checkouts()] == [("/a", True), ("/b", False)]
    with store.writing():
        store.projects.meet(KnownCheckout("/b", "renamed", "/b/.git", trusted=True))
    assert store.projects.checkouts()[1] == KnownCheckout("/b", "renamed", "/b/.git", trusted=True)


def test_an_alias_leads_to_the_name_that_memories_are_kept_under(store: Store):
    assert store.projects.canonical("path:/shop") is None
    keep(store, memory("A", project="path:/shop"))
    assert store.projects.canonical("path:/shop") == "path:/shop"
    with store.writing():
        store.projects.meet(KnownCheckout("/met", "path:/met", "/met"))
        store.projects.alias(PROJECT, "path:/shop")
    assert store.projects.canonical("path:/met") == "path:/met"
    assert store.projects.canonical(PROJECT) == "path:/shop"
    with store.writing():
        store.projects.alias(PROJECT, "path:/met")
    assert store.projects.canonical(PROJECT) == "path:/met"


def test_the_commits_of_a_project_are_known_by_its_checkouts_and_by_what_they_had_checked_out(store: Store):
    first, second = "a" * 40, "b" * 40
    with store.writing():
        store.projects.meet(KnownCheckout("/a", PROJECT, "/a/.git@1", root_commit=first))
        store.projects.meet(KnownCheckout("/b", PROJECT, "/b/.git@2", root_commit=SHALLOW))
        store.projects.note_commit(PROJECT, second)
        store.projects.note_commit(PROJECT, first)
    assert store.projects.commits(PROJECT) == ProjectCommits((first,), (second,))
    assert store.projects.commits("another") == ProjectCommits()


def test_only_the_last_commits_that_were_checked_out_are_kept_and_first_ones_always(store: Store):
    root = "f" * 40
    with store.writing():
        store.projects.meet(KnownCheckout("/a", PROJECT, "/a/.git@1", root_commit=root))
        for number in range(600):
            store.projects.note_commit(PROJECT, f"{number:040x}")
    known = store.projects.commits(PROJECT)
    assert known.roots == (root,)
    assert len(known.others) == 500
    assert known.others[0] == f"{599:040x}"


def test_a_project_that_is_joined_takes_its_names_checkouts_commits_and_tombstones_along(store: Store):
    first, shared = "a" * 40, "c" * 40
    with store.writing():
        store.bury(PROJECT, "digest", "2026-03-01T12:00:00Z", "leaked")
        store.bury(PROJECT, "both", "2026-03-01T12:00:00Z", "leaked")
        store.bury("another", "both", "2026-03-01T12:00:00Z", "leaked")
        store.projects.meet(KnownCheckout("/a", PROJECT, "/a/.git@1", root_commit=first, unproven="another"))
        store.projects.meet(KnownCheckout("/b", "another", "/b/.git@1", root_commit=shared))
        store.projects.note_commit(PROJECT, shared)
        store.projects.alias("old name", PROJECT)
        before = (store.projects.checkouts(), store.projects.names(), store.projects.commits("another"))
        joined = store.projects.join(PROJECT, "another")
    assert store.is_buried("another", "digest")
    assert not store.is_buried(PROJECT, "digest")
    assert {(row.root, row.project, row.unproven) for row in store.projects.checkouts()} == {
        ("/a", "another", ""), ("/b", "another", ""),
    }  # fmt: skip
    assert store.projects.canonical("old name") == store.projects.canonical(PROJECT) == "another"
    assert set(store.projects.commits("another").roots) == {first, shared}
    with store.writing():
        store.projects.part(joined)
    assert (store.projects.checkouts(), store.projects.names(), store.projects.commits("another")) == before
    assert store.is_buried(PROJECT, "digest")
    assert store.is_buried(PROJECT, "both")
    assert store.is_buried("another", "both")
    assert not store.is_buried("another", "digest")
