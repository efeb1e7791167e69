"""What is run and compared: methods on problems, the constants of problems, code beside a method."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Any

from boundcheck.api.names import (
    bound_object,
    in_order,
    matching_name,
    method_object,
    problem_name,
    problem_object,
    whole,
    wholes,
)
from boundcheck.api.results import Results, setting_text
from boundcheck.errors import InputError, require

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boundcheck.bounds import Bound
    from boundcheck.conform import Comparison, CompressorCheck, IdentityResult, SamplerCheck
    from boundcheck.engine import Run
    from boundcheck.engine.setting import Setting
    from boundcheck.evidence.papers.assumptions import AssumptionAnswer
    from boundcheck.methods import Method
    from boundcheck.problems import Certificate, Problem
    from boundcheck.sweep.compare.contend import ComparisonQuestion, MethodComparison  # noqa: F401
    from boundcheck.sweep.recipes.experiment import Readout
    from boundcheck.sweep.run.estimate import Estimate
    from boundcheck.workers.progress import Progress


def simulate(
    problem: Problem | str,
    method: Method | str,
    *,
    N: float | None = None,
    K: float,
    T: float | Sequence[float],
    S: Any = None,
    b: float = 1,
    set_: Mapping[str, Any] | None = None,
    at: str | None = None,
    schedule: Mapping[str, str] | None = None,
    weight_decay: float = 0.0,
    lanes: Any = 16,
    seed: float = 0,
    metric: str | Sequence[str] | None = None,
    workers: int = 1,
    backend: str = "numpy",
    dtype: str = "float64",
    **options: Any,
) -> Run:
    """Simulate a method on a problem: the command `run`.

    Parameters
    ----------
    problem : Problem or str
        A problem; or its name or a path to a .toml file, with N beside it.  Names stand in any order.
    method : Method or str
        A method; or its name, with hyperparameters in `set_`.
    N, K : int
        Clients (those of a problem that is no name), local steps a round.
    T : int or sequence of int
        Rounds; or those of each lane.
    S, b : int
        Active clients a round (default all), minibatch.
    set_ : mapping, optional
        Hyperparameters of the method; with `at` parameters of that bound.
    at : str, optional
        A bound of the method: run at the steps that it prescribes here.
    schedule : mapping, optional
        The law of a hyperparameter's factor by round, such as ``{"eta": "0.99^t"}``.
    weight_decay : float
        Weight of |x|^2/2 added to every client's function; what is measured stays without it.
    lanes : int
        Replicates.
    seed : int
        Root seed.
    metric : str or sequence of str, optional
        What to measure; by default the squared gradient of f (of Phi for a minimax problem).
    workers : int
        Processes.
    backend, dtype : str
        What computes ("numpy" or "jax"), and the type of real numbers (float32 with jax only).
    **options
        Further ones of `boundcheck.engine.simulate`: metrics (the same as `metric`), quantities, points, block.

    Returns
    -------
    Run

    Raises
    ------
    InputError
        If a name, number or setting is not legal.

    Examples
    --------
    >>> import boundcheck as bc
    >>> run = bc.simulate("ridge-ratio", "fedavg", set_={"eta": 0.1}, N=4, K=2, T=50, lanes=4)
    >>> run.average("server_gradient").shape
    (4,)
    """
    from boundcheck.engine.setting import Setting
    from boundcheck.engine.simulate import simulate as run
    from boundcheck.methods import METHODS

    method, problem = in_order("method", method, problem, METHODS)
    loaded = problem_object(problem, N)
    size: dict[str, Any] = {"K": whole("K", K), "T": _many("T", T), "S": _many("S", S), "b": whole("b", b)}
    if at is None:
        made = method_object(method, set_)
    else:
        made = method_of_bound(bound_object(at), method, loaded, Setting.of(loaded, **size), set_ or {})
    require(metric is None or "metrics" not in options, "metrics", options.get("metrics"), "left out beside metric")
    measured = options.pop("metrics", None) or metric or [getattr(loaded, "usual_metric", "server_gradient")]
    options |= {
        "schedule": schedule,
        "weight_decay": weight_decay,
        "workers": workers,
        "backend": backend,
        "dtype": dtype,
    }
    metrics = [measured] if isinstance(measured, str) else measured
    return run(loaded, made, **size, lanes=_many("lanes", lanes), seed=whole("seed", seed), metrics=metrics, **options)


def _many(name: str, value: Any) -> Any:
    """Return a whole number, or a sequence of them as it is; 1e4 is one, too."""
    if value is None or (hasattr(value, "__len__") and not isinstance(value, str)):
        return value if value is None or not isinstance(value, (list, tuple)) else [whole(name, one) for one in value]
    return whole(name, value)


def method_of_bound(
    bound: Bound, method: Method | str, problem: Problem, setting: Setting, set_: Mapping[str, Any], where: str = "at"
) -> Method:
    """Return a bound's method at the steps that it prescribes on a problem.

    Parameters
    ----------
    bound : Bound
    method : Method or str
        The method that runs, which has to be the bound's.
    problem : Problem
    setting : Setting
    set_ : mapping
        Parameters of the bound in the place of the prescribed ones.
    where : str
        What an error calls the argument that names the bound.

    Raises
    ------
    InputError
        If the bound is about another method.
    NotApplicableError
        If the bound does not speak of the problem.
    """
    from boundcheck.evidence.trials.examples import initial_values
    from boundcheck.evidence.trials.trial import Trial

    asked = method if isinstance(method, str) else method.card.id
    require(bound.method == asked, where, bound.id, f"a bound of {asked}, not of {bound.method}")
    return Trial.of(bound, problem, setting, initial_values(bound, setting.N) | dict(set_)).method


def question_of(
    problem: str,
    *,
    N: int,
    K: int,
    T: int,
    S: int | None = None,
    b: int = 1,
    eps: float | None = None,
    seed: int = 0,
    replicates: int = 8,
    everyone: bool = False,
    read: Readout = "average",
) -> ComparisonQuestion:
    """Return what is compared where.

    Raises
    ------
    InputError
        If a number is not legal, or the run would be too large.
    """
    from boundcheck.limits import require_run
    from boundcheck.problems import load_problem
    from boundcheck.sweep.compare.contend import ComparisonQuestion

    legal = ("average", "apart", "late", "last", "time")
    require(read in legal, "read", read, ", ".join(legal))
    require(eps is None or 0 < eps < float("inf"), "eps", eps, "a number > 0")
    d = load_problem(problem, N=N).d
    require_run(N=N, d=d, S=S, K=K, b=b, T=T, replicates=replicates)
    return ComparisonQuestion(problem, N, K, T, S, b, eps, seed, replicates, everyone, read)


class MethodComparisons(Results["MethodComparison"]):
    """Methods side by side on a problem.

    Attributes
    ----------
    eps : float
        Gradient norm to which rounds are counted.
    """

    eps: float

    def data(self) -> list[dict[str, Any]]:
        """Return the methods as plain data, each with its looseness."""
        return [row | {"looseness": one.looseness} for row, one in zip(super().data(), self, strict=True)]


def compare(
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
    eps: float | None = None,
    every: bool = False,
    progress: Progress | None = None,
    beforehand: Callable[[str, Estimate], None] | None = None,
) -> MethodComparisons:
    """Put the guarantees of all methods that fit beside what they do: at the theorem's steps, and tuned.

    The theorem of a method is the one that promises most among those that are not false as printed.  The worst case is
    over all problems with the same constants.  Steps are tuned on seeds of their own.

    Parameters
    ----------
    problem : str
        Name of a problem, or a path to a .toml file.
    N, K, T, S, b : int
        Clients, local steps a round, rounds, active clients (default all), minibatch.
    seed, replicates : int
        Root seed; replicates, where a run is random.
    workers : int, optional
        Processes; by default one a core.
    read : str
        What methods are tuned for and how they are read: "average", "apart", "late", "last" or "time".
    eps : float, optional
        Gradient norm to reach; a tenth of that at the start when left out.
    every : bool
        Also methods of which no theorem speaks here.
    progress : callable, optional
        Called with (runs done, runs, share of the work).
    beforehand : callable, optional
        Called before long work with its name and an `Estimate` of seconds and megabytes.

    Returns
    -------
    MethodComparisons
        One `MethodComparison` a method, `eps`, and `frame`.

    Raises
    ------
    InputError
        If a name or number is not legal.

    Examples
    --------
    >>> import boundcheck as bc
    >>> found = bc.compare("ridge-ratio", N=2, K=1, T=10, workers=1)  # doctest: +SKIP
    >>> found.frame[["method", "guaranteed", "measured", "tuned"]]  # doctest: +SKIP
    """
    from boundcheck.sweep import Store
    from boundcheck.sweep.compare.contend import compare_methods

    name = problem_name(problem)
    at = wholes({"N": N, "K": K, "T": T, "S": S, "b": b, "seed": seed, "replicates": replicates})
    question = question_of(name, **at, eps=eps, everyone=every, read=read)
    with tempfile.TemporaryDirectory() as folder:
        rows, accuracy = compare_methods(
            question, Store(folder), workers=workers, progress=progress, beforehand=beforehand
        )
    found = MethodComparisons(rows, f"{name}, {setting_text({'N': at['N'], 'K': at['K'], 'T': at['T']})}")
    found.eps = accuracy
    return found


def certify(
    *problems: Problem | str,
    N: float = 8,
    seed: float = 0,
    workers: int | None = None,
    effort: int = 1,
    progress: Progress | None = None,
) -> Results[Certificate]:
    """Attack every claimed constant of problems and say attained over claimed.

    Parameters
    ----------
    *problems : Problem or str
        Problems or their names; all shipped ones when left out.
    N : int
        Clients, of problems by name.
    seed : int
        Seed of the attack's random starts.
    workers : int, optional
        Processes; by default one a core when there are more than one problem by name.
    effort : int
        How many times as many starts as usual.
    progress : callable, optional
        Called with (problems done, problems, share of the work).

    Returns
    -------
    Results of Certificate
        One a constant: `claimed`, `attained`, `ratio`, `ok`.

    Raises
    ------
    InputError
        If a name or number is not legal.

    Examples
    --------
    >>> import boundcheck as bc
    >>> all(one.ok for one in bc.certify("quadratic-tilt", N=2))
    True
    """
    from boundcheck.problems import certify as attack
    from boundcheck.problems import certify_named, instances

    clients, root = whole("N", N), whole("seed", seed)
    names = [problem_name(one) if isinstance(one, str) else one for one in problems] or [i.id for i in instances()]
    made = [problem_object(one, None) for one in names if not isinstance(one, str)]
    chosen = tuple(one for one in names if isinstance(one, str))
    found = [row for one in made for row in attack(one, seed=root, effort=effort)]
    if chosen:
        found += certify_named(chosen, N=clients, seed=root, effort=effort, workers=workers, progress=progress)
    return Results(found, f"constants of {len(names)} problem{'s' * (len(names) > 1)}")


def satisfies(problem: Problem | str, *names: str, N: float = 8) -> Results[AssumptionAnswer]:
    """Say which assumptions of the papers a problem satisfies: yes, no, on a ball, not known, or a question to a run.

    Parameters
    ----------
    problem : Problem or str
        A problem, its name, or a path to a .toml file.
    *names : str
        Assumptions (fedlalr.assumption3) or papers (fedlalr); all papers when left out.
    N : int
        Clients, of a problem by name.

    Returns
    -------
    Results of AssumptionAnswer
        Each with `assumption`, `status` and `reason`.

    Raises
    ------
    InputError
        If a name or number is not legal.

    Examples
    --------
    >>> import boundcheck as bc
    >>> bc.satisfies("ridge-ratio", "fedlalr.assumption1")[0].status
    'yes'
    """
    from boundcheck.bounds.assumptions import ASSUMPTIONS
    from boundcheck.evidence.papers.assumptions import satisfies as asked
    from boundcheck.evidence.papers.assumptions import satisfies_paper
    from boundcheck.notation import PAPERS

    loaded = problem_object(problem, N if isinstance(problem, str) else None)
    answers: list[AssumptionAnswer] = []
    for name in names or PAPERS:
        meant = matching_name("assumption or paper", name, [*PAPERS, *ASSUMPTIONS])
        answers += satisfies_paper(loaded, meant) if meant in PAPERS else [asked(loaded, meant)]
    return Results(answers, f"{loaded.name} at N = {loaded.N}")


def conform(
    *methods: str,
    against: Callable[..., Any] | str | None = None,
    method: str | None = None,
    set_: Mapping[str, Any] | None = None,
    tolerance: float | None = None,
    equal_sizes: bool = False,
    weights: str = "equal",
    schedule: Mapping[str, str] | None = None,
    compressor: Callable[..., Any] | str | None = None,
    omega: float | None = None,
    sampler: Callable[..., Any] | str | None = None,
) -> Results[IdentityResult] | Comparison | CompressorCheck | SamplerCheck:
    """Check that methods obey their identities, or an implementation of your own against ours.

    Parameters
    ----------
    *methods : str
        Names of methods; all when left out.
    against : callable or str, optional
        Your implementation, or ``file.py:function``, which is run; with `method`.  `boundcheck.conform.judge`
        asks it the identities of its method, too.
    method : str, optional
        The method that it implements.
    set_ : mapping, optional
        Hyperparameters of the comparison.
    tolerance : float, optional
        Agreement of the iterates relative to the largest one; 1e-9 when left out.
    equal_sizes : bool
        Leave out clients of different sizes, for a code that weights by n_i/n on purpose.
    weights : str
        Weights of our averages: "equal", or "sizes" for p_i = n_i/n.
    schedule : mapping, optional
        How a hyperparameter of ours falls from round to round.
    compressor, sampler : callable or str, optional
        A compressor of (x, rng), or a sampler of (N, S, t, rng), of your own: tested alone.
    omega : float, optional
        The relative variance that the compressor is to have at most.

    Returns
    -------
    Results of IdentityResult, Comparison, CompressorCheck or SamplerCheck

    Raises
    ------
    InputError
        If a name or number is not legal, or options do not go together.

    Examples
    --------
    >>> import boundcheck as bc
    >>> all(one.ok for one in bc.conform("fedavg"))
    True
    """
    from boundcheck.conform import (
        BATTERY,
        IDENTITIES,
        about,
        check_compressor,
        check_sampler,
        compare,
        run,
    )
    from boundcheck.conform.identity import TOLERANCE

    require(omega is None or compressor is not None, "omega", omega, "left out without compressor")
    if compressor is not None or sampler is not None:
        alone = not methods and against is None and method is None and (compressor is None or sampler is None)
        require(alone, "conform", "a compressor or a sampler beside others", "compressor or sampler alone")
        if compressor is not None:
            return check_compressor(function_of(compressor, "compressor"), omega=omega)
        return check_sampler(function_of(sampler, "sampler"))
    require(tolerance is None or 0 < tolerance < 1, "tolerance", tolerance, "a number in (0, 1)")
    if against is not None or method is not None:
        if against is None or method is None or methods:
            msg = "conform compares one implementation with one method: against=function, method=NAME"
            raise InputError(msg)
        settings = [one for one in BATTERY if not (equal_sizes and one.unequal)]
        options: dict[str, Any] = {"weights": weights, "schedule": dict(schedule or {})}
        options |= {"hyper": dict(set_ or {}), "settings": settings, "tolerance": tolerance or TOLERANCE}
        return compare(function_of(against, "against"), method=method_id(method), **options)
    words = "left out without against: identities have numbers, sizes and tolerances of their own"
    for name, value in (("set_", set_), ("tolerance", tolerance), ("equal_sizes", equal_sizes)):
        require(not value, name, value, words)
    found = {m: [i.id for i in about(method_id(m))] for m in methods}
    for name, ids in found.items():
        require(bool(ids), "method", name, "a method with identities of its own; code of yours goes to against")
    chosen = dict.fromkeys(i for ids in found.values() for i in ids) if methods else IDENTITIES
    return Results(run(chosen), f"identities of {', '.join(methods) or 'all methods'}")


def method_id(name: str) -> str:
    """Return the name of the method that is meant."""
    from boundcheck.methods import METHODS

    return matching_name("method", name, METHODS)


def function_of(target: Callable[..., Any] | str | None, option: str) -> Callable[..., Any]:
    """Return a function, or the one that ``module:function`` or ``file.py:function`` names, which is run.

    Raises
    ------
    InputError
        If it is no reference, or names no function.
    """
    import sys
    from pathlib import Path

    from boundcheck.files.own import is_reference, load_reference

    if not isinstance(target, str):
        require(callable(target), option, target, "a function, module:function or file.py:function")
        return target  # type: ignore[return-value]
    require(is_reference(target), option, target, "module:function or file.py:function")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    found: Any = load_reference("function", target, callable)[0]
    return found  # type: ignore[no-any-return]
