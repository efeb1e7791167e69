"""The page of rates has the rates that ship, in the order in which the command prints them."""

import re
from pathlib import Path

from boundcheck.cli.commands.rate import ranked, table_row
from boundcheck.rates import HEADLINES, WORDS, shipped_rates

PAGE = (Path(__file__).parents[2] / "docs" / "rates.md").read_text(encoding="utf-8")


def test_the_table_is_that_of_the_shipped_rates():
    """Every row, number by number; none is missing and none stands twice."""
    found = [row for row in re.findall(r"^\| (.+) \|$", PAGE, flags=re.MULTILINE) if row.split(" | ")[0] in HEADLINES]
    assert found == [" | ".join(table_row(one)) for one in ranked(list(shipped_rates().values()))]


def test_every_word_is_explained():
    """The words of the judge have a row each."""
    rows = dict(re.findall(r"^\| ([a-z ]+) \| (.+?) \|$", PAGE, flags=re.MULTILINE))
    assert set(WORDS) <= set(rows)
