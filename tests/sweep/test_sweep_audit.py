"""The audit: every explicit bound has its grid, and the shipped summary is that of the recipe."""

import json
from math import prod

import numpy as np
import pytest
from sweep_recipes import small
from together import together
from turns import first_of_each

from boundcheck.bounds import BOUNDS
from boundcheck.evidence import feasibility, pair
from boundcheck.evidence.trials.examples import initial_values
from boundcheck.notation import symbol
from boundcheck.problems import load_problem
from boundcheck.sweep import Store, collect, load_recipe, run_sweep, shipped_summary, summary, write_summary
from boundcheck.sweep.cells.points import study_settings
from boundcheck.sweep.recipes.recipe import axes_of, settings
from boundcheck.sweep.results.summary import DECISIONS

EXPLICIT = [name for name in BOUNDS if BOUNDS[name].kind == "explicit"]
AUDIT = load_recipe("audit")
EMPTY = {"momentum-fl-19-proof", "momentum-fl-22-proof"}
"""Studies of bounds whose conditions contradict each other: no problem and no setting meets them."""
STUDIES = {name: [s for s in AUDIT.study if name in s.bounds] for name in EXPLICIT}


@together(EXPLICIT)
def test_every_explicit_bound_has_its_grid(name):
    """A study at the bound's own parameters, with at least four N, four K and six T.

    Where T is part of the statement (one round), the other axes have six values more.
    """
    assert STUDIES[name], f"{name} has no study in reports/audit.toml"
    for study in STUDIES[name]:
        assert BOUNDS[study.bounds[0]].parameters == BOUNDS[name].parameters
        sizes = {letter: len(set(values)) for letter, values in axes_of(study).items()}
        assert not study.zip
        fixed = any(c.relation.rel_op == "==" and c.relation.lhs == symbol("T") for c in BOUNDS[name].conditions)
        further = prod(n for axis, n in sizes.items() if axis not in {"N", "K"}) if fixed else sizes["T"]
        assert (sizes["N"] >= 4, sizes["K"] >= 4, further >= 6) == (True, True, True), sizes


@pytest.mark.parametrize(
    "study",
    first_of_each(lambda s: (BOUNDS[s.bounds[0]].method, s.problem, s.id in EMPTY), AUDIT.study),
    ids=lambda s: s.id,
)
def test_the_corners_of_every_grid_satisfy_the_assumptions(study):
    """At the first, the last and twelve other grid points all bounds of the study apply, or provably none ever does."""
    if study.id in EMPTY:
        assert [feasibility(BOUNDS[name]).feasible for name in study.bounds] == [False] * len(study.bounds)
        return
    points = list(settings(study))
    for i in {0, len(points) - 1, *np.random.default_rng(0).integers(len(points), size=12).tolist()}:
        at = points[i]
        more = {k: v for k, v in at.items() if k not in {"N", "K", "T", "S"}}
        problem = load_problem(study.problem, N=at["N"], **more)
        for name in study.bounds:
            letters = initial_values(BOUNDS[name], problem.N) | study.overrides
            pair(BOUNDS[name], problem, K=at["K"], T=at["T"], S=at.get("S"), b=study.b, overrides=letters)


@pytest.mark.slow
def test_the_whole_audit_satisfies_the_assumptions():
    """No grid point of the audit lacks a cell, but for conditions that nothing meets."""
    assert [p.reason for p in study_settings(AUDIT) if p.cell is None and p.study.id not in EMPTY] == []


def test_summary_counts_every_cell_of_every_study(tmp_path):
    """Two studies of one bound are summed; bounds of order only are left out; the file reads back."""
    recipe, store = small(tmp_path), Store(tmp_path / "store")
    run_sweep(recipe, store, workers=1)
    results = collect(recipe, store)
    rows = summary([results[0], *results], recipe.alpha)
    assert list(rows) == ["momentum-fl.theorem11", "momentum-fl.theorem11-rate"]
    for name, row in rows.items():
        verdicts = [p.verdicts[name] for p in results[0].points]
        assert row["cells"] == 2 * len(verdicts) == sum(row[d.replace(" ", "_")] for d in DECISIONS)
        assert row["worst_ratio"] == max(v.measured / v.rhs for v in verdicts)
        assert row["e_value"] == pytest.approx(np.mean([v.wealth for v in verdicts]))
        assert row["problems"] == ["ridge-ratio"]
    write_summary(rows, tmp_path / "found.json")
    back = json.loads((tmp_path / "found.json").read_text())
    assert back["momentum-fl.theorem11"]["worst_ratio"] == pytest.approx(
        rows["momentum-fl.theorem11"]["worst_ratio"], rel=1e-5
    )


@pytest.mark.parametrize("name", EXPLICIT)
def test_shipped_summary_is_that_of_the_recipe(name):
    """Every explicit bound was audited on all cells of its studies, and every cell was decided."""
    row = shipped_summary()[name]
    assert row["cells"] == sum(prod(len(v) for v in axes_of(s).values()) for s in STUDIES[name])
    assert row["problems"] == sorted({s.problem for s in STUDIES[name]})
    empty = all(s.id in EMPTY for s in STUDIES[name])
    assert (row["undecided"], row["not_applicable"]) == (0, row["cells"] if empty else 0)
