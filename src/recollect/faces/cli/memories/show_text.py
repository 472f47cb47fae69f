"""How `recollect show` prints a memory: its text first, then where it comes from and what it is linked to."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from recollect.faces.cli import columns, output
from recollect.lazy import load
from recollect.library.fast.fast_show import ShownMemory
from recollect.model.age import age, ago
from recollect.model.rows.listed_memory import LinkedMemory
from recollect.policy.memories.differences import content_lines
from recollect.project.project_rule import short_commit

if TYPE_CHECKING:
    from recollect.policy.scopes.scope import Scope

MOST_EVIDENCE = 6
RULES = ("preference", "constraint", "runbook")
"""Kinds that apply to something: files, commands, activities."""
MAIN = ("text", "decision", "value", "rule", "description", "trigger", "goal")
"""The main field of each kind (`model/kinds.py` names it as `lead`)."""
LABELS = ("status", "strength", "severity", "priority", "outcome", "kind", "active")
"""Fields of contents whose values are one of a few words."""
SAID_BY = {
    "user": "you", "assistant": "the agent", "tool": "a tool", "web": "the web", "import": "an import",
    "quoted": "somebody else, passed on by you",
}  # fmt: skip
RELATIONS = {
    ("replaces", False): "replaces",
    ("replaces", True): "replaced by",
    ("may_replace", False): "may replace",
    ("may_replace", True): "may be replaced by",
    ("exception_to", False): "exception to",
    ("exception_to", True): "has exception",
}


def print_memory(shown: ShownMemory) -> None:
    """Print one memory in full."""
    image, width = shown.image, output.text_width()
    click.echo(click.style(columns.wrapped(output.visible(image["title"]), width), bold=True))
    click.echo(_summary(shown))
    says = content_text(image["content"], image["title"], width)
    click.echo(f"\n{says}\n" if says else "")
    output.print_pairs(_verdict(shown) | _origin(shown))
    for link in shown.links:
        print_link(link)


def _summary(shown: ShownMemory) -> str:
    """Return the line below the title: kind, age, what is unusual, and the short id."""
    image = shown.image
    status = image.get("status", "active")
    marks = [
        status if status != "active" else "",
        "pending" if "pending" in image.get("tags", ()) else "",
        "pinned" if image.get("usage", {}).get("pinned") else "",
    ]
    kind = click.style(image["kind"], fg=output.kind_colour(image["kind"]))
    words = [click.style(mark, fg=output.MARK_COLOURS.get(mark)) for mark in marks if mark]
    old = age(_seconds(image["created_at"]), shown.now)
    return "  ".join([kind, click.style(old, dim=True), *words, click.style(shown.id, dim=True)])


def _seconds(stamp: str) -> float | None:
    try:
        return datetime.fromisoformat(stamp).timestamp()
    except ValueError:
        return None


def _origin(shown: ShownMemory) -> dict[str, str]:
    """Return where a memory comes from and what it applies to, as labels and values; empty values are not printed."""
    image = shown.image
    reason, confidence = image.get("closed_reason"), image.get("confidence")
    sensitivity = image.get("sensitivity", "public")
    return {
        "said by": _said_by(image),
        "session": image.get("session") or "",
        "status": image.get("status", "active") + (f": {reason}" if reason else ""),
        "marked": _labels(image["content"]),
        "applies to": _applies_in_words(image),
        "tags": ", ".join(tag for tag in image.get("tags", ()) if tag != "untagged"),
        "files": ", ".join(anchor["path"] for anchor in image.get("anchors", ())),
        "sensitivity": "" if sensitivity == "public" else sensitivity,
        "confidence": "" if confidence is None else str(confidence),
        "project": short_commit(image.get("project", "global")),
        "branch": image.get("branch") or "",
        "created": image["created_at"],
        "updated": _updated(image),
        "expires": "" if image.get("usage", {}).get("pinned") else image.get("expires_at") or "",
        "file": shown.path or "none; in the store only",
        "id": image["uid"],
        "revision": shown.revision,
    }


def _verdict(shown: ShownMemory) -> dict[str, str]:
    """Return the verdict on the code that a memory names, its evidence, and where it was found."""
    if shown.checked is None:
        return {}
    verdict, branch, head, at = shown.checked
    findings = [finding for finding in verdict.findings if finding.state == verdict.state] or list(verdict.findings)
    evidence = "; ".join([*verdict.doubts, *(finding.says for finding in findings[:MOST_EVIDENCE])])
    where = f"on {branch}" if branch != head else "with HEAD detached"
    elsewhere = "" if branch == shown.branch else f"; {shown.branch or 'this folder'} was not checked"
    checked = f"{ago(at, shown.now)} {where} at {head[:7]}{elsewhere}" if head else ago(at, shown.now)
    return {"verdict": f"{verdict.state}: {evidence}" if evidence else verdict.state, "checked": checked}


def _said_by(image: Mapping[str, Any]) -> str:
    """Return who said it, and which client and rule captured it."""
    who = SAID_BY.get(image.get("origin", "user"), "")
    client, _, rule = (image.get("channel") or "").partition(":")
    captured = f"; captured by {client}, rule {rule}" if rule else f"; through {client}" if client else ""
    return who + captured


def _updated(image: Mapping[str, Any]) -> str:
    revised = int(image.get("times_revised", 0))
    if image["updated_at"] == image["created_at"] and not revised:
        return ""
    return f"{image['updated_at']} ({output.number(revised, 'revision')})"


def applies_to(image: Mapping[str, Any]) -> str:
    """Return the activities, commands and files that a rule applies to as `edit --applies-when` takes them.

    Empty for other memories.
    """
    found = _scope(image)
    return str(found) if found else ""


def _applies_in_words(image: Mapping[str, Any]) -> str:
    """Return what a rule applies to for people, with a word for what each thing is; empty if nothing is known."""
    found = _scope(image)
    if not found:
        return ""
    parts = {"": found.activities, "commands: ": found.commands, "files: ": found.files}
    return "; ".join(f"{label}{', '.join(things)}" for label, things in parts.items() if things)


def _scope(image: Mapping[str, Any]) -> "Scope | None":
    """Return what a rule applies to; None for memories of other kinds."""
    if image["kind"] not in RULES:
        return None
    content = image["content"]
    says = content.get("value") or content.get("rule") or content.get("trigger") or content.get("text") or ""
    scope = load("recollect.policy.scopes.scope")  # its word lists take long to load
    found: Scope = scope.scope_of(image["kind"], f"{image['title']}. {says}", cue=image.get("cue", ""))
    return found


def content_text(fields: Mapping[str, Any], title: str, width: int | None) -> str:
    """Return what a memory's content says beside its title, wrapped at a width; empty if the title says it all.

    The main field comes first and without its name. Fields that say the same again, and labels, are left out.
    """
    main = next((name for name in MAIN if fields.get(name)), "")
    known = {title, str(fields.get(main))}
    text = str(fields.get(main) or "")
    parts = [columns.wrapped(output.body(text), width)] if text and text != title else []
    for name, value in fields.items():
        lines = content_lines(value) if value and name not in (main, *LABELS) and str(value) not in known else []
        if lines:
            wrapped = [columns.wrapped(output.body(line), width, "  ") for line in lines]
            parts += [click.style(name.replace("_", " "), bold=True), *wrapped]
    return "\n".join(parts)


def _labels(fields: Mapping[str, Any]) -> str:
    """Return the fields whose values are labels, such as the strength of a preference."""
    return ", ".join(f"{name} {fields[name]}" for name in LABELS if isinstance(fields.get(name), str))


def print_link(link: LinkedMemory) -> None:
    """Print how a memory is linked to another one, with the other's short id and title."""
    label = RELATIONS.get((link.relation, link.is_newer), link.relation)
    closed = f" ({link.status})" if link.status != "active" else ""
    label = label.ljust(output.LABEL_WIDTH - columns.GAP)
    head = f"{label}  {link.id}  "
    title = output.visible(link.title) + closed
    width = output.width()
    shown = title if width is None else columns.cut(title, width - len(head))
    click.echo(f"{click.style(label, fg='cyan')}  {click.style(link.id, dim=True)}  {shown}")


def links_json(links: Sequence[LinkedMemory]) -> list[dict[str, Any]]:
    """Return links for `--json`, each with its relation in words."""
    return [
        {"relation": RELATIONS.get((link.relation, link.is_newer), link.relation), "uid": link.uid, "title": link.title,
         "status": link.status}
        for link in links
    ]  # fmt: skip
