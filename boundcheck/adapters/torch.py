"""Clients written in torch on the samples of `boundcheck.conform` (the extra `torch`).

A client has a model, a loss and a loader.  Here the model's parameters are the vector x, the loader yields the K
minibatches of a round, and the gradient of the loss is that of the client on our sample: the training loop of a
library runs as it is, whatever it keeps in a ``state_dict``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from boundcheck.errors import InputError, require

try:
    import torch
    from torch import nn
except ModuleNotFoundError as missing:
    _WORDS = "boundcheck.adapters.torch needs torch: pip install 'boundcheck[torch]'"
    raise ModuleNotFoundError(_WORDS, name="torch") from missing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]


class GradientSource(Protocol):
    """What `boundcheck.conform.Client` offers."""

    @property
    def size(self) -> int:
        """Return how many data points the client has."""

    def grad(self, x: Any, k: int, t: int) -> Array:
        """Return the gradient at x on the sample of step k of round t."""


BUFFER = "batches"
"""Name of the buffer of a `VectorModel`."""


class VectorModel(nn.Module):  # type: ignore[misc]
    """A module whose parameters are the vector x, and whose output is x.

    Parameters
    ----------
    x : array_like
        Where it starts, (d,).
    cut : int, optional
        Where x is cut into the parameters `weight` and `bias`, so that a ``state_dict`` has two entries; the middle by
        default.
    dtype : torch.dtype, optional
        Double precision by default.
    buffer : bool
        Whether it has a buffer `batches` that counts its batches in training, as the statistics of a normalisation do:
        an entry of the ``state_dict`` that is no parameter.
    """

    def __init__(self, x: Any, *, cut: int | None = None, dtype: Any = torch.float64, buffer: bool = False) -> None:
        super().__init__()
        # A copy: the caller's array stays as it is, whatever an optimizer does in place.
        whole = torch.tensor(np.array(x, dtype=float).ravel(), dtype=dtype)
        at = len(whole) // 2 if cut is None else cut
        require(0 <= at <= len(whole), "VectorModel: cut", at, f"a position from 0 to {len(whole)}")
        self.weight = nn.Parameter(whole[:at].clone())
        self.bias = nn.Parameter(whole[at:].clone())
        if buffer:
            self.register_buffer(BUFFER, torch.zeros((), dtype=torch.long))

    def forward(self, inputs: Any = None) -> Any:
        """Return the parameters as one vector, whatever the inputs are."""
        if self.training and hasattr(self, BUFFER):
            self.batches += 1
        return torch.cat([self.weight, self.bias])


def vector(state: Any) -> Array:
    """Return the vector of a model, of its ``state_dict`` or of a list of arrays in the order of its parameters, (d,).

    It is a copy, in double precision, without the buffers of a model, or that of a `VectorModel` in a ``state_dict``.

    Raises
    ------
    InputError
        If it is none of these.
    """
    if isinstance(state, nn.Module):
        state = dict(state.named_parameters())
    parts = [part for name, part in state.items() if name != BUFFER] if hasattr(state, "items") else state
    if not isinstance(parts, (list, tuple)):
        msg = f"vector: {type(state).__name__} is not legal: a model, a state_dict or a list of arrays"
        raise InputError(msg)
    return np.concatenate([np.array(_plain(part), dtype=float).ravel() for part in parts])


def load(model: Any, x: Any) -> None:
    """Write the vector x into the parameters of a model, in their order.

    Raises
    ------
    InputError
        If x has another length.
    """
    parameters = list(model.parameters())
    values, total = vector([np.asarray(_plain(x))]), sum(p.numel() for p in parameters)
    require(len(values) == total, "load: length of x", len(values), f"{total}")
    ends = np.cumsum([p.numel() for p in parameters])[:-1].tolist()
    with torch.no_grad():
        for parameter, part in zip(parameters, np.split(values, ends), strict=True):
            parameter.copy_(torch.as_tensor(part, dtype=parameter.dtype).reshape(parameter.shape))


def _plain(part: Any) -> Any:
    return part.detach().cpu().numpy() if isinstance(part, torch.Tensor) else part


class Batches:
    """A loader that yields the K minibatches of a round: ``(inputs, targets)``, both the number of the step."""

    def __init__(self, K: int, size: int) -> None:
        self._K = K
        self.dataset = range(size)
        """As many entries as the client has data points, for codes that ask ``len(loader.dataset)``."""
        self.batch_size = 1

    def __len__(self) -> int:
        return self._K

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        for k in range(self._K):
            yield torch.full((1,), float(k), dtype=torch.float64), torch.full((1,), k)


class Site:
    """One client: the model, loss and loader that its code trains with.

    Attributes
    ----------
    model : VectorModel
        Its own copy of the model.
    loader : Batches
        The minibatches of a round.
    size : int
        How many data points it has.
    """

    def __init__(
        self, client: GradientSource, x0: Any, *, K: int, dtype: Any = torch.float64, buffer: bool = False
    ) -> None:
        self._client = client
        self._t: int | None = None
        self.size = int(client.size)
        self.model = VectorModel(x0, dtype=dtype, buffer=buffer)
        self.loader = Batches(K, self.size)

    def start(self, t: int) -> None:
        """Go to round t = 0, 1, ...: the loss is then on the samples of that round."""
        self._t = t

    def loss(self, outputs: Any, targets: Any) -> Any:
        """Return a scalar whose gradient in the parameters is the client's on the sample of the minibatch.

        Its value is <g, x>, with the gradient g at x held fixed.

        Raises
        ------
        InputError
            If no round has been started.
        """
        if self._t is None:
            msg = "loss: no round is running; call start(t) on the site before its client trains"
            raise InputError(msg)
        k = int(torch.as_tensor(targets).reshape(-1)[0])
        g = self._client.grad(outputs.detach().cpu().numpy(), k, self._t)
        return (outputs * torch.as_tensor(g, dtype=outputs.dtype, device=outputs.device)).sum()


def sites(
    clients: Sequence[GradientSource], x0: Any, *, K: int, dtype: Any = torch.float64, buffer: bool = False
) -> list[Site]:
    """Return a site for each of the clients that `boundcheck.conform` hands to an implementation.

    Parameters
    ----------
    clients, x0, K
        As the implementation gets them.
    dtype : torch.dtype, optional
        Of the models; double precision by default.
    buffer : bool
        Whether the models have a buffer, which a server may average, keep or forget.
    """
    return [Site(client, x0, K=K, dtype=dtype, buffer=buffer) for client in clients]


def average_states(states: Sequence[Mapping[str, Any]], weights: Sequence[float] | None = None) -> dict[str, Any]:
    """Return the average of ``state_dict``s, entry by entry; all weigh the same if there are no `weights`.

    Entries of whole numbers, such as counters of batches, are those of the first.

    Raises
    ------
    InputError
        If there is none.
    """
    require(len(states) > 0, "averaged: number of states", len(states), "at least 1")
    shares = [1.0] * len(states) if weights is None else list(weights)
    whole = sum(shares)
    return {
        name: first
        if not getattr(first, "is_floating_point", lambda: True)()
        else sum(share * state[name] for share, state in zip(shares, states, strict=True)) / whole
        for name, first in states[0].items()
    }
