"""Compile the rules that hooks tell by their scope into one small file (`hooks/injection/rule_file.py`).

It is written again after every commit that touches a rule, when a project is opened, when the code that memories name
was checked, and when memory is switched on or off, so that it never tells what is no longer true; where it cannot be
written it is removed. Scopes that were computed before are taken over from the file.
"""

import contextlib
import functools
import json
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from recollect import machine, paths
from recollect.errors import RecollectError
from recollect.hooks.injection import rule_file
from recollect.hooks.injection.rule_file import CompiledRule
from recollect.hooks.redaction import redact_text
from recollect.model.memory import Memory
from recollect.model.verdict import CheckedVerdict, label
from recollect.policy.injection import untrusted_text
from recollect.policy.scopes import call_matching
from recollect.policy.scopes.scope import SCOPED_KINDS, Scope, scope_of
from recollect.store.hook_reader.store_reader import OFF_FOLDER, OFF_SESSION, SNAPSHOT
from recollect.store.protocols import Store
from recollect.store.values import RuleRow

GLOBAL = "global"
SURE_FROM = 0.6
TEXT_CHARS, DOUBT_CHARS = 240, 120
LOCK_SECONDS = 2.0
PENDING, STRONG, SOFT = "pending", "strong", "soft"
_OBLIGES = re.compile(
    r"\b(?:always|never|must|has to|have to|needs?(?: to)?|should|don't|do not|only|ask|before|every|all|required?"
    r"|forbidden|avoid|without|immer|nie|niemals|muss|müssen|nur|erst|darf|dürfen)\b|^\W*(?:no|kein\w*)\b"
    r"|\bnot? (?:new|more|direct\w*|allowed)\b|必ず|禁止|絶対",
    re.IGNORECASE,
)
# A story, an example or a question is no rule, whatever words are in it.
_NO_RULE = re.compile(
    r"->|=>|→|\?|^\W*(?:like|e\.g|for example|for instance|suppose|imagine|i think|maybe)\b", re.IGNORECASE
)


def refresh(store: Store, projects: Iterable[str]) -> None:
    """Compile the rules of some projects and the global ones again; those of other projects stay as they are.

    Without any rule there is no file. An error removes the file and is not raised: the change itself is written.
    """
    path, chosen = Path(paths.rules(str(store.home))), {*projects, GLOBAL}
    try:
        path.parent.mkdir(mode=machine.FOLDER_MODE, parents=True, exist_ok=True)
        with machine.lock(path.with_name("rules.lock"), timeout_seconds=LOCK_SECONDS):  # another process may write too
            text = _text(store, chosen)
            if text != rule_file.read(str(store.home)):
                _replace(path, text)
    except (OSError, RecollectError):
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def compile_anew(store: Store) -> None:
    """Compile the rules of every known project, taking nothing over from the file."""
    with contextlib.suppress(OSError):
        Path(paths.rules(str(store.home))).unlink(missing_ok=True)
    refresh(store, {checkout.project for checkout in store.projects.checkouts()})


def refresh_for(store: Store, memories: Iterable[Memory]) -> None:
    """Compile the rules again where one of these memories is, or was, a rule."""
    projects = {memory.project for memory in memories if memory.kind in SCOPED_KINDS}
    if projects:
        refresh(store, projects)


def is_strong(rule: RuleRow) -> bool:
    """Whether a rule binds: it is pinned, a person made it strong, or it is a constraint or its words say so."""
    is_by_hand = rule.confidence is None
    if rule.is_pinned or (rule.strength == STRONG and is_by_hand):
        return True
    if rule.strength == SOFT or rule.kind == "runbook" or _NO_RULE.search(rule.says):
        return False
    return rule.kind == "constraint" or bool(_OBLIGES.search(rule.says))


def is_sure(rule: RuleRow) -> bool:
    """Whether a rule may be told without a question for it: nobody has to review it first."""
    is_certain = rule.confidence is None or rule.confidence >= SURE_FROM or rule.is_pinned
    return is_certain and PENDING not in rule.tags.split("\n")


def _text(store: Store, projects: set[str]) -> str:
    """Return the whole text of the file; empty where there is no rule."""
    before = rule_file.parse(rule_file.read(str(store.home))).rules
    known = {(rule.uid, rule.revision): rule for rule in before}
    others = [rule for rule in before if rule.project not in projects]
    rules = [*others, *(rule for project in sorted(projects) for rule in _compiled(store, project, known))]
    if not rules:
        return ""
    lines = [*_places(store), *(_line(rule) for rule in rules)]
    return "\n".join([rule_file.VERSION, rule_file.joined(_parts(rules)), *lines, ""])


def _compiled(store: Store, project: str, known: dict[tuple[str, str], CompiledRule]) -> list[CompiledRule]:
    found, rows = [], store.rules(project, SCOPED_KINDS)
    verdicts = store.verdicts.of([row.uid for row in rows])
    for row in rows:
        if not is_strong(row) or not is_sure(row):
            continue
        rule = known.get((row.uid, row.revision)) or _compile(row)
        if rule:
            rule.project, rule.session = project, row.session
            rule.expires = "" if row.expires is None else str(row.expires)
            rule.checked_on, rule.doubts = _doubts(verdicts.get(row.uid))
            found.append(rule)
    return found


def _doubts(checked: CheckedVerdict | None) -> tuple[str, str]:
    """Return the branch of a verdict, and why the rule may not hold there; both empty where nothing speaks against."""
    if checked is None:
        return "", ""
    verdict = checked.verdict
    reasons = [f"{label(verdict.state)}: {verdict.says}"] if verdict.says else []
    said = "; ".join(untrusted_text.line(reason, DOUBT_CHARS) for reason in (*reasons, *verdict.doubts))
    return (checked.branch, said) if said else ("", "")


def _compile(row: RuleRow) -> CompiledRule | None:
    """Return a rule with its scope, without its place; None where its scope cannot be told."""
    scope = _scope_of(row.kind, described(row.title, row.says), row.cue)
    if not scope:
        return None
    says = untrusted_text.line(redact_text(row.says), TEXT_CHARS, trusted=True)
    lists = [rule_file.joined(items) for items in (scope.activities, scope.every_command, scope.every_file)]
    line = rule_file.line(rule_file.RULE, "", row.uid, row.revision, row.kind, "", "", *lists, says, "", "")
    return CompiledRule(line.split(rule_file.FIELD)[1:])


@functools.lru_cache(maxsize=4_096)
def _scope_of(kind: str, said: str, cue: str) -> Scope:
    """Return the scope of a rule. Those without one are not in the file, and would be read anew for each commit."""
    return scope_of(kind, said, cue=cue)


def described(title: str, says: str) -> str:
    """Return a rule's title and what it says, the title only where it says more than the rule's own beginning."""
    return says if says.startswith(title.rstrip("….")) or title in says else f"{title}. {says}"


def _line(rule: CompiledRule) -> str:
    lists = [rule_file.joined(items) for items in (rule.activities, rule.commands, rule.files)]
    return rule_file.line(
        rule_file.RULE, rule.project, rule.uid, rule.revision, rule.kind, rule.expires, rule.session, *lists,
        rule.text, rule.checked_on, rule.doubts,
    )  # fmt: skip


def _parts(rules: Sequence[CompiledRule]) -> list[str]:
    """Return for each pattern the parts that are all in a tool call that it matches; other calls are left alone."""
    return sorted({call_matching.parts(pattern) for rule in rules for pattern in (*rule.commands, *rule.files)})


def _places(store: Store) -> list[str]:
    """Return the lines of the known checkouts, with whether memories are told there, and of what is switched off."""
    snapshots = store.settings(SNAPSHOT)
    users = _is_on(snapshots.get(SNAPSHOT))
    lines = [rule_file.line(rule_file.CHECKOUT, "", "", "", users)]
    for checkout in sorted(store.projects.checkouts(), key=lambda known: known.root):
        snapshot = snapshots.get(f"{SNAPSHOT}{checkout.root}")
        is_on = _is_on(snapshot) if snapshot else users
        lines.append(rule_file.line(rule_file.CHECKOUT, checkout.root, checkout.clone, checkout.project, is_on))
    for mark, prefix in ((rule_file.OFF_FOLDER, OFF_FOLDER), (rule_file.OFF_SESSION, OFF_SESSION)):
        lines += [rule_file.line(mark, name.removeprefix(prefix)) for name in sorted(store.settings(prefix))]
    return lines


def _is_on(snapshot: str | None) -> str:
    return "1" if snapshot is None or json.loads(snapshot).get("inject.prompt", True) else "0"


def _replace(path: Path, text: str) -> None:
    """Write the file in one step; remove it where there is nothing to tell."""
    if not text:
        path.unlink(missing_ok=True)
        return
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    beside.touch(machine.FILE_MODE)
    beside.write_bytes(text.encode("utf-8", "surrogateescape"))
    beside.replace(path)
