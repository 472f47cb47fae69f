"""`recollect eval`: measure recall on data sets and print tables or JSON."""

import contextlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import click

from recollect import machine
from recollect.errors import DiskRefused
from recollect.evaluation import datasets, measures, own_store, running
from recollect.evaluation.measures import Answer, Interval, Summary
from recollect.evaluation.running import Result
from recollect.faces.cli import output
from recollect.faces.cli.main import EXIT_CODES, json_option, load, main
from recollect.faces.cli.shared import opened
from recollect.model.recall_values import PROFILES

SESSIONS = "sessions"
SCORE_HEADS = ("recall@1", "@5", "@10", "any@5", "NDCG@10", "MRR", "false recall")
COST_HEADS = ("superseded", "tokens", "ms", "ms p95")
NOTHING = "-"
REPLAYED = ("capture", "sessions")
CONVERSATIONS = ("statements", "questions")
TRANSCRIPTS, YEAR = "transcripts", "year"
NOTE = """Scores are percentages; ± is half of their 95 % interval.
false recall: questions without an answer for which something is shown
superseded: replaced memories among the first ten, over all questions
tokens: shown per question; ms: median and 95th percentile of the time
grep and fts5 search all memories, superseded ones too, and always show five."""


@dataclass(frozen=True, slots=True)
class Part:
    """Answers that are reported in one table, by system; the main table has an empty name."""

    name: str
    answers: dict[str, list[Answer]]


class Played(NamedTuple):
    """The options of a data set that is played: where it is, which half, and where results go."""

    data: Path | None
    half: str
    labels: Path | None
    results: Path | None
    review: Path | None
    limit: int | None
    days: int
    seed: int
    plot: Path | None


@main.command("eval", epilog=EXIT_CODES)
@click.option(
    "--dataset",
    type=click.Choice([*datasets.DATASETS, *REPLAYED, *CONVERSATIONS, TRANSCRIPTS, YEAR]),
    help="The data set; recollect[eval] installs `coding`, `capture` and `sessions`.",
)
@click.option(
    "--data", type=click.Path(path_type=Path), help="The data set's file; for `coding` and `transcripts`, its folder."
)
@click.option(
    "--half",
    type=click.Choice(datasets.HALVES),
    default="test",
    show_default=True,
    help="Which half of an installed data set.",
)
@click.option("--own", "is_own", is_flag=True, help="Measure on this project's memories, in a copy of the store.")
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    type=click.Choice(list(PROFILES)),
    help="Only this ranking; repeatable.",
)
@click.option("--by", type=click.Choice(["group"]), help="Also show each group of questions, for the first ranking.")
@click.option(
    "--results", type=click.Path(dir_okay=False, path_type=Path), help="Write every answer to this file, as JSON lines."
)
@click.option(
    "--limit", "-n", type=click.IntRange(1, 1_000_000), help="Only the first questions or sessions, this many."
)
@click.option(
    "--labels", type=click.Path(file_okay=False, path_type=Path), help="The folder of the labels; for `transcripts`."
)
@click.option(
    "--review", type=click.Path(dir_okay=False, path_type=Path), help="Write a page to label on; for `transcripts`."
)
@click.option("--days", type=click.IntRange(1, 4_000), default=400, show_default=True, help="Days; for `year`.")
@click.option("--seed", type=int, default=0, show_default=True, help="Which year is simulated; for `year`.")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="Write a plot as SVG; for `year`.")
@json_option
def evaluate(
    *, as_json: bool, dataset: str | None, data: Path | None, half: str, is_own: bool, profiles: tuple[str, ...],
    by: str | None, results: Path | None, limit: int | None, labels: Path | None, review: Path | None, days: int,
    seed: int, plot: Path | None,
) -> None:  # fmt: skip
    """Measure the quality of recall and capture.

    Needs --dataset or --own. Everything runs on this machine, in temporary stores.

    \b
    coding        recall: a repository's history and its developers' prompts
    locomo, beam  recall: public data sets; give their file with --data
    --own         recall: finds your memories by words of their texts, and what
                  was told before by the words of its prompt
    capture       replays labelled sessions and compares the saved memories
    sessions      like capture, then compares what later prompts are told
    statements    plays prompts, one a session: which lasting statements and
                  which requests are kept, which pairs are taken for reversals
    questions     saves memories and sends prompts: which are told, and when
                  nothing is; give a file or folder of both with --data
    transcripts   replays the transcripts of a folder (--data) and compares
                  what was kept and told with labels
    year          simulates a year of sessions with upkeep and without: active
                  memories, and recall of the tune half of `coding` among them

    Recall is compared with grep and a plain full-text index (fts5).
    """  # noqa: D301 - \b keeps these lines as they are in --help
    if dataset != TRANSCRIPTS and (labels or review):
        raise click.UsageError("--labels and --review can only be used with --dataset transcripts.")
    if dataset != YEAR and plot:
        raise click.UsageError("--plot can only be used with --dataset year.")
    if dataset in (*REPLAYED, *CONVERSATIONS, TRANSCRIPTS, YEAR):
        if profiles or by or is_own:
            raise click.UsageError(f"--profile, --by and --own cannot be used with --dataset {dataset}.")
        _play(dataset, Played(data, half, labels, results, review, limit, days, seed, plot), as_json=as_json)
        return
    if bool(dataset) == is_own:
        raise click.UsageError("Give --dataset NAME or --own, not both.")
    chosen = tuple(dict.fromkeys(profiles)) or tuple(PROFILES)
    run = _run_own(chosen, limit, as_json=as_json) if is_own else _run(str(dataset), data, half, chosen, limit)
    with run as (number, answers), _opened(results) as file:
        found = _with_progress(answers, number, is_shown=sys.stderr.isatty() and not as_json)
        if file:
            _write(file, found)
    about = {"dataset": dataset or "own", **({"half": half} if dataset == "coding" else {})}
    if as_json:
        output.print_json(_report(about, found, chosen[0]))
    else:
        _print(about, found, chosen[0], by_group=bool(by))


def _play(dataset: str, given: Played, *, as_json: bool) -> None:
    """Replay sessions, transcripts or short conversations, and print the measures."""
    if dataset in REPLAYED:
        load("evaluation.replaying").replay(
            dataset, given.data, given.half, given.results, given.limit, as_json=as_json
        )
    elif dataset == YEAR:
        load("evaluation.year").measure(given.days, given.seed, given.plot, given.limit, as_json=as_json)
    elif given.data is None:
        raise click.UsageError(f"Give the data with --data: a folder, or for {', '.join(CONVERSATIONS)} also a file.")
    elif dataset == TRANSCRIPTS:
        load("evaluation.transcripts").measure(
            given.data, given.labels, given.results, given.review, given.limit, as_json=as_json
        )
    else:
        load("evaluation.conversations").play(dataset, given.data, given.results, given.limit, as_json=as_json)


@contextlib.contextmanager
def _run(
    dataset: str, data: Path | None, half: str, profiles: Sequence[str], limit: int | None
) -> Iterator[tuple[int, Iterator[Result]]]:
    cases = datasets.first(datasets.load(dataset, data, half), limit)
    yield running.count(cases, profiles), running.run(cases, profiles)


@contextlib.contextmanager
def _run_own(
    profiles: Sequence[str], limit: int | None, *, as_json: bool
) -> Iterator[tuple[int, Iterator[Result]]]:  # fmt: skip
    with opened(as_json=as_json) as workspace, own_store.copied(workspace.project_context) as (path, case):
        cases = datasets.first([case], limit)
        yield running.count(cases, profiles), running.ask(path, cases[0], profiles)


def _with_progress(answers: Iterator[Result], number: int, *, is_shown: bool) -> list[Result]:
    if not is_shown:
        return list(answers)
    with click.progressbar(
        answers, length=number, label="Questions", file=sys.stderr, show_eta=False, show_pos=True
    ) as bar:
        return list(bar)


@contextlib.contextmanager
def _opened(place: Path | None) -> Iterator[TextIO | None]:
    """Open the file for the answers, None without one; before the first question, so that an error comes at once."""
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
        file.writelines(f"{json.dumps(_answer_dict(result))}\n" for result in found)
        file.flush()
    except OSError as error:
        raise DiskRefused(f"cannot be written: {error.strerror}", target=file.name) from None


def _answer_dict(result: Result) -> dict[str, Any]:
    question, answer = result.question, result.answer
    sessions = {"gold": sorted(result.sessions.gold), "ranked": result.sessions.ranked} if result.sessions else None
    return {
        "system": result.system, "case": result.case, "id": question.id, "group": question.group, "half": question.half,
        "part": question.part, **asdict(answer), "gold": sorted(answer.gold), "sessions": sessions,
    }  # fmt: skip


# -- totals ---------------------------------------------------------------------------------------------------------


def _parts(found: Sequence[Result]) -> list[Part]:
    """Return the main table first, then its sessions, then the parts that are reported apart."""
    answers: dict[str, dict[str, list[Answer]]] = {}
    for result in found:
        answers.setdefault(result.question.part, {}).setdefault(result.system, []).append(result.answer)
        if result.sessions and not result.question.part:
            answers.setdefault(SESSIONS, {}).setdefault(result.system, []).append(result.sessions)
    return [Part(name, given) for name, given in answers.items()]


def _groups(found: Sequence[Result], profile: str) -> dict[str, Summary]:
    answers: dict[str, list[Answer]] = {}
    for result in found:
        if result.system == profile:
            answers.setdefault(result.question.group, []).append(result.answer)
    return {group: measures.summary(given) for group, given in sorted(answers.items())}


def _main_answers(found: Sequence[Result], profile: str) -> list[Answer]:
    return [result.answer for result in found if result.system == profile and not result.question.part]


def _report(about: dict[str, str], found: Sequence[Result], profile: str) -> dict[str, Any]:
    answers = _main_answers(found, profile)
    return {
        **about,
        "parts": [
            {
                "name": part.name or "all",
                "systems": {name: _summary_dict(measures.summary(given)) for name, given in part.answers.items()},
            }
            for part in _parts(found)
        ],
        "groups": {name: _summary_dict(group) for name, group in _groups(found, profile).items()},
        "abstention": {
            "profile": profile,
            "recall_kept": _rounded(measures.recall_shown(answers)),
            "false_recall": _rounded(measures.false_recall(answers)),
            "curve": [asdict(step) for step in measures.curve(answers)],
        },
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _summary_dict(summary: Summary) -> dict[str, Any]:
    score: dict[str, Any] = {}
    if summary.score and summary.recall_5 and summary.recall_10:
        for cut, recall, some in zip(measures.CUTS, summary.score.recall, summary.score.any, strict=True):
            score |= {f"recall@{cut}": _rounded(recall), f"any@{cut}": _rounded(some)}
        score |= {"ndcg@10": _rounded(summary.score.ndcg), "mrr": _rounded(summary.score.mrr)}
        for cut, interval in ((5, summary.recall_5), (10, summary.recall_10)):
            score[f"recall@{cut}_interval"] = [_rounded(interval.low), _rounded(interval.high)]
    costs = {
        "tokens": round(summary.tokens, 1),
        "ms_median": round(summary.ms_median, 2),
        "ms_p95": round(summary.ms_p95, 2),
    }
    counts = {"questions": summary.questions, "with_gold": summary.with_gold, "with_nothing": summary.with_nothing}
    return {
        **counts, **score, "false_recall": _rounded(summary.false_recall),
        "superseded_shown": summary.superseded, **costs,
    }  # fmt: skip


# -- tables ---------------------------------------------------------------------------------------------------------


def _print(about: dict[str, str], found: Sequence[Result], profile: str, *, by_group: bool) -> None:
    title = " ".join(filter(None, (about["dataset"], about.get("half"))))
    for part in _parts(found):
        summaries = {name: measures.summary(given) for name, given in part.answers.items()}
        _print_heading(", ".join(filter(None, (title, part.name))), next(iter(summaries.values())))
        has_costs = part.name != SESSIONS  # sessions are neither shown nor timed by themselves
        rows = [[name, *_scores(row), *(_costs(row) if has_costs else ())] for name, row in summaries.items()]
        output.print_table(["system", *SCORE_HEADS, *(COST_HEADS if has_costs else ())], rows)
        click.echo()
    if by_group:
        _print_groups(found, profile)
    _print_abstention(_main_answers(found, profile), profile)
    click.echo(click.style(NOTE, dim=True))


def _print_heading(title: str, summary: Summary) -> None:
    heading = output.number(summary.questions, "question")
    if summary.with_gold + summary.with_nothing > summary.questions:
        heading += " without a true answer; recall counts the memories that they seem to be about"
    elif summary.with_nothing:
        heading += f", {summary.with_nothing} of them without an answer"
    click.echo(f"{click.style(title, bold=True)}: {heading}")


def _print_groups(found: Sequence[Result], profile: str) -> None:
    rows = [[name, str(group.questions), *_scores(group)] for name, group in _groups(found, profile).items()]
    output.print_table([profile, "questions", *SCORE_HEADS], rows)
    click.echo()


def _print_abstention(answers: Sequence[Answer], profile: str) -> None:
    """Print, per threshold of certainty, how much recall@5 remains and how much false recall; nothing if unknown."""
    kept, wrong = measures.recall_shown(answers), measures.false_recall(answers)
    if kept is None or wrong is None:
        return
    rows = [
        [f"{step.threshold:.3g}", _percent(step.recall_kept), _percent(step.false_recall)]
        for step in measures.curve(answers)
    ]
    heads = [f"{profile}, least certainty", "recall@5 kept", "false recall"]
    output.print_table(heads, [*rows, ["as configured", _percent(kept), _percent(wrong)]])
    click.echo()


def _scores(summary: Summary) -> list[str]:
    if summary.score is None:
        return [NOTHING] * (len(SCORE_HEADS) - 1) + [_percent(summary.false_recall)]
    first, five, ten = summary.score.recall
    return [
        _percent(first), _percent(five, summary.recall_5), _percent(ten, summary.recall_10),
        _percent(summary.score.any[1]), _percent(summary.score.ndcg), _percent(summary.score.mrr),
        _percent(summary.false_recall),
    ]  # fmt: skip


def _costs(summary: Summary) -> list[str]:
    return [str(summary.superseded), f"{summary.tokens:.0f}", f"{summary.ms_median:.1f}", f"{summary.ms_p95:.1f}"]


def _percent(share: float | None, within: Interval | None = None) -> str:
    if share is None:
        return NOTHING
    return f"{100 * share:.1f}{f' ±{100 * within.margin:.1f}' if within else ''}"
