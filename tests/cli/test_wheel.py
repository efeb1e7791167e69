"""The installed wheel in an empty folder: skeletons, findings and pages' commands work without the checkout."""

import importlib.util
import os
import re
import shlex
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOC = (ROOT / "docs" / "own.md").read_text(encoding="utf-8")
LATER = ("run", "report", "certify")
"""Commands of the page that need a file which it does not write: a problem, a method, a recipe of one's own."""


CLEAN = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@pytest.fixture(scope="module")
def command(tmp_path_factory):
    """Return the command of a wheel that is built here and installed without its dependencies, which are at hand."""
    folder = tmp_path_factory.mktemp("wheel")
    at_hand = ["--no-build-isolation"] if importlib.util.find_spec("hatchling") else []
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", *at_hand, "-w", folder, ROOT]
    built = subprocess.run(build, check=bool(at_hand), capture_output=True, text=True)
    if built.returncode:
        pytest.skip("hatchling is not installed, and pip finds none")
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", wheel], check=True, capture_output=True)
    site = next((folder / "venv" / "lib").glob("python*")) / "site-packages"
    # What boundcheck depends on comes from this interpreter's folders, after the wheel's own.
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    (site / "libraries.pth").write_text("\n".join(libraries))
    found = subprocess.run(
        [python, "-c", "import boundcheck; print(boundcheck.__file__)"],
        check=True,
        capture_output=True,
        text=True,
        cwd=folder,
        env=CLEAN,
    ).stdout
    assert found.startswith(str(folder))
    return [str(python), "-m", "boundcheck"]


def called(command, folder, *words):
    return subprocess.run(
        [*command, *words], cwd=folder, env=CLEAN, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.mark.slow
def test_the_commands_of_the_page_run_from_an_empty_folder(command, tmp_path):
    """Those of docs/own.md, in their order, on the files that `new` writes; the recipe of the page makes a report."""
    (fence,) = [
        block for block in re.findall(r"^```\n(.*?)^```", DOC, flags=re.DOTALL | re.MULTILINE) if "new" in block
    ]
    lines = [shlex.split(line, comments=True)[1:] for line in fence.splitlines()]
    assert len(lines) > 5
    for words in lines:
        if words[0] not in LATER:
            done = called(command, tmp_path, *words)
            assert done.returncode == 0, (words, done.stderr)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["theorem", "method", "problem", "claim"])
def test_every_beginning_runs_from_an_empty_folder(command, tmp_path, kind):
    """Skeletons ship in the wheel, and the command that `new` prints works."""
    file = "mine.toml" if kind == "claim" else "mine.py"
    done = called(command, tmp_path, "new", kind, file)
    assert done.returncode == 0, done.stderr
    again = called(command, tmp_path, *shlex.split(done.stdout.splitlines()[-1])[1:])
    assert again.returncode == 0, again.stderr


@pytest.mark.slow
def test_a_report_of_the_page_s_recipe_has_its_theorem_only(command, tmp_path):
    """The recipe of docs/own.md, on a theorem and a problem of one's own: no claim of the five papers is decided."""
    (recipe,) = re.findall(r"^```toml\n(title.*?)^```", DOC, flags=re.DOTALL | re.MULTILINE)
    assert called(command, tmp_path, "new", "theorem", "theorem.py").returncode == 0
    assert called(command, tmp_path, "new", "problem", "problem.py").returncode == 0
    text = (tmp_path / "theorem.py").read_text() + "\n\nfrom problem import PROBLEM  # noqa: E402, F401\n"
    (tmp_path / "mine.py").write_text(text)
    (tmp_path / "recipe.toml").write_text(recipe)
    done = called(command, tmp_path, "report", "recipe.toml", "--trust-code", "-o", "mine.pdf")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "mine.pdf").read_bytes().startswith(b"%PDF")
