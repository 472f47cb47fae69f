"""The script of a simulated year: which session happens when, what it learns, asks, takes back and renames.

Pure and seeded: the same seed gives the same year, so that two runs differ in upkeep alone.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

DAY_SECONDS = 86_400.0
PROJECTS = ("ferry", "parcels", "ledger")
"""The first project also gets the memories of the data set `coding`, and its prompts."""
SESSIONS_PER_DAY = 3
REPEATED, REWORDED = 0.3, 0.45
"""The shares of lessons that are learnt again in the same words, and in other words; the rest is new."""
REVERSED, RENAMED, PINNED = 0.03, 0.02, 0.02
"""The shares of sessions that take a decision back and rename a folder, and of memories that a person pins."""
FEWEST_TO_REVERSE = 5

# Words that a later session may exchange: the same lesson is met again elsewhere.
EXCHANGED = (
    ["staging", "production", "sandbox", "preview"],
    ["monday", "tuesday", "wednesday", "thursday", "friday"],
    ["orders", "invoices", "payments", "shipments", "refunds", "customers", "carriers"],
    ["unit", "integration", "contract", "smoke"],
)
_EXCHANGES = {word: group for group in EXCHANGED for word in group}
_WORD, _NUMBER, _FOLDER = re.compile(r"[A-Za-z]+"), re.compile(r"\d+"), re.compile(r"\b(?:src|app|lib|api|internal)/")
FOLDERS = ("src/", "app/", "lib/", "api/", "internal/", "core/", "server/", "services/")


@dataclass(frozen=True, slots=True)
class PlannedSession:
    """A session of the year."""

    name: str
    project: str
    at: float
    """When it starts, in seconds since the year began."""
    source: int
    """The number of the shipped session whose lessons it learns."""
    seed: int
    """Decides how its lessons are worded."""
    reverses: bool
    folder: str
    """The folder that paths begin with at this time; another one after a rename."""

    @property
    def day(self) -> int:
        """The day of the year, from 0."""
        return int(self.at // DAY_SECONDS)


@dataclass(slots=True)
class Folders:
    """The folder of each project's sources, which a rename changes."""

    rng: random.Random
    of: dict[str, str] = field(default_factory=dict)

    def current(self, project: str) -> str:
        """Return the folder of a project; now and then it is another one than before."""
        if project not in self.of or self.rng.random() < RENAMED:
            self.of[project] = self.rng.choice([name for name in FOLDERS if name != self.of.get(project)])
        return self.of[project]


def plan(seed: int, days: int, sources: int) -> Iterator[PlannedSession]:
    """Yield the sessions of a year in their order; each project keeps to a third of the shipped sessions."""
    rng = random.Random(seed)  # noqa: S311 - a script that can be repeated, not a secret
    folders = Folders(rng)
    for day in range(days):
        for number, second in enumerate(sorted(rng.uniform(8, 20) * 3_600 for _ in range(SESSIONS_PER_DAY))):
            place = rng.randrange(len(PROJECTS))
            own = range(place, sources, len(PROJECTS))
            yield PlannedSession(
                name=f"d{day:03d}-{number}",
                project=PROJECTS[place],
                at=day * DAY_SECONDS + second,
                source=own[min(int(rng.expovariate(4 / len(own))), len(own) - 1)],  # some work comes again and again
                seed=rng.randrange(2**31),
                reverses=rng.random() < REVERSED,
                folder=folders.current(PROJECTS[place]),
            )


def worded(text: str, session: PlannedSession, place: int) -> str:
    """Return a lesson as a session words it: as before, with other names and numbers, or about something new."""
    rng = random.Random(session.seed + place)  # noqa: S311
    text = _FOLDER.sub(session.folder, text)
    chance = rng.random()
    if chance < REPEATED:
        return text
    text = _NUMBER.sub(lambda found: str(rng.randrange(10 ** len(found[0]))), text)
    text = _WORD.sub(lambda found: _exchanged(found[0], rng), text)
    return text if chance < REPEATED + REWORDED else f"{text} {_new_sentence(rng)}"


def _exchanged(word: str, rng: random.Random) -> str:
    group = _EXCHANGES.get(word.lower())
    return rng.choice(group) if group else word


def _new_sentence(rng: random.Random) -> str:
    """Return a sentence that no other session says, in words of the trade."""
    part, doing = rng.choice(PARTS), rng.choice(DOINGS)
    return f"Here the {part} of the {rng.choice(EXCHANGED[2])} module {doing} after {rng.randrange(2, 90)} attempts."


PARTS: Sequence[str] = (
    "retry loop", "cache", "validator", "serializer", "migration", "cursor", "webhook", "queue consumer", "scheduler",
    "export", "importer", "rate limiter",
)  # fmt: skip
DOINGS: Sequence[str] = (
    "times out", "returns stale rows", "drops the last page", "locks the table", "ignores the header",
    "rounds the amount", "loses the time zone", "answers twice",
)  # fmt: skip
