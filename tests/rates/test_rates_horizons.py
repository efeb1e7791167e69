"""Horizons: from when on a bound says something, and from when on it binds a problem."""

import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.errors import NotApplicableError
from boundcheck.evidence.trials.trial import pair
from boundcheck.problems import load_problem
from boundcheck.rates import Horizon, check_beyond, horizon


@pytest.mark.parametrize(
    ("bound", "problem", "N", "S"),
    [
        ("fmgda.corollary1R", "ncsc-p1", 8, None),
        ("fmgda.corollary1", "ncsc-p1", 8, None),
        ("gradma.lemma6-fedavg", "ridge-split[d=4,sigma=0.0,zeta=0.5]", 8, 2),
        ("fedglomo.theorem1", "ridge-log[zeta=0]", 64, 32),
    ],
)
def test_a_bound_is_vacuous_below_its_horizon_and_not_at_it(bound, problem, N, S):
    """Evaluated one round before and at both horizons, against the trivial bound and the sure ceiling."""
    made = load_problem(problem, N=N)
    found = horizon(bound, made, K=1, S=S)
    letters = {"alpha_div": float(N)} if bound == "fedglomo.theorem1" else {}

    def at(T):
        return pair(BOUNDS[bound], made, K=1, T=T, S=S, overrides=letters, strict=False).evaluation

    before, there = at(found.says_from - 1), at(found.says_from)
    assert before.vacuous or before.unmet
    assert not there.vacuous
    assert not there.unmet
    ceiling = made.ceiling(BOUNDS[bound].metric)
    if ceiling is None:
        assert found.binds_from == found.says_from
    else:
        assert at(found.binds_from).rhs < ceiling.value <= at(found.binds_from - 1).rhs


def test_horizons_have_words():
    """Vacuous below T, too weak for a problem, and vacuous as far as anybody looked are told apart."""
    shared = {"bound": "b", "problem": "p", "N": 2, "S": 2, "K": 3, "looked_to": 10**15}
    assert Horizon(**shared, says_from=480, binds_from=480).words == "vacuous below T = 480"
    later = Horizon(**shared, says_from=480, binds_from=4085)
    assert later.words == "vacuous below T = 480; too weak here below T = 4,085"
    assert (later.steps, later.in_minutes) == (3 * 4085, True)
    silent = Horizon(**shared, says_from=480, binds_from=None)
    assert silent.words == "vacuous below T = 480; too weak for this problem up to T = 1e+15"
    assert (silent.steps, silent.in_minutes) == (None, False)
    assert Horizon(**shared, says_from=None, binds_from=None).words == "vacuous up to T = 1e+15"
    assert Horizon(**shared, says_from=1, binds_from=1).words == "says something from T = 1"


def test_a_run_beyond_the_horizon_is_not_vacuous():
    """GradMA's lemma for FedAvg at K = 1: twice its horizon, measured below the bound."""
    made = load_problem("ridge-split[d=2,sigma=0.0,zeta=0.1]", N=4)
    found, verdict = check_beyond("gradma.lemma6-fedavg", made, K=1, S=4)
    assert verdict.setting["T"] == 2 * found.binds_from
    assert verdict.verdict == "holds"
    assert verdict.measured <= verdict.rhs < verdict.vacuity


def test_a_horizon_out_of_reach_is_named():
    """What it would take stands in the message."""
    with pytest.raises(NotApplicableError, match=r"vacuous below T = [\d,]+, beyond [\d,]+ rounds"):
        check_beyond("fmgda.corollary1", load_problem("ncsc-p1[mu=0.6]", N=16), K=8)


def test_a_hidden_constant_has_no_horizon():
    """A bound of order only says nothing at any single T."""
    with pytest.raises(NotApplicableError, match="hides its constant"):
        horizon("momentum-fl.theorem11-printed", load_problem("ridge-ratio", N=4), K=1)


@pytest.mark.slow
@pytest.mark.parametrize("bound", ["fmgda.corollary1R", "fmgda.corollary1"])
def test_fmgda_beyond_its_horizons(bound):
    """Both corollaries say something from a T that minutes reach, and are not contradicted there."""
    found, verdict = check_beyond(bound, load_problem("ncsc-p1", N=8), K=1, replicates=2)
    assert found.in_minutes
    assert verdict.measured < verdict.rhs < verdict.vacuity
