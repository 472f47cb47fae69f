"""Record with a new memory how the files that it is about look now, for later checks."""

from recollect.model.memory import Anchor, Memory
from recollect.policy.verdicts.checkout_paths import bare, is_outside
from recollect.project import checkout_listing
from recollect.project_context import ProjectContext

MOST_ANCHORS = 24


def with_digests(context: ProjectContext, memory: Memory) -> Memory:
    """Return a memory whose anchors have the hashes of their files; a file that cannot be read gets none."""
    if not memory.anchors:
        return memory
    root = str(context.checkout.root)
    anchors = [_seen(anchor, root) for anchor in memory.anchors[:MOST_ANCHORS]]
    return memory.model_copy(update={"anchors": (*anchors, *memory.anchors[MOST_ANCHORS:])})


def _seen(anchor: Anchor, root: str) -> Anchor:
    path = bare(anchor.path, root)
    if anchor.digest or is_outside(path):
        return anchor
    return Anchor(path=anchor.path, digest=checkout_listing.digest(root, path) or None)
