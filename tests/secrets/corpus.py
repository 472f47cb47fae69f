"""The corpus of credentials and look-alikes; `corpus/README.md` tells how it is written."""

import json
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "corpus"


class Item(NamedTuple):
    type: str
    text: str
    secret: str = ""


def secrets(half: str) -> list[Item]:
    return [_whole(line) for line in _lines(f"{half}-secrets")]


def lookalikes(half: str) -> list[Item]:
    return [Item(line["type"], line["text"]) for line in _lines(f"{half}-lookalikes")]


def _lines(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def _whole(line: dict[str, str]) -> Item:
    secret = line["secret"][::-1]
    return Item(line["type"], line["text"].replace("{{secret}}", secret), secret)
