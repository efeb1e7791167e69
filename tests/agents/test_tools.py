"""The tools for programs: answers of one shape, what was not asked, errors with the language, no code."""

from fractions import Fraction
from pathlib import Path

import pytest

from boundcheck.agents.bounded import BoundedTools
from boundcheck.agents.limits import CHARACTERS
from boundcheck.agents.tools import TOOLS, call

TRUE = {"shows": "|u + v|^2 <= 2*|u|^2 + 2*|v|^2", "letters": "vectors u, v"}
NOISE = """
title = "Noise averages out"
uses = "facts.toml"
indices = "i = 1 .. N, t = 0 .. T - 1"

[vectors]
"xi[t]" = "noise"

[leaf.variance]
title = "the noise of a client's gradient has variance at most sigma^2"
says = "|xi[t]|^2 <= sigma^2 for t"

[claim.fresh-noise]
title = "the noise averages out over the clients"
steps = "fresh(u -> xi[t]) [mean i]; variance"
shows = "|mean(i) xi[t]|^2 <= sigma^2/N for t"
"""
CODE = """
import os
from fractions import Fraction
from pathlib import Path
Path("RAN").write_text("it ran")
from boundcheck.bounds import BOUNDS
THEOREM = BOUNDS["momentum-fl.theorem11"]
def twice(x): return 2 * x
"""


def results(tool, /, **arguments):
    """Return the results of a tool that answers, and what it did not ask."""
    found = call(tool, arguments)
    assert "error" not in found, found
    assert found["schema"] == f"boundcheck/{tool}/1"
    return found["results"], found["not_asked"]


def refusal(tool, /, **arguments):
    found = call(tool, arguments)
    assert "results" not in found
    return found["error"]


def test_a_statement_and_its_neighbour():
    """Young's inequality with 2 is true; with 1 it is false, and the witness breaks it."""
    (found,), open_ = results("decide", **TRUE)
    assert (found["verdict"], found["residual"]) == ("proved", "")
    assert any("paper prints" in line for line in open_)
    (found,), _ = results("decide", shows="|u + v|^2 <= |u|^2 + |v|^2", letters="vectors u, v")
    assert found["verdict"] == "refuted"
    u, v = (tuple(map(Fraction, found["witness"][name].strip("()").split(","))) for name in "uv")
    assert sum((a + b) ** 2 for a, b in zip(u, v, strict=True)) > sum(a * a for a in u) + sum(b * b for b in v)


def test_what_is_open_has_a_residual():
    """x/x = 1 is true but for x = 0: undecided, and why."""
    (found,), open_ = results("decide", shows="x/x = 1", letters="x real")
    assert found["verdict"] == "undecided"
    assert "divides by x" in found["residual"]
    assert any("undecided is not false" in line for line in open_)


def test_a_whole_proof_says_what_it_assumes():
    """Averaged noise has variance sigma^2/N: proved, its assumption listed as not asked; sigma^2/N^2 is refuted."""
    (found,), open_ = results("decide", file=NOISE)
    assert found["verdict"] == "proved"
    assert any("variance" in line and "assumes" in line for line in open_)
    (found,), _ = results("decide", file=NOISE.replace("sigma^2/N", "sigma^2/N^2"))
    assert found["verdict"] == "refuted"


@pytest.mark.slow
def test_the_example_of_a_proof_is_proved():
    """The claim file that `new claim` writes, as `schema` gives it."""
    (example,), _ = results("schema", about="proof")
    found, _ = results("decide", file=example["example"])
    assert {one["verdict"] for one in found} == {"proved"}


def test_an_error_brings_the_language():
    """The message says what is wrong, the grammar what would be right."""
    error = refusal("decide", shows="a(4) <= 5*a", letters="a > 0")
    assert error["message"].startswith("expression = 'a(4)' is not legal")
    assert "before a bracket it has its `*`" in error["grammar"]
    assert "The language of a proof" not in error["grammar"]
    text = 'indices = "t = 0 .. T - 1"\n[letters]\n"> 0" = "T"\n[vectors]\n"x[t]" = "server"\n'
    text += '[claim.a]\nshows = "||x[t]|| <= 2"\n'
    ((entry,), _) = results("decide", file=text)
    assert entry["verdict"] == "not legal"
    assert "`[claim.NAME]`" in entry["grammar"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "decide = 'nothing' is not legal: one of shows, file"),
        ({"shows": "a <= b", "path": "a.toml"}, "decide = 'shows, path' is not legal"),
        ({"file": "[a]", "given": "a <= b"}, "given, letters"),
        ({"path": "none.toml"}, "path = 'none.toml' is not legal: a file that exists"),
        ({"path": "../a.toml"}, "path = '../a.toml' is not legal: a file below the folder"),
        ({"path": "/etc/passwd"}, "path = '/etc/passwd' is not legal"),
        ({"show": "a <= b"}, "argument = 'show' is not legal: shows, given, letters, file, path"),
    ],
)
def test_arguments_that_do_not_go_together(arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert message in refusal("decide", **arguments)["message"]


def test_a_file_below_the_folder_is_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("draft.toml").write_text(
        'about = "a"\nletters = "a > 0"\n[draft.one]\ntitle = "a [1]"\nshows = "a <= 2*a"\n', encoding="utf-8"
    )
    (found,), _ = results("decide", path="draft.toml")
    assert (found["id"], found["verdict"]) == ("draft.one", "proved")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("check", {"bound": "mine.py:THEOREM", "problem": "common", "N": 2, "K": 1, "T": 4}),
        ("check", {"bound": "momentum-fl.theorem11", "problem": "mine.py:twice", "N": 2, "K": 1, "T": 4}),
        ("refute", {"bound": "mine.py:THEOREM", "work": 10}),
        ("refute", {"bound": "fedlalr.corollary2", "problem": "mine.py:twice", "work": 10}),
        ("review", {"bound": "mine.py:THEOREM", "work": 10}),
        ("worst", {"name": "mine.py:THEOREM", "K": 1, "T": 1}),
        ("conform", {"method": "fedavg", "against": "mine.py:twice"}),
        ("conform", {"method": "mine:twice"}),
        ("explain", {"word": "mine.py:THEOREM", "problem": "common", "N": 2, "K": 1, "T": 4}),
        ("explain", {"word": "mine.py:THEOREM"}),
        ("decide", {"file": 'bounds = "mine.py:THEOREM"\n[claim.a]\nsteps = "x"\nshows = "1 <= 2"\n'}),
    ],
)
def test_no_code_is_run(name, arguments, tmp_path, monkeypatch):
    """Whatever argument names it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    Path("mine.py").write_text(CODE, encoding="utf-8")
    refusal(name, **arguments)
    assert not Path("RAN").exists()


def test_trusted_code_runs(tmp_path, monkeypatch):
    """The control of the test above."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(CODE, encoding="utf-8")
    asked = {"bound": "mine.py:THEOREM", "problem": "common", "N": 2, "K": 1, "T": 4}
    assert call("check", asked)["error"]["kind"] == "code refused"
    assert "results" in call("check", asked, trust_code=True)
    assert Path("RAN").exists()


def test_tools_of_theorems():
    """A check by the end of a name, several horizons, the statement of a theorem, a word."""
    (found,), open_ = results("check", bound="theorem11", problem="common", N=2, K=1, T=512)
    assert (found["bound"], found["verdict"]) == ("momentum-fl.theorem11", "holds")
    assert found["measured"] <= found["rhs"]
    assert any("proof" in line for line in open_)
    found, _ = results("check", bound="field.gd-convex", problem="quadratic-tilt", N=2, K=1, T=[8, 16])
    assert [one["setting"]["T"] for one in found] == [8, 16]
    (found,), _ = results("explain", word="momentum-fl.theorem19-printed")
    assert (found["status"], found["kind"]) == ("false as printed", "order")
    (found,), open_ = results("explain", word="vacuous")
    assert (found["term"], open_) == ("vacuous", [])


def test_the_worst_case_of_one_step():
    """In one round only the start counts: |grad f(x_0)|^2 <= 2 L Delta, and a parabola attains it."""
    (found,), _ = results("worst", name="fedavg", K=1, T=1, N=1, set={"eta": 0.5})
    assert found["verdict"] == "exact"
    assert found["upper"] == pytest.approx(2.0, rel=1e-9)
    assert "certificate" not in found


def test_names_are_listed():
    for about, name in (("bounds", "momentum-fl.theorem11"), ("methods", "fedavg"), ("problems", "common")):
        found, _ = results("schema", about=about)
        assert name in {one["name"] for one in found}
    assert "about = 'other' is not legal: claims, proof" in refusal("schema", about="other")["message"]
    assert "tool = 'other' is not legal: decide" in call("other", {})["error"]["message"]


def test_work_is_bounded(tmp_path, monkeypatch):
    """What runs too long is ended, what asks too much is refused, and the next request is answered."""
    monkeypatch.chdir(tmp_path)
    tools = BoundedTools(seconds=20)
    try:
        assert tools.call("decide", TRUE)["results"][0]["verdict"] == "proved"
        tools.seconds = 1.0
        found = tools.call("review", {"bound": "momentum-fl.theorem11"})
        assert found["error"]["kind"] == "limit"
        assert "stopped after 1 seconds" in found["error"]["message"]
        assert found["limits"]["seconds"] == 1.0
        tools.seconds = 20.0
        assert "results" in tools.call("decide", TRUE)
        long = tools.call("decide", {"shows": "a" * CHARACTERS})
        assert f"at most {CHARACTERS}" in long["error"]["message"]
    finally:
        tools.close()
    assert set(TOOLS) == {"decide", "check", "refute", "review", "worst", "conform", "explain", "schema"}
