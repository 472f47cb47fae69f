"""Erase a memory for ever: file, row, journal images, mirror and backups. Only hashes of its texts stay."""

from recollect import foreign_files
from recollect.model import text
from recollect.model.change import Purge
from recollect.model.memory import Memory, from_json
from recollect.project_context import ProjectContext
from recollect.store import journal_mirror
from recollect.store.protocols import Entry
from recollect.vault.files import Writing
from recollect.write import commit
from recollect.write.journal_rebuild import ERASED
from recollect.write.outcome import Outcome

OLD_MIRROR_BYTES = 1_000_000_000


def purge_forever(context: ProjectContext, memory: Memory, reason: str) -> Outcome:
    """Purge a memory and erase its images; the journal keeps a hash of each text, which no import may bring back."""
    images = context.store.images(memory.uid) | {memory.image}
    digests = sorted({from_json(image, context.kinds).digest for image in images})

    def erase() -> None:
        context.store.erase(memory.uid)
        context.store.record(_tombstone(context, memory, digest) for digest in digests)

    outcome = commit.commit(context, [Purge(memory.uid, reason)], also=erase)[0]
    context.store.settle()
    journal_mirror.write_anew(context.store, context.journal)
    for path in journal_mirror.old_mirrors(context.journal):
        data = foreign_files.read(str(path), most_bytes=OLD_MIRROR_BYTES)
        with Writing(path.parent) as writing:
            writing.write(path.name, journal_mirror.without_memory(data, memory.uid))
    context.store.erase_in_copies(memory.uid)
    return outcome


def _tombstone(context: ProjectContext, memory: Memory, digest: str) -> Entry:
    """Return the journal entry from which a rebuild knows that a text must not come back."""
    return Entry(
        group=text.new_uid(context.clock()),
        at=context.stamp(),
        actor=context.actor,
        action=ERASED,
        uid=memory.uid,
        project=memory.project,
        before=None,
        after=None,
        revision=digest,
        reason="erased",
        root=context.root,
    )
