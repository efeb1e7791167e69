"""Theorems that are true with equality are called violated at no scale; a hundredth less is.

On f = c + L |x - s|^2 / 2 gradient descent with step a/L gives x_t - s = q^t (x_0 - s), q = 1 - a, so that every
metric has a closed form.  Momentum 3/4 with gamma L = 1/3 has the double root 1/2: x_t - s = (1 + t/2) 2^-t (x_0 - s).
"""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from sympy import Eq, Le, Rational, sqrt

from boundcheck.bounds import Bound, Condition
from boundcheck.engine.longer import EPSILON, average_in_longer_numbers
from boundcheck.engine.setting import Setting
from boundcheck.errors import NotApplicableError
from boundcheck.evidence import check
from boundcheck.evidence.search.refute import refute
from boundcheck.evidence.trials.close_calls import unless_close
from boundcheck.evidence.trials.digits import apart
from boundcheck.evidence.trials.trial import pair
from boundcheck.methods import METHODS
from boundcheck.metrics import METRICS, Metric
from boundcheck.notation import symbols
from boundcheck.problems import load_problem
from boundcheck.problems.links import LINKS
from boundcheck.problems.own import from_functions

N, S, K, T, L, mu, sigma, Delta, delta_x = symbols("N S K T L mu sigma Delta delta_x")
LONGER = pytest.mark.skipif(EPSILON > 2.0**-60, reason="no numbers longer than doubles here")


def squares(v):
    return (v * v).sum(axis=(1, 2))


def gap(problem, x):
    return problem.value(x) - problem.constant("f_star")


def away(problem, x):
    return x - problem.x_star


OWN = {
    metric.name: metric
    for metric in (
        Metric("own-norm", "|grad f|", lambda p, y, x: np.sqrt(squares(p.mean_gradient(x))), (1, -1)),
        Metric("own-square", "|grad f|^2", lambda p, y, x: squares(p.mean_gradient(x)), (2, -2), over="end"),
        Metric("own-cube", "|grad f|^3", lambda p, y, x: squares(p.mean_gradient(x)) ** 1.5, (3, -3), over="end"),
        Metric("own-way", "|x - x*|", lambda p, y, x: np.sqrt(squares(away(p, x))), (0, 1), over="end"),
        Metric("own-way-cube", "|x - x*|^3", lambda p, y, x: squares(away(p, x)) ** 1.5, (0, 3), over="end"),
        Metric("own-gap", "f - f*", lambda p, y, x: gap(p, x), (1, 0), over="end"),
        Metric("own-gap-over-L", "(f - f*)/L", lambda p, y, x: gap(p, x) / p.constant("L"), (0, 2), over="end"),
        Metric(
            "own-root-gap",
            "(2 L (f - f*))^(1/2)",
            lambda p, y, x: np.sqrt(np.maximum(2 * p.constant("L") * gap(p, x), 0)),
            (1, -1),
            over="end",
        ),
        Metric(
            "own-product",
            "<grad f, x - x*>",
            lambda p, y, x: (p.mean_gradient(x) * away(p, x)).sum(axis=(1, 2)),
            (1, 0),
            over="end",
        ),
        Metric(
            "own-work",
            "|grad f|^2/L",
            lambda p, y, x: squares(p.mean_gradient(x)) / p.constant("L"),
            (1, 0),
            over="end",
        ),
    )
}


@pytest.fixture(autouse=True)
def own_metrics(monkeypatch):
    for name, metric in OWN.items():
        monkeypatch.setitem(METRICS, name, metric)


def end(power):
    """Return what a power of |x_T - x*| shrinks by."""
    return lambda law: law.factor**power


def mean(power):
    """Return what the average of a power shrinks by, of gradient descent."""
    return lambda law: (1 - law.q ** (power * T)) / ((1 - law.q**power) * T)


SIDES = {
    "final_gradient": (2 * L * Delta, end(2)),
    "final_suboptimality": (Delta, end(2)),
    "final_distance": (delta_x, end(2)),
    "server_gradient": (2 * L * Delta, mean(2)),
    "suboptimality": (Delta, mean(2)),
    "distance": (delta_x, mean(2)),
    "best_gradient": (2 * L * Delta, lambda law: law.q ** (2 * (T - 1))),
    "own-norm": (sqrt(2 * L * Delta), mean(1)),
    "own-square": (2 * L * Delta, end(2)),
    "own-cube": (sqrt(2 * L * Delta) ** 3, end(3)),
    "own-way": (sqrt(delta_x), end(1)),
    "own-way-cube": (sqrt(delta_x) ** 3, end(3)),
    "own-gap": (Delta, end(2)),
    "own-gap-over-L": (Delta / L, end(2)),
    "own-root-gap": (sqrt(2 * L * Delta), end(1)),
    "own-product": (2 * Delta, end(2)),
    "own-work": (2 * Delta, end(2)),
}
"""Metric to its value at the start, and to what becomes of it."""
AT_END = [name for name in SIDES if METRICS.get(name, OWN.get(name)).over == "end"]


@dataclass(frozen=True)
class Descent:
    """Gradient descent with step a/L."""

    a: object

    @property
    def q(self):
        return 1 - self.a

    @property
    def factor(self):
        return self.q**T

    @property
    def settings(self):
        return {"method": "fedavg", "parameters": {"eta": self.a / L}}


@dataclass(frozen=True)
class Momentum:
    """FedAvg-M with one local step, beta = 3/4 and gamma = 1/(3 L)."""

    @property
    def factor(self):
        return (1 + T / 2) * Rational(1, 2) ** T

    @property
    def settings(self):
        return {"method": "fedavg-m", "parameters": {"beta": Rational(3, 4), "gamma": 1 / (3 * L), "eta": 1 / (3 * L)}}


def theorem(metric, law, share=1):
    """Return the theorem that a metric is at most its own value, or a share of it."""
    first, what = SIDES[metric]
    return Bound(
        id=f"equal-{metric}",
        paper="mine",
        title="Equality on a parabola",
        where="by hand",
        metric=metric,
        needs=("L", "Delta", "delta_x"),
        terms={"all": share * first * what(law)},
        trivial=1e9 * first,
        conditions=(Condition("one step", Eq(K, 1)), Condition("all clients", Le(N, S))),
        rigid=True,
        **law.settings,
    )


def parabola(curvature, start, *, offset=0.0, centre=0.0, clients=1, tilt=0.0, **constants):
    """Return f_i = offset + curvature |x - centre|^2 / 2 + (-1)^i tilt (x - centre) in two dimensions."""
    lean = tilt * np.where(np.arange(clients) % 2, -1.0, 1.0) if clients > 1 else np.zeros(1)

    def value(x, owner):
        z = x - centre
        return offset + curvature * (z * z).sum(axis=-1) / 2 + lean[owner] * z.sum(axis=-1)

    def gradient(x, owner):
        return curvature * (x - centre) + lean[owner][..., None]

    given = {"L": curvature, "f_star": offset, **constants}
    first = [centre + start, centre - start / 2]
    problem = from_functions(value, gradient, N=clients, d=2, start=first, calls="lanes", constants=given)
    problem.x_star = np.full(2, centre)
    return problem


SCALES = [(1e-12, 1.0), (1e-6, 3e5), (1.0, 1e-9), (3.0, 0.7), (7e5, 1e-4), (1e12, 2e6)]
"""L and x_0."""
LAWS = {
    "half": Descent(Rational(1, 2)),
    "tenth": Descent(Rational(1, 10)),
    "momentum": Momentum(),
}
CASES = [
    (metric, name, scale, rounds)
    for at, metric in enumerate(SIDES)
    for turn, name in enumerate(LAWS)
    if name != "momentum" or metric in AT_END
    for which, (scale, rounds) in enumerate(zip(SCALES, (1, 3, 8, 2, 5, 4), strict=True))
    # Half of all, so that every metric meets every scale with some method.
    if (at + turn + which) % 2
]


@pytest.mark.parametrize(("metric", "law", "scale", "rounds"), CASES)
def test_equality_is_no_violation_and_a_hundredth_less_is(metric, law, scale, rounds):
    """In every unit and at every scale, with minima at 0 and f_star = 0."""
    problem = parabola(*scale)
    assert check(theorem(metric, LAWS[law]), problem, K=1, T=rounds).verdict == "holds"
    assert check(theorem(metric, LAWS[law], 0.99), problem, K=1, T=rounds).verdict == "violated"


@pytest.mark.parametrize("metric", SIDES)
@pytest.mark.parametrize(
    ("offset", "every"), [(1e3, 2), *(pytest.param(far, 1, marks=pytest.mark.slow) for far in (1e3, -1e3))]
)
def test_an_offset_changes_nothing(metric, offset, every):
    """F is 1000 L x_0^2 above 0, and the minimum 100 x_0 from 0: 0.99 times the truth is still false.

    Metrics in turn take the one half of the scales and the other, in the slow tests all.
    """
    for smooth, start in SCALES[list(SIDES).index(metric) % every :: every]:
        lift, tilt = offset * smooth * start**2, smooth * start
        problem = parabola(smooth, start, offset=lift, centre=100 * start, clients=2, tilt=tilt)
        assert check(theorem(metric, LAWS["half"]), problem, K=1, T=3).verdict in {"holds", "consistent"}
        assert check(theorem(metric, LAWS["half"], 0.99), problem, K=1, T=3).verdict == "violated"


@pytest.mark.parametrize("metric", SIDES)
def test_what_has_drowned_in_rounding_is_not_accused(metric):
    """The minimum is reached to rounding, or f(x_0) - f_star is the difference of numbers 1e12 times as large."""
    for smooth, start in SCALES:
        sunk = parabola(smooth, start, offset=1e12 * smooth * start**2, centre=1e4 * start)
        near = parabola(smooth, start, offset=-smooth * start**2, centre=3 * start)
        assert check(theorem(metric, LAWS["half"]), sunk, K=1, T=2).verdict != "violated"
        assert check(theorem(metric, LAWS["half"]), near, K=1, T=70).verdict != "violated"


CANCELLED = ["final_gradient", "final_distance", "own-square", "own-cube", "own-way", "own-way-cube"]
"""Metrics of lengths: of a value or a product so small nothing is known."""


@LONGER
@pytest.mark.parametrize("metric", CANCELLED)
def test_cancelled_digits_come_back_in_longer_numbers(metric):
    """1 - mu/L = 1e-7 leaves nine digits: equality and a hundredth less are told apart all the same."""
    left = 1e-7
    for smooth in (1.0, 3e-11, 7e9):
        problem = parabola(smooth * (1 - left), 0.3, L=smooth, mu=smooth * (1 - left))
        first = SIDES[metric][0].subs(L, mu)
        power = {"own-way": 1, "own-cube": 3, "own-way-cube": 3}.get(metric, 2)
        decay = first * (1 - mu / L) ** (power * T)
        true = replace(theorem(metric, Descent(1)), needs=("L", "mu", "Delta", "delta_x"), terms={"all": decay})
        found = check(true, problem, K=1, T=1)
        assert found.verdict in {"holds", "consistent"}, found.reason
        found = check(replace(true, terms={"all": 0.99 * decay}), problem, K=1, T=1)
        assert found.verdict == "violated", found.reason
        assert "in longer numbers: no rounding" in found.reason


@pytest.mark.parametrize("T_", [1, 2])
@pytest.mark.parametrize("scale", SCALES)
def test_an_expectation_over_paths_is_compared_likewise(scale, T_):
    """E|x_T|^2 = q^2T |x_0|^2 + (1 + ... + q^(2T-2)) (a sigma/L)^2 with signs as noise, of one client."""
    smooth, start = scale
    problem = load_problem(
        f"quadratic-tilt[zeta=0,d=1,mu={smooth},L={smooth},start={start},noise=signs,sigma={smooth * start}]", N=1
    )
    law = Descent(Rational(1, 2))
    noise = (sigma / (2 * L)) ** 2 * (1 - law.q ** (2 * T)) / (1 - law.q**2)
    true = replace(theorem("final_distance", law), needs=("L", "sigma", "delta_x"))
    true = replace(true, terms={"decay": delta_x * law.q ** (2 * T), "noise": noise})
    found = check(true, problem, K=1, T=T_)
    assert (found.verdict, found.how) == ("holds", "enumerated")
    assert check(replace(true, terms={"all": 0.99 * true.total}), problem, K=1, T=T_).verdict == "violated"


def norm_theorem(metric, terms, needs, **more):
    """Return a theorem about gradient descent with step 1/L that is true of every problem of its class."""
    return replace(theorem("final_gradient", Descent(1)), metric=metric, terms={"all": terms}, needs=needs, **more)


def test_gradients_that_cancel_between_clients_are_no_violation():
    """At its minimum, Delta = 0, clients with large gradients leave 7e-12 of |grad f|: Jensen's 0 was "violated"."""
    true = norm_theorem("own-norm", sqrt(2 * L * Delta / T), ("L", "Delta"))
    found = check(true, load_problem("fedlalr-a2", N=2), K=1, T=40)
    assert found.measured > 0 == found.rhs
    assert found.verdict in {"holds", "consistent"}


@pytest.mark.parametrize("problem", ["ridge-cosine", "ridge-waves", "ridge-ratio", "ridge-ratio-phases"])
@pytest.mark.parametrize("start", [0.0, 1e-12, 1e-9, 1e-4])
def test_no_problem_accuses_close_to_its_minimum(problem, start):
    """1 - cos z and a constant of waves beside f left Delta = 0 at 1e-9, where |grad f|^2 is 1e-17."""
    made = load_problem(f"{problem}[start={start},sigma=0]", N=2)
    descent = norm_theorem("server_gradient", 2 * L * Delta / T, ("L", "Delta"))
    for rounds in (1, 4):
        assert check(descent, made, K=1, T=rounds).verdict != "violated"
        assert check("fedlalr.corollary2R", made, K=1, T=rounds).verdict != "violated"


@pytest.mark.parametrize("name", [name for name, link in LINKS.items() if link.floor_at == 0])
def test_a_link_is_right_close_to_zero(name):
    """There phi(z) = phi''(0) z^2/2 up to z^2 of it: in doubles, and in longer numbers."""
    link = LINKS[name]
    z = np.array([1e-3, 1e-6, 1e-9, 1e-30])
    for sign in (1, -1):
        leading = link.curvature(np.zeros(1))[0] * z * z / 2
        assert np.allclose(link.value(sign * z), leading, rtol=3e-6, atol=0)
        assert np.allclose(link.value(sign * z[1:]), leading[1:], rtol=1e-11, atol=0)
    wide = np.linspace(-3, 3, 31)
    slopes = (link.value(wide + 1e-6) - link.value(wide - 1e-6)) / 2e-6
    assert np.abs(slopes - link.slope(wide, 1.0))[np.abs(np.abs(wide) - 1) > 1e-3].max() < 1e-8


def test_waves_keep_the_gap_beside_their_height():
    """Delta = phi(x_0) d = 1e-18 d beside waves of size A: f(x_0) - A d is 0 in doubles."""
    made = load_problem("ridge-waves[start=1e-9,sigma=0]", N=2)
    weight = made.phi.curvature(np.zeros(1))[0] * made.weight
    assert made.initial_value - made.constant("f_star") == 0
    assert np.isclose(made.constant("Delta"), made.d * weight * 1e-18 / 2, rtol=1e-9, atol=0)


def as_floats(offset):
    """Return |x|^2/2 + offset from 3.2e-8, whose value and gradient are doubles whatever x is."""
    return from_functions(
        lambda i, x: float(offset + x @ x / 2),
        lambda i, x: np.array([float(x[0])]),
        N=1,
        d=1,
        start=[3.2e-8],
        constants={"L": 1.0, "Delta": 3.2e-8**2 / 2, "f_star": offset},
    )


def test_a_close_call_that_cannot_be_repeated_is_not_said():
    """f(x_1) = 1 + 1.28e-16 is a double as 1 + 2.2e-16: |x_1| = 1.6e-8 looks like 2.1e-8."""
    true = replace(theorem("own-root-gap", Descent(Rational(1, 2))), needs=("L", "Delta"))
    found = check(true, as_floats(1.0), K=1, T=1)
    assert found.measured > 1.3 * found.rhs
    assert found.verdict in {"consistent", "undecided"}
    assert "computes in doubles" in found.reason or EPSILON > 2.0**-60
    # Beside no offset f has all its digits.
    assert check(true, as_floats(0.0), K=1, T=1).verdict == "holds"
    false = replace(true, terms={"all": 0.99 * true.total})
    assert check(false, as_floats(0.0), K=1, T=1).verdict == "violated"


def test_random_draws_do_not_violate_within_the_reach_of_rounding():
    """Replicates cannot be repeated in longer numbers: a mean 1e-12 above the right-hand side decides nothing."""
    noisy = load_problem("ridge-cosine", N=2)
    trial = pair(norm_theorem("server_gradient", 2 * L * Delta / T, ("L", "Delta")), noisy, K=1, T=4)
    rhs = trial.evaluation.rhs
    said = replace(trial.judge(np.full(4, rhs), alpha=0.05), verdict="violated", how="betting")
    for measured, word in ((rhs * (1 + 1e-12), "undecided"), (rhs * 1.01, "violated"), (np.inf, "violated")):
        assert unless_close(replace(said, measured=measured), trial.rounds).verdict == word


@LONGER
def test_a_run_in_longer_numbers_has_more_digits():
    """|x_3| = |x_0|/27 after three steps of 2/3: to 1e-19, of a method that is given its step in longer numbers."""
    problem, setting = parabola(1.0, 1.0), Setting(N=1, S=1, K=1, T=3)
    method = METHODS["fedavg"](eta=np.longdouble(2) / 3)
    (found,) = average_in_longer_numbers(problem, method, OWN["own-way"], setting)
    assert found.dtype == np.longdouble
    assert abs(found / np.sqrt(np.longdouble(1.25)) * 27 - 1) < 1e-18
    plain = METHODS["fedavg"](eta=2 / 3)
    (other,) = average_in_longer_numbers(problem, plain, OWN["own-way"], setting)
    assert abs(other / np.sqrt(np.longdouble(1.25)) * 27 - 1) > 1e-17


@LONGER
def test_doubles_on_the_way_are_no_longer_run():
    """A gradient, a metric or a state in doubles would give digits that mean nothing."""
    setting, method = Setting(N=1, S=1, K=1, T=2), METHODS["fedavg"](eta=0.5)
    with pytest.raises(NotApplicableError, match="problem own computes in doubles"):
        average_in_longer_numbers(as_floats(0.0), method, METRICS["final_gradient"], setting)
    doubles = Metric("rough", "rough", lambda p, y, x: squares(x).astype(float), (0, 2))
    with pytest.raises(NotApplicableError, match="metric rough computes in doubles"):
        average_in_longer_numbers(parabola(1.0, 1.0), method, doubles, setting)
    with pytest.raises(NotApplicableError, match="take too long"):
        average_in_longer_numbers(parabola(1.0, 1.0), method, doubles, replace(setting, T=10**8))


def claimed(sample=None, samples=0, **constants):
    """Return |x|^2/2 from 1 with constants that somebody claims."""
    return from_functions(
        lambda i, x: x @ x / 2,
        lambda i, x: x,
        N=1,
        d=1,
        start=[1.0],
        sample=sample,
        samples=samples,
        constants=constants,
    )


LOOSE = norm_theorem("server_gradient", 100 * L * Delta, ("L", "Delta"))


@pytest.mark.parametrize(
    ("constants", "words"),
    [
        ({"L": 1.0, "Delta": 0.25}, "|grad f(x_0)|^2 = 1 > 2 L Delta = 0.5"),
        ({"L": 1.0, "Delta": 0.5, "mu": 2.0}, "mu = 2 > L = 1"),
        ({"L": 1.0, "Delta": 0.5, "mu_PL": 1.5}, "mu_PL = 1.5 > L = 1"),
    ],
)
def test_constants_that_contradict_each_other_are_named(constants, words):
    """The theorem is far from violated; with such constants it speaks of no function."""
    found = check(LOOSE, claimed(**constants), K=1, T=2)
    assert (found.verdict, found.reason) == ("not applicable", f"constants contradict each other: {words}")
    assert check(LOOSE, claimed(L=1.0, Delta=0.5, mu=1.0, mu_PL=1.0), K=1, T=2).verdict == "holds"


def test_samples_that_differ_contradict_sigma_0():
    """Samples x - 1 and x + 1 deviate by 1."""
    two = {"sample": lambda i, s, x: x + (2 * s - 1), "samples": 2}
    found = check(LOOSE, claimed(L=1.0, Delta=0.5, sigma=0.0, **two), K=1, T=2)
    assert "deviation of the samples at x_0 = 1 > sigma = 0" in found.reason
    assert "contradict" not in check(LOOSE, claimed(L=1.0, Delta=0.5, sigma=1.0, **two), K=1, T=2).reason


def test_numbers_that_differ_are_printed_apart():
    """Not 1.6e-07 > 1.6e-07: as many digits as tell them apart and one more, both the same."""
    assert apart(1.60000012e-7, 1.6e-7) == "1.60000012e-07 > 1.60000000e-07"
    assert apart(2.0, 1.0) == "2 > 1"
    assert apart(1.0, 1 + 2.0**-52) == "1.0000000000000000 <= 1.0000000000000002"
    assert apart(1.0, 1.0) == "1 <= 1"
    assert apart(np.inf, 1.0) == "inf > 1"


def test_a_violation_prints_the_digits_that_differ():
    """A claim that is a 1e-7th too small."""
    less = theorem("server_gradient", LAWS["half"], 1 - Rational(1, 10**7))
    found = check(less, parabola(1.0, 1e-4), K=1, T=2)
    assert found.verdict == "violated"
    left, right = found.reason.split(": ", 1)[1].split(";")[0].split(" > ")
    assert float(left) > float(right)


SEARCHED = {
    "norm": ("own-norm", sqrt(2 * L * Delta / T), ("L", "Delta"), {}),
    "way": ("own-way", sqrt(delta_x) * (1 - mu / L) ** T, ("L", "mu", "delta_x"), {"convex": True}),
    "value": ("final_suboptimality", Delta, ("L", "Delta"), {}),
    "distance": ("final_distance", delta_x, ("L", "delta_x"), {"convex": True}),
}


@pytest.mark.parametrize("which", ["norm", pytest.param("way", marks=pytest.mark.slow)])
def test_a_search_accuses_no_true_theorem(which):
    """Gradient descent with step 1/L: Jensen of the descent lemma; contraction; both attained."""
    metric, terms, needs, more = SEARCHED[which]
    true = norm_theorem(metric, terms, needs, exact_gradients=True, **more)
    assert refute(true, budget=60, work=6000).verdict == "not contradicted"


@pytest.mark.slow
@pytest.mark.parametrize("which", SEARCHED)
def test_a_longer_search_accuses_no_true_theorem(which):
    """The same with four times the work, and with the constant at 0.9 the search finds a violation."""
    metric, terms, needs, more = SEARCHED[which]
    true = norm_theorem(metric, terms, needs, exact_gradients=True, **more)
    assert refute(true, budget=120, work=30000).verdict == "not contradicted"
    if which in {"way", "distance"}:
        assert (
            refute(
                norm_theorem(metric, terms * Rational(1, 2), needs, exact_gradients=True, **more), work=30000
            ).verdict
            == "violated"
        )


def test_a_server_step_that_enlarges_rounding_refutes_nothing():
    """Local steps of 1e-26 are lost in doubles, and x stands still: not the theorem's fault; at 100 it is judged."""
    problem = load_problem("gradma-e3[start=1.0,zeta=0.0,d=1]", N=1)
    found = check("field.scaffold", problem, K=1, T=5, overrides={"eta_g": 3e26})
    assert (found.verdict, found.measured) == ("undecided", 1.0)
    assert "a server step of 3e+26" in found.reason
    assert check("field.scaffold", problem, K=1, T=5, overrides={"eta_g": 100.0}).verdict == "holds"


@LONGER
@pytest.mark.parametrize(("smooth", "start"), [(1.0, 1.0), (1e12, 1e9), (1e12, 1e-9), (1e-12, 1e12)])
@pytest.mark.parametrize("offset", [0.0, 5.0])
def test_steps_of_a_given_length_lead_no_further(smooth, start, offset):
    """Signs: from (1, -1/2) three steps of 1/8 lead to (5/8, -1/8), whatever L is; 13/40 of delta_x is left.

    Steps along gradients would lead L times as far: a hundredth was within the rounding of points that no run reached.
    """
    at = parabola(smooth, start, centre=offset * start)
    eta = sqrt(Rational(4, 5) * delta_x) / 8
    true = replace(
        norm_theorem("final_distance", Rational(13, 40) * delta_x, ("L", "delta_x")),
        method="signsgd",
        parameters={"eta": eta},
    )
    assert check(true, at, K=1, T=3).verdict == "holds"
    found = check(replace(true, terms={"all": Rational(99, 100) * true.total}), at, K=1, T=3)
    assert found.verdict == "violated", found.reason


def test_where_no_longer_run_is_rounding_makes_nothing_hold():
    """The same of functions in Python's floats: what is a hundredth above is not said to be below."""
    far = 1e9
    at = from_functions(
        lambda i, x: float(5e11 * (x @ x)),
        lambda i, x: [float(1e12 * number) for number in x],
        N=1,
        d=1,
        start=[far],
        x_star=np.zeros(1),
        constants={"L": 1e12, "f_star": 0.0},
    )
    false = replace(
        norm_theorem("final_distance", Rational(99, 100) * Rational(1, 4) * delta_x, ("L", "delta_x")),
        method="signsgd",
        parameters={"eta": sqrt(delta_x) / 4},
    )
    found = check(false, at, K=1, T=2)
    assert found.measured == far**2 / 4
    assert found.verdict in {"violated", "undecided", "consistent"}, found.reason
    assert "no longer run" in found.reason or found.verdict == "violated"


def test_a_curvature_is_compared_at_its_own_scale():
    """|grad f|/|x - x*| has the unit of L: at L = 1e-12 a hundredth was within the rounding of 1, and never found."""
    slope = Metric(
        "slope", "|grad f|/|x - x*|", lambda p, y, x: np.sqrt(squares(p.mean_gradient(x)) / squares(x)), (1, -2)
    )
    METRICS["own-curvature"] = slope
    try:
        for scale in (1e-12, 1e-3, 1.0, 1e12):
            for share, word in ((1, "holds"), (Rational(99, 100), "violated")):
                bound = replace(
                    theorem("own-way", LAWS["half"]), metric="own-curvature", terms={"all": share * L}, trivial=9 * L
                )
                assert check(bound, parabola(scale, 1.0), K=1, T=30).verdict == word
    finally:
        del METRICS["own-curvature"]
