"""Screen a memory before it is kept: take secrets out, and set its sensitivity by what is left."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.model import text
from recollect.model.fact import Fact
from recollect.model.memory import STRICTNESS, Memory, Sensitivity
from recollect.policy.secrets import detector

# Fields of a memory with text of people and agents; all others are set by the program.
SAYS = ("title", "content", "tags", "cue", "keywords", "channel", "files_read", "files_modified", "anchors",
        "closed_reason", "edits", "branch", "session", "project")  # fmt: skip

FEWEST_CHARS = 6
_ROLES = frozenset(
    """abuse admin billing bot bugs build ci contact deploy dev do-not-reply donotreply git hello help hostmaster info
    it jobs legal lists mail mailer-daemon marketing me news newsletter no-reply noreply notifications office ops
    postmaster press privacy root sales security service spam staff support sysadmin system team test tester user
    webmaster you""".split()  # noqa: SIM905
)
_NO_PERSONS_DOMAIN = re.compile(
    r"(?:^|\.)(?:example(?:\.\w+)?|invalid|test|local|localhost|internal|users\.noreply\.github\.com)$"
)
_EMAIL = re.compile(
    r"(?:(?<=mailto:)|(?<![\w./:@+-])|(?<=[A-Za-z]:)(?<!//))(?<!://)([^\W_][\w.%+-]*)@((?:[\w-]+\.)+[^\W\d_]{2,})(?![\w@-]|:[\w/~.])"
)
_PHONE = re.compile(
    r"(?<![\w+.-])(?:(?:\+|(?<!\d[ .-])00)\d{1,3}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]?\d{2,4}){2,5}"
    r"|\(\d{3}\) ?\d{3}-\d{4})(?![\w-])"
)
_CARD = re.compile(
    r"(?<![\w.-])(?:[3-6]\d{3}([ -])\d{4}\1\d{4}\1\d{3,4}|3[47]\d{2}([ -])\d{6}\2\d{5})(?![\w-])"
    r"|(?i:\b(?:card|visa|mastercard|amex|karte|tarjeta|carte)\b)\D{0,20}[3-6]\d{12,15}\b"
)
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b")
_NUMBERS = re.compile(r"\d[\d ().-]{6}")
_SSN = re.compile(r"\b(?:ssn|social security)\b.{0,20}?\b\d{3}-\d{2}-\d{4}\b", re.IGNORECASE)


def _is_of_person(match: re.Match[str]) -> bool:
    return match[1].lower() not in _ROLES and not _NO_PERSONS_DOMAIN.search(match[2].lower())


def _is_phone_number(match: re.Match[str]) -> bool:
    return 9 <= sum(sign.isdigit() for sign in match[0]) <= 15


def _passes_luhn(match: re.Match[str]) -> bool:
    digits = [int(sign) for sign in reversed(match[0]) if sign.isdigit()]
    return sum(digits[::2]) % 10 == -sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2]) % 10


def _passes_iban(match: re.Match[str]) -> bool:
    bare = match[0].replace(" ", "")
    return 15 <= len(bare) <= 34 and int("".join(str(int(sign, 36)) for sign in bare[4:] + bare[:4])) % 97 == 1


def _always(_: re.Match[str]) -> bool:
    return True


PERSONAL: tuple[tuple[str, re.Pattern[str], Callable[[re.Match[str]], bool]], ...] = (
    ("an e-mail address", _EMAIL, _is_of_person),
    ("a phone number", _PHONE, _is_phone_number),
    ("a card number", _CARD, _passes_luhn),
    ("an account number", _IBAN, _passes_iban),
    ("a social security number", _SSN, _always),
)


def personal(says: str) -> str | None:
    """Return the kind of personal data that a text holds; None if there is none."""
    if "@" not in says and not _NUMBERS.search(says):  # every other kind is a long run of digits
        return None
    for name, pattern, check in PERSONAL:
        if any(check(match) for match in pattern.finditer(says)):
            return name
    return None


@dataclass(frozen=True, slots=True)
class Screened:
    """A memory that may be kept, the names of the secrets taken out, and the kind of personal data in it."""

    memory: Memory
    secrets: tuple[str, ...] = ()
    personal: str | None = None

    def notes(self) -> tuple[str, ...]:
        """Return a sentence for the author: what was taken out, and why it is private; empty if nothing was done."""
        taken = f"taken out: {', '.join(self.secrets)}" if self.secrets else ""
        kept = f"kept as {self.memory.sensitivity}: it holds {self.personal}" if self.personal else ""
        return (("; ".join(filter(None, (taken, kept)))),) if taken or kept else ()


def memory(said: Memory, *, classify: bool = False) -> Screened:
    """Return a memory without secrets; with `classify`, at least private if personal data is left in it.

    A memory out of which a secret was taken is classified like any other: nothing secret is left in it.
    """
    whole = "\n".join(_strings(said))
    findings = detector.find(whole)
    names = tuple(dict.fromkeys(finding.rule for finding in findings))
    kept = _redacted(said, [whole[finding.start : finding.end] for finding in findings]) if names else said
    if not classify:
        return Screened(kept, names)
    about = personal("\n".join(_strings(kept)) if names else whole)
    level: Sensitivity = max(kept.sensitivity, "private" if about else "public", key=STRICTNESS.index)
    return Screened(kept if kept.sensitivity == level else kept.having(sensitivity=level), names, about)


def fact(said: Fact) -> Fact:
    """Return a fact without secrets; its parts are read together, because one may name another: `db password`."""
    parts = {name: getattr(said, name) for name in ("subject", "predicate", "object")}
    sentences = ("{subject} {predicate} {object}", "{subject}: {object}", "{predicate}: {object}")
    wholes = [sentence.format(**parts) for sentence in sentences]
    values = [whole[finding.start : finding.end] for whole in wholes for finding in detector.find(whole)]
    return said.model_copy(update={name: deep(part, values) for name, part in parts.items()}) if values else said


def _strings(said: Memory) -> Iterator[str]:
    if not said.text.startswith(said.title):  # most titles are the beginning of the text
        yield said.title
    yield said.text
    yield said.cue
    yield from (*said.tags, *said.keywords, *said.files_read, *said.files_modified)
    yield from (anchor.path for anchor in said.anchors)
    yield from (said.channel or "", said.closed_reason or "", said.branch or "", said.session or "", said.project)
    for edit in said.edits:
        yield from (edit.summary, str(edit.old_value or ""), str(edit.new_value or ""))


def _redacted(said: Memory, values: list[str]) -> Memory:
    """Redact each field, and take out values that another field names: a name in the title, its value in the text."""
    fields = said.model_dump(mode="json", include=set(SAYS))
    clean: dict[str, Any] = {name: deep(value, values) for name, value in fields.items()}
    clean["title"] = _title(said, clean["title"])
    clean["tags"] = [tag for tag in clean["tags"] if detector.MARK not in tag]
    for edit in clean["edits"]:
        edit["summary"] = text.cut(edit["summary"], 300)
    is_named_by_title = said.title != clean["title"] and said.slug == text.slugify(said.title)
    slug = text.slugify(clean["title"]) if is_named_by_title else said.slug
    content = type(said.content).model_validate(clean.pop("content"))
    return said.having(**clean, content=content, slug=slug or said.slug)


def _title(said: Memory, clean: str) -> str:
    """Return the redacted title; one that was cut from the text is cut again, as it may end with half a credential."""
    head = said.title.rstrip(".…").rstrip()
    for line in said.text.splitlines():
        if head and text.clean_title(" ".join(line.split())).startswith(head):
            bare = " ".join(detector.redact(line).split())
            limit = text.TITLE_CHARS if head == said.title else max(len(said.title), len(detector.MARK) + 12)
            return text.clean_title(text.cut(bare, min(limit, text.TITLE_CHARS)))
    return text.cut(clean, text.TITLE_CHARS)


def deep(value: Any, values: Sequence[str] = ()) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Return a JSON value with every text in it redacted, and without these values."""
    if isinstance(value, str):
        bare = detector.redact(value)
        for known in values:
            bare = bare.replace(known, f"{detector.MARK}secret]") if len(known) >= FEWEST_CHARS else bare
        return bare
    if isinstance(value, dict):
        return {name: deep(part, values) for name, part in value.items()}
    return [deep(part, values) for part in value] if isinstance(value, list | tuple) else value
