"""What is distributed: a small wheel without data sets, a second one with them, one version for both."""

import importlib.util
import json
import tomllib
import zipfile
from importlib import resources
from pathlib import Path

import pytest

from recollect.evaluation import shipped_data

ROOT = Path(__file__).parent.parent.parent
EVAL_DATA = ROOT / "packages" / "recollect-eval-data"


def load_script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


check_wheel = load_script("check_wheel")


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
    assert "the limit is 600,000" in said
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


def test_both_distributions_have_one_version():
    versions = {
        tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]["version"]
        for folder in (ROOT, EVAL_DATA)
    }
    assert len(versions) == 1


@pytest.mark.parametrize("dataset", ["coding", "capture", "sessions"])
def test_eval_without_the_data_package_says_what_to_install(dataset, make_box, monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(resources, "files", missing)
    done = make_box().run("eval", "--dataset", dataset, "--json", code=1)
    assert json.loads(done.err)["fix"] == shipped_data.INSTALL
    assert "pip install 'recollect[eval]'" in shipped_data.INSTALL
