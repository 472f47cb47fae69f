"""The review page: what was kept and told, beside the turn that it came from, to be labelled with keys.

One HTML file without any network. All text of sessions is escaped; labels are kept in the browser and downloaded as
the files that `--labels` reads.
"""

from html import escape

from recollect.evaluation.transcripts import labels, review_script
from recollect.evaluation.transcripts.labels import Expectation, Labelled, LabelledCapture, LabelledPrompt
from recollect.evaluation.transcripts.replay import PROMPT, Replayed, ReplayedSession, Told, Turn
from recollect.model import text

LONG_CHARS = 1_500
"""A longer prompt or answer is folded."""
MOST_CHARS = 20_000
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
HELP = (
    ("u t j d", "capture: useful, trivial, junk or wrong, duplicate"),
    ("k l", "capture: the kind is wrong, the title is bad"),
    ("h a i m", "told: helpful, harmless, irrelevant, misleading or stale"),
    ("y o x", "should be known: kept, partly, missed"),
    ("n p", "next, previous"),
    ("f", "only what is not labelled yet"),
    ("Backspace", "take the label back"),
)


def page(run: Replayed, labelled: Labelled) -> str:
    """Return the page as HTML."""
    sessions = "".join(_session(run, session, labelled) for session in run.sessions)
    keys = "".join(f"<dt><kbd>{escape(names)}</kbd></dt><dd>{escape(does)}</dd>" for names, does in HELP)
    digest = text.sha256(sessions)[:12]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>What was kept and told</title>'
        f"<style>{review_script.STYLE}</style></head>\n"
        f'<body data-run="{digest}"><header><h1>What was kept and told</h1><p id="state" role="status"></p>'
        f"<p>{_buttons()}</p><details><summary>Keys</summary><dl>{keys}</dl></details></header>\n"
        f"<main>{sessions}</main>\n<script>{review_script.SCRIPT}</script></body></html>\n"
    )


def _buttons() -> str:
    files = (labels.CAPTURES, labels.INJECTIONS, labels.SHOULD_BE_KNOWN)
    saves = "".join(f'<button type="button" data-file="{name}">Save {name}</button> ' for name in files)
    return f'{saves}<label><input type="checkbox" id="filter"> only what is not labelled yet</label>'


def _session(run: Replayed, session: ReplayedSession, labelled: Labelled) -> str:
    captures = [found for found in labelled.captures if found.memory.session == session.session]
    prompts = {id(found.told): found for found in labelled.prompts if found.session == session.session}
    turn_of = {id(found): session.turn_at(found.memory.created_at) for found in captures}
    turns = []
    for number, turn in enumerate(session.turns):
        items = [_told(prompts.get(id(told)), told) for told in session.told if told.context and told.number == number]
        items += [_capture(found) for found in captures if turn_of[id(found)] is turn]
        turns.append(_turn(turn, items))
    starts = [_told(None, told) for told in session.told if told.context and told.number < 0]
    homeless = [_capture(found) for found in captures if turn_of[id(found)] is None]
    digest = labels.captures_digest(run, session.session)
    known = [_expected(row, digest) for row in labelled.expected if row.session == session.session]
    title = f"{session.started[:16].replace('T', ' ')} · {session.client} · {session.session[:8]}"
    parts = [f"<h2>{escape(title)}</h2>", *starts, *turns, *homeless]
    parts += [f"<h3>Should be known after this session</h3>{''.join(known)}"] if known else []
    return f'<section id="s-{escape(session.session)}">{"".join(parts)}</section>\n'


def _turn(turn: Turn, items: list[str]) -> str:
    said = f"<h3>Asked</h3>{_folded(turn.prompt)}<h3>Answered</h3>{_folded(turn.answer or '(nothing)')}"
    beside = "".join(items) or '<p class="quiet">nothing kept, nothing told</p>'
    emptiness = "" if items else " empty"
    return f'<article class="turn{emptiness}"><div class="said">{said}</div><div class="items">{beside}</div></article>'


def _folded(said: str) -> str:
    whole = f"<pre>{escape(said[:MOST_CHARS])}</pre>"
    if len(said) <= LONG_CHARS:
        return whole
    return f"<details><summary><pre>{escape(said[:LONG_CHARS])} …</pre></summary>{whole}</details>"


def _item(item_type: str, body: str, /, **data: object) -> str:
    attributes = "".join(f' data-{name.replace("_", "-")}="{escape(_spelled(value))}"' for name, value in data.items())
    return f'<div class="item {item_type}" data-type="{item_type}"{attributes}>{body}<p class="label"></p></div>'


def _spelled(value: object) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _capture(found: LabelledCapture) -> str:
    memory, label = found.memory, found.label or {}
    rule = (memory.channel or "").partition(":")[2]
    sure = f"{memory.confidence:.2f}" if memory.confidence is not None else ""
    # Neither the rule nor its confidence is shown: labels are to be blind to them.
    head = f"<p><b>{escape(memory.kind)}</b></p><h4>{escape(memory.title)}</h4>"
    return _item(
        "capture", f"{head}<pre>{escape(memory.text[:MOST_CHARS])}</pre>",
        session=memory.session, kind=memory.kind, rule=rule, confidence=sure, title=memory.title,
        label=label.get("label"), kind_right=label.get("kind_right"), title_good=label.get("title_good"),
    )  # fmt: skip


def _told(found: LabelledPrompt | None, told: Told) -> str:
    """Return what was told; only what came with a prompt is labelled."""
    head = f"<p><b>told</b> {escape(told.event)}, {told.tokens:.0f} tokens</p>"
    about = f"<h4>{escape(text.cut(text.first_line(told.about), 200))}</h4>" if told.event != PROMPT else ""
    body = f"{head}{about}<pre>{escape(told.context[:MOST_CHARS])}</pre>"
    if found is None:
        return f'<div class="seen">{body}</div>'
    label = (found.label or {}).get("injection")
    return _item(
        "told", body, session=found.session, prompt=text.cut(told.about, 200), told=labels.told_digest(told),
        label=label, tokens=round(told.tokens),
    )  # fmt: skip


def _expected(row: Expectation, digest: str) -> str:
    body = f"<p>{escape(row.statement)}</p>"
    return _item(
        "expected", body, session=row.session, statement=row.statement, captures=digest, label=row.recall or None
    )
