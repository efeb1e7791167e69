"""Small problems written twice: vectorised for the engine, and as a plain formula of one client at one point."""

import numpy as np

from boundcheck.problems.base import Problem
from boundcheck.problems.constants import exact
from boundcheck.problems.noise.models import make_noise
from boundcheck.problems.synthetic.ridge import Ridge


class PlainRidge(Ridge):
    """Ridge with the gradient of one client written out."""

    def client(self, i, x):
        """Return grad f_i(x) of one client at one point, from the formula of the family."""
        return self.weight * 2 * x / (1 + x**2) ** 2 + self.tilts[i] - self.lam * np.sin(x + self.angles[i])


class Shifted(Problem):
    """f_i(x) = 1/2 sum_c log(1 + (x_c - p_i)^2): the clients of FedLALR's worked example."""

    family = "shifted"

    def __init__(self, shifts=(1.0, -1.0), start=2.0, d=1):
        self.shifts = np.asarray(shifts)
        super().__init__(N=len(shifts), d=d, start=np.full(d, start), noise=make_noise("none", 0.0, d))

    def exact_gradient(self, x, clients=None):
        """Return z / (1 + z^2), z = x - p_i."""
        shifts = self.shifts if clients is None else self.shifts[clients]
        z = x - shifts[..., None]
        return z / (1 + z * z)

    def client(self, i, x):
        """Return the same for one client."""
        return (x - self.shifts[i]) / (1 + (x - self.shifts[i]) ** 2)

    def value(self, x):
        """Return f."""
        return 0.5 * np.log1p((x - self.shifts[:, None]) ** 2).sum(axis=-1).mean(axis=1)

    def certified_constants(self):
        """Return nothing: no bound is evaluated on it."""
        return {}


class Quadratics(Problem):
    """f_i(x) = (x - b_i)' diag(h_i) (x - b_i) / 2 with client-dependent curvature."""

    family = "local-quadratics"

    def __init__(self, N=3, d=2, sigma=0.0, kind="signs", spread=1.0):
        i, c = np.arange(N)[:, None], np.arange(d)[None, :]
        self.h = 1.0 + 0.5 * np.cos(1.0 + 2.0 * i + c) * spread
        self.b = np.sin(0.7 + 3.0 * i + 2.0 * c) * spread
        super().__init__(N=N, d=d, start=np.linspace(1.0, 2.0, d), noise=make_noise(kind, sigma, d))

    @property
    def minimiser(self):
        """Return argmin f, from the normal equations."""
        return (self.h * self.b).mean(axis=0) / self.h.mean(axis=0)

    def exact_gradient(self, x, clients=None):
        """Return h_i (x - b_i)."""
        h, b = (self.h, self.b) if clients is None else (self.h[clients], self.b[clients])
        return h * (x - b)

    def client(self, i, x):
        """Return the same for one client."""
        return self.h[i] * (x - self.b[i])

    def value(self, x):
        """Return f."""
        z = x - self.b
        return 0.5 * (self.h * z * z).sum(axis=-1).mean(axis=1)

    def certified_constants(self):
        """Return f_star, the minimum of the average."""
        return {"f_star": exact(float(self.value(self.minimiser[None, None, :])[0]), "normal equations")}


class Saddle(Problem):
    """F_i = sum_c log(1 + x_c^2) + a_i.x + e_i.y + y.(B x) - mu |y|^2 / 2 with tilts a_i, e_i of mean zero."""

    family = "local-saddle"
    blocks = (3, 2)

    def __init__(self, N=3, sigma=0.0, kind="phases", tilt=0.5, mu=1.5):
        self.B = np.array([[0.5, -0.2, 0.1], [0.3, 0.4, -0.6]])
        self.mu = mu
        rows = np.cos(1.0 + 2.0 * np.arange(N)[:, None] + np.arange(5)[None, :]) * tilt
        self.tilts = rows - rows.mean(axis=0)
        super().__init__(N=N, d=5, start=np.linspace(-1.0, 1.2, 5), noise=make_noise(kind, sigma, 5))

    def exact_gradient(self, x, clients=None):
        """Return both blocks."""
        a, w = x[..., :3], x[..., 3:]
        first = 2 * a / (1 + a * a) + w @ self.B
        second = a @ self.B.T - self.mu * w
        return np.concatenate([first, second], axis=-1) + (self.tilts if clients is None else self.tilts[clients])

    def client(self, i, x):
        """Return the same for one client, coordinate by coordinate."""
        a, w = x[:3], x[3:]
        first = [2 * a[c] / (1 + a[c] ** 2) + sum(self.B[j, c] * w[j] for j in range(2)) for c in range(3)]
        second = [sum(self.B[j, c] * a[c] for c in range(3)) - self.mu * w[j] for j in range(2)]
        return np.array(first + second) + self.tilts[i]

    def value(self, x):
        """Return F."""
        a, w = x[:, 0, :3], x[:, 0, 3:]
        coupling = (w * (a @ self.B.T)).sum(axis=1)
        return np.log1p(a * a).sum(axis=1) + coupling - 0.5 * self.mu * (w * w).sum(axis=1)

    def envelope_gradient(self, x):
        """Return grad Phi: the maximiser is B x / mu."""
        a = x[..., :3]
        return 2 * a / (1 + a * a) + a @ self.B.T @ self.B / self.mu

    def certified_constants(self):
        """Return nothing: no bound is evaluated on it."""
        return {}
