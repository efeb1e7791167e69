"""By which factor a round contracts: closed forms, straight-line runs below, spoiled certificates refused."""

import copy
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from turns import in_turn

from boundcheck import METHODS, check, load_problem, verify
from boundcheck.cli.app import run
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.worst import bound_of_contraction, contract, contraction_certificates, worst

MU = 0.1


@pytest.mark.parametrize(("eta", "measured"), in_turn([0.5, 1.0, 1.9], "distance", "value"))
def test_gradient_descent_has_its_closed_form(eta, measured):
    """The factor max(1 - eta mu, eta L - 1)^2 of the distance and of the value (de Klerk, Glineur, Taylor 2020)."""
    theorem = contract(METHODS["sgd"](eta=eta), K=1, mu=MU, N=1, measured=measured)
    assert float(theorem.rate) == pytest.approx(max(1 - eta * MU, eta - 1) ** 2, rel=2e-6)
    assert float(theorem.at_start("start")) == pytest.approx(1, rel=2e-2)
    assert theorem.rate >= max(1 - eta * MU, eta - 1) ** 2


def test_local_steps_of_one_client_are_steps():
    """K steps of one client contract by (1 - eta mu)^(2K)."""
    theorem = contract(METHODS["fedavg"](eta=0.5), K=3, mu=MU, N=1)
    assert float(theorem.rate) == pytest.approx(0.95**6, rel=1e-6)


def test_noise_leaves_a_ball():
    """E|x - eta g - x_star|^2 <= (1 - eta mu)^2 |x - x_star|^2 + eta^2 sigma^2/N, and f = mu x^2/2 has no less."""
    theorem = contract(METHODS["sgd"](eta=0.5), K=1, mu=MU, N=4, sigma=1.0)
    assert float(theorem.rate) == pytest.approx(0.95**2, rel=1e-4)
    assert float(theorem.at_end("sigma")) == pytest.approx(0.25 / 4 / (1 - 0.95**2), rel=1e-3)


def quadratics(seed, N=3, d=4):
    """Return Hessians with eigenvalues in [MU, 1], gradients' minimisers, x_star and zeta^2 there."""
    generator = np.random.default_rng(seed)
    turned = [np.linalg.qr(generator.normal(size=(d, d)))[0] for _ in range(N)]
    hessians = np.array([q @ np.diag([MU, *generator.uniform(MU, 1, d - 2), 1]) @ q.T for q in turned])
    centres = generator.normal(size=(N, d))
    x_star = np.linalg.solve(hessians.mean(0), np.einsum("nij,nj->i", hessians, centres) / N)
    at_star = np.einsum("nij,nj->ni", hessians, x_star - centres)
    return hessians, centres, x_star, (at_star**2).sum(1).mean()


def distances(name, seed, *, eta, gamma, beta, K, T):
    """Return |x_t - x_star|^2 of a method written down once more, and zeta^2."""
    hessians, centres, x_star, zeta2 = quadratics(seed)
    N, d = centres.shape
    x = x_star + np.random.default_rng(seed + 1).normal(size=d)
    controls, direction, found = np.zeros((N, d)), np.zeros(d), [((x - x_star) ** 2).sum()]
    for _ in range(T):
        y = np.tile(x, (N, 1))
        for _ in range(K):
            g = np.einsum("nij,nj->ni", hessians, y - centres)
            if name == "scaffold":
                g = g - controls + controls.mean(0)
            if name == "fedavg-m":
                g = beta * g + (1 - beta) * direction
            y = y - eta * g
        moved = (x - y).mean(0)
        if name == "scaffold":
            controls = controls - controls.mean(0) + (x - y) / (eta * K)
        direction = moved / (eta * K)
        x = x - (gamma * direction if name == "fedavg-m" else moved)
        found.append(((x - x_star) ** 2).sum())
    return np.array(found), zeta2


HYPER = {
    "fedavg": {"eta": 0.4},
    "scaffold": {"eta": 0.1},
    "fedavg-m": {"eta": 0.1, "gamma": 0.3, "beta": 0.5},
}


@pytest.mark.parametrize("name", HYPER)
def test_straight_line_runs_stay_below(name):
    """Five problems and twenty rounds each, written in numpy alone; a factor below the slowest run's would be false."""
    hyper = HYPER[name]
    theorem = contract(METHODS[name](**hyper), K=2, mu=MU, N=3)
    for seed in range(5):
        full = {"gamma": 1.0, "beta": 1.0} | hyper
        found, zeta2 = distances(name, seed, K=2, T=20, **full)
        allowed = [theorem.value(T, start=found[0], zeta=np.sqrt(zeta2)) for T in range(21)]
        assert (found <= np.array(allowed) * (1 + 1e-9)).all()
        assert found[20] < found[0]


def test_control_variates_leave_no_ball_and_averaging_does():
    """SCAFFOLD reaches x_star; FedAvg stops where its clients' steps cancel."""
    scaffold, fedavg = (contract(METHODS[name](eta=0.1), K=2, mu=MU) for name in ("scaffold", "fedavg"))
    assert scaffold.assumed == fedavg.assumed == ("zeta",)
    assert scaffold.at_end("zeta") < 1e-6
    assert fedavg.at_end("zeta") > 1e-3


def test_it_stands_above_the_worst_case_of_a_run():
    """Three rounds of two local steps, one client, from |x_0 - x_star| = 1: exact, and equal for gradient descent."""
    method = METHODS["fedavg"](eta=0.5)
    case = worst(method, K=2, T=3, N=1, mu=MU, distance=1.0, Delta=None, measure="distance", prove=False)
    theorem = contract(method, K=2, mu=MU, N=1)
    assert case.upper <= theorem.value(3) * (1 + 1e-6)
    assert case.upper == pytest.approx(theorem.value(3), rel=1e-5)


@pytest.mark.parametrize("measured", ["distance", "value"])
def test_certificates_are_accepted_and_spoiled_ones_refused(measured):
    """The checker alone: as written, then with a smaller factor, without a hypothesis, for twice what is measured."""
    theorem = contract(METHODS["fedavg-m"](**HYPER["fedavg-m"]), K=2, mu=MU, sigma=1.0, measured=measured)
    proof = contraction_certificates(theorem)
    for part in proof:
        verify.check(part, {})
    around, start, end = proof
    smaller = around["shows"].replace(f"{theorem.rate}*", f"{theorem.rate - 1 / 100}*")
    assert smaller != around["shows"]
    spoiled = [
        {**around, "shows": smaller},
        {**end, "shows": f"2*({end['shows'].split(' <= ')[0]}) <= " + end["shows"].split(" <= ")[1]},
    ]
    spoiled += [{**start, "by": start["by"][1:]}, {**copy.deepcopy(around), "by": around["by"][1:]}]
    for part in spoiled:
        with pytest.raises(verify.ERRORS):
            verify.check(part, {})


def test_a_factor_can_be_asked_for():
    """Above the least one a round adds less; below it there is none."""
    method = METHODS["fedavg"](eta=0.5)
    least = contract(method, K=2, mu=MU, zeta=1.0)
    relaxed = contract(method, K=2, mu=MU, zeta=1.0, rate=0.9)
    assert relaxed.rate == Fraction(9, 10)
    assert relaxed.proof.constants["round"]["zeta"] < 0.8 * least.proof.constants["round"]["zeta"]
    with pytest.raises(
        NotApplicableError, match=r"no potential of one round that falls was found at mu = 0.1, K = 2, rate = 0.8"
    ):
        contract(method, K=2, mu=MU, zeta=1.0, rate=0.8)


def test_what_has_no_such_theorem_is_refused():
    """Too long a step, no strong convexity, another measure."""
    with pytest.raises(NotApplicableError, match="no potential of one round that falls was found"):
        contract(METHODS["sgd"](eta=2.1), K=1, mu=MU, N=1)
    with pytest.raises(InputError, match="mu"):
        contract(METHODS["sgd"](eta=1.0), K=1, mu=0.0, N=1)
    with pytest.raises(InputError, match="measured"):
        contract(METHODS["sgd"](eta=1.0), K=1, mu=MU, N=1, measured="gradient")
    with pytest.raises(NotApplicableError, match="fedadam"):
        contract(METHODS["fedadam"](eta=0.1, gamma=0.1, tau=0.1), K=1, mu=MU)


def test_the_card_says_what_the_gradients_are(capsys):
    """With noise, without it, and where heterogeneity had to be assumed; an option of other theorems is refused."""

    def card(*options):
        code = run(["sharpen", "fedavg", "--mu", "0.1", "--set", "eta=0.25", *options])
        return code, " ".join(capsys.readouterr().out.split())

    noisy, exact = card("--K", "1", "--N", "1", "--sigma", "1"), card("--K", "2")
    assert noisy[0] == exact[0] == 0
    assert "noise of variance sigma^2 = 1" in noisy[1]
    assert "exact gradients" not in noisy[1]
    assert "exact gradients zeta^2 bounds mean_i |grad f_i(x_star)|^2, which is assumed" in exact[1]
    assert card("--K", "2", "--within", "3")[0] == 2


@pytest.mark.parametrize(("name", "sigma"), [("fedavg", 0.0), ("scaffold", 0.0), ("fedavg", 1.0)])
def test_a_contraction_is_a_bound(name, sigma):
    """Its right-hand side is the theorem's; it holds, a quarter of it does not, and mu has to be there."""
    theorem = contract(METHODS[name](eta=0.1), K=2, mu=MU, N=4, sigma=sigma, zeta=1.0)
    bound = bound_of_contraction(theorem)
    values = {
        "L": 2.0,
        "mu": 0.4,
        "delta_x": 3.0,
        "zeta_star": 0.6,
        "sigma": 0.8 * sigma,
        "N": 4,
        "S": 4,
        "K": 2,
        "b": 1,
    }
    for T in (1, 20):
        resolved = bound.resolve(values | {"T": T})
        # x is measured in units of length, gradients are L times as long.
        by_hand = theorem.value(T, start=3.0, zeta=0.3, sigma=0.4 * sigma)
        assert bound.evaluate(resolved).rhs == pytest.approx(by_hand, rel=1e-5)
        assert resolved["eta"] == 0.05
    with pytest.raises(NotApplicableError, match="curvature"):
        bound.evaluate(bound.resolve(values | {"T": 1, "mu": 0.1}))
    problem = load_problem("stress-parabola" if not sigma else "quadratic[mu=0.5]", N=4)
    spoiled = replace(bound, id="spoiled", terms={word: term / 4 for word, term in bound.terms.items()})
    assert check(bound, problem, K=2, T=1).verdict in ("holds", "consistent")
    assert check(spoiled, problem, K=2, T=1).verdict == "violated"


def test_a_contraction_of_the_value_is_a_bound():
    """In units of value: noise and heterogeneity over L."""
    theorem = contract(METHODS["fedavg"](eta=0.25), K=2, mu=MU, N=4, sigma=1.0, zeta=1.0, measured="value")
    bound = bound_of_contraction(theorem)
    assert bound.metric == "final_suboptimality"
    values = {"L": 2.0, "mu": 0.4, "Delta": 3.0, "zeta_star": 0.6, "sigma": 0.8, "N": 4, "S": 4, "K": 2, "b": 1, "T": 7}
    by_hand = 2 * theorem.value(7, start=1.5, zeta=0.3, sigma=0.4)
    assert bound.evaluate(bound.resolve(values)).rhs == pytest.approx(by_hand, rel=1e-5)
