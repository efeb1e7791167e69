"""A theorem with a letter, a left-hand side and a problem of its own, all in one file outside the package."""

import json
import re
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from cli_calls import called

from boundcheck import certify, check, load_problem
from boundcheck.bounds import BOUNDS
from boundcheck.cli.commands.new import KINDS
from boundcheck.engine import METRICS, simulate
from boundcheck.errors import InputError
from boundcheck.methods import METHODS
from boundcheck.notation import declare
from boundcheck.problems.own import own_letter

FILE = '''
"""A theorem whose left-hand side and whose constant nobody else has."""

import numpy as np
from sympy import Eq

from boundcheck.bounds import Bound, Condition
from boundcheck.metrics import Metric
from boundcheck.notation import symbols
from boundcheck.problems.constants import exact
from boundcheck.problems.own import from_functions, own_letter


def fourth(problem, points):
    """|grad f|^4 at points (n, d)."""
    return (problem.mean_gradient(points[:, None]) ** 2).sum(axis=(1, 2)) ** 2


Q4 = own_letter("Q4", "largest |grad f|^4", unit=(4, -4), attack=fourth)
K, T, L = symbols("K T L")


def energy(problem, method, state):
    """f(x) + |x|^2/2, (lanes,)."""
    return problem.value(state.x) + (state.x**2).sum(axis=(1, 2)) / 2


ENERGY = Metric("energy", "f(x_T) + |x_T|^2/2", None, unit=(1, 0), over="end", state=energy)

THEOREM = Bound(
    id="energy", paper="mine", title="Energy", where="here", method="sgd", metric="ENERGY",
    needs=("L", "Q4"), parameters={"eta": 1 / L}, terms={"slope": Q4 ** (1 / 2) / L}, trivial=Q4 ** (1 / 2) / L,
    conditions=(Condition("one step", Eq(K, 1)),),
)


def PROBLEM(N: int, claimed: float = 1.0):
    """f(x) = sqrt(1 + x^2), slopes below 1."""
    return from_functions(
        lambda client, x: float(np.sqrt(1 + x @ x)), lambda client, x: x / np.sqrt(1 + x @ x), N=N, d=1, start=[2.0],
        constants={"L": exact(1.0, "at 0", np.zeros(1)), "Q4": claimed, "f_star": 1.0, "sigma": 0.0},
    )
'''


@pytest.fixture
def folder(tmp_path, monkeypatch, letters_forgotten):
    """Write the file to the current folder."""
    (tmp_path / "mine.py").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_commands_take_the_file(folder, capsys):
    """The check measures the user's left-hand side: after one step from 2 with eta = 1, x = 2 - 2/sqrt(5)."""
    code, out, err = called(
        capsys, "check", "mine.py:THEOREM", "mine.py:PROBLEM", "--N", "2", "--K", "1", "--T", "1", "--json"
    )
    assert (code, err) == (0, "")
    x = 2 - 2 / np.sqrt(5)
    found = json.loads(out)
    assert found["measured"] == pytest.approx(np.sqrt(1 + x**2) + x**2 / 2, rel=1e-12)
    assert found["verdict"] == "violated"
    assert "Q4" in called(capsys, "show", "mine.py:THEOREM")[1]


def test_the_letter_is_attacked(folder):
    """A claim of 1 stands (slopes tend to 1), a smaller one falls, and a verdict that needs it is withdrawn."""
    rows = {row.constant: row for row in certify(load_problem("mine.py:PROBLEM", N=2))}
    assert rows["Q4"].ok
    small = load_problem("mine.py:PROBLEM[claimed=0.01]", N=2)
    assert not {row.constant: row for row in certify(small)}["Q4"].ok
    assert check("mine.py:THEOREM", small, K=1, T=1).verdict == "not applicable"


def test_the_left_hand_side_travels_to_workers(folder):
    """Two processes measure what one does."""
    bound = BOUNDS["mine.py:THEOREM"]
    problem, method = load_problem("ridge-log[sigma=1]", N=2), METHODS["sgd"](eta=0.1)
    runs = [
        simulate(problem, method, K=1, T=4, lanes=4, block=2, metrics=[bound.metric], workers=workers)
        for workers in (1, 2)
    ]
    np.testing.assert_array_equal(runs[0].average(bound.metric), runs[1].average(bound.metric))
    assert METRICS[bound.metric].name == bound.metric


@pytest.mark.parametrize(("name", "message"), [("L", "no letter has"), ("2x", "a Python name")])
def test_a_taken_name_is_refused(name, message):
    """A letter has one meaning."""
    with pytest.raises(InputError, match=message):
        declare(name, "something else", (0, 0))
    with pytest.raises(InputError, match=message):
        own_letter(name, "something else", unit=(0, 0), attack=lambda problem, points: points[:, 0])


@pytest.mark.usefixtures("folder")
def test_all_of_it_is_one_short_file(capsys):
    """Theorem, method, problem, letter, left-hand side and claim: as many lines as docs/own.md says, and they run."""
    text = Path(__file__).with_name("own_file.py").read_text(encoding="utf-8")
    docs = (Path(__file__).parents[2] / "docs" / "own.md").read_text(encoding="utf-8")
    code = [line for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]
    assert len(code) <= 60
    assert f"claim of its own is a file of {len(code)} lines of code" in docs
    for kind, name in KINDS.items():
        lines = resources.files("boundcheck.skeletons").joinpath(name).read_text(encoding="utf-8").splitlines()
        bare = [line for line in lines if line.strip() and not line.strip().startswith("#")]
        assert re.search(rf"\| {kind}[\w ]* \| {len(lines)} \| {len(bare)} \|", docs)
    Path("whole.py").write_text(text)
    here = ("--N", "2", "--K", "1", "--T", "1", "--json")
    found = json.loads(called(capsys, "check", "whole.py:THEOREM", "whole.py:PROBLEM", *here)[1])
    # From 2, one step of eta = 1: (2 - 2/sqrt(5))^2.
    assert found["measured"] == pytest.approx((2 - 2 / np.sqrt(5)) ** 2, rel=1e-12)
    assert found["verdict"] == "holds"
    assert called(capsys, "run", "whole.py:PROBLEM", "whole.py:Descent", *here)[0] == 0
    assert "✓ stands" in called(capsys, "certify", "whole.py:PROBLEM", "--N", "2")[1]
    assert json.loads(called(capsys, "prove", "whole.py:CLAIM", "--json")[1])["results"][0]["verdict"] == "proved"


@pytest.mark.usefixtures("folder")
def test_a_class_where_its_name_is_meant_is_refused(capsys):
    """The message says what is legal."""
    Path("whole.py").write_text(
        Path(__file__)
        .with_name("own_file.py")
        .read_text(encoding="utf-8")
        .replace('method="Descent"', "method=Descent")
    )
    code, _, err = called(capsys, "show", "whole.py:THEOREM")
    assert (code, "a name, in quotes" in err) == (2, True)
