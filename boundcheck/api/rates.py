"""Which printed rates are attained, how they were seen, and from which horizon on a bound says anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from boundcheck.api.names import bound_name, bound_object, problem_object, whole, wholes
from boundcheck.api.results import Results
from boundcheck.errors import require

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.rates import Attained, Headline, Horizon
    from boundcheck.workers.progress import Progress


def rate(
    *names: str,
    run: bool = False,
    letter: Literal["T", "N", "S", "K", "NK", "rounds"] | None = None,
    grid: Sequence[float] | None = None,
    declare: Mapping[str, float] | None = None,
    set_: Mapping[str, Any] | None = None,
    problem: str | None = None,
    N: float = 1,
    S: float | None = None,
    K: float = 1,
    T: float = 100_000,
    horizon: bool = False,
    progress: Progress | None = None,
) -> Results[Attained] | Horizon:
    """Say which printed rates are attained, ranked by guaranteed over attained power, each beside its control.

    With a letter and a grid, any bound's rate is looked for on a family with a slowly falling gradient.  With `horizon`
    it says from which T on a bound beats the trivial one.

    Parameters
    ----------
    *names : str
        Headline rates, or methods, papers and bounds whose headline rates are meant; all when left out.
    run : bool
        Measure anew instead of returning what was measured when this version was made: seconds to two minutes a rate.
    letter, grid : str and sequence of int, optional
        The letter to vary and three or more values of it.
    declare : mapping, optional
        Constants that the class allows and the instance does not have.
    set_ : mapping, optional
        Letters of a run and free parameters of the bound.
    problem : str, optional
        The family; by default the tail, for a minimax bound its saddle.  With `horizon` any problem.
    N, S, K, T : int
        Clients, active clients (default all), local steps a round, rounds where the letter is another.
    horizon : bool
        Return the horizon of one bound on the problem.
    progress : callable, optional
        Called with (rates done, rates, share of the work).

    Returns
    -------
    Results of Attained, or Horizon

    Raises
    ------
    InputError
        If a name or number is not legal.

    Examples
    --------
    >>> import boundcheck as bc
    >>> found = bc.rate("momentum-fl")
    >>> sorted({one.word for one in found}) != []
    True
    """
    from boundcheck.rates import headline_of, shipped_rates

    size = wholes({"N": N, "S": S, "K": K})
    if horizon:
        require(len(names) == 1, "names", list(names), "one bound beside horizon")
        return horizon_of_bound(names[0], problem, **size)
    if letter is not None or grid is not None:
        require(len(names) == 1, "names", list(names), "one bound beside letter and grid")
        require(letter is not None and grid is not None, "letter, grid", (letter, grid), "both together")
        values = tuple(whole("grid", value) for value in grid or ())
        options: dict[str, Any] = {"problem": problem, "declared": {**(declare or {})}, "overrides": {**(set_ or {})}}
        asked = [headline_of(bound_name(names[0]), str(letter), values, **options, **size, T=whole("T", T))]
        found = measured_rates(asked, progress)
    else:
        asked = chosen_rates(names)
        found = measured_rates(asked, progress) if run else [shipped_rates()[one.id] for one in asked]
    return Results(sorted(found, key=lambda one: -(one.ratio or 0.0)), f"{len(found)} rates")


def chosen_rates(names: Sequence[str]) -> list[Headline]:
    """Return the headline rates that are meant: by their name, method, paper, or a bound that they print or run.

    Raises
    ------
    UnknownNameError
        If no rate is meant.
    """
    from boundcheck.bounds import BOUNDS
    from boundcheck.errors import UnknownNameError
    from boundcheck.rates import HEADLINES

    def is_meant(one: Headline, name: str) -> bool:
        papers = {BOUNDS[b].paper for b in (one.bound, one.printed) if b in BOUNDS}
        return name in {one.id, one.id.rpartition(".")[0], one.bound, one.printed, *papers}

    found: dict[str, Headline] = {}
    for name in names:
        meant = {one.id: one for one in HEADLINES.values() if is_meant(one, name)}
        if not meant:
            also = "a bound that has none: --letter and --grid"
            raise UnknownNameError("rate", name, [*HEADLINES, *(h.printed for h in HEADLINES.values())], also=also)
        found |= meant
    return list(found.values()) or list(HEADLINES.values())


def measured_rates(asked: Sequence[Headline], progress: Progress | None = None) -> list[Attained]:
    """Return rates that are measured now, with `progress` called after each."""
    from boundcheck.rates import attain

    found = []
    for done, one in enumerate(asked, start=1):
        found.append(attain(one))
        if progress:
            progress(done, len(asked), done / len(asked))
    return found


def horizon_of_bound(name: str, problem: str | None, *, N: int, K: int, S: int | None) -> Horizon:
    """Return from which T on a bound beats the trivial one on a problem, by default the one of its paper."""
    from boundcheck.bounds import BOUNDS
    from boundcheck.evidence.trials.examples import example_of
    from boundcheck.rates import horizon

    bound = bound_object(name)
    made = problem_object(problem or example_of(BOUNDS.get(bound.id, bound)), N)
    return horizon(bound, made, K=K, S=S)
