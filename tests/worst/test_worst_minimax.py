"""Methods for min_x max_y: every row holds on explicit saddles, no run is above the upper side, and closed forms."""

import dataclasses

import numpy as np
import pytest
from explicit_saddles import Run, shared_saddles
from turns import every, in_turn

from boundcheck.engine import simulate
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.evidence.search.extremes import measured_on
from boundcheck.methods import METHODS
from boundcheck.problems.synthetic.ncsc_ridge import RidgeSaddle
from boundcheck.proofs.kernel import certificates as verify
from boundcheck.worst import ProblemClass, proved_upper, sharpen, worst
from boundcheck.worst.facts.measures import left_hand_side_of
from boundcheck.worst.gram.blocks import Blocks
from boundcheck.worst.gram.exact import ExactNumber
from boundcheck.worst.gram.trace import trace_method
from boundcheck.worst.proved.saddles import ExactSaddle
from boundcheck.worst.sides.saddle import on_saddles

LINEAR = {
    "local-sgda": {"eta_x": 0.05, "eta_y": 0.4},
    "momentum-local-sgda": {"eta_x": 0.1, "eta_y": 0.5, "alpha": 0.5, "bx": 0.6, "by": 0.8},
    "fmgda": {"chat": 0.1, "c_dual": 0.5, "c1": 0.3, "h": 1.0, "t_flat": 8.0},
    "sgda": {"eta_x": 0.05, "eta_y": 0.4, "alternating": True},
    "coda": {"eta_x": 0.05, "eta_y": 0.4, "lam": 0.1, "rounds": 1},
    "codasca": {"eta_x": 0.05, "eta_y": 0.4, "lam": 0.1, "rounds": 1},
    "storm-gda": {"c_x": 0.1, "c_y": 0.5, "c1": 0.3, "c2": 0.4, "h": 1.0, "m": 8.0},
}


def method(name):
    return METHODS[name](**LINEAR[name])


def sgda(eta_x, eta_y):
    return METHODS["local-sgda"](eta_x=eta_x, eta_y=eta_y)


@pytest.mark.parametrize(("name", "waves"), in_turn(LINEAR, 0.0, 0.15))
def test_every_row_holds_on_runs(name, waves):
    """Quadratic saddles and others: the Gram matrices of two rounds of two steps meet every constraint."""
    saddles = shared_saddles(waves)
    given = ProblemClass(N=3, L=saddles.L, mu=saddles.mu, zeta=9.0, Delta=9.0, distance=9.0, G_0=90.0)
    trace = trace_method(method(name), N=3, K=2, T=2, pairs=True)
    saddle, _ = on_saddles(trace, left_hand_side_of("average", trace), given)
    unknowns = Run(saddle, saddles).unknowns()
    assert not saddle.programme.equalities
    for key, (row, limit) in saddle.programme.limits.items():
        assert row @ unknowns <= limit + 1e-9, key


def test_rows_are_tight_enough_to_fail():
    """Saddles of a larger L, or a smaller mu, than the class has break rows of each kind."""
    saddles = shared_saddles(0.15)
    trace = trace_method(method("local-sgda"), N=3, K=2, T=2, pairs=True)
    looked = left_hand_side_of("average", trace)
    broken = set()
    for L, mu in ((0.8 * saddles.L, 0.5 * saddles.mu), (saddles.L, 0.9 * saddles.L)):
        saddle, _ = on_saddles(trace, looked, ProblemClass(N=3, L=L, mu=mu, zeta=9.0, Delta=9.0))
        unknowns = Run(saddle, saddles).unknowns()
        broken |= {key[0] for key, (row, limit) in saddle.programme.limits.items() if row @ unknowns > limit + 1e-9}
    assert {"interpolation", "coupled", "concave"} <= broken


@pytest.mark.parametrize("mu", [0.5, 0.2])
@pytest.mark.parametrize(("eta_x", "T"), [(0.1, 1), (0.0, 2)])
def test_before_x_moves_phi_is_as_steep_as_its_curvature_allows(mu, eta_x, T):
    """|grad Phi|^2 = 2 (L^2/mu) Delta, which f = mu x^2/2 + sqrt(L^2 - mu^2) x y - mu y^2/2 has."""
    L, Delta = 1.6, 0.7
    found = worst(sgda(eta_x, 0.5), K=2, T=T, L=L, mu=mu, Delta=Delta, distance=1.0, zeta=1.0)
    assert found.upper == pytest.approx(2 * L**2 / mu * Delta, rel=1e-6)
    assert found.verdict == "exact"
    hessian = np.array([[mu, np.sqrt(L**2 - mu**2)], [np.sqrt(L**2 - mu**2), -mu]])
    assert np.abs(np.linalg.eigvalsh(hessian)) == pytest.approx(L)
    assert hessian[0, 0] + hessian[0, 1] ** 2 / mu == pytest.approx(L**2 / mu)


@pytest.mark.parametrize(("eta_x", "T"), [(0.1, 4), (0.2, 3)])
def test_no_quadratic_is_above_and_one_is_near(eta_x, T):
    """Of one x and one y, at eta_y = 1, mu = 1/2: the best of a grid has 99.9 % of the upper side."""
    mu, best = 0.5, 0.0
    for a in np.linspace(-0.9, 0.9, 181):
        b = np.sqrt(min((1 - a) * (1 + mu), (1 + a) * (1 - mu)))
        best = max(best, *(average(a, b, mu, eta_x, T, off) for off in (-0.5, 0.5)))
    found = worst(sgda(eta_x, 1.0), K=1, T=T, N=1, mu=mu, distance=0.5, prove=False).upper
    assert 0.999 * found <= best <= found * (1 + 1e-7)


@pytest.mark.parametrize("name", every(2, LINEAR))
@pytest.mark.parametrize(("N", "measure"), [(3, "average"), (2, "value")])
def test_the_lower_side_is_a_saddle_of_the_class(name, N, measure):
    """The engine has its value there, close below the upper side, and every constant is within the class."""
    L, mu, limits = 2.0, 0.8, {"Delta": 3.0, "zeta": 0.7, "distance": 0.4}
    made = METHODS[name](**{key: v / L if key.startswith("eta") else v for key, v in LINEAR[name].items()})
    found = worst(made, K=2, T=2, N=N, L=L, mu=mu, measure=measure, prove=False, **limits)
    problem = found.problem
    assert measured_on(problem, made, K=2, T=2, measure=measure) == pytest.approx(found.lower, rel=1e-7)
    assert 0.98 * found.upper < found.lower <= found.upper
    a, b, c = problem.clients[:, :3].T
    assert np.abs(np.linalg.eigvalsh(np.array([[a, b], [b, -c]]).T)).max() <= L + 1e-9
    assert c.min() >= mu - 1e-9
    assert problem.constant("Delta_Phi") <= limits["Delta"] + 1e-9
    assert problem.constant("delta_y") <= limits["distance"] ** 2 + 1e-9
    ends = [problem.start, *(simulate(problem, made, K=2, T=t, lanes=1).final[0] for t in (1, 2)[: 1 + (N == 2)])]
    for z in ends:
        best = np.array([z[0], problem.best_response(z[None, None])[0, 0, 0]])
        for at in (z, best):
            gradients = problem.exact_gradient(np.tile(at, (1, N, 1)))[0]
            assert gradients.var(axis=0).sum() <= limits["zeta"] ** 2 + 1e-9


def test_one_client_attains_the_upper_side():
    """Quadratics of one x and one y are the worst there; at another step the same problem has less."""
    found = worst(sgda(0.05, 0.4), K=1, T=3, N=1, mu=0.5, distance=0.5, prove=False)
    assert found.lower == pytest.approx(found.upper, rel=1e-6)
    other = measured_on(found.problem, sgda(0.2, 0.4), K=1, T=3, measure="average")
    assert other < 0.9 * found.lower


def average(a, b, mu, eta_x, T, off):
    """Return the average of |grad Phi|^2 on a x^2/2 + b x y - mu y^2/2 from Phi = 1 and y = y_star + off."""
    phi = a + b * b / mu
    if phi <= 0:
        return 0.0
    x = np.sqrt(2 / phi)
    y, total = b * x / mu + off, 0.0
    for _ in range(T):
        total += (phi * x) ** 2 / T
        x, y = x - eta_x * (a * x + b * y), y + (b * x - mu * y)
    return total


@pytest.mark.parametrize("name", every(2, ["local-sgda", "momentum-local-sgda", "fmgda", "sgda"]))
def test_no_run_of_the_engine_is_above(name):
    """Ridges with a coupling, three clients that differ by waves and tilts: the metric of the theorems."""
    problem = RidgeSaddle(N=3, d1=2, d2=1, s=0.4, B=0.6, mu=0.5, zeta_pair=0.6, wave_share=0.3)
    # Curvatures of the ridge are in [-s, 2 s], of the waves at most lam.
    L = float(np.linalg.norm([[0.8 + problem.lam, 0.6], [0.6, 0.5]], 2))
    constants = {"L": L, "mu": 0.5, "Delta": problem.constant("Delta_Phi"), "N": 3, "zeta": 0.6}
    constants["distance"] = problem.constant("delta_y") ** 0.5
    run = simulate(problem, method(name), K=2, T=3, lanes=1, metrics=["envelope_gradient"])
    found = worst(method(name), K=2, T=3, measure="local", prove=False, **constants)
    assert 0.01 * found.upper <= run.average("envelope_gradient")[0] <= found.upper


def test_descent_alone_is_in_the_class():
    """F = h(x) - mu y^2/2: gradient descent's smallest gradient, 4 L Delta/(3 (T-1) + 2), is no more."""
    found = worst(sgda(1.0, 1.0), K=1, T=3, N=1, mu=0.5, distance=1.0, measure="best")
    assert found.upper >= 0.5


def test_any_number_of_clients_is_the_same():
    """Without noise N does not matter, from two clients on."""
    values = [worst(sgda(0.05, 0.5), K=2, T=2, N=N, mu=0.5, zeta=0.5, distance=0.5, prove=False).upper for N in (2, 7)]
    assert values[0] == pytest.approx(values[1], rel=1e-7)
    more = worst(sgda(0.05, 0.5), K=2, T=2, mu=0.5, zeta=1.0, distance=0.5, prove=False).upper
    assert more > values[0] * (1 + 1e-4)


def test_blocks_are_numbers_for_either_half():
    """Sums, differences and products with numbers and with each other."""
    found = 1.0 - (2.0 * Blocks(0.5, 3.0) + Blocks(1.0, 1.0)) * Blocks(1.0, -1.0) - 0.5
    assert (found.x, found.y) == (-1.5, 7.5)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"mu": None}, "mu = None is not legal: a number in"),
        ({"mu": -0.5}, "mu = -0.5 is not legal: a number in"),
        ({"Delta": None, "distance": 1.0}, "Delta = None is not legal: a number"),
        ({"sigma": 1.0}, "sigma = 1.0 is not legal: 0"),
        ({"S": 1}, "S = 1 is not legal: N"),
    ],
)
def test_classes_that_are_not_of_saddles_are_refused(options, words):
    """The message names the method and the constant."""
    with pytest.raises(InputError, match=f"local-sgda: {words}"):
        worst(sgda(0.1, 0.1), K=1, T=2, **{"mu": 0.5, **options})


@pytest.mark.parametrize("name", every(3, LINEAR))
def test_the_upper_side_is_proved(name):
    """A certificate over Q, which the checker accepts and refuses when spoiled, close to the solver's number."""
    found = worst(method(name), K=2, T=2, N=3, mu=0.5, zeta=0.5, distance=0.5)
    assert found.verdict in ("proved", "exact")
    assert found.upper == pytest.approx(found.dual, rel=1e-7)
    proof = found.proof.certificate
    verify.check(proof, {})
    left, right = proof["shows"].split(" <= ")
    for spoiled in ({**proof, "by": proof["by"][1:]}, {**proof, "shows": f"{left} <= {right} - 1/100000"}):
        with pytest.raises(verify.ERRORS):
            verify.check(spoiled, {})


def test_the_rows_of_the_proof_are_those_of_the_programme():
    """Every relation over Q holds on runs where the row of the same name does, and no other is used."""
    saddles = shared_saddles(0.15)
    given = ProblemClass(N=3, L=saddles.L, mu=saddles.mu, zeta=9.0, Delta=9.0, distance=9.0)
    trace = trace_method(method("local-sgda"), N=3, K=2, T=2, pairs=True)
    looked = left_hand_side_of("average", trace)
    saddle, _ = on_saddles(trace, looked, given)
    limits = {"zeta": 81, "Delta": 9, "distance": 81}
    exact = dataclasses.replace(given, L=ExactNumber(saddles.L), mu=ExactNumber(saddles.mu))
    again = trace_method(method("local-sgda"), N=3, K=2, T=2, pairs=True)
    over_q, _ = on_saddles(again, left_hand_side_of("average", again), exact, lambda t, g: ExactSaddle(t, g, limits))
    unknowns = Run(saddle, saddles).unknowns()
    blocks = [saddle.rows.matrix(k, unknowns) for k in range(4)]
    values = unknowns[-len(saddle.points) - 1 : -1]
    where = [{int(k): i for i, k in enumerate(chosen)} for chosen in saddle.chosen]

    def at(key):
        if key[0] in ("f", "1"):
            return values[key[1]] if key[0] == "f" else 1.0
        number = 2 * (key[0] == "Q") + key[1] % 2
        return blocks[number][where[number][key[1]], where[number][key[2]]]

    found = {
        known.name: sum(float(c) * at(k) for k, c in known.relation.number.parts.items())
        for known in over_q.programme.known
    }
    rows = {" ".join(map(str, name)): limit - row @ unknowns for name, (row, limit) in saddle.programme.limits.items()}
    assert found == pytest.approx({name: rows[name] for name in found}, abs=1e-9)
    assert all(abs(rows[name]) < 1e-12 for name in rows.keys() - found.keys())


def test_a_long_run_is_not_proved_and_says_so(monkeypatch):
    """The message has how many points are the most."""
    monkeypatch.setattr("boundcheck.worst.proved.saddles._LARGEST", 3)
    found = worst(method("local-sgda"), K=2, T=2, N=3, mu=0.5, zeta=0.5, distance=0.5)
    assert found.verdict == "numerical"
    assert "at most 3 points" in found.why


def test_public_proofs_and_theorems_of_one_round_are_of_minimisation():
    """Both refuse the method by its name."""
    for asked in (lambda m: proved_upper(m, K=1, T=1), lambda m: sharpen(m, K=1, T=1)):
        with pytest.raises(NotApplicableError, match="local-sgda: of minimisation only"):
            asked(sgda(0.1, 0.1))


def test_constants_are_kept():
    """What is returned names the class."""
    given = ProblemClass(mu=0.5, distance=1.0)
    found = worst(sgda(0.1, 0.1), K=1, T=1, given=given)
    assert {**found.data(), **dataclasses.asdict(given)} == found.data()
