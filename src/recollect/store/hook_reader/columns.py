"""The columns of a found memory in SQL, and the sensitivities that may be shown. Import-light."""

from recollect.model.recall_values import SHOWN_SENSITIVITIES

# Field of `model.found_memory.FoundMemory` and its SQL expression, in the order of `found_memory.COLUMNS`.
FIELDS = (
    ("uid", "uid"),
    ("kind", "kind"),
    ("slug", "slug"),
    ("title", "title"),
    ("text", "text"),
    ("tags", "tags"),
    ("cue", "cue"),
    ("importance", "importance"),
    ("hits", "hits"),
    ("pinned", "pinned"),
    ("created", "created"),
    ("updated", "updated"),
    ("session", "session"),
    ("project", "project"),
    ("origin", "coalesce(image->>'$.origin', 'user')"),
    ("confidence", "image->>'$.confidence'"),
    ("branch", "image->>'$.branch'"),
    ("scale", "image->>'$.scale'"),
)
SELECTED = ", ".join([expression for _, expression in FIELDS])
"""The columns of a SELECT whose rows make a FoundMemory."""
IS_SHOWN_SENSITIVITY = "sensitivity IN ('" + "', '".join(SHOWN_SENSITIVITIES) + "')"
"""The condition that a memory's sensitivity may be shown without being asked for by name (D15)."""
