"""Lemma .6 of GradMA: its equations are the code's, its claims true on exact runs, its steps and constants needed."""

from fractions import Fraction

import numpy as np
import pytest
from drawn_client_runs import Case, drawn_run
from drawn_runs import GRADMA_CASES, gradma_run

from boundcheck.bounds import BOUNDS
from boundcheck.conform.equations.recursion import failing, hyperparameters
from boundcheck.conform.equations.statements import StatementRun
from boundcheck.proofs.chain.whole.proof import PROOFS, claims_of, load_shipped
from boundcheck.proofs.language.grammar import read

FILE = load_shipped(PROOFS["gradma.lemma6"])
CLAIMS = claims_of(FILE)
PROXIMAL = load_shipped(PROOFS["gradma.lemma6-fedproxm"])
DRAWN = ((0, 2), (1, 2))
FEDAVGM = Case("fedavg-server-m", "e", DRAWN, {"v": "m"}, ("c", "w"))


@pytest.mark.parametrize("K", [1, 2, 3])
def test_the_code_of_fedavg_with_server_momentum_satisfies_the_equations(K):
    """Three clients, two of them drawn in each of two rounds, on symbols; there the corrections vanish."""
    assert failing(FILE, drawn_run(FILE, K, 3, FEDAVGM)) == []


@pytest.mark.parametrize("K", [1, 2, 3])
def test_the_code_of_fedprox_with_server_momentum_satisfies_the_equations(K):
    case = Case("fedprox-m", "e", DRAWN, {"v": "m"})
    assert failing(PROXIMAL, drawn_run(PROXIMAL, K, 3, case)) == []


@pytest.mark.parametrize(
    "case",
    [
        {"N": 3, "S": 2, "K": 2, "T": 2, "tilt": (2, -1, -1), "zeta": 2, "eta": Fraction(1, 80), "mu": Fraction(1, 2)},
        {"N": 2, "S": 1, "K": 3, "T": 2, "tilt": (1, -1), "eta": Fraction(1, 200), "mu": 1, "start": 3},
    ],
    ids=str,
)
def test_no_claim_about_fedprox_is_false_on_an_exact_run(case):
    run = gradma_run(PROXIMAL, gamma=Fraction(1, 1000), inertia=1, **case)
    for claim in claims_of(PROXIMAL):
        assert all(run.holds(node, {}) for node in claim.given), claim.id
        assert run.failures(claim) == [], claim.id


def with_equation(name, right):
    from dataclasses import replace

    definitions = dict(FILE.setting.definitions)
    definitions[name] = replace(definitions[name], right=read(right))
    return replace(FILE, setting=replace(FILE.setting, definitions=definitions))


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("momentum", "inertia/(1 + inertia) m[t] + eta K mean(i, k) d[t, k]"),
        ("momentum", "inertia m[t] + eta K (mean(i, k) d[t, k] + mean(i) e[t])"),
        ("momentum", "inertia/(1 + inertia) m[t] + eta (mean(i, k) d[t, k] + mean(i) e[t])"),
        ("server-step", "x[t] - gamma m[t + 1]"),
        ("server-step", "x[t] - gamma/(eta K) m[t]"),
        ("local-step", "y[t, k] - gamma d[t, k]"),
        ("local-start", "x[0]"),
    ],
)
def test_a_wrong_equation_is_found(name, right):
    wrong = with_equation(name, right)
    assert failing(wrong, drawn_run(wrong, 2, 3, FEDAVGM)) != []


def projected_run(monkeypatch, K=3, T=4, N=4, d=3):
    """Return a run of GradMA with its projections, in floats; what they move is recorded where it happens."""
    from boundcheck.conform.equations.recursion import GradientRecorder, record_entries
    from boundcheck.methods import METHODS, gradma_updates

    rng = np.random.default_rng(5)
    b, own = 3 * rng.normal(size=(1, N, d)), gradma_updates.project
    moved, vectors = [], {}

    class Client(GradientRecorder):
        """All clients, in floats."""

        def active(self, v):
            return v

        def to_all(self, v):
            return np.repeat(v, N, axis=1)

        def remember(self, memory, rows):
            return rows + 0 * memory

    def project(v, rows):
        found = own(v, rows)
        moved.append((v, found - v))
        return found

    monkeypatch.setattr(gradma_updates, "project", project)
    values = {"eta": 0.1, "gamma": 0.3, "inertia": 1.0, "age": 1.0, "K": K, "N": N, "T": T}
    kind = METHODS["gradma"]
    oracle = Client(N, K, lambda y, *_: y + b, float)
    oracle.observe = lambda y, weight=1.0: visited.append(y)
    visited = []
    found = record_entries(kind(**hyperparameters(FILE, kind, values)), oracle, rng.normal(size=(1, 1, d)), T)
    vectors = {key: value for key, value in found.items() if key[0] in {"x", "m"}}
    locally = [one for one in moved if one[0].ndim == 3]
    server = [one for one in moved if one[0].ndim == 2]
    for n, (y, (raw, change)) in enumerate(zip(visited, locally, strict=True)):
        assert np.allclose(raw, y + b)
        vectors |= {("y", divmod(n, K)): y, ("c", divmod(n, K)): change, ("d", divmod(n, K)): raw + change}
    for t, (_, change) in enumerate(server):
        vectors |= {("w", (t,)): change[:, None], ("e", (t,)): np.zeros((1, N, d))}
    return StatementRun(FILE.setting, values, vectors, lambda y: y + b, lambda _: 0.0), moved


def test_the_code_of_gradma_satisfies_the_equations_with_its_projections(monkeypatch):
    """On floats, the corrections being what the code's own projections change; some do."""
    run, moved = projected_run(monkeypatch)
    assert failing(FILE, run, lambda a, b: np.allclose(a.astype(float), b.astype(float), rtol=1e-9)) == []
    assert sum(np.abs(change).max() > 1e-3 for _, change in moved) > 3
    wrong = with_equation("momentum", "inertia/(1 + inertia) m[t] + eta K (mean(i, k) d[t, k] + mean(i) e[t])")
    assert failing(wrong, run, lambda a, b: np.allclose(a.astype(float), b.astype(float))) != []


def stands_for(claim, run):
    """Return whether a claim speaks of this run: a special case speaks of those at its values, or of one round."""
    rounds = [node for node in claim.given if str(node) == "T = 1"]
    values = all(run.number(node, {}) == run.letters[name] for name, node in claim.at.items())
    return values and all(run.holds(node, {}) for node in rounds)


@pytest.mark.parametrize("case", GRADMA_CASES)
def test_no_claim_and_no_leaf_is_false_on_an_exact_run(case):
    """Every draw of the clients is a lane: expectations are exact."""
    run = gradma_run(FILE, **GRADMA_CASES[case])
    for claim in CLAIMS:
        if stands_for(claim, run):
            assert all(run.holds(node, {}) for node in claim.given), claim.id
            assert run.failures(claim) == [], claim.id
    for leaf in FILE.setting.leaves.values():
        if not leaf.points:
            assert all(run.holds(leaf.shows, at) for at in run.places(leaf.over)), leaf.id


@pytest.mark.parametrize("claim", [c for c in CLAIMS if c.shows.name == "<="], ids=lambda c: c.id)
def test_a_false_claim_is_seen_on_some_run(claim):

    from boundcheck.proofs.language.grammar import Node

    left, right = claim.shows.parts
    small = Node("div", parts=(right, Node("number", "1000000")))
    false = claim.restate(shows=Node("relation", "<=", (left, small)))
    runs = [gradma_run(FILE, **case) for case in GRADMA_CASES.values()]
    if claim.id in {"descent", "descent-sharp", "virtual-start"}:  # right sides that are differences: less by one
        lower = Node("add", parts=(right, Node("neg", parts=(Node("number", "1"),))))
        false = claim.restate(shows=Node("relation", "<=", (left, lower)))
    assert any(run.failures(false) for run in runs if stands_for(claim, run))


def test_the_special_cases_are_the_lemma_at_values_of_its_letters():
    """The terms of each bound are those of the lemma with 0 for what the method lacks."""
    from sympy import Symbol

    for one in FILE.theorems:
        if one.at and one.steps[0].id in BOUNDS:
            lemma = BOUNDS[one.steps[0].id].total
            gone = {"inertia": "beta1"} | {name: name for name in ("eps_l", "eps_g")}
            zero = {Symbol(gone[name], **s.assumptions0): 0 for name in one.at for s in lemma.free_symbols
                    if s.name == gone[name]}  # fmt: skip
            assert (lemma.subs(zero) - BOUNDS[one.bound].total).simplify() == 0


@pytest.mark.parametrize(("constant", "proved"), [(22, True), pytest.param(21, False, marks=pytest.mark.slow)])
def test_the_constant_of_the_local_path_has_room_to_22(constant, proved):
    """Lemma .2 prints 40; the recursion with (1 + 1/K)^K < e gives 4 (K - 1)(2 K + 1) e < 8 e K^2 = 21.75 K^2."""
    from boundcheck.proofs.chain.deciding.prover import Prover

    place = next(n for n, c in enumerate(CLAIMS) if c.id == "local-path")
    shows = read(f"path[t, k] - {constant} (eta K)^2 (eps_l^2 + zeta^2 + grad2[t])")
    left, right = shows.parts[0], shows.parts[1].parts[0]
    claim = CLAIMS[place].restate(shows=type(left)("relation", "<=", (left, right)))
    prover = Prover(FILE.setting)
    for below in CLAIMS[:place]:
        prover.decide(below)
    assert prover.decide(claim).proved == proved
