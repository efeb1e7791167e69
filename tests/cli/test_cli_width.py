"""Narrow terminals get fewer columns and other line breaks: no word is broken, nothing is wider than the terminal."""

import re

import pytest
import sympy as sp
from cli_calls import called

from boundcheck.cli.catalogue import LISTINGS
from boundcheck.cli.columns import laid_out, wrapped
from boundcheck.cli.formulas import formula
from boundcheck.notation import symbols

WIDTHS = (80, 60)
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.'-]{2,}")
SOME = (
    "fedlalr.theorem1",
    "fedglomo.theorem1",
    "fmgda.theorem1",
    "momentum-fl.table1-yu",
    "fedavg-m",
    "fedlalr",
    "fmgda",
    "ridge-ratio",
    "auc-net-digits-skew",
    "gradma.assumption3",
    "fmgda.a2-printed",
    "overview",
)
L, Delta, sigma, N, K, T = symbols("L Delta sigma N K T")


def words(text):
    """Return the words of a text, without the signs around them."""
    return {found for token in text.split() for found in WORD.findall(token)}


def printed(capsys, monkeypatch, columns, *command):
    """Return what a command prints on a terminal of so many columns, or in a pipe."""
    if columns is None:
        monkeypatch.delenv("COLUMNS", raising=False)
    else:
        monkeypatch.setenv("COLUMNS", str(columns))
    code, out, err = called(capsys, *command)
    assert code == 0, err
    return out


def require_whole(out, wide, columns):
    """Every line fits, and every word is one of the wide output."""
    assert max(map(len, out.splitlines())) <= columns
    notes = out.replace(f"not shown at {columns} columns", "")
    assert words(notes) - words(wide) <= set()


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("kind", LISTINGS)
def test_lists_break_no_word(capsys, monkeypatch, kind, columns):
    """Every list, against the same list in a pipe, with the name of every member in one piece."""
    wide = printed(capsys, monkeypatch, None, "list", kind)
    out = printed(capsys, monkeypatch, columns, "list", kind)
    require_whole(out, wide, columns)
    first = {line.split()[0] for line in out.splitlines() if line.strip()}
    assert {entry["id"] for entry in LISTINGS[kind].entries()} <= first


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("name", SOME)
def test_cards_break_no_word(capsys, monkeypatch, name, columns):
    """A card of every kind, against the same card in a pipe."""
    wide = printed(capsys, monkeypatch, None, "show", name)
    require_whole(printed(capsys, monkeypatch, columns, "show", name), wide, columns)


@pytest.mark.slow
@pytest.mark.parametrize("kind", LISTINGS)
def test_every_card_breaks_no_word(capsys, monkeypatch, kind):
    """Everything that has a card, at 80 columns; a table has one of its own."""
    for entry in LISTINGS[kind].entries() if kind != "tables" else ():
        wide = printed(capsys, monkeypatch, None, "show", entry["id"])
        require_whole(printed(capsys, monkeypatch, 80, "show", entry["id"]), wide, 80)


@pytest.mark.parametrize("columns", WIDTHS)
def test_the_survey_breaks_no_word(capsys, monkeypatch, columns):
    """`bounds` at 80 and 60 columns: the status is among the columns that stay."""
    names = ("fedlalr.theorem1", "momentum-fl.theorem11", "fmgda.theorem1")
    wide = printed(capsys, monkeypatch, None, "bounds", *names)
    out = printed(capsys, monkeypatch, columns, "bounds", *names)
    require_whole(out, wide, columns)
    assert "false as printed" in out
    assert "not shown at" in out


def test_the_verdict_is_the_first_line(capsys):
    """Of a bound and of a claim; the ledger says so of both."""
    for name in ("fedlalr.theorem1", "fmgda.a2-printed"):
        assert called(capsys, "show", name)[1].splitlines()[0] == "✗ false as printed"


def test_columns_that_fit_are_kept():
    """Three columns of 4, 20 and 10: all in 38, the first and the ranked one in 20, words whole even when narrow."""
    columns, rows = ("id", "title", "status"), [["name", "a title of 20 signs!", "proved, 10"]]
    assert laid_out(columns, rows, 38) == ((0, 1, 2), (4, 20, 10))
    assert laid_out(columns, rows, 20, ("status",)) == ((0, 2), (4, 10))
    assert laid_out(columns, rows, 14) == ((0, 1), (4, 8))
    assert laid_out(columns, rows, 10) == ((), ())
    assert laid_out(columns, rows, None) == ((0, 1, 2), (4, 20, 10))


def test_lines_break_at_blanks_only():
    """A line that fits is kept with its blanks, a continuation hangs, a word that is too long stands alone."""
    assert wrapped("a  b", 10) == ["a  b"]
    assert wrapped("  one two three", 9, hanging=2) == ["  one two", "    three"]
    assert wrapped("unbreakable-word x", 6) == ["unbreakable-word", "x"]
    assert wrapped("one two", None) == ["one two"]


def test_wide_formulas_are_taken_apart():
    """A sum stands term by term within its width, and a minimum is typeset; nothing is left out."""
    terms = [sigma**2 / sp.sqrt(N * K * T), L * Delta / T, sp.Min(L / K, Delta / N)]
    total = sp.Add(*terms)
    assert len(formula(total).splitlines()) < len(formula(total, 25).splitlines())
    assert max(map(len, formula(total, 25).splitlines())) <= 25
    drawn = formula(total, 25)
    for letter in "LΔσNKT":
        assert drawn.count(letter) == formula(total).count(letter)
    assert drawn.count("+") == 2
    assert "min⎛" in formula(terms[2]) or "min⎜" in formula(terms[2])
