from __future__ import annotations

import numpy as np
import pytest
from problem_cases import Words, points

from boundcheck.engine import simulate
from boundcheck.errors import InputError
from boundcheck.methods import METHODS
from boundcheck.problems import load_problem
from boundcheck.problems.data.bundled import load_bundled
from boundcheck.problems.data.mlp import Perceptron


def loss(problem, x, rows, labels):
    """Cross-entropy of one row, layer by layer."""
    value = rows
    for layer in problem.layers:
        W = x[layer.weights].reshape(layer.outputs, layer.inputs)
        value = W @ value + x[layer.biases]
        value = value if layer is problem.layers[-1] else np.tanh(value)
    return np.log(np.exp(value).sum()) - value @ labels


@pytest.mark.parametrize("depth", [1, 2])
def test_value_row_by_row(depth):
    """The value is the clients' plain average of mean cross-entropies, computed row by row."""
    problem = Perceptron(N=3, depth=depth, width=3, concentration=0.3)
    x = points(1, 1, problem.d)
    means = []
    for rows, labels, size in zip(problem.rows, problem.labels, problem.sizes, strict=True):
        losses = [loss(problem, x[0, 0], rows[n], labels[n]) for n in range(size)]
        means.append(np.mean(losses))
    assert problem.value(x)[0] == pytest.approx(np.mean(means), rel=1e-12)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_backpropagation_agrees_with_difference_quotients(depth):
    """Each client's gradient agrees with central differences of its mean loss, layer by layer, to 1e-8."""
    problem = Perceptron(N=2, depth=depth, width=3, split="skew", skew=1.0)
    x, h = 0.7 * points(1, 1, problem.d)[0, 0], 1e-5
    g = problem.exact_gradient(np.broadcast_to(x, (1, 2, problem.d)))[0]

    def mean(client, at):
        pairs = zip(problem.rows[client], problem.labels[client], strict=True)
        return np.mean([loss(problem, at, row, label) for row, label in pairs])

    for c in range(0, problem.d, 5):
        e = h * np.eye(problem.d)[c]
        for client in range(2):
            quotient = (mean(client, x + e) - mean(client, x - e)) / (2 * h)
            assert g[client, c] == pytest.approx(quotient, abs=1e-8)


def test_layers_cover_the_parameters_once():
    """The slices tile the vector: 13*4 + 4 and 4*3 + 3 for wine, 71 in all."""
    problem = load_problem("mlp-wine", N=2)
    pieces = [piece for layer in problem.layers for piece in (layer.weights, layer.biases)]
    assert [piece.stop - piece.start for piece in pieces] == [52, 4, 12, 3]
    assert [piece.start for piece in pieces] == [0, 52, 56, 68]
    assert problem.d == 71


def test_the_representation_is_the_last_hidden_layer():
    """It is tanh(W a + b) for every row, and only of the clients asked for."""
    problem = load_problem("mlp-wine", N=4)
    x = points(2, 2, problem.d)
    chosen = np.array([[1, 3], [0, 2]])
    found = problem.representation(x, chosen)
    layer = problem.layers[0]
    for lane, k in ((0, 1), (1, 0)):
        W = x[lane, k, layer.weights].reshape(4, 13)
        expected = np.tanh(problem.rows[chosen[lane, k]] @ W.T + x[lane, k, layer.biases])
        np.testing.assert_allclose(found[lane, k], expected, rtol=1e-12, atol=1e-14)
    assert problem.representation(points(2, 4, problem.d)).shape[:2] == (2, 4)


def test_a_token_follows_the_active_clients():
    """A minibatch gradient is the mean of the enumerated row gradients of the clients named."""
    problem = Perceptron(N=4, concentration=0.1)
    chosen = np.array([[1, 3], [0, 2]])
    token = problem.sample(Words(range(2)), chosen, 3)
    x = points(2, 2, problem.d)
    g = problem.gradient(x, chosen, token)
    for lane in range(2):
        for k in range(2):
            rows = problem.outcomes(x[lane, k], int(chosen[lane, k]))[token.row[lane, k]]
            np.testing.assert_allclose(g[lane, k], rows.mean(axis=0), rtol=1e-10, atol=1e-12)


def test_gradient_descent_classifies_the_wine():
    """300 exact steps of size 1 classify more than 95 % of the rows; only G_0 is a constant."""
    problem = Perceptron(N=2, split="skew")
    x = problem.start[None, None, :]
    for _ in range(300):
        x = x - problem.mean_gradient(x)
    assert problem.accuracy(x)[0] > 0.95
    assert set(problem.constants) == {"G_0"}


@pytest.mark.parametrize("name", ["mlp-digits", "softmax-digits"])
def test_accuracy_is_that_of_rows_that_no_client_has(name):
    """Rows 4, 9, 14, ... are held out; classes by a loop over them, layer by layer."""
    problem = load_problem(name, N=4)
    data = load_bundled("digits" if name == "mlp-digits" else "digits-pooled")
    held = set(range(4, len(data.classes), 5))
    clients = {row.tobytes() for rows, n in zip(problem.rows, problem.sizes, strict=True) for row in rows[:n]}
    own = {data.features[n].tobytes() for n in range(len(data.classes)) if n not in held}
    assert clients <= own
    x, right = points(2, 1, problem.d), []
    for lane in x[:, 0]:
        scores = [_scores(problem, lane, data.features[n]) for n in sorted(held)]
        right.append(np.mean([np.argmax(s) == data.classes[n] for s, n in zip(scores, sorted(held), strict=True)]))
    np.testing.assert_allclose(problem.accuracy(x), right, rtol=1e-12)
    assert load_problem(name, N=4, holdout=0).accuracy(x).shape == (2,)


def _scores(problem, x, row):
    """Return the logits of one row."""
    for layer in problem.layers:
        row = x[layer.weights].reshape(layer.outputs, layer.inputs) @ row + x[layer.biases]
        row = row if layer is problem.layers[-1] else np.tanh(row)
    return row


def test_training_on_skewed_digits_generalises():
    """FedAvg on two shards a client passes 80 % of the held-out digits, guessing being 10 %."""
    problem = load_problem("softmax-digits", N=10)
    run = simulate(problem, METHODS["fedavg"](eta=0.1), K=5, T=60, b=10, lanes=2)
    start = problem.accuracy(problem.start[None, None])
    assert start[0] < 0.2
    assert problem.accuracy(run.final[:, None]).min() > 0.8


def test_large_weights_do_not_overflow():
    """At |x| = 1e4 values and gradients are finite (a warning would fail the test)."""
    problem = load_problem("mlp-wine", N=2)
    x = np.full((1, 2, problem.d), 1e4) * np.cos(np.arange(problem.d))
    assert np.isfinite(problem.exact_gradient(x)).all()
    assert np.isfinite(problem.value(x[:, :1])).all()


def test_bad_parameters_are_named():
    """A data set without classes and an empty layer are refused by name."""
    with pytest.raises(InputError, match="mlp: data = 'diabetes' is not legal"):
        Perceptron(N=2, data="diabetes")
    with pytest.raises(InputError, match="mlp: holdout = 1 is not legal: 0, or at least 2"):
        Perceptron(N=2, holdout=1)
    with pytest.raises(InputError, match="mlp: width = 0 is not legal"):
        Perceptron(N=2, width=0)
