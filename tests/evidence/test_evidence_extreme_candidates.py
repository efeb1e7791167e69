"""Worst functions as instances: they refute what is false, never what is true, and are kept as problems."""

from dataclasses import replace
from itertools import islice, pairwise

import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.engine import simulate
from boundcheck.errors import InputError
from boundcheck.evidence import check
from boundcheck.evidence.search.extreme_candidates import candidates, extreme, worst_functions
from boundcheck.evidence.search.instances import TrialInstance
from boundcheck.evidence.search.keeping import save_instance
from boundcheck.evidence.search.refute import refute
from boundcheck.notation import symbols
from boundcheck.problems import load_problem
from boundcheck.problems.extremal.data import load_pieces

(delta_x,) = symbols("delta_x")
TRUE = ["momentum-fl.theorem19", "fedglomo.theorem3A", "gradma.lemma6S-fedavg", "gradma.lemma2"]
GROWING = {
    "momentum-fl.theorem19-printed": (1e4, (2, 4, 8), 0.9),
    "momentum-fl.theorem22-alt-printed": (4.0, (4, 8), 0.25),
}
"""Bounds of order that no constant saves: G_0, rounds, and a power of T that the limit grows with at least."""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.parametrize("name", TRUE)
def test_true_bounds_are_not_exceeded(name):
    """The first ones."""
    found = list(islice(worst_functions(BOUNDS[name]), 6))
    assert found
    assert all(0 <= one.ratio < 1 for one in found)


def test_the_printed_drift_lemma_is_exceeded_and_kept(tmp_path):
    """GradMA's Lemma .2 as printed lets eta L grow beyond 2: drift 13 times the right-hand side, seen by the engine."""
    found = extreme(BOUNDS["gradma.lemma2-printed"], K=8, T=1, N=2, L=2e4, Delta=1.0, zeta=0.0)
    assert found.ratio > 10
    repaired = extreme(BOUNDS["gradma.lemma2"], K=8, T=1, N=2, L=2e4, Delta=1.0, zeta=0.0)
    assert repaired.ratio < 0.1
    page = tmp_path / "kept.toml"
    search = refute("gradma.lemma2-printed", budget=40, keep=page)
    assert search.verdict == "violated"
    assert str(page) in search.command
    verdict = check("gradma.lemma2-printed", load_problem(str(page), N=search.instance.N), K=search.instance.K, T=1)
    assert verdict.verdict == "violated"
    assert verdict.ratio == pytest.approx(search.ratio, rel=1e-9)


@pytest.mark.parametrize("name", GROWING)
def test_hidden_constants_grow_along_the_proved_family(name):
    """With T where |grad f|^2 stays; towards its root where steps shrink like it (claims ...-grows of the ledger)."""
    G_0, rounds, power = GROWING[name]
    ratios = [extreme(BOUNDS[name], K=1, T=T, N=2, L=1.0, Delta=1.0, G_0=G_0).ratio for T in rounds]
    assert all(high / low > 2**power for low, high in pairwise(ratios))


@pytest.mark.parametrize(("L", "Delta"), [(1.0, 1.0), (50.0, 3.0)])
def test_the_function_has_the_constants_of_the_class(L, Delta, tmp_path):
    """Scaled from L = Delta = 1: the engine measures what was said, in every unit."""
    bound = BOUNDS["momentum-fl.theorem11"]
    found = extreme(bound, K=2, T=3, N=2, L=L, Delta=Delta, G_0=4.0)
    at = next(candidates(replace(bound, conditions=()), tmp_path))
    assert at.load().constant("L") == pytest.approx(1.0)
    from boundcheck.problems.extremal.family import Extremal

    problem = Extremal.of(found.pieces)
    assert problem.constant("L") == pytest.approx(L)
    assert problem.constant("Delta") == pytest.approx(Delta, rel=1e-6)
    assert problem.constant("G_0") <= 4 * L * Delta * (1 + 1e-9)
    run = simulate(problem, found.at.method, K=2, T=3, lanes=1, metrics=["server_gradient"])
    assert run.average("server_gradient")[0] / found.at.rhs == pytest.approx(found.ratio, rel=1e-6)


def test_a_shipped_problem_is_kept_with_its_dials(tmp_path):
    """The page says what the name and the selection said."""
    at = save_instance(TrialInstance("ridge-ratio[zeta=2,d=3]", 4, 2, 8), tmp_path / "a.toml", "some.bound")
    one, other = at.load(), load_problem("ridge-ratio", N=4, zeta=2, d=3)
    assert (one.d, one.constant("zeta"), one.constant("L")) == (3, other.constant("zeta"), other.constant("L"))
    with pytest.raises(InputError, match=r"keep = .*a\.txt.* is not legal: a file whose name ends in .toml"):
        save_instance(at, tmp_path / "a.txt", "some.bound")


@pytest.mark.parametrize("text", ["{}", '{"L": 1}', "{", '{"L":1,"mu":-1,"w":[[[0]]],"t":[[0,0]],"start":[0]}'])
def test_a_table_that_is_none_is_refused(text):
    """One line that says what is wrong."""
    with pytest.raises(InputError, match="extremal: which"):
        load_pieces(text)


@pytest.mark.parametrize("name", ["field.sgd-expected", "field.scaffnew"])
def test_letters_at_the_minimiser_and_other_left_hand_sides_have_functions(name, tmp_path):
    """Worst cases know neither; functions that are worst for what is nearest are bad, and never too bad."""
    bound = BOUNDS[name]
    found = [one.trial(bound) for one in islice(candidates(bound, tmp_path), 4)]
    found = [one for one in found if one.evaluation.rhs > 0]
    ratios = [float(one.measure(1, 0, 64).mean()) / one.evaluation.rhs for one in found]
    assert 0.5 < max(ratios) <= 1 + 1e-9


def test_a_rate_at_the_minimiser_that_is_too_fast_is_found_by_a_worst_function(tmp_path):
    """(1 - eta mu)^2 is what a parabola of curvature mu loses a step; three of them are too many."""
    bound = BOUNDS["field.sgd-expected"]
    fast = replace(bound, id="fast", terms={**bound.terms, "start": bound.terms["start"] ** 3 / delta_x**2})
    at = next(candidates(fast, tmp_path)).trial(fast)
    assert float(at.measure(1, 0, 1).mean()) > 1.01 * at.evaluation.rhs
