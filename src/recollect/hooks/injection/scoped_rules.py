"""Tell the rules that apply to what a prompt asks for or a tool call does, though they share no word. Import-light."""

import os

from recollect.hooks import ledger
from recollect.hooks.event import Event, Reply
from recollect.hooks.injection import rule_file
from recollect.lazy import load
from recollect.policy.ranking import ranks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from recollect.hooks.injection.rule_file import CompiledRule, CompiledRules

HEADING = "Rules that apply here:"
MOST_RULES = 3
WORD_EVIDENCE = 5.0
"""About the evidence of one rare word."""
GLOBAL = "global"
PROFILE = "hybrid"
"""The seeds' own profiles keep their gates (B19, D4, A17): there, rules are told by their words alone."""
SCOPE = "scope"
"""The name of this way of choosing in receipts."""
SWITCH = "RECOLLECT_INJECT__PROMPT"
_SWITCHED_OFF = ("off", "false", "no", "0")


class Match:
    """A rule that applies, and why."""

    __slots__ = ("is_broad", "rule", "why")

    def __init__(self, rule: "CompiledRule", why: str, *, is_broad: bool = False) -> None:
        self.rule, self.why = rule, why
        self.is_broad = is_broad
        """Whether it applies only by an activity that most prompts are about in some way."""


# -- prompts -----------------------------------------------------------------------------------------------------------


def tell_with_prompt(event: Event, reply: Reply) -> None:
    """Add the rules of the activities that a prompt asks for to what it is told, and to its receipt.

    The store is asked again what each rule says now: the compiled file decides only which of them apply.
    """
    settings = event.place.settings
    if event.native not in event.dialect.LISTENS or settings["recall.profile"] != PROFILE:
        return
    compiled = rule_file.parse(rule_file.read(event.home))
    known = [rule for rule in compiled.rules if rule.project in (event.place.project, GLOBAL)]
    asked = _of_prompt(event.own_prompt(), known) if known else []
    matches = _unseen(event, [match for match in asked if not match.is_broad or _shares_word(reply, match)])
    current = event.store.current_rules(event.place.project, event.now, [match.rule.uid for match in matches])
    fresh = [match for match in matches if current.get(match.rule.uid) == match.rule.revision]
    budget = float(settings["inject.token_budget"]) - float(reply.receipt.get("tokens", 0))
    _tell(event, reply, fresh, budget)


def _of_prompt(prompt: str, rules: "list[CompiledRule]") -> list[Match]:
    """Return the rules of the activities that a prompt asks for; one without an activity by the files it names."""
    activities = load("recollect.policy.scopes.activities")
    named = {name: None for rule in rules for name in rule.activities}
    asked = activities.asked_for(prompt, named)
    matches = []
    for rule in rules:
        found = [name for name in asked if name in rule.activities]
        if not rule.activities:
            found = _named_in(prompt[: activities.PROMPT_CHARS], rule)
        if found:
            matches.append(Match(rule, found[0], is_broad=activities.BROAD.issuperset(found)))
    return matches


def _shares_word(reply: Reply, match: Match) -> bool:
    """Return whether the search of the prompt found a telling word in a rule."""
    candidates = (reply.receipt or {}).get("candidates", [])
    return any(row["uid"] == match.rule.uid and row["evidence"] >= WORD_EVIDENCE for row in candidates)


def _named_in(prompt: str, rule: "CompiledRule") -> list[str]:
    """Return the files and commands of a rule that a prompt names."""
    calls = load("recollect.policy.scopes.call_matching")
    words = [word.strip("`'\"(),;:?!").rstrip(".") for word in prompt.split()]
    files = [glob for glob in rule.files if any("." in word and calls.is_path(glob, word) for word in words)]
    said = f" {' '.join(words)} "
    return files + [command for command in rule.commands if " " in command and f" {command} " in said]


# -- tool calls --------------------------------------------------------------------------------------------------------


def tell_matching(event: Event, reply: Reply) -> None:
    """Add the rules that match a tool call's command or file to the reply, with a receipt."""
    given = event.raw.partition(b'"tool_input"')[2]
    command, path = "", ""
    if any(f'"{name}"'.encode() in event.raw for name in event.dialect.SHELLS):
        command = _string(given, b'"command"')
    elif any(f'"{name}"'.encode() in event.raw for name in event.dialect.WRITING):
        path = _string(given, b'"file_path"') or _string(given, b'"notebook_path"')
    if not command and not path:
        return
    compiled = rule_file.parse(rule_file.read(event.home))
    matches = _of_call(command, path, compiled.rules)
    if not matches:
        return
    event.read()
    project, is_on = _place(event, compiled)
    if not is_on:
        return
    here = [match for match in matches if match.rule.project in (project, GLOBAL)]
    current = [match for match in here if not match.rule.is_expired(event.now)]
    _tell(event, reply, _unseen(event, current), float("inf"), project=project)


def _of_call(command: str, path: str, rules: "list[CompiledRule]") -> list[Match]:
    calls = load("recollect.policy.scopes.call_matching")
    commands = calls.simple_commands(command) if command else []
    matches = []
    for rule in rules:
        found = [pattern for pattern in rule.commands if any(calls.is_command(pattern, words) for words in commands)]
        found += [glob for glob in rule.files if path and calls.is_path(glob, path)]
        if found:
            matches.append(Match(rule, found[0].removesuffix(" +")))
    return matches


def _string(data: bytes, key: bytes) -> str:
    """Return the string behind a key in the bytes of a JSON object; empty where there is none.

    The common escapes are undone; it is compared with patterns and never shown.
    """
    after = data.partition(key)[2].lstrip(b" :\t\n")
    if after[:1] != b'"':
        return ""
    parts, at = [], 1
    while (end := after.find(b'"', at)) >= 0:
        parts.append(after[at:end])
        escapes = len(parts[-1]) - len(parts[-1].rstrip(b"\\"))
        if escapes % 2 == 0:
            break
        at = end + 1
    text = b'"'.join(parts).decode("utf-8", "replace")
    return text.replace('\\"', '"').replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\")


def _place(event: Event, compiled: "CompiledRules") -> tuple[str, bool]:
    """Return the project of the event's folder, and whether rules are told there; as `project_lookup` decides it."""
    folder = os.path.realpath(event.folder)
    is_off = event.fields["session"] in compiled.off_sessions or any(
        folder == off or folder.startswith(off.rstrip("/") + "/") for off in compiled.off_folders
    )
    if is_off or event.env.get(SWITCH, "on").lower() in _SWITCHED_OFF:
        return "", False
    found = load("recollect.project.repository").around(folder)
    known = [row for row in compiled.checkouts if row.root]
    row = load("recollect.project.lookup").locate(known, folder, found).row
    others = next((row.is_on for row in compiled.checkouts if not row.root), True)
    return (row.project, row.is_on) if row else ("", others)


# -- telling -----------------------------------------------------------------------------------------------------------


def _unseen(event: Event, matches: list[Match]) -> list[Match]:
    """Return the matches that this session was not told yet, and did not say itself."""
    told, session = ledger.shown_uids(event.home, event.session), event.fields["session"]
    return [match for match in matches if match.rule.uid not in told and match.rule.session != session]


def _tell(event: Event, reply: Reply, matches: list[Match], budget_tokens: float, *, project: str = "") -> None:
    """Add at most MOST_RULES rules to the context, the ledger and the receipt, as far as the budget allows."""
    is_doubtful = any(match.rule.doubts for match in matches)
    branch = load("recollect.hooks.project_lookup").current_branch(event.folder) if is_doubtful else ""
    shown, spent = list[Match](), 10.0
    for match in matches[:MOST_RULES]:
        spent += ranks.tokens(match.rule.told(branch))
        if spent <= budget_tokens:
            shown.append(match)
    if not shown:
        return
    receipt = reply.receipt or {
        "id": os.urandom(5).hex(),
        "project": project,
        "shown": [],
        "candidates": [],
        "tokens": 0,
    }
    reply.receipt = _with_rules(receipt, shown, spent)
    lines = [HEADING, *(f"- {match.rule.told(branch)}" for match in shown)]
    cards = load("recollect.policy.injection.cards")
    if reply.context and reply.is_plain:
        reply.context = "\n".join([reply.context, *lines])
    elif reply.context:
        reply.context = cards.with_lines(reply.context, [f"  {line}" for line in lines])
    else:
        reply.context = cards.block([f"  {line}" for line in lines], source="recollect", receipt=str(receipt["id"]))
    ledger.add(event.home, event.session, [match.rule.uid for match in shown], ledger.AT_PROMPT)


def _with_rules(receipt: "dict[str, Any]", shown: list[Match], tokens: float) -> "dict[str, Any]":
    """Return a receipt with the rules that are told, and why."""
    uids = [match.rule.uid for match in shown]
    others = [candidate for candidate in receipt["candidates"] if candidate["uid"] not in uids]
    told = [
        {
            "uid": match.rule.uid, "kind": match.rule.kind, "title": match.rule.text, "score": 0.0, "evidence": 0.0,
            "coverage": 0.0, "certainty": 1.0, "verdict": "shown", "why": f"{SCOPE}: {match.why}",
        }
        for match in shown
    ]  # fmt: skip
    was_empty = str(receipt.get("state", "none")).startswith("none")
    state = "hits" if was_empty else receipt["state"]
    return receipt | {
        "shown": [*receipt["shown"], *uids], "candidates": [*told, *others], "state": state,
        "tokens": round(receipt["tokens"] + tokens), "profile": receipt.get("profile") or SCOPE,
    }  # fmt: skip
