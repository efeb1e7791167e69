"""Runs of FedLALR with enumerated noise, a straight-line reading of Algorithm 1 in floats: roots are irrational."""

import itertools
import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from boundcheck.conform.equations.statements import StatementRun
from boundcheck.proofs.kernel.report import read as read_page
from boundcheck.proofs.kernel.text import Tree
from boundcheck.proofs.language.coordinates import is_vector
from boundcheck.proofs.language.files import HERE
from boundcheck.proofs.search.accepted import write_page

_ROUNDING = 1e-12


@dataclass
class Near(StatementRun):
    """A run in floats: a relation holds up to rounding."""

    def holds(self, relation, at):
        """Return whether a relation holds up to rounding."""
        if any(is_vector(part, self.setting.vectors) for part in relation.parts):
            return self._holds_surely(relation, at, _ROUNDING * 100)
        left, right = (float(self.number(part, at)) for part in relation.parts)
        room = _ROUNDING * (1 + abs(left) + abs(right))
        tests = {"<=": left <= right + room, ">=": left >= right - room, "=": abs(left - right) <= room}
        return tests[relation.name]


class Bells:
    """f_i(x) = height_i log(1 + (x - centre_i)^2)/2 with noise +-`noise`; every sign of a step is a lane."""

    def __init__(self, height, centre, noise, total):
        self.height, self.centre = (np.array(values, dtype=float).reshape(1, -1, 1) for values in (height, centre))
        self.N, self.noise, self.L = self.height.size, noise, self.height.max()
        self.G = self.L / 2 + noise
        self.signs = np.array(list(itertools.product((1, -1), repeat=self.N * total))).reshape(-1, total, self.N, 1)

    def gradient(self, y):
        """Return the clients' gradients."""
        away = np.asarray(y, dtype=float) - self.centre
        return self.height * away / (1 + away**2)

    def value(self, y):
        """Return the mean of the clients' values."""
        return np.mean(self.height / 2 * np.log(1 + (np.asarray(y, dtype=float) - self.centre) ** 2), 1, keepdims=True)

    def letters(self, floor, start):
        """Return what every proof's letters have in common."""
        return {
            "N": self.N, "d": 1, "b": 1, "eps": floor, "G_inf": self.G, "L": self.L, "sigma": self.noise, "f_star": 0.0,
            "Delta": float(self.value(np.full((1, 1, 1), float(start))).ravel()[0]), "euler": np.e,
        }  # fmt: skip


def adaptive_run(file, *, rounds, height, centre, noise, eps, beta1, beta2, start=1.0, step=1.0, largest=False):
    """Return a run, `rounds` of these many steps, and its last iterate.

    `eps` is a share of G_inf and `step` one of the largest step 3 eps/(20 L); with `largest` a round begins with the
    largest second moment of the clients, else with their mean.
    """
    problem = Bells(height, centre, noise, sum(rounds))
    N, total, signs, gradient = problem.N, sum(rounds), problem.signs, problem.gradient
    floor = eps * problem.G
    eta, share = step * 3 * floor / (20 * problem.L), beta1 / (1 - beta1)
    X, M = np.full((len(signs), N, 1), float(start)), np.zeros((len(signs), N, 1))
    VH = np.full_like(X, floor**2)
    vectors = {("first", ()): X[:, :1], ("Y", (0,)): X, ("M", (0,)): M, ("v", (0,)): VH} | _moment(0, VH)
    numbers, before, r = {("age", (0,)): 0.0}, X, 0
    for steps in rounds:
        V = VH
        for k in range(steps):
            old, last, g = vectors["old", (r,)], vectors["M", (r,)], gradient(X) + noise * signs[:, r]
            top = _largest(old) if largest else _mean(old)
            vectors |= {("X", (r,)): X, ("xi", (r,)): noise * signs[:, r], ("g", (r,)): g, ("m", (r,)): M}
            vectors |= {("base", (r,)): VH, ("top", (r,)): top, ("toproot", (r,)): 1 / np.sqrt(top)}
            vectors |= {("fall", (r,)): np.abs(old - top), ("gap", (r,)): np.abs(old - _mean(old))}
            vectors |= {("thetabar", (r,)): 1 / np.sqrt(_mean(old))}
            vectors |= {("cap", (r,)): np.maximum(_largest(old), problem.G**2), ("z", (r,)): _mean(X)}
            m, M, V = M, beta1 * M + (1 - beta1) * g, beta2 * V + (1 - beta2) * g * g
            VH = np.maximum(VH, V)
            theta, xbar, after = 1 / np.sqrt(VH), _mean(X), X - eta * M / np.sqrt(VH)
            vectors |= {("Y", (r + 1,)): after, ("M", (r + 1,)): M, ("v", (r + 1,)): V} | _moment(r + 1, VH)
            vectors |= {("Z", (r,)): xbar + share * (xbar - _mean(before)), ("direct", (r + 1,)): _mean(g * theta)}
            vectors |= {("Z", (r + 1,)): _mean(after) + share * (_mean(after) - xbar), ("z", (r + 1,)): _mean(after)}
            vectors |= {("bend", (r + 1,)): _mean(last / np.sqrt(old)) - _mean(m * theta)}
            numbers |= {("sync", (r,)): float(k == 0), ("age", (r + 1,)): float(k + 1)}
            before, X, r = X, after, r + 1
        X, M, VH = _mean(X), _mean(M), _largest(VH) if largest else _mean(VH)
    letters = problem.letters(floor, start) | {
        "memory": beta2 / (1 - beta2), "kappa": float(largest),
        "steps": total, "longest": max(rounds), "T": 1, "eta": eta, "inertia": share,
        "drift_steps": sum(k**2 for n in rounds for k in range(n)) / total,
    }  # fmt: skip
    run = Near(file.setting, letters, vectors, gradient, problem.value, numbers=numbers)
    return run, X


def restart_run(file, *, K, T, height, centre, noise, eps, beta1, beta2, start=1.0, step=1.0):
    """Return a run of T rounds of K steps whose momentum begins at 0, and its last iterate.

    `step` is a share of the largest step eps/(4 L W).
    """
    problem = Bells(height, centre, noise, K * T)
    N, signs = problem.N, problem.signs
    floor = eps * problem.G
    weights = [1 - beta1 ** (K - k) for k in range(K)]
    eta = step * floor / (4 * problem.L * sum(weights))
    x, common = np.full((len(signs), N, 1), float(start)), np.full((len(signs), N, 1), floor**2)
    numbers = {(name, (k,)): value for name, values in _weight_sums(weights).items() for k, value in enumerate(values)}
    vectors = {("first", ()): x[:, :1], ("x", (0,)): x, ("top", (0,)): common}
    for t in range(T):
        X, M, V, VH, first = x, 0 * x, common, common, 1 / np.sqrt(common)
        vectors |= {("cap", (t,)): np.maximum(common, problem.G**2), ("e0", (t,)): first}
        for k in range(K + 1):
            vectors |= {("X", (t, k)): X, ("M", (t, k)): M, ("v", (t, k)): V, ("old", (t, k)): VH}
            vectors |= {("theta", (t, k)): 1 / np.sqrt(VH)}
            if k < K:
                n = noise * signs[:, t * K + k]
                g = problem.gradient(X) + n
                vectors |= {("xi", (t, k)): n, ("g", (t, k)): g}
                M, V = beta1 * M + (1 - beta1) * g, beta2 * V + (1 - beta2) * g**2
                VH = np.maximum(VH, V)
                X = X - eta * M / np.sqrt(VH)
        x, common = _mean(X), _mean(VH)
        vectors |= {("x", (t + 1,)): x, ("top", (t + 1,)): common}
    letters = problem.letters(floor, start) | {
        "K": K, "T": T, "eta": eta, "inertia": beta1 / (1 - beta1), "memory": beta2 / (1 - beta2),
        "effective": sum(weights), "w_square": sum(w**2 for w in weights),
        "w_drift": sum(w * k**2 for k, w in enumerate(weights)),
    }  # fmt: skip
    return Near(file.setting, letters, vectors, problem.gradient, problem.value, numbers=numbers), x


def _weight_sums(weights):
    """Return the weights of a round's gradients, 0 after the last one, and their sums before each step."""
    sums = {
        "total": weights,
        "squares": [w**2 for w in weights],
        "drifts": [w * k**2 for k, w in enumerate(weights)],
    }
    return {"w": [*weights, 0.0]} | {name: [0.0, *np.cumsum(values)] for name, values in sums.items()}


def _moment(r, old):
    """Return the second moments before a step, with what is made of them alone."""
    first = np.argmax(old, axis=1, keepdims=True) == np.arange(old.shape[1]).reshape(1, -1, 1)
    made = {"old": old, "theta": 1 / np.sqrt(old), "mx": _largest(old), "pick": first.astype(float)}
    return {(name, (r,)): value for name, value in made.items()}


def _largest(v):
    return np.broadcast_to(v.max(axis=1, keepdims=True), v.shape)


def _mean(v):
    return np.broadcast_to(v.mean(axis=1, keepdims=True), v.shape)


ADAPTIVE_CASES = {
    "two clients, two rounds of two": {
        "rounds": (2, 2), "height": (1, 2), "centre": (0, 3), "noise": 0.5, "eps": 0.5, "beta1": 0.5, "beta2": 0.5,
    },
    "longer rounds": {
        "rounds": (1, 2, 2), "height": (1, 1), "centre": (-2, 1), "noise": 1.0, "eps": 0.3, "beta1": 0.9, "beta2": 0.9,
    },
    "one client, no momentum": {
        "rounds": (3, 3), "height": (2,), "centre": (0,), "noise": 0.2, "eps": 0.9, "beta1": 0.0, "beta2": 0.0,
    },
    "three clients apart, no noise to speak of": {
        "rounds": (2, 1), "height": (1, 3, 1), "centre": (-5, 0, 5), "noise": 1e-3, "eps": 0.1,
        "beta1": 0.5, "beta2": 0.0,
    },
}  # fmt: skip
"""Runs within the conditions of the repaired theorems; the first and the third have rounds of one length."""

LARGEST_CASES = {f"{case}, the largest": {**shape, "largest": True} for case, shape in ADAPTIVE_CASES.items()}
"""The same with the largest second moments."""

RESTART_CASES = {
    "two clients, two rounds of two": {
        "K": 2, "T": 2, "height": (1, 2), "centre": (0, 3), "noise": 0.5, "eps": 0.5, "beta1": 0.5, "beta2": 0.5,
    },
    "two clients, three rounds of one": {
        "K": 1, "T": 3, "height": (1, 1), "centre": (-2, 1), "noise": 1.0, "eps": 0.3, "beta1": 0.9, "beta2": 0.9,
    },
    "one client, no momentum": {
        "K": 3, "T": 2, "height": (2,), "centre": (0,), "noise": 0.2, "eps": 0.9, "beta1": 0.0, "beta2": 0.0,
    },
    "three clients apart, no noise to speak of": {
        "K": 3, "T": 1, "height": (1, 3, 1), "centre": (-5, 0, 5), "noise": 1e-3, "eps": 0.1, "beta1": 0.5,
        "beta2": 0.0,
    },
}  # fmt: skip
"""Runs within the conditions of the repaired Corollary 2."""


def false_leaves(run, setting, about=lambda _: True):
    """Return the ids of the leaves that fail somewhere on a run, those about points left out."""
    leaves = [one for one in setting.leaves.values() if not one.points and about(one.id)]
    return [one.id for one in leaves if not all(run.holds(one.shows, at) for at in run.places(one.over))]


def false_claims(run, claims, about=lambda _: True):
    """Return the ids of the claims that fail somewhere on a run, or whose hypotheses do."""
    asked = [one for one in claims if about(one.id)]
    return [one.id for one in asked if run.failures(one) or not all(run.holds(node, {}) for node in one.given)]


def near(left, right):
    """Return whether two vectors are equal up to rounding."""
    return float(np.max(np.abs(np.asarray(left - right, dtype=float)))) < 1e-12


@cache
def checked(name):
    """Return the kernel after it has checked the page of a bound."""
    with TemporaryDirectory() as folder:
        page = write_page(name, Path(folder))
        return read_page(page, json.loads(page.with_suffix(".json").read_text(encoding="utf-8")), (HERE,))


def changed_claims(name):
    """Yield claims that are shown by coordinates with one step left out, or with a right side a hundredth smaller."""
    kernel = checked(name)
    for id_, claim in kernel.file.claims.items():
        if kernel.verdicts[id_].rules & {"coordinates"}:
            for n, step in enumerate(claim.steps):
                yield f"{id_} without {step.text}", id_, replace(claim, steps=claim.steps[:n] + claim.steps[n + 1 :])
            left, right = claim.statement.shows.parts
            factor = Tree("number", "99/100")
            smaller = Tree("<=", "", (left, Tree("mul", "", (factor, right))))
            if claim.statement.shows.kind == "<=" and left != Tree("number", "0") and "under" not in id_:
                yield f"{id_}, tighter", id_, replace(claim, statement=replace(claim.statement, shows=smaller))


def survivors(name, every):
    """Return the changed claims of a bound's page that are still proved, of every so many."""
    kernel, found = checked(name), []
    for text, id_, claim in list(changed_claims(name))[::every]:
        own, verdict = kernel.file.claims[id_], kernel.verdicts[id_]
        kernel.file.claims[id_] = claim
        if kernel.check_claim(id_).proved:
            found.append(text)
        kernel.file.claims[id_], kernel.verdicts[id_] = own, verdict
    return found
