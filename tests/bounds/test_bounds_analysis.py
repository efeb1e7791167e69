"""What is computed from terms, against closed forms: crossovers, thresholds, costs, trends and best steps."""

import math
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import brentq, minimize_scalar

from boundcheck.bounds import BOUNDS, RATES, Bound
from boundcheck.bounds.analysis import crossovers, dominating, speed_up, terms_at, thresholds
from boundcheck.bounds.best import _StepSearch, best_steps, steps_of
from boundcheck.bounds.bound import Condition
from boundcheck.bounds.complexity import complexity, first_horizon, rounds_to
from boundcheck.bounds.trends import elasticity, letters_of, trend
from boundcheck.errors import InputError, NotApplicableError, UnknownNameError
from boundcheck.notation import symbols

N, K, T, L, sigma, Delta, eta, d, eps, G, beta1 = symbols("N K T L sigma Delta eta d eps G_inf beta1")
FEDLALR = {"L": 1, "sigma": math.sqrt(0.1), "Delta": 2, "G_inf": 1, "d": 10, "N": 8, "S": 8, "b": 1, "K": 5, "T": 10**5}
MOMENTUM = {"N": 8, "S": 8, "K": 4, "T": 10**4, "b": 1, "d": 3, "L": 2.0, "sigma": 1.0, "Delta": 8.0, "G_0": 5.0}


def planted(**fields):
    """Return a bound with the terms that a test plants."""
    return replace(BOUNDS["momentum-fl.theorem11-printed"], id="momentum-fl.planted", **fields)


def test_crossovers_of_three_powers():
    """900/T, 30/sqrt(T) and 1 meet at T = 900 both times: planted at 100 and 10^4 with 10 and 100 instead."""
    bound = planted(terms={"fast": 100 / T, "slow": 10 / sp.sqrt(T), "floor": Delta})
    found = crossovers(bound, MOMENTUM | {"Delta": 0.1}, "T", 1, 1e8)
    assert [(c.before, c.after) for c in found] == [("fast", "slow"), ("slow", "floor")]
    assert [c.at for c in found] == pytest.approx([100, 1e4], rel=1e-9)
    assert dominating(bound, MOMENTUM | {"Delta": 0.1}, "T", [10, 1e3, 1e6]) == ["fast", "slow", "floor"]


def test_two_changes_between_neighbours_of_the_grid():
    """A term that leads only between T = 1050 and 1070 is found although no grid point lies there."""
    low, high = 1050.0, 1070.0
    bound = planted(terms={"one": high * low / T**2, "bump": high / T, "two": 1 / sp.Float(1)})
    found = crossovers(bound, MOMENTUM, "T", 10, 1e5)
    assert [(c.before, c.after) for c in found] == [("one", "bump"), ("bump", "two")]
    assert [c.at for c in found] == pytest.approx([low, high], rel=1e-9)


def test_crossover_in_N_moves_all_clients():
    """theorem11-printed: sqrt(L Delta sigma^2/(N K T)) falls below L Delta/T at N = sigma^2 T/(K L Delta)."""
    (found,) = crossovers(BOUNDS["momentum-fl.theorem11-printed"], MOMENTUM, "N", 1, 1e6)
    assert (found.before, found.after) == ("noise", "descent")
    assert found.at == pytest.approx(1e4 / (4 * 16), rel=1e-9)


def test_terms_that_are_equal_do_not_take_turns():
    """delta/(T eta) and eta sigma^2/N at the eta that makes them equal differ by rounding alone, up or down."""
    bound, values = BOUNDS["field.sgd-centre"], MOMENTUM | {"K": 1, "delta_x": 8.0, "sigma": 1.7}
    assert crossovers(bound, values, "T", 1e3, 1e8) == []
    terms = [terms_at(bound, values | {"T": float(t)}) for t in range(1000, 1200)]
    assert {found["start"] < found["noise"] for found in terms} == {True, False}
    larger = planted(terms={"one": 1 / T, "other": (1 + sp.Float(1e-9)) / T})
    assert dominating(larger, MOMENTUM, "T", [1.0, 1e3]) == ["other", "other"]


def test_crossovers_refuse_an_empty_range():
    """A range that is empty, starts at 0 or has no end is refused."""
    for low, high in ((0, 1), (2, 1), (1, math.inf)):
        with pytest.raises(InputError, match="low, high"):
            crossovers(BOUNDS["momentum-fl.theorem11-printed"], MOMENTUM, "T", low, high)


def test_thresholds_of_corollary_1():
    """K T of N^3 (C2/C1)^2 (two parts), N (C3/C1)^2, N^2 C4/C1 and N (20 L/(3 eps))^2; T >= N^3 K^7 and so on."""
    bound = BOUNDS["fedlalr.corollary1"]
    resolved = bound.resolve(FEDLALR, {"eps": 0.5})
    found = {t.where: t for t in thresholds(bound)}
    C1 = 2 * (2 + 5 * 10 * 0.1 / (4 * 0.25))
    momentum = 2 * 2 * 0.81 * 10 / (0.01 * 0.5**4)
    drift = 2 * 25 / 0.5**4 * (1 + 4 * 25 * 0.01 * 10)
    C3, C4 = 8400, 163350
    expected = {
        "momentum": 8**3 * (momentum / C1) ** 2,
        "drift": 8**3 * (drift / C1) ** 2,
        "adaptivity": 8 * (C3 / C1) ** 2,
        "adaptivity squared": 8**2 * C4 / C1,
    }
    assert pytest.approx(14) == C1
    assert momentum + drift == pytest.approx(60640)
    assert {k: 5 * t.value(resolved) for k, t in found.items() if k in expected} == pytest.approx(expected, rel=1e-9)
    (condition,) = (t for t in found.values() if t.kind == "condition")
    assert 5 * condition.value(resolved) == pytest.approx(8 * (40 / 3) ** 2)
    assert (found["drift"].powers["N"], found["drift"].powers["K"]) == (3, 7)
    assert (found["adaptivity"].powers["N"], found["adaptivity"].powers["K"]) == (1, 1)
    assert found["adaptivity squared"].powers["N"] == 2
    assert speed_up(bound).power == -sp.Rational(1, 2)
    assert speed_up(bound).holds_from(resolved) == pytest.approx(expected["momentum"] / 5)


def test_speed_up_of_theorem_11_begins_where_the_caps_end():
    """The step gamma = min(1/24, beta/6)/L leaves its cap at beta = 1/4, which is T = 16 N K L Delta/sigma^2."""
    bound = BOUNDS["momentum-fl.theorem11"]
    start = speed_up(bound).holds_from(bound.resolve(MOMENTUM))
    assert start == pytest.approx(16 * 8 * 4 * 16)
    terms = [bound.evaluate(bound.resolve(MOMENTUM | {"T": x * start})).terms for x in (1, 100)]
    for name in ("descent", "start", "noise"):
        assert terms[0][name] / terms[1][name] == pytest.approx(10, rel=1e-9)


def test_a_condition_that_ends_leaves_no_speed_up():
    """K T <= 5 holds until T = 5/K only: a speed-up that begins later never holds."""
    bound = planted(conditions=(Condition("short", sp.Le(K * T, 5)),))
    (ends,) = (t for t in thresholds(bound) if t.kind == "until")
    assert ends.at == 5 / K
    assert speed_up(bound).holds_from(MOMENTUM) == math.inf


def test_grids_and_letters_of_terms_are_checked():
    """A grid point that is no letter's value, and a letter that is none, are refused by name."""
    bound = BOUNDS["momentum-fl.theorem11"]
    with pytest.raises(InputError, match=r"T = \[1, 0\] is not legal: numbers > 0"):
        dominating(bound, MOMENTUM, "T", [1, 0])
    for look in (lambda: dominating(bound, MOMENTUM, "TT", [1]), lambda: crossovers(bound, MOMENTUM, "TT", 1, 2)):
        with pytest.raises(UnknownNameError, match="unknown letter 'TT'"):
            look()
    term = next(t for t in thresholds(bound) if t.kind == "term")
    with pytest.raises(NotApplicableError, match=rf"the horizon of '{term.where}' needs Delta"):
        term.value({})


def test_no_trend_follows_from_words():
    """A row in words has no terms that could rise or fall."""
    with pytest.raises(NotApplicableError, match=r"fmgda.text-coda is stated in words only"):
        trend(RATES["fmgda.text-coda"], "T")


@pytest.mark.parametrize("cost", ["K", -1, math.inf, math.nan])
def test_the_cost_of_a_round_is_an_expression_or_a_number(cost):
    """Words, negative and infinite costs are refused, each by the name of its argument."""
    for name in ("gradients", "floats"):
        with pytest.raises(InputError, match=rf"{name} = {cost!r} is not legal: an expression"):
            complexity(BOUNDS["momentum-fl.theorem11"], **{name: cost})


def test_no_speed_up_is_said():
    """SCAFFOLD-M's leading part has no N, and says so."""
    with pytest.raises(NotApplicableError, match=r"no speed-up in N: its leading part has N\^\(0\)"):
        speed_up(BOUNDS["momentum-fl.theorem19-printed"])
    assert speed_up(BOUNDS["momentum-fl.theorem19-printed"], "S").power == -sp.Rational(1, 2)


def test_cost_of_an_accuracy_of_theorem_11():
    """(71.25)^2 L Delta sigma^2/(N K eps^4) rounds, 71.25 the rate without a; 2 K N gradients, 3 d N floats each."""
    found = complexity(BOUNDS["momentum-fl.theorem11"], gradients=2 * K, floats=3 * d)
    at = {"L": 2, "Delta": 8, "sigma": 1, "N": 8, "K": 4, "b": 1, "d": 7, "eps_acc": 0.01}
    rounds = 71.25**2 * 16 / (8 * 4 * 1e-8)
    values = [
        float(e.subs({symbols(k)[0]: v for k, v in at.items()})) for e in (found.rounds, found.gradients, found.floats)
    ]
    assert values == pytest.approx([rounds, rounds * 8 * 8, rounds * 8 * 21], rel=1e-9)
    assert found.powers() == {"rounds": 4, "gradients": 4, "floats": 4}


def test_cost_where_K_grows_with_the_horizon():
    """Remark 1 of FMGDA: eps^-2 rounds with K = sqrt(T)/N, so eps^-3 gradients of all clients and eps^-2 N floats."""
    found = complexity(BOUNDS["fmgda.corollary1"], gradients=K, floats=4 * d)
    assert found.powers() == {"rounds": 2, "gradients": 3, "floats": 2}


def test_a_floor_costs_no_finite_number_of_rounds():
    """A term that does not fall is named."""
    with pytest.raises(NotApplicableError, match="term floor does not decrease with T, there is a floor"):
        complexity(planted(terms={"floor": Delta * L, "noise": 1 / T}))


@pytest.mark.parametrize("accuracy", [1.0, 0.3, 0.05])
def test_rounds_to_an_accuracy_solve_the_rate(accuracy):
    """The first horizon of theorem11-rate is where a x + b x^2 = eps^2 for x = 1/sqrt(T), solved by the formula."""
    bound = BOUNDS["momentum-fl.theorem11-rate"]
    first, second = 219.75 + 1, 71.25 + 1
    b, a = second * math.sqrt(2 * 8 / 32), first * 16
    x = (-b + math.sqrt(b * b + 4 * a * accuracy**2)) / (2 * a)
    assert rounds_to(bound, MOMENTUM, accuracy) == math.ceil(1 / x**2)


def test_rounds_need_an_explicit_bound_and_an_accuracy():
    """Hidden constants, sums over a schedule and accuracies that are not positive are refused."""
    for name in ("momentum-fl.theorem11-printed", "fmgda.theorem1"):
        with pytest.raises(NotApplicableError, match="no horizon can be named"):
            rounds_to(BOUNDS[name], MOMENTUM, 0.1)
    with pytest.raises(InputError, match="eps_acc = 0"):
        rounds_to(BOUNDS["momentum-fl.theorem11"], MOMENTUM, 0)
    assert first_horizon(lambda rounds: rounds >= 1000003) == 1000003
    assert first_horizon(lambda rounds: False, longest=100) is None


@pytest.mark.parametrize(
    ("expression", "letter", "low", "high"),
    [
        (3 * L**2 / sp.sqrt(T), "T", -0.5, -0.5),
        (L / T + Delta, "T", -1, 0),
        (sp.Min(K, sp.sqrt(T)) / T, "T", -1, -0.5),
        (sp.Max(K, T) * T, "T", 1, 2),
        (K - 1, "K", 1, math.inf),
        (G**2 - eps**2, "eps", -math.inf, 0),
        (G**2 - eps**2, "G_inf", 2, math.inf),
        (1 / (1 - beta1), "beta1", 0, math.inf),
        (1 - beta1**K, "K", 0, math.inf),
        (sp.ceiling(K / T), "T", -math.inf, 0),
        (sp.log(K * T + 1) / T, "T", -1, math.inf),
        (L * Delta, "T", 0, 0),
        # min(c, x)^2/min(c, x)^3-like products are opened, not bounded factor by factor.
        (sp.Min(K, T) ** 2 * sp.Min(L, 1 / sp.Min(K, T)), "T", 0, 2),
    ],
)
def test_elasticities(expression, letter, low, high):
    """Intervals worked out by hand for one rule each."""
    assert elasticity(expression, letter) == (low, high)


@pytest.mark.parametrize("name", ["momentum-fl.theorem11-rate", "fedlalr.theorem1R", "momentum-fl.theorem19-rate"])
def test_elasticities_hold_at_random_values(name):
    """Finite differences of the bound itself lie in the interval, for every letter and 50 random values."""
    bound, rng = BOUNDS[name], np.random.default_rng(1)
    for letter in letters_of(bound):
        if letter in bound.free:
            continue
        found = trend(bound, letter)
        for _ in range(50):
            v = {k: float(10 ** rng.uniform(-1, 1)) for k in bound.needs} | {"b": 1, "d": 4}
            v |= {"N": 30.0, "S": 30.0, "K": 5.0, "T": float(10 ** rng.uniform(2, 8))}
            free = {name: x for name, x in bound.resolve(v).items() if name in bound.free}
            low, high = (
                bound.evaluate(bound.resolve(v | {letter: v[letter] * f}, free), strict=False).rhs for f in (1, 1.01)
            )
            if found.direction == "increasing":
                assert high >= low * (1 - 1e-12)
            if found.direction == "decreasing":
                assert high <= low * (1 + 1e-12)


def test_trends_of_theorem_1R():
    """T falls; d, Delta, L, sigma and G_inf rise; N divides the noise and multiplies eta^2: neither."""
    found = {
        letter: trend(BOUNDS["fedlalr.theorem1R"], letter).direction
        for letter in letters_of(BOUNDS["fedlalr.theorem1R"])
    }
    assert {found[x] for x in ("d", "Delta", "L", "sigma", "G_inf", "beta1")} == {"increasing"}
    assert {found[x] for x in ("T", "b", "eps")} == {"decreasing"}
    assert found["N"] == "neither"
    assert trend(BOUNDS["fedlalr.theorem1R"], "G_0").direction == "constant"


def test_remark_2_larger_heterogeneity_slows_training():
    """Remark 2 of FMGDA: the right-hand side of (11) rises with zeta, as printed and as repaired."""
    for name in ("corollary1", "remark1", "corollary1R", "corollary1R-rate"):
        assert trend(BOUNDS[f"fmgda.{name}"], "zeta_pair").direction == "increasing"


def test_an_open_trend_says_what_was_seen():
    """T + 1/T is neither; what the rules cannot decide and only falls stays open."""
    assert trend(planted(terms={"a": T / 10**4 + 10**4 / T}), "T").direction == "neither"
    found = trend(planted(terms={"a": sp.log(T + 1) / T}), "T")
    assert (found.direction, found.reason) == ("open", "only falls seen")
    for term, seen in ((sp.log(Delta + 1) / Delta, "falls"), (Delta / sp.log(Delta + 1), "rises")):
        assert trend(planted(terms={"a": term / T}), "Delta").reason == f"only {seen} seen"


def test_best_step_of_fedlalr_without_momentum():
    """At eps = G, beta1 = 0, K = 1: gap/(eta T) + 5 L s^2 eta/(4 G^2 N), least at its stationary point."""
    v = FEDLALR | {"K": 1, "T": 1000}
    found = best_steps(BOUNDS["fedlalr.theorem1R"], v, over=["eta"], overrides={"beta1": 0.0, "eps": 1.0})
    noise = 5 * 0.1 / (4 * 8)
    cap = 3 / 20
    best = min(cap, math.sqrt(2 / 1000 / noise))
    assert found.parameters["eta"] == pytest.approx(best, rel=1e-4)
    assert found.rhs == pytest.approx(2 * (2 / (best * 1000) + noise * best), rel=1e-8)
    long = best_steps(BOUNDS["fedlalr.theorem1R"], v | {"T": 10**7}, over=["eta"], overrides={"beta1": 0.0, "eps": 1.0})
    assert long.parameters["eta"] == pytest.approx(math.sqrt(2 / 1e7 / noise), rel=1e-3)
    assert long.ratio > 1


def test_best_steps_of_theorem_11_solve_a_problem_in_one_variable():
    """With eta -> 0 and gamma = beta/(6 L) what is left is (42 + 9.75) L Delta/(beta T) + 19.5 beta s^2/(N K)."""
    values = MOMENTUM | {"T": 10**6}
    found = best_steps(BOUNDS["momentum-fl.theorem11"], values)
    a, b = 51.75 * 16 / 1e6, 19.5 / 32
    assert found.parameters["beta"] == pytest.approx(math.sqrt(a / b), rel=1e-3)
    assert found.parameters["gamma"] == pytest.approx(found.parameters["beta"] / 12, rel=1e-3)
    assert found.rhs == pytest.approx(2 * math.sqrt(a * b), rel=1e-5)
    assert found.edges == {"eta": "0"}
    assert 1 < found.ratio < 1.2


def test_best_step_at_a_cap():
    """At T = 10^4 gamma is at its cap 1/(24 L): beta >= 1/4 is then best at 1/4, where the caps meet."""
    found = best_steps(BOUNDS["momentum-fl.theorem11"], MOMENTUM)
    at = lambda beta: (7 * 6 * max(4, 1 / beta) + 9.75 / beta) * 16 / 1e4 + 19.5 * beta / 32  # noqa: E731
    best = minimize_scalar(at, bounds=(0.01, 1), method="bounded", options={"xatol": 1e-9})
    assert found.rhs == pytest.approx(best.fun, rel=1e-5)
    assert found.parameters["beta"] == pytest.approx(best.x, rel=1e-3)


def test_printed_theorem_1_allows_a_bound_below_zero():
    """Erratum A3: without eps <= G_inf the floor may grow until the bound is absurd; repaired it may not."""
    assert best_steps(BOUNDS["fedlalr.theorem1"], FEDLALR).rhs < 1e-3
    repaired = best_steps(BOUNDS["fedlalr.theorem1R"], FEDLALR)
    assert repaired.parameters["eps"] == pytest.approx(1, rel=1e-6)
    assert repaired.rhs > 0


@pytest.mark.parametrize("name", ["fmgda.corollary1R", "momentum-fl.theorem19", "fedlalr.corollary2R"])
def test_best_steps_meet_every_condition_and_gain(name):
    """The steps returned are allowed, and neither the prescribed nor 300 random allowed ones are better."""
    bound, rng = BOUNDS[name], np.random.default_rng(2)
    minimax = {"L_block": 2.2, "mu": 1.0, "sigma": 0.2, "zeta_pair": 0.5, "Delta_Phi": 4.3, "delta_y": 0.6}
    values = MOMENTUM | {"G_inf": 1.6} | minimax
    found = best_steps(bound, values)
    assert not bound.evaluate(bound.resolve(values, found.parameters), strict=False).unmet
    assert found.rhs <= found.prescribed_rhs * (1 + 1e-6)
    for _ in range(300):
        tried = {k: v * float(10 ** rng.uniform(-1, 1)) for k, v in found.parameters.items()}
        other = bound.evaluate(bound.resolve(values, tried), strict=False)
        assert other.unmet or other.rhs >= found.rhs * (1 - 1e-6)


def test_a_descent_that_ends_outside_is_pulled_back():
    """On the way from a legal step to a hundred times the longest it stops at the longest legal one, 1/(2 L)."""
    bound = BOUNDS["field.sgd-centre"]
    values = MOMENTUM | {"K": 1, "delta_x": 8.0}
    search = _StepSearch(bound, values, {}, ("eta",))
    origin, outside = np.log([0.1]), np.log([25.0])
    assert np.exp(search.pulled_back(outside, origin)) == pytest.approx([1 / (2 * values["L"])], rel=1e-8)
    assert not search.at(search.pulled_back(outside, origin)).unmet
    assert search.pulled_back(origin, outside) is origin


def test_what_can_be_chosen():
    """Free parameters, and those that a condition limits unless the bound is rigid; never counts and abbreviations."""
    assert steps_of(BOUNDS["momentum-fl.theorem11"]) == ("beta", "gamma", "eta")
    assert steps_of(BOUNDS["momentum-fl.theorem11-rate"]) == ("c", "a")
    assert steps_of(BOUNDS["fedlalr.theorem1R"]) == ("beta1", "eps", "eta")
    assert steps_of(BOUNDS["fmgda.corollary1R"]) == ("c_dual", "chat")


def test_no_step_to_choose_is_said():
    """Order-only terms, weighted sums, empty conditions and unknown names are refused with the reason."""
    with pytest.raises(NotApplicableError, match="leaves no step to choose"):
        best_steps(BOUNDS["momentum-fl.theorem11-printed"], MOMENTUM)
    with pytest.raises(NotApplicableError, match="weighted with the steps"):
        best_steps(BOUNDS["fmgda.theorem1R"], MOMENTUM)
    with pytest.raises(NotApplicableError, match="no step found that meets its conditions"):
        best_steps(BOUNDS["momentum-fl.theorem19-proof"], MOMENTUM)
    with pytest.raises(UnknownNameError, match=r"parameter of momentum-fl.theorem11 'etaa'"):
        best_steps(BOUNDS["momentum-fl.theorem11"], MOMENTUM, over=["etaa"])


def test_a_row_is_analysed_like_a_bound():
    """Yu et al.'s noise exceeds their drift from T = L Delta G^4 (N K)^3/sigma^6 on."""
    row = RATES["momentum-fl.table1-yu"]
    values = {"N": 2, "S": 2, "K": 3, "T": 1, "L": 2.0, "Delta": 3.0, "sigma": 2.0, "G_norm": 5.0}
    (drift,) = (t for t in thresholds(row) if t.where == "drift")
    meeting = brentq(lambda t: (6 * 5 / t) ** (2 / 3) - math.sqrt(6 * 4 / (6 * t)), 1, 1e9)
    assert drift.value(values) == pytest.approx(meeting, rel=1e-6)
    assert drift.value(values) == pytest.approx(6 * 5**4 * 6**3 / 2**6, rel=1e-9)
    assert isinstance(BOUNDS["momentum-fl.theorem11"], Bound)
