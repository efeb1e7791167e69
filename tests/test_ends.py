"""What is installed: lower bounds that run, and lists that fix everything else; run with the oldest and the newest."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
APART = {"torch", "boundcheck"}
"""What no list has: see the Makefile."""


def asked(*extras):
    """Return what the project asks for, by name; all extras by default."""
    optional = PROJECT["optional-dependencies"]
    lists = [PROJECT["dependencies"], *(optional[extra] for extra in extras or optional)]
    found = [Requirement(text) for one in lists for text in one]
    return {canonicalize_name(one.name): one for one in found if canonicalize_name(one.name) not in APART}


def listed(name, python):
    """Return name and version of what a list fixes for a Python, on Linux."""
    place = default_environment() | {"python_version": python, "python_full_version": f"{python}.9"}
    lines = (ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines()
    found = [Requirement(line) for line in lines if not line.startswith("#")]
    here = [one for one in found if one.marker is None or one.marker.evaluate(place)]
    assert len({one.name for one in here}) == len(here)
    return {canonicalize_name(one.name): next(iter(one.specifier)).version for one in here}


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("name", ["lock.txt", "lowest.txt"])
def test_a_list_has_one_version_of_everything_asked_for(name, python):
    """For every Python that is supported, within the bounds; a bound that is raised needs `make lock`."""
    fixed = listed(name, python)
    for package, requirement in asked().items():
        assert package in fixed, package
        assert requirement.specifier.contains(fixed[package], prereleases=True), (package, fixed[package])


def test_the_lowest_are_the_bounds():
    """What the scheduled job runs with is what the project says it runs with."""
    fixed = listed("lowest.txt", "3.11")
    for package, requirement in asked().items():
        bound = next((one.version for one in requirement.specifier if one.operator == ">="), None)
        assert bound is not None, f"{package} has no lower bound"
        shown = [re.sub(r"(\.0)+$", "", version) for version in (bound, fixed[package])]
        assert shown[0] == shown[1], (package, bound, fixed[package])


def test_lists_name_nothing_but_packages():
    """No address of a registry, no path, no file."""
    for path in (ROOT / "requirements").iterdir():
        for line in path.read_text(encoding="utf-8").splitlines():
            assert line.startswith("#") or re.fullmatch(r"[a-z0-9.-]+==[\w.]+( ; [\w <>=!'().]+)?", line), line


def test_what_is_fixed_is_what_is_installed_from():
    """`make test` and `make report` take the list, and the scheduled jobs both ends."""
    make = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "LOCK   ?= requirements/lock.txt" in make
    assert "$(addprefix -c ,$(LOCK))" in make
    jobs = (ROOT / ".github" / "workflows" / "ends.yml").read_text(encoding="utf-8")
    for line in ("run: make test-lowest", "run: make test LOCK=", "schedule:"):
        assert line in jobs
    assert all(f'"{python}"' in jobs for python in PYTHONS)


RECIPE = """
title = "t"
[[study]]
id = "s"
title = "s"
problem = "ridge-ratio"
bounds = ["momentum-fl.theorem11"]
N = [2]
K = [1]
T = [2, 4, 8]
fit = ["T"]
"""


def test_the_thin_path_runs(tmp_path, monkeypatch):
    """A check, a worst case, a claim, a recipe with its table and its PDF, with warnings as errors."""
    from boundcheck import check, load_problem, prove
    from boundcheck.methods import METHODS
    from boundcheck.report import save_portrait, write_report
    from boundcheck.sweep import Store, load_recipe, run_and_collect
    from boundcheck.sweep.results.table import verdict_table, write_table

    monkeypatch.chdir(tmp_path)
    Path("r.toml").write_text(RECIPE)
    assert check("momentum-fl.theorem11", load_problem("ridge-ratio", N=2), K=1, T=4).verdict != "violated"
    assert prove(["momentum-fl.eq4-few"])[0].verdict == "proved"
    recipe, store = load_recipe("r.toml"), Store("st")
    results = run_and_collect(recipe, store, workers=1)
    write_table(verdict_table(results), Path("v.csv"))
    write_table(verdict_table(results), Path("v.parquet"))
    save_portrait(load_problem("ridge-ratio", N=2), Path("p.svg"))
    assert write_report(recipe, store, Path("r.pdf"), claims=[], name="r", results=results).read_bytes()[:4] == b"%PDF"
    from boundcheck.worst import worst

    assert worst(METHODS["fedavg"](eta=1.0), K=1, T=1, N=1).upper > 0
