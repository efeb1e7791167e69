"""The page of rates has the rates that ship, in the order in which the command prints them."""

import re
from pathlib import Path

import pytest

from boundcheck.cli.commands.rate import rank_rates, table_row
from boundcheck.problems import load_problem
from boundcheck.rates import HEADLINES, WORDS, horizon, shipped_rates

PAGE = (Path(__file__).parents[2] / "docs" / "rates.md").read_text(encoding="utf-8")


def test_the_table_is_that_of_the_shipped_rates():
    """Every row, number by number; none is missing and none stands twice."""
    found = [row for row in re.findall(r"^\| (.+) \|$", PAGE, flags=re.MULTILINE) if row.split(" | ")[0] in HEADLINES]
    assert found == [" | ".join(table_row(one)) for one in rank_rates(list(shipped_rates().values()))]


def test_every_word_is_explained():
    """The words of the judge have a row each."""
    rows = dict(re.findall(r"^\| ([a-z ]+) \| (.+?) \|$", PAGE, flags=re.MULTILINE))
    assert set(WORDS) <= set(rows)


RIDGES = {"problem": "ridge-split[d=4,sigma=0.0,zeta=0.5]", "N": 8, "S": 2}
HORIZONS = {
    "fmgda.corollary1R": {"problem": "ncsc-p1", "N": 8, "S": None},
    "fmgda.corollary1": {"problem": "ncsc-p1", "N": 8, "S": None},
    "gradma.lemma6-fedavg": RIDGES,
    "gradma.lemma6": RIDGES,
    "fedglomo.theorem1": {"problem": "ridge-log[zeta=0]", "N": 64, "S": 32},
}


@pytest.mark.parametrize("bound", HORIZONS)
def test_the_horizons_are_those_of_the_function(bound):
    """Vacuous below, and too weak below, to the round."""
    (row,) = re.findall(rf"^\| {re.escape(bound)} \| (.+) \|$", PAGE, flags=re.MULTILINE)
    _, vacuous, weak, _ = row.split(" | ")
    asked = HORIZONS[bound]
    found = horizon(bound, load_problem(asked["problem"], N=asked["N"]), K=1, S=asked["S"])
    assert vacuous == f"{found.says_from:,}"
    assert weak == ("–" if found.binds_from == found.says_from else f"{found.binds_from:,}")
