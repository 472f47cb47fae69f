"""SQL that finds memories by the name a person gives. Apart from the engine, so that `show` can use it alone."""

import re

UID_BEGINNING = re.compile(r"[0-9a-f]{6,24}")
RESOLVE = """
SELECT image, revision FROM memories
WHERE (?1 <> '' AND uid LIKE ?1 || '%')
   OR (slug = ?2 AND project IN (?4, 'global') AND (?3 = '' OR kind = ?3))
ORDER BY status, id
"""


def resolve_values(project: str, name: str) -> tuple[str, str, str, str]:
    """Return the values that RESOLVE binds for a name: an id or its beginning, a slug, or kind/slug."""
    kind, _, slug = name.rpartition("/")
    beginning = name.lower() if UID_BEGINNING.fullmatch(name.lower()) else ""
    return beginning, slug, kind, project
