"""The modules that a module needs are those that it imports at run time."""

from boundcheck.imports import closure


def test_the_closure_follows_imports_and_not_types():
    """`atomic` imports `errors`; `engine.run` names `problems.base` for types only."""
    assert closure(["boundcheck.atomic"]) == {"boundcheck.atomic", "boundcheck.errors"}
    assert closure(["boundcheck.engine.run"]) == {"boundcheck.engine.run", "boundcheck.errors"}


def test_imports_inside_functions_count():
    """`lemmas.ledger` imports `processes` where it is used."""
    assert "boundcheck.processes" in closure(["boundcheck.lemmas.ledger"])
