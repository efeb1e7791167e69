"""A report on a theorem of one's own: its name, and a status that comes from the report's own runs."""

import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.report import pages
from boundcheck.report.theorems import form, theorem_of
from boundcheck.sweep import Recipe, Store, Study, collect, run_sweep
from boundcheck.verdicts.status import of_bound, run_here

pytestmark = pytest.mark.xdist_group("report")

OWN = """from sympy import Eq
from boundcheck.bounds import Bound, Condition
from boundcheck.notation import symbols
K, L, Delta, T, eta = symbols("K L Delta T eta")
TRUE = Bound(
    id="TRUE", paper="mine", title="Descent with steps of 1/L", where="Theorem 7, page 3", method="fedavg",
    metric="server_gradient", needs=("L", "Delta"), parameters={"eta": 1 / L}, terms={"descent": 2 * L * Delta / T},
    trivial=2 * L * Delta, conditions=(Condition("one local step", Eq(K, 1)),),
)
MOVED = Bound(
    id="MOVED", paper="mine", title="Descent, any step", where="Theorem 9", method="fedavg",
    metric="server_gradient", needs=("L", "Delta"), parameters={"eta": 1 / L},
    terms={"descent": 2 * Delta / (eta * T)}, trivial=2 * L * Delta,
    conditions=(Condition("one local step", Eq(K, 1)),),
)
FALSE = Bound(
    id="FALSE", paper="mine", title="Descent, too fast", where="Theorem 8", method="fedavg",
    metric="server_gradient", needs=("L", "Delta"), parameters={"eta": 1 / L},
    terms={"descent": L * Delta / (100 * T)}, trivial=2 * L * Delta,
)
"""


def documented(folder, name, **more):
    """Return the print of a report on one cell of gradient descent."""
    where = {"problem": "quadratic", "parameters": {"sigma": 0.0}, "N": [2], "K": [1], "T": [4], **more}
    study = Study(id="own", title="Own", bounds=[f"own.py:{name}"], **where)
    recipe, store = Recipe(title="Own", study=[study], replicates=4, claims=[]), Store(folder / "store")
    run_sweep(recipe, store, workers=1)
    return pages.document(recipe, collect(recipe, store), folder, claims=[], name="own")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with two theorems in a file."""
    (tmp_path / "own.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_theorem_that_the_runs_violate_is_false_in_their_report(folder):
    """Went wrong: it was open, as if nothing had been measured."""
    source = documented(folder, "FALSE")
    assert "Of one statement, *one is false as printed*." in source
    assert "times its right-hand side" in source
    assert of_bound("own.py:FALSE").status == "open"


def test_a_violation_at_another_step_than_the_prescribed_one_is_not_the_statement(folder):
    """Of 2 Delta/(eta T) at eta = 1/L, a step of 3/L says that the step is not free."""
    source = documented(folder, "MOVED", overrides={"eta": 3.0})
    assert '#badge("false at other parameters")' in source
    assert "is false as printed" not in source
    assert "false at other parameters" not in documented(folder, "MOVED")


def test_a_theorem_that_the_runs_do_not_contradict_has_its_looseness(folder):
    """Went wrong: 'no are false', status open, no looseness, 'py:TRUE' for a name and the title twice."""
    source = documented(folder, "TRUE")
    assert "*The statement is not false as printed.*\n\n*How loose.* What stands is loose by a factor of" in source
    assert '#badge("open")' not in source.partition("#note[")[0]
    assert '== #"Theorem 7";: #"Descent with steps of 1/L";' in source
    assert "py:TRUE" not in source.replace("own.py:TRUE", "")


def test_names_of_forms():
    """What follows the paper, or the file."""
    assert [form(name) for name in ("momentum-fl.theorem11S", "own.py:MINE", "package.module:MINE", "mine")] == [
        "theorem11S",
        "MINE",
        "MINE",
        "mine",
    ]


def test_runs_do_not_change_a_status_that_ships():
    """Of a registered bound the shipped word counts, whatever a report ran."""
    name = "momentum-fl.theorem11"
    with run_here({"here": {name: "violated", "own.py:OTHER": "violated"}}):
        assert of_bound(name).status == "proved"
        assert of_bound("own.py:OTHER").status == "false as printed"
        assert of_bound("own.py:OTHER").because == ("study:here",)
    assert of_bound("own.py:OTHER").status == "open"


def test_a_theorem_is_named_by_where_it_stands(folder):
    """Theorems of the papers keep their numbers."""
    assert (theorem_of("own.py:TRUE").name, theorem_of("own.py:FALSE").name) == ("Theorem 7", "Theorem 8")
    assert theorem_of("momentum-fl.theorem11").name == "Theorem 1 (= 11)"
    assert BOUNDS["own.py:TRUE"].where == "Theorem 7, page 3"
