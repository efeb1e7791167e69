"""The law of a sample: S of N clients, uniformly without replacement, whatever is older.

``taken(A[t], u)`` is u on the clients of the sample and 0 on the others, so that N/S times its mean over the clients is
the mean over the sample.  A sample is drawn at the end of its round, after all noise of the round.  What a file calls
``spread`` is (N - S)/(S (N - 1)), the variance factor of the mean over a sample, 0 for N = 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.proofs.algebra.sums import as_coefficient
from boundcheck.proofs.language.forms import CLIENT, Atom, Inner, add_forms, inner, scale_form
from boundcheck.proofs.language.grammar import TAKEN
from boundcheck.proofs.language.setting import SPREAD

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.proofs.algebra.scope import Scope
    from boundcheck.proofs.algebra.signs import Signs
    from boundcheck.proofs.language.forms import Coefficient, Scalar, Term, Vector
    from boundcheck.proofs.language.setting import ProofSetting
    from boundcheck.proofs.language.steps import Step

    Older = Callable[[Atom, Atom], bool]
    """Whether the first is determined before the sample is drawn that takes the second."""


def is_sample(atom: Atom, setting: ProofSetting) -> bool:
    """Return whether an atom is what a sample takes."""
    return atom.name in setting.vectors and setting.vectors[atom.name].kind == "sample"


def apply_sample_law(form: Scalar, older: Older, scope: Scope) -> tuple[Scalar, bool]:
    """Return the form after a client's chance S/N has been put in where that is all that counts, and whether it was."""
    used = False
    while True:
        parts = [(term, value, _expected_product(term, older, scope)) for term, value in form.items()]
        if all(put is None for _, _, put in parts):
            return form, used
        used = True
        form = add_forms(*({term: value} if put is None else scale_form(put, value) for term, value, put in parts))


def _expected_product(term: Term, older: Older, scope: Scope) -> Scalar | None:
    """Return what an inner product with what a sample takes is, the sample being younger than all else in it."""
    if not isinstance(term, Inner):
        return None
    for taken, other in ((term.left, term.right), (term.right, term.left)):
        kept = _argument(taken, older, scope)
        if kept is None or any(index.letters & term.averaged for index in taken.indices):
            continue
        same = (other.name, other.indices) == (taken.name, taken.indices)
        beside = _argument(other, older, scope) if same else other
        if beside is None or (same and CLIENT in term.averaged):
            continue
        if same or older(beside, taken):
            return {inner(kept, beside, term.averaged): chance(taken, scope)}
    return None


def on_sample(form: Scalar, scope: Scope) -> Scalar:
    """Return the form with <taken(A, u), taken(A, v)> for <taken(A, u), v>: v is used on the sample alone."""
    return add_forms(*({_on_sample(term, scope.setting): value} for term, value in form.items()))


def _on_sample(term: Term, setting: ProofSetting) -> Term:
    if not isinstance(term, Inner):
        return term
    for taken, other in ((term.left, term.right), (term.right, term.left)):
        apart = any(index.letters & term.averaged for index in taken.indices)
        together = CLIENT not in term.averaged or CLIENT not in other.varies
        if is_sample(taken, setting) and not is_sample(other, setting) and together and not apart:
            other = Atom(taken.name, taken.indices, other, client=True)
            return inner(taken, other, term.averaged - {CLIENT})
    return term


def _argument(atom: Atom, older: Older, scope: Scope) -> Atom | None:
    """Return what a sample takes, if it is older than the sample; None if the atom is no such thing."""
    if not is_sample(atom, scope.setting) or atom.argument is None:
        return None
    return atom.argument if older(atom.argument, atom) else None


def chance(taken: Atom, scope: Scope) -> Coefficient:
    """Return S/N, a client's chance to be in a sample."""
    return sample_size(taken, scope) / as_coefficient(scope.setting.length(CLIENT), scope)


def factor(taken: Atom, scope: Scope, signs: Signs | None = None) -> tuple[Coefficient, bool]:
    """Return by what the variance of the clients is multiplied in that of a sample's mean, and whether that is exact.

    It is (N - S)/(S (N - 1)), which is 1/S at most; for S = 1 it may be called 1, as with N = 1 there is no variance.
    """
    if spread_letter(scope.setting):
        return scope.setting.generators[SPREAD], True
    size, clients = sample_size(taken, scope), as_coefficient(scope.setting.length(CLIENT), scope)
    if size == 1:
        return scope.number(1), True
    if signs is not None and signs.nonzero(clients - 1):
        return (clients - size) / (size * (clients - 1)), True
    return 1 / size, False


def sample_size(taken: Atom, scope: Scope) -> Coefficient:
    """Return how many clients a sample has."""
    return size_of(scope.setting.vectors[taken.name].size, scope)


def size_of(size: str, scope: Scope) -> Coefficient:
    """Return a size, a letter or a number, as an element of the field."""
    return scope.number(int(size)) if size.isdecimal() else scope.setting.generators[size]


def spread_letter(setting: ProofSetting) -> bool:
    """Return whether the letter `SPREAD` is a sample's factor: with samples of two sizes it would be one of either."""
    return SPREAD in setting.letters and len(setting.sizes) == 1


def spread_facts(scope: Scope) -> list[Coefficient]:
    """Return what is not negative by the definition of the letter `SPREAD`, spread S max(N - 1, 1) = N - S.

    That it is at most 1 follows, by cases of N, which products of hypotheses do not distinguish.
    """
    setting = scope.setting
    if not spread_letter(setting):
        return []
    (own,) = setting.sizes
    clients, size = as_coefficient(setting.length(CLIENT), scope), size_of(own, scope)
    spread = setting.generators[SPREAD]
    excess = spread * size * (clients - 1) - clients + size
    return [excess, -excess, clients - size - spread * size, scope.number(1) - spread]


def mean_square(
    step: Step, point: Vector, older: Older, scope: Scope, signs: Signs | None = None
) -> tuple[Scalar, Scalar, bool]:
    """Return ``|mean over the sample of u|^2``, and ``|mean(i) u|^2 + factor (|u|^2 - |mean(i) u|^2)``.

    The third says whether both are equal; else the second is an upper bound: see `factor`.

    Raises
    ------
    InputError
        If the point is not what a sample takes of a vector that is older than it.
    """
    atoms = list(point)
    if len(atoms) == 1 and atoms[0][0].argument is None and step.renamed["u"].name == TAKEN:
        return {}, {}, True  # everybody is in the sample: taken(A, u) is u
    kept = _argument(atoms[0][0], older, scope) if len(atoms) == 1 else None
    if kept is None or atoms[0][1] or point[atoms[0]] != 1:
        msg = f"step {step}: sample(u -> taken(A[t], u[t])) needs an entry that is older than the sample"
        raise InputError(msg)
    taken, one, everyone = atoms[0][0], scope.number(1), frozenset({CLIENT})
    share = chance(taken, scope)
    left: Scalar = {inner(taken, taken, everyone): one / share**2}
    spread, exact = factor(taken, scope, signs)
    own: Scalar = {inner(kept, kept, frozenset()): spread}
    return left, add_forms(own, {inner(kept, kept, everyone): one - spread}), exact
