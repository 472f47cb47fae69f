"""The memory tool's operations on the whole store: purge_expired, summarize_old."""

from recollect.interop import summarize
from recollect.interop.memory_tool.output import Output
from recollect.jobs import expiry
from recollect.policy.memories import requests
from recollect.project_context import ProjectContext


def purge_expired(context: ProjectContext, request: requests.PurgeExpired) -> Output:
    """Erase the expired memories of a project; return their number."""
    return {"purged": expiry.expire(context, request.project or context.project)}


def summarize_old(context: ProjectContext, request: requests.SummarizeOld, *, users_too: bool = True) -> Output:
    """Merge old memories into summaries; return the three counters of D17. Without `users_too`, not the user's."""
    project = request.project or context.project
    done = summarize.summarize_old(context, request.days, project, users_too=users_too)
    return {
        "categories_summarized": done.categories,
        "memories_summarized": done.memories,
        "summaries_created": done.summaries,
    }
