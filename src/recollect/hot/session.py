"""What hooks keep of a session themselves: its ledger."""

from recollect.hot import ledger
from recollect.hot.event import Event, Reply

STARTS_ANEW = ("clear", "compact")


def reset_ledger(event: Event, _: Reply) -> None:
    """A44: on resume what was recalled may be recalled again; the model still has what it was told at the start."""
    source = event.read().fields["source"]
    if source in ("resume", *STARTS_ANEW):
        ledger.reset(event.home, event.session, keep_start=source == "resume")


def cleanup(event: Event, _: Reply) -> None:
    """A44: a session that ended leaves no ledger behind."""
    ledger.remove(event.home, event.read().session)
