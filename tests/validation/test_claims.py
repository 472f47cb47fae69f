"""What a memory names: paths, symbols, commands and versions; and what only looks like one."""

import time

import pytest

from recollect.policy.verdicts.claims import claims
from recollect.policy.verdicts.definitions import is_definition


def named(text):
    found = []
    for claim in claims("", text):
        owner = f"{claim.owner} " if claim.kind == "command" else f"{claim.owner}." if claim.owner else ""
        more = f"({','.join(claim.parameters)})" if claim.parameters else f" {claim.version}" if claim.version else ""
        found.append(f"{claim.kind} {owner}{claim.name}{more}")
    return sorted(found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Limits are in src/app/limits.py:42, see there.", ["path src/app/limits.py"]),
        ("`checkpoint/committed.go:ensureBranch()` does it", ["path checkpoint/committed.go", "symbol ensureBranch"]),
        ("Everything lies in `src/core/` and Makefile", ["path Makefile", "path src/core/"]),
        ("The hook calls ag.IsInstalled() first", ["symbol ag.IsInstalled"]),
        ("`connect(host, timeout=3)` blocks", ["symbol connect(host,timeout)"]),
        ("RetryQueue.push drops items; retry_limit is 3", ["symbol RetryQueue.push", "symbol retry_limit"]),
        ("Run `make seed`, then `npm run e2e:smoke`", ["command make seed", "command npm e2e:smoke"]),
        ("`terraform apply` needs a ticket", ["command program terraform"]),
        ("pinned: pydantic==2.6.1", ["version pydantic 2.6.1"]),
        ("We run react-router v6.2 and `pnpm@9`", ["version pnpm 9", "version react-router 6.2"]),
        ("see https://example.com/a/b.py", ["url https://example.com/a/b.py"]),
    ],
)
def test_what_a_text_names_is_found(text, expected):
    assert named(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Use tabs and/or spaces, 24/7, for TCP/IP and CI/CD.",
        "We chose Next.js, GitHub and PostgreSQL in 2024.",
        "Make sure that you just add the word(s) to the list (see above).",
        "Rebase onto origin/main before you push feature/login.",
        "Removed `old_auth()`.",
        "`old_auth` is gone, and src/legacy.py was deleted.",
        "It took 1.8 times as long at 10:30, on port 8080.",
        "e.g. i.e. etc. a.m. U.S.",
        "",
    ],
)
def test_what_only_looks_like_code_or_is_said_to_be_gone_is_not_claimed(text):
    assert [name for name in named(text) if not name.startswith("version")] == []


def test_of_a_rename_the_new_name_is_claimed():
    assert named("`ParcelCard` → `ShipmentCard`") == ["symbol ShipmentCard"]
    assert named("Use `fetch_page` instead of `load_all`.") == ["symbol fetch_page"]
    assert named("renamed load_all to fetch_page") == ["symbol fetch_page"]


def test_a_long_listing_is_cut():
    assert len(claims("", "\n".join(f"src/file_{number}.py" for number in range(5_000)))) == 60


@pytest.mark.parametrize(
    "piece", ["a", "ab ", "a/", "a.", "`", "a, ", "aA", "->a", "removed a, ", "'a", "1.", "a::", "foo(", "_"]
)
def test_odd_texts_take_no_long(piece):
    started = time.process_time()
    claims("", piece * (20_000 // len(piece)))
    for line in (piece * 4_000, f"public {piece * 1_000}(name) {{", f"const name = {piece * 2_000}"):
        is_definition("name", line)
        is_definition(piece.strip() or "x", line)
    assert time.process_time() - started < 20  # a quadratic step would take minutes
