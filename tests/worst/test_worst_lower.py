"""The lower side: functions that attain the upper side, and the engine as their referee."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize
from turns import case_of, every
from worst_cells import made
from worst_methods import LINEAR

from boundcheck.evidence.search.extremes import measured_on
from boundcheck.methods.fedavg import FedAvg
from boundcheck.problems import certify
from boundcheck.problems.extremal.active import ActiveHull
from boundcheck.problems.extremal.data import Pieces, load_pieces, tables
from boundcheck.problems.extremal.family import Extremal
from boundcheck.problems.extremal.hull import Hull, hull, numbers
from boundcheck.worst import ProblemClass, worst
from boundcheck.worst.cases.tables import SHIPPED, table
from boundcheck.worst.facts.measures import left_hand_side_of
from boundcheck.worst.gram.trace import trace_method
from boundcheck.worst.sides.posed import objective
from boundcheck.worst.sides.shared import SharedFunctionConstraints


@pytest.mark.parametrize("name", every(2, LINEAR, first=1))
def test_the_engine_measures_what_is_said_to_be_attained(name):
    """On the function of a worst case the engine's run of the method has the value of the programme, to 1e-6."""
    run = made(name, 2, 0.5)
    found = worst(run, K=2, T=2, zeta=1.0)
    assert found.exact
    assert measured_on(found.problem, run, K=2, T=2, measure="average") == pytest.approx(found.upper, rel=1e-6)
    assert found.problem.constant("Delta") <= 1 + 1e-9


@pytest.mark.parametrize(
    ("measure", "constants"),
    [
        ("best", {"zeta": 1.0}),
        ("last", {"zeta": 1.0, "mu": 0.0}),
        ("value", {"zeta": 1.0, "mu": 0.1}),
        ("local", {"zeta": 1.0}),
        ("value", {"zeta": 1.0}),
        ("suboptimality", {"zeta": 1.0, "N": 4}),
        ("average(0.5)", {"G_0": 3.0}),
        ("average", {"Delta": None, "Delta_mean": 1.0}),
        ("average", {"zeta": 1.0, "N": 3}),
        ("average", {"zeta": 1.0, "N": 4}),
        ("average", {"zeta": 1.0, "everywhere": True}),
    ],
)
def test_every_left_hand_side_and_class_is_attained(measure, constants):
    """The engine agrees in every class that has functions."""
    run = made("fedavg", 2, 1.0)
    found = worst(run, K=2, T=2, measure=measure, **constants)
    assert found.exact
    assert measured_on(found.problem, run, K=2, T=2, measure=measure) == pytest.approx(found.upper, rel=1e-6)


def test_unequal_clients_do_worse_than_tilts():
    """Three local steps: clients h + <c_i, .> do not reach the worst case, and its own functions do."""
    run = made("fedavg", 3, 1.0)
    tilts = worst(run, K=3, T=2, zeta=1.0, everywhere=True)
    assert tilts.lower == pytest.approx(1.139950, rel=1e-5)
    assert not tilts.exact
    assert tilts.problem.constants["zeta"].kind == "exact"
    assert tilts.problem.constant("zeta") <= 1 + 1e-6
    free = worst(run, K=3, T=2, zeta=1.0)
    assert free.exact
    assert free.lower > tilts.lower * (1 + 3e-4)


def test_conditions_between_clients_make_one_function_of_tilted_ones():
    """LED: the programme of h + <c_i, .> has the value of the function that comes of it, which needs all its rows."""
    run = made("led", 2, 1.0)
    given = ProblemClass(zeta=1.0, everywhere=True)
    trace = trace_method(run, N=2, K=2, T=2)
    looked = left_hand_side_of("average", trace)
    shared = SharedFunctionConstraints(trace, given)
    found = shared.programme.maximise(objective(shared, looked))
    assert worst(run, K=2, T=3, given=given).lower == pytest.approx(found.primal, rel=1e-6)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_problem_attains_its_worst_case(name):
    """The engine measures the value of the table, and the constants are those of the class."""
    case, N = SHIPPED[name], SHIPPED[name].given.get("N", 2)
    problem = Extremal(N=N, which=name)
    value = tables()[name]["value"]
    assert measured_on(problem, case.build_method(), K=case.K, T=case.T, measure=case.measure) == pytest.approx(
        value, rel=1e-6
    )
    assert problem.origin.startswith(f"worst case of {case.method} ")
    limits = {"Delta": 1.0, **case.given}
    for letter in ("Delta", "Delta_mean", "G_0"):
        if limits.get(letter) is not None:
            assert problem.constant(letter) <= limits[letter] * (1 + 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_problem_is_certified(name):
    """No constant is exceeded, and exact ones are reached."""
    rows = certify(Extremal(N=SHIPPED[name].given.get("N", 2), which=name))
    assert [row.constant for row in rows if not row.ok] == []


def test_the_table_is_the_solvers():
    """A fresh solution has the same value and origin."""
    fresh = table("fedavg")
    assert fresh["value"] == pytest.approx(tables()["fedavg"]["value"], rel=1e-7)
    assert set(tables()) == set(SHIPPED)


@pytest.mark.parametrize("kind", [Hull, ActiveHull])
def test_the_hull_is_the_minimum_over_the_simplex(kind):
    """SLSQP finds the same values, and the gradient is that of the values."""
    rng = np.random.default_rng(0)
    w, t = rng.standard_normal((5, 3)), 0.3 * rng.standard_normal(5)
    hull = kind(w, t, 2.0)
    x = np.concatenate([scale * rng.standard_normal((15, 3)) for scale in (0.3, 1.5)])
    values, vertices = hull(x)
    for at, value, vertex in zip(x, values, vertices, strict=True):
        found = minimize(
            lambda a, at=at: ((at - a @ w) ** 2).sum() + a @ t,
            np.full(5, 0.2),
            bounds=[(0, 1)] * 5,
            constraints={"type": "eq", "fun": lambda a: a.sum() - 1},
            options={"ftol": 1e-14},
        )
        assert value == pytest.approx(found.fun, abs=1e-7)
        slopes = [(hull((at + h)[None])[0][0] - hull((at - h)[None])[0][0]) / 2e-5 for h in 1e-5 * np.eye(3)]
        assert 2 * (at - vertex) == pytest.approx(np.array(slopes), abs=1e-4)


@pytest.mark.parametrize(("points", "d"), [(1, 2), (5, 3), (6, 6), (10, 3), (12, 4), (22, 3)])
@pytest.mark.parametrize("kind", ["general", "on a grid", "in couples"])
def test_a_search_finds_what_the_table_has(points, d, kind):
    """Values and vertices are equal to rounding, also where vertices are dependent or nearly coincide."""
    rng = np.random.default_rng(points)
    w, t = rng.standard_normal((points, d)), 0.3 * rng.standard_normal(points)
    if kind == "on a grid":
        w = np.round(w)
        w[:, 0] = 0.0
    if kind == "in couples":
        half = points - points // 2
        w[half:] = w[: points // 2] + 1e-7 * rng.standard_normal((points // 2, d))
    x = rng.standard_normal((40, d)) * np.repeat([0.1, 1.0, 3.0, 10.0], 10)[:, None]
    (values, vertices), (others, further) = Hull(w, t, 2.0)(x), ActiveHull(w, t, 2.0)(x)
    assert others == pytest.approx(values, rel=1e-13, abs=1e-13)
    assert further == pytest.approx(vertices, abs=1e-11)


def test_a_table_is_for_few_parabolas():
    """15 parabolas in nine dimensions have none; what ships has one."""
    assert numbers(15, 9) > 4_000_000
    assert isinstance(hull(np.zeros((15, 9)), np.zeros(15), 2.0), ActiveHull)
    assert all(isinstance(one, Hull) for name in SHIPPED for one in Extremal(N=2, which=name).hulls)


@pytest.mark.parametrize("N", [2, 3, case_of(8, slow=True)])
def test_sixteen_points_of_a_run_have_a_function(N):
    """FedAvg, K = 2, T = 8: the engine attains the value to 1e-5."""
    found = worst(made("fedavg", 2, 1.0), K=2, T=8, N=N, zeta=1.0)
    assert found.lower == pytest.approx(found.dual, rel=1e-5)
    assert measured_on(found.problem, made("fedavg", 2, 1.0), K=2, T=8, measure="average") == pytest.approx(found.lower)


@pytest.mark.parametrize("seed", every(3, range(6)))
def test_two_clients_have_their_infimum_in_closed_form(seed):
    """Descents from many starts find no lower value than the lowest couple of parabolas, and find that."""
    rng = np.random.default_rng(seed)
    pieces = Pieces(1.0, -1.0, rng.standard_normal((2, 6, 2)), 0.3 * rng.standard_normal((2, 6)), np.zeros(2))
    problem = Extremal.of(pieces)

    def f(x):
        return problem.value(x[None, None])[0], problem.mean_gradient(x[None, None])[0, 0]

    ends = [minimize(f, 3 * rng.standard_normal(2), jac=True, method="BFGS").fun for _ in range(40)]
    assert min(ends) == pytest.approx(problem.constant("f_star"), abs=1e-9)


def test_an_odd_number_of_clients_has_no_known_infimum():
    """Two of one kind and one of the other are another function."""
    assert "f_star" not in Extremal(N=3, which="fedavg").constants
    assert Extremal(N=4, which="fedavg").constant("f_star") == Extremal(N=2, which="fedavg").constant("f_star")
    assert load_pieces("fedavg").w.shape[0] == 2


@pytest.mark.slow
def test_the_sides_meet_on_the_fixed_cells():
    """Every linear method, K up to 4, T of 2 and 3, two steps: equal to 1e-6 in 70 %, to 1e-3 in all."""
    sides = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "sides.py"))
    gaps = np.array(list(sides["gaps"]().values()))
    assert np.mean(gaps <= 1e-6) >= 0.7
    assert max(gaps) <= 1e-3


@pytest.mark.parametrize("zeta", [1e-8, 1e-6])
def test_clients_that_hardly_differ_have_the_function_of_those_that_are_alike(zeta):
    """FedAvg at K = T = 2: 1.0625 at zeta = 0, which rounding must not lose at zeta = 1e-8."""
    found = worst(FedAvg(eta=0.5), K=2, T=2, zeta=zeta)
    assert found.exact
    assert found.lower == pytest.approx(1.0625, rel=1e-6)
