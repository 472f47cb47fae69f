"""The tables of tools: the default set, and those of LetsGo and CursorClaw. Import-light."""

from recollect.faces.mcp.tool import Tool

READ = {"readOnlyHint": True, "openWorldHint": False}
ADD = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
# It can be taken back, but it is no addition: a client may ask before it.
REMOVE = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": False}
CHANGE = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": False}

PROJECT = {"type": "string", "description": "Folder of the project; only if the client names none."}
BYTES = {"type": "integer", "minimum": 500, "maximum": 100_000, "description": "Longest answer; default 8000."}
TEXTS = {"type": "array", "items": {"type": "string", "maxLength": 300}, "maxItems": 20}

DEFAULT = (
    Tool(
        "recall",
        "Search memories",
        "Search what earlier sessions in this project decided, learnt and were told: decisions, preferences,"
        " constraints, runbooks, notes. One line each, the best first, with a handle for `read`. Ask before you"
        " choose, when an error looks known, or when the user refers to the past.",
        "memories.recall",
        properties={
            "question": {"type": "string", "maxLength": 4_000, "description": "What you want to know, in words."},
            "kinds": {**TEXTS, "description": "Only these kinds."},
            "file": {"type": "string", "maxLength": 1_000, "description": "Only memories about this file."},
            "limit": {"type": "integer", "minimum": 1, "maximum": 50, "description": "Default 10."},
            "detail": {"type": "string", "enum": ["lines", "full"], "description": "full: with the whole texts."},
            "max_bytes": BYTES,
            "project": PROJECT,
        },
        required=("question",),
        hints=READ,
    ),
    Tool(
        "read",
        "Read memories",
        "Read memories in full by the handles that `recall` prints.",
        "memories.read",
        properties={
            "handles": TEXTS,
            "history": {"type": "boolean", "description": "Also how they changed."},
            "evidence": {"type": "boolean", "description": "Also what they were made from."},
            "max_bytes": BYTES,
            "project": PROJECT,
        },
        required=("handles",),
        hints=READ,
    ),
    Tool(
        "remember",
        "Save a memory",
        "Save what later sessions should know: what was decided and why, what the user wants, how an error was fixed."
        " One fact per call, no secrets, nothing that the code says itself. If it replaces memories, name them in"
        " `supersedes`; the same text again changes nothing.",
        "memories.remember",
        properties={
            "text": {"type": "string", "description": "The memory, understandable on its own."},
            "kind": {
                "type": "string",
                "maxLength": 80,
                "description": "decision, preference, constraint, runbook, tech_debt, learned, or note (default).",
            },
            "title": {"type": "string", "maxLength": 300},
            "why": {"type": "string", "maxLength": 4_000, "description": "The reason; a decision needs one."},
            "tags": TEXTS,
            "files": {**TEXTS, "description": "Files that it is about."},
            "supersedes": {**TEXTS, "description": "Handles of the memories that it replaces; they are retired."},
            "project": PROJECT,
        },
        required=("text",),
        hints=ADD,
    ),
    Tool(
        "retire",
        "Retire a memory",
        "Stop recalling a memory that is wrong or no longer holds. It is kept and can be restored.",
        "memories.retire",
        properties={
            "handle": {"type": "string", "maxLength": 300},
            "reason": {"type": "string", "maxLength": 300, "description": "Why it no longer holds."},
            "project": PROJECT,
        },
        required=("handle", "reason"),
        hints=REMOVE,
    ),
    Tool(
        "why",
        "Explain what was told",
        "Why a memory was told or left out, by its handle; or what one answer weighed, by the receipt id in it."
        " Without an argument: the last answer.",
        "memories.why",
        properties={"what": {"type": "string", "maxLength": 300, "description": "A handle or a receipt id."},
                    "project": PROJECT},
        hints=READ,
    ),
)  # fmt: skip

LETSGO_OPERATIONS = (
    "store_memory", "search_memories", "list_memories", "get_memory", "update_memory", "delete_memory",
    "search_by_file", "search_by_concept", "get_timeline", "store_fact", "query_facts", "delete_fact",
    "purge_expired", "summarize_old",
)  # fmt: skip
_TEXT, _NUMBER = {"type": "string"}, {"type": "number"}
_HIDDEN = {"type": "boolean", "description": "Refused: only the user sees these."}
_WORDS = {"description": "A list, or a text with commas."}

LETSGO = (
    Tool(
        "memory",
        "Memory",
        "Store, search and change memories and facts of this project, by `operation`. store_memory needs content;"
        " search_memories query; get_memory, update_memory, delete_memory and delete_fact id; search_by_file"
        " file_path; search_by_concept concept; store_fact subject, predicate, object. delete_memory retires: the"
        " memory is kept and a person can restore or erase it.",
        "letsgo.memory",
        properties={
            "operation": {"type": "string", "enum": list(LETSGO_OPERATIONS)},
            **dict.fromkeys(
                ("id", "content", "title", "subtitle", "type", "category", "sensitivity", "query", "file_path",
                 "concept", "subject", "predicate", "object", "source_memory_id", "session_id"), _TEXT,
            ),
            **dict.fromkeys(("tags", "concepts", "files_read", "files_modified"), _WORDS),
            **dict.fromkeys(
                ("importance", "confidence", "min_score", "min_confidence", "ttl_days", "days", "limit", "offset"),
                _NUMBER,
            ),
            **dict.fromkeys(("include_private", "include_secret"), _HIDDEN),
            "max_bytes": BYTES,
            "project": PROJECT,
        },
        required=("operation",),
        hints=CHANGE,
    ),
)  # fmt: skip

CURSORCLAW = (
    Tool(
        "recall_memory",
        "Recall memory",
        "Return the entries of this project's memory that are most like a query.",
        "cursorclaw.recall_memory",
        properties={
            "query": {"type": "string", "maxLength": 4_000},
            "top_k": {"type": "integer", "minimum": 1, "maximum": 20, "description": "Default 5."},
            "max_bytes": BYTES,
            "project": PROJECT,
        },
        required=("query",),
        hints=READ,
    ),
    Tool(
        "remember_this",
        "Remember this",
        "Append a record to the project's log.",
        "cursorclaw.remember_this",
        properties={
            "text": {"type": "string"},
            "category": {"type": "string", "maxLength": 80, "description": "Default note."},
            "sensitivity": {
                "type": "string",
                "enum": ["public", "operational", "private-user", "secret"],
                "description": "Default private-user.",
            },
            "project": PROJECT,
        },
        required=("text",),
        hints={**ADD, "idempotentHint": False},
    ),
    Tool(
        "query_experiences",
        "Query experiences",
        "Return past situations like a query, and how they went.",
        "cursorclaw.query_experiences",
        properties={
            "query": {"type": "string", "maxLength": 4_000},
            "top_k": {"type": "integer", "minimum": 1, "maximum": 20, "description": "Default 8."},
            "max_bytes": BYTES,
            "project": PROJECT,
        },
        required=("query",),
        hints=READ,
    ),
)

SETS = {"default": DEFAULT, "letsgo": LETSGO, "cursorclaw": CURSORCLAW}
