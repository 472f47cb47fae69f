"""All verbs of this folder together."""

from recollect.library.browsing.figures import FigureVerbs
from recollect.library.browsing.glance import GlanceVerbs
from recollect.library.browsing.log_files import LogFileVerbs
from recollect.library.browsing.origins import OriginVerbs
from recollect.library.browsing.preview import PreviewVerbs
from recollect.library.browsing.session_steps import StepVerbs


class BrowsingVerbs(PreviewVerbs, OriginVerbs, StepVerbs, FigureVerbs, GlanceVerbs, LogFileVerbs):
    """Look around in an open project."""
