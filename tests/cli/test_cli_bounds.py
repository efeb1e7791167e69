"""The survey of bounds on the command line."""

import json

from cli_calls import parsed

from boundcheck.cli.app import run
from boundcheck.sweep import shipped_summary


def test_bounds_as_data(capsys):
    """Every row says form, feasibility, units, exponents and horizon; E7 and the units of (11) show."""
    assert run(["bounds", "fmgda.theorem1-proof", "fmgda.corollary1", "--set", "mu=0.25", "--json"]) == 0
    proof, corollary = json.loads(capsys.readouterr().out)["results"]
    assert proof["feasible"] is False
    assert corollary["feasible"] is True
    assert corollary["rounds"] == "2"
    assert corollary["local_steps"] == "3"
    assert any(text.startswith("term noise") for text in corollary["units"])
    assert corollary["informative_from"] > 1


def test_bounds_as_a_table(capsys):
    """The table names the bound and its horizon, and an unknown bound is bad input."""
    assert run(["bounds", "momentum-fl.theorem11"]) == 0
    assert "yes" in capsys.readouterr().out
    assert run(["bounds", "momentum-fl.theorem12"]) == 2
    assert "did you mean" in capsys.readouterr().err


def test_bounds_show_what_the_audit_found(capsys, monkeypatch):
    """A row carries the shipped counts, and the table the verdict; a bound of order only has none."""
    names = ["momentum-fl.theorem11", "momentum-fl.theorem11-printed"]
    assert run(["bounds", *names, "--json"]) == 0
    explicit, order = json.loads(capsys.readouterr().out)["results"]
    shipped = shipped_summary()["momentum-fl.theorem11"]
    assert explicit["audit"] == shipped
    assert order["audit"] is None
    monkeypatch.setenv("COLUMNS", "200")
    assert run(["bounds", *names]) == 0
    said = shipped["cells"] - shipped["vacuous"] - shipped["not_applicable"]
    out = "".join(capsys.readouterr().out.split())
    assert f"{said}of" in out


def test_a_grid_without_a_word_is_no_vacuous_theorem(capsys, monkeypatch):
    """Theorem 19 is below its trivial bound from T = 145 on; on the audit's problem its ceiling is lower still."""
    monkeypatch.setenv("COLUMNS", "200")
    shipped = shipped_summary()["momentum-fl.theorem19"]
    assert shipped["vacuous"] == shipped["cells"]
    assert run(["bounds", "momentum-fl.theorem19"]) == 0
    out = "".join(capsys.readouterr().out.split())
    assert f"saysnothinginits{shipped['cells']}cells" in out
    assert "vacuous" not in out


def test_a_theorem_about_one_local_step_is_asked_there(capsys):
    """2 L Delta/T + 2 sigma sqrt(2 L Delta/T) is below 2 L Delta somewhere, but K = 4 is outside the conditions."""
    (row,) = parsed(capsys, "bounds", "field.sgd")
    assert row["informative_from"] > 1
    assert row["informative_note"] == ""
    assert "K = 1, T" in parsed(capsys, "show", "field.sgd")["example"]
