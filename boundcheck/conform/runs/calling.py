"""Call an implementation under test, and look at how it keeps its numbers."""

from __future__ import annotations

import inspect
import itertools
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.conform.runs.replay import state_of
from boundcheck.errors import InputError, require
from boundcheck.methods.base import is_method

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from boundcheck.conform.runs.replay import RecordedRun
    from boundcheck.problems.base import Array


DETACH = "the iterates require gradients, as a torch parameter does: return x.detach().clone() of every round"
"""What is said of iterates that cannot be read as arrays."""


class ReturnedRun(NamedTuple):
    """What an implementation returned for one run."""

    path: Array
    """Server iterates (T + 1, d); nan where it has none."""
    aliased: bool
    """Whether one array stands for several rounds."""
    single: bool
    """Whether every point that the clients were asked at after the first step fits single precision."""
    shown: tuple[Mapping[str, Any], ...] = ()
    """What else it returned of its state, by name, of every round; empty where it returned iterates alone."""


class GradientsRequiredError(InputError):
    """An implementation returned tensors that are part of a graph of derivatives."""

    def __init__(self) -> None:
        super().__init__(DETACH)


def call(function: Callable[..., Any], run: RecordedRun, numbers: Mapping[str, Any]) -> ReturnedRun:
    """Return what an implementation makes of a run of ours.

    Raises
    ------
    InputError
        If it raises an exception of its own, or returns something else than T + 1 iterates.
    """
    if is_method(function):
        # A method of the user's own: it sees the oracle that ours sees, not the clients one by one.
        cls: Any = function
        return ReturnedRun(run.iterates(lambda K: cls(**numbers)), aliased=False, single=False)
    setting = run.setting
    active = [list(chosen) for chosen in run.active]
    more: dict[str, Any] = {"coins": run.coins} if takes(function, "coins") else {}
    more |= {"K_i": setting.counts.tolist()} if takes(function, "K_i") else {}
    try:
        result = function(
            run.clients, run.problem.start.copy(), K=setting.K, T=setting.T, active=active, **more, **numbers
        )
    except InputError:
        raise
    except Exception as error:
        msg = f"function raised {type(error).__name__} at {setting}: {error}"
        raise InputError(msg) from error
    try:
        # Copied one by one: a generator may go on computing in the array that it has just yielded.
        kept = [(as_array(state_of(item)["x"]), copied_parts(item)) for item in _items(result, setting)]
        path = np.array([parts["x"].ravel() for _, parts in kept])
    except InputError:
        raise
    except (TypeError, ValueError, KeyError):
        msg = f"function returned {type(result).__name__} at {setting}; legal: T + 1 iterates of dimension d"
        raise InputError(msg) from None
    require(path.shape == run.path.shape, f"shape of the iterates at {setting}", path.shape, f"{run.path.shape}")
    shown = tuple(parts for _, parts in kept) if all(len(parts) > 1 for _, parts in kept) else ()
    return ReturnedRun(path, one_array([array for array, _ in kept]), _fits_single(run), shown)


def takes(function: Callable[..., Any], name: str) -> bool:
    """Return whether a function has a parameter of this name, what it takes by ``**`` not counted."""
    return not is_method(function) and name in inspect.signature(function).parameters


def _items(result: Any, setting: Any) -> Iterator[Any]:
    """Yield what was returned, one time after the other; a generator's own exceptions are named as those."""
    items = iter(result)
    while True:
        try:
            item = next(items)
        except StopIteration:
            return
        except InputError:
            raise
        except Exception as error:
            msg = f"function raised {type(error).__name__} at {setting}: {error}"
            raise InputError(msg) from error
        yield item


def as_array(values: Any) -> Array:
    """Return values as an array, a view of them where they are one.

    Raises
    ------
    GradientsRequiredError
        If they are a tensor that requires gradients; known by its attribute, so that torch need not be there.
    """
    if getattr(values, "requires_grad", False) is True:
        raise GradientsRequiredError
    return np.asarray(values)


def copied_parts(item: Any) -> dict[str, Array]:
    """Return copies of the iterate and of what else is returned for one time, as arrays of floats."""
    return {name: np.array(as_array(part), dtype=float) for name, part in state_of(item).items()}


def one_array(arrays: list[Array]) -> bool:
    """Return whether two neighbours of the list, or its ends, lie in the same memory."""
    pairs = [*itertools.pairwise(arrays), (arrays[0], arrays[-1])] if len(arrays) > 1 else []
    return any(np.may_share_memory(a, b) and np.shares_memory(a, b) for a, b in pairs)


def _fits_single(run: RecordedRun) -> bool:
    asked = [
        point for client in run.clients for t, of_round in enumerate(client.points) for k, point in of_round if t or k
    ]
    if not asked:
        return False
    points = np.array(asked)
    return bool((points.astype(np.float32).astype(float) == points).all())


def iterates_at_clients(run: RecordedRun, answer: ReturnedRun) -> Array | None:
    """Return the iterates as the clients met them, where ours start at the iterate: the first point of every round.

    The last iterate, at which nobody has started, is the returned one.
    """
    firsts = []
    for t, chosen in enumerate(run.active):
        ours, theirs = run.points[t], run.clients[chosen[0]].points[t]
        if not ours or not theirs or not np.array_equal(ours[0][1][0, 0], run.path[t]):
            return None
        firsts.append(theirs[0][1])
    return np.array([*firsts, answer.path[-1]])
