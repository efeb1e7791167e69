"""Worst cases in own words: the examples against closed forms, other tools, the checker and the package's other way."""

import copy
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from boundcheck.errors import InputError, NotApplicableError
from boundcheck.methods.fedavg import FedAvg
from boundcheck.proofs.kernel import certificates as verify
from boundcheck.worst import worst
from boundcheck.worst.stated import StatedProblem, dot, language, read_file, read_text, square

EXAMPLES = sorted((Path(__file__).parents[2] / "docs" / "examples" / "worst").glob("*.worst"))
LONG = {
    "autolyap-item",
    "cyclic-coordinate-descent",
    "epsilon-subgradient",
    "frank-wolfe-ten",
    "past-extragradient",
    "three-operator-splitting",
    "alternating-projections",
    "averaged-projections",
    "dykstra",
}
"""Examples that take more than two seconds."""


def near(value, known, close):
    """Return whether two values agree, relative to the known one where that is above 1/100."""
    return abs(value - known) <= close * max(abs(known), 1e-2)


@pytest.mark.parametrize(
    "path", [pytest.param(p, marks=[pytest.mark.slow] * (p.stem in LONG), id=p.stem) for p in EXAMPLES]
)
def test_an_example_has_its_closed_form(path):
    """Attained closed forms to 2e-6, other tools' six digits to 1e-5, and no more than what is only a bound."""
    stated = read_file(path)
    case = stated.worst()
    assert stated.title
    assert stated.source
    assert all(near(case.upper, value, 2e-6) for value in stated.expected)
    assert all(near(case.upper, value, 1e-5) for value in stated.peers)
    assert all(case.upper <= value * (1 + 1e-6) + 1e-9 for value in stated.bounds)
    # Nothing that is printed is below what is attained.
    assert all(case.upper >= value - 2e-7 * max(abs(value), 1e-2) for value in stated.expected)
    if case.proof is not None:
        verify.check(case.proof, {})
        assert case.verdict == "proved"
        assert case.proved <= Fraction(case.upper)


def test_fifteen_pages_of_another_tool_are_stated():
    """AutoLyap's pages at their own parameters: all but one carry the number that it printed, Clarabel its solver."""
    texts = [path.read_text() for path in EXAMPLES if path.stem.startswith("autolyap-")]
    assert len(texts) == 15
    assert sum("peer(" in text for text in texts) == 14


def test_most_examples_are_proved_and_name_where_they_come_from():
    """There are many, and none without something to compare it with, but for a few."""
    texts = {path.stem: path.read_text() for path in EXAMPLES}
    compared = {name for name, text in texts.items() if any(f"{word}(" in text for word in ("expect", "bound", "peer"))}
    # These run beside PEPit in a slow test.
    compared |= {"acc-dngd", "diging", "decentralised-subgradient"}
    assert len(texts) >= 80
    assert sum("peer(" in text for name, text in texts.items() if not name.startswith("autolyap-")) >= 85
    assert len(compared) >= len(texts) - 9


SPOILED = {
    "gradient-descent": "smooth functions",
    "proximal-point": "convex functions",
    "subgradient": "Lipschitz functions",
    "alternating-projections": "sets",
    "gradient-descent-qg": "quadratic upper bounds",
    "rsi-eb": "secant inequality and error bound",
    "pl-gradient-descent": "PL",
    "quadratic-growth": "growth",
    "halpern": "nonexpansive operators",
    "monotone-proximal-point": "monotone operators",
    "monotone-douglas-rachford-cocoercive": "cocoercive operators",
    "gradient-descent-quadratics": "linear maps",
    "inexact-gradient": "relative errors",
    "exact-line-search": "line searches",
    "decentralised-gradient-descent": "mixing",
}


@pytest.mark.parametrize("name", SPOILED)
def test_a_spoiled_certificate_is_refused(name):
    """Of every class: a smaller right-hand side, a larger multiplier and a missing square are refused."""
    path = next(path for path in EXAMPLES if path.stem == name)
    given = {"n": 2} if "given(" in path.read_text() and "n=" in path.read_text() else {}
    proof = read_file(path, **given).worst().proof
    verify.check(copy.deepcopy(proof), {})
    left, bound = proof["shows"].rsplit(" <= ", 1)
    smaller = {**proof, "shows": f"{left} <= {Fraction(bound) - abs(Fraction(bound)) / 100 - Fraction(1, 10**6)}"}
    largest = max(range(len(proof["given"])), key=lambda k: Fraction(proof["by"][k][0]))
    heavier = copy.deepcopy(proof)
    heavier["by"][largest][0] = str(Fraction(proof["by"][largest][0]) + Fraction(1, 1000))
    shorter = {**proof, "by": proof["by"][:-1]}
    turned = copy.deepcopy(proof)
    turned["given"][largest] = turned["given"][largest].replace("<=", ">=", 1)
    for spoiled in (smaller, heavier, shorter, turned):
        if spoiled == proof:
            continue
        with pytest.raises(verify.ERRORS):
            verify.check(spoiled, {})


def test_own_expressions_say_what_the_programme_of_the_theorem_says():
    """FedAvg at K = T = 2 with zeta at the server points, stated in words: 35/32."""
    text = """
f = function(of_agents=True, L=1)
f_star = floor(f)
x = run(f, "fedavg", K=2, T=2, eta=1/2)
assume(f(x[0]) - f_star <= 1, |deviation(grad(f, x[0]))|^2 <= 1, |deviation(grad(f, x[1]))|^2 <= 1)
maximise((|mean(grad(f, x[0]))|^2 + |mean(grad(f, x[1]))|^2)/2)
"""
    found = read_text(text).worst()
    assert found.upper == pytest.approx(35 / 32, rel=1e-8)
    assert found.upper == pytest.approx(worst(FedAvg(eta=0.5), K=2, T=2, zeta=1.0).upper, rel=1e-8)


def test_a_run_from_a_second_start_contracts():
    """Two runs of SGD with one exact client approach each other as (1 - mu)^(2T) says."""
    problem = StatedProblem()
    f = problem.function(L=1, mu=Fraction(1, 4))
    from boundcheck.worst.stated.methods import run

    x, y = problem.point("x"), problem.point("y")
    problem.assume(square(x - y) <= 1)
    ends = [run(f, "sgd", K=1, T=2, start=start, eta=1)[-1] for start in (x, y)]
    assert problem.worst(square(ends[0] - ends[1])).upper == pytest.approx(0.75**4, rel=1e-6)


def test_nothing_bounds_what_nothing_bounds():
    """A distance without a start is refused, and so is what contradicts itself."""
    problem = StatedProblem()
    f = problem.function(L=1, mu=0)
    x_star = problem.minimiser(f)
    x = problem.vector("x")
    with pytest.raises(NotApplicableError, match="nothing bounds it"):
        problem.worst(square(x - x_star))
    problem.assume(square(x - x_star) <= 1, square(x - x_star) >= 2)
    with pytest.raises(NotApplicableError, match="no problem meets"):
        problem.worst(f(x) - f(x_star))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = open('f')", "line 1: open cannot be called|name"),
        ("import os", "only assignments"),
        ("x = (1).real", "is not read"),
        ("f = function()", "has no class"),
        ("f = function(L=-1)", "L = "),
        ("f = function(L=1, mu=2)", "mu = "),
        ("f = function(lipschitz=0)", "lipschitz"),
        ("A = operator()", "has no class"),
        ("x = point()\nmaximise(x)", "a vector stands where a number should"),
        ("x = vector()\nassume(|x|^2)", "a relation"),
        ("x = vector()\ny = |x|^2*|x|^2", "a finite number"),
        ("x = y", "name = 'y'"),
        ("dot = 1", "no word of the language"),
        ("x = 1/0", "line 1"),
        ("x = vector()", "no line maximise"),
        ("maximise(1)\nmaximise(2)", "one line"),
        ("for k in range(10^6):\n    y = k", "at most 200000"),
        ("x = (", "line 1"),
        ("x = vector()\ny = symmetric(x, least=2, largest=1)", "least"),
        ('f = function(L=1)\nx = run(f, "fedavg", K=1, T=1, et=1)', "et = 'set'"),
        ('f = function(L=1)\nx = run(f, "no-such", K=1, T=1)', "unknown method"),
    ],
)
def test_bad_lines_are_refused_with_their_number(text, said):
    """Messages name the file and what would be legal, and nothing is ever run as Python."""
    with pytest.raises(InputError, match=said):
        read_text(text)


def test_parameters_are_changed_by_name_only():
    """given(...) may be changed; another name is refused."""
    path = next(path for path in EXAMPLES if path.stem == "gradient-descent")
    assert read_file(path, n=1).worst().upper == pytest.approx(3 / 6, rel=1e-8)
    with pytest.raises(InputError, match="steps"):
        read_file(path, steps=1)


def test_an_indicator_keeps_its_diameter():
    """Two points of a set are at most its diameter apart: that is attained."""
    problem = StatedProblem()
    inside = problem.function(indicator=True, diameter=2)
    x, y = problem.point(), problem.vector("y")
    for point in (x, y):
        inside.note(point, problem.vector())
    assert problem.worst(square(x - y)).upper == pytest.approx(4.0)


@pytest.mark.parametrize("words", ["monotone", "skew"])
def test_linear_maps_are_as_long_as_they_may_be(words):
    """A skew map of norm 2 takes a unit vector to one of length 2 at most, orthogonal to it."""
    problem = StatedProblem()
    x = problem.vector("x")
    y = problem.skew(x, largest=2) if words == "skew" else problem.symmetric(x, least=0, largest=2)
    problem.assume(square(x) <= 1)
    assert problem.worst(square(y)).upper == pytest.approx(4.0)
    along = problem.worst(dot(x, y)).upper
    assert along == pytest.approx(0.0 if words == "skew" else 2.0, abs=1e-7)


def test_roots_are_exact_where_they_are_rational():
    """sqrt(1/4) is 1/2, sqrt(2) its twelve digits."""
    text = "given(a=1)\nb = sqrt(1/4)\nx = vector()\nassume(|x|^2 <= b)\nmaximise(|x|^2*sqrt(2))"
    found = read_text(text)
    assert found.worst().upper == pytest.approx(math.sqrt(2) / 2, rel=1e-11, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "module", "function", "chosen"),
    [
        ("frank-wolfe", "composite", "frank_wolfe", {"L": 1, "D": 1, "R": np.inf, "center": None, "n": 5}),
        ("douglas-rachford", "composite", "douglas_rachford_splitting", {"L": 1, "alpha": 1, "theta": 1, "n": 4}),
        ("conjugate-gradient-qg", "unconstrained", "conjugate_gradient_qg_convex", {"L": 1, "n": 4}),
        ("monotone-accelerated", "monotone", "accelerated_proximal_point", {"alpha": 2, "n": 6}),
        ("saga", "stochastic", "saga", {"L": 1, "mu": 0.1, "n": 3}),
        ("point-saga", "stochastic", "point_saga", {"L": 1, "mu": 0.01, "n": 3}),
    ],
)
def test_pepit_says_the_same_beside(name, module, function, chosen):
    """At parameters for which nobody printed a value, PEPit is run: its value, or a better one that is proved."""
    folders = {
        "composite": "composite_convex_minimization",
        "unconstrained": "unconstrained_convex_minimization",
        "monotone": "monotone_inclusions_variational_inequalities",
        "stochastic": "stochastic_and_randomized_convex_minimization",
    }
    examples = pytest.importorskip(f"PEPit.examples.{folders[module]}")
    value, _ = getattr(examples, f"wc_{function}")(**chosen, wrapper="cvxpy", verbose=-1)
    path = next(path for path in EXAMPLES if path.stem == name)
    case = read_file(path).worst()
    assert near(case.upper, value, 1e-5) or (case.verdict == "proved" and 0.9999 * value < case.upper < value)


HEAD = "given(L=1)\nf = function(L=L)\nA = operator(mu=0)\nx = point()\nv = vector()\n"
ARGUMENTS = ("1/3", "f", "A", "x", "f(x)", "|x|^2", "[x]", "[]", "|x|^2 <= 1", "'a'", "True", "2*f")
"""What a line may hold: of each kind one."""


def words():
    """Return the words of the language."""
    return sorted(language._StatementReader({}, "", {})._words)


def ways(word):
    """Yield calls of a word with nothing, one, two or three things of any kind."""
    rng = np.random.default_rng(0)
    yield f"{word}()"
    for one in ARGUMENTS:
        yield f"{word}({one})"
        for other in ARGUMENTS:
            yield f"{word}({one}, {other})"
    for _ in range(60):
        yield f"{word}({', '.join(rng.choice(ARGUMENTS, 3))})"


def is_told(line):
    """Return whether a line is refused in one line that names it; any other error than a refusal is raised."""
    said = ""
    try:
        read_text(f"{HEAD}z = {line}\nassume(|x|^2 <= 1)\nmaximise(|x|^2)\n")
    except (InputError, NotApplicableError) as error:
        said = str(error)
    assert "\n" not in said
    return bool(said)


@pytest.mark.parametrize("word", words())
def test_a_word_of_things_of_another_kind_is_told(word):
    """`minimiser(1)`, `note(f, 3, v)`, `mean(f)`: hundreds of them were an AttributeError, an internal one."""
    assert any([is_told(line) for line in ways(word)])  # noqa: C419 (all are asked)


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "^", "<=", "==", "[", "("])
def test_signs_between_things_of_another_kind_are_told(sign):
    close = {"[": "]", "(": ")"}.get(sign, "")
    assert any([is_told(f"({a}){sign}({b}){close}") for a in ARGUMENTS for b in ARGUMENTS])  # noqa: C419
