"""A project with a month behind it: memories, sessions, receipts, things that wait for a decision."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from builders import Box

import recollect
from recollect.library.workspace import Workspace

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
MEMORIES: tuple[tuple[int, dict[str, Any]], ...] = (
    (29, {"text": "Use pnpm, never npm", "kind": "preference", "why": "the lockfile is pnpm's", "tags": ["tooling"]}),
    (27, {"text": "Orders are kept in Postgres", "kind": "decision", "why": "we need transactions across tables",
          "tags": ["database", "orders"], "files": ["src/orders.py"]}),
    (24, {"text": "Never log card numbers, not even masked", "kind": "constraint", "why": "the audit of 2025",
          "tags": ["security"]}),
    (21, {"text": "The staging database is restored from production every Monday at 6:00", "kind": "learned",
          "tags": ["database", "staging"]}),
    (19, {"text": "Retries of the payment gateway need the same idempotency key", "kind": "learned",
          "tags": ["payments"], "files": ["src/payments.py"]}),
    (15, {"text": "Prices are integers, in cents", "kind": "decision", "why": "floats lost a cent in invoices",
          "tags": ["payments"]}),
    (12, {"text": "Sort imports with ruff, not isort", "kind": "preference", "why": "one tool less",
          "tags": ["tooling"]}),
    (9, {"text": "The old cart API has to stay until the mobile app 3.2 is everywhere", "kind": "tech_debt",
         "why": "a third of the users have older apps", "tags": ["api"]}),
    (6, {"text": "Feature flags live in config/flags.toml and are read at start", "kind": "note", "tags": ["flags"]}),
    (3, {"text": "Deploy on Tuesdays and Thursdays only", "kind": "constraint", "why": "support is there on these days",
         "tags": ["deploy"]}),
)  # fmt: skip
PROMPTS = (
    "Which package manager do we use here?",
    "The payment gateway answers twice, how do we retry?",
    "Write a haiku about autumn",
    "Where do we store orders, and why?",
    "May I deploy today?",
    "How are prices represented in invoices?",
    "Rename the variable in line three",
    "What has to happen before the old cart API goes?",
)
FAILED = "FAILED tests/test_orders.py::test_total - AssertionError: assert 3 == 6\n1 failed in 0.31s"
RULE = "From now on always run the linter before you commit, because CI is slow."
HOSTILE_TITLE = (
    "<script>document.title='owned'</script>\u202egnp.exe <svg onload=alert(1)> \"'><img src=x onerror=alert(2)>"
)
HOSTILE_TEXT = "</textarea></pre></script><svg><script>document.title='owned'</script></svg>\u202e{{ 7*7 }}${7*7}"


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


def make(box: Box, sessions: int = 27) -> None:
    """Fill a store with a month of work, as the library does it."""
    clock = Clock(NOW)
    box.now = NOW.isoformat()
    with box.living(), recollect.open(box.root, home=box.home, now=clock, actor="cli") as workspace:
        workspace.init()
        for days, fields in MEMORIES:
            clock.now = NOW - timedelta(days=days)
            said = dict(fields)
            workspace.remember(said.pop("text"), **said)
        for number in range(sessions - 1, -1, -1):
            clock.now = NOW - timedelta(days=number, hours=2)
            _work(workspace, clock, f"{number:02d}5c0ffe-e0f1-4a55-9c5e-1d0a6f3b7c{number:02d}", number)
        clock.now = NOW
        (older,) = workspace.list(match="imports ruff")
        workspace.pin("prices-are-integers-in-cents")
        workspace.edit(older.uid, title="Sort imports with ruff", add_tags=["python"])
        workspace.add_fact("invoices", "use", "integers in cents", source="prices-are-integers-in-cents")
        workspace.add_fact("prices", "are stored as", "cents", source="prices-are-integers-in-cents")
        (box.root / "src").mkdir()
        (box.root / "src" / "orders.py").write_text("def total(prices):\n    return sum(prices)\n", "utf-8")
        workspace.remember("total() in src/orders.py adds up the prices", kind="learned", files=["src/orders.py"])
        workspace.remember("Invoices are sent by src/mailer.py", kind="learned", files=["src/mailer.py"])
        workspace.validate()
        workspace.log("The month was closed without a difference.", session="s1")
    (box.root / "USER.md").write_text("Ann, Berlin, prefers short answers.\n", "utf-8")


def _work(workspace: Workspace, clock: Clock, session: str, number: int) -> None:
    """One session: a start, prompts, now and then a failure that is repaired, an end."""
    workspace.started(session=session)
    for turn in range(1 + number % 3):
        clock.now += timedelta(minutes=3)
        prompt = PROMPTS[(number * 2 + turn) % len(PROMPTS)]
        workspace.observe({"event": "PromptSubmitted", "session": session, "turn": f"t{turn}", "prompt": prompt})
        if number % 5 == 0:
            repair(workspace, clock, session, f"t{turn}")
        clock.now += timedelta(minutes=2)
        workspace.observe({"event": "TurnEnded", "session": session, "turn": f"t{turn}",
                           "answer": "I looked it up in the code and changed what you asked for."})  # fmt: skip
    clock.now += timedelta(minutes=1)
    workspace.observe({"event": "SessionEnded", "session": session})


def repair(workspace: Workspace, clock: Clock, session: str, turn: str) -> None:
    """A test fails, a file is edited, the test passes."""
    told = {"session": session, "turn": turn}
    for name, fields in (
        ("ToolFailed", {"tool": "shell", "command": "pytest -q", "error": FAILED, "call": f"{turn}a"}),
        ("ToolFinished", {"tool": "edit", "path": "src/orders.py", "old": "prices[1:]", "new": "prices",
                          "call": f"{turn}b"}),
        ("ToolFinished", {"tool": "shell", "command": "pytest -q", "output": "1 passed", "call": f"{turn}c"}),
    ):  # fmt: skip
        clock.now += timedelta(seconds=20)
        workspace.observe({"event": name, **told, **fields})


def pending(box: Box) -> list[str]:
    """Bring three captured memories that are not certain; their ids."""
    titles = ("Run the linter before a commit", "The orders test needs the database", "Ask before deleting branches")
    return box.bring(
        *(
            {
                "title": title,
                "content": {"text": f"{title}, said in passing."},
                "kind": "learned",
                "slug": f"pending-{number}",
                "tags": ["pending"],
                "channel": "claude-code:statement",
                "origin": "assistant",
                "confidence": 0.55 + number / 100,
                "project": project_of(box),
            }
            for number, title in enumerate(titles)
        )
    )


def project_of(box: Box) -> str:
    with box.living(), recollect.open(box.root, home=box.home) as workspace:
        return workspace.project


def folder(path: Path, name: str = "shop") -> Box:
    """A person's HOME with a repository."""
    box = Box(path, path / "store", path / name)
    box.root.mkdir(parents=True)
    box.git("init", "-q", "-b", "main", "--template=")
    box.git("commit", "-q", "--allow-empty", "-m", "begin")
    return box
