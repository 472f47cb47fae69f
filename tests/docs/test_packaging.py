"""What is distributed: a small wheel without data sets, a second one with them, one version for both."""

import importlib.util
import json
import re
import tomllib
import zipfile
from importlib import resources
from pathlib import Path

import pytest

import recollect
from recollect.evaluation import shipped_data

ROOT = Path(__file__).parent.parent.parent
EVAL_DATA = ROOT / "packages" / "recollect-eval-data"


def load_script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


check_wheel, release_notes, lowest_versions = map(load_script, ("check_wheel", "release_notes", "lowest_versions"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def make_wheel(folder, name, files):
    path = folder / f"{name}-0.2.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for file, content in files.items():
            archive.writestr(file, content)
    return path


def test_a_wheel_is_refused_if_it_is_large_or_holds_a_data_set_or_lacks_a_file(tmp_path, capsys):
    files = dict.fromkeys(check_wheel.NEEDED, "") | {"recollect/__init__.py": ""}
    make_wheel(tmp_path, "recollect", files)
    assert check_wheel.main(tmp_path) == 0
    make_wheel(tmp_path, "recollect", files | {"recollect/evaluation/coding/prompts.jsonl": "{}"})
    assert check_wheel.main(tmp_path) == 1
    make_wheel(tmp_path, "recollect", files | {"recollect/long.py": "#" * check_wheel.MOST_BYTES})
    assert check_wheel.main(tmp_path) == 1
    make_wheel(tmp_path, "recollect", {name: "" for name in files if name != "recollect/py.typed"})
    assert check_wheel.main(tmp_path) == 1
    said = capsys.readouterr().err
    assert "prompts.jsonl does not belong in it" in said
    assert f"the limit is {check_wheel.MOST_BYTES:,}" in said
    assert "recollect/py.typed is missing" in said


def test_a_folder_without_a_wheel_and_a_data_wheel_without_data_are_refused(tmp_path, capsys):
    make_wheel(tmp_path, "recollect_eval_data", {"recollect_eval_data/__init__.py": ""})
    assert check_wheel.main(tmp_path) == 1
    said = capsys.readouterr().err
    assert "holds no wheel of recollect" in said
    assert "recollect_eval_data/capture/test.jsonl is missing" in said


def test_what_the_wheel_check_asks_for_is_in_the_tree():
    """The check runs on built wheels in CI; that its lists fit the sources is cheap to know here."""
    assert all((ROOT / "src" / name).exists() for name in check_wheel.NEEDED)
    assert all((EVAL_DATA / "src" / name).exists() for name in check_wheel.DATA_NEEDED)
    inside = [path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src" / "recollect").rglob("*")]
    strangers = [
        name for name in inside if "." in name and "__pycache__" not in name and not check_wheel._belongs(name)
    ]
    assert strangers == []


def test_versions_and_changelog_agree():
    (version,) = set(release_notes.versions().values())
    plugin = json.loads((ROOT / "plugins/claude-code/.claude-plugin/plugin.json").read_text("utf-8"))
    assert version == recollect.__version__ == plugin["version"]
    assert "### Added" in release_notes.notes(version)


def test_a_tag_that_disagrees_with_the_version_releases_nothing():
    for tag in ("v0.0.9", recollect.__version__):
        with pytest.raises(SystemExit, match="disagrees"):
            release_notes.main(tag)


def test_the_changelog_lists_versions_newest_first_with_dates_and_known_headings():
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    found = re.findall(r"^## \[(.+?)\](.*)$", text, re.MULTILINE)
    assert found[0] == ("Unreleased", "")
    assert all(re.fullmatch(r" - \d{4}-\d\d-\d\d", date) for _, date in found[1:])
    numbers = [tuple(map(int, name.split("."))) for name, _ in found[1:]]
    assert numbers == sorted(numbers, reverse=True)
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= {
        "Added", "Changed", "Deprecated", "Removed", "Fixed", "Security",
    }  # fmt: skip


def test_every_dependency_has_a_lowest_version_for_ci_to_test():
    found = lowest_versions.constraints()
    assert all(re.fullmatch(r"[a-z-]+==[0-9][0-9.a-z]*", line) for line in found)
    assert len(found) == len(PROJECT["dependencies"])


def test_the_workflows_cover_the_supported_pythons_and_call_what_exists():
    test = (ROOT / ".github/workflows/test.yml").read_text("utf-8")
    release = (ROOT / ".github/workflows/release.yml").read_text("utf-8")
    assert PROJECT["requires-python"] == ">=3.11"
    assert 'python: ["3.11", "3.12", "3.13", "3.14"]' in test
    assert "os: [ubuntu-latest, macos-latest, windows-latest]" in test
    assert "run: make test" in test
    assert "id-token: write" in release
    scripts = re.findall(r"python (scripts/\w+\.py)", test + release)
    assert scripts
    assert all((ROOT / script).exists() for script in scripts)


def test_pre_commit_runs_the_tools_of_the_makefile():
    config = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    recipes = (ROOT / "Makefile").read_text("utf-8")
    for tool in re.findall(r"entry: \.venv/bin/(\S+)", config):
        assert f"$(BIN)/{tool}" in recipes


def test_no_file_names_a_machine_or_its_package_host():
    """What is published names no path of the machine that it was written on."""
    strange = re.compile(r"/opt/pypi|/work/(?:main|shared|wt)|index-url|/root/\.pyenv")
    pages = [*ROOT.glob("*.md"), *ROOT.glob("*.toml"), *ROOT.glob(".*.yaml"), ROOT / "Makefile"]
    pages += [path for name in ("docs", ".github", "packages") for path in (ROOT / name).rglob("*") if path.is_file()]
    pages = [path for path in pages if path.suffix in (".md", ".toml", ".yml", ".yaml", ".py", "")]
    assert len(pages) > 20
    assert [path.name for path in pages if strange.search(path.read_text("utf-8"))] == []


@pytest.mark.parametrize("dataset", ["coding", "capture", "sessions"])
def test_eval_without_the_data_package_says_what_to_install(dataset, make_box, monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(resources, "files", missing)
    done = make_box().run("eval", "--dataset", dataset, "--json", code=1)
    assert json.loads(done.err)["fix"] == shipped_data.INSTALL
    assert "pip install ./packages/recollect-eval-data" in shipped_data.INSTALL
