"""The screen Review: what was captured and waits for a decision, one after the other."""

from starlette.responses import Response

from recollect.faces.page.asking import Asking


async def show(asking: Asking) -> Response:
    """Return the queue, opened at the memory in the address or at its beginning."""
    items = await asking.run(lambda workspace: workspace.review())
    wanted = asking.value("at")
    place = next((number for number, item in enumerate(items) if item.memory.uid == wanted), 0)
    item = items[place] if items else None
    after = items[place + 1] if place + 1 < len(items) else None
    related = await asking.run(lambda workspace: workspace.related(item.memory.uid)) if item and not item.older else []
    return await asking.screen("review.html", items=items, item=item, place=place, after=after, related=related)
