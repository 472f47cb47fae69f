"""SQL that finds memories by the name a person gives. Apart from the engine, so that `show` can use it alone."""

import re

PART_OF_UID = re.compile(r"[0-9a-f]{6,24}")
RESOLVE = """
SELECT image, revision FROM memories
WHERE (?1 <> '' AND (uid LIKE ?1 || '%' OR uid LIKE '%' || ?1))
   OR (slug = ?2 AND project IN (?4, 'global') AND (?3 = '' OR kind = ?3))
ORDER BY status, id
"""


def resolve_values(project: str, name: str) -> tuple[str, str, str, str]:
    """Return the values that RESOLVE binds for a name: an id, its beginning or end, a slug, or kind/slug."""
    kind, _, slug = name.rpartition("/")
    part = name.lower() if PART_OF_UID.fullmatch(name.lower()) else ""
    return part, slug, kind, project
