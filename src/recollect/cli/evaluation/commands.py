"""How well recall finds, measured: `recollect eval`."""

import contextlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

import click

from recollect import machine
from recollect.cli import output
from recollect.cli.face import opened
from recollect.cli.main import EXIT_CODES, json_option, load, main
from recollect.errors import DiskRefused
from recollect.evaluation import datasets, measures, own, running
from recollect.evaluation.measures import Answer, Interval, Summary
from recollect.evaluation.running import Result
from recollect.recall.search import PROFILES

SESSIONS = "sessions"
SCORE_HEADS = ("recall@1", "@5", "@10", "any@5", "NDCG@10", "MRR", "false recall")
COST_HEADS = ("superseded", "tokens", "ms", "ms p95")
NOTHING = "-"
REPLAYED = ("capture", "sessions")
NOTE = """Percentages, ± half of their 95 % interval; tokens: shown per question; ms: median and 95th percentile.
grep and fts5 search every memory that was ever saved, superseded ones too, and always show their first five."""


@dataclass(frozen=True, slots=True)
class Part:
    """Answers that are reported together, by system; an empty name is the headline."""

    name: str
    answers: dict[str, list[Answer]]


@main.command("eval", epilog=EXIT_CODES)
@click.option(
    "--dataset",
    type=click.Choice([*datasets.DATASETS, *REPLAYED]),
    help="What to measure; `coding`, `capture` and `sessions` are shipped.",
)
@click.option("--data", type=click.Path(path_type=Path), help="The data set's file; for `coding`, a folder like ours.")
@click.option(
    "--half", type=click.Choice(datasets.HALVES), default="test", show_default=True, help="Which half of a shipped set."
)
@click.option("--own", "is_own", is_flag=True, help="Ask about this project's memories, in a copy of the store.")
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    type=click.Choice(list(PROFILES)),
    help="Only this ranking; may be repeated.",
)
@click.option("--by", type=click.Choice(["group"]), help="Also show each group of questions, for the first ranking.")
@click.option(
    "--results", type=click.Path(dir_okay=False, path_type=Path), help="Write every answer there, as JSON lines."
)
@click.option("--limit", "-n", type=click.IntRange(1, 1_000_000), help="Only the first so many questions.")
@json_option
def evaluate(
    *, as_json: bool, dataset: str | None, data: Path | None, half: str, is_own: bool, profiles: tuple[str, ...],
    by: str | None, results: Path | None, limit: int | None,
) -> None:  # fmt: skip
    """Measure recall: every ranking beside grep and a plain full-text index; and capture.

    Everything runs on this machine, in temporary stores. `locomo` and `beam` take the data sets' own files; `coding`
    is a repository's history with the prompts of its developers. `--own` asks for your memories by words of their
    bodies, and again for what agents were told. `capture` replays labelled sessions and compares what is filed;
    `sessions` goes on with the prompts of the next one and compares what it is told.
    """
    if dataset in REPLAYED:
        if profiles or by or is_own:
            raise click.UsageError(f"--profile, --by and --own mean nothing for {dataset}.")
        load("evaluation.replaying").replay(dataset, data, half, results, limit, as_json=as_json)
        return
    if bool(dataset) == is_own:
        raise click.UsageError("Give either --dataset or --own.")
    chosen = tuple(dict.fromkeys(profiles)) or tuple(PROFILES)
    asking = _asking_own(chosen, limit, as_json=as_json) if is_own else _asking(str(dataset), data, half, chosen, limit)
    with asking as (number, answers), _written(results) as file:
        found = _counted(answers, number, is_shown=sys.stderr.isatty() and not as_json)
        if file:
            _write(file, found)
    about = {"dataset": dataset or "own", **({"half": half} if dataset == "coding" else {})}
    if as_json:
        output.print_json(_report(about, found, chosen[0]))
    else:
        _print(about, found, chosen[0], by_group=bool(by))


@contextlib.contextmanager
def _asking(
    dataset: str, data: Path | None, half: str, profiles: Sequence[str], limit: int | None
) -> Iterator[tuple[int, Iterator[Result]]]:
    cases = datasets.first(datasets.load(dataset, data, half), limit)
    yield running.count(cases, profiles), running.run(cases, profiles)


@contextlib.contextmanager
def _asking_own(
    profiles: Sequence[str], limit: int | None, *, as_json: bool
) -> Iterator[tuple[int, Iterator[Result]]]:  # fmt: skip
    with opened(as_json=as_json) as workspace, own.copied(workspace.context) as (path, case):
        cases = datasets.first([case], limit)
        yield running.count(cases, profiles), running.ask(path, cases[0], profiles)


def _counted(answers: Iterator[Result], number: int, *, is_shown: bool) -> list[Result]:
    if not is_shown:
        return list(answers)
    with click.progressbar(
        answers, length=number, label="Asking", file=sys.stderr, show_eta=False, show_pos=True
    ) as bar:
        return list(bar)


@contextlib.contextmanager
def _written(place: Path | None) -> Iterator[TextIO | None]:
    """The file for the answers, opened before the first question: nobody waits to learn that it cannot be."""
    if place is None:
        yield None
        return
    try:
        descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, machine.FILE_MODE)
    except OSError as error:
        raise DiskRefused(f"cannot be written: {error.strerror}", target=place) from None
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        yield file


def _write(file: TextIO, found: Iterable[Result]) -> None:
    try:
        file.writelines(f"{json.dumps(_answer_dict(one))}\n" for one in found)
        file.flush()
    except OSError as error:
        raise DiskRefused(f"cannot be written: {error.strerror}", target=file.name) from None


def _answer_dict(one: Result) -> dict[str, Any]:
    question, answer = one.question, one.answer
    sessions = {"gold": sorted(one.sessions.gold), "ranked": one.sessions.ranked} if one.sessions else None
    return {
        "system": one.system, "case": one.case, "id": question.id, "group": question.group, "half": question.half,
        "part": question.part, **asdict(answer), "gold": sorted(answer.gold), "sessions": sessions,
    }  # fmt: skip


# -- what it comes to -----------------------------------------------------------------------------------------------


def _parts(found: Sequence[Result]) -> list[Part]:
    """The headline first, then its sessions, then what is reported apart."""
    answers: dict[str, dict[str, list[Answer]]] = {}
    for one in found:
        answers.setdefault(one.question.part, {}).setdefault(one.system, []).append(one.answer)
        if one.sessions and not one.question.part:
            answers.setdefault(SESSIONS, {}).setdefault(one.system, []).append(one.sessions)
    return [Part(name, given) for name, given in answers.items()]


def _groups(found: Sequence[Result], profile: str) -> dict[str, Summary]:
    answers: dict[str, list[Answer]] = {}
    for one in found:
        if one.system == profile:
            answers.setdefault(one.question.group, []).append(one.answer)
    return {group: measures.summary(given) for group, given in sorted(answers.items())}


def _headline(found: Sequence[Result], profile: str) -> list[Answer]:
    return [one.answer for one in found if one.system == profile and not one.question.part]


def _report(about: dict[str, str], found: Sequence[Result], profile: str) -> dict[str, Any]:
    headline = _headline(found, profile)
    return {
        **about,
        "parts": [
            {
                "name": part.name or "all",
                "systems": {name: _summary_dict(measures.summary(given)) for name, given in part.answers.items()},
            }
            for part in _parts(found)
        ],
        "groups": {name: _summary_dict(one) for name, one in _groups(found, profile).items()},
        "abstention": {
            "profile": profile,
            "recall_kept": _rounded(measures.recall_shown(headline)),
            "false_recall": _rounded(measures.false_recall(headline)),
            "curve": [asdict(step) for step in measures.curve(headline)],
        },
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _summary_dict(one: Summary) -> dict[str, Any]:
    score: dict[str, Any] = {}
    if one.score and one.recall_5 and one.recall_10:
        for cut, recall, some in zip(measures.CUTS, one.score.recall, one.score.any, strict=True):
            score |= {f"recall@{cut}": _rounded(recall), f"any@{cut}": _rounded(some)}
        score |= {"ndcg@10": _rounded(one.score.ndcg), "mrr": _rounded(one.score.mrr)}
        for cut, interval in ((5, one.recall_5), (10, one.recall_10)):
            score[f"recall@{cut}_interval"] = [_rounded(interval.low), _rounded(interval.high)]
    costs = {"tokens": round(one.tokens, 1), "ms_median": round(one.ms_median, 2), "ms_p95": round(one.ms_p95, 2)}
    counts = {"questions": one.questions, "with_gold": one.with_gold, "with_nothing": one.with_nothing}
    return {
        **counts, **score, "false_recall": _rounded(one.false_recall), "superseded_shown": one.superseded, **costs,
    }  # fmt: skip


# -- as people read it ----------------------------------------------------------------------------------------------


def _print(about: dict[str, str], found: Sequence[Result], profile: str, *, by_group: bool) -> None:
    title = " ".join(filter(None, (about["dataset"], about.get("half"))))
    for part in _parts(found):
        summaries = {name: measures.summary(given) for name, given in part.answers.items()}
        _print_heading(", ".join(filter(None, (title, part.name))), next(iter(summaries.values())))
        # A session is neither shown nor timed by itself.
        is_whole = part.name != SESSIONS
        rows = [[name, *_scores(one), *(_costs(one) if is_whole else ())] for name, one in summaries.items()]
        output.print_table(["system", *SCORE_HEADS, *(COST_HEADS if is_whole else ())], rows)
        click.echo()
    if by_group:
        _print_groups(found, profile)
    _print_abstention(_headline(found, profile), profile)
    click.echo(click.style(NOTE, dim=True))


def _print_heading(title: str, one: Summary) -> None:
    says = f"{one.questions} questions"
    if one.with_gold + one.with_nothing > one.questions:
        says += " that only sound as if something answered them; recall is of what they allude to"
    elif one.with_nothing:
        says += f", {one.with_nothing} of them with nothing to recall"
    click.echo(f"{click.style(title, bold=True)}: {says}")


def _print_groups(found: Sequence[Result], profile: str) -> None:
    rows = [[name, str(one.questions), *_scores(one)] for name, one in _groups(found, profile).items()]
    output.print_table([profile, "questions", *SCORE_HEADS], rows)
    click.echo()


def _print_abstention(answers: Sequence[Answer], profile: str) -> None:
    """How much of the recall stays if the ranking speaks only when it is sure, and how often it speaks in vain."""
    kept, wrong = measures.recall_shown(answers), measures.false_recall(answers)
    if kept is None or wrong is None:
        return
    rows = [
        [f"{one.threshold:.3g}", _percent(one.recall_kept), _percent(one.false_recall)]
        for one in measures.curve(answers)
    ]
    heads = [f"{profile}, certain from", "recall@5 kept", "false recall"]
    output.print_table(heads, [*rows, ["as shipped", _percent(kept), _percent(wrong)]])
    click.echo()


def _scores(one: Summary) -> list[str]:
    if one.score is None:
        return [NOTHING] * (len(SCORE_HEADS) - 1) + [_percent(one.false_recall)]
    first, five, ten = one.score.recall
    return [
        _percent(first), _percent(five, one.recall_5), _percent(ten, one.recall_10), _percent(one.score.any[1]),
        _percent(one.score.ndcg), _percent(one.score.mrr), _percent(one.false_recall),
    ]  # fmt: skip


def _costs(one: Summary) -> list[str]:
    return [str(one.superseded), f"{one.tokens:.0f}", f"{one.ms_median:.1f}", f"{one.ms_p95:.1f}"]


def _percent(share: float | None, within: Interval | None = None) -> str:
    if share is None:
        return NOTHING
    return f"{100 * share:.1f}{f' ±{100 * within.margin:.1f}' if within else ''}"
