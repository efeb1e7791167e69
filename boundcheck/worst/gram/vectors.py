"""Vectors of which nothing is known but how they are combined: coefficients over a growing basis.

A method's own `init` and `round` run on them unchanged.  Sums, differences and multiples are coefficients again; every
other operation gives a `Nonlinear`, which names the operation as soon as a point or an iterate depends on it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from boundcheck.errors import NotApplicableError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

MEAN, DEVIATION = 0, 1
"""Rows of a vector's coefficients: of its mean over the clients, and of what the generic client has beside it."""


COINS = "coins of the method's own"
"""What `NonlinearError` calls randomness that is not the oracle's."""


class NonlinearError(NotApplicableError):
    """A method computes a point or an iterate by more than sums and multiples; the message names the operation."""

    def __init__(self, operation: str) -> None:
        self.operation = operation
        super().__init__(f"Gram coordinates need sums and multiples of vectors only, not {operation}")


class GramVector(NDArrayOperatorsMixin):
    """A server vector, or the vector of the generic client: ``sum_a M_a mean(e_a) + D_a (e_a - mean(e_a))``.

    Parameters
    ----------
    coefficients : Array
        Shape (2, basis vectors so far): row `MEAN` holds M, row `DEVIATION` holds D.  Basis vectors that are met later
        have coefficient 0.

    Notes
    -----
    Only ``+``, ``-``, multiples and quotients by a number give vectors.
    """

    def __init__(self, coefficients: NDArray[np.float64]) -> None:
        self.coefficients = coefficients

    def pad_to(self, size: int) -> NDArray[np.float64]:
        """Return the coefficients over the first `size` basis vectors, shape (2, size)."""
        found = np.zeros((2, size), dtype=self.coefficients.dtype)
        found[:, : self.coefficients.shape[1]] = self.coefficients
        return found

    @property
    def mean(self) -> GramVector:
        """Return the mean over the clients, a server vector."""
        return GramVector(self.coefficients * np.array([[1.0], [0.0]]))

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """Combine coefficients where the operation is linear, else remember its name."""
        rule = _RULES.get(ufunc)
        if rule is None or method != "__call__" or kwargs or any(isinstance(x, Nonlinear) for x in inputs):
            return Nonlinear.first_of(inputs, f"{ufunc.__name__}{'' if method == '__call__' else '.' + method}")
        found = rule(*inputs)
        return Nonlinear(f"{ufunc.__name__} of {_kinds(inputs)}") if found is None else found

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Nonlinear:
        """Remember the name of a function that is not linear."""
        return Nonlinear(function.__name__)

    def __getitem__(self, key: object) -> Nonlinear:
        return Nonlinear("single coordinates of a vector")

    def __iter__(self) -> NoReturn:
        raise NonlinearError("a loop over the coordinates of a vector")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Nonlinear(f"{name} of a vector")


def unit(index: int) -> GramVector:
    """Return a basis vector."""
    coefficients = np.zeros((2, index + 1))
    coefficients[:, index] = 1.0
    return GramVector(coefficients)


class Nonlinear(NDArrayOperatorsMixin):
    """What came of an operation that is not linear; it may be carried along as long as no point depends on it.

    Attributes
    ----------
    operation : str
        The first such operation.
    """

    def __init__(self, operation: str) -> None:
        self.operation = operation

    @classmethod
    def first_of(cls, inputs: tuple[Any, ...], operation: str) -> Nonlinear:
        """Return the first nonlinear value among `inputs`, else a new one named `operation`."""
        before = [x for x in inputs if isinstance(x, Nonlinear)]
        return before[0] if before else cls(operation)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Nonlinear:
        """Stay what it is."""
        return Nonlinear.first_of(inputs, ufunc.__name__)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, key: object) -> Nonlinear:
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Nonlinear:
        return self

    def __bool__(self) -> NoReturn:
        raise NonlinearError(self.operation)

    __iter__ = __len__ = __float__ = __int__ = __index__ = __bool__


class VectorFunctions:
    """The namespace `Oracle.xp` of these vectors: numpy's functions of numbers, and none of vectors."""

    def __getattr__(self, name: str) -> Any:
        function = getattr(np, name)

        def apply(*args: Any, **kwargs: Any) -> Any:
            if any(isinstance(x, (GramVector, Nonlinear)) for x in (*args, *kwargs.values())):
                return Nonlinear.first_of(args, name)
            # numpy has no roots of fractions.
            return function(*(float(x) if isinstance(x, Fraction) else x for x in args), **kwargs)

        return apply

    def where(self, condition: Any, yes: Any, no: Any) -> Any:
        """Return `yes` or `no` where the condition is known beforehand."""
        if isinstance(condition, (bool, np.bool_)):
            return yes if condition else no
        return Nonlinear.first_of((condition,), "where")


def vector_of(value: Any) -> GramVector:
    """Return `value` if it is a vector.

    Raises
    ------
    NonlinearError
        If it came of an operation that is not linear; the message names it.
    """
    if isinstance(value, GramVector):
        return value
    raise NonlinearError(value.operation if isinstance(value, Nonlinear) else f"a {type(value).__name__} for a vector")


def number(value: Any) -> Any:
    """Return a number, or an array of one, as a float (a fraction as it is); None for anything else."""
    if isinstance(value, (GramVector, Nonlinear)) or np.size(value) != 1:
        return None
    if isinstance(value, Fraction):
        return value
    return float(np.asarray(value).item())


def _kinds(inputs: tuple[Any, ...]) -> str:
    return " and ".join("a vector" if isinstance(x, GramVector) else "a number" for x in inputs)


def _sum(x: Any, y: Any) -> GramVector | None:
    if isinstance(x, GramVector) and isinstance(y, GramVector):
        size = max(x.coefficients.shape[1], y.coefficients.shape[1])
        return GramVector(x.pad_to(size) + y.pad_to(size))
    vector, other = (x, y) if isinstance(x, GramVector) else (y, x)
    return vector if number(other) == 0.0 else None


def _multiple(x: Any, y: Any) -> GramVector | None:
    vector, other = (x, y) if isinstance(x, GramVector) else (y, x)
    factor = number(other)
    return None if factor is None else GramVector(factor * vector.coefficients)


def _difference(x: Any, y: Any) -> GramVector | None:
    minus = _multiple(y, -1.0) if isinstance(y, GramVector) else y
    return _sum(x, minus)


def _quotient(x: Any, y: Any) -> GramVector | None:
    divisor = number(y)
    return _multiple(x, 1.0 / divisor) if divisor and isinstance(x, GramVector) else None


_RULES: dict[np.ufunc, Callable[..., GramVector | None]] = {
    np.add: _sum,
    np.subtract: _difference,
    np.multiply: _multiple,
    np.true_divide: _quotient,
    np.negative: lambda x: _multiple(x, -1.0),
    np.positive: lambda x: x,
}
"""Operations that give a vector; a rule returns None where they do not."""
