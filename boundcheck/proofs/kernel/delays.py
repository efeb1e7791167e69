"""Delays: a mean of entries one place later, and sums that pay for sums of their entries at other places."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import TYPE_CHECKING

from .algebra import Rational, Refused, plus, substitute_index, whole
from .evaluate import vector
from .space import CLIENT, Entry, bound, is_bound, require_unbound, single, total
from .text import commas, index_tree, substitute

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .context import Context
    from .file import Range, Step
    from .space import Atom, Form, Vector

_MOST_SUMS = 4


def moved_window(step: Step, here: Context) -> tuple[tuple[Atom, frozenset[str]], Vector]:
    """Window: mean(d) u[d] = mean(d) u[d + 1] + (u[low] - u[high + 1])/n over the n values low .. high of d, n >= 1.

    Sound: the sums differ in their first and their last term.
    """
    letters = commas(step.of)
    if step.rule != "mean" or set(step.renamed) != {"u"} or len(letters) != 1 or letters[0] in (CLIENT, *here.over):
        raise Refused(f"{step.text}: window(u -> g[t - d]) [mean d]")
    (letter,), tree = letters, step.renamed["u"]
    ends = here.file.indices[letter]
    here.require_length(ends, 1, step.text)
    inside = here.inside(letter, ends)
    atom = single(vector(tree, inside))
    if atom is None or letter not in atom.letters():
        raise Refused(f"{step.text}: u is one entry at an index with {letter}")
    ahead = single(vector(substitute(tree, {letter: index_tree(plus(((letter, 1),), whole(1)))}), inside))
    first, last = (
        single(vector(substitute(tree, {letter: index_tree(end)}), here)) for end in (ends[0], plus(ends[1], whole(1)))
    )
    if ahead is None or first is None or last is None:
        raise Refused(f"{step.text}: u is one entry at an index with {letter}")
    share = Rational.index(here.file.length(letter)).inverse()
    over = frozenset(dict(bound(letter)))
    require_unbound(atom, letter, "")
    new: Vector = total(
        {(ahead.substitute(letter, bound(letter)), over): Rational.of(1)},
        {(first, frozenset()): share},
        {(last, frozenset()): -share},
    )
    return (atom.substitute(letter, bound(letter)), over), new


def paid_by_sums(rest: Form, owed: Mapping[str, str], here: Context) -> Form:
    """Return what is left when sums of a sequence have paid for sums of its entries at other places.

    Lemma: sum_k w_k mean_x s[b_k(x)] - sum_j v_j mean_(y, ..) s[a_j(y, ..)] is >= 0 where s >= 0, all v_j >= 0, y |->
    a_j is one-to-one, the places b_k make up an interval in which each a_j stands, and w_k/n_k >= sum of the v_j/n_j,
    with n_k and n_j the numbers of values of x and of y.
    Sound: for any values of its other indices, the sum over y of s[a_j] is part of that of s over the interval, as no
    entry is counted twice, which is at most the sum over k of the sums over x of s[b_k(x)].  This is the exchange of
    two sums: sum_t sum_d s[t - 1 - d] counts each s at most once for each d.

    Parameters
    ----------
    rest : Form
        What is left.
    owed : mapping
        The terms that are paid for, as text, each with the index letter y.
    here : Context
        The context.
    """
    debts = {term: by for term, by in rest.items() if isinstance(term, Entry) and term.text() in owed}
    for name in sorted({term.name for term in debts}):
        mine = {term: by for term, by in debts.items() if term.name == name}
        paying = {
            term: by
            for term, by in rest.items()
            if isinstance(term, Entry) and term.name == name and term not in mine and _count(term) is not None
        }
        share = Rational.of(0)
        for term, by in mine.items():
            letter = owed[term.text()]
            if not is_bound(letter) or _times(term, letter) not in (1, -1):
                raise Refused(f"{term.text()}: each value of {letter} is not seen to be another entry")
            here.require_nonnegative(-by, "what sums pay for")
            share = share - by * _one_of(letter, here).inverse()
        for term, by in paying.items():
            here.require_nonnegative(by * _one_of(_count(term) or "", here).inverse() - share, "what is left of sums")
        _require_covered(list(mine), list(paying), here)
        rest = {term: by for term, by in rest.items() if term not in mine and term not in paying}
    return rest


def _times(entry: Entry, name: str) -> int:
    """Return how often an index letter is counted in an entry with one index."""
    return dict(entry.indices[0]).get(name, 0) if len(entry.indices) == 1 and not entry.argument else 0


def _count(entry: Entry) -> str | None:
    """Return the bound index of an entry that has one, counted once or minus once, None for another entry."""
    found = [name for name in sorted(entry.letters()) if is_bound(name) and not name.partition("'")[2]]
    return found[0] if len(found) == 1 and _times(entry, found[0]) in (1, -1) else None


def _one_of(name: str, here: Context) -> Rational:
    """Return how many values a bound index has, one at least."""
    letter = name.partition("'")[0]
    here.require_length(here.file.indices[letter], 1, "a sum")
    return Rational.index(here.file.length(letter))


def _require_covered(debts: list[Entry], paying: list[Entry], here: Context) -> None:
    """Refuse unless the places of debts stand in the interval that the places of what pays make up, end to end."""
    free = {x for term in (*debts, *paying) for x in term.letters() if is_bound(x)}
    if any(name.partition("'")[2] for name in free):
        raise Refused("a sum with weights pays for nothing")
    inside = here
    for name in sorted(free):
        inside = inside.inside(name, here.file.indices[name.partition("'")[0]])
    for order in permutations(paying) if len(paying) <= _MOST_SUMS else ():
        ends = [_image(term, here) for term in order]
        joined = all(here.at_least(plus(a[1], whole(1)), b[0]) for a, b in pairwise(ends))
        over = [ends[0][0], ends[-1][1]] if ends else []
        if (
            joined
            and over
            and all(
                inside.at_least(term.indices[0], over[0]) and inside.at_least(over[1], term.indices[0])
                for term in debts
            )
        ):
            return
    raise Refused("sums do not cover what they are to pay for")


def _image(entry: Entry, here: Context) -> Range:
    """Return the first and the last place of an entry with one bound index."""
    name = _count(entry) or ""
    ends = [substitute_index(entry.indices[0], name, end) for end in here.file.indices[name.partition("'")[0]]]
    first, last = ends if _times(entry, name) > 0 else ends[::-1]
    return first, last
