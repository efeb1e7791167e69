"""The rules: each takes what is proved to something that follows, and says why.

A premise is a number that is >= 0, or = 0: the right side minus the left one.  A rule is given a statement that holds
for all values of its index letters in their ranges; what it needs besides is refused where it is not shown.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from .algebra import Index, Rational, Refused, index_letters, plus, whole
from .context import SPREAD, has_spread
from .evaluate import average, bound_form, bound_vector, growth_letter, require_defined, scalar, vector
from .file import EULER
from .space import (
    CLIENT,
    NUMBER,
    Entry,
    Form,
    Inner,
    Term,
    bound,
    inner,
    is_bound,
    is_square,
    negate,
    product,
    project,
    scale,
    shift,
    single,
    sum_form,
    total,
)
from .text import commas, index_tree, substitute

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .births import Births
    from .context import Context
    from .file import File, Range, Step
    from .space import Atom
    from .text import Tree


class Premise(NamedTuple):
    """``form = 0`` or ``form >= 0``."""

    equal: bool
    form: Form


def sum_over(premise: Premise, letter: str, ends: Range, inside: Context, outside: Context) -> Premise:
    """Sum: P(t) for all t = low .. high, a range of length >= 0, gives the sum of P(t).

    Sound: a finite sum of what is >= 0 (= 0) is; the sum over no values is 0, as is its closed form, whose weights are
    defined then too.
    """
    require_defined(premise.form, ends, outside, f"sum over {letter}")
    inside.require_length(ends, 0, f"sum over {letter}")
    inside.require_length(inside.file.indices[letter], 0, f"sum over {letter}")
    return Premise(premise.equal, sum_form(premise.form, letter, ends, inside.file.indices[letter]))


def mean_over(premise: Premise, letter: str, inside: Context, outside: Context) -> Premise:
    """Mean: P(t) for all values of t, of which there is one at least, gives the mean of P(t).

    Sound: the sum, divided by its length >= 1.
    """
    declared = inside.file.indices[letter]
    return Premise(premise.equal, average(sum_over(premise, letter, declared, inside, outside).form, letter, inside))


def _recursion(shows: Tree, letter: str, inside: Context, weight: Rational, kept: Rational) -> tuple[Entry, Form]:
    """Return A[k] and b of ``weight A[k + 1] <= kept A[k] + weight b``; weight is not 0."""
    left, right = (scalar(part, inside) for part in shows.parts)
    after = next(iter(left), NUMBER)
    if shows.kind != "<=" or len(left) != 1 or not isinstance(after, Entry) or shift(after, letter) != 1:
        raise Refused(f"not a recursion for an entry at {letter} + 1")
    before = after.substitute(letter, plus(((letter, 1),), whole(-1)))
    if not (left[after] - weight).is_zero() or not (right.pop(before, Rational.of(0)) - kept).is_zero():
        raise Refused(f"not of the shape ({weight.text()}) A[{letter} + 1] <= ({kept.text()}) A[{letter}] + b")
    return before, scale(right, weight.inverse())


def _require_nonnegative(form: Form, squares: set[str], inside: Context, what: str) -> None:
    """Refuse a number unless its terms are nonnegative, with weights that are shown to be."""
    for term, by in form.items():
        if not nonnegative_term(term, squares):
            raise Refused(f"{what}: {term.text()} may be negative")
        inside.require_nonnegative(by, what)


def nonnegative_term(term: Term, squares: set[str]) -> bool:
    """Return whether a term is 1, a square |P u|^2, or an entry of a sequence that is nonnegative.

    <P u, u> = <P u, P u>, P being a projection.
    """
    if isinstance(term, Inner):
        return is_square(term)
    return term == NUMBER or term.name in squares


def growth(
    shows: Tree, letter: str, power: int, ends: Range, inside: Context, here: Context, squares: set[str]
) -> Form:
    """Growth: A[k + 1] <= (1 + q/n) A[k] + b over at most n steps from low gives A[k] <= e^q (A[low] + (k - low) b).

    n is the number of values of the index, b has no k, A[low] >= 0 and b >= 0 are shown.
    Sound: unrolled, A[k] <= r^(k - low) A[low] + b (r^0 + .. + r^(k - low - 1)), r = 1 + q/n >= 1, and every power of
    r up to the n-th is at most r^n <= e^q.
    """
    before, added = _growing(shows, letter, power, ends, inside, squares)
    _require_constant(added, letter, "what is added; use growth-sum")
    low = ends[0]
    here.require_within(((letter, 1),), (low, plus(ends[1], whole(1))), "growth")
    first: Form = {before.substitute(letter, low): Rational.of(1)}
    grown = total(first, scale(added, Rational.index(plus(((letter, 1),), low, -1))))
    return total(scale(grown, Rational.letter(EULER) ** power), {before: Rational.of(-1)})


def growth_sum(shows: Tree, letter: str, power: int, ends: Range, inside: Context, squares: set[str]) -> Form:
    """Growth, summed: A[k + 1] <= (1 + q/n) A[k] + b[k] for k = low .. high, m <= n steps, bounds the sum of all A.

    The sum of A over low .. high + 1 is at most e^q ((m + 1) A[low] + m sum of b[k]).
    Sound: A[k] <= e^q (A[low] + sum of the b before k), as for growth; each b stands in at most m of these m + 1 lines.
    """
    before, added = _growing(shows, letter, power, ends, inside, squares)
    (low, high), declared = ends, inside.file.indices[letter]
    inside.require_length(declared, 0, "growth-sum")
    steps = Rational.index(plus(plus(high, low, -1), whole(1)))
    first: Form = {before.substitute(letter, low): Rational.of(1)}
    grown = total(scale(first, steps + Rational.of(1)), scale(sum_form(added, letter, ends, declared), steps))
    everything = sum_form({before: Rational.of(1)}, letter, (low, plus(high, whole(1))), declared)
    return total(scale(grown, Rational.letter(EULER) ** power), negate(everything))


def _growing(
    shows: Tree, letter: str, power: int, ends: Range, inside: Context, squares: set[str]
) -> tuple[Entry, Form]:
    """Return A[k] and b[k] of a recursion with the factor 1 + q/n, of at most n steps, A[low] >= 0 and b >= 0."""
    n = inside.file.length(letter)
    inside.require_length(ends, 0, "growth")
    if power < 0 or not inside.at_least(n, plus(plus(ends[1], ends[0], -1), whole(1))):
        raise Refused("growth: more steps than the index has values, or a negative power")
    inside.require_length(inside.file.indices[letter], 1, "growth")
    ratio = Rational.of(1) + Rational.of(power) * Rational.index(n).inverse()
    before, added = _recursion(shows, letter, inside, Rational.of(1), ratio)
    first: Form = {before.substitute(letter, ends[0]): Rational.of(1)}
    _require_nonnegative(total(first, added), squares, inside, "what grows")
    return before, added


def series(shows: Tree, letter: str, ends: Range, inside: Context, here: Context, squares: set[str]) -> Form:
    """Series: (n - 1) A[k + 1] <= n A[k] + (n - 1) b over at most n - 1 steps gives A[k] <= e A[low] + b s.

    n is the number of values of the index, s the letter for r^0 + .. + r^(n - 2), r = n/(n - 1), 0 for n = 1.  b has
    no k and n - 1 divides it, so that it is a number for n = 1 too; A[low] >= 0 and b >= 0 are shown.
    Sound: for n >= 2, A[k] <= r^(k - low) A[low] + b (r^0 + .. + r^(k - low - 1)) with k - low <= n - 1, and
    r^(n - 1) = (1 + 1/(n - 1))^(n - 1) <= e.  For n = 1 there is no step: A[low] <= e A[low].
    """
    names = [name for name, index in inside.file.series.items() if index == letter]
    n = inside.file.length(letter)
    inside.require_length(ends, 0, "series")
    if not names or not inside.at_least(plus(n, whole(-1)), plus(plus(ends[1], ends[0], -1), whole(1))):
        raise Refused("series: no letter for the sum, or more steps than the index has values but one")
    less = Rational.index(plus(n, whole(-1)))
    before, added = _recursion(shows, letter, inside, less, Rational.index(n))
    if any(factor in by.factors for factor in less.inverse().factors for by in added.values()):
        raise Refused("series: what is added must be (n - 1) times a number")
    _require_constant(added, letter, "series: what is added")
    first: Form = {before.substitute(letter, ends[0]): Rational.of(1)}
    _require_nonnegative(total(first, added), squares, inside, "what grows")
    here.require_within(((letter, 1),), (ends[0], plus(ends[1], whole(1))), "series")
    grown = total(scale(first, Rational.letter(EULER)), scale(added, Rational.letter(names[0])))
    return total(grown, {before: Rational.of(-1)})


def discount(shows: Tree, letter: str, growth_name: str, ends: Range, inside: Context, squares: set[str]) -> Form:
    """Discount: 0 <= A[t + 1] <= (1 + g) A[t] - b[t] + c over the whole range of t, T values, bounds a mean of b.

    The discounted mean of b is at most (g + 1/T) A[first] + c.  A >= 0 is shown at both ends.
    Sound: with w_t = (1 + g)^(last - t), summed, sum w_t (b[t] - c) <= (1 + g)^T A[first] - A[last + 1]; the weights
    add up to W = ((1 + g)^T - 1)/g (T for g = 0) >= T, so that (1 + g)^T/W = g + 1/W <= g + 1/T.
    """
    declared = inside.file.indices[letter]
    if ends != declared:
        raise Refused("discount: the recursion holds over another range than the declared one")
    inside.require_length(declared, 1, "discount")
    g = Rational.letter(growth_letter(growth_name, inside))
    before, rest = _recursion(shows, letter, inside, Rational.of(1), Rational.of(1) + g)
    first, last = (before.substitute(letter, at) for at in (declared[0], plus(declared[1], whole(1))))
    if not nonnegative_term(first, squares) or not nonnegative_term(last, squares):
        raise Refused(f"discount: {before.text()} may be negative")
    factor = g + Rational.index(inside.file.length(letter)).inverse()
    return total({first: factor}, bound_form(rest, letter, growth_name))


def _require_constant(form: Form, letter: str, what: str) -> None:
    if any(letter in term.letters() or by.depends(letter) for term, by in form.items()):
        raise Refused(f"{what} depends on {letter}")


def one_valued(letters: Iterable[str], file: File) -> dict[str, Tree]:
    """Return those index letters that have one value only, each with it: a mean over it is what stands there."""
    ends = {letter: file.indices[letter] for letter in letters if letter != CLIENT and letter in file.indices}
    return {letter: index_tree(low) for letter, (low, high) in ends.items() if low == high}


def fresh(step: Step, births: Births, here: Context) -> Premise:
    """Fresh: the square of a mean of noises over clients and their own indices is their mean square over the count.

    Sound: noises at different times are orthogonal (the older one is known when the younger one is drawn), those of
    different clients at one time are independent of mean zero; noises that are drawn at one index together are a noise.
    """
    letters = commas(step.of)
    if step.rule != "mean" or set(step.renamed) != {"u"} or len(set(letters)) < len(letters):
        raise Refused(f"{step.text}: fresh(u -> xi[t, k]) [mean i, k]")
    inside, at = here, one_valued(letters, here.file)
    letters = [letter for letter in letters if letter not in at and (letter != CLIENT or here.file.clients != whole(1))]
    for letter in letters:
        inside = inside if letter == CLIENT else inside.inside(letter, inside.file.indices[letter])
    point = vector(substitute(step.renamed["u"], at), inside)
    if len({atom.indices for atom, _ in point}) != 1:
        raise Refused(f"{step.text}: noises at one index")
    count = Rational.of(1)
    for letter in letters:
        inside.require_length(inside.file.indices[letter], 1, step.text)
        count = count * Rational.index(inside.file.length(letter))
    for atom, done in point:
        kind = inside.file.vectors[atom.name].kind if atom.name in inside.file.vectors else ""
        if (
            done
            or atom.argument
            or kind not in ("noise", "deviation")
            or not _apart(atom, {letter for letter in letters if letter != CLIENT})
            or not births.has_law(atom.name)
        ):
            raise Refused(f"{step.text}: {atom.text()} is no noise, or has no such index to average over")
    for letter in letters:
        point = point if letter == CLIENT else bound_vector(point, letter)
    over = frozenset(CLIENT if letter == CLIENT else next(iter(dict(bound(letter)))) for letter in letters)
    mean = project(point, over)
    squares = scale(product(point, point), count.inverse())
    return Premise(equal=True, form=total(squares, negate(product(mean, mean))))


def _apart(atom: Atom, own: set[str]) -> bool:
    """Return whether different values of some letters are different indices: each is counted once in one of its own."""
    places = [index_letters(index) & own for index in atom.indices]
    alone = all(sum(letter in place for place in places) == 1 for letter in own) and all(len(p) <= 1 for p in places)
    return alone and all(abs(dict(index)[x]) == 1 for index, p in zip(atom.indices, places, strict=True) for x in p)


def sample(step: Step, births: Births, here: Context) -> Premise:
    """Sample: |N/S mean(i) taken(A, u)|^2 = |mean(i) u|^2 + d (|u|^2 - |mean(i) u|^2), u older than the sample A.

    Sound: the mean over S of N clients without replacement has the mean of all as its expectation, and the variance of
    the clients times d = (N - S)/(S (N - 1)); for N = 1, where that variance is 0, times anything.  d is the letter
    `spread` where it belongs to this size, 1 for S = 1, the quotient where N - 1 is shown to be positive; else it is
    <= with 1/S >= d.  Where S = N or N = 1 is put in, taken(A, u) is u, and 0 = 0 is what is left.
    """
    atom = single(vector(step.renamed["u"], here)) if set(step.renamed) == {"u"} else None
    if atom is not None and atom.argument is None and step.renamed["u"].name == "taken" and not step.rule:
        return Premise(equal=True, form={})
    if atom is None or atom.argument is None or atom.name not in here.file.vectors or step.rule:
        raise Refused(f"{step.text}: sample(u -> taken(A[t], u[t]))")
    if not births.before_sample(atom.argument, atom, here):
        raise Refused(f"{step.text}: {atom.argument.text()} is not seen to be older than the sample")
    size, clients, one = (Rational.index(n) for n in (here.file.size(atom.name), here.file.clients, whole(1)))
    everyone, share = frozenset([CLIENT]), clients * size.inverse()
    d, exact = size.inverse(), here.file.size(atom.name) == whole(1) or has_spread(here.file)
    if has_spread(here.file):
        d = here.values.get(SPREAD, Rational.letter(SPREAD))
    elif not exact and _is_positive(clients - one, here):
        d, exact = (clients - size) * (size * (clients - one)).inverse(), True
    u = atom.argument
    parts: list[Form] = [
        {inner(u, u, frozenset()): d},
        {inner(u, u, everyone): Rational.of(1) - d},
        {inner(atom, atom, everyone): -(share * share)},
    ]
    return Premise(equal=exact, form=total(*parts))


def _is_positive(value: Rational, here: Context) -> bool:
    try:
        here.require_positive(value, "the clients but one")
    except Refused:
        return False
    return True


def orthogonal(step: Step, births: Births, here: Context) -> Premise:
    """Orthogonal: <u, v> = 0 where the laws say so; the kernel uses them everywhere, so that this is only checked."""
    if set(step.renamed) != {"u", "v"} or step.rule:
        raise Refused(f"{step.text}: orthogonal(u -> x[t], v -> mean(i, k) xi[t, k])")
    form, _ = births.lawful(product(*(vector(step.renamed[name], here) for name in ("u", "v"))), here)
    if form:
        raise Refused(f"{step.text}: the noise is not seen to be younger than the other")
    return Premise(equal=True, form={})


class Telescope(NamedTuple):
    """``<u[t], v[t]>``: at t and at t + 1 for t = low .. high, at low and at high + 1."""

    letter: str
    ends: Range
    now: Form
    ahead: Form
    first: Form
    last: Form


def telescope(step: Step, here: Context) -> Premise:
    """Telescope: sum <u[t + 1], v[t + 1]> = sum <u[t], v[t]> + <u, v> at high + 1 - <u, v> at low, t = low .. high.

    Sound: the sums differ in their first and their last term; u and v exist from low to high + 1.
    """
    one = telescoping(step, here)
    now, ahead = (sum_form(form, one.letter, one.ends, one.ends) for form in (one.now, one.ahead))
    minus = Rational.of(-1)
    return Premise(equal=True, form=total(now, one.last, scale(one.first, minus), scale(ahead, minus)))


def telescoping(step: Step, here: Context) -> Telescope:
    """Return the products that a step telescopes."""
    letters = commas(step.of)
    if step.rule != "sum" or set(step.renamed) not in ({"u"}, {"u", "v"}) or len(letters) != 1:
        raise Refused(f"{step.text}: telescope(u -> x[t] - s) [sum t]")
    (letter,) = letters
    if letter == CLIENT or letter in here.over or letter not in here.file.indices:
        raise Refused(f"{step.text}: {letter} is bound already, or no index")
    low, high = here.file.indices[letter]
    here.require_length((low, high), 0, step.text)

    def at(index: Index, context: Context) -> Form:
        moved = [
            substitute(step.renamed[name], {letter: index_tree(index)}) for name in ("u", "v") if name in step.renamed
        ]
        return product(vector(moved[0], context), vector(moved[-1], context))

    inside, t = here.inside(letter, (low, high)), ((letter, 1),)
    now, ahead = (at(index, inside) for index in (t, plus(t, whole(1))))
    return Telescope(letter, (low, high), now, ahead, at(low, here), at(plus(high, whole(1)), here))


def paid_by_sum(entry: Entry, rest: Form, owed: set[str], here: Context) -> Form:
    """Return what is left when a sum of nonnegative terms has paid for a few of them, those that are `owed`.

    Lemma: w mean_x s[x] - sum of v_j s[a_j] is >= 0 where s >= 0, all v_j >= 0, n is the number of values of x and each
    a_j is one of them, and w/n >= sum of the v_j; or the a_j differ from each other and w/n >= each v_j.
    Sound: the sum of all s[x] is at least the largest of the s[a_j], and the sum of those at different places; averaged
    over what else is bound.
    """
    for name in sorted(letter for letter in entry.letters() if is_bound(letter)):
        letter, _, weight = name.partition("'")
        if weight:
            continue
        declared, paid, places = here.file.indices[letter], list[Term](), list[Index]()
        share = rest[entry] * Rational.index(here.file.length(letter)).inverse()
        for other, by in rest.items():
            place = _place(entry, other, name)
            if place is not None and other.text() in owed:
                here.require_within(place, declared, "an entry of a sum")
                here.require_nonnegative(-by, "what a sum pays for")
                paid.append(other)
                places.append(place)
        if paid:
            here.require_length(declared, 1, "a sum")
            apart = all(
                here.at_least(a, plus(b, whole(1))) or here.at_least(b, plus(a, whole(1)))
                for a, b in combinations(places, 2)
            )
            left = [share + rest[one] for one in paid] if apart else [sum((rest[one] for one in paid), share)]
            for one in left:
                here.require_nonnegative(one, "what is left of a sum")
            return {term: by for term, by in rest.items() if term not in paid and term != entry}
    return rest


def _place(entry: Entry, other: Term, name: str) -> Index | None:
    """Return the index a for which `other` is the entry at a in the place of a bound index, None if it is none."""
    if not isinstance(other, Entry) or other.name != entry.name or name in other.letters() or entry.argument:
        return None
    shown = [a for index, a in zip(entry.indices, other.indices, strict=True) if index == ((name, 1),)]
    return shown[0] if len(shown) == 1 and entry.substitute(name, shown[0]) == other else None
