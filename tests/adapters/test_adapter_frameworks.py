"""The adapters of docs/maintainers.md, run with the libraries themselves where they are installed."""

import re
from pathlib import Path

import pytest

from boundcheck.conform import compare

torch = pytest.importorskip("torch", reason="needs the extra torch")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
PAGE = (Path(__file__).parents[2] / "docs" / "maintainers.md").read_text(encoding="utf-8")


def adapter(title, name):
    """Return the function of a library's section."""
    section = PAGE.partition(f"## {title} [")[2].partition("\n## ")[0]
    (code,) = re.findall(r"^```text\n(.*?)^```", section, flags=re.DOTALL | re.MULTILINE)
    namespace = {}
    exec(code, namespace)
    return namespace[name]


def test_flower():
    """Its FedAvg weights by sizes, and is FedAvg so."""
    pytest.importorskip("flwr.server.strategy", exc_type=ImportError)
    mine = adapter("flower", "flower")
    assert compare(mine, method="fedavg", weights="sizes").ok
    (sentence,) = compare(mine, method="fedavg").diagnosis
    assert "weighted by their sizes" in sentence


def test_fedlab():
    """Its averages have weights in single precision, which is said."""
    pytest.importorskip("fedlab.contrib.algorithm.scaffold", exc_type=ImportError)
    mine = adapter("FedLab", "fedlab")
    assert compare(mine, method="scaffold", tolerance=1e-6).ok
    (sentence,) = compare(mine, method="scaffold").diagnosis
    assert "single precision" in sentence


def test_fluke():
    """The server step scales the models; at gamma = 1 nothing is left of it."""
    pytest.importorskip("fluke.algorithms.scaffold", exc_type=ImportError)
    mine = adapter("fluke", "fluke")
    (sentence,) = compare(mine, method="scaffold").diagnosis
    assert "gamma multiplies the models" in sentence
    assert compare(mine, method="scaffold", hyper={"gamma": 1.0}).same


def test_pfllib():
    pytest.importorskip("flcore.servers.serverscaffold", exc_type=ImportError)
    assert compare(adapter("PFLlib", "pfllib"), method="scaffold").ok
