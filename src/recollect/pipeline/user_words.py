"""Words of the user that no prompt event carries, read from the client's transcript at the end of a turn.

These are the words with which a tool call was rejected, and prompts that were queued and taken in the middle of a
turn. Each is kept as an event of its own under a key of the transcript's, so that it counts once however often the
transcript is read.
"""

from recollect import foreign_files
from recollect.formats import transcript
from recollect.model import clock, text
from recollect.model.session_event import SAID, SessionEvent
from recollect.pipeline.batch import Batch
from recollect.pipeline.inbox_event import InboxEvent
from recollect.policy.capture import turns
from recollect.policy.secrets import detector

MOST_WORDS = 200
"""At most that many rejections and queued prompts of a transcript are read."""


def keep_unsent_words(batch: Batch, event: InboxEvent) -> None:
    """Keep what the user said without a prompt event; each once (B5: only below the user's home and /tmp)."""
    real = foreign_files.transcript_path(event["transcript"])
    if not real:
        return
    try:
        data = foreign_files.read(real, most_bytes=foreign_files.TRANSCRIPT_BYTES, tail=True)
    except OSError:
        return
    for said in list(transcript.unsent_words(data.split(b"\n")))[-MOST_WORDS:]:
        key = f"{event.session}/{SAID}/{said.key}"
        if batch.context.store.sessions.is_drained(key) or key in batch.events:
            continue
        words = text.cut(detector.redact(turns.without_injected(said.text)), batch.context.config.capture.turn_chars)
        if words:
            at = min(clock.seconds(said.at) or event.at, event.at)
            batch.events[key] = SessionEvent(
                key=key, session=event.session, project=batch.context.project, at=at, name=SAID, turn=event["turn"],
                about=words,
            )  # fmt: skip
