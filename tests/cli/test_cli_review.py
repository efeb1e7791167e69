"""The command review: one screen, pages, exit codes, drafts from LaTeX; what stands beside a theorem's file."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from cli_calls import called, parsed

from boundcheck import check, load_problem
from boundcheck.bounds import BOUNDS
from boundcheck.errors import InputError
from boundcheck.evidence.search.suitable import families_beside
from boundcheck.files import own

LITTLE = ("--work", "3000")
THEOREM = """
from sympy import Eq, Le
from boundcheck.bounds import Bound, Condition
from boundcheck.notation import symbols
N, S, K, T, L, Delta = symbols("N S K T L Delta")
TRUE = Bound(
    id="descent", paper="mine", title="Descent", where="Beck, Teboulle 2009, Theorem 4.4",
    method="sgd", metric="server_gradient", exact_gradients=True, rigid=True,
    needs=("L", "Delta"), parameters={"eta": 1 / L}, terms={"gap": FACTOR * L * Delta / T}, trivial=2 * L * Delta,
    conditions=(Condition("one local step", Eq(K, 1)), Condition("all clients", Le(N, S))),
)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("true.py").write_text(THEOREM.replace("FACTOR", "2"))
    Path("half.py").write_text(THEOREM.replace("FACTOR", "1"))
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_one_screen(capsys):
    """A theorem of a file is reviewed at K = 1, although nobody said so; progress does not stand in the answer."""
    code, out, _ = called(capsys, "review", "true.py:TRUE", *LITTLE)
    assert code == 0
    assert out.splitlines()[0].endswith("not contradicted")
    for words in ("hypotheses", "one local step: K = 1", "can the conditions be met", "not asked", "K = 1, T = "):
        assert words in out
    assert "K = 4" not in out
    assert len(out.splitlines()) < 60


@pytest.mark.usefixtures("folder")
def test_a_false_one_ends_with_one(capsys):
    """With --fail-on alone; the script of the counterexample runs without this package."""
    code, out, _ = called(capsys, "review", "half.py:TRUE", *LITTLE, "--fail-on", "violated")
    assert code == 1
    assert "✗ false as printed" in out
    assert "import numpy as np" in out
    assert "from boundcheck" not in out
    assert called(capsys, "review", "half.py:TRUE", *LITTLE)[0] == 0
    assert called(capsys, "review", "true.py:TRUE", *LITTLE, "--fail-on", "violated")[0] == 0


@pytest.mark.usefixtures("folder")
def test_json_and_pages(capsys):
    found = parsed(capsys, "review", "half.py:TRUE", *LITTLE, "-o", "half.pdf")
    assert found["verdict"] == "violated"
    assert found["search"]["factors"]["gap"] == pytest.approx(2, rel=0.05)
    assert Path("half.pdf").read_bytes().startswith(b"%PDF")
    code, _, err = called(capsys, "review", "half.py:TRUE", "-o", "half.txt")
    assert (code, "half.txt" in err) == (2, True)
    code, _, err = called(capsys, "review", "nothing-of-this-name")
    assert (code, "nothing-of-this-name" in err) == (2, True)


@pytest.mark.usefixtures("folder")
def test_drafts_from_latex(capsys):
    """A line with a letter that is not known is written and not reviewed; a known one is reviewed."""
    code, out, _ = called(capsys, "review", "a.py", "--latex", r"\|\nabla f(x_T)\|^2 \le \sigma_g^2")
    assert (code, "sigma_g: not a letter" in out, "measured" in out) == (0, True, False)
    known = r"\frac{1}{T}\sum_t \|\nabla f(x_t)\|^2 \le \frac{2L(f(x_0)-f^*)}{T}"
    code, out, _ = called(capsys, "review", "b.py", "--latex", known, *LITTLE)
    assert (code, "measured" in out) == (0, True)
    assert "ASK" in Path("b.py").read_text()
    code, _, err = called(capsys, "new", "theorem", "b.py", "--latex", known)
    assert (code, "does not exist yet" in err) == (2, True)
    code, _, err = called(capsys, "new", "method", "c.py", "--latex", known)
    assert (code, "--latex" in err) == (2, True)
    Path("line.tex").write_text(f"$${known}$$")
    assert called(capsys, "new", "theorem", "d.py", "--latex", "line.tex")[0] == 0
    assert Path("d.py").is_file()


BESIDE = """
from dataclasses import dataclass
from typing import Any, NamedTuple
from sympy import Eq
from beside_constants import HALF
from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector
from boundcheck.notation import symbols
from boundcheck.problems.own import from_functions
N, K, T, L, Delta = symbols("N K T L Delta")
class Point(NamedTuple):
    x: Vector
@dataclass(frozen=True)
class Mine(Method):
    card = Card("mine", "mine", "mine", "-", gradients="1 full", partial=False)
    state_type = Point
    eta: Step = 0.1
    def round(self, oracle: Oracle, state: Any) -> Point:
        return Point(state.x - self.eta * oracle.mean(oracle.full(oracle.to_clients(state.x))))
def HILL(N: int, steep: float = 1.0):
    return from_functions(lambda i, x: steep * float(x @ x) / 2, lambda i, x: steep * x, N=N, d=1, start=[1.0],
                          constants={"L": steep, "f_star": 0.0})
def rate(N): return 1 / N
THEOREM = Bound(
    id="mine", paper="mine", title="mine", where="here", method="Mine", metric="server_gradient", needs=("L", "Delta"),
    parameters={"eta": 1 / L}, terms={"gap": 2 * L * Delta / T}, trivial=2 * L * Delta,
    conditions=(Condition("one", Eq(K, 1)),), exact_gradients=True, rigid=True,
)
"""


@pytest.fixture
def beside(tmp_path, monkeypatch):
    (tmp_path / "beside_theorem.py").write_text(BESIDE)
    (tmp_path / "beside_constants.py").write_text("HALF = 0.5\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(own, "_BESIDE", {})
    yield tmp_path
    for name in ("beside_theorem", "beside_constants"):
        sys.modules.pop(name, None)


@pytest.mark.usefixtures("beside")
def test_a_module_beside_the_file_is_imported(capsys):
    """And nothing else of the folder: a numpy.py there does not run."""
    Path("numpy.py").write_text("raise SystemExit('ran')\n")
    code, out, err = called(
        capsys, "check", "beside_theorem.py:THEOREM", "quadratic-tilt[zeta=0]", "--N", 1, "--K", 1, "--T", 4
    )
    assert (code, err) == (0, "")
    assert "holds" in out


@pytest.mark.usefixtures("beside")
def test_the_problems_of_a_theorems_file_are_searched():
    """A function of N that makes no problem is none."""
    assert families_beside(BOUNDS["beside_theorem.py:THEOREM"]) == ["beside_theorem.py:HILL"]
    assert families_beside(BOUNDS["field.gd-best"]) == []


@pytest.mark.usefixtures("beside")
def test_two_modules_of_one_name_are_refused(tmp_path):
    """The second would silently be the first."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "beside_theorem.py").write_text(BESIDE)
    (other / "beside_constants.py").write_text("HALF = 0.25\n")
    assert BOUNDS["beside_theorem.py:THEOREM"].id == "beside_theorem.py:THEOREM"
    with pytest.raises(InputError, match=r"beside_constants.*one module of that name"):
        BOUNDS[f"{other}/beside_theorem.py:THEOREM"]


def test_python_finds_a_method_of_the_same_file(beside, monkeypatch):
    """A theorem that a program imports names its method as it is called there."""
    monkeypatch.syspath_prepend(str(beside))
    import beside_theorem

    problem = load_problem("quadratic-tilt", N=1, zeta=0.0)
    assert check(beside_theorem.THEOREM, problem, K=1, T=4).verdict == "holds"
    fewer = replace(beside_theorem.THEOREM, terms={"gap": beside_theorem.THEOREM.terms["gap"] / 2})
    assert check(fewer, problem, K=1, T=4).verdict == "violated"
