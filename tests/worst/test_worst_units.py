"""Worst cases in any units: scaled ones equal unscaled ones, sides bracket what is known, exact is said of proofs."""

import dataclasses
import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from straight_hulls import clients_of, left_hand_side, value_of
from turns import case_of
from worst_methods import LINEAR, method

from boundcheck.errors import InputError, NotApplicableError
from boundcheck.evidence.search.extremes import measured_on
from boundcheck.methods.fedavg import FedAvg
from boundcheck.proofs.kernel import certificates as verify
from boundcheck.worst import ProblemClass, proved_upper, worst
from boundcheck.worst.cases import worst_case as sides
from boundcheck.worst.gram.units import for_share
from boundcheck.worst.proved import upper as upper_side

CLASSES = {
    "smooth": {"zeta": 1.0},
    "weakly convex": {"mu": -0.5, "zeta": 1.0},
    "convex": {"mu": 0.0, "zeta": 0.5},
    "strongly convex": {"mu": 0.3, "zeta": 1.0},
    "distance": {"mu": 0.0, "Delta": None, "distance": 1.0, "zeta": 1.0},
    "start only": {"G_0": 3.0},
    "own floors": {"Delta": None, "Delta_mean": 1.0, "zeta": 1.0},
    "weak floors": {"mu": -0.4, "Delta": None, "Delta_mean": 1.0, "zeta": 1.0},
    "alone": {"N": 1},
    "alone, weakly convex": {"N": 1, "mu": -0.7},
    "equal": {"zeta": 0.0},
    "noise": {"zeta": 1.0, "sigma": 0.5},
}
MEASURES = ("average", "best", "last", "value")
NAMES = ("fedavg", "sgd", "fedavg-m", "scaffold-m", "slowmo", "mime")
CELLS = 300
QUICK = 30


def cells():
    """Return random cells: class, measure, method, and units of 16 orders of magnitude; all but the first are slow."""
    rng, found = np.random.default_rng(20), []
    for place in range(CELLS):
        name = list(CLASSES)[place % len(CLASSES)]
        measure = MEASURES[rng.integers(len(MEASURES))]
        if measure == "value" and "Delta_mean" in CLASSES[name]:
            measure = "last"
        of = NAMES[rng.integers(len(NAMES))] if CLASSES[name].get("N") != 1 else "sgd"
        L, length = (10.0 ** rng.uniform(-8, 8) for _ in range(2))
        found.append(case_of((name, measure, of, L, length), slow=place >= QUICK))
    return found


def in_units(given, L, length):
    """Return the class of L s^2 f(x/s), s^2 = length: by the chain rule, constant by constant."""
    factors = {"Delta": L * length, "Delta_mean": L * length, "distance": length**0.5, "mu": L}
    factors |= {"zeta": L * length**0.5, "sigma": L * length**0.5, "G_0": L**2 * length}
    return {k: v * factors[k] if k in factors and v is not None else v for k, v in {"Delta": 1.0, **given}.items()}


@pytest.mark.parametrize(("name", "measure", "of", "L", "length"), cells())
def test_scaled_equals_unscaled(name, measure, of, L, length):
    """L s^2 f(x/s) has L and s^2 times the distances: left-hand sides scale with it, both sides to 1e-6."""
    given, K = CLASSES[name], 1 if CLASSES[name].get("N") == 1 else 2
    made = method(of)
    plain = worst(made, K=K, T=2, measure=measure, **given)
    other = worst(for_share(made, 1 / L), K=K, T=2, measure=measure, L=L, **in_units(given, L, length))
    unit = length * L if measure == "value" else length * L**2
    both = plain.exact and other.exact
    # Where a case is not exact its sides are the best of a search, which ends where rounding says.
    assert other.upper == pytest.approx(unit * plain.upper, rel=1e-6 if both else 1e-5)
    assert (other.lower is None) == (plain.lower is None)
    assert plain.lower is None or other.lower == pytest.approx(unit * plain.lower, rel=1e-6 if both else 1e-4)
    assert other.is_proved == plain.is_proved
    for case in (plain, other):
        assert case.lower is None or case.lower <= case.upper
        assert (case.verdict == "exact") == case.exact
        assert case.exact <= (case.proof is not None and verify.check(case.proof.certificate, {}) != [])


def own_cells():
    """Return FedAvg with its class, K and T at which hulls are small enough to be written out."""
    chosen = [
        ("alone", "best", 1, 3),
        ("alone, weakly convex", "average", 1, 3),
        ("alone, weakly convex", "value", 2, 2),
        ("smooth", "average", 2, 2),
        ("weakly convex", "average", 2, 2),
        ("convex", "last", 2, 1),
        ("distance", "value", 1, 2),
        ("own floors", "average", 2, 2),
    ]
    units = ((1.0, 1.0), (1e-8, 1e16), (1e6, 1e-12), (3e3, 7e-5))
    return [case_of((*cell, *unit), slow=k % 2 == 1) for k, cell in enumerate(chosen) for unit in units]


@pytest.mark.parametrize(("name", "measure", "K", "T", "L", "length"), own_cells())
def test_sides_bracket_what_plain_numpy_measures(name, measure, K, T, L, length):
    """The lower side is what local steps do on the function, written out; the proved upper side is not below it."""
    given = in_units(CLASSES[name], L, length)
    found = worst(FedAvg(eta=0.5 / L), K=K, T=T, measure=measure, L=L, **given)
    ran = left_hand_side(found.problem, measure, eta=0.5 / L, K=K, T=T)
    assert found.verdict in ("exact", "proved")
    assert ran == pytest.approx(found.lower, rel=1e-6)
    assert ran <= found.upper * (1 + 1e-9)
    # No point in sight is below what is said to be the infimum, so that Delta is not more than the class allows.
    if (floor := found.problem.constants.get("f_star")) is not None:
        clients, rng = clients_of(found.problem), np.random.default_rng(0)
        spread = length**0.5 * rng.standard_normal((50, found.problem.d)) * rng.uniform(0.01, 3, (50, 1))
        lowest = min(value_of(clients, found.problem.start + x) for x in spread)
        assert lowest >= floor.value - 1e-9 * L * length


@pytest.mark.parametrize(("L", "Delta"), [(1.0, 1.0), (1e-8, 1e8), (1e6, 1e-6), (1e-3, 1e5)])
def test_published_forms_in_any_units(L, Delta):
    """Steps of 1/L and 1/(2L): of which L, Delta and the distance are any numbers.

    4 L Delta/(3 (T-1) + 2): Abbaszadehpeivasti, de Klerk, Zamani 2021.  L R^2/(4 T + 2): Drori, Teboulle 2014.
    (1 - mu/L)^(2 T) Delta: Taylor, Hendrickx, Glineur 2018.
    """
    R = (Delta / L) ** 0.5
    descent = {"K": 1, "T": 3, "N": 1, "L": L}
    smooth = worst(method("sgd", eta=1 / L), **descent, Delta=Delta, measure="best")
    assert smooth.upper == pytest.approx(L * Delta * 4 / 8, rel=1e-6)
    convex = worst(method("sgd", eta=1 / L), **descent, mu=0.0, Delta=None, distance=R, measure="value")
    assert convex.upper == pytest.approx(L * R**2 / 14, rel=1e-6)
    strong = worst(method("sgd", eta=1 / L), **descent, mu=0.2 * L, Delta=Delta, measure="value")
    assert strong.upper == pytest.approx(0.8**6 * Delta, rel=1e-6)
    assert {case.verdict for case in (smooth, convex, strong)} == {"exact"}


@pytest.mark.parametrize("eta", [0.25, 0.5, 1.0])
@pytest.mark.parametrize("mu", [-1.0, -0.9, -0.5, -0.1, -1e-3, 0.0])
def test_gradient_descent_on_weakly_convex_functions(mu, eta):
    """The smallest |grad f|^2 of T steps up to 1/L is 2 L Delta/(1 + eta L T (2 + eta L eta mu/(eta L - eta mu))).

    Rotaru, Glineur, Patrinos, arXiv 2203.00775 (2022).
    """
    found = worst(method("sgd", eta=eta), K=1, T=3, N=1, mu=mu, measure="best")
    gain = 2 + eta * eta * mu / (eta - eta * mu)
    assert found.upper == pytest.approx(2 / (1 + 2 * eta * gain), rel=1e-6)
    assert found.exact


def test_a_smaller_class_is_not_worse():
    """From smooth to convex the worst case falls: FedAvg's with zeta and with G_0, of two clients and of three."""
    for more in ({"zeta": 1.0}, {"G_0": 3.0}, {"zeta": 1.0, "N": 3}, {"zeta": 1.0, "measure": "value"}):
        uppers = [worst(FedAvg(eta=0.5), K=2, T=2, mu=mu, **more).upper for mu in (-1.0, -0.75, -0.5, -0.25, 0.0)]
        assert all(high >= low * (1 - 1e-7) for high, low in pairwise(uppers))
        assert max(uppers) < math.inf


def test_a_small_value_is_bracketed():
    """(1 - mu)^4 = 1e-4 at mu = 0.9, eta = 1: the certificate is above it, the function below."""
    found = worst(method("sgd", eta=1.0), K=1, T=2, N=1, mu=0.9, measure="value")
    truth = Fraction(1, 10) ** 4
    assert Fraction(found.lower) <= truth <= found.proved <= Fraction(found.upper)
    assert found.upper == pytest.approx(1e-4, rel=1e-6)
    assert found.exact
    assert found.proved <= found.proof.value


@pytest.mark.parametrize("eta", [0.3, 1.0, 1.9, -0.5])
def test_mu_equal_to_L_is_a_parabola(eta):
    """(1 - eta L)^(2T) Delta over Q, at any L; a smaller mu is worse where steps are short."""
    found = worst(method("sgd", eta=eta / 4), K=1, T=3, N=1, L=4.0, mu=4.0, Delta=3.0, measure="value")
    assert found.proved == 3 * (1 - Fraction(str(eta))) ** 6
    assert found.exact
    assert left_hand_side(found.problem, "value", eta=eta / 4, K=1, T=3) == pytest.approx(found.upper, rel=1e-9)
    other = worst(method("sgd", eta=eta / 4), K=1, T=3, N=1, L=4.0, mu=2.0, Delta=3.0, measure="value")
    assert other.upper >= found.upper * (1 - 1e-9)


def test_parabolas_of_several_clients():
    """FedAvg's mean is one parabola's, mean |y_i - x|^2 of a step is eta^2 (P + Q); a solver is near at mu < L."""
    drift = worst(FedAvg(eta=0.5), K=2, T=1, mu=1.0, zeta=2.0, measure="drift")
    # Local points x and x - g/2: half of (|e|^2 + |d|^2)/4 with |e|^2 = 2 Delta = 2 and |d|^2 = zeta^2 = 4.
    assert drift.proved == Fraction(3, 4)
    near = worst(FedAvg(eta=0.5), K=2, T=1, mu=0.999, zeta=2.0, measure="drift")
    assert near.upper == pytest.approx(0.75, rel=2e-3)
    best = worst(FedAvg(eta=0.5), K=2, T=2, mu=1.0, measure="best")
    assert best.proved == 2 * Fraction(1, 2) ** 4
    assert worst(FedAvg(eta=0.5), K=2, T=1, mu=1.0, measure="drift").verdict == "infinite"
    noisy = worst(method("sgd", eta=0.5), K=1, T=2, N=1, mu=1.0, sigma=1.0, measure="value")
    # x_1 = e/2 - n/2 and x_2 = e/4 - n/4 - m/2, by hand.
    assert noisy.proved == Fraction(1, 16) + (Fraction(1, 16) + Fraction(1, 4)) / 2
    with pytest.raises(InputError, match="S = 1 is not legal: N where mu = L"):
        worst(FedAvg(eta=0.5), K=1, T=1, N=2, S=1, mu=1.0)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    "given",
    [
        {"Delta": 0.0, "N": 1},
        {"Delta": 0.0, "zeta": 0.0},
        {"Delta": None, "distance": 0.0, "mu": 0.0, "N": 1},
        {"Delta": 0.0, "N": 1, "L": 1e6},
        {"Delta": 0.0, "N": 1, "mu": 1.0},
        {"Delta": 0.0, "G_0": 0.0},
    ],
)
def test_nothing_moves_from_a_minimum_without_heterogeneity(measure, given):
    """All constants are 0, and so is the left-hand side: |grad f|^2 <= 2 L Delta."""
    found = worst(FedAvg(eta=0.25 / given.get("L", 1.0)), K=2, T=2, measure=measure, **given)
    assert (found.upper, found.lower, found.verdict) == (0.0, 0.0, "exact")
    assert left_hand_side(found.problem, measure, eta=0.25, K=2, T=2) == 0.0


def kink(c, m=0.5):
    """Return FedAvg's average of |grad h|^2 over x_0 and x_1 on h + c x and h - c x, eta = 1/2, by hand."""

    def slope(x):
        return x if x > 0 else m * x

    x = 0.0
    total = slope(x) ** 2
    ends = []
    for tilt in (c, -c):
        y = x
        for _ in range(2):
            y = y - 0.5 * (slope(y) + tilt)
        ends.append(y)
    return (total + slope(sum(ends) / 2) ** 2) / 2


def test_clients_that_differ_leave_a_minimum():
    """Delta = 0 is not 0 where zeta is 1: on h = x^2/2 and x^2/4, tilted, the average is 1/2048."""
    assert kink(1.0) == 1 / 2048
    found = worst(FedAvg(eta=0.5), K=2, T=2, zeta=1.0, Delta=0.0)
    assert found.upper == pytest.approx(1 / 64, rel=1e-6)
    assert found.lower >= kink(1.0) * (1 - 1e-8)
    assert found.problem.constant("Delta") == 0.0


@pytest.mark.parametrize("given", [{}, {"mu": -0.5}, {"mu": 0.0}, {"mu": 0.3}, {"N": 3}, {"N": 4}, {"L": 1e-6}])
def test_infinite_is_said_with_a_function_whose_multiples_grow(given):
    """On the function Delta is 0; s^2 f(x/s) has s^2 times the left-hand side, which the function written out has."""
    L = given.get("L", 1.0)
    found = worst(FedAvg(eta=0.5 / L), K=2, T=2, **given)
    assert (found.verdict, found.upper, found.lower) == ("infinite", math.inf, None)
    assert (found.status, found.sizes) == ("closed form", {})  # no programme, which took minutes with noise
    assert "zeta or G_0 has to bound how clients differ" in found.why
    assert found.problem.constant("Delta") == 0.0
    one = left_hand_side(found.problem, "average", eta=0.5 / L, K=2, T=2)
    wider = found.problem.of(found.problem.pieces.rescale(3.0), N=found.problem.N)
    assert one > 0
    assert left_hand_side(wider, "average", eta=0.5 / L, K=2, T=2) == pytest.approx(9 * one, rel=1e-6)


@pytest.mark.parametrize("given", [{"zeta": 1.0}, {"G_0": 1.0}, {"Delta": None, "Delta_mean": 1.0}, {"N": 1}])
def test_classes_that_bound_their_clients_are_finite(given):
    """Every gradient is bounded then: at the start by the class, elsewhere by smoothness."""
    for eta in (0.5, 2.5, 20.0):
        assert worst(FedAvg(eta=eta), K=2, T=2, **given).upper < math.inf


def test_a_solver_without_a_proof_is_numerical(monkeypatch):
    """Equal sides are not exact: without a proof the two numbers are a solver's."""
    solved = worst(FedAvg(eta=0.5), K=2, T=2, zeta=1.0, prove=False)
    assert (solved.verdict, solved.exact, solved.proved) == ("numerical", False, None)
    assert solved.upper == pytest.approx(solved.lower, rel=1e-8)

    def refused(*_, **__):
        raise NotApplicableError("nothing was found")

    monkeypatch.setattr(sides, "proved_upper", refused)
    found = worst(FedAvg(eta=0.5), K=2, T=2, zeta=1.0)
    assert (found.verdict, found.why) == ("numerical", "not proved: nothing was found")


@pytest.mark.parametrize("factor", [0.9, 0.99, 0.999999])
def test_multipliers_that_promise_too_little_prove_nothing(monkeypatch, factor):
    """A solver that lies: whatever survives the arithmetic is not below the truth, 35/32."""
    honest = upper_side.minimise

    def lying(*args, **kwargs):
        answer = honest(*args, **kwargs)
        return dataclasses.replace(answer, unknowns={k: factor * v for k, v in answer.unknowns.items()})

    monkeypatch.setattr(upper_side, "minimise", lying)
    found = worst(FedAvg(eta=0.5), K=2, T=2, zeta=1.0)
    assert found.proved is None or found.proved >= Fraction(35, 32)
    assert found.upper >= 35 / 32 * (1 - 1e-9)


def test_a_function_above_a_proof_is_an_error(monkeypatch):
    """One of the two is wrong, and nobody is told a number."""
    honest = sides.lower_side

    def boasting(question):
        found, why = honest(question)
        return dataclasses.replace(found, value=1.01 * found.value), why

    monkeypatch.setattr(sides, "lower_side", boasting)
    with pytest.raises(ArithmeticError, match="more than the proved"):
        worst(FedAvg(eta=0.5), K=2, T=2, zeta=1.0)


@pytest.mark.parametrize(
    ("zeta", "truth"), [(1e3, None), (1e5, None), (1e8, 1e16 / 64), (1e-3, None), (1e-8, 1.0625), (0.0, 1.0625)]
)
def test_heterogeneity_of_any_size(zeta, truth):
    """zeta^2/64 where Delta is nothing beside it, 17/16 where zeta is: right, or called what it is."""
    found = worst(FedAvg(eta=0.5), K=2, T=2, zeta=zeta)
    assert found.verdict in ("exact", "proved")
    assert 0 < found.lower <= found.upper < math.inf
    if truth is not None:
        assert found.upper == pytest.approx(truth, rel=1e-6)


def test_a_certificate_says_what_it_is_about():
    """Method, left-hand side, N, K, T, every hyperparameter with all its digits, and the class."""
    found = proved_upper(FedAvg(eta=0.4142135623730951), K=2, T=2, zeta=1.0, mu=-0.25)
    assert found.method.eta == Fraction(4142135623730951, 10**16)
    eta = "4142135623730951/10000000000000000"
    assert found.certificate["id"] == (
        f"worst.fedavg/average/N=2, K=2, T=2, eta={eta}, gamma=1, L=1, mu=-1/4, Delta, zeta"
    )
    assert verify.check(found.certificate, {})[0] == f'"{found.certificate["id"]}"'
    other = proved_upper(FedAvg(eta=0.4142135623730951), K=2, T=2, N=3, G_0=1.0, measure="last").certificate["id"]
    assert other == f"worst.fedavg/last/N=3, K=2, T=2, eta={eta}, gamma=1, L=1, mu=-1, Delta, G_0"
    assert proved_upper(FedAvg(eta=1 / 3), K=1, T=2, N=1).method.eta == Fraction(1, 3)


def test_samples_of_a_minibatch_divide_the_variance_in_a_certificate():
    """Three of them at sigma^2 = 3 are one at sigma^2 = 1, in the proved value as in the programme's."""
    one = proved_upper(method("sgd", eta=0.5), K=1, T=2, N=1, sigma=1.0).value
    three = proved_upper(method("sgd", eta=0.5), K=1, T=2, b=3, N=1, sigma=3**0.5).value
    assert float(three) == pytest.approx(float(one), rel=1e-7)
    assert three < proved_upper(method("sgd", eta=0.5), K=1, T=2, N=1, sigma=3**0.5).value


def test_steps_of_a_scaled_problem_are_the_fractions_that_were_asked_for():
    """A step of 5e-7 at L = 1e6 is 1/2, without a digit of a float."""
    found = worst(FedAvg(eta=5e-7), K=2, T=2, L=1e6, Delta=1e-6, zeta=1.0)
    assert found.proof.method.eta == Fraction(1, 2)
    assert found.proved == worst(FedAvg(eta=0.5), K=2, T=2, zeta=1.0).proved


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in LINEAR if name != "stem"])
def test_every_method_in_other_units(name):
    """All linear methods, whatever letters their steps have; STEM's weights of momentum have no units."""
    plain = worst(method(name), K=2, T=2, zeta=1.0)
    given = ProblemClass(L=1e5, Delta=1e-3, zeta=10.0)
    other = worst(for_share(method(name), 1e-5), K=2, T=2, given=given)
    assert other.upper == pytest.approx(100 * plain.upper, rel=1e-6)


@pytest.mark.parametrize(("K", "T"), [(1, 10**12), (10**6, 2)])
def test_a_programme_without_end_is_refused_before_it_begins(K, T):
    """Each local step is a vector of it; it was traced until the memory ended."""
    with pytest.raises(InputError, match=r"K T = .* at most 4096 local steps"):
        worst(FedAvg(eta=0.1), K=K, T=T, zeta=1.0)


@pytest.mark.parametrize("zeta", [0.0, 1.0, 10.0])
@pytest.mark.parametrize("mu", [0.99, 0.999, 0.9999, 0.99999])
def test_near_parabolas_no_number_is_below_the_truth(mu, zeta):
    """Equal parabolas of curvature mu end at (1 - mu/2)^4; the solver's number was below it, and its residual 1e-5."""
    found = worst(FedAvg(eta=0.5), K=2, T=1, N=3, measure="value", mu=mu, zeta=zeta)
    assert found.verdict in ("exact", "proved")
    assert (1 - mu / 2) ** 4 * (1 - 1e-12) <= found.upper
    assert found.upper <= worst(FedAvg(eta=0.5), K=2, T=1, N=3, measure="value", mu=0.98, zeta=zeta).upper


def test_a_proof_for_more_functions_says_so():
    found = worst(FedAvg(eta=0.5), K=2, T=1, N=3, measure="value", mu=0.9999, zeta=1.0)
    assert "mu=999/1000" in found.proof.certificate["id"]
    assert verify.check(found.proof.certificate, {})
    assert found.why == "proved for all functions with mu = 0.999 L"


@pytest.mark.parametrize(
    ("L", "Delta", "given"),
    [
        (1.9618007217171606e-11, 4.4939980984699736e-21, {"N": 1, "measure": "last"}),
        (0.007120807955305068, 1.4047612580489415e-08, {"N": 1, "mu": 0.9, "measure": "distance"}),
        pytest.param(4659611.588644904, 1.3e17, {"N": 3, "zeta": 2.0, "measure": "value"}, marks=pytest.mark.slow),
    ],
)
def test_a_proof_in_units_of_many_digits_is_one_that_the_checker_reads(L, Delta, given):
    """Nine local steps of 17 digits each make numbers of 500 to 900: `verify` refused what was called exact."""
    given = {**given, "mu": given.get("mu", -1.0) * L}
    if "zeta" in given:
        given["zeta"] *= (L * Delta) ** 0.5
    found = worst(method("fedavg", gamma=1.0, eta=0.5 / L), K=3, T=3, L=L, Delta=Delta, **given)
    assert found.verdict in ("exact", "proved")
    assert verify.check(found.proof.certificate, {})


@pytest.mark.parametrize(("unit", "size"), [(1e-8, 1e-6), (1e7, 1e6)])
def test_the_function_has_its_minimum_in_any_units(unit, size):
    """A start that gradients of 1e-14 leave is no minimum: the engine measures f - f_star as it is at L = Delta = 1."""
    found = worst(FedAvg(eta=0.5 / unit), K=2, T=2, N=2, mu=unit, L=unit, Delta=unit * size**2, measure="value")
    engine = measured_on(found.problem, FedAvg(eta=0.5 / unit), K=2, T=2, measure="value")
    assert engine == pytest.approx(found.upper, rel=1e-6)
    assert found.upper == pytest.approx(0.5**8 * unit * size**2, rel=1e-9)


@pytest.mark.parametrize("name", ["L", "Delta", "zeta", "G_0", "sigma"])
def test_numbers_whose_inverse_overflows_are_refused(name):
    """They ended in an overflow of ours; ten powers above, the class is one like all others."""
    with pytest.raises(InputError, match=rf"{name} = 1e-320 is not legal: .*at least 2.22507e-308"):
        ProblemClass(**{"L": 1.0, "Delta": 1.0, name: 1e-320})
    assert ProblemClass(**{"L": 1.0, "Delta": 1.0, name: 1e-300}) is not None
