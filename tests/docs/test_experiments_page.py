"""The page of experiments has the shipped verdicts, and these are of the shipped assertions."""

import re
from pathlib import Path

from boundcheck.evidence.statistics.words import OUTCOMES
from boundcheck.sweep import load_recipe, shipped_verdicts

PAGE = (Path(__file__).parents[2] / "docs" / "experiments.md").read_text(encoding="utf-8")


def test_the_table_is_the_shipped_verdicts():
    """Every row: id, title, verdict; none is missing and none stands twice."""
    rows = re.findall(r"^\| ([a-z-]+-\d+) \| (.+?) \| (.+?) \|$", PAGE, flags=re.MULTILINE)
    assert rows == [(name, row["title"], row["verdict"]) for name, row in shipped_verdicts().items()]


def test_shipped_verdicts_are_of_the_shipped_recipe():
    """The same assertions in the same order, each with a verdict that exists and as many answers as it says."""
    asserted = load_recipe("experiments").assertion
    found = shipped_verdicts()
    assert [(a.id, a.title, a.lines, a.paper) for a in asserted] == [
        (name, row["title"], row["lines"], row["paper"]) for name, row in found.items()
    ]
    for row in found.values():
        assert row["verdict"] in OUTCOMES
        assert (row["verdict"] == "reproduced") == (row["yes"] > 0 == row["open"] + row["no"])
