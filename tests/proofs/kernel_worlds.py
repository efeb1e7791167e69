"""Small finite worlds in which a claim file is true, and the value of its expressions in them, from the meaning alone.

A world has clients, rounds, steps, samples and noises with all their outcomes, equally likely; vectors are numbers, all
of them fractions.  Nothing here is the kernel's: expressions are evaluated by their definition, mean by mean.
"""

import random
from fractions import Fraction
from itertools import combinations, product

from boundcheck.proofs.kernel.file import index_letters
from boundcheck.proofs.kernel.space import Inner
from boundcheck.proofs.kernel.text import index_of

EULER = Fraction("2.718281828")
"""Just below e, so that a bound by it is held to less than it promises."""


class World:
    """One world of a claim file.

    Parameters
    ----------
    file : File
        What was read.
    letters : dict
        Values of the letters; horizons and sizes of samples are whole numbers.
    seed : int
        Of start values, slopes and the sizes of noises.
    """

    def __init__(self, file, letters, seed):
        self.file, self.rng = file, random.Random(seed)
        self.letters = {"euler": EULER, **letters}
        self.N = int(self.letters["N"])
        self.tables, self.entries = {}, {}
        self.slopes = [(self.fraction(), self.fraction()) for _ in range(self.N)]
        self.outcomes = list(self._outcomes())

    def fraction(self, low=-3, high=3):
        """Return a small fraction."""
        return Fraction(self.rng.randint(2 * low, 2 * high), 2)

    def index(self, index, env):
        return sum(times * (env[x] if x in env else int(self.letters[x]) if x else 1) for x, times in index)

    def span(self, ends, env):
        low, high = (self.index(end, env) for end in ends)
        return range(low, high + 1)

    def _places(self, one):
        return product(*(self.span(ends, {}) for _, ends in one.spans))

    def _outcomes(self):
        """Yield every outcome: a sign for each time and client, a set for each sample.

        All noise of one time and client has one sign, the deviation of a round that of its first step: they are as
        dependent as a file allows.  Noise that is no noise of a time has signs of its own.
        """
        clock = max((len(one.spans) for one in self.file.vectors.values() if one.kind == "noise"), default=0)
        self.coins, self.draws, self.sizes = {}, [], {}
        for name, one in self.file.vectors.items():
            for at in self._places(one):
                if one.kind in ("noise", "deviation"):
                    timed = one.kind == "deviation" or len(one.spans) == clock
                    time = (*at, *[0] * (clock - len(at)))
                    for client in range(self.N):
                        self.coins[name, at, client] = ("", time, client) if timed else (name, at, client)
                        self.sizes[name, at, client] = self.fraction(0)
                elif one.kind == "sample":
                    size = int(one.size) if one.size.isdecimal() else int(self.letters[one.size])
                    self.draws.append((name, at, size))
        sets = [[frozenset(c) for c in combinations(range(self.N), size)] for _, _, size in self.draws]
        keys = list(dict.fromkeys(self.coins.values()))
        for signs in product((-1, 1), repeat=len(keys)):
            for drawn in product(*sets):
                yield dict(zip(keys, signs, strict=True)), {d[:2]: s for d, s in zip(self.draws, drawn, strict=True)}

    # --- vectors: one number for each outcome and client ------------------------------------------------------------

    def entry(self, name, at, outcome, client):
        """Return an entry of a sequence of vectors: by its equation, else a start value that no chance moves."""
        one = self.file.vectors[name]
        coins, _ = self.outcomes[outcome]
        client = 0 if one.kind == "server" else client
        key = name, at, outcome, client
        if key not in self.entries:
            if one.kind in ("noise", "deviation"):
                sign = coins[self.coins[name, at, client]]
                self.entries[key] = sign * self.sizes[name, at, client]
            else:
                self.entries[key] = self._made(name, at, outcome, client)
        return self.entries[key]

    def _made(self, name, at, outcome, client):
        for one in self.file.equations.values():
            env = _match(one, name, at, self)
            if env is not None:
                return self.vector(one.right, env, outcome, client)
        key = name, at, client
        return self.tables.setdefault(key, self.fraction())

    def gradient(self, client, point):
        a, b = self.slopes[client]
        return a * point + b

    def vector(self, tree, env, outcome, client):
        """Return the value of a vector for one outcome and client."""
        parts = tree.parts
        match tree.kind:
            case "number" if tree.name == "0":
                return Fraction(0)
            case "name":
                return self.entry(tree.name, (), outcome, client)
            case "entry":
                at = tuple(self.index(index_of(part), env) for part in parts)
                return self.entry(tree.name, at, outcome, client)
            case "call" if tree.name == "grad":
                return self.gradient(client, self.vector(parts[0], env, outcome, client))
            case "call" if tree.name == "taken":
                at = tuple(self.index(index_of(part), env) for part in parts[0].parts)
                inside = client in self.outcomes[outcome][1][parts[0].name, at]
                return self.vector(parts[1], env, outcome, client) if inside else Fraction(0)
            case "add" | "sub":
                a, b = (self.vector(part, env, outcome, client) for part in parts)
                return a + b if tree.kind == "add" else a - b
            case "neg":
                return -self.vector(parts[0], env, outcome, client)
            case "mul":
                number, other = parts if self.is_vector(parts[1]) else parts[::-1]
                return self.number(number, env) * self.vector(other, env, outcome, client)
            case "div":
                return self.vector(parts[0], env, outcome, client) / self.number(parts[1], env)
            case "mean" if tree.name == "i":
                return sum(self.vector(parts[0], env, outcome, c) for c in range(self.N)) / self.N
            case "mean":
                values = self.span(self.file.indices[tree.name], env)
                each = [self.vector(parts[0], {**env, tree.name: n}, outcome, client) for n in values]
                return sum(each) / len(each)
        raise AssertionError(tree)

    def is_vector(self, tree):
        if tree.kind in ("entry", "name"):
            return tree.name in self.file.vectors
        if tree.kind == "call":
            return tree.name != "f"
        if tree.kind in ("inner", "sum"):
            return False
        return any(map(self.is_vector, tree.parts))

    # --- numbers ----------------------------------------------------------------------------------------------------

    def expectation_of(self, make):
        """Return the expectation, averaged over the clients."""
        total = sum(make(o, c) for o in range(len(self.outcomes)) for c in range(self.N))
        return total / (len(self.outcomes) * self.N)

    def number(self, tree, env):
        """Return the value of a number."""
        parts = tree.parts
        match tree.kind:
            case "number":
                return Fraction(tree.name)
            case "name":
                return Fraction(env[tree.name]) if tree.name in env else Fraction(self.letters[tree.name])
            case "entry":
                at = tuple(self.index(index_of(part), env) for part in parts)
                if tree.name in self.file.members:
                    return self.tables.setdefault((tree.name, at), self.fraction(1))
                return self.scalar(tree.name, at)
            case "call":
                a_b, point = self.slopes, lambda o, c: self.vector(parts[0], env, o, c)
                return self.expectation_of(lambda o, c: a_b[c][0] * point(o, c) ** 2 / 2 + a_b[c][1] * point(o, c))
            case "inner":
                u, v = parts
                return self.expectation_of(lambda o, c: self.vector(u, env, o, c) * self.vector(v, env, o, c))
            case "neg":
                return -self.number(parts[0], env)
            case "add" | "sub" | "mul" | "div":
                a, b = (self.number(part, env) for part in parts)
                return {"add": a + b, "sub": a - b, "mul": a * b, "div": tree.kind == "div" and a / b}[tree.kind]
            case "power":
                return self.number(parts[0], env) ** int(tree.name)
            case "mean" | "sum":
                ends = tuple(map(index_of, parts[1:])) or self.file.indices[tree.name]
                each = [self.number(parts[0], {**env, tree.name: n}) for n in self.span(ends, env)]
                return sum(each, Fraction(0)) / (len(each) if tree.kind == "mean" else 1)
            case "least":
                return min(
                    self.number(parts[0], {**env, tree.name: n}) for n in self.span(self.file.indices[tree.name], env)
                )
            case "discounted":
                values = self.span(self.file.indices[tree.name], env)
                weights = [(1 + self.number(parts[1], env)) ** (values[-1] - n) for n in values]
                each = [w * self.number(parts[0], {**env, tree.name: n}) for w, n in zip(weights, values, strict=True)]
                return sum(each) / sum(weights)
        raise AssertionError(tree)

    def scalar(self, name, at):
        if name in self.file.equations:
            one = self.file.equations[name]
            return self.number(one.right, dict(zip([part.name for part in one.left.parts], at, strict=True)))
        if any(n not in self.span(ends, {}) for n, (_, ends) in zip(at, self.file.scalars[name], strict=True)):
            raise IndexError(name, at)
        return self.tables.setdefault((name, at), self.fraction(0))

    def holds(self, relation, env):
        """Return whether a relation between numbers is true."""
        left, right = relation.parts
        if right.kind == "min":
            return self.number(left, env) == min(self.number(part, env) for part in right.parts)
        a, b = self.number(left, env), self.number(right, env)
        return a == b if relation.kind == "=" else a <= b

    def places(self, over):
        """Yield the values of index letters in their ranges."""
        found = [{}]
        for letter, ends in over.items():
            found = [{**env, letter: n} for env in found for n in self.span(ends, env)]
        return found

    def fails(self, statement):
        """Return index values at which what is given holds and what is shown does not, None if there are none."""
        if statement.points:
            return None  # about any vectors: textbook facts
        for env in self.places(statement.over):
            if all(self.holds(one, env) for one in statement.given) and not self.holds(statement.shows, env):
                return env
        return None


class Forms:
    """The value of the kernel's normal forms in a world: each term by its definition, projections and all."""

    def __init__(self, world):
        self.world = world

    def weight(self, rational, env):
        def polynomial(p):
            total = Fraction(0)
            for monomial, value in p:
                for letter, power in monomial:
                    value *= Fraction(env.get(letter.name, self.world.letters.get(letter.name))) ** power
                total += value
            return total

        value = polynomial(rational.numerator.items())
        for factor, power in rational.factors.items():
            value /= polynomial(factor) ** power
        return value

    def atom(self, atom, env, outcome, client):
        world = self.world
        if atom.name == "grad":
            return world.gradient(client, self.atom(atom.argument, env, outcome, client))
        at = tuple(world.index(index, env) for index in atom.indices)
        if atom.argument:
            inside = client in world.outcomes[outcome][1][atom.name, at]
            return self.atom(atom.argument, env, outcome, client) if inside else Fraction(0)
        return world.entry(atom.name, at, outcome, client)

    def over(self, names, env):
        """Yield the values of bound indices."""
        found = [env]
        for name in sorted(names):
            ends = self.world.file.indices[name.partition("'")[0]]
            found = [{**one, name: n} for one in found for n in self.world.span(ends, {})]
        return found

    def project(self, atom, averaged, env, outcome, client):
        clients = range(self.world.N) if "i" in averaged else [client]
        values = self.over(averaged - {"i"}, env)
        each = [self.atom(atom, one, outcome, c) for one in values for c in clients]
        return sum(each) / len(each)

    def term(self, term, env):
        world = self.world
        if not isinstance(term, Inner):
            if term.name == "1":
                return Fraction(1)
            values = self.over({x for x in term.letters() if "'" in x}, env)
            each = [world.scalar(term.name, tuple(world.index(i, one) for i in term.indices)) for one in values]
            return sum(each) / len(each)
        values = self.over({x for x in term.letters() if "'" in x}, env)
        each = []
        for one in values:

            def both(o, c, one=one):
                left, right = (self.project(a, term.averaged, one, o, c) for a in (term.left, term.right))
                return left * right

            each.append(world.expectation_of(both))
        return sum(each) / len(each)

    def value(self, form, env):
        return sum((self.weight(by, env) * self.term(term, env) for term, by in form.items()), Fraction(0))


def _match(one, name, at, world):
    """Return the index values at which an equation is that of an entry."""
    if one.left.name != name:
        return None
    env = {}
    for part, value in zip(one.left.parts, at, strict=True):
        index = index_of(part)
        letters = index_letters(index)
        if letters - set(one.over):
            return None
        for letter in letters:
            env[letter] = value - dict(index).get("", 0)
        if not letters and world.index(index, {}) != value:
            return None
    inside = all(env[letter] in world.span(ends, env) for letter, ends in one.over.items())
    return env if inside else None
