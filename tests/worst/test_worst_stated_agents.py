"""Decentralised worst cases against runs on explicit agents, written out in plain numpy."""

from pathlib import Path

import numpy as np
import pytest

from boundcheck.errors import NotApplicableError
from boundcheck.evidence.search.extremes import measured_on
from boundcheck.methods import METHODS
from boundcheck.methods.field.graphs import mixing
from boundcheck.worst import worst
from boundcheck.worst.stated import read_file, read_text

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


def test_mixing_that_is_alike_for_all_pairs_is_exact():
    """Decentralised SGD on (1 - P) I + P (the mean): the engine attains what is proved."""
    method = METHODS["dsgd"](eta=0.5, graph="mix-0.5")
    found = worst(method, K=1, T=4, N=2, zeta=1.0)
    assert found.verdict == "exact"
    assert measured_on(found.problem, method, K=1, T=4, measure="average") == pytest.approx(found.lower, rel=1e-8)
    other = worst(METHODS["dsgd"](eta=0.5, graph="mix-1.0"), K=1, T=4, N=2, zeta=1.0)
    assert other.upper < found.upper * (1 - 1e-4)


RING = """
f = function(L=1, mu=1/10, of_agents=True)
x_star = minimiser(f)
x = run(f, "dsgd", K=1, T=3, N={N}, eta=1/2, graph="{graph}")
assume(|x[0] - x_star|^2 <= 1, |grad(f, x_star)|^2 <= 1)
maximise(|x[3] - x_star|^2)
"""


def test_a_ring_is_known_by_its_spectrum():
    """Runs on a ring of 6 agents are below, the complete graph's worst case too; `worst` alone refuses rings."""
    upper = read_text(RING.format(N=6, graph="ring")).worst()
    assert upper.verdict == "proved"
    assert not upper.is_attained
    complete = read_text(RING.format(N=6, graph="complete")).worst()
    assert complete.upper <= upper.upper * (1 + 1e-9)
    generator, W = np.random.default_rng(5), mixing("ring", 6)
    best = 0.0
    for _ in range(2000):
        _, curvatures, tilts = agents(generator, 6)
        x = runs("decentralised-gradient-descent", W, lambda y: curvatures * y + tilts, np.full(6, 1.0), 3)  # noqa: B023
        best = max(best, float(x.mean() ** 2))
    assert 0.5 * upper.upper <= best <= upper.upper
    with pytest.raises(NotApplicableError, match="weigh each other differently"):
        worst(METHODS["dsgd"](eta=0.5, graph="ring"), K=1, T=3, N=6, zeta=1.0)
