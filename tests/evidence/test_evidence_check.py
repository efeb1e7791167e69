"""check() end to end: true theorems hold, wrong ones are caught, pairs that do not go together say why."""

from dataclasses import replace

import pytest

from boundcheck import check, load_problem
from boundcheck.bounds import BOUNDS
from boundcheck.errors import InputError, NotApplicableError, UnknownNameError
from boundcheck.evidence import pair
from boundcheck.evidence.checks.series import check_series

RIDGE = load_problem("ridge-ratio", N=4, d=4)


def test_a_true_bound_holds():
    """FedAvg-M's explicit bound on ridges: measured, interval, terms, conditions and setting are all there."""
    found = check("momentum-fl.theorem11", RIDGE, K=2, T=2000)
    assert found.verdict == "holds", found.reason
    assert 0 < found.low <= found.measured <= found.high < found.rhs < found.vacuity
    assert found.rhs == pytest.approx(sum(found.terms.values()))
    assert all(c.holds for c in found.conditions)
    assert (found.how, found.settle, found.alpha) == ("betting", "", 0.05)
    assert (found.replicates in {16, 32, 64}, found.setting["N"], found.setting["T"]) == (True, 4, 2000)


def test_what_no_run_can_contradict_is_vacuous():
    """At T = 400 the right-hand side is above sup |grad f|^2 = 4 (3 sqrt(3)/8)^2 = 27/16, though below 2 L Delta."""
    found = check("momentum-fl.theorem11", RIDGE, K=2, T=400)
    assert (found.verdict, found.how) == ("vacuous", "ceiling")
    assert 27 / 16 < found.rhs < found.vacuity
    assert "too weak for this problem: no run on it exceeds 1.688" in found.reason


def test_a_short_run_is_vacuous():
    """At T = 5 the bound is above 2 L Delta: true, and empty."""
    assert check("momentum-fl.theorem11", RIDGE, K=2, T=5).verdict == "vacuous"


def test_a_wrong_theorem_is_caught():
    """With all terms but the noise dropped and the noise divided by 100, noisy runs refute the bound.

    FedAvg-M at full noise reaches at least beta^2 sigma^2/(N K) of variance in g, and the first gradients are far
    above sigma^2/(100 N K): the mean lies above the falsified bound by construction.
    """
    true = BOUNDS["momentum-fl.theorem11"]
    wrong = replace(true, id="wrong", terms={"noise": true.terms["noise"] / 100})
    found = check(wrong, RIDGE, K=2, T=50)
    assert found.verdict == "violated"
    assert found.e_value >= 20
    assert found.measured > found.rhs


def test_a_theorem_without_its_factor_is_caught():
    """FedLALR's noise term without gap and with 1/100 of its size is refuted too (exactness of the sure ceiling)."""
    true = BOUNDS["fedlalr.theorem1"]
    wrong = replace(true, id="wrong", terms={"noise": true.terms["noise"] / 100})
    assert check(wrong, RIDGE, K=2, T=20).verdict == "violated"


@pytest.mark.parametrize(
    ("bound", "problem", "settings", "reason"),
    [
        ("fedlalr.theorem1", "quadratic", {}, "needs G_inf, which the problem does not have"),
        ("fmgda.theorem1", "ridge-ratio", {}, "is about a minimax problem, but ridge-ratio is a minimise problem"),
        ("momentum-fl.theorem11", "ncsc-p1", {}, "is about a minimise problem, but ncsc-p1 is a minimax problem"),
        ("momentum-fl.theorem11", "ridge-ratio", {"S": 2}, "condition 'full participation' fails: N <= S"),
        ("fmgda.theorem1-proof", "ncsc-small-mu", {}, "condition 'dual step from below (l.681)' fails"),
        ("momentum-fl.theorem11", "ridge-ratio", {"overrides": {"eta": 1.0}}, "condition 'local drift (Lemma 9)'"),
    ],
)
def test_pairs_that_do_not_go_together(bound, problem, settings, reason):
    """The verdict is "not applicable", with the constant, kind or condition in the reason, and nothing is run."""
    found = check(bound, load_problem(problem, N=4), K=2, T=10, **settings)
    assert found.verdict == "not applicable"
    assert reason in found.reason
    assert found.measured is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"S": 5}, "S = 5 is not legal: at most N = 4"),
        ({"S": 0}, "S = 0 is not legal"),
        ({"K": 0}, "K = 0 is not legal"),
        ({"T": 0}, "T = 0 is not legal"),
        ({"b": 0}, "b = 0 is not legal"),
        ({"alpha": 1.0}, "alpha = 1.0 is not legal"),
        ({"replicates": 0}, "replicates = 0 is not legal"),
        ({"budget": 4}, "budget = 4 is not legal"),
        ({"seed": -1}, "seed = -1 is not legal"),
        ({"overrides": {"eta": 0.0}}, "eta = 0.0 is not legal: a number > 0"),
    ],
)
def test_illegal_settings_are_refused(settings, message):
    """What no theorem allows is an error, not a verdict."""
    with pytest.raises(InputError, match=message):
        check("momentum-fl.theorem11", RIDGE, **({"K": 2, "T": 5} | settings))


def test_counts_prescribed_to_the_method_must_be_whole():
    """An initial minibatch of 2.5 samples is refused rather than run with 2 and judged with 2.5."""
    with pytest.raises(InputError, match=r"fmgda.theorem1R: B = 2.5 is not legal: an integer >= 1"):
        pair(BOUNDS["fmgda.theorem1R"], load_problem("ncsc-p1", N=2), K=2, T=4, overrides={"B": 2.5})


def test_unknown_bound_is_refused():
    """A name that is no bound is refused with close ones."""
    with pytest.raises(UnknownNameError, match="unknown bound"):
        check("momentum-fl.theorem12", RIDGE, K=2, T=5)


def test_a_trial_gives_the_method_the_bounds_parameters():
    """Every prescribed parameter reaches the method under its own name, options included."""
    trial = pair(BOUNDS["fmgda.corollary1R-rate"], load_problem("ncsc-p1", N=2), K=3, T=4)
    values = trial.evaluation.values
    assert {k: getattr(trial.method, k) for k in ("chat", "c_dual", "c1", "h", "t_flat", "B")} == {
        k: values[k] for k in ("chat", "c_dual", "c1", "h", "t_flat", "B")
    }
    assert trial.method.synchronised_start
    with pytest.raises(NotApplicableError):
        pair(BOUNDS["momentum-fl.theorem11"], RIDGE, K=2, T=4, overrides={"gamma": 1.0})
    assert pair(BOUNDS["momentum-fl.theorem11"], RIDGE, K=2, T=4, overrides={"gamma": 1.0}, strict=False)


def test_replicates_are_added_until_the_verdict_is_clear():
    """Replicates measured in two parts equal those measured at once, and an undecided check spends its budget."""
    trial = pair(BOUNDS["momentum-fl.theorem11"], RIDGE, K=2, T=20)
    whole = trial.measure(0, 0, 12)
    assert [*trial.measure(0, 0, 4), *trial.measure(0, 4, 8)] == list(whole)
    close = replace(BOUNDS["momentum-fl.theorem11"], id="close", terms={"at the mean": float(whole.mean())})
    found = check(close, RIDGE, K=2, T=20, replicates=2, budget=12)
    assert (found.verdict, found.replicates) == ("undecided", 12)
    assert found.measured == whole.mean()
    assert trial.judge(whole, alpha=0.05).verdict == "vacuous"


def test_randomness_is_noise_or_sampling():
    """Runs differ when there is noise or when clients are sampled."""
    still = load_problem("ridge-ratio", N=4, d=4, sigma=0.0)
    theorem = BOUNDS["momentum-fl.theorem19"]
    trials = [(RIDGE, 4), (still, 4), (still, 3)]
    found = [pair(theorem, problem, K=2, T=20, S=S, strict=False).is_random for problem, S in trials]
    assert found == [True, False, True]
    assert check("momentum-fl.theorem11", still, K=2, T=20).replicates == 1


TILTS = [{"zeta": 1e5}, {"zeta": 1e6}, {"zeta": 1e7}]
E1 = {"problem": "quadratic-tilt", "N": 2, "K": 1, "T": [100, 1000, 10000], "varied": TILTS}


def test_printed_theorem_19_is_refuted_by_its_claim():
    """Erratum E1: measured over claimed is 111.5, 1115, 11150 on two tilted parabolas; the claim says for all T."""
    verdicts, shape = check_series("momentum-fl.theorem19-printed", **E1)
    assert shape.ratios == pytest.approx((111.5, 1115, 11150), rel=1e-3)
    assert shape.growth == pytest.approx(1.0, abs=1e-3)
    assert {v.verdict for v in verdicts} == {"order only"}
    assert shape.constant_at_least == pytest.approx(11150, rel=1e-3)
    assert verdicts[0].reason.endswith(
        "no constant serves: refuted by momentum-fl.theorem19-rate-printed, momentum-fl.theorem19-rate-grows"
    )


def test_corrected_theorem_19_holds_on_the_same_instance():
    """Without the G_0 term in beta the bound holds for every tilt; at gamma L = 1/24 the ratio is the spec's 13.7."""
    verdicts, shape = check_series("momentum-fl.theorem19", **E1)
    assert shape is None
    assert {v.verdict for v in verdicts} <= {"holds", "vacuous"}
    assert verdicts[-1].verdict == "holds"
    for T, varied, printed in zip(E1["T"], TILTS, (8.97e-3, 8.97e-4, 8.97e-5), strict=True):
        problem = load_problem("quadratic-tilt", N=2, **varied)
        faster = pair(BOUNDS["momentum-fl.theorem19"], problem, K=1, T=T, overrides={"gamma": 1 / 24}, strict=False)
        assert faster.measure(0, 0, 1)[0] / printed == pytest.approx(13.7, rel=0.02)


def test_one_point_cannot_refute_an_order():
    """A bound of order only stays so at one horizon, with its ratio in the reason."""
    verdicts, shape = check_series("momentum-fl.theorem19-printed", **(E1 | {"T": [100], "varied": TILTS[:1]}))
    assert shape is None
    assert verdicts[0].verdict == "order only"
    assert "order only: measured / shape = 112;" in verdicts[0].reason


def test_number_of_clients_is_not_a_varied_parameter():
    """N is given apart and may not be varied as a problem parameter."""
    with pytest.raises(InputError, match="varied = 'N' is not legal"):
        check_series("momentum-fl.theorem11", "ridge-ratio", N=2, K=1, T=[5], varied=[{"N": 3}])


def test_every_horizon_has_its_varied_parameters():
    """One mapping for two horizons is refused."""
    with pytest.raises(InputError, match=r"varied = \[{'d': 4}\] is not legal: one mapping a horizon, 2"):
        check_series("momentum-fl.theorem11", "ridge-ratio", N=2, K=1, T=[5, 10], varied=[{"d": 4}])


def test_horizons_share_the_error_rate():
    """With two horizons at alpha = 0.04 each has 0.02, and its first approximate limit half of that."""
    verdicts, _ = check_series(
        "momentum-fl.theorem11", "quadratic", N=4, K=2, T=[400, 800], varied=[{"d": 2, "sigma": 1.0}] * 2, alpha=0.04
    )
    assert [v.alpha for v in verdicts] == [0.02, 0.02]
    assert verdicts[1].reason.partition(";")[0].endswith("at nominal error rate 0.01")


def test_the_name_of_a_problem_is_not_a_problem():
    """The message says how to make one."""
    with pytest.raises(InputError, match=r"problem = 'ridge-ratio' .*load_problem\('ridge-ratio', N=...\)"):
        check("momentum-fl.theorem11", "ridge-ratio", K=1, T=5)
