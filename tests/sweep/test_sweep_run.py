"""Running, resuming and reading back: the numbers do not depend on how they were obtained."""

import dataclasses
from concurrent.futures import Executor, Future

import numpy as np
import pytest
from sweep_recipes import LATE, SMALL, all_cells, small, written

from boundcheck.bounds import BOUNDS
from boundcheck.errors import InputError
from boundcheck.sweep import (
    Store,
    collect,
    exponent_table,
    load_recipe,
    run_and_collect,
    run_sweep,
    time_table,
    verdict_table,
)
from boundcheck.sweep.cells.bundles import run_bundle
from boundcheck.sweep.cells.points import study_settings
from boundcheck.sweep.results import results
from boundcheck.sweep.results.results import StudyJudge, _right
from boundcheck.sweep.run import runner

pytestmark = pytest.mark.xdist_group("sweep run")


def numbers(recipe, store):
    """Return every number in a store, by cell."""
    out = {}
    for cell in all_cells(recipe):
        found = store.read(cell)
        out[cell.id] = [found.rounds, *found.average.values(), *found.instant.values()]
    return out


def same(a, b):
    assert a.keys() == b.keys()
    return all(np.array_equal(x, y) for key in a for x, y in zip(a[key], b[key], strict=True))


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """Return the small recipe, its finished store and what the sweep said."""
    folder = tmp_path_factory.mktemp("sweep")
    recipe, store = small(folder), Store(folder / "store")
    return recipe, store, run_sweep(recipe, store, workers=1)


def test_bundling_changes_no_number(done, tmp_path):
    """Each cell run alone gives bit for bit the numbers of the bundled sweep."""
    recipe, store, _ = done
    alone = Store(tmp_path)
    for cell in all_cells(recipe):
        run_bundle([cell], alone)
    assert same(numbers(recipe, store), numbers(recipe, alone))


def test_two_workers_change_no_number_and_judging_beside_them_no_verdict(done, tmp_path, monkeypatch):
    """They write the numbers of this process; verdicts, fits and times are those of `collect` afterwards."""
    recipe, store, _ = done
    monkeypatch.setattr(runner, "_MANY", 1)
    other = Store(tmp_path)
    found = run_and_collect(recipe, other, workers=2)
    assert same(numbers(recipe, store), numbers(recipe, other))
    here = collect(recipe, store)
    assert [result.study is study for result, study in zip(found, recipe.study, strict=True)] == [True] * len(found)
    for table in (verdict_table, exponent_table, time_table):
        assert table(found).equals(table(here))
    assert [result.grids for result in found] == [result.grids for result in here]
    assert [dataclasses.astuple(fit) for result in found for _, fit in result.fits] == [
        dataclasses.astuple(fit) for result in here for _, fit in result.fits
    ]


def test_a_study_is_judged_once_all_its_cells_are_finished(done, tmp_path, monkeypatch):
    """No sooner, whatever else is finished, and once; results that were there before count as finished."""
    recipe, store, _ = done
    judged, result = [], results._result
    monkeypatch.setattr(
        results, "_result", lambda recipe, study, *rest: judged.append(study.id) or result(recipe, study, *rest)
    )
    points = study_settings(recipe)
    cells = {study.id: [c for p in points if p.study is study for c in p.cells()] for study in recipe.study}
    first, *others = recipe.study
    growing = Store(tmp_path)
    judging = StudyJudge(recipe, growing)
    promises = sum(len(study.fit) for study in recipe.study)
    for i in range(promises + 3):
        judging.go_on(cells[first.id][:-1] if i == 0 else [])
    assert judged == []
    for cell in cells[first.id]:
        run_bundle([cell], growing)
    judging.go_on(cells[first.id][-1:])
    judging.go_on([])
    assert judged == [first.id]
    late = StudyJudge(recipe, store)
    for _ in range(promises + 1):
        late.go_on([])
    assert judged == [first.id, first.id]
    assert verdict_table(late.results()).equals(verdict_table(collect(recipe, store)))
    assert judged[2:] == [study.id for study in (*others, *recipe.study)]


def test_a_mistake_in_judging_stops_no_sweep(done, tmp_path, monkeypatch):
    """Every cell runs, then the mistake is said."""
    recipe, asked = done[0], []

    def broken(recipe, study, *rest):
        asked.append(study.id)
        msg = f"{study.id} cannot be judged"
        raise InputError(msg)

    monkeypatch.setattr(results, "_result", broken)
    # Each cell a bundle: so that studies are finished while others run.
    monkeypatch.setattr(runner, "bundle_cells", lambda cells: [[cell] for cell in cells])
    with pytest.raises(InputError, match="cannot be judged"):
        run_and_collect(recipe, Store(tmp_path), workers=1)
    assert len(asked) > 1
    again = Store(tmp_path)
    assert all(again.has(cell) for cell in all_cells(recipe))


def test_second_run_does_nothing(done, monkeypatch):
    """A finished sweep simulates nothing; deleting one file reruns one cell."""
    recipe, store, outcome = done
    cells = list(dict.fromkeys(all_cells(recipe)))
    assert (outcome.ran, outcome.found) == (len(cells), 0)
    before = numbers(recipe, store)
    store.path(cells[4]).unlink()
    again = run_sweep(recipe, store, workers=1)
    assert (again.ran, again.found) == (1, len(cells) - 1)
    assert same(numbers(recipe, store), before)
    monkeypatch.setattr("boundcheck.sweep.run.runner.run_bundle", None)
    idle = run_sweep(recipe, store, workers=1)
    assert (idle.ran, idle.found) == (0, len(cells))


class Breaking(Executor):
    """Runs the first bundle, then fails."""

    def __init__(self, error):
        self.error = error
        self.calls = 0

    def submit(self, fn, /, *args, **kwargs):
        """Run at once; from the second call on, fail instead."""
        future = Future()
        self.calls += 1
        if self.calls == 1:
            future.set_result(fn(*args, **kwargs))
        else:
            future.set_exception(self.error)
        return future


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("worker died")])
def test_interrupted_sweep_keeps_what_is_finished(done, tmp_path, error):
    """After an interruption the finished bundle is on disk whole, and the next run does the rest."""
    recipe, store, _ = done
    broken = Store(tmp_path)
    with pytest.raises(type(error)):
        run_sweep(recipe, broken, executor=Breaking(error))
    kept = [cell for cell in dict.fromkeys(all_cells(recipe)) if broken.has(cell)]
    assert len(kept) >= 1
    assert {p.suffix for p in tmp_path.iterdir()} == {".npz"}
    resumed = run_sweep(recipe, broken, workers=1)
    assert resumed.found == len(kept)
    assert same(numbers(recipe, store), numbers(recipe, broken))


def test_interruption_while_writing_leaves_nothing_that_counts_as_done(done, tmp_path, monkeypatch):
    """A write that is cut off leaves a temporary name at most, never a result."""
    recipe, _, _ = done
    broken = Store(tmp_path)

    def cut_off(self, target):
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.replace", cut_off)
    with pytest.raises(KeyboardInterrupt):
        run_sweep(recipe, broken, workers=1)
    assert not any(broken.has(cell) for cell in all_cells(recipe))


def test_progress_counts_cells_and_work(done, tmp_path):
    """Progress begins with nothing done, once work is planned, and ends with all cells and all of the work."""
    calls = []
    run_sweep(done[0], Store(tmp_path), workers=1, progress=lambda *call: calls.append(call))
    cells = len(set(all_cells(done[0])))
    assert calls[0] == (0, cells, 0.0)
    assert min(share for _, _, share in calls[1:]) > 0
    assert calls[-1][:2] == (cells, cells)
    assert calls[-1][2] == pytest.approx(1.0)
    assert [c[0] for c in calls] == sorted(c[0] for c in calls)


def test_a_missing_result_is_named(done, tmp_path):
    """Reading before the sweep says in one line what to do."""
    cell = all_cells(done[0])[0]
    with pytest.raises(InputError, match=rf"{cell.id}.npz: no result for this cell yet; run the sweep first"):
        Store(tmp_path).read(cell)


def test_workers_must_be_positive(done, tmp_path):
    """No workers is refused by name."""
    with pytest.raises(InputError, match="workers = 0 is not legal"):
        run_sweep(done[0], Store(tmp_path), workers=0)


def test_collected_measurements_are_those_of_a_check(done):
    """What a sweep stored equals, bit for bit, what evidence measures for the same pair, seed and replicates."""
    recipe, store, _ = done
    for planned in study_settings(recipe):
        stored = store.read(planned.cell).final(planned.trial.bound.metric)
        assert np.array_equal(stored, planned.trial.measure(recipe.seed, 0, planned.cell.replicates))


def test_collected_verdicts_fits_and_shapes(done):
    """Each study has a verdict a point and bound, a fit a slice, shapes for bounds of order, and compared runs."""
    recipe, store, _ = done
    ridges, tilt = collect(recipe, store)
    assert {v.verdict for p in ridges.points for v in p.verdicts.values()} == {"vacuous"}
    assert ridges.verdict("momentum-fl.theorem11") == "vacuous"
    assert sum(ridges.grids["momentum-fl.theorem11-rate"].counts.values()) == 16
    assert len(ridges.fits) == 4
    assert {fit.promised for _, fit in ridges.fits} == {0.5}
    assert all(fit.fixed == (1.0,) for _, fit in ridges.fits)
    assert all(set(p.compared) == {"fedavg"} for p in ridges.points)
    assert not tilt.fits
    ((_, shape),) = tilt.shapes["momentum-fl.theorem19-printed"]
    assert shape.x == (10.0, 20.0, 30.0)
    assert tilt.verdict("momentum-fl.theorem19-printed") == shape.verdict


def test_fits_know_their_bound(done):
    """A fit is told the right-hand sides of its points, and along N the largest share of the term with sigma."""
    recipe, store, _ = done
    ridges, _ = collect(recipe, store)
    bound, cut = BOUNDS["momentum-fl.theorem11"], ridges.points[:4]
    verdicts = [p.verdicts[bound.id] for p in cut]
    told = _right(bound, cut, "N")
    assert told["bound_values"] == [v.rhs for v in verdicts]
    assert told["share"] == max(v.terms["noise"] / v.rhs for v in verdicts) > 0
    assert _right(bound, cut, "T")["share"] is None
    assert all(fit.bound_order is not None for _, fit in ridges.fits)


def test_collect_before_the_sweep_says_so(tmp_path):
    """Collecting from an empty store asks for the sweep."""
    with pytest.raises(InputError, match="run the sweep first"):
        collect(small(tmp_path), Store(tmp_path / "empty"))


def test_a_shape_is_judged_where_its_bound_speaks(tmp_path):
    """theorem22-alt-printed needs T >= N/S = 4: the cell at T = 2 is not applicable and counts for no growth."""
    recipe = load_recipe(written(tmp_path, LATE))
    store = Store(tmp_path / "store")
    run_sweep(recipe, store, workers=1)
    (late,) = collect(recipe, store)
    name = "momentum-fl.theorem22-alt-printed"
    assert [p.verdicts[name].verdict for p in late.points] == ["not applicable", *["order only"] * 3]
    ((_, shape),) = late.shapes[name]
    assert shape.x == (8.0, 16.0, 32.0)
    measured = [p.verdicts[name] for p in late.points[1:]]
    assert shape.ratios == pytest.approx([v.measured / v.rhs for v in measured], rel=1e-12)


def test_first_bound_prescribes_for_the_others(tmp_path):
    """With a parameter overridden the explicit bound is judged there, and the rate says it does not apply."""
    fewer = {"sigma": ("sigma = [0.5, 1.0]", "sigma = 0.5"), "N": ("N = [2, 3]", "N = [2]")}
    recipe = small(tmp_path, change=("K = [2]", "K = [2]\noverrides = { beta = 0.5 }"), **fewer)
    assert "theorem11-rate" in SMALL
    store = Store(tmp_path / "store")
    run_sweep(recipe, store, workers=1)
    ridges = collect(recipe, store)[0]
    assert {p.verdicts["momentum-fl.theorem11"].setting["beta"] for p in ridges.points} == {0.5}
    rates = [p.verdicts["momentum-fl.theorem11-rate"] for p in ridges.points]
    assert any("stated at beta" in v.reason for v in rates)
