"""Choose what is worth keeping of an agent's answer: how something works, why it failed, what was chosen and why.

An answer is mostly a report of what was just done. A sentence of it is a finding only if it can be understood by
itself, names something, and is no report, offer or remark on a branch.
"""

import re

from recollect.policy.rule import table
from recollect.policy.statements.statements import Statement

LEAST_WORDS, MOST_WORDS = 7, 70
DISCOVERY = "discovery"
NEEDED = 0.3
"""The least certainty of a finding."""

# A label in front of a finding: "**Root cause:** …", "No detection** - …".
_LABEL = re.compile(
    r"^[^.:*]{1,60}\*\*\s*(?:\([^()]{0,80}\)\s*)?[:\u2013\u2014-]?\s+"
    r"|^(?:so|and|but|also|however|in short|note)\b[,:]?\s+",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"`[^`]+`|\b\w+[a-z][A-Z]\w*|\b[A-Z][A-Z\d_]{2,}\b|\b[\w-]+[./_][\w./-]+|\b(?<!^)(?<![.!?] )[A-Z]\w+"
)
# Sentences that do not stand by themselves, or report what was done.
REPORTS = table(
    (
        ("refers back", r"^(?:it|its|they|this|these|those|here|he|she|same|both|any|then)\b", "it is"),
        ("option", r"^\(?[A-Da-d1-9]\)", "B) return the session"),
        ("fragment", r"^(?:when|why|how|what|where|which|who)\b[^,]*$", "when each field is set and its purpose"),
        (
            "hypothetical",
            r"\b(?:would|could|might) (?!have been|not\b|n't)|\bif (?:someone|somebody|anyone)\b|\bin theory\b",
            "it would only help at the start",
        ),
        ("task", r"\bneeds? to (?!be (?:exact|absolute|set|in)\b)|\bwe (?:need|have) to\b", "it needs to return it"),
        (
            "remark on a remark",
            r"\b(?:observation|suggestion|reviewer|feedback|comment|concern|nitpick|low-severity)\b|!\W*$",
            "the observation is valid but low-severity",
        ),
        (
            "item of a list",
            r"^`?[\w./-]+`?: |\u2192|^(?:optional|todo|next|nit|minor|suggestion|step)\b",
            "main.go: removed",
        ),
        ("check mark", "[\u2713\u2714\u2705\u2717\u2718\u274c]", "checks the variable \u2713"),
        ("lead", r":\W*$", "there are two reasons:"),
        (
            "no subject",
            (
                r"^(?:adds?|added|creates?|created|uses?|used|gets?|returns?|modified|removed?|removes|fixed|fixes"
                r"|updated|updates|picked|failed|took|replaced|renamed|moved|changed|sets?|checks?|calls?|runs?"
                r"|keeps?|makes?|shows?|handles?|allows?|ensures?|verifies|tests?|implemented|refactored|committed"
                r"|pushed|simply|just|only|example|complete|consider|see|not|no|yes|done|all|everything|interactively"
                r"|let|should|would|could)\b"
            ),
            "Added a parameter",
        ),
        (
            "change just made",
            (
                r"\bnow\b|\b(?:the|this|my|key|actual|immediate|post-\w+|main) fix\b|\bi(?:'ve| have)? (?:added"
                r"|replaced|removed|updated|changed|fixed|renamed|extracted|rewrote|ran|pushed|committed|also)\b"
                r"|\bwas (?:updated|added|removed|renamed|replaced)\b|\bdocumented in\b|\bthe (?:removed|original|new"
                r"|old|updated) "
            ),
            "the fix works for both",
        ),
        (
            "state of a branch",
            (
                r"#\d+|\b(?:pr|pull request|merge commit|rebased?|cherry-pick|working tree|up to date|conflicts?)\b"
                r"|\bthe branch\b|`[0-9a-f]{7,40}`|\b(?:all|the|\d+) tests? (?:pass|are|is|was|were|at|in|that)\b"
                r"|\bintegration test\b|\bgreen\b|\b(?:parent|base|feature|previous|other) (?:branch|commit)\b"
            ),
            "the branch is rebased",
        ),
        (
            "offer",
            (
                r"\b(?:i can|i'll|i will|let me|we can(?!['n])|consider|recommend|suggest|want me|shall i|your call)\b"
                r"|\?\W*$|^(?:if|suppose|assuming|once)\b[^,]{0,60}\b(?:you|we|i) (?:want|like|prefer|decide)\b"
            ),
            "we can add a check",
        ),
        ("small", r"\balready\b|\bas (?:you|expected|requested)\b|\byou(?:'re| are| can)\b", "it is already imported"),
    ),
    re.IGNORECASE,
)
FORMS = {
    "decision": re.compile(
        r"\b(?:i|we)(?:'ve| have)? (?:\w+ly )?(?:put|went|chose|decided|kept|used|opted|picked|left|made|moved"
        r"|skipped|avoided|stayed|(?:did not|didn't) (?:use|take|add|touch|change|move|make)"
        r"|pinned|set|store[ds]?)\b.*\b(?:because|since|so that|instead of|rather than|to avoid|over|as|whereas)\b",
        re.IGNORECASE,
    ),
    "constraint": re.compile(
        r"\b(?:limit\w*|at most|max\w*|only|can(?:'t|not)|not (?:possible|allowed|supported|available)|has no|have no"
        r"|requires?|must"
        r"|isn't|doesn't|does not|refuses|rejects|blocked|until|minimum|per (?:second|minute|hour|day))\b",
        re.IGNORECASE,
    ),
    "tech_debt": re.compile(
        r"\b(?:left|leave|not (?:yet|done|implemented|covered|handled)|follow-?up|later|todo|separate (?:pr|issue"
        r"|change)|out of scope"
        r"|still (?:needs?|uses?|missing|has)|remains?|stays?|until|deferred|postponed|for now|known)\b",
        re.IGNORECASE,
    ),
}
"""What a sentence of a kind has to say. A discovery has no form; other kinds that are not here are never an agent's."""
ALLOWED = {"decision": ("change just made", "offer", "small"), "tech_debt": ("change just made",)}
"""Reports that a kind may be, because its form is strict enough."""
_CAUSE = re.compile(
    r"^\W*(?:root cause|cause|problem|reason|the (?:root )?cause|the (?:bug|problem|reason))\b", re.IGNORECASE
)


def plain(sentence: str) -> str:
    """Return a sentence without its label and markup."""
    return _LABEL.sub("", sentence, count=1).replace("**", "").strip(" *_-")


def is_finding(kind: str, sentence: str) -> bool:
    """Whether a sentence of an agent is a finding of a kind: it stands by itself, and has the form of its kind."""
    said, form = plain(sentence), FORMS.get(kind)
    has_form = kind == DISCOVERY or (form is not None and bool(form.search(said)))
    if not has_form or not LEAST_WORDS <= len(said.split()) <= MOST_WORDS:
        return False
    return (kind == "decision" or bool(_NAMED.search(said))) and not _is_report(said, kind)


def _is_report(said: str, kind: str) -> bool:
    first = next((rule.name for rule in REPORTS if rule.pattern.search(said)), "")
    return bool(first) and first not in ALLOWED.get(kind, ())


def select(kind: str, parts: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """Return the surest finding among the sentences of a kind, with the sentence behind it; empty if there is none.

    A sentence that names a cause is a discovery, whatever else it is taken for.
    """
    causes = tuple(part for part in parts if _CAUSE.match(part.text)) if kind != DISCOVERY else ()
    if causes:
        return select(DISCOVERY, causes)
    found = [part for part in parts if part.certainty >= NEEDED and is_finding(kind, part.text)]
    if not found:
        return ()
    lead = max(found, key=lambda part: part.certainty)
    place = parts.index(lead)
    behind = [part for part in parts[place + 1 : place + 2] if part in found or _goes_on(part)]
    return tuple(Statement(kind, plain(part.text), part.certainty) for part in (lead, *behind))


def _goes_on(part: Statement) -> bool:
    return bool(_GOES_ON.match(part.text)) and not part.text.rstrip().endswith(":")


_GOES_ON = re.compile(r"^(?:because|since|so|otherwise|that is why|this means|which)\b", re.IGNORECASE)
