from __future__ import annotations

import dataclasses
import inspect

import numpy as np
import pytest
from problem_cases import MORE, SHIPPED, problem_of, shared_problem
from turns import case_of, every

from boundcheck.errors import InputError
from boundcheck.problems import FAMILIES, certify
from boundcheck.problems.catalog import instance, parse_name
from boundcheck.problems.certification.certify import certify_claims
from boundcheck.problems.certification.maximise import IDENTITIES, MAXIMISERS

PLANTED = (
    "ridge-ratio",
    "ridge-ratio-phases",
    "sine-bowl",
    "online-cycle",
    "ridge-coercive",
    "ridge-sigmoid",
    "ridge-spikes",
    "ridge-dropout",
    "ridge-split",
    "ridge-mixture",
    "ridge-shift",
    "ridge-bend",
    "ridge-waves",
    "ridge-two-phase",
    "ridge-rotated",
    "finite-sum-interpolated",
    "chain",
    "chain-mean-square",
    "chain-split",
    "ridge-table",
    "extremal",
    "fedlalr-a2[height=1,start=1]",
    "fedlalr-a4[weight=1.0,start=1]",
    "fedglomo-v2",
    "fmgda-e1",
    "quadratic[noise=phases]",
    "ncsc-p1",
    "ncsc-additive",
    "ncsc-cosine",
    "ncsc-tight",
    "ncsc-newton",
    "auc-two-point",
    "auc-gauss",
    "mlp-wine",
    "softmax-wine",
    "logistic-cancer",
    "logistic-wine",
    "least-squares",
    "robust-wine",
)


HEAVY = {"softmax-digits", "mlp-digits", "auc-net-digits", "auc-net-digits-skew"}
"""Problems whose samples are so dear that every attack on them takes minutes."""
DEAR = {"softmax-wine", "logistic-cancer", "logistic-digits", "auc-digits", "chain", "chain-mean-square", "chain-split"}
DEAR |= {"chain[d=3,noise=phases,sigma=1]", "chain-split[block=2,d=7,noise=smooth-zero-chain]"}
"""Problems whose attacks take seconds; relatives of theirs are attacked in every test run."""
BARE = {"chain-split[d=1]"}
"""Problems with little to attack."""
DEAR_ON_EIGHT = {"softmax-wine[split=skew,skew=1]", "logistic-wine", "auc-two-point"}
"""Data that every test run splits over two clients; other data over eight."""


def exact_letters(problem):
    for letter, constant in problem.constants.items():
        # What is 0 but for rounding has nothing to lower.
        counts = abs(constant.value) > 1e-12 or MAXIMISERS[letter].sense == "floor"
        if constant.kind == "exact" and counts:
            yield letter


def family_of(spec):
    """Return the family of a page with parameters."""
    return instance(parse_name(spec)[0]).family


def with_constants(problem, **values):
    """Return a problem that claims these constants and no others."""
    changed = {name: dataclasses.replace(problem.constants[name], value=value) for name, value in values.items()}
    problem._constants = changed
    return problem


def with_constant(problem, letter, value):
    return with_constants(problem, **{letter: value})


def row(problem, letter):
    if letter in problem.constants:
        return certify_claims(problem, {letter: problem.constants[letter]})[0]
    return next(certificate for certificate in certify(problem) if certificate.constant == letter)


def numbers_of_clients(place, spec):
    """Yield 1, 2, an odd and an even number, of which every test run takes one for a problem of each family, in turn.

    The slow tests take the rest.  Where rows of a data set are split, a test run takes 8, or 2 where 8 are dear.
    """
    is_split = "split" in inspect.signature(FAMILIES[instance(parse_name(spec)[0]).family]).parameters
    split = 2 if spec in DEAR_ON_EIGHT else 8
    quick = split if is_split else (8, 5, 2, 1)[place // 4 % 4]
    for N in (1, 2, 5, 8):
        is_quick = quick == N and spec in FEW and parse_name(spec)[0] not in HEAVY and spec not in DEAR
        yield pytest.param(spec, N, marks=() if is_quick else pytest.mark.slow)


def few(specs):
    """Return the first problem of each family that is not dear."""
    firsts = {}
    for spec in specs:
        if spec not in DEAR | BARE and parse_name(spec)[0] not in HEAVY:
            firsts.setdefault(instance(parse_name(spec)[0]).family, spec)
    return set(firsts.values())


FEW = few(SHIPPED + MORE)
ATTACKED = [case for place, spec in enumerate(SHIPPED + MORE) for case in numbers_of_clients(place, spec)]
QUICK = [case.values for case in ATTACKED if not case.marks]


def test_every_test_run_attacks_all_families():
    """What is left to the slow tests has relatives that are not."""
    assert {instance(parse_name(spec)[0]).family for spec, _ in QUICK} == set(FAMILIES)
    assert {N for _, N in QUICK} == {1, 2, 5, 8}


@pytest.mark.parametrize(("spec", "N"), ATTACKED)
def test_every_shipped_constant_survives_attack(spec, N):
    """No attack exceeds a claim, exact claims are reached to 1 %, and gradients agree with difference quotients."""
    certificates = certify(problem_of(spec, N))
    assert [c for c in certificates if not c.ok] == []
    assert {c.constant for c in certificates} >= {"grad f", "unbiased", "G_0"}


PLANTED += tuple(spec for spec in SHIPPED if instance(spec).family not in {family_of(one) for one in PLANTED})
"""A family that came later has all of its pages here."""


def test_a_constant_of_every_family_is_planted():
    """The next test lowers constants of all registered families."""
    planted = [problem for spec in PLANTED if any(exact_letters(problem := shared_problem(spec, 2)))]
    assert {problem.family for problem in planted} == set(FAMILIES)


def lowered(problem, letter):
    """Return a constant that is 2 % too low, a floor by 2 % of the gap to it."""
    value = problem.constants[letter].value
    if MAXIMISERS[letter].sense == "floor":
        return value - 0.02 * problem.constant({"f_star": "Delta", "F_star": "Delta_F"}.get(letter, "Delta_Phi"))
    return 0.98 * value


@pytest.mark.parametrize("spec", every(3, PLANTED))
def test_exact_constants_lowered_by_two_percent_are_caught(spec):
    """Certify refuses every exact constant of every family when it is 2 % too low; each has an attack of its own.

    A test run lowers those of one problem in three: an attack that reaches 99 % of a claim exceeds 98 % of it.
    """
    problem = problem_of(spec, 2)
    values = {letter: lowered(problem, letter) for letter in exact_letters(problem)}
    assert all(value != problem.constants[letter].value for letter, value in values.items())
    claims = with_constants(problem, **values).constants
    found = {c.constant: c.ok for c in certify_claims(problem, {letter: claims[letter] for letter in values})}
    assert [letter for letter in values if found[letter]] == []


@pytest.mark.parametrize(
    ("spec", "letter", "factor"), [("ncsc-p1", "mu", 1.02), ("quadratic", "L", 1.02), ("ridge-log", "G_inf", 1.02)]
)
def test_an_exact_constant_raised_by_two_percent_is_caught(spec, letter, factor):
    """An exact constant that is too large is not reached (for mu: it is refuted)."""
    problem = problem_of(spec, 2)
    assert not row(with_constant(problem, letter, factor * problem.constant(letter)), letter).ok


def test_a_floor_above_the_minimum_is_refuted():
    """A claimed infimum that a descent undercuts is not ok, whatever its kind."""
    problem = problem_of("logistic-cancer", 2)
    raised = problem.constant("f_star") + 0.02
    found = row(with_constant(problem, "f_star", raised), "f_star")
    assert found.ratio > 1
    assert not found.ok


def test_a_wrong_gradient_is_caught(monkeypatch):
    """The identities fail when the closed-form gradient of f is off by one part in a thousand."""
    problem = problem_of("quadratic-tilt", 2)
    right = problem.mean_gradient
    monkeypatch.setattr(problem, "mean_gradient", lambda x: 1.001 * right(x))
    assert not row(problem, "grad f").ok


def test_a_claim_alone_is_certified_as_among_all():
    """The tests that attack one constant see what `certify` says of it."""
    problem = problem_of("ncsc-tight", 2)
    among = {c.constant: c for c in certify(problem)}
    for letter, constant in problem.constants.items():
        assert certify_claims(problem, {letter: constant}) == [among[letter]]


def test_certificates_are_reproducible():
    """The same seed gives the same certificates."""
    assert certify(problem_of("ncsc-tight", 2), seed=3) == certify(problem_of("ncsc-tight", 2), seed=3)


def test_effort_must_be_a_count():
    """An effort of 0 is refused by name."""
    with pytest.raises(InputError, match="effort = 0 is not legal"):
        certify(problem_of("quadratic", 2), effort=0)


def test_the_attack_table_covers_all_constants():
    """Every constant of every shipped problem has an attack."""
    letters = {letter for spec in SHIPPED for letter in shared_problem(spec, 2).constants}
    assert letters <= set(MAXIMISERS)
    assert not set(MAXIMISERS) & set(IDENTITIES)


def random_setting(seed):
    """Draw a legal setting of a family with closed-form constants, extreme scales included."""
    rng = np.random.default_rng(seed)
    N = int(rng.choice([2, 3, 4, 7]))
    sigma, omega = float(rng.choice([0.0, 0.1, 5.0])), float(10 ** rng.uniform(-1, 1))
    zeta, scale = float(rng.choice([0.0, 0.1, 1e4])), [float(10**e) for e in rng.uniform(-1, 1, 3)]
    family = ("ridge", "quadratic", "ncsc-ridge")[seed % 3]
    noise = str(rng.choice(["signs", "phases"]))
    if family == "ridge":
        shape = {"link": str(rng.choice(["ratio", "log", "cosine"])), "weight": scale[0], "d": int(rng.integers(1, 6))}
        kind = str(rng.choice(["tilt", "phase"]))
        return family, {"N": N, "zeta": zeta, "heterogeneity": kind, "sigma": sigma, "noise": noise, **shape}
    if family == "quadratic":
        shape = {"mu": 0.05 * scale[0], "L": scale[0], "spread": float(rng.uniform()), "d": int(rng.integers(1, 6))}
        return family, {"N": N, "zeta": zeta, "sigma": sigma, "noise": noise, "omega": omega, **shape}
    shape = {"s": scale[0], "B": scale[1], "mu": scale[2], "d1": int(rng.integers(1, 5)), "d2": int(rng.integers(1, 5))}
    shares = {"dual_share": 0.3, "wave_share": float(rng.choice([0.0, 0.5])), "noise_dual_share": float(rng.uniform())}
    return family, {"N": N, "zeta_pair": zeta, "sigma": sigma, "omega": omega, **shape, **shares}


@pytest.mark.parametrize("seed", [case_of(seed, slow=seed >= 3) for seed in range(24)])
def test_random_settings_survive_attack(seed):
    """Closed-form constants hold and are reached far from the shipped settings, whatever the scales."""
    family, parameters = random_setting(seed)
    assert [c for c in certify(FAMILIES[family](**parameters)) if not c.ok] == []


def test_a_huge_tilt_does_not_turn_rounding_into_a_refutation():
    """With gradients a million times larger than L, difference quotients stay below the claim."""
    assert all(c.ok for c in certify(problem_of("quadratic-tilt[zeta=1e6]", 2)))


@pytest.mark.parametrize(("far", "centre"), [(1e6, 1e8), (5e11, 5e13), (1.5e6, 1.5e8)])
def test_steps_that_rounding_shortened_accuse_nobody(far, centre):
    """At 5e13 a step of a difference quotient is lost in part: "constant mu does not stand" was said of a parabola."""
    from boundcheck.problems.own import from_functions

    place = np.array([centre])
    problem = from_functions(
        lambda i, x: float(((x - place) ** 2).sum() / 2),
        lambda i, x: x - place,
        N=1,
        d=1,
        start=place + far,
        convex=True,
        x_star=place,
        constants={"L": 1.0, "mu": 1.0, "f_star": 0.0},
    )
    assert [row.constant for row in certify(problem) if row.status == "exceeded"] == []
    near = from_functions(
        lambda i, x: float((x**2).sum() / 2), lambda i, x: x, N=1, d=1, start=[1.0], constants={"L": 1.0, "mu": 1.5}
    )
    assert next(row.status for row in certify(near) if row.constant == "mu") == "exceeded"
