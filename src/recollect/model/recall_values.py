"""Values that recall and the store exchange. Import-light, because hooks use them."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from recollect.model.query import Query

PROFILES = ("hybrid", "keyword", "scored", "hashed")
"""The ranking profiles that have a module in `recall/`; the setting `recall.profile` also accepts `judged`."""
JUDGED = "judged"
"""A profile that ranks as `hybrid` until a judge is configured."""
SHOWN_SENSITIVITIES = ("public", "operational", "personal")
"""D15: a memory of another sensitivity is found only where its sensitivity is asked for by name."""
UNSTATED_REASONS = {"user": "stated by the user", "assistant": "stated by the agent"}
"""The reason of a statement that came without one, by who said it. It is never shown."""
VERBATIM_KINDS = frozenset(["turn_summary", "session_summary", "compaction", "compressed_summary", "heartbeat"])
"""Kinds that repeat what was said; nobody decided that it should last."""
EXPERIENCE = "experience"
"""The kind of past situations, which repeat a turn or a note."""
DESCRIBED = "recall.descriptions."
"""Prefix of the settings that describe kinds by words (B22)."""


class RecallScope:
    """Which memories a recall may return: active, unexpired ones of a project that also pass the filters."""

    __slots__ = ("branch", "filters", "kinds", "now", "project", "sensitivities")

    def __init__(
        self, project: str, now: float, *, kinds: tuple[str, ...] = (), filters: "Query | None" = None,
        sensitivities: tuple[str, ...] = SHOWN_SENSITIVITIES, branch: str | None = None,
    ) -> None:  # fmt: skip
        self.branch = branch
        """The branch that is checked out, whose verdicts count; empty for none, None where all count."""
        self.project, self.now, self.kinds, self.sensitivities = project, now, kinds, sensitivities
        self.filters = filters
        """More conditions, as a listing has them; None where nothing else is asked for."""

    @property
    def is_narrow(self) -> bool:
        """Whether more is asked for than the project: the first hits of an index may then all be left out."""
        return bool(self.kinds or self.filters or self.sensitivities != SHOWN_SENSITIVITIES)


class CandidateRow:
    """What the store keeps of one memory for the comparison with a question."""

    __slots__ = (
        "actor", "created", "flags", "hits", "id", "importance", "keys", "kind", "named", "places", "previous",
        "session", "similarity", "text", "title", "updated",
    )  # fmt: skip

    def __init__(self, row: "tuple[Any, ...]") -> None:
        self.id, self.session, self.created, self.actor, keys, named, flags, places = row[:8]
        self.keys = memoryview(keys).cast("I") if keys is not None else None
        """The keys of its words, those that name it first; None where the worker has not indexed it yet."""
        self.named = named or 0
        """How many of the keys are of its title, tags and cue."""
        self.flags = flags or 0
        """Bits: see `policy.ranking.fusion.HAS_TIME` and its neighbours."""
        self.places = memoryview(places).cast("I") if places else ()
        """The keys of its files."""
        self.similarity, self.previous, self.importance, self.hits, self.updated, self.text = row[8:14]
        self.kind, self.title = row[14:]


class WordMatch:
    """A memory that holds words of the question, with what the scored ranking weighs."""

    __slots__ = ("confidence", "created", "hits", "id", "importance", "points", "text", "title", "updated")

    def __init__(self, row: "tuple[Any, ...]") -> None:
        self.id, self.points, self.title, self.text, self.updated, self.importance = row[:6]
        self.hits, self.confidence, self.created = row[6:]


class TitleRow:
    """A memory as an index lists it."""

    __slots__ = ("id", "kind", "tags", "title", "updated")

    def __init__(self, row: "tuple[Any, ...]") -> None:
        self.id, self.kind, self.title, tags, self.updated = row
        self.tags = tags.split("\n")


class CountedRow:
    """A memory beside hashed word counts: how similar they are, or its text where no counts are kept of it."""

    __slots__ = ("id", "similarity", "text")

    def __init__(self, row: "tuple[Any, ...]") -> None:
        self.id, self.similarity, self.text = row
