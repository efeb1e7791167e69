"""Functions of one's own in their three forms, and formulas: what a script of a counterexample has to spell."""

import numpy as np
import sympy as sp

from boundcheck.problems.own import from_functions, from_sympy

SHIFT = np.array([0.5, -0.25])


def bend(z):
    return z / np.sqrt(1 + z * z)


def client_by_point(N, steep, sigma=0.0):
    """Return functions of a point: closures over `steep`, a global array, and a function of the file."""

    def gradient(client, x):
        return steep * bend(x) + SHIFT * (-1) ** client

    def value(client, x):
        return float(steep * (np.sqrt(1 + x * x) - 1).sum() + (SHIFT @ x) * (-1) ** client)

    return from_functions(value, gradient, N=N, d=2, start=[2.0, -1.0], sigma=sigma, constants=_constants(steep))


def clients_by_lambdas(N, steep, sigma=0.0):
    """Return two lambdas of a line, of a client at several points."""
    f, g = lambda i, x: steep * (x * x).sum(-1) / 2 + x[:, 0] * i, lambda i, x: steep * x + np.array([1.0, 0.0]) * i
    given = {**_constants(steep), "f_star": -1.0 / steep * (N - 1) ** 2}
    return from_functions(f, g, N=N, d=2, start=[2.0, -1.0], sigma=sigma, calls="client", constants=given)


def lanes_by_functions(N, steep, sigma=0.0):
    """Return functions of all lanes at once."""

    def gradient(x, clients):
        return steep * bend(x) * (1 + clients[..., None])

    def value(x, clients):
        return steep * (np.sqrt(1 + x * x) - 1).sum(-1) * (1 + clients)

    given = _constants(steep * N)
    return from_functions(value, gradient, N=N, d=2, start=[2.0, -1.0], sigma=sigma, calls="lanes", constants=given)


def formulas(N, steep, sigma=0.0):
    """Return one formula a client, whose critical points are known."""
    z, y = sp.symbols("z y")
    each = [steep * (sp.sqrt(1 + z**2) + (1 + i) * y**2 / 2) for i in range(N)]
    return from_sympy(each, [z, y], start=[2.0, -1.0], sigma=sigma)


def what_cannot_be_spelled(N, steep, sigma=0.0):
    """Return functions that ask an object that no script has."""
    table = {"steep": steep}
    return from_functions(
        lambda client, x: float(table["steep"] * x @ x) / 2,
        lambda client, x: table["steep"] * x,
        N=N, d=20, start=[1.0] * 20, sigma=sigma, constants=_constants(steep),
    )  # fmt: skip


def _constants(steep):
    return {"L": steep, "f_star": -4.0}
