"""Theorems of delayed SGD, decentralised SGD and EF21: proved, refused when spoiled, obeyed by runs of other code."""

import copy
import itertools
import json
from fractions import Fraction

import numpy as np
import pytest
import sympy

from boundcheck import BOUNDS
from boundcheck.cli.commands.verify import verify
from boundcheck.errors import NotApplicableError, UnknownNameError
from boundcheck.proofs.kernel.all_steps import check
from boundcheck.worst.theorems.described.bound import bound_of_described
from boundcheck.worst.theorems.described.messages import ef21
from boundcheck.worst.theorems.described.rounds import ROUNDS
from boundcheck.worst.theorems.described.search import prove_described
from boundcheck.worst.theorems.described.shipped import FOLDER, NAMES, described_theorem
from boundcheck.worst.theorems.described.words import in_words

REGISTERED = {
    "delayed-sgd": "field.delayed-sgd-all",
    "delayed-sgd-pl": "field.delayed-sgd-pl",
    "dsgd": "field.dsgd-all",
    "dsgd-pl": "field.dsgd-pl",
    "ef21": "field.ef21-all",
    "ef21-pl": "field.ef21-pl",
    "marina": "field.marina-all",
}


@pytest.mark.parametrize("name", NAMES)
def test_what_ships_is_proved(name):
    """And says of itself what its numbers are."""
    file = json.loads((FOLDER / f"{name}.json").read_text())
    assert "after T rounds" in check(file)[-1] if name.endswith("-pl") else "mean_t" in check(file)[-1]
    assert file["says"] == in_words(described_theorem(name))


@pytest.mark.parametrize("name", REGISTERED)
def test_registered_bounds_are_what_ships(name):
    """Term by term."""
    made, registered = bound_of_described(described_theorem(name)), BOUNDS[REGISTERED[name]]
    assert set(made.terms) == set(registered.terms)
    for term, expression in made.terms.items():
        assert sympy.simplify(expression - registered.terms[term]) == 0, term
    assert made.metric == registered.metric
    assert {str(c.text) for c in made.conditions} <= {str(c.text) for c in registered.conditions}


def test_what_has_no_method_or_name_is_said():
    """Bounded delays have a proof, and no method of one fixed delay."""
    with pytest.raises(NotApplicableError, match="no method of one name has this round"):
        bound_of_described(described_theorem("delayed-sgd-bounded"))
    with pytest.raises(UnknownNameError, match="sgd-delayed"):
        described_theorem("sgd-delayed")


def test_beyond_the_largest_step_nothing_is_found():
    """At c = 2 EF21 diverges on a parabola without compression: gamma = 2/L."""
    pytest.importorskip("clarabel")
    with pytest.raises(NotApplicableError, match="try a smaller range"):
        prove_described(ef21(Fraction(2)))


def test_ef21_found_anew_is_below_the_published_descent():
    """At most 8/5 Delta/(gamma T), where 2 is published up to twice the step; and its start at most 11/9 U0/(p T)."""
    pytest.importorskip("clarabel")
    found = prove_described(ROUNDS["ef21"].round()).numbers
    assert found["Delta"] <= Fraction(8, 5)
    assert found["U0"] <= Fraction(11, 9)


def _spoil_given(which, old, new):
    def spoil(file):
        line = file["given"][which]
        assert old in line[2]
        line[2] = line[2].replace(old, new)

    return spoil


SPOILED = {
    ("ef21", "rate"): lambda p: p.update(rate="2"),
    ("ef21", "start"): lambda p: p["first"].update(U0="1/4*p^-1"),
    ("ef21", "compressor"): _spoil_given(0, "(1 - p)^2", "(1 - p)"),
    ("ef21", "error"): _spoil_given(0, "u - p*c*w", "2*u - p*c*w"),
    ("ef21", "step"): lambda p: p["box"].update(c=["0", "2"]),
    ("ef21", "direction"): lambda p: p["points"][1].update(x="-1*p*c*mean(g + 2*u)"),
    ("ef21", "no hypothesis"): lambda p: p.pop("given"),
    ("ef21", "two words"): lambda p: p.update(fall="p*c"),
    ("ef21-pl", "fall"): lambda p: p.update(fall="2*mu*p*c"),
    ("ef21-pl", "sum"): lambda p: p.update(fall="mu*p*c - p"),
    ("ef21-pl", "measured"): lambda p: p.update(measured="2*p^-1*c^-1*f0"),
    ("ef21-pl", "curvature"): lambda p: p["box"].update(mu=["0", "2"]),
    ("delayed-sgd", "noise"): lambda p: p["round"].update(sigma2_mean="1/2*e*c"),
    ("delayed-sgd", "energy"): _spoil_given(0, "- |a|^2", "- 1/2*|a|^2"),
    ("delayed-sgd", "old noise"): _spoil_given(3, "e*sigma2_mean", "2*sigma2_mean"),
    ("delayed-sgd", "descent"): lambda p: p["first"].update(Delta="e^-1*c^-1"),
    ("dsgd", "heterogeneity"): lambda p: p["round"].update(zeta2="c^2"),
    ("dsgd", "noise of the clients"): lambda p: p["round"].update(sigma2_apart="1/2*p*c^2"),
    ("dsgd", "mixing"): _spoil_given(1, "(1 - p)^2", "(1 - p^2)"),
    ("dsgd-pl", "heterogeneity"): lambda p: p["round"].update(zeta2="1/2*c^2"),
    ("sampled-sgd", "draw"): _spoil_given(0, "q*|g - mean(g)|^2", "q*|g|^2"),
    ("sampled-sgd", "heterogeneity"): lambda p: p["round"].update(zeta2="1/4*q*c"),
    ("sampled-sgd", "bias"): lambda p: p["given"].__delitem__(1),
    ("compressed-sgd", "compressor"): _spoil_given(0, "s^-1 - 1", "s^-1"),
    ("compressed-sgd-pl", "heterogeneity"): lambda p: p["round"].update(zeta2="1/4*c - 1/4*s*c"),
    ("marina", "start"): lambda p: p["first"].update(Delta="s^-1*c^-1"),
    ("marina", "estimate"): _spoil_given(0, "p*(1 - s)^2", "p*(2 - s)^2"),
    ("marina", "memory"): _spoil_given(0, "(1 - p)*|u|^2", "|u|^2"),
    ("dsgd-pl", "noise"): lambda p: p["round"].update(sigma2_mean="1/4*p*c"),
}


@pytest.mark.parametrize("what", SPOILED, ids="-".join)
def test_a_spoiled_file_is_refused(what):
    """Each class of number and each hypothesis, changed once."""
    spoiled = copy.deepcopy(described_theorem(what[0]).proof)
    check(spoiled)
    SPOILED[what](spoiled)
    with pytest.raises((ValueError, LookupError)):
        check(spoiled)


class Parabolas:
    """Random clients x'A_i x/2 + b_i x; the mean has curvatures in [mu, 1], so that it is Polyak-Lojasiewicz."""

    def __init__(self, rng, *, N=None):
        self.d, self.N = int(rng.integers(1, 4)), N or int(rng.integers(2, 5))
        lows = rng.uniform(-0.3, 1, (self.N, self.d))
        shift = np.maximum(0.05 - lows.mean(0).min(), 0)
        curvatures = (lows + shift) / (1 + shift)
        turns = [np.linalg.qr(rng.normal(size=(self.d, self.d)))[0] for _ in range(self.N)]
        same = turns[0]
        self.A = np.array([same @ np.diag(c) @ same.T for c in curvatures])
        self.b = rng.normal(size=(self.N, self.d))
        self.mean = self.A.mean(0)
        self.mu = float(np.linalg.eigvalsh(self.mean).min())
        self.minimiser = -np.linalg.solve(self.mean, self.b.mean(0))

    def gradients(self, x):
        """Return grad f_i at x (one point, or one for each client)."""
        return np.einsum("ijk,ik->ij", self.A, np.broadcast_to(x, (self.N, self.d))) + self.b

    def value(self, x):
        """Return F(x) - F_star."""
        away = x - self.minimiser
        return 0.5 * away @ self.mean @ away

    def slope(self, x):
        """Return |grad F(x)|^2."""
        return float(np.sum((self.mean @ (x - self.minimiser)) ** 2))

    def zeta2(self, x):
        """Return the mean of |grad f_i(x) - grad F(x)|^2."""
        g = self.gradients(x)
        return float(np.sum((g - g.mean(0)) ** 2) / self.N)


def _numbers(name):
    return {n: float(x) for n, x in described_theorem(name).numbers.items()}


def _ratios(name, one, count=150):
    rng = np.random.default_rng(7)
    return [one(rng, _numbers(name), _numbers(name + "-pl")) for _ in range(count)]


def _ends(ratios, least):
    """Check that no run is above the theorem, and that some are near enough to break one with smaller constants."""
    for part in zip(*ratios, strict=True):
        assert max(part) <= 1
        assert max(part) > least


def _delayed(fixed):
    def one(rng, own, falling):
        f = Parabolas(rng)
        D, T = int(rng.integers(1, 7)), int(rng.integers(1, 60))
        x = rng.normal(size=f.d) * 3
        start = f.value(x)
        sides = []
        for share, numbers in ((0.5, own), (0.125, falling)):
            eta, here, past, slopes = share / D * float(rng.uniform(0.2, 1)), x, [x] * (D + 1), []
            for _ in range(T):
                slopes.append(f.slope(here))
                ages = [D] * f.N if fixed else rng.integers(0, D + 1, f.N)
                old = np.array([past[-1 - age] for age in ages])
                here = here - eta * f.gradients(old).mean(0)
                past = [*past[1:], here]
            if numbers is own:
                sides.append(np.mean(slopes) / (numbers["Delta"] * start / eta / T))
            else:
                sides.append(f.value(here) / ((1 - f.mu * eta) ** T * start))
        return sides

    return one


@pytest.mark.parametrize("name", ["delayed-sgd", "delayed-sgd-bounded"])
def test_runs_with_delays_obey_it(name):
    """One delay for all, or another one for each client in each step."""
    _ends(_ratios(name, _delayed(name == "delayed-sgd")), 0.4)


def test_the_noise_of_delayed_steps_is_what_is_said():
    """On a parabola of curvature 1 the mean of |grad|^2 under noise alone, exactly, by a linear recursion."""
    own, worst = _numbers("delayed-sgd"), 0.0
    for D in (1, 2, 5):
        for share in (0.1, 0.5):
            eta, T = share / D, 400
            moves = np.eye(D + 1, k=-1)
            moves[0, 0] += 1
            moves[0, D] -= eta
            covariance, seen = np.zeros((D + 1, D + 1)), []
            for _ in range(T):
                seen.append(covariance[0, 0])
                covariance = moves @ covariance @ moves.T
                covariance[0, 0] += eta**2
            worst = max(worst, np.mean(seen) / (own["noise"] * eta))
    assert 0.3 < worst <= 1


def _mixing(rng, N):
    """Return a matrix with rows and columns that add up to 1, not symmetric, and 1 - its second singular value."""
    p = float(rng.uniform(0.05, 1))
    turned = np.linalg.qr(rng.normal(size=(N, N)))[0]
    away = np.eye(N) - np.ones((N, N)) / N
    rest = away @ turned @ away
    rest *= (1 - p) / max(np.linalg.norm(rest, 2), 1e-12)
    return np.ones((N, N)) / N + rest, 1 - np.linalg.norm(rest, 2)


def _mixed(after):
    def one(rng, own, falling):
        f = Parabolas(rng)
        W, p = _mixing(rng, f.N)
        T = int(rng.integers(1, 60))
        eta = 0.5 * p * float(rng.uniform(0.1, 1))
        start = rng.normal(size=f.d) * float(rng.choice([0.0, 3.0])) + f.minimiser
        x, slopes, zetas = np.repeat(start[None], f.N, 0), [], []
        for _ in range(T):
            slopes.append(f.slope(x.mean(0)))
            zetas.append(f.zeta2(x.mean(0)))
            step = eta * f.gradients(x)
            x = W @ (x - step) if after else W @ x - step
        c2, zeta2 = (eta / p) ** 2, max(zetas)
        right = own["Delta"] * f.value(start) / eta / T + own["zeta"] * c2 * zeta2
        falls = (1 - f.mu * eta) ** T * f.value(start) + falling["zeta"] * c2 * zeta2 / f.mu
        return np.mean(slopes) / right, f.value(x.mean(0)) / falls

    return one


@pytest.mark.parametrize("name", ["dsgd", "dsgd-after"])
def test_runs_on_networks_obey_it(name):
    """Matrices that are not symmetric; from the minimiser, where all that is measured is heterogeneity."""
    _ends(_ratios(name, _mixed(name == "dsgd-after"), 200), 0.05)


def _compressed(rng, own, falling):
    f = Parabolas(rng)
    T, s, sign = int(rng.integers(1, 12)), float(rng.uniform(0, 0.95)), float(rng.choice([-1, 1]))
    p = 1 - s
    gamma = p * float(rng.uniform(0.05, 0.5))
    x = rng.normal(size=f.d) * 3
    start = f.value(x)
    held = f.gradients(x) + rng.normal(size=(f.N, f.d))
    error, slopes = np.sum((held - f.gradients(x)) ** 2) / f.N, []
    for _ in range(T):
        slopes.append(f.slope(x))
        x = x - gamma * held.mean(0)
        # E|C(v) - v|^2 = s^2 |v|^2: v is shrunk or stretched.
        held = held + (1 + sign * s) * (f.gradients(x) - held)
    right = (own["Delta"] * start / gamma + own["U0"] * error / p) / T
    return np.mean(slopes) / right, f.value(x) / ((1 - f.mu * gamma) ** T * (start + falling["U0"] * gamma * error / p))


def test_runs_with_compressors_obey_it():
    """Compressors that shrink or stretch by exactly what they may."""
    _ends(_ratios("ef21", _compressed), 0.12)


def _random_steps(f, eta, S, omega):
    """Return the maps z -> z+ of z = (x, 1), one for each outcome, and their weights: draws of S clients, or scales."""
    own = [np.hstack([a, b[:, None]]) for a, b in zip(f.A, f.b, strict=True)]
    still = np.eye(f.d + 1)
    outcomes = []
    if omega is None:
        draws = list(itertools.combinations(range(f.N), S))
        outcomes = [(sum(own[i] for i in draw) / S, 1 / len(draws)) for draw in draws]
    else:
        kept = 1 / (1 + omega)
        for sent in itertools.product((0, 1), repeat=f.N):
            weight = np.prod([kept if one else 1 - kept for one in sent])
            outcomes.append((sum(one * g / kept for one, g in zip(sent, own, strict=True)) / f.N, weight))
    return [(still - eta * np.vstack([g, np.zeros(f.d + 1)]), weight) for g, weight in outcomes]


def _unbiased(compressed):
    def one(rng, own, falling):
        f = Parabolas(rng)
        T, S, omega = int(rng.integers(1, 40)), int(rng.integers(1, f.N + 1)), float(rng.uniform(0, 4))
        lost = omega / f.N if compressed else (f.N - S) / (S * (f.N - 1))
        eta = 0.5 * float(rng.uniform(0.1, 1)) / (1 + lost if compressed else 1)
        x = f.minimiser + rng.normal(size=f.d) * float(rng.choice([0.0, 3.0]))
        start, second = f.value(x), np.outer([*x, 1], [*x, 1])
        steps = _random_steps(f, eta, S, omega if compressed else None)
        slope = np.hstack([f.mean, f.b.mean(0)[:, None]])
        apart = [np.hstack([a - f.mean, (b - f.b.mean(0))[:, None]]) for a, b in zip(f.A, f.b, strict=True)]
        slopes, zetas = [], []
        for _ in range(T):
            slopes.append(np.trace(slope @ second @ slope.T))
            zetas.append(np.mean([np.trace(v @ second @ v.T) for v in apart]))
            second = sum(weight * step @ second @ step.T for step, weight in steps)
        left = np.hstack([np.eye(f.d), -f.minimiser[:, None]])
        value = 0.5 * np.trace(f.mean @ left @ second @ left.T)
        stays = eta * lost * max(zetas)
        return (
            np.mean(slopes) / (own["Delta"] * start / eta / T + own["zeta"] * stays + 1e-12),
            value / ((1 - f.mu * eta) ** T * start + falling["zeta"] * stays / f.mu + 1e-12),
        )

    return one


@pytest.mark.parametrize("name", ["sampled-sgd", "compressed-sgd"])
def test_runs_with_unbiased_messages_obey_it(name):
    """All draws of S clients, or of clients that send 1 + omega times their gradient or nothing, exactly."""
    _ends(_ratios(name, _unbiased(name == "compressed-sgd"), 120), 0.3)


def test_runs_of_marina_obey_it():
    """A quantiser of variance exactly omega, both outcomes of the coin, by second moments of (x, u, 1)."""
    own, rng, ratios = _numbers("marina"), np.random.default_rng(5), []
    for _ in range(120):
        f = Parabolas(rng)
        p, omega, T = float(rng.uniform(0.05, 1)), float(rng.uniform(0, 6)), int(rng.integers(1, 40))
        s = 1 / (1 + np.sqrt((1 - p) * omega / (p * f.N)))
        gamma = 0.5 * s * float(rng.choice([1.0, rng.uniform(0.1, 1)]))
        d, size = f.d, 2 * f.d + 1
        x = f.minimiser + rng.normal(size=d)
        second = np.outer([*x, *np.zeros(d), 1], [*x, *np.zeros(d), 1])
        slope = np.hstack([f.mean, np.zeros((d, d)), f.b.mean(0)[:, None]])
        step = -gamma * (slope + np.hstack([np.zeros((d, d)), np.eye(d), np.zeros((d, 1))]))
        slopes = []
        for _ in range(T):
            slopes.append(np.trace(slope @ second @ slope.T))
            moved = np.eye(size)
            moved[:d] += step
            exact = moved.copy()
            exact[d : 2 * d] = 0
            # Differences of gradients A_i (x+ - x): their compression adds omega |.|^2, independent over the clients.
            spread = omega / f.N**2 * sum(np.trace(a @ step @ second @ step.T @ a.T) for a in f.A)
            after = p * exact @ second @ exact.T + (1 - p) * moved @ second @ moved.T
            after[d : 2 * d, d : 2 * d] += (1 - p) * spread / d * np.eye(d)
            second = after
        ratios.append(np.mean(slopes) / (own["Delta"] * f.value(x) / gamma / T))
    assert 0.3 < max(ratios) <= 1


def test_what_does_not_fall_is_refused():
    """MARINA's error falls by p a round, which may be less than mu gamma."""
    with pytest.raises(NotApplicableError, match=r"MARINA and PAGE.*: its error falls by the share p"):
        ROUNDS["marina"].round(polyak=True)


@pytest.mark.parametrize(
    ("key", "old", "new", "said"),
    [("says", "8/5", "7/5", "says: theorem"), ("given", "(1 - p)^2", "(1 - p)^3", ""), ("next", "u1", "u", "")],
)
def test_a_file_says_what_its_round_says(tmp_path, capsys, key, old, new, said):
    """In words and in the description: `verify` compares both with the round that the file names."""
    proof = json.loads((FOLDER / "ef21.json").read_text(encoding="utf-8"))
    right, wrong = tmp_path / "right.json", tmp_path / "wrong.json"
    right.write_text(json.dumps(proof), encoding="utf-8")
    proof[key] = json.loads(json.dumps(proof[key]).replace(old, new))
    wrong.write_text(json.dumps(proof), encoding="utf-8")
    assert verify(right) == 0
    assert verify(wrong) == 1
    assert said in capsys.readouterr().err


def test_words_of_a_round_that_nobody_knows_are_not_vouched_for(tmp_path, capsys):
    """Its lemmas are checked and printed; a promise of 0 in its words is not, and that is said."""
    proof = json.loads((FOLDER / "ef21.json").read_text(encoding="utf-8")) | {"id": "another round"}
    file = tmp_path / "round.json"
    proof["says"]["theorem"] = "mean_t E|grad f(x_t)|^2 <= 0"
    file.write_text(json.dumps(proof), encoding="utf-8")
    assert verify(file) == 0
    out = capsys.readouterr().out
    assert "in words is not compared" in out
    assert "<= 0" not in out
