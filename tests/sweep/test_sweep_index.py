"""The index of a store: files that were sound are not read again, and nothing else is believed."""

import json
import os
import shutil

import pytest
from sweep_recipes import all_cells, small

from boundcheck.problems import load_problem
from boundcheck.sweep import Store, run_sweep
from boundcheck.sweep.cells import identity, index, store


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """Return cells and a store with an index of them, as a process finds it that did not write it."""
    monkeypatch.setattr(index, "_WORTH", 1)
    recipe = small(tmp_path)
    run_sweep(recipe, Store(tmp_path / "store"), workers=1)
    return all_cells(recipe), Store(tmp_path / "store")


def read_nothing(monkeypatch):
    """Let every read of a file fail."""
    monkeypatch.setattr(store, "_read_result", lambda *_: pytest.fail("a file was read"))


def test_what_was_written_is_not_read_again(copied, monkeypatch):
    """A new process asks for the stamps of the files alone; without the index it reads them."""
    cells, kept = copied
    read_nothing(monkeypatch)
    assert all(map(kept.has, cells))
    (kept.folder / ".index.json").unlink()
    with pytest.raises(pytest.fail.Exception, match="a file was read"):
        Store(kept.folder).has(cells[0])


def test_a_file_that_was_written_since_is_read(copied):
    """One changed byte, the size the same: the file is set aside as damaged."""
    cells, kept = copied
    path = kept.path(cells[0])
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))
    os.utime(path, ns=(0, 1))
    assert not kept.has(cells[0])
    assert kept.has(cells[1])


def test_an_index_of_other_code_is_not_believed(copied, monkeypatch):
    """The method was edited: what is known of its results is of no use."""
    cells, kept = copied
    monkeypatch.setattr(identity, "code", lambda *modules: "edited")
    assert not kept.has(cells[0])


def test_a_copied_store_is_read(copied, tmp_path):
    """Files of another folder have other inodes: their numbers are checked once."""
    cells, kept = copied
    shutil.copytree(kept.folder, tmp_path / "copy")
    path = Store(tmp_path / "copy").path(cells[0])
    path.write_bytes(path.read_bytes()[:-9])
    assert not Store(tmp_path / "copy").has(cells[0])
    assert Store(tmp_path / "copy").has(cells[1])


@pytest.mark.parametrize("content", ["", "[]", "{", json.dumps({"x": 1})])
def test_a_damaged_index_is_no_index(copied, content):
    """Files are read then."""
    cells, kept = copied
    (kept.folder / ".index.json").write_text(content)
    assert Store(kept.folder).has(cells[0])


@pytest.mark.parametrize("noise", ["signs", "finite-phases", "sparse", "skewed"])
def test_samples_are_counted_as_they_are_listed(noise):
    """Two to the power of the bits is the length of the list, wherever bits are told."""
    problem = load_problem("ridge-ratio", N=2, d=2, noise=noise)
    for clients in (1, 2):
        bits = problem.noise.every_bits(clients)
        assert len(problem.noise.every(clients)) == pytest.approx(2**bits)
