"""What happens between the tasks of a person: memories of months, sessions of an agent, a clone of a repository."""

import json
import shutil
from datetime import UTC, datetime, timedelta

from person import BEGIN, MORNING, NOON, Person
from telling import Telling

KNOWN = """\
1 decision|Postgres holds orders and payments|We need transactions, and one database less to run.
2 runbook|Deploy from main with `make deploy`|Wait for a green build, `make deploy`, watch the errors.
3 constraint|The payment API allows 10 requests per second|Ask for more before the sale in November.
4 bugfix|ECONNREFUSED in the server tests: PORT was read before .env was loaded|Load .env first in src/server.ts.
5 tech_debt|The importer retries forever when the warehouse answers 503, until the disk is full|After the release.
6 preference|Tests next to the code, never in a folder of their own|So that they are moved together.
9 learned|The sandbox of the payment provider forgets its data every Monday at 03:00 UTC|
12 decision|Feature flags live in the database, not in files|They change while the shop is open.
15 note|Anna knows the warehouse protocol, Jörg the tax rules|
20 learned|Übersetzungen kommen aus `locales/`, nicht aus der Datenbank|
25 note|在庫の同期は毎晩二時に始まる|
31 constraint|Prices are integers in cents, everywhere|
33 decision|No ORM: SQL in src/queries, typed by hand|
40 runbook|Restore the database from last night's backup|`make restore DAY=yesterday`, then reindex the search.
44 note|The staging password is in the team's vault|
50 tech_debt|Three date libraries are in use; date-fns shall stay|
58 bugfix|Totals were off by a cent: round once, at the end|
66 learned|pnpm needs `--frozen-lockfile` in CI, or the cache is never hit|
80 decision|Node 20 is the oldest version that is supported|
95 preference|Commit messages in English, imperative, below 70 characters|
120 note|The first customer was a bakery|
200 note|The domain is renewed in May|
400 decision|A monolith first, services when there is a reason|
"""
CONTENTS = {
    "decision": '{"status": "accepted", "context": "architecture", "decision": %s, "rationale": [%s]}',
    "runbook": '{"trigger": %s, "steps": [%s], "verification": "the shop answers"}',
    "constraint": '{"kind": "technical", "rule": %s, "impact": [%s], "severity": "high", "active": true}',
    "tech_debt": '{"status": "open", "priority": "low", "description": %s, "reason_deferred": %s}',
    "preference": '{"topic": "workflow", "value": %s, "reason": %s, "strength": "strong"}',
}
"""The content of each kind that has fields, with places for its title and its text."""


def months_pass(person: Person) -> None:
    """More than twenty memories are there, up to a year old."""
    box = person.box
    project = box.run("project", "--json").json["name"]
    memories = []
    for number, line in enumerate(KNOWN.splitlines()):
        head, title, text = line.split("|")
        days, kind = head.split()
        at = f"{BEGIN - timedelta(days=int(days)):%Y-%m-%dT%H:%M:%SZ}"
        memories.append(
            {"uid": f"019c{number:012x}{number * 0x9E3779B1 % 2**32:08x}", "slug": _slug(title, number), "kind": kind,
             "title": title, "content": _content(kind, title, text or title), "created_at": at,
             "updated_at": at, "project": project}
        )  # fmt: skip
    box.bring(*memories)


def _content(kind: str, title: str, text: str) -> dict[str, object]:
    if kind not in CONTENTS:
        return {"text": text}
    found: dict[str, object] = json.loads(CONTENTS[kind] % (json.dumps(title), json.dumps(text)))
    return found


def _slug(title: str, number: int) -> str:
    words = "".join(sign if sign.isascii() and sign.isalnum() else " " for sign in title.lower()).split()
    return "-".join(words[:6]) or f"memory-{number}"


def agent_works(person: Person) -> None:
    """Two sessions of an agent: it is told what it needs, and captures what the user says."""
    months_pass(person)
    person.later(24 * 60)
    prompt(person, "Please fix the server tests, they fail with ECONNREFUSED", MORNING)
    at = datetime.fromisoformat(str(person.box.now)).astimezone(UTC)
    telling = Telling(person.box, MORNING, at).asks("Legal says customer data must not leave the EU.")
    telling.answers("Understood.").asks("Always use yarn in this repo.").answers("Ok.").ends().drained()
    person.later(60)
    prompt(person, "How do we deploy to production?", NOON)
    prompt(person, "Which package manager do I use to add lodash?", NOON)


def prompt(person: Person, text: str, session: str) -> None:
    """Give a prompt to the hook, as the agent does."""
    person.later(1)
    asked = {"session_id": session, "cwd": str(person.box.root), "prompt_id": text[:10], "prompt": text}
    person.box.run("hook", "claude-code", "UserPromptSubmit", stdin=json.dumps(asked))
    person.box.run("drain")


def clone_arrives(person: Person) -> None:
    """A clone of a colleague's repository, with some memory files in it."""
    box, clone = person.box, person.folder / "docs"
    for folder in ("decisions", "constraints"):
        shutil.copytree(box.vault / folder, clone / ".claude" / "memory" / folder)
    for arguments in (
        ("init", "-q", "-b", "main", "--template="), ("remote", "add", "origin", "https://github.com/acme/docs.git"),
        ("add", "-A"), ("commit", "-q", "-m", "memories"),
    ):  # fmt: skip
        box.git(*arguments, cwd=clone)
