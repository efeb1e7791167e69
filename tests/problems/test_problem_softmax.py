"""Softmax regression: formulas by hand, and its constants from the data matrix."""

from __future__ import annotations

import numpy as np
import pytest

from boundcheck.errors import InputError
from boundcheck.problems.data.softmax import Softmax


@pytest.fixture(scope="module")
def problem():
    """Return three clients with unequal label shares."""
    return Softmax(N=3, data="wine", concentration=0.3)


def rows_of(problem, i):
    """Return the rows of a client with a column of ones, and their classes."""
    m = problem.sizes[i]
    return np.concatenate([problem.rows[i, :m], np.ones((m, 1))], axis=1), problem.labels[i, :m].argmax(axis=1)


def parts(problem, x):
    """Return (W, c) side by side, shape (classes, columns + 1)."""
    columns = problem.rows.shape[2]
    return np.concatenate([x[: 3 * columns].reshape(3, columns), x[3 * columns :, None]], axis=1)


def test_value_and_gradients_row_by_row(problem):
    """The objective is the mean of -log p_y over rows and clients, and row gradients are (p - e_y) z^T."""
    x = np.random.default_rng(0).standard_normal(problem.d)
    W, losses = parts(problem, x), []
    for i in range(3):
        z, labels = rows_of(problem, i)
        p = np.exp(z @ W.T)
        p /= p.sum(axis=1, keepdims=True)
        losses.append(-np.log(p[np.arange(len(z)), labels]).mean())
        each = (p - np.eye(3)[labels])[:, :, None] * z[:, None, :]
        flat = np.concatenate([each[..., :-1].reshape(len(z), -1), each[..., -1]], axis=1)
        np.testing.assert_allclose(problem.outcomes(x, i), flat, atol=1e-12)
        np.testing.assert_allclose(problem.exact_gradient(np.tile(x, (1, 3, 1)))[0, i], flat.mean(axis=0), atol=1e-12)
    assert problem.value(x[None, None])[0] == pytest.approx(np.mean(losses))


def test_smoothness_is_that_of_the_hessians(problem):
    """No Hessian (diag(p) - p p^T) kron z z^T at random points exceeds L, L_rms or L_sample; even pairs reach them."""
    rng = np.random.default_rng(1)
    found = {"L": 0.0, "L_rms": 0.0, "L_sample": 0.0}
    points = [problem.constants["L"].at, *(rng.standard_normal((20, problem.d)) * 3)]
    for x, i in [(x, i) for x in points for i in range(3)]:
        z, _ = rows_of(problem, i)
        p = np.exp(z @ parts(problem, x).T - 60)
        p /= p.sum(axis=1, keepdims=True)
        core = np.stack([np.diag(q) - np.outer(q, q) for q in p])
        hessians = np.einsum("nab,nc,nd->nacbd", core, z, z).reshape(len(z), 3 * z.shape[1], -1)
        square = np.einsum("nab,nbc->ac", hessians, hessians) / len(z)
        found["L"] = max(found["L"], np.linalg.norm(hessians.mean(axis=0), 2))
        found["L_rms"] = max(found["L_rms"], np.sqrt(np.linalg.norm(square, 2)))
        found["L_sample"] = max(found["L_sample"], *np.linalg.norm(hessians, 2, axis=(1, 2)))
    for letter, value in found.items():
        assert value == pytest.approx(problem.constant(letter))


def test_two_classes_are_logistic_regression():
    """With two classes the loss is log(1 + exp(-margin)) of the difference of the two rows of weights."""
    problem = Softmax(N=2, data="cancer", split="skew")
    x = 0.1 * np.random.default_rng(2).standard_normal(problem.d)
    columns = problem.rows.shape[2]
    apart = x[:columns] - x[columns : 2 * columns]
    sides = np.where(problem.labels[..., 0] > 0, 1.0, -1.0)
    margins = sides * (problem.rows @ apart + x[-2] - x[-1])
    assert problem.value(x[None, None])[0] == pytest.approx(np.log1p(np.exp(-margins)).mean())


def test_data_without_classes_is_refused():
    """Diabetes has a number for a target."""
    with pytest.raises(InputError, match="softmax: data = 'diabetes' is not legal: a data set with classes"):
        Softmax(N=2, data="diabetes")
