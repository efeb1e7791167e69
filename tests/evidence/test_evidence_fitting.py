"""What a bound speaks about, and what is no evidence: common noise, numbers that are none, constants that fall."""

from dataclasses import replace

import numpy as np
import pytest
from sympy import Eq, Le

from boundcheck import check, load_problem
from boundcheck.bounds import BOUNDS, Bound, Condition
from boundcheck.errors import InputError
from boundcheck.evidence import pair
from boundcheck.evidence.trials.divergence import FAR, watch_problem
from boundcheck.notation import symbols
from boundcheck.problems.own.functions import from_functions
from boundcheck.problems.synthetic.ridge import Ridge

N, S, K, T, b, L, sigma, Delta = symbols("N S K T b L sigma Delta")
DESCENT = Bound(
    id="mine.descent",
    paper="mine",
    title="Gradient descent with step 1/L",
    where="textbook",
    method="fedavg",
    metric="server_gradient",
    needs=("L", "sigma", "Delta"),
    parameters={"eta": 1 / L},
    terms={"gap": 2 * L * Delta / T, "noise": sigma**2 / (N * b)},
    trivial=2 * L * Delta,
    conditions=(Condition("one local step", Eq(K, 1)), Condition("full participation", Le(N, S))),
)
"""2 L Delta/T + sigma^2/(N b), for noise that is independent over the clients: smoothness, summed over t."""


def own(gradient, L=2.0, **more):
    """Return two clients |x|^2 with the given gradient of a client at a point, and constants that are vouched for."""
    known = {"L": L, "sigma": 0.0, "Delta": 1.0} | more
    return from_functions(lambda i, x: float(x @ x), gradient, N=2, d=1, start=[1.0], constants=known)


@pytest.mark.parametrize("problem", ["fedglomo-v3", "fedlalr-a2"])
def test_a_start_at_the_minimum_violates_nothing(problem):
    """Delta = 0 and no noise: measured 4.5e-35 and 5.3e-23 by rounding, above a right-hand side of 0."""
    found = check(DESCENT, load_problem(problem, N=4), K=1, T=50)
    assert found.measured > found.rhs == 0.0
    assert (found.verdict, found.ratio) == ("holds", None)


def test_rounding_is_far_below_what_a_wrong_theorem_misses():
    """The slack is below 1e-20 of the squared gradient at the start; a term left out is seen at once."""
    problem = load_problem("quadratic-tilt", N=1, zeta=0.0)
    nothing = replace(DESCENT, terms={"nothing": 1e-20 * L * Delta})
    assert check(nothing, problem, K=1, T=50).verdict == "violated"


def test_common_noise_is_outside_a_theorem_about_independent_noise():
    """DESCENT was refuted with evidence 8e9 by noise that all clients share; with one client sharing means nothing."""
    common = load_problem("fedlalr-a7", N=4)
    found = check(DESCENT, common, K=1, T=50)
    assert found.verdict == "not applicable"
    assert "condition 'noise independent over the clients' fails: fedlalr-a7 has common-signs noise" in found.reason
    assert check(replace(DESCENT, independent_noise=False), common, K=1, T=50).verdict == "violated"
    assert check(DESCENT, load_problem("fedlalr-a7", N=1), K=1, T=50).verdict != "not applicable"


def test_printed_statements_without_the_assumption_stay_refutable():
    """FedLALR bounds noise client by client and says nothing of independence; its proof and its repairs need it."""
    open_to_it = [name for name, bound in BOUNDS.items() if not bound.independent_noise]
    assert {BOUNDS[name].form for name in open_to_it} == {"printed"}
    assert {BOUNDS[name].paper for name in open_to_it} == {"fedlalr"}


@pytest.mark.parametrize("name", ["gradma.lemma6S-fedavg", "gradma.lemma6", "gradma.lemma6-w"])
def test_a_step_that_is_no_number_is_no_step(name):
    """At Delta = 0 the server step is 0/0: the run measured inf against nan and was called violated, or crashed."""
    found = check(name, load_problem("fedglomo-v3", N=4), K=2, T=64, S=2)
    assert found.verdict == "not applicable"
    assert "prescribes eta_g = gamma/(K*eta), which is no number on fedglomo-v3, where Delta = 0" in found.reason


def test_a_right_hand_side_that_overflows_is_refused():
    """Noise of 1e308 gave "violated, rhs nan"; the term is named."""
    with pytest.raises(InputError, match=r"momentum-fl.theorem11: term '.*' of the right-hand side = (inf|nan)"):
        check("momentum-fl.theorem11", Ridge(N=2, sigma=1e308, zeta=1.0), K=1, T=4)


def test_a_gradient_that_is_no_number_is_an_error():
    """A user's gradient that returned nan gave "violated, inf > 45.9"; the client and the point are named."""

    def broken(client, x):
        return np.array([np.nan]) if client == 1 and abs(x[0]) < 0.5 else 2 * x

    slow = replace(DESCENT, parameters={"eta": 1 / (4 * L)})
    with pytest.raises(InputError, match=r"own: exact gradient of client 1 at x = \[0.4\d*\] is not finite"):
        check(slow, own(broken), K=1, T=50)


def test_a_run_that_diverges_is_evidence():
    """|x|^2 with L = 1/2 claimed and nothing to refute it: the step 2 makes x grow like 3^t beyond every number."""
    problem = load_problem("quadratic-tilt", N=1, zeta=0.0)
    long = replace(DESCENT, parameters={"eta": 4 / L})
    found = check(long, problem, K=1, T=2000)
    assert (found.verdict, found.measured) == ("violated", np.inf)


def test_only_points_near_by_are_watched():
    """Beyond 1e100 infinities cancel in any formula; nearer, what is no number is a broken function."""
    twin = watch_problem(own(lambda i, x: x * np.nan))
    far = np.full((1, 1, 1), 10 * FAR)
    assert np.isnan(twin.mean_gradient(far)).all()
    with pytest.raises(InputError, match=r"client 0 at x = \[3.0\]"):
        twin.mean_gradient(np.full((1, 1, 1), 3.0))


def test_a_constant_that_falls_takes_the_verdict_with_it():
    """L = 0.3 for |x|^2, truly 2, gave "violated" with no word that the constants were only vouched for."""
    found = check(DESCENT, own(lambda i, x: 2 * x, L=0.3), K=1, T=50)
    assert (found.verdict, found.vouched) == ("not applicable", ("L", "sigma", "Delta"))
    assert "constant L = 0.3 does not stand: 2 is attained" in found.reason


def test_vouched_constants_are_named_in_every_verdict():
    """Right ones survive the attack, and a wrong theorem is violated all the same."""
    true = own(lambda i, x: 2 * x)
    held = check(DESCENT, true, K=1, T=50)
    assert (held.verdict, held.vouched) == ("holds", ("L", "sigma", "Delta"))
    assert "vouched for, not proved (not attacked): L, sigma, Delta" in held.reason
    wrong = check(replace(DESCENT, terms={"gap": L * Delta / (50 * T)}), true, K=1, T=50)
    assert wrong.verdict == "violated"
    assert "(attacked without success)" in wrong.reason


def test_a_ceiling_that_is_vouched_for_is_none():
    """G_inf of a shipped problem bounds every gradient; a user's number does not, nor one that holds in a ball."""
    ridge = load_problem("ridge-ratio", N=4, d=4)
    trial = pair(DESCENT, ridge, K=1, T=5)
    assert trial.ceiling <= 4 * ridge.constants["G_inf"].value ** 2
    assert pair(DESCENT, own(lambda i, x: 2 * x, G_inf=3.0), K=1, T=5).ceiling is None
