"""Boxes are made from copies of each other: a copy is what the program itself would have left."""

import contextlib
import re

import apsw
import pytest
from builders import Box


def contents(box: Box) -> dict[str, object]:
    """Every file and every row of a box, with its own paths and ids taken out."""

    def bare(text: str) -> str:
        for own, name in ((clone, "CLONE"), (str(box.folder), "FOLDER"), (store, "STORE"), (group, "GROUP")):
            text = text.replace(own, name)
        return re.sub(r"(?<=\\t)[1-9]\d+", "MTIME", text)

    with contextlib.closing(apsw.Connection(str(box.home / "memory.db"))) as db:
        [(_, group, *_)] = db.execute("SELECT * FROM journal")
        [(clone,)] = db.execute("SELECT clone FROM checkouts")
        [(store,)] = db.execute("SELECT value FROM settings WHERE name = 'store_id'")
        rows = {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in ("journal", "checkouts", "settings")}
        schema = db.execute("SELECT sql FROM sqlite_schema ORDER BY name").fetchall()
    files = {
        path.relative_to(box.folder).as_posix(): bare(path.read_text("utf-8")) if path.is_file() else ""
        for path in box.folder.rglob("*")
        if ".git" not in path.parts and path.suffix != ".db"
    }
    modes = {name: (box.folder / name).stat().st_mode for name in files}
    return {"files": files, "modes": modes, "rows": bare(repr(rows)), "schema": schema}


@pytest.mark.parametrize("flags", [(), ("--layout", "markdown"), ("--layout", "log")])
@pytest.mark.parametrize("git", [True, False])
def test_a_box_that_is_copied_is_like_one_where_init_was_run(make_box, git, flags):
    initialised, copied = make_box("initialised", git=git), make_box("copied", git=git)
    initialised.run("init", *flags)
    copied.init(*flags)
    assert contents(copied) == contents(initialised)
    checked = copied.run("doctor", "--json", code=None).out.replace("/copied/", "/initialised/")
    assert checked == initialised.run("doctor", "--json", code=None).out


def test_two_copies_are_two_stores(make_box):
    boxes = make_box("ann"), make_box("bob")
    for box in boxes:
        box.init()
    assert len({(box.home / "journal.jsonl").read_text().split('"store": ')[1][:18] for box in boxes}) == 2
