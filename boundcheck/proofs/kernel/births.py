"""When a vector is determined, checked against the equations, and the laws that follow: all probability is here.

Time is that of the noise: its indices (t, k) in lexicographic order; that of samples where there is no noise.  F(t, k)
is what is known before the noise of (t, k) is drawn: a function of start values and of all older noise, deviations and
samples.  The laws:

* noise has mean zero given F of its own time, on each client; at one time it is independent over the clients;
* a deviation n[t] has mean zero given F(t, 0) likewise, and is known at the end of round t;
* the sample A[t] is S of N clients, uniform, drawn at the end of round t independently of all that is known then;
* noise whose indices are no times is drawn before the first round, of mean zero, independent over clients and indices.

A *birth* of u is a time before which u is determined: u is a function of what F(birth) is.  A proof object claims by
how much each sequence is born after its own index; each claim is checked against the equations, nothing is iterated.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .algebra import Index, Rational, Refused, constant, index_letters, plus, substitute_index, whole
from .evaluate import vector
from .file import KINDS
from .space import ANY, CLIENT, NUMBER, ONES, Atom, Form, Inner, free_name, inner, is_bound, scale, total

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from .context import Context
    from .file import Equation, File, Range
    from .space import Term, Vector

Time = tuple[Index, ...]
END = "end"
"""The birth of what is known at the end of its own round."""
ONCE = ""
"""The index of the steps of a round that has one noise, at step 0: step 1 is the round's end."""


class Births:
    """The births of a file's vectors, all of them checked when it is made.

    Parameters
    ----------
    context : Context
        What is known everywhere.
    claimed : mapping
        Sequence to offset: u[t] is determined before time t + offset, or at the `END` of round t.
    late : collection
        Sequences that are made of all steps of their own round, as the order of the equations needs to know.
    order : sequence of str
        All sequences, so that at one index what is determined first stands first; as they are declared where it is
        empty.  Any order will do in which the equations pass.
    """

    def __init__(
        self, context: Context, claimed: Mapping[str, int | str], late: Iterable[str], order: Sequence[str] = ()
    ) -> None:
        self.file: File = context.file
        self.context = replace(context, symbolic=True)
        self.late = set(late)
        drawn = {kind: [one.letters for one in self.file.vectors.values() if one.kind == kind] for kind in KINDS}
        self.timing: list[str] = max(drawn["noise"] or drawn["sample"], key=len, default=[])
        # Beside noise, a sample is drawn after all of its round and before the next, so that a round needs a step.
        both = bool(drawn["noise"]) and bool(self.file.sizes)
        self.clock = [*self.timing, ONCE] if len(self.timing) == 1 and both else self.timing
        self.order = list(order or self.file.vectors)
        if sorted(self.order) != sorted(self.file.vectors):
            raise Refused("the order of the sequences does not name each of them once")
        self.equations: dict[str, list[tuple[str, Atom, list[Atom], Context]]] = {}
        for id_, one in self.file.equations.items():
            if one.left.name in self.file.vectors:
                self._add(id_, one)
        self.offsets: dict[str, int | str] = {}
        for name, several in self.equations.items():
            self._require_one_each(name, several)
            if name in claimed and self._covers(name, several):
                self.offsets[name] = claimed[name]
        for several in self.equations.values():
            for id_, left, right, inside in several:
                self._require_order(id_, left, right, inside)
                self._require_birth(id_, left, right, inside)

    # --- equations ------------------------------------------------------------------------------------------------

    def _add(self, id_: str, one: Equation) -> None:
        """Read an equation of vectors: one entry, and the atoms that it is made of."""
        inside = self.context
        for letter, ends in one.over.items():
            inside = inside.inside(letter, ends)
        (((left, _), _),) = vector(one.left, inside).items()
        hidden = one.right.kind == "call" and one.right.name == "some"
        made: list[Vector] = [vector(part, inside) for part in (one.right.parts if hidden else (one.right,))]
        clients = any(CLIENT in atom.varies() - done for form in made for atom, done in form)
        if clients and not left.client and not hidden:
            raise Refused(f"equation {id_}: {left.text()} is one vector for all clients, its right side is not")
        self.equations.setdefault(left.name, []).append((id_, left, [a for form in made for a, _ in form], inside))

    def _require_one_each(self, name: str, several: list[tuple[str, Atom, list[Atom], Context]]) -> None:
        """Refuse sequences of which an entry may have two equations.

        Legal are u[t], u[t + 1], u[first], u[first] with one of them, which then begins at the entry after it, and u[t]
        in two parts of a range, of which the second begins where the first ends.
        """
        shapes, parts = [], self._parts(several)
        for _, left, _, inside in several:
            shape = ""
            for index, (letter, ends) in zip(left.indices, self.file.vectors[name].spans, strict=True):
                after = constant(plus(index, ((letter, 1),), -1))
                shape += "first" if index == ends[0] else {0: "x", 1: "+"}.get(-1 if after is None else after, "?")
            shapes.append(shape)
            if parts:
                continue
            if len(several) > 1 and shape.endswith("x") and inside.over[letter][0] != plus(ends[0], whole(1)):
                raise Refused(f"{name}: an entry has two equations")
        plain = "x" * (len(self.file.vectors[name].spans) - 1)
        first = plain + "first"
        legal = ([plain + "x"], ["+"], [first], [plain + "+", first], [first, plain + "x"])
        if sorted(shapes) not in legal and not (parts and shapes == [plain + "x"] * 2):
            raise Refused(f"{name}: its equations are not one for each entry")

    def _parts(self, several: list[tuple[str, Atom, list[Atom], Context]]) -> list[Range]:
        """Return the ranges of two equations u[t], end to end and neither empty, in their order; of others, nothing."""
        ranges = []
        for _, left, _, inside in several:
            names = [*index_letters(left.indices[0])] if len(left.indices) == 1 else []
            if len(names) != 1 or left.indices[0] != ((names[0], 1),):
                return []
            ranges.append(inside.over[names[0]])
        at_least = self.context.at_least
        for one, two in (ranges, ranges[::-1]) if len(ranges) == 2 else ():
            if two[0] == plus(one[1], whole(1)) and at_least(one[1], one[0]) and at_least(two[1], two[0]):
                return [one, two]
        return []

    def _covers(self, name: str, several: list[tuple[str, Atom, list[Atom], Context]]) -> bool:
        """Return whether every entry but the start value has an equation, so that all of them have the birth."""
        if not any(index_letters(left.indices[-1]) for _, left, _, _ in several):
            return False
        if parts := self._parts(several):
            first, last = parts
            return (first[0], last[1]) == self.file.vectors[name].spans[0][1]
        for _, left, _, inside in several:
            for index, (low, high) in zip(left.indices, (e for _, e in self.file.vectors[name].spans), strict=True):
                (letter,) = index_letters(index) or {""}
                ahead = whole(dict(index).get("", 0))
                begun = len(several) > 1 and not ahead and index == left.indices[-1]
                if letter and inside.over[letter] != (plus(low, whole(int(begun))), plus(high, ahead, -1)):
                    return False
        return True

    def _require_order(self, id_: str, left: Atom, right: list[Atom], inside: Context) -> None:
        """Refuse an equation unless all on its right has a smaller rank than its left side.

        Lemma: ranks are finite sequences of whole numbers, of which there are finitely many, so that equations whose
        ranks decrease have exactly one solution, which is a function of start values, noise and samples.
        """
        for atom in right:
            for base in _bases(atom):
                if not self._before_in_order(base, left, inside):
                    raise Refused(f"equation {id_}: {base.text()} is not determined before {left.text()}")

    def _before_in_order(self, one: Atom, left: Atom, inside: Context) -> bool:
        if self._initial(one.name):
            return self.order.index(one.name) < self.order.index(left.name)
        if self._is_start(one):
            return True
        mine, other = (self._rank(atom) for atom in (one, left))
        inside = self._with_bound(inside, [*mine, *other])
        for a, b in zip(self._at_end(mine), other, strict=True):
            if inside.at_least(b, plus(a, whole(1))):
                return True
            if not inside.at_least(b, a):
                return False
        return self.order.index(one.name) < self.order.index(left.name)

    def _rank(self, atom: Atom) -> Time:
        """Return the rank of an entry, but for its place: all ranks are of one length, so that they are one order."""
        missing = range(len(atom.indices), max(len(one.spans) for one in self.file.vectors.values()))
        late = atom.name in self.late
        padding = [self._after(self.clock[n]) if late and n < len(self.clock) else whole(0) for n in missing]
        return (*atom.indices, *padding)

    def _is_start(self, one: Atom) -> bool:
        """Return whether an entry is a start value: the first of a sequence whose one equation is for the next.

        A vector without an index, which has no equation, is one too.
        """
        if not self.file.vectors[one.name].spans:
            return True
        several = self.equations.get(one.name, [])
        if len(several) != 1 or self.file.vectors[one.name].kind not in ("server", "client"):
            return False
        ((letter, (low, _)),) = self.file.vectors[one.name].spans[-1:]
        return several[0][1].indices[-1] == plus(((letter, 1),), whole(1)) and one.indices[-1] == low

    def _require_birth(self, id_: str, left: Atom, right: list[Atom], inside: Context) -> None:
        """Refuse a claimed birth unless all that the entry is made of is born no later."""
        if left.name not in self.offsets:
            return
        own = self.born(left)
        if own is None:
            return
        for atom in right:
            born = self.born(atom)
            context = self._with_bound(inside, [index for time in born or [] for index in time])
            if born is None or not all(self._before(self._at_end(time), own[0], context) for time in born):
                raise Refused(f"equation {id_}: {atom.text()} may be younger than the birth claimed for {left.text()}")

    # --- births ---------------------------------------------------------------------------------------------------

    def born(self, atom: Atom) -> list[Time] | None:
        """Return times before the last of which an atom is determined, None if none is known.

        f and grad are functions of their point; what a sample takes is known when it is drawn; a vector without an
        index is fixed.
        """
        if atom.name == ANY:
            return None
        if atom.factors:
            found = [self.born(one) for one in atom.factors]
            return None if None in found else [time for times in found for time in times or []]
        if atom.argument:
            inside = self.born(atom.argument)
            if inside is None or atom.name == "grad":
                return inside
            if self.file.vectors[atom.name].letters != self.clock[:1]:
                return None
            return [*inside, (plus(atom.indices[0], whole(1)), *[whole(0)] * (len(self.clock) - 1))]
        if self._initial(atom.name):
            return []
        one = self.file.vectors[atom.name]
        if not one.spans:
            return []
        common = 0
        while common < min(len(one.letters), len(self.clock)) and one.letters[common] == self.clock[common]:
            common += 1
        offset = self.offsets.get(atom.name)
        if one.kind == "noise":
            offset = None if not self.has_law(atom.name) else END if ONCE in self.clock else 1
        elif one.kind == "deviation":
            offset = END if self.has_law(atom.name) else None
        if not common or offset is None:
            return None
        own = atom.indices[:common]
        if offset == END:
            return [(*own, *map(self._after, self.clock[common:]))]
        if not isinstance(offset, int):
            raise Refused(f"{atom.name}: {offset!a} is no birth")
        return [(*own[:-1], plus(own[-1], whole(offset)), *[whole(0)] * (len(self.clock) - common))]

    def _initial(self, name: str) -> bool:
        """Return whether a name is noise whose indices are no times: it is drawn before the first round."""
        one = self.file.vectors[name]
        return one.kind == "noise" and not set(one.letters) & set(self.clock)

    def has_law(self, name: str) -> bool:
        """Return whether a name is noise with a law: of a time, of a whole round, or drawn before the first round."""
        one = self.file.vectors[name]
        if one.kind == "deviation":
            return 0 < len(one.letters) < len(self.clock) and one.letters == self.clock[: len(one.letters)]
        # A round ends after the last value of its index: noise beyond it would be drawn in no round.
        steps = all(ends == self.file.indices[letter] for letter, ends in one.spans[1:])
        return one.kind == "noise" and ((one.letters == self.timing and steps) or self._initial(name))

    def _before(self, a: Time, b: Time, context: Context) -> bool:
        """Return whether time a is no later than b; as no round has a step after its last, that is the next round."""
        for n, (x, y) in enumerate(zip(a, b, strict=True)):
            rest = zip(self.clock[n + 1 :], a[n + 1 :], strict=True)
            whole_round = all(context.at_least(self._after(letter), index) for letter, index in rest)
            if whole_round and context.at_least(y, plus(x, whole(1))):
                return True
            if not context.at_least(y, x):
                return False
        return True

    def _after(self, letter: str) -> Index:
        """Return the index after the last one: the end of a round."""
        return whole(1) if letter == ONCE else plus(self.file.indices[letter][1], whole(1))

    def _at_end(self, time: Time) -> Time:
        """Return a time that is no earlier than any over all values of the bound indices in it."""
        return self._extreme(time, {x for index in time for x in index_letters(index) if is_bound(x)}, 1)

    def _extreme(self, time: Time, names: Iterable[str], end: int) -> Time:
        """Return a time no earlier (no later, for the end 0) than any over all values of some bound indices, by place.

        t + d' is largest at the last value of d', t - d' at its first.
        """
        found = []
        for index in time:
            for name in names:
                ends = self.file.indices[free_name(name)]
                index = substitute_index(index, name, ends[end if dict(index).get(name, 0) > 0 else 1 - end])
            found.append(index)
        return tuple(found)

    def _with_bound(self, context: Context, indices: Iterable[Index]) -> Context:
        """Return the context in which bound indices have any value in their ranges."""
        for name in sorted({x for index in indices for x in index_letters(index) if is_bound(x)}):
            if name not in context.over:
                context = context.inside(name, self.file.indices[free_name(name)])
        return context

    # --- laws -----------------------------------------------------------------------------------------------------

    def lawful(self, form: Form, context: Context) -> tuple[Form, set[str]]:
        """Return a number after the laws, and the laws that were used."""
        form, used = self.apply_sampling(form, context)
        if self.file.sizes:
            form = total(*({self._on_sample(term): value} for term, value in form.items()))
        kept = {term: value for term, value in form.items() if not self._vanishes(term, context)}
        used |= {"unbiased"} if len(kept) < len(form) else set()
        if self.file.dimension:
            kept, laws = self._by_coordinate(kept, context)
            used |= laws
        return kept, used

    def _by_coordinate(self, form: Form, context: Context) -> tuple[Form, set[str]]:
        """Return a number after <ones, ones> = d and the law of independent noise in products."""
        ones, used = inner(Atom(ONES), Atom(ONES), frozenset()), set[str]()
        found: list[Form] = []
        for term, by in form.items():
            if term == ones:
                found.append({NUMBER: by * Rational.letter(self.file.dimension)})
            elif isinstance(term, Inner) and self._apart(term, context):
                used |= {"unbiased", "independent"}
                share = Rational.index(self.file.clients).inverse()
                found.append({inner(term.left, term.right, frozenset()): by * share})
            else:
                found.append({term: by})
        return total(*found), used

    def _apart(self, term: Inner, context: Context) -> bool:
        """Return whether ``<P (xi u), xi v>``, P the mean over the clients, is <xi u, xi v>/N.

        Lemma: u and v are determined before the noise xi is drawn, which is of mean zero and independent over the
        clients given all that is older; so the products of different clients have expectation 0, in each coordinate.
        """
        sides = [side.factors or (side,) for side in (term.left, term.right)]
        if term.averaged != {CLIENT} or not any(side.factors for side in (term.left, term.right)):
            return False
        one, other = (self._noise_in(factors, context) for factors in sides)
        return one is not None and one == other

    def _noise_in(self, factors: tuple[Atom, ...], context: Context) -> Atom | None:
        """Return the one factor that is noise of a time and younger than all others; no factor has a bound index."""
        if any(is_bound(x) for one in factors for x in one.letters()):
            return None
        for one in factors:
            others = list(factors)
            others.remove(one)
            declared = self.file.vectors.get(one.name)
            drawn = declared and declared.kind == "noise" and self.has_law(one.name) and not self._initial(one.name)
            if drawn and all(self._orthogonal(one, other, frozenset(), context) for other in others):
                return one
        return None

    def _vanishes(self, term: Term, context: Context) -> bool:
        """Return whether an inner product is 0 by the law of noise; in a product, all else is older than the noise."""
        if not isinstance(term, Inner):
            return False
        if term.left.factors or term.right.factors:
            sides = (term.left.factors or (term.left,), term.right.factors or (term.right,))
            return self._noise_in((*sides[0], *sides[1]), context) is not None
        pairs = ((term.left, term.right), (term.right, term.left))
        return any(self._orthogonal(noise, other, term.averaged, context) for noise, other in pairs)

    def _orthogonal(self, noise: Atom, other: Atom, averaged: frozenset[str], context: Context) -> bool:
        """Return whether ``<noise, other>`` is 0: the other is determined before the noise is drawn.

        Lemma: E[noise . u] = E[E[noise | F] . u] = 0 where u is a function of what F is, for each client and for each
        value of the bound indices.  Where an index is averaged over apart, or one side does not vary with it, all pairs
        of values count: the oldest noise must be drawn after the newest other.
        """
        one = self.file.vectors.get(noise.name)
        if one is None or noise.argument or one.kind not in ("noise", "deviation"):
            return False
        size, born = len(one.letters), self.born(other)
        if born is None or self._initial(noise.name) or not self.has_law(noise.name):
            return False
        at: Time = (*noise.indices, *[whole(0)] * (len(self.clock) - size))
        both = noise.letters() & other.letters()
        apart = {x for x in noise.letters() | other.letters() if is_bound(x) and (x in averaged or x not in both)}
        at = self._extreme(at, apart, 0)
        born = [self._extreme(time, apart, 1) for time in born]
        context = self._with_bound(context, [*at, *(index for time in born for index in time)])
        return all(self._before(time, at, context) for time in born)

    def apply_sampling(self, form: Form, context: Context) -> tuple[Form, set[str]]:
        """Return a number after the law of samples: E <taken(A, u), v> = S/N <u, v> for u and v older than A.

        Lemma: given what is known when the sample is drawn, each client is in it with chance S/N.  v may be what the
        same sample takes, client by client: what is 0 or 1 is its own square.
        """
        used: set[str] = set()
        while True:
            for term, value in form.items():
                new = self._chance(term, context) if isinstance(term, Inner) else None
                if new is not None:
                    form = total({other: by for other, by in form.items() if other != term}, scale(new, value))
                    used.add("sampled")
                    break
            else:
                return form, used

    def _chance(self, term: Inner, context: Context) -> Form | None:
        for taken, other in ((term.left, term.right), (term.right, term.left)):
            if taken.name not in self.file.vectors or taken.argument is None:
                continue
            apart = any(x in term.averaged for index in taken.indices for x in index_letters(index))
            same = taken[:2] == other[:2]
            beside = other.argument if same else other
            if apart or beside is None or (same and CLIENT in term.averaged):
                continue
            if self.before_sample(taken.argument, taken, context) and self.before_sample(beside, taken, context):
                chance = Rational.index(self.file.size(taken.name)) * Rational.index(self.file.clients).inverse()
                return {inner(taken.argument, beside, term.averaged): chance}
        return None

    def _on_sample(self, term: Term) -> Term:
        """Return <taken(A, u), taken(A, v)> for <taken(A, u), v>: v is used on the sample alone.

        Lemma: client by client the factor that is 1 on the sample and 0 elsewhere is its own square.
        """
        if isinstance(term, Inner) and CLIENT not in term.averaged:
            for taken, other in ((term.left, term.right), (term.right, term.left)):
                apart = any(x in term.averaged for index in taken.indices for x in index_letters(index))
                if self._is_taken(taken) and not self._is_taken(other) and not apart:
                    return inner(taken, taken._replace(argument=other), term.averaged)
        return term

    def _is_taken(self, atom: Atom) -> bool:
        return atom.argument is not None and atom.name in self.file.vectors

    def before_sample(self, atom: Atom, taken: Atom, context: Context) -> bool:
        """Return whether an atom is determined before the sample of a round is drawn: no later than the round's end.

        Bound indices that only one of both has count with all their values.
        """
        born = self.born(atom)
        if born is None or self.file.vectors[taken.name].letters != self.clock[:1]:
            return False
        end: Time = (taken.indices[0], *map(self._after, self.clock[1:]))
        context = self._with_bound(context, [*end, *(index for time in born for index in time)])
        return all(self._before(time, end, context) for time in born)


def _bases(atom: Atom) -> list[Atom]:
    """Return the entries that an atom is made of, the sample that takes it included."""
    if atom.factors:
        return [base for one in atom.factors for base in _bases(one)]
    own = [] if atom.name == "grad" else [atom._replace(argument=None)]
    return own + (_bases(atom.argument) if atom.argument else [])
