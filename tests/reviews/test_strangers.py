"""Six theorems from public sources, entered with the documentation alone, and a spoiled version of each."""

from pathlib import Path

import pytest

import boundcheck as bc
from boundcheck.bounds import BOUNDS

FOLDER = Path(__file__).parent / "strangers"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
WORK = 40_000


def at(name, version):
    return BOUNDS[f"{FOLDER / name}.py:{version}"]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_entered_in_few_lines(name):
    """Without comments and blank lines, spoiled version included, at most 60 lines."""
    lines = (FOLDER / f"{name}.py").read_text().splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 65
    assert at(name, "TRUE").metric == at(name, "SPOILED").metric


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_true_one_is_not_violated(name):
    found = bc.review(at(name, "TRUE"), work=WORK)
    assert "violated" not in found.verdicts
    assert found.status.status == "not contradicted"
    assert found.feasible
    assert found.units == ()
    assert found.measured


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_spoiled_one_is_violated(name):
    found = bc.review(at(name, "SPOILED"), work=WORK)
    assert found.verdict == "violated"
    assert found.search.verdict == "violated"
    assert found.search.confirmed.verdict == "violated"
