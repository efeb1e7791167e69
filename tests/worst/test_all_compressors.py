"""EF21 for all compressors and all steps: proved, refused when spoiled, obeyed by runs."""

import copy
from fractions import Fraction

import numpy as np
import pytest

from boundcheck.errors import InputError
from boundcheck.proofs.kernel.all_steps import check
from boundcheck.worst.theorems.all_steps.compressed import sharpen_ef21


@pytest.fixture(scope="module")
def ef21():
    """Return the theorem for gamma <= p/(2 L)."""
    return sharpen_ef21()


def test_it_is_proved_and_below_the_published_descent(ef21):
    """At most 8/5 Delta/(gamma T) + 8/5 U0/(p T), where 2 and 1 are published up to twice the step."""
    assert 1 / ef21.rate <= Fraction(8, 5)
    assert ef21.start / ef21.rate <= Fraction(8, 5)
    assert "U0" in check(ef21.proof)[-1]
    with pytest.raises(InputError, match="up-to = '1'"):
        sharpen_ef21(up_to=Fraction(1))


SPOILED = {
    "rate": lambda p: p.update(rate="3/4"),
    "start": lambda p: p["first"].update(U0="1/4*p^-1"),
    "contraction": lambda p: p["contractions"][0].update(factor="(1 - p)"),
    "error": lambda p: p["contractions"][0].update(old="2*u - p*c*w"),
    "step": lambda p: p["box"].update(c=["0", "2"]),
    "potential": lambda p: p.update(potential=p["potential"].replace("*f +", "*2*f +")),
    "direction": lambda p: p["points"][1].update(x="-1*p*c*mean(g + 2*u)"),
    "no contraction": lambda p: p.pop("contractions"),
}


@pytest.mark.parametrize("what", SPOILED)
def test_a_spoiled_file_is_refused(ef21, what):
    """Each class of number and each hypothesis, changed once."""
    spoiled = copy.deepcopy(ef21.proof)
    SPOILED[what](spoiled)
    with pytest.raises((ValueError, LookupError)):
        check(spoiled)


def test_runs_obey_it(ef21):
    """Compressors that shrink, stretch or drop coordinates by exactly what they may, on random quadratic problems."""
    rng, ratios = np.random.default_rng(2), []
    for _ in range(200):
        d, N, T = (int(rng.integers(1, high)) for high in (5, 4, 12))
        A = [np.diag(rng.uniform(-0.3, 1, d)) for _ in range(N)]
        low = np.diag(sum(A) / N).min()
        if low < 0.05:
            A = [(a + (0.05 - low) * np.eye(d)) / (1.05 - low) for a in A]
        b, mean = rng.normal(size=(N, d)), sum(A) / N
        minimiser = -np.linalg.solve(mean, b.mean(0))
        s = float(rng.uniform(0, 0.95))
        p = 1 - s
        gamma = p * float(rng.uniform(0.05, 0.5))
        sign = float(rng.choice([-1, 1]))
        x = rng.normal(size=d) * 3
        delta = 0.5 * (x - minimiser) @ mean @ (x - minimiser)
        held = [a @ x + c + rng.normal(size=d) for a, c in zip(A, b, strict=True)]
        at_start = np.mean([np.sum((h - a @ x - c) ** 2) for h, a, c in zip(held, A, b, strict=True)])
        measured = []
        for _ in range(T):
            measured.append(float(np.sum((mean @ (x - minimiser)) ** 2)))
            x = x - gamma * sum(held) / N
            # E|C(v) - v|^2 = s^2 |v|^2: v is shrunk or stretched.
            held = [h + (1 + sign * s) * (a @ x + c - h) for h, a, c in zip(held, A, b, strict=True)]
        right = (delta / gamma + float(ef21.start) * at_start / p) / T / float(ef21.rate)
        ratios.append(np.mean(measured) / right)
    assert max(ratios) <= 1
    assert max(ratios) > 1 / 8
