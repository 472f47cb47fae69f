"""Tell claude-memory's folder from one that holds Claude's own notes. Import-light, because hooks use it.

Both live in `.claude/memory`. claude-memory keeps JSON files in one folder per category, an `index.md` that it derives,
and `memory-config.json`. Claude keeps Markdown there: `MEMORY.md` and topic files, and some people an `index.md`.
"""

# Folder → the category of every record in it (B1).
CATEGORIES = {
    "sessions": "session_summary",
    "decisions": "decision",
    "runbooks": "runbook",
    "constraints": "constraint",
    "tech-debt": "tech_debt",
    "preferences": "preference",
}
CONFIG, INDEX = "memory-config.json", "index.md"
MARKDOWN = (".md", ".markdown")
# Top-level keys that only claude-memory's configuration has.
CONFIG_KEYS = frozenset(
    ("memory_root", "categories", "auto_commit", "max_memories_per_category", "retrieval", "triage", "delete")
)
_TITLE = "# Memory Index"


def is_markdown(path: str) -> bool:
    """Return whether a path names a Markdown file."""
    return path.lower().endswith(MARKDOWN)


def is_index(text: str) -> bool:
    """Return whether an `index.md` is claude-memory's, by its title and its comment or an entry for a JSON file.

    Claude's notes may have the same title; their entries link to Markdown files.
    """
    lines = [line.strip() for line in text.lstrip("\ufeff").splitlines() if line.strip()]
    if not lines or lines[0] != _TITLE:
        return False
    is_generated = len(lines) > 1 and lines[1].lower().startswith("<!-- auto-generated")
    return is_generated or any(_is_entry(line) for line in lines)


def _is_entry(line: str) -> bool:
    """Whether a line is `- [DECISION] title -> path.json`, with or without `#tags:`."""
    label = line.partition("]")[0].removeprefix("- [")
    path = line.rpartition(" -> ")[2].partition(" ")[0]
    return line.startswith("- [") and label.isupper() and line.count(" -> ") > 0 and path.endswith(".json")
