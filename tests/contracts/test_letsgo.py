"""A LetsGo database as it is, as it was before its columns were added, and as nobody would want it."""

import contextlib
import json
import os
import shutil
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import UnreadableFile
from recollect.model.fact import Fact
from recollect.model.kinds import KINDS
from recollect.model.memory import Memory, Text, Usage
from recollect.store.foreign_databases import letsgo
from recollect.store.foreign_databases.letsgo import LetsGoContents
from recollect.store.sqlite.store import SqliteStore

NOW = "2026-03-01T12:00:00Z"
SCHEMA = """
CREATE TABLE memories (
    id TEXT PRIMARY KEY, content TEXT NOT NULL, content_hash TEXT NOT NULL DEFAULT '',
    category TEXT DEFAULT 'general', importance REAL DEFAULT 0.5, trust REAL DEFAULT 0.5,
    sensitivity TEXT DEFAULT 'public', tags TEXT DEFAULT '', created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    expires_at TEXT DEFAULT NULL, title TEXT DEFAULT '', subtitle TEXT DEFAULT '', type TEXT DEFAULT 'change',
    concepts TEXT DEFAULT '[]', files_read TEXT DEFAULT '[]', files_modified TEXT DEFAULT '[]',
    session_id TEXT DEFAULT NULL, project TEXT DEFAULT NULL, accessed_count INTEGER DEFAULT 0,
    discovery_tokens INTEGER DEFAULT 0
);
CREATE TABLE schema_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE facts (
    id TEXT PRIMARY KEY, subject TEXT NOT NULL, predicate TEXT NOT NULL, object TEXT NOT NULL,
    confidence REAL DEFAULT 1.0, source_entry_id TEXT DEFAULT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    FOREIGN KEY (source_entry_id) REFERENCES memories(id) ON DELETE SET NULL
);
CREATE VIRTUAL TABLE memories_fts USING fts5(content, title, subtitle, content='memories', content_rowid='rowid');
"""
MEMORY = {
    "id": "0123456789ab",
    "content": "FTS5 needs a rebuild",
    "category": "database",
    "importance": 0.8,
    "sensitivity": "private",
    "tags": "sqlite,Search",
    "created_at": "2026-01-02T03:04:05.678901+00:00",
    "updated_at": "2026-01-03T03:04:05.678901+00:00",
    "expires_at": "2026-04-02T03:04:05.678901+00:00",
    "title": "FTS5 rebuild",
    "subtitle": "after a change of its columns",
    "type": "discovery",
    "concepts": '["gotcha", "how-it-works"]',
    "files_read": '["src/a.py"]',
    "files_modified": '["src/b, c.py"]',
    "session_id": "s1",
    "project": "shop",
    "accessed_count": 7,
}
FACT = {
    "id": "fa",
    "subject": "shop",
    "predicate": "uses",
    "object": "SQLite",
    "confidence": 0.9,
    "source_entry_id": "0123456789ab",
    "created_at": "2026-01-02T03:04:05+00:00",
    "updated_at": "2026-01-03T03:04:05+00:00",
}


@contextlib.contextmanager
def database(path: Path, schema: str = SCHEMA):
    connection = apsw.Connection(str(path))
    try:
        connection.execute(schema)
        yield connection
    finally:
        connection.close()


def insert(connection: apsw.Connection, table: str, **fields: object) -> None:
    marks = ", ".join("?" * len(fields))
    names = ", ".join(f'"{name}"' for name in fields)
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(fields.values()))


def loose(*columns: str) -> str:
    """A table without types, so that any value stays what it is."""
    return f"CREATE TABLE memories ({', '.join(columns)})"


def read(path: Path) -> LetsGoContents:
    return letsgo.read(path, project="here", now=NOW)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "memories.db"


def one(place: Path, **fields: object) -> tuple[Memory, list[str]]:
    """The memory that a row becomes, in a table that takes every type, and what was said about it."""
    row = {**MEMORY, **fields}
    with database(place, loose(*row)) as connection:
        insert(connection, "memories", **row)
    found = read(place)
    return found.memories[0], found.problems


# -- what it is -----------------------------------------------------------------------------------------------------


def test_a_letsgo_database_is_known_by_its_table_of_memories(place: Path):
    with database(place):
        assert letsgo.is_letsgo(place)


def test_our_own_database_is_not_letsgos(place: Path):
    store = SqliteStore(place, KINDS)
    try:
        assert not letsgo.is_letsgo(place)
    finally:
        store.close()
    with pytest.raises(UnreadableFile, match="no table of memories"):
        read(place)


@pytest.mark.parametrize(
    "schema",
    [
        "CREATE TABLE notes (content)",
        "CREATE TABLE memories (text)",
        "CREATE TABLE memories (content, image)",
        "CREATE TABLE notes (content); CREATE VIEW memories AS SELECT content FROM notes",
        "CREATE VIRTUAL TABLE memories USING fts5(content)",
        "",
    ],
)
def test_other_databases_are_not_letsgos(place: Path, schema: str):
    with database(place, schema):
        assert not letsgo.is_letsgo(place)


@pytest.mark.parametrize("data", [b"", b"text", b"SQLite format 3\0", b"SQLite format 3\0" + b"\xff" * 5_000])
def test_what_is_not_a_database_is_not_letsgos(place: Path, data: bytes):
    place.write_bytes(data)

    assert not letsgo.is_letsgo(place)
    with pytest.raises(UnreadableFile) as caught:
        read(place)
    assert caught.value.target == str(place)


def test_what_is_not_a_file_is_not_letsgos_and_is_not_made(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.db")
    for place in (tmp_path, tmp_path / "missing.db", tmp_path / "pipe.db"):
        assert not letsgo.is_letsgo(place)
        with pytest.raises(UnreadableFile, match="no such file"):
            read(place)
    assert not (tmp_path / "missing.db").exists()


@pytest.mark.parametrize("name", ["a b.db", "what?mode=memory.db", "50%25.db", "#1.db", "file:x.db"])
def test_any_name_of_a_file_will_do(tmp_path: Path, name: str):
    with database(tmp_path / "plain.db") as connection:
        insert(connection, "memories", **MEMORY)
    (tmp_path / "plain.db").rename(tmp_path / name)

    assert letsgo.is_letsgo(tmp_path / name)
    assert len(read(tmp_path / name).memories) == 1


def test_a_name_that_is_not_unicode_is_refused_in_our_words(tmp_path: Path):
    place = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.db"))
    place.write_bytes(b"")

    assert not letsgo.is_letsgo(place)
    with pytest.raises(UnreadableFile):
        read(place)


# -- what it holds --------------------------------------------------------------------------------------------------


def test_a_row_is_read_as_a_memory(place: Path):
    with database(place) as connection:
        insert(connection, "memories", **MEMORY)

    found = read(place)

    assert found.problems == []
    assert found.memories == [
        Memory(
            uid=found.memories[0].uid,
            slug="fts5-rebuild",
            kind="discovery",
            title="FTS5 rebuild",
            content=Text(text="FTS5 needs a rebuild"),
            tags=("category:database", "sqlite", "search"),
            concepts=("gotcha", "how-it-works"),
            cue="after a change of its columns",
            project="shop",
            session="s1",
            origin="import",
            channel="letsgo:0123456789ab",
            files_read=("src/a.py",),
            files_modified=("src/b, c.py",),
            importance=0.8,
            sensitivity="private",
            usage=Usage(hits=7),
            created_at="2026-01-02T03:04:05Z",
            updated_at="2026-01-03T03:04:05Z",
            expires_at="2026-04-02T03:04:05Z",
        )
    ]
    assert found.memories[0].uid.startswith(f"{1767323045678:012x}")


def test_a_fact_is_read_and_finds_its_source(place: Path):
    with database(place) as connection:
        insert(connection, "memories", **MEMORY)
        insert(connection, "facts", **FACT)

    found = read(place)

    assert found.problems == []
    assert found.facts == [
        Fact(
            uid=found.facts[0].uid,
            project="here",
            subject="shop",
            predicate="uses",
            object="SQLite",
            confidence=0.9,
            source=found.memories[0].uid,
            created_at="2026-01-02T03:04:05Z",
            updated_at="2026-01-03T03:04:05Z",
        )
    ]
    assert found.facts[0].uid.startswith(f"fact-{1767323045000:012x}")


def test_the_first_schema_had_no_more_than_a_content(place: Path):
    with database(place, "CREATE TABLE MEMORIES (Content TEXT)") as connection:
        insert(connection, "memories", content="said")

    assert letsgo.is_letsgo(place)
    memory = read(place).memories[0]
    assert (memory.text, memory.title, memory.kind, memory.channel) == ("said", "said", "change", None)
    assert (memory.project, memory.sensitivity, memory.importance) == ("here", "unknown", 0.5)
    assert (memory.created_at, memory.updated_at, memory.expires_at) == (NOW, NOW, None)


def test_columns_that_are_all_null_are_like_columns_that_are_missing(place: Path):
    memory, problems = one(place, **dict.fromkeys(MEMORY.keys() - {"content"}))

    assert problems == []
    assert memory == Memory(
        uid=memory.uid,
        slug="fts5-needs-a-rebuild",
        kind="change",
        title="FTS5 needs a rebuild",
        content=Text(text="FTS5 needs a rebuild"),
        project="here",
        origin="import",
        sensitivity="unknown",
        created_at=NOW,
        updated_at=NOW,
    )


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("short", "short"),
        ("w" * 80, "w" * 80),
        ("w" * 81, "w" * 80 + "..."),
        ("two\nlines", "two lines"),
        ("\u200b", "untitled"),
    ],
)
def test_a_memory_without_a_title_gets_the_beginning_of_its_text(place: Path, content: str, title: str):
    memory, _ = one(place, content=content, title="")

    assert (memory.title, memory.text) == (title, content)


def test_a_long_title_is_cut(place: Path):
    assert one(place, title="w" * 130)[0].title == "w" * 119 + "…"


def test_a_title_without_latin_letters_still_gives_a_slug(place: Path):
    memory, _ = one(place, title="日本")

    assert (memory.title, memory.slug) == ("日本", f"note-{memory.digest[:8]}")


@pytest.mark.parametrize(
    ("type_", "kind"),
    [
        ("decision", "decision"),
        ("Session_Summary", "session_summary"),
        ("poem", "change"),
        ("", "change"),
        (5, "change"),
    ],
)
def test_a_type_that_is_not_a_kind_is_a_change(place: Path, type_: object, kind: str):
    assert one(place, type=type_)[0].kind == kind


@pytest.mark.parametrize(
    ("label", "sensitivity"),
    [
        ("public", "public"),
        ("PRIVATE", "private"),
        ("Secret", "secret"),
        ("unknown", "unknown"),
        ("personal", "unknown"),
        ("", "unknown"),
        (None, "unknown"),
        (1, "unknown"),
    ],
)
def test_a_label_that_nobody_knows_is_not_taken_for_public(place: Path, label: object, sensitivity: str):
    assert one(place, sensitivity=label)[0].sensitivity == sensitivity


@pytest.mark.parametrize(
    ("importance", "expected"),
    [(0.25, 0.25), (7, 1.0), (-1, 0.0), ("0.75", 0.75), ("high", 0.5), (None, 0.5), ("nan", 0.5), ("inf", 1.0)],
)
def test_importance_is_a_share(place: Path, importance: object, expected: float):
    assert one(place, importance=importance)[0].importance == expected


@pytest.mark.parametrize(
    ("count", "hits"),
    [(3, 3), ("3", 3), (2.5, 2), (-1, 0), ("often", 0), (None, 0), (2**63 - 1, 10**9), ("inf", 10**9)],
)
def test_uses_are_counted(place: Path, count: object, hits: int):
    assert one(place, accessed_count=count)[0].usage.hits == hits


@pytest.mark.parametrize(
    ("tags", "category", "expected"),
    [
        ("a,b", "general", ("a", "b")),
        ('["A", "b,c", 5, null]', "general", ("a", "b c")),
        ('["a", "b', None, ("a", "b")),
        (" , a,, a ", "", ("a",)),
        ("", "notes/summary", ("category:notes/summary",)),
        (None, None, ()),
        ("null", None, ()),
        (5, None, ("5",)),
    ],
)
def test_tags_are_a_text_or_a_list_and_the_category_is_one_of_them(
    place: Path, tags: object, category: object, expected: tuple[str, ...]
):
    assert one(place, tags=tags, category=category)[0].tags == expected


def test_tags_beyond_the_cap_are_named(place: Path):
    memory, problems = one(place, tags=",".join(f"t{number}" for number in range(13)))

    assert memory.tags == ("category:database", *(f"t{number}" for number in range(11)))
    assert problems == ["memories 0123456789ab: more than 12 tags; dropped: t11, t12"]


def test_unknown_concepts_are_dropped_and_named(place: Path):
    memory, problems = one(place, concepts="Gotcha, magic, pattern")

    assert memory.concepts == ("gotcha", "pattern")
    assert problems == ["memories 0123456789ab: unknown concepts dropped: magic"]


@pytest.mark.parametrize(
    ("written", "files"),
    [
        ('["a.py", "b.py"]', ("a.py", "b.py")),
        ("a.py, b.py", ("a.py", "b.py")),
        ("app/[id]/page.tsx", ("app/[id]/page.tsx",)),
        ('["\\ud83d.py"]', ("\ufffd.py",)),
        ("{}", ("{}",)),
        (b"\xff", ()),
    ],
)
def test_files_are_a_list_or_a_text_with_commas(place: Path, written: object, files: tuple[str, ...]):
    assert one(place, files_read=written)[0].files_read == files


@pytest.mark.parametrize(
    ("written", "created_at"),
    [
        ("2026-01-02T03:04:05", "2026-01-02T03:04:05Z"),
        (" 2026-01-02 03:04:05+02:00 ", "2026-01-02T01:04:05Z"),
        (1_767_323_045, "2026-01-02T03:04:05Z"),
        ("1767323045.5", "2026-01-02T03:04:05Z"),
        (1_767_323_045_678, "2026-01-02T03:04:05Z"),
        ("yesterday", NOW),
        ("", NOW),
        (None, NOW),
        (-1, NOW),
        (2**63 - 1, NOW),
        ("0001-01-01T00:00:00+14:00", NOW),
        ("inf", NOW),
    ],
)
def test_a_time_is_brought_to_our_form_or_is_now(place: Path, written: object, created_at: str):
    memory, _ = one(place, created_at=written, updated_at="never")

    assert (memory.created_at, memory.updated_at) == (created_at, created_at)
    assert len(memory.uid) == 24


def test_an_expiry_that_is_not_a_time_is_named(place: Path):
    memory, problems = one(place, expires_at="soon")

    assert memory.expires_at is None
    assert problems == ["memories 0123456789ab: expires_at is not a time; it is kept without one"]


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le", "UTF-16be"])
def test_the_encoding_of_the_database_does_not_matter(place: Path, encoding: str):
    with database(place, f"PRAGMA encoding='{encoding}'; {SCHEMA}") as connection:
        insert(connection, "memories", **{**MEMORY, "content": "ünï😀"})

    assert read(place).memories[0].text == "ünï😀"


# -- what is wrong with it ------------------------------------------------------------------------------------------


def test_a_row_that_says_nothing_is_named_and_the_rest_is_read(place: Path):
    with database(place, loose("id", "content")) as connection:
        insert(connection, "memories", id="a", content=None)
        insert(connection, "memories", id=None, content=" \n")
        insert(connection, "memories", id="c", content=b"\xff\xfe")
        connection.execute("INSERT INTO memories VALUES ('d', CAST(x'61ff62' AS TEXT)), ('e', 'said'), (6, 42)")

    found = read(place)

    assert [(memory.channel, memory.text) for memory in found.memories] == [("letsgo:e", "said"), ("letsgo:6", "42")]
    assert found.problems == [f"memories {name}: has no content" for name in ("a", "row 2", "c", "d")]


def test_a_fact_that_cannot_be_used_is_named_and_the_rest_is_read(place: Path):
    with database(place, SCHEMA.replace("NOT NULL", "")) as connection:
        insert(connection, "facts", **{**FACT, "id": "f1", "subject": " ", "object": None})
        insert(connection, "facts", **{**FACT, "id": "f2", "object": "w" * 2_001})
        insert(connection, "facts", **{**FACT, "id": "f3", "confidence": 7, "source_entry_id": "gone"})

    found = read(place)

    assert [(fact.confidence, fact.source) for fact in found.facts] == [(1.0, None)]
    assert found.problems[0] == "facts f1: has no subject, object"
    assert found.problems[1].startswith("facts f2: object: String should have at most 2000 characters")
    assert len(found.problems) == 2


def test_the_source_of_a_fact_has_two_names(place: Path):
    with database(place, SCHEMA.replace("source_entry_id", "source_memory_id")) as connection:
        insert(connection, "memories", **MEMORY)
        fields = {key: value for key, value in FACT.items() if key != "source_entry_id"}
        insert(connection, "facts", **fields, source_memory_id=MEMORY["id"])

    found = read(place)
    assert found.facts[0].source == found.memories[0].uid


def test_half_an_emoji_and_a_nul_do_not_cost_the_memory(place: Path):
    memory, _ = one(place, content="a\0b", tags=json.dumps(["\ud83d", "ok"]))

    assert memory.text == "a\ufffdb"
    assert memory.tags == ("category:database", "\ufffd", "ok")


def test_a_database_that_is_being_written_to_is_refused_in_our_words(place: Path):
    with database(place) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        with pytest.raises(UnreadableFile, match="another program is writing"):
            read(place)
        assert not letsgo.is_letsgo(place)


def test_a_database_that_a_crash_left_half_written_is_refused_in_our_words(place: Path, tmp_path: Path):
    copy = tmp_path / "copy"
    copy.mkdir()
    with database(place) as connection:
        connection.execute("PRAGMA cache_size=1; BEGIN IMMEDIATE")
        for number in range(300):
            insert(connection, "memories", **{**MEMORY, "id": str(number), "content": "said " * 600})
        for file in (place, place.with_name(f"{place.name}-journal")):
            shutil.copy(file, copy)

    with pytest.raises(UnreadableFile, match="in the middle of a write"):
        read(copy / place.name)


def test_reading_changes_nothing(place: Path):
    with database(place) as connection:
        insert(connection, "memories", **MEMORY)
    place.chmod(0o400)
    before = place.read_bytes()

    assert letsgo.is_letsgo(place)
    assert len(read(place).memories) == 1
    assert place.read_bytes() == before
    assert [found.name for found in place.parent.iterdir()] == [place.name]


def test_a_database_that_is_damaged_further_down_gives_what_stands_before(place: Path):
    with database(place) as connection:
        for number in range(200):
            insert(connection, "memories", **{**MEMORY, "id": str(number), "content": f"{number} " * 200})
    with place.open("r+b") as file:
        file.seek(place.stat().st_size // 2)
        file.write(b"\xff" * (place.stat().st_size // 2))

    found = read(place)

    assert 0 < len(found.memories) < 200
    assert found.memories[0].text.startswith("0 ")
    assert found.problems[0].startswith("memories: nothing can be read after row ")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    place = tmp_path_factory.mktemp("letsgo") / "memories.db"
    with database(place) as connection:
        for number in range(20):
            insert(connection, "memories", **{**MEMORY, "id": str(number)})
            insert(connection, "facts", **{**FACT, "id": str(number), "source_entry_id": str(number)})
    return place.read_bytes()


@given(st.data())
def test_no_damage_at_all_makes_the_reader_fail_in_another_way(place: Path, whole: bytes, data: st.DataObject):
    damaged = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, 200) | st.integers(0, len(whole) - 1))
        damaged[at : at + 4] = data.draw(st.binary(min_size=1, max_size=4))
    place.write_bytes(bytes(damaged[: data.draw(st.integers(100, len(damaged)))]))

    letsgo.is_letsgo(place)
    with contextlib.suppress(UnreadableFile):
        read(place)


cells = (
    st.none() | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.binary(max_size=9)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=9)
    | st.sampled_from(["[]", '["', "null", "1e999", "9999-12-31T23:59:59-14:00", "{}", "[[]]", "\0"])
)  # fmt: skip


@given(st.fixed_dictionaries(dict.fromkeys(MEMORY, cells)), st.fixed_dictionaries(dict.fromkeys(FACT, cells)))
def test_no_row_at_all_makes_the_reader_fail(place: Path, memory: dict[str, object], fact: dict[str, object]):
    place.unlink(missing_ok=True)
    with database(place, f"{loose(*MEMORY)}; CREATE TABLE facts ({', '.join(FACT)})") as connection:
        insert(connection, "memories", **memory)
        insert(connection, "memories", **{**MEMORY, "content": "said"})
        insert(connection, "facts", **fact)

    found = read(place)

    assert found.memories[-1].text == "said"
    assert [one.image for one in found.memories]
    assert len(found.facts) <= 1
