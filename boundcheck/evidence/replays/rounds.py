"""A method's own rounds as lines of numpy: its code runs on expressions, by an oracle that spells what is asked."""

from __future__ import annotations

import copy
import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.evidence.replays.expressions import RESERVED, Expression, UnspelledError
from boundcheck.methods.schedule import factor

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.evidence.replays.expressions import ScriptPage
    from boundcheck.evidence.trials.trial import Trial
    from boundcheck.metrics import Metric
    from boundcheck.problems.penalty import Penalty

_WISHES = ("y", "z", "u", "w")
"""Names of what local steps carry."""


class SpelledProblem:
    """What a left-hand side may ask of a problem, spelled: `grad` and `value` are functions of the script."""

    is_minimax = online = False

    def __init__(self, page: ScriptPage, trial: Trial) -> None:
        self._page, self._problem = page, trial.problem
        self.N, self.d, self.name = page.N, page.d, trial.problem.name

    @property
    def penalty(self) -> Penalty:
        """Return h."""
        return self._problem.h

    def exact_gradient(self, y: Expression) -> Expression:
        """Return the clients' gradients."""
        return self._page.add(lambda a: f"grad({a})", (y,), rows=self.N)

    def mean_gradient(self, x: Expression) -> Expression:
        """Return grad f."""
        g = self.exact_gradient(x)
        return g if self.N == 1 else g.mean(1, keepdims=True)

    def value(self, x: Expression) -> Expression:
        """Return f, one number a run."""
        return self._page.add(lambda a: f"value({a})", (x,))

    def sum_value(self, x: Expression) -> Expression:
        """Return F = f + h, one number a run, of a point in the box."""
        l1 = self._problem.h.l1
        return self.value(x) + l1 * abs(x).sum((1, 2)) if l1 else self.value(x)

    @property
    def x_star(self) -> Expression | None:
        """Return the minimiser by its name in the script."""
        return None if self._problem.x_star is None else self._page.leaf("x_star")

    def constant(self, letter: str) -> float:
        """Return a constant; values are counted from f_star."""
        if letter == "F_star":
            return self._problem.constant(letter) - self._problem.constant("f_star")
        return 0.0 if letter == "f_star" else self._problem.constant(letter)


class _RoundFunctions:
    """The functions of numpy that a round asks `Oracle.xp` for."""

    def __init__(self, page: ScriptPage) -> None:
        self._page = page

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def spell(*arguments: Any, **options: Any) -> Any:
            if not any(isinstance(one, Expression) for one in arguments):
                return getattr(np, name)(*arguments, **options)
            return self._page.call(name, *arguments, **options)

        return spell


class SpellingOracle:
    """The oracle of a script: of client vectors all N rows, of which `on` says who is active."""

    levels = 0
    weights_add_up = True

    def __init__(self, page: ScriptPage, trial: Trial, observe: Callable[[Expression], None]) -> None:
        setting = trial.setting
        self._page, self._observe = page, observe
        self._problem = SpelledProblem(page, trial)
        self.N, self.S, self.K, self.b = setting.N, setting.S, setting.K, setting.b
        self.xp = _RoundFunctions(page)
        self._first = np.arange(page.d) < (trial.problem.blocks or (page.d,))[0]
        self._is_noisy = trial.problem.noise.sigma > 0
        self._is_listed = not trial.problem.samples_are_noise
        self.has_noise = self.has_samples = self.has_minimisers = False

    @property
    def _some(self) -> bool:
        return self.S < self.N

    def observe(self, y: Expression, weight: Any = 1.0) -> None:
        """Show the local points to the left-hand side."""
        self._observe(y)

    def draw(self, b: int | None = None) -> Expression | None:
        """Return a sample: its noise, the same wherever it is evaluated, or its number."""
        if not (self._is_noisy or self._is_listed):
            return None
        if (self.b if b is None else b) > 1:
            msg = "a minibatch of several samples"
            raise UnspelledError(msg)
        if self._is_listed:
            self.has_samples = True
            return self._page.add(lambda: "draw()", (), rows=self.N)
        self.has_noise = True
        return self._page.add(lambda: "noise()", (), rows=self.N)

    def grad(self, y: Expression, batch: Expression | None) -> Expression:
        """Return the clients' gradients on a sample."""
        if batch is None:
            return self.full(y)
        if self._is_listed:
            return self._page.add(lambda a, s: f"sample({a}, {s})", (y, batch), rows=self.N)
        return self.full(y) + batch

    def full(self, y: Expression) -> Expression:
        """Return the clients' exact gradients."""
        return self._problem.exact_gradient(y)

    full_all = full

    def alone(self, x: Expression, client: int) -> Expression:
        """Return one client's gradient."""
        i = client % self.N
        return self._page.add(lambda a: f"grad({a})[:, {i}:{i + 1}]", (x,), rows=1)

    def prox(self, v: Expression, step: Any) -> Expression:
        """Return where the l1 norm and the box move a point."""
        h, call = self._problem.penalty, self._page.call
        if h.l1:
            v = call("sign", v) * call("maximum", abs(v) - step * h.l1, 0.0)
        return call("clip", v, -h.box, h.box) if np.isfinite(h.box) else v

    def client_prox(self, v: Expression, step: Any) -> Expression:
        """Return the clients' minimisers, which a function of the script finds by descent."""
        self.has_minimisers = True
        return self._page.add(lambda a, s: f"nearest({a}, {s})", (v, step), rows=self.N)

    def initial(self, x0: Expression, b: int) -> Expression:
        """Return gradients before the first round."""
        return self.grad(x0, self.draw(b))

    def value(self, x: Expression) -> Expression:
        """Return f at a server point."""
        return self._problem.value(x)[:, None, None]

    def uniform(self, *shape: int) -> Expression:
        """Return uniform numbers."""
        return self._page.add(lambda: f"rng.random(({', '.join(map(str, (self._page.lanes, *shape)))}))", (), rows=1)

    def mean(self, v: Expression, *, free: bool = False) -> Expression:
        """Return the average over the active clients."""
        if not self._some:
            return self.mean_all(v)
        return self._page.add(lambda a: f"(on*({a})).sum(1, keepdims=True)/{self.S}", (v,), 2, 1)

    def mean_all(self, v: Expression) -> Expression:
        """Return the average over all clients."""
        return v if self.N == 1 else v.mean(1, keepdims=True)

    def mix(self, v: Expression, weights: Any) -> Expression:
        """Return the neighbours' averages."""
        return self._page.add(lambda W, a: f"{W} @ {a}", (np.asarray(weights, float), v), 2, self.N)

    def largest(self, v: Expression) -> Expression:
        """Return the largest entries."""
        if self._some:
            msg = "largest entries of sampled clients"
            raise UnspelledError(msg)
        return v.max(1, keepdims=True)

    def to_clients(self, x: Expression, *, free: bool = False) -> Expression:
        """Return the server's vector in every row."""
        if self.N == 1 or x.rows == self.N:
            return x
        return self._page.add(lambda a: f"np.repeat({a}, {self.N}, 1)", (x,), rows=self.N)

    def to_all(self, x: Expression) -> Expression:
        """Return the same for a memory."""
        return self.to_clients(x)

    def active(self, memory: Expression) -> Expression:
        """Return the memory: all rows are there."""
        return memory

    def remember(self, memory: Expression, rows: Expression) -> Expression:
        """Return the memory with the rows of the active clients."""
        return self._page.call("where", self._page.leaf("on"), rows, memory) if self._some else rows

    def blockwise(self, x: Any, y: Any) -> Any:
        """Return x on the min block and y on the max block."""
        if isinstance(x, Expression) or isinstance(y, Expression):
            return self._page.call("where", 1.0 * self._first, x, y)
        return np.where(self._first, x, y)

    def fori(self, step: Callable[[Any, Any], Any], carry: Any, steps: int | None = None) -> Any:
        """Return what is left after a loop."""
        count = self.K if steps is None else steps
        if count == 1:
            return step(0, carry)
        names = [self._page.fresh(_WISHES[n % len(_WISHES)]) for n in range(len(leaves(carry)))]
        assign(self._page, names, leaves(carry))
        rows = [getattr(one, "rows", 0) for one in leaves(carry)]
        inside = [self._page.leaf(name, n) for name, n in zip(names, rows, strict=True)]
        with self._page.loop(f"for k in range({count}):"):
            made = step(self._page.leaf("k"), rebuilt(carry, inside))
            assign(self._page, names, leaves(made))
        return rebuilt(carry, inside)


def leaves(value: Any) -> list[Any]:
    """Return the vectors of a state or a carry."""
    return [inner for one in value for inner in leaves(one)] if isinstance(value, tuple) else [value]


def rebuilt(value: Any, parts: list[Any]) -> Any:
    """Return a state or a carry of the same shape with other vectors, taken from the front."""
    rest = list(parts)

    def build(one: Any) -> Any:
        if not isinstance(one, tuple):
            return rest.pop(0)
        inner = [build(part) for part in one]
        return type(one)(*inner) if hasattr(one, "_fields") else tuple(inner)

    return build(value)


def assign(page: ScriptPage, names: list[str], values: list[Any]) -> None:
    """Give names their values at once; a name that keeps its value is left out."""
    pairs = [
        (n, v) for n, v in zip(names, values, strict=True) if not (isinstance(v, Expression) and page.text(v) == n)
    ]
    if pairs:
        left = ", ".join(name for name, _ in pairs)
        page.do(lambda *texts: f"{left} = {', '.join(texts)}", *(value for _, value in pairs))


def spell_run(page: ScriptPage, trial: Trial, *, named: bool) -> SpellingOracle:
    """Add the lines of a run, what the left-hand side sees in `seen`, or in `found` at its end.

    Parameters
    ----------
    page : ScriptPage
    trial : Trial
    named : bool
        Whether hyperparameters stand by their names, which a method that branches on their values does not allow.

    Returns
    -------
    SpellingOracle
        What was asked, so that the script knows what it needs.
    """
    metric, setting = trial.metric, trial.setting
    problem = SpelledProblem(page, trial)
    x = page.leaf(page.fresh("x"), 1)

    def observe(y: Expression) -> None:
        if metric.local:
            _see(page, metric.measure(problem, y, x))  # type: ignore[arg-type]

    oracle = SpellingOracle(page, trial, observe)
    method, laws = _plain(trial), dict(getattr(trial.method, "laws", ()))
    numbers = real_fields(method) if named else []
    assert not set(laws) - set(numbers) or not laws, "a law needs its letter"
    for name in numbers:
        object.__setattr__(method, name, page.leaf(page.fresh(name)))
    started = method.init(oracle, x)
    names = [page.fresh(name) if name != "x" else name for name in _names(started)]
    assign(page, names, leaves(started))
    rows = [getattr(one, "rows", 0) for one in leaves(started)]
    state = rebuilt(started, [page.leaf(name, n) for name, n in zip(names, rows, strict=True)])
    with page.loop(f"for t in range({setting.T}):"):
        if setting.S < setting.N:
            who = f"np.tile(np.arange({setting.N}) < {setting.S}, ({page.lanes}, 1))"
            page.do(lambda: f"on = rng.permuted({who}, axis=1)[..., None]")
        for name, law in laws.items():
            first = repr(float(getattr(trial.method, name)))
            page.do(lambda name=name, first=first, law=law: f"{name} = {first}*{_law(law)}")
        if metric.over == "centre":
            _see(page, state.x)
        elif metric.over in {"mean", "least"} and not metric.local:
            _see(page, metric.measure(problem, state.x, state.x))  # type: ignore[arg-type]
        assign(page, names, leaves(method.round(oracle, state)))
    _conclude(page, metric, problem, method, state, setting.T)
    return oracle


def _conclude(page: ScriptPage, metric: Metric, problem: Any, method: Any, state: Any, T: int) -> None:
    """Add the line that makes one number of what was seen."""
    growth = f", weights={1.0 + metric.growth!r}**-np.arange({T})" if metric.growth else ""
    if metric.over == "mean":
        found: Any = page.leaf(f"np.average(seen, 0{growth}).mean()" if growth else "np.mean(seen)")
    elif metric.over == "least":
        found = page.leaf("np.min(seen, 0).mean()")
    elif metric.over == "centre":
        page.do(lambda: f"x = np.average(seen, 0{growth})")
        found = metric.measure(problem, state.x, state.x)
    else:
        found = metric.at_end(problem, method, state)
    page.do(lambda a: f"found = {a}", found)


def _see(page: ScriptPage, what: Any) -> None:
    page.do(lambda a: f"seen.append({a})", what)


def _plain(trial: Trial) -> Any:
    """Return a copy of the method, without laws, whose numbers may be replaced."""
    if not getattr(trial.method, "laws", ()):
        return copy.copy(trial.method)
    cls: Any = type(trial.method).__mro__[1]
    return cls(**{f.name: getattr(trial.method, f.name) for f in dataclasses.fields(cls)})


def real_fields(method: Any) -> list[str]:
    """Return the hyperparameters that are real numbers, but for those whose names a script has for something else."""
    numbers = (f.name for f in dataclasses.fields(method) if isinstance(getattr(method, f.name), (float, np.floating)))
    return [name for name in numbers if name not in RESERVED]


def _names(state: Any) -> list[str]:
    """Return a name for every vector of a state."""
    names = []
    for wish, part in zip(state._fields, state, strict=True):
        inner = leaves(part)
        names += [wish] if not isinstance(part, tuple) else [f"{wish}{n}" for n in range(len(inner))]
    return names


def _law(law: str) -> str:
    """Return a law of the schedule in Python's words, which must be right at t = 1."""
    text = law.replace(" ", "").replace("^", "**")
    text = f"({text})" if text.startswith("1-") else text
    assert abs(eval(text, {}, {"t": 1}) - factor(law, 1)) < 1e-12
    return text
