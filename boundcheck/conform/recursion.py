"""A proof's equations of the method, checked against the method's own code run on symbolic vectors."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.statements import Run
from boundcheck.lemmas.chain.grammar import SOME
from boundcheck.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
    drawn: list[Array] = field(default_factory=list)
    """For each round 1 for the clients that the server hears, else 0, (lanes, N, 1); empty if it hears all."""
    xp: Any = np

    @property
    def S(self) -> int:
        """All clients take part, heard or not."""
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
        """Average over the clients that are heard in the round of the last question."""
        del free
        if self.drawn:
            heard = self.drawn[(len(self.asked) - 1) // self.K]
            return (v * heard).sum(axis=1, keepdims=True) * (1 / self.exact(int(heard[0].sum())))
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
            value = getattr(state, name)
            if isinstance(value, np.ndarray):
                found[name, (t,)] = np.repeat(value, oracle.N, axis=1) if value.shape[1] == 1 else value
        if t < T:
            state = method.round(oracle, state)
    for number, y in enumerate(oracle.asked):
        found["y", divmod(number, oracle.K)] = y
    return found


@dataclass(frozen=True)
class Case:
    """Another method than the file's own, of which it is a special case, and clients that are drawn."""

    method: str
    names: Mapping[str, str] = field(default_factory=dict)
    """Names of the method's state to those of the proof, where they differ."""
    zero: tuple[str, ...] = ()
    """Sequences of the proof that vanish for this method."""
    noise: str = ""
    """The noise that is the draw of the clients, as the proof has it; gradients are exact then."""
    drawn: tuple[tuple[int, ...], ...] = ()
    """Clients that the server hears, a round each."""


def hyperparameters(file: ClaimFile, kind: Any, letters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the hyperparameters of a method in the letters of a proof; one that is neither stays at its default."""
    run = Run(file.setting, letters, {}, _unknown, _unknown)
    found = {one.name: letters[one.name] for one in fields(kind) if one.name in letters}
    named = {one.name for one in fields(kind)}
    return found | {name: run.number(node, {}) for name, node in file.hyper.items() if name in named}


def _unknown(_: Array) -> Any:
    raise AssertionError("only letters are evaluated")


def symbolic_run(file: ClaimFile, K: int, T: int = 2, N: int = 2, case: Case | None = None) -> Run:
    """Return a run of the method on symbols: the gradient and the noise of each question are new ones."""
    import sympy

    noise: dict[tuple[str, tuple[int, ...]], Array] = {}
    gradients: dict[str, Array] = {}
    case = case or Case(file.method)
    (name,) = (name for name, one in file.setting.vectors.items() if one.kind == "noise")

    def answer(y: Array, number: int) -> Array:
        at = divmod(number, K)[: len(file.setting.vectors[name].indices)]
        gradients[str(y.tolist())] = _symbols(f"h{'_'.join(map(str, divmod(number, K)))}", N)
        noise[name, at] = _symbols(f"{name}{'_'.join(map(str, at))}", N) * (0 if case.noise else 1)
        return gradients[str(y.tolist())] + noise[name, at]

    letters = {letter: sympy.Symbol(letter, positive=True) for letter in file.setting.letters}
    letters |= {"N": sympy.Integer(N), "K": sympy.Integer(K), "T": sympy.Integer(T)}
    kind: Any = METHODS[case.method]
    hyper = hyperparameters(file, kind, letters)
    drawn = [np.array([[[int(i in chosen)] for i in range(N)]], dtype=object) for chosen in case.drawn]
    oracle = Recorder(N, K, answer, sympy.Integer, drawn=drawn)
    x0 = np.array([[[sympy.Symbol("x0")]]], dtype=object)
    found = recorded(kind(**hyper), oracle, x0, T)
    vectors = {(case.names.get(key, key), at): value for (key, at), value in found.items()} | noise
    vectors |= {(key, at): x0 * np.zeros((1, N, 1), dtype=int) for key in case.zero for at in _places(file, key, K, T)}
    for t, heard in enumerate(drawn):
        steps = [gradients[str(y.tolist())] for y in oracle.asked[t * K : (t + 1) * K]]
        vectors[case.noise, (t,)] = (heard * sympy.Rational(N, len(case.drawn[t])) - 1) * sum(steps) / sympy.Integer(K)
    return Run(file.setting, letters, vectors, lambda y: gradients[str(y.tolist())], lambda _: sympy.Integer(0))


def _places(file: ClaimFile, name: str, K: int, T: int) -> list[tuple[int, ...]]:
    sizes = {"t": T, "k": K}
    return list(np.ndindex(*(sizes[letter] for letter in file.setting.vectors[name].indices)))


def _symbols(name: str, N: int) -> Array:
    import sympy

    return np.array([[[sympy.Symbol(f"{name}_{i}")] for i in range(N)]], dtype=object)


def unmet(file: ClaimFile, K: int, T: int = 2, N: int = 2, case: Case | None = None) -> list[str]:
    """Return the method's equations that its code does not satisfy, with the index at which they fail.

    Parameters
    ----------
    file : ClaimFile
        A proof; its key ``method`` names a registered method.
    K : int
        Local steps of the run.
    T, N : int
        Rounds, clients.
    case : Case, optional
        Another method that the file speaks of too, and clients that are drawn.
    """
    return failing(file, symbolic_run(file, K, T, N, case), _equal)


def failing(file: ClaimFile, run: Run, equal: Callable[[Array, Array], bool]) -> list[str]:
    """Return the method's equations that a run does not satisfy, with the index; ``some(..)`` says nothing to check."""
    found: list[str] = []
    for one in file.setting.definitions.values():
        if one.kind == "definition" or one.right.name == SOME:
            continue
        for at in run.places(one.over):
            left = tuple(int(run.number(part, at)) for part in one.left.parts)
            if (one.left.name, left) not in run.vectors:
                continue  # a name of the proof for a part of the method: nothing to compare with
            if not equal(run.vectors[one.left.name, left], run.vector(one.right, at)):
                found.append(f"{one.id} at {at}")
    return found


def _equal(left: Array, right: Array) -> bool:
    import sympy

    difference = np.broadcast_to(left, right.shape) - right
    return all(sympy.simplify(sympy.nsimplify(part, rational=True)) == 0 for part in difference.ravel())
