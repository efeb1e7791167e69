"""Measured rates: against straight-line descent, on bowls where they are transients, and at other schedules."""

import dataclasses

import numpy as np
import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.engine.setting import Setting
from boundcheck.errors import InputError, NotApplicableError, UnknownNameError
from boundcheck.evidence.trials.trial import Trial
from boundcheck.problems import load_problem
from boundcheck.rates import (
    HEADLINES,
    Headline,
    attain,
    declare_constants,
    headline_of,
    tail_ceiling,
    tail_floor,
)
from boundcheck.rates.attained import leads_from
from boundcheck.rates.control import plain
from boundcheck.rates.runs import read_grid


def short(**changed):
    """Return FedAvg-M's rate in T on a grid of a second."""
    asked = {"declared": {"sigma": 0.8}, "N": 2} | changed
    return headline_of("momentum-fl.theorem11", "T", (1000, 2000, 4000), **asked)


def momentum_by_hand(T, gamma, beta, p=0.05):
    """Return |phi'|^2 before every round of FedAvg-M with exact gradients: g <- (1-beta) g + beta phi'(x), x - gamma g.

    The local step of the theorem is so short that the local path bends nothing: 1e-7 of the result.
    """
    x, g, squares = 1.0, 0.0, []
    for _ in range(T):
        slope = -x * (1 + x * x) ** (-1 - p / 2)
        squares.append(slope * slope)
        g = (1 - beta) * g + beta * slope
        x -= gamma * g
    return np.array(squares)


def test_readings_are_those_of_a_loop():
    """The theorem's average and the second half, point by point, against momentum written out; the word with them."""
    found = attain(short())
    assert found.word == "as promised"
    for point in found.points:
        squares = momentum_by_hand(point.T, point.steps["gamma"], point.steps["beta"])
        assert point.average[0] == pytest.approx(squares.mean(), rel=1e-4)
        assert point.late[0] == pytest.approx(squares[point.T // 2 :].mean(), rel=1e-4)
    assert found.late.value == pytest.approx(-0.5, abs=0.05)
    assert found.ratio == pytest.approx(0.5 / -found.late.value)
    assert found.headline.method == "fedavg-m"


def test_the_prescribed_steps_are_those_of_the_class():
    """The class has noise, the instance has none: beta is that of the class, sqrt(N K L Delta/(sigma^2 T))."""
    (point, *_) = attain(short()).points
    problem = load_problem("tail[link=tail:0.05]", N=2)
    wanted = np.sqrt(2 * problem.constant("Delta") / (0.8**2 * point.T))
    assert point.steps["beta"] == pytest.approx(wanted)
    assert point.rhs < point.trivial


@pytest.mark.parametrize("problem", ["quadratic[sigma=0,d=1,spread=0,zeta=0]", "ridge-log[sigma=0,zeta=0,d=1]"])
def test_a_bowl_shows_no_rate(problem):
    """On a bowl the average is Delta/(gamma T), as printed to two digits; second half and control give it away."""
    found = attain(short(problem=problem))
    assert found.average.value == pytest.approx(-0.5, abs=0.01)
    assert found.late.value < -2.0
    assert found.word == "transient"


def test_a_schedule_that_forgets_the_letter_is_slower():
    """FedAvg-M at a fixed beta and gamma does not fall with N on clients that are alike."""
    fixed = headline_of(
        "momentum-fl.theorem11",
        "N",
        (1, 4, 16),
        T=2000,
        declared={"sigma": 0.8},
        overrides={"beta": 0.05, "gamma": 0.008},
    )
    found = attain(fixed)
    assert found.late.value == pytest.approx(0.0, abs=1e-3)
    assert found.word in {"slower", "undecided"}


def test_a_grid_that_ends_too_early_is_undecided():
    """FMGDA before its steps have summed to 10: it is flatter than printed, and steepens."""
    found = attain(headline_of("fmgda.corollary1", "T", (5000, 10_000, 20_000)))
    assert found.late.value > found.printed + 0.05
    assert (found.word, "steepens" in found.note) == ("undecided", True)


@pytest.mark.parametrize("name", ["fmgda.T", "fedglomo.T"])
def test_descents_lie_between_the_proved_sides(name):
    """Where the method is plain descent the second half lies between floor and ceiling at its ends."""
    headline = dataclasses.replace(HEADLINES[name], grid=(1000, 2000, 4000))
    plans = [headline.plan(x) for x in headline.grid]
    late = read_grid(plans, [p.method for p in plans], headline.metric).late[:, 0]
    for plan, read in zip(plans, late, strict=True):
        T, method = plan.setting.T, plan.method
        if name == "fmgda.T":
            steps = method.chat * method.h / np.cbrt(np.maximum(np.arange(1, T + 1) + 1.5, method.t_flat))
        else:
            steps = np.full(T, method.eta)
        sums = np.cumsum(steps)
        assert tail_floor(0.05, 1.0, float(sums[-1])) <= read <= tail_ceiling(0.05, 1.0, float(sums[T // 2 - 1]))


def test_only_what_differs_can_be_declared():
    """A larger sigma leaves a theorem true; a smaller one, or another L, would not."""
    problem = load_problem("tail-clients", N=2)
    assert declare_constants(problem, {"sigma": 3.0}).constant("sigma") == 3.0
    assert problem.constant("sigma") == 0.2
    with pytest.raises(InputError, match=r"declared sigma = 0.1 is not legal: a number >= 0.2"):
        declare_constants(problem, {"sigma": 0.1})
    with pytest.raises(InputError, match="declared constant = 'L' is not legal: one of sigma, zeta, zeta_pair"):
        declare_constants(problem, {"L": 2.0})


def test_a_condition_that_fails_is_not_attainable():
    """SCAFFOLD-M's printed server step contradicts its proof: no grid can be run, and the condition is named."""
    found = attain(headline_of("momentum-fl.theorem22-proof", "T", (100, 200, 400), declared={"sigma": 1.0}, N=4))
    assert found.word == "not attainable"
    assert "condition" in found.note
    assert found.ratio is None


@pytest.mark.parametrize(
    ("changed", "error", "words"),
    [
        ({"grid": (1, 2)}, InputError, "3 or more increasing integers"),
        ({"grid": (4, 2, 8)}, InputError, "3 or more increasing integers"),
        ({"letter": "Q"}, InputError, "one of T, N, S, K, NK, rounds"),
        ({"bound": ""}, InputError, "one of the two"),
        ({"bound": "", "schedule": "stormy"}, UnknownNameError, "did you mean storm"),
    ],
)
def test_a_headline_that_cannot_be_run_is_refused(changed, error, words):
    """The message names the headline, the field and what is legal."""
    legal = vars(HEADLINES["fedavg-m.T"]) | changed
    with pytest.raises(error, match=words):
        Headline(**legal)


def test_a_letter_without_a_promise_is_refused():
    """SGD's theorem of the field promises nothing in S."""
    with pytest.raises(NotApplicableError, match="promises nothing in S"):
        headline_of("field.gd-best", "S", (1, 2, 4))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fedavg-m.T", "fedavg-m-vr.T"])
def test_a_rate_survives_the_noise_that_its_class_allows(name):
    """The same schedule with signs of size sigma in every gradient: the second halves of 16 runs fall alike."""
    quiet = HEADLINES[name]
    sigma = quiet.declared["sigma"]
    noisy = dataclasses.replace(quiet, problem=f"tail[link=tail:0.05,sigma={sigma}]", lanes=16)
    found = attain(noisy)
    assert found.word == "as promised", found.note
    assert found.late.high - found.late.low > 0


@pytest.mark.slow
def test_heterogeneous_clients_leave_the_rate():
    """Tilted clients in three coordinates, all declared: FedAvg-M falls by the same power."""
    problem = "tail-clients[sigma=0,link=tail:0.05]"
    asked = headline_of(
        "momentum-fl.theorem11", "T", (10_000, 20_000, 40_000), problem=problem, declared={"sigma": 0.8}, N=4
    )
    assert attain(asked).word == "as promised"


def test_the_control_of_a_saddle_is_descent_and_ascent():
    """On saddles plain descent is Local SGDA, with a step a round that does not depend on K."""
    headline = dataclasses.replace(HEADLINES["fmgda.rounds"], grid=(100, 400, 900), N=1)
    first, second, _ = (headline.plan(x) for x in headline.grid)
    assert (first.setting.K, second.setting.K) == (10, 20)
    method = plain(0.5, "").method(first, second)
    assert method.card.id == "local-sgda"
    assert method.eta_x * second.setting.K == pytest.approx(400**-0.5)


def test_trials_of_a_class_are_trials_of_its_constants():
    """What the headline runs is what `Trial` prescribes on a problem that has the noise."""
    noisy = load_problem("tail[link=tail:0.05,sigma=0.8]", N=2)
    trial = Trial.of(BOUNDS["momentum-fl.theorem11"], noisy, Setting(N=2, S=2, K=1, T=1000, b=1))
    plan = short().plan(1000)
    assert (plan.method, plan.rhs) == (trial.method, trial.evaluation.rhs)
    assert not plan.problem.is_noisy


def test_the_leading_part_leads_from_where_it_says():
    """FedLALR at N = K = 8: before that horizon another term exceeds gap and noise together, after it none does."""
    headline = HEADLINES["fedlalr.NK"]
    leads = leads_from(headline)

    def terms(T):
        plan = dataclasses.replace(headline, T=int(T)).plan(8)
        of_class = declare_constants(plan.problem, headline.declared)
        return Trial.of(BOUNDS[headline.bound], of_class, plan.setting, strict=False).evaluation.terms

    for factor, larger in ((0.9, True), (1.1, False)):
        found = terms(factor * leads)
        ahead = found.pop("gap") + found.pop("noise")
        assert (max(found.values()) > ahead) is larger
    assert leads_from(HEADLINES["fmgda.T"]) is None
    # Without noise nothing leads in its place: the formula divides by sigma.
    assert leads_from(headline_of("momentum-fl.theorem15", "N", (1, 2, 4), T=2000)) is None
    assert leads_from(HEADLINES["storm.T"]) is None
