"""Fit the encoder of `policy/encoder`, which tells what messages state and how statements relate. Needs torch.

Starts from the weights of the sentence model all-MiniLM-L6-v2, whose files `--base` names, and writes
`src/recollect/assets/encoder.npz`. Reads `bench/statements`, `bench/pairs`, `bench/questions`, `bench/helps` and the
tune half of the capture sessions; `--more` names a folder of further labelled messages. `--check st:n,st:w` leaves the
messages of some authors out and prints what is found of them; `pairs:b` leaves out pairs. Takes about an hour on two
cores.
"""

import argparse
import itertools
import math
import random
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from encoder_rows import Row, Sentence, memories, pair_row, pairs, statements
from safetensors.torch import load_file
from torch import nn

from recollect.model.words import search_words
from recollect.policy.encoder import encoder
from recollect.policy.encoder.encoder import LABELS, MOST_FIRST, NONE, PAIRS, USERS, WINDOW, Span
from recollect.policy.encoder.pieces import Splitter
from recollect.policy.encoder.transformer import HEADS, UNIT

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "src/recollect" / encoder.FILE
WIDTH, LAYERS = 384, 6
EPOCHS, BATCH, RATE, HEADS_RATE, DECAY, SMOOTHING = 3, 32, 7e-5, 1e-3, 0.02, 0.05
COMMON = 12_000
"""Pieces of the base's vocabulary that are kept though no text has them: those with the smallest numbers."""
STRANGERS = 3
"""Statements that have nothing to do with it, with which each newer statement of a pair is compared in an epoch."""
NEAREST_OF = 12
"""A stranger is the one of so many that shares most words, for two of three; else any."""
REPEATED = 300
"""Pairs of a statement with itself."""
EXCERPTS, SETTINGS, MARKS = 0.2, 0.2, 0.5
"""Shares of messages that are read in part, inside another message, or without the marks behind sentences."""
LEVELS = 63
"""A matrix is kept in whole numbers up to this one."""


class Encoded(NamedTuple):
    """A row as the encoder reads it: pieces, their parts, and the pieces and labels of what is judged."""

    question: str
    pieces: list[int]
    parts: list[int]
    older: tuple[int, int]
    spans: list[tuple[int, int, int]]


class Reader(nn.Module):
    """The encoder while it is fitted; `policy/encoder` computes the same without torch."""

    def __init__(self, base: dict[str, torch.Tensor], kept: Sequence[int]) -> None:
        super().__init__()
        words = base["embeddings.word_embeddings.weight"][list(kept)]
        self.words = nn.Embedding.from_pretrained(words, freeze=True)
        self.places = nn.Parameter(base["embeddings.position_embeddings.weight"].clone())
        self.kinds = nn.Parameter(base["embeddings.token_type_embeddings.weight"].clone())
        self.norm = _norm(base, "embeddings.LayerNorm")
        self.layers = nn.ModuleList([Layer(base, f"encoder.layer.{number}") for number in range(LAYERS)])
        self.heads = nn.ModuleDict({name: nn.Linear(3 * WIDTH, len(labels)) for name, labels in LABELS.items()})
        self.left_out = nn.Dropout(0.1)

    def states(self, pieces: torch.Tensor, parts: torch.Tensor, is_piece: torch.Tensor) -> torch.Tensor:
        """Return what each piece of each text means in its place."""
        states = self.norm(self.words(pieces) + self.places[: pieces.shape[1]] + self.kinds[parts])
        states = self.left_out(states)
        for layer in self.layers:
            states = layer(states, is_piece[:, None, None, :])
        return states

    def forward(self, batch: Sequence[Encoded]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the scores of all spans of a batch, which has one question, and their labels."""
        longest = max(len(row.pieces) for row in batch)
        pieces, parts = (torch.zeros(len(batch), longest, dtype=torch.long) for _ in range(2))
        is_piece = torch.zeros(len(batch), longest, dtype=torch.bool)
        for number, row in enumerate(batch):
            pieces[number, : len(row.pieces)] = torch.tensor(row.pieces)
            parts[number, : len(row.pieces)] = torch.tensor(row.parts)
            is_piece[number, : len(row.pieces)] = True
        states = self.states(pieces, parts, is_piece)
        signs = []
        for number, row in enumerate(batch):
            for start, end, _ in row.spans:
                own = states[number, start:end]
                second = states[number, slice(*row.older)].mean(0) if row.question == PAIRS else own.mean(0)
                third = own.mean(0) if row.question == PAIRS else own.amax(0)
                signs.append(torch.cat([states[number, 0], second, third]))
        scores = self.heads[batch[0].question](self.left_out(torch.stack(signs)))
        return scores.float(), torch.tensor([label for row in batch for _, _, label in row.spans])


class Layer(nn.Module):
    """One layer: each piece looks at all others, then at itself."""

    def __init__(self, base: dict[str, torch.Tensor], name: str) -> None:
        super().__init__()
        whole = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
        self.attend = nn.Linear(WIDTH, 3 * WIDTH)
        with torch.no_grad():
            self.attend.weight.copy_(torch.cat([base[f"{part}.weight"] for part in whole]))
            self.attend.bias.copy_(torch.cat([base[f"{part}.bias"] for part in whole]))
        self.gather = _linear(base, f"{name}.attention.output.dense")
        self.norm = _norm(base, f"{name}.attention.output.LayerNorm")
        self.widen, self.narrow = _linear(base, f"{name}.intermediate.dense"), _linear(base, f"{name}.output.dense")
        self.last_norm = _norm(base, f"{name}.output.LayerNorm")
        self.left_out = nn.Dropout(0.1)

    def forward(self, states: torch.Tensor, is_piece: torch.Tensor) -> torch.Tensor:
        """Return the states after this layer."""
        rows, length, _ = states.shape
        mixed = self.attend(states).view(rows, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        seen = nn.functional.scaled_dot_product_attention(*mixed, attn_mask=is_piece)
        seen = seen.transpose(1, 2).reshape(rows, length, WIDTH)
        states = self.norm(states + self.left_out(self.gather(seen)))
        wide = nn.functional.gelu(self.widen(states), approximate="tanh")
        return self.last_norm(states + self.left_out(self.narrow(wide)))


def _linear(base: dict[str, torch.Tensor], name: str) -> nn.Linear:
    weight, bias = base[f"{name}.weight"], base[f"{name}.bias"]
    made = nn.Linear(weight.shape[1], weight.shape[0])
    with torch.no_grad():
        made.weight.copy_(weight)
        made.bias.copy_(bias)
    return made


def _norm(base: dict[str, torch.Tensor], name: str) -> nn.LayerNorm:
    made = nn.LayerNorm(WIDTH, eps=1e-12)
    with torch.no_grad():
        made.weight.copy_(base[f"{name}.weight"])
        made.bias.copy_(base[f"{name}.bias"])
    return made


def vocabulary(pieces: Sequence[str], texts: Iterable[str]) -> list[int]:
    """Return the numbers of the pieces that are kept: those that a text has, common ones, and single signs."""
    splitter = Splitter(pieces)
    used = {number for text in texts for number in splitter.split(text).numbers}
    single = {number for number, piece in enumerate(pieces) if len(piece.removeprefix("##")) == 1}
    marks = {number for number, piece in enumerate(pieces) if piece in ("[PAD]", "[UNK]", "[CLS]", "[SEP]")}
    common = {number for number, piece in enumerate(pieces[:COMMON]) if not piece.startswith("[")}
    return sorted(used | single | marks | common)


def encoded(row: Row, splitter: Splitter) -> Encoded | None:
    """Return a row as the encoder reads it; None where it has no piece of what is judged."""
    is_second = row.question in MOST_FIRST
    first = splitter.split(row.first).numbers[: MOST_FIRST[row.question]] if is_second else []
    found = splitter.split(row.text)
    lead = [splitter.begin, *first, splitter.end] if is_second else [splitter.begin]
    behind = found.numbers[:WINDOW]
    spans = []
    for start, end, label in row.spans:
        begins, ends = found.within(start, end)
        if begins < ends <= WINDOW:
            spans.append((begins + len(lead), ends + len(lead), LABELS[row.question].index(label)))
    if not spans or (row.question == PAIRS and not first):
        return None
    pieces = [*lead, *behind, splitter.end]
    parts = [0] * len(lead) + [int(is_second)] * (len(behind) + 1)
    return Encoded(row.question, pieces, parts, (1, len(lead) - 1), spans)


def varied(row: Row, others: Sequence[Row], chance: random.Random) -> Row:
    """Return a user's message as it could have been said too: in part, inside another one, without marks.

    So what is learnt is not where authors put their statements, nor how they end a sentence.
    """
    said = row.sentences
    if len(said) > 1 and chance.random() < EXCERPTS:
        start = chance.randrange(len(said))
        said = said[start : start + chance.randint(1, 3)]
    if chance.random() < SETTINGS:
        around = chance.choice(others).sentences
        place = chance.randrange(len(around) + 1)
        said = [*around[:place], *said, *around[place:]]
    return row._replace(sentences=[_bare(sentence) if chance.random() < MARKS else sentence for sentence in said])


def _bare(sentence: Sentence) -> Sentence:
    """Return a sentence without the full stop behind it."""
    text = sentence.text.rstrip(" .!")
    spans = [span._replace(end=min(span.end, len(text))) for span in sentence.spans if span.start < len(text)]
    return Sentence(text, spans) if text else sentence


def statements_of(rows: Sequence[Row]) -> list[str]:
    """Return what users state in messages, and the older statements of pairs."""
    stated = [
        row.text[start:end] for row in rows if row.question == USERS for start, end, label in row.spans if label != NONE
    ]
    return list(dict.fromkeys([*stated, *(row.first for row in rows if row.question == PAIRS)]))


def strangers(rows: Sequence[Row], said: Sequence[str], chance: random.Random) -> list[Row]:
    """Return each newer statement of a pair beside statements of others, most of which share words with it.

    Else what is learnt is how a reversal sounds, and not what it reverses.
    """
    found = []
    for row in (row for row in rows if row.question == PAIRS):
        for number in range(STRANGERS):
            others = [other for other in chance.sample(said, NEAREST_OF if number else 2) if other != row.first]
            nearest = max(others, key=lambda other: _shared(other, row.text))
            found.append(pair_row(nearest, row.text, "unrelated", "strangers"))
    return found


def _shared(left: str, right: str) -> float:
    """Return how many words two texts share, by the number of all words of both."""
    one, other = _stems(left), _stems(right)
    return len(one & other) / max(1, len(one | other))


@cache
def _stems(text: str) -> frozenset[str]:
    return frozenset(search_words.all_stems(text))


def repeated(rows: Sequence[Row], chance: random.Random) -> list[Row]:
    """Return pairs of a statement with itself, which say the same."""
    said = [row.text for row in rows if row.question == PAIRS]
    return [pair_row(text, text, "same", "repeated") for text in chance.sample(said, REPEATED)]


def batches(found: Sequence[Encoded], chance: random.Random) -> list[list[Encoded]]:
    """Return rows in batches of one question and of nearly one length, in any order."""
    made = []
    for question in LABELS:
        rows = [row for row in found if row.question == question]
        rows.sort(key=lambda row: len(row.pieces) + 8 * chance.random())
        made += [rows[start : start + BATCH] for start in range(0, len(rows), BATCH)]
    chance.shuffle(made)
    return made


def fit(rows: Sequence[Row], reader: Reader, splitter: Splitter) -> Reader:
    chance = random.Random(0)  # noqa: S311 - the same order in each run
    torch.manual_seed(0)
    said = [*statements_of(rows), *(memory for project in memories() for memory in project)]
    silent = [row for row in rows if row.question == USERS and all(span.label == NONE for span in row.spans)]
    epochs = []
    for _ in range(EPOCHS):
        several = [varied(row, silent, chance) if row.question == USERS else row for row in rows]
        made = [*strangers(rows, said, chance), *repeated(rows, chance)]
        every = [encoded(row, splitter) for row in [*several, *made]]
        epochs.append(batches([row for row in every if row], chance))
    inner = [value for name, value in reader.named_parameters() if value.requires_grad and "heads" not in name]
    groups = [{"params": inner, "lr": RATE}, {"params": reader.heads.parameters(), "lr": HEADS_RATE}]
    steps = torch.optim.AdamW(groups, weight_decay=DECAY)
    rate = torch.optim.lr_scheduler.OneCycleLR(
        steps, [RATE, HEADS_RATE], total_steps=sum(map(len, epochs)), pct_start=0.1
    )
    reader.train()
    for number, epoch in enumerate(epochs, 1):
        total = 0.0
        for batch in epoch:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                scores, labels = reader(batch)
            loss = nn.functional.cross_entropy(scores, labels, label_smoothing=SMOOTHING)
            steps.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            steps.step()
            rate.step()
            total += loss.item()
        print(f"epoch {number}: loss {total / len(epoch):.3f}", flush=True)
    return reader.eval()


def arrays(reader: Reader, pieces: Sequence[str]) -> dict[str, np.ndarray]:
    """Return the fitted numbers as `policy/encoder` reads them: the matrices in bytes with a unit for each row."""
    kept = {"norm": _rows(reader.norm), "parts": _half(reader.kinds)}
    for name, head in reader.heads.items():
        kept |= {name: _half(head.weight), f"{name}.bias": _half(head.bias)}
    matrices = {"pieces": reader.words.weight, "places": reader.places[: 2 * WINDOW]}
    for number, layer in enumerate(reader.layers):
        for name in ("attend", "gather", "widen", "narrow"):
            matrices[f"layer{number}.{name}"] = getattr(layer, name).weight
            kept[f"layer{number}.{name}_bias"] = _half(getattr(layer, name).bias)
        kept |= {f"layer{number}.{name}": _rows(getattr(layer, name)) for name in ("norm", "last_norm")}
    for name, matrix in matrices.items():
        values = matrix.detach().float().numpy()
        units = np.maximum(np.abs(values).max(1), 1e-6) / LEVELS
        kept |= {name: np.round(values / units[:, None]).astype(np.int8), name + UNIT: units.astype(np.float32)}
    return kept | {"vocabulary": np.frombuffer("\n".join(pieces).encode(), np.uint8)}


def _half(value: torch.Tensor) -> np.ndarray:
    return value.detach().float().numpy().astype(np.float16)


def _rows(norm: nn.LayerNorm) -> np.ndarray:
    return np.stack([_half(norm.weight), _half(norm.bias)])


def report(fitted: dict[str, np.ndarray], held: Sequence[Row]) -> None:
    """Print what is found of rows that the encoder has not seen, at fixed rates of false alarms."""
    read = encoder.Encoder(fitted)
    for (question, author), group in itertools.groupby(
        sorted(held, key=lambda row: (row.question, row.author)), key=lambda row: (row.question, row.author)
    ):
        found = [
            (
                dict(zip(LABELS[question], read.shares(question, row.text, Span(start, end), row.first), strict=True)),
                label,
            )
            for row in group
            for start, end, label in row.spans
        ]
        if question == PAIRS:
            _report_pairs(author, found)
            continue
        kept = np.array([1 - share[encoder.NONE] for share, _ in found])
        is_meant = np.array([label != encoder.NONE for _, label in found])
        told = []
        for rate in (0.01, 0.02, 0.03, 0.05, 0.1):
            floor = np.quantile(kept[~is_meant], 1 - rate)
            told.append(f"{rate:.0%} {np.mean(kept[is_meant] > floor):.2f} (from {floor:.2f})")
        kinds = [max(LABELS[question][1:], key=share.__getitem__) == label
                 for share, label in found if label != encoder.NONE]  # fmt: skip
        print(f"{question} {author}: found at false alarms of {', '.join(told)}; kind right {np.mean(kinds):.2f}")


def _report_pairs(author: str, found: Sequence[tuple[dict[str, float], str]]) -> None:
    for floor in (0.5, 0.7, 0.8, 0.9):
        taken = {
            label: np.mean([share["reversal"] >= floor for share, meant in found if meant == label] or [math.nan])
            for label in encoder.RELATIONS
        }
        rates = {label: round(float(rate), 3) for label, rate in taken.items()}
        print(f"pairs {author}: reversal from {floor}:", rates)
    likeliest = [(max(share, key=share.__getitem__), meant) for share, meant in found]
    for label in encoder.RELATIONS:
        right = [taken == label for taken, meant in likeliest if meant == label]
        print(f"  {label}: likeliest {np.mean(right or [math.nan]):.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True, metavar="DIR", help="files of all-MiniLM-L6-v2")
    parser.add_argument("--check", metavar="FILES", default="", help="files to leave out: st:n,pairs:b")
    parser.add_argument("--more", type=Path, metavar="DIR", help="further messages, as in bench/statements")
    parser.add_argument("--target", type=Path, default=TARGET, help="file to write")
    given = parser.parse_args()
    left_out = set(given.check.split(",")) - {""}
    rows = [*statements(given.more), *pairs()]
    fitted_on = [row for row in rows if row.author not in left_out]
    base = load_file(given.base / "model.safetensors")
    every = (given.base / "vocab.txt").read_text("utf-8").split("\n")
    kept = vocabulary(every, [text for row in fitted_on for text in (row.first, row.text)])
    pieces = [every[number] for number in kept]
    print(f"{len(fitted_on)} rows, {len(pieces)} pieces", flush=True)
    fitted = arrays(fit(fitted_on, Reader(base, kept), Splitter(pieces)), pieces)
    np.savez_compressed(given.target, **fitted)
    report(fitted, [row for row in rows if row.author in left_out])


if __name__ == "__main__":
    main()
