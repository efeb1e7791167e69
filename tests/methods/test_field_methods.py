"""The methods of the field's theorems: against straight-line readings, and what becomes of them at the ends."""

import inspect

import numpy as np
import pytest
import straightline_field as plain
from method_case import TOLERANCE, Case
from method_harness import Record
from method_problems import PlainRidge, Saddle

from boundcheck.engine import simulate
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.evidence.trials.costs import cost
from boundcheck.methods import METHODS
from boundcheck.problems import load_problem

ROUNDS, LANES = 6, 3
CASES = [
    Case("page", {"eta": 0.2, "p": 0.4}, reference=plain.page),
    Case("ef21", {"gamma": 0.2}, {"k": 2}, plain.ef21),
    Case("dsgd", {"eta": 0.2}, {"graph": "star"}, plain.dsgd),
    Case("dsgd-varying", {"eta": 0.2}, {"graph": "even+odd"}, plain.changing),
    Case("fedavg-drawn", {"eta": 0.2}, {"drawn": 3, "scheme": "weights"}, plain.drawn),
    Case("fedavg-drawn", {"eta": 0.2}, {"drawn": 2, "scheme": "replacement"}, plain.drawn),
    Case("fedavg-drawn", {"eta": 0.2}, {"drawn": 3, "scheme": "order"}, plain.drawn),
    Case("ef21-sgdm", {"gamma": 0.2, "beta": 0.4}, {"k": 2, "B": 1}, plain.averaged_targets),
    Case("choco", {"eta": 0.2, "gamma": 0.4}, {"k": 2, "graph": "star"}, plain.choco),
    Case("scaffnew", {"eta": 0.2, "p": 0.5}, reference=plain.scaffnew),
    Case("admm", {"rho": 6.0}, reference=plain.admm),
    Case("feddyn-exact", {"alpha": 6.0}, reference=plain.dynamic),
    Case("diana", {"eta": 0.2, "alpha": 0.4}, {"quantiser": "dropout-0.6"}, plain.diana),
    Case("l-svrg", {"eta": 0.2, "p": 0.4}, reference=plain.loopless),
    Case("adagrad", {"eta": 0.3, "eps": 0.5}, reference=plain.squares),
    Case("rmsprop-corrected", {"eta": 0.3, "eps": 0.5, "beta2": 0.7}, reference=plain.squares),
    Case("adam-projected", {"eta": 0.4, "beta1": 0.6, "beta2": 0.7, "decay1": 0.8, "D_inf": 2.2}, reference=plain.adam),
    Case(
        "adabound",
        {"eta": 0.3, "beta2": 0.7, "eta_end": 0.5, "rise": 0.6, "fall": 8.0, "D_inf": 1.2},
        reference=plain.adabound,
    ),
    Case("nsgdm", {"eta": 0.2, "beta": 0.6}, {"B": 1}, plain.normalised),
    Case("clipped-sgd", {"eta": 0.4, "clip": 0.5}, reference=plain.clipped),
    Case("adagrad-norm", {"eta": 0.3, "eps": 0.5}, reference=plain.adagrad_norm),
    Case("ef-sgd", {"eta": 0.2}, {"k": 2}, plain.error_feedback),
    Case("delayed-sgd", {"eta": 0.2}, {"delay": 2}, plain.delayed),
    Case("fedbuff", {"eta": 0.2, "gamma": 0.8}, reference=plain.buffered),
    Case("fedasync", {"eta": 0.2, "alpha": 0.6, "decay": 0.5, "rho": 0.3}, reference=plain.asynchronous),
    Case("gradient-tracking", {"eta": 0.2}, {"graph": "star"}, plain.tracking),
    Case("exact-diffusion", {"eta": 0.2}, {"graph": "star"}, plain.diffusion),
    Case("dp-fedavg", {"eta": 0.2, "clip": 0.3, "z": 0.4, "gamma": 0.8}, reference=plain.private),
    Case("proximal-sgd", {"eta": 0.2}, reference=plain.sgd),
    Case("fista", {"eta": 0.2}, reference=plain.nesterov),
    Case("svrg", {"eta": 0.2}, reference=plain.svrg),
    Case("svrg", {"eta": 0.2}, {"output": "average"}, plain.svrg),
    Case("svrg", {"eta": 0.2}, {"output": "last"}, plain.svrg),
    Case("signsgd", {"eta": 0.1}, reference=plain.signs),
    Case("signsgd-majority", {"eta": 0.1}, reference=plain.majority),
]
ELSEWHERE = {"reshuffled-sgd", "extragradient", "q-fedavg", "sgda-projected", "armijo"}
"""What needs samples in an order (tests/engine/test_engine_questions.py), a saddle, or values (below)."""


def test_every_method_that_is_not_listed_has_a_case():
    """And a card that says where its rule is from."""
    assert {case.name for case in CASES} | ELSEWHERE == set(METHODS.further)
    assert all(METHODS[name].card.id == name for name in METHODS.further)
    assert not set(METHODS.further) & set(METHODS)


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("N", [1, 4])
@pytest.mark.parametrize("K", [1, 3])
@pytest.mark.parametrize("per_lane", [False, True], ids=["scalar", "per-lane"])
def test_server_iterates_are_those_of_the_pseudocode(case, N, K, per_lane):
    """Every server iterate agrees to 1e-12 with loops on the same minibatches and coins."""
    record = Record(PlainRidge(N=N, d=3, zeta=0.8 if N > 1 else 0.0, sigma=0.7, noise="signs", omega=1.3))
    arrays = case.lane_numbers(LANES) if per_lane else {n: np.full(LANES, v) for n, v in case.numbers.items()}
    method = case.method(**arrays) if per_lane else case.method()
    run = simulate(record.problem, method, K=K, T=ROUNDS, lanes=LANES, block=LANES)
    found = np.stack([*record.points, run.final])
    for lane in range(LANES):
        numbers = {name: float(values[lane]) for name, values in arrays.items()} | case.options
        g = record.samples(lane, K, key=(N, N, K, ROUNDS, 1, lane))
        extra = {"N": N} if "N" in inspect.signature(case.reference).parameters else {}
        numbers.pop("B", None)
        expected = np.array(case.reference(record.problem.start, g, range(ROUNDS), K, **numbers, **extra))
        scale = np.abs(expected).max()
        np.testing.assert_allclose(found[:, lane], expected, rtol=0, atol=TOLERANCE * scale)
        # SVRG's snapshot is one of the points before the steps: with one step it stays.
        stays = case.name == "svrg" and K == 1 and case.options.get("output") != "last"
        assert stays or np.abs(expected[-1] - expected[0]).max() > 1e-3 * scale


@pytest.mark.parametrize(("N", "S"), [(4, 1), (5, 2)])
def test_exact_feddyn_keeps_what_idle_clients_know(N, S):
    """With S of N clients, by loops over those that were drawn."""
    record = Record(PlainRidge(N=N, d=3, zeta=0.8, sigma=0.0))
    run = simulate(record.problem, METHODS["feddyn-exact"](alpha=6.0), K=1, T=ROUNDS, S=S, lanes=LANES, block=LANES)
    found = np.stack([*record.points, run.final])
    for lane in range(LANES):
        g = record.samples(lane, 1, key=(N, S, 1, ROUNDS, 1, lane))
        chosen = [next(g.active) for _ in range(ROUNDS)]
        expected = np.array(plain.dynamic(record.problem.start, g, chosen, 1, N=N, alpha=6.0))
        np.testing.assert_allclose(found[:, lane], expected, rtol=0, atol=TOLERANCE * np.abs(expected).max())


def test_with_all_clients_feddyn_averages_what_clients_of_admm_find():
    """By matrices: x of the one is mean_i y_i of the other, whose x is mean_i (y_i + u_i)."""
    problem = load_problem("quadratic[sigma=0,spread=0.5,zeta=1]", N=3)
    rho, x, u, one = 0.7, problem.start, np.zeros((3, problem.d)), np.eye(problem.d)
    for _ in range(7):
        asked = [x - u[i] - problem.tilts[i] / rho for i in range(3)]
        y = np.stack([np.linalg.solve(problem.A[i] / rho + one, asked[i]) for i in range(3)])
        x = (y + u).mean(axis=0)
        u = u + y - x
    for name, number, expected in (("admm", "rho", x), ("feddyn-exact", "alpha", y.mean(axis=0))):
        run = simulate(problem, METHODS[name](**{number: rho}), K=1, T=7, lanes=1)
        np.testing.assert_allclose(run.final[0], expected, rtol=1e-10)


class Weighted(PlainRidge):
    """Clients of weights 0.1 to 0.4."""

    def __init__(self, **given):
        super().__init__(**given)
        self.client_weights = np.array([0.1, 0.2, 0.3, 0.4])


@pytest.mark.parametrize("scheme", ["weights", "replacement"])
def test_clients_are_drawn_by_their_weights(scheme):
    """By loops on the same coins; all alike where they are drawn with replacement only."""
    record = Record(Weighted(N=4, d=3, zeta=0.8, sigma=0.7, noise="signs"))
    run = simulate(record.problem, METHODS["fedavg-drawn"](eta=0.2, drawn=2, scheme=scheme), K=2, T=ROUNDS, lanes=LANES)
    found = np.stack([*record.points, run.final])
    for lane in range(LANES):
        g = record.samples(lane, 2, key=(4, 4, 2, ROUNDS, 1, lane))
        given = {"N": 4, "eta": 0.2, "drawn": 2, "scheme": scheme, "weights": [0.1, 0.2, 0.3, 0.4]}
        expected = np.array(plain.drawn(record.problem.start, g, range(ROUNDS), 2, **given))
        np.testing.assert_allclose(found[:, lane], expected, atol=1e-12)


@pytest.mark.parametrize("S", [4, 3])
def test_averages_have_the_weights_of_the_clients(S):
    """FedAvg on f = sum p_i f_i, and N/S p_i times the steps of S active ones, by loops."""
    p = [0.1, 0.2, 0.3, 0.4]
    record = Record(Weighted(N=4, d=3, zeta=0.8, sigma=0.7, noise="signs"))
    run = simulate(record.problem, METHODS["fedavg"](eta=0.2), K=2, T=ROUNDS, S=S, lanes=LANES, block=LANES)
    found = np.stack([*record.points, run.final])
    for lane in range(LANES):
        g = record.samples(lane, 2)
        who = record.active(lane, 2, ROUNDS) if S < 4 else [range(4)] * ROUNDS
        x = record.problem.start
        for r, chosen in enumerate(who):
            total = 0.0
            for i in chosen:
                y = x
                for k in range(2):
                    y = y - 0.2 * g(r, k, i)(y)
                total = total + 4 / S * p[i] * (y - x)
            x = x + total
            np.testing.assert_allclose(found[r + 1, lane], x, atol=1e-12)


def test_normalised_averages_have_weights():
    """FedNova on f = sum p_i f_i with 1 to 4 local steps, written out."""
    p = [0.1, 0.2, 0.3, 0.4]
    problem = Weighted(N=4, d=3, zeta=0.8, sigma=0.0)
    run = simulate(problem, METHODS["fednova"](eta=0.2, fewest=1), K=4, T=5, lanes=1)
    x = problem.start
    for _ in range(5):
        d = []
        for i in range(4):
            y = x
            for _ in range(i + 1):
                y = y - 0.2 * problem.client(i, y)
            d.append((x - y) / (0.2 * (i + 1)))
        steps = sum(p[i] * (i + 1) for i in range(4))
        x = x - 0.2 * steps * sum(p[i] * d[i] for i in range(4))
    np.testing.assert_allclose(run.final[0], x, rtol=1e-12)


def test_a_network_has_no_weights():
    """Its limit is the plain average."""
    problem = Weighted(N=4, d=3, zeta=0.8, sigma=0.0)
    with pytest.raises(NotApplicableError, match="plain average"):
        simulate(problem, METHODS["dsgd"](eta=0.2), K=1, T=1, lanes=1)


@pytest.mark.parametrize("q", [0.0, 1.0, 2.5])
def test_fair_averages_are_those_of_the_paper(q):
    """Of arXiv 1905.10497, Algorithm 2, on parabolas whose values are written out; q = 0 is FedAvg."""
    problem = load_problem("parabolas[m=1,split=2,d=3,start=1.5]", N=4)
    run = simulate(problem, METHODS["q-fedavg"](eta=0.2, q=q), K=3, T=5, S=4, lanes=1)
    x, a, c = problem.start, problem.curvatures[:, 0], problem.centres[:, 0]
    for _ in range(5):
        above, below = 0.0 * x, 0.0
        for i in range(4):
            F, y = float((a[i] * (x - c[i]) ** 2).sum() / 2), x
            for _ in range(3):
                y = y - 0.2 * a[i] * (y - c[i])
            slope = (x - y) / 0.2
            above = above + F**q * slope
            below += q * F ** (q - 1) * slope @ slope + F**q / 0.2
        x = x - above / below
    np.testing.assert_allclose(run.final[0], x, rtol=1e-12)
    if q == 0.0:
        plain_average = simulate(problem, METHODS["fedavg"](eta=0.2), K=3, T=5, lanes=1)
        np.testing.assert_allclose(run.final, plain_average.final, rtol=1e-12)


@pytest.mark.parametrize(("eta", "share"), [(0.1, 0.5), (8.0, 0.5), (8.0, 0.1), (0.9, 0.9)])
def test_a_step_is_halved_until_the_value_falls_enough(eta, share):
    """Armijo's rule in a loop that stops, on parabolas whose values are written out."""
    problem = load_problem("parabolas[m=1,split=2,d=3,start=1.5]", N=4)
    run = simulate(problem, METHODS["armijo"](eta=eta, share=share), K=1, T=6, lanes=1)
    x, a, c = problem.start, problem.curvatures[:, 0], problem.centres[:, 0]
    halvings = 0

    def f(x):
        return sum(float((a[i] * (x - c[i]) ** 2).sum()) / 2 for i in range(4)) / 4

    for _ in range(6):
        slope, s = sum(a[i] * (x - c[i]) for i in range(4)) / 4, eta
        while f(x - s * slope) > f(x) - share * s * slope @ slope:
            s, halvings = s / 2, halvings + 1
        x = x - s * slope
    np.testing.assert_allclose(run.final[0], x, rtol=1e-12)
    assert (halvings > 0) is (eta > 0.1)


def test_an_old_model_counts_less():
    """FedAsync with one arrival a round: loops over clients that keep their model, and the age that they gain."""
    record = Record(PlainRidge(N=4, d=3, zeta=0.8, sigma=0.7, noise="signs"))
    method = METHODS["fedasync"](eta=0.2, alpha=0.6, decay=0.7, rho=0.3)
    run = simulate(record.problem, method, K=2, T=2 * ROUNDS, S=1, lanes=LANES, block=LANES)
    found = np.stack([*record.points, run.final])
    for lane in range(LANES):
        g, active = record.samples(lane, 2), record.active(lane, 2, 2 * ROUNDS)
        numbers = {"eta": 0.2, "alpha": 0.6, "decay": 0.7, "rho": 0.3}
        expected = np.array(plain.asynchronous(record.problem.start, g, active, 2, N=4, **numbers))
        np.testing.assert_allclose(found[:, lane], expected, atol=1e-12)


@pytest.mark.parametrize("S", [1, 3])
def test_buffered_updates_are_as_old_as_their_clients_were_idle(S):
    """FedBuff with S of N = 4 arrivals: loops over clients that keep the model they got last."""
    record = Record(PlainRidge(N=4, d=3, zeta=0.8, sigma=0.7, noise="signs"))
    method = METHODS["fedbuff"](eta=0.2, gamma=0.8)
    run = simulate(record.problem, method, K=2, T=ROUNDS, S=S, lanes=LANES, block=LANES)
    found = np.stack([*record.points, run.final])
    for lane in range(LANES):
        g, active = record.samples(lane, 2), record.active(lane, 2, ROUNDS)
        expected = np.array(plain.buffered(record.problem.start, g, active, 2, N=4, eta=0.2, gamma=0.8))
        np.testing.assert_allclose(found[:, lane], expected, atol=1e-12)
    assert len({tuple(clients) for clients in record.active(0, 2, ROUNDS)}) > 1


def test_extragradient_is_that_of_korpelevich():
    """Two gradients a step, of exact ones: f = log(1 + x^2) + y B x - mu |y|^2/2 by hand, K = 2 steps a round."""
    problem = Saddle(N=2, sigma=0.0)
    run = simulate(problem, METHODS["extragradient"](eta=0.1), K=2, T=4, lanes=1)
    z, signs = problem.start, np.array([1.0, 1.0, 1.0, -1.0, -1.0])
    for _ in range(8):
        trial = z - 0.1 * signs * np.mean([problem.client(i, z) for i in range(2)], axis=0)
        z = z - 0.1 * signs * np.mean([problem.client(i, trial) for i in range(2)], axis=0)
    np.testing.assert_allclose(run.final[0], z, rtol=1e-13)


def test_noise_for_privacy_is_gaussian():
    """Mean, variance and fourth moment of 40 000 draws, and the share beyond two deviations."""
    problem = PlainRidge(N=2, d=4, zeta=0.8, sigma=0.0)
    method = METHODS["dp-fedavg"](eta=0.0, clip=1.0, z=2.0)
    ends = simulate(problem, method, K=1, T=1, lanes=10_000).final - problem.start
    # z clip / S = 1
    noise = ends.ravel()
    assert noise.mean() == pytest.approx(0.0, abs=4 / 200)
    assert noise.var() == pytest.approx(1.0, abs=4 * 2**0.5 / 200)
    assert (noise**4).mean() == pytest.approx(3.0, abs=4 * 96**0.5 / 200)
    assert (np.abs(noise) > 2).mean() == pytest.approx(0.0455, abs=4 * 0.21 / 200)
    assert np.abs(np.corrcoef(ends.T) - np.eye(4)).max() < 0.05


@pytest.mark.parametrize(
    ("name", "numbers"),
    [("page", {"eta": 0.2, "p": 1.0}), ("ef21", {"gamma": 0.2, "k": 9}), ("scaffnew", {"eta": 0.2, "p": 1.0})],
)
def test_without_savings_it_is_gradient_descent(name, numbers):
    """Exact gradients always, nothing compressed; Scaffnew at p = 1 averages every step, its corrections cancelling."""
    calm = PlainRidge(N=4, d=3, zeta=0.8, sigma=0.0)
    found = simulate(calm, METHODS[name](**numbers), K=1, T=5, lanes=1).final
    descent = simulate(calm, METHODS["sgd"](eta=0.2), K=1, T=5, lanes=1).final
    np.testing.assert_allclose(found, descent, rtol=1e-12)


def test_top_k_counts_something():
    """No entry at all is not legal."""
    with pytest.raises(InputError, match="ef21: k"):
        METHODS["ef21"](gamma=0.1, k=0)


@pytest.mark.parametrize(
    ("name", "numbers", "bits"),
    [
        # Ten rounds in four dimensions: a place takes two bits, a number 64; the first message is a round more.
        ("ef21", {"gamma": 0.2, "k": 2}, 11 * 2 * (64 + 2) + 10 * 4 * 64),
        # A vector up and one down in a quarter of the rounds, in expectation.
        ("scaffnew", {"eta": 0.2, "p": 0.25}, 10 * 0.25 * 2 * 4 * 64),
        # Exact gradients with probability 1/4, the change else: a vector up in any case, after the first ones.
        ("page", {"eta": 0.2, "p": 0.25}, 11 * 4 * 64 + 10 * 4 * 64),
        ("adagrad", {"eta": 0.3, "eps": 0.5}, 0),
    ],
)
def test_messages_are_counted_by_what_is_sent(name, numbers, bits):
    """By hand, a client."""
    problem = PlainRidge(N=4, d=4, zeta=0.8, sigma=0.7)
    assert cost(problem, METHODS[name](**numbers), K=1, T=10, S=4).bits == pytest.approx(bits)


def test_ascent_stays_in_its_box():
    """Descent and ascent at the same pair, y clipped, by hand on y sin x; K = 2 steps a round."""
    problem = load_problem("sine-saddle[start=1.2,reach=0.5]", N=2)
    run = simulate(problem, METHODS["sgda-projected"](eta_x=0.1, eta_y=0.8, reach=0.5), K=2, T=6, lanes=1)
    x, y = 1.2, 0.0
    for _ in range(12):
        x, y = x - 0.1 * y * np.cos(x), min(max(y + 0.8 * np.sin(x), -0.5), 0.5)
    np.testing.assert_allclose(run.final[0], [x, y], rtol=1e-13)
    assert y == 0.5
