"""The bench that identities are checked on: small problems, stepping by hand, and the two ways of comparing."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np

from boundcheck.conform.identity import Deviation
from boundcheck.engine.oracle import LaneOracle
from boundcheck.methods import METHODS
from boundcheck.problems.data.mlp import Perceptron
from boundcheck.problems.synthetic.ncsc_ridge import RidgeSaddle
from boundcheck.problems.synthetic.quadratic import Quadratic
from boundcheck.problems.synthetic.ridge import Ridge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from boundcheck.methods import Method
    from boundcheck.problems.base import Array, Problem, Token

Make: TypeAlias = "Callable[[int], Method]"
"""A method for a given number of local steps K."""
Pair: TypeAlias = "tuple[Any, Any]"
"""The left and the right-hand side of an equation."""

ROUNDING = 1e-11
LIMIT = 1e-5
SEED = 3


def use(name: str, **numbers: Any) -> Make:
    """Return the registered method with these hyperparameters, whatever K is."""
    return lambda K: method(name, **numbers)


def method(name: str, **numbers: Any) -> Method:
    """Return the registered method with these hyperparameters."""
    cls: Any = METHODS[name]
    made: Method = cls(**numbers)
    return made


def noisy(**changed: Any) -> Ridge:
    """Return five clients that differ by tilts, with noise that changes with the point."""
    one = changed.get("N") == 1
    return Ridge(**{"N": 5, "d": 3, "zeta": 0.0 if one else 0.8, "sigma": 0.7, "noise": "phases", **changed})


def alone() -> Ridge:
    """Return the noisy problem with one client."""
    return noisy(N=1)


def signs() -> Ridge:
    """Return the problem with noise that is the same at every point."""
    return noisy(noise="signs")


def calm(**changed: Any) -> Ridge:
    """Return the problem without noise, the clients differing by a tilt."""
    return noisy(sigma=0.0, noise="none", **changed)


def alike() -> Ridge:
    """Return the problem without noise, all clients equal."""
    return calm(zeta=0.0)


def curved(start: float = 1.0) -> Quadratic:
    """Return four quadratic clients with curvatures of their own, without noise; the minimiser is 0."""
    return Quadratic(N=4, d=2, mu=0.4, L=1.6, spread=1.0, zeta=1.0, noise="none", start=start)


def saddle(N: int = 3, sigma: float = 0.7, zeta: float = 1.0) -> RidgeSaddle:
    """Return a noisy heterogeneous minimax problem, three coordinates against two; its saddle point is 0."""
    return RidgeSaddle(N=N, d1=3, d2=2, zeta_pair=zeta if N > 1 else 0.0, sigma=sigma, start_y=0.5)


def network(N: int = 5) -> Perceptron:
    """Return clients that share a network with two hidden layers, on real data (the extra `data`)."""
    return Perceptron(N=N, data="wine", width=3, depth=2)


class Bench(LaneOracle):
    """An oracle that keeps the sampled gradients it returned and the minibatches it drew in the running round."""

    def __init__(self, problem: Problem, *, S: int, K: int, keys: Sequence[tuple[int, ...]], seed: int = SEED) -> None:
        super().__init__(problem, S=S, K=K, b=1, seed=seed, keys=keys, observers=[])
        self.lanes = len(keys)
        self.seen: list[Array] = []
        self.drawn: list[Token] = []

    def begin_round(self, x: Array) -> None:
        """Forget the last round and draw the active clients."""
        self.seen, self.drawn = [], []
        super().begin_round(x)

    def draw(self, b: int | None = None) -> Token:
        """Keep the minibatch."""
        self.drawn.append(super().draw(b))
        return self.drawn[-1]

    def grad(self, y: Array, batch: Token) -> Array:
        """Keep a copy of the gradients."""
        g = super().grad(y, batch)
        self.seen.append(g.copy())
        return g


AnyBench = TypeVar("AnyBench", bound=Bench)


class Round(NamedTuple):
    """One round of a run, for laws that every round obeys."""

    before: Any
    """State before."""
    after: Any
    """State after."""
    seen: Sequence[Array]
    """Gradients of the active clients in the order they were asked for, each (lanes, S, d)."""
    bench: Bench
    problem: Any
    t: int

    @property
    def gradient(self) -> Array:
        """Return the mean of the round's gradients over steps and clients, (lanes, 1, d)."""
        return over_clients(self.own)

    @property
    def own(self) -> Array:
        """Return every active client's mean gradient over the steps, (lanes, S, d); nan if none was asked for."""
        mean: Array = np.mean(self.seen, axis=0) if self.seen else np.full_like(self.before.x, np.nan)
        return mean


def over_clients(v: Array) -> Array:
    """Return the mean over clients, (lanes, 1, d)."""
    mean: Array = v.mean(axis=1, keepdims=True)
    return mean


class StandIn(Protocol):
    """Somebody's implementation, which takes the place of a registered method on both sides of an identity."""

    def takes(self, made: Method) -> bool:
        """Return whether it stands for this method."""

    def rounds(
        self, problem: Problem, made: Method, *, K: int, S: int, T: int, lanes: int, late: bool, begin: Any
    ) -> Iterator[Round]:
        """Yield what `stepped` yields, with its iterates in the place of ours."""


STAND_IN: ContextVar[StandIn | None] = ContextVar("stand-in", default=None)
"""Who runs in the place of a registered method; nobody by default."""


def rounds(
    problem: Problem,
    make: Make,
    *,
    K: int = 3,
    S: int | None = None,
    T: int = 4,
    lanes: int = 2,
    late: bool = False,
    begin: Callable[[Any], Any] | None = None,
) -> Iterator[Round]:
    """Step a method by hand, or who stands in its place.

    Parameters
    ----------
    problem, make, K, S, T, lanes
        What to run; all clients take part by default.
    late : bool
        Spend the minibatch that other methods spend before the first round.
    begin : callable, optional
        Changes the first state.
    """
    S = problem.N if S is None else S
    made, other = make(K), STAND_IN.get()
    if other is not None and other.takes(made):
        yield from other.rounds(problem, made, K=K, S=S, T=T, lanes=lanes, late=late, begin=begin)
    else:
        bench = bench_of(Bench, problem, K=K, S=S, T=T, lanes=lanes)
        yield from stepped(bench, made, T=T, late=late, begin=begin)


def bench_of(kind: type[AnyBench], problem: Problem, *, K: int, S: int, T: int, lanes: int) -> AnyBench:
    """Return a bench for `stepped`."""
    return kind(problem, S=S, K=K, keys=[(problem.N, S, K, T, 1, lane) for lane in range(lanes)])


def stepped(
    bench: Bench, made: Method, *, T: int, late: bool = False, begin: Callable[[Any], Any] | None = None
) -> Iterator[Round]:
    """Step a method on a bench."""
    x0 = np.tile(bench.problem.start, (bench.lanes, 1, 1))
    if late:
        bench.initial(x0, 1)
    state = made.init(bench, x0)
    state = state if begin is None else begin(state)
    for t in range(T):
        bench.begin_round(state.x)
        after = made.round(bench, state)
        yield Round(state, after, bench.seen, bench, bench.problem, t)
        state = after


def path(problem: Problem, make: Make, **setting: Any) -> Array:
    """Return the server iterates (T + 1, lanes, d) of `rounds`."""
    run = list(rounds(problem, make, **setting))
    return np.stack([run[0].before.x[:, 0]] + [r.after.x[:, 0] for r in run])


def gap(found: Any, expected: Any, scale: float = 0.0) -> float:
    """Return the largest difference relative to the largest entry of `expected`, or to a larger `scale`."""
    expected = np.asarray(expected, dtype=float)
    size = max(float(np.max(np.abs(expected))), scale)
    return float(np.max(np.abs(np.asarray(found, dtype=float) - expected))) / (size or 1.0)


def worst(gaps: Iterable[float], tolerance: float = ROUNDING) -> Deviation:
    """Return the largest of the gaps, nan if one is."""
    return Deviation(float(np.max(list(gaps))), tolerance)


def equal(
    first: Make,
    second: Make,
    *,
    on: Callable[[], Problem] = noisy,
    against: Callable[[], Problem] | None = None,
    K: Sequence[int] = (1, 3),
    S: Sequence[int | None] = (None, 2),
    T: int = 4,
    late: bool = False,
    full: bool = False,
    tolerance: float = ROUNDING,
) -> Callable[[], Deviation]:
    """Return the check that two methods have the same server iterates at every round.

    Parameters
    ----------
    first, second
        The methods; `second` spends a minibatch before the first round if `late` and runs with all clients if `full`.
    on, against
        Problem of the first method, and of the second if it is another.
    K, S, T, tolerance
        Settings (S = None is all clients) and what rounding may do.
    """

    def check() -> Deviation:
        def gaps() -> Iterator[float]:
            for steps in K:
                for active in S:
                    expected = path((against or on)(), second, K=steps, S=None if full else active, T=T, late=late)
                    yield gap(path(on(), first, K=steps, S=active, T=T), expected)

        return worst(gaps(), tolerance)

    return check


def law(
    make: Make,
    equations: Callable[[Round], Iterable[Pair]],
    *,
    on: Callable[[], Problem] = noisy,
    K: Sequence[int] = (1, 3),
    S: Sequence[int | None] = (None, 2),
    T: int = 4,
    tolerance: float = ROUNDING,
    begin: Callable[[Any], Any] | None = None,
) -> Callable[[], Deviation]:
    """Return the check that `equations`, pairs of left and right-hand side, hold in every round."""

    def check() -> Deviation:
        def gaps() -> Iterator[float]:
            for steps in K:
                for active in S:
                    for r in rounds(on(), make, K=steps, S=active, T=T, begin=begin):
                        for found, expected in equations(r):
                            yield gap(found, expected, scale=1e-3)

        return worst(gaps(), tolerance)

    return check


def ends(
    make: Make,
    target: Callable[[Problem], Any] = lambda problem: np.zeros(problem.d),
    *,
    on: Callable[[], Problem] = curved,
    K: int = 5,
    S: Sequence[int | None] = (None,),
    T: int = 400,
    tolerance: float = 1e-9,
    part: Callable[[Any], Array] = lambda state: state.x,
) -> Callable[[], Deviation]:
    """Return the check that a long run ends at the target, by default at the minimiser 0 of `curved`."""

    def check() -> Deviation:
        def gaps() -> Iterator[float]:
            for active in S:
                problem = on()
                *_, end = rounds(problem, make, K=K, S=active, T=T, lanes=1)
                yield gap(part(end.after)[0], np.atleast_2d(target(problem)), scale=1.0)

        return worst(gaps(), tolerance)

    return check


def rests(make: Make, *, on: Callable[[], Problem], K: int = 4, T: int = 8) -> Callable[[], Deviation]:
    """Return the check that the iterate stays at a start at 0."""

    def check() -> Deviation:
        return worst([gap(path(on(), make, K=K, T=T), 0.0, scale=1.0)])

    return check
