"""The Problem contract: a vectorised family of client functions whose constants are known."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from boundcheck.errors import NotApplicableError, require, require_count
from boundcheck.files.display import brief, html_card, text_of
from boundcheck.metrics.records import metric_of
from boundcheck.problems.arrays import members_of
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.implied import implied_constants
from boundcheck.problems.penalty import NO_PENALTY
from boundcheck.problems.proximal import solve_client_prox
from boundcheck.problems.types import Array, Indices, Stream, Token, Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from boundcheck.metrics.metric import Metric
    from boundcheck.problems.noise.base import Noise
    from boundcheck.problems.penalty import Penalty

__all__ = ["Array", "Indices", "Problem", "Stream", "Token", "Words"]


class Problem(ABC):
    """Client functions f_1..f_N on R^d with certified constants, evaluated for many lanes at once.

    Shapes: a client point is (lanes, clients, d), a server point is (lanes, 1, d).  `clients` is None for all N in
    order, or an index array (lanes, clients) that says which client each row belongs to.  For a minimax problem a
    point is the concatenation (x, y) and `blocks` holds the two dimensions; gradients are concatenated alike.
    """

    family: ClassVar[str]
    """Name of the family, as in ``problems/*.toml``."""
    blocks: tuple[int, int] | None = None
    """Dimensions of the min and the max block of a minimax problem, else None."""
    radius: float | None = None
    """Constants hold for |x| <= radius; None if they hold everywhere."""

    box_y: float | None = None
    """Of a minimax problem whose y is kept to |y_c| <= box_y, where its constants hold; None where y is free."""

    x_star: Array | None = None
    """The minimiser (d,) of f where it is the only one and known; a class attribute that a family sets."""
    client_weights: Array | None = None
    """The clients' weights p_i (N,) in f = sum_i p_i f_i, which add up to 1; None where all are 1/N.  Every mean
    over clients is one with these weights, in a method's average as well."""
    h: Penalty = NO_PENALTY
    """The second part of a composite objective F = f + h, which methods meet through `prox`; f and its constants do not
    know of it."""
    lane_tables: ClassVar[Mapping[str, str]] = {}
    """Attributes (N, ...) of which a stacked problem has one a lane, read by `of_clients` alone in a run: each with the
    parameter that leaves it out where it is 0, or ''."""
    dials: ClassVar[tuple[str, ...]] = ()
    """Parameters that decide nothing in a run but those tables; a class declares its own."""
    has_lanes: bool = False
    """Whether this is a stacked problem, whose tables are (lanes, N, ...)."""
    any_clients: ClassVar[bool] = False
    """Whether f, its gradient and its envelope read neither N nor a table of clients; a class declares its own."""
    clients_of_lanes: Indices | None = None
    """Clients of every lane of a mixed problem (see `boundcheck.problems.mixed`): its tables are (clients, 1, ...)."""
    reads_data: ClassVar[bool] = False
    """Whether it stands on rows of the tables of data that ship, which decide numbers then."""
    sample_cost: ClassVar[int] = 1
    """How many times dearer a sample is than a few array operations: `certify` draws fewer of them."""

    def __init__(self, *, N: int, d: int, start: Array, noise: Noise) -> None:
        require_count(N, f"{self.family}: N")
        require_count(d, f"{self.family}: d")
        self.name = self.family
        self.N = N
        self.d = d
        self.start = start
        self.noise = noise
        self._constants: dict[str, Constant] | None = None
        self._implied: tuple[Mapping[str, Constant], Mapping[str, Constant]] | None = None
        self._ceilings: dict[str, Constant | None] = {}

    def __repr__(self) -> str:
        counts = {name: vars(self).get(name) for name in ("N", "d")}
        return brief("Problem", {"": vars(self).get("name", self.family), "family": self.family, **counts})

    def _repr_html_(self) -> str:
        found = {"family": self.family, "clients N": self.N, "dimension d": self.d}
        found |= {letter: f"{text_of(one.value)} ({one.kind}): {one.reason}" for letter, one in self.constants.items()}
        return html_card(f"Problem {self.name}", found)

    def require_positive(self, *names: str) -> None:
        """Refuse parameters of these names that are not > 0."""
        for name in names:
            value = getattr(self, name)
            require(value > 0, f"{self.family}: {name}", value, "a number > 0")

    def __init_subclass__(cls) -> None:
        """Give `certified_constants` its former name `certified`, too, and a family that has only that one the new."""
        super().__init_subclass__()
        names = ("certified", "certified_constants")
        for name, other in (names, names[::-1]):
            if name in vars(cls) and other not in vars(cls):
                setattr(cls, other, vars(cls)[name])

    @abstractmethod
    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return grad f_i at the points `x`, a new array of shape (lanes, clients, d)."""

    @abstractmethod
    def value(self, x: Array) -> Array:
        """Return f (the client average) at server points (lanes, 1, d), shape (lanes,)."""

    @abstractmethod
    def certified_constants(self) -> Mapping[str, Constant | None]:
        """Return the constants of this family by letter; None for one that does not exist, such as an infinite G_inf.

        G_0 is added by `constants`.
        """

    def gradient(self, x: Array, clients: Indices | None = None, sample: Token = None) -> Array:
        """Return the stochastic gradient of minibatch `sample` at `x` (the exact one without a sample)."""
        g = self.exact_gradient(x, clients)
        return g if sample is None else self.noise.add(g, x, sample)

    def sample(self, stream: Stream, clients: Indices | None = None, b: int = 1) -> Token:
        """Draw one minibatch of `b` samples for every lane and client, to be evaluated at any point."""
        n = self.N if clients is None else clients.shape[1]
        return self.noise.token(stream.raw(self.noise.words(n, b)), n, b)

    def mean_gradient(self, x: Array) -> Array:
        """Return grad f at server points (lanes, 1, d); families with a closed form override this."""
        return self.over_clients(self.exact_gradient(self.everyone_at(x)))[:, None]

    def over_clients(self, v: Array) -> Array:
        """Return the means of numbers or vectors (points, N, ...) over the clients, with their weights."""
        mean: Array = (
            v.mean(axis=1) if self.client_weights is None else np.tensordot(v, self.client_weights, axes=(1, 0))
        )
        return mean

    def client_values(self, x: Array, clients: Indices | None = None) -> Array:
        """Return f_i at client points (lanes, clients, d), shape (lanes, clients); families that can, override this.

        Raises
        ------
        NotApplicableError
            If the family knows the average alone.
        """
        msg = f"{self.name}: values of single clients are not known, f alone is"
        raise NotApplicableError(msg)

    def client_prox(self, v: Array, step: Any, clients: Indices | None = None) -> Array:
        """Return argmin_y f_i(y) + |y - v|^2/(2 step) at client points, a new array (lanes, clients, d).

        Families of parabolas have a closed form; others are solved to a residual
        (`boundcheck.problems.proximal.solve_client_prox`).

        Parameters
        ----------
        v : Array
            Client points (lanes, clients, d).
        step : float or Array
            Length of the step, one number or (lanes, 1, 1); where f_i is not convex, shorter than 1/L.
        clients : Indices, optional
            Which client each row belongs to.

        Raises
        ------
        NotApplicableError
            If there is no minimiser or several, or the problem is a minimax problem.
        """
        if self.is_minimax:
            msg = f"{self.name}: a minimax problem has no proximal steps of its clients"
            raise NotApplicableError(msg)
        L, convex = self.constant("L"), self.convex
        return solve_client_prox(lambda y: self.exact_gradient(y, clients), v, step, L=L, convex=convex, name=self.name)

    def sum_value(self, x: Array) -> Array:
        """Return F = f + h at server points, shape (lanes,)."""
        return self.value(x) + self.h.value(x)

    @property
    def sample_count(self) -> int:
        """How many samples every client averages over, numbered from 0.

        Raises
        ------
        NotApplicableError
            If samples are no finite list, or clients have different numbers of them.
        """
        msg = f"{self.name}: a client's samples are no list of one length, so that they have no order"
        raise NotApplicableError(msg)

    def numbered(self, numbers: Indices) -> Token:
        """Return the minibatch of the samples of these numbers (lanes, clients, b)."""
        raise NotImplementedError(numbers)

    @property
    def samples_are_noise(self) -> bool:
        """Whether a sample is the exact gradient and the noise model, not one function of a list."""
        return type(self).sample is Problem.sample

    @property
    def convex_samples(self) -> bool:
        """Whether every sample function is known to be convex."""
        return False

    @property
    def convex_is_vouched(self) -> bool:
        """Whether `convex` rests on the word of whoever wrote the functions alone."""
        return False

    def spelled_gradient(self) -> str:
        """Return the client gradients as an expression of numpy (`np`) in the points `x` (N, d); '' if it is long."""
        return ""

    def spelled_value(self) -> str:
        """Return f - f_star as an expression of numpy in a server point `x` (runs, 1, d); '' if it is long."""
        return ""

    def of_clients(self, table: Array, clients: Indices | None) -> Array:
        """Return the rows of these clients (None: of all) from a table (N, ...), or (lanes, N, ...) if stacked."""
        if clients is None:
            return table
        return table[np.arange(len(table))[:, None], clients] if self.has_lanes else table[clients]

    def for_lanes(self, lanes: Indices | Array) -> Problem:
        """Return the problem of these lanes, given by number or by a mask; one that is not stacked serves all."""
        if self.clients_of_lanes is None and not self.has_lanes:
            return self
        cut, rows = copy.copy(self), lanes
        if self.clients_of_lanes is not None:
            cut.clients_of_lanes = self.clients_of_lanes[lanes]
            rows = members_of(self.clients_of_lanes, lanes)
        return cut.with_rows(rows)

    def with_rows(self, rows: Indices | Array) -> Problem:
        """Return the problem with these rows of the tables that lanes have of their own."""
        cut = copy.copy(self)
        vars(cut).update({table: getattr(self, table)[rows] for table in self.lane_tables})
        return cut

    def everyone_at(self, x: Array) -> Array:
        """Return the client points (lanes, N, d) at which all clients stand at the server points (lanes, 1, d)."""
        return np.broadcast_to(x, (len(x), self.N, self.d))

    def outcomes(self, x: Array, client: int) -> Array:
        """Return equally likely sample gradients (outcomes, d) of one client at one point (d,).

        Averages over them are exact expectations of functions of one coordinate, and of sums of such, like the mean and
        sigma^2.  Coordinates that are independent in a sample (signs, phases) may go together here: products of two of
        them and functions of the norm are exact by `enumerate` only.
        """
        return self.noise.around(self.exact_gradient(x[None, None, :], np.array([[client]]))[0], x)

    def enumerate(self) -> tuple[Token, int]:
        """Return all equally likely joint samples of the N clients (b = 1) as the lanes of one token, and their number.

        ``problem.gradient(np.broadcast_to(x, (number, N, d)), None, token)`` evaluates them at any point, as often as
        one likes; plain averages over its lanes are exact expectations.

        Raises
        ------
        NotApplicableError
            If they are too many, or the noise is continuous.
        """
        token = self.noise.every(self.N)
        return token, len(token)

    def best_response(self, x: Array) -> Array:
        """Return y_star at the min block of server points, shape (lanes, 1, d_y); minimax problems only."""
        raise self._no_envelope("y_star")

    def envelope(self, x: Array) -> Array:
        """Return Phi at the min block of server points, shape (lanes,); minimax problems only."""
        raise self._no_envelope("Phi")

    def envelope_gradient(self, x: Array) -> Array:
        """Return grad Phi at the min block of server points, shape (lanes, 1, d_x); minimax problems only."""
        raise self._no_envelope("Phi")

    def envelope_prox(self, x: Array, step: float) -> Array:
        """Return argmin_z Phi(z) + |z - x|^2/(2 step) at the min block of server points, shape (lanes, 1, d_x).

        The Moreau envelope of Phi has the gradient (x - z)/step; families that know z override this.

        Raises
        ------
        NotApplicableError
            If it is not known.
        """
        msg = f"{self.name}: the proximal point of Phi is not known"
        raise NotApplicableError(msg)

    def _no_envelope(self, what: str) -> NotApplicableError:
        return NotApplicableError(f"{self.name}: {what} is defined for minimax problems only")

    def bare_copy(self, letters: Iterable[str] = ()) -> Problem:
        """Return a copy without what decides no run: its name, ceilings and constants, but for those of `letters`."""
        bare = copy.copy(self)
        kept = {letter: replace(self.constants[letter], at=None) for letter in letters}
        vars(bare).update(name=self.family, _constants=kept, _implied=None, _ceilings={})
        return bare

    @property
    def constants(self) -> Mapping[str, Constant]:
        """Every known constant by letter, the ones that depend on the start included."""
        if self._constants is None:
            found = {**self.certified_constants(), **self.at_start()}
            self._constants = {letter: constant for letter, constant in found.items() if constant is not None}
        return self._constants

    @property
    def letters(self) -> Mapping[str, Constant]:
        """`constants`, and what follows from them or is counted at the minimiser (`boundcheck.problems.implied`)."""
        if self._implied is None or self._implied[0] is not self.constants:
            more = {} if self.is_minimax else implied_constants(self, self.constants)
            self._implied = self.constants, {**more, **self.constants}
        return self._implied[1]

    def values_for(self, needs: Iterable[str]) -> dict[str, float]:
        """Return the values of all constants by letter, and of those of `needs` that follow from them."""
        known = {letter: constant.value for letter, constant in self.constants.items()}
        more = [letter for letter in needs if letter not in known]
        return known | {letter: self.letters[letter].value for letter in more if letter in self.letters}

    @property
    def is_minimax(self) -> bool:
        """Whether it is min_x max_y, with Phi in place of f; `blocks` has the dimensions of x and y then."""
        return self.blocks is not None

    @property
    def kind(self) -> str:
        """'minimise' or 'minimax', as a method's card says which it is for."""
        return "minimax" if self.is_minimax else "minimise"

    @property
    def usual_metric(self) -> str:
        """The metric that runs on it are measured by where nobody says one: the squared gradient of f, or of Phi."""
        return "envelope_gradient" if self.is_minimax else "server_gradient"

    @property
    def online(self) -> bool:
        """Whether round t has a loss of its own, `loss`, and a sample of its own, `of_round`."""
        return False

    @property
    def convex(self) -> bool:
        """Whether every f_i is known to be convex (of a minimax problem this is never asked)."""
        return False

    @property
    def is_noisy(self) -> bool:
        """Whether two samples of a client's gradient can differ (a problem without sigma has unbounded noise)."""
        sigma = self.constants.get("sigma")
        return sigma is None or sigma.value > 0

    @property
    def has_independent_noise(self) -> bool:
        """Whether the samples of different clients are independent."""
        return self.noise.independent

    def ceiling(self, metric: str | Metric) -> Constant | None:
        """Return a proved supremum, over all of R^d, of what a metric measures at one point.

        No run whatever can measure more, whether or not it stays within `radius`, up to rounding of the measurement.

        Parameters
        ----------
        metric : str or Metric
            A record, a name in `boundcheck.metrics.METRICS`, or ``output_gradient(0.25)``.

        Returns
        -------
        Constant or None
            None where it is infinite or not known.
        """
        measured = metric_of(metric) if isinstance(metric, str) else metric
        whose = measured.gradient_of
        if not whose or measured.weighted:
            return None
        if whose not in self._ceilings:
            self._ceilings[whose] = self.gradient_ceiling() if whose == "f" else self.envelope_ceiling()
        return self._ceilings[whose]

    def gradient_ceiling(self) -> Constant | None:
        """Return sup |grad f(x)|^2 over R^d, or a proved bound on it; None where it is infinite or not known."""
        return None

    def envelope_ceiling(self) -> Constant | None:
        """Return sup |grad Phi(x)|^2 over R^d likewise; minimax problems only."""
        return None

    def at_start(self) -> dict[str, Constant]:
        """Return the constants that depend on the start point, and those at the minimiser where it is known."""
        start = {"G_0": exact(self._mean_square(self.start), "client gradients at the start", self.start)}
        if self.x_star is None or self.is_minimax:
            return start
        away = self.start - self.x_star
        return start | {
            "delta_x": exact(float(away @ away), "|x_0 - x_star|^2 with x_star known", self.start),
            "zeta_star": exact(
                float(np.sqrt(self._mean_square(self.x_star))), "client gradients at x_star", self.x_star
            ),
        }

    def _mean_square(self, x: Array) -> float:
        """Return mean_i |grad f_i(x)|^2 at a point (d,)."""
        g = self.exact_gradient(self.everyone_at(x[None, None, :]))
        return float(self.over_clients((g * g).sum(axis=-1))[0])

    def loss_of_round(self, t: int, x: Array) -> Array:
        """Return f_t at server points, shape (lanes,); online problems only."""
        raise self._not_online()

    def least_loss(self, T: int) -> float:
        """Return min_x sum_(t<T) f_t(x); online problems only."""
        raise self._not_online()

    def of_round(self, t: int, shape: tuple[int, ...]) -> Token:
        """Return the sample (lanes, clients, 1) that everybody meets in round t; online problems only."""
        raise self._not_online()

    def _not_online(self) -> NotApplicableError:
        return NotApplicableError(f"{self.name}: losses of a round are defined for online problems only")

    @property
    def initial_value(self) -> float:
        """f(x_0)."""
        return float(self.value(self.start[None, None, :])[0])

    def gap(self, floor: float = 0.0, why: str = "f(x_0) - 0 in closed form") -> Constant:
        """Return Delta = f(x_0) - `floor`, exact because f is known in closed form."""
        return exact(self.initial_value - floor, why, self.start)

    def constant(self, letter: str) -> float:
        """Return the value of one constant.

        Raises
        ------
        NotApplicableError
            If this problem has no such constant (it may be infinite, or not known).
        """
        if letter in self.constants:
            return self.constants[letter].value
        if letter not in self.letters:
            msg = f"problem {self.name} has no constant {letter}; it has {', '.join(sorted(self.constants))}"
            raise NotApplicableError(msg)
        return self.letters[letter].value
