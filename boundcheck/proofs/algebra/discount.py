"""Means over an index with weights (1 + g)^(last - t): the law of a random output.

A letter t that is averaged over so is written ``*t~g``.  The weights are a probability, so that all that is true of a
mean over an index is true of this one; it has nothing to do with the plain mean over the same index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.proofs.language.affine import Affine
from boundcheck.proofs.language.forms import CLIENT, add_forms
from boundcheck.proofs.language.members import depends

if TYPE_CHECKING:
    from boundcheck.proofs.algebra.scope import Scope
    from boundcheck.proofs.language.forms import Scalar
    from boundcheck.proofs.language.grammar import Node

DISCOUNT = "discount"


def star(letter: str, growth: Node, scope: Scope) -> dict[str, Affine]:
    """Return what an index letter becomes under the mean whose weights grow by 1 + growth backwards in the index.

    Raises
    ------
    InputError
        If the growth is no letter that is declared positive or nonnegative.
    """
    legal = [name for name, sign in scope.setting.letters.items() if sign != "real"]
    if growth.kind != "letter" or growth.name not in legal:
        msg = f"growth {str(growth)!r} of a discounted mean is not legal: a letter that is > 0 or >= 0"
        raise InputError(msg)
    return {letter: Affine.letter(f"*{letter}~{growth.name}")}


def discount_form(form: Scalar, letter: str, growth: Node, scope: Scope) -> Scalar:
    """Return the discounted mean of a form over the whole range of an index.

    Raises
    ------
    InputError
        If a weight depends on the index, or the index counts the clients.
    """
    put = star(letter, growth, scope)
    scope.around(letter).require_length(scope.setting.length(letter), 1)
    if letter == CLIENT:
        legal = ", ".join(name for name in scope.setting.indices if name != CLIENT)
        msg = f"discounted mean over {CLIENT}: the clients have no order; legal are {legal}"
        raise InputError(msg)
    for term, value in form.items():
        if depends(value, letter, scope.setting):
            msg = f"discounted mean over {letter}: the weight {value} of {term} depends on {letter}; bound it first"
            raise InputError(msg)
    return add_forms(*({term.substitute(put): value} for term, value in form.items()))
