"""An array that numpy's functions take for one of theirs while a compiler traces it.

Problems and methods are written for numpy, in place where that is faster.  Here the same source runs on tracers: ufuncs
and functions of numpy are answered by their namesakes of `jax.numpy`, and writing into an array or into a view of it
replaces the value that the array holds.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NoReturn

import jax
import jax.numpy as jnp
import numpy as np

from boundcheck.errors import NotApplicableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_PLAIN = (int, slice, type(None), type(Ellipsis), np.integer)
"""Parts of an index that numpy answers with a view."""
_ACCUMULATED = {"maximum": jax.lax.cummax, "minimum": jax.lax.cummin, "add": jax.lax.cumsum}


class Traced:
    """A value of the compiler behind numpy's interface; `base` and `key` make it a view.

    Raises
    ------
    NotApplicableError
        Where the program asks for the number itself, which is not known while it is compiled.
    """

    __slots__ = ("_base", "_key", "_value")

    def __init__(self, value: Any, base: Traced | None = None, key: Any = None) -> None:
        self._value, self._base, self._key = value, base, key

    @property
    def value(self) -> Any:
        """Return what it holds now."""
        return self._value if self._base is None else self._base.value[self._key]

    def hold(self, value: Any) -> Traced:
        """Hold `value` from now on, in the shape and type that it has; a view writes through to its base."""
        old = self.value
        fresh = jnp.broadcast_to(jnp.asarray(value), old.shape).astype(old.dtype)
        if self._base is None:
            self._value = fresh
        else:
            self._base.hold(self._base.value.at[self._key].set(fresh))
        return self

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = (), **options: Any) -> Any:
        """Answer a ufunc of numpy or scipy."""
        if method == "accumulate" and ufunc.__name__ in _ACCUMULATED:
            return _accumulate_along(ufunc.__name__, inputs[0].value, options["axis"])
        if method != "__call__":
            _refuse(f"{ufunc.__name__}.{method}")
        return _call_function(_namesake(ufunc.__name__), inputs, options, out[0] if out else None)

    def __array_function__(
        self, function: Callable[..., Any], types: Any, args: Any, options: Mapping[str, Any]
    ) -> Any:
        """Answer a function of numpy."""
        rest = {name: value for name, value in options.items() if name != "order"}
        out = rest.pop("out", None)
        if function is np.copyto:
            return args[0].hold(bare(args[1]))
        if function is np.put_along_axis:
            return args[0].hold(_put_along(*bare(args), **bare(rest)))
        if function is np.repeat and isinstance(args[1], np.ndarray):
            return box_arrays(_repeat_slices(bare(args[0]), args[1], **rest))
        module = jnp.linalg if "linalg" in function.__module__ else jnp
        return _call_function(getattr(module, function.__name__, None) or _refuse(function.__name__), args, rest, out)

    def __getitem__(self, key: Any) -> Traced:
        parts = key if isinstance(key, tuple) else (key,)
        if all(isinstance(part, _PLAIN) for part in parts):
            return Traced(None, self, key)
        return Traced(self.value[bare(key)])

    def __setitem__(self, key: Any, value: Any) -> None:
        self.hold(self.value.at[bare(key)].set(bare(value)))

    def __len__(self) -> int:
        return int(self.shape[0])

    def __iter__(self) -> Iterator[Traced]:
        return (self[i] for i in range(len(self)))

    @property
    def shape(self) -> tuple[int, ...]:
        """Return its shape, which is known."""
        return tuple(self.value.shape)

    @property
    def ndim(self) -> int:
        """Return the number of its axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Return how many numbers it holds."""
        return int(self.value.size)

    @property
    def dtype(self) -> Any:
        """Return the type of its numbers."""
        return self.value.dtype

    @property
    def T(self) -> Traced:
        """Return it with its axes reversed."""
        return Traced(self.value.T)

    def astype(self, dtype: Any, **_: Any) -> Traced:
        """Return it in another type; a number asked for as ``float`` keeps the precision of the run."""
        wanted = np.dtype(dtype).newbyteorder("=")
        if wanted == np.float64:
            wanted = np.dtype(precision())
        return Traced(self.value.astype(wanted))

    def view(self, dtype: Any) -> Traced:
        """Return its bits as numbers of another type, the least significant ones first."""
        bits = jax.lax.bitcast_convert_type(self.value, dtype)
        return Traced(bits.reshape(*self.shape[:-1], -1))

    def __bool__(self) -> bool:
        return _asks("is a truth value")

    def __float__(self) -> float:
        return _asks("is a float")

    def __int__(self) -> int:
        return _asks("is an integer")

    def __index__(self) -> int:
        return _asks("is an index")

    def __array__(self, *_: Any, **__: Any) -> Any:
        return _asks("is an array of numpy")


_PRECISION: ContextVar[Any] = ContextVar("precision", default=np.float64)


def precision() -> Any:
    """Return the type of real numbers in the program that is being traced."""
    return _PRECISION.get()


@contextmanager
def computing_in(dtype: Any) -> Iterator[None]:
    """Trace with real numbers of this type."""
    token = _PRECISION.set(dtype)
    try:
        yield
    finally:
        _PRECISION.reset(token)


def bare(tree: Any) -> Any:
    """Return nested tuples, lists and dictionaries with the compiler's values in place of `Traced`.

    Real constants of numpy take the precision of the run, as a Python float does.
    """
    if isinstance(tree, Traced):
        return tree.value
    if isinstance(tree, (np.ndarray, np.floating)) and tree.dtype == np.float64:
        return jnp.asarray(tree, dtype=precision())
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*map(bare, tree))
    if isinstance(tree, (tuple, list)):
        return type(tree)(map(bare, tree))
    return {key: bare(value) for key, value in tree.items()} if isinstance(tree, dict) else tree


def alike(tree: Any, model: Any) -> Any:
    """Return nested values in the shapes and types of those of `model`, as a loop needs its carry."""
    return jax.tree.map(
        lambda value, old: jnp.broadcast_to(jnp.asarray(value), jnp.shape(old)).astype(jnp.result_type(old)),
        tree,
        model,
    )


def box_arrays(tree: Any) -> Any:
    """Return nested tuples, lists and dictionaries with every array of the compiler in a `Traced` of its own."""
    return jax.tree.map(lambda leaf: Traced(leaf) if isinstance(leaf, jax.Array) else leaf, tree)


def _call_function(function: Callable[..., Any], args: Any, options: Any, out: Any = None) -> Any:
    found = box_arrays(function(*bare(args), **bare(dict(options))))
    if out is None:
        return found
    if not isinstance(out, Traced):
        _refuse(f"{function.__name__} with out= of an array that numpy made")
    return out.hold(found.value)


def _accumulate_along(name: str, array: Any, axis: int) -> Traced:
    numbers = array.astype(jnp.int8) if array.dtype == bool else array
    return Traced(_ACCUMULATED[name](numbers, axis=axis % array.ndim).astype(array.dtype))


def _repeat_slices(value: Any, counts: Any, axis: int) -> Any:
    """Return the slices of `value`, each `counts` times in a row: broadcasts, where JAX would look every number up."""
    parts = jnp.split(value, len(counts), axis=axis)
    return jnp.concatenate([jnp.repeat(part, int(n), axis=axis) for part, n in zip(parts, counts, strict=True)], axis)


def _put_along(array: Any, indices: Any, values: Any, axis: int) -> Any:
    # numpy lets the indices broadcast along the other axes, its namesake does not.
    shape = list(array.shape)
    shape[axis] = indices.shape[axis]
    return jnp.put_along_axis(array, jnp.broadcast_to(indices, shape), values, axis=axis, inplace=False)


def _namesake(name: str) -> Callable[..., Any]:
    found: Callable[..., Any] | None = getattr(jnp, name, None) or getattr(jax.scipy.special, name, None)
    return found or _refuse(name)


def _refuse(what: str) -> NoReturn:
    msg = f"no compiled form of {what}"
    raise NotApplicableError(msg)


def _asks(what: str) -> NoReturn:
    msg = f"what it does next depends on a number that {what} while it runs"
    raise NotApplicableError(msg)


def _operator(name: str) -> Callable[..., Any]:
    def apply(self: Traced, *others: Any) -> Any:
        return Traced(getattr(jnp.asarray(self.value), name)(*map(bare, others)))

    return apply


def _in_place(name: str) -> Callable[..., Any]:
    def apply(self: Traced, other: Any) -> Traced:
        return self.hold(getattr(jnp.asarray(self.value), name)(bare(other)))

    return apply


def _method(name: str) -> Callable[..., Any]:
    def apply(self: Traced, *args: Any, **options: Any) -> Any:
        out = options.pop("out", None)
        return _call_function(lambda *a, **o: getattr(self.value, name)(*a, **o), args, options, out)

    return apply


_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift")
_OTHERS = ("neg", "pos", "abs", "invert", "lt", "le", "gt", "ge", "eq", "ne")
_METHODS = ("sum", "mean", "max", "min", "any", "all", "argmax", "argmin", "cumsum", "take", "repeat", "copy")
_SHAPES = ("reshape", "ravel", "swapaxes", "transpose", "squeeze")
for _name in _BINARY:
    setattr(Traced, f"__{_name}__", _operator(f"__{_name}__"))
    setattr(Traced, f"__r{_name}__", _operator(f"__r{_name}__"))
    setattr(Traced, f"__i{_name}__", _in_place(f"__{_name}__"))
for _name in _OTHERS:
    setattr(Traced, f"__{_name}__", _operator(f"__{_name}__"))
for _name in (*_METHODS, *_SHAPES):
    setattr(Traced, _name, _method(_name))
