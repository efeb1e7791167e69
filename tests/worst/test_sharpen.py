"""Sharpened theorems: known values, the worst case below, the engine as a referee, and what is refused."""

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from certificate_reading import excess
from turns import case_of, every
from worst_methods import LINEAR, method

from boundcheck.bounds.units import findings
from boundcheck.engine.exact import average_on_paths
from boundcheck.engine.setting import Setting
from boundcheck.errors import InputError, NotApplicableError, UnknownNameError
from boundcheck.evidence import check
from boundcheck.evidence.slack.sharper import sharper
from boundcheck.evidence.trials.fitting import build_prescribed_method
from boundcheck.methods import METHODS
from boundcheck.methods.base import Method
from boundcheck.problems import load_problem
from boundcheck.problems.catalog import instances
from boundcheck.problems.synthetic.quadratic import Quadratic
from boundcheck.proofs.kernel import certificates as verify
from boundcheck.worst import ProblemClass, advise, bound_of, certificates, remarks, sharpen, worst
from boundcheck.worst.gram.counts import SymbolicCount
from boundcheck.worst.gram.units import with_fractions
from boundcheck.worst.theorems.generic import generic_round, ignore_tilts, tilt

SHORT = {name: {"gamma": 0.1} if "gamma" in steps and "beta" in steps else {} for name, steps in LINEAR.items()}
"""Steps at which all of them have a theorem."""
SHORT["stem"] = {"growth": 0.0}
ALIKE = list(LINEAR)


def short(name):
    return method(name, **SHORT[name])


def exact(name):
    """Return it with fractions: relations are looked for over Q."""
    return with_fractions(short(name))


def descent(eta, N=1):
    """Return the coefficients of the descent lemma.

    F(x - eta g) <= F(x) - eta (1 - eta/2) |grad F|^2 + eta^2/2 |noise|^2 at L = 1, E|noise|^2 <= sigma^2/N.
    """
    return 1 / (eta * (1 - eta / 2)), eta**2 / (2 * N) / (eta * (1 - eta / 2))


@pytest.mark.parametrize("eta", [0.1, 0.5, 1.0, 1.5])
@pytest.mark.parametrize("N", [1, 4])
def test_one_step_is_the_descent_lemma(eta, N):
    """With K = 1 the best potential is F, for gradient descent and for SGD on N clients; never below, rounded up."""
    theorem = sharpen(METHODS["fedavg"](eta=eta), K=1, T=10, N=N, zeta=1.0, sigma=1.0)
    for found, expected in zip((theorem.descent, theorem.sigma2), descent(eta, N), strict=True):
        assert expected * (1 - 1e-12) <= found <= expected * (1 + 1e-5)
    assert 0 <= theorem.zeta2 <= 1e-6


@pytest.mark.parametrize(("N", "S"), [(2, 1), (4, 3), (10, 2)])
def test_one_step_of_some_clients_is_the_descent_lemma_with_noise(N, S):
    """The mean over S of N clients is off by (N-S)/(S (N-1)) zeta^2, as noise of that variance would be."""
    theorem = sharpen(METHODS["fedavg"](eta=0.5), K=1, T=10, N=N, S=S, zeta=1.0)
    first, noise = descent(0.5)
    assert first * (1 - 1e-12) <= theorem.descent <= first * (1 + 1e-5)
    expected = noise * (N - S) / (S * (N - 1))
    assert expected * (1 - 1e-12) <= theorem.zeta2 <= expected * (1 + 1e-5) + 1e-6


PARTIAL = ("fedavg-m", "scaffold-m", "mifa", "fedgate", "feddyn", "mime")


@pytest.mark.parametrize("name", [case_of(name, slow=name in ("mifa", "fedgate", "mime")) for name in PARTIAL])
def test_some_of_the_clients_have_theorems(name):
    """Above the worst case of the same class, with a proof that is accepted, and with the bound's conditions."""
    theorem = sharpen(short(name), K=2, T=10, N=4, S=2)
    constants = {"zeta": theorem.given.zeta, "G_0": theorem.given.G_0}
    case = worst(theorem.asked, K=2, T=2, N=4, S=2, **constants)
    assert case.upper <= theorem.value(2) * (1 + 1e-6)
    assert all(verify.check(proof, {}) for proof in certificates(theorem))
    assert max(excess(proof) for proof in certificates(theorem)) <= 1e-11
    conditions = {str(condition.relation) for condition in bound_of(theorem).conditions}
    assert {"Eq(S, 2)", "Eq(N, 4)", "Eq(K, 2)"} <= conditions
    assert "S = 2 of N = 4 clients a round" in remarks(theorem)
    assert theorem.is_best
    assert "the best potential" in bound_of(theorem).title


def test_local_steps_of_equal_clients_are_gradient_steps():
    """Without deviations and noise two local steps are two steps of gradient descent, and the theorem of one serves."""
    one = sharpen(METHODS["fedavg"](eta=0.25), K=1, T=10, N=1)
    two = sharpen(METHODS["fedavg"](eta=0.25), K=2, T=10, N=1)
    assert two.descent < one.descent


@pytest.mark.parametrize("name", every(2, ALIKE, first=1))
def test_never_below_the_worst_case(name):
    """Over the same class the worst case of T rounds is not above the theorem, for T other than the one asked for."""
    theorem = sharpen(short(name), K=2, T=3)
    constants = {"zeta": theorem.given.zeta, "G_0": theorem.given.G_0}
    for T in (1, 2):
        upper = worst(theorem.asked, K=2, T=T, **constants).upper
        assert upper <= theorem.value(T) * (1 + 1e-6)


@pytest.mark.parametrize("name", every(2, [name for name in ALIKE if name != "stem"]))
def test_as_a_bound_it_holds_on_a_problem(name):
    """It is homogeneous in units, and holds where the engine measures without noise."""
    bound = bound_of(sharpen(short(name), K=2, T=10, N=4))
    assert findings(bound) == []
    # Long enough that the right-hand side is below what no run exceeds.
    verdict = check(bound, load_problem("ridge-ratio[sigma=0]", N=4), K=2, T=1000)
    # FedPD tosses a coin a round: what is measured is a mean over runs.
    assert verdict.verdict == ("consistent" if name == "fedpd" else "holds"), verdict.reason


@pytest.mark.parametrize("name", ["fedavg", "fedavg-m", "scaffold-m"])
def test_noise_is_counted(name):
    """The exact expectation over all paths of noisy runs is below the theorem, and above what it says without noise."""
    problem = Quadratic(N=2, d=1, mu=0.5, L=1.0, spread=0.0, zeta=0.0, noise="signs", sigma=3.0, start=0.05)
    bound = bound_of(sharpen(short(name), K=1, T=3, sigma=1.0))
    setting = Setting.of(problem, K=1, T=3)
    resolved = bound.resolve({k: c.value for k, c in problem.constants.items()} | setting.letters | {"d": 1})
    terms = bound.evaluate(resolved).terms
    from boundcheck.metrics import METRICS

    found = average_on_paths(
        problem, build_prescribed_method(bound, problem, resolved), METRICS[bound.metric], setting
    ).mean()
    assert terms["descent"] < found <= sum(terms.values())


EARLIER = {"momentum-fl.theorem11": 7.2, "momentum-fl.theorem15": 6.8, "momentum-fl.theorem19": 7.2}
EARLIER |= {"momentum-fl.theorem22": 6.8, "gradma.lemma6-fedavg": 6.9}


@pytest.mark.parametrize(("name", "least"), EARLIER.items())
def test_below_the_proved_form_at_the_same_steps(name, least):
    """At the theorem's own parameters, where its conditions hold, without noise: the table of docs/sharpen.md."""
    found = sharper(name, K=2, T=100, N=8)
    assert found.conditions == []
    assert found.factor >= least


def test_what_is_assumed_is_said():
    """SCAFFOLD-M needs no heterogeneity, FedGATE the start's, FedAvg zeta; and a rounded step is named."""
    assert "no assumption on heterogeneity" in remarks(sharpen(short("scaffold-m"), K=2, T=10))
    assert sharpen(short("fedgate"), K=2, T=10).assumed == ("G_0",)
    assert sharpen(short("fedavg"), K=2, T=10).assumed == ("zeta",)
    rounded = sharpen(METHODS["fedavg"](eta=1 / math.pi**2), K=1, T=10, N=1)
    assert rounded.method.eta == Fraction(1013, 10000)
    assert f"eta = {1 / math.pi**2!r} is rounded to 1013/10000" in remarks(rounded)


def test_equal_gradients_are_a_class_of_their_own():
    """Zeta = 0 is less than zeta in general, and asks the problem for zeta = 0."""
    equal, any_ = (sharpen(short("fedavg"), K=2, T=10, zeta=zeta) for zeta in (0.0, 1.0))
    assert equal.descent < any_.descent
    verdict = check(bound_of(equal), load_problem("ridge-ratio[sigma=0]", N=2), K=2, T=10)
    assert verdict.verdict == "not applicable"
    assert "equal gradients" in verdict.reason


def test_the_best_step_of_gradient_descent_is_one_over_L():
    """1/(eta (1 - eta/2)) is smallest at eta = 1, where it is 2."""
    theorem = advise(METHODS["fedavg"](eta=0.3), free=["eta"], K=1, T=10, N=1)
    assert float(theorem.method.eta) == pytest.approx(1.0, rel=0.02)
    assert float(theorem.descent) == pytest.approx(2.0, rel=1e-3)


def test_a_step_may_be_written_as_an_integer():
    """It is a step all the same, and no count: in a bound it is 1/L."""
    bound = bound_of(sharpen(METHODS["fedavg"](eta=1), K=1, T=3, N=1))
    assert str(bound.parameters["eta"]) == "1/L"


def test_what_all_states_have_in_common_is_found():
    """The server's control variate is the mean of the clients'; corrections of FedGATE have mean zero."""
    scaffold = generic_round(exact("scaffold-m"), N=2, K=2).reading
    assert scaffold.means["c"] == {"c_i": 1}
    assert scaffold.free(scaffold.means) == ["g", "c_i"]
    gate = generic_round(exact("fedgate"), N=2, K=2).reading
    assert gate.means["delta"] == {}
    assert gate.free(gate.deviations) == ["delta"]


def test_tilts_are_seen_where_they_move_a_point():
    """Control variates take up a tilt of the clients' functions; local steps of FedAvg do not."""
    one = generic_round(exact("scaffold-m"), N=2, K=2)
    assert ignore_tilts(one).reading.tilts["c_i"] == 1
    assert tilt(generic_round(exact("fedavg"), N=2, K=2)) is None


def test_a_first_round_of_its_own_counts_apart():
    """FedGLOMO's potential begins after it: with beta = 1 and K = 1 all rounds are gradient steps.

    The descent lemma holds from x_1 on, and from x_0 to x_1.
    """
    theorem = sharpen(METHODS["fedglomo"](eta=0.5, beta=1.0), K=1, T=10, zeta=1.0)
    assert theorem.conditions.round.first == 1
    assert theorem.descent == pytest.approx(descent(0.5)[0], rel=1e-5)
    (start,) = (proof for proof in certificates(theorem) if proof["id"].endswith("/start"))
    assert "|mean(g0)|^2" in start["shows"]


@pytest.mark.parametrize("use", [lambda c: c == 3, lambda c: c > 4, lambda c: c < 9, lambda c: 0.5 * c])
def test_a_count_tells_what_follows_from_its_least_value(use):
    """More than that is refused."""
    known = SymbolicCount(2) + 1
    assert (known == 2, known > 2, known < 3, 0.0 * known, bool(known)) == (False, True, False, 0.0, True)
    with pytest.raises(NotApplicableError, match="a count of rounds"):
        use(known)


class Delayed(NamedTuple):
    """Three old gradients; the last is 0 for longer than relations are rehearsed."""

    x: Any
    a: Any
    b: Any
    c: Any


@dataclass(frozen=True)
class Late(Method):
    """A step along a gradient that is three rounds old."""

    eta: Any
    card = METHODS["sgd"].card
    state_type = Delayed

    def round(self, oracle, state):
        fresh = oracle.mean(oracle.full(oracle.to_clients(state.x)))
        return Delayed(state.x - self.eta * state.c, fresh, state.a, state.b)


def test_a_relation_that_does_not_last_is_given_up():
    """C = 0 holds at the start and after two rounds, and not in general."""
    reading = generic_round(Late(0.1), N=2, K=1).reading
    assert reading.free(reading.means) == ["a", "b", "c"]


class Boxed(NamedTuple):
    """The iterate, and something that is no vector."""

    x: Any
    box: Any


@dataclass(frozen=True)
class Kept(Method):
    """A whole step in every round before `last`, which is told by what stays in a box; half a step after it."""

    eta: Any
    begin: Any
    later: Any
    rounds: Any
    last: int = 4
    card = METHODS["sgd"].card

    def init(self, oracle, x0):
        return Boxed(x0, self.begin(x0))

    def round(self, oracle, state):
        fresh = oracle.mean(oracle.full(oracle.to_clients(state.x)))
        share = 1 if self.rounds(state.box) < self.last else 0.5
        return Boxed(state.x - self.eta * share * fresh, self.later(state.box, state.x))


BOXES = {
    "a count of numpy's": (lambda x: np.int64(0), lambda n, x: n + 1, lambda n: n),
    "a float of numpy's": (lambda x: np.float64(0), lambda n, x: n + 1, lambda n: n),
    "an array": (lambda x: np.zeros((1, 1, 1)), lambda n, x: n + 1, lambda n: n.max()),
    "a tuple": (lambda x: (0,), lambda n, x: (n[0] + 1,), lambda n: n[0]),
    "a dictionary": (lambda x: {"n": 0}, lambda n, x: {"n": n["n"] + 1}, lambda n: n["n"]),
    "a text": (lambda x: "", lambda n, x: n + "i", len),
    "old points": (lambda x: (x,), lambda n, x: (*n, x), len),
}


@pytest.mark.parametrize("box", BOXES)
def test_rounds_that_something_else_than_vectors_tells_apart_have_no_theorem(box):
    """`sharpen` took them for alike: that of the whole step, 2.667 L Delta/T, is false for halves."""
    begin, later, rounds = BOXES[box]
    with pytest.raises(NotApplicableError, match=r"rounds (are not alike|cannot be compared)"):
        sharpen(Kept(0.5, begin, later, rounds), K=1, T=8)


def test_what_stays_in_a_state_is_no_obstacle():
    """The control: a number, a text or None that no round changes."""
    for kept in (np.int64(1), 0.5, "plain", None):
        found = sharpen(Kept(0.5, lambda x, kept=kept: kept, lambda n, x: n, lambda n: 0), K=1, T=8)
        assert found.descent == pytest.approx(descent(0.5)[0], rel=1e-5)


REFUSED = [
    ("fedadam", {"eta": 0.1, "gamma": 0.1, "tau": 0.1}, {}, "of a vector"),
    ("stem", LINEAR["stem"], {}, "rounds are not alike.*steps that go to 0 have none"),
    ("fedavg", {"eta": 2.5}, {}, "no theorem of one round was found at eta = 5/2"),
    ("fedavg", {"eta": math.nan}, {}, "eta = nan is not legal"),
    ("fedavg", {"eta": 0.1}, {"L": 2.0}, "L = 2.0 is not legal"),
    ("fedavg", {"eta": 0.1}, {"mu": 0.1}, "mu = 0.1 is not legal"),
]


@pytest.mark.parametrize(("name", "steps", "constants", "words"), REFUSED)
def test_what_has_no_theorem_is_refused_by_name(name, steps, constants, words):
    """The message names the method, its steps or the constant."""
    with pytest.raises((InputError, NotApplicableError), match=words):
        sharpen(METHODS[name](**steps), K=2, T=3, **constants)


def test_short_steps_cost_in_proportion():
    """Why steps that go to 0 have no theorem: with half the step STEM's factor of L Delta/T doubles, to a fifth."""
    descents = [
        float(sharpen(METHODS["stem"](kappa=kappa, w=1.0, growth=0.0, c=2.0), K=2, T=1000, zeta=1.0).descent)
        for kappa in (0.1, 0.05, 0.025)
    ]
    for longer, shorter in itertools.pairwise(descents):
        assert shorter / longer == pytest.approx(2.0, rel=0.2)


def test_counts_and_names_are_checked():
    """K, T and free hyperparameters."""
    with pytest.raises(InputError, match="T = 0"):
        sharpen(short("fedavg"), K=1, T=0)
    with pytest.raises(UnknownNameError, match="did you mean eta"):
        advise(short("fedavg"), free=["etta"], K=1, T=1)


def test_a_hyperparameter_in_squared_units_is_no_letter():
    """STEM's c is a multiple of L^2, for which a bound has no letter."""
    with pytest.raises(NotApplicableError, match="method stem: its hyperparameters have no units"):
        bound_of(sharpen(short("stem"), K=2, T=10))


def test_additive_noise_is_no_condition_of_a_bound():
    """A theorem on methods that evaluate a minibatch twice is kept from problems whose noise depends on the point."""
    theorem = sharpen(short("fedavg-m-vr"), K=2, T=10, zeta=1.0, sigma=1.0)
    with pytest.raises(NotApplicableError, match="additive noise"):
        bound_of(theorem)


def test_a_theorem_about_exact_gradients_is_not_compared_with_noise():
    """GradMA's lemma has no noise term."""
    with pytest.raises(NotApplicableError, match="exact local gradients"):
        sharper("gradma.lemma6-fedavg", K=2, T=100, sigma=1.0)


def test_the_class_is_told_in_constants_or_whole():
    """Constants are those of ProblemClass."""
    one = sharpen(short("fedavg"), K=2, T=10, zeta=0.5)
    other = sharpen(short("fedavg"), K=2, T=10, given=ProblemClass(zeta=0.5))
    assert one.proof == other.proof


@pytest.mark.slow
@pytest.mark.parametrize("sigma", [0.0, 1.0])
@pytest.mark.parametrize("name", ["fedavg", "fedavg-m", "scaffold-m", "fedgate", "slowmo"])
def test_no_shipped_problem_violates_a_sharpened_theorem(name, sigma):
    """Where problem and theorem go together it is never violated, and it does hold somewhere."""
    bound = bound_of(sharpen(short(name), K=2, T=20, N=4, sigma=sigma))
    problems = [load_problem(instance.id, N=4) for instance in instances()]
    found = {p.name: check(bound, p, K=2, T=20, replicates=8, budget=16).verdict for p in problems}
    assert "violated" not in found.values()
    assert "holds" in found.values()
