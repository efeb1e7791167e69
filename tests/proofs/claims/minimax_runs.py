"""Exact runs of FMGDA's own code: quadratic saddles, signs as noise that grows with the point, every outcome a lane."""

import itertools
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
from chain_runs import Exact, exact_array, rational

from boundcheck.conform.equations.recursion import GradientRecorder
from boundcheck.conform.equations.statements import StatementRun
from boundcheck.methods import METHODS

SCALE = 100
"""The schedule h/max(t + 3/2, t_flat)^(1/3) has h = 100 eta_max; the root of the constant is 100."""


def steps_with(fall):
    """Return the functions of the schedule with a root that grows by `fall` times itself a step, in fractions.

    The maximum passes on the number of steps, so that the root of the code is 100 (1 + fall s) before step s.
    """
    half = Fraction(3, 2)
    return SimpleNamespace(
        cbrt=lambda x: Exact(SCALE * (1 + fall * (Exact(x).value - half))), maximum=lambda a, _: Exact(a)
    )


class Signed(Exact):
    """An exact number with a negative."""

    def __neg__(self):
        return Exact(-self.value)


class Oracle(GradientRecorder):
    """Gradients in both blocks: the last axis is (theta, w)."""

    def blockwise(self, first, second):
        """Return the factors of both blocks."""
        return exact_array([first, second])


class Saddle:
    """F_i(theta, w) = p theta^2/2 + a_i theta + q theta w - mu w^2/2 + e_i w, and what is known of the mean."""

    def __init__(self, p, q, mu, tilt, lean):
        self.p, self.q, self.mu, self.N = p, q, mu, len(tilt)
        self.a, self.e = (exact_array(values).reshape(1, -1, 1) for values in (tilt, lean))
        self.mean_a, self.mean_e = (sum(values) / Fraction(len(values)) for values in (tilt, lean))

    def gradients(self, theta, w):
        """Return the clients' gradients in both blocks."""
        return self.p * theta + self.a + self.q * w, self.q * theta - self.mu * w + self.e

    def best(self, theta):
        """Return the best w."""
        return (self.q * theta + self.mean_e) * (1 / Fraction(self.mu))

    def slope(self, theta):
        """Return the gradient of the envelope."""
        return self.p * theta + self.mean_a + self.q * self.best(theta)

    def envelope(self, theta):
        """Return the envelope."""
        best = self.best(theta)
        return self.p * theta * theta / 2 + self.mean_a * theta + self.mu * best * best / 2

    def least(self):
        """Return the envelope at its stationary point."""
        curvature = self.p + Fraction(self.q) ** 2 / self.mu
        return self.envelope(-(self.mean_a + self.q * self.mean_e / Fraction(self.mu)) / curvature)


def minimax_run(file, *, K, T, saddle, noise, wobble, B, sigma, start, zeta, lanes=None, fall=0, wide=None):
    """Return the run of the code at the parameters of Theorem 1, c_dual = 1/6, chat = 3 c_dual/(50 kappa^2).

    Before step s the step is 1/(20 L K)/(1 + fall s); for fall = 0 it is that of Corollary 1.  With `wide`, the root of
    K, it is shorter by that, and the estimators are averaged at the start.

    A sampled gradient is the gradient plus a sign times (noise + wobble times the point), block by block; every sign
    of a client and a batch is a lane, or those of `lanes`.
    """
    N, b = saddle.N, 1
    size = N * (B + K * T)
    outcomes = itertools.product((1, -1) if noise or wobble else (1,), repeat=size)
    signs = exact_array(list(itertools.islice(outcomes, lanes)))
    signs = signs.reshape(len(signs), B + K * T, N, 1)
    letters = _letters(saddle, K, T, B, b, wobble, start, wide or 1)
    eta, c1, chat, c_dual = (letters[name] for name in ("eta_max", "c1", "chat", "c_dual"))
    found = {}

    def at(number, point):
        return signs[:, number] * (Exact(noise) + Exact(wobble) * point)

    def gradient(z, number):
        blocks = saddle.gradients(z[..., :1], z[..., 1:])
        return np.concatenate(
            [g + at(number, x) for g, x in zip(blocks, (z[..., :1], z[..., 1:]), strict=True)], axis=2
        )

    def first(z):
        for j in range(B):
            for name, x in (("n0", z[..., :1]), ("m0", z[..., 1:])):
                found[name, (j + 1,)] = at(j, x)
        return sum(gradient(z, j) for j in range(B)) * (1 / Exact(B))

    oracle = Oracle(N, K, lambda z, number, _: gradient(z, B + number), Exact, (), first, xp=steps_with(fall))
    method = METHODS["fmgda"](
        chat=Exact(chat), c_dual=Signed(c_dual), c1=Exact(c1), h=Exact(SCALE * eta), t_flat=Exact(SCALE**3), B=B,
        synchronised_start=wide is not None,
    )  # fmt: skip
    x0 = np.broadcast_to(exact_array(start).reshape(1, 1, 2), (len(signs), 1, 2))
    state = method.init(oracle, x0)
    for t in range(T + 1):
        x, u = np.repeat(state.x, N, axis=1), state.u
        found |= {("x", (t,)): x[..., :1], ("wx", (t,)): x[..., 1:], ("us", (t,)): u[..., :1], ("vs", (t,)): u[..., 1:]}
        found |= dict(zip([("A", (t,)), ("H", (t,))], saddle.gradients(x[..., :1], x[..., 1:]), strict=True))
        state = method.round(oracle, state) if t < T else state
    for number, (new, old) in enumerate(oracle.asked):
        _step(found, saddle, divmod(number, K), old, new, lambda x, number=number: at(B + number, x))
        found["star", (divmod(number, K)[0], divmod(number, K)[1] + 1)] = saddle.best(_mean(new[..., :1]))
    found["best", (0,)] = saddle.best(found["x", (0,)])
    letters |= {"sigma": Fraction(sigma), "zeta": Fraction(zeta)}
    vectors = {key: rational(value) for key, value in found.items()}
    numbers = _schedule(letters, fall)
    letters["sum_eta3"] = sum(numbers["eta", (t, k)] ** 3 for t in range(T) for k in range(1, K + 1))
    return StatementRun(file.setting, letters, vectors, saddle.slope, saddle.envelope, numbers=numbers)


def _schedule(letters, fall):
    """Return the members of the steps and of what they are the roots of."""
    K, T, eta, flat = (letters[name] for name in ("K", "T", "eta_max", "flat"))
    found = {}
    for t, k in itertools.product(range(T + 1), range(K + 1)):
        root = 1 + fall * (t * K + k)
        found |= {("eta", (t, k)): eta / root, ("span", (t, k)): flat * root**3}
    return found


def _mean(v):
    return np.repeat(v.sum(axis=1, keepdims=True) * Fraction(1, v.shape[1]), v.shape[1], axis=1)


def _step(found, saddle, place, old, new, at):
    """Record one minibatch: the client's own points, gradients there and at the mean, and the noise."""
    theta, w = old[..., :1], old[..., 1:]
    found |= {("y", place): theta, ("w", place): w, ("n", place): at(theta), ("m", place): at(w)}
    found |= {("dn", place): at(new[..., :1]) - at(theta), ("dm", place): at(new[..., 1:]) - at(w)}
    found |= dict(zip([("gu", place), ("gv", place)], saddle.gradients(theta, w), strict=True))
    found |= dict(zip([("a", place), ("h", place)], saddle.gradients(_mean(theta), _mean(w)), strict=True))


def _letters(saddle, K, T, B, b, wobble, start, wide):
    """Return the letters of Theorem 1; rho at its least value."""
    N, block = saddle.N, max(saddle.p, saddle.q, saddle.mu) + abs(Fraction(wobble))
    kappa = block / Fraction(saddle.mu)
    L = block * (1 + kappa)
    c_dual = Fraction(1, 6)
    share = c_dual**2 / (1 + kappa) ** 2
    rho = (
        share * ((Fraction(1, 5) + 10 * kappa**2) * K + Fraction(39, 200) * kappa**2) / wide**2
        if K > 1
        else Fraction(0)
    )
    theta, w = (Fraction(x) for x in start)
    c1, eta = L**2 * (Fraction(1, 20 * K * N**2) + Fraction(60, b * N)), 1 / (20 * L * K * wide)
    return {
        "N": N, "K": K, "T": T, "B": Fraction(B), "b": Fraction(b), "L_block": block, "kappa": kappa, "L": L,
        "eta_max": eta, "wide": Fraction(wide), "flat": Fraction(8000 * (K * wide) ** 3 * N**2),
        "c1": c1, "weight": c1 * eta**2,
        "chat": Fraction(3, 50) * c_dual / kappa**2, "c_dual": c_dual, "C": c_dual, "rho": rho,
        "charge": share * ((1 + 50 * kappa**2) * Fraction(11 * K + 10, 100) + Fraction(27, 50) * kappa**2),
        "ratio": Fraction(1), "f_star": saddle.least(), "Delta": saddle.envelope(theta) - saddle.least(),
        "delta": (w - saddle.best(theta)) ** 2, "euler": Fraction(2718281828, 10**9),
    }  # fmt: skip


MINIMAX_CASES = {
    "two clients, two steps": {
        "K": 2, "T": 1, "saddle": Saddle(Fraction(1), Fraction(1, 2), Fraction(1), (1, -1), (Fraction(1, 2), -1)),
        "noise": Fraction(1, 2), "wobble": Fraction(1, 4), "B": 2, "sigma": 2, "start": (1, 0), "zeta": Fraction(5, 2),
    },
    "one client, three rounds": {
        "K": 1, "T": 3, "saddle": Saddle(Fraction(0), Fraction(1), Fraction(1), (1,), (0,)),
        "noise": Fraction(1), "wobble": Fraction(1, 2), "B": 1, "sigma": 4, "start": (2, -1), "zeta": 0,
    },
    "three clients, three steps, no noise": {
        "K": 3, "T": 2, "saddle": Saddle(Fraction(2), Fraction(1), Fraction(1, 2), (3, -1, -2), (5, 0, -5)),
        "noise": Fraction(0), "wobble": Fraction(0), "B": 3, "sigma": 0, "start": (0, 1), "zeta": 12,
    },
    "three clients, steps that vary": {
        "K": 3, "T": 2, "saddle": Saddle(Fraction(2), Fraction(1), Fraction(1, 2), (3, -1, -2), (5, 0, -5)),
        "noise": Fraction(0), "wobble": Fraction(0), "B": 3, "sigma": 0, "start": (0, 1), "zeta": 12,
        "fall": Fraction(1, 6 * 8000 * 27 * 9),
    },
    "two clients, steps that vary, with noise": {
        "K": 2, "T": 1, "saddle": Saddle(Fraction(1), Fraction(1, 2), Fraction(1), (1, -1), (Fraction(1, 2), -1)),
        "noise": Fraction(1, 2), "wobble": Fraction(1, 4), "B": 2, "sigma": 2, "start": (1, 0), "zeta": Fraction(5, 2),
        "fall": Fraction(1, 6 * 8000 * 8 * 4),
    },
    "noise of the slope alone": {
        "K": 2, "T": 2, "saddle": Saddle(Fraction(1), Fraction(0), Fraction(1), (0,), (0,)),
        "noise": Fraction(0), "wobble": Fraction(1), "B": 2, "sigma": 6, "start": (3, 3), "zeta": 0,
    },
}  # fmt: skip
"""Runs of Theorem 1, most of them of Corollary 1 too; the noise depends on the point."""

RATE_CASES = {
    "one client, four steps": {
        "K": 4, "T": 1, "saddle": Saddle(Fraction(0), Fraction(1), Fraction(1), (1,), (0,)), "wide": 2,
        "noise": Fraction(1), "wobble": Fraction(1, 2), "B": 2, "sigma": 4, "start": (2, -1), "zeta": 0,
    },
    "two clients, four steps": {
        "K": 4, "T": 1, "saddle": Saddle(Fraction(1), Fraction(1, 2), Fraction(1), (1, -1), (Fraction(1, 2), -1)),
        "wide": 2, "noise": Fraction(1, 2), "wobble": Fraction(1, 4), "B": 1, "sigma": 2, "start": (1, 0),
        "zeta": Fraction(5, 2),
    },
    "three clients, two rounds of four, no noise": {
        "K": 4, "T": 2, "saddle": Saddle(Fraction(2), Fraction(1), Fraction(1, 2), (3, -1, -2), (5, 0, -5)), "wide": 2,
        "noise": Fraction(0), "wobble": Fraction(0), "B": 8, "sigma": 0, "start": (0, 1), "zeta": 12,
    },
    "two clients, one step": {
        "K": 1, "T": 2, "saddle": Saddle(Fraction(1), Fraction(1, 2), Fraction(1), (1, -1), (Fraction(1, 2), -1)),
        "wide": 1, "noise": Fraction(1, 2), "wobble": Fraction(1, 4), "B": 1, "sigma": 2, "start": (1, 0),
        "zeta": Fraction(5, 2),
    },
}  # fmt: skip
"""Runs of the rate of Corollary 1: `wide` is the root of K."""
