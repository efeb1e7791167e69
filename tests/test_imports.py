"""The modules that a module needs are those that it imports at run time."""

import sys

import pytest

from boundcheck.files.imports import closure
from boundcheck.files.sources import source_hash


def test_the_closure_follows_imports_and_not_types():
    """`atomic` imports `errors`; `engine.run` names `problems.base` for types only."""
    assert closure(["boundcheck.files.atomic"]) == {"boundcheck.files.atomic", "boundcheck.errors"}
    assert closure(["boundcheck.engine.run"]) - {"boundcheck.files.display", "boundcheck.files.pictures"} == {
        "boundcheck.engine.run",
        "boundcheck.errors",
    }


def test_imports_inside_functions_count():
    """`proofs.ledger` imports `processes` where it is used."""
    assert "boundcheck.workers.processes" in closure(["boundcheck.proofs.ledger.ledger"])


def test_a_package_of_the_users_is_followed(tmp_path, monkeypatch):
    """Relative and absolute imports of its own package count, foreign ones do not."""
    package = tmp_path / "theirs_of_test"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "theorem.py").write_text("import numpy as np\nfrom . import letters\nfrom .steps import eta\n")
    (package / "letters.py").write_text("from boundcheck.files.atomic import whole\n")
    (package / "steps.py").write_text("import theirs_of_test.deep\neta = 1\n")
    (package / "deep.py").write_text("")
    (package / "apart.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    own = {f"theirs_of_test.{name}" for name in ("theorem", "letters", "steps", "deep")}
    assert closure(["theirs_of_test.theorem"]) == own | {"boundcheck.files.atomic", "boundcheck.errors"}


@pytest.fixture
def heavy(tmp_path, monkeypatch):
    """Make a package that cannot be imported, with a module that imports in all kinds of places."""
    package = tmp_path / "heavy_of_test"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError\n")
    (package / "light.py").write_text(
        """import typing
try:
    from . import tried
except ImportError:
    from . import caught
else:
    from . import going
match len("x"):
    case 1:
        with open("y"):
            from . import inner
if typing.TYPE_CHECKING:
    from . import named
else:
    from . import run
"""
    )
    for name in ("tried", "caught", "going", "inner", "named", "run"):
        (package / f"{name}.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    return "heavy_of_test"


def test_imports_in_every_kind_of_statement_count(heavy):
    """Handlers, cases, blocks of with and the other branch of what is for types hold imports."""
    found = {f"{heavy}.{name}" for name in ("light", "tried", "caught", "going", "inner", "run")}
    assert closure([f"{heavy}.light"]) == found


def test_no_package_runs_for_its_source(heavy):
    """A package that costs a second, or fails, is read and not run."""
    assert len(source_hash(closure([f"{heavy}.light"]))) == 64
    assert heavy not in sys.modules
