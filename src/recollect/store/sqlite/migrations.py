"""The schema as an ordered list of named migrations. `PRAGMA user_version` is the number of those applied."""

FIRST_SCHEMA = """
CREATE TABLE memories (
    id          INTEGER PRIMARY KEY,
    uid         TEXT NOT NULL UNIQUE,
    project     TEXT NOT NULL,
    kind        TEXT NOT NULL,
    slug        TEXT NOT NULL,
    status      TEXT NOT NULL,
    title       TEXT NOT NULL,
    text        TEXT NOT NULL,
    tags        TEXT NOT NULL,
    digest      TEXT NOT NULL,
    revision    TEXT NOT NULL,
    created     REAL,
    expires     REAL,
    image       TEXT NOT NULL,
    UNIQUE (project, kind, slug)
);
CREATE INDEX memories_by_digest ON memories (digest, project, status);
CREATE INDEX memories_by_status ON memories (project, status, kind);

CREATE VIRTUAL TABLE memory_words USING fts5(
    title, text, tags, content='memories', content_rowid='id', tokenize='porter unicode61'
);
CREATE TRIGGER memories_added AFTER INSERT ON memories BEGIN
    INSERT INTO memory_words(rowid, title, text, tags) VALUES (new.id, new.title, new.text, new.tags);
END;
CREATE TRIGGER memories_removed AFTER DELETE ON memories BEGIN
    INSERT INTO memory_words(memory_words, rowid, title, text, tags)
    VALUES ('delete', old.id, old.title, old.text, old.tags);
END;
CREATE TRIGGER memories_reworded AFTER UPDATE OF title, text, tags ON memories
WHEN old.title IS NOT new.title OR old.text IS NOT new.text OR old.tags IS NOT new.tags BEGIN
    INSERT INTO memory_words(memory_words, rowid, title, text, tags)
    VALUES ('delete', old.id, old.title, old.text, old.tags);
    INSERT INTO memory_words(rowid, title, text, tags) VALUES (new.id, new.title, new.text, new.tags);
END;

CREATE TABLE journal (
    seq      INTEGER PRIMARY KEY AUTOINCREMENT,
    grp      TEXT NOT NULL,
    at       TEXT NOT NULL,
    actor    TEXT NOT NULL,
    action   TEXT NOT NULL,
    uid      TEXT NOT NULL,
    project  TEXT NOT NULL,
    before   TEXT,
    after    TEXT,
    revision TEXT,
    reason   TEXT,
    undoes   TEXT,
    root     TEXT
);
CREATE INDEX journal_by_uid ON journal (uid, revision);

CREATE TABLE sightings (
    root     TEXT NOT NULL,
    path     TEXT NOT NULL,
    uid      TEXT NOT NULL,
    size     INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    seen_ns  INTEGER NOT NULL,
    digest   TEXT NOT NULL,
    position TEXT,
    presence TEXT NOT NULL,
    problem  TEXT,
    PRIMARY KEY (root, path)
) WITHOUT ROWID;
CREATE INDEX sightings_by_uid ON sightings (uid);

CREATE TABLE tombstones (
    project TEXT NOT NULL,
    digest  TEXT NOT NULL,
    at      TEXT NOT NULL,
    reason  TEXT NOT NULL,
    PRIMARY KEY (project, digest)
) WITHOUT ROWID;

CREATE TABLE checkouts (
    root    TEXT PRIMARY KEY,
    project TEXT NOT NULL,
    clone   TEXT NOT NULL,
    trusted INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE aliases (project TEXT PRIMARY KEY, stands_for TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO settings VALUES ('store_id', lower(hex(randomblob(8))));
"""

# Columns for what is filtered and ranked in SQL; tables for facts and uses.
FACTS_AND_RANKS = """
ALTER TABLE memories ADD COLUMN updated REAL;
ALTER TABLE memories ADD COLUMN importance REAL NOT NULL DEFAULT 0.5;
ALTER TABLE memories ADD COLUMN hits INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memories ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memories ADD COLUMN sensitivity TEXT NOT NULL DEFAULT 'public';
ALTER TABLE memories ADD COLUMN session TEXT;
UPDATE memories SET
    updated = unixepoch(image ->> '$.updated_at'), importance = coalesce(image ->> '$.importance', 0.5),
    hits = coalesce(image ->> '$.usage.hits', 0), pinned = coalesce(image ->> '$.usage.pinned', 0),
    sensitivity = coalesce(image ->> '$.sensitivity', 'public'), session = image ->> '$.session';
ALTER TABLE memories ADD COLUMN cue TEXT NOT NULL DEFAULT '';
UPDATE memories SET cue = coalesce(image ->> '$.cue', '') || ' ' || coalesce(image ->> '$.keywords', '');
DROP TRIGGER memories_added;
DROP TRIGGER memories_removed;
DROP TRIGGER memories_reworded;
DROP TABLE memory_words;
CREATE VIRTUAL TABLE memory_words USING fts5(
    title, text, tags, cue, content='memories', content_rowid='id', tokenize='porter unicode61'
);
INSERT INTO memory_words(memory_words) VALUES ('rebuild');
CREATE TRIGGER memories_added AFTER INSERT ON memories BEGIN
    INSERT INTO memory_words(rowid, title, text, tags, cue) VALUES (new.id, new.title, new.text, new.tags, new.cue);
END;
CREATE TRIGGER memories_removed AFTER DELETE ON memories BEGIN
    INSERT INTO memory_words(memory_words, rowid, title, text, tags, cue)
    VALUES ('delete', old.id, old.title, old.text, old.tags, old.cue);
END;
CREATE TRIGGER memories_reworded AFTER UPDATE OF title, text, tags, cue ON memories
WHEN old.title IS NOT new.title OR old.text IS NOT new.text OR old.tags IS NOT new.tags OR old.cue IS NOT new.cue
BEGIN
    INSERT INTO memory_words(memory_words, rowid, title, text, tags, cue)
    VALUES ('delete', old.id, old.title, old.text, old.tags, old.cue);
    INSERT INTO memory_words(rowid, title, text, tags, cue) VALUES (new.id, new.title, new.text, new.tags, new.cue);
END;
CREATE INDEX memories_by_session ON memories (session, created) WHERE session IS NOT NULL;
CREATE INDEX memories_by_expiry ON memories (project, status, kind) WHERE expires IS NOT NULL;

CREATE TABLE facts (
    uid        TEXT PRIMARY KEY,
    project    TEXT NOT NULL,
    subject    TEXT NOT NULL,
    predicate  TEXT NOT NULL,
    object     TEXT NOT NULL,
    confidence REAL NOT NULL,
    updated    REAL,
    image      TEXT NOT NULL,
    UNIQUE (project, subject, predicate, object)
);

CREATE TABLE accesses (
    uid     TEXT NOT NULL,
    session TEXT NOT NULL,
    at      TEXT NOT NULL,
    PRIMARY KEY (uid, session)
) WITHOUT ROWID;
"""

# What clients sent and were shown. Events have a key of their own, so that none is processed twice.
SESSIONS = """
CREATE TABLE sessions (
    id        TEXT PRIMARY KEY,
    project   TEXT NOT NULL,
    root      TEXT NOT NULL,
    client    TEXT NOT NULL,
    number    INTEGER NOT NULL DEFAULT 0,
    prompts   INTEGER NOT NULL DEFAULT 0,
    started   REAL NOT NULL,
    seen      REAL NOT NULL,
    compacted REAL NOT NULL DEFAULT 0,
    ended     REAL
) WITHOUT ROWID;
CREATE TABLE events (
    key            TEXT PRIMARY KEY,
    session        TEXT NOT NULL,
    project        TEXT NOT NULL,
    at             REAL NOT NULL,
    name           TEXT NOT NULL,
    turn           TEXT NOT NULL,
    tool           TEXT NOT NULL,
    about          TEXT NOT NULL,
    files_read     TEXT NOT NULL,
    files_modified TEXT NOT NULL,
    outcome        TEXT NOT NULL
);
CREATE INDEX events_by_session ON events (session, name, at);
CREATE INDEX events_by_time ON events (at);
CREATE TABLE receipts (
    id         TEXT PRIMARY KEY,
    at         REAL NOT NULL,
    session    TEXT NOT NULL,
    project    TEXT NOT NULL,
    event      TEXT NOT NULL,
    words      TEXT NOT NULL,
    shown      TEXT NOT NULL,
    candidates TEXT NOT NULL,
    tokens     INTEGER NOT NULL
);
CREATE INDEX receipts_by_session ON receipts (session, at);
CREATE INDEX receipts_by_time ON receipts (at);
DROP INDEX memories_by_status;
CREATE INDEX memories_by_status ON memories (project, status, kind, updated);
CREATE INDEX memories_pinned ON memories (project, status) WHERE pinned;
CREATE TABLE frequent_terms (term TEXT PRIMARY KEY, holding INTEGER NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE memory_terms USING fts5vocab(memory_words, row);
"""

# The search index. Triggers delete what was derived from a memory as soon as its text changes.
RECALL = """
ALTER TABLE memories ADD COLUMN actor TEXT NOT NULL DEFAULT '';
ALTER TABLE memories ADD COLUMN day TEXT NOT NULL DEFAULT '';
ALTER TABLE memories ADD COLUMN parts TEXT NOT NULL DEFAULT '';
ALTER TABLE receipts ADD COLUMN state TEXT NOT NULL DEFAULT '';
ALTER TABLE receipts ADD COLUMN profile TEXT NOT NULL DEFAULT '';
CREATE INDEX memories_by_actor ON memories (project, actor) WHERE actor <> '';
DROP TRIGGER memories_added;
DROP TRIGGER memories_removed;
DROP TRIGGER memories_reworded;
DROP TABLE memory_terms;
DROP TABLE memory_words;
CREATE VIRTUAL TABLE memory_words USING fts5(
    title, text, tags, cue, actor, day, parts, content='memories', content_rowid='id', tokenize='porter unicode61'
);
INSERT INTO memory_words(memory_words) VALUES ('rebuild');
CREATE VIRTUAL TABLE memory_terms USING fts5vocab(memory_words, row);

CREATE TABLE evidence (
    id     INTEGER PRIMARY KEY,
    model  TEXT NOT NULL,
    terms  BLOB NOT NULL,
    named  INTEGER NOT NULL,
    says   INTEGER NOT NULL,
    places BLOB NOT NULL,
    hashed BLOB,
    vector BLOB
);
CREATE TABLE codes (project TEXT, id INTEGER, code BLOB, PRIMARY KEY (project, id)) WITHOUT ROWID;
CREATE TABLE words (
    key    INTEGER PRIMARY KEY,
    model  TEXT NOT NULL,
    held   INTEGER NOT NULL,
    common INTEGER NOT NULL,
    vector BLOB NOT NULL,
    near   BLOB NOT NULL
);

CREATE TRIGGER memories_added AFTER INSERT ON memories BEGIN
    INSERT INTO memory_words(rowid, title, text, tags, cue, actor, day, parts)
    VALUES (new.id, new.title, new.text, new.tags, new.cue, new.actor, new.day, new.parts);
END;
CREATE TRIGGER memories_removed AFTER DELETE ON memories BEGIN
    INSERT INTO memory_words(memory_words, rowid, title, text, tags, cue, actor, day, parts)
    VALUES ('delete', old.id, old.title, old.text, old.tags, old.cue, old.actor, old.day, old.parts);
    DELETE FROM evidence WHERE id = old.id;
    DELETE FROM codes WHERE project = old.project AND id = old.id;
END;
CREATE TRIGGER memories_reworded AFTER UPDATE OF title, text, tags, cue, actor, day, parts ON memories
WHEN (old.title, old.text, old.tags, old.cue, old.actor, old.day, old.parts)
    IS NOT (new.title, new.text, new.tags, new.cue, new.actor, new.day, new.parts)
BEGIN
    INSERT INTO memory_words(memory_words, rowid, title, text, tags, cue, actor, day, parts)
    VALUES ('delete', old.id, old.title, old.text, old.tags, old.cue, old.actor, old.day, old.parts);
    INSERT INTO memory_words(rowid, title, text, tags, cue, actor, day, parts)
    VALUES (new.id, new.title, new.text, new.tags, new.cue, new.actor, new.day, new.parts);
    DELETE FROM evidence WHERE id = old.id;
    DELETE FROM codes WHERE project = old.project AND id = old.id;
END;
CREATE TRIGGER memories_moved AFTER UPDATE OF project, status ON memories
WHEN old.project IS NOT new.project OR (new.status IS NOT 'active' AND old.status IS NOT new.status) BEGIN
    DELETE FROM evidence WHERE id = old.id;
    DELETE FROM codes WHERE project = old.project AND id = old.id;
END;
"""

# The parts of an event that session capture reads, and the memory that the event became part of.
STORY = """
ALTER TABLE events ADD COLUMN doing TEXT NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN detail TEXT NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN memory TEXT NOT NULL DEFAULT '';
"""

# The commits with which clones of a project were seen: they prove which project a clone is.
PROVEN_CLONES = """
ALTER TABLE checkouts ADD COLUMN root_commit TEXT NOT NULL DEFAULT '';
ALTER TABLE checkouts ADD COLUMN made_here INTEGER NOT NULL DEFAULT 0;
ALTER TABLE checkouts ADD COLUMN unproven TEXT NOT NULL DEFAULT '';
ALTER TABLE checkouts ADD COLUMN vault_off INTEGER NOT NULL DEFAULT 0;
CREATE TABLE project_commits (
    project   TEXT NOT NULL,
    commit_id TEXT NOT NULL,
    is_root   INTEGER NOT NULL,
    seen      INTEGER NOT NULL,
    PRIMARY KEY (project, commit_id)
) WITHOUT ROWID;
"""

# Memories that name an older one, and memories that a person kept or dropped: there are few.
# A damaged image is no reason to fail, so it is looked into only where it is JSON.
LINKS = """
CREATE INDEX memories_linked ON memories (project, status) WHERE json_valid(image) AND image ->> '$.links' IS NOT NULL;
CREATE INDEX memories_taught ON memories (project)
WHERE json_valid(image) AND (image ->> '$.closed_reason' = 'dropped' OR image ->> '$.confidence' = 0.95);
"""

# What the remote of a checkout said when it was last met; NULL where nobody looked yet.
REMOTES = """
ALTER TABLE checkouts ADD COLUMN remote TEXT;
CREATE INDEX aliases_of ON aliases (stands_for);
"""

# Which uses weighing has counted already; those from before there was weighing count as counted.
WEIGHED_USES = """
ALTER TABLE accesses ADD COLUMN weighed INTEGER NOT NULL DEFAULT 1;
CREATE INDEX accesses_unweighed ON accesses (uid) WHERE weighed = 0;
"""

# Does the code that a memory names still exist? The worker renews the rows; a memory that is reworded loses its own.
VERDICTS = """
CREATE TABLE verdicts (
    id       INTEGER PRIMARY KEY,
    state    TEXT NOT NULL,
    says     TEXT NOT NULL,
    doubts   TEXT NOT NULL,
    findings TEXT NOT NULL,
    branch   TEXT NOT NULL,
    head     TEXT NOT NULL,
    root     TEXT NOT NULL,
    at       REAL NOT NULL
);
CREATE TRIGGER verdicts_reworded AFTER UPDATE OF title, text, project ON memories
WHEN (old.title, old.text, old.project) IS NOT (new.title, new.text, new.project) BEGIN
    DELETE FROM verdicts WHERE id = old.id;
END;
CREATE TRIGGER verdicts_removed AFTER DELETE ON memories BEGIN
    DELETE FROM verdicts WHERE id = old.id;
END;
"""

# A page of `recollect list` and the counts of `recollect status` are read from this index alone: rows are long.
LISTING = """
DROP INDEX memories_by_status;
CREATE INDEX memories_by_status ON memories (project, status, kind, updated, created, expires);
"""

# How long the hook took that left a receipt, in milliseconds; 0 where it did not say.
HOOK_TIMES = """
ALTER TABLE receipts ADD COLUMN ms INTEGER NOT NULL DEFAULT 0;
"""

# The short ids that lists and answers show: without it each of them would look at every uid.
SHORT_IDS = """
CREATE INDEX memories_by_short_id ON memories (substr(uid, -8));
"""

Migration = tuple[str, str]
ASKED_WORDS = """
ALTER TABLE words ADD COLUMN asked BLOB NOT NULL DEFAULT x'';
DELETE FROM settings WHERE name IN ('recall:direction', 'recall:made_for');
"""

MIGRATIONS: tuple[Migration, ...] = (
    ("0001 first schema", FIRST_SCHEMA),
    ("0002 facts, uses, ranks", FACTS_AND_RANKS),
    ("0003 sessions, events, receipts", SESSIONS),
    ("0004 what recall compares", RECALL),
    ("0005 what a session's story is read from", STORY),
    ("0006 how a clone proves its project", PROVEN_CLONES),
    ("0007 links between memories, and what people taught", LINKS),
    ("0008 the remotes of checkouts", REMOTES),
    ("0009 which uses were weighed", WEIGHED_USES),
    ("0010 verdicts on memories that name code", VERDICTS),
    ("0011 an index that a list is read from", LISTING),
    ("0012 how long hooks took", HOOK_TIMES),
    ("0013 an index of short ids", SHORT_IDS),
    ("0014 what words mean in a prompt", ASKED_WORDS),
)
