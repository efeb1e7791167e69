"""FedLALR's bounds against the golden table of the paper's specification (Theorem 1, Corollary 1, Theorem 1R)."""

import math

import numpy as np
import pytest

from boundcheck.bounds import BOUNDS

LETTERS = ("eta", "beta1", "eps", "G_inf", "L", "d", "K", "T", "N", "variance", "Delta")
ROW_1 = (0.01, 0.9, 0.5, 1, 1, 10, 5, 1000, 8, 0.1, 2)
GOLDEN = [
    (ROW_1, 27.6245, 10.4501, 3.5663125),
    ((0.01, 0.9, 1, 1, 1, 10, 5, 1000, 8, 0.1, 2), 0.462125, 0.462125, 0.4103125),
    ((0.05, 0, 0.9, 1, 1, 1, 1, 100, 1, 0, 1), 0.4565603942864777, 0.4565603942864777, 0.4026275376758662),
    ((0.02, 0.5, 2, 3, 1.5, 4, 3, 50, 4, 0.25, 7), 53.9045375, 28.0014125, 18.46074453125),
]


def evaluated(name, row, *, b=1, strict=True):
    values = dict(zip(LETTERS, row, strict=True))
    values |= {"S": values["N"], "b": b, "sigma": math.sqrt(b * values.pop("variance"))}
    parameters = {k: values.pop(k) for k in ("eta", "beta1", "eps")}
    bound = BOUNDS[name]
    return bound.evaluate(bound.resolve(values, parameters), strict=strict)


@pytest.mark.parametrize("b", [1, 4])
@pytest.mark.parametrize(("row", "stated", "proof", "repaired"), GOLDEN)
def test_theorem_1_reproduces_the_golden_table(row, stated, proof, repaired, b):
    """Stated, proof and repaired right-hand sides equal the golden table; a minibatch b divides the variance."""
    names = ("fedlalr.theorem1", "fedlalr.theorem1-proof", "fedlalr.theorem1R")
    found = [evaluated(name, row, b=b).rhs for name in names]
    np.testing.assert_allclose(found, (stated, proof, repaired), rtol=1e-12)


def test_terms_of_the_proof_form_equal_the_golden_breakdown():
    """Row 1 of the golden table splits into the eight parts given under it."""
    terms = evaluated("fedlalr.theorem1-proof", ROW_1).terms
    golden = {
        "gap": 0.08,
        "noise": 0.0125,
        "momentum": 5.184,
        "drift": 0.88,
        "adaptivity": 1.32 + 0.36,
        "adaptivity squared": 1.1736 + 1.44,
    }
    assert terms == pytest.approx(golden, rel=1e-12)


def corollary_parts(KT):
    """Return the four groups of terms of Corollary 1 at row 1's constants and eta = sqrt(N/(KT))."""
    row = dict(zip(LETTERS, ROW_1, strict=True)) | {"T": KT / 5, "eta": math.sqrt(8 / KT)}
    t = evaluated("fedlalr.corollary1", tuple(row.values()), strict=False).terms
    return t["gap"] + t["noise"], t["momentum"] + t["drift"], t["adaptivity"], t["adaptivity squared"]


@pytest.mark.parametrize("KT", [1e4, 3e7])
def test_corollary_1_has_the_golden_constants(KT):
    """(C1, C2, C3, C4) = (14, 60640, 8400, 163350) for the four powers of N and KT."""
    powers = (1 / math.sqrt(8 * KT), 8 / KT, 1 / KT, (8 / KT) ** 1.5)
    found = [part / power for part, power in zip(corollary_parts(KT), powers, strict=True)]
    np.testing.assert_allclose(found, (14, 60640, 8400, 163350), rtol=1e-12)


@pytest.mark.parametrize(("part", "threshold"), [(1, 9.61e9), (2, 2.88e6), (3, 7.47e5)])
def test_hidden_thresholds_of_corollary_1(part, threshold):
    """At the golden K T threshold (three digits) the rate term and the other term are equal."""
    parts = corollary_parts(threshold)
    assert parts[part] / parts[0] == pytest.approx(1, rel=5e-3)


def test_first_threshold_of_corollary_1_is_its_condition():
    """K T >= N (20 L/(3 eps))^2 = 1.42e3 (golden) is where the corollary starts to apply."""
    bound = BOUNDS["fedlalr.corollary1"]

    def applies(KT):
        values = {"N": 8, "S": 8, "K": 5, "T": KT / 5, "b": 1, "d": 10, "L": 1, "sigma": 0.3, "Delta": 2, "G_inf": 1}
        return all(c.holds for c in bound.check(bound.resolve(values, {"eps": 0.5})))

    assert not applies(1.41e3)
    assert applies(1.43e3)


def test_prescribed_step_is_the_papers_minimum():
    """Alpha = min(sqrt(N/(KT)), 3 eps/(20 L)) takes the second branch for short runs and the first for long ones."""
    bound = BOUNDS["fedlalr.theorem1"]
    values = {"N": 4, "S": 4, "K": 2, "b": 1, "d": 3, "L": 2.0, "sigma": 1.0, "Delta": 1.0, "G_inf": 1.5}
    assert bound.resolve(values | {"T": 10})["eta"] == pytest.approx(3 * 1.5 / (20 * 2))
    assert bound.resolve(values | {"T": 20000})["eta"] == pytest.approx(math.sqrt(4 / 40000))


@pytest.mark.parametrize("name", ["fedlalr.theorem1", "fedlalr.theorem1-proof", "fedlalr.theorem1R"])
def test_conditions_hold_at_prescribed_parameters(name):
    """Whatever the constants, the prescribed step satisfies its own condition."""
    rng = np.random.default_rng(0)
    bound = BOUNDS[name]
    for _ in range(100):
        N, K, T, d = (int(rng.integers(1, top)) for top in (50, 20, 10**6, 30))
        constants = {k: float(np.exp(rng.normal())) for k in ("L", "sigma", "Delta", "G_inf")}
        resolved = bound.resolve({"N": N, "S": N, "K": K, "T": T, "b": 1, "d": d, **constants})
        assert not bound.evaluate(resolved).unmet
