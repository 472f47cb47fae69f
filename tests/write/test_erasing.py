"""`recollect purge --forever`: nothing of the memory is left, and nothing brings it back."""

import json

import pytest
from terminals import on_a_terminal

LEEK = "The walnut leek password policy is secret"


def holding(box, words=b"walnut"):
    """The files of ours that hold a word."""
    found = [path for path in box.folder.rglob("*") if path.is_file() and ".git" not in path.parts]
    return [path.relative_to(box.folder).as_posix() for path in found if words in path.read_bytes()]


def saved(box):
    box.run("remember", "an innocent bystander")
    box.run("remember", LEEK, "--title", "Walnut leek")
    box.run("edit", "walnut-leek", "--text", f"{LEEK}, really")
    box.run("jobs", "run", "backup")
    return box


def test_no_file_of_ours_holds_the_text_any_more(box):
    saved(box)
    assert holding(box) != []
    box.run("purge", "walnut-leek", "--forever", "--yes")
    assert holding(box) == []
    assert [memory["title"] for memory in box.run("list", "--all", "--json").json] == ["an innocent bystander"]
    assert box.run("doctor").code == 0


def test_it_cannot_be_undone_but_what_was_before_it_can(box):
    saved(box)
    box.run("purge", "walnut-leek", "--forever", "--yes")
    box.run("undo")
    assert box.run("list", "--all", "--json").json == []


@pytest.mark.parametrize("rebuilt", [False, True])
def test_nothing_imports_it_again_not_even_after_a_rebuild(box, rebuilt):
    saved(box)
    copy = box.folder / "copy.jsonl"
    box.run("export", str(copy))
    box.run("purge", "walnut-leek", "--forever", "--yes")
    if rebuilt:
        for path in box.home.glob("memory.db*"):
            path.unlink()
    done = box.run("import", str(copy), "--json").json
    assert "created" not in done["counts"]
    assert "Walnut leek" not in [memory["title"] for memory in box.run("list", "--all", "--json").json]


def test_it_asks_on_a_terminal_and_needs_a_yes_without_one(box):
    saved(box)
    done = box.run("purge", "walnut-leek", "--forever", code=1)
    assert "nobody can be asked" in done.err
    screen = on_a_terminal(box, "purge", "walnut-leek", "--forever", keys=(("[y/N]", "n\n"),), code=1)
    assert "This cannot be undone" in screen
    assert json.loads(box.run("show", "walnut-leek", "--json").out)["status"] == "active"


def test_an_ordinary_purge_is_still_undone(box):
    saved(box)
    box.run("purge", "walnut-leek")
    box.run("undo")
    assert box.run("show", "walnut-leek", "--json").json["title"] == "Walnut leek"
