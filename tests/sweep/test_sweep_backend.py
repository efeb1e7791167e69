"""What computes a cell is said in its file and changes its numbers by rounding alone."""

import numpy as np
import pytest
from sweep_recipes import all_cells, small

from boundcheck.engine.backends import has_jax
from boundcheck.errors import InputError
from boundcheck.sweep import Store, run_sweep
from boundcheck.sweep.cells import bundles
from boundcheck.sweep.cells.arrays import read_arrays

pytestmark = pytest.mark.skipif(not has_jax(), reason="the extra jax is not installed")


def filled(folder, recipe, cells, **options):
    """Return a store with these cells, and what their files say computed them."""
    store = Store(folder)
    for bundle in bundles.bundle_cells(cells):
        bundles.run_bundle(bundle, store, **options)
    said = {read_arrays(store.path(c).read_bytes())[1]["backend"] for c in cells}
    return store, {word.split()[0] for word in said}


def test_a_compiled_sweep_has_the_numbers_of_numpy(tmp_path):
    """The same cells, read from either store; a result of one backend counts for a sweep on the other."""
    recipe = small(tmp_path)
    cells = list(dict.fromkeys(all_cells(recipe)))[:4]
    plain, by_numpy = filled(tmp_path / "numpy", recipe, cells)
    compiled, by_jax = filled(tmp_path / "jax", recipe, cells, backend="jax")
    assert (by_numpy, by_jax) == ({"numpy"}, {"jax"})
    for cell in cells:
        for metric, values in plain.read(cell).average.items():
            np.testing.assert_allclose(compiled.read(cell).average[metric], values, rtol=1e-12)
    assert all(map(compiled.has, cells))


def test_auto_compiles_what_is_long(tmp_path, monkeypatch):
    """Nothing of a small recipe is worth it, until the limit says so."""
    recipe = small(tmp_path)
    cells = list(dict.fromkeys(all_cells(recipe)))[:1]
    assert filled(tmp_path / "short", recipe, cells, backend="auto")[1] == {"numpy"}
    monkeypatch.setattr(bundles, "_LONG", 0.0)
    assert filled(tmp_path / "long", recipe, cells, backend="auto")[1] == {"jax"}
    monkeypatch.setattr(bundles, "has_jax", lambda: False)
    assert filled(tmp_path / "absent", recipe, cells, backend="auto")[1] == {"numpy"}


def test_what_cannot_be_compiled_runs_on_numpy(tmp_path, monkeypatch):
    """A sweep goes on with numpy where the compiler refuses."""
    from boundcheck.engine.compiled import block

    def refuse(*_):
        msg = "not today"
        raise TypeError(msg)

    monkeypatch.setattr(block, "program_for", refuse)
    recipe = small(tmp_path)
    cells = list(dict.fromkeys(all_cells(recipe)))[:1]
    assert filled(tmp_path / "store", recipe, cells, backend="jax")[1] == {"numpy"}


def test_a_backend_that_is_none_is_named(tmp_path):
    """Before any cell runs."""
    with pytest.raises(InputError, match="backend = 'cuda' is not legal: one of auto, numpy, jax"):
        run_sweep(small(tmp_path), Store(tmp_path / "store"), workers=1, backend="cuda")
