"""The Method contract: two pure functions over arrays, and the oracle they see.

A method is a frozen dataclass of hyperparameters with ``init(oracle, x0)`` and ``round(oracle, state)``.  It touches
the problem through the oracle alone and combines what it gets with +, -, scalar multiples and the oracle's own
operations, so that the same source runs on arrays of lanes and on symbolic points.

Server vectors are (lanes, 1, d), client vectors (lanes, clients, d).
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from boundcheck import notation
from boundcheck.files.display import html_card
from boundcheck.methods.encoding import WORD

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

Vector: TypeAlias = Any
"""A server or client vector: an array of lanes, or an array of symbolic points."""
Hyper: TypeAlias = "float | NDArray[np.float64]"
"""A hyperparameter: one number, or one entry a lane (which the engine shapes as (lanes, 1, 1)).

Its kind follows from its name where that is a letter of the notation; the names below declare one, which decides what
values are legal, how it is tuned and what a search for violations may try (`boundcheck.methods.kinds`).
"""
Step: TypeAlias = Annotated["float | NDArray[np.float64]", notation.STEP_SIZE]
"""A step size."""
Factor: TypeAlias = Annotated["float | NDArray[np.float64]", notation.FACTOR]
"""A number that multiplies a step, such as a server step on the mean displacement."""
Weight: TypeAlias = Annotated["float | NDArray[np.float64]", notation.WEIGHT]
"""A weight from 0 to 1, such as that of a moving average."""
Probability: TypeAlias = Annotated["float | NDArray[np.float64]", notation.PROBABILITY]
"""A probability."""
Penalty: TypeAlias = Annotated["float | NDArray[np.float64]", notation.PENALTY]
"""A coefficient of what is added to the clients' functions."""
Floor: TypeAlias = Annotated["float | NDArray[np.float64]", notation.FLOOR]
"""What keeps a denominator away from 0."""
Real: TypeAlias = Annotated["float | NDArray[np.float64]", notation.REAL]
"""Any other number >= 0, where the letter of the same name is of another kind."""
Count: TypeAlias = Annotated[int, notation.COUNT]
"""An integer >= 1; for one that may be 0, `Whole`."""
Whole: TypeAlias = Annotated[int, notation.WHOLE]
"""An integer >= 0, such as a delay in rounds."""


Order: TypeAlias = Literal["reshuffled", "shuffled", "listed"]
"""A fresh random order in every pass, one random order for all passes, or that of the list."""
Coins: TypeAlias = Literal["none", "fair", "other"]
"""What is drawn from `Oracle.uniform`: nothing, coins that ask for the half of [0, 1) alone, or other numbers."""


@dataclass(frozen=True)
class Described:
    """A choice that theorems describe by one number, such as a quantiser by its relative variance."""

    letter: str
    """Letter of that number."""
    named: Callable[[float], Any]
    """Returns the choice at a value of the letter."""
    is_variance: bool = False
    """Whether the number is the relative variance of what is sent, 0 where it is sent as it is."""


def described_by(letter: str, named: Callable[[float], Any], *, default: Any, is_variance: bool = False) -> Any:
    """Return the field of a hyperparameter that is no number, but that theorems describe by one.

    Parameters
    ----------
    letter : str
        Letter of the notation, or one of the user's own: a bound that has it among its parameters makes the choice.
    named : callable
        Returns the choice at a value of the letter.
    default : object
        The choice where no theorem makes it.
    is_variance : bool
        Whether the letter is the relative variance of what is sent, 0 where it is sent as it is.
    """
    return field(default=default, metadata={Described: Described(letter, named, is_variance)})


class Oracle(Protocol):
    """What a method may ask of the problem and of the network."""

    N: int
    """Clients."""
    S: int
    """Active clients of a round."""
    K: int
    """Local steps of a round."""

    @property
    def weights(self) -> Any:
        """Return the clients' weights p_i in f = sum_i p_i f_i, (1, N, 1); averages over clients have them already."""

    @property
    def weights_add_up(self) -> bool:
        """Return whether the weights of `mean` add up to 1: not where clients have weights and some are idle."""

    @property
    def xp(self) -> Any:
        """Return the namespace of array functions (``sqrt``, ``maximum``, ``where``) that a round calls."""

    def fori(self, step: Callable[[Any, Any], Any], carry: Any, steps: int | None = None) -> Any:
        """Return `carry` after ``carry = step(k, carry)`` for k = 0, 1, ..., steps - 1, by default the K local steps.

        `carry` is a vector or a tuple of them; whatever changes from step to step is in it.
        """

    def draw(self, b: int | None = None) -> Any:
        """Draw a fresh minibatch for every active client (of the run's size unless `b` is given)."""

    def draw_in_turn(self, b: int | None = None, *, order: Order = "reshuffled") -> Any:
        """Take the next samples of every client's list, each once a pass; with all clients and finite sums only.

        `order` is ``reshuffled`` (a fresh random one in every pass), ``shuffled`` (one for all passes) or ``listed``.
        """

    def grad(self, y: Vector, batch: Any) -> Vector:
        """Return the active clients' stochastic gradients at `y` on `batch`."""

    def full(self, y: Vector) -> Vector:
        """Return the active clients' exact gradients at `y` (a full batch)."""

    def full_all(self, y: Vector) -> Vector:
        """Return all N clients' exact gradients at `y`, one server point or (lanes, N, d), whoever is active."""

    def alone(self, x: Vector, client: int) -> Vector:
        """Return the exact gradient of one client, counted modulo N, at a server point, whoever is active."""

    def curvature(self, y: Vector, v: Vector) -> Vector:
        """Return the active clients' Hessians times `v`, each from two exact gradients a short way from `y`."""

    def value(self, x: Vector) -> Vector:
        """Return f at a server point, (lanes, 1, 1)."""

    def values(self, y: Vector) -> Vector:
        """Return the active clients' own f_i, (lanes, clients, 1), where the family knows them."""

    def prox(self, v: Vector, step: Hyper) -> Vector:
        """Return argmin_x h(x) + |x - v|^2/(2 step) of every row, F = f + h; `v` where h = 0."""

    def client_prox(self, v: Vector, step: Hyper) -> Vector:
        """Return argmin_y f_i(y) + |y - v|^2/(2 step) of every active client's row of `v`.

        In closed form for parabolas, solved to a residual for other smooth f_i, which are convex or whose L is
        below 1/step; counted as one exact gradient, which is (v - y)/step.
        """

    def uniform(self, *shape: int) -> Any:
        """Return independent uniforms in [0, 1) for the method's own coin flips, (lanes, *shape)."""

    def mean(self, v: Vector, *, free: bool = False) -> Vector:
        """Average over the active clients: client vector to server vector, every row sent unless it is `free`.

        On a problem whose clients have weights it is sum_i p_i v_i, times N/S over the active ones where some are idle.

        `free` says that the server has the rows, that their average follows from what it has, or that nobody uses it.
        """

    def mean_all(self, v: Vector) -> Vector:
        """Average over all N clients, whoever is active: before the first round, or where a card counts it apart."""

    def mix(self, v: Vector, weights: Any) -> Vector:
        """Return sum_j weights_ij v_j for all N clients, each of which sends its row to those that weigh it.

        `weights` is (N, N), or (lanes, N, N).
        """

    def largest(self, v: Vector) -> Vector:
        """Return the largest entry of each coordinate over the active clients, every row sent."""

    def to_clients(self, x: Vector, *, free: bool = False) -> Vector:
        """Broadcast a server vector to the active clients, sent unless it is `free`.

        `free` says that the clients have it, or can compute it from what they have.
        """

    def to_all(self, x: Vector) -> Vector:
        """Return a memory that holds the server vector for each of the N clients."""

    def active(self, memory: Vector) -> Vector:
        """Return the active clients' rows of a memory that holds one row for each of the N clients."""

    def remember(self, memory: Vector, rows: Vector) -> Vector:
        """Return the memory with the active clients' rows replaced."""

    def initial(self, x0: Vector, b: int) -> Vector:
        """Return all N clients' stochastic gradients on `b` samples each, before the first round.

        `x0` is a server vector, or a vector with a row for each of the N clients.
        """

    def blockwise(self, x: Hyper, y: Hyper) -> Vector:
        """Return the vector with `x` on the min block and `y` on the max block of a minimax problem."""

    @property
    def levels(self) -> int:
        """Return the number of levels of a network: its hidden layers, and last the logits."""

    def outputs(self, y: Vector, batch: Any) -> list[Any]:
        """Return the active clients' outputs of all levels of a network on `batch`, (lanes, clients, rows, units)."""

    def composite(self, y: Vector, batch: Any, loss: Hyper, slopes: Mapping[int, Any]) -> Vector:
        """Return the gradients of the mean over rows of ``loss * (the row's loss) + sum_l <slopes[l], outputs_l>``.

        `slopes` are constants, one vector of units a row: what a further loss of the outputs adds to backpropagation.
        """

    def upstream_mask(self, level: int) -> Vector:
        """Return 1 for the parameters of a network that outputs of `level` depend on, 0 for the others, shape (d,)."""

    def observe(self, y: Vector, weight: Hyper = 1.0) -> None:
        """Show the observers the local iterates `y`, with the weight that the theorem's average gives them."""


class State(Protocol):
    """What a method carries from round to round; `x` is the server iterate."""

    @property
    def x(self) -> Vector:
        """Return the server iterate (lanes, 1, d)."""


if TYPE_CHECKING:
    from typing_extensions import TypeVar as DefaultTypeVar

    StateT = DefaultTypeVar("StateT", bound=State, default=Any)
else:
    # Only a type checker needs the default, by which a method that names no state may have any.
    StateT = TypeVar("StateT")


RULES = {
    "printed": "printed in the paper under audit",
    "confirmed": "of the cited work, compared with its pseudocode or with public code",
    "cited": "of the cited work as it is known, not compared with an implementation",
    "uncertain": "of the cited work, a part of it being a reading",
}
"""Where the rule of a method is from, and how sure it is."""
NEEDS = {
    "max block": "a second block of variables, in which the objective is maximised",
    "layers": "the outputs of a network's layers",
    "exact gradients": "the exact gradient of a client: a finite sum, or f_i itself",
    "same sample": "a minibatch that can be evaluated at a second point",
    "bounded slopes": "sampled gradients bounded in every coordinate, for its guarantee only",
    "samples in turn": "clients that average over lists of samples of one length, which have an order",
    "client values": "the values of single clients' functions",
    "proximal steps": "the minimiser of a client's function plus a square",
}
"""What a method may need from a problem beyond the clients' sampled gradients."""
SITUATIONS = {
    "S < N": "some clients are idle",
    "K > 1": "several local steps a round",
    "T > 1": "several rounds, so that what is kept between them counts",
    "noise": "sampled gradients",
    "different clients": "clients whose functions differ",
}
"""What a run may have to be for a method to differ from a simpler one."""


@dataclass(frozen=True)
class Card:
    """The facts about a method that tables show; everything else is in the class docstring."""

    id: str
    title: str
    paper: str
    """Paper of the audit that defines or covers it."""
    where: str
    """Algorithm number."""
    kind: str = "minimise"
    """'minimise' or 'minimax'."""
    gradients: str = "K"
    """Client gradients a round and active client, as a formula in K."""
    up: str = "1"
    """Floats sent up a round and active client, in units of d."""
    down: str = "1"
    """Floats sent down, in units of d."""
    client: str = "0"
    """Floats that a client keeps from round to round, as a sum of products of numbers and d."""
    server: str = "0"
    """Floats that the server keeps beyond x, as a sum of products of numbers, d, N and m (remembered clients)."""
    note: str | None = None
    """What the three numbers of a round's cost do not say."""
    partial: bool = True
    """Whether S < N is defined."""
    rule: str = "printed"
    """Where the rule is from, an entry of `RULES`."""
    needs: tuple[str, ...] = ()
    """What the problem must offer beyond sampled gradients: entries of `NEEDS`."""
    distinguishes: tuple[str, ...] = ()
    """What must not be neutral for the method to differ from a simpler one, each of it somewhere in a comparison:
    names of hyperparameters (a weight that is neither 0 nor 1, a choice other than the plain one) and entries of
    `SITUATIONS`."""
    mixes: bool = False
    """Whether lanes of several numbers of clients may share an array: a round joins clients through the oracle alone,
    and divides by its N and S as by arrays."""
    cost: float | None = None
    """Seconds of a client gradient over those of FedAvg on the same problem, as measured by ``make bench``.

    The problem is the first of its kind there: random signs on 100 coordinates, where a gradient costs next to nothing,
    so that the number shows the method's own arithmetic; on data it is nearer to 1.
    """


class ServerState(NamedTuple):
    """State of a method that keeps nothing but the server iterate."""

    x: Vector
    """Server iterate (lanes, 1, d)."""


class Traffic(NamedTuple):
    """What the counts of an oracle mean in bits, in expectation over the coins of the method itself."""

    bits: float
    """Bits of a vector that goes up within a round."""
    apart: float
    """Bits of a vector of an average over all N clients, before the first round or where a card counts it apart."""
    up: Hyper = 1.0
    """Share of the counted vectors that go up."""
    down: Hyper = 1.0
    """Share of those that come down."""
    all_up: Hyper = 1.0
    """Share of the averages over all N clients that are sent in a round."""


class Method(ABC, Generic[StateT]):
    """A federated optimisation method; see the module's contract.

    ``class Mine(Method[MyState])`` tells a type checker what the state is; plain ``Method`` leaves it open.
    """

    card: ClassVar[Card]
    state_type: ClassVar[Any] = ServerState
    """NamedTuple of server vectors that `init` starts with."""

    def _repr_html_(self) -> str:
        found = {name: value for name, value in vars(self).items() if not name.startswith("_")}
        card = {
            "client": self.card.client,
            "server": self.card.server,
            "sends": self.card.up,
            "receives": self.card.down,
        }
        return html_card(f"{self.card.id}: {self.card.title}", {**found, **card})

    def init(self, oracle: Oracle, x0: Vector) -> StateT:
        """Return the state before the first round: x0, and zero for all else that the server keeps."""
        started: StateT = self.state_type(x0, *(0.0 * x0 for _ in self.state_type._fields[1:]))
        return started

    @abstractmethod
    def round(self, oracle: Oracle, state: StateT) -> StateT:
        """Return the state after one more round."""

    def clients_round(self, oracle: Oracle, state: StateT) -> StateT:
        """Return the state after what the clients do in a round; by default after all of it.

        For whoever looks at local iterates and at what clients keep, where the server's part would be dear.
        """
        return self.round(oracle, state)

    @property
    def message_coins(self) -> Coins:
        """What a method draws to send a vector; the coins of its probabilities are not counted here."""
        return "none"

    def traffic(self, d: int) -> Traffic:
        """Return what the vectors that change sides cost: floats, all sent, and none where the card says so."""
        sent = 0.0 if self.card.up == "0" else 1.0
        return Traffic(float(WORD * d), float(WORD * d), sent, sent, sent)


def is_method(found: object) -> bool:
    """Return whether this is a class of methods that can be run."""
    return isinstance(found, type) and issubclass(found, Method) and not inspect.isabstract(found)


ON_NUMPY = {
    "qp": "an active-set method: which rows are passive, and how many passes there are, depends on the data",
    "outside": "is no method: it looks at what methods reach, numpy's own generator of random numbers among it",
    "gradma_updates": "keeps the books of GradMA's memory by sorting, and projects with `qp`",
}
"""Modules of the room that compute with numpy, and why; every other one takes its functions from `Oracle.xp`."""
