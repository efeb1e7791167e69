"""False statements over all kinds of letters and all provers, each beside a true neighbour: none of them is proved.

Each false one fails at a point that is named or plain; where nothing is drawn from, or two hypotheses exclude each
other, it is vacuous.  Its neighbour differs in a constant, a hypothesis or a sign, and is proved.
"""

import pytest
import sympy as sp

from boundcheck.notation import symbols
from boundcheck.proofs.goals import goal_of
from boundcheck.proofs.language.stated import text_statement
from boundcheck.proofs.provers import (
    AllFrom,
    Feasible,
    GramBound,
    Identity,
    Infeasible,
    OnBox,
    Real,
    clients,
    deviation,
    expect,
    inner,
    mean,
    noise,
    nonnegative,
    positive,
    sampled_mean,
    square,
    vectors,
    without_replacement,
)

UV = ("vectors u, v",)
DRAW = ("families g", "draw A of S from N")
REPLACED = ("families g", "draw A of S from N with replacement")
CHANCE = ("p > 0", "families g", "draw A from N with chance p")
REAL = ("x, y, z real",)
MOVED = "0 <= {0}*|v|^2 - {0}*|u|^2 : {1}"


def s(shows, given=(), letters=()):
    """Return a statement; texts stand for tuples of one."""
    return text_statement(shows, given=(given,) if isinstance(given, str) else given, letters=letters)


# Divisors: name, false, true.  Where the divisor is 0 the statement fails, or says nothing.
POLES = {
    "a multiplier 1/b, b = 0": (
        s("|u|^2 <= |v|^2", MOVED.format("b", "1/b"), ("b >= 0", *UV)),
        s("|u|^2 <= |v|^2", MOVED.format("b", "1/b"), ("b > 0", *UV)),
    ),
    "a multiplier 1/(K - 1), K = 1": (
        s("|u|^2 <= |v|^2", (MOVED.format("(K - 1)", "1/(K - 1)"), "K >= 1"), UV),
        s("|u|^2 <= |v|^2", (MOVED.format("(K - 1)", "1/(K - 1)"), "K >= 2"), UV),
    ),
    "a multiplier 1/(N - 1), N = 1": (
        s("|u|^2 <= |v|^2", (MOVED.format("(N - 1)", "1/(N - 1)"), "N >= 1"), UV),
        s("|u|^2 <= |v|^2", (MOVED.format("(N - 1)", "1/(N - 1)"), "N > 1"), UV),
    ),
    "a multiplier 1/(1 - beta), beta = 1": (
        s("|u|^2 <= |v|^2", (MOVED.format("(1 - beta)", "1/(1 - beta)"), "beta <= 1"), UV),
        s("|u|^2 <= |v|^2", (MOVED.format("(1 - beta)", "1/(1 - beta)"), "beta < 1"), UV),
    ),
    "a multiplier that cancels, b/b^2": (
        s("|u|^2 <= |v|^2", MOVED.format("b", "b/b^2"), ("b >= 0", *UV)),
        s("|u|^2 <= |v|^2", (MOVED.format("b", "b/b^2"), "b >= 1/10"), ("b >= 0", *UV)),
    ),
    "a real multiplier": (
        s("|u|^2 <= |v|^2", MOVED.format("x^2", "1/x^2"), ("x real", *UV)),
        s("|u|^2 <= |v|^2", (MOVED.format("x^2", "1/x^2"), "x >= 1"), ("x real", *UV)),
    ),
    "x/(1/x) for all real x": (s("x/(1/x) = x^2", (), REAL), s("x/(1/x) = x^2", "x != 0", REAL)),
    "x/x": (s("x/x = 1", (), REAL), s("x/x = 1", "x < 0", REAL)),
    "x/x as a bound": (s("x/x <= 1", (), REAL), s("x/x <= 1", "x >= 1", REAL)),
    "x^0 by a quotient": (s("x^2/x^2 >= 1", (), REAL), s("x^2/x^2 >= 1", "x > 0", REAL)),
    "(x^2 - 1)/(x - 1)": (
        s("(x^2 - 1)/(x - 1) = x + 1", (), REAL),
        s("(x^2 - 1)/(x - 1) = x + 1", "x > 1", REAL),
    ),
    "partial fractions": (
        s("1/(x*(x + 1)) = 1/x - 1/(x + 1)", (), REAL),
        s("1/(x*(x + 1)) = 1/x - 1/(x + 1)", "x > 0", REAL),
    ),
    "a quotient of nonnegative letters": (
        s("a*c/c <= a", (), ("a, c >= 0",)),
        s("a*c/c <= a", (), ("a >= 0", "c > 0")),
    ),
    "a negative power": (s("x^-2*x^2 <= 1", (), REAL), s("x^-2*x^2 <= 1", "x <= -1", REAL)),
    "a nested quotient": (s("1/(1/(x - 1)) = x - 1", (), REAL), s("1/(1/(x - 1)) = x - 1", "x >= 2", REAL)),
    "a geometric sum at q = 1": (
        s("(1 - q^3)/(1 - q) = 1 + q + q^2", (), ("q > 0",)),
        s("(1 - q^3)/(1 - q) = 1 + q + q^2", "q < 1", ("q > 0",)),
    ),
    "K/(K - 1) at K = 1": (s("1 <= K/(K - 1)", "K >= 1"), s("1 <= K/(K - 1)", "K >= 2")),
    "(N - S)/(S (N - 1)) at N = 1": (
        s("(N - S)/(S*(N - 1)) <= 1/S", ("1 <= S", "S <= N")),
        s("(N - S)/(S*(N - 1)) <= 1/S", ("1 <= S", "S <= N", "N >= 2")),
    ),
    "a quotient of squared norms": (
        s("|u|^2/|v|^2*|v|^2 = |u|^2", (), UV),
        s("|u|^2/x*x = |u|^2", "x > 0", (*UV, "x real")),
    ),
    "a divisor between two hypotheses": (
        s("1/(x - y) >= 0", "x >= y", REAL),
        s("1/(x - y) >= 0", "x >= y + 1/10", REAL),
    ),
    "a divisor that is a difference of roots": (
        s("(x - y)/(sqrt(x) - sqrt(y)) >= 0", "x >= y", ("x, y > 0",)),
        s("(x - y)/(sqrt(x) - sqrt(y)) >= 0", "x >= 2*y", ("x, y > 0",)),
    ),
    "a maximum that divides": (
        s("max(a, c)/max(a, c) <= 1", (), ("a, c >= 0",)),
        s("max(a, c)/max(a, c) <= 1", (), ("a > 0", "c >= 0")),
    ),
    "an index that divides": (
        s("(k - 1)/(k - 1) <= k for k >= 1", (), ("k > 0",)),
        s("(k - 1)/(k - 1) <= k for k >= 2", (), ("k > 0",)),
    ),
    "a box around the divisor": (
        s("(r - 1)/(r - 1) < 2 for r in [1/2, 2]", (), ("r > 0",)),
        s("(r - 1)/(r - 1) < 2 for r in [3/2, 2]", (), ("r > 0",)),
    ),
}

# Laws: of a draw that does not exist, of another law, or with another constant.
LAWS = {
    "more drawn than there are": (
        s("E(|sampled(g, A)|^2) <= |mean(g)|^2", "S >= N + 1", DRAW),
        s("E(|sampled(g, A)|^2) <= |mean(g)|^2", "S >= N", DRAW),
    ),
    "twice as many drawn": (
        s("E(|sampled(g, A)|^2) <= |mean(g)|^2 - 1/(2*N)*|deviation(g)|^2", ("S = 2*N", "N >= 2"), DRAW),
        s("E(|sampled(g, A)|^2) <= |mean(g)|^2 + 1/(N - 1)*|deviation(g)|^2", ("2*S = N", "N >= 2"), DRAW),
    ),
    "an identity of a draw that does not exist": (
        s("E(|sampled(g, A)|^2) = |mean(g)|^2 + (N - S)/(S*(N - 1))*|deviation(g)|^2", "S >= N + 1", DRAW),
        s("E(|sampled(g, A)|^2) = |mean(g)|^2 + (N - S)/(S*(N - 1))*|deviation(g)|^2", "N >= 2", DRAW),
    ),
    "the only client": (
        s("E(|sampled(g, A)|^2) = 7*|mean(g)|^2", "N = 1", DRAW),
        s("E(|sampled(g, A)|^2) >= |mean(g)|^2", "N = 1", DRAW),
    ),
    "half a client drawn": (
        s("E(|sampled(g, A)|^2) >= 2*|g|^2", ("S <= 1/2", "N >= 2"), DRAW),
        s("E(|sampled(g, A)|^2) <= |g|^2", (), DRAW),
    ),
    "a chance of 2": (
        s("E(|taken(g, A)|^2) >= 2*|g|^2", "p >= 2", CHANCE),
        s("E(|taken(g, A)|^2) >= 1/2*|g|^2", "p >= 1/2", CHANCE),
    ),
    "a chance above 1": (
        s("E(|sampled(g, A)|^2) <= |mean(g)|^2", "p > 1", CHANCE),
        s("E(|sampled(g, A)|^2) <= |mean(g)|^2", "p >= 1", CHANCE),
    ),
    "with replacement no spread vanishes": (
        s("E(|sampled(g, A) - mean(g)|^2) = 0", "S = N", REPLACED),
        s("E(|sampled(g, A) - mean(g)|^2) <= |deviation(g)|^2/N", "S >= N", REPLACED),
    ),
    "without replacement less than with": (
        s("E(|sampled(g, A) - mean(g)|^2) = |deviation(g)|^2/S", (), DRAW),
        s("E(|sampled(g, A) - mean(g)|^2) <= |deviation(g)|^2/S", (), DRAW),
    ),
    "a mean of noises": (
        s("E(|mean(e)|^2) <= sigma^2/(2*N)", (), ("noise e over N of sigma^2",)),
        s("E(|mean(e)|^2) <= sigma^2/N", (), ("noise e over N of sigma^2",)),
    ),
    "one noise does not average": (
        s("E(|e|^2) <= sigma^2/N", (), ("noise e over N of sigma^2",)),
        s("E(|e|^2) <= sigma^2", (), ("noise e over N of sigma^2",)),
    ),
    "half a member of a noise": (
        s("E(|mean(e)|^2) >= 2*sigma^2", "N <= 1/2", ("noise e over N of sigma^2",)),
        s("E(|deviation(e)|^2) >= 0", (), ("noise e over N of sigma^2",)),
    ),
    "a noise against itself": (
        s("E(<u + e, e>) = 0", (), ("vectors u", "noise e")),
        s("E(<u, e>) = 0", (), ("vectors u", "noise e")),
    ),
    "two names of one noise": (
        s("E(<e, f>) = 0", (), ("noise e, f",)),
        s("E(<e, f>) = 0", (), ("noise e", "noise f")),
    ),
    "two draws are one": (
        s(
            "E(<sampled(g, A), sampled(g, B)>) = E(|sampled(g, A)|^2)",
            (),
            ("families g", "draw A of S from N", "draw B of S from N"),
        ),
        s(
            "E(<sampled(g, A), sampled(g, B)>) = |mean(g)|^2",
            (),
            ("families g", "draw A of S from N", "draw B of S from N"),
        ),
    ),
    "who takes part": (
        s("E(|taken(g, A)|^2) = |g|^2", (), DRAW),
        s("E(|taken(g, A)|^2) = S/N*|g|^2", (), DRAW),
    ),
}

# Numbers.
NUMBERS = {
    "a square of a letter below 1": (s("x <= x^2", (), ("x > 0",)), s("x <= x^2", "x >= 1", ("x > 0",))),
    "a letter that may be 0": (s("1 <= 1 + a - c", (), ("a, c >= 0",)), s("1 <= 1 + a + c", (), ("a, c >= 0",))),
    "a real letter": (s("0 <= x", (), REAL), s("0 <= x^2", (), REAL)),
    "means": (s("(x + y)/2 <= sqrt(x*y)", (), ("x, y > 0",)), s("sqrt(x*y) <= (x + y)/2", (), ("x, y > 0",))),
    "an absolute value": (s("abs(x) <= x", (), REAL), s("x <= abs(x)", (), REAL)),
    "a maximum": (s("max(x, y) <= x", (), REAL), s("x <= max(x, y)", (), REAL)),
    "a minimum": (s("x <= min(x, y)", (), REAL), s("min(x, y) <= x", (), REAL)),
    "a root of a square": (s("sqrt(x^2) = x", (), REAL), s("sqrt(x^2) = x", (), ("x > 0",))),
    "one of two": (s("x^2 >= 1", "x >= 1 or x <= 0", REAL), s("x^2 >= 1", "x >= 1 or x <= -1", REAL)),
    "hypotheses that exclude each other": (
        s("eta <= 1", ("eta <= 2", "eta >= 3")),
        s("eta <= 2", ("eta <= 2", "eta >= 1")),
    ),
    "a product of a nonnegative letter": (
        s("a <= d", "b*a <= b*d", ("b >= 0", "a, d real")),
        s("a <= d", "b*a <= b*d", ("b > 0", "a, d real")),
    ),
    "a hypothesis with K - 1": (
        s("a <= d", ("(K - 1)*a <= (K - 1)*d", "K >= 1"), ("a, d real",)),
        s("a <= d", ("(K - 1)*a <= (K - 1)*d", "K >= 2"), ("a, d real",)),
    ),
    "Euler's number": (s("exp(1) <= 2718/1000"), s("exp(1) <= 2719/1000")),
    "never, what happens": (s("never x < 1, x > 1/2", (), ("x > 0",)), s("never x < 1, x > 1", (), ("x > 0",))),
    "never, of a square": (s("never x^2 < y, y < 1", (), REAL), s("never x^2 < y, y < 0", (), REAL)),
    "possible, what clashes": (s("possible x < 1, x > 2", (), REAL), s("possible x < 2, x > 1", (), REAL)),
    "possible, only at a pole": (s("possible x/x <= 2, x = 0", (), REAL), s("possible x/x <= 2, x = 1", (), REAL)),
    "a logarithm": (s("log(k) <= k - 2 for k >= 1", (), ("k > 0",)), s("log(k) <= k - 1 for k >= 1", (), ("k > 0",))),
    "a power of an index": (
        s("(1 + 1/k)^k <= 5/2 for k >= 1", (), ("k > 0",)),
        s("(1 + 1/k)^k <= exp(1) for k >= 1", (), ("k > 0",)),
    ),
    "a start one too early": (s("2*k <= k^2 for k >= 1", (), ("k > 0",)), s("2*k <= k^2 for k >= 2", (), ("k > 0",))),
    "a box one too wide": (
        s("r^2 < r for r in [1/2, 1]", (), ("r > 0",)),
        s("r^2 < r for r in [1/4, 1/2]", (), ("r > 0",)),
    ),
    "an exponential on a box": (
        s("exp(r) < 1 + r + r^2/2 for r in [1/2, 1]", (), ("r > 0",)),
        s("exp(r) < 1 + r + r^2 for r in [1/2, 1]", (), ("r > 0",)),
    ),
    "constants": (s("exp(1/3) < 139/100 for constants"), s("exp(1/3) < 140/100 for constants")),
    "a chain with one false link": (
        s("x = 2*x/2 <= x^2", "x <= 1/2", ("x > 0",)),
        s("x^2 = x*x <= x", "x <= 1/2", ("x > 0",)),
    ),
    "an identity of numbers": (s("(x + y)^2 = x^2 + y^2", (), REAL), s("(x + y)^2 - 2*x*y = x^2 + y^2", (), REAL)),
}

# Roots and logarithms that are written and cancel: a statement is about the values at which they are defined.
DOMAINS = {
    "a square of a root": (s("1 <= sqrt(x)^2", (), REAL), s("0 <= sqrt(x)^2", (), REAL)),
    "a product of roots": (s("|x| <= x", (), REAL), s("|x| <= sqrt(x)*sqrt(x)", (), REAL)),
    "a root of a square": (s("0 <= sqrt(x^2)*x", (), REAL), s("0 <= sqrt(x)^2*x", (), REAL)),
    "an exponential of a logarithm": (s("1 <= exp(log(x))", (), REAL), s("0 <= exp(log(x))", (), REAL)),
    "a power of three halves": (s("x <= x^(3/2)*x^(1/2)", (), REAL), s("0 <= x^(3/2)*x^(1/2)*x", (), REAL)),
    "a root in a hypothesis": (s("0 <= x", "x^2 <= 1", REAL), s("0 <= x", "sqrt(x)^2 <= 1", REAL)),
    "a logarithm in a hypothesis": (s("0 <= x", "|x| <= 1", REAL), s("0 <= x", "exp(log(x)) <= 1", REAL)),
    "a root beside vectors": (
        s("x*|u|^2 >= 0", (), (*REAL, *UV)),
        s("sqrt(x)^2*|u|^2 >= 0", (), (*REAL, *UV)),
    ),
    "a root beside lengths": (s("x*|u| >= 0", (), (*REAL, *UV)), s("sqrt(x)^2*|u| >= 0", (), (*REAL, *UV))),
}

# Vectors and families.
FORMS = {
    "Young's inequality": (
        s("2*<u, v> <= x*|u|^2 + |v|^2/(2*x)", (), ("x > 0", *UV)),
        s("2*<u, v> <= x*|u|^2 + |v|^2/x", (), ("x > 0", *UV)),
    ),
    "two squares": (s("|u + v|^2 <= |u|^2 + |v|^2", (), UV), s("|u + v|^2 <= 2*|u|^2 + 2*|v|^2", (), UV)),
    "a parallelogram": (
        s("|u + v|^2 + |u - v|^2 = 2*|u|^2 + |v|^2", (), UV),
        s("|u + v|^2 + |u - v|^2 = 2*|u|^2 + 2*|v|^2", (), UV),
    ),
    "a sign of an inner product": (s("0 <= <u, v>", (), UV), s("0 <= <u, v> + |u|^2 + |v|^2", (), UV)),
    "Jensen reversed": (s("|g|^2 <= |mean(g)|^2", (), ("families g",)), s("|mean(g)|^2 <= |g|^2", (), ("families g",))),
    "a variance": (
        s("|deviation(g)|^2 = |g|^2", (), ("families g",)),
        s("|deviation(g)|^2 = |g|^2 - |mean(g)|^2", (), ("families g",)),
    ),
    "a mean is no member": (
        s("|g - c|^2 = |mean(g) - c|^2", (), ("families g", "vectors c")),
        s("|mean(g) - c|^2 <= |g - c|^2", (), ("families g", "vectors c")),
    ),
    "a premise without its multiplier": (
        s("|u|^2 <= |v|^2", "0 <= |v|^2 - 2*|u|^2 - 1 : -1", UV),
        s("|u|^2 <= |v|^2", "0 <= |v|^2 - |u|^2 : 1", UV),
    ),
    "a constant beside vectors": (
        s("|u|^2 <= x*|u|^2 + 1", (), ("x > 0", *UV)),
        s("|u|^2 <= |u|^2 + x", (), ("x > 0", *UV)),
    ),
    "what one client does not show": (
        s("|deviation(g)|^2 <= 0", (), ("families g",)),
        s("|deviation(g)|^2 <= N*|g|^2", "N >= 1", ("families g",)),
    ),
    "a vector of ones": (
        s("|u|^2 = <u, one>^2", (), ("vectors u", "ones one")),
        s("|u - <u, one>*one|^2 = |u|^2 - <u, one>^2", (), ("vectors u", "ones one")),
    ),
}

# The same provers, called from Python.
x, y, q = positive("x y q")
(c,) = nonnegative("c")
z = sp.Symbol("z", real=True)
N, S, K = symbols("N S K")
u, v = vectors("u v")
(g,) = clients("g")
A, E = without_replacement(N, S), noise("e", N)
PYTHON = {
    "Real at a pole": (Real(sp.S.Zero, 1 / (c * (1 + c))), Real(sp.S.Zero, 1 / (1 + c))),
    "Real between two values": (Real(x, y), Real(x, x + y)),
    "GramBound by 1/c": (
        GramBound(square(u), square(v), (), ((1 / c, c * square(v) - c * square(u)),)),
        GramBound(square(u), square(v), (), ((1 / x, x * square(v) - x * square(u)),)),
    ),
    "GramBound with a pole in it": (
        GramBound(2 * inner(u, v), c * square(u) + square(v) / c),
        GramBound(2 * inner(u, v), x * square(u) + square(v) / x),
    ),
    "Identity at a pole": (
        Identity((z**2 - 1) / (z - 1), z + 1),
        Identity((z**2 - 1) / (z - 1), z + 1, domain=(sp.Gt(z, 1),)),
    ),
    "Identity of a draw": (
        Identity(expect(square(sampled_mean(g, A)), A), square(mean(g)) + square(deviation(g)) / S),
        Identity(
            expect(square(sampled_mean(g, A)), A), square(mean(g)) + (N - S) / (S * (N - 1)) * square(deviation(g))
        ),
    ),
    "Infeasible": (Infeasible((x < 2, x > 1)), Infeasible((x < 1, x > 1))),
    "Feasible": (Feasible((x < 1, x > 1)), Feasible((x < 2, x > 1))),
    "AllFrom with a pole on the way": (
        AllFrom(sp.S.Zero, 1 / (x - 5) ** 2, x, sp.S.One),
        AllFrom(sp.S.Zero, 1 / (x - 5) ** 2, x, sp.Integer(6)),
    ),
    "OnBox with a pole inside": (
        OnBox(sp.S.Zero, 1 / (x - 1) ** 2, {x: (sp.Rational(1, 2), sp.Integer(2))}),
        OnBox(sp.S.Zero, 1 / (x - 1) ** 2, {x: (sp.Rational(3, 2), sp.Integer(2))}),
    ),
}
GROUPS = {"poles": POLES, "domains": DOMAINS, "laws": LAWS, "numbers": NUMBERS, "forms": FORMS, "python": PYTHON}
CASES = [pytest.param(*pair, id=f"{group}: {name}") for group, found in GROUPS.items() for name, pair in found.items()]
TIMEOUT = 5.0


def asked(one):
    return goal_of(one) if hasattr(one, "shows") else one


@pytest.mark.parametrize(("false", "true"), CASES)
def test_what_is_false_is_not_proved_and_its_true_neighbour_is(false, true):
    assert asked(false).decide(TIMEOUT).verdict in {"refuted", "undecided", "vacuous"}
    assert asked(true).decide(TIMEOUT).verdict == "proved"


def test_a_strict_line_is_refuted_where_its_sides_are_equal():
    """At x = 1, an end of the box, x < 1 is false; y (1 - y) < 1/4 is at 1/2, its centre."""
    for line, point in (("x < 1 for x in [0, 1]", {"x": "1"}), ("y*(1 - y) < 1/4 for y in [0, 1]", {"y": "1/2"})):
        outcome = asked(s(line, (), REAL)).decide(TIMEOUT)
        assert (outcome.verdict, outcome.witness) == ("refuted", point)
        assert "assert lhs >= rhs" in outcome.replay


def test_there_are_enough_of_them():
    assert len(CASES) >= 70
