"""The command `table`: its numbers are those of the library, and bad letters are named."""

import json

import pytest

from boundcheck.bounds.comparison import TABLES, ranking, takeovers
from boundcheck.cli.app import run
from boundcheck.errors import InputError
from boundcheck.sweep import load_recipe


def test_numbers_are_those_of_the_library(capsys):
    """Rows, costs and crossovers in JSON."""
    assert run(["table", "fedglomo.table1", "--set", "eps_acc=0.001", "--along", "alpha_div", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    found = ranking(TABLES["fedglomo.table1"], {"eps_acc": 0.001})
    assert [(r["row"], r["rounds"]) for r in data["rows"]] == [(row.id, cost.rounds) for row, cost in found]
    (change,) = takeovers(TABLES["fedglomo.table1"], "alpha_div", 0.01, 100, {"eps_acc": 0.001})
    assert data["takeovers"] == [vars(change)]


def test_people_see_the_map(capsys, monkeypatch):
    """The printed cost, the letters of the map and its legend."""
    monkeypatch.setenv("COLUMNS", "200")
    assert run(["table", "fmgda.table1", "--over", "eps_acc,N", "--along", "N"]) == 0
    said = capsys.readouterr().out
    assert "eps_acc**(-2) rounds" in said
    assert "A: fmgda.table1-fmgda" in said
    assert "does not change along N" in said


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--over", "sigma"], "--over = 'sigma' is not legal: two letters"),
        (["--along", "mu"], "--along = 'mu' is not legal: one of N, S, K"),
        (["--set", "sigma=-1"], "sigma = -1 is not legal"),
        (["--set", "sigma=x"], "sigma = 'x' is not legal"),
    ],
)
def test_bad_letters_are_named(options, message, capsys):
    """One line on standard error, exit code 2."""
    assert run(["table", "momentum-fl.table1", *options]) == 2
    assert message in capsys.readouterr().err


def test_a_recipe_names_tables_that_exist(tmp_path):
    """The key, its value and the legal names."""
    path = tmp_path / "r.toml"
    path.write_text('title = "x"\ntables = ["momentum-fl.table9"]\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"r.toml: tables = 'momentum-fl.table9' is not legal: one of momentum-fl"):
        load_recipe(str(path))
