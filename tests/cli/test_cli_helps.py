"""Filters of lists, what a check says of looseness and of problems that suit, runs at a theorem's steps."""

import functools
import re

import pytest
from cli_calls import called, parsed

from boundcheck import check, load_problem
from boundcheck.bounds import BOUNDS
from boundcheck.cli.shared import suggest
from boundcheck.verdicts.status import of_bound

AT = ("--N", 2, "--K", 2, "--T", 100)


def test_lists_by_paper_and_status(capsys):
    """A filter takes what its words say, in the table and in JSON."""
    wanted = [n for n, b in BOUNDS.items() if b.paper == "fedlalr" and of_bound(n).status == "false as printed"]
    options = ("--paper", "FedLALR", "--status", "false as printed")
    assert [one["id"] for one in parsed(capsys, "list", "bounds", *options)] == wanted
    lines = called(capsys, "list", "bounds", *options)[1].splitlines()
    assert lines[0] == f"{len(wanted)} bounds"
    assert [line.split()[0] for line in lines[2:]] == wanted
    shared = parsed(capsys, "list", "problems", "--paper", "gradma")
    assert all("gradma" in one["paper"] for one in shared)
    assert len(shared) > 3


def test_looseness_is_the_bound_over_the_measurement(capsys):
    """What is printed follows from the verdict: the factor and the largest shares, which are at most the whole."""
    out = called(capsys, "check", "momentum-fl.theorem11", "common", *AT)[1]
    verdict = check("momentum-fl.theorem11", load_problem("common", N=2), K=2, T=100)
    (line,) = (line for line in out.splitlines() if line.strip().startswith("looseness"))
    assert f"{verdict.rhs / verdict.measured:.3g}x loose" in line
    shares = [int(share) for share in re.findall(r"(\d+) %", line)]
    assert shares == sorted(shares, reverse=True)
    largest = max(verdict.terms, key=verdict.terms.get)
    assert f"{largest} {100 * verdict.terms[largest] / verdict.rhs:.0f} %" in line


def test_suggestions_are_problems_that_the_bound_speaks_of(capsys, monkeypatch):
    """Every one gives a verdict other than "not applicable"; a noisy one is not among those of exact gradients."""
    monkeypatch.setattr(suggest, "suggestions", functools.cache(suggest.suggestions))
    rows = parsed(capsys, "check", "gradma.lemma6S", "ridge-ratio", *AT, "--suggest")
    names = [row["problem"] for row in rows]
    assert "common" in names
    assert "ridge-ratio" not in names
    ratios = [row["rhs"] / row["trivial"] for row in rows]
    assert ratios == sorted(ratios)
    found = check("gradma.lemma6S", load_problem(names[0], N=2), K=2, T=100, replicates=2, budget=2)
    assert found.verdict != "not applicable"
    out = called(capsys, "check", "gradma.lemma6S", "ridge-ratio", *AT)[1]
    assert "--suggest" in out
    assert "has noise" in called(capsys, "check", "gradma.lemma6S", "ridge-ratio", *AT, "--suggest")[1]


def test_a_run_at_a_bound_is_that_of_the_check(capsys):
    """The mean of the left-hand side is the measured one."""
    verdict = check("momentum-fl.theorem11", load_problem("common", N=2), K=2, T=100)
    data = parsed(capsys, "run", "common", "fedavg-m", *AT, "--at", "Momentum-FL.theorem11")
    assert data["metrics"][0]["mean"] == pytest.approx(verdict.measured, rel=1e-12)


def test_bounds_fail_on_a_status(capsys):
    """Exit code 1 where it occurs, 0 where it does not."""
    for name, code in (("fedlalr.theorem1", 1), ("momentum-fl.theorem11", 0)):
        assert called(capsys, "bounds", name, "--fail-on", "false as printed")[0] == code


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("list methods --status open", "kind = 'methods' is not legal: bounds or claims"),
        ("list bounds --status opne", "--status = 'opne' is not legal: proved"),
        ("list bounds --paper fedlarl", "did you mean fedlalr"),
        ("run common fedavg --N 2 --K 1 --T 5 --at momentum-fl.theorem11", "a bound of fedavg, not of fedavg-m"),
    ],
)
def test_bad_input_is_one_line(capsys, command, words):
    """Exit code 2, and the line says what is legal."""
    code, out, err = called(capsys, *command.split())
    assert (code, out) == (2, "")
    assert words in err
    assert len(err.splitlines()) == 1
