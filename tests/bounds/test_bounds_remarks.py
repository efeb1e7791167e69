"""The adaptive interval of FedLALR, Remark 1 of FMGDA, and printed server steps that meet no condition."""

import math

import numpy as np
import pytest
from turns import in_turn

from boundcheck import check, load_problem
from boundcheck.bounds import BOUNDS
from boundcheck.bounds.units import findings
from boundcheck.evidence import feasibility
from boundcheck.methods import METHODS

ROW_1 = {"L": 1, "sigma": math.sqrt(0.1), "Delta": 2, "G_inf": 1, "d": 10, "N": 8, "S": 8, "b": 1}
PARAMETERS = {"eta": 0.01, "beta1": 0.9, "eps": 0.5}


def adaptive(name, K, T, growth, **overrides):
    bound = BOUNDS[name]
    resolved = bound.resolve(ROW_1 | {"K": K, "T": T}, {"K_growth": growth} | overrides)
    return bound.evaluate(resolved, strict=False)


LENGTHS = [1, 2, 3, 4, 9, 10, 63, 64, 65, 100, 1024, 59049]


@pytest.mark.parametrize(("T", "interval"), in_turn(LENGTHS, (3, 4), (4, 2), (1, 3), (2, 10)))
def test_schedule_is_that_of_the_method(T, interval):
    """Sum, longest round and mean square equal the steps that the method takes, counted round by round."""
    K, growth = interval
    method = METHODS["fedlalr"](eta=0.1, growth=growth)
    steps = np.array([method.steps(K, t) for t in range(1, T + 1)])
    found = adaptive("fedlalr.theorem2R", K, T, growth).values
    assert found["sum_K"] == steps.sum()
    assert found["K_max"] == steps.max()
    squares = sum(int((np.arange(k) ** 2).sum()) for k in steps)
    assert found["drift_steps"] == pytest.approx(squares / steps.sum(), rel=1e-12)


def test_theorem_2_equals_equation_271_read_line_by_line():
    """(271) for K_t = 3 + floor(log_4 t), t = 1..100, term by term as printed."""
    G, L, d, N, gap, eta, b1, eps, s2 = 1, 1, 10, 8, 2, 0.01, 0.9, 0.5, 0.1
    steps = [3 + (t >= 4) + (t >= 16) + (t >= 64) for t in range(1, 101)]
    total, k = sum(steps), max(steps)
    D = G**2 - eps**2
    a2 = 2 * L**2 * b1**2 * G**2 * d / ((1 - b1) ** 2 * eps**4)
    a2 += k**2 * L**2 * G**2 / eps**4 * (1 + 4 * k**2 * (1 - b1) ** 2 * d)
    c3 = (2 - b1) * G**2 * k * d * D / ((1 - b1) * eps**3) + 3 * d * D * G**2 / (2 * eps**3 * (1 - b1))
    c4 = 5 * L * G**2 * d * D**2 / (8 * eps**6 * (1 - b1) ** 2) * (2 * b1**2 + (1 - b1) ** 2)
    c4 += 5 * L * k * G**2 * d**2 * D**2 / (2 * eps**6)
    phi = gap / (eta * total) + 5 * L * d * s2 * eta / (4 * eps**2 * N) + a2 * eta**2 + (c3 + c4 * eta * N) / total
    assert adaptive("fedlalr.theorem2", 3, 100, 4, **PARAMETERS).rhs == pytest.approx(2 * G * phi, rel=1e-12)


@pytest.mark.parametrize(("two", "one"), [("theorem2", "theorem1-proof"), ("theorem2R", "theorem1R")])
def test_an_interval_that_never_grows_gives_theorem_1(two, one):
    """With a base above T every round has K steps, and Theorem 2 is Theorem 1, term by term."""
    fixed = BOUNDS[f"fedlalr.{one}"]
    expected = fixed.evaluate(fixed.resolve(ROW_1 | {"K": 5, "T": 1000}, PARAMETERS), strict=False)
    found = adaptive(f"fedlalr.{two}", 5, 1000, 1001, **PARAMETERS)
    assert found.terms == pytest.approx(expected.terms, rel=1e-12)


def test_rate_of_theorem_2_needs_a_long_run():
    """(272) is refused before sum K_t reaches N (20 L/(3 eps))^2 = 8 * (40/3)^2 = 1422.2 and allowed after."""
    bound = BOUNDS["fedlalr.theorem2-rate"]
    for T, allowed in ((237, False), (260, True)):
        resolved = bound.resolve(ROW_1 | {"K": 3, "T": T}, {"eps": 0.5})
        assert (resolved["sum_K"] >= 8 * (40 / 3) ** 2) is allowed
        assert (not bound.evaluate(resolved, strict=False).unmet) is allowed


@pytest.mark.parametrize(("N", "K", "b"), [(2, 3, 1), (5, 1, 2), (1, 40, 1)])
def test_remark_1_is_corollary_1_at_its_period(N, K, b):
    """With T = (N K)^2 rounds the right-hand side of (11) is (N K T)^(-2/3) times the constants of the remark."""
    values = {"N": N, "S": N, "K": K, "T": (N * K) ** 2, "b": b, "d": 5, "L_block": 2.0, "mu": 1.0}
    values |= {"sigma": 0.7, "zeta_pair": 0.4, "Delta_Phi": 1.6, "delta_y": 0.8}
    remark, corollary = (BOUNDS[f"fmgda.{name}"] for name in ("remark1", "corollary1"))
    found = remark.evaluate(remark.resolve(values))
    assert found.terms == pytest.approx(corollary.evaluate(corollary.resolve(values)).terms, rel=1e-12)
    off = remark.evaluate(remark.resolve(values | {"T": (N * K) ** 2 - 1}), strict=False)
    assert "communication period" in [c.label for c in off.unmet]
    longer = values | {"T": 4 * (N * K) ** 2}
    assert remark.evaluate(remark.resolve(longer)).rhs > corollary.evaluate(corollary.resolve(longer)).rhs


@pytest.mark.parametrize("theorem", ["theorem19", "theorem22"])
def test_printed_server_steps_meet_no_condition_of_their_proofs(theorem):
    """Erratum E7: nothing meets gamma as printed and Lemmas 5, 16 and 20; with the repaired gamma something does."""
    assert feasibility(BOUNDS[f"momentum-fl.{theorem}-proof"]).feasible is False
    assert feasibility(BOUNDS[f"momentum-fl.{theorem}"]).feasible is True


def test_printed_server_step_is_twelve_times_too_long():
    """At every setting gamma L = beta, and Lemma 16 allows beta/12: the refusal says so."""
    bound = BOUNDS["momentum-fl.theorem19-proof"]
    values = {"N": 8, "S": 2, "K": 4, "T": 10**6, "b": 1, "L": 2.0, "sigma": 1.0, "Delta": 3.0, "G_0": 5.0}
    (lemma,) = (c for c in bound.check(bound.resolve(values)) if "Lemma 16" in c.label)
    assert lemma.left == pytest.approx(12 * lemma.right)
    assert not lemma.holds


def test_small_mu_leaves_nothing_of_remark_1s_theorem():
    """Erratum E7: the lower bound on the dual step leaves nothing at mu = 1/2, the most that the AUC problem has."""
    assert feasibility(BOUNDS["fmgda.theorem1-proof"], at={"mu": 0.5}).feasible is False
    assert feasibility(BOUNDS["fmgda.remark1"], at={"mu": 0.5}).feasible is True


ERRATA = {
    # E11: 1/6 beside 1/(6 L) and mu/(6 L), and L_f >= 1; E4: sigma^2/mu^2 beside sigma^2/20.
    "fmgda.theorem1": {
        "term noise", "parameter chat", "parameter c_dual", "condition 'primal step'", "condition 'dual step'",
        "condition 'block smoothness at least 1 (l.304)'",
    },
    # A2: eps^4 for eps^3 in both eta^2 terms; sqrt(N/(K T)) is no length.
    "fedlalr.theorem1": {"term momentum", "term drift", "parameter eta"},
    "fedlalr.theorem2": {"term momentum", "term drift", "parameter eta"},
    "fedlalr.theorem2R": {"parameter eta"},
    # E6: sigma^2/(S K T) inside the bracket of L Delta/T.
    "momentum-fl.theorem22-alt-printed": {"term descent"},
    "momentum-fl.theorem22-alt-rate": set(),
    "fmgda.theorem1R": set(),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRATA)
def test_places_where_units_mix(name):
    """The places that the errata name, and no others, are not homogeneous; no term of a repaired form is."""
    assert {f.place for f in findings(BOUNDS[name])} == ERRATA[name]


@pytest.mark.parametrize("growth", [1, 0.5])
def test_a_base_at_which_rounds_never_stop_growing_is_refused_at_once(growth):
    """log(t)/log(1) is infinite: the sum over levels has no end, and the theorem is not stated there."""
    verdict = check("fedlalr.theorem2R", load_problem("ridge-ratio", N=2), K=2, T=9, overrides={"K_growth": growth})
    assert verdict.verdict == "not applicable"
    assert adaptive("fedlalr.theorem2R", 2, 9, growth, **PARAMETERS).values["drift_steps"] == np.inf
