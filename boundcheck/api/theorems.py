"""What is asked of a theorem: does it hold, how loose is it, which steps, which rate, who refutes it."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, overload

from boundcheck.api.names import (
    bound_name,
    horizons,
    in_order,
    problem_name,
    problem_object,
    whole,
    wholes,
)
from boundcheck.api.results import Results, Verdicts, setting_text, several
from boundcheck.errors import InputError, require

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

    from boundcheck.bounds import Bound
    from boundcheck.evidence import Verdict
    from boundcheck.evidence.checks.survey import SurveyLine
    from boundcheck.evidence.search.refutation import Refutation
    from boundcheck.evidence.slack.waterfall import Waterfall
    from boundcheck.problems import Problem
    from boundcheck.reviews import Review
    from boundcheck.sweep.compare.step_choices import StepChoice
    from boundcheck.sweep.recipes.experiment import Readout
    from boundcheck.workers.progress import Progress


PATHS = 4096
"""Paths of a run up to which it is enumerated: that of `boundcheck.engine.exact`, which would import numpy."""
_HORIZONS = 6
"""Horizons that are drawn up to a single one."""


class CheckOptions(TypedDict, total=False):
    """What `check` takes beside bound, problem, K and T."""

    N: float | None
    S: float | None
    b: float
    set_: Mapping[str, Any] | None
    vary: Mapping[str, Sequence[Any]] | None
    alpha: float
    replicates: float
    budget: float
    seed: float
    paths: float
    overrides: Mapping[str, Any] | None


@overload
def check(
    bound: Bound | str, problem: Problem | str, *, K: float, T: float, **options: Unpack[CheckOptions]
) -> Verdict: ...
@overload
def check(
    bound: Bound | str, problem: Problem | str, *, K: float, T: Sequence[float], **options: Unpack[CheckOptions]
) -> Verdicts: ...
def check(
    bound: Bound | str,
    problem: Problem | str,
    *,
    N: float | None = None,
    K: float,
    T: float | Sequence[float],
    S: float | None = None,
    b: float = 1,
    set_: Mapping[str, Any] | None = None,
    vary: Mapping[str, Sequence[Any]] | None = None,
    alpha: float = 0.05,
    replicates: float = 16,
    budget: float = 256,
    seed: float = 0,
    paths: float = PATHS,
    overrides: Mapping[str, Any] | None = None,
) -> Verdict | Verdicts:
    """Check a bound on a problem: measured against the right-hand side, with an error rate.

    A run with few equally likely paths is enumerated and the expectation compared exactly.  Otherwise replicates are
    added, doubling, until the verdict is clear or the budget is spent.  A pair that does not go together gives the
    verdict "not applicable" with the reason.  A bound of order only is neither violated nor does it hold: a lower limit
    of its hidden constant is given, and with at least three values of T how the ratio grows along them.

    Parameters
    ----------
    bound : Bound or str
        A bound, its name, or ``file.py:NAME``.
    problem : Problem or str
        A problem; or its name or a path to a .toml file, with N beside it.  Names stand in any order.
    N, K : int
        Clients (those of a problem that is no name), local steps a round.
    T : int or sequence of int
        Rounds: one number, or several horizons, which share the error rate.
    S, b : int
        Active clients a round (default all), minibatch.
    set_ : mapping, optional
        Parameters of the bound to use in place of the prescribed ones (`overrides` is its older name).
    vary : mapping, optional
        Problem parameters that run along with T, each with one value a horizon; for a problem by name.
    alpha : float
        Error rate.
    replicates, budget : int
        Replicates of the first stage, and at most.
    seed : int
        Root seed.
    paths : int
        Paths of a run up to which it is enumerated for an exact verdict; 0 never.

    Returns
    -------
    Verdict or Verdicts
        One verdict, or one a horizon where T is a sequence.

    Raises
    ------
    InputError
        If a name, number or setting is not legal.

    Examples
    --------
    >>> import boundcheck as bc
    >>> found = bc.check("momentum-fl.theorem11", "common", N=2, K=1, T=[512, 1024])
    >>> [one.verdict for one in found]
    ['holds', 'holds']
    """
    from boundcheck.bounds import BOUNDS
    from boundcheck.evidence.checks.series import check_series

    require(not set_ or not overrides, "overrides", overrides, "left out beside set_, its present name")
    bound, problem = in_order("bound", bound, problem, BOUNDS)
    rounds, many = horizons(T)
    size = wholes({"K": K, "S": S, "b": b})
    procedure = {"alpha": alpha, **wholes({"replicates": replicates, "budget": budget, "seed": seed, "paths": paths})}
    N = _require_legal(problem, N, size, rounds, alpha, max(procedure["replicates"], procedure["budget"]))
    varied = _split_variations(vary, len(rounds))
    chosen = {**(set_ or overrides or {})}
    found, shape = check_series(bound, problem, N=N, T=rounds, varied=varied, overrides=chosen, **size, **procedure)
    if not many:
        return found[0]
    verdicts = Verdicts(found, f"{found[0].bound} on {found[0].problem}")
    verdicts.shape = shape
    return verdicts


def _require_legal(
    problem: Problem | str, N: float | None, size: Mapping[str, Any], T: Sequence[int], alpha: float, replicates: int
) -> int:
    """Refuse what no run can be made of, before anything runs; return the clients."""
    from boundcheck.engine.simulate import require_problem
    from boundcheck.limits import LEAST_ALPHA, require_run

    require(LEAST_ALPHA <= alpha < 1, "alpha", alpha, f"a number in [{LEAST_ALPHA:.0e}, 1)")
    found = problem_object(problem, N)
    require_problem(found)
    require_run(N=found.N, d=found.d, S=size["S"], K=size["K"], b=size["b"], T=max(T), replicates=replicates)
    return found.N


def _split_variations(vary: Mapping[str, Sequence[Any]] | None, count: int) -> list[dict[str, Any]]:
    """Return one dictionary of problem parameters for each of `count` runs."""
    for name, values in (vary or {}).items():
        require(len(values) == count, f"vary: {name}", list(values), f"one value for each of the {count} values of T")
    return [{name: values[i] for name, values in (vary or {}).items()} for i in range(count)]


def plot(
    bound: Bound | str,
    problem: str,
    output: str | Path | None = None,
    *,
    N: float,
    K: float,
    T: float | Sequence[float],
    S: float | None = None,
    b: float = 1,
    replicates: float = 16,
    seed: float = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Figure:
    """Draw a check: measured, the bound with the shares of its terms, and the trivial bound, along T.

    Parameters
    ----------
    bound, problem : str
        Names, in any order.
    output : str or Path, optional
        Also write the picture to this file, in .png, .svg or .pdf.
    N, K, S, b : int
        Clients, local steps a round, active clients (default all), minibatch.
    T : int or sequence of int
        Rounds: several horizons, or the longest of six.
    replicates, seed : int
        Replicates of every horizon, root seed.
    workers : int, optional
        Processes; by default one a core.
    progress : callable, optional
        Called with (runs done, runs, share of the work).

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    InputError
        If a name or number is not legal, or there is nothing to draw.

    Examples
    --------
    >>> import boundcheck as bc
    >>> figure = bc.plot("momentum-fl.theorem11", "ridge-ratio", N=4, K=2, T=[8, 16, 32], replicates=4, workers=1)
    >>> len(figure.axes) > 0
    True
    """
    from boundcheck.bounds import BOUNDS
    from boundcheck.limits import require_run
    from boundcheck.report.plots import figures
    from boundcheck.sweep import Recipe, Store, Study, run_and_collect

    rounds, many = horizons(T)
    size = wholes({"N": N, "K": K, "S": S, "b": b, "replicates": replicates, "seed": seed})
    require(size["replicates"] >= 2, "replicates", replicates, "an integer >= 2")
    target = None if output is None else figures.image_path("output", output)
    bound, problem = in_order("bound", bound, problem, BOUNDS)
    rounds = sorted(set(rounds)) if many and len(rounds) > 1 else horizons_up_to(rounds[0])
    loaded = problem_object(problem, size["N"])
    require_run(
        N=size["N"], d=loaded.d, S=size["S"], K=size["K"], b=size["b"], T=max(rounds), replicates=size["replicates"]
    )
    active = None if S is None else [size["S"]]
    name = bound if isinstance(bound, str) else bound.id
    study = Study("plot", "plot", problem, [name], [size["N"]], [size["K"]], rounds, S=active, b=size["b"])
    recipe = Recipe("plot", study=[study], seed=size["seed"], replicates=size["replicates"])
    with tempfile.TemporaryDirectory() as folder:
        (result,) = run_and_collect(recipe, Store(folder), workers=workers, progress=progress)
    if all(point.measured is None for point in result.points):
        msg = f"nothing to draw: {result.points[0].verdicts[name].reason}"
        raise InputError(msg)
    figure = figures.bound_figure(result)
    if target is not None:
        figures.save(figure, target)
    return figure


def horizons_up_to(longest: int) -> list[int]:
    """Return horizons, evenly spaced on a logarithmic axis, of which the last is `longest`."""
    ratio = min(10.0**0.5, float(longest) ** (1 / max(_HORIZONS - 1, 1)))
    return sorted({max(1, round(longest / ratio**i)) for i in range(_HORIZONS)})


def steps(
    bound: str,
    problem: str,
    *,
    N: float,
    K: float,
    T: float,
    S: float | None = None,
    b: float = 1,
    seed: float = 0,
    replicates: float = 8,
    workers: int | None = None,
    read: Readout = "average",
    progress: Progress | None = None,
) -> Results[StepChoice]:
    """Compare four choices of steps: prescribed, best allowed by the bound, best provable, best measured.

    The best provable steps are those at which the best theorem of one round promises most over all problems with the
    same constants.  The best measured ones are tuned on seeds of their own.

    Parameters
    ----------
    bound, problem : str
        Names, in any order.
    N, K, T, S, b : int
        Clients, local steps a round, rounds, active clients (default all), minibatch.
    seed, replicates : int
        Root seed; replicates, where a run is random.
    workers : int, optional
        Processes; by default one a core.
    read : str
        What is tuned for and shown: "average", "apart", "late", "last" or "time".
    progress : callable, optional
        Called with (runs done, runs, share of the work).

    Returns
    -------
    Results of StepChoice
        Each with its `steps`, what is `promised` at them and `measured`, and a `note` where something is missing.

    Raises
    ------
    InputError
        If a name or number is not legal.

    Examples
    --------
    >>> import boundcheck as bc
    >>> found = bc.steps("momentum-fl.theorem11", "common", N=2, K=2, T=40, workers=1)
    >>> [one.choice for one in found]
    ['prescribed', 'best allowed by the bound', 'best provable', 'best measured']
    """
    from boundcheck.api.methods import question_of
    from boundcheck.bounds import BOUNDS
    from boundcheck.sweep import Store
    from boundcheck.sweep.compare.step_choices import step_choices

    bound, problem = in_order("bound", bound, problem, BOUNDS)
    at = wholes({"N": N, "K": K, "T": T, "S": S, "b": b, "seed": seed, "replicates": replicates})
    question = question_of(problem, **at, read=read)
    with tempfile.TemporaryDirectory() as folder:
        found = step_choices(bound, question, Store(folder), workers=workers, progress=progress)
    return Results(found, f"{bound} on {problem}, {setting_text({'N': at['N'], 'K': at['K'], 'T': at['T']})}")


def refute(
    bound: Bound | str,
    problem: str | None = None,
    *,
    budget: float = 60.0,
    work: float | None = None,
    alpha: float = 0.05,
    seed: float = 0,
    keep: str | Path | None = None,
    progress: Progress | None = None,
) -> Refutation:
    """Look for an instance on which a bound is false: worst functions, shipped problems, dials, sizes, parameters.

    What the search finds is confirmed on replicates that it has not seen.

    Parameters
    ----------
    bound : Bound or str
        A bound, its name, or ``file.py:NAME``.
    problem : str, optional
        A problem, or a family ``file.py:FAMILY``: only it is searched, its parameters being dials.
    budget : float
        Seconds of searching at most.
    work : float, optional
        Local steps of searching, by default 12000 for each second of the budget; the same work and seed find the same.
    alpha : float
        Error rate of the whole search.
    seed : int
        Root seed.
    keep : path, optional
        A .toml file for the problem that is found, which every command takes in the place of a name.
    progress : callable, optional
        Called with (steps spent, steps, share of the work).

    Returns
    -------
    Refutation

    Raises
    ------
    InputError
        If a name or number is not legal.

    Examples
    --------
    >>> import boundcheck as bc
    >>> found = bc.refute("fedlalr.corollary2", work=2_000)
    >>> found.verdict in {"violated", "not contradicted"}
    True
    """
    from pathlib import Path

    from boundcheck.evidence.search.refute import refute as search

    bound = bound_name(bound) if isinstance(bound, str) else bound
    problem = problem_name(problem) if problem else None
    options: dict[str, Any] = {"budget": budget, "work": work, "alpha": alpha, "seed": whole("seed", seed)}
    return search(bound, problem=problem, keep=None if keep is None else Path(keep), progress=progress, **options)


def review(
    bound: Bound | str,
    *,
    proof: str | Path | None = None,
    alpha: float = 0.05,
    seed: float = 0,
    work: float = 360_000,
    budget: float = 120.0,
    progress: Progress | None = None,
) -> Review:
    """Ask of a theorem what a reviewer asks, at problems and settings that meet its assumptions.

    Can the conditions be met; do the units fit; from which horizon on does it say anything; is it so where it is
    measured; does a search find a violation, or how near does it come; how much of the right-hand side does the worst
    problem of its class reach; is the promised rate seen; is there a proof; and what was not asked.

    Parameters
    ----------
    bound : Bound or str
        A theorem, its name, or ``file.py:NAME``.
    proof : path, optional
        A claim file (.toml) with its proof; it runs no code.
    alpha : float
        Error rate of what is measured, and of the search.
    seed : int
        Root seed.
    work : float
        Local steps of the search.
    budget : float
        Seconds of the wall at most; what they cut off stands in `Review.unasked`. Beside the main thread, and on
        Windows, a question that has begun is finished.
    progress : callable, optional
        Called with (questions answered, questions, share of the time).

    Returns
    -------
    Review

    Raises
    ------
    InputError
        If a number is not legal, the bound leaves a hyperparameter of its method open, or the claim file is not legal.

    Examples
    --------
    >>> import boundcheck as bc
    >>> found = bc.review("field.gd-convex", work=4_000)
    >>> found.verdict, found.status.status
    ('holds', 'not contradicted')
    """
    from boundcheck.reviews import review as ask

    bound = bound_name(bound) if isinstance(bound, str) else bound
    return ask(bound, proof=proof, alpha=alpha, seed=whole("seed", seed), work=work, budget=budget, progress=progress)


def tightness(
    bound: str,
    *,
    K: float | None = None,
    T: float | Sequence[float] = (4,),
    N: float | None = None,
    b: float = 1,
    L: float = 1.0,
    zeta: float | None = None,
    G_0: float | None = None,
    sigma: float = 0.0,
    mu: float | None = None,
    pl: float | None = None,
    distance: float | None = None,
    problem: str | None = None,
    set_: Mapping[str, Any] | None = None,
) -> Waterfall | Results[Waterfall]:
    """Show where a bound's slack comes from, level by level, in one class at its own parameters.

    What the engine measures on the problem of the audit, the worst case over all problems of the class, the best
    theorem of one round, the right-hand side; the printed form stands beside.  Delta is 1, or Delta_mean where the
    bound is about that.

    Parameters
    ----------
    bound : str
        Name of a bound.
    K, N : int, optional
        Local steps a round, clients; by default 2, or what the theorem says.
    T : int or sequence of int
        Rounds; a number alone gives one waterfall.
    b : int
        Minibatch.
    L, sigma : float
        Smoothness of every client, additive noise of one sample.
    zeta, G_0 : float, optional
        Heterogeneity, where the bound needs it (zeta is 1 when both are left out); mean of |grad f_i(x_0)|^2.
    mu, pl, distance : float, optional
        Of bounds about strongly convex functions (L/10), the Polyak-Lojasiewicz inequality (L/10), |x_0 - x_star| (1).
    problem : str, optional
        What is measured; a shipped problem or a file.
    set_ : mapping, optional
        Parameters of the bound in place of the prescribed ones.

    Returns
    -------
    Waterfall or Results of Waterfall

    Raises
    ------
    InputError
        If a name or number is not legal.
    NotApplicableError
        If there is no worst case of the bound's method, or the extra is missing.

    Examples
    --------
    >>> import boundcheck as bc
    >>> found = bc.tightness("momentum-fl.theorem11", K=1, T=2)
    >>> [stage.name for stage in found.stages]
    ['measured', 'worst case', 'sharpened', 'right-hand side']
    """
    from boundcheck.bounds import BOUNDS
    from boundcheck.evidence.slack.waterfall import waterfall
    from boundcheck.evidence.trials.examples import pinned_letters

    bound = bound_name(bound)
    rounds, many = horizons(T)
    needs, pins = set(BOUNDS[bound].needs), pinned_letters(BOUNDS[bound])
    at: dict[str, Any] = {"K": whole("K", K) if K else pins.get("K", 2), "b": whole("b", b)}
    if zeta is None and G_0 is None and {"zeta", "G_0"} & needs:
        zeta = 1.0
    given: dict[str, Any] = {"N": whole("N", N) if N else pins.get("N", 2), "L": L, "sigma": sigma, "zeta": zeta}
    given |= {"G_0": G_0, "problem": problem}
    given |= {name: v for name, v in (("mu", mu), ("pl", pl), ("distance", distance)) if v is not None}
    found = [waterfall(bound, T=one, overrides=dict(set_ or {}), **at, **given) for one in rounds]
    return several(found, many, bound)


def bounds(
    *names: str,
    problem: str | None = None,
    N: float = 8,
    K: float = 4,
    set_: Mapping[str, float] | None = None,
) -> Results[SurveyLine]:
    """Say of bounds whether their conditions can be met, whether units fit, exponents, and when they say anything.

    Parameters
    ----------
    *names : str
        Names of bounds; all when left out.
    problem : str, optional
        Where to look for the horizon from which a bound beats the trivial one; by default one a paper.
    N, K : int
        Clients and local steps a round there.
    set_ : mapping, optional
        Letters to fix while asking whether the conditions can be met.

    Returns
    -------
    Results of SurveyLine

    Raises
    ------
    InputError
        If a name is not known.

    Examples
    --------
    >>> import boundcheck as bc
    >>> (found,) = bc.bounds("momentum-fl.theorem11")
    >>> found.feasible
    True
    """
    from boundcheck.bounds import BOUNDS
    from boundcheck.evidence.checks.survey import survey

    chosen = tuple(map(bound_name, names)) or tuple(BOUNDS)
    at = {**(set_ or {})}
    require_letters(at, chosen)
    size = wholes({"N": N, "K": K})
    return Results((survey(BOUNDS[name], problem, at=at, **size) for name in chosen), f"{len(chosen)} bounds")


def require_letters(at: Mapping[str, Any], names: Sequence[str]) -> None:
    """Refuse letters that no chosen bound has: fixing them would change nothing.

    Raises
    ------
    InputError
        If a letter is not known, or its value is no number >= 0.
    """
    from boundcheck.bounds import BOUNDS
    from boundcheck.errors import UnknownNameError

    legal = {"N", "S", "K", "T", "b", "d"}
    for bound in map(BOUNDS.__getitem__, names):
        legal |= {*bound.needs, *bound.measured, *bound.parameters}
    for letter, value in at.items():
        if letter not in legal:
            raise UnknownNameError("letter", letter, legal)
        ok = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < float("inf")
        require(ok, f"--set {letter}", value, "a number >= 0")
