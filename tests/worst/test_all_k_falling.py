"""Theorems for all K under the Polyak-Lojasiewicz condition: proved, refused when spoiled, obeyed by the last value."""

import copy
import json

import numpy as np
import pytest
import sympy

from boundcheck import BOUNDS
from boundcheck.errors import NotApplicableError
from boundcheck.proofs.kernel.all_steps import check
from boundcheck.proofs.kernel.certificates import WorkLimit
from boundcheck.worst import bound_of_falling
from boundcheck.worst.theorems.all_steps.recorded import differing_keys
from boundcheck.worst.theorems.all_steps.statement import falling_inequality
from boundcheck.worst.theorems.collection.shipped import FOLDER, find_misstatements, shipped, shipped_theorem

FALLING = [
    "fedavg-pl",
    "fedavg-sampled-pl",
    "fedavg-m-pl",
    "fedavg-server-m-pl",
    "fedgate-pl",
    "fedpaq-pl",
    "mifam-pl",
    "mimelite-pl",
    "scaffold-m-pl",
    "scaffold-pl",
    "vrl-sgd-pl",
]


def test_those_that_fall_say_so():
    """And no others; words are those of the numbers."""
    found = {name for name, theorem in shipped().items() if falling_inequality(theorem) is not None}
    assert found == set(FALLING)
    for name in FALLING:
        theorem = shipped_theorem(name)
        assert theorem.proof["says"]["falls"] == falling_inequality(theorem)
    assert falling_inequality(shipped_theorem("scaffold-pl")).startswith(
        "E[f(x_T) - f_star] <= (1 - mu eta K)^T [Delta + 1/12 eta K G_0] + [eta L sigma^2/N + "
    )
    with pytest.raises(NotApplicableError, match="polyak=True"):
        bound_of_falling(shipped_theorem("fedavg"))


@pytest.mark.parametrize("name", ["fedavg-pl", "scaffold-pl"])
def test_they_are_proved_and_registered(name):
    """The file is accepted, its round is the code's, and the registered bound has its terms."""
    theorem = shipped_theorem(name)
    assert "where |grad F|^2 >= 2 mu (F - F_star)" in check(theorem.proof)[-1]
    assert differing_keys(theorem.proof) == []
    found, registered = bound_of_falling(theorem), BOUNDS[f"field.{name}"]
    assert set(found.terms) == set(registered.terms)
    assert all(sympy.simplify(found.terms[word] - registered.terms[word]) == 0 for word in found.terms)
    assert found.conditions == registered.conditions
    assert found.metric == registered.metric == "final_suboptimality"


SPOILED = {
    "fall": lambda p: p["polyak"].update(fall="11/10*h"),
    "negative fall": lambda p: p["polyak"].update(fall="-1*h"),
    "sum": lambda p: p["polyak"].update(fall="h - 1/2*h^2"),
    "over": lambda p: p["polyak"].update(over="2*h^-1"),
    "rest": lambda p: p.update(potential=p["potential"] + " + (-1/100)*<mean(g), mean(g)>"),
    "rate": lambda p: p.update(rate="2/5"),
    "start": lambda p: p["first"].update(G0="1/100"),
    "noise": lambda p: p["loop"]["noise"].update(mean="1/4*h"),
    "both": lambda p: p.update(fall="h"),
    "key": lambda p: p["polyak"].update(mu="2"),
}


@pytest.mark.parametrize("what", SPOILED)
def test_a_spoiled_file_is_refused(what):
    """Each number of what falls, changed once."""
    spoiled = copy.deepcopy(shipped_theorem("scaffold-pl").proof)
    SPOILED[what](spoiled)
    with pytest.raises((ValueError, LookupError)):
        check(spoiled)


def last_value(rng, name, *, K, N, T, h):
    """Return F(x_T) - F_star on random quadratics, in expectation over noise, and mu, Delta, G_0, zeta^2, sigma^2.

    Noise is isotropic; all is linear, so that means and covariances of (x, control variates) follow recursions.
    """
    d, eta = int(rng.integers(1, 3)), h / K
    sigma2 = float(rng.choice([0.0, 4.0]))
    A = []
    for _ in range(N):
        q, _ = np.linalg.qr(rng.normal(size=(d, d)))
        A.append(q @ np.diag(rng.uniform(-0.3, 1.0, d)) @ q.T)
    low = np.linalg.eigvalsh(sum(A) / N)[0]
    if low < 0.05:
        A = [(a + (0.05 - low) * np.eye(d)) / (1.05 - low) for a in A]
    mean = sum(A) / N
    b = rng.normal(size=(N, d))
    minimiser = -np.linalg.solve(mean, b.mean(0))
    # One affine map of z = (x, c_1, .., c_N, 1) for a round; every step adds noise of its own.
    size = d * (N + 1)
    state, spread = np.zeros(size), np.zeros((size, size))
    state[:d] = minimiser + rng.normal(size=d) * rng.uniform(0, 3)
    away = state[:d] - minimiser
    delta = 0.5 * away @ mean @ away
    at_start = float(np.mean([np.sum((a @ state[:d] + c) ** 2) for a, c in zip(A, b, strict=True)]))
    at = [np.eye(size)[d * k : d * (k + 1)] for k in range(N + 1)]
    server = sum(at[1:]) / N
    zeta2 = 0.0
    for _ in range(T):
        apart = [(a - mean) @ state[:d] + c - b.mean(0) for a, c in zip(A, b, strict=True)]
        over = [np.trace((a - mean) @ spread[:d, :d] @ (a - mean).T) for a in A]
        zeta2 = max(zeta2, float(np.mean([v @ v for v in apart]) + np.mean(over)))
        ends, shifts, noises = [], [], []
        for i, (a, c) in enumerate(zip(A, b, strict=True)):
            y, shift, own = at[0], np.zeros(d), np.zeros((d, d * K))
            for k in range(K):
                kept = server - at[i + 1] if name == "scaffold" else 0 * at[0]
                y, shift, own = y - eta * (a @ y + kept), shift - eta * (a @ shift + c), own - eta * a @ own
                own[:, d * k : d * (k + 1)] -= eta * np.eye(d)
            ends.append(y)
            shifts.append(shift)
            noises.append(own)
        new = [sum(ends) / N]
        added = [sum(shifts) / N]
        stirred = [np.hstack(noises) / N]
        for i in range(N):
            new.append(at[i + 1] - server + (at[0] - ends[i]) / h)
            added.append(-shifts[i] / h)
            stirred.append(np.hstack([-noises[j] / h * (i == j) for j in range(N)]))
        step, noise = np.vstack(new), np.vstack(stirred)
        state = step @ state + np.concatenate(added)
        spread = step @ spread @ step.T + sigma2 / d * noise @ noise.T
    left = state[:d] - minimiser
    value = 0.5 * (left @ mean @ left + np.trace(mean @ spread[:d, :d]))
    return value, float(np.linalg.eigvalsh(mean)[0]), float(delta), at_start, zeta2, sigma2


def right_side(name, share, *, K, N, T, h, mu, delta, at_start, zeta2, sigma2):
    """Return the printed inequality, by hand, its constants after the start times a share."""
    eta = h / K
    if name == "fedavg":
        start, apart = delta, h**2 * zeta2 / 6 + eta**2 * K * sigma2 * (1 - 1 / N) / 4
    else:
        start, apart = delta + h * at_start / 12, 0.7 * eta**2 * K * sigma2 * (1 - 1 / N)
    return (1 - mu * h) ** T * start + share * (apart + eta * sigma2 / N) / mu


@pytest.mark.parametrize("name", ["fedavg", "scaffold"])
def test_random_quadratic_runs_obey_it(name):
    """Exact expectations of the last value: none above; with a twentieth of what stays there are some."""
    rng, ratios, small = np.random.default_rng(4), [], []
    for _ in range(150):
        K, N, T = int(rng.integers(1, 6)), int(rng.integers(1, 4)), int(rng.integers(1, 60))
        h = float(rng.uniform(0.02, 0.5))
        value, *constants = last_value(rng, name, K=K, N=N, T=T, h=h)
        said = dict(zip(("mu", "delta", "at_start", "zeta2", "sigma2"), constants, strict=True))
        ratios.append(value / right_side(name, 1, K=K, N=N, T=T, h=h, **said))
        small.append(value / right_side(name, 1 / 20, K=K, N=N, T=T, h=h, **said))
    assert max(ratios) <= 1
    assert max(small) > 1


def test_words_are_compared_with_the_proof():
    """The line on the last value is what the numbers of the file give; another one is refused by its key."""
    proof = json.loads((FOLDER / "scaffold-pl.json").read_text(encoding="utf-8"))
    assert find_misstatements(proof) == []
    proof["says"]["falls"] = proof["says"]["falls"].replace("1/12", "1/13")
    assert find_misstatements(proof) == ["says: falls"]


def test_every_check_has_work_of_its_own(monkeypatch):
    """What earlier ones took in the same process is no part of it."""
    monkeypatch.setattr(WorkLimit, "left", 0)
    assert check(shipped_theorem("fedavg-pl").proof)
