"""Mistakes in when a part of the state is refreshed, kept and forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.conform.faults.changes import change_state, set_new, set_read
from boundcheck.conform.faults.wrong import Mistake

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.conform.faults.wrong import Round

_PERIODS = (1, 2, 3, 4, 5)


def part_mistakes(state: Any) -> list[Mistake]:
    """Return the mistakes in each part of a method's state, by its name there, but in the iterate.

    Parameters
    ----------
    state : NamedTuple
        A state of a run with several clients: an array of (lanes, N, d) is what they keep, one of (lanes, 1, d) the
        server's.
    """
    vectors = [name for name in state._fields if name != "x" and getattr(getattr(state, name), "ndim", 0) == 3]
    return [mistake for name in vectors for mistake in _mistakes_in(name, of_clients=getattr(state, name).shape[1] > 1)]


def _mistakes_in(name: str, *, of_clients: bool) -> Iterator[Mistake]:
    """Yield the mistakes in one part."""

    def in_some(r: Round, wrong: Any, period: int) -> Any:
        return r.new._replace(**{name: wrong}) if (r.t + 1) % period == 0 else r.new

    for period in _PERIODS:
        when = "every round" if period == 1 else f"every {period} rounds"
        yield Mistake(
            f"{name} is 0 again after {when}, and all else is kept",
            **change_state(lambda r, period=period: in_some(r, 0.0 * getattr(r.new, name), period)),  # type: ignore[misc]
        )
    for period in _PERIODS[1:]:
        yield Mistake(
            f"{name} is refreshed in the first of every {period} rounds only",
            **change_state(
                lambda r, period=period: r.new if r.t % period == 0 else _with(r.new, name, r.old)  # type: ignore[misc]
            ),
        )
    yield Mistake(
        f"{name} is refreshed in the first round only",
        **change_state(lambda r: r.new if r.t == 0 else _with(r.new, name, r.old)),
    )
    yield Mistake(
        f"the {name} that a round uses is that of one round earlier",
        **set_read(**{name: lambda r: getattr(r.earlier, name)}),
    )
    if of_clients:
        yield Mistake(
            f"the {name} of clients that sit out is forgotten: it is 0 again",
            **set_new(**{name: lambda r: _is_active(r) * getattr(r.new, name)}),
        )


def _with(state: Any, name: str, other: Any) -> Any:
    """Return a state with one part of another one."""
    return state._replace(**{name: getattr(other, name)})


def _is_active(r: Round) -> Any:
    """Return 1 for the active clients and 0 for the others, (lanes, N, 1)."""
    nobody = r.oracle.to_all(0.0 * r.old.x[..., :1])
    return r.oracle.remember(nobody, 1.0 + r.oracle.active(nobody))
