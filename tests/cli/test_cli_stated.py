"""The command worst on files, and on own expressions of a method's run."""

import json
import re
from pathlib import Path

import pytest

from boundcheck.cli.app import run
from boundcheck.proofs.kernel import certificates as verify

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "worst"


def test_a_file_is_answered_with_its_closed_form(capsys, tmp_path):
    """The value, where it is from, and a certificate that the checker accepts."""
    proof = tmp_path / "proof.json"
    assert run(["worst", str(EXAMPLES / "gradient-descent.worst"), "--certificate", str(proof)]) == 0
    out = capsys.readouterr().out
    for text in ("Drori", "0.166666667", "proved", "closed form", "another tool"):
        assert text in out
    (certificate,) = json.loads(proof.read_text())
    verify.check(certificate, {})


def test_given_numbers_are_changed(capsys):
    """At n = 6 it is L/26, and what another tool printed at n = 4 is left out."""
    assert run(["worst", str(EXAMPLES / "gradient-descent.worst"), "--set", "n=6", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["results"]
    assert row["upper"] == pytest.approx(3 / 26, rel=1e-7)
    assert "another tool" not in row


def test_own_expressions_of_a_method(capsys):
    """FedAvg with one local step is gradient descent: L R^2/(4 T + 2) on convex clients."""
    command = ["worst", "fedavg", "--K", "1", "--T", "1", "3", "--set", "eta=1", "--mu", "0", "--json"]
    own = ["--assume", "|x_0 - x_star|^2 <= 1", "--maximise", "f(x_T) - f_star"]
    assert run([*command, *own]) == 0
    rows = json.loads(capsys.readouterr().out)["results"]
    assert [row["upper"] for row in rows] == pytest.approx([1 / 6, 1 / 14], rel=1e-7)
    assert [row["verdict"] for row in rows] == ["proved", "proved"]


@pytest.mark.parametrize(
    ("mu", "T", "assumed", "asked", "value"),
    [
        # Gradient descent with eta = 1 on [0, 1]- or [1/10, 1]-curved functions.
        (0, 1, "f(x_0) - f_star <= 1", "|grad(f, x_T)|^2", 2 / 3),
        (0.1, 2, "|x_0 - x_star|^2 <= 1", "|x_T - x_star|^2", 0.9**4),
        (0.1, 1, "|grad(f, x_0)|^2 <= 1", "dot(grad(f, x_0), grad(f, x_T))", 0.9),
        (0.1, 2, "|x_0 - y_0|^2 <= 1", "|x_T - y_T|^2", 0.9**4),
        (0.1, 1, "|x_0 - y[0]|^2 <= 1", "dot(x_T - y_T, x_0 - y_0)", 0.9),
        # The potential of Bansal and Gupta does not grow.
        (0, 1, "|x_0 - x_star|^2 <= 1", "f(x_T) - f_star + |x_T - x_star|^2/2 - |x_0 - x_star|^2/2", 0),
    ],
    ids=["values", "distance", "products", "second start", "products of two runs", "potential"],
)
def test_own_expressions_of_every_kind(mu, T, assumed, asked, value, capsys):
    """Start, condition and left-hand side in words, each with its closed form, proved."""
    command = ["worst", "sgd", "--K", "1", "--T", str(T), "--N", "1", "--set", "eta=1", "--mu", str(mu), "--json"]
    assert run([*command, "--assume", assumed, "--maximise", asked]) == 0
    (row,) = json.loads(capsys.readouterr().out)["results"]
    assert row["upper"] == pytest.approx(value, rel=1e-7, abs=1e-9)
    assert row["verdict"] == "proved"


def test_a_potential_that_grows_is_not_zero(capsys):
    """The control of the potential above: half a step takes half as much away."""
    command = ["worst", "sgd", "--K", "1", "--T", "1", "--N", "1", "--set", "eta=0.5", "--mu", "0", "--json"]
    asked = "f(x_T) - f_star + |x_T - x_star|^2/2 - |x_0 - x_star|^2/2"
    assert run([*command, "--assume", "|x_0 - x_star|^2 <= 1", "--maximise", asked]) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["upper"] > 0.01


@pytest.mark.parametrize("command", ["worst", "prove"])
def test_claimed_values_are_judged(command, capsys, tmp_path):
    """L/(4n + 2) = 1/6: one claim of a file is met and one proved; with others, one is missed and one exceeded."""
    text = (EXAMPLES / "gradient-descent.worst").read_text()
    right, wrong = tmp_path / "right.worst", tmp_path / "wrong.worst"
    right.write_text(text + "bound(0.2)\n")
    wrong.write_text(text.replace("expect(L/(4*n + 2))", "expect(0.16)\nbound(0.166)"))
    assert run([command, str(right), "--fail-on", "refuted"]) == 0
    out = capsys.readouterr().out
    assert ": met" in out
    assert "0.2: proved" in out
    assert run([command, str(wrong)]) == 0
    out = capsys.readouterr().out
    assert "0.16: missed by 0.006667" in out
    assert "0.166: exceeded by 0.0006667" in out
    assert run([command, str(wrong), "--fail-on", "refuted"]) == 1


@pytest.mark.parametrize("L", ["1/10^9", "10^9"])
def test_claimed_values_are_judged_in_the_units_of_their_file(L, capsys, tmp_path):
    """L/(4n + 2) at n = 1: a closed form 30 times as large was met, as both are below 1e-8 where L = 1e-9."""
    text = (EXAMPLES / "gradient-descent.worst").read_text().replace("given(L=3, n=4)", f"given(L={L}, n=1)")
    file = tmp_path / "units.worst"
    file.write_text(text + "expect(30*L/(4*n + 2))\nbound(0.99*L/(4*n + 2))\n")
    assert run(["worst", str(file)]) == 0
    words = re.findall(r": (met|missed|exceeded|proved)", out := capsys.readouterr().out)
    assert words == ["met", "missed", "exceeded"]
    assert float(re.findall(r": met, to ([^,\s]+)", out)[0]) < 1e-8


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.worst"], "nowhere.worst: No such file or directory"),
        (["fedavg", "--T", "2"], "fedavg: no value of --K: local steps and rounds"),
        (["fedavg", "--K", "1", "--T", "1", "--assume", "f(x_0) <= 1"], "with --maximise"),
        (["fedavg", "--K", "1", "--T", "1", "--set", "eta=1", "--maximise", "f(z)"], "'z'"),
        (["fedavg", "--K", "1", "--T", "1", "--set", "eta=1", "--maximise", "f(x_T"], "line"),
        (["fedavg", "--K", "1", "--T", "1", "--set", "eta=1", "--maximise", "f(x_T)"], "nothing bounds it"),
        ([str(EXAMPLES / "gradient-descent.worst"), "--set", "h=1"], "h"),
        (["sgd", "--K", "1", "--T", "1", "--mu", "1.5", "--set", "eta=1", "--maximise", "f(x_T)"], "mu = 3/2 is not"),
    ],
)
def test_what_cannot_be_answered_is_said(arguments, said, capsys):
    """One line and the exit code 2."""
    assert run(["worst", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_the_law_in_T_is_printed(capsys):
    """Three horizons on one curve."""
    command = "worst fedavg --K 2 --T 30 40 50 --N 8 --zeta 1 --set eta=0.5"
    assert run(command.split()) == 0
    assert "1/15 + 464/225/T from T = 30" in capsys.readouterr().out
