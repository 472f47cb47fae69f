"""Settings: layers, origins, and what cannot be read."""

from typing import get_args

import pytest

from recollect.config import Profile
from recollect.model.recall_values import JUDGED, PROFILES


def setting(box, name: str) -> tuple[object, str]:
    found = {one["setting"]: one for one in box.run("config", "--json").json}
    return found[name]["value"], found[name]["origin"]


def test_each_layer_wins_over_the_one_before_and_is_named(box):
    assert setting(box, "save.max_per_kind") == (100, "default")
    (box.folder / "config.toml").write_text("[save]\nmax_per_kind = 1\n")
    assert setting(box, "save.max_per_kind") == (1, str(box.folder / "config.toml"))
    (box.vault / "memory-config.json").write_text('{"max_memories_per_category": 2}')
    assert setting(box, "save.max_per_kind") == (2, str(box.vault / "memory-config.json"))
    (box.root / "pyproject.toml").write_text("[tool.recollect.save]\nmax_per_kind = 3\n")
    assert setting(box, "save.max_per_kind") == (3, str(box.root / "pyproject.toml"))
    (box.root / ".recollect.toml").write_text("[save]\nmax_per_kind = 4\n")
    assert setting(box, "save.max_per_kind") == (4, str(box.root / ".recollect.toml"))
    box.settings["RECOLLECT_SAVE__MAX_PER_KIND"] = "5"
    assert setting(box, "save.max_per_kind") == (5, "environment")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[save]\nmax_per_kind = -1\n", "save.max_per_kind"),
        ("[save]\nmax_per_kinds = 1\n", "save.max_per_kinds"),
        ("[saves]\nx = 1\n", "saves"),
        ("save = 1\n", "[save]"),
        ("[vault]\nlayouts = ['yaml']\n", "vault.layouts"),
        ("[kinds.decision]\nfolder = 'd'\n", "kinds"),
        ("[kinds.incident]\nfolder = 'decisions'\n", "decisions"),
        ("[kinds.incident]\nfolder = '../x'\n", "kinds.incident.folder"),
        ("[kinds.incident]\nfolder = 'i'\nfields = {a = 'number'}\n", "kinds.incident.fields"),
        ("not toml", "cannot be read"),
    ],
)
def test_a_setting_that_does_not_fit_is_named_with_its_origin(box, text, named):
    (box.root / ".recollect.toml").write_text(text)
    done = box.run("health", code=1)
    assert "CONFIG_ERROR" in done.err
    assert named in done.err
    assert ".recollect.toml" in done.err


def test_a_value_of_memory_config_json_that_cannot_be_used_is_ignored_with_a_warning(box):
    (box.vault / "memory-config.json").write_text('{"delete": {"grace_period_days": "soon"}}')
    done = box.run("config", "--json")
    assert "delete.grace_period_days is ignored" in done.err
    assert setting(box, "forget.grace_days") == (30, "default")


@pytest.mark.parametrize("text", ["", "[]", "null", "{", '{"delete": 5}', "\x00"])
def test_any_memory_config_json_leaves_the_program_working(box, text):
    (box.vault / "memory-config.json").write_text(text)
    box.run("remember", "still works")


def test_the_settings_of_an_untrusted_clone_do_not_count(make_box):
    box = make_box()
    (box.root / ".recollect.toml").write_text("[save]\nmax_per_kind = 4\n")
    assert setting(box, "save.max_per_kind") == (100, "default")
    box.run("trust")
    assert setting(box, "save.max_per_kind")[0] == 4


def test_init_with_a_layout_records_it_in_the_project(make_box):
    box = make_box()
    box.run("init", "--layout", "markdown", "--layout", "json")
    assert (box.root / ".recollect.toml").read_text() == '[vault]\nlayouts = ["markdown", "json"]\n'
    assert setting(box, "vault.layouts") == (["markdown", "json"], str(box.root / ".recollect.toml"))


def test_init_does_not_touch_a_vault_section_that_it_cannot_read(make_box):
    box = make_box()
    written = 'vault = { layouts = ["json"], auto_commit = true }\n'
    (box.root / ".recollect.toml").write_text(written)
    done = box.run("init", "--layout", "log", code=1)
    assert 'layouts = ["log"]' in done.err
    assert (box.root / ".recollect.toml").read_text() == written


def test_kinds_of_ones_own_are_listed_and_remembered(box):
    (box.root / ".recollect.toml").write_text(
        '[kinds.incident]\nfolder = "incidents"\nsays = "An outage"\nfields = {impact = "text", steps = "list?"}\n'
    )
    assert "incident" in box.run("config", "kinds").out
    box.run("remember", "Checkout was down", "--kind", "incident", "--set", "steps=restart")
    assert box.file("incidents/checkout-was-down.json")["content"] == {
        "impact": "Checkout was down",
        "steps": ["restart"],
    }
    (box.root / ".recollect.toml").unlink()
    assert box.run("show", "checkout-was-down", "--json").json["content"]["impact"] == "Checkout was down"


def test_doctor_names_a_setting_that_stops_every_other_command(box):
    box.settings["RECOLLECT_SAVE__MAX_PER_KIND"] = "abc"
    done = box.run("doctor", code=1)
    assert "save.max_per_kind" in done.out
    assert "environment" in done.out


def test_the_setting_recall_profile_accepts_the_profiles_of_recall_and_judged():
    assert set(get_args(Profile)) == {*PROFILES, JUDGED}
