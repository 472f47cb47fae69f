"""Which project a repository that was never met says it is, and whether that is proven. Import-light.

A remote's address in a folder is only a claim. It is proven by a commit: one that a clone of that project had here
before, whose content is really in this repository.
"""

from recollect.hooks.redaction import redact
from recollect.lazy import load
from recollect.project import remotes
from recollect.store.sqlite.names import CANONICAL, COMMITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

    from recollect.project.repository import Repository


def claimed_name(repository: "Repository") -> str:
    """Return the project that a repository's remote names, without user, tokens and query; empty without a remote."""
    name = remotes.normalise(repository.remote_url()) if repository.is_own else ""
    return redact(name.encode("utf-8", "replace")).decode("utf-8", "replace")


def find_project(db: "apsw.Connection", repository: "Repository") -> tuple[str, str]:
    """Return the known project that a repository belongs to, and the project that it only claims to be.

    At most one of them is not empty. A project that holds nothing yet is neither: the worker will make it.
    """
    claim = claimed_name(repository)
    history = load("recollect.project.history")
    first = "" if claim else history.first_commit(repository)
    name = claim or (f"root:{first}" if first else "")
    project = db.execute(CANONICAL, (name,)).get if name else None
    if project is None:
        return "", ""
    rows = db.execute(COMMITS, (project,)).fetchall()
    roots, others = [row[0] for row in rows if row[1]], [row[0] for row in rows if not row[1]]
    is_proven = bool(first) or history.is_clone_of(repository, roots, others)
    return (str(project), "") if is_proven else ("", claim)
