"""Fit what words mean in prompts and in memories, so that their sums say which memory helps with which prompt.

Writes `src/recollect/assets/word_meanings.npz`, which `jobs/word_meanings.py` reads. A hook has no time for a
transformer, so it is done in two steps:

1. A transformer (MiniLM, by whose files `--base` goes) is fitted on the prompts and memories of `bench/helps` and
   `bench/questions`: a prompt shall lie near the memories that help with it.
2. Each word gets two vectors, one for prompts and one for memories, whose sums come near to what the transformer says
   of whole texts: those, and the messages of `bench/statements`.

A word that is not among them has the vector of the `wordllama` package, turned into the same space.

`python scripts/fit_words.py --base DIR --check helps:a,questions:f01` leaves files out and reports on them.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from fit_encoder import Reader
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import nn

from recollect.jobs import word_meanings, word_vectors
from recollect.jobs.word_meanings import DIMENSIONS, LOUDEST
from recollect.model.words import search_words
from recollect.policy.statements.statements import sentences

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "src/recollect" / word_meanings.FILE
WIDTH, MOST_PIECES, MOST_CHARS = 384, 96, 400
TEACHER_EPOCHS, TEACHER_BATCH, TEACHER_RATE = 2, 48, 3e-5
EPOCHS, BATCH, PROMPTS, OTHERS = 3, 256, 64, 400
"""Passes over the texts; texts, prompts and other memories that are compared at once."""
MEANT, HELPED, SMALL = 2.0, 0.3, 4e-6
"""Weights of nearness to the transformer's vectors, of finding the memory that helps, and of small corrections."""
LEAST_USES = 2
UNSEEN = 0.1
"""Share of words that are taken for unknown while fitting, so that unknown ones find their place too."""


class Prompt(NamedTuple):
    """A prompt, and which memories of its project help with it."""

    text: str
    helps: list[int]


class Project(NamedTuple):
    """Memories of a project, and prompts."""

    file: str
    memories: list[str]
    prompts: list[Prompt]


def projects() -> list[Project]:
    """Return all projects of `bench/helps` and `bench/questions`."""
    return [*_of_helps(), *_of_questions()]


def _of_helps() -> Iterator[Project]:
    for path in sorted((ROOT / "bench/helps").glob("*.jsonl")):
        found: dict[str, Project] = {}
        for row in _rows(path):
            project = found.setdefault(row["project"], Project(f"helps:{path.stem}", [], []))
            helped = [len(project.memories)]
            project.memories.append(row["text"])
            project.prompts.extend(Prompt(text, helped) for text in row["asked"])
            project.prompts.extend(Prompt(text, []) for text in row["near"])
        yield from found.values()


def _of_questions() -> Iterator[Project]:
    for path in sorted((ROOT / "bench/questions").glob("*.jsonl")):
        rows = _rows(path)
        memories = [row for row in rows if "text" in row]
        places = {row["id"]: place for place, row in enumerate(memories)}
        prompts = [Prompt(row["prompt"], [places[name] for name in row["helps"]]) for row in rows if "prompt" in row]
        yield Project(f"questions:{path.stem}", [row["text"] for row in memories], prompts)


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def messages() -> Iterator[str]:
    """Yield what users say in `bench/statements`, and sentences of agents."""
    for path in sorted((ROOT / "bench/statements").glob("*.jsonl")):
        for row in _rows(path):
            yield from [row["text"][:MOST_CHARS]] if row["who"] == "user" else sentences(row["text"])[:6]


class Teacher:
    """The transformer that is fitted first."""

    def __init__(self, base: Path) -> None:
        kept = load_file(base / "model.safetensors")
        self.reader = Reader(kept, range(len(kept["embeddings.word_embeddings.weight"])))
        self.pieces = Tokenizer.from_file(str(base / "tokenizer.json"))
        self.pieces.no_padding()
        self.pieces.enable_truncation(MOST_PIECES)

    def vectors(self, texts: Sequence[str]) -> torch.Tensor:
        """Return a vector of length 1 for each text: the mean of the states of its pieces."""
        found = [self.pieces.encode(text).ids for text in texts]
        numbers = torch.zeros(len(found), max(map(len, found)), dtype=torch.long)
        is_piece = torch.zeros_like(numbers, dtype=torch.bool)
        for row, ids in enumerate(found):
            numbers[row, : len(ids)], is_piece[row, : len(ids)] = torch.tensor(ids), True
        with torch.autocast("cpu", dtype=torch.bfloat16):
            states = self.reader.states(numbers, torch.zeros_like(numbers), is_piece)
        summed = (states.float() * is_piece[:, :, None]).sum(1)
        return unit(summed / is_piece.sum(1, keepdim=True))

    @torch.no_grad()
    def read(self, texts: Sequence[str]) -> torch.Tensor:
        """Return the vectors of many texts, without learning from them."""
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        found = torch.zeros(len(texts), WIDTH)
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            found[places] = self.vectors([texts[place] for place in places])
        return found

    def fit(self, known: Sequence[Project], chance: random.Random) -> None:
        """Learn to lay prompts near the memories that help with them, and others apart."""
        scale, slope, bias = (nn.Parameter(torch.tensor(start)) for start in (20.0, 12.0, -6.0))
        inner = [value for name, value in self.reader.named_parameters() if value.requires_grad and "heads" not in name]
        groups = [{"params": inner, "lr": TEACHER_RATE}, {"params": [scale, slope, bias], "lr": 1e-2}]
        steps = torch.optim.AdamW(groups, weight_decay=0.01)
        epochs = [_batches(known, chance) for _ in range(TEACHER_EPOCHS)]
        rates = [TEACHER_RATE, 1e-2]
        rate = torch.optim.lr_scheduler.OneCycleLR(steps, rates, total_steps=sum(map(len, epochs)), pct_start=0.1)
        self.reader.train()
        for number, epoch in enumerate(epochs, 1):
            total = 0.0
            for batch in epoch:
                places = {helped: None for place, prompt in batch for helped in _helped(place, prompt)}
                order = {helped: number for number, helped in enumerate(places)}
                memories = self.vectors([known[place].memories[memory] for place, memory in order])
                near = self.vectors([prompt.text for _, prompt in batch]) @ memories.T
                wanted, is_own = torch.zeros_like(near), torch.zeros_like(near, dtype=torch.bool)
                for row, (place, prompt) in enumerate(batch):
                    wanted[row, [order[helped] for helped in _helped(place, prompt)]] = 1
                    is_own[row] = torch.tensor([other == place for other, _ in order])
                helped = wanted.sum(1) > 0
                shares = wanted[helped] / wanted[helped].sum(1, keepdim=True)
                loss = -(shares * torch.log_softmax(near[helped] * scale, 1)).sum(1).mean()
                loss = loss + 3 * nn.functional.binary_cross_entropy_with_logits(
                    (near * slope + bias)[is_own], wanted[is_own]
                )
                steps.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.reader.parameters(), 1.0)
                steps.step()
                rate.step()
                total += loss.item()
            print(f"teacher, epoch {number}: loss {total / len(epoch):.3f}", flush=True)
        self.reader.eval()


def _helped(place: int, prompt: Prompt) -> list[tuple[int, int]]:
    return [(place, memory) for memory in prompt.helps]


def _batches(known: Sequence[Project], chance: random.Random) -> list[list[tuple[int, Prompt]]]:
    """Return prompts with the places of their projects, in batches of four projects: what is near has to differ."""
    order, found = list(range(len(known))), []
    chance.shuffle(order)
    for start in range(0, len(order), 4):
        some = [(place, prompt) for place in order[start : start + 4] for prompt in known[place].prompts]
        chance.shuffle(some)
        found += [some[at : at + TEACHER_BATCH] for at in range(0, len(some), TEACHER_BATCH)]
    found = [batch for batch in found if any(prompt.helps for _, prompt in batch)]
    chance.shuffle(found)
    return found


class Words(nn.Module):
    """A vector for each word: that of the transformer, turned and corrected, as long as the word is telling.

    A word that is not known has that of its package, turned into the same space.
    """

    def __init__(self, meant: torch.Tensor, package: torch.Tensor, uses: torch.Tensor, number: int) -> None:
        super().__init__()
        self.meant, self.package = meant, package
        self.turn = nn.Parameter(torch.eye(DIMENSIONS))
        self.package_turn = nn.Parameter(torch.linalg.lstsq(package, meant).solution)
        self.more, self.loud = nn.Embedding(len(package), DIMENSIONS), nn.Embedding(len(package), 1)
        self.unknown = nn.Parameter(torch.tensor(np.log(np.log(1 + number / 5))).float() - 1)
        nn.init.zeros_(self.more.weight)
        with torch.no_grad():
            self.loud.weight[:, 0] = torch.log(torch.log(1 + number / (uses + 5))) - 1

    def forward(self, texts: Sequence[Sequence[int]]) -> torch.Tensor:
        """Return a vector of length 1 for each text, of which the words are given."""
        words = torch.tensor([word for text in texts for word in text], dtype=torch.long)
        rows = torch.tensor([row for row, text in enumerate(texts) for _ in text], dtype=torch.long)
        each = (self.meant[words] @ self.turn + self.more(words)) * torch.exp(self.loud(words))
        if self.training:
            is_unknown = torch.rand(len(words), 1) < UNSEEN
            each = torch.where(is_unknown, self.package[words] @ self.package_turn * torch.exp(self.unknown), each)
        return unit(torch.zeros(len(texts), DIMENSIONS).index_add(0, rows, each))

    @torch.no_grad()
    def every(self) -> np.ndarray:
        """Return the vectors of all words."""
        rows: np.ndarray = ((self.meant @ self.turn + self.more.weight) * torch.exp(self.loud.weight)).numpy()
        return rows


def fit(known: Sequence[Project], teacher: Teacher, chance: random.Random) -> dict[str, np.ndarray]:
    """Return the fitted numbers as `jobs/word_meanings.py` reads them."""
    texts = [*messages(), *(memory for project in known for memory in project.memories)]
    texts += [prompt.text for project in known for prompt in project.prompts]
    texts = [text for text in dict.fromkeys(texts) if search_words.all_stems(text)]
    uses = Counter(stem for text in texts for stem in search_words.all_stems(text))
    forms = {stem: word.lower() for text in texts for stem, word in search_words.all_stems(text).items()}
    stems = [stem for stem, number in uses.items() if number >= LEAST_USES and not stem.isdigit()]
    places = {stem: place for place, stem in enumerate(stems)}
    print(f"{len(texts)} texts, {len(stems)} words", flush=True)
    package = torch.tensor(word_vectors.load().vectors([forms[stem] for stem in stems]))

    def words_of(text: str) -> list[int]:
        return [places[stem] for stem in search_words.all_stems(text) if stem in places]

    seen = teacher.read(texts)
    _, _, directions = torch.linalg.svd(seen, full_matrices=False)
    space = directions[:DIMENSIONS].T
    meant = unit(seen @ space)
    alone = teacher.read([forms[stem] for stem in stems]) @ space
    counts = torch.tensor([float(uses[stem]) for stem in stems])
    asked, said = Words(alone, package, counts, len(texts)), Words(alone, package, counts, len(texts))
    read = [words_of(text) for text in texts]
    memories = [words_of(memory) for project in known for memory in project.memories]
    starts = np.cumsum([0, *(len(project.memories) for project in known)]).tolist()
    prompts = [
        (words_of(prompt.text), [start + memory for memory in prompt.helps])
        for project, start in zip(known, starts, strict=False)
        for prompt in project.prompts
        if prompt.helps and words_of(prompt.text)
    ]
    scale = nn.Parameter(torch.tensor(15.0))
    steps = torch.optim.Adam(
        [
            {"params": [asked.turn, said.turn, asked.package_turn, said.package_turn], "lr": 5e-4},
            {"params": [asked.more.weight, said.more.weight], "lr": 1e-3},
            {"params": [asked.loud.weight, said.loud.weight, asked.unknown, said.unknown], "lr": 5e-3},
            {"params": [scale], "lr": 1e-2},
        ]
    )
    order = [place for place, text in enumerate(read) if text]
    for epoch in range(1, EPOCHS + 1):
        chance.shuffle(order)
        chance.shuffle(prompts)
        far = helped = 0.0
        for number, start in enumerate(range(0, len(order), BATCH)):
            some = order[start : start + BATCH]
            target, batch = meant[some], [read[place] for place in some]
            apart = 2 - (asked(batch) * target).sum(1).mean() - (said(batch) * target).sum(1).mean()
            chosen = [prompts[(number * PROMPTS + place) % len(prompts)] for place in range(PROMPTS)]
            missed = _missed(asked, said, chosen, memories, scale=scale, chance=chance)
            small = SMALL * (asked.more.weight.square().sum() + said.more.weight.square().sum())
            loss = MEANT * apart + HELPED * missed + small
            steps.zero_grad()
            loss.backward()
            steps.step()
            far, helped = far + apart.item() / 2, helped + missed.item()
        batches = len(order) / BATCH
        print(f"words, epoch {epoch}: {1 - far / batches:.3f} near, {helped / batches:.3f} missed", flush=True)
    return _packed(stems, [forms[stem] for stem in stems], asked.eval(), said.eval())


def _missed(
    asked: Words, said: Words, chosen: Sequence[tuple[list[int], list[int]]], memories: Sequence[list[int]],
    *, scale: torch.Tensor, chance: random.Random,
) -> torch.Tensor:  # fmt: skip
    """Return how far prompts are from finding the memories that help among others."""
    every = {memory for _, helps in chosen for memory in helps} | set(chance.sample(range(len(memories)), OTHERS))
    compared = sorted(memory for memory in every if memories[memory])
    order = {memory: place for place, memory in enumerate(compared)}
    near = torch.log_softmax(asked([words for words, _ in chosen]) @ said([memories[memory] for memory in compared]).T
                             * scale, 1)  # fmt: skip
    rows = [near[row, [order[memory] for memory in helps if memory in order]].mean()
            for row, (_, helps) in enumerate(chosen) if any(memory in order for memory in helps)]  # fmt: skip
    return -torch.stack(rows).mean()


def _packed(stems: Sequence[str], forms: Sequence[str], asked: Words, said: Words) -> dict[str, np.ndarray]:
    named = (("stems", stems), ("words", forms))
    packed = {name: np.frombuffer("\n".join(listed).encode(), np.uint8) for name, listed in named}
    for name, words in (("asked", asked), ("said", said)):
        rows = words.every()
        unknown = (words.package_turn * torch.exp(words.unknown)).detach().numpy()
        unit_ = np.abs(rows).max() / LOUDEST
        packed[name] = np.round(rows / unit_).astype(np.int8)
        packed[f"{name}_unknown"] = (unknown / unit_).astype(np.float16)
    return packed


def unit(rows: torch.Tensor) -> torch.Tensor:
    return nn.functional.normalize(rows, dim=1)


def report(fitted: word_meanings.WordMeanings, held: Sequence[Project]) -> None:
    """Print how often the memory that helps is the nearest, and how well the nearness tells prompts apart."""
    for file in dict.fromkeys(project.file for project in held):
        first, third, helped, others = [], [], [], []
        for project in (project for project in held if project.file == file):
            memories = fitted.memories([search_words.all_stems(memory) for memory in project.memories])
            for prompt in project.prompts:
                near = memories @ fitted.prompt(search_words.all_stems(prompt.text))
                best = np.argsort(-near)
                (helped if prompt.helps else others).append(near.max())
                if prompt.helps:
                    first.append(best[0] in prompt.helps)
                    third.append(bool(set(best[:3].tolist()) & set(prompt.helps)))
        auc = np.mean(np.array(helped)[:, None] > np.array(others)[None])
        print(f"{file}: nearest {np.mean(first):.2f}, of three {np.mean(third):.2f}, told apart {auc:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True, metavar="DIR", help="files of all-MiniLM-L6-v2")
    parser.add_argument("--check", metavar="FILES", default="", help="files to leave out: helps:a,questions:f01")
    parser.add_argument("--target", type=Path, default=TARGET, help="file to write")
    given = parser.parse_args()
    left_out = set(given.check.split(",")) - {""}
    every, chance = projects(), random.Random(0)  # noqa: S311 - the same order in each run
    torch.manual_seed(0)
    known = [project for project in every if project.file not in left_out]
    teacher = Teacher(given.base)
    teacher.fit(known, chance)
    fitted = fit(known, teacher, chance)
    np.savez_compressed(given.target, **fitted)
    report(word_meanings.WordMeanings(fitted), [project for project in every if project.file in left_out])


if __name__ == "__main__":
    main()
