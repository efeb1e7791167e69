"""Rows of the comparison tables: names, powers read off by hand, and where papers quote a work differently."""

import math
from importlib import import_module

import pytest
import sympy as sp
from together import together

from boundcheck.bounds import BOUNDS, RATES
from boundcheck.bounds.analysis import rounds_ratio
from boundcheck.bounds.complexity import complexity, rounds_at_any_K
from boundcheck.bounds.orders import exponents
from boundcheck.bounds.rate import invert_cost
from boundcheck.bounds.units import unit_of
from boundcheck.errors import NotApplicableError
from boundcheck.methods import METHODS
from boundcheck.notation import LETTERS, PAPERS, symbol, symbols

N, S, K, T, eps = symbols("N S K T eps_acc")
HALF, THIRD = sp.Rational(1, 2), sp.Rational(1, 3)
QUOTED = [name for name in RATES if RATES[name].terms]


@together(RATES)
def test_names_and_references_of_a_row(name):
    """A row is called by its paper, names a registered method or none, says where it is, in registered letters."""
    rate = RATES[name]
    assert rate.id == name
    assert name.partition(".")[0] == rate.paper
    assert rate.paper in PAPERS
    assert rate.method in METHODS or not rate.method
    assert rate.title
    assert rate.where
    assert rate.terms or rate.words
    assert set(rate.bounds) <= set(BOUNDS)
    assert all(BOUNDS[bound].method == rate.method for bound in rate.bounds)
    used = {s for e in (*rate.terms.values(), *rate.complexity.values()) for s in e.free_symbols}
    assert all(s == symbol(s.name) for s in used)
    assert {s.name for s in used} <= set(LETTERS)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_registry_names_every_row_of_a_table(paper):
    """`RATES` and the table of a paper have the same rows in the same order."""
    rows = import_module(f"boundcheck.bounds.rates.{paper.replace('-', '_')}").ROWS
    assert list(rows) == [name for name in RATES if name.startswith(f"{paper}.")]


def test_rows_that_are_not_printed_stand_for_one_that_is():
    """A cited or derived form names the printed row of the same paper; titles are not used twice."""
    for rate in (RATES[name] for name in RATES):
        assert (rate.form == "printed") is (rate.row == "")
        if rate.row:
            assert RATES[rate.row].form == "printed"
            assert RATES[rate.row].paper == rate.paper
    assert len({RATES[name].title for name in RATES}) >= len(RATES) - 6


@pytest.mark.parametrize("name", [n for n in RATES if n.startswith("momentum-fl")])
def test_rows_with_constants_are_squared_gradients(name):
    """Every term of Tables 1 and 2 of momentum-fl scales like |grad f|^2."""
    assert {unit_of(e) for e in RATES[name].terms.values()} == {(2, -2)}


POWERS = {
    # (T, N, S, K) of the dominating part, by hand from the printed rows; P = N K R there.
    **dict.fromkeys(("yu", "karimireddy", "yang", "led", "vrl-sgd", "fedavg-m"), (-HALF, -HALF, 0, -HALF)),
    "koloskova": (-HALF, -HALF, 0, 0),
    "fedcm": (-HALF, 0, 0, 0),
    **dict.fromkeys(
        ("bvr-l-sgd", "ce-lsgd", "stem", "fedavg-m-vr", "fedavg-m-vr-alt"), (-2 * THIRD, -2 * THIRD, 0, -2 * THIRD)
    ),
}
POWERS_SAMPLED = {
    "scaffold": (-HALF, 0, -HALF, -HALF),
    "scaffold-m": (-HALF, 0, -HALF, -HALF),
    "mimelite-mvr": (-2 * THIRD, 0, 0, 0),
    # The heterogeneity term (L Delta zeta/(S R))^(2/3) does not fall with K.
    "mb-storm": (-2 * THIRD, 0, -2 * THIRD, 0),
    "ce-lsgd": (-2 * THIRD, 0, -2 * THIRD, 0),
    "scaffold-m-vr": (-2 * THIRD, 0, -2 * THIRD, -THIRD),
    "scaffold-m-vr-alt": (-2 * THIRD, 0, -2 * THIRD, -THIRD),
}


def test_powers_of_the_tables_of_momentum_fl():
    """The powers computed from the terms are those of the printed rows, and no row is left out."""
    expected = {f"momentum-fl.table1-{k}": v for k, v in POWERS.items()}
    expected |= {f"momentum-fl.table2-{k}": v for k, v in POWERS_SAMPLED.items()}
    found = {n: exponents(RATES[n]) for n in RATES if n.startswith("momentum-fl.table")}
    assert {n: (e.T, e.N, e.S, e.K) for n, e in found.items()} == expected


def test_noise_of_sampled_variance_reduction():
    """MB-STORM and CE-LSGD have SCAFFOLD-M-VR's noise (L Delta sigma/(S sqrt(K) R))^(2/3), at S = 8, K = 4."""
    at = {"N": 9, "S": 8, "K": 4, "T": 1000, "L_sample": 2.0, "Delta": 3.0, "sigma": 1.5, "zeta": 0.5, "b": 1}
    for name in ("mb-storm", "ce-lsgd", "scaffold-m-vr"):
        terms = RATES[f"momentum-fl.table2-{name}"].evaluate(at)
        assert terms["noise"] == pytest.approx((9.0 / 16000) ** (2 / 3), rel=1e-12)
    assert RATES["momentum-fl.table2-mb-storm"].evaluate(at)["sampling"] == pytest.approx((3.0 / 8000) ** (2 / 3))


@pytest.mark.parametrize(
    ("cost", "unit", "expected"),
    [
        (1 / (N * eps**4), K * T, 1 / sp.sqrt(N * K * T)),
        (eps**-3, S * K * T, (S * K * T) ** (-2 * THIRD)),
        (eps**-2, T, 1 / T),
        (sp.sqrt(N) * eps**-3, T, N**THIRD * T ** (-2 * THIRD)),
    ],
)
def test_a_cost_of_an_accuracy_is_a_rate(cost, unit, expected):
    """The steps 1/(N eps^4) with steps = K T is eps^2 = (N K T)^(-1/2), and so on, solved by hand."""
    found = invert_cost(cost, unit)
    at = {N: 5, S: 3, K: 7, T: 1000}
    assert float(found.subs(at)) == pytest.approx(float(expected.subs(at)), rel=1e-12)


@pytest.mark.parametrize(
    "name", [n for n in QUOTED if RATES[n].complexity and "LambertW" not in str(RATES[n].complexity)]
)
def test_rates_from_printed_costs_cost_what_is_printed(name):
    """Putting the printed number of rounds, steps or samples into the rate gives eps_acc^2."""
    rate = RATES[name]
    at = {"N": 50.0, "S": 20.0, "K": 3.0, "eps_acc": 0.01, "alpha_div": 2.0, "q_omega": 0.5, "sigma": 2.0}
    clients = at["S"] if rate.partial else at["N"]
    unit = {"rounds": 1.0, "steps": at["K"], "samples": clients * at["K"], "messages": at["N"]}
    first = next(c for c in ("steps", "samples", "rounds") if c in rate.complexity)
    spent = float(rate.complexity[first].subs({symbol(k): v for k, v in at.items()}))
    assert sum(rate.evaluate(at | {"T": spent / unit[first]}).values()) == pytest.approx(1e-4, rel=1e-9)


def test_remark_4_inverts_T_log_T_and_drops_T():
    """T ln T = y has the solution y/W(y); T ln T - T = y has y/W(y/e), and ln T! lies within 2 ln T of it."""
    from scipy.special import gammaln, lambertw

    accuracy, clients = 1e-3, 10
    at = {N: clients, eps: accuracy}
    y = 1 / (clients * accuracy**4)
    printed, derived = (
        float(RATES[f"fedlalr.{n}"].complexity["rounds"].subs(at)) for n in ("remark4", "remark4-derived")
    )
    assert printed == pytest.approx(y / lambertw(y).real, rel=1e-12)
    assert printed * math.log(printed) == pytest.approx(y, rel=1e-12)
    assert abs(gammaln(derived + 1) - y) < 2 * math.log(derived)
    assert derived > printed
    assert gammaln(printed + 1) < 0.97 * y
    assert derived / printed == pytest.approx(1 + 1 / math.log(printed), rel=0.01)


def test_remark_3_is_corollary_1_solved_for_T():
    """Rounds 1/(N K eps^4) come out of the rate 1/sqrt(N K T); messages are N times as many."""
    remark, corollary = RATES["fedlalr.remark3"], RATES["fedlalr.rate-corollary1"]
    assert sp.simplify(complexity(corollary).rounds - remark.complexity["rounds"]) == 0
    assert sp.simplify(remark.complexity["messages"] - N * remark.complexity["rounds"]) == 0


def test_equation_4_and_where_it_does_not_improve():
    """(S/N)^(2/3) + S^(-1/3): above 1 at S = 1 and S = N, for every S up to N = 17, and least at S = N^(2/3)/2."""
    pair = (RATES[f"momentum-fl.table2-{n}"] for n in ("scaffold-m", "scaffold"))
    ratio = rounds_ratio(*pair, without=["sigma"])
    at = sp.lambdify([N, S], ratio)
    for n in (2, 5, 100, 10**6):
        for s in (1, n // 2 or 1, n):
            assert at(n, s) == pytest.approx((s / n) ** (2 / 3) + s ** (-1 / 3), rel=1e-12)
        assert min(at(n, 1), at(n, n)) > 1
    assert all(at(n, s) > 1 for n in range(1, 18) for s in range(1, n + 1))
    assert min(at(18, s) for s in range(1, 19)) < 1
    best = 10.0**8 / 2
    assert at(1e12, best) == pytest.approx(1.5 * 2 ** (1 / 3) * 1e12 ** (-2 / 9), rel=1e-9)
    assert at(1e12, best) < min(at(1e12, best * 1.01), at(1e12, best / 1.01))


def test_rounds_of_different_powers_have_no_ratio():
    """A T^(-1/2) rate and a T^(-2/3) rate have no ratio of rounds."""
    with pytest.raises(NotApplicableError, match="no ratio of rounds"):
        rounds_ratio(RATES["momentum-fl.table1-yu"], RATES["momentum-fl.table1-stem"])


@pytest.mark.parametrize(
    ("row", "rounds"),
    [
        # What does not fall with K: (L Delta G/R)^(2/3), L Delta/R, (L Delta/R) (N/S)^(2/3), sqrt(L Delta) G/sqrt(R).
        ("momentum-fl.table1-yu", 3),
        ("momentum-fl.table1-stem", 2),
        ("momentum-fl.table2-scaffold", 2),
        ("momentum-fl.table1-fedcm", 4),
        ("momentum-fl.table1-koloskova", 4),
    ],
)
def test_rounds_when_local_steps_are_free(row, rounds):
    """With K as large as one likes the terms without K decide."""
    assert rounds_at_any_K(RATES[row]) == rounds


def test_papers_agree_on_pr_sgd_and_stem():
    """What fmgda quotes as rounds and samples follows from the rates that momentum-fl quotes for the same works."""
    for text, table in (("pr-sgd", "yu"), ("stem", "stem")):
        quoted, rate = RATES[f"fmgda.text-{text}"], RATES[f"momentum-fl.table1-{table}"]
        assert quoted.complexity["rounds"] == eps ** -rounds_at_any_K(rate)
        assert quoted.complexity["samples"] == eps ** -exponents(rate).samples


def test_papers_disagree_on_mime():
    """Three papers quote three speed-ups in S for MIME's variance-reduced method: sqrt(S), none, and all samples."""
    found = {n: exponents(RATES[n]).S for n in ("fedglomo.table1-mime-mvr", "momentum-fl.table2-mimelite-mvr")}
    assert found == {"fedglomo.table1-mime-mvr": -THIRD, "momentum-fl.table2-mimelite-mvr": 0}
    assert exponents(RATES["fmgda.text-mime"]).N == -2 * THIRD


def test_scaffold_needs_heterogeneity_in_one_table_only():
    """Table 1 of fedglomo lists bounded heterogeneity for SCAFFOLD, momentum-fl does not; the leading powers agree."""
    ours, other, cited = (
        RATES[n] for n in ("fedglomo.table1-scaffold", "momentum-fl.table2-scaffold", "fedglomo.table1-scaffold-cited")
    )
    assert ours.assumptions != other.assumptions == cited.assumptions == ()
    assert exponents(ours) == exponents(other) == exponents(cited)


def test_fmgda_keeps_its_samples_and_loses_rounds():
    """The derived row has the rounds that the repaired corollary promises: eps^(-7/3) N^(-1/3), samples eps^(-3)."""
    row, bound = RATES["fmgda.table1-fmgda-derived"], BOUNDS["fmgda.corollary1R-rate"]
    powers = exponents(bound)
    assert sp.degree(1 / row.complexity["samples"], eps) == powers.samples
    assert row.complexity["rounds"] == N ** (powers.N / -powers.T) * eps**-powers.rounds


def test_words_and_missing_letters_are_refused():
    """A row in words gives no number, and a missing letter is named."""
    with pytest.raises(NotApplicableError, match="in words only"):
        RATES["fmgda.text-coda"].evaluate({})
    with pytest.raises(NotApplicableError, match="needs Delta, L"):
        RATES["momentum-fl.table1-yang"].evaluate({"N": 2, "K": 1, "T": 5, "sigma": 1.0})
