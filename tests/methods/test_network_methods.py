"""MOON and FedMLB: the gradients of their losses, the methods they reduce to, and what they refuse."""

import numpy as np
import pytest
import straightline_network as plain
from method_harness import Record, drive, last
from method_problems import PlainRidge

from boundcheck.engine import simulate
from boundcheck.errors import NotApplicableError
from boundcheck.methods.fedavg import FedAvg
from boundcheck.methods.network import MOON, MOONM, FedMLB, FedMLBM, contrast_slope, divergence_slopes
from boundcheck.methods.server_momentum import FedAvgServerM
from boundcheck.problems.data.mlp import Perceptron

EVERY = [
    MOON(eta=0.3, mu=1.0),
    MOONM(eta=0.3, mu=1.0, beta=0.5),
    FedMLB(eta=0.3),
    FedMLBM(eta=0.3, beta=0.5),
]


def network(N=4, depth=2):
    return Perceptron(N=N, width=3, depth=depth, concentration=0.3)


def outputs(*shape):
    return np.cos(1.0 + 1.7 * np.arange(np.prod(shape))).reshape(shape)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_composite_gradient_agrees_with_difference_quotients(depth):
    """The gradient of loss plus slopes in every level agrees with central differences to 1e-8."""
    problem, h = network(N=2, depth=depth), 1e-5
    x = (problem.start + 0.3 * np.sin(np.arange(problem.d)))[None, None, :].repeat(2, axis=1)
    values = problem.outputs(x)
    slopes = {level: outputs(*values[level].shape) for level in range(problem.levels)}
    found = problem.composite_gradient(x, None, None, 0.7, slopes)[0]

    def total(at):
        """Return the composite loss of both clients, with the loss from the log-softmax of the logits."""
        out = problem.outputs(at)
        loss = np.log(np.exp(out[-1]).sum(axis=-1)) - (out[-1] * problem.labels).sum(axis=-1)
        linear = sum((slopes[level] * out[level]).sum(axis=-1) for level in slopes)
        return ((0.7 * loss + linear) * problem.weights).sum(axis=-1)[0]

    for c in range(0, problem.d, 4):
        e = h * np.eye(problem.d)[c]
        np.testing.assert_allclose(found[:, c], (total(x + e) - total(x - e)) / (2 * h), rtol=0, atol=1e-8)


def test_slopes_of_the_losses_agree_with_difference_quotients():
    """Contrast and divergence have the slopes of their definitions, coordinate by coordinate, to 1e-8."""
    a, b, c = outputs(3, 4)
    h, tau = 1e-5, 0.6

    def cos(u, w):
        return u @ w / np.sqrt((u @ u) * (w @ w))

    def contrast(r):
        p, q = np.exp(cos(r, b) / tau), np.exp(cos(r, c) / tau)
        return -np.log(p / (p + q))

    def divergence(u, w):
        p, q = (np.exp(z / tau) / np.exp(z / tau).sum() for z in (u, w))
        return (p * np.log(p / q)).sum()

    first, second = divergence_slopes(np, a, b, tau)
    for n, e in enumerate(h * np.eye(4)):
        assert contrast_slope(np, a, b, c, tau)[n] == pytest.approx(
            (contrast(a + e) - contrast(a - e)) / (2 * h), abs=1e-8
        )
        assert first[n] == pytest.approx((divergence(a + e, b) - divergence(a - e, b)) / (2 * h), abs=1e-8)
        assert second[n] == pytest.approx((divergence(a, b + e) - divergence(a, b - e)) / (2 * h), abs=1e-8)


def test_contrast_of_equal_models_and_its_scale():
    """The contrast has no slope where both references agree, and along r itself: it does not see the length of r."""
    a, b, c = outputs(3, 2, 5)
    np.testing.assert_array_equal(contrast_slope(np, a, b, b, 0.5), 0.0)
    slope = contrast_slope(np, a, b, c, 0.5)
    np.testing.assert_allclose((slope * a).sum(axis=-1), 0.0, rtol=0, atol=1e-15)
    np.testing.assert_allclose(contrast_slope(np, 3.0 * a, b, c, 0.5), slope / 3.0, rtol=1e-13)


def test_levels_depend_on_the_parameters_beneath_them():
    """Outputs of a level move with the parameters that `upstream_mask` marks, and with no others."""
    problem = network(N=1)
    x = problem.start[None, None, :]
    for level in range(problem.levels):
        mask = problem.upstream_mask(level)
        above, below = (problem.outputs(x + 0.1 * m) for m in (1.0 - mask, mask))
        np.testing.assert_array_equal(above[level], problem.outputs(x)[level])
        assert (below[level] != problem.outputs(x)[level]).any()


@pytest.mark.parametrize(
    ("method", "simpler"),
    [
        (MOON(eta=0.3, mu=0.0), FedAvg(eta=0.3)),
        (FedMLB(eta=0.3, lam2=0.0, lam3=0.0), FedAvg(eta=0.3)),
        (MOONM(eta=0.3, mu=0.0, beta=0.6, gamma=0.8), FedAvgServerM(eta=0.3, beta=0.6, gamma=0.8)),
        (FedMLBM(eta=0.3, lam2=0.0, lam3=0.0, beta=0.6, gamma=0.8), FedAvgServerM(eta=0.3, beta=0.6, gamma=0.8)),
        (MOONM(eta=0.3, mu=2.0, beta=0.0), MOON(eta=0.3, mu=2.0)),
        (FedMLBM(eta=0.3, lam2=0.7, beta=0.0), FedMLB(eta=0.3, lam2=0.7)),
    ],
    ids=["moon", "fedmlb", "moonm", "fedmlbm", "moonm-at-rest", "fedmlbm-at-rest"],
)
def test_without_its_extra_term_a_method_is_the_simpler_one(method, simpler):
    """With weight 0 on what it adds, a method has the iterates of the simpler method to 1e-12, with S < N too."""
    setting = {"K": 3, "rounds": 4, "S": 2}
    np.testing.assert_allclose(last(network(), method, **setting), last(network(), simpler, **setting), atol=1e-12)


def test_the_first_participation_has_no_contrast():
    """MOON's first round is FedAvg's, and its second is not."""
    found, plain_path = (last(network(), m, K=3, rounds=2) for m in (MOON(eta=0.3, mu=5.0), FedAvg(eta=0.3)))
    np.testing.assert_allclose(found[1], plain_path[1], rtol=0, atol=1e-12)
    assert np.abs(found[2] - plain_path[2]).max() > 1e-3


def test_one_step_of_fedmlb_weighs_the_layers():
    """At y = x the divergence has no slope and layer j = 1..M has weight lam1 + lam2 (M-j+1) / M, the last one lam1."""
    problem, lam1, lam2 = network(depth=3), 0.9, 0.6
    step = FedMLB(eta=0.3, lam1=lam1, lam2=lam2, lam3=2.0)
    mixed, fedavg = (last(problem, m, K=1, rounds=1) for m in (step, FedAvg(eta=0.3)))
    weights = np.concatenate(
        [
            np.full(layer.biases.stop - layer.weights.start, lam1 + lam2 * (3 - j) / 3)
            for j, layer in enumerate(problem.layers)
        ]
    )
    np.testing.assert_allclose(mixed[1] - mixed[0], weights * (fedavg[1] - fedavg[0]), rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("method", "reference", "numbers"),
    [
        (MOON, plain.moon, {"eta": 0.3, "mu": 1.5, "tau": 0.6}),
        (FedMLB, plain.fedmlb, {"eta": 0.3, "lam1": 0.9, "lam2": 0.7, "lam3": 1.2, "tau": 0.8}),
    ],
)
def test_deeper_networks_agree_with_the_straight_line(method, reference, numbers):
    """With two hidden layers and S < N the end of a run is that of loops over clients, steps, rows and branches."""
    problem = network()
    record = Record(problem)
    run = simulate(problem, method(**numbers), K=2, T=3, S=2, b=2, lanes=1)
    path = reference(problem.start, record.samples(0, 2), record.active(0, 2, 3), 2, **numbers)
    np.testing.assert_allclose(run.final[0], path[-1], rtol=0, atol=1e-12)


def test_gradients_count_one_a_branch():
    """FedMLB on a network with M = 3 hidden layers costs (M+1) K gradients a client and round, MOON K."""
    for method, each in ((FedMLB(eta=0.1), 4), (MOON(eta=0.1, mu=1.0), 1)):
        assert simulate(network(depth=3), method, K=2, T=5, S=3, lanes=1).gradients == each * 2 * 3 * 5


def test_own_models_are_those_of_the_clients_that_took_part():
    """After a round the active clients hold the end of their local steps, the others what they held."""
    for before, after in drive(network(), MOON(eta=0.3, mu=1.0), K=2, rounds=3, S=2):
        moved = (after.own != before.own).any(axis=-1)
        assert (moved.sum(axis=1) == 2).all()
        np.testing.assert_array_equal(after.seen[..., 0], np.maximum(before.seen[..., 0], moved))


@pytest.mark.parametrize("method", EVERY, ids=lambda m: m.card.id)
def test_a_problem_without_layers_is_refused(method):
    """A problem that is no network is refused with a message that names the method, the need and the problem."""
    with pytest.raises(NotApplicableError, match=rf"{method.card.id} needs a problem with layers.*ridge has none"):
        simulate(PlainRidge(N=3, d=2), method, K=1, T=1)
    with pytest.raises(NotApplicableError, match="no network"):
        last(PlainRidge(N=3, d=2), method, K=1, rounds=1)
