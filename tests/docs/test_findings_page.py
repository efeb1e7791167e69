"""The findings page: its constants, its names and its table are those of the bounds, the claims and the recipes."""

import importlib.util
import math
import re
import runpy
from pathlib import Path

import pytest
import sympy as sp
from turns import in_turn

from boundcheck.bounds import BOUNDS
from boundcheck.bounds.bound import Remark
from boundcheck.proofs import CLAIMS, prove
from boundcheck.proofs.provers import Feasible, Infeasible, positive
from boundcheck.sweep import load_recipe, shipped_summary
from boundcheck.verdicts.status import of_bound, of_claim

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "findings.md").read_text(encoding="utf-8")
FORMULAS = dict(re.findall(r"^\| `([\w.-]+)` \| `([^`]+)` \|$", PAGE, flags=re.MULTILINE))
FALSE = [claim for claim in CLAIMS.values() if claim.repaired_by]


def values(run):
    """Return values of every letter of the formulas; b = 1 and a is the best one, as the page says."""
    names = (
        "Delta L L_sample L_block L_env Delta_mean Delta_Phi delta_y sigma zeta zeta_pair c c_dual chat mu kappa rho"
    )
    names += " G_inf eps eta gamma beta1 alpha_div q_omega W w_drift w_square"
    found = {name: sp.Rational(k + 3 + run, 2 * k + 7 + 5 * run) for k, name in enumerate(names.split())}
    whole = {"N": 10 + run, "S": 4 + run, "K": 3 + run, "T": 1000 * (run + 1), "B": 7, "b": 1, "d": 5}
    return found | whole | {"a": 1 / (math.e * math.sqrt(78))}


@pytest.mark.parametrize(("name", "run"), in_turn(FORMULAS, 0, 1))
def test_constants_are_those_of_the_bound(name, run):
    """The right-hand side on the page is the sum of the bound's terms; constants with a point are rounded there."""
    at = values(run)
    spread = sp.Rational(at["N"] - at["S"], at["S"] * (at["N"] - 1))
    letters = {key: sp.sympify(value) for key, value in at.items()} | {"s": spread, "e": sp.E, "sqrt": sp.sqrt}
    printed = sp.sympify(FORMULAS[name], locals=letters)
    total = sum(BOUNDS[name].terms.values())
    mine = total.subs({symbol: at[symbol.name] for symbol in total.free_symbols})
    rounded = re.search(r"\d\.\d", FORMULAS[name])
    assert float(printed) == pytest.approx(float(mine), rel=1e-3 if rounded else 1e-12)


def test_the_first_table_and_the_report_say_the_same():
    """What is wrong with a statement and what is left of it, word by word."""
    table = PAGE.partition("## In one table")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| [^|]* \| `([\w.-]+)` \| [^|]* \| ([^|]*) \| ?([^|]*?) ?\|$", table, flags=re.MULTILINE)
    told = {name: Remark(why.strip(), after) for name, why, after in rows if name in BOUNDS}
    assert told == {b.id: b.remark for b in BOUNDS.values() if b.remark and b.form == "printed"}


def test_looseness_is_that_of_the_audit():
    """Cells that say something and the worst ratio are those of the shipped audit."""
    rows = re.findall(r"^\| `([\w.-]+)` \| (\d+) of (\d+) \| ([\d.e-]+) \|$", PAGE, flags=re.MULTILINE)
    audit = shipped_summary()
    assert len(rows) > 10
    assert runpy.run_path(str(DOCS / "loose.py"))["page"]() == PAGE
    for name, holds, cells, ratio in rows:
        found = audit[name]
        says = found["holds"] + found["consistent"]
        assert (says, found["cells"], found["violated"]) == (int(holds), int(cells), 0), name
        assert f"{found['worst_ratio']:.2g}" == ratio, name


def test_statuses_are_the_shipped_ones():
    """The first table gives every theorem the word that `list`, `show` and the report have."""
    rows = re.findall(r"^\| [^|]+ \| `([\w.-]+)` \| ([a-z ]+) \|", PAGE, flags=re.MULTILINE)
    assert len(rows) > 20
    for name, word in rows:
        assert (of_bound(name) if name in BOUNDS else of_claim(name)).status == word, name
    false = {name for name in BOUNDS if of_bound(name).status == "false as printed" and BOUNDS[name].form == "printed"}
    assert false <= {name for name, _ in rows}


def test_every_false_statement_is_on_the_page():
    """What is refuted in a theorem, a corollary or a remark, or is a whole lemma, is named on the page."""
    whole = re.compile(r"\.(theorem|lemma|corollary|remark)\d+(-alt|-rate)?-printed$")
    stated = [c.id for c in FALSE if whole.search(c.id) or re.match(r"(Theorem|Corollary|Remark)", c.where)]
    assert len(stated) > 50
    assert [name for name in stated if f"`{name}`" not in PAGE] == []


def test_every_study_of_a_finding_is_beside_its_script():
    """Each finding of the recipes is named in the row of its script, and with the claim or bound it refutes."""
    studies = [s for name in ("findings", "findings-slow") for s in load_recipe(name).study if s.reading]
    assert len(studies) > 10
    for study in studies:
        rows = [line for line in PAGE.splitlines() if f"study `{study.id}`" in line]
        assert len(rows) == 1, study.id
        assert f"(findings/{study.id.replace('-', '_')}.py)" in rows[0], study.id


@pytest.mark.derived
def test_the_table_of_false_lines_is_that_of_the_ledger():
    """docs/refuted.md is what docs/refuted.py makes of the claims; ``make derived`` makes it again."""
    path = DOCS / "refuted.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    text = (DOCS / "refuted.md").read_text(encoding="utf-8")
    assert text == module.page()
    assert [claim.id for claim in FALSE if claim.kind != "reading" and f"| `{claim.id}` |" not in text] == []


def test_many_names_in_a_cell_fold():
    """Fourteen names made a row of the table as high as a screen."""
    fold = runpy.run_path(str(DOCS / "refuted.py"))["fold_names"]
    assert fold(["a", "b"]) == "`a`, `b`"
    folded = fold(["a", "b", "c", "d"])
    assert folded.startswith("<details><summary>4 lines</summary><code>a</code><br>")


@pytest.mark.slow
def test_what_the_page_calls_true_stands_and_what_it_calls_false_is_refuted():
    """Of the claims on the page those with a repair are refuted, and all others are proved or supported."""
    names = [name for name in CLAIMS if f"`{name}`" in PAGE]
    for proof in prove(names, workers=2):
        assert (proof.verdict == "refuted") == bool(CLAIMS[proof.id].repaired_by), proof.id
        assert proof.verdict != "undecided", proof.id


def test_without_the_cap_mu_over_6_the_dual_conditions_of_fmgda_meet():
    """By hand: 211 (mu + L) < 360 L, so they clash exactly from 211 mu = 149 L on."""
    c, smooth, mu = positive("c L mu")
    shared = (
        mu <= smooth,
        smooth >= 1,
        6 * c < 1,
        6 * c * smooth * (mu + smooth) < mu,
        2160 * c * smooth**2 >= 211 * mu,
    )
    assert Infeasible((*shared, 211 * mu >= 149 * smooth)).decide(20).verdict == "proved"
    assert Feasible((*shared, 211 * mu <= 148 * smooth)).decide(20).verdict == "proved"
    assert "211 mu < 149 L_f" in PAGE
