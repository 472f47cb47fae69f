"""The scenes of a history: each adds files and memories, and returns what happens to them later."""

from collections.abc import Callable

from validation.histories import (
    AT_LEAST,
    CAPITALISED,
    COMMAND,
    CONSTANT,
    FRESH,
    LANGUAGES,
    LONG,
    METHOD,
    MOVED,
    NEVER,
    NONE,
    PARAMETERS,
    PAST,
    PATH,
    PROSE,
    STALE,
    SYMBOL,
    UNVERIFIABLE,
    VERSION,
    WITH_HOME,
    History,
    Unit,
)

Later = Callable[[], None]


def nothing() -> None:
    """Nothing happens."""


def path_names(path: str) -> dict[str, str]:
    return {"path": path, "base": path.rpartition("/")[2]}


def a_file_stays(history: History) -> Later:
    path, _ = history.file_with()
    history.add(history.say(PATH, **path_names(path)), FRESH, "file stays")
    return nothing


def a_file_is_edited(history: History) -> Later:
    path, units = history.file_with()
    history.add(history.say(PATH, **path_names(path)), FRESH, "file edited")
    history.add("The order of the steps matters here", FRESH, "anchor edited", files=(path,))

    def later() -> None:
        units[0].body = "changed"
        history.write(path)

    return later


def a_file_is_renamed(history: History) -> Later:
    path, _ = history.file_with()
    new = history.new(history.file_name)
    history.add(history.say(PATH, **path_names(path)), MOVED, "file renamed", names_place=new)
    history.add("Read it before changing the retries", MOVED, "anchor renamed", files=(path,), names_place=new)
    return lambda: history.move_file(path, new)


def a_file_is_renamed_twice_and_edited(history: History) -> Later:
    path, units = history.file_with(3)
    first, second = history.new(history.file_name), history.new(history.file_name)
    history.add(history.say(PATH, **path_names(path)), MOVED, "file renamed twice", names_place=second)

    def later() -> None:
        history.move_file(path, first)
        history.commit("move")
        units[0].body = "edited"
        history.write(first)
        history.commit("edit")
        history.move_file(first, second)

    return later


def a_folder_is_moved(history: History) -> Later:
    top = history.language.top
    folder = history.new(lambda: f"{top}/{history.chance.choice(FOLDER_NAMES)}{history.chance.randint(1, 99)}")
    paths = [history.file_with()[0] for _ in range(2)]
    inside = [f"{folder}/{path.rpartition('/')[2]}" for path in paths]
    for path, new in zip(paths, inside, strict=True):
        (history.root / new).parent.mkdir(parents=True, exist_ok=True)
        (history.root / path).rename(history.root / new)
        for unit in history.units:
            unit.path = new if unit.path == path else unit.path
    target = history.new(lambda: f"{top}/{history.chance.choice(FOLDER_NAMES)}_{history.chance.randint(100, 999)}")
    history.add(f"Everything about tariffs is in `{folder}/`", MOVED, "folder moved", names_place=target)
    said = history.say(PATH, **path_names(inside[0]))
    names_folder = folder in said  # a bare name holds in the new folder too
    truth, place = (MOVED, target) if names_folder else (FRESH, "")
    history.add(said, truth, "file of a moved folder", names_place=place)
    return lambda: [history.move_file(new, new.replace(folder, target)) for new in inside] and None


FOLDER_NAMES = ("legacy", "pricing", "shared", "vendorx", "bridge", "adapters")


def a_file_is_deleted(history: History) -> Later:
    path, units = history.file_with()
    history.add(history.say(PATH, **path_names(path)), STALE, "file deleted")
    history.add("It was written in a hurry", STALE, "anchor deleted", files=(path,))
    history.add(history.say(SYMBOL, name=units[0].name), STALE, "function of a deleted file")

    def later() -> None:
        history.units = [unit for unit in history.units if unit.path != path]
        history.write(path)

    return later


def a_file_comes_back(history: History) -> Later:
    path, _units = history.file_with()
    history.add(history.say(PATH, **path_names(path)), FRESH, "file deleted and written again")

    def later() -> None:
        (history.root / path).unlink()
        history.commit("drop")
        history.write(path)

    return later


def a_file_is_deleted_without_a_commit(history: History) -> Later:
    path, _ = history.file_with()
    history.add(history.say(PATH, **path_names(path)), STALE, "file deleted, not committed")
    history.at_last.append((history.root / path).unlink)
    return nothing


def a_function_stays(history: History) -> Later:
    path, units = history.file_with()
    history.add(history.say(SYMBOL, name=units[0].name), FRESH, "function stays")
    history.add(history.say(SYMBOL, name=units[-1].name), FRESH, "class stays")
    history.add(history.say(WITH_HOME, name=units[1].name, path=path), FRESH, "function stays at home")
    return nothing


def a_function_is_deleted(history: History) -> Later:
    path, units = history.file_with(3)
    history.add(history.say(SYMBOL, name=units[0].name), STALE, "function deleted")
    history.add(history.say(WITH_HOME, name=units[1].name, path=path), STALE, "function deleted, file stays")

    def later() -> None:
        history.drop(units[0])
        history.drop(units[1])

    return later


def a_class_is_renamed(history: History) -> Later:
    path, units = history.file_with()
    history.add(history.say(SYMBOL, name=units[-1].name), STALE, "class renamed")
    new = history.new(history.class_name)

    def later() -> None:
        units[-1].name = new
        history.write(path)

    return later


def a_deleted_function_is_still_mentioned(history: History) -> Later:
    path, units = history.file_with()
    name = units[0].name
    history.add(history.say(SYMBOL, name=name), STALE, "function deleted, mentioned in a comment and a changelog")

    def later() -> None:
        history.drop(units[0])
        place = history.root / path
        sign = "#" if history.language.name == "python" else "//"
        place.write_text(f"{sign} {name} went away\n" + place.read_text("utf-8"), "utf-8")
        log = history.root / "CHANGELOG.md"
        log.write_text(log.read_text("utf-8") + f"- `{name}()` was removed\n", "utf-8")

    return later


def a_function_moves_to_another_file(history: History) -> Later:
    path, units = history.file_with(3)
    other, _ = history.file_with()
    history.add(history.say(WITH_HOME, name=units[0].name, path=path), MOVED, "function moved", names_place=other)
    history.add(history.say(SYMBOL, name=units[1].name), FRESH, "function moved, no file named")

    def later() -> None:
        units[0].path = units[1].path = other
        history.write(path)
        history.write(other)

    return later


def a_file_with_a_function_is_renamed(history: History) -> Later:
    path, units = history.file_with()
    new = history.new(history.file_name)
    history.add(
        history.say(WITH_HOME, name=units[0].name, path=path), MOVED, "file of a function renamed", names_place=new
    )
    return lambda: history.move_file(path, new)


def a_parameter_goes(history: History) -> Later:
    path, units = history.file_with(2)
    for unit in units[:2]:
        unit.parameters = history.parameter_names()
    history.write(path)
    first, second, third = units[0].parameters
    history.add(
        history.say(PARAMETERS, name=units[0].name, first=first, second=second, third=third), STALE, "parameter gone"
    )
    first, second, third = units[1].parameters
    history.add(
        history.say(PARAMETERS, name=units[1].name, first=first, second=second, third=third), FRESH, "parameters stay"
    )
    history.add(history.say(SYMBOL, name=units[0].name), FRESH, "signature changed, no parameter named")

    def later() -> None:
        units[0].parameters = [units[0].parameters[0], "somethingElse", units[0].parameters[2]]
        history.write(path)

    return later


def commands(history: History) -> Later:
    kept, gone = (
        history.new(lambda: f"{history.chance.choice(VERBS_OF_TASKS)}-{history.chance.choice(TASKS)}") for _ in "ab"
    )
    history.tasks += [kept, gone]
    runner = "npm run" if history.language.name == "typescript" else "make"
    history.add(history.say(COMMAND, name=kept, runner=runner), FRESH, "command stays")
    history.add(history.say(COMMAND, name=gone, runner=runner), STALE, "command gone")
    history.add(history.say(COMMAND, name="warp-nine", runner=runner), UNVERIFIABLE, "command never was")
    return lambda: history.tasks.remove(gone)


VERBS_OF_TASKS = ("seed", "lint", "bump", "pack", "sync", "probe")
TASKS = ("db", "docs", "assets", "schemas", "images", "locks")


def versions(history: History) -> Later:
    kept, bumped, loose, _ = history.language.packages
    history.versions |= {kept: "3.4.1", bumped: "1.8.2", loose: "5.0.0"}
    history.add(
        history.say(VERSION, name=kept, version=history.chance.choice(["3.4.1", "3.4"])), FRESH, "version stays"
    )
    history.add(
        history.say(VERSION, name=bumped, version=history.chance.choice(["1.8.2", "1.8"])), STALE, "version bumped"
    )
    history.add(history.say(AT_LEAST, name=loose, version="4.2.0"), FRESH, "at least a version")
    history.add("Requests took 1.8.2 times as long on Tuesday, port 8080", NONE, "a number that is no version")

    def later() -> None:
        history.versions |= {bumped: "2.1.0", loose: "5.6.0"}

    return later


def what_is_said_to_be_gone(history: History) -> Later:
    _path, units = history.file_with(2)
    gone, kept = units[0].name, units[1].name
    history.at_first.append(lambda: history.drop(units[0]))
    history.add(history.say(PAST, gone=gone, kept=kept), FRESH, "said to be gone, and gone")
    _, others = history.file_with(2)
    history.add(history.say(PAST, gone=gone, kept=others[0].name), STALE, "the successor is gone too")
    return lambda: history.drop(others[0])


def what_never_was(history: History) -> Later:
    for make in (history.function_name, history.class_name):
        history.add(history.say(NEVER, name=history.new(make)), UNVERIFIABLE, "never in the code")
    history.add("The runbook is at https://wiki.example.com/ops/deploy.py", UNVERIFIABLE, "an address")
    history.add(history.chance.choice(PROSE), NONE, "prose")
    history.add(history.chance.choice(PROSE), NONE, "prose")
    return nothing


def a_branch_is_not_merged(history: History) -> Later:
    _, units = history.file_with()
    there, here = history.new(history.function_name), units[0].name
    history.branch_units.append(there)
    doubt = "not merged"
    history.add(history.say(SYMBOL, name=there), UNVERIFIABLE, "only on a branch", when="branch", has_doubt=doubt)
    history.add(history.say(SYMBOL, name=here), FRESH, "learnt on a branch, here too", when="branch", has_doubt=doubt)
    merged = history.new(history.function_name)
    history.merged_units.append(merged)
    history.add(history.say(SYMBOL, name=merged), FRESH, "learnt on a branch that was merged", when="merged")
    return nothing


def a_commit_is_reverted(history: History) -> Later:
    path, units = history.file_with()
    name = history.new(history.function_name)
    history.doomed.append((name, path))
    history.add(
        history.say(SYMBOL, name=name), STALE, "taught by a reverted commit", when="doomed", has_doubt="reverted"
    )
    history.add(
        history.say(WITH_HOME, name=units[0].name, path=path), FRESH, "file of a reverted commit", when="doomed",
        has_doubt="reverted",
    )  # fmt: skip
    history.add(history.chance.choice(PROSE), NONE, "a rule that was stated meanwhile", when="doomed")
    return nothing


METHODS = {
    "python": "class {owner}:\n    def {name}(self, item):\n        pass\n\n    def close(self):\n        pass\n\n",
    "typescript": "export class {owner} {{\n  {name}(item: string): void {{\n    this.last = item;\n  }}\n}}\n\n",
    "go": "type {owner} struct {{\n\tlast int\n}}\n\nfunc (q *{owner}) {name}(item int) {{\n\tq.last = item\n}}\n\n",
    "java": "  static class {owner} {{\n    public void {name}(String item) {{\n      last = item;\n    }}\n  }}\n\n",
}
CONSTANTS = {
    "python": "{name} = 30\n\n",
    "typescript": "export const {name} = 30;\n\n",
    "go": "const {name} = 30\n\n",
    "java": "  static final int {name} = 30;\n\n",
}


def methods(history: History) -> Later:
    path, _ = history.file_with()
    made = []
    for truth in (FRESH, STALE):
        owner, name = (
            history.new(history.class_name),
            history.chance.choice(["push", "release", "settle", "openWindow"]),
        )
        unit = Unit(owner, path, [], code=METHODS[history.language.name].format(owner=owner, name=name))
        history.units.append(unit)
        history.add(history.say(METHOD, owner=owner, name=name), truth, f"method {truth.lower()}")
        made.append((unit, owner, name))
    history.write(path)

    def later() -> None:
        unit, owner, _name = made[1]
        unit.code = METHODS[history.language.name].format(owner=owner, name="entirelyOther")
        history.write(path)

    return later


def constants(history: History) -> Later:
    path, _ = history.file_with()
    units = []
    for truth in (FRESH, STALE):
        name = history.new(lambda: f"{history.chance.choice(CAPITALS)}_{history.chance.choice(CAPITALS)}_MAX")
        units.append(Unit(name, path, [], code=CONSTANTS[history.language.name].format(name=name)))
        history.units.append(units[-1])
        history.add(history.say(CONSTANT, name=name), truth, f"constant {truth.lower()}")
    history.write(path)
    return lambda: history.drop(units[1])


CAPITALS = ("POOL", "IDLE", "RETRY", "BATCH", "QUEUE", "PAGE", "DEPTH", "LEASE")


def titles_begin_with_a_capital(history: History) -> Later:
    kept, _ = history.file_with()
    moved, _ = history.file_with()
    new = history.new(history.file_name)
    for path, truth, place in ((kept, FRESH, ""), (moved, MOVED, new)):
        said = history.say(CAPITALISED, Path=path[0].upper() + path[1:])
        history.add(said, truth, f"capitalised path {truth.lower()}", names_place=place)
    return lambda: history.move_file(moved, new)


def long_texts(history: History) -> Later:
    path, units = history.file_with(3)
    names = {"a": units[0].name, "b": units[1].name, "c": units[2].name, "path": path}
    history.add(history.say(LONG, **names), FRESH, "long text, all there")
    other, more = history.file_with(3)
    names = {"a": more[0].name, "b": more[1].name, "c": more[2].name, "path": other}
    history.add(history.say(LONG, **names), STALE, "long text, one gone")
    return lambda: history.drop(history.chance.choice(more[:3]))


SCENES = (
    a_file_stays, a_file_is_edited, a_file_is_renamed, a_file_is_renamed_twice_and_edited, a_folder_is_moved,
    a_file_is_deleted, a_file_comes_back, a_file_is_deleted_without_a_commit, a_function_stays, a_function_is_deleted,
    a_class_is_renamed, a_deleted_function_is_still_mentioned, a_function_moves_to_another_file,
    a_file_with_a_function_is_renamed, a_parameter_goes, commands, versions, what_is_said_to_be_gone, what_never_was,
    a_branch_is_not_merged, a_commit_is_reverted, methods, constants, titles_begin_with_a_capital, long_texts,
)  # fmt: skip
REPOSITORIES = len(LANGUAGES)
