"""Worst cases over classes of problems, and the theorems that can be proved of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from boundcheck.api.results import Results, several
from boundcheck.api.sharpening import ranges, sharpen_as_asked
from boundcheck.api.worst_cases import read_question

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from boundcheck.methods.base import Method
    from boundcheck.worst import BestSchedule, Contraction, Sharpened, StepTheorem, WorstCase
    from boundcheck.worst.stated import StatedCase
    from boundcheck.worst.theorems.described.search import DescribedTheorem


def worst(
    name: Method | str,
    *,
    K: float | None = None,
    T: float | Sequence[float] | None = None,
    N: float = 2,
    S: float | None = None,
    b: float = 1,
    L: float = 1.0,
    mu: float | None = None,
    Delta: float | None = None,
    Delta_mean: float | None = None,
    distance: float | None = None,
    zeta: float | None = None,
    G_0: float | None = None,
    sigma: float = 0.0,
    pl: float | None = None,
    everywhere: bool = False,
    measure: str = "average",
    assume: Sequence[str] | None = None,
    maximise: str | None = None,
    set_: Mapping[str, Any] | None = None,
    schedule: str | None = None,
) -> WorstCase | StatedCase | BestSchedule | Results[WorstCase] | Results[StatedCase]:
    """Compute the worst case of a method over all problems of a class, from its own code.

    A semidefinite programme proposes the upper side and its proof over the rationals; the lower side is a function on
    which the engine measures what is said to be attained.  The verdict is exact (proved, and attained to 1e-6), proved
    (from above), numerical (a solver's number), infinite (with a function that shows it) or undecided.

    Parameters
    ----------
    name : Method or str
        A method; or its name, with hyperparameters in `set_`; or a bound, whose method runs at the prescribed
        parameters; or a file ``FILE.worst`` that states a worst case in own words, its given(...) from `set_`.
    K, T : int
        Local steps a round; rounds, one number or several.
    N, S, b : int
        Clients, active clients (default all), minibatch.
    L, mu, sigma : float
        Smoothness, smallest curvature (0 is convex; -L when left out), additive noise of one sample.
    Delta, Delta_mean, distance : float, optional
        Most that f(x_0) - f_star, the mean of f_i(x_0) - inf f_i, or |x_0 - x_star| may be; by default Delta = 1.
    zeta, G_0, pl : float, optional
        Heterogeneity at the server points; mean of |grad f_i(x_0)|^2; Polyak-Lojasiewicz constant.
    everywhere : bool
        Let zeta hold at every x.
    measure : str
        Left-hand side: average, best, last, local, value, suboptimality, centre, distance or drift.
    assume, maximise : sequence of str and str, optional
        A left-hand side in own words, and the relations that hold.
    set_ : mapping, optional
        Hyperparameters of a method, or parameters of a bound in place of the prescribed ones.
    schedule : str, optional
        A hyperparameter of a method: find its values, round by round, whose worst case is least.

    Returns
    -------
    WorstCase (or StatedCase, of own words; BestSchedule with `schedule`)
        One, or `Results` with one a horizon where T is a sequence.

    Raises
    ------
    InputError
        If a name or number is not legal, or options do not go together.
    NotApplicableError
        If the method's code cannot run on Gram coordinates, or the extra is missing.

    Examples
    --------
    >>> import boundcheck as bc
    >>> case = bc.worst("fedavg", set_={"eta": 0.5}, K=1, T=1, N=1)
    >>> case.verdict
    'exact'
    """
    asked: dict[str, Any] = {"K": K, "T": T, "N": N, "S": S, "b": b, "L": L, "mu": mu, "sigma": sigma, "pl": pl}
    asked |= {"Delta": Delta, "Delta_mean": Delta_mean, "distance": distance, "zeta": zeta, "G_0": G_0}
    asked |= {"everywhere": everywhere, "measure": measure, "assume": assume, "maximise": maximise}
    asked |= {"set_": set_, "schedule": schedule}
    question = read_question(name, asked)
    if question.kind == "file":
        return question.stated().worst()
    if question.kind == "schedule":
        return question.best_schedule()
    many, about = hasattr(T, "__iter__"), f"worst case of {name}"
    if question.kind == "expressions":
        stated = [one.worst() for _, one in question.expressions()]
        return several(stated, many, about)
    found = [case for _, case in question.cases()]
    return several(found, many, about)


def sharpen(
    method: Method | str,
    *,
    K: float | None = None,
    T: float | None = None,
    N: float = 2,
    S: float | None = None,
    zeta: float | None = None,
    G_0: float | None = None,
    sigma: float = 0.0,
    mu: float | None = None,
    measure: Literal["distance", "value"] | None = None,
    rate: float | None = None,
    set_: Mapping[str, Any] | None = None,
    free: Sequence[str] | None = None,
    all_steps: bool = False,
    all_k: bool = False,
    up_to: float | str | Fraction | None = None,
    box: Mapping[str, tuple[Any, Any]] | None = None,
    near: bool = False,
    pl: bool = False,
    within: float | None = None,
) -> Sharpened | StepTheorem | list[StepTheorem] | Contraction | DescribedTheorem:
    """Find the best theorem of one round for a method, and prove it over the rationals.

    In units in which L = Delta = 1: the average of E|grad f(x_t)|^2 over T rounds is at most descent/T + zeta2 zeta^2 +
    sigma2 sigma^2 + G_0 times its factor.  It holds for every T.  With `all_steps` it is one theorem for one K and all
    steps eta up to a limit (or in a box); with `all_k` for every K and N, too.  With `mu` the clients are strongly
    convex, and it says by which factor |x_t - x_star|^2 or f(x_t) - f_star falls in a round.  ``delayed-sgd``,
    ``dsgd``, ``ef21`` and other names of `boundcheck.worst.theorems.described` have theorems for every delay, mixing
    matrix or compressor: `all_steps` alone, or with `pl`.

    Parameters
    ----------
    method : Method or str
        A method; or its name, with hyperparameters in `set_`.
    K, T : int
        Local steps a round (not with `all_k`); rounds for which the right-hand side is to be small.
    N, S : int
        Clients, active clients (default all); with `all_k` S below N asks for every number of active clients.
    zeta, G_0, sigma : float
        Heterogeneity, mean of |grad f_i(x_0)|^2, noise of one sample: what the choice among theorems weighs.
    mu, measure, rate : float, {'distance', 'value'} and float, optional
        Strong convexity of every client; what falls, by default the distance; a factor in the place of the least one.
    set_ : mapping, optional
        Hyperparameters of the method, in units in which L = 1.
    free : sequence of str, optional
        Hyperparameters to choose, from the values of `set_` on.
    all_steps, all_k : bool
        One theorem for all steps at this K; for all steps, every K and every N.
    up_to : number or str, optional
        The largest eta K L: by default 1, with `all_k` 1/2.
    box : mapping, optional
        Ranges of hyperparameters for `all_steps`, each a pair of numbers or fractions.
    near : bool
        With `all_k`: factors that are polynomials, near the best theorem of each K and step.
    pl : bool
        With `all_k`, and with `all_steps` of ``delayed-sgd``, ``dsgd`` and ``ef21``: by which factor f(x_t) - f_star
        falls under the Polyak-Lojasiewicz condition, mu a letter.
    within : float, optional
        With `box`: cover it by boxes, each at most so many percent above the best one-round theorems.

    Returns
    -------
    Sharpened, StepTheorem, a list of StepTheorem with `within`, Contraction with `mu`, or DescribedTheorem

    Raises
    ------
    InputError
        If a name or number is not legal, or options do not go together.
    NotApplicableError
        If no such theorem is found, or the extra is missing.

    Examples
    --------
    >>> import boundcheck as bc
    >>> theorem = bc.sharpen("fedavg", set_={"eta": 0.25}, K=1, T=10)
    >>> theorem.is_best
    True
    """
    asked: dict[str, Any] = {"K": K, "T": T, "N": N, "S": S, "zeta": zeta, "G_0": G_0, "sigma": sigma, "mu": mu}
    asked |= {"measure": measure, "rate": rate, "set_": set_, "free": free, "all_steps": all_steps, "all_k": all_k}
    asked |= {"up_to": up_to, "box": ranges(box), "near": near, "pl": pl, "within": within}
    return sharpen_as_asked(method, asked)
