"""Hostile files and arguments: a clear error or success, nothing lost, nothing written anywhere else."""

import json
import os
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from builders import IN_GIT, Box
from examples import few
from hypothesis import given
from hypothesis import strategies as st
from safety import worker
from tables import each

from recollect.model import text as texts

HIDDEN = "\u202e\u200b\u2066\ufeff"
GOOD = "notes/good.json"
HANG_SECONDS = 10.0
REPORTS = ("doctor", "index")  # exit code 1 is their verdict
FIELDS = (
    "schema_version", "category", "id", "title", "record_status", "created_at", "updated_at", "tags", "related_files",
    "confidence", "content", "changes", "times_updated", "retired_at", "retired_reason", "archived_at",
    "archived_reason",
)  # fmt: skip


def note(slug: str = "good", **fields: Any) -> dict[str, Any]:
    return {
        "schema_version": "1.0",
        "category": "note",
        "id": slug,
        "title": "Good",
        "record_status": "active",
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z",
        "tags": ["one"],
        "content": {"text": "the last good version"},
        **fields,
    }


def encoded(record: object) -> bytes:
    return (json.dumps(record, indent=2) + "\n").encode("utf-8", "surrogatepass")


@pytest.fixture
def vault(box: Any) -> Any:
    """A box whose vault holds one good memory, known to the store."""
    place = box.vault / GOOD
    place.parent.mkdir()
    place.write_bytes(encoded(note()))
    box.run("reconcile")
    assert box.run("show", "good", "--json").json["text"] == "the last good version"
    return box


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The same for tests that change nothing: one for all of them."""
    folder = tmp_path_factory.mktemp("lasting")
    made = Box(folder, folder / "store", folder / "project")
    made.root.mkdir()
    made.run("init")
    (made.vault / GOOD).parent.mkdir()
    (made.vault / GOOD).write_bytes(encoded(note()))
    made.run("reconcile")
    return made


def around(box: Any) -> dict[str, Any]:
    """Everything that is neither vault nor store."""
    drafts = box.folder.glob("draft*.json")
    return worker.snapshot(box.folder, without=[box.home, box.root / ".claude", *drafts])


def ask(box: Any, *command: str, stdin: Any = None) -> Any:
    """Run a command that may fail, but only in the proper way."""
    before = around(box)
    done = box.run(*command, stdin=stdin, code=None)
    assert done.code in (0, 1, 2), done
    assert "Traceback" not in done.err + done.out
    if done.code == 1 and command[0] not in REPORTS:
        block = done.out if command[0] == "write" else done.err
        if "--json" in command:
            assert json.loads(block)["fix"], done
        else:
            told = [line for line in block.split("\n") if not line.startswith("WARNING: ")]
            assert told[0].isupper(), done
            assert block.rstrip().split("\n")[-1].startswith("fix: "), done
    if done.code == 2:
        assert done.err.startswith("Usage:"), done
    assert around(box) == before
    return done


DEEP = b"[" * 100_000 + b"]" * 100_000
BAD_FILES: dict[str, bytes] = {
    "empty": b"",
    "blank": b" \n",
    "truncated": encoded(note())[:-40],
    "huge": encoded(note(content={"text": "x" * 5_000_000})),
    "huge and truncated": b'{"title": "' + b"x" * 5_000_000,
    "deep array": DEEP,
    "deep field": b'{"content": ' + DEEP + b"}",
    "deep object": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "unclosed": b"[" * 100_000,
    "array": b"[]",
    "array of records": encoded([note()]),
    "string": b'"text"',
    "number": b"1",
    "null": b"null",
    "not a number": b"NaN",
    "raw NUL": encoded(note()).replace(b"good version", b"good\0version"),
    "escaped NUL": encoded(note(title="a\0b")),
    "NUL in a key": encoded(note(**{"a\0b": 1})),
    "only NULs": b"\0" * 1000,
    "lone surrogate": encoded(note(title="\ud800")),
    "lone surrogate in the text": encoded(note(content={"text": "a \udfff b"})),
    "lone surrogate in a key": encoded(note(**{"\ud800": 1})),
    "lone surrogate in the history": encoded(
        note(changes=[{"date": "2026-01-01", "summary": "s", "old_value": "\ud800", "new_value": ["\udfff"]}])
    ),
    "invalid UTF-8": encoded(note()).replace(b"good version", b"\xff\xfe version"),
    "latin-1": json.dumps(note(title="Größe"), ensure_ascii=False).encode("latin-1"),
    "UTF-16": json.dumps(note()).encode("utf-16"),
    "UTF-16 big end first": b"\xfe\xff" + json.dumps(note()).encode("utf-16-be"),
    "UTF-32": json.dumps(note()).encode("utf-32"),
    "conflict markers": b"<<<<<<< HEAD\n" + encoded(note()) + b"=======\n" + encoded(note()) + b">>>>>>> other\n",
    "conflict markers inside": encoded(note()).replace(
        b'  "title": "Good",', b'<<<<<<< HEAD\n  "title": "Ours",\n=======\n  "title": "Theirs",\n>>>>>>> other'
    ),
    "two documents": encoded(note()) * 2,
    "text behind": encoded(note()) + b"x",
    "unknown field": encoded(note(surprise=1)),
    "another kind": encoded(note(category="decision")),
    "content of another kind": encoded(note(content={"rule": "x"})),
    "too many tags": encoded(note(tags=[f"t{n}" for n in range(13)])),
    "title too long": encoded(note(title="x" * 121)),
    "a number of 5000 digits": encoded(note()).replace(b'"1.0"', b"1" * 5000),
    "a number that overflows": encoded(note()).replace(b'"1.0"', b"1e999"),
    "python": b"{'title': 'x'}",
    "binary": bytes(range(256)) * 20,
}


@pytest.mark.parametrize("data", list(BAD_FILES.values())[1::2], ids=list(BAD_FILES)[1::2])
def test_a_bad_file_stays_where_it_is_and_the_last_good_version_is_kept(vault: Any, data: bytes):
    place = vault.vault / GOOD
    place.write_bytes(data)
    done = ask(vault, "reconcile")
    assert done.code == 0
    assert GOOD in done.out
    assert place.read_bytes() == data
    for command in (("doctor",), ("index", "--validate"), ("index", "--health")):
        ask(vault, *command)
    assert vault.run("show", "good", "--json").json["text"] == "the last good version"
    assert ask(vault, "remember", "another memory").code == 0
    for command in (("edit", "good", "--text", "x"), ("retire", "good"), ("pin", "good")):
        assert ask(vault, *command).code == 1
        assert place.read_bytes() == data
    place.write_bytes(encoded(note(content={"text": "mended"})))
    ask(vault, "reconcile")
    assert vault.run("show", "good", "--json").json["text"] == "mended"
    worker.assert_all_is_well(vault)


@pytest.mark.parametrize("data", list(BAD_FILES.values())[::2], ids=list(BAD_FILES)[::2])
def test_a_bad_file_that_is_new_is_named_and_left_alone(vault: Any, data: bytes):
    place = vault.vault / "notes" / "new.json"
    place.write_bytes(data)
    done = ask(vault, "reconcile")
    assert "notes/new.json" in done.out
    assert place.read_bytes() == data
    assert [one["slug"] for one in vault.run("list", "--all", "--json").json] == ["good"]
    target = str(place)
    assert ask(vault, "write", "--action", "delete", "--target", target).code == 1
    draft = vault.draft(note("new"), "draft-new.json")
    assert ask(vault, "write", "--action", "update", "--target", target, "--input", draft).code == 1
    create = ("write", "--action", "create", "--category", "note", "--target", target, "--input", draft)
    assert ask(vault, *create).code == 1
    assert place.read_bytes() == data


@pytest.mark.parametrize("data", list(BAD_FILES.values())[::2], ids=list(BAD_FILES)[::2])
def test_a_bad_draft_is_refused_and_kept(vault: Any, data: bytes):
    source = vault.folder / "draft-bad.json"
    source.write_bytes(data)
    before = worker.vault_files(vault)
    target = str(vault.vault / "notes" / "new.json")
    create = ("write", "--action", "create", "--category", "note", "--target", target, "--input", str(source))
    done = ask(vault, *create)
    if done.code == 0:
        assert worker.vault_files(vault).keys() == before.keys() | {"notes/new.json"}
        assert vault.run("show", "new", "--json").json["title"]
        worker.assert_all_is_well(vault)
    else:
        assert source.read_bytes() == data
        assert worker.vault_files(vault) == before


WRONG = [None, True, -1.5, "text", [1], {"a": []}, "9" * 3000, 10**40]


@pytest.mark.parametrize("field", list(FIELDS)[::2])
def test_a_wrong_type_in_a_field_is_an_error_or_taken_as_it_is(vault: Any, field: str):
    place = vault.vault / "notes" / "odd.json"
    for wrong in WRONG:
        data = encoded(note("odd", **{field: wrong}))
        place.write_bytes(data)
        ask(vault, "reconcile")
        ask(vault, "show", "odd")
        assert place.read_bytes() == data
        draft = vault.draft(note("odd", **{field: wrong}), "draft-odd.json")
        update = ("write", "--action", "update", "--target", str(place), "--input", draft)
        ask(vault, *update)
        assert vault.run("show", "good", "--json").json["text"] == "the last good version"
    place.write_bytes(encoded(note("odd", title="Fine again")))
    ask(vault, "reconcile")
    assert vault.run("show", "odd", "--json").json["title"] == "Fine again"


@pytest.mark.parametrize("depth", [50, 200, 300, 900])
def test_a_deep_value_in_the_history_does_no_harm(vault: Any, depth: int):
    value: Any = "x"
    for _ in range(depth):
        value = [value]
    place = vault.vault / "notes" / "deep.json"
    data = encoded(note("deep", changes=[{"date": "2026-01-01", "summary": "s", "old_value": value}]))
    place.write_bytes(data)
    assert ask(vault, "reconcile").code == 0
    assert place.read_bytes() == data
    ask(vault, "show", "deep")
    ask(vault, "edit", "deep", "--text", "changed")
    assert ask(vault, "remember", "life goes on").code == 0


# -- odd but good files -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        encoded(note("odd")).replace(b"\n", b"\r\n"),
        json.dumps(note("odd"), indent=7).encode(),
        json.dumps(note("odd")).encode(),
        b"\xef\xbb\xbf" + encoded(note("odd")),
        b"\n\n\t" + encoded(note("odd")) + b"\n\n  ",
        json.dumps(note("odd"), indent="\t", ensure_ascii=False).encode(),
        json.dumps(dict(reversed(note("odd", title="Größe 🦊").items())), ensure_ascii=False, indent=3).encode(),
    ],
    ids=["CRLF", "7 spaces", "one line", "BOM", "white space around", "tabs", "backwards"],
)
def test_a_hand_made_file_is_taken_in_and_kept_byte_for_byte(vault: Any, data: bytes):
    place = vault.vault / "notes" / "odd.json"
    place.write_bytes(data)
    assert ask(vault, "reconcile").code == 0
    assert vault.run("show", "odd", "--json").json["path"] == ".claude/memory/notes/odd.json"
    vault.run("pin", "odd")
    vault.run("remember", "something else")
    vault.run("reconcile")
    assert place.read_bytes() == data
    vault.run("edit", "odd", "--text", "changed")
    assert json.loads(place.read_text("utf-8-sig"))["content"] == {"text": "changed"}


# -- things that are not files ------------------------------------------------------------------------------------


def test_a_folder_named_like_a_memory_is_passed_over(vault: Any):
    inner = vault.vault / "notes" / "trap.json"
    inner.mkdir()
    (inner / "x.json").write_text("{}")
    process = vault.fork("reconcile")
    assert process.communicate(timeout=30)
    for command in (("list",), ("doctor",), ("remember", "trap"), ("show", ".claude/memory/notes/trap.json")):
        ask(vault, *command)
    draft = vault.draft(note("trap"), "draft-trap.json")
    target = ("--target", str(inner), "--input", draft)
    assert ask(vault, "write", "--action", "create", "--category", "note", *target).code == 1
    assert ask(vault, "write", "--action", "update", *target).code == 1
    assert (inner / "x.json").read_text() == "{}"


def try_everything(box: Any, name: str) -> None:
    path, draft = f".claude/memory/notes/{name}.json", box.draft(note(name), f"draft-{name}.json")
    for command in (
        ("reconcile",),
        ("list",),
        ("doctor",),
        ("index", "--rebuild"),
        ("index", "--health"),
        ("remember", name),
        ("write", "--action", "update", "--target", path, "--input", draft),
        ("write", "--action", "delete", "--target", path),
    ):
        process = box.fork(*command)
        out, problem = process.communicate(timeout=HANG_SECONDS)
        assert "Traceback" not in problem, problem
        assert process.returncode in (0, 1), (command, out, problem)
    assert box.run("show", "good", "--json").json["text"] == "the last good version"


def test_a_pipe_named_like_a_memory_does_not_hang(vault: Any):
    os.mkfifo(vault.vault / "notes" / "trap.json")
    try_everything(vault, "trap")


def test_a_pipe_in_the_markdown_layout_does_not_hang(make_box: Any):
    box = make_box()
    box.run("init", "--layout", "markdown")
    box.run("remember", "a good one")
    os.mkfifo(box.root / "memory" / "trap.md")
    for command in (("reconcile",), ("list",)):
        process = box.fork(*command)
        _, problem = process.communicate(timeout=HANG_SECONDS)
        assert process.returncode == 0, problem


@pytest.mark.parametrize("thing", ["folder", "link", "unreadable", "invalid UTF-8"])
def test_a_bad_thing_in_the_markdown_layout_does_not_keep_the_rest_from_being_taken_in(make_box: Any, thing: str):
    box = make_box()
    box.run("init", "--layout", "markdown")
    secret = box.folder / "secret.md"
    secret.write_text("not for the vault")
    place = box.root / "memory" / "a-trap.md"
    if thing == "folder":
        place.mkdir()
    elif thing == "link":
        place.symlink_to(secret)
    else:
        place.write_bytes(b"\xff\xfe bytes" if thing == "invalid UTF-8" else b"<memory>x</memory>")
        place.chmod(0o000 if thing == "unreadable" else 0o600)
    (box.root / "memory" / "b-good.md").write_text("<memory>\nsomething new\n</memory>\n")
    process = box.fork("reconcile", is_unprivileged=True)
    out, problem = process.communicate(timeout=30)
    assert process.returncode == 0, (out, problem)
    assert "Traceback" not in problem
    found = [one["text"].strip() for one in box.run("list", "--json").json]
    assert "something new" in found
    assert secret.read_text() == "not for the vault"
    assert all("not for the vault" not in one for one in found)
    assert not place.is_symlink() or place.readlink() == secret


def test_a_pipe_as_a_draft_does_not_hang(vault: Any):
    pipe = vault.folder / "draft-pipe.json"
    os.mkfifo(pipe)
    target = str(vault.vault / "notes" / "new.json")
    process = vault.fork("write", "--action", "create", "--category", "note", "--target", target, "--input", str(pipe))
    out, _ = process.communicate(timeout=HANG_SECONDS)
    assert process.returncode == 1
    assert out.startswith("INPUT_ERROR")


def test_a_link_out_of_the_vault_is_neither_read_nor_written(vault: Any):
    secret = vault.folder / "secret.json"
    secret.write_bytes(encoded(note("trap", title="Secret", content={"text": "not for the vault"})))
    link = vault.vault / "notes" / "trap.json"
    link.symlink_to(secret)
    before = secret.read_bytes()
    for command in (("reconcile",), ("list", "--all"), ("doctor",), ("index", "--rebuild"), ("show", str(link))):
        assert "Secret" not in ask(vault, *command).out
    assert "trap" not in (vault.vault / "index.md").read_text()
    draft = vault.draft(note("trap"), "draft-trap.json")
    for action in ("create", "update", "delete", "archive", "unarchive", "restore"):
        more = ("--category", "note", "--input", draft) if action == "create" else ("--input", draft)
        done = ask(vault, "write", "--action", action, "--target", str(link), *more)
        assert "Secret" not in done.out
        assert secret.read_bytes() == before
    ask(vault, "remember", "trap")
    assert secret.read_bytes() == before
    assert vault.run("show", "good", "--json").json["text"] == "the last good version"


@pytest.mark.parametrize("spot", [".claude", ".claude/memory", ".claude/memory/notes"])
@IN_GIT
def test_a_linked_folder_is_not_followed_out_of_the_project(make_box: Any, spot: str):
    box = make_box()
    outside = box.folder / "outside"
    outside.mkdir()
    (outside / "x.json").write_bytes(encoded(note("x", title="Secret")))
    (box.root / spot).parent.mkdir(parents=True, exist_ok=True)
    (box.root / spot).symlink_to(outside)
    before = worker.snapshot(outside)
    draft = box.draft(note("x"), "draft-x.json")
    for command in (
        ("init",),
        ("remember", "a note"),
        ("reconcile",),
        ("list",),
        ("index", "--rebuild"),
        (
            "write",
            "--action",
            "create",
            "--category",
            "note",
            "--target",
            ".claude/memory/notes/y.json",
            "--input",
            draft,
        ),
    ):
        done = box.run(*command, code=None)
        assert done.code in (0, 1), done
        assert "Secret" not in done.out
        assert worker.snapshot(outside) == before, command


@each(
    "target",
    [
        "../../../../etc/passwd",
        ".claude/memory/../../outside.json",
        ".claude/memory/notes/../../../outside.json",
        ".claude/memory/notes/../../memory/../outside.json",
        ".claude/memory/outside.json",
        ".claude/memory/notes/deeper/x.json",
        ".claude/memory/nowhere/x.json",
        ".claude/memory/notes/x.txt",
        ".claude/memory/notes/.json",
        ".claude/memory/notes/..",
        ".claude/memory/notes/",
        ".claude/memory/index.md",
        ".claude/memory/notes/UPPER.json",
        ".claude/memory/notes/a b.json",
        ".claude/memory/notes/" + "x" * 300 + ".json",
        ".claude/memory/notes/x\n.json",
        ".claude/memory/notes/\u202etxt.json",
        ".claude/memory/notes/\udcff.json",
        "",
        "\n",
    ],
)
def test_a_target_that_is_no_place_for_a_memory_is_refused(lasting: Any, target: str):
    before = worker.snapshot(lasting.vault)
    draft = lasting.draft(note("x"), "draft-x.json")
    for action in ("create", "update", "delete"):
        more = ("--category", "note", "--input", draft) if action == "create" else ("--input", draft)
        assert ask(lasting, "write", "--action", action, "--target", target, *more).code == 1
    assert worker.snapshot(lasting.vault) == before


def test_an_unreadable_file_is_named_and_nothing_is_lost(vault: Any):
    place = vault.vault / GOOD
    place.write_bytes(encoded(note(content={"text": "cannot be read"})))
    place.chmod(0o000)
    (vault.vault / "notes" / "other.json").write_bytes(encoded(note("other")))
    process = vault.fork("reconcile", is_unprivileged=True)
    out, problem = process.communicate(timeout=30)
    assert process.returncode == 0, problem
    assert GOOD in out
    process = vault.fork("show", "good", is_unprivileged=True)
    out, problem = process.communicate(timeout=30)
    assert "the last good version" in out, problem
    place.chmod(0o600)
    vault.run("reconcile")
    assert vault.run("show", "good", "--json").json["text"] == "cannot be read"
    assert vault.run("show", "other")


@pytest.mark.parametrize(
    "name", ["UPPER.json", "a b.json", "ünï.json", "%.json", "x" * 200 + ".json", "-.json", "x'.json"]
)
def test_a_file_whose_name_is_no_slug_is_named_and_left_alone(vault: Any, name: str):
    place = vault.vault / "notes" / name
    place.write_bytes(encoded(note("x")))
    done = ask(vault, "reconcile")
    assert name in done.out
    assert place.exists()
    assert [one["slug"] for one in vault.run("list", "--json").json] == ["good"]


def test_a_file_name_that_is_not_utf_8_does_no_harm(vault: Any):
    place = Path(os.fsdecode(os.fsencode(vault.vault / "notes") + b"/\xff\xfe.json"))
    place.write_bytes(encoded(note("x")))
    for command in (("reconcile",), ("reconcile", "--json"), ("list",), ("doctor",), ("index", "--validate")):
        start = vault.start if command == ("reconcile",) else vault.fork  # how the system sets up the output counts too
        process = start(*command)
        _, problem = process.communicate(timeout=30)
        assert "Traceback" not in problem, (command, problem)
    assert place.exists()


def test_a_folder_in_place_of_the_index_is_a_clear_error(vault: Any):
    (vault.vault / "index.md").unlink()
    (vault.vault / "index.md").mkdir()
    ask(vault, "list")
    ask(vault, "reconcile")
    done = ask(vault, "remember", "while there is no index")
    assert done.code == 1
    (vault.vault / "index.md").rmdir()
    ask(vault, "reconcile")
    worker.assert_all_is_well(vault)


# -- arguments ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "title",
    [
        "../../etc/passwd",
        "/etc/passwd",
        "..",
        ".",
        "-",
        "--help",
        "🦊🦊🦊",
        "漢字",
        "x" * 500,
        "word " * 200,
        "CON",
        "nul.txt",
        "aux",
        "C:\\Windows\\system32",
        "a\\b",
        "a -> b #tags: c",
        "index",
        "line\nbreak",
        "\x1b[31mred\x07",
        HIDDEN + "hidden",
        HIDDEN,
        "%s%n{0}${HOME}`id`",
        "'; DROP TABLE memories; --",
        "\u0000nul".replace("\u0000", "\u2400"),
    ],
)
def test_a_hostile_title_makes_a_harmless_name(vault: Any, title: str):
    done = ask(vault, "remember", "body of it", "--title", title, "--json")
    assert done.code == 0, done
    memory = done.json["memory"]
    assert texts.SLUG.match(memory["slug"])
    assert (vault.vault / "notes" / f"{memory['slug']}.json").is_file()
    assert len(memory["title"]) <= 120
    assert not set(memory["title"]) & set(HIDDEN + "\x1b\x07\n")
    again = ask(vault, "remember", "another body", "--title", title, "--json").json["memory"]
    assert again["slug"] != memory["slug"]
    assert len(vault.index()) == 3
    worker.assert_all_is_well(vault)


def assert_clean(shown: str, *where: str) -> None:
    hidden = {char for char in shown if unicodedata.category(char) in ("Cf", "Cc", "Cs") and char not in "\n\t"}
    assert not hidden, (where, [hex(ord(char)) for char in hidden])


OUT_OF_SIGHT = "".join(
    map(chr, [*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF, 0xE0041])
)


@pytest.mark.parametrize(
    "command",
    {
        "text": ("remember", f"a{OUT_OF_SIGHT}b\x1b[2J\x07c"),
        "title": ("remember", "body", "--title", f"a{OUT_OF_SIGHT}b\x1b[2Jc"),
        "tag": ("remember", "body", "--tag", f"a{OUT_OF_SIGHT}b\x1b[2Jc"),
        "why": ("remember", "body", "--kind", "preference", "--why", f"a{OUT_OF_SIGHT}b\x1b[2Jc"),
        "field": ("remember", "body", "--set", f"text=a{OUT_OF_SIGHT}b\x1b[2Jc"),
        "edited text": ("edit", "good", "--text", f"a{OUT_OF_SIGHT}b\x1b[2Jc"),
        "edited title": ("edit", "good", "--title", f"a{OUT_OF_SIGHT}b\x1b[2Jc"),
        "edited field": ("edit", "good", "--set", f"text=a{OUT_OF_SIGHT}b\x1b[2Jc"),
        "file": ("remember", "body", "--file", f"a{OUT_OF_SIGHT}b\x1b[2Jc"),
        "reason": ("retire", "good", "--reason", f"a{OUT_OF_SIGHT}b\x1b[2Jc"),
    }.items(),
    ids=lambda item: item[0],
)
def test_hidden_characters_are_cleaned_on_the_way_in(vault: Any, command: tuple[str, tuple[str, ...]]):
    done = ask(vault, *command[1], "--json")
    assert done.code == 0, done
    assert_clean(done.out)
    for data in worker.vault_files(vault).values():
        assert_clean(json.dumps(json.loads(data), ensure_ascii=False))


def test_a_draft_is_cleaned_on_the_way_in(vault: Any):
    dirty = f"a{OUT_OF_SIGHT}b\x1b[2Jc"
    draft = vault.draft(note("dirty", title=dirty, tags=[dirty], content={"text": dirty}), "draft-dirty.json")
    target = str(vault.vault / "notes" / "dirty.json")
    done = ask(vault, "write", "--action", "create", "--category", "note", "--target", target, "--input", draft)
    assert done.code == 0
    assert_clean(done.out + done.err)
    record = vault.file("notes/dirty.json")
    assert_clean(record["title"] + record["tags"][0])
    assert_clean(record["content"]["text"])


def test_what_a_file_hides_is_never_printed_raw(vault: Any):
    dirty = f"a{OUT_OF_SIGHT}b\x1b[2J\x07c"
    place = vault.vault / "notes" / "dirty.json"
    history = [{"date": dirty, "summary": dirty, "field": dirty}]
    place.write_bytes(
        encoded(
            note("dirty", title=dirty, tags=[dirty], content={"text": dirty}, related_files=[dirty], changes=history,
                 created_at=dirty, updated_at=dirty)
        )
    )  # fmt: skip
    odd = vault.vault / "notes" / f"x{HIDDEN}\x1b[2J.json"
    odd.write_bytes(b"not JSON")
    (vault.vault / "notes" / "bad.json").write_bytes(encoded({dirty: dirty}))
    for command in (
        ("reconcile",),
        ("list",),
        ("show", "dirty"),
        ("show", "dirty", "--history"),
        ("doctor",),
        ("pin", "dirty"),
        ("retire", "dirty", "--reason", "x"),
        ("restore", "dirty"),
        ("index", "--rebuild"),
        ("index", "--validate"),
        ("index", "--health"),
        ("index", "--query", "a"),
        ("show", dirty),
        ("edit", "bad", "--text", "x"),
    ):
        done = ask(vault, *command)
        assert_clean(done.out + done.err, *command)
    assert_clean((vault.vault / "index.md").read_text())


def test_a_nul_never_gets_into_a_file(vault: Any):
    """A file with a NUL would be refused by our own reader."""
    for command in (
        ("remember", "x", "--set", r'text="a\u0000b"'),
        ("edit", "good", "--set", r'text="a\u0000b"'),
        ("remember", "y", "--kind", "preference", "--set", r'reason="a\u0000b"'),
    ):
        ask(vault, *command)
    assert b"\\u0000" not in b"".join(worker.vault_files(vault).values())
    assert vault.run("reconcile").out == ""
    worker.assert_all_is_well(vault)


@pytest.mark.parametrize(
    "stdin",
    [
        bytes(range(256)),
        b"\xff\xfe\x00",
        b"\x00",
        b"",
        b" \n ",
        "text with \ud800".encode("utf-8", "surrogatepass"),
        b"\xef\xbb\xbfBOM",
    ],
)
def test_binary_input_is_remembered_as_readable_text_or_refused(vault: Any, stdin: bytes):
    done = ask(vault, "remember", "-", "--json", stdin=stdin)
    if done.code == 0:
        assert_clean(done.json["memory"]["text"].replace("\r", ""))
        worker.assert_all_is_well(vault)
    else:
        assert done.code == 1
        assert len(vault.index()) == 1


@pytest.mark.parametrize("place", ["text", "title", "tag", "why", "set", "file", "kind", "name", "match", "reason"])
def test_bytes_that_are_not_utf_8_in_an_argument_are_cleaned_or_refused(vault: Any, place: str):
    odd = "a\udcff\ud800b"  # what Python makes of such bytes
    commands = {
        "text": ("remember", odd),
        "title": ("remember", "body", "--title", odd),
        "tag": ("remember", "body", "--tag", odd),
        "why": ("remember", "body", "--kind", "preference", "--why", odd),
        "set": ("remember", "body", "--set", f"text={odd}"),
        "file": ("remember", "body", "--file", odd),
        "kind": ("remember", "body", "--kind", odd),
        "name": ("show", odd),
        "match": ("list", odd),
        "reason": ("retire", "good", "--reason", odd),
    }
    ask(vault, *commands[place])
    ask(vault, "reconcile")
    worker.assert_all_is_well(vault)


@pytest.mark.parametrize(
    "command",
    [
        ("list", "--limit", "0"),
        ("list", "--limit", "-1"),
        ("list", "--limit", "9223372036854775807"),
        ("list", "--limit", "9223372036854775808"),
        ("list", "--limit", "9" * 400),
        ("list", "--limit", "1e3"),
        ("list", "--limit", "x"),
        ("remember", "x", "--ttl-days", "1e308"),
        ("remember", "x", "--ttl-days", "1e9"),
        ("remember", "x", "--ttl-days", "nan"),
        ("remember", "x", "--ttl-days", "inf"),
        ("remember", "x", "--ttl-days", "-1"),
        ("remember", "x", "--importance", "nan"),
        ("remember", "x", "--confidence", "nan"),
        ("remember", "x", "--confidence", "inf"),
        ("remember", "x", "--kind", "nothing"),
        ("remember", "x", "--kind", ""),
        ("remember", "x", "--set", "nothing"),
        ("remember", "x", "--set", "=x"),
        ("remember", "x", "--set", "text=" + "[" * 100_000),
        ("remember", "x", "--set", "text={}"),
        ("remember", "x", "--set", "text=null"),
        ("remember", "x", "--title", ""),
        ("remember", ""),
        ("remember", " \n "),
        ("remember", HIDDEN),
        ("--now", "yesterday", "list"),
        ("--now", "0001-01-01T00:00:00Z", "remember", "x"),
        ("--now", "9999-12-31T23:59:59Z", "remember", "x", "--ttl-days", "2"),
    ],
    ids=lambda command: " ".join(command)[:60],
)
def test_absurd_values_are_refused_or_harmless(vault: Any, command: tuple[str, ...]):
    done = ask(vault, *command)
    assert "STORE_ERROR" not in done.err, done
    assert vault.run("show", "good", "--json").json["text"] == "the last good version"
    ask(vault, "list")
    worker.assert_all_is_well(vault)


@each(
    "name",
    [
        "%",
        "_",
        "______",
        "' OR 1=1 --",
        '"',
        "*",
        "",
        " ",
        "/",
        "//",
        "../good",
        "a/b/c",
        "x" * 5000,
        "\n",
        "01*",
        HIDDEN,
    ],
)
def test_no_name_means_more_than_it_says(lasting: Any, name: str):
    for command in ("show", "pin", "retire", "archive", "restore", "purge", "edit"):
        more = {"purge": ("--yes",), "edit": ("--text", "x")}.get(command, ())
        done = ask(lasting, command, *more, "--", name)
        assert done.code in (1, 2), (command, name)
    assert [one["text"] for one in lasting.run("list", "--json").json] == ["the last good version"]


@each(
    "match",
    ['"', '""', '" "', "*", "good*", "NEAR", "NEAR(a b)", "(", ")", "^", "^good", "AND", "OR", "NOT", "good AND",
     "-good",
     "title:good", "{title}:x", "+", "a+b", "'", "\\", ":", ";", "%", "\t", "🦊", HIDDEN, "x" * 10_000, "a " * 3000],
)  # fmt: skip
def test_no_word_to_match_is_a_query_language(lasting: Any, match: str):
    assert ask(lasting, "list", "--", match).code == 0
    assert ask(lasting, "list", "--json", "--", match, "version").code == 0
    assert ask(lasting, "list", "--kind", match).code == 1
    assert ask(lasting, "list", "--tag", match).code == 0


# -- whatever there is --------------------------------------------------------------------------------------------

QUICK = few(10)


@QUICK
@given(said=st.text(max_size=300))
def test_any_text_comes_back_cleaned(box: Any, said: str):
    done = box.run("remember", "-", "--json", stdin=said, code=None)
    read = said.replace("\r\n", "\n") if "\r\n" in said else said
    wanted = {texts.clean_body(one).strip() for one in (said, read)}
    if done.code:
        assert done.err.startswith('{\n  "error": "INPUT_ERROR"')
        assert wanted <= {""}
        return
    shown = box.run("show", done.json["memory"]["uid"], "--json").json
    assert shown["text"] in wanted
    assert json.loads((box.root / shown["path"]).read_bytes())["content"]["text"] == shown["text"]


pieces = st.sampled_from(
    [b"{", b"}", b"[", b"]", b'"', b":", b",", b"\\u0000", b"\\ud800", b"\x00", b"\xff", b"\xef\xbb\xbf", b"null",
     b"1e999",
     b"NaN", b"\r\n", b"<<<<<<< a\n", b"=======\n", b">>>>>>> b\n", b'"title"', b'"content"', b'"tags"', b"[]", b"{}"]
)  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A good file into which something else was put, or anything."""
    if draw(st.booleans()):
        return draw(st.binary(max_size=300))
    data, where = encoded(note()), draw(st.integers(0, 400))
    cut = draw(st.integers(0, 30))
    return data[:where] + draw(pieces) * draw(st.integers(1, 3)) + data[where + cut :]


@QUICK
@given(data=damaged())
def test_any_bytes_in_a_file_neither_stop_a_scan_nor_lose_the_last_good_version(box: Any, data: bytes):
    place = box.vault / GOOD
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(encoded(note()))
    os.utime(place, ns=(0, 0))
    box.run("reconcile")
    place.write_bytes(data)
    done = ask(box, "reconcile")
    assert done.code == 0
    assert place.read_bytes() == data
    shown = box.run("show", ".claude/memory/notes/good.json", "--json").json
    if GOOD in done.out and "not read" in done.out:
        assert shown["text"] == "the last good version"
    else:
        assert shown["text"] == json.loads(data.decode("utf-8-sig"))["content"]["text"]
    images = worker.rows(box, "SELECT after FROM journal WHERE uid = ?", shown["uid"])
    assert any("the last good version" in row["after"] for row in images)
