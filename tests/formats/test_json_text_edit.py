"""One value is set or removed in JSON with comments; every other byte stays."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import each

from recollect.formats import json_text_edit
from recollect.formats.json_text_edit import NotEditable

PATH = ("servers", "ours")
ZED = """// Zed settings
{
    "theme": "One Dark", // the best
    /* fonts */
    "buffer_font_size": 15,
    "servers": {
        // somebody else's
        "theirs": { "command": "x" },
    },
}
"""


@each(
    "text",
    [
        "", "\n", "{}", "{\n}", '{"a": 1}', '{"a": 1,}', '{\n  "a": 1\n}', '{\r\n\t"a": [1, {"b": "}"}],\r\n}\r\n', ZED,
        '{"servers": {}}', '{"servers": {"theirs": 1}}', "{ // nothing yet\n}", '\ufeff{"a": "// no comment"}',
        '{"a": "\\"}", "servers": {"ours": 5, "theirs": 6}}', '{"servers": {"theirs": 6, "ours": [5] /* old */}}',
    ],
)  # fmt: skip
def test_a_value_is_set_and_removed_and_the_rest_stays_as_it_was(text):
    before = json_text_edit.parse(text)
    added = json_text_edit.with_value(text, PATH, {"command": "p", "args": ["-m"]})
    after = json_text_edit.parse(added)
    assert after["servers"]["ours"] == {"command": "p", "args": ["-m"]}
    assert {name: value for name, value in after.items() if name != "servers"} == {
        name: value for name, value in before.items() if name != "servers"
    }
    for part in ("// the best", "/* fonts */", "// somebody else's", "// nothing yet", "\ufeff", "\r\n\t"):
        assert (part in added) >= (part in text)
    removed = json_text_edit.parse(json_text_edit.without_value(added, PATH))
    others = {name: value for name, value in before.get("servers", {}).items() if name != "ours"}
    assert removed == {**before, "servers": others}


def test_what_was_added_is_taken_out_to_the_byte():
    for text in (ZED, '{\n  "a": 1,\n  "servers": {\n    "theirs": 2\n  }\n}\n', '{"a": 1, "servers": {"theirs": 2}}'):
        added = json_text_edit.with_value(text, PATH, {"command": "p"})
        assert added != text
        assert json_text_edit.without_value(added, PATH) == text


def test_a_value_is_added_in_the_style_of_the_file():
    added = json_text_edit.with_value(ZED, PATH, {"command": "p"})
    assert (
        '        "theirs": { "command": "x" },\n        "ours": {\n            "command": "p"\n        },\n    },\n'
        in added
    )


@each(
    "text", ["[]", "5", "{", '{"a": }', '{"servers": 5}', '{"a" 1}', "[" * 5_000, '{"servers": {"ours": 1, "ours": 2']
)
def test_what_cannot_be_edited_safely_is_refused(text):
    with pytest.raises(NotEditable):
        json_text_edit.with_value(text, PATH, 1)


def test_nothing_is_removed_where_nothing_is():
    for text in ("{}", '{"servers": 5}', '{"servers": {"theirs": 1}}'):
        assert json_text_edit.without_value(text, PATH) == text


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), VALUES, max_size=4), st.sampled_from([None, 2, "\t"]))
def test_any_settings_survive(settings, indent):
    text = json.dumps(settings, indent=indent)
    is_possible = isinstance(settings.get("servers", {}), dict)
    if not is_possible:
        return
    added = json_text_edit.with_value(text, PATH, [1])
    assert json_text_edit.parse(added)["servers"]["ours"] == [1]
    taken = json_text_edit.parse(json_text_edit.without_value(added, PATH))
    assert taken == {**settings, "servers": {k: v for k, v in settings.get("servers", {}).items() if k != "ours"}}
