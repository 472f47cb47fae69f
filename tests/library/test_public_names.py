"""What `import recollect` offers: the same names in `dir`, `__all__` and the page about the library."""

import re
import subprocess
import sys
from pathlib import Path

import recollect

ROOT = Path(__file__).parents[2]


def test_dir_shows_the_public_names_and_no_others():
    assert dir(recollect) == sorted(recollect.__all__)
    assert all(getattr(recollect, name) is not None for name in recollect.__all__)


def test_dir_does_not_import_the_library():
    """A hook imports the package too, and has no time for more."""
    code = (
        "import sys, recollect; dir(recollect); print([name for name in sys.modules if name.startswith('recollect')])"
    )
    env = {"PYTHONPATH": str(Path(recollect.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert done.stdout.strip() == "['recollect']", done.stderr


def test_a_workspace_is_opened_without_what_only_some_verbs_need(tmp_path):
    """The rules of capture alone take as long to load as everything else."""
    code = (
        "import sys, recollect; recollect.open(sys.argv[1]).close();"
        "print(sorted(name for name in sys.modules if name.startswith(tuple(sys.argv[2:]))))"
    )
    rare = ["recollect.policy.statements", "recollect.pipeline.capture", "recollect.interop.importing", "numpy"]
    rare += ["recollect.interop.memory_tool", "recollect.setup.doctor.checks", "recollect.evaluation", "click"]
    env = {"PYTHONPATH": str(Path(recollect.__file__).parents[1]), "RECOLLECT_HOME": str(tmp_path / "home")}
    done = subprocess.run([sys.executable, "-c", code, tmp_path, *rare], env=env, capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_the_page_about_the_library_lists_the_public_names():
    page = (ROOT / "docs" / "library.md").read_text("utf-8")
    assert sorted(re.findall(r"^\| `recollect\.(\w+)", page, re.MULTILINE)) == sorted(recollect.__all__)


def test_the_package_says_that_it_is_typed():
    assert (Path(recollect.__file__).parent / "py.typed").is_file()
