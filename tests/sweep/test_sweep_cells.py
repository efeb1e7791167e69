"""A cell's name: everything that decides its numbers, and nothing else."""

import dataclasses
import os
import subprocess
import sys

import pytest
from sweep_recipes import SMALL, all_cells, small, written

from boundcheck.methods import METHODS
from boundcheck.metrics import METRICS
from boundcheck.sweep.cells import cells
from boundcheck.sweep.cells.bundles import bundle_cells
from boundcheck.sweep.cells.points import study_settings


def ids(recipe):
    return {cell.id for cell in all_cells(recipe)}


def first(folder):
    return all_cells(small(folder))[0]


CHANGES = {
    "problem": "ridge-log",
    "parameters": (("d", 5), ("sigma", 0.5)),
    "method": "scaffold-m",
    "hyper": (("eta", 0.1),),
    "metrics": (METRICS["suboptimality"],),
    "seed": 4,
    "replicates": 5,
    "points": 5,
    "quantities": ("drift_correlation",),
    "schedule": (("eta", "0.9^t"),),
    "weight_decay": 0.1,
}
LETTERS = {"N": 4, "K": 3, "T": 4, "S": 1, "b": 2}


def test_every_field_is_in_the_id(tmp_path):
    """Changing any field changes the id, and all ids differ; which replicates are run again changes nothing."""
    cell = first(tmp_path)
    assert {*CHANGES, "setting", "after"} == {f.name for f in dataclasses.fields(cell)}
    assert dataclasses.replace(cell, after=2).id == cell.id
    assert dataclasses.replace(cell, after=2) == cell
    assert set(LETTERS) == {f.name for f in dataclasses.fields(cell.setting)}
    changes = [{name: value} for name, value in CHANGES.items()]
    changes += [{"setting": dataclasses.replace(cell.setting, **{name: value})} for name, value in LETTERS.items()]
    found = {dataclasses.replace(cell, **change).id for change in changes}
    assert len(found | {cell.id}) == len(changes) + 1


def test_schema_and_problem_page_are_in_the_id(tmp_path, monkeypatch):
    """Raising the schema or editing the user's own problem page gives new cells."""
    page = tmp_path / "mine.toml"
    text = 'title = "t"\nfamily = "ridge"\npurpose = "p"\n[parameters]\nd = 3\nweight = 1.0\n'
    page.write_text(text)

    def name():
        cells._instance.cache_clear()
        return dataclasses.replace(first(tmp_path), problem=str(page), parameters=()).id

    before = name()
    page.write_text(text.replace("1.0", "2.0"))
    assert name() != before
    page.write_text(text)
    assert name() == before
    monkeypatch.setattr(cells, "SCHEMA", cells.SCHEMA + 1)
    assert name() != before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('title = "small"', 'title = "other"'),
        ("seed = 3", "seed = 3\nalpha = 0.01"),
        ('id = "ridges"', 'id = "other"'),
        ('fit = ["T"]', 'fit = ["N"]'),
        ('"momentum-fl.theorem11", "momentum-fl.theorem11-rate"', '"momentum-fl.theorem11"'),
    ],
)
def test_words_and_judgements_are_not_in_the_id(old, new, tmp_path):
    """Titles, error rates, fits and further bounds with the same metric leave every cell as it is."""
    assert ids(small(tmp_path, change=(old, new))) == ids(small(tmp_path))


def test_ids_do_not_depend_on_the_process(tmp_path):
    """A process with another hash seed than this one gives the same ids."""
    path = written(tmp_path, SMALL)
    code = (
        "import sys; from boundcheck.sweep import load_recipe\n"
        "from boundcheck.sweep.cells.points import study_settings\n"
        "print(*[c.id for p in study_settings(load_recipe(sys.argv[1])) for c in p.cells()])"
    )
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    out = subprocess.run(
        [sys.executable, "-c", code, path],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert out == [cell.id for cell in all_cells(small(tmp_path))]


def test_pairs_that_do_not_go_together_are_planned_with_their_reason(tmp_path):
    """A grid point outside a bound's conditions has no cell, but a reason."""
    recipe = small(tmp_path, change=('["momentum-fl.theorem11", "momentum-fl.theorem11-rate"]', '["fedlalr.theorem1"]'))
    quadratic = small(
        tmp_path,
        change=('["momentum-fl.theorem11", "momentum-fl.theorem11-rate"]', '["fedlalr.theorem1"]'),
        problem=('"ridge-ratio"', '"quadratic"'),
    )
    assert all(p.cell for p in study_settings(recipe) if p.study.id == "ridges")
    reasons = {p.reason for p in study_settings(quadratic) if p.study.id == "ridges"}
    assert reasons == {"bound fedlalr.theorem1 needs G_inf, which the problem does not have"}


def test_bundles_hold_cells_that_share_an_array(tmp_path):
    """Bundles partition the cells by problem, K, b and method; horizons, steps and heterogeneity may differ.

    N and S differ where the method is one that runs on clients of several numbers, and only there.
    """
    found = list(dict.fromkeys(all_cells(small(tmp_path))))
    bundles = bundle_cells(found)
    assert sorted(c.id for b in bundles for c in b) == sorted(c.id for c in found)
    for bundle in bundles:
        others = {tuple(p for p in c.parameters if p[0] != "zeta") for c in bundle}
        assert len({(c.problem, c.setting.K, c.setting.b, c.method) for c in bundle}) == len(others) == 1
        assert len({(c.setting.N, c.setting.S) for c in bundle}) == 1 or METHODS[bundle[0].method].card.mixes
    assert max(len(b) for b in bundles) == 8


def test_noise_decides_the_number_of_replicates(tmp_path):
    """A cell without noise runs once."""
    counts = {cell.problem: cell.replicates for cell in all_cells(small(tmp_path))}
    assert counts == {"ridge-ratio": 4, "quadratic-tilt": 1}
