"""Narrow terminals get fewer columns and other line breaks: no word is broken, nothing is wider than the terminal."""

import dataclasses
import re

import pytest
import sympy as sp
from cli_calls import called
from turns import in_turn

from boundcheck.cli.cards.catalogue import LISTINGS
from boundcheck.cli.commands.compare import print_compared
from boundcheck.cli.commands.steps import print_steps
from boundcheck.cli.terminal.columns import laid_out, wrap_lines
from boundcheck.cli.terminal.formulas import formula
from boundcheck.evidence.slack.class_ceiling import WORDS
from boundcheck.notation import symbols
from boundcheck.sweep.compare.contend import MethodComparison
from boundcheck.sweep.compare.step_choices import StepChoice

WIDTHS = (80, 60)
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.'-]{2,}")
SOME = (
    "fedlalr.theorem1",
    "fedglomo.theorem1",
    "fmgda.theorem1",
    "momentum-fl.table1-yu",
    "fedglomo.table1-fedglomo",
    "gradma.rate-partial",
    "gradma.lemma6S-fedavg",
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


@pytest.mark.parametrize(("name", "columns"), in_turn(SOME, *WIDTHS))
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


@pytest.mark.slow
@pytest.mark.parametrize("columns", WIDTHS)
def test_the_whole_survey_breaks_no_word(capsys, monkeypatch, columns):
    """`bounds` with every registered theorem."""
    require_whole(
        printed(capsys, monkeypatch, columns, "bounds"), printed(capsys, monkeypatch, None, "bounds"), columns
    )


@pytest.mark.parametrize("columns", WIDTHS)
def test_findings_break_no_word(capsys, monkeypatch, columns):
    """All of them."""
    wide = printed(capsys, monkeypatch, None, "findings")
    require_whole(printed(capsys, monkeypatch, columns, "findings"), wide, columns)


def shown(capsys, monkeypatch, columns, call, *arguments):
    """Return what a function prints on a terminal of so many columns, or in a pipe."""
    monkeypatch.delenv("COLUMNS", raising=False) if columns is None else monkeypatch.setenv("COLUMNS", str(columns))
    call(*arguments)
    return capsys.readouterr().out


@pytest.mark.parametrize("columns", WIDTHS)
def test_comparisons_break_no_word(capsys, monkeypatch, columns):
    """Numbers of every kind; at 80 columns all of them are shown, and names of theorems are what has no room."""
    number, rows = {"method": "fedavg-server-m", "letters": {}, "edges": (), "steps": {}, "verdict": "holds"}, []
    number |= {"read": "average", "time_steps": {}, "tried": 9}
    for bound, status in (("momentum-fl.theorem15-alt-rate", "proved"), ("field.marina", "open"), ("", "")):
        value = 1.234e-05 if bound else None
        words = {"bound": bound, "status": status, "metric": "server_gradient", "trivial": value}
        values = dict.fromkeys(("guaranteed", "measured", "tuned", "floats", "ceiling"), value)
        values |= {"rounds": float("inf"), "tuned_rounds": 12_345.0, "ceiling_exact": False, "ceiling_word": ""}
        rows.append(MethodComparison(**number, **words, **values, why="" if bound else "no bound of it speaks here"))
    rows.append(dataclasses.replace(rows[0], method="fedglomo", letters={"q_omega": 0.0625}, why="condition fails"))
    rows.append(dataclasses.replace(rows[0], method="fedlalr", ceiling=None, ceiling_word="nonlinear"))
    told = ("common, N = 20", [dataclasses.asdict(row) for row in rows], WORDS)
    wide = shown(capsys, monkeypatch, None, print_compared, *told)
    out = shown(capsys, monkeypatch, columns, print_compared, *told)
    require_whole(out, wide, columns)
    assert "12,345" in out or columns < 80
    if columns == 80:
        assert "not shown at 80 columns: theorem\n" in out


@pytest.mark.parametrize("columns", WIDTHS)
def test_steps_break_no_word(capsys, monkeypatch, columns):
    """Many hyperparameters and long reasons."""
    many = dict.fromkeys(("eta", "gamma", "beta_memory", "server_momentum", "eta_global"), 0.123456)
    found = [
        StepChoice("best allowed by the bound", many, 1.5e-7, 2.5e-8, "eta tends to 0; gamma tends to infinity"),
        StepChoice("best provable", {}, None, None, "method fedlalr: Gram coordinates need sums and multiples only"),
    ]
    told = ("fedlalr.theorem1 on common", [one._asdict() for one in found])
    wide = shown(capsys, monkeypatch, None, print_steps, *told)
    require_whole(shown(capsys, monkeypatch, columns, print_steps, *told), wide, columns)


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
    assert wrap_lines("a  b", 10) == ["a  b"]
    assert wrap_lines("  one two three", 9, hanging=2) == ["  one two", "    three"]
    assert wrap_lines("unbreakable-word x", 6) == ["unbreakable-word", "x"]
    assert wrap_lines("one two", None) == ["one two"]


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
