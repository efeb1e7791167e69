"""A statement that is too long for a cell of the table of false lines is named, not printed."""

from boundcheck.proofs import CLAIMS
from boundcheck.report.pages.ledger import _cell_markup, _statement_markup


def test_a_long_statement_is_named():
    long = CLAIMS["fedglomo.theorem1-printed"]
    cell = _cell_markup(long)
    assert "`boundcheck show fedglomo.theorem1-printed`" in cell
    assert len(cell) < 1200 < len(_statement_markup(long))


def test_a_short_statement_is_printed_as_decided():
    brief = [claim for claim in CLAIMS.values() if 0 < sum(map(len, claim.printed)) < 100]
    assert brief
    assert all(_cell_markup(claim) == _statement_markup(claim) for claim in brief)
