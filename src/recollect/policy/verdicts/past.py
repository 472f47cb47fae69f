"""Which parts of a sentence name what is gone: "removed `a`", "`a` is gone", "renamed from a to b", "a → b"."""

import re

from recollect.policy.verdicts.text_spans import Span

# A name is taken as a whole or not at all (`++`): a search that tried its parts would take for ever on a long line.
NAME = r"(?<![\w./:-])(?>[`'\"][^`'\"\n]{1,120}[`'\"]|[\w/:-]++(?:\.[\w/:-]++)*+)"
LIST = rf"{NAME}(?:\(\))?(?:\s*(?:,|and|or)\s*{NAME}(?:\(\))?){{0,5}}"
ARTICLE = r"(?:(?:the|our|its|a|an|old|legacy|unused|deprecated|former|all|any|previous)\s+){0,3}"
KIND_OF = (
    r"(?:(?:file|module|function|method|class|helper|script|table|folder|directory|package|name|field|flag)s?\s+)?"
)
PATTERNS = (
    # said of what follows
    (
        rf"\b(?:remov(?:ed?|ing|es)|delet(?:ed?|ing|es)|dropp?(?:ed|ing|s)?|got rid of|instead of|rather than"
        rf"|in place of)\s+{ARTICLE}{KIND_OF}(?P<a>{LIST})"
    ),
    (
        rf"\b(?:no longer|not any ?more|never again)\s+(?:us(?:es?|ing)|calls?|needs?|imports?|reads?|has)\s+"
        rf"{ARTICLE}(?P<b>{LIST})"
    ),
    rf"\b(?:replac(?:ed?|es|ing)|supersed(?:ed?|es|ing))\s+{ARTICLE}{KIND_OF}(?P<c>{LIST})\s+(?:by|with)\b",
    rf"\breplac(?:es|ed|ing)\s+{ARTICLE}{KIND_OF}(?P<d>{LIST})(?!\s+(?:by|with)\b)",
    (
        rf"\b(?:renam(?:ed?|ing)|moved?|migrat(?:ed?|ing)|switch(?:ed|ing)?|upgrad(?:ed?|ing)|bump(?:ed|ing)?"
        rf"|chang(?:ed?|ing)|ported|extracted|split)\s+(?:\w+\s+){{0,2}}?(?:from|out of|away from)\s+"
        rf"{ARTICLE}{KIND_OF}(?P<e>{LIST})"
    ),
    (
        rf"\b(?:renam(?:ed?|ing)|moved?|chang(?:ed?|ing)|merg(?:ed?|ing))\s+{ARTICLE}{KIND_OF}(?P<f>{NAME}(?:\(\))?)\s+"
        rf"(?:to|into)\b"
    ),
    (
        rf"\b(?:used to (?:be|live in|call|use)|formerly|previously|was called|were called|known as|until|before)\s+"
        rf"(?:called\s+)?{ARTICLE}(?P<g>{LIST})"
    ),
    rf"\bold names?:?\s+(?P<h>{LIST})",
    # said of what stands before
    (
        rf"(?P<i>{LIST})\s+(?:is|are|was|were|has been|have been|got|gets)\s+(?:now\s+|since\s+|all\s+|finally\s+)?"
        rf"(?:gone|removed|deleted|dropped|retired|replaced|superseded|renamed|no longer|banned from"
        rf"|not used any ?more)\b"
    ),
    rf"(?P<j>{LIST})\s+(?:no longer|doesn't|does not)\s+(?:exists?)\b",
    rf"(?P<k>{NAME}(?:\(\))?)\s*(?:→|->|=>|⇒)\s*(?={NAME})",
    rf"(?P<l>{NAME}(?:\(\))?)\s+(?:became|is now called|is now named|was renamed|turned into)\b",
)
PAST = [re.compile(pattern, re.IGNORECASE) for pattern in PATTERNS]


def past_ranges(sentence: str) -> list[tuple[int, int]]:
    """Return the ranges of a sentence that name what it says is gone."""
    found = []
    for pattern in PAST:
        for match in pattern.finditer(sentence):
            found += [match.span(name) for name, said in match.groupdict().items() if said]
    return found


def is_past(span: Span, gone: list[tuple[int, int]]) -> bool:
    """Return whether a span lies in one of the ranges."""
    return any(start <= span.start < end for start, end in gone)
