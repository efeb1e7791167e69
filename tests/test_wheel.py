"""The wheel: what it ships beside the code, and the examples of pages run from an empty folder with it."""

import os
import re
import shlex
import subprocess
import sys
import textwrap
import tomllib
import zipfile
from pathlib import Path

import pytest

from boundcheck.cli.commands.new import KINDS

ROOT = Path(__file__).parents[1]
SHIPPED = ("problems", "reports", "docs/findings", "docs/findings.md", "docs/glossary.md")


def test_what_is_shipped_exists():
    """Every file or folder that the build takes along is there, under the name that `resources.folder` looks for."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    wheel = build["targets"]["wheel"]
    included = {name.removeprefix("/").partition("/*")[0] for name in wheel["include"]} - {"boundcheck"}
    assert included == set(SHIPPED)
    assert all((ROOT / name).exists() for name in included)
    assert wheel["sources"] == {name.partition("/")[0]: f"boundcheck/data/{name.partition('/')[0]}" for name in SHIPPED}


def ran(arguments, folder, site):
    """Return what a command of the installed wheel prints in a folder, whatever its exit code is."""
    environment = {**os.environ, "PYTHONPATH": str(site)}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Return the wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet", "--wheel-dir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "hatchling" in done.stderr and not list(folder.glob("*.whl")):
        pytest.skip("the build backend cannot be installed here")
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def site(wheel, tmp_path_factory):
    """Return a folder that the wheel is unpacked in."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@pytest.mark.slow
def test_findings_glossary_and_skeletons_are_inside(wheel):
    """Every finding, the glossary, every skeleton, problem and recipe of the checkout, and the pytest fixture."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        entry_points = next(archive.read(name).decode() for name in names if name.endswith("entry_points.txt"))
        for name in SHIPPED:
            path = ROOT / name
            files = sorted(path.glob("*.*")) if path.is_dir() else [path]
            assert files
            for file in files:
                inside = f"boundcheck/data/{file.relative_to(ROOT).as_posix()}"
                assert archive.read(inside) == file.read_bytes()
    skeletons = {f"boundcheck/skeletons/{path.name}" for path in (ROOT / "boundcheck" / "skeletons").glob("*.*")}
    assert len(skeletons) > 3
    assert skeletons <= names
    assert "[pytest11]\nboundcheck.pytest_plugin = boundcheck.pytest_plugin" in entry_points
    assert not any(name.startswith(("tests/", "docs/")) for name in names)
    assert not any("/sample/" in name for name in names)
    assert sum(name.startswith("boundcheck/problems/data/tables/") for name in names) == 5


@pytest.mark.slow
def test_what_is_shipped_is_found(site, tmp_path):
    """The installed package finds its pages without the checkout, and a finding runs."""
    code = "from boundcheck.files.resources import folder; print(folder('docs'))"
    found = Path(ran(["-c", code], tmp_path, site).stdout.strip())
    assert found == site / "boundcheck" / "data" / "docs"
    assert (found / "glossary.md").is_file()
    assert ran([str(found / "findings" / "fedlalr_a1.py")], tmp_path, site).returncode == 0


@pytest.mark.slow
def test_cards_of_theorems_are_found(site, tmp_path):
    """They ship, and are those of the installed source: nothing is computed for them."""
    code = (
        "import sys; from boundcheck.cli.app import run; assert run(['show', 'momentum-fl.theorem11']) == 0;"
        "print('sympy' in sys.modules, sys.modules['boundcheck'].__file__, file=sys.stderr)"
    )
    done = ran(["-c", code], tmp_path, site)
    assert done.stdout.startswith("✓ proved")
    assert done.stderr == f"False {site / 'boundcheck' / '__init__.py'}\n"


@pytest.mark.slow
def test_the_page_on_conformance_runs_from_an_empty_folder(site, tmp_path):
    """The blocks of docs/conform.md print what the page shows, and its command takes the file that they are in."""
    text = (ROOT / "docs" / "conform.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    (tmp_path / "mine.py").write_text("\n\n".join(blocks), encoding="utf-8")
    shown = re.findall(r"^```\n((?:agrees|differs)\n.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    done = ran(["mine.py"], tmp_path, site)
    assert (done.returncode, done.stdout) == (0, "".join(shown)), done.stderr
    command = ["-m", "boundcheck", "conform", "--against", "mine.py:my_scaffold", "--method", "scaffold"]
    assert ran(command, tmp_path, site).returncode == 0


@pytest.mark.slow
def test_the_fixture_is_there_wherever_the_wheel_is(site, tmp_path):
    """A suite in a folder of its own asks for the fixture without naming the plugin."""
    (tmp_path / "test_mine.py").write_text("def test_it(assert_conforms):\n    assert callable(assert_conforms)\n")
    done = ran(["-m", "pytest", "-q", "-p", "no:cacheprovider"], tmp_path, site)
    assert done.returncode == 0, done.stdout


def command(words, folder, site):
    """Run a command line of boundcheck, and return what it printed; a failure is shown."""
    done = ran(["-m", "boundcheck", *words], folder, site)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_beginning_runs_from_an_empty_folder(site, tmp_path, kind):
    """The command that `new` prints works on the file that it wrote."""
    printed = command(["new", kind, f"mine{Path(KINDS[kind]).suffix}"], tmp_path, site)
    assert command(shlex.split(printed.splitlines()[-1])[1:], tmp_path, site)


@pytest.mark.slow
def test_the_page_on_one_s_own_runs_from_an_empty_folder(site, tmp_path):
    """The commands and the recipe of docs/own.md, on one file with a theorem, a method and a problem."""
    text = (ROOT / "docs" / "own.md").read_text(encoding="utf-8")
    command(["new", "claim", "mine.toml"], tmp_path, site)
    for kind in ("theorem", "method", "problem"):
        command(["new", kind, f"{kind}.py"], tmp_path, site)
    parts = [(tmp_path / f"{kind}.py").read_text() for kind in ("theorem", "method", "problem")]
    (tmp_path / "mine.py").write_text("\n".join(parts))
    (recipe,) = re.findall(r"^```toml\n(title.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    (tmp_path / "recipe.toml").write_text(recipe)
    (fence,) = [
        b for b in re.findall(r"^```\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE) if "boundcheck new" in b
    ]
    lines = [shlex.split(line, comments=True)[1:] for line in fence.splitlines()]
    assert {words[0] for words in lines} >= {"check", "show", "bounds", "run", "certify", "report"}
    for words in lines:
        if words[0] != "new":
            command(words, tmp_path, site)
    assert (tmp_path / "mine.pdf").read_bytes().startswith(b"%PDF")


PAGES = (
    *("README.md", "docs/add-a-bound.md", "docs/add-a-claim.md", "docs/add-a-problem.md", "docs/bounds.md"),
    *("docs/certificates.md", "docs/check-your-own-lemma.md", "docs/engine.md", "docs/evidence.md", "docs/lemmas.md"),
    "docs/problems.md",
)
"""Pages whose examples need no extra and no checkout; docs/adapters.md needs torch and is run with its tests."""


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_run_from_an_empty_folder(site, tmp_path, page):
    """All its blocks one after the other, in a file of their own, with the pages of parameters that they name."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.findall(r"^ *```(python|toml)\n(.*?)^ *```", text, flags=re.DOTALL | re.MULTILINE)
    blocks = {kind: [textwrap.dedent(block) for one, block in found if one == kind] for kind in ("python", "toml")}
    code = "\n\n".join(blocks["python"])
    for name, parameters in zip(re.findall(r'"(\w+\.toml)"', code), blocks["toml"], strict=False):
        (tmp_path / name).write_text(parameters, encoding="utf-8")
    (tmp_path / "page.py").write_text(code, encoding="utf-8")
    done = ran(["page.py"], tmp_path, site)
    assert done.returncode == 0, done.stderr
