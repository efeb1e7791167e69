"""Worst cases over classes of problems, and the theorems that can be proved of them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from boundcheck.api.names import horizons, matching_name, method_object, wholes
from boundcheck.api.results import Results, several
from boundcheck.errors import InputError, UnknownNameError, require
from boundcheck.files.own import HINT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boundcheck.methods.base import Method
    from boundcheck.worst import BestSchedule, Contraction, Sharpened, StepTheorem, WorstCase
    from boundcheck.worst.stated import StatedCase
    from boundcheck.worst.theorems.described.rounds import Kind
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
        name = _resolve_name(name)
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


def _resolve_name(name: str) -> str:
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
    asked |= {"up_to": up_to, "box": _ranges(box), "near": near, "pl": pl, "within": within}
    return sharpen_as_asked(method, asked)


def sharpen_as_asked(
    method: Method | str, asked: Mapping[str, Any], option: Callable[[str], str] = str
) -> Sharpened | StepTheorem | list[StepTheorem] | Contraction | DescribedTheorem:
    """Return what `sharpen` returns; `asked` are its arguments by name, `option` what errors call each of them."""
    asked = {**asked, **wholes({name: asked[name] for name in ("K", "T", "N", "S")})}

    def leave_out(names: Sequence[str], legal: str) -> None:
        for name in names:
            # Boxes that were not given are an empty table.
            value = asked[name] if asked[name] is not False and asked[name] != {} else None
            value = [f"{key}={low}:{high}" for key, (low, high) in value.items()] if isinstance(value, dict) else value
            require(value is None, option(name), value, legal)

    def need(name: str, legal: str) -> None:
        require(asked[name] is not None, option(name), asked[name], legal)

    from boundcheck.worst.theorems.described.search import prove_described

    one, every = option("all_steps"), option("all_k")
    if asked["mu"] is not None:
        names = ("T", "S", "G_0", "free", "up_to", "box", "within", "all_steps", "all_k", "near", "pl")
        leave_out(names, f"left out with {option('mu')}")
        need("K", "a number of local steps")
        return _find_contraction(method, asked)
    leave_out(("measure", "rate"), f"left out: it goes with {option('mu')}")
    if asked["all_steps"] and (kind := _round_of(method)) is not None:
        none = f"left out: the theorem of {method} has no such choice"
        leave_out(("K", "T", "S", "zeta", "G_0", "free", "all_k", "box", "near", "within"), none)
        for given in ("sigma", "set_"):
            require(not asked[given], option(given), asked[given], none)
        limit = None if asked["up_to"] is None else fraction(option("up_to"), asked["up_to"])
        share = "a number in (0, 1], a share of what limits the step"
        require(limit is None or 0 < limit <= 1, option("up_to"), asked["up_to"], share)
        return prove_described(kind.round(limit, polyak=asked["pl"]))
    if not asked["all_k"]:
        leave_out(("pl",), f"left out: it goes with {every}, or {one} of delayed-sgd, dsgd and ef21")
    elif asked["pl"]:
        leave_out(("near",), f"left out with {option('pl')}: its factors are few constants")
    if not (asked["all_steps"] or asked["all_k"]):
        leave_out(("up_to", "box", "near", "within"), f"left out: it goes with {one} or {every}")
        need("K", "a number of local steps")
        need("T", "a number of rounds")
        return _find_for_round(method, asked)
    if asked["within"] is not None:
        legal = bool(asked["box"]) and not asked["all_k"]
        require(legal, option("within"), asked["within"], f"left out: it goes with {one} and {option('box')}")
        need("K", "a number of local steps")
        return _cover(method, asked)
    leave_out(("T", "S", "free"), "left out: the theorem is for every T, all clients and all steps")
    if asked["all_k"]:
        leave_out(("K",), "left out: the theorem is for every K")
        leave_out(("box",), f"left out: with {every} the steps are all eta up to {option('up_to')}/(K L)")
    else:
        need("K", f"a number of local steps, or {every}")
        leave_out(("near",), f"left out: it goes with {every}")
        require(
            not asked["sigma"], option("sigma"), asked["sigma"], f"0 with {one}; theorems with noise are for {every}"
        )
    return _find_for_steps(
        method, asked, fraction(option("up_to"), asked["up_to"] or ("1/2" if asked["all_k"] else "1"))
    )


def _round_of(method: Method | str) -> Kind | None:
    """Return the round that is stated by its hypotheses, of a method that has one."""
    from boundcheck.worst.theorems.described.rounds import ROUNDS

    return ROUNDS.get(method.lower() if isinstance(method, str) else method.card.id)


def _find_for_round(method: Method | str, asked: Mapping[str, Any]) -> Sharpened:
    """Return the best theorem of one round."""
    from boundcheck.worst import ProblemClass, advised
    from boundcheck.worst import sharpen as find

    made = method_object(method, asked["set_"])
    at = {"K": asked["K"], "T": asked["T"], "S": asked["S"]}
    at["given"] = ProblemClass(N=asked["N"], zeta=asked["zeta"], G_0=asked["G_0"], sigma=asked["sigma"])
    return advised(made, free=list(asked["free"]), **at) if asked["free"] else find(made, **at)


def _find_contraction(method: Method | str, asked: Mapping[str, Any]) -> Contraction:
    """Return by which factor a round contracts."""
    from boundcheck.worst import contract

    at = {name: asked[name] for name in ("K", "N", "mu", "rate", "zeta", "sigma")}
    return contract(method_object(method, asked["set_"]), measured=asked["measure"] or "distance", **at)


def _find_for_steps(method: Method | str, asked: Mapping[str, Any], up_to: Fraction) -> StepTheorem:
    """Return one theorem for all steps, or for all steps and K."""
    from boundcheck.worst import ProblemClass
    from boundcheck.worst.theorems.all_steps.sharpen import sharpen_all_k, sharpen_steps

    made = _at_placeholders(method, asked)
    given = ProblemClass(N=asked["N"], Delta=1.0, zeta=asked["zeta"], G_0=asked["G_0"], sigma=asked["sigma"])
    if asked["all_k"]:
        return sharpen_all_k(made, up_to=up_to, given=given, few=not asked["near"], polyak=asked["pl"])
    return sharpen_steps(made, K=asked["K"], up_to=up_to, box=asked["box"] or None, given=given)


def _cover(method: Method | str, asked: Mapping[str, Any]) -> list[StepTheorem]:
    """Return theorems that cover a box."""
    from boundcheck.worst.theorems.all_steps.cover import cover_steps

    made, within = _at_placeholders(method, asked), asked["within"] / 100
    return cover_steps(made, K=asked["K"], box=asked["box"], within=within)


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
