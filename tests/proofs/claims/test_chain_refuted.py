"""Refuted means false: true statements at the edges never are, false ones with values that are replayed."""

import re
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from boundcheck.proofs.chain.refuting.everywhere import copositive, semidefinite
from boundcheck.proofs.chain.refuting.model import Model, ModelShape
from boundcheck.proofs.chain.refuting.unrolled import Failure, FailureSearch
from boundcheck.proofs.chain.whole.proof import decide_file as decided_file
from boundcheck.proofs.language.files import load
from boundcheck.proofs.language.grammar import read
from boundcheck.proofs.search.outcomes import outcomes

HEAD = """
title = "edges"
indices = "i = 1 .. N, t = 0 .. T - 1, k = 0 .. K - 1"

[letters]
"> 0" = "N, T, K, S, eta, c"
"real" = "r"

[vectors]
"a[t]" = "server, t = 0 .. T"
"b[t]" = "server, t = 0 .. T"
"twin[t]" = "server, t = 0 .. T"
"g[t]" = "client"
"h[t]" = "client"
"y[t, k]" = "client, t, k = 0 .. K"
"xi[t]" = "noise"
"x[t]" = "server, t = 0 .. T"
"made[t]" = "client"
"A[t]" = "sample of S"

[start]
begin = "y[t, 0] = a[t]"

[equations]
walk = "x[t + 1] = x[t] - eta mean(i) xi[t]"
drift = "y[t, k + 1] = y[t, k] - eta g[t]"
blind = "made[t] = some(g[t])"

[definitions]
size = "size[t] = |a[t]|^2"

[numbers]
"u[t]" = "a number"

[leaf.same]
says = "|a[t] - twin[t]|^2 = 0 for t = 0 .. T"
"""

TRUE = """
u[T - 1] <= u[0] if T = 1
u[0] <= u[T - 1] if T = 1
sum(t) u[t] = u[0] if T = 1
mean(t) u[t] <= u[0] if T = 1
sum(t) u[t] <= u[0] + u[T - 1] if T = 2
sum(t) u[t] <= T u[0] if T = 1
|y[t, K] - y[t, 1]|^2 = 0 for t if K = 1
|y[t, K - 1] - y[t, 0]|^2 = 0 for t if K = 1
|y[t, K] - a[t] + eta g[t]|^2 = 0 for t if K = 1
|y[t, 0] - a[t]|^2 = 0 for t
|y[t, 0]|^2 = |a[t]|^2 for t
|y[t, 1] - y[t, 0]|^2 = eta^2 |g[t]|^2 for t
|N/S mean(i) taken(A[t], g[t]) - mean(i) g[t]|^2 = 0 for t if S = N
|taken(A[t], g[t]) - g[t]|^2 = 0 for t if S = N
|taken(A[t], g[t])|^2 = |g[t]|^2 for t if S = N
|taken(A[t], g[t])|^2 <= |g[t]|^2 for t
|taken(A[t], g[t])|^2 = S/N |g[t]|^2 for t
<taken(A[t], g[t]), g[t]> = |taken(A[t], g[t])|^2 for t
<taken(A[t], g[t]), g[t] - taken(A[t], g[t])> = 0 for t
N |mean(i) taken(A[t], g[t])|^2 = |g[t]|^2/N for t if S = 1
|taken(A[t], g[t]) + taken(A[t], h[t])|^2 <= 2 |g[t]|^2 + 2 |h[t]|^2 for t
S <= N
1 <= S
f(a[t]) = f(twin[t]) for t
|grad(a[t]) - grad(twin[t])|^2 = 0 for t
|mean(i) grad(a[t])|^2 = |mean(i) grad(twin[t])|^2 for t
<a[t], b[t]> = <twin[t], b[t]> for t
|a[t]|^2 = |twin[t]|^2 for t
euler <= 2718281829/1000000000
2718281828/1000000000 <= euler
euler^2 <= 7389057/1000000
0 <= sum(t = 3 .. T - 1) 1
0 <= sum(t = 1 .. T - 1) u[t]
sum(t = 1 .. T - 1) u[t] = 0 if T = 1
0 <= sum(k = 2 .. K - 1) 1
|mean(i) xi[t]|^2 = |xi[t]|^2/N for t
|mean(i) xi[t]|^2 <= |xi[t]|^2 for t
<mean(i) xi[t], x[t]> = 0 for t
|x[t + 1]|^2 = |x[t]|^2 + eta^2 |xi[t]|^2/N for t
|x[t + 1] - x[t]|^2 = eta^2 |xi[t]|^2/N for t
|xi[t]|^2 = |mean(i) xi[t]|^2 for t if N = 1
<xi[t], g[t] - mean(i) g[t]> = 0 for t if N = 1
size[t] = |a[t]|^2 for t
0 <= size[t] for t
|mean(i) g[t]|^2 <= |g[t]|^2 for t
|g[t] - mean(i) g[t]|^2 = 0 for t if N = 1
1 <= T
K^2 <= K if K <= 1
0 <= u[t] for t
""".strip().splitlines()


def decided(folder, statements, head=HEAD):
    """Return the outcomes of statements, each a claim without steps."""
    text = "".join(f"[claim.c{n}]\nshows = '{one}'\n" for n, one in enumerate(statements))
    (folder / "mine.toml").write_text(head + text, encoding="utf-8")
    return outcomes(folder / "mine.toml")


@pytest.mark.parametrize("part", range(4))
def test_true_statements_are_never_refuted(part, tmp_path):
    """Each is true of all that the file declares: most by one equal index, one draw, one law."""
    assert len(TRUE) >= 40
    statements = TRUE[part::4]
    found = decided(tmp_path, statements)
    wrong = {text: one["witness"] for text, one in zip(statements, found, strict=True) if one["verdict"] == "refuted"}
    assert not wrong
    words = [one["verdict"] for one in found]
    assert words.count("undecided") <= 4, list(zip(statements, words, strict=True))


@pytest.mark.parametrize(
    ("statement", "step"),
    [
        ("|y[t, 0] - a[t]|^2 = 0 for t", "begin"),
        ("|mean(i) xi[t]|^2 = |xi[t]|^2/N for t", "fresh(u -> xi[t]) [mean i]"),
        ("|x[t + 1] - x[t]|^2 = eta^2 |mean(i) xi[t]|^2 for t", "walk"),
    ],
)
def test_what_the_file_declares_is_added_to_the_steps(statement, step, tmp_path):
    """Equations and laws that a claim does not name say what its entries are: they are used, and listed."""
    (one,) = decided(tmp_path, [statement])
    assert one["verdict"] == "proved"
    assert step in one["added"]
    assert one["witness"] is None
    (again,) = decided(tmp_path, [f"{statement}'\nsteps = '{step}"])
    assert again["verdict"] == "proved"


def number(text):
    return float(Fraction(text))


def rows(text):
    return [np.array([number(x) for x in row.split(",")]) for row in re.findall(r"\(([^)]*)\)", text)]


def vector(text, clients):
    """Return a vector, one row a client."""
    if not text.startswith("mean"):
        return np.array([rows(text)[0]] * clients)
    mean, deviation = text.removeprefix("mean ").split(", deviation ")
    off = rows(deviation)
    size = max(len(x) for x in [*off, *rows(mean), np.zeros(1)])
    mean = rows(mean)[0] if rows(mean) else np.zeros(size)
    off = off or [np.zeros(size)]
    if clients == 1:
        return np.array([mean])
    off = [*off, *[np.zeros(size)] * (clients - 1 - len(off))][: clients - 1]
    return mean + np.array([*off, -sum(off)])


class Replayed:
    """The numbers of a witness."""

    def __init__(self, witness):
        self.witness = witness
        self.clients = int(witness["N"])

    def __getattr__(self, letter):
        return number(self.witness[letter])

    def __call__(self, name):
        return vector(self.witness[name], self.clients)

    def noise(self, name):
        found = [self.witness.get(f"{name}, client {k + 1}", "(0)") for k in range(self.clients)]
        return [float(rows(text)[0] @ rows(text)[0]) for text in found]


def square(u):
    return float((u * u).sum(axis=1).mean())


def inner(u, v):
    return float((u * v).sum(axis=1).mean())


def mean(u):
    return np.broadcast_to(u.mean(axis=0), u.shape)


def of_sample(w):
    """Return |N/S mean(i) taken(A, g)|^2 by the variance of a mean without replacement."""
    g, n, s = w("g[t]"), w.clients, w.S
    spread = (n - s) / (s * (n - 1)) if n > 1 else 0
    return square(mean(g)) + spread * (square(g) - square(mean(g)))


A, B, G, H = "a[t]", "b[t]", "g[t]", "h[t]"
FALSE = {
    "|a[t] + b[t]|^2 <= |a[t]|^2 + |b[t]|^2 for t": lambda w: square(w(A) + w(B)) - square(w(A)) - square(w(B)),
    "|a[t] - b[t]|^2 <= |a[t]|^2 + |b[t]|^2 for t": lambda w: square(w(A) - w(B)) - square(w(A)) - square(w(B)),
    "|a[t] + b[t]|^2 <= 2 |a[t]|^2 + |b[t]|^2 for t": lambda w: square(w(A) + w(B)) - 2 * square(w(A)) - square(w(B)),
    "<a[t], b[t]> <= |a[t]|^2 for t": lambda w: inner(w(A), w(B)) - square(w(A)),
    "2 <a[t], b[t]> <= c |a[t]|^2 + |b[t]|^2/(2 c) for t": lambda w: (
        2 * inner(w(A), w(B)) - w.c * square(w(A)) - square(w(B)) / (2 * w.c)
    ),
    "|g[t]|^2 <= |mean(i) g[t]|^2 for t": lambda w: square(w(G)) - square(mean(w(G))),
    "|mean(i) g[t]|^2 <= |g[t]|^2/N for t if N >= 2": lambda w: square(mean(w(G))) - square(w(G)) / w.clients,
    "|a[t]|^2 <= |a[t] + b[t]|^2 for t": lambda w: square(w(A)) - square(w(A) + w(B)),
    "c^2 <= c": lambda w: w.c**2 - w.c,
    "c <= c^2": lambda w: w.c - w.c**2,
    "r <= r^2": lambda w: w.r - w.r**2,
    "r^2 <= r": lambda w: w.r**2 - w.r,
    "r = 0": lambda w: abs(w.r),
    "eta c <= eta + c": lambda w: w.eta * w.c - w.eta - w.c,
    "|a[t]|^2 = |b[t]|^2 for t": lambda w: abs(square(w(A)) - square(w(B))),
    "|a[t] - b[t]|^2 = 0 for t": lambda w: square(w(A) - w(B)),
    "|mean(i) (g[t] - h[t])|^2 <= |mean(i) g[t]|^2 + |mean(i) h[t]|^2 for t": lambda w: (
        square(mean(w(G) - w(H))) - square(mean(w(G))) - square(mean(w(H)))
    ),
    "|g[t] + h[t]|^2 <= 3/2 |g[t]|^2 + 3/2 |h[t]|^2 for t": lambda w: (
        square(w(G) + w(H)) - 1.5 * square(w(G)) - 1.5 * square(w(H))
    ),
    "<g[t], h[t]> <= <mean(i) g[t], mean(i) h[t]> for t": lambda w: inner(w(G), w(H)) - inner(mean(w(G)), mean(w(H))),
    "<mean(i) g[t], mean(i) h[t]> <= <g[t], h[t]> for t": lambda w: inner(mean(w(G)), mean(w(H))) - inner(w(G), w(H)),
    "|a[t + 1]|^2 <= |a[t]|^2 for t": lambda w: square(w("a[t + 1]")) - square(w(A)),
    "size[t + 1] <= size[t] for t = 0 .. T - 2": lambda w: (
        number(w.witness["size[t + 1]"]) - number(w.witness["size[t]"])
    ),
    "|N/S mean(i) taken(A[t], g[t])|^2 <= |mean(i) g[t]|^2 for t": lambda w: of_sample(w) - square(mean(w(G))),
    "|g[t]|^2 <= |taken(A[t], g[t])|^2 for t": lambda w: (1 - w.S / w.clients) * square(w(G)),
    "|mean(i) xi[t]|^2 <= |xi[t]|^2/(2 N) for t": lambda w: sum(w.noise(f"xi[{w.witness['t']}]")) / w.clients**2 / 2,
    "sum(t) c <= c": lambda w: (w.T - 1) * w.c,
    "T <= 1": lambda w: w.T - 1,
    "N <= T": lambda w: w.N - w.T,
    "K^2 <= 2 K": lambda w: w.K**2 - 2 * w.K,
    "sum(t) |a[t]|^2 <= T |a[0]|^2": lambda w: (
        sum(square(w(f"a[{t}]")) for t in range(int(w.T))) - w.T * square(w("a[0]"))
    ),
    "mean(t) u[t] <= u[0]": lambda w: (
        sum(number(w.witness[f"u[{t}]"]) for t in range(int(w.T))) / w.T - number(w.witness["u[0]"])
    ),
    "u[t + 1] <= u[t] for t = 0 .. T - 2": lambda w: number(w.witness["u[t + 1]"]) - number(w.witness["u[t]"]),
}


@pytest.fixture(scope="module")
def refuted(tmp_path_factory):
    """Return the outcomes of all false statements, decided at once."""
    found = decided(tmp_path_factory.mktemp("false"), FALSE)
    return dict(zip(FALSE, found, strict=True))


def test_enough_statements():
    assert len(FALSE) >= 25


@pytest.mark.parametrize("statement", FALSE)
def test_false_statements_fail_at_their_witness(statement, refuted):
    """By how much the left side is above the right one, in plain numpy, from the numbers that are shown."""
    one = refuted[statement]
    assert one["verdict"] == "refuted", one["why"]
    w = Replayed(one["witness"])
    above = FALSE[statement](w)
    assert above > 0
    shown = number(w.witness["left"]) - number(w.witness["right"])
    assert above == pytest.approx(abs(shown) if " = " in statement.partition(" for ")[0] else shown)


RECURSION = """
title = "false by three steps"
indices = "i = 1 .. N, t = 0 .. T - 1"

[letters]
"> 0" = "N, T, c, b"

[vectors]
"z[t]" = "server, t = 0 .. T"

[definitions]
A = "A[t] = |z[t]|^2"

[leaf.rec]
says = "A[t + 1] <= (1 - c) A[t] + b for t"

[leaf.first]
says = "A[0] <= b"

[claim.low]
induction = "t"
base = "first"
steps = "rec; self"
shows = "A[t] <= b for t if c <= 1"
"""


def test_a_false_induction_is_unrolled(tmp_path):
    """The recursion reaches b/c: the first values obey it, and one of them is above b."""
    (tmp_path / "mine.toml").write_text(RECURSION, encoding="utf-8")
    (one,) = outcomes(tmp_path / "mine.toml")
    assert one["verdict"] == "refuted"
    w = Replayed(one["witness"])
    values = [square(w(f"z[{t}]")) for t in range(int(w.T) + 1)]
    assert values[0] <= w.b
    assert all(y <= (1 - w.c) * x + w.b + 1e-12 for x, y in pairwise(values))
    assert values[int(w.t)] > w.b
    assert number(one["witness"]["left"]) == pytest.approx(values[int(w.t)])


SMOOTH = """
title = "half of the quadratic upper model"
uses = "facts.toml"
indices = "i = 1 .. N, t = 0 .. T - 1"

[vectors]
"a[t]" = "server"
"b[t]" = "server"

[claim.half]
shows = '''f(b[t]) <= f(a[t]) + <mean(i) grad(a[t]), b[t] - a[t]> + L/4 |b[t] - a[t]|^2 for t'''
"""


def test_functions_belong_to_their_class(tmp_path):
    """Its f is smooth with the constant L of the witness, and its quadratic upper model with half of it is too low."""
    (tmp_path / "mine.toml").write_text(SMOOTH, encoding="utf-8")
    (one,) = outcomes(tmp_path / "mine.toml")
    assert one["verdict"] == "refuted"
    w = Replayed(one["witness"])
    curvature = [rows(one["witness"][f"f_{k + 1}"])[0] for k in range(w.clients)]
    assert all((np.abs(h) <= w.L).all() for h in curvature)
    step = (w("b[t]") - w("a[t]"))[0]
    # The quadratic functions differ from their tangents by half their curvature.
    assert sum(h @ step**2 for h in curvature) / w.clients / 2 > w.L / 4 * step @ step


def fractions(*values):
    return np.array([Fraction(x) for x in values], dtype=object)


@pytest.mark.parametrize(
    ("z", "c", "fails"),
    [
        ((1, "5/4", 0), "1/4", True),
        ((1, 1, 0), "1/4", False),  # the claim holds
        ((1, "3/2", 0), "1/4", False),  # above (1 - c) + b
        ((2, "5/4", 0), "1/4", False),  # the first value is above b
        ((1, "5/4", 3), "1/4", False),  # the recursion fails later than the claim
        ((1, "5/4", 0), "5/4", False),  # what is given fails
    ],
)
def test_a_witness_satisfies_every_leaf_and_what_is_given(z, c, fails, tmp_path):
    """With b = 1, T = 2 and the claim at t = 1: each condition is broken once, by hand."""
    (tmp_path / "mine.toml").write_text(RECURSION, encoding="utf-8")
    prover = decided_file(load(tmp_path / "mine.toml"))
    search = FailureSearch(prover, prover.found["low"].claim)
    numbers = {("vector", "z", t): fractions(x) for t, x in enumerate(z)}
    numbers |= {("letter", "c"): fractions(c), ("letter", "b"): fractions(1)}
    one = Failure(ModelShape(prover.setting, {"N": 1, "T": 2}), numbers, {"t": 1})
    assert search.fails(one) is fails


@pytest.mark.parametrize(("clients", "size"), [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3)])
def test_draws_are_counted(clients, size, tmp_path):
    """E |taken(A, g)|^2 is S/N |g|^2, and the mean over a sample has the variance of draws without replacement."""
    (tmp_path / "mine.toml").write_text(HEAD, encoding="utf-8")
    setting = load(tmp_path / "mine.toml").setting
    whole = {"N": clients, "S": size, "T": 1, "K": 1}
    values = {("vector", "g", 0): fractions(1)} | {("apart", k, "g", 0): fractions(k + 2) for k in range(clients - 1)}
    model = Model(ModelShape(setting, whole, draws=(("A", (0,)),)), lambda key, *_: values[key], exact=True)
    taken, mean_square, whole_square, together = (
        model.mean(read(text), {"t": 0})
        for text in ("|taken(A[t], g[t])|^2", "|N/S mean(i) taken(A[t], g[t])|^2", "|g[t]|^2", "|mean(i) g[t]|^2")
    )
    assert taken == Fraction(size, clients) * whole_square
    spread = Fraction(clients - size, size * max(clients - 1, 1))
    assert mean_square == together + spread * (whole_square - together)


@pytest.mark.parametrize(
    ("matrix", "semi", "co"),
    [
        ([[1, -1], [-1, 1]], True, True),
        ([[1, -2], [-2, 1]], False, False),
        ([[1, 2], [2, 1]], False, True),
        ([[0, 1], [1, 0]], False, True),
        ([[0, -1], [-1, 5]], False, False),
        ([[1, 0, 0], [0, 0, 0], [0, 0, -1]], False, False),
        # Horn's form is copositive and no sum of a semidefinite and a nonnegative one.
        ([[1, -1, 1, 1, -1], [-1, 1, -1, 1, 1], [1, -1, 1, -1, 1], [1, 1, -1, 1, -1], [-1, 1, 1, -1, 1]], False, True),
    ],
)
def test_forms_that_are_nowhere_negative(matrix, semi, co):
    """Everywhere, and where no coordinate is negative."""
    exact = np.array([[Fraction(x) for x in row] for row in matrix], dtype=object)
    assert semidefinite(exact) is semi
    assert copositive(exact) is co


CURVE = """
title = "a curve of values that is not convex"
uses = "facts.toml"
indices = "i = 1 .. N, t = 0 .. T - 1"

[letters]
"> 0" = "eta, mu"

[vectors]
"x[t]" = "server, t = 0 .. T"
"s[t]" = "server"

[equations]
one = "x[t + 1] = x[t] - eta mean(i) grad(x[t])"

[leaf.convex-and-smooth]
points = "u server, v server"
says = "f(v) + <mean(i) grad(v), u - v> + 1/(2 L) |mean(i) grad(u) - mean(i) grad(v)|^2 <= f(u)"

[claim.curve]
shows = "2 f(x[t + 1]) <= f(x[t]) + f(x[t + 2]) for t = 0 .. T - 2 if eta L <= 2"

[claim.curve-of-short-steps]
shows = "2 f(x[t + 1]) <= f(x[t]) + f(x[t + 2]) for t = 0 .. T - 2 if eta L <= 7/4"
"""


def test_a_knot_beside_the_minimum_is_tried(tmp_path):
    """Values of gradient descent are convex up to 7/(4 L), and no quadratic function shows that they are not beyond."""
    (tmp_path / "mine.toml").write_text(CURVE, encoding="utf-8")
    long, short = outcomes(tmp_path / "mine.toml")
    assert short["verdict"] != "refuted"
    assert long["verdict"] == "refuted"
    witness = long["witness"]
    L, eta, N = (number(witness[name]) for name in ("L", "eta", "N"))
    assert 7 / 4 < eta * L <= 2
    below, above, centre, slope = np.zeros((4, int(N)))
    for k in range(int(N)):
        text = witness[f"f_{k + 1}"]
        values = {word: float(rows(part)[0][0]) for part in text.split(", ") for word in [part.split()[0]]}
        below[k] = above[k] = values["curvature"]
        centre[k], slope[k] = values.get("centre", 0.0), values.get("slope", 0.0)
        if "above" in text:
            above[k] = rows(text)[1][0]
    assert ((below >= 0) & (below <= L) & (above >= 0) & (above <= L)).all()

    def f(y):
        return (np.where(y < centre, below, above) * (y - centre) ** 2 / 2 + slope * y).mean()

    def grad(y):
        return (np.where(y < centre, below, above) * (y - centre) + slope).mean()

    first = number(witness["x[t]"].strip("()"))
    second = first - eta * grad(first)
    third = second - eta * grad(second)
    assert 2 * f(second) > f(first) + f(third) + 1e-9


NOISY = """
title = "half of the noise, summed"
uses = "facts.toml"
indices = "i = 1 .. N, t = 0 .. T - 1"

[letters]
"> 0" = "eta, c, b"

[vectors]
"x[t]" = "server, t = 0 .. T"
"z[t]" = "server, t = 0 .. T"
"xi[t]" = "noise"

[equations]
step = "x[t + 1] = x[t] - eta mean(i) (grad(x[t]) + xi[t])"

[definitions]
A = "A[t] = |z[t]|^2"

[leaf.variance]
says = "|xi[t]|^2 <= sigma^2 for t"

[leaf.gap]
says = "f(x[0]) - f_star = Delta"

[leaf.rec]
says = "A[t + 1] <= (1 - c) A[t] + b for t"

[claim.fresh-noise]
steps = "fresh(u -> xi[t]) [mean i]; variance"
shows = "|mean(i) xi[t]|^2 <= sigma^2/N for t"

[claim.descent]
steps = "descent-lemma(u -> x[t], v -> x[t + 1]); fresh-noise : eta^2 L/2; step"
shows = "f(x[t + 1]) <= f(x[t]) - eta/2 |mean(i) grad(x[t])|^2 + eta^2 L sigma^2/(2 N) for t if eta L <= 1"

[claim.below]
shows = "A[t] <= A[0] + b for t if c <= 1"
"""


def test_what_only_proved_claims_speak_of_is_no_obstacle(tmp_path):
    """A[2] may reach A[0] + 2 b; that eta and L are in proved claims alone leaves them to be chosen."""
    (tmp_path / "mine.toml").write_text(NOISY, encoding="utf-8")
    *_, one = outcomes(tmp_path / "mine.toml")
    assert one["verdict"] == "refuted"
    w = Replayed(one["witness"])
    values = [square(w(f"z[{t}]")) for t in range(int(w.t) + 1)]
    assert all(y <= (1 - w.c) * x + w.b + 1e-12 for x, y in pairwise(values))
    assert values[-1] > values[0] + w.b
