"""The SQL statements of `recall_source`. Import-light.

In all of them ?1 is the project and ?2 the time, unless a comment says otherwise. `{visible}` is the condition of the
scope; it binds its values after those of the statement, so it has to be its last part with values.
"""

from recollect.model.words import search_words
from recollect.store.hook_reader.columns import SELECTED

# The condition that every visible memory meets: active, of this project or global, not expired.
VISIBLE = "status = 'active' AND project IN (?1, 'global') AND (expires IS NULL OR expires > ?2)"
# Numbers of the visible memories that match the full-text query ?3, best first, among the first ?4 hits of the index.
# Sorted by the expression: `rank` would sort every match before the first is cut. Rows are fetched by their numbers:
# by its statistics-free guess SQLite would rather walk through a whole project.
BY_WORDS = f"""
SELECT id FROM (
    SELECT rowid AS found, {search_words.POINTS} AS points FROM memory_words
    WHERE memory_words MATCH ?3 ORDER BY points LIMIT ?4
) CROSS JOIN memories NOT INDEXED ON id = found WHERE {{visible}} ORDER BY points LIMIT {{number}}
"""
# The number of hits of a full-text query, counted up to a limit; binds the query and the limit.
HITS = "SELECT count(*) FROM (SELECT 1 FROM memory_words WHERE memory_words MATCH ? LIMIT ?)"
# The rows of WordMatch for a full-text query ?3, best first, among the first ?4 hits of the index.
WORD_MATCHES = f"""
SELECT id, -points, title, text || ' ' || cue, updated, importance, hits, image ->> '$.confidence', created
FROM (
    SELECT rowid AS found, {search_words.POINTS} AS points FROM memory_words
    WHERE memory_words MATCH ?3 ORDER BY points LIMIT ?4
) JOIN memories ON id = found WHERE {{visible}} ORDER BY points LIMIT {{number}}
"""
# An expression: the cosine of a memory's vector and the vector in the braces, as hex; NULL without a vector.
SIMILARITY = "CASE WHEN vector IS NOT NULL THEN 1 - vec_distance_cosine(vec_int8(vector), vec_int8(x'{}')) END"
# The rows of CandidateRow for a list of numbers, with evidence of the model ?3.
CANDIDATES = """
SELECT memories.id, session, created, actor, terms, named, says, places, {similarity},
    (SELECT before.id FROM memories AS before WHERE before.session = memories.session
        AND (before.created, before.id) < (memories.created, memories.id)
        ORDER BY before.created DESC, before.id DESC LIMIT 1),
    importance, hits, updated,
    CASE WHEN terms IS NULL THEN title || char(10) || text || char(10) || tags || ' ' || cue || ' ' || parts END,
    kind, title
FROM memories NOT INDEXED LEFT JOIN evidence ON evidence.id = memories.id AND model = ?3
WHERE memories.id IN ({ids}) AND {visible}
"""
# For each number of a list, the memory that is `steps` + 1 before or after it in its session; NULL if there is none.
NEIGHBOURS = """
SELECT (SELECT id FROM memories AS other WHERE other.session = origin.session
    AND (other.created, other.id) {side} (origin.created, origin.id)
    ORDER BY other.created {order}, other.id {order} LIMIT 1 OFFSET {steps})
FROM memories AS origin WHERE origin.id IN ({ids})
"""
# The values of `side` and `order` in NEIGHBOURS: before and after.
SIDES = (("<", "DESC"), (">", "ASC"))
# The ?2 numbers of a list whose vectors of the model ?3 are nearest to the vector ?1.
# Whether a memory may be shown is asked of the few that are left: its row is long.
NEAREST_OF = """
SELECT id FROM evidence WHERE id IN ({ids}) AND vector IS NOT NULL AND model = ?3
ORDER BY vec_distance_cosine(vec_int8(vector), vec_int8(?1)) LIMIT ?2
"""
# The numbers of all visible memories, nearest to a vector first, by vectors of the model ?3.
NEAREST_IN_SCOPE = """
SELECT memories.id FROM memories CROSS JOIN evidence ON evidence.id = memories.id
WHERE vector IS NOT NULL AND model = ?3 AND {visible}
ORDER BY vec_distance_cosine(vec_int8(vector), vec_int8(x'{vector}')) LIMIT {number}
"""
# The numbers of the memories whose codes are nearest to a code; binds the project, the code and the limit.
NEAREST_CODES = """
SELECT id FROM codes WHERE project IN (?, 'global')
ORDER BY vec_distance_hamming(vec_bit(code), vec_bit(?)) LIMIT ?
"""
# The rows of TitleRow of the visible memories that meet a condition on `said`: title and tags in lower case.
# With the limit, SQLite puts what is searched together once for each memory, and not for each word.
TITLES = """
SELECT id, kind, title, tags, updated FROM (
    SELECT id, kind, title, tags, updated, lower(title) || char(10) || tags AS said FROM memories
    WHERE {visible} LIMIT -1
) WHERE {holding}
"""
# The rows of CountedRow of the newest visible memories.
# Numbers are sorted by the index alone, before a row is read.
NEWEST = """
SELECT memories.id, {similarity}, CASE WHEN NOT {is_kept} THEN text END
FROM (
    SELECT id AS late FROM memories WHERE project IN (?1, 'global') AND status = 'active' ORDER BY id DESC LIMIT {pool}
) JOIN memories ON memories.id = late LEFT JOIN evidence ON evidence.id = late WHERE {visible}
ORDER BY late DESC LIMIT {number}
"""
# A condition: the kept word counts of a memory are exact.
# A byte that is full may stand for more: then the text itself is counted.
HAS_COUNTS = "(hashed IS NOT NULL AND NOT instr(hashed, x'7f'))"
# An expression: the cosine of a memory's word counts and the counts in the braces, as hex; NULL without exact counts.
COUNTS_SIMILARITY = f"CASE WHEN {HAS_COUNTS} THEN 1 - vec_distance_cosine(vec_int8(hashed), vec_int8(x'{{}}')) END"
# Number and the columns of FoundMemory, for a list of numbers.
MEMORIES = (
    f"SELECT id, {SELECTED} FROM memories NOT INDEXED WHERE id IN ({{ids}}) AND json_valid(image) AND {{visible}}"
)
