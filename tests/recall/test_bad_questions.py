"""Questions of every kind get an answer: no exception, no other project's memory, and other languages are read."""

import json
import shutil
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recall.asking import bring, database, find, hook, log, new_box, project, receipts, record, sql, texts
from tables import each

from recollect.model import clock, recall_values
from recollect.model.recall_values import RecallScope
from recollect.recall import search
from recollect.recall.question import Question
from recollect.store.hook_reader import store_reader

LANGUAGES = {
    "Japanese": ("認証トークンは一時間で失効します", ("失効", "トークン", "効し", "認証トークン")),
    "Chinese": ("数据库连接池最多二十个连接", ("连接池", "数据", "最多二十个")),
    "Korean": ("배포는 매주 화요일에 진행합니다", ("화요일", "배포", "화요")),
    "Thai": ("ระบบยืนยันตัวตนใช้โทเค็น", ("โทเค็น", "ยืนยัน")),
    "Arabic": ("قاعدة البيانات تعمل على خادم منفصل", ("البيانات", "خادم")),
    "Russian": ("Миграции базы данных запускаются вручную", ("миграции", "ВРУЧНУЮ")),
    "German": ("Die Größenprüfung läuft vor jeder Auslieferung", ("Größenprüfung", "GRÖßENPRÜFUNG", "auslieferung")),
    "Greek": ("Τη βάση δεδομένων είναι εκτός λειτουργίας", ("δεδομένων",)),
    "Hindi": ("डेटाबेस का बैकअप रोज़ होता है", ("बैकअप",)),
    "Hebrew": ("השרת מופעל מחדש בלילה", ("השרת",)),
    "Vietnamese": ("Cơ sở dữ liệu được sao lưu hằng đêm", ("dữ liệu",)),
}
CODE = {
    "The C++ parser lives in parserCore": ("C++ parser", "parser core", "parserCore", "parsercore"),
    "The foo-bar service calls refreshToken": ("foo-bar", "refresh token", "refreshToken", "bar"),
    "max_retry_count is set in src/net/http_client.py": (
        "max_retry_count", "retry count", "http_client.py", "src/net/http_client.py", "http client",
    ),
    'Quotes like "title:x" and NEAR( are searched as they are': ("title:x", "NEAR(", '"quotes"'),
}  # fmt: skip
ODD = {
    "empty": "",
    "blank": " \t\n ",
    "one word": "walrus",
    "one letter": "w",
    "stop words": "what is the of and to",
    "emoji": "🦊🦊👩‍👩‍👧‍👦🏳️‍🌈",
    "a quote": '"',
    "quotes": '"walrus\' `"',
    "unbalanced": 'walrus "cluster',
    "operators": "AND OR NOT NEAR walrus",
    "near": "NEAR(walrus cluster, 2)",
    "star": "*",
    "prefix": "walr* ^walrus -walrus +walrus",
    "column": "title:walrus {title text}: walrus",
    "brackets": "((((walrus)))) [[{{<<",
    "SQL": "'; DROP TABLE memories; --",
    "SQL in words": "walrus'); DELETE FROM memories WHERE ('1'='1",
    "binary": bytes(range(256)).decode("latin-1"),
    "NUL": "wal\0rus \0 walrus\0",
    "lone surrogates": "walrus \ud800\udfff \udc80",
    "right to left": "\u202ewalrus\u202c \u200bwal\u200brus",
    "combining": "w" + "\u0301" * 5_000 + "alrus",
    "odd numbers": "²³ ½ ١٢٣ Ⅷ 99999999999999999999 walrus in march ٣",
    "percent": "%s %d {} {0} {walrus} %",
    "path": "/etc/passwd ../../walrus C:\\walrus\\x.py:12 walrus.py",
    "escape": "\x1b[2J walrus \x07",
    "long word": "x" * 1_000_000,
    "many words": "staging of a walrus " * 50_000,
    "many different words": " ".join(f"word{number}" for number in range(100_000)),
    "long of two bytes": "x" + "é" * 500_000,
    "long of three bytes": "xy" + "漢" * 300_000,
    "deep": "(" * 100_000 + "walrus",
    "trace": 'File "/x/walrus.py", line 3\n' * 5_000,
}
PROFILES = sorted(recall_values.PROFILES)
WALRUS = "The staging cluster is called walrus"


@pytest.fixture(scope="module")
def store(tmp_path_factory, learned_home):
    folder = tmp_path_factory.mktemp("odd")
    shutil.copytree(learned_home, folder / "store")
    box = new_box(folder, vault=False)
    languages = [text for text, _ in LANGUAGES.values()]
    bring(
        box, WALRUS, *languages, *CODE, record(box, f"{WALRUS} everywhere", project="global"),
        record(box, f"{WALRUS} elsewhere", project="path:/another", session="s1"),
        record(box, f"{WALRUS} in the same session", session="s1"),
        record(box, f"{WALRUS} privately", sensitivity="private", session="s1"),
    )  # fmt: skip
    return box


@pytest.mark.parametrize("is_indexed", [False, True], ids=["by words", "with vectors"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_memory_is_found_by_a_word_of_its_language(store, language, is_indexed):
    for table in ("evidence", "codes"):
        sql(store, f"DELETE FROM {table}")
    if is_indexed:
        store.run("reindex")
    text, asked = LANGUAGES[language]
    for question in asked:
        assert find(store, question)[0].text == text, question


@each("text", CODE)
def test_names_of_code_are_found_as_they_are_and_by_what_is_inside_them(store, text):
    for question in CODE[text]:
        assert texts(store, question)[0] == text, question


@pytest.mark.parametrize("said", ODD.values(), ids=ODD)
def test_an_odd_question_is_answered_everywhere(store, said):
    before = log(store)
    for profile in PROFILES:
        assert_ours(find(store, said, profile))
    done = store.run("recall", "--json", "--", said)
    assert all("elsewhere" not in one["text"] and "privately" not in one["text"] for one in json.loads(done.out))
    assert "elsewhere" not in hook(store, said)
    assert log(store) == before
    assert receipts(store)[-1]["state"] in ("hits", "none")
    assert sql(store, "SELECT count(*) FROM memories WHERE text LIKE '%walrus%'") == [(5,)]


def assert_ours(found):
    for one in found:
        assert "elsewhere" not in one.text
        assert "privately" not in one.text


def test_a_walrus_is_found_under_whatever_is_around_it(store):
    signs = (
        '"',
        "NEAR(",
        "*",
        "'",
        "\0",
        "\ud800",
        "🦊",
        "title:",
        "^",
        "(",
        "%",
        "\x1b[2J",
        "'; DROP TABLE memories; --",
    )
    for sign in signs:
        for question in (f"{sign} walrus", f"walrus {sign}"):
            assert WALRUS in [one.text for one in find(store, question)], question


def test_bytes_that_are_no_text_are_answered(store):
    said = {"session_id": "bytes", "cwd": str(store.root), "hook_event_name": "UserPromptSubmit", "prompt": "walrus "}
    raw = json.dumps(said).encode().replace(b"walrus ", b"walrus \xff\xfe\x80 cluster")
    done = store.run("hook", "claude-code", "UserPromptSubmit", stdin=raw)
    assert done.code == 0


WORDS = st.sampled_from(
    ["walrus", "staging", '"', "NEAR(", " ", "*", "AND", "失効", "\0", "'", "in March", "last week"]
)
ASKED = st.one_of(st.text(max_size=200), st.lists(WORDS | st.text(max_size=8), max_size=20).map(" ".join))


@given(said=ASKED, profile=st.sampled_from(PROFILES), earlier=ASKED, files=st.lists(st.text(max_size=20), max_size=3))
def test_whatever_is_asked_is_answered_with_memories_of_here(store, said, profile, earlier, files):
    with closing(store_reader.open_store(str(database(store)))) as reader:
        scope = RecallScope(project(store), clock.seconds(store.now))
        question = Question(said, scope, earlier=earlier, files=tuple(files))
        asked, found = search.find(reader.recall_source(), question, profile)
    assert_ours(found)
    assert len({one.uid for one in found}) == len(found)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    for one in found:
        assert all(0 <= start <= end <= len(one.text) for start, end in asked.places_in(one.text))
