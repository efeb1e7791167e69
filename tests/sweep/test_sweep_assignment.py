"""What decides which lane becomes whose number is part of what a result is the result of."""

import os
import shutil
import sys

import pytest
from sweep_recipes import all_cells, small, written

from boundcheck.cli.app import run
from boundcheck.files import sources
from boundcheck.files.imports import closure
from boundcheck.sweep import Store, load_recipe, run_sweep
from boundcheck.sweep.cells import identity
from boundcheck.sweep.cells.bundles import bundle_cells, run_bundle

pytestmark = pytest.mark.xdist_group("sweep assignment")

MINIMAX = """
title = "minimax"
replicates = 2
points = 2
[[study]]
id = "saddle"
title = "saddle"
problem = "ncsc-cosine"
parameters = { sigma = [0.5, 1.0] }
bounds = ["fmgda.theorem1"]
N = [2, 3]
K = [1]
T = [2, 4]
"""


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """Return a recipe with cells that stack, mix and stand alone, its cells, and a store that holds them."""
    folder = tmp_path_factory.mktemp("assignment")
    recipe, store = small(folder), Store(folder / "store")
    run_sweep(recipe, store, workers=1)
    return recipe, list(dict.fromkeys(all_cells(recipe))), store


@pytest.fixture
def forget():
    """Forget the hashes of sources, before and after."""
    identity.code.cache_clear()
    yield identity.code.cache_clear
    identity.code.cache_clear()


def ran_between(cells, folder):
    """Return the modules of boundcheck of which a function is called between cells and the numbers that are read."""
    store, seen = Store(folder), set()

    def note(frame, event, argument):
        seen.add(frame.f_globals.get("__name__", ""))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        for bundle in bundle_cells(cells):
            run_bundle(bundle, store)
        for cell in cells:
            Store(folder).read(cell)
    finally:
        sys.setprofile(before)
    return {name for name in seen if name.startswith("boundcheck.")}


def hashed(cell):
    """Return the modules that the hash in a cell's file covers."""
    modules = identity.modules_of(cell.method, cell.problem)
    return closure([*identity.ENGINE, *modules]) | set(identity.BETWEEN)


@pytest.mark.parametrize("text", [None, MINIMAX])
def test_all_that_runs_is_hashed(text, tmp_path):
    """Each module that takes part, as Python itself says, is one whose edit makes the result another's."""
    recipe = small(tmp_path) if text is None else load_recipe(written(tmp_path, text))
    for method in dict.fromkeys(cell.method for cell in all_cells(recipe)):
        cells = [cell for cell in dict.fromkeys(all_cells(recipe)) if cell.method == method]
        ran = ran_between(cells, tmp_path / method)
        assert "boundcheck.sweep.cells.bundles" in ran
        assert ran <= set.union(*map(hashed, cells)), ran - set.union(*map(hashed, cells))


def test_lanes_were_stacked_and_mixed(done):
    """The recipe asks what it is meant to ask: bundles of several cells, of several problems and numbers of clients."""
    bundles = bundle_cells(done[1])
    assert any(len({cell.parameters for cell in bundle}) > 1 for bundle in bundles)
    assert any(len({cell.setting.N for cell in bundle}) > 1 for bundle in bundles)


@pytest.mark.parametrize("module", identity.BETWEEN)
def test_a_wrong_line_between_leaves_nothing_to_believe(module, done, tmp_path, monkeypatch, forget):
    """A table that a wrong line filled was believed by the line that was mended; here each module has another one."""
    _, cells, store = done
    own = Store(tmp_path / "own")
    shutil.copytree(store.folder, own.folder)
    assert all(map(Store(own.folder).has, cells))
    find, edited = sources._path, tmp_path / "edited.py"
    edited.write_text(find(module).read_text(encoding="utf-8") + "\nWRONG = 1\n", encoding="utf-8")
    monkeypatch.setattr(sources, "_path", lambda name: edited if name == module else find(name))
    forget()
    assert not any(map(Store(own.folder).has, cells))
    assert len(list(own.folder.glob("*.code.1.npz"))) == len(cells)


def test_a_line_elsewhere_changes_nothing(done, tmp_path, monkeypatch, forget):
    """What judges, draws or prints is not part of a result."""
    _, cells, store = done
    find, edited = sources._path, tmp_path / "edited.py"
    edited.write_text("WRONG = 1\n", encoding="utf-8")
    others = {f"boundcheck.{name}" for name in ("sweep.results", "sweep.runner", "evidence.trial", "cli.sweep")}
    monkeypatch.setattr(sources, "_path", lambda name: edited if name in others else find(name))
    forget()
    assert all(map(Store(store.folder).has, cells))


def test_a_class_beside_it_is_another_method(done, monkeypatch):
    """Two methods of one module have the same source, and not the same numbers."""
    cell = done[1][0]
    before = identity.identity(cell)["code"]
    monkeypatch.setattr(identity, "names_of", lambda method, problem: ("Other", "Family"))
    assert identity.identity(cell)["code"] != before


METRIC = """
from boundcheck.metrics import METRICS
import dataclasses
MINE = dataclasses.replace(METRICS["server_gradient"], over="OVER")
"""


def test_the_record_of_a_metric_counts(tmp_path, monkeypatch):
    """A metric of the user's own decides numbers as a method does: its file is hashed."""
    from boundcheck.metrics import METRICS

    monkeypatch.chdir(tmp_path)
    codes = []
    for name, over in (("one", "mean"), ("two", "end"), ("three", "mean")):
        file = tmp_path / f"{name}.py"
        file.write_text(METRIC.replace("OVER", over))
        metric = METRICS[f"{name}.py:MINE"]
        assert metric.over == over
        modules = set(identity._modules_of_metric(metric))
        assert len(modules) == 2
        codes.append(sources.source_hash(modules))
    assert len(set(codes)) == 3


def test_a_store_that_cannot_be_written_is_read(done, tmp_path, monkeypatch, capsys):
    """Where every cell is there nothing is written; where one is missing, that is said before any runs."""
    _, cells, store = done
    own = Store(tmp_path / "own")
    shutil.copytree(store.folder, own.folder)
    file = written(tmp_path)
    asked = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: os.fspath(path) != str(own.folder) and asked(path, mode))
    opened = os.open

    def refuse(path, flags, *rest):
        if flags & os.O_CREAT and str(path).startswith(str(own.folder)):
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, flags, *rest)

    monkeypatch.setattr(os, "open", refuse)
    assert run(["sweep", file, "--store", str(own.folder)]) == 0
    own.path(cells[0]).unlink()
    capsys.readouterr()
    assert run(["sweep", file, "--store", str(own.folder), "--workers", "1"]) == 2
    assert capsys.readouterr() == ("", f"boundcheck: {own.folder}: Permission denied\n")


def test_a_run_removes_what_a_killed_one_left(done, tmp_path):
    """Temporary files of results do not pile up in a store."""
    recipe, cells, store = done
    own = Store(tmp_path / "own")
    shutil.copytree(store.folder, own.folder)
    left = own.folder / f"{cells[0].id}.npz.00000000-7-0.tmp"
    left.touch()
    os.utime(left, (0, 0))
    own.path(cells[0]).unlink()
    run_sweep(recipe, own, workers=1)
    assert not list(own.folder.glob("*.tmp"))
