"""The field's theorems: sources, units, what attains them, what breaks them, and which ones nothing meets."""

from dataclasses import replace

import numpy as np
import pytest
from sympy import Rational

from boundcheck import check, load_problem
from boundcheck.bounds import BOUNDS
from boundcheck.bounds.field import FIELD
from boundcheck.bounds.orders import exponents
from boundcheck.bounds.units import findings
from boundcheck.cli.cards.constants import having
from boundcheck.evidence.checks.feasibility import feasibility
from boundcheck.methods import METHODS
from boundcheck.metrics import METRICS
from boundcheck.notation import symbol

HALF, THIRD = Rational(1, 2), Rational(1, 3)
RATES = {
    "field.gd-best": -1,
    "field.gd-convex": -1,
    "field.gd-pl": -float("inf"),
    "field.gd-strong": -float("inf"),
    "field.sgd": -HALF,
    "field.sgd-centre": -HALF,
    # The noise stays.
    "field.sgd-pl": 0,
    "field.marina": -1,
    "field.page": -1,
    "field.ef21": -1,
    "field.dgd": -HALF,
    "field.dgd-ring": -HALF,
    "field.scaffnew": -float("inf"),
    "field.fedavg-all": -HALF,
    "field.fedavg-sampled-all": -HALF,
    "field.scaffold-all": -HALF,
    # Its server step is one number.
    "field.fedavg-m-all": 0,
    # With noise they stop at what it brings.
    "field.delayed-sgd-all": -HALF,
    "field.delayed-sgd-pl": 0,
    "field.fedavg-pl": 0,
    "field.scaffold-pl": 0,
    "field.dsgd-all": -HALF,
    "field.dsgd-pl": 0,
    "field.ef21-all": -1,
    "field.marina-all": -1,
    "field.ef21-pl": -float("inf"),
    "field.fedavg-strong": -1,
    "field.adagrad": -HALF,
    # The price of forgetting stays, and a regret grows.
    "field.adam": 0,
    "field.adam-regret": HALF,
    "field.adabound-regret": HALF,
    # Of a norm, not of its square.
    "field.nsgdm": -HALF / 2,
    "field.clipped-gd": -1,
    "field.adagrad-norm": -1,
    "field.fedadam": -1,
    "field.fedadagrad": -1,
    "field.fednova": -HALF,
    "field.choco": -HALF,
    "field.ef21-sgdm": -HALF,
    "field.dp-fedavg": -HALF,
    "field.gda-concave": -THIRD,
    "field.fedavg-drawn": -HALF,
    "field.dgd-varying": -HALF,
    # The noise stays unless minibatches grow or there is momentum.
    "field.nsgdm-heavy": 0,
    "field.sgd-chance": -HALF,
    # The noise stays unless minibatches grow.
    "field.signsgd": 0,
    "field.signsgd-majority": 0,
    "field.sarah": -1,
    "field.storm": -Rational(2, 3),
    "field.local-sgd": -HALF,
    "field.qsgd": -HALF,
    "field.heavy-ball": -float("inf"),
    "field.signsgd-speedup": 0,
    "field.incremental": 0,
    "field.fedavg-dissimilar": -HALF,
    "field.scaffold": -HALF,
    "field.delayed-sgd": -HALF,
    "field.ef-sgd": -HALF,
    "field.gradient-tracking": -1,
    "field.extragradient": -1,
    "field.dp-sgd": -HALF,
    "field.clipped-l0l1": -1,
    "field.sgd-expected": 0,
    "field.sgd-interpolated": -HALF,
    "field.sgd-growth": -1,
    "field.svrg": -float("inf"),
    "field.reshuffled": 0,
    "field.ista": -1,
    "field.fista": -2,
    "field.proximal-gradient": -1,
    "field.fedprox": -1,
    "field.armijo": -1,
    "field.diana": -float("inf"),
    "field.exact-diffusion": -float("inf"),
    "field.fedbuff": -HALF,
    "field.l-svrg": -float("inf"),
    "field.admm": -float("inf"),
    "field.feddyn": -1,
    "field.sgd-weighted": -HALF,
}
"""Powers of T that the abstracts of the papers state, logarithms ignored."""


@pytest.mark.parametrize("name", FIELD)
def test_a_theorem_of_the_field_is_named_and_not_listed(name):
    """Its method and metric exist, its note says how sure it is, and the audit's list does not have it."""
    bound = BOUNDS[name]
    assert bound.id == name
    assert name not in list(BOUNDS)
    assert bound.method in METHODS
    assert METRICS[bound.metric].meaning
    assert bound.where
    # What a cell is kept under is made of them.
    assert all(type(choice) in {int, float, bool, str} for choice in bound.choices.values())
    assert bound.note.partition(".")[0].split()[0].strip(";,") in {"Known", "Known;", "Derived", "Compared"}


@pytest.mark.parametrize("name", FIELD)
def test_its_rate_is_that_of_its_paper(name):
    """Read off the terms at the suggested parameters."""
    assert float(exponents(BOUNDS[name]).T) == float(RATES[name])


@pytest.mark.parametrize("name", FIELD)
def test_units_are_those_of_the_left_hand_side(name):
    """But for one: the second term of Adam's regret has a gradient too many, as printed."""
    places = [finding.place for finding in findings(BOUNDS[name])]
    assert places == (["term gradients"] if name == "field.adam-regret" else [])


EMPTY = {"field.fedavg-strong": "mu and G_rms exclude each other", "field.sgd-pl": "mu_PL and G_rms exclude each other"}


@pytest.mark.parametrize("name", FIELD)
def test_two_cannot_be_met(name):
    """Strong convexity, and Polyak and Lojasiewicz's condition, with bounded gradients on R^d."""
    found = feasibility(BOUNDS[name])
    assert found.feasible is (name not in EMPTY)
    if not found.feasible:
        assert EMPTY[name] in found.detail


def test_no_shipped_problem_on_the_whole_space_has_what_clashes():
    """What is said of theorems is true of problems: growth from below and bounded gradients never meet."""
    rows = [*having(["mu", "G_rms"], 2), *having(["mu_PL", "G_rms"], 2)]
    assert [load_problem(row["id"], N=2).radius for row in rows if load_problem(row["id"], N=2).radius is None] == []


def test_values_grow_along_the_steepest_ascent_under_polyak_and_lojasiewicz():
    """sqrt(f - f_star) grows by at least sqrt(mu_PL/2) a unit of length; exactly that along the weakest parabola."""
    problem = load_problem("quadratic[d=2,mu=0.1,L=1.0,zeta=0,sigma=0]", N=1)
    assert problem.constants["mu_PL"].value == pytest.approx(0.1)
    weak = np.linalg.eigh(problem.mean_A)[1][:, 0]
    lengths = np.array([1.0, 2.0, 5.0])
    values = problem.value(np.outer(lengths, weak)[:, None, :]).reshape(-1) - problem.constants["f_star"].value
    np.testing.assert_allclose(np.sqrt(values), lengths * np.sqrt(0.1 / 2), rtol=1e-9)


@pytest.mark.parametrize(
    ("name", "problem", "T", "why"),
    [
        # f(x_0) = x_0^2/2, and one step ends at the minimum: |grad f(x_0)|^2 = 2 L Delta.
        ("field.gd-best", "quadratic-tilt[zeta=0,start=3]", 1, "a parabola"),
        # Huber with its bend at L |x_0|/(2T + 1): Drori, Teboulle 2014, section 4; here scaled to bend at 1.
        ("field.gd-convex", "stress-huber[d=1,start=9,zeta=0,sigma=0]", 4, "a Huber function"),
        # |1 - mu/L|^T |x_0| along the eigenvector of mu.
        ("field.gd-strong", "quadratic[d=1,mu=0.25,L=0.25,zeta=0,sigma=0,start=2]", 3, "one curvature"),
    ],
)
def test_a_tight_theorem_is_attained_and_less_is_false(name, problem, T, why):
    """The ratio is 1 there, and a constant lowered by 2 % is violated."""
    made = load_problem(problem, N=1)
    verdict = check(BOUNDS[name], made, K=1, T=T)
    assert verdict.measured == pytest.approx(verdict.rhs, rel=1e-9, abs=1e-12), why
    assert verdict.verdict in {"holds", "vacuous"}
    lowered = replace(BOUNDS[name], terms={k: term * Rational(98, 100) for k, term in BOUNDS[name].terms.items()})
    if verdict.rhs > 0:
        assert check(lowered, made, K=1, T=T).verdict == "violated"


def test_strong_convexity_is_attained_along_the_weakest_direction():
    """A start along the eigenvector of mu: |x_T|^2 = (1 - mu/L)^(2T) |x_0|^2 exactly."""
    problem = load_problem("quadratic[d=2,mu=0.25,L=1.0,zeta=0,sigma=0]", N=1)
    problem.start = 3 * np.linalg.eigh(problem.mean_A)[1][:, 0]
    verdict = check("field.gd-strong", problem, K=1, T=5)
    assert verdict.measured == pytest.approx(9 * 0.75**10, rel=1e-9)
    assert verdict.rhs == pytest.approx(9 * 0.75**10, rel=1e-9)


def test_polyak_s_rate_needs_its_constant():
    """On a parabola (1 - mu/L)^T Delta holds; with twice the constant it would not for a weak direction."""
    problem = load_problem("quadratic[d=2,mu=0.1,L=1.0,zeta=0,sigma=0]", N=1)
    problem.start = np.linalg.eigh(problem.mean_A)[1][:, 0]
    assert check("field.gd-pl", problem, K=1, T=4).verdict == "holds"
    L, mu_PL, T, Delta = (symbol(x) for x in ("L", "mu_PL", "T", "Delta"))
    faster = replace(BOUNDS["field.gd-pl"], terms={"gap": (1 - 3 * mu_PL / L) ** T * Delta})
    assert check(faster, problem, K=1, T=4).verdict == "violated"


@pytest.mark.parametrize(
    ("name", "problem", "T"),
    [
        ("field.sgd", "ridge-ratio", 100),
        ("field.sgd-centre", "strong-bowl", 100),
        ("field.marina", "ridge-ratio[sigma=0]", 100),
        ("field.page", "ridge-ratio", 100),
        ("field.scaffnew", "strong-bowl[sigma=0]", 40),
    ],
)
def test_true_theorems_hold_where_they_apply(name, problem, T):
    """And say something there."""
    assert check(name, load_problem(problem, N=4), K=1, T=T).verdict in {"holds", "consistent"}


def test_scaffnew_shrinks_by_its_factor_on_equal_parabolas():
    """Clients x^2/2 with tilts a_i, eta = 1, p = 1: z_i = -a_i + h_i, all ends at the mean; V_T = 0 at once."""
    problem = load_problem("quadratic-tilt", N=2, zeta=1.0)
    run = check("field.scaffnew", problem, K=1, T=1, overrides={"p_full": 1.0})
    # x_i = 0 = x_star and h_i = 0 + (1/1)(0 - (-a_i)) = a_i, where grad f_i(0) = a_i.
    assert run.measured == pytest.approx(0.0, abs=1e-15)


def test_convex_theorems_do_not_speak_of_nonconvex_clients():
    """The reason says so."""
    verdict = check("field.gd-convex", load_problem("ridge-ratio[sigma=0]", N=2), K=1, T=3)
    assert verdict.verdict == "not applicable"
    assert "convex" in verdict.reason


def test_adam_s_regret_is_false_on_the_losses_of_reddi_kale_and_kumar():
    """Peak 3 in every third round, beta1 = 0, beta2 = 1/10: x drifts to +1, where three rounds cost 3 - 2."""
    at = {"eta": 0.5, "beta1": 0.0, "beta2": 0.1, "decay1": 0.01}
    problem = load_problem("online-cycle", N=1)
    verdict = check("field.adam-regret", problem, K=1, T=3000, overrides=at)
    assert verdict.verdict == "violated"
    # From +1 on the loss is 1 more than at the origin a period, against -1 at the best fixed point: 2 T/3.
    assert verdict.measured == pytest.approx(2000, rel=0.02)
    assert check("field.adam-regret", problem, K=1, T=30, overrides=at).verdict in {"holds", "vacuous"}


def test_adabound_s_regret_is_false_on_the_same_losses():
    """beta2 = 1/10, bounds 0.35 and 1.01 of the last step at T = 2000: the rare slope gets the short steps."""
    at = {"eta": 0.6, "beta2": 0.1, "eta_end": 0.5, "rise": 0.0003, "fall": 100.0}
    problem = load_problem("online-cycle", N=1)
    verdict = check("field.adabound-regret", problem, K=1, T=2000, overrides=at)
    assert verdict.verdict == "violated"
    # x drifts to +1, where a period costs 3 - 2 against -1 at the best fixed point.
    assert verdict.measured == pytest.approx(2000 * 2 / 3, rel=0.02)
    # (1 + 1/(rise T)) D^2 sqrt(T)/(2 eta_end) + (2 sqrt(T) - 1) eta_end (1 + 1/fall) G^2
    root = 2000**0.5
    assert verdict.rhs == pytest.approx((1 + 1 / 0.6) * 4 * root + (2 * root - 1) * 0.505 * 9, rel=1e-12)
    # Between equal bounds it is gradient descent with steps eta_end/sqrt(t), whose regret is no larger.
    equal = at | {"rise": 1e6}
    assert check("field.adabound-regret", problem, K=1, T=2000, overrides=equal).verdict in {"holds", "vacuous"}


@pytest.mark.parametrize("T", [1, 2, 3, 5])
def test_gradient_descent_s_constants_are_the_computed_worst_cases(T):
    """The worst-case solver finds 4 L Delta/(3T - 1) over smooth f, and L delta_x/(4T + 2) over convex ones."""
    from boundcheck.worst import worst

    descent = METHODS["sgd"](eta=1.0)
    best = worst(descent, K=1, T=T, N=1, measure="best")
    assert best.upper == pytest.approx(4 / (3 * T - 1), rel=1e-7)
    last = worst(descent, K=1, T=T, N=1, mu=0.0, Delta=None, distance=1.0, measure="value")
    assert last.upper == pytest.approx(1 / (4 * T + 2), rel=1e-6)
