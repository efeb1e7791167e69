"""A proof's equations of the method, checked against the method's own code run on symbolic vectors."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from boundcheck.conform.equations.statements import StatementRun
from boundcheck.methods import METHODS
from boundcheck.proofs.language.grammar import SOME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boundcheck.proofs.language.files import ClaimFile

Array = Any


@dataclass
class GradientRecorder:
    """An oracle for methods whose gradients are given by functions; records where they were asked for.

    Arrays are (lanes, clients, 1) of objects: exact numbers or symbols.  All N clients run locally in every round; a
    sample decides whose runs count, as in the proofs.
    """

    weights_add_up: ClassVar[bool] = True
    N: int
    K: int
    answer: Callable[[Array, int, int], Array]
    """Noisy gradients of all clients at points, with the number of the minibatch, and how often it was asked before."""
    exact: Callable[[int], Any]
    """From whole numbers to the numbers of the run."""
    samples: Sequence[Array] = ()
    """For each round 1 for the clients that take part and 0 for the others, (lanes, N, 1); empty if all do."""
    start: Callable[[Array], Array] | None = None
    """Gradients at the start, from several samples."""
    asked: list[list[Array]] = field(default_factory=list)
    """Points at which each minibatch was evaluated."""
    xp: Any = np

    @property
    def S(self) -> int:
        """Return the number of clients that take part."""
        return int(sum(self.samples[0][0].ravel())) if len(self.samples) else self.N

    @property
    def participation_mask(self) -> Array:
        """Return 1 for the clients that take part in the round of the latest minibatch, 0 for the others."""
        return self.samples[(len(self.asked) - 1) // self.K] if len(self.samples) else 1

    def fori(self, step: Callable[[Any, Any], Any], carry: Any, steps: int | None = None) -> Any:
        """Loop."""
        for k in range(self.K if steps is None else steps):
            carry = step(k, carry)
        return carry

    def draw(self, b: int | None = None) -> int:
        """Return the number of a new minibatch."""
        del b
        self.asked.append([])
        return len(self.asked) - 1

    def grad(self, y: Array, batch: int) -> Array:
        """Return the noisy gradients at `y`, which is recorded."""
        self.asked[batch].append(y)
        return self.answer(y, batch, len(self.asked[batch]) - 1)

    def mean(self, v: Array, *, free: bool = False) -> Array:
        """Average over the clients that take part."""
        del free
        return (v * self.participation_mask).sum(axis=1, keepdims=True) * (1 / self.exact(self.S))

    def mean_all(self, v: Array) -> Array:
        """Average over all clients."""
        return v.sum(axis=1, keepdims=True) * (1 / self.exact(self.N))

    def to_clients(self, x: Array, *, free: bool = False) -> Array:
        """Broadcast a server vector."""
        del free
        return np.repeat(x, self.N, axis=1)

    def active(self, memory: Array) -> Array:
        """Return the rows of all clients."""
        return memory

    def remember(self, memory: Array, rows: Array) -> Array:
        """Return the memory with the rows of the clients that take part replaced."""
        return memory + self.participation_mask * (rows - memory)

    def initial(self, x0: Array, b: int) -> Array:
        """Return the gradients at the start."""
        del b
        assert self.start is not None
        return self.start(self.to_clients(x0))

    def observe(self, y: Array, weight: Any = 1.0) -> None:
        """See nothing."""


def record_entries(
    method: Any, oracle: GradientRecorder, x0: Array, T: int
) -> dict[tuple[str, tuple[int, ...]], Array]:
    """Return the entries of a run: ``x[t]`` and the rest of the state, ``y[t, k]`` where gradients were asked first."""
    state = method.init(oracle, x0)
    found: dict[tuple[str, tuple[int, ...]], Array] = {}
    for t in range(T + 1):
        for name in state._fields:
            value = getattr(state, name)
            if isinstance(value, np.ndarray):
                found[name, (t,)] = np.repeat(value, oracle.N // value.shape[1], axis=1)
        if t < T:
            state = method.round(oracle, state)
    for number, points in enumerate(oracle.asked):
        found["y", divmod(number, oracle.K)] = points[0]
    return found


def noises_of(file: ClaimFile) -> tuple[list[str], str]:
    """Return a file's noises of a minibatch, in the order of the points where it is evaluated, and its first one."""
    named = {name: one for name, one in file.setting.vectors.items() if one.kind == "noise"}
    clock = max((one.indices for one in named.values()), key=len)
    first = next((name for name, one in named.items() if one.indices != clock), "")
    return [name for name, one in named.items() if one.indices == clock], first


def sample_of(file: ClaimFile) -> str:
    """Return the name of a file's sample, empty if all clients take part."""
    return next((name for name, one in file.setting.vectors.items() if one.kind == "sample"), "")


def hyperparameters(file: ClaimFile, kind: Any, letters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the hyperparameters of a method in the letters of a proof; one that is neither keeps its default."""
    run = StatementRun(file.setting, letters, {}, _unknown, _unknown)
    named = {one.name for one in fields(kind)}
    found = {name: value for name, value in letters.items() if name in named}
    return found | {name: run.number(node, {}) for name, node in file.hyper.items() if name in named}


def _unknown(_: Array) -> Any:
    raise AssertionError("only letters are evaluated")


def symbolic_run(file: ClaimFile, K: int, T: int = 2, N: int = 2) -> StatementRun:
    """Return a run of the file's method on symbols, a new one for each gradient and noise; one client a sample."""
    import sympy

    made: dict[tuple[str, tuple[int, ...]], Array] = {}
    gradients: dict[tuple[Any, ...], Array] = {}
    (names, first), sample = noises_of(file), sample_of(file)
    B = 2

    def gradient(y: Array) -> Array:
        return gradients.setdefault(tuple(y.ravel()), _symbols(f"h{len(gradients)}", N))

    def answer(y: Array, number: int, again: int) -> Array:
        at = divmod(number, K)[: len(file.setting.vectors[names[again]].indices)]
        made[names[again], at] = _symbols(f"{names[again]}{'_'.join(map(str, at))}", N)
        return gradient(y) + made[names[again], at]

    def start(x0: Array) -> Array:
        made.update({(first, (j,)): _symbols(f"{first}{j}", N) for j in range(B)})
        return gradient(x0) + sum(made[first, (j,)] for j in range(B)) / sympy.Integer(B)

    letters = {letter: sympy.Symbol(letter, positive=True) for letter in file.setting.letters}
    letters |= {"N": sympy.Integer(N), "K": sympy.Integer(K), "T": sympy.Integer(T), "B": sympy.Integer(B)}
    samples = [_one_of(t % N, N) for t in range(T)] if sample else []
    letters |= {size: sympy.Integer(1) for size in file.setting.sizes}
    kind: Any = METHODS[file.method]
    hyper = {one.name: letters.get(one.name, sympy.Integer(1)) for one in fields(kind)}
    oracle = GradientRecorder(N, K, answer, sympy.Integer, samples, start)
    x0 = np.array([[[sympy.Symbol("x0")]]], dtype=object)
    vectors = record_entries(kind(**hyper), oracle, x0, T) | made
    vectors |= {(sample, (t,)): taken for t, taken in enumerate(samples)}
    return StatementRun(file.setting, letters, vectors, gradient, lambda _: sympy.Integer(0))


def _one_of(client: int, N: int) -> Array:
    import sympy

    return np.array([[[sympy.Integer(i == client)] for i in range(N)]], dtype=object)


def _symbols(name: str, N: int) -> Array:
    import sympy

    return np.array([[[sympy.Symbol(f"{name}_{i}")] for i in range(N)]], dtype=object)


def unmet(file: ClaimFile, K: int, T: int = 2) -> list[str]:
    """Return the method's equations that its code does not satisfy, with the index at which they fail.

    Parameters
    ----------
    file : ClaimFile
        A proof; its key ``method`` names a registered method.
    K : int
        Local steps of the run.
    T : int
        Rounds.
    """
    return failing(file, symbolic_run(file, K, T))


def failing(file: ClaimFile, run: StatementRun, equal: Callable[[Array, Array], bool] | None = None) -> list[str]:
    """Return the method's equations that a run does not satisfy, with the index; ``some(..)`` says nothing to check."""
    found: list[str] = []
    for one in file.setting.definitions.values():
        right = one.products or one.right
        if one.kind == "definition" or right.name == SOME:
            continue
        for at in run.places(one.over):
            left = tuple(int(run.number(part, at)) for part in one.left.parts)
            if (one.left.name, left) not in run.vectors:
                continue  # a name of the proof for a part of the method: nothing to compare with
            if not (equal or _equal)(run.vectors[one.left.name, left], run.vector(right, at)):
                found.append(f"{one.id} at {at}")
    return found


def _equal(left: Array, right: Array) -> bool:
    import sympy

    def plain(part: Any) -> Any:
        # The code's 1.0 / K.
        return part.xreplace({one: sympy.nsimplify(one, rational=True) for one in part.atoms(sympy.Float)})

    def zero(difference: Any) -> bool:
        return bool((terms := sympy.expand(difference)) == 0 or sympy.simplify(terms) == 0)

    sides = zip(*(side.ravel() for side in np.broadcast_arrays(left, right)), strict=True)
    return all(zero(plain(sympy.sympify(one)) - plain(sympy.sympify(other))) for one, other in sides)
