"""Coordinates: products and relations of vectors in small worlds in fractions, with false neighbours of each rule.

A world has all outcomes of the noise, N clients and two coordinates.  What is true holds in every world and is proved;
a false neighbour fails in one and is refused.
"""

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest

from boundcheck.proofs.kernel import File, Kernel, Proof, Refused
from boundcheck.proofs.kernel.evaluate import scalar
from boundcheck.proofs.kernel.file import step
from boundcheck.proofs.kernel.space import NUMBER, Inner
from boundcheck.proofs.kernel.text import expression, index_of

DIMENSION = 2
PAGE = """
title = "coordinates"
indices = "i = 1 .. N, t = 0 .. T - 1"

[letters]
"> 0" = "N, T, d"

[vectors]
"ones" = "ones of d"
"first" = "server"
"xi[t]" = "noise"
"a[t]" = "client"
"c[t]" = "client"
"q[t]" = "client"
"s[t]" = "server"
"p[t]" = "server"
"r[t]" = "server"
"k[t]" = "client"
"h[t]" = "client"
"y[t]" = "client, t = 0 .. T"

[start]
begin = "y[0] = first"

[equations]
known = "k[t] = some(first)"
younger = "y[t + 1] = some(xi[t])"
average = "r[t] = mean(i) a[t]"

[definitions]
total = "total[t] = <a[t], p[t]>"

[leaf.a-sign]
says = "0 <= a[t] for t"

[leaf.p-sign]
says = "0 <= p[t] for t"

[leaf.below]
says = "c[t] <= a[t] for t"

[leaf.q-sign]
says = "0 <= q[t] for t"

[leaf.q-square]
says = "q[t]^2 = c[t]^2 for t"

[leaf.falls]
says = "mean(i) h[t] <= 0 for t"

[leaf.opposed]
says = "h[t] <= -mean(i) h[t] for t"

[claim.one]
steps = "STEPS"
shows = "SHOWS"
"""
OBJECT = {"births": {"k": 0, "y": 0}, "order": ["ones", "first", "xi", "a", "c", "q", "s", "p", "r", "k", "h", "y"]}

TRUE = {
    "a multiplier": ("below : p[t]; p-sign : 0", "<c[t], p[t]> <= <a[t], p[t]> for t"),
    "a multiplier of a relation": ("below : p[t]; p-sign : 0", "c[t] p[t] <= a[t] p[t] for t"),
    "a square as a multiplier": ("below : s[t]^2", "c[t] s[t]^2 <= a[t] s[t]^2 for t"),
    "the mean over the clients": ("below [mean i]", "mean(i) c[t] <= mean(i) a[t] for t"),
    "the mean, of one vector for all": ("below", "mean(i) c[t] <= mean(i) a[t] for t"),
    "what one client has": ("a-sign : 0; client-share(u -> a[t])", "a[t] <= N mean(i) a[t] for t"),
    "a square": ("vector-square(u -> c[t] - s[t])", "2 c[t] s[t] <= c[t]^2 + s[t]^2 for t"),
    "a square of a mean": (
        "vector-square(u -> c[t] - mean(i) c[t])",
        "|mean(i) c[t]|^2 <= |c[t]|^2 for t",
    ),
    "a product of bounds": ("below : a[t]; a-sign : 0", "a[t] c[t] <= a[t]^2 for t"),
    "signs of factors": ("a-sign : p[t]; p-sign : 0", "0 <= a[t] p[t] for t"),
    "the contrary": ("contrary : 0; q-square : -1; q-sign : 2 (c[t] - q[t])", "c[t] <= q[t] for t"),
    "independent noise": ("", "|mean(i) (xi[t] k[t])|^2 = 1/N <xi[t]^2, k[t]^2> for t"),
    "noise and what is older": ("", "<xi[t] k[t], k[t]> = 0 for t"),
    "noise in a mean": ("", "<mean(i) (xi[t] k[t]), k[t]> = 0 for t"),
    "the number of coordinates": ("", "<ones, ones> = d"),
    "the sum over the coordinates": ("", "<a[t], ones> = <mean(i) a[t], ones> for t"),
    "a factor outside of a mean": ("", "<mean(i) (a[t] s[t]), c[t]> = <mean(i) a[t], s[t] c[t]> for t"),
    "an equation in a product": ("average", "<r[t] s[t], c[t]> = <mean(i) a[t], s[t] c[t]> for t"),
    "an equation twice": ("average", "<r[t]^2, s[t]> = <mean(i) (a[t] s[t]), mean(i) a[t]> for t"),
    "a definition": ("total", "total[t] = <a[t] p[t], ones> for t"),
}
FALSE = {
    "a multiplier of any sign": ("below : s[t]", "<c[t], s[t]> <= <a[t], s[t]> for t"),
    "the other way round": ("below : p[t]; p-sign : 0", "a[t] p[t] <= c[t] p[t] for t"),
    "a multiplier below 0": ("below : -1", "a[t] <= c[t] for t"),
    "an odd power as a multiplier": ("below : s[t]^3", "c[t] s[t]^3 <= a[t] s[t]^3 for t"),
    "one client against the mean": ("below [mean i]", "c[t] <= mean(i) a[t] for t"),
    "a share of the mean": ("a-sign : 0; client-share(u -> a[t])", "a[t] <= mean(i) a[t] for t"),
    "a share of what may be negative": ("client-share(u -> c[t])", "c[t] <= N mean(i) c[t] for t"),
    "more than a square": ("vector-square(u -> c[t] - s[t])", "3 c[t] s[t] <= c[t]^2 + s[t]^2 for t"),
    "Jensen in the other direction": ("vector-square(u -> c[t] - mean(i) c[t])", "|c[t]|^2 <= |mean(i) c[t]|^2 for t"),
    "the contrary of another sign": ("contrary : 0; q-square : -1; q-sign : 2 (q[t] - c[t])", "q[t] <= c[t] for t"),
    "the contrary of numbers": ("contrary : 1", "<c[t], p[t]> <= 0 for t"),
    "the contrary alone": ("contrary : 1", "a[t] <= c[t] for t"),
    "a share of the contrary": ("contrary : 0; client-share(u -> h[t]) : h[t]; falls : N h[t]", "h[t] <= 0 for t"),
    "the contrary beside its own mean": ("contrary : 0; opposed : h[t]", "h[t] <= 0 for t"),
    "noise without its count": ("", "|mean(i) (xi[t] k[t])|^2 = <xi[t]^2, k[t]^2> for t"),
    "noise against what is younger": ("", "<xi[t] k[t], y[t + 1]> = 0 for t"),
    "noise at what is younger": ("", "|mean(i) (xi[t] y[t + 1])|^2 = 1/N <xi[t]^2, y[t + 1]^2> for t"),
    "noise against what has no birth": ("", "<xi[t] k[t], s[t]> = 0 for t"),
    "noise twice": ("", "<xi[t]^2, k[t]> = 0 for t"),
    "noise is not 0": ("", "xi[t] k[t] = 0 for t"),
    "noise in a relation": ("", "mean(i) (xi[t] k[t]) = 0 for t"),
    "one coordinate": ("", "<ones, ones> = 1"),
    "a mean out of a product": ("", "<mean(i) (a[t] c[t]), c[t]> = <mean(i) a[t], c[t]^2> for t"),
    "an equation beside what varies": ("average", "<r[t] a[t], c[t]> = <a[t]^2, c[t]> for t"),
    "a product that may be negative": ("a-sign : 0", "0 <= <a[t], s[t]> for t"),
    "what is left over may be negative": ("", "0 <= a[t] c[t] for t"),
    "an equality from an inequality": ("below : 1", "a[t] = c[t] for t"),
    "a relation of numbers from one of vectors": ("below : 1", "<c[t]^2, ones> <= <a[t]^2, ones> for t"),
}

INCOMPLETE = {
    "a sign that no step shows": ("below : p[t]", "c[t] p[t] <= a[t] p[t] for t"),
    "the contrary without a sign": ("contrary : 0; q-square : -1", "c[t] <= q[t] for t"),
    "a share of what no step shows to be positive": ("client-share(u -> a[t])", "a[t] <= N mean(i) a[t] for t"),
}
"""True by a leaf that is no step."""


def kernel_of(tmp_path, steps, shows):
    path = tmp_path / "page.toml"
    path.write_text(PAGE.replace('steps = "STEPS"', f'steps = "{steps}"').replace("SHOWS", shows), encoding="utf-8")
    file = File()
    file.read(path)
    return Kernel(file, Proof(OBJECT))


class World:
    """Arrays (outcomes, clients, coordinates) in fractions, in which the leaves and equations of the page hold.

    There is one time, t = 0, and y[1] after it.
    """

    def __init__(self, N, seed):
        draw = random.Random(seed)
        signs = list(itertools.product((1, -1), repeat=N * DIMENSION))
        shape = (len(signs), N, DIMENSION)

        def any_of(low, *, clients=True, chance=True):
            own = (shape[0] if chance else 1, N if clients else 1, DIMENSION)
            values = [Fraction(draw.randint(low, 4), draw.randint(1, 3)) for _ in range(int(np.prod(own)))]
            return np.broadcast_to(np.array(values, dtype=object).reshape(own), shape)

        self.N, self.letters = N, {"N": Fraction(N), "T": Fraction(1), "d": Fraction(DIMENSION)}
        xi = np.array(signs, dtype=object).reshape(shape)
        a = any_of(0)
        c = a - any_of(0) * 2
        v = any_of(-4)
        self.vectors = {
            "h": v - (v.max(axis=1, keepdims=True) + self.mean(v)) * Fraction(1, 2),  # the largest is not negative
            "ones": a * 0 + 1, "xi": xi, "a": a, "c": c, "q": abs(c), "s": any_of(-4, clients=False),
            "p": any_of(0, clients=False), "r": self.mean(a), "k": any_of(-4, chance=False), "y": 2 * xi + 1,
            "first": any_of(-4, clients=False, chance=False),
        }  # fmt: skip

    def mean(self, v):
        return np.broadcast_to(v.sum(axis=1, keepdims=True) * Fraction(1, self.N), v.shape)

    def value(self, tree):
        """Return an expression by definition."""
        kind, parts = tree.kind, tree.parts
        if kind == "entry":
            return self.entry(tree.name, *map(self.index, parts))
        if kind == "name":
            return Fraction(0) if tree.name == "t" else self.vectors.get(tree.name, self.letters.get(tree.name))
        if kind == "number":
            return Fraction(tree.name)
        if kind == "mean":
            return self.mean(self.value(parts[0]))
        values = [self.value(part) for part in parts]
        if kind == "inner":
            return (values[0] * values[1]).sum() * Fraction(1, len(self.vectors["xi"]) * self.N)
        if kind == "power":
            return values[0] ** int(tree.name)
        two = {"add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y}
        two |= {"div": lambda x, y: x * (1 / Fraction(y))}
        return -values[0] if kind == "neg" else two[kind](*values)

    def index(self, tree):
        return sum(times * (1 if letter in ("", "T") else 0) for letter, times in index_of(tree))

    def entry(self, name, at):
        if at != (name == "y"):
            return {("y", 0): self.vectors["first"]}[name, at]
        return self.total() if name == "total" else self.vectors[name]

    def total(self):
        return (self.vectors["a"] * self.vectors["p"]).sum() * Fraction(1, len(self.vectors["xi"]) * self.N)

    def holds(self, relation):
        left, right = (self.value(part) for part in relation.parts)
        gaps = np.ravel(np.array(right - left, dtype=object))
        return all(gap >= 0 if relation.kind == "<=" else gap == 0 for gap in gaps)


WORLDS = [World(N, seed) for N in (1, 2, 3) for seed in range(4)]


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_proved(tmp_path, name):
    kernel = kernel_of(tmp_path, *TRUE[name])
    shows = kernel.file.claims["one"].statement.shows
    assert all(world.holds(shows) for world in WORLDS)
    found = kernel.check_claim("one")
    assert found.proved, found.why


@pytest.mark.parametrize("name", FALSE)
def test_a_false_neighbour_is_refused(tmp_path, name):
    kernel = kernel_of(tmp_path, *FALSE[name])
    shows = kernel.file.claims["one"].statement.shows
    assert not all(world.holds(shows) for world in WORLDS)
    assert not kernel.check_claim("one").proved


@pytest.mark.parametrize("name", INCOMPLETE)
def test_what_a_leaf_says_is_used_where_it_is_named(tmp_path, name):
    kernel = kernel_of(tmp_path, *INCOMPLETE[name])
    assert all(world.holds(kernel.file.claims["one"].statement.shows) for world in WORLDS)
    assert not kernel.check_claim("one").proved


def test_the_leaves_hold_in_every_world(tmp_path):
    leaves = kernel_of(tmp_path, "", "0 <= d").file.leaves
    assert all(world.holds(leaf.shows) for world in WORLDS for leaf in leaves.values())


def random_vector(draw, depth):
    """Return a vector as text."""
    if not depth:
        return draw.choice(["a[t]", "c[t]", "s[t]", "p[t]", "k[t]", "xi[t]", "r[t]", "ones"])
    one, other = (random_vector(draw, depth - 1) for _ in range(2))
    return draw.choice([f"({one} {other})", f"({one} - 2 {other})", f"(mean(i) {one})", f"({one} + {other})"])


def value_of(form, world):
    """Return a normal form by definition: each term is E of the mean over the clients, P being the mean over them."""

    def vector(atom):
        found = world.vectors["ones"]
        for factor in atom.factors or (atom,):
            found = found * world.vectors[factor.name]
        return found

    total = Fraction(0)
    for term, by in form.items():
        number = sum(
            (value * Fraction(1) * np.prod([world.letters[x.name] ** power for x, power in monomial] or [Fraction(1)]))
            for monomial, value in by.numerator.items()
        )
        if isinstance(term, Inner):
            left, right = vector(term.left), vector(term.right)
            left = world.mean(left) if term.averaged else left
            number *= (left * right).sum() * Fraction(1, len(left) * world.N)
        else:
            assert term == NUMBER
        total += number
    return total


def test_normal_forms_keep_the_value_of_random_expressions(tmp_path):
    """Before and after the equation for r, and after the laws of noise."""
    kernel = kernel_of(tmp_path, "", "0 <= d")
    context = kernel.base.inside("t", kernel.file.indices["t"])
    draw, read, rewritten = random.Random(7), 0, 0
    equation = kernel.steps.rewriting(step("average"), context)
    for _ in range(400):
        text = f"<{random_vector(draw, draw.randint(0, 2))}, {random_vector(draw, draw.randint(0, 2))}>"
        try:
            form = scalar(expression(text), context)
        except Refused:
            continue  # a mean beside what varies
        read += 1
        after = kernel.steps.reduce(form, [equation], context)
        rewritten += after.keys() != form.keys()
        for world in WORLDS[4:6]:
            value = world.value(expression(text))
            assert value_of(form, world) == value, text
            assert value_of(after, world) == value, text
    assert read > 250
    assert rewritten > 80


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"ones" = "ones of d"', '"ones" = "server"'),
        ('"ones" = "ones of d"', '"ones[t]" = "client"'),
        ('"ones" = "ones of d"', '"units" = "ones of d"'),
        ('"ones" = "ones of d"', '"ones" = "ones of e"'),
        ('"ones" = "ones of d"\n', ""),
    ],
)
def test_ones_are_declared_as_such(tmp_path, old, new):
    """Without them nothing is said by coordinates."""
    path = tmp_path / "page.toml"
    text = PAGE.replace("STEPS", "below : p[t]; p-sign : 0").replace("SHOWS", "c[t] p[t] <= a[t] p[t] for t")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert not is_proved(path)


def is_proved(path):
    """Return whether the claim of a page is proved; a page that is not legal proves nothing."""
    file = File()
    try:
        file.read(path)
        order = [name for name in OBJECT["order"] if name in file.vectors]
        return Kernel(file, Proof(OBJECT | {"order": order})).check_claim("one").proved
    except Refused:
        return False
