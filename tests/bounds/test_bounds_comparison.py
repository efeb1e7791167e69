"""Comparison tables: printed costs stand, values and crossovers are those of closed forms, winners those of a scan."""

import math

import numpy as np
import pytest
import sympy as sp

from boundcheck.bounds import BOUNDS, RATES
from boundcheck.bounds.comparison import (
    TABLES,
    cost_of,
    dial,
    guaranteed_rounds,
    ranking,
    replace_constants,
    table_named,
    takeovers,
    winners,
    winners_map,
)
from boundcheck.bounds.orders import exponents
from boundcheck.cli.cards.catalogue import LISTINGS
from boundcheck.cli.commands.look import show
from boundcheck.errors import InputError, NotApplicableError, UnknownNameError
from boundcheck.notation import symbol
from boundcheck.report.pages.studies.rates import _row

eps = symbol("eps_acc")
COSTED = [name for name in RATES if RATES[name].complexity]

PRINTED = {
    # (rounds, samples or steps): powers of 1/eps, read off the papers' tables by hand.
    "fmgda.table1-local-sgda": (3, 4),
    "fmgda.table1-momentum-local-sgda": (3, 4),
    "fmgda.table1-fmgda": (2, 3),
    "fmgda.text-pr-sgd": (3, 4),
    "fmgda.text-stem": (2, 3),
    "fmgda.text-mime": (3, 3),
    "fedglomo.text-fedcomgate-rounds": (2, 4),
    "fedglomo.text-pp-marina": (4, 4),
    "fedlalr.remark4": (4, 4),
}


@pytest.mark.parametrize("name", PRINTED)
def test_powers_are_those_of_the_papers(name):
    """Rounds and samples of rows that print both, and rows whose rounds fall with another power than their samples."""
    found = exponents(RATES[name])
    assert (found.rounds, found.samples) == PRINTED[name]


@pytest.mark.parametrize("name", COSTED)
def test_every_printed_cost_stands_wherever_powers_are_shown(name, capsys):
    """What a row prints is what `exponents`, the report's page, `list rates` and the card say."""
    row = RATES[name]
    small, smaller = 1e-6, 1e-7
    letters = {s: 2.0 for e in row.complexity.values() for s in e.free_symbols if s != eps}
    for cost in {"rounds", "steps", "samples"} & set(row.complexity):
        expression = row.complexity[cost].subs(letters)
        slope = math.log10(float(expression.subs(eps, smaller)) / float(expression.subs(eps, small)))
        said = exponents(row).rounds if cost == "rounds" else exponents(row).samples
        # a Lambert function is a logarithm, which powers leave out
        assert slope == pytest.approx(float(said), abs=0.08 if expression.has(sp.LambertW) else 1e-9)
    if "rounds" in row.complexity:
        power = sp.Rational(exponents(row).rounds)
        assert _row(row)[4] == "$epsilon^(-" + str(power).replace("/", "\\/") + ")$"
    listed = next(entry for entry in LISTINGS["rates"].entries() if entry["id"] == name)
    assert listed["rounds"] == str(row.complexity.get("rounds", f"eps_acc**(-{exponents(row).rounds})"))


def test_the_card_of_fmgda_does_not_contradict_itself(capsys):
    """`show` says eps^-2 rounds, as printed, and not the eps^-3 of its samples at a fixed K."""
    show("fmgda.table1-fmgda")
    assert "ε^(-2) rounds, ε^(-3) local steps" in capsys.readouterr().out


def test_tables_hold_the_rows_of_the_papers():
    """13, 7, 5 and 3 printed rows, counted in the papers (FedAvg-M-VR and SCAFFOLD-M-VR have two rates each)."""
    assert {name: len(table.rows()) for name, table in TABLES.items()} == {
        "momentum-fl.table1": 13,
        "momentum-fl.table2": 7,
        "fedglomo.table1": 5,
        "fmgda.table1": 3,
    }
    for table in TABLES.values():
        assert [row.form for row in table.rows()] == ["printed"] * len(table.rows())
        assert len(table.rows("ours")) == len(table.rows())


def test_a_rate_is_solved_for_its_rounds():
    """The equation a T^(-1/2) + b/T = eps^2 is a quadratic in T^(1/2): Yang's row at constants of no special size."""
    at = replace_constants(
        TABLES["momentum-fl.table1"], {"sigma": 3.0, "L": 2.0, "Delta": 1.7, "N": 30, "K": 4, "eps_acc": 0.05}
    )
    a, b = math.sqrt(2 * 1.7 * 9 / 120), 2 * 1.7
    root = (a + math.sqrt(a * a + 4 * 0.05**2 * b)) / (2 * 0.05**2)
    cost = cost_of(RATES["momentum-fl.table1-yang"], at)
    assert cost.rounds == pytest.approx(root**2, rel=1e-10)
    assert cost.samples == pytest.approx(30 * 4 * root**2, rel=1e-10)


def test_printed_costs_are_taken_as_printed():
    """FMGDA at eps = 0.1: 100 rounds and 1000 samples; FedGLOMO steps sqrt(80/(20 99)) eps^-3 over K rounds."""
    fmgda = cost_of(RATES["fmgda.table1-fmgda"], TABLES["fmgda.table1"].constants)
    assert fmgda == pytest.approx((100.0, 1000.0))
    glomo = cost_of(RATES["fedglomo.table1-fedglomo"], TABLES["fedglomo.table1"].constants)
    steps = math.sqrt(80 / (20 * 99)) * 1e3
    assert glomo == pytest.approx((steps / 10, 20 * steps))


def test_crossovers_are_those_of_closed_forms():
    """FedGLOMO loses to MimeMVR from alpha = N/S = 5 at small eps, and to 1/(N eps^4) from eps = 1/(N c)."""
    table = TABLES["fedglomo.table1"]
    (change,) = takeovers(table, "alpha_div", 0.1, 50, {"eps_acc": 1e-3})
    assert change.at == pytest.approx(100 / 20, rel=1e-6)
    assert (change.before, change.after) == ("fedglomo.table1-fedglomo", "fedglomo.table1-mime-mvr")
    (change,) = takeovers(table, "eps_acc", 1e-3, 1.0)
    assert change.at == pytest.approx(1 / (100 * math.sqrt(80 / (20 * 99))), rel=1e-6)
    assert change.after == "fedglomo.table1-fedcomgate, fedglomo.table1-local-sgd"


def test_variance_reduction_wins_until_samples_are_rougher():
    """Where L_sample grows, FedAvg-M-VR loses to the rows with L alone where T solves both rates: a scan agrees."""
    table = TABLES["momentum-fl.table1"]
    (change,) = takeovers(table, "L_sample", 1.0, 100.0)
    assert change.before == "momentum-fl.table1-fedavg-m-vr"
    at = {**table.constants, "L_sample": change.at}
    plain = cost_of(RATES["momentum-fl.table1-yang"], at).rounds
    assert cost_of(RATES["momentum-fl.table1-fedavg-m-vr"], at).rounds == pytest.approx(plain, rel=1e-6)
    total = sum(RATES["momentum-fl.table1-fedavg-m-vr"].evaluate({**at, "T": plain}).values())
    assert total == pytest.approx(table.constants["eps_acc"] ** 2, rel=1e-6)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("by", ["rounds", "samples"])
def test_winners_are_those_of_a_scan_over_horizons(name, by):
    """At random constants the winner is the row whose cost a scan of its own finds smallest; equal formulas tie."""
    table, rng = TABLES[name], np.random.default_rng(1)
    for _ in range(4):
        changes = {
            "sigma": float(rng.uniform(0.1, 5)),
            "zeta": float(rng.uniform(0.1, 5)),
            "L_sample": float(rng.uniform(1, 10)),
            "eps_acc": float(rng.uniform(0.02, 0.5)),
        }
        at = replace_constants(table, changes)
        best = winners(table, changes, by=by)
        costs = {row.id: _scanned(row, at, by) for row in table.rows()}
        least = min(costs.values())
        assert {name for name, cost in costs.items() if cost <= least * (1 + 1e-8)} == set(best)


def _scanned(row, at, by):
    """Return a cost from the row alone: printed numbers, or the first T, in steps of 1e-9, with total <= eps^2."""
    clients = at["S"] if row.partial else at["N"]
    cost = {name: float(e.subs({symbol(k): v for k, v in at.items()})) for name, e in row.complexity.items()}
    if not cost:
        low, high = 1e-30, 1e30
        for _ in range(300):
            middle = math.sqrt(low * high)
            enough = sum(row.evaluate({**at, "T": middle}).values()) <= at["eps_acc"] ** 2
            low, high = (low, middle) if enough else (middle, high)
        cost = {"rounds": high, "steps": high * at["K"]}
    steps = cost.get("steps", cost.get("samples", 0.0) / clients)
    rounds = cost.get("rounds", steps / at["K"])
    return rounds if by == "rounds" else cost.get("samples", steps * clients)


def test_a_map_is_its_cells():
    """Every cell has the winners at its two letters, and parties are the sets that occur."""
    table = TABLES["momentum-fl.table2"]
    board = winners_map(table, "S", "L_sample", [1, 10, 100], [1.0, 10.0], {"sigma": 2.0})
    for y, cells in zip(board.ys, board.cells, strict=True):
        for x, cell in zip(board.xs, cells, strict=True):
            assert cell == winners(table, {"sigma": 2.0, "S": x, "L_sample": y})
    assert set(board.parties) == {cell for row in board.cells for cell in row}


def test_mended_rows_change_the_ranking():
    """FedGLOMO is first of the rows for partial participation as printed, and last with what its row drops."""
    table = TABLES["fedglomo.table1"]
    partial = lambda form: [row.method for row, _ in ranking(table, form=form) if row.partial]  # noqa: E731
    assert partial("printed")[0] == "fedglomo"
    assert partial("ours")[-1] == "fedglomo"


def test_guarantees_are_those_of_the_bound():
    """The guaranteed rounds meet the bound's conditions with eps^2 reached, one round fewer does not."""
    row, at = RATES["momentum-fl.table1-fedavg-m-vr"], TABLES["momentum-fl.table1"].constants
    T = guaranteed_rounds(row, at)
    bound = BOUNDS[row.bounds[-1]]
    for rounds, enough in ((T, True), (T - 1, False)):
        found = bound.evaluate(bound.resolve({**at, "T": rounds}), strict=False)
        assert (found.rhs <= 0.01 and not found.unmet) is enough
    assert guaranteed_rounds(RATES["momentum-fl.table1-yang"], at) == "no explicit bound"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sigma": -1.0}, "sigma = -1.0 is not legal: a finite number, > 0"),
        ({"L": 0.0}, "L = 0.0 is not legal"),
        ({"L": math.nan}, "L = nan is not legal"),
        ({"mu": 1.0}, "constant = 'mu' is not legal: one of N, S, K"),
        ({"S": 200}, "S = 200 is not legal: at most N = 100"),
    ],
)
def test_bad_constants_are_named(changes, message):
    """The letter, its value and what is legal."""
    with pytest.raises(InputError, match=message):
        winners(TABLES["momentum-fl.table2"], changes)


def test_bad_names_are_named():
    """Tables, dials and rows in words."""
    with pytest.raises(UnknownNameError, match="comparison table"):
        table_named("momentum-fl.table3")
    with pytest.raises(InputError, match="two different letters"):
        winners_map(TABLES["fmgda.table1"], "N", "N", [1], [1])
    with pytest.raises(NotApplicableError, match="in words"):
        cost_of(RATES["fmgda.text-coda"], TABLES["fmgda.table1"].constants)
    with pytest.raises(InputError, match="0 < low < high"):
        takeovers(TABLES["fmgda.table1"], "N", 3, 2)


@pytest.mark.parametrize("name", TABLES)
def test_dials_of_a_map_are_legal(name):
    """Every value of the map's letters can be put in."""
    table = TABLES[name]
    for letter in (*table.dials, "N", "S"):
        for value in dial(table, letter):
            replace_constants(table, {letter: value})
