"""Write the table in docs/security.md, section "Secrets", from the generated corpus; `--check` only compares."""

import json
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from recollect.hooks.redaction import redact
from recollect.policy.secrets import detector

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "security.md"
BEGIN, END = "<!-- secrets table: written by scripts/secrets_table.py -->\n", "<!-- end of secrets table -->\n"
EVERY = 5  # the full detector takes longer: it is measured on every fifth sample


def hook(text: str) -> str:
    """What becomes of a text inside an event that a hook notes."""
    event = json.dumps({"tool_input": {"command": text}}).encode()
    return str(json.loads(redact(event))["tool_input"]["command"])


def table() -> str:
    """A row for each kind of text and detector; the worse half counts."""
    corpus: dict[str, Any] = runpy.run_path(str(ROOT / "tests" / "secrets" / "generated.py"))
    lines = ["| text | detector | tuned half | held-out half | bar |", "|---|---|--:|--:|--:|"]
    kinds = (("named", "a name before the value", "99.5 %"), ("bare", "a bare token with a known form", "97 %"))
    for kind, said, bar in kinds:
        for name, redactor, step in (("hook", hook, 1), ("full", detector.redact, EVERY)):
            shares = [share(corpus, kind, half, redactor, step) for half in ("tune", "held")]
            lines.append(f"| {said} | {name} | {shares[0]} | {shares[1]} | {bar} |")
    return "\n".join(lines) + "\n"


def share(corpus: dict[str, Any], kind: str, half: str, detector: Callable[[str], str], step: int) -> str:
    """How many of the samples of a half are found."""
    samples = corpus[kind](half)[::step]
    found = sum(corpus["is_gone"](sample, detector(sample.text)) for sample in samples)
    return f"{100 * found / len(samples):.2f} % of {len(samples):,}"


def main() -> None:
    """Renew the table, or say that it is old."""
    page = PAGE.read_text("utf-8")
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    renewed = f"{head}{BEGIN}{table()}{END}{tail}"
    if "--check" in sys.argv[1:]:
        sys.exit(0 if renewed == page else "docs/security.md is old: run scripts/secrets_table.py")
    PAGE.write_text(renewed, "utf-8")


if __name__ == "__main__":
    main()
