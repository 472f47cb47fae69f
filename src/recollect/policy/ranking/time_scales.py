"""Time scales of memories by age, and how many memories of each are injected (D37-D39). Import-light."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.found_memory import FoundMemory

SCALES = ("immediate", "task", "session", "project")
WINDOWS = (300, 1_800, 7_200)
ALLOCATION = {"immediate": 1, "task": 2, "session": 1, "project": 1}


def scale(created: float | None, hits: int, tagged: str | None, now: float) -> str:
    """Return the scale of a memory: by age, a step up if it was used after the first window, never below its tag."""
    age = now - created if created is not None else float("inf")
    place = sum(age >= window for window in WINDOWS)
    if hits and place:  # D38: it proved durable
        place += 1
    if tagged in SCALES:
        place = max(place, SCALES.index(tagged))
    return SCALES[min(place, len(SCALES) - 1)]


def allocated(found: "list[FoundMemory]", most: int, now: float) -> "list[FoundMemory]":
    """Return at most `most` memories, best first: some of every scale, the rest by rank (D37)."""
    left = dict(ALLOCATION)
    chosen: list[FoundMemory] = []
    for memory in found:
        of_scale = scale(memory.created, memory.hits, memory.scale, now)
        if left[of_scale] and len(chosen) < most:
            left[of_scale] -= 1
            chosen.append(memory)
    rest = [memory for memory in found if memory not in chosen][: most - len(chosen)]
    return [memory for memory in found if memory in chosen or memory in rest]
