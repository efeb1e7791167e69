"""A small multilayer perceptron with softmax cross-entropy on bundled data: exact backpropagation, no constants."""

from __future__ import annotations

import functools
import itertools
from dataclasses import InitVar, dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from boundcheck.errors import require, require_count
from boundcheck.problems.arrays import rows_of
from boundcheck.problems.data.bundled import load_bundled
from boundcheck.problems.data.rows import RowProblem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.problems.constants import Constant
    from boundcheck.problems.types import Array, Indices, Token


class Layer(NamedTuple):
    """Where a layer's parameters lie in the flat parameter vector."""

    inputs: int
    outputs: int
    weights: slice
    """(outputs, inputs), row by row."""
    biases: slice


@dataclass(kw_only=True, eq=False, repr=False)
class Perceptron(RowProblem):
    """f_i(x) = mean_n cross-entropy of softmax(W_2 tanh(W_1 a_n + b_1) + b_2), more hidden layers likewise.

    No constant is claimed: a network has no global smoothness and no bound on variance or heterogeneity.  Bounds that
    need them do not apply; methods can be compared all the same, and the gradient is exact.

    Parameters
    ----------
    N : int
        Clients, at most the rows of the data set.
    data : {'wine', 'cancer', 'digits', 'digits-pooled'}
        See `boundcheck.problems.data.bundled`; one output a class.
    width, depth : int
        Units of a hidden layer, and how many hidden layers.
    split, skew, concentration, shards, split_seed :
        Which rows a client has, see `boundcheck.problems.data.partition`.
    holdout : int
        Every holdout-th row goes to no client and measures `accuracy`; 0 holds none out.
    start : float
        Scale of the start: weights are drawn with standard deviation start / sqrt(inputs), biases are 0.
    structure_seed : int
        Of that draw.

    Attributes
    ----------
    layers : tuple of Layer
        The slices of the flat parameter vector, from input to output.
    rows, labels : Array
        Rows (N, m, columns) and classes as indicators (N, m, classes), padded with zeros.
    held_out : tuple of Array and Indices
        Rows (n, columns) and classes (n,) that no client has.
    """

    family = "mlp"
    shallowest: ClassVar[int] = 1
    """Smallest legal depth."""
    width: int = 4
    depth: int = 1
    split: str = "dirichlet"
    holdout: int = 0
    start: InitVar[float] = 1.0
    structure_seed: int = 0

    def __post_init__(self, start: float) -> None:
        require_count(self.width, f"{self.family}: width")
        require_count(self.depth, f"{self.family}: depth", self.shallowest)
        require_count(self.structure_seed, f"{self.family}: structure_seed", 0)
        require(self.data != "diabetes", f"{self.family}: data", self.data, "a data set with classes")
        require_count(self.holdout, f"{self.family}: holdout", 0)
        require(self.holdout != 1, f"{self.family}: holdout", 1, "0, or at least 2: somebody has to have the others")
        source = load_bundled(self.data)
        apart = np.arange(len(source.classes)) % (self.holdout or np.inf) == self.holdout - 1
        self.held_out = source.features[apart], source.classes[apart]
        features, classes = source.features[~apart], source.classes[~apart]
        parts = self.partition(classes)
        kinds = int(source.classes.max()) + 1
        self.rows = parts.take(features)
        self.labels = parts.take(np.eye(kinds)[classes])
        self.weights = parts.weights
        self.layers = _layout([self.rows.shape[2], *[self.width] * self.depth, kinds])
        self._begin(_draw(self.layers, start, self.structure_seed), parts.sizes)

    def _forward(self, x: Array, rows: Array) -> list[Array]:
        """Return the input, every hidden layer and the outputs, (..., rows, units): products a lane and client."""
        values = [rows]
        for layer in self.layers:
            z = np.matmul(values[-1], np.swapaxes(_matrix(x, layer), -1, -2)) + x[..., None, layer.biases]
            values.append(z if layer is self.layers[-1] else np.tanh(z))
        return values

    def _gradient(self, x: Array, rows: Array, labels: Array, weights: Array) -> Array:
        """Sum the row gradients with these weights."""
        values = self._forward(x, rows)
        return self._backward(x, values, (_softmax(values[-1]) - labels) * weights[..., None], {})

    def _backward(self, x: Array, values: list[Array], back: Array, slopes: Mapping[int, Array]) -> Array:
        """Backpropagate the slopes `back` in the logits, and further ones in the hidden layers."""
        g = np.empty_like(x, order="C")
        for depth in range(len(self.layers) - 1, -1, -1):
            layer, below = self.layers[depth], values[depth]
            product = np.matmul(np.swapaxes(back, -1, -2), below)
            g[..., layer.weights] = product.reshape(*x.shape[:-1], -1)
            g[..., layer.biases] = back.sum(axis=-2)
            if depth:
                back = np.matmul(back, _matrix(x, layer))
                if depth - 1 in slopes:
                    back = back + slopes[depth - 1]
                back = back * (1.0 - below * below)
        return g

    @property
    def levels(self) -> int:
        """Return the number of layers: outputs of the hidden ones, then the logits."""
        return len(self.layers)

    def _minibatch(self, clients: Indices | None, sample: Token) -> tuple[Array, Array, Array]:
        """Return rows, labels and weights of a minibatch, or of all rows."""
        if sample is None:
            chosen = rows_of(clients)
            return self.rows[chosen], self.labels[chosen], self.weights[chosen]
        owner = (np.arange(self.N) if clients is None else clients)[..., None]
        weights = np.full(sample.row.shape, 1.0 / sample.row.shape[-1])
        return self.rows[owner, sample.row], self.labels[owner, sample.row], weights

    def outputs(self, x: Array, clients: Indices | None = None, sample: Token = None) -> list[Array]:
        """Return the hidden layers and the logits on the rows of a minibatch (on all rows without one)."""
        return self._forward(x, self._minibatch(clients, sample)[0])[1:]

    def composite_gradient(
        self, x: Array, clients: Indices | None, sample: Token, loss: float | Array, slopes: Mapping[int, Array]
    ) -> Array:
        """Return the gradient of the mean over rows of ``loss * cross-entropy + sum_l <slopes[l], outputs_l>``."""
        rows, labels, weights = self._minibatch(clients, sample)
        values, share = self._forward(x, rows), weights[..., None]
        scale: float | Array = loss if isinstance(loss, (int, float)) else loss[..., None]
        back = scale * ((_softmax(values[-1]) - labels) * share)
        if self.levels - 1 in slopes:
            back = back + slopes[self.levels - 1] * share
        return self._backward(x, values, back, {level: slope * share for level, slope in slopes.items()})

    def upstream_mask(self, level: int) -> Array:
        """Return 1 for the parameters of the layers 0..level and 0 for the others, shape (d,)."""
        mask: Array = (np.arange(self.d) < self.layers[level].biases.stop).astype(np.float64)
        return mask

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return the mean gradient over all rows of each client."""
        chosen = rows_of(clients)
        return self._gradient(x, self.rows[chosen], self.labels[chosen], self.weights[chosen])

    def batch_gradient(self, x: Array, owner: Indices, row: Indices) -> Array:
        weights = np.full(row.shape, 1.0 / row.shape[-1])
        return self._gradient(x, self.rows[owner, row], self.labels[owner, row], weights)

    def outcomes(self, x: Array, client: int) -> Array:
        m = self.sizes[client]
        at = np.broadcast_to(x, (m, self.d))
        return self._gradient(at, self.rows[client, :m, None], self.labels[client, :m, None], np.ones((m, 1)))

    def value(self, x: Array) -> Array:
        mean: Array = self.client_values(self.everyone_at(x)).mean(axis=1)
        return mean

    def client_values(self, x: Array, clients: Indices | None = None) -> Array:
        chosen = rows_of(clients)
        out = self._forward(x, self.rows[chosen])[-1]
        top = out.max(axis=-1, keepdims=True)
        losses = np.log(np.exp(out - top).sum(axis=-1)) + top[..., 0] - (out * self.labels[chosen]).sum(axis=-1)
        values: Array = np.vecdot(losses, self.weights[chosen])
        return values

    def representation(self, x: Array, clients: Indices | None = None) -> Array:
        """Return the last hidden layer for all rows of each client, shape (lanes, clients, m, width)."""
        return self._forward(x, self.rows[rows_of(clients)])[-2]

    def accuracy(self, x: Array) -> Array:
        """Return the share of the held-out rows that server points (lanes, 1, d) classify correctly, shape (lanes,).

        Where no row is held out it is that of the clients' rows, `training_accuracy`.
        """
        rows, classes = self.held_out
        if not len(classes):
            return self.training_accuracy(x)
        out = self._forward(x, rows[None, None])[-1][:, 0]
        share: Array = (out.argmax(axis=-1) == classes).mean(axis=-1)
        return share

    def training_accuracy(self, x: Array) -> Array:
        """Return the share of all clients' rows that server points (lanes, 1, d) classify correctly, shape (lanes,)."""
        out = self._forward(self.everyone_at(x), self.rows)[-1]
        right = (out.argmax(axis=-1) == self.labels.argmax(axis=-1)) & (self.weights > 0)
        share: Array = right.sum(axis=(1, 2)) / self.sizes.sum()
        return share

    def certified_constants(self) -> dict[str, Constant | None]:
        return {}


def _layout(units: list[int]) -> tuple[Layer, ...]:
    layers, end = [], 0
    for inputs, outputs in itertools.pairwise(units):
        middle = end + inputs * outputs
        layers.append(Layer(inputs, outputs, slice(end, middle), slice(middle, middle + outputs)))
        end = middle + outputs
    return tuple(layers)


def _draw(layers: tuple[Layer, ...], scale: float, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    start = np.zeros(layers[-1].biases.stop)
    for layer in layers:
        size = layer.inputs * layer.outputs
        start[layer.weights] = rng.standard_normal(size) * (scale / np.sqrt(layer.inputs))
    return start


def _matrix(x: Array, layer: Layer) -> Array:
    flat = x[..., layer.weights].copy()
    return flat.reshape(*x.shape[:-1], layer.outputs, layer.inputs)


def _softmax(out: Array) -> Array:
    # Classes first: to reduce a short last axis takes numpy two to three times as long.
    shares: Array = out.T.copy()
    shares -= shares.max(axis=0)
    np.exp(shares, out=shares)
    # One class after the other: numpy's sum takes eight at a time where there is a single row, and another last bit.
    shares /= functools.reduce(np.add, shares)
    return shares.T.copy()
