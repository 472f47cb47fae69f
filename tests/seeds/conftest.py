"""Drafts of claude-memory's six categories, and its `write` command on a box."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import Box, Done

FOLDERS = {
    "session_summary": "sessions",
    "decision": "decisions",
    "runbook": "runbooks",
    "constraint": "constraints",
    "tech_debt": "tech-debt",
    "preference": "preferences",
}
CONTENT: dict[str, dict[str, Any]] = {
    "session_summary": {"goal": "ship", "outcome": "success", "completed": ["parser"], "next_actions": ["docs"]},
    "decision": {"status": "accepted", "context": "storage", "decision": "use SQLite", "rationale": ["one file"]},
    "runbook": {"trigger": "disk full", "steps": ["remove logs"], "verification": "df shows room"},
    "constraint": {
        "kind": "technical",
        "rule": "no network",
        "impact": ["no telemetry"],
        "severity": "high",
        "active": True,
    },
    "tech_debt": {"status": "open", "priority": "low", "description": "no cache", "reason_deferred": "time"},
    "preference": {"topic": "quotes", "value": "double", "reason": "habit", "strength": "soft"},
}


@pytest.fixture
def has_git() -> bool:
    """Little here is about git; a test that is says so: `@IN_GIT`."""
    return False


@pytest.fixture
def draft() -> Callable[..., dict[str, Any]]:
    """Make a valid draft of any of the six categories; fields replace or add."""

    def make(kind: str = "decision", /, **fields: Any) -> dict[str, Any]:
        return {
            "schema_version": "1.0",
            "category": kind,
            "id": "use-sqlite",
            "title": "Use SQLite for storage",
            "created_at": "2026-01-01T00:00:00Z",
            "updated_at": "2026-01-01T00:00:00Z",
            "tags": ["sqlite", "storage"],
            "content": copy.deepcopy(CONTENT[kind]),
            **fields,
        }

    return make


@pytest.fixture
def write(box: Box) -> Callable[..., Done]:
    """Run `write ACTION` on a file named from the vault's root; a record becomes its --input."""
    kinds = {folder: kind for kind, folder in FOLDERS.items()}

    def run(
        action: str,
        path: str,
        record: object = None,
        *flags: str,
        code: int | None = 0,
        cwd: Path | None = None,
        target: str | None = None,
    ) -> Done:
        args = ["write", "--action", action, "--target", target or f".claude/memory/{path}"]
        args += ["--input", box.draft(record)] if record is not None else []
        if action == "create" and "--category" not in flags:
            args += ["--category", kinds[path.split("/", 1)[0]]]
        return box.run(*args, *flags, code=code, cwd=cwd)

    return run


@pytest.fixture
def place(box: Box) -> Callable[..., Path]:
    """Put a record into the vault by hand, as another program or a clone would."""

    def put(path: str, record: object) -> Path:
        file = box.vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(record if isinstance(record, str) else json.dumps(record, indent=2) + "\n", "utf-8")
        return file

    return put
