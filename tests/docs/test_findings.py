"""The findings: plain-numpy scripts, and the recipe that runs the same statements through the engine."""

import math
import re
from pathlib import Path

import pytest
from run_script import printed
from turns import case_of

from boundcheck.bounds import BOUNDS
from boundcheck.evidence.trials.trial import pair
from boundcheck.sweep import Store, collect, load_recipe, run_sweep
from boundcheck.sweep.cells.cells import make_problem
from boundcheck.sweep.cells.points import study_settings

DOCS = Path(__file__).parents[2] / "docs"
SCRIPTS = sorted((DOCS / "findings").glob("*.py"))

NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?")
QUOTED = dict(re.findall(r"\[script\]\(findings/(\w+\.py)\): ([^;|\n]+)", (DOCS / "findings.md").read_text()))
"""What the page says beside the link to a script, by the script's name."""

REFUSED = {"fmgda-small-mu", "fedlalr-a3-repaired", "fedlalr-t2-repaired"}


def order(m):
    """Return 1/(Delta (s/T^2)^(1/3)) at T = 1000 rounds: Delta = 100 w + 1/2, s = 1/m^6."""
    w = (216 * (3200 * math.e**2 / m**6 + 4 / (m**3 + 1))) ** (-1 / 3)
    return 100 * m**2 / (100 * w + 0.5)


LONG = {"fedlalr_a2", "fedlalr_a7", "momentum_fl_e2", "momentum_fl_e4"}
"""Scripts that take a second or more."""
RATIOS = {
    # Independent of these scripts: momentum-fl audit 8.E1 to 8.E6.
    "momentum_fl_e1": [86.3, 863.4, 8635.0],
    "momentum_fl_e2": [22.9, 178],
    "momentum_fl_e4": [2.6, 5.7, 16.2],
    "momentum_fl_e6": [38.3, 383, 3832],
    "momentum_fl_e3": [208, 709, 2297],
    "momentum_fl_e5": [15.6, 49.8, 158],
    # By hand: s = 1/m^6, so that the order is m/w times too small with 216 M w^3 = 1, M = 23645/m^6 + 4/(m^3 + 1).
    "fedglomo_c1": [order(10), order(40), order(160)],
}


@pytest.mark.parametrize(
    "script", [case_of(script, slow=script.stem in LONG) for script in SCRIPTS], ids=lambda p: p.stem
)
def test_script_shows_its_finding(script):
    """Every script needs numpy alone, has at most 28 lines as wide as a page, prints what docs/findings.md quotes."""
    text = script.read_text()
    lines = [line for line in text.splitlines() if line.strip()]
    # The report leaves the first line out and has room for a hundred columns.
    assert len(lines) <= 28
    assert [line for line in lines[1:] if len(line) > 100] == []
    assert "boundcheck" not in text
    out = printed(script)
    if script.stem in RATIOS:
        found = [float(x) for x in re.findall(r"claimed = ([\d.]+)", out)]
        assert found == pytest.approx(RATIOS[script.stem], rel=2e-3)
    else:
        assert ">" in out
    found = [float(x) for x in NUMBER.findall(out)]
    for number in (float(x) for x in NUMBER.findall(QUOTED[script.name])):
        assert any(number == pytest.approx(x, rel=1e-2) for x in found), number


@pytest.mark.parametrize(
    ("script", "bound", "start", "at", "eta", "eps"),
    [
        ("fedlalr_t2", "fedlalr.theorem2", 32.0, {"N": 1, "K": 1, "T": 63}, 0.9, 6.0),
        ("fedlalr_c3", "fedlalr.corollary3", 40.0, {"N": 2, "K": 1, "T": 233}, 0.45, 3.0),
    ],
)
def test_a_script_compares_with_the_printed_bound(script, bound, start, at, eta, eps):
    """The right-hand side that it writes out is that of the bound at the same constants."""
    out = printed(DOCS / "findings" / f"{script}.py")
    problem = make_problem("fedlalr-a3", (("start", start),), at["N"])
    given = {"eta": eta, "eps": eps, "beta1": 1e-12}
    found = pair(BOUNDS[bound], problem, K=at["K"], T=at["T"], S=at["N"], b=1, overrides=given, strict=False)
    assert float(out.split()[-1]) == pytest.approx(found.evaluation.rhs, rel=1e-3)


def test_every_script_is_on_the_page():
    """docs/findings.md links every script."""
    page = (DOCS / "findings.md").read_text()
    assert [s.name for s in SCRIPTS if f"(findings/{s.name})" not in page] == []


def test_every_finding_has_its_script():
    """The script that a finding's page names exists."""
    found = [s for name in ("findings", "findings-slow", "overview") for s in load_recipe(name).study if s.reading]
    assert [s.id for s in found if not (DOCS.parent / s.script).is_file()] == []


@pytest.mark.parametrize("name", ["overview", "findings", "complexity"])
def test_shipped_recipes_expand(name):
    """Shipped recipes load, and every grid point has a cell, or a condition that is meant to fail."""
    for planned in study_settings(load_recipe(name)):
        assert planned.cell is not None or planned.study.id in REFUSED, planned.reason


@pytest.mark.slow
def test_findings_come_out_by_running(tmp_path):
    """Printed statements come out violated, or refuted by a named claim; nothing contradicts their repairs."""
    recipe, store = load_recipe("findings"), Store(tmp_path)
    run_sweep(recipe, store, workers=1)
    for result in collect(recipe, store):
        for name in result.study.bounds:
            found, bound = result.verdict(name), BOUNDS[name]
            if result.study.repairs:
                assert found in {"holds", "consistent", "vacuous", "not applicable"}, (result.study.id, name)
            elif bound.kind == "explicit":
                assert found == "violated", (result.study.id, name)
            else:
                assert (found, bool(bound.refuted_by)) == ("order only", True), (result.study.id, name)
