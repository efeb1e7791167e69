"""Cells whose problems differ in tables of clients run as lanes of one array, with the numbers that they have alone."""

import dataclasses
import itertools

import numpy as np
import pytest
from turns import in_turn

from boundcheck.engine import simulate
from boundcheck.engine.setting import Setting
from boundcheck.methods import METHODS
from boundcheck.metrics import METRICS
from boundcheck.problems import FAMILIES, load_problem
from boundcheck.problems.stacked import stack_problems
from boundcheck.sweep import Store
from boundcheck.sweep.cells.bundles import bundle_cells, problem_of, run_bundle, simulation
from boundcheck.sweep.cells.cells import Cell

DIALLED = {
    "ridge-ratio": {"zeta": [0.0, 1.0, 3.0]},
    "ridge-signs": {"zeta": [0.5, 0.0]},
    "ridge-ratio-phases": {"zeta": [0.5, 2.0]},
    "ridge-split": {"split": [0.5, 2.0, 0.0], "zeta": [0.0, 1.0, 2.0]},
    "ridge-bend": {"bend": [0.0, 0.5], "centre": [1.0, 0.0]},
    "ridge-table": {"zeta": [0.0, 1.0], "shift": [0.5, 0.25]},
    "ridge-rotated": {"zeta": [0.0, 2.0]},
    "sine-bowl": {"zeta": [0.0, 2.0]},
    "quadratic": {"zeta": [0.0, 2.0]},
    "ncsc-p1": {"zeta_pair": [0.5, 0.0, 1.0]},
    "piecewise": {"zeta": [0.0, 0.5]},
    "stiff-clients": {"zeta": [0.0, 0.5]},
}
"""Instances of the families with dials, and values of some of them side by side."""


def problems_of(name, N=5, **more):
    """Return the problems along the dials of an instance."""
    dials = DIALLED[name]
    return [
        load_problem(name, N=N, **dict(zip(dials, row, strict=True)), **more)
        for row in zip(*dials.values(), strict=True)
    ]


def method_of(problem, lanes=None):
    """Return a method that fits, with a step of its own for every lane."""
    step = 0.05 if lanes is None else 0.05 + 0.01 * np.arange(lanes)
    return METHODS["local-sgda"](eta_x=step, eta_y=0.1) if problem.blocks else METHODS["fedavg"](eta=step)


@pytest.mark.parametrize(("name", "sizes"), in_turn(DIALLED, (5, 1), (5, 2), (3, 1)))
def test_a_lane_of_a_stacked_problem_is_a_run_of_its_own_problem(name, sizes):
    """Bit for bit, whatever problems stand beside it, which clients take part and which lanes end first."""
    problems, (S, b) = problems_of(name), sizes
    S = 5 if problems[0].blocks else S
    setting = {"K": 3, "S": S, "b": b, "metrics": ["server_gradient", "local_gradient", "value", "final_gradient"]}
    owner, T = np.repeat(np.arange(len(problems)), 2), np.tile([9, 4], len(problems))
    whole = stack_problems(problems, owner)
    assert whole.has_lanes
    method = method_of(whole, len(owner))
    together = simulate(whole, method, T=T, lanes=np.tile([0, 1], len(problems)), block=3, **setting)
    for lane, (i, horizon) in enumerate(zip(owner, T, strict=True)):
        step = {
            f.name: np.ravel(getattr(method, f.name))[lane % np.size(getattr(method, f.name))].item()
            for f in dataclasses.fields(method)
        }
        alone = simulate(problems[i], type(method)(**step), T=horizon, lanes=[lane % 2], **setting)
        assert together.final[lane].tobytes() == alone.final[0].tobytes()
        for metric in setting["metrics"]:
            assert together.average(metric)[lane] == alone.average(metric)[0]


@pytest.mark.parametrize("name", DIALLED)
def test_signs_of_zeros_are_those_of_the_own_problem(name):
    """A dial of 0 that leaves a table out leaves -0.0 alone too."""
    problems = problems_of(name)
    x = np.full((len(problems), 5, problems[0].d), -0.0)
    together = stack_problems(problems, np.arange(len(problems))).exact_gradient(x)
    for i, problem in enumerate(problems):
        assert together[i].tobytes() == problem.exact_gradient(x[i : i + 1]).tobytes()


def test_every_family_with_dials_is_tried():
    """A family that declares dials of its own has an instance above."""
    declared = {name for name in FAMILIES if vars(FAMILIES[name]).get("dials")}
    assert declared == {load_problem(name, N=5).family for name in DIALLED}


@pytest.mark.parametrize(
    ("name", "different"),
    [
        ("ridge-ratio", {"weight": 2.0}),
        ("ridge-ratio", {"heterogeneity": "phase", "zeta": 0.5}),
        ("ridge-ratio", {"sigma": 0.25}),
        ("ridge-ratio", {"start": 2.0}),
        ("quadratic", {"mu": 0.2}),
        ("ridge-waves", {"zeta": 0.5}),
        ("finite-sum", {"zeta": 0.5}),
    ],
)
def test_what_differs_in_more_than_tables_is_not_stacked(name, different):
    """Problems with other functions, starts or noise stay apart, and so do families that declare no dials."""
    assert stack_problems([load_problem(name, N=4), load_problem(name, N=4, **different)], np.arange(2)) is None


def test_constants_that_metrics_read_must_be_the_same():
    """Bends of other sizes leave f_star where it is; Delta moves with the centre."""
    one, other = (load_problem("ridge-bend", N=4, centre=centre) for centre in (0.0, 1.0))
    assert stack_problems([one, other], np.arange(2), ["f_star"]) is not None
    assert stack_problems([one, other], np.arange(2), ["Delta"]) is None


def cells(metric="suboptimality", N=3, S=3):
    """Return cells of three heterogeneities and two horizons."""
    return [
        Cell("ridge-ratio", (("d", 4), ("zeta", zeta)), Setting(N=N, S=S, K=2, T=T), "fedavg",
             (("eta", 0.1 + 0.1 * zeta), ("gamma", 1.0)), (METRICS["server_gradient"], METRICS[metric]), 7, 3, 4)
        for zeta in (0.0, 1.0, 2.0) for T in (16, 5)
    ]  # fmt: skip


def test_cells_of_all_heterogeneities_are_one_bundle(tmp_path):
    """One array holds them, and every file has the numbers of the cell that runs alone."""
    (bundle,) = bundle_cells(cells())
    run_bundle(bundle, Store(tmp_path / "together"))
    for cell in bundle:
        run_bundle([cell], Store(tmp_path / "alone"))
        together, alone = (Store(tmp_path / kind).read(cell) for kind in ("together", "alone"))
        for metric in cell.metrics:
            assert together.final(metric.name).tobytes() == alone.final(metric.name).tobytes()


def test_cells_of_other_numbers_of_clients_join_the_bundle(tmp_path):
    """Bit for bit again; cells with idle clients stay apart from those without, and large ones by themselves."""
    many = [*cells(), *cells(N=6, S=6), *cells(N=6, S=2), *cells(N=4, S=3), *cells(N=512, S=512)]
    bundles = bundle_cells(many)
    assert [sorted({(c.setting.N, c.setting.S) for c in bundle}) for bundle in bundles][:2] == [
        [(3, 3), (6, 6)],
        [(4, 3), (6, 2)],
    ]
    assert all({c.setting.N for c in bundle} == {512} for bundle in bundles[2:])
    for bundle in bundles[:2]:
        run_bundle(bundle, Store(tmp_path / "together"))
        for cell in bundle:
            run_bundle([cell], Store(tmp_path / "alone"))
            together, alone = (Store(tmp_path / kind).read(cell) for kind in ("together", "alone"))
            for metric in cell.metrics:
                assert together.final(metric.name).tobytes() == alone.final(metric.name).tobytes()


def still(metric, T, problem="quadratic-tilt"):
    """Return a cell of one lane without noise."""
    steps = (("eta", 0.1), ("gamma", 0.3 + 0.01 * T), ("beta", 0.5))
    return Cell(problem, (), Setting(N=3, S=3, K=2, T=T), "fedavg-m", steps, (METRICS[metric],), 7, 1, 4)


def test_small_lanes_without_noise_are_measured_together(tmp_path):
    """One run for all metrics, and every file has those of its cell with the numbers of the cell that runs alone."""
    asked = [still("server_gradient", 9), still("local_gradient", 9), still("final_suboptimality", 5)]
    (bundle,) = bundle_cells(asked)
    together, alone = (Store(tmp_path / kind) for kind in ("together", "alone"))
    run_bundle(bundle, together)
    for cell in asked:
        run_bundle([cell], alone)
        (metric,) = cell.metrics
        assert list(together.read(cell).metrics) == [metric.name]
        assert together.read(cell).final(metric.name).tobytes() == alone.read(cell).final(metric.name).tobytes()


def test_replicates_are_measured_as_they_ask():
    """A metric at local points on lanes that do not ask for it costs more than a run less saves."""
    many = [dataclasses.replace(still(metric, 9), replicates=2) for metric in ("server_gradient", "local_gradient")]
    assert [len(bundle) for bundle in bundle_cells(many)] == [1, 1]


def test_a_step_that_all_cells_have_stays_a_number():
    """An array of equal numbers would cost a pass of its own."""
    bundle = [still("server_gradient", 9), still("server_gradient", 5)]
    _, method = simulation(bundle, problem_of(bundle)).args
    assert (method.eta, method.beta) == (0.1, 0.5)
    assert method.gamma.tolist() == pytest.approx([0.39, 0.35])


@pytest.mark.parametrize("metric", ["drift", "rise"])
def test_metrics_of_single_clients_keep_numbers_of_clients_apart(metric):
    """They are measured on all clients of a lane at once."""
    assert [len(bundle) for bundle in bundle_cells([*cells(metric), *cells(metric, N=6, S=6)])] == [6, 6]


def test_links_stay_apart():
    """Parameters that are no dials make bundles of their own."""
    others = [dataclasses.replace(c, parameters=(*c.parameters, ("link", "log"))) for c in cells()]
    assert sorted(len(bundle) for bundle in bundle_cells([*cells(), *others])) == [6, 6]


def test_long_runs_are_bundled_together():
    """Cells of one horizon after the other fill bundles: the longest one is that of few bundles, not of all."""
    cells = [
        Cell("ridge-ratio", (("d", 8),), Setting(N=N, S=N, K=2, T=T), "fedavg", (("eta", 0.1),), (), 0, 16, 8)
        for N in range(4, 16)
        for T in (4, 64, 1024)
    ]
    bundles = bundle_cells(cells)
    assert sorted(cell.id for bundle in bundles for cell in bundle) == sorted(cell.id for cell in cells)
    horizons = [{cell.setting.T for cell in bundle} for bundle in bundles]
    assert len(bundles) > 1
    assert sum(1024 in found for found in horizons) < len(bundles)
    assert all(max(later) <= min(earlier) for earlier, later in itertools.pairwise(horizons))
