"""Where a bound can be put on trial: a problem with its dials, a setting, legal parameters; and its neighbours."""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import math
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import sympy as sp

from boundcheck.bounds.orders import decay
from boundcheck.engine.setting import Setting
from boundcheck.errors import BoundcheckError, InputError
from boundcheck.evidence.trials.along import pair_measured
from boundcheck.evidence.trials.examples import chooses_horizons, initial_values, pinned_letters
from boundcheck.evidence.trials.fitting import kind_in
from boundcheck.evidence.trials.trial import Trial
from boundcheck.files.own import is_reference
from boundcheck.methods import METHODS
from boundcheck.notation import symbol
from boundcheck.problems import instance, load_problem
from boundcheck.problems.catalog import format_name, parameters, parse_name
from boundcheck.problems.families import FAMILIES
from boundcheck.problems.noise.models import NOISES
from boundcheck.problems.own.computed import with_own_letters
from boundcheck.problems.own.letters import ATTACKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy as np

    from boundcheck.bounds.bound import Bound
    from boundcheck.problems.base import Problem

_FACTORS = (0.01, 0.1, 0.5, 0.9, 1.1, 2.0, 10.0, 100.0)
"""What a number is multiplied by in a step."""
_COUNTS = (0.25, 0.5, 2.0, 4.0, 16.0)
"""What N, K and T are multiplied by."""
_SMALLEST = 0.1
"""What stands for a dial at 0, before it is multiplied."""
_OTHER_NOISE = 0.1
"""Share of the moves of a dial that change the law of the noise."""
_BISECTIONS = 40
_ODDS = (4, 16, 64)
"""Of which one sample has the large atom of skewed noise."""
_SAMPLES = 4
"""Samples of a minibatch where a search begins with several."""
_LARGEST = 64
"""Of the whole numbers of a problem, unless it has a larger one already."""
_NEAR = sorted({*range(1, 129), *(2**k + more for k in range(7, 15) for more in (-1, 0, 1))})
"""T that are tried where few are legal."""
_LATE, _LATE_RUNS = (30, 120, 480, 960), 12
"""Rounds of runs whose right-hand side is nearly gone, and such runs at most."""
_LITTLE_LEFT, _SOME_LEFT = 1e-6, 0.05
"""Share of the right-hand side of one round that is enough to stop, and one that is worth a run."""
_DIALS = ("zeta", "sigma", "start", "rho", "noise", "split", "bias")
"""Parameters of most families that decide whether a theorem is tight."""


@dataclass(frozen=True)
class TrialInstance:
    """A problem, a setting, and parameters of the bound in place of the prescribed ones."""

    problem: str
    N: int
    K: int
    T: int
    S: int | None = None
    overrides: tuple[tuple[str, float], ...] = ()
    b: int = 1

    def load(self) -> Problem:
        """Return the problem, made once a process."""
        return _load_cached(self.problem, self.N)

    def trial(self, bound: Bound) -> Trial:
        """Return the bound on this instance, letters that belong to a run at the values that always serve.

        Raises
        ------
        BoundcheckError
            If bound and problem do not go together here.
        """
        problem = self.load()
        return Trial.of(bound, problem, self.setting(problem), initial_values(bound, self.N) | dict(self.overrides))

    def trial_as_measured(self, bound: Bound, seed: int, replicates: int) -> Trial:
        """Return the bound on this instance, letters that belong to a run as measured.

        Raises
        ------
        BoundcheckError
            As `trial`.
        """
        if not bound.measured:
            return self.trial(bound)
        problem, chosen = self.load(), dict(self.overrides)
        return pair_measured(bound, problem, self.setting(problem), chosen, seed=seed, count=replicates)[0]

    def setting(self, problem: Problem) -> Setting:
        """Return the setting on a problem."""
        return Setting.of(problem, K=self.K, T=self.T, S=self.S, b=self.b)

    def command(self, bound: str, seed: int, *more: str) -> str:
        """Return the command line that repeats it."""
        letters = [f"--N {self.N}", f"--K {self.K}", f"--T {self.T}"] + ([f"--S {self.S}"] if self.S else [])
        letters += [f"--b {self.b}"] if self.b > 1 else []
        chosen = [f"--set {name}={value!r}" for name, value in self.overrides]
        return " ".join([f'boundcheck check {bound} "{self.problem}"', *letters, *chosen, f"--seed {seed}", *more])

    def data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return dataclasses.asdict(self) | {"overrides": dict(self.overrides)}


class OwnSlipError(InputError):
    """What a problem of the user's own raised where the search went; the error itself is its cause."""


@contextlib.contextmanager
def own_slips(name: str) -> Iterator[None]:
    """Make what a problem of the user's own raises a reason to leave its instance out.

    At the values that the search gives it, such as the coordinate 16 of 3, it need not be one.

    Raises
    ------
    OwnSlipError
        In the place of any other error.
    """
    try:
        yield
    except (BoundcheckError, ArithmeticError, MemoryError):
        raise
    except Exception as error:
        if not is_reference(parse_name(name)[0]):
            raise
        msg = f"{name}: {type(error).__name__}: {error}"
        raise OwnSlipError(msg) from error


@cache
def _load_cached(name: str, N: int) -> Problem:
    with own_slips(name):
        return load_problem(name, N=N)


def beginnings(bound: Bound, problems: list[str]) -> Iterator[TrialInstance]:
    """Yield instances over all problems: small ones first, every problem before the next size."""
    problems = [put_on_line(name, bound) for name in problems]
    sizes = ((2, 1, 4), (2, 4, 16), (1, 1, 1), (8, 2, 64), (2, 10, 1), (1, 1, 256), (4, 1, 1000))
    pins = pinned_letters(bound)
    some = METHODS[bound.method].card.partial
    several = "b" not in pins and speaks_of_minibatches(bound)
    if bound.exact_gradients:
        problems = [quiet(name) for name in problems]
    for N, K, T in sizes:
        for name in problems:
            whole = dataclasses.replace(TrialInstance(name, N, K, T), **pins)
            yield fit_horizon(whole, bound)
            if several:
                yield fit_horizon(dataclasses.replace(whole, b=_SAMPLES), bound)
            if some and whole.N > 1 and whole.S is None:
                yield fit_horizon(dataclasses.replace(whole, S=1), bound)


def late_runs(bound: Bound, problems: list[str]) -> Iterator[TrialInstance]:
    """Yield runs so long that a linear rate leaves next to nothing, where what stays for ever shows; one a problem.

    Parameters
    ----------
    bound : Bound
        Others than those with a linear rate have none.
    problems : list of str
    """
    try:
        if min(decay(bound, "T")) != math.inf:
            return
    except BoundcheckError:
        return
    pins = pinned_letters(bound)
    if "T" in pins:
        return
    found = 0
    for name in problems:
        at = dataclasses.replace(TrialInstance(quiet(name) if bound.exact_gradients else name, 2, 2, 1), **pins)
        with contextlib.suppress(BoundcheckError, ArithmeticError):
            first, late = at.trial(bound).evaluation.rhs, None
            for T in _LATE:
                late = dataclasses.replace(at, T=T)
                if (left := late.trial(bound).evaluation.rhs / first) < _LITTLE_LEFT:
                    break
            if late is not None and left < _SOME_LEFT:
                yield fit_horizon(late, bound)
                found += 1
        if found == _LATE_RUNS:
            return


def fit_horizon(at: TrialInstance, bound: Bound) -> TrialInstance:
    """Return an instance with the nearest T at which the conditions hold, of a theorem about few T."""
    if not chooses_horizons(bound):
        return at
    try:
        problem = with_own_letters(at.load(), bound.needs)
        given = problem.values_for(bound.needs) | {"d": problem.d} | initial_values(bound, at.N)
    except BoundcheckError:
        return at
    for T in sorted(_NEAR, key=lambda T: abs(math.log(T / at.T))):
        new = dataclasses.replace(at, T=T)
        try:
            letters = given | new.setting(problem).letters
            if all(checked.holds for checked in bound.check(bound.resolve(letters, dict(at.overrides)))):
                return new
        except BoundcheckError:
            continue
    return at


def quiet(name: str) -> str:
    """Return a problem without its noise, where its family has a dial for that."""
    # Dropout is no matter of sigma; saddles know no law called none.
    for off in ({"sigma": 0.0, "noise": "none"}, {"sigma": 0.0}):
        with contextlib.suppress(BoundcheckError):
            _load_cached(silent := with_dials(name, off), 2)
            return silent
    return with_dials(name, {"sigma": 0.0})


def put_on_line(name: str, bound: Bound) -> str:
    """Return a problem in one dimension, where it does not claim a letter of the user's own that the bound needs.

    There the letter can be computed.
    """
    own = [letter for letter in bound.needs if letter in ATTACKS]
    if not own:
        return name
    try:
        known = _load_cached(name, pinned_letters(bound).get("N", 2)).constants
    except BoundcheckError:
        return name
    return name if all(letter in known for letter in own) else with_dials(name, {"d": 1})


def with_dials(name: str, dials: Mapping[str, Any]) -> str:
    """Return a problem with other dials, of those that its family has."""
    base, chosen = parse_name(name)
    legal = parameters(FAMILIES[instance(base).family])
    return format_name(base, {**chosen, **{dial: value for dial, value in dials.items() if dial in legal}})


def dials_of(name: str) -> dict[str, Any]:
    """Return every parameter of a problem with the value that it has: chosen, of its page, or of its family."""
    base, chosen = parse_name(name)
    page = instance(base)
    family = FAMILIES[page.family]
    signature = inspect.signature(family).parameters
    defaults = {dial: signature[dial].default for dial in parameters(family)}
    known = {dial: value for dial, value in defaults.items() if value is not inspect.Parameter.empty}
    return {**known, **page.parameters, **chosen}


def neighbour_of(
    at: TrialInstance, bound: Bound, rng: np.random.Generator, *, prescribed: bool = False
) -> TrialInstance:
    """Return a neighbour: one to three letters, dials or parameters changed; if `prescribed`, choices alone."""
    letters = choices(bound) if prescribed else free(bound)
    parameter = partial(_parameter_moved, letters)
    for _ in range(int(rng.integers(1, 4))):
        moves = [_setting_moved, _dial_moved, _dial_moved] + ([parameter] * 2 if letters else [])
        at = moves[int(rng.integers(len(moves)))](at, bound, rng)
    return fit_horizon(dataclasses.replace(at, **pinned_letters(bound)), bound)


def free(bound: Bound) -> list[str]:
    """Return the parameters that can be moved, letters that belong to a run among them.

    A prescribed one on which the right-hand side does not depend is none: it is what it is where it is prescribed.
    """
    if bound.rigid:
        return choices(bound)
    named = {symbol.name for expression in bound.terms.values() for symbol in expression.free_symbols}
    for name, expression in reversed(list(bound.parameters.items())):
        named |= {symbol.name for symbol in expression.free_symbols} if name in named else set()
    some = [name for name in bound.parameters if name in {*bound.free, *named} or bound.derived]
    return [letter for letter in (*some, *bound.measured) if letter not in bound.definitions]


def choices(bound: Bound) -> list[str]:
    """Return the parameters that the theorem leaves to the user, letters that belong to a run among them."""
    return [letter for letter in (*bound.free, *bound.measured) if letter not in bound.definitions]


def speaks_of_minibatches(bound: Bound) -> bool:
    """Return whether a bound has minibatches elsewhere than in sigma^2/b, the variance of one."""
    b, sigma = symbol("b"), symbol("sigma")
    said = [*bound.terms.values(), *bound.parameters.values(), *(c.relation for c in bound.conditions)]
    with_b = (e for e in said if b in e.free_symbols)
    return any(b in sp.simplify(e.subs(sigma, sigma * sp.sqrt(b))).free_symbols for e in with_b)


def _setting_moved(at: TrialInstance, bound: Bound, rng: np.random.Generator) -> TrialInstance:
    letter = str(rng.choice(["N", "K", "T", "T", "S", *(["b", "b"] if speaks_of_minibatches(bound) else [])]))
    if letter == "S":
        some = METHODS[bound.method].card.partial and at.N > 1
        return dataclasses.replace(at, S=int(rng.integers(1, at.N + 1)) if some else None)
    value = max(1, round(getattr(at, letter) * float(rng.choice(_COUNTS))))
    value = min(value, _LARGEST) if letter == "b" else value
    at = dataclasses.replace(at, **{letter: value})
    return dataclasses.replace(at, S=None if at.S is None else min(at.S, at.N))


def _dial_moved(at: TrialInstance, _: Bound, rng: np.random.Generator) -> TrialInstance:
    """Multiply one number of the problem, or set it to 0."""
    base, chosen = parse_name(at.problem)
    legal = parameters(FAMILIES[instance(base).family])
    if "noise" in legal and rng.random() < _OTHER_NOISE:
        law: dict[str, Any] = {"noise": str(rng.choice(NOISES))}
        if law["noise"] in {"none", "dropout"}:
            law["sigma"] = 0.0
        if law["noise"].endswith("skewed") and "odds" in legal:
            law["odds"] = int(rng.choice(_ODDS))
        return dataclasses.replace(at, problem=format_name(base, {**chosen, **law}))
    names = [name for name, kind in legal.items() if kind in (float, int)]
    names += [name for name in _DIALS if name in names]
    if not names:
        return at
    name = str(rng.choice(names))
    value = dials_of(at.problem).get(name)
    if legal[name] is int:
        whole = round((value or 1) * float(rng.choice(_COUNTS)))
        most = max(_LARGEST, value or 1)
        return dataclasses.replace(at, problem=format_name(base, {**chosen, name: min(max(whole, 1), most)}))
    value = value or _SMALLEST
    new = 0.0 if rng.random() < 1 / len(_FACTORS) else _round_number(value * float(rng.choice(_FACTORS)))
    return dataclasses.replace(at, problem=format_name(base, {**chosen, name: new}))


def _parameter_moved(letters: list[str], at: TrialInstance, bound: Bound, rng: np.random.Generator) -> TrialInstance:
    """Multiply one of some parameters, put it where its conditions just hold, or leave it as prescribed."""
    name = str(rng.choice(letters))
    chosen, kind = dict(at.overrides), kind_in(bound, name)
    try:
        trial = at.trial(bound)
    except BoundcheckError:
        return dataclasses.replace(at, overrides=())
    draw = rng.random()
    if draw < 1 / len(_FACTORS):
        chosen.pop(name, None)
    elif draw < 0.5 and name in bound.parameters:
        chosen[name] = largest_legal(trial, name, chosen)
    else:
        chosen[name] = kind.nearest(
            _round_number((trial.evaluation.values[name] or _SMALLEST) * float(rng.choice(_FACTORS)))
        )
    return dataclasses.replace(at, overrides=tuple(sorted(chosen.items())))


def largest_legal(trial: Trial, name: str, chosen: Mapping[str, float]) -> float:
    """Return about the largest value of a parameter at which all conditions hold, the other chosen ones as they are."""
    kind = kind_in(trial.bound, name)
    low = trial.evaluation.values[name] or _SMALLEST
    high = 2.0 * low
    for _ in range(_BISECTIONS):
        if high > kind.high or not _is_legal(trial, {**chosen, name: high}):
            break
        low, high = high, 2.0 * high
    for _ in range(_BISECTIONS):
        middle = (low * high) ** 0.5
        legal = middle <= kind.high and _is_legal(trial, {**chosen, name: middle})
        low, high = (middle, high) if legal else (low, middle)
    if kind.whole:
        return max(kind.low, float(math.floor(low * (1 + 1e-9))))
    # A little below the edge, so that the number is legal as it is printed.
    return float(f"{low * (1 - 1e-9):.9g}")


def _is_legal(trial: Trial, chosen: Mapping[str, float]) -> bool:
    bound = trial.bound
    given = {letter: value for letter, value in trial.evaluation.values.items() if letter not in bound.parameters}
    try:
        return all(checked.holds for checked in bound.check(bound.resolve(given, chosen)))
    except BoundcheckError:
        return False


def _round_number(value: float) -> float:
    return float(f"{value:.4g}")
