"""Quantisers are unbiased with the variance that they claim; those of one's own are tested alike, and found out."""

from dataclasses import dataclass

import numpy as np
import pytest

from boundcheck.engine import simulate
from boundcheck.engine.compressors import examine_quantiser
from boundcheck.errors import InputError
from boundcheck.methods import METHODS
from boundcheck.methods.field.ef21 import top
from boundcheck.methods.quantise import Quantiser, quantiser_named
from boundcheck.problems import load_problem

OWN = """
import numpy as np
from boundcheck.methods.quantise import Quantiser


class RandK(Quantiser):
    def __init__(self, k=4, claimed=None):
        self.k, self.claimed = k, claimed

    def __call__(self, oracle, z):
        d = z.shape[-1]
        rank = oracle.uniform(*z.shape[1:]).argsort(axis=-1).argsort(axis=-1)
        return np.where(rank < self.k, z * d / self.k, 0.0)

    def q(self, d):
        return d / self.k - 1 if self.claimed is None else self.claimed


TOO_SURE = RandK(claimed=1.0)
NUMBER = 3
"""


@dataclass(frozen=True)
class TopK(Quantiser):
    """Biased."""

    k: int = 2

    def __call__(self, oracle, z):
        return top(oracle.xp, z, self.k)

    def q(self, d):
        return 1.0


@pytest.fixture
def own(tmp_path):
    """Return a file with a quantiser of one's own."""
    path = tmp_path / "mine.py"
    path.write_text(OWN, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", ["none", "qsgd-1", "qsgd-4", "dropout-0.3", "flip-2"])
def test_shipped_quantisers_are_what_they_claim(name):
    """Dropout and flips reach their q at every vector."""
    rows = examine_quantiser(name, d=9)
    assert all(row.ok for row in rows), rows
    if name.startswith(("dropout", "flip")):
        assert [row.variance for row in rows] == pytest.approx([row.claimed for row in rows], rel=0.1)


def test_one_of_ones_own_runs_and_is_judged(own):
    """rand-k has q = d/k - 1, reached; half of it is refuted, and top-k is biased."""
    rows = examine_quantiser(f"{own}:RandK", d=12)
    assert all(row.ok for row in rows)
    assert rows[1].variance == pytest.approx(2.0, rel=0.1)
    assert not all(row.ok for row in examine_quantiser(f"{own}:TOO_SURE", d=12))
    biased = {row.vector: row.ok for row in examine_quantiser(TopK(), d=12)}
    assert biased == {row: row == "one coordinate" for row in biased}
    problem = load_problem("ridge-ratio[d=12]", N=3)
    run = simulate(problem, METHODS["fedpaq"](eta=0.1, quantiser=f"{own}:RandK"), K=1, T=2, lanes=2)
    moved = run.final - problem.start
    assert np.isfinite(moved).all()
    assert (np.abs(moved) > 0).any()


def test_what_is_no_quantiser_is_refused(own):
    """With what the file has."""
    with pytest.raises(InputError, match="it has RandK, TOO_SURE"):
        quantiser_named(f"{own}:NUMBER")
    with pytest.raises(InputError, match=r"file\.py:NAME, none"):
        quantiser_named("half")
    with pytest.raises(InputError, match="draws"):
        examine_quantiser("none", draws=1)
