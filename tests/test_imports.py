"""The modules that a module needs are those that it imports at run time."""

from boundcheck.imports import closure


def test_the_closure_follows_imports_and_not_types():
    """`atomic` imports `errors`; `engine.run` names `problems.base` for types only."""
    assert closure(["boundcheck.atomic"]) == {"boundcheck.atomic", "boundcheck.errors"}
    assert closure(["boundcheck.engine.run"]) == {"boundcheck.engine.run", "boundcheck.errors"}


def test_imports_inside_functions_count():
    """`lemmas.ledger` imports `processes` where it is used."""
    assert "boundcheck.processes" in closure(["boundcheck.lemmas.ledger"])


def test_a_package_of_the_users_is_followed(tmp_path, monkeypatch):
    """Relative and absolute imports of its own package count, foreign ones do not."""
    package = tmp_path / "theirs_of_test"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "theorem.py").write_text("import numpy as np\nfrom . import letters\nfrom .steps import eta\n")
    (package / "letters.py").write_text("from boundcheck.atomic import whole\n")
    (package / "steps.py").write_text("import theirs_of_test.deep\neta = 1\n")
    (package / "deep.py").write_text("")
    (package / "apart.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    own = {f"theirs_of_test.{name}" for name in ("theorem", "letters", "steps", "deep")}
    assert closure(["theirs_of_test.theorem"]) == own | {"boundcheck.atomic", "boundcheck.errors"}
