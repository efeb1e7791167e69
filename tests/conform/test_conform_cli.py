"""boundcheck conform: tables, JSON and exit codes; boundcheck show lists identities."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from boundcheck.cli.app import run
from boundcheck.conform import IDENTITIES, about, judge
from boundcheck.methods.scaffold import ScaffoldM

KEYS = {"id", "methods", "statement", "deviation", "tolerance", "ok"}
PAGE = Path(__file__).parents[2] / "docs" / "conform.md"


def called(capsys, *arguments):
    capsys.readouterr()
    code = run([str(a) for a in arguments])
    return (code, *capsys.readouterr())


@pytest.fixture
def mine(tmp_path):
    """Return a file with the page's SCAFFOLD, and a wrong one beside it."""
    source = re.search(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)[1]
    partial = "\n\nfrom functools import partial\n\nwrong_scaffold = partial(my_scaffold, sign=-1.0)\n"
    path = tmp_path / "mine_for_conform.py"
    path.write_text(source + partial)
    return path


@pytest.fixture
def judged_once(monkeypatch):
    """Ask the identities once of a function and a tolerance, however often a command does."""
    monkeypatch.setattr("boundcheck.conform.judge", cache(judge))


def test_a_method_without_identities_is_not_asked(capsys, monkeypatch):
    """An empty table is no success; beside a method that has some it is said as well."""
    known = {name: identity for name, identity in IDENTITIES.items() if "adagrad" not in identity.methods}
    monkeypatch.setattr("boundcheck.conform.identities.IDENTITIES", known)
    assert not about("adagrad")
    code, _, said = called(capsys, "conform", "adagrad")
    assert (code, "adagrad: no identity is about it" in said) == (5, True)
    code, _, said = called(capsys, "conform", "adagrad", "fista")
    assert (code, "fista: no identity" in said) == (5, False)
    assert called(capsys, "conform", "fista")[0] == 0


@pytest.mark.parametrize("methods", [("mifa", "fedavg-m"), pytest.param((), marks=pytest.mark.slow)])
def test_identities_as_json(capsys, methods):
    """Every identity is an object with its keys, and all are ok; where no method is named all are asked."""
    code, out, _ = called(capsys, "conform", *methods, "--json")
    found = json.loads(out)["results"]
    assert code == 0
    asked = dict.fromkeys(i.id for m in methods for i in about(m)) if methods else IDENTITIES
    assert [o["id"] for o in found] == list(asked)
    assert all(set(o) == KEYS and o["ok"] is True for o in found)


def test_without_a_method_all_identities_are_asked(capsys, monkeypatch):
    """In order."""
    asked = []
    monkeypatch.setattr("boundcheck.conform.run", lambda names: asked.extend(names) or [])
    code, out, _ = called(capsys, "conform", "--json")
    assert (code, json.loads(out)["results"]) == (0, [])
    assert asked == list(IDENTITIES)


def test_identities_of_some_methods(capsys):
    """The table has the identities of the methods named, once each."""
    code, out, _ = called(capsys, "conform", "mifa", "mifam")
    names = {i.id for m in ("mifa", "mifam") for i in about(m)}
    assert code == 0
    assert f"{len(names)} identities, 0 of them fail" in out
    assert out.count("✓ holds") == len(names)


def test_a_failing_identity_is_exit_1(capsys, monkeypatch):
    """A wrong method is marked with a sign and a word."""
    monkeypatch.setattr(ScaffoldM, "round", lambda self, oracle, state: state._replace(x=1.1 * state.x))
    code, out, _ = called(capsys, "conform", "scaffold-m")
    assert code == 1
    assert "✗ FAILS" in out
    assert called(capsys, "conform", "fedprox")[0] == 0


@pytest.mark.usefixtures("judged_once")
def test_an_implementation_against_ours(mine, monkeypatch, capsys):
    """A file or a module: exit 0 for the right one, 1 and the diagnosis for the wrong one."""
    code, out, _ = called(capsys, "conform", "--against", f"{mine}:my_scaffold", "--method", "scaffold")
    assert code == 0
    assert "DIFFERS" not in out
    assert "in the method's place: 10 holds, 0 fails, 3 not asked" in out
    assert "[needs option = 'I', which the function does not take]" in " ".join(out.split())
    monkeypatch.chdir(mine.parent)
    monkeypatch.syspath_prepend(str(mine.parent))
    target = ("--against", "mine_for_conform:wrong_scaffold", "--method", "scaffold", "--set", "gamma=0.8")
    code, out, _ = called(capsys, "conform", *target)
    assert code == 1
    assert "✗ DIFFERS" in out
    assert "wrong sign" in out
    code, out, _ = called(capsys, "conform", *target, "--json")
    found = json.loads(out)
    assert (code, found["ok"], found["hyper"]["gamma"]) == (1, False, 0.8)
    assert len(found["diagnosis"]) == 1
    judged = found["identities"]
    assert [j["id"] for j in judged] == [i.id for i in about("scaffold")]
    assert all(set(j) == {"id", "statement", "verdict", "deviation", "tolerance", "reason"} for j in judged)
    assert "scaffold.F3" in [j["id"] for j in judged if j["verdict"] == "fails"]


SINGLE = """
import numpy as np


def single(clients, x0, *, K, T, active, eta, gamma):
    x, iterates = np.float32(x0), [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - np.float32(eta) * np.float32(clients[i].grad(y, k, t))
            ends.append(y)
        x = x + np.float32(gamma) * (np.mean(ends, axis=0) - x)
        iterates.append(x)
    return iterates
"""


@pytest.mark.usefixtures("judged_once")
def test_single_precision_is_a_verdict_of_its_own(tmp_path, monkeypatch, capsys):
    """The table and the JSON say so, and with the tolerance that is named it passes."""
    (tmp_path / "single_for_conform.py").write_text(SINGLE)
    monkeypatch.syspath_prepend(str(tmp_path))
    target = ("--against", "single_for_conform:single", "--method", "fedavg", "--set", "gamma=0.7")
    code, out, _ = called(capsys, "conform", *target)
    assert code == 1
    assert "SINGLE PRECISION" in out
    assert "tolerance of 0.0001" in " ".join(out.split())
    found = json.loads(called(capsys, "conform", *target, "--json")[1])
    assert (found["ok"], found["verdict"]) == (False, "single precision")
    code, out, _ = called(capsys, "conform", *target, "--tolerance", "1e-4", "--json")
    assert (code, json.loads(out)["verdict"]) == (0, "agrees")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["scafold"], "unknown method 'scafold'"),
        (["--against", "mine:f"], "--against module:function --method NAME"),
        (["--method", "scaffold"], "--against module:function --method NAME"),
        (["--against", "f", "--method", "scaffold"], "module:function or file.py:function"),
        (["--against", "nowhere_at_all:f", "--method", "scaffold"], "nowhere_at_all"),
        (["--against", "nowhere.py:f", "--method", "scaffold"], "a file that exists"),
        (["--against", "math:f", "--method", "scaffold"], "a function f in math"),
        (["--against", "math:cos", "--method", "scafold"], "unknown method 'scafold'"),
    ],
)
def test_bad_input_is_one_line(arguments, words, capsys):
    """Exit code 2, one line on standard error."""
    code, out, err = called(capsys, "conform", *arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert words in err


def test_show_lists_identities(capsys):
    """The card of a method has its identities."""
    code, out, _ = called(capsys, "show", "mifa", "--json")
    assert code == 0
    assert json.loads(out)["identities"] == [f"{i.id}: {i.statement}" for i in about("mifa")]


def test_help(capsys):
    """--help explains the command."""
    code, out, _ = called(capsys, "conform", "--help")
    assert code == 0
    assert "--against" in out
