"""The top-k compressor against its definition, entry by entry."""

import numpy as np
import pytest

from boundcheck.engine.backends import has_jax
from boundcheck.methods.field.top import top


def largest(row, k):
    """Return a row with its k largest entries, the first ones of a tie, by a stable sort of Python's."""
    sent = set(sorted(range(len(row)), key=lambda j: -abs(row[j]))[:k])
    return [value if j in sent else 0.0 for j, value in enumerate(row)]


@pytest.mark.parametrize("k", [1, 2, 3, 7, 8, 9])
@pytest.mark.parametrize("space", ["numpy", "jax"])
def test_the_first_of_the_largest_are_sent(space, k):
    """Integers from -2 to 2 have ties in nearly every row, zeros among them."""
    if space == "jax" and not has_jax():
        pytest.skip("needs JAX")
    xp = np if space == "numpy" else pytest.importorskip("jax.numpy")
    v = np.random.default_rng(k).integers(-2, 3, size=(5, 20, 8)).astype(np.float32)
    expected = [[largest(row, k) for row in lane] for lane in v.tolist()]
    assert np.asarray(top(xp, xp.asarray(v), k)).tolist() == expected


@pytest.mark.parametrize("k", [1, 3])
def test_what_is_no_number_stays_none(k):
    """A client whose vector has no numbers sends none, so that the run is seen to be broken."""
    assert np.isnan(top(np, np.full((1, 1, 4), np.nan), k)).all()
