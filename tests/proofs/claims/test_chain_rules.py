"""Each rule proves what is true and none of its false neighbours; what cannot be read is named, with what is legal."""

import pytest

from boundcheck.errors import InputError
from boundcheck.proofs.chain.whole.proof import decide_file
from boundcheck.proofs.language.files import load

SETTING = """
indices = "i = 1 .. N, t = 0 .. T - 1, k = 0 .. K - 1"

[letters]
"> 0" = "N, K, T, a, eta, sigma"
">= 0" = "q"
"real" = "p"
"series k" = "powers"

[vectors]
"x[t]" = "server, t = 0 .. T"
"y[t, k]" = "client, k = 0 .. K"
"xi[t, k]" = "noise"
"u[t, k]" = "client"
"w[t]" = "server"

[equations]
begin = "y[t, 0] = x[t]"
go = "y[t, k + 1] = y[t, k] - eta grad(y[t, k]) - eta xi[t, k]"
server = "x[t + 1] = mean(i, k) y[t, k]"

[definitions]
A = "A[t, k] = |u[t, k]|^2"
B = "B[t] = |w[t]|^2"
D = "D[t] = <w[t], x[t]>"

[leaf.small]
says = "|xi[t, k]|^2 <= sigma^2 for t, k"

[leaf.smooth]
points = "c client, d client"
says = "|grad(c) - grad(d)|^2 <= |c - d|^2"

[leaf.one-point]
points = "c server"
says = "f(c) <= a"

[leaf.doubling]
says = "A[t, k + 1] <= (1 + 2/K) A[t, k] + a for t, k = 0 .. K - 2"

[leaf.rounds]
says = "B[t + 1] <= (1 + 1/T) B[t] + a for t = 0 .. T - 2"

[leaf.shrinking]
says = "B[t + 1] <= B[t]/2 + a for t = 0 .. T - 2"

[leaf.exact]
says = "(K - 1) A[t, k + 1] <= K A[t, k] + (K - 1) a for t, k = 0 .. K - 2"

[leaf.uneven]
says = "(K - 1) A[t, k + 1] <= K A[t, k] + a for t, k = 0 .. K - 2"

[leaf.steady]
says = "(T - 1) B[t + 1] <= T B[t] + (T - 1) a for t = 0 .. T - 2"

[leaf.least]
says = "q^3 B[t] <= q^3 a for t"

[leaf.unsigned]
says = "D[t + 1] <= (1 + 1/T) D[t] for t = 0 .. T - 2"

[leaf.down]
says = "f(x[t + 1]) <= f(x[t]) - D[t] for t"
"""


def verdict(tmp_path, claim, before=""):
    """Return the outcome about one claim in the setting."""
    path = tmp_path / "claim.toml"
    path.write_text(f"{SETTING}\n{before}\n[claim.mine]\n{claim}\n", encoding="utf-8")
    return decide_file(load(path)).found["mine"]


TRUE = {
    "young": 'shows = "2 <w[t], x[t]> <= a |w[t]|^2 + |x[t]|^2/a for t"',
    "mean over k": 'shows = "|mean(k) u[t, k]|^2 <= mean(k) |u[t, k]|^2 for t"',
    "mean over i": 'shows = "|mean(i) u[t, k]|^2 <= |u[t, k]|^2 for t, k"',
    "mean over both, at once": 'shows = "|mean(i, k) u[t, k]|^2 <= mean(k) |mean(i) u[t, k]|^2 for t"',
    "mean of a constant": 'shows = "|mean(i, k) x[t]|^2 = |x[t]|^2 for t"',
    "mean of a product with a constant": 'shows = "mean(k) <u[t, k], x[t]> = <mean(i, k) u[t, k], x[t]> for t"',
    "telescoping": 'steps = "down [sum t] : 1"\nshows = "sum(t) D[t] <= f(x[0]) - f(x[T])"',
    "telescoping of a part": 'steps = "down [sum t = 0 .. T - 2] : 1"\n'
    'shows = "sum(t = 0 .. T - 2) D[t] <= f(x[0]) - f(x[T - 1])"',
    "shifted sum": 'shows = "sum(t = 0 .. T - 2) B[t + 1] = sum(t) B[t] - B[0]"',
    "part of a sum": 'shows = "B[T - 1] <= sum(t) B[t]"',
    "powers": 'shows = "sum(k) k^3 = (K (K - 1)/2)^2"',
    "growth": 'steps = "doubling [growth k 2]"\nshows = "A[t, k] <= euler^2 (A[t, 0] + k a) for t, k"',
    "growth, as a sum of powers": 'steps = "exact [series k]"\nshows = "A[t, k] <= euler A[t, 0] + powers a for t, k"',
    "vanishing": 'vanishing = "q"\nsteps = "least : 1/q^2"\nshows = "q B[t] <= q a for t"',
    "growth, summed": 'steps = "rounds [growth-sum t 1] : 1"\n'
    'shows = "sum(t) B[t] <= euler (T B[0] + (T - 1) (T - 1) a)"',
    "geometric recursion, summed": 'steps = "shrinking [sum t = 0 .. T - 2] : 2"\n'
    'shows = "sum(t) B[t] <= 2 B[0] + 2 T a"',
    "geometric recursion, every round": 'induction = "t"\nsteps = "shrinking; self"\n'
    'shows = "B[t] <= B[0] + 2 a for t"',
    "noise against what is older": 'shows = "<y[t, k], xi[t, k]> = 0 for t, k"',
    "noise against a gradient": 'shows = "|grad(y[t, k]) + xi[t, k]|^2 = |grad(y[t, k])|^2 + |xi[t, k]|^2 for t, k"',
    "noise against the server": 'shows = "<x[t], mean(i, k) xi[t, k]> = 0 for t"',
    "noise of clients and steps": 'steps = "fresh(u -> xi[t, k]) [mean i, k]; small [mean k]"\n'
    'shows = "|mean(i, k) xi[t, k]|^2 <= sigma^2/(N K) for t"',
    "one step": 'steps = "go; small : eta^2"\n'
    'shows = "|y[t, k + 1] - y[t, k] + eta grad(y[t, k])|^2 <= eta^2 sigma^2 for t, k"',
    "decimal fractions are exact": 'shows = "0.1 a + 0.2 a = 0.3 a"',
    "a chain of two": 'shows = "a <= 2 if a <= q, q <= 2"',
    "a given square root": 'shows = "q^2 a <= a^3 if q^2 <= a^2"',
    "a minimum is at most each": 'shows = "eta^2 sigma <= a if eta = min(a, 1/sigma)"',
    "a minimum is one of them": 'shows = "1/eta <= 1/a + sigma if eta = min(a, 1/sigma)"',
    "parameters, chosen": 'shows = "eta^2 <= 1/4 if eta = a/2, a <= 1"',
    "euler": 'shows = "2 euler^2/3 <= 2 euler"',
    "nothing at the ends": 'steps = "shrinking(t -> t - 1)"\nshows = "B[t] <= B[t - 1]/2 + a for t = 1 .. T - 1"',
}
"""True statements, each a line of algebra: a checker that refuses everything passes nothing."""


@pytest.mark.parametrize("name", TRUE)
def test_a_true_neighbour_is_proved(name, tmp_path):
    outcome = verdict(tmp_path, TRUE[name])
    assert outcome.proved, outcome.why


FALSE = {
    "young, too small": 'shows = "2 <w[t], x[t]> <= a |w[t]|^2 + 0.99 |x[t]|^2/a for t"',
    "mean over k, reversed": 'shows = "mean(k) |u[t, k]|^2 <= |mean(k) u[t, k]|^2 for t"',
    "mean over i of another index": 'shows = "|mean(i) u[t, k]|^2 <= |mean(i, k) u[t, k]|^2 for t, k"'.replace(
        "(i, k)", "(i)"
    ).replace("<= |mean(i) u[t, k]", "<= |mean(i) u[t, 0]"),
    "mean over both, reversed": 'shows = "mean(k) |mean(i) u[t, k]|^2 <= |mean(i, k) u[t, k]|^2 for t"',
    "mean over i for mean over k": 'shows = "mean(k) |mean(i) u[t, k]|^2 <= |mean(k) u[t, k]|^2 for t"',
    "mean of a product": 'shows = "mean(k) |u[t, k]|^2 = |mean(i, k) u[t, k]|^2 for t"',
    "telescoping, wrong end": 'steps = "down [sum t] : 1"\nshows = "sum(t) D[t] <= f(x[0]) - f(x[T - 1])"',
    "sum of numbers without sign": 'shows = "D[T - 1] <= sum(t) D[t]"',
    "two parts of a sum": 'shows = "B[T - 1] + B[0] <= sum(t) B[t]"',
    "powers, too small": 'shows = "sum(k) k^3 <= (K (K - 1)/2)^2 - 1"',
    "growth, lower power": 'steps = "doubling [growth k 2]"\nshows = "A[t, k] <= euler (A[t, 0] + k a) for t, k"',
    "growth, fewer steps": 'steps = "doubling [growth k 2]"\n'
    'shows = "A[t, k] <= euler^2 (A[t, 0] + (k - 1) a) for t, k"',
    "growth of what may be negative": 'steps = "unsigned [growth t 1]"\nshows = "D[t] <= euler D[0] for t"',
    "growth of what may be negative, summed": 'steps = "unsigned [growth-sum t 1] : 1"\n'
    'shows = "sum(t) D[t] <= euler T D[0]"',
    "a sum of powers, one too few": 'steps = "exact [series k]"\n'
    'shows = "A[t, k] <= euler A[t, 0] + (powers - 1) a for t, k"',
    "a sum of powers without Euler's number": 'steps = "exact [series k]"\n'
    'shows = "A[t, k] <= 2 A[t, 0] + powers a for t, k"',
    "a sum of powers is no number of steps": 'steps = "exact [series k]"\n'
    'shows = "A[t, k] <= euler A[t, 0] + k a for t, k"',
    "vanishing, not distinguished": 'steps = "least : 1/q^2"\nshows = "q B[t] <= q a for t"',
    "vanishing, false at 0": 'vanishing = "q"\nsteps = "least : 1/q^3"\nshows = "B[t] <= a for t"',
    "vanishing, a multiplier undefined at 0": 'vanishing = "q"\nbase = "least : 1/q^2"\nsteps = "least : 1/q^2"\n'
    'shows = "q B[t] <= q a for t"',
    "vanishing, a side undefined at 0": 'vanishing = "q"\nshows = "B[t] <= B[t] + a/q for t"',
    "vanishing, false above 0": 'vanishing = "q"\nshows = "q B[t] <= q a for t"',
    "growth, summed, fewer terms": 'steps = "rounds [growth-sum t 1] : 1"\n'
    'shows = "sum(t) B[t] <= euler ((T - 1) B[0] + (T - 1) (T - 1) a)"',
    "geometric recursion, too small": 'steps = "shrinking [sum t = 0 .. T - 2] : 2"\n'
    'shows = "sum(t) B[t] <= B[0] + 2 T a"',
    "geometric recursion, invariant too small": 'induction = "t"\nsteps = "shrinking; self"\n'
    'shows = "B[t] <= B[0] + a for t"',
    "induction without a base": 'induction = "t"\nsteps = "shrinking; self"\nshows = "B[t] <= 2 a for t"',
    "noise against what is younger": 'shows = "<y[t, k + 1], xi[t, k]> = 0 for t, k"',
    "noise against its own average": 'shows = "<mean(i, k) grad(y[t, k]), mean(i, k) xi[t, k]> = 0 for t"',
    "noise against the next server": 'shows = "<x[t + 1], mean(i, k) xi[t, k]> = 0 for t"',
    "noise against what has no birth": 'shows = "<u[t, k], xi[t, k]> = 0 for t, k"',
    "noise against itself": 'shows = "|xi[t, k]|^2 = 0 for t, k"',
    "noise, orthogonal too early": 'steps = "orthogonal(u -> y[t, k + 1], v -> xi[t, k]) : 1"\n'
    'shows = "<y[t, k + 1], xi[t, k]> = 0 for t, k"',
    "noise, N twice": 'steps = "fresh(u -> xi[t, k]) [mean i, k]; small [mean k]"\n'
    'shows = "|mean(i, k) xi[t, k]|^2 <= sigma^2/(N N K) for t"',
    "noise of steps counts no clients": 'steps = "fresh(u -> xi[t, k]) [mean k]; small [mean k]"\n'
    'shows = "|mean(k) xi[t, k]|^2 <= sigma^2/(N K) for t"',
    "an equality from an inequality": 'steps = "down : 1"\nshows = "f(x[t + 1]) = f(x[t]) - D[t] for t"',
    "an equality from a sum of inequalities": 'steps = "down [sum t] : 1"\nshows = "sum(t) D[t] = f(x[0]) - f(x[T])"',
    "negative multiplier": 'steps = "down : -1"\nshows = "f(x[t]) - D[t] <= f(x[t + 1]) for t"',
    "multiplier of unknown sign": 'steps = "down : p"\nshows = "p f(x[t + 1]) <= p f(x[t]) - p D[t] for t"',
    "an index that collapses": 'shows = "|x[t + 1] - x[t]|^2 <= 0 for t"',
    "a divisor that may vanish": 'shows = "1 <= 1/(1 - a) if a <= 1"',
    "a divisor of unknown sign": 'shows = "p/p = 1"',
    "square root of an unknown sign": 'shows = "p a + a^2 <= 0 if p^2 <= a^2"',
    "a minimum, one of them forgotten": 'shows = "1/eta <= 1/a if eta = min(a, 1/sigma)"',
    "a minimum, at least one of them": 'shows = "eta >= a if eta = min(a, 1/sigma)"',
    "parameters, chosen too large": 'shows = "eta^2 <= 1/5 if eta = a/2, a <= 1"',
    "euler, too small": 'shows = "euler <= 2718/1000"',
    "a false link": 'shows = "a <= 1 if a <= q, q <= 2"',
}
"""False statements, or true ones that the steps do not give, one change away from the true ones."""


@pytest.mark.parametrize("name", FALSE)
def test_a_false_neighbour_is_not_proved(name, tmp_path):
    assert not verdict(tmp_path, FALSE[name]).proved


ILLEGAL = {
    "free letter": ('shows = "a <= b"', "unknown letter 'b'"),
    "free index": ('shows = "B[t] >= 0"', "'t'"),
    "shadowed index": ('shows = "B[t] <= sum(t) B[t] for t"', "shadowed"),
    "index out of range": ('shows = "B[t + 1] >= 0 for t"', "may leave the range 0 .. T - 1"),
    "index before the start": (
        'steps = "shrinking(t -> t - 1)"\nshows = "B[t] >= 0 for t"',
        "may leave the range",
    ),
    "unknown sequence": ('shows = "C[t] >= 0 for t"', "unknown sequence 'C'"),
    "wrong number of indices": ('shows = "|y[t]|^2 >= 0 for t"', "[t, k]"),
    "product of vectors": ('shows = "w[t] x[t] >= 0 for t"', "not linear"),
    "vector plus number": ('shows = "w[t] + 1 >= 0 for t"', "adds a number and a vector"),
    "vector for a number": ('shows = "w[t] <= 0 for t"', "a vector where a number is needed"),
    "mean over clients of numbers": ('shows = "mean(i) B[t] >= 0 for t"', "do not depend on the client"),
    "weight under a mean": ('shows = "|mean(k) (k u[t, k])|^2 >= 0 for t"', "weight that depends on the index"),
    "weight under a sum": ('shows = "sum(t) (t B[t]) >= 0"', "depends on t too"),
    "part of a sum of products": ('shows = "sum(t = 9 .. T - 1) |w[t]|^2 >= 0"', "not the whole range"),
    "one point for all clients": (
        'steps = "one-point(c -> y[t, k])"\nshows = "a >= 0 for t, k"',
        "must be one point for all clients",
    ),
    "missing point": ('steps = "one-point"\nshows = "a >= 0"', "the point 'c' of one-point is missing"),
    "unknown letter to rename": ('steps = "down(s -> 0)"\nshows = "a >= 0 for t"', "no letter 's'"),
    "unknown step": ('steps = "doun"\nshows = "a >= 0"', "unknown step"),
    "step that cannot be read": ('steps = "down [add t]"\nshows = "a >= 0"', "is not legal"),
    "growth of another shape": (
        'steps = "doubling [growth k 3]"\nshows = "A[t, k] <= euler^3 (A[t, 0] + k a) for t, k"',
        "is not of the shape",
    ),
    "growth over another index": ('steps = "down [growth t 1]"\nshows = "a >= 0 for t"', "is not of the shape"),
    "average of what is no noise": ('steps = "fresh(u -> u[t, k]) [mean k]"\nshows = "a >= 0 for t"', "a noise"),
    "average over an index that it lacks": (
        'steps = "fresh(u -> xi[0, k]) [mean t]"\nshows = "a >= 0 for k"',
        "over",
    ),
    "self outside an induction": ('steps = "self"\nshows = "a >= 0"', "`self` is the hypothesis of an induction"),
    "induction on an index without range": ('induction = "t"\nshows = "a >= 0"', "no range here"),
    "no relation": ('shows = "a"', "<=, >= or = was expected"),
    "given about vectors": ('shows = "a >= 0 if |w[0]|^2 <= 1"', "not a number made of letters alone"),
    "capture by a mean": (
        'steps = "caught(t -> k)"\nshows = "a >= 0 for t, k"',
        "may leave the range",
    ),
    "root": ('shows = "a^1/2 + a^(1/2) >= 0"', "a whole number"),
    "minimum outside of what is given": ('shows = "min(a, eta) <= a"', "a minimum is given"),
    "vanishing of a positive letter": ('vanishing = "a"\nshows = "a >= 0"', "declared '>= 0'"),
    "vanishing of a sum of powers": ('vanishing = "powers"\nshows = "a >= 0"', "declared '>= 0'"),
    "a sum of other powers": (
        'steps = "doubling [series k]"\nshows = "A[t, k] <= euler A[t, 0] + powers a for t, k"',
        "is not of the shape (K - 1) A[k + 1] <= K A[k] + (K - 1) b",
    ),
    "a sum of powers of what is divided by 0 for one step": (
        'steps = "uneven [series k]"\nshows = "A[t, k] <= euler A[t, 0] + powers a for t, k"',
        "is not of the shape",
    ),
    "no letter for the powers": ('steps = "steady [series t]"\nshows = "a >= 0 for t"', "declare one: total"),
    "strict relation": ('shows = "a < 2 a"', "legal are"),
}


@pytest.mark.parametrize("name", ILLEGAL)
def test_an_illegal_claim_is_named_with_file_and_line(name, tmp_path):
    claim, message = ILLEGAL[name]
    before = '[claim.caught]\nshows = "mean(k) A[t, k] >= 0 for t"\n'
    with pytest.raises(InputError) as raised:
        verdict(tmp_path, claim, before)
    assert message in str(raised.value)
    assert f"{tmp_path}/claim.toml:" in str(raised.value)


HYPOTHESIS = """
[claim.conditional]
shows = "q B[t] <= B[t] for t if q <= 1"

[claim.indexed]
shows = "q t B[t] <= B[t] for t if q t <= 1"
"""


def test_a_hypothesis_is_discharged_or_inherited_and_listed(tmp_path):
    steps = 'steps = "conditional"\nshows = "q B[t] <= B[t] for t"'
    assert [str(node) for node in verdict(tmp_path, steps, HYPOTHESIS).inherited] == ["q <= 1"]
    assert verdict(tmp_path, steps[:-1] + ' if 2 q <= 1"', HYPOTHESIS).inherited == ()


def test_a_minimum_is_not_discharged_by_its_bounds(tmp_path):
    """Two upper bounds do not make a number their minimum."""
    before = '[claim.smallest]\nshows = "a q <= eta (a + q) if eta = min(a, q)"\n'
    outcome = verdict(tmp_path, 'steps = "smallest"\nshows = "a q <= eta (a + q) if eta <= a, eta <= q"', before)
    assert [str(node) for node in outcome.inherited] == ["eta = min(a, q)"]


def test_a_hypothesis_on_a_summed_index_fails(tmp_path):
    with pytest.raises(InputError, match="depends on the bound index t"):
        verdict(tmp_path, 'steps = "indexed [mean t] : 1"\nshows = "0 <= sum(t) B[t]"', HYPOTHESIS)


CIRCLES = {
    "each from the other": (
        '"v[t]" = "server"\n"z[t]" = "server"',
        ("v[t] = z[t]", "z[t] = v[t]"),
        "neither at an earlier",
    ),
    "from the future": ('"v[t]" = "server, t = 0 .. T"', ("v[t] = v[t + 1]",), "neither at an earlier"),
    "twice": ('"v[t]" = "server"', ("v[t] = x[t]", "v[0] = x[0]"), "must start at the entry after"),
    "twice, shifted": ('"v[t]" = "server, t = 0 .. T"', ("v[t + 1] = x[t]", "v[t] = x[t]"), "once each"),
}


@pytest.mark.parametrize("name", CIRCLES)
def test_equations_that_contradict_or_define_nothing_are_refused(name, tmp_path):
    vectors, equations, message = CIRCLES[name]
    text = SETTING.replace('"w[t]" = "server"', f'"w[t]" = "server"\n{vectors}')
    lines = "".join(f'e{n} = "{e}"\n' for n, e in enumerate(equations))
    text = text.replace("[equations]\n", "[equations]\n" + lines)
    path = tmp_path / "circle.toml"
    path.write_text(text + '[claim.mine]\nshows = "<v[t], xi[t, k]> = 0 for t, k"\n', encoding="utf-8")
    with pytest.raises(InputError, match=message):
        decide_file(load(path))


def test_births_come_from_the_equations(tmp_path):
    """y[t, k] is older than the noise of step k, y[t, k + 1] is not; a delayed sequence is older still."""
    path = tmp_path / "births.toml"
    path.write_text(SETTING, encoding="utf-8")
    births = decide_file(load(path)).births
    assert births.offsets == {"x": 0, "y": 0, "xi": 1, "u": None, "w": None}
    assert births.starts() == ["x[0]"]
