"""Fit the network of `policy/statements/network.py`, which tells what a user's sentences state. Needs torch.

Writes `src/recollect/assets/statement_network.npz`. Reads the messages of users in `bench/statements` (one file per
author) and the tune half of the capture sessions. `--check n,w,y` leaves some authors out, prints what is found of
their messages, and writes nothing. Takes about five minutes.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import fit_statements
import numpy as np
import torch
from torch import nn

from recollect.jobs import word_vectors
from recollect.policy.statements import network, user_statements

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "src/recollect" / network.FILE
EPOCHS, BATCH, RATE, DECAY, SMOOTHING = 5, 64, 3e-3, 0.02, 0.05
MEANING, OWN, ENDING, LOOK, PLACE, STATE = 32, 16, 8, 8, 8, 64
"""Sizes: of a word's meaning (from word vectors), of what is fitted for a frequent word, and so on."""
LEAST_MESSAGES, LEAST_OWN, MOST_OWN, COMMON = 2, 5, 3_000, 4_000
"""Messages that a word of the table is in; uses that a word needs for numbers of its own; common words of English."""
LOOKS = 8
PADDING = 3


class Row(NamedTuple):
    """A sentence or clause of a user's message, with what stands around it, its kind and its author."""

    before: str
    part: str
    behind: str
    kind: str
    author: str


def rows() -> list[Row]:
    messages = [*fit_statements.authors().items(), ("replayed", fit_statements.replayed())]
    return [row for author, found in messages for message in found for row in rows_of(author, message)]


def rows_of(author: str, message: dict[str, Any]) -> Iterable[Row]:
    """Yield a row per sentence of a user's message, and one per clause."""
    keeps = [(kept["kind"], fit_statements.bare(kept["says"])) for kept in message["keeps"]]
    for sentence in user_statements.placed_sentences(message["text"]) if message["who"] == "user" else ():
        clauses = [clause for clause in user_statements.clauses_of(sentence.part) if len(clause.split()) > 2]
        for part in (sentence, *(map(sentence.clause, clauses) if len(clauses) > 1 else ())):
            if not part.part:
                continue
            said = fit_statements.bare(part.part)
            kind = next((kind for kind, says in keeps if fit_statements.carries(said, says)), network.KINDS[0])
            if kind in network.KINDS and network.words(part.part):
                yield Row(part.before, part.part, part.behind, kind, author)


class Words:
    """The table of words: which there are, the vectors of their meaning, and which have numbers of their own."""

    def __init__(self, found: Sequence[Row]) -> None:
        texts = dict.fromkeys(f"{row.before} {row.part} {row.behind}" for row in found)
        uses = Counter(word.lower() for text in texts for word in network.words(text))
        seen = Counter(word for text in texts for word in {word.lower() for word in network.words(text)})
        static = word_vectors.load()
        kept = [word for word, number in seen.items() if number >= LEAST_MESSAGES]
        self.words = list(dict.fromkeys([*kept, *static.common_words()[:COMMON]]))
        self.rows = {word: row for row, word in enumerate(self.words, 1)}
        meanings = np.vstack([np.zeros((1, word_vectors.DIMENSIONS)), static.vectors(self.words) * 16])
        self.meanings = torch.tensor(meanings, dtype=torch.float32)
        frequent = (word for word, number in uses.most_common(MOST_OWN) if number >= LEAST_OWN)
        self.own = {word: row for row, word in enumerate(frequent, 1)}

    def encoded(self, row: Row) -> np.ndarray:
        """Return a line of whole numbers for each word: its rows in the tables, its place, its look."""
        parts = (
            network.words(row.before)[-network.MOST_AROUND :],
            network.words(row.part)[: network.MOST_WORDS],
            network.words(row.behind)[: network.MOST_AROUND],
        )
        lines = [
            (
                self.rows.get(word.lower(), 0),
                self.own.get(word.lower(), 0),
                network.ending(word),
                place,
                *network.look(word),
            )
            for place, part in enumerate(parts)
            for word in part
        ]
        return np.array(lines, np.int64)


class Reader(nn.Module):
    """The network while it is fitted; `network.Network` computes the same without torch."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self.meanings = words.meanings
        self.meaning = nn.Linear(word_vectors.DIMENSIONS, MEANING)
        self.own = nn.Embedding(len(words.own) + 1, OWN)
        self.endings = nn.Embedding(network.ENDINGS, ENDING)
        for table in (self.own, self.endings):
            nn.init.normal_(table.weight, 0, 0.1)
        self.look = nn.Linear(LOOKS, LOOK)
        self.places = nn.Embedding(PADDING + 1, PLACE)
        self.reading = nn.GRU(MEANING + OWN + ENDING + LOOK + PLACE, STATE, bidirectional=True, batch_first=True)
        self.attention = nn.Linear(2 * STATE, 1, bias=False)
        self.out = nn.Linear(6 * STATE, len(network.KINDS))
        self.left_out, self.unseen = nn.Dropout(0.4), nn.Dropout(0.2)

    def forward(self, lines: torch.Tensor) -> torch.Tensor:
        """Return the scores of each kind for rows of encoded words."""
        known, own, endings, places = (lines[..., column] for column in range(4))
        if self.training:  # words that are not in the tables have to be met in time
            known, own = known * (torch.rand(known.shape) > 0.1), own * (torch.rand(own.shape) > 0.15)
        meaning = torch.tanh(self.meaning(self.meanings[known]))
        signs = self.look(lines[..., 4:].float())
        inputs = [meaning, self.own(own), self.endings(endings), signs, self.places(places)]
        lengths = (places < PADDING).sum(1)
        packed = nn.utils.rnn.pack_padded_sequence(
            self.unseen(torch.cat(inputs, -1)), lengths, batch_first=True, enforce_sorted=False
        )
        states = nn.utils.rnn.pad_packed_sequence(
            self.reading(packed)[0], batch_first=True, total_length=lines.shape[1]
        )[0]
        is_part, is_word = (places == network.PART).unsqueeze(-1), (places < PADDING).unsqueeze(-1)
        weights = self.attention(states).masked_fill(~is_part, -1e9).softmax(1)
        signs = [states.masked_fill(~is_part, -9).amax(1), (states * weights).sum(1)]
        return self.out(self.left_out(torch.cat([*signs, states.masked_fill(~is_word, -9).amax(1)], -1)))


def batch(encoded: Sequence[np.ndarray]) -> torch.Tensor:
    lines = np.zeros((len(encoded), max(map(len, encoded)), 4 + LOOKS), np.int64)
    lines[:, :, 3] = PADDING
    for number, found in enumerate(encoded):
        lines[number, : len(found)] = found
    return torch.tensor(lines)


def fit(found: Sequence[Row], words: Words) -> Reader:
    torch.set_num_threads(1)  # the matrices are small: threads only wait for each other
    torch.manual_seed(0)
    chance = random.Random(0)  # noqa: S311 - the same order in each run
    encoded = [words.encoded(row) for row in found]
    kinds = torch.tensor([network.KINDS.index(row.kind) for row in found])
    reader = Reader(words)
    steps = torch.optim.AdamW(reader.parameters(), lr=RATE, weight_decay=DECAY)
    batches = len(found) // BATCH + 1
    rate = torch.optim.lr_scheduler.OneCycleLR(steps, RATE, total_steps=EPOCHS * batches, pct_start=0.1)
    for epoch in range(EPOCHS):
        reader.train()
        order = sorted(range(len(found)), key=lambda place: len(encoded[place]) + 12 * chance.random())
        parts = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
        chance.shuffle(parts)
        total = 0.0
        for part in parts:
            scores = reader(batch([encoded[place] for place in part]))
            loss = nn.functional.cross_entropy(scores, kinds[part], label_smoothing=SMOOTHING)
            steps.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            steps.step()
            rate.step()
            total += loss.item()
        print(f"epoch {epoch + 1}: loss {total / len(parts):.3f}", flush=True)
    return reader.eval()


def arrays(reader: Reader, words: Words) -> dict[str, np.ndarray]:
    """Return the fitted numbers as `network.Network` reads them: the table of words in bytes."""
    with torch.no_grad():
        own = torch.tensor([0, *(words.own.get(word, 0) for word in words.words)])
        table = torch.cat([torch.tanh(reader.meaning(words.meanings)), reader.own(own)], -1).numpy()
        numbers = {name: value.numpy().astype(np.float16) for name, value in reader.state_dict().items()}
    unit = np.abs(table).max() / 127
    names = {"forward": "", "backward": "_reverse"}
    cells = {f"{direction}_{ours}": numbers[f"reading.{theirs}_l0{ending}"] for direction, ending in names.items()
             for ours, theirs in (("in", "weight_ih"), ("in_bias", "bias_ih"),
                                  ("state", "weight_hh"), ("state_bias", "bias_hh"))}  # fmt: skip
    return cells | {
        "words": np.frombuffer("\n".join(words.words).encode(), np.uint8),
        "table": np.round(table / unit).astype(np.int8),
        "table_unit": np.float32(unit),
        "endings": numbers["endings.weight"],
        "look": numbers["look.weight"],
        "look_bias": numbers["look.bias"],
        "places": numbers["places.weight"][:PADDING],
        "attention": numbers["attention.weight"][0],
        "out": numbers["out.weight"],
        "out_bias": numbers["out.bias"],
    }


def report(read: network.Network, held: Sequence[Row]) -> None:
    """Print what is found of messages that the network has not seen, at fixed rates of false alarms."""
    for author in (*sorted({row.author for row in held}), "all"):
        found = [row for row in held if author in (row.author, "all")]
        shares = [read.shares(row.before, row.part, row.behind) for row in found]
        kept = np.array([1 - share["none"] for share in shares])
        is_meant = np.array([row.kind != "none" for row in found])
        told = []
        for rate in (0.01, 0.03, 0.05, 0.1):
            floor = np.quantile(kept[~is_meant], 1 - rate)
            told.append(f"{rate:.0%} {np.mean(kept[is_meant] > floor):.2f} (from {floor:.2f})")
        meant = [(share, row.kind) for share, row in zip(shares, found, strict=True) if row.kind != "none"]
        kinds = [max(network.KINDS[1:], key=share.__getitem__) == kind for share, kind in meant]
        print(f"{author}: found at false alarms of {', '.join(told)}; kind right {np.mean(kinds):.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", metavar="AUTHORS", default="", help="authors to leave out, with commas")
    left_out = set(parser.parse_args().check.split(",")) - {""}
    found = rows()
    kept = [row for row in found if row.author not in left_out]
    words = Words(kept)
    fitted = arrays(fit(kept, words), words)
    if left_out:
        report(network.Network(fitted), [row for row in found if row.author in left_out])
    else:
        np.savez_compressed(TARGET, **fitted)


if __name__ == "__main__":
    main()
