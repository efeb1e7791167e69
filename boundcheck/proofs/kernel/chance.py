"""Expectations in certificates: ``E(...)`` of noise and of what is drawn, by laws of which each is a lemma here.

A certificate is about any Hilbert space with a mean, and so about that of square integrable random families, in which
the inner product is E of the mean over the clients and over the members of noises.  With the key ``expectation`` it
says besides what is shown in words of chance: ``random`` declares draws and noises, ``given`` and ``shows`` are
relations with ``E(...)``.  They are read by the laws, and they are proved where the certificate's own relations are
the same: what it shows is what they show, and what it takes as given is among what they give.

``sampled(u, A) = mean(u) + z(u)``, z(u) of mean zero, and ``taken(u, A) = p (mean(u) + z(u)) + t(u)``, p the chance of
a client and t(u) what deviates from the mean over the clients.  ``~A:g`` is z and ``~~A:g`` is t of the vector g;
``~e'`` is the mean of a noise over its members, ``~~e'`` what deviates from it.
"""

import ast
import re
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from .certificates import (
    MARKS,
    SIGNS,
    SORTS,
    UNIT,
    CertificateScope,
    Poly,
    _need,
    _one,
    _scale,
    add,
    description,
    multiply,
)

KEYS = {"letters", "random", "given", "shows", "one"}
"""What is said in words of chance, and `one`, a certificate of the same for one client."""
_SAMPLE = re.compile(r"draw (\w+) of (.+?) from (.+?)( with replacement)?", re.ASCII)
_INDEPENDENT = re.compile(r"draw (\w+) from (.+?) with chance (.+)", re.ASCII)
_NOISE = re.compile(r"noise (\w+(?:, \w+)*?)(?: over (.+?))?(?: of (.+))?", re.ASCII)


class Draw(NamedTuple):
    """A draw of clients: what its law says of u and v that are independent of it."""

    clients: Poly
    chance: Poly | None
    """The chance of a client; None where it may be drawn twice, so that nothing is taken."""
    of_means: Poly
    """E <z(u), z(v)> over <u, v>, for what the clients share."""
    of_deviations: Poly
    """The same for what deviates from the mean over the clients."""


class NoiseLaw(NamedTuple):
    """Noises of the same members: each member of mean zero, uncorrelated with the others and with all else."""

    names: tuple[str, ...]
    members: Poly | None
    """How many members; one vector that all share where there is no count."""
    moment: Poly | None
    """E |e|^2, where it is declared."""


class ExpectationScope(CertificateScope):
    """Reads relations with ``E(...)``.

    `one` is a letter that is 1, the number of clients: then nothing deviates, and a sample is of size 1.
    """

    def __init__(self, letters: dict[str, str], random: list[str], one: str = "") -> None:
        super().__init__()
        self.one, self.draws, self.noises = one, dict[str, Draw](), dict[str, NoiseLaw]()
        for name, sort in letters.items():
            _need(re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII), f"{name!r} is not a name")
            self.names[name] = {((mark + name, 1),): 1 for mark in MARKS.get(sort, [""])}
            self.note_signs(_one(name), SORTS[sort])
        self.random = random
        if one:
            samples = [found for line in random if (found := _SAMPLE.fullmatch(line)) and not found[4]]
            _need(letters.get(one) == ">0", f"{one} is no number of clients")
            self.names |= dict.fromkeys([one, *(found[2] for found in samples if found[2] in letters)], UNIT)

    def declare(self) -> None:
        """Read what is noise and what is drawn, once it is noted what is given."""
        for line in self.random:
            if found := _NOISE.fullmatch(line):
                self._declare_noise(tuple(found[1].split(", ")), *found.groups()[1:])
            elif found := _INDEPENDENT.fullmatch(line):
                self._require_new(found[1])
                self.draws[found[1]] = self.independent(*map(self.read_sure, found.groups()[1:]))
            elif found := _SAMPLE.fullmatch(line):
                self._require_new(found[1])
                size, clients = map(self.read_sure, found.groups()[1:3])
                law = self.with_replacement(size, clients) if found[4] else None
                self.draws[found[1]] = law or self.without_replacement(found[1], size, clients)
            else:
                raise ValueError(f"{line!r} declares neither noise nor a draw")
        for one, other in product(self.draws.values(), repeat=2):
            _need(self.equal(one.clients, other.clients), "draws from different numbers of clients")

    def _declare_noise(self, names: tuple[str, ...], count: str | None, moment: str | None) -> None:
        law = NoiseLaw(names, *(None if text is None else self.read_sure(text) for text in (count, moment)))
        _need(moment is None or len(names) == 1, "a moment is that of one noise")
        for name in names:
            self._require_new(name)
            self.noises[name] = law
            self.names[name] = {((f"{m}{name}'", 1),): 1 for m in MARKS["vector" if count is None else "family"]}

    def read_sure(self, text: str) -> Poly:
        """Return a number of a law, which is the same for all outcomes."""
        p = self.read(text)
        _need(not any(map(_random_in, p)), f"{text!r} is random: a law is the same for all outcomes")
        return p

    def _require_new(self, name: str) -> None:
        _need(name not in self.names and name not in self.draws, f"{name} is declared twice")

    def equal(self, p: Poly, q: Poly) -> bool:
        """Return whether two numbers are the same."""
        return self.zero(add(p, _scale(q, -1)))

    # --- laws ---------------------------------------------------------------------------------------------------------

    def without_replacement(self, name: str, size: Poly, clients: Poly) -> Draw:
        """S of N clients, each set of S alike: sampled(u) is the sum of c_i u_i, c_i = 1/S for those drawn, else 0.

        E c_i = 1/N, E c_i^2 = 1/(N S), E c_i c_j = (S - 1)/(S N (N - 1)).  The c_i add up to 1, so that z is 0 for what
        the clients share.  Deviations add up to 0, so that E <z(u), z(v)> = N (E c_i^2 - E c_i c_j) <u, v>, which is
        (N - S)/(S (N - 1)) <u, v>.  Of one client nothing deviates.  Where nothing says that there are two, the factor
        is a letter of its own: whatever it is, it must cancel.
        """
        others = add(clients, _scale(UNIT, -1))
        chance = multiply(size, self.inverse(clients))
        if self.one:
            return Draw(clients, chance, {}, {})
        if not self.is_positive(others) and 0 in self.signs(others):
            return Draw(clients, chance, {}, _one(f"spread of {name}"))
        spread = multiply(multiply(add(clients, _scale(size, -1)), self.inverse(size)), self.inverse(others))
        return Draw(clients, chance, {}, spread)

    def is_positive(self, p: Poly) -> bool:
        """Note whether a number is positive: a positive number more than what is given to be >= 0."""
        for fact, signs in (one for one in self.facts if isinstance(one, tuple)):
            more = add(p, _scale(fact, -1))
            if signs <= SIGNS[">="] and more.keys() == {()} and more[()] > 0:
                return self.note_signs(p, SIGNS[">"]) == SIGNS[">"]
        return False

    def with_replacement(self, size: Poly, clients: Poly) -> Draw:
        """S draws of one client each, alike and independent: E <z(u), z(v)> = <u, v>/S for deviations.

        sampled(u) is the mean of S independent terms, each of mean zero about mean(u), with what deviates as variance.
        """
        return Draw(clients, None, {}, self.inverse(size))

    def independent(self, clients: Poly, chance: Poly) -> Draw:
        """Each of N clients with chance p, on its own, c_i = 1/(p N): E <z(u), z(v)> = (1 - p)/(p N) <u, v>.

        The c_i are independent and of variance (1 - p)/(p N^2); what the clients share and what deviates are
        orthogonal in the mean over the clients.
        """
        variance = multiply(add(UNIT, _scale(chance, -1)), self.inverse(multiply(chance, clients)))
        return Draw(clients, chance, variance, variance)

    def expected_draw(self, name: str, g: str, h: str) -> Poly | None:
        """Return E <g, h> over a draw of which g and h are z or t, or independent; None where none is z or t of it.

        Lemma: E z(u) = 0, so that E <z(u), v> = 0.  A client is drawn with chance p, so that E <taken(u), v> is
        p <u, v>; what is 1 or 0 is its own square, so that E <taken(u), taken(v)> = p <u, v>, of which <t(u), t(v)> is
        what p^2 <mean(u) + z(u), mean(v) + z(v)> leaves.
        """
        marks, bases = zip(*map(_apart, (g, h)), strict=True)
        own = [mark.lstrip("~") == name for mark in marks]
        of = [base if drawn else one for drawn, base, one in zip(own, bases, (g, h), strict=True)]
        if not any(own) or any(name in _draws_in(one) for one in of):
            return None
        a, b = map(_one, of)
        law, inside = self.draws[name], self.dot(a, b)
        variance = multiply(law.of_deviations if any(one[:2] == "~~" for one in of) else law.of_means, inside)
        if not g.startswith("~~"):
            return variance if all(own) else {}
        chance = law.chance or {}
        if not all(own):
            return multiply(chance, inside)
        means = add(variance, self.dot(_mean(a), _mean(b)))
        return add(multiply(chance, inside), _scale(multiply(multiply(chance, chance), means), -1))

    def expected_noise(self, name: str, g: str, h: str) -> Poly | None:
        """Return E <g, h> over the noises that are declared with one; None where neither is one of them.

        Lemma: members are of mean zero and uncorrelated with each other and with all else.  So the means over n
        members have E <mean(e), mean(f)> = E <e, f>/n, and what deviates from them has the rest.
        """
        law = self.noises[name]
        roots = [one.strip("~'") if one.endswith("'") else "" for one in (g, h)]
        if not any(root in law.names for root in roots):
            return None
        if not all(root in law.names for root in roots):
            return {}
        both = self.dot(*(_one(f"~{root}") for root in roots)) if law.moment is None else law.moment
        if law.members is None:
            return both
        share = self.inverse(law.members)
        return multiply(both, add(UNIT, _scale(share, -1)) if g.startswith("~~") else share)

    # --- expressions --------------------------------------------------------------------------------------------------

    def dot(self, u: Poly, v: Poly) -> Poly:
        """Return the inner product; of one client nothing deviates from the mean but what has other members."""
        if self.one:
            u, v = ({m: x for m, x in w.items() if not any(self._is_zero(g) for g, _ in m)} for w in (u, v))
        return super().dot(u, v)

    def _is_zero(self, g: str) -> bool:
        """Return whether a vector is what deviates from the mean over one client; noise is left to its law."""
        return g[:2] == "~~" and (":" in g or not g.endswith("'"))

    def value(self, node: ast.expr, names: dict[str, Poly], k: int = 1) -> Poly:
        """Return an expression, in which E(...), what is drawn and what deviates may stand."""
        match node if k > 0 else None:
            case ast.Call(func=ast.Name(id="E"), args=[inside, *laws], keywords=[]):
                return self.expectation(self.value(inside, names), [ast.unparse(law) for law in laws])
            case ast.Call(func=ast.Name(id="deviation"), args=[u], keywords=[]):
                return add(whole := self.value(u, names), _scale(_mean(whole), -1))
            case ast.Call(func=ast.Name(id="sampled"), args=[u, ast.Name(id=draw)], keywords=[]):
                return self.sampled(self.value(u, names), draw)
            case ast.Call(func=ast.Name(id="taken"), args=[u, ast.Name(id=draw)], keywords=[]):
                return self.taken(self.value(u, names), draw)
        return super().value(node, names, k)

    def sampled(self, u: Poly, draw: str) -> Poly:
        """Return the mean over the clients that are drawn."""
        return add(_mean(u), self.rest(u, f"~{draw}"))

    def taken(self, u: Poly, draw: str) -> Poly:
        """Return the vectors of the clients that are drawn, 0 for the others."""
        average, chance = self.sampled(u, draw), self.draws[draw].chance
        _need(chance is not None, f"{draw} may draw a client twice: nothing is taken")
        return add(multiply(average, chance or {}), self.rest(u, f"~~{draw}"))

    def rest(self, u: Poly, mark: str) -> Poly:
        """Return z or t of a vector that is independent of the draw; noise that is drawn has the clients as members."""
        draw, found = mark.lstrip("~"), Poly()
        _need(draw in self.draws, f"{draw} is no draw")
        for m, x in u.items():
            vectors = [g for g, _ in m if g[0] == "~"]
            _need(len(vectors) == 1, "what is drawn is a vector")
            _need(draw not in _draws_in(vectors[0]), f"{draw} draws from what it has drawn")
            noise = re.search(r"(\w+)'", vectors[0])
            count = self.noises[noise[1]].members if noise else None
            _need(count is None or self.equal(count, self.draws[draw].clients), "noise that is no noise of the clients")
            found[tuple(sorted((f"{mark}:{g}" if g in vectors else g, k) for g, k in m))] = x
        return found

    def expectation(self, p: Poly, laws: list[str]) -> Poly:
        """Return E of a sum of inner products whose weights are not random, over all laws where none is named.

        The laws are about inner products: they say nothing of a vector, or of a quotient by what is random.
        """
        _need(not any(g[0] == "~" for m in p for g, _ in m), "E of a vector: it is taken of numbers")
        _need(set(laws) <= {*self.draws, *self.noises}, f"{laws}: not all are declared")
        names = laws or [*self.draws, *self.noises]
        draws = [name for name in self.draws if name in names]
        for name in draws * len(draws):  # a draw may draw from what another has drawn: the outermost is first
            p = self._replace(p, partial(self.expected_draw, name))
        _need(not any(":" in g for m in p for g in _random_in(m)), "a draw over which E is not taken")
        for name in [name for name in self.noises if name in names]:
            p = self._replace(p, partial(self.expected_noise, name))
        return p

    def _replace(self, p: Poly, law: Callable[[str, str], Poly | None]) -> Poly:
        """Return a sum with each random inner product replaced by its expectation, if the law has one."""
        parts = list[Poly]()
        for m, x in p.items():
            random = _random_in(m)
            _need(len(random) <= 1, "E of a product of random numbers")
            _need(not any(g[0] == "[" for g in random), "E of a quotient by what is random")
            found = law(*random[0][1:-1].split(", ")) if random else None
            rest = {tuple(one for one in m if found is None or one[0] != random[0]): x}
            parts.append(rest if found is None else multiply(rest, found))
        return add(*parts)

    def relation(self, line: str, names: dict[str, Poly] | None = None) -> Any:
        """Return a relation, in which nothing is random but what stands in E(...)."""
        found = super().relation(line, names)
        for p, _ in [] if isinstance(found, list) else [found]:
            _need(not any(map(_random_in, p)), f"{line!r}: something is random outside of E(...)")
        return found


def _mean(u: Poly) -> Poly:
    """Return the mean of a family: a vector without what deviates."""
    return {m: x for m, x in u.items() if not any(g[:2] == "~~" for g, _ in m)}


def _apart(g: str) -> tuple[str, str]:
    """Return the outermost mark of a vector, ``~A`` or ``~~A``, and what it is z or t of; no mark for another."""
    mark, found, base = g.partition(":")
    return (mark, base) if found else ("", g)


def _draws_in(g: str) -> list[str]:
    """Return the draws by which a vector was made."""
    return [mark.lstrip("~") for mark in g.split(":")[:-1]]


def _random_in(m: Any) -> list[str]:
    """Return the numbers in a monomial, each as often as it stands there, that are made of what is noise or drawn."""
    return [g for g, k in m if g[0] != "~" and (":" in g or "'" in g) for _ in range(abs(k))]


def check_expectation(certificate: dict[str, Any], proved: CertificateScope) -> list[str]:
    """Return what a certificate says in words of chance, line by line; an error where its relations are others.

    ``N - 1`` divides what is drawn without replacement.  Where nothing says that there are two clients at least, there
    is a certificate of the same for one client besides: N is 1 there, and nothing deviates from the mean.
    """
    said = certificate["expectation"]
    _need(set(said) <= KEYS, "a key of the expectation that is not legal")
    _need(not {"values", "point", "rule"} & set(certificate), "no expectation is of values, a point or a rule")
    clients = ""
    if "one" in said:
        one = {key: part for key, part in said["one"].items() if key != "clients"}
        clients = said["one"]["clients"]
        _need(
            "shows" in one and set(one) <= {"kind", "letters", "given", "shows", "steps", "by", "cases", "each"},
            "one client",
        )
        _require_same(one, CertificateScope.proving(one), said, one=clients)
    _require_same(certificate, proved, said, several=clients)
    return description({**said, "id": certificate["id"]}, map(law_text, said["random"]))


def law_text(line: str) -> str:
    """Return a declaration of noise or of a draw with what it says."""
    if line.startswith("noise "):
        return f"{line}: members of mean zero, uncorrelated with each other and with all else"
    if line.endswith(" with replacement"):
        return f"{line}: one client after the other, each time all alike, independent of all else"
    alike = "each client on its own" if " with chance " in line else "each set of so many clients alike"
    return f"{line}: {alike}, independent of all else"


def _require_same(
    certificate: dict[str, Any], proved: CertificateScope, said: dict[str, Any], *, one: str = "", several: str = ""
) -> None:
    """Raise an error unless a certificate shows what is said, from nothing but what is said to be given.

    `proved` is what is known once the certificate is proved.  Of the letters `one` and `several`, each the number of
    clients, the one is 1 and the other is not.
    """
    scope = ExpectationScope(said["letters"], said["random"], one)
    apart = [f"{several} - 1 != 0"] if several else []
    scope.note(*apart, *said["given"])
    scope.declare()
    scope.note()
    _need(not any(isinstance(fact, str) for fact in scope.facts), "a hypothesis is not defined")
    clients = [draw.clients for draw in scope.draws.values()]
    _need(
        all(scope.equal(n, scope.names[one or several]) for n in clients if one or several), "other clients are drawn"
    )
    sorts = said["letters"] | dict.fromkeys(scope.noises, "vector")
    _need(certificate["letters"].items() <= sorts.items(), "letters of another kind")
    shown, shows = proved.relation(certificate["shows"]), scope.relation(said["shows"])
    scope.bases |= proved.bases
    _need(_is_same(scope, shown, shows), "what is shown is not what is said, the expectation taken")
    for fact, line in zip(proved.facts, certificate.get("given", []), strict=False):
        same = any(_is_same(scope, fact, other) for other in scope.facts)
        _need(same or (isinstance(fact, tuple) and scope.signs(fact[0]) <= fact[1]), f"{line!r} is not given")


def _is_same(scope: CertificateScope, one: Any, other: Any) -> bool:
    """Whether two relations, or alternatives, are the same: the same number, of the same signs."""
    if isinstance(one, list) or isinstance(other, list):
        both = isinstance(one, list) and isinstance(other, list) and len(one) == len(other)
        return both and all(_is_same(scope, *pair) for pair in zip(one, other, strict=True))
    (p, signs), (q, others) = one, other
    turns = (1, -1) if signs == {-s for s in signs} else (1,)
    return signs == others and any(scope.zero(add(p, _scale(q, -turn))) for turn in turns)
