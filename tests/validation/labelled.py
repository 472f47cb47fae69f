"""Build histories, save their memories through the library, check them, and compare with the truth."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from validation.histories import FRESH, LANGUAGES, NONE, REPORTED, Case, History, Language, Unit
from validation.scenes import SCENES

import recollect
from recollect.library.workspace import Workspace


@dataclass
class Figures:
    """How many verdicts are right, and which are not."""

    right: int = 0
    total: int = 0
    wrong: list[str] = field(default_factory=list)
    fresh_but_gone: list[str] = field(default_factory=list)
    by_truth: Counter[str] = field(default_factory=Counter)

    @property
    def accuracy(self) -> float:
        return self.right / self.total if self.total else 0.0

    def add(self, case: Case, state: str, says: str, doubts: Iterable[str]) -> None:
        """Count a verdict; its place and its doubts have to be right too."""
        doubted = " ".join(doubts)
        has_place = case.names_place in says
        has_doubt = case.has_doubt in doubted if case.has_doubt else not doubted
        self.total += 1
        self.by_truth[case.truth] += 1
        if state == case.truth and has_place and has_doubt:
            self.right += 1
            return
        self.wrong.append(f"{case.about}: {case.truth}, found {state} ({says}; {doubted}): {case.text} {case.files}")
        if state == FRESH and case.truth not in (FRESH, NONE):
            self.fresh_but_gone.append(self.wrong[-1])


def measured(folder: Path, seed: int, home: Path, languages: Iterable[Language] = LANGUAGES) -> Figures:
    """Make the repositories of a seed below a folder, and compare every verdict with the truth."""
    figures = Figures()
    for language in languages:
        root = folder / f"{language.name}-{seed}"
        root.mkdir(parents=True)
        chance = random.Random(f"{seed} {language.name}")
        history = History(root, language, chance, is_reported=seed in REPORTED)
        with recollect.open(_begun(history), home=home) as space:
            _lived(history, space, figures)
    return figures


def _begun(history: History) -> Path:
    history.git("init", "-q", "-b", "main", "--template=")
    (history.root / "CHANGELOG.md").write_text("# Changes\n", "utf-8")
    (history.root / "README.md").write_text(
        f"# A program in {history.language.name}\n\nSee GitHub and Next.js.\n", "utf-8"
    )
    history.commit("begin")
    return history.root


def _lived(history: History, space: Workspace, figures: Figures) -> None:
    """Live through a history: files and memories, then what happens, then the check."""
    later = [scene(history) for scene in history.chance.sample(SCENES, len(SCENES))]
    history.write_settings()
    history.commit("write everything")
    for change in history.at_first:
        change()
        history.commit("tidy up")
    uids = dict(_saved(history, space, "first"))
    _learn_elsewhere(history, space, uids)
    before = [uids[number] for number, case in enumerate(history.cases) if case.is_checked_before and number in uids]
    on_main = [uid for uid in before if history.cases[_number(uids, uid)].when != "branch"]
    space.validate(on_main) if on_main else None
    for number, change in enumerate(history.chance.sample(later, len(later))):
        change()
        history.write_settings()
        history.commit(f"work {number}")
    for step in history.at_last:
        step()
    found = {checked.uid: checked.verdict for checked in space.validate().verdicts}
    for number, case in enumerate(history.cases):
        verdict = found.get(uids[number])
        says = (verdict.state, verdict.says, verdict.doubts) if verdict else (NONE, "", ())
        figures.add(case, *says)


def _number(uids: Mapping[int, str], uid: str) -> int:
    return next(number for number, other in uids.items() if other == uid)


def _saved(history: History, space: Workspace, when: str) -> Iterator[tuple[int, str]]:
    for number, case in enumerate(history.cases):
        if case.when == when:
            # Two equal sentences would be one memory.
            made = space.remember(f"{case.text}\n\nNote {number}", title=f"Note {number}", files=case.files)
            yield number, made.memory.uid


def _learn_elsewhere(history: History, space: Workspace, uids: dict[int, str]) -> None:
    """Learn on a branch that stays, on one that is merged, and with a commit that is reverted."""
    _on_branch(history, space, uids, "feature/later", names=history.branch_units, when="branch")
    _on_branch(history, space, uids, "feature/soon", names=history.merged_units, when="merged")
    history.git("merge", "-q", "--no-ff", "-m", "merge soon", "feature/soon")
    for name, path in history.doomed:
        history.units.append(Unit(name, path, []))
        history.write(path)
        history.commit("a mistake")
        uids |= _saved_now(history, space, "doomed")
        history.git("revert", "--no-edit", "HEAD")
        history.units.pop()


def _on_branch(
    history: History, space: Workspace, uids: dict[int, str], branch: str, *, names: list[str], when: str
) -> None:  # fmt: skip
    history.git("checkout", "-q", "-b", branch)
    kept = list(history.units)
    path = history.new(history.file_name)
    history.units += [Unit(name, path, []) for name in names]
    history.write(path)
    history.commit("on a branch")
    uids |= _saved_now(history, space, when)
    history.git("checkout", "-q", "main")
    history.units = kept


def _saved_now(history: History, space: Workspace, when: str) -> dict[int, str]:
    """Save the memories of a time; the project is opened anew, as a session of that time would do it."""
    with recollect.open(history.root, home=space.project_context.env["RECOLLECT_HOME"]) as now:
        return dict(_saved(history, now, when))
