"""The picture of the structure says who imports whom, and what closes a circle has no picture."""

import graphlib
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
STRUCTURE = runpy.run_path(str(DOCS / "figures" / "structure.py"))


def test_an_arrow_that_follows_from_others_is_left_out():
    graph = {"cli": {"engine", "files"}, "engine": {"files"}, "files": set()}
    assert STRUCTURE["reduce_arrows"](graph) == {"cli": {"engine"}, "engine": {"files"}, "files": set()}
    assert STRUCTURE["levels"](graph) == {"files": 0, "engine": 1, "cli": 2}


def test_a_circle_is_no_structure():
    with pytest.raises(graphlib.CycleError):
        STRUCTURE["reduce_arrows"]({"a": {"b"}, "b": {"a"}})


def test_imports_are_seen_wherever_they_stand(tmp_path):
    (tmp_path / "f.py").write_text(
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from boundcheck.bounds import Bound\n"
        "def f():\n    import boundcheck.engine.run\n    import numpy\n"
    )
    assert list(STRUCTURE["imported_by"](tmp_path / "f.py")) == ["boundcheck.bounds.Bound", "boundcheck.engine.run"]


@pytest.mark.derived
def test_the_pictures_are_those_of_the_imports(tmp_path):
    STRUCTURE["main"](tmp_path)
    for name in STRUCTURE["DRAWINGS"]:
        assert (tmp_path / f"{name}.svg").read_bytes() == (DOCS / "figures" / f"{name}.svg").read_bytes()
