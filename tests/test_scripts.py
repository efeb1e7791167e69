"""The scripts to copy run, return tables that make sense, and are listed."""

import contextlib
import importlib.util
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted((ROOT / "scripts").glob("sweep_*.py"))
FED = {"sweep_plot", "sweep_dask"}
"""Scripts whose `main` needs something: a table, an address."""


@pytest.fixture
def load():
    """Return a function that imports a script under its own name, for as long as the test runs."""
    names = []

    def loaded(path):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        names.append(path.stem)
        spec.loader.exec_module(module)
        return module

    yield loaded
    for name in names:
        sys.modules.pop(name, None)


def test_scripts_are_short_and_listed():
    """docs/sweep.md has a row for every script, and none is longer than 40 lines."""
    page = (ROOT / "docs" / "sweep.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(sweep_\w+)\.py` \|", page, flags=re.MULTILINE)) == {p.stem for p in SCRIPTS}
    assert len(SCRIPTS) >= 12
    assert [p.name for p in SCRIPTS if len(p.read_text(encoding="utf-8").splitlines()) > 40] == []


@pytest.mark.parametrize("path", [p for p in SCRIPTS if p.stem not in FED], ids=lambda p: p.stem)
def test_a_script_returns_a_table(path, load):
    """A short run gives a table with rows, numbers that are finite, and at least two different ones."""
    table = load(path).main(T=8)
    assert len(table) >= 2
    numbers = table.select_dtypes("number")
    if path.stem != "sweep_grid":
        assert np.isfinite(numbers.to_numpy()).all()
    assert numbers.iloc[:, -1].nunique() > 1 or path.stem in {"sweep_grid", "sweep_memory"}


def test_a_table_of_a_sweep_is_drawn(load):
    """A line and a dashed bound for every N, a panel for every K."""
    table = load(ROOT / "scripts" / "sweep_grid.py").main(T=8)
    figure = load(ROOT / "scripts" / "sweep_plot.py").main(table)
    assert [len(axes.lines) for axes in figure.axes] == [6, 6]
    measured = table[(table["N"] == 2) & (table["K"] == 1)]["measured"].to_numpy()
    assert np.array_equal(figure.axes[0].lines[0].get_ydata(), measured)


def test_the_cluster_script_runs_on_any_executor(load, monkeypatch):
    """With threads in the place of a cluster the verdicts are those of a sweep in this process."""
    script = load(ROOT / "scripts" / "sweep_dask.py")

    @contextlib.contextmanager
    def threads(address, folder):
        assert address == "tcp://host:8786"
        assert folder.is_dir()
        with ThreadPoolExecutor(1) as executor:
            yield executor

    monkeypatch.setattr(script, "dask_executor", threads)
    table = script.main("tcp://host:8786", T=8)
    assert list(table["T"]) == [4, 8, 4, 8]
    assert np.isfinite(table["measured"]).all()


def test_the_compared_bits_are_those_of_the_codes(load):
    """FedPAQ on d = 16 clients of eight: T (up + 64 d) bits with 64 + d ceil(log2(2 s + 1)) up."""
    table = load(ROOT / "scripts" / "sweep_quantiser.py").main(T=4).set_index(["method", "quantiser"])["bits"]
    d = table["fedpaq", "none"] / (4 * 2 * 64)
    assert table["fedpaq", "qsgd-7"] == 4 * (64 + 4 * d + 64 * d)
    assert table["fedpaq", "qsgd-1"] == 4 * (64 + 2 * d + 64 * d)
