"""What the commands print as JSON, and their exit codes."""

import csv
import json
import re

import numpy as np
import pytest
from cli_calls import called, parsed

from boundcheck.bounds import BOUNDS, RATES
from boundcheck.bounds.assumptions import ASSUMPTIONS
from boundcheck.bounds.comparison import TABLES
from boundcheck.cli.terminal.output import plain
from boundcheck.conform import about
from boundcheck.files.resources import names
from boundcheck.methods import METHODS
from boundcheck.notation import PAPERS
from boundcheck.problems import load_problem
from boundcheck.proofs import CLAIMS

MEMBERS = {
    "methods": set(METHODS),
    "bounds": set(BOUNDS),
    "rates": set(RATES),
    "tables": set(TABLES),
    "assumptions": set(ASSUMPTIONS),
    "claims": set(CLAIMS),
    "problems": set(names("problems")),
    "papers": set(PAPERS),
    "recipes": set(names("reports")),
    "field": set(BOUNDS.further),
}


@pytest.mark.parametrize("kind", MEMBERS)
def test_list(kind, capsys):
    """Every registered object is listed with id, paper and title."""
    entries = parsed(capsys, "list", kind)
    assert {e["id"] for e in entries} == MEMBERS[kind]
    assert all(e["title"] and "paper" in e for e in entries)
    for e in entries:
        assert set([e["paper"]] if isinstance(e["paper"], str) else e["paper"]) <= {
            *PAPERS,
            *(["field"] if kind == "field" else []),
        }


def test_problems_with_certain_letters(capsys):
    """All and only those that have them, with value and kind; what is no letter, or of no problem, is refused."""
    entries = parsed(capsys, "list", "problems", "--needs", "L,mu,x_star", "--N", "2")
    found = {entry["id"]: entry for entry in entries}
    for name in names("problems"):
        if name.startswith(("quadratic", "ridge", "ncsc", "sine", "strong")):
            problem = load_problem(name, N=2)
            assert (name in found) == (
                "mu" in problem.constants and "L" in problem.constants and problem.x_star is not None
            )
    assert found["strong-bowl"]["mu"] == {"value": pytest.approx(0.1), "kind": "exact"}
    code, out, _ = called(capsys, "list", "problems", "--needs", "online,D_inf")
    assert code == 0
    assert "online-cycle" in out
    assert called(capsys, "list", "problems", "--needs", "lambda")[0] == 2
    assert called(capsys, "list", "bounds", "--needs", "L")[0] == 2


def test_methods_say_what_they_cost_and_need(capsys):
    """A listed method has its cost, the floats it sends, what it needs of a problem, and exactly its bounds."""
    entries = {e["id"]: e for e in parsed(capsys, "list", "methods")}
    for name, entry in entries.items():
        card = METHODS[name].card
        for key in ("paper", "title", "kind", "gradients", "up", "down", "client", "server", "partial", "cost"):
            assert entry[key] == getattr(card, key)
        assert entry["bounds"] == [bound for bound in BOUNDS if BOUNDS[bound].method == name]
        assert entry["identities"] == [identity.id for identity in about(name)]
    assert [entries[name]["needs"] for name in ("fedavg", "mime", "fmgda", "moon")] == [
        [],
        ["exact gradients", "same sample"],
        ["max block", "same sample"],
        ["layers", "same sample"],
    ]


def test_table_of_methods_for_people(capsys, monkeypatch):
    """The table shows lists by their members and the bounds of a method by what their names share."""
    monkeypatch.setenv("COLUMNS", "250")
    out = called(capsys, "list", "methods")[1].splitlines()
    rows = {line.split()[0]: line for line in out[2:]}
    assert rows["fmgda"].split()[-7:-1] == ["max", "block,", "same", "sample", "1.0", "fmgda.*"]
    assert rows["moon"].split()[-6:-1] == ["True", "layers,", "same", "sample", "1.9"]


@pytest.mark.parametrize("kind", MEMBERS)
def test_list_for_people(kind, capsys):
    """The table names every member."""
    code, out, err = called(capsys, "list", kind)
    assert (code, err) == (0, "")
    assert f"{len(MEMBERS[kind])} {kind}" in out


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("fmgda", {"heading", "authors", "reference", "letters"}),
        ("ridge-ratio[zeta=2]", {"family", "parameters", "constants at N = 3"}),
        ("fedavg-m", {"where", "costs", "bounds", "card"}),
        ("fmgda.corollary1R-rate", {"terms", "conditions", "exponents", "trivial bound"}),
        ("fmgda.lemma2-1", {"where", "statement", "verdict"}),
        ("overview", {"studies", "replicates"}),
    ],
)
def test_show(name, keys, capsys):
    """A card has the entries of its kind; one name that is a paper and a method gives two cards."""
    if name not in CLAIMS and name.startswith("fmgda.lemma"):
        name = next(iter(CLAIMS))
    cards = parsed(capsys, "show", name, "--N", 3)
    cards = cards if isinstance(cards, list) else [cards]
    assert any(keys <= set(card) for card in cards)
    assert len(cards) == (2 if name == "fmgda" else 1)
    code, out, err = called(capsys, "show", name, "--N", 3)
    assert (code, err) == (0, "")
    assert cards[0]["heading"][:40] in out


def test_show_prints_derived_exponents(capsys):
    """The card of the repaired rate says eps^(-7/3) rounds and eps^(-3) samples."""
    card = parsed(capsys, "show", "fmgda.corollary1R-rate")
    assert "eps^(-7/3) rounds, eps^(-3) local steps" in card["exponents"]


def test_show_prints_the_parameters_that_were_chosen(capsys):
    """What stands in the brackets replaces the page's value, and with it zeta."""
    card = parsed(capsys, "show", "ridge-ratio[zeta=2]", "--N", 3)
    assert card["parameters"]["zeta"] == 2
    assert card["constants at N = 3"]["zeta"].startswith("2 ")


def test_a_card_for_people_leaves_out_what_is_empty(capsys):
    """A row whose title says all has no line that says nothing; for programs the key is there."""
    assert parsed(capsys, "show", "momentum-fl.table1-yu")["says"] == ""
    assert re.search(r"^  says", called(capsys, "show", "momentum-fl.table1-yu")[1], re.MULTILINE) is None
    assert re.search(r"^  says +\S", called(capsys, "show", "fmgda.text-coda")[1], re.MULTILINE)


def test_certify(capsys):
    """Each row has problem, constant, kind, claimed, attained and ratio; the shipped tilt stands."""
    rows = parsed(capsys, "certify", "quadratic-tilt", "--N", 2)
    assert all({"problem", "constant", "kind", "claimed", "attained", "ratio"} <= set(row) for row in rows)
    assert {row["problem"] for row in rows} == {"quadratic-tilt"}
    assert {"L", "sigma", "Delta"} <= {row["constant"] for row in rows}
    assert all(row["ok"] for row in rows)


def test_certify_in_processes(capsys):
    """Two processes print the rows of one, in the order of the names."""
    names = ("momentum-fl-e2", "fmgda-e1", "quadratic-tilt[zeta=2]")
    rows = parsed(capsys, "certify", *names, "--N", 2, "--workers", 2)
    assert rows == parsed(capsys, "certify", *names, "--N", 2, "--workers", 1)
    assert tuple(dict.fromkeys(row["problem"] for row in rows)) == names


def test_show_draws_a_portrait(capsys, tmp_path):
    """--plot writes the picture beside the card and says where it is."""
    target = tmp_path / "new" / "it.svg"
    code, out, err = called(capsys, "show", "quadratic-tilt[zeta=2]", "--N", 2, "--plot", target)
    assert code == 0
    assert "quadratic-tilt" in out
    assert err == f"wrote {target}\n"
    assert target.read_text().startswith("<?xml")


def test_run(capsys):
    """Mean and interval of a metric, reproducible by seed."""
    arguments = ("run", "ridge-ratio", "fedavg", "--N", 2, "--K", 2, "--T", 5, "--lanes", 4, "--set", "eta=0.1")
    found = parsed(capsys, *arguments)
    (row,) = found["metrics"]
    assert row["metric"] == "server_gradient"
    assert row["low"] <= row["mean"] <= row["high"]
    assert row["replicates"] == 4
    assert found["gradients"] == 2 * 2 * 5
    assert found == parsed(capsys, *arguments) != parsed(capsys, *arguments, "--seed", 1)
    code, out, err = called(capsys, *arguments)
    assert (code, err) == (0, "")
    assert "server_gradient" in out


def test_one_lane_has_no_interval(capsys):
    """A single replicate says nothing about its own error."""
    arguments = ("run", "ridge-ratio", "fedavg", "--N", 2, "--K", 2, "--T", 5, "--lanes", 1, "--set", "eta=0.1")
    (row,) = parsed(capsys, *arguments)["metrics"]
    assert (row["low"], row["high"], row["replicates"]) == (None, None, 1)
    assert ".." not in called(capsys, *arguments)[1]


@pytest.mark.parametrize("metric", ["envelope_gradient", "drift"])
def test_run_on_a_minimax_problem(metric, capsys):
    """Minimax methods run with their own metrics."""
    arguments = ("run", "ncsc-p1", "local-sgda", "--N", 2, "--K", 2, "--T", 3, "--lanes", 2)
    found = parsed(capsys, *arguments, "--set", "eta_x=0.01", "--set", "eta_y=0.1", "--metric", metric)
    assert found["metrics"][0]["metric"] == metric


CHECK = ("check", "momentum-fl.theorem11", "ridge-ratio", "--N", 2, "--K", 2)


def test_check(capsys):
    """A verdict is one object with all that it rests on."""
    found = parsed(capsys, *CHECK, "--T", 20)
    keys = {"bound", "problem", "verdict", "measured", "low", "high", "rhs", "terms", "conditions", "vacuity"}
    assert keys <= set(found)
    assert found["verdict"] == "vacuous"
    assert found["rhs"] == pytest.approx(sum(found["terms"].values()))
    assert all({"label", "relation", "holds", "left", "right"} <= set(c) for c in found["conditions"])
    code, out, err = called(capsys, *CHECK, "--T", 20)
    assert (code, err) == (0, "")
    assert "right-hand side" in out


def test_check_along_several_horizons(capsys):
    """Several horizons give a list of verdicts in order; a parameter of the problem may run along."""
    found = parsed(capsys, *CHECK, "--T", 10, 20, "--vary", "sigma=1,2", "--set", "c=0.5")
    assert [v["setting"]["T"] for v in found] == [10, 20]
    assert [v["setting"]["sigma"] for v in found] == [1, 2]
    assert [v["setting"]["c"] for v in found] == [0.5, 0.5]


E1 = ("quadratic-tilt", "--N", 2, "--K", 1, "--T", 100, 1000, 10000, "--vary", "zeta=1e5,1e6,1e7")


def test_fail_on(capsys):
    """A command exits with 1 on the verdict that the user asks to fail on, each of the words, and with 0 otherwise."""
    printed = ("check", "momentum-fl.theorem19-printed", *E1)
    found = parsed(capsys, *printed, "--fail-on", "order only", code=1)
    assert {v["verdict"] for v in found} == {"order only"}
    assert found[0]["constant_at_least"] == pytest.approx(111.5, rel=1e-3)
    short = (*printed[:2], *E1[:5], "--T", 10, 100, 1000, "--vary", "zeta=1e4,1e5,1e6")
    assert called(capsys, *short, "--fail-on", "order only")[0] == 1
    assert called(capsys, *short)[0] == 0
    assert called(capsys, *short, "--fail-on", "violated", "--fail-on", "consistent")[0] == 0
    code, out, _ = called(capsys, "check", "momentum-fl.theorem19", *E1, "--fail-on", "violated")
    assert code == 0
    assert "✓" in out


def test_a_rise_before_the_asymptotic_range_does_not_fail(capsys):
    """A true order exited with 1 where the user failed on "violated": its ratio rose from 1.9 to 18.7 at first."""
    rising = ("check", "momentum-fl.theorem11-printed", "ridge-log", "--N", 8, "--K", 4, "--T", 10, 100, 1000)
    code, out, _ = called(capsys, *rising, "--fail-on", "violated")
    assert code == 0
    assert "any hidden constant is at least" in out


def test_not_applicable_is_an_outcome(capsys):
    """A pair that does not go together exits with 0 and says why."""
    found = parsed(capsys, "check", "fedlalr.theorem1", "quadratic", "--N", 2, "--K", 1, "--T", 5)
    assert (found["verdict"], found["measured"]) == ("not applicable", None)
    assert "needs G_inf" in found["reason"]


def test_prove(capsys):
    """Each proof has id, paper, where, verdict, prover, seconds, witness and repaired_by; --fail-on sets the code."""
    names_ = list(CLAIMS)[:3]
    rows = parsed(capsys, "prove", *names_)
    keys = {"id", "paper", "where", "verdict", "prover", "seconds", "witness", "repaired_by"}
    assert all(keys <= set(row) for row in rows)
    assert [row["id"] for row in rows] == names_
    verdict = rows[0]["verdict"]
    other = "refuted" if verdict != "refuted" else "undecided"
    assert called(capsys, "prove", names_[0], "--fail-on", other)[0] == 0
    refuted = next(name for name in CLAIMS if CLAIMS[name].repaired_by)
    assert called(capsys, "prove", refuted, "--fail-on", "refuted")[0] == 1
    assert called(capsys, "prove", refuted, "--fail-on", "undecided", "--fail-on", "refuted")[0] == 1


RECIPE = """
title = "tiny"
replicates = 2
[[study]]
id = "tiny"
title = "tiny"
problem = "ridge-ratio"
parameters = { d = 2 }
bounds = ["momentum-fl.theorem11", "momentum-fl.theorem11-printed"]
N = [2]
K = [1]
T = [3, 6, 9]
fit = ["T"]
"""


@pytest.fixture
def recipe(tmp_path):
    """Return the path of a tiny recipe and of its store."""
    path = tmp_path / "tiny.toml"
    path.write_text(RECIPE)
    return path, tmp_path / "store"


def test_sweep(recipe, capsys):
    """One row a study and bound, with counts and the largest ratio; a second run finds everything done."""
    path, store = recipe
    rows = parsed(capsys, "sweep", path, "--store", store, "--workers", 1)
    assert [(r["study"], r["bound"]) for r in rows] == [
        ("tiny", "momentum-fl.theorem11"),
        ("tiny", "momentum-fl.theorem11-printed"),
    ]
    assert rows[0]["verdict"] in {"vacuous", "undecided"}
    assert sum(rows[0]["cells"].values()) == 3
    files = {p: p.stat().st_mtime_ns for p in store.iterdir()}
    assert parsed(capsys, "sweep", path, "--store", store, "--workers", 1) == rows
    assert {p: p.stat().st_mtime_ns for p in store.iterdir()} == files


def test_growth_of_an_order_has_fields_of_its_own(recipe, capsys):
    """Ratios, power and interval stand in fields, in a sweep and in a check; a single point has its ratio."""
    path, store = recipe
    row = parsed(capsys, "sweep", path, "--store", store, "--workers", 1)[1]
    assert row["growth"][0]["at"] == {"N": 2, "K": 1, "d": 2}
    assert max(row["growth"][0]["ratios"]) == row["ratio"]
    order = ("check", "momentum-fl.theorem19-printed", "quadratic-tilt", "--N", 2, "--K", 1)
    found = parsed(capsys, *order, "--T", 10, 100, 1000, "--vary", "zeta=1e4,1e5,1e6")
    assert [v["ratio"] for v in found] == found[0]["shape"]["ratios"]
    slope = np.polyfit(np.log([10, 100, 1000]), np.log([v["ratio"] for v in found]), 1)[0]
    shape = found[0]["shape"]
    assert (shape["letter"], shape["x"], shape["growth"]) == ("T", [10, 100, 1000], pytest.approx(slope))
    assert shape["low"] <= shape["growth"] <= shape["high"]
    single = parsed(capsys, *order, "--T", 10)
    assert single["shape"] is None
    assert single["ratio"] == pytest.approx(single["measured"] / single["rhs"])


def test_sweep_says_why_a_bound_does_not_apply(recipe, capsys):
    """The reason of the first cell stands under the table, with the number of other reasons."""
    path, store = recipe
    path.write_text(RECIPE.replace("N = [2]", "N = [3, 4]\nS = [2]"))
    _, out, _ = called(capsys, "sweep", path, "--store", store, "--workers", 1)
    assert "tiny, not applicable: bound momentum-fl.theorem11: condition 'full participation' fails" in out
    assert "(left side 3, right side 2) (and 1 more)" in out


def test_sweep_makes_the_folder_of_its_tables(recipe, capsys, tmp_path):
    """Files may lie in a folder that is not there yet."""
    path, store = recipe
    files = ("--table", tmp_path / "a" / "verdicts.csv", "--summary", tmp_path / "b" / "found.json")
    assert called(capsys, "sweep", path, "--store", store, "--workers", 1, *files)[0] == 0
    assert len((tmp_path / "a" / "verdicts.csv").read_text().splitlines()) == 1 + 2 * 3
    assert (tmp_path / "b" / "found.json").is_file()


def test_a_table_that_no_library_can_write_is_refused_before_the_sweep(recipe, capsys, tmp_path, monkeypatch):
    """Parquet files need an extra, which a plain installation has not; .csv needs nothing."""
    path, store = recipe
    monkeypatch.setattr("boundcheck.sweep.results.table.find_spec", lambda name: None)
    code, out, err = called(capsys, "sweep", path, "--store", store, "--curves", tmp_path / "a.parquet")
    assert (code, out) == (2, "")
    assert "--curves" in err
    assert "pip install 'boundcheck[parquet]'" in err
    assert not list(store.glob("*.npz"))
    assert called(capsys, "sweep", path, "--store", store, "--workers", 1, "--curves", tmp_path / "a.csv")[0] == 0


def test_titles_and_names_are_not_broken(capsys, monkeypatch):
    """On a narrow terminal a title breaks at its blanks only, and the names of the first column stay in one piece."""
    monkeypatch.setenv("COLUMNS", "60")
    out = called(capsys, "run", "ridge-ratio", "fedavg", "--N", 2, "--K", 2, "--T", 5, "--set", "eta=0.1")[1]
    title = "FedAvg (local SGD) on ridge-ratio, 20 client gradients a lane"
    assert " ".join(out.splitlines()[:2]) == title
    assert len(out.splitlines()[0]) <= 60 < len(title)
    assert "momentum-fl.theorem11-printed " in called(capsys, "list", "bounds")[1]


def test_sweep_writes_a_summary(recipe, capsys, tmp_path):
    """--summary writes one row a bound with explicit constants."""
    path, store = recipe
    called(capsys, "sweep", path, "--store", store, "--workers", 1, "--summary", tmp_path / "found.json")
    found = json.loads((tmp_path / "found.json").read_text())
    assert {name: row["cells"] for name, row in found.items()} == {"momentum-fl.theorem11": 3}


def test_sweep_writes_times_and_exponents(recipe, capsys, tmp_path):
    """A row an accuracy in the file and on the screen, "> 9" where it was not reached, and a row a local order."""
    path, store = recipe
    path.write_text(RECIPE.replace('fit = ["T"]', 'fit = ["T"]\nepsilons = [9.0, 0.01]'))
    files = ("--times", tmp_path / "times.csv", "--exponents", tmp_path / "orders.csv")
    _, out, _ = called(capsys, "sweep", path, "--store", store, "--workers", 1, *files)
    assert "< 3 " in out
    assert "> 9 " in out
    rows = list(csv.DictReader((tmp_path / "times.csv").read_text().splitlines()))
    assert [(r["epsilon"], r["relation"], r["rounds"]) for r in rows] == [("9.0", "<=", "3.0"), ("0.01", ">=", "9.0")]
    orders = list(csv.DictReader((tmp_path / "orders.csv").read_text().splitlines()))
    assert [(r["from"], r["to"]) for r in orders] == [("3.0", "6.0"), ("6.0", "9.0")]


def test_a_damaged_result_runs_again(recipe, capsys):
    """A truncated result file is kept under another name, and the sweep prints what it printed before."""
    path, store = recipe
    before = called(capsys, "sweep", path, "--store", store, "--workers", 1)
    damaged = next(store.iterdir())
    content = damaged.read_bytes()[:50]
    damaged.write_bytes(content)
    assert called(capsys, "sweep", path, "--store", store, "--workers", 1)[:2] == before[:2]
    assert (store / f"{damaged.stem}.damaged.1.npz").read_bytes() == content


def test_numbers_that_json_does_not_have_become_text():
    """Infinite and undefined numbers are strings, arrays are lists."""
    import numpy as np

    data = {"a": float("inf"), "b": np.array([1.0, np.nan]), 3: (np.float64(2.0), None, True)}
    assert plain(data) == {"a": "inf", "b": [1.0, "nan"], "3": [2.0, None, True]}
