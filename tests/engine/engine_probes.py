"""Problems and methods with nothing to them, so that what the engine does can be written down by hand."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boundcheck.methods.base import Card, Method, ServerState
from boundcheck.problems.base import Problem
from boundcheck.problems.constants import exact
from boundcheck.problems.noise.models import make_noise


class Bowls(Problem):
    """f_i(x) = (x - b_i)' A_i (x - b_i) / 2 with full client matrices."""

    family = "bowls"

    def __init__(self, N=3, d=2, sigma=0.0, kind="signs"):
        rng = np.random.default_rng(5)
        roots = rng.normal(size=(N, d, d))
        self.A = 0.3 * roots @ roots.transpose(0, 2, 1) + 0.2 * np.eye(d)
        self.b = rng.normal(size=(N, d))
        super().__init__(N=N, d=d, start=np.linspace(1.0, 2.0, d), noise=make_noise(kind, sigma, d))

    def exact_gradient(self, x, clients=None):
        """Return A_i (x - b_i)."""
        A, b = (self.A, self.b) if clients is None else (self.A[clients], self.b[clients])
        return (A @ (x - b)[..., None])[..., 0]

    def value(self, x):
        """Return f."""
        z = x - self.b
        return 0.5 * np.einsum("lic,icd,lid->li", z, self.A, z).mean(axis=1)

    def certified_constants(self):
        """Return f_star from the normal equations."""
        lowest = np.linalg.solve(self.A.mean(axis=0), np.einsum("icd,id->c", self.A, self.b) / self.N)
        return {"f_star": exact(float(self.value(lowest[None, None])[0]), "normal equations")}


class Pair(Problem):
    """F(x, y) = |x|^2 / 2 + (x_1 + x_2) y - y^2, so Phi(x) = |x|^2 / 2 + (x_1 + x_2)^2 / 4."""

    family = "pair"
    blocks = (2, 1)

    def __init__(self, N=2, sigma=0.0):
        super().__init__(N=N, d=3, start=np.array([1.0, -0.5, 0.3]), noise=make_noise("signs", sigma, 3))

    def exact_gradient(self, x, clients=None):
        """Return the gradient in x, then in y."""
        return np.concatenate([x[..., :2] + x[..., 2:], x[..., :2].sum(axis=-1, keepdims=True) - 2 * x[..., 2:]], -1)

    def value(self, x):
        """Return F."""
        a, y = x[:, 0, :2], x[:, 0, 2]
        return 0.5 * (a * a).sum(axis=1) + a.sum(axis=1) * y - y * y

    def envelope_gradient(self, x):
        """Return x + (x_1 + x_2) / 2."""
        return x[..., :2] + 0.5 * x[..., :2].sum(axis=-1, keepdims=True)

    def certified_constants(self):
        """Return nothing."""
        return {}


def card(kind, name="scripted"):
    """Return a card of a method that exists in tests only."""
    return Card(
        id=name,
        title=name,
        paper="none",
        where="tests",
        kind=kind,
        gradients="K",
        up="1",
        down="1",
        partial=kind == "minimise",
    )


@dataclass(frozen=True)
class Scripted(Method):
    """Visits points that do not depend on gradients: row i of step k is x + (k + 1) * shift * (i + 1)."""

    shift: float = 0.1

    card: ClassVar[Card] = card("minimise")

    def init(self, oracle, x0):
        """Start at x0."""
        return ServerState(x0)

    def round(self, oracle, state):
        """Visit K scripted points with weight k + 1, then shrink x by a tenth."""
        rows = np.arange(1.0, oracle.S + 1)[None, :, None]
        for k in range(oracle.K):
            oracle.observe(oracle.to_clients(state.x) + (k + 1) * self.shift * rows, weight=k + 1.0)
        return ServerState(0.9 * state.x)


@dataclass(frozen=True)
class ScriptedPair(Scripted):
    """The same for minimax problems."""

    card: ClassVar[Card] = card("minimax")
