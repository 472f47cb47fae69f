"""Every promised behaviour of the four seed systems: one line each, and what it waits for if it is not here yet.

The ids are those of the catalogue of seed behaviours: A is the hook-agent memory, B the claude-memory plugin,
C CursorClaw, D LetsGo. A promise without `waits` has a test marked with its id (`@pytest.mark.seed("B41")`);
`test_manifest.py` holds both directions.
"""

from typing import NamedTuple


class Promise(NamedTuple):
    """One behaviour, in our words."""

    id: str
    says: str
    waits: str | None = None


CAPTURE = "issue 6: capture and triage"
UPKEEP = "a later issue: forgetting, validation, consolidation, compaction, the judge"
NEVER = "not rebuilt: a defect or a matter of taste of the original"


def each(letter: str, numbers: range | tuple[int, ...], says: str, waits: str) -> list[Promise]:
    """Neighbouring behaviours that wait for the same thing."""
    return [Promise(f"{letter}{number}", says, waits) for number in numbers]


PROMISES: tuple[Promise, ...] = (
    Promise("A1", "a markdown memory has metadata, cue, keywords and body blocks, in that order"),
    Promise("A2", "metadata holds five usage keys with defaults, as two-space JSON"),
    Promise("A3", "metadata counts only at the very start of the file; broken JSON in it is an error"),
    Promise("A4", "writing metadata replaces that block and nothing else"),
    Promise("A5", "reconcile gives every file the tags that it lacks, and is silent otherwise"),
    Promise("A6", "the four cases of missing tags each end in one structure"),
    Promise("A7", "a description is the cue, else the first line, else the first plain line, else the name"),
    Promise("A8", "keywords are split at commas, trimmed, lower-cased"),
    Promise("A9", "the body is what is inside the memory tag; it ends at the last closing tag"),
    Promise("A10", "the metadata command reads, writes, ensures and describes"),
    Promise("A11", "presearch takes a prompt, a folder, and whether to search whole files"),
    Promise("A12", "a prompt's keywords are its uncommon words, each once"),
    Promise("A13", "a file is searched by its name and keywords, or its description"),
    Promise("A14", "a keyword matches as a word, inside a word, or nearly"),
    Promise("A15", "presearch prints a pointer per match, and a summary on standard error"),
    Promise("A16", "the original's benchmark over-recalls", NEVER),
    *each("A", range(17, 24), "judged recall in one or two passes", UPKEEP),
    Promise("A24", "BLOCK_HOOK_AGENTS silences every hook, before anything else"),
    Promise("A25", "the first prompt of a session counts it, whether or not recall is on"),
    Promise("A26", "recall can be switched off"),
    Promise("A27", "a session is the launcher's hook id, else the client's; no hook ends with 2 for the lack of one"),
    Promise("A28", "the prompt is read from `prompt`; an empty one is answered with nothing"),
    Promise("A29", "a memory is told once per session"),
    Promise("A30", "what was told counts a use and the session's number"),
    Promise("A31", "pointers: the paths on one line, then each with its description"),
    Promise("A32", "one notification per memory where a launcher said that somebody watches"),
    Promise("A33", "show NAME --content prints the body alone"),
    Promise("A34", "an archived markdown memory moves to memory-cold/"),
    Promise("A35", "appreciate adds a bonus"),
    Promise("A36", "create-memory drafts from a text", UPKEEP),
    *each("A", range(37, 43), "forgetting and validation on a schedule", UPKEEP),
    Promise("A43", "the update hook reads the last messages", UPKEEP),
    Promise("A44", "resume resets the ledger, session end cleans up"),
    Promise("A45", "the launcher prunes what dead sessions left"),
    Promise("A46", "agent.conf may hold comments behind values"),
    Promise("B1", "six kinds in six folders, one JSON file per memory, two spaces, non-ASCII kept, newline at the end"),
    Promise("B2", "the record and six content models; unknown fields forbidden; all field errors at once"),
    Promise("B3", "times are text and are not judged"),
    Promise("B4", "a record is active, retired or archived; a missing status means active"),
    *each("B", range(5, 18), "triage at the end of a turn", CAPTURE),
    Promise("B18", "the prompt is read from `prompt`, else from `user_prompt`"),
    Promise("B19", "a prompt of less than ten characters finds nothing; an index that was lost costs no answer"),
    Promise("B20", "a word is three letters or digits and no stop word"),
    Promise("B21", "2 points per title word, 3 per tag, 1 per beginning of four letters"),
    Promise("B22", "a kind's description adds up to two points"),
    Promise("B23", "equals go by kind, a fresh one of the first twenty has a point more, the best five are told"),
    Promise("B24", "memories are told as lines of the index: label, title, path, sorted tags"),
    Promise("B25", "titles, paths and tags in such a line are cleaned"),
    Promise("B26", "what is no prompt, or no configuration, is answered with 0 and without a word of complaint"),
    Promise("B27", "index takes a root and exactly one job"),
    Promise("B28", "rebuild lists active memories sorted; an empty vault leaves no stale index"),
    Promise("B29", "validate, query and health report; validate repairs nothing"),
    Promise("B30", "gc removes files retired longer than the grace period and names what it skips"),
    Promise("B31", "candidate answers with seven keys and an excerpt, from three points on"),
    Promise("B32", "each kind has its key fields"),
    Promise("B33", "decisions, preferences and session summaries are not deleted by a machine"),
    Promise("B34", "a veto forbids the action that it names; update proceeds"),
    Promise("B35", "index paths are read from the project's root, wherever the caller stands"),
    Promise("B36", "six actions, restore among them"),
    Promise("B37", "one line of JSON on success; an error block with a fix, exit code 1, otherwise"),
    Promise(
        "B38", "create mends, forces, validates, contains, locks, refuses resurrection, indexes, removes the draft"
    ),
    Promise("B39", "a draft without an id is accepted: the file's name is the id"),
    Promise("B40", "create over an active memory, or into another kind's folder, is refused"),
    Promise("B41", "update keeps what is immutable, needs a change, counts, renames on a new title"),
    Promise("B42", "hash and merge are checked inside the lock, the hash first; history really is append-only"),
    Promise("B43", "tags only grow below twelve, and a new one is never lost at the cap"),
    Promise("B44", "related files that exist are kept; existence is judged from the project's root"),
    Promise("B45", "delete retires; an over-long reason is cut and poisons nothing"),
    Promise("B46", "archive from active only, unarchive from archived only, each with a change entry"),
    Promise("B47", "absolute and relative targets are the same file; a retired memory is never listed"),
    Promise("B48", "the lock folder is honoured, a stale one broken, and nobody writes without the lock"),
    Promise("B49", "drafts come from /tmp or the runtime folder, without .. components"),
    Promise("B50", "the root is found from the target; traversal is refused"),
    Promise("B51", "slugs are ASCII, hyphenated, at most 80; a title without Latin letters still gets one"),
    Promise("B52", "the guard denies direct writes into the vault"),
    Promise("B53", "invalid files are quarantined after a tool wrote them"),
    Promise("B54", "hook replies as the real client reads them"),
    Promise("B55", "session summaries keep a rolling window and warn of unique content"),
    Promise("B56", "slash commands", CAPTURE),
    Promise("C1", "a log line is a bullet and one JSON record, in MEMORY.md and the daily file, UTC"),
    Promise("C2", "only well-formed records count; any other line is ignored and harms nothing"),
    Promise("C3", "a record goes to both files; reading is per session and hides secrets"),
    Promise("C4", "a checkpoint is left before compaction"),
    Promise("C5", "a scan names contradictions and old records"),
    Promise("C6", "MEMORY.md keeps a window of records; the newest one stays, an archive takes the rest"),
    Promise(
        "C7", "session start tells the long memory, the log, today and yesterday, in labelled sections, up to a cap"
    ),
    Promise("C8", "no secret record is told, no record twice, and the newest are kept when cut"),
    Promise("C9", "gateway RPC: the web page is later", UPKEEP),
    Promise("C10", "words are counted in 128 hashed buckets; similarity is their cosine; the newest 3,000 count"),
    Promise("C11", "recall writes nothing, and a large index is still there after a restart"),
    Promise("C12", "recall_memory: the entries most like a question, for the main and the heartbeat session"),
    Promise("C13", "remember_this: a note of the operator's own, for the user alone"),
    Promise("C14", "every turn is kept"),
    *each("C", range(15, 20), "compaction of old records into LONGMEMORY.md", UPKEEP),
    *each("C", range(20, 24), "experiences", UPKEEP),
    *each("C", (24, 25), "caches and timers, which a database makes needless", NEVER),
    Promise("D1", "memories, facts and journal in SQLite with FTS5"),
    Promise("D2", "six observation types and seven concepts are rows and values of the one model"),
    Promise("D3", "a memory without a title gets one from its text"),
    Promise("D4", "a score is .55 match, .20 recency, .15 importance and .10 trust; below .35 nothing is shown"),
    Promise("D5", "recency halves in 21 days since the last edit"),
    Promise("D6", "trust is earned by uses and age and shrinks with doubt"),
    Promise("D7", "at most eight words are looked for, their signs mean nothing, and rank counts"),
    Promise("D8", "words in the title count more than words in the text"),
    Promise("D9", "the same text again brings its metadata to the memory that is there"),
    Promise("D10", "what has expired is shown by no read, can be stored anew, and is erased when asked"),
    Promise("D11", "what an agent is shown counts as used, once per session"),
    Promise("D12", "beyond the cap the weakest observation gives way, never the one just written"),
    Promise("D13", "facts are triples with confidence; the same one again is refreshed"),
    Promise("D14", "every write is journalled, evictions, purges and facts too"),
    Promise("D15", "private and secret memories are shown only when asked for, unknown ones never"),
    Promise("D16", "fourteen operations, each with a result or a clear message"),
    Promise("D17", "old memories are summarised with everything that they say, and archived"),
    Promise("D18", "files and concepts are compared to the letter"),
    Promise("D19", "LetsGo's environment names the store and the journal"),
    *each("D", range(20, 37), "memorability, boundaries, capture", CAPTURE),
    Promise("D37", "scales end at 5 minutes, 30 minutes and 2 hours; 1+2+1+1 of them are told, the rest by rank"),
    Promise("D38", "a used memory reaches one scale further once its first window is over; a tag is its least"),
    Promise("D39", "scales respect sensitivity, the number of memories and the token budget"),
    *each("D", range(40, 45), "consolidation and compression", UPKEEP),
    Promise("D45", "at most five memories and 2,000 tokens; the first that does not fit ends it"),
    Promise("D46", "memories are told as elements with type, importance and age"),
    Promise("D47", "what reads as an order or a role is redacted, in titles too"),
    Promise("D48", "weights from the configuration count"),
    Promise("D49", "the order of handlers"),
)
