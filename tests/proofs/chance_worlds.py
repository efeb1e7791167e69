"""Exact worlds for statements with E(...): all outcomes of draws and noises, in fractions, by definition.

Nothing is shared with the kernel: declarations and relations are read by the grammar, and E is a sum over outcomes.
Each noise takes a vector, its opposite or 0 for each member, all members independently; noises of one declaration have
the same signs.  A value has an axis for the clients and one for the members of each noise that are not the clients.
"""

import re
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from boundcheck.proofs.language.grammar import names_in, read, read_alone

DIMENSION = 2
MOST_MEMBERS = 4


def number(text, values):
    return value(read(text, alone=True), World((), values, {}), {})


def count_of(text, values):
    """Return a number of clients or members, which is whole, positive and so small that all outcomes can be met."""
    found = number(text, values)
    assert 1 <= found <= MOST_MEMBERS, "none at all, or more outcomes than are tried"
    assert found.denominator == 1, "not a whole number"
    return int(found)


def kept(p, q):
    """Return a probability of 0 < p and its complement, without the one that is 0."""
    return [(one, chance) for one, chance in ((True, p), (False, q)) if chance]


class World:
    """Values of letters and vectors, and for each law its outcomes with their probabilities."""

    def __init__(self, random, values, vectors, rng=None):
        self.values, self.vectors, self.laws, self.signs = values, dict(vectors), {}, {}
        self.axes = ["clients"]
        for line in random:
            self.declare(line, rng)

    def declare(self, line, rng):
        words = re.fullmatch(r"noise ([\w, ]+?)(?: over (.+?))?(?: of (.+))?", line)
        if words:
            names = words[1].split(", ")
            count = 1 if words[2] is None else count_of(words[2], self.values)
            if words[2] is not None and words[2] != "N":
                self.axes.append(names[0])
            amplitudes, odds = {}, Fraction(1)
            for name in names:
                amplitudes[name] = np.array(
                    [[Fraction(rng.randint(-3, 3)) for _ in range(DIMENSION)] for _ in range(count)], dtype=object
                )
            if words[3]:
                moment = number(words[3], self.values)
                assert moment >= 0, "no such noise"
                top = Fraction(max(1, -(-moment.numerator // moment.denominator)))
                amplitudes[names[0]] = np.array([[top, Fraction(0)]] * count, dtype=object)
                odds = moment / top**2
            three = [(1, odds / 2), (-1, odds / 2), *([(0, 1 - odds)] if odds < 1 else [])]
            self.laws |= dict.fromkeys(names, names[0])
            self.signs[names[0]] = [
                (np.array([s for s, _ in signs]), np.prod([p for _, p in signs]))
                for signs in product(three, repeat=count)
            ]
            self.vectors |= {name: (names[0], words[2], amplitudes[name]) for name in names}
            return
        words = re.fullmatch(r"draw (\w+)(?: of (.+?))? from (.+?)(?: with (replacement|chance) ?(.*))?", line)
        n = count_of(words[3], self.values)
        clients = range(n)
        if words[4] == "chance":
            p = number(words[5], self.values)
            assert 0 < p <= 1, "no such draw"
            found = [
                ((tuple(i for i in clients if inside[i][0]), p * n), np.prod([one[1] for one in inside]))
                for inside in product(kept(p, 1 - p), repeat=n)
            ]
        else:
            s = count_of(words[2], self.values)
            assert 1 <= s <= (s if words[4] else n), "no such draw"
            sets = list(product(clients, repeat=s)) if words[4] else list(combinations(clients, s))
            found = [((one, Fraction(s)), Fraction(1, len(sets))) for one in sets]
        self.laws[words[1]] = words[1]
        self.signs[words[1]] = found

    def vector(self, name, outcome):
        """Return a vector, family or noise as an array over the axes, the last for coordinates."""
        found = self.vectors[name]
        shape = [1] * len(self.axes)
        if isinstance(found, tuple):
            law, count, amplitude = found
            found = amplitude * outcome[law][:, None]
            if count is None:
                return found.reshape([*shape, DIMENSION])
            shape[self.axes.index("clients" if count == "N" else law)] = len(amplitude)
            return found.reshape([*shape, DIMENSION])
        shape[0] = len(found)
        return found.reshape([*shape, DIMENSION])


def mean(u):
    axes = tuple(range(u.ndim - 1))
    return np.sum(u, axis=axes, keepdims=True) / Fraction(np.prod(u.shape[:-1]).item())


def inner(u, v):
    both = np.sum(u * v, axis=-1)
    return Fraction(np.sum(both)) / both.size


def value(node, world, outcome):
    """Return what an expression is at one outcome: a fraction, or an array of vectors."""
    parts, name = node.parts, node.name

    def of(one):
        return value(one, world, outcome)

    match node.kind:
        case "number":
            return Fraction(name)
        case "letter":
            return world.vector(name, outcome) if name in world.vectors else Fraction(world.values[name])
        case "add":
            return of(parts[0]) + of(parts[1])
        case "neg":
            return -of(parts[0])
        case "mul":
            return of(parts[0]) * of(parts[1])
        case "div":
            return of(parts[0]) / of(parts[1])
        case "power":
            return of(parts[0]) ** int(name)
        case "inner":
            return inner(of(parts[0]), of(parts[1]))
        case "norm2":
            return inner(of(parts[0]), of(parts[0]))
        case "call" if name == "mean":
            return mean(of(parts[0]))
        case "call" if name == "deviation":
            return of(parts[0]) - mean(of(parts[0]))
        case "call" if name in ("sampled", "taken"):
            clients, total = outcome[parts[1].name]
            u = of(parts[0])
            n = int(world.values["N"])
            u = np.broadcast_to(u, (n, *u.shape[1:]))
            if name == "sampled":
                chosen = [mean(u[i : i + 1]) for i in clients]
                return sum(chosen, np.zeros_like(mean(u))) / total
            inside = np.array([Fraction(i in clients) for i in range(n)], dtype=object)
            return u * inside.reshape([n] + [1] * (u.ndim - 1))
        case "call" if name == "E":
            laws = [one.name for one in parts[1:]] or list(world.laws)
            met = names_in(parts[0])  # over the others the sum of the probabilities is 1
            roots = list(dict.fromkeys(world.laws[law] for law in laws if law in met))
            found = Fraction(0)
            for chosen in product(*(world.signs[root] for root in roots)):
                chance = np.prod([p for _, p in chosen]) if chosen else Fraction(1)
                at = outcome | {root: one for root, (one, _) in zip(roots, chosen, strict=True)}
                found += chance * value(parts[0], world, at)
            return found
    raise NotImplementedError(node)


def holds(relation, world):
    """Return whether a chain of relations holds."""
    if relation.kind == "times":
        relation = relation.parts[0]
    if relation.kind == "or":
        return any(holds(one, world) for one in relation.parts)
    sides = [value(one, world, {}) for one in relation.parts]
    compare = {
        "<=": lambda a, b: a <= b,
        ">=": lambda a, b: a >= b,
        "=": lambda a, b: a == b,
        "<": lambda a, b: a < b,
        ">": lambda a, b: a > b,
        "!=": lambda a, b: a != b,
    }
    signs = relation.name.split()
    return all(compare[sign](a, b) for sign, a, b in zip(signs, sides, sides[1:], strict=False))


def fails(shows, given, world):
    """Return whether a statement is false in a world: all that is given holds, and what is shown does not."""
    said = [read_alone(line) for line in shows]
    known = [one for line in given for one in read_alone(line).shows]
    for one in said:
        try:
            if all(holds(fact, world) for fact in (*known, *one.given)) and not all(holds(r, world) for r in one.shows):
                return True
        except ZeroDivisionError:  # it says nothing where it is not defined
            continue
    return False


def worlds(letters, rng, tries):
    """Yield worlds for declared letters: whole numbers for N, S, R, K and b, small fractions for others.

    Parameters
    ----------
    letters : iterable of str
        Declarations as in a claim file: ``a > 0``, ``vectors u``, ``families u``, noises and draws.
    """
    random = [line for line in letters if line.startswith(("noise ", "draw "))]
    for _ in range(tries):
        values = {"N": rng.randint(1, 3), "b": rng.randint(1, 2), "K": rng.randint(1, 2)}
        values |= {"S": rng.randint(1, values["N"]), "R": rng.randint(1, values["N"])}
        values |= {name: Fraction(rng.randint(1, 4), rng.choice((1, 1, 2))) for name in ["sigma", "eta", "L", "beta"]}
        values["p"] = Fraction(rng.randint(1, 3), 3)
        vectors = {}
        for line in letters:
            if line in random:
                continue
            kind, _, names = line.partition(" ")
            if kind not in ("vectors", "families"):
                names, sign = re.fullmatch(r"([\w, ]+) (> 0|>= 0|real)", line).groups()
                low = {"> 0": 1, ">= 0": 0, "real": -3}[sign]
                values |= {one: Fraction(rng.randint(low, 4), rng.choice((1, 2))) for one in names.split(", ")}
                continue
            for name in names.split(", "):
                size = values["N"] if kind == "families" else 1
                vectors[name] = np.array(
                    [[Fraction(rng.randint(-3, 3)) for _ in range(DIMENSION)] for _ in range(size)], dtype=object
                )
        try:
            yield World(random, values, vectors, rng)
        except AssertionError:  # there is no such draw or noise
            continue
