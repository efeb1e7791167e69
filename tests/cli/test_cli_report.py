"""The report command writes a PDF, and decides the claims of the recipe's own bounds only."""

from collections import Counter
from dataclasses import replace

import pytest
from cli_calls import called

from boundcheck.proofs import CLAIMS
from boundcheck.proofs.ledger import ledger

pytest.importorskip("boundcheck.report", exc_type=ImportError)

STUDY = """title = "Tiny"
replicates = 4
[[study]]
id = "s"
title = "s"
problem = "ridge-ratio"
bounds = ["{bound}"]
N = [2]
K = [1]
T = [4]
"""
SHORT = "gradma.lemma2"
"""A statement of few claims."""
OWN = """from dataclasses import replace
from boundcheck.bounds import BOUNDS
MINE = replace(BOUNDS["momentum-fl.theorem11"], id="mine", paper="mine")
"""


@pytest.fixture
def decided(monkeypatch, tmp_path):
    """Count how often each claim is decided, with nothing kept before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    count, decide = Counter(), ledger.prove_claim

    def counted(claim, **options):
        count[claim.id] += 1
        return decide(claim, **options)

    monkeypatch.setattr(ledger, "prove_claim", counted)
    return count


def reported(capsys, tmp_path, bound, *options):
    """Write the report of a recipe of one cell of a bound."""
    recipe = tmp_path / "one.toml"
    recipe.write_text(STUDY.format(bound=bound))
    where = ("-o", tmp_path / "one.pdf", "--store", tmp_path / "store", "--workers", 1)
    code, _, err = called(capsys, "report", recipe, *where, *options)
    assert code == 0, err
    return (tmp_path / "one.pdf").read_bytes()


def steps_of(claim):
    """Return a claim with all that its proof names, by following the names."""
    return {claim}.union(*(steps_of(step) for step in CLAIMS[claim].step_ids))


def test_a_recipe_of_one_theorem_decides_the_claims_of_that_theorem_once_each(capsys, tmp_path, decided):
    """Went wrong: all claims of the ledger were decided, 20 times as many."""
    assert reported(capsys, tmp_path, "momentum-fl.theorem11").startswith(b"%PDF")
    assert set(decided) == steps_of("momentum-fl.theorem11")
    assert set(decided.values()) == {1}
    assert 30 < len(decided) < len(CLAIMS) / 15


def test_a_recipe_of_ones_own_theorem_decides_no_claim_of_others(capsys, tmp_path, decided, monkeypatch):
    """A theorem of a file has no line in the ledger."""
    (tmp_path / "mine.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    assert reported(capsys, tmp_path, "mine.py:MINE", "--trust-code").startswith(b"%PDF")
    assert not decided


def test_report_writes_a_pdf(tmp_path, capsys):
    """A tiny recipe without claims becomes a PDF at the path asked for."""
    recipe = tmp_path / "tiny.toml"
    recipe.write_text(
        'title = "Tiny"\nreplicates = 4\n[[study]]\nid = "s"\ntitle = "s"\nproblem = "ridge-ratio"\n'
        'bounds = ["momentum-fl.theorem11"]\nN = [2]\nK = [1]\nT = [4, 8, 16]\nfit = ["T"]\n'
    )
    pdf = tmp_path / "tiny.pdf"
    code, out, err = called(
        capsys, "report", recipe, "-o", pdf, "--store", tmp_path / "store", "--workers", 1, "--no-claims"
    )
    assert (code, out) == (0, ""), err
    assert pdf.read_bytes().startswith(b"%PDF")
    assert f"wrote {pdf}" in err.replace("\n", "")


def test_a_second_report_decides_no_claim_again_and_has_the_same_bytes(capsys, tmp_path, decided):
    """Lines of claims and tables of comparison are read from what the first one left."""
    first = reported(capsys, tmp_path, "momentum-fl.theorem11")
    decided.clear()
    assert reported(capsys, tmp_path, "momentum-fl.theorem11") == first
    assert not decided


def test_a_claim_that_a_solver_left_open_is_asked_again(capsys, tmp_path, decided, monkeypatch):
    """Nothing is kept of claims of which one has no answer."""
    answer = ledger.prove_claim

    def left_open(claim, **options):
        return replace(answer(claim, **options), verdict="undecided")

    monkeypatch.setattr(ledger, "prove_claim", left_open)
    reported(capsys, tmp_path, SHORT)
    decided.clear()
    reported(capsys, tmp_path, SHORT)
    assert set(decided) == steps_of(SHORT)
