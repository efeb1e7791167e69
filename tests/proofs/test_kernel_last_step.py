"""A round whose lemma has the last local step in it: what it uses holds in exact worlds, false neighbours do not.

A world is FedAvg on two clients with three local steps, every noise one of two numbers: expectations are sums over all
outcomes, in fractions, from code that shares nothing with the kernel.
"""

import copy
import itertools
import json
import random
import re
from fractions import Fraction

import pytest

from boundcheck.proofs.kernel.all_steps import StepwiseTheorem, check
from boundcheck.proofs.kernel.boxes import LemmaError
from boundcheck.worst.theorems.collection.shipped import FOLDER


def shipped(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


FILE = shipped("fedavg-near")
PRODUCT = re.compile(r"<(~+)(\w+), (~+)(\w+)>")
N, K = 2, 3


class World:
    """Values of all letters at the end of a round, for each outcome of the noises.

    Clients have functions of one number that are 1-smooth and no parabolas: a parabola between -r and r, lines outside.
    One world is at rest: all clients start at the minimum of a parabola, and the last step alone has noise.
    """

    def __init__(self, seed, *, at_rest=False):
        chance = random.Random(seed)
        self.h, self.sizes = Fraction(chance.randint(1, 4), 8), [Fraction(chance.randint(1, 6), 2)] * K
        self.bend = [(Fraction(chance.randint(-4, 4), 4), Fraction(chance.randint(0, 4), 2)) for _ in range(N)]
        self.shift = [Fraction(chance.randint(-6, 6), 2) for _ in range(N)]
        self.line = [Fraction(chance.randint(-4, 4), 2) for _ in range(N)]
        if at_rest:
            self.sizes = [0] * (K - 1) + self.sizes[:1]
            self.bend, self.shift, self.line = [(Fraction(1), 9)] * N, [Fraction(0)] * N, [Fraction(0)] * N
        self.means = {}
        self.outcomes = [self.outcome(signs) for signs in itertools.product((-1, 1), repeat=N * K)]

    def value(self, i, y):
        (a, r), z = self.bend[i], y - self.shift[i]
        curved = z * z / 2 if abs(z) <= r else r * abs(z) - r * r / 2
        return a * curved + self.line[i] * y

    def gradient(self, i, y):
        (a, r), z = self.bend[i], y - self.shift[i]
        return a * max(-r, min(r, z)) + self.line[i]

    def outcome(self, signs):
        e = Fraction(1, K)
        noise = [[signs[i * K + k] * self.sizes[k] for k in range(K)] for i in range(N)]
        x, found, ends = Fraction(0), {}, []
        for i in range(N):
            y, start = x, self.gradient(i, x)
            for k in range(K):
                if k == K - 1:
                    own = {"g": start, "v": self.gradient(i, y) - start, "n": e * noise[i][k]}
                    own["m"] = e * sum(noise[i][:k])
                    own["d"] = (y - x) / self.h + (1 - e) * start - own["m"]
                    own["q"] = self.value(i, y) - self.value(i, x) - start * (y - x)
                y += -self.h * e * self.gradient(i, y) + self.h * e * noise[i][k]
            ends.append(y)
            for name, number in own.items():
                found.setdefault(name, []).append(number)
        after = sum(ends) / N
        found["w"] = [(self.gradient(i, after) - self.gradient(i, x)) / self.h for i in range(N)]
        numbers = {"q": sum(found.pop("q")) / N, "e": e, "h": self.h}
        numbers |= {f"f{k}": sum(self.value(i, at) for i in range(N)) / N for k, at in enumerate((x, after))}
        numbers["zeta2"] = sum((g - sum(found["g"]) / N) ** 2 for g in found["g"]) / N
        return found, numbers

    def expect(self, p):
        """Return the expectation of a polynomial of the kernel: of its letters but one only numbers may be random."""
        total = Fraction(0)
        for monomial, c in p.items():
            for generator, power in monomial:
                c *= self.mean(generator) ** power
            total += c
        return total

    def mean(self, generator):
        """Return the expectation of a letter, or of a product of two vectors."""
        if generator not in self.means:
            parts = [self.value_of(generator, *outcome) for outcome in self.outcomes]
            self.means[generator] = sum(parts) / len(parts)
        return self.means[generator]

    def value_of(self, generator, families, numbers):
        if not (found := PRODUCT.fullmatch(generator)):
            return numbers[generator]
        pairs = []
        for mark, name in (found.group(1, 2), found.group(3, 4)):
            mean = sum(families[name]) / N
            pairs.append([mean] * N if mark == "~" else [u - mean for u in families[name]])
        return sum(u * v for u, v in zip(*pairs, strict=True)) / N


@pytest.fixture(scope="module")
def worlds():
    return [World(0, at_rest=True), *map(World, range(1, 6))]


def made(file=FILE):
    """Return the theorem of a file, with the points at the end of a round."""
    theorem = StepwiseTheorem(file)
    theorem.left_by_loop()
    return theorem


FRESH = [["fresh", v, block] for v in "gdmv" for block in ("mean", "deviations")]
NEAR = [["near", a, b] for a, b in itertools.permutations(range(3), 2)]


@pytest.mark.parametrize("line", [*FRESH, *NEAR], ids=lambda line: " ".join(map(str, line)))
def test_what_the_lemma_may_use_holds(line, worlds):
    """On average, over all outcomes; what is 0 on average is not 0 in each of them."""
    what, equal = made().hypothesis(line[0], line[1:])
    found = [world.expect(what) for world in worlds]
    assert (set(found) == {0}) if equal else (min(found) >= 0 and max(found) > 0)
    if equal:
        (generator,) = {g for monomial in what for g, _ in monomial}
        assert any(world.value_of(generator, *outcome) for world in worlds for outcome in world.outcomes)


def test_the_lemma_holds(worlds):
    """The end of a round in expectation; without what is paid for the last noise it fails in some world."""
    unpaid = {**FILE, "loop": FILE["loop"] | {"last": {"mean": "0", "deviations": "0"}}}
    sides = []
    for file in (FILE, unpaid):
        theorem = made(file)
        goal = [theorem.round_goal(), theorem.left_by_loop()]
        sides.append(min(sum(map(world.expect, goal)) for world in worlds))
    assert sides[1] < 0 <= sides[0]


@pytest.mark.parametrize("vector", ["w", "m + n", "g + h*w"])
def test_the_last_noise_is_not_orthogonal_to_what_comes_after_it(vector, worlds):
    """The gradient at the next x, and m one step later: not 0 in a world, and refused."""
    theorem = made()
    what = theorem.scope.dot(theorem.mean(theorem.read(vector)), theorem.mean(theorem.read("n")))
    assert any(world.expect(what) for world in worlds)
    with pytest.raises(LemmaError, match="is not known before"):
        theorem.hypothesis("fresh", [vector, "mean"])


@pytest.mark.parametrize("more", ["<mean(m), mean(w)>", "(1 - t)*<mean(v), mean(v)>", "t*q", "<mean(d), mean(n)>"])
def test_a_potential_of_what_is_not_known_at_a_local_point_is_refused(more):
    """The lemma of one step would take it for the same vector before and after a step, and for one without noise."""
    loop = FILE["loop"] | {"potential": f"{FILE['loop']['potential']} + 1/1000*{more}"}
    with pytest.raises(LemmaError, match="not known at y_k"):
        check({**FILE, "loop": loop})


def times(text, factor):
    return f"{factor}*({text})"


def lower_heterogeneity(file):
    """Say less of zeta, or of the gradients at the start where zeta is not assumed."""
    where, letter = ("round", "zeta2") if file["round"] else ("first", "G0")
    file[where][letter] = times(file[where][letter], "9/10")


def change_multiplier(kind, value):
    """Return a change of the multiplier of the first such line of the lemma of a round."""

    def change(file):
        next(line for line in file["proofs"]["round"] if line[0][: len(kind)] == kind)[1] = value

    return change


SPOILED = {
    "longer steps": lambda p: p["box"].update(h=["0", "3/5"]),
    "rate": lambda p: p.update(rate=times(p["rate"], "21/20")),
    "heterogeneity": lower_heterogeneity,
    "start": lambda p: p["first"].update(Delta=times(p["first"]["Delta"], "9/10")),
    "noise of the mean": lambda p: p["loop"]["noise"].update(mean=times(p["loop"]["noise"]["mean"], "9/10")),
    "noise apart": lambda p: p["loop"]["noise"].update(deviations=times(p["loop"]["noise"]["deviations"], "9/10")),
    "no noise": lambda p: p["loop"].update(noise={"mean": "0", "deviations": "0"}),
    "last noise for nothing": lambda p: p["loop"].update(last={"mean": "0", "deviations": "0"}),
    "less for the last noise": lambda p: p["loop"]["last"].update(mean=times(p["loop"]["last"]["mean"], "9/10")),
    "more for the last noise": lambda p: p["loop"]["last"].update(mean=times(p["loop"]["last"]["mean"], "11/10")),
    "one factor of it": lambda p: p["loop"].update(last={"mean": p["loop"]["last"]["mean"]}),
    "the last step is another lemma": lambda p: p["loop"].pop("last"),
    "potential of a round": lambda p: p["loop"].update(potential=times(p["loop"]["potential"], "21/20")),
    "multiplier of a step": lambda p: p["loop"]["proofs"]["step"][0].__setitem__(1, "0"),
    "smoothness of the last point": change_multiplier(["near", 1, 2], "0"),
    "values that do not cancel": change_multiplier(["near", 0, 1], "1"),
    "a point that is none": change_multiplier(["near"], "-1"),
    "orthogonality of the last noise": change_multiplier(["fresh", "d"], "0"),
    "noise of a later step": lambda p: p["proofs"]["round"].append([["fresh", "w", "mean"], "1"]),
    "drift": lambda p: p["loop"].update(drift="2*g"),
    "weight": lambda p: p["loop"].update(weight="2"),
    "next point": lambda p: p["points"][1].update(x="2*h*mean(-1*g + d + m)"),
}


@pytest.mark.parametrize(
    "name",
    ["fedavg-near", *(pytest.param(f"{name}-near", marks=pytest.mark.slow) for name in ("fedavg-m", "scaffold"))],
)
@pytest.mark.parametrize("what", SPOILED)
def test_a_spoiled_file_is_refused(what, name):
    """Each class of number, hypothesis and map, changed once; the file as it is, is accepted."""
    file = shipped(name)
    spoiled = copy.deepcopy(file)
    SPOILED[what](spoiled)
    assert spoiled != file
    with pytest.raises((LemmaError, ValueError, LookupError)):
        check(spoiled)


def test_a_chain_as_well_is_refused():
    with pytest.raises(LemmaError, match="a chain has its last step"):
        check({**FILE, "loop": FILE["loop"] | {"chain": True}})


def test_less_than_nothing_for_the_last_noise_is_refused():
    """A variance is at most sigma^2: what is gained by a large one is gained by none."""
    loop = FILE["loop"] | {"last": FILE["loop"]["last"] | {"deviations": "-1/100*h^2"}}
    with pytest.raises(LemmaError, match="last: factor of deviations"):
        check({**FILE, "loop": loop})


@pytest.mark.parametrize("box", [{"e": ["0", "1"]}, {"e": ["0", "2/3"]}, {"p": ["0", "1"]}])
def test_one_local_step_and_draws_of_clients_are_refused(box):
    """At K = 1 there is no y_(K-1) that the induction has reached; a draw comes after the last step."""
    with pytest.raises(LemmaError, match=r"a loop has the letters e, from 0 to 1/2|the third letter of a loop"):
        check({**FILE, "box": FILE["box"] | box})


def test_the_file_is_accepted_and_says_for_which_k():
    lines = check(FILE)
    assert lines[-1].endswith("for every T >= 1, N >= 1 and K >= 2")
    assert any("K >= 3, t = e .. 1 - 2 e" in line for line in lines)
