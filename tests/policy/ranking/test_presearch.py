from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import each

from recollect.model.words.stop_words import COMMON_WORDS
from recollect.policy.ranking import presearch

METADATA = '<memory-metadata>\n{\n  "frequency": 3,\n  "pinned": false\n}\n</memory-metadata>\n\n'


def memory(body="", *, cue="", hints="", metadata=METADATA):
    conditional = f"<conditional>\n{cue}\n</conditional>\n\n" if cue else ""
    fuzzy = f"<fuzzy-match>\n{hints}\n</fuzzy-match>\n\n" if hints else ""
    return f"{metadata}{conditional}{fuzzy}<memory>\n{body}\n</memory>\n"


def found(prompt, files, *, with_content=False):
    return [name for name, _ in presearch.search(prompt, files, with_content=with_content).pointers]


def is_found(prompt, source, *, name="a-memory.md", with_content=False):
    return found(prompt, {name: source}, with_content=with_content) == [name]


# --- keywords --------------------------------------------------------------------------------------------------------


@pytest.mark.seed("A12")
@each(
    ("prompt", "expected"),
    [
        ("Rotate the Docker-registry token!", ["rotate", "docker", "registry", "token"]),
        ("PRE_COMMIT pre_commit py311", ["pre_commit", "py311"]),
        ("redis, nginx; Redis again: NGINX", ["redis", "nginx"]),
        ("x y 3 go9 k8", ["go9", "k8"]),
        ("größe café", ["gr", "caf"]),
        ("please help me fix the problem with this file", []),
        ("don't, we'll, I've, isn't", []),
        ("", []),
    ],
)
def test_keywords_are_the_uncommon_ascii_words_of_a_prompt_each_once_in_their_order(prompt, expected):
    assert presearch.keywords(prompt) == expected


@pytest.mark.seed("A12")
def test_the_474_common_words_are_written_as_a_prompt_is_read():
    assert len(COMMON_WORDS) == 474
    assert presearch.keywords(" ".join(COMMON_WORDS)) == []
    assert all(word.isascii() and word.isalpha() and word.islower() for word in COMMON_WORDS)


@pytest.mark.seed("A12")
@each(
    "inflections",
    [
        "get gets got getting",
        "make makes made making",
        "fix fixes fixed fixing",
        "run runs ran running",
        "open opens opened opening",
        "save saves saved saving",
        "new good bad big small old",
        "file project setup data problem",
    ],
)
def test_what_any_request_is_made_of_is_common(inflections):
    assert presearch.keywords(inflections) == []


@pytest.mark.seed("A12")
def test_what_names_a_tool_or_a_topic_is_not_common():
    topics = "git hook memory agent config docker test database recall session deploy error"
    assert " ".join(presearch.keywords(topics)) == topics


# --- what is searched ------------------------------------------------------------------------------------------------


@pytest.mark.seed("A13")
def test_a_memory_is_found_by_the_words_of_its_name_and_by_its_keywords():
    files = {"api-limits.md": memory("Ten a second.", hints="Throttling, rate limiter")}
    assert found("throttling", files) == found("limiter", files) == found("api", files) == ["api-limits.md"]


@pytest.mark.seed("A13")
def test_a_memory_with_keywords_is_not_found_by_its_description():
    assert not is_found("kubernetes", memory("Kubernetes.", cue="when kubernetes comes up", hints="cluster"))


@pytest.mark.seed("A13")
@each(
    "source",
    [memory("Text.", cue="when kubernetes comes up"), memory("Kubernetes first.\nText."), "Kubernetes, untagged."],
)
def test_a_memory_without_keywords_is_found_by_its_description(source):
    assert is_found("kubernetes", source)


@pytest.mark.seed("A13")
def test_what_a_memory_says_is_searched_only_in_content_mode():
    source = memory("First line.\nIt names kubernetes.", hints="cluster")
    assert not is_found("kubernetes", source)
    assert is_found("kubernetes", source, with_content=True)
    assert is_found("helm", memory("Text.", cue="when helm comes up", hints="cluster"), with_content=True)


@pytest.mark.seed("A13")
def test_what_stands_in_every_file_finds_none():
    assert not is_found("frequency pinned conditional fuzzy metadata", memory("Text.", cue="Cue."), with_content=True)
    assert not is_found("memory", memory("Text."), name="a-note.md", with_content=True)


@pytest.mark.seed("A13")
@each("block", ["{not JSON", "[]", "", '{"frequency": "many"}'])
@each("with_content", [False, True])
def test_a_memory_whose_metadata_is_broken_is_found_like_any_other(block, with_content):
    source = memory("About kubernetes.", metadata=f"<memory-metadata>\n{block}\n</memory-metadata>\n")
    assert is_found("kubernetes", source, with_content=with_content)
    assert not is_found("frequency", source, with_content=with_content)


# --- how it is matched -----------------------------------------------------------------------------------------------


@pytest.mark.seed("A14")
@each(
    ("keyword", "hint", "expected"),
    [
        ("Docker", "docker", True),
        ("ci", "ci", True),
        ("auth", "oauth2", True),
        ("log", "catalogue", True),
        ("ci", "cicd", False),
        ("oauth2", "auth", False),
        ("authentications", "authentication", True),
        ("authentcation", "authentication", True),
        ("kubernets", "kubernetes", False),
        ("internationalizations", "internationalisations", True),
        ("internationalization", "internationalisation", True),
        ("authentication", "authentification", False),
        ("dockre", "docker", False),
        ("rate", "ra te", False),
    ],
)
def test_a_keyword_hits_a_word_that_it_is_or_is_part_of_or_is_spelt_almost_like(keyword, hint, expected):
    assert is_found(keyword, memory(hints=hint)) is expected


@pytest.mark.seed("A14")
def test_one_keyword_of_many_is_enough_and_files_come_sorted_with_their_descriptions():
    files = {
        "redis.md": memory("The cache."),
        "nginx.md": memory("The proxy.", cue="when asked\nabout the proxy"),
        "postgres.md": memory("The rows."),
    }
    result = presearch.search("is it nginx or redis or the moon?", files, with_content=False)
    assert result.pointers == [("nginx.md", "when asked\nabout the proxy"), ("redis.md", "The cache.")]
    assert result.summary == {"keywords": ["nginx", "redis", "moon"], "matched": 2, "total": 3, "pass_all": False}
    assert presearch.render(result) == [
        "- memory/nginx.md — when asked about the proxy",
        "- memory/redis.md — The cache.",
    ]


def test_a_prompt_without_keywords_finds_nothing():
    result = presearch.search("do it again, please", {"a.md": memory("Do it again.")}, with_content=True)
    assert (result.pointers, presearch.render(result)) == ([], [])
    assert result.summary == {"keywords": [], "matched": 0, "total": 1, "pass_all": False}


def test_a_pointer_is_one_line_whatever_the_name_and_the_description_hold():
    result = presearch.PresearchResult([], [("a\nb.md", "one\r\ntwo\u2028three")], 1)
    assert presearch.render(result) == ["- memory/a b.md — one two three"]


# --- what holds for any text -----------------------------------------------------------------------------------------

TAGS = [f"<{slash}{tag}>" for tag in ("memory-metadata", "conditional", "fuzzy-match", "memory") for slash in ("", "/")]
tangles = st.lists(st.sampled_from([*TAGS, "\n", "{", "a, B"]) | st.text(max_size=8), max_size=14).map("".join)
words = st.text("abcdefghijklmnopqrstuvwxyz0123456789_", min_size=2, max_size=12).filter(
    lambda word: word not in COMMON_WORDS
)
# Long words of two letters, and their misspellings: only there is a near match likely.
long_words = st.text("ab", min_size=8, max_size=45)


@st.composite
def misspelt(draw):
    word = spelling = draw(long_words)
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(spelling)))
        spelling = spelling[:place] + draw(st.sampled_from(["", "c", "a"])) + spelling[place + draw(st.booleans()) :]
    return word, spelling


@given(tangles, st.dictionaries(tangles, tangles, max_size=4), st.booleans())
def test_no_text_breaks_a_search(prompt, files, with_content):
    result = presearch.search(prompt, files, with_content=with_content)
    assert result.total == len(files)
    assert len(presearch.render(result)) == result.summary["matched"] <= len(files)


@given(st.lists(words, min_size=1, max_size=4), st.data(), tangles, st.booleans())
def test_a_file_is_found_by_any_uncommon_word_of_its_name(name, data, source, with_content):
    word = data.draw(st.sampled_from(name))
    assert is_found(f"so, {word.upper()}?", source, name="-".join(name) + ".md", with_content=with_content)


@pytest.mark.seed("A14")
@given(misspelt())
def test_no_near_spelling_is_missed(pair):
    keyword, token = pair
    expected = keyword in token or SequenceMatcher(None, keyword, token).ratio() >= 0.95
    assert is_found(keyword, token, name="x.md") is (expected and bool(token))
