"""Remove a leaked value from memories, files and journal lines, however it is written there."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from recollect.errors import BadInput
from recollect.formats import memory_log, tagged_markdown
from recollect.model import text
from recollect.model.memory import SUMMARY_CHARS
from recollect.policy.secrets import spellings
from recollect.policy.secrets.screening import SAYS

INSTEAD, SLUG_INSTEAD = "[scrubbed]", "scrubbed"
FEWEST_CHARS, FEWEST_LETTERS = 6, 4
# Fields with text of people and agents; all other fields are set by the program and stay.
IMAGE_FIELDS = frozenset({*SAYS, "session", "subject", "predicate", "object", "name", "text"}) - {"project"}
FILE_FIELDS = frozenset({"title", "tags", "related_files", "content", "changes", "retired_reason", "archived_reason"})


@dataclass(frozen=True, slots=True)
class Leak:
    """A leaked value, and the texts and bytes without it."""

    value: str

    def clean(self, said: str) -> str:
        """Return a text without the value, in any case and however it is escaped; Base64 keeps its length."""
        plain = spellings.pattern(self.value).sub(INSTEAD, said)
        return spellings.base64_pattern(self.value).sub(lambda match: "A" * len(match[0]), plain)

    def is_in(self, said: str) -> bool:
        """Whether a text contains the value, in any case and however it is escaped."""
        patterns = spellings.pattern(self.value), spellings.base64_pattern(self.value)
        return any(pattern.search(said) for pattern in patterns)

    def is_in_bytes(self, data: bytes) -> bool:
        """Whether the bytes of a file contain the value, in any case and however it is escaped."""
        patterns = spellings.raw_pattern(self.value), spellings.raw_base64_pattern(self.value)
        return any(pattern.search(data) for pattern in patterns)

    def blank(self, data: bytes) -> bytes:
        """Return the bytes with `*` in place of the value; a database needs their number to stay the same."""
        for pattern in (spellings.raw_pattern(self.value), spellings.raw_base64_pattern(self.value)):
            data = pattern.sub(lambda match: b"*" * len(match[0]), data)
        return data

    def clean_settings(self, data: bytes) -> bytes:
        """Return another program's settings without the value. What was JSON before is JSON afterwards."""
        said = data.decode("utf-8", "surrogateescape")
        clean = self.clean(said)
        if _parsed(said) is not None and _parsed(clean) is None:
            clean = json.dumps(self.deep(_parsed(said)), ensure_ascii=False, indent=2)
        return clean.encode("utf-8", "surrogateescape")

    def clean_slug(self, slug: str) -> str:
        """Return a slug without the value; in slugs the value is written as one."""
        form = text.slugify(self.value)
        if len(form) < FEWEST_LETTERS or form not in slug:
            return slug
        return text.slugify(slug.replace(form, SLUG_INSTEAD)) or SLUG_INSTEAD

    def deep(self, value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
        """Return a JSON value with every text in it cleaned; keys and dates stay."""
        if isinstance(value, str):
            return self.clean(value)
        if isinstance(value, dict):
            return {name: part if name == "date" else self.deep(part) for name, part in value.items()}
        return [self.deep(part) for part in value] if isinstance(value, list) else value


def _parsed(source: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    try:
        return json.loads(source.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None


def of(value: str) -> Leak:
    """Return the leak of a value; BadInput if it is so short that other text would match."""
    letters = sum(sign.isalnum() for sign in value)
    if len(value.strip()) < FEWEST_CHARS or letters < FEWEST_LETTERS:
        problem = f"the value needs {FEWEST_CHARS} characters, {FEWEST_LETTERS} of them letters or digits"
        raise BadInput(problem, fix="Give the whole value: something this short would also remove other text.")
    return Leak(value)


def clean_image(leak: Leak, image: str, slug: Callable[[str, str], str]) -> str:
    """Return the JSON of a memory or a fact without the value; `slug(uid, old)` gives the new slug."""
    try:
        fields = json.loads(image)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        return leak.clean(image)
    clean = {name: leak.deep(part) if name in IMAGE_FIELDS else part for name, part in fields.items()}
    if "slug" in fields and (leak.is_in(str(fields.get("title"))) or leak.is_in(fields["slug"])):
        clean["slug"] = slug(str(fields.get("uid")), fields["slug"])
    return json.dumps(_fitting(clean), ensure_ascii=False, separators=(",", ":")) if clean != fields else image


def _fitting(fields: dict[str, Any]) -> dict[str, Any]:
    """Cut the title and the history to their limits; the replacement may be longer than the value."""
    if isinstance(fields.get("title"), str):
        fields["title"] = text.cut(fields["title"], text.TITLE_CHARS)
    for edit in [*(fields.get("edits") or ()), *(fields.get("changes") or ())]:
        if isinstance(edit, dict) and isinstance(edit.get("summary"), str):
            edit["summary"] = text.cut(edit["summary"], SUMMARY_CHARS)
    return fields


def clean_file(leak: Leak, name: str, source: str, slug: str | None) -> str:
    """Return a file of the vault, or a log, without the value and still in its format."""
    if name.endswith(".json"):
        return _clean_json_file(leak, source, slug)
    if "<memory-metadata>" in source[:100]:
        return tagged_markdown.rewritten(source, leak.deep)
    return leak.clean("\n".join(_clean_line(leak, line) for line in source.split("\n")))


def _clean_json_file(leak: Leak, source: str, slug: str | None) -> str:
    try:
        fields = json.loads(source)
    except (ValueError, RecursionError):
        return leak.clean(source)
    if not isinstance(fields, dict):
        return leak.clean(source)
    clean: dict[str, Any] = {key: leak.deep(part) if key in FILE_FIELDS else part for key, part in fields.items()}
    clean |= {"id": slug} if slug and "id" in fields else {}
    return json.dumps(_fitting(clean), ensure_ascii=False, indent=2) + "\n" if clean != fields else source


def _clean_line(leak: Leak, line: str) -> str:
    """Return a line of a log without the value; a record stays a record."""
    record = memory_log.decode_line(line, project="")
    if record is None:
        return leak.clean(line)
    fields = json.loads(line.lstrip("\ufeff").strip().removeprefix(memory_log.BULLET))
    clean = {
        key: leak.clean(part) if key in ("text", "sessionId", "category") else part for key, part in fields.items()
    }
    return memory_log.BULLET + json.dumps(clean, ensure_ascii=False, separators=(",", ":")) if clean != fields else line


def clean_entry(leak: Leak, line: str, slug: Callable[[str, str], str]) -> str:
    """Return a line of the journal file without the value in its images and its reason."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return leak.clean(line)
    if not isinstance(fields, Mapping):
        return leak.clean(line)
    images = {
        name: json.loads(clean_image(leak, json.dumps(fields[name]), slug))
        for name in ("before", "after")
        if isinstance(fields.get(name), dict)
    }
    clean = {**fields, **images, "reason": leak.deep(fields.get("reason"))}
    return json.dumps(clean, ensure_ascii=False) if clean != fields else line
