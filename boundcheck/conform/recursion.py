"""A proof's equations of the method, checked against the method's own code run on symbolic vectors."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.statements import Run
from boundcheck.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.lemmas.chain.files import ClaimFile

Array = Any


@dataclass
class Recorder:
    """An oracle for methods whose gradients are given by a function; records where they were asked for.

    Arrays are (lanes, clients, 1) of objects: exact numbers or symbols.
    """

    N: int
    K: int
    answer: Callable[[Array, int], Array]
    """Noisy gradients of all clients at points, with the number of the question."""
    exact: Callable[[int], Any]
    """From whole numbers to the numbers of the run."""
    asked: list[Array] = field(default_factory=list)
    xp: Any = np

    @property
    def S(self) -> int:
        """All clients take part."""
        return self.N

    def fori(self, step: Callable[[Any, Any], Any], carry: Any, steps: int | None = None) -> Any:
        """Loop."""
        for k in range(self.K if steps is None else steps):
            carry = step(k, carry)
        return carry

    def draw(self, b: int | None = None) -> int:
        """Return the number of the question."""
        del b
        return len(self.asked)

    def grad(self, y: Array, batch: int) -> Array:
        """Return the noisy gradients at `y`, which is recorded."""
        self.asked.append(y)
        return self.answer(y, batch)

    def mean(self, v: Array, *, free: bool = False) -> Array:
        """Average over the clients."""
        del free
        return v.sum(axis=1, keepdims=True) * (1 / self.exact(v.shape[1]))

    def to_clients(self, x: Array, *, free: bool = False) -> Array:
        """Broadcast a server vector."""
        del free
        return np.repeat(x, self.N, axis=1)

    def observe(self, y: Array, weight: Any = 1.0) -> None:
        """See nothing."""


def recorded(method: Any, oracle: Recorder, x0: Array, T: int) -> dict[tuple[str, tuple[int, ...]], Array]:
    """Return the entries of a run: ``x[t]`` and the rest of the state, ``y[t, k]`` where gradients were asked."""
    state = method.init(oracle, x0)
    found: dict[tuple[str, tuple[int, ...]], Array] = {}
    for t in range(T + 1):
        for name in state._fields:
            found[name, (t,)] = np.repeat(getattr(state, name), oracle.N, axis=1)
        if t < T:
            state = method.round(oracle, state)
    for number, y in enumerate(oracle.asked):
        found["y", divmod(number, oracle.K)] = y
    return found


def symbolic_run(file: ClaimFile, K: int, T: int = 2, N: int = 2) -> Run:
    """Return a run of the file's method on symbols: the gradient and the noise of each question are new ones."""
    import sympy

    noise: dict[tuple[str, tuple[int, ...]], Array] = {}
    gradients: dict[str, Array] = {}
    (name,) = (name for name, one in file.setting.vectors.items() if one.kind == "noise")

    def answer(y: Array, number: int) -> Array:
        at = divmod(number, K)[: len(file.setting.vectors[name].indices)]
        made = [_symbols(f"{kind}{'_'.join(map(str, at))}", N) for kind in ("h", name)]
        gradients[str(y.tolist())] = made[0]
        noise[name, at] = made[1]
        return made[0] + made[1]

    letters = {letter: sympy.Symbol(letter, positive=True) for letter in file.setting.letters}
    letters |= {"N": sympy.Integer(N), "K": sympy.Integer(K), "T": sympy.Integer(T)}
    kind: Any = METHODS[file.method]
    hyper = {one.name: letters.get(one.name, sympy.Integer(1)) for one in fields(kind)}
    oracle = Recorder(N, K, answer, sympy.Integer)
    x0 = np.array([[[sympy.Symbol("x0")]]], dtype=object)
    vectors = recorded(kind(**hyper), oracle, x0, T) | noise
    return Run(file.setting, letters, vectors, lambda y: gradients[str(y.tolist())], lambda _: sympy.Integer(0))


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
    run, found = symbolic_run(file, K, T), []
    for one in file.setting.definitions.values():
        if one.kind == "definition":
            continue
        for at in run.places(one.over):
            left = tuple(int(run.number(part, at)) for part in one.left.parts)
            if (one.left.name, left) not in run.vectors:
                continue  # a name of the proof for a part of the method: nothing to compare with
            if not _equal(run.vectors[one.left.name, left], run.vector(one.right, at)):
                found.append(f"{one.id} at {at}")
    return found


def _equal(left: Array, right: Array) -> bool:
    import sympy

    difference = np.broadcast_to(left, right.shape) - right
    return all(sympy.simplify(sympy.nsimplify(part, rational=True)) == 0 for part in difference.ravel())
