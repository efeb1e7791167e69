"""The documentation of methods says what the code says, and its worked example works."""

import importlib.util
import re
import sys
from fnmatch import fnmatch
from pathlib import Path

import numpy as np
import pytest
from method_harness import Record
from method_problems import PlainRidge

from boundcheck.bounds import BOUNDS
from boundcheck.engine import METRICS, simulate
from boundcheck.methods import METHODS
from boundcheck.methods.fedavg import FedAvg

DOCS = Path(__file__).parents[2] / "docs"


def rows(name):
    """Return the cells of the first table of a page, without its two heading lines."""
    page = (DOCS / name).read_text()
    lines = page[page.index("\n|") :].lstrip().split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines[2:]]


@pytest.mark.derived
def test_table_of_methods_is_that_of_the_cards():
    """docs/methods/index.md lists every method with cost, participation, needs and the bounds that speak of it."""
    table = {row[1].strip("`"): row for row in rows("methods/index.md")}
    assert list(table) == list(METHODS)
    for name, (_, _, paper, gradients, up, down, client, server, partial, needs, cost, bounds, _) in table.items():
        card = METHODS[name].card
        assert (paper, gradients, up, down) == (card.paper, card.gradients, card.up, card.down)
        assert cost == ("" if card.cost is None else str(card.cost))
        assert (client, server) == (card.client, card.server)
        assert (partial == "yes") == card.partial
        assert needs == ", ".join(card.needs)
        pattern = bounds.replace("\\*", "*")
        assert {bound for bound in BOUNDS if fnmatch(bound, pattern)} >= {b for b in BOUNDS if BOUNDS[b].method == name}
        assert bool(pattern) == any(b.method == name for b in BOUNDS.values())


def test_table_of_metrics_is_complete():
    """docs/engine.md lists every metric and where it is measured."""
    table = {name.removesuffix("(z)"): row[1] for row in rows("engine.md") for name in row[0].split(", ")}
    assert {name: place == "every local step" for name, place in table.items()} == {
        name: metric.local for name, metric in METRICS.items()
    }


def blocks(name):
    return re.findall(r"```python\n(.*?)```", (DOCS / name).read_text(), flags=re.DOTALL)


@pytest.fixture
def example(tmp_path, monkeypatch):
    """Import the method file of docs/add-a-method.md under the name it would have."""
    path = tmp_path / "heavy_ball.py"
    path.write_text(blocks("add-a-method.md")[0])
    spec = importlib.util.spec_from_file_location("boundcheck.methods.heavy_ball", path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def test_worked_example_agrees_with_its_reference(example):
    """The method of docs/add-a-method.md is its own straight-line reference to 1e-12, and FedAvg at beta = 0."""
    namespace = {}
    exec(blocks("add-a-method.md")[1], namespace)
    problem = PlainRidge(N=5, d=3, zeta=0.8, sigma=0.7)
    record = Record(problem)
    run = simulate(problem, example.FedAvgHeavyBall(eta=0.1, beta=0.5), K=3, T=4, S=2, lanes=1)
    g, active = record.samples(0, 3, 0), record.active(0, 3, 4, 0)
    path = namespace["_fedavg_heavy_ball"](problem.start, g, active, 3, eta=0.1, beta=0.5)
    np.testing.assert_allclose(run.final[0], path[-1], rtol=0, atol=1e-12)
    still = simulate(problem, example.FedAvgHeavyBall(eta=0.1, beta=0.0), K=3, T=4, S=2, lanes=1)
    plain = simulate(problem, FedAvg(eta=0.1), K=3, T=4, S=2, lanes=1)
    np.testing.assert_allclose(still.final, plain.final, rtol=0, atol=1e-13)


@pytest.mark.usefixtures("example")
@pytest.mark.parametrize(("page", "block"), [("add-a-method.md", 2), ("engine.md", 0), ("engine.md", 1)])
def test_code_of_the_pages_runs(page, block, capsys):
    """The runnable snippets of the pages run as they stand."""
    exec(blocks(page)[block], {})
    assert "nan" not in capsys.readouterr().out
