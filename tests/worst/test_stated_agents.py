"""Decentralised worst cases against runs on explicit agents, written out in plain numpy."""

from pathlib import Path

import numpy as np
import pytest

from boundcheck.worst.stated import read_file

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "worst"
L, MU, LAM = 1.0, 0.1, 0.5


def runs(name, W, gradient, x, n):
    """Return the agents' points after n rounds."""
    step = {"gradient-tracking": 0.3}.get(name, 0.5)
    if name == "decentralised-gradient-descent":
        for _ in range(n):
            x = W @ x - step * gradient(x)
    elif name == "gradient-tracking":
        s = gradient(x)
        for _ in range(n):
            new = W @ x - step * s
            s = W @ s + gradient(new) - gradient(x)
            x = new
    elif name == "extra":
        last, x = x, W @ x - step * gradient(x)
        for _ in range(n - 1):
            x, last = x + W @ x - (last + W @ last) / 2 - step * (gradient(x) - gradient(last)), x
    else:
        before = x
        for _ in range(n):
            after = x - step * gradient(x)
            moved = after + x - before
            x, before = (moved + W @ moved) / 2, after
    return x


def agents(generator, N):
    """Return a mixing matrix with eigenvalues in [-LAM, LAM], and quadratics (A, c) with |mean grad f(x_star)| = 0."""
    basis = np.linalg.qr(np.column_stack([np.ones(N), generator.normal(size=(N, N - 1))]))[0][:, 1:]
    eigenvalues = generator.choice([-LAM, LAM, generator.uniform(-LAM, LAM)], size=N - 1)
    W = np.ones((N, N)) / N + basis @ np.diag(eigenvalues) @ basis.T
    curvatures = generator.choice([MU, L, generator.uniform(MU, L)], size=N)
    tilts = generator.normal(size=N)
    tilts -= tilts.mean()
    return W, curvatures, tilts / max(np.sqrt((tilts**2).mean()), 1e-12)


@pytest.mark.parametrize(
    ("name", "n", "of_agents"),
    [
        ("decentralised-gradient-descent", 2, True),
        ("gradient-tracking", 2, False),
        ("extra", 3, False),
        ("exact-diffusion", 2, False),
    ],
)
def test_no_run_of_explicit_agents_is_above(name, n, of_agents):
    """Quadratics in one dimension, any N: none is above, and one comes to within a fifth."""
    upper = read_file(EXAMPLES / f"{name}.worst").worst().upper
    generator = np.random.default_rng(11)
    best = 0.0
    for _ in range(4000):
        N = int(generator.integers(2, 5))
        W, curvatures, tilts = agents(generator, N)
        share = generator.choice([1.0, generator.uniform()])
        x = generator.normal(size=N) if of_agents else np.full(N, generator.choice([-1.0, 1.0]))
        x /= np.sqrt((x**2).mean())
        end = runs(name, W, lambda y: curvatures * y + share * tilts, x, n)  # noqa: B023
        best = max(best, float((end**2).mean()))
    assert best <= upper * (1 + 1e-9)
    assert best >= 0.8 * upper
