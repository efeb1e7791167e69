"""`compare` and `steps` on the command line: tables, JSON and CSV say the same."""

import csv

import pytest
from cli_calls import called, parsed
from compared import AT, compare_once

from boundcheck.sweep.compare import contend

pytestmark = pytest.mark.xdist_group("contend")
COMPARE = ("compare", "common", *(word for name, value in AT.items() for word in (f"--{name}", value)), "--workers", 1)
STEPS = ("--N", 2, "--K", 2, "--T", 20, "--workers", 1)
ONE = ("--N", 2, "--K", 1, "--T", 6, "--workers", 1)
COLUMNS = {
    "method",
    "bound",
    "status",
    "guaranteed",
    "ceiling",
    "measured",
    "tuned",
    "rounds",
    "tuned_rounds",
    "floats",
}


@pytest.fixture
def narrow(monkeypatch):
    """Print for a terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")


def test_compare_says_the_same_in_every_form(capsys, tmp_path, narrow, monkeypatch):
    """The table of 80 columns, its CSV and the JSON of the same run: same methods, same numbers, status shown."""
    monkeypatch.setattr(contend, "compare_methods", compare_once)
    path = tmp_path / "rows.csv"
    code, out, err = called(capsys, *COMPARE, "--csv", path)
    assert code == 0, err
    assert max(map(len, out.splitlines())) <= 80
    assert "not shown at 80 columns: theorem\n" in out
    for words in ("nonlinear: ", "average: "):
        assert words in out
    groups = dict(line.split(": ", 1) for line in out.replace(",\n", ", ").splitlines() if ": " in line)
    # A theorem of the field is proved where it has a certificate, as FedAvg's.
    assert {"fedavg", "scaffold-m", "fedlalr"} <= set(groups["proved"].split(", "))
    assert {"fednova", "sarah"} <= set(groups["of the field, not audited"].split(", "))
    data = parsed(capsys, *COMPARE)
    rows = {row["method"]: row for row in csv.DictReader(path.read_text().splitlines())}
    assert set(rows) == {row["method"] for row in data["methods"]}
    assert set(rows["fedavg"]) >= COLUMNS
    for row in data["methods"]:
        assert rows[row["method"]]["guaranteed"] == ("" if row["guaranteed"] is None else str(row["guaranteed"]))
        assert row["method"] in out
    assert {row["method"] for row in data["methods"] if row["bound"]} >= {"fedavg", "fedlalr", "gradma", "scaffold-m"}


def test_steps_in_any_order(capsys, narrow):
    """Four choices: the best allowed promises no less than the prescribed one, the best provable more than both."""
    found = parsed(capsys, "steps", "common", "momentum-fl.theorem11", *STEPS)
    assert [one["choice"] for one in found] == [
        "prescribed",
        "best allowed by the bound",
        "best provable",
        "best measured",
    ]
    prescribed, allowed, provable, measured = found
    assert allowed["promised"] <= prescribed["promised"]
    assert provable["promised"] < allowed["promised"]
    assert measured["promised"] is None
    for one in (prescribed, allowed, provable):
        assert one["measured"] <= one["promised"] * (1 + 1e-9)
    assert measured["measured"] <= min(one["measured"] for one in found) * (1 + 1e-9)
    out = called(capsys, "steps", "momentum-fl.theorem11", "common", *STEPS)[1]
    assert max(map(len, out.splitlines())) <= 80


def test_steps_say_why_there_is_no_choice(capsys):
    """FedLALR is not linear: nothing is provable for it, and the row says so; the others are there."""
    found = {one["choice"]: one for one in parsed(capsys, "steps", "fedlalr.corollary2R", "common", *STEPS)}
    assert found["best provable"]["promised"] is None
    assert found["best provable"]["note"]
    assert found["best measured"]["measured"] is not None


@pytest.mark.parametrize(
    ("bound", "problem"),
    [pytest.param("field.gda-concave", "sine-saddle", marks=pytest.mark.slow), ("field.clipped-l0l1", "cosh")],
    ids=str,
)
def test_steps_where_constants_are_of_another_kind(capsys, bound, problem):
    """A box in y, whose width was refused; curvature that grows, where an L was asked for."""
    found = {one["choice"]: one for one in parsed(capsys, "steps", bound, problem, *ONE)}
    for choice in ("prescribed", "best allowed by the bound"):
        assert found[choice]["measured"] <= found[choice]["promised"]
    assert found["best measured"]["measured"] <= found["prescribed"]["measured"] * (1 + 1e-9)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("compare", "comon", "--N", 2, "--K", 1, "--T", 5), "did you mean common"),
        (("compare", "common", "--N", 2, "--K", 1, "--T", 5, "--eps", -1), "eps = -1.0 is not legal: a number > 0"),
        (("compare", "common", "--N", 2, "--K", 1, "--T", 5, "--csv", "a.txt"), "a file ending in .csv"),
        (("steps", "momentum-fl.theorem11", "commmon", *STEPS), "did you mean common"),
        (("steps", "gradma.lemma6S", "ridge-ratio", *STEPS), "has noise"),
    ],
)
def test_bad_input_is_one_line(capsys, command, words):
    """Exit code 2, and the line says what is legal."""
    code, out, err = called(capsys, *command)
    assert (code, out) == (2, "")
    assert words in err
    assert len(err.splitlines()) == 1
