"""A result file counts only as what it was written for; everything else is set aside and runs again."""

import io
import json
import os
import random
import shutil
import sys
import tracemalloc
import zipfile

import numpy as np
import pytest
from sweep_recipes import all_cells, small

from boundcheck.errors import InputError
from boundcheck.sweep import Store, run_sweep
from boundcheck.sweep.cells import identity
from boundcheck.sweep.cells.arrays import HEADER, read_arrays, write_arrays

pytestmark = pytest.mark.xdist_group("sweep identity")


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """Return the cells of the small recipe and a store that holds them all."""
    folder = tmp_path_factory.mktemp("identity")
    recipe, store = small(folder), Store(folder / "store")
    run_sweep(recipe, store, workers=1)
    return recipe, list(dict.fromkeys(all_cells(recipe))), store


@pytest.fixture
def copied(done, tmp_path):
    """Return the recipe, two of its cells and a store of its own that holds them."""
    recipe, cells, store = done
    own = Store(tmp_path / "own")
    shutil.copytree(store.folder, own.folder)
    return recipe, cells[:2], own


def names(store, word):
    return sorted(p.name for p in store.folder.glob(f"*.{word}.*"))


def changed_code(monkeypatch):
    """Pretend that the source of a module was edited."""
    monkeypatch.setattr(identity, "code", lambda *modules: "edited")


def test_results_of_changed_code_run_again(copied, monkeypatch):
    """A method with another `round` was answered from results of the old one: same table, nothing ran."""
    recipe, cells, store = copied
    old = store.path(cells[0]).read_bytes()
    changed_code(monkeypatch)
    assert not store.has(cells[0])
    aside = f"{cells[0].id}.code.1.npz"
    assert (store.folder / aside).read_bytes() == old
    again = run_sweep(recipe, store, workers=1)
    assert (again.found, again.ran) == (0, len(set(all_cells(recipe))))
    assert store.has(cells[0])


def test_editing_the_method_changes_the_code(monkeypatch, done, tmp_path):
    """The hash reads the very file of the method: with a `round` that does nothing it is another."""
    from boundcheck.files import sources
    from boundcheck.methods import METHODS

    cell, find = done[1][0], sources._path
    module = METHODS[cell.method].__module__
    edited = tmp_path / "edited.py"
    edited.write_text(find(module).read_text() + "pass\n")
    before = identity.identity(cell)["code"]
    monkeypatch.setattr(sources, "_path", lambda name: edited if name == module else find(name))
    identity.code.cache_clear()
    try:
        assert identity.identity(cell)["code"] != before
    finally:
        identity.code.cache_clear()


def test_only_code_that_the_cell_uses_counts(done):
    """The hash covers engine, method and family with what they import, and nothing of other methods or of the CLI."""
    from boundcheck.files.imports import closure

    ridge = closure([*identity.ENGINE, *identity.modules_of("fedavg", "ridge-ratio")])
    wanted = {"engine.rounds", "engine.block", "methods.fedavg", "methods.local", "methods.base"}
    wanted |= {"problems.synthetic.ridge", "problems.noise.signs", "metrics"}
    assert {f"boundcheck.{name}" for name in wanted} <= ridge
    parts = {name.split(".")[1] for name in ridge}
    assert not parts & {"cli", "report", "sweep", "evidence", "bounds", "proofs"}
    assert "boundcheck.methods.scaffold" not in ridge
    assert "boundcheck.problems.data.logistic" not in ridge


def test_a_module_that_is_imported_is_in_the_closure(done):
    """What the closure says is what Python loads: no module of engine, method or problem escapes the hash."""
    import subprocess
    import sys

    from boundcheck.files.imports import closure

    code = (
        "import sys\nfrom boundcheck.sweep.cells.bundles import run_bundle\n"
        "from boundcheck.methods import METHODS\nfrom boundcheck.problems import load_problem\n"
        "from boundcheck.engine import simulate\nbefore = set(sys.modules)\n"
        "p, m = load_problem('auc-digits', N=2), METHODS['fedlalr']\n"
        "print(*[n for n in sys.modules if n not in before and n.startswith('boundcheck.')])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    packages = {name for name in out if any(other.startswith(f"{name}.") for other in out)}
    assert set(out) - packages <= closure(identity.modules_of("fedlalr", "auc-digits"))


def test_versions_count(copied, monkeypatch):
    """Another numpy draws other numbers: its results run again."""
    _, cells, store = copied
    monkeypatch.setattr(identity, "libraries", lambda **_: {"numpy": "0.0"})
    with pytest.raises(InputError, match=r"written with other versions .*; set aside as \w+\.versions\.1\.npz"):
        store.read(cells[0])
    assert not store.path(cells[0]).exists()


def test_swapped_files_are_caught(copied):
    """Two files under each other's name were accepted: a ratio of 0.348 for 0.116."""
    _, (one, other), store = copied
    a, b = store.path(one), store.path(other)
    first, second = a.read_bytes(), b.read_bytes()
    a.write_bytes(second)
    b.write_bytes(first)
    assert not store.has(one)
    with pytest.raises(InputError, match="it is the result of another cell"):
        store.read(other)
    assert names(store, "id") == sorted([f"{one.id}.id.1.npz", f"{other.id}.id.1.npz"])


def same(a, b):
    pairs = [(a.average, b.average), (a.instant, b.instant)]
    return (
        np.array_equal(a.rounds, b.rounds)
        and a.worst == b.worst
        and all(x.keys() == y.keys() and all(np.array_equal(x[k], y[k]) for k in x) for x, y in pairs)
    )


@pytest.mark.parametrize("flips", [400, pytest.param(4000, marks=pytest.mark.slow)])
def test_a_flipped_bit_is_never_read_as_a_number(flips, copied):
    """One flipped bit: 205 of 400 files were read as other numbers.  Now each is refused, or says what was written."""
    _, (cell, _), store = copied
    path, draw = store.path(cell), random.Random(flips)
    content, truth = path.read_bytes(), store.read(cell)
    refused = 0
    for _ in range(flips):
        bit = draw.randrange(8 * len(content))
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        try:
            assert same(store.read(cell), truth)
        except InputError:
            refused += 1
        for aside in store.folder.glob(f"{cell.id}.*.*.npz"):
            aside.unlink()
    assert refused > flips / 2


@pytest.mark.parametrize("keep", [0, 1, 4, 50, 0.5, -1, -4])
def test_a_truncated_file_counts_as_missing(keep, copied):
    """A file cut off anywhere counted as done, and was refused after the sweep."""
    recipe, (cell, _), store = copied
    path = store.path(cell)
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * keep) if isinstance(keep, float) else keep])
    assert not store.has(cell)
    again = run_sweep(recipe, store, workers=1)
    assert again.ran == 1
    assert path.read_bytes() == content


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes in a folder")
def test_a_pipe_in_the_place_of_a_result_is_not_opened(copied):
    """It was waited for without end."""
    _, (cell, _), store = copied
    store.path(cell).unlink()
    os.mkfifo(store.path(cell))
    with pytest.raises(InputError, match="cannot be read"):
        store.read(cell)


def test_foreign_and_old_files_are_kept_under_their_own_names(copied):
    """Arrays without our header, or with one of before, are set aside; a second one does not overwrite the first."""
    _, (cell, _), store = copied
    path = store.path(cell)
    arrays, _ = read_arrays(path.read_bytes())
    with path.open("wb") as file:
        np.savez(file, **arrays)
    assert not store.has(cell)
    rewrite(path, {"schema": 1}, arrays)
    assert not store.has(cell)
    first, second = b"PK no PK", b"nothing"
    for content in (first, second):
        path.write_bytes(content)
        assert not store.has(cell)
    found = [names(store, word) for word in ("foreign", "old", "damaged")]
    assert found == [
        [f"{cell.id}.foreign.1.npz"],
        [f"{cell.id}.old.1.npz"],
        [f"{cell.id}.damaged.1.npz", f"{cell.id}.damaged.2.npz"],
    ]
    kept = [(store.folder / name).read_bytes() for name in found[2]]
    assert kept == [first, second]


def rewrite(path, header, arrays):
    with path.open("wb") as file:
        write_arrays(file, header, arrays)


def said_to_be_huge(content):
    """Return a file whose first array is said to have a billion numbers, checksums mended."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = next(n for n in parts if n.endswith("/average.npy"))
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (10**9,)})
    parts[name] = file.getvalue() + parts[name][-8:]
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive:
        for key, part in parts.items():
            archive.writestr(key, part)
    return found.getvalue()


def packed(content):
    """Return a file with half a gigabyte of zeros, which take a thousandth of that."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as archive, zipfile.ZipFile(io.BytesIO(content)) as old:
        for name in old.namelist():
            archive.writestr(name, old.read(name))
        with archive.open("a.npy", "w") as member:
            np.lib.format.write_array_header_1_0(
                member, {"descr": "<f8", "fortran_order": False, "shape": (60 * 10**6,)}
            )
            for _ in range(60):
                member.write(bytes(8 * 10**6))
    return found.getvalue()


@pytest.mark.parametrize("change", [packed, said_to_be_huge])
def test_a_small_file_of_very_many_numbers_is_not_unpacked(change, copied):
    """Equal numbers pack a thousandfold, and a length is easily written: half a gigabyte of memory and more."""
    _, (cell, _), store = copied
    path = store.path(cell)
    path.write_bytes(change(path.read_bytes()))
    assert path.stat().st_size < 1_000_000
    tracemalloc.start()
    try:
        assert not store.has(cell)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 20_000_000
    assert names(store, "damaged") == [f"{cell.id}.damaged.1.npz"]


def test_numbers_changed_by_hand_are_caught(copied):
    """Arrays with another number under the old header do not count."""
    _, (cell, _), store = copied
    path = store.path(cell)
    arrays, header = read_arrays(path.read_bytes())
    name = next(n for n in arrays if n.endswith("/average"))
    changed = arrays[name].copy()
    changed[-1, -1] *= 2
    rewrite(path, header, arrays | {name: changed})
    with pytest.raises(InputError, match="truncated or damaged"):
        store.read(cell)


def test_a_result_opens_with_numpy_alone(copied):
    """What a user reads without boundcheck is what was measured; the same result is the same bytes."""
    _, (cell, _), store = copied
    path, measured = store.path(cell), store.read(cell)
    with np.load(path) as file:
        metric = cell.metrics[0]
        assert np.array_equal(file[f"{metric.label}/average"], measured.average[metric.name])
        assert json.loads(file[HEADER])["id"] == cell.id
    content = path.read_bytes()
    arrays, header = read_arrays(content)
    rewrite(path, header, arrays)
    assert path.read_bytes() == content


def test_a_sound_file_is_read_once_and_again_after_a_change(copied, monkeypatch):
    """`has` verifies a file when it sees it first, and when it was written since."""
    _, (cell, other), store = copied
    reads = []
    measured = store.path(cell).read_bytes()
    from boundcheck.sweep.cells import store as store_module

    verify = store_module._read_result
    monkeypatch.setattr(store_module, "_read_result", lambda *a: reads.append(a) or verify(*a))
    assert [store.has(cell) for _ in range(3)] == [True] * 3
    assert len(reads) == 1
    store.path(cell).write_bytes(measured + b"x")
    assert not store.has(cell)
    assert len(reads) == 2
    assert store.has(other)
