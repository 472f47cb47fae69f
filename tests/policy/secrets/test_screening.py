"""Who may see a memory follows from what it says: secrets are taken out, personal data makes it private."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import decision
from hypothesis import given
from hypothesis import strategies as st
from tables import each

import recollect
from recollect.model import clock
from recollect.policy.secrets import screening

TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"  # gitleaks:allow
NOW = "2026-03-01T12:00:00Z"


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A project with a vault, open as a library; one for all of these."""
    folder = tmp_path_factory.mktemp("screening")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (
            ("HOME", folder),
            ("RECOLLECT_HOME", folder / "store"),
            ("RECOLLECT_CONFIG", folder / "no"),
        ):
            patch.setenv(name, str(value))
        (folder / "project").mkdir()
        with recollect.open(folder / "project", now=clock.fixed(NOW)) as opened:
            opened.init()
            yield opened


def level(space: Any, says: str, **more: Any) -> str:
    """What a new memory that says this is kept as."""
    return str(space.remember(says, **more).memory.sensitivity)


# -- what is personal ---------------------------------------------------------------------------------------------


EMAILS = [
    "Ask jane.doe@firma.de about it",
    "jane@firma.com",
    "<jane@firma.de>",
    "(jane@firma.com)",
    "write to jane@firma.com, please",
    "it belongs to jane@firma.com.",
    "`jane@firma.de` is the owner",
    "owner=jane@firma.de",
    '"jane@firma.de"',
    "jane_doe+lists@mail.firma.co.uk",
    "JANE.DOE@FIRMA.DE",
    "jürgen@firma.de",
    "Author: Jane Doe <jane.doe@firma.de>",
    "mailto:jane@firma.de",
    "E-Mail:jane@firma.de",
    "cc:jane@firma.de",
    "jane@firma.com: she knows",
    "ask jane.doe@firma.de:\n- why",
    "jane@firma.de/joe@firma.de",
    "ömer@firma.de",
    "jane@müller.de",
]
PHONES = [
    "+49 170 1234567",
    "+491701234567",
    "call +1 (555) 123-4567 now",
    "(555) 123-4567",
    "+44 20 7946 0958",
    "+1-202-555-0143",
    "tel:+4930123456",
    "+49 (0)170 1234567",
    "+49.170.1234567",
    "+33 1 23 45 67 89",
    "+32 2 555 12 12",
    "0049 170 1234567",
]
CARDS = [
    "4111 1111 1111 1111",
    "4111-1111-1111-1111",
    "5500 0000 0000 0004",
    "paid with 4012 8888 8888 1881 today",
    "card 4111111111111111",
    "3782 822463 10005",
]
ACCOUNTS = [
    "DE89 3704 0044 0532 0130 00",
    "IBAN DE89370400440532013000",
    "GB29 NWBK 6016 1331 9268 19",
    "FR14 2004 1010 0505 0001 3M02 606",
    "NL91 ABNA 0417 1643 00",
]
PEOPLE = ["SSN 123-45-6789", "ssn: 123-45-6789", "her social security number is 123-45-6789"]


@each("says", [*EMAILS, *PHONES, *CARDS, *ACCOUNTS, *PEOPLE])
def test_personal_data_makes_a_memory_private(space, says):
    outcome = space.remember(says, title="Plain")
    assert outcome.memory.sensitivity == "private"
    assert outcome.memory.text == says, "it is kept as it is"
    assert outcome.path is None, "and stays out of the repository"
    (note,) = outcome.notes
    assert note.startswith("kept as private: it holds a")


HARMLESS = [
    "Use pnpm, never npm",
    "git clone git@github.com:owner/repo.git",
    "ssh git@github.com",
    "push to https://user@host.com/path",
    "jane@example.com is only an example",
    "tester@example.invalid, admin@service.test, a@b.localhost",
    "root@localhost:5432",
    "user@db.internal",
    "12345+jane@users.noreply.github.com",
    "no-reply@firma.de sends it",
    "write to support@firma.de or security@firma.de",
    "npm i left-pad@1.3.0 @types/node@20.1.0",
    "pkg@^1.2.3 and foo@1.2.3",
    "@app.route and @pytest.mark.seed",
    "actions/checkout@v4.1.1",
    "deadbeef@{upstream}",
    "port +8080, exit +1",
    "UTC+02:00 and 2026-03-01T12:00:00+02:00",
    "at 2026-03-01 12:00:00.123456789",
    "192.168.0.12:8080 and 127.0.0.1",
    "version 1.2.3-rc.1+build.5678901234",
    "uuid 550e8400-e29b-41d4-a716-446655440000",
    "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
    "4111 1111 1111 1112 fails the check",
    "1234 5678 9012 3456",
    "DE89 3704 0044 0532 0130 01 fails the check",
    "order 123-45-6789",
    "0x1234567890abcdef",
    "matrix 1 2 3 4 5 6 7 8 9 10 11 12",
    "1,234,567,890 rows in 12 345 678 µs",
    "phone numbers and e-mail addresses are personal data",
]


@each("says", HARMLESS)
def test_what_only_looks_personal_stays_public(space, says):
    outcome = space.remember(says, title="Plain")
    assert outcome.memory.sensitivity == "public"
    assert outcome.notes == ()


def luhn(digits: str) -> str:
    """The digit that completes a card number."""
    doubled = [int(one) * (2 - number % 2) for number, one in enumerate(reversed(digits))]
    return str(-sum(one // 10 + one % 10 for one in doubled) % 10)


@given(st.from_regex(r"[3-6][0-9]{14}", fullmatch=True), st.sampled_from(" -"), st.integers(1, 9))
def test_a_card_number_counts_only_if_its_last_digit_fits(digits, sign, other):
    def grouped(whole: str) -> str:
        return sign.join(whole[at : at + 4] for at in range(0, 16, 4))

    right = luhn(digits)
    assert screening.personal(f"paid with {grouped(digits + right)} today") == "a card number"
    wrong = str((int(right) + other) % 10)
    assert screening.personal(f"paid with {grouped(digits + wrong)} today") is None


@given(st.from_regex(r"[0-9]{18}", fullmatch=True), st.integers(1, 96), st.booleans())
def test_an_account_number_counts_only_if_its_check_digits_fit(digits, other, spaced):
    def written(check: int) -> str:
        whole = f"DE{check:02}{digits}"
        return " ".join(whole[at : at + 4] for at in range(0, 22, 4)) if spaced else whole

    check = 98 - int(f"{digits}131400") % 97
    assert screening.personal(f"to {written(check)} please") is not None
    assert screening.personal(f"to {written((check + other - 2) % 97 + 2)} please") != "an account number"


@given(st.text(max_size=200))
def test_any_text_can_be_classified(says):
    assert screening.personal(says) in (None, *(name for name, _, _ in screening.PERSONAL))


# -- where it stands ----------------------------------------------------------------------------------------------


@each(
    "details",
    [
        {"title": "About jane.doe@firma.de"},
        {"tags": ["jane.doe@firma.de"]},
        {"files": ["jane.doe@firma.de.eml"]},
        {"kind": "decision", "why": "jane.doe@firma.de said so"},
        {"kind": "decision", "why": "so", "fields": {"consequences": ["tell jane.doe@firma.de"]}},
    ],
)
def test_personal_data_counts_wherever_it_stands(space, details):
    assert level(space, f"words about somebody {sorted(details)}", **details) == "private"


def test_a_sensitivity_that_somebody_named_stays(space):
    for named in ("public", "operational", "personal", "secret", "unknown"):
        assert level(space, f"{named}: jane.doe@firma.de", sensitivity=named) == named
    assert level(space, "nothing personal at all", sensitivity="private") == "private"


def test_saying_it_again_never_makes_a_memory_more_public(space):
    assert level(space, "twice: jane.doe@firma.de") == "private"
    assert level(space, "twice: jane.doe@firma.de", sensitivity="public") == "private"
    assert level(space, "open at first", sensitivity="public") == "public"
    outcome = space.remember("open at first", sensitivity="personal")
    assert outcome.memory.sensitivity == "personal"
    assert outcome.path is None


def test_a_memory_that_becomes_private_by_an_edit_leaves_the_repository(box):
    box.run("remember", "some words", "--title", "Contact")
    assert (box.vault / "notes" / "contact.json").exists()
    box.run("edit", "contact", "--text", "ask jane.doe@firma.de")
    assert box.run("show", "contact", "--json").json["sensitivity"] == "private"
    assert not (box.vault / "notes" / "contact.json").exists()
    assert box.index() == []


def test_an_edit_that_names_a_sensitivity_is_obeyed(box):
    box.run("remember", "some words", "--title", "Contact")
    box.run("edit", "contact", "--text", "ask jane.doe@firma.de", "--sensitivity", "operational")
    assert box.run("show", "contact", "--json").json["sensitivity"] == "operational"


def test_every_surface_that_names_no_sensitivity_classifies(box):
    request = {"operation": "store_memory", "content": "the owner is jane.doe@firma.de"}
    assert box.run("memory", json.dumps(request)).json["output"]["sensitivity"] == "private"
    done = box.run("log", "append", "--session", "s", "call jane.doe@firma.de", "--json").json
    assert done["memory"]["sensitivity"] == "private"
    (box.folder / "in.jsonl").write_text('{"text": "mail jane.doe@firma.de"}\n')
    box.run("import", str(box.folder / "in.jsonl"))
    levels = {one["sensitivity"] for one in box.run("list", "--json").json}
    assert levels == {"private"}
    everything = [path.read_text() for path in box.root.rglob("*") if path.is_file() and ".git" not in path.parts]
    assert not any("jane.doe" in said for said in everything)


def test_a_file_of_format_b_reads_as_public_because_it_has_no_such_field(box):
    record = decision(title="Ask jane.doe@firma.de")
    flags = ("--category", "decision", "--input", box.draft(record))
    box.run("write", "--action", "create", "--target", ".claude/memory/decisions/use-sqlite.json", *flags)
    assert box.run("show", "use-sqlite", "--json").json["sensitivity"] == "public"


# -- secrets ------------------------------------------------------------------------------------------------------


def test_a_memory_out_of_which_a_secret_was_taken_is_an_ordinary_one(box):
    done = box.run("remember", f"The mirror is deployed with {TOKEN} every Friday", "--json").json
    assert done["memory"]["sensitivity"] == "public"
    assert "taken out: github-token" in json.dumps(done)
    assert "[redacted:github-token] every Friday" in box.run("recall", "when is the mirror deployed").out
    assert [one["sensitivity"] for one in box.run("list", "--json").json] == ["public"]
    files = [path.read_text() for path in box.vault.rglob("*.json")]
    assert any("[redacted:github-token] every Friday" in said for said in files)
    assert not any(TOKEN in said for said in files)


def test_what_is_left_after_a_secret_was_taken_out_decides(space):
    outcome = space.remember(f"deploy with {TOKEN} or ask jane.doe@firma.de")
    assert outcome.memory.sensitivity == "private"
    assert outcome.memory.text == "deploy with [redacted:github-token] or ask jane.doe@firma.de"
    assert outcome.notes == ("taken out: github-token; kept as private: it holds an e-mail address",)
    assert outcome.path is None


def test_an_address_that_was_part_of_a_secret_makes_nothing_private(space):
    outcome = space.remember("clone https://jane.doe:Sommer2024!x@firma.de/app.git first")
    assert "Sommer2024" not in outcome.memory.text
    assert outcome.memory.sensitivity == "public"


@each(
    "details",
    [
        {"title": f"About {TOKEN}"},
        {"title": TOKEN},
        {"tags": [TOKEN, "kept"]},
        {"files": [f"src/{TOKEN}.py"]},
        {"kind": "decision", "why": f"{TOKEN} says so"},
        {"kind": "runbook", "fields": {"steps": ["log in", f"use {TOKEN}"], "verification": "ok"}},
        {"kind": "preference", "why": "so", "fields": {"examples": {"prefer": [TOKEN], "avoid": []}}},
    ],
)
def test_a_secret_is_taken_out_wherever_it_stands(space, details):
    outcome = space.remember(f"some words {sorted(details)}", **details)
    assert outcome.memory.sensitivity == "public"
    assert TOKEN not in outcome.memory.image
    assert TOKEN.lower() not in outcome.memory.image.lower()
    home = Path(space.project_context.store.path).parent
    assert not any(TOKEN.encode() in path.read_bytes() for path in home.rglob("*") if path.is_file())


def test_a_named_sensitivity_keeps_its_level_but_not_the_secret(space):
    outcome = space.remember(f"public on purpose: {TOKEN}", sensitivity="public")
    assert outcome.memory.sensitivity == "public"
    assert TOKEN not in outcome.memory.image


@each(
    ("title", "says"),
    [("db password:", "Sommer2024!x"), ("API_KEY =", "Zq8rT2vLm4Xw9KpB")],
)
def test_what_is_said_to_be_taken_out_is_taken_out(space, title, says):
    outcome = space.remember(says, title=title)
    if any("taken out" in note for note in outcome.notes):
        assert says not in outcome.memory.image
    else:
        assert outcome.memory.sensitivity == "public"


def test_an_edit_that_brings_a_secret_does_not_bring_it_to_the_disk(box):
    box.run("remember", "some words", "--title", "Plain")
    box.run("edit", "plain", "--text", f"now with {TOKEN}", "--title", f"About {TOKEN}", "--tag", TOKEN)
    files = [path for path in box.folder.rglob("*") if path.is_file() and ".git" not in path.parts]
    assert not any(TOKEN.encode() in path.read_bytes() for path in files)


@pytest.mark.parametrize(
    ("subject", "predicate", "object_"),
    [
        ("the CI", "uses", TOKEN),
        (TOKEN, "belongs to", "the CI"),
        ("db", "password", "Sommer2024!x"),
    ],
)
def test_a_fact_is_kept_without_its_secret(box, subject, predicate, object_):
    box.run("fact", "add", subject, predicate, object_)
    (fact,) = box.run("fact", "list", "--json").json
    assert "[redacted:" in json.dumps(fact)
    for secret in (TOKEN, "Sommer2024!x"):
        assert not any(secret.encode() in path.read_bytes() for path in box.home.rglob("*") if path.is_file())


def test_a_file_with_a_secret_that_somebody_put_into_the_vault_is_taken_in_without_it(box):
    box.run("remember", "some words", "--title", "Plain")
    place = box.vault / "notes" / "plain.json"
    place.write_text(place.read_text().replace("some words", f"words {TOKEN}"))
    assert box.run("show", "plain", "--json").json["text"] == "words [redacted:github-token]"
    assert not any(TOKEN.encode() in path.read_bytes() for path in box.home.rglob("*") if path.is_file())
    assert TOKEN in place.read_text(), "the file is its author's"


@given(st.text(max_size=80))
def test_what_was_screened_once_is_not_changed_by_a_second_screening(space, says):
    kept = space.remember(f"x {says} y {TOKEN}", title="Plain").memory
    assert screening.memory(kept).memory == kept
    assert screening.memory(kept, classify=True).memory.sensitivity in ("secret", "private", "public")
