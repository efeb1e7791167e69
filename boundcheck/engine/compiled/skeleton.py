"""Take a problem or method apart into its arrays and the rest, and put it together round other arrays.

The rest, as bytes, says whether two of them are alike but for the numbers in their arrays, so that one compiled program
serves both.
"""

from __future__ import annotations

import io
import pickle
from typing import Any

import numpy as np

from boundcheck.errors import NotApplicableError


class Skeleton:
    """An object without its arrays.

    Parameters
    ----------
    whole : object
        Anything that can be pickled.

    Attributes
    ----------
    key : bytes
        Equal for objects that differ in the numbers of their arrays only.
    arrays : list of Array
        The arrays, in the order in which they are met.

    Raises
    ------
    NotApplicableError
        If it holds functions of the user's that have no name in a module.
    """

    def __init__(self, whole: object) -> None:
        into = io.BytesIO()
        taking = _Taking(into, protocol=pickle.HIGHEST_PROTOCOL)
        try:
            taking.dump(whole)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            msg = f"{type(whole).__name__} holds what cannot be compiled: {error}"
            raise NotApplicableError(msg) from None
        self.key = into.getvalue()
        self.arrays = taking.arrays

    def fill_with(self, arrays: list[Any]) -> Any:
        """Return a copy of the object that has these arrays in place of its own."""
        return _Filling(io.BytesIO(self.key), arrays).load()


class _Taking(pickle.Pickler):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.arrays: list[Any] = []

    def persistent_id(self, obj: Any) -> Any:
        if isinstance(obj, np.floating):
            return "number", float(obj)
        if not isinstance(obj, np.ndarray):
            return None
        self.arrays.append(obj)
        return "array", len(self.arrays) - 1, obj.shape, obj.dtype.str


class _Filling(pickle.Unpickler):
    def __init__(self, source: io.BytesIO, arrays: list[Any]) -> None:
        super().__init__(source)
        self._arrays = arrays

    def persistent_load(self, pid: Any) -> Any:
        return pid[1] if pid[0] == "number" else self._arrays[pid[1]]
