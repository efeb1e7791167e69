"""Worst cases over classes of problems, and the theorems that can be proved of them (extra `worst`)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from boundcheck.api.names import horizons, matching_name, method_object, wholes
from boundcheck.api.results import Results, several
from boundcheck.errors import InputError, UnknownNameError, require
from boundcheck.files.own import HINT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
    """Compute the worst case of a method over all problems of a class, from its own code (extra `worst`).

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
    from boundcheck.worst.stated.language import SUFFIX, read_file

    chosen = dict(set_ or {})
    if isinstance(name, str) and name.endswith(SUFFIX):
        for option, value in (("K", K), ("T", T), ("assume", assume), ("maximise", maximise)):
            require(value is None, option, value, f"left out with a file {SUFFIX}, which says all")
        return read_file(name, **chosen).worst()
    if K is None or T is None:
        msg = f"{name}: K and T have to be given, but for files {SUFFIX}"
        raise InputError(msg)
    rounds, many = horizons(T)
    size = wholes({"K": K, "N": N, "S": S, "b": b})
    require(maximise is not None or not assume, "assume", assume, "with maximise")
    require(maximise is None or schedule is None, "maximise", maximise, "left out with schedule")
    about = f"worst case of {name}"
    if maximise is not None:
        said = {"Delta": Delta, "Delta_mean": Delta_mean, "distance": distance, "zeta": zeta, "G_0": G_0, "pl": pl}
        for option, value in (said | {"S": S, "sigma": sigma or None}).items():
            require(value is None, option, value, "left out with maximise: assume says it")
        own = {"assume": list(assume or ()), "maximise": maximise, "L": L, "mu": mu, "N": size["N"], "K": size["K"]}
        stated = [case for _, case in own_words(str(name), rounds, own, chosen)]
        return several(stated, many, about)
    if Delta is None and Delta_mean is None and (distance is None or _is_minimax(name)):
        Delta = 1.0
    given = {"L": L, "Delta": Delta, "Delta_mean": Delta_mean, "zeta": zeta, "G_0": G_0, "sigma": sigma, "N": size["N"]}
    given |= {"mu": mu, "distance": distance, "everywhere": everywhere, "pl": pl}
    at = {"K": size["K"], "S": size["S"], "b": size["b"], "measure": measure, "given": given}
    if schedule is not None:
        from boundcheck.worst import best_schedule

        require(not many, "T", T, "one number of rounds with schedule")
        run = {key: value for key, value in at.items() if key != "given"}
        return best_schedule(method_object(name, chosen), schedule, T=rounds[0], **run, **given)
    found = [worst_at(name, chosen, T=one, **at)[1] for one in rounds]
    return several(found, many, about)


def own_words(
    name: str, T: Sequence[int], own: Mapping[str, Any], chosen: Mapping[str, Any]
) -> list[tuple[dict[str, str], StatedCase]]:
    """Return the worst cases of a method's run in own expressions, each with what is stated."""
    from boundcheck.worst.stated.language import read_text
    from boundcheck.worst.stated.methods import text_of_run

    found = []
    for rounds in T:
        text = text_of_run(name, T=rounds, chosen=dict(chosen), **own)
        stated = read_text(text, f"{name}/T={rounds}", where=f"worst case of {name} in own expressions")
        entries = {"stated": f"{own['maximise']} of {name}, K = {own['K']}, T = {rounds}, N = {own['N']}"}
        found.append((entries | {"assumed": "; ".join(own["assume"])}, stated.worst()))
    return found


def worst_at(
    name: Method | str,
    chosen: Mapping[str, Any],
    *,
    K: int,
    T: int,
    S: int | None,
    b: int,
    measure: str,
    given: Mapping[str, Any],
) -> tuple[Method, WorstCase]:
    """Return the worst case of one horizon, and the method that it is of.

    Raises
    ------
    UnknownNameError
        If the name is neither of a method nor of a bound.
    """
    from boundcheck.bounds import BOUNDS
    from boundcheck.evidence.search.extremes import tightness
    from boundcheck.methods import METHODS
    from boundcheck.worst import worst as solved

    at: dict[str, Any] = {"K": K, "T": T, "b": b, **given}
    if isinstance(name, str):
        name = _meant(name)
        if BOUNDS.suits(name):
            if "Delta_mean" in BOUNDS[name].needs and given["Delta_mean"] is None:
                at |= {"Delta": None, "Delta_mean": given["Delta"]}
            require(S in (None, given["N"]), "S", S, "left out: theorems are put beside worst cases of all clients")
            beside = tightness(name, overrides=dict(chosen), **at)
            return beside.method, beside.case
        if not METHODS.suits(name):
            raise UnknownNameError("method or bound", name, (*METHODS, *BOUNDS), also=HINT)
    method = method_object(name, chosen)
    return method, solved(method, S=S, measure=measure, **at)


def _meant(name: str) -> str:
    """Return the method or bound that is meant; a method's name is meant before a bound's ending."""
    from boundcheck.bounds import BOUNDS
    from boundcheck.methods import METHODS

    if name in METHODS or name in BOUNDS:
        return name
    return matching_name("method or bound", name, [*METHODS, *BOUNDS], also=HINT)


def _is_minimax(name: Method | str) -> bool:
    from boundcheck.methods import METHODS

    if isinstance(name, str):
        return name in METHODS and METHODS[name].card.kind == "minimax"
    return name.card.kind == "minimax"


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
    """Find the best theorem of one round for a method, and prove it over the rationals (extra `worst`).

    In units in which L = Delta = 1: the average of E|grad f(x_t)|^2 over T rounds is at most descent/T + zeta2 zeta^2 +
    sigma2 sigma^2 + G_0 times its factor.  It holds for every T.  With `all_steps` it is one theorem for one K and all
    steps eta up to a limit (or in a box); with `all_k` for every K and N, too.  With `mu` the clients are strongly
    convex, and it says by which factor |x_t - x_star|^2 or f(x_t) - f_star falls in a round.  delayed-sgd, dsgd, ef21
    and other names of `boundcheck.worst.theorems.described` have a theorem for every delay, mixing matrix or compressor
    with `all_steps` alone.

    Parameters
    ----------
    method : Method or str
        A method; or its name, with hyperparameters in `set_`.
    K, T : int
        Local steps a round (not with `all_k`); rounds for which the right-hand side is to be small.
    N, S : int
        Clients, active clients (default all).
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
        With `all_k`, and with `all_steps` of delayed-sgd, dsgd, ef21: the last value where |grad f|^2 >= 2 mu
        (f - f_star).
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
    size = wholes({"K": K, "T": T, "N": N, "S": S})
    if mu is not None:
        others: dict[str, Any] = {
            "T": T,
            "S": S,
            "G_0": G_0,
            "free": free,
            "up_to": up_to,
            "box": box,
            "within": within,
        }
        for name, chosen in (others | {"all_steps": all_steps, "all_k": all_k, "near": near, "pl": pl}).items():
            require(chosen is None or chosen is False, name, chosen, "left out with mu")
        require(K is not None, "K", K, "a number of local steps")
        return _contraction(
            method, set_, size, mu=mu, measured=measure or "distance", rate=rate, zeta=zeta, sigma=sigma
        )
    require(measure is None, "measure", measure, "left out: it goes with mu")
    require(rate is None, "rate", rate, "left out: it goes with mu")
    if all_steps and isinstance(method, str) and method in _described_rounds():
        others = {"K": K, "T": T, "S": S, "zeta": zeta, "G_0": G_0, "sigma": sigma or None, "set_": set_, "free": free}
        for name, chosen in (
            others | {"all_k": all_k or None, "box": box, "near": near or None, "within": within}
        ).items():
            require(chosen is None, name, chosen, f"left out: the theorem of {method} has no such choice")
        return _described(method, up_to, polyak=pl)
    require(not pl or (all_k and not near), "pl", pl, "left out: it goes with all_k, without near")
    if all_steps or all_k:
        asked = {"all_k": all_k, **size, "zeta": zeta, "G_0": G_0, "sigma": sigma, "set_": set_, "free": free}
        asked |= {"up_to": up_to, "box": _ranges(box), "near": near, "pl": pl}
        return _theorem_for_steps(method, **asked) if within is None else _cover(method, within, **asked)
    for name, value in (("up_to", up_to), ("box", box), ("near", near or None), ("within", within)):
        require(value is None, name, value, "left out: it goes with all_steps or all_k")
    require(K is not None, "K", K, "a number of local steps")
    require(T is not None, "T", T, "a number of rounds")

    from boundcheck.worst import ProblemClass, advised
    from boundcheck.worst import sharpen as found

    made = method_object(method, set_)
    at = {"K": size["K"], "T": size["T"], "S": size["S"]}
    at["given"] = ProblemClass(N=size["N"], zeta=zeta, G_0=G_0, sigma=sigma)
    return advised(made, free=list(free), **at) if free else found(made, **at)


def _contraction(
    method: Method | str, set_: Mapping[str, Any] | None, size: Mapping[str, Any], **asked: Any
) -> Contraction:
    """Return by which factor a round contracts."""
    from boundcheck.worst import contract

    return contract(method_object(method, set_), K=size["K"], N=size["N"], **asked)


def _described_rounds() -> Mapping[str, Any]:
    from boundcheck.worst.theorems.described.rounds import ROUNDS

    return ROUNDS


def _described(method: str, up_to: float | str | Fraction | None, *, polyak: bool) -> DescribedTheorem:
    """Return a theorem of a round that is stated by its hypotheses."""
    from boundcheck.worst.theorems.described.search import prove_described

    limit = None if up_to is None else fraction("up_to", up_to)
    require(limit is None or 0 < limit <= 1, "up_to", up_to, "a number in (0, 1], a share of what limits the step")
    return prove_described(_described_rounds()[method].round(limit, polyak=polyak))


def _theorem_for_steps(method: Method | str, **asked: Any) -> StepTheorem:
    """Return one theorem for all steps, or for all steps and K."""
    from boundcheck.worst import ProblemClass
    from boundcheck.worst.theorems.all_steps.sharpen import sharpen_all_k, sharpen_steps

    for name in ("T", "S", "free"):
        require(
            asked[name] is None, name, asked[name], "left out: the theorem is for every T, all clients and all steps"
        )
    made, box, K = _at_placeholders(method, asked), asked["box"], asked["K"]
    given = ProblemClass(N=asked["N"], Delta=1.0, zeta=asked["zeta"], G_0=asked["G_0"], sigma=asked["sigma"])
    if asked["all_k"]:
        require(K is None, "K", K, "left out: the theorem is for every K")
        require(not box, "box", box, "left out: with all_k the steps are all eta up to up_to/(K L)")
        limit = fraction("up_to", asked["up_to"] or "1/2")
        return sharpen_all_k(made, up_to=limit, given=given, few=not asked["near"], polyak=asked["pl"])
    require(K is not None, "K", K, "a number of local steps, or all_k")
    require(not asked["near"], "near", asked["near"], "left out: it goes with all_k")
    require(not asked["sigma"], "sigma", asked["sigma"], "0 with all_steps; theorems with noise are for all_k")
    return sharpen_steps(made, K=K, up_to=fraction("up_to", asked["up_to"] or "1"), box=box or None, given=given)


def _cover(method: Method | str, within: float, **asked: Any) -> list[StepTheorem]:
    """Return theorems that cover a box."""
    from boundcheck.worst.theorems.all_steps.cover import cover_steps

    legal = bool(asked["box"]) and not asked["all_k"]
    require(legal, "within", within, "left out: it goes with all_steps and box")
    require(asked["K"] is not None, "K", asked["K"], "a number of local steps")
    return cover_steps(_at_placeholders(method, asked), K=asked["K"], box=asked["box"], within=within / 100)


def _at_placeholders(method: Method | str, asked: Mapping[str, Any]) -> Method:
    """Return the method built: what the theorem is for all values of needs a value for that."""
    if not isinstance(method, str):
        return method
    values = dict(asked["set_"] or {})
    for name in ("eta", *asked["box"]):
        values.setdefault(name, float(asked["box"][name][1]) if name in asked["box"] else 0.125)
    return method_object(method, values)


def _ranges(box: Mapping[str, tuple[Any, Any]] | None) -> dict[str, tuple[Fraction, Fraction]]:
    for name, ends in (box or {}).items():
        require(len(ends) == 2, f"box: {name}", ends, "two numbers, low and high")
    return {name: (fraction("box", ends[0]), fraction("box", ends[1])) for name, ends in (box or {}).items()}


def fraction(where: str, value: Any) -> Fraction:
    """Return a decimal or a fraction, as 0.5 or "1/2".

    Raises
    ------
    InputError
        If it is none.
    """
    try:
        return Fraction(value.strip() if isinstance(value, str) else value)
    except (ValueError, ZeroDivisionError, TypeError, OverflowError):
        require(False, where, value, "a number or a fraction, as 0.5 or 1/2")  # noqa: FBT003
        raise
